"""Plane geometry on (x, y) pairs [m]: distances, straight crossings, polygons. No pieces, no physics."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, inf, pi, remainder, sin, sqrt

Point = tuple[float, float]


def half_turn(angle: float) -> float:
    """The same angle above -pi and up to pi [rad]; one that lies there keeps its bits."""
    near = remainder(angle, 2.0 * pi)
    return near if near > -pi else pi


def distance(a: Point, b: Point) -> float:
    """Distance between two points [m], by the one root that gives the same bits compiled and not."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return sqrt(dx * dx + dy * dy)


def crossing(p: Point, q: Point, a: Point, b: Point) -> float | None:
    """Crossing of the way from p to q with the segment a-b: fraction of p-q in (0, 1], or None.

    A way that starts on the segment does not cross it again by leaving.
    """
    dx, dy = q[0] - p[0], q[1] - p[1]
    ex, ey = b[0] - a[0], b[1] - a[1]
    det = dx * ey - dy * ex
    if det == 0.0:
        return None
    fx, fy = a[0] - p[0], a[1] - p[1]
    along = (fx * ey - fy * ex) / det
    beside = (fx * dy - fy * dx) / det
    return along if 0.0 < along <= 1.0 and 0.0 <= beside <= 1.0 else None


def side(p: Point, a: Point, b: Point) -> float:
    """Signed distance of p from the line a-b [m], positive to the left of a->b."""
    ex, ey = b[0] - a[0], b[1] - a[1]
    return (ex * (p[1] - a[1]) - ey * (p[0] - a[0])) / hypot(ex, ey)


def inside(p: Point, polygon: Sequence[Point]) -> bool:
    """True where p lies in a convex polygon given counter-clockwise; its edge counts as inside."""
    return all(side(p, polygon[i - 1], polygon[i]) >= 0.0 for i in range(len(polygon)))


def clearance(p: Point, polygon: Sequence[Point]) -> float:
    """Distance of p from the nearest edge line of a convex counter-clockwise polygon [m], negative outside."""
    return min(side(p, polygon[i - 1], polygon[i]) for i in range(len(polygon)))


def rectangle(width: float, length: float, x: float = 0.0, y: float = 0.0) -> tuple[Point, ...]:
    """The rectangle with its lower left corner at (x, y), counter-clockwise."""
    return ((x, y), (x + width, y), (x + width, y + length), (x, y + length))


def convex_gap(one: Sequence[Point], other: Sequence[Point]) -> float:
    """Distance of two convex polygons along the best of their sides [m]; negative where they overlap, so deep."""
    return max(_gap_along(one, other), _gap_along(other, one))


def _gap_along(one: Sequence[Point], other: Sequence[Point]) -> float:
    best = -inf
    for i in range(len(one)):
        (ax, ay), (bx, by) = one[i - 1], one[i]
        nx, ny = by - ay, ax - bx
        size = hypot(nx, ny)
        if size > 1e-9:
            best = max(best, min([(x - ax) * nx + (y - ay) * ny for x, y in other]) / size)
    return best


def chord(outline: Sequence[Point], origin: Point, azimuth: float) -> tuple[float, float] | None:
    """From where to where a line through a point runs over a convex polygon [m]; None when it misses it."""
    ux, uy = cos(azimuth), sin(azimuth)
    low, high = -inf, inf
    for i in range(len(outline)):
        (ax, ay), (bx, by) = outline[i - 1], outline[i]
        ex, ey = bx - ax, by - ay
        gap = ex * (origin[1] - ay) - ey * (origin[0] - ax)  # positive inside
        pace = ex * uy - ey * ux
        if pace == 0.0:
            if gap < 0.0:
                return None
        elif pace > 0.0:
            low = max(low, -gap / pace)
        else:
            high = min(high, -gap / pace)
    return (low, high) if high - low > 1e-6 else None


def behind(outline: Sequence[Point], a: Point, b: Point) -> list[Point]:
    """The part of a convex outline to the right of the line from a to b, between its ends [m]."""
    across = (a[1] - b[1], b[0] - a[0])
    left, right = (a[0] + across[0], a[1] + across[1]), (b[0] + across[0], b[1] + across[1])
    found = list(outline)
    for begin, end in ((b, a), (left, a), (b, right)):
        found = _cut(found, end, begin)
    return found


def _cut(outline: Sequence[Point], a: Point, b: Point) -> list[Point]:
    """The part of it that lies to the right of the straight line from a to b, or on it."""
    found: list[Point] = []
    for k in range(len(outline)):
        p, q = outline[k - 1], outline[k]
        one, other = side(p, a, b), side(q, a, b)
        if (one < -1e-9 and other > 1e-9) or (one > 1e-9 and other < -1e-9):
            share = one / (one - other)
            found.append((p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share))
        if other <= 1e-9:
            found.append(q)
    return found
