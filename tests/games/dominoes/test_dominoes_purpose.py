"""Purposes of moves at dominoes, on a round for each."""

import msgspec
import pytest

from flicksim.cards import parse_move
from flicksim.games.dominoes import GAME, purpose
from tests.games.dominoes.domino_helpers import AMERICAN, state_from_text


def _purpose_of(hand: str, move: str, *, lacks: tuple[int, ...] = (), line: str = "", **given: object) -> str | None:
    """Purpose in words of a move of Ann, where Bob holds two tiles and lacks numbers."""
    state = state_from_text([hand, "6-0 5-1"], line=line, **given)  # type: ignore[arg-type]
    state = msgspec.structs.replace(state, lacks=((), lacks))
    found = purpose.purpose_of_aim(GAME.rules.view(state, 0), parse_move(move, GAME.action))
    return None if found is None else purpose.describe(*found)


@pytest.mark.parametrize(
    ("hand", "move", "line", "right", "told"),
    [
        ("6-6 6-4 3-2", "6-6 left", "6-2 3-0", 3, "play a double, and a second tile after it"),
        ("6-6 6-4", "6-6 left", "6-2 3-0", 3, "play the double and go out by a second tile"),
        ("6-4 4-1 3-2 2-1", "6-4 left", "6-2 3-0", 3, "shed the heaviest tile"),
        ("6-4 6-1 3-1 1-0", "6-1 left", "6-2 3-0", 3, "keep a tile for either end"),
        ("6-5 5-4 6-2 6-1", "6-5 left", "5-0 5-1 5-2 5-3 5-5", 3, "leave a 5 open: all others are yours"),
        # DO-B13: every 5 is on the line or open after it
        ("6-5 6-1 4-1", "6-5 left", "5-0 5-1 5-2 5-3 5-4 5-5", 5, "block the line"),
        # most of the 1s lie in the line, none of the 2s
        ("6-5 6-1 3-2", "6-1 left", "1-1 4-1 5-1 1-0", 3, "leave the others the fewest tiles that fit"),
    ],
)
def test_a_move_is_for_what_the_fewest_others_do(hand: str, move: str, line: str, right: int, told: str) -> None:
    """DO-B9, DO-B11, DO-B12, DO-B13: 6 and another number are open; Ann's hand and the line decide."""
    assert _purpose_of(hand, move, left=6, right=right, line=line) == told


def test_what_others_lack_is_used() -> None:
    """DO-X1: Bob has passed on 4 and 1."""
    hand = "6-4 6-2 3-1 3-2"
    assert _purpose_of(hand, "6-4 left", left=6, right=1, lacks=(1, 4)) == "shut Bob out: nothing there fits"
    assert _purpose_of(hand, "6-4 left", left=6, right=3, lacks=(4,)) == "leave a 4 open, which Bob lacks"


def test_forced_moves_have_no_purpose() -> None:
    """DO-B8, DO-B10."""
    assert _purpose_of("6-4 2-1", "6-4 left", left=6, right=3) is None
    assert _purpose_of("5-4 2-1", "pass", left=6, right=3) is None
    assert _purpose_of("6-6 2-1", "6-6", phase="lead") is None


def test_no_second_tile_has_a_purpose() -> None:
    """DO-B11."""
    given = {"left": 6, "right": 3, "phase": "second"}
    assert _purpose_of("6-4 3-2 2-1", "pass", **given) == "play no second tile"
    assert _purpose_of("6-4 3-2 2-1", "6-4 left", **given) == "shed the heaviest tile"
    assert _purpose_of("6-5", "6-5 left", **given) == "go out"
    assert _purpose_of("6-6 6-1 2-0", "6-1 left", **given) == "keep the double until another tile can follow it"


def test_the_american_line_has_one_end() -> None:
    """DO-A2, DO-A13."""
    state = msgspec.structs.replace(
        state_from_text(["6-4 6-1 1-0"] + ["5-0 4-1 2-2"] * 4, right=6), options=AMERICAN, lacks=()
    )
    found = purpose.purpose_of_aim(GAME.rules.view(state, 0), parse_move("6-1", GAME.action))
    assert found == ("most_fit", ())
