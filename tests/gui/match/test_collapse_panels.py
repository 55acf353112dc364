"""Collapsible panels: the table fills the window; they return for a decision."""

from collections.abc import Callable

import pygame
import pytest

from flicksim.gui.app import App
from flicksim.match import Match

from ..conftest import Driver, match_screen, penny_white_match
from ..ice_helpers import ice_match
from ..tiddlywinks_helpers import at_position, winks_match


def _pennies() -> Match:
    match = penny_white_match("human", "human")
    while match.legal_actions().actions:  # the white is placed first
        match.play(match.legal_actions().actions[0])
    return match


@pytest.mark.parametrize("match", [lambda: at_position(winks_match()), _pennies, lambda: ice_match("human", "human")])
def test_folded_panels_enlarge_the_table(app: App, drive: Driver, match: Callable[[], Match]) -> None:
    screen = drive.show(match_screen(app, match()), 2)
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


def test_panels_return_for_a_decision(app: App, drive: Driver) -> None:
    screen = drive.show(match_screen(app, penny_white_match("human", "human")), 2)
    drive.key(pygame.K_F6)
    deciding = bool(screen.decisions)
    assert screen.is_folded is not deciding
    if deciding:
        drive.key(pygame.K_RETURN)
        drive.frames(60)
        assert screen.is_folded


@pytest.mark.parametrize("size", [(800, 600), (1920, 1080)])
def test_folded_tables_fit_any_window_size(app: App, drive: Driver, size: tuple[int, int]) -> None:
    screen = drive.show(match_screen(app, at_position(winks_match())), 2)
    drive.key(pygame.K_F6)
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1]))
    drive.frames(3)
    whole = app.surface.get_rect()
    assert whole.contains(screen.buttons["fold"].rect)
    assert whole.contains(screen.view.unobstructed)
    assert all(whole.collidepoint(at) for at in screen.controller.score_positions.values())
    assert len(screen.controller.score_positions) == 4
