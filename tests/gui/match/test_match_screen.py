"""Common behaviour of match screens: keys, help, undo and redo with consent, status line, panels,
pause, end and forfeit."""

import sys
from pathlib import Path

import pygame
import pytest

from flicksim.ai import GRADES
from flicksim.ai.cancellation import stop_if_cancelled
from flicksim.core.errors import Cancelled
from flicksim.games import load, names
from flicksim.gui.app import App, HelpScreen
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.match import saved_games
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.match.overlays import ConfirmScreen, EndScreen, PauseScreen
from flicksim.gui.match.replay import ReplayScreen
from flicksim.gui.match.score_table import best_shot, shot_statistics, shots_of
from flicksim.gui.match.start_match import start_match
from flicksim.gui.menus.main_menu import MainMenuScreen
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import key_bindings
from flicksim.match import BackgroundTask, Match, Warmup
from tests.polling import wait_until

from ..card_helpers import CardDriver, card_match, open_card_screen
from ..conftest import Driver, FakeRecorder, match_screen, penny_white_match
from ..ice_helpers import ice_match
from ..tiddlywinks_helpers import at_position, winks_match


def _all() -> list[Match]:
    return [
        penny_white_match("human", "human"),
        at_position(winks_match()),
        card_match("dominoes", "human", "random", "random"),
        card_match("tinkle", "human", "random", "random"),
    ]


def _sit(app: App, match: Match, *, serious: bool = False) -> MatchScreen:
    start_match(app, match, requires_undo_consent=serious)
    assert isinstance(app.top, MatchScreen)
    app.run_frame(0.02)
    return app.top


def test_closing_a_table_cancels_the_bot(app: App) -> None:
    start_match(app, penny_white_match("bot:world", "bot:world"))
    assert isinstance(app.top, MatchScreen)
    course = app.top.controller
    assert course.phase == "think"
    assert course.job is not None
    # a bot's own thought might be over before the table is left
    thought, hint = BackgroundTask(_on_and_on), BackgroundTask(_on_and_on)
    course.job, app.top.hints.request = thought, hint
    app.pop()
    wait_until(lambda: thought.is_done and hint.is_done)
    for job in (thought, hint):
        with pytest.raises(Cancelled):
            job.result()


def _on_and_on() -> None:
    while True:
        stop_if_cancelled()


def _flick(drive: Driver) -> None:
    """Decide or flick, and wait for the next decision."""
    turns = len(drive.top_screen.match.turns)
    _wait(drive)
    drive.frames(11, 0.1)  # sooner a key would be taken for a late one
    drive.key(pygame.K_RETURN if drive.top_screen.decisions else pygame.K_SPACE)
    drive.until(lambda: len(drive.top_screen.match.turns) != turns)
    _wait(drive)


def _wait(drive: Driver) -> None:
    """Run frames until an action can be chosen."""

    def on() -> None:
        drive.top_screen.controller.skip_playback()
        drive.top_screen.controller.resume()
        drive.frames(1, 0.1)

    wait_until(lambda: drive.top_screen.controller.phase in ("choose", "over"), on)


@pytest.mark.parametrize("which", range(4))
def test_common_keys_mean_the_same_at_every_table(app: App, drive: Driver, which: int) -> None:
    screen = _sit(app, _all()[which])
    assert set(screen.extra_keys()) <= set(discover_game_views().keys)

    def may_choose() -> bool:
        assert "? help" in screen.status_line(), "in every phase"
        return screen.controller.phase == "choose"

    drive.until(may_choose, 0.1)
    drive.key(pygame.K_u)
    assert "nothing of yours" in drive.screen_text()
    drive.key(pygame.K_u, pygame.KMOD_SHIFT)
    assert "nothing to do again" in drive.screen_text()
    drive.key(pygame.K_z, pygame.KMOD_CTRL)
    assert "nothing of yours" in drive.screen_text()
    drive.key(pygame.K_p)
    assert screen.controller.is_paused
    assert "Paused" in screen.status_line()
    drive.key(pygame.K_p)
    assert not screen.controller.is_paused
    drive.key(ord("?"), text="?")
    assert isinstance(app.top, HelpScreen)
    drive.key(pygame.K_ESCAPE)
    assert "? help" in screen.status_line()
    screen.form.focus = len(screen.form.widgets) - 1
    drive.key(pygame.K_ESCAPE)
    assert isinstance(app.top, PauseScreen), "whatever has the focus"


