"""Statistics of experiment results: factors, grid cells, estimates with 95 % intervals (Wilson, normal)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import pi, sqrt

import numpy as np

from flicksim.core.arrays import Bools, Floats, Ints
from flicksim.experiments.result_columns import Column
from flicksim.experiments.results_store import Table
from flicksim.match import wilson_interval

NO_NOISE = "steady"
"""Name of the hand without execution noise."""
_MAX_LEVELS = 60
"""More different values than this are drawn, not gone through: they are binned."""
_BINS, _MAX_WORDS = 12, 12
_Z95 = 1.959964


@dataclass(frozen=True, slots=True, kw_only=True)
class Factor:
    """A varying parameter as levels.

    Args:
        column: of the table. levels: numbers or words; of a drawn quantity the middles of bins. [L]
        edges: of the bins, None for a grid. [L + 1]
        at: which level every shot has. [shots]
    """

    column: Column
    levels: tuple[float | str, ...]
    edges: Floats | None
    at: Ints

    @property
    def numeric(self) -> bool:
        """True where its levels are numbers."""
        return self.column.kind == "number"

    @property
    def scale(self) -> tuple[float, str]:
        """Factor and unit for display of its levels, which are numbers."""
        return display_scale(self.column.unit, np.array(self.levels, dtype=float))


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """An estimate with its 95 % interval, from `count` shots; NaN where there are none.

    Args:
        value: the share (Wilson's interval), or the mean (normal interval). median, deviation: of numbers only.
    """

    count: int
    value: float
    low: float
    high: float
    median: float = np.nan
    deviation: float = np.nan


def factors(table: Table) -> tuple[Factor, ...]:
    """Varied factors with their levels; normal noise only if there are no others."""
    for roles in (("grid", "random"), ("noise",)):
        if columns := [column for column in table.columns.values() if column.role in roles]:
            return tuple(_factor(column, table) for column in columns)
    return ()


def _factor(column: Column, table: Table) -> Factor:
    values = table[column.name]
    if column.kind == "text":
        return _text_factor(column, values.tolist())
    distinct, indices = np.unique(values, return_inverse=True)
    if len(distinct) <= min(_MAX_LEVELS, max(1, len(values) // 2)):
        return Factor(column=column, levels=tuple(distinct.tolist()), edges=None, at=indices.astype(np.int64))
    low, high = np.percentile(values, (0.5, 99.5))
    edges = np.linspace(low, high, _BINS + 1)
    indices = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, _BINS - 1).astype(np.int64)
    middles = tuple((0.5 * (edges[1:] + edges[:-1])).tolist())
    return Factor(column=column, levels=middles, edges=edges, at=indices)


def _text_factor(column: Column, values: Sequence[str]) -> Factor:
    """Factor of words: never binned, the last of very many pooled as "others"."""
    levels = tuple(dict.fromkeys(values))
    if len(levels) > _MAX_LEVELS:
        levels = (*levels[: _MAX_LEVELS - 1], "others")
    index_of = {level: k for k, level in enumerate(levels)}
    indices = np.array([index_of.get(value, len(levels) - 1) for value in values], dtype=np.int64)
    return Factor(column=column, levels=levels, edges=None, at=indices)


def estimate(column: Column, values: Floats) -> Estimate:
    """Estimate of these values; NaN is left out."""
    valid = values[~np.isnan(values)]
    count = len(valid)
    if not count:
        return Estimate(count=0, value=np.nan, low=np.nan, high=np.nan)
    mean = float(valid.mean())
    if column.kind == "boolean":
        low, high = wilson_interval(mean, count)
        return Estimate(count=count, value=mean, low=low, high=high)
    deviation = float(valid.std(ddof=1)) if count > 1 else np.nan
    half = _Z95 * deviation / sqrt(count)
    return Estimate(
        count=count, value=mean, low=mean - half, high=mean + half, median=float(np.median(valid)),
        deviation=deviation,
    )  # fmt: skip


def is_deterministic(table: Table, hand: object) -> Bools:
    """Mask of the shots without randomness: a steady hand and no random parameter. [shots]

    Args:
        hand: of the experiment, if it does not vary.
    """
    if any(column.role in ("random", "noise") for column in table.columns.values()):
        return np.zeros(len(table), dtype=np.bool_)
    if "hand" in table.columns:
        return np.asarray(table["hand"] == NO_NOISE, dtype=np.bool_)
    return np.full(len(table), hand == NO_NOISE)


def present(*factors: Factor | None) -> list[Factor]:
    """Those factors that there are."""
    return [factor for factor in factors if factor is not None]


def cell_estimates(
    factors: Sequence[Factor], column: Column, table: Table, deterministic: Bools
) -> dict[tuple[int, ...], Estimate]:
    """Estimate of every cell of some factors, by the indices of its levels.

    Args:
        deterministic: mask of deterministic shots (see `is_deterministic`); their cells have no interval. [shots]
    """
    values = table[column.name]
    flat = np.zeros(len(table), dtype=np.int64)
    for factor in factors:
        flat = flat * len(factor.levels) + factor.at
    order = np.argsort(flat, kind="stable")
    bounds = np.searchsorted(flat[order], np.arange(int(np.prod([len(f.levels) for f in factors])) + 1))
    rows = [order[bounds[k] : bounds[k + 1]] for k in range(len(bounds) - 1)]
    cells = product(*(range(len(factor.levels)) for factor in factors))
    is_unpooled, estimates = not pooled_columns(factors, table), dict[tuple[int, ...], Estimate]()
    for cell, rows_of_cell in zip(cells, rows, strict=True):
        estimates[cell] = estimate(column, values[rows_of_cell])
        if is_unpooled and estimates[cell].count and deterministic[rows_of_cell].all():
            estimates[cell] = replace(estimates[cell], low=np.nan, high=np.nan, deviation=np.nan)
    return estimates


def pooled_columns(chosen: Sequence[Factor], table: Table) -> list[Column]:
    """Columns of the other varying parameters, over which these cells pool."""
    chosen_names = {factor.column.name for factor in chosen}
    return [c for c in table.columns.values() if c.role in ("grid", "random") and c.name not in chosen_names]


def word_counts(column: Column, table: Table) -> list[tuple[str, int]]:
    """Counts of the most frequent values of a text column, in this order."""
    counts = Counter(word for word in table[column.name].tolist() if word is not None)
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MAX_WORDS]


def answer_columns(table: Table, kinds: Sequence[str]) -> tuple[Column, ...]:
    """Measure columns of these kinds, without positions."""
    parts = {f"{name}_{axis}" for name in place_columns(table) for axis in "xy"}
    return tuple(
        column
        for column in table.columns.values()
        if column.role == "measure" and column.kind in kinds and column.name not in parts
    )


def place_columns(table: Table) -> tuple[str, ...]:
    """Measures that are positions: those with an x and a y column."""
    return tuple(
        name[:-2] for name, column in table.columns.items()
        if column.role == "measure" and name.endswith("_x") and f"{name[:-2]}_y" in table.columns
    )  # fmt: skip


def capitalise(title: str) -> str:
    """Capitalise a title, unless it begins with the id of a piece."""
    first = title.partition(" ")[0]
    return title[:1].upper() + title[1:] if first.isalpha() and len(first) > 1 else title  # "a touched white"


def display_scale(unit: str, values: Floats) -> tuple[float, str]:
    """Factor and unit for display: degrees instead of radians, millimetres below a metre."""
    finite = np.abs(values[np.isfinite(values)])
    if unit == "rad":
        return 180.0 / pi, "°"
    if unit == "rad/s":
        return 1.0, "rad/s"
    if unit == "m" and len(finite) and float(finite.max()) < 1.0:
        return 1000.0, "mm"
    return 1.0, unit
