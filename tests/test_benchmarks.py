"""Benchmarks run and report what they measured; no test depends on a time."""

import ast
import csv
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from benchmarks import (
    batch_costs,
    calibration,
    command_line,
    decision_loss,
    device_costs,
    environments,
    first_action_latency,
    gestures,
    launch_search,
    learning_curves,
    model_error,
    mutation_testing,
    other_engines,
    puzzle_outcomes,
    puzzle_positions,
    puzzle_search,
    rollout_policy,
    search_strength,
    squidge_costs,
)
from benchmarks import value_table as value_learner
from benchmarks.__main__ import main
from benchmarks.neural_net import fit
from flicksim.ai import GRADES, NO_NOISE, ExecutionNoise, ModelErrorTable
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import from_json, read_bytes
from flicksim.engine import Settings, simulate
from flicksim.experiments import run_experiment
from flicksim.experiments.shot_sampler import ShotSampler
from flicksim.games import ice, load, names
from flicksim.games.penny_white import value_table
from flicksim.games.tiddlywinks.candidate_shots import OTHER, candidate_shots
from flicksim.games.tiddlywinks.challenges import load_puzzles
from flicksim.games.tiddlywinks.heuristic_value import DEFAULT_STYLE, STYLES_BY_NAME
from flicksim.games.tiddlywinks.rollouts import POLICY_WEIGHTS
from flicksim.match import GameRolloutModel, PhysicsSimulator
from flicksim.scene import Flick, Launch, Squidge, samples
from flicksim.training import CURVE, CurvePoint, CurveWriter, TrainingInfo
from flicksim.validation.performance import MAX_TIME_STEP, SCENES, reference_time_steps
from tests.games.tiddlywinks.helpers import state_from_position


def csv_rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def test_everything_is_measured_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = main(["--repeats", "1", "--results", str(tmp_path)])
    assert {row.scene for row in rows} == set(SCENES)
    assert {row.discs for row in rows} == {2, 9, 26}
    assert all(row.median > 0.0 for row in rows)
    assert [row.ratio for row in rows if row.what == "bare Space.step"] == [1.0] * len(SCENES)
    (path,) = tmp_path.iterdir()
    assert len(csv_rows(path)) == len(rows)
    assert "Space.step" in capsys.readouterr().out


@pytest.mark.parametrize("name", SCENES)
def test_the_steps_counted_keep_the_step_rule(name: str) -> None:
    """No piece crosses more than a tenth of the smallest radius in a step, and all steps together are the shot."""
    trajectory = simulate(*samples.sample(name))
    time_steps = reference_time_steps(trajectory)
    t = 0.0
    for dt in time_steps:
        assert dt <= MAX_TIME_STEP
        here, there = trajectory.tracks.poses_at(t), trajectory.tracks.poses_at(t + dt)
        assert np.nanmax(np.linalg.norm((here - there)[:, :2], axis=1)) <= 1.2 * 0.1 * 0.01015
        t += dt
    assert t == pytest.approx(trajectory.duration, abs=MAX_TIME_STEP)


