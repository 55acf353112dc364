"""Winks in motion on one clock: what lies flat glides in the world seen from above, all else is the height layer's.

A wink that has lain flat for a moment, with a way before it that is clear of all that is not flat, goes over to the
plane with its place, velocity and spin. There the law of friction runs it down in closed form, and pymunk resolves its
hits with other flat winks and the pot's foot. It goes back with what it then has where it comes to anything that leans
or lies on another, to the mat's edge, or when something awake comes near its way. Meanwhile the height layer flies on
from one happening of the plane to the next.
"""

from __future__ import annotations

from dataclasses import replace
from math import cos, inf
from typing import Final

import numpy as np

from flicksim.base.errors import Unsettled
from flicksim.base.geometry import Point
from flicksim.physics.flight import POT, Flight, FlightResult, Impact
from flicksim.physics.flight.advance import FLAT, LATE, MET, RESTED
from flicksim.physics.flight.bodies import CX, CY, CZ, FROZEN, HALF, NX, NY, NZ, RADIUS, REACH, STATE
from flicksim.physics.impact import State
from flicksim.physics.plan import PlanWorld, Run
from flicksim.physics.settings import Settings
from flicksim.table.motion import Landed, Touched
from flicksim.table.scene import Scene

_LEVEL: Final = cos(0.002)
"""|n.z| of a resting wink that lies level; contact depth tilts it a little."""
_ON_FELT: Final = 2e-5
"""Largest distance from its place on the felt of a centre that lies there [m]."""
_ROOM: Final = 2e-4
"""Nearer than this to what is not flat a glide is over [m]."""
NEARBY: Final = 5e-4
"""A way that keeps so far from all else surely comes to nothing [m]."""
SHORTEST: Final = 1e-3
"""A glide that the height layer would have back sooner is not begun [s]."""


class Plane(PlanWorld):
    """The mat of a scene seen from above, with those of its winks that lie flat.

    Attributes:
        halted: what winks had as they came to something that is not the plane's; they have left it.
        ways: every run that is over: whose, until when [s], and the run.
    """

    def __init__(self, scene: Scene, settings: Settings) -> None:
        super().__init__(scene, settings)
        for i in range(len(self.pieces)):
            self._on[i] = False
        self._stops: dict[int, float] = {}
        self.halted: dict[int, State] = {}
        self.ways: list[tuple[int, float, Run]] = []

    @property
    def gliding(self) -> list[int]:
        """The pieces that glide."""
        return list(self._runs)

    @property
    def due(self) -> float:
        """Time at which something happens next [s]; never, when nothing glides."""
        return min(self._due())

    def lay(self, flat: dict[int, Point], stops: dict[int, tuple[Point, float]]) -> None:
        """All that rests: flat winks, and those at which a glide is over: where they lie and how far they reach [m]."""
        self._stops = {i: reach for i, (_, reach) in stops.items()}
        places = flat | {i: at for i, (at, _) in stops.items()}
        for i in range(len(self.pieces)):
            if i not in self._runs:
                self._on[i] = i in places
                if i in places:
                    self._rest[i] = (*places[i], 0.0)

    def enter(self, motions: dict[int, tuple[float, float, float, float, float]]) -> None:
        """Have these glide from now on (then `foresee`): place, velocity and spin [m, m, m/s, m/s, rad/s]."""
        for i, (x, y, vx, vy, spin) in motions.items():
            self._on[i], self._rest[i] = True, (x, y, 0.0)
            self._stops.pop(i, None)
            self._send(i, vx, vy, spin)

    def foresee(self) -> None:
        """Look for all that those who glide will meet."""
        self._foresee(self.gliding)

    def leave(self, i: int) -> State:
        """Piece i is not the plane's any more: what it had."""
        had = self.state(i)
        self._over(i)
        del self._runs[i]
        self._on[i] = False
        self._foresee([i])
        return had

    def end(self, i: int) -> Point:
        """Place at which piece i comes to rest, or to the edge, unless it meets something [m]."""
        run = self._runs[i]
        way, _ = run.glide.slid(run.end - run.begin)
        return (run.x + run.ux * way, run.y + run.uy * way)

    def halt(self, i: int) -> float:
        """Time at which piece i comes to what is not the plane's, as far as is known [s]."""
        run = self._runs[i]
        stops = (
            when for (a, b), when in self._meetings.items() if i in (a, b) and (a in self._stops or b in self._stops)
        )
        return min(min(stops, default=inf), run.end if run.falls else inf)

    # -- what is other than with coins on a board -----------------------------------------------------------------

    def _apart(self, a: int, b: int) -> float:
        return self._radius[a] + self._stops[b] if b in self._stops else super()._apart(a, b)

    def _send(self, i: int, vx: float, vy: float, spin: float) -> None:
        self._over(i)
        super()._send(i, vx, vy, spin)

    def _finish(self, i: int) -> None:
        if self._runs[i].falls:
            self.halted[i] = self.leave(i)
        else:
            self._over(i)
            super()._finish(i)

    def _impact(self, pairs: list[tuple[int, int]]) -> None:
        for pair in pairs:
            for i, other in (pair, pair[::-1]):
                if other in self._stops and i in self._runs:
                    self.halted[i] = self.leave(i)
        if left := [pair for pair in pairs if not any(i in self._stops or i in self.halted for i in pair)]:
            super()._impact(left)

    def _over(self, i: int) -> None:
        """Keep the way of piece i, whose run is over now."""
        run = self._runs.get(i)
        if run is not None and run.begin < self.time:
            self.ways.append((i, self.time, run))

    def _knot(self) -> None:
        """Nothing: the height layer keeps the knots of all winks."""

    def _frames_until(self, t: float) -> None:
        """Nothing, as above."""


