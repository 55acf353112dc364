"""Tests of state evaluation of Ice Tiddly Winks: known values, and monotonicity in the missiles in hand."""

from collections.abc import Sequence

import pytest
from ice_helpers import pyramid, running_state

from flicksim.ai import GRADES, NO_NOISE
from flicksim.games.ice import GAME
from flicksim.games.ice.bot import evaluate_state, expected_missile_points
from flicksim.games.ice.state import State
from flicksim.match import GameRolloutModel, PhysicsSimulator

RED, YELLOW = 0, 1
CLUB = GRADES["club"]


def table(standing: Sequence[str], hands: dict[int, tuple[str, ...]] | None = None, seats: int = 2) -> State:
    """Upright pieces side by side, and what is still in hand."""
    pieces = [pyramid(name, (0.25 + 0.07 * k, 0.4)) for k, name in enumerate(standing)]
    return running_state(seats, pieces, hands)


def chance(state: State, seat: int = RED, hand: str = "club") -> float:
    return evaluate_state(state, state, seat, GRADES[hand])[0]


@pytest.mark.parametrize(
    ("standing", "red"),
    [(("red-large-1", "yellow-small-1"), 1.0), (("red-small-1", "yellow-large-1"), 0.0),
     (("red-small-1", "yellow-small-1"), 0.5), ((), 0.5)],
)  # fmt: skip
def test_when_nothing_is_in_hand_what_stands_decides(standing: tuple[str, ...], red: float) -> None:
    assert chance(table(standing)) == red
    assert chance(table(standing), YELLOW) == 1.0 - red


def test_a_last_missile_wins_as_often_as_it_must() -> None:
    """Red is a point behind with a small one left: standing it is level, or ahead on something that lies."""
    state = table(("yellow-small-1",), {RED: ("red-small-1",)})
    stands = expected_missile_points(CLUB)["small"]
    assert chance(state) == pytest.approx((0.9 * stands + 0.1 * stands) / 2.0, abs=0.05)
    assert chance(table(("yellow-large-1",), {RED: ("red-small-1",)})) == 0.0, "even doubled it counts two of three"
    assert chance(table(("red-large-1", "red-large-2"), {YELLOW: ("yellow-medium-1",)})) == 1.0


def test_win_probability_is_even_when_level_and_grows_with_missiles_in_hand() -> None:
    hands = {
        seat: tuple(f"{colour}-medium-{k}" for k in range(1, 5)) for seat, colour in ((RED, "red"), (YELLOW, "yellow"))
    }
    assert chance(table((), hands)) == pytest.approx(0.5)
    less = {**hands, YELLOW: hands[YELLOW][:2]}
    assert 0.5 < chance(table((), less)) < 1.0
    assert chance(table((), less)) + chance(table((), less), YELLOW) == pytest.approx(1.0)


def test_expected_points_grow_with_precision_and_are_interpolated() -> None:
    for size in ("small", "medium", "large"):
        worths = [expected_missile_points(GRADES[hand])[size] for hand in GRADES]
        assert worths == sorted(worths)
        assert expected_missile_points(NO_NOISE)[size] == worths[-1]


def test_evaluation_counts_missiles_of_other_seats() -> None:
    """Only Red's launch is settled; Yellow's five large missiles are not forgotten."""
    yellow = tuple(f"yellow-large-{k}" for k in range(1, 5))
    alone = table(("red-small-2",), {RED: ("red-small-1",)})
    against = table(("red-small-2",), {RED: ("red-small-1",), YELLOW: yellow})
    rollout_model = GameRolloutModel(GAME, PhysicsSimulator())
    found = [
        rollout_model.rollout(state, RED, rollout_model.top_candidates(state, 1), CLUB, 6, 1).win_probability
        for state in (alone, against)
    ]
    assert (found[0] >= 0.5).all()
    assert found[1].max() < 0.9
    assert found[1].mean() < found[0].mean()
