"""Words and rule numbers on the screen are explained, by mouse and by key; every screen says what can be done."""

from __future__ import annotations

import pygame
import pytest

from flicksim.games import load, names
from flicksim.referee import options_of
from flicksim.ui.faces import found
from flicksim.ui.frame.app import App
from flicksim.ui.frame.help import WordsScreen, plain
from flicksim.ui.frame.settings import SettingsScreen
from flicksim.ui.front.new_game import NewGameScreen
from flicksim.ui.front.open_files import OpenScreen
from flicksim.ui.match.starting import begin

from ..at_winks import winks_match
from ..conftest import Driver, match_of

GLOSSARY = found().glossary


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
def test_a_word_is_known_however_it_is_bent(text: str, word: str) -> None:
    found = GLOSSARY.meanings(text, load("tiddlywinks"))
    assert word in [one.word for one in found]
    assert all(one.says for one in found)


def test_words_within_words_are_left_alone() -> None:
    assert not GLOSSARY.meanings("spotted a potato, compiled", load("tiddlywinks"))


@pytest.mark.parametrize("name", names())
def test_the_front_door_knows_the_words_of_every_game(name: str) -> None:
    everywhere = {word for word, _ in GLOSSARY.words_of(None)}
    own = {word for word, _ in GLOSSARY.words_of(load(name))}
    assert own <= everywhere
    assert own <= {word for word, _ in GLOSSARY.listed(None)}


@pytest.mark.parametrize("name", names())
def test_every_rule_number_is_explained(name: str) -> None:
    game = load(name)
    for row in game.rows:
        found = GLOSSARY.meanings(f"See {row.id}.", game)
        assert [(one.word, one.says) for one in found] == [(row.id, row.text)]


def test_the_mouse_rests_on_a_word_and_it_is_explained(app: App, drive: Driver) -> None:
    begin(app, winks_match(), ("human",) * 4)
    drive.frames(3)
    said = next(said for said in app.explaining.said if said.text.startswith("Squidge-off"))
    drive.move((said.rect.x + 20, said.rect.centery))
    under = app.explaining.under(app.game)
    assert under is not None
    assert under.word == "squidge-off"
    before = pygame.image.tobytes(app.surface, "RGB")
    drive.frames(40)
    assert pygame.image.tobytes(app.surface, "RGB") != before, "a box stands beside the mouse"
    drive.key(pygame.K_F2)
    assert isinstance(app.top, WordsScreen)
    assert app.top.page == "Here"
    assert "squidge-off" in [line.word for line in app.top.pages["Here"]]
    drive.key(pygame.K_F2)
    assert not isinstance(app.top, WordsScreen)


def test_every_screen_says_what_can_be_done(app: App, drive: Driver) -> None:
    app.home()
    for screen in (None, NewGameScreen(app, load("tinkle")), OpenScreen(app, found()), SettingsScreen(app)):
        if screen is not None:
            app.push(screen)
        drive.frames(2)
        assert app.top.can() in [said.text for said in app.explaining.said], type(app.top).__name__
        assert "Esc" in app.top.can()


def test_help_and_menu_stay_at_the_foot_of_a_small_window(app: App, drive: Driver) -> None:
    app.preferences.scale = 2.0
    pygame.display.set_mode((640, 480), pygame.RESIZABLE)
    begin(app, match_of("human", "human"), ("human", "human"))
    drive.frames(3)
    foot = app.explaining.said[-1].text
    assert foot.startswith("Arrows aim")
    assert foot.endswith("? help   ·   Esc menu")


def test_what_lies_under_an_overlay_is_drawn_anew_every_second_and_in_other_colours(app: App, drive: Driver) -> None:
    begin(app, match_of("human", "human"), ("human", "human"))
    app.push(SettingsScreen(app))
    drive.frames(2)
    first = app.below
    drive.frames(3)
    assert app.below is first
    drive.key(pygame.K_RIGHT)
    drive.frames(2)
    second = app.below
    assert second is not first
    drive.frames(3, 0.4)
    assert app.below is not second, "a line there may tell how far something is"


@pytest.mark.parametrize("name", names())
def test_options_are_named_in_plain_words(name: str) -> None:
    labels = [plain(option) for option in options_of(load(name))]
    assert len(set(labels)) == len(labels)
    assert not [label for label in labels if "_" in label or "(" in label]
