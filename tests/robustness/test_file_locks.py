"""File locks: records, series, results, saved games and settings have one writer at a time."""

import os
import sqlite3
from errno import EACCES
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchmarks.tampered_records import play_turn
from flicksim.core.errors import FileInaccessible, FileLocked
from flicksim.core.file_lock import FileLock
from flicksim.experiments import Run, read_experiment, read_results
from flicksim.gui.match import saved_games
from flicksim.gui.startup import create_window
from flicksim.gui.toolkit.preferences import FILE_NAME, Preferences, load_preferences
from flicksim.match import Recorder, match_header, parse_seat, play_series
from tests.cli_runner import begin
from tests.matches import new_match
from tests.polling import TIMEOUT
from tests.robustness.command_answers import answer, verify

SEATS = ("random", "random")
ME = f"process {os.getpid()}, since"


def begin_record(path: Path, turns: int = 3, seats: tuple[str, ...] = SEATS) -> None:
    """A record of the first turns of a game."""
    match = new_match("dominoes", *seats, seed=3, rounds=3)
    with Recorder(path, match_header(match, seats), durable=False) as recorder:
        for _ in range(turns):
            recorder.write_turn(play_turn(match))


@pytest.mark.parametrize(
    "words", [["play", "--resume", "{}", "--headless"], ["play", "dominoes", "--seat", "random", "--seat", "random",
              "--headless", "--record", "{}"]],
)  # fmt: skip
def test_record_being_written_is_locked(tmp_path: Path, words: list[str]) -> None:
    path = tmp_path / "game.jsonl"
    begin_record(path)
    before = path.read_bytes()
    with FileLock(path):
        said = answer(*(word.format(path) for word in words), code=2)
    assert "game.jsonl' is being written by" in said.err
    assert ME in said.err
    assert path.read_bytes() == before


def test_two_processes_resume_one_record(tmp_path: Path) -> None:
    """One of them does; the other says so and ends, or finds the game finished."""
    path = tmp_path / "game.jsonl"
    begin_record(path)
    both = [begin("play", "--resume", path, "--headless") for _ in range(2)]
    errors = [process.communicate(timeout=TIMEOUT)[1] for process in both]
    assert sorted(process.returncode for process in both) == [0, 2], errors
    assert any(word in "".join(errors) for word in ("is being written by", "is finished", "was written on"))
    assert "not finished" not in verify(path).out


def test_record_is_readable_while_written(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    begin_record(path)
    with FileLock(path):
        assert "not finished" in verify(path).out


def test_record_folder_is_locked_by_its_series(tmp_path: Path) -> None:
    seats, folder = [parse_seat(word) for word in SEATS], tmp_path / "all"
    first = play_series("dominoes", {"rounds": 1}, seats, 2, 1, folder=folder)
    next(first)
    with pytest.raises(FileLocked, match=ME):
        next(play_series("dominoes", {"rounds": 1}, seats, 2, 1, folder=folder))
    assert len(list(first)) == 1
    assert sorted(path.name for path in folder.iterdir()) == ["game-00001.jsonl", "game-00002.jsonl"]


@pytest.mark.parametrize("store", ["sqlite", "parquet"])
def test_results_folder_is_locked_by_its_run(tmp_path: Path, store: str) -> None:
    asked, folder = read_experiment("jack-hugging"), tmp_path / "results"
    run = Run(asked, folder, shots=6, chunk=2, store=store)
    shots = iter(run)
    next(shots)
    for resume in (True, False):
        with pytest.raises(FileLocked, match=ME):
            Run(asked, folder, shots=6, chunk=2, store=store, resume=resume)
    assert list(shots) == [4, 6]
    again = Run(asked, folder, shots=6, store=store, resume=True)
    assert list(again) == []
    assert again.manifest.hash == run.manifest.hash
    assert not (folder / ".lock").exists()


@pytest.mark.parametrize("file", ["shots.sqlite", "manifest.json"])
def test_results_that_cannot_be_reached_are_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, file: str
) -> None:
    """Nobody is to run an experiment again because another program has its results open, or they may not be read."""

    def open_file(self: Path, *words: Any, **options: Any) -> Any:
        if self.name == "manifest.json":
            raise PermissionError(EACCES, "Permission denied")
        return original(self, *words, **options)

    asked, folder = read_experiment("jack-hugging"), tmp_path / "results"
    list(Run(asked, folder, shots=6))
    original = Path.open
    if file == "manifest.json":
        monkeypatch.setattr(Path, "open", open_file)
        problem, kind = r"^cannot read '.*manifest.json': permission denied$", FileInaccessible
    else:
        other = sqlite3.connect(folder / file)
        request.addfinalizer(other.close)
        other.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, timeout=0.0))
        problem, kind = "shots.sqlite' is in use by another program .*wait until it is done$", FileLocked
    for opened in (lambda: read_results(folder), lambda: Run(asked, folder, shots=9, resume=True)):
        with pytest.raises(kind, match=problem):
            opened()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FLICKSIM_HOME", str(tmp_path))
    return tmp_path


def test_saved_game_is_resumed_once(home: Path) -> None:
    path = home / "data" / "games" / "game-0001.jsonl"
    path.parent.mkdir(parents=True)
    begin_record(path, seats=("human", "random"))
    first = saved_games.resume(path)
    with pytest.raises(FileLocked, match="being played in another flicksim window"):
        saved_games.resume(path)
    assert saved_games.resume(path, is_recording=False).recorder is None
    first.recorder.close()
    second = saved_games.resume(path)
    second.recorder.close()


def test_two_windows_start_separate_games(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = new_match("dominoes", *SEATS, seed=3)
    one, other = saved_games.GameSaver(match, SEATS), saved_games.GameSaver(match, SEATS)
    turn = match.play(match.ask_player())
    one.write_turn(turn)
    monkeypatch.setattr(Path, "glob", lambda *_: iter(()))  # the other looked before the first had begun
    other.write_turn(turn)
    monkeypatch.undo()
    one.close()
    other.close()
    records = sorted(path.name for path in (home / "data" / "games").glob("*.jsonl"))
    assert records == ["game-0001.jsonl", "game-0002.jsonl"]


def test_second_window_does_not_save_settings(home: Path) -> None:
    (home / "config").mkdir()
    first = create_window()
    assert first.notice.text == ""
    second = create_window()
    assert "Another flicksim window is open here" in second.notice.text
    assert len(second.notice.text) < 120
    first.preferences.palette, second.preferences.palette = "light", "tritan"
    first.apply_preferences()
    second.notice.text = ""
    second.apply_preferences()
    assert "Another flicksim window is open here" in second.notice.text
    assert load_preferences() == (Preferences(palette="light"), "")
    first.close()
    second.apply_preferences()
    assert load_preferences()[0].palette == "tritan"
    second.close()
    assert [path.name for path in (home / "config").iterdir()] == [FILE_NAME]
