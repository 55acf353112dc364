"""Panels can be put away, so that the table fills the window; they come back when they are needed."""

from __future__ import annotations

import pygame
import pytest

from flicksim.play import Match
from flicksim.ui.frame.app import App
from flicksim.ui.match.at_table import AtTable

from ..at_ice import ice_match
from ..at_winks import at_position, winks_match
from ..conftest import Driver, match_of, table


def _winks() -> Match:
    return at_position(winks_match())


def _pennies() -> Match:
    match = match_of("human", "human")
    while match.choices().actions:  # the white is placed first
        match.play(match.choices().actions[0])
    return match


def _pyramids() -> Match:
    return ice_match("human", "human")


def _sit(app: App, drive: Driver, match: Match) -> AtTable:
    screen = table(app, match)
    app.show(screen)
    drive.frames(2)
    assert isinstance(screen, AtTable)
    return screen


@pytest.mark.parametrize("match", [_winks, _pennies, _pyramids])
def test_folded_panels_leave_the_table_more_room_and_come_back(app: App, drive: Driver, match: object) -> None:
    screen = _sit(app, drive, match())  # type: ignore[operator]
    assert screen.seen is not None
    widgets, room = list(screen.form.widgets), screen.seen.clear.copy()
    drive.key(pygame.K_F6)
    assert screen.folded
    assert screen.form.widgets == [screen.buttons["fold"]]
    wide = screen.seen.clear
    assert wide.w * wide.h > 1.2 * room.w * room.h
    assert app.surface.get_rect().contains(screen.buttons["fold"].rect)
    drive.click(screen.buttons["fold"].rect.center)
    assert not screen.folded
    assert screen.form.widgets == widgets
    assert screen.seen.clear == room


def test_panels_come_back_for_a_decision(app: App, drive: Driver) -> None:
    screen = _sit(app, drive, match_of("human", "human"))
    drive.key(pygame.K_F6)
    deciding = bool(screen.decisions)  # type: ignore[attr-defined]
    assert screen.folded is not deciding
    if deciding:
        drive.key(pygame.K_RETURN)
        drive.frames(60)
        assert screen.folded


@pytest.mark.parametrize("size", [(800, 600), (1920, 1080)])
def test_a_table_without_panels_can_have_any_size(app: App, drive: Driver, size: tuple[int, int]) -> None:
    screen = _sit(app, drive, _winks())
    drive.key(pygame.K_F6)
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1]))
    drive.frames(3)
    whole = app.surface.get_rect()
    assert whole.contains(screen.buttons["fold"].rect)
    assert screen.seen is not None
    assert whole.contains(screen.seen.clear)
    assert all(whole.collidepoint(at) for at in screen.course.scores_at.values())
    assert len(screen.course.scores_at) == 4
