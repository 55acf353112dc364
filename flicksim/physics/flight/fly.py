"""The surface of the height layer: winks in, a frozen account of their flight out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from flicksim.physics.flight import advance as loop
from flicksim.physics.flight.bodies import (
    AWAKE,
    CX,
    CY,
    CZ,
    EXIT_T,
    EXIT_X,
    EXIT_Y,
    FLAT_T,
    GONE,
    HALF,
    HELD,
    LX,
    LZ,
    NX,
    NZ,
    STATE,
    VX,
    VY,
    VZ,
    WX,
    WZ,
    bodies,
)
from flicksim.physics.flight.contacts import FELT, POT, SAMPLES, WIDTH
from flicksim.physics.flight.params import PLAY, Floats, Params, Pot
from flicksim.physics.flight.support import Lying, at_pot, lies_on

_NO_POT: Final = np.zeros(0)
_NO_EDGE: Final = np.zeros((0, 2))
_LOG_ROWS: Final = 512
_KNOT_ROWS: Final = 512


class Until(Enum):
    """What a run is for."""

    REST = loop.TO_REST
    """Until everything is at rest."""
    VERDICT = loop.TO_VERDICT
    """Until the shooter is potted or not; nothing else about the end is told."""
    SLIDE = loop.TO_SLIDE
    """Until every wink is at rest or flat on the felt, where a plane world can take over (see `hand_over`)."""


class Status(Enum):
    """How a wink ended."""

    FLAT = "flat"
    """At rest and level, on the felt or on other winks."""
    LEANING = "leaning"
    """At rest and tilted, against the pot or on a wink."""
    ON_EDGE = "on edge"
    """At rest, balanced on its edge, touching nothing but the felt."""
    POTTED = "potted"
    """At rest with its centre inside the pot, below the rim."""
    ON_RIM = "on rim"
    """At rest on the pot's rim."""
    LEFT = "left"
    """Went over the edge of the mat."""
    SLIDING = "sliding"
    """Flat on the felt and still moving: a plane world may have it."""
    MOVING = "moving"
    """Not at rest when the time was up, or when an early verdict was reached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Winks:
    """N winks with their motion.

    Attributes:
        c: centres, z up from the felt [N, 3] [m].
        n: unit face normals [N, 3]; n.z > 0 while the face that was up is up.
        v: velocities [N, 3] [m/s].
        L: angular momenta per own mass [N, 3] [m^2/s].
        R: radii [N] [m].
        h: half thicknesses [N] [m].
        mass: [N] [kg].
    """

    c: Floats
    n: Floats
    v: Floats
    L: Floats
    R: Floats
    h: Floats
    mass: Floats

    @classmethod
    def at_rest(cls, c: Floats, size: Sequence[tuple[float, float, float]], n: Floats | None = None) -> "Winks":
        """Resting winks with centres [N, 3] and (radius, half thickness, mass) of each; face up and level unless told."""
        c = np.array(c, dtype=np.float64).reshape(-1, 3)
        sizes = np.array(size, dtype=np.float64).reshape(-1, 3)
        up = np.tile([0.0, 0.0, 1.0], (len(c), 1)) if n is None else np.array(n, dtype=np.float64)
        still = np.zeros_like(c)
        return cls(c=c, n=up, v=still, L=still.copy(), R=sizes[:, 0], h=sizes[:, 1], mass=sizes[:, 2])

    def moved(self, disc: int, v: Floats, L: Floats) -> "Winks":
        """The same winks with this motion given to `disc`."""
        vs, Ls = self.v.copy(), self.L.copy()
        vs[disc], Ls[disc] = v, L
        return Winks(c=self.c, n=self.n, v=vs, L=Ls, R=self.R, h=self.h, mass=self.mass)

    def spin(self) -> Floats:
        """Angular velocities [N, 3] [rad/s]."""
        it = 1.0 / (self.R * self.R / 4.0 + self.h * self.h / 3.0)
        axial = (2.0 / (self.R * self.R) - it) * np.sum(self.L * self.n, axis=1)
        w: Floats = it[:, None] * self.L + axial[:, None] * self.n
        return w


def launch(
    R: float, h: float, n: Floats, speed: float, elevation: float, azimuth: float, tumble: float
) -> tuple[Floats, Floats]:
    """Velocity and angular momentum per mass of a wink shot off the felt.

    Args:
        R: radius [m].
        h: half thickness [m].
        n: its face normal [3].
        speed: of its centre [m/s].
        elevation: above the felt [rad].
        azimuth: counter-clockwise from +x [rad].
        tumble: backspin about the horizontal axis across the flight, the leading edge rising [rad/s].
    """
    flat = speed * math.cos(elevation)
    v = np.array([flat * math.cos(azimuth), flat * math.sin(azimuth), speed * math.sin(elevation)])
    w = tumble * np.array([math.sin(azimuth), -math.cos(azimuth), 0.0])
    it, ia = R * R / 4.0 + h * h / 3.0, R * R / 2.0
    return v, it * w + (ia - it) * float(np.dot(w, n)) * np.asarray(n)


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """One touch, from the first contact until they part for 2 ms.

    Attributes:
        time: when it began [s].
        until: when they last touched [s].
        disc: who was touched (the lower index of two winks).
        against: the other wink's index, or FELT (-1) or POT (-2).
        speed: of approach along the contact normal at the beginning [m/s].
        impulse: along the normal, over the whole touch [N s].
        point: where it began (x, y, z) [m].
    """

    time: float
    until: float
    disc: int
    against: int
    speed: float
    impulse: float
    point: tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exit:
    """A wink left the mat: who, when [s] and where its centre crossed the edge [m]."""

    disc: int
    time: float
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOver:
    """A wink that a plane world may carry on with.

    Attributes:
        disc: which.
        v: velocity over the felt (x, y) [m/s].
        spin: about the vertical, counter-clockwise from above [rad/s].
        face_up: whether the face that was up at the start is up.
    """

    disc: int
    v: tuple[float, float]
    spin: float
    face_up: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightResult:
    """The account of a run.

    Attributes:
        winks: where and how all ended.
        status: of each wink [N].
        time: simulated [s].
        settled: whether everything came to rest, left the mat, or (run to slide) may be handed over.
        potted: the verdict on the shooter; None without a shooter or a pot, or if time was up before one.
        restless: winks still moving when the time was up.
        lies_on: which wink lies on which, upper first, from the lowest contact up.
        handed: winks that a plane world may take over.
        exits: winks that left the mat.
        impacts: touches in order of their beginning.
        dropped: touches that found no room in the log.
        times: of the recorded knots [T] [s].
        track: centres and normals [T, N, 6] at those times.
        energy_gain: the largest rise of energy ever seen between instants without contact, per mass of the
            lightest wink [J/kg]; what the solver invented.
        steps: solver steps done.
    """

    winks: Winks
    status: tuple[Status, ...]
    time: float
    settled: bool
    potted: bool | None
    restless: tuple[int, ...]
    lies_on: tuple[Lying, ...]
    handed: tuple[HandOver, ...]
    exits: tuple[Exit, ...]
    impacts: tuple[Impact, ...]
    dropped: int
    times: Floats
    track: Floats
    energy_gain: float
    steps: int


def fly(
    winks: Winks,
    params: Params = PLAY,
    pot: Pot | None = None,
    *,
    shooter: int | None = None,
    moving: Sequence[int] | None = None,
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
        shooter: the wink shot off the felt. It passes through the felt until it has first been clear of it: a
            backspinning wink would else strike the felt with its trailing edge while it is still being launched.
        moving: winks awake from the beginning; those with a velocity or spin unless told. The others rest until touched.
        edge: corners of the mat, counter-clockwise or clockwise [M, 2] [m]; endless without.
        t_max: simulated time after which the run ends in any case [s].
        until: what to run for.
        record: spacing of the recorded knots [s]; blows have knots of their own. None records nothing.

    Raises:
        ValueError: `until` asks for a verdict without a shooter or a pot, or nothing is finite.
    """
    if until is Until.VERDICT and (shooter is None or pot is None):
        raise ValueError("a verdict is about a shooter and a pot: give both")
    discs = len(winks.R)
    for name, array in (("c", winks.c), ("n", winks.n), ("v", winks.v), ("L", winks.L)):
        if array.shape != (discs, 3) or not np.isfinite(array).all():
            raise ValueError(f"winks.{name} must be {discs} finite rows of 3, not {array!r}")
    drag = params.drag_rate(winks.R, winks.h, winks.mass)
    b = bodies(winks.c, winks.v, winks.n, winks.L, winks.R, winks.h, winks.mass, drag)
    corners = _NO_EDGE if edge is None else np.array(edge, dtype=np.float64)
    cup = _NO_POT if pot is None else pot.numbers()
    room = 16 * discs + 64
    r = loop.run_of(discs, corners, _LOG_ROWS, _KNOT_ROWS if record else 0)
    k, last, order = np.zeros((room, WIDTH)), np.zeros((room, 9)), np.zeros(room, dtype=np.int64)
    r.clock[loop.T_MAX], r.clock[loop.SCALE], r.clock[loop.LEAST] = t_max, 1.0, math.inf
    r.clock[loop.KNOT_EVERY], r.clock[loop.UNIT] = record or 0.0, float(winks.mass.min())
    r.tally[loop.SHOOTER], r.tally[loop.AIM] = -1 if shooter is None else shooter, until.value
    awake = _movers(winks) if moving is None else list(moving)
    if shooter is not None:
        b[shooter, HELD] = 1.0
    if len(awake):
        b[awake, STATE] = AWAKE
        loop.wake(b, k, 0, int(awake[0]), np.zeros(SAMPLES))
    times: list[Floats] = []
    track: list[Floats] = []
    why = loop.KNOTS_FULL if len(awake) else loop.RESTED
    while why == loop.KNOTS_FULL:
        why = loop.advance(b, r, k, last, order, cup, params.materials(), params.numbers())
        if record:
            rows = int(r.tally[loop.KNOTS])
            times.append(r.when[:rows].copy())
            track.append(r.knots[:rows].copy())
            r.tally[loop.KNOTS] = 0
    if record:
        times.append(np.array([r.clock[loop.TIME]]))
        track.append(np.concatenate([b[:, CX : CZ + 1], b[:, NX : NZ + 1]], axis=1)[None])
    return _account(b, r, winks, pot, shooter, why, times, track)


