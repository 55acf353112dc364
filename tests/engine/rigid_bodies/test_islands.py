"""Islands: union of contacts, and which of them may sleep."""

import numpy as np

from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies.islands import find_sleeping_island, label_contact_islands, label_touch_islands


def _awake_bodies(count: int) -> np.ndarray:  # type: ignore[type-arg]
    b = np.zeros((count, B.COMMON_COLUMNS))
    b[:, B.STATE] = B.AWAKE
    return b


def test_contacts_join_bodies_one_through_another_and_touches_only_since_a_time() -> None:
    b, k = _awake_bodies(6), np.zeros((4, C.CONTACT_COLUMNS))
    k[:, [C.BODY_A, C.BODY_B]] = (4, 5), (1, 4), (0, -1), (2, -1)
    label_contact_islands(b, np.arange(6), k, 4)
    assert b[:, B.ISLAND].tolist() == [0, 1, 2, 3, 1, 1]
    b, last_contact = _awake_bodies(4), np.full((4, 5), -1.0)
    last_contact[0, 1 + 2], last_contact[1, 1 + 2], last_contact[1, 1 + 3] = 0.5, 0.4, 0.1
    label_touch_islands(b, np.arange(4), last_contact, 0.4)
    assert b[:, B.ISLAND].tolist() == [0, 0, 0, 3]


def test_an_island_sleeps_when_all_its_awake_bodies_can() -> None:
    b = _awake_bodies(4)
    b[:, B.ISLAND], b[:, B.CAN_SLEEP] = (0, 0, 2, 2), (1, 0, 1, 1)
    assert find_sleeping_island(b, np.arange(4)) == 2
    b[2:, B.STATE] = B.ASLEEP
    assert find_sleeping_island(b, np.arange(4)) == -1
