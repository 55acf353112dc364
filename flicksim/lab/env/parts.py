"""Numbers that are observed and given: what each is called, between which bounds it lies, and how it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box

from flicksim.base.codec import Word
from flicksim.base.errors import BadInput
from flicksim.base.kinds import Action, Given, Plain, View

Array = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Said = dict[str, tuple[npt.NDArray[Any], Bools]]
"""Columns said of many shots: by name the values, and the rows that have one."""

FAR = 1e4
"""A number without end is told by its logarithm, and as 1 from here on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """One of the numbers an agent observes.

    Told as (number - middle) / most, held within -1 and 1. So what is not there stays 0, unless it has a middle.

    Args:
        name: what it is called. unit: "m", "rad" and the like; "" for a count, a share, a yes or no.
        low, high: least and most it can be, in its unit; infinite where nothing bounds it.
        middle: told as 0. most: how far from there is told as 1; None: as far as it can be.
        says: what it is, for people, where the name does not say it.
    """

    name: str
    unit: str = ""
    low: float = 0.0
    high: float = 1.0
    middle: float = 0.0
    most: float | None = None
    says: str = ""

    @property
    def by_logarithm(self) -> bool:
        """True where it is told as sign(x) ln(1 + |x|) / ln(1 + `FAR`)."""
        return self.most is None and max(-self.low, self.high) == inf

    @property
    def reach(self) -> float:
        """The distance from the middle that is told as 1; of one told by its logarithm, the logarithm of that."""
        if self.by_logarithm:
            return float(np.log1p(FAR))
        return max(self.high - self.middle, self.middle - self.low) if self.most is None else self.most


def between(name: str, low: float, high: float, unit: str, says: str = "") -> Number:
    """A number told as -1 at its least and 1 at its most."""
    return Number(name=name, unit=unit, low=low, high=high, middle=(low + high) / 2.0, says=says)


def endless(name: str, low: float = -inf) -> Number:
    """A number that nothing bounds above, and maybe not below."""
    return Number(name=name, low=low, high=inf)


class Scale:
    """The scale on which numbers are told, and the space of them.

    Args:
        numbers: in order. raw: told as they are, in their units.
    """

    def __init__(self, numbers: Sequence[Number], *, raw: bool) -> None:
        self.numbers, self._raw = tuple(numbers), raw
        self._middle = np.array([number.middle for number in numbers])
        self._reach = np.array([number.reach for number in numbers])
        self._logged = np.flatnonzero([number.by_logarithm for number in numbers])
        low, high = np.array([(number.low, number.high) for number in numbers]).T
        if not raw:
            low, high = self._scaled(low), self._scaled(high)
        # to the next of the coarser numbers outwards: what lies on a bound lies within it
        self.space: Box[np.float32] = Box(_outwards(low, -np.inf), _outwards(high, np.inf), dtype=np.float32)

    def told(self, numbers: npt.ArrayLike) -> Array:
        """The numbers as an agent observes them. [..., N]"""
        found = np.asarray(numbers, dtype=np.float64)
        told: Array = (found if self._raw else self._scaled(found)).astype(np.float32)
        return told

    def _scaled(self, numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        found = numbers - self._middle
        if len(self._logged):
            endless = numbers[..., self._logged]
            found[..., self._logged] = np.sign(endless) * np.log1p(np.abs(endless))
        found /= self._reach
        told: npt.NDArray[np.float64] = np.clip(found, -1.0, 1.0)
        return told


def _outwards(bounds: npt.NDArray[np.float64], way: float) -> Array:
    near = bounds.astype(np.float32)
    past = near < bounds if way > 0.0 else near > bounds
    return np.where(past, np.nextafter(near, np.float32(way)), near).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the numbers: what they are, and how they are got from a view for the seat that looks."""

    numbers: tuple[Number, ...]
    write: Callable[[View, int], list[float]]


def flags(names: Iterable[str]) -> tuple[Number, ...]:
    """Numbers that are 1 for yes and 0 for no."""
    return tuple(Number(name=name) for name in names)


def one_of(place: int, places: int) -> list[float]:
    """A one among zeros."""
    return [float(k == place) for k in range(places)]


def whose(after: int, seats: int) -> str:
    """The name of the seat so many places after oneself."""
    return "me" if not after else f"seat +{after}" if seats > 2 else "the other"


def faces(kind: type[Word]) -> tuple[Plain, ...]:
    """Every card or tile of a kind by index."""
    found: dict[str, Plain] = kind.faces  # type: ignore[attr-defined]
    return tuple(sorted(found.values(), key=lambda face: face.index))


def counts(kind: type[Word], path: str, get: Callable[[View, int], Iterable[Plain]]) -> Part:
    """Cards or tiles there are, or the number of each."""
    known = faces(kind)

    def write(view: View, seat: int) -> list[float]:
        found = [0.0] * len(known)
        for face in get(view, seat):
            found[face.index] += 1.0
        return found

    return Part(tuple(Number(name=f"{path}: {face}", high=inf, most=1.0) for face in known), write)


def bounded(action: Action, names: Sequence[str]) -> npt.NDArray[np.float64]:
    """An action as so many numbers in [-1, 1]; what lies beyond is held there. [len(names)]

    Raises:
        BadInput: it is of another length, or not of numbers.
    """
    try:
        found = np.asarray(action, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.array(np.nan)
    if found.shape != (len(names),):
        raise BadInput(f"action {_short(action)} must be an array of {len(names)} numbers: {', '.join(names)}")
    if np.isnan(found).any():
        raise BadInput(
            f"action {_short(action)} must be numbers in -1 to 1; {names[int(np.isnan(found).argmax())]!r} is none"
        )
    return np.clip(found, -1.0, 1.0)


def all_bounded(actions: Action, names: Sequence[str], count: int) -> npt.NDArray[np.float64]:
    """So many actions, a row each. [count, len(names)]

    Raises:
        BadInput: they are not one row for each, or not of numbers.
    """
    shape = (count, len(names))
    try:
        found = np.asarray(actions, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"actions {_short(actions)} must be numbers of shape {shape}, a row each") from None
    if found.shape != shape:
        raise BadInput(f"actions of shape {found.shape} must be of {shape}, a row each")
    for row in np.flatnonzero(np.isnan(found).any(axis=1)):
        bounded(found[row], names)  # says what is wrong with it
    return np.clip(found, -1.0, 1.0)


def _short(thing: Given) -> str:
    text = " ".join(str(thing).split())
    return text if len(text) <= 60 else text[:57] + "..."
