"""The world cut upright: a pymunk Space that lives for one slice, stepped near contacts, leapt through free flight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import cos, hypot, inf, sin, sqrt

import pymunk

from flicksim.base.errors import Unsettled
from flicksim.base.geometry import Point
from flicksim.physics.settings import Settings
from flicksim.physics.slice.bodies import Part, Standing, apart, nests, standing
from flicksim.physics.slice.leap import Flight
from flicksim.table.landing import Fell, Hit, LandingEvent, Lay
from flicksim.table.material import Pairing
from flicksim.table.pyramid import Pyramid
from flicksim.table.solid import middle_of

_PIECE, _TABLE = 1, 2
_WALL, _FILL, _TOP = 1, 2, 4
"""What a shape is: a wall of a hollow piece, a whole outline for what cannot get in, the table."""
_KINDS = {
    "wall": pymunk.ShapeFilter(categories=_WALL, mask=_WALL | _TOP),
    "fill": pymunk.ShapeFilter(categories=_FILL, mask=_FILL),
    "both": pymunk.ShapeFilter(categories=_WALL | _FILL, mask=_WALL | _FILL | _TOP),
    "table": pymunk.ShapeFilter(categories=_TOP),
}
_THICK = 0.1
"""The table in the slice [m]: nothing goes through it in a step."""
_GONE = 0.03
"""A middle of mass this far below the table's top has left it [m]."""
_NEAR = 0.008
"""A piece joins the slice when one that moves comes this near [m]; between two looks nothing goes half as far."""
_LOOK = 3e-3
"""Between two looks at everything [s]."""
_LEAP = 2e-3
"""Shorter flights are stepped through [s]."""
_FREE = 5e-5
"""A lowest corner this high is free of the table [m]."""
_FLAT = 0.006
"""A tilt this near to a stable one, hardly moving, ends there [rad]."""
_CREEP = 0.025
"""So slow a piece that lies flat slides a tenth of a millimetre more at most [m/s]."""
_POINT = 5e-4
"""Contacts nearer to one another than this are one point [m]."""
_TIRED = 4.0
"""A piece may still creep faster, to count as at rest, as this power of the time it has taken over the patience [-]."""
_QUIET = 0.02
"""Pieces that hold one another must have been still for so long [s]."""
_AGAIN = 5e-3
"""Two pieces that part and meet within this have met once [s]."""
_NOTED = 0.03
"""Meetings slower than this are no events [m/s]."""


@dataclass(slots=True)
class Member:
    """A piece in the slice: as it was, its body, and what may meet it there."""

    piece: Pyramid
    stand: Standing
    body: pymunk.Body
    shapes: list[pymunk.Poly]
    near: list[str]
    reach: float
    track: list[tuple[float, float, float, float]] = field(default_factory=list)
    touched: bool = False
    loosened: bool = False

    @property
    def turned(self) -> float:
        """How far it has turned, tip towards +s [rad]."""
        return -float(self.body.angle)

    @property
    def moved(self) -> bool:
        """Whether it is not where it was."""
        x, z = self.body.position
        return hypot(x - self.stand.at[0], z - self.stand.at[1]) > 1e-7 or abs(self.body.angle) > 1e-6

    def state(self) -> tuple[float, float, float]:
        """s, z of the middle of its base, and tilt."""
        return self.state_at(self.body.position, self.turned)

    def state_at(self, middle: Point, turned: float) -> tuple[float, float, float]:
        """The same with its middle of mass there, turned so far."""
        x, z = middle
        c, s = cos(turned), sin(turned)
        bx, bz = self.stand.base
        return (x + bx * c + bz * s, z + bz * c - bx * s, self.stand.tilt + turned)


@dataclass(frozen=True, slots=True)
class Touch:
    """Where a piece is held at rest: by what, where [m], and the unit normal towards the piece."""

    other: str | None
    point: Point
    normal: Point


