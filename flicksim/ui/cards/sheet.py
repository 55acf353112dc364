"""Score sheets: a round as it was counted with all rounds before it, and the final sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from flicksim.play import Match, Turn
from flicksim.ui.cards import plates
from flicksim.ui.cards.cloth import Cloth, signed
from flicksim.ui.frame.app import App
from flicksim.ui.frame.overlay import Overlay
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.widgets import Button
from flicksim.ui.match.overlays import EndScreen
from flicksim.ui.table import standing

_ALONE = 3.5
"""Time that a sheet stays when nobody is there to go on [s]."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of figures: a row for each seat.

    Args:
        title: over it. heads: of the columns that count this round. cells: under them, by seat.
        rounds: points of every finished round, by seat. totals: by seat. best: seats in the lead.
        reasons: of the ruling, with their ids.
    """

    title: str
    heads: Sequence[str]
    cells: Sequence[Sequence[str]]
    rounds: Sequence[Sequence[int]]
    totals: Sequence[str]
    names: Sequence[str]
    best: Sequence[int]
    reasons: Sequence[tuple[str, str]]


def sheet_of(match: Match, cloth: Cloth, turn: Turn) -> Sheet:
    """The sheet after a turn that closed a round."""
    title, heads, cells = cloth.columns(turn)
    after = turn.after
    return Sheet(
        title=title, heads=heads, cells=cells, rounds=[round_.points for round_ in after.sheet],
        totals=[standing.number(points).replace("-", "−") for points in match.rules.scores(after)],
        names=[standing.name(match, seat) for seat in range(len(match.players))], best=match.rules.winning(after),
        reasons=[(reason.rule, standing.told(match, reason.says)) for reason in turn.verdict.reasons],
    )  # fmt: skip


def draw(canvas: Canvas, rect: pygame.Rect, sheet: Sheet) -> int:
    """Write a sheet into a rectangle. Returns where it ends [pixels]."""
    count = len(sheet.names)
    step = min(canvas.px(30), max(canvas.px(15), (rect.h - canvas.px(26)) // (count + 1)))
    size = min(16.0, step / canvas.scale * 0.66)
    y = rect.y
    label = max(canvas.wide(name, size, bold=True) for name in sheet.names) + 2 * step // 3 + canvas.px(16)
    wide = {k: max(canvas.px(58), canvas.wide(head, 13) + canvas.px(16)) for k, head in enumerate(sheet.heads)}
    each, total = canvas.px(46), canvas.px(64)
    room = rect.w - label - sum(wide.values()) - total - canvas.px(12)
    shown = max(0, min(len(sheet.rounds), room // each))
    first = len(sheet.rounds) - shown
    x = rect.x + label
    for k, head in enumerate(sheet.heads):
        x += wide[k]
        canvas.text(head, (x, y), 13, palette.FAINT, anchor="topright")
    left = x + canvas.px(12)
    for k in range(shown):
        canvas.text(f"R{first + k + 1}", (left + (k + 1) * each, y), 13, palette.FAINT, anchor="topright")
    right = left + shown * each + total
    canvas.text("Total", (right, y), 13, palette.ACCENT, bold=True, anchor="topright")
    y += canvas.px(22)
    canvas.line((rect.x, y), (right, y), palette.EDGE, 1.0)
    for seat, name in enumerate(sheet.names):
        mid = y + step // 2
        r = step * 0.36
        plates.badge(canvas, (rect.x + r + 2, mid), r, seat, name)
        best = seat in sheet.best
        colour = palette.ACCENT if best else palette.TEXT
        canvas.text(name, (rect.x + 2 * r + canvas.px(9), mid), size, colour, bold=True, anchor="midleft")
        x = rect.x + label
        for k, cell in enumerate(sheet.cells[seat] if sheet.cells else ()):
            x += wide[k]
            canvas.text(cell, (x, mid), size, anchor="midright")
        for k in range(shown):
            points = sheet.rounds[first + k][seat]
            newest = first + k + 1 == len(sheet.rounds)
            canvas.text(signed(points), (left + (k + 1) * each, mid), size,
                        palette.TEXT if newest else palette.FAINT, anchor="midright")  # fmt: skip
        canvas.text(sheet.totals[seat], (right, mid), size + 1, colour, bold=True, anchor="midright")
        y += step
    return y


class RoundScreen(Overlay):
    """The sheet of a round, until somebody goes on."""

    def __init__(
        self, app: App, match: Match, cloth: Cloth, turn: Turn, on: Callable[[], None], undo: Callable[[], None]
    ) -> None:
        self.sheet = sheet_of(match, cloth, turn)
        super().__init__(app, 820, min(770, 190 + 31 * len(match.players) + 21 * len(self.sheet.reasons)))
        self._on, self._undo = on, undo
        self._alone = all(player is not None for player in match.players)
        self._waited = 0.0
        self.form = Form([Button("Next round", self._next, key="Enter", main=True)])
        if not self._alone:
            self.form.widgets.append(Button("Take back", self._back, key="U"))

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        return "Enter goes on to the next round" + ("" if self._alone else "   ·   U takes the last move back")

    def _next(self) -> None:
        self.app.pop()
        self._on()

    def _back(self) -> None:
        self.app.pop()
        self._undo()

    def handle(self, event: pygame.event.Event) -> None:
        """Esc goes on too."""
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self._next()
        else:
            super().handle(event)

    def update(self, dt: float) -> None:
        """Let time go on; a sheet goes by itself where only bots play."""
        self._waited += dt
        if self._alone and self._waited > _ALONE:
            self._next()

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Buttons at the foot."""
        super().layout(size, scale)
        w, h = round(180 * scale), round(38 * scale)
        many = len(self.form.widgets)
        x = self.rect.centerx - (many * (w + round(10 * scale))) // 2
        for k, widget in enumerate(self.form.widgets):
            widget.rect = pygame.Rect(x + k * (w + round(10 * scale)), self.rect.bottom - h - round(14 * scale), w, h)

    def draw(self, canvas: Canvas) -> None:
        """Title, figures, the ruling in words."""
        super().draw(canvas)
        rect = self.rect.inflate(-canvas.px(48), -canvas.px(32))
        y = canvas.text(self.sheet.title, rect.topleft, 22, palette.ACCENT, bold=True, within=rect.w).bottom
        foot = self.form.widgets[0].rect.y - canvas.px(10)
        words = min(len(self.sheet.reasons) * canvas.px(21), (foot - y) // 3)
        y = draw(canvas, pygame.Rect(rect.x, y + canvas.px(12), rect.w, foot - y - words - canvas.px(28)), self.sheet)
        y += canvas.px(12)
        for rule, says in self.sheet.reasons:
            if y + canvas.high(14) > foot:
                break
            canvas.text(rule, (rect.right, y + canvas.px(2)), 11, palette.FAINT, anchor="topright")
            y = canvas.paragraph(
                standing.said(says), pygame.Rect(rect.x, y, rect.w - canvas.px(60), foot - y), 14
            ) + canvas.px(2)


class CardEndScreen(EndScreen):
    """The final sheet, and what next."""

    def __init__(
        self, app: App, match: Match, cloth: Cloth, again: Callable[[], None] | None, undo: Callable[[], None]
    ) -> None:
        super().__init__(app, match, again, undo)
        self.sheet = sheet_of(match, cloth, match.turns[-1])
        self._wide, self._high = 820, min(780.0, 170 + 31 * len(match.players) + 22 * len(self.form.widgets))

    def draw(self, canvas: Canvas) -> None:
        """Draw who has won, then the sheet."""
        Overlay.draw(self, canvas)
        rect = self.rect.inflate(-canvas.px(48), -canvas.px(32))
        y = canvas.text(standing.result(self.match), (rect.centerx, rect.y), 28, palette.ACCENT, bold=True,
                        anchor="midtop", within=rect.w).bottom  # fmt: skip
        y = canvas.text(self.sheet.title, (rect.centerx, y + canvas.px(4)), 15, palette.FAINT, anchor="midtop",
                        within=rect.w).bottom  # fmt: skip
        foot = self.form.widgets[0].rect.y - canvas.px(8)
        draw(canvas, pygame.Rect(rect.x, y + canvas.px(12), rect.w, foot - y - canvas.px(12)), self.sheet)
