"""Impacts of discs in the plane on arrays: those of `planar_world.PlanarWorld`, whose impulses are pymunk's."""

from math import sqrt
from typing import Final

from flicksim.engine.collision_response import CONTACT_MARGIN, IMPACT_TIME_STEP, IMPULSE_TOLERANCE
from flicksim.engine.friction import INERTIA_FACTOR
from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.planar_discs.board import Floats, Ints
from flicksim.engine.planar_discs.collision_times import contact_distance
from flicksim.engine.planar_discs.plane import Plane, PlaneLaws
from flicksim.engine.planar_world import CREEP_SPEED

_MAX_ITERATIONS: Final = 20_000


@njit_no_refcount
def is_impact(p: Plane, hit: int, a: int, b: int, laws: PlaneLaws) -> bool:
    """True if two bodies, whose rows of `motion` are set, touch and approach; then they become pair `hit`, and its
    normal the beginning of its row of `contacts`."""
    motion, threshold = p.motion, laws.elastic_threshold
    dx, dy = motion[b, 0] - motion[a, 0], motion[b, 1] - motion[a, 1]
    d = sqrt(dx * dx + dy * dy)
    nx, ny = dx / d, dy / d
    speed = (motion[a, 3] - motion[b, 3]) * nx + (motion[a, 4] - motion[b, 4]) * ny
    gap = d - contact_distance(p, a, b, laws)
    if (gap <= 2.0 * CONTACT_MARGIN and speed > 0.5 * threshold) or (gap <= 0.0 and speed > 0.5 * CREEP_SPEED):
        p.pairs[hit, 0], p.pairs[hit, 1], p.speeds[hit] = a, b, speed
        p.contacts[hit, 0], p.contacts[hit, 1] = nx, ny
        return True
    return False


@njit_no_refcount
def is_in_pairs(p: Plane, i: int, hit: int) -> bool:
    """True if body `i` is of one of the first `hit` pairs."""
    found = False
    for n in range(hit):
        found = found or p.pairs[n, 0] == i or p.pairs[n, 1] == i
    return found


