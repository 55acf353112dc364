"""Commands for experiments: output, exit codes, errors in one sentence."""

import json
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from flicksim.cli.formatting import ProgressBar
from flicksim.experiments import Run, run_experiment
from tests.cli_runner import assert_error, begin, invoke, run
from tests.polling import TIMEOUT, wait_until

QUESTION = """
title = "a draw"
scene = "draw"
hand = "club"
measure = ["distance white", "beside:past"]
shots = 40
[flick]
piece = "a"
target = "white"
overshoot = { values = [-0.02, 0.02] }
"""

BESIDE = """
def past(shot) -> bool:
    return shot.motion.after.piece("a").y > shot.motion.after.piece("white").y
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Current folder, with a question and a measure of its own."""
    (tmp_path / "q.toml").write_text(QUESTION)
    (tmp_path / "beside.py").write_text(BESIDE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_experiment_is_run_resumed_and_reported(folder: Path) -> None:
    """A measure of one's own lies beside the file and is found by two workers too."""
    assert_error("experiment", "q.toml", "--out", "one", message="if you trust it, give --trust (in")
    assert not (folder / "one").exists()
    alone = json.loads(run("experiment", "q.toml", "--out", "one", "--json", "--trust").stdout)
    assert (alone["done"], alone["failed"], alone["experiment"]["title"]) == (40, 0, "a draw")
    two = run("experiment", "q.toml", "--out", "two", "--jobs", "2", "--shots", "20", "--trust")
    assert re.search(
        r"20 shots simulated in \d+\.\d s, the start of its workers included; 20 kept in two\.", two.stdout
    )
    assert "cells" not in two.stderr
    held = "holds 20 of 20 shots of this experiment; `flicksim report` shows them"
    assert_error("experiment", "q.toml", "--out", "two", message=held)
    assert_error("experiment", "q.toml", "--out", "two", "--resume", message="if you trust it, give --trust (in")
    words = ("experiment", "q.toml", "--out", "two", "--resume", "--trust")
    manifest = folder / "two" / "manifest.json"
    manifest.write_text(re.sub(r'"seconds": [0-9.]+', '"seconds": 5000.0', manifest.read_text()))
    more = run(*words, "--shots", "40", "--format", "parquet")
    assert alone["hash"] in more.stdout
    assert re.search(r"20 shots simulated in \d\d?\.\d s; 40 kept in two\.", more.stdout), "of this run alone"
    stays = "The results stay in sqlite, in which the run was begun; --format parquet is for a new one.\n"
    assert stays in more.stderr
    assert "stay" not in run(*words, "--format", "sqlite").stderr
    report = json.loads(run("report", "two", "--json").stdout)
    assert (folder / report["page"]).read_text().startswith("<!doctype html>")
    assert [Path(picture).name for picture in report["pictures"]] == ["curve-distance_white.png", "curve-past.png"]


def test_errors_are_one_sentence(folder: Path) -> None:
    assert_error("experiment", "nosuch", message="no experiment 'nosuch'; shipped ones are")
    (folder / "bad.toml").write_text(QUESTION.replace("shots = 40", "shoots = 40"))
    assert_error("experiment", "bad.toml", "--out", "x", message="unknown key 'shoots'")
    assert_error("experiment", "nothing", "--out", "x", message="shipped ones are")
    assert_error("experiment", "q.toml", message="name a folder for the results: --out DIR")
    assert_error("experiment", "q.toml", "--out", "x", "--format", "csv", "--trust", message="no store 'csv'")
    assert_error("experiment", "q.toml", "--out", ".", message="holds 'bad.toml' and no experiment")
    assert_error("report", "nowhere", message="'nowhere' does not exist; name a folder of results")
    assert_error("experiment", "q.toml", "--out", "y", "--dask", "tcp://", message="is no address of a scheduler")
    assert_error("tournament", "penny-white", "--seat", "random", message="at least two players")
    assert not (folder / "x").exists()


def test_fewer_shots_than_cells_are_told(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    words = ("experiment", folder / "q.toml", "--out", folder / "few", "--shots")
    invoke(*words, "1", "--trust")
    (folder / "plain.toml").write_text(QUESTION.replace(', "beside:past"', ""))
    run_experiment(folder / "plain.toml", shots=1)
    assert caplog.messages == ["1 shot for a grid of 2 cells, of which 1 will be empty; 2 shots give each one."] * 2
    invoke(*words, "2", "--trust", "--resume")
    assert len(caplog.messages) == 2


def test_titles_are_escaped(folder: Path) -> None:
    (folder / "odd.toml").write_text(QUESTION.replace("a draw", "[/red] 1 [bold]"))
    made = run("experiment", "odd.toml", "--out", "odd", "--trust")
    assert "[/red] 1 [bold]: 40 shots simulated" in made.stdout


def test_shipped_experiments_are_listed() -> None:
    found = json.loads(run("experiment", "--json").stdout)
    assert {"pot-chance", "squop-landscape", "jack-hugging", "sensitivity-coins"} <= {one["name"] for one in found}
    assert "pot-chance" in run("experiment").stdout


def test_a_tournament_prints_text_and_json() -> None:
    words = ("penny-white", "--seat", "random", "--seat", "bot:beginner", "--games", 2, "-o", "ends=1")
    found = json.loads(run("tournament", *words, "--json").stdout)
    assert (found["games"], len(found["places"])) == (2, 2)
    assert json.loads(run("tournament", *words, "--json", "--jobs", "2").stdout) == found
    assert "95 % interval" in run("tournament", *words).stdout


def test_a_program_from_outside_is_rated(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps(json.loads(line)['actions'][0]), flush=True)\n"
    )  # fmt: skip
    program = f"cmd:{sys.executable} {tmp_path / 'player.py'}"
    words = ("tournament", "dominoes", "--seat", program, "--seat", "random", "--games", "4", "-o", "rounds=1")
    found = json.loads(run(*words, "--json").stdout)
    assert {place["player"] for place in found["places"]} == {program, "random"}
    for place in found["places"]:
        assert place["forfeits"] == 0
        assert place["rating"]["low"] < place["rating"]["points"] < place["rating"]["high"]
    told = run(*words).stdout
    assert "Elo" in told
    assert "fitted by maximum likelihood (Bradley-Terry), a draw as half a win" in told


@pytest.mark.parametrize(
    ("jobs", "ending", "deaf"),
    [
        ("1", signal.SIGINT, False), ("2", signal.SIGINT, False),
        pytest.param("2", signal.SIGTERM, True, marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_an_interrupted_command_reports_the_stored_shots(folder: Path, jobs: str, ending: int, deaf: bool) -> None:
    """By Ctrl-C; or by SIGTERM where Ctrl-C is ignored, as by what a shell begins with "&"."""
    words = ("experiment", "q.toml", "--out", "out", "--shots", 100_000, "--batch-size", 20, "--jobs", jobs, "--trust")
    process = begin(*words, deaf=deaf)
    try:
        base = folder / "out" / "shots.sqlite"
        wait_until(lambda: base.exists() and base.stat().st_size >= 20_000)
        process.send_signal(ending)
        _, text = process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
    assert process.returncode == 1, text
    stored = json.loads((folder / "out" / "manifest.json").read_text())["done"]
    assert stored > 0
    assert f"Stopped with {stored} of 100000 shots saved; `flicksim report out` shows them" in text
    assert "the same command with --resume goes on." in text
    assert "Traceback" not in text


def test_a_command_interrupted_before_its_first_shot_names_no_report(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(started: Run) -> Iterator[int]:
        started.release()
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "__iter__", stop)
    told = invoke("experiment", folder / "q.toml", "--out", folder / "out", "--trust", "--shots", "9", code=1)
    assert "Stopped with 0 of 9 shots saved; the same command with --resume goes on." in told.stderr


def test_the_bar_tells_that_workers_start(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def chunks(started: Run) -> Iterator[int]:
        for done in (1, 2):
            told.append(ProgressBar.active[0].tasks[0].description)
            yield done
        started.release()

    monkeypatch.setattr(Run, "__iter__", chunks)
    for jobs in ("1", "2"):
        invoke("experiment", folder / "q.toml", "--out", folder / jobs, "--trust", "--jobs", jobs)
    title = told[0]
    assert told == [title, title, f"{title}: 2 workers start", title]


def test_an_interrupt_before_the_first_shot_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As while the physics is compiled."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("flicksim.experiments.Run", interrupted)
    done = invoke("experiment", folder / "q.toml", "--out", folder / "out", "--trust", code=1)
    assert done.output == "Stopped before any more shots were saved; give the same command again.\n"
