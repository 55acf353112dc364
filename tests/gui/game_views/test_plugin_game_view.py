"""Tests of a plugin game, which is played in the window like the built-in games."""

from __future__ import annotations

import pygame

from flicksim import games
from flicksim.gui.app.application import App
from flicksim.gui.match.start_match import start_match
from flicksim.match import open_match, parse_seat

from ...games.test_plugin_game import added
from ..conftest import Driver

__all__ = ["added"]


def test_a_plugin_game_is_listed_and_playable(app: App, drive: Driver) -> None:
    app.show_main_menu()
    drive.frames(2)
    game = games.load("shove")
    seats = ("human", "bot:beginner")
    start_match(app, open_match(game, game.options(), [parse_seat(seat) for seat in seats], 3), seats)
    drive.wait_for_phase("choose")
    drive.key(pygame.K_SPACE)
    drive.frames(2)
    drive.wait_for_phase("choose")
    assert [turn.seat for turn in drive.top_screen.match.turns] == [0, 1]
    drive.key(pygame.K_u)
    assert drive.top_screen.match.turns == []
