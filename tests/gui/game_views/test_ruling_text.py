"""Tests that lessons, glossaries and game descriptions agree with the rules, in English and in German."""

from __future__ import annotations

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
from flicksim.match import open_match, parse_seat
from flicksim.referee import options_of

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


RULE_TEXTS = [
    ("tinkle", "lesson", "TK-2a", "en", "there are no runs", "runs follow"),
    ("tinkle", "lesson", "TK-2a", "de", "Folgen gibt es nicht", "Folgen eine Farbe"),
    ("tinkle", "token", "TK-2b", "en", "in your own turn only", "out of turn"),
    ("tinkle", "token", "TK-2b", "de", "nur im eigenen Zug", ""),
    ("tiddlywinks", "squopped out", "TW-9c1", "en", "whose winks are all squopped or potted", "may play"),
    ("tiddlywinks", "squopped out", "TW-9c1", "de", "deren Winks alle zugedeckt oder im Topf sind", "spielen darf"),
    ("tiddlywinks", "squopped out", "TW-9c3", "en", "The other side then has free turns", "It must be given"),
    ("tiddlywinks", "squopped out", "TW-9c3", "de", "Die andere hat dann freie Züge", ""),
    ("tiddlywinks", "squopped out", "TW-9c6", "en", "must free a wink after them", ""),
    ("tiddlywinks", "squopped out", "TW-9c6", "de", "muss danach einen Wink befreien", ""),
    ("tiddlywinks", "tiddlies", "TW-11d", "en", "when time has run out", "at the end"),
    ("tiddlywinks", "tiddlies", "TW-11d", "de", "wenn die Zeit um ist", "am Ende"),
    ("tiddlywinks", "tiddlies", "TW-11f", "en", "one for each one in play that is not squopped", "free"),
    ("tiddlywinks", "tiddlies", "TW-11f", "de", "einer für jeden im Spiel, der nicht zugedeckt ist", "freie"),
    ("tiddlywinks", "story", "TW-11f", "en", "those in play that are not squopped 1", "free"),
    ("tiddlywinks", "story", "TW-11f", "de", "die im Spiel, die nicht zugedeckt sind, 1", "freie"),
    ("tiddlywinks", "lesson", "TW-11f", "en", "covered ones nothing, all others on the field one", "free"),
    ("tiddlywinks", "lesson", "TW-11f", "de", "zugedeckte nichts, alle anderen im Feld eins", "freie"),
    ("tiddlywinks", "squop", "TW-9a3", "en", "a wink, anybody's, with another", "other side"),
    ("tiddlywinks", "squop", "TW-9a3", "de", "Einen Wink, gleich wessen, mit einem anderen", "anderen Seite"),
    ("tiddlywinks", "squop", "TW-9a2", "en", "however slightly", ""),
    ("tiddlywinks", "squop", "TW-9a2", "de", "wie knapp auch immer", ""),
    ("tiddlywinks", "squopping", "TW-9a1", "en", "unless it is squopped itself", "other side"),
    ("tiddlywinks", "squopping", "TW-9a1", "de", "wenn er nicht selbst zugedeckt ist", "anderen Seite"),
    ("tiddlywinks", "pile", "TW-9b1", "en", "no other covers may be played, each by its owner", "topmost"),
    ("tiddlywinks", "pile", "TW-9b1", "de", "kein anderer deckt, dürfen gespielt werden, jeder von seinem", "oberste"),
    ("tiddlywinks", "free turn", "TW-9c3", "en", "one for each of its free winks", ""),
    ("tiddlywinks", "free turn", "TW-9c3", "de", "einer für jeden ihrer freien Winks", ""),
    ("tiddlywinks", "extra shot", "TW-7d", "en", "each of one's own winks", "potting a wink"),
    ("tiddlywinks", "extra shot", "TW-7d", "de", "jeden eigenen Wink, den man in den Topf bringt", "für einen Wink"),
    ("tiddlywinks", "story", "TW-7d", "en", "one more for each own wink potted", ""),
    ("tiddlywinks", "story", "TW-7d", "de", "eigenen Wink, den man dabei in den Topf bringt", "eigenen Wink im Topf"),
    ("tiddlywinks", "story", "TW-5f", "en", "his pair one from the other", ""),
    ("tiddlywinks", "story", "TW-5f", "de", "sein Paar einen vom anderen", ""),
    ("tiddlywinks", "time limit", "TW-11b", "en", "until whoever won the squidge-off has had his turn", ""),
    ("tiddlywinks", "time limit", "TW-11b", "de", "bis der Gewinner des Anschnippens dran war", ""),
    ("tiddlywinks", "praise 2", "TW-11e", "en", "counts three when time runs out", "in the end"),
    ("tiddlywinks", "praise 2", "TW-11e", "de", "zählt drei, wenn die Zeit um ist", "am Ende"),
    ("tiddlywinks", "lesson", "TW-5f", "en", "The side that first pots all six of a colour wins", "is ahead"),
    ("tiddlywinks", "lesson", "TW-5f", "de", "zuerst alle sechs einer Farbe im Topf hat, gewinnt", "liegt vorn"),
    ("tiddlywinks", "TW-3d", "TW-3d", "de", "nichts sein als Winks, die hineingespielt wurden", "nur Winks sein"),
    ("tiddlywinks", "TW-12d", "TW-12d", "de", "Nach einem Foul", "Fehlschuss"),
    ("tiddlywinks", "option foul_keep_extras", "TW-12f", "de", "Ein geduldetes Foul", "Fehlschuss"),
    ("penny-white", "end", "PW-6b", "en", "or the white is knocked off", ""),
    ("penny-white", "end", "PW-6b", "de", "oder die weiße Münze hinuntergestoßen", ""),
    (
        "penny-white",
        "story",
        "PW-3a",
        "en",
        "whoever starts flicks it past the 45 cm line",
        "which lies in the far half",
    ),
    (
        "penny-white",
        "story",
        "PW-3a",
        "de",
        "wer anfängt, schnippt sie über die 45-cm-Linie",
        "liegt in der fernen Hälfte",
    ),
    ("penny-white", "story", "PW-10a", "en", "stops short or leaves the board, the other gets a point", ""),
    ("penny-white", "story", "PW-10a", "de", "zu kurz oder verlässt sie das Brett, bekommt der andere einen Punkt", ""),
    ("penny-white", "PW-5a", "PW-5a", "en", "they may hang over an edge, their centre on the board", ""),
    ("penny-white", "PW-5a", "PW-5a", "de", "sie dürfen über einen Rand hängen, die Mitte auf dem Brett", ""),
    ("penny-white", "start zone", "PW-5a", "en", "its centre is on it; an option bars that", ""),
    ("penny-white", "start zone", "PW-5a", "de", "solange seine Mitte darauf ist; eine Option verbietet es", ""),
    ("penny-white", "option short_penny", "PW-X1", "de", "nicht ganz über die 5-cm-Linie kam", "hinter"),
    ("penny-white", "PW-2a", "PW-2a", "de", "jenseits der 45-cm-Linie", "hinter"),
    ("ice", "lesson", "ITW-4c", "en", "each as soon as his missile before is at rest", "as soon as the last"),
    ("ice", "lesson", "ITW-4c", "de", "jeder, sobald sein voriges Geschoss ruht", "sobald das letzte"),
    ("ice", "lesson", "ITW-7f", "en", "one whose base rests on a fallen piece counts double", "leans on"),
    ("ice", "lesson", "ITW-7f", "de", "deren Grundfläche auf einer gefallenen ruht, zählt doppelt", "gefallenen lehnt"),
    ("ice", "option line", "ITW-5c", "de", "jenseits der eigenen Startlinie", "hinter"),
    ("ice", "option lean_deg", "ITW-7f", "de", "einer nicht aufrechten", "liegenden"),
    ("ice", "option stash_bodies", "ITW-2e", "de", "stehen im Lager", "Vorrat"),
    ("ice", "option bad_hold", "ITW-5a", "de", "außerhalb des eigenen Lagers", "Vorrat"),
    ("ice", "option knock_into_stash", "ITW-6c", "de", "ins eigene Lager", "Vorrat"),
    ("dominoes", "step 2", "DO-B13", "en", "where nobody can go on, they count against you", "early: they"),
    ("dominoes", "step 2", "DO-B13", "de", "wo niemand weiterkann, zählen sie gegen dich", "früh los: sie"),
    ("tinkle", "to tinkle", "TK-8e", "en", "three cards of the stock", "more cards"),
    ("tinkle", "to tinkle", "TK-8e", "de", "drei Karten vom Stapel", "weitere Karten"),
    ("tinkle", "provisional", "TK-9d", "en", "it may still be taken up again", "still to be"),
    ("tinkle", "provisional", "TK-9d", "de", "es darf noch zurück", "zurückzunehmen"),
    ("tinkle", "option layoff_scope", "TK-7c", "de", "Mehr natürliche als wilde", "Joker"),
    ("ice", "upright", "ITW-7e", "en", "counts one, two or three by size", "Only"),
    ("ice", "upright", "ITW-7e", "de", "zählt eins, zwei oder drei nach Größe", "Nur"),
    ("ice", "lean", "ITW-7f", "en", "its base on one that is not upright it counts double", ""),
    ("ice", "lean", "ITW-7f", "de", "Grundfläche auf einem, der nicht aufrecht steht, zählt er doppelt", ""),
    ("ice", "step 3", "ITW-7f", "en", "what leans with its base on a fallen piece", "Only"),
    ("ice", "step 3", "ITW-7f", "de", "was mit der Grundfläche auf einer gefallenen lehnt", "Nur"),
    ("ice", "prop", "ITW-7f", "en", "Usually one that leans and itself counts does not; an option lets it.", ""),
    ("ice", "prop", "ITW-7f", "de", "zählt selbst, so üblicherweise nicht; eine Option erlaubt es.", ""),
    ("ice", "ITW-7g", "ITW-7g", "en", "a prop that leans and itself counts doubles nothing", ""),
    ("ice", "ITW-7g", "ITW-7g", "de", "eine Stütze, die lehnt und selbst zählt, verdoppelt nichts", ""),
    ("dominoes", "boneyard", "DO-A11", "en", "the American game turns one up to lead", "out of play"),
    ("dominoes", "boneyard", "DO-A11", "de", "amerikanischen Spiel wird einer zum Anfang aufgedeckt", "aus dem Spiel"),
    ("penny-white", "in full foul", "PW-13d", "en", "or also a point to the opponent", "a point away"),
    ("penny-white", "in full foul", "PW-13d", "de", "oder dazu ein Punkt für den Gegner", "einen Punkt weniger"),
    ("penny-white", "in full disturb", "PW-14a", "en", "or also a point to the opponent", "a point away"),
    ("penny-white", "in full disturb", "PW-14a", "de", "oder dazu ein Punkt für den Gegner", "einen Punkt weniger"),
    ("penny-white", "PW-X3", "PW-X3", "de", "ihre Mitte jenseits eines Rands", "über einem Rand liegt"),
    ("tiddlywinks", "free turn", "TW-9c1", "de", "die nicht ganz zugedeckt ist", "die nicht zugedeckt ist"),
    ("tiddlywinks", "option boundary_touch", "TW-8a", "de", "der die Grenze eben berührt", "Rand"),
    ("tiddlywinks", "option allow_pass", "TW-9c6", "de", "wenn er befreien muss", "freigeben"),
    ("ice", "option upright_deg", "ITW-7e", "de", "Nicht stärker geneigt steht ein Stein aufrecht", ""),
    ("ice", "ITW-7f", "ITW-7f", "de", "mit der Grundfläche auf einem nicht aufrechten", ""),
    ("dominoes", "DO-0a", "DO-0a", "de", "auf die Hand wird nichts gezogen", "gezogen wird nichts"),
    ("tinkle", "option max_turns", "TK-12a", "de", "Züge für jeden", ""),
    ("tiddlywinks", "TW-7c", "TW-7c", "de", "eine Option erlaubt es", "auf Wunsch"),
    ("tiddlywinks", "TW-8i", "TW-8i", "de", "seinen nächsten Schuss aus", "einen Schuss aus"),
    ("tiddlywinks", "TW-12a", "TW-12a", "de", "dorthin zurück, wo sie waren", ""),
    ("ice", "story", "ITW-7f", "de", "wenn seine Grundfläche auf einem liegenden ruht", "wenn er auf"),
    ("ice", "option lean_deg", "ITW-7f", "de", "Mit der Grundfläche auf einer nicht aufrechten", ""),
    ("ice", "in full lean_deg", "ITW-7f", "de", "mit der Grundfläche auf einem nicht aufrechten", ""),
    ("penny-white", "option removals_per_coin", "PW-12b", "de", "hinuntergestoßenen gegnerischen", ""),
    ("penny-white", "in full removals_per_coin", "PW-12b", "de", "hinuntergestoßenen gegnerischen Penny", ""),
    ("penny-white", "option off_rule", "PW-X3", "de", "jenseits des Rands", "über den Rand"),
    ("penny-white", "in full off_rule", "PW-X3", "de", "jenseits des Rands", "über dem Rand"),
    ("penny-white", "option disturb", "PW-14b", "de", "gedreht oder gestoßen", "bewegt"),
    ("dominoes", "option must_play", "DO-X1", "de", "den ersten Stein des Zugs", ""),
    ("dominoes", "DO-A11", "DO-A11", "de", "wird zum Anfang ein Stein des Vorrats aufgedeckt", ""),
    ("tinkle", "TK-10a", "TK-10a", "de", "der eigenen oder der eines anderen", "einer anderen"),
    ("penny-white", "PW-8d", "PW-8d", "en", "where the opponent has none on the board", "against an empty board"),
    ("penny-white", "PW-8d", "PW-8d", "de", "hat der Gegner keinen auf dem Brett", ""),
]
"""Game, place of a text, rule id of its rule, language, expected and excluded wording."""


