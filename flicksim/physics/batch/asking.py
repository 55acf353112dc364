"""Complaints about many shots that cannot be: the first, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from flicksim.base.errors import BadInput, BadScene, FlicksimError
from flicksim.physics.batch.flicks import Flicks, Squidges
from flicksim.physics.settings import Settings
from flicksim.table.scene import Scene


def length(
    scenes: Sequence[Scene],
    settings: Sequence[Settings],
    flicks: Flicks | Squidges,
    places: npt.NDArray[np.float64] | None = None,
) -> int:
    """Number of shots asked for: the length of whatever is not one for all."""
    found = {"scenes": len(scenes), "settings": len(settings), "flicks": flicks.rows()}
    if places is not None:
        if places.ndim != 3:
            raise BadInput(f"places has shape {list(places.shape)}; it must be [shots, pieces, 3]")
        found["places"] = len(places)
    shots = max(found.values())
    if any(count not in (1, shots) for count in found.values()):
        told = ", ".join(f"{count} {name}" for name, count in found.items())
        raise BadInput(f"{told} do not go together; give as many of each, or one for all")
    return shots


def check_scenes(scenes: Sequence[Scene], why: npt.NDArray[np.object_], failed: str) -> None:
    """Note scenes that cannot lie so; raise for them unless they are to be marked."""
    for row, scene in enumerate(scenes):
        if row and scene == scenes[row - 1]:
            why[row] = why[row - 1]
        elif found := scene.problems():
            if failed == "raise" or len(scenes) == 1:
                raise BadScene(found if len(scenes) == 1 else [f"scene {row}: {one}" for one in found])
            why[row] = "; ".join(found)


def complain(why: npt.NDArray[np.object_], kind: type[FlicksimError], what: str = "shot") -> None:
    """Raise for shots that failed: the first, and how many there are; what: a shot is called."""
    rows = np.flatnonzero(why != "")
    if len(rows):
        plural = f"{what}es" if what.endswith("h") else f"{what}s"
        more = f" ({len(rows)} of {len(why)} {plural} cannot be)" if len(why) > 1 else ""
        raise kind(f"{what} {rows[0]}: {why[rows[0]]}{more}")
