"""Contact impulses of one step: spring-dampers and Coulomb friction at velocity level, by projected Gauss-Seidel.

Springs are per effective mass, so a pile does not sink under its own weight. A contact that sticks gets the friction
that stops it; one that slips is pushed against its slip: a step that is the same in all directions finds that.
"""

import math
from typing import Final

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.pyramids.bodies import (
    AXIS_X,
    AXIS_Y,
    AXIS_Z,
    CX,
    CY,
    CZ,
    INV_INERTIA,
    INV_INERTIA_AXIAL_DIFF,
    INV_MASS,
    LX,
    LY,
    LZ,
    VX,
    VY,
    VZ,
    WX,
    WY,
    WZ,
    Floats,
    Ints,
)
from flicksim.engine.pyramids.contacts import (
    ANGULAR_RESPONSE_A,
    ANGULAR_RESPONSE_B,
    BODY_A,
    BODY_B,
    CONTACT_COLUMNS,
    EFFECTIVE_MASS,
    FEATURE_ID,
    GAP,
    IMPULSE,
    NORMAL_VELOCITY,
    NORMAL_X,
    NORMAL_Y,
    NORMAL_Z,
    POINT_X,
    POINT_Y,
    POINT_Z,
    SPRING_DEPTH,
    TARGET_VELOCITY,
    TORQUE_ARM_A,
    TORQUE_ARM_B,
)

DEPTH_TOLERANCE: Final = 2e-6
"""Depth by which a contact may exceed, in a step, what its approach explains [m]."""
VELOCITY_TOLERANCE: Final = 2e-6
"""Sweeps stop when no velocity changed by more than this [m/s]."""


@njit_no_refcount
def sort_by_depth(k: Floats, order: Ints, count: int) -> None:
    """Order the contacts by depth: the iterations then visit them alike in a scene and in its mirror image."""
    for m in range(count):
        gap, at = k[m, GAP], m
        while at > 0 and k[order[at - 1], GAP] > gap:
            order[at] = order[at - 1]
            at -= 1
        order[at] = m


@njit_no_refcount
def _add_effective_mass(b: Floats, i: int, k: Floats, m: int, at: int, sign: float) -> None:
    """Fill in the torque arms of body `i` at contact `m` and the turning they cause, from column `at` on; add how it
    moves there to the goals, and how it yields to what the contact gives."""
    rx, ry, rz = k[m, POINT_X] - b[i, CX], k[m, POINT_Y] - b[i, CY], k[m, POINT_Z] - b[i, CZ]
    nx, ny, nz, im, it = b[i, AXIS_X], b[i, AXIS_Y], b[i, AXIS_Z], b[i, INV_MASS], b[i, INV_INERTIA]
    for q in range(3):
        d, t, g = NORMAL_X + 3 * q, at + 3 * q, at + 9 + 3 * q
        dx, dy, dz = k[m, d], k[m, d + 1], k[m, d + 2]
        tx, ty, tz = ry * dz - rz * dy, rz * dx - rx * dz, rx * dy - ry * dx
        axial = b[i, INV_INERTIA_AXIAL_DIFF] * (tx * nx + ty * ny + tz * nz)
        k[m, t], k[m, t + 1], k[m, t + 2] = tx, ty, tz
        k[m, g], k[m, g + 1], k[m, g + 2] = it * tx + axial * nx, it * ty + axial * ny, it * tz + axial * nz
        u = b[i, VX] * dx + b[i, VY] * dy + b[i, VZ] * dz
        k[m, TARGET_VELOCITY + q] += sign * (u + (b[i, WX] * tx + b[i, WY] * ty + b[i, WZ] * tz))
        k[m, EFFECTIVE_MASS + q] += im * (1.0 + tx * k[m, g] + ty * k[m, g + 1] + tz * k[m, g + 2])
    t, g = at + 3, at + 15
    k[m, EFFECTIVE_MASS + 3] += im * (k[m, t] * k[m, g] + k[m, t + 1] * k[m, g + 1] + k[m, t + 2] * k[m, g + 2])