@pytest.mark.parametrize(("game", "place", "rule", "language", "expected", "excluded"), RULE_TEXTS)
def test_texts_agree_with_their_rules(
    game: str, place: str, rule: str, language: str, expected: str, excluded: str
) -> None:
    assert rule in {row.id for row in load(game).rulebook}
    assert set_language(language) == ""
    text = translate(_rule_text(game, place))
    set_language("en")
    assert expected in text
    assert not excluded or excluded not in text


@pytest.mark.parametrize(
    ("rule", "english", "expected", "excluded"),
    [
        ("TW-8b", "Blue 1 went over the boundary and is put back, 22.225 mm in.", "ging über die Grenze", "Rand"),
        ("TW-8c", "Blue 1 came to rest on the boundary and is put back, 22.225 mm in.", "auf der Grenze", "Rand"),
        ("TW-8h", "A crowd at the boundary", "an der Grenze", "Rand"),
        ("TW-9c6", "The compulsory freeing shot", "zum Befreien", "Freigeben"),
        ("PW-8a", "Draw past it or push it away.", "Leg deinen daran vorbei", "davor"),
        ("PW-E5", "first", "erster Platz", "zuerst"),
        ("PW-E5", "second", "zweiter Platz", "als zweiter"),
        ("ITW-5a", "refuse", "darf nicht", "gilt nicht"),
        (
            "ITW-7f",
            "Upright counts 1, 2 or 3 by size (ITW-7e); with its base on a piece that is not upright, twice that "
            "(ITW-7f).",
            "mit der Grundfläche auf einem nicht aufrechten das Doppelte",
            "auf einem, der",
        ),
        (
            "ITW-7f",
            "a golden frame: its base is on a piece that is not upright; it counts twice",
            "ihre Grundfläche ruht auf einem nicht aufrechten Stein",
            "sie steht",
        ),
        ("TW-6d", "Blue 1 was squidged at the pot and is 40 mm from it.", "liegt 40 mm davon", "davor"),
        (
            "TW-12h",
            "A player interfered with a wink on purpose: in play, that forfeits the game.",
            "war er im Spiel, ist das Spiel damit verloren",
            "alles verloren",
        ),
        ("TK-8c", "A club player would: draw.", "würde ziehen", "draw"),
        ("TK-8d", "A club player would: tinkle 1.", "würde mit einer Marke klimpern", "tinkle"),
        ("TK-8f", "A club player would: tinkle 3.", "würde mit 3 Marken klimpern", "tinkle"),
        ("TK-5e", "A club player would: keep.", "würde die letzte Karte behalten", "keep"),
        ("TK-9d", "A club player would: take K♦ from 2.", "würde K♦ aus Gruppe 2 zurücknehmen", "take"),
        ("TK-9e", "A club player would: move 2♣ from 1 to 3.", "würde 2♣ von Gruppe 1 zu Gruppe 3 legen", "move"),
        ("DO-B9", "A club player would: play 6-4 left.", "würde 6-4 links legen", "play"),
        ("DO-B9", "A club player would: play 6-4 right.", "würde 6-4 rechts legen", "play"),
        ("DO-A13", "A club player would: play 6-4.", "würde 6-4 legen", "play"),
        ("DO-X1", "A club player would: pass.", "würde passen", "pass."),
    ],
)
def test_german_texts_agree_with_their_rules(rule: str, english: str, expected: str, excluded: str) -> None:
    assert any(rule in {row.id for row in load(name).rulebook} for name in names())
    assert set_language("de") == ""
    german = translate(english)
    set_language("en")
    assert expected in german
    assert excluded not in german


