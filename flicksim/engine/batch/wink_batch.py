"""Batch simulation of squidges of winks on mats.

Shots that move a single wink run in a compiled loop (see `single_wink_batch`); shots that move others fall back to
`simulate`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from flicksim.core.errors import DidNotSettle, FlicksimError, InvalidAction, InvalidInput
from flicksim.core.geometry import is_inside_convex
from flicksim.engine.batch import single_wink_batch
from flicksim.engine.batch.arrays import SETTLED, SKIPPED
from flicksim.engine.batch.batch_result import ABSENT, AT_REST, OFF_TABLE, OUTCOME_NAMES, BatchResult, to_labels
from flicksim.engine.batch.batch_validation import batch_size, check_scenes, raise_first_error
from flicksim.engine.batch.quantize import quantize_positions
from flicksim.engine.batch.rows import item_at, map_in_threads
from flicksim.engine.batch.scene_arrays import board_arrays, check_same_surface, contact_rings, piece_ids
from flicksim.engine.batch.shot_columns import Array, Squidges, to_column
from flicksim.engine.batch.single_wink_batch import IN_POT, OFF_MAT, ON_RIM
from flicksim.engine.planar_world import pot_foot_radius
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.settings import Settings
from flicksim.engine.squidge import (
    LEVEL_TILT,
    MOVE_TOLERANCE,
    ROLLING_RESISTANCE_FACTORS,
    cup_geometry,
    piece_normal,
    resting_piece,
    simulate_squidge,
    wink_params,
    wink_states,
    with_rolling_factor,
)
from flicksim.engine.squidge_motion import squidge_motion
from flicksim.engine.winks import FELT, POT, Status
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import integrator as loop
from flicksim.engine.winks.bodies import make_bodies
from flicksim.engine.winks.separation import STACKED
from flicksim.scene.scene import Scene
from flicksim.scene.trajectory import Collision, Landed, LeftSurface, LineCrossed, Trajectory
from flicksim.scene.wink_stacking import place_flat

NOT_FOLLOWED: Final = 2
"""Outcome of a wink that was followed no further than requested."""
SUPPORTS: Final = ("surface", "leaning", "pot", "rim")
"""Supports of a wink, by the numbers in `WinkBatchResult.support`."""
_SUPPORT_NAMES: Final = ("at rest", "leaning", "in the pot", "on the rim")
NO_CONTACT: Final = -3
"""In place of a wink: nothing was touched."""
CHUNK_SIZE: Final = 64
"""Shots per chunk of work of a thread."""

_STATUS_BY_OUTCOME: Final = (Status.FLAT, Status.LEANING, Status.ON_EDGE, Status.POTTED, Status.ON_RIM, Status.LEFT)
_SUPPORT_BY_OUTCOME: Final = np.array([0, 1, 0, 2, 3, 0, 0], np.int8)
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Until = Literal["rest", "potted", "decided"]
_GOALS: Final[dict[Until, int]] = {"rest": loop.UNTIL_SLIDE, "potted": loop.UNTIL_POTTED, "decided": loop.UNTIL_DECIDED}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WinkBatchResult(BatchResult):
    """The outcome of S squidges on mats with N winks.

    Args:
        ids: the winks, in the order of the columns.
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
        error: why a shot was invalid or did not settle; "" for the others. [S]
        fallback: shots that moved other winks or touched the pot's foot, simulated one by one. [S]
        scenes, flicks: the input.
    """

    ids: tuple[str, ...]
    positions: Array
    normals: Array
    outcome: npt.NDArray[np.int8]
    support: npt.NDArray[np.int8]
    lies_on: Bools
    moved: Bools
    potted: Bools
    first_contact: Ints
    landing_point: Array
    collided: Bools
    crossed: Ints
    lines: tuple[str, ...]
    duration: Array
    error: npt.NDArray[np.str_]
    fallback: Bools
    scenes: tuple[Scene, ...] = field(repr=False)
    flicks: Squidges = field(repr=False)
    _raw_outcome: Ints = field(repr=False)
    _after: dict[int, Scene] = field(repr=False)

    def _outcome_labels(self) -> npt.NDArray[np.object_]:
        words = to_labels(self.outcome, {**OUTCOME_NAMES, NOT_FOLLOWED: "not followed"})
        on = to_labels(self.support, dict(enumerate(_SUPPORT_NAMES)))
        words[self.outcome == AT_REST] = on[self.outcome == AT_REST]
        return words

    def _numeric_columns(self) -> dict[tuple[str, str], Array]:
        x, y, z = np.moveaxis(self.positions, -1, 0)
        return {("x", "m"): x, ("y", "m"): y, ("z", "m"): z}

    def after(self, shot: int) -> Scene:
        """The mat after a shot.

        Raises:
            InvalidInput: the shot failed, was not simulated to rest, or does not exist.
        """
        shot = self.check_row(shot)
        if self.error[shot]:
            raise InvalidInput(f"shot {shot} failed: {self.error[shot]}")
        if (self.outcome[shot] == NOT_FOLLOWED).any():
            raise InvalidInput(f"shot {shot} was followed no further than was asked; ask with until='rest'")
        if shot in self._after:
            return self._after[shot]
        scene, name = item_at(self.scenes, shot), self.flicks.squidge(shot).piece
        k = self.ids.index(name)
        if self.outcome[shot, k] == OFF_TABLE:
            return scene.without(name)
        status = _STATUS_BY_OUTCOME[self._raw_outcome[shot]]
        return scene.with_piece(
            resting_piece(
                scene.piece(name), self.positions[shot, k].tolist(), self.normals[shot, k].tolist(), status, ()
            )
        )


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
        self.arrays = _mat_arrays(self._pairs, self.ids, rings)
        self.lines = tuple(line.name for line in scenes[0].surface.lines)
        self.support = np.zeros((len(at), len(ids)), np.int8)
        self.lies_on = np.zeros((len(at), len(ids), len(ids)), np.bool_)
        column_of = {name: k for k, name in enumerate(ids)}
        for mat, (scene, _) in enumerate(self._pairs):
            for piece in scene.pieces:
                k = column_of[piece.id]
                self.support[mat, k] = SUPPORTS.index(piece.support)
                for lower in piece.lies_on:
                    if lower in column_of:
                        self.lies_on[mat, k, column_of[lower]] = True

    def squidge_arrays(self, piece: Ints, mat: Ints, flicks: Squidges, at: Array) -> single_wink_batch.SquidgeArrays:
        """Arrays of squidges for the compiled loop: `piece` on `mat` in each shot, winks moved to `at`."""
        shots = len(piece)
        # copies: read-only views have another array type, for which the loop would be compiled again
        speed, azimuth, elevation, tumble = (
            np.array(to_column(getattr(flicks, name), shots)) for name in _MOTION_FIELDS
        )
        rows = self.arrays.bodies[mat, piece]
        v, spin = np.zeros((shots, 3)), np.zeros((shots, 3))
        n = np.ascontiguousarray(rows[:, B.NX : B.NZ + 1])
        radius, half = np.ascontiguousarray(rows[:, W.RADIUS]), np.ascontiguousarray(rows[:, W.HALF_THICKNESS])
        single_wink_batch.launch_motions(n, radius, half, speed, azimuth, elevation, tumble, v, spin)
        return single_wink_batch.SquidgeArrays(mat=mat, piece=piece, positions=at, velocity=v, angular_momentum=spin)

    def run(
        self, shot: single_wink_batch.SquidgeArrays, skip: Bools, *, until: Until, threads: int
    ) -> single_wink_batch.WinkBatchArrays:
        """Simulate the shots that are not skipped."""
        shots = len(shot.piece)
        results = single_wink_batch.WinkBatchArrays(
            centre=np.full((shots, 3), np.nan),
            normal=np.full((shots, 3), np.nan),
            outcome=np.full(shots, -1, np.int64),
            time=np.full(shots, np.nan),
            first_contact=np.zeros(shots, np.int64),
            landing_point=np.full((shots, 2), np.nan),
            crossed=np.zeros((shots, len(self.board.lines)), np.int64),
            status=np.where(skip, SKIPPED, 0),
        )
        goal = _GOALS[until] if len(self.arrays.pot) else loop.UNTIL_SLIDE

        def chunk(first: int) -> None:
            single_wink_batch.simulate_shots(
                first, min(first + CHUNK_SIZE, shots), goal, self.arrays, shot, self.board, results
            )

        map_in_threads(chunk, range(0, shots, CHUNK_SIZE), threads)
        return results

    def simulate(
        self, scenes: Sequence[Scene], settings: Sequence[Settings], names: npt.NDArray[np.object_], mat: Ints,
        flicks: Squidges, errors: npt.NDArray[np.object_], *, positions: Array | None = None, threads: int = 1,
        until: Until = "rest", on_error: Literal["raise", "mark"] = "mark",
    ) -> WinkBatchResult:  # fmt: skip
        """Simulate many squidges (see `simulate_mats`).

        Args:
            scenes, settings: one per shot, or one for all.
            names: of the squidged winks. mat: index of the mat of each shot. [S]
            positions: of the winks [m] where they differ from those of the mat, else NaN. [S, N, 2]
            errors: why a shot is invalid; "" for the others. [S]
        """
        shots = len(errors)
        piece, free = _squidged_columns(self, names, mat, errors)
        if on_error == "raise":
            raise_first_error(errors, InvalidAction)
        able = np.asarray(errors == "")
        shot = self.squidge_arrays(piece, mat, flicks, np.zeros((shots, 0, 2)) if positions is None else positions)
        for row in np.flatnonzero(able & (np.abs(self.arrays.bodies[mat, piece, B.NZ]) < 1.0)).tolist():
            top = item_at(scenes, row).piece(names[row])
            shot.velocity[row], shot.angular_momentum[row] = squidge_motion(top, piece_normal(top), flicks.squidge(row))
        results = self.run(shot, ~(able & free), until=until, threads=threads)
        again = able & (~free | (results.status != SETTLED))
        found = _batch_arrays(self, shot, results, able & ~again, until)
        after: dict[int, Scene] = {}

        def simulate_individually(row: int) -> None:
            squidge = msgspec.structs.replace(flicks.squidge(row), start=None)
            try:
                motion = simulate_squidge(item_at(scenes, row), squidge, item_at(settings, row))
            except FlicksimError as wrong:
                errors[row] = str(wrong)
            else:
                after[row] = motion.after
                _fill_from_trajectory(found, row, motion, self.ids, self.lines)

        map_in_threads(simulate_individually, np.flatnonzero(again).tolist(), threads)
        if on_error == "raise":
            raise_first_error(errors, DidNotSettle)
        found["positions"][errors != ""] = found["normals"][errors != ""] = np.nan
        found["outcome"][errors != ""] = ABSENT
        return WinkBatchResult(
            ids=self.ids, lines=self.lines, error=errors.astype(str), fallback=again, scenes=tuple(scenes),
            flicks=flicks, _raw_outcome=results.outcome, _after=after, **found,
        )  # fmt: skip


_MOTION_FIELDS: Final = ("speed", "azimuth", "elevation", "tumble")


def _mat_arrays(
    pairs: Sequence[tuple[Scene, Settings]], ids: tuple[str, ...], contact_rings: list[float]
) -> single_wink_batch.MatArrays:
    """Arrays of mats for the compiled loop.

    Raises:
        InvalidScene: a pairing of materials is missing.
    """
    count, column_of = len(ids), {name: k for k, name in enumerate(ids)}
    rows, surface = len(pairs), pairs[0][0].surface
    cup = cup_geometry(surface.pot)
    made = single_wink_batch.MatArrays(
        bodies=np.zeros((rows, count, W.BODY_COLUMNS)),
        pairs=np.zeros((rows, count, count, 5)),
        materials=np.zeros((rows, len(ROLLING_RESISTANCE_FACTORS), 3, 4)),
        solver_params=np.zeros((rows, 4)),
        mass_unit=np.ones(rows),
        deceleration=np.zeros((rows, count)),
        contact_kind=np.zeros((rows, count), np.int64),
        pot_contact_distance=np.zeros((rows, count)),
        max_flight_time=np.zeros(rows),
        crossing_interval=np.zeros(rows),
        pot=np.zeros(0) if cup is None else cup.to_array(),
        outline=np.array(surface.outline, dtype=np.float64),
    )
    made.bodies[:, :, B.STATE], made.bodies[:, :, B.INV_MASS] = B.REMOVED, 1.0
    for row, (scene, settings) in enumerate(pairs):
        if not scene.pieces:
            continue
        params, winks = wink_params(scene, settings), wink_states(scene)
        drag = params.drag_rate(winks.R, winks.h, winks.mass)
        at = [column_of[piece.id] for piece in scene.pieces]
        made.bodies[row, at] = make_bodies(winks.c, winks.v, winks.n, winks.L, winks.R, winks.h, winks.mass, drag)
        for piece in scene.pieces:
            for lower in piece.lies_on:
                if lower in column_of:
                    a, b = sorted((column_of[piece.id], column_of[lower]))
                    made.pairs[row, a, b, STACKED] = 1.0
        for q, more in enumerate(ROLLING_RESISTANCE_FACTORS):
            made.materials[row, q] = with_rolling_factor(params, more).material_table()
        made.solver_params[row], made.mass_unit[row] = params.solver_array(), winks.mass.min()
        for k, piece in zip(at, scene.pieces, strict=True):
            friction = settings.pairings.lookup(piece.material, surface.material).friction
            made.deceleration[row, k], made.contact_kind[row, k] = (
                friction * settings.gravity,
                contact_rings.index(piece.ring),
            )
            if surface.pot is not None:
                made.pot_contact_distance[row, k] = piece.radius + pot_foot_radius(surface.pot, piece.thickness)
        made.max_flight_time[row] = settings.max_flight_time
        made.crossing_interval[row] = settings.output_interval / 4.0 if surface.lines else 0.0
    return made


def simulate_mats(
    scenes: Sequence[Scene],
    flicks: Squidges,
    settings: Sequence[Settings],
    *,
    threads: int = 1,
    until: Until = "rest",
    on_error: Literal["raise", "mark"] = "raise",
    checked: bool = False,
) -> WinkBatchResult:
    """`simulate_batch` for squidges.

    Args:
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
    for wrong, message in flicks.problems(shots):
        errors[wrong & (errors == "")] = message
    ids = piece_ids(scenes)
    scenes = _with_starts(tuple(scenes), names, flicks, errors)
    mats = MatBatch(scenes, settings, ids)
    mat = np.array(np.broadcast_to(mats.mat_index, shots))
    return mats.simulate(scenes, settings, names, mat, flicks, errors, threads=threads, until=until, on_error=on_error)


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