@njit_no_refcount
def _warm_start(k: Floats, prev_contacts: Floats, m: int, prev_count: int) -> float:
    """The depth contact `m` was felt to have in the step before; its pushes begin as they were then."""
    best = 0.0
    for q in range(prev_count):
        if prev_contacts[q, 0] != k[m, BODY_A] or prev_contacts[q, 1] != k[m, BODY_B]:
            continue
        if prev_contacts[q, 2] == k[m, FEATURE_ID]:
            k[m, IMPULSE] = prev_contacts[q, 4]
            for x in range(1, 3):
                d = NORMAL_X + 3 * x
                k[m, IMPULSE + x] = (
                    prev_contacts[q, 5] * k[m, d]
                    + prev_contacts[q, 6] * k[m, d + 1]
                    + prev_contacts[q, 7] * k[m, d + 2]
                )
            return float(prev_contacts[q, 3])
        if best < prev_contacts[q, 3]:  # one feature has taken over from another nearby that pushed the same way
            gx, gy, gz = (
                k[m, POINT_X] - prev_contacts[q, 8],
                k[m, POINT_Y] - prev_contacts[q, 9],
                k[m, POINT_Z] - prev_contacts[q, 10],
            )
            same = (
                k[m, NORMAL_X] * prev_contacts[q, 11]
                + k[m, NORMAL_Y] * prev_contacts[q, 12]
                + k[m, NORMAL_Z] * prev_contacts[q, 13]
            )
            if same > 0.9 and gx * gx + gy * gy + gz * gz < 4e-6:
                best = prev_contacts[q, 3]
    return best


@njit_no_refcount
def prepare_contacts(
    b: Floats,
    k: Floats,
    prev_contacts: Floats,
    count: int,
    prev_count: int,
    materials: Floats,
    stiffness: float,
    dt: float,
    hardness: float,
) -> None:
    """Fill in what the iterations need of `count` contacts; `prev_count`: how many there were the step before.

    A contact may not appear, or turn its normal, deep inside: its spring would give energy nobody put in. So the depth
    felt grows only by what the approach explains. Pushes begin as they were in the step before.

    Args:
        materials: damping ratio and friction of a piece on the table and on a piece. [2, 2]
        hardness: 1 in impacts, down to 0 at rest, where nothing bounces and friction holds at once: it takes as long as
            the blow to end the slip of an impact. Else what leans would hop, unseen, and creep.
    """
    for m in range(count):
        nx, ny, nz = k[m, NORMAL_X], k[m, NORMAL_Y], k[m, NORMAL_Z]
        if abs(nz) < 0.7:
            size = math.sqrt(nx * nx + ny * ny)
            ax, ay, az = ny / size, -nx / size, 0.0
        else:
            size = math.sqrt(ny * ny + nz * nz)
            ax, ay, az = 0.0, nz / size, -ny / size
        k[m, NORMAL_X + 3], k[m, NORMAL_Y + 3], k[m, NORMAL_Z + 3] = ax, ay, az
        k[m, NORMAL_X + 6], k[m, NORMAL_Y + 6], k[m, NORMAL_Z + 6] = (
            ny * az - nz * ay,
            nz * ax - nx * az,
            nx * ay - ny * ax,
        )
        for q in range(TARGET_VELOCITY, CONTACT_COLUMNS):
            k[m, q] = 0.0
        sign = 1.0
        for q in range(2):
            i = int(k[m, BODY_A + q])
            if i >= 0:
                _add_effective_mass(b, i, k, m, TORQUE_ARM_A + 18 * q, sign)
            sign = -1.0
        un = k[m, TARGET_VELOCITY]
        k[m, NORMAL_VELOCITY] = un
        bounce = 1.0 - materials[0 if k[m, BODY_B] < 0.0 else 1, 0]
        damping = 2.0 * (1.0 - bounce * hardness) * math.sqrt(stiffness)
        k[m, SPRING_DEPTH] = min(
            -k[m, GAP], _warm_start(k, prev_contacts, m, prev_count) + max(0.0, -un) * dt + DEPTH_TOLERANCE
        )
        k[m, TARGET_VELOCITY] = un + dt * (stiffness * k[m, SPRING_DEPTH] - damping * un)
        share = hardness * hardness * max(0.0, 1.0 - dt * damping)
        k[m, TARGET_VELOCITY + 1] *= share
        k[m, TARGET_VELOCITY + 2] *= share
        k00, k11, k22, k12 = (
            k[m, EFFECTIVE_MASS],
            k[m, EFFECTIVE_MASS + 1],
            k[m, EFFECTIVE_MASS + 2],
            k[m, EFFECTIVE_MASS + 3],
        )
        det, half = k11 * k22 - k12 * k12, 0.5 * (k11 - k22)
        k[m, EFFECTIVE_MASS] = 1.0 / k00
        k[m, EFFECTIVE_MASS + 1], k[m, EFFECTIVE_MASS + 2], k[m, EFFECTIVE_MASS + 3] = k22 / det, -k12 / det, k11 / det
        k[m, EFFECTIVE_MASS + 4] = 1.0 / (0.5 * (k11 + k22) + math.sqrt(half * half + k12 * k12))
    for m in range(count):
        i, j = int(k[m, BODY_A]), int(k[m, BODY_B])
        for q in range(3):
            if k[m, IMPULSE + q] != 0.0:
                _apply_impulse(b, k, m, 3 * q, i, j, k[m, IMPULSE + q])


