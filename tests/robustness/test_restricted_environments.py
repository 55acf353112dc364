"""Restricted environments: no home, no cache, read-only folders."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import pygame
import pytest

from flicksim.core.errors import InvalidInput
from flicksim.core.paths import CACHE_VARIABLE, HOME_VARIABLE, make_private_dir, untrusted_reason, user_dir
from flicksim.gui.app.application import App
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.menus.open_files import OpenScreen
from flicksim.gui.startup import open_window
from tests.cli_runner import ROOT, assert_error
from tests.gui.conftest import Driver
from tests.polling import TIMEOUT

READ_ONLY_ENV = "/proc/nope"
"""A folder that not even the owner of the machine can make."""
NO_HOME_ENV = dict.fromkeys(
    ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_PICTURES_DIR"), READ_ONLY_ENV
)


def shell(*words: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """An interpreter in that folder, for a user without a home."""
    spoken = {**os.environ, **NO_HOME_ENV, "PYTHONPATH": str(ROOT), **environment}
    spoken.pop("MPLCONFIGDIR", None)
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=spoken, timeout=TIMEOUT, check=False)


def flicksim(*words: str | Path, cwd: Path) -> str:
    """Output of the command; nothing goes wrong, and nothing is said beside it."""
    done = shell("-m", "flicksim", *words, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_cli_without_a_home(tmp_path: Path) -> None:
    assert flicksim("--version", cwd=tmp_path).startswith("flicksim ")
    told = flicksim(
        "simulate", ROOT / "assets/scenes/draw.json", ROOT / "assets/flicks/draw.json", "--png", "a.png", "--json",
        cwd=tmp_path,
    )  # fmt: skip
    assert json.loads(told)["settled"]
    played = ("play", "penny-white", "--seat", "random", "--seat", "random", "-o", "ends=1", "--headless")
    flicksim(*played, "--record", "game.jsonl", cwd=tmp_path)
    assert "is the same" in flicksim("replay", "game.jsonl", "--verify", cwd=tmp_path)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.png", "game.jsonl"]


@pytest.mark.long
def test_report_without_a_home(tmp_path: Path) -> None:
    question = {
        "title": "a draw", "scene": "draw", "hand": "club", "measure": ["distance white"], "shots": 20,
        "flick": {"piece": "a", "target": "white", "overshoot": {"values": [-0.02, 0.02]}},
    }  # fmt: skip
    (tmp_path / "q.json").write_text(json.dumps(question))
    # what is compiled where nothing can be kept is tried below
    made = shell("-m", "flicksim", "experiment", "q.json", "--out", "out", "--json", cwd=tmp_path, FLICKSIM_PLAIN="1")
    assert made.returncode == 0, made.stderr
    assert "and a picture are written" in flicksim("report", "out", cwd=tmp_path)


CODE = """
import sys
from multiprocessing import get_context
from flicksim.engine.jit import njit

@njit
def half(x: float) -> float:
    return x / 2.0

@njit
def quarter(x: float) -> float:
    return half(half(x))

if __name__ == "__main__":
    print(quarter(8.0), half(3.0))
    if sys.argv[1:]:
        with get_context("spawn").Pool(2) as pool:
            print(pool.map(quarter, [4.0, 2.0]))
