"""Compile progress: reported per function, for compiled functions alone."""

import importlib
import os
from multiprocessing import Pipe
from pathlib import Path

import pytest

from flicksim.engine import jit
from flicksim.engine.winks import bodies
from flicksim.match import CompileProgress, compile_progress, report_compiling
from flicksim.match.workers import forward_progress

pytest.importorskip("numba")


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Module of functions to be compiled, one of which calls the others, with a cache folder of its own."""
    monkeypatch.setattr(jit, "cache_dir", lambda: str(tmp_path / "kept"))
    (tmp_path / "kept").mkdir()
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "__init__.py").touch()
    (tmp_path / "far" / "away.py").write_text(
        "from flicksim.engine.jit import njit\n\n\n"
        "@njit\ndef near(x):\n    return x + 1.0\n\n\n"
        "@njit\ndef other(x):\n    return x + 2.0\n\n\n"
        "@njit\ndef both(x):\n    return near(x) * other(x)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(compile_progress, "_PARTIAL_PACKAGES", {"far": "both"})
    return lambda: importlib.reload(importlib.import_module("far.away"))


def test_compiled_functions_are_reported_and_cached_ones_are_not(lines) -> None:
    heard: list[CompileProgress] = []
    with report_compiling(heard.append):
        assert compile_progress.current_listener() is not None
        assert lines().both(1.0) == 6.0
    assert [one.done for one in heard if not one.is_idle] == sorted(one.done for one in heard if not one.is_idle)
    assert {one.total for one in heard} == {3}
    assert heard[0] == CompileProgress("both", 0, 3, False)
    assert heard[-1] == CompileProgress("both", 3, 3, True)
    assert compile_progress.current_listener() is None
    del heard[:]
    with report_compiling(heard.append):
        assert lines().both(1.0) == 6.0, "of a new start, with all on the disk"
    assert heard == []


def test_compile_notice_is_suppressed_while_progress_is_reported_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FLICKSIM_COMPILES", raising=False)
    with report_compiling(lambda _: None):
        assert "FLICKSIM_COMPILES" in os.environ
    assert "FLICKSIM_COMPILES" not in os.environ
    monkeypatch.setenv("FLICKSIM_COMPILES", "before")
    with report_compiling(lambda _: None):
        assert os.environ["FLICKSIM_COMPILES"] == "1"
    assert os.environ["FLICKSIM_COMPILES"] == "before"


def test_environment_variable_equals_that_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both packages define it, as the engine must not import the match."""
    monkeypatch.delenv("FLICKSIM_COMPILES", raising=False)
    before = dict(os.environ)
    with report_compiling(lambda _: None):
        (word,) = os.environ.keys() - before.keys()
    assert f'"{word}"' in Path(jit.__file__).read_text(encoding="utf-8")


def test_package_is_reported_as_a_whole_whichever_function_comes_first() -> None:
    what, parts = compile_progress.functions_compiled_with(bodies.lowest_height)
    assert what == "the simulation of winks"
    assert len(parts) > 40
    assert {
        "flicksim.engine.winks.integrator.simulate_until",
        "flicksim.engine.winks.bodies.lowest_height",
    } <= set(parts)
    assert all(name.startswith("flicksim.engine.winks.") for name in parts)


def test_equal_progress_of_two_workers_is_reported_once() -> None:
    heard: list[CompileProgress] = []
    ours, theirs = Pipe(duplex=False)
    for done in (0, 1, 0, 1, 2):
        theirs.send(CompileProgress("the simulation of winks", done, 3, False))
    theirs.close()
    with report_compiling(heard.append):
        forward_progress(ours)
    assert [one.done for one in heard] == [0, 1, 1, 2]


def test_successive_compilations_of_a_label_add_up(lines) -> None:
    heard: list[CompileProgress] = []
    with report_compiling(heard.append):
        away = lines()
        away.near(1.0)
        away.other(1.0)
    assert heard[-1] == CompileProgress("both", 2, 2, True)
