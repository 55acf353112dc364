"""Scoring of Ice Tiddly Winks: standing pieces and their points (ITW-7b to 7g)."""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.core.units import degrees
from flicksim.games.ice.options import Options
from flicksim.scene import Pyramid, PyramidScene


class TableCount:
    """Count of a table.

    Args:
        scene: at rest. options: of the game. pieces: ids that count at all: missiles played and not handed back.
    """

    def __init__(self, scene: PyramidScene, options: Options, pieces: Sequence[str]) -> None:
        self._table = {piece.id: piece for piece in scene.pieces}
        self._played = [self._table[name] for name in pieces if name in self._table]
        self._upright, self._lean = degrees(options.upright_deg), degrees(options.lean_deg)
        self._any_prop = options.prop == "not_upright"

    def points(self, name: str) -> int:
        """Points of a piece: its pips while it stands, twice its pips on something that does not (ITW-7e, 7f)."""
        piece = self._table[name]
        if self._counts_double(piece, frozenset()):
            return 2 * piece.shape.pips
        return piece.shape.pips if self._is_upright(piece) else 0

    def seat_points(self, seat: int) -> int:
        """Points of a seat: only its own colour counts (ITW-7d)."""
        return sum(self.points(piece.id) for piece in self._played if piece.owner == seat)

    def standing_count(self, seat: int) -> int:
        """Number of a seat's pieces that score."""
        return sum(self.points(piece.id) > 0 for piece in self._played if piece.owner == seat)

    def _is_upright(self, piece: Pyramid) -> bool:
        """Return True if the piece is upright within the tolerance of the rules (ITW-7e)."""
        return piece.tilt <= self._upright

    def _counts_double(self, piece: Pyramid, asked: frozenset[str]) -> bool:
        """Return True if the base is on a piece that is not upright and the lean is within limits (ITW-7f).

        By the option `prop`, one that leans and itself counts doubles it too, or nothing.
        """
        if piece.tilt >= self._lean:
            return False
        return any(not self._is_not_prop(self._table[name], asked | {piece.id}) for name in piece.stands_on)

    def _is_not_prop(self, piece: Pyramid, asked: frozenset[str]) -> bool:
        """Return True if a piece does not double what stands on it."""
        return self._is_upright(piece) or (
            not self._any_prop and piece.id not in asked and self._counts_double(piece, asked)
        )
