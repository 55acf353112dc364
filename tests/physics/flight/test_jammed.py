"""Shots that once never came to rest, or hardly: two winks jammed into each other in the pot, a pile that crept."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from flicksim.base.codec import from_plain
from flicksim.physics import settle
from flicksim.physics.flight.apart import apart
from flicksim.physics.flight.bodies import bodies
from flicksim.physics.squidge import winks_of
from flicksim.table.flick import Squidge
from flicksim.table.scene import Scene


def _kept(name: str) -> tuple[Scene, Squidge]:
    kept = json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))
    return from_plain(kept["scene"], Scene), from_plain(kept["squidge"], Squidge)


def test_winks_jammed_in_the_pot_come_to_rest() -> None:
    """Whatever they do to each other in there, both are potted in the end, and the scene can lie so."""
    scene, squidge = _kept("jammed")
    after = settle(scene, squidge).after
    assert [after.piece(name).support for name in ("green-1", "green-2")] == ["pot", "pot"]
    assert not after.problems()


@pytest.mark.parametrize("name", ["jammed", "creeping"])
def test_they_rest_soon_and_clear_of_each_other(name: str) -> None:
    """Winks that were not pushed apart along the way they overlap least turned through each other for ever."""
    motion = settle(*_kept(name))
    assert motion.duration < 2.0
    w = winks_of(motion.after)
    b = bodies(w.c, w.v, w.n, w.L, w.R, w.h, w.mass, np.zeros(len(w.R)))
    pairs = np.zeros((len(b), len(b), 4))
    assert min(apart(b, i, j, pairs) for j in range(len(b)) for i in range(j)) > -5e-6
