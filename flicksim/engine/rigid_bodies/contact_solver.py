"""Contact solver: soft normal constraints and Coulomb friction at velocity level, by projected Gauss-Seidel.

Springs are per effective mass, so a pile does not sink under its own weight and one time step suits light and heavy
bodies. A sticking contact gets the friction that stops it; a sliding one is pushed against its slip, by a step of equal
size in all directions.
"""

import math

from flicksim.engine.jit import njit_inline, njit_no_refcount
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies.bodies import Floats, Ints


@njit_no_refcount
def spring_coefficients(damping_ratio: float, angle: float) -> tuple[float, float]:
    """Exact discretisation of a damped contact spring: v' = v + gain * depth / dt - loss * v, depth' = depth - dt * v'.

    The eigenvalues of that step are those of the oscillator over its length, so restitution does not depend on it.

    Args:
        damping_ratio: up to 1. angle: natural frequency times the step [rad].

    Returns:
        gain, loss [-].
    """
    kept = math.exp(-damping_ratio * angle)
    turn = angle * math.sqrt(max(0.0, 1.0 - damping_ratio * damping_ratio))
    return 1.0 + kept * kept - 2.0 * kept * math.cos(turn), 1.0 - kept * kept


@njit_inline
def spring_target(velocity: float, depth: float, is_new: bool, gain: float, loss: float, dt: float) -> float:
    """Normal velocity after a step of a contact spring, see `spring_coefficients` [m/s].

    Velocities lead depths by half a step. A new contact began within the step that made it, and is compressed from
    there on only.
    """
    if not is_new or velocity >= 0.0:
        return velocity + gain * depth / dt - loss * velocity
    share = 0.5 + min(1.0, depth / (-velocity * dt))
    return velocity - (0.5 * gain * share * share + loss * share) * velocity


@njit_inline
def _set_tangents(k: Floats, m: int) -> None:
    """Complete the normal of contact `m` to an orthonormal basis."""
    nx, ny, nz = k[m, C.NORMAL_X], k[m, C.NORMAL_Y], k[m, C.NORMAL_Z]
    if abs(nz) < 0.7:
        size = math.sqrt(nx * nx + ny * ny)
        ax, ay, az = ny / size, -nx / size, 0.0
    else:
        size = math.sqrt(ny * ny + nz * nz)
        ax, ay, az = 0.0, nz / size, -ny / size
    q = C.NORMAL_X + 3
    k[m, q], k[m, q + 1], k[m, q + 2] = ax, ay, az
    k[m, q + 3], k[m, q + 4], k[m, q + 5] = ny * az - nz * ay, nz * ax - nx * az, nx * ay - ny * ax


@njit_inline
def _body_response(b: Floats, i: int, k: Floats, m: int, arm: int) -> tuple[float, float, float, float, float, float]:
    """Velocities of body `i` along the three directions of contact `m` [m/s], and its inverse effective masses [1/kg].

    Writes the torque arms to the columns from `arm` on, and the angular responses behind them. Loops over the
    directions, here and below, keep callees from being compiled for each number that is known beforehand.
    """
    rx, ry, rz = k[m, C.POINT_X] - b[i, B.CX], k[m, C.POINT_Y] - b[i, B.CY], k[m, C.POINT_Z] - b[i, B.CZ]
    nx, ny, nz, it = b[i, B.NX], b[i, B.NY], b[i, B.NZ], b[i, B.INV_INERTIA]
    un = u1 = u2 = k00 = k11 = k22 = 0.0
    for q in range(3):
        d, t, g = C.NORMAL_X + 3 * q, arm + 3 * q, arm + 9 + 3 * q
        dx, dy, dz = k[m, d], k[m, d + 1], k[m, d + 2]
        tx, ty, tz = ry * dz - rz * dy, rz * dx - rx * dz, rx * dy - ry * dx
        axial = b[i, B.INV_INERTIA_AXIAL_DIFF] * (tx * nx + ty * ny + tz * nz)
        gx, gy, gz = it * tx + axial * nx, it * ty + axial * ny, it * tz + axial * nz
        k[m, t], k[m, t + 1], k[m, t + 2], k[m, g], k[m, g + 1], k[m, g + 2] = tx, ty, tz, gx, gy, gz
        u = b[i, B.VX] * dx + b[i, B.VY] * dy + b[i, B.VZ] * dz + (b[i, B.WX] * tx + b[i, B.WY] * ty + b[i, B.WZ] * tz)
        inverse = b[i, B.INV_MASS] * (1.0 + tx * gx + ty * gy + tz * gz)
        if q == 0:
            un, k00 = u, inverse
        elif q == 1:
            u1, k11 = u, inverse
        else:
            u2, k22 = u, inverse
    return un, u1, u2, k00, k11, k22


