"""Tests that lessons, glossaries and game descriptions agree with the rules, in English and in German."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from flicksim.games import load, names
from flicksim.games.penny_white.position import Position
from flicksim.gui.app.help import option_title
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.game_views.tiddlywinks import end_screen
from flicksim.gui.toolkit import translation
from flicksim.gui.toolkit.translation import set_language, translate
from flicksim.referee import options_of
from tests.matches import new_match

GAME_VIEWS = discover_game_views()


def _rule_text(game: str, place: str) -> str:
    """A text to players: the story, a step of the lesson or its praise by number, the lesson's end, a word of the
    glossary, a row, an option by its label or in full."""
    rules = load(game)
    lesson = GAME_VIEWS.view_of(rules).lesson
    assert lesson is not None
    if place == "story":
        return rules.description
    if place == "lesson":
        return lesson.summary
    if place.startswith("step "):
        return lesson.steps[int(place[5:]) - 1].text
    if place.startswith("praise "):
        return lesson.steps[int(place[7:]) - 1].praise
    if place.startswith("option "):
        return next(option_title(one) for one in options_of(rules) if one.name == place[7:])
    if place.startswith("in full "):
        return next(one.help for one in options_of(rules) if one.name == place[8:])
    return {**dict(GAME_VIEWS.glossary.sections_of(rules)), **{row.id: row.text for row in rules.rulebook}}[place]


RULE_TEXTS = tomllib.loads(Path(__file__).with_name("rule_texts.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("game", "row"), [(game, row) for game, rows in RULE_TEXTS["texts"].items() for row in rows])
def test_texts_agree_with_their_rules(game: str, row: list[str]) -> None:
    place, rule, *wordings = row
    assert rule in {row.id for row in load(game).rulebook}
    for language, expected, excluded in (("en", *wordings[:2]), ("de", *wordings[2:])):
        assert set_language(language) == ""
        text = translate(_rule_text(game, place))
        set_language("en")
        assert expected in text
        assert not excluded or excluded not in text


@pytest.mark.parametrize(("rule", "english", "expected", "excluded"), RULE_TEXTS["german"]["sentences"])
@pytest.mark.usefixtures("german")
def test_german_texts_agree_with_their_rules(rule: str, english: str, expected: str, excluded: str) -> None:
    assert any(rule in {row.id for row in load(name).rulebook} for name in names())
    german = translate(english)
    assert expected in german
    assert excluded not in german


@pytest.mark.usefixtures("german")
def test_the_total_at_the_end_of_tiddlywinks_is_that_of_the_time_limit_points() -> None:
    """TW-11d, TW-11g: they are counted after the full rounds, not as time runs out."""
    match = new_match("tiddlywinks", *["random"] * 4)
    labels = [label for label, _ in end_screen.score_rows(match)]
    assert "Total of time-limit points" in labels
    assert not any("ran out" in label for label in labels)
    assert translate("Total of time-limit points") == "Summe der Auszählung"


def test_a_player_to_act_without_pennies_is_reported_with_its_rule() -> None:
    """PW-6a: not PW-7a, by which whoever knocks the white off loses the end."""
    problem = Position(title="None left", white=(150.0, 600.0), left=(0, 1)).problems()
    assert problem == ["Blue is to play and has no penny left; give one, or let the other play (PW-6a)"]


@pytest.mark.usefixtures("german")
def test_the_glossary_and_the_settings_name_grades_alike() -> None:
    grades = [translate(grade) for grade in ("beginner", "club", "expert", "world")]
    text = translate(dict(GAME_VIEWS.glossary.sections_of(load("ice")))["grade"])
    assert ", ".join(grades) in text


@pytest.fixture
def without_shapes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """German catalogue without patterns; yields the messages missing from it."""
    german = tomllib.loads(translation.available_languages()["de"].read_text(encoding="utf-8"))["words"]
    catalogue = "".join(f"{json.dumps(key)} = {json.dumps(word)}\n" for key, word in german.items() if "{" not in key)
    (tmp_path / "whole.toml").write_text(f'name = "Deutsch"\n[words]\n{catalogue}', encoding="utf-8")
    monkeypatch.setattr(translation, "available_languages", lambda: {"whole": tmp_path / "whole.toml"})
    assert set_language("whole") == ""
    translation.missing_messages = lacking = set[str]()
    yield lacking
    translation.missing_messages = None
    set_language("en")


@pytest.mark.parametrize("name", names())
def test_every_rule_text_has_its_own_german_translation(name: str, without_shapes: set[str]) -> None:
    """Not one put together from a shape: "one group of four" was "one group von four" (PW-9a, TW-10d, TK-6a to 6h)."""
    game = load(name)
    lesson = GAME_VIEWS.view_of(game).lesson
    for text in (game.title, game.summary, game.description, *(row.text for row in game.rulebook), lesson.summary):
        translate(text)
    for step in lesson.steps:
        translate(f"{step.text} {step.praise}")
    for word, says in GAME_VIEWS.glossary.sections_of(game):
        translate(word)
        translate(says)
    for option in options_of(game):
        translate(option_title(option))
        translate(option.help)
    assert not without_shapes, sorted(without_shapes)
