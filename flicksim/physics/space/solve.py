"""Contact forces of one step: spring-dampers and Coulomb friction at velocity level, by Gauss-Seidel sweeps.

Springs are per effective mass, so a pile does not sink under its own weight. A contact that sticks gets the friction
that stops it; one that slips is pushed against its slip: a step that is the same in all directions finds that.
"""

import math
from typing import Final

from flicksim.physics.flight.jit import bare
from flicksim.physics.space.bodies import (
    CX,
    CY,
    CZ,
    IM,
    IT,
    KI,
    LX,
    LY,
    LZ,
    NX,
    NY,
    NZ,
    VX,
    VY,
    VZ,
    WX,
    WY,
    WZ,
    Floats,
    Ints,
)
from flicksim.physics.space.contacts import (
    APPROACH,
    AX,
    AY,
    AZ,
    DEPTH,
    DX,
    DY,
    DZ,
    FIRST,
    GAP,
    GIVE,
    GOAL,
    IA,
    IB,
    KIND,
    PUSH,
    SECOND,
    TA,
    TB,
    WIDTH,
)

SLACK: Final = 2e-6
"""Depth by which a contact may exceed, in a step, what its approach explains [m]."""
SETTLED: Final = 2e-6
"""Sweeps stop when no velocity changed by more than this [m/s]."""


@bare
def deepest_first(k: Floats, order: Ints, count: int) -> None:
    """Order the contacts by depth: the sweeps then visit them alike in a scene and in its mirror image."""
    for m in range(count):
        gap, at = k[m, GAP], m
        while at > 0 and k[order[at - 1], GAP] > gap:
            order[at] = order[at - 1]
            at -= 1
        order[at] = m


@bare
def _lever(b: Floats, i: int, k: Floats, m: int, at: int, sign: float) -> None:
    """Fill in the torque arms of body `i` at contact `m` and the turning they cause, from column `at` on; add how it
    moves there to the goals, and how it yields to what the contact gives."""
    rx, ry, rz = k[m, AX] - b[i, CX], k[m, AY] - b[i, CY], k[m, AZ] - b[i, CZ]
    nx, ny, nz, im, it = b[i, NX], b[i, NY], b[i, NZ], b[i, IM], b[i, IT]
    for q in range(3):
        d, t, g = DX + 3 * q, at + 3 * q, at + 9 + 3 * q
        dx, dy, dz = k[m, d], k[m, d + 1], k[m, d + 2]
        tx, ty, tz = ry * dz - rz * dy, rz * dx - rx * dz, rx * dy - ry * dx
        axial = b[i, KI] * (tx * nx + ty * ny + tz * nz)
        k[m, t], k[m, t + 1], k[m, t + 2] = tx, ty, tz
        k[m, g], k[m, g + 1], k[m, g + 2] = it * tx + axial * nx, it * ty + axial * ny, it * tz + axial * nz
        u = b[i, VX] * dx + b[i, VY] * dy + b[i, VZ] * dz
        k[m, GOAL + q] += sign * (u + (b[i, WX] * tx + b[i, WY] * ty + b[i, WZ] * tz))
        k[m, GIVE + q] += im * (1.0 + tx * k[m, g] + ty * k[m, g + 1] + tz * k[m, g + 2])
    t, g = at + 3, at + 15
    k[m, GIVE + 3] += im * (k[m, t] * k[m, g] + k[m, t + 1] * k[m, g + 1] + k[m, t + 2] * k[m, g + 2])


