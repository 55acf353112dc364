"""Many flicks as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from flicksim.base.errors import BadFlick
from flicksim.table.flick import MAX_SPEED, TURN, Flick

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flicks:
    """Flicks of flat pieces as columns; a column of one row serves all (see `table.Flick`).

    Args:
        piece: id of the piece flicked in each shot, or one for all.
        speed: [m/s], azimuth: [rad], offset: [radii]. [S] or [1]
        start: where the piece is put first [m], NaN where it stays; None for nowhere. [S, 2] or [1, 2]
    """

    piece: str | Sequence[str]
    speed: Array
    azimuth: Array
    offset: Array | float = 0.0
    start: Array | None = None

    @classmethod
    def of(cls, flicks: Sequence[Flick]) -> Flicks:
        """The columns of these flicks."""
        for row, flick in enumerate(flicks):
            if not isinstance(flick, Flick):
                raise BadFlick(f"row {row}: {type(flick).__name__} is no flick of a flat piece")
        names = [flick.piece for flick in flicks]
        start = [flick.start if flick.start is not None else (np.nan, np.nan) for flick in flicks]
        return cls(
            piece=names[0] if len(set(names)) == 1 else names,
            speed=np.array([flick.speed for flick in flicks], dtype=np.float64),
            azimuth=np.array([flick.azimuth for flick in flicks], dtype=np.float64),
            offset=np.array([flick.offset for flick in flicks], dtype=np.float64),
            start=np.array(start, dtype=np.float64) if any(flick.start for flick in flicks) else None,
        )

    def rows(self) -> int:
        """Number of flicks the columns hold.

        Raises:
            BadFlick: columns of different lengths.
        """
        found = {"speed": len(np.atleast_1d(self.speed)), "azimuth": len(np.atleast_1d(self.azimuth))}
        found["offset"] = len(np.atleast_1d(self.offset))
        if not isinstance(self.piece, str):
            found["piece"] = len(self.piece)
        if self.start is not None:
            if self.start.ndim != 2 or self.start.shape[1] != 2:
                raise BadFlick(f"start has shape {list(self.start.shape)}; it must be [shots, 2], x and y of each")
            found["start"] = len(self.start)
        longest = max(found.values())
        if odd := [name for name, count in found.items() if count not in (1, longest)]:
            told = ", ".join(f"{name} {count}" for name, count in found.items())
            raise BadFlick(
                f"columns do not match in length ({told}); {odd[0]} must have {longest} rows, or one for all"
            )
        return longest

    def problems(self, shots: int) -> list[tuple[npt.NDArray[np.bool_], str]]:
        """What is wrong with the numbers: for each complaint, the rows it is about. [S]"""
        speed, azimuth, offset = (
            np.broadcast_to(np.atleast_1d(np.asarray(column, dtype=np.float64)), shots)
            for column in (self.speed, self.azimuth, self.offset)
        )
        found = [
            (~((speed > 0.0) & (speed <= MAX_SPEED)), f"speed must be above 0 and at most {MAX_SPEED:g} m/s"),
            (~(np.abs(azimuth) <= TURN), "azimuth must lie within one turn, -6.2832 to 6.2832 rad"),
            (~(np.abs(offset) <= 0.95), "offset must lie in -0.95 to 0.95 radii"),
        ]
        if self.start is not None:
            part = np.isnan(self.start).sum(axis=1) == 1
            wrong = part | np.isinf(self.start).any(axis=1)
            found.append((np.broadcast_to(wrong, shots), "start must be two finite numbers, or both NaN"))
        return found

    def row(self, shot: int) -> Flick:
        """The flick of one shot."""

        def at(column: Array | float) -> float:
            values = np.atleast_1d(np.asarray(column, dtype=np.float64))
            return float(values[min(shot, len(values) - 1)])

        start = None
        if self.start is not None:
            x, y = map(float, self.start[min(shot, len(self.start) - 1)])
            start = None if np.isnan(x) else (x, y)
        return Flick(
            piece=self.piece if isinstance(self.piece, str) else self.piece[min(shot, len(self.piece) - 1)],
            speed=at(self.speed),
            azimuth=at(self.azimuth),
            offset=at(self.offset),
            start=start,
        )
