"""Questions put to many shots."""

from __future__ import annotations

from concurrent.futures import Executor
from os import PathLike, fspath

from flicksim import lab
from flicksim.base.asked import must_be, path_of, whole_number
from flicksim.base.errors import BadInput
from flicksim.lab import MOST, Experiment, Manifest, Table


def ask(
    experiment: Experiment | str | PathLike[str],
    executor: Executor | None = None,
    *,
    shots: int | None = None,
    jobs: int = 1,
    trust: bool = False,
) -> Table:
    """The answer to a question, in memory.

    >>> table = ask(Experiment(title="a draw", scene="draw", flick={"piece": "a", "to": "white"}, hand="club",
    ...                        measure=("gap white",), shots=100))
    >>> len(table), float(table["gap_white"].mean().round(3))
    (100, 0.034)

    Args:
        experiment: what is asked, or the name of a ready one, or a file. executor: where the work is done, of
            `concurrent.futures`; processes of this machine without. shots: how many instead of its own number.
        jobs: workers. trust: run functions that a file names as measures: code, which can do anything.

    Raises:
        BadInput: the experiment cannot be; says what, and what would be right.
    """
    if isinstance(experiment, str | PathLike):
        experiment = lab.read_experiment(fspath(experiment))
    must_be(experiment, Experiment, "experiment", "it is an Experiment, or the name of one, or its file")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise BadInput(f"executor cannot be {executor!r}; it is one of concurrent.futures, and shots=... says how many")
    if shots is not None:
        whole_number(shots, "shots", 1, MOST)
    whole_number(jobs, "jobs", 1, 1024)
    return lab.ask(experiment, executor, shots=shots, jobs=jobs, trust=trust)


def read_results(folder: str | PathLike[str]) -> tuple[Manifest, Table]:
    """The contents of a folder of results: how it came about, and its shots. Nothing in it is run.

    Raises:
        BadFile: there is no experiment in it, or it is not what was kept.
    """
    return lab.read_results(path_of(folder, "the folder"))


__all__ = ["ask", "read_results"]
