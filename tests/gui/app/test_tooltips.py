"""Tooltips and help: terms and rule numbers are explained by mouse and key; every screen has a status line."""

from collections.abc import Callable

import pygame
import pytest

from flicksim.games import load, names
from flicksim.gui.app import App, HelpScreen, Screen, SettingsScreen
from flicksim.gui.app.help import WordListScreen, option_title
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.match.start_match import start_match
from flicksim.gui.menus.new_game import NewGameScreen
from flicksim.gui.menus.open_files import OpenScreen
from flicksim.gui.menus.welcome import LessonsScreen
from flicksim.gui.toolkit.translation import translate
from flicksim.referee import options_of

from ..conftest import Driver, match_screen, penny_white_match
from ..tiddlywinks_helpers import winks_match

GLOSSARY = discover_game_views().glossary


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Blue 1 squops Green 2.", "squop"),
        ("2 squopped", "squop"),
        ("squidging", "squidge"),
        ("the squidger", "squidger"),
        ("Green is squopped out.", "squopped out"),
        ("Red has potted out", "pot out"),
        ("carries 79 mm to rim height", "to carry"),
        ("Blue 4 rests in the pot: it is potted.", "pot"),
    ],
)
def test_inflected_terms_are_found(text: str, word: str) -> None:
    found = GLOSSARY.find_terms(text, load("tiddlywinks"))
    assert word in [one.term for one in found]
    assert all(one.text for one in found)
    assert not GLOSSARY.find_terms("spotted a potato, compiled", load("tiddlywinks")), "terms within words"


@pytest.mark.parametrize("name", ["penny-white", "tiddlywinks"])
def test_the_ring_and_the_field_of_the_aim_are_explained(name: str) -> None:
    (found,) = GLOSSARY.find_terms("Hand: club", load(name))[:1]
    assert "white ring" in found.text
    assert "bright field" in found.text


@pytest.mark.parametrize("name", names())
def test_every_rule_number_is_explained_and_the_main_menu_knows_the_terms_of_every_game(name: str) -> None:
    game = load(name)
    own = {word for word, _ in GLOSSARY.sections_of(game)}
    assert own <= {word for word, _ in GLOSSARY.sections_of(None)}
    assert own <= {word for word, _ in GLOSSARY.help_lines(None)}
    (hint,) = GLOSSARY.find_terms("a hint", game)
    assert ("shots" in hint.text) == game.uses_physics, "by flicks at games of flicks alone"
    for row in game.rulebook:
        found = GLOSSARY.find_terms(f"See {row.id}.", game)
        assert [(one.term, one.text) for one in found] == [(row.id, row.text)]


def test_a_term_under_a_resting_mouse_gets_a_tooltip(app: App, drive: Driver) -> None:
    start_match(app, winks_match(), ("human",) * 4)
    drive.frames(3)
    said = next(said for said in app.tooltips.drawn_texts if said.source.startswith("Squidge-off"))
    drive.move((said.rect.x + 20, said.rect.centery))
    under = app.tooltips.term_under_mouse(app.game)
    assert under.term == "squidge-off"
    before = pygame.image.tobytes(app.surface, "RGB")
    drive.frames(40)
    assert pygame.image.tobytes(app.surface, "RGB") != before, "a box stands beside the mouse"
    drive.key(pygame.K_F2)
    assert isinstance(app.top, WordListScreen)
    assert app.top.page == "Here"
    assert "squidge-off" in [line.term for line in app.top.pages["Here"]]
    drive.key(pygame.K_F2)
    assert not isinstance(app.top, WordListScreen)


def test_every_screen_has_a_status_line(app: App, drive: Driver) -> None:
    app.show_main_menu()
    for screen in (
        None,
        NewGameScreen(app, load("tinkle")),
        OpenScreen(app, discover_game_views()),
        SettingsScreen(app),
    ):
        if screen is not None:
            app.push(screen)
        drive.frames(2)
        assert app.top.status_line() in [said.source for said in app.tooltips.drawn_texts], type(app.top).__name__
        assert "Esc" in app.top.status_line()


