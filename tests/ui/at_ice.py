"""Matches of pyramids in a window nobody sees, and the hands of several people at it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pygame

from flicksim.games import load
from flicksim.games.ice.state import State
from flicksim.play import PYRAMIDS, Match, open_match, parse_seat
from flicksim.referee import parse_options
from flicksim.ui import Keeper
from flicksim.ui.faces.ice.screen import IceScreen
from flicksim.ui.frame.app import App
from tests.waiting import until

from .conftest import Driver, table


def ice_match(*seats: str, options: tuple[str, ...] = (), left: int = 14, seed: int = 5) -> Match:
    """A game of pyramids; everybody has only so many missiles, the small ones first."""
    PYRAMIDS.wait()  # else time would stand still at first
    game = load("ice")
    match = open_match(game, parse_options(game, options), [parse_seat(seat) for seat in seats], seed)
    state = match.opening
    assert isinstance(state, State)
    match.opening = msgspec.structs.replace(state, hands=tuple(hand[:left] for hand in state.hands))
    return match


class IceHands(Driver):
    """Several people at one keyboard.

    Args:
        match: sat down to. keeper: of its record.
    """

    def __init__(self, app: App, match: Match, keeper: Keeper | None = None) -> None:
        super().__init__(app)
        screen = table(app, match, keeper, None, own=True)
        assert isinstance(screen, IceScreen)
        self.ice = screen
        app.show(screen)
        self.frames(2)

    def down(self, *keys: int) -> None:
        self._post(pygame.KEYDOWN, keys)

    def up(self, *keys: int) -> None:
        self._post(pygame.KEYUP, keys)

    def _post(self, kind: int, keys: tuple[int, ...]) -> None:
        for key in keys:
            text = chr(key) if 32 <= key < 127 else ""
            pygame.event.post(pygame.event.Event(kind, key=key, mod=0, unicode=text, scancode=0))
        self.frames()

    def wait(self, met: Callable[[], bool], dt: float = 1.0 / 30.0) -> None:
        """Frames until something is so. What is settled beside the window may take long on a busy machine."""
        until(met, lambda: self.frames(1, dt))

    def begin(self) -> IceScreen:
        """Everybody at the window holds what they have loaded; until the clock runs."""
        for seat in self.ice.people:
            self.ice.flick(seat)
        self.wait(lambda: self.ice.course.table.started and self.ice.course.now >= 0.0)
        return self.ice

    def landed(self, count: int) -> None:
        """Until so many missiles have been seen to come to rest."""
        self.wait(lambda: len(self.ice.course.log_lines) >= count)
