"""A table of results: columns by name, shown as it is, and handed on to whatever reads tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import islice
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from flicksim.base.codec import Value
from flicksim.base.errors import BadInput, MissingExtra
from flicksim.base.kinds import Plain

_ROWS = 6
"""So many rows are shown of a long table, from its beginning and from its end."""
_AT_ONCE = 4096
"""Rows that are made columns of together: of all at once Python would keep every value, not only its array."""


class Head(Protocol):
    """The head of a column: its name, what it holds, what people call it, in which unit."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def whole(self) -> bool: ...


class Heading(Value, frozen=True, kw_only=True):
    """A column: its name, what it holds (a "share" is 0 or 1), what people call it, in which unit."""

    name: str
    kind: Literal["number", "share", "text"] = "number"
    title: str = ""
    unit: str = ""

    @property
    def whole(self) -> bool:
        """True where every value is a whole number: of no column that may lack one."""
        return False


Array: TypeAlias = npt.NDArray[Any]
"""A column, of numbers or of words."""
Library: TypeAlias = Any
"""Value of another library that is only handed on: the library itself, or a table of its own."""

H = TypeVar("H", bound=Head)


class NoColumn(BadInput, KeyError):
    """A table has no column of that name; lists those it has."""


class Table(Generic[H]):
    """Results by column: `table["gap_white"]` is an array.

    Args:
        columns: what they are. rows: what stands in them, one row after another.
    """

    def __init__(self, columns: Sequence[H], rows: Iterable[Sequence[Plain]]) -> None:
        self.columns: dict[str, H] = {column.name: column for column in columns}
        parts: list[list[Array]] = [[np.array((), dtype=_dtype(column))] for column in columns]
        left = iter(rows)
        while some := list(islice(left, _AT_ONCE)):
            for part, values in zip(parts, zip(*some, strict=True), strict=True):
                part.append(np.array(values, dtype=part[0].dtype))
        self._arrays: dict[str, Array] = {
            column.name: np.concatenate(part) for column, part in zip(columns, parts, strict=True)
        }

    @classmethod
    def by_column(cls, arrays: Mapping[H, Array]) -> Table[H]:
        """The same from whole columns: each head with its array. [rows]"""
        table = cls(list(arrays), ())
        kept: dict[str, Array] = {head.name: array.astype(_dtype(head)) for head, array in arrays.items()}
        table._arrays.update(kept)
        return table

    def __len__(self) -> int:
        return len(next(iter(self._arrays.values()), ()))

    def __getitem__(self, name: str) -> Array:
        """A column: floats with NaN where there is no answer; words as objects; an index as whole numbers. [rows]

        Raises:
            NoColumn: there is none of that name; lists those there are. It is a `KeyError` too.
        """
        try:
            return self._arrays[name]
        except (KeyError, TypeError):
            raise NoColumn(f"no column {name!r}; there are {', '.join(self._arrays)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __repr__(self) -> str:
        return f"<table of {len(self)} rows: {', '.join(self._arrays)}>"

    def __str__(self) -> str:
        lines = [[*self._arrays], *self._shown()]
        wide = [max(len(line[k]) for line in lines) for k in range(len(self._arrays))]
        return "\n".join("  ".join(cell.rjust(w) for cell, w in zip(line, wide, strict=True)) for line in lines)

    def _repr_html_(self) -> str:
        heads = (f"<th title={escape(repr(c.title))}>{escape(_called(c))}</th>" for c in self.columns.values())
        rows = ("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in self._shown())
        return f"<table><tr>{''.join(heads)}</tr>{''.join(rows)}</table><p>{len(self)} rows</p>"

    def _shown(self) -> list[list[str]]:
        """The first and the last rows in words."""
        count = len(self)
        some = range(count) if count <= 2 * _ROWS else [*range(_ROWS), *range(count - _ROWS, count)]
        lines = [[_cell(array[k]) for array in self._arrays.values()] for k in some]
        if count > 2 * _ROWS:
            lines.insert(_ROWS, ["..."] * len(self._arrays))
        return lines

    def to_pandas(self) -> Library:
        """The same as a `pandas.DataFrame`; `attrs["units"]` has the units by column.

        Raises:
            MissingExtra: pandas is not installed.
        """
        frame = _library("pandas", "to_pandas").DataFrame(dict(self._arrays))
        frame.attrs["units"] = self.units
        return frame

    def to_polars(self) -> Library:
        """The same as a `polars.DataFrame`; NaN is null there.

        Raises:
            MissingExtra: polars is not installed.
        """
        polars = _library("polars", "to_polars")
        return polars.DataFrame({name: self.plain(name) for name in self}, strict=False, nan_to_null=True)

    def to_arrow(self) -> Library:
        """The same as a `pyarrow.Table`; every field's metadata has its unit and what people call it.

        Raises:
            MissingExtra: pyarrow is not installed.
        """
        arrow = _library("pyarrow", "to_arrow")
        kinds = {"number": arrow.float64(), "share": arrow.int8(), "text": arrow.string()}
        fields = [
            arrow.field(
                c.name, arrow.int64() if c.whole else kinds[c.kind], metadata={"unit": c.unit, "title": c.title}
            )
            for c in self.columns.values()
        ]
        return arrow.table([self.plain(name) for name in self], schema=arrow.schema(fields))

    @property
    def units(self) -> dict[str, str]:
        """The unit of every column that has one."""
        return {name: column.unit for name, column in self.columns.items() if column.unit}

    def plain(self, name: str) -> list[Plain]:
        """A column as Python has it; None where there is no answer."""
        kind = self.columns[name].kind
        plain = (None if one is None or one != one else one for one in self._arrays[name].tolist())
        return [int(one) if kind == "share" and one is not None else one for one in plain]


def _dtype(column: Head) -> type:
    return object if column.kind == "text" else int if column.whole else float


def _called(column: Head) -> str:
    return column.name + (f" [{column.unit}]" if column.unit else "")


def _cell(value: Plain) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, str):
        return value if len(value) <= 60 else value[:57] + "..."
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def _library(name: str, asked: str) -> Library:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise MissingExtra(f"{asked}, by {name},", "tables") from None
