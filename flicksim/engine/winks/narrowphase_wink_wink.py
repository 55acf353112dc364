"""Narrow phase of two winks: rim circles against the other as a cylinder, and face against face.

All observed energy gains came from contacts that appeared, or whose normals flipped, at depth; hence the many
conditions on contacts of nearly parallel discs.
"""

import math
from typing import Final

from flicksim.engine.jit import njit_inline, njit_no_refcount
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies.contacts import add_contact
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks.contacts import (
    GOLDEN_RATIO,
    RIM_SAMPLES,
    SAMPLE_COS,
    SAMPLE_SIN,
    SAMPLE_SPACING,
    TAN_HALF_SPACING,
    narrow_bracket,
)
from flicksim.engine.winks.params import Floats
from flicksim.engine.winks.separation import SEPARATING_AXIS, separation, support_point

PARALLEL_COSINE: Final = 0.95
"""|na.nb| above which two discs may be in face contact."""
FACE_PARALLEL_COSINE: Final = 0.9995
"""|na.nb| above which the crossings of both rims, seen from above, are contacts too."""
MISSED_DEPTH: Final = 5e-6
"""Depth by which the overlap of a pair may exceed that of its contacts [m]."""
ROUNDING: Final = 1e-9
"""Bound on the rounding errors of distances [m]."""
_RADIAL, _AXIAL, _CORNER = 0, 1, 2


@njit_inline
def _cylinder_distance(rho2: float, z: float, R: float, h: float) -> tuple[float, int, float]:
    """Signed distance to a cylinder from (squared radius, height) in its frame, the closest region, and the radius."""
    rho = math.sqrt(max(rho2, 0.0))
    dr, da = rho - R, abs(z) - h
    if dr > 0.0 and da > 0.0:
        return math.sqrt(dr * dr + da * da), _CORNER, rho
    if dr > da:
        return dr, _RADIAL, rho
    return da, _AXIAL, rho


@njit_inline
def _normal_components(kind: int, d: float, z: float, rho: float, R: float, h: float) -> tuple[float, float]:
    """Radial and axial component of the normal of a cylinder where it is nearest to a point.

    Args:
        kind: closest region of the cylinder. d, z, rho: distance, height and radius of the point [m]. R, h: radius and
            half height of the cylinder [m].
    """
    up = 1.0 if z > 0.0 else -1.0
    if kind == _RADIAL:
        return 1.0, 0.0
    if kind == _AXIAL:
        return 0.0, up
    return (rho - R) / d, up * (abs(z) - h) / d


@njit_no_refcount
def _add_unique(
    k: Floats,
    first: int,
    m: int,
    i: int,
    j: int,
    px: float,
    py: float,
    pz: float,
    nx: float,
    ny: float,
    nz: float,
    gap: float,
) -> int:
    """Add a contact, merged with one of the pair within .4 mm and of like normal: the smaller gap is kept."""
    for q in range(first, m):
        dx, dy, dz = px - k[q, C.POINT_X], py - k[q, C.POINT_Y], pz - k[q, C.POINT_Z]
        same = nx * k[q, C.NORMAL_X] + ny * k[q, C.NORMAL_Y] + nz * k[q, C.NORMAL_Z]
        if same > 0.9 and dx * dx + dy * dy + dz * dz < 0.16e-6:
            if gap < k[q, C.GAP]:
                k[q, C.GAP], k[q, C.SPRING_DEPTH] = gap, -gap
            return m
    return add_contact(k, m, i, j, 0, px, py, pz, nx, ny, nz, gap)


@njit_inline
def _rim_distance(
    t: float, s: int, z0: float, zc: float, zs: float, q0: float, qc: float, qs: float, R: float, h: float
) -> tuple[float, int, float, float, float, float]:
    """Distance of a point of a rim circle from a cylinder: that, the closest region, its radius and height, and the
    cosine and sine of its angle.

    Args:
        t: tangent of half its angle from sample `s`. z0, zc, zs: its height is z0 + zc cos + zs sin [m]. q0, qc, qs: so
            is its squared distance from the middle [m^2]. R, h: radius and half height of the cylinder [m].
    """
    scale = 1.0 / (1.0 + t * t)
    c0, s0 = (1.0 - t * t) * scale, 2.0 * t * scale
    co, si = SAMPLE_COS[s] * c0 - SAMPLE_SIN[s] * s0, SAMPLE_SIN[s] * c0 + SAMPLE_COS[s] * s0
    z = z0 + zc * co + zs * si
    d, kind, rho = _cylinder_distance(q0 + qc * co + qs * si - z * z, z, R, h)
    return d, kind, rho, z, co, si