@njit_no_refcount
def store_contacts(k: Floats, prev_contacts: Floats, count: int) -> None:
    """Note the contacts of this step for the next."""
    for m in range(count):
        prev_contacts[m, 0], prev_contacts[m, 1], prev_contacts[m, 2], prev_contacts[m, 3] = (
            k[m, BODY_A],
            k[m, BODY_B],
            k[m, FEATURE_ID],
            k[m, SPRING_DEPTH],
        )
        prev_contacts[m, 4] = k[m, IMPULSE]
        for x in range(3):
            prev_contacts[m, 5 + x] = (
                k[m, IMPULSE + 1] * k[m, NORMAL_X + 3 + x] + k[m, IMPULSE + 2] * k[m, NORMAL_X + 6 + x]
            )
            prev_contacts[m, 8 + x], prev_contacts[m, 11 + x] = k[m, POINT_X + x], k[m, NORMAL_X + x]


@njit_no_refcount
def _relative_velocity(b: Floats, k: Floats, m: int, q: int, i: int, j: int) -> float:
    """Relative velocity of contact `m` along its direction at `q` (0, 3, 6)."""
    dx, dy, dz = k[m, NORMAL_X + q], k[m, NORMAL_Y + q], k[m, NORMAL_Z + q]
    t = TORQUE_ARM_A + q
    u = b[i, VX] * dx + b[i, VY] * dy + b[i, VZ] * dz
    u += b[i, WX] * k[m, t] + b[i, WY] * k[m, t + 1] + b[i, WZ] * k[m, t + 2]
    if j >= 0:
        t = TORQUE_ARM_B + q
        u -= b[j, VX] * dx + b[j, VY] * dy + b[j, VZ] * dz
        u -= b[j, WX] * k[m, t] + b[j, WY] * k[m, t + 1] + b[j, WZ] * k[m, t + 2]
    return float(u)


@njit_no_refcount
def _apply_impulse(b: Floats, k: Floats, m: int, q: int, i: int, j: int, impulse: float) -> None:
    """Give both bodies of contact `m` an impulse along its direction at `q`."""
    dx, dy, dz = k[m, NORMAL_X + q], k[m, NORMAL_Y + q], k[m, NORMAL_Z + q]
    f, g = impulse * b[i, INV_MASS], ANGULAR_RESPONSE_A + q
    b[i, VX] += f * dx
    b[i, VY] += f * dy
    b[i, VZ] += f * dz
    b[i, WX] += f * k[m, g]
    b[i, WY] += f * k[m, g + 1]
    b[i, WZ] += f * k[m, g + 2]
    if j >= 0:
        f, g = impulse * b[j, INV_MASS], ANGULAR_RESPONSE_B + q
        b[j, VX] -= f * dx
        b[j, VY] -= f * dy
        b[j, VZ] -= f * dz
        b[j, WX] -= f * k[m, g]
        b[j, WY] -= f * k[m, g + 1]
        b[j, WZ] -= f * k[m, g + 2]


