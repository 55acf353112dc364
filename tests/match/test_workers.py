"""Tasks of workers after Ctrl-C and after a failed one."""

import os
import signal
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from flicksim.core.errors import InvalidInput
from flicksim.core.signals import interrupt_pending
from flicksim.match import map_unordered, workers
from tests.polling import wait_until


def wait_for_go(folder: Path, number: int) -> int:
    (folder / f"begun-{number}").touch()
    while number and not (folder / "go").exists():
        sleep(0.01)
    return number


def test_queued_tasks_are_not_begun_after_ctrl_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers hold a task each, and a third task is queued for them."""
    waits = []

    def wait(*words: Any, **options: Any) -> Any:
        waits.append(interrupt_pending())
        if sum(waits) == 2:  # the first of them has told of Ctrl-C
            (tmp_path / "go").touch()
        return original(*words, **options)

    original = workers.wait
    monkeypatch.setattr(workers, "wait", wait)
    monkeypatch.setattr("flicksim.core.signals.GRACE_PERIOD", 60.0)
    results = map_unordered(wait_for_go, ((tmp_path, number) for number in range(9)), jobs=2)
    assert next(results) == 0
    wait_until(lambda: all((tmp_path / f"begun-{number}").exists() for number in (1, 2)))
    os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        list(results)
    assert {path.name for path in tmp_path.iterdir()} == {"begun-0", "begun-1", "begun-2", "go"}


def fail_first(folder: Path, number: int) -> int:
    if number == 0:
        raise InvalidInput("nought will not do")
    while not (folder / "go").exists():
        sleep(0.01)
    return number


def test_tasks_handed_out_go_on_after_a_failed_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers hold two tasks until the failed one is known, and a third is queued for them."""
    failed: list[bool] = []

    def wait(*words: Any, **options: Any) -> Any:
        if any(failed):  # what follows from that has been done
            (tmp_path / "go").touch()
        done, running = original(*words, **options)
        failed.extend(future.exception() is not None for future in done)
        return done, running

    original = workers.wait
    monkeypatch.setattr(workers, "wait", wait)
    got: list[int] = []
    with pytest.raises(InvalidInput, match="nought will not do"):
        got.extend(map_unordered(fail_first, ((tmp_path, number) for number in range(9)), jobs=2))
    assert sorted(got) == [1, 2, 3]
