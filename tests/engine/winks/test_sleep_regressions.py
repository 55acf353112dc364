"""Regression tests of shots that once did not come to rest: two winks jammed in the pot, a creeping pile."""

import json
from pathlib import Path

import numpy as np
import pytest

from flicksim.core.serialization import from_builtins
from flicksim.engine import simulate
from flicksim.engine.wink_scenes import wink_states
from flicksim.engine.winks.bodies import make_bodies
from flicksim.engine.winks.separation import separation
from flicksim.scene import Scene, Squidge


def _load_shots(name: str) -> tuple[Scene, Squidge]:
    stored = json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))
    return from_builtins(stored["scene"], Scene), from_builtins(stored["squidge"], Squidge)


def test_winks_jammed_in_the_pot_come_to_rest() -> None:
    """Whatever they do to each other in there, both are potted in the end, and the scene can lie so."""
    scene, squidge = _load_shots("jammed")
    after = simulate(scene, squidge).after
    assert [after.piece(name).support for name in ("green-1", "green-2")] == ["pot", "pot"]
    assert not after.problems()


@pytest.mark.parametrize("name", ["jammed", "creeping"])
def test_they_rest_soon_and_clear_of_each_other(name: str) -> None:
    """Winks that were not pushed apart along the way they overlap least turned through each other for ever."""
    motion = simulate(*_load_shots(name))
    assert motion.duration < 2.0
    w = wink_states(motion.after)
    b = make_bodies(w.c, w.v, w.n, w.L, w.R, w.h, w.mass, np.zeros(len(w.R)))
    pairs = np.zeros((len(b), len(b), 4))
    assert min(separation(b, i, j, pairs) for j in range(len(b)) for i in range(j)) > -5e-6