@njit_no_refcount
def solve_impulses(p: Plane, hit: int, laws: PlaneLaws) -> None:
    """Apply the impulses of simultaneous collisions to `motion`, by sequential impulses to convergence.

    Equivalent to one tiny step of a pymunk space, including its motion of the bodies before the collision; equal to the
    bit for a single pair.

    Args:
        hit: number of `pairs` that collide, with the approach speeds of `speeds`.
    """
    pairs, speeds, contacts, motion, radius, mass = p.pairs, p.speeds, p.contacts, p.motion, laws.radius, laws.mass
    for n in range(hit):
        a, b = pairs[n, 0], pairs[n, 1]
        ax, ay = motion[a, 0] + motion[a, 3] * IMPACT_TIME_STEP, motion[a, 1] + motion[a, 4] * IMPACT_TIME_STEP
        bx, by = motion[b, 0] + motion[b, 3] * IMPACT_TIME_STEP, motion[b, 1] + motion[b, 4] * IMPACT_TIME_STEP
        dx, dy = bx - ax, by - ay
        d = 1.0 / sqrt(dx * dx + dy * dy)
        nx, ny = dx * d, dy * d
        ra, rb = radius[a] + 2.0 * CONTACT_MARGIN, radius[b] + 2.0 * CONTACT_MARGIN
        rax, ray, rbx, rby = ax + nx * ra - ax, ay + ny * ra - ay, bx + nx * -rb - bx, by + ny * -rb - by
        inv_ma, inv_mb = 1.0 / mass[a], 1.0 / mass[b]
        inv_ia = 1.0 / (INERTIA_FACTOR * mass[a] * radius[a] * radius[a])
        inv_ib = 1.0 / (INERTIA_FACTOR * mass[b] * radius[b] * radius[b])
        along_a, along_b = rax * ny - ray * nx, rbx * ny - rby * nx
        aside_a, aside_b = rax * nx + ray * ny, rbx * nx + rby * ny
        contacts[n, 0], contacts[n, 1] = nx, ny
        contacts[n, 2], contacts[n, 3], contacts[n, 4], contacts[n, 5] = rax, ray, rbx, rby
        contacts[n, 6] = 1.0 / (inv_ma + inv_ia * along_a * along_a + (inv_mb + inv_ib * along_b * along_b))
        contacts[n, 7] = 1.0 / (inv_ma + inv_ia * aside_a * aside_a + (inv_mb + inv_ib * aside_b * aside_b))
        e = 1.0
        if speeds[n] > 2.0 * laws.elastic_threshold:
            e = laws.restitution[a, b]
            if speeds[n] > laws.yield_speed[a, b]:
                e *= (speeds[n] / laws.yield_speed[a, b]) ** -0.25
        vx, vy = _relative_velocity(a, b, rax, ray, rbx, rby, motion)
        contacts[n, 8] = (vx * nx + vy * ny) * e
        contacts[n, 9] = laws.friction[a, b]
        contacts[n, 10] = contacts[n, 11] = 0.0
    for _ in range(2 if hit == 1 else _MAX_ITERATIONS):  # two, as pymunk: the second mends rounding
        change, size = 0.0, 0.0
        for n in range(hit):
            a, b = pairs[n, 0], pairs[n, 1]
            nx, ny = contacts[n, 0], contacts[n, 1]
            rax, ray, rbx, rby = contacts[n, 2], contacts[n, 3], contacts[n, 4], contacts[n, 5]
            vx, vy = _relative_velocity(a, b, rax, ray, rbx, rby, motion)
            along, aside = vx * nx + vy * ny, vx * -ny + vy * nx
            normal_impulse = max(contacts[n, 10] + -(contacts[n, 8] + along) * contacts[n, 6], 0.0)
            limit = contacts[n, 9] * normal_impulse
            friction_impulse = min(max(contacts[n, 11] + -aside * contacts[n, 7], -limit), limit)
            jn, jt = normal_impulse - contacts[n, 10], friction_impulse - contacts[n, 11]
            contacts[n, 10], contacts[n, 11] = normal_impulse, friction_impulse
            change, size = max(change, abs(jn), abs(jt)), max(size, normal_impulse)
            jx, jy = nx * jn - ny * jt, nx * jt + ny * jn
            inv_ma, inv_mb = 1.0 / mass[a], 1.0 / mass[b]
            motion[a, 3] += -jx * inv_ma
            motion[a, 4] += -jy * inv_ma
            motion[b, 3] += jx * inv_mb
            motion[b, 4] += jy * inv_mb
            motion[a, 5] += 1.0 / (INERTIA_FACTOR * mass[a] * radius[a] * radius[a]) * (rax * -jy - ray * -jx)
            motion[b, 5] += 1.0 / (INERTIA_FACTOR * mass[b] * radius[b] * radius[b]) * (rbx * jy - rby * jx)
        if change <= IMPULSE_TOLERANCE * size:
            break


@njit_no_refcount
def _relative_velocity(
    a: int, b: int, rax: float, ray: float, rbx: float, rby: float, motion: Floats
) -> tuple[float, float]:
    """Velocity of b relative to a at their contact [m/s]."""
    vx = motion[b, 3] + -rby * motion[b, 5] - (motion[a, 3] + -ray * motion[a, 5])
    vy = motion[b, 4] + rbx * motion[b, 5] - (motion[a, 4] + rax * motion[a, 5])
    return vx, vy


@njit_no_refcount
def insertion_sort(numbers: Ints, count: int) -> None:
    """Sort the first `count` numbers in place."""
    for k in range(1, count):
        value, n = numbers[k], k
        while n > 0 and numbers[n - 1] > value:
            numbers[n] = numbers[n - 1]
            n -= 1
        numbers[n] = value
