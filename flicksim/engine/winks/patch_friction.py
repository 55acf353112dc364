"""Patch friction of a wink on level ground: one law for a disc lying flat, on its edge, or in between.

Coulomb friction of a contact patch couples sliding and spinning (see `friction.friction_force_torque`); point contacts
do not reproduce that. So the contact points carry only the load, and friction acts on a circular patch centred on it:
the whole disc while the load is within a quarter of the radius of the centre (a linear pressure distribution is
non-negative then), beyond that the largest disc around the load inside the rim, and on the edge a point.
"""

import math
from typing import Final

import numpy as np

from flicksim.engine.friction import friction_force_torque
from flicksim.engine.jit import njit_inline, njit_no_refcount
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies.bodies import Ints
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import params as M
from flicksim.engine.winks.contacts import material_index
from flicksim.engine.winks.params import Floats

FULL_PATCH_OFFSET: Final = 0.25
"""Largest offset of the load from the centre with a full patch, over the radius."""
POINT_CONTACT_RATIO: Final = 1e-6
"""Patch radius below which it is a point, over the disc's radius."""
MAX_TORQUE_RATIO: Final = 2.0 / 3.0
"""Friction torque of pure spin over load, friction and radius: the lever at which rotation is measured."""

_TABLE_CELLS: Final = 128


def _limit_surface() -> tuple[Floats, Floats, Floats]:
    """Limit surface of the patch: force and torque (over MAX_TORQUE_RATIO) by the direction of slip, and their sum by
    their ratio.

    Tables are uniform in the share of rotation in the slip, or of torque in the sum, from 0 to 1.
    """
    share = np.linspace(0.0, 1.0, _TABLE_CELLS + 1)
    force, torque = friction_force_torque(1.0 - share, share / MAX_TORQUE_RATIO, 0.0)
    fine = np.linspace(0.0, 1.0, 8 * _TABLE_CELLS + 1)
    f, t = friction_force_torque(1.0 - fine, fine / MAX_TORQUE_RATIO, 0.0)
    f, t = np.append(f[:-1], 0.0), np.append(t[:-1], MAX_TORQUE_RATIO) / MAX_TORQUE_RATIO
    force[-1], torque[0] = 0.0, 0.0
    return force, torque / MAX_TORQUE_RATIO, np.interp(share, t / (f + t), f + t)


_LIMIT_FORCE, _LIMIT_TORQUE, _LIMIT_SUM = _limit_surface()
_SURELY_STICKS: Final = 0.99 * float(_LIMIT_SUM.min())
_SURELY_SLIPS: Final = 1.01 * float(_LIMIT_SUM.max())
"""Sums of force and torque over the limit that are certainly inside, and outside, the limit surface: tested without a
root."""


@njit_no_refcount
def _interpolate(table: Floats, share: float) -> float:
    """Linear interpolation in a table."""
    place = share * _TABLE_CELLS
    cell = min(int(place), _TABLE_CELLS - 1)
    return float(table[cell] + (place - cell) * (table[cell + 1] - table[cell]))


@njit_no_refcount
def _project_to_limit_surface(force: float, torque: float) -> tuple[float, float]:
    """Closest point of the limit surface to a force and torque over the limit; themselves if inside.

    Closest in the sense that the residual is parallel to the slip of the friction there: friction opposes the slip. The
    surface is nearly circular, so a few fixed-point iterations converge.
    """
    if force + torque <= _interpolate(_LIMIT_SUM, torque / (force + torque)):
        return force, torque
    f, t = force, torque
    for _ in range(4):
        share = t / (f + t)
        size = 1.0 / math.sqrt(f * f + t * t)
        f = max(0.0, force - _interpolate(_LIMIT_FORCE, share) + f * size)
        t = max(0.0, torque - _interpolate(_LIMIT_TORQUE, share) + t * size)
    share = t / (f + t)
    return _interpolate(_LIMIT_FORCE, share), _interpolate(_LIMIT_TORQUE, share)


