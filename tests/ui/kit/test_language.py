"""Words in another language: exact ones, shapes with places, what stays as it is, and catalogues that are none."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from datetime import date
from math import pi
from pathlib import Path

import pygame
import pytest
from msgspec.structs import replace

from flicksim.base.errors import BadInput
from flicksim.base.places import assets
from flicksim.challenges import daily, every
from flicksim.games import load, names, with_positions
from flicksim.games.penny_white.position import Position
from flicksim.people import Best
from flicksim.play import open_match
from flicksim.players import GRADES
from flicksim.referee import options_of
from flicksim.table import Flick, Launch, Squidge
from flicksim.ui.faces import found
from flicksim.ui.faces.ice import final as ice_final
from flicksim.ui.faces.ice import log_lines, panel
from flicksim.ui.faces.tiddlywinks import final as winks_final
from flicksim.ui.frame.app import App
from flicksim.ui.frame.help import plain
from flicksim.ui.frame.settings import SettingsScreen
from flicksim.ui.frame.sitting import Sitting
from flicksim.ui.front.challenges import ChallengesScreen
from flicksim.ui.front.figures import FiguresScreen
from flicksim.ui.front.greeting import GreetingScreen
from flicksim.ui.front.lessons import LessonsScreen
from flicksim.ui.front.menu import MenuScreen
from flicksim.ui.front.new_game import NewGameScreen, may_be
from flicksim.ui.front.open_files import OpenScreen
from flicksim.ui.kit import language
from flicksim.ui.kit.keys import BOARD, COMMON
from flicksim.ui.kit.language import AsIs, catalogue, said, spare, use, wanted
from flicksim.ui.match.overlays import EndScreen, PauseScreen
from flicksim.ui.match.share import ShareScreen
from flicksim.ui.match.taught import Teaching
from flicksim.ui.table import standing

from ..conftest import Driver


@pytest.fixture
def german() -> Iterator[None]:
    """German while the test goes on."""
    assert use("de") == ""
    yield
    use("en")


@pytest.mark.usefixtures("german")
def test_sentences_shapes_and_what_stands_side_by_side() -> None:
    assert said("Settings") == "Einstellungen"
    assert said("SEATS") == "PLÄTZE"
    assert said("Blue: your turn") == "Blau: du bist dran"
    assert said("Ruling") == "Entscheidung"
    assert said("RULING") == "ENTSCHEIDUNG"
    assert said("RULING ON TURN 7") == "ENTSCHEIDUNG ZU ZUG 7"
    assert said("H hint   ·   Esc menu") == "H Rat   ·   Esc Menü"
    assert said("A flick! The farther back you draw, the farther it slides.").startswith("Geschnippt! Je weiter")
    assert said("Nobody has ever said this.") == "Nobody has ever said this."
    assert said("Why anybody would do this and that") == "Why anybody would do this and that"


@pytest.mark.usefixtures("german")
def test_a_name_is_never_translated_nor_what_somebody_types() -> None:
    assert said(AsIs("Settings")) == "Settings"
    spare(["Red Settings", "Help"])
    assert said("Help") == "Help"
    assert said("Help wins") == "Help gewinnt"
    assert said("Red Settings: figures") == "Red Settings: Zahlen"


def test_english_is_what_stands_in_the_code() -> None:
    assert use("en") == ""
    assert said("Settings") == "Settings"


def test_the_variable_goes_before_the_settings_and_these_before_the_system() -> None:
    assert wanted("", {"LANG": "de_DE.UTF-8"}) == "de"
    assert wanted("", {"LANG": "fr_FR.UTF-8"}) == "en"
    assert wanted("", {}) == "en"
    assert wanted("en", {"LANG": "de_DE.UTF-8"}) == "en"
    assert wanted("en", {"FLICKSIM_LANGUAGE": "de_AT", "LANG": "en_GB"}) == "de"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"\xff", "cannot be read"), (b"name = 3", "needs a name"),
        (b'name = "X"\n[words]\n"a" = 3', "gives 'a' no text"),
        (b'name = "X"\n[words]\n"a {b}" = "{c}"', "has a place {c}"),
    ],
)  # fmt: skip
def test_a_spoiled_catalogue_is_told_and_english_shown(home: Path, text: bytes, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        catalogue("xx", text)
    (home / "config" / "languages").mkdir(parents=True)
    (home / "config" / "languages" / "xx.toml").write_bytes(text)
    assert says in use("xx")
    assert said("Settings") == "Settings"
    assert "no language 'yy'" in use("yy")
    assert "xx" not in language.names()


def test_a_language_of_ones_own_is_found_and_chosen_in_the_settings(
    home: Path, app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(language.CHOSEN)
    monkeypatch.setenv("LC_ALL", "C")
    (home / "config" / "languages").mkdir(parents=True)
    (home / "config" / "languages" / "eo.toml").write_text('name = "Esperanto"\n[words]\n"Settings" = "Agordoj"\n')
    app.push(screen := SettingsScreen(app))
    row = next(one for one in screen.form.widgets if "Esperanto" in getattr(one, "values", ()))
    assert set(row.values) >= {"English", "Deutsch", "Esperanto"}
    screen.form.focus = screen.form.widgets.index(row)
    while row.value != "Esperanto":
        drive.key(pygame.K_RIGHT)
    assert said("Settings") == "Agordoj"
    assert app.preferences.language == "eo"
    use("en")


def test_all_letters_are_in_the_shipped_face() -> None:
    """Also the signs between them; the arrows and stars of the tables come from the system, in English too."""
    pygame.font.init()
    words = catalogue("de", language.languages()["de"].read_bytes()).words.values()
    letters = "".join(sorted({letter for word in words for letter in word if letter.isalpha()} | set("ÄÖÜß„“–")))
    assert "ü" in letters
    face = pygame.font.Font(assets() / "fonts" / "Inter-Medium.otf", 16)
    assert None not in face.metrics(letters)


@pytest.mark.usefixtures("home")
def test_the_main_screens_of_every_game_are_german(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure says what has no German. The long texts of options and rules stay English."""
    assert use("de") == ""
    seen: set[str] = set()
    monkeypatch.setattr(language, "lacking", seen)
    monkeypatch.setenv(language.CHOSEN, "de")
    faces = found()
    app.show(MenuScreen(app, faces))
    texts = [("game", "flicksim1.abc"), ("position", "flicksim1.def")]
    for screen in (
        GreetingScreen(app), LessonsScreen(app, faces), SettingsScreen(app), FiguresScreen(app),
        ChallengesScreen(app, faces, date(2026, 1, 1)), OpenScreen(app, faces), ShareScreen(app, "game", texts),
    ):  # fmt: skip
        app.push(screen)
        for k in range(len(screen.form.widgets)):
            screen.form.focus = k
            drive.frames(1)
        app.pop()
    for name in names():
        game = load(name)
        app.push(NewGameScreen(app, game))
        drive.frames(1)
        match = open_match(game, game.options(), ["human"] * max(2, game.seats[0]), 3)
        app.show(app.routes.play(app, Sitting(match)))
        drive.frames(2)
        for over in (PauseScreen(app, match, None), EndScreen(app, match, None, lambda: None)):
            app.push(over)
            drive.frames(1)
            app.pop()
        lesson = faces.of(game).lesson
        assert lesson is not None
        Teaching(app, game, lesson).begin()
        drive.frames(2)
    use("en")
    assert not seen, sorted(seen)


