"""Contacts of winks as soft constraints: targets, effective masses, warm start, iterations, and rolling resistance.

Contacts with level ground share one friction law for the whole disc, see `patch_friction`.
"""

import math
from typing import Final

from flicksim.engine.jit import njit_inline
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies.bodies import Floats, Ints
from flicksim.engine.rigid_bodies.contact_solver import (
    iterate_contacts,
    prepare_geometry,
    spring_target,
    update_angular_momenta,
)
from flicksim.engine.rigid_bodies.previous_contacts import (
    PREV_BODY_A,
    PREV_BODY_B,
    PREV_DEPTH,
    apply_impulses,
    squared_match_distance,
    start_from,
)
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import params as M
from flicksim.engine.winks.contacts import material_index
from flicksim.engine.winks.patch_friction import (
    MAX_TORQUE_RATIO,
    apply_patch,
    prepare_patches,
    solve_ground_contacts,
    solve_patch,
)

DEPTH_TOLERANCE: Final = 5e-6
"""Depth by which a contact may exceed, in a step, what its approach explains [m]."""
GROUND_DEPTH_TOLERANCE: Final = 1e-8
"""The same on level ground, where normals never turn [m]."""
VELOCITY_TOLERANCE: Final = 1e-6
"""Iterations stop when no velocity changed by more than this [m/s]."""


@njit_inline
def _set_spring_target(
    k: Floats, m: int, un: float, prev_depth: float, max_growth: float, gain: float, loss: float, dt: float
) -> None:
    """Set the depth felt by the spring of contact `m` and its target velocity; `prev_depth`: of the step before."""
    depth = min(-k[m, C.GAP], prev_depth + max_growth)
    k[m, C.SPRING_DEPTH], k[m, C.NORMAL_VELOCITY] = depth, un
    k[m, C.TARGET_VELOCITY] = spring_target(un, depth, prev_depth <= 0.0, gain, loss, dt)


@njit_inline
def _match_previous(k: Floats, m: int, level: bool, prev_contacts: Floats, prev_count: int) -> float:
    """Start contact `m` from the impulses of the nearest one of its pair in the step before.

    Args:
        level: whether it is on level ground, where normals never turn and the lowest point may move round the rim fast.

    Returns:
        Largest spring depth of those that it may continue [m].
    """
    depth, nearest, row = 0.0, math.inf, -1
    k[m, C.IMPULSE] = k[m, C.IMPULSE + 1] = k[m, C.IMPULSE + 2] = 0.0
    for q in range(prev_count):
        if prev_contacts[q, PREV_BODY_A] == k[m, C.BODY_A] and prev_contacts[q, PREV_BODY_B] == k[m, C.BODY_B]:
            distance = squared_match_distance(k, m, prev_contacts, q)
            if level or distance < math.inf:
                depth = max(depth, prev_contacts[q, PREV_DEPTH])
            if distance < nearest:
                nearest, row = distance, q
    if row >= 0:
        start_from(k, m, prev_contacts, row)
    return depth


@njit_inline
def _prepare_ground_contact(
    b: Floats, k: Floats, m: int, i: int, j: int, prev_contacts: Floats, prev_count: int, materials: Floats, dt: float
) -> None:
    """`prepare_contacts` for contact `m` of disc `i` with level ground, without friction."""
    rx, ry = k[m, C.POINT_X] - b[i, B.CX], k[m, C.POINT_Y] - b[i, B.CY]
    nx, ny, nz, it = b[i, B.NX], b[i, B.NY], b[i, B.NZ], b[i, B.INV_INERTIA]
    tx, ty, t, g = ry, -rx, C.TORQUE_ARM_A, C.ANGULAR_RESPONSE_A
    axial = b[i, B.INV_INERTIA_AXIAL_DIFF] * (tx * nx + ty * ny)
    gx, gy, gz = it * tx + axial * nx, it * ty + axial * ny, axial * nz
    k[m, t], k[m, t + 1], k[m, t + 2], k[m, g], k[m, g + 1], k[m, g + 2] = tx, ty, 0.0, gx, gy, gz
    un = b[i, B.VZ] + (b[i, B.WX] * tx + b[i, B.WY] * ty)
    for q in range(6):
        k[m, C.NORMAL_X + 3 + q] = 0.0
    prev_depth = _match_previous(k, m, True, prev_contacts, prev_count)
    kind = material_index(j)
    k[m, C.CONTACT_FRICTION] = 0.0
    growth = max(0.0, -un) * dt + GROUND_DEPTH_TOLERANCE
    _set_spring_target(
        k, m, un, prev_depth, growth, materials[kind, M.SPRING_GAIN], materials[kind, M.DAMPING_GAIN], dt
    )
    k[m, C.EFFECTIVE_MASS] = 1.0 / (b[i, B.INV_MASS] * (1.0 + tx * gx + ty * gy))


