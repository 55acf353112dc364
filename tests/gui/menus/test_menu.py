"""Main menu: quick games, seats and options, the last game, files and those listed again, settings, practice."""

import os
import re
import secrets
import shutil
from itertools import count, islice
from math import pi
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pygame
import pytest

from flicksim.ai import GRADES
from flicksim.core.paths import assets_dir
from flicksim.games import load
from flicksim.gui.app import App, HelpScreen
from flicksim.gui.app.window import clamp_window_size
from flicksim.gui.board_view.board_screen import BoardScreen
from flicksim.gui.card_view.card_screen import CardScreen
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.game_views.ice.ice_screen import IceScreen
from flicksim.gui.game_views.tiddlywinks.practice_screen import PracticeScreen
from flicksim.gui.game_views.tiddlywinks.tiddlywinks_screen import TiddlywinksScreen
from flicksim.gui.game_views.tinkle.tinkle_table import TinkleTable
from flicksim.gui.match import saved_games
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.match.overlays import ConfirmScreen
from flicksim.gui.match.replay import ReplayScreen
from flicksim.gui.match.saved_games import GameSaver, OnTurn, ResumedGame
from flicksim.gui.match.start_match import has_beginner_bot, quick_seats, start_match
from flicksim.gui.menus import openable_items
from flicksim.gui.menus.main_menu import MainMenuScreen, StaticMiniature, miniature_of
from flicksim.gui.menus.new_game import LastSetup, NewGameScreen, save_setup
from flicksim.gui.menus.open_files import OpenScreen
from flicksim.gui.menus.openable_items import OpenableItem, item_from_path
from flicksim.gui.menus.welcome import WelcomeScreen
from flicksim.gui.startup import create_window, open_window
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import Button, Canvas, TextField, clipboard, palette
from flicksim.match import MatchLimits, encode_match, format_game
from flicksim.scene import Flick
from tests.matches import new_match, record_match
from tests.polling import TIMEOUT

from ..conftest import Driver, FakeRecorder, penny_white_match

pytestmark = pytest.mark.usefixtures("home")


def _menu(app: App, drive: Driver) -> MainMenuScreen:
    return drive.show(MainMenuScreen(app, discover_game_views()))


def _new_game(app: App, drive: Driver, game: str) -> NewGameScreen:
    """New game screen with all rows."""
    new = NewGameScreen(app, load(game))
    new.has_more_options.cycle(1)
    return drive.show(new)


def test_one_key_or_click_starts_every_game_and_one_opens_its_options(app: App, drive: Driver) -> None:
    for number, card in enumerate(_menu(app, drive).cards):
        for start in (lambda n=number: drive.key(pygame.K_1 + n), lambda c=card: drive.click(c.rect.center)):
            _menu(app, drive)
            start()
            assert isinstance(app.top, MatchScreen)
            assert app.top.match.game.name == card.game.name
            assert app.top.match.players[0] is None
    menu = _menu(app, drive)
    drive.click((menu.cards[1].rect.right - 30, menu.cards[1].rect.bottom - 14))
    assert isinstance(app.top, NewGameScreen)


def test_a_quick_game_has_sensible_seats_and_bots_wait_for_beginners() -> None:
    assert quick_seats(load("penny-white"), "club") == quick_seats(load("ice"), "club") == ("human", "bot:club")
    assert quick_seats(load("tiddlywinks"), "beginner") == ("human", "bot:beginner", "human", "bot:beginner")
    assert quick_seats(load("dominoes"), "club") == ("human", *["bot:club"] * 3)
    assert has_beginner_bot(("human", "bot:beginner"))
    assert not has_beginner_bot(("human", "bot:club"))


def test_the_window_fits_the_screen() -> None:
    assert clamp_window_size((1280, 800), [(1920, 1080), (640, 480)]) == (1280, 800)
    assert clamp_window_size((1280, 800), [(1280, 800)]) == (1280, 800)
    assert clamp_window_size((1280, 800), [(1366, 768)]) == (1280, 696)
    assert clamp_window_size((1280, 800), [(320, 200)]) == (640, 480)
    assert clamp_window_size((1280, 800), []) == (1280, 800)


def test_the_window_shows_its_name_before_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[tuple[int, ...]]] = []

    def look() -> None:
        surface = pygame.display.get_surface()
        row = surface.get_rect().centery
        seen.append({tuple(surface.get_at((x, row))[:3]) for x in range(surface.width)})

    monkeypatch.setattr(pygame.display, "flip", look)
    create_window().close()
    assert [{palette.BACKGROUND, palette.TEXT} <= colours for colours in seen] == [True]


def test_both_startup_errors_are_reported(home: Path) -> None:
    for folder, name in (("config", "settings.json"), ("data/player", "profile.json")):
        (home / folder).mkdir(parents=True)
        (home / folder / name).write_bytes(b"{")
    window = open_window(None, None, None, None)
    try:
        assert "The usual settings are used" in window.notice.text
        assert "Your profile is reset" in window.notice.text
        assert isinstance(window.top, WelcomeScreen)
    finally:
        window.close()


def test_the_setup_opened_from_the_shell_shows_the_table_as_from_the_menu(home: Path) -> None:
    del home
    window = open_window(load("ice"), None, None, None)
    try:
        setup = Driver(window).top(NewGameScreen)
        Driver(window).frames(1)
        assert setup.is_animating, "the table moves under the rows"
        window.pop()
        assert isinstance(window.top, MainMenuScreen)
    finally:
        window.close()


