"""Numbers of many scenes of flat pieces, as the compiled loops read them."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from flicksim.physics.friction import Stops, stops

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Board(NamedTuple):
    """Board on which all shots of a batch are made: edges, lines and the law of friction.

    Args:
        edges: corners of each edge, x and y of its ends [m]. [E, 4]
        lines: the drawn lines likewise [m]. [L, 4]
        fractions: knots of the run-down tables, as parts of the time to rest. [F]
        times: time to rest by kind of contact and shape. [R, S]
        columns: way, turn, v and w by kind of contact, shape and knot (see `friction.Stops`). [R, 4, S, F]
    """

    edges: Floats
    lines: Floats
    fractions: Floats
    times: Floats
    columns: Floats


class Laid(NamedTuple):
    """The pieces there, a row a shot; an array of one row serves all shots.

    Args:
        places: x, y, angle of each piece before the shot [m, m, rad]. [S, N, 3]
        there: pieces that are there. [S, N]
        radius, mass: [m], [kg]. [S, N]
        pull: deceleration of a sliding piece, friction times gravity [m/s^2]. [S, N]
        contact: kind of contact, a row of `Board.times`. [S, N]
        friction, restitution: of two pieces that hit. [S, N, N]
        yields: approach speed above which restitution falls [m/s], inf where it never does. [S, N, N]
        nail, gentle: friction of a nail [-] and gentle approach [m/s]. [S]
        longest, most: time [s] and impacts after which a shot is held not to settle. [S]
    """

    places: Floats
    there: Bools
    radius: Floats
    mass: Floats
    pull: Floats
    contact: Ints
    friction: Floats
    restitution: Floats
    yields: Floats
    nail: Floats
    gentle: Floats
    longest: Floats
    most: Ints


class Struck(NamedTuple):
    """The flicks, a row a shot.

    Args:
        piece: row of the piece that is flicked. [S]
        speed, azimuth, offset: as in `Flick` [m/s, rad, radii]. [S]
    """

    piece: Ints
    speed: Floats
    azimuth: Floats
    offset: Floats


class Found(NamedTuple):
    """The outcome of the shots; written by the loop.

    Args:
        places: x, y, angle of each piece at rest, or where it left [m, m, rad]. [S, N, 3]
        moved, left: pieces that moved, and that left the surface. [S, N]
        first: rows of the first two pieces to meet, -1 when none did. [S, 2]
        met: pieces that met each other. [S, N, N]
        crossed: how often each piece crossed each line. [S, N, L]
        duration: until the last piece rested or left [s]. [S]
        why: 0 for a shot that settled; else one of the reasons below. [S]
    """

    places: Floats
    moved: Bools
    left: Bools
    first: Ints
    met: Bools
    crossed: Ints
    duration: Floats
    why: Ints


SETTLED, TOO_LONG, NEVER, SKIPPED = 0, 1, 2, 3
"""Ends of a shot: all rests; time or impacts ran out; nothing would ever stop; it was not to be made."""


class Log(NamedTuple):
    """Events of many shots one after the other, as far as there is room; no rows when nobody asked.

    Args:
        what: kind of event, a place in `EVENTS`. [K]
        who: rows of the piece, and of the other piece or the line. [K, 2]
        numbers: time [s]; point [m]; normal or velocity [-, m/s]; speed [m/s], spin [rad/s], or 1.0 for forward. [K, 6]
    """

    what: Ints
    who: Ints
    numbers: Floats


STRUCK, TOUCHED, CROSSED, LEFT, RESTED = 0, 1, 2, 3, 4
"""Kinds of event in a log."""


def run_down(rings: list[float]) -> tuple[Floats, Floats, Floats]:
    """Tables of these kinds of contact, as `Board` holds them: fractions, times, columns."""
    found: list[Stops] = [stops(ring) for ring in rings]
    columns = np.stack([np.stack((table.way, table.turn, table.v, table.w)) for table in found])
    return found[0].fractions.copy(), np.stack([table.time for table in found]), columns
