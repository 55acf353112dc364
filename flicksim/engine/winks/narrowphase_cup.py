"""Narrow phase of a wink and the pot: rim circles against the wall, and faces against the edges of the pot's rim."""

import math
from typing import Final

from flicksim.engine.jit import njit_inline, njit_no_refcount
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies.contacts import add_contact
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks.contacts import (
    GOLDEN_RATIO,
    POT,
    RIM_SAMPLES,
    SAMPLE_COS,
    SAMPLE_SIN,
    SAMPLE_SPACING,
    TAN_HALF_SPACING,
    in_plane_axes,
    narrow_bracket,
)
from flicksim.engine.winks.params import Floats

ARC_SAGITTA: Final = 1.0 - math.cos(0.5 * SAMPLE_SPACING)
"""Sagitta of the arc between two samples over the radius."""


@njit_inline
def wall_signed_distance(rho: float, z: float, pot: Floats) -> tuple[float, float, float]:
    """Signed distance from (rho, z) to the wall's cross-section, and its normal (rho, z).

    That is a rectangle which goes on below the felt: an end there would push winks down.
    """
    ax, az = pot[7], pot[8]
    off = rho - pot[2]
    q = off * az - z * ax
    dt, dq = off * ax + z * az - pot[9], abs(q) - pot[5]
    sq = 1.0 if q > 0.0 else -1.0
    if dt > 0.0 and dq > 0.0:
        d = math.sqrt(dt * dt + dq * dq)
        a, b = dt / d, sq * dq / d
    elif dt > dq:
        d, a, b = dt, 1.0, 0.0
    else:
        d, a, b = dq, 0.0, sq
    return d, a * ax + b * az, a * az - b * ax


@njit_inline
def is_in_cup(x: float, y: float, z: float, pot: Floats) -> bool:
    """True if a point relative to the pot's axis is inside the cup."""
    radius = pot[2] + (z / pot[4]) * (pot[3] - pot[2])
    return bool(z < pot[4] and x * x + y * y < radius * radius)


@njit_no_refcount
def _closest_on_inner_wall(
    s: int, cx: float, cy: float, cz: float,
    ux: float, uy: float, uz: float, sx: float, sy: float, sz: float, pot: Floats,
) -> tuple[float, float, float, bool]:  # fmt: skip
    """Closest point of a circle (centre, two radii) to the inner wall near sample `s`, by Newton's method; converged.

    The inner wall is a cone, so the distance to it is smooth along the circle and a few iterations suffice.
    """
    co, si = SAMPLE_COS[s], SAMPLE_SIN[s]
    for _ in range(8):
        rx, ry, rz = co * ux + si * sx, co * uy + si * sy, co * uz + si * sz
        tx, ty, tz = co * sx - si * ux, co * sy - si * uy, co * sz - si * uz
        x, y = cx + rx, cy + ry
        rho = math.sqrt(x * x + y * y)
        out = (x * tx + y * ty) / rho
        rise = pot[7] * tz - pot[8] * out
        curve = pot[8] * (x * rx + y * ry + out * out - tx * tx - ty * ty) / rho - pot[7] * rz
        if not curve > 0.0:
            break
        turn = max(-TAN_HALF_SPACING, min(TAN_HALF_SPACING, -0.5 * rise / curve))
        if abs(turn) < 1e-8:
            return x, y, cz + rz, True
        scale = 1.0 / (1.0 + turn * turn)
        c, t = (1.0 - turn * turn) * scale, 2.0 * turn * scale
        co, si = co * c - si * t, si * c + co * t
        if co * SAMPLE_COS[s] + si * SAMPLE_SIN[s] < SAMPLE_COS[1]:
            break
    co, si = SAMPLE_COS[s], SAMPLE_SIN[s]
    return cx + co * ux + si * sx, cy + co * uy + si * sy, cz + co * uz + si * sz, False


@njit_no_refcount
def collide_inner_wall(
    i: int, x: float, y: float, z: float, nx: float, ny: float, nz: float, R: float, h: float,
    pot: Floats, k: Floats, m: int, margin: float, scratch: Floats,
) -> tuple[int, float]:  # fmt: skip
    """`collide_cup` of a disc in the pot, with the inner wall alone, continued upwards as a cone.

    (x, y, z): its centre relative to the pot's axis; (nx, ny, nz), R, h: its normal, radius and half thickness.

    The distance to that wall is concave along a line. So no point of the disc is nearer than its rim circles, and
    an arc is nearer than its samples by no more than its sagitta.
    """
    ux, uy, uz, sx, sy, sz = in_plane_axes(nx, ny, nz, x, y)
    ux, uy, uz, sx, sy, sz = R * ux, R * uy, R * uz, R * sx, R * sy, R * sz
    across, along, off = pot[7], pot[8], pot[2] * pot[8] - pot[5]
    bow, bound = ARC_SAGITTA * R, math.inf
    for twice in range(2):
        side = h if twice == 0 else -h
        cx, cy, cz = x + side * nx, y + side * ny, z + side * nz
        for s in range(RIM_SAMPLES):
            px, py = cx + SAMPLE_COS[s] * ux + SAMPLE_SIN[s] * sx, cy + SAMPLE_COS[s] * uy + SAMPLE_SIN[s] * sy
            scratch[s] = (
                across * (cz + SAMPLE_COS[s] * uz + SAMPLE_SIN[s] * sz) - along * math.sqrt(px * px + py * py) + off
            )
        for s in range(RIM_SAMPLES):
            here = scratch[s]
            if here - bow > margin or here > scratch[s - 1] or here >= scratch[(s + 1) % RIM_SAMPLES]:
                bound = min(bound, here - bow)
                continue
            px, py, pz, sure = _closest_on_inner_wall(s, cx, cy, cz, ux, uy, uz, sx, sy, sz, pot)
            rho = math.sqrt(px * px + py * py)
            d = across * pz - along * rho + off
            bound = min(bound, d if sure else d - bow)
            if d <= margin and rho > 0.0:
                m = add_contact(
                    k, m, i, POT, 0, px + pot[0], py + pot[1], pz, -along * px / rho, -along * py / rho, across, d
                )
    return m, bound


