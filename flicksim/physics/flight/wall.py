"""Contacts of a wink with the pot: its two edge circles against the wall, and the rim's two against the wink.

Each is a search along a circle for where it comes closest to the other body. The distance to a body changes no faster
than one moves, so between two points looked at it can be bounded, and only where the bound leaves room is it looked for.
"""

import math
from typing import Final

from flicksim.physics.flight.bodies import (
    CX,
    CY,
    CZ,
    HALF,
    NX,
    NY,
    NZ,
    RADIUS,
    REACH,
)
from flicksim.physics.flight.contacts import (
    COS,
    GOLDEN,
    POT,
    PX,
    PY,
    PZ,
    SAMPLES,
    SIN,
    SPACING,
    add,
    slope,
)
from flicksim.physics.flight.jit import compiled
from flicksim.physics.flight.params import Floats

ONE_PLACE: Final = 0.4e-3
"""Contacts closer together than this are one [m]."""


@compiled
def wall_distance(rho: float, z: float, pot: Floats) -> tuple[float, float, float]:
    """Signed distance to the wall's section at radius `rho` and height `z`, and its normal (rho, z): a rectangle."""
    ax, az, length = pot[7], pot[8], pot[9]
    off = rho - pot[2]
    t = off * ax + z * az - 0.5 * length
    q = off * az - z * ax
    dt, dq = abs(t) - 0.5 * length, abs(q) - pot[5]
    st, sq = (1.0 if t > 0.0 else -1.0), (1.0 if q > 0.0 else -1.0)
    if dt > 0.0 and dq > 0.0:
        d = math.sqrt(dt * dt + dq * dq)
        a, b = st * dt / d, sq * dq / d
    elif dt > dq:
        d, a, b = dt, st, 0.0
    else:
        d, a, b = dq, 0.0, sq
    return d, a * ax + b * az, a * az - b * ax


@compiled
def in_pot(x: float, y: float, z: float, pot: Floats) -> bool:
    """Whether a point (seen from the pot's axis) is inside the cup."""
    radius = pot[2] + (z / pot[4]) * (pot[3] - pot[2])
    return bool(z < pot[4] and x * x + y * y < radius * radius)


@compiled
def _to_disc(b: Floats, i: int, x: float, y: float, z: float) -> tuple[float, float, float, float]:
    """Signed distance of disc `i` from a point (seen from its centre), and the unit normal out of the disc there."""
    nx, ny, nz = b[i, NX], b[i, NY], b[i, NZ]
    up = x * nx + y * ny + z * nz
    x, y, z = x - up * nx, y - up * ny, z - up * nz
    rho = math.sqrt(x * x + y * y + z * z)
    dr, da = rho - b[i, RADIUS], abs(up) - b[i, HALF]
    side = 1.0 if up > 0.0 else -1.0
    if dr > 0.0 and da > 0.0:
        d = math.sqrt(dr * dr + da * da)
        r, side = dr / (d * rho), side * da / d
    elif dr > da:
        d, r, side = dr, 1.0 / rho, 0.0
    else:
        d, r = da, 0.0
    return d, r * x + side * nx, r * y + side * ny, r * z + side * nz


@compiled
def _distance(b: Floats, i: int, rim: bool, x: float, y: float, z: float, pot: Floats) -> float:
    """From a point (seen from the pot's axis) to disc `i`, for the rim's circles, or to the wall, for the disc's."""
    if rim:
        return _to_disc(b, i, x - b[i, CX] + pot[0], y - b[i, CY] + pot[1], z - b[i, CZ])[0]
    return wall_distance(math.sqrt(x * x + y * y), z, pot)[0]


@compiled
def _add_closest(
    b: Floats, i: int, rim: bool, x: float, y: float, z: float, pot: Floats, k: Floats, first: int, m: int
) -> int:
    """The contact at a point that comes closest, unless one stands there already."""
    for q in range(first, m):
        dx, dy, dz = x + pot[0] - k[q, PX], y + pot[1] - k[q, PY], z - k[q, PZ]
        if dx * dx + dy * dy + dz * dz < ONE_PLACE * ONE_PLACE:
            return m
    if rim:
        d, nx, ny, nz = _to_disc(b, i, x - b[i, CX] + pot[0], y - b[i, CY] + pot[1], z - b[i, CZ])
        return add(k, m, i, POT, x + pot[0], y + pot[1], z, -nx, -ny, -nz, d)
    rho = math.sqrt(x * x + y * y)
    d, outward, upward = wall_distance(rho, z, pot)
    if rho == 0.0:
        return m
    return add(k, m, i, POT, x + pot[0], y + pot[1], z, outward * x / rho, outward * y / rho, upward, d)


