"""The measurements run and say what they measured. Nothing here judges a time."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from benchmarks import (
    batch,
    calibration,
    code_mutants,
    environments,
    first_action,
    gestures,
    grades,
    knacks,
    launches,
    learning,
    model_error,
    peers,
    reports,
    steps,
)
from benchmarks import prospects as learn_prospects
from benchmarks.__main__ import main
from benchmarks.net import fitted
from flicksim.base.codec import from_json, read_bytes
from flicksim.bench.costs import LONGEST_STEP, SCENES, step_times
from flicksim.games import load, names
from flicksim.games.penny_white import prospects
from flicksim.lab import ask
from flicksim.lab.learn import CURVE, Course, Keeper, Point
from flicksim.lab.shooter import Shooter
from flicksim.physics import Settings, settle
from flicksim.players import GRADES, Measured
from flicksim.table import Flick, samples


def test_everything_is_measured_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = main(["--repeats", "1", "--results", str(tmp_path)])
    assert {row.scene for row in rows} == set(SCENES)
    assert {row.discs for row in rows} == {2, 9, 26}
    assert all(row.median > 0.0 for row in rows)
    assert [row.ratio for row in rows if row.what == "bare Space.step"] == [1.0] * len(SCENES)
    (path,) = tmp_path.iterdir()
    with path.open(newline="", encoding="utf-8") as lines:
        assert len(list(csv.DictReader(lines))) == len(rows)
    assert "Space.step" in capsys.readouterr().out


@pytest.mark.parametrize("name", SCENES)
def test_the_steps_counted_keep_the_step_rule(name: str) -> None:
    """No piece crosses more than a tenth of the smallest radius in a step, and all steps together are the shot."""
    motion = settle(*samples.sample(name))
    steps = step_times(motion)
    t = 0.0
    for dt in steps:
        assert dt <= LONGEST_STEP
        here, there = motion.tracks.at(t), motion.tracks.at(t + dt)
        assert np.nanmax(np.linalg.norm((here - there)[:, :2], axis=1)) <= 1.2 * 0.1 * 0.01015
        t += dt
    assert t == pytest.approx(motion.duration, abs=LONGEST_STEP)


def test_a_batch_is_measured_against_what_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A peer that is not installed is told of, and the rest goes on."""
    for name in ("pooltool", "mujoco"):
        monkeypatch.setitem(sys.modules, name, None)
    rows = batch.main(["--shots", "20", "--results", str(tmp_path)])
    assert {batch.COINS.title, batch.POT.title, batch.LAUNCHES, batch.LEARNERS} < {row.question for row in rows}
    assert [row.bare for row in rows if row.who == "bare steps"] == [1.0] * 4
    absent = [row.who for row in rows if row.us is None]
    assert absent == ["pooltool, two balls", "MuJoCo"]
    assert all(row.us > 0.0 for row in rows if row.us is not None)
    assert "pip install 'flicksim[peers]'" in capsys.readouterr().out
    (path,) = tmp_path.iterdir()
    with path.open(newline="", encoding="utf-8") as lines:
        assert len(list(csv.DictReader(lines))) == len(rows)


def test_the_plain_script_makes_the_same_shots() -> None:
    """It steps where we leap: hit or miss, the coins come to lie where ours do, to a millimetre."""
    asked = msgspec.structs.replace(batch.COINS, shots=30)
    shooter, table = Shooter(asked), ask(asked)
    shot = peers.script(shooter.scene, Settings())
    gaps = [shot(flick) for flick in batch.made(table, shooter.piece, Flick)]
    assert gaps == pytest.approx(table["gap_white"].tolist(), abs=1e-3)


def test_reports_are_measured_beside_what_they_report_on(capsys: pytest.CaptureFixture[str]) -> None:
    costs = reports.main(["--shots", "50"])
    assert [cost.store for cost in costs] == ["sqlite", "parquet"]
    assert all(cost.ratio == (cost.read + cost.reported) / cost.made > 0.0 for cost in costs)
    assert "ratio" in capsys.readouterr().out


