"""People at the window: a name at the first start, on cards and in results, and what is written down of their games."""

from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path

import msgspec
import pygame
import pytest

from flicksim.games import load
from flicksim.gui.app import App
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.match import record_results, saved_games
from flicksim.gui.match.start_match import names_by_seat, quick_grade, start_match
from flicksim.gui.menus.main_menu import MainMenuScreen
from flicksim.gui.menus.new_game import LastSetup, load_setups, save_setup
from flicksim.gui.menus.statistics import StatisticsScreen
from flicksim.gui.menus.welcome import LessonsScreen, WelcomeScreen
from flicksim.gui.startup import open_window
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit.preferences import BotGrade
from flicksim.match import Match
from flicksim.profiles import MAX_NAME_LENGTH, AttemptEntry, GameEntry, Profile, ProfileStore
from tests.matches import new_match

from ..conftest import Driver, penny_white_match

pytestmark = pytest.mark.usefixtures("home")


def welcome_screen(app: App, drive: Driver) -> WelcomeScreen:
    menu = MainMenuScreen(app, discover_game_views())
    app.replace_all(menu)
    menu.show_welcome()
    drive.frames()
    return drive.top(WelcomeScreen)


def test_only_the_first_start_asks_for_a_name(home: Path, app: App, drive: Driver) -> None:
    welcome_screen(app, drive)
    assert "in a game the seat has its own" in drive.screen_text()
    drive.type("Ada")
    drive.keys(pygame.K_DOWN, pygame.K_RIGHT, pygame.K_RETURN)
    assert isinstance(app.top, LessonsScreen)
    drive.key(pygame.K_ESCAPE)
    assert isinstance(app.top, MainMenuScreen)
    profile = ProfileStore(home / "data" / "player").profile
    assert (profile.name, profile.colour, profile.greeted) == ("Ada", "green", True)
    app.top.show_welcome()
    assert isinstance(app.top, MainMenuScreen)


@pytest.mark.parametrize("key", [pygame.K_RETURN, pygame.K_ESCAPE])
def test_one_key_skips_the_name(home: Path, app: App, drive: Driver, key: int) -> None:
    welcome_screen(app, drive)
    drive.key(key)
    assert isinstance(app.top, LessonsScreen)
    assert ProfileStore(home / "data" / "player").profile.name == ""
    assert app.player.profile.greeted


def test_escape_changes_neither_name_nor_colour(app: App, drive: Driver) -> None:
    app.player.update_profile(lambda had: msgspec.structs.replace(had, name="Ada"))
    had = app.player.profile
    welcome_screen(app, drive)
    drive.type("m")
    drive.keys(pygame.K_DOWN, pygame.K_RIGHT, pygame.K_ESCAPE)
    assert app.player.profile == msgspec.structs.replace(had, greeted=True)


def test_a_long_name_is_truncated(home: Path, app: App, drive: Driver) -> None:
    screen = welcome_screen(app, drive)
    screen.name.text = "x" * 200
    drive.key(pygame.K_RETURN)
    assert ProfileStore(home / "data" / "player").profile.name == "x" * MAX_NAME_LENGTH


cards = partial(new_match, "dominoes", seed=3)


def play_as(bot: Match, match: Match) -> None:
    """Play the action that a bot chooses in its own match."""
    action = bot.ask_player()
    bot.play(action)
    match.play(action)


def test_seat_cards_show_names_and_a_single_person_is_called_you() -> None:
    alone = cards("human", "bot:club", "random")
    alone.player_names = names_by_seat(alone, "Ada")
    assert [match_text.seat_text(alone, seat) for seat in range(3)] == ["Ada", "Bob", "Cy"]
    assert match_text.player_text(alone, 0) == match_text.player_text(new_match("ice", "human"), 0) == "you"
    assert (
        match_text.ruling_text(alone, "Ann plays the 4-5, Anna and Bob wait.")
        == "Ada plays the 4-5, Anna and Bob wait."
    )
    flicked = penny_white_match("human", "human")
    flicked.player_names = names_by_seat(flicked, "Ada", ["Bo"])
    assert [(match_text.seat_text(flicked, seat), match_text.player_text(flicked, seat)) for seat in range(2)] == [
        ("Blue", "Ada"), ("Red", "Bo"),
    ]  # fmt: skip


