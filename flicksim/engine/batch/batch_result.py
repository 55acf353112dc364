"""Results of many shots in arrays: one row per shot, one column per piece."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final, Self

import msgspec
import numpy as np
import numpy.typing as npt

from flicksim.core.errors import InvalidInput
from flicksim.core.results_table import ColumnInfo, ResultsTable
from flicksim.core.validation import check_int
from flicksim.engine.batch.arrays import CROSSED, LEFT, RESTED, STRUCK, TOUCHED, EventLog
from flicksim.engine.batch.rows import item_at
from flicksim.engine.batch.shot_columns import Flicks
from flicksim.scene.scene import Scene
from flicksim.scene.trajectory import CameToRest, Collision, Event, LeftSurface, LineCrossed, Struck, Tracks, Trajectory

AT_REST, OFF_TABLE, ABSENT = 0, 1, -1
"""Outcome of a piece: at rest on the table; off the table; absent, or the shot failed."""
_OUTCOME_NAMES: Final = {AT_REST: "at rest", OFF_TABLE: "off the table", ABSENT: "absent"}
"""Word for each outcome."""
OutcomesAndPoses = tuple[npt.NDArray[np.object_], dict[tuple[str, str], npt.NDArray[np.float64]]]
"""Outcomes in words, and numbers of each piece by name and unit. [S, N] each"""


def to_labels(outcomes: npt.NDArray[np.int8], words: Mapping[int, str]) -> npt.NDArray[np.object_]:
    """Replace outcome codes by words; what none is given for is at rest, off the table or absent."""
    found = np.full(outcomes.shape, "", dtype=object)
    for number, word in (_OUTCOME_NAMES | dict(words)).items():
        found[outcomes == number] = word
    return found


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BatchResult:
    """Base of batch results: a row per shot, a column per piece.

    Args:
        ids: the pieces, in the order of the columns.
        positions: of each piece at rest, or where it left [m]; see the kinds of results. [S, N, 3]
        outcome: of each piece, a number of the kind of results. [S, N]
        moved: pieces that moved. [S, N]
        first_contact: column of the first piece hit, or what was hit instead; see the kinds of results. [S] or [S, 2]
        duration: until the last piece rested or left [s]. [S]
        error: why a shot was invalid or did not settle; "" for the others. In the rows of shots that failed numbers are
            NaN, the outcome is `ABSENT`, and the other arrays, which have no NaN, are masked. [S]
    """

    _without_nan: ClassVar[tuple[str, ...]]
    """Names of the arrays of truth values and integers, which have no NaN for a shot that failed."""

    ids: tuple[str, ...]
    positions: npt.NDArray[np.float64]
    outcome: npt.NDArray[np.int8]
    moved: npt.NDArray[np.bool_]
    first_contact: npt.NDArray[np.int64]
    duration: npt.NDArray[np.float64]
    error: npt.NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.duration)

    def __repr__(self) -> str:
        failed = int(np.count_nonzero(self.error != ""))
        told = f", {failed} failed" if failed else ""
        return f"<{len(self)} shots: pieces {', '.join(self.ids)}{told}>"

    def with_failures_masked(self) -> Self:
        """The same result with masked arrays instead of those of truth values and integers, if any shot failed: so a
        mean or a count leaves that shot out."""
        failed = self.error != ""
        if not failed.any():
            return self
        changes: dict[str, Any] = {}
        for name in self._without_nan:
            values = getattr(self, name)
            mask = np.broadcast_to(failed.reshape(-1, *[1] * (values.ndim - 1)), values.shape)
            changes[name] = np.ma.masked_array(values, mask=mask)
        result: Any = self
        masked: Self = replace(result, **changes)
        return masked

    def table(self) -> ResultsTable[ColumnInfo]:
        """Table with a row per shot: error, duration, what else is of the shot, and outcome and pose of every piece."""
        outcomes, numbers = self._outcomes_and_poses()
        outcomes[self.error != ""] = "failed"
        arrays: dict[ColumnInfo, npt.NDArray[Any]] = {
            ColumnInfo(name="shot", title="the shot's number, from 0", is_integer=True): np.arange(len(self)),
            ColumnInfo(name="error", kind="text", title="why the shot failed; empty where it did not"): self.error,
            ColumnInfo(name="duration", unit="s", title="until all rested or was gone"): self.duration,
            **self._shot_columns(),
        }
        for column, piece in enumerate(self.ids):
            outcome = ColumnInfo(name=f"{piece}_outcome", kind="text", title=f"outcome of {piece}")
            arrays[outcome] = outcomes[:, column]
            for (name, unit), values in numbers.items():
                arrays[ColumnInfo(name=f"{piece}_{name}", unit=unit, title=f"{name} of {piece}")] = values[:, column]
        return ResultsTable.from_columns(arrays)

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def _shot_columns(self) -> dict[ColumnInfo, npt.NDArray[Any]]:
        return {}

    def _outcomes_and_poses(self) -> OutcomesAndPoses:
        raise NotImplementedError

    def check_row(self, shot: int) -> int:
        """Check a shot index; return it as a non-negative row.

        Raises:
            InvalidInput: there is no such shot.
        """
        return check_int(shot, "shot", 0, len(self) - 1)

    def check_settled(self, shot: int) -> int:
        """Check a shot index as `check_row` does, and that the shot did not fail.

        Raises:
            InvalidInput: there is no such shot, or it failed.
        """
        row = self.check_row(shot)
        if self.error[row]:
            raise InvalidInput(f"shot {row} failed: {self.error[row]}")
        return row

    def column(self, name: str) -> int:
        """Column of the piece of that id.

        Raises:
            InvalidInput: there is none; lists those there are.
        """
        if name not in self.ids:
            raise InvalidInput(f"there is no piece {name!r}; pieces are {', '.join(map(repr, self.ids))}")
        return self.ids.index(name)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DiscBatchResult(BatchResult):
    """The outcome of S shots at N pieces.

    Args:
        positions: x, y [m] and angle [rad] at rest, to the nanometre; where it left, for a piece that is gone; NaN
            where it never was. [S, N, 3]
        outcome: of each piece, `AT_REST`, `OFF_TABLE` or `ABSENT`. [S, N]
        moved: pieces that moved and rest now. [S, N]
        first_contact: columns of the first two pieces to collide; -1, -1 if none did. [S, 2]
        collided: pairs that collided. [S, N, N]
        crossed: how often the centre of each piece crossed each line. [S, N, L]
        lines: names of the L lines.
        scenes, flicks: the input. event_logs: for each chunk the event buffer and the end row of each shot.
        ids, duration, error: see `BatchResult`, also for what shots that failed have.
    """

    _without_nan = ("moved", "first_contact", "collided", "crossed")

    collided: npt.NDArray[np.bool_]
    crossed: npt.NDArray[np.int64]
    lines: tuple[str, ...]
    scenes: tuple[Scene, ...] = field(repr=False)
    flicks: Flicks = field(repr=False)
    event_logs: tuple[tuple[EventLog, npt.NDArray[np.int64]], ...] = field(repr=False)

    def _outcomes_and_poses(self) -> OutcomesAndPoses:
        x, y, angle = np.moveaxis(self.positions, -1, 0)
        return to_labels(self.outcome, {}), {("x", "m"): x, ("y", "m"): y, ("angle", "rad"): angle}

    def after(self, shot: int) -> Scene:
        """The table as it lies after a shot.

        Raises:
            InvalidInput: the shot failed, or there is none of that number.
        """
        shot = self.check_settled(shot)
        scene = item_at(self.scenes, shot)
        pieces = []
        for piece in scene.pieces:
            column = self.ids.index(piece.id)
            if self.outcome[shot, column] != AT_REST:
                continue
            if self.moved[shot, column]:
                x, y, angle = map(float, self.positions[shot, column])
                pieces.append(msgspec.structs.replace(piece, x=x, y=y, angle=angle))
            else:
                pieces.append(piece)
        return msgspec.structs.replace(scene, pieces=tuple(pieces))

    def events(self, shot: int) -> tuple[Event, ...]:
        """Events of a shot in order of time.

        Raises:
            InvalidInput: events were not asked for, the shot failed, or there is none of that number.
        """
        shot = self.check_settled(shot)
        if not self.event_logs:
            raise InvalidInput("no events are kept on device 'cuda'; simulate with events=True and without device")
        if not len(self.event_logs[0][0].kind):
            raise InvalidInput("no events were kept; ask for them with events=True")
        chunk, row = divmod(shot, len(self.event_logs[0][1]))
        log, ends = self.event_logs[chunk]
        first = int(ends[row - 1]) if row else 0
        found = [self._event(log, k) for k in range(first, int(ends[row]))]
        return tuple(sorted(found, key=lambda event: event.t))

    def trajectory(self, shot: int) -> Trajectory:
        """Trajectory of a shot as from `simulate`, but with only the first and last keyframe.

        Raises:
            InvalidInput: events were not asked for, the shot failed, or there is none of that number.
        """
        shot = self.check_settled(shot)
        flick = self.flicks.flick(shot)
        scene = item_at(self.scenes, shot)
        before = scene if flick.start is None else scene.with_piece_at(flick.piece, flick.start)
        columns = [self.ids.index(piece.id) for piece in before.pieces]
        states = np.zeros((2, len(columns), 6))
        states[0, :, :3] = [(piece.x, piece.y, piece.angle) for piece in before.pieces]
        states[1, :, :3] = self.positions[shot, columns]
        states[1, self.outcome[shot, columns] == OFF_TABLE] = np.nan
        ids, times = tuple(piece.id for piece in before.pieces), np.array([0.0, self.duration[shot]])
        return Trajectory(
            before=before,
            flick=flick,
            after=self.after(shot),
            events=self.events(shot),
            tracks=Tracks(ids=ids, times=times, states=states),
            duration=float(self.duration[shot]),
        )

    def _event(self, log: EventLog, k: int) -> Event:
        """Convert a log row to an event."""
        what, (who, other) = int(log.kind[k]), log.subjects[k]
        t, x, y, a, b, c = map(float, log.values[k])
        piece = self.ids[who]
        if what == STRUCK:
            return Struck(t=t, piece=piece, velocity=(a, b), spin=c)
        if what == TOUCHED:
            return Collision(t=t, piece=piece, other=self.ids[other], point=(x, y), normal=(a, b), speed=c)
        if what == CROSSED:
            return LineCrossed(t=t, piece=piece, line=self.lines[other], point=(x, y), forward=bool(a))
        if what == LEFT:
            return LeftSurface(t=t, piece=piece, point=(x, y), velocity=(a, b))
        assert what == RESTED
        return CameToRest(t=t, piece=piece, point=(x, y))
