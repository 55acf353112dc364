"""Squidges nobody would think of: nothing impossible may come of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from flicksim.physics.flight import LARGE, PLAY, SMALL, Pot, Winks, fly, launch
from tests.physics.flight.fuzz import complaints


@pytest.mark.parametrize("seed", range(6))
def test_nothing_impossible_comes_of_any_squidge(seed: int) -> None:
    """In piles, leaning, in the pot, at its wall and on its rim, eight shots one after another."""
    assert complaints(np.random.default_rng(seed), 8) == []


def test_impossible_things_are_complained_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing allowed to be as deep as a resting contact is, and no time, there is something to say."""
    monkeypatch.setattr("tests.physics.flight.fuzz.DEEP", -1e-3)
    monkeypatch.setattr("tests.physics.flight.fuzz.LAST", 0.05)
    said = " ".join(complaints(np.random.default_rng(0), 2))
    assert "still moved" in said
    monkeypatch.setattr("tests.physics.flight.fuzz.LAST", 40.0)
    assert "below the ground" in " ".join(complaints(np.random.default_rng(0), 2))


def test_a_spinning_shot_does_not_pass_under_the_pot() -> None:
    """Low and with more spin than rise, from just beside the wall: it once sank five millimetres and came up inside."""
    pot = Pot()
    radius, half, _ = SMALL
    wink = Winks.at_rest(np.array([[pot.top + 6.3e-3, 0.0, half]]), [SMALL])
    v, spin = launch(radius, half, wink.n[0], 1.04, 0.17, math.pi, -110.0)
    end = fly(wink.moved(0, v, spin), PLAY, pot, shooter=0, record=1e-4, t_max=0.05)
    rho, z = np.hypot(end.track[:, 0, 0], end.track[:, 0, 1]), end.track[:, 0, 2]
    assert not ((rho < pot.base - pot.wall) & (z < 0.5 * pot.height)).any()
    flat = np.hypot(end.track[:, 0, 3], end.track[:, 0, 4])
    assert (z - radius * flat - half * np.abs(end.track[:, 0, 5])).min() > -1e-4
    assert end.energy_gain < 1e-3


def test_a_spinning_shot_does_not_pass_under_a_wink() -> None:
    """The same towards a large wink, which it once lifted from below."""
    radius, half, _ = SMALL
    winks = Winks.at_rest(np.array([[0.0, 0.0, half], [0.022, 0.0, LARGE[1]]]), [SMALL, LARGE])
    v, spin = launch(radius, half, winks.n[0], 1.03, 0.23, 0.0, 121.0)
    end = fly(winks.moved(0, v, spin), PLAY, shooter=0)
    assert end.settled
    assert not any(one.lower == 0 for one in end.lies_on)
    assert end.energy_gain < 1e-3