def _squidged_columns(
    mats: MatBatch, names: npt.NDArray[np.object_], mat: Ints, errors: npt.NDArray[np.object_]
) -> tuple[Ints, Bools]:
    """Columns of the squidged winks, and whether each is free of stacked winks; absent ones are reported in
    `errors`."""
    if not mats.ids:
        raise InvalidAction("no wink lies on the mat, so none can be squidged")
    at = {name: k for k, name in enumerate(mats.ids)}
    piece = np.array([at.get(name, -1) for name in names], dtype=np.int64)
    absent = (piece < 0) | (mats.arrays.bodies[mat, piece, B.STATE] == B.REMOVED)
    known = ", ".join(map(repr, mats.ids)) or "none"
    for row in np.flatnonzero(absent & (errors == "")):
        errors[row] = f"there is no piece {names[row]!r} to flick; pieces on the table: {known}"
    piece[absent] = 0
    lying_on = mats.lies_on[mat, piece].any(axis=1) | mats.lies_on[mat, :, piece].any(axis=1)
    return piece, np.asarray(~lying_on)


def _batch_arrays(
    mats: MatBatch,
    shot: single_wink_batch.SquidgeArrays,
    results: single_wink_batch.WinkBatchArrays,
    alone: Bools,
    until: Until,
) -> dict[str, Any]:
    """Fields of `WinkBatchResult` from the results of the compiled loop."""
    shots, count = len(shot.piece), len(mats.ids)
    rows, mat, piece = np.arange(shots), shot.mat, shot.piece
    before = mats.arrays.bodies[mat]
    positions, normals = before[:, :, B.CX : B.CZ + 1].copy(), before[:, :, B.NX : B.NZ + 1].copy()
    present = before[:, :, B.STATE] != B.REMOVED
    outcome = np.where(present, AT_REST, ABSENT).astype(np.int8)
    positions[~present] = normals[~present] = np.nan
    if shot.positions.shape[1]:
        is_placed = ~np.isnan(shot.positions)
        positions[:, :, :2][is_placed] = shot.positions[is_placed]
    support, moved = mats.support[mat].copy(), np.zeros((shots, count), np.bool_)
    centre, normal = positions[rows, piece], normals[rows, piece]
    left = alone & (results.outcome == OFF_MAT)
    unfollowed = alone & ((until == "decided") | ((until == "potted") & (results.outcome == IN_POT)))
    at_rest = alone & ~left & ~unfollowed
    tilt = np.arccos(np.minimum(1.0, np.abs(results.normal[:, 2])))
    offset = np.abs(results.centre - centre).max(axis=1)
    unmoved = (offset < MOVE_TOLERANCE) & (np.abs(tilt - np.arccos(np.minimum(1.0, np.abs(normal[:, 2])))) < 1e-4)
    displaced = at_rest & ~unmoved
    level = displaced & (tilt < LEVEL_TILT) & (_SUPPORT_BY_OUTCOME[results.outcome] == 0)
    end = results.centre.copy()
    end[level, 2] = before[rows, piece, W.HALF_THICKNESS][level]
    quantize_positions(end, displaced, mats.scenes[0].surface)
    end[left, 2] = np.nan
    centre[displaced | left], normal[displaced | left] = end[displaced | left], results.normal[displaced | left]
    positions[rows, piece], normals[rows, piece] = centre, normal
    moved[rows, piece] = displaced
    support[rows[displaced], piece[displaced]] = _SUPPORT_BY_OUTCOME[results.outcome[displaced]]
    outcome[rows[left], piece[left]] = OFF_TABLE
    outcome[rows[unfollowed], piece[unfollowed]] = NOT_FOLLOWED
    positions[rows[unfollowed], piece[unfollowed]] = normals[rows[unfollowed], piece[unfollowed]] = np.nan
    crossed = np.zeros((shots, count, len(mats.lines)), np.int64)
    crossed[rows[alone], piece[alone]] = results.crossed[alone]
    first_contact = np.stack([piece, np.where(results.first_contact < 0, results.first_contact, NO_CONTACT)], axis=1)
    return {
        "positions": positions,
        "normals": normals,
        "outcome": outcome,
        "support": support,
        "lies_on": mats.lies_on[mat].copy(),
        "moved": moved,
        "potted": alone & ((results.outcome == IN_POT) | (results.outcome == ON_RIM)),
        "first_contact": first_contact,
        "landing_point": results.landing_point,
        "collided": np.zeros((shots, count, count), np.bool_),
        "crossed": crossed,
        "duration": results.time,
    }


