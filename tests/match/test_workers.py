"""Tasks of workers after Ctrl-C."""

import os
import signal
from pathlib import Path
from time import sleep
from typing import Any

import pytest

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
