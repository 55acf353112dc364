"""Narrow phase of pyramids: vertices with faces from outside, inside and at the rim; edges with edges.

A shell is a pyramid minus a smaller one of the same slopes. A vertex inside a wall is pushed out along the shortest
way: outwards, into the hollow, or down past the rim; an edge crosses an edge. Two features only collide if they face
each other: a vertex of a standing piece is never pushed out below a neighbour's rim.
"""

import math
from typing import Final

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.pyramids import bodies as P
from flicksim.engine.pyramids.bodies import EDGE_COUNT, FACE_COUNT, VERTEX_COUNT
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies.bodies import Floats
from flicksim.engine.rigid_bodies.contacts import add_contact

TABLE: Final = -1
"""In place of a second body: the table."""
_FACING_SINE: Final = 0.02
"""Sine of the angle by which features may face away from each other and still collide: flush walls do."""
_PARALLEL_SINE_SQUARED: Final = 2e-4
"""Squared sine of the angle below which edges are parallel, and left to vertex contacts."""
_EDGE_END_TOLERANCE: Final = 2e-5
"""Length by which outer edges are extended [m]."""
_RIM_TOLERANCE: Final = 2e-5
"""Depth below a rim or under a wall at which a vertex or an edge still counts as beside it: both may be on the table
[m]."""


@njit_no_refcount
def _is_vertex_facing(p: Floats, i: int, v: int, nx: float, ny: float, nz: float) -> bool:
    """True if a unit normal at vertex `v` (0 to 4) of body `i` points into the body: all its edges lie along it."""
    x, y, z = p[i, v, 0], p[i, v, 1], p[i, v, 2]
    size = 0.0
    for k in range(5):
        if k == v or (v < 4 and k == (v + 2) % 4):
            continue
        ex, ey, ez = p[i, k, 0] - x, p[i, k, 1] - y, p[i, k, 2] - z
        size = math.sqrt(ex * ex + ey * ey + ez * ez)
        if ex * nx + ey * ny + ez * nz < -_FACING_SINE * size:
            return False
    return True


@njit_no_refcount
def _is_between_normals(one: float, other: float, both: float) -> bool:
    """True if a direction lies between the normals of the two faces at an edge (the edge's arc of the Gauss map).

    Args:
        one, other: dot products of the direction with the face normals. both: of these with each other.
    """
    return one - both * other >= -_FACING_SINE and other - both * one >= -_FACING_SINE


@njit_no_refcount
def _vertex_face_distances(p: Floats, w: Floats, i: int, j: int, d: Floats) -> float:
    """Write the signed distances of the points of body `i` from the faces of body `j` to `d`; return the largest
    separation along any face normal."""
    best = -1.0
    for f in range(FACE_COUNT):
        nx, ny, nz = w[j, f, 0], w[j, f, 1], w[j, f, 2]
        g = f if f < 4 else 0
        away = nx * p[j, g, 0] + ny * p[j, g, 1] + nz * p[j, g, 2]
        least = 1.0
        for v in range(VERTEX_COUNT):
            d[v, f] = nx * p[i, v, 0] + ny * p[i, v, 1] + nz * p[i, v, 2] - away
            if v < 5:
                least = min(least, d[v, f])
        best = max(best, least)
    for v in range(VERTEX_COUNT):
        d[v, 4] = -d[v, 4]
    return best


