"""Classification of a flick's purpose from its intended outcome and sampled executions."""

from __future__ import annotations

from collections import Counter

import numpy as np

from flicksim.ai import GRADES
from flicksim.core.errors import FlicksimError
from flicksim.core.type_aliases import Action, State
from flicksim.engine.jit import numba_njit
from flicksim.match.game_model import simulate_each
from flicksim.match.match import Simulator
from flicksim.referee import Game, Purpose
from flicksim.scene import Flick, Launch, Squidge

_TRIAL_NOISE, _TRIES = GRADES["world"], 8 if numba_njit is not None else 1
"""The hand that tries a flick, and how often: once where nothing is compiled, and a shot takes a third of a second."""
_INTENDED_WEIGHT = 3
"""A flick made just as it is meant counts for so many tries."""


def purpose_of(game: Game, simulator: Simulator, state: State, action: Action) -> Purpose | None:
    """The purpose of a flick in a state; None of what is no flick, or serves nothing that its game has a word for."""
    told = game.purposes
    if told is None or not isinstance(action, Flick | Squidge | Launch):
        return None
    if (aimed := told.purpose_of_aim(state, action)) is not None:
        kind, of = aimed
        return Purpose(kind=kind, pieces=of, text=told.describe(kind, of))
    rng = np.random.Generator(np.random.PCG64(0))
    left = getattr(game.bot, "search_state", lambda state: state)(state)
    made = [action, *(_TRIAL_NOISE.execute(action, rng) for _ in range(_TRIES))]
    shots = [game.rules.simulation_setup(left, one) for one in made]
    served = Counter[str]()
    pieces: dict[str, Counter[str]] = {}
    accounts = simulate_each(simulator, [shot for shot in shots if shot is not None])
    for number, (one, account) in enumerate(zip(made, accounts, strict=True)):
        if isinstance(account, FlicksimError):
            continue
        weight = 1 if number else _INTENDED_WEIGHT
        for kind, names in told.purposes_served(left, one, account).items():
            served[kind] += weight
            pieces.setdefault(kind, Counter()).update(dict.fromkeys(names, weight))
    if not served:
        return None
    kind = max(served, key=lambda kind: told.WEIGHTS[kind] * served[kind])
    often = [name for name, count in pieces[kind].items() if 2 * count > served[kind]]
    of = tuple(often or [name for name, _ in pieces[kind].most_common(1)])
    return Purpose(kind=kind, pieces=of, text=told.describe(kind, of))
