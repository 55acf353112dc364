"""Things that every table has in common: keys, help, undo and redo, taking back by consent, the line at the foot,
hints."""

from __future__ import annotations

import time

import pygame
import pytest

from flicksim.base.errors import GivenUp
from flicksim.games import load, names
from flicksim.play import Background, Match
from flicksim.players import GRADES
from flicksim.players.cancellation import stop_if_cancelled
from flicksim.ui.faces import found
from flicksim.ui.frame.app import App
from flicksim.ui.frame.help import HelpScreen
from flicksim.ui.front.menu import MenuScreen
from flicksim.ui.kit import keys
from flicksim.ui.match import kept_games
from flicksim.ui.match.at_table import AtTable
from flicksim.ui.match.overlays import AskScreen, PauseScreen
from flicksim.ui.match.replay import ReplayScreen
from flicksim.ui.match.starting import begin
from tests.waiting import until

from ..at_cards import cards
from ..at_winks import at_position, winks_match
from ..conftest import Driver, match_of


def _all() -> list[Match]:
    return [
        match_of("human", "human"),
        at_position(winks_match()),
        cards("dominoes", "human", "random", "random"),
        cards("tinkle", "human", "random", "random"),
    ]


def _sit(app: App, match: Match, *, serious: bool = False) -> AtTable:
    begin(app, match, serious=serious)
    assert isinstance(app.top, AtTable)
    app.frame(0.02)
    return app.top


def test_nobody_thinks_on_for_a_table_that_was_left(app: App) -> None:
    begin(app, match_of("bot:world", "bot:world"))
    assert isinstance(app.top, AtTable)
    course = app.top.course
    assert course.stage == "think"
    assert course.job is not None
    # a bot's own thought might be over before the table is left
    thought, hint = Background(_on_and_on), Background(_on_and_on)
    course.job, app.top.asked = thought, hint
    app.pop()
    until(lambda: thought.done and hint.done)
    for job in (thought, hint):
        with pytest.raises(GivenUp):
            job.result()


def _on_and_on() -> None:
    while True:
        stop_if_cancelled()


def _flick(drive: Driver) -> None:
    """Decide or flick, and wait for the next decision."""
    turns = len(drive.table.match.turns)
    _wait(drive)
    drive.frames(11, 0.1)  # sooner a key would be taken for a late one
    drive.key(pygame.K_RETURN if drive.table.decisions else pygame.K_SPACE)
    until(lambda: len(drive.table.match.turns) != turns, drive.frames)
    _wait(drive)


def _wait(drive: Driver) -> None:
    """Until something can be chosen."""

    def on() -> None:
        drive.table.course.skip()
        drive.table.course.go_on()
        drive.frames(1, 0.1)

    until(lambda: drive.table.course.stage in ("choose", "over"), on)


@pytest.mark.parametrize("which", range(4))
def test_common_keys_mean_the_same_at_every_table(app: App, drive: Driver, which: int) -> None:
    screen = _sit(app, _all()[which])
    for _ in range(200):
        if screen.course.stage == "choose":
            break
        drive.frames(1, 0.1)
        time.sleep(0.001)
    drive.key(pygame.K_u)
    assert "nothing of yours" in drive.words()
    drive.key(pygame.K_u, pygame.KMOD_SHIFT)
    assert "nothing to do again" in drive.words()
    drive.key(pygame.K_z, pygame.KMOD_CTRL)
    assert "nothing of yours" in drive.words()
    drive.key(pygame.K_p)
    assert screen.course.paused
    assert "Paused" in screen.can()
    drive.key(pygame.K_p)
    assert not screen.course.paused
    drive.key(ord("?"), text="?")
    assert isinstance(app.top, HelpScreen)
    drive.key(pygame.K_ESCAPE)
    drive.key(pygame.K_ESCAPE)
    assert isinstance(app.top, PauseScreen)


@pytest.mark.parametrize("which", range(4))
def test_escape_opens_the_menu_at_once_whatever_has_the_focus(app: App, drive: Driver, which: int) -> None:
    screen = _sit(app, _all()[which])
    drive.frames(2)
    screen.form.focus = len(screen.form.widgets) - 1
    drive.key(pygame.K_ESCAPE)
    assert isinstance(app.top, PauseScreen)


