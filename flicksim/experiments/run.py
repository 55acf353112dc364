"""Runs of an experiment: parallel over chunks of shots, with a manifest, resumable after any interruption."""

import logging
import os
import re
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing, suppress
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from time import gmtime, perf_counter, strftime
from typing import Annotated

import msgspec

from flicksim.core import serialization
from flicksim.core.atomic_files import is_folder, os_error_message, write_atomic
from flicksim.core.counting import count_of
from flicksim.core.errors import InvalidFile, InvalidInput, advise
from flicksim.core.file_lock import FileLock
from flicksim.core.limits import MAX_NAME_LENGTH, MAX_NUMBER, Name, truncate_middle
from flicksim.core.platform_info import platform_tag
from flicksim.core.serialization import Value, to_json
from flicksim.core.type_aliases import JsonValue
from flicksim.core.validation import as_path, check_int, check_type
from flicksim.core.version import __version__
from flicksim.experiments import old_words, results_store
from flicksim.experiments.experiment import MAX_SHOTS, Experiment, ReferenceValue, read_experiment
from flicksim.experiments.result_columns import Column, axes_of, axis_columns, has_old_names
from flicksim.experiments.shot_sampler import ShotSampler
from flicksim.match import check_interrupt, check_main_guard, map_unordered

MANIFEST = "manifest.json"
_IGNORED_FILES = (".DS_Store", ".lock", "__pycache__")
"""Files that an empty folder may hold."""

_COLUMN_NAME = re.compile(r"\w+")
_FIRST_COLUMN = ("shot", "number", "index")
_LAST_COLUMNS = (("error", "text", "error"), (old_words.ERROR_COLUMN, "text", "error"))
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
        flicksim: version. identity: fingerprint of the experiment without its number of shots. columns: of the table.
        options: of the last run; `one_by_one` is the reason where shots were not simulated in batches.
        seed: of all random streams. machine, cores: of the last run.
        begun: time of the first run, UTC. seconds: total run time, with the start of workers.
        shots: requested; done: stored; failed: of these. hash: over all rows, once all are stored.
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
        if invalid := [name for name in names if not _COLUMN_NAME.fullmatch(name)]:
            raise ValueError(f"column {invalid[0]!r} must be made of letters, digits and underscores")
        if len(set(names)) < len(names):
            raise ValueError(f"columns {names!r} have duplicate names")
        roles = [column.role for column in self.columns]
        ends = [(c.name, c.kind, c.role) for c in (*self.columns[:1], *self.columns[-1:])]
        is_framed = len(ends) == 2 and ends[0] == _FIRST_COLUMN and ends[1] in _LAST_COLUMNS
        if not is_framed or roles.count("index") + roles.count("error") > 2:
            raise ValueError(f"columns {truncate_middle(repr(names))} must begin with 'shot' and end with 'error'")
        experiment = self.experiment
        for name, value, expected in (("seed", self.seed, experiment.seed), ("shots", self.shots, experiment.shots)):
            if value != expected:
                raise ValueError(f"{name} {value} contradicts its experiment, which has {expected}")
        if not self.failed <= self.done <= self.shots or (self.hash is not None and self.done < self.shots):
            hash_note = " and a hash over all" if self.hash is not None else ""
            raise ValueError(
                f"done {self.done} and failed {self.failed} contradict each other, or shots {self.shots}{hash_note}"
            )
        _check_columns(self.columns, experiment)


def _check_columns(columns: Sequence[Column], experiment: Experiment) -> None:
    """Check columns against their experiment; the kinds of user-defined measures are not checked, as no code is run.

    Raises:
        ValueError: they contradict it.
    """
    old_names = has_old_names(columns)
    expected: list[tuple[str, str, tuple[str, str] | None]] = [
        (column.name, column.role, (column.kind, column.unit))
        for column in axis_columns(axes_of(experiment), old_names=old_names)
    ]
    expected += [
        (name, "measure", measure.kind_and_unit)
        for measure in experiment.measures
        for name in (measure.old_columns if old_names else measure.columns)
    ]
    inner = columns[1:-1]
    if len(inner) != len(expected):
        raise ValueError(f"there are {len(columns)} columns; this experiment gives {len(expected) + 2}")
    for column, (name, role, kind_and_unit) in zip(inner, expected, strict=True):
        actual, wanted_values = [column.name, column.role], [name, role]
        if kind_and_unit is not None:
            actual, wanted_values = [*actual, column.kind, column.unit], [*wanted_values, *kind_and_unit]
        if actual != wanted_values:
            raise ValueError(f"column {actual} contradicts the experiment, which gives {wanted_values}")


