"""Signals: workers, programs and their child processes end with the process."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from shlex import quote
from time import sleep
from uuid import uuid4

import pytest

from benchmarks.leftover_processes import marked_environment, running_processes, surviving_processes
from flicksim.core.signals import check_interrupt, defer_interrupts, interrupt_pending
from flicksim.experiments import Run
from tests.background_process import start_in_background
from tests.experiments.custom_measures import make_experiment
from tests.matches import new_match
from tests.polling import TIMEOUT, wait_until
from tests.repetition import few_then_long

ROOT = Path(__file__).resolve().parents[2]
ENDINGS = [signal.SIGINT, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP]
"""SIGTERM comes where SIGINT is ignored, as by what a shell begins with "&"."""

SILENT = """
import signal, subprocess, sys, time
for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(one, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open({begun!r}, "a").write("begun\\n")
time.sleep(600)
"""
"""Does not read, does not listen, and has a helper."""

StartProcess = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def mark() -> Iterator[str]:
    """Of all processes of one test; none may be left behind."""
    mark = uuid4().hex
    yield mark
    for number in running_processes(mark):
        os.kill(number, signal.SIGKILL)


@pytest.fixture
def start_process(mark: str, tmp_path: Path) -> StartProcess:
    def started(*words: object, deaf: bool = False) -> subprocess.Popen[str]:
        pipe, environment = subprocess.PIPE, marked_environment(mark) | {"PYTHONPATH": str(ROOT)}
        return subprocess.Popen(
            [sys.executable, "-m", *map(str, words)], text=True, cwd=tmp_path,
            stdin=pipe, stdout=pipe, stderr=pipe, env=environment, preexec_fn=start_in_background if deaf else None,
        )  # fmt: skip

    return started


def silent_program(tmp_path: Path, many: int) -> tuple[str, Callable[[], bool]]:
    """A seat that keeps silent for ten minutes, and whether so many of the kind have begun to."""
    program, begun = tmp_path / "silent.py", tmp_path / "begun"
    program.write_text(SILENT.format(begun=str(begun)))
    seat = f"cmd@600:{quote(sys.executable)} {quote(str(program))}"
    return seat, lambda: begun.exists() and begun.read_text().count("\n") >= many


@pytest.fixture
def start_series(start_process: StartProcess, tmp_path: Path) -> StartProcess:
    """Starts games of two workers, each with a seat that has begun to keep silent."""

    def started(games: int, *words: str, deaf: bool = False) -> subprocess.Popen[str]:
        seat, begun = silent_program(tmp_path, 2)
        seats = ("--seat", "random", "--seat", seat)
        series = start_process(
            "flicksim", "match", "dominoes", "--games", games, "--jobs", 2, *seats, *words, deaf=deaf
        )
        wait_until(begun)
        return series

    return started


@pytest.mark.parametrize("ending", few_then_long(ENDINGS, 2), ids=lambda one: one.name)
def test_game_ends_its_programs_and_their_children(
    start_process: StartProcess, mark: str, tmp_path: Path, ending: int
) -> None:
    seat, begun = silent_program(tmp_path, 1)
    record = tmp_path / "game.jsonl"
    words = ("play", "dominoes", "--headless", "--seat", "random", "--seat", seat, "--record", record)
    game = start_process("flicksim", *words, deaf=ending == signal.SIGTERM)
    wait_until(begun)
    assert len(running_processes(mark)) >= 3
    game.send_signal(ending)
    _, said = game.communicate(timeout=TIMEOUT)
    assert surviving_processes(mark, TIMEOUT) == {}
    assert game.returncode == (-ending if ending == signal.SIGKILL else 1)
    assert "Traceback" not in said
    assert ("go on with --resume" in said) == (ending != signal.SIGKILL)
    assert record.read_bytes().count(b"\n") >= 1


@pytest.mark.parametrize("ending", few_then_long([signal.SIGKILL, signal.SIGTERM], 1), ids=lambda one: one.name)
def test_series_ends_its_workers_and_programs(start_series: StartProcess, mark: str, ending: int) -> None:
    series = start_series(4, "--record", "kept", deaf=ending == signal.SIGTERM)
    series.send_signal(ending)
    _, said = series.communicate(timeout=TIMEOUT)
    assert surviving_processes(mark, TIMEOUT) == {}
    assert "Traceback" not in said
    assert ("Stopped after 0 of 4 games" in said) == (ending != signal.SIGKILL)


@pytest.mark.parametrize("ending", few_then_long([signal.SIGINT, signal.SIGHUP], 1), ids=lambda one: one.name)
def test_a_signal_to_all_processes_of_a_series_ends_it_in_one_line(
    start_series: StartProcess, mark: str, ending: int
) -> None:
    """As a terminal sends it that is closed, to the resource tracker of multiprocessing as well."""
    series = start_series(4)
    for number, words in running_processes(mark).items():
        if "multiprocessing" in words or number == series.pid:
            os.kill(number, ending)
    _, said = series.communicate(timeout=TIMEOUT)
    assert surviving_processes(mark, TIMEOUT) == {}
    assert said.splitlines() == ["Stopped after 0 of 4 games."]


def test_programs_end_with_a_killed_worker(start_series: StartProcess, mark: str) -> None:
    series = start_series(2)
    workers = [number for number, words in running_processes(mark).items() if "spawn_main" in words]
    assert len(workers) == 2
    os.kill(workers[0], signal.SIGKILL)
    _, said = series.communicate(timeout=TIMEOUT)
    assert surviving_processes(mark, TIMEOUT) == {}
    died = "flicksim: a worker died before it was done (killed, or out of memory)"
    assert said.endswith(f"{died}. Stopped after 0 of 2 games.\n")


@pytest.mark.parametrize("twice", few_then_long([False, True], 1))
def test_long_tasks_are_abandoned_after_the_grace_period(
    start_process: StartProcess, mark: str, tmp_path: Path, twice: bool
) -> None:
    working = start_process("tests.robustness.worker_script", tmp_path)
    assert working.stdout.readline() == "done 0\n"  # on a busy machine a worker may begin the next before this is told
    wait_until(lambda: (tmp_path / "begun-2").exists())
    working.send_signal(signal.SIGINT)
    if twice:
        sleep(0.2)
        working.send_signal(signal.SIGINT)
    done, said = working.communicate(timeout=TIMEOUT)
    assert done.splitlines() == ["stopped"]
    assert (working.returncode, said) == (1, "")
    assert surviving_processes(mark, TIMEOUT) == {}


@pytest.mark.parametrize("ending", ["killed", "stopped"])
def test_a_half_written_result_holds_up_nothing(start_process: StartProcess, mark: str, ending: str) -> None:
    """The rest never comes, as the worker was killed, where memory is short or after Ctrl-C."""
    working = start_process("tests.robustness.worker_script", ending)
    done, said = working.communicate(timeout=TIMEOUT)
    assert (working.returncode, done) == (1, "stopped\n" if ending == "stopped" else "")
    assert ("WorkersLost: a worker died before it was done" in said) == (ending == "killed")
    assert surviving_processes(mark, TIMEOUT) == {}


def test_short_tasks_finish_within_the_grace_period() -> None:
    with defer_interrupts():
        os.kill(os.getpid(), signal.SIGTERM)
        wait_until(interrupt_pending)
        sleep(0.1)
        with pytest.raises(KeyboardInterrupt):
            check_interrupt()
    assert not interrupt_pending()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def pressed(*endings: int) -> None:
    """Be told to end, and do nothing about it."""
    with defer_interrupts():
        for ending in endings:
            os.kill(os.getpid(), ending)
            wait_until(interrupt_pending)
        sleep(TIMEOUT)
    raise AssertionError("nothing was heard")


@pytest.mark.parametrize("endings", [(signal.SIGINT,), (signal.SIGHUP, signal.SIGINT)])
def test_interrupt_without_a_safe_point(endings: tuple[int, ...]) -> None:
    with pytest.raises(KeyboardInterrupt):
        pressed(*endings)


def test_ignored_signal_stays_ignored() -> None:
    """As under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with defer_interrupts():
            os.kill(os.getpid(), signal.SIGHUP)
            assert not interrupt_pending()
            check_interrupt()
    finally:
        signal.signal(signal.SIGHUP, before)


def test_search_stops_before_its_next_shot() -> None:
    match = new_match("penny-white", "bot:world", "bot:world")
    with defer_interrupts():
        os.kill(os.getpid(), signal.SIGINT)
        wait_until(interrupt_pending)
        with pytest.raises(KeyboardInterrupt):
            match.ask_player()
    assert not match.turns


@pytest.mark.parametrize(
    "ending", few_then_long([signal.SIGINT, signal.SIGTERM, signal.SIGHUP], 1), ids=lambda one: one.name
)
def test_interrupted_command_reports_it(start_process: StartProcess, ending: int) -> None:
    """It waits for a flick that nobody types."""
    words = ("simulate", ROOT / "assets" / "scenes" / "draw.json", "/dev/stdin")
    waiting = start_process("flicksim", *words, deaf=ending == signal.SIGTERM)
    waiting.stdin.write(" " * 500_000)  # more than goes into a pipe: it has begun to read
    waiting.stdin.flush()
    waiting.send_signal(ending)
    done, said = waiting.communicate(timeout=TIMEOUT)
    assert (waiting.returncode, done, said) == (1, "", "flicksim: stopped\n")


def test_interrupted_report_leaves_no_partial_file(start_process: StartProcess, tmp_path: Path) -> None:
    list(Run(make_experiment(shots=60), tmp_path / "out"))
    before = {path.name for path in (tmp_path / "out").iterdir()}
    report = start_process("flicksim", "report", "out", deaf=True)
    wait_until(lambda: len(list((tmp_path / "out").iterdir())) > len(before))
    report.send_signal(signal.SIGTERM)
    _, said = report.communicate(timeout=TIMEOUT)
    assert (report.returncode, said) == (1, "flicksim: stopped\n")
    left_there = {path.name for path in (tmp_path / "out").iterdir()} - before
    assert "report.html" not in left_there
    assert not [name for name in left_there if not name.endswith(".png") or name.startswith(".")]


HELPED = """
import subprocess, sys, os
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
import json
for line in sys.stdin:
    print(json.dumps(json.loads(line)["actions"][0]), flush=True)
"""


def test_child_of_a_program_does_not_survive_the_game(start_process: StartProcess, mark: str, tmp_path: Path) -> None:
    """The program itself ends as soon as its input does; what it started would go on."""
    program = tmp_path / "helped.py"
    program.write_text(HELPED)
    seat = f"cmd:{quote(sys.executable)} {quote(str(program))}"
    game = start_process(
        "flicksim", "play", "dominoes", "--headless", "--seat", seat, "--seat", "random", "-o", "rounds=1"
    )
    said, _ = game.communicate(timeout=TIMEOUT)
    assert game.returncode == 0
    assert "forfeits" not in said
    assert surviving_processes(mark, TIMEOUT) == {}
