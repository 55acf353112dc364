"""Experiments are read strictly, and their shots are as defined."""

import json
import re
from math import pi
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from flicksim.ai import GRADES
from flicksim.core.errors import FlicksimError, InvalidExperiment, InvalidInput
from flicksim.core.serialization import from_builtins, to_json
from flicksim.engine import simulate
from flicksim.experiments import (
    Experiment,
    GamePosition,
    Measure,
    ParameterSpec,
    ReferenceValue,
    read_experiment,
    run_experiment,
)
from flicksim.experiments.experiment import experiment_names
from flicksim.experiments.shot_sampler import ShotSampler
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.scene import Launch, PyramidLeftSurface, samples
from tests.experiments import custom_measures
from tests.experiments.custom_measures import EXPERIMENT_TOML, make_experiment, plain_experiment
from tests.matches import record_match


def write_experiment(folder: Path, text: str | dict[str, Any]) -> Path:
    path = folder / ("question.toml" if isinstance(text, str) else "question.json")
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    return path


def test_toml_json_and_python_define_the_same_experiment(tmp_path: Path) -> None:
    toml = write_experiment(
        tmp_path,
        """
        title = "a draw"
        scene = "draw"
        hand = { values = ["club", "world"] }
        measure = ["distance white", "off_surface", "rest_position", "touched white"]
        shots = 120
        seed = 3
        [flick]
        piece = "a"
        target = "white"
        overshoot = { values = [-0.02, 0.0, 0.03] }
        offset = { normal = [0.0, 0.1] }
        [settings]
        nail_friction = { uniform = [0.2, 0.5] }
        """,
    )
    assert read_experiment(toml) == EXPERIMENT_TOML
    assert read_experiment(write_experiment(tmp_path, plain_experiment())) == EXPERIMENT_TOML
    assert from_builtins(json.loads(to_json(EXPERIMENT_TOML)), Experiment) == EXPERIMENT_TOML


INVALID = json.loads(Path(__file__).with_name("invalid_experiments.json").read_text())
"""Changes of a valid experiment with the error of each, or null where it stays valid."""


@pytest.mark.parametrize(("change", "message"), INVALID)
def test_invalid_experiments_are_refused_in_one_sentence(
    tmp_path: Path, change: dict[str, Any], message: str | None
) -> None:
    path = write_experiment(tmp_path, plain_experiment(**change))
    if message is None:
        ShotSampler(read_experiment(path), trust=True).probe()
        return
    with pytest.raises(FlicksimError) as refused:
        ShotSampler(read_experiment(path), trust=True).probe()
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_malformed_toml_and_json_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="is no TOML: "):
        read_experiment(write_experiment(tmp_path, "title = "))
    with pytest.raises(InvalidInput, match="nested too deep"):
        read_experiment(write_experiment(tmp_path, "title = " + "[" * 5000))
    with pytest.raises(InvalidInput, match=r"flick.speed nan must be finite"):
        read_experiment(
            write_experiment(
                tmp_path, 'title="n"\nscene="draw"\nmeasure=["off_surface"]\nflick={piece="a", speed=nan, azimuth=0.0}'
            )
        )
    with pytest.raises(InvalidInput, match=r"no experiment 'elsewhere/pot-chance'; shipped"):
        read_experiment("elsewhere/pot-chance")
    with pytest.raises(InvalidInput, match=r"no experiment 'pots'; shipped ones are .*pot-chance"):
        read_experiment("pots")
    with pytest.raises(InvalidInput, match="cannot read"):
        read_experiment(tmp_path / "missing.toml")


def test_custom_measures_are_module_functions() -> None:
    table = run_experiment(
        make_experiment(measure=(custom_measures.sideways, Measure.from_function(custom_measures.to_the_left))),
        shots=60,
    )
    assert table.columns["sideways"].kind == "number"
    assert table.columns["to_the_left"].kind == "boolean"
    assert np.array_equal(table["to_the_left"] == 1.0, table["sideways"] < 0.0)
    with pytest.raises(InvalidInput, match="must be a function of a module"):
        make_experiment(measure=(lambda _: 1.0,))


@pytest.mark.parametrize("text", ["def f(: pass", "1 / 0", "raise SystemExit(3)"])
def test_a_module_that_cannot_be_imported_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "unreadable_measure.py").write_text(text)
    with pytest.raises(InvalidInput, match=r"'unreadable_measure' cannot be imported: (Syntax|ZeroDivision|SystemE)"):
        run_experiment(make_experiment(measure=("unreadable_measure:f",)), trust=True)


