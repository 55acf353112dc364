"""The front door: quick games, seats and options, the last game, files, settings, practice."""

from __future__ import annotations

import secrets
from itertools import count
from pathlib import Path

import pygame
import pytest

from flicksim.base.places import assets
from flicksim.games import load
from flicksim.play import open_match, parse_seat
from flicksim.players import GRADES
from flicksim.referee import parse_options
from flicksim.ui.board.screen import PlayScreen
from flicksim.ui.cards.screen import CardScreen
from flicksim.ui.faces import found
from flicksim.ui.faces.ice.screen import IceScreen
from flicksim.ui.faces.tiddlywinks.practice_screen import PracticeScreen
from flicksim.ui.faces.tiddlywinks.screen import WinkScreen
from flicksim.ui.frame.app import App, fitting
from flicksim.ui.frame.help import HelpScreen
from flicksim.ui.front.last_seats import Sat, keep_seats
from flicksim.ui.front.menu import MenuScreen, Still, miniature
from flicksim.ui.front.new_game import NewGameScreen
from flicksim.ui.front.open_files import OpenScreen
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.widgets import Button, Choice, Entry
from flicksim.ui.match.at_table import AtTable
from flicksim.ui.match.overlays import AskScreen
from flicksim.ui.match.replay import ReplayScreen
from flicksim.ui.match.starting import begin, for_beginners, quick_seats
from flicksim.ui.opening import opened
from flicksim.ui.table import standing

from ..conftest import Driver, Keeper, match_of


def _menu(app: App, drive: Driver) -> MenuScreen:
    menu = MenuScreen(app, found())
    app.show(menu)
    drive.frames()
    return menu


def test_every_game_is_one_key_away(app: App, drive: Driver) -> None:
    for number, card in enumerate(_menu(app, drive).cards):
        _menu(app, drive)
        drive.key(pygame.K_1 + number)
        assert isinstance(app.top, AtTable)
        assert app.top.match.game.name == card.game.name
        assert app.top.match.players[0] is None


def test_every_game_is_one_click_away_and_its_options_another(app: App, drive: Driver) -> None:
    menu = _menu(app, drive)
    drive.click(menu.cards[0].rect.center)
    assert isinstance(app.top, PlayScreen)
    menu = _menu(app, drive)
    drive.click((menu.cards[1].rect.right - 30, menu.cards[1].rect.bottom - 14))
    assert isinstance(app.top, NewGameScreen)


def test_a_quick_game_has_sensible_seats() -> None:
    assert quick_seats(load("penny-white"), "club") == ("human", "bot:club")
    assert quick_seats(load("tiddlywinks"), "beginner") == ("human", "bot:beginner", "human", "bot:beginner")
    assert quick_seats(load("dominoes"), "club") == ("human", *["bot:club"] * 3)


def test_closing_is_asked_about(app: App, drive: Driver) -> None:
    menu = _menu(app, drive)
    drive.key(pygame.K_ESCAPE)
    assert isinstance(app.top, AskScreen)
    drive.key(pygame.K_ESCAPE)
    assert app.top is menu
    drive.key(pygame.K_ESCAPE)
    drive.key(pygame.K_y)
    assert not app.running


def test_the_window_fits_the_screen() -> None:
    assert fitting((1280, 800), [(1920, 1080), (640, 480)]) == (1280, 800)
    assert fitting((1280, 800), [(1280, 800)]) == (1280, 800)
    assert fitting((1280, 800), [(1366, 768)]) == (1280, 696)
    assert fitting((1280, 800), [(320, 200)]) == (640, 480)
    assert fitting((1280, 800), []) == (1280, 800)


def test_both_things_that_were_amiss_at_the_start_are_told(home: Path) -> None:
    for folder, name in (("config", "settings.json"), ("data/player", "profile.json")):
        (home / folder).mkdir(parents=True)
        (home / folder / name).write_bytes(b"{")
    window = opened(None, None, None, None)
    try:
        assert "The usual settings are used" in window.notice
        assert "Your name is asked anew" in window.notice
    finally:
        window.close()


