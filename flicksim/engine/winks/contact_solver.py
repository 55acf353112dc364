"""Contact impulses of one step: spring-dampers and Coulomb friction at velocity level, by projected Gauss-Seidel.

Springs are per effective mass, so a pile does not sink under its own weight and one step suits light and heavy winks.
"""

import math
from typing import Final

from flicksim.engine.jit import njit_inline, njit_no_refcount
from flicksim.engine.winks.bodies import (
    CONTACT_COUNT,
    CX,
    CY,
    CZ,
    FIRST_CONTACT,
    INV_INERTIA,
    INV_INERTIA_AXIAL_DIFF,
    INV_MASS,
    LX,
    LY,
    LZ,
    NX,
    NY,
    NZ,
    PATCH_ARM,
    PATCH_IMPULSE,
    PATCH_LEVER,
    RADIUS,
    ROLLING_IMPULSE,
    VX,
    VY,
    VZ,
    WARM_START_STEP,
    WX,
    WY,
    WZ,
    Ints,
)
from flicksim.engine.winks.contacts import (
    ANGULAR_RESPONSE_A,
    ANGULAR_RESPONSE_B,
    BODY_A,
    BODY_B,
    CONTACT_FRICTION,
    DAMPING_GAIN,
    EFFECTIVE_MASS,
    FRICTION,
    GAP,
    IMPULSE,
    NORMAL_VELOCITY,
    NORMAL_X,
    NORMAL_Y,
    NORMAL_Z,
    POINT_X,
    POINT_Y,
    POINT_Z,
    ROLLING_RESISTANCE,
    SPRING_DEPTH,
    SPRING_GAIN,
    TARGET_VELOCITY,
    TORQUE_ARM_A,
    TORQUE_ARM_B,
    material_index,
)
from flicksim.engine.winks.params import Floats
from flicksim.engine.winks.patch_friction import MAX_TORQUE_RATIO, prepare_patches, solve_ground_contacts, solve_patch

DEPTH_TOLERANCE: Final = 5e-6
"""Depth by which a contact may exceed, in a step, what its approach explains [m]."""
GROUND_DEPTH_TOLERANCE: Final = 1e-8
"""The same on level ground, where normals never turn [m]."""
VELOCITY_TOLERANCE: Final = 1e-6
"""Sweeps stop when no velocity changed by more than this [m/s]."""


