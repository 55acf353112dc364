"""Review of games, and the analyse command."""

import json
import os
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import count, islice
from math import hypot
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from flicksim import ai
from flicksim.cli import analysis_text
from flicksim.cli import review as cli_review
from flicksim.core.errors import WorkersLost
from flicksim.core.limits import MAX_FILE_BYTES
from flicksim.core.serialization import to_json
from flicksim.core.type_aliases import Unchecked
from flicksim.games import load
from flicksim.match import (
    GameRolloutModel,
    PhysicsSimulator,
    ReviewableTurn,
    ReviewedTurn,
    SkippedTurn,
    Turn,
    allocate_shots,
    iter_reviewed_turns,
    join_turns,
    make_review,
    read_record,
    review_parallel,
    review_turns,
    shots_needed,
)
from flicksim.referee import Game
from flicksim.render.display_list import DisplayList, Label
from flicksim.scene import Flick, Launch
from tests import cli_runner
from tests.cli_runner import assert_error, invoke
from tests.matches import new_match, record_match

OPTIONS = {"ends": 1, "pennies": 2, "first": "first"}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reviewed") / "game.jsonl"
    record_match(path, "penny-white", "bot:club/beginner", "random", seed=3, **OPTIONS)
    return path


@cache
def told(*words: object) -> str:
    """Output of the command, which runs once for all tests that read it; `invoke` runs it anew."""
    return invoke("analyse", *words).stdout


@pytest.fixture(scope="module")
def round_of_tiles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tiles") / "game.jsonl"
    record_match(path, "dominoes", "bot:club", "bot:expert", seed=3, rounds=1)
    return path


refused = partial(cli_runner.refused, "analyse")


def test_losses_by_choice_and_execution_add_up_to_the_swing() -> None:
    match = new_match("penny-white", "bot:club/beginner", "random", seed=3, **OPTIONS)
    game, turns = match.game, list(match.run())
    found = [one for one, _ in reviewed(game, turns, 1500) if isinstance(one, ReviewedTurn)]
    for one in found:
        assert one.swing == pytest.approx(-one.loss_by_choice - one.loss_by_execution)
        assert one.loss_by_choice >= 0.0
    last = found[-1]
    won = 1.0 if match.winners == (last.seat,) else 0.0 if last.seat not in match.winners else 0.5
    assert last.value_after.win_probability == won, "after the last flick of all nothing is left to chance"
    review = make_review(game, found, len(turns), 0)
    assert len(review.turning_points) == 3
    still = [msgspec.structs.replace(one, value_after=one.value_before) for one in found]
    assert make_review(game, still, len(turns), 0).turning_points == (), "where no chance changed nothing was turned"
    assert all(0.0 < row.accuracy <= 100.0 and row.turns <= row.total_turns for row in review.accuracy)
    assert review.accuracy[0].accuracy > review.accuracy[1].accuracy, "who plays at random loses more by it"


def reviewed(game: Game, turns: Sequence[Turn], shots: int = 300) -> list[tuple[ReviewedTurn | SkippedTurn, int]]:
    """Review turns with hands of club grade; returns the number of shots of each too."""
    model = GameRolloutModel(game, PhysicsSimulator())
    return list(review_turns(model, turns, ai.GRADES["club"], shots, 1))


@cache
def _review_few_shots(name: str, seats: int, shots: int, **options: Any) -> list[ReviewedTurn | SkippedTurn]:
    """Review the first turns of a game between bots."""
    match = new_match(name, *["bot:club/beginner"] * seats, seed=3, **options)
    return [one for one, _ in reviewed(match.game, list(islice(match.run(), 5)), shots)]


def test_turns_join_in_flicking_games_of_two_sides() -> None:
    found = _review_few_shots("penny-white", 2, 1500, **OPTIONS)
    turns = [one for one in join_turns(load("penny-white"), found, 2) if isinstance(one, ReviewedTurn)]
    assert join_turns(load("penny-white"), turns, 2) == turns, "once joined they are"
    apart = 0
    for one, unjoined, following in zip(turns, found, turns[1:], strict=False):
        same = one.seat == following.seat
        told = following.value_before
        assert one.value_after.win_probability == pytest.approx(
            told.win_probability if same else 1.0 - told.win_probability
        )
        assert one.value_after.point_margin == pytest.approx(told.point_margin if same else -told.point_margin)
        assert one.value_after.low <= one.value_after.win_probability <= one.value_after.high
        assert one.swing == pytest.approx(-one.loss_by_choice - one.loss_by_execution)
        apart += one != unjoined
    assert apart, "before they were joined some were not"
    assert turns[-1] == found[-1], "after the last one nothing was looked for"