def test_arrows_go_from_card_to_card_and_to_the_buttons(app: App, drive: Driver) -> None:
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


def test_small_tables_live_and_never_hold_the_window_up(app: App, drive: Driver) -> None:
    menu = _menu(app, drive)
    first = pygame.image.tobytes(app.surface, "RGB")
    drive.frames(30)
    assert pygame.image.tobytes(app.surface, "RGB") != first
    for card in menu.cards:  # every shipped game has one
        assert not isinstance(miniature(found(), card.game), Still)


def test_a_game_nobody_recorded_is_shown_still() -> None:
    """Its name on a bare cloth, the same at any time."""
    cards = []
    for title, t in (("Sixth", 0.0), ("Sixth", 3.0), ("Seventh", 0.0)):
        surface = pygame.Surface((240, 150))
        Still(title).draw(Canvas(surface), surface.get_rect(), t)
        cards.append(pygame.image.tobytes(surface, "RGB"))
    assert cards[0] == cards[1]
    assert cards[0] != cards[2]
    assert bytes(palette.FELT) in cards[0]


def test_options_are_chosen_by_keys_alone(app: App, drive: Driver) -> None:
    _menu(app, drive)
    drive.key(pygame.K_m)
    new = app.top
    assert isinstance(new, NewGameScreen)
    assert new.seed not in new.form.widgets
    while new.form.focused is not new.more:
        drive.key(pygame.K_DOWN)
    drive.key(pygame.K_SPACE)
    drive.key(pygame.K_DOWN)
    drive.key(pygame.K_RIGHT)  # the first seat: random
    while new.form.focused is not new.options["ends"]:
        drive.key(pygame.K_DOWN)
    drive.key(pygame.K_RIGHT)
    while new.form.focused is not new.options["jack_mode"]:
        drive.key(pygame.K_DOWN)
    drive.key(pygame.K_RIGHT)
    while new.form.focused is not new.options["removals_per_coin"]:
        drive.key(pygame.K_DOWN)
    drive.key(pygame.K_SPACE)
    while new.form.focused is not new.seed:
        drive.key(pygame.K_TAB)
    drive.key(pygame.K_DELETE)
    drive.type("42")
    while getattr(new.form.focused, "label", "") != "Start":
        drive.key(pygame.K_TAB)
    drive.key(pygame.K_RETURN)
    assert isinstance(app.top, PlayScreen)
    match = app.top.match
    options = match.options
    assert (match.seeds.seed, options.ends, options.jack_mode, options.removals_per_coin) == (
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
def test_one_choice_says_who_plays(app: App, who: int, game: str, seats: list[str]) -> None:
    new = NewGameScreen(app, load(game))
    new.grade.index = list(GRADES).index("expert")
    new.who.turn(who)
    if not who:
        new.who.turn(0)
    assert [seat.word for seat in new.seats] == seats
    assert (new.friend in new.form.widgets) is (who == 1)


def test_another_grade_leaves_seats_that_were_chosen(app: App) -> None:
    new = NewGameScreen(app, load("tinkle"))
    new.seats[2].take("random")
    new.seats[3].take("bot:world")
    new.grade.turn(2)
    assert [seat.word for seat in new.seats] == ["human", "bot:expert", "random", "bot:world"]


@pytest.mark.parametrize("word", ["human", "human/world", "random", "bot:club", "bot:expert/club", "bot:beginner"])
def test_a_seat_is_a_word_and_back(app: App, word: str) -> None:
    seat = NewGameScreen(app, load("ice")).seats[1]
    seat.take(word)
    assert seat.word == word


def test_tab_reaches_every_part_and_every_button(app: App, drive: Driver) -> None:
    new = NewGameScreen(app, load("tiddlywinks"))
    new.more.turn(1)
    app.show(new)
    drive.frames()
    seen = []
    for _ in range(7):
        seen.append(new.form.focused)
        drive.key(pygame.K_TAB)
    assert seen[0] is new.form.focused is new.who
    assert seen[3:] == [new.seed, *map(drive.button, ("Start", "Usual rules", "Back"))]
    drive.key(pygame.K_TAB, pygame.KMOD_SHIFT)
    assert new.form.focused is drive.button("Back")


@pytest.mark.usefixtures("home")
def test_hands_and_names_by_seat_are_played_shown_and_remembered(app: App, drive: Driver) -> None:
    for opening in (True, False):
        new = NewGameScreen(app, load("penny-white"))
        app.show(new)
        if opening:
            new.who.turn(1)
            assert new.own is not None
            new.own.turn(1)
            new.friend.text = "Bo"
            new.seats[0].hand.turn(4)
            new.seats[1].hand.turn(1)
        else:
            assert new.more.index  # what is not as usual is seen
        assert [seat.word for seat in new.seats] == ["human/world", "human/beginner"]
        new.start()
        drive.frames()
        table = drive.table
        assert table.match.hands == (GRADES["world"], GRADES["beginner"])
        assert [standing.who(table.match, seat) for seat in range(2)] == ["Bo, world", "human, beginner"]
    drive.key(pygame.K_y)  # changes the hand of whoever is to play
    acting = table.match.to_play
    assert acting is not None
    assert table.match.hands[1 - acting] == GRADES[("world", "beginner")[1 - acting]]
    assert table.match.hands[acting] == GRADES[("beginner", "club")[acting]]


@pytest.mark.usefixtures("home")
def test_options_are_as_they_were_the_last_time(app: App) -> None:
    screen = NewGameScreen(app, load("penny-white"))
    ends, most = screen.options["ends"], screen.options["off_rule"]
    assert isinstance(ends, Entry)
    ends.text = "3"
    assert isinstance(most, Choice)
    most.turn(1)
    screen.takebacks.turn(1)
    screen.start()
    again = NewGameScreen(app, load("penny-white"))
    same = again.options["ends"], again.options["off_rule"]
    assert isinstance(same[0], Entry)
    assert isinstance(same[1], Choice)
    assert (same[0].value, same[1].value) == ("3", most.value)
    assert again.takebacks.index == 1
    assert again.more.index == 1, "what is not as usual is shown"


@pytest.mark.usefixtures("home")
def test_an_option_that_is_no_longer_there_is_left_out(app: App) -> None:
    keep_seats("penny-white", Sat(who="you", seats=("human", "bot:club"), options={"ends": "many", "gone": "1"}))
    ends = NewGameScreen(app, load("penny-white")).options["ends"]
    assert isinstance(ends, Entry)
    assert ends.value == str(load("penny-white").options().ends)


def test_an_empty_name_says_whose_name_stands_there(app: App, drive: Driver) -> None:
    screen = NewGameScreen(app, load("penny-white"))
    screen.more.turn(1)
    app.push(screen)
    drive.frames(1)
    assert screen.seats[0].name.empty == "you"
    assert "you" in [said.text for said in app.explaining.said]


def test_a_spoiled_file_of_seats_is_told_of(app: App, home: Path) -> None:
    (home / "data" / "player").mkdir(parents=True)
    (home / "data" / "player" / "seats.json").write_text('{"ice": {"who": "you", "seats": ["nobody"]}}')
    new = NewGameScreen(app, load("ice"))
    assert "Seats are as usual: no seat 'nobody'" in app.notice
    assert new.who.value == "you"


def test_a_friend_is_called_by_name_and_remembered(app: App, drive: Driver) -> None:
    new = NewGameScreen(app, load("penny-white"))
    app.push(new)
    assert new.grade.value == "beginner"  # nobody has played it here yet
    new.who.turn(1)
    new.friend.text = "  Bo\n"
    new.start()
    table = app.top
    assert isinstance(table, PlayScreen)
    assert table.match.people == {1: "Bo"}
    assert app.player.profile.friends == ("Bo",)
    drive.frames()


def test_as_many_sit_down_as_are_asked_for(app: App, drive: Driver) -> None:
    menu = _menu(app, drive)
    menu.more(load("dominoes"))
    new = app.top
    assert isinstance(new, NewGameScreen)
    new.more.turn(1)
    assert len(new.seats) == 4
    new.options["version"].key(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_LEFT, unicode=""))
    assert "DO-A4" in new.wrong  # the American game is for five and more
    drive.frames()
    new.form.focus = new.form.widgets.index(new.count)
    drive.key(pygame.K_RIGHT)
    assert len(new.seats) == 5
    assert not new.wrong
    drive.click(drive.button("Start").rect.center)
    assert isinstance(app.top, CardScreen)
    assert [player is None for player in app.top.match.players] == [True, False, False, False, False]