def _fill_from_trajectory(
    results: dict[str, Any], row: int, motion: Trajectory, ids: tuple[str, ...], lines: tuple[str, ...]
) -> None:
    """Store the trajectory of a shot simulated individually in its row."""
    at = {name: k for k, name in enumerate(ids)}
    name = motion.flick.piece
    results["lies_on"][row], results["landing_point"][row] = False, np.nan
    for piece in motion.after.pieces:
        k, was = at[piece.id], motion.before.piece(piece.id)
        up = 1.0 if piece.face == was.face else -1.0
        results["positions"][row, k] = piece.x, piece.y, piece.height
        results["normals"][row, k] = [up * part for part in piece_normal(piece)]
        results["moved"][row, k] = piece != was
        results["support"][row, k] = SUPPORTS.index(piece.support)
        for lower in piece.lies_on:
            results["lies_on"][row, k, at[lower]] = True
    results["potted"][row] = motion.after.has(name) and motion.after.piece(name).support in ("pot", "rim")
    results["duration"][row], first = motion.duration, NO_CONTACT
    for event in motion.events:
        match event:
            case Collision(piece=one, other=other):
                results["collided"][row, at[one], at[other]] = results["collided"][row, at[other], at[one]] = True
                if name in (one, other) and first == NO_CONTACT:
                    first = at[other if one == name else one]
            case Landed(piece=one, on=on, point=point) if one == name:
                if first == NO_CONTACT:
                    first = {"surface": FELT, "pot": POT}.get(on, at.get(on, NO_CONTACT))
                if np.isnan(results["landing_point"][row, 0]):
                    results["landing_point"][row] = point
            case LineCrossed(piece=one, line=line):
                results["crossed"][row, at[one], lines.index(line)] += 1
            case LeftSurface(piece=one, point=(x, y)):
                results["positions"][row, at[one]], results["outcome"][row, at[one]] = (x, y, np.nan), OFF_TABLE
            case _:
                pass
    results["first_contact"][row] = at[name], first
