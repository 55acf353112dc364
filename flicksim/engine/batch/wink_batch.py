"""Batch simulation of squidges of winks on mats: columns of squidges in, arrays of results out.

Every shot runs in the compiled loop of `winks.shots`, whatever it moves; `simulate_squidge` is the same with one row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from flicksim.core.arrays import Bools, Floats, Ints
from flicksim.core.deprecation import warn_renamed
from flicksim.core.errors import DidNotSettle, InvalidAction, InvalidInput
from flicksim.core.geometry import is_inside_convex
from flicksim.core.results_table import ColumnInfo
from flicksim.engine.batch.batch_result import ABSENT, AT_REST, OFF_TABLE, BatchResult, OutcomesAndPoses, to_labels
from flicksim.engine.batch.batch_validation import Device, batch_size, check_scenes, raise_first_error
from flicksim.engine.batch.quantize import quantize_positions
from flicksim.engine.batch.rows import item_at, map_in_threads
from flicksim.engine.batch.scene_arrays import board_arrays, check_same_surface, contact_rings, piece_ids
from flicksim.engine.batch.shot_columns import Squidges, to_column
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.settings import Settings
from flicksim.engine.squidge import launched_winks, unsettled_message
from flicksim.engine.wink_scenes import MAX_SUPPORT_SHIFT, final_scene, mat_arrays
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import integrator as loop
from flicksim.engine.winks.outcome import MOVE_TOLERANCE
from flicksim.engine.winks.result import STATUSES
from flicksim.engine.winks.shot_arrays import (
    IN_POT,
    LEANING,
    LEFT,
    LIMIT_REACHED,
    MOVING,
    ON_RIM,
    SETTLED,
    SKIPPED,
    ResultArrays,
    ShotArrays,
    make_results,
)
from flicksim.engine.winks.shots import launch_motions, simulate_rows
from flicksim.engine.winks.sliding_plane import LEVEL_TILT
from flicksim.scene.scene import Scene
from flicksim.scene.wink_stacking import place_flat

NOT_FOLLOWED: Final = 2
"""Outcome of a wink that was followed no further than requested."""
SUPPORTS: Final = ("surface", "leaning", "pot", "rim")
"""Supports of a wink, by the numbers in `WinkBatchResult.support`."""
_SUPPORT_NAMES: Final = ("at rest", "leaning", "in the pot", "on the rim")
CHUNK_SIZE: Final = 64
"""Shots per chunk of work of a thread."""

_SURFACE, _LEANING, _POT, _RIM = range(4)
_SUPPORT_BY_OUTCOME: Final = np.array([_SURFACE, _LEANING, _SURFACE, _POT, _RIM, _SURFACE, _SURFACE], np.int8)
Until = Literal["rest", "potted", "decided"]
_GOALS: Final[dict[Until, int]] = {
    "rest": loop.UNTIL_SLIDE, "potted": loop.UNTIL_POTTED, "decided": loop.UNTIL_DECIDED_ALONE,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WinkBatchResult(BatchResult):
    """The outcome of S squidges on mats with N winks.

    Args:
        positions: x, y, z of the centre of each at rest [m], to the nanometre; where it left, if off the table; NaN if
            absent or not simulated to rest. [S, N, 3]
        normals: unit normal of the side that was up, likewise. [S, N, 3]
        outcome: of each, `AT_REST`, `OFF_TABLE`, `ABSENT` or `NOT_FOLLOWED`. [S, N]
        support: of each, an index into `SUPPORTS`. [S, N]
        lies_on: pairs (upper, lower) of stacked winks. [S, N, N]
        moved: winks whose resting pose changed. [S, N]
        potted: whether the squidged wink rests in the pot or on its rim. [S]
        first_contact: column of the squidged wink, and of its first contact: a wink, FELT or POT; -3 if none. [S, 2]
        landing_point: first contact point of the squidged wink [m]; NaN if none. [S, 2]
        collided: pairs that collided. [S, N, N]
        crossed: how often the centre of each crossed each line. [S, N, L]
        lines: names of the L lines.
        duration: until all rested or left, or the stop condition [s]. [S]
        disturbed: shots that moved other winks, or slid against one or the pot's foot. [S]
        ids, error: see `BatchResult`, also for what shots that failed have.
        scenes, flicks: the input.
    """

    _without_nan = (
        "support", "lies_on", "moved", "potted", "first_contact", "collided", "crossed", "disturbed",
    )  # fmt: skip

    normals: Floats
    support: npt.NDArray[np.int8]
    lies_on: Bools
    potted: Bools
    landing_point: Floats
    collided: Bools
    crossed: Ints
    lines: tuple[str, ...]
    disturbed: Bools
    scenes: tuple[Scene, ...] = field(repr=False)
    flicks: Squidges = field(repr=False)
    _rows: ResultArrays = field(repr=False)

    @property
    def fallback(self) -> Bools:
        """Former name of `disturbed`."""
        warn_renamed("WinkBatchResult.fallback", "disturbed")
        return self.disturbed

    def _shot_columns(self) -> dict[ColumnInfo, npt.NDArray[Any]]:
        title = "whether the squidged wink rests in the pot or on its rim"
        potted = np.where(self.error == "", np.asarray(self.potted), np.nan)
        return {ColumnInfo(name="potted", kind="boolean", title=title): potted}

    def _outcomes_and_poses(self) -> OutcomesAndPoses:
        words = to_labels(self.outcome, {NOT_FOLLOWED: "not followed"})
        on = to_labels(self.support, dict(enumerate(_SUPPORT_NAMES)))
        words[self.outcome == AT_REST] = on[self.outcome == AT_REST]
        x, y, z = np.moveaxis(self.positions, -1, 0)
        return words, {("x", "m"): x, ("y", "m"): y, ("z", "m"): z}

    def after(self, shot: int) -> Scene:
        """The mat after a shot.

        Raises:
            InvalidInput: the shot failed, was not simulated to rest, or does not exist.
        """
        shot = self.check_settled(shot)
        if (self.outcome[shot] == NOT_FOLLOWED).any():
            raise InvalidInput(f"shot {shot} was followed no further than was asked; ask with until='rest'")
        scene, rows = item_at(self.scenes, shot), self._rows
        ranks = rows.support_rank[shot]
        stacked = sorted(np.argwhere(ranks > 0).tolist(), key=lambda pair: int(ranks[pair[0], pair[1]]))
        statuses = [STATUSES[code] for code in rows.outcome[shot].tolist()]
        return final_scene(scene, rows.poses[shot], statuses, [(upper, lower) for upper, lower in stacked])


@dataclass(frozen=True, slots=True, kw_only=True)
class MatRows:
    """The outcome of S shots at mats with N winks, unrounded.

    Args:
        positions: x, y of the centres [m]. [S, N, 2]
        left: winks that have left the mat. [S, N]
        lies_on: pairs (upper, lower) of stacked winks; none of a shot that did not settle. [S, N, N]
        potted: whether the squidged wink rests in the pot or on its rim, or certainly will; False of failed shots. [S]
        error: why a shot did not settle; "" for the others. [S]
    """

    positions: Floats
    left: Bools
    lies_on: Bools
    potted: Bools
    error: npt.NDArray[np.object_]


class MatBatch:
    """Mats prepared as arrays for squidges.

    Args:
        scenes, settings: equally many, or one of either for all; all on one surface.
        ids: the winks, one per column.
    """

    def __init__(self, scenes: Sequence[Scene], settings: Sequence[Settings], ids: Sequence[str]) -> None:
        self.scenes, self.settings, self.ids = tuple(scenes), tuple(settings), tuple(ids)
        rings = contact_rings(scenes)
        self.board = board_arrays(scenes[0], rings)
        at: dict[tuple[int, int], int] = {}
        pairs = [(item_at(scenes, row), item_at(settings, row)) for row in range(max(len(scenes), len(settings)))]
        self.mat_index = np.array(
            [at.setdefault((id(one), id(other)), len(at)) for one, other in pairs], dtype=np.int64
        )
        first = {mat: row for row, mat in reversed(list(enumerate(self.mat_index.tolist())))}
        self._pairs = [pairs[first[mat]] for mat in range(len(at))]
        self.arrays = mat_arrays(self._pairs, rings)
        self.lines = tuple(line.name for line in scenes[0].surface.lines)
        mats, columns, bodies = len(at), len(ids), self.arrays.bodies.shape[1]
        self._body_of = np.full((mats, columns), bodies)
        self._column_of = np.full((mats, bodies), -1)
        self._support = np.zeros((mats, columns), np.int8)
        self._lies_on = np.zeros((mats, columns, columns), np.bool_)
        column_of = {name: k for k, name in enumerate(ids)}
        for mat, (scene, _) in enumerate(self._pairs):
            for i, piece in enumerate(scene.pieces):
                k = column_of[piece.id]
                self._body_of[mat, k], self._column_of[mat, i] = i, k
                self._support[mat, k] = SUPPORTS.index(piece.support)
                for lower in piece.lies_on:
                    if lower in column_of:
                        self._lies_on[mat, k, column_of[lower]] = True
        self._in_order = columns == bodies and bool((self._body_of == np.arange(columns)).all())

    def squidge_arrays(self, piece: Ints, mat: Ints, flicks: Squidges, at: Floats) -> ShotArrays:
        """Arrays of squidges for the compiled loop: wink `piece` of the scene of `mat` in each shot, free of
        others, and the winks moved to `at`."""
        shots = len(piece)
        # copies: read-only views have another array type, for which the loop would be compiled again
        speed, azimuth, elevation, tumble = (
            np.array(to_column(getattr(flicks, name), shots)) for name in _MOTION_FIELDS
        )
        rows = self.arrays.bodies[mat, piece]
        v, spin = np.zeros((shots, 3)), np.zeros((shots, 3))
        n = np.ascontiguousarray(rows[:, B.NX : B.NZ + 1])
        radius, half = np.ascontiguousarray(rows[:, W.RADIUS]), np.ascontiguousarray(rows[:, W.HALF_THICKNESS])
        launch_motions(n, radius, half, speed, azimuth, elevation, tumble, v, spin)
        return ShotArrays(
            mat=mat, shooter=piece.copy(), launched=piece[:, None].copy(), velocity=v[:, None],
            angular_momentum=spin[:, None], positions=at,
        )  # fmt: skip

    def run(self, shot: ShotArrays, skip: Bools, *, until: Until, threads: int, device: Device = "cpu") -> ResultArrays:
        """Simulate the shots that are not skipped."""
        shots = len(shot.mat)
        results = make_results(shots, self.arrays.bodies.shape[1], len(self.lines))
        results.status[skip] = SKIPPED
        goal = _GOALS[until] if len(self.arrays.pot) else loop.UNTIL_SLIDE
        if device == "cuda":
            from flicksim.engine.batch import cuda_batch

            cuda_batch.simulate_winks(goal, self.arrays, shot, self.board, results)
        else:

            def chunk(first: int) -> None:
                simulate_rows(first, min(first + CHUNK_SIZE, shots), goal, self.arrays, shot, self.board, results)

            map_in_threads(chunk, range(0, shots, CHUNK_SIZE), threads)
        max_time = np.array([settings.max_time for _, settings in self._pairs])
        results.status[(results.status == SETTLED) & (results.time > max_time[shot.mat])] = LIMIT_REACHED
        return results

    def summary(self, shot: ShotArrays, results: ResultArrays) -> MatRows:
        """Outcome of these shots, unrounded."""
        played = results.outcome[np.arange(len(shot.mat)), shot.launched[:, 0]]
        settled, error = results.status == SETTLED, np.full(len(shot.mat), "", dtype=object)
        for row in np.flatnonzero(~settled).tolist():
            error[row] = self.unsettled_reason(row, int(shot.mat[row]), results)
        return MatRows(
            positions=results.poses[:, :, :2], left=results.outcome == LEFT,
            lies_on=(results.support_rank > 0) & (settled[:, None] & (results.outcome != IN_POT))[:, :, None],
            potted=settled & (np.isin(played, (IN_POT, ON_RIM)) | (results.reason == loop.POTTED)), error=error,
        )  # fmt: skip

    def unsettled_reason(self, row: int, mat: int, results: ResultArrays) -> str:
        """Reason why the shot of a row did not come to rest; "" if it did."""
        scene, settings = self._pairs[mat]
        names = [piece.id for piece in scene.pieces]
        statuses = [STATUSES[code] for code in results.outcome[row, : len(names)].tolist()]
        return unsettled_message(int(results.status[row]), float(results.time[row]), names, statuses, settings)

    def squidged_winks(
        self, names: npt.NDArray[np.object_], mat: Ints, errors: npt.NDArray[np.object_]
    ) -> tuple[Ints, Bools]:
        """Indices of the squidged winks, and whether each is free of stacked winks; absent ones are reported in
        `errors`."""
        if not self.ids:
            raise InvalidAction("no wink lies on the mat, so none can be squidged")
        at = {name: k for k, name in enumerate(self.ids)}
        column = np.array([at.get(name, -1) for name in names], dtype=np.int64)
        piece = self._body_of[mat, column]
        absent = (column < 0) | (piece == self.arrays.bodies.shape[1])
        known = ", ".join(map(repr, self.ids)) or "none"
        for row in np.flatnonzero(absent & (errors == "")):
            errors[row] = f"there is no piece {names[row]!r} to flick; pieces on the table: {known}"
        piece[absent] = 0
        lying_on = self._lies_on[mat, column].any(axis=1) | self._lies_on[mat, :, column].any(axis=1)
        return piece, np.asarray(~lying_on)

    def result_columns(self, mat: Ints, piece: Ints, results: ResultArrays) -> dict[str, Any]:
        """Fields of `WinkBatchResult` from the rows that the compiled loop wrote."""
        shots, at = np.arange(len(mat)), self._body_of[mat]
        present, rows, played = at < self.arrays.bodies.shape[1], shots[:, None], self._column_of[mat, piece]
        found = np.where(present, at, 0)

        def columns(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
            """Values by wink, by column; the first wink's where there is none. Not to be written to."""
            return values if self._in_order else np.asarray(values[rows, found])

        def pairs(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
            """Values by pair of winks, by pair of columns; false where there is none."""
            both = present[:, :, None] & present[:, None, :]
            return values if self._in_order else both & values[rows[:, :, None], found[:, :, None], found[:, None, :]]

        state, poses, bodies = columns(results.outcome), columns(results.poses), self.arrays.bodies
        before, normals_before, half = (
            columns(bodies[:, :, part][mat]) for part in (_CENTRE, _NORMAL, W.HALF_THICKNESS)
        )
        was_asleep = (poses[:, :, :3] == before).all(axis=2)
        left, positions, normals = present & (state == LEFT), poses[:, :, :3].copy(), poses[:, :, 3:].copy()
        here = present & ~left
        quantize_positions(positions, here & ~was_asleep, self.scenes[0].surface)
        turned = np.abs(_tilt(normals) - _tilt(normals_before))
        offset = np.maximum(
            np.abs(positions[:, :, :2] - before[:, :, :2]).max(axis=2), np.abs(poses[:, :, 2] - before[:, :, 2])
        )
        unmoved = here & (was_asleep | ((offset < MOVE_TOLERANCE) & (turned < 1e-4)))
        supports = here & (was_asleep | ((offset < MAX_SUPPORT_SHIFT) & (turned < 1e-4)))
        lay_on = self._lies_on[mat]
        lies_on = (lay_on & unmoved[:, :, None] & supports[:, None, :]) | pairs(results.support_rank > 0)
        support = np.where(unmoved, self._support[mat], _SUPPORT_BY_OUTCOME[state])
        support[~unmoved & (state == LEANING) & lies_on.any(axis=2)] = _SURFACE
        lies_on &= ~(~unmoved & (support == _POT))[:, :, None]
        flat = here & ~unmoved & (_tilt(normals) < LEVEL_TILT) & (support == _SURFACE) & ~lies_on.any(axis=2)
        positions[flat, 2] = half[flat]
        positions[unmoved], normals[unmoved] = before[unmoved], normals_before[unmoved]
        # one that lies a little deeper in the felt than it was laid lies as before
        unmoved |= (
            flat & (positions == before).all(axis=2) & (normals_before[:, :, 2] == 1.0) & (normals[:, :, 2] > 0.0)
        )
        positions[left, :2], positions[left, 2] = columns(results.exits)[left, 1:], np.nan
        outcome = np.where(left, OFF_TABLE, np.where(here, AT_REST, ABSENT)).astype(np.int8)
        outcome[shots, played] = np.where(state[shots, played] == MOVING, NOT_FOLLOWED, outcome[shots, played])
        unknown = ~present | (outcome == NOT_FOLLOWED)
        positions[unknown] = normals[unknown] = np.nan
        first = results.first_contact
        in_pot = np.isin(support[shots, played], (_POT, _RIM)) & (outcome[shots, played] == AT_REST)
        return {
            "positions": positions,
            "normals": normals,
            "outcome": outcome,
            "support": support.astype(np.int8),
            "lies_on": lies_on,
            "moved": here & ~unknown & (~unmoved | (lies_on != lay_on).any(axis=2)),
            "potted": in_pot | (results.reason == loop.POTTED),
            "first_contact": np.stack(
                [played, np.where(first < 0, first, self._column_of[mat, np.maximum(first, 0)])], axis=1
            ),
            "landing_point": results.landing_point,
            "collided": pairs(results.collided),
            "crossed": np.where(present[:, :, None], columns(results.crossed), 0),
            "duration": results.time,
        }


_CENTRE: Final = slice(B.CX, B.CZ + 1)
_NORMAL: Final = slice(B.NX, B.NZ + 1)
_MOTION_FIELDS: Final = ("speed", "azimuth", "elevation", "tumble")


def _tilt(normals: Floats) -> Floats:
    """Tilts of winks with these normals. [..., 3] -> [...] [rad]"""
    return np.asarray(np.arccos(np.minimum(1.0, np.abs(normals[..., 2]))))


def _with_launches(shot: ShotArrays, rows: Ints, free: Bools, scenes: Sequence[Scene], flicks: Squidges) -> ShotArrays:
    """Shots with the motions of all winks that the squidger sets in motion in these rows."""
    launches = {row: launched_winks(item_at(scenes, row), flicks.squidge(row))[:2] for row in rows.tolist()}
    most = max((len(launched) for launched, _ in launches.values()), default=1)
    shots, more = len(shot.mat), max(0, most - 1)
    shot = shot._replace(
        shooter=np.where(free, shot.shooter, -1),
        launched=np.concatenate([shot.launched, np.full((shots, more), -1)], axis=1),
        velocity=np.concatenate([shot.velocity, np.zeros((shots, more, 3))], axis=1),
        angular_momentum=np.concatenate([shot.angular_momentum, np.zeros((shots, more, 3))], axis=1),
    )
    for row, (launched, motions) in launches.items():
        for q, (i, (v, spin)) in enumerate(zip(launched, motions, strict=True)):
            shot.launched[row, q], shot.velocity[row, q], shot.angular_momentum[row, q] = i, v, spin
    return shot


def simulate_mats(
    scenes: Sequence[Scene],
    flicks: Squidges,
    settings: Sequence[Settings],
    *,
    threads: int = 1,
    device: Device = "cpu",
    until: Until = "rest",
    on_error: Literal["raise", "mark"] = "raise",
    checked: bool = False,
) -> WinkBatchResult:
    """`simulate_batch` for squidges.

    Args:
        device: "cpu" or "cuda".
        until: "decided" stops a shot as soon as it is decided whether the wink is potted; "potted" as soon as it is
            certain to be.
        checked: skip the validation of the scenes.
    """
    shots = batch_size(scenes, settings, flicks)
    check_same_surface(scenes)
    errors = np.full(shots, "", dtype=object)
    if not checked:
        check_scenes(scenes, errors, on_error)
    names = np.broadcast_to(np.array([flicks.piece] if isinstance(flicks.piece, str) else flicks.piece, object), shots)
    valid = errors == ""
    errors[valid] = flicks.errors(shots)[valid]
    scenes, ids = _with_starts(tuple(scenes), names, flicks, errors), piece_ids(scenes)
    mats = MatBatch(scenes, settings, ids)
    mat = np.array(np.broadcast_to(mats.mat_index, shots))
    piece, free = mats.squidged_winks(names, mat, errors)
    if on_error == "raise":
        raise_first_error(errors, InvalidAction)
    able = np.asarray(errors == "")
    shot = mats.squidge_arrays(piece, mat, flicks, np.zeros((shots, 0, 2)))
    tilted = np.abs(mats.arrays.bodies[mat, piece, B.NZ]) < 1.0
    shot = _with_launches(shot, np.flatnonzero(able & (tilted | ~free)), free, scenes, flicks)
    results = mats.run(shot, ~able, until=until, threads=threads, device=device)
    for row in np.flatnonzero(able & (results.status != SETTLED)).tolist():
        errors[row] = mats.unsettled_reason(row, int(mat[row]), results)
    if on_error == "raise":
        raise_first_error(errors, DidNotSettle)
    found = mats.result_columns(mat, piece, results)
    failed = np.asarray(errors != "")
    for name in ("positions", "normals", "landing_point", "duration"):
        found[name][failed] = np.nan
    for name in ("moved", "potted", "collided"):
        found[name][failed] = False
    found["outcome"][failed], found["crossed"][failed] = ABSENT, 0
    return WinkBatchResult(
        ids=ids, lines=mats.lines, error=errors.astype(str), disturbed=results.joined, scenes=scenes, flicks=flicks,
        _rows=results, **found,
    )  # fmt: skip


def _with_starts(
    scenes: tuple[Scene, ...], names: npt.NDArray[np.object_], flicks: Squidges,
    errors: npt.NDArray[np.object_],
) -> tuple[Scene, ...]:  # fmt: skip
    """Scenes with the winks at their start positions; invalid ones are reported in `errors`."""
    if flicks.start is None:
        return scenes
    found = []
    for row, name in enumerate(names.tolist()):
        scene, start = item_at(scenes, row), flicks.start[min(row, len(flicks.start) - 1)].tolist()
        found.append(scene)
        if errors[row] or not scene.has(name) or start[0] != start[0]:
            continue
        if not is_inside_convex((start[0], start[1]), scene.surface.outline):
            errors[row] = "the start is off the surface"
            continue
        found[-1] = scene.with_piece(place_flat(scene.piece(name), (start[0], start[1])))
        if any(repr(name) in one for one in found[-1].problems()):
            errors[row] = "the start overlaps another piece"
    return tuple(found)
