"""Similarity of two flicks, and the purpose of an action: of a flick by its intended outcome and sampled ones."""

from collections import Counter
from math import cos, hypot, radians, sin
from typing import cast

import numpy as np

from flicksim.ai import GRADES, ExecutionNoise
from flicksim.core.errors import FlicksimError
from flicksim.core.type_aliases import Action, State
from flicksim.core.units import GRAVITY
from flicksim.engine.jit import numba_njit
from flicksim.match.game_model import simulate_each
from flicksim.match.match import Simulator
from flicksim.referee import FlickPurposeModel, Game, Purpose
from flicksim.scene import Flick, Launch, Squidge

_SIMILARITY_SIGMAS = 2.0
"""Distance of the end points within which flicks are similar [standard deviations of the execution noise]."""
_SLANT_TOLERANCE = radians(6.0)
"""Largest difference of the slant of similar launches [rad]."""
_DECELERATION = 2.0
"""Deceleration of a flat piece on polished wood [m/s^2]."""
_TRIAL_NOISE, _TRIES = GRADES["world"], 8 if numba_njit is not None else 1
"""Execution noise and number of sampled executions: one without JIT, where a shot takes a third of a second."""
_INTENDED_WEIGHT = 3
"""Weight of the execution without noise [samples]."""


def is_similar_action(
    first: Action, other: Action, noise: ExecutionNoise, targets: tuple[str | None, str | None] = (None, None)
) -> bool:
    """Return True if two flicks of the same piece have the same target (`targets`) or, where that is unknown, similar
    end points on an empty table."""
    if type(first) is not type(other) or first.piece != other.piece:
        return False
    if isinstance(first, Launch) and abs(first.slant - other.slant) > _SLANT_TOLERANCE:
        return False
    if None not in targets:
        return targets[0] == targets[1]
    (x, y, distance), (u, v, other_distance) = _end_point(first), _end_point(other)
    return hypot(x - u, y - v) <= _SIMILARITY_SIGMAS * max(distance, other_distance) * hypot(
        noise.azimuth, 2.0 * noise.speed
    )


def _end_point(flick: Action) -> tuple[float, float, float]:
    """End point on an empty table and the distance to it [m]; a rough estimate, for comparison alone."""
    at = getattr(flick, "start", None) or getattr(flick, "hold", None) or (0.0, 0.0)
    flies = isinstance(flick, Squidge)
    distance = flick.speed**2 * (sin(2.0 * flick.elevation) / GRAVITY if flies else 1.0 / (2.0 * _DECELERATION))
    return at[0] + distance * cos(flick.azimuth), at[1] + distance * sin(flick.azimuth), distance


def purpose_of(game: Game, simulator: Simulator, state: State, action: Action) -> Purpose | None:
    """Classify the purpose of a flick, or of a move of cards, in a state; None where no purpose of the game fits."""
    if game.purposes is None or (game.uses_physics and not isinstance(action, Flick | Squidge | Launch)):
        return None
    if (aim := game.purposes.purpose_of_aim(state, action)) is not None:
        kind, targets = aim
        return Purpose(kind=kind, pieces=targets, text=game.purposes.describe(kind, targets))
    if not game.uses_physics:
        return None
    classifier = cast(FlickPurposeModel, game.purposes)
    rng = np.random.Generator(np.random.PCG64(0))
    reduced = getattr(game.bot, "search_state", lambda state: state)(state)
    made = [action, *(_TRIAL_NOISE.execute(action, rng) for _ in range(_TRIES))]
    shots = [game.rules.simulation_setup(reduced, executed) for executed in made]
    served = Counter[str]()
    pieces: dict[str, Counter[str]] = {}
    results = simulate_each(simulator, [shot for shot in shots if shot is not None])
    for number, (executed, result) in enumerate(zip(made, results, strict=True)):
        if isinstance(result, FlicksimError):
            continue
        weight = 1 if number else _INTENDED_WEIGHT
        for kind, names in classifier.purposes_served(reduced, executed, result).items():
            served[kind] += weight
            pieces.setdefault(kind, Counter()).update(dict.fromkeys(names, weight))
    if not served:
        return None
    kind = max(served, key=lambda kind: classifier.WEIGHTS[kind] * served[kind])
    frequent = [name for name, count in pieces[kind].items() if 2 * count > served[kind]]
    targets = tuple(frequent or [name for name, _ in pieces[kind].most_common(1)])
    return Purpose(kind=kind, pieces=targets, text=classifier.describe(kind, targets))