@njit_inline
def prepare_patches(b: Floats, awake: Ints, k: Floats, materials: Floats, dt: float) -> None:
    """Fill in the patch columns of all discs on level ground."""
    for i in awake:
        if b[i, W.CONTACT_COUNT] == 0:
            continue
        first, last = int(b[i, W.FIRST_CONTACT]), int(b[i, W.FIRST_CONTACT] + b[i, W.CONTACT_COUNT])
        kind = material_index(int(k[first, C.BODY_B]))
        gain, loss = materials[kind, M.SPRING_GAIN] / dt, materials[kind, M.DAMPING_GAIN]
        load, x, y, z = 0.0, 0.0, 0.0, 0.0
        for m in range(first, last):
            part = max(0.0, gain * k[m, C.SPRING_DEPTH] - loss * k[m, C.NORMAL_VELOCITY]) + 1e-9
            load, x, y, z = (
                load + part,
                x + part * k[m, C.POINT_X],
                y + part * k[m, C.POINT_Y],
                z + part * k[m, C.POINT_Z],
            )
        load = 1.0 / load
        x, y, z = x * load - b[i, B.CX], y * load - b[i, B.CY], z * load - b[i, B.CZ]
        nx, ny, nz, R, im, it, ki = (
            b[i, B.NX],
            b[i, B.NY],
            b[i, B.NZ],
            b[i, W.RADIUS],
            b[i, B.INV_MASS],
            b[i, B.INV_INERTIA],
            b[i, B.INV_INERTIA_AXIAL_DIFF],
        )
        up = x * nx + y * ny + z * nz
        x, y, z = x - up * nx, y - up * ny, z - up * nz
        off = math.sqrt(x * x + y * y + z * z)
        spread = min(R, max(0.0, (R - off) / (1.0 - FULL_PATCH_OFFSET)))
        if spread < POINT_CONTACT_RATIO * R:
            spread = 0.0
        share = (R - spread) / off if off > 0.0 else 0.0
        rx, ry, rz = up * nx + share * x, up * ny + share * y, up * nz + share * z
        lever = MAX_TORQUE_RATIO * spread
        b[i, W.PATCH_LEVER], b[i, W.PATCH_FRICTION] = lever, materials[kind, M.FRICTION]
        b[i, W.PATCH_ARM], b[i, W.PATCH_ARM + 1], b[i, W.PATCH_ARM + 2] = rx, ry, rz
        # angular responses to unit impulses along x and y and a unit torque about z over the lever
        axial = ki * (rz * ny - ry * nz)
        ax, ay, az = axial * nx, it * rz + axial * ny, axial * nz - it * ry
        axial = ki * (rx * nz - rz * nx)
        bx, by, bz = axial * nx - it * rz, axial * ny, it * rx + axial * nz
        axial = ki * lever * nz
        cx, cy, cz = axial * nx, axial * ny, it * lever + axial * nz
        b[i, W.PATCH_ANGULAR_RESPONSE], b[i, W.PATCH_ANGULAR_RESPONSE + 1], b[i, W.PATCH_ANGULAR_RESPONSE + 2] = (
            ax,
            ay,
            az,
        )
        b[i, W.PATCH_ANGULAR_RESPONSE + 3], b[i, W.PATCH_ANGULAR_RESPONSE + 4], b[i, W.PATCH_ANGULAR_RESPONSE + 5] = (
            bx,
            by,
            bz,
        )
        b[i, W.PATCH_ANGULAR_RESPONSE + 6], b[i, W.PATCH_ANGULAR_RESPONSE + 7], b[i, W.PATCH_ANGULAR_RESPONSE + 8] = (
            cx,
            cy,
            cz,
        )
        k11, k22, k33 = im * (1.0 + ay * rz - az * ry), im * (1.0 + bz * rx - bx * rz), im * lever * cz
        k12, k13, k23 = im * (by * rz - bz * ry), im * lever * az, im * lever * bz
        most = max(k11 + abs(k12) + abs(k13), max(k22 + abs(k12) + abs(k23), k33 + abs(k13) + abs(k23)))
        if lever == 0.0:
            k33 = im
        c11, c12, c13 = k22 * k33 - k23 * k23, k13 * k23 - k12 * k33, k12 * k23 - k13 * k22
        det = 1.0 / (k11 * c11 + k12 * c12 + k13 * c13)
        b[i, W.PATCH_EFFECTIVE_MASS], b[i, W.PATCH_EFFECTIVE_MASS + 1], b[i, W.PATCH_EFFECTIVE_MASS + 2] = (
            c11 * det,
            c12 * det,
            c13 * det,
        )
        b[i, W.PATCH_EFFECTIVE_MASS + 3], b[i, W.PATCH_EFFECTIVE_MASS + 4] = (
            (k11 * k33 - k13 * k13) * det,
            (k12 * k13 - k11 * k23) * det,
        )
        b[i, W.PATCH_EFFECTIVE_MASS + 5], b[i, W.PATCH_EFFECTIVE_MASS + 6] = (k11 * k22 - k12 * k12) * det, 1.0 / most
        wx, wy, wz = b[i, B.WX], b[i, B.WY], b[i, B.WZ]
        keep = 1.0 - loss
        b[i, W.PATCH_TARGET_VELOCITY] = keep * (b[i, B.VX] + wy * rz - wz * ry)
        b[i, W.PATCH_TARGET_VELOCITY + 1] = keep * (b[i, B.VY] + wz * rx - wx * rz)
        b[i, W.PATCH_TARGET_VELOCITY + 2] = keep * lever * wz


