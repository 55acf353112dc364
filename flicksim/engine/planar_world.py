"""Event-driven simulation of discs that slide in the plane.

Between impacts every piece slides straight to rest by a law known in closed form (`friction.SlidingDisc`), so time
advances from event to event: the next collision, stop or fall. Collisions are resolved in an instant by
`collision_response`. No piece can tunnel through another, slides are exact, and the cost does not grow with distance.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from flicksim.core.counting import count_of
from flicksim.core.errors import DidNotSettle, InvalidAction
from flicksim.core.geometry import Point, distance, is_inside_convex, segment_intersection
from flicksim.engine.collision_response import CONTACT_MARGIN, DiscState, ImpactSolver
from flicksim.engine.friction import INERTIA_FACTOR, SlidingDisc
from flicksim.engine.initial_motion import flick_velocity
from flicksim.engine.settings import Settings
from flicksim.scene.flick import Flick
from flicksim.scene.piece import Piece
from flicksim.scene.pot import Pot
from flicksim.scene.scene import Scene
from flicksim.scene.trajectory import (
    CameToRest,
    Collision,
    Event,
    Landed,
    LeftSurface,
    LineCrossed,
    Struck,
    Tracks,
    Trajectory,
)

PENETRATION_TOLERANCE = 3e-7
"""Depth at which contact below the elastic threshold is treated as an impact after all [m]: a fast spinning piece
pushes on slowly over a long distance, and pieces at rest may not overlap by more than a scene allows."""
CREEP_SPEED = 1e-7
"""Approach speed below which penetration stays negligible in any shot [m/s]."""
MIN_RECHECK_TIME = 1e-4
"""Shortest time between checks of two touching pieces [s]; meanwhile they penetrate by some 1e-8 m at most."""
SIMULTANEITY_TOLERANCE = 1e-9
"""Collisions within this of one another are resolved together [s]: a mirrored pair of hits stays a pair."""


class TrajectorySegment:
    """Straight slide of one piece since its last impact.

    Attributes:
        start_time, x, y, angle: time [s], position [m] and angle [rad] at which it began.
        dir_x, dir_y: unit vector of the direction of travel.
        slide: speed and rotation along it.
        end_time: time at which the piece stops or falls [s].
        falls_off: True if it leaves the surface then.
    """

    __slots__ = ("angle", "dir_x", "dir_y", "end_time", "falls_off", "slide", "start_time", "x", "y")

    def __init__(
        self, begin: float, x: float, y: float, angle: float, ux: float, uy: float, glide: SlidingDisc
    ) -> None:
        self.start_time, self.x, self.y, self.angle = begin, x, y, angle
        self.dir_x, self.dir_y, self.slide = ux, uy, glide
        self.end_time, self.falls_off = begin + glide.stop_time, False


class PlanarWorld:
    """Discs of a scene in motion during one flick. The foot of a pot takes part as a fixed circle.

    Raises:
        InvalidScene: the scene has materials without a known pairing.
    """

    def __init__(self, scene: Scene, settings: Settings) -> None:
        self.scene = scene
        self.settings = settings
        self.pieces = scene.pieces
        self.time = 0.0
        self.impact_count = 0
        self.events: list[Event] = []
        board, outline = scene.surface.material, scene.surface.outline
        self._edges = [(outline[i - 1], outline[i]) for i in range(len(outline))]
        self._friction_deceleration = [
            settings.pairings.lookup(p.material, board).friction * settings.gravity for p in scene.pieces
        ]
        self._radius = [p.radius for p in scene.pieces]
        self._rest_poses: list[tuple[float, float, float]] = [(p.x, p.y, p.angle) for p in scene.pieces]
        self._on_surface = [True] * len(scene.pieces)
        self._segments: dict[int, TrajectorySegment] = {}
        self._collision_times: dict[tuple[int, int], float] = {}
        self._keyframes: list[tuple[float, dict[int, DiscState]]] = []
        things, pot = scene.pieces, scene.surface.pot
        self._pot_index = len(things) if pot is not None else -1
        if pot is not None:
            radius = pot_foot_radius(pot, max((p.thickness for p in things), default=0.0))  # for the thickest piece
            foot = Piece(id="pot", kind="pot", x=pot.x, y=pot.y, radius=radius, mass=1.0, material=pot.material)
            things += (foot,)
            self._rest_poses.append((pot.x, pot.y, 0.0))
            self._on_surface.append(True)
        self._bodies = things
        self._impact_solver = ImpactSolver(things, settings, fixed=self._pot_index)

    def set_velocity(self, index: int, velocity: Point, spin: float) -> None:
        """Set a piece in motion with this velocity [m/s] and spin [rad/s]."""
        self._record_keyframe()
        self.events.append(Struck(t=self.time, piece=self.pieces[index].id, velocity=velocity, spin=spin))
        self._start_slide(index, velocity[0], velocity[1], spin)
        self._update_collision_times([index])
        self._record_keyframe()

    def run(self) -> None:
        """Simulate until everything is at rest.

        Raises:
            DidNotSettle: a limit was reached; names the pieces that still move.
        """
        while self._segments:
            end, limit = min(self._next_event_times()), self.settings.max_time
            if limit < end < inf or self.impact_count > self.settings.max_impacts:
                names = ", ".join(repr(self.pieces[i].id) for i in sorted(self._segments))
                impacts = count_of(self.impact_count, "impact")
                raise DidNotSettle(f"after {min(end, limit):.3g} s and {impacts} {names} still moved")
            self.step_to_next_event()

    def _next_event_times(self) -> tuple[float, float]:
        """Time of the next stop or fall, and of the next collision [s]; inf if there is none."""
        return min((segment.end_time for segment in self._segments.values()), default=inf), min(
            self._collision_times.values(), default=inf
        )

    def step_to_next_event(self) -> None:
        """Advance to the next event: a collision, stop or fall."""
        end, collision = self._next_event_times()
        if end == inf and collision == inf:
            raise DidNotSettle("without friction nothing that moves would ever stop or meet anything")
        self._record_keyframes_until(min(end, collision))
        self.time = min(end, collision)
        if collision <= end:
            self._resolve_collisions(
                [pair for pair, when in self._collision_times.items() if when <= collision + SIMULTANEITY_TOLERANCE]
            )
        else:
            ended = [i for i, segment in self._segments.items() if segment.end_time <= self.time]
            self._record_keyframe()  # last pose of what ends: it may be struck again, or leave
            for i in ended:
                self._end_slide(i)
            self._update_collision_times(ended)
        self._record_keyframe()

    def state(self, i: int) -> DiscState:
        """Position, angle, velocity and spin of piece i now [m, m, rad, m/s, m/s, rad/s]; NaN once it has left."""
        segment = self._segments.get(i)
        if segment is None:
            return (*self._rest_poses[i], 0.0, 0.0, 0.0) if self._on_surface[i] else _OFF_SURFACE
        travelled, rotation, speed, rim = segment.slide.state_at(self.time - segment.start_time)
        ux, uy = segment.dir_x, segment.dir_y
        x, y, angle = segment.x + ux * travelled, segment.y + uy * travelled, segment.angle + rotation
        return x, y, angle, ux * speed, uy * speed, rim / self._radius[i]

    def energy(self) -> float:
        """Kinetic energy of everything on the surface [J]."""
        total = 0.0
        for i in self._segments:
            _, _, _, vx, vy, spin = self.state(i)
            total += 0.5 * self.pieces[i].mass * (vx * vx + vy * vy + INERTIA_FACTOR * (self._radius[i] * spin) ** 2)
        return total

    # -- sliding --------------------------------------------------------------------------------------------------

    def _start_slide(self, i: int, vx: float, vy: float, spin: float) -> None:
        """Start a new slide of piece i from its present position."""
        x, y, angle, *_ = self.state(i)
        speed = sqrt(vx * vx + vy * vy)
        ux, uy = (vx / speed, vy / speed) if speed > 0.0 else (1.0, 0.0)
        slide = SlidingDisc(
            speed, spin * self._radius[i], self._radius[i], self._friction_deceleration[i], self.pieces[i].ring
        )
        segment = TrajectorySegment(self.time, x, y, angle, ux, uy, slide)
        edge_distance = self._distance_to_edge(x, y, ux, uy)
        if edge_distance < slide.stop_distance:
            segment.end_time, segment.falls_off = self.time + slide.time_at_distance(edge_distance), True
        self._segments[i] = segment

    def _distance_to_edge(self, x: float, y: float, ux: float, uy: float) -> float:
        """Distance to the edge in that direction [m]."""
        nearest = inf
        for (ax, ay), (bx, by) in self._edges:
            ex, ey = bx - ax, by - ay
            outward = ux * ey - uy * ex
            if outward > 0.0:
                nearest = min(nearest, ((ax - x) * ey - (ay - y) * ex) / outward)
        return max(0.0, nearest)

    def _end_slide(self, i: int) -> None:
        """End the slide of piece i: it stops or falls off."""
        x, y, angle, vx, vy, _ = self.state(i)
        self._record_crossings(i, (x, y))
        segment = self._segments.pop(i)
        name = self.pieces[i].id
        if segment.falls_off:
            self._on_surface[i] = False
            self.events.append(LeftSurface(t=self.time, piece=name, point=(x, y), velocity=(vx, vy)))
        else:
            self._rest_poses[i] = (x, y, angle)
            self.events.append(CameToRest(t=self.time, piece=name, point=(x, y)))

    def _record_crossings(self, i: int, end: Point) -> None:
        """Record the lines that piece i has crossed in its present slide."""
        segment = self._segments[i]
        begin = (segment.x, segment.y)
        for line in self.scene.surface.lines:
            fraction = segment_intersection(begin, end, line.a, line.b)
            if fraction is None:
                continue
            point = (begin[0] + fraction * (end[0] - begin[0]), begin[1] + fraction * (end[1] - begin[1]))
            crossing_time = segment.start_time + segment.slide.time_at_distance(fraction * distance(begin, end))
            forward = (line.b[0] - line.a[0]) * segment.dir_y - (line.b[1] - line.a[1]) * segment.dir_x > 0.0
            t, piece = min(crossing_time, self.time), self.pieces[i].id
            self.events.append(LineCrossed(t=t, piece=piece, line=line.name, point=point, forward=forward))

    def _contact_distance(self, a: int, b: int) -> float:
        """Distance between the centres of piece a and body b at contact [m]."""
        if b == self._pot_index:
            pot = self.scene.surface.pot
            assert pot is not None
            return self._radius[a] + pot_foot_radius(pot, self.pieces[a].thickness)
        return self._radius[a] + self._radius[b]

    # -- collision detection --------------------------------------------------------------------------------------

    def _update_collision_times(self, changed: list[int]) -> None:
        """Recompute collision times of the pieces whose motion changed."""
        times, segments = self._collision_times, self._segments
        for pair in [pair for pair in times if pair[0] in changed or pair[1] in changed]:
            del times[pair]
        for a in changed:
            if not self._on_surface[a]:
                continue
            for b in range(len(self._bodies)):
                if b == a or not self._on_surface[b] or (b < a and b in changed):
                    continue
                if a in segments:
                    time = self._time_of_impact_moving(a, b) if b in segments else self._time_of_impact_resting(a, b)
                else:
                    time = self._time_of_impact_resting(b, a) if b in segments else None
                if time is not None:
                    times[(a, b) if a < b else (b, a)] = time

    def _time_of_impact_resting(self, a: int, b: int) -> float | None:
        """Time at which sliding a hits resting b: where its straight path enters the circle of both radii; None if
        never."""
        segment, (bx, by, _) = self._segments[a], self._rest_poses[b]
        slide = segment.slide
        dx, dy = bx - segment.x, by - segment.y
        along, aside = dx * segment.dir_x + dy * segment.dir_y, dx * segment.dir_y - dy * segment.dir_x
        contact_distance = self._contact_distance(a, b)
        if (
            along <= 0.0
            or aside * aside >= contact_distance * contact_distance
            or along - contact_distance > slide.stop_distance
        ):
            return None
        for radius, min_speed in (
            (contact_distance, self.settings.elastic_threshold),
            (contact_distance - PENETRATION_TOLERANCE, CREEP_SPEED),
        ):
            if aside * aside >= radius * radius:
                return None
            inward = sqrt(radius * radius - aside * aside)
            elapsed = max(slide.time_at_distance(along - inward), self.time - segment.start_time)
            if not elapsed < segment.end_time - segment.start_time:
                return None
            travelled, speed = slide.distance_and_speed(elapsed)
            if along - travelled <= 0.0:
                return None
            ahead = along - travelled
            if speed * ahead / sqrt(ahead * ahead + aside * aside) > min_speed:
                return segment.start_time + elapsed
        return None

    def _time_of_impact_moving(self, a: int, b: int) -> float | None:
        """Time at which two sliding pieces collide; None if they do not. Conservative advancement.

        The gap g closes at c, and c grows no faster than the two decelerations together allow (rotation about one
        another only opens it). So no collision comes before the root of g = c t + (decel_a + decel_b) t^2 / 2;
        stepping to that root repeatedly reaches the collision and never overshoots it.
        """
        ra, rb = self._segments[a], self._segments[b]
        last = min(ra.end_time, rb.end_time)
        contact_distance = self._radius[a] + self._radius[b]
        deceleration = self._friction_deceleration[a] + self._friction_deceleration[b]
        threshold = self.settings.elastic_threshold
        if _cannot_collide(ra, rb, contact_distance) or _cannot_collide(rb, ra, contact_distance):
            return None
        motion_a, motion_b = ra.slide.distance_and_speed, rb.slide.distance_and_speed
        max_distance = contact_distance + ra.slide.stop_distance + rb.slide.stop_distance
        t = self.time
        for _ in range(60):
            wa, va = motion_a(t - ra.start_time)
            wb, vb = motion_b(t - rb.start_time)
            dx, dy = rb.x + rb.dir_x * wb - ra.x - ra.dir_x * wa, rb.y + rb.dir_y * wb - ra.y - ra.dir_y * wa
            d = sqrt(dx * dx + dy * dy)
            if d + wa + wb > max_distance:
                return None  # the distance they have left cannot bring them together
            gap = d - contact_distance
            closing = ((ra.dir_x * va - rb.dir_x * vb) * dx + (ra.dir_y * va - rb.dir_y * vb) * dy) / d
            if gap <= CONTACT_MARGIN:
                if closing > threshold or (gap <= -PENETRATION_TOLERANCE and closing > CREEP_SPEED):
                    return t
                remaining = max(gap + PENETRATION_TOLERANCE, 0.0)
                if closing > 0.0:
                    t += max(
                        2.0 * remaining / (closing + sqrt(closing * closing + 2.0 * deceleration * remaining)),
                        MIN_RECHECK_TIME,
                    )
                elif deceleration > 0.0:
                    t += max(-closing / deceleration, MIN_RECHECK_TIME)
                else:
                    return None
            else:
                root = closing * closing + 2.0 * deceleration * gap
                if closing > 0.0:
                    t += 2.0 * (gap - 0.5 * CONTACT_MARGIN) / (closing + sqrt(root))
                elif deceleration > 0.0:
                    t += (sqrt(root) - closing) / deceleration
                else:
                    return None
            if t >= last:
                return None
        return t  # not yet in contact: checked again then

    # -- impacts --------------------------------------------------------------------------------------------------

    def _resolve_collisions(self, pairs: list[tuple[int, int]]) -> None:
        """Resolve together those of these pairs that touch and approach."""
        closing: dict[tuple[int, int], float] = {}
        states = {i: self.state(i) for pair in pairs for i in pair}
        touched = list[Event]()
        for a, b in sorted(pairs):
            (ax, ay, _, avx, avy, _), (bx, by, _, bvx, bvy, _) = states[a], states[b]
            dx, dy = bx - ax, by - ay
            d = sqrt(dx * dx + dy * dy)
            nx, ny = dx / d, dy / d
            speed = (avx - bvx) * nx + (avy - bvy) * ny
            gap = d - self._contact_distance(a, b)
            if (gap <= 2.0 * CONTACT_MARGIN and speed > 0.5 * self.settings.elastic_threshold) or (
                gap <= 0.0 and speed > 0.5 * CREEP_SPEED
            ):
                closing[a, b] = speed
                point = (ax + nx * self._radius[a], ay + ny * self._radius[a])
                touched.append(self._collision_event(a, b, point, (nx, ny), speed))
        involved = sorted({i for pair in closing for i in pair})
        self.impact_count += 1
        for i in involved:
            if i in self._segments:
                self._record_crossings(i, states[i][:2])
        self.events += touched
        self._record_keyframe()
        for i, motion in self._impact_solver.resolve({i: states[i] for i in involved}, closing).items():
            if i != self._pot_index:
                self._start_slide(i, *motion)
        self._update_collision_times(sorted(states.keys() - {self._pot_index}))

    def _collision_event(self, a: int, b: int, point: Point, normal: Point, speed: float) -> Collision | Landed:
        """Event of a collision with another piece or with the pot."""
        piece = self.pieces[a].id
        if b == self._pot_index:
            return Landed(t=self.time, piece=piece, on="pot", point=point, speed=speed)
        return Collision(t=self.time, piece=piece, other=self.pieces[b].id, point=point, normal=normal, speed=speed)

    # -- recording ------------------------------------------------------------------------------------------------

    def _record_keyframe(self) -> None:
        self._keyframes.append((self.time, {i: self.state(i) for i in self._segments}))

    def _record_keyframes_until(self, t: float) -> None:
        """Record evenly spaced keyframes up to time t while anything spins; a pure slide needs none."""
        count = int((t - self.time) / self.settings.output_interval) if t < inf else 0
        if count and any(segment.slide.rim_speed > 0.0 for segment in self._segments.values()):
            begin = self.time
            for k in range(1, count + 1):
                self.time = begin + (t - begin) * k / (count + 1)
                self._record_keyframe()
            self.time = begin

    def to_trajectory(self, flick: Flick) -> Trajectory:
        """Return the whole simulation as a frozen value."""
        events = sorted(self.events, key=lambda event: event.t)
        return Trajectory(
            before=self.scene,
            flick=flick,
            after=self._final_scene(),
            events=tuple(events),
            tracks=self._tracks(),
            duration=self.time,
        )

    def _tracks(self) -> Tracks:
        """Keyframes as read-only arrays."""
        current: list[DiscState] = [(p.x, p.y, p.angle, 0.0, 0.0, 0.0) for p in self.pieces]
        rows: list[list[DiscState]] = []
        moving: dict[int, DiscState] = {}
        last = {i: k for k, (_, states_by_piece) in enumerate(self._keyframes) for i in states_by_piece}
        for k, (_, states_by_piece) in enumerate(self._keyframes):
            for i in moving.keys() - states_by_piece.keys():
                has_left = k > last[i] and not self._on_surface[i]
                current[i] = _OFF_SURFACE if has_left else (*current[i][:3], 0.0, 0.0, 0.0)
            for i, state in states_by_piece.items():
                current[i] = state
            moving = states_by_piece
            rows.append(current.copy())
        times = np.array([t for t, _ in self._keyframes])
        states = np.array(rows)
        times.setflags(write=False)
        states.setflags(write=False)
        return Tracks(ids=tuple(p.id for p in self.pieces), times=times, states=states)

    def _final_scene(self) -> Scene:
        """Pieces on the surface now, with moved positions rounded to the nanometre."""
        moved = {event.piece for event in self.events if isinstance(event, CameToRest)}
        surface = self.scene.surface
        pieces = tuple(
            _with_pose(p, *surface.round_inside(self._rest_poses[i][:2]), self._rest_poses[i][2])
            if p.id in moved
            else p
            for i, p in enumerate(self.pieces)
            if self._on_surface[i]
        )
        return Scene(surface=self.scene.surface, pieces=pieces)


def _cannot_collide(a: TrajectorySegment, b: TrajectorySegment, contact_distance: float) -> bool:
    """True if b's whole path stays farther than `contact_distance` from a's: beside its line, before or behind it."""
    dx, dy = b.x - a.x, b.y - a.y
    ux, uy, length_b, length_a = a.dir_x, a.dir_y, b.slide.stop_distance, a.slide.stop_distance
    begin, end = dy * ux - dx * uy, (dy + b.dir_y * length_b) * ux - (dx + b.dir_x * length_b) * uy
    if (begin > contact_distance and end > contact_distance) or (begin < -contact_distance and end < -contact_distance):
        return True
    begin, end = dx * ux + dy * uy, (dx + b.dir_x * length_b) * ux + (dy + b.dir_y * length_b) * uy
    return (begin > length_a + contact_distance and end > length_a + contact_distance) or (
        begin < -contact_distance and end < -contact_distance
    )


def pot_foot_radius(pot: Pot, thickness: float) -> float:
    """Radius of a pot for a flat piece of that thickness, which touches it with its upper or lower edge [m]."""
    return max(pot.outer_radius(0.0), pot.outer_radius(thickness))


_OFF_SURFACE = (float("nan"),) * 6


def _with_pose(piece: Piece, x: float, y: float, angle: float) -> Piece:
    return Piece(
        id=piece.id, kind=piece.kind, x=x, y=y, radius=piece.radius, mass=piece.mass,
        material=piece.material, owner=piece.owner, thickness=piece.thickness, ring=piece.ring, angle=round(angle, 9),
    )  # fmt: skip


def simulate_flick(scene: Scene, flick: Flick, settings: Settings) -> Trajectory:
    """Simulate a flick until the table is at rest. Pure: the same scene, flick and settings give the same bits.

    Raises:
        InvalidScene: pieces overlap, are off the surface, or have unknown materials.
        InvalidAction: the piece is absent, or cannot be placed where the flick starts.
        DidNotSettle: the table did not come to rest; names the pieces that still moved.
    """
    before = scene
    if not scene.has(flick.piece):
        there = ", ".join(repr(p.id) for p in scene.pieces) or "none"
        raise InvalidAction(f"there is no piece {flick.piece!r} to flick; pieces on the table: {there}")
    if flick.start is not None:
        before = scene.with_piece_at(flick.piece, flick.start)
        if not is_inside_convex(flick.start, scene.surface.outline):
            raise InvalidAction(f"start {flick.start!r} of {flick.piece!r} is off the surface")
    world = PlanarWorld(before.validated(), settings)
    index = next(i for i, p in enumerate(before.pieces) if p.id == flick.piece)
    velocity, spin = flick_velocity(before.pieces[index], flick, settings.nail_friction)
    world.set_velocity(index, velocity, spin)
    world.run()
    return world.to_trajectory(flick)
