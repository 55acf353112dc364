"""An experiment is read strictly, and what it says is what is shot."""

from __future__ import annotations

import json
import re
from math import pi
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from flicksim.base.codec import from_plain, to_json
from flicksim.base.errors import BadInput, FlicksimError
from flicksim.games import load
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.options import Options
from flicksim.lab import Experiment, Mark, Measure, Spread, Standing, ask, read_experiment
from flicksim.lab.checked import KINDS
from flicksim.lab.experiment import names
from flicksim.lab.shooter import Shooter
from flicksim.physics import settle
from flicksim.play import Recorder, header_of, open_match, parse_seat
from flicksim.players import GRADES
from flicksim.table import Fell, Launch, samples
from tests.lab import own
from tests.lab.own import QUESTION, asking, plain


def written(folder: Path, text: str | dict[str, Any]) -> Path:
    path = folder / ("question.toml" if isinstance(text, str) else "question.json")
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    return path


def test_toml_json_and_python_say_the_same(tmp_path: Path) -> None:
    toml = written(
        tmp_path,
        """
        title = "a draw"
        scene = "draw"
        hand = { grid = ["club", "world"] }
        measure = ["gap white", "off", "rest", "touched white"]
        shots = 120
        seed = 3
        [flick]
        piece = "a"
        to = "white"
        beyond = { grid = [-0.02, 0.0, 0.03] }
        offset = { normal = [0.0, 0.1] }
        [settings]
        nail_friction = { uniform = [0.2, 0.5] }
        """,
    )
    assert read_experiment(toml) == QUESTION
    assert read_experiment(written(tmp_path, plain())) == QUESTION
    assert from_plain(json.loads(to_json(QUESTION)), Experiment) == QUESTION


JAM = {"jam|polished": {"friction": 0.2}, "bronze|jam": {"friction": 0.1, "restitution": 0.5}}
"""A material the house does not know, brought along by the file."""

WRONG = [
    ({"shoots": 3}, "unknown key 'shoots'; an experiment has title"),
    ({"scene": None}, "needs one of scene, pyramids and game"),
    ({"scene": "nowhere"}, "no scene 'nowhere'; name a file or a sample: slide, draw"),
    ({"measure": []}, "asks nothing"),
    ({"measure": ["pottd"]}, "no measure 'pottd'; there are potted, upright, off"),
    ({"measure": ["gap"]}, "measure 'gap' must be written 'gap PIECE [PIECE]'"),
    ({"measure": ["gap whit"]}, "no piece 'whit'; pieces there: a, white"),
    ({"measure": ["made elevation"]}, "this flick has no 'elevation'; it has speed, azimuth, offset"),
    ({"measure": ["points"]}, "'points' needs a game to rule on the shot"),
    ({"measure": ["nowhere:at_all"]}, "module 'nowhere' cannot be imported"),
    ({"measure": ["tests.lab.own:missing"]}, "own.py) has no function 'missing'"),
    ({"measure": ["tests.lab.own:unwritable"]}, "which is no string; its annotation says"),
    ({"measure": ["tests.lab.own:leaving"]}, "failed on shot 0: SystemExit: 3"),
    ({"measure": ["tests.lab.own:QUESTION"]}, "is no function"),
    ({"measure": ["tests.lab.own:undecided"]}, "gave 'perhaps', which is no yes or no"),
    ({"measure": ["tests.lab.own:broken"]}, "failed on shot 0: ZeroDivisionError: float division by zero"),
    ({"measure": ["off", "off a"]}, None),
    ({"measure": ["off", "off"]}, "has one twice"),
    ({"shots": 0}, "shots 0 must lie in 1 to"),
    ({"seed": -1}, "seed -1 must lie in 0 to"),
    ({"hand": "god"}, "no hand 'god'; there are steady, beginner, club"),
    ({"hand": {"grid": ["club", 3]}}, "must be all numbers or all words"),
    ({"settings": {"gravty": 9.0}}, "settings: unknown key 'gravty'; there are gravity"),
    ({"settings": {"gravity": {"uniform": [-1, 9]}}}, "can give -1: settings: gravity -1.0 m/s^2 must be above 0"),
    ({"settings": {"gravity": "strong"}}, "got `str`"),
    ({"pairings": {"wood|bronze": {"friction": 0.2}}}, "must be two materials in order, as 'bronze|wood'"),
    ({"pairings": {"bronze|wood": {"grip": 0.2}}}, "unknown key 'grip'; there are friction, restitution"),
    (
        {"pairings": {"bronze|wood": {"friction": {"grid": [0.2, 9, 0.3, 0.4]}}}},
        "can give 9: pairings.bronze|wood: ",
    ),
    ({"pairings": {"bronze|polised": {"friction": 0.2}}}, "no material 'polised'; there are bare, "),
    ({"pairings": {"bronze|steel|wood": {"friction": 0.2}}}, "must be two materials in order"),
    ({"pieces": {"a": {"material": "jam"}}, "pairings": JAM}, None),
    ({"hands": {"steady": {"speed": 0, "azimuth": 0, "offset": 0}}}, "call a hand of your own otherwise"),
    ({"pieces": {"b": {"x": 0.1}}}, "no piece 'b' on the table; pieces there: a, white"),
    ({"pieces": {"a": {"w": 0.1}}}, "pieces.a: unknown key 'w'"),
    ({"marks": [{"says": "m", "measure": "off", "at": {}, "value": 3, "low": 0, "high": 2}]}, "must lie in low 0.0 to"),
    ({"scene": None, "game": {"name": "penny-white", "turn": 3}}, "turn 3 is one of a record"),
    ({"scene": None, "game": {"name": "penny-white", "seats": 0}, "measure": ["off"]}, "is for 2 players, not 0"),
    ({"marks": [{"says": "m", "measure": "x", "at": {}, "value": 1, "low": 0, "high": 2}]}, "no column 'x'; there are"),
]

