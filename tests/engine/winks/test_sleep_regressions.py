"""Regression tests of shots that once did not come to rest, or gained energy: winks jammed in the pot, piles."""

import numpy as np
import pytest
from wink_shots import stored_shot

from flicksim.engine import Settings, simulate
from flicksim.engine.squidge import simulate_flight
from flicksim.engine.wink_scenes import wink_states
from flicksim.engine.winks.bodies import make_bodies
from flicksim.engine.winks.integrator import ENERGY_TOLERANCE
from flicksim.engine.winks.separation import separation


@pytest.mark.parametrize(("name", "potted"), [("jammed", ["green-1", "green-2"]), ("creeping", ["yellow-1"])])
def test_they_rest_soon_and_clear_of_each_other(name: str, potted: list[str]) -> None:
    """Winks that were not pushed apart along the way they overlap least turned through each other for ever; whatever
    those jammed in the pot do to each other in there, both are potted in the end."""
    motion = simulate(*stored_shot(name))
    assert motion.duration < 2.0
    assert not motion.after.problems()
    assert [piece.id for piece in motion.after.pieces if piece.support == "pot"] == potted
    w = wink_states(motion.after)
    b = make_bodies(w.c, w.v, w.n, w.L, w.R, w.h, w.mass, np.zeros(len(w.R)))
    pairs = np.zeros((len(b), len(b), 4))
    assert min(separation(b, i, j, pairs) for j in range(len(b)) for i in range(j)) > -5e-6


def test_a_squidge_into_a_pile_brings_no_energy() -> None:
    """It once brought .26 J/kg: a contact that had lost a part of its depth pushed too evenly as it parted."""
    flight, _ = simulate_flight(*stored_shot("energy_gain"), Settings())
    assert flight.settled
    assert flight.energy_gain < 1.01 * ENERGY_TOLERANCE
