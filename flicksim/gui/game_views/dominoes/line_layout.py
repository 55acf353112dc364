"""Layout of the bending line of tiles: pure geometry in units of half a tile.

The lead lies in the middle (or at the left, when the line has one arm). An arm runs to the edge, turns a corner, and
comes back beside itself; the other arm is its point reflection, so tiles never move once they lie.
"""

from collections.abc import Sequence
from dataclasses import dataclass

Halves = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """Tile on the table.

    Args:
        x, y: its centre [halves], y downwards. upright: True if it stands on end on the screen. first, second: pips
            of its upper or left half, and of the other.
    """

    x: float
    y: float
    upright: bool
    first: int
    second: int


class _Arm:
    """Next place of an arm of the line, computed for the right arm; the left arm is its point reflection."""

    def __init__(self, x: float, limit: float, is_reversed: float) -> None:
        self.x, self.y = x, 0.0
        self.direction = 1
        self._limit, self._is_reversed = limit, is_reversed

    def add(self, inner_half: int, outer_half: int, is_crosswise: bool) -> PlacedTile:
        """Add a tile: the half that touches, the open half, and True if doubles lie crosswise."""
        available = (self._limit - self.x) if self.direction > 0 else (self.x - self._is_reversed)
        if inner_half == outer_half and is_crosswise and available >= 3.0:
            placed = PlacedTile(self.x + 0.5 * self.direction, self.y, True, inner_half, outer_half)
            self.x += self.direction
            return placed
        if available >= 2.0:
            first, second = (inner_half, outer_half) if self.direction > 0 else (outer_half, inner_half)
            placed = PlacedTile(self.x + self.direction, self.y, False, first, second)
            self.x += 2.0 * self.direction
            return placed
        # corner: down from under the last half, then on in the other direction
        placed = PlacedTile(self.x - 0.5 * self.direction, self.y + 1.5, True, inner_half, outer_half)
        self.y += 2.0
        self.x -= self.direction
        self.direction = -self.direction
        return placed


@dataclass(frozen=True, slots=True)
class LineLayout:
    """Layout of a line.

    Args:
        tiles: from left to right. left, right: next place at each end; None where there is no end.
    """

    tiles: tuple[PlacedTile, ...]
    left: PlacedTile | None
    right: PlacedTile | None

    def bounds(self) -> tuple[float, float, float, float]:
        """Bounding box: least x, least y, greatest x, greatest y [halves]."""
        ends = [end for end in (self.left, self.right) if end is not None]
        xs, ys = [], []
        for placed in (*self.tiles, *ends):
            w, h = (0.5, 1.0) if placed.upright else (1.0, 0.5)
            xs += [placed.x - w, placed.x + w]
            ys += [placed.y - h, placed.y + h]
        return (min(xs), min(ys), max(xs), max(ys)) if xs else (0.0, 0.0, 0.0, 0.0)


def layout_line(
    chain: Sequence[Halves], lead_index: int, width: float, *, has_one_arm: bool, tiles: Halves | None = None
) -> LineLayout:
    """Lay out a line of tiles.

    Args:
        chain: the tiles from left to right, each its left and right half. lead_index: index of the tile that was
            led. width: available width [halves]. has_one_arm: True if the line grows to the right only, and doubles
            lie in it. tiles: that may be added; the places at the ends are computed for them.
    """
    half = width / 2.0
    across = not has_one_arm
    if not chain:
        double = tiles is not None and tiles[0] == tiles[1] and across
        spot = PlacedTile(0.0, 0.0, double, *(tiles or (0, 0)))
        return LineLayout((), None, spot)
    first, second = chain[lead_index]
    upright = first == second and across
    length = 1.0 if upright else 2.0
    start = -half + 2.0 if has_one_arm else 0.0
    at = PlacedTile(start + (length / 2.0 if has_one_arm else 0.0), 0.0, upright, first, second)
    right = _Arm(at.x + length / 2.0, half, -half)
    left_arm = _Arm(length / 2.0, half, -half)
    after = [right.add(a, b, across) for a, b in chain[lead_index + 1 :]]
    before = [_rotated(left_arm.add(b, a, across)) for a, b in reversed(chain[:lead_index])]
    open_right = chain[-1][1]
    r = right.add(*_tile_facing(tiles, open_right), across)
    if has_one_arm:
        return LineLayout((at, *after), None, r)
    lft = _rotated(left_arm.add(*_tile_facing(tiles, chain[0][0]), across))
    return LineLayout((*reversed(before), at, *after), lft, r)


def _tile_facing(tiles: Halves | None, pips: int) -> Halves:
    """Tile oriented with the half of a number inward; a plain one if no tile has it."""
    if tiles is None:
        return (pips, -1)
    tile, next_tile = tiles
    return (tile, next_tile) if tile == pips else (next_tile, tile)


def _rotated(placed: PlacedTile) -> PlacedTile:
    return PlacedTile(-placed.x, -placed.y, placed.upright, placed.second, placed.first)


def fit_line(
    chain: Sequence[Halves],
    lead_index: int,
    width: int,
    height: int,
    max_side: int,
    *,
    has_one_arm: bool,
    tiles: Halves | None = None,
) -> tuple[LineLayout, int]:
    """Line with the largest tiles that fit, and the width of half a tile [unit of `width`, `height`, `max_side`]."""
    side = max_side
    while True:
        line = layout_line(chain, lead_index, width / side, has_one_arm=has_one_arm, tiles=tiles)
        _, top, _, bottom = line.bounds()
        reach = bottom - top if has_one_arm else 2.0 * max(-top, bottom)
        if reach * side <= height or side <= 8:
            return line, side
        side -= max(1, side // 16)
