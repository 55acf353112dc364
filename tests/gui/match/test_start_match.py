"""Matches started, resumed and restarted."""

import pytest

from flicksim.gui.app import App
from flicksim.gui.game_views.ice.ice_screen import IceScreen
from flicksim.gui.match import start_match
from flicksim.gui.match.saved_games import GameSaver, ResumedGame
from flicksim.gui.match.start_match import resume_match

from ..conftest import Driver, penny_white_match
from ..ice_helpers import ice_match


def test_seats_of_one_person_have_distinct_names() -> None:
    assert start_match.solo_names(penny_white_match("human", "human"), "Ada") == {0: "Ada", 1: "also Ada"}
    assert start_match.solo_names(penny_white_match("human", "human"), "") == {0: "you", 1: "also you"}
    assert start_match.solo_names(penny_white_match("human", "bot:club"), "Ada") == {0: "Ada"}


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(("grade", "waits"), [("beginner", True), ("club", False)])
def test_a_beginner_bot_waits_in_resumed_and_restarted_games(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch, grade: str, waits: bool
) -> None:
    seats = ("human", f"bot:{grade}")
    match = ice_match(*seats)
    resume_match(app, ResumedGame(match, seats, GameSaver(match, seats)))
    table = drive.top(IceScreen)
    assert table.controller.bots_wait is waits
    begun: list[bool] = []
    monkeypatch.setattr(start_match, "start_match", lambda *_, bots_wait, **_more: begun.append(bots_wait))
    table.session.restart()
    assert begun == [waits]
    drive.frames()
