"""Board of a batch as arrays: edges, lines, and tables of the law of friction."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from flicksim.engine.friction import StoppingTable, stopping_table

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class BoardArrays(NamedTuple):
    """Board on which all shots of a batch are made: edges, lines and the law of friction.

    Args:
        edges: corners of each edge, x and y of its ends [m]. [E, 4]
        lines: the drawn lines likewise [m]. [L, 4]
        node_fractions: nodes of the stopping tables, as fractions of the time to rest. [F]
        stop_times: time to rest by kind of contact and ratio of speed to rim speed. [R, S]
        node_values: distance, rotation, speed and rim speed by kind of contact, ratio and node (see
            `friction.StoppingTable`). [R, 4, S, F]
    """

    edges: Floats
    lines: Floats
    node_fractions: Floats
    stop_times: Floats
    node_values: Floats


def stopping_tables(contact_rings: list[float]) -> tuple[Floats, Floats, Floats]:
    """Stopping tables of these kinds of contact: node fractions, stop times and node values of `BoardArrays`."""
    found: list[StoppingTable] = [stopping_table(ring) for ring in contact_rings]
    columns = np.stack([np.stack((table.distance, table.angle, table.speed, table.rim_speed)) for table in found])
    return found[0].fractions.copy(), np.stack([table.time for table in found]), columns
