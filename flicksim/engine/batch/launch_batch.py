"""Batch simulation of launches: columns in, arrays of resting poses out, each row identical to `simulate`.

Rows are independent, so results do not depend on the number of threads. No tracks or events are returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from flicksim.core.arrays import Floats
from flicksim.core.errors import DidNotSettle, InvalidAction
from flicksim.engine.batch.batch_result import BatchResult, OutcomesAndPoses, to_labels
from flicksim.engine.batch.batch_validation import batch_size, check_scenes, raise_first_error
from flicksim.engine.batch.rows import item_at, map_in_threads
from flicksim.engine.batch.scene_arrays import piece_ids
from flicksim.engine.batch.shot_columns import Launches
from flicksim.engine.pyramid_launch import launch_problem, simulate_flight, simulate_release
from flicksim.engine.settings import Settings
from flicksim.scene.launch import Launch
from flicksim.scene.pyramid import Pyramid
from flicksim.scene.pyramid_scene import PyramidScene

UPRIGHT, ON_SIDE, LEANING, FELL, NOT_RELEASED = range(5)
"""Outcome of a piece: at rest upright on its base; flat on a side; in any other pose; off the table; not released by
the launcher."""
_OUTCOME_NAMES: Final = ("standing", "on its side", "leaning", "fell", "kept on the launcher")
ABSENT: Final = -1
"""Outcome of a piece that was absent, or whose launch failed."""
ON_TABLE, ON_NOTHING = -1, -2
"""First contact of a missile other than with a piece."""
CHUNK_SIZE: Final = 64
"""Launches per chunk of work of a thread."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LaunchBatchResult(BatchResult):
    """The outcome of S launches over N - 1 pieces; the last column is the missile's.

    Args:
        ids: the pieces; of the missile, where it has one name.
        positions: x, y, z of the middle of the base at rest [m]; of the centre of mass when it left, for a piece off
            the table; NaN if absent. [S, N, 3]
        orientations: tilt, heading, roll at rest [rad] (see `scene.Pyramid`); else NaN. [S, N, 3]
        outcome: `UPRIGHT`, `ON_SIDE`, `LEANING`, `FELL`, `NOT_RELEASED` or `ABSENT`. [S, N]
        moved: pieces that were ever awake. [S, N]
        supports: of moved pieces that rest on pieces: launch, column of the piece, of the support, and 1 if its base
            stands on it, 0 if it leans. [M, 4]
        first_contact: column of the first thing hit by the missile at more than 30 mm/s, `ON_TABLE` or `ON_NOTHING`.
            [S]
        first_contact_time: of the missile [s]. [S]
        launches: the input.
        error: see `BatchResult`, also for what launches that failed have.
    """

    _without_nan = ("moved", "first_contact")

    orientations: Floats
    supports: npt.NDArray[np.int64]
    first_contact_time: Floats
    launches: Launches = field(repr=False)

    def _outcomes_and_poses(self) -> OutcomesAndPoses:
        words = to_labels(self.outcome, dict(enumerate(_OUTCOME_NAMES)))
        x, y, z = np.moveaxis(self.positions, -1, 0)
        tilt, heading, roll = np.moveaxis(self.orientations, -1, 0)
        return words, {("x", "m"): x, ("y", "m"): y, ("z", "m"): z,
            ("tilt", "rad"): tilt, ("heading", "rad"): heading, ("roll", "rad"): roll}  # fmt: skip


def simulate_launches(
    scenes: Sequence[PyramidScene],
    launches: Launches,
    settings: Sequence[Settings],
    *,
    threads: int = 1,
    on_error: Literal["raise", "mark"] = "raise",
) -> LaunchBatchResult:
    """`simulate_batch` for launches."""
    shots = batch_size(scenes, settings, launches)
    rows = _LaunchRows(piece_ids(scenes), launches, shots)
    check_scenes(scenes, rows.errors, on_error)
    valid = _valid_launches(scenes, launches, rows.errors)
    if on_error == "raise":
        raise_first_error(rows.errors, InvalidAction, "launch")

    def chunk(first: int) -> None:
        for row in range(first, min(first + CHUNK_SIZE, shots)):
            launch = valid[row]
            if launch is not None:
                _simulate_one(item_at(scenes, row), launch, item_at(settings, row), row, rows)

    map_in_threads(chunk, range(0, shots, CHUNK_SIZE), threads)
    if on_error == "raise":
        raise_first_error(rows.errors, DidNotSettle, "launch")
    supports = [(row, *rest) for row in sorted(rows.supports) for rest in rows.supports[row]]
    return replace(
        rows.result, supports=np.array(supports, dtype=np.int64).reshape(-1, 4), error=rows.errors.astype(str)
    )


