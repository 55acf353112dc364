"""A game the window has never heard of is played in it like the others."""

from __future__ import annotations

import pygame

from flicksim import games
from flicksim.play import open_match, parse_seat
from flicksim.ui.frame.app import App
from flicksim.ui.match.starting import begin

from ...games.test_sixth_game import added
from ..conftest import Driver

__all__ = ["added"]


def test_it_stands_on_the_front_door_and_is_played(app: App, drive: Driver) -> None:
    app.home()
    drive.frames(2)
    game = games.load("shove")
    seats = ("human", "bot:beginner")
    begin(app, open_match(game, game.options(), [parse_seat(seat) for seat in seats], 3), seats)
    drive.until("choose")
    drive.key(pygame.K_SPACE)
    drive.frames(2)
    drive.until("choose")
    assert [turn.seat for turn in drive.table.match.turns] == [0, 1]
    drive.key(pygame.K_u)
    assert drive.table.match.turns == []