def test_arrows_move_the_focus_between_cards_and_buttons_and_hide_a_notice(app: App, drive: Driver) -> None:
    menu = _menu(app, drive)
    assert menu.form.focused is menu.cards[0]
    drive.key(pygame.K_RIGHT)
    assert menu.form.focused is menu.cards[1]
    drive.key(pygame.K_DOWN)
    assert menu.form.focused in menu.cards[2:]
    for _ in range(4):
        drive.key(pygame.K_RIGHT)
    assert menu.form.focused not in menu.cards
    drive.key(pygame.K_LEFT)
    assert menu.form.focused in menu.cards
    menu.notice = "Playing online needs the extra net."
    drive.key(pygame.K_DOWN)
    assert menu.notice == ""


def test_miniatures_are_animated_and_titles_of_the_games_level(app: App, drive: Driver) -> None:
    menu = _menu(app, drive)
    first = pygame.image.tobytes(app.surface, "RGB")
    drive.frames(30)
    assert pygame.image.tobytes(app.surface, "RGB") != first
    for card in menu.cards:  # every shipped game has one
        assert not isinstance(miniature_of(discover_game_views(), card.game), StaticMiniature)
    cards = drive.top(MainMenuScreen).cards
    assert {card.line_count for card in cards} == {3}, "one sentence takes three lines"
    tops = [said.rect for said in app.tooltips.drawn_texts if any(said.text == card.game.title for card in cards)]
    told = [said.rect for said in app.tooltips.drawn_texts if any(said.text in card.game.summary for card in cards)]
    assert len(tops) == len(cards)
    assert all(min(line.y for line in told if line.y > top.y and abs(line.x - top.x) < 60) > top.bottom for top in tops)


def test_a_game_without_a_recorded_miniature_has_a_static_one() -> None:
    """The static miniature shows the name, independent of time."""
    cards = []
    for title, t in (("Sixth", 0.0), ("Sixth", 3.0), ("Seventh", 0.0)):
        surface = pygame.Surface((240, 150))
        StaticMiniature(title).draw(Canvas(surface), surface.get_rect(), t)
        cards.append(pygame.image.tobytes(surface, "RGB"))
    assert cards[0] == cards[1]
    assert cards[0] != cards[2]
    assert bytes(palette.FELT) in cards[0]


def test_options_can_be_set_by_keyboard(app: App, drive: Driver) -> None:
    _menu(app, drive)
    drive.key(pygame.K_m)
    new = drive.top(NewGameScreen)
    assert new.seed not in new.form.widgets
    ends, jack_mode, removals = map(new.options.fields.get, ("ends", "jack_mode", "removals_per_coin"))
    for widget, move, keys in (
        (new.has_more_options, pygame.K_DOWN, (pygame.K_SPACE, pygame.K_DOWN, pygame.K_RIGHT)),  # first seat: random
        (ends, pygame.K_DOWN, (pygame.K_RIGHT,)), (jack_mode, pygame.K_DOWN, (pygame.K_RIGHT,)),
        (removals, pygame.K_DOWN, (pygame.K_SPACE,)),
        (new.seed, pygame.K_TAB, (pygame.K_DELETE, pygame.K_4, pygame.K_2)),
        (drive.button("Start"), pygame.K_TAB, (pygame.K_RETURN,)),
    ):  # fmt: skip
        while new.form.focused is not widget:
            drive.key(move)
        drive.keys(*keys)
    match = drive.top(BoardScreen).match
    options = match.options
    assert (match.streams.seed, options.ends, options.jack_mode, options.removals_per_coin) == (
        42, 7, "beginner", False,
    )  # fmt: skip
    assert match.players[0] is not None


@pytest.mark.parametrize(
    ("who", "game", "seats"),
    [
        (0, "penny-white", ["human", "bot:expert"]), (1, "penny-white", ["human", "human"]),
        (2, "penny-white", ["bot:expert"] * 2), (0, "tiddlywinks", ["human", "bot:expert"] * 2),
        (1, "tiddlywinks", ["human"] * 4), (1, "tinkle", ["human", "human", "bot:expert", "bot:expert"]),
    ],
)  # fmt: skip
def test_the_choice_of_players_fills_the_seats(app: App, who: int, game: str, seats: list[str]) -> None:
    new = NewGameScreen(app, load(game))
    new.grade.index = list(GRADES).index("expert")
    new.who.cycle(who)
    if not who:
        new.who.cycle(0)
    assert [seat.seat_spec for seat in new.seat_rows] == seats
    assert (new.friend in new.form.widgets) is (who == 1)


def test_seat_rows_round_trip_and_a_new_grade_keeps_grades_chosen_for_single_seats(app: App) -> None:
    new = NewGameScreen(app, load("tinkle"))
    for word in ("human", "human/world", "bot:club", "bot:expert/club", "bot:beginner", "random"):
        new.seat_rows[2].set_occupant(word)
        assert new.seat_rows[2].seat_spec == word
    new.seat_rows[3].set_occupant("bot:world")
    new.grade.cycle(2)
    assert [seat.seat_spec for seat in new.seat_rows] == ["human", "bot:expert", "random", "bot:world"]


def test_tab_reaches_every_group_and_button(app: App, drive: Driver) -> None:
    new = _new_game(app, drive, "tiddlywinks")
    focused = []
    for _ in range(7):
        focused.append(new.form.focused)
        drive.key(pygame.K_TAB)
    assert focused[0] is new.form.focused is new.who
    assert focused[3:] == [new.seed, *map(drive.button, ("Start", "Usual rules", "Back"))]
    drive.key(pygame.K_TAB, pygame.KMOD_SHIFT)
    assert new.form.focused is drive.button("Back")


