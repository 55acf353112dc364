"""Hints: the club bot's choice with its purpose, and a scatter of outcomes of one's own aim."""

from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import NamedTuple

import numpy as np
import pygame

from flicksim.ai import GRADES, NO_NOISE, ExecutionNoise, HeuristicPlayer
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action, InitialState, State
from flicksim.engine import LaunchBatchResult, Settings, simulate_batch
from flicksim.engine.batch import AT_REST
from flicksim.engine.batch.launch_batch import LEANING, ON_SIDE, UPRIGHT
from flicksim.gui.toolkit import Canvas, Colour, cached_surface, palette
from flicksim.match import (
    SEARCH_SETTINGS,
    BackgroundTask,
    Decision,
    GameRolloutModel,
    Match,
    PhysicsSimulator,
    Warmup,
    compute_decision,
    make_player,
    parse_seat,
)
from flicksim.referee import Policy, Purpose
from flicksim.render import Camera
from flicksim.scene import Launch, Pyramid

_HINT_GRADE = "club"
_SHOT_COUNT, _BATCH_SIZE, _MAX_TIME = 500, 10, 3.0
"""Number of shots of a scatter, of shots in a batch, and longest duration [s]."""


def execution_noise_of(grade: str) -> ExecutionNoise:
    """Execution noise by name; "steady" has none."""
    return GRADES.get(grade, NO_NOISE)


def noise_text(grade: str) -> str:
    """Text naming the grade of execution noise."""
    if grade == "steady":
        return "nobody: it does just what you aim"
    return f"{'an' if grade[0] in 'aeiou' else 'a'} {grade} player"


Shot = tuple[InitialState, Action]
"""A scene and the action simulated in it."""


class Hint(NamedTuple):
    """Action that a club player would choose, its purpose (None where none is known), and if he searched less."""

    action: Action
    purpose: Purpose | None
    is_reduced: bool = False

    @property
    def idea(self) -> str:
        """Sentence on the purpose, or on the reduced search, after a space; empty without either."""
        if self.is_reduced:
            return " Searched less deeply: the physics is still being compiled."
        return "" if self.purpose is None else f" The idea: {self.purpose.text}."


def compute_hint(
    match: Match, seat: int, *warmups: Warmup, state: State = None, policy: Policy | None = None
) -> BackgroundTask[Hint]:  # fmt: skip
    """Compute what a club player would do, on a background thread; the match is unchanged.

    Args:
        warmups: of the physics; until they are ready a reduced search in a fallback worker decides.
        state: in which the seat is to play; as the match stands without. policy: chooses in place of a club player.
    """
    game, state = match.game, match.state if state is None else state
    simulator = PhysicsSimulator(SEARCH_SETTINGS)
    seats = [parse_seat(f"bot:{_HINT_GRADE}")] * len(match.scores)
    # at cards without the slips of a grade
    player = make_player(game, simulator, seats, seat) if game.uses_physics else HeuristicPlayer(game.bot)
    assert player is not None, "a bot sits down anywhere"
    rng = np.random.Generator(np.random.PCG64(len(match.turns)))
    decision = Decision(player, match.rules.view(state, seat), match.rules.legal_actions(state), rng)

    def think() -> Hint:
        action = compute_decision(game, state, decision, *warmups) if policy is None else policy(state, rng)
        # while physics compiles, the shots that show a purpose would compile it here once more, and block the window
        is_ready = all(warmup.is_ready for warmup in warmups)
        purpose = GameRolloutModel(game, simulator).purpose(decision.view, action) if is_ready else None
        return Hint(action, purpose, is_reduced=not is_ready)

    return BackgroundTask(think)


