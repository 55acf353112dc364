"""A person's hand: how well it makes what was meant, by how long it has held its aim."""

from __future__ import annotations

import numpy as np
import pytest

from flicksim.ai import GRADES, NO_NOISE, hold_time_noise_factor
from flicksim.scene import Flick

MEANT = Flick(piece="a", speed=1.5, azimuth=1.2)


@pytest.mark.parametrize(("held", "times"), [(0.0, 1.5), (0.5, 1.15), (1.0, 0.8), (1.9, 0.8), (3.5, 1.15), (60.0, 1.5)])
def test_a_hand_grows_calm_within_a_second_and_tires_after_two(held: float, times: float) -> None:
    assert hold_time_noise_factor(held) == pytest.approx(times)


@pytest.mark.parametrize("grade", GRADES)
def test_errors_of_a_hand_are_so_many_times_as_large(grade: str) -> None:
    """Measured over 4,000 flicks; a steady player comes to the grade, and every grade passes the one below it."""
    hand = GRADES[grade]
    for times in (0.8, 1.0, 1.5):
        rng = np.random.Generator(np.random.PCG64(1))
        made = [hand.scaled(times).execute(MEANT, rng) for _ in range(4000)]
        assert np.std([one.azimuth for one in made]) == pytest.approx(times * hand.azimuth, rel=0.05)
        assert np.std([one.speed / MEANT.speed for one in made]) == pytest.approx(times * hand.speed, rel=0.05)
    assert hand.scaled(1.5).free_launcher_factor == hand.free_launcher_factor


def test_a_steady_hand_stays_exact() -> None:
    assert NO_NOISE.scaled(1.5) == NO_NOISE