@njit_no_refcount
def _effective_mass(
    b: Floats, i: int, rx: float, ry: float, rz: float, k: Floats, m: int, torque: int, turn: int
) -> tuple[float, float, float, float, float, float, float]:
    """The motion and the give of disc `i` at contact `m`, which is at (rx, ry, rz) from its centre.

    Its velocity along the normal and both tangents [m/s], and what it gains along these per impulse along them: normal,
    first tangent, both crosswise, second tangent [1/kg]. Its torque arms and the turning they cause go into the columns
    at `torque` and `turn`.
    """
    nx, ny, nz, im, it, ki = (
        b[i, NX],
        b[i, NY],
        b[i, NZ],
        b[i, INV_MASS],
        b[i, INV_INERTIA],
        b[i, INV_INERTIA_AXIAL_DIFF],
    )
    vx, vy, vz, wx, wy, wz = b[i, VX], b[i, VY], b[i, VZ], b[i, WX], b[i, WY], b[i, WZ]
    dx, dy, dz = k[m, NORMAL_X], k[m, NORMAL_Y], k[m, NORMAL_Z]
    tx, ty, tz = ry * dz - rz * dy, rz * dx - rx * dz, rx * dy - ry * dx
    axial = ki * (tx * nx + ty * ny + tz * nz)
    gx, gy, gz = it * tx + axial * nx, it * ty + axial * ny, it * tz + axial * nz
    k[m, torque], k[m, torque + 1], k[m, torque + 2] = tx, ty, tz
    k[m, turn], k[m, turn + 1], k[m, turn + 2] = gx, gy, gz
    un = vx * dx + vy * dy + vz * dz + (wx * tx + wy * ty + wz * tz)
    k00 = im * (1.0 + tx * gx + ty * gy + tz * gz)
    dx, dy, dz = k[m, NORMAL_X + 3], k[m, NORMAL_Y + 3], k[m, NORMAL_Z + 3]
    tx, ty, tz = ry * dz - rz * dy, rz * dx - rx * dz, rx * dy - ry * dx
    axial = ki * (tx * nx + ty * ny + tz * nz)
    gx, gy, gz = it * tx + axial * nx, it * ty + axial * ny, it * tz + axial * nz
    k[m, torque + 3], k[m, torque + 4], k[m, torque + 5] = tx, ty, tz
    k[m, turn + 3], k[m, turn + 4], k[m, turn + 5] = gx, gy, gz
    u1 = vx * dx + vy * dy + vz * dz + (wx * tx + wy * ty + wz * tz)
    k11 = im * (1.0 + tx * gx + ty * gy + tz * gz)
    dx, dy, dz = k[m, NORMAL_X + 6], k[m, NORMAL_Y + 6], k[m, NORMAL_Z + 6]
    tx, ty, tz = ry * dz - rz * dy, rz * dx - rx * dz, rx * dy - ry * dx
    k12 = im * (tx * gx + ty * gy + tz * gz)
    axial = ki * (tx * nx + ty * ny + tz * nz)
    gx, gy, gz = it * tx + axial * nx, it * ty + axial * ny, it * tz + axial * nz
    k[m, torque + 6], k[m, torque + 7], k[m, torque + 8] = tx, ty, tz
    k[m, turn + 6], k[m, turn + 7], k[m, turn + 8] = gx, gy, gz
    u2 = vx * dx + vy * dy + vz * dz + (wx * tx + wy * ty + wz * tz)
    k22 = im * (1.0 + tx * gx + ty * gy + tz * gz)
    return un, u1, u2, k00, k11, k12, k22


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
    """Give both discs of contact `m` an impulse along its direction at `q`."""
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
def _set_spring_target(
    k: Floats, m: int, un: float, best: float, allowed: float, gain: float, loss: float, dt: float
) -> None:  # fmt: skip
    """Depth that the spring of contact `m` feels, and the velocity it aims at; `best`: depth it had before."""
    depth = min(-k[m, GAP], best + allowed)
    k[m, SPRING_DEPTH] = depth
    if best > 0.0 or un >= 0.0:
        k[m, TARGET_VELOCITY] = un + gain * depth / dt - loss * un
    else:
        # one that is new has been pressed for a part of the step that brought it, and half a step is what a
        # spring lags behind in all others
        share = 0.5 + min(1.0, depth / (-un * dt))
        k[m, TARGET_VELOCITY] = un - (0.5 * gain * share * share + loss * share) * un


@njit_no_refcount
def _prepare_ground_contact(
    b: Floats, k: Floats, m: int, i: int, j: int, prev_contacts: Floats, prev_count: int, materials: Floats, dt: float
) -> None:
    """`prepare_contacts` for contact `m` of disc `i` with level ground, whose friction is that of the whole disc (see
    `solve_patch`)."""
    rx, ry = k[m, POINT_X] - b[i, CX], k[m, POINT_Y] - b[i, CY]
    nx, ny, nz, im, it, ki = (
        b[i, NX],
        b[i, NY],
        b[i, NZ],
        b[i, INV_MASS],
        b[i, INV_INERTIA],
        b[i, INV_INERTIA_AXIAL_DIFF],
    )
    tx, ty = ry, -rx
    axial = ki * (tx * nx + ty * ny)
    gx, gy, gz = it * tx + axial * nx, it * ty + axial * ny, axial * nz
    k[m, TORQUE_ARM_A], k[m, TORQUE_ARM_A + 1], k[m, TORQUE_ARM_A + 2] = tx, ty, 0.0
    k[m, ANGULAR_RESPONSE_A], k[m, ANGULAR_RESPONSE_A + 1], k[m, ANGULAR_RESPONSE_A + 2] = gx, gy, gz
    un = b[i, VZ] + (b[i, WX] * tx + b[i, WY] * ty)
    best = 0.0
    for q in range(prev_count):
        if prev_contacts[q, 0] == i and prev_contacts[q, 1] == j:
            best = max(best, prev_contacts[q, 8])
    kind = material_index(j)
    k[m, CONTACT_FRICTION], k[m, NORMAL_VELOCITY] = 0.0, un
    _set_spring_target(
        k,
        m,
        un,
        best,
        max(0.0, -un) * dt + GROUND_DEPTH_TOLERANCE,
        materials[kind, SPRING_GAIN],
        materials[kind, DAMPING_GAIN],
        dt,
    )
    k[m, IMPULSE] = k[m, IMPULSE + 1] = k[m, IMPULSE + 2] = 0.0
    k[m, EFFECTIVE_MASS] = 1.0 / (im * (1.0 + tx * gx + ty * gy))


