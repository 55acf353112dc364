"""Tests of the signed distance of two winks, a lower bound when apart and an upper bound on depth when overlapping, and
of their contacts."""

import numpy as np

from flicksim.engine.rigid_bodies.bodies import BOUNDING_RADIUS
from flicksim.engine.rigid_bodies.contacts import CONTACT_COLUMNS, GAP
from flicksim.engine.winks import LARGE_WINK, SMALL_WINK
from flicksim.engine.winks.bodies import make_bodies
from flicksim.engine.winks.contacts import RIM_SAMPLES
from flicksim.engine.winks.narrowphase_wink_wink import collide_winks
from flicksim.engine.winks.separation import gap_along_axis, separation
from flicksim.engine.winks.wink_states import WinkStates


def _two(rng: np.random.Generator, spread: float, level: float) -> np.ndarray:
    """Two winks near each other, the more alike in attitude the higher `level`."""
    n = rng.normal(size=(2, 3)) + np.array([0.0, 0.0, level])
    n /= np.linalg.norm(n, axis=1)[:, None]
    c = np.array([[0.0, 0.0, 0.0], spread * rng.normal(size=3)])
    sizes = [LARGE_WINK if rng.random() < 0.5 else SMALL_WINK for _ in range(2)]
    w = WinkStates.at_rest(c, sizes, n)
    return make_bodies(w.c, w.v, w.n, w.L, w.R, w.h, w.mass, np.zeros(2))


def _nearest(b: np.ndarray, directions: np.ndarray) -> float:
    """The largest gap along many directions: their distance from below, as deep as they overlap from above."""
    return max(gap_along_axis(b, 0, 1, *d) for d in directions)


def _sampled_gap(rng: np.random.Generator, count: int) -> np.ndarray:
    d = rng.normal(size=(count, 3))
    return d / np.linalg.norm(d, axis=1)[:, None]


def test_winks_that_overlap_are_never_held_to_be_clear_and_those_clear_are_found_to_be():
    """Against many directions looked along, one by one."""
    rng = np.random.default_rng(3)
    directions = _sampled_gap(rng, 400)
    deeper = []
    for k in range(120):
        b = _two(rng, 6e-3, 10.0 * (k % 3))
        found = separation(b, 0, 1, np.zeros((2, 2, 4)))
        seen = _nearest(b, np.concatenate([directions, b[:, 6:9], -b[:, 6:9]]))
        assert (found > 0.0) == (seen > 0.0)
        if found < 0.0:
            deeper.append(seen - found)
    assert max(deeper) < 2e-6


def test_no_direction_near_the_one_found_shows_touching_winks_farther_apart():
    """Climbing by random turns from there gains a tenth of a micrometre at most."""
    rng, gained = np.random.default_rng(6), []
    for k in range(80):
        b = _two(rng, 0.0, 3.0 * (k % 3))
        away = _sampled_gap(rng, 1)[0]
        low, high = 0.0, 0.03
        for _ in range(16):
            b[0, :3] = 0.5 * (low + high) * away
            deep = separation(b, 0, 1, np.zeros((2, 2, 4))) < -20e-6
            low, high = (0.5 * (low + high), high) if deep else (low, 0.5 * (low + high))
        pairs = np.zeros((2, 2, 4))
        found = separation(b, 0, 1, pairs)
        best, direction, turn = found, pairs[0, 1, 1:4].copy(), 0.03
        for _ in range(300):
            other = direction + turn * rng.normal(size=3)
            other /= np.linalg.norm(other)
            gap = gap_along_axis(b, 0, 1, *other)
            best, direction, turn = (gap, other, turn) if gap > best else (best, direction, 0.96 * turn)
        gained.append(best - found)
    assert max(gained) < 1e-7


def test_what_was_remembered_of_a_pair_changes_little():
    """Looked at again a moment later, the pair is as far apart as looked at for the first time."""
    rng = np.random.default_rng(4)
    worst = 0.0
    for k in range(120):
        b = _two(rng, 5e-3, 10.0 * (k % 3))
        pairs = np.zeros((2, 2, 4))
        separation(b, 0, 1, pairs)
        b[0, :3] += 2e-6 * rng.normal(size=3)
        again, fresh = separation(b, 0, 1, pairs), separation(b, 0, 1, np.zeros((2, 2, 4)))
        if fresh < 0.0:
            worst = max(worst, abs(again - fresh))
    assert worst < 2e-5


def test_gap_is_that_along_the_unit_direction_remembered():
    """Also after many small motions of nearly parallel winks, where rounding errors of the search would add up."""
    rng = np.random.default_rng(5)
    for k in range(200):
        b = _two(rng, 5e-3, 10.0 ** rng.uniform(0.0, 6.0))
        pairs = np.zeros((2, 2, 4))
        for _ in range(30):
            found, direction = separation(b, 0, 1, pairs), pairs[0, 1, 1:4]
            if direction.any():
                np.testing.assert_allclose(np.linalg.norm(direction), 1.0, rtol=1e-12, err_msg=str(k))
                assert found <= max(gap_along_axis(b, 0, 1, *direction), _distance_of_spheres(b)) + 1e-12
            b[0, :3] += 3e-5 * rng.normal(size=3)
            b[0, 6:9] += 3e-3 * rng.normal(size=3)
            b[0, 6:9] /= np.linalg.norm(b[0, 6:9])


def _distance_of_spheres(b: np.ndarray) -> float:
    """Distance of the bounding spheres of two winks."""
    return float(np.linalg.norm(b[0, :3] - b[1, :3]) - b[0, BOUNDING_RADIUS] - b[1, BOUNDING_RADIUS])


def test_slight_overlaps_have_contacts_on_a_rim():
    """Not only that along the axis of least penetration, which is added where the search along the rims finds none."""
    rng, contacts, depths = np.random.default_rng(6), np.zeros((40, CONTACT_COLUMNS)), []
    for k in range(2000):
        b = _two(rng, 7e-3, 3.0 * (k % 2))
        count, gap = collide_winks(b, 0, 1, np.zeros((2, 2, 5)), contacts, 0, 0.0, np.zeros(RIM_SAMPLES))
        if -1e-4 < gap < 0.0:
            assert (contacts[:count, GAP] != gap).any(), k
            depths.append(-gap)
    assert len(depths) > 10
