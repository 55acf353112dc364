"""The outcome of many shots, in arrays: one row a shot, one column a piece."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from flicksim.base.asked import whole_number
from flicksim.base.errors import BadInput
from flicksim.base.tabular import Heading, Table
from flicksim.physics.batch.flicks import Flicks
from flicksim.physics.batch.tables import CROSSED, LEFT, RESTED, STRUCK, TOUCHED, Log
from flicksim.table.motion import Crossed, Event, Left, Motion, Rested, Struck, Touched, Tracks
from flicksim.table.scene import Scene

RESTS, GONE, ABSENT = 0, 1, -1
"""Fates of a piece: it rests on the table; it has left it; it never was there, or the shot failed."""
FATES: Final = {RESTS: "rests", GONE: "gone", ABSENT: "absent"}
"""The same in words."""

WHY: Final = (
    "",
    "it would not come to rest within the time and impacts allowed",
    "without friction nothing that moves would ever stop or meet anything",
)


def in_words(numbers: npt.NDArray[np.int8], words: Mapping[int, str]) -> npt.NDArray[np.object_]:
    """Words in place of the numbers that stand for them."""
    found = np.full(numbers.shape, "", dtype=object)
    for number, word in words.items():
        found[numbers == number] = word
    return found


class Shots:
    """The outcome of shots: a row for each, a column for each piece."""

    __slots__ = ()
    ids: tuple[str, ...]
    duration: npt.NDArray[np.float64]
    failed: npt.NDArray[np.str_]
    fate: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.duration)

    def __repr__(self) -> str:
        failed = int(np.count_nonzero(self.failed != ""))
        told = f", {failed} failed" if failed else ""
        return f"<{len(self)} shots: pieces {', '.join(self.ids)}{told}>"

    def table(self) -> Table[Heading]:
        """The shots as a table, a row each: why one failed, how long it took, and of every piece its fate and place."""
        numbers = self._numbers()
        arrays: dict[Heading, npt.NDArray[Any]] = {
            Heading(name="shot", title="the shot's number, from 0"): np.arange(len(self)),
            Heading(name="failed", kind="text", title="why it could not be made; empty where it was"): self.failed,
            Heading(name="duration", unit="s", title="until all rested or was gone"): self.duration,
        }
        for column, piece in enumerate(self.ids):
            arrays[Heading(name=f"{piece}_fate", kind="text", title=f"fate of {piece}")] = self._fates()[:, column]
            for (name, unit), values in numbers.items():
                arrays[Heading(name=f"{piece}_{name}", unit=unit, title=f"{name} of {piece}")] = values[:, column]
        return Table.by_column(arrays)

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def _fates(self) -> npt.NDArray[np.object_]:
        """Fates in words. [S, N]"""
        raise NotImplementedError

    def _numbers(self) -> dict[tuple[str, str], npt.NDArray[np.float64]]:
        """Numbers told of each piece, by name and unit. [S, N] each"""
        raise NotImplementedError

    def row(self, shot: int) -> int:
        """The row of a shot.

        Raises:
            BadInput: there is no such shot.
        """
        return whole_number(shot, "shot", 0, len(self) - 1)

    def column(self, name: str) -> int:
        """Column of the piece of that id.

        Raises:
            BadInput: there is none; lists those there are.
        """
        if name not in self.ids:
            raise BadInput(f"there is no piece {name!r}; pieces are {', '.join(map(repr, self.ids))}")
        return self.ids.index(name)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Settled(Shots):
    """The outcome of S shots at N pieces.

    Args:
        ids: the pieces, in the order of the columns.
        places: x, y [m] and angle [rad] at rest, to the nanometre; where it left, for a piece that is gone; NaN where
            it never was. [S, N, 3]
        fate: of each piece, `RESTS`, `GONE` or `ABSENT`. [S, N]
        moved: pieces that moved and rest now. [S, N]
        first: columns of the first two pieces to meet; -1, -1 when none did. [S, 2]
        met: pieces that met each other. [S, N, N]
        crossed: how often the centre of each piece crossed each line. [S, N, L]
        lines: names of the L lines.
        duration: until the last piece rested or left [s]. [S]
        failed: why a shot could not be made or would not settle; "" for the others. [S]
        scenes, flicks: what was asked. logs: events, if they were asked for, a log and its ends for each chunk.
    """

    ids: tuple[str, ...]
    places: npt.NDArray[np.float64]
    fate: npt.NDArray[np.int8]
    moved: npt.NDArray[np.bool_]
    first: npt.NDArray[np.int64]
    met: npt.NDArray[np.bool_]
    crossed: npt.NDArray[np.int64]
    lines: tuple[str, ...]
    duration: npt.NDArray[np.float64]
    failed: npt.NDArray[np.str_]
    scenes: tuple[Scene, ...] = field(repr=False)
    flicks: Flicks = field(repr=False)
    logs: tuple[tuple[Log, npt.NDArray[np.int64]], ...] = field(repr=False)

    def _fates(self) -> npt.NDArray[np.object_]:
        return in_words(self.fate, FATES)

    def _numbers(self) -> dict[tuple[str, str], npt.NDArray[np.float64]]:
        x, y, angle = np.moveaxis(self.places, -1, 0)
        return {("x", "m"): x, ("y", "m"): y, ("angle", "rad"): angle}

    def after(self, shot: int) -> Scene:
        """The table as it lies after a shot.

        Raises:
            BadInput: there is no such shot.
        """
        shot = self.row(shot)
        scene = self.scenes[min(shot, len(self.scenes) - 1)]
        pieces = []
        for piece in scene.pieces:
            column = self.ids.index(piece.id)
            if self.fate[shot, column] != RESTS:
                continue
            if self.moved[shot, column]:
                x, y, angle = map(float, self.places[shot, column])
                pieces.append(msgspec.structs.replace(piece, x=x, y=y, angle=angle))
            else:
                pieces.append(piece)
        return msgspec.structs.replace(scene, pieces=tuple(pieces))

    def events(self, shot: int) -> tuple[Event, ...]:
        """The happenings in a shot, in order of time.

        Raises:
            BadInput: events were not asked for, or there is no such shot.
        """
        shot = self.row(shot)
        chunk, row = divmod(shot, len(self.logs[0][1]))
        log, ends = self.logs[chunk]
        if not len(log.what):
            raise BadInput("no events were kept; ask for them with events=True")
        first = int(ends[row - 1]) if row else 0
        found = [self._event(log, k) for k in range(first, int(ends[row]))]
        return tuple(sorted(found, key=lambda event: event.t))

    def motion(self, shot: int) -> Motion:
        """The account of a shot as `settle` gives it, but that its tracks know only the beginning and the end.

        Raises:
            BadInput: events were not asked for, the shot failed, or there is none of that number.
        """
        shot = self.row(shot)
        if self.failed[shot]:
            raise BadInput(f"shot {shot} failed: {self.failed[shot]}")
        flick = self.flicks.row(shot)
        scene = self.scenes[min(shot, len(self.scenes) - 1)]
        before = scene if flick.start is None else scene.moved(flick.piece, flick.start)
        columns = [self.ids.index(piece.id) for piece in before.pieces]
        states = np.zeros((2, len(columns), 6))
        states[0, :, :3] = [(piece.x, piece.y, piece.angle) for piece in before.pieces]
        states[1, :, :3] = self.places[shot, columns]
        states[1, self.fate[shot, columns] == GONE] = np.nan
        return Motion(
            before=before,
            flick=flick,
            after=self.after(shot),
            events=self.events(shot),
            tracks=Tracks(
                ids=tuple(piece.id for piece in before.pieces),
                times=np.array([0.0, self.duration[shot]]),
                states=states,
            ),
            duration=float(self.duration[shot]),
        )

    def _event(self, log: Log, k: int) -> Event:
        """The event in a row of a log."""
        what, (who, other) = int(log.what[k]), log.who[k]
        t, x, y, a, b, c = map(float, log.numbers[k])
        piece = self.ids[who]
        if what == STRUCK:
            return Struck(t=t, piece=piece, velocity=(a, b), spin=c)
        if what == TOUCHED:
            return Touched(t=t, piece=piece, other=self.ids[other], point=(x, y), normal=(a, b), speed=c)
        if what == CROSSED:
            return Crossed(t=t, piece=piece, line=self.lines[other], point=(x, y), forward=bool(a))
        if what == LEFT:
            return Left(t=t, piece=piece, point=(x, y), velocity=(a, b))
        assert what == RESTED
        return Rested(t=t, piece=piece, point=(x, y))
