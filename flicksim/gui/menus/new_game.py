"""New game screen: players, options and seed, at first those of the last game."""

import secrets
from typing import Annotated

import msgspec
import pygame

from flicksim.ai import GRADES
from flicksim.core.atomic_files import path_exists, write_atomic
from flicksim.core.errors import FlicksimError, InvalidInput, InvalidOption
from flicksim.core.limits import MAX_SEED, Name, parse_int
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value, from_json, read_bytes
from flicksim.gui.app.application import App, Screen
from flicksim.gui.app.game_view import Miniature
from flicksim.gui.match.start_match import has_beginner_bot, names_by_seat, quick_grade, start_match, usual_seats
from flicksim.gui.menus.setup_rows import SEAT_VALUES, OptionRows, SeatRows
from flicksim.gui.toolkit import Canvas, Form, RowList, RowMetrics, ensure_folder, palette, place_in_grid, user_folder
from flicksim.gui.toolkit.widgets import Button, Checkbox, Choice, Field, TextField
from flicksim.match import open_match, parse_seat
from flicksim.profiles import MAX_NAME_LENGTH, clean_name
from flicksim.referee import Game

_SETUPS_FILE = "seats.json"
_MAX_SEATS = 20
"""Upper limit of the number of seats of a game."""


class LastSetup(Value, frozen=True, kw_only=True):
    """Seats and options of a game as they were last set up.

    Args:
        who: plays, in one word. own: seat of the player at home. seats: seat specifications. names: of the players;
            empty for none. options: that differ from their defaults, as text. serious: True if an undo asks for
            consent.
    """

    who: Name
    own: Annotated[int, msgspec.Meta(ge=0, le=_MAX_SEATS)] = 0
    seats: Annotated[tuple[Name, ...], msgspec.Meta(max_length=_MAX_SEATS)] = ()
    names: Annotated[tuple[Name, ...], msgspec.Meta(max_length=_MAX_SEATS)] = ()
    options: dict[Name, Name] = msgspec.field(default_factory=dict)
    serious: bool = False


def load_setups() -> tuple[dict[str, LastSetup], str]:
    """Load the setups by name of the game, with an error message if the file was invalid."""
    folder = user_folder("data")
    if folder is None:
        return {}, ""
    path = folder / "player" / _SETUPS_FILE
    try:
        setups = from_json(read_bytes(path), dict[str, LastSetup], name=_SETUPS_FILE) if path_exists(path) else {}
        for setup_read in setups.values():
            for seat in setup_read.seats:
                parse_seat(seat)
    except InvalidInput as wrong:
        return {}, f"Seats are as usual: {wrong}."
    return setups, ""


def save_setup(game: str, setup: LastSetup) -> str:
    """Save the setup of a game. Return the reason if that fails, else an empty string."""
    folder = user_folder("data")
    if folder is None:
        return ""
    try:
        text = msgspec.json.format(msgspec.json.encode(load_setups()[0] | {game: setup}), indent=2)
        write_atomic(ensure_folder(folder / "player") / _SETUPS_FILE, text + b"\n")
    except FlicksimError as wrong:
        return f"These seats are not remembered: {wrong}."
    return ""


_YOU_AGAINST_BOTS, _WITH_FRIENDS, _WATCH_BOTS = WHO_VALUES = ("you", "friends", "bots")
"""Choices of who plays, in one word."""
WHO_LABELS = {_YOU_AGAINST_BOTS: "you against bots", _WITH_FRIENDS: "two friends here", _WATCH_BOTS: "bots; you watch"}
_NAME_PLACEHOLDER = "a name, or none"
_MIN_MINIATURE, _MAX_MINIATURE = 150.0, 380.0
"""Least and greatest height of the table shown under the rows [units]."""
_MINIATURE_START = 2.0
"""Time at which that table is shown first, when something lies on it [s]."""
_ROWS = RowMetrics(height=36.0, heading=34.0, gap=5.0, left=10.0, right=24.0, raised=7.0, frame=2, scroll_bar=9.0)


