"""The players, options and seed of a new game: everything that can be said before a game begins."""

from __future__ import annotations

import secrets

import pygame

from flicksim.base.bounds import SEED, whole
from flicksim.base.errors import BadOption, FlicksimError
from flicksim.base.seeding import Seeds
from flicksim.people import LONGEST, checked_name
from flicksim.play import open_match, parse_seat
from flicksim.players import GRADES
from flicksim.referee import Game, Option, options_of, parse_options
from flicksim.ui.frame.app import App, Screen
from flicksim.ui.frame.options import plain, written
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.widgets import Button, Checkbox, Choice, Entry, Field
from flicksim.ui.match.starting import FIRST, begin, for_beginners, usual_seats

SEATED = ("human", "random", *(f"bot:{grade}" for grade in GRADES))
"""Words for those who can sit down."""
SEATED_SAY = {"human": "somebody at this window", "random": "chance alone"} | {
    f"bot:{grade}": f"a bot: {grade}" for grade in GRADES
}
_YOU, _FRIENDS, _WATCH = WHO = ("you", "friends", "bots")
"""Choices of who plays, in one word."""
WHO_SAY = {_YOU: "you against bots", _FRIENDS: "two friends here", _WATCH: "bots; you watch"}
_ROW = 36.0


class NewGameScreen(Screen):
    """Screen of a new game. Who plays is one choice; folded out, a row for each seat, for every option, and for the
    seed.

    Args:
        missing: why the game cannot be played in the window; empty when it can.
    """

    def __init__(self, app: App, game: Game, missing: str = "") -> None:
        super().__init__(app)
        self.game, self.missing = game, missing
        self._scroll = 0.0
        self._body = self._side = pygame.Rect(0, 0, 0, 0)
        low, high = game.seats
        friends = app.player.profile.friends
        self.who = Choice("Who plays", WHO, 0, self._chosen, _WHO_SAYS, WHO_SAY)
        grades = tuple(GRADES)
        grade = FIRST if app.player.new_to(game.name) else app.preferences.grade
        self.grade = Choice("Bots are", grades, grades.index(grade), self._chosen, _GRADE_SAYS)
        self.friend = Entry("Your friend is", friends[0] if friends else "", self._look, _FRIEND_SAYS, most=LONGEST)
        self.more = Checkbox("More: seats, options, seed", False, self._look, _MORE_SAYS)
        self.count = Entry("Players", str(usual_seats(game)), self._look, _COUNT_SAYS, (low, high))
        self._all: list[Choice] = []
        for seat in range(high):
            named = game.seat_names[seat] if seat < len(game.seat_names) else f"Seat {seat + 1}"
            self._all.append(Choice(f"{named} is played by", SEATED, 0, self._look, _SEAT_SAYS, SEATED_SAY))
        self.takebacks = Choice("Taking back", ("free", "the other seat is asked"), 0, self._look, _TAKEBACKS_SAY)
        self.seed = Entry("Seed of chance", str(secrets.randbelow(10**6)), self._look, _SEED_SAYS)
        self.options = {option.name: self._row(option) for option in options_of(game)}
        self._defaults = {option.name: written(option.default) for option in options_of(game)}
        self._allowed = {option.name: option.allowed for option in options_of(game)}
        self._start = Button("Start", self.start, main=True, says="Begin the game.")
        self._reset = Button("Usual rules", self._usual, says="Put every option back to its default.")
        self._back = Button("Back", app.pop, key="Esc", says="To the list of games.")
        self._rows: list[Field] = []
        self._heads: dict[int, str] = {}
        self.form = Form([])
        self.wrong = ""
        self._chosen()
        self._look()

    @property
    def seats(self) -> list[Choice]:
        """The seats at which somebody sits down."""
        low, high = self.game.seats
        many = whole(self.count.value)
        return self._all[: low if many is None else min(max(many, low), high)]

    def unfold(self) -> None:
        """Show all there is to choose."""
        self.more.index = 1
        self._look()

    def _chosen(self) -> None:
        """Seat everybody after who plays was chosen."""
        bot = f"bot:{self.grade.value}"
        pairs = self.game.partners and self.game.seats[0] == 4
        for seat, choice in enumerate(self._all):
            own = seat == 0 or (pairs and seat % 2 == 0) or (self.who.value == _FRIENDS and (seat == 1 or pairs))
            choice.index = SEATED.index("human" if own and self.who.value != _WATCH else bot)
        self._look()

    def _groups(self) -> list[tuple[str, list[Field]]]:
        """The rows by what they are about."""
        who: list[Field] = [self.who]
        if self.who.value != _FRIENDS or (self.game.seats[0] > 2 and not self.game.partners):
            who.append(self.grade)
        if self.who.value == _FRIENDS:
            who.append(self.friend)
        found: list[tuple[str, list[Field]]] = [("Players", [*who, self.more])]
        if self.more.index:
            counted: list[Field] = [self.count] if self.game.seats[0] < self.game.seats[1] else []
            found += [("Seats", [*counted, *self.seats, self.takebacks]), ("Options", [*self.options.values()]),
                      ("Chance", [self.seed])]  # fmt: skip
        return [(head, rows) for head, rows in found if rows]

    def _seat(self) -> None:
        """A row for all there is to choose; the focus stays where it was."""
        focused = self.form.focused
        self._heads = {id(rows[0]): head for head, rows in self._groups()}
        rows = [row for _, group in self._groups() for row in group]
        if rows == self._rows:
            return
        self._rows = rows
        for row in rows:
            row.share = 0.54  # what options are about takes room to say
        self.form.widgets = [*rows, self._start, self._reset, self._back]
        self.form.focus = self.form.widgets.index(focused) if focused in self.form.widgets else 0
        if self._body.w:
            self._place()

    def _row(self, option: Option) -> Field:
        """The widget that fits what an option may be."""
        label = plain(option)
        words = [word.strip() for word in option.allowed.split("|")]
        default = written(option.default)
        if option.allowed == "true | false":
            return Checkbox(label, bool(option.default), self._look, option.says)
        if len(words) > 1 and all(" " not in word for word in words) and default in words:
            return Choice(label, words, words.index(default), self._look, option.says)
        return Entry(label, default, self._look, option.says, _span(option.allowed))

    def about(self) -> Game | None:
        """The game whose words are used."""
        return self.game

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        return "Up Down go through the rows   ·   Left Right change them   ·   Tab to the buttons   ·   Esc back"

    # -- what is chosen -------------------------------------------------------------------------------------------

    def _words(self) -> list[str]:
        """Options that are not at their default, as name=value."""
        values = {name: _value(field) for name, field in self.options.items()}
        return [f"{name}={value}" for name, value in values.items() if value != self._defaults[name]]

    def _look(self) -> None:
        """See whether everything is as it may be; say what is not."""
        if not hasattr(self, "_rows"):
            return
        self.wrong = ""
        self._seat()
        for field in (*self._rows, self.count, self.seed, *self.options.values()):
            field.wrong = ""
        people = self.options.get("seats")
        if people is not None and _value(people) == "2":  # each person holds both colours of a pair
            for seat in (2, 3):
                self.seats[seat].index = self.seats[seat - 2].index
        low, high = self.game.seats
        many = whole(self.count.value)
        if many is None or not low <= many <= high:
            self.count.wrong = self.wrong = f"players {self.count.value!r} must be a whole number from {low} to {high}"
        for word in self._words():
            try:
                parse_options(self.game, [word])
            except FlicksimError as wrong:
                field = self.options[word.partition("=")[0]]
                field.wrong = self.wrong = str(wrong)
        seed = whole(self.seed.value)
        if seed is None or not 0 <= seed <= SEED:
            self.seed.wrong = self.wrong = f"seed {self.seed.value!r} must be a whole number from 0 to {SEED}"
        if not self.wrong and low < high:
            self.wrong = self._objection()
        self._start.enabled = not self.wrong

    def _objection(self) -> str:
        """Reason why so many cannot play by these options; empty when they can."""
        try:
            self.game.rules.start(parse_options(self.game, self._words()), len(self.seats), Seeds(seed=0))
        except FlicksimError as wrong:
            return str(wrong)
        return ""

    def _usual(self) -> None:
        for option in options_of(self.game):
            field, default = self.options[option.name], self._defaults[option.name]
            if isinstance(field, Choice):
                field.index = field.values.index(default)
            elif isinstance(field, Entry):
                field.text = default
        self._look()

    def start(self) -> None:
        """Begin, or say why not."""
        self._look()
        try:
            if self.missing:
                raise BadOption(self.missing)
            if self.wrong:
                raise BadOption(self.wrong)
            seats = [parse_seat(choice.value) for choice in self.seats]
            options = parse_options(self.game, self._words())
            match = open_match(self.game, options, seats, int(self.seed.value))
        except FlicksimError as wrong:
            self.wrong = str(wrong)
            return
        friend = checked_name(self.friend.value) if self.who.value == _FRIENDS else ""
        if friend:
            self.app.player.change(lambda had: had.with_friend(friend))
        words = [choice.value for choice in self.seats]
        begin(self.app, match, words, serious=self.takebacks.index == 1, names=[friend] if friend else [],
              patient=for_beginners(words))  # fmt: skip

    # -- events, picture ------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Keys and mouse; the wheel scrolls."""
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.app.pop()
            return
        if event.type == pygame.MOUSEWHEEL:
            self._scroll -= event.y * round(48 * self.app.scale)
            self._place()
            return
        enter = event.type == pygame.KEYDOWN and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER)
        if enter and isinstance(self.form.focused, Entry):
            self.form.step(1)
            self._reveal()
            return
        inside = event.type not in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN) or self._body.collidepoint(event.pos)
        if not inside and event.type == pygame.MOUSEBUTTONDOWN and event.pos[0] < self._side.x:
            return
        self.form.handle(event)
        if event.type == pygame.KEYDOWN:
            self._reveal()

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """The rows on the left, scrolled; help and buttons on the right."""
        w = min(size[0], round(1180 * scale))
        x, pad = (size[0] - w) // 2, round(24 * scale)
        side = round(330 * scale)
        top = round(84 * scale)
        self._body = pygame.Rect(x + pad, top, w - side - 3 * pad, size[1] - top - pad)
        self._side = pygame.Rect(self._body.right + pad, top, side, size[1] - top - pad)
        high, gap = round(44 * scale), round(8 * scale)
        for k, button in enumerate((self._start, self._reset, self._back)):
            y = self._side.bottom - (3 - k) * (high + gap) + gap
            button.rect = pygame.Rect(self._side.x, y, self._side.w, high)
        self._place()

    def _place(self) -> None:
        """Put the rows where the scrolling has them."""
        scale = self.app.scale
        step, head = round(_ROW * scale), round(34 * scale)
        whole = len(self._rows) * step + len(self._heads) * head
        self._scroll = min(max(self._scroll, 0.0), max(0.0, whole - self._body.h))
        y = self._body.y - round(self._scroll)
        for field in self._rows:
            if id(field) in self._heads:
                y += head
            field.rect = pygame.Rect(self._body.x + round(10 * scale), y, self._body.w - round(34 * scale),
                                     step - round(5 * scale))  # fmt: skip
            y += step
        self._whole = whole

    def _reveal(self) -> None:
        """Scroll so that the row with the focus can be seen."""
        field = self.form.focused
        if field not in self._rows or field is None:
            return
        margin = field.rect.h + round(34 * self.app.scale)
        if field.rect.top < self._body.top + margin:
            self._scroll -= self._body.top + margin - field.rect.top
        elif field.rect.bottom > self._body.bottom - margin:
            self._scroll += field.rect.bottom - self._body.bottom + margin
        self._place()

    def draw(self, canvas: Canvas) -> None:
        """Form, help, buttons."""
        x = self._body.x
        canvas.text(f"New game of {self.game.title}", (x, canvas.px(22)), 26, bold=True)
        canvas.text(self.game.blurb, (x, canvas.px(56)), 13, palette.FAINT, within=canvas.size[0] - 2 * x)
        canvas.box(self._body, palette.PANEL, 10, palette.EDGE)
        focused = self.form.focused
        with canvas.clipped(self._body.inflate(-4, -4)):
            for field in self._rows:
                if (head := self._heads.get(id(field))) is not None:
                    canvas.text(head.upper(), (field.rect.x, field.rect.y - canvas.px(7)), 12, palette.ACCENT,
                                bold=True, anchor="bottomleft")  # fmt: skip
                if field.rect.colliderect(self._body):
                    field.draw(canvas, focused=field is focused, hovered=False)
        if self._whole > self._body.h:
            high = max(canvas.px(24), self._body.h * self._body.h // self._whole)
            y = self._body.y + round((self._body.h - high) * self._scroll / (self._whole - self._body.h))
            canvas.box(pygame.Rect(self._body.right - canvas.px(9), y, canvas.px(6), high), palette.EDGE, 3)
        for button in (self._start, self._reset, self._back):
            button.draw(canvas, focused=button is focused, hovered=button.rect.collidepoint(pygame.mouse.get_pos()))
        self._draw_side(canvas, focused)

    def _draw_side(self, canvas: Canvas, focused: object) -> None:
        side = self._side
        y, foot = side.y, self._start.rect.y - canvas.px(12)
        if isinstance(focused, Field | Button):
            y = canvas.text(focused.label, (side.x, y), 18, bold=True, within=side.w).bottom + canvas.px(6)
            y = canvas.paragraph(focused.says, pygame.Rect(side.x, y, side.w, canvas.px(130)), 15, palette.FAINT)
            name = next((name for name, field in self.options.items() if field is focused), None)
            if name is not None:
                y += canvas.px(10)
                told = f"Called {name} in the shell. May be: {self._allowed[name]}"
                y = canvas.paragraph(told, pygame.Rect(side.x, y, side.w, canvas.px(90)),
                                     14, palette.FAINT)  # fmt: skip
                y = canvas.text(
                    f"Usually: {self._defaults[name]}", (side.x, y + canvas.px(4)), 14, palette.FAINT
                ).bottom
        shown = focused.wrong if isinstance(focused, Field) and focused.wrong else self.wrong
        if shown:
            canvas.paragraph(shown, pygame.Rect(side.x, y + canvas.px(14), side.w, max(1, foot - y - canvas.px(14))),
                             15, palette.BAD, bold=True)  # fmt: skip


_WHO_SAYS = (
    "You against bots of a grade, two friends at this window, or bots alone, to be watched. Who sits where can be "
    "changed seat by seat under More."
)
_GRADE_SAYS = (
    "How steady their hands are and how far they think. The first game of a kind is best played against a beginner, "
    "who waits for you where all play at once."
)
_FRIEND_SAYS = "The name that stands on their card, and with what they have done. It may be left out."
_MORE_SAYS = "Every seat, every option of the game and of what it is played with, and at last the seed of its chance."
_SEAT_SAYS = (
    "Somebody at this window, chance alone (anything allowed), or a bot that thinks ahead with an unsteady hand, "
    "from beginner over club and expert to world class."
)
_TAKEBACKS_SAY = (
    "free: undo and redo to any turn, as among friends. Asked: the next seat says whether it lets you; "
    "a bot does as long as no points were given."
)
_COUNT_SAYS = "How many sit down. What the game allows is looked at together with its options."
_SEED_SAYS = "All chance of the game comes from this number: the same seed and the same play give the same game."


def _value(field: Field) -> str:
    assert isinstance(field, Choice | Entry)
    return field.value


def _span(allowed: str) -> tuple[int, int] | None:
    """Lowest and highest, when an option is a whole number and nothing else."""
    words = allowed.removeprefix("whole number ").split(" to ")
    if allowed.startswith("whole number ") and len(words) == 2 and all(word.lstrip("-").isdigit() for word in words):
        return int(words[0]), int(words[1])
    return None
