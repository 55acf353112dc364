"""The line of tiles as it bends on a table: pure geometry in units of half a tile, no drawing.

The lead lies in the middle (or at the left, when the line has one arm). An arm runs to the edge, turns a corner, and
comes back beside itself; the other arm does the same turned half round, so tiles never move once they lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Halves = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile on the table.

    Args:
        x, y: its middle [halves], y downwards. upright: whether it stands on end on the screen.
        first, second: pips of its upper or left half, and of the other.
    """

    x: float
    y: float
    upright: bool
    first: int
    second: int


class _Arm:
    """Next place of an arm of the line. It is worked out for the right arm; the left is turned half round."""

    def __init__(self, x: float, limit: float, back: float) -> None:
        self.x, self.y = x, 0.0
        self.way = 1
        self._limit, self._back = limit, back

    def add(self, inner: int, outer: int, across: bool) -> Laid:
        """Put a tile: the half that touches, the open half, whether doubles lie across."""
        room = (self._limit - self.x) if self.way > 0 else (self.x - self._back)
        if inner == outer and across and room >= 3.0:
            laid = Laid(self.x + 0.5 * self.way, self.y, True, inner, outer)
            self.x += self.way
            return laid
        if room >= 2.0:
            first, second = (inner, outer) if self.way > 0 else (outer, inner)
            laid = Laid(self.x + self.way, self.y, False, first, second)
            self.x += 2.0 * self.way
            return laid
        # the corner: down from under the last half, and on the other way
        laid = Laid(self.x - 0.5 * self.way, self.y + 1.5, True, inner, outer)
        self.y += 2.0
        self.x -= self.way
        self.way = -self.way
        return laid


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it lies.

    Args:
        tiles: from left to right. left, right: where a tile would go next at each end; None where there is no end.
    """

    tiles: tuple[Laid, ...]
    left: Laid | None
    right: Laid | None

    def box(self) -> tuple[float, float, float, float]:
        """Its bounds: least x, least y, most x, most y [halves]."""
        ends = [end for end in (self.left, self.right) if end is not None]
        xs, ys = [], []
        for laid in (*self.tiles, *ends):
            w, h = (0.5, 1.0) if laid.upright else (1.0, 0.5)
            xs += [laid.x - w, laid.x + w]
            ys += [laid.y - h, laid.y + h]
        return (min(xs), min(ys), max(xs), max(ys)) if xs else (0.0, 0.0, 0.0, 0.0)


def lay(chain: Sequence[Halves], lead: int, wide: float, *, one_arm: bool, held: Halves | None = None) -> Line:
    """Lay a line out.

    Args:
        chain: the tiles from left to right, each its left and right half. lead: which was led.
        wide: room across [halves]. one_arm: the line grows to the right only, and doubles lie in it.
        held: a tile that may be added; the places at the ends are shown for it.
    """
    half = wide / 2.0
    across = not one_arm
    if not chain:
        double = held is not None and held[0] == held[1] and across
        spot = Laid(0.0, 0.0, double, *(held or (0, 0)))
        return Line((), None, spot)
    first, second = chain[lead]
    upright = first == second and across
    length = 1.0 if upright else 2.0
    start = -half + 2.0 if one_arm else 0.0
    at = Laid(start + (length / 2.0 if one_arm else 0.0), 0.0, upright, first, second)
    right = _Arm(at.x + length / 2.0, half, -half)
    left = _Arm(length / 2.0, half, -half)
    after = [right.add(a, b, across) for a, b in chain[lead + 1 :]]
    before = [_turned(left.add(b, a, across)) for a, b in reversed(chain[:lead])]
    open_right = chain[-1][1]
    r = right.add(*_facing(held, open_right), across)
    if one_arm:
        return Line((at, *after), None, r)
    lft = _turned(left.add(*_facing(held, chain[0][0]), across))
    return Line((*reversed(before), at, *after), lft, r)


def _facing(held: Halves | None, number: int) -> Halves:
    """A tile with the half that fits a number inward; a plain one where nothing is held."""
    if held is None:
        return (number, -1)
    one, other = held
    return (one, other) if one == number else (other, one)


def _turned(laid: Laid) -> Laid:
    return Laid(-laid.x, -laid.y, laid.upright, laid.second, laid.first)


def fitted(
    chain: Sequence[Halves], lead: int, wide: int, high: int, most: int, *, one_arm: bool, held: Halves | None = None
) -> tuple[Line, int]:
    """The line with tiles as large as fit: it, and how wide half a tile is [the unit of `wide`, `high`, `most`]."""
    side = most
    while True:
        line = lay(chain, lead, wide / side, one_arm=one_arm, held=held)
        _, top, _, bottom = line.box()
        reach = bottom - top if one_arm else 2.0 * max(-top, bottom)
        if reach * side <= high or side <= 8:
            return line, side
        side -= max(1, side // 16)
