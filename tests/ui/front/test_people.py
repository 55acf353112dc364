"""People at the window: a name at the first start, on cards and in results, and what is written down of their games."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pygame
import pytest

from flicksim.games import load
from flicksim.people import LONGEST, GameLine, Store, TryLine
from flicksim.play import Match, open_match, parse_seat
from flicksim.referee import parse_options
from flicksim.ui.faces import found
from flicksim.ui.frame.app import App
from flicksim.ui.front.figures import FiguresScreen
from flicksim.ui.front.greeting import GreetingScreen
from flicksim.ui.front.last_seats import Sat, keep_seats, last_seats
from flicksim.ui.front.lessons import LessonsScreen
from flicksim.ui.front.menu import MenuScreen
from flicksim.ui.match import results
from flicksim.ui.match.starting import begin, people
from flicksim.ui.opening import opened
from flicksim.ui.table import standing

from ..conftest import Driver, match_of


def greeted(app: App, drive: Driver) -> GreetingScreen:
    menu = MenuScreen(app, found())
    app.show(menu)
    menu.greet()
    drive.frames()
    assert isinstance(app.top, GreetingScreen)
    return app.top


def test_the_first_start_asks_for_a_name_and_the_second_does_not(home: Path, app: App, drive: Driver) -> None:
    greeted(app, drive)
    drive.type("Ada")
    drive.key(pygame.K_DOWN)
    drive.key(pygame.K_RIGHT)
    drive.key(pygame.K_RETURN)
    assert isinstance(app.top, LessonsScreen)
    drive.key(pygame.K_ESCAPE)
    assert isinstance(app.top, MenuScreen)
    kept = Store(home / "data" / "player").profile
    assert (kept.name, kept.colour, kept.greeted) == ("Ada", "green", True)
    app.top.greet()
    assert isinstance(app.top, MenuScreen)


@pytest.mark.parametrize("key", [pygame.K_RETURN, pygame.K_ESCAPE])
def test_one_key_goes_on_without_a_name(home: Path, app: App, drive: Driver, key: int) -> None:
    greeted(app, drive)
    drive.key(key)
    assert isinstance(app.top, LessonsScreen)
    assert Store(home / "data" / "player").profile.name == ""
    assert app.player.profile.greeted


def test_a_name_of_two_hundred_letters_is_as_long_as_may_be(home: Path, app: App, drive: Driver) -> None:
    screen = greeted(app, drive)
    screen.name.text = "x" * 200
    drive.key(pygame.K_RETURN)
    assert Store(home / "data" / "player").profile.name == "x" * LONGEST


def test_a_spoiled_profile_is_told_of_and_asked_anew(home: Path) -> None:
    folder = home / "data" / "player"
    folder.mkdir(parents=True)
    (folder / "profile.json").write_bytes(b"{")
    window = opened(None, None, None, None)
    try:
        assert window.notice.startswith("Your name is asked anew: ")
        assert isinstance(window.top, GreetingScreen)
    finally:
        window.close()


def cards(*seats: str) -> Match:
    game = load("dominoes")
    return open_match(game, parse_options(game, []), [parse_seat(seat) for seat in seats], 3)


def test_names_stand_on_the_cards_and_one_person_is_called_you() -> None:
    alone = cards("human", "bot:club", "random")
    alone.people = people(alone, "Ada")
    assert [standing.name(alone, seat) for seat in range(3)] == ["Ada", "Bob", "Cy"]
    assert standing.who(alone, 0) == "you"
    assert standing.told(alone, "Ann plays the 4-5, Anna and Bob wait.") == "Ada plays the 4-5, Anna and Bob wait."
    flicked = match_of("human", "human")
    flicked.people = people(flicked, "Ada", ["Bo"])
    assert [(standing.name(flicked, seat), standing.who(flicked, seat)) for seat in range(2)] == [
        ("Blue", "Ada"), ("Red", "Bo"),
    ]  # fmt: skip


def test_partners_at_one_window_are_one_person() -> None:
    game = load("tiddlywinks")
    words = ["human", "bot:club", "human", "bot:club"]
    match = open_match(game, parse_options(game, []), [parse_seat(word) for word in words], 3)
    assert people(match, "Ada") == {0: "Ada", 2: "Ada"}
    friends = open_match(game, parse_options(game, []), [parse_seat("human")] * 4, 3)
    assert people(friends, "Ada", ["Bo"]) == {0: "Ada", 1: "Bo", 2: "Ada", 3: "Bo"}


def test_a_finished_game_is_written_down_once(home: Path, app: App) -> None:
    match = cards("human", "bot:beginner")
    begin(app, match, ["human", "bot:beginner"])
    bot = open_match(match.game, match.options, [parse_seat("random")] * 2, 3)
    while not match.over:
        action = bot.ask()
        bot.play(action)
        match.play(action)
    for _ in range(2):
        app.show(MenuScreen(app, found()))
    lines = Store(home / "data" / "player").lines
    assert [(line.game, line.against) for line in lines if isinstance(line, GameLine)] == [("dominoes", "beginner")]
    assert app.player.profile.played == ("dominoes",)
    assert lines[0].share == float(0 in match.winners)  # type: ignore[union-attr]


def test_a_game_is_known_after_five_turns_of_ones_own(home: Path, app: App) -> None:
    del home
    match = cards("human", "human", "human", "human")
    bot = open_match(match.game, match.options, [parse_seat("random")] * 4, 3)
    for turns in range(6):
        results.left(app.player, match)
        assert app.player.new_to("dominoes") is (turns < 5)
        action = bot.ask()
        bot.play(action)
        match.play(action)


def test_who_was_beaten_is_the_best_that_sat_there() -> None:
    assert results.against(cards("human", "bot:beginner", "bot:expert", "random")) == "expert"
    assert results.against(cards("human", "random")) == "random"
    assert results.against(cards("human", "human")) == "friends"


def test_figures_are_shown_for_everybody_with_lines(home: Path, app: App, drive: Driver) -> None:
    store = Store(home / "data" / "player")
    for who, share in (("", 1.0), ("Bo", 0.0), ("Bo", 0.5)):
        store.note(GameLine(day="2025-01-02", who=who, game="ice", against="club", share=share, tried=3, made=1))
    store.note(TryLine(day="2025-01-02", who="", challenge="ice/stand-small", tried=1, stars=3, measure=1.0))
    app.player = type(app.player)(Store(home / "data" / "player"), app.say)
    app.show(MenuScreen(app, found()))
    drive.frames()
    drive.key(pygame.K_y)
    screen = app.top
    assert isinstance(screen, FiguresScreen)
    assert screen.who.values == ("", "Bo")
    drive.frames()
    assert "Stand one small" in drive.words(), "a challenge is called as in the list of them"
    drive.key(pygame.K_RIGHT)
    drive.frames()
    drive.key(pygame.K_n)
    drive.type("Ada")
    drive.key(pygame.K_RETURN)
    assert isinstance(app.top, FiguresScreen)
    assert app.player.bests()["ice/stand-small"].stars == 3  # what was done before the name was said


def test_a_friend_who_has_said_no_name_wins_for_nobody_else(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    app.player.change(lambda had: msgspec.structs.replace(had, name="Ann"))
    match = match_of("human", "human")
    match.people = people(match, "Ann")
    monkeypatch.setattr(Match, "winners", property(lambda _: (1,)))
    results.note(app.player, match)
    (line,) = app.player.lines
    assert isinstance(line, GameLine)
    assert (line.who, line.share) == ("Ann", 0.0)


def test_the_largest_table_is_remembered_beside_others(home: Path) -> None:
    del home
    few = Sat(who="friends", seats=("human", "human"), options={"ends": "3"}, serious=True)
    many = Sat(who="bots", seats=("bot:club",) * 18)
    assert keep_seats("penny-white", few) == ""
    assert keep_seats("dominoes", many) == ""
    assert last_seats() == ({"penny-white": few, "dominoes": many}, "")