def test_a_batch_is_measured_against_what_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The extra of a missing package is named, and the rest is measured."""
    for name in ("pooltool", "mujoco"):
        monkeypatch.setitem(sys.modules, name, None)
    rows = batch_costs.main(["--shots", "20", "--results", str(tmp_path)])
    assert {batch_costs.COINS.title, batch_costs.POT.title, batch_costs.LAUNCHES, batch_costs.LEARNERS} < {
        row.task for row in rows
    }
    assert [row.baseline for row in rows if row.engine == "bare steps"] == [1.0] * 4
    launched = [row for row in rows if row.task == batch_costs.LAUNCHES]
    assert [row.engine.split(":")[0] for row in launched[::2]] == [
        "onto an empty table",
        "onto 20 pieces",
        "onto 80 pieces",
    ]
    assert all(row.baseline and row.baseline > 0.0 for row in launched)
    for title in (batch_costs.COINS.title, batch_costs.POT.title):
        told = {row.engine for row in rows if row.task == title}
        assert {f"flicksim: read back from {store} and reported" for store in ("sqlite", "parquet")} < told
    absent = [row.engine for row in rows if row.microseconds is None]
    assert absent == ["pooltool, two balls", "MuJoCo"]
    assert all(row.microseconds > 0.0 for row in rows if row.microseconds is not None)
    assert capsys.readouterr().out.count("needs the extra 'peers'") == 2
    (path,) = tmp_path.iterdir()
    assert len(csv_rows(path)) == len(rows)


def test_every_option_has_a_help_of_more_than_its_name() -> None:
    folder = Path(command_line.__file__).parent
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument":
                assert any(keyword.arg == "help" for keyword in node.keywords), f"{path.name}:{node.lineno}"
    told = " ".join(command_line.parser("x", None, seed=1, option=[], plain=False, shots=7).format_help().split())
    for text in ("--seed SEED random seed (1)", "option of the game, as name=value", "number of shots (7)"):
        assert text in told


def test_the_plain_script_makes_the_same_shots() -> None:
    """It steps where we leap: hit or miss, the coins come to lie where ours do, to a millimetre."""
    asked = msgspec.structs.replace(batch_costs.COINS, shots=30)
    shooter, table = ShotSampler(asked), run_experiment(asked)
    shot = other_engines.pymunk_script(shooter.scene, Settings())
    gaps = [shot(flick) for flick in batch_costs.make_flicks(table, shooter.piece, Flick)]
    assert gaps == pytest.approx(table["distance_white"].tolist(), abs=1e-3)


def test_missing_device_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda *_: None)
    monkeypatch.delitem(sys.modules, "flicksim.engine.batch.cuda_batch", raising=False)
    assert device_costs.main([]) == []
    assert "flicksim[cuda]" in capsys.readouterr().out


def test_shots_are_measured_with_more_winks_lying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, less in (("COUNTS", (2, 5)), ("_BATCH", 4), ("_SINGLE", 1)):
        monkeypatch.setattr(squidge_costs, name, less)
    squidge_costs.main(["--repeats", "1", "--results", str(tmp_path)])
    rows = csv_rows(tmp_path / "lying.csv")
    assert [(row["shot"], row["winks"]) for row in rows] == [
        ("alone", "2"), ("alone", "5"), ("into another", "2"), ("into another", "5"),
    ]  # fmt: skip
    assert [float(row["moved"]) for row in rows[:2]] == [1.0, 1.0]
    assert float(rows[2]["moved"]) == float(rows[3]["moved"]) > 1.0
    assert "more winks lying" in capsys.readouterr().out


def test_launches_are_ranked_by_the_share_standing_of_those_that_stay() -> None:
    """Seeded trials repeat, pieces handed back do not count, and launches that mostly leave the table score zero."""
    launch = launch_search.intended_launch("small", np.array([1.5, 0.008, 1.48, 0.09]))
    stood, stayed, away = launch_search.evaluate_launch(launch, "world", 12, np.random.default_rng(2))
    assert (stood, stayed, away) == launch_search.evaluate_launch(launch, "world", 12, np.random.default_rng(2))
    assert 0 < stood < stayed == 12
    assert 0.1 < away < 0.3
    soft = msgspec.structs.replace(launch, speed=0.3)
    assert launch_search.evaluate_launch(soft, "world", 5, np.random.default_rng(2)) == (0, 0, 0.0)
    counts = np.array([(2.0, 3.0, 4.0), (3.0, 3.0, 12.0), (0.0, 0.0, 4.0)])
    assert launch_search.standing_share(counts, 0.5).tolist() == pytest.approx([3.0 / 6.0, 4.0 / 6.0 * 0.5, 0.0])


def test_environments_are_measured_beside_what_was_measured_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for label in ("then", "now"):
        rows = environments.main(["--label", label, "--repeats", "1", "--scale", "0.01", "--results", str(tmp_path)])
    assert {row["environment"] for row in rows} == {*environments.SHOTS, *names()}
    assert {row["form"] for row in rows if row["environment"] == "Pot"} == {"single", "vector of 8", "vector of 1024"}
    assert all(row["per_second"] > 0.0 for row in rows)
    kept = csv_rows(tmp_path / "environments.csv")
    assert [row["label"] for row in kept] == ["then"] * len(rows) + ["now"] * len(rows)
    assert "then" in capsys.readouterr().out


def test_curves_are_put_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = []
    for task, baseline in (("dominoes", "bot:club"), ("pot", "rule of thumb")):
        info = TrainingInfo(
            lesson=task, seed=1, steps=9, environment="", settings={}, method="by heart", versions={},
            references={"won": {"random": 0.1, baseline: 0.6}},
        )  # fmt: skip
        folders.append(str(tmp_path / task))
        with CurveWriter(tmp_path / task / CURVE) as writer:
            writer.write(info)
            for steps in (0, 9):
                writer.write(CurvePoint(steps=steps, seconds=1.0, scores={"won": 0.05 * steps}, asked=20))
    picture = tmp_path / "learning.png"
    rows = learning_curves.main([*folders, "--picture", str(picture), "--results", str(tmp_path)])
    assert [(row.task, row.steps, row.baseline, row.baseline_name) for row in rows] == [
        ("pot", 0, 0.6, "rule of thumb"), ("pot", 9, 0.6, "rule of thumb"),
        ("dominoes", 0, 0.6, "bot:club"), ("dominoes", 9, 0.6, "bot:club"),
    ]  # fmt: skip
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "learning.csv").read_text().count("\n") == 5
    assert "by heart" in capsys.readouterr().out


def test_grades_and_calibration_are_measured_by_a_command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows go to a temporary folder, not to the committed results."""
    monkeypatch.setattr(search_strength, "RESULTS_FILE", tmp_path / "grades.csv")
    monkeypatch.setattr(calibration, "RESULTS_FILE", tmp_path)
    options = ["--option", "ends=1", "--option", "pennies=1"]
    search_strength.main(["penny-white", "--depth", "club", "--depth", "beginner", "--games", "2", *options])
    assert "club, beginner" in capsys.readouterr().out
    search_strength.main(["penny-white", "--depth", "beginner", "--against", "6,1,1", "--games", "1", *options])
    assert "search 6,1,1" in capsys.readouterr().out
    calibration.main(["penny-white", "--bot", "club/beginner", "--positions", "3", "--shots", "1000", *options])
    assert "mean error" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["calibration-penny-white.csv", "grades.csv"]
    rows = np.array([[1, 3, 0.62, 1.0], [1, 5, 0.68, 1.0], [2, 4, 0.66, 0.0], [2, 9, 1.0, 1.0]])
    sixth, last = calibration.calibration_bins(rows)
    assert sixth[:3] == (6, 3, 2)
    assert sixth.predicted - sixth.observed == pytest.approx(sixth.error) == pytest.approx(0.6533 - 0.6667, abs=1e-3)
    assert sixth.half_width > 0.5, "two games give a wide interval, however many positions they have"
    assert last[:3] == (9, 1, 1)


