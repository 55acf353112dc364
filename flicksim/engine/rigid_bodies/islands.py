"""Islands of bodies in contact: labelling by union of contacts, and search for islands at rest."""

from flicksim.engine.jit import njit_no_refcount
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies.bodies import Floats, Ints


@njit_no_refcount
def _join(b: Floats, bodies: Ints, i: int, j: int) -> None:
    """Merge the islands of two bodies under the smaller label."""
    old, new = max(b[i, B.ISLAND], b[j, B.ISLAND]), min(b[i, B.ISLAND], b[j, B.ISLAND])
    for q in bodies:
        if b[q, B.ISLAND] == old:
            b[q, B.ISLAND] = new


@njit_no_refcount
def label_contact_islands(b: Floats, bodies: Ints, k: Floats, count: int) -> None:
    """Label the islands formed by the contacts of this step, by the index of their first body."""
    for i in bodies:
        b[i, B.ISLAND] = i
    for m in range(count):
        i, j = int(k[m, C.BODY_A]), int(k[m, C.BODY_B])
        if j >= 0 and b[i, B.ISLAND] != b[j, B.ISLAND]:
            _join(b, bodies, i, j)


@njit_no_refcount
def label_touch_islands(b: Floats, bodies: Ints, last_contact: Floats, since: float) -> None:
    """Label the islands of bodies that touched at or after a time; the last columns of `last_contact` are the bodies'.

    Contacts in a leaning pile flicker from step to step: a part put to sleep by itself would be woken by the rest, for
    ever.
    """
    first = last_contact.shape[1] - last_contact.shape[0]
    for i in bodies:
        b[i, B.ISLAND] = i
    for i in bodies:
        for j in bodies:
            if j > i and b[i, B.ISLAND] != b[j, B.ISLAND] and last_contact[i, first + j] >= since:
                _join(b, bodies, i, j)


@njit_no_refcount
def find_sleeping_island(b: Floats, bodies: Ints) -> int:
    """Label of an island with awake bodies that all have CAN_SLEEP set; -1 if there is none."""
    for root in bodies:
        awake, ready = False, True
        for i in bodies:
            if b[i, B.ISLAND] == root and b[i, B.STATE] == B.AWAKE:
                awake, ready = True, ready and b[i, B.CAN_SLEEP] == 1.0
        if awake and ready:
            return int(root)
    return -1