@pytest.mark.parametrize("name", names())
def test_the_help_lists_keys_rules_and_terms(app: App, drive: Driver, name: str) -> None:
    game = load(name)
    bindings = key_bindings.help_bindings((key_bindings.BOARD_KEYS,), has_flicks=game.category == "table")
    screen = drive.show(HelpScreen(app, bindings, game))
    assert list(screen.pages) == ["Keys", "Rules", "Words"]
    assert [line.term for line in screen.pages["Rules"][1:]] == [row.id for row in game.rulebook]
    shown = {line.term for line in screen.pages["Keys"]}
    assert {row.label for row in (*key_bindings.PLAY_KEYS.bindings, *key_bindings.GLOBAL_KEYS.bindings)} <= shown
    drive.key(pygame.K_RIGHT)
    assert screen.page == "Rules"
    drive.key(pygame.K_END)
    drive.frames()
    assert screen.scroll.offset == screen.scroll.max_offset > 0
    drive.key(pygame.K_RIGHT)
    assert screen.page == "Words"
    drive.frames()
    if name == "tiddlywinks":
        known = {line.term for line in screen.pages["Words"]}
        assert {"squop", "squidger", "pot", "desquop", "nurdle", "boondock", "bristol", "squidge-off"} <= known


def test_undo_can_be_redone(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    screen, told = _sit(app, penny_white_match("human", "human")), list[int]()
    monkeypatch.setattr(screen, "on_undo", lambda: told.append(len(screen.match.turns)))
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
    assert told == [len(turns) - 1, len(turns) - 2, len(turns) - 1, len(turns)], "the screen follows each"
    drive.key(pygame.K_u)
    _flick(drive)
    assert not screen.controller.history.undone_turns  # another way was taken


def test_the_result_is_shown_again_after_the_last_flick_was_undone(app: App, drive: Driver) -> None:
    screen = _sit(app, penny_white_match("human", "human", ends=1, pennies=1))
    for _ in range(2):
        while not screen.match.is_over:
            _flick(drive)
        drive.until(lambda: isinstance(app.top, EndScreen), 0.1)
        drive.click(drive.button("Take back the last turn").rect.center)
        assert app.top is screen
        assert not screen.match.is_over


def test_the_replay_can_undo_to_any_turn(app: App, drive: Driver) -> None:
    screen = _sit(app, penny_white_match("human", "human"))
    for _ in range(3):
        _flick(drive)
    turns = list(screen.match.turns)
    screen.open_menu()
    drive.frames()
    drive.keys(pygame.K_DOWN, pygame.K_RETURN)
    assert drive.top(ReplayScreen).turn is turns[-1]  # what has just been played
    drive.keys(pygame.K_HOME, pygame.K_b)
    assert app.top is screen
    assert screen.match.turns == turns[:1]
    assert len(screen.controller.history.undone_turns) == len(turns) - 1


def test_undo_in_a_serious_game_needs_consent(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _sit(app, penny_white_match("human", "human"), serious=True)
    _flick(drive)
    played = len(screen.match.turns)
    drive.key(pygame.K_u)
    assert isinstance(app.top, ConfirmScreen)
    drive.frames()
    drive.key(pygame.K_n)
    assert len(screen.match.turns) == played
    drive.keys(pygame.K_u, pygame.K_y)
    assert app.top is screen
    assert len(screen.match.turns) == played - 1
    for turns, text in ((2, "turns 1 and 2"), (3, "turns 1 to 3")):
        while len(screen.match.turns) < turns:
            _flick(drive)
        with monkeypatch.context() as patch:
            patch.setattr(screen.controller, "undo_target", lambda: 0)  # as where the others could not move
            drive.key(pygame.K_u)
        assert f"Red: may Blue take {text} back?" in drive.screen_text()
        drive.key(pygame.K_n)


def test_a_bot_consents_to_undo_unless_points_were_given(app: App, drive: Driver) -> None:
    screen = _sit(app, penny_white_match("human", "random", ends=2), serious=True)
    _flick(drive)
    _wait(drive)
    before = len(screen.match.turns)
    drive.key(pygame.K_u)
    assert "lets you" in drive.screen_text()
    assert len(screen.match.turns) < before
    for _ in range(60):
        if any(any(turn.verdict.ruling.points) for turn in screen.match.turns):
            break
        _flick(drive)
    _wait(drive)
    turns = len(screen.match.turns)
    scored = next(k for k, turn in enumerate(screen.match.turns) if any(turn.verdict.ruling.points))
    assert "points were given" in screen.controller.history.undo_refusal(scored)
    left = screen.controller.undo_target()
    if left is not None and left <= scored:
        drive.key(pygame.K_u)
        assert "does not let you" in drive.screen_text()
        assert len(screen.match.turns) == turns


@pytest.mark.parametrize("which", [0, 1])
def test_a_hint_shows_the_outcome_scatter_which_goes_with_its_shot(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch, which: int
) -> None:
    match = penny_white_match("human", "human") if which == 0 else at_position(winks_match())
    screen = _sit(app, match)
    if which == 0:
        _flick(drive)
    drive.key(pygame.K_h)
    drive.until(lambda: screen.hints.scatter is not None and len(screen.hints.scatter.ends) >= (300, 10)[which])
    assert screen.hints.scatter.text.startswith("Dots: where")
    assert len(set(screen.hints.scatter.ends)) > 1  # no two shots of a hand are alike
    waited = list[Warmup]()
    monkeypatch.setattr(Warmup, "wait", lambda warmup: waited.append(warmup))
    screen.show_outcome_scatter(screen.aim_controller.aim.shot)
    drive.until(lambda: waited)
    assert waited == [screen.warmup_task], "in the background, before the shots"
    drive.frames(3)
    drive.key(pygame.K_LEFT, pygame.KMOD_SHIFT)
    assert screen.hints.scatter is None
    assert "Dots: where" not in drive.screen_text()
    drive.key(pygame.K_h)
    drive.until(lambda: screen.hints.scatter is not None)
    cloud = screen.hints.scatter
    drive.key(pygame.K_SPACE)
    assert screen.hints.scatter is None
    assert cloud.is_cancelled
    assert not [turn for turn in match.turns if turn.result is None and which == 1]


def test_the_noise_grade_is_changed_and_a_game_that_is_over_has_nothing_to_pause(app: App, drive: Driver) -> None:
    screen = _sit(app, penny_white_match("human", "human"))
    assert screen.noise_grade == "club"
    drive.key(pygame.K_y)
    assert screen.noise_grade == "expert"
    assert "an expert" in drive.screen_text()
    assert screen.match.noise == (GRADES["expert"],) * 2
    for stage, says in (("over", "The game is over."), ("stuck", "The game cannot go on.")):
        screen.controller.phase = stage  # type: ignore[assignment]
        screen.controller.toggle_pause()
        assert not screen.controller.is_paused
        assert "Paused: P goes on" not in screen.status_line()
        if stage == "stuck":
            assert screen.controller.prompt == says


def test_a_late_key_does_not_shoot(app: App, drive: Driver) -> None:
    """Space continues after some shots only: pressed late, it must not play an untouched aim."""
    screen = _sit(app, penny_white_match("human", "human"))
    _flick(drive)
    _wait(drive)
    turns = len(screen.match.turns)
    drive.key(pygame.K_SPACE)
    assert screen.controller.phase == "choose"
    assert "Your turn" in drive.screen_text()
    drive.keys(pygame.K_LEFT, pygame.K_SPACE)
    assert screen.controller.phase != "choose"
    drive.wait_for_phase("show", "hold", "choose")
    assert len(screen.match.turns) == turns + 1


def test_pause_buttons_have_fixed_places_and_quit_asks(app: App, drive: Driver) -> None:
    screen = _sit(app, penny_white_match("human", "human"))
    places = []
    for _ in range(2):
        screen.open_menu()
        drive.frames()
        places.append({widget.label: widget.rect.copy() for widget in app.top.form.widgets})
        quits = next(widget for widget in app.top.form.widgets if widget.label == "Quit")
        drive.click(quits.rect.center)
        assert isinstance(app.top, ConfirmScreen)
        assert "goes on with this game" not in drive.screen_text(), "it is not recorded"
        assert app.running
        drive.keys(pygame.K_n, pygame.K_ESCAPE)
        _flick(drive)
    before, after = places
    assert {label: rect for label, rect in after.items() if label in before} == {
        label: rect for label, rect in before.items() if label in after
    }


@pytest.mark.usefixtures("home")
def test_quitting_promises_a_saved_game_once_there_is_one(app: App, drive: Driver) -> None:
    start_match(app, penny_white_match("human", "human"), ("human", "human"))
    for promised in (False, True):
        drive.wait_for_phase("choose")
        drive.top_screen.open_menu()
        drive.frames()
        drive.click(drive.button("Quit").rect.center)
        assert ("C in the main menu goes on with this game." in drive.screen_text()) == promised
        drive.keys(pygame.K_n, pygame.K_ESCAPE)
        _flick(drive)


@pytest.mark.usefixtures("home")
def test_a_finished_game_cannot_be_continued(app: App, drive: Driver) -> None:
    match = penny_white_match("human", "human", ends=1, pennies=1, jack_mode="beginner")
    start_match(app, match, ("human", "human"))
    while not match.is_over:
        _flick(drive)
    drive.frames(2)
    drive.key(pygame.K_ESCAPE)
    assert isinstance(app.top, MainMenuScreen)
    assert not drive.button("Continue").enabled
    assert saved_games.last_unfinished() is None


def test_only_the_focused_button_of_a_menu_is_the_default_one(app: App, drive: Driver) -> None:
    pause = drive.show(PauseScreen(app, penny_white_match("human", "human"), None))
    for label in ("Back to the game", "Quit"):
        assert [one.label for one in pause.form.widgets if one.is_primary] == [label]  # type: ignore[attr-defined]
        drive.key(pygame.K_UP)


@pytest.mark.parametrize("which", range(3))
def test_folded_panels_enlarge_the_table_in_any_window(app: App, drive: Driver, which: int) -> None:
    match = [ice_match("human", "human"), *_all()][which]
    screen = drive.show(match_screen(app, match), 2)
    widgets, room = list(screen.form.widgets), screen.view.unobstructed.copy()
    drive.key(pygame.K_F6)
    assert screen.is_folded
    assert screen.form.widgets == [screen.buttons["fold"]]
    wide = screen.view.unobstructed
    assert wide.w * wide.h > 1.2 * room.w * room.h
    assert app.surface.get_rect().contains(screen.buttons["fold"].rect)
    drive.click(screen.buttons["fold"].rect.center)
    assert not screen.is_folded
    assert screen.form.widgets == widgets
    assert screen.view.unobstructed == room
    drive.key(pygame.K_F6)
    for size in ((800, 600), (1920, 1080)):
        pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1]))
        drive.frames(3)
        whole, scores = app.surface.get_rect(), screen.controller.score_positions
        assert whole.contains(screen.buttons["fold"].rect)
        assert whole.contains(screen.view.unobstructed)
        assert all(whole.collidepoint(at) for at in scores.values())
        assert len(scores) == (len(match.players) if which else 0), "at Ice they stand beside the launchers"