@njit_inline
def project_friction(
    o1: float, o2: float, o3: float, e1: float, e2: float, e3: float, limit: float,
    y11: float, y12: float, y13: float, y22: float, y23: float, y33: float, step_size: float,
) -> tuple[float, float, float]:  # fmt: skip
    """Projected friction impulses: from the accumulated ones (o) and the errors of the target velocities (e)."""
    n1 = o1 + y11 * e1 + y12 * e2 + y13 * e3
    n2 = o2 + y12 * e1 + y22 * e2 + y23 * e3
    n3 = o3 + y13 * e1 + y23 * e2 + y33 * e3
    along, across = n1 * n1 + n2 * n2, abs(n3)
    if across == 0.0 and o3 == 0.0 and e3 == 0.0:  # a point: Coulomb's cone
        if along > limit * limit:
            n1, n2 = o1 + step_size * e1, o2 + step_size * e2
            along = n1 * n1 + n2 * n2
            share = limit / math.sqrt(along) if along > limit * limit else 1.0
            n1, n2 = n1 * share, n2 * share
        return n1, n2, 0.0
    room = _SURELY_STICKS * limit - across
    if room > 0.0 and along < room * room:
        return n1, n2, n3
    room = _SURELY_SLIPS * limit - across
    if room > 0.0 and along < room * room:
        force, torque = math.sqrt(along) / limit, across / limit
        if not (force + torque > 0.0 and force + torque > _interpolate(_LIMIT_SUM, torque / (force + torque))):
            return n1, n2, n3
    # sliding: a step along the slip, projected on the limit surface
    n1, n2, n3 = o1 + step_size * e1, o2 + step_size * e2, o3 + step_size * e3
    force, torque = math.sqrt(n1 * n1 + n2 * n2), abs(n3)
    if force + torque > 0.0:
        f, t = _project_to_limit_surface(force / limit, torque / limit)
        n1, n2 = (n1 * limit * f / force, n2 * limit * f / force) if force > 0.0 else (0.0, 0.0)
        n3 = n3 * limit * t / torque if torque > 0.0 else 0.0
    return n1, n2, n3


