"""Arrays of squidges for the compiled loop: mats, shots and results by row, and the workspace of the shot in progress.

One shot is a batch of one: it has the same arrays with a single row, and what a batch does not keep (keyframes, contact
log, final body rows) is read from the workspace, where the last shot leaves it.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from flicksim.engine.planar_discs.board import Bools, Floats, Ints
from flicksim.engine.planar_discs.plane import Plane, make_plane
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies.previous_contacts import PREV_CONTACT_COLUMNS
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks.recorder import RunState, make_run_state

CONTACT_LOG_ROWS: Final = 512
KEYFRAME_ROWS: Final = 512
"""Initial number of rows for keyframes; a shot that needs more is simulated again with four times as many."""

SETTLED, LIMIT_REACHED, SKIPPED, TOO_MANY_IMPACTS, OUT_OF_ROWS, PAUSED = range(6)
"""Status of a shot: at rest, or the verdict is known; time limit reached; not simulated; more impacts in the plane than
allowed; no room for keyframes; stopped at a time, to be continued."""

FLAT, LEANING, ON_EDGE, IN_POT, ON_RIM, LEFT, MOVING = range(7)
"""Final state of a wink: see `result.Status`."""


class MatArrays(NamedTuple):
    """Mats before a shot, all on one board. The pot is the last body of the plane.

    Args:
        bodies: body rows of the winks. [K, N, BODY_COLUMNS]
        stacked: pairs of winks, lower index first, of which one was placed on the other. [K, N, N]
        materials: coefficients for each of the rolling resistances tried in turn. [K, D, 3, 3, 4]
        solver_params, mass_unit: of the 3D simulation; least mass [kg]. [K, 5], [K]
        radius, mass: of discs in the plane [m, kg]; the pot's mass is inf. [K, N + 1]
        deceleration, contact_kind: of sliding winks (see `batch.SceneArrays`). [K, N + 1]
        friction, restitution, yield_speed: of two discs that hit in the plane [-, -, m/s]. [K, N + 1, N + 1]
        pot_contact_distance: distance from the pot's axis at which a flat wink touches the pot [m]. [K, N]
        elastic_threshold, max_impacts: see `Settings` [m/s, -]. [K]
        max_flight_time: time after which the rolling resistance is raised [s]. [K]
        keyframe_interval: spacing of the keyframes [s]; 0: none. [K]
        pot, outline: see `Cup.to_array`; corners of the mat. [10] or [0], [M, 2]
    """

    bodies: Floats
    stacked: Bools
    materials: Floats
    solver_params: Floats
    mass_unit: Floats
    radius: Floats
    mass: Floats
    deceleration: Floats
    contact_kind: Ints
    friction: Floats
    restitution: Floats
    yield_speed: Floats
    pot_contact_distance: Floats
    elastic_threshold: Floats
    max_impacts: Ints
    max_flight_time: Floats
    keyframe_interval: Floats
    pot: Floats
    outline: Floats


class ShotArrays(NamedTuple):
    """Squidges, one row per shot.

    Args:
        mat: index of the mat. [S]
        shooter: wink that rolls off the felt and about which a verdict is; -1: none. [S]
        launched: winks set in motion, -1 from the last one on; those that are awake on the mat move too. [S, M]
        velocity, angular_momentum: of the launched winks [m/s], per mass [m^2/s]. [S, M, 3]
        positions: of the winks instead of the mat's [m]; NaN where unchanged. [S, N, 2], or [S, 0, 2] for no change
    """

    mat: Ints
    shooter: Ints
    launched: Ints
    velocity: Floats
    angular_momentum: Floats
    positions: Floats


class ResultArrays(NamedTuple):
    """Results of the shots, written by the loop.

    Args:
        poses: final centre and normal of each wink. [S, N, 6]
        exits: time [s] and point [m] at which its centre left the mat. [S, N, 3]
        outcome: `FLAT` to `MOVING`. [S, N]
        support_rank: of a wink (first index) on another: place of the pair from the lowest contact up, from 1; 0 if it
            does not lie on it. [S, N, N]
        collided: pairs of winks that touched. [S, N, N]
        crossed: number of crossings of each line by each wink. [S, N, L]
        joined: whether another than the launched wink woke, or the plane had a collision. [S]
        first_contact: of the first launched wink: another wink, FELT or POT; `NO_CONTACT` if none. [S]
        landing_point: first point on which it landed [m], NaN if none. [S, 2]
        time: duration [s]. [S]
        reason: stop reason, see `integrator.ALL_ASLEEP`. [S]
        status: `SETTLED` to `PAUSED`; on entry SKIPPED for a shot to leave out, PAUSED for one to continue. [S]
    """

    poses: Floats
    exits: Floats
    outcome: npt.NDArray[np.int8]
    support_rank: npt.NDArray[np.int16]
    collided: Bools
    crossed: Ints
    joined: Bools
    first_contact: Ints
    landing_point: Floats
    time: Floats
    reason: Ints
    status: Ints


NO_CONTACT: Final = -3
"""In place of a wink: nothing was touched."""


class Workspace(NamedTuple):
    """State of the shot in progress, or of the last one.

    Args:
        bodies: body rows of its winks. [N, BODY_COLUMNS]
        run: clock, contact log and keyframes. plane: winks in the plane.
        contacts, prev_contacts, order: contacts of a step and of the step before, and their order. [R, ..], [R]
        stacks: upper, lower, tilt [rad], overlap and height [m] of stacked pairs at the end; `stack_count` rows.
    """

    bodies: Floats
    run: RunState
    plane: Plane
    contacts: Floats
    prev_contacts: Floats
    order: Ints
    stacks: Floats
    stack_count: Ints


def make_mats(mats: int, discs: int, attempts: int, pot: Floats, outline: Floats) -> MatArrays:
    """Mats without winks, to be filled in: all bodies are removed ones."""
    made = MatArrays(
        bodies=np.zeros((mats, discs, W.BODY_COLUMNS)),
        stacked=np.zeros((mats, discs, discs), np.bool_),
        materials=np.zeros((mats, attempts, 3, 3, 4)),
        solver_params=np.zeros((mats, 5)),
        mass_unit=np.ones(mats),
        radius=np.zeros((mats, discs + 1)),
        mass=np.full((mats, discs + 1), np.inf),
        deceleration=np.zeros((mats, discs + 1)),
        contact_kind=np.zeros((mats, discs + 1), np.int64),
        friction=np.zeros((mats, discs + 1, discs + 1)),
        restitution=np.zeros((mats, discs + 1, discs + 1)),
        yield_speed=np.full((mats, discs + 1, discs + 1), np.inf),
        pot_contact_distance=np.zeros((mats, discs)),
        elastic_threshold=np.zeros(mats),
        max_impacts=np.zeros(mats, np.int64),
        max_flight_time=np.zeros(mats),
        keyframe_interval=np.zeros(mats),
        pot=pot,
        outline=outline,
    )
    made.bodies[:, :, B.STATE], made.bodies[:, :, B.INV_MASS] = B.REMOVED, 1.0
    return made


def make_workspace(discs: int, outline: Floats, keyframe_rows: int = KEYFRAME_ROWS) -> Workspace:
    """Workspace for shots with that many winks on a mat with these corners."""
    room, pairs = 16 * discs + 64, discs * (discs + 1) // 2 + 1
    return Workspace(
        bodies=np.zeros((discs, W.BODY_COLUMNS)),
        run=make_run_state(discs, outline, CONTACT_LOG_ROWS, keyframe_rows),
        plane=make_plane(discs + 1),
        contacts=np.zeros((room, C.CONTACT_COLUMNS)),
        prev_contacts=np.zeros((room, PREV_CONTACT_COLUMNS)),
        order=np.zeros(room, np.int64),
        stacks=np.zeros((pairs, 5)),
        stack_count=np.zeros(1, np.int64),
    )


def make_results(shots: int, discs: int, lines: int) -> ResultArrays:
    """Results of that many shots, to be filled in."""
    return ResultArrays(
        poses=np.full((shots, discs, 6), np.nan),
        exits=np.full((shots, discs, 3), np.nan),
        outcome=np.full((shots, discs), MOVING, np.int8),
        support_rank=np.zeros((shots, discs, discs), np.int16),
        collided=np.zeros((shots, discs, discs), np.bool_),
        crossed=np.zeros((shots, discs, lines), np.int64),
        joined=np.zeros(shots, np.bool_),
        first_contact=np.full(shots, NO_CONTACT, np.int64),
        landing_point=np.full((shots, 2), np.nan),
        time=np.full(shots, np.nan),
        reason=np.zeros(shots, np.int64),
        status=np.zeros(shots, np.int64),
    )
