"""Where finished shots are kept: chunk by chunk, each whole or not at all."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from flicksim.base.codec import Value, to_json
from flicksim.base.errors import BadFile, BadOption, MissingExtra
from flicksim.base.files import write_aside
from flicksim.lab.column import Column
from flicksim.lab.measure import Answer

Row = tuple[Answer, ...]
"""A shot: its index, what varied, what was measured, why it failed."""
Span = tuple[int, int]
"""From one index to before another."""

_CHUNK_FILE = re.compile(r"shots-([0-9]{10})-([0-9]{10})\.parquet")


class Chunk(Value, frozen=True, kw_only=True):
    """Shots made together, from one index on."""

    first: int
    rows: tuple[Row, ...]

    @property
    def span(self) -> Span:
        """The indices it holds."""
        return (self.first, self.first + len(self.rows))


class Store(Protocol):
    """Keeps chunks."""

    def spans(self) -> list[Span]:
        """What is there, in order."""

    def add(self, chunk: Chunk) -> None:
        """Keep a chunk: afterwards it is there to the last shot, or not at all.

        Raises:
            BadFile: it cannot be written.
        """

    def rows(self) -> Iterator[Row]:
        """Everything there, by index."""

    def close(self) -> None:
        """Done with it."""


class SqliteStore:
    """A table `shots` in the file `shots.sqlite`, a transaction a chunk."""

    def __init__(self, folder: Path, columns: Sequence[Column]) -> None:
        self._path = folder / "shots.sqlite"
        self._width = len(columns)
        kinds = {"number": "REAL", "share": "INTEGER", "text": "TEXT"}
        named = [f'"{c.name}" {kinds[c.kind]}' for c in columns[1:]]
        self._base = self._trying(lambda: sqlite3.connect(self._path))
        self._trying(lambda: self._create(", ".join(["shot INTEGER PRIMARY KEY", *named])))

    def _create(self, columns: str) -> None:
        with self._base:
            self._base.execute(f"CREATE TABLE IF NOT EXISTS shots ({columns})")
            self._base.execute("CREATE TABLE IF NOT EXISTS chunks (first INTEGER PRIMARY KEY, last INTEGER)")

    def spans(self) -> list[Span]:
        """What is there, in order."""
        found: list[Span] = self._trying(
            lambda: self._base.execute("SELECT first, last FROM chunks ORDER BY first").fetchall()
        )
        return found

    def add(self, chunk: Chunk) -> None:
        """Keep a chunk."""
        marks = ", ".join("?" * self._width)

        def write() -> None:
            with self._base:
                self._base.executemany(f"INSERT INTO shots VALUES ({marks})", chunk.rows)
                self._base.execute("INSERT INTO chunks VALUES (?, ?)", chunk.span)

        self._trying(write)

    def rows(self) -> Iterator[Row]:
        """Everything there, by index."""
        found = self._trying(lambda: self._base.execute("SELECT * FROM shots ORDER BY shot"))
        while some := self._trying(lambda: found.fetchmany(1000)):
            if len(some[0]) != self._width:
                raise BadFile(f"{str(self._path)!r} has {len(some[0])} columns, not the {self._width} of its manifest")
            yield from some

    def close(self) -> None:
        """Done with it."""
        self._base.close()

    def _trying(self, work: Any) -> Any:
        try:
            return work()
        except sqlite3.Error as wrong:
            raise BadFile(f"cannot use {str(self._path)!r}: {wrong}") from None


class ParquetStore:
    """A Parquet file a chunk, written aside and renamed: `shots-FIRST-LAST.parquet`.

    Raises:
        MissingExtra: pyarrow is not installed.
    """

    def __init__(self, folder: Path, columns: Sequence[Column]) -> None:
        arrow, parquet = _arrow()
        self._folder, self._arrow, self._parquet = folder, arrow, parquet
        kinds = {"number": arrow.float64(), "share": arrow.int8(), "text": arrow.string()}
        fields = [("shot", arrow.int64()), *((c.name, kinds[c.kind]) for c in columns[1:])]
        self._schema = arrow.schema(fields)

    def spans(self) -> list[Span]:
        """What is there, in order."""
        names = (_CHUNK_FILE.fullmatch(path.name) for path in self._folder.iterdir())
        return sorted((int(name[1]), int(name[2]) + 1) for name in names if name is not None)

    def add(self, chunk: Chunk) -> None:
        """Keep a chunk."""
        columns = [list(column) for column in zip(*chunk.rows, strict=True)]
        table = self._arrow.table(columns, schema=self._schema)
        data = BytesIO()
        self._parquet.write_table(table, data)
        write_aside(self._path(chunk.span), data.getvalue())

    def rows(self) -> Iterator[Row]:
        """Everything there, by index."""
        for span in self.spans():
            path = self._path(span)
            try:
                table = self._parquet.ParquetFile(path).read()
            except (OSError, self._arrow.ArrowException) as wrong:
                raise BadFile(f"cannot read {str(path)!r}: {wrong}") from None
            if table.schema.names != self._schema.names:
                raise BadFile(f"{str(path)!r} has other columns than its manifest says")
            yield from zip(*(column.to_pylist() for column in table.columns), strict=True)

    def close(self) -> None:
        """Done with it."""

    def _path(self, span: Span) -> Path:
        return self._folder / f"shots-{span[0]:010d}-{span[1] - 1:010d}.parquet"


class MemoryStore:
    """Keeps nothing beyond this process."""

    def __init__(self) -> None:
        self._chunks: dict[int, Chunk] = {}

    def spans(self) -> list[Span]:
        """What is there, in order."""
        return [chunk.span for _, chunk in sorted(self._chunks.items())]

    def add(self, chunk: Chunk) -> None:
        """Keep a chunk."""
        self._chunks[chunk.first] = chunk

    def rows(self) -> Iterator[Row]:
        """Everything there, by index."""
        for _, chunk in sorted(self._chunks.items()):
            yield from chunk.rows

    def close(self) -> None:
        """Done with it."""


STORES: dict[str, type[SqliteStore] | type[ParquetStore]] = {"sqlite": SqliteStore, "parquet": ParquetStore}
"""The stores there are."""


def check_store(kind: str) -> None:
    """See that there is a store of that kind, and what it needs.

    Raises:
        BadOption: there is none of that kind.
        MissingExtra: it needs something that is not installed.
    """
    if kind not in STORES:
        raise BadOption(f"no store {kind!r}; results are kept in {' or '.join(STORES)}")
    if kind == "parquet":
        _arrow()


def open_store(kind: str, folder: Path, columns: Sequence[Column]) -> Store:
    """The store of that kind in a folder.

    Raises:
        BadOption, MissingExtra: see `check_store`.
        BadFile: it cannot be opened.
    """
    check_store(kind)
    return STORES[kind](folder, columns)


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("Parquet", "lab") from None
    return pyarrow, pyarrow.parquet


def gaps(spans: Iterable[Span], total: int) -> Iterator[Span]:
    """What is not there yet of so many shots."""
    at = 0
    for first, last in sorted(spans):
        if at < first:
            yield (at, min(first, total))
        at = max(at, last)
    if at < total:
        yield (at, total)


def hash_of(columns: Sequence[Column], rows: Iterable[Row]) -> str:
    """SHA-256 over names and rows in order: the same however the shots were divided, made and kept."""
    found = hashlib.sha256(to_json([column.name for column in columns]))
    for row in rows:
        found.update(to_json(row))
    return found.hexdigest()


class Table:
    """Results by column.

    Args:
        columns: what they are. rows: by index.
    """

    def __init__(self, columns: Sequence[Column], rows: Iterable[Row]) -> None:
        self.columns = {column.name: column for column in columns}
        parts = list(zip(*rows, strict=True)) or [()] * len(columns)
        self._arrays: dict[str, npt.NDArray[Any]] = {
            column.name: np.array(part, dtype=object if column.kind == "text" else float)
            for column, part in zip(columns, parts, strict=True)
        }

    def __len__(self) -> int:
        return len(self._arrays["shot"])

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        """A column: floats with NaN where there is no answer; words as objects. [shots]

        Raises:
            KeyError: there is none of that name.
        """
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)