def test_panels_return_for_a_decision(app: App, drive: Driver) -> None:
    screen = drive.show(match_screen(app, penny_white_match("human", "human", jack_mode="beginner")), 2)
    drive.key(pygame.K_F6)
    assert screen.decisions
    assert not screen.is_folded
    drive.key(pygame.K_RETURN)
    drive.frames(60)
    assert screen.is_folded


def test_shots_touches_and_errors_are_reported_by_seat() -> None:
    match = penny_white_match("bot:club", "random", ends=1, pennies=2)
    for _ in match.run():
        pass
    rows = dict(shot_statistics(match))
    assert rows["Shots"] == tuple(str(len(shots_of(match, seat))) for seat in (0, 1))
    assert all(word.endswith("%") for word in rows["Touched another"])
    assert all("°" in word for word in rows["Off the aim, on average"])
    place = best_shot(match)
    assert place is not None
    assert match.turns[place].result is not None
    tiles = card_match("dominoes", "random", "random")
    tiles.play(tiles.ask_player())
    assert (shot_statistics(tiles), best_shot(tiles)) == ((), None), "without shots"


def silent(folder: Path) -> str:
    (folder / "silent.py").write_text("")
    return f"cmd:{sys.executable} {folder / 'silent.py'}"


def test_a_program_that_ends_forfeits_on_a_board(app: App, drive: Driver, tmp_path: Path) -> None:
    notes = FakeRecorder()
    app.replace_all(match_screen(app, penny_white_match(silent(tmp_path), "human"), notes))
    assert match_text.player_text(drive.top_screen.match, 0) == "program"
    drive.wait_for_phase("over")
    drive.frames()
    course = drive.top_screen.controller
    assert course.prompt == "Blue forfeits: it ended with exit code 0 without an answer."
    assert notes.calls == ["forfeit 0"]
    assert isinstance(app.top, EndScreen)
    assert match_text.result_text(course.match) == "You win: Blue forfeits"


def test_a_program_that_ends_forfeits_with_cards_before_anything_was_played(app: App, tmp_path: Path) -> None:
    """The person has the name of the program's seat, so the program is called by that of the person's."""
    match = card_match("dominoes", silent(tmp_path), silent(tmp_path), "human")
    match.player_names[2] = match.game.seat_names[1]
    table, driver = open_card_screen(app, match), CardDriver(app)
    driver.wait("over")
    app.run_frame(0.05)
    assert table.match.forfeit is not None
    assert isinstance(app.top, EndScreen)
    assert "Cy forfeits" in match_text.result_text(table.match)
    app.pop()
    assert "Cy forfeits: it ended" in driver.screen_text()
