"""Practice: repeated shots of one wink at one target, with counts and resting places."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import atan2, cos, sin
from typing import Literal

import numpy as np

from flicksim.ai import ExecutionNoise
from flicksim.core.errors import FlicksimError
from flicksim.core.geometry import Point
from flicksim.core.units import mm
from flicksim.engine import simulate_batch
from flicksim.games import load
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.state import Book, State
from flicksim.match import BackgroundTask, Match, open_match, parse_seat, wilson_interval
from flicksim.scene import Scene, Squidge, Trajectory, overlap, upper_piece

Target = Literal["pot", "wink"]
_BATCH_SIZE = 25
"""Number of shots of a series simulated at once."""
_TARGET_WINK = "green-1"
_TARGET_DISTANCE = mm(100.0)
"""Distance from the pot of a wink that is to be squopped [m]."""
MAX_DISTANCE = {"pot": 950, "wink": 800}
"""Longest practice distances by target [mm]."""


@dataclass(frozen=True, slots=True)
class Drill:
    """Drill: the shot that is practised.

    Args:
        target: pot one's wink, or squop a large opposing wink. kind: size of one's own wink. distance: from the
            centre of the target to the centre of the wink [m].
    """

    target: Target = "pot"
    kind: Literal["large", "small"] = "small"
    distance: float = mm(300.0)

    @property
    def wink(self) -> str:
        """Wink that is squidged."""
        return "blue-1" if self.kind == "large" else "blue-3"

    @property
    def target_point(self) -> Point:
        """Position of the target [m]."""
        return (0.0, 0.0) if self.target == "pot" else self._point_at(_TARGET_DISTANCE)

    def _point_at(self, distance: float) -> Point:
        """Point at a distance from the pot, towards Blue's corner [m]."""
        a, b = Options().mat_size_mm
        azimuth = atan2(b, a)
        return (distance * cos(azimuth), distance * sin(azimuth))

    def make_match(self) -> Match:
        """Match in which just this shot can be played."""
        game = load("tiddlywinks")
        match = open_match(game, Options(), [parse_seat("human")] * 4, 0)
        distance = self.distance + (_TARGET_DISTANCE if self.target == "wink" else 0.0)
        winks = {self.wink: kit.wink(Options(), self.wink, self._point_at(distance))}
        if self.target == "wink":
            winks[_TARGET_WINK] = kit.wink(Options(), _TARGET_WINK, self.target_point)
        scene = Scene(surface=kit.mat_surface(Options()), pieces=kit.in_order(tuple(winks.values())))
        gone = tuple(wink for wink in kit.WINKS if wink not in winks)
        book = Book(phase="shot", to_play=0, turn=0, opener=0, behind=(), potted=gone)
        match.set_opening(State(options=Options(), scene=scene, book=book))
        return match

    def is_hit(self, after: Scene) -> bool:
        """Return True if a shot hit its target, judged by the state after it."""
        if not after.has(self.wink):
            return False
        own = after.piece(self.wink)
        if self.target == "pot":
            return own.support in ("pot", "rim")
        if own.support != "surface" or not after.has(_TARGET_WINK):
            return False
        prey = after.piece(_TARGET_WINK)
        return overlap(own, prey) > 1e-5 and upper_piece(after.pieces, own, prey) is own


@dataclass(slots=True)
class ShotTally:
    """Tally of the shots: the resting places of the wink [m], None off the mat, and whether it hit."""

    end_points: list[tuple[Point | None, bool]] = field(default_factory=list)

    @property
    def shots(self) -> int:
        """Number of shots."""
        return len(self.end_points)

    @property
    def hits(self) -> int:
        """Number of hits."""
        return sum(is_hit for _, is_hit in self.end_points)

    def add(self, drill: Drill, after: Scene) -> None:
        """Count a shot by the state after it."""
        end = after.piece(drill.wink).position if after.has(drill.wink) else None
        self.end_points.append((end, drill.is_hit(after)))

    def text(self) -> str:
        """Share of hits with its confidence interval, as text."""
        if not self.shots:
            return "no shot yet"
        low, high = wilson_interval(self.hits / self.shots, self.shots)
        return f"{self.hits} of {self.shots}: {self.hits / self.shots:.0%} (95 %: {low:.0%} to {high:.0%})"


class ShotSeries:
    """Series of shots with execution noise in a thread of its own; the window reads the tally.

    Args:
        drill: the shot. match: made by the drill. intended: the squidge. noise: execution noise. shots: number of
            shots. tally: counts them. seed: of the execution noise. batch_size: returns the number of shots to
            simulate at once; a single one is simulated with its trajectory.
    """

    def __init__(
        self, drill: Drill, match: Match, intended: Squidge, noise: ExecutionNoise, shots: int, tally: ShotTally,
        seed: int, batch_size: Callable[[], bool] = lambda: True,
    ) -> None:  # fmt: skip
        self.last_result: Trajectory | None = None
        self.remaining = shots
        self.is_stopped = False
        """True: it ends after the current shot."""

        def work() -> None:
            rng = np.random.Generator(np.random.PCG64(seed))
            while self.remaining > 0 and not self.is_stopped:
                count = min(self.remaining, _BATCH_SIZE) if shots > 1 and batch_size() else 1
                executed = [noise.execute(intended, rng) for _ in range(count)]
                for after in self._simulate(match, executed):
                    tally.add(drill, after)
                self.remaining -= count

        self.job = BackgroundTask(work)

    def _simulate(self, match: Match, shots: Sequence[Squidge]) -> Iterator[Scene]:
        """States after the shots, without those that failed."""
        setup = match.rules.simulation_setup(match.state, shots[0])
        assert setup is not None
        if len(shots) == 1:
            with suppress(FlicksimError):
                self.last_result = match.simulator.simulate(*setup)
                yield self.last_result.after
            return
        result = simulate_batch(setup[0], shots, getattr(match.simulator, "settings", None), on_error="mark")
        yield from (result.after(shot) for shot in range(len(shots)) if not result.error[shot])
