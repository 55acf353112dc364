"""End screen of tiddlywinks: counts and points of each seat, and the winner."""

from collections.abc import Callable
from fractions import Fraction

import pygame

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.scoring import pair_points
from flicksim.gui.app import App, Overlay
from flicksim.gui.game_views.tiddlywinks import score_panel, wink_sprites
from flicksim.gui.match import score_table
from flicksim.gui.match.overlays import EndScreen
from flicksim.gui.match.score_table import Rows
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import Canvas, palette
from flicksim.match import Match


class TiddlywinksEndScreen(EndScreen):
    """End screen with potted and uncovered winks, totals, places and points by seat, and the pairs' points."""

    def __init__(
        self, app: App, match: Match, restart: Callable[[], None] | None, on_undo: Callable[[], None],
        self_report: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(app, match, restart, on_undo, self_report)
        self._width, self._height = 640, 604
        rows = list(score_rows(match))
        self._ruling_lines = [*rows[:-1], *self.statistics, rows[-1]]

    def draw(self, canvas: Canvas) -> None:
        Overlay.draw(self, canvas)
        rect, match = self.rect, self.match
        ours, theirs = pair_points(match.state.book.points)
        y = rect.y + canvas.px(18)
        text = result_text(match)
        y = canvas.text(text, (rect.centerx, y), 26, palette.ACCENT, bold=True, anchor="midtop").bottom
        figures = f"{match_text.format_points(max(ours, theirs))} : {match_text.format_points(min(ours, theirs))}"
        y = canvas.text(figures, (rect.centerx, y + canvas.px(2)), 40, bold=True, anchor="midtop").bottom
        y += canvas.px(10)
        label = rect.x + canvas.px(36)
        columns = [rect.x + round(rect.w * (0.36 + 0.6 * (k + 0.5) / 4)) for k in range(4)]
        keys = [palette.seat_key(seat, match.game.seat_names) for seat in range(4)]
        marks = [wink_sprites.wink_sprite(canvas.px(10), key) for key in keys]
        y = score_table.draw_header(canvas, columns, y, kit.SEATS, marks)
        right, steps = rect.right - canvas.px(36), (canvas.px(23), canvas.px(27))
        y = score_table.draw_rows(canvas, label, columns, right, y, self._ruling_lines, steps)
        self._draw_ruling(canvas, pygame.Rect(label, y + canvas.px(4), rect.right - canvas.px(36) - label,
                                      self.form.widgets[0].rect.y - y - canvas.px(10)))  # fmt: skip

    def _draw_ruling(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """Draw the last ruling, with its rule ids."""
        y = rect.y
        for reason in self.match.turns[-1].verdict.reasons[-3:] if self.match.turns else ():
            if rect.bottom - y < canvas.line_height(12):
                return
            canvas.text(reason.rule, (rect.right, y), 11, palette.MUTED_TEXT, anchor="topright")
            text_rect = pygame.Rect(rect.x, y, rect.w - canvas.px(60), rect.bottom - y)
            y = canvas.paragraph(reason.text, text_rect, 12, palette.MUTED_TEXT) + canvas.px(1)


def result_text(match: Match) -> str:
    """Line about the winner."""
    won = match.winners
    if len(won) != 2:
        return "A draw" if won else "The game is not over."
    return f"{kit.PAIRS[kit.pair_of(won[0])]} win"


def score_rows(match: Match) -> Rows:
    """Rows of the table at the end: a label, and a text for each seat."""
    state = match.state
    counts_by_seat = [score_panel.wink_counts(state, seat) for seat in range(4)]
    book = state.book
    places = {seat: str(place + 1) for place, group in enumerate(book.finished) for seat in group}
    table = [
        ("Potted", tuple(str(counts["potted"]) for counts in counts_by_seat)),
        ("In play, not squopped", tuple(str(counts["free"] + counts["squopping"]) for counts in counts_by_seat)),
        ("Squopped", tuple(str(counts["squopped"]) for counts in counts_by_seat)),
        ("Never brought in", tuple(str(counts["behind"]) for counts in counts_by_seat)),
    ]
    if book.potted_out:
        table.append(("Potted out as number", tuple(places.get(seat, "–") for seat in range(4))))
    else:
        table.append(("Total of time-limit points", tuple(str(total) for total in score_panel.score_totals(state))))
    points: tuple[Fraction, ...] = book.points
    table.append(("Points", tuple(match_text.format_points(value) for value in points)))
    return table
