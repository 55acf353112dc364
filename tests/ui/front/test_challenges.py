"""Challenges in the window: the list, a try by keys alone, stars, again, next, and what is kept of it."""

from __future__ import annotations

import dataclasses
from datetime import date
from pathlib import Path

import msgspec
import numpy as np
import pygame
import pytest

from flicksim.challenges import every, find
from flicksim.people import Best, Store, TryLine
from flicksim.referee import Came
from flicksim.table import Flick
from flicksim.ui.board.screen import PlayScreen
from flicksim.ui.faces import found
from flicksim.ui.faces.ice.screen import IceScreen
from flicksim.ui.frame.app import App
from flicksim.ui.front.challenges import ChallengesScreen
from flicksim.ui.front.menu import MenuScreen
from flicksim.ui.match.at_table import AtTable
from flicksim.ui.match.tried import TriedScreen, Trying, told

from ..conftest import Driver

TODAY = date(2025, 1, 1)


@pytest.fixture
def shelf(home: Path, app: App, drive: Driver) -> ChallengesScreen:
    """The list, with files of the player's own."""
    del home
    screen = ChallengesScreen(app, found(), TODAY)
    app.show(screen)
    drive.frames()
    return screen


def chosen(shelf: ChallengesScreen, drive: Driver, name: str) -> Trying:
    """Go down to a challenge and begin it."""
    rows = [row.posed.challenge.name for row in shelf.rows]
    for _ in range(rows.index(name)):
        drive.key(pygame.K_DOWN)
    drive.key(pygame.K_RETURN)
    beside = shelf.app.top.beside
    assert isinstance(beside, Trying)
    return beside


def to_the_result(drive: Driver) -> TriedScreen:
    """Flick, watch, wait until it is said what came of it."""
    drive.key(pygame.K_SPACE)
    for _ in range(400):
        drive.frames(1, 0.05)
        if isinstance(drive.app.top, TriedScreen):
            return drive.app.top
        if drive.table.course.stage == "settle":
            pygame.time.wait(2)
    raise AssertionError("nothing is said of the try")


def test_the_front_door_leads_there_by_a_key(app: App, drive: Driver) -> None:
    app.show(MenuScreen(app, found()))
    drive.frames()
    drive.key(pygame.K_h)
    assert isinstance(app.top, ChallengesScreen)
    assert len(app.top.rows) == 1 + len(every())
    drive.key(pygame.K_ESCAPE)
    assert isinstance(app.top, MenuScreen)


def test_a_try_is_judged_kept_and_made_again(shelf: ChallengesScreen, drive: Driver, home: Path) -> None:
    app, trying = shelf.app, chosen(shelf, drive, "draw-30")
    result = to_the_result(drive)
    drive.key(pygame.K_SPACE)  # a moment too late
    assert app.top is result
    first = Store(home / "data" / "player").lines
    assert [(line.challenge, line.tried) for line in first if isinstance(line, TryLine)] == [("penny-white/draw-30", 1)]
    drive.key(pygame.K_r)
    assert isinstance(app.top, PlayScreen)
    assert app.top.beside is trying
    assert (trying.tries == 2) is not bool(first[0].stars)  # type: ignore[union-attr]
    assert not app.top.match.turns
    assert app.screens == [shelf, app.top]
    drive.key(pygame.K_ESCAPE)
    assert app.top is shelf
    row = next(row for row in shelf.rows if row.posed.challenge.name == "draw-30")
    assert row.best is not None
    assert row.best.tries == 1


def test_a_try_that_failed_is_no_best(shelf: ChallengesScreen, drive: Driver) -> None:
    trying = chosen(shelf, drive, "draw-30")
    for came, had, said in (
        (Came(measure=20.0), None, ""), (Came(measure=20.0), 30.0, "Better than before."),
        (Came(done=True, measure=2.0), 30.0, "Your best so far!"),
    ):  # fmt: skip
        trying.came = came
        best = None if had is None else Best(tries=1, stars=0, measure=had, unit="mm")
        assert TriedScreen(shelf.app, trying, 0, best, "0:01", False).record == said


def test_one_person_sits_at_all_seats(shelf: ChallengesScreen, drive: Driver) -> None:
    shelf.app.player.change(lambda had: msgspec.structs.replace(had, name="Ada"))
    chosen(shelf, drive, "draw-30")
    assert drive.table.match.people == {0: "Ada", 1: "also Ada"}