def test_partners_at_one_window_count_as_one_person() -> None:
    assert names_by_seat(new_match("tiddlywinks", *["human", "bot:club"] * 2), "Ada") == {0: "Ada", 2: "Ada"}
    friends = new_match("tiddlywinks", *["human"] * 4)
    assert names_by_seat(friends, "Ada", ["Bo"]) == {0: "Ada", 1: "Bo", 2: "Ada", 3: "Bo"}
    assert names_by_seat(friends, "Ada", ["Ada"]) == {0: "Ada", 1: "Ada 2", 2: "Ada", 3: "Ada 2"}
    alike = names_by_seat(cards("human", "human", "human"), "Ada", ["Ada", "Ada"])
    assert alike == {0: "Ada", 1: "Ada 2", 2: "Ada 3"}, "people of one name are told apart"
    assert names_by_seat(friends, "Ada", ["Ada"], own_seat=1) == {1: "Ada", 3: "Ada", 0: "Ada 2", 2: "Ada 2"}
    typed = names_by_seat(friends, "Ada", typed_names={0: "Bo", 1: "Bo", 2: "Bo", 3: "Cy"})
    assert typed == {0: "Bo", 1: "Bo 2", 2: "Bo", 3: "Cy"}, "of one side and name is one person"
    two = penny_white_match("human", "human")
    assert names_by_seat(two, "Ada", ["ada"]) == {0: "Ada", 1: "ada"}, "as profiles tell names apart"
    assert names_by_seat(two, "", [""]) == {}, "who has no name has no number"
    long = names_by_seat(two, "Wilhelmina von Hohenburg", ["Wilhelmina von Hohenburg"])
    assert long == {0: "Wilhelmina von Hohenburg", 1: "Wilhelmina von Hohenbu 2"}
    assert Profile().with_friend(long[1]).friends == (long[1],)


def test_a_finished_game_is_recorded_once(home: Path, app: App) -> None:
    match = cards("human", "bot:beginner")
    start_match(app, match, ["human", "bot:beginner"])
    bot = cards("random", "random")
    while not match.is_over:
        play_as(bot, match)
    for _ in range(2):
        app.replace_all(MainMenuScreen(app, discover_game_views()))
    entries = ProfileStore(home / "data" / "player").entries
    assert [(line.game, line.against) for line in entries if isinstance(line, GameEntry)] == [("dominoes", "beginner")]
    assert app.player.profile.played == ("dominoes",)
    assert entries[0].share == float(0 in match.winners)  # type: ignore[union-attr]


_PROMOTED = "You have won: from now on, bots in quick games of Tiddly-Wink dominoes play at grade club."


@pytest.mark.parametrize(("grade", "opponent", "ends", "notice"), [
    ("adaptive", "beginner", "won", _PROMOTED), ("adaptive", "club", "won", _PROMOTED),
    ("adaptive", "beginner", "lost", ""), ("adaptive", "beginner", "left", ""), ("adaptive", "random", "won", ""),
    ("club", "beginner", "won", ""), ("beginner", "beginner", "won", ""),
])  # fmt: skip
def test_a_first_win_raises_the_grade_and_says_so_once(
    app: App, grade: BotGrade, opponent: str, ends: str, notice: str
) -> None:
    app.preferences.bot_grade = grade
    bot_seat = opponent if opponent == "random" else f"bot:{opponent}"
    for expected in (notice, ""):
        app.notice.text = ""
        seed = 3 if ends == "lost" else 1
        match, bot = cards("human", bot_seat, seed=seed), cards("random", "random", seed=seed)
        start_match(app, match, ["human", bot_seat])
        while len(match.turns) < 20 or (ends != "left" and not match.is_over):
            play_as(bot, match)
        assert match.winners == {"won": (0,), "lost": (1,), "left": ()}[ends]
        app.replace_all(MainMenuScreen(app, discover_game_views()))
        assert app.notice.text.removesuffix(" The settings change it.") == expected
    assert quick_grade(app, match.game) == ("club" if notice else "beginner" if grade == "adaptive" else grade)
    assert quick_grade(app, load("ice")) == ("beginner" if grade == "adaptive" else grade)


@pytest.mark.parametrize(
    ("begin", "person", "player"),
    [(cards, "human", "random"), (partial(penny_white_match, ends=1), "human/beginner", "bot:beginner")],
)
def test_a_game_of_cards_or_of_one_end_counts_as_known_after_five_own_turns(
    app: App, begin: Callable[..., Match], person: str, player: str
) -> None:
    match, bot = begin(person, person), begin(player, player)
    for turns in range(6):
        record_results.record_abandoned(app.player, match)
        assert app.player.is_new_to(match.game.name) is (turns < 5)
        play_as(bot, match)


def test_a_game_of_several_ends_counts_as_known_after_its_first_end(app: App) -> None:
    match = penny_white_match("human/beginner", "human/beginner", ends=2)
    bot = penny_white_match("bot:beginner", "bot:beginner", ends=2)
    while match.state.end == 1:
        record_results.record_abandoned(app.player, match)
        assert app.player.is_new_to("penny-white")
        play_as(bot, match)
    assert len(match.turns) > 8
    record_results.record_abandoned(app.player, match)
    assert not app.player.is_new_to("penny-white")