class _LaunchRows:
    """Result of many launches while they are simulated; the missile is the last column."""

    def __init__(self, names: Sequence[str], launches: Launches, shots: int) -> None:
        self.column_of, self.missile, columns = {name: k for k, name in enumerate(names)}, len(names), len(names) + 1
        self.errors = np.full(shots, "", dtype=object)
        self.result = LaunchBatchResult(
            ids=(*names, launches.piece if isinstance(launches.piece, str) else "the missile"),
            positions=np.full((shots, columns, 3), np.nan), orientations=np.full((shots, columns, 3), np.nan),
            outcome=np.full((shots, columns), ABSENT, dtype=np.int8), moved=np.zeros((shots, columns), dtype=np.bool_),
            supports=np.zeros((0, 4), dtype=np.int64), first_contact=np.full(shots, ON_NOTHING, dtype=np.int64),
            first_contact_time=np.full(shots, np.nan), duration=np.full(shots, np.nan), error=np.full(shots, ""),
            launches=launches,
        )  # fmt: skip
        self.supports: dict[int, list[tuple[int, int, int]]] = {}
        self.unchanged_poses: dict[
            int, tuple[PyramidScene, tuple[npt.NDArray[np.int64], Floats, npt.NDArray[np.int8]]]
        ] = {}

    def set_resting(self, row: int, column: int, piece: Pyramid) -> None:
        """Store the resting pose of a piece."""
        self.result.positions[row, column] = piece.x, piece.y, piece.z
        self.result.orientations[row, column] = piece.tilt, piece.heading, piece.roll
        self.result.outcome[row, column] = UPRIGHT if piece.is_upright else ON_SIDE if piece.is_on_side else LEANING

    def set_unchanged(self, row: int, scene: PyramidScene) -> None:
        """Store the unchanged poses of all pieces of a scene."""
        if id(scene) not in self.unchanged_poses:
            for piece in scene.pieces:
                self.set_resting(row, self.column_of[piece.id], piece)
            columns = np.array([self.column_of[piece.id] for piece in scene.pieces], dtype=np.int64)
            poses = np.stack([self.result.positions[row, columns], self.result.orientations[row, columns]])
            self.unchanged_poses[id(scene)] = scene, (columns, poses, self.result.outcome[row, columns].copy())
            return
        columns, (positions, orientations), outcome = self.unchanged_poses[id(scene)][1]
        self.result.positions[row, columns], self.result.orientations[row, columns] = positions, orientations
        self.result.outcome[row, columns] = outcome


def _valid_launches(
    scenes: Sequence[PyramidScene], launches: Launches, errors: npt.NDArray[np.object_]
) -> list[Launch | None]:
    """Validated launches; None for invalid ones, whose reason is put into `errors`."""
    valid: list[Launch | None] = []
    for row in range(len(errors)):
        launch = None
        if not errors[row]:
            try:
                launch = launches.launch(row)
                errors[row] = launch_problem(item_at(scenes, row), launch)
            except ValueError as impossible:
                errors[row] = str(impossible)
        valid.append(None if errors[row] else launch)
    return valid


def _simulate_one(scene: PyramidScene, launch: Launch, settings: Settings, row: int, rows: _LaunchRows) -> None:
    """Simulate one launch and store its results."""
    found, free = rows.result, simulate_release(scene, launch, settings)
    if not free.released:
        rows.set_unchanged(row, scene)
        found.outcome[row, rows.missile] = NOT_RELEASED
        found.first_contact_time[row] = found.duration[row] = free.time
        return
    try:
        world = simulate_flight(scene, launch, free, settings)
    except DidNotSettle as error:
        rows.errors[row] = str(error)
        return
    rows.set_unchanged(row, scene)
    names = {**{piece.id: rows.column_of[piece.id] for piece in scene.pieces}, launch.piece: rows.missile}
    columns = list(names.values())
    after = {names[piece.id]: piece for piece in world.pieces()}
    for i, middle in sorted(world.final_positions.items()):
        column = columns[i]
        found.moved[row, column] = True
        piece = after.get(column)
        if piece is None:
            found.positions[row, column], found.orientations[row, column] = middle, np.nan
            found.outcome[row, column] = FELL
            continue
        rows.set_resting(row, column, piece)
        for name in piece.rests_on:
            rows.supports.setdefault(row, []).append((column, names[name], int(name in piece.stands_on)))
    i = len(scene.pieces)
    met = next(((a, b) for a, b in world.contact_pairs() if i in (a, b)), None)
    if met is not None:
        other = met[0] if met[1] == i else met[1]
        found.first_contact[row] = ON_TABLE if other < 0 else columns[other]
    found.first_contact_time[row], found.duration[row] = min(world.first_contact_time, world.time), world.time