@compiled
def _round(
    b: Floats, i: int, rim: bool, edge: int, pot: Floats, k: Floats, first: int, m: int, within: float, near: Floats
) -> tuple[int, float]:
    """Contacts closer than `within` along one of the two edge circles of disc `i`, or of the rim, and a lower bound."""
    x, y, z = b[i, CX] - pot[0], b[i, CY] - pot[1], b[i, CZ]
    side = 1.0 if edge == 0 else -1.0
    begin, turn = 0.0, SPACING
    if rim:
        rho = math.sqrt(x * x + y * y)
        if rho < 1e-9:
            return m, math.inf
        R, cx, cy, cz = pot[3] + side * pot[5] * pot[8], 0.0, 0.0, pot[4] - side * pot[5] * pot[7]
        # only as far round as the disc can reach
        cos = (rho * rho + R * R + (z - cz) * (z - cz) - b[i, REACH] * b[i, REACH]) / (2.0 * rho * R)
        if cos >= 1.0:
            return m, math.sqrt((rho - R) * (rho - R) + (z - cz) * (z - cz)) - b[i, REACH]
        half = math.acos(max(-1.0, cos))
        begin, turn = -half, 2.0 * half / (SAMPLES - 1)
        ux, uy, uz = x / rho, y / rho, 0.0
        sx, sy, sz = -uy, ux, 0.0
    else:
        R = b[i, RADIUS]
        nx, ny, nz = side * b[i, HALF] * b[i, NX], side * b[i, HALF] * b[i, NY], side * b[i, HALF] * b[i, NZ]
        cx, cy, cz = x + nx, y + ny, z + nz
        ux, uy, uz, sx, sy, sz = slope(b[i, NX], b[i, NY], b[i, NZ], x, y)
    for s in range(SAMPLES):
        co, si = (R * math.cos(begin + s * turn), R * math.sin(begin + s * turn)) if rim else (R * COS[s], R * SIN[s])
        near[s] = _distance(b, i, rim, cx + co * ux + si * sx, cy + co * uy + si * sy, cz + co * uz + si * sz, pot)
    bound = math.inf
    arc = R * turn
    for s in range(SAMPLES - 1 if rim else SAMPLES):
        left, right = near[s], near[(s + 1) % SAMPLES]
        least = 0.5 * (left + right - arc)
        if least > within:
            bound = min(bound, least)
            continue
        # golden section: the closest approach is a kink where one circle crosses the other body, parabolas miss it
        low, high = 0.0, 1.0
        t1, t2 = 1.0 - GOLDEN, GOLDEN
        f1 = f2 = math.inf
        t = px = py = pz = d = 0.0
        fresh = 2
        for step in range(20):
            for which in range(2):
                if fresh != 2 and which != fresh:
                    continue
                t = t1 if which == 0 else t2
                angle = begin + (s + t) * turn
                co, si = R * math.cos(angle), R * math.sin(angle)
                px, py, pz = cx + co * ux + si * sx, cy + co * uy + si * sy, cz + co * uz + si * sz
                d = _distance(b, i, rim, px, py, pz, pot)
                if which == 0:
                    f1 = d
                else:
                    f2 = d
            if f1 < f2:
                high, t2, f2 = t2, t1, f1
                t1 = high - GOLDEN * (high - low)
                fresh = 0
            else:
                low, t1, f1 = t1, t2, f2
                t2 = low + GOLDEN * (high - low)
                fresh = 1
            if min(f1, f2) - (high - low) * arc > within:
                break
        d = min(f1, f2)
        bound = min(bound, min(d - (high - low) * arc, min(left, right)))
        if d > within:
            continue
        # at an end of the stretch it is closest only if it is not closer still beyond
        if low == 0.0 and (near[s - 1] < left if s > 0 or not rim else True):
            continue
        if high == 1.0 and (near[(s + 2) % SAMPLES] < right if s < SAMPLES - 2 or not rim else True):
            continue
        m = _add_closest(b, i, rim, px, py, pz, pot, k, first, m)
    return m, bound


@compiled
def touch_pot(b: Floats, i: int, pot: Floats, k: Floats, m: int, within: float, near: Floats) -> tuple[int, float]:
    """Contacts of disc `i` with the pot closer than `within`, and a lower bound on their distance."""
    x, y, z = b[i, CX] - pot[0], b[i, CY] - pot[1], b[i, CZ]
    d, _, _ = wall_distance(math.sqrt(x * x + y * y), z, pot)
    if d > b[i, REACH]:
        return m, d - b[i, REACH]
    first = m
    bound = d
    for circle in range(4):
        m, clear = _round(b, i, circle >= 2, circle % 2, pot, k, first, m, within, near)
        bound = min(bound, clear)
    return m, bound
