"""Board of shots as arrays: edges, lines, and tables of the law of friction."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from flicksim.engine.friction import StoppingTable, stopping_table

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class BoardArrays(NamedTuple):
    """Board on which shots are made, one or all of a batch: edges, lines and the law of friction.

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


@lru_cache(maxsize=64)
def make_board(
    outline: tuple[tuple[float, float], ...], lines: tuple[tuple[float, ...], ...], contact_rings: tuple[float, ...]
) -> BoardArrays:
    """Board with these corners and lines (x and y of their ends) [m], and stopping tables for these contact rings; its
    arrays are shared: do not modify them."""
    fractions, times, columns = stopping_tables(list(contact_rings))
    return BoardArrays(
        edges=np.array([(*outline[i - 1], *outline[i]) for i in range(len(outline))], dtype=np.float64).reshape(-1, 4),
        lines=np.array(lines, dtype=np.float64).reshape(-1, 4),
        node_fractions=fractions,
        stop_times=times,
        node_values=columns,
    )


def stopping_tables(contact_rings: list[float]) -> tuple[Floats, Floats, Floats]:
    """Stopping tables of these kinds of contact: node fractions, stop times and node values of `BoardArrays`."""
    found: list[StoppingTable] = [stopping_table(ring) for ring in contact_rings]
    columns = np.stack([np.stack((table.distance, table.angle, table.speed, table.rim_speed)) for table in found])
    return found[0].fractions.copy(), np.stack([table.time for table in found]), columns