def test_turns_do_not_join_in_card_games_or_with_three_sides() -> None:
    for name, options, seats in (("dominoes", {"rounds": 1}, 2), ("ice", {}, 3)):
        found = _review_few_shots(name, seats, 200, **options)
        assert join_turns(load(name), found, seats) == found


def test_execution_loss_within_noise_is_not_reported() -> None:
    found = _review_few_shots("penny-white", 2, 1500, **OPTIONS)
    one = next(one for one in found if isinstance(one, ReviewedTurn))
    wide, off = one.value_after.high - one.value_after.low, msgspec.structs.replace(one, loss_by_execution=0.3)
    assert not off.within_noise
    assert msgspec.structs.replace(one, loss_by_execution=-0.3).within_noise is False
    assert msgspec.structs.replace(one, loss_by_execution=0.4 * wide).within_noise


def test_review_command_is_reproducible(record: Path, tmp_path: Path) -> None:
    words, graph = (record, "--shots", 1500, "--json"), tmp_path / "graph.png"
    review = invoke("analyse", *words, "--png", graph).stdout
    assert json.loads(review)["game"] == "penny-white"
    assert told(*words) == review
    assert graph.stat().st_size > 2000
    assert "exists; choose another name" in refused(*words, "--png", graph)
    lines = told(record, "--shots", 1500).splitlines()
    assert sum("meant" in line and "made" in line for line in lines) == len(json.loads(review)["turns"])
    assert sum(line.startswith("Turning point") for line in lines) == 3


def test_purposes_of_flicks_are_printed(record: Path) -> None:
    """In a review, in a weighed position, and in both by a key that stays."""
    review, lines = json.loads(told(record, "--shots", 1500, "--json")), told(record, "--shots", 1500)
    kinds = [one["meant_purpose"]["kind"] for one in review["turns"] if one["meant_purpose"]]
    assert kinds
    for one in review["turns"]:
        if one["meant_purpose"]:
            assert f": {one['meant_purpose']['says']}: {one['meant']['piece']} " in lines
    first = review["turns"][0]
    assert first["best_purpose"] == {"kind": "open", "of": [], "says": "open the end"}
    weighed = json.loads(told(record, "--turn", first["number"], "--shots", 1500, "--json"))
    assert [plan["purpose"]["says"] for plan in weighed["best"]] == ["open the end"] * len(weighed["best"])
    assert "open the end:" in told(record, "--turn", first["number"], "--shots", 1500)


def test_single_turn_equals_its_review(record: Path) -> None:
    """The same shots give the same result, alone or in the review, with the intended action among the results."""
    review = json.loads(told(record, "--shots", 1500, "--json"))
    for one in review["turns"][:3]:
        weighed = json.loads(told(record, "--turn", one["number"], "--shots", 1500, "--json"))
        best = weighed["best"][0]["value"]
        assert one["value_before"]["low"] <= best["high"], "the first tries are the same, and both have more"
        assert best["low"] <= one["value_before"]["high"]
        meant = next(plan for plan in weighed["best"] if plan["action"] == one["meant"])
        assert abs(meant["deficit"] - one["loss_by_choice"]) <= meant["margin"] + one["margin"]
        assert "(as played)" in told(record, "--turn", one["number"], "--shots", 1500)


def test_single_turn_and_review_use_equal_seeds(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[object, ...]] = []

    def noting(*args: object, **more: object) -> Unchecked:
        given.append((*args[3:5], more["validation_seed"], more["extra"]))
        return evaluate(*args, **more)

    evaluate = ai.evaluate
    monkeypatch.setattr(ai, "evaluate", noting)
    number = json.loads(invoke("analyse", record, "--shots", 1500, "--json").stdout)["turns"][1]["number"]
    reviewed = list(given)
    invoke("analyse", record, "--turn", number, "--shots", 1500)
    assert given[len(reviewed)] in reviewed
    assert len(set(map(str, reviewed))) == len(reviewed)


def test_values_have_intervals_and_better_plans_gains(record: Path) -> None:
    lines = told(record, "--shots", 1500).splitlines()
    turns = json.loads(told(record, "--shots", 1500, "--json"))["turns"]
    for one in turns:
        line = next(line for line in lines if line.startswith(f"{one['number']:3d} "))
        chances = re.findall(r"([\d.]+)%(?: ± ([\d.]+)%)?", line)
        assert len(chances) == 3 + one["is_significant"], line
        for (chance, wide), worth in zip(chances, ("value_before", "value_meant", "value_after"), strict=False):
            assert float(chance) == pytest.approx(100.0 * one[worth]["win_probability"], abs=0.051)
            assert float(wide or 0) >= 100.0 * (one[worth]["high"] - one[worth]["win_probability"]) - 1e-9
            assert (wide == "") == (one is turns[-1] and worth == "value_after"), "the end of the game is certain"
        if one["is_significant"]:
            assert one["loss_by_choice"] > one["margin"] > 0.0
        assert ("better by" in line) == one["is_significant"]
        assert ("no better found" in line) == (not one["is_significant"] and not one["all_equal"])
    note = "Intervals of win chances hold the sampling error and the model's error as measured, those of points the "
    assert f"{note}sampling error alone; neither holds plans that were not tried." in lines