def test_launches_are_measured_on_tables_that_fill(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = launches.main(["--repeats", "2", "--results", str(tmp_path)])
    assert [row.pieces for row in rows] == [0, 20, 80]
    assert all(row.median > 0.0 and row.steps > 0.0 for row in rows)
    assert "bare" in capsys.readouterr().out
    assert [len(samples.strewn(count).pieces) for count in (0, 20, 80)] == [0, 20, 80]


def test_launches_by_heart_are_sought_by_those_that_stand_of_those_that_stay() -> None:
    """The same seed tries the same, what is handed back is left out, and a launch that mostly is counts for nothing."""
    launch = knacks.meant("small", np.array([1.5, 0.008, 1.48, 0.09]))
    stood, stayed, away = knacks.tried(launch, "world", 12, np.random.default_rng(2))
    assert (stood, stayed, away) == knacks.tried(launch, "world", 12, np.random.default_rng(2))
    assert 0 < stood < stayed == 12
    assert 0.1 < away < 0.3
    soft = msgspec.structs.replace(launch, speed=0.3)
    assert knacks.tried(soft, "world", 5, np.random.default_rng(2)) == (0, 0, 0.0)
    came = np.array([(2.0, 3.0, 4.0), (3.0, 3.0, 12.0), (0.0, 0.0, 4.0)])
    assert knacks.sure(came, 0.5).tolist() == pytest.approx([3.0 / 6.0, 4.0 / 6.0 * 0.5, 0.0])


def test_environments_are_measured_beside_what_was_measured_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for label in ("then", "now"):
        rows = environments.main(["--label", label, "--repeats", "1", "--scale", "0.01", "--results", str(tmp_path)])
    assert {row["environment"] for row in rows} == {*environments.SHOTS, *names()}
    assert {row["form"] for row in rows if row["environment"] == "Pot"} == {"single", "vector of 8", "vector of 1024"}
    assert all(row["per_second"] > 0.0 for row in rows)
    with (tmp_path / "environments.csv").open(newline="", encoding="utf-8") as lines:
        kept = list(csv.DictReader(lines))
    assert [row["label"] for row in kept] == ["then"] * len(rows) + ["now"] * len(rows)
    assert "then" in capsys.readouterr().out


def test_curves_are_put_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = []
    for lesson, who in (("dominoes", "bot:club"), ("pot", "rule of thumb")):
        course = Course(
            lesson=lesson, seed=1, steps=9, environment="", settings={}, method="by heart", versions={},
            references={"won": {"random": 0.1, who: 0.6}},
        )  # fmt: skip
        folders.append(str(tmp_path / lesson))
        with Keeper(tmp_path / lesson / CURVE) as keeper:
            keeper.line(course)
            for steps in (0, 9):
                keeper.line(Point(steps=steps, seconds=1.0, scores={"won": 0.05 * steps}, asked=20))
    picture = tmp_path / "learning.png"
    rows = learning.main([*folders, "--picture", str(picture), "--results", str(tmp_path)])
    assert [(row.lesson, row.steps, row.other, row.who) for row in rows] == [
        ("pot", 0, 0.6, "rule of thumb"), ("pot", 9, 0.6, "rule of thumb"),
        ("dominoes", 0, 0.6, "bot:club"), ("dominoes", 9, 0.6, "bot:club"),
    ]  # fmt: skip
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "learning.csv").read_text().count("\n") == 5
    assert "by heart" in capsys.readouterr().out


def test_grades_and_calibration_are_measured_by_a_command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows go to a folder of the test's own: those that are kept stay."""
    monkeypatch.setattr(grades, "KEPT", tmp_path / "grades.csv")
    monkeypatch.setattr(calibration, "KEPT", tmp_path)
    options = ["--option", "ends=1", "--option", "pennies=1"]
    grades.main(["penny-white", "--depth", "club", "--depth", "beginner", "--games", "2", *options])
    assert "club, beginner" in capsys.readouterr().out
    grades.main(["penny-white", "--depth", "beginner", "--against", "6,1,1", "--games", "1", *options])
    assert "search 6,1,1" in capsys.readouterr().out
    calibration.main(["penny-white", "--bot", "club/beginner", "--positions", "3", "--shots", "1000", *options])
    assert "told less won" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["calibration-penny-white.csv", "grades.csv"]
    rows = np.array([[1, 3, 0.62, 1.0], [1, 5, 0.68, 1.0], [2, 4, 0.66, 0.0], [2, 9, 1.0, 1.0]])
    sixth, last = calibration.tenths(rows)
    assert sixth[:3] == (6, 3, 2)
    assert sixth.told - sixth.won == pytest.approx(sixth.off) == pytest.approx(0.6533 - 0.6667, abs=1e-3)
    assert sixth.give > 0.5, "two games tell little, however many positions they have"
    assert last[:3] == (9, 1, 1)


