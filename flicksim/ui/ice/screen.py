"""The table of pyramids as it is played at: all launch at once, by mouse and by keys for every seat."""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, cos, hypot, pi, sin

import msgspec
import pygame

from flicksim.base.units import degrees, mm
from flicksim.games.ice.seats import places, size_of
from flicksim.games.ice.state import Load
from flicksim.play import Match
from flicksim.table import SIZES, Landing, Landings, Launch, Line, Size
from flicksim.table.launch import HEIGHT, LIFT, SLANT
from flicksim.ui import Keeper, keys
from flicksim.ui.app import App
from flicksim.ui.at_table import AtTable
from flicksim.ui.canvas import Canvas
from flicksim.ui.form import Form
from flicksim.ui.hinting import hint, lend
from flicksim.ui.ice import plan
from flicksim.ui.ice.course import IceCourse
from flicksim.ui.ice.film import best
from flicksim.ui.ice.grip import DIALS, Grip, place_of
from flicksim.ui.ice.keys import ALONE, CLUSTERS, SEVERAL, Cluster
from flicksim.ui.ice.panel import stash
from flicksim.ui.ice.view import IceView
from flicksim.ui.knob import Knob
from flicksim.ui.later import Later
from flicksim.ui.widgets import PRESS, Button, Widget

_CHARGE = 1.1
"""How long a key is held for full strength; then it falls again [s]."""
_DEAD, _FULL = 10.0, 260.0
"""A pull shorter than this is none, one this long is the hardest [units]."""


