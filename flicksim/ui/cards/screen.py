"""A match of the card wing in the window: the cloth on the left, the game in words on the right."""

from __future__ import annotations

import numpy as np
import pygame

from flicksim.base.kinds import Action, View
from flicksim.play import Background, Turn
from flicksim.players import ThumbPlayer
from flicksim.ui.cards import plates
from flicksim.ui.cards.cloth import Cloth
from flicksim.ui.cards.course import CardCourse, closed
from flicksim.ui.cards.sheet import CardEndScreen, RoundScreen
from flicksim.ui.frame.app import App
from flicksim.ui.frame.sitting import Sitting
from flicksim.ui.kit import keys, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.preferences import PACES
from flicksim.ui.kit.widgets import PRESS, Button, Widget
from flicksim.ui.match.at_table import AtTable
from flicksim.ui.match.overlays import EndScreen
from flicksim.ui.table import side_panel, standing

_LOOK = 1.4
"""Time that the table is left to be seen before the sheet of a round covers it [s]."""
_FOOT = ("sort", "colours", "sound", "pace", "undo", "hint", "help", "menu")


class CardScreen(AtTable):
    """Cards and tiles, played by keys or mouse (see `AtTable`).

    Args:
        cloth: of the game.
    """

    def __init__(self, app: App, sitting: Sitting, cloth: type[Cloth]) -> None:
        super().__init__(app, sitting)
        match = self.match
        self.preferences, self.sounds = app.preferences, app.sounds
        self.cloth = cloth(match.game, lambda seat: standing.who(match, seat), self.preferences, self.sounds)
        self.cloth.called = lambda seat: standing.name(match, seat)
        self.cloth.act, self.cloth.refuse = self._act, self._refused
        self._humans = [seat for seat, player in enumerate(match.players) if player is None]
        self.ready: int | None = self._humans[0] if len(self._humans) == 1 else None
        self._wrong = ""
        self._heard: Turn | None = None
        self._sheet: Turn | None = None
        self._right = pygame.Rect(0, 0, 0, 0)
        self._seated = Button("I am ready", self._sit, key="Enter", main=True)
        self.buttons |= {
            "sort": Button("Sort", self._sort, key="S"),
            "colours": Button("Colours", self._colours, key="C"),
            "sound": Button("Sound", self._quiet, key="F9"),
            "pace": Button("Pace", self._pace, key="F"),
        }
        # tiles have no suits
        self._foot = _FOOT if self.cloth.suited else _FOOT[2:]
        self._pause = 0.0
        self.course: CardCourse = CardCourse(match, sitting.keeper, self.preferences)
        self.course.changed = self._changed
        self._changed()

    # -- who may see what -----------------------------------------------------------------------------------------

    @property
    def veiled(self) -> bool:
        """True where the hand to be played stays hidden until its seat says that it is there."""
        return self.course.stage == "choose" and self.match.to_play != self.ready

    @property
    def viewer(self) -> int | None:
        """Seat whose hand may be shown now; None when that is nobody's."""
        if len(self._humans) == 1:
            return self._humans[0]
        turn = self.course.turn
        if self.course.stage in ("choose", "settle"):
            return self.ready if self.match.to_play == self.ready or self.course.stage == "settle" else None
        if self.course.stage == "hold" and turn is not None and turn.seat == self.ready:
            return self.ready if self.match.to_play == self.ready and closed(turn) is None else None
        return None

    def _view(self) -> View:
        """The view handed to the cloth: a seat's view, or with two seats' eyes what nobody's hand shows."""
        turn, view = self.course.turn, self.match.rules.view
        state = self.match.state
        if self.course.stage in ("hold", "over") and self.match.turns:
            turn = self.match.turns[-1]
            if closed(turn) is not None:
                state = self.cloth.laid(turn)
        seat = self.viewer
        return view(view(state, 0), 1) if seat is None else view(state, seat)

    # -- what is due ----------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        """The course has turned: show what there is to see now."""
        self.forget_hint()
        self._notice, self._wrong = "", ""
        course = self.course
        if len(self._humans) > 1 and course.stage == "choose" and self.match.to_play != self.ready:
            self.ready = None
        last = self.match.turns[-1] if self.match.turns else None
        if course.stage == "hold" and course.turn is not None and course.turn is not self._heard:
            self._heard = course.turn
            if closed(course.turn) is not None:
                self._pause = _LOOK * self.preferences.wait
            self.cloth.heard(course.turn)
            self._fly(course.turn)
        choosing = course.stage == "choose" and not self.veiled
        fresh = last is not None and (closed(last) is None or course.stage in ("hold", "over"))
        self.cloth.show(self._view(), self.viewer, choosing=choosing, made=last.made if last and fresh else None)
        self._compose()

    def _fly(self, turn: Turn) -> None:
        """Let what a turn has brought fly to where it counts, unless all is played at once."""
        won = self.cloth.won(turn) if self.preferences.wait else []
        for words, begin, end in won:
            self.effects.fly(words, None, begin, end)
        if won:
            self.sounds.play("chime", 0.5)

    def _ask(self) -> None:
        """Show the sheet of a round that was closed, or of the game."""
        course = self.course
        turn = course.turn
        if self._pause > 0.0 and self.app.top is self:
            return
        if course.stage == "hold" and turn is not None and turn is not self._sheet and closed(turn) is not None:
            self._sheet = turn
            if not turn.verdict.ruling.over:
                self.app.push(RoundScreen(self.app, self.match, self.cloth, turn, course.begin, self.undo))
        elif self.beside is not None:
            self.beside.seen(course.seen, quiet=course.quiet)
        elif course.stage == "over" and not self._asked:
            self._asked = True
            if self.match.forfeit is not None:  # in mid-round: there is no sheet of it
                self.app.push(EndScreen(self.app, self.match, self._again, self.undo))
            else:
                self.app.push(CardEndScreen(self.app, self.match, self.cloth, self._again, self.undo))

    def _compose(self) -> None:
        """Make the widgets of this moment."""
        named = self.buttons
        named["undo"].enabled = self.takes_back
        named["hint"].enabled = self.course.stage == "choose" and not self.veiled
        named["sort"].label = "Sort by suit" if not self.preferences.by_suit else "Sort by rank"
        named["colours"].label = "4 colours" if not self.preferences.four else "2 colours"
        named["pace"].label = f"Pace: {PACES[self.preferences.pace][1]}"
        focused = self.form.focused
        due: list[Widget] = [self._seated] if self.veiled else list(self.cloth.buttons())
        self.form.widgets = [*due, *(named[name] for name in self._foot)]
        self.form.focus = self.form.widgets.index(focused) if focused in self.form.widgets else None
        self.app.lay(self)

    # -- doing ----------------------------------------------------------------------------------------------------

    def _act(self, action: Action) -> None:
        self._notice = ""
        if self.course.stage != "choose" or self.veiled:
            return
        if not self.course.act(action):
            self._refused(self.course.wrong)

    def _refused(self, why: str) -> None:
        self._wrong, self._notice = why, ""

    def _sit(self) -> None:
        """The seat to act is there: show its hand."""
        self.ready = self.match.to_play
        self._changed()

    def _sort(self) -> None:
        self.preferences.by_suit = not self.preferences.by_suit
        self.app.renew()
        self._again_shown()

    def _colours(self) -> None:
        self.preferences.four = not self.preferences.four
        self.app.renew()
        self._again_shown()

    def _quiet(self) -> None:
        self.app.hush()

    def _again_shown(self) -> None:
        cloth = self.cloth
        cloth.show(cloth.view, cloth.seat, choosing=cloth.choosing, made=cloth.made)
        self._compose()

    def _pace(self) -> None:
        self._notice = f"The others play: {self.preferences.faster()}."
        self.app.renew()
        self._compose()

    def after_undo(self) -> None:
        """The sheets of rounds are shown again."""
        self._sheet = None

    def ask_hint(self) -> None:
        """Ask a club player, who is told no more than this seat sees."""
        seat = self.match.to_play
        if self.course.stage != "choose" or self.veiled or seat is None or self.asked is not None:
            return
        player = ThumbPlayer(self.match.game.bot)
        rng = np.random.Generator(np.random.PCG64(len(self.match.turns)))
        view = self.match.rules.view(self.match.state, seat)
        choices = self.match.rules.choices(view)
        self.asked = Background(lambda: player.choose(view, choices, rng))

    def _hinted(self, action: Action) -> None:
        self._notice = f"A club player would: {standing.said(self.cloth.take(action))}."
        self._compose()

    # -- events ---------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Keys, mouse."""
        if event.type == pygame.KEYDOWN:
            self._key(event)
            return
        if event.type == pygame.MOUSEMOTION:
            self.form.handle(event)
            self.cloth.mouse(event)
            return
        if self.form.handle(event):
            if event.type == pygame.MOUSEBUTTONUP:
                self.form.focus = None  # a button pressed by mouse gives the keys back to the hand
            return
        if self.cloth.mouse(event):
            self.form.focus = None
            if event.type == pygame.MOUSEBUTTONDOWN:
                self._wrong = self._notice = "" if self.course.stage == "choose" else self._wrong
            self._compose()

    def _key(self, event: pygame.event.Event) -> None:
        if event.key == pygame.K_ESCAPE:
            self.menu()
            return
        if event.key == pygame.K_TAB or (self.form.focus is not None and event.key in PRESS):
            self.form.handle(event, out=True)
            return
        if keys.meant(event) in ("help", "undo", "redo"):
            self.common(event)
            return
        if self.veiled and event.key in PRESS:
            self._sit()
            return
        if self.cloth.choosing and event.key in _ARROWS:
            self.form.focus = None
        stage = self.course.stage
        if stage == "choose" and not self.veiled:
            self._wrong = ""
            if self.cloth.key(event):
                if self.course.stage == "choose":
                    self._compose()
                return
        letters = {"sort": self._sort, "colours": self._colours, "pace": self._pace}
        word = self.cloth.keys.plus(_SUITS, _PACE).pressed(event)[0]
        if word in letters:
            if self.cloth.suited or word == "pace":
                letters[word]()
        else:
            self.common(event)

    def own_keys(self) -> tuple[keys.Keys, ...]:
        """The keys of this cloth."""
        return (all_keys(self.cloth),)

    @property
    def hintable(self) -> bool:
        """Not before the one whose hand it is sits there."""
        return super().hintable and not self.veiled

    def may(self) -> list[str]:
        """Choose and play, or say that one is there."""
        return ["Enter: I am ready"] if self.veiled else ["Arrows choose", "Enter plays, or drag with the mouse"]

    # -- time and picture -----------------------------------------------------------------------------------------

    def update(self, dt: float) -> None:
        """Let time go on."""
        super().update(dt)
        self.course.update(dt)
        self.cloth.update(dt)
        self.buttons["sound"].label = "Sounds on" if self.preferences.quiet else "Mute"
        self.hear_hint()
        self._pause -= dt
        self._ask()

    @property
    def area(self) -> pygame.Rect:
        """Rectangle of the cloth [pixels]."""
        return self.cloth.middle

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Cloth on the left, the game on the right."""
        w, h = size
        pad, right = round(14 * scale), round(330 * scale)
        self._right = pygame.Rect(w - right, 0, right, h)
        self.cloth.place(pygame.Rect(0, 0, w - right, h), scale)
        inner = self._right.inflate(-2 * pad, -2 * pad)
        high, gap = round(32 * scale), round(5 * scale)
        wide = (inner.w - gap) // 2
        for k, name in enumerate(self._foot):
            rows = len(self._foot) // 2
            y = inner.bottom - (rows - k // 2) * (high + gap) + gap
            self.buttons[name].rect = pygame.Rect(inner.x + (k % 2) * (wide + gap), y, wide, high)
        self._place_due(inner, scale)

    def _place_due(self, inner: pygame.Rect, scale: float) -> None:
        """The buttons of this turn, in two columns under what is due; the main one as wide as both."""
        if self.veiled:
            w, h = round(300 * scale), round(46 * scale)
            cloth = self.cloth.rect
            # where the hand would be, so that the table can be looked at meanwhile
            self._seated.rect = pygame.Rect(cloth.centerx - w // 2, cloth.bottom - h - round(22 * scale), w, h)
            return
        high, gap = round(34 * scale), round(5 * scale)
        y, column = inner.y + round(178 * scale), 0
        wide = (inner.w - gap) // 2
        for button in self.cloth.buttons():
            if button.main:
                button.rect = pygame.Rect(inner.x, y, inner.w, high)
                y += high + gap
            else:
                button.rect = pygame.Rect(inner.x + column * (wide + gap), y, wide, high)
                y += (high + gap) * column
                column = 1 - column

    def draw(self, canvas: Canvas) -> None:
        """Cloth, words, buttons."""
        with canvas.clipped(self.cloth.rect):
            self.cloth.draw(canvas)
            if self.veiled:
                self._draw_veil(canvas)
        self._draw_right(canvas)
        self.form.draw(canvas)

    def _draw_veil(self, canvas: Canvas) -> None:
        seat = self.match.to_play
        assert seat is not None
        box = self._seated.rect.inflate(canvas.px(160), 0).clip(self.cloth.rect)
        box.h = canvas.px(138)
        box.bottom = self._seated.rect.bottom + canvas.px(12)
        canvas.box(box, palette.PANEL, 12, palette.ACCENT)
        name = standing.name(self.match, seat)
        canvas.text(f"Pass to {name}", (box.centerx, box.y + canvas.px(10)), 26, bold=True, anchor="midtop")
        canvas.text(f"The hand stays hidden until {name} presses Enter.", (box.centerx, box.y + canvas.px(48)), 14,
                    palette.FAINT, anchor="midtop", within=box.w - canvas.px(20))  # fmt: skip

    def _draw_right(self, canvas: Canvas) -> None:
        canvas.box(self._right, palette.PANEL)
        pad = canvas.px(14)
        rect = self._right.inflate(-2 * pad, -2 * pad)
        foot = self.buttons[self._foot[0]].rect.y - canvas.px(10)
        y = side_panel.heading(canvas, rect, self.match.game.title, self.cloth.stretch())
        says, note, wrong = self._says()
        room = pygame.Rect(rect.x, y, rect.w, canvas.px(138))
        with canvas.clipped(room):
            self._draw_now(canvas, room, says, note, wrong)
        bottoms = [widget.rect.bottom for widget in self.form.widgets if widget in self.cloth.buttons()]
        y = max([room.bottom, *bottoms] if not self.veiled else [room.bottom]) + canvas.px(10)
        last = self.course.last
        high = max(canvas.px(60), (foot - y) * 6 // 10)
        y = side_panel.ruling(canvas, pygame.Rect(rect.x, y, rect.w, min(high, foot - y)), self.match, last)
        self._draw_recent(canvas, pygame.Rect(rect.x, y, rect.w, foot - y))

    def _draw_now(self, canvas: Canvas, rect: pygame.Rect, says: str, note: str, wrong: str) -> None:
        """Draw what is due; what was wrong comes first, so that it is never cut off."""
        y = side_panel.caption(canvas, rect, "Now")
        if wrong:
            y = canvas.paragraph(wrong, pygame.Rect(rect.x, y, rect.w, canvas.px(80)), 14, palette.BAD, bold=True)
            y += canvas.px(3)
        y = canvas.paragraph(says, pygame.Rect(rect.x, y, rect.w, max(1, rect.bottom - y)), 15, bold=True)
        y += canvas.px(3)
        if note and rect.bottom - y > canvas.high(13) // 2:
            canvas.paragraph(note, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), 13, palette.GOOD)

    def _draw_recent(self, canvas: Canvas, rect: pygame.Rect) -> None:
        if rect.h < canvas.px(34):
            return
        y = side_panel.caption(canvas, rect, "Moves")
        step = canvas.high(13) + canvas.px(2)
        for turn in reversed(self.match.turns):
            if y + step > rect.bottom:
                break
            name = standing.name(self.match, turn.seat)
            plates.badge(canvas, (rect.x + canvas.px(7), y + step // 2), step * 0.42, turn.seat, name)
            line = standing.told(self.match, standing.line(self.match.game, turn))
            canvas.text(line, (rect.x + canvas.px(18), y), 13, palette.FAINT,
                        within=rect.w - canvas.px(18))  # fmt: skip
            y += step

    def _says(self) -> tuple[str, str, str]:
        """The lines at the side: what is due, a note, and what is wrong."""
        course, match, seat = self.course, self.match, self.match.to_play
        wrong = self._wrong or course.unkept
        match course.stage:
            case "choose" if self.veiled and seat is not None:
                return f"Pass to {standing.name(match, seat)} - press Enter when ready.", "", wrong
            case "choose":
                note = "A club player is asked ..." if self.asked is not None else self._notice or self.cloth.lacks()
                return standing.due(match, self.cloth.choices.says), note, wrong
            case "think" if seat is not None:
                return f"{standing.name(match, seat)} is thinking ...", self._notice or self.bots_wait, wrong
            case "settle" | "hold" if course.turn is not None:
                reasons = course.turn.verdict.reasons
                return (standing.told(match, reasons[0].says) if reasons else ""), self._notice, wrong
            case "stuck":
                return "The game cannot go on.", "", course.wrong
        return (standing.told(match, course.says) if match.over else ""), self._notice, wrong


_SUITS = keys.Key("S   C", "sort the hand by rank or suit; four colours", ("sort", "colours"))
_PACE = keys.Key("F", "how fast the others play: calm, brisk, at once", ("pace",))


def all_keys(cloth: type[Cloth] | Cloth) -> keys.Keys:
    """All keys at a cloth."""
    return cloth.keys.plus(*((_SUITS, _PACE) if cloth.suited else (_PACE,)))


_ARROWS = (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN)
