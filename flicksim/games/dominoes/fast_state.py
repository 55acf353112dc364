"""Fast state of a dominoes round on integers, for rollouts; the same rule functions as `rules`.

`rules` keeps every state and gives every reason; this keeps one round, changes it in place, and gives only its result.
A test plays both side by side.
"""

from __future__ import annotations

from random import Random

from flicksim.cards import SUIT_MASKS
from flicksim.games.dominoes.bitboard import IS_DOUBLE, NO_END, PIPS, legal_moves, playable_tiles

STOP = -1
"""The decision to play no second tile."""
_HIGH_HALF = tuple(high for high in range(13) for _ in range(high + 1))


class FastState:
    """One round under way.

    A move is `tile.index * 2`, one more at the left end, or `STOP`. Passes of those who cannot play are made unasked.

    Args:
        hands: tiles of each seat as bits. seat: who acts. left, right: open ends. second_tile_due: whether a second
            tile is due.
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
        """A round of which the leader has just laid his double (DO-A9, DO-B8)."""
        number = _HIGH_HALF[tile]
        hands = [hand & ~(1 << tile) for hand in hands]
        left = number if arms == 2 else NO_END
        found = cls(hands, seat, left, number, True, chain_doubles)
        found.advance_to_next_player()
        return found

    def copy(self) -> FastState:
        """Another such round, to be played on by itself."""
        return FastState(list(self.hands), self.seat, self.left, self.right, self.second_tile_due, self.chain_doubles)

    def moves(self) -> list[int]:
        """The moves of the seat to play; never empty while the round goes on."""
        found = legal_moves(self.hands[self.seat], self.left, self.right)
        if self.second_tile_due:
            found.append(STOP)
        return found

    def play(self, move: int) -> None:
        """Play a move, then pass for the seats that cannot play."""
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
        """Close the round when nobody can play, else come to the first who can."""
        if not all(self.hands):
            self.winner, self.over = self.hands.index(0), True
        elif not playable_tiles(self.tiles_in_hands, self.left, self.right):
            self.over = True
        elif not self.second_tile_due and not playable_tiles(self.hands[self.seat], self.left, self.right):
            self._next_seat()

    def _next_seat(self) -> None:
        hands, seat, seats = self.hands, self.seat, len(self.hands)
        fits = SUIT_MASKS[self.right] if self.left < 0 else SUIT_MASKS[self.right] | SUIT_MASKS[self.left]
        seat = seat + 1 if seat + 1 < seats else 0
        while not hands[seat] & fits:
            seat = seat + 1 if seat + 1 < seats else 0
        self.seat = seat


def random_playout(state: FastState, rng: Random) -> int:
    """Play a round out at random: how many tiles were laid."""
    count = 0
    random = rng.random
    while not state.over:
        moves = state.moves()
        move = moves[int(random() * len(moves))]
        count += move >= 0
        state.play(move)
    return count
