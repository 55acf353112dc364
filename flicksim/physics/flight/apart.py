"""The distance of two winks, exactly: the largest gap any plane can be given between them.

A disc reaches R sin + h |cos| along a direction at that angle from its axis, so the gap along a direction is one line
of arithmetic, and no direction's gap is ever more than the distance. Whatever direction is found, the answer is
therefore safe to step by, and two winks that overlap are never held to be clear of each other. Where they overlap, the
direction of least overlap is the one in which they can be parted soonest.
"""

import math
from typing import Final

from flicksim.physics.flight.bodies import CX, CY, CZ, HALF, NX, NY, NZ, RADIUS, REACH
from flicksim.physics.flight.jit import bare
from flicksim.physics.flight.params import Floats

DUE, AXIS, LAID = 0, 1, 4
"""Places in what is remembered of a pair [N, N, 5]: the travel of both before which they cannot meet [m], the direction
from the second to the first along which they were last farthest apart (three numbers), and 1 where hands laid one on
the other."""
_FINEST: Final = 5e-5
"""Smallest turn of the direction [rad]: less than a micrometre of gap on a wink."""
_NARROW: Final = 1e-3
_WIDE: Final = 0.25
"""First turn tried where the direction was known a moment ago, and where it was not; the widest [rad]."""
_EDGE: Final = 2e-4
"""Sine of an angle to a face or a rim's side below which a direction is square to it."""
_SAME: Final = 1e-9
"""Gaps no farther apart than this are the same [m]."""
_COARSE: Final = 0.1
"""A gap need only be known to this part of itself."""


@bare
def gap_along(b: Floats, i: int, j: int, dx: float, dy: float, dz: float) -> float:
    """Gap of discs `i` and `j` along a unit vector from j to i; negative where they overlap along it [m]."""
    a = dx * b[i, NX] + dy * b[i, NY] + dz * b[i, NZ]
    c = dx * b[j, NX] + dy * b[j, NY] + dz * b[j, NZ]
    off = dx * (b[i, CX] - b[j, CX]) + dy * (b[i, CY] - b[j, CY]) + dz * (b[i, CZ] - b[j, CZ])
    off -= b[i, RADIUS] * math.sqrt(max(0.0, 1.0 - a * a)) + b[i, HALF] * abs(a)
    return float(off - b[j, RADIUS] * math.sqrt(max(0.0, 1.0 - c * c)) - b[j, HALF] * abs(c))