def test_grids_are_crossed_evenly() -> None:
    table = run_experiment(EXPERIMENT_TOML)
    found = set(zip(table["hand"].tolist(), table["overshoot"].tolist(), strict=True))
    assert len(found) == 6
    for hand, beyond in found:
        assert int(((table["hand"] == hand) & (table["overshoot"] == beyond)).sum()) == 20


def test_distributions_have_their_moments_and_limits() -> None:
    rng = np.random.default_rng(1)
    normal = np.array([ParameterSpec(normal=(2.0, 0.5)).draw(rng) for _ in range(4000)])
    assert (normal.mean(), normal.std()) == (pytest.approx(2.0, abs=0.03), pytest.approx(0.5, abs=0.02))
    cut = np.array([ParameterSpec(normal=(2.0, 0.5), truncate=(1.9, 2.2)).draw(rng) for _ in range(500)])
    assert cut.min() >= 1.9
    assert cut.max() <= 2.2
    flat = np.array([ParameterSpec(uniform=(-1.0, 3.0)).draw(rng) for _ in range(4000)])
    assert (flat.mean(), flat.std()) == (pytest.approx(1.0, abs=0.06), pytest.approx(4.0 / 12**0.5, abs=0.03))
    assert ParameterSpec(linspace=(0.0, 1.0, 5)).levels == (0.0, 0.25, 0.5, 0.75, 1.0)


def test_the_execution_noise_is_that_of_the_grade() -> None:
    """The made flick scatters about the one meant as its grade says."""
    flick = {"piece": "a", "speed": 1.4, "azimuth": 1.57}
    question = Experiment(
        title="h", scene="draw", flick=flick, hand="club", measure=("executed speed", "executed azimuth")
    )
    table = run_experiment(question, shots=1500)
    assert table["executed_speed"].std() / 1.4 == pytest.approx(GRADES["club"].speed, rel=0.06)
    assert table["executed_azimuth"].std() == pytest.approx(GRADES["club"].azimuth, rel=0.06)


def test_a_shot_equals_its_simulation() -> None:
    scene, flick = samples.sample("draw")
    given = {"piece": "a", "speed": flick.speed, "azimuth": flick.azimuth}
    shooter = ShotSampler(
        Experiment(title="s", scene="draw", flick=given, measure=("rest_position", "distance white", "duration"))
    )
    motion = simulate(scene, flick)
    a, white = motion.after.piece("a"), motion.after.piece("white")
    assert shooter.row(0) == (0, a.x, a.y, pytest.approx(np.hypot(a.x - white.x, a.y - white.y)), motion.duration, None)


def test_varied_settings_apply_to_the_shot() -> None:
    """A straight slide goes v^2 / (2 mu g), whatever is varied (closed form)."""
    question = Experiment(
        title="slide", scene="slide", flick={"piece": "a", "speed": 1.5, "azimuth": 0.0},
        settings={"gravity": ParameterSpec(values=(4.0, 9.81))},
        pairings={"bronze|polished": {"friction": ParameterSpec(uniform=(0.1, 0.4))}}, measure=("displacement",),
    )  # fmt: skip
    table = run_experiment(question, shots=40)
    assert table["displacement"] == pytest.approx(1.5**2 / (2.0 * table["friction"] * table["gravity"]), rel=1e-6)


def test_aiming_assumes_nominal_physics() -> None:
    aimed = {"piece": "a", "target": (1.0, 1.0), "overshoot": 0.1}
    steady = run_experiment(Experiment(title="aim", scene="slide", flick=aimed, measure=("rest_position",)), shots=1)
    distance = 1.0 + 0.1 / 2**0.5
    assert (steady["rest_position_x"][0], steady["rest_position_y"][0]) == (
        pytest.approx(distance, abs=1e-6),
        pytest.approx(distance, abs=1e-6),
    )
    rough = {"bronze|polished": {"friction": ParameterSpec(values=(0.2, 0.4))}}
    table = run_experiment(
        Experiment(title="aim", scene="slide", flick=aimed, pairings=rough, measure=("displacement",)), shots=2
    )
    assert table["displacement"][0] == pytest.approx(2.0 * table["displacement"][1], rel=1e-6)