WRONG_FLICKS = [
    ({"piece": "a"}, "flick: object missing required field `speed`"),
    ({"do": "kick", "piece": "a"}, "no kind of flick 'kick'; there are flick, squidge"),
    ({"do": "launch", "piece": "a"}, "flick.do 'launch' does not go with this table: flat pieces are flicked"),
    ({"do": "squidge", "piece": "a", "to": "white", "offset": 0.1}, "unknown key 'offset'"),
    ({"piece": "a", "speed": 1, "azimuth": 0, "spin": 2}, "flick: unknown key 'spin'"),
    ({"piece": "a", "speed": 1, "to": "white"}, "flick.to finds speed and azimuth by itself; leave out speed"),
    ({"piece": "a", "speed": 1, "azimuth": 0, "beyond": 0.1}, "flick.beyond goes with flick.to"),
    ({"piece": "a", "to": "pot"}, "nothing called 'pot' to aim at; there are a, white, or a point"),
    ({"piece": "a", "to": "a"}, "must lie off it"),
    ({"piece": "a", "to": "white", "effort": "much"}, "flick.effort 'much' must be a number"),
    ({"piece": "a", "to": 5}, "flick.to 5 must be a piece, 'pot', or a point"),
    ({"piece": "a", "to": {"grid": ["white", "nobody"]}}, None),
    ({"piece": "a", "to": {"uniform": [0, 1]}}, "must be a piece, 'pot', or a point"),
    ({"piece": "a", "to": ["white", 0.1]}, "must be a piece, 'pot', or a point"),
    ({"piece": {"grid": ["a", "white"]}, "to": [0.1, 0.4]}, "one piece is flicked in all shots"),
    ({"speed": 1, "azimuth": 0}, "flick.piece is missing"),
    ({"piece": "b", "speed": 1, "azimuth": 0}, "no piece 'b' on the table"),
    ({"piece": "a", "speed": {}, "azimuth": 0}, "varies by one of grid, steps, uniform, normal; here is none"),
    ({"piece": "a", "speed": {"grid": [1], "uniform": [1, 2]}, "azimuth": 0}, "here is grid and uniform"),
    ({"piece": "a", "speed": {"uniform": [2, 1]}, "azimuth": 0}, "uniform [2.0, 1.0] must go from less to more"),
    ({"piece": "a", "speed": {"normal": [2, 0]}, "azimuth": 0}, "needs a standard deviation above 0"),
    ({"piece": "a", "speed": {"normal": [1, 0.1], "within": [5, 6]}, "azimuth": 0}, "would hardly ever fall within"),
    ({"piece": "a", "speed": {"uniform": [1, 2], "within": [1, 2]}, "azimuth": 0}, "limits a normal distribution only"),
    ({"piece": "a", "speed": {"grid": []}, "azimuth": 0}, "needs at least one value"),
    ({"piece": "a", "speed": {"grid": [1, 1]}, "azimuth": 0}, "each only once"),
    ({"piece": "a", "speed": {"steps": [1, 2, 1]}, "azimuth": 0}, "must be from, to, and how many"),
    ({"piece": "a", "speed": {"unifrom": [1, 2]}, "azimuth": 0}, "unknown field `unifrom`"),
    ({"piece": "a", "speed": {"uniform": [0, 2]}, "azimuth": 0}, "can give 0: flick: speed 0.0 m/s must be above 0"),
    ({"piece": "a", "speed": {"normal": [1, 0.5]}, "azimuth": 0}, "add within = [low, high]"),
    ({"piece": "a", "speed": "fast", "azimuth": 0}, 'found "fast"'),
    ({"piece": "a", "speed": {"uniform": [1, 2], "called": "!"}, "azimuth": 0}, "would have no name"),
]


