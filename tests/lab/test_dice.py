"""The dice of many shots are the dice of each."""

from __future__ import annotations

import numpy as np
import pytest

from flicksim.base.seeding import Seeds
from flicksim.lab import dice
from flicksim.lab.dice import Normal, Uniform, drawn

PLAN = (Uniform(0.1, 0.3), Normal(2.0, 0.5, 1.8, 3.0), Normal(), Normal(-1.0, 0.2))


@pytest.mark.parametrize("seed", [0, 7, 2**63, 10**60])
@pytest.mark.parametrize("first", [0, 98, 999_995])
def test_every_row_is_what_its_own_stream_gives(seed: int, first: int) -> None:
    found = drawn(Seeds(seed=seed), "shot", first, first + 30, PLAN)
    for row in range(30):
        rng = Seeds(seed=seed).child("shot", first + row).generator()
        even, cut = rng.uniform(0.1, 0.3), rng.normal(2.0, 0.5)
        while not 1.8 <= cut <= 3.0:
            cut = rng.normal(2.0, 0.5)
        assert found[row].tolist() == [even, cut, rng.standard_normal(), rng.normal(-1.0, 0.2)]


def test_a_numpy_that_keeps_its_state_elsewhere_is_asked_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = drawn(Seeds(seed=3), "shot", 0, 20, PLAN)
    monkeypatch.setattr(dice, "_state_of", lambda _rng: None)
    assert np.array_equal(drawn(Seeds(seed=3), "shot", 0, 20, PLAN), usual)
