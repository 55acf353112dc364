"""Fuzz test of random squidges: no physically impossible result."""

import math

import numpy as np
import pytest

from flicksim.engine.winks import LARGE_WINK, PLAY_PARAMS, SMALL_WINK, Cup, WinkStates, launch_motion, simulate_winks
from tests.engine.winks.fuzz import problems


@pytest.mark.parametrize("seed", range(6))
def test_nothing_impossible_comes_of_any_squidge(seed: int) -> None:
    """In piles, leaning, in the pot, at its wall and on its rim, eight shots one after another."""
    assert problems(np.random.default_rng(seed), 8) == []


def test_impossible_results_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing allowed to be as deep as a resting contact is, and no time, there is something to say."""
    monkeypatch.setattr("tests.engine.winks.fuzz.MAX_PENETRATION", -1e-3)
    monkeypatch.setattr("tests.engine.winks.fuzz.MAX_DURATION", 0.05)
    said = " ".join(problems(np.random.default_rng(0), 2))
    assert "still moved" in said
    monkeypatch.setattr("tests.engine.winks.fuzz.MAX_DURATION", 40.0)
    assert "below the ground" in " ".join(problems(np.random.default_rng(0), 2))


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