@pytest.mark.parametrize("piece", gestures.WISHES)
def test_a_steady_player_comes_to_the_grade_with_every_gesture_and_a_patient_one_passes_it(piece: str) -> None:
    for gesture in gestures.GESTURES:
        hasty, steady, patient = (
            gestures.measured(piece, gesture, player, "club", 1500, 1) for player in ("hasty", "steady", "patient")
        )
        assert hasty.beside > steady.beside > patient.beside > 0.7
        assert 0.85 < steady.beside < 1.15
        assert patient.beside < 1.0
        assert steady.push < (0.045 if piece == "pyramid" else 0.025)


CODE = """
def paid(points: int, least: float = 1.5) -> int:
    if points < 3 and not least:
        raise ValueError("too few, 2 at least")
    points += 1
    return points
"""


def test_faults_are_set_into_code_one_at_a_time() -> None:
    faults = [code_mutants.mutated(CODE, k) for k in range(len(list(code_mutants.sites(code_mutants.ast.parse(CODE)))))]
    done = {(one.line, one.was, one.now) for _, one in faults}
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
    assert len({text for text, _ in faults}) == len(faults) == len(done)


def test_faults_are_drawn_by_seed_over_what_is_not_compiled() -> None:
    drawn = code_mutants.drawn(50, 3)
    assert drawn == code_mutants.drawn(50, 3) != code_mutants.drawn(50, 4)
    assert len(set(drawn)) == 50
    assert all(file.split("/")[1] in code_mutants.ROOMS for file, _ in drawn)
    assert code_mutants.tests_of("flicksim/games/ice/rules.py")[:1] == ("tests/games/ice/test_ice_play.py",)
    assert code_mutants.tests_of("flicksim/base/lock.py")[0] == "tests/base/test_lock.py"
    assert all((code_mutants.ROOT / test).exists() for file, _ in drawn for test in code_mutants.tests_of(file))