_NEW_FOLDER_HINT = "choose a new or empty folder"
_RUN_ANEW = "run the experiment anew in another folder"
"""Advice for damaged results."""
_RESULTS_FOLDER_HINT = "name a folder of results, as an experiment writes it"


def identity_of(experiment: Experiment) -> str:
    """Fingerprint of an experiment without its number of shots."""
    return serialization.fingerprint(msgspec.structs.replace(experiment, shots=1))


def read_manifest(folder: Path, *, hint: str = _NEW_FOLDER_HINT) -> Manifest | None:
    """Read the manifest of a folder; None if there is none.

    Args:
        hint: end of the error message, what would be right.

    Raises:
        InvalidFile: the folder holds something else, or an unreadable manifest.
    """
    path = folder / MANIFEST
    try:
        if not folder.exists():
            return None
        if not path.exists():
            foreign = next((file.name for file in sorted(folder.iterdir()) if file.name not in _IGNORED_FILES), None)
            if foreign is None:
                return None
            raise InvalidFile(f"{str(folder)!r} holds {foreign!r} and no experiment; {hint}")
    except NotADirectoryError:
        raise InvalidFile(f"{str(folder)!r} is a file; {hint}") from None
    except OSError as error:
        raise InvalidFile(f"cannot use {str(folder)!r}: {os_error_message(error)}") from None
    with advise(_RUN_ANEW):
        text = serialization.read_document(path)
        try:
            manifest = _parse_manifest(text, str(path))
        except InvalidInput as error:
            raise InvalidFile(str(error)) from None
        if manifest.identity != identity_of(manifest.experiment):
            raise InvalidFile(
                f"{str(path)!r} has another experiment than that of {manifest.identity!r}: it has been altered"
            )
    return manifest


def _parse_manifest(text: bytes, name: str) -> Manifest:
    """Decode a manifest; one of release 0.1.0 is translated, and its columns keep their names.

    Raises:
        InvalidInput: the text is no manifest.
    """
    plain = serialization.from_json(text, dict, name=name)
    if not old_words.is_old_manifest(plain):
        return serialization.from_json(text, Manifest, name=name)
    manifest = serialization.from_builtins(old_words.rename_manifest(plain), Manifest, name=name)
    if manifest.identity == old_words.old_identity(plain["experiment"]):
        manifest = msgspec.structs.replace(manifest, identity=identity_of(manifest.experiment))
    return manifest


def references_of(manifest: Manifest) -> tuple[ReferenceValue, ...]:
    """Reference values of an experiment, with the column names of these results."""
    references = manifest.experiment.references
    if not references or not has_old_names(manifest.columns):
        return references
    new = [column.name for column in axis_columns(axes_of(manifest.experiment))]
    new += [name for measure in manifest.experiment.measures for name in measure.columns]
    names = dict(zip(new, [column.name for column in manifest.columns[1:-1]], strict=True))
    return tuple(
        msgspec.structs.replace(
            reference,
            measure=names.get(reference.measure, reference.measure),
            parameters={names.get(name, name): level for name, level in reference.parameters.items()},
        )
        for reference in references
    )