def test_the_setup_shows_the_table_where_its_rows_leave_room(app: App, drive: Driver) -> None:
    drawn = list[tuple[pygame.Rect, float]]()
    miniature = SimpleNamespace(draw=lambda _, rect, t: drawn.append((rect.copy(), t)))
    screen = drive.show(NewGameScreen(app, load("ice"), "", miniature), 20)
    table, time = drawn[-1]
    assert time > drawn[0][1]
    assert table.h >= 150
    assert table.collidelist([row.rect for row in screen.list.rows]) < 0
    app.preferences.reduced_motion = True
    drive.frames(20)
    assert drawn[-1][1] == time, "nothing moves by itself then"
    screen.has_more_options.cycle(1)
    drawn.clear()
    drive.frames(2)
    assert not drawn, "all options need the room"


def test_execution_noise_and_names_by_seat_are_used_and_restored(app: App, drive: Driver) -> None:
    for opening in (True, False):
        new = NewGameScreen(app, load("penny-white"))
        app.replace_all(new)
        if opening:
            new.who.cycle(1)
            new.side.cycle(1)
            new.friend.text = "Bo"
            new.seat_rows[0].noise.cycle(4)
            new.seat_rows[1].noise.cycle(1)
        else:
            assert new.has_more_options.index  # rows that differ from the default are visible
        assert [seat.seat_spec for seat in new.seat_rows] == ["human/world", "human/beginner"]
        new.start()
        drive.frames()
        table = drive.top_screen
        assert table.match.noise == (GRADES["world"], GRADES["beginner"])
        assert [match_text.player_text(table.match, seat) for seat in range(2)] == ["Bo, world", "human, beginner"]
    drive.key(pygame.K_y)  # changes the execution noise of the seat to act
    acting = table.match.to_play
    assert table.match.noise[1 - acting] == GRADES[("world", "beginner")[1 - acting]]
    assert table.match.noise[acting] == GRADES[("beginner", "club")[acting]]


def test_the_last_options_are_restored_unless_they_are_unknown(app: App) -> None:
    screen = NewGameScreen(app, load("penny-white"))
    ends, off_rule = screen.options.fields["ends"], screen.options.fields["off_rule"]
    ends.text = "3"
    off_rule.cycle(1)
    screen.takebacks.cycle(1)
    screen.start()
    again = NewGameScreen(app, load("penny-white"))
    same = again.options.fields["ends"], again.options.fields["off_rule"]
    assert (same[0].value, same[1].value) == ("3", off_rule.value)
    assert again.takebacks.index == 1
    assert again.has_more_options.index == 1, "what is not as usual is shown"
    save_setup("penny-white", LastSetup(who="you", seats=("human", "bot:club"), options={"ends": "many", "gone": "1"}))
    ends = NewGameScreen(app, load("penny-white")).options.fields["ends"]
    assert ends.value == str(load("penny-white").options().ends)


def test_names_are_the_default_or_that_of_a_friend(app: App, drive: Driver) -> None:
    screen = NewGameScreen(app, load("penny-white"))
    screen.has_more_options.cycle(1)
    app.push(screen)
    drive.frames(1)
    assert screen.seat_rows[0].name.placeholder == "you"
    assert "you" in [drawn.source for drawn in app.tooltips.drawn_texts]
    new = NewGameScreen(app, load("penny-white"))
    app.push(new)
    assert new.grade.value == "beginner"  # never played here
    new.who.cycle(1)
    new.friend.text = "  Bo\n"
    new.start()
    table = drive.top(BoardScreen)
    assert table.match.player_names == {1: "Bo"}
    assert app.player.profile.friends == ("Bo",)
    drive.frames()
    alike = NewGameScreen(app, load("penny-white"))
    for seat in alike.seat_rows:
        seat.name.text = "Ada"
    alike.start()
    assert drive.top(BoardScreen).match.player_names == {0: "Ada", 1: "Ada 2"}, "two people, told apart"


def test_a_new_game_is_started_from_any_row_by_the_key_on_its_button(app: App, drive: Driver) -> None:
    new = _new_game(app, drive, "penny-white")
    who = new.who.value
    drive.key(pygame.K_RETURN)
    assert app.top is new
    assert new.who.value != who, "Enter changes the row, as the line at the bottom says"
    assert "Enter change them" in new.status_line()
    assert "Ctrl + Enter" in drive.screen_text()
    drive.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
    assert isinstance(app.top, MatchScreen)


def test_a_corrupt_setup_file_is_reported(app: App, home: Path) -> None:
    (home / "data" / "player").mkdir(parents=True)
    (home / "data" / "player" / "seats.json").write_text('{"ice": {"who": "you", "seats": ["nobody"]}}')
    new = NewGameScreen(app, load("ice"))
    assert "Seats are as usual: no seat 'nobody'" in app.notice.text
    assert new.who.value == "you"


def test_the_number_of_seats_is_that_of_the_field(app: App, drive: Driver) -> None:
    menu = _menu(app, drive)
    menu.open_new_game(load("dominoes"))
    new = drive.top(NewGameScreen)
    new.has_more_options.cycle(1)
    assert len(new.seat_rows) == 4
    new.options.fields["version"].handle_key(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_LEFT, unicode=""))
    assert "DO-A4" in new.error  # the American game is for five and more
    drive.frames()
    new.form.focus = new.form.widgets.index(new.count)
    drive.key(pygame.K_RIGHT)
    assert len(new.seat_rows) == 5
    assert not new.error
    drive.click(drive.button("Start").rect.center)
    assert [player is None for player in drive.top(CardScreen).match.players] == [True, False, False, False, False]