class NewGameScreen(Screen):
    """Screen to set up a new game: who plays, and folded out a row for each seat, every option and the seed.

    Args:
        app: the application. game: the game. unavailable_reason: why the game cannot be played in the window; empty
            if it can. miniature: of its table, shown where the rows leave room; None: none.
    """

    game: Game
    STATUS = (
        "Up Down go through the rows   ·   Left Right, Enter change them   ·   Tab to the next part   ·   "
        "Ctrl + Enter starts   ·   Esc back"
    )

    def __init__(
        self, app: App, game: Game, unavailable_reason: str = "", miniature: Miniature | None = None
    ) -> None:  # fmt: skip
        super().__init__(app)
        self.game, self.unavailable_reason = game, unavailable_reason
        self._miniature, self._miniature_time = miniature, _MINIATURE_START
        self.list = RowList(_ROWS)
        self._body = self._side_panel = pygame.Rect(0, 0, 0, 0)
        low, high = game.seats
        friends = app.player.profile.friends
        self.who = Choice("Who plays", WHO_VALUES, 0, self._on_who_change, _WHO_HELP, WHO_LABELS)
        sides = tuple(" and ".join(game.seat_names[seat::2]) for seat in range(2)) if game.has_partners else (
            game.seat_names[: max(low, 2)] if game.uses_physics else ())  # fmt: skip
        self.side = Choice("You play", sides, 0, self._on_who_change, _SIDE_HELP) if len(sides) > 1 else None
        grades = tuple(GRADES)
        grade = quick_grade(app, game)
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
        self.options = OptionRows(game, self._validate)
        self._start = Button("Start", self.start, key="Ctrl + Enter", is_primary=True, help_text="Begin the game.")
        self._reset = Button("Usual rules", self.options.reset, help_text="Put every option back to its default.")
        self._back = Button("Back", app.pop, key="Esc", help_text="To the list of games.")
        self.form = Form([])
        self.error = ""
        self._warnings: tuple[str, ...] = ()
        self._on_who_change()
        self._restore_last_setup()
        self._validate()

    @property
    def title(self) -> str:
        """Title of the screen."""
        return f"New game of {self.game.title}"

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
        self._restore_seats(setup)
        self.takebacks.index = int(setup.serious)
        restored = [name for name, spec in setup.options.items() if self.options.restore(name, spec)]
        if restored or setup.serious:
            self.has_more_options.index = 1

    def _restore_seats(self, setup: LastSetup) -> None:
        """Restore who sat where; their rows are shown if that is not as usual."""
        low, high = self.game.seats
        if low <= len(setup.seats) <= high:
            self.count.text = str(len(setup.seats))
            self._on_who_change()
            usual = [seat.seat_spec for seat in self.seat_rows]
            names = (*setup.names, *[""] * len(setup.seats))
            for seat, spec, name in zip(self.seat_rows, setup.seats, names, strict=False):
                seat.set_occupant(spec, name)
            self.has_more_options.index = int([seat.seat_spec for seat in self.seat_rows] != usual or any(setup.names))

    @property
    def seat_rows(self) -> list[SeatRows]:
        """Rows of the seats in use."""
        low, high = self.game.seats
        count = parse_int(self.count.value)
        return self._all_seats[: low if count is None else min(max(count, low), high)]

    @property
    def _own_side(self) -> int:
        """Number of the side of the player at home."""
        return self.side.index if self.side is not None else 0

    def _is_own(self, seat: int) -> bool:
        """Return True of a seat of the player at home, in pairs also of the partner's."""
        is_pairs = self.game.has_partners and self.game.seats[0] == 4
        return (seat % 2 if is_pairs else seat) == self._own_side

    def _on_who_change(self) -> None:
        """Update all seats after a choice of who plays."""
        bot, is_pairs = f"bot:{self.grade.value}", self.game.has_partners and self.game.seats[0] == 4
        for k, seat in enumerate(self._all_seats):
            is_human = self._is_own(k) or (self.who.value == _WITH_FRIENDS and (k < 2 or is_pairs))
            seat.set_occupant("human" if is_human and self.who.value != _WATCH_BOTS else bot)
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
            groups += [("Seats", [*counted, *seats, self.takebacks]), ("Options", [*self.options.fields.values()]),
                      ("Chance", [self.seed])]  # fmt: skip
        return [(head, rows) for head, rows in groups if rows]

    def _rebuild_rows(self) -> None:
        """Rebuild the rows; the focus stays in its place. A field without a name shows the usual one of its seat."""
        friend = self.friend.value if self.who.value == _WITH_FRIENDS else ""
        for k, seat in enumerate(self._all_seats):
            name = self.app.player.name or "you" if self._is_own(k) else friend
            seat.name.placeholder = name or _NAME_PLACEHOLDER
        focused = self.form.focused
        groups, before = self._row_groups(), self.list.rows
        self.list.set_groups(groups)
        if self.list.rows == before:
            return
        for row in (row for _, rows in groups for row in rows):
            row.label_fraction = 0.54  # descriptions of options need space
        self.form.widgets = [*self.list.rows, self._start, self._reset, self._back]
        self.form.focus = self.form.widgets.index(focused) if focused in self.form.widgets else 0
        if self._body.w:
            self.list.place(self._body, self.app.scale)

    def _validate(self) -> None:
        """Validate all fields and show the first error."""
        if not hasattr(self, "error"):
            return
        self.error = ""
        self._rebuild_rows()
        for field in (*self.list.rows, self.count, self.seed, *self.options.fields.values()):
            field.error = ""
        if self.options.value("seats") == "2":  # each person holds both colours of a pair
            for seat in (2, 3):
                self.seat_rows[seat].copy_from(self.seat_rows[seat - 2])
        low, high = self.game.seats
        count = parse_int(self.count.value)
        if count is None or not low <= count <= high:
            self.count.error = self.error = f"players {self.count.value!r} must be a whole number from {low} to {high}"
        self.error = self.options.validate() or self.error
        seed = parse_int(self.seed.value)
        if seed is None or not 0 <= seed <= MAX_SEED:
            self.seed.error = self.error = f"seed {self.seed.value!r} must be a whole number from 0 to {MAX_SEED}"
        if not self.error and low < high:
            self.error = self._seat_count_error()
        self._start.enabled = not self.error
        self._warnings = () if self.error else self.game.option_warnings(self.options.parsed())

    def _seat_count_error(self) -> str:
        """Reason why the number of seats is not allowed by the options; empty if it is."""
        try:
            self.game.rules.initial_state(self.options.parsed(), len(self.seat_rows), RandomStreams(seed=0))
        except FlicksimError as wrong:
            return str(wrong)
        return ""

    def start(self) -> None:
        """Start the game, or show why it cannot be."""
        self._validate()
        try:
            if reason := self.unavailable_reason or self.error:
                raise InvalidOption(reason)
            seat_specs = [seat.seat_spec for seat in self.seat_rows]
            seats = [parse_seat(spec) for spec in seat_specs]
            match = open_match(self.game, self.options.parsed(), seats, int(self.seed.value))
        except FlicksimError as wrong:
            self.error = str(wrong)
            return
        friend = clean_name(self.friend.value) if self.who.value == _WITH_FRIENDS else ""
        if friend:
            self.app.player.update_profile(lambda had: had.with_friend(friend))
        names = [clean_name(one.name.value) for one in self.seat_rows]
        serious = self.takebacks.index == 1
        who, specs, options = self.who.value, tuple(seat_specs), self.options.chosen()
        own = self._own_side
        setup = LastSetup(who=who, own=own, seats=specs, names=tuple(names), options=options, serious=serious)
        if error := save_setup(self.game.name, setup):
            self.app.show_notice(error)
        typed_names = {seat: name for seat, name in enumerate(names) if name and match.players[seat] is None}
        owner, friends = self.app.player.name, [friend] if friend else []
        people = names_by_seat(match, owner, friends, self._own_side, typed_names)
        start_match(self.app, match, seat_specs, requires_undo_consent=serious, seat_names=people,
              bots_wait=has_beginner_bot(seat_specs))  # fmt: skip

    # -- events, picture ------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Handle keys and mouse; the wheel scrolls."""
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.app.pop()
            return
        if self.list.handle_mouse(event):
            return
        if event.type == pygame.KEYDOWN and event.key == pygame.K_TAB:
            self._focus_next_group(-1 if event.mod & pygame.KMOD_SHIFT else 1)
            self._scroll_to_focus()
            return
        enter = event.type == pygame.KEYDOWN and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER)
        if enter and event.mod & pygame.KMOD_CTRL:
            self.start()
            return
        if enter and isinstance(self.form.focused, TextField):
            self.form.move_focus(1)
            self._scroll_to_focus()
            return
        self.form.handle(event)
        if event.type == pygame.KEYDOWN:
            self._scroll_to_focus()

    def _focus_next_group(self, step: int) -> None:
        """Move the focus to the next group of rows, or the next button."""
        widgets = self.form.widgets
        starts = self.list.headings
        stops = [k for k, one in enumerate(widgets) if one.enabled and (isinstance(one, Button) or k in starts)]
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
        self.list.place(self._body, scale)

    def _scroll_to_focus(self) -> None:
        """Scroll so that the focused row is visible."""
        field = self.form.focused
        if field is None or field not in self.list.rows:
            return
        margin = field.rect.h + round(_ROWS.heading * self.app.scale)
        self.list.show_row(field, margin, margin)

    def draw(self, canvas: Canvas) -> None:
        x = self._body.x
        canvas.text(self.title, (x, canvas.px(22)), 26, bold=True)
        width = canvas.size[0] - 2 * x
        size = canvas.size_to_fit(self.game.summary, (width, canvas.line_height(13)), 13.0, 10.0)
        canvas.text(self.game.summary, (x, canvas.px(56)), size, palette.MUTED_TEXT, max_width=width)
        canvas.box(self._body, palette.PANEL, 10, palette.BORDER)
        focused = self.form.focused
        self.list.draw_rows(canvas, lambda row: row.draw(canvas, focused=row is focused, hovered=False))
        for button in (self._start, self._reset, self._back):
            button.draw(canvas, focused=button is focused, hovered=button.rect.collidepoint(pygame.mouse.get_pos()))
        if self._miniature is not None and (table := self._miniature_rect) is not None:
            self._miniature.draw(canvas, table, self._miniature_time)
        self._draw_side(canvas, focused)

    @property
    def _miniature_rect(self) -> pygame.Rect | None:
        """Rectangle of the table under the rows; None where they leave no room [pixels]."""
        scale, foot = self.app.scale, self.list.rows[-1].rect.bottom
        margin = round(28 * scale)
        height = min(self._body.bottom - foot - 2 * margin, round(_MAX_MINIATURE * scale))
        rect = pygame.Rect(0, 0, min(self._body.w - 2 * margin, 2 * height), height)
        rect.midbottom = (self._body.centerx, self._body.bottom - margin)
        return rect if height >= _MIN_MINIATURE * scale else None

    @property
    def is_animating(self) -> bool:
        is_shown = self._miniature is not None and self._miniature_rect is not None
        return is_shown and not self.app.preferences.reduced_motion

    def update(self, dt: float) -> None:
        """Let what is shown of the game go on."""
        self._miniature_time += dt if self.is_animating else 0.0

    def _draw_side(self, canvas: Canvas, focused: object) -> None:
        side = self._side_panel
        y, foot = side.y, self._start.rect.y - canvas.px(12)
        if isinstance(focused, Field | Button):
            y = canvas.text(focused.label, (side.x, y), 18, bold=True, max_width=side.w).bottom + canvas.px(6)
            help_rect = pygame.Rect(side.x, y, side.w, canvas.px(130))
            y = canvas.paragraph(focused.help_text, help_rect, 15, palette.MUTED_TEXT)
            texts = self.options.description(focused)
            y += canvas.px(10) if texts else 0
            for text in texts:
                text_rect = pygame.Rect(side.x, y, side.w, canvas.line_height(14) * 4)
                y = canvas.paragraph(text, text_rect, 14, palette.MUTED_TEXT) + canvas.px(4)
        error = focused.error if isinstance(focused, Field) and focused.error else self.error
        if error:
            canvas.paragraph(error, pygame.Rect(side.x, y + canvas.px(14), side.w, max(1, foot - y - canvas.px(14))),
                             15, palette.BAD, bold=True)  # fmt: skip
        for text in () if error else self._warnings:
            y += canvas.px(10)
            y = canvas.paragraph(text, pygame.Rect(side.x, y, side.w, max(1, foot - y)), 14, palette.HIGHLIGHT)


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
_TAKEBACKS_HELP = (
    "free: undo and redo to any turn, as among friends. Asked: the next seat says whether it lets you; "
    "a bot does as long as no points were given."
)
_COUNT_HELP = "How many sit down. What the game allows is looked at together with its options."
_SEED_HELP = "All chance of the game comes from this number: the same seed and the same play give the same game."