class Run:
    """Run of an experiment into a folder. Iterating runs the missing shots and yields the number stored so far.

    Args:
        experiment: an experiment, the name of a built-in one, or a file.
        folder: of the results; new or empty, unless `resume`.
        shots: number of shots instead of the experiment's; when resuming, instead of the number before.
        jobs: number of workers. executor: pool that runs them, by default local processes (see `match.map_unordered`).
        store: "sqlite" or "parquet"; when resuming, as before. chunk: shots of a task.
        resume: continue the run in the folder.
        trust: run functions that the experiment names as measures. module_folder: folder of their modules.

    Attributes:
        total: number of shots. done: stored so far. cells: of the crossed grids, over which the shots are spread.

    Raises:
        InvalidInput: the experiment or another argument is invalid.
        FileLocked: another process writes there.
        InvalidFile: the folder holds something else, or cannot be written.
    """

    def __init__(
        self,
        experiment: Experiment | str | os.PathLike[str],
        folder: str | os.PathLike[str],
        *,
        shots: int | None = None,
        jobs: int = 1,
        executor: Executor | None = None,
        store: str = "sqlite",
        chunk: int | None = None,
        resume: bool = False,
        trust: bool = False,
        module_folder: str | os.PathLike[str] | None = None,
    ) -> None:
        experiment, folder = _as_experiment(experiment), as_path(folder, "the folder")
        _check_workers(jobs, executor)
        if chunk is not None:
            check_int(chunk, "chunk", 1, MAX_SHOTS)
        self._resources = ExitStack()
        is_locked = is_folder(folder)
        if is_locked:
            self._resources.enter_context(FileLock(folder))
        self._is_iterated = False
        with ExitStack() as on_error:
            on_error.callback(self.release)
            previous = _stored_manifest(folder)
            self._check_folder(previous, folder, experiment, resume)
            is_given = shots is not None
            if previous is not None:
                store = str(previous.options.get("store"))
                if shots is None and previous.options.get("shots_said", True):
                    shots, is_given = previous.shots, True  # takes precedence over the file
            if shots is not None:
                experiment = _with_shots(experiment, shots)
            results_store.check_store(store)
            self.folder, self.total = folder, experiment.shots
            self._jobs, self._executor = jobs, executor
            modules = None if module_folder is None else as_path(module_folder, "the module folder")
            self._task_arguments = _task_arguments(experiment, trust, modules)
            if previous is None:
                sampler = _cached_sampler(*self._task_arguments)
                columns = sampler.columns
            else:
                sampler, columns = self._resumed_sampler(previous)
            self.cells = sampler.cells
            made = _make_folders(folder)
            if not is_locked:
                self._resources.enter_context(FileLock(folder))
                if _stored_manifest(folder) is not None:
                    raise InvalidFile(f"another process just began to write to {str(folder)!r}; choose another folder")
                on_error.callback(self._remove_empty_folders, made)
            self.chunk = chunk or _chunk_size(sampler.probe())  # which may compile, so last of all
            executor_name = "here" if executor is None else type(executor).__name__
            self.manifest = Manifest(
                flicksim=__version__, identity=identity_of(experiment), experiment=experiment, columns=columns,
                options={"shots_said": is_given, "jobs": jobs, "executor": executor_name, "store": store,
                    "chunk": self.chunk, "one_by_one": sampler.why_not_batched or None,
                },
                seed=experiment.seed, machine=truncate_middle(platform_tag(), MAX_NAME_LENGTH),
                cores=os.cpu_count() or 1, shots=experiment.shots,
                begun=strftime("%Y-%m-%dT%H:%M:%SZ", gmtime()) if previous is None else previous.begun,
                seconds=0.0 if previous is None else previous.seconds,
            )  # fmt: skip
            self._save()
            opened = results_store.open_store(store, folder, columns, create=True)
            self.store = self._resources.enter_context(closing(opened))
            self.done = sum(last - first for first, last in self.store.spans())
            # the hash of rows stored before is computed at the end
            self._digest = results_store.ResultsHash(columns) if self.done == 0 else None
            on_error.pop_all()
        _warn_of_empty_cells(self.total, self.cells)

    def _resumed_sampler(self, previous: Manifest) -> tuple[ShotSampler, tuple[Column, ...]]:
        """Sampler of the shots still missing in the folder, and the columns that it has.

        Raises:
            InvalidInput: more shots are stored than asked for. InvalidFile: it holds other columns, or was begun by a
                version that had other measures.
        """
        if previous.done > self.total:
            raise InvalidInput(
                f"{str(self.folder)!r} holds {count_of(previous.done, 'shot')} already; {self.total} are fewer"
            )
        try:
            sampler = _cached_sampler(*self._task_arguments)
        except InvalidInput as error:
            if previous.flicksim == __version__:
                raise
            begun = (
                f"{str(self.folder)!r} was begun by flicksim {previous.flicksim}, and {__version__} cannot resume it"
            )
            raise InvalidFile(
                f"{begun}: {error}; `flicksim report` shows the {count_of(previous.done, 'shot')} it has"
            ) from None
        return sampler, _verified_columns(previous, self.folder, sampler.columns)

    def release(self) -> None:
        """Close the store, and release the lock on the folder; the run can no longer be iterated."""
        self._is_iterated = True
        self._resources.close()

    def _remove_empty_folders(self, innermost_first: list[Path]) -> None:
        self.release()
        with suppress(OSError):
            for folder in innermost_first:
                folder.rmdir()

    @staticmethod
    def _check_folder(previous: Manifest | None, folder: Path, experiment: Experiment, resume: bool) -> None:
        if previous is None:
            return
        if previous.identity != identity_of(experiment):
            title = previous.experiment.title
            raise InvalidFile(f"{str(folder)!r} holds another experiment ({title!r}); choose another folder")
        if previous.flicksim not in _RESUMABLE_VERSIONS:
            raise InvalidFile(
                f"{str(folder)!r} was begun by flicksim {previous.flicksim}; this is {__version__}, begin anew"
            )
        if not resume:
            state = f"holds {previous.done} of {count_of(previous.shots, 'shot')} of this experiment"
            is_done = previous.done == previous.shots
            more = "`flicksim report` shows them, --resume and --shots (in Python resume=True, shots=) make more"
            use = more if is_done else "resume it by --resume (in Python resume=True)"
            raise InvalidFile(f"{str(folder)!r} {state}; {use}, or choose another folder")

    def __iter__(self) -> Iterator[int]:
        """Run the missing shots; yield the number of stored shots after each chunk.

        Raises:
            InvalidInput: it was iterated or released before.
            KeyboardInterrupt: Ctrl-C, with shots missing; every finished chunk is stored.
            WorkersLost: workers are gone. InvalidFile: a chunk cannot be written. Chunks stored before remain.
        """
        if self._is_iterated:
            stored = f"{str(self.folder)!r} holds {self.done} of {count_of(self.total, 'shot')}"
            advice = "read_results reads them, and another Run with resume=True goes on"
            raise InvalidInput(f"a run is iterated once, before its release, and {stored}; {advice}")
        self._is_iterated = True
        begin = perf_counter()
        earlier = self.manifest.seconds
        chunks = map_unordered(run_chunk, self._tasks(), jobs=self._jobs, executor=self._executor)
        try:
            last_saved = begin
            try:
                for chunk in chunks:
                    self.store.add(chunk)
                    if self._digest is not None:
                        self._digest.add(chunk)
                    self.done += len(chunk.rows)
                    if perf_counter() - last_saved > _SAVE_INTERVAL:
                        last_saved = perf_counter()
                        self._save(done=self.done, seconds=round(earlier + last_saved - begin, 3))
                    yield self.done
            except KeyboardInterrupt:
                if self.done < self.total:  # else no shot is missing
                    raise
            self._finish()
        except BaseException:
            with suppress(InvalidFile):  # the first error is the one reported
                self._save(done=self.done, seconds=round(earlier + perf_counter() - begin, 3))
            raise
        else:
            self._save(seconds=round(earlier + perf_counter() - begin, 3))
        finally:
            chunks.close()  # type: ignore[attr-defined]
            self.release()

    def _tasks(self) -> Iterator[tuple[bytes, str, bool, int, int]]:
        for first, last in list(results_store.missing_spans(self.store.spans(), self.total)):
            for at in range(first, last, self.chunk):
                yield (*self._task_arguments, at, min(at + self.chunk, last))

    def _finish(self) -> None:
        digest = self._digest
        if digest is None or digest.hexdigest(self.total) is None:
            digest = results_store.ResultsHash(self.manifest.columns)
            for batch in results_store.batches(self.store.rows()):
                digest.update(batch)
        self._save(hash=digest.hexdigest(), done=self.done, failed=digest.failed)

    def _save(self, **changes: object) -> None:
        self.manifest = msgspec.structs.replace(self.manifest, **changes)
        text = msgspec.json.format(to_json(self.manifest), indent=1)
        write_atomic(self.folder / MANIFEST, text + b"\n")