def test_interrupted_review_reports_its_range(record: Path, tmp_path: Path, stops_after: Callable[[int], None]) -> None:
    drawn: list[DisplayList] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cli_review, "save_png", lambda drawing, _path: drawn.append(drawing))
        stops_after(30)
        done = invoke("analyse", record, "--shots", "1500", "--png", tmp_path / "g.png", code=1)
    reached = re.search(r"Turns 1 to (\d+) of (\d+) reviewed\.", done.stdout)
    assert f"Stopped after {reached[1]} of {reached[2]} turns" in done.stderr
    words = [mark.text for mark in drawn[0].primitives if isinstance(mark, Label)]
    assert words[0] == f"Penny White, turns 1 to {reached[1]} of {reached[2]}"
    assert "0" not in words, "the axis begins with the first turn"
    stops_after(30)
    told = invoke("analyse", record, "--shots", "1500", "--json", code=None)
    assert json.loads(told.stdout)["covers"] == [1, int(reached[1])]


def test_ctrl_c_after_the_last_turn_leaves_a_complete_review_and_in_the_speed_measurement_nothing(
    round_of_tiles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: Unchecked) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("flicksim.match.allocate_shots", interrupt)
    done = invoke("analyse", round_of_tiles, "--shots", "600", code=1)
    said = "Complete to the last turn; stopped before the least certain had more shots."
    assert done.stderr.splitlines()[-1] == said
    assert "Stopped after" not in done.stderr
    monkeypatch.setattr(analysis_text.AnalysisOptions, "shot_budget", interrupt)
    done = invoke("analyse", round_of_tiles, "--turn", "3", "--seconds", "2", code=None)
    assert (done.exit_code, done.stderr) == (1, "Stopped before anything was evaluated.\n")


def test_graph_uses_seat_colours_with_skipped_seats() -> None:
    """Ice: Yellow has no turn of which anything is told."""
    game, even = load("ice"), ai.estimate_value(np.full(9, 0.5), np.zeros(9))
    launch = Launch(piece="red-large-1", size="small", hold=(0.0, 0.0), speed=1.0, azimuth=0.0)
    told = [
        ReviewedTurn(
            number=number, seat=seat, meant=launch, made=launch, best=launch, value_before=even, value_meant=even,
            value_after=even, loss_by_choice=0.0, loss_by_execution=0.0, is_significant=False,
        )
        for number, seat in ((1, 0), (3, 2), (4, 3))
    ]  # fmt: skip
    found = [told[0], SkippedTurn(number=2, seat=1, reason="nothing to choose"), *told[1:]]
    courses = cli_review.win_chance_series(game, make_review(game, found, len(found), 0), 4)
    assert [(one.player, one.colour_key) for one in courses] == [("Red", "red"), ("Green", "green"), ("Blue", "blue")]


def test_turns_without_a_choice_are_merged_and_do_not_count(round_of_tiles: Path) -> None:
    review = json.loads(told(round_of_tiles, "--shots", 600, "--json"))
    lines = told(round_of_tiles, "--shots", 600)
    idle = {one["number"] for one in review["skipped"]}
    for one in review["turns"]:
        if one["all_equal"] or one["value_before"]["win_probability"] == 0.0:
            idle.add(one["number"])
    open_turns = [number for number in range(1, review["decided_turn"]) if number not in idle]
    assert open_turns
    assert all(f"\n{number:3d} " in f"\n{lines}" for number in open_turns)
    for first in idle:
        if first + 1 in idle and first - 1 not in idle and first + 1 < review["decided_turn"]:
            assert f"Turns {first} to " in lines
    for row in review["accuracy"]:
        own = [one for one in review["turns"] if one["seat"] == row["seat"] and one["number"] in open_turns]
        assert row["turns"] == len(own) < row["total_turns"]
        assert row["loss_by_choice"] == pytest.approx(sum(one["loss_by_choice"] for one in own) / len(own))