@njit_inline
def _nearest_on_rim(
    s: int, z0: float, zc: float, zs: float, q0: float, qc: float, qs: float, R: float, h: float, margin: float,
    radius: float,
) -> float:  # fmt: skip
    """Tangent of half the angle from sample `s` at which a rim circle is nearest to a cylinder: golden-section search.

    Args:
        margin: distance from which on it is not searched to the end [m]. radius: of the circle [m]. Others: see
            `_rim_distance`.
    """
    low, high = -TAN_HALF_SPACING, TAN_HALF_SPACING
    t1, t2 = high - GOLDEN_RATIO * (high - low), low + GOLDEN_RATIO * (high - low)
    f1, f2, fresh = math.inf, math.inf, 2
    for _ in range(20):
        for which in range(2):
            if fresh != 2 and which != fresh:
                continue
            f = _rim_distance(t1 if which == 0 else t2, s, z0, zc, zs, q0, qc, qs, R, h)[0]
            if which == 0:
                f1 = f
            else:
                f2 = f
        low, high, t1, t2, f1, f2, fresh = narrow_bracket(low, high, t1, t2, f1, f2)
        if min(f1, f2) > margin + 2.0 * radius * (high - low):
            break  # no point of the arc is within the margin
    return 0.5 * (low + high)


@njit_inline
def _axis_in_plane(
    nx: float, ny: float, nz: float, jx: float, jy: float, jz: float, cos: float, wx: float, wy: float, wz: float
) -> tuple[float, float, float]:
    """Unit vector perpendicular to a disc's axis, from the scene, for mirror symmetry.

    It is the other's axis (jx, jy, jz) projected on the disc's plane, or else the line of centres (wx, wy, wz); `cos`:
    of the angle between both axes.
    """
    ux, uy, uz = jx - cos * nx, jy - cos * ny, jz - cos * nz
    size = math.sqrt(ux * ux + uy * uy + uz * uz)
    if size < 1e-9:
        along = wx * nx + wy * ny + wz * nz
        ux, uy, uz = wx - along * nx, wy - along * ny, wz - along * nz
        size = math.sqrt(ux * ux + uy * uy + uz * uz)
        if size < 1e-9:
            ux, uy, uz = (0.0, nz, -ny) if abs(nx) > 0.9 else (nz, 0.0, -nx)
            size = math.sqrt(ux * ux + uy * uy + uz * uz)
    return ux / size, uy / size, uz / size


