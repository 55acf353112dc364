"""Distance of two winks by the separating axis theorem: the largest gap over all directions, by local search.

The support function of a disc is R sin + h |cos| of the angle to its axis, so the gap along a direction is cheap, and a
lower bound on the distance for any direction: any direction found gives a safe step, and overlapping winks are never
reported as separate. For overlapping winks the direction found is that of least penetration.
"""

import math
from typing import Final

from flicksim.engine.jit import njit_inline, njit_no_refcount
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks.params import Floats

CHECK_TRAVEL, SEPARATING_AXIS, STACKED = 0, 1, 4
"""Columns of the pair cache [N, N, 5]: combined travel before which the pair cannot collide [m]; unit direction from
the second to the first of the largest gap last found (three columns); 1 if one was placed on the other by hand."""
_MIN_TURN: Final = 1e-4
"""Rotation of the direction at which the search ends [rad]; twice that, five micrometres of gap at most, is tried."""
_WARM_START_TURN: Final = 4e-4
_MAX_TURN: Final = 0.25
"""First rotation with a cached direction; first without, and largest [rad]."""
_PERPENDICULAR_SINE: Final = 2e-4
"""Sine of the angle below which a direction is perpendicular to a face or to the side."""
_MIN_SINE: Final = 1e-5
"""Sine of the angle to an axis, or offset of the closest points [m], below which the direction towards it is lost in
rounding errors."""
_GAP_TOLERANCE: Final = 1e-9
"""Smallest significant difference of gaps [m]."""
_RELATIVE_TOLERANCE: Final = 0.1
"""Relative accuracy of positive gaps."""


@njit_inline
def _gap(b: Floats, i: int, j: int, off: float, a: float, c: float) -> float:
    """Gap of discs `i` and `j` along a unit vector [m].

    Args:
        off: distance of their centres along it [m]. a, c: cosines of its angles to the axes of i and j.
    """
    off -= b[i, W.RADIUS] * math.sqrt(max(0.0, 1.0 - a * a)) + b[i, W.HALF_THICKNESS] * abs(a)
    return float(off - b[j, W.RADIUS] * math.sqrt(max(0.0, 1.0 - c * c)) - b[j, W.HALF_THICKNESS] * abs(c))


@njit_inline
def gap_along_axis(b: Floats, i: int, j: int, dx: float, dy: float, dz: float) -> float:
    """Gap of discs `i` and `j` along a unit vector from j to i; negative if they overlap along it [m]."""
    a = dx * b[i, B.NX] + dy * b[i, B.NY] + dz * b[i, B.NZ]
    c = dx * b[j, B.NX] + dy * b[j, B.NY] + dz * b[j, B.NZ]
    off = dx * (b[i, B.CX] - b[j, B.CX]) + dy * (b[i, B.CY] - b[j, B.CY]) + dz * (b[i, B.CZ] - b[j, B.CZ])
    return _gap(b, i, j, off, a, c)