def test_position_before_a_turn_is_evaluated_with_a_map(record: Path, tmp_path: Path) -> None:
    weighed = json.loads(told(record, "--turn", 3, "--shots", 3000, "--json", "--png", tmp_path / "map.png"))
    assert weighed["hand"] == "club"
    assert weighed["shots"] <= 3000
    best = weighed["best"][0]["value"]
    assert 0.0 <= best["low"] <= best["win_probability"] <= best["high"] <= 1.0
    assert len(weighed["map"]["win_probability"]) == len(weighed["map"]["speeds"])
    assert (tmp_path / "map.png").stat().st_size > 2000
    assert "to play, world hands: wins" in told(record, "--turn", 3, "--shots", 3000, "--hand", "world")


def test_the_position_of_an_unfinished_game_is_analysed_as_its_next_turn(tmp_path: Path) -> None:
    record_match(tmp_path / "a.jsonl", "dominoes", "random", "random", seed=4, turns=5)
    assert " to play, " in told(tmp_path / "a.jsonl", "--turn", 6, "--shots", 300)
    assert refused(tmp_path / "a.jsonl", "--turn", 7).endswith("is not there; it has 5")
    record_match(tmp_path / "b.jsonl", "dominoes", "random", "random", seed=4, rounds=1)
    played = len(read_record(tmp_path / "b.jsonl").turns)
    assert refused(tmp_path / "b.jsonl", "--turn", played + 1).endswith(f"is not there; it has {played}")


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock by which whatever is measured takes a second, on any machine."""
    ticks = count()
    for module in (analysis_text, cli_review):
        monkeypatch.setattr(module, "monotonic", lambda: float(next(ticks)))


@pytest.mark.usefixtures("slow")
def test_invalid_analysis_is_refused(record: Path, tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("nothing\n")
    assert refused(record, "--turn", 99).startswith("turn 99 of")
    assert "too few for an estimate" in refused(record, "--turn", 3, "--shots", 5)
    assert "give one of them" in refused(record, "--shots", 5, "--seconds", 1)
    assert re.fullmatch(
        r"--seconds 0.01 is too little for an estimate; give [\d.]+",
        refused(record, "--turn", 3, "--seconds", 0.01),
    )
    assert refused(record, "--hand", "giant").startswith("no grade 'giant'")
    assert "is no flicksim record" in refused(tmp_path / "none.jsonl")
    assert "is a folder; name a file in it" in refused(tmp_path)
    assert refused("nowhere").startswith("no position 'nowhere'; there are ")
    assert "is for a recorded game" in refused("pile_of_three", "--turn", 2)
    assert refused(record, "--png", "map.gif") == "'map.gif' is no name for a picture; call it 'map.png'"
    assert "does not exist; make" in refused(record, "--png", tmp_path / "nowhere" / "map.png")
    assert refused(record, "--game", "ice").startswith("--game ice is for a position")


@pytest.mark.parametrize(
    ("option", "word", "right"),
    [("--turn", word, "at least 1") for word in ("0", "-1")]
    + [("--shots", word, "from 1 to 10000000") for word in ("0", "-1", "10000001")]
    + [(option, word, "a whole number") for option, word in (("--turn", "x"), ("--shots", "1e3"))]
    + [("--seconds", word, "from 0.01 to 3600.0") for word in ("0", "-3", "inf", "700000")]
    + [("--seconds", "nan", "a number")]
    + [("--seconds", "a week", "a number")],
)  # fmt: skip
def test_invalid_numbers_are_quoted_as_typed(option: str, word: str, right: str) -> None:
    assert_error("analyse", "nowhere.jsonl", option, word, message=f"'{option}': {word!r}: it must be {right}\n")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[]", "is neither a recorded game of flicksim nor a position; give a game.jsonl"),
        ("", "is empty; give a game.jsonl"),
        ('{"winks": [', "begins like a position, but is truncated or malformed; give a game.jsonl"),
        ("{oops}", "begins like a position, but is truncated or malformed; give a game.jsonl"),
        ("{}", "has no field of a position; give a game.jsonl"),
    ],
)
def test_malformed_file_error_names_commands(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "file.json").write_text(text)
    assert refused(tmp_path / "file.json").startswith(f"{str(tmp_path / 'file.json')!r} {says}")


def test_other_files_are_told_as_what_they_are_without_quoting_them(tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    large.write_text("{")
    os.truncate(large, MAX_FILE_BYTES + 1)
    assert refused(large).startswith(f"{str(large)!r} is larger than {MAX_FILE_BYTES:,} bytes")
    (tmp_path / "marked.json").write_bytes(BOM_UTF8 + b'{"winks": [')
    assert "begins like a position, but is truncated" in refused(tmp_path / "marked.json")
    (tmp_path / "marked").write_bytes(BOM_UTF8 + b'{"line":"game"')
    assert "position" not in refused(tmp_path / "marked"), "it is read as a record"
    (tmp_path / "secret").write_text("root:x:0:0\n")
    said = refused(tmp_path / "secret")
    assert "is neither a recorded game of flicksim nor a position; give a game.jsonl" in said
    assert "root" not in said.removeprefix(repr(str(tmp_path / "secret")))


@pytest.fixture
def stops_after(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Ctrl-C falls within a playing out, after so many of them."""

    usual = GameRolloutModel.rollout

    def after(calls: int) -> None:
        gone = count()

        def rollout(*given: Unchecked, **named: Unchecked) -> ai.RolloutOutcomes:
            if next(gone) >= calls:
                raise KeyboardInterrupt
            return usual(*given, **named)

        monkeypatch.setattr(GameRolloutModel, "rollout", rollout)

    return after


