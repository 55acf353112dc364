"""A real Dask cluster gives the same results, also when a worker is killed."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from flicksim.core.errors import InvalidOption, MissingExtra, WorkersLost
from flicksim.experiments import Run, dask_cluster, dask_executor, read_results
from tests.experiments.custom_measures import make_experiment, run_until
from tests.experiments.dask_cluster import Cluster

QUESTION = make_experiment(shots=1000)


@pytest.fixture(autouse=True)
def quiet_logs() -> Iterator[None]:
    """Put back what the library logs as it was."""
    names = ("distributed", "distributed.client", "distributed.core", "distributed.comm")
    before = [logging.getLogger(name).level for name in names]
    yield
    for name, level in zip(names, before, strict=True):
        logging.getLogger(name).setLevel(level)


@pytest.mark.long
def test_a_killed_worker_or_scheduler_loses_no_results(tmp_path: Path) -> None:
    alone = Run(QUESTION, tmp_path / "alone")
    list(alone)
    with Cluster(tmp_path, workers=2) as there:
        with dask_executor(there.address) as (executor, threads):
            run = Run(QUESTION, tmp_path / "killed", jobs=threads, executor=executor, chunk=50)
            run_until(run, 100, there.workers[0].kill)
            assert there.workers[0].wait() != 0
            assert run.manifest.hash == alone.manifest.hash
            shots = read_results(tmp_path / "killed")[1]["shot"].tolist()
            assert shots == list(range(QUESTION.shots))

        with dask_executor(there.address) as (executor, threads):
            run = Run(QUESTION, tmp_path / "dead", jobs=threads, executor=executor, chunk=50)
            assert there.scheduler is not None
            with pytest.raises(WorkersLost, match="the scheduler or its workers are gone"):
                run_until(run, 100, there.scheduler.kill)
    assert 0 < run.done < QUESTION.shots
    again = Run(QUESTION, tmp_path / "dead", resume=True)
    assert again.done == run.done
    list(again)
    assert again.manifest.hash == alone.manifest.hash


@pytest.mark.long
def test_a_cluster_without_workers_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "_NO_WORKERS_TIMEOUT", 1.0)
    with Cluster(tmp_path, workers=1) as there, dask_executor(there.address) as (executor, threads):
        run = Run(QUESTION, tmp_path / "alone", jobs=threads, executor=executor, chunk=50)
        with pytest.raises(WorkersLost, match="the cluster has had no worker for 1 s"):
            run_until(run, 100, there.workers[0].kill)
    assert 100 <= run.done < QUESTION.shots


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("tcp://127.0.0.1:1", "no Dask scheduler answers at 'tcp://127.0.0.1:1': .*refused"),
        ("tcp://127.0.0.1:99999", "no Dask scheduler answers"),
        ("nonsense", "'nonsense' is no address of a scheduler; it is written tcp://host:8786"),
    ],
)
def test_a_missing_scheduler_is_reported_in_one_sentence(address: str, message: str) -> None:
    with pytest.raises(InvalidOption, match=message), dask_executor(address):
        pass


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with (
        pytest.raises(MissingExtra, match=r"a Dask cluster needs the extra 'cluster'"),
        dask_executor("tcp://127.0.0.1:1"),
    ):
        pass
