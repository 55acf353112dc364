"""Counts of the pieces on the table and in hand, for display during a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flicksim.core.geometry import Point
from flicksim.games.ice.scoring import TableCount
from flicksim.games.ice.state import State
from flicksim.games.ice.table_layout import size_of
from flicksim.scene import SIZES, Pyramid, Size

CountedPieces = Sequence[tuple[Pyramid, int]]
"""Pieces that were played, with their points as they stand."""


@dataclass(frozen=True, slots=True)
class PieceCount:
    """Count of a seat's standing pieces.

    Args:
        upright, doubled: points of standing pieces, and of those standing on a lying one. counts: number of each
            size that counts once, and that counts twice.
    """

    upright: int
    doubled: int
    counts: tuple[tuple[int, int], ...]

    @property
    def single_count(self) -> int:
        """Number of standing pieces that count once."""
        return sum(one for one, _ in self.counts)

    @property
    def double_count(self) -> int:
        """Number of pieces standing on a lying one, which count twice."""
        return sum(two for _, two in self.counts)

    @property
    def points(self) -> int:
        """Total points."""
        return self.upright + self.doubled


def counted_pieces(state: State) -> list[tuple[Pyramid, int]]:
    """Every piece that counts, with its points as it stands."""
    count = TableCount(state.scene, state.options, state.committed)
    return [(state.scene.piece(name), count.points(name)) for name in state.committed if state.scene.has(name)]


def count_of(counted: CountedPieces, seat: int) -> PieceCount:
    """Count of a seat's pieces as they stand."""
    own = [(piece, points) for piece, points in counted if piece.owner == seat and points]
    once, twice = dict.fromkeys(SIZES, 0), dict.fromkeys(SIZES, 0)
    for piece, points in own:
        (twice if points > piece.shape.pips else once)[piece.size] += 1
    doubled = sum(points for piece, points in own if points > piece.shape.pips)
    return PieceCount(
        sum(points for _, points in own) - doubled, doubled, tuple((once[size], twice[size]) for size in SIZES)
    )


def stash_counts(state: State, seat: int) -> dict[Size, int]:
    """Number of missiles of each size in a seat's hand."""
    return {size: sum(size_of(name) == size for name in state.hands[seat]) for size in SIZES}


def score_changes(before: CountedPieces, after: CountedPieces) -> list[tuple[int, int, Point]]:
    """Changes in the points of pieces: owner, difference, position [m]."""
    was = {piece.id: points for piece, points in before}
    remaining = {piece.id for piece, _ in after}
    changes = [(piece, points - was.get(piece.id, 0)) for piece, points in after]
    changes += [(piece, -points) for piece, points in before if piece.id not in remaining]
    return [
        (piece.owner, more, piece.centre_of_mass[:2]) for piece, more in changes if more and piece.owner is not None
    ]