@pytest.mark.parametrize(
    ("change", "says"), [*WRONG, *(({"flick": flick, "settings": {}}, says) for flick, says in WRONG_FLICKS)]
)
def test_what_cannot_be_is_refused_in_one_sentence(tmp_path: Path, change: dict[str, Any], says: str | None) -> None:
    path = written(tmp_path, plain(**change))
    if says is None:
        Shooter(read_experiment(path), trust=True).tried()
        return
    with pytest.raises(FlicksimError) as refused:
        Shooter(read_experiment(path), trust=True).tried()
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_is_no_toml_or_json_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is no TOML: "):
        read_experiment(written(tmp_path, "title = "))
    with pytest.raises(BadInput, match="nested too deep"):
        read_experiment(written(tmp_path, "title = " + "[" * 5000))
    with pytest.raises(BadInput, match=r"flick.speed nan must be finite"):
        read_experiment(
            written(tmp_path, 'title="n"\nscene="draw"\nmeasure=["off"]\nflick={piece="a", speed=nan, azimuth=0.0}')
        )
    with pytest.raises(BadInput, match=r"no experiment 'elsewhere/pot-chance'; ready"):
        read_experiment("elsewhere/pot-chance")
    with pytest.raises(BadInput, match=r"no experiment 'pots'; ready ones are .*pot-chance"):
        read_experiment("pots")
    with pytest.raises(BadInput, match="cannot read"):
        read_experiment(tmp_path / "missing.toml")


def test_functions_measure_by_name_and_only_a_modules_own() -> None:
    table = ask(asking(measure=(own.sideways, Measure.of(own.to_the_left))), shots=60)
    assert table.columns["sideways"].kind == "number"
    assert table.columns["to_the_left"].kind == "share"
    assert np.array_equal(table["to_the_left"] == 1.0, table["sideways"] < 0.0)
    with pytest.raises(BadInput, match="must be a function of a module"):
        asking(measure=(lambda _: 1.0,))


@pytest.mark.parametrize("text", ["def f(: pass", "1 / 0", "raise SystemExit(3)"])
def test_a_module_that_will_not_be_read_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "unreadable_measure.py").write_text(text)
    with pytest.raises(BadInput, match=r"'unreadable_measure' cannot be imported: (Syntax|ZeroDivision|SystemE)"):
        ask(asking(measure=("unreadable_measure:f",)), trust=True)