@pytest.mark.parametrize("which", range(4))
def test_a_line_always_says_what_can_be_done(app: App, drive: Driver, which: int) -> None:
    screen = _sit(app, _all()[which])
    assert set(screen.own_keys()) <= set(found().keys)
    for _ in range(30):
        drive.frames(1, 0.05)
        assert "? help" in screen.can()


@pytest.mark.parametrize("name", names())
def test_the_help_has_keys_every_rule_by_its_id_and_words(app: App, drive: Driver, name: str) -> None:
    game = load(name)
    screen = HelpScreen(app, keys.listed((keys.BOARD,), table=game.wing == "table"), game)
    app.show(screen)
    drive.frames()
    assert list(screen.pages) == ["Keys", "Rules", "Words"]
    assert [line.word for line in screen.pages["Rules"][1:]] == [row.id for row in game.rows]
    shown = {line.word for line in screen.pages["Keys"]}
    assert {row.shown for row in (*keys.PLAYING.rows, *keys.ALWAYS.rows)} <= shown
    drive.key(pygame.K_RIGHT)
    assert screen.page == "Rules"
    drive.key(pygame.K_END)
    drive.frames()
    assert screen.scroll.at == screen.scroll.most > 0
    drive.key(pygame.K_RIGHT)
    assert screen.page == "Words"
    drive.frames()


def test_the_glossary_knows_the_words_of_winks() -> None:
    known = {word for word, _ in found().glossary.words_of(load("tiddlywinks"))}
    assert {"squop", "squidger", "pot", "desquop", "nurdle", "boondock", "bristol", "squidge-off"} <= known


def test_what_was_taken_back_is_done_again(app: App, drive: Driver) -> None:
    screen = _sit(app, match_of("human", "human"))
    for _ in range(3):
        _flick(drive)
    turns = list(screen.match.turns)
    assert len(turns) >= 3
    for left in (len(turns) - 1, len(turns) - 2):
        drive.key(pygame.K_u)
        assert len(screen.match.turns) == left
    drive.key(pygame.K_u, pygame.KMOD_SHIFT)
    drive.key(pygame.K_y, pygame.KMOD_CTRL)
    assert screen.match.turns == turns
    drive.key(pygame.K_u)
    _flick(drive)
    assert not screen.course.undone  # another way was taken


def test_one_goes_back_to_any_turn_from_the_turns_looked_through(app: App, drive: Driver) -> None:
    screen = _sit(app, match_of("human", "human"))
    for _ in range(3):
        _flick(drive)
    turns = list(screen.match.turns)
    screen.menu()
    drive.frames()
    drive.key(pygame.K_DOWN)
    drive.key(pygame.K_RETURN)
    assert isinstance(app.top, ReplayScreen)
    assert app.top.turn is turns[-1]  # what has just been played
    drive.key(pygame.K_HOME)
    drive.key(pygame.K_b)
    assert app.top is screen
    assert screen.match.turns == turns[:1]
    assert len(screen.course.undone) == len(turns) - 1


def test_in_a_serious_game_the_other_seat_is_asked(app: App, drive: Driver) -> None:
    screen = _sit(app, match_of("human", "human"), serious=True)
    _flick(drive)
    played = len(screen.match.turns)
    drive.key(pygame.K_u)
    assert isinstance(app.top, AskScreen)
    drive.frames()
    drive.key(pygame.K_n)
    assert len(screen.match.turns) == played
    drive.key(pygame.K_u)
    drive.key(pygame.K_y)
    assert app.top is screen
    assert len(screen.match.turns) == played - 1


def test_a_bot_gives_a_turn_back_unless_points_were_given(app: App, drive: Driver) -> None:
    screen = _sit(app, match_of("human", "random", options=("ends=2",)), serious=True)
    _flick(drive)
    _wait(drive)
    before = len(screen.match.turns)
    drive.key(pygame.K_u)
    assert "lets you" in drive.words()
    assert len(screen.match.turns) < before
    for _ in range(60):
        if any(any(turn.verdict.ruling.points) for turn in screen.match.turns):
            break
        _flick(drive)
    _wait(drive)
    turns = len(screen.match.turns)
    scored = next(k for k, turn in enumerate(screen.match.turns) if any(turn.verdict.ruling.points))
    assert "points were given" in screen.course.refusal(scored)
    left = screen.course.undo_to()
    if left is not None and left <= scored:
        drive.key(pygame.K_u)
        assert "does not let you" in drive.words()
        assert len(screen.match.turns) == turns


