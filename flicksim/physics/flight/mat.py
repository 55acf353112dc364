"""The edge of the mat, as a polygon seen from above: what the centre of a wink is over."""

from flicksim.physics.flight.jit import bare
from flicksim.physics.flight.params import Floats


@bare
def on_mat(x: float, y: float, edge: Floats) -> bool:
    """True if a point is inside the polygon [M, 2]; with no corners the mat has no end."""
    inside = len(edge) == 0
    for q in range(len(edge)):
        ax, ay, bx, by = edge[q - 1, 0], edge[q - 1, 1], edge[q, 0], edge[q, 1]
        if (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
            inside = not inside
    return inside


@bare
def crossing(x0: float, y0: float, x1: float, y1: float, edge: Floats) -> float:
    """The fraction of the way from the first point to the second at which the polygon's edge is crossed first."""
    first = 1.0
    dx, dy = x1 - x0, y1 - y0
    for q in range(len(edge)):
        ax, ay = edge[q - 1, 0], edge[q - 1, 1]
        ex, ey = edge[q, 0] - ax, edge[q, 1] - ay
        det = dx * ey - dy * ex
        if det == 0.0:
            continue
        t = ((ax - x0) * ey - (ay - y0) * ex) / det
        u = ((ax - x0) * dy - (ay - y0) * dx) / det
        if 0.0 <= t < first and 0.0 <= u <= 1.0:
            first = t
    return first
