"""Scoring of Ice Tiddly Winks: standing pieces and their points (ITW-7b to 7g)."""

from flicksim.core.units import deg2rad
from flicksim.games.ice.state import State
from flicksim.scene import Pyramid


class TableCount:
    """Count of the table of a state, of the missiles played and not returned."""

    def __init__(self, state: State) -> None:
        self._table = {piece.id: piece for piece in state.scene.pieces}
        self._played = [self._table[name] for name in state.committed if name in self._table]
        self._upright, self._lean = deg2rad(state.options.upright_deg), deg2rad(state.options.lean_deg)
        self._any_prop = state.options.prop == "not_upright"

    def points(self, name: str) -> int:
        """Points of a piece: its pips if upright, twice its pips if it stands on a prop (ITW-7e, 7f)."""
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

    def _counts_double(self, piece: Pyramid, visited: frozenset[str]) -> bool:
        """Return True if the base is on a piece that is not upright and the lean is within limits (ITW-7f).

        By the option `prop`, a leaning piece that itself counts double is a prop too, or not.
        """
        if piece.tilt >= self._lean:
            return False
        return any(not self._is_not_prop(self._table[name], visited | {piece.id}) for name in piece.stands_on)

    def _is_not_prop(self, piece: Pyramid, visited: frozenset[str]) -> bool:
        """Return True if a piece is no prop: pieces on it do not count double."""
        return self._is_upright(piece) or (
            not self._any_prop and piece.id not in visited and self._counts_double(piece, visited)
        )