def test_launch_text_has_its_elevation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    launch = Launch(piece="red-small-1", size="small", hold=(0.0, 0.0), azimuth=1.5, speed=2.0, slant=1.0)
    plan = ai.CandidateValue(action=launch, value=ai.estimate_value(np.full(9, 0.5), np.zeros(9)))
    found = ai.Evaluation(seat=0, best=(plan,), is_decisive=False, shots=9, shots_per_try=1.0)
    monkeypatch.setattr("flicksim.ai.evaluate", lambda *_, **__: found)
    monkeypatch.setattr(GameRolloutModel, "purpose", lambda *_: None)
    setting = load("ice").position_editor
    path = tmp_path / "ice.json"
    path.write_bytes(to_json(setting.empty_position()))
    told_of = " ".join(re.sub("[^ -~°]", " ", told(path, "--game", "ice", "--shots", 9)).split())
    assert "85.9°, rising 57°" in told_of


def test_ctrl_c_in_the_first_turn_returns_a_partial_result(
    round_of_tiles: Path, stops_after: Callable[[int], None]
) -> None:
    stops_after(4)
    done = invoke("analyse", round_of_tiles, code=1)
    assert re.search(r"so far: wins [\d.]+% .* best: ", done.stdout)
    assert re.search(r"Stopped after \d of \d+ turns; a turn takes about [\d.]+ s", done.stderr)
    stops_after(4)
    told = invoke("analyse", round_of_tiles, "--json", code=1)
    plain = json.loads(told.stdout)
    assert plain["stopped"]
    assert plain["so_far"]["best"][0]["value"]["tries"] >= 16


def test_ctrl_c_in_an_evaluation_tells_what_there_is(
    round_of_tiles: Path, tmp_path: Path, stops_after: Callable[[int], None]
) -> None:
    stops_after(0)
    done = invoke("analyse", round_of_tiles, code=1)
    assert "was not evaluated at all" in done.stderr
    done = invoke("analyse", round_of_tiles, "--turn", "3", code=None)
    assert (done.exit_code, done.stderr) == (1, "Stopped before anything was evaluated.\n")
    stops_after(3)
    picture = tmp_path / "map.png"
    done = invoke("analyse", round_of_tiles, "--turn", "3", "--png", picture, code=1)
    assert "to play, " in done.stdout
    assert done.stderr.endswith(f"favours the best plan a little. {picture} is not drawn.\n")
    assert not picture.exists()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (None, "The first is ahead of the others beyond the sampling error of their difference."),
        (ai.ModelError(level=0.2, gap=0.05), "sampling error of their difference and the model's error."),
        (ai.ModelError(level=0.2), "By the model, the first is ahead of the others beyond the sampling error of their "
         "difference; the model's error of that difference was not measured."),
    ],
)  # fmt: skip
def test_a_lead_is_told_with_the_errors_it_exceeds(error: ai.ModelError | None, told: str) -> None:
    assert analysis_text.decisive_text(error).endswith(told)


def test_a_win_chance_is_told_to_say_little_where_the_model_is_weak(round_of_tiles: Path) -> None:
    with pytest.MonkeyPatch.context() as patched:
        for level, is_weak in ((0.1, False), (0.5, True)):
            error = ai.ModelError(level=level)
            patched.setattr(GameRolloutModel, "model_error", lambda *_, error=error: error)
            done = invoke("analyse", round_of_tiles, "--turn", "3", "--shots", "300", code=0)
            assert (analysis_text.WEAK_MODEL_NOTE in done.stdout) == is_weak


def test_interval_is_never_printed_as_empty() -> None:
    worth = ai.estimate_value(np.full(1000, 0.3), np.full(1000, -1.0))
    assert worth.margin == pytest.approx(1.96**2 / 1000, rel=0.01)
    for chance, says in ((0.3, "29.9% to 30.1%"), (1.0, "99.6% to 100.0%"), (0.0, "0.0% to 0.4%")):
        assert analysis_text.interval_text(ai.estimate_value(np.full(1000, chance), np.zeros(1000))) == says