@njit_no_refcount
def _rim_contacts(
    b: Floats, i: int, j: int, flip: bool, k: Floats, first: int, m: int, margin: float, scratch: Floats
) -> int:
    """Add contacts of the rim circles of disc `i` with the cylinder of disc `j`; `flip`: stored as of j with i."""
    nx, ny, nz, Ri, hi = b[i, B.NX], b[i, B.NY], b[i, B.NZ], b[i, W.RADIUS], b[i, W.HALF_THICKNESS]
    jx, jy, jz, Rj, hj = b[j, B.NX], b[j, B.NY], b[j, B.NZ], b[j, W.RADIUS], b[j, W.HALF_THICKNESS]
    wx, wy, wz = b[i, B.CX] - b[j, B.CX], b[i, B.CY] - b[j, B.CY], b[i, B.CZ] - b[j, B.CZ]
    cos = nx * jx + ny * jy + nz * jz
    parallel = abs(cos) > PARALLEL_COSINE
    axial = wx * jx + wy * jy + wz * jz
    on = abs(axial) > 0.3 * (hi + hj)
    overlap = Ri + Rj - math.sqrt(max(0.0, wx * wx + wy * wy + wz * wz - axial * axial))
    ux, uy, uz = _axis_in_plane(nx, ny, nz, jx, jy, jz, cos, wx, wy, wz)
    sx, sy, sz = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
    zc, zs = Ri * (ux * jx + uy * jy + uz * jz), Ri * (sx * jx + sy * jy + sz * jz)
    # a rim circle rises and falls by `swing` along the other's axis: where it stays above or below, nothing is searched
    swing, farthest = math.sqrt(zc * zc + zs * zs), margin + ROUNDING
    for circle in range(3 if parallel else 2):
        side = hi if circle == 0 else (-hi if circle == 1 else 0.0)
        cx, cy, cz = wx + side * nx, wy + side * ny, wz + side * nz
        z0 = cx * jx + cy * jy + cz * jz
        if abs(z0) - swing - hj > farthest:
            continue
        q0 = cx * cx + cy * cy + cz * cz + Ri * Ri
        qc, qs = 2.0 * Ri * (cx * ux + cy * uy + cz * uz), 2.0 * Ri * (cx * sx + cy * sy + cz * sz)
        for s in range(RIM_SAMPLES):
            z = z0 + zc * SAMPLE_COS[s] + zs * SAMPLE_SIN[s]
            scratch[s], _, _ = _cylinder_distance(q0 + qc * SAMPLE_COS[s] + qs * SAMPLE_SIN[s] - z * z, z, Rj, hj)
        for s in range(RIM_SAMPLES):
            here, before, after = scratch[s], scratch[s - 1], scratch[(s + 1) % RIM_SAMPLES]
            if here > before or here >= after or here > 0.6 * Ri * SAMPLE_SPACING:
                continue
            z = z0 + zc * SAMPLE_COS[s] + zs * SAMPLE_SIN[s]
            if abs(z) - swing * SAMPLE_SPACING - hj > farthest:
                continue
            t = _nearest_on_rim(s, z0, zc, zs, q0, qc, qs, Rj, hj, margin, Ri)
            d, kind, rho, z, co, si = _rim_distance(t, s, z0, zc, zs, q0, qc, qs, Rj, hj)
            if d > margin or rho <= 0.0:
                continue
            if parallel:
                if before - 2.0 * here + after < 1e-7:
                    continue  # a plateau: covered by face contacts
                if kind == _AXIAL and (circle == 2 or not on):
                    continue
                if kind == _RADIAL and on and overlap > 0.4e-3:
                    continue  # nearly coincident rims: the radial normal would flip
            px, py, pz = cx + Ri * (co * ux + si * sx), cy + Ri * (co * uy + si * sy), cz + Ri * (co * uz + si * sz)
            rx, ry, rz = (px - z * jx) / rho, (py - z * jy) / rho, (pz - z * jz) / rho
            dr, da = _normal_components(kind, d, z, rho, Rj, hj)
            mx, my, mz = dr * rx + da * jx, dr * ry + da * jy, dr * rz + da * jz
            px, py, pz = px + b[j, B.CX], py + b[j, B.CY], pz + b[j, B.CZ]
            if flip:
                m = _add_unique(k, first, m, j, i, px, py, pz, -mx, -my, -mz, d)
            else:
                m = _add_unique(k, first, m, i, j, px, py, pz, mx, my, mz, d)
    return m


@njit_no_refcount
def _face_contacts(b: Floats, i: int, j: int, flip: bool, k: Floats, first: int, m: int, margin: float) -> int:
    """Add contacts of points on the facing rim of disc `i` with the face of disc `j`."""
    nx, ny, nz, Ri, hi = b[i, B.NX], b[i, B.NY], b[i, B.NZ], b[i, W.RADIUS], b[i, W.HALF_THICKNESS]
    jx, jy, jz, Rj, hj = b[j, B.NX], b[j, B.NY], b[j, B.NZ], b[j, W.RADIUS], b[j, W.HALF_THICKNESS]
    wx, wy, wz = b[i, B.CX] - b[j, B.CX], b[i, B.CY] - b[j, B.CY], b[i, B.CZ] - b[j, B.CZ]
    axial = wx * jx + wy * jy + wz * jz
    plan = math.sqrt(max(0.0, wx * wx + wy * wy + wz * wz - axial * axial))
    if axial < 0.0:  # from here on face normals point from j to i
        jx, jy, jz, axial = -jx, -jy, -jz, -axial
    cos = nx * jx + ny * jy + nz * jz
    if cos < 0.0:
        nx, ny, nz, cos = -nx, -ny, -nz, -cos
    deepest = min(hi, Ri + Rj - plan)
    cx, cy, cz = wx - hi * nx, wy - hi * ny, wz - hi * nz
    # in-plane directions: towards the other's centre, and of steepest descent to its face
    along = wx * nx + wy * ny + wz * nz
    tx, ty, tz = along * nx - wx, along * ny - wy, along * nz - wz
    size = math.sqrt(tx * tx + ty * ty + tz * tz)
    if size > 1e-9:
        tx, ty, tz = tx / size, ty / size, tz / size
    else:
        tx, ty, tz = (0.0, nz, -ny) if abs(nx) > 0.9 else (nz, 0.0, -nx)
        size = math.sqrt(tx * tx + ty * ty + tz * tz)
        tx, ty, tz = tx / size, ty / size, tz / size
    ux, uy, uz = cos * nx - jx, cos * ny - jy, cos * nz - jz
    size = math.sqrt(ux * ux + uy * uy + uz * uz)
    if size > 1e-9:
        ux, uy, uz = ux / size, uy / size, uz / size
    else:
        ux, uy, uz = tx, ty, tz
    sx, sy, sz = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
    R = 0.995 * Ri  # at exactly R, coincident equal winks would fall through each other
    for point in range(5):
        if point == 0:
            dx, dy, dz = R * ux, R * uy, R * uz
        elif point == 1:
            dx, dy, dz = -R * ux, -R * uy, -R * uz
        elif point == 2:
            dx, dy, dz = R * sx, R * sy, R * sz
        elif point == 3:
            dx, dy, dz = -R * sx, -R * sy, -R * sz
        else:
            dx, dy, dz = R * tx, R * ty, R * tz
        px, py, pz = cx + dx, cy + dy, cz + dz
        z = px * jx + py * jy + pz * jz
        gap = z - hj
        if gap <= margin and -gap < deepest and px * px + py * py + pz * pz - z * z < Rj * Rj:
            px, py, pz = px + b[j, B.CX], py + b[j, B.CY], pz + b[j, B.CZ]
            if flip:
                m = _add_unique(k, first, m, j, i, px, py, pz, -jx, -jy, -jz, gap)
            else:
                m = _add_unique(k, first, m, i, j, px, py, pz, jx, jy, jz, gap)
    if flip or cos < FACE_PARALLEL_COSINE or plan < 1e-9:
        return m
    # crossings of both rims in j's plane
    reach = (plan * plan + Rj * Rj - Ri * Ri) / (2.0 * plan)
    half = Rj * Rj - reach * reach
    if half <= 0.0:
        return m
    half = 0.97 * math.sqrt(half)
    ex, ey, ez = (wx - axial * jx) / plan, (wy - axial * jy) / plan, (wz - axial * jz) / plan
    sx, sy, sz = jy * ez - jz * ey, jz * ex - jx * ez, jx * ey - jy * ex
    for twice in range(2):
        y = half if twice == 0 else -half
        px, py, pz = reach * ex + y * sx + hj * jx, reach * ey + y * sy + hj * jy, reach * ez + y * sz + hj * jz
        gap = (wx - px) * nx + (wy - py) * ny + (wz - pz) * nz - hi
        if gap <= margin and -gap < deepest:
            px, py, pz = px + b[j, B.CX], py + b[j, B.CY], pz + b[j, B.CZ]
            m = _add_unique(k, first, m, i, j, px, py, pz, jx, jy, jz, gap)
    return m


