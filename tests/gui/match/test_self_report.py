"""Self-reports in the window: by key, menu, help and status line; sentences, pieces, places; after the game."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pygame
import pytest

from flicksim.ai import RandomPlayer
from flicksim.games.ice.state import Disturb
from flicksim.games.penny_white.state import Disturb as Touch
from flicksim.games.tiddlywinks.state import Obstruct
from flicksim.gui.app import App, HelpScreen
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.match.overlays import EndScreen, PauseScreen
from flicksim.gui.match.self_report import SelfReportScreen
from flicksim.gui.match.self_report_requests import SelfReportRequests
from flicksim.gui.toolkit import key_bindings
from flicksim.match import Match
from flicksim.referee import ActionField, SelfReport

from ..card_helpers import card_match
from ..conftest import Driver, FakeRecorder, match_screen, penny_white_match
from ..ice_helpers import IceDriver, ice_match
from ..tiddlywinks_helpers import at_position, winks_match


def _open_screen(drive: Driver, match: Match, keeper: FakeRecorder | None = None) -> MatchScreen:
    screen = match_screen(drive.app, match, keeper, None, owns_recorder=True)
    assert isinstance(screen, MatchScreen)
    return drive.show(screen)


def _flicked(drive: Driver) -> None:
    """Match after placing the white and a flick."""
    for _ in range(2):
        drive.wait_for_phase("choose")
        drive.key(pygame.K_SPACE)
        drive.wait_for_phase("show")
        drive.top_screen.controller.skip_playback()


def test_a_touch_is_reported_before_the_bot_continues(app: App, drive: Driver) -> None:
    """PW-13d: in the bot's turn, by the person; the flick is taken back and repeated."""
    keeper = FakeRecorder()
    match = penny_white_match("human", "bot:club")
    screen = _open_screen(drive, match, keeper)
    _flicked(drive)
    before = match.turns[1].before
    drive.wait_for_phase("hold", "think")
    assert "F3 own up" in screen.status_line()
    drive.key(pygame.K_F3)
    assert isinstance(app.top, SelfReportScreen)
    assert match.to_play == 1
    drive.frames(3)
    drive.key(pygame.K_RETURN)
    assert app.top is screen
    drive.wait_for_phase("choose")
    assert match.turns[2].made == Touch(how="touched")
    assert match.to_play == 0
    assert match.state.scene == before.scene
    assert keeper.calls[-1] == "turn 3"


def test_it_is_found_in_the_menu_and_the_help_and_esc_cancels_it(app: App, drive: Driver) -> None:
    screen = _open_screen(drive, penny_white_match("human", "human"))
    assert any(row.label == "F3" for row in key_bindings.FLICK_KEYS.bindings)
    drive.key(ord("?"), text="?")
    assert any(line.term == "F3" for line in drive.top(HelpScreen).pages["Keys"])
    drive.key(pygame.K_ESCAPE)
    screen.open_menu()
    drive.frames()
    drive.click(drive.button("Own up to something").rect.center)
    drive.frames()
    assert isinstance(app.top, SelfReportScreen)
    drive.key(pygame.K_ESCAPE)
    assert app.top is screen
    screen.open_menu()
    drive.key(pygame.K_F3)
    assert isinstance(app.top, SelfReportScreen)
    assert not screen.match.turns


def test_after_the_last_flick(app: App, drive: Driver) -> None:
    """PW-13d: the finished game continues."""
    match = penny_white_match("human", "human", ends=1, pennies=1, jack_mode="beginner")
    _open_screen(drive, match)
    for number in range(3):
        drive.wait_for_phase("choose")
        drive.key(pygame.K_RETURN if number == 0 else pygame.K_SPACE)
        drive.wait_for_phase("show", "hold")
        drive.top_screen.controller.skip_playback()
        drive.wait_for_phase("choose", "hold")
        drive.top_screen.controller.resume()
    drive.frames(2)
    assert isinstance(app.top, EndScreen)
    drive.key(pygame.K_F3)
    drive.frames()
    assert isinstance(app.top, SelfReportScreen)
    drive.key(pygame.K_ESCAPE)
    drive.frames(2)
    assert isinstance(app.top, EndScreen)  # nothing was said after all
    drive.key(pygame.K_F3)
    drive.frames()
    drive.key(pygame.K_RETURN)
    drive.wait_for_phase("hold", "choose")
    drive.key(pygame.K_SPACE)
    drive.wait_for_phase("choose")
    assert not match.is_over
    assert match.to_play == match.turns[-2].seat


