"""Columns of many shots: flicks of discs, squidges of winks, launches of pyramids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt

from flicksim.core.arrays import Bools, Floats
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
from flicksim.scene.launch import Launch
from flicksim.scene.pyramid import SIZES, Size

A = TypeVar("A", Flick, Squidge, Launch)

_DEFAULT_LAUNCH: Final = Launch(piece="missile", size="small", hold=(0.0, 0.0), azimuth=0.0, speed=1.0)
"""Launch with all defaults."""


class ShotColumns(Generic[A]):
    """Shots as columns, base of the three kinds; a column of one row serves all shots.

    Class attributes: type of an action and its description; word for several; names of the columns of texts and of
    numbers, and of the column of points [m].
    """

    __slots__ = ()
    _action: ClassVar[type]
    _description: ClassVar[str]
    plural: ClassVar[str]
    _texts: ClassVar[tuple[str, ...]] = ("piece",)
    _numbers: ClassVar[tuple[str, ...]]
    _point: ClassVar[str] = "start"

    @classmethod
    def from_actions(cls, actions: Sequence[A]) -> Self:
        """Build columns from actions.

        Raises:
            InvalidAction: one of another type.
        """
        for row, one in enumerate(actions):
            if not isinstance(one, cls._action):
                raise InvalidAction(f"row {row}: {type(one).__name__} is no {cls._description}")
        columns: dict[str, Any] = {
            name: np.array([getattr(one, name) for one in actions], dtype=np.float64) for name in cls._numbers
        }
        for name in cls._texts:
            values = [getattr(one, name) for one in actions]
            columns[name] = values[0] if len(set(values)) == 1 else values
        points = [getattr(one, cls._point) for one in actions]
        if any(points):
            points = [(np.nan, np.nan) if point is None else point for point in points]
            columns[cls._point] = np.array(points, dtype=np.float64)
        return cls(**columns)

    def row_count(self) -> int:
        """Number of shots the columns hold.

        Raises:
            InvalidAction: columns of different lengths.
        """
        found = {name: len(np.atleast_1d(getattr(self, name))) for name in self._numbers}
        found |= {name: len(of) for name in self._texts if not isinstance(of := getattr(self, name), str)}
        if (points := getattr(self, self._point)) is not None:
            if points.ndim != 2 or points.shape[1] != 2:
                raise InvalidAction(
                    f"{self._point} has shape {list(points.shape)}; it must be [shots, 2], x and y of each"
                )
            found[self._point] = len(points)
        longest = max(found.values())
        if odd := [name for name, count in found.items() if count not in (1, longest)]:
            told = ", ".join(f"{name} {count}" for name, count in found.items())
            raise InvalidAction(
                f"columns do not match in length ({told}); {odd[0]} must have {longest} rows, or one for all"
            )
        return longest

    def action(self, shot: int) -> A:
        """The action of one shot.

        Raises:
            ValueError: a number is out of range; names it and the range.
        """
        values: dict[str, Any] = {}
        for name in self._numbers:
            numbers = np.atleast_1d(np.asarray(getattr(self, name), dtype=np.float64))
            values[name] = float(numbers[min(shot, len(numbers) - 1)])
        for name in self._texts:
            texts = getattr(self, name)
            values[name] = texts if isinstance(texts, str) else item_at(texts, shot)
        if (points := getattr(self, self._point)) is not None:
            x, y = map(float, points[min(shot, len(points) - 1)])
            values[self._point] = None if np.isnan(x) and self._point == "start" else (x, y)
        made: A = self._action(**values)
        return made

    def invalid_rows(self, shots: int) -> Bools:
        """True for shots with a number out of its range. [S]"""
        speed, azimuth = (to_column(getattr(self, name), shots) for name in ("speed", "azimuth"))
        wrong: Bools = ~((speed > 0.0) & (speed <= MAX_SPEED) & (np.abs(azimuth) <= FULL_TURN))
        if (points := getattr(self, self._point)) is not None:
            wrong = wrong | (np.isnan(points).sum(axis=1) == 1) | np.isinf(points).any(axis=1)
        return wrong

    def errors(self, shots: int) -> npt.NDArray[np.object_]:
        """Errors of the numbers of each shot, as of its action; empty where they are valid. [S]"""
        found = np.full(shots, "", dtype=object)
        for row in np.flatnonzero(self.invalid_rows(shots)).tolist():
            found[row] = f"{self._point} must be two finite numbers, or both NaN"
            try:
                self.action(row)
            except ValueError as error:
                found[row] = str(error)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Flicks(ShotColumns[Flick]):
    """Flicks of flat pieces as columns; a column of one row serves all (see `scene.Flick`).

    Args:
        piece: id of the piece flicked in each shot, or one for all.
        speed: [m/s], azimuth: [rad], offset: [radii]. [S] or [1]
        start: position where the piece is placed first [m], NaN if it stays; None for no shot. [S, 2] or [1, 2]
    """

    _action, _description, plural = Flick, "flick of a flat piece", "flicks"
    _numbers = ("speed", "azimuth", "offset")

    piece: str | Sequence[str]
    speed: Floats | float
    azimuth: Floats | float
    offset: Floats | float = 0.0
    start: Floats | None = None

    def invalid_rows(self, shots: int) -> Bools:
        return ShotColumns.invalid_rows(self, shots) | ~(np.abs(to_column(self.offset, shots)) <= 0.95)

    def flick(self, shot: int) -> Flick:
        """The flick of one shot."""
        return self.action(shot)


@dataclass(frozen=True, slots=True, kw_only=True)
class Squidges(ShotColumns[Squidge]):
    """Squidges of winks as columns; a column of one row serves all (see `scene.Squidge`).

    Args:
        piece: id of the wink squidged in each shot, or one for all.
        speed: [m/s], azimuth: [rad], elevation: [rad], tumble: backspin [rad/s]. [S] or [1]
        press: [-], drag: [m], squidger: [m], as in `Squidge`. [S] or [1]
        start: position where the wink is placed first [m], NaN if it stays; None for no shot. [S, 2] or [1, 2]
    """

    _action, _description, plural = Squidge, "squidge of a wink", "flicks"
    _numbers = ("speed", "azimuth", "elevation", "tumble", "press", "drag", "squidger")

    piece: str | Sequence[str]
    speed: Floats | float
    azimuth: Floats | float
    elevation: Floats | float = pi / 4.0
    tumble: Floats | float = 0.0
    press: Floats | float = 0.0
    drag: Floats | float = 0.0
    squidger: Floats | float = 38.1e-3
    start: Floats | None = None

    def invalid_rows(self, shots: int) -> Bools:
        elevation, tumble, press, drag, squidger = (to_column(getattr(self, name), shots) for name in self._numbers[2:])
        low, high = SQUIDGER_DIAMETER_RANGE
        return ShotColumns.invalid_rows(self, shots) | ~(
            (elevation >= 0.0) & (elevation <= pi / 2.0) & (np.abs(tumble) <= MAX_TUMBLE) & (press >= 0.0)
            & (press <= 1.0) & (drag >= 0.0) & (drag <= MAX_FOLLOW_THROUGH) & (squidger >= low) & (squidger <= high)
        )  # fmt: skip

    def squidge(self, shot: int) -> Squidge:
        """The squidge of one shot."""
        return self.action(shot)


@dataclass(frozen=True, slots=True, kw_only=True)
class Launches(ShotColumns[Launch]):
    """Launches as columns; a column of one row serves all (ranges: see `scene.Launch`).

    Args:
        piece: id of the missile in each launch, or one for all. size: of the missile, likewise.
        hold: position of the launcher [m]. [S, 2] or [1, 2]
        azimuth, slant, askew, twist: [rad], speed: [m/s], height, lift, aside: [m]; with the defaults of `Launch`. [S]
            or [1]
    """

    _action, _description, plural, _point = Launch, "launch of a pyramid", "launches", "hold"
    _texts = ("piece", "size")
    _numbers = ("azimuth", "speed", "height", "slant", "lift", "askew", "twist", "aside")

    piece: str | Sequence[str]
    size: Size | Sequence[Size]
    hold: Floats
    azimuth: Floats | float
    speed: Floats | float
    height: Floats | float = _DEFAULT_LAUNCH.height
    slant: Floats | float = _DEFAULT_LAUNCH.slant
    lift: Floats | float = _DEFAULT_LAUNCH.lift
    askew: Floats | float = 0.0
    twist: Floats | float = 0.0
    aside: Floats | float = 0.0

    def launch(self, launch: int) -> Launch:
        """The launch of one row.

        Raises:
            ValueError: a number is out of range; names it and the range.
        """
        made = self.action(launch)
        if made.size not in SIZES:
            raise ValueError(f"size {made.size!r} is none; sizes are {', '.join(SIZES)}")
        return made


def to_column(values: Floats | float, shots: int) -> Floats:
    """Broadcast a value to a column of that many shots."""
    return np.broadcast_to(np.atleast_1d(np.asarray(values, dtype=np.float64)), shots)
