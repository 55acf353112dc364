"""Questions by the front door."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from flicksim import Experiment, Flick, Spread, ask, load_flick, read_results
from flicksim.base.errors import BadQuestion, FlicksimError

ASKED = Experiment(title="a draw", scene="draw", flick={"piece": "a", "to": "white"}, measure=("gap white",), shots=40)


def test_an_executor_may_come_second() -> None:
    with ThreadPoolExecutor(1) as executor:
        assert (ask(ASKED, executor)["gap_white"] == ask(ASKED)["gap_white"]).all()


def test_a_file_is_as_good_as_an_experiment(tmp_path: Path) -> None:
    path = tmp_path / "q.toml"
    path.write_text('title = "a"\nscene = "sample:draw"\nmeasure = ["off"]\n[flick]\npiece = "a"\nto = "white"\n')
    assert len(ask(path, shots=7)) == len(ask(str(path), shots=7)) == 7


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: ask("nope"), "no experiment 'nope'; ready ones are"),
        (lambda: ask(3), "experiment cannot be 3; it is an Experiment"),
        (lambda: ask(ASKED, 100), "executor cannot be 100; it is one of concurrent.futures, and shots=..."),
        (lambda: ask(ASKED, shots=0), "shots cannot be 0; it is a whole number"),
        (lambda: ask(ASKED, jobs="x"), "jobs cannot be 'x'"),
        (lambda: read_results(3), "the folder cannot be 3; name it by a string or a Path"),
        (lambda: read_results("/nope"), "holds no experiment; name a folder one was kept in"),
        (lambda: ask(ASKED, shots=5)["gap"], "no column 'gap'; there are shot, gap_white, failed"),
    ],
)
def test_what_is_wrong_with_a_question_is_said_in_a_sentence(call: Any, says: str) -> None:
    with pytest.raises(FlicksimError) as wrong:
        call()
    assert says in str(wrong.value)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Spread(), "a quantity varies by one of grid, steps, uniform, normal; here is none of them"),
        (lambda: Spread(grid=()), "grid [] needs at least one value"),
        (lambda: replaced(shots=-3), "shots -3 must lie in 1 to"),
        (lambda: replaced(measure="gap white"), "measure cannot be 'gap white' alone; give a tuple, as ('gap white',)"),
        (lambda: replaced(measure=("gaps",)), "no measure 'gaps'; there are"),
        (lambda: replaced(flick="draw"), "flick cannot be 'draw'; give its fields by name, or a Flick"),
    ],
)
def test_a_question_that_cannot_be_is_refused_as_one_and_as_a_value(call: Any, says: str) -> None:
    with pytest.raises(BadQuestion) as wrong:
        call()
    assert says in str(wrong.value)
    assert isinstance(wrong.value, ValueError)


def test_a_flick_that_is_a_value_is_as_good_as_its_fields() -> None:
    given = Flick(piece="a", speed=1.4, azimuth=1.57, start=(0.15, 0.04))
    fields = {"do": "flick", "piece": "a", "speed": 1.4, "azimuth": 1.57, "offset": 0.0, "start": (0.15, 0.04)}
    assert replaced(flick=given) == replaced(flick=fields)
    assert len(ask(replaced(flick=load_flick("draw")), shots=3)) == 3
    assert len(ask(replaced(scene="squidge", flick=load_flick("squidge"), measure=("off",)), shots=3)) == 3


def replaced(**changes: Any) -> Experiment:
    """The question with some of it changed."""
    return Experiment(**{name: getattr(ASKED, name) for name in ASKED.__struct_fields__} | changes)