def test_a_fault_is_killed_lives_or_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a copy of the tree; this one stays as it is."""
    states = iter([("lived", 2.0), ("killed", 0.5), ("lived", 2.0), ("late", 26.0)])
    limits: list[float | None] = []

    def run(tree: Path, tests: object, limit: float | None) -> tuple[str, float]:
        del tests
        assert tree != code_mutants.ROOT
        limits.append(limit)
        return next(states)

    before = code_mutants.drawn(1, 1)
    monkeypatch.setattr(code_mutants, "run", run)
    monkeypatch.setattr(code_mutants, "drawn", lambda *_: [("flicksim/base/units.py", k) for k in range(3)])
    found = code_mutants.carried_out(3, 1)
    assert [one.state for one in found] == ["killed", "lived", "late"]
    assert limits == [None, 26.0, 26.0, 26.0]
    monkeypatch.undo()
    assert code_mutants.drawn(1, 1) == before


def test_a_net_is_fitted_to_likelihoods_it_is_shown() -> None:
    """Two signs, of which the first alone tells; the third gain never comes."""
    rng = np.random.default_rng(5)
    told = np.zeros((4000, prospects.SIGNS), np.float32)
    told[:, :2] = rng.standard_normal((4000, 2))
    likely = np.zeros((4000, len(prospects.GAINS)))
    likely[:, 0] = 1.0 / (1.0 + np.exp(-2.0 * told[:, 0]))
    likely[:, 1] = 1.0 - likely[:, 0]
    found = prospects.Net(fitted(told, likely, prospects.SHAPE, 1)).likely(told)
    assert np.abs(found - likely).mean() < 0.02
    assert found[:, 2:].max() < 0.05


@pytest.mark.long
def test_prospects_are_learnt_backwards_from_the_last_penny(tmp_path: Path) -> None:
    """So few positions teach little; but that points which lie there with one penny to come count is told."""
    assert learn_prospects.main(["--positions", "25", "--turns", "1", "--out", str(tmp_path / "found.json")]) == 0
    found = from_json(read_bytes(tmp_path / "found.json"), prospects.Prospects)
    assert len(found.nets) == 8
    assert set(found.starter) == set(GRADES)
    for shares in found.starter.values():
        assert sum(shares) == pytest.approx(1.0, abs=1e-3)
    places, there = np.zeros((2, 9, 2)), np.zeros((2, 9), np.bool_)
    places[:, 8], there[:, 8] = (0.15, 0.6), True
    for row, first in ((0, 0), (1, 4)):  # three close pennies of who is to flick, then of the other
        for k in range(3):
            places[row, first + k], there[row, first + k] = (0.13 + 0.02 * k, 0.575), True
    net = prospects.Net(found.nets[0])
    mine, theirs = net.likely(prospects.signs(places, there, np.zeros(2, np.int64), 0.0)) @ prospects.GAINS
    assert mine > theirs + 1.0


def test_who_is_shown_all_cards_plays_along_and_is_timed() -> None:
    """One who sees every hand weighs the deal there is, against the rule of thumb."""
    shares, seconds = grades.duel(load("dominoes"), "club", (grades.SEEING, "club"), 2, 1, ["rounds=1"], seats=4)
    assert len(shares) == 2
    assert all(0.0 <= share <= 1.0 for share in shares)
    assert min(map(len, seconds)) > 0
    assert sum(seconds[0]) > sum(seconds[1])


def test_long_steps_are_held_against_fine_ones(capsys: pytest.CaptureFixture[str]) -> None:
    """The same shots both ways; and samples that are alike, and wholly apart, are told so."""
    assert steps.main(["--positions", "1", "--tries", "1"]) == 0
    assert "from 1 positions" in capsys.readouterr().out
    assert steps.apart(np.arange(4.0), np.arange(4.0)) == 0.0
    assert steps.apart(np.arange(4.0), np.arange(4.0) + 9.0) == 1.0


def test_the_wait_for_a_first_action_is_measured_at_the_shell_and_in_the_window(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = first_action.main(
        ["--game", "dominoes", "--grade", "beginner", "--turns", "2", "--plain", "--results", str(tmp_path)]
    )
    assert [(row.game, row.grade, row.way) for row in rows] == [
        ("dominoes", "beginner", way) for way in ("shell", "person", "window")
    ]
    assert all(row.clock > row.opened >= 0.0 and row.processor >= 0.0 for row in rows if row.way != "person")
    (path,) = tmp_path.iterdir()
    with path.open(newline="", encoding="utf-8") as lines:
        assert len(list(csv.DictReader(lines))) == len(rows)
    assert "| dominoes | beginner | window |" in capsys.readouterr().out


@pytest.mark.parametrize("own", [0.0, 0.05])
def test_the_error_of_a_model_is_found_beside_luck(own: float) -> None:
    """4,000 positions, each played out a hundred times; where there is none, only what luck leaves open is told."""
    rng = np.random.default_rng(1)
    chance = rng.uniform(0.05, 0.95, 4000)
    noise = chance * (1.0 - chance) / 100.0
    off = own * 4.0 * chance * (1.0 - chance) * rng.standard_normal(4000) + np.sqrt(noise) * rng.standard_normal(4000)
    rows = np.stack([chance, off, noise], axis=1).tolist()
    seen = [model_error.Seen(k % 3, *row) for k, row in enumerate(rows)]
    found, strays = model_error.variance(seen)
    assert found == pytest.approx(own * own, abs=4.0 * strays)
    assert strays < 2e-4
    assert model_error.error(found, strays) == pytest.approx(own, abs=0.01)
    assert model_error.error(found, 1e6 * strays) > 1.0, "of what nobody measured nothing is sure"


def test_a_stage_is_told_by_itself_where_luck_can_tell_it_from_all() -> None:
    def seen(last: float) -> list[model_error.Seen]:
        offs = ((last if k % 3 == 2 else 0.01) * (-1) ** k for k in range(300))
        return [model_error.Seen(k % 3, 0.5, off, 0.0001) for k, off in enumerate(offs)]

    assert len(set(model_error.by_stage(seen(0.01)))) == 1
    first, second, third = model_error.by_stage(seen(0.1))
    assert third > 0.09
    assert max(first, second) < 0.5 * third


def test_of_gaps_that_few_games_tell_nothing_of_none_is_told() -> None:
    few = [model_error.Seen(k % 3, 0.5, 0.1 * (-1) ** k, 0.04) for k in range(6)]
    many = [model_error.Seen(k % 3, 0.5, 0.1 * (-1) ** k, 0.004) for k in range(60)]
    assert model_error.gaps_by_stage([]) == model_error.gaps_by_stage(few) == [None] * 3
    assert all(one is not None and 0.05 < one < 0.12 for one in model_error.gaps_by_stage(many))


def test_the_error_of_a_model_is_measured_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert model_error.main(["dominoes", "--games", "6", "--out", str(tmp_path)]) == 0
    kept = from_json(read_bytes(tmp_path / "dominoes.json"), Measured)
    assert (kept.seed, kept.games, len(kept.stages)) == (1, 6, 3)
    assert kept.positions > 10
    assert all(one.level > 0.0 and one.gap is None for one in kept.stages)
    assert "6 played out" in capsys.readouterr().out
