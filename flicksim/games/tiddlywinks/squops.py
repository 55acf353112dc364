"""Squop relations: which wink covers which, and which may be played (TW-D2, TW-D3, TW-9a)."""

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.state import Book
from flicksim.referee import queries
from flicksim.scene import Scene, overlap, upper_piece


class Squops:
    """Squop relations of a scene.

    A wink covers another when both are in play, they overlap in plan by more than a hundredth of a millimetre, and it
    is the higher one there (TW-9a2, TW-9a3). Winks behind the lines and in the pot cover nothing.
    """

    def __init__(self, scene: Scene, book: Book) -> None:
        in_play = [piece for piece in scene.pieces if book.in_play(piece.id)]
        self._covering: dict[str, list[str]] = {}
        self._covered: dict[str, list[str]] = {}
        self._playing = tuple(piece.id for piece in in_play)
        self._book = book
        for i, a in enumerate(in_play):
            for b in in_play[:i]:
                reach = a.bounding_radius + b.bounding_radius
                if abs(a.x - b.x) < reach and abs(a.y - b.y) < reach and overlap(a, b) > queries.LENGTH_TOLERANCE:
                    high, low = (a, b) if upper_piece(in_play, a, b) is a else (b, a)
                    self._covering.setdefault(low.id, []).append(high.id)
                    self._covered.setdefault(high.id, []).append(low.id)

    def covering(self, wink: str) -> tuple[str, ...]:
        """Winks that cover a wink."""
        return tuple(self._covering.get(wink, ()))

    def covered(self, wink: str) -> tuple[str, ...]:
        """Winks covered by a wink."""
        return tuple(self._covered.get(wink, ()))

    def is_squopped(self, wink: str) -> bool:
        """Return True if a wink is covered by another."""
        return wink in self._covering

    def is_squopping(self, wink: str) -> bool:
        """Return True if a wink covers another."""
        return wink in self._covered

    def is_free(self, wink: str) -> bool:
        """Return True if a wink is in play and neither squops nor is squopped."""
        return wink in self._playing and not self.is_squopped(wink) and not self.is_squopping(wink)

    def playable_winks(self, seat: int) -> tuple[str, ...]:
        """Winks that a seat may play: not potted, not squopped; one behind the line may be brought in (TW-9a1)."""
        return tuple(
            wink for wink in kit.winks_of(seat) if wink not in self._book.potted and not self.is_squopped(wink)
        )

    def is_squopped_out(self, pair: int) -> bool:
        """Return True if every remaining wink of a pair is squopped, and there is one (TW-9c1)."""
        remaining = [wink for seat in (pair, pair + 2) for wink in kit.winks_of(seat) if wink not in self._book.potted]
        return bool(remaining) and all(self.is_squopped(wink) for wink in remaining)

    def count_free(self, pair: int) -> int:
        """Winks of a pair in play that neither squop nor are squopped (TW-9c2)."""
        return sum(self.is_free(wink) for seat in (pair, pair + 2) for wink in kit.winks_of(seat))
