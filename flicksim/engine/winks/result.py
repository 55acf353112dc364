"""Result of a wink simulation, built from the solver's arrays."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import integrator as loop
from flicksim.engine.winks import recorder
from flicksim.engine.winks.params import Cup, Floats
from flicksim.engine.winks.shot_arrays import ResultArrays, Workspace
from flicksim.engine.winks.support import StackedPair
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


STATUSES: Final = tuple(Status)
"""Final states by their numbers in `shot_arrays`."""


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


def make_result(work: Workspace, results: ResultArrays, row: int, winks: WinkStates, pot: Cup | None) -> WinkResult:
    """Result of the last shot of a workspace, which is that row of the results."""
    b, run, reason = work.bodies, work.run, int(results.reason[row])
    discs, frames, shooter = len(b), int(run.counters[recorder.KEYFRAME_COUNT]), int(run.counters[recorder.SHOOTER])
    status = tuple(map(STATUSES.__getitem__, results.outcome[row].tolist()))
    quick = reason in (loop.POTTED, loop.MISSED)
    potted: bool | None = None
    if shooter >= 0 and pot is not None:
        decided = reason != loop.TIMED_OUT or status[shooter] is not Status.MOVING
        potted = reason == loop.POTTED if quick else (status[shooter] is Status.POTTED if decided else None)
    times, poses = run.keyframe_times[:frames].copy(), run.keyframes[:frames].copy()
    if frames and not np.array_equal(poses[-1], results.poses[row]):  # winks have been laid down after the shot
        times, poses = np.append(times, times[-1]), np.concatenate([poses, results.poses[row][None]])
    contacts = [_contact_record(one) for one in run.contact_log[: run.counters[recorder.LOGGED_COUNT]].tolist()]
    return WinkResult(
        winks=WinkStates(
            c=results.poses[row, :, :3].copy(),
            n=results.poses[row, :, 3:].copy(),
            v=b[:, B.VX : B.VZ + 1].copy(),
            L=b[:, B.LX : B.LZ + 1].copy(),
            R=winks.R,
            h=winks.h,
            mass=winks.mass,
        ),
        status=status,
        time=float(results.time[row]),
        settled=not quick and Status.MOVING not in status,
        potted=potted,
        unsettled=() if quick else tuple(i for i, one in enumerate(status) if one is Status.MOVING),
        lies_on=tuple(_stacked_pair(one) for one in work.stacks[: work.stack_count[0]].tolist()),
        exits=tuple(
            MatExit(disc=i, time=float(b[i, W.EXIT_TIME]), x=float(b[i, W.EXIT_X]), y=float(b[i, W.EXIT_Y]))
            for i in range(discs)
            if status[i] is Status.LEFT
        ),
        # of touches at the same time those in 3D come first: those in the plane take no time
        contacts=tuple(sorted(contacts, key=lambda one: (one.time, one.end_time == one.time))),
        dropped_contacts=int(run.counters[recorder.DROPPED_COUNT]),
        track_times=times,
        track_poses=poses,
        energy_gain=float(run.clock[recorder.ENERGY_GAIN]),
        energy_removed=float(run.clock[recorder.ENERGY_REMOVED]),
        steps=int(run.counters[recorder.STEP_COUNT]),
    )


def _contact_record(row: list[float]) -> ContactRecord:
    time, disc, against, speed, x, y, z, until = row
    return ContactRecord(time=time, end_time=until, disc=int(disc), other=int(against), speed=speed, point=(x, y, z))


def _stacked_pair(row: list[float]) -> StackedPair:
    upper, lower, tilt, overlap, height = row
    return StackedPair(upper=int(upper), lower=int(lower), tilt=tilt, overlap=overlap, height=height)
