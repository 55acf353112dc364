"""Card matches on an invisible window: helpers for the tests of dominoes and tinkle."""

from functools import partial
from typing import Any

from flicksim.gui.app import App
from flicksim.gui.card_view.card_screen import CardScreen
from flicksim.match import Match
from tests.matches import new_match

from .conftest import Driver, FakeRecorder, match_screen

card_match = partial(new_match, seed=5)


def open_card_screen(app: App, match: Match, recorder: FakeRecorder | None = None) -> CardScreen:
    """Open the screen of a card match, with bots that play without delay."""
    app.preferences.card_pace = 2
    screen = match_screen(app, match, recorder, None)
    assert isinstance(screen, CardScreen)
    app.replace_all(screen)
    app.run_frame(0.02)
    return screen


class CardDriver(Driver):
    """A player of cards: waits until it is its turn, or a sheet is shown."""

    def wait(self, *phases: str) -> CardScreen:
        """Run frames until the match is in one of these phases, by default in "choose", or a sheet is shown."""
        table = self.card_screen
        self.until(lambda: self.app.top is not table or table.controller.phase in (phases or ("choose",)), 0.05)
        return table

    def until_settled(self) -> None:
        """Until the move just made has been ruled on and the game has gone on."""
        self.app.run_frame(0.05)
        self.wait("choose", "over")

    def play(self, *keys: int) -> None:
        """Press keys one after another, and see the move they make ruled on."""
        self.keys(*keys)
        self.until_settled()

    @property
    def card_screen(self) -> CardScreen:
        return next(screen for screen in self.app.screens if isinstance(screen, CardScreen))

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Press, move in two steps, let go, and see what was moved ruled on."""
        self.move(start)
        self.press(start)
        self.move(((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
        self.move(end)
        self.release(end)
        self.until_settled()

    def item_point(self, item: Any) -> tuple[int, int]:
        """Point at which a card or tile of the hand can be gripped."""
        rack = self.card_screen.card_table.hand_view
        rect = rack.item_rects[next(k for k, one in enumerate(rack.items) if one is item)]
        return (rect.x + 6, rect.centery)
