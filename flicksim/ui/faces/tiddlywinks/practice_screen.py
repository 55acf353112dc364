"""Practice in the window: set it up, aim, shoot once to see it or many times to count it."""

from __future__ import annotations

import secrets

import pygame

from flicksim.base.bounds import whole
from flicksim.base.units import mm
from flicksim.drawing import Camera
from flicksim.games import load
from flicksim.play import SQUIDGES, WINKS, Match, Warming
from flicksim.players import GRADES, Hand
from flicksim.referee import Game
from flicksim.table import Squidge
from flicksim.ui.faces.tiddlywinks import flight, stroke
from flicksim.ui.faces.tiddlywinks.keys import PRACTISED
from flicksim.ui.faces.tiddlywinks.knobs import DIALS, PILED
from flicksim.ui.faces.tiddlywinks.pose import at_rest
from flicksim.ui.faces.tiddlywinks.practice import FARTHEST, Drill, Series, Tally, hand_of
from flicksim.ui.faces.tiddlywinks.shooter import WinkShooter
from flicksim.ui.faces.tiddlywinks.view import WinkView
from flicksim.ui.frame.app import App, Screen
from flicksim.ui.frame.help import HelpScreen
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.keys import listed, meant
from flicksim.ui.kit.knob import Knob
from flicksim.ui.kit.widgets import PRESS, Button, Choice, Entry, Widget
from flicksim.ui.table import effects, gestures, shot_box, slingshot
from flicksim.ui.table.as_button import AsButton
from flicksim.ui.table.calm import Calm
from flicksim.ui.table.listening import heard
from flicksim.ui.table.playback import Playback
from flicksim.ui.table.side_panel import caption

_EXACT = "exact"
"""Not a hand: it makes just the flick that is aimed, for study."""
HANDS = (_EXACT, *reversed(GRADES))
_HIT, _MISSED = "Hit.", "Missed."


