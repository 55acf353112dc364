"""Atomic writes on a full disk: an error message, the old file, no temporary files."""

import ast
import errno
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pygame
import pytest

from benchmarks import gif_memory
from flicksim import gui
from flicksim.core.errors import InvalidFile
from flicksim.experiments import Run, read_results, write_report
from flicksim.gui.app.application import App
from flicksim.gui.app.settings import SettingsScreen
from flicksim.gui.toolkit.preferences import Preferences, save_preferences
from flicksim.scene import samples
from tests.cli_runner import ROOT
from tests.experiments.custom_measures import make_experiment
from tests.gui.conftest import Driver, app, home, penny_white_match  # noqa: F401

SMALL = 4096
"""Bytes that the full disk still takes of every file: less than a picture."""


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Call it, and from then on nothing gets as far as the disk."""

    def said(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    return lambda: monkeypatch.setattr(os, "fsync", said)


def list_files(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {str(one.relative_to(folder)): one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}


def test_a_picture(tmp_path: Path, full: Callable[[], None]) -> None:
    (tmp_path / "old.png").write_bytes(b"as it was")
    full()
    for name in ("new.png", "old.png"):
        with pytest.raises(InvalidFile, match=rf"cannot write .*{name}': no space left on device"):
            gui.save_image(samples.sample("draw")[0], tmp_path / name)
    assert list_files(tmp_path) == {"old.png": b"as it was"}


def test_a_gif(tmp_path: Path, full: Callable[[], None]) -> None:
    match = penny_white_match("bot:beginner", "bot:beginner")
    turn = match.play(match.ask_player())
    full()
    with pytest.raises(InvalidFile, match=r"cannot write .*a\.gif': no space left on device"):
        gui.save_gif(match.game, [turn], tmp_path / "a.gif")
    assert list_files(tmp_path) == {}


def test_gifs_of_long_games() -> None:
    """The fast part of `python -m benchmarks.gif_memory`."""
    found = gif_memory.run_trials(20, 1, [3])
    assert found.findings == []
    assert found.total("frames") >= 20


def test_a_report_and_a_manifest(tmp_path: Path, full: Callable[[], None]) -> None:
    list(Run(make_experiment(shots=60), tmp_path / "out"))
    results = read_results(tmp_path / "out")
    before = list_files(tmp_path)
    full()
    with pytest.raises(InvalidFile, match=r"\.png': no space left on device"):
        write_report(tmp_path / "out", *results)
    assert list_files(tmp_path) == before
    with pytest.raises(InvalidFile, match=r"manifest\.json': no space left on device"):
        Run(make_experiment(shots=60), tmp_path / "out", resume=True)
    assert list_files(tmp_path) == before


def test_settings(home: Path, full: Callable[[], None]) -> None:  # noqa: F811
    save_preferences(Preferences(volume=0.25))
    before = list_files(home)
    full()
    with pytest.raises(InvalidFile, match=r"settings\.json': no space left on device"):
        save_preferences(Preferences(volume=0.5))
    assert list_files(home) == before


def test_window_reports_a_full_disk(home: Path, app: App, full: Callable[[], None]) -> None:  # noqa: F811
    app.replace_all(SettingsScreen(app))
    Driver(app).frames()
    full()
    Driver(app).key(pygame.K_F12)
    assert app.notice.text.startswith("No picture was kept: cannot write")
    assert app.notice.text.endswith("no space left on device.")
    assert list_files(home) == {}


def test_cli_reports_the_error_with_exit_code_2(tmp_path: Path) -> None:
    """Here the system itself refuses, in the middle of the file."""
    words = ("-m", "flicksim", "position", "pile_of_three", "--png", "a.png")
    done = subprocess.run(
        [sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, SMALL)),
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert done.stderr == "flicksim: cannot write 'a.png': file too large\n"
    assert list_files(tmp_path) == {}


def _writes(call: ast.Call) -> bool:
    """Return True if a call opens a file for writing."""
    match call.func:
        case ast.Attribute(attr="write_text" | "write_bytes"):
            return True
        case ast.Attribute(attr="open") | ast.Name(id="open"):
            modes = [node.value for one in call.args for node in ast.walk(one) if isinstance(node, ast.Constant)]
            return any(isinstance(mode, str) and mode[:1] in ("w", "a", "x") for mode in modes)
    return False


def test_only_atomic_files_writes_complete_files() -> None:
    """Records and curves are appended to, a line at a time; all else goes through `flicksim.core.atomic_files`."""
    own = {"flicksim/core/atomic_files.py", "flicksim/match/record_format.py", "flicksim/training/learning_curve.py"}
    found = {
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "flicksim").rglob("*.py"))
        if re.search(r"write_text|write_bytes|open", text := path.read_text())
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and _writes(node)
    }
    assert found == own