@njit_inline
def prepare_contacts(
    b: Floats, awake: Ints, k: Floats, prev_contacts: Floats, count: int, prev_count: int, materials: Floats, dt: float
) -> None:
    """Fill in what the iterations need of `count` contacts; `prev_count`: how many there were the step before.

    A contact may not appear, or turn its normal, deep inside: its spring would give energy nobody put in. So the depth
    felt grows only by what the approach explains.
    """
    for m in range(count):
        i, j = int(k[m, BODY_A]), int(k[m, BODY_B])
        first = b[i, FIRST_CONTACT]
        if b[i, CONTACT_COUNT] > 0 and first <= m < first + b[i, CONTACT_COUNT]:
            _prepare_ground_contact(b, k, m, i, j, prev_contacts, prev_count, materials, dt)
            continue
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
        px, py, pz = k[m, POINT_X], k[m, POINT_Y], k[m, POINT_Z]
        rx, ry, rz = px - b[i, CX], py - b[i, CY], pz - b[i, CZ]
        un, u1, u2, k00, k11, k12, k22 = _effective_mass(b, i, rx, ry, rz, k, m, TORQUE_ARM_A, ANGULAR_RESPONSE_A)
        if j >= 0:
            rx, ry, rz = px - b[j, CX], py - b[j, CY], pz - b[j, CZ]
            vn, v1, v2, j00, j11, j12, j22 = _effective_mass(b, j, rx, ry, rz, k, m, TORQUE_ARM_B, ANGULAR_RESPONSE_B)
            un, u1, u2 = un - vn, u1 - v1, u2 - v2
            k00, k11, k12, k22 = k00 + j00, k11 + j11, k12 + j12, k22 + j22
        kind = material_index(j)
        k[m, CONTACT_FRICTION] = materials[kind, FRICTION]
        k[m, NORMAL_VELOCITY] = un
        level = j < 0 and nz > 0.9999  # such normals never turn, and the lowest point may run round fast
        allowed = max(0.0, -un) * dt + (GROUND_DEPTH_TOLERANCE if level else DEPTH_TOLERANCE)
        best = 0.0
        for q in range(prev_count):
            if prev_contacts[q, 0] != i or prev_contacts[q, 1] != j:
                continue
            if not level:
                if nx * prev_contacts[q, 5] + ny * prev_contacts[q, 6] + nz * prev_contacts[q, 7] < 0.9:
                    continue
                dx, dy, dz = px - prev_contacts[q, 2], py - prev_contacts[q, 3], pz - prev_contacts[q, 4]
                if dx * dx + dy * dy + dz * dz > 4e-6:
                    continue
            best = max(best, prev_contacts[q, 8])
        _set_spring_target(k, m, un, best, allowed, materials[kind, SPRING_GAIN], materials[kind, DAMPING_GAIN], dt)
        keep = 1.0 - materials[kind, DAMPING_GAIN]
        k[m, TARGET_VELOCITY + 1], k[m, TARGET_VELOCITY + 2] = keep * u1, keep * u2
        k[m, IMPULSE] = k[m, IMPULSE + 1] = k[m, IMPULSE + 2] = 0.0
        det = k11 * k22 - k12 * k12
        k[m, EFFECTIVE_MASS] = 1.0 / k00
        k[m, EFFECTIVE_MASS + 1], k[m, EFFECTIVE_MASS + 2], k[m, EFFECTIVE_MASS + 3] = k22 / det, -k12 / det, k11 / det
        k[m, EFFECTIVE_MASS + 4] = 1.0 / (0.5 * (k11 + k22) + math.sqrt(0.25 * (k11 - k22) * (k11 - k22) + k12 * k12))
    prepare_patches(b, awake, k, materials, dt)
    for m in range(count):
        prev_contacts[m, 0], prev_contacts[m, 1] = k[m, BODY_A], k[m, BODY_B]
        for q in range(3):
            prev_contacts[m, 2 + q], prev_contacts[m, 5 + q] = k[m, POINT_X + q], k[m, NORMAL_X + q]
        prev_contacts[m, 8] = k[m, SPRING_DEPTH]


