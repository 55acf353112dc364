"""Contact forces of one step: spring-dampers and Coulomb friction at velocity level, by Gauss-Seidel sweeps.

Springs are per effective mass, so a pile does not sink under its own weight and one step suits light and heavy winks.
"""

import math
from typing import Final

from flicksim.physics.flight.bodies import (
    ARM,
    CX,
    CY,
    CZ,
    FROM,
    IM,
    IT,
    KI,
    LOAD,
    LX,
    LY,
    LZ,
    NX,
    NY,
    NZ,
    POINTS,
    RADIUS,
    RUBBED,
    SPREAD,
    VX,
    VY,
    VZ,
    WARM_STEP,
    WX,
    WY,
    WZ,
    Ints,
)
from flicksim.physics.flight.contacts import (
    APPROACH,
    DEPTH,
    DX,
    DY,
    DZ,
    FIRST,
    GAIN,
    GAP,
    GIVE,
    GOAL,
    IA,
    IB,
    LOSS,
    MU,
    PUSH,
    PX,
    PY,
    PZ,
    ROLL,
    RUB,
    SECOND,
    TA,
    TB,
    kind_of,
)
from flicksim.physics.flight.jit import bare, inlined
from flicksim.physics.flight.params import Floats
from flicksim.physics.flight.rub import TWIST, bear, press, rub

SLACK: Final = 5e-6
"""Depth by which a contact may exceed, in a step, what its approach explains [m]."""
LEVEL_SLACK: Final = 1e-8
"""The same on level ground, where normals never turn [m]."""
SETTLED: Final = 1e-6
"""Sweeps stop when no velocity changed by more than this [m/s]."""


@bare
def _lever(
    b: Floats, i: int, rx: float, ry: float, rz: float, k: Floats, m: int, torque: int, turn: int
) -> tuple[float, float, float, float, float, float, float]:
    """The motion and the give of disc `i` at contact `m`, which is at (rx, ry, rz) from its centre.

    Its velocity along the normal and both tangents [m/s], and what it gains along these per impulse along them: normal,
    first tangent, both crosswise, second tangent [1/kg]. Its torque arms and the turning they cause go into the columns
    at `torque` and `turn`.
    """
    nx, ny, nz, im, it, ki = b[i, NX], b[i, NY], b[i, NZ], b[i, IM], b[i, IT], b[i, KI]
    vx, vy, vz, wx, wy, wz = b[i, VX], b[i, VY], b[i, VZ], b[i, WX], b[i, WY], b[i, WZ]
    dx, dy, dz = k[m, DX], k[m, DY], k[m, DZ]
    tx, ty, tz = ry * dz - rz * dy, rz * dx - rx * dz, rx * dy - ry * dx
    axial = ki * (tx * nx + ty * ny + tz * nz)
    gx, gy, gz = it * tx + axial * nx, it * ty + axial * ny, it * tz + axial * nz
    k[m, torque], k[m, torque + 1], k[m, torque + 2] = tx, ty, tz
    k[m, turn], k[m, turn + 1], k[m, turn + 2] = gx, gy, gz
    un = vx * dx + vy * dy + vz * dz + (wx * tx + wy * ty + wz * tz)
    k00 = im * (1.0 + tx * gx + ty * gy + tz * gz)
    dx, dy, dz = k[m, DX + 3], k[m, DY + 3], k[m, DZ + 3]
    tx, ty, tz = ry * dz - rz * dy, rz * dx - rx * dz, rx * dy - ry * dx
    axial = ki * (tx * nx + ty * ny + tz * nz)
    gx, gy, gz = it * tx + axial * nx, it * ty + axial * ny, it * tz + axial * nz
    k[m, torque + 3], k[m, torque + 4], k[m, torque + 5] = tx, ty, tz
    k[m, turn + 3], k[m, turn + 4], k[m, turn + 5] = gx, gy, gz
    u1 = vx * dx + vy * dy + vz * dz + (wx * tx + wy * ty + wz * tz)
    k11 = im * (1.0 + tx * gx + ty * gy + tz * gz)
    dx, dy, dz = k[m, DX + 6], k[m, DY + 6], k[m, DZ + 6]
    tx, ty, tz = ry * dz - rz * dy, rz * dx - rx * dz, rx * dy - ry * dx
    k12 = im * (tx * gx + ty * gy + tz * gz)
    axial = ki * (tx * nx + ty * ny + tz * nz)
    gx, gy, gz = it * tx + axial * nx, it * ty + axial * ny, it * tz + axial * nz
    k[m, torque + 6], k[m, torque + 7], k[m, torque + 8] = tx, ty, tz
    k[m, turn + 6], k[m, turn + 7], k[m, turn + 8] = gx, gy, gz
    u2 = vx * dx + vy * dy + vz * dz + (wx * tx + wy * ty + wz * tz)
    k22 = im * (1.0 + tx * gx + ty * gy + tz * gz)
    return un, u1, u2, k00, k11, k12, k22