@pytest.mark.parametrize("which", [0, 1])
def test_a_hint_shows_where_ones_own_hand_would_land(app: App, drive: Driver, which: int) -> None:
    match = match_of("human", "human") if which == 0 else at_position(winks_match())
    screen = _sit(app, match)
    if which == 0:
        _flick(drive)
    drive.key(pygame.K_h)
    until(lambda: screen.cloud is not None and len(screen.cloud.ends) >= (300, 20)[which], drive.frames)
    assert screen.cloud is not None
    assert screen.cloud.says.startswith("Dots: where")
    assert len(set(screen.cloud.ends)) > 1  # no two shots of a hand are alike
    cloud = screen.cloud
    drive.key(pygame.K_SPACE)
    assert screen.cloud is None
    assert cloud.gone
    assert not [turn for turn in match.turns if turn.account is None and which == 1]


def test_a_hand_can_be_chosen_at_every_table_of_flicks(app: App, drive: Driver) -> None:
    screen = _sit(app, match_of("human", "human"))
    assert screen.steadiness == "club"
    drive.key(pygame.K_y)
    assert screen.steadiness == "expert"
    assert "an expert" in drive.words()
    assert screen.match.hands == (GRADES["expert"],) * 2


def test_a_key_meant_for_what_was_shown_throws_nothing_away(app: App, drive: Driver) -> None:
    """Space goes on after one shot and not after another: pressed too late, it must not flick what nobody has aimed."""
    screen = _sit(app, match_of("human", "human"))
    _flick(drive)
    _wait(drive)
    turns = len(screen.match.turns)
    drive.key(pygame.K_SPACE)
    assert screen.course.stage == "choose"
    assert "Your turn" in drive.words()
    drive.key(pygame.K_LEFT)
    drive.key(pygame.K_SPACE)
    assert screen.course.stage != "choose"
    drive.until("show", "hold", "choose")
    assert len(screen.match.turns) == turns + 1


def test_every_line_of_the_pause_stands_where_it_always_stands_and_quit_asks(app: App, drive: Driver) -> None:
    screen = _sit(app, match_of("human", "human"))
    places = []
    for _ in range(2):
        screen.menu()
        drive.frames()
        places.append({widget.label: widget.rect.copy() for widget in app.top.form.widgets})
        quits = next(widget for widget in app.top.form.widgets if widget.label == "Quit")
        drive.click(quits.rect.center)
        assert isinstance(app.top, AskScreen)
        assert app.running
        drive.key(pygame.K_n)
        drive.key(pygame.K_ESCAPE)
        _flick(drive)
    before, after = places
    assert {label: rect for label, rect in after.items() if label in before} == {
        label: rect for label, rect in before.items() if label in after
    }


@pytest.mark.usefixtures("home")
def test_a_finished_game_is_not_offered_to_be_gone_on_with(app: App, drive: Driver) -> None:
    match = match_of("human", "human", options=("ends=1", "pennies=1", "jack_mode=beginner"))
    begin(app, match, ("human", "human"))
    while not match.over:
        drive.until("choose")
        drive.key(pygame.K_RETURN if drive.table.decisions else pygame.K_SPACE)
        drive.until("show", "hold", "over")
        drive.table.course.skip()
        drive.until("choose", "hold", "over")
        drive.table.course.go_on()
    drive.frames(2)
    drive.key(pygame.K_ESCAPE)
    assert isinstance(app.top, MenuScreen)
    assert not drive.button("Continue").enabled
    assert kept_games.last() is None


def test_a_game_that_is_over_has_nothing_to_pause(app: App) -> None:
    screen = _sit(app, match_of("human", "human"))
    for stage, says in (("over", "The game is over."), ("stuck", "The game cannot go on.")):
        screen.course.stage = stage  # type: ignore[assignment]
        screen.pause()
        assert not screen.course.paused
        assert "Paused: P goes on" not in screen.can()
        if stage == "stuck":
            assert screen.course.says == says