def test_help_and_menu_stay_in_the_status_line_of_a_small_window(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.preferences.scale = 2.0
    pygame.display.set_mode((640, 480), pygame.RESIZABLE)
    start_match(app, penny_white_match("human", "human"), ("human", "human"))
    drive.frames(3)
    foot = app.tooltips.drawn_texts[-1].source
    assert foot.split("  ·  ") == app.top.status_line().split("   ·   "), "smaller letters before any key is left out"
    monkeypatch.setattr(app.top, "status_line", lambda: "   ·   ".join([*["A key"] * 30, "? help", "Esc menu"]))
    drive.frames(1)
    foot = app.tooltips.drawn_texts[-1].source
    assert foot.startswith("A key")
    assert foot.endswith("? help  ·  Esc menu")


def test_the_background_of_an_overlay_is_redrawn_every_second_and_on_palette_changes(app: App, drive: Driver) -> None:
    start_match(app, penny_white_match("human", "human"), ("human", "human"))
    app.push(SettingsScreen(app))
    drive.frames(2)
    first = app.background
    drive.frames(3)
    assert app.background is first
    drive.key(pygame.K_RIGHT)
    drive.frames(2)
    second = app.background
    assert second is not first
    drive.frames(3, 0.4)
    assert app.background is not second, "a line there may tell how far something is"


@pytest.mark.parametrize("name", names())
def test_option_titles_are_plain_words(name: str) -> None:
    labels = [option_title(option) for option in options_of(load(name))]
    assert len(set(labels)) == len(labels)
    assert not [label for label in labels if "_" in label or "(" in label or label.startswith("What of")]
    by_name = dict(zip((option.name for option in options_of(load(name))), labels, strict=True))
    assert by_name.get("jack_mode", "Level of play") == "Level of play", "its value is 'experienced'"
    assert by_name.get("version", "Version") == "Version", "its value is 'british'"


def _over_a_match(app: App) -> Screen:
    app.push(match_screen(app, penny_white_match("human", "random")))
    return SettingsScreen(app)


@pytest.mark.parametrize(
    ("open_screen", "title"),
    [
        (lambda app: LessonsScreen(app, discover_game_views()), "Help"),
        (lambda app: OpenScreen(app, discover_game_views()), "Help"),
        (lambda app: app.routes.position_editor(app, load("penny-white"), None), "Penny White"),
        (_over_a_match, "Penny White"),
    ],
    ids=["lessons", "open", "position-editor", "settings-over-a-match"],
)
def test_f1_opens_the_help_of_the_screen_or_of_the_one_below(
    app: App, drive: Driver, open_screen: Callable[[App], Screen], title: str
) -> None:
    app.show_main_menu()
    app.push(screen := open_screen(app))
    drive.frames()
    drive.key(pygame.K_F1)
    assert isinstance(app.top, HelpScreen)
    assert title in drive.screen_text()
    drive.key(pygame.K_F1)
    assert app.top is screen


def test_a_question_mark_opens_the_help_over_a_dialog(app: App, drive: Driver) -> None:
    app.show_main_menu()
    app.push(LessonsScreen(app, discover_game_views()))
    drive.key(pygame.K_SLASH, text="?")
    assert isinstance(app.top, HelpScreen)


def test_headings_of_the_keys_stand_out(app: App, drive: Driver) -> None:
    app.show_main_menu()
    app.push(match_screen(app, penny_white_match("human", "random")))
    drive.key(pygame.K_SLASH, text="?")
    drive.frames()
    by_text = {said.source: said for said in app.tooltips.drawn_texts}
    heading, term = by_text["Flick"], by_text["Left  Right"]
    assert heading.bold
    assert heading.pixels > term.pixels


@pytest.mark.usefixtures("german")
def test_usual_values_stand_in_words_beside_the_rules(app: App) -> None:
    pages = [HelpScreen(app, game=load(name)).pages["Rules"] for name in names()]
    texts = [line.text for page in pages for line in page]
    assert any(text.endswith("Usually 2 per pack.)") for text in texts)
    assert [text for text in texts if "_" in text or translate(text).endswith(" no.)")] == []
