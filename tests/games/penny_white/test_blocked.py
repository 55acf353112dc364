"""Coins that stopped short leave no spot behind the 5 cm line: the rulebook is silent (PW-5a), so an option says."""

import msgspec
import pytest

from flicksim.ai import GRADES, evaluate
from flicksim.core.errors import IllegalAction, InvalidOption
from flicksim.games.penny_white import GAME, rules
from flicksim.games.penny_white.legal_actions import find_free_start
from flicksim.games.penny_white.rules import Blocked, State
from flicksim.match import GameRolloutModel, PhysicsSimulator, open_match, parse_seat
from flicksim.referee import parse_options
from tests.games.penny_white.helpers import BLUE, RED, apply_action, flick_and_judge, options, state

WIDE = {"coin_diameter_mm": 60.0, "board_mm": (100.0, 650.0)}


def full(**more: object) -> State:
    """A coin as wide as the start area is deep lies in the middle of a narrow board; Blue is to flick."""
    return state(options(**WIDE, **more), white=(50.0, 575.0), red_1=(50.0, 19.0), left=(4, 3))


def test_pw_5a_a_penny_without_a_free_spot_is_forfeited() -> None:
    """PW-5a: and none while a spot is free."""
    before = full()
    assert find_free_start(before) is None
    assert rules.legal_actions(before).actions == (Blocked(),)
    verdict, after = apply_action(before, Blocked())
    assert verdict.rule_ids == ("PW-5a",)
    assert (after.left, after.to_play, after.scene) == ((3, 3), RED, before.scene)
    with pytest.raises(IllegalAction, match="PW-5a"):
        rules.check_action(state(), Blocked())


def test_pw_5a_or_the_coins_that_fill_it_are_lifted() -> None:
    verdict, after = apply_action(full(blocked_start="lift"), Blocked())
    assert verdict.rule_ids == ("PW-5a",)
    assert not after.scene.has("red-1")
    assert (after.left, after.to_play) == ((4, 3), BLUE)
    flick_and_judge(after)


@pytest.mark.parametrize("rule", ["forfeit", "lift"])
def test_pw_5a_wide_coins_on_a_narrow_board_still_come_to_an_end(rule: str) -> None:
    given = parse_options(GAME, {**WIDE, "pennies": 12, "ends": 1, "blocked_start": rule})
    for seed in range(3):
        match = open_match(GAME, given, [parse_seat("random")] * 2, seed)
        list(match.run())
        assert match.is_over


def test_pw_x3_coins_too_wide_for_the_start_area_are_refused() -> None:
    with pytest.raises(InvalidOption, match="leaves no room"):
        parse_options(GAME, ["coin_diameter_mm=60", "off_rule=overhang"])
    given = parse_options(GAME, ["coin_diameter_mm=50", "off_rule=overhang", "ends=1"])
    match = open_match(GAME, given, [parse_seat("random")] * 2, 1)
    list(match.run())
    assert match.is_over


def test_pw_5a_a_blocked_penny_is_valued_by_the_table_without_it() -> None:
    """Blue's last penny of the last end has no spot, and Red's lies alone: Red takes the end, whatever hands do."""
    before = full(ends=1)
    before = msgspec.structs.replace(before, left=(1, 0), end=1, phase="penny")
    rollout_model = GameRolloutModel(GAME, PhysicsSimulator())
    assert rollout_model.top_candidates(before, 8) == [Blocked()]
    weighed = evaluate(rollout_model, GRADES["club"], before, BLUE, 1, 400)
    assert (weighed.best[0].action, weighed.value.win_probability, weighed.value.point_margin) == (Blocked(), 0.0, -1.0)
