"""Public functions to run experiments and read their results."""

from __future__ import annotations

from concurrent.futures import Executor
from os import PathLike, fspath

from flicksim import experiments
from flicksim.core.errors import InvalidInput
from flicksim.core.validation import as_path, check_int, check_type
from flicksim.experiments import MAX_SHOTS, Experiment, Manifest, Table


def run_experiment(
    experiment: Experiment | str | PathLike[str],
    executor: Executor | None = None,
    *,
    shots: int | None = None,
    jobs: int = 1,
    trust: bool = False,
) -> Table:
    """Run an experiment and return its results, in memory.

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
    if isinstance(experiment, str | PathLike):
        experiment = experiments.read_experiment(fspath(experiment))
    check_type(experiment, Experiment, "experiment", "it is an Experiment, or the name of one, or its file")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise InvalidInput(
            f"executor cannot be {executor!r}; it is one of concurrent.futures, and shots=... says how many"
        )
    if shots is not None:
        check_int(shots, "shots", 1, MAX_SHOTS)
    check_int(jobs, "jobs", 1, 1024)
    return experiments.run_experiment(experiment, executor, shots=shots, jobs=jobs, trust=trust)


def read_results(folder: str | PathLike[str]) -> tuple[Manifest, Table]:
    """Read a folder of results: the manifest and the table of shots. No code in it is run.

    Raises:
        InvalidFile: the folder holds no experiment, or its contents were altered.
    """
    return experiments.read_results(as_path(folder, "the folder"))


__all__ = ["read_results", "run_experiment"]