@pytest.mark.parametrize("typed", ["²", "--5", "٣", "9" * 40])
@pytest.mark.parametrize("which", ["count", "seed"])
def test_malformed_numbers_are_refused_with_a_message(app: App, drive: Driver, typed: str, which: str) -> None:
    new = _new_game(app, drive, "ice")
    field = {"count": new.count, "seed": new.seed}[which]
    new.form.focus = new.form.widgets.index(field)
    drive.key(pygame.K_DELETE)
    drive.type(typed)
    drive.frames()
    assert "must be a whole number" in new.error
    drive.key(pygame.K_RIGHT)
    drive.frames()


def test_an_option_value_with_unusual_characters_can_be_chosen(app: App, drive: Driver) -> None:
    """DO-X3: nobody wins a tied round."""
    new = _new_game(app, drive, "dominoes")
    tie = new.options.fields["tie"]
    new.form.focus = new.form.widgets.index(tie)
    while tie.value != "none":
        drive.key(pygame.K_RIGHT)
    assert not new.error
    new.start()
    drive.frames()
    assert drive.top(CardScreen).match.options.tie == "none"


def test_options_that_the_rules_recommend_against_are_told(untranslated: set[str], app: App, drive: Driver) -> None:
    """TW-2a, TW-2c: the game may be started all the same."""
    new = _new_game(app, drive, "tiddlywinks")
    assert "TW-2" not in drive.screen_text()
    assert new.options.restore("mat_material", "bare")
    new.options.restore("mat_size_mm", "1500,900")
    new.options.fields["foul_keep_extras"].cycle(1)
    assert "(TW-2a)" in drive.screen_text()
    assert "(TW-2c)" in drive.screen_text()
    assert not new.error
    assert not untranslated


def test_a_word_or_one_of_a_few_numbers_is_chosen_and_said_in_words(app: App, drive: Driver) -> None:
    new = _new_game(app, drive, "tinkle")
    jokers, packs = (new.options.fields[name] for name in ("jokers", "packs"))
    assert "2 per pack" in drive.screen_text()
    assert "2_per_pack" not in drive.screen_text()
    jokers.cycle(2)
    packs.cycle(1)
    assert new.options.chosen() == {"jokers": "0", "packs": "1"}
    assert new.options.restore("jokers", "12")
    assert new.options.parsed().jokers == 12
    assert isinstance(new.options.fields["max_turns"], TextField), "of many numbers one is typed"


def test_every_option_has_a_row_and_a_sentence_and_invalid_values_are_reported(app: App, drive: Driver) -> None:
    game = load("penny-white")
    new = NewGameScreen(app, game)
    new.has_more_options.cycle(1)
    assert list(new.options.fields) == list(game.options.__struct_fields__)
    assert all(field.help_text for field in new.options.fields.values())
    new = _new_game(app, drive, "penny-white")
    new.form.focus = new.form.widgets.index(new.options.fields["board_mm"])
    drive.keys(pygame.K_BACKSPACE, pygame.K_BACKSPACE)
    assert "board_mm" in new.error
    assert "650" in new.error
    assert not drive.button("Start").enabled
    drive.click(drive.button("Usual rules").rect.center)
    assert new.error == ""
    drive.click(drive.button("Start").rect.center)
    assert isinstance(app.top, BoardScreen)


def test_escape_goes_back_and_finally_closes(app: App, drive: Driver) -> None:
    app.push(MainMenuScreen(app, discover_game_views()))
    app.push(NewGameScreen(app, load("penny-white")))
    for back in (pygame.K_ESCAPE, pygame.K_ESCAPE):
        drive.key(back)
        assert isinstance(app.top, MainMenuScreen)
        drive.key(pygame.K_QUESTION, text="?")
        assert isinstance(app.top, HelpScreen)
    drive.keys(pygame.K_ESCAPE, pygame.K_ESCAPE)
    assert isinstance(app.top, ConfirmScreen)
    drive.key(pygame.K_ESCAPE)
    assert isinstance(app.top, MainMenuScreen)
    drive.keys(pygame.K_ESCAPE, pygame.K_y)
    assert not app.running


def test_games_started_in_the_window_are_recorded_and_closed(app: App, drive: Driver) -> None:
    recorder = FakeRecorder()
    app.make_recorder = lambda _: recorder
    _menu(app, drive)
    drive.key(pygame.K_RETURN)
    app.replace_all(MainMenuScreen(app, discover_game_views()))
    assert recorder.calls == ["close"]


def test_the_last_game_is_continued(app: App, drive: Driver, home: Path) -> None:
    for _ in range(2):
        _menu(app, drive)
        assert not drive.button("Continue").enabled
        drive.key(pygame.K_1)  # left without a turn, it is not kept
        assert not list(home.rglob("*.jsonl"))
    drive.wait_for_phase("choose")
    drive.key(pygame.K_SPACE)
    drive.wait_for_phase("show")
    drive.key(pygame.K_f)
    drive.wait_for_phase("choose", "hold")
    played, state = len(drive.top_screen.match.turns), drive.top_screen.match.state
    menu = _menu(app, drive)
    assert drive.button("Continue").enabled
    drive.key(pygame.K_c)
    drive.until(lambda: app.top is not menu)
    assert isinstance(app.top, BoardScreen)
    assert len(app.top.match.turns) >= played
    assert app.top.match.turns[played - 1].after == state
    assert [player is None for player in app.top.match.players] == [True, False]