def test_positions_vary_and_invalid_shots_are_recorded() -> None:
    places = {"white": {"y": ParameterSpec(values=(0.575, 0.05))}}
    flick = {"piece": "a", "speed": 1.0, "azimuth": pi / 2.0}
    table = run_experiment(
        Experiment(title="p", scene="draw", flick=flick, pieces=places, measure=("distance white",)), shots=4
    )
    assert np.isnan(table["distance_white"]).tolist() == [False, True, False, True]
    assert "overlap" in table["error"][1]
    with pytest.raises(InvalidInput, match="all of the first shots fail: 'a' and 'white' overlap"):
        run_experiment(
            Experiment(title="p", scene="draw", flick=flick, pieces={"white": {"y": 0.05}}, measure=("off_surface",))
        )


def test_a_game_supplies_the_piece_and_the_ruling() -> None:
    """The last penny of an end: the measures equal the ruling (PW-8a)."""
    game = GamePosition(
        name="penny-white", options={"jack_mode": "beginner", "first": "first", "pennies": 1},
        actions=(
            {"do": "place_white", "y": 0.575}, {"do": "flick", "piece": "blue-1", "speed": 1.2, "azimuth": pi / 2},
        ),
    )  # fmt: skip
    measure = ("points", "rule PW-8b", "distance white", "distance white blue-1")
    question = Experiment(title="g", game=game, flick={"target": "white"}, hand="club", measure=measure)
    table = run_experiment(question, shots=60)
    nearer = table["distance_white"] < table["distance_white_blue_1"]
    assert 0 < nearer.sum() < 60
    assert np.array_equal(table["points"] == 1.0, nearer)


def test_a_game_position_is_read_from_a_record_or_a_file(tmp_path: Path) -> None:
    match = record_match(tmp_path / "game.jsonl", "penny-white", "random", "random", ends=1, jack_mode="beginner")
    fields = {"title": "r", "flick": {"target": "white"}, "measure": ["off_surface"]}
    path = write_experiment(tmp_path, {**fields, "game": {"name": "penny-white", "record": "game.jsonl", "turn": 3}})
    shooter = ShotSampler(read_experiment(path))
    assert shooter.scene.has("white")
    assert shooter.scene.without(shooter.piece) == match.turns[2].after.scene.without(shooter.piece)
    for change, message in (({"turn": 99}, "turn 99"), ({"name": "tiddlywinks"}, "is a game of penny-white")):
        bad = {**fields, "game": {"name": "penny-white", "record": "game.jsonl", **change}}
        with pytest.raises(InvalidInput, match=message):
            read_experiment(write_experiment(tmp_path, bad))
    squidge = {"do": "squidge", "piece": "green-1", "target": "pot"}
    pile = write_experiment(
        tmp_path,
        {**fields, "flick": squidge, "game": {"name": "tiddlywinks", "position": "near_the_edge"}},
    )
    found = read_experiment(pile)
    assert isinstance(found.game, GamePosition)
    assert isinstance(found.game.position, dict)
    assert len(ShotSampler(found).scene.pieces) == 24
    for change, message in (
        ({"name": "tinkle"}, "nothing is flicked"),
        ({"name": "penny-white", "position": {}}, "missing required field"),
        ({"name": "penny-white", "actions": [{"do": "place"}]}, "game.actions 1"),
        ({"name": "penny-white", "options": {"end": 1}}, "no option 'end'"),
    ):
        with pytest.raises(FlicksimError, match=message):
            ShotSampler(read_experiment(write_experiment(tmp_path, {**fields, "game": change})))


@pytest.mark.parametrize("name", experiment_names())
def test_shipped_experiments_run(name: str) -> None:
    question = read_experiment(name)
    assert question.description
    table = run_experiment(question, shots=3)
    assert len(table) == 3
    assert all(why is None for why in table["error"])


@pytest.mark.parametrize("name", ["pot-chance", "sensitivity-pot", "squop-landscape"])
def test_shipped_experiments_use_the_equipment_of_the_games(name: str) -> None:
    scene = read_experiment(name).scene
    assert not isinstance(scene, str)
    mat = kit.mat_surface(Options())
    assert (scene.surface.material, scene.surface.outline) == (mat.material, mat.outline)
    assert scene.surface.pot in (None, mat.pot)
    for piece in scene.pieces:
        assert kit.wink(Options(), piece.id, piece.position) == from_builtins(
            {**json.loads(to_json(piece)), "owner": kit.seat_of(piece.id)}, type(piece)
        )


LAUNCH = {"do": "launch", "piece": "shot", "size": "small", "hold": (0.45, 0.075), "azimuth": 1.57, "speed": 3.0}