@njit_inline
def apply_patch(b: Floats, i: int) -> None:
    """Apply the impulses that the patch friction of disc `i` starts from; without a patch they are forgotten."""
    if b[i, W.CONTACT_COUNT] == 0:
        b[i, W.PATCH_IMPULSE] = b[i, W.PATCH_IMPULSE + 1] = b[i, W.PATCH_IMPULSE + 2] = 0.0
        return
    im = b[i, B.INV_MASS]
    _change_velocity(b, i, im * b[i, W.PATCH_IMPULSE], im * b[i, W.PATCH_IMPULSE + 1], im * b[i, W.PATCH_IMPULSE + 2])


@njit_inline
def _change_velocity(b: Floats, i: int, d1: float, d2: float, d3: float) -> None:
    """Change the velocities of disc `i` by patch impulses over its mass [m/s]."""
    b[i, B.VX] += d1
    b[i, B.VY] += d2
    for x in range(3):
        b[i, B.WX + x] += (
            d1 * b[i, W.PATCH_ANGULAR_RESPONSE + x]
            + d2 * b[i, W.PATCH_ANGULAR_RESPONSE + 3 + x]
            + d3 * b[i, W.PATCH_ANGULAR_RESPONSE + 6 + x]
        )


@njit_inline
def solve_patch(b: Floats, k: Floats, i: int) -> float:
    """One iteration on the patch friction of disc `i` under its current load; the largest change of velocity [m/s]."""
    load = 0.0
    for m in range(int(b[i, W.FIRST_CONTACT]), int(b[i, W.FIRST_CONTACT] + b[i, W.CONTACT_COUNT])):
        load += k[m, C.IMPULSE]
    o1, o2, o3 = b[i, W.PATCH_IMPULSE], b[i, W.PATCH_IMPULSE + 1], b[i, W.PATCH_IMPULSE + 2]
    limit = b[i, W.PATCH_FRICTION] * load
    n1, n2, n3 = 0.0, 0.0, 0.0
    if limit > 0.0:
        rx, ry, rz, lever = b[i, W.PATCH_ARM], b[i, W.PATCH_ARM + 1], b[i, W.PATCH_ARM + 2], b[i, W.PATCH_LEVER]
        wx, wy, wz = b[i, B.WX], b[i, B.WY], b[i, B.WZ]
        e1 = b[i, W.PATCH_TARGET_VELOCITY] - (b[i, B.VX] + wy * rz - wz * ry)
        e2 = b[i, W.PATCH_TARGET_VELOCITY + 1] - (b[i, B.VY] + wz * rx - wx * rz)
        e3 = b[i, W.PATCH_TARGET_VELOCITY + 2] - lever * wz
        y = W.PATCH_EFFECTIVE_MASS
        n1, n2, n3 = project_friction(
            o1, o2, o3, e1, e2, e3, limit,
            b[i, y], b[i, y + 1], b[i, y + 2], b[i, y + 3], b[i, y + 4], b[i, y + 5], b[i, y + 6],
        )  # fmt: skip
    b[i, W.PATCH_IMPULSE], b[i, W.PATCH_IMPULSE + 1], b[i, W.PATCH_IMPULSE + 2] = n1, n2, n3
    im = b[i, B.INV_MASS]
    d1, d2, d3 = im * (n1 - o1), im * (n2 - o2), im * (n3 - o3)
    _change_velocity(b, i, d1, d2, d3)
    return float(max(abs(d1), max(abs(d2), abs(d3))))