def test_launches_and_squidges_are_practised_from_the_main_menu(app: App, drive: Driver) -> None:
    _menu(app, drive)
    drive.type("i")
    assert drive.top(IceScreen).match.players == (None,)
    _menu(app, drive)
    drive.key(pygame.K_p)
    assert isinstance(app.top, PracticeScreen)


def test_a_corrupt_record_is_refused_with_a_message(app: App, drive: Driver, home: Path) -> None:
    folder = home / "data" / "games"
    folder.mkdir(parents=True)
    (folder / "game-0001.jsonl").write_text("nonsense\n")
    menu = _menu(app, drive)
    assert "no flicksim record" in menu.progress_text
    drive.key(pygame.K_c)
    while "no flicksim record" not in menu.notice:
        drive.frames()
    assert app.top is menu
    damaged = folder / "game-0002.jsonl"
    record_match(damaged, "penny-white", "random", "random", turns=3)
    lines = damaged.read_bytes().splitlines(keepends=True)
    damaged.write_bytes(b"".join([*lines[:3], b"nonsense\n", *lines[3:]]))
    menu = _menu(app, drive)
    assert menu.progress_text == "Penny White, 2 turns", "those before the line that cannot be read"
    drive.key(pygame.K_c)
    drive.until(lambda: menu.notice)
    assert menu.notice.endswith("The turns before it are offered under Open.")


def test_a_finished_game_is_replayed(app: App, drive: Driver) -> None:
    match = penny_white_match("bot:beginner", "bot:beginner", ends=1)
    recorder = GameSaver(match, ("bot:beginner", "bot:beginner"))
    for turn in match.run():
        recorder.write_turn(turn)
    recorder.close()
    assert saved_games.last_unfinished() is None
    assert [path.name for path in saved_games.saved_records()] == ["done-0001.jsonl"]
    opening = drive.show(OpenScreen(app, discover_game_views()))
    assert "Penny White" in opening.items[0].title
    assert "Enter: look through" in opening.status_line()
    assert not opening.secondary_button.enabled, "there is nothing to go on with"
    opening.open_selected()
    drive.until(lambda: app.top is not opening)
    assert isinstance(app.top, ReplayScreen)


def test_a_game_written_as_text_is_gone_on_with_or_looked_through(app: App, drive: Driver, tmp_path: Path) -> None:
    seats, file = ("human", "human"), tmp_path / "game.fgn"
    match, bot = new_match("dominoes", *seats, seed=4), new_match("dominoes", "random", "random", seed=4)
    for _ in range(3):
        match.play(bot.play(bot.ask_player()).made)
    file.write_text(format_game(match, seats))
    opening = drive.show(OpenScreen(app, discover_game_views(), file))
    assert opening.items[0].title.startswith("Tiddly-Wink dominoes, 3 turns")
    assert "A game written as text, in game.fgn." in drive.screen_text()
    opening.open_selected(is_primary=False)
    drive.until(lambda: app.top is not opening)
    assert [turn.made for turn in drive.top(ReplayScreen).turns] == [turn.made for turn in match.turns]
    app.pop()
    opening.open_selected()
    drive.until(lambda: app.top is not opening)
    assert drive.top(MatchScreen).match.state == match.state


@pytest.mark.parametrize(
    ("is_continued", "key"), [(True, pygame.K_ESCAPE), (False, pygame.K_ESCAPE), (True, pygame.K_5)]
)
def test_a_game_that_is_played_again_says_how_far_until_it_is_stopped(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch, is_continued: bool, key: int
) -> None:
    """By Esc, or by another game."""
    match, is_stopped = penny_white_match("human", "human"), Event()
    keeper = GameSaver(match, ("human", "human"))
    keeper.write_turn(match.play(Flick(piece="white", speed=1.0, azimuth=pi / 2)))
    keeper.close()

    def replay_for_ever(*_: object, on_turn: OnTurn, **_options: object) -> ResumedGame:
        try:
            while True:
                on_turn(34, 110)
        finally:
            is_stopped.set()

    monkeypatch.setattr(saved_games, "resume", replay_for_ever)
    app.show_main_menu()
    screen = app.top if is_continued else drive.show(OpenScreen(app, discover_game_views()))
    drive.key(pygame.K_c if is_continued else pygame.K_RETURN)
    drive.until(lambda: "Turn 34 of 110 is played again ..." in drive.screen_text())
    assert not screen.is_animating, "frames take time from the replay"
    assert screen.status_line() == "Esc stops"
    drive.key(key)
    drive.until(is_stopped.is_set)
    drive.frames(2)
    assert (app.top is screen) is (key == pygame.K_ESCAPE)
    assert "is played again" not in drive.screen_text()


def _notation_item(folder: Path, most_turns: int, old: str, new: str) -> OpenableItem:
    """Entry of a game of dominoes written as text, one part of which is replaced."""
    bounds = MatchLimits(turns=most_turns)
    match = new_match("dominoes", "random", "random", seed=4, bounds=bounds)
    list(islice(match.run(), 3))
    written = re.sub(old, new, format_game(match, ("random", "random")), count=1)
    (folder / "game.fgn").write_text(written)
    return item_from_path(folder / "game.fgn")


