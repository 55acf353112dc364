"""Result of a wink simulation, and its extraction from the arrays of the solver."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from flicksim.engine.winks import integrator as loop
from flicksim.engine.winks import recorder
from flicksim.engine.winks.bodies import (
    AWAKE,
    CX,
    CY,
    CZ,
    EXIT_TIME,
    EXIT_X,
    EXIT_Y,
    FLAT_COSINE,
    HALF_THICKNESS,
    LX,
    LZ,
    NX,
    NZ,
    REMOVED,
    STATE,
    VX,
    VZ,
)
from flicksim.engine.winks.narrowphase_cup import is_in_cup
from flicksim.engine.winks.params import Cup, Floats
from flicksim.engine.winks.support import StackedPair, stacked_pairs, touches_pot
from flicksim.engine.winks.wink_states import WinkStates


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
class ContactRecord:
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
    end_time: float
    disc: int
    other: int
    speed: float
    point: tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatExit:
    """A wink left the mat: who, when [s] and where its centre crossed the edge [m]."""

    disc: int
    time: float
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WinkResult:
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
        times: of the recorded keyframes [T] [s].
        track: centres and normals [T, N, 6] at those times.
        energy_gain: the largest rise of energy ever seen above the least before it, springs included, per mass of
            the lightest wink [J/kg].
        energy_taken: what the solver would have invented, had it not been held to that least (see `energy_limiter`)
            [J/kg].
        steps: solver steps done.
    """

    winks: WinkStates
    status: tuple[Status, ...]
    time: float
    settled: bool
    potted: bool | None
    unsettled: tuple[int, ...]
    lies_on: tuple[StackedPair, ...]
    exits: tuple[MatExit, ...]
    contacts: tuple[ContactRecord, ...]
    dropped_contacts: int
    track_times: Floats
    track_poses: Floats
    energy_gain: float
    energy_removed: float
    steps: int


def make_result(
    b: Floats,
    r: recorder.RunState,
    winks: WinkStates,
    pot: Cup | None,
    shooter: int | None,
    stop_reason: int,
    times: list[Floats],
    track: list[Floats],
) -> WinkResult:
    """Read the arrays off into a frozen result."""
    discs = len(b)
    quick = stop_reason in (loop.POTTED, loop.MISSED)
    lying = () if quick else stacked_pairs(b)
    under = {one.upper for one in lying}
    touching_pot = [False] * discs if quick or pot is None else touches_pot(b, pot)
    rows = b.tolist()
    status = tuple(_final_status(rows[i], pot, touching_pot[i], i in under) for i in range(discs))
    potted: bool | None = None
    if shooter is not None and pot is not None:
        potted = (
            stop_reason == loop.POTTED
            if quick
            else (status[shooter] is Status.POTTED if stop_reason != loop.TIMED_OUT else None)
        )
        if stop_reason == loop.TIMED_OUT and b[shooter, STATE] != AWAKE:
            potted = status[shooter] is Status.POTTED
    restless = tuple(i for i in range(discs) if status[i] is Status.MOVING) if not quick else ()
    return WinkResult(
        winks=WinkStates(
            c=b[:, CX : CZ + 1].copy(),
            n=b[:, NX : NZ + 1].copy(),
            v=b[:, VX : VZ + 1].copy(),
            L=b[:, LX : LZ + 1].copy(),
            R=winks.R,
            h=winks.h,
            mass=winks.mass,
        ),
        status=status,
        time=float(r.clock[recorder.TIME]),
        settled=stop_reason == loop.ALL_ASLEEP,
        potted=potted,
        unsettled=restless,
        lies_on=lying,
        exits=tuple(
            MatExit(disc=i, time=float(b[i, EXIT_TIME]), x=float(b[i, EXIT_X]), y=float(b[i, EXIT_Y]))
            for i in range(discs)
            if b[i, STATE] == REMOVED
        ),
        contacts=tuple(_contact_record(row) for row in r.contact_log[: r.counters[recorder.LOGGED_COUNT]].tolist()),
        dropped_contacts=int(r.counters[recorder.DROPPED_COUNT]),
        track_times=np.concatenate(times) if times else np.zeros(0),
        track_poses=np.concatenate(track) if track else np.zeros((0, discs, 6)),
        energy_gain=float(r.clock[recorder.ENERGY_GAIN]),
        energy_removed=float(r.clock[recorder.ENERGY_REMOVED]),
        steps=int(r.counters[recorder.STEP_COUNT]),
    )


def _contact_record(row: list[float]) -> ContactRecord:
    time, disc, against, speed, x, y, z, until = row
    return ContactRecord(time=time, end_time=until, disc=int(disc), other=int(against), speed=speed, point=(x, y, z))


def _final_status(one: list[float], pot: Cup | None, at: bool, on_wink: bool) -> Status:
    """The end of a wink, from its row."""
    if one[STATE] == REMOVED:
        return Status.LEFT
    if one[STATE] == AWAKE:
        return Status.MOVING
    if pot is not None:
        x, y, z = one[CX] - pot.x, one[CY] - pot.y, one[CZ]
        if is_in_cup(x, y, z, pot.to_array()):
            return Status.POTTED
        if at and z > pot.height - one[HALF_THICKNESS]:
            return Status.ON_RIM
    if abs(one[NZ]) > FLAT_COSINE:
        return Status.FLAT
    return Status.LEANING if at or on_wink else Status.ON_EDGE