def test_next_goes_on_down_the_list(shelf: ChallengesScreen, drive: Driver) -> None:
    chosen(shelf, drive, "draw-10")
    to_the_result(drive)
    drive.key(pygame.K_n)
    beside = shelf.app.top.beside
    assert isinstance(beside, Trying)
    assert beside.posed.challenge.name == "draw-30"
    assert len(shelf.app.screens) == 2


def test_what_would_make_it_easy_is_not_there(shelf: ChallengesScreen, drive: Driver) -> None:
    shelf.app.preferences.hand = "steady"
    chosen(shelf, drive, "draw-10")
    table = shelf.app.top
    assert isinstance(table, AtTable)
    assert table.steadiness == "club"
    assert not table.buttons["hand"].enabled
    drive.key(pygame.K_y)
    assert table.steadiness == "club"
    to_the_result(drive)
    shelf.app.pop()
    drive.key(pygame.K_u)
    assert len(table.match.turns) == 1
    assert not table.ownable


@pytest.mark.parametrize("name", ["pot-10", "stand-small"])
def test_winks_and_pyramids_are_tried_at_their_own_tables(shelf: ChallengesScreen, drive: Driver, name: str) -> None:
    trying = chosen(shelf, drive, name)
    drive.frames(3)
    assert isinstance(shelf.app.top, AtTable)
    assert shelf.app.top.match.game is find(name).game
    assert trying.says == find(name).challenge.goal
    drive.key(pygame.K_ESCAPE)
    assert shelf.app.top is shelf


def test_a_click_chooses_and_a_second_one_begins(shelf: ChallengesScreen, drive: Driver) -> None:
    row = shelf.rows[2]
    drive.click(row.rect.center)
    assert shelf.app.top is shelf
    drive.click(row.rect.center)
    assert isinstance(shelf.app.top, PlayScreen)


def test_keys_go_to_both_ends_of_the_list(shelf: ChallengesScreen, drive: Driver) -> None:
    for key, at in ((pygame.K_END, -1), (pygame.K_HOME, 0), (pygame.K_PAGEDOWN, 10), (pygame.K_PAGEUP, 0)):
        drive.key(key)
        assert shelf.form.focused is shelf.rows[at]
    drive.key(pygame.K_END)
    assert shelf.app.surface.get_rect().contains(shelf.rows[-1].rect), "the chosen one is seen"