@njit_no_refcount
def _clamp_to_cone(x: float, y: float, limit: float) -> tuple[float, float]:
    """Friction that slips: this step along the slip, back to the limit. A step along what would end the slip goes
    askew, since a disc gives more one way than another; friction acts against the slip."""
    size = math.sqrt(x * x + y * y)
    share = limit / size if size > limit else 1.0
    return x * share, y * share


@njit_no_refcount
def _solve_static_contact(b: Floats, k: Floats, m: int, i: int) -> float:
    """One visit to contact `m` of disc `i` with what does not move; the largest change of velocity.

    The same as `_solve_contact`, with the disc's motion held in local numbers: most contacts are with the felt.
    """
    im = b[i, INV_MASS]
    vx, vy, vz, wx, wy, wz = b[i, VX], b[i, VY], b[i, VZ], b[i, WX], b[i, WY], b[i, WZ]
    dx, dy, dz, tx, ty, tz = (
        k[m, NORMAL_X],
        k[m, NORMAL_Y],
        k[m, NORMAL_Z],
        k[m, TORQUE_ARM_A],
        k[m, TORQUE_ARM_A + 1],
        k[m, TORQUE_ARM_A + 2],
    )
    old = k[m, IMPULSE]
    slip = vx * dx + vy * dy + vz * dz + (wx * tx + wy * ty + wz * tz)
    new = max(0.0, old + (k[m, TARGET_VELOCITY] - slip) * k[m, EFFECTIVE_MASS])
    if new == 0.0 and old == 0.0:
        return 0.0  # not pressed, so no friction either
    k[m, IMPULSE] = new
    f = (new - old) * im
    change = abs(f)
    vx, vy, vz = vx + f * dx, vy + f * dy, vz + f * dz
    wx, wy, wz = (
        wx + f * k[m, ANGULAR_RESPONSE_A],
        wy + f * k[m, ANGULAR_RESPONSE_A + 1],
        wz + f * k[m, ANGULAR_RESPONSE_A + 2],
    )
    if k[m, CONTACT_FRICTION] == 0.0:
        b[i, VX], b[i, VY], b[i, VZ], b[i, WX], b[i, WY], b[i, WZ] = vx, vy, vz, wx, wy, wz
        return float(change)
    ax, ay, az, bx, by, bz = (
        k[m, NORMAL_X + 3],
        k[m, NORMAL_Y + 3],
        k[m, NORMAL_Z + 3],
        k[m, NORMAL_X + 6],
        k[m, NORMAL_Y + 6],
        k[m, NORMAL_Z + 6],
    )
    s1 = (
        vx * ax
        + vy * ay
        + vz * az
        + (wx * k[m, TORQUE_ARM_A + 3] + wy * k[m, TORQUE_ARM_A + 4] + wz * k[m, TORQUE_ARM_A + 5])
    )
    s2 = (
        vx * bx
        + vy * by
        + vz * bz
        + (wx * k[m, TORQUE_ARM_A + 6] + wy * k[m, TORQUE_ARM_A + 7] + wz * k[m, TORQUE_ARM_A + 8])
    )
    e1, e2 = k[m, TARGET_VELOCITY + 1] - s1, k[m, TARGET_VELOCITY + 2] - s2
    o1, o2 = k[m, IMPULSE + 1], k[m, IMPULSE + 2]
    n1 = o1 + k[m, EFFECTIVE_MASS + 1] * e1 + k[m, EFFECTIVE_MASS + 2] * e2
    n2 = o2 + k[m, EFFECTIVE_MASS + 2] * e1 + k[m, EFFECTIVE_MASS + 3] * e2
    limit = k[m, CONTACT_FRICTION] * new
    if n1 * n1 + n2 * n2 > limit * limit:
        n1, n2 = _clamp_to_cone(o1 + k[m, EFFECTIVE_MASS + 4] * e1, o2 + k[m, EFFECTIVE_MASS + 4] * e2, limit)
    k[m, IMPULSE + 1], k[m, IMPULSE + 2] = n1, n2
    f, g = (n1 - o1) * im, (n2 - o2) * im
    b[i, VX], b[i, VY], b[i, VZ] = vx + f * ax + g * bx, vy + f * ay + g * by, vz + f * az + g * bz
    b[i, WX] = wx + f * k[m, ANGULAR_RESPONSE_A + 3] + g * k[m, ANGULAR_RESPONSE_A + 6]
    b[i, WY] = wy + f * k[m, ANGULAR_RESPONSE_A + 4] + g * k[m, ANGULAR_RESPONSE_A + 7]
    b[i, WZ] = wz + f * k[m, ANGULAR_RESPONSE_A + 5] + g * k[m, ANGULAR_RESPONSE_A + 8]
    return float(max(change, max(abs(f), abs(g))))


