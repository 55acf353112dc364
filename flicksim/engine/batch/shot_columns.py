"""Columns of many flicks or squidges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi

import numpy as np
import numpy.typing as npt

from flicksim.core.errors import InvalidAction
from flicksim.engine.batch.rows import item_at
from flicksim.scene.flick import (
    FULL_TURN,
    MAX_FOLLOW_THROUGH,
    MAX_SPEED,
    MAX_TUMBLE,
    SQUIDGER_DIAMETER_RANGE,
    Flick,
    Squidge,
)

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flicks:
    """Flicks of flat pieces as columns; a column of one row serves all (see `scene.Flick`).

    Args:
        piece: id of the piece flicked in each shot, or one for all.
        speed: [m/s], azimuth: [rad], offset: [radii]. [S] or [1]
        start: position where the piece is placed first [m], NaN if it stays; None for no shot. [S, 2] or [1, 2]
    """

    piece: str | Sequence[str]
    speed: Array
    azimuth: Array
    offset: Array | float = 0.0
    start: Array | None = None

    @classmethod
    def from_actions(cls, flicks: Sequence[Flick]) -> Flicks:
        """Build columns from flicks."""
        for row, flick in enumerate(flicks):
            if not isinstance(flick, Flick):
                raise InvalidAction(f"row {row}: {type(flick).__name__} is no flick of a flat piece")
        names = [flick.piece for flick in flicks]
        start = [flick.start if flick.start is not None else (np.nan, np.nan) for flick in flicks]
        return cls(
            piece=names[0] if len(set(names)) == 1 else names,
            speed=np.array([flick.speed for flick in flicks], dtype=np.float64),
            azimuth=np.array([flick.azimuth for flick in flicks], dtype=np.float64),
            offset=np.array([flick.offset for flick in flicks], dtype=np.float64),
            start=np.array(start, dtype=np.float64) if any(flick.start for flick in flicks) else None,
        )

    def row_count(self) -> int:
        """Number of flicks the columns hold.

        Raises:
            InvalidAction: columns of different lengths.
        """
        return count_rows(self.piece, self.start, speed=self.speed, azimuth=self.azimuth, offset=self.offset)

    def problems(self, shots: int) -> list[tuple[npt.NDArray[np.bool_], str]]:
        """Errors of the numbers: for each, a mask of the rows concerned [S] and a message."""
        offset = to_column(self.offset, shots)
        found = _common_problems(self.speed, self.azimuth, self.start, shots)
        found.insert(2, (~(np.abs(offset) <= 0.95), "offset must lie in -0.95 to 0.95 radii"))
        return found

    def flick(self, shot: int) -> Flick:
        """The flick of one shot."""

        return Flick(
            piece=self.piece if isinstance(self.piece, str) else item_at(self.piece, shot),
            speed=_value_at(self.speed, shot),
            azimuth=_value_at(self.azimuth, shot),
            offset=_value_at(self.offset, shot),
            start=_start_at(self.start, shot),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Squidges:
    """Squidges of winks as columns; a column of one row serves all (see `scene.Squidge`).

    Args:
        piece: id of the wink squidged in each shot, or one for all.
        speed: [m/s], azimuth: [rad], elevation: [rad], tumble: backspin [rad/s]. [S] or [1]
        press: [-], drag: [m], squidger: [m], as in `Squidge`. [S] or [1]
        start: position where the wink is placed first [m], NaN if it stays; None for no shot. [S, 2] or [1, 2]
    """

    piece: str | Sequence[str]
    speed: Array
    azimuth: Array
    elevation: Array | float = pi / 4.0
    tumble: Array | float = 0.0
    press: Array | float = 0.0
    drag: Array | float = 0.0
    squidger: Array | float = 38.1e-3
    start: Array | None = None

    @classmethod
    def from_actions(cls, squidges: Sequence[Squidge]) -> Squidges:
        """Build columns from squidges."""
        for row, squidge in enumerate(squidges):
            if not isinstance(squidge, Squidge):
                raise InvalidAction(f"row {row}: {type(squidge).__name__} is no squidge of a wink")
        names = [squidge.piece for squidge in squidges]
        start = [squidge.start if squidge.start is not None else (np.nan, np.nan) for squidge in squidges]
        return cls(
            piece=names[0] if len(set(names)) == 1 else names,
            start=np.array(start, dtype=np.float64) if any(squidge.start for squidge in squidges) else None,
            **{name: np.array([getattr(one, name) for one in squidges], dtype=np.float64) for name in _SQUIDGE_FIELDS},
        )

    def row_count(self) -> int:
        """Number of squidges the columns hold.

        Raises:
            InvalidAction: columns of different lengths.
        """
        return count_rows(self.piece, self.start, **{name: getattr(self, name) for name in _SQUIDGE_FIELDS})

    def problems(self, shots: int) -> list[tuple[npt.NDArray[np.bool_], str]]:
        """Errors of the numbers: for each, a mask of the rows concerned [S] and a message."""
        elevation, tumble, press, drag, squidger = (
            to_column(getattr(self, name), shots) for name in _SQUIDGE_FIELDS[2:]
        )
        low, high = SQUIDGER_DIAMETER_RANGE
        return [
            *_common_problems(self.speed, self.azimuth, self.start, shots),
            (~((elevation >= 0.0) & (elevation <= pi / 2.0)), "elevation must lie in 0 to 1.5708 rad, 0 to 90 degrees"),
            (~(np.abs(tumble) <= MAX_TUMBLE), f"tumble must lie in -{MAX_TUMBLE:g} to {MAX_TUMBLE:g} rad/s"),
            (~((press >= 0.0) & (press <= 1.0)), "press must lie in 0 to 1"),
            (~((drag >= 0.0) & (drag <= MAX_FOLLOW_THROUGH)), f"drag must lie in 0 to {MAX_FOLLOW_THROUGH:g} m"),
            (~((squidger >= low) & (squidger <= high)), f"squidger must be {low:g} to {high:g} m wide (TW-4d)"),
        ]

    def squidge(self, shot: int) -> Squidge:
        """The squidge of one shot."""
        return Squidge(
            piece=self.piece if isinstance(self.piece, str) else item_at(self.piece, shot),
            start=_start_at(self.start, shot),
            **{name: _value_at(getattr(self, name), shot) for name in _SQUIDGE_FIELDS},
        )


_SQUIDGE_FIELDS = ("speed", "azimuth", "elevation", "tumble", "press", "drag", "squidger")


def to_column(values: Array | float, shots: int) -> Array:
    """Broadcast a value to a column of that many shots."""
    return np.broadcast_to(np.atleast_1d(np.asarray(values, dtype=np.float64)), shots)


def count_rows(piece: str | Sequence[str], start: Array | None, **columns: Array | float) -> int:
    """Number of rows that columns hold.

    Raises:
        InvalidAction: they do not match.
    """
    found = {name: len(np.atleast_1d(values)) for name, values in columns.items()}
    if not isinstance(piece, str):
        found["piece"] = len(piece)
    if start is not None:
        if start.ndim != 2 or start.shape[1] != 2:
            raise InvalidAction(f"start has shape {list(start.shape)}; it must be [shots, 2], x and y of each")
        found["start"] = len(start)
    longest = max(found.values())
    if odd := [name for name, count in found.items() if count not in (1, longest)]:
        told = ", ".join(f"{name} {count}" for name, count in found.items())
        raise InvalidAction(
            f"columns do not match in length ({told}); {odd[0]} must have {longest} rows, or one for all"
        )
    return longest


def _common_problems(
    speed: Array, azimuth: Array, start: Array | None, shots: int
) -> list[tuple[npt.NDArray[np.bool_], str]]:
    speed, azimuth = to_column(speed, shots), to_column(azimuth, shots)
    found = [
        (~((speed > 0.0) & (speed <= MAX_SPEED)), f"speed must be above 0 and at most {MAX_SPEED:g} m/s"),
        (~(np.abs(azimuth) <= FULL_TURN), "azimuth must lie within one turn, -6.2832 to 6.2832 rad"),
    ]
    if start is not None:
        part = np.isnan(start).sum(axis=1) == 1
        wrong = part | np.isinf(start).any(axis=1)
        found.append((np.broadcast_to(wrong, shots), "start must be two finite numbers, or both NaN"))
    return found


def _value_at(values: Array | float, shot: int) -> float:
    """Value of a column for one shot."""
    numbers = np.atleast_1d(np.asarray(values, dtype=np.float64))
    return float(numbers[min(shot, len(numbers) - 1)])


def _start_at(start: Array | None, shot: int) -> tuple[float, float] | None:
    """Start position of one shot; None if it is NaN or absent."""
    if start is None:
        return None
    x, y = map(float, start[min(shot, len(start) - 1)])
    return None if np.isnan(x) else (x, y)
