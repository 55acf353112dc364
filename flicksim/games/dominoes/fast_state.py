"""Fast state of a dominoes round on integers, for rollouts; the same rule functions as `rules`.

It holds one round and is updated in place, without reasons or states in between. A test checks it against `rules`.
"""

from __future__ import annotations

from random import Random

from flicksim.cards import SUIT_MASKS
from flicksim.games.dominoes.bitboard import IS_DOUBLE, NO_END, PIPS, legal_moves, playable_tiles

STOP = -1
"""Encoded decision to play no second tile."""
_HIGH_HALF = tuple(high for high in range(13) for _ in range(high + 1))


class FastState:
    """Round in progress.

    A move is `tile.index * 2`, one more at the left end, or `STOP`. Seats that cannot play are passed automatically.

    Args:
        hands: tiles of each seat as a bit mask. seat: seat to play. left, right: open ends.
        second_tile_due: whether the seat may play a second tile.
        chain_doubles: whether a second double allows a third tile (DO-X2).
    """

    __slots__ = (
        "chain_doubles",
        "hands",
        "left",
        "over",
        "right",
        "seat",
        "second_tile_due",
        "tiles_in_hands",
        "winner",
    )

    def __init__(
        self, hands: list[int], seat: int, left: int, right: int, second_tile_due: bool, chain_doubles: bool
    ) -> None:
        self.hands, self.seat, self.left, self.right = hands, seat, left, right
        self.second_tile_due, self.chain_doubles = second_tile_due, chain_doubles
        self.tiles_in_hands = 0
        for hand in hands:
            self.tiles_in_hands |= hand
        self.winner: int | None = None
        self.over = False

    @classmethod
    def after_lead(cls, hands: list[int], seat: int, tile: int, arms: int, chain_doubles: bool) -> FastState:
        """Round after the lead of a double (DO-A9, DO-B8)."""
        pips = _HIGH_HALF[tile]
        hands = [hand & ~(1 << tile) for hand in hands]
        left = pips if arms == 2 else NO_END
        state = cls(hands, seat, left, pips, True, chain_doubles)
        state.advance_to_next_player()
        return state

    def copy(self) -> FastState:
        """Independent copy."""
        return FastState(list(self.hands), self.seat, self.left, self.right, self.second_tile_due, self.chain_doubles)

    def moves(self) -> list[int]:
        """Legal moves of the seat to play; never empty before the end of the round."""
        moves = legal_moves(self.hands[self.seat], self.left, self.right)
        if self.second_tile_due:
            moves.append(STOP)
        return moves

    def play(self, move: int) -> None:
        """Play a move, then pass for seats that cannot play."""
        seat = self.seat
        if move < 0:
            self.second_tile_due = False
            self._next_seat()
            return
        tile = move >> 1
        self.tiles_in_hands ^= 1 << tile
        hand = self.hands[seat] = self.hands[seat] ^ (1 << tile)
        if move & 1:
            self.left = PIPS[tile] - self.left
        else:
            self.right = PIPS[tile] - self.right
        if not hand:
            self.winner, self.over = seat, True
        elif not playable_tiles(self.tiles_in_hands, self.left, self.right):
            self.over = True
        elif IS_DOUBLE[tile] and (self.chain_doubles or not self.second_tile_due):
            self.second_tile_due = True
        else:
            self.second_tile_due = False
            self._next_seat()

    def advance_to_next_player(self) -> None:
        """End the round if nobody can play, else move on to the first seat that can."""
        if not all(self.hands):
            self.winner, self.over = self.hands.index(0), True
        elif not playable_tiles(self.tiles_in_hands, self.left, self.right):
            self.over = True
        elif not self.second_tile_due and not playable_tiles(self.hands[self.seat], self.left, self.right):
            self._next_seat()

    def _next_seat(self) -> None:
        hands, seat, seats = self.hands, self.seat, len(self.hands)
        playable = SUIT_MASKS[self.right] if self.left < 0 else SUIT_MASKS[self.right] | SUIT_MASKS[self.left]
        seat = seat + 1 if seat + 1 < seats else 0
        while not hands[seat] & playable:
            seat = seat + 1 if seat + 1 < seats else 0
        self.seat = seat


def random_playout(state: FastState, rng: Random) -> int:
    """Play a round to its end by uniformly random moves; return the number of tiles placed."""
    count = 0
    random = rng.random
    while not state.over:
        moves = state.moves()
        move = moves[int(random() * len(moves))]
        count += move >= 0
        state.play(move)
    return count
