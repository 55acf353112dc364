"""Exact solver of rounds of two players: minimax with memoization.

In the British game of two every tile is dealt, so each player knows the other's hand from the start.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from flicksim.cards import TILES, Pass, PlaceTile
from flicksim.games.dominoes import bitboard
from flicksim.games.dominoes.bitboard import IS_DOUBLE, LEFT, RIGHT, STOP, pip_count, playable_tiles
from flicksim.games.dominoes.state import State, hand_bits


class Position(NamedTuple):
    """Position of a round of two.

    Args:
        mine, theirs: hands of the player to play and of the other, as bit masks. left, right: open ends.
        is_second: whether a second tile is due.
    """

    mine: int
    theirs: int
    left: int
    right: int
    is_second: bool

    @classmethod
    def from_state(cls, state: State) -> "Position":
        """Position of a state in which a tile is due."""
        seat = state.to_play
        assert seat is not None
        mine, theirs = hand_bits(state, seat), hand_bits(state, 1 - seat)
        return cls(mine, theirs, state.left, state.right, state.phase == "second")

    def moves(self) -> list[int]:
        """Encoded legal moves (see `bitboard`); empty where the player has to pass."""
        return [*bitboard.legal_moves(self.mine, self.left, self.right), *([STOP] if self.is_second else [])]

    def is_blocked(self) -> bool:
        """Return True if nobody can play."""
        return not playable_tiles(self.mine | self.theirs, self.left, self.right)

    def passed(self) -> "Position":
        """Position after a pass."""
        return Position(self.theirs, self.mine, self.left, self.right, False)

    def placed(self, move: int) -> "Position":
        """Position after a placement, still seen by the player who made it."""
        tile, left, right = TILES[move >> 1], self.left, self.right
        if move & 1 == LEFT:
            left = tile.pips - left
        else:
            right = tile.pips - right
        is_second = IS_DOUBLE[tile.index] and not self.is_second
        return Position(self.mine ^ tile.bit, self.theirs, left, right, is_second)


def move_values(state: State, *, blocks_count: bool = True) -> Mapping[PlaceTile | Pass, float]:
    """Share of the round that the seat to play gets by each of its moves if both then play perfectly: 1 for a win, 0.5
    for a win shared, 0 for a loss; empty where it has to pass.

    Args:
        blocks_count: whether a blocked round is won by the fewest pips; otherwise the seat gets nothing of it.
    """
    position = Position.from_state(state)
    return {
        bitboard.to_action(move, state.left): _value_after(position, move, blocks_count, True)
        for move in position.moves()
    }


def position_after(state: State, action: PlaceTile | Pass) -> Position:
    """Position after a move, still seen by the player who made it."""
    position = Position.from_state(state)
    if isinstance(action, Pass):
        return position._replace(is_second=False)
    end = action.end or ("right" if state.right in (action.tile.high, action.tile.low) else "left")
    return position.placed(action.tile.index * 2 + (LEFT if end == "left" else RIGHT))


def is_mirror_image(state: State, first: PlaceTile | Pass, other: PlaceTile | Pass) -> bool:
    """Return True if two moves are the same, or differ by the ends of the line alone."""
    one, two = position_after(state, first), position_after(state, other)
    return one.mine == two.mine and sorted((one.left, one.right)) == sorted((two.left, two.right))


def best_move(state: State) -> PlaceTile | Pass:
    """Return the first move with the largest share; a pass where nothing fits."""
    values = move_values(state)
    return max(values, key=lambda move: values[move]) if values else Pass()


@lru_cache(maxsize=1 << 18)
def _solve(position: Position, blocks_count: bool, is_own: bool) -> float:
    """Share of the seat in question in a round that is not over.

    Args:
        is_own: whether it is to play.
    """
    moves = position.moves()
    if not moves:
        return _solve(position.passed(), blocks_count, not is_own)
    target = 1.0 if is_own else 0.0
    share = 1.0 - target
    for move in moves:
        found = _value_after(position, move, blocks_count, is_own)
        share = max(share, found) if is_own else min(share, found)
        if share == target:
            break
    return share


def _value_after(position: Position, move: int, blocks_count: bool, is_own: bool) -> float:
    """Share of the seat in question after a move; `is_own`: its own."""
    if move == STOP:
        return _solve(position.passed(), blocks_count, not is_own)
    after = position.placed(move)
    if not after.mine:
        return float(is_own)
    if after.is_blocked():
        lead = pip_count(after.theirs) - pip_count(after.mine)
        return (0.5 if lead == 0 else float((lead > 0) == is_own)) if blocks_count else 0.0
    if after.is_second:
        return _solve(after, blocks_count, is_own)
    return _solve(after.passed(), blocks_count, not is_own)
