"""Contact rows of one step, with one layout of columns for all shapes."""

from typing import Final

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.rigid_bodies.bodies import Floats, Ints

(
    BODY_A, BODY_B, FEATURE_ID, GAP, SPRING_DEPTH, NORMAL_VELOCITY, CONTACT_FRICTION, POINT_X, POINT_Y, POINT_Z,
) = range(10)  # fmt: skip
"""Columns of a contact: the body pushed, and what pushes it (a body, or a negative number for something static); id of
the touching features, the same while they touch; distance, negative for an overlap [m]; overlap felt by the contact
spring [m]; normal velocity before the impulses of the step [m/s]; Coulomb friction; contact point [m]."""
NORMAL_X, NORMAL_Y, NORMAL_Z = 10, 11, 12
"""Unit normal, towards the first body; two tangents follow. Row q of three is at + 3 q, here and below."""
TORQUE_ARM_A, ANGULAR_RESPONSE_A, TORQUE_ARM_B, ANGULAR_RESPONSE_B = 19, 28, 37, 46
"""Torque arms r x d of the three directions on the first body [m], and the change of angular velocity per impulse over
mass along them [1/m]; the same of the second body."""
TARGET_VELOCITY, IMPULSE, EFFECTIVE_MASS = 55, 58, 61
"""Target relative velocities [m/s]; accumulated impulses [N s]; effective mass along the normal, inverse of the tangent
matrix (11, 12, 22), and inverse of its larger eigenvalue [kg]."""
CONTACT_COLUMNS: Final = 66


@njit_no_refcount
def add_contact(
    k: Floats, m: int, i: int, j: int, feature: int, x: float, y: float, z: float, nx: float, ny: float, nz: float,
    gap: float,
) -> int:  # fmt: skip
    """Write contact `m` if there is room: the new count."""
    if m >= len(k):
        return m
    k[m, BODY_A], k[m, BODY_B], k[m, FEATURE_ID] = i, j, feature
    k[m, POINT_X], k[m, POINT_Y], k[m, POINT_Z] = x, y, z
    k[m, NORMAL_X], k[m, NORMAL_Y], k[m, NORMAL_Z] = nx, ny, nz
    k[m, GAP] = gap
    k[m, SPRING_DEPTH] = -gap
    return m + 1


@njit_no_refcount
def sort_by_depth(k: Floats, order: Ints, count: int) -> None:
    """Order the contacts deepest first, so that the iterations visit a scene and its mirror image alike."""
    for m in range(count):
        gap, at = k[m, GAP], m
        while at > 0 and k[order[at - 1], GAP] > gap:
            order[at] = order[at - 1]
            at -= 1
        order[at] = m
