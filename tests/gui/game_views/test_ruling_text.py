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


RULE_TEXTS = {
    "tinkle": (
        ("lesson", "TK-2a", "there are no runs", "runs follow", "Folgen gibt es nicht", "Folgen eine Farbe"),
        ("token", "TK-2b", "in your own turn only", "out of turn", "nur im eigenen Zug", ""),
        ("to tinkle", "TK-8e", "three cards of the stock", "more cards", "drei Karten vom Stapel", "weitere Karten"),
        ("provisional", "TK-9d", "it may still be taken up again", "still to be",
         "es darf noch zurück", "zurückzunehmen"),
        ("option layoff_scope", "TK-7c", "", "", "Mehr natürliche als wilde", "Joker"),
        ("option max_turns", "TK-12a", "", "", "Züge für jeden", ""),
        ("TK-10a", "TK-10a", "", "", "der eigenen oder der eines anderen", "einer anderen"),
    ),
    "tiddlywinks": (
        ("squopped out", "TW-9c1", "whose winks are all squopped or potted", "may play",
         "deren Winks alle zugedeckt oder im Topf sind", "spielen darf"),
        ("squopped out", "TW-9c3", "The other side then has free turns", "It must be given",
         "Die andere hat dann freie Züge", ""),
        ("squopped out", "TW-9c6", "must free a wink after them", "", "muss danach einen Wink befreien", ""),
        ("tiddlies", "TW-11d", "when time has run out", "at the end", "wenn die Zeit um ist", "am Ende"),
        ("tiddlies", "TW-11f", "one for each one in play that is not squopped", "free",
         "einer für jeden im Spiel, der nicht zugedeckt ist", "freie"),
        ("story", "TW-11f", "those in play that are not squopped 1", "free",
         "die im Spiel, die nicht zugedeckt sind, 1", "freie"),
        ("lesson", "TW-11f", "covered ones nothing, all others on the field one", "free",
         "zugedeckte nichts, alle anderen im Feld eins", "freie"),
        ("squop", "TW-9a3", "a wink, anybody's, with another", "other side",
         "Einen Wink, gleich wessen, mit einem anderen", "anderen Seite"),
        ("squop", "TW-9a2", "however slightly", "", "wie knapp auch immer", ""),
        ("squopping", "TW-9a1", "unless it is squopped itself", "other side",
         "wenn er nicht selbst zugedeckt ist", "anderen Seite"),
        ("pile", "TW-9b1", "no other covers may be played, each by its owner", "topmost",
         "kein anderer deckt, dürfen gespielt werden, jeder von seinem", "oberste"),
        ("free turn", "TW-9c3", "one for each of its free winks", "", "einer für jeden ihrer freien Winks", ""),
        ("extra shot", "TW-7d", "each of one's own winks", "potting a wink",
         "jeden eigenen Wink, den man in den Topf bringt", "für einen Wink"),
        ("story", "TW-7d", "one more for each own wink potted", "",
         "eigenen Wink, den man dabei in den Topf bringt", "eigenen Wink im Topf"),
        ("story", "TW-5f", "his pair one from the other", "", "sein Paar einen vom anderen", ""),
        ("time limit", "TW-11b", "until whoever won the squidge-off has had his turn", "",
         "bis der Gewinner des Anschnippens dran war", ""),
        ("praise 2", "TW-11e", "counts three when time runs out", "in the end",
         "zählt drei, wenn die Zeit um ist", "am Ende"),
        ("lesson", "TW-5f", "The side that first pots all six of a colour wins", "is ahead",
         "zuerst alle sechs einer Farbe im Topf hat, gewinnt", "liegt vorn"),
        ("TW-3d", "TW-3d", "", "", "nichts sein als Winks, die hineingespielt wurden", "nur Winks sein"),
        ("TW-12d", "TW-12d", "", "", "Nach einem Foul", "Fehlschuss"),
        ("option foul_keep_extras", "TW-12f", "", "", "Ein geduldetes Foul", "Fehlschuss"),
        ("free turn", "TW-9c1", "", "", "die nicht ganz zugedeckt ist", "die nicht zugedeckt ist"),
        ("option boundary_touch", "TW-8a", "", "", "der die Grenze eben berührt", "Rand"),
        ("option allow_pass", "TW-9c6", "", "", "wenn er befreien muss", "freigeben"),
        ("TW-7c", "TW-7c", "", "", "eine Option erlaubt es", "auf Wunsch"),
        ("TW-8i", "TW-8i", "", "", "seinen nächsten Schuss aus", "einen Schuss aus"),
        ("TW-12a", "TW-12a", "", "", "dorthin zurück, wo sie waren", ""),
    ),
    "penny-white": (
        ("end", "PW-6b", "or the white is knocked off", "", "oder die weiße Münze hinuntergestoßen", ""),
        ("story", "PW-3a", "whoever starts flicks it past the 45 cm line", "which lies in the far half",
         "wer anfängt, schnippt sie über die 45-cm-Linie", "liegt in der fernen Hälfte"),
        ("story", "PW-10a", "stops short or leaves the board, the other gets a point", "",
         "zu kurz oder verlässt sie das Brett, bekommt der andere einen Punkt", ""),
        ("PW-5a", "PW-5a", "they may hang over an edge, their centre on the board", "",
         "sie dürfen über einen Rand hängen, die Mitte auf dem Brett", ""),
        ("start zone", "PW-5a", "its centre is on it; an option bars that", "",
         "solange seine Mitte darauf ist; eine Option verbietet es", ""),
        ("option short_penny", "PW-X1", "", "", "nicht ganz über die 5-cm-Linie kam", "hinter"),
        ("PW-2a", "PW-2a", "", "", "jenseits der 45-cm-Linie", "hinter"),
        ("in full foul", "PW-13d", "or also a point to the opponent", "a point away",
         "oder dazu ein Punkt für den Gegner", "einen Punkt weniger"),
        ("in full disturb", "PW-14a", "or also a point to the opponent", "a point away",
         "oder dazu ein Punkt für den Gegner", "einen Punkt weniger"),
        ("PW-X3", "PW-X3", "", "", "ihre Mitte jenseits eines Rands", "über einem Rand liegt"),
        ("option removals_per_coin", "PW-12b", "", "", "hinuntergestoßenen gegnerischen", ""),
        ("in full removals_per_coin", "PW-12b", "", "", "hinuntergestoßenen gegnerischen Penny", ""),
        ("option off_rule", "PW-X3", "", "", "jenseits des Rands", "über den Rand"),
        ("in full off_rule", "PW-X3", "", "", "jenseits des Rands", "über dem Rand"),
        ("option disturb", "PW-14b", "", "", "gedreht oder gestoßen", "bewegt"),
        ("PW-8d", "PW-8d", "where the opponent has none on the board", "against an empty board",
         "hat der Gegner keinen auf dem Brett", ""),
    ),
    "ice": (
        ("lesson", "ITW-4c", "each as soon as his missile before is at rest", "as soon as the last",
         "jeder, sobald sein voriges Geschoss ruht", "sobald das letzte"),
        ("lesson", "ITW-7f", "one whose base rests on a fallen piece counts double", "leans on",
         "deren Grundfläche auf einer gefallenen ruht, zählt doppelt", "gefallenen lehnt"),
        ("option line", "ITW-5c", "", "", "jenseits der eigenen Startlinie", "hinter"),
        ("option lean_deg", "ITW-7f", "", "", "Mit der Grundfläche auf einer nicht aufrechten", "liegenden"),
        ("option stash_bodies", "ITW-2e", "", "", "stehen im Lager", "Vorrat"),
        ("option bad_hold", "ITW-5a", "", "", "außerhalb des eigenen Lagers", "Vorrat"),
        ("option knock_into_stash", "ITW-6c", "", "", "ins eigene Lager", "Vorrat"),
        ("upright", "ITW-7e", "counts one, two or three by size", "Only",
         "zählt eins, zwei oder drei nach Größe", "Nur"),
        ("lean", "ITW-7f", "its base on one that is not upright it counts double", "",
         "Grundfläche auf einem, der nicht aufrecht steht, zählt er doppelt", ""),
        ("step 3", "ITW-7f", "what leans with its base on a fallen piece", "Only",
         "was mit der Grundfläche auf einer gefallenen lehnt", "Nur"),
        ("prop", "ITW-7f", "Usually one that leans and itself counts does not; an option lets it.", "",
         "zählt selbst, so üblicherweise nicht; eine Option erlaubt es.", ""),
        ("ITW-7g", "ITW-7g", "a prop that leans and itself counts doubles nothing", "",
         "eine Stütze, die lehnt und selbst zählt, verdoppelt nichts", ""),
        ("option upright_deg", "ITW-7e", "", "", "Nicht stärker geneigt steht ein Stein aufrecht", ""),
        ("ITW-7f", "ITW-7f", "", "", "mit der Grundfläche auf einem nicht aufrechten", ""),
        ("story", "ITW-7f", "", "", "wenn seine Grundfläche auf einem liegenden ruht", "wenn er auf"),
        ("in full lean_deg", "ITW-7f", "", "", "mit der Grundfläche auf einem nicht aufrechten", ""),
    ),
    "dominoes": (
        ("step 2", "DO-B13", "where nobody can go on, they count against you", "early: they",
         "wo niemand weiterkann, zählen sie gegen dich", "früh los: sie"),
        ("boneyard", "DO-A11", "the American game turns one up to lead", "out of play",
         "amerikanischen Spiel wird einer zum Anfang aufgedeckt", "aus dem Spiel"),
        ("DO-0a", "DO-0a", "", "", "auf die Hand wird nichts gezogen", "gezogen wird nichts"),
        ("option must_play", "DO-X1", "", "", "den ersten Stein des Zugs", ""),
        ("DO-A11", "DO-A11", "", "", "wird zum Anfang ein Stein des Vorrats aufgedeckt", ""),
    ),
}  # fmt: skip
"""By game: place of a text, rule id of its rule, expected and excluded wording in English and German; empty: none."""


@pytest.mark.parametrize(("game", "row"), [(game, row) for game, rows in RULE_TEXTS.items() for row in rows])
def test_texts_agree_with_their_rules(game: str, row: tuple[str, str, str, str, str, str]) -> None:
    place, rule, *wordings = row
    assert rule in {row.id for row in load(game).rulebook}
    for language, expected, excluded in (("en", *wordings[:2]), ("de", *wordings[2:])):
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
@pytest.mark.usefixtures("german")
def test_german_texts_agree_with_their_rules(rule: str, english: str, expected: str, excluded: str) -> None:
    assert any(rule in {row.id for row in load(name).rulebook} for name in names())
    german = translate(english)
    assert expected in german
    assert excluded not in german


@pytest.mark.usefixtures("german")
def test_the_total_at_the_end_of_tiddlywinks_is_that_of_the_time_limit_points() -> None:
    """TW-11d, TW-11g: they are counted after the full rounds, not as time runs out."""
    match = open_match(load("tiddlywinks"), load("tiddlywinks").options(), [parse_seat("random")] * 4, 1)
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
