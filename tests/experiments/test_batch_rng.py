"""Batch samples equal those of each shot's own stream."""

import numpy as np
import pytest

from flicksim.core.random_streams import RandomStreams
from flicksim.experiments import ParameterSpec, batch_rng
from flicksim.experiments.batch_rng import STANDARD_NORMAL, draw_batch

DISTRIBUTIONS = (
    ParameterSpec(uniform=(0.1, 0.3)), ParameterSpec(normal=(2.0, 0.5), truncate=(1.8, 3.0)), STANDARD_NORMAL,
    ParameterSpec(normal=(-1.0, 0.2)),
)  # fmt: skip


@pytest.mark.parametrize("seed", [0, 7, 2**63, 10**60])
@pytest.mark.parametrize("first", [0, 98, 999_995])
def test_every_row_equals_its_own_stream(seed: int, first: int) -> None:
    found = draw_batch(RandomStreams(seed=seed), "shot", first, first + 30, DISTRIBUTIONS)
    for row in range(30):
        rng = RandomStreams(seed=seed).spawn("shot", first + row).generator()
        even, cut = rng.uniform(0.1, 0.3), rng.normal(2.0, 0.5)
        while not 1.8 <= cut <= 3.0:
            cut = rng.normal(2.0, 0.5)
        assert found[row].tolist() == [even, cut, rng.standard_normal(), rng.normal(-1.0, 0.2)]


def test_an_unknown_state_layout_falls_back_to_generators(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = draw_batch(RandomStreams(seed=3), "shot", 0, 20, DISTRIBUTIONS)
    monkeypatch.setattr(batch_rng, "_state_array", lambda _rng: None)
    assert np.array_equal(draw_batch(RandomStreams(seed=3), "shot", 0, 20, DISTRIBUTIONS), usual)