class OutcomeScatter:
    """Scatter of the final positions of many noisy executions of one shot.

    Args:
        match: present match. action: the intended shot. noise: name of the grade of execution noise.
        prepare: called first on the background thread; may block.
    """

    def __init__(self, match: Match, action: Action, noise: str, prepare: Callable[[], None] = lambda: None) -> None:
        self.noise = noise if noise in GRADES else _HINT_GRADE
        self.ends: list[Point | None] = []
        self.is_cancelled = False
        state, rules, noise_model = match.state, match.rules, GRADES[self.noise]
        physics = getattr(match.simulator, "settings", None)
        rng = np.random.Generator(np.random.PCG64(len(match.turns)))

        def setup(made: Action) -> Shot | None:
            return (state.scene, made) if isinstance(made, Launch) else rules.simulation_setup(state, made)

        def shoot() -> None:
            prepare()
            end = monotonic() + _MAX_TIME
            while len(self.ends) < _SHOT_COUNT and monotonic() < end and not self.is_cancelled:
                shots = [setup(noise_model.execute(action, rng)) for _ in range(_BATCH_SIZE)]
                self.ends += final_positions([shot_setup for shot_setup in shots if shot_setup is not None], physics)

        self.job = BackgroundTask(shoot)

    def cancel(self) -> None:
        """Cancel the simulation."""
        self.is_cancelled = True

    @property
    def text(self) -> str:
        """Description of the scatter; empty before the first result."""
        if not self.ends:
            return ""
        off_table = sum(end is None for end in self.ends)
        text = f"Dots: where {len(self.ends)} such shots of {noise_text(self.noise)} come to rest"
        return f"{text}; {off_table} leave the table." if off_table else f"{text}."

    def draw(self, canvas: Canvas, camera: Camera) -> None:
        """Draw a translucent dot for each result; all edges lie under all dots."""
        base_radius = max(2, canvas.px(2.4))
        points = [camera.to_screen(end) for end in tuple(self.ends) if end is not None]
        for colour, alpha, radius in (
            (palette.DARK_TEXT, 100, base_radius + 1),
            (palette.TABLE_GOOD, 150, base_radius),
        ):
            dot = _dot_sprite(radius, colour, alpha)
            canvas.surface.fblits([(dot, (round(x) - radius, round(y) - radius)) for x, y in points])


@cached_surface
def _dot_sprite(radius: int, colour: Colour, alpha: int) -> pygame.Surface:
    """Image of a translucent dot of a radius [pixels]; alpha 0 to 255."""
    surface = pygame.Surface((2 * radius + 1, 2 * radius + 1), pygame.SRCALPHA)
    pygame.draw.aacircle(surface, (*colour, alpha), (radius, radius), radius)
    return surface


def final_positions(shots: Sequence[Shot], settings: Settings | None) -> Iterator[Point | None]:
    """Final positions of the flicked pieces of shots; None off the table; failed shots are left out."""
    if not shots:
        return
    scenes, flicks = zip(*shots, strict=True)
    results = simulate_batch(scenes, flicks, settings, on_error="mark")
    if isinstance(results, LaunchBatchResult):
        yield from _launch_ends(results, shots)
        return
    for shot, flick in enumerate(flicks):
        if not results.error[shot]:
            column = results.column(flick.piece)
            x, y = results.positions[shot, column, :2].tolist()
            yield (x, y) if results.outcome[shot, column] == AT_REST else None


def _launch_ends(result: LaunchBatchResult, shots: Sequence[Shot]) -> Iterator[Point | None]:
    for shot, (scene, launch) in enumerate(shots):
        if result.error[shot]:
            continue
        if result.outcome[shot, -1] not in (UPRIGHT, ON_SIDE, LEANING):
            yield None
            continue
        (x, y, z) = result.positions[shot, -1].tolist()
        (tilt, heading, roll) = result.orientations[shot, -1].tolist()
        missile = Pyramid(id=launch.piece, size=launch.size, shape=scene.kit.shape(launch.size), owner=launch.owner,
                          x=x, y=y, z=z, tilt=tilt, heading=heading, roll=roll)  # fmt: skip
        yield missile.centre_of_mass[:2]
