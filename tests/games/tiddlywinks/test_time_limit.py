"""Paragraph 11: the clock, the turn played out, five rounds, and adjudication with averaged ties."""

from fractions import Fraction as F
from typing import Any

import pytest

from flicksim.games.tiddlywinks import rules, scoring
from flicksim.games.tiddlywinks.state import Clock, State
from tests.games.tiddlywinks import helpers as h

FOUR = h.FOUR


def play(state: State) -> State:
    """The seat to play moves nothing."""
    return h.shot_that_stays(state, list(FOUR)[state.to_play])


def turns_left(state: State) -> int:
    """Number of shots that move nothing until the game is over."""
    count = 0
    while rules.to_play(state) is not None:
        state = play(state)
        count += 1
        assert count < 100
    return count


def test_twenty_minutes() -> None:
    """TW-11a: by the game's own clock, which shots and its keeper advance, from the first squidge into play."""
    state = h.state_from_position(FOUR)
    assert state.options.time_limit_s == 1200.0
    assert play(state).book.clock == 15.0
    early, _ = h.apply_action(state, Clock(seconds=1199.9))
    assert early.book.laps is None
    late, verdict = h.apply_action(state, Clock(seconds=1200.0))
    assert late.book.laps is not None
    assert h.cites_rule(verdict, "TW-11b")
    assert h.refusal(h.initial_state(), Clock(seconds=1.0)) == "TW-11a"
    off, _ = h.apply_action(h.state_from_position(FOUR, options={"time_limit_s": None}), Clock(seconds=80000.0))
    assert off.book.laps is None


@pytest.mark.parametrize(("to_play", "turns"), [("red", 1), ("blue", 3), ("green", 2), ("yellow", 4)])
def test_until_the_opener_has_had_his_turn(to_play: str, turns: int) -> None:
    """TW-11b: the running turn and on to the end of the opener's; in his own turn that is the one, after it a lap."""
    state, _ = h.apply_action(h.state_from_position(FOUR, to_play, opener="red"), Clock(seconds=1200.0))
    for _ in range(turns):
        assert state.book.laps == 6
        state = play(state)
    assert state.book.laps == 5
    assert state.to_play == h.YELLOW


def test_then_five_rounds() -> None:
    """TW-11c: 20 turns, ending with the opener's; another number by option; passed turns count as had."""
    state, _ = h.apply_action(h.state_from_position(FOUR, "red", opener="red"), Clock(seconds=1200.0))
    assert turns_left(state) == 1 + 20
    for rounds in (0, 2):
        short, _ = h.apply_action(
            h.state_from_position(FOUR, "red", opener="red", options={"rounds": rounds}), Clock(seconds=1200.0)
        )
        assert turns_left(short) == 1 + 4 * rounds
    covered = {**FOUR, **h.potted_except("red", "red-3"), "green-4": (-203, 0)}
    passing, _ = h.apply_action(h.state_from_position(covered, "blue", opener="red"), Clock(seconds=1200.0))
    assert turns_left(passing) == 2 + 15


def adjudicated(winks: dict[str, Any], **options: Any) -> tuple[State, Any]:
    """The last shot of the last round moves nothing."""
    state = h.state_from_position(winks, "blue", opener="blue", laps=1, options=options)
    return h.shot(state, "blue-3").judged()


def test_adjudicated_when_nobody_is_out() -> None:
    """TW-11d, TW-11j: by the totals as the winks lie; four level players have 7/4 each and both pairs 7/2."""
    after, verdict = adjudicated({**FOUR, "blue-4": "pot"})
    assert h.cites_rule(verdict, "TW-11d")
    assert rules.to_play(after) is None
    assert rules.legal_actions(after).flicks == ()
    assert h.refusal(after, Clock(seconds=1.0)) == "TW-11d"
    level, verdict = adjudicated(FOUR)
    assert h.cites_rule(verdict, "TW-11j")
    assert level.book.points == (F(7, 4),) * 4
    assert rules.leaders(level) == (h.BLUE, h.GREEN, h.RED, h.YELLOW)


@pytest.mark.parametrize(
    ("winks", "options", "points"),
    [
        ({**FOUR, "green-4": "pot", "green-5": "pot"}, {}, (1, 7, 1, 1)),
        ({**FOUR, "red-4": (203, 0)}, {}, (0, 1, 2, 1)),
        ({"blue-3": (200, 0)}, {}, (1, 0, 0, 0)),
        ({"blue-3": (200, 0)}, {"behind_counts": True}, (6, 6, 6, 6)),
    ],
)
def test_three_for_a_potted_wink_and_one_for_a_wink_in_play(
    winks: dict[str, Any], options: dict[str, Any], points: tuple[int, ...]
) -> None:
    """TW-11e, TW-11f: for its owner; a squopping wink counts, a squopped one and one behind the line do not."""
    state = h.state_from_position(winks, options=options)
    assert scoring.time_limit_points(state.options, state.scene, state.book) == points


@pytest.mark.parametrize(
    ("winks", "points"),
    [
        ({"blue-4": "pot", "red-4": "pot", "green-4": "pot", "green-5": "pot"}, (F(3, 2), 4, F(3, 2), 0)),
        ({"yellow-4": "pot", "yellow-5": "pot", "green-4": "pot", "blue-4": (300, 0)}, (1, 2, 0, 4)),
    ],
)
def test_rank_gives_four_two_one_nothing(winks: dict[str, Any], points: tuple[Any, ...]) -> None:
    """TW-11g, TW-11h, TW-11i: by each player's own falling total; then partners add, and nothing changes hands."""
    after, verdict = adjudicated({**FOUR, **winks})
    assert after.book.points == points
    assert scoring.pair_points(after.book.points) == (points[0] + points[2], points[1] + points[3])
    assert not h.cites_rule(verdict, "TW-5f")


@pytest.mark.parametrize(("found", "points"), [
    ((5, 5, 2, 1), (3, 3, 1, 0)),
    ((5, 5, 5, 1), (F(7, 3), F(7, 3), F(7, 3), 0)),
    ((4, 4, 4, 4), (F(7, 4), F(7, 4), F(7, 4), F(7, 4))),
    ((9, 5, 5, 1), (4, F(3, 2), F(3, 2), 0)),
    ((9, 5, 5, 5), (4, 1, 1, 1)),
    ((9, 5, 1, 1), (4, 2, F(1, 2), F(1, 2))),
    ((5, 1, 5, 1), (3, F(1, 2), 3, F(1, 2))),
])  # fmt: skip
def test_ties_share_the_average(found: tuple[int, ...], points: tuple[Any, ...]) -> None:
    """TW-11j: exact fractions, always 7 together."""
    given = scoring.by_place(scoring.rank_by_total(found))
    assert given == points
    assert sum(given) == 7
