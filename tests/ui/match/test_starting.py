"""Games begun, gone on with, and begun again."""

from __future__ import annotations

from pathlib import Path

import pytest

from flicksim.ui.faces.ice.screen import IceScreen
from flicksim.ui.frame.app import App
from flicksim.ui.match import starting
from flicksim.ui.match.kept_games import Kept, Resumed
from flicksim.ui.match.starting import go_on

from ..at_ice import ice_match
from ..conftest import Driver, match_of


def test_seats_that_one_person_plays_alone_are_told_apart() -> None:
    assert starting.alone(match_of("human", "human"), "Ada") == {0: "Ada", 1: "also Ada"}
    assert starting.alone(match_of("human", "human"), "") == {0: "you", 1: "also you"}
    assert starting.alone(match_of("human", "bot:club"), "Ada") == {0: "Ada"}


@pytest.mark.parametrize(("grade", "waits"), [("beginner", True), ("club", False)])
def test_a_beginner_waits_in_a_game_that_is_gone_on_with_and_in_the_next(
    app: App, drive: Driver, home: Path, monkeypatch: pytest.MonkeyPatch, grade: str, waits: bool
) -> None:
    del home
    seats = ("human", f"bot:{grade}")
    match = ice_match(*seats)
    go_on(app, Resumed(match, seats, Kept(match, seats)))
    table = app.top
    assert isinstance(table, IceScreen)
    assert table.course.patient is waits
    begun: list[bool] = []
    monkeypatch.setattr(starting, "begin", lambda *_, patient, **_more: begun.append(patient))
    assert table.sitting.again is not None
    table.sitting.again()
    assert begun == [waits]
    drive.frames()
