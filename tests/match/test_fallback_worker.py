"""Fallback worker without JIT."""

import subprocess
import sys
import time
from functools import partial
from types import SimpleNamespace
from uuid import uuid4

import msgspec
import pytest

from benchmarks.leftover_processes import marked_environment, running_processes, surviving_processes
from flicksim.core.errors import Cancelled, InvalidAction, InvalidScene
from flicksim.core.paths import assets_dir
from flicksim.core.serialization import from_json
from flicksim.engine import Settings, simulate
from flicksim.match.background_task import BackgroundTask
from flicksim.match.fallback_worker import FallbackWorker
from flicksim.scene import Flick, Scene, Squidge, samples
from tests.polling import TIMEOUT, wait_until


@pytest.fixture
def meanwhile():
    """Worker that is closed after the test."""
    one = FallbackWorker()
    yield one
    one.close()


def test_fallback_shots_are_bit_identical(meanwhile: FallbackWorker) -> None:
    mat = from_json((assets_dir() / "scenes" / "squidge.json").read_bytes(), Scene)
    squidge = from_json((assets_dir() / "flicks" / "squidge.json").read_bytes(), Squidge)
    for scene, flick in (samples.sample("draw"), samples.launch_sample(), (mat, squidge)):
        plain, usual = meanwhile.simulate(scene, flick, Settings()), simulate(scene, flick)
        assert plain.after == usual.after
        assert plain.events == usual.events


def test_errors_are_raised_as_usual_and_the_next_shot_succeeds(meanwhile: FallbackWorker) -> None:
    scene, flick = samples.sample("draw")
    with pytest.raises(InvalidAction, match="'nobody'"):
        meanwhile.simulate(scene, Flick(piece="nobody", speed=1.0, azimuth=0.0), Settings())
    piled = msgspec.structs.replace(scene, pieces=(scene.pieces[0], msgspec.structs.replace(scene.pieces[0], id="b")))
    with pytest.raises(InvalidScene) as usual:
        simulate(piled, flick)
    with pytest.raises(InvalidScene) as plain:
        meanwhile.simulate(piled, flick, Settings())
    assert plain.value.problems == usual.value.problems
    assert meanwhile.simulate(scene, flick, Settings()).after == simulate(scene, flick).after


def test_closed_worker_refuses_shots(meanwhile: FallbackWorker) -> None:
    scene, flick = samples.sample("draw")
    meanwhile.simulate(scene, flick, Settings())
    meanwhile.close()
    with pytest.raises(OSError, match="is closed"):
        meanwhile.simulate(scene, flick, Settings())


def test_cancelled_decision_does_not_delay_a_shot(meanwhile: FallbackWorker) -> None:
    thought = BackgroundTask(lambda: meanwhile.choose(SimpleNamespace(compute=partial(time.sleep, 600.0))))
    wait_until(lambda: meanwhile.process is not None)
    thinking = meanwhile.process
    assert thinking is not None
    thought.cancel()
    with pytest.raises(Cancelled):
        thought.result()
    assert thinking.poll() is not None
    scene, flick = samples.sample("draw")
    assert meanwhile.simulate(scene, flick, Settings()).after == simulate(scene, flick).after


@pytest.mark.parametrize("answer", [lambda: 0, time.sleep])
def test_unpicklable_request_and_lost_worker_raise_oserror(meanwhile: FallbackWorker, answer) -> None:
    with pytest.raises(OSError, match="process"):
        meanwhile.choose(SimpleNamespace(compute=answer))


def test_worker_ends_with_its_parent() -> None:
    code = (
        "import os, time\nfrom flicksim.match.fallback_worker import FallbackWorker\n"
        "one = FallbackWorker()\none.start()\n"
        "print(one.process.pid, flush=True)\ntime.sleep(600)"
    )
    mark = uuid4().hex
    environment = marked_environment(mark)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment) as process:
        child = int(process.stdout.readline())
        assert {process.pid, child} <= running_processes(mark).keys()
        process.kill()
    assert surviving_processes(mark, TIMEOUT) == {}