@advise(_RUN_ANEW)
def _count_stored(manifest: Manifest, folder: Path) -> int:
    """Number of shots stored.

    Raises:
        InvalidFile: they contradict the manifest.
    """
    with closing(results_store.open_store(str(manifest.options.get("store")), folder, manifest.columns)) as store:
        spans = store.spans()
    if spans and spans[-1][1] > manifest.shots:
        message = f"holds shot {spans[-1][1] - 1}, but was asked for {manifest.shots}"
        raise InvalidFile(f"{str(folder)!r} {message}: it has been altered")
    for (_, end), (first, _) in pairwise(spans):
        if first < end:
            raise InvalidFile(f"{str(folder)!r} holds shot {first} twice: it has been altered")
    stored = sum(last - first for first, last in spans)
    if stored < manifest.done:
        message = f"says that {manifest.done} shots are there, and holds {stored}"
        raise InvalidFile(f"{str(folder)!r} {message}: it has been altered, or cut")
    return stored


def _stored_manifest(folder: Path, *, hint: str = _NEW_FOLDER_HINT) -> Manifest | None:
    """Read the manifest with the number of shots actually stored; after a crash it may have fewer."""
    manifest = read_manifest(folder, hint=hint)
    return None if manifest is None else msgspec.structs.replace(manifest, done=_count_stored(manifest, folder))