@njit_inline
def support_point(b: Floats, i: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Support point of disc `i` along a direction; the midpoint where it is not unique."""
    nx, ny, nz = b[i, B.NX], b[i, B.NY], b[i, B.NZ]
    along = x * nx + y * ny + z * nz
    sin = math.sqrt(max(0.0, 1.0 - along * along))
    out = b[i, W.RADIUS] / sin if sin > _PERPENDICULAR_SINE else 0.0
    up = -out * along
    if abs(along) > _PERPENDICULAR_SINE:
        up += b[i, W.HALF_THICKNESS] if along > 0.0 else -b[i, W.HALF_THICKNESS]
    return b[i, B.CX] + out * x + up * nx, b[i, B.CY] + out * y + up * ny, b[i, B.CZ] + out * z + up * nz


@njit_no_refcount
def _projects_onto_face(b: Floats, i: int, j: int, dx: float, dy: float, dz: float) -> bool:
    """True if the point of disc `i` nearest to the face of j with normal (dx, dy, dz) projects onto that face.

    Then the face normal is a local optimum.
    """
    wx, wy, wz = b[i, B.CX] - b[j, B.CX], b[i, B.CY] - b[j, B.CY], b[i, B.CZ] - b[j, B.CZ]
    cos = dx * b[i, B.NX] + dy * b[i, B.NY] + dz * b[i, B.NZ]
    sin = math.sqrt(max(0.0, 1.0 - cos * cos))
    room = b[j, W.RADIUS]
    if sin > 1e-9:
        f = b[i, W.RADIUS] / sin
        h = (b[i, W.HALF_THICKNESS] if cos > 0.0 else -b[i, W.HALF_THICKNESS]) - f * cos
        wx, wy, wz = wx - f * dx - h * b[i, B.NX], wy - f * dy - h * b[i, B.NY], wz - f * dz - h * b[i, B.NZ]
    else:
        room += b[i, W.RADIUS]
    along = wx * dx + wy * dy + wz * dz
    return bool(wx * wx + wy * wy + wz * wz - along * along < room * room)


@njit_no_refcount
def _candidate_axis(b: Floats, i: int, j: int, index: int) -> tuple[float, float, float]:
    """Initial directions: the axis of i, of j, the line of centres projected on either plane, and itself."""
    wx, wy, wz = b[i, B.CX] - b[j, B.CX], b[i, B.CY] - b[j, B.CY], b[i, B.CZ] - b[j, B.CZ]
    q = i if index % 2 == 0 else j
    nx, ny, nz = b[q, B.NX], b[q, B.NY], b[q, B.NZ]
    along = wx * nx + wy * ny + wz * nz
    if index < 4:
        px, py, pz = wx - along * nx, wy - along * ny, wz - along * nz
    else:
        px, py, pz = wx, wy, wz
    size = math.sqrt(px * px + py * py + pz * pz)
    if index < 2 or size < 1e-9:
        return (nx, ny, nz) if along > 0.0 else (-nx, -ny, -nz)
    return px / size, py / size, pz / size


@njit_inline
def separation(b: Floats, i: int, j: int, pairs: Floats) -> float:
    """Lower bound on the distance of two discs [m], accurate to two micrometres where they touch or overlap.

    Hill climbing over directions, warm started from the direction cached in `pairs`, which is updated.
    """
    wx, wy, wz = b[i, B.CX] - b[j, B.CX], b[i, B.CY] - b[j, B.CY], b[i, B.CZ] - b[j, B.CZ]
    far = math.sqrt(wx * wx + wy * wy + wz * wz)
    round_them = far - b[i, B.BOUNDING_RADIUS] - b[j, B.BOUNDING_RADIUS]
    if round_them > 0.0:
        return float(round_them)
    x, y, z = pairs[i, j, SEPARATING_AXIS], pairs[i, j, SEPARATING_AXIS + 1], pairs[i, j, SEPARATING_AXIS + 2]
    best, turn = -math.inf, _WARM_START_TURN
    if x * x + y * y + z * z > 0.0:
        best = gap_along_axis(b, i, j, x, y, z)
    if best <= 0.0:  # overlapping discs may have several local optima
        for way in range(5):
            tx, ty, tz = _candidate_axis(b, i, j, way)
            gap = gap_along_axis(b, i, j, tx, ty, tz)
            face = way < 2 and (
                _projects_onto_face(b, i, j, tx, ty, tz) if way == 1 else _projects_onto_face(b, j, i, -tx, -ty, -tz)
            )
            if gap > best + (-_GAP_TOLERANCE if face else _GAP_TOLERANCE):
                best, x, y, z, turn = gap, tx, ty, tz, 0.0 if face else _MAX_TURN
    ix, iy, iz, jx, jy, jz = b[i, B.NX], b[i, B.NY], b[i, B.NZ], b[j, B.NX], b[j, B.NY], b[j, B.NZ]
    reach, turned = b[i, W.RADIUS] + b[j, W.RADIUS], False
    while turn > _MIN_TURN and turn * reach > _RELATIVE_TOLERANCE * best:
        risen, scale = False, 1.0 / math.sqrt(1.0 + turn * turn)
        size = fx = fy = fz = 0.0
        for q in range(5):
            # rotate towards the closest points, and towards and across each axis: ridges run along and around them
            ex, ey, ez = fx, fy, fz
            if q != 2 and q != 4:
                if q == 0:
                    px, py, pz = support_point(b, i, -x, -y, -z)
                    ex, ey, ez = support_point(b, j, x, y, z)
                    ex, ey, ez = px - ex, py - ey, pz - ez
                elif q == 1:
                    ex, ey, ez = ix, iy, iz
                else:
                    ex, ey, ez = jx, jy, jz
                along = x * ex + y * ey + z * ez
                ex, ey, ez = ex - along * x, ey - along * y, ez - along * z
                size = math.sqrt(ex * ex + ey * ey + ez * ez)
                each = 1.0 / max(size, _MIN_SINE)
                ex, ey, ez = ex * each, ey * each, ez * each
                fx, fy, fz = y * ez - z * ey, z * ex - x * ez, x * ey - y * ex  # across, also after a turn towards it
            if size < _MIN_SINE:
                continue
            # along x + side * e, all products are linear in side
            a, da = x * ix + y * iy + z * iz, ex * ix + ey * iy + ez * iz
            c, dc = x * jx + y * jy + z * jz, ex * jx + ey * jy + ez * jz
            off, d_off = x * wx + y * wy + z * wz, ex * wx + ey * wy + ez * wz
            for twice in range(1 if q == 0 else 2):
                side = turn if twice == 0 else -turn
                gap = _gap(b, i, j, scale * (off + side * d_off), scale * (a + side * da), scale * (c + side * dc))
                if gap > best + _GAP_TOLERANCE:
                    best, x, y, z = gap, scale * (x + side * ex), scale * (y + side * ey), scale * (z + side * ez)
                    risen = turned = True
                    break
        turn = min(_MAX_TURN, 2.0 * turn) if risen else 0.5 * turn
    if turned:  # rounding errors would add up from step to step
        each = 1.0 / math.sqrt(x * x + y * y + z * z)
        x, y, z = each * x, each * y, each * z
        best = gap_along_axis(b, i, j, x, y, z)
    pairs[i, j, SEPARATING_AXIS], pairs[i, j, SEPARATING_AXIS + 1], pairs[i, j, SEPARATING_AXIS + 2] = x, y, z
    return float(max(best, round_them))
