"""Results are independent of workers, time and interruptions; finished chunks are never lost."""

import errno
import json
import os
import re
import signal
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flicksim import __version__, load_flick, load_scene
from flicksim.core.errors import InvalidFile, InvalidInput, InvalidOption, MissingExtra, WorkersLost
from flicksim.experiments import Experiment, Run, read_results, run_experiment
from flicksim.experiments.results_store import ResultsHash, SqliteStore, missing_spans, open_store
from flicksim.experiments.run import MANIFEST
from flicksim.experiments.shot_sampler import ShotSampler
from flicksim.match import workers
from flicksim.match.workers import map_unordered
from tests.experiments.custom_measures import EXPERIMENT_TOML, make_experiment, run_until


def run_to_end(run: Run) -> str:
    list(run)
    assert run.manifest.hash is not None
    return run.manifest.hash


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The hash when one worker does it all."""
    return run_to_end(Run(EXPERIMENT_TOML, tmp_path_factory.mktemp("alone") / "out"))


def test_results_are_independent_of_workers_and_chunks(tmp_path: Path, alone: str) -> None:
    assert run_to_end(Run(EXPERIMENT_TOML, tmp_path / "two", jobs=2, chunk=13)) == alone
    assert run_to_end(Run(EXPERIMENT_TOML, tmp_path / "parquet", store="parquet", chunk=50)) == alone
    with ThreadPoolExecutor(2) as threads:
        assert run_to_end(Run(EXPERIMENT_TOML, tmp_path / "threads", jobs=2, executor=threads, chunk=7)) == alone


def test_stored_results_equal_those_in_memory(tmp_path: Path, alone: str) -> None:
    for store in ("sqlite", "parquet"):
        run_to_end(Run(EXPERIMENT_TOML, tmp_path / store, store=store, chunk=50))
        manifest, table = read_results(tmp_path / store)
        there = run_experiment(EXPERIMENT_TOML)
        assert list(table) == list(there) == [column.name for column in manifest.columns]
        for name in table:
            kind = table.columns[name].kind
            assert np.array_equal(table[name], there[name], equal_nan=kind != "text")
        assert (manifest.done, manifest.failed, manifest.hash) == (120, 0, alone)
        assert (manifest.seed, manifest.shots, manifest.flicksim) == (3, 120, __version__)
        assert manifest.options["store"] == store
        assert manifest.seconds > 0.0
        assert manifest.machine
        assert manifest.experiment == EXPERIMENT_TOML


def test_rows_can_be_read_without_flicksim(tmp_path: Path) -> None:
    """As the README shows: plain SQL, and Parquet files side by side."""
    run_to_end(Run(EXPERIMENT_TOML, tmp_path / "sqlite"))
    with sqlite3.connect(tmp_path / "sqlite" / "shots.sqlite") as base:
        rows = base.execute("SELECT hand, avg(off_surface), count(*) FROM shots GROUP BY hand ORDER BY hand").fetchall()
    base.close()
    assert [(hand, count) for hand, _, count in rows] == [("club", 60), ("world", 60)]
    parquet = import_module("pyarrow.parquet")
    run_to_end(Run(EXPERIMENT_TOML, tmp_path / "parquet", store="parquet", chunk=50))
    files = sorted(path.name for path in (tmp_path / "parquet").glob("*.parquet"))
    assert files == [f"shots-{a:010d}-{b:010d}.parquet" for a, b in ((0, 49), (50, 99), (100, 119))]
    assert parquet.ParquetFile(tmp_path / "parquet" / files[0]).read().num_rows == 50


@pytest.mark.parametrize(("jobs", "store"), [(1, "sqlite"), (1, "parquet"), (2, "parquet")])
def test_an_interrupted_run_is_resumed(tmp_path: Path, alone: str, jobs: int, store: str) -> None:
    """Ctrl-C is a real signal here, and falls into shots: none is swallowed, none tears a chunk."""
    run = Run(EXPERIMENT_TOML, tmp_path / "out", jobs=jobs, chunk=10, store=store)
    with pytest.raises(KeyboardInterrupt):
        run_until(run, 30, lambda: os.kill(os.getpid(), signal.SIGINT))
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert 30 <= run.done < 120
    manifest, table = read_results(tmp_path / "out")
    assert manifest.done == len(table) == run.done
    assert manifest.hash is None
    by = r"by --resume \(in Python resume=True\)"
    with pytest.raises(InvalidFile, match=rf"holds {run.done} of 120 shots of this experiment; resume it {by}"):
        Run(EXPERIMENT_TOML, tmp_path / "out")
    again = Run(EXPERIMENT_TOML, tmp_path / "out", resume=True, chunk=17, store="sqlite")
    assert again.done == run.done
    assert run_to_end(again) == alone
    assert again.manifest.seconds > manifest.seconds
    assert run_to_end(Run(EXPERIMENT_TOML, tmp_path / "out", resume=True)) == alone


def test_an_interrupt_after_the_last_shot_stops_nothing(
    tmp_path: Path, alone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    safe_points = count(1)

    def interrupted() -> None:
        if next(safe_points) == 3:  # after the second chunk
            raise KeyboardInterrupt

    monkeypatch.setattr(workers, "check_interrupt", interrupted)
    assert run_to_end(Run(EXPERIMENT_TOML, tmp_path / "out", chunk=60)) == alone
    assert next(safe_points) == 4


def test_stored_rows_take_precedence_over_the_manifest(tmp_path: Path, alone: str) -> None:
    run = Run(EXPERIMENT_TOML, tmp_path / "out", chunk=10)
    manifest = (tmp_path / "out" / MANIFEST).read_bytes()
    with pytest.raises(KeyboardInterrupt):
        run_until(run, 50, lambda: os.kill(os.getpid(), signal.SIGINT))
    (tmp_path / "out" / MANIFEST).write_bytes(manifest)  # as it was at the beginning
    assert read_results(tmp_path / "out")[0].done == run.done
    with pytest.raises(InvalidFile, match=rf"holds {run.done} of 120 shots"):
        Run(EXPERIMENT_TOML, tmp_path / "out")
    assert run_to_end(Run(EXPERIMENT_TOML, tmp_path / "out", resume=True)) == alone


def test_a_run_is_iterated_once(tmp_path: Path, alone: str) -> None:
    run = Run(EXPERIMENT_TOML, tmp_path / "out", chunk=50)
    first = iter(run)
    assert next(first) == 50
    with pytest.raises(InvalidInput, match="out' holds 50 of 120 shots; read_results reads them, and another Run with"):
        next(iter(run))
    first.close()
    again = Run(EXPERIMENT_TOML, tmp_path / "out", resume=True)
    assert run_to_end(again) == alone
    with pytest.raises(InvalidInput, match=r"a run is iterated once, .*out' holds 120 of 120 shots; read_results"):
        list(again)
    released = Run(EXPERIMENT_TOML, tmp_path / "other")
    released.release()
    with pytest.raises(InvalidInput, match=r"before its release, and .*other' holds 0 of 120 shots"):
        list(released)


def test_more_shots_are_added_to_a_finished_run(tmp_path: Path, alone: str) -> None:
    run_to_end(Run(EXPERIMENT_TOML, tmp_path / "out", shots=50))
    assert run_to_end(Run(EXPERIMENT_TOML, tmp_path / "out", shots=120, resume=True)) == alone
    with pytest.raises(InvalidInput, match="holds 120 shots already; 60 are fewer"):
        Run(EXPERIMENT_TOML, tmp_path / "out", shots=60, resume=True)
    with pytest.raises(InvalidInput, match="shots 0 must lie in"):
        Run(EXPERIMENT_TOML, tmp_path / "new", shots=0)


def test_a_run_takes_names_of_experiments_and_paths_as_text(tmp_path: Path) -> None:
    run = Run("worth-map", str(tmp_path / "out"), shots=1, chunk=1, module_folder=str(tmp_path))
    run.release()
    assert (run.folder, run.manifest.experiment.title) == (tmp_path / "out", "Map of win chances in Penny White")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Run(None, "out"), "experiment cannot be None; it is an Experiment, or the name of one, or its file"),
        (lambda: Run("nix", "out"), "no experiment 'nix'; shipped ones are"),
        (lambda: Run(EXPERIMENT_TOML, None), "the folder cannot be None; name it by a string or a Path"),
        (lambda: Run(EXPERIMENT_TOML, ""), "the folder cannot be ''; name it by a string or a Path"),
        (lambda: Run(EXPERIMENT_TOML, "out", module_folder=3), "the module folder cannot be 3; name it by"),
        (lambda: Run("x" * 300, "out"), "cannot read 'xxxxx"),
        (lambda: Run(EXPERIMENT_TOML, "x" * 300), "cannot read 'xxxxx"),
        (lambda: Run(EXPERIMENT_TOML, "out", store=["sqlite"]), "no store ['sqlite']; results are kept in sqlite or"),
        (lambda: Run(EXPERIMENT_TOML, "out", chunk="x"), "chunk cannot be 'x'; it is a whole number"),
        (lambda: load_scene("x" * 300), "cannot read 'xxxxx"),
        (lambda: load_flick("x" * 300), "cannot read 'xxxxx"),
        (lambda: Run(EXPERIMENT_TOML, "out", jobs="x"), "jobs cannot be 'x'; it is a whole number"),
        (lambda: Run(EXPERIMENT_TOML, "out", executor=100), "executor cannot be 100; it is one of concurrent.futures"),
    ],
)
def test_an_invalid_argument_of_a_run_is_quoted(
    call: Any, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match=re.escape(message)):
        call()
    assert not list(tmp_path.iterdir())


def test_arguments_are_checked_before_anything_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def probe(_: ShotSampler) -> float:
        raise RuntimeError("compiles")

    monkeypatch.setattr(ShotSampler, "probe", probe)
    with pytest.raises(InvalidOption, match="no store 'csv'; results are kept in sqlite or parquet"):
        Run(EXPERIMENT_TOML, tmp_path / "out", store="csv")
    (tmp_path / "file").touch()
    with pytest.raises(InvalidFile, match="cannot make"):
        Run(EXPERIMENT_TOML, tmp_path / "file" / "out")
    for out in ("out", "a/b/out"):
        with pytest.raises(RuntimeError, match="compiles"):
            Run(EXPERIMENT_TOML, tmp_path / out)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    (tmp_path / "mine").mkdir()
    with pytest.raises(RuntimeError, match="compiles"):
        Run(EXPERIMENT_TOML, tmp_path / "mine")
    assert (tmp_path / "mine").exists()


def test_a_folder_with_other_contents_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_to_end(Run(EXPERIMENT_TOML, out, shots=10))
    before = (out / MANIFEST).read_bytes()
    with pytest.raises(InvalidFile, match=r"holds another experiment \('a draw'\); choose another folder"):
        Run(make_experiment(seed=4), out, resume=True)
    more = r"--resume and --shots \(in Python resume=True, shots=\) make more, or choose another folder"
    with pytest.raises(InvalidFile, match=rf"`flicksim report` shows them, {more}"):
        Run(EXPERIMENT_TOML, out)
    assert (out / MANIFEST).read_bytes() == before
    (out / MANIFEST).write_bytes(before.replace(f'"flicksim": "{__version__}"'.encode(), b'"flicksim": "0.0.1"'))
    with pytest.raises(InvalidFile, match=r"begun by flicksim 0\.0\.1"):
        Run(EXPERIMENT_TOML, out, resume=True)
    (out / MANIFEST).write_text("{")
    with pytest.raises(InvalidFile, match="cannot be read"):
        Run(EXPERIMENT_TOML, out, resume=True)
    strange = tmp_path / "strange"
    strange.mkdir()
    (strange / "thesis.tex").write_text("precious")
    with pytest.raises(InvalidFile, match=r"holds 'thesis.tex' and no experiment; choose a new or empty folder"):
        Run(EXPERIMENT_TOML, strange)
    with pytest.raises(InvalidFile, match="cannot make"):
        Run(EXPERIMENT_TOML, strange / "thesis.tex" / "out")
    with pytest.raises(InvalidFile, match="does not exist; name a folder of results"):
        read_results(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidFile, match="holds no experiment; name a folder of results"):
        read_results(tmp_path / "empty")
    with pytest.raises(InvalidOption, match="no store 'csv'; results are kept in sqlite or parquet"):
        Run(EXPERIMENT_TOML, tmp_path / "csv", store="csv")


def test_a_full_disk_is_reported_and_the_run_resumed(
    tmp_path: Path, alone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite is given a disk of so many pages; Parquet one whose writes fail."""
    run = Run(EXPERIMENT_TOML, tmp_path / "sqlite", chunk=10)
    store = run.store
    assert isinstance(store, SqliteStore)
    pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
    store.connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    with pytest.raises(InvalidFile, match=r"shots\.sqlite': database or disk is full"):
        run_to_end(run)
    assert 0 < run.done < 120
    assert run_to_end(Run(EXPERIMENT_TOML, tmp_path / "sqlite", resume=True)) == alone

    run = Run(EXPERIMENT_TOML, tmp_path / "parquet", chunk=10, store="parquet")
    sync = os.fsync

    def full(handle: int) -> None:
        if run.done >= 40:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(handle)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(InvalidFile, match=r"shots-0000000040-0000000049\.parquet': no space left on device"):
            run_to_end(run)
    assert len(list((tmp_path / "parquet").iterdir())) == 5
    assert run_to_end(Run(EXPERIMENT_TOML, tmp_path / "parquet", resume=True)) == alone


