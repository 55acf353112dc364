"""Suits, stars and crowns as polygons on a large sheet that is smoothed down later."""

from __future__ import annotations

from math import cos, pi, sin

import pygame

from flicksim.base.geometry import Point
from flicksim.ui.kit import palette
from flicksim.ui.kit.palette import Colour

BLACK: Colour = (26, 28, 36)
RED: Colour = (200, 30, 44)
TWO: dict[str, Colour] = {"C": BLACK, "S": BLACK, "H": RED, "D": RED}
FOUR: dict[str, Colour] = {"C": (14, 122, 62), "S": BLACK, "H": RED, "D": (28, 92, 204)}
GOLD: Colour = (202, 146, 20)
PURPLE: Colour = (122, 52, 168)

_HEART = [
    (16.0 * sin(t) ** 3 / 33.0, -(13.0 * cos(t) - 5.0 * cos(2 * t) - 2.0 * cos(3 * t) - cos(4 * t) + 2.5) / 30.0)
    for t in (2.0 * pi * k / 48 for k in range(48))
]


def colour(suit: str, four: bool) -> Colour:
    """Of a suit; the joker's when there is none."""
    return (FOUR if four else TWO).get(suit, PURPLE)


def draw(sheet: pygame.Surface, suit: str, at: Point, high: float, ink: Colour, *, turned: bool = False) -> None:
    """A suit, `high` pixels; turned: upside down. No suit: a star."""
    k = -1.0 if turned else 1.0
    x, y = at

    def put(points: list[Point]) -> None:
        pygame.draw.polygon(sheet, ink, [(x + px * high * k, y + py * high * k) for px, py in points])

    match suit:
        case "H":
            put(_HEART)
        case "D":
            side = [(0.0, -0.52), (0.2, -0.2), (0.4, 0.0), (0.2, 0.2)]
            put([*side, *((-px, -py) for px, py in side)])
        case "S":
            put([(px * 0.96, -py * 0.86 - 0.08) for px, py in _HEART])
            put([(0.0, 0.1), (0.05, 0.3), (0.22, 0.5), (-0.22, 0.5), (-0.05, 0.3)])
        case "C":
            for cx, cy in ((0.0, -0.26), (-0.25, 0.1), (0.25, 0.1)):
                pygame.draw.circle(sheet, ink, (x + cx * high * k, y + cy * high * k), high * 0.235)
            put([(-0.1, -0.1), (0.1, -0.1), (0.12, 0.16), (-0.12, 0.16)])
            put([(0.0, 0.0), (0.05, 0.28), (0.22, 0.5), (-0.22, 0.5), (-0.05, 0.28)])
        case _:
            put(star())


def star(points: int = 5, inner: float = 0.22) -> list[Point]:
    """A star one high."""
    found = []
    for j in range(2 * points):
        r, a = (0.54 if j % 2 == 0 else inner), pi * j / points - pi / 2
        found.append((r * cos(a), r * sin(a)))
    return found


def crown(sheet: pygame.Surface, at: Point, wide: float, ink: Colour, points: int) -> None:
    """A crown with so many points: one a jack's cap, two a queen's, three a king's."""
    x, y = at
    high = wide * 0.5
    foot = y + high / 2
    line: list[Point] = [(x - wide / 2, foot)]
    tops = 2 * points + 1
    for j in range(tops):
        px = x - wide / 2 + wide * j / (tops - 1)
        line.append((px, foot - high * (0.95 if j % 2 else 0.42)))
    line.append((x + wide / 2, foot))
    pygame.draw.polygon(sheet, ink, line)
    for j in range(1, tops, 2):
        pygame.draw.circle(sheet, ink, (line[1 + j][0], line[1 + j][1]), wide * 0.055)
    band = pygame.Rect(0, 0, round(wide), max(1, round(high * 0.14)))
    band.midtop = (round(x), round(foot + high * 0.1))
    pygame.draw.rect(sheet, palette.mix(ink, palette.SHADE, 0.2), band)
