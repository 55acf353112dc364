"""Rolling of a wink on one point of its edge on level ground: a constrained rigid body, by Runge-Kutta steps.

Contact springs need ten times as many steps for the same motion. The contact point is the lowest point of the lower rim
and keeps its depth. It sticks, which is rolling, or slides under Coulomb friction; rolling resistance is a torque
against the rotation. Equations are written in the frame of the tilt: p is level, where the normal leans to; q is level,
across it; and z. There the impulse along q acts by itself.
"""

import math
from typing import Final

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies.bodies import Floats, energy, update_angular_velocity
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks.bodies import drag_over_speed

MIN_ROLLING_STEP: Final = 0.6e-3
"""Shortest step that pays [s]."""
MAX_ROLLING_STEP: Final = 4e-3
"""Longest step [s]."""
MAX_ROLLING_TURN: Final = 0.25
"""Largest rotation of a wink, and of its contact point round the rim, in a step [rad]."""
ENERGY_ERROR: Final = 1e-5
"""Largest error of the energy in a step, per mass [J/kg]: a micrometre of height."""
MIN_ROLLING_SINE: Final = 0.02
"""Sine of the tilt from flat, and from upright, below which more than one point may touch."""
MAX_BOUNCE_SPEED: Final = 0.01
"""Largest normal velocity of a contact that rolls [m/s]: a bounce of 5 micrometres."""
STICK_SPEED: Final = 5e-3
"""Slip below which a contact sticks if friction can hold it [m/s]; springs leave some where a wink rolls."""


@njit_no_refcount
def _rolling_rates(
    b: Floats, i: int, sticks: bool, friction: float, lever: float, gravity: float, drag: float,
    vx: float, vy: float, nx: float, ny: float, nz: float, lx: float, ly: float, lz: float,
) -> tuple[float, float, float, float, float, float, float, float, float, float, float, float, float]:  # fmt: skip
    """Rates of position and velocity (x, y), normal and angular momentum; normal force, excess of the friction that
    would hold the contact over its limit, and dissipated power, per mass.

    The velocity of a wink whose contact sticks follows from its rotation; the one given is not read.
    """
    R, it, ki = b[i, W.RADIUS], b[i, B.INV_INERTIA], b[i, B.INV_INERTIA_AXIAL_DIFF]
    h = b[i, W.HALF_THICKNESS] if nz > 0.0 else -b[i, W.HALF_THICKNESS]
    s = math.sqrt(nx * nx + ny * ny)
    px, py = nx / s, ny / s
    rp, rz = R * nz - h * s, -R * s - h * nz  # contact point from the centre
    lp, lq = lx * px + ly * py, ly * px - lx * py
    along = ki * (lp * s + lz * nz)
    wp, wq, wz = it * lp + along * s, it * lq, it * lz + along * nz
    tp, tq, tz = wq * nz, wz * s - wp * nz, -wq * s  # rate of the normal
    dp, dq, dz = R * tz - h * tp, rp * tq / s, -R * tp - h * tz  # of the contact point
    vp, vq, vz = -wq * rz, wp * rz - wz * rp, wq * rp
    ep = eq = 0.0
    if not sticks:
        ep, eq = vx * px + vy * py - vp, vy * px - vx * py - vq
        vp, vq = vp + ep, vq + eq
    # acceleration of the contact point without its force, and its inverse masses
    ap = wq * dz - wz * dq + along * tq * rz - drag * vp
    aq = wz * dp - wp * dz + along * (tz * rp - tp * rz) - drag * vq
    az = wp * dq - wq * dp - along * tq * rp - drag * vz - gravity
    c = 1.0 + it * (rp * rp + rz * rz)
    kpp, kpz, kzz, kqq = c - it * rp * rp, -it * rp * rz, c - it * rz * rz, c + ki * (R * R)
    # rolling resistance per normal force
    size = math.sqrt(wp * wp + wq * wq + wz * wz)
    each = -lever / size if size > 1e-9 else 0.0
    up, uq, uz = each * wp, each * wq, each * wz
    axial = ki * (up * s + uz * nz)
    mp, mq, mz = it * up + axial * s, it * uq, it * uz + axial * nz
    kpn, kqn, kzn = kpz + mq * rz, mz * rp - mp * rz, kzz - mq * rp
    det = 1.0 / (kpp * kzn - kpz * kpn)
    fp, fz = (az * kpn - ap * kzn) * det, (ap * kpz - az * kpp) * det
    fq = -(aq + kqn * fz) / kqq
    force = math.sqrt(fp * fp + fq * fq)
    excess = force - friction * fz
    slip = math.sqrt(ep * ep + eq * eq)
    loss = friction * slip
    if not sticks:
        if slip < 1e-4:  # slip begins against the force that would have held
            ep, eq, slip = -fp, -fq, force
        share = friction / slip if slip > 0.0 else 0.0
        ep, eq = share * ep, share * eq
        fz = -az / (kzn - ep * kpz)
        fp, fq = -ep * fz, -eq * fz
    loss = fz * (loss + lever * size) + drag * (vp * vp + vq * vq + vz * vz)
    gp, gq = fp - drag * vp, fq - drag * vq
    jp, jq, jz = up * fz - rz * fq, uq * fz + rz * fp - rp * fz, uz * fz + rp * fq
    return (
        vp * px - vq * py, vp * py + vq * px, gp * px - gq * py, gp * py + gq * px,
        tp * px - tq * py, tp * py + tq * px, tz, jp * px - jq * py, jp * py + jq * px, jz, fz, excess, loss,
    )  # fmt: skip