def _as_experiment(experiment: Experiment | str | os.PathLike[str]) -> Experiment:
    if isinstance(experiment, str | os.PathLike):
        experiment = read_experiment(os.fspath(experiment))
    return check_type(experiment, Experiment, "experiment", "it is an Experiment, or the name of one, or its file")


def _verified_columns(previous: Manifest, folder: Path, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Columns of stored results that a run goes on with, after all of their rows have been verified.

    Args:
        columns: of the experiment.

    Raises:
        InvalidFile: they are others than the experiment's, by the names of today or before; or a row is damaged.
    """
    columns = previous.columns if has_old_names(previous.columns) else columns
    if previous.columns != columns:
        altered = "has other columns than this experiment: it has been altered"
        raise InvalidFile(f"{str(folder)!r} {altered}; {_RUN_ANEW}")
    deque(_stored_rows(previous, folder), maxlen=0)
    return columns


def _make_folders(folder: Path) -> list[Path]:
    """Create a folder and its parents: those that did not exist, innermost first."""
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidFile(f"cannot make {str(folder)!r}: {os_error_message(error)}") from None
    return made


def _check_workers(jobs: int, executor: Executor | None) -> None:
    check_int(jobs, "jobs", 1, 1024)
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise InvalidInput(
            f"executor cannot be {executor!r}; it is one of concurrent.futures, and shots=... says how many"
        )
    check_main_guard(jobs, executor)


def _with_shots(experiment: Experiment, shots: int) -> Experiment:
    try:
        changed = msgspec.structs.replace(experiment, shots=shots)
        changed.__post_init__()
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    return changed


def _warn_of_empty_cells(shots: int, cells: int) -> None:
    if shots < cells:
        logging.getLogger("flicksim").warning(
            f"{count_of(shots, 'shot')} for a grid of {cells} cells, of which {cells - shots} will be empty; "
            f"{cells} shots give each one."
        )


def _chunk_size(seconds: float) -> int:
    low, high = _CHUNK_RANGE
    return max(low, min(high, round(_CHUNK_SECONDS / seconds)))


def _task_arguments(experiment: Experiment, trust: bool, module_folder: Path | None = None) -> tuple[bytes, str, bool]:
    """Arguments of `run_chunk`: experiment as JSON, folder of its modules, and whether its functions may run."""
    custom = [measure for measure in experiment.measures if measure.is_custom]
    trust = bool(custom) and (trust or all(measure.is_trusted for measure in custom))
    return (to_json(experiment), str(module_folder.resolve()) if trust and module_folder is not None else "", trust)


@lru_cache(maxsize=8)
def _cached_sampler(experiment: bytes, module_folder: str, trust: bool) -> ShotSampler:
    """Sampler of an experiment, cached in each worker."""
    if module_folder and module_folder not in sys.path:
        sys.path.append(module_folder)
    return ShotSampler(serialization.from_json(experiment, Experiment, name="experiment"), trust=trust)


def run_chunk(experiment: bytes, module_folder: str, trust: bool, first: int, last: int) -> results_store.Chunk:
    """Run shots `first` to before `last`; the task of a worker."""
    sampler = _cached_sampler(experiment, module_folder, trust)
    rows: list[results_store.Row] = []
    for batch in sampler.batches(first, last):
        check_interrupt()
        rows += batch
    return results_store.Chunk(first=first, rows=tuple(rows), lines=serialization.to_json_lines(rows))


def run_experiment(
    experiment: Experiment | str | os.PathLike[str],
    executor: Executor | None = None,
    *,
    shots: int | None = None,
    jobs: int = 1,
    trust: bool = False,
) -> results_store.Table:
    """Run an experiment and return its results, in memory (see `Run` for large ones).

    >>> flick = {"piece": "a", "target": "white"}
    >>> table = run_experiment(Experiment(title="a draw", scene="draw", flick=flick, hand="club",
    ...                                   measure=("distance white",), shots=100))
    >>> len(table), float(table["distance_white"].mean().round(3))
    (100, 0.034)

    Args:
        experiment: an experiment, the name of a built-in one, or a file. executor: executor of `concurrent.futures`;
            local processes without one. shots: number of shots instead of its own. jobs: number of workers.
        trust: run the functions that a file names as measures; they are arbitrary code.

    Raises:
        InvalidInput: the experiment is invalid; says what is wrong, and what would be right.
    """
    experiment = _as_experiment(experiment)
    _check_workers(jobs, executor)
    if shots is not None:
        experiment = _with_shots(experiment, check_int(shots, "shots", 1, MAX_SHOTS))
    arguments = _task_arguments(experiment, trust)
    sampler = _cached_sampler(*arguments)
    _warn_of_empty_cells(experiment.shots, sampler.cells)
    size = _chunk_size(sampler.probe())
    tasks = ((*arguments, at, min(at + size, experiment.shots)) for at in range(0, experiment.shots, size))
    chunks = sorted(map_unordered(run_chunk, tasks, jobs=jobs, executor=executor), key=lambda chunk: chunk.first)
    return results_store.Table(sampler.columns, (row for chunk in chunks for row in chunk.rows))


def _stored_rows(manifest: Manifest, folder: Path) -> Iterator[results_store.Row]:
    """Yield the stored rows of a folder by index, verified.

    Raises:
        InvalidFile: they were altered.
    """
    failed, store_name = 0, str(manifest.options.get("store"))
    with advise(_RUN_ANEW), closing(results_store.open_store(store_name, folder, manifest.columns)) as store:
        for row in results_store.verified_rows(manifest.columns, store.rows(), manifest.hash, folder):
            failed += row[-1] is not None
            yield row
        if manifest.hash is not None and failed != manifest.failed:
            raise InvalidFile(
                f"{str(folder)!r} says that {manifest.failed} shots failed; {failed} did: it has been altered"
            )


def read_results(folder: str | os.PathLike[str]) -> tuple[Manifest, results_store.Table]:
    """Read a folder of results: the manifest and the table of shots.

    No code in it is run, so it may come from an untrusted source.

    Raises:
        InvalidFile: there are no results in it, or they were altered.
    """
    folder = as_path(folder, "the folder")
    manifest = _stored_manifest(folder, hint=_RESULTS_FOLDER_HINT)
    if manifest is None:
        state = "holds no experiment" if folder.exists() else "does not exist"
        raise InvalidFile(f"{str(folder)!r} {state}; {_RESULTS_FOLDER_HINT}")
    return manifest, results_store.Table(manifest.columns, _stored_rows(manifest, folder))