def test_what_may_not_be_is_said_in_words(app: App, drive: Driver) -> None:
    new = NewGameScreen(app, load("penny-white"))
    new.more.turn(1)
    app.push(new)
    drive.frames()
    new.form.focus = new.form.widgets.index(new.options["board_mm"])
    drive.key(pygame.K_BACKSPACE)
    drive.key(pygame.K_BACKSPACE)
    assert "board_mm" in new.wrong
    assert "650" in new.wrong
    assert not drive.button("Start").enabled
    drive.click(drive.button("Usual rules").rect.center)
    assert new.wrong == ""
    drive.click(drive.button("Start").rect.center)
    assert isinstance(app.top, PlayScreen)


@pytest.mark.parametrize("typed", ["²", "--5", "٣", "9" * 40])
@pytest.mark.parametrize("which", ["count", "seed"])
def test_what_only_looks_like_a_number_is_refused_in_words(app: App, drive: Driver, typed: str, which: str) -> None:
    new = NewGameScreen(app, load("ice"))
    new.more.turn(1)
    app.show(new)
    drive.frames()
    field = {"count": new.count, "seed": new.seed}[which]
    new.form.focus = new.form.widgets.index(field)
    drive.key(pygame.K_DELETE)
    drive.type(typed)
    drive.frames()
    assert "must be a whole number" in new.wrong
    drive.key(pygame.K_RIGHT)
    drive.frames()