def pyramids(**changes: Any) -> Experiment:
    """Launches across a table with two pyramids on it."""
    scene, _ = samples.launch_sample()
    given = {
        "flick": LAUNCH,
        "measure": ("upright", "off_surface", "displacement", "rest_position", "landing_point", "duration"),
        "settings": {},
    }
    return make_experiment(**{"scene": None, "pyramids": scene, "shots": 40, "hand": "beginner", **given, **changes})


def test_an_experiment_with_launches() -> None:
    """The table of results equals the trajectory of each launch."""
    question = pyramids(flick={**LAUNCH, "speed": ParameterSpec(values=(2.5, 4.0))})
    made = [f"executed {name}" for name in ("azimuth", "speed", "height", "slant", "askew", "twist", "aside")]
    table = run_experiment(msgspec.structs.replace(question, measure=(*question.measure, *map(Measure, made))))
    assert 0 < table["upright"].sum() < 40
    for k in range(40):
        flick = {**LAUNCH, **{name.split()[1]: float(table[name.replace(" ", "_")][k]) for name in made}}
        landing = simulate(question.pyramids, Launch(**{n: v for n, v in flick.items() if n != "do"}))  # type: ignore[arg-type]
        missile = landing.missile
        assert bool(table["upright"][k]) == (missile is not None and missile.is_upright)
        assert bool(table["off_surface"][k]) == any(
            isinstance(e, PyramidLeftSurface) and e.piece == "shot" for e in landing.events
        )
        if missile is not None:
            assert (table["rest_position_x"][k], table["rest_position_y"][k]) == missile.position
            assert table["displacement"][k] == pytest.approx(np.hypot(missile.x - 0.45, missile.y - 0.075))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"flick": {"do": "flick", "piece": "shot", "speed": 1, "azimuth": 0}}, "here: pyramids are launched"),
        ({"flick": {**LAUNCH, "target": (0.4, 0.4)}}, "a launch cannot be aimed by 'target'; give its own fields"),
        ({"measure": ("potted",)}, "measure 'potted' is for flat pieces; here are pyramids"),
        ({"flick": {**LAUNCH, "size": ParameterSpec(values=("small", "huge"))}}, "flick: invalid enum value 'huge'"),
        ({"pyramids": None, "game": GamePosition(name="ice")}, "has volleys; for a single launch give a scene"),
        ({"scene": "draw"}, "needs one of scene, pyramids and game"),
    ],
)
def test_invalid_launch_experiments_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises((InvalidInput, ValueError), match=re.escape(message.replace("here: ", ""))):
        run_experiment(pyramids(**change))


def test_references_are_part_of_the_experiment() -> None:
    mark = ReferenceValue(
        label="known", measure="off_surface", parameters={"hand": "club"}, value=0.1, low=0.0, high=0.2
    )
    assert ShotSampler(make_experiment(references=(mark,))).experiment.references == (mark,)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"linspace": (0, 1)}, "linspace (0, 1) must be start, stop and number of levels, as linspace=(0.0, 1.0, 5)"),
        ({"linspace": (0, 1, "x")}, "linspace (0, 1, 'x') must be start, stop and number of levels"),
        ({"linspace": (0, 1, 3.0)}, "linspace (0, 1, 3.0) must be start, stop and number of levels"),
        ({"linspace": 5}, "linspace 5 must be start, stop and number of levels"),
        ({"uniform": (1,)}, "uniform (1,) must be lower and upper bound, as uniform=(-1.0, 1.0)"),
        ({"uniform": np.array([0.0, 1.0])}, "uniform a ndarray must be lower and upper bound"),
        ({"normal": "ab"}, "normal 'ab' must be mean and standard deviation, as normal=(0.0, 1.0)"),
        ({"normal": (0.0, 1.0), "truncate": (1.0,)}, "truncate (1.0,) must be lower and upper limit"),
        ({"values": 5}, "values 5 must be numbers or strings, as values=(1, 2)"),
        ({"values": "ab"}, "values 'ab' must be numbers or strings"),
        ({"values": (True, False)}, "values (True, False) must be numbers or strings"),
        ({"values": ([1], [2])}, "values ([1], [2]) must be numbers or strings"),
    ],
)
def test_ill_formed_parameters_are_refused_in_a_sentence(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidExperiment) as wrong:
        ParameterSpec(**fields)
    assert str(wrong.value).startswith(message)
