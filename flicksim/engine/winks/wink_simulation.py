"""Interface of the 3D wink simulation: winks in, a frozen result out.

`simulate_winks` runs to the end. A `WinkSimulation` can be paused, and flat winks handed over to the plane and back.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final

import numpy as np

from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import integrator as loop
from flicksim.engine.winks import recorder
from flicksim.engine.winks.bodies import make_bodies, system_energy
from flicksim.engine.winks.broadphase import wake
from flicksim.engine.winks.params import PLAY_PARAMS, Cup, Floats, WinkParams
from flicksim.engine.winks.planar_handover import (
    BLOCKED_DISTANCE,
    MIN_FLAT_TIME,
    PATH_CLEARANCE,
    nearest_to_path,
    place_flat,
)
from flicksim.engine.winks.result import WinkResult, make_result
from flicksim.engine.winks.separation import STACKED
from flicksim.engine.winks.wink_states import WinkStates

_NO_CUP: Final = np.zeros(0)
_NO_OUTLINE: Final = np.zeros((0, 2))
CONTACT_LOG_ROWS: Final = 512
_KEYFRAME_ROWS: Final = 512
SLIDE_RETRY_DELAY: Final = 20e-3
"""Delay before a disc that cannot slide yet is tried again [s]."""


class Until(Enum):
    """Stop condition of a run."""

    REST = loop.UNTIL_REST
    """Until everything is at rest."""
    DECIDED = loop.UNTIL_DECIDED
    """Until it is decided whether the shooter is potted; no other final state is reported."""


class WinkSimulation:
    """Resumable simulation of winks in motion.

    Args:
        winks, pot, shooter, moving, stacked, outline, keyframe_interval: see `simulate_winks`.
        params: materials, air and solver settings; may be changed between calls of `run_until`.
        goal: stop condition, see `integrator.simulate_until`.
    """

    def __init__(
        self,
        winks: WinkStates,
        params: WinkParams = PLAY_PARAMS,
        pot: Cup | None = None,
        *,
        shooter: int | None = None,
        moving: Sequence[int] | None = None,
        stacked: Sequence[tuple[int, int]] = (),
        outline: Floats | None = None,
        keyframe_interval: float | None = None,
        goal: int = loop.UNTIL_SLIDE,
    ) -> None:
        discs = len(winks.R)
        for name, array in (("c", winks.c), ("n", winks.n), ("v", winks.v), ("L", winks.L)):
            if array.shape != (discs, 3) or not np.isfinite(array).all():
                raise ValueError(f"winks.{name} must be {discs} finite rows of 3, not {array!r}")
        self.winks, self.params, self.pot, self.shooter = winks, params, pot, shooter
        drag = params.drag_rate(winks.R, winks.h, winks.mass)
        b = self.bodies = make_bodies(winks.c, winks.v, winks.n, winks.L, winks.R, winks.h, winks.mass, drag)
        corners = _NO_OUTLINE if outline is None else np.array(outline, dtype=np.float64)
        self._cup_array = _NO_CUP if pot is None else pot.to_array()
        room = 16 * discs + 64
        r = self._state = recorder.make_run_state(
            discs, corners, CONTACT_LOG_ROWS, _KEYFRAME_ROWS if keyframe_interval else 0
        )
        self._contacts, self._prev_contacts = np.zeros((room, C.CONTACT_COLUMNS)), np.zeros((room, 9))
        self._order = np.zeros(room, dtype=np.int64)
        r.clock[recorder.KEYFRAME_INTERVAL], r.clock[recorder.MASS_UNIT] = (
            keyframe_interval or 0.0,
            float(winks.mass.min()),
        )
        r.clock[recorder.MIN_ENERGY] = system_energy(b, params.gravity) / r.clock[recorder.MASS_UNIT]
        r.counters[recorder.SHOOTER], r.counters[recorder.RUN_GOAL] = -1 if shooter is None else shooter, goal
        for upper, lower in stacked:
            r.pairs[min(upper, lower), max(upper, lower), STACKED] = 1.0
        awake = _moving_winks(winks) if moving is None else list(moving)
        if shooter is not None:
            b[shooter, W.TAKING_OFF] = 1.0
        if len(awake):
            b[awake, B.STATE] = B.AWAKE
            wake(b, r.pairs, self._contacts, 0, int(awake[0]), r.scratch)
        self._track_times: list[Floats] = []
        self._track_poses: list[Floats] = []

    @property
    def time(self) -> float:
        """Current time [s]."""
        return float(self._state.clock[recorder.TIME])

    def run_until(self, until: float) -> int:
        """Run until that time [s] or a stop condition; return the stop reason (see `integrator.simulate_until`)."""
        b, r = self.bodies, self._state
        if not (b[:, B.STATE] == B.AWAKE).any():
            return loop.ALL_ASLEEP
        r.clock[recorder.MAX_TIME] = until
        why = loop.KEYFRAMES_FULL
        while why == loop.KEYFRAMES_FULL:
            why = loop.simulate_until(
                b,
                r,
                self._contacts,
                self._prev_contacts,
                self._order,
                self._cup_array,
                self.params.material_table(),
                self.params.solver_array(),
            )
            if rows := int(r.counters[recorder.KEYFRAME_COUNT]):
                self._track_times.append(r.keyframe_times[:rows].copy())
                self._track_poses.append(r.keyframes[:rows].copy())
                r.counters[recorder.KEYFRAME_COUNT] = 0
        return why

    def result(self, stop_reason: int) -> WinkResult:
        """Frozen result; `stop_reason`: last return value of `run_until`."""
        self.skip_to(self.time)
        return make_result(
            self.bodies,
            self._state,
            self.winks,
            self.pot,
            self.shooter,
            stop_reason,
            self._track_times,
            self._track_poses,
        )

    # -- sliding discs --------------------------------------------------------------------------------------------

    def skip_to(self, until: float) -> None:
        """Advance the clock to a time [s] while nothing is awake, recording keyframes."""
        r = self._state
        if every := float(r.clock[recorder.KEYFRAME_INTERVAL]):
            here = np.concatenate([self.bodies[:, B.CX : B.CZ + 1], self.bodies[:, B.NX : B.NZ + 1]], axis=1)
            times = np.append(np.arange(self.time + every, until, every), until)
            self._track_times.append(times)
            self._track_poses.append(np.repeat(here[None], len(times), axis=0))
            r.clock[recorder.NEXT_KEYFRAME] = until + every
        r.clock[recorder.TIME] = until

    def flat_discs(self) -> list[int]:
        """Discs that have been flat, touching only the felt, for long enough to slide in the plane."""
        b = self.bodies
        return np.flatnonzero((b[:, B.STATE] == B.AWAKE) & (b[:, W.FLAT_TIMER] >= MIN_FLAT_TIME)).tolist()

    def planar_motion(self, i: int) -> tuple[float, float, float, float, float]:
        """Position, velocity and spin of disc `i` in the plane [m, m, m/s, m/s, rad/s].

        The spin is that of its vertical angular momentum when level.
        """
        x, y, vx, vy, turning, radius = self.bodies[i, [B.CX, B.CY, B.VX, B.VY, B.LZ, W.RADIUS]].tolist()
        return x, y, vx, vy, 2.0 * turning / (radius * radius)

    def set_sliding(self, i: int, x: float, y: float, end: tuple[float, float]) -> None:
        """Let disc `i` slide in the plane from there to `end` [m], along a clear path (see `clear_slides`)."""
        self._place_flat(i, x, y, (0.0, 0.0), 0.0)
        self.bodies[i, [B.STATE, W.SLIDE_END_X, W.SLIDE_END_Y]] = W.SLIDING, *end

    def set_asleep(self, i: int, x: float, y: float) -> None:
        """Put disc `i` to sleep there [m]."""
        self._place_flat(i, x, y, (0.0, 0.0), 0.0)
        self.bodies[i, B.STATE] = B.ASLEEP

    def set_awake(self, i: int, x: float, y: float, v: tuple[float, float], spin: float) -> None:
        """Take disc `i` back into the 3D simulation at that position with this motion [m, m/s, rad/s]."""
        self._place_flat(i, x, y, v, spin)
        self.bodies[i, [B.STATE, B.SLOW_TIMER, W.FLAT_TIMER]] = B.AWAKE, 0.0, 0.0
        self._state.clock[recorder.GENTLE_TIME] = 0.0

    def clear_slides(self, ends: Mapping[int, tuple[float, float]]) -> list[int]:
        """Discs, of those with these slide end points [m], whose paths are clear of all discs that stay awake."""
        b, may = self.bodies, list(ends)
        for i in may:
            b[i, [B.STATE, W.SLIDE_END_X, W.SLIDE_END_Y]] = W.SLIDING, *ends[i]
        while blocked := [i for i in may if nearest_to_path(b, i) <= PATH_CLEARANCE]:
            b[blocked, B.STATE] = B.AWAKE
            may = [i for i in may if i not in blocked]
        return may

    def postpone_slide(self, i: int) -> None:
        """Keep disc `i` in the 3D simulation for `SLIDE_RETRY_DELAY`."""
        self.bodies[i, [B.STATE, W.FLAT_TIMER]] = B.AWAKE, -SLIDE_RETRY_DELAY

    def is_path_blocked(self, i: int) -> bool:
        """True if an awake disc is near the path of sliding disc `i`."""
        return bool(nearest_to_path(self.bodies, i) <= BLOCKED_DISTANCE)

    def record_energy_gain(self, energy: float) -> None:
        """Record the energy gained in an event of the plane [J], which should be zero."""
        clock = self._state.clock
        clock[recorder.ENERGY_GAIN] = max(clock[recorder.ENERGY_GAIN], energy / clock[recorder.MASS_UNIT])

    def _place_flat(self, i: int, x: float, y: float, v: tuple[float, float], spin: float) -> None:
        place_flat(self.bodies, i, x, y, *v, spin, self._state.clock, self.params.gravity)


def simulate_winks(
    winks: WinkStates,
    params: WinkParams = PLAY_PARAMS,
    pot: Cup | None = None,
    *,
    shooter: int | None = None,
    moving: Sequence[int] | None = None,
    stacked: Sequence[tuple[int, int]] = (),
    outline: Floats | None = None,
    t_max: float = 10.0,
    until: Until = Until.REST,
    keyframe_interval: float | None = None,
) -> WinkResult:
    """Simulate winks until they rest.

    Args:
        winks: initial states.
        params: materials, air and solver settings.
        pot: the pot, if any.
        shooter: the launched wink. Until it has first cleared the felt it rolls off its trailing edge: otherwise a
            backspinning wink would hit the felt with it during the launch.
        moving: winks initially awake; by default those with a velocity or spin. The others sleep until touched.
        stacked: pairs (upper, lower) placed by hand; they wake together, even if they do not quite touch.
        outline: corners of the mat, in either orientation [M, 2] [m]; None for an unbounded mat.
        t_max: time limit [s].
        until: stop condition.
        keyframe_interval: spacing of the recorded keyframes [s]; impacts have additional ones. None records nothing.

    Raises:
        ValueError: `until` is DECIDED without a shooter or a pot, or a state is not finite.
    """
    if until is Until.DECIDED and (shooter is None or pot is None):
        raise ValueError("Until.DECIDED is about a shooter and a pot: give both")
    flight = WinkSimulation(
        winks,
        params,
        pot,
        shooter=shooter,
        moving=moving,
        stacked=stacked,
        outline=outline,
        keyframe_interval=keyframe_interval,
        goal=until.value,
    )
    return flight.result(flight.run_until(t_max))


def _moving_winks(winks: WinkStates) -> list[int]:
    """Indices of the winks with a velocity or a spin."""
    moving = np.any(winks.v != 0.0, axis=1) | np.any(winks.L != 0.0, axis=1)
    return [int(i) for i in np.flatnonzero(moving)]