def test_what_a_search_loses_per_decision_is_measured_by_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    """A search without shots takes the bot's default flick, which loses more than any other search."""
    decision_loss.main(["penny-white", "--games", "1", "--every", "20", "--tries", "256", "--search", "0,1,1"])
    rows = [line.split("│") for line in capsys.readouterr().out.splitlines() if line.count("│") > 5]
    lost = {row[1].strip(): float(row[3]) for row in rows}
    assert list(lost) == ["club", "expert", "world", "0,1,1"]
    assert lost["0,1,1"] == max(lost.values()) > 0.0


@pytest.mark.parametrize("piece", gestures.INTENDED_ACTIONS)
def test_a_steady_player_comes_to_the_grade_with_every_gesture_and_a_patient_one_passes_it(piece: str) -> None:
    for gesture in gestures.GESTURES:
        hasty, steady, patient = (
            gestures.measure(piece, gesture, player, "club", 1500, 1) for player in ("hasty", "steady", "patient")
        )
        assert hasty.grade_ratio > steady.grade_ratio > patient.grade_ratio > 0.7
        assert 0.85 < steady.grade_ratio < 1.15
        assert patient.grade_ratio < 1.0
        assert steady.speed_error < (0.045 if piece == "pyramid" else 0.025)


CODE = """
def paid(points: int, least: float = 1.5) -> int:
    if points < 3 and not least:
        raise ValueError("too few, 2 at least")
    points += 1
    return points
"""


