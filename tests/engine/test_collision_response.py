"""Tests of the collision response: only the named pairs collide, and no state is kept between impacts."""

import pytest

from flicksim.engine import Settings
from flicksim.engine.collision_response import DiscState, ImpactSolver
from flicksim.scene import DEFAULT_PAIRINGS, Piece

RADIUS = 0.01
PIECES = tuple(
    Piece(id=name, kind="penny", x=0.0, y=0.0, radius=RADIUS, mass=0.0036, material="bronze") for name in "ab"
)


def states(speed: float) -> dict[int, DiscState]:
    """States of a disc in a head-on collision with one at rest."""
    return {0: (0.0, 0.0, 0.0, speed, 0.0, 0.0), 1: (2.0 * RADIUS, 0.0, 0.0, 0.0, 0.0, 0.0)}


def test_a_pair_that_closes_parts_with_the_restitution_of_its_materials() -> None:
    after = ImpactSolver(PIECES, Settings()).resolve(states(1.0), {(0, 1): 1.0})
    e = DEFAULT_PAIRINGS.lookup("bronze", "bronze").restitution_at(1.0)
    assert after[0] == pytest.approx(((1.0 - e) / 2.0, 0.0, 0.0), abs=1e-6)
    assert after[1] == pytest.approx(((1.0 + e) / 2.0, 0.0, 0.0), abs=1e-6)


def test_a_gentle_touch_is_taken_up_without_loss_and_a_pair_that_is_not_named_does_not_collide() -> None:
    """Twice the threshold is the last such speed; above it the restitution is that of the materials."""
    threshold = Settings().elastic_threshold
    for speed, e in (
        (2.0 * threshold, 1.0),
        (2.1 * threshold, DEFAULT_PAIRINGS.lookup("bronze", "bronze").restitution_at(2.1 * threshold)),
    ):
        after = ImpactSolver(PIECES, Settings()).resolve(states(speed), {(0, 1): speed})
        assert after[0][0] == pytest.approx(speed * (1.0 - e) / 2.0, abs=1e-3 * speed)
        assert after[1][0] == pytest.approx(speed * (1.0 + e) / 2.0, rel=1e-3)
    assert ImpactSolver(PIECES, Settings()).resolve(states(1.0), {}) == {0: (1.0, 0.0, 0.0), 1: (0.0, 0.0, 0.0)}


def test_nothing_of_one_impact_is_carried_into_the_next() -> None:
    used = ImpactSolver(PIECES, Settings())
    used.resolve(states(3.0), {(0, 1): 3.0})
    assert used.resolve(states(1.0), {(0, 1): 1.0}) == ImpactSolver(PIECES, Settings()).resolve(
        states(1.0), {(0, 1): 1.0}
    )


def test_many_pairs_at_once_give_the_same_in_any_order() -> None:
    names = "abcdef"
    row = tuple(
        Piece(id=name, kind="penny", x=0.0, y=0.0, radius=RADIUS, mass=0.0036, material="bronze") for name in names
    )
    at = [(RADIUS * k, RADIUS * 3**0.5 * (k % 2)) for k in range(6)]
    begin = {i: (*at[i], 0.0, 1.3 if i == 0 else 0.0, 0.0, 0.0) for i in range(6)}
    touching = {
        (i, j): 1.0
        for i in range(6)
        for j in range(i + 1, 6)
        if (at[i][0] - at[j][0]) ** 2 + (at[i][1] - at[j][1]) ** 2 < (2.1 * RADIUS) ** 2
    }
    assert len(touching) == 9
    there = ImpactSolver(row, Settings()).resolve(begin, touching)
    swap = [3, 5, 0, 4, 1, 2]  # the same discs by other numbers, put in and paired in another order
    turned = {swap[i]: begin[i] for i in reversed(range(6))}
    pairs = {(min(swap[i], swap[j]), max(swap[i], swap[j])): v for (i, j), v in reversed(touching.items())}
    other = ImpactSolver(row, Settings()).resolve(turned, pairs)
    for i in range(6):
        assert other[swap[i]] == pytest.approx(there[i], abs=1e-9)
