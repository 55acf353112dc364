"""The table of pyramids as it is played at: all launch at once, by mouse and by keys for every seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import pygame

from flicksim.base.geometry import Point
from flicksim.base.kinds import Action
from flicksim.games.ice.seats import places, size_of
from flicksim.games.ice.state import Load, State
from flicksim.play import PYRAMIDS, Warming
from flicksim.players import Hand
from flicksim.table import SIZES, Landing, Landings, Launch, Size
from flicksim.ui.faces.ice import moments, plan, ways
from flicksim.ui.faces.ice.count import Counted, stash
from flicksim.ui.faces.ice.course import IceCourse
from flicksim.ui.faces.ice.film import best
from flicksim.ui.faces.ice.final import FinalScreen
from flicksim.ui.faces.ice.foresight import Foresight
from flicksim.ui.faces.ice.grip import DIALS, Grip, place_of
from flicksim.ui.faces.ice.hands import Hands
from flicksim.ui.faces.ice.keys import ALONE, SEVERAL
from flicksim.ui.faces.ice.log_lines import said
from flicksim.ui.faces.ice.sight import Places, Sight, arrange, bare
from flicksim.ui.faces.ice.view import IceView, lined
from flicksim.ui.frame.app import App
from flicksim.ui.frame.sitting import Sitting
from flicksim.ui.kit import keys, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.knob import Knob
from flicksim.ui.kit.widgets import PRESS, Button, Widget
from flicksim.ui.match.at_table import AtTable
from flicksim.ui.table import afterwards, effects, gestures, side_panel
from flicksim.ui.table.as_button import AsButton
from flicksim.ui.table.calm import Calm
from flicksim.ui.table.hinting import hint, own

_GRACE = 1.0
"""So soon after something shown again has ended by itself, a key launches nothing [s]."""


class IceScreen(AtTable):
    """A match of pyramids in the window (see `AtTable`)."""

    course: IceCourse
    places: Places
    turns = False

    def __init__(self, app: App, sitting: Sitting, warming: Warming = PYRAMIDS) -> None:
        super().__init__(app, sitting)
        match = self.match
        state = match.state
        assert isinstance(state, State), "this screen shows pyramids"
        seats = places(match.options, len(match.players))
        self.surface = lined(state.scene.surface, seats, match.game.seat_names)
        self.view = IceView(match.game.seat_names, self.surface, imaginary=not state.options.markers)
        self.people = [seat for seat, player in enumerate(match.players) if player is None]
        self._early: tuple[int, str] | None = None
        """Seat that wanted to launch before it may, and the notice it was given."""
        self._as_button = AsButton(self._mouse)
        self.counted: tuple[int, Counted] = (0, ())
        """Turns seen to come about, and what pieces counted then."""
        self._late = 0.0
        """Time during which a key may still have been meant for what was shown again [s]."""
        self.turned = 0.0
        """Time at which the launch in hand was changed last [s]: what came to rest before is no longer looked at."""
        self._given: dict[int, str] = {}
        """The way the hand of a seat gave its last launch, in words."""
        self.warming = warming
        match.settled_by(warming.stage(match.stage))
        warming.begin()
        self.foresight = Foresight(self.surface, state.scene.kit, warming)
        course = IceCourse(match, sitting.keeper, warming.asker())
        where = {k: place_of(seat.area, seat.hold, seat.facing) for k, seat in enumerate(seats)}
        self.hands = Hands(where, self.people, course, self.flick)
        dials = [replace(dial, keys="") if self.hands.clusters else dial for dial in DIALS]
        self.knobs = [Knob(dial, lambda: self.grip, self._turned) for dial in dials]
        self.buttons |= {
            "launch": Button("Launch", lambda: self.flick(self.seat), key="Space", main=True),
            **{
                size: Button(size.capitalize(), lambda size=size: self.take(size), key=str(k + 1))  # type: ignore[misc]
                for k, size in enumerate(SIZES)
            },
            "best": Button("Best launch", self.best, key="B"),
            "follow": Button("Nearer", self.view.toggle, key="Z"),
            "on": Button("Back to the game", lambda: self.course.go_on(), key="Space", main=True),
        }
        self.opened(course)
        course.rate, course.patient = 1, sitting.patient
        self.course = course
        course.changed = self._changed
        self._changed()

    # -- what is due ----------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        """Something has come about: take up what may be done now."""
        self.hands.restock()
        self._compose()

    def _compose(self) -> None:
        """Make the widgets of this moment."""
        named, course = self.buttons, self.course
        widgets: list[Widget] = []
        if course.stage == "show":
            widgets = [named[k] for k in ("on", "pause", "back", "step", "slow")]
        elif self.people and course.stage == "choose":
            widgets = [named["launch"], *(named[size] for size in SIZES), *self.knobs, named["hand"]]
        named["launch"].label = "Launch" if course.table.started else "Ready"
        for size in SIZES:
            named[size].shortcut = "" if self.hands.clusters else str(SIZES.index(size) + 1)
        named["best"].shortcut = "" if self.hands.clusters else "B"
        named["undo"].enabled = self.takes_back
        named["hint"].enabled = self.helps and course.stage == "choose"
        named["best"].enabled = course.stage in ("choose", "over") and self.finest() is not None
        focused = self.form.focused
        always = ("best", "follow", "undo", "hint", "fold", "help", "menu")
        self.form.widgets = [named["fold"]] if self.folded else [*widgets, *(named[k] for k in always)]
        self.form.focus = self.form.widgets.index(focused) if focused in self.form.widgets else None
        self.app.lay(self)

    @property
    def folded(self) -> bool:
        """True while the panels are away; not while a launch is shown again."""
        return super().folded and self.course.stage != "show"

    def composed(self) -> None:
        """Put together anew what there is to be seen."""
        self._compose()

    @property
    def told(self) -> str:
        """The last launch of the lit seat told: how far it went beside what was meant, and how it was given."""
        last = next((turn for turn in reversed(self.match.turns) if turn.seat == self.seat
                     and isinstance(turn.made, Launch)), None)  # fmt: skip
        if last is None or self.follows:
            return ""
        return afterwards.told(last, self._given.get(self.seat, ""))

    @property
    def sight(self) -> Sight:
        """The sight of the table just now."""
        note = "A club player is asked ..." if self.asked is not None else self._notice or self.warming.says
        if self.cloud is not None:
            note = f"{note} {self.cloud.says}"
        places = self.places
        if self.beside is not None and self.beside.rect.h:
            places = replace(places, foot=min(places.foot, self.beside.rect.y - round(8 * self.app.scale)))
        return Sight(self.match, self.course, self.hands, self.view, self.surface, places,
                     self.foresight, note, self.told, self.turned, self.cloud)  # fmt: skip

    @property
    def seat(self) -> int:
        """Seat that the mouse and the sliders control."""
        return self.hands.seat

    @property
    def grip(self) -> Grip:
        """The hands the mouse and the numbers are for."""
        return self.hands.grip

    # -- doing ----------------------------------------------------------------------------------------------------

    def _turned(self) -> None:
        """The launch in hand has been changed."""
        self.turned = self.course.now
        self._notice = self.course.wrong = ""
        self.forget_cloud()

    def take(self, size: Size) -> None:
        """Stack a missile of that size."""
        self._turned()
        self._notice = self.hands.take(self.seat, size)

    def flick(self, seat: int) -> None:
        """Launch; before the game is on, say that the launcher is loaded."""
        launch = self.hands.meant(seat) if seat in self.people else None
        if launch is None:
            return
        self._turned()
        hand = self.hands.hand(seat)
        self._given[seat] = afterwards.given(self.hands.calms[seat])
        done = self.course.offer(seat, launch if self.course.table.started else Load(piece=launch.piece), hand)
        self.hands.calms[seat].forget()
        if not done and not self.course.wrong:
            self._not_yet(seat)

    def _not_yet(self, seat: int) -> None:
        """Say why a seat cannot launch now, for as long as it cannot."""
        self._notice = self.course.not_yet(seat)
        self._early = seat, self._notice

    @property
    def idle(self) -> bool:
        """True where the seat to play may launch, and nothing is in the air."""
        seat = self.match.to_play
        return super().idle and seat is not None and self.course.free(seat)

    def make(self, action: Action, hand: Hand) -> bool:
        """Have a launch made by a hand, as soon as its seat is loaded; False, with the reason told, if refused."""
        seat = self.match.to_play
        if not isinstance(action, Launch | Load) or seat is None:
            return False
        done = self.course.offer(seat, action, hand)
        if not done and not self.course.wrong:
            self._not_yet(seat)
        return done

    def way(self, shot: Action) -> tuple[Point, Point] | None:
        """From where a launcher is held to where its missile comes down, about [m]."""
        return ways.way(self.match.game, self.match.state, shot)

    def best(self) -> None:
        """The best launch so far, slowly."""
        found = self.finest()
        if found is not None:
            self._asked = False  # at the end of the game the result is shown again afterwards
            who = self.match.game.seat_names[found.launch.owner or 0]
            self.course.show_again(found, f"The best launch so far: {who} {said(found.launch.piece)}.")

    def finest(self) -> Landing | None:
        """The best launch that has been seen."""
        turns = self.match.turns[: self.course.known]
        return best([one for turn in turns if isinstance(turn.account, Landings) for one in turn.account.landings])

    def ask_hint(self) -> None:
        """Ask a club player how the lit seat should launch."""
        seat, state = self.seat, self.course.table
        if self.asked is not None or not self.hands.aiming:
            return
        if not state.hands[seat] or not self.course.free(seat):
            self._not_yet(seat)
            return
        if state.started:  # the others are left out: it is asked as if this seat were the next to flick
            late = max(state.ready) + 1.0
            ready = tuple(state.ready[k] if k == seat else late for k in range(state.seats))
            state = msgspec.structs.replace(state, ready=ready, aloft=())
        elif self.match.rules.to_play(state) != seat:
            self._notice = "Any missile will do to begin with."
            return
        self.asked = hint(self.match, seat, self.warming.wait, state=state)

    @property
    def physics(self) -> Sequence[Warming]:
        """Launches."""
        return (self.warming,)

    def _hinted(self, action: object) -> None:
        if isinstance(action, Load):
            self._notice = self.hands.take(self.seat, size_of(action.piece)) or "So a club player would begin."
        elif isinstance(action, Launch) and action.owner in self.people:
            self.hands.seat = action.owner
            self.grip.copy(action)
            self._turned()
            self.show_cloud(action)
            self._notice = "So a club player would launch. Change it as you like, then flick."

    # -- events ---------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Keys, mouse."""
        match event.type:
            case pygame.KEYDOWN:
                self._key(event)
            case pygame.KEYUP:
                self.hands.released(event)
                self._as_button.release(event)
                if event.key in PRESS and self._calm is not None and self._calm.release() and self.hands.aiming:
                    self.flick(self.seat)
            case pygame.WINDOWFOCUSLOST:
                self.hands.let_be()
            case _:
                self._mouse(event)

    def _mouse(self, event: pygame.event.Event) -> None:
        hands = self.hands
        if not hands.busy and self.form.handle(event):
            if event.type == pygame.MOUSEBUTTONUP:
                self.form.focus = None  # a button pressed by mouse gives the keys back to the table
            return
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            card = next((k for k, rect in enumerate(self.places.cards) if rect.collidepoint(event.pos)), None)
            if card in self.people:
                self._turned()
                hands.seat = card
                return
            self.form.focus = None
        if self.hands.aiming and hands.mouse(event, self.view, self.app.scale):
            if hands.busy:
                self._turned()
            return
        shown = self.course.stage == "show" and self.view.area.collidepoint(getattr(event, "pos", (-1, -1)))
        if shown and event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.course.go_on()
            return
        self.view.handle(event)

    def _key(self, event: pygame.event.Event) -> None:
        hands, alone, word = self.hands, not self.hands.clusters, ALONE.pressed(event)[0]
        if event.key == pygame.K_ESCAPE:
            if hands.let_be():
                return
            self.menu()
            return
        if self.hands.aiming and not alone and hands.key(event):
            return
        plain = event.key in (*PRESS, pygame.K_LEFT, pygame.K_RIGHT)
        if (event.key == pygame.K_TAB or (self.form.focus is not None and plain)) and self.form.handle(event, out=True):
            return
        if keys.meant(event) in ("help", "undo", "redo"):
            self.common(event)
        elif self.hands.aiming and alone and hands.key(event):
            self._turned()
        elif self.hands.aiming and alone and (size := next((one for one in SIZES if one == word), None)) is not None:
            self.take(size)
        elif self.hands.aiming and alone and word == "next":
            self._turned()
            self._notice = hands.take(self.seat, None)
        elif word == "best" and alone:
            self.best()
        elif self.hands.aiming and self._as_button.press(event, self.view.area):
            return
        elif keys.meant(event) == "skip" and self.course.slowed:
            self.course.hurry()
        elif self.common(event) or self.view.handle(event):
            return
        elif event.key in PRESS:
            if self.course.stage == "show":
                self.course.go_on()
            elif self.hands.aiming and self._late > 0.0:
                self._notice = "Back in the game: Space launches."
            elif self.hands.aiming and (not self.course.table.started or self._calm is None or self._calm.press()):
                self.flick(self.seat)

    @property
    def _calm(self) -> Calm | None:
        """The calm of the hands the keys are for."""
        return self.hands.calms.get(self.seat)

    def over(self, canvas: Canvas) -> None:
        """The meter that swings beside the launcher, then as over every table."""
        calm = self._calm
        if calm is not None and calm.swung is not None and self.hands.aiming:
            at = self.view.camera.to_screen(self.grip.hold)
            with canvas.clipped(self.view.area):
                effects.meter(canvas, at, gestures.swing(calm.swung))
        if self.course.slowed:
            effects.slowly(canvas, self.view.clear)
        super().over(canvas)

    def own_keys(self) -> tuple[keys.Keys, ...]:
        """One person's, or those of several."""
        return (SEVERAL if self.hands.clusters else ALONE,)

    def may(self) -> list[str]:
        """Load, aim, flick."""
        started = self.course.table.started
        if not self.people:
            return ["The bots play by themselves", "B best launch", "P pause"]
        if self.hands.clusters:
            first = (
                "Hold your key to charge, let go to launch" if started else "Each: choose a size, then your launch key"
            )
            return [first, "the mouse plays the lit seat", "P pause"]
        if not started:
            return ["1 2 3 choose a missile", "Space: I hold it loaded"]
        return [
            "Pull back and let go, or arrows and Space",
            "1 2 3 missile",
            "W S Q E nail",
            "Z nearer",
            "B best launch",
        ]

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        more = {"show": "Space: back to the game", "over": "B best launch   ·   Z nearer"}.get(self.course.stage)
        return f"{more}   ·   {super().can()}" if more is not None and not self.course.paused else super().can()

    # -- time and picture -----------------------------------------------------------------------------------------

    def after_undo(self) -> None:
        """Hands are free again."""
        self.hands.let_be()
        self.forget_cloud()
        self._notice = ""

    @property
    def moves(self) -> bool:
        """True while anything is seen to move, and while a hand is at work."""
        calm = self._calm
        return super().moves or self.hands.busy or bool(self.hands.charging) or (calm is not None and calm.changing)

    def update(self, dt: float) -> None:
        """Let time go on."""
        super().update(dt)
        course = self.course
        self.hands.own = lambda seat: own(self.grades[seat])
        for calm in self.hands.calms.values():  # several at one keyboard have no room for another key
            calm.gesture = self.app.preferences.gesture if not self.hands.clusters else "pull"
        if not course.paused:
            self.hands.advance(dt)
        showing, before = course.stage == "show", course.now
        course.update(dt)
        if before < 0.0 <= course.now and course.stage == "choose":
            self.effects.hand_over("Launch!", "", None)
        self._won()
        self._late = _GRACE if showing and course.stage == "choose" else max(0.0, self._late - dt)
        if self._early is not None and course.free(self._early[0]):
            self._notice = "" if self._notice == self._early[1] else self._notice
            self._early = None
        self.hear_hint()
        self.end()
        clock = course.clock
        held = clock.paused if clock is not None else course.paused
        self.buttons["pause"].label = "Go on" if held else "Pause"
        self.buttons["hand"].label = f"Hand: {self.steadiness}"
        self.buttons["follow"].label = "Whole table" if self.view.follow else "Nearer"
        left = stash(course.table, self.seat)
        for size in SIZES:
            button = self.buttons[size]
            button.label, button.enabled = f"{size.capitalize()}  × {left[size]}", left[size] > 0
            button.main = size == self.grip.size
        self.view.advance(dt)
        self.view.look = self.sight.look()
        self.asked_to_own_up()

    def _won(self) -> None:
        """Let points fly from what has come to stand, or does no more, to the card of its seat."""
        course = self.course
        before, self.counted = self.counted, (course.known, course.counting)
        if course.known <= before[0]:  # nothing new; or turns were taken back
            return
        for seat, points, at in moments.won(before[1], course.counting):
            card, away = self.places.cards[seat], round(22 * self.app.scale)
            end = (card.right - away, card.y + away)
            key = palette.seat_key(seat, self.match.game.seat_names)
            self.effects.fly(f"{points:+d}", key, self.view.camera.to_screen(at), end)
            self.app.sounds.play("chime" if points > 0 else "murmur", 0.6)

    @property
    def seen(self) -> IceView:
        """View of the table."""
        return self.view

    def result(self) -> FinalScreen:
        """The pieces that stand, and the winner."""
        best = self.best if self.finest() else None
        return FinalScreen(self.app, self.match, self._again, self.undo, best, self._own_up_there)

    def room(self, whole: pygame.Rect) -> pygame.Rect:
        """In the column of the game, over its buttons."""
        inner = self.places.inner
        if self.folded or not inner:
            return whole
        return pygame.Rect(inner.x, self.places.under, inner.w, self.places.foot - self.places.under)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """The launch in hand on the left, table and side view in the middle, the seats on the right."""
        seats = len(self.match.players)
        if self.folded:
            self.places = bare(self.buttons, self.view, seats, size, scale)
        else:
            self.places = arrange(self.buttons, self.knobs, self.view, seats, size, scale)

    def draw(self, canvas: Canvas) -> None:
        """Table, side view, launch, seats."""
        sight = self.sight
        plan.table(canvas, sight)
        if self.folded:
            plan.cards(canvas, sight)
            fold = self.buttons["fold"].rect
            due = (self.course.says, self._notice, self.course.wrong)
            side_panel.chip(canvas, (self.app.scale * 8, fold.bottom), fold.x - fold.w, due)
            self.form.draw(canvas)
            return
        plan.side_view(canvas, sight)
        plan.hand(canvas, sight)
        plan.panel(canvas, sight)
        self.form.draw(canvas)
