"""Tests of whole games of Penny White between random players, with every option."""

import pytest

from flicksim.games.penny_white import GAME
from flicksim.match import open_match, parse_seat
from flicksim.referee import parse_options
from flicksim.scene import Flick, Trajectory
from tests.matches import new_match


@pytest.mark.parametrize(
    "words",
    [
        ["jack_mode=beginner", "short_penny=removed", "removal_scope=any"],
        ["off_rule=overhang", "line_touch=over", "tie=replay", "game_tie=extra_end", "restart_cap=1"],
        ["coin=old_penny", "board=chalked", "pennies=12", "ends=1", "restart_cap=2"],
        ["coin_diameter_mm=45", "off_rule=overhang", "board=slate", "ends=2", "restart_cap=1"],
        ["coin=us_cent", "board_mm=100,650", "pennies=6", "ends=2", "restart_cap=3", "removals_per_coin=false"],
        ["coin=2p", "board=wood", "jack_mode=beginner", "jack_measure=centre", "first=second", "ends=3"],
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_option_value_is_played_to_the_end(words: list[str], seed: int) -> None:
    options = parse_options(GAME, words)
    match = open_match(GAME, options, [parse_seat("random")] * 2, seed)
    for turn in match.run():
        after = turn.after
        assert after.scene.problems() == []
        assert all(0 <= left <= options.pennies for left in after.left)  # type: ignore[attr-defined]
        if isinstance(turn.made, Flick):
            assert isinstance(turn.result, Trajectory)
        assert turn.number < 3000
    assert match.is_over


def test_bots_play_a_short_game_by_the_rules() -> None:
    match = new_match("penny-white", "bot:beginner", "bot:expert/beginner", seed=3, ends=1, pennies=2)
    for turn in match.run():
        assert turn.number < 200
    assert match.is_over
