"""Compiling is told part by part: of all that is needed, and only of what is really compiled."""

from __future__ import annotations

import importlib
import os
from multiprocessing import Pipe
from pathlib import Path

import pytest

from flicksim.physics.flight import bodies, jit
from flicksim.play import Compiling, compiling, while_compiling_is_told
from flicksim.play.workers import listen

pytest.importorskip("numba")


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A file of functions to be compiled, one of which calls the others, kept in a folder of the test's own."""
    monkeypatch.setattr(jit, "kept_in", lambda: str(tmp_path / "kept"))
    (tmp_path / "kept").mkdir()
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "__init__.py").touch()
    (tmp_path / "far" / "away.py").write_text(
        "from flicksim.physics.flight.jit import compiled\n\n\n"
        "@compiled\ndef near(x):\n    return x + 1.0\n\n\n"
        "@compiled\ndef other(x):\n    return x + 2.0\n\n\n"
        "@compiled\ndef both(x):\n    return near(x) * other(x)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(compiling, "_OTHERS", {"far": "both"})
    return lambda: importlib.reload(importlib.import_module("far.away"))


def test_each_part_is_told_and_what_is_only_loaded_is_not(lines) -> None:
    heard: list[Compiling] = []
    with while_compiling_is_told(heard.append):
        assert compiling.told() is not None
        assert lines().both(1.0) == 6.0
    assert [one.done for one in heard if not one.over] == sorted(one.done for one in heard if not one.over)
    assert {one.of for one in heard} == {3}
    assert heard[0] == Compiling("both", 0, 3, False)
    assert heard[-1] == Compiling("both", 3, 3, True)
    assert compiling.told() is None
    del heard[:]
    with while_compiling_is_told(heard.append):
        assert lines().both(1.0) == 6.0, "of a new start, with all on the disk"
    assert heard == []


def test_nothing_else_is_said_while_somebody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FLICKSIM_COMPILES", raising=False)
    with while_compiling_is_told(lambda _: None):
        assert "FLICKSIM_COMPILES" in os.environ
    assert "FLICKSIM_COMPILES" not in os.environ


def test_what_was_said_before_stays_said_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLICKSIM_COMPILES", "before")
    with while_compiling_is_told(lambda _: None):
        assert os.environ["FLICKSIM_COMPILES"] == "1"
    assert os.environ["FLICKSIM_COMPILES"] == "before"


def test_the_word_is_the_one_by_which_the_physics_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two rooms spell it each for itself: the physics must not know who plays."""
    monkeypatch.delenv("FLICKSIM_COMPILES", raising=False)
    before = dict(os.environ)
    with while_compiling_is_told(lambda _: None):
        (word,) = os.environ.keys() - before.keys()
    assert f'"{word}"' in Path(jit.__file__).read_text(encoding="utf-8")


def test_what_is_older_than_its_source_is_not_kept(lines, tmp_path: Path) -> None:
    away, kept = lines(), tmp_path / "kept"
    assert not compiling.is_kept(away.both, kept)
    (kept / "far_x").mkdir()
    file = kept / "far_x" / "away.both-1.nbi"
    file.touch()
    assert compiling.is_kept(away.both, kept)
    assert not compiling.is_kept(away.near, kept)
    os.utime(file, (0.0, 0.0))
    assert not compiling.is_kept(away.both, kept)


def test_a_room_is_told_as_a_whole_whichever_part_comes_first() -> None:
    what, parts = compiling.all_of(bodies.set_spin)
    assert what == "the flight of winks"
    assert len(parts) > 50
    assert {"flicksim.physics.flight.advance.advance", "flicksim.physics.flight.bodies.set_spin"} <= set(parts)
    assert all(name.startswith("flicksim.physics.flight.") for name in parts)


def test_workers_that_compile_the_same_are_told_of_as_one() -> None:
    heard: list[Compiling] = []
    ours, theirs = Pipe(duplex=False)
    for done in (0, 1, 0, 1, 2):
        theirs.send(Compiling("the flight of winks", done, 3, False))
    theirs.close()
    with while_compiling_is_told(heard.append):
        listen(ours)
    assert [one.done for one in heard] == [0, 1, 1, 2]


def test_one_part_after_another_of_the_same_adds_up(lines) -> None:
    heard: list[Compiling] = []
    with while_compiling_is_told(heard.append):
        away = lines()
        away.near(1.0)
        away.other(1.0)
    assert heard[-1] == Compiling("both", 2, 2, True)
