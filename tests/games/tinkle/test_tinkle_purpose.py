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


@pytest.mark.parametrize(
    ("given", "hand", "move", "told"),
    [
        # TK-6a, TK-9b: before the contract cards are kept for it
        ({}, "7C 7D 7H 9H", "meld 7C 7D 7H", "meld the contract"),
        ({}, "7C 7D 7H 9H", "discard 9H", "hold the contract back"),
        ({}, "7C 7D 9H", "discard 9H", "discard a card that matches no other"),
        ({}, "7C 7D 9H 9C 9D 2D JC JD", "keep", "keep the last card until one that fits is drawn"),
        # TK-6c: a pair is broken up where every card has a match
        ({"round_": 3}, "7C 7D 9H 9C 9D", "discard 7C", "discard from the smallest group"),
        ({"round_": 3}, "7C 7D 9H 9C 9D", "discard 9C", None),
        # TK-7a: no wild card among wild cards is of a natural kind
        ({}, "2D 2S", "discard 2D", None),
        # TK-8d, TK-10a: after the contract a card for the table is bought
        (_OPEN | {"discard": "9C KH", "phase": "draw"}, "7C 9H", "tinkle", "buy the card to lay it off"),
        # TK-5d, TK-9b, TK-10a, TK-14c to TK-14f: and points go down
        (_OPEN, "7C 7D 7H 9H", "meld 7C 7D 7H", "meld a further group"),
        (_OPEN, "7C 7D 7H", "meld 7C 7D 7H", "go out"),
        (_OPEN, "KH 9H", "layoff KH on 1", "lay off what counts against you in hand"),
        (_OPEN, "KH", "layoff KH on 1", "go out"),
        (_OPEN, "KH 5D", "discard 5D", "hold back what can be laid off, for the next turn"),
        (_OPEN, "JC 5D", "discard JC", "discard the most points"),
        (_OPEN, "JC 5D", "discard 5D", "discard a card that matches no other"),
        (_OPEN, "JC", "keep", "keep the last card until one that fits is drawn"),
    ],
)
def test_moves_are_for_the_contract_and_then_for_points(
    given: dict[str, Any], hand: str, move: str, told: str | None
) -> None:
    """TK-5d, TK-6a, TK-6c, TK-7a, TK-8d, TK-9b, TK-10a, TK-14c to TK-14f."""
    assert _purpose_of(hand, move, **given) == told