@njit_no_refcount
def _rolling_velocity(b: Floats, i: int) -> tuple[float, float, float]:
    """Velocity of disc `i` at which its lowest point is at rest [m/s]."""
    nx, ny, nz, R = b[i, B.NX], b[i, B.NY], b[i, B.NZ], b[i, W.RADIUS]
    h = b[i, W.HALF_THICKNESS] if nz > 0.0 else -b[i, W.HALF_THICKNESS]
    s = math.sqrt(nx * nx + ny * ny)
    out = R * nz / s - h
    rx, ry, rz = out * nx, out * ny, -R * s - h * nz
    wx, wy, wz = b[i, B.WX], b[i, B.WY], b[i, B.WZ]
    return wz * ry - wy * rz, wx * rz - wz * rx, wy * rx - wx * ry


@njit_no_refcount
def _stop_contact(b: Floats, i: int, ux: float, uy: float, uz: float, sticks: bool) -> None:
    """Stop the lowest point of disc `i`, of velocity (ux, uy, uz), by an impulse: if it slides, a normal one."""
    nx, ny, nz, R, it = b[i, B.NX], b[i, B.NY], b[i, B.NZ], b[i, W.RADIUS], b[i, B.INV_INERTIA]
    h = b[i, W.HALF_THICKNESS] if nz > 0.0 else -b[i, W.HALF_THICKNESS]
    s = math.sqrt(nx * nx + ny * ny)
    px, py = nx / s, ny / s
    rp, rz = R * nz - h * s, -R * s - h * nz
    c = 1.0 + it * (rp * rp + rz * rz)
    kpp, kpz, kzz = c - it * rp * rp, -it * rp * rz, c - it * rz * rz
    jp, jq, jz = 0.0, 0.0, -uz / kzz
    if sticks:
        up, det = ux * px + uy * py, 1.0 / (kpp * kzz - kpz * kpz)
        jp, jz = (uz * kpz - up * kzz) * det, (up * kpz - uz * kpp) * det
        jq = -(uy * px - ux * py) / (c + b[i, B.INV_INERTIA_AXIAL_DIFF] * (R * R))
    tp, tq = -rz * jq, rz * jp - rp * jz
    b[i, B.VX] += jp * px - jq * py
    b[i, B.VY] += jp * py + jq * px
    b[i, B.VZ] += jz
    b[i, B.LX] += tp * px - tq * py
    b[i, B.LY] += tp * py + tq * px
    b[i, B.LZ] += rp * jq
    update_angular_velocity(b, i)


@njit_no_refcount
def _step_length(b: Floats, i: int, tx: float, ty: float, tz: float, longest: float) -> float:
    """Length of a step of disc `i`, whose normal turns at this rate, of at most `longest` [s]."""
    nx, ny, nz = b[i, B.NX], b[i, B.NY], b[i, B.NZ]
    wx, wy, wz = b[i, B.WX], b[i, B.WY], b[i, B.WZ]
    s2 = nx * nx + ny * ny
    dt = min(longest, MAX_ROLLING_STEP)
    turn = max(math.sqrt(wx * wx + wy * wy + wz * wz), abs(nx * ty - ny * tx) / s2)
    if turn * dt > MAX_ROLLING_TURN:
        dt = MAX_ROLLING_TURN / turn
    # no further than half the way to where more points may touch
    if nz * tz < 0.0 and abs(tz) * dt > 0.5 * (abs(nz) - MIN_ROLLING_SINE):
        dt = 0.5 * (abs(nz) - MIN_ROLLING_SINE) / abs(tz)
    falls = -(nx * tx + ny * ty)
    if falls * dt > 0.5 * s2:
        dt = 0.5 * s2 / falls
    return dt