@njit_inline
def _tangent_coupling(b: Floats, i: int, k: Floats, m: int, arm: int, response: int) -> float:
    """Off-diagonal of the inverse effective mass along the tangents: product of a torque arm and the response of the
    other tangent."""
    return float(
        b[i, B.INV_MASS]
        * (k[m, arm] * k[m, response] + k[m, arm + 1] * k[m, response + 1] + k[m, arm + 2] * k[m, response + 2])
    )


@njit_inline
def _set_effective_mass(k: Floats, m: int, k00: float, k11: float, k12: float, k22: float) -> None:
    """Write the effective masses of contact `m` from the inverse ones of both bodies together."""
    det, half, q = k11 * k22 - k12 * k12, 0.5 * (k11 - k22), C.EFFECTIVE_MASS
    k[m, q], k[m, q + 1], k[m, q + 2], k[m, q + 3] = 1.0 / k00, k22 / det, -k12 / det, k11 / det
    k[m, q + 4] = 1.0 / (0.5 * (k11 + k22) + math.sqrt(half * half + k12 * k12))


@njit_inline
def prepare_geometry(b: Floats, k: Floats, m: int) -> tuple[float, float, float]:
    """Fill in directions and effective masses of contact `m`; its relative velocities along the directions [m/s]."""
    i, j = int(k[m, C.BODY_A]), int(k[m, C.BODY_B])
    _set_tangents(k, m)
    arm, response = C.TORQUE_ARM_A, C.ANGULAR_RESPONSE_A
    un, u1, u2, k00, k11, k22 = _body_response(b, i, k, m, arm)
    k12 = _tangent_coupling(b, i, k, m, arm + 3, response + 6)
    if j >= 0:
        arm, response = C.TORQUE_ARM_B, C.ANGULAR_RESPONSE_B
        vn, v1, v2, j00, j11, j22 = _body_response(b, j, k, m, arm)
        un, u1, u2 = un - vn, u1 - v1, u2 - v2
        k00, k11, k22 = k00 + j00, k11 + j11, k22 + j22
        k12 += _tangent_coupling(b, j, k, m, arm + 3, response + 6)
    _set_effective_mass(k, m, k00, k11, k12, k22)
    return un, u1, u2


@njit_no_refcount
def _relative_velocity(b: Floats, k: Floats, m: int, q: int, i: int, j: int) -> float:
    """Relative velocity of contact `m` of two bodies along its direction at `q` (0, 3, 6)."""
    dx, dy, dz = k[m, C.NORMAL_X + q], k[m, C.NORMAL_Y + q], k[m, C.NORMAL_Z + q]
    t = C.TORQUE_ARM_A + q
    u = b[i, B.VX] * dx + b[i, B.VY] * dy + b[i, B.VZ] * dz
    u += b[i, B.WX] * k[m, t] + b[i, B.WY] * k[m, t + 1] + b[i, B.WZ] * k[m, t + 2]
    t = C.TORQUE_ARM_B + q
    u -= b[j, B.VX] * dx + b[j, B.VY] * dy + b[j, B.VZ] * dz
    u -= b[j, B.WX] * k[m, t] + b[j, B.WY] * k[m, t + 1] + b[j, B.WZ] * k[m, t + 2]
    return float(u)