@pytest.mark.usefixtures("german")
def test_numbers_are_written_as_the_language_writes_them() -> None:
    assert said("3.381 m/s") == "3,381 m/s"
    assert said("-0.5") == "-0,5"
    assert said("1,234.5 mm") == "1.234,5 mm"
    assert said("40.5 rad/s") == "40,5 rad/s"
    for text in (
        "1.2.3",
        "TW-9b2",
        "PW-3.2",
        "game-0001.jsonl",
        "flicksim1.25",
        "In der Shell: pot=38.1.",
        "/a/b 1.5/x",
    ):
        assert said(text) == text
    assert said(AsIs("38.1")) == "38.1"


@pytest.mark.usefixtures("german")
def test_what_is_german_already_keeps_its_numbers_and_so_do_names_and_paths() -> None:
    assert "22,225 mm" in said("What of a replaced wink lies 22.225 mm in")
    assert "38,1 mm" in said("The pot is 38.1 mm high.")
    spare(["Team 2.0", "77.5"])
    assert said("Team 2.0") == "Team 2.0"
    assert said("Team 2.0 wins") == "Team 2.0 gewinnt"
    assert said("77.5 wins") == "77.5 gewinnt"
    path = "/home/u/game 1.5/x.flicksim"
    assert said(path) == path
    assert said(f"{path} is no flicksim record: {path}") == f"{path} ist keine Aufzeichnung von flicksim: {path}"


def test_the_catalogue_writes_decimals_in_one_way() -> None:
    words = catalogue("de", language.languages()["de"].read_bytes()).words
    assert not [word for word in words.values() if re.search(r"\d\.\d", word)]


def _mixed(text: str) -> list[str]:
    """English words that are left in the German of a text."""
    return [word for word in re.findall(r"(?!rad/s)[A-Za-z]{3,}", text) if re.search(rf"\b{word}\b", said(text))]