@bare
def _slip(b: Floats, k: Floats, m: int, q: int, i: int, j: int) -> float:
    """Relative velocity of contact `m` along its direction at `q` (0, 3, 6)."""
    dx, dy, dz = k[m, DX + q], k[m, DY + q], k[m, DZ + q]
    t = TA + q
    u = b[i, VX] * dx + b[i, VY] * dy + b[i, VZ] * dz
    u += b[i, WX] * k[m, t] + b[i, WY] * k[m, t + 1] + b[i, WZ] * k[m, t + 2]
    if j >= 0:
        t = TB + q
        u -= b[j, VX] * dx + b[j, VY] * dy + b[j, VZ] * dz
        u -= b[j, WX] * k[m, t] + b[j, WY] * k[m, t + 1] + b[j, WZ] * k[m, t + 2]
    return float(u)


@bare
def _kick(b: Floats, k: Floats, m: int, q: int, i: int, j: int, impulse: float) -> None:
    """Give both discs of contact `m` an impulse along its direction at `q`."""
    dx, dy, dz = k[m, DX + q], k[m, DY + q], k[m, DZ + q]
    f, g = impulse * b[i, IM], IA + q
    b[i, VX] += f * dx
    b[i, VY] += f * dy
    b[i, VZ] += f * dz
    b[i, WX] += f * k[m, g]
    b[i, WY] += f * k[m, g + 1]
    b[i, WZ] += f * k[m, g + 2]
    if j >= 0:
        f, g = impulse * b[j, IM], IB + q
        b[j, VX] -= f * dx
        b[j, VY] -= f * dy
        b[j, VZ] -= f * dz
        b[j, WX] -= f * k[m, g]
        b[j, WY] -= f * k[m, g + 1]
        b[j, WZ] -= f * k[m, g + 2]


@bare
def _spring(
    k: Floats, m: int, un: float, best: float, allowed: float, gain: float, loss: float, dt: float
) -> None:  # fmt: skip
    """Depth that the spring of contact `m` feels, and the velocity it aims at; `best`: depth it had before."""
    depth = min(-k[m, GAP], best + allowed)
    k[m, DEPTH] = depth
    if best > 0.0 or un >= 0.0:
        k[m, GOAL] = un + gain * depth / dt - loss * un
    else:
        # one that is new has been pressed for a part of the step that brought it, and half a step is what a
        # spring lags behind in all others
        share = 0.5 + min(1.0, depth / (-un * dt))
        k[m, GOAL] = un - (0.5 * gain * share * share + loss * share) * un


@bare
def _bears(
    b: Floats, k: Floats, m: int, i: int, j: int, last: Floats, before: int, materials: Floats, dt: float
) -> None:
    """`prepare` for contact `m` of disc `i` with level ground, whose friction is that of the whole disc (see `rub`)."""
    rx, ry = k[m, PX] - b[i, CX], k[m, PY] - b[i, CY]
    nx, ny, nz, im, it, ki = b[i, NX], b[i, NY], b[i, NZ], b[i, IM], b[i, IT], b[i, KI]
    tx, ty = ry, -rx
    axial = ki * (tx * nx + ty * ny)
    gx, gy, gz = it * tx + axial * nx, it * ty + axial * ny, axial * nz
    k[m, TA], k[m, TA + 1], k[m, TA + 2] = tx, ty, 0.0
    k[m, IA], k[m, IA + 1], k[m, IA + 2] = gx, gy, gz
    un = b[i, VZ] + (b[i, WX] * tx + b[i, WY] * ty)
    best = 0.0
    for q in range(before):
        if last[q, 0] == i and last[q, 1] == j:
            best = max(best, last[q, 8])
    kind = kind_of(j)
    k[m, MU], k[m, APPROACH] = 0.0, un
    _spring(k, m, un, best, max(0.0, -un) * dt + LEVEL_SLACK, materials[kind, GAIN], materials[kind, LOSS], dt)
    k[m, PUSH] = k[m, PUSH + 1] = k[m, PUSH + 2] = 0.0
    k[m, GIVE] = 1.0 / (im * (1.0 + tx * gx + ty * gy))