def test_grids_are_crossed_and_dealt_out_evenly() -> None:
    table = ask(QUESTION)
    found = set(zip(table["hand"].tolist(), table["beyond"].tolist(), strict=True))
    assert len(found) == 6
    for hand, beyond in found:
        assert int(((table["hand"] == hand) & (table["beyond"] == beyond)).sum()) == 20


def test_distributions_have_their_moments_and_limits() -> None:
    rng = np.random.default_rng(1)
    normal = np.array([Spread(normal=(2.0, 0.5)).draw(rng) for _ in range(4000)])
    assert (normal.mean(), normal.std()) == (pytest.approx(2.0, abs=0.03), pytest.approx(0.5, abs=0.02))
    cut = np.array([Spread(normal=(2.0, 0.5), within=(1.9, 2.2)).draw(rng) for _ in range(500)])
    assert cut.min() >= 1.9
    assert cut.max() <= 2.2
    flat = np.array([Spread(uniform=(-1.0, 3.0)).draw(rng) for _ in range(4000)])
    assert (flat.mean(), flat.std()) == (pytest.approx(1.0, abs=0.06), pytest.approx(4.0 / 12**0.5, abs=0.03))
    assert Spread(steps=(0.0, 1.0, 5)).levels == (0.0, 0.25, 0.5, 0.75, 1.0)


def test_the_hand_is_the_hand_of_that_grade() -> None:
    """The made flick scatters about the one meant as its grade says."""
    flick = {"piece": "a", "speed": 1.4, "azimuth": 1.57}
    question = Experiment(title="h", scene="draw", flick=flick, hand="club", measure=("made speed", "made azimuth"))
    table = ask(question, shots=1500)
    assert table["made_speed"].std() / 1.4 == pytest.approx(GRADES["club"].speed, rel=0.06)
    assert table["made_azimuth"].std() == pytest.approx(GRADES["club"].azimuth, rel=0.06)


def test_a_shot_is_what_settle_says_of_it() -> None:
    scene, flick = samples.sample("draw")
    given = {"piece": "a", "speed": flick.speed, "azimuth": flick.azimuth}
    shooter = Shooter(Experiment(title="s", scene="draw", flick=given, measure=("rest", "gap white", "duration")))
    motion = settle(scene, flick)
    a, white = motion.after.piece("a"), motion.after.piece("white")
    assert shooter.row(0) == (0, a.x, a.y, pytest.approx(np.hypot(a.x - white.x, a.y - white.y)), motion.duration, None)


def test_varied_physics_is_the_physics_of_the_shot() -> None:
    """A straight slide goes v^2 / (2 mu g), whatever is varied (closed form)."""
    question = Experiment(
        title="slide", scene="slide", flick={"piece": "a", "speed": 1.5, "azimuth": 0.0},
        settings={"gravity": Spread(grid=(4.0, 9.81))},
        pairings={"bronze|polished": {"friction": Spread(uniform=(0.1, 0.4))}}, measure=("way",),
    )  # fmt: skip
    table = ask(question, shots=40)
    assert table["way"] == pytest.approx(1.5**2 / (2.0 * table["friction"] * table["gravity"]), rel=1e-6)


def test_an_aimed_flick_goes_there_and_the_player_reckons_without_what_varies() -> None:
    to = {"piece": "a", "to": (1.0, 1.0), "beyond": 0.1}
    steady = ask(Experiment(title="aim", scene="slide", flick=to, measure=("rest",)), shots=1)
    far = 1.0 + 0.1 / 2**0.5
    assert (steady["rest_x"][0], steady["rest_y"][0]) == (pytest.approx(far, abs=1e-6), pytest.approx(far, abs=1e-6))
    rough = {"bronze|polished": {"friction": Spread(grid=(0.2, 0.4))}}
    table = ask(Experiment(title="aim", scene="slide", flick=to, pairings=rough, measure=("way",)), shots=2)
    assert table["way"][0] == pytest.approx(2.0 * table["way"][1], rel=1e-6)