@njit_no_refcount
def _add_deepest(b: Floats, i: int, j: int, pairs: Floats, k: Floats, first: int, m: int, gap: float) -> int:
    """Add a contact along the axis of least penetration if the others miss the pair's depth.

    The rim search starts from samples: it finds a minimum between two samples late or not at all, and one wink would
    sink into the other.
    """
    for q in range(first, m):
        if k[q, C.GAP] < gap + MISSED_DEPTH:
            return m
    dx, dy, dz = pairs[i, j, SEPARATING_AXIS], pairs[i, j, SEPARATING_AXIS + 1], pairs[i, j, SEPARATING_AXIS + 2]
    ix, iy, iz = support_point(b, i, -dx, -dy, -dz)
    jx, jy, jz = support_point(b, j, dx, dy, dz)
    return add_contact(k, m, i, j, 0, 0.5 * (ix + jx), 0.5 * (iy + jy), 0.5 * (iz + jz), dx, dy, dz, gap)


@njit_no_refcount
def collide_winks(
    b: Floats, i: int, j: int, pairs: Floats, k: Floats, m: int, margin: float, scratch: Floats
) -> tuple[int, float]:
    """Add contacts of discs `i` and `j` with a gap below `margin` (normals towards i): new count, and a lower bound on
    their distance."""
    clear = separation(b, i, j, pairs)
    if clear > margin:
        return m, clear
    first = m
    nx, ny, nz = b[j, B.NX], b[j, B.NY], b[j, B.NZ]
    cos = b[i, B.NX] * nx + b[i, B.NY] * ny + b[i, B.NZ] * nz
    axial = (b[i, B.CX] - b[j, B.CX]) * nx + (b[i, B.CY] - b[j, B.CY]) * ny + (b[i, B.CZ] - b[j, B.CZ]) * nz
    if abs(cos) > PARALLEL_COSINE and abs(axial) > 0.3 * (b[i, W.HALF_THICKNESS] + b[j, W.HALF_THICKNESS]):
        for q in range(2):  # a loop: two calls with literals would be compiled twice
            m = _face_contacts(b, j if q else i, i if q else j, q == 1, k, first, m, margin)
    for q in range(2):
        m = _rim_contacts(b, j if q else i, i if q else j, q == 1, k, first, m, margin, scratch)
    return _add_deepest(b, i, j, pairs, k, first, m, clear), clear
