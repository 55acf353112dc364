"""Tasks of workers after Ctrl-C and after a failed one; scripts that start workers."""

import os
import signal
import sys
from contextlib import nullcontext
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from runpy import run_path
from time import sleep
from typing import Any

import pytest

from flicksim.core.errors import InvalidInput, WorkersLost
from flicksim.core.signals import interrupt_pending
from flicksim.match import map_unordered, workers
from tests.polling import wait_until

SCRIPT_IMPORTS = """
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from flicksim.experiments import Run, run_experiment
from flicksim.match import map_unordered, parse_seat, play_series
"""


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


def absolute_in_a_child(number: int) -> list[int]:
    with get_context("spawn").Pool(1) as pool:
        return pool.map(abs, [number])


class OddError(Exception):
    """Error that its pickle cannot make again."""

    def __init__(self, what: str, whose: str) -> None:
        super().__init__(f"{what} of {whose}")


def fail_oddly() -> None:
    raise OddError("nonsense", "nobody")


def test_a_task_may_start_processes_and_raise_what_cannot_be_pickled() -> None:
    assert list(map_unordered(absolute_in_a_child, [(-3,)], jobs=2)) == [[3]]
    with pytest.raises(RuntimeError, match="OddError: nonsense of nobody") as caught:
        list(map_unordered(fail_oddly, [()], jobs=2))
    assert "in fail_oddly" in caught.value.__notes__[0]


def fail_first(folder: Path, number: int) -> int:
    if number == 0:
        raise InvalidInput("nought will not do")
    while not (folder / "go").exists():
        sleep(0.01)
    return number


def test_tasks_begun_go_on_after_a_failed_one_and_no_other_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    assert sorted(got) == [1, 2]


def end_or_wait(number: int) -> int:
    if number == 0:
        os._exit(1)
    sleep(30.0)
    return number


def test_where_one_worker_ends_the_others_do_not_go_on() -> None:
    got: list[int] = []
    with pytest.raises(WorkersLost, match="a worker died before it was done"):
        got.extend(map_unordered(end_or_wait, [(0,), (1,)], jobs=2))
    assert got == []


def test_a_worker_that_never_begins_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its end of the pipe is open here too, as on Windows, and the task is more than a pipe holds."""

    def start(process: SpawnProcess) -> None:
        original(process)
        process.kill()

    original = SpawnProcess.start
    monkeypatch.setattr(SpawnProcess, "start", start)
    monkeypatch.setattr(Connection, "__exit__", lambda *_: None)
    kept = keep_pipes(monkeypatch)
    with pytest.raises(WorkersLost, match="a worker died before it was done"):
        list(map_unordered(len, [(bytes(10_000_000),)], jobs=2))
    for end in kept:
        end.close()


def test_pipes_are_closed_where_a_worker_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(process: SpawnProcess) -> None:
        if len(kept) > 4:  # those of the progress, and of the first worker
            raise OSError("too many processes")
        original(process)

    original = SpawnProcess.start
    monkeypatch.setattr(SpawnProcess, "start", start)
    kept = keep_pipes(monkeypatch)
    with pytest.raises(OSError, match="too many processes"):
        list(map_unordered(abs, [(1,), (2,)], jobs=2))
    wait_until(lambda: all(end.closed for end in kept))
    assert len(kept) == 6


def keep_pipes(monkeypatch: pytest.MonkeyPatch) -> list[Connection]:
    """Keep both ends of every pipe made from now on."""
    kept: list[Connection] = []

    def pipe(context: SpawnContext, duplex: bool = True) -> tuple[Connection, Connection]:
        ends = original(context, duplex)
        kept.extend(ends)
        return ends

    original = SpawnContext.Pipe
    monkeypatch.setattr(SpawnContext, "Pipe", pipe)
    return kept


@pytest.mark.parametrize(
    ("start", "is_guarded"),
    [
        ('Run("pot-chance", "made", jobs=2)', False),
        ('with suppress(OSError):\n    run_experiment("pot-chance",\n        jobs=2)', False),
        ('play_series("dominoes", {}, [parse_seat("random")] * 2, 2, 1, jobs=2, folder=Path("made"))', False),
        ("def main():\n    list(map_unordered(abs, [], jobs=2))\nmain()", False),
        ("print(__name__)\nlist(map_unordered(abs, [], jobs=2))", False),
        ('if __name__ == "__mp_main__":\n    raise SystemExit\nlist(map_unordered(abs, [], jobs=2))', True),
        ('if __name__ == "__main__":\n    list(map_unordered(abs, [], jobs=2))', True),
        ('__name__ == "__main__" and list(map_unordered(abs, [], jobs=2))', True),
        ("list(map_unordered(abs, [], jobs=1))", True),
        ("with ThreadPoolExecutor() as threads:\n    list(map_unordered(abs, [], jobs=2, executor=threads))", True),
    ],
)
def test_a_script_without_main_guard_is_told_so(
    start: str, is_guarded: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Worker processes import the script that starts them; nothing is begun."""
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "script.py"
    script.write_text(SCRIPT_IMPORTS + start)
    told = pytest.raises(
        InvalidInput, match=r"'script\.py' would start more there; put what starts them under `if __name__ =="
    )
    with nullcontext() if is_guarded else told:
        run_path(str(script), run_name="__main__")
    assert list(tmp_path.iterdir()) == [script]


def test_a_script_on_stdin_is_told_to_be_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["__main__"], "__file__", "<stdin>", raising=False)
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", None)
    with pytest.raises(InvalidInput, match="and '<stdin>' is no file; save it in one"):
        next(map_unordered(abs, [], jobs=2))


def test_a_line_typed_after_a_script_needs_no_main_guard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after python -i; the first line of the script is another one."""
    (tmp_path / "script.py").write_text("import flicksim\n")
    main = vars(sys.modules["__main__"])
    for name, value in (
        ("__file__", str(tmp_path / "script.py")),
        ("__spec__", None),
        ("map_unordered", map_unordered),
    ):
        monkeypatch.setitem(main, name, value)
    exec("assert list(map_unordered(abs, [], jobs=2)) == []", main)