def _dies(number: int) -> int:
    if number == 3:
        os._exit(9)
    return number


def test_a_dead_worker_is_reported() -> None:
    with pytest.raises(WorkersLost, match="a worker died before it was done"):
        list(map_unordered(_dies, ((k,) for k in range(9)), jobs=2))


def test_no_thread_of_the_pool_outlives_a_stop() -> None:
    """One that is still ending while the interpreter exits makes that fail at times."""
    before, results = set(threading.enumerate()), map_unordered(_dies, ((k,) for k in range(3)), jobs=2)
    next(results)
    results.close()
    assert not [thread for thread in threading.enumerate() if thread not in before and not thread.daemon]


def _fails(number: int) -> int:
    if number == 2:
        raise InvalidInput("two will not do")
    return number


def test_a_failed_task_stops_the_pending_ones() -> None:
    got: list[int] = []
    with ThreadPoolExecutor(1) as threads, pytest.raises(InvalidInput, match="two will not do"):
        got.extend(map_unordered(_fails, ((k,) for k in range(50)), jobs=2, executor=threads))
    assert {0, 1} <= set(got)
    assert len(got) < 10


def test_missing_spans() -> None:
    assert list(missing_spans([], 10)) == [(0, 10)]
    assert list(missing_spans([(2, 4), (6, 10)], 10)) == [(0, 2), (4, 6)]
    assert list(missing_spans([(0, 12)], 10)) == []


