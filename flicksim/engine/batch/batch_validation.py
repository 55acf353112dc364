"""Validation of batch input; errors name the first invalid shot and the number of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from flicksim.core.errors import FlicksimError, InvalidInput, InvalidScene
from flicksim.engine.batch.shot_columns import Flicks, Launches, Squidges
from flicksim.engine.settings import Settings
from flicksim.scene.pyramid_scene import PyramidScene
from flicksim.scene.scene import Scene

Device = Literal["cpu", "cuda"]


def check_device(device: str) -> None:
    """Check a device of batches.

    Raises:
        InvalidInput: it is none, or there is no graphics processor.
        MissingExtra: device "cuda" needs the extra `cuda`.
    """
    if device not in get_args(Device):
        raise InvalidInput(f"device {device!r} cannot be; it may be 'cpu' or 'cuda'")
    if device == "cuda":
        from flicksim.engine.batch import cuda_batch  # noqa: F401 - it checks what it needs


def batch_size(
    scenes: Sequence[Scene | PyramidScene],
    settings: Sequence[Settings],
    flicks: Flicks | Squidges | Launches,
    positions: npt.NDArray[np.float64] | None = None,
) -> int:
    """Number of shots of a batch: the common length of all input that is not a single row."""
    found = {"scenes": len(scenes), "settings": len(settings), flicks.plural: flicks.row_count()}
    if positions is not None:
        if positions.ndim != 3:
            raise InvalidInput(f"positions has shape {list(positions.shape)}; it must be [shots, pieces, 3]")
        found["positions"] = len(positions)
    shots = max(found.values())
    if any(count not in (1, shots) for count in found.values()):
        told = ", ".join(f"{count} {name}" for name, count in found.items())
        raise InvalidInput(f"{told} do not go together; give as many of each, or one for all")
    return shots


def check_scenes(scenes: Sequence[Scene | PyramidScene], errors: npt.NDArray[np.object_], on_error: str) -> None:
    """Record errors of invalid scenes; raise them unless `on_error` is "mark"."""
    for row, scene in enumerate(scenes):
        if row and scene == scenes[row - 1]:
            errors[row] = errors[row - 1]
        elif found := scene.problems():
            if on_error == "raise" or len(scenes) == 1:
                raise InvalidScene(found if len(scenes) == 1 else [f"scene {row}: {one}" for one in found])
            errors[row] = "; ".join(found)


def raise_first_error(errors: npt.NDArray[np.object_], kind: type[FlicksimError], noun: str = "shot") -> None:
    """Raise if any shot failed: names the first and counts them; `noun`: word for a shot."""
    rows = np.flatnonzero(errors != "")
    if len(rows):
        plural = f"{noun}es" if noun.endswith("h") else f"{noun}s"
        more = f" ({len(rows)} of {len(errors)} {plural} cannot be)" if len(errors) > 1 else ""
        raise kind(f"{noun} {rows[0]}: {errors[rows[0]]}{more}")