@njit_inline
def solve_ground_contacts(b: Floats, k: Floats, order: Ints, count: int, sweeps: int, settled: float) -> None:
    """All iterations over `count` contacts of a single disc with level ground (see `contact_solver.solve_velocities`).

    The same iterations with the velocities in locals: most steps are of this kind.
    """
    i = int(k[0, C.BODY_A])
    im, mu = b[i, B.INV_MASS], b[i, W.PATCH_FRICTION]
    vx, vy, vz, wx, wy, wz = b[i, B.VX], b[i, B.VY], b[i, B.VZ], b[i, B.WX], b[i, B.WY], b[i, B.WZ]
    rx, ry, rz, lever = b[i, W.PATCH_ARM], b[i, W.PATCH_ARM + 1], b[i, W.PATCH_ARM + 2], b[i, W.PATCH_LEVER]
    g1, g2, g3 = b[i, W.PATCH_TARGET_VELOCITY], b[i, W.PATCH_TARGET_VELOCITY + 1], b[i, W.PATCH_TARGET_VELOCITY + 2]
    ax, ay, az, bx, by, bz = (
        b[i, W.PATCH_ANGULAR_RESPONSE],
        b[i, W.PATCH_ANGULAR_RESPONSE + 1],
        b[i, W.PATCH_ANGULAR_RESPONSE + 2],
        b[i, W.PATCH_ANGULAR_RESPONSE + 3],
        b[i, W.PATCH_ANGULAR_RESPONSE + 4],
        b[i, W.PATCH_ANGULAR_RESPONSE + 5],
    )
    cx, cy, cz = (
        b[i, W.PATCH_ANGULAR_RESPONSE + 6],
        b[i, W.PATCH_ANGULAR_RESPONSE + 7],
        b[i, W.PATCH_ANGULAR_RESPONSE + 8],
    )
    y11, y12, y13 = b[i, W.PATCH_EFFECTIVE_MASS], b[i, W.PATCH_EFFECTIVE_MASS + 1], b[i, W.PATCH_EFFECTIVE_MASS + 2]
    y22, y23, y33, most = (
        b[i, W.PATCH_EFFECTIVE_MASS + 3],
        b[i, W.PATCH_EFFECTIVE_MASS + 4],
        b[i, W.PATCH_EFFECTIVE_MASS + 5],
        b[i, W.PATCH_EFFECTIVE_MASS + 6],
    )
    o1, o2, o3 = b[i, W.PATCH_IMPULSE], b[i, W.PATCH_IMPULSE + 1], b[i, W.PATCH_IMPULSE + 2]
    for _ in range(sweeps):
        change, load = 0.0, 0.0
        for at in range(count):
            m = order[at]
            tx, ty, old = k[m, C.TORQUE_ARM_A], k[m, C.TORQUE_ARM_A + 1], k[m, C.IMPULSE]
            new = max(0.0, old + (k[m, C.TARGET_VELOCITY] - (vz + (wx * tx + wy * ty))) * k[m, C.EFFECTIVE_MASS])
            k[m, C.IMPULSE] = new
            f = (new - old) * im
            change = max(change, abs(f))
            vz += f
            wx, wy, wz = (
                wx + f * k[m, C.ANGULAR_RESPONSE_A],
                wy + f * k[m, C.ANGULAR_RESPONSE_A + 1],
                wz + f * k[m, C.ANGULAR_RESPONSE_A + 2],
            )
        for m in range(count):
            load += k[m, C.IMPULSE]
        limit = mu * load
        n1, n2, n3 = 0.0, 0.0, 0.0
        if limit > 0.0:
            e1, e2, e3 = g1 - (vx + wy * rz - wz * ry), g2 - (vy + wz * rx - wx * rz), g3 - lever * wz
            n1, n2, n3 = project_friction(o1, o2, o3, e1, e2, e3, limit, y11, y12, y13, y22, y23, y33, most)
        d1, d2, d3 = im * (n1 - o1), im * (n2 - o2), im * (n3 - o3)
        o1, o2, o3 = n1, n2, n3
        vx, vy = vx + d1, vy + d2
        wx, wy, wz = (
            wx + (d1 * ax + d2 * bx + d3 * cx), wy + (d1 * ay + d2 * by + d3 * cy), wz + (d1 * az + d2 * bz + d3 * cz)
        )  # fmt: skip
        change = max(change, max(abs(d1), max(abs(d2), abs(d3))))
        if change < settled:
            break
    b[i, B.VX], b[i, B.VY], b[i, B.VZ], b[i, B.WX], b[i, B.WY], b[i, B.WZ] = vx, vy, vz, wx, wy, wz
    b[i, W.PATCH_IMPULSE], b[i, W.PATCH_IMPULSE + 1], b[i, W.PATCH_IMPULSE + 2] = o1, o2, o3
