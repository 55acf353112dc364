"""Tests of the German translations of rulings, prompts and self-reports."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from flicksim.games import load
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import translation
from flicksim.gui.toolkit.translation import translate
from flicksim.match import open_match
from flicksim.referee import parse_options

RULINGS = Path(__file__).with_name("rulings.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture
def lacking(german: None) -> Iterator[set[str]]:  # noqa: ARG001
    """Sentences without a German translation, collected while German is shown."""
    translation.missing_messages = missing = set[str]()
    yield missing
    translation.missing_messages = None


@pytest.mark.parametrize("ruling", RULINGS)
def test_rulings_have_german_translations(ruling: str, lacking: set[str]) -> None:
    assert translate(ruling) != ruling
    assert not lacking, sorted(lacking)


@pytest.mark.parametrize(
    ("name", "seats", "options", "turns"),
    [
        ("penny-white", 2, ["ends=2", "pennies=2"], 20),
        ("ice", 3, [], 30),
        ("tiddlywinks", 4, ["time_limit_s=60", "rounds=1"], 40),
        ("dominoes", 6, ["version=american", "rounds=2"], 60),
        ("tinkle", 3, [], 60),
    ],
)
def test_displayed_texts_of_a_game_are_german(
    name: str, seats: int, options: list[str], turns: int, lacking: set[str]
) -> None:
    game = load(name)
    match = open_match(game, parse_options(game, options), ["random"] * seats, 3)
    for _ in range(turns):
        if match.is_over:
            break
        translate(match_text.ruling_text(match, match.legal_actions().prompt))
        turn = match.play(match.ask_player())
        for reason in turn.verdict.reasons:
            translate(match_text.ruling_text(match, reason.text))
        translate(match_text.ruling_text(match, match_text.turn_text(game, turn)))
    assert not lacking, sorted(lacking)


def test_a_squopped_wink_of_a_position_is_reported_in_german(lacking: set[str]) -> None:
    """TW-9a1: it was "Blau 1 is deckt Rot 2 zu", put together from "{one} squopped {other}."."""
    assert translate("Blue 1 is squopped by Red 2.") == "Blau 1 ist von Rot 2 zugedeckt."
    assert not lacking
