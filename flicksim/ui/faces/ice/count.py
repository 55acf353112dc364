"""The pieces on the table and in hand, counted for showing while a game goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flicksim.games.ice.scoring import Count
from flicksim.games.ice.seats import size_of
from flicksim.games.ice.state import State
from flicksim.table import SIZES, Pyramid, Size

Counted = Sequence[tuple[Pyramid, int]]
"""Pieces that were played, and what each counts as it stands."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The count of what a seat has standing.

    Args:
        upright, doubled: points of pieces standing, and of those standing on one that lies; by size in between.
        counts: how many of each size count once, and how many twice.
    """

    upright: int
    doubled: int
    counts: tuple[tuple[int, int], ...]

    @property
    def once(self) -> int:
        """Pieces that stand and count once."""
        return sum(one for one, _ in self.counts)

    @property
    def twice(self) -> int:
        """Pieces that stand on one that lies, and count twice."""
        return sum(two for _, two in self.counts)

    @property
    def points(self) -> int:
        """All of it."""
        return self.upright + self.doubled


def counted(state: State) -> list[tuple[Pyramid, int]]:
    """Every piece that counts at all, and what it counts as it stands."""
    count = Count(state.scene, state.options, state.committed)
    return [(state.scene.piece(name), count.points(name)) for name in state.committed if state.scene.has(name)]


def tally(found: Counted, seat: int) -> Tally:
    """The count of a seat's pieces as they stand."""
    own = [(piece, points) for piece, points in found if piece.owner == seat and points]
    once, twice = dict.fromkeys(SIZES, 0), dict.fromkeys(SIZES, 0)
    for piece, points in own:
        (twice if points > piece.shape.pips else once)[piece.size] += 1
    doubled = sum(points for piece, points in own if points > piece.shape.pips)
    return Tally(
        sum(points for _, points in own) - doubled, doubled, tuple((once[size], twice[size]) for size in SIZES)
    )


def stash(state: State, seat: int) -> dict[Size, int]:
    """The number of missiles of each size in a seat's hand."""
    return {size: sum(size_of(name) == size for name in state.hands[seat]) for size in SIZES}
