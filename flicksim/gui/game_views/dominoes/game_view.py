"""Game view of Tiddly-Wink dominoes, with its miniature."""

import pygame

from flicksim.cards import PlaceTile
from flicksim.gui.app import action_made
from flicksim.gui.card_view import card_images
from flicksim.gui.card_view.card_game_view import CardMiniature, card_game_view
from flicksim.gui.game_views import load_texts
from flicksim.gui.game_views.dominoes.domino_table import DominoTable
from flicksim.gui.toolkit import Canvas

_TILES = ((6, 6), (6, 2), (2, 2), (2, 5), (5, 1), (1, 1), (1, 4))


def _draw_line(canvas: Canvas, rect: pygame.Rect, progress: float) -> None:
    """Draw the tiles added to a line so far, the last one moving."""
    side = max(6, min(rect.h // 4, rect.w // 13))
    # a double lies across the line and takes half its length
    wide = [side if a == b else 2 * side for a, b in _TILES]
    x = rect.centerx - (sum(wide) + 2 * len(wide)) // 2
    for k, (first, second) in enumerate(_TILES):
        if k < progress:
            picture = card_images.tile_image(first, second, side - 1, first == second)
            late = max(0.0, 1.0 - (progress - k) * 2.0)
            at = picture.get_rect(center=(x + wide[k] // 2, rect.centery + round(late * late * rect.h)))
            canvas.surface.blit(picture, at)
        x += wide[k] + 2


GAME_VIEW = card_game_view(
    DominoTable, CardMiniature(_draw_line, len(_TILES) + 4), *load_texts(__package__, {"tile": action_made(PlaceTile)})
)
