"""Owning up in the window: what happened, then the pieces and the place, clicked on the table or chosen from lists."""

from __future__ import annotations

from math import hypot

import pygame

from flicksim.base.geometry import inside
from flicksim.base.kinds import Plain
from flicksim.base.units import mm, to_mm
from flicksim.referee import OwnUp, Pick
from flicksim.table import Piece, Pyramid
from flicksim.ui.frame.app import App, Screen
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.widgets import Button, Entry, ListBox, Widget
from flicksim.ui.match.course import Course
from flicksim.ui.table import standing
from flicksim.ui.table.view import TableView

_PANEL = 330.0
"""Width of the panel, where the table stays in sight beside it [units]."""
_SLACK = 6.0
"""Distance beside a piece at which it may still be clicked [units]."""


class OwnUpScreen(Screen):
    """Over a table: the sentences that may be said, then what each leaves to be chosen.

    Args:
        course: of the match. view: where the table is seen.
    """

    clear = True
    dims = False

    def __init__(self, app: App, course: Course, view: TableView) -> None:
        super().__init__(app)
        self._course, self._view, self._match = course, view, course.match
        self._offered = self._match.own_up
        self.one: OwnUp | None = None
        self.chosen: dict[str, Plain] = {}
        self._some: list[Plain] = []
        self.wrong = ""
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._list = ListBox("Choose", [], picked=self._picked, row=30.0)
        self._entry = Entry("", "", self._look)
        self._entry.share = 0.0
        self._done = Button("Say so", self._take, key="Enter", main=True)
        self._none = Button("", self._left_out)
        self._back = Button("Never mind", self._call_off, key="Esc")
        self.form = Form([])
        self._renew()

    # -- what is asked --------------------------------------------------------------------------------------------

    @property
    def pick(self) -> Pick | None:
        """The field to be chosen now; None while it is which sentence."""
        if self.one is None:
            return None
        return next((pick for pick in self.one.pick if pick.field not in self.chosen), None)

    def _renew(self) -> None:
        """Take up the next question."""
        pick = self.pick
        self._some, self._entry.text = [], ""
        lines = [one.says for one in self._offered] if self.one is None else []
        widgets: list[Widget] = []
        if pick is not None and pick.among:
            lines = [self._named(one) for one in pick.among]
        if lines:
            self._list.show(lines, 0)
            widgets.append(self._list)
        if pick is not None and pick.kind in ("point", "number"):
            widgets.append(self._entry)
        if pick is not None and pick.kind != "one":
            widgets.append(self._done)
        if pick is not None and pick.none is not None:
            self._none.label = pick.none[:1].upper() + pick.none[1:]
            widgets.append(self._none)
        self.form = Form([*widgets, self._back], arrows=False)
        self._look()
        self.app.lay(self)

    @property
    def _enough(self) -> bool:
        """True where Enter says what was typed, or which pieces are marked."""
        marked = self.form.focused is self._list and bool(self._some)
        return marked or self.form.focused is self._entry

    def _look(self) -> None:
        pick = self.pick
        self._done.enabled = pick is None or bool(self._some if pick.kind == "some" else self._value() is not None)

    def _named(self, one: Plain) -> str:
        return standing.name(self._match, one) if isinstance(one, int) else standing.piece(str(one))

    # -- choosing -------------------------------------------------------------------------------------------------

    def _picked(self, index: int) -> None:
        """A line was picked: a sentence, or one of those that may be chosen."""
        pick = self.pick
        if self.one is None:
            self.one = self._offered[index]
            self._go_on()
        elif pick is not None and pick.kind == "one":
            self.chosen[pick.field] = pick.among[index]
            self._go_on()
        elif pick is not None and pick.kind == "some":
            one = pick.among[index]
            self._some = [other for other in self._some if other != one] if one in self._some else [*self._some, one]
            marks = ["✓ " if other in self._some else "" for other in pick.among]
            self._list.lines = [mark + self._named(other) for mark, other in zip(marks, pick.among, strict=True)]
            self._look()

    def _value(self) -> Plain:
        """The place or number as it stands; None while there is none."""
        pick = self.pick
        try:
            numbers = [float(word) for word in self._entry.value.replace(",", " ").split()]
        except ValueError:
            return None
        if not all(abs(number) < 1e6 for number in numbers) or pick is None:
            return None
        if pick.kind == "point":
            return (mm(numbers[0]), mm(numbers[1])) if len(numbers) == 2 else None
        return numbers[0] if len(numbers) == 1 else None

    def _take(self) -> None:
        """Let stand what was chosen."""
        pick = self.pick
        if pick is None or not self._done.enabled:
            return
        self.chosen[pick.field] = tuple(self._some) if pick.kind == "some" else self._value()
        self._go_on()

    def _left_out(self) -> None:
        pick = self.pick
        if pick is not None:
            self.chosen[pick.field] = None
            self._go_on()

    def _go_on(self) -> None:
        """The next question; when there is none, it is said."""
        self.wrong = ""
        if self.pick is not None:
            self._renew()
            return
        assert self.one is not None
        try:
            action = self.one.filled({field: value for field, value in self.chosen.items() if value is not None})
            self.wrong = self._course.objection(action)
        except ValueError as wrong:
            self.wrong = str(wrong)
        if not self.wrong and self._course.own_up(action):
            self.app.pop()
            return
        self.one, self.chosen = (self.one, {}) if self.one.pick else (None, {})
        self._renew()

    def _call_off(self) -> None:
        """One question back, or nothing is owned up to after all."""
        if self.one is None:
            self.app.pop()
            return
        self.one, self.chosen, self.wrong = None, {}, ""
        self._renew()

    # -- the table ------------------------------------------------------------------------------------------------

    def _pieces(self) -> list[Piece | Pyramid]:
        """The pieces on the table that may be chosen now."""
        pick = self.pick
        return [piece for piece in self._match.state.scene.pieces if pick is not None and piece.id in pick.among]

    def _under(self, at: tuple[int, int]) -> str | None:
        """The uppermost of them under a point of the screen."""
        spot, slack = self._view.camera.to_table(at), self.app.scale * _SLACK / self._view.camera.zoom
        found = None
        for piece in self._pieces():
            if isinstance(piece, Pyramid):
                hit = inside(spot, piece.footprint())
            else:
                hit = hypot(spot[0] - piece.x, spot[1] - piece.y) <= piece.radius + slack
            found = piece.id if hit else found
        return found

    def _clicked(self, at: tuple[int, int]) -> None:
        pick = self.pick
        if pick is None:
            return
        if pick.kind == "point":
            x, y = self._view.camera.to_table(at)
            self._entry.text = f"{to_mm(x):.1f}, {to_mm(y):.1f}"
            self._look()
        elif (name := self._under(at)) is not None:
            self._list.go(pick.among.index(name))
            self._picked(self._list.index)

    # -- events, picture ------------------------------------------------------------------------------------------

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        pick = self.pick
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
                self._call_off()
            elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and self._enough:
                self._take()
            else:
                self.form.handle(event)
            return
        at = getattr(event, "pos", None) or pygame.mouse.get_pos()
        outside = self.one is not None and not self.rect.collidepoint(at) and self._view.holds(at)
        if outside and event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._clicked(at)
        elif outside and self._view.handle(event):
            self.app.stir()
        elif not outside:
            self.form.handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """The sentences in the middle; what is to be chosen at the right, beside the table."""
        w, h = size
        pad, high = round(18 * scale), round(38 * scale)
        rows = min(10, max(1, len(self._list.lines)))
        if self.one is None:
            wide = min(w - 16, round(720 * scale))
            tall = min(h - 16, round((118 + 30 * rows + 70) * scale))
            self.rect = pygame.Rect((w - wide) // 2, (h - tall) // 2, wide, tall)
        else:
            self.rect = pygame.Rect(w - round(_PANEL * scale), 0, round(_PANEL * scale), h)
        inner = self.rect.inflate(-2 * pad, -2 * pad)
        foot = [widget for widget in self.form.widgets if isinstance(widget, Button)]
        y = inner.bottom - len(foot) * (high + round(6 * scale))
        for widget in foot:
            widget.rect = pygame.Rect(inner.x, y, inner.w, high)
            y += high + round(6 * scale)
        top = inner.y + round((86 if self.one is None else 200) * scale)
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
        if self.one is not None:
            with canvas.clipped(self._view.area):
                self._marks(canvas)
        canvas.box(self.rect, palette.PANEL, 12 if self.one is None else 0, palette.EDGE)
        pad = canvas.px(18)
        room = self.rect.inflate(-2 * pad, -2 * pad)
        y = canvas.text("Own up", room.topleft, 22, bold=True).bottom + canvas.px(6)
        pick = self.pick
        first = "What happened that the referee did not see?" if self.one is None else self.one.says
        y = canvas.paragraph(first, pygame.Rect(room.x, y, room.w, canvas.px(80)), 15, palette.FAINT) + canvas.px(6)
        if pick is not None:
            asks = pick.says[:1].upper() + pick.says[1:]
            y = canvas.paragraph(asks, pygame.Rect(room.x, y, room.w, canvas.px(60)), 16, bold=True)
        self.form.draw(canvas)
        if self.wrong:
            low = max((widget.rect.bottom for widget in self.form.widgets if not isinstance(widget, Button)), default=y)
            canvas.paragraph(self.wrong, pygame.Rect(room.x, low + canvas.px(8), room.w, canvas.px(150)), 14,
                             palette.BAD, bold=True)  # fmt: skip

    def _marks(self, canvas: Canvas) -> None:
        """Rings about the pieces that may be chosen, full ones about those that are; a cross at the place."""
        camera = self._view.camera
        pick = self.pick
        lit = self._list.lines and pick is not None and pick.among and pick.among[self._list.index]
        scene = self._match.state.scene
        before = [scene.piece(name) for name in self.chosen.values() if isinstance(name, str) and scene.has(name)]
        for piece in (*self._pieces(), *before):
            wide = piece.shape.base / 2.0 if isinstance(piece, Pyramid) else piece.radius
            chosen = piece in before or piece.id in self._some
            colour = palette.GLOW if chosen or piece.id == lit else palette.CHALK
            canvas.ring(camera.to_screen((piece.x, piece.y)), wide * camera.zoom + canvas.px(4), colour,
                        canvas.px(3.0 if chosen else 1.5))  # fmt: skip
        if pick is not None and pick.kind == "point" and (spot := self._value()) is not None:
            x, y = camera.to_screen(spot)
            s = canvas.px(9)
            canvas.line((x - s, y), (x + s, y), palette.GLOW, canvas.px(2))
            canvas.line((x, y - s), (x, y + s), palette.GLOW, canvas.px(2))
