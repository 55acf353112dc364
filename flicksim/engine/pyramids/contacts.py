"""Contact list of one step: columns of a contact of a vertex or an edge with faces and edges."""

from typing import Final

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.pyramids.bodies import Floats

TABLE: Final = -1
"""In place of a second body: the table."""

BODY_A, BODY_B, FEATURE_ID, GAP, SPRING_DEPTH, NORMAL_VELOCITY, POINT_X, POINT_Y, POINT_Z = range(9)
"""Columns of the contacts [C, CONTACT_COLUMNS]: the body pushed, and what pushes it (a body or TABLE); a number for the
corner and wall or the two edges that meet, the same as long as they do; distance, negative where they overlap [m];
overlap the spring is allowed to feel [m]; normal velocity before the step's impulses [m/s]; the point [m]."""
NORMAL_X, NORMAL_Y, NORMAL_Z = 9, 10, 11
"""The unit normal pushing the first body; two tangents follow it. Row q of three is at + 3 q, here and below."""
TORQUE_ARM_A, ANGULAR_RESPONSE_A, TORQUE_ARM_B, ANGULAR_RESPONSE_B = 18, 27, 36, 45
"""Torque arms r x d of the three directions on the first body [m], and the angular velocity they give it per impulse
over mass; the same on the second body."""
TARGET_VELOCITY, IMPULSE, EFFECTIVE_MASS = 54, 57, 60
"""Relative velocities aimed at [m/s]; impulses [N s]; 1 / k_n, the inverse friction matrix (11, 12, 22) and what moves
the contact as much as a push against its slip may [kg]."""
CONTACT_COLUMNS: Final = 66


@njit_no_refcount
def add_contact(
    k: Floats, m: int, a: int, b: int, kind: int, x: float, y: float, z: float, nx: float, ny: float, nz: float,
    gap: float,
) -> int:  # fmt: skip
    """One contact more, if there is room: the new count."""
    if m >= len(k):
        return m
    k[m, BODY_A], k[m, BODY_B], k[m, FEATURE_ID] = a, b, kind
    k[m, POINT_X], k[m, POINT_Y], k[m, POINT_Z] = x, y, z
    k[m, NORMAL_X], k[m, NORMAL_Y], k[m, NORMAL_Z] = nx, ny, nz
    k[m, GAP] = gap
    k[m, SPRING_DEPTH] = -gap
    return m + 1