@bare
def _remembered(k: Floats, last: Floats, m: int, before: int) -> float:
    """The depth contact `m` was felt to have in the step before; its pushes begin as they were then."""
    best = 0.0
    for q in range(before):
        if last[q, 0] != k[m, FIRST] or last[q, 1] != k[m, SECOND]:
            continue
        if last[q, 2] == k[m, KIND]:
            k[m, PUSH] = last[q, 4]
            for x in range(1, 3):
                d = DX + 3 * x
                k[m, PUSH + x] = last[q, 5] * k[m, d] + last[q, 6] * k[m, d + 1] + last[q, 7] * k[m, d + 2]
            return float(last[q, 3])
        if best < last[q, 3]:  # one feature has taken over from another nearby that pushed the same way
            gx, gy, gz = k[m, AX] - last[q, 8], k[m, AY] - last[q, 9], k[m, AZ] - last[q, 10]
            same = k[m, DX] * last[q, 11] + k[m, DY] * last[q, 12] + k[m, DZ] * last[q, 13]
            if same > 0.9 and gx * gx + gy * gy + gz * gz < 4e-6:
                best = last[q, 3]
    return best


@bare
def prepare(
    b: Floats,
    k: Floats,
    last: Floats,
    count: int,
    before: int,
    materials: Floats,
    stiff: float,
    dt: float,
    hard: float,
) -> None:
    """Fill in what the sweeps need of `count` contacts; `before`: how many there were the step before.

    A contact may not appear, or turn its normal, deep inside: its spring would give energy nobody put in. So the depth
    felt grows only by what the approach explains. Pushes begin as they were in the step before.

    Args:
        materials: damping ratio and friction of a piece on the table and on a piece. [2, 2]
        hard: 1 in impacts, down to 0 at rest, where nothing bounces and friction holds at once: it takes as long as the
            blow to end the slip of an impact. Else what leans would hop, unseen, and creep.
    """
    for m in range(count):
        nx, ny, nz = k[m, DX], k[m, DY], k[m, DZ]
        if abs(nz) < 0.7:
            size = math.sqrt(nx * nx + ny * ny)
            ax, ay, az = ny / size, -nx / size, 0.0
        else:
            size = math.sqrt(ny * ny + nz * nz)
            ax, ay, az = 0.0, nz / size, -ny / size
        k[m, DX + 3], k[m, DY + 3], k[m, DZ + 3] = ax, ay, az
        k[m, DX + 6], k[m, DY + 6], k[m, DZ + 6] = ny * az - nz * ay, nz * ax - nx * az, nx * ay - ny * ax
        for q in range(GOAL, WIDTH):
            k[m, q] = 0.0
        sign = 1.0
        for q in range(2):
            i = int(k[m, FIRST + q])
            if i >= 0:
                _lever(b, i, k, m, TA + 18 * q, sign)
            sign = -1.0
        un = k[m, GOAL]
        k[m, APPROACH] = un
        bounce = 1.0 - materials[0 if k[m, SECOND] < 0.0 else 1, 0]
        damping = 2.0 * (1.0 - bounce * hard) * math.sqrt(stiff)
        k[m, DEPTH] = min(-k[m, GAP], _remembered(k, last, m, before) + max(0.0, -un) * dt + SLACK)
        k[m, GOAL] = un + dt * (stiff * k[m, DEPTH] - damping * un)
        share = hard * hard * max(0.0, 1.0 - dt * damping)
        k[m, GOAL + 1] *= share
        k[m, GOAL + 2] *= share
        k00, k11, k22, k12 = k[m, GIVE], k[m, GIVE + 1], k[m, GIVE + 2], k[m, GIVE + 3]
        det, half = k11 * k22 - k12 * k12, 0.5 * (k11 - k22)
        k[m, GIVE] = 1.0 / k00
        k[m, GIVE + 1], k[m, GIVE + 2], k[m, GIVE + 3] = k22 / det, -k12 / det, k11 / det
        k[m, GIVE + 4] = 1.0 / (0.5 * (k11 + k22) + math.sqrt(half * half + k12 * k12))
    for m in range(count):
        i, j = int(k[m, FIRST]), int(k[m, SECOND])
        for q in range(3):
            if k[m, PUSH + q] != 0.0:
                _kick(b, k, m, 3 * q, i, j, k[m, PUSH + q])