@njit_no_refcount
def _vertex_contacts(
    b: Floats, p: Floats, w: Floats, i: int, j: int, v: int, d: Floats, k: Floats, m: int, margin: float
) -> int:
    """Add contacts of vertex `v` of body `i` with the shell of body `j`: the new count."""
    up, thick, level = d[v, 4], b[j, P.WALL_THICKNESS], max(margin, _RIM_TOLERANCE)
    out = max(max(d[v, 0], d[v, 1]), max(d[v, 2], d[v, 3]))
    if out > level or up < -level or out + thick < -margin:
        return m
    best, way = 0.5 * thick, -1
    for f in range(4):
        if -d[v, f] < best and _is_vertex_facing(p, i, v, w[j, f, 0], w[j, f, 1], w[j, f, 2]):
            best, way = -d[v, f], f
    if out < level and out + thick > 0.0 and up < 0.5 * thick and (way < 0 or up < best):
        nx, ny, nz = w[j, 4, 0], w[j, 4, 1], w[j, 4, 2]
        if _is_vertex_facing(p, i, v, nx, ny, nz):
            best, way = up, 4
    inner = out + thick
    if inner <= 0.5 * thick and (way < 0 or inner < best):
        for f in range(4):
            deep = d[v, f] + thick
            if deep > -margin:
                nx, ny, nz = -w[j, f, 0], -w[j, f, 1], -w[j, f, 2]
                if _is_vertex_facing(p, i, v, nx, ny, nz):
                    m = add_contact(k, m, i, j, 16 * v + 5 + f, p[i, v, 0], p[i, v, 1], p[i, v, 2], nx, ny, nz, -deep)
        return m
    if way >= 0 and -best < margin:
        nx, ny, nz = w[j, way, 0], w[j, way, 1], w[j, way, 2]
        m = add_contact(k, m, i, j, 16 * v + way, p[i, v, 0], p[i, v, 1], p[i, v, 2], nx, ny, nz, -best)
    return m


@njit_no_refcount
def edge_ends(a: int) -> tuple[int, int]:
    """Indices of the points at both ends of edge `a`."""
    if a < 4:
        return a, (a + 1) % 4
    if a < 8:
        return a - 4, 4
    return a - 3, 5 + (a - 7) % 4