def test_the_total_at_the_end_of_tiddlywinks_is_that_of_the_time_limit_points() -> None:
    """TW-11d, TW-11g: they are counted after the full rounds, not as time runs out."""
    match = open_match(load("tiddlywinks"), load("tiddlywinks").options(), [parse_seat("random")] * 4, 1)
    labels = [label for label, _ in end_screen.score_rows(match)]
    assert "Total of time-limit points" in labels
    assert not any("ran out" in label for label in labels)
    assert set_language("de") == ""
    german = translate("Total of time-limit points")
    set_language("en")
    assert german == "Summe der Auszählung"


def test_a_player_to_act_without_pennies_is_reported_with_its_rule() -> None:
    """PW-6a: not PW-7a, by which whoever knocks the white off loses the end."""
    problem = Position(title="None left", white=(150.0, 600.0), left=(0, 1)).problems()
    assert problem == ["Blue is to play and has no penny left; give one, or let the other play (PW-6a)"]


def test_the_glossary_and_the_settings_name_grades_alike() -> None:
    assert set_language("de") == ""
    grades = [translate(grade) for grade in ("beginner", "club", "expert", "world")]
    text = translate(dict(GAME_VIEWS.glossary.sections_of(load("ice")))["grade"])
    set_language("en")
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
    assert lesson is not None
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
