"""The pieces that stand, and what each counts (ITW-7b to 7g)."""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.base.units import degrees
from flicksim.games.ice.options import Options
from flicksim.table import Pyramid, PyramidScene


class Count:
    """The count of a table.

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
        if self._doubled(piece, frozenset()):
            return 2 * piece.shape.pips
        return piece.shape.pips if self._flat(piece) else 0

    def seat(self, seat: int) -> int:
        """Points of a seat: only its own colour counts (ITW-7d)."""
        return sum(self.points(piece.id) for piece in self._played if piece.owner == seat)

    def standing(self, seat: int) -> int:
        """The number of a seat's pieces that count anything."""
        return sum(self.points(piece.id) > 0 for piece in self._played if piece.owner == seat)

    def _flat(self, piece: Pyramid) -> bool:
        """True where it is upright, within what the rules allow (ITW-7e)."""
        return piece.tilt <= self._upright

    def _doubled(self, piece: Pyramid, asked: frozenset[str]) -> bool:
        """True where its base is on a piece that is not upright, and it does not lean too far (ITW-7f).

        By the option `prop`, one that leans and itself counts doubles it too, or nothing.
        """
        if piece.tilt >= self._lean:
            return False
        return any(not self._stands(self._table[name], asked | {piece.id}) for name in piece.stands_on)

    def _stands(self, piece: Pyramid, asked: frozenset[str]) -> bool:
        """True where a prop doubles nothing."""
        return self._flat(piece) or (not self._any_prop and piece.id not in asked and self._doubled(piece, asked))