@njit_inline
def prepare_contacts(
    b: Floats, awake: Ints, k: Floats, prev_contacts: Floats, count: int, prev_count: int, materials: Floats, dt: float
) -> None:
    """Fill in the solver's columns of `count` contacts; `prev_contacts`: of the step before, `prev_count` rows.

    A contact that appears, or turns its normal, at depth would add energy by its spring: the depth felt grows at most
    by the approach.
    """
    for m in range(count):
        i, j = int(k[m, C.BODY_A]), int(k[m, C.BODY_B])
        first = b[i, W.FIRST_CONTACT]
        if b[i, W.CONTACT_COUNT] > 0 and first <= m < first + b[i, W.CONTACT_COUNT]:
            _prepare_ground_contact(b, k, m, i, j, prev_contacts, prev_count, materials, dt)
            continue
        un, u1, u2 = prepare_geometry(b, k, m)
        kind = material_index(j)
        k[m, C.CONTACT_FRICTION] = materials[kind, M.FRICTION]
        level = j < 0 and k[m, C.NORMAL_Z] > 0.9999
        growth = max(0.0, -un) * dt + (GROUND_DEPTH_TOLERANCE if level else DEPTH_TOLERANCE)
        prev_depth = _match_previous(k, m, level, prev_contacts, prev_count)
        loss = materials[kind, M.DAMPING_GAIN]
        _set_spring_target(k, m, un, prev_depth, growth, materials[kind, M.SPRING_GAIN], loss, dt)
        k[m, C.TARGET_VELOCITY + 1], k[m, C.TARGET_VELOCITY + 2] = (1.0 - loss) * u1, (1.0 - loss) * u2
    prepare_patches(b, awake, k, materials, dt)


@njit_inline
def solve_velocities(b: Floats, awake: Ints, k: Floats, order: Ints, count: int, iterations: int) -> None:
    """Gauss-Seidel iterations over the contacts, deepest first, until convergence or `iterations` are done."""
    apply_impulses(b, k, count)
    for i in awake:
        apply_patch(b, i)
    if b[int(k[0, C.BODY_A]), W.CONTACT_COUNT] == count:
        solve_ground_contacts(b, k, order, count, iterations, VELOCITY_TOLERANCE)
        return
    for _ in range(iterations):
        change = iterate_contacts(b, k, order, count)
        for i in awake:
            if b[i, W.CONTACT_COUNT] > 0:
                change = max(change, solve_patch(b, k, i))
        if change < VELOCITY_TOLERANCE:
            break


@njit_inline
def spring_energy(b: Floats, k: Floats, count: int, stiffness: float, dt: float) -> float:
    """Upper bound on the energy in the springs of these contacts [J]; `stiffness`: per mass [1/s^2].

    A spring acts on at most the mass of its discs. The second term bounds the discretisation error of a step.
    """
    total = 0.0
    for m in range(count):
        i, j = int(k[m, C.BODY_A]), int(k[m, C.BODY_B])
        inv_mass = b[i, B.INV_MASS] + (b[j, B.INV_MASS] if j >= 0 else 0.0)
        depth = max(0.0, k[m, C.SPRING_DEPTH])
        total += 0.5 * stiffness * depth * (depth + dt * abs(k[m, C.NORMAL_VELOCITY])) / inv_mass
    return total


@njit_inline
def update_momenta(b: Floats, awake: Ints, k: Floats, count: int, materials: Floats) -> None:
    """Add the impulses of the step to the angular momenta, and apply rolling resistance."""
    for m in range(count):
        i, j = int(k[m, C.BODY_A]), int(k[m, C.BODY_B])
        rolling_impulse = materials[material_index(j), M.ROLLING_RESISTANCE] * k[m, C.IMPULSE]
        b[i, W.ROLLING_IMPULSE] += rolling_impulse
        if j < 0 and k[m, C.CONTACT_FRICTION] == 0.0:
            for x in range(3):
                b[i, B.LX + x] += b[i, B.INV_MASS] * (k[m, C.IMPULSE] * k[m, C.TORQUE_ARM_A + x])
            continue
        update_angular_momenta(b, k, m)
        if j >= 0:
            b[j, W.ROLLING_IMPULSE] += rolling_impulse
    for i in awake:
        flat = 0.0
        if b[i, W.CONTACT_COUNT] > 0:
            arm, im = W.PATCH_ARM, b[i, B.INV_MASS]
            p1, p2, rz = im * b[i, W.PATCH_IMPULSE], im * b[i, W.PATCH_IMPULSE + 1], b[i, arm + 2]
            b[i, B.LX] -= p2 * rz
            b[i, B.LY] += p1 * rz
            b[i, B.LZ] += p2 * b[i, arm] - p1 * b[i, arm + 1] + im * b[i, W.PATCH_IMPULSE + 2] * b[i, W.PATCH_LEVER]
            first, load = int(b[i, W.FIRST_CONTACT]), 0.0
            for m in range(first, int(b[i, W.FIRST_CONTACT] + b[i, W.CONTACT_COUNT])):
                load += k[m, C.IMPULSE]
            roll = materials[material_index(int(k[first, C.BODY_B])), M.ROLLING_RESISTANCE]
            flat = roll * load * b[i, W.PATCH_LEVER] / (MAX_TORQUE_RATIO * b[i, W.RADIUS])
        if b[i, W.ROLLING_IMPULSE] > 0.0:
            # a flat disc does not roll when it rotates about the vertical: patch friction brakes that
            wx, wy, wz = b[i, B.WX], b[i, B.WY], b[i, B.WZ] * (1.0 - flat / b[i, W.ROLLING_IMPULSE])
            size = math.sqrt(wx * wx + wy * wy + wz * wz)
            if size > 1e-12:
                # capped at the moment of inertia: more would reverse the rotation
                share = min(b[i, W.ROLLING_IMPULSE] * b[i, B.INV_MASS] / size, 1.0 / b[i, B.INV_INERTIA])
                b[i, B.LX] -= share * wx
                b[i, B.LY] -= share * wy
                b[i, B.LZ] -= share * wz
            b[i, W.ROLLING_IMPULSE] = 0.0
