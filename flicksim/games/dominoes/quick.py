"""A round on whole numbers, for playouts and for speed: the same rule functions as `rules`, none of the paper.

`rules` keeps every state and gives every reason; this keeps one round, changes it in place, and gives only its result.
A test plays both side by side.
"""

from __future__ import annotations

from random import Random

from flicksim.cards import SUIT
from flicksim.games.dominoes.line import NONE, PIPS, SECOND_AFTER, fitting, placings

STOP = -1
"""The decision to play no second tile."""
_HIGH = tuple(high for high in range(13) for _ in range(high + 1))


class Quick:
    """One round under way.

    A move is `tile.index * 2`, one more at the left end, or `STOP`. Passes of those who cannot play are made unasked.

    Args:
        hands: tiles of each seat as bits. seat: who acts. left, right: open ends. second: whether a second tile is due.
        chain: whether a second double allows a third tile (DO-X2).
    """

    __slots__ = ("chain", "hands", "held", "left", "out", "over", "right", "seat", "second")

    def __init__(self, hands: list[int], seat: int, left: int, right: int, second: bool, chain: bool) -> None:
        self.hands, self.seat, self.left, self.right = hands, seat, left, right
        self.second, self.chain = second, chain
        self.held = 0
        for hand in hands:
            self.held |= hand
        self.out: int | None = None
        self.over = False

    @classmethod
    def led(cls, hands: list[int], seat: int, tile: int, arms: int, chain: bool) -> Quick:
        """A round of which the leader has just laid his double (DO-A9, DO-B8)."""
        number = _HIGH[tile]
        hands = [hand & ~(1 << tile) for hand in hands]
        left = number if arms == 2 else NONE
        found = cls(hands, seat, left, number, True, chain)
        found.settle()
        return found

    def copy(self) -> Quick:
        """Another such round, to be played on by itself."""
        return Quick(list(self.hands), self.seat, self.left, self.right, self.second, self.chain)

    def moves(self) -> list[int]:
        """The moves of the seat to play; never empty while the round goes on."""
        found = placings(self.hands[self.seat], self.left, self.right)
        if self.second:
            found.append(STOP)
        return found

    def play(self, move: int) -> None:
        """Do it, and pass for those who then cannot play."""
        seat = self.seat
        if move < 0:
            self.second = False
            self._next()
            return
        tile = move >> 1
        self.held ^= 1 << tile
        hand = self.hands[seat] = self.hands[seat] ^ (1 << tile)
        if move & 1:
            self.left = PIPS[tile] - self.left
        else:
            self.right = PIPS[tile] - self.right
        if not hand:
            self.out, self.over = seat, True
        elif not fitting(self.held, self.left, self.right):
            self.over = True
        elif SECOND_AFTER[tile] and (self.chain or not self.second):
            self.second = True
        else:
            self.second = False
            self._next()

    def settle(self) -> None:
        """Close the round when nobody can play, else come to the first who can."""
        if not all(self.hands):
            self.out, self.over = self.hands.index(0), True
        elif not fitting(self.held, self.left, self.right):
            self.over = True
        elif not self.second and not fitting(self.hands[self.seat], self.left, self.right):
            self._next()

    def _next(self) -> None:
        hands, seat, seats = self.hands, self.seat, len(self.hands)
        fits = SUIT[self.right] if self.left < 0 else SUIT[self.right] | SUIT[self.left]
        seat = seat + 1 if seat + 1 < seats else 0
        while not hands[seat] & fits:
            seat = seat + 1 if seat + 1 < seats else 0
        self.seat = seat


def run_random(quick: Quick, rng: Random) -> int:
    """Play a round out at random: how many tiles were laid."""
    laid = 0
    random = rng.random
    while not quick.over:
        moves = quick.moves()
        move = moves[int(random() * len(moves))]
        laid += move >= 0
        quick.play(move)
    return laid
