"""Short forms of the trials benchmarks.fuzz_flicks, .mutants, .altered, .kills and .soak."""

import dataclasses
from pathlib import Path

import pytest
from msgspec.structs import replace

from benchmarks import fuzz_files, fuzz_flicks, gui_soak, kill_recovery, random_mats, shot_sequences, tampered_records
from benchmarks.trial_report import TrialReport, TrialTimeout, run_in_processes, time_limit
from flicksim import games
from flicksim.core.random_streams import RandomStreams
from flicksim.gui.app.application import App
from flicksim.scene import Piece, Pot, Scene, Squidge, Trajectory
from tests.repetition import few_then_long
from tests.robustness.odd_numbers import is_odd


def nothing(found: TrialReport) -> None:
    assert found.findings == []


@pytest.mark.parametrize(
    ("trials", "seed", "flicks"), [({"penny-white": 80}, 3, 60), ({"tiddlywinks": 200, "odd-winks": 40}, 4, 200)]
)
def test_random_flicks_keep_the_invariants(trials: dict[str, int], seed: int, flicks: int) -> None:
    found = fuzz_flicks.run_trial(trials, seed=seed)
    nothing(found)
    assert found.total("flicks") > flicks


def test_thin_wall_is_detected_between_edge_points() -> None:
    """A wink of 17.7 mm astride of a wall of .56 mm was said to be clear of it."""
    pot = Pot(height=0.0355, top_radius=0.033275, base_radius=0.033891, wall=0.00056, material="pot")
    wink = Piece(
        id="a", kind="wink", x=0.007357, y=0.032795, radius=0.017657, thickness=0.001572, mass=1.5e-3, material="wink",
        z=0.001511, tilt=0.041096, lean=-2.569209,
    )  # fmt: skip
    assert random_mats.wall_penetration(wink, pot) > 0.2e-3


def test_wide_wink_does_not_start_in_a_narrow_pot() -> None:
    """One of 16 mm lay in the wall of a pot 15.8 mm wide at its foot, and was found there after a flick."""
    scene = random_mats.unusual_position(RandomStreams(seed=94).spawn("flicks", "odd-winks", 298).generator())
    pot = scene.surface.pot
    assert max(random_mats.wall_penetration(piece, pot) for piece in scene.pieces) < 3e-5


def test_mutated_files_are_read_correctly_or_refused() -> None:
    found = fuzz_files.run_trials(5, range(150), shell=False)
    nothing(found)
    assert found.total("refused") > 50
    assert found.total("read") > 10


@pytest.mark.parametrize("kind", fuzz_files.KINDS)
def test_unmutated_files_are_read(kind: str, tmp_path: Path) -> None:
    """Or else nothing would be learnt from what becomes of the spoiled ones."""
    made = fuzz_files.KINDS[kind]
    for name, text in made.samples().items():
        file = tmp_path / name.replace(".", "-") / name
        file.parent.mkdir()
        file.write_bytes(text)
        if made.command is None:
            outcome, wrong = fuzz_files.read_as_preferences(file, text)
            assert (outcome, wrong) == ("read", [])
        else:
            said = fuzz_files.run_command(made.command(file, name))
            assert (said.outcome, list(said.problems())) == ("read", []), said.err


@pytest.mark.long
def test_killed_games_resume() -> None:
    found = kill_recovery.run_trial(len(games.names()), seed=2)
    nothing(found)
    assert found.total("tries") == len(games.names())


@pytest.mark.parametrize("frames", few_then_long([(20, 30), (40, 60)], 1), ids=str)
@pytest.mark.parametrize("number", range(len(gui_soak.entry_points())))
def test_window_survives_random_input(number: int, frames: tuple[int, int]) -> None:
    nothing(gui_soak.run_trial(0, seed=7, only=[number], frames=frames))


# -- a trial that finds nothing must be able to find something --------------------------------------------------------


def test_trial_detects_a_hang() -> None:
    with pytest.raises(TrialTimeout), time_limit(0.05):
        sum(k for k in range(10**9))


