"""Layout: no label is cut in the smallest usual window, with large letters, in German."""

from collections.abc import Callable
from pathlib import Path

import pygame
import pytest
from msgspec.structs import replace

from flicksim.games import load, names
from flicksim.gui.app import App, MatchSession, Screen, SettingsScreen
from flicksim.gui.board_view.board_screen import BoardScreen
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.match.overlays import EndScreen, PauseScreen
from flicksim.gui.menus.challenges import ChallengesScreen
from flicksim.gui.menus.new_game import NewGameScreen
from flicksim.gui.menus.open_files import OpenScreen
from flicksim.gui.menus.statistics import StatisticsScreen
from flicksim.gui.menus.welcome import WelcomeScreen
from flicksim.gui.online.host_screens import HostGameScreen
from flicksim.gui.toolkit import Button, Canvas, translation
from tests.matches import new_match, record_match

from ..conftest import Driver


@pytest.fixture
def cut_texts(german: None, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Labels that are cut while German is shown."""
    del german
    found: list[str] = []
    shorten: Callable[..., str] = Canvas.ellipsize

    def shortened(self: Canvas, text: str, width: int, size: float = 16.0, *, bold: bool = False) -> str:
        made = shorten(self, text, width, size, bold=bold)
        if made != translation.translate(text):
            found.append(f"{translation.translate(text)} -> {made}")
        return made

    monkeypatch.setattr(Canvas, "ellipsize", shortened)
    return found


@pytest.mark.parametrize(("size", "scale"), [((800, 600), 1.0), ((800, 600), 2.0), ((1280, 800), 1.5)])
def test_no_label_is_cut(
    app: App, drive: Driver, cut_texts: list[str], size: tuple[int, int], scale: float
) -> None:  # fmt: skip
    pygame.display.set_mode(size)
    app.preferences.scale = scale

    def look(screen: Screen) -> None:
        app.push(screen)
        drive.frames(2)

    for screen in (
        SettingsScreen(app), StatisticsScreen(app), WelcomeScreen(app), OpenScreen(app, discover_game_views()),
        *(HostGameScreen(app, load(name)) for name in names()),
    ):  # fmt: skip
        look(screen)
        app.pop()
    app.player.update_profile(lambda had: replace(had, name="Maximiliane"))
    look(WelcomeScreen(app))
    for name in names():
        game = load(name)
        look(NewGameScreen(app, game))
        fewest = max(2, game.seats[0])
        for count in (fewest, game.seats[1]) if game.uses_physics else (fewest,):
            match = new_match(name, *["human"] * count, seed=3)
            drive.show(app.routes.match_screen(app, MatchSession(match)), 2)
        look(PauseScreen(app, match, None))
        look(EndScreen(app, match, None, lambda: None))
    assert not cut_texts


@pytest.mark.usefixtures("cut_texts")
def test_hint_and_help_of_the_gesture_are_whole_and_legible_in_the_largest_letters(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    pygame.display.set_mode((800, 600))
    app.preferences.scale = 2.0
    match = new_match("penny-white", "human", "human", seed=3)
    match.play(new_match("penny-white", "random", "random", seed=3).ask_player())
    screen = drive.show(app.routes.match_screen(app, MatchSession(match)), 2)
    drive.wait_for_phase("choose")
    least, pane = Canvas(app.surface, app.scale).px(11), screen.card_area(app.screen_area)
    hint = (
        "So a club player would aim. The idea: lie near the white. Change it as you like, then flick. "
        "Dots: where 500 such shots of a club player come to rest."
    )
    for note, last in (("", "legen."), (hint, "enden.")):
        monkeypatch.setattr(screen, "_notice", note)
        drive.frames(2)
        lines = [drawn for drawn in app.tooltips.drawn_texts if drawn.rect.colliderect(pane)]
        assert lines[-1].text.endswith(last)
        assert min(drawn.pixels for drawn in lines) >= least


@pytest.mark.usefixtures("cut_texts")
def test_the_last_ruling_is_whole_beside_what_is_told_of_the_flick(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    pygame.display.set_mode((800, 600))
    told = "It went 4 % too hard. You let go after 0.4 s; held still for a second, the hand is calmest."
    monkeypatch.setattr(BoardScreen, "shot_feedback", told)
    match = new_match("penny-white", "human", "human", seed=3)
    match.play(new_match("penny-white", "random", "random", seed=3).ask_player())
    drive.show(app.routes.match_screen(app, MatchSession(match)), 2)
    assert "PW-10d" in drive.screen_text(), "the last rule of two"
    assert not [drawn.text for drawn in app.tooltips.drawn_texts if drawn.text.endswith("...")]


@pytest.mark.parametrize("language", ["en", "de"])
def test_labels_of_the_power_are_whole_in_a_small_window(
    app: App, drive: Driver, cut_texts: list[str], monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv(translation.LANGUAGE_VARIABLE, language)
    assert translation.set_language(language) == ""
    pygame.display.set_mode((640, 480))
    match = new_match("penny-white", "human", "human", seed=3)
    drive.show(app.routes.match_screen(app, MatchSession(match)), 2)
    assert not cut_texts


def test_setting_help_is_above_the_button_at_every_scale(app: App, drive: Driver) -> None:
    app.preferences.scale = 2.0
    app.push(screen := SettingsScreen(app))
    drive.frames(2)
    button = next(one for one in screen.form.widgets if isinstance(one, Button))
    assert screen.form.widgets[-2].rect.bottom + 2 * Canvas(app.surface, app.scale).line_height(14) <= button.rect.y


def test_nothing_of_a_table_of_cards_is_cut_in_the_largest_letters(drive: Driver, cut_texts: list[str]) -> None:
    pygame.display.set_mode((800, 600))
    drive.app.preferences.scale = 2.0
    match = new_match("tinkle", "human", *["bot:beginner"] * 3, seed=3)
    match.player_names = {0: "Maximilian"}
    drive.show(drive.app.routes.match_screen(drive.app, MatchSession(match)), 2)
    assert not cut_texts
    drawn = [said.source for said in drive.app.tooltips.drawn_texts]
    assert not [text for text in drawn if text.endswith("...")]
    assert "Dreiergruppe" in drawn
    assert any(translation.translate(text).startswith("0 Pkt.") for text in drawn)


@pytest.mark.parametrize("name", ["tiddlywinks", "ice"])
@pytest.mark.usefixtures("cut_texts")
def test_the_card_of_a_lesson_cuts_no_line_of_text(app: App, drive: Driver, name: str) -> None:
    app.preferences.scale = 2.0
    begin = app.routes.start_lesson(app, load(name))
    assert begin is not None
    begin()
    drive.frames(3)
    card = app.top.activity_card
    assert card is not None
    lines = [said for said in app.tooltips.drawn_texts if said.rect.colliderect(card.rect)]
    assert not [said.text for said in lines if not card.rect.contains(said.rect)]


def test_the_times_of_recorded_games_are_whole(app: App, drive: Driver, home: Path, cut_texts: list[str]) -> None:
    pygame.display.set_mode((800, 600))
    app.preferences.scale = 1.3
    (games := home / "data" / "games").mkdir(parents=True)
    record_match(games / "game-0001.jsonl", "tiddlywinks", *["random"] * 4, turns=1)
    drive.show(OpenScreen(app, discover_game_views()), 2)
    assert not [text for text in cut_texts if text.startswith("Tiddlywinks, 1 Zug")]


@pytest.mark.parametrize("name", ["penny-white", "tiddlywinks", "ice"])
def test_a_notice_at_a_table_of_flicks_covers_no_button(app: App, drive: Driver, name: str) -> None:
    pygame.display.set_mode((800, 600))
    match = new_match(name, *["human"] * load(name).seats[1], seed=3)
    screen = drive.show(app.routes.match_screen(app, MatchSession(match)), 2)
    assert screen.notice_area is not None
    assert not [one.label for one in screen.form.widgets if screen.notice_area.colliderect(one.rect)]  # type: ignore[attr-defined]
    drive.key(pygame.K_F6)
    drive.frames(2)
    assert screen.notice_area is None, "without panels it stands at the foot"


def test_a_notice_in_the_main_menu_covers_neither_name_nor_subtitle(app: App, drive: Driver) -> None:
    app.show_main_menu()
    app.show_notice("You have won: from now on, bots in quick games of Penny White play at grade club. " * 2)
    drive.frames(2)
    covered = [drawn.text for drawn in app.tooltips.drawn_texts if drawn.rect.colliderect(app.notice.rect)]
    assert not [text for text in covered if text.startswith("flick")]


def _covered(app: App, drive: Driver) -> list[object]:
    """Widgets of the top screen that a long notice covers, and its activity card."""
    drive.frames(2)
    app.show_notice("The position is kept as a file with a long name in a folder with a long name. " * 2)
    drive.frames(2)
    card = app.top.activity_card
    parts = [*app.top.form.widgets, *([card] if card is not None else [])]  # type: ignore[attr-defined]
    return [part for part in parts if part.rect.colliderect(app.notice.rect)]


@pytest.mark.parametrize("size", [(800, 600), (1280, 800)])
def test_a_notice_covers_neither_a_button_nor_a_goal(drive: Driver, home: Path, size: tuple[int, int]) -> None:
    del home
    pygame.display.set_mode(size)
    views = discover_game_views()
    for screen in (ChallengesScreen(drive.app, views), OpenScreen(drive.app, views), StatisticsScreen(drive.app)):
        drive.show(screen)
        assert not _covered(drive.app, drive), screen
    for name in names():
        begin = drive.app.routes.start_lesson(drive.app, load(name))
        assert begin is not None
        begin()
        assert not _covered(drive.app, drive), name


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("name", names())
def test_every_button_of_a_table_shows_its_key_in_a_small_window(app: App, drive: Driver, name: str) -> None:
    """At tiddlywinks "Ganze Matte" and "Tafeln weg" had no room for theirs, in the smallest letters."""
    pygame.display.set_mode((800, 600))
    match = new_match(name, *["human"] * load(name).seats[0], seed=3)
    screen = drive.show(app.routes.match_screen(app, MatchSession(match)), 2)
    drawn = [(said.source.strip(), said.rect) for said in app.tooltips.drawn_texts]
    buttons = [widget for widget in screen.form.widgets if isinstance(widget, Button) and widget.shortcut]
    assert buttons
    for button in buttons:
        shown = [text for text, rect in drawn if button.rect.contains(rect)]
        assert button.shortcut in shown, (button.label, shown)