class SliceWorld:
    """What a plane cuts, in motion.

    Args:
        pieces: on the table. origin, azimuth: the plane [m, rad]. ground: from where to where there is table [m].
        piece_pair, table_pair: how pieces meet each other and the table. begin: counted from the flick [s].
    """

    def __init__(
        self,
        pieces: Iterable[Pyramid],
        origin: Point,
        azimuth: float,
        ground: tuple[float, float] | None,
        settings: Settings,
        piece_pair: Pairing,
        table_pair: Pairing,
        begin: float = 0.0,
    ) -> None:
        self.settings, self.how = settings, settings.slice
        self.origin, self.azimuth, self.ground = origin, azimuth, ground or (0.0, 0.0)
        self.time = self.begin = begin
        self.events: list[LandingEvent] = []
        self.members: dict[str, Member] = {}
        self.fallen: dict[str, float] = {}
        self.met = inf
        self._outside = {piece.id: piece for piece in pieces}
        self._stands: dict[str, Standing] = {}
        self._owner: dict[pymunk.Shape, str] = {}
        self._ways: dict[tuple[str, str], int] = {}
        self._lately: dict[tuple[str, str], float] = {}
        self._thrown = ""
        self._held: dict[str, list[Touch]] = {}
        self._quiet_since = inf
        self._shown = -inf
        self._bouncing = True
        self._friction, self._bounce = sqrt(piece_pair.friction), sqrt(piece_pair.restitution)
        self._space = space = pymunk.Space()
        space.gravity = (0.0, -settings.gravity)
        space.iterations = 20
        space.collision_slop = self.how.slop
        space.collision_bias = 1e-12
        space.sleep_time_threshold = 1e9
        if ground is not None:
            low, high = ground
            table = pymunk.Poly(space.static_body, [(low, -_THICK), (high, -_THICK), (high, 0.0), (low, 0.0)])
            table.friction = table_pair.friction / max(self._friction, 1e-9)
            table.elasticity = table_pair.restitution / max(self._bounce, 1e-9)
            table.collision_type, table.filter = _TABLE, _KINDS["table"]
            space.add(table)
        space.on_collision(_PIECE, _PIECE, begin=self._begin_pair)
        space.on_collision(_PIECE, _TABLE, begin=self._begin_table)

    # -- putting in ---------------------------------------------------------------------------------------------------

    def throw(self, missile: Pyramid, place: Point, velocity: Point, angle: float, spin: float) -> None:
        """A missile in the air: place of its middle of mass, velocity, and how it leans and turns, tip forward."""
        member = self._add(missile, standing(missile, self.origin, self.azimuth))
        body = member.body
        body.position, body.velocity, body.angle, body.angular_velocity = place, velocity, -angle, -spin
        member.track.append((self.time, *member.state()))
        self._thrown = missile.id

    def loosen(self, name: str) -> None:
        """A piece that nothing holds any more."""
        stand = self._stand(name)
        self._add(self._outside.pop(name), stand).loosened = True
        self._record()

    def _add(self, piece: Pyramid, stand: Standing) -> Member:
        body = pymunk.Body(piece.mass, inf if stand.held else stand.inertia)
        body.position = stand.at
        near = self._abreast(piece, stand)
        near += [name for name, member in self.members.items() if _beside(stand, member.stand)]
        member = Member(piece, stand, body, [], near, piece.shape.reach)
        self._space.add(body)
        if stand.walls:
            for wall in stand.walls:
                self._shape(member, wall, "wall")
        else:
            self._shape(member, stand.outline, "both")
        for name in near:
            if name in self.members:
                self.members[name].near.append(piece.id)
        self.members[piece.id] = member
        if len(self.members) > 1:
            for other in self.members.values():
                if other.stand.walls and len(other.shapes) == len(other.stand.walls):
                    self._shape(other, other.stand.outline, "fill")
        return member

    def _stand(self, name: str) -> Standing:
        """How a piece stands in this slice; found out for those that may matter."""
        found = self._stands.get(name)
        if found is None:
            found = self._stands[name] = standing(self._outside[name], self.origin, self.azimuth)
        return found

    def _abreast(self, piece: Pyramid, stand: Standing) -> list[str]:
        """Pieces not yet in the slice that reach the same lines along the plane."""
        c, q = cos(self.azimuth), sin(self.azimuth)
        (ox, oy), mine, reach = self.origin, stand.lateral, piece.shape.reach
        found = []
        for name, other in self._outside.items():
            x, y, _ = middle_of(other)
            if abs((y - oy) * c - (x - ox) * q - mine) < reach + other.shape.reach and _beside(
                stand, self._stand(name)
            ):
                found.append(name)
        return found

    def _shape(self, member: Member, outline: Part, kind: str) -> None:
        shape = pymunk.Poly(member.body, outline)
        shape.friction, shape.elasticity = self._friction, self._bounce if self._bouncing else 0.0
        shape.collision_type, shape.filter = _PIECE, _KINDS[kind]
        self._owner[shape] = member.piece.id
        member.shapes.append(shape)
        self._space.add(shape)

    def _awake(self) -> list[Member]:
        return [
            member for name, member in self.members.items() if name not in self.fallen and not member.body.is_sleeping
        ]

    def _gather(self, awake: Sequence[Member]) -> None:
        """Let in what those that move come near to."""
        for member in awake:
            x, _ = member.body.position
            reach = member.reach + _NEAR
            for name in member.near:
                if name in self._outside:
                    there = self._stand(name)
                    if there.low - reach < x < there.high + reach:
                        self._add(self._outside.pop(name), there).body.sleep()

    # -- meeting ------------------------------------------------------------------------------------------------------

    def _begin_pair(self, arbiter: pymunk.Arbiter, space: pymunk.Space, data: object) -> None:
        del space, data
        a, b = arbiter.shapes
        one, other = self._owner[a], self._owner[b]
        way = self._way(one, other)
        if not way & a.filter.categories & b.filter.categories:
            arbiter.process_collision = False
            return
        for name, on in ((one, other), (other, one)):
            self.members[name].touched = True
            if not self.members[name].body.is_sleeping:
                self._note(name, on, arbiter)

    def _begin_table(self, arbiter: pymunk.Arbiter, space: pymunk.Space, data: object) -> None:
        del space, data
        one, other = arbiter.shapes
        self._note(self._owner.get(one) or self._owner[other], "surface", arbiter)

    def _way(self, one: str, other: str) -> int:
        """How two pieces meet: walls with walls where one may take in the other's tip, else as wholes; 0 not at all,
        where they do not reach the same lines along the plane or stood beside one another."""
        key = (min(one, other), max(one, other))
        known = self._ways.get(key)
        if known is None:
            a, b = self.members[one], self.members[other]
            mouth = max(a.piece.shape.hollow_base, b.piece.shape.hollow_base)
            hollow = nests(a.stand, b.stand, mouth)
            meet = _beside(a.stand, b.stand) and (self._thrown in key or apart(a.stand, b.stand, hollow))
            known = (_WALL if hollow else _FILL) if meet else 0
            self._ways[key] = known
        return known

    def nested(self, one: str, other: str) -> bool:
        """Whether one of two pieces may have taken in the other's tip here."""
        return self._way(one, other) == _WALL

    def _note(self, name: str, on: str, arbiter: pymunk.Arbiter) -> None:
        """An event, unless they have only just parted or hardly move."""
        self.met = min(self.met, self.time)
        last, self._lately[name, on] = self._lately.get((name, on), -inf), self.time
        points = arbiter.contact_point_set
        if self.time - last < _AGAIN or not points.points:
            return
        at = points.points[0].point_a
        a, b = arbiter.bodies
        nx, nz = arbiter.normal
        (ax, az), (bx, bz) = a.velocity_at_world_point(at), b.velocity_at_world_point(at)
        speed = abs((bx - ax) * nx + (bz - az) * nz)
        if speed >= _NOTED:
            place = self.on_table(at[0], self.members[name].stand.lateral)
            self.events.append(Hit(t=self.time, piece=name, on=on, point=place, height=max(0.0, at[1]), speed=speed))

    def on_table(self, s: float, lateral: float) -> Point:
        """A point of the slice in plan [m]."""
        c, q = cos(self.azimuth), sin(self.azimuth)
        return (self.origin[0] + s * c - lateral * q, self.origin[1] + s * q + lateral * c)

    # -- moving -------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Go on until everything rests or is gone.

        Raises:
            Unsettled: it would not; names what still moves.
        """
        while awake := self._awake():
            if len(awake) == 1 and self._leap(awake[0]):
                continue
            self._gather(awake)
            self._step(awake)
            self._drop(awake)
            awake = self._awake()
            if awake and self._at_rest(awake):
                break
            late = self.time - self.begin
            if late > self.how.patience:
                self._space.damping = 0.1
            if late > 4.0 * self.how.patience:
                names = ", ".join(repr(member.piece.id) for member in awake)
                raise Unsettled(f"after {late:.1f} s {names} still moved")
        self._record()
        for name, member in self.members.items():
            if name not in self.fallen and member.moved:
                x, _ = member.body.position
                at = self.on_table(x, member.stand.lateral)
                self.events.append(Lay(t=self.time, piece=name, point=at))

    def energy(self) -> float:
        """Of everything in the slice that is on the table, in motion and in height [J]."""
        total = 0.0
        for name, member in self.members.items():
            if name not in self.fallen:
                body, mass = member.body, member.piece.mass
                turning = 0.0 if member.stand.held else 0.5 * body.moment * body.angular_velocity**2
                total += 0.5 * mass * body.velocity.length**2 + turning + mass * self.settings.gravity * body.position.y
        return total

    def _leap(self, member: Member) -> bool:
        """Through free flight at once, to the next meeting."""
        body, g = member.body, self.settings.gravity
        corners = member.stand.outline
        flight = Flight(body.position, body.velocity, body.angle, body.angular_velocity, corners, g)
        if flight.lowest(0.0) < _FREE:
            return False
        until = min([flight.lands(self.ground), *(self._reaches(flight, member, name) for name in member.near)])
        if until < _LEAP:
            return False
        begin, t = self.time, 0.0
        while t < until:
            t = min(until, t + self.how.frame)
            place, velocity, angle = flight.at(t)
            self.time = begin + t
            member.track.append((self.time, *member.state_at(place, -angle)))
        body.position, body.velocity, body.angle = place, velocity, angle
        self._shown = self.time
        self._drop([member])
        return True

    def _reaches(self, flight: Flight, member: Member, name: str) -> float:
        """When at the earliest a flight comes near a piece [s]."""
        if name in self.members:
            if name in self.fallen:
                return inf
            other = self.members[name]
            (x, z), r = other.body.position, other.reach
            low, high, top = x - r, x + r, z + r
        else:
            stand = self._stand(name)
            low, high, top = stand.low, stand.high, stand.top
        clear = member.reach + _NEAR / 2.0
        low, high, top = low - clear, high + clear, top + clear
        if flight.vx == 0.0:
            come, go = (0.0, inf) if low < flight.x < high else (inf, inf)
        else:
            come, go = sorted(((low - flight.x) / flight.vx, (high - flight.x) / flight.vx))
        come = max(0.0, come)
        up, down = flight.above(top)
        if come > go:
            return inf
        if up > down or come < up:
            return come
        when = max(come, down)
        return when if when <= go else inf

    def _step(self, awake: Sequence[Member]) -> None:
        """A few steps, until the next look."""
        fastest = 1e-9
        for member in awake:
            vx, vz = member.body.velocity
            fastest = max(fastest, hypot(vx, vz) + abs(member.body.angular_velocity) * member.reach)
        self._soften(awake, fastest)
        how = self.how
        dt = min(how.longest, max(how.shortest, how.step / fastest))
        step = self._space.step
        for _ in range(max(1, min(16, int(_LOOK / dt)))):
            step(dt)
            self.time += dt
        if self.time - self._shown >= how.frame:
            self._record()

    def _soften(self, awake: Sequence[Member], fastest: float) -> None:
        """What hardly moves does not bounce: it would do so for ever, ever lower."""
        bouncing = fastest > self.how.gentle
        if bouncing != self._bouncing:
            self._bouncing = bouncing
            for member in awake:
                for shape in member.shapes:
                    shape.elasticity = self._bounce if bouncing else 0.0

    def _drop(self, awake: Iterable[Member]) -> None:
        """What is below the table's edge has left."""
        for member in awake:
            x, z = member.body.position
            if z < -_GONE:
                name = member.piece.id
                self.fallen[name] = self.time
                self._space.remove(member.body, *member.shapes)
                at = self.on_table(x, member.stand.lateral)
                self.events.append(Fell(t=self.time, piece=name, point=at))

    # -- resting ------------------------------------------------------------------------------------------------------

    def touches(self, member: Member) -> list[Touch]:
        """Where a piece is held now."""
        found: list[Touch] = []

        def collect(arbiter: pymunk.Arbiter) -> None:
            shapes = arbiter.shapes
            mine = shapes[0].body is member.body
            other = self._owner.get(shapes[1] if mine else shapes[0])
            nx, nz = arbiter.normal
            sign = -1.0 if mine else 1.0
            for point in arbiter.contact_point_set.points:
                at = point.point_a if mine else point.point_b
                found.append(Touch(other, (at[0], at[1]), (sign * nx, sign * nz)))

        member.body.each_arbiter(collect)
        return found

    def _at_rest(self, awake: Sequence[Member]) -> bool:
        """Whether all that was awake has come to rest, in attitudes in which it can stay."""
        slow = calm = True
        late = max(1.0, (self.time - self.begin) / self.how.patience)
        still = self.how.still * late**_TIRED
        for member in awake:
            vx, vz = member.body.velocity
            speed = hypot(vx, vz) + abs(member.body.angular_velocity) * member.reach
            slow = slow and speed < max(_CREEP, still)
            calm = calm and speed < still
        if not slow:
            self._held.clear()
            return False
        now = {member.piece.id: self.touches(member) for member in awake}
        if all(_flat(member, now[member.piece.id]) for member in awake):
            return True
        if not calm:
            self._held.clear()
            return False
        # contacts come and go while pieces are pressed on one another: all of a while are taken together
        self._quiet_since = min(self._quiet_since, self.time) if self._held else self.time
        for name, touches in now.items():
            self._held.setdefault(name, []).extend(touches)
        if self.time - self._quiet_since < _QUIET:
            return False
        falling = [(member, _balanced(member, self._held[member.piece.id])) for member in awake]
        self._held.clear()
        for member, way in falling:
            if way and not member.stand.held:
                member.body.angular_velocity -= 0.1 * way  # nothing stays on a point: it goes the way it leans
        return late > 2.0 or not any(way and not member.stand.held for member, way in falling)

    # -- telling ------------------------------------------------------------------------------------------------------

    def _record(self) -> None:
        self._shown = self.time
        for name, member in self.members.items():
            if name not in self.fallen and (member.track or member.touched or not member.body.is_sleeping):
                if not member.track:
                    member.track.append((self.begin, *member.stand.start()))
                member.track.append((self.time, *member.state()))


def _beside(a: Standing, b: Standing) -> bool:
    """Whether two pieces reach the same lines along the plane."""
    return min(a.span[1], b.span[1]) - max(a.span[0], b.span[0]) > 1e-4


def _flat(member: Member, held: Sequence[Touch]) -> bool:
    """Whether a piece lies or stands on the table alone, on a whole face, its middle over it."""
    if not held or any(touch.other is not None for touch in held):
        return False
    x, _ = member.body.position
    sides = [touch.point[0] for touch in held]
    return min(sides) < x < max(sides) and max(sides) - min(sides) > 0.25 * member.piece.shape.base


def _balanced(member: Member, held: Sequence[Touch]) -> float:
    """Which way a piece would fall that is only balanced: +1 or -1 along the plane; 0 when it is held."""
    if not held:
        return 0.0
    x, _ = member.body.position
    low, high = min(touch.point[0] for touch in held), max(touch.point[0] for touch in held)
    wide = high - low > _POINT
    if wide and (low < x < high or any(touch.other is not None for touch in held)):
        return 0.0
    return 1.0 if x >= (low + high) / 2.0 else -1.0