@njit_no_refcount
def _solve_contact(b: Floats, k: Floats, m: int, i: int, j: int) -> float:
    """One visit to contact `m`: its impulses so that it reaches its goals, within pushing and friction."""
    old = k[m, IMPULSE]
    new = max(0.0, old + (k[m, TARGET_VELOCITY] - _relative_velocity(b, k, m, 0, i, j)) * k[m, EFFECTIVE_MASS])
    if new == 0.0 and old == 0.0:
        return 0.0
    k[m, IMPULSE] = new
    _apply_impulse(b, k, m, 0, i, j, new - old)
    o1, o2 = k[m, IMPULSE + 1], k[m, IMPULSE + 2]
    e1, e2 = (
        k[m, TARGET_VELOCITY + 1] - _relative_velocity(b, k, m, 3, i, j),
        k[m, TARGET_VELOCITY + 2] - _relative_velocity(b, k, m, 6, i, j),
    )
    n1 = o1 + k[m, EFFECTIVE_MASS + 1] * e1 + k[m, EFFECTIVE_MASS + 2] * e2
    n2 = o2 + k[m, EFFECTIVE_MASS + 2] * e1 + k[m, EFFECTIVE_MASS + 3] * e2
    limit = k[m, CONTACT_FRICTION] * new
    if n1 * n1 + n2 * n2 > limit * limit:
        n1, n2 = _clamp_to_cone(o1 + k[m, EFFECTIVE_MASS + 4] * e1, o2 + k[m, EFFECTIVE_MASS + 4] * e2, limit)
    k[m, IMPULSE + 1], k[m, IMPULSE + 2] = n1, n2
    _apply_impulse(b, k, m, 3, i, j, n1 - o1)
    _apply_impulse(b, k, m, 6, i, j, n2 - o2)
    return float(max(abs(new - old), max(abs(n1 - o1), abs(n2 - o2))) * max(b[i, INV_MASS], b[j, INV_MASS]))


@njit_inline
def solve_velocities(b: Floats, awake: Ints, k: Floats, order: Ints, count: int, sweeps: int, dt: float) -> None:
    """Gauss-Seidel iterations over the contacts, deepest first, until nothing changes or `sweeps` are done."""
    if b[int(k[0, BODY_A]), CONTACT_COUNT] == count:
        solve_ground_contacts(b, k, order, count, sweeps, VELOCITY_TOLERANCE, dt)
        return
    for i in awake:
        b[i, PATCH_IMPULSE] = b[i, PATCH_IMPULSE + 1] = b[i, PATCH_IMPULSE + 2] = b[i, WARM_START_STEP] = 0.0
    for _ in range(sweeps):
        change = 0.0
        for at in range(count):
            m = order[at]
            i, j = int(k[m, BODY_A]), int(k[m, BODY_B])
            change = max(change, _solve_static_contact(b, k, m, i) if j < 0 else _solve_contact(b, k, m, i, j))
        for i in awake:
            if b[i, CONTACT_COUNT] > 0:
                change = max(change, solve_patch(b, k, i))
        if change < VELOCITY_TOLERANCE:
            break