def test_a_word_that_looks_like_no_value_is_chosen_like_any_other(app: App, drive: Driver) -> None:
    """DO-X3: nobody wins a tied round."""
    new = NewGameScreen(app, load("dominoes"))
    new.more.turn(1)
    app.show(new)
    drive.frames()
    tie = new.options["tie"]
    assert isinstance(tie, Choice)
    new.form.focus = new.form.widgets.index(tie)
    while tie.value != "none":
        drive.key(pygame.K_RIGHT)
    assert not new.wrong
    new.start()
    drive.frames()
    assert isinstance(app.top, CardScreen)
    assert app.top.match.options.tie == "none"


def test_every_option_has_a_row_and_a_sentence(app: App) -> None:
    game = load("penny-white")
    new = NewGameScreen(app, game)
    new.more.turn(1)
    assert list(new.options) == list(game.options.__struct_fields__)
    assert all(field.says for field in new.options.values())


def test_escape_goes_back_and_at_last_closes(app: App, drive: Driver) -> None:
    app.push(MenuScreen(app, found()))
    app.push(NewGameScreen(app, load("penny-white")))
    drive.key(pygame.K_ESCAPE)
    assert isinstance(app.top, MenuScreen)
    drive.key(pygame.K_QUESTION, text="?")
    assert isinstance(app.top, HelpScreen)
    drive.key(pygame.K_ESCAPE)
    drive.key(pygame.K_ESCAPE)
    drive.key(pygame.K_y)
    assert not app.running


def test_games_begun_in_the_window_are_recorded_and_closed(app: App, drive: Driver) -> None:
    keeper = Keeper()
    app.keep = lambda _: keeper
    _menu(app, drive)
    drive.key(pygame.K_RETURN)
    app.show(MenuScreen(app, found()))
    assert keeper.told == ["close"]


