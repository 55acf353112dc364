"""Batches of disc shots equal single shots."""

import msgspec
import pytest

from flicksim.ai import ExecutionNoise
from flicksim.experiments import Experiment, GamePosition, ParameterSpec, disc_batch_sampler, shot_sampler
from flicksim.experiments.measure import Measure, Shot
from flicksim.experiments.shot_sampler import ShotSampler

AIMED = Experiment(
    title="aimed, at grids of words and numbers",
    scene="draw",
    hand=ParameterSpec(values=("club", "world", "own")),
    hands={"own": ExecutionNoise(speed=0.1, azimuth=0.3, offset=0.2)},
    flick={
        "piece": "a", "target": "white", "overshoot": ParameterSpec(linspace=(-0.03, 0.03, 3)),
        "offset": ParameterSpec(normal=(0.0, 0.1)),
        "start": (ParameterSpec(uniform=(0.1, 0.2)), 0.04),
    },
    pairings={"bronze|polished": {"friction": ParameterSpec(uniform=(0.18, 0.22))}},
    measure=(
        "distance white", "touched white", "rest_position", "displacement", "off_surface", "off_surface white",
        "duration", "executed azimuth",
    ),
    shots=60,
)  # fmt: skip
STRAIGHT = Experiment(
    title="given, among pieces that lie elsewhere each time, now and then where none can lie",
    scene="crowd",
    hand="club",
    flick={"piece": "a", "speed": 1.8, "azimuth": 1.57},
    pieces={"p3": {"x": ParameterSpec(uniform=(0.05, 0.25)), "y": ParameterSpec(uniform=(0.3, 0.5)), "mass": 0.004}},
    settings={"gravity": ParameterSpec(uniform=(9.0, 10.0)), "nail_friction": ParameterSpec(uniform=(0.2, 0.5))},
    pairings={"bronze|bronze": {"restitution": ParameterSpec(uniform=(0.5, 0.9))}},
    measure=("rest_position p3", "rest_position", "touched p3"),
    shots=50,
)

RULED = Experiment(
    title="in a game, whose rules answer once for all shots from one place",
    game=GamePosition(
        name="penny-white",
        options={"first": "first", "jack_mode": "beginner"},
        actions=({"do": "place_white", "y": 0.575},),
    ),
    hand=ParameterSpec(values=("beginner", "expert")),
    flick={"target": "white", "overshoot": ParameterSpec(linspace=(-0.06, 0.06, 5))},
    measure=("distance white", "touched white", "off_surface white", "displacement white", "rest_position"),
    shots=60,
)


@pytest.mark.parametrize("experiment", [AIMED, STRAIGHT, RULED], ids=["aimed", "straight", "ruled"])
def test_batch_rows_equal_single_shots(experiment: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = ShotSampler(experiment)
    assert ready.why_not_batched == ""
    monkeypatch.setattr("flicksim.experiments.disc_batch_sampler.DiscBatchSampler.max_batch", 17)
    together = list(ready.rows(0, experiment.shots))
    failed = 0
    for index, row in enumerate(together):
        alone = ready.row(index)
        assert row[-1] == alone[-1]
        failed += row[-1] is not None
        assert [value is None for value in row] == [value is None for value in alone]
        assert [value for value in row if isinstance(value, str)] == [v for v in alone if isinstance(v, str)]
        assert [v for v in row if isinstance(v, float)] == pytest.approx(
            [v for v in alone if isinstance(v, float)], abs=2e-9
        )
        assert [v for v in row if isinstance(v, int)] == [v for v in alone if isinstance(v, int)]
    assert (failed > 0) == (experiment is STRAIGHT)  # both kinds of row are seen


def event_count(shot: Shot) -> float:
    """A measure of ours."""
    return float(len(shot.motion.events))


EVENTS = Measure.from_function(event_count)


def test_reasons_why_experiments_are_not_batched() -> None:
    assert ShotSampler(AIMED).why_not_batched == ""
    own = Experiment(title="own", scene="draw", flick={"piece": "a", "speed": 1.0, "azimuth": 1.5}, measure=(EVENTS,))
    assert ShotSampler(own).why_not_batched == f"measure '{EVENTS}' is evaluated shot by shot"


def test_rules_are_checked_shot_by_shot_if_necessary() -> None:
    experiment = "the rules of the game are checked shot by shot"
    given = {"shots": 20, "measure": ("rest_position",), "game": RULED.game}
    moved = Experiment(
        title="start", flick={"target": "white", "start": (ParameterSpec(uniform=(0.1, 0.2)), 0.03)}, **given
    )
    points = Experiment(title="points", **{**given, "measure": ("points",)}, flick={"target": "white"})
    short = Experiment(title="before the line", flick={"target": "white", "start": (0.15, 0.2)}, **given)
    assert ShotSampler(moved).why_not_batched == experiment
    assert ShotSampler(points).why_not_batched == "measure 'points' is evaluated shot by shot"
    assert ShotSampler(short).why_not_batched == experiment
    assert "PW-5a" in str(next(ShotSampler(short).rows(0, 1))[-1])


def test_pieces_of_a_game_are_placed_by_the_experiment() -> None:
    given = {"title": "moved", "shots": 20, "measure": ("touched white",), "game": RULED.game, "hand": "steady"}
    aside = Experiment(flick={"speed": 1.8, "azimuth": 1.5708}, pieces={"white": {"x": 0.03}}, **given)
    ahead = Experiment(flick={"speed": 1.8, "azimuth": 1.5708}, **given)
    assert [row[1] for row in ShotSampler(aside).rows(0, 1)] == [0]
    assert [row[1] for row in ShotSampler(ahead).rows(0, 1)] == [1]


@pytest.mark.parametrize(
    "measure", [(EVENTS, "rest_position"), ("distance white", "rest_position")], ids=["one by one", "in columns"]
)
def test_one_shot_of_each_deterministic_cell_is_simulated(
    measure: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are the same, row for row as they would be one by one; with any chance all are made."""
    made = list[int]()
    alone, many = shot_sampler.simulate, disc_batch_sampler.simulate_scene_arrays
    monkeypatch.setattr(shot_sampler, "simulate", lambda *given: made.append(1) or alone(*given))
    monkeypatch.setattr(
        disc_batch_sampler, "simulate_scene_arrays", lambda *given: made.append(len(given[4].speed)) or many(*given)
    )
    flick = {"piece": "a", "target": "white", "overshoot": ParameterSpec(linspace=(-0.03, 0.03, 7))}
    experiment = Experiment(title="exact", scene="draw", hand="steady", flick=flick, measure=measure, shots=30)
    ready = ShotSampler(experiment)
    rows = [*ready.rows(0, 9), *ready.rows(9, 30)]
    assert sum(made) <= 14
    assert [row[:2] for row in rows] == [ready.row(index)[:2] for index in range(30)]
    assert [row[2:] for row in rows] == [rows[index % 7][2:] for index in range(30)]
    made.clear()
    list(ShotSampler(msgspec.structs.replace(experiment, hand="club")).rows(0, 30))
    assert sum(made) == 30
