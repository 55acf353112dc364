"""Domino tiles up to double-twelve, and sets of them as bits: bit `tile.index` of a whole number stands for the tile.

A smaller set is the beginning of a larger one, so one numbering serves double-six, double-nine and double-twelve.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from flicksim.base.codec import Word

MOST = 12
"""Pips on the largest half."""


class Tile(Word):
    """A tile. There is one object a tile, so tiles compare and hash by identity; `<` sorts them by their higher half.

    Args:
        high, low: its halves, the higher first. pips: both together. name: "6-4".
        index: place in the order 0-0, 1-0, 1-1, 2-0 ... bit: `1 << index`.
    """

    __slots__ = ("bit", "high", "index", "low", "name", "pips")
    faces: ClassVar[dict[str, Tile]] = {}
    high: int
    low: int
    pips: int
    name: str
    index: int
    bit: int

    def __init__(self, high: int, low: int) -> None:
        index = high * (high + 1) // 2 + low
        halves = {"high": high, "low": low, "pips": high + low, "name": f"{high}-{low}", "index": index}
        for name, value in {**halves, "bit": 1 << index}.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"tiles do not change: {name}")

    @classmethod
    def read(cls, text: str) -> Tile:
        """The tile of that name, either half first.

        Raises:
            ValueError: there is none.
        """
        found = cls.faces.get(text)
        if found is None:
            one, _, other = text.partition("-")
            found = cls.faces.get(f"{other}-{one}")
        if found is None:
            raise ValueError(f"no tile {text!r}; a tile is written like 6-4, halves 0 to {MOST}")
        return found

    @property
    def double(self) -> bool:
        """True where both halves are alike."""
        return self.high == self.low

    def __lt__(self, other: Tile) -> bool:
        return self.index < other.index

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Tile({self.name})"

    def __reduce__(self) -> tuple[Callable[[str], Tile], tuple[str]]:
        return Tile.read, (self.name,)


TILES = tuple(Tile(high, low) for high in range(MOST + 1) for low in range(high + 1))
"""Every tile by index."""
Tile.faces.update({tile.name: tile for tile in TILES})


def tile_set(top: int) -> tuple[Tile, ...]:
    """The double-`top` set in order: 28 tiles for six, 55 for nine, 91 for twelve."""
    return TILES[: (top + 1) * (top + 2) // 2]


def bits(tiles: Iterable[Tile]) -> int:
    """Tiles as one whole number."""
    total = 0
    for tile in tiles:
        total |= tile.bit
    return total


SUIT = tuple(bits(tile for tile in TILES if number in (tile.high, tile.low)) for number in range(MOST + 1))
"""Bits of all tiles that have a number."""
DOUBLES = bits(tile for tile in TILES if tile.double)
"""Bits of all doubles."""
