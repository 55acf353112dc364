"""Energy limiter: the impulses of a step may not raise the energy above its minimum so far.

A contact that appears or turns its normal at depth, loses a part of its depth, or pushes too evenly at separation adds
energy in rare cases, and many may push at once. So there is a bound on the whole: kinetic, potential and spring energy
never exceed their minimum so far. If the impulses of a step break it, the bodies that gained too much are slowed. The
impulses themselves are not scaled: bodies would sink into their supports.
"""

import math

from flicksim.engine.jit import njit_inline, njit_no_refcount
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies.bodies import Floats, Ints, energy, total_energy, update_angular_velocity
from flicksim.engine.rigid_bodies.islands import label_contact_islands


@njit_inline
def store_motion(b: Floats, awake: Ints) -> None:
    """Store the velocities and angular momenta before the impulses of a step."""
    for i in awake:
        for x in range(3):
            b[i, B.PREV_VELOCITY + x], b[i, B.PREV_ANGULAR_MOMENTUM + x] = b[i, B.VX + x], b[i, B.LX + x]


@njit_no_refcount
def _energy_gain(b: Floats, awake: Ints, island: int) -> float:
    """Kinetic energy that the impulses of this step added to an island [J]."""
    gain = 0.0
    for i in awake:
        if b[i, B.ISLAND] != island:
            continue
        v, q = B.PREV_VELOCITY, B.PREV_ANGULAR_MOMENTUM
        vx, vy, vz, lx, ly, lz = b[i, v], b[i, v + 1], b[i, v + 2], b[i, q], b[i, q + 1], b[i, q + 2]
        axial = lx * b[i, B.NX] + ly * b[i, B.NY] + lz * b[i, B.NZ]
        before = (
            b[i, B.INV_INERTIA] * (lx * lx + ly * ly + lz * lz)
            + b[i, B.INV_INERTIA_AXIAL_DIFF] * axial * axial
            + vx * vx
            + vy * vy
            + vz * vz
        )
        gain += (energy(b, i, 0.0) - 0.5 * before) / b[i, B.INV_MASS]
    return gain


@njit_no_refcount
def _remove_energy(b: Floats, awake: Ints, k: Floats, count: int, island: int, removed: float) -> None:
    """Remove kinetic energy [J] from an island: of all its motion if it touches something static, else of the motion
    about its centre of mass."""
    free = True
    for m in range(count):
        if k[m, C.BODY_B] < 0 and b[int(k[m, C.BODY_A]), B.ISLAND] == island:
            free = False
    mass, x, y, z, kinetic = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in awake:
        if b[i, B.ISLAND] == island:
            im = b[i, B.INV_MASS]
            mass += 1.0 / im
            x, y, z = x + b[i, B.VX] / im, y + b[i, B.VY] / im, z + b[i, B.VZ] / im
            kinetic += energy(b, i, 0.0) / im
    if free:
        x, y, z = x / mass, y / mass, z / mass
        kinetic -= 0.5 * mass * (x * x + y * y + z * z)
    else:
        x, y, z = 0.0, 0.0, 0.0
    scale = math.sqrt(max(0.0, 1.0 - removed / kinetic)) if kinetic > 0.0 else 1.0
    for i in awake:
        if b[i, B.ISLAND] == island:
            b[i, B.VX] = x + scale * (b[i, B.VX] - x)
            b[i, B.VY] = y + scale * (b[i, B.VY] - y)
            b[i, B.VZ] = z + scale * (b[i, B.VZ] - z)
            for q in range(3):
                b[i, B.LX + q] *= scale
            update_angular_velocity(b, i)


@njit_inline
def limit_energy(
    b: Floats, awake: Ints, k: Floats, count: int, gravity: float, max_energy: float
) -> tuple[float, float]:
    """Slow the islands that gained energy in this step until the awake bodies have at most `max_energy` [J]; their
    energy before and after [J]."""
    for i in awake:
        update_angular_velocity(b, i)
    before = total_energy(b, awake, gravity)
    if before <= max_energy:
        return before, before
    label_contact_islands(b, awake, k, count)
    gained = 0.0
    for root in awake:
        gained += max(0.0, _energy_gain(b, awake, root))
    share = min(1.0, (before - max_energy) / gained) if gained > 0.0 else 0.0
    for root in awake:
        excess = share * _energy_gain(b, awake, root)
        if excess > 0.0:
            _remove_energy(b, awake, k, count, root, excess)
    return before, total_energy(b, awake, gravity)
