"""Screens over the table: a question, the pause, the end."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from flicksim.play import Match
from flicksim.ui.frame.app import App
from flicksim.ui.frame.overlay import Overlay
from flicksim.ui.frame.settings import SettingsScreen
from flicksim.ui.kit import coins, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.widgets import Button
from flicksim.ui.match import end_table
from flicksim.ui.match.figures import best, figures
from flicksim.ui.match.share import share
from flicksim.ui.table import standing


class AskScreen(Overlay):
    """A question to another seat, answered yes or no.

    Args:
        question: in a sentence. agreed: what happens if the answer is yes.
    """

    def __init__(self, app: App, question: str, agreed: Callable[[], None]) -> None:
        super().__init__(app, 520, 190)
        self._question, self._agreed = question, agreed
        self.form = Form([Button("Yes", self._yes, key="Y"), Button("No", app.pop, key="N", main=True)], 1)

    def _yes(self) -> None:
        self.app.pop()
        self._agreed()

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        return "Y yes   ·   N, Esc no"

    def handle(self, event: pygame.event.Event) -> None:
        """Left and right go between the answers."""
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            self.form.step(1)
        else:
            super().handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """The answers at the foot."""
        super().layout(size, scale)
        w, h, gap = round(150 * scale), round(38 * scale), round(12 * scale)
        for k, widget in enumerate(self.form.widgets):
            x = self.rect.centerx - w - gap // 2 + k * (w + gap)
            widget.rect = pygame.Rect(x, self.rect.bottom - h - round(18 * scale), w, h)

    def draw(self, canvas: Canvas) -> None:
        """The question over the answers."""
        super().draw(canvas)
        room = self.rect.inflate(-canvas.px(48), -canvas.px(44))
        canvas.paragraph(self._question, room, 18, bold=True)


class PauseScreen(Overlay):
    """The menu of what one may do besides playing.

    Args:
        match: being played. again: begins it anew. back: takes back until so many turns are left; None: not from here.
        own: lets somebody own up; None where there is nothing to own up to.
    """

    def __init__(
        self, app: App, match: Match, again: Callable[[], None] | None, back: Callable[[int], None] | None = None,
        own: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(app, 380, 400)
        self._title = match.game.title
        label = "Look through, go back to a turn" if back is not None else "Look through the turns"
        look = Button(label, lambda: _review(app, match, back))
        anew = Button("Begin again", again if again is not None else app.pop)
        look.enabled, anew.enabled = bool(match.turns), again is not None
        # each stands where it always stands, so that nobody quits who wanted something else
        buttons = [
            Button("Back to the game", app.pop, key="Esc", main=True),
            look,
            *(self._owning(own) or ([_unowned()] if match.game.flicked else [])),
            anew,
            Button("Share", lambda: share(app, match)),
            Button("Settings", lambda: app.push(SettingsScreen(app))),
            Button("Main menu", app.home),
            Button("Quit", self._quit),
        ]
        self.form = Form(buttons)
        self._high = 80 + 44 * len(buttons)

    def _quit(self) -> None:
        """Ask first: a game is under way."""
        question = "Close the window? C at the front door goes on with this game."
        self.app.push(AskScreen(self.app, question, self.app.quit))

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """One below the other."""
        super().layout(size, scale)
        self.stack(300, 38, 44, 16)

    def draw(self, canvas: Canvas) -> None:
        """The title over the buttons."""
        super().draw(canvas)
        canvas.text(self._title, (self.rect.centerx, self.rect.y + canvas.px(20)), 22, bold=True, anchor="midtop")


def _unowned() -> Button:
    """The place of what one may own up to, where there is nothing."""
    button = Button("Own up to something", lambda: None, key="F3")
    button.enabled = False
    return button


class EndScreen(Overlay):
    """The result, and what next (see `PauseScreen`)."""

    ANALYSED = True
    """True of games whose turns can be weighed one by one."""

    def __init__(
        self, app: App, match: Match, again: Callable[[], None] | None, undo: Callable[[], None],
        own: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
        self._rows, self.figures = standing.table(match), figures(match)
        self.best = best(match)
        super().__init__(app, 560, 330 + 24 * min(len(self._rows), 8) + 22 * len(self.figures))
        self.match = match
        buttons = []
        if again is not None:
            buttons.append(Button("Play again", again, main=True))
        buttons.append(Button("Look through the turns", lambda: _review(app, match)))
        if self.ANALYSED:
            buttons.append(Button("Analyse the game", lambda: _review(app, match, weighed=True), key="A"))
        if match.game.flicked:
            buttons.append(Button("Look at the table", app.pop, key="V"))
        if self.best is not None:
            buttons.append(Button("Watch the best shot", self.watch, key="B"))
        if any(player is None for player in match.players):

            def back() -> None:
                app.pop()
                undo()

            buttons.append(Button("Take back the last turn", back))
        buttons += self._owning(own)
        buttons.append(Button("Share", lambda: share(app, match)))
        buttons += [Button("Main menu", app.home), Button("Quit", app.quit)]
        # whoever pressed Space a moment too late has not asked for another game
        self.form = Form(buttons, None)
        self._high += 44 * max(0, -(-len(buttons) // 2) - 3)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Buttons at the foot, two in a row."""
        super().layout(size, scale)
        high, gap, widgets = round(38 * scale), round(6 * scale), self.form.widgets
        lines = -(-len(widgets) // 2)
        wide = min(round(252 * scale), (self.rect.w - round(36 * scale) - gap) // 2)
        top = self.rect.bottom - lines * (high + gap) - round(10 * scale)
        for k, widget in enumerate(widgets):
            x = self.rect.centerx - wide - gap // 2 + (k % 2) * (wide + gap)
            widget.rect = pygame.Rect(x, top + (k // 2) * (high + gap), wide, high)

    def watch(self) -> None:
        """Show the best shot again, from its beginning."""
        if self.best is not None:
            _review(self.app, self.match, place=self.best)

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        says = {"A": "A analyses", "V": "V the table", "B": "B best shot"}
        more = [says[one.shortcut] for one in self.form.widgets if isinstance(one, Button) and one.shortcut in says]
        return "   ·   ".join(["Up Down, Tab go about", "Enter presses", *more, "Esc main menu"])

    def handle(self, event: pygame.event.Event) -> None:
        """Esc goes to the menu: there is nothing to go back to."""
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.app.home()
        else:
            super().handle(event)

    def draw(self, canvas: Canvas) -> None:
        """Draw who has won, and the points part by part."""
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
        bottom = self.form.widgets[0].rect.y - canvas.px(54) - canvas.px(22) * len(self.figures)
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
        y += canvas.px(32)
        end_table.rows(canvas, label, columns, rect.right, y, self.figures, (canvas.px(22), canvas.px(22)), 14)


def _review(
    app: App, match: Match, back: Callable[[int], None] | None = None, place: int | None = None, *,
    weighed: bool = False,
) -> None:  # fmt: skip
    """Look through the turns from the last one, or watch the one at a place in the list; have all weighed if asked."""
    screen = app.routes.replay(app, match.game, list(match.turns), back)
    app.push(screen)
    screen.leaf_to(len(match.turns) - 1 if place is None else place, play=place is not None)
    if weighed:
        screen.weigh_all()
