"""Interface of the 3D wink simulation: winks in, a frozen result out.

`simulate_winks` does it in one go. A `WinkSimulation` can be stopped, and winks that lie flat taken out of it and put
back.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final

import numpy as np

from flicksim.engine.winks import integrator as loop
from flicksim.engine.winks import recorder
from flicksim.engine.winks.bodies import (
    ASLEEP,
    AWAKE,
    CX,
    CY,
    CZ,
    FLAT_TIMER,
    HALF_THICKNESS,
    LX,
    LZ,
    NX,
    NZ,
    RADIUS,
    SLIDE_END_X,
    SLIDE_END_Y,
    SLIDING,
    SLOW_TIMER,
    STATE,
    TAKING_OFF,
    TRAVEL_BOUND,
    VX,
    VY,
    VZ,
    make_bodies,
    update_angular_velocity,
)
from flicksim.engine.winks.broadphase import wake
from flicksim.engine.winks.contacts import CONTACT_COLUMNS
from flicksim.engine.winks.energy_limiter import total_energy
from flicksim.engine.winks.params import PLAY_PARAMS, Cup, Floats, WinkParams
from flicksim.engine.winks.planar_handover import BLOCKED_DISTANCE, MIN_FLAT_TIME, PATH_CLEARANCE, nearest_to_path
from flicksim.engine.winks.result import WinkResult, make_result
from flicksim.engine.winks.separation import STACKED
from flicksim.engine.winks.wink_states import WinkStates

_NO_CUP: Final = np.zeros(0)
_NO_OUTLINE: Final = np.zeros((0, 2))
CONTACT_LOG_ROWS: Final = 512
_KEYFRAME_ROWS: Final = 512
LEVELLING_TRAVEL: Final = 1e-3
"""No point of a disc moves farther when it is laid level [m]."""
SLIDE_RETRY_DELAY: Final = 20e-3
"""For so long a disc that may not glide yet is not looked at again [s]."""


class Until(Enum):
    """The purpose of a run."""

    REST = loop.UNTIL_REST
    """Until everything is at rest."""
    DECIDED = loop.UNTIL_DECIDED
    """Until the shooter is potted or not; nothing else about the end is told."""


class WinkSimulation:
    """Winks in motion, as far as they have come.

    Args:
        winks, pot, shooter, moving, stacked, outline, keyframe_interval: see `simulate_winks`.
        params: materials, air and steps; may be changed between one `run_until` and the next.
        goal: what to run for, see `simulate_until`.
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
        self._contacts, self._prev_contacts = np.zeros((room, CONTACT_COLUMNS)), np.zeros((room, 9))
        self._order = np.zeros(room, dtype=np.int64)
        r.clock[recorder.KEYFRAME_INTERVAL], r.clock[recorder.MASS_UNIT] = (
            keyframe_interval or 0.0,
            float(winks.mass.min()),
        )
        r.clock[recorder.MIN_ENERGY] = total_energy(b, params.gravity) / r.clock[recorder.MASS_UNIT]
        r.counters[recorder.SHOOTER], r.counters[recorder.RUN_GOAL] = -1 if shooter is None else shooter, goal
        for upper, lower in stacked:
            r.pairs[min(upper, lower), max(upper, lower), STACKED] = 1.0
        awake = _moving_winks(winks) if moving is None else list(moving)
        if shooter is not None:
            b[shooter, TAKING_OFF] = 1.0
        if len(awake):
            b[awake, STATE] = AWAKE
            wake(b, r.pairs, self._contacts, 0, int(awake[0]), r.scratch)
        self._track_times: list[Floats] = []
        self._track_poses: list[Floats] = []

    @property
    def time(self) -> float:
        """The time it has come to [s]."""
        return float(self._state.clock[recorder.TIME])

    def run_until(self, until: float) -> int:
        """Run until then [s], or until there is a reason to stop, and say which (see `simulate_until`)."""
        b, r = self.bodies, self._state
        if not (b[:, STATE] == AWAKE).any():
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
        """All of it as a frozen value, `run_until` having stopped for that reason."""
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

    # -- discs that glide -----------------------------------------------------------------------------------------

    def skip_to(self, until: float) -> None:
        """Leap to a time while nothing is awake [s], with keyframes on the way and there."""
        r = self._state
        if every := float(r.clock[recorder.KEYFRAME_INTERVAL]):
            here = np.concatenate([self.bodies[:, CX : CZ + 1], self.bodies[:, NX : NZ + 1]], axis=1)
            times = np.append(np.arange(self.time + every, until, every), until)
            self._track_times.append(times)
            self._track_poses.append(np.repeat(here[None], len(times), axis=0))
            r.clock[recorder.NEXT_KEYFRAME] = until + every
        r.clock[recorder.TIME] = until

    def flat_discs(self) -> list[int]:
        """Discs that have long enough been flat, and touched nothing but the felt, to glide."""
        b = self.bodies
        return np.flatnonzero((b[:, STATE] == AWAKE) & (b[:, FLAT_TIMER] >= MIN_FLAT_TIME)).tolist()

    def planar_motion(self, i: int) -> tuple[float, float, float, float, float]:
        """Place, velocity and spin of disc `i` seen from above [m, m, m/s, m/s, rad/s].

        Its angular momentum about the vertical is what spins it when it lies level.
        """
        x, y, vx, vy, turning, radius = self.bodies[i, [CX, CY, VX, VY, LZ, RADIUS]].tolist()
        return x, y, vx, vy, 2.0 * turning / (radius * radius)

    def set_sliding(self, i: int, x: float, y: float, end: tuple[float, float]) -> None:
        """Disc `i` glides from there to `end` from now on [m], where nothing is in its way (see `clear_slides`)."""
        self._place_flat(i, x, y, (0.0, 0.0), 0.0)
        self.bodies[i, [STATE, SLIDE_END_X, SLIDE_END_Y]] = SLIDING, *end

    def set_asleep(self, i: int, x: float, y: float) -> None:
        """Disc `i` rests there from now on [m]."""
        self._place_flat(i, x, y, (0.0, 0.0), 0.0)
        self.bodies[i, STATE] = ASLEEP

    def set_awake(self, i: int, x: float, y: float, v: tuple[float, float], spin: float) -> None:
        """Disc `i` is here again, there and with this motion [m, m/s, rad/s]."""
        self._place_flat(i, x, y, v, spin)
        self.bodies[i, [STATE, SLOW_TIMER, FLAT_TIMER]] = AWAKE, 0.0, 0.0
        self._state.clock[recorder.GENTLE_TIME] = 0.0

    def clear_slides(self, ends: Mapping[int, tuple[float, float]]) -> list[int]:
        """Discs of these, that would glide to there [m], whose ways are clear of all that stays awake here."""
        b, may = self.bodies, list(ends)
        for i in may:
            b[i, [STATE, SLIDE_END_X, SLIDE_END_Y]] = SLIDING, *ends[i]
        while blocked := [i for i in may if nearest_to_path(b, i) <= PATH_CLEARANCE]:
            b[blocked, STATE] = AWAKE
            may = [i for i in may if i not in blocked]
        return may

    def postpone_slide(self, i: int) -> None:
        """Disc `i` may not glide yet."""
        self.bodies[i, [STATE, FLAT_TIMER]] = AWAKE, -SLIDE_RETRY_DELAY

    def is_path_blocked(self, i: int) -> bool:
        """True if an awake disc is near the way of disc `i`, which glides."""
        return bool(nearest_to_path(self.bodies, i) <= BLOCKED_DISTANCE)

    def record_energy_gain(self, energy: float) -> None:
        """Count what a happening of the plane brought [J], which should be nothing."""
        clock = self._state.clock
        clock[recorder.ENERGY_GAIN] = max(clock[recorder.ENERGY_GAIN], energy / clock[recorder.MASS_UNIT])

    def _place_flat(self, i: int, x: float, y: float, v: tuple[float, float], spin: float) -> None:
        """Put disc `i` level on the felt, with this motion. What it had and has now is not for the energy limiter to
        judge."""
        b, clock, gravity = self.bodies, self._state.clock, self.params.gravity
        had = total_energy(b, gravity)
        b[i, TRAVEL_BOUND] += float(np.hypot(x - b[i, CX], y - b[i, CY])) + LEVELLING_TRAVEL
        b[i, CX], b[i, CY], b[i, CZ] = x, y, min(b[i, CZ], b[i, HALF_THICKNESS])
        b[i, NX : NZ + 1] = 0.0, 0.0, 1.0 if b[i, NZ] > 0.0 else -1.0
        b[i, VX : VZ + 1] = *v, 0.0
        b[i, LX : LZ + 1] = 0.0, 0.0, 0.5 * b[i, RADIUS] ** 2 * spin
        update_angular_velocity(b, i)
        clock[recorder.MIN_ENERGY] += (total_energy(b, gravity) - had) / clock[recorder.MASS_UNIT]


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
    """Let the winks move until they rest.

    Args:
        winks: where all are, and how they move.
        params: materials, air and steps.
        pot: the pot, if one stands there.
        shooter: the wink shot off the felt. Until it has first been clear of the felt it rolls off its trailing edge:
            a backspinning wink would else strike the felt with that while it is still being launched.
        moving: winks awake from the beginning; those with a velocity or spin unless told. The others rest until
            touched.
        stacked: which wink was laid on which; they wake together, even if they do not quite touch.
        outline: corners of the mat, counter-clockwise or clockwise [M, 2] [m]; endless without.
        t_max: simulated time after which the run ends in any case [s].
        until: what to run for.
        keyframe_interval: spacing of the recorded keyframes [s]; blows have keyframes of their own. None records
            nothing.

    Raises:
        ValueError: `until` asks for a verdict without a shooter or a pot, or nothing is finite.
    """
    if until is Until.DECIDED and (shooter is None or pot is None):
        raise ValueError("a verdict is about a shooter and a pot: give both")
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
    """Winks with a velocity or a spin."""
    moving = np.any(winks.v != 0.0, axis=1) | np.any(winks.L != 0.0, axis=1)
    return [int(i) for i in np.flatnonzero(moving)]