def _play_a_turn(drive: Driver) -> int:
    """Flick once and wait until it is one's turn again; how many turns were played."""
    drive.until("choose")
    if drive.table.decisions:
        drive.key(pygame.K_RETURN)
        drive.until("choose")
    drive.key(pygame.K_SPACE)
    drive.until("show")
    drive.key(pygame.K_f)
    drive.until("choose", "hold")
    return len(drive.table.match.turns)


@pytest.mark.usefixtures("home")
def test_the_last_game_is_continued(app: App, drive: Driver) -> None:
    menu = _menu(app, drive)
    assert not drive.button("Continue").enabled
    drive.key(pygame.K_1)
    played = _play_a_turn(drive)
    state = drive.table.match.state
    menu = _menu(app, drive)
    assert drive.button("Continue").enabled
    drive.key(pygame.K_c)
    while app.top is menu:
        drive.frames()
        pygame.time.wait(2)
    assert isinstance(app.top, PlayScreen)
    assert len(app.top.match.turns) >= played
    assert app.top.match.turns[played - 1].after == state
    assert [player is None for player in app.top.match.players] == [True, False]


def test_launching_pyramids_is_practised_alone(app: App, drive: Driver) -> None:
    _menu(app, drive)
    drive.type("i")
    assert isinstance(app.top, IceScreen)
    assert app.top.match.players == (None,)


def test_a_game_left_without_a_turn_is_not_kept(app: App, drive: Driver, home: Path) -> None:
    _menu(app, drive)
    drive.key(pygame.K_1)
    _menu(app, drive)
    assert not drive.button("Continue").enabled
    assert not list(home.rglob("*.jsonl"))


def test_a_record_that_is_broken_is_refused_in_a_sentence(app: App, drive: Driver, home: Path) -> None:
    folder = home / "data" / "games"
    folder.mkdir(parents=True)
    (folder / "game-0001.jsonl").write_text("nonsense\n")
    menu = _menu(app, drive)
    assert "no flicksim record" in menu.told
    drive.key(pygame.K_c)
    while "no flicksim record" not in menu.notice:
        drive.frames()
    assert app.top is menu


@pytest.mark.usefixtures("home")
def test_a_finished_game_is_looked_through(app: App, drive: Driver) -> None:
    from flicksim.ui.match.kept_games import Kept, kept, last

    match = match_of("bot:beginner", "bot:beginner", options=("ends=1",))
    keeper = Kept(match, ("bot:beginner", "bot:beginner"))
    for turn in match.run():
        keeper.turn(turn)
    keeper.close()
    assert last() is None
    assert [path.name for path in kept()] == ["done-0001.jsonl"]
    app.show(opening := OpenScreen(app, found()))
    drive.frames()
    assert "Penny White" in opening.found[0].title
    assert "Enter: look through" in opening.can()
    assert not opening.second.enabled, "there is nothing to go on with"
    opening.play()
    while app.top is opening:
        drive.frames()
        pygame.time.wait(2)
    assert isinstance(app.top, ReplayScreen)


@pytest.mark.usefixtures("home")
def test_a_position_is_opened_from_the_list_and_by_its_path(app: App, drive: Driver) -> None:
    app.show(opening := OpenScreen(app, found()))
    drive.frames(2)
    assert any(one.title == "A pile of three" for one in opening.found)
    path = assets() / "positions" / "tiddlywinks" / "nurdled_wink.json"
    opening.form.focus = opening.form.widgets.index(opening.path)
    drive.type(str(path))
    drive.key(pygame.K_RETURN)
    assert opening.chosen is not None
    assert opening.chosen.state is not None
    drive.click(opening.second.rect.center)
    assert isinstance(app.top, WinkScreen)
    assert all(player is None for player in app.top.match.players)


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("typed", "says"), [("garbage", "neither a file nor a shared text"), ("flicksim1.garbage", "cut short or altered")]
)
def test_what_is_typed_and_is_nothing_is_quoted_in_a_sentence(app: App, drive: Driver, typed: str, says: str) -> None:
    app.show(opening := OpenScreen(app, found()))
    drive.frames(2)
    opening.form.focus = opening.form.widgets.index(opening.path)
    drive.type(typed)
    drive.key(pygame.K_RETURN)
    assert opening.chosen is not None
    assert opening.chosen.wrong.startswith(f"'{typed}' ")
    assert says in opening.chosen.wrong


