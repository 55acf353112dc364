"""Runs of an experiment: parallel over chunks of shots, with a manifest, resumable after any interruption."""

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

from flicksim.core.atomic_files import os_error_message, write_atomic
from flicksim.core.errors import InvalidFile, InvalidInput
from flicksim.core.file_lock import FileLock
from flicksim.core.limits import MAX_NAME_LENGTH, MAX_NUMBER, Name, truncate_middle
from flicksim.core.platform_info import platform_tag
from flicksim.core.serialization import Value, fingerprint, from_builtins, from_json, read_document, to_json
from flicksim.core.type_aliases import JsonValue
from flicksim.core.version import __version__
from flicksim.experiments.experiment import MAX_SHOTS, Experiment, ReferenceValue
from flicksim.experiments.old_words import (
    ERROR_COLUMN,
    has_old_names,
    is_old_manifest,
    old_identity,
    rename_manifest,
)
from flicksim.experiments.result_columns import Column, axis_columns, iter_axes
from flicksim.experiments.results_store import (
    Chunk,
    MemoryStore,
    ResultsHash,
    Row,
    Span,
    Store,
    Table,
    check_store,
    hash_of,
    missing_spans,
    open_store,
    verified_rows,
)
from flicksim.experiments.shot_sampler import ShotSampler
from flicksim.match import check_interrupt, map_unordered

MANIFEST = "manifest.json"
_IGNORED_FILES = (".DS_Store", ".lock")
"""Files that an empty folder may hold."""

_COLUMN_NAME = re.compile(r"\w+")
_FIRST_COLUMN = ("shot", "number", "index")
_LAST_COLUMNS = (("error", "text", "error"), (ERROR_COLUMN, "text", "error"))
_RESUMABLE_VERSIONS = ("0.1.0", __version__)
"""Versions that give the same values, and whose folders are resumed."""
_SAVE_INTERVAL = 10.0
"""Time between two writes of the manifest [s]."""
_CHUNK_SECONDS = 1.0
_CHUNK_RANGE = (20, 200_000)
"""Fewest and most shots in a chunk, so that it takes about a second."""


Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_SHOTS)]
"""Number of something."""


class Manifest(Value, frozen=True, kw_only=True):
    """Manifest of a results folder: experiment, columns, provenance and state of the run.

    Args:
        flicksim: version. identity: fingerprint of the experiment but for its number of shots. columns: of the table.
        options: how it was run last; `why_not_batched` is the reason where shots were not made many at once.
        seed: of all chance. machine, cores: where it was run last.
        begun: when first, UTC. seconds: all runs together. shots: asked for; done: there; failed: could not be made.
        hash: over all rows, once all are there.
    """

    flicksim: Name
    identity: Name
    experiment: Experiment
    columns: tuple[Column, ...]
    options: dict[str, JsonValue]
    seed: int
    machine: Name
    cores: Count
    begun: Name
    seconds: Annotated[float, msgspec.Meta(ge=0.0, le=MAX_NUMBER)] = 0.0
    shots: Count
    done: Count = 0
    failed: Count = 0
    hash: Name | None = None

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        if strange := [name for name in names if not _COLUMN_NAME.fullmatch(name)]:
            raise ValueError(f"column {strange[0]!r} must be called by letters, digits and underscores")
        if len(set(names)) < len(names):
            raise ValueError(f"columns {names!r} have a name twice")
        roles = [column.role for column in self.columns]
        ends = [(c.name, c.kind, c.role) for c in (*self.columns[:1], *self.columns[-1:])]
        is_framed = len(ends) == 2 and ends[0] == _FIRST_COLUMN and ends[1] in _LAST_COLUMNS
        if not is_framed or roles.count("index") + roles.count("error") > 2:
            raise ValueError(f"columns {truncate_middle(repr(names))} must begin with 'shot' and end with 'error'")
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