@njit_inline
def apply_impulse(b: Floats, k: Floats, m: int, q: int, i: int, j: int, impulse: float) -> None:
    """Apply an impulse along the direction at `q` (0, 3, 6) of contact `m` to both of its bodies."""
    dx, dy, dz = k[m, C.NORMAL_X + q], k[m, C.NORMAL_Y + q], k[m, C.NORMAL_Z + q]
    f, g = impulse * b[i, B.INV_MASS], C.ANGULAR_RESPONSE_A + q
    b[i, B.VX] += f * dx
    b[i, B.VY] += f * dy
    b[i, B.VZ] += f * dz
    b[i, B.WX] += f * k[m, g]
    b[i, B.WY] += f * k[m, g + 1]
    b[i, B.WZ] += f * k[m, g + 2]
    if j >= 0:
        f, g = impulse * b[j, B.INV_MASS], C.ANGULAR_RESPONSE_B + q
        b[j, B.VX] -= f * dx
        b[j, B.VY] -= f * dy
        b[j, B.VZ] -= f * dz
        b[j, B.WX] -= f * k[m, g]
        b[j, B.WY] -= f * k[m, g + 1]
        b[j, B.WZ] -= f * k[m, g + 2]


@njit_inline
def _friction_impulses(k: Floats, m: int, e1: float, e2: float, normal: float) -> tuple[float, float]:
    """Projected friction impulses of contact `m` under a normal impulse, from the errors of the tangent velocities.

    Inside the cone: the impulses that stop the slip. Outside: a step along the slip, clamped to the cone; a clamped
    step along the stopping impulses would be askew, since bodies respond differently along the tangents.
    """
    o1, o2, q = k[m, C.IMPULSE + 1], k[m, C.IMPULSE + 2], C.EFFECTIVE_MASS
    n1, n2 = o1 + k[m, q + 1] * e1 + k[m, q + 2] * e2, o2 + k[m, q + 2] * e1 + k[m, q + 3] * e2
    limit = k[m, C.CONTACT_FRICTION] * normal
    if n1 * n1 + n2 * n2 > limit * limit:
        n1, n2 = o1 + k[m, q + 4] * e1, o2 + k[m, q + 4] * e2
        size = math.sqrt(n1 * n1 + n2 * n2)
        share = limit / size if size > limit else 1.0
        n1, n2 = n1 * share, n2 * share
    k[m, C.IMPULSE + 1], k[m, C.IMPULSE + 2] = n1, n2
    return n1 - o1, n2 - o2


@njit_inline
def _solve_static_contact(b: Floats, k: Floats, m: int, i: int) -> float:
    """`_solve_contact` for body `i` and something static, with the velocities in locals: most contacts are such."""
    im = b[i, B.INV_MASS]
    vx, vy, vz, wx, wy, wz = b[i, B.VX], b[i, B.VY], b[i, B.VZ], b[i, B.WX], b[i, B.WY], b[i, B.WZ]
    d, t, g = C.NORMAL_X, C.TORQUE_ARM_A, C.ANGULAR_RESPONSE_A
    dx, dy, dz, tx, ty, tz = k[m, d], k[m, d + 1], k[m, d + 2], k[m, t], k[m, t + 1], k[m, t + 2]
    old = k[m, C.IMPULSE]
    u = vx * dx + vy * dy + vz * dz + (wx * tx + wy * ty + wz * tz)
    new = max(0.0, old + (k[m, C.TARGET_VELOCITY] - u) * k[m, C.EFFECTIVE_MASS])
    if new == 0.0 and old == 0.0:
        return 0.0  # no normal force, so no friction
    k[m, C.IMPULSE] = new
    f = (new - old) * im
    change = abs(f)
    vx, vy, vz = vx + f * dx, vy + f * dy, vz + f * dz
    wx, wy, wz = wx + f * k[m, g], wy + f * k[m, g + 1], wz + f * k[m, g + 2]
    if k[m, C.CONTACT_FRICTION] == 0.0:
        b[i, B.VX], b[i, B.VY], b[i, B.VZ], b[i, B.WX], b[i, B.WY], b[i, B.WZ] = vx, vy, vz, wx, wy, wz
        return float(change)
    ax, ay, az, bx, by, bz = k[m, d + 3], k[m, d + 4], k[m, d + 5], k[m, d + 6], k[m, d + 7], k[m, d + 8]
    u1 = vx * ax + vy * ay + vz * az + (wx * k[m, t + 3] + wy * k[m, t + 4] + wz * k[m, t + 5])
    u2 = vx * bx + vy * by + vz * bz + (wx * k[m, t + 6] + wy * k[m, t + 7] + wz * k[m, t + 8])
    d1, d2 = _friction_impulses(k, m, k[m, C.TARGET_VELOCITY + 1] - u1, k[m, C.TARGET_VELOCITY + 2] - u2, new)
    f, h = d1 * im, d2 * im
    b[i, B.VX], b[i, B.VY], b[i, B.VZ] = vx + f * ax + h * bx, vy + f * ay + h * by, vz + f * az + h * bz
    b[i, B.WX] = wx + f * k[m, g + 3] + h * k[m, g + 6]
    b[i, B.WY] = wy + f * k[m, g + 4] + h * k[m, g + 7]
    b[i, B.WZ] = wz + f * k[m, g + 5] + h * k[m, g + 8]
    return float(max(change, max(abs(f), abs(h))))


