"""The launchers in the hands of those at the window: aimed and flicked by mouse, and by keys for every seat at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import atan2, cos, hypot, pi, sin

import pygame

from flicksim.base.geometry import half_turn
from flicksim.base.units import degrees, mm
from flicksim.games.ice.seats import size_of
from flicksim.players import STEADY, Hand
from flicksim.table import HEIGHT, LIFT, SLANT, Launch, Size
from flicksim.ui.faces.ice.count import stash
from flicksim.ui.faces.ice.course import IceCourse
from flicksim.ui.faces.ice.grip import SPEED, Grip, Place
from flicksim.ui.faces.ice.keys import ALONE, CLUSTERS, Cluster
from flicksim.ui.faces.ice.view import IceView
from flicksim.ui.table import gestures
from flicksim.ui.table.calm import Calm, Spread

_CHARGE = 1.1
"""Time that a key is held for full strength; then it falls again [s]."""
_DEAD, _FULL = 10.0, 260.0
"""A pull shorter than this is none, one this long is the hardest [units]."""
_REACH = 40.0
"""A stroke that comes so near to a launcher strikes it [units]."""
_TURN, _STEADY = degrees(40.0), 0.22
"""Speed at which a held key turns the aim [rad/s], and the time until then [s]."""


class Hands:
    """The hands of the people at the window.

    Args:
        places: of every seat. people: seats at the window. course: asked what may be done. flick: told when one flicks.
    """

    def __init__(
        self, places: Mapping[int, Place], people: Sequence[int], course: IceCourse, flick: Callable[[int], None]
    ) -> None:
        self.grips = {seat: Grip(seat, place) for seat, place in places.items()}
        self.people, self._course, self._flick = people, course, flick
        self.clusters: dict[int, Cluster] = dict(zip(people, CLUSTERS, strict=False)) if len(people) > 1 else {}
        self.seat = self._first()
        """Seat that the mouse and the sliders control."""
        self.calms = {seat: Calm() for seat in people}
        """Calm of each pair of hands."""
        self.own: Callable[[int], Hand] = lambda _: STEADY
        """The hand of the people, as steady as its grade."""
        self.charging: dict[int, float] = {}
        self.pull: tuple[tuple[int, int], tuple[int, int]] | None = None
        self._sliding = False
        self._before = (0.0, 0.0, False)
        self._down: dict[int, float] = {}

    def _first(self) -> int:
        """The seat that is lit to begin with: of those at the window with missiles left, who may launch first."""
        state = self._course.table
        armed = [seat for seat in self.people if state.hands[seat]] or self.people or (0,)
        return min(armed, key=lambda seat: state.ready[seat])

    @property
    def grip(self) -> Grip:
        """The hands the mouse and the numbers are for."""
        return self.grips[self.seat]

    @property
    def aiming(self) -> bool:
        """True where somebody at the window can prepare a launch."""
        return bool(self.people) and self._course.stage == "choose"

    @property
    def busy(self) -> bool:
        """True while the mouse is drawing back or sliding a launcher along."""
        return self.pull is not None or self._sliding

    # -- missiles -------------------------------------------------------------------------------------------------

    def restock(self) -> None:
        """Nobody holds a size there is none of; what is stacked is launched first."""
        state = self._course.table
        for seat in self.people:
            grip, first = self.grips[seat], state.loaded[seat]
            if first is not None:
                grip.take(size_of(first))
            left = stash(state, seat)
            if not left[grip.size]:
                grip.next_size(left)

    def take(self, seat: int, size: Size | None) -> str:
        """Stack a missile of that size, or of the next. Returns why that cannot be; empty when it can."""
        state = self._course.table
        left = stash(state, seat)
        if state.loaded[seat] is not None:
            return "What is stacked on the launcher is launched first."
        if size is None:
            self.grips[seat].next_size(left)
        elif not left[size]:
            return f"There is no {size} missile left in hand."
        else:
            self.grips[seat].take(size)
        return ""

    def missile(self, seat: int) -> str | None:
        """The missile a seat would launch now; None when it has none."""
        state = self._course.table
        if state.loaded[seat] is not None:
            return state.loaded[seat]
        hand = [name for name in state.hands[seat] if size_of(name) == self.grips[seat].size]
        return hand[0] if hand else None

    def meant(self, seat: int) -> Launch | None:
        """The launch a seat has in hand; None without a missile."""
        piece = self.missile(seat)
        return self.grips[seat].launch(piece) if piece is not None else None

    # -- time -----------------------------------------------------------------------------------------------------

    def advance(self, dt: float) -> None:
        """Keys that are held go on charging and turning; hands grow calm."""
        for seat, calm in self.calms.items():
            calm.update(self._still(seat), dt, drawn=self.pull is not None and seat == self.seat)
        for seat in self.charging:
            self.charging[seat] += dt
        for key in self._down:
            self._down[key] += dt
        for seat, cluster in self.clusters.items():
            for key, way in ((cluster.left, 1.0), (cluster.right, -1.0)):
                if self._down.get(key, 0.0) > _STEADY:
                    self.grips[seat].aim(way * _TURN * dt)

    def _still(self, seat: int) -> tuple[object, ...] | None:
        """Parts of the launch to be held still for the hands to grow calm; None: there is nothing to launch."""
        grip = self.grips[seat]
        if not self.aiming or self.missile(seat) is None:
            return None
        aim = (grip.size, grip.turn, grip.aside, grip.slant, grip.height, grip.lift)
        return aim if seat in self.charging else (*aim, grip.speed)

    def hand(self, seat: int) -> Hand:
        """The hand of a seat as calm as it is now."""
        return self.calms[seat].hand(self.own(seat))

    def spread(self, seat: int) -> Spread | None:
        """Spread of launches of a seat now; None: just where they are meant to go. A launcher is held free."""
        found = self.calms[seat].spread(self.own(seat)) if seat in self.calms else None
        loose = self.own(seat).loose
        return None if found is None else Spread(loose * found.turn, loose * found.speed, found.unrest)

    def gathered(self, seat: int) -> float | None:
        """Strength by now of a flick whose key is held, 0 to 1: it rises and falls. None when none is."""
        if seat not in self.charging:
            return None
        share = (self.charging[seat] / _CHARGE) % 2.0
        return share if share <= 1.0 else 2.0 - share

    def let_be(self) -> bool:
        """Stop pulling or charging; whether anything was."""
        if self.pull is not None:
            self.grip.turn, self.grip.speed, self.grip.tuned = self._before
            self.pull = None
            return True
        begun = [calm.forget() for calm in self.calms.values()]
        stopped = any(begun) or bool(self.charging)
        self.charging.clear()
        self._down.clear()
        return stopped

    # -- the mouse ------------------------------------------------------------------------------------------------

    def mouse(self, event: pygame.event.Event, view: IceView, scale: float) -> bool:
        """Take the mouse; true where it was for the launcher: left draws back and flicks, right slides it along the
        line."""
        grip = self.grip
        match event.type:
            case pygame.MOUSEBUTTONDOWN if event.button == 1 and view.area.collidepoint(event.pos):
                self.pull = (event.pos, event.pos)
                self.calms[self.seat].forget()
                self.calms[self.seat].trace(event.pos)
                self._before = (grip.turn, grip.speed, grip.tuned)
            case pygame.MOUSEBUTTONDOWN if event.button == 3 and self.pull is not None:
                self.let_be()
            case pygame.MOUSEBUTTONDOWN if event.button == 3 and view.on_table(event.pos):
                self._sliding = True
                self._slide(event.pos, view)
            case pygame.MOUSEMOTION if self._sliding:
                self._slide(event.pos, view)
            case pygame.MOUSEMOTION if self.pull is not None and self.calms[self.seat].gesture == "flick":
                self._stroked(event.pos, view, scale)
            case pygame.MOUSEMOTION if self.pull is not None:
                self._pulled(event.pos, scale)
            case pygame.MOUSEBUTTONUP if event.button == 3 and self._sliding:
                self._sliding = False
            case pygame.MOUSEBUTTONUP if event.button == 1 and self.pull is not None:
                strokes = self.calms[self.seat].gesture == "flick"
                far = 0.0 if strokes else self._pulled(event.pos, scale)
                self.pull = None
                if far > _DEAD:
                    self._flick(self.seat)
            case _:
                return False
        return True

    def _stroked(self, at: tuple[int, int], view: IceView, scale: float) -> None:
        """Follow the pointer; launch as it passes the launcher."""
        assert self.pull is not None
        calm, grip, before = self.calms[self.seat], self.grip, self.pull[1]
        self.pull = (self.pull[0], at)
        calm.trace(at)
        if not gestures.passes(before, at, view.camera.to_screen(grip.hold), _REACH * scale):
            return
        made = calm.made(scale)
        if made is None:
            return
        way, speed = made.azimuth - view.camera.turned, SPEED[0] + (SPEED[1] - SPEED[0]) * made.hard
        if grip.tuned:
            way, speed = gestures.drawn_to(way, speed, (grip.azimuth, grip.speed))
        grip.turn = 0.0
        grip.aim(half_turn(way - grip.place.forward))
        grip.push(speed - grip.speed)
        self.pull = None
        self._flick(self.seat)

    def _slide(self, at: tuple[int, int], view: IceView) -> None:
        x, y = view.camera.to_table(at)
        place = self.grip.place
        right = place.forward - pi / 2.0
        self.grip.shift((x - place.middle[0]) * cos(right) + (y - place.middle[1]) * sin(right) - self.grip.aside)

    def _pulled(self, at: tuple[int, int], scale: float) -> float:
        """Away from the hand: the farther, the stronger, and the other way. Returns how far it is drawn [units]."""
        assert self.pull is not None
        start, grip = self.pull[0], self.grip
        self.pull = (start, at)
        dx, dy = start[0] - at[0], start[1] - at[1]
        far = hypot(dx, dy) / scale
        grip.turn, grip.speed, grip.tuned = self._before
        if far > _DEAD:
            grip.turn = 0.0
            grip.aim(half_turn(atan2(-dy, dx) - grip.place.forward))
            grip.charge(min((far - _DEAD) / (_FULL - _DEAD), 1.0))
        return far

    # -- keys -----------------------------------------------------------------------------------------------------

    def key(self, event: pygame.event.Event) -> bool:
        """Take a key that went down; true where it was for a launcher."""
        if self.clusters:
            return self._several(event)
        return bool(self.people) and self._single(event)

    def released(self, event: pygame.event.Event) -> None:
        """A key came up: whoever was charging with it launches."""
        self._down.pop(event.key, None)
        for seat, cluster in self.clusters.items():
            share = self.gathered(seat)
            if event.key == cluster.flick and share is not None:
                self.grips[seat].charge(share)
                del self.charging[seat]
                self._flick(seat)

    def _several(self, event: pygame.event.Event) -> bool:
        """With several people each has a cluster of keys."""
        found = next(
            (
                (seat, one)
                for seat, one in self.clusters.items()
                if event.key in (one.left, one.right, one.size, one.flick)
            ),
            None,
        )
        if found is None:
            return False
        seat, cluster = found
        if event.key in self._down:
            return True  # held down: see `advance`
        self._down[event.key] = 0.0
        if event.key in (cluster.left, cluster.right):
            fine = 0.25 if event.mod & pygame.KMOD_SHIFT else 1.0
            self.grips[seat].aim(degrees(1.0) * fine * (1 if event.key == cluster.left else -1))
        elif event.key == cluster.size:
            self.take(seat, None)
        elif seat not in self.charging and self._course.free(seat):
            if self._course.table.started:
                self.charging[seat] = 0.0
            else:
                self._flick(seat)
        return True

    def _single(self, event: pygame.event.Event) -> bool:
        """One person has the keys of every other table: arrows aim and push, letters set the numbers."""
        grip, part = self.grip, 0.1 if event.mod & pygame.KMOD_SHIFT else 1.0
        word, way = ALONE.pressed(event)
        by = way * part
        match word:
            case "aim":
                grip.aim(-degrees(1.0) * by)
            case "push":
                grip.push(-0.05 * by)
            case "shift":
                grip.shift(mm(5.0) * by)
            case "slant":
                grip.slant = _within(grip.slant, -degrees(1.0) * by, SLANT)
            case "height":
                grip.height = _within(grip.height, mm(0.5) * by, HEIGHT)
            case "lift":
                grip.lift = _within(grip.lift, mm(5.0) * by, LIFT)
            case "reset":
                grip.reset()
            case _:
                return False
        return True


def _within(value: float, by: float, span: tuple[float, float]) -> float:
    return min(max(value + by, span[0]), span[1])