class PracticeScreen(Screen):
    """A drill, the aim, and the tally.

    Args:
        drill: what to begin with. warming: of the physics.
    """

    def about(self) -> Game | None:
        """The game whose words are used."""
        return self.match.game

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        giving = {"pull": "Space, or pull back with the mouse", "hold": "hold Space, let go at the top",
                  "flick": "two beats of Space, or a stroke"}[self.calm.gesture]  # fmt: skip
        ways = ["Arrows aim and push", "W S rise", "O aims at the target", f"once: {giving}", "N shoots many"]
        return "   ·   ".join([*ways, "Tab goes through the numbers", "? help", "Esc back"])

    def __init__(self, app: App, drill: Drill | None = None, warming: Warming = WINKS) -> None:
        super().__init__(app)
        self.warming, self.drill = warming, drill or Drill()
        warming.begin()
        SQUIDGES.begin()
        self.tally, self.series = Tally(), None  # type: tuple[Tally, Series | None]
        self.playback: Playback | None = None
        self.calm = Calm(app.preferences.gesture)
        self._as_button = AsButton(self._mouse)
        self._taken = False
        """True once the aim has been taken in hand."""
        self.notice, self.wrong = "", ""
        self._one = False
        self.match = self._laid()
        self.view = WinkView(self.match.game.seat_names, self.match.state.scene.surface)
        self.view.rulers = True
        self.shooter = WinkShooter(self.match, self.view)
        self._target = Choice("Target", ("pot", "wink"), int(self.drill.target == "wink"), self._set, "What to hit.")
        self._kind = Choice("Your wink", ("small", "large"), int(self.drill.kind == "large"), self._set, "Its size.")
        self._far = Entry(
            "Distance [mm]", f"{self.drill.distance * 1000:.0f}", self._set, "Middle to middle.", (20, 950)
        )
        self._hand = Choice("Hand", HANDS, HANDS.index("club"), self._set, "Errs as at the table; exact is for study.")
        self._many = Entry("Shots", "100", None, "How many at one go.", (1, 5000))
        self.knobs = [
            Knob(dial, lambda: self.shooter.aim, self.shooter.look) for dial in DIALS if dial.name not in PILED
        ]
        self._buttons: dict[str, Button] = {
            "once": Button("Shoot once", self.once, key="Space", main=True),
            "many": Button("Shoot many", self.many, key="N"),
            "pot": Button("Aim at the target", self.aim, key="O"),
            "clear": Button("Clear", self.forget, key="C"),
            "back": Button("Back", app.pop, key="Esc"),
        }
        fields: list[Widget] = [self._target, self._kind, self._far, self._hand, self._many]
        self.fields = fields
        self.form = Form([*fields, *self.knobs, *self._buttons.values()], None, arrows=True)
        self._right = self._left = self._frame = pygame.Rect(0, 0, 0, 0)
        self.aim()

    # -- setting it up --------------------------------------------------------------------------------------------

    def _set(self) -> None:
        """The drill has been changed: begin it, or say what is wrong."""
        if not hasattr(self, "fields"):
            return
        far, most = self._far.value, FARTHEST[self._target.value]
        self._far.wrong = self.wrong = ""
        mms = whole(far)
        if mms is None or not 20 <= mms <= most:
            self._far.wrong = self.wrong = f"distance {far!r} must be a whole number of mm, 20 to {most}"
            return
        target, kind = self._target.value, self._kind.value
        drill = Drill("wink" if target == "wink" else "pot", "large" if kind == "large" else "small", mm(float(mms)))
        if drill == self.drill:
            return
        self.drill = drill
        self.forget()
        self.match = self._laid()
        self.shooter = WinkShooter(self.match, self.view)
        self.aim()

    def aim(self) -> None:
        """Aim at the target."""
        if self.shooter.aim is None:
            self.shooter.renew()
        if self.drill.target == "pot":
            reached = self.shooter.at_pot()
        else:
            prey = next(piece for piece in self.shooter.scene.pieces if piece.id != self.drill.wink)
            reached = self.shooter.aim_at(prey.id, prey.at, prey.highest)
        self.notice = "" if reached else "It cannot be reached like this."
        self.view.release()

    def forget(self) -> None:
        """Forget all shots."""
        self.stop()
        self.tally, self.playback, self.series = Tally(), None, None

    def stop(self) -> None:
        """End a series."""
        if self.series is not None:
            self.series.stop()

    # -- shooting -------------------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """True while shots are under way."""
        return self.series is not None and not self.series.done

    def _laid(self) -> Match:
        """The match of the drill; its shots are made with what is there."""
        match = self.drill.match()
        match.settled_by(self.warming.stage(match.stage))
        return match

    @property
    def hand(self) -> Hand:
        """The hand that is practised."""
        return hand_of(self._hand.value)

    def once(self, made: Squidge | None = None) -> None:
        """One shot, to be seen, made as calmly as the gesture was given."""
        self._shoot(1, made, self.calm.hand(self.hand))
        self._one = True
        self.calm.forget()

    def many(self) -> None:
        """As many as asked for, counted; pressed again, they are stopped."""
        if self.busy:
            self.stop()
            return
        many = whole(self._many.value)
        if many is None or not 1 <= many <= 5000:
            self.wrong = f"shots {self._many.value!r} must be a whole number from 1 to 5000"
            return
        self._one = False
        self._shoot(many, None, self.hand)

    def _shoot(self, shots: int, made: Squidge | None, hand: Hand) -> None:
        meant = made or self.shooter.made()
        if meant is None or self.busy or self.wrong:
            return
        self.playback, self.notice = None, ""
        self.series = Series(self.drill, self.match, meant, hand, shots, self.tally,
                             secrets.randbelow(2**63), lambda: self.warming.ready and SQUIDGES.ready)  # fmt: skip

    # -- events ---------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Keys, mouse."""
        if event.type == pygame.KEYDOWN:
            self._key(event)
            return
        if event.type == pygame.KEYUP:
            if event.key in PRESS and self.calm.release() and not self.busy:
                self.once()
            self._as_button.release(event)
            return
        if event.type == pygame.WINDOWFOCUSLOST:
            self.calm.forget()
        if self.form.handle(event):
            if event.type == pygame.MOUSEBUTTONUP and not isinstance(self.form.focused, Entry):
                self.form.focus = None
            return
        self._mouse(event)

    def _mouse(self, event: pygame.event.Event) -> None:
        """Take the mouse: aim, pull back, strike, look about."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.form.focus = None
        mouse = event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION)
        if mouse and getattr(event, "button", 1) == 1 and not self.busy:
            made = self.shooter.mouse(event)
            if made is not None:
                self.once(made)
                return
            if self.shooter.sling.pull is not None:
                return
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 3 and self.shooter.cancel():
            return
        self.view.handle(event)

    def _key(self, event: pygame.event.Event) -> None:
        focused = self.form.focused
        if event.key == pygame.K_ESCAPE:
            if self.shooter.cancel() or self.calm.forget():
                return
            self.app.pop()
            return
        if event.key == pygame.K_TAB or (focused is not None and self.form.handle(event, out=True)):
            if event.key == pygame.K_TAB:
                self.form.handle(event, out=True)
            return
        word = PRACTISED.pressed(event)[0] or meant(event)
        match word:
            case "help":
                self.app.push(HelpScreen(self.app, listed((PRACTISED,), table=True), load("tiddlywinks")))
            case _ if event.key in PRESS:
                if not self.busy and self.calm.press():
                    self.once()
            case "many":
                self.many()
            case _ if self._as_button.press(event, self.view.area):
                pass
            case "aim":
                self.aim()
            case "forget":
                self.forget()
            case "pause" if self.playback is not None:
                self.playback.paused = not self.playback.paused
            case "step" | "step back" if self.playback is not None:
                self.playback.step(1 if word == "step" else -1)
            case "skip" if self.playback is not None:
                self.playback.skip()
            case _:
                taken = self.shooter.key(event)
                self._taken = self._taken or taken
                if not taken:
                    self.view.handle(event)

    # -- time and picture -----------------------------------------------------------------------------------------

    def update(self, dt: float) -> None:
        """Let time go on."""
        self.calm.gesture = self.app.preferences.gesture
        self.shooter.held_by(self.calm, chosen=self._taken)
        self.calm.update(None if self.busy else self.shooter.meant, dt, drawn=self.shooter.pulling)
        series = self.series
        if series is not None and series.done:
            series.check()
            if self._one and series.last is not None:
                self.playback, self._one = Playback(series.last), False
                self.notice = _HIT if self.tally.ends and self.tally.ends[-1][1] else _MISSED
            self.series = None
        if self.playback is not None:
            before = self.playback.t
            self.playback.advance(dt)
            for name, loud in heard(self.playback.motion, before, self.playback.t):
                self.app.sounds.play(name, loud)
            if self.playback.done and not self.playback.paused:
                self.playback = None
        self._buttons["many"].label = "Stop" if self.busy else f"Shoot {self._many.value or '?'}"
        self._buttons["once"].enabled = not self.busy
        aim = self.shooter.aim
        if aim is not None:
            self.view.show([aim.at, (0.0, 0.0)])
        self.view.advance(dt)

    def close(self) -> None:
        """No more shots."""
        self.stop()

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """As at a game: mat, aim and side view, and on the right what is practised."""
        w, h = size
        pad, right = round(14 * scale), round(324 * scale)
        edge = round(8 * scale)
        self._right = pygame.Rect(w - right, edge, right - edge, h - 2 * edge)
        self.view.reserve = round(262 * scale)
        self.view.place(pygame.Rect(0, 0, w, h), 46 * scale, pygame.Rect(0, 0, w - right, h))
        self.shooter.sling.scale = scale
        top = self.view.clear.bottom + round(10 * scale)
        self._left = pygame.Rect(pad, top, round(248 * scale), h - top - pad)
        self._frame = self._left.inflate(pad, pad)
        self.view.covers = [*self.view.covers[:2], self._right, self._frame]
        inner, row, gap = self._right.inflate(-2 * pad, -2 * pad), round(36 * scale), round(6 * scale)
        y = inner.y + round(40 * scale)
        for field in self.fields:
            field.rect = pygame.Rect(inner.x, y, inner.w, row - gap)
            y += row
        y = self._left.y + round(20 * scale)
        for knob in self.knobs:
            knob.rect = pygame.Rect(self._left.x, y, self._left.w, round(22 * scale))
            y += round(26 * scale)
        self._knobs_foot = y
        for k, name in enumerate(("once", "many", "pot", "clear", "back")):
            self._buttons[name].rect = pygame.Rect(inner.x, inner.bottom - (5 - k) * (row + gap) + gap, inner.w, row)

    _knobs_foot = 0

    def draw(self, canvas: Canvas) -> None:
        """Mat with the cloud, side view, aim, tally."""
        with canvas.clipped(self.view.area):
            self.view.draw(canvas)
            self._mat(canvas, self.view.camera)
        self.view.shelf(canvas)
        lens = self.view.lens({})
        if lens is not None:
            with self.view.through(canvas, lens):
                self._mat(canvas, lens.camera)
        aim, pot = self.shooter.aim, self.shooter.pot
        canvas.pane(self._frame)
        if self.playback is not None:
            flight.shown(canvas, self.view.side, self.view.painter, self.playback.motion, self.playback.t)
            shot_box.clock(canvas, self._left, self.playback) if aim is None else None
        elif aim is not None:
            flight.aimed(
                canvas,
                self.view.side,
                self.view.painter,
                aim,
                pot,
                at_rest(self.shooter.scene),
                wrong=bool(self.shooter.wrong),
            )
        if aim is not None:
            caption(canvas, self._left, "aim")
            words = pygame.Rect(self._left.x, self._knobs_foot + 4, self._left.w, canvas.high(13) * 3)
            how = self.calm.words(self.hand)
            canvas.paragraph(f"{stroke.words(aim, pot)}; {how}", words, 13, palette.ACCENT)
        self._panel(canvas)
        self.form.draw(canvas)

    def _mat(self, canvas: Canvas, camera: Camera) -> None:
        painter, aim = self.view.painter, self.shooter.aim
        if self.playback is not None:
            painter.motion(canvas, camera, self.playback.motion, self.playback.t)
        else:
            painter.pieces(canvas, camera, self.shooter.scene.pieces)
        for end, hit in self.tally.ends[-2000:]:
            if end is None:
                continue
            x, y = camera.to_screen(end)
            s = canvas.px(3)
            if hit:
                canvas.ring((x, y), s + 1, palette.LUCK, max(1.5, canvas.px(1.6)))
            else:
                canvas.line((x - s, y - s), (x + s, y + s), palette.ALARM, 1.5)
                canvas.line((x - s, y + s), (x + s, y - s), palette.ALARM, 1.5)
        if aim is not None and self.playback is None:
            stroke.draw(canvas, camera, painter, aim, self.shooter.pot, wrong=bool(self.shooter.wrong),
                        spread=self.calm.spread(self.hand))  # fmt: skip
            if camera is self.view.camera:
                slingshot.draw(canvas, self.shooter.sling.pull)
                if self.calm.swung is not None:
                    effects.meter(canvas, camera.to_screen(aim.at), gestures.swing(self.calm.swung))

    def _panel(self, canvas: Canvas) -> None:
        """Draw what is practised over how it goes."""
        canvas.pane(self._right)
        pad = canvas.px(14)
        rect = self._right.inflate(-2 * pad, -2 * pad)
        canvas.text("Practice", rect.topleft, 20, bold=True)
        y = self.fields[-1].rect.bottom + canvas.px(14)
        y = caption(canvas, pygame.Rect(rect.x, y, rect.w, 20), "hits")
        tally = self.tally
        share = f"{tally.hits / tally.shots:.0%}" if tally.shots else "–"
        y = canvas.text(share, (rect.x, y), 34, palette.GOOD if tally.shots else palette.FAINT, bold=True).bottom
        y = canvas.paragraph(tally.says(), pygame.Rect(rect.x, y, rect.w, canvas.high(14) * 2), 14)
        if tally.shots:
            off = sum(end is None for end, _ in tally.ends)
            words = "On the mat: a ring where a hit came to rest, a cross for a miss."
            words += f" {off} left the mat." if off else ""
            y = canvas.paragraph(words, pygame.Rect(rect.x, y + canvas.px(4), rect.w, canvas.high(12) * 3), 12,
                                 palette.FAINT)  # fmt: skip
        note = self.notice
        if self.busy and self.series is not None:
            note = f"Shooting ... {self.series.left} to come."
        elif not self.warming.ready and not note:
            note = self.warming.says
        foot = self._buttons["once"].rect.y
        told = palette.GOOD if note == _HIT else palette.BAD if note == _MISSED else palette.TEXT
        for words, colour in ((note, told), (self.wrong or self.shooter.wrong, palette.BAD)):
            if words:
                room = pygame.Rect(rect.x, y + canvas.px(8), rect.w, max(canvas.high(14), foot - y - canvas.px(10)))
                y = canvas.paragraph(words, room, 14, colour)
