"""Contacts of the step before, for the warm start of the next."""

import math
from typing import Final

from flicksim.engine.jit import njit_inline, njit_no_refcount
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies.bodies import Floats
from flicksim.engine.rigid_bodies.contact_solver import apply_impulse

(
    PREV_BODY_A, PREV_BODY_B, PREV_FEATURE_ID, PREV_DEPTH, PREV_NORMAL_IMPULSE, PREV_FRICTION_IMPULSE, PREV_POINT,
    PREV_NORMAL,
) = (0, 1, 2, 3, 4, 5, 8, 11)  # fmt: skip
"""Columns: bodies, feature id, spring depth [m], normal impulse and vector of the friction impulse [N s], point [m],
normal."""
PREV_CONTACT_COLUMNS: Final = 14
MAX_MATCH_DISTANCE: Final = 2e-3
"""Distance up to which a contact with a like normal is taken for that of the step before [m]."""


@njit_inline
def squared_match_distance(k: Floats, m: int, prev: Floats, row: int) -> float:
    """Squared distance of contact `m` from the one of that row [m^2]; infinite for another normal or a far one."""
    distance, cos = 0.0, 0.0
    for x in range(3):
        gap = k[m, C.POINT_X + x] - prev[row, PREV_POINT + x]
        distance += gap * gap
        cos += k[m, C.NORMAL_X + x] * prev[row, PREV_NORMAL + x]
    return distance if cos > 0.9 and distance < MAX_MATCH_DISTANCE * MAX_MATCH_DISTANCE else math.inf


@njit_inline
def start_from(k: Floats, m: int, prev: Floats, row: int) -> None:
    """Set the impulses of contact `m` to those of that row, on its own tangents."""
    k[m, C.IMPULSE], f = prev[row, PREV_NORMAL_IMPULSE], PREV_FRICTION_IMPULSE
    for x in range(1, 3):
        d = C.NORMAL_X + 3 * x
        k[m, C.IMPULSE + x] = prev[row, f] * k[m, d] + prev[row, f + 1] * k[m, d + 1] + prev[row, f + 2] * k[m, d + 2]


@njit_inline
def apply_impulses(b: Floats, k: Floats, count: int) -> None:
    """Apply the impulses that `count` contacts start from to their bodies."""
    for m in range(count):
        i, j = int(k[m, C.BODY_A]), int(k[m, C.BODY_B])
        for q in range(3):
            if k[m, C.IMPULSE + q] != 0.0:
                apply_impulse(b, k, m, 3 * q, i, j, k[m, C.IMPULSE + q])


@njit_inline
def scale_impulses(prev: Floats, count: int, share: float) -> None:
    """Scale the impulses of the step before to the length of this one."""
    for m in range(count):
        for x in range(4):
            prev[m, PREV_NORMAL_IMPULSE + x] *= share


@njit_no_refcount
def store_contacts(k: Floats, prev: Floats, count: int) -> None:
    """Store `count` contacts of this step for the next."""
    for m in range(count):
        prev[m, PREV_BODY_A], prev[m, PREV_BODY_B] = k[m, C.BODY_A], k[m, C.BODY_B]
        prev[m, PREV_FEATURE_ID], prev[m, PREV_DEPTH] = k[m, C.FEATURE_ID], k[m, C.SPRING_DEPTH]
        prev[m, PREV_NORMAL_IMPULSE] = k[m, C.IMPULSE]
        for x in range(3):
            prev[m, PREV_FRICTION_IMPULSE + x] = (
                k[m, C.IMPULSE + 1] * k[m, C.NORMAL_X + 3 + x] + k[m, C.IMPULSE + 2] * k[m, C.NORMAL_X + 6 + x]
            )
            prev[m, PREV_POINT + x], prev[m, PREV_NORMAL + x] = k[m, C.POINT_X + x], k[m, C.NORMAL_X + x]
