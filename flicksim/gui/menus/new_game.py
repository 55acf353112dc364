"""New game screen: players, options and seed."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

import pygame

from flicksim.ai import GRADES
from flicksim.core.errors import FlicksimError, InvalidOption
from flicksim.core.limits import MAX_SEED, parse_int
from flicksim.core.random_streams import RandomStreams
from flicksim.gui.app.application import App, Screen
from flicksim.gui.app.help import format_default, option_title
from flicksim.gui.game_view_kit.layout import place_in_grid
from flicksim.gui.match.start_match import FIRST_OPPONENT, has_beginner_bot, names_by_seat, start_match, usual_seats
from flicksim.gui.menus.last_setup import LastSetup, load_setups, save_setup
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.gui.toolkit.form import Form
from flicksim.gui.toolkit.scroll import ScrollArea
from flicksim.gui.toolkit.widgets import Button, Checkbox, Choice, Field, TextField
from flicksim.match import open_match, parse_seat
from flicksim.profiles import MAX_NAME_LENGTH, clean_name
from flicksim.referee import Game, Option, options_of, parse_options

SEAT_VALUES = ("human", "random", *(f"bot:{grade}" for grade in GRADES))
"""Values of the player of a seat."""
SEAT_LABELS = {"human": "somebody at this window", "random": "random moves"} | {
    f"bot:{grade}": f"a bot: {grade}" for grade in GRADES
}
DEFAULT_NOISE, NOISE_VALUES = "usual", ("usual", *GRADES)
"""Default and possible execution noise grades of a seat."""
NOISE_LABELS = {DEFAULT_NOISE: "as usual"}
_YOU_AGAINST_BOTS, _WITH_FRIENDS, _WATCH_BOTS = WHO_VALUES = ("you", "friends", "bots")
"""Choices of who plays, in one word."""
WHO_LABELS = {_YOU_AGAINST_BOTS: "you against bots", _WITH_FRIENDS: "two friends here", _WATCH_BOTS: "bots; you watch"}
_NAME_PLACEHOLDER = "a name, or none"
_ROW_HEIGHT = 36.0


class SeatRows:
    """Rows of a seat: the player, the execution noise and the name.

    Args:
        seat_name: of the seat. on_change: called on every change.
    """

    def __init__(self, seat_name: str, on_change: Callable[[], None]) -> None:
        self.occupant = Choice(f"{seat_name} is played by", SEAT_VALUES, 0, on_change, _SEAT_HELP, SEAT_LABELS)
        self.noise = Choice(f"{seat_name}: hand", NOISE_VALUES, 0, on_change, _NOISE_HELP, NOISE_LABELS)
        self.name = TextField(f"{seat_name}: name", "", on_change, _NAME_HELP, max_length=MAX_NAME_LENGTH)

    def visible_rows(self, *, is_flicked: bool) -> list[Field]:
        """Rows visible for the current player of the seat."""
        rows: list[Field] = [self.occupant]
        if is_flicked and self.occupant.value != "random":
            rows.append(self.noise)
        return [*rows, self.name] if self.occupant.value == "human" else rows

    @property
    def seat_spec(self) -> str:
        """Seat specification as text."""
        who, hand = self.occupant.value, self.noise.value
        if hand == DEFAULT_NOISE or who == "random":
            return who
        grade = who.removeprefix("bot:")
        return f"human/{hand}" if who == "human" else who if grade == hand else f"bot:{hand}/{grade}"

    def set_occupant(self, seat_spec: str, name: str = "") -> None:
        """Set the player of the seat from a seat specification."""
        seat = parse_seat(seat_spec)
        bot = f"bot:{seat.thought}"
        self.occupant.index = SEAT_VALUES.index(
            bot if bot in SEAT_VALUES else seat.kind if seat.kind in SEAT_VALUES else "human"
        )
        own = seat.hand if seat.hand != seat.thought else DEFAULT_NOISE
        self.noise.index = NOISE_VALUES.index(own if own in NOISE_VALUES else DEFAULT_NOISE)
        self.name.text = name

    def copy_from(self, other: SeatRows) -> None:
        """Copy the player of another seat."""
        self.occupant.index, self.noise.index, self.name.text = other.occupant.index, other.noise.index, other.name.text


class NewGameScreen(Screen):
    """Screen to set up a new game: who plays, and folded out a row for each seat, every option and the seed.

    Args:
        app: the application. game: the game. unavailable_reason: why the game cannot be played in the window; empty
            if it can.
    """

    def __init__(self, app: App, game: Game, unavailable_reason: str = "") -> None:
        super().__init__(app)
        self.game, self.unavailable_reason = game, unavailable_reason
        self._scroll = ScrollArea()
        self._body = self._side_panel = pygame.Rect(0, 0, 0, 0)
        low, high = game.seats
        friends = app.player.profile.friends
        self.who = Choice("Who plays", WHO_VALUES, 0, self._on_who_change, _WHO_HELP, WHO_LABELS)
        sides = tuple(" and ".join(game.seat_names[seat::2]) for seat in range(2)) if game.has_partners else (
            game.seat_names[: max(low, 2)] if game.uses_physics else ())  # fmt: skip
        self.side = Choice("You play", sides, 0, self._on_who_change, _SIDE_HELP) if len(sides) > 1 else None
        grades = tuple(GRADES)
        grade = FIRST_OPPONENT if app.player.is_new_to(game.name) else app.preferences.bot_grade
        self.grade = Choice("Bots are", grades, grades.index(grade), self._on_grade_change, _GRADE_HELP)
        self._previous_grade = grade
        self.friend = TextField("Your friend is", friends[0] if friends else "", self._validate, _FRIEND_HELP,
                                max_length=MAX_NAME_LENGTH, placeholder=_NAME_PLACEHOLDER)  # fmt: skip
        self.has_more_options = Checkbox("More: seats, options, seed", False, self._validate, _MORE_HELP)
        self.count = TextField("Players", str(usual_seats(game)), self._validate, _COUNT_HELP, (low, high))
        self._all_seats: list[SeatRows] = []
        for seat in range(high):
            named = game.seat_names[seat] if seat < len(game.seat_names) else f"Seat {seat + 1}"
            self._all_seats.append(SeatRows(named, self._validate))
        self.takebacks = Choice("Taking back", ("free", "the other seat is asked"), 0, self._validate, _TAKEBACKS_HELP)
        self.seed = TextField("Random seed", str(secrets.randbelow(10**6)), self._validate, _SEED_HELP)
        self.options = {option.name: self._option_widget(option) for option in options_of(game)}
        self._defaults = {option.name: format_default(option.default) for option in options_of(game)}
        self._allowed = {option.name: option.allowed for option in options_of(game)}
        self._start = Button("Start", self.start, is_primary=True, help_text="Begin the game.")
        self._reset = Button("Usual rules", self._reset_to_defaults, help_text="Put every option back to its default.")
        self._back = Button("Back", app.pop, key="Esc", help_text="To the list of games.")
        self._rows: list[Field] = []
        self._headings: dict[int, str] = {}
        self.form = Form([])
        self.error = ""
        self._on_who_change()
        self._restore_last_setup()
        self._validate()

    def _restore_last_setup(self) -> None:
        """Restore the last setup; rows that differ from the default are shown."""
        setups, error = load_setups()
        if error:
            self.app.show_notice(error)
        setup = setups.get(self.game.name)
        if setup is None or setup.who not in WHO_VALUES or not setup.seats:
            return
        self.who.index = WHO_VALUES.index(setup.who)
        if self.side is not None and setup.own < len(self.side.values):
            self.side.index = setup.own
        grades = [seat.thought for seat in map(parse_seat, setup.seats) if seat.kind == "bot"]
        if grades:
            self.grade.index, self._previous_grade = self.grade.values.index(grades[0]), grades[0]
        low, high = self.game.seats
        if low <= len(setup.seats) <= high:
            self.count.text = str(len(setup.seats))
            self._on_who_change()
            usual = [seat.seat_spec for seat in self.seat_rows]
            names = (*setup.names, *[""] * len(setup.seats))
            for seat, spec, name in zip(self.seat_rows, setup.seats, names, strict=False):
                seat.set_occupant(spec, name)
            self.has_more_options.index = int([seat.seat_spec for seat in self.seat_rows] != usual or any(setup.names))
        self.takebacks.index = int(setup.serious)
        restored = [name for name, spec in setup.options.items() if self._restore_option(name, spec)]
        if restored or setup.serious:
            self.has_more_options.index = 1

    def _restore_option(self, name: str, value: str) -> bool:
        """Restore the last value of an option; return False if it is no longer allowed."""
        field = self.options.get(name)
        try:
            parse_options(self.game, [f"{name}={value}"])
        except FlicksimError:
            return False
        if isinstance(field, Choice) and value in field.values:
            field.index = field.values.index(value)
        elif isinstance(field, TextField):
            field.text = value
        return True

    @property
    def seat_rows(self) -> list[SeatRows]:
        """Rows of the seats in use."""
        low, high = self.game.seats
        count = parse_int(self.count.value)
        return self._all_seats[: low if count is None else min(max(count, low), high)]

    def _on_who_change(self) -> None:
        """Update all seats after a choice of who plays."""
        bot, mine = f"bot:{self.grade.value}", self.side.index if self.side is not None else 0
        pairs = self.game.has_partners and self.game.seats[0] == 4
        for k, seat in enumerate(self._all_seats):
            own = k == mine or (pairs and k % 2 == mine) or (self.who.value == _WITH_FRIENDS and (k < 2 or pairs))
            seat.set_occupant("human" if own and self.who.value != _WATCH_BOTS else bot)
        self._previous_grade = self.grade.value
        self._validate()

    def _on_grade_change(self) -> None:
        """Give bots the new grade; grades chosen for single seats stay."""
        before, self._previous_grade = f"bot:{self._previous_grade}", self.grade.value
        for seat in self._all_seats:
            if seat.occupant.value == before:
                seat.occupant.index = SEAT_VALUES.index(f"bot:{self.grade.value}")
        self._validate()

    def _row_groups(self) -> list[tuple[str, list[Field]]]:
        """Rows by group."""
        who: list[Field] = [self.who]
        if self.side is not None and self.who.value != _WATCH_BOTS:
            who.append(self.side)
        if self.who.value != _WITH_FRIENDS or (self.game.seats[0] > 2 and not self.game.has_partners):
            who.append(self.grade)
        if self.who.value == _WITH_FRIENDS:
            who.append(self.friend)
        groups: list[tuple[str, list[Field]]] = [("Players", [*who, self.has_more_options])]
        if self.has_more_options.index:
            counted: list[Field] = [self.count] if self.game.seats[0] < self.game.seats[1] else []
            seats = [row for seat in self.seat_rows for row in seat.visible_rows(is_flicked=self.game.uses_physics)]
            groups += [("Seats", [*counted, *seats, self.takebacks]), ("Options", [*self.options.values()]),
                      ("Chance", [self.seed])]  # fmt: skip
        return [(head, rows) for head, rows in groups if rows]

    def _update_placeholders(self) -> None:
        """Show the name used for a seat where none is typed."""
        mine = self.side.index if self.side is not None else 0
        pairs = self.game.has_partners and self.game.seats[0] == 4
        friend = self.friend.value if self.who.value == _WITH_FRIENDS else ""
        for k, seat in enumerate(self._all_seats):
            own = k == mine or (pairs and k % 2 == mine)
            seat.name.placeholder = (self.app.player.name or "you") if own else friend or _NAME_PLACEHOLDER

    def _rebuild_rows(self) -> None:
        """Rebuild the rows; the focus stays in its place."""
        self._update_placeholders()
        focused = self.form.focused
        self._headings = {id(rows[0]): head for head, rows in self._row_groups()}
        rows = [row for _, group in self._row_groups() for row in group]
        if rows == self._rows:
            return
        self._rows = rows
        for row in rows:
            row.label_fraction = 0.54  # descriptions of options need space
        self.form.widgets = [*rows, self._start, self._reset, self._back]
        self.form.focus = self.form.widgets.index(focused) if focused in self.form.widgets else 0
        if self._body.w:
            self._layout_rows()

    def _option_widget(self, option: Option) -> Field:
        """Widget for the allowed values of an option."""
        label = option_title(option)
        values = [value.strip() for value in option.allowed.split("|")]
        default = format_default(option.default)
        if option.allowed == "true | false":
            return Checkbox(label, bool(option.default), self._validate, option.help)
        if len(values) > 1 and all(" " not in value for value in values) and default in values:
            return Choice(label, values, values.index(default), self._validate, option.help)
        return TextField(label, default, self._validate, option.help, _integer_range(option.allowed))

    def context_game(self) -> Game | None:
        """Game whose glossary is used."""
        return self.game

    def status_line(self) -> str:
        """Status line: the actions available now."""
        hints = ("Up Down go through the rows", "Left Right change them", "Tab to the next part", "Esc back")
        return "   ·   ".join(hints)

    # -- what is chosen -------------------------------------------------------------------------------------------

    def _option_specs(self) -> list[str]:
        """Options that differ from their defaults, as name=value."""
        values = {name: self._typed_value(name) for name in self.options}
        return [f"{name}={value}" for name, value in values.items() if value != self._defaults[name]]

    def _typed_value(self, name: str) -> str:
        """Value of an option in the form of the command line; a decimal comma is accepted."""
        value, allowed = _field_value(self.options[name]), self._allowed[name]
        return value.replace(",", ".") if allowed.startswith("number") and "," not in allowed else value

    def _validate(self) -> None:
        """Validate all fields and show the first error."""
        if not hasattr(self, "_rows"):
            return
        self.error = ""
        self._rebuild_rows()
        for field in (*self._rows, self.count, self.seed, *self.options.values()):
            field.error = ""
        people = self.options.get("seats")
        if people is not None and _field_value(people) == "2":  # each person holds both colours of a pair
            for seat in (2, 3):
                self.seat_rows[seat].copy_from(self.seat_rows[seat - 2])
        low, high = self.game.seats
        count = parse_int(self.count.value)
        if count is None or not low <= count <= high:
            self.count.error = self.error = f"players {self.count.value!r} must be a whole number from {low} to {high}"
        for spec in self._option_specs():
            try:
                parse_options(self.game, [spec])
            except FlicksimError as wrong:
                field = self.options[spec.partition("=")[0]]
                field.error = self.error = str(wrong)
        seed = parse_int(self.seed.value)
        if seed is None or not 0 <= seed <= MAX_SEED:
            self.seed.error = self.error = f"seed {self.seed.value!r} must be a whole number from 0 to {MAX_SEED}"
        if not self.error and low < high:
            self.error = self._seat_count_error()
        self._start.enabled = not self.error

    def _seat_count_error(self) -> str:
        """Reason why the number of seats is not allowed by the options; empty if it is."""
        try:
            options = parse_options(self.game, self._option_specs())
            self.game.rules.initial_state(options, len(self.seat_rows), RandomStreams(seed=0))
        except FlicksimError as wrong:
            return str(wrong)
        return ""

    def _reset_to_defaults(self) -> None:
        for option in options_of(self.game):
            field, default = self.options[option.name], self._defaults[option.name]
            if isinstance(field, Choice):
                field.index = field.values.index(default)
            elif isinstance(field, TextField):
                field.text = default
        self._validate()

    def start(self) -> None:
        """Start the game, or show why it cannot be."""
        self._validate()
        try:
            if self.unavailable_reason:
                raise InvalidOption(self.unavailable_reason)
            if self.error:
                raise InvalidOption(self.error)
            seat_specs = [seat.seat_spec for seat in self.seat_rows]
            seats = [parse_seat(spec) for spec in seat_specs]
            options = parse_options(self.game, self._option_specs())
            match = open_match(self.game, options, seats, int(self.seed.value))
        except FlicksimError as wrong:
            self.error = str(wrong)
            return
        friend = clean_name(self.friend.value) if self.who.value == _WITH_FRIENDS else ""
        if friend:
            self.app.player.update_profile(lambda had: had.with_friend(friend))
        own = self.side.index if self.side is not None else 0
        names = [clean_name(one.name.value) for one in self.seat_rows]
        chosen = dict(spec.split("=", 1) for spec in self._option_specs())
        serious = self.takebacks.index == 1
        setup = LastSetup(
            who=self.who.value, own=own, seats=tuple(seat_specs), names=tuple(names), options=chosen, serious=serious
        )
        if error := save_setup(self.game.name, setup):
            self.app.show_notice(error)
        named = names_by_seat(match, self.app.player.name, [friend] if friend else [], own)
        typed_names = {seat: name for seat, name in enumerate(names) if name and match.players[seat] is None}
        start_match(self.app, match, seat_specs, requires_undo_consent=serious, seat_names=named | typed_names,
              bots_wait=has_beginner_bot(seat_specs))  # fmt: skip

    # -- events, picture ------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Handle keys and mouse; the wheel scrolls."""
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.app.pop()
            return
        if self._scroll.handle_wheel(event, 48 * self.app.scale):
            self._layout_rows()
            return
        if event.type == pygame.KEYDOWN and event.key == pygame.K_TAB:
            self._focus_next_group(-1 if event.mod & pygame.KMOD_SHIFT else 1)
            self._scroll_to_focus()
            return
        enter = event.type == pygame.KEYDOWN and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER)
        if enter and isinstance(self.form.focused, TextField):
            self.form.move_focus(1)
            self._scroll_to_focus()
            return
        inside = event.type not in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN) or self._body.collidepoint(event.pos)
        if not inside and event.type == pygame.MOUSEBUTTONDOWN and event.pos[0] < self._side_panel.x:
            return
        if event.type == pygame.MOUSEBUTTONDOWN and self._scroll.is_clipped(
            event.pos, (row.rect for row in self._rows)
        ):
            return
        self.form.handle(event)
        if event.type == pygame.KEYDOWN:
            self._scroll_to_focus()

    def _focus_next_group(self, step: int) -> None:
        """Move the focus to the next group of rows, or the next button."""
        widgets = self.form.widgets
        ends = [isinstance(one, Button) or id(one) in self._headings for one in widgets]
        stops = [k for k, one in enumerate(widgets) if one.enabled and ends[k]]
        at = self.form.focus or 0
        ahead = [k for k in stops if k > at] if step > 0 else [k for k in stops[::-1] if k < at]
        self.form.focus = ahead[0] if ahead else stops[0 if step > 0 else -1]

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the scrolled rows on the left, help and buttons on the right."""
        w = min(size[0], round(1180 * scale))
        x, pad = (size[0] - w) // 2, round(24 * scale)
        side = round(330 * scale)
        top = round(84 * scale)
        self._body = pygame.Rect(x + pad, top, w - side - 3 * pad, size[1] - top - pad)
        self._side_panel = pygame.Rect(self._body.right + pad, top, side, size[1] - top - pad)
        buttons = (self._start, self._reset, self._back)
        place_in_grid(buttons, self._side_panel, round(44 * scale), round(8 * scale), at_bottom=True)
        self._layout_rows()

    def _layout_rows(self) -> None:
        """Place the rows by the scroll position."""
        scale = self.app.scale
        step, head = round(_ROW_HEIGHT * scale), round(34 * scale)
        total = len(self._rows) * step + len(self._headings) * head
        self._scroll.set_content(self._body, total)
        y = self._scroll.top
        for field in self._rows:
            if id(field) in self._headings:
                y += head
            field.rect = pygame.Rect(self._body.x + round(10 * scale), y, self._body.w - round(34 * scale),
                                     step - round(5 * scale))  # fmt: skip
            y += step

    def _scroll_to_focus(self) -> None:
        """Scroll so that the focused row is visible."""
        field = self.form.focused
        if field not in self._rows or field is None:
            return
        margin = field.rect.h + round(34 * self.app.scale)
        self._scroll.reveal(field.rect, margin, margin)
        self._layout_rows()

    def draw(self, canvas: Canvas) -> None:
        """Draw form, help and buttons."""
        x = self._body.x
        canvas.text(f"New game of {self.game.title}", (x, canvas.px(22)), 26, bold=True)
        canvas.text(self.game.summary, (x, canvas.px(56)), 13, palette.MUTED_TEXT, max_width=canvas.size[0] - 2 * x)
        canvas.box(self._body, palette.PANEL, 10, palette.BORDER)
        focused = self.form.focused
        with canvas.clipped(self._body.inflate(-4, -4)):
            for field in self._rows:
                if not self._scroll.is_fully_visible(field.rect.y, field.rect.h):
                    continue
                head, y = self._headings.get(id(field)), field.rect.y - canvas.px(7)
                high = canvas.line_height(12)
                if head is not None and self._scroll.is_fully_visible(y - high, high):
                    canvas.text(head.upper(), (field.rect.x, y), 12, palette.ACCENT, bold=True, anchor="bottomleft")
                field.draw(canvas, focused=field is focused, hovered=False)
        self._scroll.draw(canvas, 9.0)
        for button in (self._start, self._reset, self._back):
            button.draw(canvas, focused=button is focused, hovered=button.rect.collidepoint(pygame.mouse.get_pos()))
        self._draw_side(canvas, focused)

    def _draw_side(self, canvas: Canvas, focused: object) -> None:
        side = self._side_panel
        y, foot = side.y, self._start.rect.y - canvas.px(12)
        if isinstance(focused, Field | Button):
            y = canvas.text(focused.label, (side.x, y), 18, bold=True, max_width=side.w).bottom + canvas.px(6)
            help_rect = pygame.Rect(side.x, y, side.w, canvas.px(130))
            y = canvas.paragraph(focused.help_text, help_rect, 15, palette.MUTED_TEXT)
            name = next((name for name, field in self.options.items() if field is focused), None)
            if name is not None:
                y += canvas.px(10)
                field = self.options[name]
                texts = [f"In the shell: {name}={self._typed_value(name)}."]
                if isinstance(field, TextField):
                    texts.append(f"May be: {allowed_text(self._allowed[name])}.")
                if _field_value(field) != self._defaults[name]:
                    texts.append(f"Usually: {self._defaults[name]}")
                for text in texts:
                    text_rect = pygame.Rect(side.x, y, side.w, canvas.line_height(14) * 4)
                    y = canvas.paragraph(text, text_rect, 14, palette.MUTED_TEXT) + canvas.px(4)
        error = focused.error if isinstance(focused, Field) and focused.error else self.error
        if error:
            canvas.paragraph(error, pygame.Rect(side.x, y + canvas.px(14), side.w, max(1, foot - y - canvas.px(14))),
                             15, palette.BAD, bold=True)  # fmt: skip


_WHO_HELP = (
    "You against bots of a grade, two friends at this window, or bots alone, to be watched. Who sits where can be "
    "changed seat by seat under More."
)
_GRADE_HELP = (
    "How steady their hands are and how far they think. The first game of a kind is best played against a beginner, "
    "who waits for you where all play at once."
)
_FRIEND_HELP = "Their name on their seat card and in the statistics. It may be left out."
_MORE_HELP = "Every seat, every option of the game and of what it is played with, and at last the seed of its chance."
_SIDE_HELP = "The pieces you play with, and with them your seat at the table."
_NOISE_HELP = (
    "How steady this seat's hand is, whoever sits there: a handicap, if you like. As usual is the hand of the settings "
    "for people and a bot's own grade for bots."
)
_NAME_HELP = "The name of the player of this seat, on the seat card and in the statistics. Empty: as usual."
_SEAT_HELP = (
    "Somebody at this window, random moves (any legal action), or a bot that thinks ahead with an unsteady hand, "
    "from beginner over club and expert to world class."
)
_TAKEBACKS_HELP = (
    "free: undo and redo to any turn, as among friends. Asked: the next seat says whether it lets you; "
    "a bot does as long as no points were given."
)
_COUNT_HELP = "How many sit down. What the game allows is looked at together with its options."
_SEED_HELP = "All chance of the game comes from this number: the same seed and the same play give the same game."


def _field_value(field: Field) -> str:
    assert isinstance(field, Choice | TextField)
    return field.value


def allowed_text(allowed: str) -> str:
    """Allowed values of an option, as text."""
    numbers = allowed.partition(" | ")[0].split(",")
    if len(numbers) > 2:
        allowed = allowed.replace(",".join(numbers), f"{len(numbers)} × {numbers[0]}")
    return allowed.replace(" | ", " or ").replace(",number", ", number")


def _integer_range(allowed: str) -> tuple[int, int] | None:
    """Lowest and highest value of an option that is a whole number and nothing else."""
    limits = re.fullmatch(r"whole number (-?\d+) to (-?\d+)", allowed)
    return (int(limits[1]), int(limits[2])) if limits else None
