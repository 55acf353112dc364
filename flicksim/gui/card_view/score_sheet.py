"""Score sheets: of a finished round with all rounds before it, and the final sheet."""

from collections.abc import Callable, Sequence

import pygame

from flicksim.gui.app import App, Overlay
from flicksim.gui.card_view import seat_plates
from flicksim.gui.card_view.card_table import CardTable, format_signed
from flicksim.gui.match.overlays import EndScreen
from flicksim.gui.table_view import draw_sentences, match_text
from flicksim.gui.toolkit import Button, Canvas, Form, palette, place_at_bottom
from flicksim.match import Match, Turn

_BOT_ONLY_TIME = 3.5
"""Time for which a sheet stays when only bots play [s]."""


class ScoreSheet:
    """Table of figures with a row for each seat, after a turn that finished a round."""

    def __init__(self, match: Match, card_table: CardTable, turn: Turn) -> None:
        self.title, self.headers, self.cells = card_table.score_columns(turn)
        self.rounds: list[Sequence[int]] = [round_.points for round_ in turn.after.sheet]
        """Points of every finished round, by seat."""
        points = match.rules.scores(turn.after)
        self.totals = [match_text.format_points(total).replace("-", "−") for total in points]
        self.names = [match_text.seat_text(match, seat) for seat in range(len(match.players))]
        self.best = match.rules.leaders(turn.after)
        """Seats in the lead."""
        self.reasons = [(reason.rule, match_text.ruling_text(match, reason.text)) for reason in turn.verdict.reasons]

    def draw(self, canvas: Canvas, rect: pygame.Rect) -> int:
        """Draw the sheet into a rectangle. Return its lower end [pixels]."""
        count = len(self.names)
        step = min(canvas.px(30), max(canvas.px(15), (rect.h - canvas.px(26)) // (count + 1)))
        size = min(16.0, step / canvas.scale * 0.66)
        y = rect.y
        label = max(canvas.text_width(name, size, bold=True) for name in self.names) + 2 * step // 3 + canvas.px(16)
        widths = [
            max(canvas.text_width(head, 13), *(canvas.text_width(row[k], size) for row in self.cells), 0)
            for k, head in enumerate(self.headers)
        ]
        wide = {k: max(canvas.px(58), width + canvas.px(16)) for k, width in enumerate(widths)}
        column, total = canvas.px(46), canvas.px(64)
        width = rect.w - label - sum(wide.values()) - total - canvas.px(12)
        round_count = max(0, min(len(self.rounds), width // column))
        first = len(self.rounds) - round_count
        x = rect.x + label
        for k, head in enumerate(self.headers):
            x += wide[k]
            canvas.text(head, (x, y), 13, palette.MUTED_TEXT, anchor="topright")
        left = x + canvas.px(12)
        for k in range(round_count):
            canvas.text(f"R{first + k + 1}", (left + (k + 1) * column, y), 13, palette.MUTED_TEXT, anchor="topright")
        right = left + round_count * column + total
        canvas.text("Total", (right, y), 13, palette.ACCENT, bold=True, anchor="topright")
        y += canvas.px(22)
        canvas.line((rect.x, y), (right, y), palette.BORDER, 1.0)
        for seat, name in enumerate(self.names):
            mid = y + step // 2
            r = step * 0.36
            seat_plates.draw_badge(canvas, (rect.x + r + 2, mid), r, seat, name)
            best = seat in self.best
            colour = palette.ACCENT if best else palette.TEXT
            canvas.text(name, (rect.x + 2 * r + canvas.px(9), mid), size, colour, bold=True, anchor="midleft")
            x = rect.x + label
            for k, cell in enumerate(self.cells[seat] if self.cells else ()):
                x += wide[k]
                canvas.text(cell, (x, mid), size, anchor="midright")
            for k in range(round_count):
                points = self.rounds[first + k][seat]
                newest = first + k + 1 == len(self.rounds)
                canvas.text(format_signed(points), (left + (k + 1) * column, mid), size,
                            palette.TEXT if newest else palette.MUTED_TEXT, anchor="midright")  # fmt: skip
            canvas.text(self.totals[seat], (right, mid), size + 1, colour, bold=True, anchor="midright")
            y += step
        return y


class RoundScreen(Overlay):
    """Sheet of a round, shown until somebody continues."""

    def __init__(
        self, app: App, match: Match, card_table: CardTable, turn: Turn, on_continue: Callable[[], None],
        on_undo: Callable[[], None],
    ) -> None:  # fmt: skip
        self.sheet = ScoreSheet(match, card_table, turn)
        super().__init__(app, 820, min(770, 190 + 31 * len(match.players) + 21 * len(self.sheet.reasons)))
        self._continue = self.closing(on_continue)
        self._is_bots_only = all(player is not None for player in match.players)
        self._wait_time = 0.0
        self.form = Form([Button("Next round", self._continue, key="Enter", is_primary=True)])
        if not self._is_bots_only:
            self.form.widgets.append(Button("Take back", self.closing(on_undo), key="U"))

    def status_line(self) -> str:
        return "Enter goes on to the next round" + ("" if self._is_bots_only else "   ·   U takes the last move back")

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event; Esc continues too."""
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self._continue()
        else:
            super().handle(event)

    def update(self, dt: float) -> None:
        """Advance the screen; a sheet closes by itself where only bots play."""
        super().update(dt)
        self._wait_time += dt
        if self._is_bots_only and self._wait_time > _BOT_ONLY_TIME:
            self._continue()

    def layout(self, size: tuple[int, int], scale: float) -> None:
        super().layout(size, scale)
        size = round(180 * scale), round(38 * scale)
        place_at_bottom(self.form.widgets, self.rect, size, round(10 * scale), round(14 * scale))

    def draw(self, canvas: Canvas) -> None:
        super().draw(canvas)
        rect = self.rect.inflate(-canvas.px(48), -canvas.px(32))
        y = canvas.text(self.sheet.title, rect.topleft, 22, palette.ACCENT, bold=True, max_width=rect.w).bottom
        foot = self.form.widgets[0].rect.y - canvas.px(10)
        text_height = min(len(self.sheet.reasons) * canvas.px(21), (foot - y) // 3)
        table = pygame.Rect(rect.x, y + canvas.px(12), rect.w, foot - y - text_height - canvas.px(28))
        y = self.sheet.draw(canvas, table) + canvas.px(12)
        draw_sentences(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), self.sheet.reasons)


class CardEndScreen(EndScreen):
    """Final sheet, and the choices after the game."""

    def __init__(
        self, app: App, match: Match, card_table: CardTable, restart: Callable[[], None] | None,
        on_undo: Callable[[], None],
    ) -> None:  # fmt: skip
        super().__init__(app, match, restart, on_undo)
        self.sheet = ScoreSheet(match, card_table, match.turns[-1])
        self._width, self._height = 820, min(780.0, 170 + 31 * len(match.players) + 22 * len(self.form.widgets))

    def draw(self, canvas: Canvas) -> None:
        Overlay.draw(self, canvas)
        rect = self.rect.inflate(-canvas.px(48), -canvas.px(32))
        y = canvas.text(match_text.result_text(self.match), (rect.centerx, rect.y), 28, palette.ACCENT, bold=True,
                        anchor="midtop", max_width=rect.w).bottom  # fmt: skip
        y = canvas.text(self.sheet.title, (rect.centerx, y + canvas.px(4)), 15, palette.MUTED_TEXT, anchor="midtop",
                        max_width=rect.w).bottom  # fmt: skip
        foot = self.form.widgets[0].rect.y - canvas.px(8)
        self.sheet.draw(canvas, pygame.Rect(rect.x, y + canvas.px(12), rect.w, foot - y - canvas.px(12)))
