"""The end of a game of pyramids: what stands, what it counts, and who has won."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from flicksim.games.ice.state import State
from flicksim.play import Match
from flicksim.table import SIZES
from flicksim.ui.faces.ice.count import counted, tally
from flicksim.ui.frame.app import App
from flicksim.ui.frame.overlay import Overlay
from flicksim.ui.kit import coins, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.widgets import Button
from flicksim.ui.match import end_table
from flicksim.ui.match.end_table import LAST, Rows
from flicksim.ui.match.overlays import EndScreen
from flicksim.ui.table import standing


class FinalScreen(EndScreen):
    """A row for each size and each way to count it, a column for each seat."""

    ANALYSED = False

    def __init__(
        self, app: App, match: Match, again: Callable[[], None] | None, undo: Callable[[], None],
        best: Callable[[], None] | None = None, own: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(app, match, again, undo, own)
        if best is not None:

            def show() -> None:
                app.pop()
                best()

            self.form.widgets.insert(1, Button("Show the best launch", show, key="B"))
        self._wide, self._high = 350 + 84 * len(match.players), 604

    def draw(self, canvas: Canvas) -> None:
        """Draw who has won, and why."""
        Overlay.draw(self, canvas)
        rect, match = self.rect, self.match
        words = standing.result(match) if len(match.players) > 1 else f"{match.scores[0]} points"
        y = canvas.text(words, (rect.centerx, rect.y + canvas.px(18)), 28, palette.ACCENT, bold=True,
                        anchor="midtop").bottom + canvas.px(12)  # fmt: skip
        label, first = rect.x + canvas.px(30), rect.x + canvas.px(250)
        wide = (rect.right - canvas.px(30) - first) / len(match.players)
        columns = [round(first + wide * (k + 0.5)) for k in range(len(match.players))]
        names = [standing.name(match, seat) for seat in range(len(columns))]

        def mark(seat: int) -> pygame.Surface:
            return coins.coin(canvas.px(10), palette.seat_key(seat, match.game.seat_names), "penny", 0.0)

        y = end_table.heads(canvas, columns, y, names, mark, 14)
        foot, table = self.form.widgets[0].rect.y, rows(match)
        step = min(canvas.px(25), (foot - y - canvas.px(20)) // max(1, len(table)))
        y = end_table.rows(canvas, label, columns, rect.right - canvas.px(30), y, table, (step, step), 14)
        room = pygame.Rect(label, y + canvas.px(10), rect.w - canvas.px(60), foot - y - canvas.px(14))
        if room.h >= canvas.high(12):
            canvas.paragraph(
                "Upright counts 1, 2 or 3 by size (ITW-7e); with its base on a piece that is not upright, twice that "
                "(ITW-7f).", room, 12, palette.FAINT,
            )  # fmt: skip


def rows(match: Match) -> Rows:
    """The rows of the table at the end: a label, and a word for each seat."""
    state = match.state
    assert isinstance(state, State)
    count = counted(state)
    found = [tally(count, seat) for seat in range(len(match.players))]
    table = []
    for k, size in enumerate(SIZES):
        pips = state.scene.kit.shape(size).pips
        table.append((f"{size} upright, {pips} each", tuple(_many(one.counts[k][0]) for one in found)))
    for k, size in enumerate(SIZES):
        pips = 2 * state.scene.kit.shape(size).pips
        table.append((f"{size} on one not upright, {pips} each", tuple(_many(one.counts[k][1]) for one in found)))
    table.append((LAST, tuple(standing.number(points) for points in match.scores)))
    return table


def _many(count: int) -> str:
    return str(count) if count else "–"
