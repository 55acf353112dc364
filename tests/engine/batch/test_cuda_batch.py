"""Tests of `flicksim.engine.batch.cuda_batch`, by numba's simulator of kernels: it needs no graphics processor."""

import sys
from typing import Any

import msgspec
import numpy as np
import pytest

from benchmarks.squidge_costs import crowded_mat, shots
from flicksim.core.errors import InvalidInput, MissingExtra
from flicksim.engine import Squidges, simulate_batch
from flicksim.engine.batch import wink_batch
from flicksim.engine.winks import shots as wink_shots
from flicksim.engine.winks.shot_arrays import make_workspace
from flicksim.scene import samples
from tests.python_process import run_code


@pytest.mark.parametrize(("keyframe_rows", "fill"), [("256", "1.0"), ("8", "0.01")])
def test_kernels_have_the_bits_of_the_processor(keyframe_rows: str, fill: str) -> None:
    """With too little room for keyframes too, where the processor simulates the shot again."""
    code = "from tests.engine.batch.compare_devices import main; main()"
    done = run_code(code, keyframe_rows, fill, NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1")
    assert "no events are kept on device 'cuda'" in done.stdout


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda *_: None)
    monkeypatch.delitem(sys.modules, "flicksim.engine.batch.cuda_batch", raising=False)
    scene, flick = samples.sample("draw")
    with pytest.raises(MissingExtra, match="'cuda'"):
        simulate_batch(scene, [flick], device="cuda")


def test_what_the_device_cannot_do_is_refused() -> None:
    scene, flick = samples.sample("draw")
    with pytest.raises(InvalidInput, match="device 'gpu' cannot be; it may be 'cpu' or 'cuda'"):
        simulate_batch(scene, [flick], device="gpu")  # type: ignore[call-overload]
    with pytest.raises(InvalidInput, match="device 'cuda' simulates no events"):
        simulate_batch(scene, [flick], device="cuda", events=True)
    table, launch = samples.launch_sample()
    with pytest.raises(InvalidInput, match="no launches of pyramids"):
        simulate_batch(table, [launch], device="cuda")  # type: ignore[call-overload]


def fill_with_garbage(workspace: Any, value: float) -> Any:
    """Workspace of the same shapes with a value everywhere."""
    if isinstance(workspace, tuple):
        return type(workspace)(*(fill_with_garbage(one, value) for one in workspace))
    return np.full_like(workspace, value if workspace.dtype.kind == "f" else 7)


@pytest.mark.parametrize("value", [np.nan, 7.0])
def test_shots_do_not_depend_on_what_the_workspace_held(monkeypatch: pytest.MonkeyPatch, value: float) -> None:
    """Memory of a device is not cleared, and a thread simulates shots one after the other."""
    scene = crowded_mat()
    made = [msgspec.structs.replace(one, speed=one.speed * by) for one in shots(scene).values() for by in (0.98, 1.02)]
    names, columns = [one.piece for one in made], Squidges.from_actions(made)
    assert len(set(names)) == 1
    expected = simulate_batch(scene, columns)

    def simulate_rows(*arguments: Any) -> Any:
        work = make_workspace(arguments[3].bodies.shape[1], arguments[3].outline)
        garbage = fill_with_garbage(work, value)
        return wink_shots.simulate_rows(
            *arguments, garbage._replace(run=garbage.run._replace(outline=work.run.outline))
        )

    monkeypatch.setattr(wink_batch, "simulate_rows", simulate_rows)
    found = simulate_batch(scene, columns)
    assert np.array_equal(expected.positions, found.positions, equal_nan=True)
    assert np.array_equal(expected.collided, found.collided)
    assert np.array_equal(expected.duration, found.duration)
