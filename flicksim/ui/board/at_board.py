"""The common part of tables at which pieces are aimed and decisions are taken from a list: board and mat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import pygame

from flicksim.base.geometry import Point
from flicksim.base.kinds import Action
from flicksim.play import Turn, Warming
from flicksim.players import Hand
from flicksim.ui.frame.app import App
from flicksim.ui.frame.sitting import Sitting
from flicksim.ui.kit import keys, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.widgets import PRESS, Button, ListBox, Widget
from flicksim.ui.match.at_table import AtTable
from flicksim.ui.table import afterwards, effects, gestures, moments, standing
from flicksim.ui.table.as_button import AsButton
from flicksim.ui.table.calm import Calm, Spread, spread_of
from flicksim.ui.table.deciding import Decision, decisions
from flicksim.ui.table.hinting import hint, own
from flicksim.ui.table.view import TableView

_GRACE = 1.0
"""So soon after a turn has come up, an aim that nobody has touched is not shot by a key [s]."""


class Aimed(Protocol):
    """A hand at the table: keys and mouse become an aim."""

    @property
    def aim(self) -> object | None:
        """The aim; None when nothing may be."""

    @property
    def meant(self) -> Action:
        """The shot as it is aimed now; None when nothing is."""

    def renew(self) -> None:
        """Take up what may be aimed now."""

    def leave(self) -> None:
        """Nothing is aimed now."""

    def key(self, event: pygame.event.Event) -> bool:
        """Take a key; true where it changed the aim."""

    def cancel(self) -> bool:
        """Stop pulling; whether one was."""

    @property
    def pulling(self) -> bool:
        """True while the mouse draws back."""

    @property
    def here(self) -> Point | None:
        """Point at which the piece in hand is struck [m]."""

    def held_by(self, calm: Calm, *, chosen: bool) -> None:
        """Give flicks by this hand; chosen: whether somebody has set the aim."""


class AtBoard(AtTable):
    """A match in which pieces are flicked from where they lie and something may have to be decided (see `AtTable`)."""

    SHOWING: Sequence[str] = ("pause", "step", "slow", "skip")
    """Buttons while a shot is shown, by name."""
    DOES = "flick"
    """Word for what is done with an aim."""
    ALWAYS: Sequence[str] = ("undo", "hint", "help", "fold", "menu")
    """Buttons that are always there."""

    def __init__(self, app: App, sitting: Sitting) -> None:
        super().__init__(app, sitting)
        self.decisions: tuple[Decision, ...] = ()
        self.wrong = ""
        self.calm = Calm(app.preferences.gesture)
        self._given = (0, "")
        """Number of the last turn given at the window, and how the hand gave it."""
        self._due = 0.0
        """Time that something has been due [s]."""
        self._as_button = AsButton(self.mouse)
        self._taken = False
        """True once the aim has been taken in hand."""
        self._left = self._right = pygame.Rect(0, 0, 0, 0)
        self._list = ListBox("Decide", [], picked=self._picked, row=26.0)
        self.buttons |= {
            "decide": Button("Do it", lambda: self._picked(self._list.index), key="Enter", main=True),
            "on": Button("Go on", self._go_on, key="Space", main=True),
        }

    # -- what each table brings -----------------------------------------------------------------------------------

    @property
    def aimed(self) -> Aimed:
        """Its hand."""
        raise NotImplementedError

    @property
    def seen(self) -> TableView:
        """View of the table."""
        raise NotImplementedError

    def flick(self) -> None:
        """Make the shot that is aimed."""
        raise NotImplementedError

    def mouse(self, event: pygame.event.Event) -> None:
        """Take an event that is for no widget."""
        raise NotImplementedError

    def turned(self) -> None:
        """The aim has been changed by a key."""
        self._notice = self.wrong = ""
        self._taken = True

    def own_key(self, event: pygame.event.Event) -> bool:
        """Take a key; true where it is one that only this table has."""
        del event
        return False

    def let_go(self) -> bool:
        """Esc: give up what only this table has; whether there was anything."""
        return False

    def aiming(self) -> list[Widget]:
        """Widgets while something is aimed."""
        raise NotImplementedError

    def lines(self) -> list[str]:
        """The decisions as they stand in the list."""
        return [decision.short for decision in self.decisions]

    def head(self, canvas: Canvas) -> int:
        """Write the game on the right, down to what is due. Returns where it ends [pixels]."""
        raise NotImplementedError

    def take(self, action: Action) -> bool:
        """Aim as somebody else would; False when that is no shot."""
        raise NotImplementedError

    def ready(self) -> None:
        """Wait until shots can be made; called beside the window."""

    def took_up(self) -> None:
        """The course has turned, and what may be done now is known."""

    def giving(self) -> str:
        """Way in which the shot is given, for the line at the foot."""
        how = {
            "pull": f"Space {self.DOES}s, or pull back with the mouse",
            "hold": "hold Space, or pull back with the mouse, and let go at the top",
            "flick": "two beats of Space, or a stroke of the mouse through the piece",
        }
        return how[self.calm.gesture]

    # -- what is due ----------------------------------------------------------------------------------------------

    @property
    def deciding(self) -> bool:
        """True while a decision is due and no shot."""
        return bool(self.decisions) and self.aimed.aim is None

    def _changed(self) -> None:
        """The course has turned: take up what may be done now."""
        self.forget_hint()
        self.forget_cloud()
        self._notice, self.wrong, self.decisions = "", "", ()
        self._due, self._taken = 0.0, False
        self.calm.forget()  # a flick that was begun was meant for what lay there before
        if self.course.stage == "choose":
            self.aimed.renew()
            self.decisions = decisions(self.match)
        else:
            self.aimed.leave()
        if self.course.stage == "hold" and self.course.turn is not None:
            self._won(self.course.turn)
        self._list.show(self.lines(), self._first())
        self.took_up()
        self._compose()

    def _first(self) -> int:
        """Number of the decision that is chosen to begin with."""
        return 0

    def _compose(self) -> None:
        """Make the widgets of this moment."""
        named, course = self.buttons, self.course
        widgets: list[Widget] = []
        if course.stage == "choose" and self.aimed.aim is not None:
            widgets = self.aiming()
        elif course.stage == "show":
            widgets = [named[k] for k in self.SHOWING]
        elif course.waits:
            widgets = [named["on"]]
        if self.decisions:
            widgets = [*widgets, self._list, named["decide"]]
        named["undo"].enabled = self.takes_back
        named["hint"].enabled = self.helps and course.stage == "choose"
        focused = self.form.focused
        self.form.widgets = [named["fold"]] if self.folded else [*widgets, *(named[k] for k in self.ALWAYS)]
        self.form.focus = self.form.widgets.index(focused) if focused in self.form.widgets else None
        if self.deciding:
            self.form.focus = self.form.widgets.index(self._list)
        self.app.lay(self)

    @property
    def folded(self) -> bool:
        """True while the panels are away; not while a decision is due."""
        return super().folded and not self.decisions

    def composed(self) -> None:
        """Put together anew what there is to be seen."""
        self._compose()

    @property
    def spread(self) -> Spread | None:
        """Spread of shots that are aimed so, made by the hand as calm as it is; None: just where they are aimed."""
        return self.calm.spread(own(self.steadiness))

    def _act(self, action: Action) -> None:
        """Do it with the hand as calm as it is, or keep why it cannot be done."""
        self._given = (len(self.match.turns) + 1, afterwards.given(self.calm))
        self.make(action, self.calm.hand(own(self.steadiness)))
        self.calm.forget()

    def make(self, action: Action, hand: Hand) -> bool:
        """Have a flick made by a hand; False, with the reason told, where it is refused."""
        done = super().make(action, hand)
        if not done:
            self.wrong = self.course.wrong
        return done

    @property
    def told(self) -> str:
        """The last flick of a person told: how far the hand was off, and how it was given; empty while it is made."""
        number, given = self._given
        if self.course.stage == "settle" or self.follows:
            return ""
        if not 0 < number <= len(self.match.turns):
            return self.beside.told if self.beside is not None else ""
        return afterwards.told(self.match.turns[number - 1], given)

    def _picked(self, index: int) -> None:
        if index < len(self.decisions):
            self._act(self.decisions[index].action)

    def ask_hint(self) -> None:
        """Ask a club player; the aim is set as that player would."""
        seat = self.match.to_play
        if self.course.stage == "choose" and seat is not None and self.asked is None:
            self.asked = hint(self.match, seat, self.ready)

    def _hinted(self, action: Action) -> None:
        if self.take(action):
            self._taken = True
            self.show_cloud(action)
            self._notice = f"So a club player would aim. Change it as you like, then {self.DOES}."
            return
        for k, decision in enumerate(self.decisions):
            if decision.action == action:
                self._list.go(k)
                self._notice = "So a club player would decide."

    def _go_on(self) -> None:
        self.course.go_on()

    # -- events, time ---------------------------------------------------------------------------------------------

    def _click_away(self, event: pygame.event.Event) -> None:
        """A button pressed by mouse gives the keys back to the table."""
        if event.type == pygame.MOUSEBUTTONUP and self.form.focused is not self._list:
            self.form.focus = None

    @staticmethod
    def _plain(event: pygame.event.Event) -> bool:
        """True for a key that widgets use."""
        return event.key in (*PRESS, pygame.K_UP, pygame.K_DOWN, pygame.K_LEFT, pygame.K_RIGHT, pygame.K_HOME,
                             pygame.K_END, pygame.K_PAGEUP, pygame.K_PAGEDOWN)  # fmt: skip

    def handle(self, event: pygame.event.Event) -> None:
        """Keys, mouse."""
        if event.type == pygame.KEYDOWN:
            self._key(event)
        elif event.type == pygame.KEYUP:
            self._let_go(event)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self.calm.forget()
            self.aimed.cancel()
        elif self.form.handle(event):
            self._click_away(event)
        else:
            self.mouse(event)

    def _let_go(self, event: pygame.event.Event) -> None:
        """A key came up: the flick is given by it, or the mouse is let go of it."""
        if event.key in PRESS and self.calm.release() and self.course.stage == "choose":
            self.flick()
        else:
            self._as_button.release(event)

    def _went_on(self, event: pygame.event.Event) -> bool:
        """A click on the table gives the keys back to it, and goes on where it waits; whether it did."""
        if event.type != pygame.MOUSEBUTTONDOWN or event.button != 1 or not self.seen.holds(event.pos):
            return False
        self.form.focus = None
        waited = self.course.waits
        if waited:
            self._go_on()
        return waited

    def _key(self, event: pygame.event.Event) -> None:
        aiming = self.course.stage == "choose" and self.aimed.aim is not None
        if event.key == pygame.K_ESCAPE:
            if self.aimed.cancel() or self.calm.forget() or self.let_go():
                return
            self.menu()
            return
        for_form = event.key == pygame.K_TAB or (self.form.focus is not None and self._plain(event))
        if for_form and self.form.handle(event, out=aiming or not self.decisions):
            return
        if keys.meant(event) in ("help", "undo", "redo"):
            self.common(event)
        elif aiming and self.aimed.key(event):
            self.turned()
        elif aiming and self._as_button.press(event, self.seen.area):
            return
        elif not self.own_key(event) and not self.seen.handle(event):
            self._letter(event)

    def _letter(self, event: pygame.event.Event) -> None:
        """A key that is for no widget and no aim."""
        if self.common(event) or event.key not in PRESS:
            return
        if self.course.waits:
            self._go_on()
        elif self.course.stage == "choose" and self.deciding:
            self._picked(self._list.index)
        elif self.course.stage == "choose" and self._late:
            self._notice = f"Your turn. Aim, then Space to {self.DOES}."
        elif self.course.stage == "choose" and self.calm.press():
            self.flick()

    @property
    def _late(self) -> bool:
        """True where a key may have been meant for what was shown before: nothing is shot by it."""
        return bool(self.match.turns) and not self._taken and self._due < _GRACE

    @property
    def moves(self) -> bool:
        """True while anything is seen to move, and while the hand grows calm or tired."""
        return super().moves or self.calm.changing or self.aimed.pulling

    def update(self, dt: float) -> None:
        """Let time go on."""
        super().update(dt)
        self.course.update(dt)
        self._due += dt
        self.calm.gesture = self.app.preferences.gesture
        self.aimed.held_by(self.calm, chosen=self._taken)
        self.calm.update(
            self.aimed.meant if self.course.stage == "choose" else None, dt, drawn=self.aimed.pulling
        )  # fmt: skip
        self.hear_hint()
        if self.beside is not None:
            self.beside.told = self.told
        self.end()
        playback = self.course.playback
        if playback is not None:
            self.buttons["pause"].label = "Go on" if playback.paused else "Pause"
        self._lay_decisions()
        self.asked_to_own_up()

    # -- what comes and goes --------------------------------------------------------------------------------------

    def _won(self, turn: Turn) -> None:
        """Let what a turn has won fly to where it counts."""
        for seat, words, at in moments.won(turn, lambda seat: _signed(turn, seat)):
            end = self.course.scores_at.get(seat)
            if end is not None:
                key = palette.seat_key(seat, self.match.game.seat_names)
                self.effects.fly(words, key, self.seen.camera.to_screen(at), end)
                self.app.sounds.play("chime", 0.6)

    def hold_ready(self, canvas: Canvas, shot: Action) -> None:
        """Show a piece that a shot brings in from the hand, where it is put first."""

    @property
    def warmed(self) -> Warming:
        """Work that makes shots ready."""
        raise NotImplementedError

    @property
    def awaited(self) -> str:
        """Thing that is waited for just now: the compiler where it is at work."""
        waits = super().awaited
        if not waits:
            return ""
        first, stop, _ = self.warmed.says.partition(". ")
        return first + stop.rstrip() or waits

    def under(self, canvas: Canvas) -> None:
        """The map of the best flick, before the pieces are drawn."""
        if self.course.stage in ("think", "choose"):
            self.insight.draw_under(canvas, self.seen.camera)

    def over(self, canvas: Canvas) -> None:
        """The aim of a bot, sparks, what was close; then as over every table."""
        course, view = self.course, self.seen
        with canvas.clipped(view.area):
            here = self.aimed.here
            if course.stage == "choose" and self.calm.swung is not None and here is not None:
                effects.meter(canvas, view.camera.to_screen(here), gestures.swing(self.calm.swung))
            if course.stage == "settle" or course.aimed is not None:
                self.hold_ready(canvas, course.pending if course.stage == "settle" else course.aimed)
            if course.aimed is not None and self.match.to_play is not None:
                self._draw_aimed(canvas, self.match.to_play)
            if course.stage == "show" and course.playback is not None and not course.calm:
                effects.sparks(canvas, view.camera, effects.met(course.playback.motion, course.playback.t))
            if course.stage in ("think", "choose"):
                self.insight.draw_over(canvas, view.camera)
        if course.playback is not None and course.stage == "show" and course.playback.slowed:
            effects.slowly(canvas, view.clear)
        super().over(canvas)

    def _draw_aimed(self, canvas: Canvas, seat: int) -> None:
        """The fan of a bot that aims, drawn out little by little."""
        way = self.way(self.course.aimed)
        if way is not None:
            tint = palette.seat_colour(palette.seat_key(seat, self.match.game.seat_names))
            share = 1.0 if self.course.calm else self.course.drawn
            effects.drawn_out(canvas, self.seen.camera, way, spread_of(self.match.hands[seat]), tint, share)

    # -- picture --------------------------------------------------------------------------------------------------

    def inner(self, canvas: Canvas) -> pygame.Rect:
        """The game on the right, without its margin and down to the buttons [pixels]."""
        pad = canvas.px(14)
        rect = self._right.inflate(-2 * pad, -2 * pad)
        rect.h = self.buttons["undo"].rect.y - canvas.px(10) - rect.y
        return rect

    def _lay_decisions(self) -> None:
        """Put the list of decisions under what is due, however many lines that takes."""
        if not self.decisions:
            return
        canvas = Canvas(pygame.Surface((1, 1)), self.app.scale)  # nobody sees it: only where words end is asked
        rect, y = self.inner(canvas), self.head(canvas)
        high = min(canvas.px(26) * len(self.decisions) + 4, max(canvas.px(60), (rect.bottom - y) // 3))
        self._list.rect = pygame.Rect(rect.x, y, rect.w, high)
        self.buttons["decide"].rect = pygame.Rect(rect.x, y + high + canvas.px(6), rect.w, canvas.px(34))

    def below(self, canvas: Canvas, head: int) -> int:
        """Height at which the game on the right goes on under the decisions, when its head ends there [pixels]."""
        return self._list.rect.bottom + canvas.px(50) if self.decisions else head


def _signed(turn: Turn, seat: int) -> str:
    """The points a turn gave to a seat, as they are written."""
    points = turn.verdict.ruling.points[seat]
    return f"{'+' if points > 0 else ''}{standing.number(points)}"
