"""An instant by itself: who is said to hit does, nobody else, and nothing is carried from one into the next."""

from __future__ import annotations

import pytest

from flicksim.physics import Settings
from flicksim.physics.impact import Impacts, State
from flicksim.table import PAIRINGS, Piece

RADIUS = 0.01
PIECES = tuple(
    Piece(id=name, kind="penny", x=0.0, y=0.0, radius=RADIUS, mass=0.0036, material="bronze") for name in "ab"
)


def states(speed: float) -> dict[int, State]:
    """One disc that meets another, which rests, head on."""
    return {0: (0.0, 0.0, 0.0, speed, 0.0, 0.0), 1: (2.0 * RADIUS, 0.0, 0.0, 0.0, 0.0, 0.0)}


def test_a_pair_that_closes_parts_with_the_restitution_of_its_materials() -> None:
    after = Impacts(PIECES, Settings()).resolve(states(1.0), {(0, 1): 1.0})
    e = PAIRINGS.of("bronze", "bronze").restitution_at(1.0)
    assert after[0] == pytest.approx(((1.0 - e) / 2.0, 0.0, 0.0), abs=1e-6)
    assert after[1] == pytest.approx(((1.0 + e) / 2.0, 0.0, 0.0), abs=1e-6)


def test_a_pair_that_is_not_named_is_left_alone() -> None:
    assert Impacts(PIECES, Settings()).resolve(states(1.0), {}) == {0: (1.0, 0.0, 0.0), 1: (0.0, 0.0, 0.0)}


def test_nothing_of_one_impact_is_carried_into_the_next() -> None:
    used = Impacts(PIECES, Settings())
    used.resolve(states(3.0), {(0, 1): 3.0})
    assert used.resolve(states(1.0), {(0, 1): 1.0}) == Impacts(PIECES, Settings()).resolve(states(1.0), {(0, 1): 1.0})