def test_decided_turns_are_merged(round_of_tiles: Path) -> None:
    """The losing seat's last turns and the winner's are merged; the JSON has the first of them."""
    review = json.loads(told(round_of_tiles, "--shots", 600, "--json"))
    decided, last = review["decided_turn"], review["total_turns"]
    assert decided is not None
    lines = told(round_of_tiles, "--shots", 600).splitlines()
    assert f"Turns {decided} to {last}: decided, " in "\n".join(lines)
    numbers = [int(line[:3]) for line in lines if re.match(r" *\d+ \w+:", line)]
    for first, end in re.findall(r"Turns (\d+) to (\d+): no choice", "\n".join(lines)):
        numbers += range(int(first), int(end) + 1)
    assert sorted(numbers) == list(range(1, decided))
    for one in review["turns"]:
        if one["number"] >= decided:
            assert one["value_after"]["win_probability"] == (one["seat"] in review["winners"])
    numbers = [one["number"] for one in review["turns"] if one["number"] >= decided and one["all_equal"]]
    assert numbers, "somebody had a choice there"
    assert "All plans had the same result in every try." in told(round_of_tiles, "--turn", numbers[0], "--shots", 600)


def reviewed_turn(number: int, seat: int, chance: float) -> ReviewedTurn:
    """Turn in which all choices have the same value."""
    worth, flick = (
        ai.estimate_value(np.full(5000, chance), np.zeros(5000)),
        Flick(piece="blue-1", speed=1.0, azimuth=0.0),
    )
    return ReviewedTurn(
        number=number, seat=seat, meant=flick, made=flick, best=flick, value_before=worth,
        value_meant=worth, value_after=worth, loss_by_choice=0.0, loss_by_execution=0.0,
        is_significant=False, all_equal=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "chances", "decided", "winners"),
    [
        ("penny-white", (0.5, 1.0, 0.0, 1.0), 2, (1,)),
        ("penny-white", (0.5, 0.0, 1.0, 0.0), 2, (0,)),
        ("penny-white", (1.0, 0.0, 1.0, 0.5), None, ()),
        ("penny-white", (0.5, 0.5, 1.0), None, ()),
        ("tiddlywinks", (0.5, 0.0, 1.0, 0.0), 2, (0, 2)),
        ("tiddlywinks", (0.5, 0.0, 1.0, 1.0), None, ()),
    ],
)
def test_game_is_decided_for_one_side(
    name: str, chances: tuple[float, ...], decided: int | None, winners: tuple[int, ...]
) -> None:
    """One side has won all its last turns and the other lost its own; partners win together."""
    game = load(name)
    seats = 2 if name == "penny-white" else 4
    turns = [reviewed_turn(k + 1, k % seats, chance) for k, chance in enumerate(chances)]
    review = make_review(game, turns, len(turns), 0)
    assert (review.decided_turn, review.winners) == (decided, winners)


def test_seats_of_different_grades_are_evaluated_with_one(record: Path, tmp_path: Path) -> None:
    """Otherwise the values after a turn and before the next would assume different noise."""
    assert json.loads(told(record, "--shots", 1500, "--json"))["hand"] == "club", "one hand is recorded"
    both = tmp_path / "both.jsonl"
    record_match(both, "dominoes", "bot:world/beginner", "bot:expert/beginner", rounds=1)
    assert json.loads(told(both, "--shots", 400, "--json"))["hand"] == "club"
    assert json.loads(told(both, "--turn", 2, "--shots", 400, "--json"))["hand"] == "club"
    assert json.loads(told(both, "--turn", 2, "--shots", 400, "--hand", "world", "--json"))["hand"] == "world"


def test_turn_without_a_choice_is_skipped() -> None:
    """A round of dominoes: whoever may only pass, or has a single tile that fits, chooses nothing."""
    match = new_match("dominoes", "bot:club", "random", "random", seed=2, rounds=1)
    game, turns = match.game, list(match.run())[-10:]
    found = [one for one, _ in reviewed(game, turns)]
    untold = [one for one in found if isinstance(one, SkippedTurn)]
    assert "nothing to choose" in {one.reason for one in untold}
    assert 0 < len(untold) < len(turns)
    review = make_review(game, found, len(turns), 0)
    assert len(review.turns) + len(review.skipped) == len(turns) == review.total_turns


