"""Practice: one wink, one target, one way of squidging it, many times. Counts and where the winks came to rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import atan2, cos, sin
from typing import Literal

import numpy as np

from flicksim.base.errors import FlicksimError
from flicksim.base.geometry import Point
from flicksim.base.units import mm
from flicksim.games import load
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.options import Options
from flicksim.games.tiddlywinks.state import Book, State
from flicksim.physics import settle_many
from flicksim.play import Background, Match, open_match, parse_seat, wilson
from flicksim.players import STEADY, Hand
from flicksim.table import Motion, Scene, Squidge, overlap, upper

Target = Literal["pot", "wink"]
_AT_ONCE = 25
"""So many shots of a series are made at once."""
_PREY = "green-1"
_BEFORE_POT = mm(100.0)
"""Distance from the pot of a wink that is to be squopped [m]."""
FARTHEST = {"pot": 950, "wink": 800}
"""Longest distances to practise [mm]."""


@dataclass(frozen=True, slots=True)
class Drill:
    """A drill: the shot that is practised.

    Args:
        target: pot one's wink, or squop a large opposing wink. kind: size of one's own wink.
        distance: from the middle of the target to the middle of the wink [m].
    """

    target: Target = "pot"
    kind: Literal["large", "small"] = "small"
    distance: float = mm(300.0)

    @property
    def wink(self) -> str:
        """The wink that is squidged."""
        return "blue-1" if self.kind == "large" else "blue-3"

    @property
    def aim(self) -> Point:
        """Place of the target [m]."""
        return (0.0, 0.0) if self.target == "pot" else self._out(_BEFORE_POT)

    def _out(self, far: float) -> Point:
        """A place that far from the pot, on the way to Blue's corner [m]."""
        a, b = Options().mat_size_mm
        way = atan2(b, a)
        return (far * cos(way), far * sin(way))

    def match(self) -> Match:
        """A game in which just this can be played."""
        game = load("tiddlywinks")
        found = open_match(game, Options(), [parse_seat("human")] * 4, 0)
        far = self.distance + (_BEFORE_POT if self.target == "wink" else 0.0)
        there = {self.wink: kit.wink(Options(), self.wink, self._out(far))}
        if self.target == "wink":
            there[_PREY] = kit.wink(Options(), _PREY, self.aim)
        scene = Scene(surface=kit.mat(Options()), pieces=kit.in_order(tuple(there.values())))
        gone = tuple(wink for wink in kit.WINKS if wink not in there)
        book = Book(phase="shot", to_play=0, turn=0, opener=0, behind=(), potted=gone)
        found.set_up(State(options=Options(), scene=scene, book=book))
        return found

    def hit(self, after: Scene) -> bool:
        """True where a shot did what it was for, by how the mat lies after it."""
        if not after.has(self.wink):
            return False
        own = after.piece(self.wink)
        if self.target == "pot":
            return own.support in ("pot", "rim")
        if own.support != "surface" or not after.has(_PREY):
            return False
        prey = after.piece(_PREY)
        return overlap(own, prey) > 1e-5 and upper(after.pieces, own, prey) is own


@dataclass(slots=True)
class Tally:
    """The outcomes of the shots so far: hits, and where the wink came to rest; None off the mat [m]."""

    hits: int = 0
    ends: list[tuple[Point | None, bool]] = field(default_factory=list)

    @property
    def shots(self) -> int:
        """The number of shots."""
        return len(self.ends)

    def add(self, drill: Drill, after: Scene) -> bool:
        """Count a shot by how the mat lies after it; whether it hit."""
        hit = drill.hit(after)
        end = after.piece(drill.wink).at if after.has(drill.wink) else None
        self.ends.append((end, hit))
        self.hits += hit
        return hit

    def says(self) -> str:
        """The count with its interval, in words."""
        if not self.shots:
            return "no shot yet"
        low, high = wilson(self.hits / self.shots, self.shots)
        return f"{self.hits} of {self.shots}: {self.hits / self.shots:.0%} (95 %: {low:.0%} to {high:.0%})"


class Series:
    """Shots of a hand in a thread of their own; the window looks in on the tally.

    Args:
        drill: what for. match: made by it. meant: the squidge. hand: that makes it. shots: how many.
        tally: counted into. seed: of the hand's chance.
        at_once: tells whether many can be made at once by now; a single one is made to be seen.
    """

    def __init__(
        self, drill: Drill, match: Match, meant: Squidge, hand: Hand, shots: int, tally: Tally, seed: int,
        at_once: Callable[[], bool] = lambda: True,
    ) -> None:  # fmt: skip
        self.last: Motion | None = None
        self.left = shots
        self._stopped = False

        def work() -> None:
            rng = np.random.Generator(np.random.PCG64(seed))
            while self.left > 0 and not self._stopped:
                count = min(self.left, _AT_ONCE) if shots > 1 and at_once() else 1
                made = [hand.make(meant, rng) for _ in range(count)]
                for after in self._made(match, made):
                    tally.add(drill, after)
                self.left -= count

        self._job = Background(work)

    def _made(self, match: Match, made: Sequence[Squidge]) -> Iterator[Scene]:
        """The mat after each of these, but for those that cannot be."""
        staged = match.rules.stage(match.state, made[0])
        assert staged is not None
        if len(made) == 1:
            with suppress(FlicksimError):
                self.last = match.stage.settle(*staged)
                yield self.last.after
            return
        many = settle_many(staged[0], made, getattr(match.stage, "settings", None), failed="mark")
        yield from (many.after(shot) for shot in range(len(made)) if not many.failed[shot])

    @property
    def done(self) -> bool:
        """True once it has ended."""
        return self._job.done

    def check(self) -> None:
        """Raises what went wrong in it."""
        self._job.result()

    def stop(self) -> None:
        """End after the shot under way."""
        self._stopped = True


def hand_of(name: str) -> Hand:
    """A hand by its grade; any other name is of none, and makes just what is meant."""
    from flicksim.players import GRADES

    return GRADES.get(name, STEADY)