@njit_no_refcount
def _solve_contact(b: Floats, k: Floats, m: int, i: int, j: int, mu: float) -> float:
    """One visit to contact `m`: its impulses so that it reaches its goals, within pushing and friction; the largest
    change of velocity."""
    old = new = k[m, IMPULSE]
    e1 = e2 = 0.0
    for q in range(3):
        lacks = k[m, TARGET_VELOCITY + q] - _relative_velocity(b, k, m, 3 * q, i, j)
        if q == 0:
            new = max(0.0, old + lacks * k[m, EFFECTIVE_MASS])
            if new == 0.0 and old == 0.0:
                return 0.0  # not pressed, so no friction either
            k[m, IMPULSE] = new
            _apply_impulse(b, k, m, 3 * q, i, j, new - old)
        elif q == 1:
            e1 = lacks
        else:
            e2 = lacks
    o1, o2 = k[m, IMPULSE + 1], k[m, IMPULSE + 2]
    n1 = o1 + k[m, EFFECTIVE_MASS + 1] * e1 + k[m, EFFECTIVE_MASS + 2] * e2
    n2 = o2 + k[m, EFFECTIVE_MASS + 2] * e1 + k[m, EFFECTIVE_MASS + 3] * e2
    limit = mu * new
    if n1 * n1 + n2 * n2 > limit * limit:
        n1, n2 = o1 + k[m, EFFECTIVE_MASS + 4] * e1, o2 + k[m, EFFECTIVE_MASS + 4] * e2
        size2 = n1 * n1 + n2 * n2
        if size2 > limit * limit:
            share = limit / math.sqrt(size2)
            n1, n2 = n1 * share, n2 * share
    k[m, IMPULSE + 1], k[m, IMPULSE + 2] = n1, n2
    for q in range(1, 3):
        _apply_impulse(b, k, m, 3 * q, i, j, n1 - o1 if q == 1 else n2 - o2)
    light = b[i, INV_MASS] if j < 0 else max(b[i, INV_MASS], b[j, INV_MASS])
    return float(max(abs(new - old), max(abs(n1 - o1), abs(n2 - o2))) * light)


@njit_no_refcount
def solve_velocities(b: Floats, k: Floats, order: Ints, count: int, sweeps: int, materials: Floats) -> None:
    """Gauss-Seidel iterations over the contacts, deepest first, until nothing changes or `sweeps` are done."""
    for _ in range(sweeps):
        change = 0.0
        for at in range(count):
            m = order[at]
            i, j = int(k[m, BODY_A]), int(k[m, BODY_B])
            change = max(change, _solve_contact(b, k, m, i, j, materials[0 if j < 0 else 1, 1]))
        if change < VELOCITY_TOLERANCE:
            break


@njit_no_refcount
def update_momenta(b: Floats, k: Floats, count: int) -> None:
    """Carry the impulses into the angular momenta."""
    for m in range(count):
        i, j = int(k[m, BODY_A]), int(k[m, BODY_B])
        for q in range(3):
            f = b[i, INV_MASS] * k[m, IMPULSE + q]
            t = TORQUE_ARM_A + 3 * q
            b[i, LX] += f * k[m, t]
            b[i, LY] += f * k[m, t + 1]
            b[i, LZ] += f * k[m, t + 2]
            if j >= 0:
                f = b[j, INV_MASS] * k[m, IMPULSE + q]
                t = TORQUE_ARM_B + 3 * q
                b[j, LX] -= f * k[m, t]
                b[j, LY] -= f * k[m, t + 1]
                b[j, LZ] -= f * k[m, t + 2]