@inlined
def prepare(
    b: Floats, who: Ints, k: Floats, last: Floats, count: int, before: int, materials: Floats, dt: float
) -> None:
    """Fill in what the sweeps need of `count` contacts; `before`: how many there were the step before.

    A contact may not appear, or turn its normal, deep inside: its spring would give energy nobody put in. So the depth
    felt grows only by what the approach explains.
    """
    for m in range(count):
        i, j = int(k[m, FIRST]), int(k[m, SECOND])
        first = b[i, FROM]
        if b[i, POINTS] > 0 and first <= m < first + b[i, POINTS]:
            _bears(b, k, m, i, j, last, before, materials, dt)
            continue
        nx, ny, nz = k[m, DX], k[m, DY], k[m, DZ]
        if abs(nz) < 0.7:
            size = math.sqrt(nx * nx + ny * ny)
            ax, ay, az = ny / size, -nx / size, 0.0
        else:
            size = math.sqrt(ny * ny + nz * nz)
            ax, ay, az = 0.0, nz / size, -ny / size
        k[m, DX + 3], k[m, DY + 3], k[m, DZ + 3] = ax, ay, az
        k[m, DX + 6], k[m, DY + 6], k[m, DZ + 6] = ny * az - nz * ay, nz * ax - nx * az, nx * ay - ny * ax
        px, py, pz = k[m, PX], k[m, PY], k[m, PZ]
        rx, ry, rz = px - b[i, CX], py - b[i, CY], pz - b[i, CZ]
        un, u1, u2, k00, k11, k12, k22 = _lever(b, i, rx, ry, rz, k, m, TA, IA)
        if j >= 0:
            rx, ry, rz = px - b[j, CX], py - b[j, CY], pz - b[j, CZ]
            vn, v1, v2, j00, j11, j12, j22 = _lever(b, j, rx, ry, rz, k, m, TB, IB)
            un, u1, u2 = un - vn, u1 - v1, u2 - v2
            k00, k11, k12, k22 = k00 + j00, k11 + j11, k12 + j12, k22 + j22
        kind = kind_of(j)
        k[m, MU] = materials[kind, RUB]
        k[m, APPROACH] = un
        level = j < 0 and nz > 0.9999  # such normals never turn, and the lowest point may run round fast
        allowed = max(0.0, -un) * dt + (LEVEL_SLACK if level else SLACK)
        best = 0.0
        for q in range(before):
            if last[q, 0] != i or last[q, 1] != j:
                continue
            if not level:
                if nx * last[q, 5] + ny * last[q, 6] + nz * last[q, 7] < 0.9:
                    continue
                dx, dy, dz = px - last[q, 2], py - last[q, 3], pz - last[q, 4]
                if dx * dx + dy * dy + dz * dz > 4e-6:
                    continue
            best = max(best, last[q, 8])
        _spring(k, m, un, best, allowed, materials[kind, GAIN], materials[kind, LOSS], dt)
        keep = 1.0 - materials[kind, LOSS]
        k[m, GOAL + 1], k[m, GOAL + 2] = keep * u1, keep * u2
        k[m, PUSH] = k[m, PUSH + 1] = k[m, PUSH + 2] = 0.0
        det = k11 * k22 - k12 * k12
        k[m, GIVE] = 1.0 / k00
        k[m, GIVE + 1], k[m, GIVE + 2], k[m, GIVE + 3] = k22 / det, -k12 / det, k11 / det
        k[m, GIVE + 4] = 1.0 / (0.5 * (k11 + k22) + math.sqrt(0.25 * (k11 - k22) * (k11 - k22) + k12 * k12))
    press(b, who, k, materials, dt)
    for m in range(count):
        last[m, 0], last[m, 1] = k[m, FIRST], k[m, SECOND]
        for q in range(3):
            last[m, 2 + q], last[m, 5 + q] = k[m, PX + q], k[m, DX + q]
        last[m, 8] = k[m, DEPTH]


