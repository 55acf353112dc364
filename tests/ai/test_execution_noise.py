"""Execution noise of people by hold time."""

import numpy as np
import pytest

from flicksim.ai import GRADES, NO_NOISE, ExecutionNoise, hold_time_noise_factor
from flicksim.core.errors import InvalidValue
from flicksim.scene import Flick, Squidge

MEANT = Flick(piece="a", speed=1.5, azimuth=1.2)


@pytest.mark.parametrize(("held", "times"), [(0.0, 1.5), (0.5, 1.15), (1.0, 0.8), (1.9, 0.8), (3.5, 1.15), (60.0, 1.5)])
def test_hold_time_noise_factor(held: float, times: float) -> None:
    assert hold_time_noise_factor(held) == pytest.approx(times)


@pytest.mark.parametrize("grade", GRADES)
def test_scaled_noise_is_measured(grade: str) -> None:
    """Measured over 4,000 flicks; a steady player comes to the grade, and every grade passes the one below it."""
    hand = GRADES[grade]
    for times in (0.8, 1.0, 1.5):
        rng = np.random.Generator(np.random.PCG64(1))
        made = [hand.scaled(times).execute(MEANT, rng) for _ in range(4000)]
        assert np.std([one.azimuth for one in made]) == pytest.approx(times * hand.azimuth, rel=0.05)
        assert np.std([one.speed / MEANT.speed for one in made]) == pytest.approx(times * hand.speed, rel=0.05)
    assert hand.scaled(1.5).free_launcher_factor == hand.free_launcher_factor


@pytest.mark.parametrize(("speed", "error"), [(0.5, 0.054), (1.0, 0.054), (3.0, 0.054), (6.0, 0.108)])
def test_a_gentle_squidge_errs_as_much_as_one_of_3_m_s(speed: float, error: float) -> None:
    """The error [m/s] of a club player, 1.8 %, over 4,000 squidges; many at once are executed alike."""
    hand, rng = GRADES["club"], np.random.Generator(np.random.PCG64(1))
    meant = Squidge(piece="a", speed=speed, azimuth=1.2, elevation=0.9, tumble=60.0)
    made = [hand.execute(meant, rng) for _ in range(4000)]
    assert np.std([one.speed for one in made]) == pytest.approx(error, rel=0.05)
    assert hand.speed_and_azimuth_std(meant) == pytest.approx((error / speed, hand.azimuth))
    draws = np.random.Generator(np.random.PCG64(1)).standard_normal((4000, 4))
    intended = [np.full(4000, value) for value in (speed, 1.2, 0.9, 60.0)]
    executed = np.array(hand.execute_squidges(draws, *intended)).T
    assert [(one.speed, one.azimuth, one.elevation, one.tumble) for one in made] == [tuple(row) for row in executed]


def test_zero_noise_scales_to_zero() -> None:
    assert NO_NOISE.scaled(1.5) == NO_NOISE


def test_an_impossible_error_is_refused() -> None:
    with pytest.raises(InvalidValue, match="speed -1 of a hand must lie in 0 to"):
        ExecutionNoise(speed=-1, azimuth=0)
