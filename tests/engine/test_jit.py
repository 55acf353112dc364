"""The cache of compiled code knows by what it is compiled from whether it is still valid."""

import importlib
import os
import sys
from multiprocessing import current_process
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from flicksim.core.paths import CACHE_VARIABLE
from flicksim.engine import jit

pytest.importorskip("numba")

_HELPER = """
from typing import NamedTuple
from flicksim.engine.jit import njit
SCALE = 2.0
class State(NamedTuple):
    x: float
    v: float
@njit
def half(x: float) -> float:
    return x / SCALE
"""
_KERNELS = """
from flicksim.kernel_helper import State, half
from flicksim.engine.jit import njit
TABLE = (1.0, 2.0)
UNUSED = 0
@njit
def top(state: State) -> float:
    return half(state.x) + TABLE[1]
@njit
def other(x: float) -> float:
    return x
"""


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Write two modules, one of which uses the other, with a replacement in their text, and import them afresh."""
    monkeypatch.setattr("flicksim.__path__", [*importlib.import_module("flicksim").__path__, str(tmp_path)])
    names = {"kernel_helper": _HELPER, "kernels": _KERNELS}

    def import_modules(old: str = "", new: str = "") -> ModuleType:
        for name, text in names.items():
            (tmp_path / f"{name}.py").write_text(text.replace(old, new) if old else text)
            sys.modules.pop(f"flicksim.{name}", None)
        importlib.invalidate_caches()
        sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
        try:
            return importlib.import_module("flicksim.kernels")
        finally:
            sys.dont_write_bytecode = before

    yield import_modules
    for name in names:
        sys.modules.pop(f"flicksim.{name}", None)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x / SCALE", "x * SCALE"),
        ("SCALE = 2.0", "SCALE = 3.0"),
        ("TABLE = (1.0, 2.0)", "TABLE = (1.0, 2.5)"),
        ("    x: float\n    v: float", "    v: float\n    x: float"),
        ("+ TABLE[1]", "- TABLE[1]"),
    ],
)
def test_code_of_other_sources_is_never_used(load, old: str, new: str) -> None:
    """A callee, a constant or the order of a tuple's fields in another module decides too."""
    before = load()
    hashes = jit.kernel_hash(before.top), jit.kernel_hash(before.other)
    after = load(old, new)
    assert jit.kernel_hash(after.top) != hashes[0]
    assert jit.kernel_hash(after.other) == hashes[1]


@pytest.mark.parametrize(("old", "new"), [("UNUSED = 0", "UNUSED = 1"), ("SCALE = 2.0", "# A comment.\nSCALE = 2.0")])
def test_a_change_of_nothing_that_a_function_uses_leaves_it_compiled(load, old: str, new: str) -> None:
    before = jit.kernel_hash(load().top)
    assert jit.kernel_hash(load(old, new).top) == before


def test_a_table_of_numbers_is_a_constant_too(load) -> None:
    kernels = load()
    before = jit.kernel_hash.__wrapped__(kernels.top)
    for table in (np.array([1.0, 2.0]), np.array([1.0, 3.0]), np.array([1, 3])):
        kernels.TABLE = table
        after = jit.kernel_hash.__wrapped__(kernels.top)
        assert after != before
        before = after


