"""Pot and winks in one scene: nothing is passed through, no energy appears, everything ends, and ends the same
again."""

import math
from dataclasses import replace

import numpy as np
import pytest
from wink_shots import resting_field, single_wink_shot

from flicksim.engine.winks import (
    FELT,
    LARGE_WINK,
    PLAY_PARAMS,
    POT,
    SMALL_WINK,
    Cup,
    Status,
    Until,
    WinkSimulation,
    WinkStates,
    launch_motion,
    simulate_winks,
)

RADIUS, HALF, _ = SMALL_WINK
UP = np.array([0.0, 0.0, 1.0])


def scene_shot(winks: WinkStates, rng: np.random.Generator, speed: float, elevation: float, **options):
    """Shoot wink 0 towards +y with some noise."""
    v, spin = launch_motion(
        float(winks.R[0]),
        float(winks.h[0]),
        winks.n[0],
        speed * (1 + 0.02 * rng.normal()),
        math.radians(elevation + rng.normal()),
        math.pi / 2 + 0.02 * rng.normal(),
        100 + 10 * rng.normal(),
    )
    return simulate_winks(winks.with_motion(0, v, spin), PLAY_PARAMS, options.pop("pot", Cup()), shooter=0, **options)


def stacked_winks(rng: np.random.Generator, count: int, at: tuple[float, float] = (0.0, 0.0)) -> WinkStates:
    """`count` winks let fall on one another, settled."""
    sizes = [LARGE_WINK if rng.random() < 0.3 else SMALL_WINK for _ in range(count)]
    offsets = rng.uniform(-5e-3, 5e-3, (count, 2))
    c = [[at[0] + offsets[i, 0], at[1] + offsets[i, 1], 2e-3 + 6e-3 * i] for i in range(count)]
    dropped = simulate_winks(WinkStates.at_rest(np.array(c), sizes), PLAY_PARAMS, moving=range(count))
    assert dropped.settled, dropped.status
    return dropped.winks


def resting_overlap(winks: WinkStates) -> float:
    """Greatest depth of one wink's edge points in another [m]."""
    worst = 0.0
    angles = np.linspace(0.0, 2.0 * np.pi, 72, endpoint=False)
    for i in range(len(winks.R)):
        n = winks.n[i]
        e1 = np.cross(n, [1.0, 0.0, 0.0] if abs(n[0]) < 0.9 else [0.0, 1.0, 0.0])
        e1 /= np.linalg.norm(e1)
        ring = winks.R[i] * (np.cos(angles)[:, None] * e1 + np.sin(angles)[:, None] * np.cross(n, e1))
        for side in (-1.0, 0.0, 1.0):
            points = winks.c[i] + ring + side * winks.h[i] * n
            for j in range(len(winks.R)):
                if j != i:
                    off = points - winks.c[j]
                    axial = off @ winks.n[j]
                    rho = np.sqrt(np.maximum(0.0, np.sum(off * off, axis=1) - axial**2))
                    depth = np.minimum(winks.R[j] - rho, winks.h[j] - np.abs(axial))
                    worst = max(worst, float(depth.max()))
    return worst


def test_same_shot_same_bits_recorded_or_not() -> None:
    one, two = single_wink_shot(3.31, record=1 / 240), single_wink_shot(3.31, record=1 / 240)
    assert one.track_poses.tobytes() == two.track_poses.tobytes()
    assert one.contacts == two.contacts
    assert single_wink_shot(3.31, record=1 / 240).winks.c.tobytes() == single_wink_shot(3.31).winks.c.tobytes()


