"""Discs in the plane: arrays of the shot in progress, and the laws of motion of its discs."""

from typing import NamedTuple

import numpy as np

from flicksim.engine.planar_discs.board import Bools, Floats, Ints
from flicksim.engine.planar_discs.sliding_disc import SEGMENT_COLUMNS


class PlaneLaws(NamedTuple):
    """Properties of the N discs of a plane, and of their contacts.

    Args:
        radius, mass: [m, kg]; the mass of a fixed one is inf. [N]
        deceleration, contact_kind: of sliding discs (see `batch.SceneArrays`). [N]
        friction, restitution, yield_speed: of two discs that hit [-, -, m/s]. [N, N]
        pot_contact_distance: distance at which a disc touches a pot, the last body of the plane [m]; not read without
            one. [N - 1]
        elastic_threshold: see `Settings` [m/s].
    """

    radius: Floats
    mass: Floats
    deceleration: Floats
    contact_kind: Ints
    friction: Floats
    restitution: Floats
    yield_speed: Floats
    pot_contact_distance: Floats
    elastic_threshold: float


class Plane(NamedTuple):
    """Discs that lie or slide flat, of the shot in progress. Where there is a pot, its foot is the last of N bodies.

    Args:
        segments: slides in progress, see `sliding_disc`. [N, SEGMENT_COLUMNS]
        moving, present: bodies that slide, and that are in the plane. [N]
        obstacle_reach: radius at which slides end before a wink that is not flat [m]; 0 for all others. [N]
        rest_poses: x, y, angle of bodies at rest [m, m, rad]. [N, 3]
        motion: scratch for positions, angles [rad], velocities and spins [rad/s]. [N, 6]
        collision_times: of pairs, lower index first [s]. [N, N]
        changed, pairs, speeds, contacts: scratch. [N], [P, 2], [P], [P, 12]
        clock: time of the plane [s]. [1]
        counts: see `SLIDING`. [4]
        sliding: winks that slide, in the order in which they began; `counts` has their number. [N]
        halted: winks that have just left the plane, at an obstacle or the edge. [N]
        candidates: winks that are about to slide, see `winks.planar_handover`. [N]
        layout: centres and normals' heights of the winks asleep for which `present` was last set. [N, 4]
    """

    segments: Floats
    moving: Bools
    present: Bools
    obstacle_reach: Floats
    rest_poses: Floats
    motion: Floats
    collision_times: Floats
    changed: Ints
    pairs: Ints
    speeds: Floats
    contacts: Floats
    clock: Floats
    counts: Ints
    sliding: Ints
    halted: Bools
    candidates: Ints
    layout: Floats


SLIDING, IMPACTS, HAS_LAYOUT, HAS_POT = range(4)
"""Indices of `Plane.counts`: number of sliding winks; impacts so far; 1 once the layout has been set; 1 with a pot."""


def make_plane(bodies: int) -> Plane:
    """Plane without bodies, with room for so many."""
    pairs = bodies * (bodies - 1) // 2 + 1
    return Plane(
        segments=np.zeros((bodies, SEGMENT_COLUMNS)),
        moving=np.zeros(bodies, np.bool_),
        present=np.zeros(bodies, np.bool_),
        obstacle_reach=np.zeros(bodies),
        rest_poses=np.zeros((bodies, 3)),
        motion=np.zeros((bodies, 6)),
        collision_times=np.full((bodies, bodies), np.inf),
        changed=np.zeros(bodies, np.int64),
        pairs=np.zeros((pairs, 2), np.int64),
        speeds=np.zeros(pairs),
        contacts=np.zeros((pairs, 12)),
        clock=np.zeros(1),
        counts=np.zeros(4, np.int64),
        sliding=np.zeros(bodies, np.int64),
        halted=np.zeros(bodies, np.bool_),
        candidates=np.zeros(bodies, np.int64),
        layout=np.zeros((bodies, 4)),
    )
