"""The end of a game of tiddlywinks: what each seat had, what it got, and who has won."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pygame

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.scoring import pair_points
from flicksim.play import Match
from flicksim.ui.faces.tiddlywinks import pictures, score
from flicksim.ui.frame.app import App
from flicksim.ui.frame.overlay import Overlay
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.match import end_table
from flicksim.ui.match.end_table import LAST, Rows
from flicksim.ui.match.overlays import EndScreen
from flicksim.ui.table import standing


class FinalScreen(EndScreen):
    """Potted, uncovered, totals, places and points by seat, and the pairs' points in large figures."""

    def __init__(
        self, app: App, match: Match, again: Callable[[], None] | None, undo: Callable[[], None],
        own: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(app, match, again, undo, own)
        self._wide, self._high = 640, 604
        lines = list(rows(match))
        self._lines = [*lines[:-1], *self.figures, lines[-1]]

    def draw(self, canvas: Canvas) -> None:
        """Draw who has won, and why."""
        Overlay.draw(self, canvas)
        rect, match = self.rect, self.match
        ours, theirs = pair_points(match.state.book.points)
        y = rect.y + canvas.px(18)
        words = result(match)
        y = canvas.text(words, (rect.centerx, y), 26, palette.ACCENT, bold=True, anchor="midtop").bottom
        figures = f"{standing.number(max(ours, theirs))} : {standing.number(min(ours, theirs))}"
        y = canvas.text(figures, (rect.centerx, y + canvas.px(2)), 40, bold=True, anchor="midtop").bottom
        y += canvas.px(10)
        label = rect.x + canvas.px(36)
        columns = [rect.x + round(rect.w * (0.36 + 0.6 * (k + 0.5) / 4)) for k in range(4)]

        def mark(seat: int) -> pygame.Surface:
            return pictures.wink(canvas.px(10), palette.seat_key(seat, match.game.seat_names))

        y = end_table.heads(canvas, columns, y, kit.SEATS, mark)
        right, steps = rect.right - canvas.px(36), (canvas.px(23), canvas.px(27))
        y = end_table.rows(canvas, label, columns, right, y, self._lines, steps)
        self._why(canvas, pygame.Rect(label, y + canvas.px(4), rect.right - canvas.px(36) - label,
                                      self.form.widgets[0].rect.y - y - canvas.px(10)))  # fmt: skip

    def _why(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """The last ruling, with its ledger ids."""
        y = rect.y
        for reason in self.match.turns[-1].verdict.reasons[-3:] if self.match.turns else ():
            if rect.bottom - y < canvas.high(12):
                return
            canvas.text(reason.rule, (rect.right, y), 11, palette.FAINT, anchor="topright")
            words = pygame.Rect(rect.x, y, rect.w - canvas.px(60), rect.bottom - y)
            y = canvas.paragraph(reason.says, words, 12, palette.FAINT) + canvas.px(1)


def result(match: Match) -> str:
    """A line for who has won."""
    won = match.winners
    if len(won) != 2:
        return "A draw" if won else "The game is not over."
    return f"{kit.PAIRS[kit.pair_of(won[0])]} win"


def rows(match: Match) -> Rows:
    """The rows of the table at the end: a label, and a word for each seat."""
    state = match.state
    found = [score.counts(state, seat) for seat in range(4)]
    book = state.book
    places = {seat: str(place + 1) for place, group in enumerate(book.finished) for seat in group}
    table = [
        ("Potted", tuple(str(one["potted"]) for one in found)),
        ("In play, not squopped", tuple(str(one["free"] + one["squopping"]) for one in found)),
        ("Squopped", tuple(str(one["squopped"]) for one in found)),
        ("Never brought in", tuple(str(one["behind"]) for one in found)),
    ]
    if book.potted_out:
        table.append(("Potted out as number", tuple(places.get(seat, "–") for seat in range(4))))
    else:
        table.append(("Total of time-limit points", tuple(str(total) for total in score.totals(state))))
    points: tuple[Fraction, ...] = book.points
    table.append((LAST, tuple(standing.number(value) for value in points)))
    return table
