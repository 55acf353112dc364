"""Shapes on the faces of cards and tiles: suits of height one about the origin, y down, and the places of pips."""

from math import cos, pi, sin
from typing import NamedTuple

from flicksim.core.geometry import Point
from flicksim.render.display_list import Colour

BLACK: Colour = (26, 28, 36)
RED: Colour = (200, 30, 44)
PURPLE: Colour = (122, 52, 168)
TWO_COLOURS: dict[str, Colour] = {"C": BLACK, "S": BLACK, "H": RED, "D": RED}
"""Colour of each suit."""
TILE_COLOUR: Colour = (247, 241, 225)
PIP_COLOURS: tuple[Colour, ...] = (
    (90, 90, 90), (24, 116, 190), (24, 132, 60), (196, 40, 52), (112, 62, 160), (28, 60, 140), (176, 92, 0),
    (200, 40, 130), (0, 128, 128), (110, 80, 30), (230, 96, 20), (60, 60, 70), (20, 20, 24),
)  # fmt: skip
"""Colour of each number of pips."""
_PIP_LAYOUT = {
    0: "", 1: "e", 2: "ci", 3: "cei", 4: "acgi", 5: "acegi", 6: "acdfgi", 7: "acdefgi", 8: "abcdfghi", 9: "abcdefghi",
}  # fmt: skip
"""Pips on a 3 x 3 grid, a b c over d e f over g h i."""


class Suit(NamedTuple):
    """Shape of a suit: polygons, and discs as centre and radius."""

    polygons: tuple[tuple[Point, ...], ...]
    discs: tuple[tuple[Point, float], ...] = ()


def pip_positions(pips: int) -> list[Point]:
    """Positions of the pips of a half of a tile, across and down its square of side one."""
    if pips <= 9:
        places = [ord(letter) - ord("a") for letter in _PIP_LAYOUT[pips]]
        return [(0.24 + 0.26 * (k % 3), 0.24 + 0.26 * (k // 3)) for k in places]
    rows = {10: (3, 2, 2, 3), 11: (3, 3, 2, 3), 12: (3, 3, 3, 3)}[pips]
    centres = []
    for y, in_row in enumerate(rows):
        across = (0.24, 0.5, 0.76) if in_row == 3 else (0.24, 0.76)
        centres += [(x, 0.17 + 0.22 * y) for x in across]
    return centres


def star_polygon(points: int = 5, inner_radius: float = 0.22) -> tuple[Point, ...]:
    """Star of height one, as a polygon."""
    radii = [0.54 if j % 2 == 0 else inner_radius for j in range(2 * points)]
    return tuple((r * cos(pi * j / points - pi / 2), r * sin(pi * j / points - pi / 2)) for j, r in enumerate(radii))


_HEART = tuple(
    (16.0 * sin(t) ** 3 / 33.0, -(13.0 * cos(t) - 5.0 * cos(2 * t) - 2.0 * cos(3 * t) - cos(4 * t) + 2.5) / 30.0)
    for t in (2.0 * pi * k / 48 for k in range(48))
)
_DIAMOND_SIDE = ((0.0, -0.52), (0.2, -0.2), (0.4, 0.0), (0.2, 0.2))
SUITS: dict[str, Suit] = {
    "H": Suit((_HEART,)),
    "D": Suit(((*_DIAMOND_SIDE, *((-x, -y) for x, y in _DIAMOND_SIDE)),)),
    "S": Suit((
        tuple((x * 0.96, -y * 0.86 - 0.08) for x, y in _HEART),
        ((0.0, 0.1), (0.05, 0.3), (0.22, 0.5), (-0.22, 0.5), (-0.05, 0.3)),
    )),
    "C": Suit(
        (((-0.1, -0.1), (0.1, -0.1), (0.12, 0.16), (-0.12, 0.16)),
         ((0.0, 0.0), (0.05, 0.28), (0.22, 0.5), (-0.22, 0.5), (-0.05, 0.28))),
        (((0.0, -0.26), 0.235), ((-0.25, 0.1), 0.235), ((0.25, 0.1), 0.235)),
    ),
    "": Suit((star_polygon(),)),
}  # fmt: skip
"""Shape of each suit; the joker's, which has none, is a star."""
