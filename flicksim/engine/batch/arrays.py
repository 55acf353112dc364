"""Array types that the compiled batch loops read and write."""

from typing import NamedTuple

from flicksim.engine.planar_discs.board import BoardArrays as BoardArrays
from flicksim.engine.planar_discs.board import Bools as Bools
from flicksim.engine.planar_discs.board import Floats as Floats
from flicksim.engine.planar_discs.board import Ints as Ints


class SceneArrays(NamedTuple):
    """Pieces of the scenes, one row per shot; an array of one row serves all shots.

    Args:
        positions: x, y, angle of each piece before the shot [m, m, rad]. [S, N, 3]
        present: pieces that are there. [S, N]
        radius, mass: [m], [kg]. [S, N]
        deceleration: deceleration of a sliding piece, friction times gravity [m/s^2]. [S, N]
        contact_kind: kind of contact, a row of `BoardArrays.stop_times`. [S, N]
        friction, restitution: of two pieces that hit. [S, N, N]
        yield_speed: approach speed above which restitution falls [m/s], inf where it never does. [S, N, N]
        nail_friction, elastic_threshold: see `Settings` [-, m/s]. [S]
        max_time, max_impacts: limits of time [s] and impacts of a shot. [S]
    """

    positions: Floats
    present: Bools
    radius: Floats
    mass: Floats
    deceleration: Floats
    contact_kind: Ints
    friction: Floats
    restitution: Floats
    yield_speed: Floats
    nail_friction: Floats
    elastic_threshold: Floats
    max_time: Floats
    max_impacts: Ints


class FlickArrays(NamedTuple):
    """Flicks, one row per shot.

    Args:
        piece: row of the piece that is flicked. [S]
        speed, azimuth, offset: as in `Flick` [m/s, rad, radii]. [S]
    """

    piece: Ints
    speed: Floats
    azimuth: Floats
    offset: Floats


class DiscBatchArrays(NamedTuple):
    """Results of the shots; written by the loop.

    Args:
        positions: x, y, angle of each piece at rest, or where it left [m, m, rad]. [S, N, 3]
        moved, left: pieces that moved, and that left the surface. [S, N]
        first_contact: rows of the first two pieces to collide, -1 if none did. [S, 2]
        collided: pairs that collided. [S, N, N]
        crossed: how often each piece crossed each line. [S, N, L]
        duration: until the last piece rested or left [s]. [S]
        status: 0 for a shot that settled; else one of the reasons below. [S]
    """

    positions: Floats
    moved: Bools
    left: Bools
    first_contact: Ints
    collided: Bools
    crossed: Ints
    duration: Floats
    status: Ints


SETTLED, TIMED_OUT, NEVER_STOPS, SKIPPED, TOO_MANY_IMPACTS = range(5)
"""Status of a shot: settled; time limit; endless motion without friction; not simulated; limit of impacts."""


class EventLog(NamedTuple):
    """Event buffer of consecutive shots, up to its capacity; no rows unless requested.

    Args:
        kind: kind of event, one of `STRUCK` to `RESTED`. [K]
        subjects: rows of the piece, and of the other piece or the line. [K, 2]
        values: time [s]; point [m]; normal or velocity [-, m/s]; speed [m/s], spin [rad/s], or 1.0 for forward. [K, 6]
    """

    kind: Ints
    subjects: Ints
    values: Floats


STRUCK, TOUCHED, CROSSED, LEFT, RESTED = 0, 1, 2, 3, 4
"""Event kinds in a log."""
