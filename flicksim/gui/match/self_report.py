"""Self-report dialog: what happened, then the pieces and places it concerns."""

from __future__ import annotations

from math import hypot

import pygame

from flicksim.core.geometry import is_inside_convex
from flicksim.core.type_aliases import JsonValue
from flicksim.core.units import mm, to_mm
from flicksim.gui.app.application import App, Screen
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.table_view import match_text
from flicksim.gui.table_view.camera_view import TableView
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.gui.toolkit.form import Form
from flicksim.gui.toolkit.widgets import Button, ListBox, TextField, Widget
from flicksim.referee import ActionField, SelfReport
from flicksim.scene import Piece, Pyramid

_PANEL_WIDTH = 330.0
"""Width of the panel, where the table stays in sight beside it [units]."""
_CLICK_TOLERANCE = 6.0
"""Distance beside a piece at which it may still be clicked [units]."""


class SelfReportScreen(Screen):
    """Dialog over a table: the possible reports, then the choices of the selected one.

    Args:
        controller: of the match. view: of the table.
    """

    is_transparent = True
    dims_below = False

    def __init__(self, app: App, controller: MatchController, view: TableView) -> None:
        super().__init__(app)
        self._controller, self._view, self._match = controller, view, controller.match
        self._reports = self._match.self_reports
        self.report: SelfReport | None = None
        self.values: dict[str, JsonValue] = {}
        self._marked_pieces: list[JsonValue] = []
        self.error = ""
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._list = ListBox("Choose", [], on_activate=self._picked, row_height=30.0)
        self._entry = TextField("", "", self._validate)
        self._entry.label_fraction = 0.0
        self._confirm = Button("Say so", self._accept_value, key="Enter", is_primary=True)
        self._nobody = Button("", self._leave_empty)
        self._back = Button("Never mind", self._go_back, key="Esc")
        self.form = Form([])
        self._next_question()

    # -- what is asked --------------------------------------------------------------------------------------------

    @property
    def current_field(self) -> ActionField | None:
        """The field to be chosen now; None while it is which sentence."""
        if self.report is None:
            return None
        return next((pick for pick in self.report.fields if pick.field not in self.values), None)

    def _next_question(self) -> None:
        """Go to the next question."""
        pick = self.current_field
        self._marked_pieces, self._entry.text = [], ""
        lines = [one.text for one in self._reports] if self.report is None else []
        widgets: list[Widget] = []
        if pick is not None and pick.options:
            lines = [self._value_text(one) for one in pick.options]
        if lines:
            self._list.set_lines(lines, 0)
            widgets.append(self._list)
        if pick is not None and pick.kind in ("point", "number"):
            widgets.append(self._entry)
        if pick is not None and pick.kind != "one":
            widgets.append(self._confirm)
        if pick is not None and pick.none_label is not None:
            self._nobody.label = pick.none_label[:1].upper() + pick.none_label[1:]
            widgets.append(self._nobody)
        self.form = Form([*widgets, self._back], arrows=False)
        self._validate()
        self.app.layout_screen(self)

    @property
    def _is_complete(self) -> bool:
        """True where Enter says what was typed, or which pieces are marked."""
        marked = self.form.focused is self._list and bool(self._marked_pieces)
        return marked or self.form.focused is self._entry

    def _validate(self) -> None:
        pick = self.current_field
        self._confirm.enabled = pick is None or bool(
            self._marked_pieces if pick.kind == "some" else self._current_value() is not None
        )

    def _value_text(self, value: JsonValue) -> str:
        return match_text.seat_text(self._match, value) if isinstance(value, int) else match_text.piece_text(str(value))

    # -- choosing -------------------------------------------------------------------------------------------------

    def _picked(self, index: int) -> None:
        """A line was picked: a sentence, or one of those that may be chosen."""
        pick = self.current_field
        if self.report is None:
            self.report = self._reports[index]
            self._advance()
        elif pick is not None and pick.kind == "one":
            self.values[pick.field] = pick.options[index]
            self._advance()
        elif pick is not None and pick.kind == "some":
            one = pick.options[index]
            self._marked_pieces = (
                [other for other in self._marked_pieces if other != one]
                if one in self._marked_pieces
                else [*self._marked_pieces, one]
            )
            marks = ["✓ " if other in self._marked_pieces else "" for other in pick.options]
            self._list.lines = [mark + self._value_text(other) for mark, other in zip(marks, pick.options, strict=True)]
            self._validate()

    def _current_value(self) -> JsonValue:
        """The place or number as it stands; None while there is none."""
        pick = self.current_field
        try:
            numbers = [float(word) for word in self._entry.value.replace(",", " ").split()]
        except ValueError:
            return None
        if not all(abs(number) < 1e6 for number in numbers) or pick is None:
            return None
        if pick.kind == "point":
            return (mm(numbers[0]), mm(numbers[1])) if len(numbers) == 2 else None
        return numbers[0] if len(numbers) == 1 else None

    def _accept_value(self) -> None:
        """Let stand what was chosen."""
        pick = self.current_field
        if pick is None or not self._confirm.enabled:
            return
        self.values[pick.field] = tuple(self._marked_pieces) if pick.kind == "some" else self._current_value()
        self._advance()

    def _leave_empty(self) -> None:
        pick = self.current_field
        if pick is not None:
            self.values[pick.field] = None
            self._advance()

    def _advance(self) -> None:
        """Go to the next question; after the last, submit the report."""
        self.error = ""
        if self.current_field is not None:
            self._next_question()
            return
        assert self.report is not None
        try:
            action = self.report.with_choices(
                {field: value for field, value in self.values.items() if value is not None}
            )
            self.error = self._controller.illegal_reason(action)
        except ValueError as wrong:
            self.error = str(wrong)
        if not self.error and self._controller.self_report(action):
            self.app.pop()
            return
        self.report, self.values = (self.report, {}) if self.report.fields else (None, {})
        self._next_question()

    def _go_back(self) -> None:
        """One question back, or nothing is owned up to after all."""
        if self.report is None:
            self.app.pop()
            return
        self.report, self.values, self.error = None, {}, ""
        self._next_question()

    # -- the table ------------------------------------------------------------------------------------------------

    def _selectable_pieces(self) -> list[Piece | Pyramid]:
        """The pieces on the table that may be chosen now."""
        pick = self.current_field
        return [piece for piece in self._match.state.scene.pieces if pick is not None and piece.id in pick.options]

    def _piece_at(self, position: tuple[int, int]) -> str | None:
        """The uppermost of them under a point of the screen."""
        spot, slack = self._view.camera.to_table(position), self.app.scale * _CLICK_TOLERANCE / self._view.camera.zoom
        found = None
        for piece in self._selectable_pieces():
            if isinstance(piece, Pyramid):
                hit = is_inside_convex(spot, piece.footprint())
            else:
                hit = hypot(spot[0] - piece.x, spot[1] - piece.y) <= piece.radius + slack
            found = piece.id if hit else found
        return found

    def _handle_click(self, position: tuple[int, int]) -> None:
        pick = self.current_field
        if pick is None:
            return
        if pick.kind == "point":
            x, y = self._view.camera.to_table(position)
            self._entry.text = f"{to_mm(x):.1f}, {to_mm(y):.1f}"
            self._validate()
        elif (name := self._piece_at(position)) is not None:
            self._list.select(pick.options.index(name))
            self._picked(self._list.index)

    # -- events, picture ------------------------------------------------------------------------------------------

    def status_line(self) -> str:
        """Status line: the actions available now."""
        pick = self.current_field
        if pick is None:
            return "Up Down choose   ·   Enter: it happened   ·   Esc nothing after all"
        ways = {
            "one": ["Click the piece, or Up Down and Enter"],
            "some": ["Click pieces, or Up Down and Space", "Enter"],
            "point": ["Click the place, or type x, y", "Enter"],
            "number": ["Type a number", "Enter"],
        }[pick.kind]  # fmt: skip
        return "   ·   ".join([*ways, "Wheel nearer", "Esc back"])

    def handle(self, event: pygame.event.Event) -> None:
        """Keys and lists; clicks on the table choose pieces and places there, the wheel goes nearer."""
        if event.type == pygame.KEYDOWN:
            if event.key == pygame.K_ESCAPE:
                self._go_back()
            elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and self._is_complete:
                self._accept_value()
            else:
                self.form.handle(event)
            return
        at = getattr(event, "pos", None) or pygame.mouse.get_pos()
        outside = self.report is not None and not self.rect.collidepoint(at) and self._view.contains(at)
        if outside and event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._handle_click(at)
        elif outside and self._view.handle(event):
            self.app.invalidate_background()
        elif not outside:
            self.form.handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """The sentences in the middle; what is to be chosen at the right, beside the table."""
        w, h = size
        pad, high = round(18 * scale), round(38 * scale)
        rows = min(10, max(1, len(self._list.lines)))
        if self.report is None:
            wide = min(w - 16, round(720 * scale))
            tall = min(h - 16, round((118 + 30 * rows + 70) * scale))
            self.rect = pygame.Rect((w - wide) // 2, (h - tall) // 2, wide, tall)
        else:
            self.rect = pygame.Rect(w - round(_PANEL_WIDTH * scale), 0, round(_PANEL_WIDTH * scale), h)
        inner = self.rect.inflate(-2 * pad, -2 * pad)
        foot = [widget for widget in self.form.widgets if isinstance(widget, Button)]
        y = inner.bottom - len(foot) * (high + round(6 * scale))
        for widget in foot:
            widget.rect = pygame.Rect(inner.x, y, inner.w, high)
            y += high + round(6 * scale)
        top = inner.y + round((86 if self.report is None else 200) * scale)
        bottom = (foot[0].rect.y if foot else inner.bottom) - round(10 * scale)
        self._entry.rect = pygame.Rect(inner.x, top, inner.w, high)
        self._list.rect = pygame.Rect(
            inner.x,
            top,
            inner.w,
            max(round(34 * scale), min(bottom - top, round(30 * scale * len(self._list.lines)) + 4)),
        )

    def draw(self, canvas: Canvas) -> None:
        """The box; on the table, what may be chosen and what has been."""
        if self.report is not None:
            with canvas.clipped(self._view.area):
                self._draw_marks(canvas)
        canvas.box(self.rect, palette.PANEL, 12 if self.report is None else 0, palette.BORDER)
        pad = canvas.px(18)
        room = self.rect.inflate(-2 * pad, -2 * pad)
        y = canvas.text("Own up", room.topleft, 22, bold=True).bottom + canvas.px(6)
        pick = self.current_field
        first = "What happened that the referee did not see?" if self.report is None else self.report.text
        y = canvas.paragraph(first, pygame.Rect(room.x, y, room.w, canvas.px(80)), 15, palette.MUTED_TEXT) + canvas.px(
            6
        )
        if pick is not None:
            asks = pick.prompt[:1].upper() + pick.prompt[1:]
            y = canvas.paragraph(asks, pygame.Rect(room.x, y, room.w, canvas.px(60)), 16, bold=True)
        self.form.draw(canvas)
        if self.error:
            low = max((widget.rect.bottom for widget in self.form.widgets if not isinstance(widget, Button)), default=y)
            canvas.paragraph(self.error, pygame.Rect(room.x, low + canvas.px(8), room.w, canvas.px(150)), 14,
                             palette.BAD, bold=True)  # fmt: skip

    def _draw_marks(self, canvas: Canvas) -> None:
        """Rings about the pieces that may be chosen, full ones about those that are; a cross at the place."""
        camera = self._view.camera
        pick = self.current_field
        lit = self._list.lines and pick is not None and pick.options and pick.options[self._list.index]
        scene = self._match.state.scene
        before = [scene.piece(name) for name in self.values.values() if isinstance(name, str) and scene.has(name)]
        for piece in (*self._selectable_pieces(), *before):
            wide = piece.shape.base / 2.0 if isinstance(piece, Pyramid) else piece.radius
            chosen = piece in before or piece.id in self._marked_pieces
            colour = palette.HIGHLIGHT if chosen or piece.id == lit else palette.TABLE_TEXT
            canvas.circle(camera.to_screen((piece.x, piece.y)), wide * camera.zoom + canvas.px(4), colour,
                        canvas.px(3.0 if chosen else 1.5))  # fmt: skip
        if pick is not None and pick.kind == "point" and (spot := self._current_value()) is not None:
            x, y = camera.to_screen(spot)
            s = canvas.px(9)
            canvas.line((x - s, y), (x + s, y), palette.HIGHLIGHT, canvas.px(2))
            canvas.line((x, y - s), (x, y + s), palette.HIGHLIGHT, canvas.px(2))
