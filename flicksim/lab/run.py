"""An experiment carried out: chunks of shots given to workers, kept as they come, gone on with after any stop."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from time import gmtime, perf_counter, strftime
from typing import Annotated

import msgspec

from flicksim.base.bounds import NAME, NUMBER, Name, bounded
from flicksim.base.codec import Value, fingerprint, from_json, read_notation, to_json
from flicksim.base.errors import BadFile, BadInput
from flicksim.base.files import reason, write_aside
from flicksim.base.kinds import Plain
from flicksim.base.lock import Lock
from flicksim.base.machine import machine
from flicksim.base.version import __version__
from flicksim.lab.column import Column, axes_of, varied
from flicksim.lab.experiment import MOST, Experiment
from flicksim.lab.shooter import Shooter
from flicksim.lab.stores import (
    Chunk,
    Digest,
    MemoryStore,
    Row,
    Span,
    Store,
    Table,
    check_store,
    gaps,
    hash_of,
    held,
    open_store,
)
from flicksim.play import safe_point, share_out

MANIFEST = "manifest.json"
_PASSED_OVER = (".DS_Store", ".lock")
"""Names of files that a folder may hold and yet count as empty."""

_PLAIN = re.compile(r"\w+")
_ENDS = (("shot", "number", "index"), ("failed", "text", "failed"))
_TOLD_EVERY = 10.0
"""Time between two writings of the manifest [s]; a power cut leaves it so far behind."""
_CHUNK_SECONDS = 1.0
_CHUNK = (20, 200_000)
"""Fewest and most shots in a chunk, so that it takes about a second."""


Count = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
"""Number of something."""


class Manifest(Value, frozen=True, kw_only=True):
    """The manifest of a folder of results: what it holds, and how it came about.

    Args:
        flicksim: version. identity: fingerprint of the experiment but for its number of shots. columns: of the table.
        options: how it was run last; `one_by_one` is the reason where shots were not made many at once.
        seed: of all chance. machine, cores: where it was run last.
        begun: when first, UTC. seconds: all runs together. shots: asked for; done: there; failed: could not be made.
        hash: over all rows, once all are there.
    """

    flicksim: Name
    identity: Name
    experiment: Experiment
    columns: tuple[Column, ...]
    options: dict[str, Plain]
    seed: int
    machine: Name
    cores: Count
    begun: Name
    seconds: Annotated[float, msgspec.Meta(ge=0.0, le=NUMBER)] = 0.0
    shots: Count
    done: Count = 0
    failed: Count = 0
    hash: Name | None = None

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        if strange := [name for name in names if not _PLAIN.fullmatch(name)]:
            raise ValueError(f"column {strange[0]!r} must be called by letters, digits and underscores")
        if len(set(names)) < len(names):
            raise ValueError(f"columns {names!r} have a name twice")
        roles = [column.role for column in self.columns]
        ends = [(c.name, c.kind, c.role) for c in (*self.columns[:1], *self.columns[-1:])]
        if ends != list(_ENDS) or roles.count("index") + roles.count("failed") > 2:
            raise ValueError(f"columns {bounded(repr(names))} must begin with 'shot' and end with 'failed'")
        asked = self.experiment
        for name, given, meant in (("seed", self.seed, asked.seed), ("shots", self.shots, asked.shots)):
            if given != meant:
                raise ValueError(f"{name} {given} contradicts its experiment, which has {meant}")
        if not self.failed <= self.done <= self.shots or (self.hash is not None and self.done < self.shots):
            whole = " and a hash over all" if self.hash is not None else ""
            raise ValueError(
                f"done {self.done} and failed {self.failed} contradict each other, or shots {self.shots}{whole}"
            )
        _check_columns(self.columns, asked)


def _check_columns(columns: Sequence[Column], asked: Experiment) -> None:
    """See that an experiment gives such columns; nothing of it is run, so what its own functions answer is believed.

    Raises:
        ValueError: it gives others.
    """
    meant: list[tuple[str, str, tuple[str, str] | None]] = [
        (one.name, one.role, (one.kind, one.unit))
        for one in varied(axes_of({name: getattr(asked, name) for name in asked.__struct_fields__}))
    ]
    meant += [(name, "answer", measure.holds) for measure in asked.measures for name in measure.columns]
    inner = columns[1:-1]
    if len(inner) != len(meant):
        raise ValueError(f"there are {len(columns)} columns; this experiment gives {len(meant) + 2}")
    for one, (name, role, holds) in zip(inner, meant, strict=True):
        found, wanted = [one.name, one.role], [name, role]
        if holds is not None:
            found, wanted = [*found, one.kind, one.unit], [*wanted, *holds]
        if found != wanted:
            raise ValueError(f"column {found} contradicts the experiment, which gives {wanted}")


_NEW = "choose a new or empty folder"
_KEPT = "name a folder one was kept in, by --out in the shell, by lab.Run in Python"


def identity_of(experiment: Experiment) -> str:
    """The marks that tell an experiment apart. Asking for more shots does not change those there are."""
    return fingerprint(msgspec.structs.replace(experiment, shots=1))


def read_manifest(folder: Path, *, cure: str = _NEW) -> Manifest | None:
    """The manifest of a folder; None where nothing is.

    Args:
        cure: what would be right where it holds something else.

    Raises:
        BadFile: it holds something else, or an unreadable manifest.
    """
    path = folder / MANIFEST
    try:
        if not folder.exists():
            return None
        if not path.exists():
            stranger = next((one.name for one in sorted(folder.iterdir()) if one.name not in _PASSED_OVER), None)
            if stranger is None:
                return None
            raise BadFile(f"{str(folder)!r} holds {stranger!r} and no experiment; {cure}")
    except OSError as wrong:
        raise BadFile(f"cannot use {str(folder)!r}: {reason(wrong)}") from None
    try:
        found = from_json(read_notation(path), Manifest, name=str(path))
    except BadInput as wrong:
        raise BadFile(str(wrong)) from None
    if found.identity != identity_of(found.experiment):
        raise BadFile(f"{str(path)!r} tells of another experiment than that of {found.identity!r}: it has been altered")
    return found


class Run:
    """An experiment and the folder its shots go to. Iterate over it to carry it out: it tells how many are there.

    Args:
        folder: for the results; new or empty, unless `resume`.
        shots: how many instead of the experiment's own number; on resuming also instead of the number asked before.
        jobs: workers. executor: where they work; processes of this machine unless given (see `play.workers.share_out`).
        store: "sqlite" or "parquet"; on resuming it is as before. chunk: shots handed to a worker at once.
        resume: go on with what the folder holds.
        trust: run functions that the experiment names as measures. beside: where their modules are looked for then.

    Raises:
        BadInput: the experiment cannot be.
        InUse: another process writes there.
        BadFile: the folder holds something else, or cannot be written.
    """

    def __init__(
        self,
        experiment: Experiment,
        folder: Path,
        *,
        shots: int | None = None,
        jobs: int = 1,
        executor: Executor | None = None,
        store: str = "sqlite",
        chunk: int | None = None,
        resume: bool = False,
        trust: bool = False,
        beside: Path | None = None,
    ) -> None:
        self._lock = Lock(folder) if folder.is_dir() else None
        try:
            self._open(experiment, folder, shots, jobs, executor, store, chunk, resume, trust, beside)
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Let others write there."""
        if self._lock is not None:
            self._lock.release()

    def _open(
        self, experiment: Experiment, folder: Path, shots: int | None, jobs: int, executor: Executor | None, store: str,
        chunk: int | None, resume: bool, trust: bool, beside: Path | None,
    ) -> None:  # fmt: skip
        """See that it can be carried out there, and begin the folder."""
        before = _found(folder)
        self._claim(before, folder, experiment, resume)
        said = shots is not None
        if before is not None and shots is None and before.options.get("shots_said", True):
            shots, said = before.shots, True  # what was said on the command line goes before what the file says
        if shots is not None:
            experiment = _asking(experiment, shots)
        if before is not None and before.done > experiment.shots:
            raise BadInput(f"{str(folder)!r} holds {before.done} shots already; {experiment.shots} are fewer")
        self.folder, self.total = folder, experiment.shots
        self._jobs, self._executor = jobs, executor
        self._work = _work(experiment, trust, beside)
        shooter = _ready(*self._work)
        self.chunk = chunk or _chunk(shooter.tried())
        if before is not None:
            store = str(before.options.get("store"))
        check_store(store)
        if before is not None:
            if before.columns != shooter.columns:
                raise BadFile(f"{str(folder)!r} says it has other columns than this experiment: it has been altered")
            _check(before, folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as wrong:
            raise BadFile(f"cannot make {str(folder)!r}: {reason(wrong)}") from None
        if self._lock is None:
            self._lock = Lock(folder)
            if _found(folder) is not None:
                raise BadFile(f"another process has just begun to fill {str(folder)!r}; choose another folder")
        where = "here" if executor is None else type(executor).__name__
        self.manifest = Manifest(
            flicksim=__version__, identity=identity_of(experiment), experiment=experiment, columns=shooter.columns,
            options={"shots_said": said, "jobs": jobs, "executor": where, "store": store, "chunk": self.chunk,
                "one_by_one": shooter.one_by_one or None,
            },
            seed=experiment.seed, machine=bounded(machine(), NAME), cores=os.cpu_count() or 1,
            begun=before.begun if before is not None else strftime("%Y-%m-%dT%H:%M:%SZ", gmtime()),
            seconds=before.seconds if before is not None else 0.0, shots=experiment.shots,
        )  # fmt: skip
        self._save()
        self.store = open_store(store, folder, shooter.columns)
        self.done = sum(last - first for first, last in self.store.spans())
        # of what was kept before, the hash is taken at the end
        self._digest = Digest(shooter.columns) if self.done == 0 else None

    @staticmethod
    def _claim(before: Manifest | None, folder: Path, experiment: Experiment, resume: bool) -> None:
        if before is None:
            return
        if before.identity != identity_of(experiment):
            title = before.experiment.title
            raise BadFile(f"{str(folder)!r} holds another experiment ({title!r}); choose another folder")
        if before.flicksim != __version__:
            raise BadFile(f"{str(folder)!r} was begun by flicksim {before.flicksim}; this is {__version__}, begin anew")
        if not resume:
            held = f"holds {before.done} of {before.shots} shots of this experiment"
            raise BadFile(f"{str(folder)!r} {held}; resume it (--resume in the shell), or choose another folder")

    def __iter__(self) -> Iterator[int]:
        """The number of shots that are there, from time to time, until all are.

        Raises:
            KeyboardInterrupt: Ctrl-C; every finished chunk is kept.
            WorkersLost: workers are gone. BadFile: a chunk cannot be kept. What was kept before stays.
        """
        begin = perf_counter()
        spent = self.manifest.seconds
        chunks = share_out(shoot, self._tasks(), jobs=self._jobs, executor=self._executor)
        try:
            told = begin
            for chunk in chunks:
                self.store.add(chunk)
                if self._digest is not None:
                    self._digest.add(chunk)
                self.done += len(chunk.rows)
                if perf_counter() - told > _TOLD_EVERY:
                    told = perf_counter()
                    self._save(done=self.done, seconds=round(spent + told - begin, 3))
                yield self.done
            self._finish()
        except BaseException:
            with suppress(BadFile):  # what went wrong first is what is told
                self._save(done=self.done, seconds=round(spent + perf_counter() - begin, 3))
            raise
        else:
            self._save(seconds=round(spent + perf_counter() - begin, 3))
        finally:
            chunks.close()  # type: ignore[attr-defined]
            self.store.close()
            self.release()

    def _tasks(self) -> Iterator[tuple[bytes, str, bool, int, int]]:
        for first, last in list(gaps(self.store.spans(), self.total)):
            for at in range(first, last, self.chunk):
                yield (*self._work, at, min(at + self.chunk, last))

    def _finish(self) -> None:
        if self._digest is not None and (whole := self._digest.over(self.total)) is not None:
            self._save(hash=whole, done=self.done, failed=self._digest.failed)
            return
        failed = 0

        def counted() -> Iterator[Row]:
            nonlocal failed
            for row in self.store.rows():
                failed += row[-1] is not None
                yield row

        found = hash_of(self.manifest.columns, counted())
        self._save(hash=found, done=self.done, failed=failed)

    def _save(self, **news: object) -> None:
        self.manifest = msgspec.structs.replace(self.manifest, **news)
        text = msgspec.json.format(to_json(self.manifest), indent=1)
        write_aside(self.folder / MANIFEST, text + b"\n")


def _found(folder: Path, *, cure: str = _NEW) -> Manifest | None:
    """The manifest of a folder, with the shots that are really there: after a power cut the manifest knows of fewer."""
    manifest = read_manifest(folder, cure=cure)
    if manifest is None:
        return None
    store = open_store(str(manifest.options.get("store")), folder, manifest.columns)
    try:
        spans = store.spans()
    finally:
        store.close()
    if spans and spans[-1][1] > manifest.shots:
        far = f"holds shot {spans[-1][1] - 1}, but was asked for {manifest.shots}"
        raise BadFile(f"{str(folder)!r} {far}: it has been altered")
    for (_, end), (first, _) in pairwise(spans):
        if first < end:
            raise BadFile(f"{str(folder)!r} holds shot {first} twice: it has been altered")
    there = sum(last - first for first, last in spans)
    if there < manifest.done:
        lost = f"says that {manifest.done} shots are there, and holds {there}"
        raise BadFile(f"{str(folder)!r} {lost}: it has been altered, or cut")
    return msgspec.structs.replace(manifest, done=there)


def _asking(experiment: Experiment, shots: int) -> Experiment:
    try:
        found = msgspec.structs.replace(experiment, shots=shots)
        found.__post_init__()
    except ValueError as wrong:
        raise BadInput(str(wrong)) from None
    return found


def _chunk(seconds: float) -> int:
    low, high = _CHUNK
    return max(low, min(high, round(_CHUNK_SECONDS / seconds)))


def _work(experiment: Experiment, trust: bool, beside: Path | None = None) -> tuple[bytes, str, bool]:
    """The words to a worker: the experiment, where modules may lie beside it, whether its own functions may run."""
    own = [measure for measure in experiment.measures if measure.own]
    trust = bool(own) and (trust or all(measure.handed for measure in own))
    return (to_json(experiment), str(beside.resolve()) if trust and beside is not None else "", trust)


@lru_cache(maxsize=8)
def _ready(experiment: bytes, beside: str, trust: bool) -> Shooter:
    """A worker keeps what it has made ready once."""
    if beside and beside not in sys.path:
        sys.path.append(beside)
    return Shooter(from_json(experiment, Experiment, name="experiment"), trust=trust)


def shoot(experiment: bytes, beside: str, trust: bool, first: int, last: int) -> Chunk:
    """The shots from one index to before another: what a worker does."""
    shooter = _ready(experiment, beside, trust)
    rows: list[Row] = []
    for some in shooter.some(first, last):
        safe_point()
        rows += some
    return Chunk(first=first, rows=tuple(rows))


def ask(
    experiment: Experiment, executor: Executor | None = None, *, shots: int | None = None, jobs: int = 1,
    trust: bool = False,
) -> Table:  # fmt: skip
    """The answer in memory, for small questions (see `Run`).

    Raises:
        BadInput: the experiment cannot be.
    """
    if shots is not None:
        experiment = _asking(experiment, shots)
    work = _work(experiment, trust)
    shooter = _ready(*work)
    size = _chunk(shooter.tried())
    store: Store = MemoryStore()
    tasks = ((*work, at, min(at + size, experiment.shots)) for at in range(0, experiment.shots, size))
    for chunk in share_out(shoot, tasks, jobs=jobs, executor=executor):
        store.add(chunk)
    return Table(shooter.columns, store.rows())


def _check(manifest: Manifest, folder: Path) -> None:
    """See that a folder holds what was kept in it.

    Raises:
        BadFile: it does not.
    """
    for _ in _kept(manifest, folder):
        pass


def _kept(manifest: Manifest, folder: Path) -> Iterator[Row]:
    """The shots kept in a folder, by index.

    Raises:
        BadFile: it is something else.
    """
    store = open_store(str(manifest.options.get("store")), folder, manifest.columns)
    failed = 0
    try:
        for row in held(manifest.columns, store.rows(), manifest.hash, folder):
            failed += row[-1] is not None
            yield row
    finally:
        store.close()
    if manifest.hash is not None and failed != manifest.failed:
        raise BadFile(f"{str(folder)!r} says that {manifest.failed} shots failed; {failed} did: it has been altered")


def read_results(folder: Path) -> tuple[Manifest, Table]:
    """The results in a folder. It may come from somebody else: it is read, and nothing in it is run.

    Raises:
        BadFile: there is no experiment in it, or it is not what was kept.
    """
    manifest = _found(folder, cure=_KEPT)
    if manifest is None:
        raise BadFile(f"{str(folder)!r} holds no experiment; {_KEPT}")
    return manifest, Table(manifest.columns, _kept(manifest, folder))


__all__ = ["Chunk", "Manifest", "Run", "Span", "ask", "identity_of", "read_manifest", "read_results", "shoot"]