def test_the_hash_changes_with_any_bit(tmp_path: Path) -> None:
    table = read_results(_run_with(tmp_path / "one"))
    columns = table[0].columns
    store = open_store("sqlite", tmp_path / "one", columns)
    rows = list(store.rows())
    store.close()
    changed: list[Any] = [list(row) for row in rows]
    changed[7][4] = float(np.nextafter(changed[7][4], 2.0))
    digests = []
    for some in (rows, [tuple(row) for row in changed]):
        digest = ResultsHash(columns)
        digest.update(some)
        digests.append(digest.hexdigest(len(rows)))
    assert digests[1] != digests[0] == table[0].hash


def _run_with(folder: Path, question: Experiment = EXPERIMENT_TOML) -> Path:
    run_to_end(Run(question, folder))
    return folder


def test_parquet_names_its_missing_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"Parquet needs the extra 'lab': .+ -m pip install 'flicksim\[lab\]'"):
        Run(EXPERIMENT_TOML, tmp_path / "out", store="parquet")


def test_the_manifest_is_plain_json(tmp_path: Path) -> None:
    plain = json.loads((_run_with(tmp_path / "out") / MANIFEST).read_text())
    assert plain["experiment"]["measure"] == ["distance white", "off_surface", "rest_position", "touched white"]
    assert plain["columns"][0]["name"] == "shot"