@njit_no_refcount
def _try_step(
    b: Floats, i: int, sticks: bool, friction: float, lever: float, gravity: float, drag: float, had: float, dt: float
) -> bool:
    """Advance disc `i` of energy `had` by a Runge-Kutta step; False, and nothing is changed, if it lifts off, or if the
    energy balance shows that the step is too long."""
    vx0, vy0, lx0, ly0, lz0 = b[i, B.VX], b[i, B.VY], b[i, B.LX], b[i, B.LY], b[i, B.LZ]
    nx0, ny0, nz0, z0, vz0 = b[i, B.NX], b[i, B.NY], b[i, B.NZ], b[i, B.CZ], b[i, B.VZ]
    vx, vy, nx, ny, nz, lx, ly, lz = vx0, vy0, nx0, ny0, nz0, lx0, ly0, lz0
    sx = sy = sax = say = sjx = sjy = sjz = stx = sty = stz = lost = 0.0
    for stage in range(4):
        dx, dy, ax, ay, tx, ty, tz, jx, jy, jz, force, _, loss = _rolling_rates(
            b, i, sticks, friction, lever, gravity, drag, vx, vy, nx, ny, nz, lx, ly, lz
        )
        if force <= 0.0:
            return False
        part = dt / 6.0 if stage == 0 or stage == 3 else dt / 3.0
        sx, sy, sax, say, lost = sx + part * dx, sy + part * dy, sax + part * ax, say + part * ay, lost + part * loss
        stx, sty, stz = stx + part * tx, sty + part * ty, stz + part * tz
        sjx, sjy, sjz = sjx + part * jx, sjy + part * jy, sjz + part * jz
        ahead = dt if stage == 2 else 0.5 * dt
        vx, vy = vx0 + ahead * ax, vy0 + ahead * ay
        nx, ny, nz = nx0 + ahead * tx, ny0 + ahead * ty, nz0 + ahead * tz
        lx, ly, lz = lx0 + ahead * jx, ly0 + ahead * jy, lz0 + ahead * jz
    nx, ny, nz = nx0 + stx, ny0 + sty, nz0 + stz
    size = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = nx * size, ny * size, nz * size
    R, h = b[i, W.RADIUS], b[i, W.HALF_THICKNESS]
    b[i, B.CZ] += R * (math.sqrt(nx * nx + ny * ny) - math.sqrt(nx0 * nx0 + ny0 * ny0)) + h * (abs(nz) - abs(nz0))
    b[i, B.NX], b[i, B.NY], b[i, B.NZ] = nx, ny, nz
    b[i, B.LX], b[i, B.LY], b[i, B.LZ] = lx0 + sjx, ly0 + sjy, lz0 + sjz
    update_angular_velocity(b, i)
    vx, vy, vz = _rolling_velocity(b, i)
    b[i, B.VX], b[i, B.VY], b[i, B.VZ] = (vx, vy, vz) if sticks else (vx0 + sax, vy0 + say, vz)
    gained = energy(b, i, gravity) - had
    if nz * nz0 > 0.0 and gained <= 0.0 and abs(gained + lost) < ENERGY_ERROR:
        b[i, B.CX] += sx
        b[i, B.CY] += sy
        return True
    b[i, B.CZ], b[i, B.NX], b[i, B.NY], b[i, B.NZ] = z0, nx0, ny0, nz0
    b[i, B.VX], b[i, B.VY], b[i, B.VZ], b[i, B.LX], b[i, B.LY], b[i, B.LZ] = vx0, vy0, vz0, lx0, ly0, lz0
    update_angular_velocity(b, i)
    return False


@njit_no_refcount
def roll(b: Floats, i: int, friction: float, lever: float, gravity: float, longest: float) -> float:
    """Advance disc `i`, which touches level ground with one point, by a step of at most `longest`: its length [s].

    0 if it lies nearly flat, stands nearly upright, bounces, lifts off or turns too fast for a step that pays.
    """
    nx, ny, nz = b[i, B.NX], b[i, B.NY], b[i, B.NZ]
    ux, uy, uz = _rolling_velocity(b, i)
    ux, uy, uz = b[i, B.VX] - ux, b[i, B.VY] - uy, b[i, B.VZ] - uz
    least = MIN_ROLLING_SINE
    if abs(uz) > MAX_BOUNCE_SPEED or abs(nz) < least or nx * nx + ny * ny < least * least:
        return 0.0
    drag = 0.0
    if b[i, W.FACE_DRAG] > 0.0:
        drag = drag_over_speed(b, i, b[i, B.VX], b[i, B.VY], b[i, B.VZ], nx, ny, nz)
    lx, ly, lz, slip = b[i, B.LX], b[i, B.LY], b[i, B.LZ], math.sqrt(ux * ux + uy * uy)
    _, _, _, _, tx, ty, tz, _, _, _, force, excess, _ = _rolling_rates(
        b, i, True, friction, lever, gravity, drag, 0.0, 0.0, nx, ny, nz, lx, ly, lz
    )
    sticks = excess <= 0.0 and slip < STICK_SPEED
    dt = _step_length(b, i, tx, ty, tz, longest)
    if not sticks and excess <= 0.0:
        dt = min(dt, slip / (4.0 * friction * gravity) + 0.5 * MIN_ROLLING_STEP)
    if force <= 0.0 or dt < MIN_ROLLING_STEP:
        return 0.0
    _stop_contact(b, i, ux, uy, uz, sticks)
    had = energy(b, i, gravity)
    while dt >= MIN_ROLLING_STEP:
        if _try_step(b, i, sticks, friction, lever, gravity, drag, had, dt):
            return dt
        dt *= 0.5
    return 0.0
