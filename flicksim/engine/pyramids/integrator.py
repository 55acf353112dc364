"""Time stepping of pyramids: contacts, solver, energy limiter, integration, sleeping and stop conditions."""

import math
from typing import Final

from flicksim.engine.jit import njit_entry, njit_inline
from flicksim.engine.pyramids import bodies as P
from flicksim.engine.pyramids import recorder as R
from flicksim.engine.pyramids.bodies import integrate_free_flight
from flicksim.engine.pyramids.broadphase import find_contacts, free_flight_step, list_awake
from flicksim.engine.pyramids.contact_solver import (
    APPROACH_DECAY_TIME,
    HARD_APPROACH,
    prepare_contacts,
    prepare_targets,
    solve_velocities,
    spring_energy,
    store_approaches,
)
from flicksim.engine.pyramids.recorder import RunState, record_contacts, record_keyframe
from flicksim.engine.pyramids.sleeping import TIME_TO_SLEEP, sleep_islands, update_timers
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies.bodies import Floats, energy, max_point_speed, total_energy
from flicksim.engine.rigid_bodies.contact_solver import update_angular_momenta
from flicksim.engine.rigid_bodies.contacts import sort_by_depth
from flicksim.engine.rigid_bodies.energy_limiter import limit_energy, store_motion
from flicksim.engine.rigid_bodies.previous_contacts import PREV_DEPTH, scale_impulses, store_contacts

ALL_ASLEEP, TIMED_OUT, BUFFER_FULL = range(3)
"""Return values of `simulate_until`: everything at rest, time limit, buffer of keyframes or impacts full."""

TIME_STEP: Final = 50e-6
"""Time step while anything touches, at scale 1 [s]."""
STIFFNESS: Final = 1e8
"""Square of a contact's natural frequency, at scale 1 [1/s^2]."""
SPRING_ANGLE: Final = math.sqrt(STIFFNESS) * TIME_STEP
"""Natural frequency of a contact times the step, at any scale [rad]."""
MAX_ITERATIONS: Final = 10
"""Largest number of iterations over the contacts in a step."""
ENERGY_TOLERANCE: Final = 1e-7
"""Energy that impulses may add nevertheless, per mass of the lightest piece [J/kg]: ten nanometres of height."""
SOFTEST_SCALE: Final = 0.125
"""Smallest contact scale, of contacts that carry little more than the weight."""
MAX_POINT_SPEED: Final = 6.0
"""Point speed up to which the nominal time step is fine enough [m/s]; above, step and stiffness are scaled."""
MAX_WALL_FRACTION: Final = 0.15
"""Largest motion in a step over the thickness of the thinnest wall [-]."""
FALL_DEPTH: Final = 0.03
"""Depth of the centre of mass below the table's top at which a body is removed [m]."""


@njit_inline
def _choose_contact_scale(b: Floats, r: RunState) -> None:
    """Choose the contact scale of this step by the fastest point and the thinnest wall, softer after gentle contacts.

    Previous depths and impulses are scaled to the same force, or springs would return more energy than they took.
    """
    clock = r.clock
    before = clock[R.CONTACT_SCALE]
    fastest, thin = 0.0, 1.0
    for i in r.awake[: r.counters[R.AWAKE_COUNT]]:
        fastest = max(fastest, max_point_speed(b, i))
        thin = min(thin, b[i, P.WALL_THICKNESS])
    need = fastest / min(MAX_POINT_SPEED, MAX_WALL_FRACTION * thin / TIME_STEP)
    clock[R.CONTACT_SCALE] = max(need, min(1.0, max(SOFTEST_SCALE, clock[R.RECENT_APPROACH] / HARD_APPROACH)))
    if before != clock[R.CONTACT_SCALE]:
        share = before / clock[R.CONTACT_SCALE]
        for m in range(r.counters[R.PREV_CONTACT_COUNT]):
            r.prev_contacts[m, PREV_DEPTH] *= min(1.0, share * share)
        scale_impulses(r.prev_contacts, r.counters[R.PREV_CONTACT_COUNT], share)