def test_a_row_that_is_half_out_of_view_takes_no_click(shelf: ChallengesScreen, drive: Driver) -> None:
    rows = [row.rect for row in shelf.rows]
    cut = next(rect for rect in rows if rect.bottom > shelf.listed.bottom > rect.top)
    drive.click((cut.centerx, (cut.top + shelf.listed.bottom) // 2))
    assert shelf.form.focused is shelf.rows[0]


def test_the_result_of_a_try_stands_clear_of_the_coins(shelf: ChallengesScreen, drive: Driver) -> None:
    chosen(shelf, drive, "puzzle-3")
    result = to_the_result(drive)
    drive.frames()
    table = drive.table
    assert table.lying
    assert not [at for at in table.lying if result.rect.collidepoint(at)]
    assert all(result.rect.contains(widget.rect) for widget in result.form.widgets)


def test_a_challenge_is_done_without_hints(shelf: ChallengesScreen, drive: Driver) -> None:
    chosen(shelf, drive, "draw-30")
    drive.frames()
    drive.key(pygame.K_h)
    assert drive.table.asked is None
    assert "H hint" not in drive.table.can()
    assert not drive.button("Hint").enabled
    assert not drive.button("Undo").enabled
    to_the_result(drive)
    shelf.app.pop()
    assert not drive.button("Undo").enabled, "a flick of a try stays"


@pytest.mark.parametrize(("name", "seat", "who"), [("last-missile-1", 0, "Red"), ("last-missile-2", 1, "Yellow")])
def test_whose_last_missile_it_is_is_lit_and_said(
    shelf: ChallengesScreen, drive: Driver, name: str, seat: int, who: str
) -> None:
    chosen(shelf, drive, name)
    drive.frames()
    table = shelf.app.top
    assert isinstance(table, IceScreen)
    assert table.seat == table.match.to_play == seat
    assert table.course.says == f"{who} has the last missile."
    assert not drive.button("Hint").enabled


def test_the_solution_of_a_puzzle_is_told_and_shown_and_then_earns_no_stars(
    shelf: ChallengesScreen, drive: Driver, home: Path
) -> None:
    app, trying = shelf.app, chosen(shelf, drive, "puzzle-3")
    drive.key(pygame.K_v)
    assert not drive.table.course.pending, "before a try nothing is shown"
    to_the_result(drive)
    drive.key(pygame.K_s)
    drive.frames(2)
    table = app.top
    assert isinstance(table, AtTable)
    assert trying.says.endswith("Club hand: 99 of 100; the next best 80.")
    assert "no stars with the solution told" in trying.note.lower()
    assert "99%" in drive.words(), "the arrow has its chance"
    assert drive.button("Show me").enabled
    drive.key(pygame.K_v)
    shown = to_the_result(drive)
    solution = find("puzzle-3").challenge.solution
    assert solution is not None
    assert table.match.turns[0].meant == solution.action
    assert table.match.turns[0].made != solution.action, "it is made by a hand"
    assert trying.shows == (1, int(trying.came.done))
    drive.frames()
    assert "Shown so far" in drive.words()
    assert shown.form.keyed(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_s)) is None
    drive.key(pygame.K_r)
    to_the_result(drive)
    lines = [line for line in Store(home / "data" / "player").lines if isinstance(line, TryLine)]
    assert len(lines) == 1, "only the try before it was told is kept"


def test_a_solution_is_shown_only_on_the_table_it_was_measured_on(shelf: ChallengesScreen, drive: Driver) -> None:
    trying = chosen(shelf, drive, "puzzle-1")
    trying.solve()
    drive.frames(2)
    table, solution = drive.table, trying.solution
    assert solution is not None
    assert isinstance(solution.action, Flick)
    gentle = msgspec.structs.replace(solution.action, speed=0.05)
    assert "V shows it" in table.can()
    assert drive.button("Show me").enabled
    turn = table.match.play(gentle)
    table.match.turns[:] = [dataclasses.replace(turn, after=turn.before)]  # the same seat plays on, as after a pot
    table.course.begin()
    drive.frames(2)
    assert table.course.stage == "choose", "somebody at the window plays on"
    assert "V shows it" not in table.can() + trying.note
    assert not drive.button("Show me").enabled
    drive.key(pygame.K_v)
    assert table.course.stage == "choose"
    assert not table.follows
    assert not trying.made, "so it is no showing of the solution"


@pytest.mark.parametrize("name", ["puzzle-3", "last-missile-1"])
def test_a_plan_that_is_refused_is_told_and_asked_for_no_more(
    shelf: ChallengesScreen, drive: Driver, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    trying = chosen(shelf, drive, name)
    trying.solve()
    drive.frames(2)
    table = shelf.app.top
    assert isinstance(table, AtTable)
    assert table.plan is not None
    action, asked = table.plan.action, list[object]()
    table.plan = dataclasses.replace(table.plan, onward=lambda state, _dice: asked.append(state) or action)
    monkeypatch.setattr(table.course, "objection", lambda _action: "no flicks today")
    drive.key(pygame.K_v)
    assert "no flicks today" in drive.words()
    assert not table.follows
    assert not trying.made
    table.follows = True
    drive.frames(5)
    assert len(asked) == 1
    assert not table.follows


def test_what_is_no_puzzle_has_no_solution(shelf: ChallengesScreen, drive: Driver) -> None:
    chosen(shelf, drive, "draw-10")
    result = to_the_result(drive)
    assert result.form.keyed(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_s)) is None


def test_every_solution_is_what_the_plan_begins_with() -> None:
    puzzles = [one.challenge for one in every() if one.challenge.ladder == "Puzzles"]
    assert len(puzzles) >= 60
    for puzzle in puzzles:
        solution, plan = puzzle.solution, puzzle.plan
        assert solution is not None
        assert plan is not None
        assert plan(puzzle.begin(), np.random.default_rng(1)) == solution.action
        assert 0.0 <= solution.rival < solution.chance <= 1.0
        assert told(solution).endswith(".")
