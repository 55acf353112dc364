"""Meetings of pyramids: corners with walls from outside, from the hollow and at the rim; edges with edges.

A shell is a pyramid less a smaller one of the same slopes. A corner of one that is in the wall of another leaves it the
shortest way: out, into the hollow, or down past the rim; an edge crosses an edge. Two features only meet if each
turns towards the other: a corner of a standing piece never comes out below a neighbour's rim.
"""

import math
from typing import Final

from flicksim.physics.flight.jit import bare
from flicksim.physics.space.bodies import (
    CORNERS,
    CX,
    CY,
    CZ,
    EDGES,
    HALF,
    LOW,
    MOUTH,
    REACH,
    RISE,
    THICK,
    TOP,
    WALLS,
    Floats,
)
from flicksim.physics.space.contacts import DX, DY, DZ, FIRST, KIND, SECOND, TABLE, add

_LEAN: Final = 0.02
"""Features that turn away from each other by less than this sine still meet: so walls meet walls squarely."""
_PARALLEL: Final = 2e-4
"""Squared sine of an angle below which edges are parallel: corners see to those."""
_PAST: Final = 2e-5
"""So far past its end an edge still counts [m]."""
_LEVEL: Final = 2e-5
"""So far below a rim, or under a wall, a corner or an edge still counts as beside what rises from there: both may be on
the table [m]."""


@bare
def _faces_corner(p: Floats, i: int, v: int, nx: float, ny: float, nz: float) -> bool:
    """True if body `i` lies on the far side of its corner `v` (0 to 4) as seen against a normal towards it."""
    x, y, z = p[i, v, 0], p[i, v, 1], p[i, v, 2]
    size = 0.0
    for k in range(5):
        if k == v or (v < 4 and k == (v + 2) % 4):
            continue
        ex, ey, ez = p[i, k, 0] - x, p[i, k, 1] - y, p[i, k, 2] - z
        size = math.sqrt(ex * ex + ey * ey + ez * ez)
        if ex * nx + ey * ny + ez * nz < -_LEAN * size:
            return False
    return True


@bare
def _facing(one: float, other: float, both: float) -> bool:
    """True if a normal points between the two walls at an edge.

    Told by its dot products with theirs, and theirs with each other."""
    return one - both * other >= -_LEAN and other - both * one >= -_LEAN


@bare
def _depths(p: Floats, w: Floats, i: int, j: int, d: Floats) -> float:
    """Distance of each point of body `i` from each wall and the base of body `j`; the widest gap any of these
    makes between the two."""
    best = -1.0
    for f in range(WALLS):
        nx, ny, nz = w[j, f, 0], w[j, f, 1], w[j, f, 2]
        g = f if f < 4 else 0
        away = nx * p[j, g, 0] + ny * p[j, g, 1] + nz * p[j, g, 2]
        least = 1.0
        for v in range(CORNERS):
            d[v, f] = nx * p[i, v, 0] + ny * p[i, v, 1] + nz * p[i, v, 2] - away
            if v < 5:
                least = min(least, d[v, f])
        best = max(best, least)
    for v in range(CORNERS):
        d[v, 4] = -d[v, 4]
    return best


@bare
def _corner(
    b: Floats, p: Floats, w: Floats, i: int, j: int, v: int, d: Floats, k: Floats, m: int, margin: float
) -> int:
    """Contacts of corner `v` of body `i` with the shell of body `j`."""
    up, thick, level = d[v, 4], b[j, THICK], max(margin, _LEVEL)
    out = max(max(d[v, 0], d[v, 1]), max(d[v, 2], d[v, 3]))
    if out > level or up < -level or out + thick < -margin:
        return m
    best, way = 0.5 * thick, -1
    for f in range(4):
        if -d[v, f] < best and _faces_corner(p, i, v, w[j, f, 0], w[j, f, 1], w[j, f, 2]):
            best, way = -d[v, f], f
    if out < level and out + thick > 0.0 and up < 0.5 * thick and (way < 0 or up < best):
        nx, ny, nz = w[j, 4, 0], w[j, 4, 1], w[j, 4, 2]
        if _faces_corner(p, i, v, nx, ny, nz):
            best, way = up, 4
    inner = out + thick
    if inner <= 0.5 * thick and (way < 0 or inner < best):
        for f in range(4):
            deep = d[v, f] + thick
            if deep > -margin:
                nx, ny, nz = -w[j, f, 0], -w[j, f, 1], -w[j, f, 2]
                if _faces_corner(p, i, v, nx, ny, nz):
                    m = add(k, m, i, j, 16 * v + 5 + f, p[i, v, 0], p[i, v, 1], p[i, v, 2], nx, ny, nz, -deep)
        return m
    if way >= 0 and -best < margin:
        nx, ny, nz = w[j, way, 0], w[j, way, 1], w[j, way, 2]
        m = add(k, m, i, j, 16 * v + way, p[i, v, 0], p[i, v, 1], p[i, v, 2], nx, ny, nz, -best)
    return m