def test_the_recorded_opponent_is_the_strongest_one() -> None:
    assert record_results.opponent_grade(cards("human", "bot:beginner", "bot:expert", "random")) == "expert"
    assert record_results.opponent_grade(cards("human", "random")) == "random"
    assert record_results.opponent_grade(cards("human", "human")) == "friends"


def test_statistics_are_shown_for_every_profile_with_entries(home: Path, app: App, drive: Driver) -> None:
    store = ProfileStore(home / "data" / "player")
    for who, share in (("", 1.0), ("Bo", 0.0), ("Bo", 0.5)):
        store.add_entry(GameEntry(day="2025-01-02", who=who, game="ice", against="club", share=share, tried=3, made=1))
    store.add_entry(AttemptEntry(day="2025-01-02", who="", challenge="ice/stand-small", tried=1, stars=3, measure=1.0))
    app.player = type(app.player)(ProfileStore(home / "data" / "player"), app.show_notice)
    drive.show(MainMenuScreen(app, discover_game_views()))
    drive.key(pygame.K_y)
    screen = drive.top(StatisticsScreen)
    assert screen.profile_choice.values == ("", "Bo")
    assert "Stand one small" in drive.screen_text(), "a challenge is called as in the list of them"
    drive.key(pygame.K_RIGHT)
    drive.frames()
    drive.key(pygame.K_n)
    drive.type("Ada")
    drive.key(pygame.K_RETURN)
    assert isinstance(app.top, StatisticsScreen)
    assert app.player.best_results()["ice/stand-small"].stars == 3  # entries made before the name was given
    drive.key(pygame.K_n)
    assert "what was played as Ada stays under that name" in drive.screen_text()
    app.top.name.text = "Bea"
    drive.key(pygame.K_RETURN)
    assert drive.top(StatisticsScreen).profile_choice.values == ("Bea", "Bo")


def test_a_told_solution_is_no_try_in_the_statistics(home: Path, app: App, drive: Driver) -> None:
    drawn = []
    for path, lines in (("one", (False,)), ("two", (False, True))):
        store = ProfileStore(home / "data" / path)
        for _ in range(3):  # the highest bar, by which the others are scaled
            store.add_entry(GameEntry(day="2024-12-20", who="", game="ice", against="club", share=1.0))
        for told in lines:
            store.add_entry(AttemptEntry(day="2025-01-02", who="", challenge="ice/a", tried=1, stars=0, told=told))
        app.player = type(app.player)(store, app.show_notice)
        drive.show(StatisticsScreen(app, date(2025, 1, 2)))
        drive.frames()
        drawn.append(pygame.image.tobytes(app.surface, "RGB"))
    assert drawn[0] == drawn[1]


def test_a_win_of_an_unnamed_friend_counts_for_nobody_else(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    app.player.update_profile(lambda had: msgspec.structs.replace(had, name="Ann"))
    match = penny_white_match("human", "human")
    match.player_names = names_by_seat(match, "Ann")
    monkeypatch.setattr(Match, "winners", property(lambda _: (1,)))
    record_results.record_result(app.player, match)
    (line,) = app.player.history
    assert isinstance(line, GameEntry)
    assert (line.who, line.share) == ("Ann", 0.0)


def test_the_setup_with_most_seats_is_restored() -> None:
    small = LastSetup(who="friends", seats=("human", "human"), options={"ends": "3"}, serious=True)
    large = LastSetup(who="bots", seats=("bot:club",) * 18)
    assert save_setup("penny-white", small) == ""
    assert save_setup("dominoes", large) == ""
    assert load_setups() == ({"penny-white": small, "dominoes": large}, "")


@pytest.mark.parametrize("seats", [("human", "bot:beginner"), ()])
def test_a_game_handed_to_the_window_with_its_seats_is_named_kept_and_counted(
    home: Path, seats: tuple[str, ...]
) -> None:
    ProfileStore(home / "data" / "player").update_profile(lambda had: msgspec.structs.replace(had, name="Ada"))
    match = penny_white_match("human", "bot:beginner", ends=1)
    window = open_window(None, match, None, None, seats)
    try:
        assert match.player_names == {0: "Ada"}
        bot = penny_white_match("bot:beginner", "bot:beginner", ends=1)
        recorder = window.top.session.recorder  # type: ignore[attr-defined]
        while not match.is_over:
            play_as(bot, match)
            if recorder is not None:
                recorder.write_turn(match.turns[-1])
    finally:
        window.close()
    kept = [saved_games.read_record(path).header.seats for path in saved_games.saved_records()]
    assert kept == ([("human", "bot:beginner")] if seats else [])
    assert [entry.who for entry in ProfileStore(home / "data" / "player").entries] == (["Ada"] if seats else [])
