"""Work in a process of its own: told one thing after another, called off by what is asked next."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from itertools import count

import pytest

from flicksim.base.errors import BadOption
from flicksim.players import stop_if_cancelled, tell_settled
from flicksim.ui.kit.apart import Apart


def squares(upto: int) -> Iterator[int]:
    """So many numbers; a function by itself, which the process imports."""
    yield from (k * k for k in range(upto))


def without_end() -> Iterator[int]:
    """Numbers until nobody wants them."""
    for k in count():
        stop_if_cancelled()
        yield k


def refused() -> Iterator[int]:
    """One number, and then why there is no other."""
    yield 1
    raise BadOption("there is no more")


def shooting(upto: int) -> Iterator[int]:
    """So many shots, one after another."""
    for _ in range(upto):
        tell_settled(1)
    yield upto


def ends() -> Iterator[int]:
    """Nothing, for the process is gone."""
    os._exit(1)


def _until(work: Apart[int], true: Callable[[], bool]) -> None:
    for _ in range(6000):
        work.update()
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it never came")


@pytest.fixture
def work() -> Iterator[Apart[int]]:
    one = Apart[int]()
    yield one
    one.leave()


def test_things_are_told_in_order_and_what_is_asked_next_calls_off_what_was_before(work: Apart[int]) -> None:
    work.ask(without_end)
    _until(work, lambda: len(work.told) > 2)
    assert work.told[:3] == [0, 1, 2]
    assert not work.done
    work.ask(squares, 4)
    _until(work, lambda: work.done)
    assert work.told == [0, 1, 4, 9], "nothing of the other is among them"
    assert work.wrong == ""


def test_what_is_wrong_is_said_in_words_and_the_next_question_is_answered(work: Apart[int]) -> None:
    work.ask(refused)
    _until(work, lambda: work.done)
    assert work.told == [1]
    assert work.wrong == "there is no more"
    work.ask(squares, 2)
    _until(work, lambda: work.done)
    assert (work.told, work.wrong) == ([0, 1], "")


def test_where_no_process_can_be_had_that_is_said() -> None:
    def never() -> None:
        raise BadOption("not ready")

    work = Apart[int](never)
    work.ask(squares, 2)
    _until(work, lambda: work.done)
    assert work.wrong == "nothing can be worked out here: not ready"


def test_after_that_the_next_question_is_tried_anew() -> None:
    tries: list[int] = []

    def never() -> None:
        tries.append(1)
        raise OSError(12, "Cannot allocate memory")

    work = Apart[int](never)
    for times in (1, 2):
        work.ask(squares, 2)
        assert work.wrong == ""
        _until(work, lambda: work.done)
        assert work.wrong == "nothing can be worked out here: cannot allocate memory"
        assert len(tries) == times


def test_a_process_that_ends_is_told_of_and_the_next_question_begins_another(work: Apart[int]) -> None:
    work.ask(ends)
    _until(work, lambda: work.done)
    assert work.wrong == "the process that works it out has ended"
    work.ask(squares, 3)
    _until(work, lambda: work.done)
    assert (work.told, work.wrong) == ([0, 1, 4], "")


def test_every_shot_settled_is_told_of_and_the_next_question_counts_anew(work: Apart[int]) -> None:
    for shots in (500, 20):
        work.ask(shooting, shots)
        _until(work, lambda: work.done)
        assert (work.told, work.settled) == ([shots], shots)
    assert not work.waits
