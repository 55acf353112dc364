"""Results store in SQLite or Parquet: atomic chunks of rows with SHA-256 hashes.

A folder may come from an untrusted source: nothing in it is run, nothing outside it is written, and altered rows raise
an error when they are read.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from sys import float_info
from typing import Annotated, Literal, TypeVar

import msgspec

from flicksim.core import results_table
from flicksim.core.atomic_files import os_error_message, write_atomic
from flicksim.core.errors import FileInaccessible, FileLocked, InvalidFile, InvalidOption, MissingExtra
from flicksim.core.serialization import Value, fingerprint, fingerprint_of_lines, plain_message, to_json, to_json_lines
from flicksim.core.type_aliases import ActionTypes, JsonValue
from flicksim.experiments.measure import MeasuredValue
from flicksim.experiments.result_columns import Column

Row = tuple[MeasuredValue, ...]
"""A shot: index, parameters, measures, error."""
T = TypeVar("T")

Span = tuple[int, int]
"""From one index to before another."""

_CHUNK_FILE = re.compile(r"shots-([0-9]{10})-([0-9]{10})\.parquet")
_MAX_SQL_VALUES = 900
"""Values of one INSERT; every build of SQLite accepts 999."""
_BUSY_CODES = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_SYSTEM_CODES = (
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN,
)  # fmt: skip
"""Errors of SQLite where a file is locked, and where the system does not let it be used."""
_BATCH_ROWS = 4096
"""Rows validated and hashed at once, which is far faster than one by one."""
MASTER_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
"""End of a journal that names a master journal: SQLite would delete that file."""


class Chunk(Value, frozen=True, kw_only=True):
    """Rows of consecutive shots, and their canonical JSON, a line each: it is hashed for the chunk and for the run."""

    first: int
    rows: tuple[Row, ...]
    lines: bytes

    @property
    def span(self) -> Span:
        """Its span of indices."""
        return (self.first, self.first + len(self.rows))


class SqliteStore:
    """A table `shots` in the file `shots.sqlite`, a transaction a chunk.

    Args:
        columns: with plain names (see `run.Manifest`). create: make the file where there is none.
    """

    def __init__(self, folder: Path, columns: Sequence[Column], *, create: bool = False) -> None:
        self._path = folder / "shots.sqlite"
        self._width = len(columns)
        kinds = {"number": "REAL", "boolean": "INTEGER", "text": "TEXT"}
        declarations = ", ".join(f'"{c.name}" {kinds[c.kind]}' for c in columns[1:])
        tables = [
            f"CREATE TABLE shots (shot INTEGER PRIMARY KEY, {declarations})",
            "CREATE TABLE chunks (first INTEGER PRIMARY KEY, last INTEGER, hash TEXT)",
        ]
        self._check_files(folder)
        is_made = create or (self._path.exists() and self._path.stat().st_size)  # an empty one is a run cut at once
        self.connection = self._guarded(lambda: sqlite3.connect(self._path if is_made else ":memory:"))
        try:
            self._guarded(lambda: self._check_tables(tables))
        except BaseException:
            self.connection.close()
            raise

    def _check_files(self, folder: Path) -> None:
        """Check that SQLite will write to this folder alone."""
        for path in sorted(folder.glob("shots.sqlite*")):
            _check_regular_file(path)
            if path.name.endswith("-journal") and _last_bytes(path) == MASTER_JOURNAL_MAGIC:
                raise InvalidFile(
                    f"{str(path)!r} would have SQLite delete another file; flicksim wrote no such journal"
                )

    def _check_tables(self, tables: list[str]) -> None:
        """Create the tables, or check that exactly these exist and no trigger does."""
        query = "SELECT sql FROM sqlite_master WHERE name IN ('shots', 'chunks') OR type = 'trigger' ORDER BY name DESC"
        existing = [sql for (sql,) in self.connection.execute(query)]
        if not existing:
            with self.connection:
                self.connection.execute("BEGIN IMMEDIATE")  # both or none
                for table in tables:
                    self.connection.execute(table)
        elif existing != tables:
            raise InvalidFile(f"{str(self._path)!r} holds other tables than its manifest says")

    def spans(self) -> list[Span]:
        """Stored spans in order."""
        return [(first, last) for first, last, _ in self._chunks()]

    def _chunks(self) -> list[tuple[int, int, str]]:
        """Span and hash of every chunk."""
        try:
            chunks = msgspec.convert(self._query("SELECT * FROM chunks ORDER BY first"), list[tuple[int, int, str]])
        except msgspec.ValidationError as error:
            raise InvalidFile(f"{str(self._path)!r} holds an invalid chunk ({plain_message(str(error))})") from None
        for first, last, _ in chunks:
            if not 0 <= first < last:
                raise InvalidFile(f"{str(self._path)!r} holds an invalid chunk (from shot {first} to before {last})")
        return chunks

    def add(self, chunk: Chunk) -> None:
        """Store a chunk atomically.

        Raises:
            InvalidFile: it cannot be written.
        """
        placeholders, group_size = f"({', '.join('?' * self._width)})", max(1, _MAX_SQL_VALUES // self._width)
        grouped = len(chunk.rows) // group_size * group_size
        groups = (tuple(chain.from_iterable(chunk.rows[at : at + group_size])) for at in range(0, grouped, group_size))

        def write() -> None:
            with self.connection:
                self.connection.executemany(
                    f"INSERT INTO shots VALUES {', '.join([placeholders] * group_size)}", groups
                )
                self.connection.executemany(f"INSERT INTO shots VALUES {placeholders}", chunk.rows[grouped:])
                stored_hash = fingerprint_of_lines(chunk.lines)
                self.connection.execute("INSERT INTO chunks VALUES (?, ?, ?)", (*chunk.span, stored_hash))

        self._guarded(write)

    def rows(self) -> Iterator[Row]:
        """Yield all rows by index.

        Raises:
            InvalidFile: it cannot be read, or was altered.
        """
        total = 0
        for first, last, stored_hash in self._chunks():
            rows = self._query("SELECT * FROM shots WHERE shot >= ? AND shot < ? ORDER BY shot", first, last)
            yield from _verified_chunk(rows, (first, last), stored_hash, self._path)
            total += last - first
        ((count,),) = self._query("SELECT COUNT(*) FROM shots")
        if count != total:
            raise InvalidFile(
                f"{str(self._path)!r} holds {count} shots, but its chunks have {total}: it has been altered"
            )

    def _query(self, text: str, *values: int) -> list[Row]:
        return self._guarded(lambda: self.connection.execute(text, values).fetchall())

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (sqlite3.Error, OverflowError) as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # of the extended one
            if code in _BUSY_CODES:
                in_use = f"{str(self._path)!r} is in use by another program ({error})"
                raise FileLocked(f"{in_use}; close it there, or wait until it is done") from None
            kind = FileInaccessible if code in _SYSTEM_CODES else InvalidFile
            raise kind(f"cannot use {str(self._path)!r}: {error}") from None


class ParquetStore:
    """A Parquet file a chunk, written aside and renamed: `shots-FIRST-LAST.parquet`; its methods are those of
    `SqliteStore`.

    Raises:
        MissingExtra: pyarrow is not installed.
    """

    def __init__(self, folder: Path, columns: Sequence[Column], *, create: bool = False) -> None:
        del create  # each chunk is a file
        arrow, parquet = _arrow()
        self._folder, self._arrow, self._parquet = folder, arrow, parquet
        kinds = {"number": arrow.float64(), "boolean": arrow.int8(), "text": arrow.string()}
        fields = [("shot", arrow.int64()), *((c.name, kinds[c.kind]) for c in columns[1:])]
        self._schema = arrow.schema(fields)

    def spans(self) -> list[Span]:
        spans = []
        for path in self._folder.iterdir():
            if (match := _CHUNK_FILE.fullmatch(path.name)) is None:
                continue
            if int(match[1]) > int(match[2]):
                raise InvalidFile(f"{str(path)!r} ends before it begins, by its name: it has been altered")
            spans.append((int(match[1]), int(match[2]) + 1))
        return sorted(spans)

    def add(self, chunk: Chunk) -> None:
        columns = [list(column) for column in zip(*chunk.rows, strict=True)]
        schema = self._schema.with_metadata({"hash": fingerprint_of_lines(chunk.lines)})
        table = self._arrow.table(columns, schema=schema)
        data = BytesIO()
        self._parquet.write_table(table, data)
        write_atomic(self._path(chunk.span), data.getvalue())

    def rows(self) -> Iterator[Row]:
        for span in self.spans():
            path = self._path(span)
            _check_regular_file(path)
            try:
                with self._parquet.ParquetFile(path) as file:
                    schema, count = file.schema_arrow, file.metadata.num_rows
                    if not schema.equals(self._schema) or count != span[1] - span[0]:
                        raise InvalidFile(
                            f"{str(path)!r} has other columns or shots than its manifest and its name say"
                        )
                    table = file.read()
                    rows = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
            except (OSError, ValueError, self._arrow.ArrowException) as error:
                reason = str(error).partition("\n")[0]
                kind = FileInaccessible if getattr(error, "errno", None) else InvalidFile  # pyarrow's have none
                raise kind(f"cannot read {str(path)!r}: {reason}") from None
            stored_hash = (schema.metadata or {}).get(b"hash", b"").decode(errors="replace")
            yield from _verified_chunk(rows, span, stored_hash, path)

    def close(self) -> None:
        """Do nothing: no file is held open."""

    def _path(self, span: Span) -> Path:
        return self._folder / f"shots-{span[0]:010d}-{span[1] - 1:010d}.parquet"


Store = SqliteStore | ParquetStore
STORES: dict[str, type[Store]] = {"sqlite": SqliteStore, "parquet": ParquetStore}
"""Stores by name."""


def check_store(kind: str) -> None:
    """Check that a store of that kind exists and its packages are installed.

    Raises:
        InvalidOption: there is no such store.
        MissingExtra: a package it needs is not installed.
    """
    if kind not in tuple(STORES):  # it may be of any type
        raise InvalidOption(f"no store {kind!r}; results are kept in {' or '.join(STORES)}")
    if kind == "parquet":
        _arrow()


def open_store(kind: str, folder: Path, columns: Sequence[Column], *, create: bool = False) -> Store:
    """Open the store of that kind in a folder; to be read, unless `create`.

    Raises:
        InvalidOption, MissingExtra: see `check_store`.
        InvalidFile: it cannot be opened, or was altered.
    """
    check_store(kind)
    return STORES[kind](folder, columns, create=create)


def _arrow() -> tuple[JsonValue, JsonValue]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("Parquet", "lab") from None
    return pyarrow, pyarrow.parquet


def missing_spans(spans: Iterable[Span], total: int) -> Iterator[Span]:
    """Yield the missing spans of `total` shots."""
    position = 0
    for first, last in sorted(spans):
        if position < first:
            yield (position, min(first, total))
        position = max(position, last)
    if position < total:
        yield (position, total)


class ResultsHash:
    """SHA-256 over column names and rows in order, from chunks in any order; independent of chunks, workers and store.

    Attributes:
        failed: number of rows of failed shots.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self._hash = hashlib.sha256(to_json([column.name for column in columns]))
        self._next_index = self.failed = 0
        self._pending: dict[int, Chunk] = {}

    def add(self, chunk: Chunk) -> None:
        """Add a chunk; it is hashed once all before it have been."""
        self._pending[chunk.first] = chunk
        while (next_chunk := self._pending.pop(self._next_index, None)) is not None:
            self._update(next_chunk.rows, next_chunk.lines)

    def update(self, rows: Sequence[Row]) -> None:
        """Add the next rows."""
        self._update(rows, to_json_lines(rows))

    def _update(self, rows: Sequence[Row], lines: bytes) -> None:
        self._hash.update(lines.replace(b"\n", b""))
        self.failed += len(rows) - [row[-1] for row in rows].count(None)
        self._next_index += len(rows)

    def hexdigest(self, total: int | None = None) -> str | None:
        """Hash over `total` shots, by default those added; None while some are missing."""
        return str(self._hash.hexdigest()) if total in (None, self._next_index) else None


def batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield rows in lists that are handled at once."""
    remaining = iter(rows)
    while batch := list(islice(remaining, _BATCH_ROWS)):
        yield batch


def verified_rows(columns: Sequence[Column], rows: Iterable[Row], expected: str | None, folder: Path) -> Iterator[Row]:
    """Yield rows after checking their types; at the end compare the hash, if there is one.

    Raises:
        InvalidFile: they were altered.
    """
    digest, last_index = ResultsHash(columns), -1
    row_type: ActionTypes = tuple.__class_getitem__(tuple(_value_type(column) for column in columns))
    for batch in batches(rows):
        try:
            msgspec.convert(batch, list.__class_getitem__(row_type))
        except msgspec.ValidationError as error:
            raise InvalidFile(f"{str(folder)!r} holds an invalid shot ({plain_message(str(error))})") from None
        for row in batch:
            if row[0] <= last_index:  # type: ignore[operator]
                raise InvalidFile(f"{str(folder)!r} holds shot {row[0]} twice")
            last_index = row[0]  # type: ignore[assignment]
        digest.update(batch)
        yield from batch
    if expected is not None and digest.hexdigest() != expected:
        raise InvalidFile(
            f"{str(folder)!r} holds other shots than those of its hash {expected!r}: they have been altered"
        )


def _value_type(column: Column) -> ActionTypes:
    """Type of the values of a column, for msgspec; measures may be missing."""
    kind: ActionTypes = {"number": Annotated[float, msgspec.Meta(ge=-float_info.max, le=float_info.max)],
                 "boolean": Literal[0, 1], "text": str}[column.kind]  # fmt: skip
    return int if column.role == "index" else kind | None if column.role in ("measure", "error") else kind


def _check_regular_file(path: Path) -> None:
    if not path.is_file() or path.is_symlink():
        raise InvalidFile(f"{str(path)!r} is no regular file; results are stored in their folder")


def _last_bytes(path: Path) -> bytes:
    """Last bytes of a file, as many as `MASTER_JOURNAL_MAGIC` has."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - len(MASTER_JOURNAL_MAGIC)))
            return file.read()
    except OSError as error:
        raise FileInaccessible(f"cannot read {str(path)!r}: {os_error_message(error)}") from None


def _verified_chunk(rows: list[Row], span: Span, expected_hash: str, path: Path) -> list[Row]:
    """Check the rows of a chunk against its hash.

    Raises:
        InvalidFile: they do not match.
    """
    is_complete = len(rows) == span[1] - span[0] and all(row[0] == k for k, row in enumerate(rows, span[0]))
    if not is_complete or fingerprint(rows) != expected_hash:
        raise InvalidFile(f"{str(path)!r}: shots {span[0]} to {span[1] - 1} do not match their hash: altered, or cut")
    return rows


class Table(results_table.ResultsTable[Column]):
    """Results by column: index of the shot, parameters, measures, error."""
