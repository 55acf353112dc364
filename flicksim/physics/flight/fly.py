"""The surface of the height layer: winks in, a frozen account of their flight out.

`fly` does it in one go. A `Flight` can be stopped, and winks that lie flat taken out of it and put back.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final

import numpy as np

from flicksim.physics.flight import advance as loop
from flicksim.physics.flight import notes
from flicksim.physics.flight.account import FlightResult, account
from flicksim.physics.flight.apart import LAID
from flicksim.physics.flight.bodies import (
    AWAKE,
    CX,
    CY,
    CZ,
    FLAT_T,
    FROZEN,
    GLIDING,
    HALF,
    HELD,
    LX,
    LZ,
    NX,
    NZ,
    RADIUS,
    SLOW_T,
    STATE,
    TRAVEL,
    VX,
    VY,
    VZ,
    WAY_X,
    WAY_Y,
    bodies,
    set_spin,
)
from flicksim.physics.flight.contacts import WIDTH
from flicksim.physics.flight.glides import CLEAR, FLAT_FOR, NEAR, nearest
from flicksim.physics.flight.guard import whole
from flicksim.physics.flight.params import PLAY, Floats, Params, Pot
from flicksim.physics.flight.search import wake
from flicksim.physics.flight.winks import Winks

_NO_POT: Final = np.zeros(0)
_NO_EDGE: Final = np.zeros((0, 2))
LOG_ROWS: Final = 512
_KNOT_ROWS: Final = 512
LEVELLED: Final = 1e-3
"""No point of a disc moves farther when it is laid level [m]."""
ASK_AGAIN: Final = 20e-3
"""For so long a disc that may not glide yet is not looked at again [s]."""


class Until(Enum):
    """The purpose of a run."""

    REST = loop.TO_REST
    """Until everything is at rest."""
    VERDICT = loop.TO_VERDICT
    """Until the shooter is potted or not; nothing else about the end is told."""


class Flight:
    """Winks in motion, as far as they have come.

    Args:
        winks, pot, shooter, moving, laid, edge, record: see `fly`.
        params: materials, air and steps; may be changed between one `go_on` and the next.
        goal: what to run for, see `advance`.
    """

    def __init__(
        self,
        winks: Winks,
        params: Params = PLAY,
        pot: Pot | None = None,
        *,
        shooter: int | None = None,
        moving: Sequence[int] | None = None,
        laid: Sequence[tuple[int, int]] = (),
        edge: Floats | None = None,
        record: float | None = None,
        goal: int = loop.TO_GLIDE,
    ) -> None:
        discs = len(winks.R)
        for name, array in (("c", winks.c), ("n", winks.n), ("v", winks.v), ("L", winks.L)):
            if array.shape != (discs, 3) or not np.isfinite(array).all():
                raise ValueError(f"winks.{name} must be {discs} finite rows of 3, not {array!r}")
        self.winks, self.params, self.pot, self.shooter = winks, params, pot, shooter
        drag = params.drag_rate(winks.R, winks.h, winks.mass)
        b = self.bodies = bodies(winks.c, winks.v, winks.n, winks.L, winks.R, winks.h, winks.mass, drag)
        corners = _NO_EDGE if edge is None else np.array(edge, dtype=np.float64)
        self._cup = _NO_POT if pot is None else pot.numbers()
        room = 16 * discs + 64
        r = self._run = notes.run_of(discs, corners, LOG_ROWS, _KNOT_ROWS if record else 0)
        self._contacts, self._last = np.zeros((room, WIDTH)), np.zeros((room, 9))
        self._order = np.zeros(room, dtype=np.int64)
        r.clock[notes.KNOT_EVERY], r.clock[notes.UNIT] = record or 0.0, float(winks.mass.min())
        r.clock[notes.LEAST] = whole(b, params.gravity) / r.clock[notes.UNIT]
        r.tally[notes.SHOOTER], r.tally[notes.AIM] = -1 if shooter is None else shooter, goal
        for upper, lower in laid:
            r.pairs[min(upper, lower), max(upper, lower), LAID] = 1.0
        awake = _movers(winks) if moving is None else list(moving)
        if shooter is not None:
            b[shooter, HELD] = 1.0
        if len(awake):
            b[awake, STATE] = AWAKE
            wake(b, r.pairs, self._contacts, 0, int(awake[0]), r.near)
        self._times: list[Floats] = []
        self._track: list[Floats] = []

    @property
    def time(self) -> float:
        """The time it has come to [s]."""
        return float(self._run.clock[notes.TIME])

    def go_on(self, until: float) -> int:
        """Run until then [s], or until there is a reason to stop, and say which (see `advance`)."""
        b, r = self.bodies, self._run
        if not (b[:, STATE] == AWAKE).any():
            return loop.RESTED
        r.clock[notes.T_MAX] = until
        why = loop.KNOTS_FULL
        while why == loop.KNOTS_FULL:
            why = loop.advance(
                b, r, self._contacts, self._last, self._order, self._cup, self.params.materials(), self.params.numbers()
            )
            if rows := int(r.tally[notes.KNOTS]):
                self._times.append(r.when[:rows].copy())
                self._track.append(r.knots[:rows].copy())
                r.tally[notes.KNOTS] = 0
        return why

    def account(self, why: int) -> FlightResult:
        """All of it as a frozen value, `go_on` having stopped for that reason."""
        self.skip(self.time)
        return account(self.bodies, self._run, self.winks, self.pot, self.shooter, why, self._times, self._track)

    # -- discs that glide -----------------------------------------------------------------------------------------

    def skip(self, until: float) -> None:
        """Leap to a time while nothing is awake [s], with knots on the way and there."""
        r = self._run
        if every := float(r.clock[notes.KNOT_EVERY]):
            here = np.concatenate([self.bodies[:, CX : CZ + 1], self.bodies[:, NX : NZ + 1]], axis=1)
            times = np.append(np.arange(self.time + every, until, every), until)
            self._times.append(times)
            self._track.append(np.repeat(here[None], len(times), axis=0))
            r.clock[notes.NEXT_KNOT] = until + every
        r.clock[notes.TIME] = until

    def flat(self) -> list[int]:
        """Discs that have long enough been flat, and touched nothing but the felt, to glide."""
        b = self.bodies
        return np.flatnonzero((b[:, STATE] == AWAKE) & (b[:, FLAT_T] >= FLAT_FOR)).tolist()

    def motion(self, i: int) -> tuple[float, float, float, float, float]:
        """Place, velocity and spin of disc `i` seen from above [m, m, m/s, m/s, rad/s].

        Its angular momentum about the vertical is what spins it when it lies level.
        """
        x, y, vx, vy, turning, radius = self.bodies[i, [CX, CY, VX, VY, LZ, RADIUS]].tolist()
        return x, y, vx, vy, 2.0 * turning / (radius * radius)

    def glides(self, i: int, x: float, y: float, end: tuple[float, float]) -> None:
        """Disc `i` glides from there to `end` from now on [m], where nothing is in its way (see `may_glide`)."""
        self._lay(i, x, y, (0.0, 0.0), 0.0)
        self.bodies[i, [STATE, WAY_X, WAY_Y]] = GLIDING, *end

    def rests(self, i: int, x: float, y: float) -> None:
        """Disc `i` rests there from now on [m]."""
        self._lay(i, x, y, (0.0, 0.0), 0.0)
        self.bodies[i, STATE] = FROZEN

    def flies(self, i: int, x: float, y: float, v: tuple[float, float], spin: float) -> None:
        """Disc `i` is here again, there and with this motion [m, m/s, rad/s]."""
        self._lay(i, x, y, v, spin)
        self.bodies[i, [STATE, SLOW_T, FLAT_T]] = AWAKE, 0.0, 0.0
        self._run.clock[notes.CALM] = 0.0

    def may_glide(self, ends: Mapping[int, tuple[float, float]]) -> list[int]:
        """Discs of these, that would glide to there [m], whose ways are clear of all that stays awake here."""
        b, may = self.bodies, list(ends)
        for i in may:
            b[i, [STATE, WAY_X, WAY_Y]] = GLIDING, *ends[i]
        while blocked := [i for i in may if nearest(b, i) <= CLEAR]:
            b[blocked, STATE] = AWAKE
            may = [i for i in may if i not in blocked]
        return may

    def waits(self, i: int) -> None:
        """Disc `i` may not glide yet."""
        self.bodies[i, [STATE, FLAT_T]] = AWAKE, -ASK_AGAIN

    def in_the_way(self, i: int) -> bool:
        """True if an awake disc is near the way of disc `i`, which glides."""
        return bool(nearest(self.bodies, i) <= NEAR)

    def gained(self, energy: float) -> None:
        """Count what a happening of the plane brought [J], which should be nothing."""
        clock = self._run.clock
        clock[notes.GAIN] = max(clock[notes.GAIN], energy / clock[notes.UNIT])

    def _lay(self, i: int, x: float, y: float, v: tuple[float, float], spin: float) -> None:
        """Put disc `i` level on the felt, with this motion. What it had and has now is not for the guard to judge."""
        b, clock, gravity = self.bodies, self._run.clock, self.params.gravity
        had = whole(b, gravity)
        b[i, TRAVEL] += float(np.hypot(x - b[i, CX], y - b[i, CY])) + LEVELLED
        b[i, CX], b[i, CY], b[i, CZ] = x, y, min(b[i, CZ], b[i, HALF])
        b[i, NX : NZ + 1] = 0.0, 0.0, 1.0 if b[i, NZ] > 0.0 else -1.0
        b[i, VX : VZ + 1] = *v, 0.0
        b[i, LX : LZ + 1] = 0.0, 0.0, 0.5 * b[i, RADIUS] ** 2 * spin
        set_spin(b, i)
        clock[notes.LEAST] += (whole(b, gravity) - had) / clock[notes.UNIT]


def fly(
    winks: Winks,
    params: Params = PLAY,
    pot: Pot | None = None,
    *,
    shooter: int | None = None,
    moving: Sequence[int] | None = None,
    laid: Sequence[tuple[int, int]] = (),
    edge: Floats | None = None,
    t_max: float = 10.0,
    until: Until = Until.REST,
    record: float | None = None,
) -> FlightResult:
    """Let the winks move until they rest.

    Args:
        winks: where all are, and how they move.
        params: materials, air and steps.
        pot: the pot, if one stands there.
        shooter: the wink shot off the felt. Until it has first been clear of the felt it rolls off its trailing edge:
            a backspinning wink would else strike the felt with that while it is still being launched.
        moving: winks awake from the beginning; those with a velocity or spin unless told. The others rest until
            touched.
        laid: which wink was laid on which; they wake together, even if they do not quite touch.
        edge: corners of the mat, counter-clockwise or clockwise [M, 2] [m]; endless without.
        t_max: simulated time after which the run ends in any case [s].
        until: what to run for.
        record: spacing of the recorded knots [s]; blows have knots of their own. None records nothing.

    Raises:
        ValueError: `until` asks for a verdict without a shooter or a pot, or nothing is finite.
    """
    if until is Until.VERDICT and (shooter is None or pot is None):
        raise ValueError("a verdict is about a shooter and a pot: give both")
    flight = Flight(
        winks, params, pot, shooter=shooter, moving=moving, laid=laid, edge=edge, record=record, goal=until.value
    )
    return flight.account(flight.go_on(t_max))


def _movers(winks: Winks) -> list[int]:
    """Winks with a velocity or a spin."""
    moving = np.any(winks.v != 0.0, axis=1) | np.any(winks.L != 0.0, axis=1)
    return [int(i) for i in np.flatnonzero(moving)]