@pytest.mark.parametrize(("old", "new"), [
    ("", ""), ("\n\n", "\n"), (r"\[Game ", "[Game  "), (r"\[Game ", "  [Game "), ("dominoes", r"domino\\u0065s"),
])  # fmt: skip
def test_a_game_written_as_text_is_listed_as_it_is_read(tmp_path: Path, old: str, new: str) -> None:
    item = _notation_item(tmp_path, 9, old, new)
    assert item.title.startswith("Tiddly-Wink dominoes, 3 turns")
    assert not item.is_over
    assert len(item.replay().match.turns) == 3


def test_the_result_of_a_game_written_as_text_is_in_its_tag(tmp_path: Path) -> None:
    assert _notation_item(tmp_path, 3, "", "").is_over
    assert not _notation_item(tmp_path, 9, r"\[State", '[Site "; won by "]\n[State').is_over
    assert "has no tag Game" in _notation_item(tmp_path, 9, r"\[Game .*\n", "").error


def test_a_game_without_a_result_that_turns_out_to_be_over_is_only_replayed(drive: Driver, tmp_path: Path) -> None:
    item = _notation_item(tmp_path, 3, r"\[Result .*\n", "")
    opening = drive.show(OpenScreen(drive.app, discover_game_views(), item.path))
    drive.until(lambda: not opening.secondary_button.enabled)
    assert opening.primary_button.label == "Look through"


