"""Batches of squidges equal single ones, bit for bit."""

import msgspec
import pytest

from flicksim.experiments import Experiment, Measure, ParameterSpec, read_experiment
from flicksim.experiments.shot_sampler import ShotSampler
from flicksim.scene import Scene

POTS = msgspec.structs.replace(
    read_experiment("pot-chance"), shots=56, measure=(Measure("potted"), Measure("displacement"))
)
SQUOP_SCENE, POT_SCENE = (read_experiment(name).scene for name in ("squop-landscape", "pot-chance"))
assert isinstance(SQUOP_SCENE, Scene)
assert isinstance(POT_SCENE, Scene)
assert POT_SCENE.surface.pot is not None
POT = msgspec.structs.replace(POT_SCENE.surface.pot, x=-0.3)  # aside of both winks
SQUOPS = Experiment(
    title="at another, that lies elsewhere each time, and by words and numbers",
    scene=msgspec.structs.replace(SQUOP_SCENE, surface=msgspec.structs.replace(SQUOP_SCENE.surface, pot=POT)),
    flick={
        "do": "squidge", "piece": "blue-3", "target": "red-1", "elevation": 1.0,
        "speed_factor": ParameterSpec(linspace=(0.9, 1.1, 2)), "tumble": ParameterSpec(uniform=(0.0, 80.0)),
    },
    hand=ParameterSpec(values=("steady", "club")),
    pieces={"red-1": {"x": ParameterSpec(uniform=(-0.02, 0.02))}},
    settings={"drag": ParameterSpec(uniform=(0.5, 1.5))},
    measure=(
        "potted", "potted red-1", "squops", "squopped", "squops red-1", "touched red-1", "flipped", "landing_point",
        "rest red-1", "gap red-1", "displacement", "off_surface", "duration", "executed tumble", "executed drag",
    ),
    shots=32,
)  # fmt: skip


def assert_same_rows(experiment: Experiment, shooter: ShotSampler) -> list[tuple[object, ...]]:
    """The rows, which are those of single shots."""
    together = list(shooter.rows(0, experiment.shots))
    for index, row in enumerate(together):
        assert row == shooter.row(index)
    return together


@pytest.mark.parametrize("experiment", [POTS, SQUOPS], ids=["pots", "squops"])
def test_batch_rows_equal_single_shots(experiment: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    shooter = ShotSampler(experiment)
    assert shooter.why_not_batched == ""
    monkeypatch.setattr("flicksim.experiments.wink_batch_sampler.WinkBatchSampler.max_batch", 23)
    assert all(row[-1] is None for row in assert_same_rows(experiment, shooter))


def test_measures_known_at_the_verdict_equal_those_at_rest() -> None:
    """Also where the limit of time ends most of them between verdict and rest."""
    for settings in ({}, {"max_time": 0.45}):
        experiment = msgspec.structs.replace(
            POTS, measure=(Measure("potted"), Measure("executed speed")), settings=settings
        )
        shooter = ShotSampler(experiment)
        assert all(gauge.known_at_verdict for gauge in shooter.measures)
        assert any(row[-1] for row in assert_same_rows(experiment, shooter)) == bool(settings)


def test_invalid_shots_have_the_errors_of_single_shots() -> None:
    experiment = msgspec.structs.replace(POTS, flick={**POTS.flick, "target": "nobody"}, shots=4)
    assert all(
        "nothing called 'nobody'" in str(row[-1]) for row in assert_same_rows(experiment, ShotSampler(experiment))
    )
    slow = msgspec.structs.replace(
        POTS,
        flick={"do": "squidge", "piece": "blue-3", "speed": 1.0, "azimuth": 3.0, "elevation": 0.8},
        settings={"max_flight": ParameterSpec(values=(0.02, 6.0))},
        pieces={},
        shots=16,
        references=(),
    )
    rows = assert_same_rows(slow, ShotSampler(slow))
    assert any(row[-1] for row in rows)
    assert not all(row[-1] for row in rows)


def test_reasons_why_wink_experiments_are_not_batched() -> None:
    launch = read_experiment("pyramids")
    assert ShotSampler(launch).why_not_batched == "a launch is simulated singly"