def test_a_mirrored_shot_is_mirrored():
    rng = np.random.default_rng(5)
    same = 0
    for _ in range(20):
        speed, elevation, off, tumble = (
            3.3 + 0.05 * rng.normal(),
            45 + rng.normal(),
            rng.normal(),
            100 + 10 * rng.normal(),
        )
        left = single_wink_shot(speed, elevation, 90 + off, tumble, until=Until.DECIDED)
        right = single_wink_shot(speed, elevation, 90 - off, tumble, until=Until.DECIDED)
        a, b = left.contacts[0], right.contacts[0]
        assert a.other == b.other
        assert a.time == pytest.approx(b.time, abs=1e-9)
        np.testing.assert_allclose(a.point, (-b.point[0], b.point[1], b.point[2]), atol=1e-6)
        same += left.potted == right.potted
    assert same == 20


def test_an_early_verdict_is_the_late_one_and_needs_a_pot() -> None:
    rng = np.random.default_rng(6)
    for _ in range(40):
        speed, off = 3.3 * (1 + 0.01 * rng.normal()), rng.normal()
        assert (
            single_wink_shot(speed, 48, 90 + off).potted
            == single_wink_shot(speed, 48, 90 + off, until=Until.DECIDED).potted
        )
    with pytest.raises(ValueError, match="give both"):
        single_wink_shot(3.0, pot=None, until=Until.DECIDED)


def test_no_shot_gains_energy_or_passes_through_the_wall():
    rng = np.random.default_rng(7)
    pot = Cup()
    for _ in range(60):
        speed = rng.uniform(2.0, 9.0)
        end = single_wink_shot(
            speed, rng.uniform(1, 30), 90 + rng.normal(), rng.uniform(-200, 200), distance=0.12, record=1 / 240
        )
        assert end.energy_gain < 1e-3
        c = end.track_poses[:, 0, :3]
        rho = np.hypot(c[:, 0], c[:, 1])
        inside = (
            rho < pot.base_radius + c[:, 2] / pot.height * (pot.top_radius - pot.base_radius) - pot.wall_thickness
        ) & (c[:, 2] < pot.height)
        entered = np.flatnonzero(~inside[:-1] & inside[1:])
        for k in entered:  # only over the rim: the centre's height at a frame next to it tells
            assert c[k : k + 2, 2].max() > pot.height - 9.81 * 0.005**2 - speed * 0.005
        assert (c[:, 2] > -1e-4).all()


def test_fast_winks_do_not_pass_through_the_wall_from_inside():
    rng = np.random.default_rng(8)
    for _ in range(40):
        wink = WinkStates.at_rest(np.array([[0.0, 0.0, 12e-3]]), [SMALL_WINK])
        angle = rng.uniform(0, 2 * math.pi)
        v = rng.uniform(2, 10) * np.array([math.cos(angle), math.sin(angle), -0.3])
        end = simulate_winks(
            wink.with_motion(0, v, 1e-3 * rng.normal(size=3)), PLAY_PARAMS, Cup(), keyframe_interval=1 / 240, t_max=0.05
        )
        c = end.track_poses[:, 0, :3]
        low = c[:, 2] < 25e-3
        assert (np.hypot(c[low, 0], c[low, 1]) < 23e-3).all()
        assert end.energy_gain < 1e-3


def test_a_spinning_shot_does_not_pass_under_the_pot() -> None:
    """Low and with more spin than rise, from just beside the wall: it once sank five millimetres and came up inside."""
    pot = Cup()
    radius, half, _ = SMALL_WINK
    wink = WinkStates.at_rest(np.array([[pot.top_radius + 6.3e-3, 0.0, half]]), [SMALL_WINK])
    v, spin = launch_motion(radius, half, wink.n[0], 1.04, 0.17, math.pi, -110.0)
    end = simulate_winks(wink.with_motion(0, v, spin), PLAY_PARAMS, pot, shooter=0, keyframe_interval=1e-4, t_max=0.05)
    rho, z = np.hypot(end.track_poses[:, 0, 0], end.track_poses[:, 0, 1]), end.track_poses[:, 0, 2]
    assert not ((rho < pot.base_radius - pot.wall_thickness) & (z < 0.5 * pot.height)).any()
    flat = np.hypot(end.track_poses[:, 0, 3], end.track_poses[:, 0, 4])
    assert (z - radius * flat - half * np.abs(end.track_poses[:, 0, 5])).min() > -1e-4
    assert end.energy_gain < 1e-3


