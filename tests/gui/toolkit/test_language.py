"""Translation: exact messages, patterns, untranslated names, and invalid catalogues."""

import dataclasses
import re
import tomllib
from datetime import date
from math import pi
from pathlib import Path
from typing import Any

import pygame
import pytest
from msgspec.structs import replace

from flicksim.ai import GRADES
from flicksim.cards import parse_move
from flicksim.challenges import all_challenges, daily_challenge
from flicksim.core.errors import InvalidInput, MissingExtra
from flicksim.core.paths import assets_dir
from flicksim.games import games_with_positions, load, names
from flicksim.games.penny_white.position import Position
from flicksim.games.tinkle.deck import ROUNDS
from flicksim.gui.app import App, MatchSession, SettingsScreen
from flicksim.gui.board_view.board_screen import BoardScreen
from flicksim.gui.card_view.card_position_editor import CARD_EDITOR_KEYS
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.game_views.ice import end_screen as ice_final
from flicksim.gui.game_views.ice import launch_log, panel
from flicksim.gui.game_views.tiddlywinks import end_screen as winks_final
from flicksim.gui.game_views.tinkle.meld_area import contract_text
from flicksim.gui.match.challenge_card import solution_text
from flicksim.gui.match.lesson_card import LessonCard
from flicksim.gui.match.overlays import EndScreen, PauseScreen
from flicksim.gui.match.share import ShareScreen
from flicksim.gui.menus.challenges import ChallengesScreen
from flicksim.gui.menus.main_menu import MainMenuScreen
from flicksim.gui.menus.new_game import NewGameScreen
from flicksim.gui.menus.open_files import OpenScreen
from flicksim.gui.menus.setup_rows import allowed_text
from flicksim.gui.menus.statistics import StatisticsScreen
from flicksim.gui.menus.welcome import LessonsScreen, WelcomeScreen
from flicksim.gui.table_view import match_text
from flicksim.gui.table_view.playback import rate_text
from flicksim.gui.toolkit import translation
from flicksim.gui.toolkit.key_bindings import BOARD_KEYS, COMMON_KEYS, HOSTING_KEYS, ONLINE_KEYS
from flicksim.gui.toolkit.translation import Untranslated, translate
from flicksim.profiles import BestAttempt
from flicksim.referee import options_of
from flicksim.scene import Flick, Launch, Squidge
from tests.matches import new_match

from ..conftest import Driver, match_screen, penny_white_match, replay_screen

pytestmark = pytest.mark.usefixtures("untranslated")