def test_pieces_may_lie_elsewhere_and_a_shot_that_cannot_be_made_is_told_not_fatal() -> None:
    places = {"white": {"y": Spread(grid=(0.575, 0.05))}}
    flick = {"piece": "a", "speed": 1.0, "azimuth": pi / 2.0}
    table = ask(Experiment(title="p", scene="draw", flick=flick, pieces=places, measure=("gap white",)), shots=4)
    assert np.isnan(table["gap_white"]).tolist() == [False, True, False, True]
    assert "overlap" in table["failed"][1]
    with pytest.raises(BadInput, match="none of the first shots can be made: 'a' and 'white' overlap"):
        ask(Experiment(title="p", scene="draw", flick=flick, pieces={"white": {"y": 0.05}}, measure=("off",)))


def test_a_game_rules_on_the_shot_and_brings_the_piece() -> None:
    """The last penny of an end: what the ruling says is what is measured (PW-8a)."""
    game = Standing(
        name="penny-white", options={"jack_mode": "beginner", "first": "first", "pennies": 1},
        played=({"do": "place_white", "y": 0.575}, {"do": "flick", "piece": "blue-1", "speed": 1.2, "azimuth": pi / 2}),
    )  # fmt: skip
    measure = ("points", "rule PW-8b", "gap white", "gap white blue-1")
    question = Experiment(title="g", game=game, flick={"to": "white"}, hand="club", measure=measure)
    table = ask(question, shots=60)
    nearer = table["gap_white"] < table["gap_white_blue_1"]
    assert 0 < nearer.sum() < 60
    assert np.array_equal(table["points"] == 1.0, nearer)


def test_a_game_may_be_taken_from_a_record_or_a_written_position(tmp_path: Path) -> None:
    game = load("penny-white")
    seats = ("random", "random")
    match = open_match(game, game.options(ends=1, jack_mode="beginner"), [parse_seat(one) for one in seats], 1)
    with Recorder(tmp_path / "game.jsonl", header_of(match, seats)) as recorder:
        for turn in match.run():
            recorder.turn(turn)
    words = {"title": "r", "flick": {"to": "white"}, "measure": ["off"]}
    path = written(tmp_path, {**words, "game": {"name": "penny-white", "record": "game.jsonl", "turn": 3}})
    shooter = Shooter(read_experiment(path))
    assert shooter.scene.has("white")
    assert shooter.scene.without(shooter.piece) == match.turns[2].after.scene.without(shooter.piece)
    for change, says in (({"turn": 99}, "turn 99"), ({"name": "tiddlywinks"}, "is a game of penny-white")):
        bad = {**words, "game": {"name": "penny-white", "record": "game.jsonl", **change}}
        with pytest.raises(BadInput, match=says):
            read_experiment(written(tmp_path, bad))
    squidge = {"do": "squidge", "piece": "green-1", "to": "pot"}
    pile = written(
        tmp_path,
        {**words, "flick": squidge, "game": {"name": "tiddlywinks", "position": "near_the_edge"}},
    )
    found = read_experiment(pile)
    assert isinstance(found.game, Standing)
    assert isinstance(found.game.position, dict)
    assert len(Shooter(found).scene.pieces) == 24
    for change, says in (
        ({"name": "tinkle"}, "nothing is flicked"),
        ({"name": "penny-white", "position": {}}, "missing required field"),
        ({"name": "penny-white", "played": [{"do": "place"}]}, "game.played 1"),
        ({"name": "penny-white", "options": {"end": 1}}, "no option 'end'"),
    ):
        with pytest.raises(FlicksimError, match=says):
            Shooter(read_experiment(written(tmp_path, {**words, "game": change})))