@bare
def farthest(b: Floats, i: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """The point of disc `i` farthest along a direction; in the middle of where several are."""
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    along = x * nx + y * ny + z * nz
    sin = math.sqrt(max(0.0, 1.0 - along * along))
    out = b[i, RADIUS] / sin if sin > _EDGE else 0.0
    up = -out * along
    if abs(along) > _EDGE:
        up += b[i, HALF] if along > 0.0 else -b[i, HALF]
    return b[i, CX] + out * x + up * nx, b[i, CY] + out * y + up * ny, b[i, CZ] + out * z + up * nz


@bare
def _over_face(b: Floats, i: int, j: int, dx: float, dy: float, dz: float) -> bool:
    """True if the point of disc `i` nearest to the face of j that looks along (dx, dy, dz) is over it.

    Then no direction near it parts them better than that face's own.
    """
    wx, wy, wz = b[i, CX] - b[j, CX], b[i, CY] - b[j, CY], b[i, CZ] - b[j, CZ]
    cos = dx * b[i, NX] + dy * b[i, NY] + dz * b[i, NZ]
    sin = math.sqrt(max(0.0, 1.0 - cos * cos))
    room = b[j, RADIUS]
    if sin > 1e-9:
        f = b[i, RADIUS] / sin
        h = (b[i, HALF] if cos > 0.0 else -b[i, HALF]) - f * cos
        wx, wy, wz = wx - f * dx - h * b[i, NX], wy - f * dy - h * b[i, NY], wz - f * dz - h * b[i, NZ]
    else:
        room += b[i, RADIUS]
    along = wx * dx + wy * dy + wz * dz
    return bool(wx * wx + wy * wy + wz * wz - along * along < room * room)


@bare
def _likely(b: Floats, i: int, j: int, way: int) -> tuple[float, float, float]:
    """Directions to begin with: the axis of i, of j, the line of centres as seen in either's plane, and itself."""
    wx, wy, wz = b[i, CX] - b[j, CX], b[i, CY] - b[j, CY], b[i, CZ] - b[j, CZ]
    q = i if way % 2 == 0 else j
    nx, ny, nz = b[q, NX], b[q, NY], b[q, NZ]
    along = wx * nx + wy * ny + wz * nz
    if way < 4:
        px, py, pz = wx - along * nx, wy - along * ny, wz - along * nz
    else:
        px, py, pz = wx, wy, wz
    size = math.sqrt(px * px + py * py + pz * pz)
    if way < 2 or size < 1e-9:
        return (nx, ny, nz) if along > 0.0 else (-nx, -ny, -nz)
    return px / size, py / size, pz / size


@bare
def apart(b: Floats, i: int, j: int, pairs: Floats) -> float:
    """A lower bound on the distance of two discs [m], exact to a micrometre where they touch or overlap.

    The direction it was found along is left in `pairs`, where the next look at this pair begins.
    """
    wx, wy, wz = b[i, CX] - b[j, CX], b[i, CY] - b[j, CY], b[i, CZ] - b[j, CZ]
    far = math.sqrt(wx * wx + wy * wy + wz * wz)
    round_them = far - b[i, REACH] - b[j, REACH]
    if round_them > 0.0:
        return float(round_them)
    x, y, z = pairs[i, j, AXIS], pairs[i, j, AXIS + 1], pairs[i, j, AXIS + 2]
    best, turn = -math.inf, _NARROW
    if x * x + y * y + z * z > 0.0:
        best = gap_along(b, i, j, x, y, z)
    if best <= 0.0:  # overlapping, there may be several directions no small turn of which is better
        for way in range(5):
            tx, ty, tz = _likely(b, i, j, way)
            gap = gap_along(b, i, j, tx, ty, tz)
            face = way < 2 and (_over_face(b, i, j, tx, ty, tz) if way == 1 else _over_face(b, j, i, -tx, -ty, -tz))
            if gap > best + (-_SAME if face else _SAME):
                best, x, y, z, turn = gap, tx, ty, tz, 0.0 if face else _WIDE
    reach = b[i, RADIUS] + b[j, RADIUS]
    while turn > _FINEST and turn * reach > _COARSE * best:
        risen = False
        for q in range(5):
            # turn it towards what is nearest, and towards and across each axis: the ridges run along and round them
            if q == 0:
                px, py, pz = farthest(b, i, -x, -y, -z)
                nx, ny, nz = farthest(b, j, x, y, z)
                nx, ny, nz = px - nx, py - ny, pz - nz
            else:
                p = i if q % 2 == 0 else j
                nx, ny, nz = b[p, NX], b[p, NY], b[p, NZ]
            along = x * nx + y * ny + z * nz
            ex, ey, ez = nx - along * x, ny - along * y, nz - along * z
            size = math.sqrt(ex * ex + ey * ey + ez * ez)
            if size < 1e-9:
                continue
            ex, ey, ez = ex / size, ey / size, ez / size
            if q >= 3:
                ex, ey, ez = y * ez - z * ey, z * ex - x * ez, x * ey - y * ex
            for twice in range(1 if q == 0 else 2):
                side = turn if twice == 0 else -turn
                tx, ty, tz = x + side * ex, y + side * ey, z + side * ez
                size = math.sqrt(tx * tx + ty * ty + tz * tz)
                tx, ty, tz = tx / size, ty / size, tz / size
                gap = gap_along(b, i, j, tx, ty, tz)
                if gap > best + _SAME:
                    best, x, y, z = gap, tx, ty, tz
                    risen = True
                    break
        turn = min(_WIDE, 2.0 * turn) if risen else 0.5 * turn
    pairs[i, j, AXIS], pairs[i, j, AXIS + 1], pairs[i, j, AXIS + 2] = x, y, z
    return float(max(best, round_them))