def test_a_spinning_shot_does_not_pass_under_a_wink() -> None:
    """The same towards a large wink, which it once lifted from below."""
    radius, half, _ = SMALL_WINK
    winks = WinkStates.at_rest(np.array([[0.0, 0.0, half], [0.022, 0.0, LARGE_WINK[1]]]), [SMALL_WINK, LARGE_WINK])
    v, spin = launch_motion(radius, half, winks.n[0], 1.03, 0.23, 0.0, 121.0)
    end = simulate_winks(winks.with_motion(0, v, spin), PLAY_PARAMS, shooter=0)
    assert end.settled
    assert not any(one.lower == 0 for one in end.lies_on)
    assert end.energy_gain < 1e-3


@pytest.mark.parametrize("seed", range(4))
def test_fast_winks_do_not_pass_through_winks(seed):
    rng = np.random.default_rng(seed)
    target = stacked_winks(rng, 3)
    count = len(target.R)
    for _ in range(4):
        c = np.concatenate([[[0.0, -0.05, HALF]], target.c])
        n = np.concatenate([[UP], target.n])
        sizes = [SMALL_WINK, *zip(target.R, target.h, target.mass, strict=True)]
        end = scene_shot(WinkStates.at_rest(c, sizes, n), rng, rng.uniform(0.7, 6.0), rng.uniform(5, 70), pot=None)
        assert end.settled, (end.status, end.unsettled)
        assert end.energy_gain < 0.02
        assert resting_overlap(end.winks) < 30e-6
        assert len(end.status) == count + 1


def test_few_iterations_hold_most_piles():
    """They start from the impulses of the step before: from none, three let half of the piles shift by .03 mm."""
    shifts = []
    for seed in range(10, 20):
        settled = stacked_winks(np.random.default_rng(seed), 5)
        again = simulate_winks(settled, replace(PLAY_PARAMS, iterations=3), moving=range(5), t_max=0.5)
        shifts.append(np.abs(again.winks.c - settled.c).max())
    assert np.median(shifts) < 20e-6


@pytest.mark.parametrize("seed", range(10, 16))
def test_piles_settle_and_say_who_lies_on_whom(seed):
    rng = np.random.default_rng(seed)
    settled = stacked_winks(rng, 5)
    again = simulate_winks(settled, PLAY_PARAMS, moving=range(5))
    assert again.settled
    assert np.abs(again.winks.c - settled.c).max() < 1e-4
    assert again.lies_on, "five winks within a centimetre lie on each other"
    for lying in again.lies_on:
        assert lying.overlap > 0.01
    assert resting_overlap(settled) < 30e-6


def test_a_pile_looked_at_often_lists_who_lies_on_whom_once() -> None:
    """Each pause added its pairs to the list of the one before, in the end beyond the memory that it has."""
    rng = np.random.default_rng(11)
    c = np.array([[*rng.normal(0.0, 4e-3, 2), 2e-3 + 6e-3 * i] for i in range(5)])
    simulation = WinkSimulation(WinkStates.at_rest(c, [SMALL_WINK] * 5), PLAY_PARAMS, moving=range(5))
    for time in np.arange(0.1, 1.5, 0.02):
        simulation.run_until(time)
        pairs = [(one.upper, one.lower) for one in simulation.result().lies_on]
        assert len(set(pairs)) == len(pairs) <= 10
    assert pairs


