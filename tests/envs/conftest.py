"""Fixed seeds for the tests of the environments."""

import numpy as np
import pytest
from gymnasium.utils import seeding


@pytest.fixture(autouse=True)
def _one_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spaces that nobody seeded, and games begun without a seed, draw from seed 1."""
    drawn, opened = seeding.np_random, np.random.default_rng
    monkeypatch.setattr(seeding, "np_random", lambda seed=None: drawn(1 if seed is None else seed))
    monkeypatch.setattr(np.random, "default_rng", lambda seed=None: opened(1 if seed is None else seed))