def test_pieces_and_places_are_clicked(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    """TW-12b has both: the wink, then an optional place."""
    among = ("red-1", "green-2", "blue-5")
    which = ActionField(field="wink", prompt="Which wink?", kind="one", options=among)
    where = ActionField(field="at", prompt="Where?", kind="point", none_label="no agreement")
    one = SelfReport(text="It was obstructed.", action=Obstruct(wink=""), fields=(which, where))
    monkeypatch.setattr(Match, "self_reports", (one,))
    match = at_position(winks_match())
    screen = _open_screen(drive, match)
    said: list[Any] = []
    monkeypatch.setattr(screen.controller, "illegal_reason", lambda _action: "")
    monkeypatch.setattr(screen.controller, "self_report", lambda action: said.append(action) or True)

    def begun() -> SelfReportScreen:
        drive.key(pygame.K_F3)
        drive.frames()
        asking = drive.top(SelfReportScreen)
        drive.key(pygame.K_RETURN)
        assert asking.current_field == which
        return asking

    asking = begun()
    camera, there = screen.view.camera, match.state.scene.piece("blue-5").position
    drive.click(camera.to_screen(there))
    assert asking.current_field == where
    drive.key(pygame.K_RETURN)  # no place yet
    assert app.top is asking
    drive.click(camera.to_screen((there[0] + 0.03, there[1])))
    drive.key(pygame.K_RETURN)
    assert app.top is screen
    assert said[0].wink == "blue-5"
    assert said[0].at == pytest.approx((there[0] + 0.03, there[1]), abs=6e-4)
    asking = begun()
    drive.keys(pygame.K_DOWN, pygame.K_RETURN)
    drive.type("12.5 -30")
    drive.key(pygame.K_RETURN)
    assert said[1] == Obstruct(wink="green-2", at=pytest.approx((0.0125, -0.03)))
    asking = begun()
    drive.key(pygame.K_RETURN)
    drive.click(drive.button("No agreement").rect.center)
    assert said[2] == Obstruct(wink="red-1", at=None)
    asking = begun()
    drive.key(pygame.K_ESCAPE)
    assert asking.report is None
    drive.key(pygame.K_ESCAPE)
    assert app.top is screen
    assert len(said) == 3


def test_an_illegal_report_is_explained_and_asked_again(drive: Driver) -> None:
    match = penny_white_match("human", "human")
    screen = _open_screen(drive, match)
    screen.controller.illegal_reason = lambda _action: "not so (PW-0)"  # type: ignore[method-assign]
    drive.key(pygame.K_F3)
    drive.frames()
    drive.key(pygame.K_RETURN)
    drive.frames()
    assert drive.top(SelfReportScreen).error == "not so (PW-0)"
    assert not match.turns


def test_a_hand_among_pyramids(app: App) -> None:
    """ITW-3a: pieces moved by a hand are named and put back."""
    match = ice_match("human", "human", left=2)
    draws = RandomPlayer(match.rules.check_action)
    rng = np.random.default_rng(1)
    while not match.state.committed:
        match.play(draws.choose(match.state, match.legal_actions(), rng))
    state = match.state
    name = state.committed[0]
    kept = state.scene.piece(name)
    # as if something had swept it off the table as the missile came down
    swept = msgspec.structs.replace(state, scene=state.scene.without(name), former=state)
    match.turns[-1] = replace(match.turns[-1], after=swept)
    hands = IceDriver(app, match)
    ice = hands.ice_screen
    hands.key(pygame.K_F3)
    hands.until(lambda: isinstance(app.top, SelfReportScreen))
    hands.key(pygame.K_RETURN)
    hands.key(pygame.K_SPACE)  # the only one there
    hands.key(pygame.K_RETURN)
    assert app.top is ice
    assert match.turns[-1].made == Disturb(pieces=(name,))
    assert match.state.scene.piece(name) == kept
    assert ice.controller.phase == "choose"


def test_no_report_without_people_or_possible_reports(app: App, drive: Driver) -> None:
    screen = _open_screen(drive, card_match("dominoes", "human", "random", "random"))
    drive.until(lambda: screen.controller.phase == "choose", 0.1)
    drive.key(pygame.K_F3)
    assert app.top is screen
    assert "nothing to own up" in drive.screen_text()
    assert "F3" not in screen.status_line()
    bots = _open_screen(drive, penny_white_match("random", "random"))
    assert not bots.can_self_report
    assert "F3" not in bots.status_line()
    bots.controller.is_paused = True
    bots.open_menu()
    drive.frames()
    assert not drive.button("Own up to something").enabled
    drive.key(pygame.K_F3)
    assert isinstance(app.top, PauseScreen)


def test_what_can_be_owned_up_to_follows_the_game() -> None:
    """It is asked once for each state: an answer for an earlier one must not be kept."""
    match = SimpleNamespace(state=object(), self_reports=())
    requests = SelfReportRequests(SimpleNamespace(match=match, activity_card=None))  # type: ignore[arg-type]
    for reports in ((), ("touched",), ()):
        match.state, match.self_reports = object(), reports
        assert requests.are_possible is bool(reports)
        match.self_reports = ("asked again",)
        assert requests.are_possible is bool(reports), "once is enough"
