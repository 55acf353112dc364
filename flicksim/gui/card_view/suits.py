"""Suits, stars and crowns as polygons, drawn oversized and smoothed down later."""

import pygame

from flicksim.core.geometry import Point
from flicksim.gui.toolkit import Colour, palette
from flicksim.render.card_shapes import BLACK, PURPLE, RED, SUITS, TWO_COLOURS

FOUR_COLOURS: dict[str, Colour] = {"C": (14, 122, 62), "S": BLACK, "H": RED, "D": (28, 92, 204)}
GOLD: Colour = (202, 146, 20)


def suit_colour(suit: str, is_four_coloured: bool) -> Colour:
    """Colour of a suit; that of the joker if there is none."""
    return (FOUR_COLOURS if is_four_coloured else TWO_COLOURS).get(suit, PURPLE)


def draw_suit(
    surface: pygame.Surface, suit: str, center: Point, height: float, colour: Colour, *, is_upside_down: bool = False
) -> None:
    """Draw a suit, `height` pixels high; a star if there is no suit."""
    scale = -height if is_upside_down else height
    (x, y), shape = center, SUITS[suit]
    for (cx, cy), radius in shape.discs:
        pygame.draw.circle(surface, colour, (x + cx * scale, y + cy * scale), radius * height)
    for points in shape.polygons:
        pygame.draw.polygon(surface, colour, [(x + px * scale, y + py * scale) for px, py in points])


def draw_crown(surface: pygame.Surface, center: Point, width: float, colour: Colour, points: int) -> None:
    """Draw a crown with a number of points: one for a jack, two for a queen, three for a king."""
    x, y = center
    height = width * 0.5
    foot = y + height / 2
    line: list[Point] = [(x - width / 2, foot)]
    tops = 2 * points + 1
    for j in range(tops):
        px = x - width / 2 + width * j / (tops - 1)
        line.append((px, foot - height * (0.95 if j % 2 else 0.42)))
    line.append((x + width / 2, foot))
    pygame.draw.polygon(surface, colour, line)
    for j in range(1, tops, 2):
        pygame.draw.circle(surface, colour, (line[1 + j][0], line[1 + j][1]), width * 0.055)
    band = pygame.Rect(0, 0, round(width), max(1, round(height * 0.14)))
    band.midtop = (round(x), round(foot + height * 0.1))
    pygame.draw.rect(surface, palette.mix(colour, palette.OVERLAY_SHADE, 0.2), band)
