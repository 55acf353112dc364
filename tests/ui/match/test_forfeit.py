"""A program at the window that cannot go on: the game is over, the reason is said, and it can be taken back."""

from __future__ import annotations

import sys
from pathlib import Path

from flicksim.play import Forfeit
from flicksim.ui.board.screen import PlayScreen
from flicksim.ui.frame.app import App
from flicksim.ui.frame.sitting import Sitting
from flicksim.ui.match.overlays import EndScreen
from flicksim.ui.table import standing

from ..at_cards import Hands, cards, sit
from ..conftest import Driver, Keeper, match_of


class Notes(Keeper):
    def forfeit(self, forfeit: Forfeit) -> None:
        self.told.append(f"forfeit {forfeit.seat}")


def silent(folder: Path) -> str:
    (folder / "silent.py").write_text("")
    return f"cmd:{sys.executable} {folder / 'silent.py'}"


def test_on_a_board(app: App, drive: Driver, tmp_path: Path) -> None:
    notes = Notes()
    app.show(PlayScreen(app, Sitting(match_of(silent(tmp_path), "human"), notes)))
    assert standing.who(drive.table.match, 0) == "program"
    drive.until("over")
    drive.frames()
    course = drive.table.course
    assert course.says == "Blue forfeits: it ended with exit code 0 without an answer."
    assert notes.told == ["forfeit 0"]
    assert isinstance(app.top, EndScreen)
    assert standing.result(course.match) == "You win: Blue forfeits"


def test_with_cards_before_anything_was_played(app: App, tmp_path: Path) -> None:
    table = sit(app, cards("dominoes", silent(tmp_path), silent(tmp_path), "human"))
    hands = Hands(app)
    for _ in range(400):
        hands.wait()
        if table.course.stage == "over":
            break
    hands.wait()
    assert table.match.forfeit is not None
    assert isinstance(app.top, EndScreen)
    assert "forfeits" in standing.result(table.match)