@pytest.mark.parametrize(("shots", "untold"), [(96, 5), (104, 2), (112, 2), (160, 2), (640, 0)])
def test_as_many_turns_are_reviewed_as_predicted(shots: int, untold: int) -> None:
    """Shots just too few for a race and its fresh tries are refused before they are spent, not after; where a double
    may be laid, a try takes several."""
    match = new_match("dominoes", *["bot:club"] * 4, seed=2, rounds=1)
    game, turns = match.game, list(match.run())[:8]
    few, of, _ = shots_needed(GameRolloutModel(game, PhysicsSimulator()), turns, ai.GRADES["club"], shots)
    gone = reviewed(game, turns, shots)
    assert sum(isinstance(one, SkippedTurn) and one.shots_needed > 0 for one, _ in gone) == few
    assert (few, of) == (untold, 5)
    assert all(cost <= shots for _, cost in gone)


@pytest.mark.usefixtures("slow")
def test_small_budget_is_refused_with_a_sufficient_one(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = refused(record, "--shots", 40)
    enough = int(said.split()[-3])
    assert said == f"40 shots are too few for an estimate here; {enough} are enough"
    assert "too few" not in told(record, "--shots", enough)
    monkeypatch.setattr(cli_review.match, "review_turns", lambda *_: pytest.fail("shots were simulated"))
    refused(record, "--shots", 40)
    assert refused(record, "--seconds", 0.01).startswith("--seconds 0.01 is too little for an estimate; give ")


@pytest.mark.parametrize("jobs", [2, 5])
def test_parallel_review_yields_in_order_up_to_a_gap(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers finish in any order; after Ctrl-C no turn after a gap is reported."""
    turns = list(new_match("dominoes", "bot:club", "bot:club", seed=3, rounds=1).run())[:4]
    asked = list[int]()

    def shared(
        _: object, tasks: Sequence[tuple[str, ReviewableTurn, str, int, int, int]], *, jobs: int
    ) -> Iterator[object]:
        asked.append(jobs)
        for task in (tasks[1], tasks[0], tasks[3]):
            yield SkippedTurn(number=task[1].number, seat=0, reason="nothing to choose"), task[4]
        raise KeyboardInterrupt

    monkeypatch.setattr("flicksim.match.analysis.map_unordered", shared)
    told, stopped = list[tuple[int, int]](), False
    try:
        for one, cost in review_parallel("dominoes", turns, "club", 1, dict.fromkeys(range(1, 5), 300), jobs=jobs):
            told.append((one.number, cost))
    except KeyboardInterrupt:
        stopped = True
    assert (told, stopped, asked) == ([(1, 300), (2, 300)], True, [jobs])


def test_review_reports_finished_turns_after_a_lost_worker(
    round_of_tiles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = json.loads(told(round_of_tiles, "--shots", 300, "--json"))["turns"][0]["number"]

    def lost(
        name: str, turns: Sequence[ReviewableTurn], hand: str, seed: int, shots: dict[int, int], **_: int
    ) -> Iterator[object]:
        yield from islice(iter_reviewed_turns(name, turns, hand, seed, shots[one]), one)
        raise WorkersLost("a worker died")

    monkeypatch.setattr(cli_review.match, "review_parallel", lost)
    done = invoke("analyse", round_of_tiles, "--shots", "300", "--jobs", "2", code=1)
    assert f"{one} Bob: " in done.stdout
    assert done.stderr.splitlines()[-1].startswith(f"Stopped after {one} of ")
    assert done.stderr.splitlines()[-1].endswith(" turns: a worker died.")


def test_time_limit_covers_the_review_for_any_number_of_workers(
    round_of_tiles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = list[int]()
    monkeypatch.setattr("os.cpu_count", lambda: 2)

    def budget(*args: object) -> int:
        given.append(args[-1])  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(analysis_text.AnalysisOptions, "shot_budget", budget)
    for jobs in (1, 2, 1000):
        invoke("analyse", round_of_tiles, "--seconds", "60", "--jobs", jobs, code=None)
    alone, two, many = given
    assert two == many, "no more workers than processors"
    assert alone > two >= alone / 2.0


@pytest.mark.parametrize(("seconds", "reading", "left"), [(6, 0, 6), (20, 0, 20), (20, 8, 12)])
def test_review_keeps_its_time_limit(
    record: Path, seconds: int, reading: int, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that goes on by a second for every 1,500 shots; reading the record takes some of the time."""
    heard, given, usual, replay = [0], list[dict[int, int]](), allocate_shots, cli_review.match.replay_whole

    def hear(shots: int) -> None:
        heard[0] += shots

    def deeper(*words: Unchecked) -> dict[int, int]:
        given.append(usual(*words))
        return given[-1]

    def read(*words: Unchecked) -> object:
        hear(1500 * reading)
        return replay(*words)

    for module in (analysis_text, cli_review):
        monkeypatch.setattr(module, "monotonic", lambda: heard[0] / 1500.0)
    monkeypatch.setattr(cli_review.match, "replay_whole", read)
    monkeypatch.setattr(cli_review.match, "allocate_shots", deeper)
    with ai.report_progress_to(hear):
        review = json.loads(invoke("analyse", record, "--seconds", seconds, "--json").stdout)
    assert 0.85 * left < heard[0] / 1500.0 - reading < 1.05 * left
    assert [bool(more) for more in given] == [True] * (len(given) - 1) + [False]
    assert review["shots"] <= heard[0]


def test_half_of_a_time_limit_is_left_after_a_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_text, "monotonic", lambda: 90.0)
    options = partial(
        analysis_text.AnalysisOptions, hand="club", shots=None, seconds=20.0, seed=1, png=None, as_json=False
    )
    assert [options(start=at).time_left(20.0) for at in (85.0, 20.0)] == [15.0, 10.0]
    assert options().start == 90.0


def test_the_speed_of_slow_shots_is_measured_in_little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 40 rollouts a second the last measurement is four times as long as one that was just too short."""
    match, clock = new_match("dominoes", "random", "random"), [0.0]

    def rollout(*words: Unchecked) -> SimpleNamespace:
        clock[0] += words[4] / 40.0
        return SimpleNamespace(shots=4 * words[4])

    monkeypatch.setattr(analysis_text, "monotonic", lambda: clock[0])
    model: Any = SimpleNamespace(game=match.game, top_candidates=lambda *_: [None] * 4, rollout=rollout)
    options = analysis_text.AnalysisOptions(hand="club", shots=None, seconds=3.0, seed=1, png=None, as_json=False)
    budget = options.shot_budget(model, match.state, 0)
    assert clock[0] < 0.5
    assert budget == pytest.approx((3.0 - clock[0]) * 160.0, abs=1)


def test_shots_are_allocated_to_the_least_certain_turns() -> None:
    """With the allocated shots all end about equally certain; none is reviewed again with few more."""
    found = [one for one in _review_few_shots("penny-white", 2, 1500, **OPTIONS) if isinstance(one, ReviewedTurn)]
    strays = [0.01, 0.02, 0.04]
    told = [
        msgspec.structs.replace(
            one, number=k, margin=stray, model_error=0.0, all_equal=False,
            value_before=msgspec.structs.replace(one.value_before, sampling_margin=0.0),
        )
        for k, (one, stray) in enumerate(zip(found, strays, strict=False))
    ]  # fmt: skip
    spent = dict.fromkeys(range(3), 1000)
    assert allocate_shots(told, spent, 14_000) == {0: 2000, 1: 4000, 2: 8000}
    assert allocate_shots(told, spent, 9000) == {1: 3000, 2: 6000}
    assert allocate_shots(told, spent, 14_000, 2) == {0: 2000, 1: 4000, 2: 7000}
    known = [msgspec.structs.replace(one, margin=hypot(one.margin, 0.3), model_error=0.3) for one in told]
    off = {number: pytest.approx(shots, abs=1) for number, shots in allocate_shots(told, spent, 14_000).items()}
    assert allocate_shots(known, spent, 14_001) == off, "more shots do not make the model better"
    assert allocate_shots(told, spent, 1999) == {}
    assert allocate_shots([msgspec.structs.replace(told[2], all_equal=True)], spent, 10**6) == {}, (
        "there nothing mattered"
    )
    assert allocate_shots([SkippedTurn(number=0, seat=0, reason="nothing to choose")], {0: 0}, 10**6) == {}


def test_review_does_not_depend_on_workers(round_of_tiles: Path) -> None:
    assert told(round_of_tiles, "--shots", 300, "--json") == told(round_of_tiles, "--shots", 300, "--json", "--jobs", 2)
    assert (
        refused(round_of_tiles, "--turn", 2, "--jobs", 2)
        == "--jobs 2 is for all turns of a record, not for --turn 2 alone"
    )
    said = refused("pile_of_three", "--jobs", 2)
    assert said == "--jobs 2 is for the turns of a recorded game; 'pile_of_three' is none"


def test_card_position_is_evaluated_by_sampled_deals(tmp_path: Path) -> None:
    path = tmp_path / "round.jsonl"
    record_match(path, "dominoes", "bot:club", "random", "random", rounds=1)
    said = told(path, "--turn", 3, "--shots", 600)
    assert "deals were played out; later rounds count as even" in said
    assert "There is no other plan." in told(path, "--turn", 1, "--shots", 600), "the lead leaves no choice"
    assert "wins" in said
