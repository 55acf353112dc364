"""Edge of the mat as a polygon: tests of a wink's centre against it."""

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.winks.params import Floats


@njit_no_refcount
def is_on_mat(x: float, y: float, outline: Floats) -> bool:
    """Point in polygon [M, 2] by the even-odd rule; always true without corners: an unbounded mat."""
    inside = len(outline) == 0
    for q in range(len(outline)):
        ax, ay, bx, by = outline[q - 1, 0], outline[q - 1, 1], outline[q, 0], outline[q, 1]
        if (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
            inside = not inside
    return inside


@njit_no_refcount
def edge_crossing(x0: float, y0: float, x1: float, y1: float, outline: Floats) -> float:
    """Fraction of the segment between two points at which it first crosses the polygon; 1 if it does not."""
    first = 1.0
    dx, dy = x1 - x0, y1 - y0
    for q in range(len(outline)):
        ax, ay = outline[q - 1, 0], outline[q - 1, 1]
        ex, ey = outline[q, 0] - ax, outline[q, 1] - ay
        det = dx * ey - dy * ex
        if det == 0.0:
            continue
        t = ((ax - x0) * ey - (ay - y0) * ex) / det
        u = ((ax - x0) * dy - (ay - y0) * dx) / det
        if 0.0 <= t < first and 0.0 <= u <= 1.0:
            first = t
    return first