@pytest.mark.parametrize("seed", [0, 19, 55, 103])
def test_leaning_piles_come_to_rest_as_one(seed):
    """In these the contacts flicker; frozen in parts they woke each other for ever."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 6))
    sizes = [LARGE_WINK if rng.random() < 0.3 else SMALL_WINK for _ in range(count)]
    c = [[rng.normal() * 5e-3, rng.normal() * 5e-3, 2e-3 + 6e-3 * i + 0.05 * (seed % 2)] for i in range(count)]
    end = simulate_winks(
        WinkStates.at_rest(np.array(c), sizes), PLAY_PARAMS, Cup() if seed % 2 else None, moving=range(count), t_max=4.0
    )
    assert end.settled, (end.status, end.unsettled)


def test_one_wink_on_another_tilts_as_geometry_says():
    d, t = 13e-3, 2 * HALF
    tilt = math.asin(t / d)
    c = np.array([[0.0, 0.0, HALF], [d, 0.0, HALF + RADIUS * math.sin(tilt) + 2e-4]])
    n = np.array([UP, [math.sin(tilt), 0.0, math.cos(tilt)]])
    end = simulate_winks(WinkStates.at_rest(c, [SMALL_WINK, SMALL_WINK], n), PLAY_PARAMS, moving=[1])
    assert [(one.upper, one.lower) for one in end.lies_on] == [(1, 0)]
    apart = math.hypot(*(end.winks.c[1] - end.winks.c[0])[:2])
    assert end.lies_on[0].tilt == pytest.approx(math.asin(t / apart), abs=math.radians(0.5))
    assert end.status == (Status.FLAT, Status.LEANING)


def test_a_pile_wakes_as_one_and_others_sleep_on():
    _, half, _ = SMALL_WINK
    c = np.array([[0.0, -0.05, half], [0.0, 0.0, half], [2e-3, 0.0, 3 * half], [0.3, 0.3, half]])
    winks = WinkStates.at_rest(c, [SMALL_WINK] * 4)
    v, spin = launch_motion(RADIUS, half, UP, 1.0, 0.05, math.pi / 2, 0.0)
    end = simulate_winks(winks.with_motion(0, v, spin), PLAY_PARAMS, shooter=0)
    assert end.settled
    assert (end.winks.c[1:3] != c[1:3]).any(axis=1).all()
    assert (end.winks.c[3] == c[3]).all()


def test_winks_already_potted_are_met_by_the_next():
    first = single_wink_shot(3.31, 48)
    assert first.potted
    rng = np.random.default_rng(9)
    c = np.concatenate([[[0.0, -0.914, HALF]], first.winks.c])
    n = np.concatenate([[UP], first.winks.n])
    met = potted = 0
    for _ in range(25):
        end = scene_shot(WinkStates.at_rest(c, [SMALL_WINK] * 2, n), rng, 3.33, 48)
        assert end.settled, end.status
        met += any(one.other == 1 for one in end.contacts)
        potted += end.status.count(Status.POTTED) == 2
        assert resting_overlap(end.winks) < 30e-6
    assert met
    assert potted


def test_a_shot_among_many_settles():
    rng = np.random.default_rng(11)
    for _ in range(10):
        c = np.concatenate([[[0.0, -0.914, HALF]], resting_field(rng, 24)])
        end = scene_shot(WinkStates.at_rest(c, [SMALL_WINK] * 25), rng, 3.3, 46)
        assert end.settled
        assert {one.other for one in end.contacts} & {FELT, POT}
        assert end.energy_gain < 1e-3


def test_the_mat_ends_and_time_runs_out_with_a_name() -> None:
    edge = np.array([[-0.1, -0.2], [0.1, -0.2], [0.1, 0.2], [-0.1, 0.2]])
    wink = WinkStates.at_rest(np.array([[0.0, 0.0, HALF]]), [SMALL_WINK])
    end = simulate_winks(wink.with_motion(0, np.array([2.0, 0.0, 0.0]), np.zeros(3)), PLAY_PARAMS, outline=edge)
    assert end.status == (Status.LEFT,)
    assert end.settled
    assert end.exits[0].x == pytest.approx(0.1, abs=1e-6)
    assert end.exits[0].time == pytest.approx(0.054, abs=0.01)
    end = single_wink_shot(3.3, t_max=0.2)
    assert not end.settled
    assert end.unsettled == (0,)
    assert end.potted is None
