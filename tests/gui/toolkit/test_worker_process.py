"""Worker process: results in order, cancelled by the next request."""

import os
from collections.abc import Callable, Iterator
from itertools import count

import pytest

from flicksim.ai import report_shots, stop_if_cancelled
from flicksim.core.errors import InvalidOption
from flicksim.gui.toolkit import WorkerProcess
from tests.polling import wait_until


def squares(upto: int) -> Iterator[int]:
    """Generator of square numbers, importable by the process."""
    yield from (k * k for k in range(upto))


def without_end() -> Iterator[int]:
    """Endless generator, until cancelled."""
    for k in count():
        stop_if_cancelled()
        yield k


def refused() -> Iterator[int]:
    """Generator that fails after one number."""
    yield 1
    raise InvalidOption("there is no more")


def shooting(upto: int) -> Iterator[int]:
    """Generator that reports a number of shots."""
    for _ in range(upto):
        report_shots(1)
    yield upto


def ends() -> Iterator[int]:
    """Generator that ends the process."""
    os._exit(1)


def _until(work: WorkerProcess[int], condition: Callable[[], bool]) -> None:
    wait_until(lambda: work.update() or condition())


@pytest.fixture
def work() -> Iterator[WorkerProcess[int]]:
    one = WorkerProcess[int]()
    yield one
    one.shut_down()


def test_results_and_shots_of_the_last_request_arrive_in_order(work: WorkerProcess[int]) -> None:
    work.submit(without_end)
    _until(work, lambda: len(work.results) > 2)
    assert work.results[:3] == [0, 1, 2]
    assert not work.is_done
    work.submit(squares, 4)
    _until(work, lambda: work.is_done)
    assert work.results == [0, 1, 4, 9], "nothing of the other is among them"
    assert work.error == ""
    for shots in (500, 20):
        work.submit(shooting, shots)
        _until(work, lambda: work.is_done)
        assert (work.results, work.shots_done) == ([shots], shots)
    assert not work.is_starting


@pytest.mark.parametrize(
    ("request_", "results", "error"),
    [(refused, [1], "there is no more"), (ends, [], "the process that works it out has ended")],
)
def test_an_error_or_an_end_is_reported_and_the_next_request_answered(
    work: WorkerProcess[int], request_: Callable[[], Iterator[int]], results: list[int], error: str
) -> None:
    work.submit(request_)
    _until(work, lambda: work.is_done)
    assert (work.results, work.error) == (results, error)
    work.submit(squares, 3)
    _until(work, lambda: work.is_done)
    assert (work.results, work.error) == ([0, 1, 4], "")


def test_a_process_that_cannot_start_is_reported_and_the_next_request_starts_a_new_one() -> None:
    causes = [OSError(12, "Cannot allocate memory"), InvalidOption("not ready")]

    def never() -> None:
        raise causes.pop()

    work = WorkerProcess[int](never)
    for reason in ("not ready", "cannot allocate memory"):
        work.submit(squares, 2)
        assert work.error == ""
        _until(work, lambda: work.is_done)
        assert work.error == f"nothing can be worked out here: {reason}"
