"""What arrays of numbers are put together from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from flicksim.base.codec import Word
from flicksim.base.errors import BadInput

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Said = dict[str, tuple[npt.NDArray[Any], Bools]]
"""What is said of many shots: by name a column of it, and the rows that have it."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the numbers: what each is called, and how they are got from a view for the seat that looks."""

    names: tuple[str, ...]
    write: Callable[[Any, int], list[float]]


def one_of(place: int, places: int) -> list[float]:
    """A one among zeros."""
    return [float(k == place) for k in range(places)]


def whose(after: int, seats: int) -> str:
    """How the seat so many places after oneself is called."""
    return "me" if not after else f"seat +{after}" if seats > 2 else "the other"


def faces(kind: type[Word]) -> tuple[Any, ...]:
    """Every card or tile of a kind by index."""
    found: dict[str, Any] = kind.faces  # type: ignore[attr-defined]
    return tuple(sorted(found.values(), key=lambda face: face.index))


def counts(kind: type[Word], path: str, get: Callable[[Any, int], Iterable[Any]]) -> Part:
    """How many there are of each card or tile."""
    known = faces(kind)

    def write(view: Any, seat: int) -> list[float]:
        found = [0.0] * len(known)
        for face in get(view, seat):
            found[face.index] += 1.0
        return found

    return Part(tuple(f"{path}: {face}" for face in known), write)


def bounded(action: Any, names: Sequence[str]) -> npt.NDArray[np.float64]:
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


def _short(thing: Any) -> str:
    text = " ".join(str(thing).split())
    return text if len(text) <= 60 else text[:57] + "..."


def gathered(said: Sequence[dict[str, Any]]) -> Said:
    """What was said of many shots: by name a column of it, and the rows that have it."""
    found: Said = {}
    for name in dict.fromkeys(name for one in said for name in one):
        here = np.array([name in one for one in said])
        kind = type(next(one[name] for one in said if name in one))
        plain = kind in (bool, int, float)
        column = np.zeros(len(said), kind) if plain else np.full(len(said), None, dtype=object)
        for row in np.flatnonzero(here).tolist():
            column[row] = said[row][name]
        found[name] = column, here
    return found
