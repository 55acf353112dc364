"""The fast part of the trials whose long forms are benchmarks.flicks, .mutants, .altered, .kills and .soak."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import altered, flicks, kills, mats, mutants, soak
from benchmarks.tally import Hung, Tally, shared, within
from flicksim import games
from flicksim.base.seeding import Seeds
from flicksim.table import Piece, Pot
from flicksim.ui.frame.app import App
from tests.trials.odd import odd


def nothing(found: Tally) -> None:
    assert found.findings == []


def test_flicks_over_random_boards_keep_what_must_be_kept() -> None:
    found = flicks.trial({"penny-white": 80}, seed=3)
    nothing(found)
    assert found.total("flicks") > 60


def test_squidges_over_random_mats_lose_no_wink() -> None:
    found = flicks.trial({"tiddlywinks": 16, "odd-winks": 8}, seed=4)
    nothing(found)
    assert found.total("flicks") > 18


def test_a_thin_wall_cannot_hide_between_points_of_an_edge() -> None:
    """A wink of 17.7 mm astride of a wall of .56 mm was said to be clear of it."""
    pot = Pot(height=0.0355, top_radius=0.033275, base_radius=0.033891, wall=0.00056, material="pot")
    wink = Piece(
        id="a", kind="wink", x=0.007357, y=0.032795, radius=0.017657, thickness=0.001572, mass=1.5e-3, material="wink",
        z=0.001511, tilt=0.041096, lean=-2.569209,
    )  # fmt: skip
    assert mats.in_wall(wink, pot) > 0.2e-3


def test_no_wink_too_wide_for_an_odd_pot_begins_in_it() -> None:
    """One of 16 mm lay in the wall of a pot 15.8 mm wide at its foot, and was found there after a flick."""
    scene = mats.odd_position(Seeds(seed=94).child("flicks", "odd-winks", 298).generator())
    pot = scene.surface.pot
    assert pot is not None
    assert max(mats.in_wall(piece, pot) for piece in scene.pieces) < 3e-5


def test_spoiled_files_are_read_rightly_or_refused_in_a_sentence() -> None:
    found = mutants.trial(150, seed=5, shell=False)
    nothing(found)
    assert found.total("refused") > 50
    assert found.total("read") > 10


@pytest.mark.parametrize("kind", mutants.KINDS)
def test_unspoiled_files_are_read(kind: str, tmp_path: Path) -> None:
    """Or else nothing would be learnt from what becomes of the spoiled ones."""
    made = mutants.KINDS[kind]
    for name, text in made.samples().items():
        file = tmp_path / name.replace(".", "-") / name
        file.parent.mkdir()
        file.write_bytes(text)
        if made.words is None:
            outcome, wrong = mutants.as_settings(file, text)
            assert (outcome, wrong) == ("read", [])
        else:
            said = mutants.said_of(made.words(file, name))
            assert (said.outcome, list(said.wrong())) == ("read", []), said.err


@pytest.mark.long
def test_killed_games_are_gone_on_with() -> None:
    found = kills.trial(len(games.names()), seed=2)
    nothing(found)
    assert found.total("tries") == len(games.names())


@pytest.mark.parametrize("number", range(len(soak.ways_in())))
def test_the_window_takes_anything(number: int) -> None:
    nothing(soak.trial(0, seed=7, only=[number], frames=(40, 60)))


# -- a trial that finds nothing must be able to find something --------------------------------------------------------


def test_a_trial_tells_a_hang() -> None:
    with pytest.raises(Hung), within(0.05):
        sum(k for k in range(10**9))


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_found_does_not_depend_on_who_shares_the_work(jobs: int, capsys: pytest.CaptureFixture[str]) -> None:
    found = shared(odd, range(9), jobs)
    assert found.cells["all", "tried"] == 9
    assert [finding.what for finding in found.findings] == ["1 is odd", "3 is odd", "5 is odd", "7 is odd"]
    assert found.show("Odd numbers") == 1
    assert "3 is odd" in capsys.readouterr().out


def test_a_clean_trial_ends_with_nothing_to_say(capsys: pytest.CaptureFixture[str]) -> None:
    assert Tally().show("Nothing") == 0
    assert "Nothing" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        (mutants.Said(None, "ValueError: x", "", ""), "ValueError"),
        (mutants.Said(2, "", "", "Traceback (most recent call last):\n"), "traceback"),
        (mutants.Said(2, "", "", "one\ntwo\nthree\n"), "not one sentence"),
        (mutants.Said(2, "", "", "flicksim: \x1b[31m\n"), "terminal"),
        (mutants.Said(2, "", "", f"flicksim: {'long ' * 400}\n"), "letters"),
        (mutants.Said(0, "", "", ""), "nothing is said"),
    ],
)
def test_what_is_no_sentence_is_found(said: mutants.Said, wrong: str) -> None:
    assert any(wrong in one for one in said.wrong())


def test_a_lost_turn_is_found(tmp_path: Path) -> None:
    whole = b"header\none\ntwo\nthree\n"
    record = tmp_path / "game.jsonl"
    record.write_bytes(b"header\none\ntw")
    assert kills.lost(record, whole, 1) == []
    assert kills.lost(record, whole, 2) == ["2 turns were told, 1 are kept"]
    record.write_bytes(b"header\neins\n")
    assert kills.lost(record, whole, 1) == ["what is kept is not how the game went"]


@pytest.mark.parametrize(("last", "found"), [(110.0, []), (111.0, ["grew from 100 to 111 MB"]), (90.0, [])])
def test_memory_that_grows_is_found_however_few_sessions_there_were(last: float, found: list[str]) -> None:
    tally = Tally()
    soak.look_at_memory([(200.0, held) for held in (50.0, 100.0, 105.0, last)], tally, seed=1)
    assert [finding.what for finding in tally.findings] == [f"what is held {what}" for what in found]


def test_an_exception_at_the_window_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_app: App, _dt: float) -> None:
        raise ValueError("a hole in the window")

    monkeypatch.setattr(App, "frame", broken)
    found = soak.trial(0, seed=1, only=[0])
    assert "a hole in the window" in found.findings[0].what


@pytest.mark.parametrize(
    ("trial", "words"),
    [
        (flicks, ["--game", "penny-white", "--only", "3"]),
        (mutants, ["--only", "4"]),
        (altered, ["--only", "4"]),
        (kills, ["--only", "2"]),
        (soak, ["--only", "0"]),
    ],
)
def test_each_has_a_long_form_that_shows_one_try_again(
    trial: object, words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if trial is soak:
        monkeypatch.setattr(soak, "FRAMES", (20, 30))
    assert trial.main(words) == 0  # type: ignore[attr-defined]
    assert "findings" in capsys.readouterr().out
