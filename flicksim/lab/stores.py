"""Store of finished shots: chunk by chunk, each whole or not at all, with its hash.

A folder may come from somebody else: what lies in it is data. Nothing in it is run, nothing beyond it is written, and
shots that are not those that were written are told of before anybody reckons with them.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from sys import float_info
from typing import Annotated, Literal, Protocol, TypeVar

import msgspec

from flicksim.base import tabular
from flicksim.base.codec import Value, fingerprint, to_json, to_json_run
from flicksim.base.errors import BadFile, BadOption, MissingExtra
from flicksim.base.files import reason, write_aside
from flicksim.base.kinds import Kinds, Plain
from flicksim.lab.column import Column
from flicksim.lab.measure import Answer

Row = tuple[Answer, ...]
"""A shot: its index, what varied, what was measured, why it failed."""
T = TypeVar("T")

Span = tuple[int, int]
"""From one index to before another."""

_CHUNK_FILE = re.compile(r"shots-([0-9]{10})-([0-9]{10})\.parquet")
_VALUES = 900
"""Values handed to SQLite at once, which takes rows faster so; it is sure to take 999."""
_AT_ONCE = 4096
"""Rows that are held against their columns together, which is far quicker than one by one."""
JOINT = bytes.fromhex("d9d505f920a163d7")
"""Ending of a journal of SQLite that is one of several, the first of which it names: and that file would be deleted."""


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
        """The spans that are there, in order."""

    def add(self, chunk: Chunk) -> None:
        """Keep a chunk: afterwards it is there to the last shot, or not at all.

        Raises:
            BadFile: it cannot be written.
        """

    def rows(self) -> Iterator[Row]:
        """Everything there, by index.

        Raises:
            BadFile: it cannot be read, or is not what was kept.
        """

    def close(self) -> None:
        """Done with it."""


class SqliteStore:
    """A table `shots` in the file `shots.sqlite`, a transaction a chunk.

    Args:
        columns: called by plain names (see `run.Manifest`).
    """

    def __init__(self, folder: Path, columns: Sequence[Column]) -> None:
        self._path = folder / "shots.sqlite"
        self._width = len(columns)
        kinds = {"number": "REAL", "share": "INTEGER", "text": "TEXT"}
        named = ", ".join(f'"{c.name}" {kinds[c.kind]}' for c in columns[1:])
        tables = [
            f"CREATE TABLE shots (shot INTEGER PRIMARY KEY, {named})",
            "CREATE TABLE chunks (first INTEGER PRIMARY KEY, last INTEGER, hash TEXT)",
        ]
        self._check_files(folder)
        self.base = self._trying(lambda: sqlite3.connect(self._path))
        try:
            self._trying(lambda: self._check_tables(tables))
        except BaseException:
            self.base.close()
            raise

    def _check_files(self, folder: Path) -> None:
        """See that SQLite will write to this folder alone."""
        for path in sorted(folder.glob("shots.sqlite*")):
            if not path.is_file() or path.is_symlink():
                raise BadFile(f"{str(path)!r} is no file of its own; results are kept in their folder")
            if path.name.endswith("-journal") and _end_of(path) == JOINT:
                raise BadFile(f"{str(path)!r} would have SQLite delete another file; flicksim wrote no such journal")

    def _check_tables(self, tables: list[str]) -> None:
        """See that these are the tables there and that nothing happens by itself; make them where none are."""
        asked = "SELECT sql FROM sqlite_master WHERE name IN ('shots', 'chunks') OR type = 'trigger' ORDER BY name DESC"
        found = [sql for (sql,) in self.base.execute(asked)]
        if not found:
            with self.base:
                self.base.execute("BEGIN IMMEDIATE")  # both or none, whenever this is cut short
                for table in tables:
                    self.base.execute(table)
        elif found != tables:
            raise BadFile(f"{str(self._path)!r} holds other tables than its manifest says")

    def spans(self) -> list[Span]:
        """The spans that are there, in order."""
        return [(first, last) for first, last, _ in self._chunks()]

    def _chunks(self) -> list[tuple[int, int, str]]:
        """From, to, and the hash of every chunk."""
        found = self._trying(lambda: self.base.execute("SELECT * FROM chunks ORDER BY first").fetchall())
        try:
            chunks = msgspec.convert(found, list[tuple[int, int, str]])
        except msgspec.ValidationError as wrong:
            raise BadFile(f"{str(self._path)!r} holds a chunk that is none ({wrong})") from None
        for first, last, _ in chunks:
            if not 0 <= first < last:
                raise BadFile(f"{str(self._path)!r} holds a chunk that is none (from shot {first} to before {last})")
        return chunks

    def add(self, chunk: Chunk) -> None:
        """Keep a chunk."""
        row, many = f"({', '.join('?' * self._width)})", max(1, _VALUES // self._width)
        whole = len(chunk.rows) // many * many
        groups = (tuple(chain.from_iterable(chunk.rows[at : at + many])) for at in range(0, whole, many))

        def write() -> None:
            with self.base:
                self.base.executemany(f"INSERT INTO shots VALUES {', '.join([row] * many)}", groups)
                self.base.executemany(f"INSERT INTO shots VALUES {row}", chunk.rows[whole:])
                self.base.execute("INSERT INTO chunks VALUES (?, ?, ?)", (*chunk.span, fingerprint(chunk.rows)))

        self._trying(write)

    def rows(self) -> Iterator[Row]:
        """Everything there, by index."""
        known = 0
        for first, last, kept in self._chunks():
            rows = self._trying(partial(self._between, first, last))
            yield from _as_written(rows, (first, last), kept, self._path)
            known += last - first
        ((there,),) = self._trying(lambda: self.base.execute("SELECT COUNT(*) FROM shots").fetchall())
        if there != known:
            raise BadFile(f"{str(self._path)!r} holds {there} shots, but its chunks have {known}: it has been altered")

    def _between(self, first: int, last: int) -> list[Row]:
        """The shots from the first, up to but without the last."""
        asked = "SELECT * FROM shots WHERE shot >= ? AND shot < ? ORDER BY shot"
        return self.base.execute(asked, (first, last)).fetchall()

    def close(self) -> None:
        """Done with it."""
        self.base.close()

    def _trying(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (sqlite3.Error, OverflowError) as wrong:
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
        """The spans that are there, in order."""
        found = []
        for path in self._folder.iterdir():
            if (name := _CHUNK_FILE.fullmatch(path.name)) is None:
                continue
            if int(name[1]) > int(name[2]):
                raise BadFile(f"{str(path)!r} ends before it begins, by its name: it has been altered")
            found.append((int(name[1]), int(name[2]) + 1))
        return sorted(found)

    def add(self, chunk: Chunk) -> None:
        """Keep a chunk."""
        columns = [list(column) for column in zip(*chunk.rows, strict=True)]
        table = self._arrow.table(columns, schema=self._schema.with_metadata({"hash": fingerprint(chunk.rows)}))
        data = BytesIO()
        self._parquet.write_table(table, data)
        write_aside(self._path(chunk.span), data.getvalue())

    def rows(self) -> Iterator[Row]:
        """Everything there, by index."""
        for span in self.spans():
            path = self._path(span)
            if not path.is_file() or path.is_symlink():
                raise BadFile(f"{str(path)!r} is no file of its own; results are kept in their folder")
            try:
                with self._parquet.ParquetFile(path) as file:
                    schema, many = file.schema_arrow, file.metadata.num_rows
                    if not schema.equals(self._schema) or many != span[1] - span[0]:
                        raise BadFile(f"{str(path)!r} has other columns or shots than its manifest and its name say")
                    table = file.read()
                    rows = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
            except (OSError, ValueError, self._arrow.ArrowException) as wrong:
                why = str(wrong).partition("\n")[0]
                raise BadFile(f"cannot read {str(path)!r}: {why}") from None
            kept = (schema.metadata or {}).get(b"hash", b"").decode(errors="replace")
            yield from _as_written(rows, span, kept, path)

    def close(self) -> None:
        """Done with it."""

    def _path(self, span: Span) -> Path:
        return self._folder / f"shots-{span[0]:010d}-{span[1] - 1:010d}.parquet"


class MemoryStore:
    """Keeps nothing beyond this process."""

    def __init__(self) -> None:
        self._chunks: dict[int, Chunk] = {}

    def spans(self) -> list[Span]:
        """The spans that are there, in order."""
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
        BadFile: it cannot be opened, or is not what was kept.
    """
    check_store(kind)
    return STORES[kind](folder, columns)


