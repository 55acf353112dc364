"""The frozen account of a run, and how it is read off the solver's arrays."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from flicksim.physics.flight import advance as loop
from flicksim.physics.flight import notes
from flicksim.physics.flight.bodies import (
    AWAKE,
    CX,
    CY,
    CZ,
    EXIT_T,
    EXIT_X,
    EXIT_Y,
    GONE,
    HALF,
    LEVEL,
    LX,
    LZ,
    NX,
    NZ,
    STATE,
    VX,
    VZ,
)
from flicksim.physics.flight.params import Floats, Pot
from flicksim.physics.flight.support import Lying, at_pot, lies_on
from flicksim.physics.flight.wall import in_pot
from flicksim.physics.flight.winks import Winks


class Status(Enum):
    """The end of a wink."""

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
    MOVING = "moving"
    """Not at rest when the time was up, or when an early verdict was reached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """One touch, from the first contact until they part for 2 ms.

    Attributes:
        time: when it began [s].
        until: when they last touched [s].
        disc: who was touched (the lower index of two winks).
        against: the other wink's index, or FELT (-1) or POT (-2).
        speed: of approach along the contact normal at the beginning [m/s].
        point: where it began (x, y, z) [m].
    """

    time: float
    until: float
    disc: int
    against: int
    speed: float
    point: tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exit:
    """A wink left the mat: who, when [s] and where its centre crossed the edge [m]."""

    disc: int
    time: float
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightResult:
    """The account of a run.

    Attributes:
        winks: where and how all ended.
        status: of each wink [N].
        time: simulated [s].
        settled: whether everything came to rest or left the mat.
        potted: the verdict on the shooter; None without a shooter or a pot, or if time was up before one.
        restless: winks still moving when the time was up.
        lies_on: which wink lies on which, upper first, from the lowest contact up.
        exits: winks that left the mat.
        impacts: touches in order of their beginning.
        dropped: touches that found no room in the log.
        times: of the recorded knots [T] [s].
        track: centres and normals [T, N, 6] at those times.
        energy_gain: the largest rise of energy ever seen above the least before it, springs included, per mass of
            the lightest wink [J/kg].
        energy_taken: what the solver would have invented, had it not been held to that least (see `guard`) [J/kg].
        steps: solver steps done.
    """

    winks: Winks
    status: tuple[Status, ...]
    time: float
    settled: bool
    potted: bool | None
    restless: tuple[int, ...]
    lies_on: tuple[Lying, ...]
    exits: tuple[Exit, ...]
    impacts: tuple[Impact, ...]
    dropped: int
    times: Floats
    track: Floats
    energy_gain: float
    energy_taken: float
    steps: int


def account(
    b: Floats,
    r: notes.Run,
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
    rows = b.tolist()
    status = tuple(_status(rows[i], pot, touching_pot[i], i in under) for i in range(discs))
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
        time=float(r.clock[notes.TIME]),
        settled=why == loop.RESTED,
        potted=potted,
        restless=restless,
        lies_on=lying,
        exits=tuple(
            Exit(disc=i, time=float(b[i, EXIT_T]), x=float(b[i, EXIT_X]), y=float(b[i, EXIT_Y]))
            for i in range(discs)
            if b[i, STATE] == GONE
        ),
        impacts=tuple(_impact(row) for row in r.log[: r.tally[notes.LOGGED]].tolist()),
        dropped=int(r.tally[notes.DROPPED]),
        times=np.concatenate(times) if times else np.zeros(0),
        track=np.concatenate(track) if track else np.zeros((0, discs, 6)),
        energy_gain=float(r.clock[notes.GAIN]),
        energy_taken=float(r.clock[notes.TAKEN]),
        steps=int(r.tally[notes.STEPS]),
    )


def _impact(row: list[float]) -> Impact:
    time, disc, against, speed, x, y, z, until = row
    return Impact(time=time, until=until, disc=int(disc), against=int(against), speed=speed, point=(x, y, z))


def _status(one: list[float], pot: Pot | None, at: bool, on_wink: bool) -> Status:
    """The end of a wink, from its row."""
    if one[STATE] == GONE:
        return Status.LEFT
    if one[STATE] == AWAKE:
        return Status.MOVING
    if pot is not None:
        x, y, z = one[CX] - pot.x, one[CY] - pot.y, one[CZ]
        if in_pot(x, y, z, pot.numbers()):
            return Status.POTTED
        if at and z > pot.height - one[HALF]:
            return Status.ON_RIM
    if abs(one[NZ]) > LEVEL:
        return Status.FLAT
    return Status.LEANING if at or on_wink else Status.ON_EDGE