def _check_columns(columns: Sequence[Column], experiment: Experiment) -> None:
    """Check columns against their experiment; the kinds of user-defined measures are not checked, as nothing is run.

    Raises:
        ValueError: it gives others.
    """
    old_names = has_old_names(columns)
    axes = iter_axes({name: getattr(experiment, name) for name in experiment.__struct_fields__})
    meant: list[tuple[str, str, tuple[str, str] | None]] = [
        (one.name, one.role, (one.kind, one.unit)) for one in axis_columns(axes, old_names=old_names)
    ]
    meant += [
        (name, "measure", measure.kind_and_unit)
        for measure in experiment.measures
        for name in (measure.old_columns if old_names else measure.columns)
    ]
    inner = columns[1:-1]
    if len(inner) != len(meant):
        raise ValueError(f"there are {len(columns)} columns; this experiment gives {len(meant) + 2}")
    for one, (name, role, holds) in zip(inner, meant, strict=True):
        found, wanted = [one.name, one.role], [name, role]
        if holds is not None:
            found, wanted = [*found, one.kind, one.unit], [*wanted, *holds]
        if found != wanted:
            raise ValueError(f"column {found} contradicts the experiment, which gives {wanted}")


_NEW_FOLDER_HINT = "choose a new or empty folder"
_RESULTS_FOLDER_HINT = "name a folder one was kept in, by --out in the shell, by experiments.Run in Python"


def identity_of(experiment: Experiment) -> str:
    """Fingerprint of an experiment without its number of shots."""
    return fingerprint(msgspec.structs.replace(experiment, shots=1))


def read_manifest(folder: Path, *, hint: str = _NEW_FOLDER_HINT) -> Manifest | None:
    """Read the manifest of a folder; None where there is none.

    Args:
        hint: what would be right where it holds something else.

    Raises:
        InvalidFile: it holds something else, or an unreadable manifest.
    """
    path = folder / MANIFEST
    try:
        if not folder.exists():
            return None
        if not path.exists():
            stranger = next((one.name for one in sorted(folder.iterdir()) if one.name not in _IGNORED_FILES), None)
            if stranger is None:
                return None
            raise InvalidFile(f"{str(folder)!r} holds {stranger!r} and no experiment; {hint}")
    except OSError as wrong:
        raise InvalidFile(f"cannot use {str(folder)!r}: {os_error_message(wrong)}") from None
    try:
        found = _parse_manifest(read_document(path), str(path))
    except InvalidInput as wrong:
        raise InvalidFile(str(wrong)) from None
    if found.identity != identity_of(found.experiment):
        raise InvalidFile(
            f"{str(path)!r} tells of another experiment than that of {found.identity!r}: it has been altered"
        )
    return found


def _parse_manifest(text: bytes, name: str) -> Manifest:
    """Read a manifest; one of the last release is translated, and its columns keep their names.

    Raises:
        InvalidInput: it is no manifest.
    """
    plain = from_json(text, dict, name=name)
    if not is_old_manifest(plain):
        return from_json(text, Manifest, name=name)
    found = from_builtins(rename_manifest(plain), Manifest, name=name)
    if found.identity == old_identity(plain["experiment"]):
        found = msgspec.structs.replace(found, identity=identity_of(found.experiment))
    return found


def references_of(manifest: Manifest) -> tuple[ReferenceValue, ...]:
    """Reference values of an experiment, by the names that its columns have in these results."""
    references = manifest.experiment.references
    if not references or not has_old_names(manifest.columns):
        return references
    axes = list(iter_axes({name: getattr(manifest.experiment, name) for name in Experiment.__struct_fields__}))
    names = dict(
        zip(
            [
                *(column.name for column in axis_columns(axes)),
                *(name for measure in manifest.experiment.measures for name in measure.columns),
            ],
            [column.name for column in manifest.columns[1:-1]],
            strict=True,
        )
    )
    return tuple(
        msgspec.structs.replace(
            one,
            measure=names.get(one.measure, one.measure),
            parameters={names.get(name, name): level for name, level in one.parameters.items()},
        )
        for one in references
    )


