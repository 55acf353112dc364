"""Moves are written as words and as JSON, and read back as they were."""

import pytest

from flicksim.cards import Move, parse_move
from flicksim.core.errors import InvalidInput
from flicksim.core.serialization import from_json, to_json
from flicksim.games import load

TINKLE, DOMINOES = load("tinkle").action, load("dominoes").action
WORDS = [
    (DOMINOES, "6-4 left"),
    (DOMINOES, "6-4"),
    (DOMINOES, "pass"),
    (DOMINOES, "turn-up"),
    (TINKLE, "draw"),
    (TINKLE, "tinkle 2"),
    (TINKLE, "meld KS KH 2D"),
    (TINKLE, "layoff KD JK on 3"),
    (TINKLE, "take 2D from 3"),
    (TINKLE, "move 2D from 3 to 4"),
    (TINKLE, "discard 10C"),
    (TINKLE, "keep"),
]


@pytest.mark.parametrize(("kinds", "text"), WORDS)
def test_notation_both_ways(kinds: object, text: str) -> None:
    move = parse_move(text, kinds)
    assert str(move) == text
    assert parse_move(f"  {text.upper()} ", kinds) == move
    assert from_json(to_json(move), kinds) == move  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kinds", "text", "message"),
    [
        (DOMINOES, "", "no move ''"),
        (DOMINOES, "draw", "no move 'draw'; moves are written 6-4 left, pass, turn-up"),
        (DOMINOES, "7-13", "no tile '7-13'"),
        (DOMINOES, "6-4 up", "no end 'up'"),
        (TINKLE, "meld", "no cards are named"),
        (TINKLE, "meld KS ZZ", "no card 'zz'"),
        (TINKLE, "layoff KS", "must be written layoff KD 2H on 3"),
        (TINKLE, "layoff KS on x", "'x' is not a whole number"),
        (TINKLE, "discard", "must be written discard 7C"),
        (TINKLE, "discard KS KH", "must be written discard 7C"),
        (TINKLE, "take 2D", "must be written take 2D from 3"),
        (TINKLE, "move 2D from 3", "must be written move 2D from 3 to 4"),
        (TINKLE, "tinkle x", "must be written tinkle 2"),
        (TINKLE, "keep it", "no move 'keep it'"),
        (TINKLE, "discard ²", "no card '²'"),
    ],
)
def test_what_is_no_move_is_quoted(kinds: object, text: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_move(text, kinds)
    assert message in str(caught.value)


def test_a_move_of_another_game_needs_only_a_notation() -> None:
    class Shove(Move, tag="shove", tag_field="do", frozen=True, kw_only=True):
        notation = "shove"

    assert parse_move("shove", Shove) == Shove()
    assert str(Shove()) == "shove"
    with pytest.raises(InvalidInput, match="shove"):
        parse_move("pull", Shove)