@njit_no_refcount
def is_below_rim(b: Floats, i: int, x: float, y: float, pot: Floats) -> bool:
    """True if disc `i`, whose centre is at (x, y) from the pot's axis and in the pot, is below the rim altogether."""
    nx, ny, nz = b[i, B.NX], b[i, B.NY], b[i, B.NZ]
    tall = b[i, W.RADIUS] * math.sqrt(nx * nx + ny * ny) + b[i, W.HALF_THICKNESS] * abs(nz)
    return b[i, B.CZ] + tall < pot[4] - pot[5] * pot[7] and is_in_cup(x, y, b[i, B.CZ], pot)


@njit_no_refcount
def is_in_cone(b: Floats, i: int, pot: Floats, k: Floats, scratch: Floats) -> bool:
    """True if all of disc `i`, in contact with nothing, is in the cone of the inner wall; rows of `k` are scratch."""
    x, y, R, h = b[i, B.CX] - pot[0], b[i, B.CY] - pot[1], b[i, W.RADIUS], b[i, W.HALF_THICKNESS]
    if is_below_rim(b, i, x, y, pot):
        return True
    if x * x + y * y > pot[3] * pot[3]:
        return False
    _, clear = collide_inner_wall(
        i, x, y, b[i, B.CZ], b[i, B.NX], b[i, B.NY], b[i, B.NZ], R, h, pot, k, 0 * i, 0.0, scratch
    )
    return bool(clear >= 0.0)


@njit_no_refcount
def collide_cup(b: Floats, i: int, pot: Floats, k: Floats, m: int, margin: float, scratch: Floats) -> tuple[int, float]:
    """Add contacts of disc `i` and the pot with a gap below `margin`: new count, and a lower bound on the distance.

    Between samples the distance is smaller than at them by at most the Lipschitz bound, which the lower bound includes:
    without it winks would tunnel through the wall.
    """
    x, y, z = b[i, B.CX] - pot[0], b[i, B.CY] - pot[1], b[i, B.CZ]
    rho = math.sqrt(x * x + y * y)
    d, _, _ = wall_signed_distance(rho, z, pot)
    if d > b[i, B.BOUNDING_RADIUS]:
        return m, d - b[i, B.BOUNDING_RADIUS]
    nx, ny, nz, R, h = b[i, B.NX], b[i, B.NY], b[i, B.NZ], b[i, W.RADIUS], b[i, W.HALF_THICKNESS]
    tall = R * math.sqrt(nx * nx + ny * ny) + h * abs(nz)
    above, beside = z - tall - pot[4] - pot[5] * abs(pot[7]), -math.inf
    if rho > 0.0:
        along = (nx * x + ny * y) / rho
        wide = R * math.sqrt(max(0.0, 1.0 - along * along)) + h * abs(along)
        beside = rho - wide - max(pot[2], pot[3]) - pot[5]
    if max(above, beside) > margin:
        return m, max(above, beside)
    if rho < pot[3]:
        found, clear = collide_inner_wall(i, x, y, z, nx, ny, nz, R, h, pot, k, m, margin, scratch)
        if clear > margin or is_below_rim(b, i, x, y, pot):  # behind that cone is all of the wall
            return found, clear
    bound = d
    ux, uy, uz, sx, sy, sz = in_plane_axes(nx, ny, nz, x, y)
    for twice in range(2):
        side = h if twice == 0 else -h
        cx, cy, cz = x + side * nx, y + side * ny, z + side * nz
        for s in range(RIM_SAMPLES):
            co, si = R * SAMPLE_COS[s], R * SAMPLE_SIN[s]
            px, py, pz = cx + co * ux + si * sx, cy + co * uy + si * sy, cz + co * uz + si * sz
            scratch[s], _, _ = wall_signed_distance(math.sqrt(px * px + py * py), pz, pot)
        for s in range(RIM_SAMPLES):
            here = scratch[s]
            if here > scratch[s - 1] or here >= scratch[(s + 1) % RIM_SAMPLES] or here > 0.6 * R * SAMPLE_SPACING:
                bound = min(bound, here - 0.5 * R * SAMPLE_SPACING)
                continue
            # golden-section search: the minimum is a kink where the circle crosses the rim, which parabolas miss
            low, high = -TAN_HALF_SPACING, TAN_HALF_SPACING
            t = 0.0
            t1, t2 = high - GOLDEN_RATIO * (high - low), low + GOLDEN_RATIO * (high - low)
            f1 = f2 = math.inf
            fresh = 0
            for step in range(18):
                for which in range(2):
                    if step > 0 and which != fresh:
                        continue
                    t = t1 if which == 0 else t2
                    scale = R / (1.0 + t * t)
                    c0, s0 = (1.0 - t * t) * scale, 2.0 * t * scale
                    co, si = SAMPLE_COS[s] * c0 - SAMPLE_SIN[s] * s0, SAMPLE_SIN[s] * c0 + SAMPLE_COS[s] * s0
                    px, py, pz = cx + co * ux + si * sx, cy + co * uy + si * sy, cz + co * uz + si * sz
                    f, _, _ = wall_signed_distance(math.sqrt(px * px + py * py), pz, pot)
                    if which == 0:
                        f1 = f
                    else:
                        f2 = f
                low, high, t1, t2, f1, f2, fresh = narrow_bracket(low, high, t1, t2, f1, f2)
                if 0.5 * min(f1, f2) > max(margin, 0.8 * R * (high - low)):
                    break  # no point of the arc is half as near
            t = 0.5 * (low + high)
            scale = R / (1.0 + t * t)
            c0, s0 = (1.0 - t * t) * scale, 2.0 * t * scale
            co, si = SAMPLE_COS[s] * c0 - SAMPLE_SIN[s] * s0, SAMPLE_SIN[s] * c0 + SAMPLE_COS[s] * s0
            px, py, pz = cx + co * ux + si * sx, cy + co * uy + si * sy, cz + co * uz + si * sz
            rho = math.sqrt(px * px + py * py)
            d, outward, upward = wall_signed_distance(rho, pz, pot)
            bound = min(bound, d - R * (high - low))
            if d <= margin and rho > 0.0:
                qx, qy = outward * px / rho, outward * py / rho
                m = add_contact(k, m, i, POT, 0, px + pot[0], py + pot[1], pz, qx, qy, upward, d)
    return _face_rim_contacts(b, i, x, y, z, pot, k, m, bound, margin)


