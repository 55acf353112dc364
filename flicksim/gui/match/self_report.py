"""Self-report dialog: what happened, then the pieces and places it concerns."""

from math import dist

import pygame

from flicksim.core.geometry import is_inside_convex
from flicksim.core.type_aliases import JsonValue
from flicksim.core.units import mm, to_mm
from flicksim.gui.app import App, Screen
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.table_view import TableView, match_text
from flicksim.gui.toolkit import Button, Canvas, Form, ListBox, TextField, Widget, palette, place_in_grid
from flicksim.referee import ActionField, SelfReport
from flicksim.scene import Piece, Pyramid

_PANEL_WIDTH = 330.0
"""Width of the panel beside the visible table [units]."""
_CLICK_TOLERANCE = 6.0
"""Distance beside a piece at which it may still be clicked [units]."""


class SelfReportScreen(Screen):
    """Dialog over a table: the possible reports, then the choices of the selected one."""

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

    # -- questions ------------------------------------------------------------------------------------------------

    @property
    def current_field(self) -> ActionField | None:
        """Field to be chosen now; None while the report is chosen."""
        if self.report is None:
            return None
        return next((field for field in self.report.fields if field.field not in self.values), None)

    def _next_question(self) -> None:
        field = self.current_field
        self._marked_pieces, self._entry.text = [], ""
        lines = [item.text for item in self._reports] if self.report is None else []
        widgets: list[Widget] = []
        if field is not None and field.options:
            lines = [self._value_text(item) for item in field.options]
        if lines:
            self._list.set_lines(lines, 0)
            widgets.append(self._list)
        if field is not None and field.kind in ("point", "number"):
            widgets.append(self._entry)
        if field is not None and field.kind != "one":
            widgets.append(self._confirm)
        if field is not None and field.none_label is not None:
            self._nobody.label = field.none_label[:1].upper() + field.none_label[1:]
            widgets.append(self._nobody)
        self.form = Form([*widgets, self._back], arrows=False)
        self._validate()
        self.app.layout_screen(self)

    @property
    def _is_complete(self) -> bool:
        """True if Enter confirms a typed value or the marked pieces."""
        has_marked = self.form.focused is self._list and bool(self._marked_pieces)
        return has_marked or self.form.focused is self._entry

    def _validate(self) -> None:
        field = self.current_field
        self._confirm.enabled = field is None or bool(
            self._marked_pieces if field.kind == "some" else self._current_value() is not None
        )

    def _value_text(self, value: JsonValue) -> str:
        return match_text.seat_text(self._match, value) if isinstance(value, int) else match_text.piece_text(str(value))

    # -- choosing -------------------------------------------------------------------------------------------------

    def _picked(self, index: int) -> None:
        """Handle the choice of a line: a report, or a value of the current field."""
        field = self.current_field
        if self.report is None:
            self.report = self._reports[index]
            self._advance()
        elif field is not None and field.kind == "one":
            self.values[field.field] = field.options[index]
            self._advance()
        elif field is not None and field.kind == "some":
            choice = field.options[index]
            if choice in self._marked_pieces:
                self._marked_pieces.remove(choice)
            else:
                self._marked_pieces.append(choice)
            marks = ("✓ " if option in self._marked_pieces else "" for option in field.options)
            self._list.lines = [mark + self._value_text(one) for mark, one in zip(marks, field.options, strict=True)]
            self._validate()

    def _current_value(self) -> JsonValue:
        """Point or number typed; None if invalid."""
        field = self.current_field
        try:
            numbers = [float(token) for token in self._entry.value.replace(",", " ").split()]
        except ValueError:
            return None
        if not all(abs(number) < 1e6 for number in numbers) or field is None:
            return None
        if field.kind == "point":
            return (mm(numbers[0]), mm(numbers[1])) if len(numbers) == 2 else None
        return numbers[0] if len(numbers) == 1 else None

    def _accept_value(self) -> None:
        """Accept the value of the current field."""
        field = self.current_field
        if field is None or not self._confirm.enabled:
            return
        self.values[field.field] = tuple(self._marked_pieces) if field.kind == "some" else self._current_value()
        self._advance()

    def _leave_empty(self) -> None:
        field = self.current_field
        if field is not None:
            self.values[field.field] = None
            self._advance()

    def _advance(self) -> None:
        """Go to the next question; after the last, submit the report."""
        self.error = ""
        if self.current_field is not None:
            self._next_question()
            return
        assert self.report is not None
        try:
            action = self.report.with_choices({name: value for name, value in self.values.items() if value is not None})
            self.error = self._controller.illegal_reason(action)
        except ValueError as error:
            self.error = str(error)
        if not self.error and self._controller.self_report(action):
            self.app.pop()
            return
        self.report, self.values = (self.report, {}) if self.report.fields else (None, {})
        self._next_question()

    def _go_back(self) -> None:
        """Return to the choice of a report, or close the dialog."""
        if self.report is None:
            self.app.pop()
            return
        self.report, self.values, self.error = None, {}, ""
        self._next_question()

    # -- the table ------------------------------------------------------------------------------------------------

    def _selectable_pieces(self) -> list[Piece | Pyramid]:
        """Pieces on the table that may be chosen now."""
        field = self.current_field
        return [piece for piece in self._match.state.scene.pieces if field is not None and piece.id in field.options]

    def _piece_at(self, position: tuple[int, int]) -> str | None:
        """Uppermost selectable piece under a point of the screen."""
        point = self._view.camera.to_table(position)
        tolerance = self.app.scale * _CLICK_TOLERANCE / self._view.camera.zoom
        name = None
        for piece in self._selectable_pieces():
            if isinstance(piece, Pyramid):
                hit = is_inside_convex(point, piece.footprint())
            else:
                hit = dist(point, piece.position) <= piece.radius + tolerance
            name = piece.id if hit else name
        return name

    def _handle_click(self, position: tuple[int, int]) -> None:
        field = self.current_field
        if field is None:
            return
        if field.kind == "point":
            x, y = self._view.camera.to_table(position)
            self._entry.text = f"{to_mm(x):.1f}, {to_mm(y):.1f}"
            self._validate()
        elif (name := self._piece_at(position)) is not None:
            self._list.select(field.options.index(name))
            self._picked(self._list.index)

    # -- events, picture ------------------------------------------------------------------------------------------

    def status_line(self) -> str:
        field = self.current_field
        if field is None:
            return "Up Down choose   ·   Enter: it happened   ·   Esc nothing after all"
        items = {
            "one": ["Click the piece, or Up Down and Enter"],
            "some": ["Click pieces, or Up Down and Space", "Enter"],
            "point": ["Click the place, or type x, y", "Enter"],
            "number": ["Type a number", "Enter"],
        }[field.kind]  # fmt: skip
        return "   ·   ".join([*items, "Wheel nearer", "Esc back"])

    def handle(self, event: pygame.event.Event) -> None:
        """Handle keys and lists; clicks on the table choose pieces and points, the wheel zooms."""
        if event.type == pygame.KEYDOWN:
            if event.key == pygame.K_ESCAPE:
                self._go_back()
            elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and self._is_complete:
                self._accept_value()
            else:
                self.form.handle(event)
            return
        position = getattr(event, "pos", None) or pygame.mouse.get_pos()
        is_outside = self.report is not None and not self.rect.collidepoint(position) and self._view.contains(position)
        if is_outside and event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._handle_click(position)
        elif is_outside and self._view.handle(event):
            self.app.background = None
        elif not is_outside:
            self.form.handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the reports in the middle, and the fields at the right beside the table."""
        w, h = size
        pad, height = round(18 * scale), round(38 * scale)
        rows = min(10, max(1, len(self._list.lines)))
        if self.report is None:
            width = min(w - 16, round(720 * scale))
            box_height = min(h - 16, round((118 + 30 * rows + 70) * scale))
            self.rect = pygame.Rect((w - width) // 2, (h - box_height) // 2, width, box_height)
        else:
            self.rect = pygame.Rect(w - round(_PANEL_WIDTH * scale), 0, round(_PANEL_WIDTH * scale), h)
        inner = self.rect.inflate(-2 * pad, -2 * pad)
        buttons = [widget for widget in self.form.widgets if isinstance(widget, Button)]
        gap = round(6 * scale)
        bottom = place_in_grid(buttons, inner.move(0, -gap), height, gap, at_bottom=True).y - round(10 * scale)
        top = inner.y + round((86 if self.report is None else 200) * scale)
        self._entry.rect = pygame.Rect(inner.x, top, inner.w, height)
        list_height = max(round(34 * scale), min(bottom - top, round(30 * scale * len(self._list.lines)) + 4))
        self._list.rect = pygame.Rect(inner.x, top, inner.w, list_height)

    def draw(self, canvas: Canvas) -> None:
        """Draw the dialog, and the selectable and selected pieces on the table."""
        if self.report is not None:
            with canvas.clipped(self._view.area):
                self._draw_marks(canvas)
        canvas.box(self.rect, palette.PANEL, 12 if self.report is None else 0, palette.BORDER)
        pad = canvas.px(18)
        area = self.rect.inflate(-2 * pad, -2 * pad)
        y = canvas.text("Own up", area.topleft, 22, bold=True).bottom + canvas.px(6)
        field = self.current_field
        text = "What happened that the referee did not see?" if self.report is None else self.report.text
        y = canvas.paragraph(text, pygame.Rect(area.x, y, area.w, canvas.px(80)), 15, palette.MUTED_TEXT) + canvas.px(6)
        if field is not None:
            prompt = field.prompt[:1].upper() + field.prompt[1:]
            y = canvas.paragraph(prompt, pygame.Rect(area.x, y, area.w, canvas.px(60)), 16, bold=True)
        self.form.draw(canvas)
        if self.error:
            others = (widget for widget in self.form.widgets if not isinstance(widget, Button))
            bottom = max((widget.rect.bottom for widget in others), default=y)
            canvas.paragraph(self.error, pygame.Rect(area.x, bottom + canvas.px(8), area.w, canvas.px(150)), 14,
                             palette.BAD, bold=True)  # fmt: skip

    def _draw_marks(self, canvas: Canvas) -> None:
        """Draw rings around selectable pieces, thicker ones around selected ones, and a cross at the point."""
        camera = self._view.camera
        field = self.current_field
        highlighted = self._list.lines and field is not None and field.options and field.options[self._list.index]
        scene, names = self._match.state.scene, [value for value in self.values.values() if isinstance(value, str)]
        chosen_pieces = [scene.piece(name) for name in names if scene.has(name)]
        for piece in (*self._selectable_pieces(), *chosen_pieces):
            radius = piece.shape.base / 2.0 if isinstance(piece, Pyramid) else piece.radius
            is_chosen = piece in chosen_pieces or piece.id in self._marked_pieces
            colour = palette.HIGHLIGHT if is_chosen or piece.id == highlighted else palette.TABLE_TEXT
            canvas.circle(camera.to_screen(piece.position), radius * camera.zoom + canvas.px(4), colour,
                        canvas.px(3.0 if is_chosen else 1.5))  # fmt: skip
        if field is not None and field.kind == "point" and (point := self._current_value()) is not None:
            x, y = camera.to_screen(point)
            s = canvas.px(9)
            canvas.line((x - s, y), (x + s, y), palette.HIGHLIGHT, canvas.px(2))
            canvas.line((x, y - s), (x, y + s), palette.HIGHLIGHT, canvas.px(2))
