"""A finished game of cards, looked through turn by turn: hands stay hidden unless one asks to see them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from flicksim.play import Turn
from flicksim.referee import Game
from flicksim.ui.cards import plates
from flicksim.ui.cards.cloth import Cloth
from flicksim.ui.cards.course import closed
from flicksim.ui.frame.app import App
from flicksim.ui.frame.face import Prints
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.keys import Key, Keys
from flicksim.ui.kit.widgets import Button
from flicksim.ui.match.replay import KEEPING, LEAFING, ReplayScreen
from flicksim.ui.table import standing

LOOKING = Keys(
    "Look through cards or tiles",
    (*LEAFING, Key("V", "show the hand of whoever acted, when the game is over", ("uncover",)), *KEEPING),
)


class CardReplay(ReplayScreen):
    """Turns in a list, the cloth as it lay after each. Nothing moves here, but hands may be shown."""

    keys = LOOKING

    def __init__(
        self, app: App, game: Game, turns: Sequence[Turn], back: Callable[[int], None] | None = None, *,
        prints: Prints, cloth: type[Cloth],
    ) -> None:  # fmt: skip
        self.open = False
        self.cloth = cloth(game, lambda _: "", app.preferences, app.sounds)
        super().__init__(app, game, turns, back, prints=prints)
        self._show = Button("Show hands", self.uncover, key="V")
        # a game that goes on is looked through with the hands closed
        self._show.enabled = bool(self.turns) and self.turns[-1].verdict.ruling.over
        self.form.widgets = [self.list, self._prev, self._next, self._show, *self._foot()]

    @property
    def may_analyse(self) -> bool:
        """True once the game is over: before, it would tell of hidden hands."""
        return bool(self.turns) and self.turns[-1].verdict.ruling.over

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        ways = "V hides hands" if self.open else "V shows hands"
        return f"{ways}   ·   {super().can()}" if self._show.enabled else super().can()

    def uncover(self) -> None:
        """Show the hand of whoever acted, or hide it again; not before the game is over."""
        if not self._show.enabled:
            return
        self.open = not self.open
        self._show.label = "Hide hands" if self.open else "Show hands"
        if self.turns:
            self._chosen(self.list.index)

    def _chosen(self, index: int) -> None:
        """Another turn: as it lay when it was over."""
        turn = self.turns[index]
        self._best = None
        lay_open(self.cloth, self.game, turn, turn.seat if self.open else None)

    def _key(self, event: pygame.event.Event) -> bool:
        if self.keys.pressed(event)[0] == "uncover":
            self.uncover()
            return True
        return super()._key(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """The cloth where the table would be; no bar, for nothing moves."""
        super().layout(size, scale)
        self._show.rect = self._play.rect.union(self._slow.rect)
        foot = self._prev.rect.y - round(14 * scale)
        self.cloth.place(pygame.Rect(0, 0, self._right.x, foot), scale)

    def draw(self, canvas: Canvas) -> None:
        """Cloth, list, ruling."""
        if self.turn is not None:
            with canvas.clipped(self.cloth.rect):
                self.cloth.draw(canvas)
        super().draw(canvas)

    def _scores(self, canvas: Canvas, rect: pygame.Rect, turn: Turn) -> int:
        """Points after this turn, in as many lines as they need."""
        x, y, step = rect.x, rect.y, canvas.high(14) + canvas.px(2)
        for seat, points in enumerate(self.game.rules.scores(turn.after)):
            name = self.game.seat_names[seat]
            words = f"{name} {standing.number(points)}"
            wide = canvas.wide(words, 14, bold=True) + canvas.px(34)
            if x + wide > rect.right:
                x, y = rect.x, y + step
            plates.badge(canvas, (x + canvas.px(8), y + step // 2), canvas.px(8), seat, name)
            canvas.text(words, (x + canvas.px(20), y), 14, bold=True)
            x += wide
        return y + step + canvas.px(8)


def lay_open(cloth: Cloth, game: Game, turn: Turn, seat: int | None) -> None:
    """Show a cloth as it lay when a turn was over, with one seat's hand open or none."""
    view = game.rules.view
    state = cloth.laid(turn) if closed(turn) is not None else turn.after
    shown = view(state, seat) if seat is not None else view(view(state, 0), 1)
    cloth.show(shown, seat, choosing=False, made=turn.made)
