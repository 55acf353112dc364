"""Hybrid simulation of winks on one clock: flat winks slide in the plane (`planar_world`), all others in 3D (`winks`).

A wink that has lain flat for a moment, with a path before it that is clear of all that is not flat, is handed over to
the plane with its position, velocity and spin. There it slides to rest by a law in closed form, and pymunk resolves its
collisions with other flat winks and the pot's foot. It is handed back with its present motion where it reaches
anything that leans or lies on another, or the mat's edge, or when an awake wink comes near its path. Meanwhile the 3D
simulation runs from one event of the plane to the next.
"""

from __future__ import annotations

from dataclasses import replace
from math import cos, inf
from typing import Final

import numpy as np

from flicksim.core.errors import DidNotSettle
from flicksim.core.geometry import Point
from flicksim.engine.collision_response import DiscState
from flicksim.engine.planar_world import PlanarWorld, TrajectorySegment
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.settings import Settings
from flicksim.engine.winks import POT, ContactRecord, WinkResult, WinkSimulation
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks.integrator import ALL_ASLEEP, SLIDE_BLOCKED, SLIDE_READY, TIMED_OUT
from flicksim.scene.scene import Scene
from flicksim.scene.trajectory import Collision, Landed

_LEVEL_COSINE: Final = cos(0.002)
"""Smallest |n.z| of a resting wink that lies level; contact depth tilts it a little."""
_HEIGHT_TOLERANCE: Final = 2e-5
"""Largest height error of the centre of a wink that lies on the felt [m]."""
_OBSTACLE_CLEARANCE: Final = 2e-4
"""Distance from a wink that is not flat at which a slide ends [m]."""
SAFE_CLEARANCE: Final = 5e-4
"""Clearance of a path that surely touches nothing [m]."""
MIN_SLIDE_TIME: Final = 1e-3
"""Shortest slide that is handed over to the plane [s]."""


class SlidingPlane(PlanarWorld):
    """Plane of a mat with those of its winks that lie flat.

    Attributes:
        halted_states: states of the winks that have reached an obstacle and left the plane.
        finished_segments: slides that are over: index of the piece, end time [s], segment.
    """

    def __init__(self, scene: Scene, settings: Settings) -> None:
        super().__init__(scene, settings)
        for i in range(len(self.pieces)):
            self._on_surface[i] = False
        self._obstacles: dict[int, float] = {}
        self.halted_states: dict[int, DiscState] = {}
        self.finished_segments: list[tuple[int, float, TrajectorySegment]] = []

    @property
    def sliding(self) -> list[int]:
        """Indices of the pieces that slide."""
        return list(self._segments)

    @property
    def next_event_time(self) -> float:
        """Time of the next event [s]; inf when nothing slides."""
        return min(self._next_event_times())

    def set_resting(self, flat: dict[int, Point], stops: dict[int, tuple[Point, float]]) -> None:
        """Set the resting winks: flat ones by position, and obstacles by position and bounding radius [m]."""
        self._obstacles = {i: reach for i, (_, reach) in stops.items()}
        positions = flat | {i: at for i, (at, _) in stops.items()}
        for i in range(len(self.pieces)):
            if i not in self._segments:
                self._on_surface[i] = i in positions
                if i in positions:
                    self._rest_poses[i] = (*positions[i], 0.0)

    def add_sliding(self, motions: dict[int, tuple[float, float, float, float, float]]) -> None:
        """Start slides (then call `update_collision_times`): x, y, velocity, spin by piece [m, m, m/s, m/s, rad/s]."""
        for i, (x, y, vx, vy, spin) in motions.items():
            self._on_surface[i], self._rest_poses[i] = True, (x, y, 0.0)
            self._obstacles.pop(i, None)
            self._start_slide(i, vx, vy, spin)

    def update_collision_times(self) -> None:
        """Recompute the collision times of all sliding pieces."""
        self._update_collision_times(self.sliding)

    def remove(self, i: int) -> DiscState:
        """Remove piece i from the plane; return its state."""
        state = self.state(i)
        self._store_segment(i)
        del self._segments[i]
        self._on_surface[i] = False
        self._update_collision_times([i])
        return state

    def end_point(self, i: int) -> Point:
        """Position at which piece i stops or reaches the edge, unless it collides before [m]."""
        segment = self._segments[i]
        travelled, _ = segment.slide.distance_and_speed(segment.end_time - segment.start_time)
        return (segment.x + segment.dir_x * travelled, segment.y + segment.dir_y * travelled)

    def obstacle_time(self, i: int) -> float:
        """Time at which piece i reaches an obstacle or the edge, as far as known [s]; inf if it does not."""
        segment = self._segments[i]
        times = (
            time
            for (a, b), time in self._collision_times.items()
            if i in (a, b) and (a in self._obstacles or b in self._obstacles)
        )
        return min(min(times, default=inf), segment.end_time if segment.falls_off else inf)

    # -- differences from coins on a board ------------------------------------------------------------------------

    def _contact_distance(self, a: int, b: int) -> float:
        return self._radius[a] + self._obstacles[b] if b in self._obstacles else super()._contact_distance(a, b)

    def _start_slide(self, i: int, vx: float, vy: float, spin: float) -> None:
        self._store_segment(i)
        super()._start_slide(i, vx, vy, spin)

    def _end_slide(self, i: int) -> None:
        if self._segments[i].falls_off:
            self.halted_states[i] = self.remove(i)
        else:
            self._store_segment(i)
            super()._end_slide(i)

    def _resolve_collisions(self, pairs: list[tuple[int, int]]) -> None:
        for pair in pairs:
            for i, other in (pair, pair[::-1]):
                if other in self._obstacles and i in self._segments:
                    self.halted_states[i] = self.remove(i)
        if planar_pairs := [
            pair for pair in pairs if not any(i in self._obstacles or i in self.halted_states for i in pair)
        ]:
            super()._resolve_collisions(planar_pairs)

    def _store_segment(self, i: int) -> None:
        """Store the slide of piece i, which ends now."""
        segment = self._segments.get(i)
        if segment is not None and segment.start_time < self.time:
            self.finished_segments.append((i, self.time, segment))

    def _record_keyframe(self) -> None:
        """Do nothing: the 3D simulation records the keyframes of all winks."""

    def _record_keyframes_until(self, t: float) -> None:
        """Do nothing, for the same reason."""


