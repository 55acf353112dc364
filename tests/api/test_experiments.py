"""Tests of the public functions for experiments."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from flicksim import Experiment, Flick, ParameterSpec, load_flick, read_results, run_experiment
from flicksim.core.errors import FlicksimError, InvalidExperiment
from tests.experiments.custom_measures import make_experiment

ASKED = make_experiment(measure=("distance white",), hand="club", flick={"piece": "a", "target": "white"}, settings={})


def test_an_executor_may_come_second() -> None:
    with ThreadPoolExecutor(1) as executor:
        assert (run_experiment(ASKED, executor)["distance_white"] == run_experiment(ASKED)["distance_white"]).all()


def test_an_experiment_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "q.toml"
    path.write_text(
        'title = "a"\nscene = "sample:draw"\nmeasure = ["off_surface"]\n[flick]\npiece = "a"\ntarget = "white"\n'
    )
    assert len(run_experiment(path, shots=7)) == len(run_experiment(str(path), shots=7)) == 7


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: run_experiment("nope"), "no experiment 'nope'; shipped ones are"),
        (lambda: run_experiment(3), "experiment cannot be 3; it is an Experiment"),
        (lambda: run_experiment(ASKED, 100), "executor cannot be 100; it is one of concurrent.futures, and shots=..."),
        (lambda: run_experiment(ASKED, shots=0), "shots cannot be 0; it is a whole number"),
        (lambda: run_experiment(ASKED, jobs="x"), "jobs cannot be 'x'"),
        (lambda: read_results(3), "the folder cannot be 3; name it by a string or a Path"),
        (lambda: read_results("/nope"), "does not exist; name a folder of results"),
        (
            lambda: run_experiment(ASKED, shots=5)["distance"],
            "no column 'distance'; there are shot, distance_white, error",
        ),
    ],
)
def test_invalid_arguments_are_refused_in_a_sentence(call: Any, message: str) -> None:
    with pytest.raises(FlicksimError) as wrong:
        call()
    assert message in str(wrong.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Experiment(title="x"), "Experiment() lacks flick and measure"),
        (lambda: make_experiment(shoots=3), "Experiment() has no 'shoots'; it has title, description,"),
        (lambda: Experiment("x"), "Experiment() takes keywords only: title,"),
        (lambda: make_experiment(shots="many"), "shots cannot be 'many': expected a whole number, got a text"),
        (lambda: make_experiment(title=3), "title cannot be 3: expected a text, got a whole number"),
        (lambda: make_experiment(measure=3), "measure cannot be 3 alone; give a tuple, as ('duration',)"),
        (lambda: ParameterSpec(grid_values=(1, 2)), "ParameterSpec() has no 'grid_values'; it has values, linspace,"),
        (
            lambda: ParameterSpec(),
            "a parameter varies by one of values, linspace, uniform, normal; here is none of them",
        ),
        (lambda: ParameterSpec(values=()), "values [] needs at least one value"),
        (lambda: make_experiment(shots=-3), "shots -3 must lie in 1 to"),
        (
            lambda: make_experiment(measure="distance white"),
            "measure cannot be 'distance white' alone; give a tuple, as ('distance white',)",
        ),
        (lambda: make_experiment(measure=("gaps",)), "no measure 'gaps'; there are"),
        (lambda: make_experiment(flick="draw"), "flick cannot be 'draw'; give its fields by name, or a Flick"),
    ],
)
def test_an_invalid_experiment_is_an_invalid_experiment_and_a_value_error(call: Any, message: str) -> None:
    with pytest.raises(InvalidExperiment) as wrong:
        call()
    assert message in str(wrong.value)
    assert isinstance(wrong.value, ValueError)


def test_a_flick_may_be_a_value_or_fields() -> None:
    given = Flick(piece="a", speed=1.4, azimuth=1.57, start=(0.15, 0.04))
    fields = {"do": "flick", "piece": "a", "speed": 1.4, "azimuth": 1.57, "offset": 0.0, "start": (0.15, 0.04)}
    assert make_experiment(flick=given) == make_experiment(flick=fields)
    assert len(run_experiment(make_experiment(flick=load_flick("draw")), shots=3)) == 3
    squidged = make_experiment(scene="squidge", flick=load_flick("squidge"), measure=("off_surface",))
    assert len(run_experiment(squidged, shots=3)) == 3