def test_a_game_is_told_to_be_played_again_while_its_picture_is_due(
    app: App, drive: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_drawn, replay = Event(), OpenableItem.replay
    monkeypatch.setattr(OpenableItem, "replay", lambda item: is_drawn.wait(TIMEOUT) and replay(item))
    drive.show(OpenScreen(app, discover_game_views(), _notation_item(tmp_path, 9, "", "").path))
    drive.until(lambda: "The game is played again ..." in drive.screen_text())
    is_drawn.set()
    drive.until(lambda: "is played again" not in drive.screen_text())


def test_the_picture_of_a_position_follows_the_size_of_the_window(app: App, drive: Driver) -> None:
    opening = drive.show(OpenScreen(app, discover_game_views()), 2)
    opening.list.index = next(k for k, item in enumerate(opening.items) if item.state is not None and not item.is_study)
    widths = set()
    for size in ((1280, 800), (800, 600)):
        pygame.display.set_mode(size)
        drive.frames(2)
        assert opening.drawn_item is not None
        widths.add(opening.drawn_item[1].get_width())
    assert len(widths) == 2


def test_a_file_with_the_title_of_another_is_not_shown_by_its_picture(app: App, drive: Driver, tmp_path: Path) -> None:
    item = _notation_item(tmp_path, 9, "", "")
    opening = drive.show(OpenScreen(app, discover_game_views(), item.path))
    drive.until(lambda: opening.drawn_item is not None)
    altered = tmp_path / "altered.fgn"
    altered.write_text(re.sub(r"^2\. .*", "2. Dot => nonsense", item.notation, flags=re.MULTILINE))
    os.utime(altered, ns=(0, item.path.stat().st_mtime_ns))
    opening.add_file(altered)
    assert opening.items[0].title == item.title
    drive.until(lambda: "line" in opening.items[0].error)
    assert not opening.primary_button.enabled
    count = len(opening.items)
    opening.add_file(item.path)
    opening.add_file(altered)
    assert len(opening.items) == count, "each file is listed once"


def test_files_with_one_title_are_told_apart_by_their_names(app: App, drive: Driver, tmp_path: Path) -> None:
    item = _notation_item(tmp_path, 9, "", "")
    longer = tmp_path / "other.fgn"
    longer.write_text(item.notation.replace("[Seed 4]", '[Seed 4]\n[Site "home"]'))
    os.utime(longer, ns=(0, item.path.stat().st_mtime_ns))
    opening = drive.show(OpenScreen(app, discover_game_views(), item.path))
    assert opening.list.lines[0] == item.title
    opening.add_file(longer)
    assert opening.list.lines[:2] == [f"other.fgn  ·  {item.title}", f"game.fgn  ·  {item.title}"]
    assert "other.fgn" in drive.screen_text()
    (tmp_path / "a").mkdir()
    namesake = shutil.copy2(longer, tmp_path / "a" / "other.fgn")
    opening.add_file(namesake)
    assert opening.list.lines[:3] == [
        f"{Path(folder, name)}  ·  {item.title}"
        for folder, name in (("a", "other.fgn"), (tmp_path.name, "other.fgn"), ("", "game.fgn"))
    ], "files of one name are told apart by their folders"


def test_shared_games_with_one_title_have_each_its_own_standing_and_are_listed_once(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = []
    for seed in (1, 2):
        match = new_match("tinkle", *["random"] * 3, seed=seed)
        list(islice(match.run(), 40))
        texts.append(encode_match(match))
    opening = drive.show(OpenScreen(app, discover_game_views(), text=texts[0]))
    for text in (texts[1], texts[0]):
        drive.until(lambda: opening.items[0].summary is not None)
        monkeypatch.setattr(clipboard, "paste", lambda text=text: text)
        opening.paste_shared()
        assert opening.items[0].summary is None
    assert opening.items[0].title == opening.items[1].title != opening.items[2].title


def test_the_status_line_tells_what_enter_does_with_the_typed_path(app: App, drive: Driver, tmp_path: Path) -> None:
    (tmp_path / "a.fgn").write_text("nothing")
    opening = drive.show(OpenScreen(app, discover_game_views()))
    opening.form.focus = opening.form.widgets.index(opening.path)
    assert opening.status_line().startswith("Type the path")
    for text, status in (
        (tmp_path / "a.fgn", "Enter: put"),
        (tmp_path, "That is a folder"),
        ("a" * 400, "There is no"),
    ):
        opening.path.text = str(text)
        assert opening.status_line().startswith(status)
    drive.frames()
    assert (opening.primary_button.shortcut, drive.button("Open file").shortcut) == ("", "Enter")
    for widget in opening.form.widgets[1:]:
        if isinstance(widget, Button):
            opening.form.focus = opening.form.widgets.index(widget)
            assert f"Enter: {widget.label.lower()}" in drive.screen_text()
            assert (opening.primary_button.shortcut == "Enter") is (widget is opening.primary_button)
    opening.form.focus = 0
    assert f"Enter: {opening.primary_button.label.lower()}" in drive.screen_text()
    assert opening.primary_button.shortcut == "Enter"
    (tmp_path / "cut.jsonl").write_text('{"line":"game"')
    opening.add_file(tmp_path / "cut.jsonl")
    opening.form.focus = opening.form.widgets.index(opening.list)
    assert not opening.primary_button.enabled
    assert "Enter" not in opening.status_line()


def test_a_file_is_listed_once_by_whatever_path_and_a_wrong_path_no_longer_than_the_next(
    app: App, drive: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file, link = tmp_path / "game.fgn", tmp_path / "link.fgn"
    file.write_text(format_game(new_match("dominoes", "human", "human", seed=4), ("human", "human")))
    link.symlink_to(file)
    opening = drive.show(OpenScreen(app, discover_game_views(), tmp_path))
    assert opening.selected.error == f"{str(tmp_path)!r} is a folder, not a file."
    count = len(opening.items)
    for path in ("nowhere.json", "game.fgn", str(file), str(link), str(tmp_path / ".." / tmp_path.name / "game.fgn")):
        opening.add_file(Path(path))
        assert len(opening.items) == count
        assert bool(opening.selected.error) is (path == "nowhere.json")


@pytest.mark.parametrize(("old", "new", "text"), [
    ("[Seed 4]", "[Seed x]", "line 6"), ('"human"', '"cmd:true"', "start a program"),
    ('[Game "dominoes"]', '[Game "chess"]', "chess"),
])  # fmt: skip
def test_what_is_wrong_in_a_game_written_as_text_is_told(
    app: App, drive: Driver, tmp_path: Path, old: str, new: str, text: str
) -> None:
    file = tmp_path / "game.fgn"
    file.write_text(format_game(new_match("dominoes", "human", "human", seed=4), ("human", "human")).replace(old, new))
    opening = drive.show(OpenScreen(app, discover_game_views(), file))
    opening.open_selected()
    drive.until(lambda: text in opening.notice + opening.items[0].error)


def test_a_position_is_opened_from_the_list_and_by_its_path(app: App, drive: Driver) -> None:
    opening = drive.show(OpenScreen(app, discover_game_views()), 2)
    assert any(one.title == "A pile of three" for one in opening.items)
    path = assets_dir() / "positions" / "tiddlywinks" / "nurdled_wink.json"
    opening.form.focus = opening.form.widgets.index(opening.path)
    drive.type(str(path))
    drive.key(pygame.K_RETURN)
    assert opening.selected.state is not None
    assert opening.form.focused is opening.list, "the next Enter opens it"
    drive.click(opening.secondary_button.rect.center)
    assert all(player is None for player in drive.top(TiddlywinksScreen).match.players)
    path = assets_dir() / "positions" / "tinkle" / "keep_the_king.json"
    drive.show(OpenScreen(app, discover_game_views(), path)).open_selected()
    assert [player is None for player in drive.top(MatchScreen).match.players] == [True, False, False]


def test_a_position_of_cards_is_drawn_with_room_for_its_names(drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.set_mode((800, 600), pygame.RESIZABLE)
    areas, lay_out = list[pygame.Rect](), TinkleTable.layout

    def record(table: TinkleTable, area: pygame.Rect, scale: float) -> None:
        areas.append(area)
        lay_out(table, area, scale)

    monkeypatch.setattr(TinkleTable, "layout", record)
    opening = OpenScreen(drive.app, discover_game_views())
    opening.list.select([item.title for item in opening.items].index("Keep the king back"))
    drive.show(opening)
    count = len(areas)
    drive.frames(3)
    assert len(areas) == count, "it is drawn once"
    assert areas[-1].w >= 1000 * drive.app.scale > opening.picture.w
    assert areas[-1].h >= round(625 * drive.app.scale) > opening.picture.h


def test_what_stands_in_a_position_is_told_in_full(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.set_mode((800, 600), pygame.RESIZABLE)
    standing = [f"Player {k}, tokens: 10" for k in range(12)]
    monkeypatch.setattr(OpenableItem, "standing", standing)
    drive.show(OpenScreen(app, discover_game_views()), 2)
    assert all(text in drive.screen_text() for text in standing)


def test_a_key_that_opens_a_screen_does_nothing_there_while_it_is_held(app: App, drive: Driver) -> None:
    _menu(app, drive)
    drive.down(pygame.K_o, pygame.K_o)  # it repeats while the list is read
    drive.down(pygame.K_o)
    opening = drive.top(OpenScreen)
    assert opening.path.value == ""
    drive.up(pygame.K_o)
    drive.down(pygame.K_o, pygame.K_o)
    assert opening.path.value == "oo"


def test_what_is_typed_at_the_list_goes_into_the_path(app: App, drive: Driver) -> None:
    opening = drive.show(OpenScreen(app, discover_game_views()), 2)
    for path in ("/a.json", "/b.json"):
        opening.form.focus = opening.form.widgets.index(opening.list)
        drive.type(path)
        assert opening.form.focused is opening.path
        assert opening.path.value == path
    drive.key(pygame.K_DELETE)
    drive.type("a" * 401 + "y")
    assert opening.path.value == "a" * 400, "a full field takes no more, and keeps what is in it"
    opening.form.focus = opening.form.widgets.index(opening.list)
    drive.key(pygame.K_DOWN)
    assert opening.form.focused is opening.list


@pytest.mark.parametrize(
    ("typed", "text"), [("garbage", "neither a file nor a shared text"), ("flicksim1.garbage", "cut short or altered")]
)
def test_invalid_typed_text_is_quoted_in_the_message(app: App, drive: Driver, typed: str, text: str) -> None:
    opening = drive.show(OpenScreen(app, discover_game_views()), 2)
    opening.form.focus = opening.form.widgets.index(opening.path)
    drive.type(typed)
    drive.key(pygame.K_RETURN)
    assert opening.selected.error.startswith(f"'{typed}' ")
    assert text in opening.selected.error


def test_an_invalid_dropped_file_is_refused_with_a_message(app: App, drive: Driver, tmp_path: Path) -> None:
    _menu(app, drive)
    (tmp_path / "x.json").write_text('{"title": 3}')
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(tmp_path / "x.json")))
    drive.frames(2)
    assert isinstance(app.top, OpenScreen)
    assert "x.json" in app.top.selected.error
    drive.key(pygame.K_RETURN)
    assert isinstance(app.top, OpenScreen)


@pytest.mark.parametrize("size", [(640, 480), (800, 600), (1600, 1000), (3840, 2160)])
def test_the_main_menu_fits_every_window(app: App, drive: Driver, size: tuple[int, int]) -> None:
    pygame.display.set_mode(size, pygame.RESIZABLE)
    menu = _menu(app, drive)
    for widget in menu.form.widgets:
        assert pygame.Rect((0, 0), size).contains(widget.rect), widget.label
        others = [other.rect for other in menu.form.widgets if other is not widget]
        assert widget.rect.collidelist(others) == -1, widget.label


def test_a_game_with_execution_noise_can_be_continued(app: App, drive: Driver) -> None:
    """The executed action of a person is restored from the record, not from the seed."""
    match = new_match("tiddlywinks", *["human"] * 4, seed=3)
    start_match(app, match, ("human",) * 4)
    screen = drive.top(TiddlywinksScreen)
    assert screen.noise_grade == "club"
    drive.key(pygame.K_SPACE)
    drive.until(lambda: match.turns and screen.controller.phase != "settle")
    assert match.turns[0].made != match.turns[0].meant
    menu = _menu(app, drive)
    drive.key(pygame.K_c)
    drive.until(lambda: app.top is not menu or menu.notice.startswith("'"))
    assert drive.top(TiddlywinksScreen).match.turns[0].after == match.turns[0].after


def test_a_long_button_label_leaves_its_key_readable(app: App) -> None:
    canvas = Canvas(app.surface)
    button = Button("Bartholomew the Elder of Somewhere: statistics", lambda: None, key="Y")
    button.rect = pygame.Rect(0, 0, 216, 42)
    button.draw(canvas, focused=False, hovered=False)
    assert canvas.drawn_texts[-1].source.strip() == "Y"
    assert canvas.drawn_texts[-1].rect.right <= button.rect.right


@pytest.mark.parametrize("seed", [1, 3, 4, 7])
def test_the_person_begins_their_first_game(drive: Driver, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """The first flick does not wait for the warmup of the bots."""
    seeds = count(seed)
    monkeypatch.setattr(secrets, "randbelow", lambda _: next(seeds))
    menu = _menu(drive.app, drive)
    menu.start_quick_game(load("penny-white"))
    table = drive.top(MatchScreen)
    assert table.match.to_play == 0


def _game_file(path: Path) -> Path:
    path.write_text(format_game(new_match("dominoes", "human", "human", seed=4), ("human", "human")))
    return path


def _listed(app: App, drive: Driver) -> list[Path]:
    """Names of the files of another Open screen."""
    screen = drive.show(OpenScreen(app, discover_game_views()))
    return [item.file for item in screen.items if item.file is not None]


def test_a_file_dropped_on_the_window_is_listed_until_it_is_gone(app: App, drive: Driver, tmp_path: Path) -> None:
    files = [_game_file(tmp_path / f"{name}.fgn") for name in "ab"]
    for file in (*files, files[0], tmp_path / "nowhere.fgn"):
        drive.show(MainMenuScreen(app, discover_game_views()))
        pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(file)))
        drive.frames()
    assert _listed(app, drive) == files
    files[0].unlink()
    assert _listed(app, drive) == files[1:]


def test_a_broken_list_is_begun_anew(home: Path, app: App, drive: Driver, tmp_path: Path) -> None:
    (home / "data" / "player").mkdir(parents=True)
    (home / "data" / "player" / "opened.json").write_text("[3")
    assert _listed(app, drive) == []
    openable_items.remember_file(file := _game_file(tmp_path / "game.fgn"))
    openable_items.remember_file(Path("\udce4"))  # a name that is no text
    assert _listed(app, drive) == [file]


def test_the_oldest_files_are_forgotten(tmp_path: Path) -> None:
    files = [_game_file(tmp_path / f"{number}.fgn") for number in range(22)]
    for file in files:
        openable_items.remember_file(file)
    assert openable_items.opened_files() == files[:1:-1]
