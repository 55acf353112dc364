"""Suits, stars and crowns as polygons, drawn oversized and smoothed down later."""

from math import cos, pi, sin

import pygame

from flicksim.core.geometry import Point
from flicksim.gui.toolkit import Colour, palette

BLACK: Colour = (26, 28, 36)
RED: Colour = (200, 30, 44)
TWO_COLOURS: dict[str, Colour] = {"C": BLACK, "S": BLACK, "H": RED, "D": RED}
FOUR_COLOURS: dict[str, Colour] = {"C": (14, 122, 62), "S": BLACK, "H": RED, "D": (28, 92, 204)}
GOLD: Colour = (202, 146, 20)
PURPLE: Colour = (122, 52, 168)

_HEART_POINTS = [
    (16.0 * sin(t) ** 3 / 33.0, -(13.0 * cos(t) - 5.0 * cos(2 * t) - 2.0 * cos(3 * t) - cos(4 * t) + 2.5) / 30.0)
    for t in (2.0 * pi * k / 48 for k in range(48))
]


def suit_colour(suit: str, is_four_coloured: bool) -> Colour:
    """Colour of a suit; that of the joker if there is none."""
    return (FOUR_COLOURS if is_four_coloured else TWO_COLOURS).get(suit, PURPLE)


def draw_suit(
    surface: pygame.Surface, suit: str, center: Point, height: float, colour: Colour, *, is_upside_down: bool = False
) -> None:
    """Draw a suit, `height` pixels high; a star if there is no suit."""
    k = -1.0 if is_upside_down else 1.0
    x, y = center

    def draw_polygon(points: list[Point]) -> None:
        pygame.draw.polygon(surface, colour, [(x + px * height * k, y + py * height * k) for px, py in points])

    match suit:
        case "H":
            draw_polygon(_HEART_POINTS)
        case "D":
            side = [(0.0, -0.52), (0.2, -0.2), (0.4, 0.0), (0.2, 0.2)]
            draw_polygon([*side, *((-px, -py) for px, py in side)])
        case "S":
            draw_polygon([(px * 0.96, -py * 0.86 - 0.08) for px, py in _HEART_POINTS])
            draw_polygon([(0.0, 0.1), (0.05, 0.3), (0.22, 0.5), (-0.22, 0.5), (-0.05, 0.3)])
        case "C":
            for cx, cy in ((0.0, -0.26), (-0.25, 0.1), (0.25, 0.1)):
                pygame.draw.circle(surface, colour, (x + cx * height * k, y + cy * height * k), height * 0.235)
            draw_polygon([(-0.1, -0.1), (0.1, -0.1), (0.12, 0.16), (-0.12, 0.16)])
            draw_polygon([(0.0, 0.0), (0.05, 0.28), (0.22, 0.5), (-0.22, 0.5), (-0.05, 0.28)])
        case _:
            draw_polygon(star_polygon())


def star_polygon(points: int = 5, inner_radius: float = 0.22) -> list[Point]:
    """Star of height one, as a polygon."""
    outline = []
    for j in range(2 * points):
        r, a = (0.54 if j % 2 == 0 else inner_radius), pi * j / points - pi / 2
        outline.append((r * cos(a), r * sin(a)))
    return outline


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