@njit_no_refcount
def _face_rim_contacts(
    b: Floats, i: int, x: float, y: float, z: float, pot: Floats, k: Floats, m: int, bound: float, margin: float
) -> tuple[int, float]:
    """Add contacts of the faces and the side of disc `i` with both edges of the pot's rim.

    (x, y, z): centre of the disc relative to the pot's axis; `bound`: lower bound on the distance so far.
    """
    nx, ny, nz, R, h = b[i, B.NX], b[i, B.NY], b[i, B.NZ], b[i, W.RADIUS], b[i, W.HALF_THICKNESS]
    flat = math.sqrt(nx * nx + ny * ny)
    if flat > 1e-9:
        ex, ey = nx / flat, ny / flat
    else:
        rho = math.sqrt(x * x + y * y)
        ex, ey = (x / rho, y / rho) if rho > 1e-9 else (1.0, 0.0)
    rho = math.sqrt(x * x + y * y)
    for edge in range(2):
        half = pot[5] if edge == 0 else -pot[5]
        rc, zc = pot[3] + half * pot[8], pot[4] - half * pot[7]
        if rho > 1e-9:
            # rim edge against the side of the disc
            dx, dy, dz = rc * x / rho - x, rc * y / rho - y, zc - z
            f = dx * nx + dy * ny + dz * nz
            gx, gy, gz = dx - f * nx, dy - f * ny, dz - f * nz
            plan = math.sqrt(gx * gx + gy * gy + gz * gz)
            gap, over = plan - R, abs(f) - h
            bound = min(bound, math.hypot(max(0.0, gap), max(0.0, over)))
            if gap <= margin and over < min(0.0, gap):
                m = add_contact(k, m, i, POT, 0, rc * x / rho + pot[0], rc * y / rho + pot[1], zc,
                        -gx / plan, -gy / plan, -gz / plan, gap)  # fmt: skip
        for twice in range(2):
            way = rc if twice == 0 else -rc
            qx, qy, qz = way * ex, way * ey, zc
            dx, dy, dz = qx - x, qy - y, qz - z
            f = dx * nx + dy * ny + dz * nz
            plan = math.sqrt(max(0.0, dx * dx + dy * dy + dz * dz - f * f))
            over = max(0.0, abs(f) - h)
            if plan >= R:
                bound = min(bound, math.sqrt((plan - R) * (plan - R) + over * over))
            elif abs(f) > 0.3 * h:
                gap = abs(f) - h
                bound = min(bound, gap)
                if gap <= margin:
                    sign = -1.0 if f > 0.0 else 1.0
                    m = add_contact(k, m, i, POT, 0, qx + pot[0], qy + pot[1], qz, sign * nx, sign * ny, sign * nz, gap)
    return m, bound