class Run:
    """Run of an experiment into a folder. Iterating over it runs the shots and yields the number that are stored.

    Args:
        folder: for the results; new or empty, unless `resume`.
        shots: how many instead of the experiment's own number; on resuming also instead of the number asked before.
        jobs: number of workers. executor: pool that runs them, by default local processes (see `match.map_unordered`).
        store: "sqlite" or "parquet"; on resuming it is as before. chunk: shots handed to a worker at once.
        resume: go on with what the folder holds.
        trust: run functions that the experiment names as measures. module_folder: searched for their modules then.

    Raises:
        InvalidInput: the experiment cannot be.
        FileLocked: another process writes there.
        InvalidFile: the folder holds something else, or cannot be written.
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
        module_folder: Path | None = None,
    ) -> None:
        self._lock = FileLock(folder) if folder.is_dir() else None
        try:
            self._open(experiment, folder, shots, jobs, executor, store, chunk, resume, trust, module_folder)
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Release the lock on the folder."""
        if self._lock is not None:
            self._lock.release()

    def _open(
        self, experiment: Experiment, folder: Path, shots: int | None, jobs: int, executor: Executor | None, store: str,
        chunk: int | None, resume: bool, trust: bool, module_folder: Path | None,
    ) -> None:  # fmt: skip
        """Check that the run can write to the folder, and write the manifest."""
        before = _stored_manifest(folder)
        self._check_folder(before, folder, experiment, resume)
        said = shots is not None
        if before is not None and shots is None and before.options.get("shots_said", True):
            shots, said = before.shots, True  # what was said on the command line goes before what the file says
        if shots is not None:
            experiment = _with_shots(experiment, shots)
        if before is not None and before.done > experiment.shots:
            raise InvalidInput(f"{str(folder)!r} holds {before.done} shots already; {experiment.shots} are fewer")
        self.folder, self.total = folder, experiment.shots
        self._jobs, self._executor = jobs, executor
        self._task_arguments = _task_arguments(experiment, trust, module_folder)
        sampler = _cached_sampler(*self._task_arguments)
        self.chunk = chunk or _chunk_size(sampler.probe())
        if before is not None:
            store = str(before.options.get("store"))
        check_store(store)
        columns = sampler.columns
        if before is not None:
            if has_old_names(before.columns):
                columns = before.columns
            if before.columns != columns:
                raise InvalidFile(
                    f"{str(folder)!r} says it has other columns than this experiment: it has been altered"
                )
            _check_stored(before, folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as wrong:
            raise InvalidFile(f"cannot make {str(folder)!r}: {os_error_message(wrong)}") from None
        if self._lock is None:
            self._lock = FileLock(folder)
            if _stored_manifest(folder) is not None:
                raise InvalidFile(f"another process has just begun to fill {str(folder)!r}; choose another folder")
        where = "here" if executor is None else type(executor).__name__
        self.manifest = Manifest(
            flicksim=__version__, identity=identity_of(experiment), experiment=experiment, columns=columns,
            options={"shots_said": said, "jobs": jobs, "executor": where, "store": store, "chunk": self.chunk,
                "one_by_one": sampler.why_not_batched or None,
            },
            seed=experiment.seed, machine=truncate_middle(platform_tag(), MAX_NAME_LENGTH), cores=os.cpu_count() or 1,
            begun=before.begun if before is not None else strftime("%Y-%m-%dT%H:%M:%SZ", gmtime()),
            seconds=before.seconds if before is not None else 0.0, shots=experiment.shots,
        )  # fmt: skip
        self._save()
        self.store = open_store(store, folder, columns)
        self.done = sum(last - first for first, last in self.store.spans())
        # of what was kept before, the hash is taken at the end
        self._digest = ResultsHash(columns) if self.done == 0 else None

    @staticmethod
    def _check_folder(before: Manifest | None, folder: Path, experiment: Experiment, resume: bool) -> None:
        if before is None:
            return
        if before.identity != identity_of(experiment):
            title = before.experiment.title
            raise InvalidFile(f"{str(folder)!r} holds another experiment ({title!r}); choose another folder")
        if before.flicksim not in _RESUMABLE_VERSIONS:
            raise InvalidFile(
                f"{str(folder)!r} was begun by flicksim {before.flicksim}; this is {__version__}, begin anew"
            )
        if not resume:
            held = f"holds {before.done} of {before.shots} shots of this experiment"
            raise InvalidFile(f"{str(folder)!r} {held}; resume it (--resume in the shell), or choose another folder")

    def __iter__(self) -> Iterator[int]:
        """Run the missing shots; yield the number of stored shots after each chunk.

        Raises:
            KeyboardInterrupt: Ctrl-C; every finished chunk is kept.
            WorkersLost: workers are gone. InvalidFile: a chunk cannot be kept. What was kept before stays.
        """
        begin = perf_counter()
        spent = self.manifest.seconds
        chunks = map_unordered(run_chunk, self._tasks(), jobs=self._jobs, executor=self._executor)
        try:
            told = begin
            for chunk in chunks:
                self.store.add(chunk)
                if self._digest is not None:
                    self._digest.add(chunk)
                self.done += len(chunk.rows)
                if perf_counter() - told > _SAVE_INTERVAL:
                    told = perf_counter()
                    self._save(done=self.done, seconds=round(spent + told - begin, 3))
                yield self.done
            self._finish()
        except BaseException:
            with suppress(InvalidFile):  # what went wrong first is what is told
                self._save(done=self.done, seconds=round(spent + perf_counter() - begin, 3))
            raise
        else:
            self._save(seconds=round(spent + perf_counter() - begin, 3))
        finally:
            chunks.close()  # type: ignore[attr-defined]
            self.store.close()
            self.release()

    def _tasks(self) -> Iterator[tuple[bytes, str, bool, int, int]]:
        for first, last in list(missing_spans(self.store.spans(), self.total)):
            for at in range(first, last, self.chunk):
                yield (*self._task_arguments, at, min(at + self.chunk, last))

    def _finish(self) -> None:
        if self._digest is not None and (whole := self._digest.hexdigest(self.total)) is not None:
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
        write_atomic(self.folder / MANIFEST, text + b"\n")


def _stored_manifest(folder: Path, *, hint: str = _NEW_FOLDER_HINT) -> Manifest | None:
    """Read the manifest with the number of shots really stored; after a crash it may know of fewer."""
    manifest = read_manifest(folder, hint=hint)
    if manifest is None:
        return None
    store = open_store(str(manifest.options.get("store")), folder, manifest.columns)
    try:
        spans = store.spans()
    finally:
        store.close()
    if spans and spans[-1][1] > manifest.shots:
        far = f"holds shot {spans[-1][1] - 1}, but was asked for {manifest.shots}"
        raise InvalidFile(f"{str(folder)!r} {far}: it has been altered")
    for (_, end), (first, _) in pairwise(spans):
        if first < end:
            raise InvalidFile(f"{str(folder)!r} holds shot {first} twice: it has been altered")
    there = sum(last - first for first, last in spans)
    if there < manifest.done:
        lost = f"says that {manifest.done} shots are there, and holds {there}"
        raise InvalidFile(f"{str(folder)!r} {lost}: it has been altered, or cut")
    return msgspec.structs.replace(manifest, done=there)


def _with_shots(experiment: Experiment, shots: int) -> Experiment:
    try:
        found = msgspec.structs.replace(experiment, shots=shots)
        found.__post_init__()
    except ValueError as wrong:
        raise InvalidInput(str(wrong)) from None
    return found


def _chunk_size(seconds: float) -> int:
    low, high = _CHUNK_RANGE
    return max(low, min(high, round(_CHUNK_SECONDS / seconds)))


def _task_arguments(experiment: Experiment, trust: bool, module_folder: Path | None = None) -> tuple[bytes, str, bool]:
    """Arguments of `run_chunk`: experiment as JSON, folder of its modules, and whether its functions may run."""
    own = [measure for measure in experiment.measures if measure.is_custom]
    trust = bool(own) and (trust or all(measure.is_trusted for measure in own))
    return (to_json(experiment), str(module_folder.resolve()) if trust and module_folder is not None else "", trust)


@lru_cache(maxsize=8)
def _cached_sampler(experiment: bytes, module_folder: str, trust: bool) -> ShotSampler:
    """Sampler of an experiment, cached in each worker."""
    if module_folder and module_folder not in sys.path:
        sys.path.append(module_folder)
    return ShotSampler(from_json(experiment, Experiment, name="experiment"), trust=trust)


def run_chunk(experiment: bytes, module_folder: str, trust: bool, first: int, last: int) -> Chunk:
    """Run shots `first` to before `last`; the task of a worker."""
    sampler = _cached_sampler(experiment, module_folder, trust)
    rows: list[Row] = []
    for some in sampler.batches(first, last):
        check_interrupt()
        rows += some
    return Chunk(first=first, rows=tuple(rows))


def run_experiment(
    experiment: Experiment, executor: Executor | None = None, *, shots: int | None = None, jobs: int = 1,
    trust: bool = False,
) -> Table:  # fmt: skip
    """Run an experiment in memory (see `Run` for large ones).

    Raises:
        InvalidInput: the experiment cannot be.
    """
    if shots is not None:
        experiment = _with_shots(experiment, shots)
    work = _task_arguments(experiment, trust)
    sampler = _cached_sampler(*work)
    size = _chunk_size(sampler.probe())
    store: Store = MemoryStore()
    tasks = ((*work, at, min(at + size, experiment.shots)) for at in range(0, experiment.shots, size))
    for chunk in map_unordered(run_chunk, tasks, jobs=jobs, executor=executor):
        store.add(chunk)
    return Table(sampler.columns, store.rows())


def _check_stored(manifest: Manifest, folder: Path) -> None:
    """Verify the stored rows of a folder.

    Raises:
        InvalidFile: it does not.
    """
    for _ in _stored_rows(manifest, folder):
        pass


def _stored_rows(manifest: Manifest, folder: Path) -> Iterator[Row]:
    """Yield the stored rows of a folder by index.

    Raises:
        InvalidFile: it is something else.
    """
    store = open_store(str(manifest.options.get("store")), folder, manifest.columns)
    failed = 0
    try:
        for row in verified_rows(manifest.columns, store.rows(), manifest.hash, folder):
            failed += row[-1] is not None
            yield row
    finally:
        store.close()
    if manifest.hash is not None and failed != manifest.failed:
        raise InvalidFile(
            f"{str(folder)!r} says that {manifest.failed} shots failed; {failed} did: it has been altered"
        )


def read_results(folder: Path) -> tuple[Manifest, Table]:
    """Read a results folder; nothing in it is run, so it may come from an untrusted source.

    Raises:
        InvalidFile: there is no experiment in it, or it is not what was kept.
    """
    manifest = _stored_manifest(folder, hint=_RESULTS_FOLDER_HINT)
    if manifest is None:
        raise InvalidFile(f"{str(folder)!r} holds no experiment; {_RESULTS_FOLDER_HINT}")
    return manifest, Table(manifest.columns, _stored_rows(manifest, folder))


__all__ = [
    "Chunk",
    "Manifest",
    "Run",
    "Span",
    "identity_of",
    "read_manifest",
    "read_results",
    "references_of",
    "run_chunk",
    "run_experiment",
]
