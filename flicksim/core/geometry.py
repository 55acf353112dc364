"""Plane geometry on (x, y) pairs [m]: distances, straight crossings, polygons. No pieces, no physics."""

from collections.abc import Sequence
from math import cos, hypot, inf, pi, remainder, sin, sqrt

Point = tuple[float, float]


def wrap_angle(angle: float) -> float:
    """Wrap an angle into (-pi, pi] [rad]; an angle inside is returned bit for bit."""
    wrapped = remainder(angle, 2.0 * pi)
    return wrapped if wrapped > -pi else pi


def distance(a: Point, b: Point) -> float:
    """Distance between two points [m]; by `sqrt`, which gives the same bits in compiled code."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return sqrt(dx * dx + dy * dy)


def segment_intersection(p: Point, q: Point, a: Point, b: Point) -> float | None:
    """Intersection of the path p-q with the segment a-b, as a fraction of p-q in (0, 1]; None if they do not meet.

    A path that starts on the segment does not cross it by leaving.
    """
    dx, dy = q[0] - p[0], q[1] - p[1]
    ex, ey = b[0] - a[0], b[1] - a[1]
    det = dx * ey - dy * ex
    if det == 0.0:
        return None
    fx, fy = a[0] - p[0], a[1] - p[1]
    along = (fx * ey - fy * ex) / det
    across = (fx * dy - fy * dx) / det
    return along if 0.0 < along <= 1.0 and 0.0 <= across <= 1.0 else None


def signed_line_distance(p: Point, a: Point, b: Point) -> float:
    """Signed distance of p from the line a-b [m], positive to the left of a->b."""
    ex, ey = b[0] - a[0], b[1] - a[1]
    return (ex * (p[1] - a[1]) - ey * (p[0] - a[0])) / hypot(ex, ey)


def is_inside_convex(p: Point, polygon: Sequence[Point]) -> bool:
    """True if p lies in a convex counter-clockwise polygon; its edge counts as inside."""
    return all(signed_line_distance(p, polygon[i - 1], polygon[i]) >= 0.0 for i in range(len(polygon)))


def clearance(p: Point, polygon: Sequence[Point]) -> float:
    """Distance of p from the nearest edge line of a convex counter-clockwise polygon [m], negative outside."""
    return min(signed_line_distance(p, polygon[i - 1], polygon[i]) for i in range(len(polygon)))


def rectangle(width: float, length: float, x: float = 0.0, y: float = 0.0) -> tuple[Point, ...]:
    """Corners of a rectangle with its lower left corner at (x, y), counter-clockwise."""
    return ((x, y), (x + width, y), (x + width, y + length), (x, y + length))


def convex_separation(one: Sequence[Point], other: Sequence[Point]) -> float:
    """Separation of two convex polygons along the best edge normal [m]; minus the depth where they overlap."""
    return max(_max_edge_separation(one, other), _max_edge_separation(other, one))


def _max_edge_separation(one: Sequence[Point], other: Sequence[Point]) -> float:
    best = -inf
    for i in range(len(one)):
        (ax, ay), (bx, by) = one[i - 1], one[i]
        nx, ny = by - ay, ax - bx
        length = hypot(nx, ny)
        if length > 1e-9:
            best = max(best, min([(x - ax) * nx + (y - ay) * ny for x, y in other]) / length)
    return best


def chord(polygon: Sequence[Point], origin: Point, azimuth: float) -> tuple[float, float] | None:
    """Interval in which a line through a point lies inside a convex polygon [m along it]; None if it misses it."""
    ux, uy = cos(azimuth), sin(azimuth)
    low, high = -inf, inf
    for i in range(len(polygon)):
        (ax, ay), (bx, by) = polygon[i - 1], polygon[i]
        ex, ey = bx - ax, by - ay
        offset = ex * (origin[1] - ay) - ey * (origin[0] - ax)  # positive inside
        rate = ex * uy - ey * ux
        if rate == 0.0:
            if offset < 0.0:
                return None
        elif rate > 0.0:
            low = max(low, -offset / rate)
        else:
            high = min(high, -offset / rate)
    return (low, high) if high - low > 1e-6 else None


def clip_behind_line(polygon: Sequence[Point], a: Point, b: Point) -> list[Point]:
    """Clip a convex polygon to the strip to the right of the line from a to b, between its ends [m]."""
    across = (a[1] - b[1], b[0] - a[0])
    left, right = (a[0] + across[0], a[1] + across[1]), (b[0] + across[0], b[1] + across[1])
    clipped = list(polygon)
    for begin, end in ((b, a), (left, a), (b, right)):
        clipped = _clip_half_plane(clipped, end, begin)
    return clipped


def _clip_half_plane(polygon: Sequence[Point], a: Point, b: Point) -> list[Point]:
    """Clip a convex polygon to the half-plane to the right of the line from a to b (Sutherland and Hodgman, 1974)."""
    clipped: list[Point] = []
    for k in range(len(polygon)):
        p, q = polygon[k - 1], polygon[k]
        before, after = signed_line_distance(p, a, b), signed_line_distance(q, a, b)
        if (before < -1e-9 and after > 1e-9) or (before > 1e-9 and after < -1e-9):
            fraction = before / (before - after)
            clipped.append((p[0] + (q[0] - p[0]) * fraction, p[1] + (q[1] - p[1]) * fraction))
        if after <= 1e-9:
            clipped.append(q)
    return clipped
