"""Display lists of positions of cards and tiles: places in rows, each with its name and its cards."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from flicksim.cards import Card, Tile
from flicksim.core.geometry import Point
from flicksim.render.card_shapes import PIP_COLOURS, PURPLE, SUITS, TILE_COLOUR, TWO_COLOURS, pip_positions
from flicksim.render.colours import FELT, HIGHLIGHT, INK, MUTED_TEXT, PALE, TEXT, mix
from flicksim.render.display_list import Disc, DisplayList, Label, Polygon, Polyline, Primitive, polygon_outline

_WIDTH, _MARGIN, _GAP, _HEADING = 1000, 20.0, 6.0, 28.0
"""Width of the picture, margin, gap between cards, and height of a place's name [pixels]."""
_HALF, _CARD_SIZE = 30.0, (48.0, 68.0)
"""Side of a half of a tile; width and height of a card [pixels]."""
_LETTER_WIDTH = 10.0
"""Width of a letter of a name, at most [pixels]."""

Item = Card | Tile | tuple[int, int]
"""Card, upright tile, or the halves of a lying one from left to right."""


class PlaceOfCards(NamedTuple):
    """Cards or tiles that lie in one place.

    Args:
        label: name for people. items: in order. is_to_play: True for the hand of the seat to play.
    """

    label: str
    items: Sequence[Item]
    is_to_play: bool = False


def draw_card_places(places: Sequence[PlaceOfCards]) -> DisplayList:
    """Draw places of cards or tiles, as many side by side as there is room for; long ones go on in the next row."""
    primitives, x, y, row_height = list[Primitive](), _MARGIN, _MARGIN, 0.0
    for place in places:
        label, (width, height) = f"{place.label} ({len(place.items)})", _size(place.items)
        needed = max(len(place.items) * (width + _GAP), len(label) * _LETTER_WIDTH)
        if x > _MARGIN and x + needed > _WIDTH - _MARGIN:
            x, y, row_height = _MARGIN, y + row_height, 0.0
        columns = max(1, int((_WIDTH - _MARGIN - x + _GAP) // (width + _GAP)))
        primitives.append(Label(label, (x, y + _HEADING / 2.0), 17.0, HIGHLIGHT if place.is_to_play else TEXT))
        for k, item in enumerate(place.items):
            corner = (x + k % columns * (width + _GAP), y + _HEADING + k // columns * (height + _GAP))
            primitives += _draw_item(item, corner, (width, height))
        rows = -(-len(place.items) // columns)
        row_height = max(row_height, _HEADING + max(1, rows) * (height + _GAP) + _GAP)
        x += needed + 2.0 * _MARGIN
    return DisplayList((_WIDTH, round(y + row_height + _MARGIN)), mix(FELT, INK, 0.35), tuple(primitives))


def _size(items: Sequence[Item]) -> tuple[float, float]:
    """Width and height of a card or tile of a place [pixels]."""
    first = items[0] if items else None
    if isinstance(first, tuple):
        return 2.0 * _HALF, _HALF
    return (_HALF, 2.0 * _HALF) if isinstance(first, Tile) else _CARD_SIZE


def _draw_item(item: Item, corner: Point, size: tuple[float, float]) -> Iterator[Primitive]:
    (x, y), (width, height) = corner, size
    outline = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    yield Polygon(outline, PALE if isinstance(item, Card) else TILE_COLOUR)
    yield polygon_outline(outline, MUTED_TEXT, 1.0)
    if isinstance(item, Card):
        yield from _draw_face(item, corner, size)
        return
    is_lying = isinstance(item, tuple)
    halves = item if isinstance(item, tuple) else (item.high, item.low)
    middle = (x + width / 2.0, y + height / 2.0)
    dx, dy = (0.0, 0.36 * _HALF) if is_lying else (0.36 * _HALF, 0.0)
    yield Polyline(((middle[0] - dx, middle[1] - dy), (middle[0] + dx, middle[1] + dy)), INK)
    for k, number in enumerate(halves):
        left, top = (x + k * _HALF, y) if is_lying else (x, y + k * _HALF)
        for u, v in pip_positions(number):
            # pips of a lying tile are rotated with it
            px, py = (v, u) if is_lying else (u, v)
            yield Disc((left + px * _HALF, top + py * _HALF), 0.095 * _HALF, PIP_COLOURS[number])


def _draw_face(card: Card, corner: Point, size: tuple[float, float]) -> Iterator[Primitive]:
    """Draw the rank over the suit of a card; a star for the joker."""
    colour, (width, height) = TWO_COLOURS.get(card.suit, PURPLE), size
    x, y, rank = corner[0] + width / 2.0, corner[1], "Joker" if card.is_joker else card.name[:-1]
    yield Label(rank, (x, y + 0.24 * height), 14.0 if card.is_joker else 22.0, colour, "mm")
    y, height, shape = y + 0.68 * height, 0.42 * height, SUITS[card.suit]
    for (cx, cy), radius in shape.discs:
        yield Disc((x + cx * height, y + cy * height), radius * height, colour)
    for points in shape.polygons:
        yield Polygon(tuple((x + px * height, y + py * height) for px, py in points), colour)
