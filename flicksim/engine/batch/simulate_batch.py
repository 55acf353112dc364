"""`simulate_batch`: many flicks, squidges or launches, each from its scene to rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, get_args, overload

import numpy as np
import numpy.typing as npt

from flicksim.core.deprecation import rename_value
from flicksim.core.errors import DidNotSettle, InvalidAction, InvalidInput
from flicksim.core.geometry import Point
from flicksim.engine.batch import disc_batch
from flicksim.engine.batch.arrays import (
    NEVER_STOPS,
    SETTLED,
    SKIPPED,
    TIMED_OUT,
    TOO_MANY_IMPACTS,
    BoardArrays,
    DiscBatchArrays,
    EventLog,
    FlickArrays,
    SceneArrays,
)
from flicksim.engine.batch.batch_result import ABSENT, AT_REST, OFF_TABLE, DiscBatchResult
from flicksim.engine.batch.batch_validation import Device, batch_size, check_device, check_scenes, raise_first_error
from flicksim.engine.batch.launch_batch import LaunchBatchResult, simulate_launches
from flicksim.engine.batch.quantize import quantize_positions
from flicksim.engine.batch.rows import map_in_threads
from flicksim.engine.batch.scene_arrays import board_arrays, check_same_board, contact_rings, piece_ids, scene_arrays
from flicksim.engine.batch.shot_columns import Flicks, Launches, Squidges
from flicksim.engine.batch.wink_batch import Until, WinkBatchResult, simulate_mats
from flicksim.engine.planar_discs.plane import make_plane
from flicksim.engine.settings import Settings
from flicksim.scene.flick import Flick, Squidge
from flicksim.scene.launch import Launch
from flicksim.scene.pyramid_scene import PyramidScene
from flicksim.scene.scene import OVERLAP_TOLERANCE, Scene
from flicksim.scene.surface import Surface

CHUNK_SIZE = 4096
"""Shots per chunk of work of a thread."""
_EVENTS_PER_SHOT = 16
"""Initial capacity of the event log per shot; it grows when full."""
_COLUMNS: dict[type, type[Flicks | Squidges | Launches]] = {Flick: Flicks, Squidge: Squidges, Launch: Launches}
"""Columns of many actions, by the type of one."""


@overload
def simulate_batch(
    scene: Scene | Iterable[Scene],
    flicks: Flick | Iterable[Flick] | Flicks,
    settings: Settings | Iterable[Settings] | None = None,
    *,
    positions: npt.ArrayLike | None = None,
    threads: int = 1,
    device: Device = "cpu",
    events: bool = False,
    until: Literal["rest"] = "rest",
    on_error: Literal["raise", "mark"] = "raise",
) -> DiscBatchResult: ...
@overload
def simulate_batch(
    scene: Scene | Iterable[Scene],
    flicks: Squidge | Iterable[Squidge] | Squidges,
    settings: Settings | Iterable[Settings] | None = None,
    *,
    threads: int = 1,
    device: Device = "cpu",
    until: Until = "rest",
    on_error: Literal["raise", "mark"] = "raise",
) -> WinkBatchResult: ...
@overload
def simulate_batch(
    scene: PyramidScene | Iterable[PyramidScene],
    flicks: Launch | Iterable[Launch] | Launches,
    settings: Settings | Iterable[Settings] | None = None,
    *,
    threads: int = 1,
    on_error: Literal["raise", "mark"] = "raise",
) -> LaunchBatchResult: ...
def simulate_batch(
    scene: Any,
    flicks: Any,
    settings: Settings | Iterable[Settings] | None = None,
    *,
    positions: npt.ArrayLike | None = None,
    threads: int = 1,
    device: Device = "cpu",
    events: bool = False,
    until: Until = "rest",
    on_error: Literal["raise", "mark"] = "raise",
) -> DiscBatchResult | WinkBatchResult | LaunchBatchResult:
    """Simulate many shots, each until the table is at rest. A single scene, shot or settings serves all rows.

    Args:
        scene: one for all or one per shot; boards and mats all of the same outline.
        flicks: one, many, or columns of them: flicks of coins, squidges of winks, or launches of pyramids.
        settings: of the physics.
        positions: x, y [m] and angle [rad] of the pieces before each shot, instead of the scene's. [S, N, 3]
        threads: number of threads; the result does not depend on it.
        device: "cpu", or "cuda" for a graphics processor, which rounds otherwise (see `cuda_batch`); discs without
            events and winks only.
        events: record events for `DiscBatchResult.events` and `trajectory`; discs only.
        until: stop condition of winks: "rest"; "decided", as soon as it is decided whether the squidged wink is potted;
            or "potted", as soon as it is certain to be potted, else at rest.
        on_error: "raise" at the first invalid shot, or "mark" it and simulate the others; arrays are masked there.

    Raises:
        InvalidScene: a scene is invalid, or scenes have different boards.
        InvalidAction: a flick is invalid, of an absent piece or from an invalid start; names the first and counts them.
        InvalidInput: shapes do not match.
        DidNotSettle: a shot did not come to rest.
        MissingExtra: device "cuda" needs the extra `cuda`.
    """
    if isinstance(flicks, Flick | Squidge | Launch):
        flicks = (flicks,)
    elif not isinstance(flicks, Flicks | Squidges | Launches):
        flicks = tuple(flicks)
    kind = _COLUMNS.get(type(next(iter(flicks), None)), Flicks) if isinstance(flicks, tuple) else type(flicks)
    until = rename_value("until", until, {"verdict": "decided"})
    _check_options(kind, positions is not None, threads, device, events, until, on_error)
    scenes: Any = tuple(scene) if isinstance(scene, Iterable) else (scene,)
    table = PyramidScene if kind is Launches else Scene
    if not scenes:
        raise InvalidInput("no scene is given; one is needed, or one a shot")
    if not isinstance(one := scenes[0], table):
        raise InvalidInput(f"scene is a {type(one).__name__}; {kind.__name__.lower()} are made on a {table.__name__}")
    physics = (settings,) if isinstance(settings, Settings) else tuple(settings or (Settings(),))
    columns: Any = flicks if isinstance(flicks, kind) else kind.from_actions(flicks)
    if kind is Launches:
        launched = simulate_launches(scenes, columns, physics, threads=threads, on_error=on_error)
        return launched.with_failures_masked()
    if kind is Squidges:
        squidged = simulate_mats(
            scenes, columns, physics, threads=threads, device=device, until=until, on_error=on_error
        )
        return squidged.with_failures_masked()
    places = None if positions is None else np.asarray(positions, dtype=np.float64)
    shots = batch_size(scenes, physics, columns, places)
    check_same_board(scenes)
    ids, rings = piece_ids(scenes), contact_rings(scenes)
    errors = np.full(shots, "", dtype=object)
    check_scenes(scenes, errors, on_error)
    arrays = scene_arrays(scenes, physics, ids, rings)
    if places is not None:
        if places.shape[1:] != (len(ids), 3):
            raise InvalidInput(f"positions has shape {list(places.shape)}; it must be [shots, {len(ids)}, 3]")
        arrays = arrays._replace(positions=places)
        _check_layout(arrays, ids, scenes[0], errors)
        if on_error == "raise":
            raise_first_error(errors, InvalidInput)
    return simulate_scene_arrays(
        scenes,
        ids,
        board_arrays(scenes[0], rings),
        arrays,
        columns,
        errors,
        threads=threads,
        device=device,
        events=events,
        on_error=on_error,
    ).with_failures_masked()


def _check_options(
    kind: type[Flicks | Squidges | Launches],
    has_positions: bool,
    threads: int,
    device: Device,
    events: bool,
    until: str,
    on_error: str,
) -> None:
    """Raise `InvalidInput` for options of `simulate_batch` that cannot be, or not with this kind of shots."""
    if kind is not Flicks and (events or has_positions):
        raise InvalidInput("only flicks of coins keep events and take positions; leave out events and positions")
    if on_error not in ("raise", "mark"):
        raise InvalidInput(f"on_error {on_error!r} cannot be; it may be 'raise' or 'mark'")
    if threads < 1:
        raise InvalidInput(f"threads {threads!r} cannot be; one or more work at it")
    if device == "cuda" and (events or kind is Launches):
        what = "launches of pyramids" if kind is Launches else "events"
        raise InvalidInput(f"device 'cuda' simulates no {what}; leave device out")
    check_device(device)
    if until not in get_args(Until) or (until != "rest" and kind is not Squidges):
        raise InvalidInput(
            f"until {until!r} cannot be; it may be 'rest', and for squidges of winks 'potted' or 'decided'"
        )


def _check_layout(arrays: SceneArrays, ids: Sequence[str], scene: Scene, errors: npt.NDArray[np.object_]) -> None:
    """Record errors for pieces without a position, off the surface or on one another."""
    found = np.isfinite(arrays.positions)
    x, y, _ = np.moveaxis(np.where(found, arrays.positions, np.nan), -1, 0)  # with inf numpy warns
    lost = arrays.present & ~found.all(axis=2)
    off = arrays.present & ~_is_inside(scene.surface.outline, x, y)
    radius = np.broadcast_to(arrays.radius, x.shape)
    for column, name in enumerate(ids):
        errors[lost[:, column] & (errors == "")] = f"the position of {name!r} is not finite"
        errors[off[:, column] & (errors == "")] = f"{name!r} is off the surface"
        for other in range(column):
            apart = np.hypot(x[:, column] - x[:, other], y[:, column] - y[:, other])
            both = np.broadcast_to(arrays.present[:, column] & arrays.present[:, other], apart.shape)
            on = both & (apart - radius[:, column] - radius[:, other] < -OVERLAP_TOLERANCE)
            if on.any():
                errors[on & (errors == "")] = f"{ids[other]!r} and {name!r} overlap"


def _is_inside(
    outline: Sequence[Point], x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    """True for points in a convex outline. [...]"""
    inside = np.ones(x.shape, np.bool_)
    for (ax, ay), (bx, by) in zip((outline[-1], *outline), outline, strict=False):
        with np.errstate(invalid="ignore"):  # of points at infinity
            inside &= (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0.0
    return inside


def simulate_scene_arrays(
    scenes: Sequence[Scene],
    ids: Sequence[str],
    board: BoardArrays,
    scene: SceneArrays,
    flicks: Flicks,
    errors: npt.NDArray[np.object_],
    *,
    threads: int = 1,
    device: Device = "cpu",
    events: bool = False,
    on_error: Literal["raise", "mark"] = "mark",
) -> DiscBatchResult:
    """Simulate many shots at scenes given as arrays; as `simulate_batch`.

    Args:
        errors: why a shot cannot be made; "" for the others. Its length is the number of shots. [S]
    """
    shots = len(errors)
    struck, scene = _flick_arrays(flicks, shots, ids, scene, scenes, errors)
    if on_error == "raise":
        raise_first_error(errors, InvalidAction)
    found = _allocate_results(shots, len(ids), len(board.lines))
    found.status[errors != ""] = SKIPPED
    run = _run_on_cuda if device == "cuda" else _run_chunks
    logs = run(board, scene, struck, found, scenes[0].surface, threads, events)
    errors[found.status == NEVER_STOPS] = "without friction nothing that moves would ever stop or meet anything"
    for shot in np.flatnonzero(found.status == TIMED_OUT).tolist():
        limit = scene.max_time[min(shot, len(scene.max_time) - 1)]
        errors[shot] = f"within max_time {limit:.3g} s it did not come to rest"
    for shot in np.flatnonzero(found.status == TOO_MANY_IMPACTS).tolist():
        limit = scene.max_impacts[min(shot, len(scene.max_impacts) - 1)]
        errors[shot] = f"within max_impacts {limit} it did not come to rest"
    if on_error == "raise":
        raise_first_error(errors, DidNotSettle)
    failed = found.status != SETTLED
    found.positions[failed] = found.duration[failed] = np.nan
    outcome = np.where(found.left, np.int8(OFF_TABLE), np.int8(AT_REST))
    outcome[failed[:, None] | ~scene.present] = ABSENT
    return DiscBatchResult(
        ids=tuple(ids),
        positions=found.positions,
        outcome=outcome,
        moved=found.moved,
        first_contact=found.first_contact,
        collided=found.collided,
        crossed=found.crossed,
        lines=tuple(line.name for line in scenes[0].surface.lines),
        duration=found.duration,
        error=errors.astype(str) if failed.any() else np.full(shots, ""),
        scenes=tuple(scenes),
        flicks=flicks,
        event_logs=logs,
    )


def _flick_arrays(
    flicks: Flicks,
    shots: int,
    ids: Sequence[str],
    scene: SceneArrays,
    scenes: Sequence[Scene],
    errors: npt.NDArray[np.object_],
) -> tuple[FlickArrays, SceneArrays]:
    """Arrays of flicks for the compiled loop, with pieces at their start positions; invalid rows go to `errors`."""
    if not ids:
        raise InvalidAction("no piece lies on the table, so none can be flicked")
    names = np.array([flicks.piece] if isinstance(flicks.piece, str) else list(flicks.piece), dtype=object)
    at = {name: column for column, name in enumerate(ids)}
    columns = np.array([at.get(name, -1) for name in names], dtype=np.int64)
    piece: npt.NDArray[np.int64] = np.broadcast_to(columns, (shots,))
    there = np.broadcast_to(scene.present, (shots, len(ids)))
    rows = np.arange(shots)
    absent = (piece < 0) | ~there[rows, piece]
    known = ", ".join(map(repr, ids)) or "none"
    for row in np.flatnonzero(absent):
        errors[row] = errors[row] or (
            f"there is no piece {names[min(int(row), len(names) - 1)]!r} to flick; pieces on the table: {known}"
        )
    valid = errors == ""
    errors[valid] = flicks.errors(shots)[valid]
    if flicks.start is not None:
        start = np.broadcast_to(flicks.start, (shots, 2))
        put: npt.NDArray[np.bool_] = ~np.isnan(start[:, 0]) & (errors == "")
        places = np.broadcast_to(scene.positions, (shots, len(ids), 3)).copy()
        places[rows[put], piece[put], :2] = start[put]
        _check_starts(start, piece, put, places, there, scene, scenes[0], errors)
        scene = scene._replace(positions=places)
    given = (np.atleast_1d(np.asarray(one, np.float64)) for one in (flicks.speed, flicks.azimuth, flicks.offset))
    # copies, for a view cannot be written to, and the loop would be compiled anew for each column that is one
    speed, azimuth, offset = (np.array(np.broadcast_to(one, shots)) for one in given)
    return FlickArrays(piece=np.array(piece), speed=speed, azimuth=azimuth, offset=offset), scene


def _check_starts(
    start: npt.NDArray[np.float64], piece: npt.NDArray[np.int64], has_start: npt.NDArray[np.bool_],
    positions: npt.NDArray[np.float64], present: npt.NDArray[np.bool_], arrays: SceneArrays, scene: Scene,
    errors: npt.NDArray[np.object_],
) -> None:  # fmt: skip
    """Record errors for starts off the surface or on other pieces."""
    rows, inside = np.arange(len(has_start)), _is_inside(scene.surface.outline, start[:, 0], start[:, 1])
    errors[has_start & ~inside] = "the start is off the surface"
    radius = np.broadcast_to(arrays.radius, present.shape)
    own = radius[rows, piece]
    for other in range(present.shape[1]):
        apart = np.hypot(positions[:, other, 0] - start[:, 0], positions[:, other, 1] - start[:, 1])
        on = (
            has_start
            & inside
            & present[:, other]
            & (piece != other)
            & (apart - own - radius[:, other] < -OVERLAP_TOLERANCE)
        )
        errors[on & (errors == "")] = "the start overlaps another piece"


def _allocate_results(shots: int, pieces: int, lines: int) -> DiscBatchArrays:
    """Allocate result arrays for that many shots."""
    return DiscBatchArrays(
        positions=np.zeros((shots, pieces, 3)),
        moved=np.zeros((shots, pieces), np.bool_),
        left=np.zeros((shots, pieces), np.bool_),
        first_contact=np.full((shots, 2), -1, np.int64),
        collided=np.zeros((shots, pieces, pieces), np.bool_),
        crossed=np.zeros((shots, pieces, lines), np.int64),
        duration=np.zeros(shots),
        status=np.zeros(shots, np.int64),
    )


def _run_chunks(
    board: BoardArrays, scene: SceneArrays, flicks: FlickArrays, results: DiscBatchArrays, surface: Surface,
    threads: int, events: bool,
) -> tuple[tuple[EventLog, npt.NDArray[np.int64]], ...]:  # fmt: skip
    """Simulate the shots in chunks and round their positions; return the event log of each chunk with the end row of
    each shot."""
    shots = len(results.status)

    def chunk(first: int) -> tuple[EventLog, npt.NDArray[np.int64]]:
        last = min(first + CHUNK_SIZE, shots)
        room = _EVENTS_PER_SHOT * (last - first) if events else 0
        ends, plane = np.zeros(last - first, np.int64), make_plane(results.positions.shape[1])
        while True:
            log = EventLog(
                kind=np.zeros(room, np.int64), subjects=np.zeros((room, 2), np.int64), values=np.zeros((room, 6))
            )
            disc_batch.simulate_shots(first, last, board, scene, flicks, results, log, ends, plane)
            if not room or ends[-1] >= 0:
                break
            room *= 4
        _round_positions(results, slice(first, last), surface)
        return log, ends

    return map_in_threads(chunk, range(0, shots, CHUNK_SIZE), threads)


def _run_on_cuda(
    board: BoardArrays, scene: SceneArrays, flicks: FlickArrays, results: DiscBatchArrays, surface: Surface,
    _threads: int, _events: bool,
) -> tuple[()]:  # fmt: skip
    """Simulate the shots on a graphics processor, and round their positions; there are no event logs."""
    from flicksim.engine.batch import cuda_batch

    cuda_batch.simulate_discs(board, scene, flicks, results)
    _round_positions(results, slice(None), surface)
    return ()


def _round_positions(results: DiscBatchArrays, rows: slice, surface: Surface) -> None:
    """Round the positions of pieces that moved, in these rows."""
    moved = results.moved[rows]
    moved &= ~results.left[rows]
    quantize_positions(results.positions[rows], moved, surface)
