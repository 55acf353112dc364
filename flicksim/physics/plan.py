"""The world seen from above.

Between impacts every piece glides straight to rest by a law known in closed form (`friction.Glide`), so the world
leaps from one happening to the next: the next meeting, stop or fall. What a meeting does is `impact`'s, in an instant.
A step so never takes a piece through anything, slides are exact, and the cost does not grow with the way.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from flicksim.base.errors import BadFlick, Unsettled
from flicksim.base.geometry import Point, crossing, distance, inside
from flicksim.physics.friction import INERTIA, Glide
from flicksim.physics.impact import SKIN, Impacts, State
from flicksim.physics.settings import Settings
from flicksim.physics.strike import finger
from flicksim.table.flick import Flick
from flicksim.table.motion import Crossed, Event, Landed, Left, Motion, Rested, Struck, Touched, Tracks
from flicksim.table.piece import Piece
from flicksim.table.pot import Pot
from flicksim.table.scene import Scene

DEEP = 3e-7
"""Depth to which a touch too gentle to be an impact may sink in before it is one after all [m]: a fast spinning piece
pushes on slowly for a long way, and what rests may not overlap by more than a scene allows."""
CREEP = 1e-7
"""Slower than this [m/s] nothing sinks in noticeably in any shot."""
BLINK = 1e-4
"""Pieces that touch are looked at no more often than this [s]; meanwhile they sink in by some 1e-8 m at most."""
TOGETHER = 1e-9
"""Meetings within this of one another [s] are one impact: a mirrored pair of hits stays a pair."""


class Run:
    """One piece's glide from its last impact on: when and where it began, which way, and when it ends.

    Args:
        end: when it stops or falls [s]. falls: whether it leaves the surface then.
    """

    __slots__ = ("angle", "begin", "end", "falls", "glide", "ux", "uy", "x", "y")

    def __init__(self, begin: float, x: float, y: float, angle: float, ux: float, uy: float, glide: Glide) -> None:
        self.begin, self.x, self.y, self.angle = begin, x, y, angle
        self.ux, self.uy, self.glide = ux, uy, glide
        self.end, self.falls = begin + glide.stop, False


class PlanWorld:
    """A scene in motion, for one flick: all of it that stays in the plane. A pot's foot stands in it as a fixed circle.

    Raises:
        BadScene: the scene has materials the table of pairings does not know.
    """

    def __init__(self, scene: Scene, settings: Settings) -> None:
        self.scene = scene
        self.settings = settings
        self.pieces = scene.pieces
        self.time = 0.0
        self.impacts = 0
        self.events: list[Event] = []
        board, outline = scene.surface.material, scene.surface.outline
        self._edges = [(outline[i - 1], outline[i]) for i in range(len(outline))]
        self._pull = [settings.pairings.of(p.material, board).friction * settings.gravity for p in scene.pieces]
        self._radius = [p.radius for p in scene.pieces]
        self._rest: list[tuple[float, float, float]] = [(p.x, p.y, p.angle) for p in scene.pieces]
        self._on = [True] * len(scene.pieces)
        self._runs: dict[int, Run] = {}
        self._meetings: dict[tuple[int, int], float] = {}
        self._knots: list[tuple[float, dict[int, State]]] = []
        things, pot = scene.pieces, scene.surface.pot
        self._foot = len(things) if pot is not None else -1
        if pot is not None:
            things += (_foot(pot, max((p.thickness for p in things), default=0.0)),)
            self._rest.append((pot.x, pot.y, 0.0))
            self._on.append(True)
        self._things = things
        self._impacts = Impacts(things, settings, fixed=self._foot)

    def strike(self, index: int, velocity: Point, spin: float) -> None:
        """Send a piece off with this velocity [m/s] and spin [rad/s]."""
        self._knot()
        self.events.append(Struck(t=self.time, piece=self.pieces[index].id, velocity=velocity, spin=spin))
        self._send(index, velocity[0], velocity[1], spin)
        self._foresee([index])
        self._knot()

    def run(self) -> None:
        """Go on until everything rests.

        Raises:
            Unsettled: it would not; names what still moves.
        """
        while self._runs:
            if self.time > self.settings.max_time or self.impacts > self.settings.max_impacts:
                names = ", ".join(repr(self.pieces[i].id) for i in sorted(self._runs))
                raise Unsettled(f"after {self.time:.1f} s and {self.impacts} impacts {names} still moved")
            self.leap()

    def _due(self) -> tuple[float, float]:
        """Times at which the next piece stops or falls, and the next two meet [s]."""
        return min((run.end for run in self._runs.values()), default=inf), min(self._meetings.values(), default=inf)

    def leap(self) -> None:
        """Go on to the next happening: the first meeting, stop or fall."""
        end, meeting = self._due()
        if end == inf and meeting == inf:
            raise Unsettled("without friction nothing that moves would ever stop or meet anything")
        self._frames_until(min(end, meeting))
        self.time = min(end, meeting)
        if meeting <= end:
            self._impact([pair for pair, when in self._meetings.items() if when <= meeting + TOGETHER])
        else:
            ended = [i for i, run in self._runs.items() if run.end <= self.time]
            self._knot()  # where what ends was last: it may be struck again, or be gone
            for i in ended:
                self._finish(i)
            self._foresee(ended)
        self._knot()

    def state(self, i: int) -> State:
        """Place, angle, velocity and spin of piece i now [m, m, rad, m/s, m/s, rad/s]; NaN when it has left."""
        run = self._runs.get(i)
        if run is None:
            return (*self._rest[i], 0.0, 0.0, 0.0) if self._on[i] else _GONE
        way, turn, speed, rim = run.glide.at(self.time - run.begin)
        ux, uy = run.ux, run.uy
        return (run.x + ux * way, run.y + uy * way, run.angle + turn, ux * speed, uy * speed, rim / self._radius[i])

    def energy(self) -> float:
        """Kinetic energy of everything on the surface [J]."""
        total = 0.0
        for i in self._runs:
            _, _, _, vx, vy, spin = self.state(i)
            total += 0.5 * self.pieces[i].mass * (vx * vx + vy * vy + INERTIA * (self._radius[i] * spin) ** 2)
        return total

    # -- gliding --------------------------------------------------------------------------------------------------

    def _send(self, i: int, vx: float, vy: float, spin: float) -> None:
        """Give piece i a new motion from where it is."""
        x, y, angle, *_ = self.state(i)
        speed = sqrt(vx * vx + vy * vy)
        ux, uy = (vx / speed, vy / speed) if speed > 0.0 else (1.0, 0.0)
        glide = Glide(speed, spin * self._radius[i], self._radius[i], self._pull[i], self.pieces[i].ring)
        run = Run(self.time, x, y, angle, ux, uy, glide)
        edge = self._way_to_edge(x, y, ux, uy)
        if edge < glide.length:
            run.end, run.falls = self.time + glide.time_at(edge), True
        self._runs[i] = run

    def _way_to_edge(self, x: float, y: float, ux: float, uy: float) -> float:
        """Distance to the edge that way [m]."""
        nearest = inf
        for (ax, ay), (bx, by) in self._edges:
            ex, ey = bx - ax, by - ay
            outward = ux * ey - uy * ex
            if outward > 0.0:
                nearest = min(nearest, ((ax - x) * ey - (ay - y) * ex) / outward)
        return max(0.0, nearest)

    def _finish(self, i: int) -> None:
        """Piece i stops here or falls."""
        x, y, angle, vx, vy, _ = self.state(i)
        self._crossings(i, (x, y))
        run = self._runs.pop(i)
        name = self.pieces[i].id
        if run.falls:
            self._on[i] = False
            self.events.append(Left(t=self.time, piece=name, point=(x, y), velocity=(vx, vy)))
        else:
            self._rest[i] = (x, y, angle)
            self.events.append(Rested(t=self.time, piece=name, point=(x, y)))

    def _crossings(self, i: int, end: Point) -> None:
        """Write down the lines piece i has crossed on its present run."""
        run = self._runs[i]
        begin = (run.x, run.y)
        for line in self.scene.surface.lines:
            part = crossing(begin, end, line.a, line.b)
            if part is None:
                continue
            point = (begin[0] + part * (end[0] - begin[0]), begin[1] + part * (end[1] - begin[1]))
            when = run.begin + run.glide.time_at(part * distance(begin, end))
            forward = (line.b[0] - line.a[0]) * run.uy - (line.b[1] - line.a[1]) * run.ux > 0.0
            self.events.append(
                Crossed(t=min(when, self.time), piece=self.pieces[i].id, line=line.name, point=point, forward=forward)
            )

    def _apart(self, a: int, b: int) -> float:
        """Distance of the middle of piece a from that of thing b where they touch [m]."""
        if b == self._foot:
            pot = self.scene.surface.pot
            assert pot is not None
            return self._radius[a] + foot_radius(pot, self.pieces[a].thickness)
        return self._radius[a] + self._radius[b]

    # -- meeting --------------------------------------------------------------------------------------------------

    def _foresee(self, changed: list[int]) -> None:
        """Work out anew when the pieces whose motion changed meet the others."""
        meetings, runs = self._meetings, self._runs
        for pair in [pair for pair in meetings if pair[0] in changed or pair[1] in changed]:
            del meetings[pair]
        for a in changed:
            if not self._on[a]:
                continue
            for b in range(len(self._things)):
                if b == a or not self._on[b] or (b < a and b in changed):
                    continue
                if a in runs:
                    when = self._meet_moving(a, b) if b in runs else self._meet_resting(a, b)
                else:
                    when = self._meet_resting(b, a) if b in runs else None
                if when is not None:
                    meetings[(a, b) if a < b else (b, a)] = when

    def _meet_resting(self, a: int, b: int) -> float | None:
        """Time at which gliding a meets resting b: where its straight way enters the circle of both radii."""
        run, (bx, by, _) = self._runs[a], self._rest[b]
        glide = run.glide
        dx, dy = bx - run.x, by - run.y
        along, aside = dx * run.ux + dy * run.uy, dx * run.uy - dy * run.ux
        apart = self._apart(a, b)
        if along <= 0.0 or aside * aside >= apart * apart or along - apart > glide.length:
            return None
        for reach, least in ((apart, self.settings.gentle), (apart - DEEP, CREEP)):
            if aside * aside >= reach * reach:
                return None
            inward = sqrt(reach * reach - aside * aside)
            when = max(glide.time_at(along - inward), self.time - run.begin)
            if not when < run.end - run.begin:
                return None
            way, speed = glide.slid(when)
            if along - way <= 0.0:
                return None
            ahead = along - way
            if speed * ahead / sqrt(ahead * ahead + aside * aside) > least:
                return run.begin + when
        return None

    def _meet_moving(self, a: int, b: int) -> float | None:
        """Time at which two gliding pieces meet.

        The gap g closes at c, and c grows no faster than the two decelerations together allow (turning about one
        another only opens it). So no meeting comes before the root of g = c t + (pull_a + pull_b) t^2 / 2; stepping to
        that root again and again reaches the meeting and never overshoots it.
        """
        ra, rb = self._runs[a], self._runs[b]
        last = min(ra.end, rb.end)
        reach = self._radius[a] + self._radius[b]
        slack = self._pull[a] + self._pull[b]
        gentle = self.settings.gentle
        if _pass_by(ra, rb, reach) or _pass_by(rb, ra, reach):
            return None
        slid_a, slid_b = ra.glide.slid, rb.glide.slid
        to_go = reach + ra.glide.length + rb.glide.length
        t = self.time
        for _ in range(60):
            wa, va = slid_a(t - ra.begin)
            wb, vb = slid_b(t - rb.begin)
            dx, dy = rb.x + rb.ux * wb - ra.x - ra.ux * wa, rb.y + rb.uy * wb - ra.y - ra.uy * wa
            d = sqrt(dx * dx + dy * dy)
            if d + wa + wb > to_go:
                return None  # what way they have left cannot bring them together
            gap = d - reach
            c = ((ra.ux * va - rb.ux * vb) * dx + (ra.uy * va - rb.uy * vb) * dy) / d
            if gap <= SKIN:
                if c > gentle or (gap <= -DEEP and c > CREEP):
                    return t
                sink = max(gap + DEEP, 0.0)
                if c > 0.0:
                    t += max(2.0 * sink / (c + sqrt(c * c + 2.0 * slack * sink)), BLINK)
                elif slack > 0.0:
                    t += max(-c / slack, BLINK)
                else:
                    return None
            else:
                root = c * c + 2.0 * slack * gap
                if c > 0.0:
                    t += 2.0 * (gap - 0.5 * SKIN) / (c + sqrt(root))
                elif slack > 0.0:
                    t += (sqrt(root) - c) / slack
                else:
                    return None
            if t >= last:
                return None
        return t  # not there yet: looked at again then

    # -- impacts --------------------------------------------------------------------------------------------------

    def _impact(self, pairs: list[tuple[int, int]]) -> None:
        """Resolve these pairs at once, those of them that do touch and close."""
        closing: dict[tuple[int, int], float] = {}
        states = {i: self.state(i) for pair in pairs for i in pair}
        touched = list[Event]()
        for a, b in sorted(pairs):
            (ax, ay, _, avx, avy, _), (bx, by, _, bvx, bvy, _) = states[a], states[b]
            dx, dy = bx - ax, by - ay
            d = sqrt(dx * dx + dy * dy)
            nx, ny = dx / d, dy / d
            speed = (avx - bvx) * nx + (avy - bvy) * ny
            gap = d - self._apart(a, b)
            if (gap <= 2.0 * SKIN and speed > 0.5 * self.settings.gentle) or (gap <= 0.0 and speed > 0.5 * CREEP):
                closing[a, b] = speed
                point = (ax + nx * self._radius[a], ay + ny * self._radius[a])
                touched.append(self._touch(a, b, point, (nx, ny), speed))
        involved = sorted({i for pair in closing for i in pair})
        self.impacts += 1
        for i in involved:
            if i in self._runs:
                self._crossings(i, states[i][:2])
        self.events += touched
        self._knot()
        for i, motion in self._impacts.resolve({i: states[i] for i in involved}, closing).items():
            if i != self._foot:
                self._send(i, *motion)
        self._foresee(sorted(states.keys() - {self._foot}))

    def _touch(self, a: int, b: int, point: Point, normal: Point, speed: float) -> Touched | Landed:
        """The report of a meeting."""
        piece = self.pieces[a].id
        if b == self._foot:
            return Landed(t=self.time, piece=piece, on="pot", point=point, speed=speed)
        return Touched(t=self.time, piece=piece, other=self.pieces[b].id, point=point, normal=normal, speed=speed)

    # -- its account ----------------------------------------------------------------------------------------------

    def _knot(self) -> None:
        self._knots.append((self.time, {i: self.state(i) for i in self._runs}))

    def _frames_until(self, t: float) -> None:
        """Knots on the way to t while anything spins; a pure slide needs none."""
        count = int((t - self.time) / self.settings.frame) if t < inf else 0
        if count and any(run.glide.w > 0.0 for run in self._runs.values()):
            begin = self.time
            for k in range(1, count + 1):
                self.time = begin + (t - begin) * k / (count + 1)
                self._knot()
            self.time = begin

    def account(self, flick: Flick) -> Motion:
        """All of it as a frozen value."""
        events = sorted(self.events, key=lambda event: event.t)
        return Motion(
            before=self.scene,
            flick=flick,
            after=self._resting(),
            events=tuple(events),
            tracks=self._tracks(),
            duration=self.time,
        )

    def _tracks(self) -> Tracks:
        """The knots as arrays that cannot be written to."""
        now: list[State] = [(p.x, p.y, p.angle, 0.0, 0.0, 0.0) for p in self.pieces]
        rows: list[list[State]] = []
        moving: dict[int, State] = {}
        last = {i: k for k, (_, those) in enumerate(self._knots) for i in those}
        for k, (_, those) in enumerate(self._knots):
            for i in moving.keys() - those.keys():
                gone = k > last[i] and not self._on[i]
                now[i] = _GONE if gone else (*now[i][:3], 0.0, 0.0, 0.0)
            for i, state in those.items():
                now[i] = state
            moving = those
            rows.append(now.copy())
        times = np.array([t for t, _ in self._knots])
        states = np.array(rows)
        times.setflags(write=False)
        states.setflags(write=False)
        return Tracks(ids=tuple(p.id for p in self.pieces), times=times, states=states)

    def _resting(self) -> Scene:
        """The pieces on the surface now, places of what moved kept to the nanometre."""
        moved = {event.piece for event in self.events if isinstance(event, Rested)}
        surface = self.scene.surface
        pieces = tuple(
            _moved(p, *surface.kept(self._rest[i][:2]), self._rest[i][2]) if p.id in moved else p
            for i, p in enumerate(self.pieces)
            if self._on[i]
        )
        return Scene(surface=self.scene.surface, pieces=pieces)


def _pass_by(a: Run, b: Run, reach: float) -> bool:
    """True if all of b's way lies beside the line of a's, or before or behind all of it, by more than `reach`."""
    dx, dy = b.x - a.x, b.y - a.y
    ux, uy, way, length = a.ux, a.uy, b.glide.length, a.glide.length
    begin, end = dy * ux - dx * uy, (dy + b.uy * way) * ux - (dx + b.ux * way) * uy
    if (begin > reach and end > reach) or (begin < -reach and end < -reach):
        return True
    begin, end = dx * ux + dy * uy, (dx + b.ux * way) * ux + (dy + b.uy * way) * uy
    return (begin > length + reach and end > length + reach) or (begin < -reach and end < -reach)


def foot_radius(pot: Pot, thickness: float) -> float:
    """Radius of a pot to a flat piece of that thickness, which meets it with its upper or lower edge [m]."""
    return max(pot.outer(0.0), pot.outer(thickness))


def _foot(pot: Pot, thickness: float) -> Piece:
    """The pot as a thing of the plane, as wide as it is to the thickest piece."""
    radius = foot_radius(pot, thickness)
    return Piece(id="pot", kind="pot", x=pot.x, y=pot.y, radius=radius, mass=1.0, material=pot.material)


_GONE = (float("nan"),) * 6


def _moved(piece: Piece, x: float, y: float, angle: float) -> Piece:
    return Piece(
        id=piece.id, kind=piece.kind, x=x, y=y, radius=piece.radius, mass=piece.mass,
        material=piece.material, owner=piece.owner, thickness=piece.thickness, ring=piece.ring, angle=round(angle, 9),
    )  # fmt: skip


def settle_flick(scene: Scene, flick: Flick, settings: Settings) -> Motion:
    """Flick a piece and let the table come to rest. Pure: the same scene, flick and settings give the same bits.

    Raises:
        BadScene: pieces overlap, lie off the surface, or have unknown materials.
        BadFlick: the piece is not there, or cannot be put where the flick starts.
        Unsettled: it would not come to rest; names what still moved.
    """
    before = scene
    if not scene.has(flick.piece):
        there = ", ".join(repr(p.id) for p in scene.pieces) or "none"
        raise BadFlick(f"there is no piece {flick.piece!r} to flick; pieces on the table: {there}")
    if flick.start is not None:
        before = scene.moved(flick.piece, flick.start)
        if not inside(flick.start, scene.surface.outline):
            raise BadFlick(f"start {flick.start!r} of {flick.piece!r} is off the surface")
    world = PlanWorld(before.checked(), settings)
    index = next(i for i, p in enumerate(before.pieces) if p.id == flick.piece)
    velocity, spin = finger(before.pieces[index], flick, settings.nail_friction)
    world.strike(index, velocity, spin)
    world.run()
    return world.account(flick)