def test_what_is_older_than_its_source_is_not_used(load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = load()
    monkeypatch.setattr(jit, "cache_dir", lambda: str(tmp_path / "cache"))
    assert not jit.is_cached(kernels.top)
    place = Path(kernels.top.dispatcher.stats.cache_path)
    assert place.parent == tmp_path / "cache" / jit.kernel_hash(kernels.top)
    elsewhere = place.with_name("x") / "kernels.top-1.nbi"
    elsewhere.parent.mkdir()
    elsewhere.touch()
    assert not jit.is_cached(kernels.top), "it is of the same sources in another folder, where numba does not look"
    file = place / elsewhere.name
    file.touch()
    assert jit.is_cached(kernels.top)
    assert jit.is_cached(kernels.top.dispatcher), "the compiler's events are of those"
    assert not jit.is_cached(kernels.other)
    os.utime(tmp_path / "kernels.py", (4e9, 4e9))
    file.touch()
    assert jit.is_cached(kernels.top), "the file was copied from a clock that is ahead of this one"
    os.utime(file, (0.0, 0.0))
    assert not jit.is_cached(kernels.top)


@pytest.fixture
def cached(load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Modules of kernels as of a new start, with a cache folder of their own."""
    (tmp_path / "cache").mkdir()
    monkeypatch.setattr(jit, "cache_dir", lambda: str(tmp_path / "cache"))
    for shown in ("FLICKSIM_COMPILES", "FLICKSIM_NO_CACHE_SHOWN"):
        monkeypatch.setenv(shown, "")  # what is set meanwhile is unset afterwards
        monkeypatch.delenv(shown)
    return load


def test_notice_is_logged_once_and_only_when_something_is_compiled(cached, caplog: pytest.LogCaptureFixture) -> None:
    kernels = cached()
    assert (kernels.other(1.0), kernels.half(3.0)) == (1.0, 1.5)
    assert len(caplog.messages) == 1
    assert caplog.messages[0] == "Code is being compiled, once; the first shot or search waits for it."
    os.environ.pop("FLICKSIM_COMPILES")
    assert cached().other(1.0) == 1.0
    assert len(caplog.messages) == 1, "of a new start, with all on the disk"


def test_the_first_of_several_workers_warns_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A parent that has warned tells its workers so by their environment."""
    monkeypatch.setenv("FLICKSIM_NO_CACHE_SHOWN", "")  # what is set meanwhile is unset afterwards
    monkeypatch.delenv("FLICKSIM_NO_CACHE_SHOWN")
    monkeypatch.setenv(CACHE_VARIABLE, "no whole path")
    monkeypatch.setattr(jit, "parent_process", current_process)
    for name, logged in (("Worker-2", 0), ("Worker-11", 0), ("Worker-1", 1), ("Worker-1", 1)):
        monkeypatch.setattr(current_process(), "name", name)
        assert jit.cache_dir.__wrapped__() == ""
        assert len(caplog.messages) == logged


@pytest.mark.parametrize("reason", ["others may write to", "NUMBA_CACHE_DIR='here' must be a whole path"])
def test_code_is_cached_only_where_nobody_else_may_write(
    reason: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Compiled code is read by `pickle`, which does whatever a file says."""
    monkeypatch.setenv("FLICKSIM_NO_CACHE_SHOWN", "")  # what is set meanwhile is unset afterwards
    monkeypatch.delenv("FLICKSIM_NO_CACHE_SHOWN")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path) if "others" in reason else "")
    monkeypatch.setattr(jit.numba.config, "CACHE_DIR", "here")
    tmp_path.chmod(0o777)
    assert jit.cache_dir.__wrapped__() == ""
    assert reason in caplog.messages[0]


@pytest.mark.parametrize("length", [0, 40, -1])
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_truncated_files_are_compiled_again(cached, tmp_path: Path, kind: str, length: int) -> None:
    assert cached().half(3.0) == 1.5
    (path,) = (tmp_path / "cache").rglob(f"*.{kind}")
    whole = path.read_bytes()
    path.write_bytes(whole[:length])
    assert cached().half(3.0) == 1.5
    assert len(path.read_bytes()) > max(40, len(whole) // 2)
    assert path.read_bytes().endswith(b".")


def test_code_that_cannot_be_stored_runs_all_the_same(cached, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    kernels = cached()
    assert kernels.other.dispatcher is not None
    for folder in sorted((tmp_path / "cache").rglob("*"), reverse=True):
        folder.rmdir()
    (tmp_path / "cache").rmdir()
    (tmp_path / "cache").touch()
    assert kernels.other(2.0) == 2.0
    assert any("is not kept" in message for message in caplog.messages)


def double(x: float) -> float:
    return 2.0 * x


def quadruple(x: float) -> float:
    return double(double(x))


def test_functions_of_the_same_module_are_compiled_with_their_caller() -> None:
    assert jit.kernels_of(quadruple) == [quadruple, double]
    compiled = jit.njit_with_callees(quadruple)
    assert compiled(1.5) == 6.0
    assert jit.is_kernel(double)
    assert jit.kernel_hash(compiled) == jit.kernel_hash(quadruple)


class Inner(NamedTuple):
    factor: float
    numbers: npt.NDArray[np.float64]


class Outer(NamedTuple):
    inner: Inner
    written: npt.NDArray[np.float64]


@jit.njit_no_refcount
def scale_numbers(inner: Inner, i: int) -> float:
    return inner.numbers[i] * inner.factor


def write_scaled(outer: Outer) -> int:
    outer = jit.by_reference(outer)
    for i in range(len(outer.written)):
        outer.written[i] = scale_numbers(outer.inner, i)
    return len(outer.inner.numbers)


@pytest.mark.parametrize("compiled", [jit.njit(write_scaled), jit.njit_entry(write_scaled)])
def test_a_reference_reads_what_its_tuple_holds(compiled) -> None:
    """With and without reference counting, nested tuples too."""
    given = Outer(Inner(2.5, np.array([1.0, 2.0, 3.0])), np.zeros(3))
    for function in (write_scaled, compiled):
        given.written[:] = 0.0
        assert function(given) == 3
        assert given.written.tolist() == [2.5, 5.0, 7.5]
    assert sys.getrefcount(given.written) == sys.getrefcount(np.zeros(3)) + 1, "the tuple's own"