@pytest.mark.usefixtures("home")
def test_a_dropped_file_that_is_nothing_is_refused_in_a_sentence(app: App, drive: Driver, tmp_path: Path) -> None:
    _menu(app, drive)
    (tmp_path / "x.json").write_text('{"title": 3}')
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(tmp_path / "x.json")))
    drive.frames(2)
    assert isinstance(app.top, OpenScreen)
    assert app.top.chosen is not None
    assert "x.json" in app.top.chosen.wrong
    drive.key(pygame.K_RETURN)
    assert isinstance(app.top, OpenScreen)


def test_practice_is_at_the_front_door(app: App, drive: Driver) -> None:
    _menu(app, drive)
    drive.key(pygame.K_p)
    assert isinstance(app.top, PracticeScreen)


@pytest.mark.parametrize("size", [(640, 480), (800, 600), (1600, 1000), (3840, 2160)])
def test_the_front_door_fits_every_window(app: App, drive: Driver, size: tuple[int, int]) -> None:
    pygame.display.set_mode(size, pygame.RESIZABLE)
    menu = _menu(app, drive)
    for widget in menu.form.widgets:
        assert pygame.Rect((0, 0), size).contains(widget.rect), widget.label
        others = [other.rect for other in menu.form.widgets if other is not widget]
        assert widget.rect.collidelist(others) == -1, widget.label


@pytest.mark.usefixtures("home")
def test_a_game_played_with_an_unsteady_hand_is_continued_too(app: App, drive: Driver) -> None:
    """The record, not the seed, holds what a person's hand made of a shot."""
    match = open_match(load("tiddlywinks"), parse_options(load("tiddlywinks"), []), [parse_seat("human")] * 4, 3)
    begin(app, match, ("human",) * 4)
    screen = app.top
    assert isinstance(screen, WinkScreen)
    assert screen.steadiness == "club"
    drive.key(pygame.K_SPACE)
    while not match.turns or screen.course.stage == "settle":
        drive.frames()
        pygame.time.wait(2)
    assert match.turns[0].made != match.turns[0].meant
    menu = _menu(app, drive)
    drive.key(pygame.K_c)
    while app.top is menu and not menu.notice.startswith("'"):
        drive.frames()
        pygame.time.wait(2)
    assert isinstance(app.top, WinkScreen)
    assert app.top.match.turns[0].after == match.turns[0].after


def test_bots_wait_where_a_beginner_sits() -> None:
    assert for_beginners(("human", "bot:beginner"))
    assert not for_beginners(("human", "bot:club"))


def test_a_long_name_leaves_the_key_of_its_button_readable(app: App) -> None:
    canvas = Canvas(app.surface)
    canvas.said = []
    button = Button("Bartholomew the Elder of Somewhere: figures", lambda: None, key="Y")
    button.rect = pygame.Rect(0, 0, 216, 42)
    button.draw(canvas, focused=False, hovered=False)
    assert canvas.said[-1].text.strip() == "Y"
    assert canvas.said[-1].rect.right <= button.rect.right


@pytest.mark.parametrize("luck", [1, 3, 4, 7])
@pytest.mark.usefixtures("home")
def test_a_first_game_is_begun_by_the_person(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch, luck: int
) -> None:
    """Also on a machine where bots are still being made ready, the first flick waits for nobody."""
    seeds = count(luck)
    monkeypatch.setattr(secrets, "randbelow", lambda _: next(seeds))
    menu = _menu(app, drive)
    menu.quick(load("penny-white"))
    table = app.top
    assert isinstance(table, AtTable)
    assert table.match.to_play == 0
