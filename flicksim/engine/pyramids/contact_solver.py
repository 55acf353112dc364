"""Contacts of pyramids as soft constraints: targets, effective masses and warm starting by feature id."""

import math
from typing import Final

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies import previous_contacts
from flicksim.engine.rigid_bodies.bodies import Floats, Ints
from flicksim.engine.rigid_bodies.contact_solver import (
    iterate_contacts,
    prepare_geometry,
    spring_coefficients,
    spring_target,
)
from flicksim.engine.rigid_bodies.previous_contacts import (
    PREV_BODY_A,
    PREV_BODY_B,
    PREV_DEPTH,
    PREV_FEATURE_ID,
    apply_impulses,
    squared_match_distance,
    start_from,
)

RECOVERY_SPEED: Final = 5e-3
"""Speed at which the depth felt may grow beyond what the approach of the bodies explains [m/s]."""
VELOCITY_TOLERANCE: Final = 2e-6
"""Iterations stop when no velocity changed by more than this [m/s]."""
HARD_APPROACH: Final = 0.12
"""Approach speed from which a contact is an impact; below, its hardness is proportional [m/s]."""
APPROACH_DECAY_TIME: Final = 1e-3
"""Time constant of the decay of recent approach speeds [s]."""
PREV_APPROACH: Final = previous_contacts.PREV_CONTACT_COLUMNS
"""Column of the contacts of the step before besides those of all shapes: recent approach speed [m/s]."""
PREV_CONTACT_COLUMNS: Final = PREV_APPROACH + 1
RECENT_APPROACH: Final = C.CONTACT_COLUMNS
"""Column of a contact's own: decaying maximum of its normal speeds [m/s]."""
CONTACT_COLUMNS: Final = RECENT_APPROACH + 1


@njit_no_refcount
def _warm_start(k: Floats, prev: Floats, m: int, prev_count: int) -> float:
    """Set the impulses and recent approach of contact `m` to those of the same features in the step before; the spring
    depth there."""
    depth = 0.0
    for x in range(3):
        k[m, C.IMPULSE + x] = 0.0
    k[m, RECENT_APPROACH] = 0.0
    for q in range(prev_count):
        if prev[q, PREV_BODY_A] != k[m, C.BODY_A] or prev[q, PREV_BODY_B] != k[m, C.BODY_B]:
            continue
        if prev[q, PREV_FEATURE_ID] == k[m, C.FEATURE_ID]:
            start_from(k, m, prev, q)
            k[m, RECENT_APPROACH] = prev[q, PREV_APPROACH]
            return float(prev[q, PREV_DEPTH])
        # another feature nearby with a like normal may have taken over
        if depth < prev[q, PREV_DEPTH] and squared_match_distance(k, m, prev, q) < math.inf:
            depth = prev[q, PREV_DEPTH]
            k[m, RECENT_APPROACH] = prev[q, PREV_APPROACH]
    return depth


@njit_no_refcount
def prepare_contacts(b: Floats, k: Floats, count: int) -> float:
    """Fill in directions, effective masses and velocities of `count` contacts: their largest normal speed [m/s].

    The velocities along the tangents are left where `prepare_targets` reads them.
    """
    fastest = 0.0
    for m in range(count):
        un, u1, u2 = prepare_geometry(b, k, m)
        k[m, C.NORMAL_VELOCITY], k[m, C.TARGET_VELOCITY + 1], k[m, C.TARGET_VELOCITY + 2] = un, u1, u2
        fastest = max(fastest, abs(un))
    return fastest


@njit_no_refcount
def prepare_targets(
    b: Floats, k: Floats, prev_contacts: Floats, count: int, prev_count: int, materials: Floats, angle: float,
    dt: float,
) -> None:  # fmt: skip
    """Set the target velocities of `count` contacts and apply the impulses of the step before (warm start).

    A contact that appears, or turns its normal, at depth would add energy by its spring: the depth felt follows the
    approach. The hardness of a contact is 1 in impacts, where ending the slip takes as long as the impact, down to 0
    where nothing approached of late: there nothing bounces, or leaning pieces would hop invisibly and creep, and
    friction holds at once, also while the piece is struck elsewhere.

    Args:
        materials: damping ratio and friction of a piece on the table and on a piece. [2, 2]
        angle: natural frequency of the springs times the step [rad].
    """
    for m in range(count):
        kind, un = 0 if k[m, C.BODY_B] < 0.0 else 1, k[m, C.NORMAL_VELOCITY]
        prev_depth = _warm_start(k, prev_contacts, m, prev_count)
        k[m, RECENT_APPROACH] = max(k[m, RECENT_APPROACH] / (1.0 + dt / APPROACH_DECAY_TIME), abs(un))
        hardness = min(1.0, k[m, RECENT_APPROACH] / HARD_APPROACH)
        gain, loss = spring_coefficients(1.0 - (1.0 - materials[kind, 0]) * hardness, angle)
        depth = min(-k[m, C.GAP], max(0.0, prev_depth - un * dt) + RECOVERY_SPEED * dt)
        k[m, C.SPRING_DEPTH], k[m, C.CONTACT_FRICTION] = depth, materials[kind, 1]
        k[m, C.TARGET_VELOCITY] = spring_target(un, depth, prev_depth <= 0.0, gain, loss, dt)
        for x in range(1, 3):
            k[m, C.TARGET_VELOCITY + x] *= hardness * hardness * (1.0 - loss)
    apply_impulses(b, k, count)


@njit_no_refcount
def store_approaches(k: Floats, prev: Floats, count: int) -> None:
    """Store the recent approach speeds of `count` contacts for the next step."""
    for m in range(count):
        prev[m, PREV_APPROACH] = k[m, RECENT_APPROACH]


@njit_no_refcount
def solve_velocities(b: Floats, k: Floats, order: Ints, count: int, iterations: int) -> None:
    """Gauss-Seidel iterations over the contacts, deepest first, until convergence or `iterations` are done."""
    for _ in range(iterations):
        if iterate_contacts(b, k, order, count) < VELOCITY_TOLERANCE:
            break


@njit_no_refcount
def spring_energy(k: Floats, count: int, stiffness: float, dt: float) -> float:
    """Upper bound on the energy in the springs of these contacts [J]; the second term bounds the discretisation error
    of a step."""
    total = 0.0
    for m in range(count):
        depth = max(0.0, k[m, C.SPRING_DEPTH])
        total += 0.5 * stiffness * depth * (depth + dt * abs(k[m, C.NORMAL_VELOCITY])) * k[m, C.EFFECTIVE_MASS]
    return total