"""
"""Script of the physics, in small, here and if so asked in two workers."""
COMPILES = find_spec("numba") is not None


@pytest.mark.parametrize(
    ("home", "words", "why"),
    [
        ({}, ["workers"], "cannot be written (no such file or directory); FLICKSIM_CACHE may name another folder"),
        pytest.param(
            {CACHE_VARIABLE: "/dev/null"}, [], "cannot be written (not a directory); FLICKSIM_CACHE may name another",
            marks=pytest.mark.long,
        ),
        ({CACHE_VARIABLE: "here"}, [], "FLICKSIM_CACHE='here' must be a whole path, from the root on"),
        pytest.param(
            {"NUMBA_CACHE_DIR": "here"}, [], "NUMBA_CACHE_DIR='here' must be a whole path, from the root on",
            marks=pytest.mark.long,
        ),
    ],
)  # fmt: skip
def test_compilation_without_a_cache_warns_once(
    tmp_path: Path, home: Mapping[str, str], words: list[str], why: str
) -> None:
    (tmp_path / "small.py").write_text(CODE)
    done = shell("small.py", *words, cwd=tmp_path, **home)
    assert (done.returncode, done.stdout) == (0, "2.0 1.5\n" + ("[1.0, 0.5]\n" if words else "")), done.stderr
    assert done.stderr.count("\n") == (1 if COMPILES else 0), done.stderr
    if COMPILES:
        assert done.stderr.startswith("The compiled physics is not kept, and compiled anew each time: ")
        assert why in done.stderr
    assert [one.name for one in tmp_path.iterdir() if one.name != "__pycache__"] == ["small.py"]


@pytest.mark.long
def test_cache_is_reused_and_truncated_entries_are_rebuilt(tmp_path: Path) -> None:
    (tmp_path / "small.py").write_text(CODE)
    home = tmp_path / "home"
    for spoil in (b"", None, b"cut"):
        variables = {HOME_VARIABLE: str(tmp_path / "elsewhere"), CACHE_VARIABLE: str(home)}
        done = shell("small.py", "workers", cwd=tmp_path, **variables)
        assert (done.returncode, done.stdout, done.stderr) == (0, "2.0 1.5\n[1.0, 0.5]\n", "")
        files = [one for one in home.rglob("*") if one.is_file()]
        assert len(files) == (4 if COMPILES else 0)
        for path in files:
            if spoil is not None:
                path.write_bytes(path.read_bytes()[:40] if spoil else b"")


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
def test_cache_writable_by_others_is_not_loaded(tmp_path: Path) -> None:
    """Compiled code is read by `pickle`, which does whatever a file says."""
    (tmp_path / "small.py").write_text(CODE)
    cache = tmp_path / "cache"
    assert shell("small.py", cwd=tmp_path, **{CACHE_VARIABLE: str(cache)}).returncode == 0
    planted = [one for one in cache.rglob("*") if one.is_file()]
    for path in planted:
        path.write_bytes(PLANTED)
    cache.chmod(0o777)
    done = shell("small.py", "workers", cwd=tmp_path, **{CACHE_VARIABLE: str(cache)})
    assert (done.returncode, done.stdout) == (0, "2.0 1.5\n[1.0, 0.5]\n"), done.stderr
    said = f"others may write to {str(cache.resolve())!r}; FLICKSIM_CACHE may name another folder."
    assert done.stderr.count("\n") == (1 if COMPILES else 0)
    assert said in done.stderr or not COMPILES
    assert all(path.read_bytes() == PLANTED for path in planted)


PLANTED = b"cos\n_exit\n(I7\ntR."
"""A pickle that ends the process that reads it, with exit code 7."""


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
def test_private_cache_folder_is_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "common" / "cache"
    folder = make_private_dir(cache / "compiled", cache)
    assert (folder.stat().st_mode & 0o777, cache.stat().st_mode & 0o777) == (0o700, 0o700)
    (folder / "one").write_bytes(b"")
    assert untrusted_reason(folder, cache) == ""
    (folder / "one").chmod(0o666)
    assert untrusted_reason(folder, cache) == "", "nobody else comes to it"
    folder.chmod(0o711)
    assert untrusted_reason(folder, cache) == f"others may write to {str(folder / 'one')!r}"
    (folder / "one").chmod(0o644)
    assert untrusted_reason(folder, cache) == ""
    cache.parent.chmod(0o777)
    assert untrusted_reason(folder, cache) == f"others may write to {str(cache.parent)!r}"
    cache.parent.chmod(0o1777)  # as in a common folder for temporary files, nobody can put another in its place
    assert untrusted_reason(folder, cache) == ""
    cache.chmod(0o770)
    assert untrusted_reason(folder, cache) == f"others may write to {str(cache)!r}"
    cache.chmod(0o700)
    monkeypatch.setattr(os, "getuid", lambda: (folder / "one").stat().st_uid + 1)
    assert untrusted_reason(folder, cache) == f"{str(folder)!r} belongs to another user"


@pytest.mark.parametrize("variable", [HOME_VARIABLE, CACHE_VARIABLE])
def test_relative_home_is_refused(variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "mine")
    with pytest.raises(InvalidInput, match=f"{variable}='mine' must be a whole path"):
        user_dir("cache" if variable == CACHE_VARIABLE else "data")
    assert_error("games", message=f"{variable}='mine' must be a whole path", cwd=tmp_path)
    assert not list(tmp_path.iterdir())


def test_cache_folder_is_independent_of_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = user_dir("cache")
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    assert user_dir("cache") == before
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    assert user_dir("cache") == tmp_path / "cache"


def test_user_without_a_home_has_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a folder called "~" where they happen to stand."""
    for name in (HOME_VARIABLE, CACHE_VARIABLE, *NO_HOME_ENV):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert [user_dir(kind) for kind in ("config", "data", "cache")] == [None] * 3
    monkeypatch.setenv(HOME_VARIABLE, "/somewhere")
    assert user_dir("data") == Path("/somewhere/data")


def test_window_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game is begun, a shot made, a picture asked for: what cannot be kept is said, and play goes on."""
    monkeypatch.setenv(HOME_VARIABLE, READ_ONLY_ENV)
    app: App = open_window(None, None, None, None)
    drive = Driver(app)
    try:
        drive.frames(3)
        drive.key(pygame.K_1)
        drive.frames(3)
        drive.key(pygame.K_F12)
        assert "No picture was kept: cannot make the folder" in app.notice.text
        drive.key(pygame.K_RETURN)
        drive.frames(120, 1.0 / 15.0)
        drive.key(pygame.K_F9)
        drive.frames(3)
        app.push(screen := OpenScreen(app, discover_game_views()))
        screen.path.text = "~a-user-who-is-not-there/game.jsonl"
        screen.load_typed_path()
        drive.frames(3)
        assert "is neither a file nor a shared text" in screen.items[0].error
        assert app.running
    finally:
        while app.screens:
            app.screens.pop().close()
        app.sounds.close()
        pygame.event.clear()
        pygame.display.quit()
