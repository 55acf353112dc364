"""Squopping: which wink covers which, and what may therefore be played (TW-D2, TW-D3, TW-9a)."""

from __future__ import annotations

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.state import Book
from flicksim.referee import reading
from flicksim.table import Scene, overlap, upper


class Squops:
    """Every cover in a scene, found once.

    A wink covers another when both are in play, they overlap in plan by more than a hundredth of a millimetre, and it
    is the higher one there (TW-9a2, TW-9a3). Winks behind the lines and in the pot cover nothing.
    """

    def __init__(self, scene: Scene, book: Book) -> None:
        there = [piece for piece in scene.pieces if book.in_play(piece.id)]
        self._over: dict[str, list[str]] = {}
        self._under: dict[str, list[str]] = {}
        self._playing = tuple(piece.id for piece in there)
        self._book = book
        for i, a in enumerate(there):
            for b in there[:i]:
                reach = a.span + b.span
                if abs(a.x - b.x) < reach and abs(a.y - b.y) < reach and overlap(a, b) > reading.EPS:
                    high, low = (a, b) if upper(there, a, b) is a else (b, a)
                    self._over.setdefault(low.id, []).append(high.id)
                    self._under.setdefault(high.id, []).append(low.id)

    def over(self, wink: str) -> tuple[str, ...]:
        """The winks that cover it."""
        return tuple(self._over.get(wink, ()))

    def under(self, wink: str) -> tuple[str, ...]:
        """The winks it covers."""
        return tuple(self._under.get(wink, ()))

    def squopped(self, wink: str) -> bool:
        """True where something covers it."""
        return wink in self._over

    def squopping(self, wink: str) -> bool:
        """True where it covers something."""
        return wink in self._under

    def free(self, wink: str) -> bool:
        """True where it is in play and neither squops nor is squopped."""
        return wink in self._playing and not self.squopped(wink) and not self.squopping(wink)

    def playable(self, seat: int) -> tuple[str, ...]:
        """The winks a seat may play: not potted, not squopped; one behind the line may be brought in (TW-9a1)."""
        return tuple(wink for wink in kit.winks_of(seat) if wink not in self._book.potted and not self.squopped(wink))

    def out(self, pair: int) -> bool:
        """True where every remaining wink of a pair is squopped, and there is one (TW-9c1)."""
        left = [wink for seat in (pair, pair + 2) for wink in kit.winks_of(seat) if wink not in self._book.potted]
        return bool(left) and all(self.squopped(wink) for wink in left)

    def count_free(self, pair: int) -> int:
        """Winks of a pair in play that neither squop nor are squopped (TW-9c2)."""
        return sum(self.free(wink) for seat in (pair, pair + 2) for wink in kit.winks_of(seat))