def test_mutants_change_one_place_each() -> None:
    mutants = [
        mutation_testing.mutate(CODE, k) for k in range(len(list(mutation_testing.mutation_sites(ast.parse(CODE)))))
    ]
    done = {(one.line, one.before, one.after) for _, one in mutants}
    assert done == {
        (2, "1.5", "2.5"),
        (3, "points < 3 and (not least)", "not (points < 3 and (not least))"),
        (3, "points < 3 and (not least)", "points < 3 or not least"),
        (3, "points < 3", "points <= 3"),
        (3, "3", "4"),
        (4, "raise ValueError('too few, 2 at least')", "pass"),
        (5, "points += 1", "points -= 1"),
        (5, "points += 1", "pass"),
        (5, "1", "2"),
    }
    assert len({text for text, _ in mutants}) == len(mutants) == len(done)


def test_mutants_are_drawn_by_seed_from_packages_without_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = mutation_testing.draw_mutants(50, 3)
    assert len(set(drawn)) == 50
    assert all(file.split("/")[1] in mutation_testing.PACKAGES for file, _ in drawn)
    assert mutation_testing.tests_of("flicksim/games/ice/rules.py")[:1] == ("tests/games/ice/test_ice_evaluation.py",)
    assert mutation_testing.tests_of("flicksim/core/file_lock.py")[0] == "tests/core/test_file_lock.py"
    assert all((mutation_testing.ROOT / test).exists() for file, _ in drawn for test in mutation_testing.tests_of(file))
    monkeypatch.setattr(mutation_testing, "PACKAGES", ("profiles",))
    one, again, other = (mutation_testing.draw_mutants(50, seed) for seed in (3, 3, 4))
    assert one == again != other