class IceScreen(AtTable):
    """A match of pyramids in the window (see `AtTable`)."""

    course: IceCourse

    def __init__(
        self, app: App, match: Match, keeper: Keeper | None = None, again: Callable[[], None] | None = None, *,
        own: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(app, match, keeper, again, own=own)
        self.steadiness = app.taste.hand
        lend(match, self.steadiness)
        state = match.state
        seats = places(match.options, len(match.players))
        surface = msgspec.structs.replace(
            state.scene.surface,
            lines=tuple(
                Line(name=match.game.seat_names[k], a=seat.line[0], b=seat.line[1]) for k, seat in enumerate(seats)
            ),
        )
        self.surface = surface
        self.view = IceView(match.game.seat_names, surface)
        self.view.painter.imaginary = not match.options.markers  # type: ignore[attr-defined]
        self.people = [seat for seat, player in enumerate(match.players) if player is None]
        self.grips = {k: Grip(k, place_of(seat.area, seat.hold, seat.facing)) for k, seat in enumerate(seats)}
        self.clusters: dict[int, Cluster] = (
            dict(zip(self.people, CLUSTERS, strict=False)) if len(self.people) > 1 else {}
        )
        self.seat = self.people[0] if self.people else 0
        self.charging: dict[int, float] = {}
        self._before = (0.0, 0.0, False)
        self.pull: tuple[tuple[int, int], tuple[int, int]] | None = None
        self.sliding = False
        self._hint: Later[object] | None = None
        self.cards: list[pygame.Rect] = []
        self.left = self.right = pygame.Rect(0, 0, 0, 0)
        self.knobs = [Knob(dial, lambda: self.grips[self.seat], self._turned) for dial in DIALS]
        self.buttons = {
            "launch": Button("Launch", lambda: self.flick(self.seat), key="Space", main=True),
            **{
                size: Button(size.capitalize(), lambda size=size: self.take(size), key=str(k + 1))  # type: ignore[misc]
                for k, size in enumerate(SIZES)
            },
            "best": Button("Best launch", self.best, key="B"),
            "on": Button("Go on", lambda: self.course.go_on(), key="Space", main=True),
            "pause": Button("Pause", self.pause, key="P"),
            "slow": Button("Slower", self._slow, key="S"),
            "back": Button("Back", lambda: self._step(-1), key=","),
            "step": Button("Step", lambda: self._step(1), key="."),
            "undo": Button("Undo", self.undo, key="U"),
            "hint": Button("Hint", self.ask_hint, key="H"),
            "help": Button("Help", self.help, key="?"),
            "menu": Button("Menu", self.menu, key="Esc"),
        }
        self.form = Form([], None, arrows=False)
        course = IceCourse(match, keeper)
        self.opened(course)
        course.rate = 1
        self.course = course
        course.changed = self._changed
        self._changed()

    # -- what is due ----------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        """Something has come about: take up what may be done now."""
        for seat in self.people:
            self._restock(seat)
        self._compose()

    def _restock(self, seat: int) -> None:
        """Nobody holds a size there is none of; what is stacked is launched first."""
        state, grip = self.course.table, self.grips[seat]
        if state.loaded[seat] is not None:
            grip.take(size_of(state.loaded[seat] or ""))
        left = stash(state, seat)
        if not left[grip.size]:
            grip.next_size(left)

    def _compose(self) -> None:
        """Which widgets there are now."""
        named, course = self.buttons, self.course
        widgets: list[Widget] = []
        if course.stage == "show":
            widgets = [named[k] for k in ("on", "pause", "back", "step", "slow")]
        elif self.people and course.stage == "choose":
            widgets = [named["launch"], *(named[size] for size in SIZES), *self.knobs]
        named["launch"].label = "Launch" if course.table.started else "Ready"
        named["undo"].enabled = course.undo_to() is not None
        named["hint"].enabled = bool(self.people) and course.stage == "choose"
        named["best"].enabled = course.stage in ("choose", "over") and self.finest() is not None
        focused = self.form.focused
        self.form.widgets = [*widgets, *(named[k] for k in ("best", "undo", "hint", "help", "menu"))]
        self.form.focus = self.form.widgets.index(focused) if focused in self.form.widgets else None
        self.app.lay(self)

    @property
    def hinting(self) -> bool:
        """Whether somebody is being asked."""
        return self._hint is not None

    @property
    def notice(self) -> str:
        """What there is to tell."""
        return self._notice

    @property
    def grip(self) -> Grip:
        """The hands the mouse and the numbers are for."""
        return self.grips[self.seat]

    @property
    def aiming(self) -> bool:
        """Whether somebody at the window can prepare a launch."""
        return bool(self.people) and self.course.stage == "choose"

    # -- doing ----------------------------------------------------------------------------------------------------

    def _turned(self) -> None:
        self._notice = self.course.wrong = ""

    def take(self, size: Size) -> None:
        """Stack a missile of that size."""
        state = self.course.table
        if state.started and state.loaded[self.seat] is not None:
            self._notice = "What is stacked on the launcher is launched first."
        elif not stash(state, self.seat)[size]:
            self._notice = f"There is no {size} missile left in hand."
        else:
            self.grip.take(size)
            self._turned()

    def missile(self, seat: int) -> str | None:
        """The missile a seat would launch now; None when it has none."""
        state = self.course.table
        if state.loaded[seat] is not None:
            return state.loaded[seat]
        hand = [name for name in state.hands[seat] if size_of(name) == self.grips[seat].size]
        return hand[0] if hand else None

    def meant(self, seat: int) -> Launch | None:
        """The launch a seat has in hand; None without a missile."""
        piece = self.missile(seat)
        return self.grips[seat].launch(piece) if piece is not None else None

    def flick(self, seat: int) -> None:
        """Launch; before the game is on, say that the launcher is loaded."""
        launch = self.meant(seat)
        if launch is None or seat not in self.people:
            return
        self._notice = ""
        done = self.course.offer(seat, launch if self.course.table.started else Load(piece=launch.piece))
        if not done and not self.course.wrong:
            self._notice = "Wait until the missile before is at rest."

    def best(self) -> None:
        """The best launch so far, slowly."""
        found = self.finest()
        if found is not None:
            self.course.show_again(found, f"The best launch so far: {found.launch.piece.replace('-', ' ')}.")

    def finest(self) -> Landing | None:
        """The best launch that has been seen."""
        turns = self.match.turns[: self.course.known]
        return best([one for turn in turns if isinstance(turn.account, Landings) for one in turn.account.landings])

    def ask_hint(self) -> None:
        """Ask a club player how to launch."""
        seat = self.match.to_play
        if self._hint is not None or not self.aiming or not self.course.table.started:
            return
        if seat in self.people:
            self._hint = hint(self.match, seat)
        else:
            self._notice = "A bot has the hand now; ask again in a moment."

    def _hinted(self, action: object) -> None:
        if isinstance(action, Launch) and action.owner in self.people:
            self.seat = action.owner
            self.grip.copy(action)
            self._notice = "So a club player would launch. Change it as you like, then flick."

    # -- events ---------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Keys, mouse."""
        match event.type:
            case pygame.KEYDOWN:
                self._key(event)
            case pygame.KEYUP:
                self._released(event)
            case pygame.WINDOWFOCUSLOST:
                self.charging.clear()
            case _:
                self._mouse(event)

    def _mouse(self, event: pygame.event.Event) -> None:
        if self.pull is None and not self.sliding and self.form.handle(event):
            if event.type == pygame.MOUSEBUTTONUP:
                self.form.focus = None  # a button pressed by mouse gives the keys back to the table
            return
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            card = next((k for k, rect in enumerate(self.cards) if rect.collidepoint(event.pos)), None)
            if card in self.people:
                self.seat = card
                return
        if self.aiming and self._draw_back(event):
            return
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.view.area.collidepoint(event.pos):
            self.form.focus = None
            if self.course.stage == "show":
                self.course.go_on()
                return
        self.view.handle(event)

    def _draw_back(self, event: pygame.event.Event) -> bool:
        """Whether the mouse was for the launcher: left draws back and flicks, right slides it along the line."""
        view, grip = self.view, self.grip
        match event.type:
            case pygame.MOUSEBUTTONDOWN if event.button == 1 and view.area.collidepoint(event.pos):
                self.pull = (event.pos, event.pos)
                self._before = (grip.turn, grip.speed, grip.tuned)
                return True
            case pygame.MOUSEBUTTONDOWN if event.button == 3:
                if self.pull is not None:
                    self._let_be()
                elif view.area.collidepoint(event.pos):
                    self.sliding = True
                    self._slide(event.pos)
                return True
            case pygame.MOUSEMOTION if self.sliding:
                self._slide(event.pos)
                return True
            case pygame.MOUSEMOTION if self.pull is not None:
                self._pulled(event.pos)
                return True
            case pygame.MOUSEBUTTONUP if event.button == 3 and self.sliding:
                self.sliding = False
                return True
            case pygame.MOUSEBUTTONUP if event.button == 1 and self.pull is not None:
                self._pulled(event.pos)
                a, b = self.pull
                self.pull = None
                if hypot(b[0] - a[0], b[1] - a[1]) / self.app.scale > _DEAD:
                    self.flick(self.seat)
                return True
        return False

    def _slide(self, at: tuple[int, int]) -> None:
        x, y = self.view.camera.to_table(at)
        place = self.grip.place
        right = place.forward - pi / 2.0
        self.grip.shift((x - place.middle[0]) * cos(right) + (y - place.middle[1]) * sin(right) - self.grip.aside)

    def _pulled(self, at: tuple[int, int]) -> None:
        """Away from the hand: the farther, the stronger, and the other way."""
        assert self.pull is not None
        start, grip = self.pull[0], self.grip
        self.pull = (start, at)
        dx, dy = start[0] - at[0], start[1] - at[1]
        far = hypot(dx, dy) / self.app.scale
        grip.turn, grip.speed, grip.tuned = self._before
        if far > _DEAD:
            grip.turn = 0.0
            grip.aim((atan2(-dy, dx) - grip.place.forward + pi) % (2.0 * pi) - pi)
            grip.charge(min((far - _DEAD) / (_FULL - _DEAD), 1.0))

    def _let_be(self) -> bool:
        """Stop pulling or charging; whether anything was."""
        if self.pull is not None:
            self.grip.turn, self.grip.speed, self.grip.tuned = self._before
            self.pull = None
            return True
        stopped = bool(self.charging)
        self.charging.clear()
        return stopped

    def _key(self, event: pygame.event.Event) -> None:
        if event.key == pygame.K_ESCAPE:
            if self._let_be():
                return
            if self.form.focus is not None:
                self.form.focus = None
            else:
                self.menu()
            return
        if self.aiming and self._several(event):
            return
        plain = event.key in (*PRESS, pygame.K_LEFT, pygame.K_RIGHT)
        if (event.key == pygame.K_TAB or (self.form.focus is not None and plain)) and self.form.handle(event, out=True):
            return
        if keys.meant(event) in ("help", "undo", "redo"):
            self.common(event)
        elif self.aiming and len(self.people) == 1 and self._single(event):
            self._turned()
        elif event.key == pygame.K_b and not self.clusters:
            self.best()
        elif self.common(event) or self.view.handle(event):
            return
        elif event.key in PRESS:
            if self.course.stage == "show":
                self.course.go_on()
            elif self.aiming:
                self.flick(self.seat)

    def _several(self, event: pygame.event.Event) -> bool:
        """Whether a key is of somebody's cluster; with several people each has one."""
        for seat, cluster in self.clusters.items():
            grip = self.grips[seat]
            fine = 0.25 if event.mod & pygame.KMOD_SHIFT else 1.0
            if event.key == cluster.left:
                grip.aim(degrees(2.0) * fine)
            elif event.key == cluster.right:
                grip.aim(-degrees(2.0) * fine)
            elif event.key == cluster.size:
                if self.course.table.loaded[seat] is None:
                    grip.next_size(stash(self.course.table, seat))
            elif event.key == cluster.flick:
                if seat in self.charging or not self.course.free(seat):
                    return True
                if self.course.table.started:
                    self.charging[seat] = 0.0
                else:
                    self.flick(seat)
            else:
                continue
            return True
        return False

    def _released(self, event: pygame.event.Event) -> None:
        for seat, cluster in self.clusters.items():
            if event.key == cluster.flick and seat in self.charging:
                self.grips[seat].charge(self.gathered(seat))
                del self.charging[seat]
                self.flick(seat)

    def gathered(self, seat: int) -> float:
        """How strong a flick is by now whose key is held, 0 to 1: it rises and falls."""
        share = (self.charging[seat] / _CHARGE) % 2.0
        return share if share <= 1.0 else 2.0 - share

    def _single(self, event: pygame.event.Event) -> bool:
        """Whether a key changed the launch of the one person here."""
        grip, part = self.grip, 0.1 if event.mod & pygame.KMOD_SHIFT else 1.0
        match event.key:
            case pygame.K_LEFT:
                grip.aim(degrees(1.0) * part)
            case pygame.K_RIGHT:
                grip.aim(-degrees(1.0) * part)
            case pygame.K_UP:
                grip.push(0.05 * part)
            case pygame.K_DOWN:
                grip.push(-0.05 * part)
            case pygame.K_a | pygame.K_d:
                grip.shift(mm(5.0) * part * (1 if event.key == pygame.K_d else -1))
            case pygame.K_w | pygame.K_s:
                grip.slant = _within(grip.slant, degrees(1.0) * part * (1 if event.key == pygame.K_w else -1), SLANT)
            case pygame.K_q | pygame.K_e:
                grip.height = _within(grip.height, mm(0.5) * part * (1 if event.key == pygame.K_e else -1), HEIGHT)
            case pygame.K_LEFTBRACKET | pygame.K_RIGHTBRACKET:
                up = 1 if event.key == pygame.K_RIGHTBRACKET else -1
                grip.lift = _within(grip.lift, mm(5.0) * part * up, LIFT)
            case pygame.K_1 | pygame.K_2 | pygame.K_3:
                self.take(SIZES[event.key - pygame.K_1])
                return False
            case pygame.K_n:
                if self.course.table.loaded[self.seat] is None:
                    grip.next_size(stash(self.course.table, self.seat))
            case _:
                return False
        return True

    def own_keys(self) -> keys.Lines:
        """One person's, or those of several."""
        return SEVERAL if self.clusters else ALONE

    def may(self) -> list[str]:
        """Load, aim, flick."""
        if not self.people:
            return ["The bots play by themselves", "B best launch"]
        if self.clusters:
            first = (
                "Hold your key to charge, let go to launch"
                if self.course.table.started
                else "Each: choose a size, then the launch key"
            )
            return [first, "the mouse plays the lit seat", "P pause"]
        if not self.course.table.started:
            return ["1 2 3 choose a missile", "Space: I hold it loaded"]
        return ["Drag back and let go, or arrows and Space", "1 2 3 missile", "W S Q E nail", "B best launch"]

    # -- time and picture -----------------------------------------------------------------------------------------

    def after_undo(self) -> None:
        """Hands are free again."""
        self.charging.clear()
        self.pull = None

    def update(self, dt: float) -> None:
        """Let time go on."""
        course = self.course
        if not course.paused:
            for seat in self.charging:
                self.charging[seat] += dt
        course.update(dt)
        if self._hint is not None and self._hint.done:
            job, self._hint = self._hint, None
            self._hinted(job.result())
        if course.stage == "over" and not self._asked:
            self._asked = True
            from flicksim.ui.ice.final import FinalScreen

            self.app.push(FinalScreen(self.app, self.match, self._again, self.undo))
        clock = course.clock
        held = clock.paused if clock is not None else course.paused
        self.buttons["pause"].label = "Go on" if held else "Pause"

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """The launch in hand on the left, table and side view in the middle, the seats on the right."""
        plan.arrange(self, size, scale)

    def draw(self, canvas: Canvas) -> None:
        """Table, side view, launch, seats."""
        plan.table(canvas, self)
        plan.side_view(canvas, self)
        plan.hand(canvas, self)
        plan.panel(canvas, self)
        self.form.draw(canvas)


def _within(value: float, by: float, span: tuple[float, float]) -> float:
    return min(max(value + by, span[0]), span[1])
