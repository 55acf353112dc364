"""Summary of a table of shots: levels of what varied, and in every cell a figure with its interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import pi, sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from flicksim.lab.column import Column
from flicksim.lab.stores import Table
from flicksim.play import wilson

Array = npt.NDArray[np.float64]

Bools: TypeAlias = npt.NDArray[np.bool_]
STEADY = "steady"
"""The hand that does just what is meant."""
_LEVELS = 60
"""More different values than this are drawn, not gone through: they are binned."""
_BINS = 12
_SURE = 1.959964


@dataclass(frozen=True, slots=True, kw_only=True)
class Factor:
    """A quantity that varied, as levels.

    Args:
        column: of the table. levels: numbers or words; of a drawn quantity the middles of bins. [L]
        edges: of the bins, None for a grid. [L + 1]
        at: which level every shot has. [shots]
    """

    column: Column
    levels: tuple[float | str, ...]
    edges: Array | None
    at: npt.NDArray[np.int64]

    @property
    def numeric(self) -> bool:
        """True where its levels are numbers."""
        return self.column.kind == "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure with its 95 % interval, from so many shots; NaN where there are none.

    Args:
        middle: the share (Wilson's interval), or the mean (normal interval). median, deviation: of numbers only.
    """

    count: int
    middle: float
    low: float
    high: float
    median: float = np.nan
    deviation: float = np.nan


def factors(table: Table) -> tuple[Factor, ...]:
    """The factors that were varied to see what they do, as levels: noise about a mean only where there is nothing
    else."""
    for roles in (("grid", "drawn"), ("noise",)):
        if found := [column for column in table.columns.values() if column.role in roles]:
            return tuple(_factor(column, table) for column in found)
    return ()


def _factor(column: Column, table: Table) -> Factor:
    values = table[column.name]
    if column.kind == "text":
        return _of_words(column, values.tolist())
    different, at = np.unique(values, return_inverse=True)
    if len(different) <= min(_LEVELS, max(1, len(values) // 2)):
        return Factor(column=column, levels=tuple(different.tolist()), edges=None, at=at.astype(np.int64))
    low, high = np.percentile(values, (0.5, 99.5))
    edges = np.linspace(low, high, _BINS + 1)
    at = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, _BINS - 1).astype(np.int64)
    middles = tuple((0.5 * (edges[1:] + edges[:-1])).tolist())
    return Factor(column=column, levels=middles, edges=edges, at=at)


def _of_words(column: Column, values: Sequence[str]) -> Factor:
    """Words are never binned; of very many the later ones are one level."""
    levels = tuple(dict.fromkeys(values))
    if len(levels) > _LEVELS:
        levels = (*levels[: _LEVELS - 1], "others")
    place = {level: k for k, level in enumerate(levels)}
    at = np.array([place.get(value, len(levels) - 1) for value in values], dtype=np.int64)
    return Factor(column=column, levels=levels, edges=None, at=at)


def figure(column: Column, values: Array) -> Figure:
    """The figure of these answers. NaN is no answer."""
    there = values[~np.isnan(values)]
    count = len(there)
    if not count:
        return Figure(count=0, middle=np.nan, low=np.nan, high=np.nan)
    mean = float(there.mean())
    if column.kind == "share":
        low, high = wilson(mean, count)
        return Figure(count=count, middle=mean, low=low, high=high)
    deviation = float(there.std(ddof=1)) if count > 1 else np.nan
    half = _SURE * deviation / sqrt(count)
    return Figure(
        count=count, middle=mean, low=mean - half, high=mean + half, median=float(np.median(there)),
        deviation=deviation,
    )  # fmt: skip


def certain(table: Table, hand: object) -> Bools:
    """Tell of every shot whether nothing in it was left to chance: a steady hand, and nothing drawn. [shots]

    Args:
        hand: that of the experiment, where it does not vary.
    """
    if any(column.role in ("drawn", "noise") for column in table.columns.values()):
        return np.zeros(len(table), dtype=np.bool_)
    if "hand" in table.columns:
        return np.asarray(table["hand"] == STEADY, dtype=np.bool_)
    return np.full(len(table), hand == STEADY)


def settled(one: Figure, sure: bool) -> Figure:
    """A figure without an interval where nothing in its shots was left to chance: one says as much as a thousand."""
    return replace(one, low=np.nan, high=np.nan, deviation=np.nan) if sure and one.count else one


def cells(
    over: Sequence[Factor], column: Column, table: Table, sure: Bools | None = None
) -> dict[tuple[int, ...], Figure]:
    """The figure of every cell of some factors, by the indices of its levels.

    Args:
        sure: shots without chance (see `certain`): a cell of one and the same shot has no interval. [shots]
    """
    values = table[column.name]
    flat = np.zeros(len(table), dtype=np.int64)
    for factor in over:
        flat = flat * len(factor.levels) + factor.at
    order = np.argsort(flat, kind="stable")
    bounds = np.searchsorted(flat[order], np.arange(int(np.prod([len(f.levels) for f in over])) + 1))
    rows = [order[bounds[k] : bounds[k + 1]] for k in range(len(bounds) - 1)]
    spots = product(*(range(len(factor.levels)) for factor in over))
    alone = sure is not None and not pooled(over, table)
    return {
        spot: settled(figure(column, values[own]), alone and sure is not None and bool(sure[own].all()))
        for spot, own in zip(spots, rows, strict=True)
    }


def pooled(over: Sequence[Factor], table: Table) -> list[Column]:
    """The factors that varied besides these: shots that differ in it are taken together."""
    named = {factor.column.name for factor in over}
    return [c for c in table.columns.values() if c.role in ("grid", "drawn") and c.name not in named]


def counts(column: Column, table: Table, most: int = 12) -> list[tuple[str, int]]:
    """The count of each word among the answers, the most frequent first."""
    found = Counter(word for word in table[column.name].tolist() if word is not None)
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:most]


def answers(table: Table, kinds: Sequence[str]) -> tuple[Column, ...]:
    """The columns of answers of these kinds, places left out."""
    parts = {f"{name}_{axis}" for name in places(table) for axis in "xy"}
    return tuple(
        column
        for column in table.columns.values()
        if column.role == "answer" and column.kind in kinds and column.name not in parts
    )


def places(table: Table) -> tuple[str, ...]:
    """Answers that are places on the table: those with an x and a y."""
    return tuple(
        name[:-2] for name, column in table.columns.items()
        if column.role == "answer" and name.endswith("_x") and f"{name[:-2]}_y" in table.columns
    )  # fmt: skip


def headed(title: str) -> str:
    """A title as a sentence begins; ids of pieces stay as they are written."""
    return title[:1].upper() + title[1:] if title.partition(" ")[0].isalpha() else title


def scale(unit: str, values: Array) -> tuple[float, str]:
    """A factor and a unit for people: degrees instead of radians, millimetres below a metre."""
    finite = np.abs(values[np.isfinite(values)])
    if unit == "rad":
        return 180.0 / pi, "°"
    if unit == "rad/s":
        return 1.0, "rad/s"
    if unit == "m" and len(finite) and float(finite.max()) < 1.0:
        return 1000.0, "mm"
    return 1.0, unit