@njit_inline
def update_momenta(b: Floats, awake: Ints, k: Floats, count: int, materials: Floats) -> None:
    """Carry the impulses into the angular momenta, and let rolling resistance take its part of them."""
    for m in range(count):
        i, j = int(k[m, BODY_A]), int(k[m, BODY_B])
        roll = materials[material_index(j), ROLLING_RESISTANCE]
        if j < 0 and k[m, CONTACT_FRICTION] == 0.0:
            for x in range(3):
                b[i, LX + x] += b[i, INV_MASS] * (k[m, IMPULSE] * k[m, TORQUE_ARM_A + x])
            b[i, ROLLING_IMPULSE] += roll * k[m, IMPULSE]
            continue
        for x in range(3):
            b[i, LX + x] += b[i, INV_MASS] * (
                k[m, IMPULSE] * k[m, TORQUE_ARM_A + x]
                + k[m, IMPULSE + 1] * k[m, TORQUE_ARM_A + 3 + x]
                + k[m, IMPULSE + 2] * k[m, TORQUE_ARM_A + 6 + x]
            )
        b[i, ROLLING_IMPULSE] += roll * k[m, IMPULSE]
        if j >= 0:
            for x in range(3):
                b[j, LX + x] -= b[j, INV_MASS] * (
                    k[m, IMPULSE] * k[m, TORQUE_ARM_B + x]
                    + k[m, IMPULSE + 1] * k[m, TORQUE_ARM_B + 3 + x]
                    + k[m, IMPULSE + 2] * k[m, TORQUE_ARM_B + 6 + x]
                )
            b[j, ROLLING_IMPULSE] += roll * k[m, IMPULSE]
    for i in awake:
        flat = 0.0
        if b[i, CONTACT_COUNT] > 0:
            p1, p2, rz = (
                b[i, INV_MASS] * b[i, PATCH_IMPULSE],
                b[i, INV_MASS] * b[i, PATCH_IMPULSE + 1],
                b[i, PATCH_ARM + 2],
            )
            b[i, LX] -= p2 * rz
            b[i, LY] += p1 * rz
            b[i, LZ] += (
                p2 * b[i, PATCH_ARM]
                - p1 * b[i, PATCH_ARM + 1]
                + b[i, INV_MASS] * b[i, PATCH_IMPULSE + 2] * b[i, PATCH_LEVER]
            )
            load = 0.0
            for m in range(int(b[i, FIRST_CONTACT]), int(b[i, FIRST_CONTACT] + b[i, CONTACT_COUNT])):
                load += k[m, IMPULSE]
            roll = materials[material_index(int(k[int(b[i, FIRST_CONTACT]), BODY_B])), ROLLING_RESISTANCE]
            flat = roll * load * b[i, PATCH_LEVER] / (MAX_TORQUE_RATIO * b[i, RADIUS])
        if b[i, ROLLING_IMPULSE] > 0.0:
            # what lies flat does not roll where it turns about the upright: friction has braked that
            wx, wy, wz = b[i, WX], b[i, WY], b[i, WZ] * (1.0 - flat / b[i, ROLLING_IMPULSE])
            size = math.sqrt(wx * wx + wy * wy + wz * wz)
            if size > 1e-12:
                # capped at the moment of inertia: more would turn the disc the other way
                share = min(b[i, ROLLING_IMPULSE] * b[i, INV_MASS] / size, 1.0 / b[i, INV_INERTIA])
                b[i, LX] -= share * wx
                b[i, LY] -= share * wy
                b[i, LZ] -= share * wz
            b[i, ROLLING_IMPULSE] = 0.0