def _arrow() -> tuple[Plain, Plain]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("Parquet", "lab") from None
    return pyarrow, pyarrow.parquet


def gaps(spans: Iterable[Span], total: int) -> Iterator[Span]:
    """The spans that are not there yet, of so many shots."""
    at = 0
    for first, last in sorted(spans):
        if at < first:
            yield (at, min(first, total))
        at = max(at, last)
    if at < total:
        yield (at, total)


class Digest:
    """The hash of `hash_of`, taken while chunks come in.

    Attributes:
        failed: how many of the rows are of shots that could not be made.

    Args:
        columns: of the rows.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self._found = _hash_begun(columns)
        self._at = self.failed = 0
        self._early: dict[int, Chunk] = {}

    def add(self, chunk: Chunk) -> None:
        """Go on with a chunk; one that comes before its turn waits for it."""
        self._early[chunk.first] = chunk
        while (due := self._early.pop(self._at, None)) is not None:
            self._found.update(to_json_run(due.rows))
            self.failed += sum(row[-1] is not None for row in due.rows)
            self._at += len(due.rows)

    def over(self, total: int) -> str | None:
        """The hash, once it is over so many shots; None while some are missing."""
        return str(self._found.hexdigest()) if self._at == total else None


def hash_of(columns: Sequence[Column], rows: Iterable[Row]) -> str:
    """SHA-256 over names and rows in order: the same however the shots were divided, made and kept."""
    found = _hash_begun(columns)
    for row in rows:
        found.update(to_json(row))
    return str(found.hexdigest())


def _hash_begun(columns: Sequence[Column]) -> hashlib._Hash:
    return hashlib.sha256(to_json([column.name for column in columns]))


def held(columns: Sequence[Column], rows: Iterable[Row], expected: str | None, folder: Path) -> Iterator[Row]:
    """The rows, each as its columns say; at the end held against the hash over all of them, if there is one.

    Raises:
        BadFile: they are not what was kept.
    """
    found = _hash_begun(columns)
    kind: Kinds = list.__class_getitem__(tuple.__class_getitem__(tuple(_answer(column) for column in columns)))
    at, left = -1, iter(rows)
    while some := list(islice(left, _AT_ONCE)):
        try:
            msgspec.convert(some, kind)
        except msgspec.ValidationError as wrong:
            raise BadFile(f"{str(folder)!r} holds a shot that is none ({wrong})") from None
        for row in some:
            if row[0] <= at:  # type: ignore[operator]
                raise BadFile(f"{str(folder)!r} holds shot {row[0]} twice")
            at = row[0]  # type: ignore[assignment]
        found.update(to_json_run(some))
        yield from some
    if expected is not None and found.hexdigest() != expected:
        raise BadFile(f"{str(folder)!r} holds other shots than those of its hash {expected!r}: they have been altered")


def _answer(column: Column) -> Kinds:
    """The type of a column's values, for msgspec. An axis always has a value; a shot without an answer has none."""
    kind: Kinds = {"number": Annotated[float, msgspec.Meta(ge=-float_info.max, le=float_info.max)],
                 "share": Literal[0, 1], "text": str}[column.kind]  # fmt: skip
    return int if column.role == "index" else kind | None if column.role in ("answer", "failed") else kind


def _end_of(path: Path) -> bytes:
    """The last bytes of a file, as many as `JOINT` has."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - len(JOINT)))
            return file.read()
    except OSError as wrong:
        raise BadFile(f"cannot read {str(path)!r}: {reason(wrong)}") from None


def _as_written(rows: list[Row], span: Span, kept: str, path: Path) -> list[Row]:
    """The rows of a chunk, if they are those that were written.

    Raises:
        BadFile: they are not.
    """
    whole = len(rows) == span[1] - span[0] and all(row[0] == k for k, row in enumerate(rows, span[0]))
    if not whole or fingerprint(rows) != kept:
        raise BadFile(f"{str(path)!r}: shots {span[0]} to {span[1] - 1} are not as they were made: altered, or cut")
    return rows


class Table(tabular.Table[Column]):
    """Results by column: shots in the order of their index, what varied, what was measured, why a shot failed."""