@njit_entry
def simulate_until(b: Floats, r: RunState, k: Floats, materials: Floats, gravity: float) -> int:
    """Run until a stop condition and return it; call again to continue after BUFFER_FULL."""
    bodies = len(b)
    clock, counters = r.clock, r.counters
    while clock[R.TIME] < clock[R.MAX_TIME]:
        if clock[R.TIME] >= clock[R.NEXT_KEYFRAME]:
            if counters[R.KEYFRAME_COUNT] + 3 * bodies >= len(r.keyframes) or counters[R.HIT_COUNT] + 64 >= len(r.hits):
                return BUFFER_FULL
            clock[R.NEXT_KEYFRAME] = clock[R.TIME] + clock[R.KEYFRAME_INTERVAL]
            for i in r.awake[: r.counters[R.AWAKE_COUNT]]:
                record_keyframe(b, r, i)
        count = find_contacts(b, r, k, gravity)
        if count > 0:
            clock[R.RECENT_APPROACH] = max(clock[R.RECENT_APPROACH], prepare_contacts(b, k, count))
            _choose_contact_scale(b, r)
            scale = clock[R.CONTACT_SCALE]
            dt, stiffness = TIME_STEP / scale, STIFFNESS * scale * scale
            sort_by_depth(k, r.order, count)
            store_motion(b, r.awake[: r.counters[R.AWAKE_COUNT]])
            prepare_targets(b, k, r.prev_contacts, count, counters[R.PREV_CONTACT_COUNT], materials, SPRING_ANGLE, dt)
            solve_velocities(b, k, r.order, count, MAX_ITERATIONS)
            for m in range(count):
                update_angular_momenta(b, k, m)
            store_contacts(k, r.prev_contacts, count)
            store_approaches(k, r.prev_contacts, count)
            _, energy_left = limit_energy(
                b,
                r.awake[: r.counters[R.AWAKE_COUNT]],
                k,
                count,
                gravity,
                (clock[R.MIN_ENERGY] + ENERGY_TOLERANCE) * clock[R.MASS_UNIT],
            )
            clock[R.MIN_ENERGY] = min(
                clock[R.MIN_ENERGY], (energy_left + spring_energy(k, count, stiffness, dt)) / clock[R.MASS_UNIT]
            )
            clock[R.ENERGY_GAIN] = max(clock[R.ENERGY_GAIN], energy_left / clock[R.MASS_UNIT] - clock[R.MIN_ENERGY])
            record_contacts(b, r, k, count, dt)
            clock[R.RECENT_APPROACH] /= 1.0 + dt / APPROACH_DECAY_TIME
        else:
            clock[R.MIN_ENERGY] = min(
                clock[R.MIN_ENERGY], total_energy(b, r.awake[: r.counters[R.AWAKE_COUNT]], gravity) / clock[R.MASS_UNIT]
            )
            step = TIME_STEP / clock[R.CONTACT_SCALE]
            dt = free_flight_step(b, r, gravity, step)
            if dt > 2.0 * step:
                clock[R.CONTACT_SCALE], clock[R.RECENT_APPROACH] = 1.0, HARD_APPROACH
        counters[R.PREV_CONTACT_COUNT] = count
        dt = min(dt, clock[R.MAX_TIME] - clock[R.TIME])
        tolerance_scale = max(1.0, clock[R.TIME] / clock[R.RELAX_AFTER]) ** 4
        clock[R.TIME] += dt
        fell = slow = False
        for i in r.awake[: r.counters[R.AWAKE_COUNT]]:
            update_timers(b, i, dt, tolerance_scale)
            b[i, B.TRAVEL_BOUND] += (max_point_speed(b, i) + gravity * dt) * dt
            integrate_free_flight(b, i, dt, gravity)
            if b[i, B.CZ] < -FALL_DEPTH:
                record_keyframe(b, r, i)
                clock[R.MIN_ENERGY] -= energy(b, i, gravity) / b[i, B.INV_MASS] / clock[R.MASS_UNIT]
                b[i, B.STATE] = B.REMOVED
                fell = True
            slow = slow or (b[i, B.STATE] == B.AWAKE and b[i, B.SLOW_TIMER] >= TIME_TO_SLEEP)
        if fell:
            list_awake(b, r)
        if counters[R.AWAKE_COUNT] == 0 or (slow and sleep_islands(b, r, gravity)):
            return ALL_ASLEEP
    return TIMED_OUT
