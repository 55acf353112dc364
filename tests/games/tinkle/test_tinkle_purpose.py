"""Purposes of moves at Tinkle, on a hand for each."""

from typing import Any

import pytest

from flicksim.cards import parse_move
from flicksim.games.tinkle import GAME, purpose
from tests.games.tinkle.tinkle_helpers import state_from_text

_OPEN: dict[str, Any] = {"groups": ((0, "KC KD KS"), (1, "QC QH QS")), "opened": (0, 1)}


def _purpose_of(hand: str, move: str, **given: Any) -> str | None:
    view = GAME.rules.view(state_from_text(hand, **given), 0)
    found = purpose.purpose_of_aim(view, parse_move(move, GAME.action))
    return None if found is None else purpose.describe(*found)


@pytest.mark.parametrize(
    ("hand", "discard", "tokens", "move", "told"),
    [
        ("7C 7D 9H", "9C 10D", 10, "draw", "draw from the stock and keep the tokens"),
        ("7C 7D 9H", "9C 10D", 0, "draw", None),
        ("7C 7D 9H", "9C 2D", 10, "tinkle", "buy the wild card"),
        ("7C 7D 9H", "9C 7S", 10, "tinkle", "buy the card for a group in hand"),
        ("7C 7D 9H", "7S 10D", 10, "tinkle", "buy more cards from the stock"),
        ("7C 7D 9H", "7S 10D", 10, "tinkle 2", "buy the card for a group in hand"),
    ],
)  # fmt: skip
def test_draws_say_what_is_bought_or_saved(hand: str, discard: str, tokens: int, move: str, told: str | None) -> None:
    """TK-8c to TK-8f."""
    assert _purpose_of(hand, move, discard=discard, tokens=tokens, phase="draw") == told


def test_a_card_for_the_table_is_bought() -> None:
    """TK-8d, TK-10a."""
    assert _purpose_of("7C 9H", "tinkle", discard="9C KH", phase="draw", **_OPEN) == "buy the card to lay it off"


@pytest.mark.parametrize(
    ("hand", "move", "told"),
    [
        ("7C 7D 7H 9H", "meld 7C 7D 7H", "meld the contract"),
        ("7C 7D 7H 9H", "discard 9H", "hold the contract back"),
        ("7C 7D 9H", "discard 9H", "discard a card that matches no other"),
        ("7C 7D 9H 9C 9D 2D JC JD", "keep", "keep the last card until one that fits is drawn"),
    ],
)  # fmt: skip
def test_before_the_contract_cards_are_kept_for_it(hand: str, move: str, told: str) -> None:
    """TK-6a, TK-9b."""
    assert _purpose_of(hand, move) == told


def test_the_discard_of_a_wild_card_among_wild_cards_has_no_purpose() -> None:
    """TK-7a: none of them is of a natural kind."""
    assert _purpose_of("2D 2S", "discard 2D") is None


def test_a_pair_is_broken_up_where_every_card_has_a_match() -> None:
    """TK-6c."""
    assert _purpose_of("7C 7D 9H 9C 9D", "discard 7C", round_=3) == "discard from the smallest set"
    assert _purpose_of("7C 7D 9H 9C 9D", "discard 9C", round_=3) is None


@pytest.mark.parametrize(
    ("hand", "move", "told"),
    [
        ("7C 7D 7H 9H", "meld 7C 7D 7H", "meld a further group"),
        ("7C 7D 7H", "meld 7C 7D 7H", "go out"),
        ("KH 9H", "layoff KH on 1", "lay off what counts against you in hand"),
        ("KH", "layoff KH on 1", "go out"),
        ("KH 5D", "discard 5D", "hold back what can be laid off, for the next turn"),
        ("JC 5D", "discard JC", "discard the most points"),
        ("JC 5D", "discard 5D", "discard a card that matches no other"),
        ("JC", "keep", "keep the last card until one that fits is drawn"),
    ],
)  # fmt: skip
def test_after_the_contract_points_go_down(hand: str, move: str, told: str) -> None:
    """TK-5d, TK-9b, TK-10a, TK-14c to TK-14f."""
    assert _purpose_of(hand, move, **_OPEN) == told