@bare
def keep(k: Floats, last: Floats, count: int) -> None:
    """Note the contacts of this step for the next."""
    for m in range(count):
        last[m, 0], last[m, 1], last[m, 2], last[m, 3] = k[m, FIRST], k[m, SECOND], k[m, KIND], k[m, DEPTH]
        last[m, 4] = k[m, PUSH]
        for x in range(3):
            last[m, 5 + x] = k[m, PUSH + 1] * k[m, DX + 3 + x] + k[m, PUSH + 2] * k[m, DX + 6 + x]
            last[m, 8 + x], last[m, 11 + x] = k[m, AX + x], k[m, DX + x]


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
    """Give both bodies of contact `m` an impulse along its direction at `q`."""
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
def _push(b: Floats, k: Floats, m: int, i: int, j: int, mu: float) -> float:
    """One visit to contact `m`: its impulses so that it reaches its goals, within pushing and friction; the largest
    change of velocity."""
    old = new = k[m, PUSH]
    e1 = e2 = 0.0
    for q in range(3):
        lacks = k[m, GOAL + q] - _slip(b, k, m, 3 * q, i, j)
        if q == 0:
            new = max(0.0, old + lacks * k[m, GIVE])
            if new == 0.0 and old == 0.0:
                return 0.0  # not pressed, so no friction either
            k[m, PUSH] = new
            _kick(b, k, m, 3 * q, i, j, new - old)
        elif q == 1:
            e1 = lacks
        else:
            e2 = lacks
    o1, o2 = k[m, PUSH + 1], k[m, PUSH + 2]
    n1 = o1 + k[m, GIVE + 1] * e1 + k[m, GIVE + 2] * e2
    n2 = o2 + k[m, GIVE + 2] * e1 + k[m, GIVE + 3] * e2
    limit = mu * new
    if n1 * n1 + n2 * n2 > limit * limit:
        n1, n2 = o1 + k[m, GIVE + 4] * e1, o2 + k[m, GIVE + 4] * e2
        size2 = n1 * n1 + n2 * n2
        if size2 > limit * limit:
            share = limit / math.sqrt(size2)
            n1, n2 = n1 * share, n2 * share
    k[m, PUSH + 1], k[m, PUSH + 2] = n1, n2
    for q in range(1, 3):
        _kick(b, k, m, 3 * q, i, j, n1 - o1 if q == 1 else n2 - o2)
    light = b[i, IM] if j < 0 else max(b[i, IM], b[j, IM])
    return float(max(abs(new - old), max(abs(n1 - o1), abs(n2 - o2))) * light)


@bare
def relax(b: Floats, k: Floats, order: Ints, count: int, sweeps: int, materials: Floats) -> None:
    """Gauss-Seidel sweeps over the contacts, deepest first, until nothing changes or `sweeps` are done."""
    for _ in range(sweeps):
        change = 0.0
        for at in range(count):
            m = order[at]
            i, j = int(k[m, FIRST]), int(k[m, SECOND])
            change = max(change, _push(b, k, m, i, j, materials[0 if j < 0 else 1, 1]))
        if change < SETTLED:
            break


@bare
def finish(b: Floats, k: Floats, count: int) -> None:
    """Carry the impulses into the angular momenta."""
    for m in range(count):
        i, j = int(k[m, FIRST]), int(k[m, SECOND])
        for q in range(3):
            f = b[i, IM] * k[m, PUSH + q]
            t = TA + 3 * q
            b[i, LX] += f * k[m, t]
            b[i, LY] += f * k[m, t + 1]
            b[i, LZ] += f * k[m, t + 2]
            if j >= 0:
                f = b[j, IM] * k[m, PUSH + q]
                t = TB + 3 * q
                b[j, LX] -= f * k[m, t]
                b[j, LY] -= f * k[m, t + 1]
                b[j, LZ] -= f * k[m, t + 2]