@njit_inline
def _solve_contact(b: Floats, k: Floats, m: int, i: int, j: int) -> float:
    """One iteration on contact `m` of two bodies: update its impulses and both velocities; the largest change [m/s]."""
    old = new = k[m, C.IMPULSE]
    e1 = e2 = 0.0
    for q in range(3):
        error = k[m, C.TARGET_VELOCITY + q] - _relative_velocity(b, k, m, 3 * q, i, j)
        if q == 0:
            new = max(0.0, old + error * k[m, C.EFFECTIVE_MASS])
            if new == 0.0 and old == 0.0:
                return 0.0
            k[m, C.IMPULSE] = new
            apply_impulse(b, k, m, 3 * q, i, j, new - old)
        elif q == 1:
            e1 = error
        else:
            e2 = error
    d1, d2 = _friction_impulses(k, m, e1, e2, new)
    for q in range(1, 3):
        apply_impulse(b, k, m, 3 * q, i, j, d1 if q == 1 else d2)
    return float(max(abs(new - old), max(abs(d1), abs(d2))) * max(b[i, B.INV_MASS], b[j, B.INV_MASS]))


@njit_inline
def iterate_contacts(b: Floats, k: Floats, order: Ints, count: int) -> float:
    """One Gauss-Seidel iteration over the contacts in this order; the largest change of velocity [m/s]."""
    change = 0.0
    for at in range(count):
        m = order[at]
        i, j = int(k[m, C.BODY_A]), int(k[m, C.BODY_B])
        change = max(change, _solve_static_contact(b, k, m, i) if j < 0 else _solve_contact(b, k, m, i, j))
    return change


@njit_inline
def update_angular_momenta(b: Floats, k: Floats, m: int) -> None:
    """Add the torques of the impulses of contact `m` to the angular momenta."""
    i, j = int(k[m, C.BODY_A]), int(k[m, C.BODY_B])
    for q in range(3):
        f, t = b[i, B.INV_MASS] * k[m, C.IMPULSE + q], C.TORQUE_ARM_A + 3 * q
        b[i, B.LX] += f * k[m, t]
        b[i, B.LY] += f * k[m, t + 1]
        b[i, B.LZ] += f * k[m, t + 2]
        if j >= 0:
            f, t = b[j, B.INV_MASS] * k[m, C.IMPULSE + q], C.TORQUE_ARM_B + 3 * q
            b[j, B.LX] -= f * k[m, t]
            b[j, B.LY] -= f * k[m, t + 1]
            b[j, B.LZ] -= f * k[m, t + 2]
