"""Screens over the table: the keys, the pause, the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from flicksim.play import Match
from flicksim.ui import coins, palette, standing
from flicksim.ui.app import App, Screen
from flicksim.ui.canvas import Canvas
from flicksim.ui.form import Form
from flicksim.ui.widgets import Button


class Overlay(Screen):
    """A box in the middle of the window, the rest dimmed.

    Args:
        wide, high: its size [units]; smaller where the window is.
    """

    clear = True

    def __init__(self, app: App, wide: float, high: float) -> None:
        super().__init__(app)
        self._wide, self._high = wide, high
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.form = Form([])

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """In the middle."""
        w, h = min(round(self._wide * scale), size[0] - 16), min(round(self._high * scale), size[1] - 16)
        self.rect = pygame.Rect((size[0] - w) // 2, (size[1] - h) // 2, w, h)

    def handle(self, event: pygame.event.Event) -> None:
        """Esc goes back."""
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.app.pop()
        else:
            self.form.handle(event)

    def draw(self, canvas: Canvas) -> None:
        """Dim what is below, then the box."""
        canvas.veil(pygame.Rect((0, 0), canvas.size), palette.SHADE, 150)
        canvas.box(self.rect, palette.PANEL, 12, palette.EDGE)
        self.form.draw(canvas)


KEYS = (
    ("Aim", ""),
    ("Left  Right", "turn the flick by 1°"),
    ("Up  Down", "harder, gentler by 0.05 m/s"),
    ("A  D, or Ctrl + arrows", "move the start by 2 mm"),
    ("Q  E", "nail to the left, to the right of the middle"),
    ("Shift with any of these", "a tenth as much"),
    ("Space or Enter", "flick"),
    ("R   N", "reset the aim; next piece, where one may choose"),
    ("Mouse", ""),
    ("Pull back on the board", "aim and power; let go to flick, right button or Esc to stop"),
    ("Drag the coin", "move the start"),
    ("Wheel, middle button", "zoom, pan; also + − and 0"),
    ("While a shot is shown", ""),
    ("P   S   F", "pause, slower (1/4, 1/10, true), skip"),
    (".   ,", "one step on, one step back"),
    ("Always", ""),
    ("Tab, Shift + Tab", "go through buttons and lists; arrows, Space, Enter use them"),
    ("U   H", "undo to your last decision; hint"),
    ("Esc   F11   ?", "menu; whole screen; these keys"),
)


class HelpScreen(Overlay):
    """All keys.

    Args:
        keys: each with what it does; a row without that is a heading.
    """

    def __init__(self, app: App, keys: Sequence[tuple[str, str]] = KEYS) -> None:
        super().__init__(app, 720, 640)
        self._keys = keys
        self._back = Button("Back", app.pop, key="Esc", main=True)
        self.form = Form([self._back])

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """The button at the foot."""
        super().layout(size, scale)
        w, h = round(160 * scale), round(38 * scale)
        self._back.rect = pygame.Rect(self.rect.centerx - w // 2, self.rect.bottom - h - round(14 * scale), w, h)

    def draw(self, canvas: Canvas) -> None:
        """Two columns."""
        super().draw(canvas)
        pad = canvas.px(26)
        x, y = self.rect.x + pad, self.rect.y + canvas.px(16)
        y = canvas.text("Keys and mouse", (x, y), 22, bold=True).bottom + canvas.px(4)
        step = min(canvas.px(27), (self._back.rect.y - y) // (len(self._keys) + 1))
        for keys, does in self._keys:
            if not does:
                canvas.text(keys, (x, y + step // 4), 13, palette.ACCENT, bold=True)
            else:
                canvas.text(keys, (x, y), 15, bold=True)
                canvas.text(does, (x + canvas.px(230), y), 15, palette.FAINT, within=self.rect.w - canvas.px(280))
            y += step


class PauseScreen(Overlay):
    """What one may do besides playing."""

    def __init__(self, app: App, match: Match, again: Callable[[], None] | None) -> None:
        super().__init__(app, 380, 360)
        self._title = match.game.title
        buttons = [Button("Back to the game", app.pop, key="Esc", main=True)]
        if match.turns:
            buttons.append(Button("Look through the turns", lambda: _review(app, match)))
        if again is not None:
            buttons.append(Button("Begin again", again))
        buttons += [Button("Main menu", lambda: _menu(app)), Button("Quit", app.quit)]
        self.form = Form(buttons)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """One below the other."""
        super().layout(size, scale)
        _stack(self.form, self.rect, scale, round(64 * scale))

    def draw(self, canvas: Canvas) -> None:
        """The title over the buttons."""
        super().draw(canvas)
        canvas.text(self._title, (self.rect.centerx, self.rect.y + canvas.px(20)), 22, bold=True, anchor="midtop")


class EndScreen(Overlay):
    """The result, and what next."""

    def __init__(self, app: App, match: Match, again: Callable[[], None] | None, undo: Callable[[], None]) -> None:
        self._rows = standing.table(match)
        super().__init__(app, 520, 460 + 24 * min(len(self._rows), 12))
        self.match = match
        buttons = []
        if again is not None:
            buttons.append(Button("Play again", again, main=True))
        buttons.append(Button("Look through the turns", lambda: _review(app, match)))
        if any(player is None for player in match.players):

            def back() -> None:
                app.pop()
                undo()

            buttons.append(Button("Take back the last turn", back))
        buttons += [Button("Main menu", lambda: _menu(app)), Button("Quit", app.quit)]
        self.form = Form(buttons)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Buttons at the foot."""
        super().layout(size, scale)
        high = len(self.form.widgets) * round(44 * scale) + round(10 * scale)
        _stack(self.form, self.rect, scale, self.rect.h - high)

    def handle(self, event: pygame.event.Event) -> None:
        """Esc goes to the menu: there is nothing to go back to."""
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            _menu(self.app)
        else:
            super().handle(event)

    def draw(self, canvas: Canvas) -> None:
        """Who has won, and the points part by part."""
        super().draw(canvas)
        match, rect = self.match, self.rect
        y = rect.y + canvas.px(20)
        y = canvas.text(
            standing.result(match), (rect.centerx, y), 30, palette.ACCENT, bold=True, anchor="midtop"
        ).bottom
        count = len(match.players)
        label = rect.x + canvas.px(40)
        columns = [rect.x + round(rect.w * (0.3 + 0.6 * (k + 0.5) / count)) for k in range(count)]
        y += canvas.px(16)
        for seat, x in enumerate(columns):
            mark = coins.coin(canvas.px(9), palette.seat_key(seat, match.game.seat_names), "penny", 0.0)
            name = canvas.text(standing.name(match, seat), (x + canvas.px(10), y), 16, bold=True, anchor="midtop")
            canvas.surface.blit(mark, mark.get_rect(center=(name.x - canvas.px(14), name.centery)))
        y += canvas.px(28)
        bottom = self.form.widgets[0].rect.y - canvas.px(54)
        step = canvas.px(24)
        room = max(1, (bottom - y) // step)
        rows = self._rows
        if len(rows) > room:
            canvas.text(f"... {len(rows) - room + 1} before", (label, y), 14, palette.FAINT)
            rows = rows[len(rows) - room + 1 :]
            y += step
        for row in rows:
            canvas.text(row.label, (label, y), 15, palette.FAINT)
            for points, x in zip(row.points, columns, strict=True):
                shown = standing.number(points) if points else "–"
                canvas.text(shown, (x, y), 15, palette.TEXT if points else palette.FAINT, anchor="midtop")
            y += step
        y += canvas.px(4)
        canvas.line((label, y), (rect.right - canvas.px(40), y), palette.EDGE, 1.0)
        y += canvas.px(6)
        canvas.text("Total", (label, y), 18, bold=True)
        for points, x in zip(match.scores, columns, strict=True):
            canvas.text(standing.number(points), (x, y), 18, bold=True, anchor="midtop")


def _stack(form: Form, rect: pygame.Rect, scale: float, top: int) -> None:
    """Buttons one below the other."""
    w = min(round(300 * scale), rect.w - round(40 * scale))
    for k, widget in enumerate(form.widgets):
        widget.rect = pygame.Rect(rect.centerx - w // 2, rect.y + top + k * round(44 * scale), w, round(38 * scale))


def _menu(app: App) -> None:
    from flicksim.ui.menu import MenuScreen

    app.show(MenuScreen(app))


def _review(app: App, match: Match) -> None:
    from flicksim.ui.starting import replay_for

    app.push(replay_for(app, match.game, list(match.turns)))
