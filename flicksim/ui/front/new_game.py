"""The players, options and seed of a new game: everything that can be said before a game begins."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import pygame

from flicksim.base.bounds import SEED, whole
from flicksim.base.errors import BadOption, FlicksimError
from flicksim.base.seeding import Seeds
from flicksim.people import LONGEST, checked_name
from flicksim.play import open_match, parse_seat
from flicksim.players import GRADES
from flicksim.referee import Game, Option, options_of, parse_options
from flicksim.ui.frame.app import App, Screen
from flicksim.ui.frame.help import plain, written
from flicksim.ui.front.last_seats import Sat, keep_seats, last_seats
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.scroll import Scroll
from flicksim.ui.kit.widgets import Button, Checkbox, Choice, Entry, Field
from flicksim.ui.match.starting import FIRST, begin, for_beginners, people, usual_seats

SEATED = ("human", "random", *(f"bot:{grade}" for grade in GRADES))
"""Words for those who can sit down."""
SEATED_SAY = {"human": "somebody at this window", "random": "chance alone"} | {
    f"bot:{grade}": f"a bot: {grade}" for grade in GRADES
}
USUAL, HANDS = "usual", ("usual", *GRADES)
"""Hands that somebody may have at a seat."""
HANDS_SAY = {USUAL: "as usual"}
_YOU, _FRIENDS, _WATCH = WHO = ("you", "friends", "bots")
"""Choices of who plays, in one word."""
WHO_SAY = {_YOU: "you against bots", _FRIENDS: "two friends here", _WATCH: "bots; you watch"}
_NAMELESS = "a name, or none"
_ROW = 36.0


class SeatRows:
    """The rows of a seat: who sits there, with which hand, and their name.

    Args:
        named: how the seat is called. changed: told of every change.
    """

    def __init__(self, named: str, changed: Callable[[], None]) -> None:
        self.who = Choice(f"{named} is played by", SEATED, 0, changed, _SEAT_SAYS, SEATED_SAY)
        self.hand = Choice(f"{named}: hand", HANDS, 0, changed, _HAND_SAYS, HANDS_SAY)
        self.name = Entry(f"{named}: name", "", changed, _NAME_SAYS, most=LONGEST)

    def rows(self, *, flicked: bool) -> list[Field]:
        """Those that there are for whoever sits there."""
        found: list[Field] = [self.who]
        if flicked and self.who.value != "random":
            found.append(self.hand)
        return [*found, self.name] if self.who.value == "human" else found

    @property
    def word(self) -> str:
        """The seat as a word."""
        who, hand = self.who.value, self.hand.value
        if hand == USUAL or who == "random":
            return who
        grade = who.removeprefix("bot:")
        return f"human/{hand}" if who == "human" else who if grade == hand else f"bot:{hand}/{grade}"

    def take(self, word: str, name: str = "") -> None:
        """Seat somebody as a word says."""
        seat = parse_seat(word)
        bot = f"bot:{seat.thought}"
        self.who.index = SEATED.index(bot if bot in SEATED else seat.kind if seat.kind in SEATED else "human")
        own = seat.hand if seat.hand != seat.thought else USUAL
        self.hand.index = HANDS.index(own if own in HANDS else USUAL)
        self.name.text = name

    def be(self, other: SeatRows) -> None:
        """Seat the same one as at another seat."""
        self.who.index, self.hand.index, self.name.text = other.who.index, other.hand.index, other.name.text


class NewGameScreen(Screen):
    """Screen of a new game. Who plays is one choice; folded out, a row for each seat, for every option, and for the
    seed.

    Args:
        missing: why the game cannot be played in the window; empty when it can.
    """

    def __init__(self, app: App, game: Game, missing: str = "") -> None:
        super().__init__(app)
        self.game, self.missing = game, missing
        self._scroll = Scroll()
        self._body = self._side = pygame.Rect(0, 0, 0, 0)
        low, high = game.seats
        friends = app.player.profile.friends
        self.who = Choice("Who plays", WHO, 0, self._chosen, _WHO_SAYS, WHO_SAY)
        sides = tuple(" and ".join(game.seat_names[seat::2]) for seat in range(2)) if game.partners else (
            game.seat_names[: max(low, 2)] if game.flicked else ())  # fmt: skip
        self.own = Choice("You play", sides, 0, self._chosen, _OWN_SAYS) if len(sides) > 1 else None
        grades = tuple(GRADES)
        grade = FIRST if app.player.new_to(game.name) else app.preferences.grade
        self.grade = Choice("Bots are", grades, grades.index(grade), self._graded, _GRADE_SAYS)
        self._graded_as = grade
        self.friend = Entry("Your friend is", friends[0] if friends else "", self._look, _FRIEND_SAYS, most=LONGEST,
                            empty=_NAMELESS)  # fmt: skip
        self.more = Checkbox("More: seats, options, seed", False, self._look, _MORE_SAYS)
        self.count = Entry("Players", str(usual_seats(game)), self._look, _COUNT_SAYS, (low, high))
        self._all: list[SeatRows] = []
        for seat in range(high):
            named = game.seat_names[seat] if seat < len(game.seat_names) else f"Seat {seat + 1}"
            self._all.append(SeatRows(named, self._look))
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
        self._remembered()
        self._look()

    def _remembered(self) -> None:
        """Sit down as the last time; what differs from the usual seats is shown."""
        found, amiss = last_seats()
        if amiss:
            self.app.say(amiss)
        sat = found.get(self.game.name)
        if sat is None or sat.who not in WHO or not sat.seats:
            return
        self.who.index = WHO.index(sat.who)
        if self.own is not None and sat.own < len(self.own.values):
            self.own.index = sat.own
        grades = [seat.thought for seat in map(parse_seat, sat.seats) if seat.kind == "bot"]
        if grades:
            self.grade.index, self._graded_as = self.grade.values.index(grades[0]), grades[0]
        low, high = self.game.seats
        if low <= len(sat.seats) <= high:
            self.count.text = str(len(sat.seats))
            self._chosen()
            usual = [seat.word for seat in self.seats]
            names = (*sat.names, *[""] * len(sat.seats))
            for seat, word, name in zip(self.seats, sat.seats, names, strict=False):
                seat.take(word, name)
            self.more.index = int([seat.word for seat in self.seats] != usual or any(sat.names))
        self.takebacks.index = int(sat.serious)
        kept = [name for name, word in sat.options.items() if self._put(name, word)]
        if kept or sat.serious:
            self.more.index = 1

    def _put(self, name: str, word: str) -> bool:
        """Choose what an option was the last time; False where it may no longer be that."""
        field = self.options.get(name)
        try:
            parse_options(self.game, [f"{name}={word}"])
        except FlicksimError:
            return False
        if isinstance(field, Choice) and word in field.values:
            field.index = field.values.index(word)
        elif isinstance(field, Entry):
            field.text = word
        return True

    @property
    def seats(self) -> list[SeatRows]:
        """The seats at which somebody sits down."""
        low, high = self.game.seats
        many = whole(self.count.value)
        return self._all[: low if many is None else min(max(many, low), high)]

    def _chosen(self) -> None:
        """Seat everybody after who plays was chosen."""
        bot, mine = f"bot:{self.grade.value}", self.own.index if self.own is not None else 0
        pairs = self.game.partners and self.game.seats[0] == 4
        for k, seat in enumerate(self._all):
            own = k == mine or (pairs and k % 2 == mine) or (self.who.value == _FRIENDS and (k < 2 or pairs))
            seat.take("human" if own and self.who.value != _WATCH else bot)
        self._graded_as = self.grade.value
        self._look()

    def _graded(self) -> None:
        """Another grade was chosen: bots of the one before have it; what was chosen for a seat stays."""
        before, self._graded_as = f"bot:{self._graded_as}", self.grade.value
        for seat in self._all:
            if seat.who.value == before:
                seat.who.index = SEATED.index(f"bot:{self.grade.value}")
        self._look()

    def _groups(self) -> list[tuple[str, list[Field]]]:
        """The rows by what they are about."""
        who: list[Field] = [self.who]
        if self.own is not None and self.who.value != _WATCH:
            who.append(self.own)
        if self.who.value != _FRIENDS or (self.game.seats[0] > 2 and not self.game.partners):
            who.append(self.grade)
        if self.who.value == _FRIENDS:
            who.append(self.friend)
        found: list[tuple[str, list[Field]]] = [("Players", [*who, self.more])]
        if self.more.index:
            counted: list[Field] = [self.count] if self.game.seats[0] < self.game.seats[1] else []
            seats = [row for seat in self.seats for row in seat.rows(flicked=self.game.flicked)]
            found += [("Seats", [*counted, *seats, self.takebacks]), ("Options", [*self.options.values()]),
                      ("Chance", [self.seed])]  # fmt: skip
        return [(head, rows) for head, rows in found if rows]

    def _usually(self) -> None:
        """Say whose name stands at a seat where none is typed."""
        mine = self.own.index if self.own is not None else 0
        pairs = self.game.partners and self.game.seats[0] == 4
        friend = self.friend.value if self.who.value == _FRIENDS else ""
        for k, seat in enumerate(self._all):
            own = k == mine or (pairs and k % 2 == mine)
            seat.name.empty = (self.app.player.name or "you") if own else friend or _NAMELESS

    def _seat(self) -> None:
        """A row for all there is to choose; the focus stays where it was."""
        self._usually()
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
        ways = ("Up Down go through the rows", "Left Right change them", "Tab to the next part", "Esc back")
        return "   ·   ".join(ways)

    # -- what is chosen -------------------------------------------------------------------------------------------

    def _words(self) -> list[str]:
        """Options that are not at their default, as name=value."""
        values = {name: self._typed(name) for name in self.options}
        return [f"{name}={value}" for name, value in values.items() if value != self._defaults[name]]

    def _typed(self, name: str) -> str:
        """The value of an option as the shell takes it; a decimal comma does in the window."""
        word, allowed = _value(self.options[name]), self._allowed[name]
        return word.replace(",", ".") if allowed.startswith("number") and "," not in allowed else word

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
                self.seats[seat].be(self.seats[seat - 2])
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
            words = [seat.word for seat in self.seats]
            seats = [parse_seat(word) for word in words]
            options = parse_options(self.game, self._words())
            match = open_match(self.game, options, seats, int(self.seed.value))
        except FlicksimError as wrong:
            self.wrong = str(wrong)
            return
        friend = checked_name(self.friend.value) if self.who.value == _FRIENDS else ""
        if friend:
            self.app.player.change(lambda had: had.with_friend(friend))
        own, names = self.own.index if self.own is not None else 0, [checked_name(one.name.value) for one in self.seats]
        chosen = dict(word.split("=", 1) for word in self._words())
        serious = self.takebacks.index == 1
        sat = Sat(who=self.who.value, own=own, seats=tuple(words), names=tuple(names), options=chosen, serious=serious)
        if amiss := keep_seats(self.game.name, sat):
            self.app.say(amiss)
        named = people(match, self.app.player.name, [friend] if friend else [], own)
        said = {seat: name for seat, name in enumerate(names) if name and match.players[seat] is None}
        begin(self.app, match, words, serious=serious, named=named | said,
              patient=for_beginners(words))  # fmt: skip

    # -- events, picture ------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Keys and mouse; the wheel scrolls."""
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.app.pop()
            return
        if self._scroll.wheel(event, 48 * self.app.scale):
            self._place()
            return
        if event.type == pygame.KEYDOWN and event.key == pygame.K_TAB:
            self._leap(-1 if event.mod & pygame.KMOD_SHIFT else 1)
            self._reveal()
            return
        enter = event.type == pygame.KEYDOWN and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER)
        if enter and isinstance(self.form.focused, Entry):
            self.form.step(1)
            self._reveal()
            return
        inside = event.type not in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN) or self._body.collidepoint(event.pos)
        if not inside and event.type == pygame.MOUSEBUTTONDOWN and event.pos[0] < self._side.x:
            return
        if event.type == pygame.MOUSEBUTTONDOWN and self._scroll.cuts(event.pos, (row.rect for row in self._rows)):
            return
        self.form.handle(event)
        if event.type == pygame.KEYDOWN:
            self._reveal()

    def _leap(self, by: int) -> None:
        """The focus goes to the next group of rows, or the next button: none is far away."""
        widgets = self.form.widgets
        stops = [
            k for k, one in enumerate(widgets) if one.enabled and (isinstance(one, Button) or id(one) in self._heads)
        ]
        at = self.form.focus or 0
        ahead = [k for k in stops if k > at] if by > 0 else [k for k in stops[::-1] if k < at]
        self.form.focus = ahead[0] if ahead else stops[0 if by > 0 else -1]

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
        self._scroll.hold(self._body, whole)
        y = self._scroll.top
        for field in self._rows:
            if id(field) in self._heads:
                y += head
            field.rect = pygame.Rect(self._body.x + round(10 * scale), y, self._body.w - round(34 * scale),
                                     step - round(5 * scale))  # fmt: skip
            y += step

    def _reveal(self) -> None:
        """Scroll so that the row with the focus can be seen."""
        field = self.form.focused
        if field not in self._rows or field is None:
            return
        margin = field.rect.h + round(34 * self.app.scale)
        self._scroll.reveal(field.rect, margin, margin)
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
                if not self._scroll.whole(field.rect.y, field.rect.h):
                    continue
                head, y = self._heads.get(id(field)), field.rect.y - canvas.px(7)
                if head is not None and self._scroll.whole(y - canvas.high(12), canvas.high(12)):
                    canvas.text(head.upper(), (field.rect.x, y), 12, palette.ACCENT, bold=True, anchor="bottomleft")
                field.draw(canvas, focused=field is focused, hovered=False)
        self._scroll.draw(canvas, 9.0)
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
                field = self.options[name]
                told = [f"In the shell: {name}={self._typed(name)}."]
                if isinstance(field, Entry):
                    told.append(f"May be: {may_be(self._allowed[name])}.")
                if _value(field) != self._defaults[name]:
                    told.append(f"Usually: {self._defaults[name]}")
                for words in told:
                    room = pygame.Rect(side.x, y, side.w, canvas.high(14) * 4)
                    y = canvas.paragraph(words, room, 14, palette.FAINT) + canvas.px(4)
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
_OWN_SAYS = "The pieces you play with, and with them your seat at the table."
_HAND_SAYS = (
    "How steady this seat's hand is, whoever sits there: a handicap, if you like. As usual is the hand of the settings "
    "for people and a bot's own grade for bots."
)
_NAME_SAYS = "The name of whoever sits there, on their card and with what they have done. Empty: as usual."
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


def may_be(allowed: str) -> str:
    """The values that are typed for an option, in words."""
    numbers = allowed.partition(" | ")[0].split(",")
    if len(numbers) > 2:
        allowed = allowed.replace(",".join(numbers), f"{len(numbers)} × {numbers[0]}")
    return allowed.replace(" | ", " or ").replace(",number", ", number")


def _span(allowed: str) -> tuple[int, int] | None:
    """Lowest and highest, when an option is a whole number and nothing else."""
    words = allowed.removeprefix("whole number ").split(" to ")
    if allowed.startswith("whole number ") and len(words) == 2 and all(word.lstrip("-").isdigit() for word in words):
        return int(words[0]), int(words[1])
    return None