@pytest.mark.usefixtures("home")
def test_the_final_screens_of_winks_and_pyramids_are_german(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert use("de") == ""
    seen: set[str] = set()
    monkeypatch.setattr(language, "lacking", seen)
    monkeypatch.setenv(language.CHOSEN, "de")
    labels: list[str] = []
    for name, seats in (("tiddlywinks", 4), ("ice", 2)):
        game = load(name)
        match = open_match(game, game.options(), ["human"] * seats, 3)
        if name == "ice":
            app.push(ice_final.FinalScreen(app, match, None, lambda: None, lambda: None))
            labels += [label for label, _ in ice_final.rows(match)]
        else:
            app.push(winks_final.FinalScreen(app, match, None, lambda: None))
            labels += [label for label, _ in winks_final.rows(match)]
        drive.frames(1)
        app.pop()
    assert not [label for label in labels if _mixed(label)]
    use("en")
    assert not seen, sorted(seen)


@pytest.mark.usefixtures("german")
def test_a_flick_told_when_a_game_is_looked_through_is_german() -> None:
    flick = Flick(piece="blue-1", speed=2.0, azimuth=1.5)
    squidge = Squidge(piece="blue-1", speed=1.5, azimuth=0.0, elevation=1.0)
    launch = Launch(piece="blue-medium-2", size="medium", hold=(0.0, 0.0), azimuth=1.5, speed=2.3)
    made = (
        flick, replace(flick, azimuth=1.6), replace(flick, offset=0.2, azimuth=pi / 2), squidge,
        replace(squidge, tumble=20.0), replace(squidge, press=0.2, drag=0.003),
        replace(squidge, press=0.2, drag=0.003, tumble=20.0), launch, replace(launch, piece="missile"),
    )  # fmt: skip
    for one in made:
        told = f"{standing.action(one)}."
        assert not _mixed(told), said(told)
    launched = f"Blue {log_lines.said(launch.piece)}: {log_lines.numbers(launch)}"
    assert not _mixed(launched), said(launched)
    assert said(f"{standing.action(flick)}.") == "Blau 1 geschnippt mit 2,000 m/s, 85,94°."


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("name", ["penny-white", "tiddlywinks", "ice"])
def test_what_a_flick_is_for_is_german(name: str) -> None:
    purposes = load(name).purposes
    assert purposes is not None
    of = ("red-small-1", "yellow-large-2") if name == "ice" else ("blue-1", "red-2")
    for kind in purposes.KINDS:
        for some in (of[:1], of, (*of, of[0])):
            told = f"Better: {purposes.says(kind, some)}."
            assert not _mixed(told), said(told)


@pytest.mark.usefixtures("german")
def test_keys_and_what_an_option_may_be_are_german() -> None:
    assert said("Del") == said("Delete") == "Entf"
    for game in map(load, names()):
        for option in options_of(game):
            if "number" in option.allowed:
                assert not re.search(r"\d\.\d| or ", said(f"May be: {may_be(option.allowed)}."))


@pytest.mark.usefixtures("german")
def test_rules_options_keys_and_words_are_german_in_every_game() -> None:
    language.lacking = seen = set()
    try:
        faces = found()
        for game in map(load, names()):
            for option in options_of(game):
                typed = option.allowed.startswith(("number", "whole")) or "number" in option.allowed
                values = [may_be(option.allowed)] if typed else option.allowed.split(" | ")
                for text in (plain(option), option.says, *(value.replace("_", " ") for value in values)):
                    said(text)
            for text in (game.title, game.blurb, game.story, *(row.text for row in game.rows)):
                said(text)
            for entry in faces.glossary.words_of(game):
                said(entry[0])
                said(entry[1])
        for _, notation in with_positions():
            for name in notation.names():
                said(notation.shipped(name).title)
                said(notation.shipped(name).look)
        for keys in (*faces.keys, *COMMON, BOARD):
            for text in (keys.where, *(word for row in keys.rows for word in (row.shown, row.says))):
                said(text)
    finally:
        language.lacking = None
    known = {"1p bronze", "1p steel", "2p"}
    assert not seen - known, sorted(seen - known)


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(("name", "turns"), [("dominoes", 150), ("tinkle", 120)])
def test_what_is_told_of_tiles_and_cards_is_german(name: str, turns: int) -> None:
    game = load(name)
    match = open_match(game, game.options(), ["random"] * 4, 1)
    language.lacking = seen = set()
    try:
        for _ in range(turns):
            if match.over:
                break
            turn = match.play(match.ask())
            for reason in turn.verdict.reasons:
                said(standing.said(standing.told(match, reason.says)))
            said(standing.told(match, standing.line(game, turn)))
    finally:
        language.lacking = None
    assert not seen, sorted(seen)


@pytest.mark.usefixtures("german")
def test_places_within_places_take_no_time() -> None:
    names = " and ".join(["Blue", "Red"] * 14)
    assert isinstance(said(names), str)
    assert said("x" * 5000) == "x" * 5000


@pytest.mark.usefixtures("german")
def test_no_place_runs_over_the_end_of_a_sentence() -> None:
    told = said(
        "54% to win at best, 52% as meant, 50% once made. The hand was lucky: 2.0% more. No better plan was found."
    )
    assert "lucky" not in told
    assert told.endswith("Es fand sich kein besserer Plan.")


@pytest.mark.parametrize("key", ["{n} of {n}", "{1} of"])
def test_places_that_cannot_be_are_told(key: str) -> None:
    with pytest.raises(BadInput, match=r"xx.toml has places that cannot be"):
        catalogue("xx", f'name = "X"\n[words]\n"{key}" = "x"\n'.encode())


@pytest.mark.usefixtures("german")
def test_refusals_and_what_went_wrong_with_a_flick_are_german() -> None:
    assert said("There is no clipboard here. 1,024 letters.") == "Hier gibt es keine Zwischenablage. 1.024 Zeichen."
    assert said("No file was written: this window keeps none.").startswith("Keine Datei geschrieben: dieses")
    assert "begins" not in said("'x' is no shared position or game; such a text begins with 'flicksim1.'")
    assert said("It went 8 % too hard, 1.2° to the left.") == "Es ging 8 % zu stark, 1,2° nach links."
    assert said("You were 0.10 s too late.") == "Du warst 0,10 s zu spät."
    assert said("also you") == "auch du"
    assert said("The picture is called off.") == "Das Bild ist abgebrochen."
    assert said("Blue and Red win.") == "Blau und Rot gewinnen."


@pytest.mark.usefixtures("german")
def test_what_is_wrong_with_a_position_of_pennies_is_german() -> None:
    positions = (
        Position(title="x", white=None, blue=((150.0, 300.0),)),
        Position(title="x", white=(150.0, 600.0), left=(0, 1)),
        Position(title="x", white=(150.0, 600.0), left=(1, 12)),
    )
    for position in positions:
        (amiss,) = position.problems()
        words = f"{amiss[:1].upper()}{amiss[1:]}."
        assert said(words) != words


@pytest.mark.usefixtures("german")
def test_challenges_and_what_they_measure_are_german() -> None:
    texts = list[str]()
    for challenge in (one.challenge for one in (*every(), daily(date(2026, 1, 1)))):
        texts += [challenge.title, challenge.goal, challenge.trick, challenge.earns]
        texts += [Best(tries=2, stars=1, measure=k, unit=challenge.units(k)).words() for k in (1.0, 32.0)]
        if challenge.solution is not None:
            texts += [dataclasses.replace(challenge.solution, hand=hand).says for hand in ("beginner", *GRADES)]
    whose = ("a beginner's", "a club player's", "an expert's", "a world-class player's")
    texts += [f"Of {one} tries the best idea wins 40%, the next best 12%." for one in whose]
    texts += [f"Your best: {text}, in 2 tries." for text in ("32 shots", "1 launch", "3.5 mm")]
    left = {word for text in texts for word in _mixed(text)}
    assert left <= {"still"}, sorted(left)


_ENDS = (
    "stands on another", "stands", "lies", "leans", "moves", "stays on the launcher", "off the table, used again",
    "falls short, used again",
)  # fmt: skip


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("many", range(1, len(_ENDS) + 1))
def test_practice_is_german_however_many_kinds_of_ends_there_are(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel, "ended", lambda one: one)
    told = panel.practised(_ENDS[:many], [])  # type: ignore[arg-type]
    assert all(f"1 × {end}" in told for end in _ENDS[:many])
    assert not _mixed(told), said(told)
    assert said(told).startswith(f"{many} geschossen · 1 × steht auf einem anderen")


@pytest.mark.usefixtures("german")
def test_the_log_of_launches_is_german_also_where_several_come_down_at_once() -> None:
    more = ("", ", topples 2", ", knocks 1 off the table", ", topples 1, knocks 2 off the table")
    for end in _ENDS:
        texts = list[str]()
        for also in more:
            texts += [
                f"medium 2 {end}{also}",
                f"7. Red large 2 {end}{also} · Yellow small 1 {end}{also} · Blue large 3 lies",
            ]
        for text in texts:
            assert not _mixed(text), said(text)
    for text in ("3. Red stacks small 1", "3. Red waits until 3.2 s", "The best launch so far: Red medium 2."):
        assert not _mixed(text), said(text)