@njit_no_refcount
def _edge_wall_dots(b: Floats, w: Floats, i: int, a: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Dot products of a vector with the normals of the two faces at edge `a`, and of these with each other."""
    rise = b[i, P.SIN_HALF_APEX]
    down = w[i, 4, 0] * x + w[i, 4, 1] * y + w[i, 4, 2] * z
    f = a % 4
    one = w[i, f, 0] * x + w[i, f, 1] * y + w[i, f, 2] * z
    if a < 4:
        return one, down, -rise
    if a < 8:
        g = (a + 3) % 4
        return one, w[i, g, 0] * x + w[i, g, 1] * y + w[i, g, 2] * z, rise * rise
    return -one, down, rise


@njit_no_refcount
def _is_edge_clear(d: Floats, a: int, thick: float, margin: float) -> bool:
    """True if edge `a` lies entirely outside a face, or entirely in the hollow, of the other body."""
    g, h = edge_ends(a)
    level = max(margin, _RIM_TOLERANCE)
    hollow = d[g, 4] > margin and d[h, 4] > margin
    for f in range(4):
        if d[g, f] > level and d[h, f] > level:
            return True
        hollow = hollow and d[g, f] + thick < -margin and d[h, f] + thick < -margin
    return bool(hollow or (d[g, 4] < -level and d[h, 4] < -level))


@njit_no_refcount
def _edge_length(b: Floats, i: int, a: int) -> float:
    """Length of edge `a` of body `i` [m]."""
    if a < 4:
        return float(2.0 * b[i, P.HALF_BASE])
    if a < 8:
        return math.sqrt(2.0 * b[i, P.HALF_BASE] ** 2 + (b[i, P.BASE_DISTANCE] + b[i, P.TIP_DISTANCE]) ** 2)
    return float(2.0 * b[i, P.HALF_HOLLOW_BASE])


@njit_no_refcount
def _edge_extension(b: Floats, i: int, a: int) -> float:
    """Length by which edge `a` of body `i` is extended [m].

    Those of the hollow go on into the corner of the rim: an edge that slides off the end of one there is in the wall.
    """
    return float(0.5 * b[i, P.WALL_THICKNESS]) if a >= 8 else _EDGE_END_TOLERANCE


@njit_no_refcount
def _cross_edges(
    ax: float, ay: float, az: float, length_a: float, bx: float, by: float, bz: float, length_b: float,
    rx: float, ry: float, rz: float, reach: float, end_a: float, end_b: float,
) -> tuple[bool, float, float, float, float, float]:  # fmt: skip
    """Closest points of two edges: whether they cross within `reach`, signed gap [m], place on the first edge [m], and
    the unit vector across both.

    Args:
        ax..., bx...: unit directions. rx, ry, rz: from the start of the second edge to that of the first [m]. end_a,
            end_b: lengths by which the edges are extended [m].
    """
    nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    sin2 = nx * nx + ny * ny + nz * nz
    if sin2 < _PARALLEL_SINE_SQUARED:
        return False, 0.0, 0.0, 0.0, 0.0, 0.0
    size = math.sqrt(sin2)
    nx, ny, nz = nx / size, ny / size, nz / size
    gap = nx * rx + ny * ry + nz * rz
    cos = ax * bx + ay * by + az * bz
    along, beyond = ax * rx + ay * ry + az * rz, bx * rx + by * ry + bz * rz
    s, t = (cos * beyond - along) / sin2, (beyond - cos * along) / sin2
    within = max(-s, s - length_a) <= end_a and max(-t, t - length_b) <= end_b
    return abs(gap) <= reach and within, gap, s, nx, ny, nz


@njit_no_refcount
def _edge_contacts(
    b: Floats, p: Floats, w: Floats, e: Floats, i: int, j: int, scratch: Floats, k: Floats, m: int, margin: float
) -> int:
    """Add contacts between the edges of bodies `i` and `j` marked in `scratch`: the new count."""
    thick = 0.5 * min(b[i, P.WALL_THICKNESS], b[j, P.WALL_THICKNESS])
    for a in range(EDGE_COUNT):
        if scratch[0, a] == 0.0:
            continue
        at, _ = edge_ends(a)
        ax, ay, az = e[i, a % 8, 0], e[i, a % 8, 1], e[i, a % 8, 2]
        long = _edge_length(b, i, a)
        for c in range(EDGE_COUNT):
            if scratch[1, c] == 0.0:
                continue
            start, _ = edge_ends(c)
            rx, ry, rz = p[i, at, 0] - p[j, start, 0], p[i, at, 1] - p[j, start, 1], p[i, at, 2] - p[j, start, 2]
            meet, gap, s, nx, ny, nz = _cross_edges(
                ax, ay, az, long, e[j, c % 8, 0], e[j, c % 8, 1], e[j, c % 8, 2], _edge_length(b, j, c), rx, ry, rz,
                max(thick, margin), _edge_extension(b, i, a), _edge_extension(b, j, c),
            )  # fmt: skip
            if not meet:
                continue
            one, two, both = _edge_wall_dots(b, w, j, c, nx, ny, nz)
            sign = 0.0
            if _is_between_normals(one, two, both):
                sign = 1.0
            elif _is_between_normals(-one, -two, both):
                sign = -1.0
            if sign == 0.0 or sign * gap > margin:
                continue
            one, two, both = _edge_wall_dots(b, w, i, a, -sign * nx, -sign * ny, -sign * nz)
            if not _is_between_normals(one, two, both):
                continue
            m = add_contact(
                k, m, i, j, 256 + 16 * a + c, p[i, at, 0] + s * ax, p[i, at, 1] + s * ay, p[i, at, 2] + s * az,
                sign * nx, sign * ny, sign * nz, sign * gap,
            )  # fmt: skip
    return m


@njit_no_refcount
def collide_pyramids(
    b: Floats, p: Floats, w: Floats, e: Floats, i: int, j: int, d: Floats, scratch: Floats, k: Floats, m: int,
    margin: float,
) -> tuple[int, float]:  # fmt: skip
    """Add contacts of bodies `i` and `j` with a gap below `margin`: new count, and a lower bound on the distance.

    Args:
        d, scratch: scratch arrays. [2, 9, 5], [2, 12]
    """
    x, y, z = b[i, B.CX] - b[j, B.CX], b[i, B.CY] - b[j, B.CY], b[i, B.CZ] - b[j, B.CZ]
    apart = math.sqrt(x * x + y * y + z * z) - b[i, B.BOUNDING_RADIUS] - b[j, B.BOUNDING_RADIUS]
    if apart > margin:
        return m, apart
    apart = _vertex_face_distances(p, w, i, j, d[0])
    if apart > margin:
        return m, apart
    apart = max(apart, _vertex_face_distances(p, w, j, i, d[1]))
    if apart > margin:
        return m, apart
    for v in range(5):
        m = _vertex_contacts(b, p, w, i, j, v, d[0], k, m, margin)
    for v in range(5):
        first = m
        m = _vertex_contacts(b, p, w, j, i, v, d[1], k, m, margin)
        for q in range(first, m):  # the first body is always the one of lower index
            k[q, C.BODY_A], k[q, C.BODY_B] = i, j
            k[q, C.FEATURE_ID] += 128
            k[q, C.NORMAL_X], k[q, C.NORMAL_Y], k[q, C.NORMAL_Z] = (
                -k[q, C.NORMAL_X],
                -k[q, C.NORMAL_Y],
                -k[q, C.NORMAL_Z],
            )
    any_i, any_j = False, False
    for a in range(EDGE_COUNT):
        scratch[0, a] = 0.0 if _is_edge_clear(d[0], a, b[j, P.WALL_THICKNESS], margin) else 1.0
        scratch[1, a] = 0.0 if _is_edge_clear(d[1], a, b[i, P.WALL_THICKNESS], margin) else 1.0
        any_i, any_j = any_i or scratch[0, a] == 1.0, any_j or scratch[1, a] == 1.0
    if any_i and any_j:
        m = _edge_contacts(b, p, w, e, i, j, scratch, k, m, margin)
    return m, apart


@njit_no_refcount
def _distance_past_outline(outline: Floats, x: float, y: float) -> tuple[float, int]:
    """Signed distance of a point beyond the table's outline, negative over the table, and the nearest side."""
    best, side = -1e9, 0
    for s in range(len(outline)):
        out = outline[s, 4] * (x - outline[s, 0]) + outline[s, 5] * (y - outline[s, 1])
        if out > best:
            best, side = out, s
    return best, side


@njit_no_refcount
def overhang(b: Floats, outline: Floats, i: int) -> float:
    """Signed distance of the centre of mass of body `i` beyond the table's edge, negative over the table [m]."""
    return _distance_past_outline(outline, b[i, B.CX], b[i, B.CY])[0]


@njit_no_refcount
def collide_table(
    b: Floats, p: Floats, w: Floats, e: Floats, i: int, outline: Floats, k: Floats, m: int, margin: float
) -> tuple[int, float]:
    """Add contacts of body `i` with the table: new count, and a lower bound on its distance from the table's edge.

    Vertices with the top and sides of the table, edges with its edges, and its corners with walls.
    """
    apart = overhang(b, outline, i)
    for v in range(5):
        if apart < -b[i, B.BOUNDING_RADIUS] - margin:
            if p[i, v, 2] < margin:
                m = add_contact(k, m, i, TABLE, v, p[i, v, 0], p[i, v, 1], p[i, v, 2], 0.0, 0.0, 1.0, p[i, v, 2])
            continue
        x, y, z = p[i, v, 0], p[i, v, 1], p[i, v, 2]
        if z >= margin:
            continue
        out, side = _distance_past_outline(outline, x, y)
        if out > margin:
            continue
        if z > out:
            if out <= 0.0:
                m = add_contact(k, m, i, TABLE, v, x, y, z, 0.0, 0.0, 1.0, z)
        elif _is_vertex_facing(p, i, v, outline[side, 4], outline[side, 5], 0.0):
            m = add_contact(k, m, i, TABLE, 16 + v, x, y, z, outline[side, 4], outline[side, 5], 0.0, out)
        elif out <= 0.0:
            m = add_contact(k, m, i, TABLE, v, x, y, z, 0.0, 0.0, 1.0, z)
    reach, thick = b[i, B.BOUNDING_RADIUS] + margin, 0.5 * b[i, P.WALL_THICKNESS]
    if abs(apart) > reach:
        return m, abs(apart) - reach
    for s in range(len(outline)):
        gone = outline[s, 4] * (b[i, B.CX] - outline[s, 0]) + outline[s, 5] * (b[i, B.CY] - outline[s, 1])
        if abs(gone) > reach:
            continue
        ax, ay, long = outline[s, 2], outline[s, 3], outline[s, 6]
        for c in range(EDGE_COUNT):
            start, end = edge_ends(c)
            if p[i, start, 2] > margin and p[i, end, 2] > margin:
                continue
            rx, ry, rz = outline[s, 0] - p[i, start, 0], outline[s, 1] - p[i, start, 1], -p[i, start, 2]
            meet, gap, q, nx, ny, nz = _cross_edges(
                ax, ay, 0.0, long, e[i, c % 8, 0], e[i, c % 8, 1], e[i, c % 8, 2], _edge_length(b, i, c), rx, ry, rz,
                max(thick, margin), _EDGE_END_TOLERANCE, _edge_extension(b, i, c),
            )  # fmt: skip
            if not meet:
                continue
            nx, ny, nz = -nx, -ny, -nz
            sign = 0.0
            if _is_between_normals(nz, nx * outline[s, 4] + ny * outline[s, 5], 0.0):
                sign = 1.0
            elif _is_between_normals(-nz, -nx * outline[s, 4] - ny * outline[s, 5], 0.0):
                sign = -1.0
            if sign == 0.0 or sign * gap > margin:
                continue
            one, two, both = _edge_wall_dots(b, w, i, c, -sign * nx, -sign * ny, -sign * nz)
            if not _is_between_normals(one, two, both):
                continue
            m = add_contact(
                k, m, i, TABLE, 256 + 16 * s + c, outline[s, 0] + q * ax, outline[s, 1] + q * ay, 0.0,
                sign * nx, sign * ny, sign * nz, sign * gap,
            )  # fmt: skip
        m = _table_corner_contact(b, p, w, i, outline, s, k, m, margin)
    return m, 0.0


@njit_no_refcount
def _table_corner_contact(
    b: Floats, p: Floats, w: Floats, i: int, outline: Floats, s: int, k: Floats, m: int, margin: float
) -> int:
    """Add a contact of body `i` with the table's corner at the start of side `s`: the new count."""
    x, y, thick = outline[s, 0], outline[s, 1], b[i, P.WALL_THICKNESS]
    before = s - 1 if s > 0 else len(outline) - 1
    out, up = -1.0, 0.0
    best, way, sign, depth = 0.5 * thick, -1, -1.0, 0.0
    for f in range(FACE_COUNT):
        g = f if f < 4 else 0
        away = w[i, f, 0] * (x - p[i, g, 0]) + w[i, f, 1] * (y - p[i, g, 1]) - w[i, f, 2] * p[i, g, 2]
        if f < 4:
            out = max(out, away)
        else:
            up = -away
        if (
            -away < best
            and (f < 4 or (out < 0.0 and out + thick > 0.0))
            and _is_table_facing(outline, s, before, w, i, f, -1.0)
        ):
            best, way = -away, f
    if out > margin or up < -margin or out + thick < -margin:
        return m
    for f in range(4):
        away = w[i, f, 0] * (x - p[i, f, 0]) + w[i, f, 1] * (y - p[i, f, 1]) - w[i, f, 2] * p[i, f, 2]
        depth = away + thick
        if away == out and depth <= 0.5 * thick and depth < best and _is_table_facing(outline, s, before, w, i, f, 1.0):
            best, way, sign = depth, f, 1.0
    if way >= 0 and -best < margin:
        m = add_contact(
            k, m, i, TABLE, 128 + way, x, y, 0.0, sign * w[i, way, 0], sign * w[i, way, 1], sign * w[i, way, 2], -best
        )
    return m


@njit_no_refcount
def _is_table_facing(outline: Floats, s: int, prev_side: int, w: Floats, i: int, f: int, sign: float) -> bool:
    """True if the normal of a contact with the table's corner at the start of side `s` points away from the table."""
    nx, ny, nz = sign * w[i, f, 0], sign * w[i, f, 1], sign * w[i, f, 2]
    ahead = outline[s, 2] * nx + outline[s, 3] * ny
    back = -outline[prev_side, 2] * nx - outline[prev_side, 3] * ny
    return bool(ahead <= _FACING_SINE and back <= _FACING_SINE and nz >= -_FACING_SINE)
