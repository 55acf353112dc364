"""The fast part of the trials whose long forms are benchmarks.fuzz_flicks, .mutants, .altered, .kills and .soak."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import fuzz_files, fuzz_flicks, gui_soak, kill_recovery, random_mats, tampered_records
from benchmarks.trial_report import TrialReport, TrialTimeout, run_in_processes, time_limit
from flicksim import games
from flicksim.core.random_streams import RandomStreams
from flicksim.gui.app.application import App
from flicksim.scene import Piece, Pot
from tests.robustness.odd_numbers import is_odd


def nothing(found: TrialReport) -> None:
    assert found.findings == []


def test_flicks_over_random_boards_keep_what_must_be_kept() -> None:
    found = fuzz_flicks.run_trial({"penny-white": 80}, seed=3)
    nothing(found)
    assert found.total("flicks") > 60


def test_squidges_over_random_mats_lose_no_wink() -> None:
    found = fuzz_flicks.run_trial({"tiddlywinks": 16, "odd-winks": 8}, seed=4)
    nothing(found)
    assert found.total("flicks") > 18


def test_a_thin_wall_cannot_hide_between_points_of_an_edge() -> None:
    """A wink of 17.7 mm astride of a wall of .56 mm was said to be clear of it."""
    pot = Pot(height=0.0355, top_radius=0.033275, base_radius=0.033891, wall=0.00056, material="pot")
    wink = Piece(
        id="a", kind="wink", x=0.007357, y=0.032795, radius=0.017657, thickness=0.001572, mass=1.5e-3, material="wink",
        z=0.001511, tilt=0.041096, lean=-2.569209,
    )  # fmt: skip
    assert random_mats.wall_penetration(wink, pot) > 0.2e-3


def test_no_wink_too_wide_for_an_odd_pot_begins_in_it() -> None:
    """One of 16 mm lay in the wall of a pot 15.8 mm wide at its foot, and was found there after a flick."""
    scene = random_mats.unusual_position(RandomStreams(seed=94).spawn("flicks", "odd-winks", 298).generator())
    pot = scene.surface.pot
    assert pot is not None
    assert max(random_mats.wall_penetration(piece, pot) for piece in scene.pieces) < 3e-5


def test_spoiled_files_are_read_rightly_or_refused_in_a_sentence() -> None:
    found = fuzz_files.run_trial(150, seed=5, shell=False)
    nothing(found)
    assert found.total("refused") > 50
    assert found.total("read") > 10


@pytest.mark.parametrize("kind", fuzz_files.KINDS)
def test_unspoiled_files_are_read(kind: str, tmp_path: Path) -> None:
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
def test_killed_games_are_gone_on_with() -> None:
    found = kill_recovery.run_trial(len(games.names()), seed=2)
    nothing(found)
    assert found.total("tries") == len(games.names())


@pytest.mark.parametrize("number", range(len(gui_soak.entry_points())))
def test_the_window_takes_anything(number: int) -> None:
    nothing(gui_soak.run_trial(0, seed=7, only=[number], frames=(40, 60)))


# -- a trial that finds nothing must be able to find something --------------------------------------------------------


def test_a_trial_tells_a_hang() -> None:
    with pytest.raises(TrialTimeout), time_limit(0.05):
        sum(k for k in range(10**9))


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_found_does_not_depend_on_who_shares_the_work(jobs: int, capsys: pytest.CaptureFixture[str]) -> None:
    found = run_in_processes(is_odd, range(9), jobs)
    assert found.counts["all", "tried"] == 9
    assert [finding.what for finding in found.findings] == ["1 is odd", "3 is odd", "5 is odd", "7 is odd"]
    assert found.show("Odd numbers") == 1
    assert "3 is odd" in capsys.readouterr().out


def test_a_clean_trial_ends_with_nothing_to_say(capsys: pytest.CaptureFixture[str]) -> None:
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
def test_what_is_no_sentence_is_found(said: fuzz_files.CommandOutput, wrong: str) -> None:
    assert any(wrong in one for one in said.problems())


def test_a_lost_turn_is_found(tmp_path: Path) -> None:
    whole = b"header\none\ntwo\nthree\n"
    record = tmp_path / "game.jsonl"
    record.write_bytes(b"header\none\ntw")
    assert kill_recovery.record_problems(record, whole, 1) == []
    assert kill_recovery.record_problems(record, whole, 2) == ["2 turns were printed, 1 are recorded"]
    record.write_bytes(b"header\neins\n")
    assert kill_recovery.record_problems(record, whole, 1) == ["the record is not the beginning of the game"]


@pytest.mark.parametrize(("last", "found"), [(110.0, []), (111.0, ["grew from 100 to 111 MB"]), (90.0, [])])
def test_memory_that_grows_is_found_however_few_sessions_there_were(last: float, found: list[str]) -> None:
    tally = TrialReport()
    gui_soak.check_memory([(200.0, held) for held in (50.0, 100.0, 105.0, last)], tally, seed=1)
    assert [finding.what for finding in tally.findings] == [f"memory in use {what}" for what in found]


def test_an_exception_at_the_window_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_app: App, _dt: float) -> None:
        raise ValueError("a hole in the window")

    monkeypatch.setattr(App, "run_frame", broken)
    found = gui_soak.run_trial(0, seed=1, only=[0])
    assert "a hole in the window" in found.findings[0].what


@pytest.mark.parametrize(
    ("trial", "words"),
    [
        (fuzz_flicks, ["--game", "penny-white", "--only", "3"]),
        (fuzz_files, ["--only", "4"]),
        (tampered_records, ["--only", "4"]),
        (kill_recovery, ["--only", "2"]),
        (gui_soak, ["--only", "0"]),
    ],
)
def test_each_has_a_long_form_that_shows_one_try_again(
    trial: object, words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if trial is gui_soak:
        monkeypatch.setattr(gui_soak, "SESSION_FRAMES", (20, 30))
    assert trial.main(words) == 0  # type: ignore[attr-defined]
    assert "findings" in capsys.readouterr().out
