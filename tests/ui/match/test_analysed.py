"""A finished game gone through by the analyst in the window."""

from __future__ import annotations

import time
from typing import ClassVar, Generic, TypeVar

import pygame
import pytest

from flicksim.games import load
from flicksim.play import Reviewed, Untold
from flicksim.players import Worth
from flicksim.referee import Purpose
from flicksim.table import Flick, Motion
from flicksim.ui.frame.app import App
from flicksim.ui.kit import language
from flicksim.ui.match import analysed
from flicksim.ui.match.replay import ReplayScreen
from flicksim.ui.table.playback import Playback

from ..conftest import Driver, looked_through, match_of

T = TypeVar("T")


class _Silent(Generic[T]):
    """Work that is asked for and never told of."""

    every: ClassVar[list[_Silent[object]]] = []

    def __init__(self, _ready: object) -> None:
        self.every.append(self)
        self.told: list[object] = []
        self.done, self.wrong, self.waits, self.settled = True, "", False, 0

    def ask(self, *_asked: object) -> None:
        self.done = False

    def update(self) -> None:
        """Nothing is told."""

    def drop(self) -> None:
        self.done = True

    leave = drop


def _analysed(app: App, drive: Driver, turns: int = 3) -> ReplayScreen:
    match = match_of("bot:beginner", "bot:beginner", options=("ends=1",))
    made = [match.play(match.ask()) for _ in range(turns)]
    screen: ReplayScreen = looked_through(app, match.game, made)
    app.show(screen)
    drive.key(pygame.K_a)
    assert screen.analysis is not None
    for _ in range(3000):
        drive.frames()
        if screen.analysis.done:
            break
        time.sleep(0.01)
    assert screen.analysis.done
    assert screen.analysis.says == ""
    return screen


def test_a_game_is_gone_through_its_best_flicks_are_shown_and_the_graph_leads_to_turns(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = _analysed(app, drive)
    analysis = screen.analysis
    assert analysis is not None
    told = [analysis.of(turn) for turn in screen.turns]
    assert [one.number for one in told if one is not None] == [1, 2, 3]
    flicked = [k for k, one in enumerate(told) if isinstance(one, Reviewed)]
    assert flicked, "pennies were flicked"
    screen.list.go(flicked[-1])
    drive.frames()
    one = told[flicked[-1]]
    assert isinstance(one, Reviewed)
    assert any(f"{one.after.chance:.0%} once made." in line for line in analysed.words(one))
    meant = screen.playback
    best = analysis.best_shown(screen.turns[flicked[-1]], one)
    assert isinstance(best, Motion)
    assert best.flick == one.best
    screen.analyse()
    drive.frames()
    assert isinstance(screen.playback, Playback)
    assert screen.playback is not meant
    assert screen.playback.motion.flick == one.best
    drive.key(pygame.K_LEFT)
    drive.key(pygame.K_RIGHT)
    assert screen.turn is not None
    assert isinstance(screen.playback, Playback)
    assert screen.playback.motion == screen.turn.account, "the turn itself is shown again"
    with monkeypatch.context() as patch:
        patch.setattr(analysis, "best_shown", lambda *_: None)
        screen.analyse()
        assert app.notice == "What is better stands beside the table: only flicks are shown."

    for one in analysis.review().turns:
        assert analysis.chance(one) == pytest.approx(one.after.chance if one.seat == 0 else 1.0 - one.after.chance)
    rect = screen.graph_area
    drive.click((rect.right - 6, rect.centery))
    assert screen.list.index == len(screen.turns) - 1
    drive.click((rect.x + rect.w * 0.2, rect.centery))
    assert screen.list.index == 0


def test_what_the_referee_said_is_a_key_away_and_the_graph_says_where_the_review_ends(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysed, "Apart", _Silent)
    monkeypatch.setattr(_Silent, "every", works := [])
    match = match_of("random", "random", options=("ends=1",))
    screen: ReplayScreen = looked_through(app, match.game, [match.play(match.ask()) for _ in range(12)])
    app.show(screen)
    drive.key(pygame.K_r)
    assert not screen.ruled, "it stands there anyway"
    drive.key(pygame.K_F8)
    drive.key(pygame.K_a)
    assert "This turn is not analysed yet." in drive.words()
    assert "BEFORE THE TURN" in drive.words().upper()
    assert screen.turn is not None
    drive.key(pygame.K_r)
    assert "BEFORE THE TURN" not in drive.words().upper()
    assert all(reason.rule in drive.words() for reason in screen.turn.verdict.reasons)
    drive.key(pygame.K_r)
    assert "BEFORE THE TURN" in drive.words().upper()
    (work,) = works
    work.done, work.wrong = True, "the process that works it out has ended"
    drive.frames()
    assert "This turn was not analysed." in drive.words()
    assert "analysed yet" not in drive.words()
    assert screen.analysis is not None
    assert screen.analysis.says.startswith("The analysis ended after 0 of 12 turns")


def test_a_game_that_goes_on_is_not_analysed(app: App, drive: Driver) -> None:
    bots = match_of("bot:beginner", "bot:beginner")
    turns = [bots.play(bots.ask()) for _ in range(2)]
    screen = app.routes.replay(app, load("penny-white"), turns, lambda _: None)
    app.show(screen)
    drive.key(pygame.K_a)
    assert screen.analysis is None
    assert not screen.may_analyse
    assert "A analyses" not in screen.can()


def test_sentences_about_a_turn_have_german() -> None:
    worth = Worth(chance=0.5, low=0.4, high=0.6, points=0.0, give=0.1, tries=64)
    flick = Flick(piece="blue-1", speed=1.0, azimuth=1.0)
    told = {"number": 1, "seat": 0, "meant": flick, "made": flick, "best": flick, "before": worth}
    told |= {"meant_worth": worth, "after": worth}
    squop, pot = Purpose(kind="squop", of=("red-2",), says="squop Red 2"), Purpose(kind="pot", says="pot Blue 1")
    aimed = Reviewed(**told, lost_as_meant=0.2, lost_by_hand=0.0, sure=True, meant_purpose=pot, best_purpose=squop)
    lines = [
        *analysed.words(aimed),
        *analysed.words(Reviewed(**told, lost_as_meant=0.2, lost_by_hand=0.1, sure=True)),
        *analysed.words(Reviewed(**told, lost_as_meant=0.0, lost_by_hand=-0.1, sure=False)),
        *analysed.words(None),
        *analysed.words(None, done=True),
        *analysed.words(Untold(number=1, seat=0, why="nothing to choose")),
        *analysed.words(Untold(number=1, seat=0, why="too few shots", need=9)),
    ]
    assert language.use("de") == ""
    try:
        english = [line for line in lines if language.said(line) == line]
    finally:
        language.use("en")
    assert english == []
    assert any("Better: Blue 1 flicked at 1.000 m/s" in line for line in lines)
    assert {"Meant: pot Blue 1.", "Better: squop Red 2."} <= set(lines)
