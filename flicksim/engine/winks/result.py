"""Result of a wink simulation, built from the solver's arrays."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import integrator as loop
from flicksim.engine.winks import recorder
from flicksim.engine.winks.bodies import FLAT_COSINE
from flicksim.engine.winks.narrowphase_cup import is_in_cup
from flicksim.engine.winks.params import Cup, Floats
from flicksim.engine.winks.support import StackedPair, stacked_pairs, touches_pot
from flicksim.engine.winks.wink_states import WinkStates


class Status(Enum):
    """Final state of a wink."""

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
    """Fell off the mat."""
    MOVING = "moving"
    """Not at rest at the time limit, or when the shot was decided early."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactRecord:
    """One touch, from the first contact until a separation of 2 ms.

    Attributes:
        time: start [s].
        end_time: last contact [s].
        disc: the wink (the lower index of two).
        other: the other wink's index, or FELT (-1) or POT (-2).
        speed: of approach along the contact normal at the start [m/s].
        point: contact point at the start (x, y, z) [m].
    """

    time: float
    end_time: float
    disc: int
    other: int
    speed: float
    point: tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatExit:
    """A wink leaving the mat: its index, the time [s] and the point where its centre crossed the edge [m]."""

    disc: int
    time: float
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WinkResult:
    """Result of a run.

    Attributes:
        winks: final states.
        status: of each wink [N].
        time: simulated time [s].
        settled: True if everything came to rest or left the mat.
        potted: whether the shooter was potted; None without a shooter or a pot, or if undecided at the time limit.
        unsettled: winks still moving at the time limit.
        lies_on: stacked pairs, from the lowest contact up.
        exits: winks that left the mat.
        contacts: touches by start time.
        dropped_contacts: touches that did not fit in the log.
        track_times: of the recorded keyframes [T] [s].
        track_poses: centres and normals [T, N, 6] at those times.
        energy_gain: largest rise of the energy above its previous minimum, springs included, per mass of the lightest
            wink [J/kg].
        energy_removed: energy removed by the limiter (see `energy_limiter`) [J/kg].
        steps: solver steps.
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
    """Build the frozen result from the solver's arrays."""
    discs = len(b)
    quick = stop_reason in (loop.POTTED, loop.MISSED)
    lying = () if quick else stacked_pairs(b)
    under = {one.upper for one in lying}
    touching_pot = [False] * discs if quick or pot is None else touches_pot(b, pot)
    rows, cup = b.tolist(), None if pot is None else pot.to_array()
    status = tuple(_final_status(rows[i], cup, touching_pot[i], i in under) for i in range(discs))
    potted: bool | None = None
    if shooter is not None and pot is not None:
        potted = (
            stop_reason == loop.POTTED
            if quick
            else (status[shooter] is Status.POTTED if stop_reason != loop.TIMED_OUT else None)
        )
        if stop_reason == loop.TIMED_OUT and b[shooter, B.STATE] != B.AWAKE:
            potted = status[shooter] is Status.POTTED
    restless = tuple(i for i in range(discs) if status[i] is Status.MOVING) if not quick else ()
    return WinkResult(
        winks=WinkStates(
            c=b[:, B.CX : B.CZ + 1].copy(),
            n=b[:, B.NX : B.NZ + 1].copy(),
            v=b[:, B.VX : B.VZ + 1].copy(),
            L=b[:, B.LX : B.LZ + 1].copy(),
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
            MatExit(disc=i, time=float(b[i, W.EXIT_TIME]), x=float(b[i, W.EXIT_X]), y=float(b[i, W.EXIT_Y]))
            for i in range(discs)
            if b[i, B.STATE] == B.REMOVED
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


def _final_status(row: list[float], cup: Floats | None, at_pot: bool, on_wink: bool) -> Status:
    """Final status of a wink from its body row; `at_pot`: it touches the pot."""
    if row[B.STATE] == B.REMOVED:
        return Status.LEFT
    if row[B.STATE] == B.AWAKE:
        return Status.MOVING
    if cup is not None:
        x, y, z = row[B.CX] - cup[0], row[B.CY] - cup[1], row[B.CZ]
        if is_in_cup(x, y, z, cup):
            return Status.POTTED
        if at_pot and z > cup[4] - row[W.HALF_THICKNESS]:
            return Status.ON_RIM
    if abs(row[B.NZ]) > FLAT_COSINE:
        return Status.FLAT
    return Status.LEANING if at_pot or on_wink else Status.ON_EDGE