def test_trial_detects_sunk_winks(monkeypatch: pytest.MonkeyPatch) -> None:
    simulate = random_mats.simulate

    def sink(scene: Scene, shot: Squidge) -> Trajectory:
        motion = simulate(scene, shot)
        pieces = tuple(replace(piece, z=piece.height - 1e-3) for piece in motion.after.pieces)
        return dataclasses.replace(motion, after=replace(motion.after, pieces=pieces))

    monkeypatch.setattr(random_mats, "simulate", sink)
    assert "sunk 1.0" in fuzz_flicks.run_trials("tiddlywinks", 4, [0]).findings[0].what


@pytest.mark.parametrize("jobs", [1, 2])
def test_findings_do_not_depend_on_workers(jobs: int, capsys: pytest.CaptureFixture[str]) -> None:
    found = run_in_processes(is_odd, range(9), jobs)
    assert found.counts["all", "tried"] == 9
    assert [finding.what for finding in found.findings] == ["1 is odd", "3 is odd", "5 is odd", "7 is odd"]
    assert found.show("Odd numbers") == 1
    assert "3 is odd" in capsys.readouterr().out


def test_clean_trial_has_no_findings(capsys: pytest.CaptureFixture[str]) -> None:
    assert TrialReport().show("Nothing") == 0
    assert "Nothing" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        (fuzz_files.CommandOutput(None, "ValueError: x", "", ""), "ValueError"),
        (fuzz_files.CommandOutput(2, "", "", "Traceback (most recent call last):\n"), "traceback"),
        (fuzz_files.CommandOutput(2, "", "", "one\ntwo\nthree\n"), "not a one-line error"),
        (fuzz_files.CommandOutput(2, "", "", "flicksim: \x1b[31m\n"), "terminal"),
        (fuzz_files.CommandOutput(2, "", "", f"flicksim: {'long ' * 400}\n"), "characters"),
        (fuzz_files.CommandOutput(0, "", "", ""), "no output"),
    ],
)
def test_trial_detects_bad_messages(said: fuzz_files.CommandOutput, wrong: str) -> None:
    assert any(wrong in one for one in said.problems())


def test_trial_detects_a_lost_turn(tmp_path: Path) -> None:
    whole = b"header\none\ntwo\nthree\n"
    record = tmp_path / "game.jsonl"
    record.write_bytes(b"header\none\ntw")
    assert kill_recovery.record_problems(record, whole, 1) == []
    assert kill_recovery.record_problems(record, whole, 2) == ["2 turns were printed, 1 are recorded"]
    record.write_bytes(b"header\neins\n")
    assert kill_recovery.record_problems(record, whole, 1) == ["the record is not the beginning of the game"]


@pytest.mark.parametrize(("last", "found"), [(110.0, []), (111.0, ["grew from 100 to 111 MB"]), (90.0, [])])
def test_trial_detects_growing_memory(last: float, found: list[str]) -> None:
    tally = TrialReport()
    gui_soak.check_memory([(200.0, held) for held in (50.0, 100.0, 105.0, last)], tally, seed=1)
    assert [finding.what for finding in tally.findings] == [f"memory in use {what}" for what in found]


def test_trial_detects_a_window_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_app: App, _dt: float) -> None:
        raise ValueError("a hole in the window")

    monkeypatch.setattr(App, "run_frame", broken)
    found = gui_soak.run_trial(0, seed=1, only=[0])
    assert "a hole in the window" in found.findings[0].what


@pytest.mark.parametrize(
    ("trial", "words", "told"),
    [
        (fuzz_flicks, ["--game", "penny-white", "--only", "3"], "findings"),
        (fuzz_files, ["--only", "4"], "findings"),
        (tampered_records, ["--only", "4"], "findings"),
        (kill_recovery, ["--only", "2"], "findings"),
        (gui_soak, ["--only", "0"], "findings"),
        (shot_sequences, ["--only", "4", "--seed", "2"], "coins along an edge"),
    ],
)
def test_every_trial_can_repeat_one_case(
    trial: object, words: list[str], told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if trial is gui_soak:
        monkeypatch.setattr(gui_soak, "SESSION_FRAMES", (20, 30))
    assert trial.main(words) == 0  # type: ignore[attr-defined]
    assert told in capsys.readouterr().out
