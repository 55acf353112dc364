"""Card games in small, for the first screen: a line of tiles grows; a hand is laid down and a token falls."""

from __future__ import annotations

import pygame

from flicksim.cards import Card
from flicksim.ui.cards import card_faces, plates, tile_faces
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas

_STEP = 0.55
"""How long until the next tile or card comes [s]."""
_LINE = ((6, 6), (6, 2), (2, 2), (2, 5), (5, 1), (1, 1), (1, 4))
_HAND = ("7C", "7H", "7S", "QD", "QH", "QS")


class CardMiniature:
    """A cloth on which something happens over and over."""

    def draw(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """Show it as it is at a time [s]."""
        canvas.box(rect, palette.CLOTH, 6)
        with canvas.clipped(rect):
            self.play(canvas, rect, t)

    def play(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """What happens on the cloth."""


class Line(CardMiniature):
    """Tiles come to a line one by one."""

    def play(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """As many tiles as have come, the last on its way."""
        side = max(6, min(rect.h // 4, rect.w // 13))
        shown = t % (_STEP * (len(_LINE) + 4)) / _STEP
        # a double stands across the line and takes half as much of it
        wide = [side if a == b else 2 * side for a, b in _LINE]
        x = rect.centerx - (sum(wide) + 2 * len(wide)) // 2
        for k, (first, second) in enumerate(_LINE):
            if k < shown:
                picture = tile_faces.tile(first, second, side - 1, first == second)
                late = max(0.0, 1.0 - (shown - k) * 2.0)
                at = picture.get_rect(center=(x + wide[k] // 2, rect.centery + round(late * late * rect.h)))
                canvas.surface.blit(picture, at)
            x += wide[k] + 2


class Groups(CardMiniature):
    """Two groups are laid down, then a token falls into the jar."""

    def play(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """Cards so far; the jar with its tokens."""
        shown = t % (_STEP * (len(_HAND) + 5)) / _STEP
        wide = max(8, min(round(rect.h * 0.36), rect.w // 8))
        x0 = rect.x + rect.w // 12
        for k, word in enumerate(_HAND):
            if k >= shown:
                break
            picture = card_faces.face(Card.read(word), wide)
            late = max(0.0, 1.0 - (shown - k) * 2.0)
            x = x0 + k * round(wide * 0.62) + (k // 3) * round(wide * 0.8)
            canvas.surface.blit(picture, (x, rect.centery - picture.get_height() // 2 + round(late**2 * rect.h)))
        jar = pygame.Rect(rect.right - round(wide * 1.55), 0, round(wide * 1.05), round(wide * 1.25))
        jar.centery = rect.centery + wide // 8
        glass = palette.mix(palette.CLOTH, palette.PALE, 0.16)
        canvas.box(jar, glass, 8, palette.mix(palette.CLOTH, palette.PALE, 0.6))
        r = wide * 0.16
        for k in range(3):
            plates.token(canvas, (jar.centerx + (k - 1) * r * 1.5, jar.bottom - r * 1.6), r)
        fallen = shown - len(_HAND)
        if fallen > 0.0:
            low = jar.bottom - r * 3.4
            plates.token(canvas, (jar.centerx, min(low, rect.y + (low - rect.y) * fallen * fallen)), r)


_KINDS: dict[str, type[CardMiniature]] = {"dominoes": Line, "tinkle": Groups}


def miniature_of(game: str) -> CardMiniature | None:
    """The miniature of a card game; None for any other."""
    return _KINDS[game]() if game in _KINDS else None