class Mat:
    """The winks of a scene in motion.

    Args:
        scene: as it lay before. flight: its winks, about to move.
    """

    def __init__(self, scene: Scene, flight: Flight, settings: Settings) -> None:
        self.scene, self.flight, self.settings = scene, flight, settings
        self._plane: Plane | None = None
        self._seen: bytes = b""
        self._impacts: list[Impact] = []
        self._why = LATE

    def run(self, seconds: float) -> bool:
        """Go on until all rests, or for so long; whether all rests.

        Raises:
            Unsettled: there were more impacts than settings allow; names what still moves.
        """
        limit = self.flight.time + seconds
        while True:
            due = self._plane.due if self._plane is not None else inf
            self._why = self.flight.go_on(min(due, limit))
            if self._why == FLAT:
                self._hand_over()
            elif self._why == MET:
                self._take_back()
            elif self._why == RESTED and due == inf:
                return True
            elif self._why == RESTED or due <= limit:
                self._leap(self._plane or self._new_plane())
            else:
                return False

    def account(self) -> FlightResult:
        """All of it as the height layer tells it, the plane's part filled in. Whatever still glides is taken back."""
        plane = self._plane
        if plane is None:
            return self.flight.account(self._why)
        plane.time = self.flight.time
        for i in plane.gliding:
            self._back(i, plane.leave(i))
        result = self.flight.account(self._why)
        for i, end, run in plane.ways:
            first, last = np.searchsorted(result.times, run.begin, "left"), np.searchsorted(result.times, end, "right")
            for k in range(int(first), int(last)):
                way, _ = run.glide.slid(float(result.times[k]) - run.begin)
                result.track[k, i, :2] = run.x + run.ux * way, run.y + run.uy * way
        impacts = sorted((*result.impacts, *self._impacts), key=lambda impact: impact.time)
        return replace(result, impacts=tuple(impacts))

    # -- from one to the other ------------------------------------------------------------------------------------

    def _new_plane(self) -> Plane:
        self._plane = Plane(self.scene, self.settings)
        return self._plane

    def _hand_over(self) -> None:
        """Give the plane what lies flat with a clear way before it."""
        flight, plane = self.flight, self._plane or self._new_plane()
        plane.time = flight.time
        motions = {i: flight.motion(i) for i in flight.flat()}
        plane.enter(motions)
        ends = {i: plane.end(i) for i in motions}
        if may := flight.may_glide(ends):
            self._lay_out(plane)
            plane.foresee()
            if soon := [i for i in may if plane.halt(i) < plane.time + SHORTEST]:
                for i in soon:
                    flight.waits(i)
                may = flight.may_glide({i: ends[i] for i in may if i not in soon})
        for i, (x, y, *_) in motions.items():
            if i in may:
                flight.glides(i, x, y, ends[i])
            else:
                plane.leave(i)
                flight.waits(i)

    def _take_back(self) -> None:
        """Take back those near whose way something awake has come."""
        flight, plane = self.flight, self._plane
        assert plane is not None
        plane.time = flight.time
        for i in plane.gliding:
            x, y, *_ = plane.state(i)
            flight.glides(i, x, y, plane.end(i))
        for i in plane.gliding:
            if flight.in_the_way(i):
                self._back(i, plane.leave(i))

    def _back(self, i: int, had: State) -> None:
        x, y, _, vx, vy, spin = had
        self.flight.flies(i, x, y, (vx, vy), spin)

    def _leap(self, plane: Plane) -> None:
        """Go on to the next happening of the plane."""
        if plane.impacts > self.settings.max_impacts:
            names = ", ".join(repr(plane.pieces[i].id) for i in plane.gliding)
            raise Unsettled(f"after {plane.time:.1f} s and {plane.impacts} impacts {names} still moved")
        if self._lay_out(plane):
            plane.foresee()  # it may be another, or later
            return
        before, told = plane.gliding, len(plane.events)
        had = plane.energy()
        plane.leap()
        self.flight.skip(plane.time)
        self.flight.gained(plane.energy() - had)
        for i in sorted({*before, *plane.gliding}):
            if i in plane.halted:
                self._back(i, plane.halted.pop(i))
                continue
            x, y, *_ = plane.state(i)
            if i in plane.gliding:
                self.flight.glides(i, x, y, plane.end(i))
            else:
                self.flight.rests(i, x, y)
        for event in plane.events[told:]:
            if isinstance(event, Touched | Landed):
                self._note(plane, event)

    def _note(self, plane: Plane, event: Touched | Landed) -> None:
        """A meeting in the plane as one of the touches of the whole."""
        names = [piece.id for piece in plane.pieces]
        i = names.index(event.piece)
        against = names.index(event.other) if isinstance(event, Touched) else POT
        point = (*event.point, plane.pieces[i].thickness / 2.0)
        self._impacts.append(
            Impact(time=event.t, until=event.t, disc=i, against=against, speed=event.speed, point=point)
        )

    def _lay_out(self, plane: Plane) -> bool:
        """Tell the plane what lies flat in it now, and what else stands on the mat; whether that was news."""
        b = self.flight.bodies
        resting = b[:, STATE] == FROZEN
        if (seen := (b[:, [CX, CY, CZ, NZ]] * resting[:, None]).tobytes()) == self._seen:
            return False
        self._seen = seen
        x, y, z, radius, half, reach = (b[:, q] for q in (CX, CY, CZ, RADIUS, HALF, REACH))
        low = z - radius * np.hypot(b[:, NX], b[:, NY]) - half * np.abs(b[:, NZ])
        flat = resting & (np.abs(b[:, NZ]) >= _LEVEL) & (np.abs(z - half) < _ON_FELT)
        pot = self.scene.surface.pot
        stops = resting & ~flat & (low < 2.0 * half.max() + _ROOM)
        if pot is not None:
            for i in np.flatnonzero(stops).tolist():
                stops[i] = not pot.holds((x[i], y[i]), z[i])
        for i in np.flatnonzero(stops).tolist():
            under = np.hypot(x - x[i], y - y[i]) < radius + reach[i] + _ON_FELT
            stops |= flat & under & (low[i] < 2.0 * half + _ON_FELT)
        plane.lay(
            {i: (float(x[i]), float(y[i])) for i in np.flatnonzero(flat & ~stops).tolist()},
            {i: ((float(x[i]), float(y[i])), float(reach[i]) + _ROOM) for i in np.flatnonzero(stops).tolist()},
        )
        return True
