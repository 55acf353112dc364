"""The world cut upright: a pymunk Space that lives for one slice, stepped near contacts, leapt through free flight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, inf, sin, sqrt

import pymunk

from flicksim.base.errors import Unsettled
from flicksim.base.geometry import Point
from flicksim.physics.settings import Settings
from flicksim.physics.slice.bodies import Part, Standing, apart, beside, nests, standing
from flicksim.physics.slice.leap import Flight
from flicksim.physics.slice.member import Member, Touch, balanced, flat
from flicksim.physics.slice.outside import Outside
from flicksim.physics.slice.stepping import stepped
from flicksim.table.landing import Fell, Hit, LandingEvent, Lay
from flicksim.table.material import Pairing
from flicksim.table.pyramid import Pyramid

_PIECE, _TABLE = 1, 2
_WALL, _FILL, _TOP = 1, 2, 4
"""What a shape is: a wall of a hollow piece, a whole outline for the table and for what cannot get in, the table."""
_KINDS = {
    "wall": pymunk.ShapeFilter(categories=_WALL, mask=_WALL),
    "whole": pymunk.ShapeFilter(categories=_FILL, mask=_FILL | _TOP),
    "both": pymunk.ShapeFilter(categories=_WALL | _FILL, mask=_WALL | _FILL | _TOP),
    "table": pymunk.ShapeFilter(categories=_TOP),
}
_THICK = 0.1
"""The table in the slice [m]: nothing goes through it in a step."""
_GONE = 0.03
"""A middle of mass this far below the table's top has left it [m]."""
_NEAR = 0.008
"""A piece joins the slice when one that moves comes this near [m]; between two looks nothing goes half as far."""
_LOOK = 5e-3
"""Between two looks at everything [s]."""
_LEAP = 2e-3
"""Shorter flights are stepped through [s]."""
_FREE = 5e-5
"""A lowest corner this high is free of the table [m]."""
_CREEP = 0.025
"""So slow a piece that lies flat slides a tenth of a millimetre more at most [m/s]."""
_TIRED = 4.0
"""A piece may still creep faster, to count as at rest, as this power of the time it has taken over the patience [-]."""
_QUIET = 0.02
"""Pieces that hold one another must have been still for so long [s]."""
_AGAIN = 5e-3
"""Two pieces that part and meet within this have met once [s]."""
_NOTED = 0.03
"""Meetings slower than this are no events [m/s]."""


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
        self._outside = Outside(pieces, origin, azimuth)
        self._owner: dict[pymunk.Shape, str] = {}
        self._ways: dict[tuple[str, str], int] = {}
        self._lately: dict[tuple[str, str], float] = {}
        self._thrown = ""
        self._held: dict[str, list[Touch]] = {}
        self._quiet_since = inf
        self._shown = -inf
        self._budget = 0.0
        self._stuck_until = begin
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
        self._budget = sum(self.energy())

    def loosen(self, name: str) -> None:
        """A piece that nothing holds any more."""
        self._add(*self._outside.take(name)).loosened = True
        self._record()

    def _add(self, piece: Pyramid, stand: Standing) -> Member:
        body = pymunk.Body(piece.mass, inf if stand.held else stand.inertia)
        body.position = stand.at
        reach = piece.shape.reach
        near = [member for member in self.members.values() if beside(stand, member.stand)]
        member = Member(piece, stand, body, [], self._outside.abreast(stand, reach + _NEAR), near, reach)
        self._space.add(body)
        self._shape(member, stand.outline, "whole" if stand.walls else "both")
        for other in near:
            other.near.append(member)
        self.members[piece.id] = member
        self._budget += piece.mass * self.settings.gravity * stand.at[1]
        if len(self.members) > 1:
            for other in self.members.values():
                if other.stand.walls and len(other.shapes) == 1:
                    for wall in other.stand.walls:
                        self._shape(other, wall, "wall")
        return member

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
            x, z = member.body.position
            for name in [box[3] for box in member.ahead if box[0] < x < box[1] and z < box[2]]:
                if not self._ahead(member, name):
                    member.ahead = [box for box in member.ahead if box[3] != name]
                    continue
                there, reach = self._outside.stand(name), member.reach + _NEAR
                if there.low - reach < x < there.high + reach:
                    self._add(*self._outside.take(name)).body.sleep()

    def _ahead(self, member: Member, name: str) -> bool:
        """Whether a piece is outside still and on the same lines along the plane as one inside."""
        return name in self._outside and beside(member.stand, self._outside.stand(name))

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
            meet = beside(a.stand, b.stand) and (self._thrown in key or apart(a.stand, b.stand, hollow))
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
            if self._leap(awake):
                continue
            self._gather(awake)
            self._step(awake)
            self._bound(self._awake())
            self._drop(awake)
            awake = self._hush(self._awake())
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

    def energy(self) -> tuple[float, float]:
        """Of everything in the slice that is on the table: in motion, and in height [J]."""
        shares = [self._share(member) for name, member in self.members.items() if name not in self.fallen]
        return sum(share[0] for share in shares), sum(share[1] for share in shares)

    def _share(self, member: Member) -> tuple[float, float]:
        """Of one piece."""
        body, mass = member.body, member.piece.mass
        (vx, vz), spin = body.velocity, body.angular_velocity
        turning = 0.0 if member.stand.held else body.moment * spin * spin
        return 0.5 * (mass * (vx * vx + vz * vz) + turning), mass * self.settings.gravity * body.position[1]

    def _bound(self, awake: Sequence[Member]) -> None:
        """Steps are short, not nothing: what turns on a corner is lifted by a hair in each, and motion pays for it."""
        moving, lifted = self.energy()
        if moving > 0.0 and moving + lifted > self._budget:
            keep = sqrt(max(0.0, self._budget - lifted) / moving)
            for member in awake:
                member.body.velocity = member.body.velocity * keep
                member.body.angular_velocity *= keep
            moving *= keep * keep
        self._budget = moving + lifted

    def _leap(self, awake: Sequence[Member]) -> bool:
        """Through free flight at once, to the next meeting."""
        if self.time < self._stuck_until:
            return False
        flights = []
        for member in awake:
            body = member.body
            flight = Flight(
                body.position, body.velocity, body.angle, body.angular_velocity, member.stand.outline,
                self.settings.gravity,
            )  # fmt: skip
            if flight.lowest(0.0) < _FREE:
                return False
            flights.append(flight)
        until = min(flight.above(-flight.reach)[1] for flight in flights)
        for i, (member, flight) in enumerate(zip(awake, flights, strict=True)):
            for other, beyond in zip(awake[:i], flights, strict=False):
                if other in member.near:
                    until = min(until, flight.nears(beyond, member.reach + other.reach))
            until = self._meets(flight, member, until)
            if until < _LEAP:
                self._stuck_until = self.time + 2.0 * _LEAP
                return False
            until = flight.lands(self.ground, until)
        if until < _LEAP:
            return False
        begin, t = self.time, 0.0
        while t < until:
            t = min(until, t + self.how.frame)
            self.time = begin + t
            for member, flight in zip(awake, flights, strict=True):
                place, _, angle = flight.at(t)
                member.track.append((self.time, *member.state_at(place, -angle)))
        for member, flight in zip(awake, flights, strict=True):
            member.body.position, member.body.velocity, member.body.angle = flight.at(until)
        self._shown = self.time
        self._drop(awake)
        return True

    def _meets(self, flight: Flight, member: Member, latest: float) -> float:
        """When at the earliest a flight comes near a piece at rest, or the latest time that matters [s]."""
        for other in member.near:
            if other.body.is_sleeping and other.piece.id not in self.fallen:
                (x, z), r = other.body.position, other.reach + member.reach
                if (soon := flight.enters(x - r, x + r, z + r)) < latest:
                    latest = flight.reaches(other.outline(), soon, latest)
        for low, high, top, name in member.ahead:
            if latest < _LEAP:
                break
            if (soon := flight.enters(low, high, top)) < latest and self._ahead(member, name):
                there = self._outside.stand(name)
                x, z = there.at
                latest = flight.reaches([(x + px, z + pz) for px, pz in there.outline], soon, latest)
        return latest

    def _step(self, awake: Sequence[Member]) -> None:
        """A few steps, until the next look."""
        fastest = max(1e-9, *[member.speed for member in awake])
        self._soften(fastest)
        how = self.how
        longest = min(how.longest, max(how.shortest, how.step / fastest))
        count = max(1, min(16, int(_LOOK / longest)))
        stepped(self._space, longest, count)
        self.time += count * longest
        if self.time - self._shown >= how.frame:
            self._record()

    def _soften(self, fastest: float) -> None:
        """What hardly moves does not bounce: it would do so for ever, ever lower."""
        bouncing = fastest > self.how.gentle
        if bouncing != self._bouncing:
            self._bouncing = bouncing
            for member in self.members.values():
                for shape in member.shapes:
                    shape.elasticity = self._bounce if bouncing else 0.0

    def _drop(self, awake: Iterable[Member]) -> None:
        """What is below the table's edge has left."""
        for member in awake:
            x, z = member.body.position
            if z < -_GONE:
                name = member.piece.id
                self.fallen[name] = self.time
                self._budget -= sum(self._share(member))
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

    def _hush(self, awake: list[Member]) -> list[Member]:
        """Of several that move, those on a whole face of theirs that hardly do so are at rest until they are met."""
        if len(awake) < 2:
            return awake
        quiet = [member for member in awake if member.speed < _CREEP and flat(member, self.touches(member))]
        if len(quiet) == len(awake):
            return awake
        for member in quiet:
            member.body.velocity, member.body.angular_velocity = (0.0, 0.0), 0.0
            member.body.sleep()
        return [member for member in awake if member not in quiet]

    def _at_rest(self, awake: Sequence[Member]) -> bool:
        """Whether all that was awake has come to rest, in attitudes in which it can stay."""
        slow = calm = True
        late = max(1.0, (self.time - self.begin) / self.how.patience)
        still = self.how.still * late**_TIRED
        for member in awake:
            speed = member.speed
            slow = slow and speed < max(_CREEP, still)
            calm = calm and speed < still
        if not slow:
            self._held.clear()
            return False
        now = {member.piece.id: self.touches(member) for member in awake}
        if all(flat(member, now[member.piece.id]) for member in awake):
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
        falling = [(member, balanced(member, self._held[member.piece.id])) for member in awake]
        self._held.clear()
        for member, way in falling:
            if way and not member.stand.held:
                member.body.angular_velocity -= 0.1 * way  # nothing stays on a point: it goes the way it leans
                self._budget += 0.5 * member.body.moment * 0.1**2
        return late > 2.0 or not any(way and not member.stand.held for member, way in falling)

    # -- telling ------------------------------------------------------------------------------------------------------

    def _record(self) -> None:
        self._shown = self.time
        for name, member in self.members.items():
            if name not in self.fallen and (member.track or member.touched or not member.body.is_sleeping):
                if not member.track:
                    member.track.append((self.begin, *member.stand.start()))
                member.track.append((self.time, *member.state()))
