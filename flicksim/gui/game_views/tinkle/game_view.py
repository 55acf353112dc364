"""Game view of Tinkle, with its miniature."""

import pygame

from flicksim.cards import Card, Discard, Draw
from flicksim.games.tinkle.state import Tinkle
from flicksim.gui.app import action_made
from flicksim.gui.card_view import card_images, seat_plates
from flicksim.gui.card_view.card_game_view import CardMiniature, card_game_view
from flicksim.gui.game_views import load_texts
from flicksim.gui.game_views.tinkle.tinkle_table import TinkleTable
from flicksim.gui.toolkit import Canvas, palette

_CARDS = ("7C", "7H", "7S", "QD", "QH", "QS")


def _draw_groups(canvas: Canvas, rect: pygame.Rect, progress: float) -> None:
    """Draw the cards of two groups laid so far, and the jar, into which a token falls then."""
    wide = max(8, min(round(rect.h * 0.36), rect.w // 8))
    x0 = rect.x + rect.w // 12
    for k, card in enumerate(_CARDS):
        if k >= progress:
            break
        picture = card_images.card_image(Card.parse(card), wide)
        late = max(0.0, 1.0 - (progress - k) * 2.0)
        x = x0 + k * round(wide * 0.62) + (k // 3) * round(wide * 0.8)
        canvas.surface.blit(picture, (x, rect.centery - picture.get_height() // 2 + round(late**2 * rect.h)))
    jar = pygame.Rect(rect.right - round(wide * 1.55), 0, round(wide * 1.05), round(wide * 1.25))
    jar.centery = rect.centery + wide // 8
    glass = palette.mix(palette.TABLECLOTH, palette.LIGHT_TEXT, 0.16)
    canvas.box(jar, glass, 8, palette.mix(palette.TABLECLOTH, palette.LIGHT_TEXT, 0.6))
    r = wide * 0.16
    for k in range(3):
        seat_plates.draw_token(canvas, (jar.centerx + (k - 1) * r * 1.5, jar.bottom - r * 1.6), r)
    fallen = progress - len(_CARDS)
    if fallen > 0.0:
        low = jar.bottom - r * 3.4
        seat_plates.draw_token(canvas, (jar.centerx, min(low, rect.y + (low - rect.y) * fallen * fallen)), r)


_CONDITIONS = {"draw": action_made(Draw, Tinkle), "discard": action_made(Discard)}
_MINIATURE = CardMiniature(_draw_groups, len(_CARDS) + 5)
GAME_VIEW = card_game_view(TinkleTable, _MINIATURE, *load_texts(__package__, _CONDITIONS))