def _movers(winks: Winks) -> list[int]:
    """Winks with a velocity or a spin."""
    moving = np.any(winks.v != 0.0, axis=1) | np.any(winks.L != 0.0, axis=1)
    return [int(i) for i in np.flatnonzero(moving)]


def _account(
    b: Floats,
    r: loop.Run,
    winks: Winks,
    pot: Pot | None,
    shooter: int | None,
    why: int,
    times: list[Floats],
    track: list[Floats],
) -> FlightResult:
    """Read the arrays off into a frozen account."""
    discs = len(b)
    quick = why in (loop.POTTED, loop.MISSED)
    lying = () if quick else lies_on(b)
    under = {one.upper for one in lying}
    touching_pot = [False] * discs if quick or pot is None else at_pot(b, pot)
    status = tuple(_status(b, i, pot, touching_pot[i], i in under) for i in range(discs))
    potted: bool | None = None
    if shooter is not None and pot is not None:
        potted = why == loop.POTTED if quick else (status[shooter] is Status.POTTED if why != loop.LATE else None)
        if why == loop.LATE and b[shooter, STATE] != AWAKE:
            potted = status[shooter] is Status.POTTED
    restless = tuple(i for i in range(discs) if status[i] is Status.MOVING) if not quick else ()
    return FlightResult(
        winks=Winks(
            c=b[:, CX : CZ + 1].copy(),
            n=b[:, NX : NZ + 1].copy(),
            v=b[:, VX : VZ + 1].copy(),
            L=b[:, LX : LZ + 1].copy(),
            R=winks.R,
            h=winks.h,
            mass=winks.mass,
        ),
        status=status,
        time=float(r.clock[loop.TIME]),
        settled=why in (loop.RESTED, loop.SLIDING),
        potted=potted,
        restless=restless,
        lies_on=lying,
        handed=tuple(_hand_over(b, i) for i in range(discs) if status[i] is Status.SLIDING),
        exits=tuple(
            Exit(disc=i, time=float(b[i, EXIT_T]), x=float(b[i, EXIT_X]), y=float(b[i, EXIT_Y]))
            for i in range(discs)
            if b[i, STATE] == GONE
        ),
        impacts=tuple(_impact(row) for row in r.log[: r.tally[loop.LOGGED]].tolist()),
        dropped=int(r.tally[loop.DROPPED]),
        times=np.concatenate(times) if times else np.zeros(0),
        track=np.concatenate(track) if track else np.zeros((0, discs, 6)),
        energy_gain=float(r.clock[loop.GAIN]),
        steps=int(r.tally[loop.STEPS]),
    )