class HybridSimulation:
    """Winks of a scene in motion, in the plane and in 3D.

    Args:
        scene: the mat before the shot.
        flight: 3D simulation of its winks, about to move.
    """

    def __init__(self, scene: Scene, flight: WinkSimulation, settings: Settings) -> None:
        self.scene, self.simulation, self.settings = scene, flight, settings
        self._plane: SlidingPlane | None = None
        self._last_layout: bytes = b""
        self._impacts: list[ContactRecord] = []
        self._stop_reason = TIMED_OUT

    def run(self, seconds: float) -> bool:
        """Simulate until all is at rest or the time is over; return True if all is at rest.

        Raises:
            DidNotSettle: there were more impacts than the settings allow; names the pieces that still move.
        """
        limit = self.simulation.time + seconds
        while True:
            next_event = self._plane.next_event_time if self._plane is not None else inf
            self._stop_reason = self.simulation.run_until(min(next_event, limit))
            if self._stop_reason == SLIDE_READY:
                self._transfer_to_plane()
            elif self._stop_reason == SLIDE_BLOCKED:
                self._transfer_from_plane()
            elif self._stop_reason == ALL_ASLEEP and next_event == inf:
                return True
            elif self._stop_reason == ALL_ASLEEP or next_event <= limit:
                self._step_plane(self._plane or self._make_plane())
            else:
                return False

    def result(self) -> WinkResult:
        """Result of the 3D simulation with the slides in the plane filled in. Winks that still slide are handed back
        first."""
        plane = self._plane
        if plane is None:
            return self.simulation.result(self._stop_reason)
        plane.time = self.simulation.time
        for i in plane.sliding:
            self._resume_flight(i, plane.remove(i))
        result = self.simulation.result(self._stop_reason)
        for i, end, segment in plane.finished_segments:
            first, last = (
                np.searchsorted(result.track_times, segment.start_time, "left"),
                np.searchsorted(result.track_times, end, "right"),
            )
            for k in range(int(first), int(last)):
                travelled, _ = segment.slide.distance_and_speed(float(result.track_times[k]) - segment.start_time)
                result.track_poses[k, i, :2] = (
                    segment.x + segment.dir_x * travelled,
                    segment.y + segment.dir_y * travelled,
                )
        impacts = sorted((*result.contacts, *self._impacts), key=lambda impact: impact.time)
        return replace(result, contacts=tuple(impacts))

    # -- handover -------------------------------------------------------------------------------------------------

    def _make_plane(self) -> SlidingPlane:
        self._plane = SlidingPlane(self.scene, self.settings)
        return self._plane

    def _transfer_to_plane(self) -> None:
        """Hand flat winks with a clear path over to the plane."""
        simulation, plane = self.simulation, self._plane or self._make_plane()
        plane.time = simulation.time
        motions = {i: simulation.planar_motion(i) for i in simulation.flat_discs()}
        plane.add_sliding(motions)
        ends = {i: plane.end_point(i) for i in motions}
        if clear := simulation.clear_slides(ends):
            self._update_obstacles(plane)
            plane.update_collision_times()
            if too_short := [i for i in clear if plane.obstacle_time(i) < plane.time + MIN_SLIDE_TIME]:
                for i in too_short:
                    simulation.postpone_slide(i)
                clear = simulation.clear_slides({i: ends[i] for i in clear if i not in too_short})
        for i, (x, y, *_) in motions.items():
            if i in clear:
                simulation.set_sliding(i, x, y, ends[i])
            else:
                plane.remove(i)
                simulation.postpone_slide(i)

    def _transfer_from_plane(self) -> None:
        """Take back winks to whose path an awake wink has come near."""
        simulation, plane = self.simulation, self._plane
        assert plane is not None
        plane.time = simulation.time
        for i in plane.sliding:
            x, y, *_ = plane.state(i)
            simulation.set_sliding(i, x, y, plane.end_point(i))
        for i in plane.sliding:
            if simulation.is_path_blocked(i):
                self._resume_flight(i, plane.remove(i))

    def _resume_flight(self, i: int, had: DiscState) -> None:
        x, y, _, vx, vy, spin = had
        self.simulation.set_awake(i, x, y, (vx, vy), spin)

    def _step_plane(self, plane: SlidingPlane) -> None:
        """Advance to the next event of the plane."""
        if plane.impact_count > self.settings.max_impacts:
            names = ", ".join(repr(plane.pieces[i].id) for i in plane.sliding)
            raise DidNotSettle(f"after {plane.time:.1f} s and {plane.impact_count} impacts {names} still moved")
        if self._update_obstacles(plane):
            plane.update_collision_times()  # the next event may be another, or later
            return
        before, event_count = plane.sliding, len(plane.events)
        energy_before = plane.energy()
        plane.step_to_next_event()
        self.simulation.skip_to(plane.time)
        self.simulation.record_energy_gain(plane.energy() - energy_before)
        for i in sorted({*before, *plane.sliding}):
            if i in plane.halted_states:
                self._resume_flight(i, plane.halted_states.pop(i))
                continue
            x, y, *_ = plane.state(i)
            if i in plane.sliding:
                self.simulation.set_sliding(i, x, y, plane.end_point(i))
            else:
                self.simulation.set_asleep(i, x, y)
        for event in plane.events[event_count:]:
            if isinstance(event, Collision | Landed):
                self._record_contact(plane, event)

    def _record_contact(self, plane: SlidingPlane, event: Collision | Landed) -> None:
        """Record a collision in the plane among the contacts of the whole simulation."""
        names = [piece.id for piece in plane.pieces]
        i = names.index(event.piece)
        against = names.index(event.other) if isinstance(event, Collision) else POT
        point = (*event.point, plane.pieces[i].thickness / 2.0)
        self._impacts.append(
            ContactRecord(time=event.t, end_time=event.t, disc=i, other=against, speed=event.speed, point=point)
        )

    def _update_obstacles(self, plane: SlidingPlane) -> bool:
        """Update the resting winks and obstacles of the plane; return True if they changed."""
        b = self.simulation.bodies
        resting = b[:, B.STATE] == B.ASLEEP
        if (layout := (b[:, [B.CX, B.CY, B.CZ, B.NZ]] * resting[:, None]).tobytes()) == self._last_layout:
            return False
        self._last_layout = layout
        x, y, z, radius, half, reach = (
            b[:, q] for q in (B.CX, B.CY, B.CZ, W.RADIUS, W.HALF_THICKNESS, B.BOUNDING_RADIUS)
        )
        low = z - radius * np.hypot(b[:, B.NX], b[:, B.NY]) - half * np.abs(b[:, B.NZ])
        flat = resting & (np.abs(b[:, B.NZ]) >= _LEVEL_COSINE) & (np.abs(z - half) < _HEIGHT_TOLERANCE)
        pot = self.scene.surface.pot
        obstacles = resting & ~flat & (low < 2.0 * half.max() + _OBSTACLE_CLEARANCE)
        if pot is not None:
            for i in np.flatnonzero(obstacles).tolist():
                obstacles[i] = not pot.contains((x[i], y[i]), z[i])
        for i in np.flatnonzero(obstacles).tolist():
            under = np.hypot(x - x[i], y - y[i]) < radius + reach[i] + _HEIGHT_TOLERANCE
            obstacles |= flat & under & (low[i] < 2.0 * half + _HEIGHT_TOLERANCE)
        plane.set_resting(
            {i: (float(x[i]), float(y[i])) for i in np.flatnonzero(flat & ~obstacles).tolist()},
            {
                i: ((float(x[i]), float(y[i])), float(reach[i]) + _OBSTACLE_CLEARANCE)
                for i in np.flatnonzero(obstacles).tolist()
            },
        )
        return True
