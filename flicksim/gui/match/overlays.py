"""Overlays of a match: question, pause, end."""

from collections.abc import Callable
from functools import partial

import pygame

from flicksim.gui.app import App, Overlay, SettingsScreen
from flicksim.gui.match import score_table
from flicksim.gui.match.share import open_share_screen
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import Button, Canvas, Form, palette, piece_sprites, place_at_bottom, place_in_grid
from flicksim.match import Match


class ConfirmScreen(Overlay):
    """Yes/no question to another seat.

    Args:
        question: in a sentence. on_agree: called if the answer is yes.
    """

    STATUS = "Y yes   ·   N, Esc no"

    def __init__(self, app: App, question: str, on_agree: Callable[[], None]) -> None:
        super().__init__(app, 520, 190)
        self._question = question
        buttons = [Button("Yes", self.closing(on_agree), key="Y"), Button("No", app.pop, key="N", is_primary=True)]
        self.form = Form(buttons, 1)

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event: left and right move between the answers."""
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            self.form.move_focus(1)
        else:
            super().handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        super().layout(size, scale)
        button_size = (round(150 * scale), round(38 * scale))
        place_at_bottom(self.form.widgets, self.rect, button_size, round(12 * scale), round(18 * scale))

    def draw(self, canvas: Canvas) -> None:
        super().draw(canvas)
        area = self.rect.inflate(-canvas.px(48), -canvas.px(44))
        canvas.paragraph(self._question, area, 18, bold=True)


class PauseScreen(Overlay):
    """Pause menu.

    Args:
        match: being played. restart: begins it anew. back_to: undoes to a number of turns; None: not available.
        self_report: opens the self-report dialog; None where there is nothing to report. is_recorded: the match can be
            continued from a record after the window is closed.
    """

    BUTTON_STACK = (300, 38, 44, 16)

    def __init__(
        self, app: App, match: Match, restart: Callable[[], None] | None, back_to: Callable[[int], None] | None = None,
        self_report: Callable[[], None] | None = None, *, is_recorded: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(app, 380, 400)
        self._title, self._is_recorded = match.game.title, is_recorded
        label = "Look through, go back to a turn" if back_to is not None else "Look through the turns"
        replay_button = Button(label, lambda: _open_replay(app, match, back_to))
        restart_button = Button("Begin again", restart or app.pop)
        replay_button.enabled, restart_button.enabled = bool(match.turns), restart is not None
        report_button = Button("Own up to something", self.closing(self_report or app.pop), key="F3")
        report_button.enabled = self_report is not None
        # fixed positions, disabled where unavailable, so that nobody quits by mistake
        buttons = [
            Button("Back to the game", app.pop, key="Esc", is_primary=True),
            replay_button,
            *[report_button] * (self_report is not None or match.game.uses_physics),
            restart_button,
            Button("Share", lambda: open_share_screen(app, match)),
            Button("Settings", lambda: app.push(SettingsScreen(app))),
            Button("Main menu", lambda: leave_to_menu(app)),
            Button("Quit", self._quit),
        ]
        self.form = Form(buttons)
        self._height = 80 + 44 * len(buttons)

    def _quit(self) -> None:
        """Ask for confirmation, then quit."""
        resuming = "C in the main menu goes on with this game." if self._is_recorded else ""
        text = resuming if self.app.bar is None else self.app.bar.leaving_text
        self.app.push(ConfirmScreen(self.app, f"Close the window? {text}".rstrip(), self.app.quit))

    def draw(self, canvas: Canvas) -> None:
        super().draw(canvas)
        canvas.text(self._title, (self.rect.centerx, self.rect.y + canvas.px(20)), 22, bold=True, anchor="midtop")


def leave_to_menu(app: App) -> None:
    """Leave the match for the main menu, after a question where that ends the connections of others."""
    question = host_question(app, "Leave the table?", app.show_main_menu)
    app.show_main_menu() if question is None else app.push(question)


def host_question(app: App, question: str, on_agree: Callable[[], None]) -> ConfirmScreen | None:
    """Question with what it ends for the others, if an online match is hosted in this window."""
    if app.bar is None or not app.bar.is_host:
        return None
    return ConfirmScreen(app, f"{question} {app.bar.leaving_text}", on_agree)


class EndScreen(Overlay):
    """Result screen with the next steps (see `PauseScreen`)."""

    CAN_ANALYSE = True
    """True for games whose turns can be analysed."""
    TURN_NOUN, TURNS_NOUN = "turn", "turns"
    """Name of what is looked through and taken back, and of several."""

    def __init__(
        self, app: App, match: Match, restart: Callable[[], None] | None, on_undo: Callable[[], None],
        self_report: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
        self._rows, self.statistics = match_text.points_table(match), score_table.shot_statistics(match)
        self.best_shot = score_table.best_shot(match)
        super().__init__(app, 560, 330 + 24 * min(len(self._rows), 8) + 22 * len(self.statistics))
        self.match = match
        buttons = []
        if restart is not None:
            buttons.append(Button("Play again", restart))
        buttons.append(Button(f"Look through the {self.TURNS_NOUN}", lambda: _open_replay(app, match)))
        if self.CAN_ANALYSE:
            buttons.append(Button("Analyse the game", lambda: _open_replay(app, match, is_analysed=True), key="A"))
        if match.game.uses_physics:
            buttons.append(Button("Look at the table", app.pop, key="V"))
        if self.best_shot is not None:
            play_best = partial(_open_replay, app, match, index=self.best_shot)
            buttons.append(Button("Watch the best shot", play_best, key="B"))
        if any(player is None for player in match.players):
            buttons.append(Button(f"Take back the last {self.TURN_NOUN}", self.closing(on_undo)))
        if self_report is not None:
            buttons.append(Button("Own up to something", self.closing(self_report), key="F3"))
        buttons.append(Button("Share", lambda: open_share_screen(app, match)))
        buttons += [Button("Main menu", lambda: leave_to_menu(app)), Button("Quit", self._quit)]
        # no initial focus: a late Space must not start another game
        self.form = Form(buttons, None)
        self._height += 44 * max(0, -(-len(buttons) // 2) - 3)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the buttons at the bottom, two in a row."""
        super().layout(size, scale)
        height, gap = round(38 * scale), round(6 * scale)
        width = min(round(252 * scale), (self.rect.w - round(36 * scale) - gap) // 2)
        area = pygame.Rect(self.rect.centerx - width - gap // 2, self.rect.y, 2 * width + gap, self.rect.h)
        area.h -= gap + round(10 * scale)
        place_in_grid(self.form.widgets, area, height, gap, 2, at_bottom=True)

    def _quit(self) -> None:
        """Quit, after a question: of a host also about the connections of others."""
        asking = self.app, "Close the window?", self.app.quit
        self.app.push(host_question(*asking) or ConfirmScreen(*asking))

    def status_line(self) -> str:
        labels = {"A": "A analyses", "V": "V the table", "B": "B best shot"}
        keys = [button.shortcut for button in self.form.widgets if isinstance(button, Button)]
        items = [labels[key] for key in keys if key in labels]
        return "   ·   ".join(
            ["Up Down, Tab move", *["Enter presses"] * (self.form.focus is not None), *items, "Esc main menu"]
        )

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event: Esc opens the main menu."""
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            leave_to_menu(self.app)
        else:
            super().handle(event)

    def draw(self, canvas: Canvas) -> None:
        """Draw the winner, and the points by part."""
        super().draw(canvas)
        match, rect = self.match, self.rect
        top, result = (rect.centerx, rect.y + canvas.px(20)), match_text.result_text(match)
        y = canvas.text(result, top, 30, palette.ACCENT, bold=True, anchor="midtop").bottom
        count = len(match.players)
        label = rect.x + canvas.px(40)
        columns = [rect.x + round(rect.w * (0.3 + 0.6 * (k + 0.5) / count)) for k in range(count)]
        y += canvas.px(16)
        for seat, x in enumerate(columns):
            key, text = palette.seat_key(seat, match.game.seat_names), match_text.seat_text(match, seat)
            name = canvas.text(text, (x + canvas.px(10), y), 16, bold=True, anchor="midtop")
            piece_sprites.draw_seat_coin(canvas.surface, (name.x - canvas.px(14), name.centery), canvas.px(9), key)
        y += canvas.px(28)
        bottom = self.form.widgets[0].rect.y - canvas.px(54) - canvas.px(22) * len(self.statistics)
        step = canvas.px(24)
        max_rows = max(1, (bottom - y) // step)
        rows = self._rows
        if len(rows) > max_rows:
            canvas.text(f"... {len(rows) - max_rows + 1} before", (label, y), 14, palette.MUTED_TEXT)
            rows = rows[len(rows) - max_rows + 1 :]
            y += step
        y = score_table.draw_rows(canvas, label, columns, rect.right, y, rows, (step, step)) + canvas.px(4)
        total = [("Total", tuple(map(match_text.format_points, match.scores)))]
        right, steps = rect.right - canvas.px(40), (canvas.px(22), canvas.px(32))
        y = score_table.draw_rows(canvas, label, columns, right, y, total, steps)
        score_table.draw_rows(canvas, label, columns, right, y, self.statistics, steps, 14)


def _open_replay(
    app: App, match: Match, back_to: Callable[[int], None] | None = None, index: int | None = None, *,
    is_analysed: bool = False,
) -> None:  # fmt: skip
    """Open the replay at the last turn, or play the one at an index; optionally analyse all."""
    screen = app.routes.replay_screen(app, *match_text.named_replay(match), back_to)
    app.push(screen)
    screen.show_turn(len(match.turns) - 1 if index is None else index, is_playing=index is not None)
    if is_analysed:
        screen.analyse()
