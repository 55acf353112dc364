"""Domino tiles up to double-twelve, and sets of them as bit masks: bit `tile.index` of an integer is the tile.

A smaller set is a prefix of a larger one, so one numbering serves double-six, double-nine and double-twelve.
"""

from collections.abc import Iterable
from typing import ClassVar

from flicksim.cards.card import Face
from flicksim.core.errors import InvalidValue

MAX_PIPS = 12
"""Most pips on one half."""


class Tile(Face):
    """Domino tile; sorted by the higher half.

    Args:
        high, low: its halves, the higher first. pips: sum of both. name: "6-4".
        index: position in the order 0-0, 1-0, 1-1, 2-0 ... bit: `1 << index`.
    """

    __slots__ = ("bit", "high", "low", "pips")
    by_name: ClassVar["dict[str, Tile]"] = {}
    high: int
    low: int
    pips: int
    bit: int

    def __init__(self, high: int, low: int) -> None:
        index = high * (high + 1) // 2 + low
        super().__init__(f"{high}-{low}", index, high=high, low=low, pips=high + low, bit=1 << index)

    @classmethod
    def parse(cls, text: str) -> "Tile":
        """Tile written as a name, either half first.

        Raises:
            InvalidValue: the text names no tile.
        """
        tile = cls.by_name.get(text)
        if tile is None:
            first, _, second = text.partition("-")
            tile = cls.by_name.get(f"{second}-{first}")
        if tile is None:
            raise InvalidValue(f"no tile {text!r}; a tile is written like 6-4, halves 0 to {MAX_PIPS}")
        return tile

    @property
    def is_double(self) -> bool:
        """True if both halves are equal."""
        return self.high == self.low


TILES = tuple(Tile(high, low) for high in range(MAX_PIPS + 1) for low in range(high + 1))
"""Every tile by index."""
Tile.by_name.update({tile.name: tile for tile in TILES})


def tile_set(top: int) -> tuple[Tile, ...]:
    """Tiles of the double-`top` set in order: 28 tiles for six, 55 for nine, 91 for twelve."""
    return TILES[: (top + 1) * (top + 2) // 2]


def tile_mask(tiles: Iterable[Tile]) -> int:
    """Bit mask of tiles."""
    mask = 0
    for tile in tiles:
        mask |= tile.bit
    return mask


SUIT_MASKS = tuple(
    tile_mask(tile for tile in TILES if number in (tile.high, tile.low)) for number in range(MAX_PIPS + 1)
)
"""Bit mask of the tiles with a number of pips on either half, by that number."""
DOUBLES_MASK = tile_mask(tile for tile in TILES if tile.is_double)
"""Bit mask of all doubles."""


def line_halves(line: tuple[Tile, ...]) -> tuple[tuple[int, int], ...]:
    """Halves of each tile from left to right, each as its neighbours say.

    A tile that does not match the one at its left lies as if the line began with it; one alone has its higher half to
    the right.
    """
    halves: list[tuple[int, int]] = []
    for k, tile in enumerate(line):
        left = halves[-1][1] if halves else -1
        if left not in (tile.high, tile.low):
            left = tile.high if line[k + 1 :] and tile.high not in (line[k + 1].high, line[k + 1].low) else tile.low
        halves.append((left, tile.pips - left))
    return tuple(halves)
