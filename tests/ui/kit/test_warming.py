"""Physics is made ready beside the window, and shots are made meanwhile."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from flicksim.physics.flight import jit
from flicksim.play import TableStage
from flicksim.table import samples
from flicksim.ui.faces.ice import warm as ice
from flicksim.ui.faces.tiddlywinks import warm as winks
from flicksim.ui.kit import warming
from flicksim.ui.kit.warming import Warming
from flicksim.ui.table import warm as many


def shoot() -> None:
    """Nothing has to be made ready."""


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Nothing is compiled yet, and the compiler goes on until it is told to end."""
    goes_on = Event()
    monkeypatch.setattr(jit, "kept_in", lambda: str(tmp_path))
    monkeypatch.setattr(warming, "_run", lambda _code: goes_on.wait(60.0))
    yield goes_on
    goes_on.set()


def test_a_shot_is_made_while_the_compiler_is_at_work(compiling: Event) -> None:
    one = Warming("The flight of winks", shoot, "flight")
    stage = one.stage(TableStage())
    scene, flick = samples.sample("draw")
    came = stage.settle(scene, flick)
    assert not one.ready
    assert came.after == TableStage().settle(scene, flick).after
    compiling.set()
    one.wait()
    assert one.ready
    assert stage.settle(scene, flick).after == came.after


def test_it_tells_what_is_coming_and_how_long_it_has_been_at_it(compiling: Event) -> None:
    now = [100.0]
    one = Warming("the flight of winks", shoot, "flight", clock=lambda: now[0])
    assert one.says == ""
    one.begin()
    scene, flick = samples.sample("draw")
    one.stage(TableStage()).settle(scene, flick)
    now[0] += 12.0
    assert one.says == (
        "First start: the flight of winks will be ready in a minute or two (12 s so far). You can play already."
    )
    compiling.set()
    one.wait()
    assert one.says == ""


def test_where_all_is_compiled_nothing_is_said_and_no_process_begun(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "flight_x").mkdir()
    (tmp_path / "flight_x" / "advance.advance-1.nbi").touch()
    monkeypatch.setattr(jit, "kept_in", lambda: str(tmp_path))
    monkeypatch.setattr(warming, "_run", lambda _code: pytest.fail("a process was begun"))
    one = Warming("The flight of winks", shoot, "flight")
    one.wait()
    assert one.ready
    assert one.says == ""


def test_many_shots_at_once_are_known_to_be_compiled_by_their_own_loop(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "batch_x").mkdir()
    (tmp_path / "batch_x" / "coins.shoot-1.nbi").touch()
    compiled: list[object] = []
    monkeypatch.setattr(jit, "kept_in", lambda: str(tmp_path))
    monkeypatch.setattr(warming, "_run", compiled.append)
    Warming("Flicks", shoot, "batch", "coins.shoot").wait()
    assert not compiled
    Warming("Squidges", shoot, "batch", "lone.shoot").wait()
    assert len(compiled) == 1


def test_the_other_process_ends_when_nobody_listens_any_more() -> None:
    """However the window ends, also killed: its end of the pipe is closed then."""
    code = Warming("bots", shoot, "batch").code.rpartition("from ")[0] + "import time; time.sleep(60.0)"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(10.0) == 0


@pytest.mark.parametrize("one", [winks.WARMING, ice.WARMING, many.FLICKS, many.SQUIDGES])
def test_the_other_process_runs_what_is_to_be_compiled(one: Warming) -> None:
    name = one.code.split()[-1]
    code = one.code.rpartition(name)[0] + f"assert callable({name.removesuffix('()')})"
    assert subprocess.run([sys.executable, "-c", code], stdin=subprocess.PIPE, check=False).returncode == 0