TRANSLATIONS = tomllib.loads(Path(__file__).with_name("translations.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "german_text"), TRANSLATIONS.items())
def test_messages_patterns_and_numbers_are_translated(text: str, german_text: str, untranslated: set[str]) -> None:
    assert translate(text) == german_text
    if text == german_text:
        untranslated.clear()


def test_a_missing_extra_is_told_in_german() -> None:
    needed = f"{MissingExtra('online play', 'net')}."
    german_text = needed.replace("online play needs the extra", "Online-Spiel braucht den Zusatz")
    assert translate(needed) == german_text != needed


def test_names_and_user_input_are_not_translated() -> None:
    assert translate(Untranslated("Settings")) == "Settings"
    assert translate(Untranslated("38.1")) == "38.1"
    translation.set_untranslated_names(["Red Settings", "Help", "Team 2.0", "77.5"])
    assert translate("Help") == "Help"
    assert translate("Help wins") == "Help gewinnt"
    assert translate("Red Settings: statistics") == "Red Settings: Statistik"
    assert translate("Team 2.0") == "Team 2.0"
    assert translate("Team 2.0 wins") == "Team 2.0 gewinnt"
    assert translate("77.5 wins") == "77.5 gewinnt"


def test_names_are_translated_again_when_nobody_shown_has_them(app: App) -> None:
    match = penny_white_match("human", "human")
    match.player_names = {0: "Help", 1: "Settings"}
    for screen, name in ((match_screen(app, match), "Help"), (SettingsScreen(app), "Hilfe")):
        app.replace_all(screen)
        app.run_frame(0.02)
        assert translate("Help") == name
    for game, *shown in (("penny-white", "Blau", "Blue"), ("dominoes", "Blue", "hier")):  # a side is called so, or none
        match = new_match(game, "human", "human")
        match.player_names = {0: "Ann", 1: "Blue"}
        app.replace_all(match_screen(app, match))
        app.run_frame(0.02)
        assert [translate("Blue"), translate(match_text.player_text(match, 1))] == shown
    named = match_text.named_game(load("dominoes"), {0: "Help"})
    app.replace_all(replay_screen(app, named, []))
    app.run_frame(0.02)
    assert [translate(name) for name in ("Help", "Settings")] == ["Help", "Einstellungen"]


def test_english_needs_no_catalogue_and_the_variable_precedes_preference_and_system() -> None:
    assert translation.set_language("en") == ""
    assert translate("Settings") == "Settings"
    assert translation.preferred_language("", {"LANG": "de_DE.UTF-8"}) == "de"
    assert translation.preferred_language("", {"LANG": "fr_FR.UTF-8"}) == "en"
    assert translation.preferred_language("", {}) == "en"
    assert translation.preferred_language("en", {"LANG": "de_DE.UTF-8"}) == "en"
    assert translation.preferred_language("en", {"FLICKSIM_LANGUAGE": "de_AT", "LANG": "en_GB"}) == "de"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"\xff", "cannot be read"), (b"name = 3", "needs a name"),
        (b'name = "X"\n[words]\n"a" = 3', "gives 'a' no text"),
        (b'name = "X"\n[words]\n"a {b}" = "{c}"', "has a place {c}"),
        (b'name = "X"\n[words]\n"{n} of {n}" = "x"', "has places that cannot be"),
        (b'name = "X"\n[words]\n"{1} of" = "x"', "has places that cannot be"),
    ],
)  # fmt: skip
def test_an_invalid_catalogue_is_reported_and_english_used(home: Path, text: bytes, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        translation.parse_catalogue("xx", text)
    (home / "config" / "languages").mkdir(parents=True)
    (home / "config" / "languages" / "xx.toml").write_bytes(text)
    assert says in translation.set_language("xx")
    assert translate("Settings") == "Settings"
    assert "no language 'yy'" in translation.set_language("yy")
    assert "xx" not in translation.language_names()


def test_a_user_catalogue_can_be_chosen_in_the_settings(
    home: Path, app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch, untranslated: set[str]
) -> None:
    monkeypatch.delenv(translation.LANGUAGE_VARIABLE)
    monkeypatch.setenv("LC_ALL", "C")
    (home / "config" / "languages").mkdir(parents=True)
    (home / "config" / "languages" / "eo.toml").write_text('name = "Esperanto"\n[words]\n"Settings" = "Agordoj"\n')
    app.push(screen := SettingsScreen(app))
    row = next(one for one in screen.form.widgets if "Esperanto" in getattr(one, "values", ()))
    assert set(row.values) >= {"English", "Deutsch", "Esperanto"}
    screen.form.focus = screen.form.widgets.index(row)
    while row.value != "Esperanto":
        drive.key(pygame.K_RIGHT)
    assert translate("Settings") == "Agordoj"
    assert app.preferences.language == "eo"
    translation.set_language("en")
    untranslated.clear()


def test_the_bundled_font_has_all_characters_of_the_catalogue_which_writes_decimals_in_one_way() -> None:
    """Also separators; arrows and stars come from a system font in English too."""
    pygame.font.init()
    words = translation.parse_catalogue("de", translation.available_languages()["de"].read_bytes()).messages.values()
    letters = "".join(sorted({letter for word in words for letter in word if letter.isalpha()} | set("ÄÖÜß„“–")))
    assert "ü" in letters
    face = pygame.font.Font(assets_dir() / "fonts" / "Inter-Medium.otf", 16)
    assert None not in face.metrics(letters)
    words = translation.parse_catalogue("de", translation.available_languages()["de"].read_bytes()).messages
    assert not [word for word in words.values() if re.search(r"\d\.\d", word)]


@pytest.mark.usefixtures("home")
def test_the_main_screens_of_every_game_are_german(app: App, drive: Driver) -> None:
    """A failure lists the texts without German; long texts of options and rules are tested elsewhere."""
    faces = discover_game_views()
    app.replace_all(MainMenuScreen(app, faces))
    texts = [("game", "flicksim1.abc"), ("position", "flicksim1.def")]
    for screen in (
        WelcomeScreen(app), LessonsScreen(app, faces), SettingsScreen(app), StatisticsScreen(app),
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
        match = new_match(name, *["human"] * max(2, game.seats[0]), seed=3)
        drive.show(app.routes.match_screen(app, MatchSession(match)), 2)
        for over in (PauseScreen(app, match, None), EndScreen(app, match, None, lambda: None)):
            app.push(over)
            drive.frames(1)
            app.pop()
        app.push(replay_screen(app, game, []))
        drive.frames(1)
        app.pop()
        lesson = faces.view_of(game).lesson
        assert lesson is not None
        LessonCard(app, game, lesson).start()
        drive.frames(2)


def _mixed(text: str) -> list[str]:
    """English words that are left in the German of a text."""
    return [word for word in re.findall(r"(?!rad/s)[A-Za-z]{3,}", text) if re.search(rf"\b{word}\b", translate(text))]


@pytest.mark.parametrize("name", names())
def test_a_game_that_is_looked_through_is_german(app: App, drive: Driver, untranslated: set[str], name: str) -> None:
    match = new_match(name, *["random"] * max(2, load(name).seats[0]), seed=3)
    for _ in range(4):
        match.play(match.ask_player())
    drive.show(replay_screen(app, match.game, match.turns), 3)
    drive.key(pygame.K_END)
    drive.frames(3)
    untranslated -= {"Ann 0", "Bob 0"}


@pytest.mark.usefixtures("home")
def test_the_final_screens_of_winks_and_pyramids_are_german(app: App, drive: Driver) -> None:
    labels: list[str] = []
    for name, seats in (("tiddlywinks", 4), ("ice", 2)):
        match = new_match(name, *["human"] * seats, seed=3)
        if name == "ice":
            app.push(ice_final.IceEndScreen(app, match, None, lambda: None, lambda: None))
            labels += [label for label, _ in ice_final.score_rows(match)]
        else:
            app.push(winks_final.TiddlywinksEndScreen(app, match, None, lambda: None))
            labels += [label for label, _ in winks_final.score_rows(match)]
        drive.frames(1)
        app.pop()
    assert not [label for label in labels if _mixed(label)]


def test_shot_feedback_when_a_game_is_replayed_is_german() -> None:
    flick = Flick(piece="blue-1", speed=2.0, azimuth=1.5)
    squidge = Squidge(piece="blue-1", speed=1.5, azimuth=0.0, elevation=1.0)
    launch = Launch(piece="blue-medium-2", size="medium", hold=(0.0, 0.0), azimuth=1.5, speed=2.3)
    made = (
        flick, replace(flick, azimuth=1.6), replace(flick, offset=0.2, azimuth=pi / 2), squidge,
        replace(squidge, tumble=20.0), replace(squidge, press=0.2, drag=0.003),
        replace(squidge, press=0.2, drag=0.003, tumble=20.0), launch, replace(launch, piece="missile"),
    )  # fmt: skip
    for one in made:
        told = f"{match_text.format_action(one)}."
        assert not _mixed(told), translate(told)
    launched = f"Blue {launch_log.missile_name(launch.piece)}: {launch_log.launch_numbers(launch)}"
    assert not _mixed(launched), translate(launched)
    assert translate(f"{match_text.format_action(flick)}.") == "Blau 1 wird mit 2,000 m/s geschnippt, 85,94°."


@pytest.mark.parametrize("name", ["dominoes", "tinkle"])
def test_purposes_of_moves_are_german(name: str) -> None:
    purposes = load(name).purposes
    for kind, template in purposes.TEMPLATES.items():
        words = ("5", "Bob") if template.count("{}") == 2 else ("5",) if "a {}" in template else ("Bob",)
        told = f"Better: {purposes.describe(kind, words)}."
        assert set(_mixed(told)) <= {"Bob"}, translate(told)


@pytest.mark.parametrize(
    ("move", "told"),
    [
        ("6-4 left", "6-4 links legen"), ("6-4 right", "6-4 rechts legen"), ("6-4", "6-4 legen"), ("pass", "passen"),
        ("draw", "eine Karte ziehen"), ("tinkle 2", "klimpern mit 2"), ("meld KS KH 2D", "K♠ K♥ 2♦ auslegen"),
        ("layoff KD on 3", "K♦ an Gruppe 3 anlegen"), ("discard 7C", "7♣ abwerfen"), ("keep", "behalten"),
        ("take 2D from 3", "2♦ von Gruppe 3 zurücknehmen"), ("move 2D from 3 to 4", "2♦ von Gruppe 3 zu 4"),
    ],
)  # fmt: skip
def test_moves_of_an_analysis_are_german(move: str, told: str) -> None:
    game = load("dominoes" if "-" in move or move == "pass" else "tinkle")
    text = match_text.format_action(parse_move(move, game.action))
    assert translate(text).lower() == told.lower()
    assert told.lower() in translate(f"Better: {text}.").lower()


@pytest.mark.parametrize("name", ["penny-white", "tiddlywinks", "ice"])
def test_shot_purposes_are_german(name: str) -> None:
    purposes = load(name).purposes
    of = ("red-small-1", "yellow-large-2") if name == "ice" else ("blue-1", "red-2")
    for kind in purposes.TEMPLATES:
        for some in (of[:1], of, (*of, of[0])):
            told = f"Better: {purposes.describe(kind, some)}."
            assert not _mixed(told), translate(told)


def test_solutions_of_puzzles_are_german() -> None:
    solutions = [entry.challenge.solution for entry in all_challenges() if entry.challenge.solution is not None]
    for text in map(solution_text, solutions):
        assert translate(text).startswith("Am besten: "), "also where the numbers of a shot follow"
        assert not _mixed(text), translate(text)


def test_contracts_speeds_and_option_values_are_german() -> None:
    assert not [text for text in map(contract_text, range(1, ROUNDS + 1)) if "group" in translate(text)]
    assert [translate(rate_text(rate)) for rate in (1, 2)] == ["langsam: 1/4 Tempo", "langsam: 1/10 Tempo"]
    for game in map(load, names()):
        for option in options_of(game):
            if "number" in option.allowed:
                assert not re.search(r"\d\.\d| or ", translate(f"May be: {allowed_text(option.allowed)}."))


def test_the_keys_of_all_people_at_one_keyboard_and_the_numbers_of_a_flick_are_german(app: App, drive: Driver) -> None:
    drive.show(app.routes.match_screen(app, MatchSession(new_match("ice", *["human"] * 6, seed=3))), 2)
    drive.show(app.routes.match_screen(app, MatchSession(new_match("penny-white", "human", "human", seed=3))), 2)
    drive.key(pygame.K_F5)
    for _ in range(3):
        drive.key(pygame.K_q)
    drive.until(lambda: drive.top(BoardScreen).aim_controller.free_trajectory() is not None)


def test_values_of_options_positions_and_keys_are_german_in_every_game(untranslated: set[str]) -> None:
    faces = discover_game_views()
    for game in map(load, names()):
        for option in options_of(game):
            typed = option.allowed.startswith(("number", "whole")) or "number" in option.allowed
            values = [allowed_text(option.allowed)] if typed else option.allowed.split(" | ")
            for value in values:
                translate(value.replace("_", " "))
    for _, notation in games_with_positions():
        for name in notation.builtin_names():
            translate(notation.load_builtin(name).title)
            translate(notation.load_builtin(name).look)
    for keys in (*faces.keys, *COMMON_KEYS, HOSTING_KEYS, ONLINE_KEYS, BOARD_KEYS, CARD_EDITOR_KEYS):
        for text in (keys.title, *(word for row in keys.bindings for word in (row.label, row.text))):
            translate(text)
    untranslated -= {"1p bronze", "1p steel", "2p"}


@pytest.mark.parametrize("ruling", Path(__file__).with_name("rulings.txt").read_text(encoding="utf-8").splitlines())
def test_rulings_have_german_translations(ruling: str) -> None:
    assert translate(ruling) != ruling


@pytest.mark.parametrize(
    ("name", "seats", "options", "turns"),
    [
        ("penny-white", 2, {"ends": 2, "pennies": 2}, 20),
        ("ice", 3, {}, 30),
        ("tiddlywinks", 4, {"time_limit_s": 60, "rounds": 1}, 40),
        ("dominoes", 4, {}, 150),
        ("dominoes", 6, {"version": "american", "rounds": 2}, 60),
        ("tinkle", 3, {"seed": 3}, 60),
        ("tinkle", 4, {}, 120),
    ],
)
def test_displayed_texts_of_a_game_are_german(name: str, seats: int, options: dict[str, Any], turns: int) -> None:
    match = new_match(name, *["random"] * seats, **options)
    for _ in range(turns):
        if match.is_over:
            break
        translate(match_text.ruling_text(match, match.legal_actions().prompt))
        turn = match.play(match.ask_player())
        for reason in turn.verdict.reasons:
            told = match_text.ruling_text(match, reason.text)
            translate(told)
            translate(match_text.with_card_symbols(told))
        translate(match_text.ruling_text(match, match_text.turn_text(match.game, turn)))


def test_nested_placeholders_take_bounded_time(untranslated: set[str]) -> None:
    names = " and ".join(["Blue", "Red"] * 14)
    assert isinstance(translate(names), str)
    assert translate("x" * 5000) == "x" * 5000
    untranslated.clear()


def test_errors_of_penny_positions_are_german() -> None:
    positions = (
        Position(title="x", white=None, blue=((150.0, 300.0),)),
        Position(title="x", white=(150.0, 600.0), left=(0, 1)),
        Position(title="x", white=(150.0, 600.0), left=(1, 12)),
    )
    for position in positions:
        (amiss,) = position.problems()
        words = f"{amiss[:1].upper()}{amiss[1:]}."
        assert translate(words) != words


def test_challenges_and_what_they_measure_are_german() -> None:
    texts = list[str]()
    for challenge in (one.challenge for one in (*all_challenges(), daily_challenge(date(2026, 1, 1)))):
        texts += [challenge.title, challenge.goal, challenge.hint, challenge.star_criteria]
        texts += [
            BestAttempt(attempts=2, stars=1, measure=k, unit=challenge.unit_for(k)).format_measure()
            for k in (1.0, 32.0)
        ]
        if challenge.solution is not None:
            texts += [dataclasses.replace(challenge.solution, grade=hand).description for hand in ("beginner", *GRADES)]
    whose = ("a beginner's", "a club player's", "an expert's", "a world-class player's")
    texts += [f"Of {one} tries the best idea wins 40%, the next best 12%." for one in whose]
    texts += [f"Your best: {text}, in 2 tries." for text in ("32 shots", "1 launch", "3.5 mm")]
    left = {word for text in texts for word in _mixed(text)}
    assert left <= {"still", "Ann", "Bob"}, sorted(left)


_ENDS = (
    "stands on another", "stands", "lies", "leans", "moves", "stays on the launcher", "off the table, used again",
    "falls short, used again",
)  # fmt: skip


@pytest.mark.parametrize("many", range(1, len(_ENDS) + 1))
def test_practice_outcomes_are_german(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel.launch_log, "resting_text", lambda one: one)
    told = panel.practice_summary(_ENDS[:many], [])  # type: ignore[arg-type]
    assert all(f"1 × {end}" in told for end in _ENDS[:many])
    assert not _mixed(told), translate(told)
    assert translate(told).startswith(f"{many} geschossen · 1 × steht auf einem anderen")


def test_the_launch_log_is_german_for_several_launches_at_once() -> None:
    more = ("", ", topples 2", ", knocks 1 off the table", ", topples 1, knocks 2 off the table")
    for end in _ENDS:
        texts = list[str]()
        for also in more:
            texts += [
                f"medium 2 {end}{also}",
                f"7. Red large 2 {end}{also} · Yellow small 1 {end}{also} · Blue large 3 lies",
            ]
        for text in texts:
            assert not _mixed(text), translate(text)
    for text in ("3. Red stacks small 1", "3. Red waits until 3.2 s", "The best launch so far: Red medium 2."):
        assert not _mixed(text), translate(text)
