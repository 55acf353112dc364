"""Column table of results with headings and units; converts to pandas, polars and Arrow."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import islice
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

import numpy as np

from flicksim.core.arrays import Array
from flicksim.core.counting import count_of
from flicksim.core.errors import InvalidInput, MissingExtra
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import JsonValue

_PREVIEW_ROWS = 6
"""Rows shown of a long table, from its beginning and from its end."""
_CHUNK_ROWS = 4096
"""Rows converted to arrays at a time: of all at once Python would hold every value as an object."""


class ColumnLike(Protocol):
    """Description of a column: name, kind of values, title for people, unit."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def is_integer(self) -> bool: ...


class ColumnInfo(Value, frozen=True, kw_only=True):
    """Description of a column: name, kind of values (a "boolean" is 0 or 1), title for people, unit.

    Args:
        is_integer: whether all values are integers and none can be missing.
    """

    name: str
    kind: Literal["number", "boolean", "text"] = "number"
    title: str = ""
    unit: str = ""
    is_integer: bool = False


ExternalTable: TypeAlias = Any
"""Object of an optional library: its module, or a table of its type."""

H = TypeVar("H", bound=ColumnLike)


class ColumnNotFound(InvalidInput, KeyError):
    """The table has no column of that name; lists those it has."""


class ResultsTable(Generic[H]):
    """Table of results by column: `table["distance_white"]` is an array.

    Args:
        columns: descriptions of the columns. rows: values, one row after another.
    """

    def __init__(self, columns: Sequence[H], rows: Iterable[Sequence[JsonValue]]) -> None:
        self.columns: dict[str, H] = {column.name: column for column in columns}
        parts: list[list[Array]] = [[np.array((), dtype=_dtype(column))] for column in columns]
        remaining = iter(rows)
        while chunk := list(islice(remaining, _CHUNK_ROWS)):
            for part, values in zip(parts, zip(*chunk, strict=True), strict=True):
                part.append(np.array(values, dtype=part[0].dtype))
        self._arrays: dict[str, Array] = {
            column.name: np.concatenate(part) for column, part in zip(columns, parts, strict=True)
        }

    @classmethod
    def from_columns(cls, arrays: Mapping[H, Array]) -> "ResultsTable[H]":
        """Make a table from whole columns: each description with its array. [rows]"""
        table = cls(list(arrays), ())
        converted: dict[str, Array] = {column.name: array.astype(_dtype(column)) for column, array in arrays.items()}
        table._arrays.update(converted)
        return table

    def __len__(self) -> int:
        return len(next(iter(self._arrays.values()), ()))

    def __getitem__(self, name: str) -> Array:
        """Column by name: floats with NaN for missing values; strings as objects; indices as integers. [rows]

        Raises:
            ColumnNotFound: no column has that name; lists those there are. It is a `KeyError` too.
        """
        try:
            return self._arrays[name]
        except (KeyError, TypeError):
            raise ColumnNotFound(f"no column {name!r}; there are {', '.join(self._arrays)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __repr__(self) -> str:
        return f"<table of {count_of(len(self), 'row')}: {', '.join(self._arrays)}>"

    def __str__(self) -> str:
        lines = [[*self._arrays], *self._preview_rows()]
        widths = [max(len(line[k]) for line in lines) for k in range(len(self._arrays))]
        return "\n".join("  ".join(cell.rjust(w) for cell, w in zip(line, widths, strict=True)) for line in lines)

    def _repr_html_(self) -> str:
        labels = {name: f"{name} [{c.unit}]" if c.unit else name for name, c in self.columns.items()}
        heads = (f"<th title={escape(repr(c.title))}>{escape(labels[c.name])}</th>" for c in self.columns.values())
        rows = (
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in self._preview_rows()
        )
        return f"<table><tr>{''.join(heads)}</tr>{''.join(rows)}</table><p>{count_of(len(self), 'row')}</p>"

    def _preview_rows(self) -> list[list[str]]:
        """First and last rows as text."""
        count = len(self)
        indices = [*range(min(_PREVIEW_ROWS, count)), *range(max(_PREVIEW_ROWS, count - _PREVIEW_ROWS), count)]
        lines = [[_format_cell(array[k]) for array in self._arrays.values()] for k in indices]
        if count > 2 * _PREVIEW_ROWS:
            lines.insert(_PREVIEW_ROWS, ["..."] * len(self._arrays))
        return lines

    def to_pandas(self) -> ExternalTable:
        """Convert to a `pandas.DataFrame`; `attrs["units"]` has the units by column.

        Raises:
            MissingExtra: pandas is not installed.
        """
        frame = _import_library("pandas", "to_pandas").DataFrame(dict(self._arrays))
        frame.attrs["units"] = self.units
        return frame

    def to_polars(self) -> ExternalTable:
        """Convert to a `polars.DataFrame`; missing values are null.

        Raises:
            MissingExtra: polars is not installed.
        """
        polars = _import_library("polars", "to_polars")
        return polars.DataFrame({name: self.to_list(name) for name in self}, strict=False, nan_to_null=True)

    def to_arrow(self) -> ExternalTable:
        """Convert to a `pyarrow.Table`; every field's metadata has its unit and title.

        Raises:
            MissingExtra: pyarrow is not installed.
        """
        arrow = _import_library("pyarrow", "to_arrow")
        kinds = {"number": arrow.float64(), "boolean": arrow.int8(), "text": arrow.string()}
        fields = [
            arrow.field(
                c.name, arrow.int64() if c.is_integer else kinds[c.kind], metadata={"unit": c.unit, "title": c.title}
            )
            for c in self.columns.values()
        ]
        return arrow.table([self.to_list(name) for name in self], schema=arrow.schema(fields))

    @property
    def units(self) -> dict[str, str]:
        """Units by column, of those that have one."""
        return {name: column.unit for name, column in self.columns.items() if column.unit}

    def to_list(self, name: str) -> list[JsonValue]:
        """Column as a list of Python values; None for missing values."""
        kind = self.columns[name].kind
        values = (None if value is None or value != value else value for value in self._arrays[name].tolist())
        return [int(value) if kind == "boolean" and value is not None else value for value in values]


def _dtype(column: ColumnLike) -> type:
    return object if column.kind == "text" else int if column.is_integer else float


def _format_cell(value: JsonValue) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, str):
        return value if len(value) <= 60 else value[:57] + "..."
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def _import_library(name: str, feature: str) -> ExternalTable:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise MissingExtra(f"{feature}, by {name},", "tables") from None
