"""Card matches in a window nobody sees: what the tests of both games share."""

from __future__ import annotations

from typing import Any

import pygame

from flicksim.games import load
from flicksim.play import Match, open_match, parse_seat
from flicksim.referee import parse_options
from flicksim.ui.cards.screen import CardScreen
from flicksim.ui.cards.sheet import RoundScreen
from flicksim.ui.frame.app import App

from .conftest import Driver, Keeper, table


def cards(game: str, *seats: str, options: tuple[str, ...] = (), seed: int = 5) -> Match:
    """A match of the card wing."""
    card = load(game)
    return open_match(card, parse_options(card, options), [parse_seat(seat) for seat in seats], seed)


def sit(app: App, match: Match, keeper: Keeper | None = None) -> CardScreen:
    """At the cloth, the others playing at once."""
    app.preferences.pace = 2
    screen = table(app, match, keeper, None)
    assert isinstance(screen, CardScreen)
    app.show(screen)
    app.frame(0.02)
    return screen


class Hands(Driver):
    """A player of cards: waits until it is its turn, or a sheet is shown."""

    def wait(self) -> CardScreen:
        table = self.cloth
        for _ in range(5000):
            if self.app.top is not table or (table.course.stage == "choose"):
                return table
            self.app.frame(0.05)
            if table.course.stage in ("think", "settle"):
                pygame.time.wait(1)
        raise AssertionError(f"still {table.course.stage}")

    def until_settled(self) -> None:
        """Until the move just made has been ruled on and the game has gone on."""
        table = self.cloth
        for _ in range(2000):
            self.app.frame(0.05)
            if table.course.stage in ("choose", "over") or self.app.top is not table:
                return
            pygame.time.wait(1)

    @property
    def cloth(self) -> CardScreen:
        return next(screen for screen in self.app.screens if isinstance(screen, CardScreen))

    @property
    def sheet(self) -> RoundScreen | None:
        return self.app.top if isinstance(self.app.top, RoundScreen) else None

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Press, move in two steps, let go."""
        self.move(start)
        self.press(start)
        self.move(((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
        self.move(end)
        self.release(end)

    def grip(self, item: Any) -> tuple[int, int]:
        """Point at which a card or tile of the hand can be gripped."""
        rack = self.cloth.cloth.rack
        rect = rack.spots[next(k for k, one in enumerate(rack.items) if one is item)]
        return (rect.x + 6, rect.centery)