@bare
def _slipping(x: float, y: float, limit: float) -> tuple[float, float]:
    """Friction that slips: this step along the slip, back to the limit. A step along what would end the slip goes
    askew, since a disc gives more one way than another; friction acts against the slip."""
    size = math.sqrt(x * x + y * y)
    share = limit / size if size > limit else 1.0
    return x * share, y * share


@bare
def _push_fixed(b: Floats, k: Floats, m: int, i: int) -> float:
    """One visit to contact `m` of disc `i` with what does not move; the largest change of velocity.

    The same as `_push`, with the disc's motion held in local numbers: most contacts are with the felt.
    """
    im = b[i, IM]
    vx, vy, vz, wx, wy, wz = b[i, VX], b[i, VY], b[i, VZ], b[i, WX], b[i, WY], b[i, WZ]
    dx, dy, dz, tx, ty, tz = k[m, DX], k[m, DY], k[m, DZ], k[m, TA], k[m, TA + 1], k[m, TA + 2]
    old = k[m, PUSH]
    slip = vx * dx + vy * dy + vz * dz + (wx * tx + wy * ty + wz * tz)
    new = max(0.0, old + (k[m, GOAL] - slip) * k[m, GIVE])
    if new == 0.0 and old == 0.0:
        return 0.0  # not pressed, so no friction either
    k[m, PUSH] = new
    f = (new - old) * im
    change = abs(f)
    vx, vy, vz = vx + f * dx, vy + f * dy, vz + f * dz
    wx, wy, wz = wx + f * k[m, IA], wy + f * k[m, IA + 1], wz + f * k[m, IA + 2]
    if k[m, MU] == 0.0:
        b[i, VX], b[i, VY], b[i, VZ], b[i, WX], b[i, WY], b[i, WZ] = vx, vy, vz, wx, wy, wz
        return float(change)
    ax, ay, az, bx, by, bz = k[m, DX + 3], k[m, DY + 3], k[m, DZ + 3], k[m, DX + 6], k[m, DY + 6], k[m, DZ + 6]
    s1 = vx * ax + vy * ay + vz * az + (wx * k[m, TA + 3] + wy * k[m, TA + 4] + wz * k[m, TA + 5])
    s2 = vx * bx + vy * by + vz * bz + (wx * k[m, TA + 6] + wy * k[m, TA + 7] + wz * k[m, TA + 8])
    e1, e2 = k[m, GOAL + 1] - s1, k[m, GOAL + 2] - s2
    o1, o2 = k[m, PUSH + 1], k[m, PUSH + 2]
    n1 = o1 + k[m, GIVE + 1] * e1 + k[m, GIVE + 2] * e2
    n2 = o2 + k[m, GIVE + 2] * e1 + k[m, GIVE + 3] * e2
    limit = k[m, MU] * new
    if n1 * n1 + n2 * n2 > limit * limit:
        n1, n2 = _slipping(o1 + k[m, GIVE + 4] * e1, o2 + k[m, GIVE + 4] * e2, limit)
    k[m, PUSH + 1], k[m, PUSH + 2] = n1, n2
    f, g = (n1 - o1) * im, (n2 - o2) * im
    b[i, VX], b[i, VY], b[i, VZ] = vx + f * ax + g * bx, vy + f * ay + g * by, vz + f * az + g * bz
    b[i, WX] = wx + f * k[m, IA + 3] + g * k[m, IA + 6]
    b[i, WY] = wy + f * k[m, IA + 4] + g * k[m, IA + 7]
    b[i, WZ] = wz + f * k[m, IA + 5] + g * k[m, IA + 8]
    return float(max(change, max(abs(f), abs(g))))


@bare
def _push(b: Floats, k: Floats, m: int, i: int, j: int) -> float:
    """One visit to contact `m`: its impulses so that it reaches its goals, within pushing and friction."""
    old = k[m, PUSH]
    new = max(0.0, old + (k[m, GOAL] - _slip(b, k, m, 0, i, j)) * k[m, GIVE])
    if new == 0.0 and old == 0.0:
        return 0.0
    k[m, PUSH] = new
    _kick(b, k, m, 0, i, j, new - old)
    o1, o2 = k[m, PUSH + 1], k[m, PUSH + 2]
    e1, e2 = k[m, GOAL + 1] - _slip(b, k, m, 3, i, j), k[m, GOAL + 2] - _slip(b, k, m, 6, i, j)
    n1 = o1 + k[m, GIVE + 1] * e1 + k[m, GIVE + 2] * e2
    n2 = o2 + k[m, GIVE + 2] * e1 + k[m, GIVE + 3] * e2
    limit = k[m, MU] * new
    if n1 * n1 + n2 * n2 > limit * limit:
        n1, n2 = _slipping(o1 + k[m, GIVE + 4] * e1, o2 + k[m, GIVE + 4] * e2, limit)
    k[m, PUSH + 1], k[m, PUSH + 2] = n1, n2
    _kick(b, k, m, 3, i, j, n1 - o1)
    _kick(b, k, m, 6, i, j, n2 - o2)
    return float(max(abs(new - old), max(abs(n1 - o1), abs(n2 - o2))) * max(b[i, IM], b[j, IM]))


