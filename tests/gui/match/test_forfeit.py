"""Forfeit of a program in the window: the game ends, the reason is shown, it can be undone."""

import sys
from pathlib import Path

from flicksim.gui.app import App
from flicksim.gui.match.overlays import EndScreen
from flicksim.gui.table_view import match_text

from ..card_helpers import CardDriver, card_match, open_card_screen
from ..conftest import Driver, FakeRecorder, match_screen, penny_white_match


def silent(folder: Path) -> str:
    (folder / "silent.py").write_text("")
    return f"cmd:{sys.executable} {folder / 'silent.py'}"


def test_on_a_board(app: App, drive: Driver, tmp_path: Path) -> None:
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


def test_with_cards_before_anything_was_played(app: App, tmp_path: Path) -> None:
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