def test_kinds_of_flick_are_those_the_physics_settles() -> None:
    assert {"flick", "squidge"} <= set(KINDS)


@pytest.mark.parametrize("name", names())
def test_ready_made_experiments_can_be_asked(name: str) -> None:
    question = read_experiment(name)
    assert question.about
    table = ask(question, shots=3)
    assert len(table) == 3
    assert all(why is None for why in table["failed"])


@pytest.mark.parametrize("name", ["pot-chance", "sensitivity-pot", "squop-landscape"])
def test_ready_made_mats_and_winks_are_the_games_own(name: str) -> None:
    scene = read_experiment(name).scene
    assert scene is not None
    assert not isinstance(scene, str)
    mat = kit.mat(Options())
    assert (scene.surface.material, scene.surface.outline) == (mat.material, mat.outline)
    assert scene.surface.pot in (None, mat.pot)
    for piece in scene.pieces:
        assert kit.wink(Options(), piece.id, piece.at) == from_plain(
            {**json.loads(to_json(piece)), "owner": kit.seat_of(piece.id)}, type(piece)
        )


LAUNCH = {"do": "launch", "piece": "shot", "size": "small", "hold": (0.45, 0.075), "azimuth": 1.57, "speed": 3.0}


def pyramids(**changes: Any) -> Experiment:
    """Launches across a table with two pyramids on it."""
    scene, _ = samples.launch()
    given = {"flick": LAUNCH, "measure": ("upright", "off", "way", "rest", "landing", "duration"), "settings": {}}
    return asking(**{"scene": None, "pyramids": scene, "shots": 40, "hand": "beginner", **given, **changes})


def test_a_launch_is_one_more_kind_of_flick() -> None:
    """The table says what the launch's own account says, shot for shot."""
    question = pyramids(flick={**LAUNCH, "speed": Spread(grid=(2.5, 4.0))})
    made = [f"made {name}" for name in ("azimuth", "speed", "height", "slant", "askew", "twist", "aside")]
    table = ask(msgspec.structs.replace(question, measure=(*question.measure, *map(Measure, made))))
    assert 0 < table["upright"].sum() < 40
    for k in range(40):
        flick = {**LAUNCH, **{name.split()[1]: float(table[name.replace(" ", "_")][k]) for name in made}}
        landing = settle(question.pyramids, Launch(**{n: v for n, v in flick.items() if n != "do"}))  # type: ignore[arg-type]
        missile = landing.missile
        assert bool(table["upright"][k]) == (missile is not None and missile.standing)
        assert bool(table["off"][k]) == any(isinstance(e, Fell) and e.piece == "shot" for e in landing.events)
        if missile is not None:
            assert (table["rest_x"][k], table["rest_y"][k]) == missile.at
            assert table["way"][k] == pytest.approx(np.hypot(missile.x - 0.45, missile.y - 0.075))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"flick": {"do": "flick", "piece": "shot", "speed": 1, "azimuth": 0}}, "here: pyramids are launched"),
        ({"flick": {**LAUNCH, "to": (0.4, 0.4)}}, "a launch cannot be aimed by 'to'; give its own fields"),
        ({"measure": ("potted",)}, "measure 'potted' is for flat pieces; here are pyramids"),
        ({"flick": {**LAUNCH, "size": Spread(grid=("small", "huge"))}}, "flick: invalid enum value 'huge'"),
        ({"pyramids": None, "game": Standing(name="ice")}, "settles volleys; for a single launch give a table"),
        ({"scene": "draw"}, "needs one of scene, pyramids and game"),
    ],
)
def test_launches_that_cannot_be_are_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises((BadInput, ValueError), match=re.escape(says.replace("here: ", ""))):
        ask(pyramids(**change))


def test_marks_are_kept_with_the_question() -> None:
    mark = Mark(says="known", measure="off", at={"hand": "club"}, value=0.1, low=0.0, high=0.2)
    assert Shooter(asking(marks=(mark,))).experiment.marks == (mark,)