@inlined
def relax(b: Floats, who: Ints, k: Floats, order: Ints, count: int, sweeps: int, dt: float) -> None:
    """Gauss-Seidel sweeps over the contacts, deepest first, until nothing changes or `sweeps` are done."""
    if b[int(k[0, FIRST]), POINTS] == count:
        bear(b, k, order, count, sweeps, SETTLED, dt)
        return
    for i in who:
        b[i, RUBBED] = b[i, RUBBED + 1] = b[i, RUBBED + 2] = b[i, WARM_STEP] = 0.0
    for _ in range(sweeps):
        change = 0.0
        for at in range(count):
            m = order[at]
            i, j = int(k[m, FIRST]), int(k[m, SECOND])
            change = max(change, _push_fixed(b, k, m, i) if j < 0 else _push(b, k, m, i, j))
        for i in who:
            if b[i, POINTS] > 0:
                change = max(change, rub(b, k, i))
        if change < SETTLED:
            break


@inlined
def finish(b: Floats, who: Ints, k: Floats, count: int, materials: Floats) -> None:
    """Carry the impulses into the angular momenta, and let rolling resistance take its part of them."""
    for m in range(count):
        i, j = int(k[m, FIRST]), int(k[m, SECOND])
        roll = materials[kind_of(j), ROLL]
        if j < 0 and k[m, MU] == 0.0:
            for x in range(3):
                b[i, LX + x] += b[i, IM] * (k[m, PUSH] * k[m, TA + x])
            b[i, LOAD] += roll * k[m, PUSH]
            continue
        for x in range(3):
            b[i, LX + x] += b[i, IM] * (
                k[m, PUSH] * k[m, TA + x] + k[m, PUSH + 1] * k[m, TA + 3 + x] + k[m, PUSH + 2] * k[m, TA + 6 + x]
            )
        b[i, LOAD] += roll * k[m, PUSH]
        if j >= 0:
            for x in range(3):
                b[j, LX + x] -= b[j, IM] * (
                    k[m, PUSH] * k[m, TB + x] + k[m, PUSH + 1] * k[m, TB + 3 + x] + k[m, PUSH + 2] * k[m, TB + 6 + x]
                )
            b[j, LOAD] += roll * k[m, PUSH]
    for i in who:
        flat = 0.0
        if b[i, POINTS] > 0:
            p1, p2, rz = b[i, IM] * b[i, RUBBED], b[i, IM] * b[i, RUBBED + 1], b[i, ARM + 2]
            b[i, LX] -= p2 * rz
            b[i, LY] += p1 * rz
            b[i, LZ] += p2 * b[i, ARM] - p1 * b[i, ARM + 1] + b[i, IM] * b[i, RUBBED + 2] * b[i, SPREAD]
            load = 0.0
            for m in range(int(b[i, FROM]), int(b[i, FROM] + b[i, POINTS])):
                load += k[m, PUSH]
            roll = materials[kind_of(int(k[int(b[i, FROM]), SECOND])), ROLL]
            flat = roll * load * b[i, SPREAD] / (TWIST * b[i, RADIUS])
        if b[i, LOAD] > 0.0:
            # what lies flat does not roll where it turns about the upright: friction has braked that
            wx, wy, wz = b[i, WX], b[i, WY], b[i, WZ] * (1.0 - flat / b[i, LOAD])
            size = math.sqrt(wx * wx + wy * wy + wz * wz)
            if size > 1e-12:
                # capped at the moment of inertia: more would turn the disc the other way
                share = min(b[i, LOAD] * b[i, IM] / size, 1.0 / b[i, IT])
                b[i, LX] -= share * wx
                b[i, LY] -= share * wy
                b[i, LZ] -= share * wz
            b[i, LOAD] = 0.0