@bare
def edge_ends(a: int) -> tuple[int, int]:
    """The points at the ends of edge `a`."""
    if a < 4:
        return a, (a + 1) % 4
    if a < 8:
        return a - 4, 4
    return a - 3, 5 + (a - 7) % 4


@bare
def _edge_walls(b: Floats, w: Floats, i: int, a: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Dot products of a vector with the normals of the two walls at edge `a`, and of these with each other."""
    rise = b[i, RISE]
    down = w[i, 4, 0] * x + w[i, 4, 1] * y + w[i, 4, 2] * z
    f = a % 4
    one = w[i, f, 0] * x + w[i, f, 1] * y + w[i, f, 2] * z
    if a < 4:
        return one, down, -rise
    if a < 8:
        g = (a + 3) % 4
        return one, w[i, g, 0] * x + w[i, g, 1] * y + w[i, g, 2] * z, rise * rise
    return -one, down, rise


@bare
def _beside(d: Floats, a: int, thick: float, margin: float) -> bool:
    """True if an edge lies wholly to one side of a wall, or wholly in the hollow, of the other body."""
    g, h = edge_ends(a)
    level = max(margin, _LEVEL)
    hollow = d[g, 4] > margin and d[h, 4] > margin
    for f in range(4):
        if d[g, f] > level and d[h, f] > level:
            return True
        hollow = hollow and d[g, f] + thick < -margin and d[h, f] + thick < -margin
    return bool(hollow or (d[g, 4] < -level and d[h, 4] < -level))


@bare
def _edges(
    b: Floats, p: Floats, w: Floats, e: Floats, i: int, j: int, near: Floats, k: Floats, m: int, margin: float
) -> int:
    """Contacts of edges of body `i` with edges of body `j`, of those marked as near."""
    thick = 0.5 * min(b[i, THICK], b[j, THICK])
    for a in range(EDGES):
        if near[0, a] == 0.0:
            continue
        at, _ = edge_ends(a)
        da = a % 8
        ax, ay, az = e[i, da, 0], e[i, da, 1], e[i, da, 2]
        if a < 8:
            long = 2.0 * b[i, HALF] if a < 4 else math.sqrt(2.0 * b[i, HALF] ** 2 + (b[i, LOW] + b[i, TOP]) ** 2)
        else:
            long = 2.0 * b[i, MOUTH]
        for c in range(EDGES):
            if near[1, c] == 0.0:
                continue
            start, _ = edge_ends(c)
            dc = c % 8
            bx, by, bz = e[j, dc, 0], e[j, dc, 1], e[j, dc, 2]
            nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
            sin2 = nx * nx + ny * ny + nz * nz
            if sin2 < _PARALLEL:
                continue
            rx, ry, rz = p[i, at, 0] - p[j, start, 0], p[i, at, 1] - p[j, start, 1], p[i, at, 2] - p[j, start, 2]
            size = math.sqrt(sin2)
            gap = (nx * rx + ny * ry + nz * rz) / size
            if abs(gap) > max(thick, margin):
                continue
            cos = ax * bx + ay * by + az * bz
            along, beyond = ax * rx + ay * ry + az * rz, bx * rx + by * ry + bz * rz
            s, t = (cos * beyond - along) / sin2, (beyond - cos * along) / sin2
            if s < -_PAST or s > long + _PAST or t < -_PAST:
                continue
            if c < 8:
                other = 2.0 * b[j, HALF] if c < 4 else math.sqrt(2.0 * b[j, HALF] ** 2 + (b[j, LOW] + b[j, TOP]) ** 2)
            else:
                other = 2.0 * b[j, MOUTH]
            if t > other + _PAST:
                continue
            nx, ny, nz = nx / size, ny / size, nz / size
            one, two, both = _edge_walls(b, w, j, c, nx, ny, nz)
            sign = 0.0
            if _facing(one, two, both):
                sign = 1.0
            elif _facing(-one, -two, both):
                sign = -1.0
            if sign == 0.0 or sign * gap > margin:
                continue
            one, two, both = _edge_walls(b, w, i, a, -sign * nx, -sign * ny, -sign * nz)
            if not _facing(one, two, both):
                continue
            m = add(
                k, m, i, j, 256 + 16 * a + c, p[i, at, 0] + s * ax, p[i, at, 1] + s * ay, p[i, at, 2] + s * az,
                sign * nx, sign * ny, sign * nz, sign * gap,
            )  # fmt: skip
    return m


@bare
def meet(
    b: Floats, p: Floats, w: Floats, e: Floats, i: int, j: int, d: Floats, near: Floats, k: Floats, m: int,
    margin: float,
) -> tuple[int, float]:  # fmt: skip
    """Contacts of bodies `i` and `j` with a gap below `margin`: the new count, and a gap that there surely is.

    Args:
        d: [2, 9, 5] and near: [2, 12] are scratch.
    """
    x, y, z = b[i, CX] - b[j, CX], b[i, CY] - b[j, CY], b[i, CZ] - b[j, CZ]
    apart = math.sqrt(x * x + y * y + z * z) - b[i, REACH] - b[j, REACH]
    if apart > margin:
        return m, apart
    apart = _depths(p, w, i, j, d[0])
    if apart > margin:
        return m, apart
    apart = max(apart, _depths(p, w, j, i, d[1]))
    if apart > margin:
        return m, apart
    for v in range(5):
        m = _corner(b, p, w, i, j, v, d[0], k, m, margin)
    for v in range(5):
        first = m
        m = _corner(b, p, w, j, i, v, d[1], k, m, margin)
        for q in range(first, m):  # the first body is always the one of the lower number
            k[q, FIRST], k[q, SECOND] = i, j
            k[q, KIND] += 128
            k[q, DX], k[q, DY], k[q, DZ] = -k[q, DX], -k[q, DY], -k[q, DZ]
    any_i, any_j = False, False
    for a in range(EDGES):
        near[0, a] = 0.0 if _beside(d[0], a, b[j, THICK], margin) else 1.0
        near[1, a] = 0.0 if _beside(d[1], a, b[i, THICK], margin) else 1.0
        any_i, any_j = any_i or near[0, a] == 1.0, any_j or near[1, a] == 1.0
    if any_i and any_j:
        m = _edges(b, p, w, e, i, j, near, k, m, margin)
    return m, apart


@bare
def _outward(edge: Floats, x: float, y: float) -> tuple[float, int]:
    """Distance of a point beyond the table's outline, and the side it is beyond; negative over the table."""
    best, side = -1e9, 0
    for s in range(len(edge)):
        out = edge[s, 4] * (x - edge[s, 0]) + edge[s, 5] * (y - edge[s, 1])
        if out > best:
            best, side = out, s
    return best, side


@bare
def beyond(b: Floats, edge: Floats, i: int) -> float:
    """Distance of the middle of body `i` beyond the table's edge [m]; negative over the table."""
    return _outward(edge, b[i, CX], b[i, CY])[0]


@bare
def meet_table(
    b: Floats, p: Floats, w: Floats, e: Floats, i: int, edge: Floats, k: Floats, m: int, margin: float
) -> tuple[int, float]:
    """Contacts of body `i` with the table: the new count, and how far it surely is from the table's edge.

    Corners on top and, at the table's edge, at the side, edges over its edge, and the table's own corners in walls.
    """
    apart = beyond(b, edge, i)
    for v in range(5):
        if apart < -b[i, REACH] - margin:
            if p[i, v, 2] < margin:
                m = add(k, m, i, TABLE, v, p[i, v, 0], p[i, v, 1], p[i, v, 2], 0.0, 0.0, 1.0, p[i, v, 2])
            continue
        x, y, z = p[i, v, 0], p[i, v, 1], p[i, v, 2]
        if z >= margin:
            continue
        out, side = _outward(edge, x, y)
        if out > margin:
            continue
        if z > out:
            if out <= 0.0:
                m = add(k, m, i, TABLE, v, x, y, z, 0.0, 0.0, 1.0, z)
        elif _faces_corner(p, i, v, edge[side, 4], edge[side, 5], 0.0):
            m = add(k, m, i, TABLE, 16 + v, x, y, z, edge[side, 4], edge[side, 5], 0.0, out)
        elif out <= 0.0:
            m = add(k, m, i, TABLE, v, x, y, z, 0.0, 0.0, 1.0, z)
    reach, thick = b[i, REACH] + margin, 0.5 * b[i, THICK]
    if abs(apart) > reach:
        return m, abs(apart) - reach
    for s in range(len(edge)):
        gone = edge[s, 4] * (b[i, CX] - edge[s, 0]) + edge[s, 5] * (b[i, CY] - edge[s, 1])
        if abs(gone) > reach:
            continue
        ax, ay, long = edge[s, 2], edge[s, 3], edge[s, 6]
        for c in range(EDGES):
            start, end = edge_ends(c)
            if p[i, start, 2] > margin and p[i, end, 2] > margin:
                continue
            dc = c % 8
            bx, by, bz = e[i, dc, 0], e[i, dc, 1], e[i, dc, 2]
            nx, ny, nz = ay * bz, -ax * bz, ax * by - ay * bx
            sin2 = nx * nx + ny * ny + nz * nz
            if sin2 < _PARALLEL:
                continue
            rx, ry, rz = edge[s, 0] - p[i, start, 0], edge[s, 1] - p[i, start, 1], -p[i, start, 2]
            size = math.sqrt(sin2)
            gap = (nx * rx + ny * ry + nz * rz) / size
            if abs(gap) > max(thick, margin):
                continue
            cos = ax * bx + ay * by
            along, over = ax * rx + ay * ry, bx * rx + by * ry + bz * rz
            q, t = (cos * over - along) / sin2, (over - cos * along) / sin2
            gx, gy, gz = p[i, end, 0] - p[i, start, 0], p[i, end, 1] - p[i, start, 1], p[i, end, 2] - p[i, start, 2]
            span = math.sqrt(gx * gx + gy * gy + gz * gz)
            if q < -_PAST or q > long + _PAST or t < -_PAST or t > span + _PAST:
                continue
            nx, ny, nz = -nx / size, -ny / size, -nz / size
            sign = 0.0
            if _facing(nz, nx * edge[s, 4] + ny * edge[s, 5], 0.0):
                sign = 1.0
            elif _facing(-nz, -nx * edge[s, 4] - ny * edge[s, 5], 0.0):
                sign = -1.0
            if sign == 0.0 or sign * gap > margin:
                continue
            one, two, both = _edge_walls(b, w, i, c, -sign * nx, -sign * ny, -sign * nz)
            if not _facing(one, two, both):
                continue
            m = add(
                k, m, i, TABLE, 256 + 16 * s + c, edge[s, 0] + q * ax, edge[s, 1] + q * ay, 0.0,
                sign * nx, sign * ny, sign * nz, sign * gap,
            )  # fmt: skip
        m = _table_corner(b, p, w, i, edge, s, k, m, margin)
    return m, 0.0


@bare
def _table_corner(
    b: Floats, p: Floats, w: Floats, i: int, edge: Floats, s: int, k: Floats, m: int, margin: float
) -> int:
    """A contact of body `i` with the table's corner at the beginning of a side of its outline."""
    x, y, thick = edge[s, 0], edge[s, 1], b[i, THICK]
    before = s - 1 if s > 0 else len(edge) - 1
    out, up = -1.0, 0.0
    best, way, sign, depth = 0.5 * thick, -1, -1.0, 0.0
    for f in range(WALLS):
        g = f if f < 4 else 0
        away = w[i, f, 0] * (x - p[i, g, 0]) + w[i, f, 1] * (y - p[i, g, 1]) - w[i, f, 2] * p[i, g, 2]
        if f < 4:
            out = max(out, away)
        else:
            up = -away
        if (
            -away < best
            and (f < 4 or (out < 0.0 and out + thick > 0.0))
            and _faces_table(edge, s, before, w, i, f, -1.0)
        ):
            best, way = -away, f
    if out > margin or up < -margin or out + thick < -margin:
        return m
    for f in range(4):
        away = w[i, f, 0] * (x - p[i, f, 0]) + w[i, f, 1] * (y - p[i, f, 1]) - w[i, f, 2] * p[i, f, 2]
        depth = away + thick
        if away == out and depth <= 0.5 * thick and depth < best and _faces_table(edge, s, before, w, i, f, 1.0):
            best, way, sign = depth, f, 1.0
    if way >= 0 and -best < margin:
        m = add(
            k, m, i, TABLE, 128 + way, x, y, 0.0, sign * w[i, way, 0], sign * w[i, way, 1], sign * w[i, way, 2], -best
        )
    return m


@bare
def _faces_table(edge: Floats, s: int, before: int, w: Floats, i: int, f: int, sign: float) -> bool:
    """True if the table lies on the far side of its corner as seen along a normal that pushes the body away from it."""
    nx, ny, nz = sign * w[i, f, 0], sign * w[i, f, 1], sign * w[i, f, 2]
    ahead = edge[s, 2] * nx + edge[s, 3] * ny
    back = -edge[before, 2] * nx - edge[before, 3] * ny
    return bool(ahead <= _LEAN and back <= _LEAN and nz >= -_LEAN)