def test_a_mutant_is_killed_lives_or_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutants are made in a copy of the tree; the original stays as it is."""
    states = iter([("lived", 2.0), ("killed", 0.5), ("lived", 2.0), ("late", 26.0)])
    limits: list[float | None] = []

    def run(tree: Path, tests: object, limit: float | None) -> tuple[str, float]:
        del tests
        assert tree != mutation_testing.ROOT
        limits.append(limit)
        return next(states)

    mutated = "flicksim/core/units.py"
    before = (mutation_testing.ROOT / mutated).read_bytes()
    monkeypatch.setattr(mutation_testing, "run", run)
    monkeypatch.setattr(mutation_testing, "draw_mutants", lambda *_: [(mutated, k) for k in range(3)])
    found = mutation_testing.run_all(3, 1)
    assert [one.state for one in found] == ["killed", "lived", "late"]
    assert limits == [None, 26.0, 26.0, 26.0]
    assert (mutation_testing.ROOT / mutated).read_bytes() == before


def test_a_network_is_fitted_to_probabilities() -> None:
    """Two features, of which only the first is informative; the third gain never occurs."""
    rng = np.random.default_rng(5)
    features = np.zeros((4000, value_table.FEATURES), np.float32)
    features[:, :2] = rng.standard_normal((4000, 2))
    targets = np.zeros((4000, len(value_table.GAINS)))
    targets[:, 0] = 1.0 / (1.0 + np.exp(-2.0 * features[:, 0]))
    targets[:, 1] = 1.0 - targets[:, 0]
    found = value_table.Network(fit(features, targets, value_table.LAYER_SIZES, 1)).probabilities(features)
    assert np.abs(found - targets).mean() < 0.02
    assert found[:, 2:].max() < 0.05


@pytest.mark.long
def test_values_are_learnt_by_backward_induction(tmp_path: Path) -> None:
    """Few positions teach little, but points that lie there with one penny left are recognised."""
    assert value_learner.main(["--positions", "25", "--iterations", "1", "--out", str(tmp_path / "found.json")]) == 0
    found = from_json(read_bytes(tmp_path / "found.json"), value_table.ValueTable)
    assert len(found.nets) == 8
    assert set(found.starter) == set(GRADES)
    for shares in found.starter.values():
        assert sum(shares) == pytest.approx(1.0, abs=1e-3)
    places, there = np.zeros((2, 9, 2)), np.zeros((2, 9), np.bool_)
    places[:, 8], there[:, 8] = (0.15, 0.6), True
    for row, first in ((0, 0), (1, 4)):  # three close pennies of the player to flick, then of the other
        for k in range(3):
            places[row, first + k], there[row, first + k] = (0.13 + 0.02 * k, 0.575), True
    net = value_table.Network(found.nets[0])
    mine, theirs = (
        net.probabilities(value_table.features_of(places, there, np.zeros(2, np.int64), 0.0)) @ value_table.GAINS
    )
    assert mine > theirs + 1.0


def test_a_player_that_sees_all_cards_is_timed() -> None:
    """It searches the actual deal, against the heuristic player."""
    shares, seconds = search_strength.play_match_up(
        load("dominoes"), "club", (search_strength.FULL_INFORMATION, "club"), 2, 1, ["rounds=1"], seats=4
    )
    assert len(shares) == 2
    assert all(0.0 <= share <= 1.0 for share in shares)
    assert min(map(len, seconds)) > 0
    assert sum(seconds[0]) > sum(seconds[1])


def test_the_wait_for_a_first_action_is_measured_at_the_shell_and_in_the_window(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = first_action_latency.main(
        ["--game", "dominoes", "--grade", "beginner", "--turns", "2", "--plain", "--results", str(tmp_path)]
    )
    assert [(row.game, row.grade, row.mode) for row in rows] == [
        ("dominoes", "beginner", mode) for mode in ("shell", "person", "window")
    ]
    assert all(row.clock > row.opened_s >= 0.0 and row.processor >= 0.0 for row in rows if row.mode != "person")
    (path,) = tmp_path.iterdir()
    assert len(csv_rows(path)) == len(rows)
    assert "| dominoes | beginner | window |" in capsys.readouterr().out


@pytest.mark.parametrize("own", [0.0, 0.05])
def test_the_model_error_is_estimated_apart_from_sampling_error(own: float) -> None:
    """4,000 positions, each played out a hundred times, with and without a model error."""
    rng = np.random.default_rng(1)
    chance = rng.uniform(0.05, 0.95, 4000)
    noise = chance * (1.0 - chance) / 100.0
    deviation = own * 4.0 * chance * (1.0 - chance) * rng.standard_normal(4000) + np.sqrt(noise) * rng.standard_normal(
        4000
    )
    rows = np.stack([chance, deviation, noise], axis=1).tolist()
    observed = [model_error.Observation(k % 3, *row) for k, row in enumerate(rows)]
    estimate, standard_error = model_error.variance(observed)
    assert estimate == pytest.approx(own * own, abs=4.0 * standard_error)
    assert standard_error < 2e-4
    assert model_error.error(estimate, standard_error) == pytest.approx(own, abs=0.01)
    assert model_error.error(estimate, 1e6 * standard_error) > 1.0, "without measurements the error is unbounded"


def test_a_stage_has_its_own_error_if_it_differs_significantly() -> None:
    def observations(last: float) -> list[model_error.Observation]:
        deviations = ((last if k % 3 == 2 else 0.01) * (-1) ** k for k in range(300))
        return [model_error.Observation(k % 3, 0.5, deviation, 0.0001) for k, deviation in enumerate(deviations)]

    assert len(set(model_error.by_stage(observations(0.01)))) == 1
    first, second, third = model_error.by_stage(observations(0.1))
    assert third > 0.09
    assert max(first, second) < 0.5 * third


def test_gap_errors_from_few_games_are_not_stated() -> None:
    few = [model_error.Observation(k % 3, 0.5, 0.1 * (-1) ** k, 0.04) for k in range(6)]
    many = [model_error.Observation(k % 3, 0.5, 0.1 * (-1) ** k, 0.004) for k in range(60)]
    assert model_error.gaps_by_stage([]) == model_error.gaps_by_stage(few) == [None] * 3
    assert all(one is not None and 0.05 < one < 0.12 for one in model_error.gaps_by_stage(many))


def test_the_error_of_a_model_is_measured_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert model_error.main(["dominoes", "--games", "4", "--tries", "5", "--out", str(tmp_path)]) == 0
    saved = from_json(read_bytes(tmp_path / "dominoes.json"), ModelErrorTable)
    assert (saved.seed, saved.games, len(saved.stages)) == (1, 5 * saved.positions, 3)
    assert saved.positions > 8
    assert all(one.level > 0.0 and one.gap is None for one in saved.stages)
    shown = capsys.readouterr().out
    assert f"{saved.games} played out" in shown
    rows = (tmp_path / "coverage-dominoes.csv").read_text().splitlines()
    assert rows[0] == "game,stage,predicted,low,high,played_out,standard_error"
    assert f"of {len(rows) - 1}; by third" in shown


def test_intervals_are_counted_with_the_saved_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path)
    assert model_error.main(["dominoes", "--check", "--games", "2", "--tries", "4", "--out", folder]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["coverage-dominoes.csv"], "no table is written"
    assert "; by third" in capsys.readouterr().out


@pytest.mark.parametrize("own", [0.0, 0.1])
def test_intervals_with_the_error_of_other_games_are_true_nineteen_times_in_twenty(own: float) -> None:
    """1,800 positions of 600 games, each played out two hundred times; estimates by four hundred rollouts."""
    rng = np.random.default_rng(1)
    measured = []
    for k in range(1800):
        p = rng.uniform(0.1, 0.9)
        variances = p * (1.0 - p) / 400.0, p * (1.0 - p) / 200.0
        spread = [own * 4.0 * p * (1.0 - p), *np.sqrt(variances)]
        level = model_error.Observation(k % 3, p, float((rng.standard_normal(3) * spread).sum()), sum(variances))
        arm = 1.96 * spread[1]
        measured.append(model_error.Measured(k // 3, level, (p - arm, p + arm), spread[2]))
    intervals = model_error.cross_validated(measured)
    assert len(intervals) == 1800
    assert np.mean([one.is_true(1.96) for one in intervals]) == pytest.approx(0.95, abs=0.02)


def test_an_interval_is_true_by_the_arm_towards_the_play_outs() -> None:
    interval = model_error.CheckedInterval(
        game=1, stage=0, predicted=0.5, low=0.48, high=0.6, played_out=0.59, standard_error=0.02
    )
    assert interval.is_true()
    below = msgspec.structs.replace(interval, played_out=0.45)
    assert not below.is_true(), "the lower arm is .02"
    assert below.is_true(2.3), "widened to .05 by 2.3 standard errors in quadrature"


def test_play_outs_of_cards_deal_the_hidden_ones_anew() -> None:
    game = load("dominoes")
    state = game.rules.initial_state(game.options(), 4, RandomStreams(seed=1))
    action = game.rules.legal_actions(state).actions[0]
    model = GameRolloutModel(game, PhysicsSimulator())
    shares = model_error.play_out_with_bots(game, model)(state, state.to_play, action, 12, 1)
    assert len(set(shares.tolist())) > 1, "bots without chance would always play the same hands alike"


def test_a_calibration_is_continued_with_the_games_it_would_have_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(calibration, "RESULTS_FILE", tmp_path)
    rest = ["dominoes", "--bot", "club", "--seats", "3", "--shots", "200", "--each", "2"]
    calibration.main([*rest, "--positions", "6", "--name", "whole"])
    calibration.main([*rest, "--positions", "4", "--name", "parts"])
    calibration.main([*rest, "--positions", "6", "--name", "parts", "--resume"])
    whole, parts = (tmp_path / f"calibration-{name}.csv" for name in ("whole", "parts"))
    assert whole.read_text() == parts.read_text()
    capsys.readouterr()
    calibration.main(["whole", "parts", "--positions", "0", "--picture", str(tmp_path / "plots.png")])
    assert capsys.readouterr().out.count("Brier score of the mean") == 2
    assert (tmp_path / "plots.png").stat().st_size > 1000


def test_policy_weights_are_recovered_from_the_shots_they_make() -> None:
    rng = np.random.default_rng(1)
    weights = np.linspace(-2.0, 2.0, len(POLICY_WEIGHTS))
    decisions = []
    for _ in range(3000):
        features = rng.normal(size=(rng.integers(2, 9), len(weights)))
        made = int((features @ weights + rng.gumbel(size=len(features))).argmax())
        decisions.append((features, made))
    found = rollout_policy.fit(decisions)
    assert found == pytest.approx(weights, abs=0.2)
    assert rollout_policy.log_likelihood(decisions, found) > rollout_policy.log_likelihood(decisions, 0.5 * weights)


def test_shots_that_rollouts_know_are_decisions() -> None:
    state = state_from_position({"blue-3": (200.0, 0.0), "green-3": (100.0, 0.0)})
    targets = set()
    for one in candidate_shots(state, STYLES_BY_NAME[DEFAULT_STYLE]):
        found = rollout_policy.decision(state, one.shot)
        assert (found is None) == (one.target == OTHER)
        if found is not None:
            targets.add(found[1])
            assert len(found[0]) > found[1]
    assert len(targets) > 3, "pots, approaches and a squop"
    assert rollout_policy.decision(state, Squidge(piece="blue-3", speed=1.0, azimuth=0.0)) is None


def test_the_power_of_the_odds_is_found_with_an_interval_by_games() -> None:
    """3,000 positions in pairs of one game; results by odds to the power 0.7 of those predicted."""
    rng = np.random.default_rng(1)
    chance = np.repeat(rng.uniform(0.02, 0.98, 1500), 2)
    odds = (chance / (1.0 - chance)) ** 0.7
    won = np.repeat(rng.random(1500) < (odds / (1.0 + odds))[::2], 2)
    rows = np.stack([np.arange(3000) // 2, np.arange(3000) % 2, chance, won], axis=1)
    low, high = calibration.bootstrap_interval(rows, calibration.odds_power)
    assert low < calibration.odds_power(rows) < high
    assert low < 0.7 < high
    assert calibration.brier_score(np.array([[1, 1, 0.5, 1.0], [1, 2, 1.0, 1.0]])) == pytest.approx(0.125)
    rows[:, 0] = np.arange(3000)
    narrow = calibration.bootstrap_interval(rows, calibration.odds_power)
    assert narrow[1] - narrow[0] < 0.85 * (high - low), "as if they were independent"


class _Drawn:
    """Subject of a search whose shots are ideas that win with given probabilities."""

    min_chance, margin, first_lead = 0.25, 0.1, 0.1

    def __init__(self, chances: dict[str, float]) -> None:
        self.chances = chances

    def candidates(self, _state: object) -> list[str]:
        return list(self.chances)

    def perturbed(self, shot: str, _rng: np.random.Generator) -> str:
        return shot

    def wins(
        self, _state: object, actions: list[str], tries: int, seed: int, *, exact: bool, quick: bool
    ) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        luck = np.random.default_rng(seed).random(tries)
        return np.array([luck < self.chances[action] for action in actions], np.float64)

    def idea(self, _state: object, action: str) -> str:
        return action

    kind = idea

    def is_solved_by(self, _state: object, _action: str) -> bool:
        return True


_LOST = dict.fromkeys(("wait", "hope", "pray", "curse"), 0.0)


@pytest.mark.parametrize(
    ("chances", "reason"),
    [
        ({}, "nothing wins"),
        ({"pot": 0.8, "squop": 0.78}, "rival"),
        (dict.fromkeys(("pot", "squop", "free", "blow", "miss"), 0.9), "all wins"),
        ({"free": 0.7}, "unwanted"),
        ({"pot": 0.7, "squop": 0.3}, "pot"),
    ],
)
def test_a_puzzle_has_one_idea_that_is_clearly_best(chances: dict[str, float], reason: str) -> None:
    subject: Any = _Drawn(_LOST | chances)
    found = puzzle_search.Search(subject, None, 7).run({"free"})
    if isinstance(found, str):
        assert found.startswith(reason)
        return
    solution, rival = found.solution, found.rivals[0]
    assert (solution.idea, rival.idea, len(solution.wins)) == (reason, "squop", 1600)
    assert solution.mean == pytest.approx(chances["pot"], abs=0.05)
    assert rival.mean == pytest.approx(chances["squop"], abs=0.1)


def test_positions_of_ice_are_last_launches_that_may_turn_the_game() -> None:
    subject = puzzle_positions.IceSubject("world")
    found = [state for number in (1, 2) for _, _, state in subject.positions(1, number, set())]
    assert found
    for state in found:
        seat, points = subject.seat(state), ice.rules.provisional_points(state)
        assert ([*map(len, state.hands)], state.aloft) == ([seat == 0, seat == 1], ())
        assert {piece.id for piece in state.scene.pieces} == set(state.committed), "what came back is picked up"
        assert points[1 - seat] >= points[seat]


def test_candidates_of_ice_are_aimed_at_a_piece_whose_fall_turns_the_game() -> None:
    puzzle = next(one for one in ice.challenges.load_puzzles() if one.idea.startswith("knock"))
    candidates = puzzle_positions.IceSubject(puzzle.hand).candidates(puzzle.state)
    aims = [ice.purpose.purpose_of_aim(puzzle.state, one) for one in candidates if isinstance(one, Launch)]
    ideas = [ice.purpose.describe(*aim) for aim in aims if aim is not None]
    assert ideas.count(puzzle.idea) >= 12


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--limit", "pot"], "'pot' must be KIND=NUMBER"), (["--limit", "pot=x"], "'pot=x' must"), ([], "needs --out")],
)
def test_a_puzzle_search_that_cannot_be_run_is_refused_at_once(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["puzzle_search", "tiddlywinks", *arguments])
    monkeypatch.setattr(puzzle_search, "find", lambda *_: pytest.fail("it searches"))
    with pytest.raises(SystemExit):
        puzzle_search.main()
    assert message in capsys.readouterr().err


def test_found_puzzles_are_added_up_to_the_limits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    puzzles, out, asked = load_puzzles()[:2], tmp_path / "found.jsonl", list[object]()

    def find(_subject: object, *given: object) -> list[Any]:
        asked.extend(given)
        return list(puzzles)

    monkeypatch.setattr(puzzle_search, "find", find)
    monkeypatch.setattr(sys, "argv", ["", "tiddlywinks", "--limit", "pot=2,sure pot=1", "--out", str(out)])
    puzzle_search.main()
    assert asked == [1, 20, {"pot": 2, "sure pot": 1}]
    assert len(out.read_bytes().splitlines()) == 2


@pytest.mark.parametrize(
    ("number", "share_of_speed", "noise", "results"),
    [(0, 1.0, GRADES["beginner"], {0.0, 1.0}), (3, 0.3, NO_NOISE, {0.5})],
    ids=["won and lost", "drawn"],
)
def test_last_turns_of_a_batch_are_ruled_as_in_a_game(
    number: int, share_of_speed: float, noise: ExecutionNoise, results: set[float]
) -> None:
    """A drawn game counts as lost."""
    puzzle, game = load_puzzles()[number], load("tiddlywinks")
    shot = msgspec.structs.replace(puzzle.solution, speed=share_of_speed * puzzle.solution.speed)
    model, tries = GameRolloutModel(game, PhysicsSimulator()), 8 if len(results) > 1 else 1
    wins = puzzle_outcomes.last_turn_wins(model, puzzle.state, puzzle.seat, [shot], noise, tries, 3, Settings())
    made = [noise.execute(shot, np.random.Generator(np.random.PCG64([3, k]))) for k in range(tries)]
    ruled = [
        float(model.rollout(puzzle.state, puzzle.seat, [one], NO_NOISE, 1, 0, exact=True).win_probability[0, 0])
        for one in made
    ]
    assert wins[0].tolist() == [0.0 if one == 0.5 else one for one in ruled]
    assert set(ruled) <= results