def _impact(row: list[float]) -> Impact:
    time, disc, against, speed, impulse, x, y, z, until = row
    return Impact(
        time=time, until=until, disc=int(disc), against=int(against), speed=speed, impulse=impulse, point=(x, y, z)
    )


def _hand_over(b: Floats, i: int) -> HandOver:
    up = bool(b[i, NZ] > 0.0)
    spin = float(np.dot(b[i, WX : WZ + 1], b[i, NX : NZ + 1])) * (1.0 if up else -1.0)
    return HandOver(disc=i, v=(float(b[i, VX]), float(b[i, VY])), spin=spin, face_up=up)


def _status(b: Floats, i: int, pot: Pot | None, at: bool, on_wink: bool) -> Status:
    """How wink `i` ended."""
    if b[i, STATE] == GONE:
        return Status.LEFT
    if b[i, STATE] == AWAKE:
        return Status.SLIDING if b[i, FLAT_T] >= 5e-3 else Status.MOVING
    if pot is not None:
        x, y, z = b[i, CX] - pot.x, b[i, CY] - pot.y, b[i, CZ]
        if z < pot.height and math.hypot(x, y) < pot.top - pot.wall:
            return Status.POTTED
        if at and z > pot.height - b[i, HALF]:
            return Status.ON_RIM
    if abs(b[i, NZ]) > loop.LEVEL:
        return Status.FLAT
    return Status.LEANING if at or on_wink else Status.ON_EDGE


__all__ = [
    "FELT",
    "POT",
    "Exit",
    "FlightResult",
    "HandOver",
    "Impact",
    "Status",
    "Until",
    "Winks",
    "fly",
    "launch",
]
