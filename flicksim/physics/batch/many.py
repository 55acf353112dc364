"""The one question about many shots: `settle_many`."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, get_args, overload

import numpy as np
import numpy.typing as npt

from flicksim.base.errors import BadFlick, BadInput, Unsettled
from flicksim.physics.batch import coins
from flicksim.physics.batch.asking import check_scenes, complain, length
from flicksim.physics.batch.flicks import Flicks, Squidges
from flicksim.physics.batch.launches import Launches, SettledLaunches, settle_launches
from flicksim.physics.batch.laying import board_of, columns_of, laid_of, rings_of, same_board
from flicksim.physics.batch.mats import SettledMats, Until, settle_mats
from flicksim.physics.batch.outcome import ABSENT, GONE, RESTS, WHY, Settled
from flicksim.physics.batch.rounding import keep
from flicksim.physics.batch.tables import SKIPPED, Board, Found, Laid, Log, Struck
from flicksim.physics.settings import Settings
from flicksim.table.flick import Flick, Squidge
from flicksim.table.launch import Launch
from flicksim.table.pyramid_scene import PyramidScene
from flicksim.table.scene import OVERLAP, Scene

CHUNK = 4096
"""Shots a thread takes at once."""
_EVENTS = 16
"""Events a shot has at first room for in the log; more are made room for where they come."""


@overload
def settle_many(
    scene: Scene | Sequence[Scene],
    flicks: Flick | Sequence[Flick] | Flicks,
    settings: Settings | Sequence[Settings] | None = None,
    *,
    places: npt.NDArray[np.float64] | None = None,
    threads: int = 1,
    events: bool = False,
    until: Literal["rest"] = "rest",
    failed: Literal["raise", "mark"] = "raise",
) -> Settled: ...
@overload
def settle_many(
    scene: Scene | Sequence[Scene],
    flicks: Squidge | Sequence[Squidge] | Squidges,
    settings: Settings | Sequence[Settings] | None = None,
    *,
    threads: int = 1,
    until: Until = "rest",
    failed: Literal["raise", "mark"] = "raise",
) -> SettledMats: ...
@overload
def settle_many(
    scene: PyramidScene | Sequence[PyramidScene],
    flicks: Launch | Sequence[Launch] | Launches,
    settings: Settings | Sequence[Settings] | None = None,
    *,
    threads: int = 1,
    failed: Literal["raise", "mark"] = "raise",
) -> SettledLaunches: ...
def settle_many(
    scene: Any,
    flicks: Any,
    settings: Settings | Sequence[Settings] | None = None,
    *,
    places: npt.NDArray[np.float64] | None = None,
    threads: int = 1,
    events: bool = False,
    until: Until = "rest",
    failed: Literal["raise", "mark"] = "raise",
) -> Settled | SettledMats | SettledLaunches:
    """Make many shots and let the table come to rest after each. One of anything serves all shots.

    Args:
        scene: where they are made, one for all or one a shot; boards and mats all of the same outline.
        flicks: one, many, or columns of them: flicks of coins, squidges of winks, or launches of pyramids.
        settings: of the physics.
        places: x, y [m] and angle [rad] of the pieces before each shot, instead of the scene's. [S, N, 3]
        threads: how many work at it; the answer is the same for any number.
        events: keep what `Settled.motion` needs to tell events; of coins only.
        until: how far winks are followed: to "rest"; to their "verdict", whether the one squidged is potted; or until
            it is "potted", where it is, and else to rest.
        failed: "raise" at the first shot that cannot be, or "mark" it and let the others go on.

    Raises:
        BadScene: a scene cannot lie so, or scenes have different boards.
        BadFlick: a flick is none, of an absent piece or from an impossible start; names the first and counts them.
        BadInput: shapes that do not match.
        Unsettled: a shot would not come to rest.
    """
    if isinstance(flicks, Flick | Squidge | Launch):
        flicks = (flicks,)
    kind = _kind(flicks)
    if kind is not Flicks and (events or places is not None):
        raise BadInput("only flicks of coins keep events and take places; leave out events and places")
    if failed not in ("raise", "mark"):
        raise BadInput(f"failed {failed!r} cannot be; it may be 'raise' or 'mark'")
    if threads < 1:
        raise BadInput(f"threads {threads!r} cannot be; one or more work at it")
    if until not in get_args(Until) or (until != "rest" and kind is not Squidges):
        raise BadInput(f"until {until!r} cannot be; it may be 'rest', and for squidges of winks 'potted' or 'verdict'")
    one = next(iter(scene), None) if isinstance(scene, Sequence) else scene
    table = PyramidScene if kind is Launches else Scene
    if one is not None and not isinstance(one, table):
        raise BadInput(f"scene is a {type(one).__name__}; {kind.__name__.lower()} are made on a {table.__name__}")
    if kind is Launches:
        return settle_launches(scene, flicks, settings, threads=threads, failed=failed)
    scenes = (scene,) if isinstance(scene, Scene) else tuple(scene)
    physics = (settings,) if isinstance(settings, Settings) else tuple(settings or (Settings(),))
    if not scenes:
        raise BadInput("no scene is given; one is needed, or one a shot")
    if kind is Squidges:
        squidges = flicks if isinstance(flicks, Squidges) else Squidges.of(flicks)
        return settle_mats(scenes, squidges, physics, threads=threads, until=until, failed=failed)
    asked = flicks if isinstance(flicks, Flicks) else Flicks.of(flicks)
    shots = length(scenes, physics, asked, places)
    same_board(scenes)
    ids, rings = columns_of(scenes), rings_of(scenes)
    why = np.full(shots, "", dtype=object)
    check_scenes(scenes, why, failed)
    laid = laid_of(scenes, physics, ids, rings)
    if places is not None:
        if places.shape[1:] != (len(ids), 3):
            raise BadInput(f"places has shape {list(places.shape)}; it must be [shots, {len(ids)}, 3]")
        if len(odd := np.argwhere(~np.isfinite(places))):
            row, column, _ = odd[0].tolist()
            raise BadInput(f"places[{row}] of piece {ids[column]!r} hold {places[tuple(odd[0])]!r}; give numbers")
        laid = laid._replace(places=places)
    return settle_laid(
        scenes, ids, board_of(scenes[0], rings), laid, asked, why, threads=threads, events=events, failed=failed
    )


def _kind(flicks: Any) -> type[Flicks | Squidges | Launches]:
    """Kind of these columns, or of what they would be; the first of a list tells for all."""
    for columns, one in ((Squidges, Squidge), (Launches, Launch)):
        if isinstance(flicks, columns) or (isinstance(flicks, Sequence) and isinstance(next(iter(flicks), None), one)):
            return columns
    return Flicks


def settle_laid(
    scenes: Sequence[Scene], ids: Sequence[str], board: Board, laid: Laid, flicks: Flicks,
    why: npt.NDArray[np.object_], *, threads: int = 1, events: bool = False, failed: Literal["raise", "mark"] = "mark",
) -> Settled:  # fmt: skip
    """Make many shots at tables that are arrays already; as `settle_many`.

    Args:
        why: why a shot cannot be made; "" for the others. Its length is the number of shots. [S]
    """
    shots = len(why)
    struck, laid = _struck(flicks, shots, ids, laid, scenes, why)
    if failed == "raise":
        complain(why, BadFlick)
    found = _room(shots, len(ids), len(board.lines))
    found.why[why != ""] = SKIPPED
    logs = _made(board, laid, struck, found, threads, events)
    for code, says in enumerate(WHY):
        if code:
            why[found.why == code] = says
    if failed == "raise":
        complain(why, Unsettled)
    there = np.broadcast_to(laid.there, (shots, len(ids)))
    kept = found.moved & ~found.left
    keep(found.places, kept, scenes[0].surface)
    found.places[(why != "")] = np.nan
    return Settled(
        ids=tuple(ids),
        places=found.places,
        fate=np.where(there & (why == "")[:, None], np.where(found.left, GONE, RESTS), ABSENT).astype(np.int8),
        moved=kept,
        first=found.first,
        met=found.met,
        crossed=found.crossed,
        lines=tuple(line.name for line in scenes[0].surface.lines),
        duration=found.duration,
        failed=why.astype(str),
        scenes=tuple(scenes),
        flicks=flicks,
        logs=logs,
    )


def _struck(
    flicks: Flicks, shots: int, ids: Sequence[str], laid: Laid, scenes: Sequence[Scene], why: npt.NDArray[np.object_]
) -> tuple[Struck, Laid]:
    """The flicks as the loop reads them, with pieces put where they start; what cannot be is noted in `why`."""
    if not ids:
        raise BadFlick("no piece lies on the table, so none can be flicked")
    names = np.array([flicks.piece] if isinstance(flicks.piece, str) else list(flicks.piece), dtype=object)
    at = {name: column for column, name in enumerate(ids)}
    columns = np.array([at.get(name, -1) for name in names], dtype=np.int64)
    piece: npt.NDArray[np.int64] = np.broadcast_to(columns, (shots,))
    there = np.broadcast_to(laid.there, (shots, len(ids)))
    rows = np.arange(shots)
    absent = (piece < 0) | ~there[rows, piece]
    known = ", ".join(map(repr, ids)) or "none"
    for row in np.flatnonzero(absent & (why == "")):
        why[row] = f"there is no piece {names[min(int(row), len(names) - 1)]!r} to flick; pieces on the table: {known}"
    for wrong, says in flicks.problems(shots):
        why[wrong & (why == "")] = says
    if flicks.start is not None:
        start = np.broadcast_to(flicks.start, (shots, 2))
        put: npt.NDArray[np.bool_] = ~np.isnan(start[:, 0]) & (why == "")
        places = np.broadcast_to(laid.places, (shots, len(ids), 3)).copy()
        places[rows[put], piece[put], :2] = start[put]
        _check_starts(start, piece, put, places, there, laid, scenes[0], why)
        laid = laid._replace(places=places)
    given = (np.atleast_1d(np.asarray(one, np.float64)) for one in (flicks.speed, flicks.azimuth, flicks.offset))
    # copies, for a view cannot be written to, and the loop would be compiled anew for each column that is one
    speed, azimuth, offset = (np.array(np.broadcast_to(one, shots)) for one in given)
    return Struck(piece=np.array(piece), speed=speed, azimuth=azimuth, offset=offset), laid


def _check_starts(
    start: npt.NDArray[np.float64], piece: npt.NDArray[np.int64], put: npt.NDArray[np.bool_],
    places: npt.NDArray[np.float64], there: npt.NDArray[np.bool_], laid: Laid, scene: Scene,
    why: npt.NDArray[np.object_],
) -> None:  # fmt: skip
    """Note starts off the surface or on other pieces."""
    outline = scene.surface.outline
    rows = np.arange(len(put))
    inside = np.ones(len(put), np.bool_)
    for i in range(len(outline)):
        (ax, ay), (bx, by) = outline[i - 1], outline[i]
        inside &= (bx - ax) * (start[:, 1] - ay) - (by - ay) * (start[:, 0] - ax) >= 0.0
    why[put & ~inside] = "the start is off the surface"
    radius = np.broadcast_to(laid.radius, there.shape)
    own = radius[rows, piece]
    for other in range(there.shape[1]):
        apart = np.hypot(places[:, other, 0] - start[:, 0], places[:, other, 1] - start[:, 1])
        on = put & inside & there[:, other] & (piece != other) & (apart - own - radius[:, other] < -OVERLAP)
        why[on & (why == "")] = "the start overlaps another piece"


def _room(shots: int, pieces: int, lines: int) -> Found:
    """Arrays for what comes of so many shots."""
    return Found(
        places=np.zeros((shots, pieces, 3)),
        moved=np.zeros((shots, pieces), np.bool_),
        left=np.zeros((shots, pieces), np.bool_),
        first=np.full((shots, 2), -1, np.int64),
        met=np.zeros((shots, pieces, pieces), np.bool_),
        crossed=np.zeros((shots, pieces, lines), np.int64),
        duration=np.zeros(shots),
        why=np.zeros(shots, np.int64),
    )


def _made(
    board: Board, laid: Laid, struck: Struck, found: Found, threads: int, events: bool
) -> tuple[tuple[Log, npt.NDArray[np.int64]], ...]:
    """Make the shots, a chunk at a time; the logs of the chunks with the end of each shot in them."""
    shots = len(found.why)

    def chunk(first: int) -> tuple[Log, npt.NDArray[np.int64]]:
        last = min(first + CHUNK, shots)
        room = _EVENTS * (last - first) if events else 0
        ends = np.zeros(last - first, np.int64)
        while True:
            log = Log(what=np.zeros(room, np.int64), who=np.zeros((room, 2), np.int64), numbers=np.zeros((room, 6)))
            coins.shoot(first, last, board, laid, struck, found, log, ends)
            if not room or ends[-1] >= 0:
                return log, ends
            room *= 4

    if threads > 1 and shots > CHUNK:
        with ThreadPoolExecutor(threads) as pool:
            return tuple(pool.map(chunk, range(0, shots, CHUNK)))
    return tuple(map(chunk, range(0, shots, CHUNK)))
