"""Match loop, seats and series."""

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flicksim import play_game
from flicksim.ai import GRADES, NO_NOISE, RandomPlayer
from flicksim.cli import main
from flicksim.core.errors import (
    CannotContinue,
    DidNotSettle,
    FlicksimError,
    IllegalAction,
    InvalidFile,
    InvalidOption,
    WorkersLost,
)
from flicksim.experiments.round_robin import RoundRobin
from flicksim.games import load
from flicksim.games.tiddlywinks.position import Position, WinkPlacement
from flicksim.games.tiddlywinks.state import CallFoul, Decide
from flicksim.match import (
    Forfeit,
    GameResult,
    Match,
    MatchLimits,
    Recorder,
    Replay,
    match_header,
    open_match,
    parse_seat,
    play_series,
    read_record,
    series,
    summarise_series,
)
from flicksim.match.match import Simulator
from flicksim.match.series import game_seed, wilson_interval
from flicksim.referee import parse_options
from flicksim.scene import Flick, Squidge
from tests.matches import new_match

GAME = load("penny-white")


def test_illegal_action_changes_nothing() -> None:
    match = new_match("penny-white", "random", "random", ends=1)
    before = match.state
    with pytest.raises(IllegalAction, match="PW-1"):
        match.play(Flick(piece="blue-1", speed=1.0, azimuth=1.57))
    assert match.state is before
    assert not match.turns


def test_human_seat_has_no_player() -> None:
    match = new_match("penny-white", "human", "human")
    with pytest.raises(FlicksimError, match="played from outside"):
        match.ask_player()


def test_players_are_not_offered_self_reports() -> None:
    """PW-13d, PW-14a: bots, chance and programs see choices without it; people at the same table have it."""
    match = new_match("penny-white", "random", "human", first="first")
    seen: list[Any] = []

    class Spy:
        def choose(self, view: Any, choices: Any, rng: Any) -> Any:
            seen.append(choices.self_reports)
            return RandomPlayer(GAME.rules.check_action).choose(view, choices, rng)

    match.players = (Spy(), None)
    match.play(match.ask_player())
    assert seen == [()]
    assert match.self_reports == GAME.rules.legal_actions(match.state).self_reports != ()


def test_self_report_after_the_end_continues_the_game() -> None:
    """PW-13d: the game goes on; the record replays."""
    match = new_match("penny-white", "human", "human", ends=1, pennies=1, jack_mode="beginner")
    draws = RandomPlayer(GAME.rules.check_action)
    rng = np.random.default_rng(3)
    while not match.is_over:
        match.play(draws.choose(match.state, match.legal_actions(), rng))
    last = match.turns[-1]
    (touch,) = match.self_reports
    turn = match.play(touch.action)
    assert turn.seat == last.seat
    assert not match.is_over
    assert match.to_play == last.before.to_play


def test_undo_ends_a_forfeit_and_only_the_last_undone_turn_can_be_redone() -> None:
    match = new_match("penny-white", "random", "random", ends=1)
    first, second = match.play(match.ask_player()), match.play(match.ask_player())
    match.forfeit_by(Forfeit(seat=0, reason="it ended"))
    assert match.is_over
    assert (match.undo(), match.undo()) == (second, first)
    assert not match.is_over
    with pytest.raises(FlicksimError, match="turn 2 was not played from here"):
        match.redo(second)
    match.redo(first)
    match.redo(second)
    assert match.turns == [first, second]


def test_noise_is_set_for_people_alone_and_their_seats_may_have_a_grade() -> None:
    match = new_match("penny-white", "human", "bot:club", ends=1)
    match.set_noise(GRADES["beginner"])
    assert match.noise == (GRADES["beginner"], GRADES["club"])
    match = new_match("penny-white", "human/expert", "human", ends=1)
    assert (str(parse_seat("human/expert")), parse_seat("human/expert").kind) == ("human/expert", "human")
    match.set_noise(GRADES["club"], 1)
    assert match.noise == (GRADES["expert"], GRADES["club"])
    assert match.seated_noise == (GRADES["expert"], NO_NOISE)
    with pytest.raises(InvalidOption, match="nobody"):
        parse_seat("human/nobody")


def test_opening_can_be_set_only_before_the_first_turn() -> None:
    match, other = (
        new_match("penny-white", "random", "random", ends=1),
        new_match("penny-white", "random", "random", ends=1),
    )
    other.play(other.ask_player())
    match.set_opening(other.state)
    assert match.state is other.state
    with pytest.raises(FlicksimError, match="after 1 turn it is too late"):
        other.set_opening(match.state)


def test_game_reports_progress_of_a_state() -> None:
    match = new_match("penny-white", "random", "random", ends=3)
    on = match.game.progress(match.state)
    assert (on.part_name, on.number, on.total, on.pieces_left) == ("End", 1, 3, match.state.left)


@pytest.mark.parametrize("word", ["", "bot", "bot:", "bot:god", "human:1", "robot:club", "bot:club/god"])
def test_invalid_seat_is_refused(word: str) -> None:
    with pytest.raises(InvalidOption, match="grade"):
        parse_seat(word)


def test_hand_and_thought_are_separate() -> None:
    seat = parse_seat("bot:World-Class/beginner")
    assert (seat.hand, seat.thought) == ("world", "beginner")
    assert str(seat) == "bot:world/beginner"
    assert parse_seat(str(seat)) == seat


@pytest.mark.long
def test_series_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    seats = [parse_seat("random"), parse_seat("bot:beginner")]
    fixed = ("penny-white", {"ends": 1}, seats, 4, 9)
    alone = list(play_series(*fixed))
    together = sorted(play_series(*fixed, jobs=2, folder=tmp_path / "records"), key=lambda result: result.number)
    assert alone == together
    assert len(list((tmp_path / "records").glob("game-*.jsonl"))) == 4
    with pytest.raises(InvalidFile, match="already holds records"):
        next(play_series(*fixed, folder=tmp_path / "records"))


def test_series_summary_adds_up() -> None:
    seats = [parse_seat("random"), parse_seat("bot:beginner")]
    results = list(play_series("penny-white", {"ends": 1}, seats, 5, 3))
    total = summarise_series("penny-white", {}, seats, 5, 3, results)
    assert total.games == 5
    assert sum(seat.wins for seat in total.seats) + total.draws == 5
    assert [seat.points for seat in total.seats] == [sum(r.points[k] for r in results) for k in range(2)]
    assert sum(seat.rate for seat in total.seats) == pytest.approx(1.0)


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> int:
    """The seed of the second game of three in a series of seed 9: its fourth flick cannot be settled."""
    bad = game_seed(9, 2)

    class Sticky:
        def __init__(self, stage: Simulator) -> None:
            self.stage, self.left = stage, 3

        def simulate(self, before: Any, action: Any) -> Any:
            if self.left == 0:
                raise DidNotSettle("'blue-1' would not come to rest")
            self.left -= 1
            return self.stage.simulate(before, action)

    def opened(game: Any, options: Any, seats: Any, seed: int, **more: Any) -> Match:
        match = open_match(game, options, seats, seed, **more)
        if seed == bad:
            match.simulator = Sticky(match.simulator)
        return match

    for module in ("flicksim.match.series", "flicksim.match"):
        monkeypatch.setattr(f"{module}.open_match", opened)
    return bad


def test_failed_game_keeps_its_turns(stuck: int) -> None:
    match = series.open_match(GAME, parse_options(GAME, []), [parse_seat("random")] * 2, stuck)
    with pytest.raises(CannotContinue, match=f"game of seed {stuck} cannot go on after turn 3: 'blue-1' would not"):
        list(match.run())
    assert len(match.turns) == 3
    assert not match.is_over


def test_series_continues_after_a_failed_game(stuck: int, tmp_path: Path) -> None:
    """The game is named by its seed, its record kept, and the figures are those of the others."""
    seats = [parse_seat("random")] * 2
    found = list(play_series("penny-white", {"ends": 1}, seats, 3, 9, folder=tmp_path / "records"))
    assert [result.number for result in found] == [1, 2, 3]
    assert [bool(result.error) for result in found] == [False, True, False]
    assert str(stuck) in found[1].error
    assert len(read_record(tmp_path / "records" / "game-00002.jsonl").turns) == found[1].turns == 3
    total = summarise_series("penny-white", {}, seats, 3, 9, found)
    assert (total.games, total.requested_games) == (2, 3)
    assert total.failed_games == (found[1],)
    assert sum(seat.wins for seat in total.seats) + total.draws == 2
    assert [seat.points for seat in total.seats] == [found[0].points[k] + found[2].points[k] for k in range(2)]


@pytest.mark.parametrize("first", ["random", "cmd:true"])
def test_series_is_resumed_with_equal_records(tmp_path: Path, first: str) -> None:
    """Finished games, also forfeits, are replayed, one that was cut is played on, and the others are played."""
    folder, seats = tmp_path / "records", [parse_seat(word) for word in (first, "random")]
    fixed = ("dominoes", {"rounds": 1}, seats, 3, 9)
    whole = list(play_series(*fixed, folder=folder))
    records = [path.read_bytes() for path in sorted(folder.iterdir())]
    (folder / "game-00002.jsonl").write_bytes(records[1][: records[1].index(b"\n", 600) + 10])
    (folder / "game-00003.jsonl").unlink()
    (folder / ".game-00007.jsonl.lock").touch()  # of a worker that was ended
    with pytest.raises(InvalidFile, match=r"already holds records \(game-00001.jsonl\); resume them"):
        play_series(*fixed, folder=folder)
    assert list(play_series(*fixed, folder=folder, resume=True)) == whole
    assert [path.read_bytes() for path in sorted(folder.iterdir())] == records
    bots = [seats[0], parse_seat("bot:club")]
    for other, differing in (
        (("dominoes", {"rounds": 2}, seats, 3, 9), "option rounds 1 there, 2 here"),
        (
            ("dominoes", {"rounds": 1}, bots, 3, 9),
            rf'seats \["{first}","random"\] there, \["{first}","bot:club"\] here',
        ),
        (("dominoes", {"rounds": 1}, seats, 3, 8), "seed 9 there, 8 here"),
        (("penny-white", {}, seats, 3, 9), 'game "dominoes" there, "penny-white" here'),
    ):
        with pytest.raises(InvalidFile, match=rf"game-00001\.jsonl' is of another match: {differing}$"):
            play_series(*other, folder=folder, resume=True)
    play_game("dominoes", ["random"] * 2, seed=9, options={"rounds": 1}, record=tmp_path / "alone.jsonl")
    alone = ("dominoes", {"rounds": 1}, [parse_seat("random")] * 2, 1, 9)
    with pytest.raises(InvalidFile, match=r"another match: seed unknown \(that of its game is 9\) there, 9 here$"):
        play_series(*alone, folder=tmp_path / "alone.jsonl", resume=True)
    with pytest.raises(InvalidFile, match="is of another match: limit of turns 20000 there, 9 here; limit of moves"):
        play_series(*fixed, folder=folder, resume=True, bounds=MatchLimits(turns=9, moves=9))
    assert [path.read_bytes() for path in sorted(folder.iterdir())] == records


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (b'{"line":"game"', b"shopping list", "game-00002.jsonl' is no flicksim record: its first line is 'shopping"),
        (b'\n{"line":"turn"', b'\njunk', "line 2 of .*game-00002.jsonl' cannot be read: JSON is malformed"),
        (b'"verdict":"', b'"verdict":"?', "game-00002.jsonl' was altered after it was written: turn 1: digest"),
    ],
)  # fmt: skip
def test_a_damaged_record_is_named_with_what_to_do(tmp_path: Path, old: bytes, new: bytes, problem: str) -> None:
    folder = tmp_path / "records"
    fixed = ("dominoes", {"rounds": 1}, [parse_seat("random")] * 2, 3, 9)
    whole = list(play_series(*fixed, folder=folder))
    second = folder / "game-00002.jsonl"
    record = second.read_bytes()
    second.write_bytes(record.replace(old, new, 1))
    with pytest.raises(InvalidFile, match=rf"{problem}.*; move it elsewhere, and its game is played anew$"):
        play_series(*fixed, folder=folder, resume=True)
    second.write_bytes((folder / "game-00003.jsonl").read_bytes())
    copied = "game-00002.jsonl' is game 3 of this match, not game 2; move it elsewhere, and its game is played anew$"
    with pytest.raises(InvalidFile, match=copied):
        play_series(*fixed, folder=folder, resume=True)
    second.rename(tmp_path / "elsewhere")
    assert list(play_series(*fixed, folder=folder, resume=True)) == whole
    assert second.read_bytes() == record


def test_a_record_that_cannot_be_written_is_not_to_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def resume_record(*_: Any, **__: Any) -> Any:
        raise InvalidFile("cannot write 'game-00001.jsonl': no space left on device")

    fixed = ("dominoes", {"rounds": 1}, [parse_seat("random")] * 2, 1, 9)
    list(play_series(*fixed, folder=tmp_path))
    monkeypatch.setattr("flicksim.match.series.resume_record", resume_record)
    with pytest.raises(InvalidFile, match=r"no space left on device$"):
        list(play_series(*fixed, folder=tmp_path, resume=True))


def shell(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["flicksim", *map(str, words)])
    return main()


def test_match_command_prints_table_and_failed_games(
    stuck: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ("match", "penny-white", "--games", 3, "--seed", 9, "-o", "ends=1", "--seat", "random", "--seat", "random")
    assert shell(monkeypatch, *words) == 1
    told = capfd.readouterr()
    assert "2 games, seed 9" in told.out
    assert f"Game 2: the game of seed {stuck} cannot go on after turn 3" in told.err
    assert "1 of 3 games could not go on and is left out" in told.err
    assert shell(monkeypatch, *words, "--json") == 1
    answer = json.loads(capfd.readouterr().out)
    assert [(one["number"], one["seed"]) for one in answer["failed_games"]] == [(2, stuck)]


def test_a_match_stopped_before_its_first_record_names_none_to_resume(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(series, "play_one", stop)
    words = ("match", "dominoes", "--seat", "random", "--seat", "random", "--games", 2, "--record", tmp_path / "all")
    assert shell(monkeypatch, *words) == 1
    told = capfd.readouterr()
    assert told.err.endswith("Stopped after 0 of 2 games.\n")
    assert told.out == "", "no table of noughts"
    assert shell(monkeypatch, "tournament", *words[1:4], "--seat", "bot:club") == 1
    told = capfd.readouterr()
    assert told.err.endswith("Stopped after 0 of 10 games.\n")
    assert told.out == ""


@pytest.mark.parametrize("error", [WorkersLost("a worker died"), InvalidFile("cannot write 'x': no space left")])
def test_a_match_ended_by_an_error_keeps_its_games_and_says_how_to_go_on(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def play(*words: Any, **options: Any) -> GameResult:
        if words[4] == 2:
            raise error
        return original(*words, **options)

    original = series.play_one
    monkeypatch.setattr(series, "play_one", play)
    words = ("dominoes", "--seat", "random", "--seat", "random", "--games", 3)
    assert shell(monkeypatch, "match", *words, "--record", tmp_path / "all") == 1
    told = capfd.readouterr()
    assert "1 game, seed 1" in told.out
    stopped = f"Stopped after 1 of 3 games; the records are in {tmp_path / 'all'}, and the same command with --resume"
    assert f"flicksim: {error}. {stopped} goes on.\n" in told.err
    if isinstance(error, WorkersLost):
        assert shell(monkeypatch, "tournament", *words[:3], "--seat", "bot:beginner", "--games", 3) == 1
        told = capfd.readouterr()
        assert "1 game, seed 1" in told.out
        assert told.err.endswith("flicksim: a worker died. Stopped after 1 of 3 games.\n")


def test_failed_single_game_ends_with_message_and_record(
    stuck: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = tmp_path / "kept.jsonl"
    words = ("play", "penny-white", "--headless", "--seed", stuck, "--seat", "random", "--seat", "random")
    assert shell(monkeypatch, *words, "--record", kept) == 1
    said = capfd.readouterr().err
    assert said.startswith(f"flicksim: the game of seed {stuck} cannot go on after turn 3")
    assert "Traceback" not in said
    assert len(read_record(kept).turns) == 3


def test_tournament_excludes_failed_games(stuck: int) -> None:
    ladder = RoundRobin(GAME, [parse_seat("random"), parse_seat("bot:beginner")], 3, {"ends": 1}, 9)
    list(ladder.play())
    standings = ladder.standings()
    assert (standings.games, [one.seed for one in standings.failed_games]) == (2, [stuck])
    assert all(place.games == 2 for place in standings.places)


def _game_result(number: int, winners: tuple[int, ...], *points: Fraction | int) -> GameResult:
    return GameResult(number=number, seed=1, points=tuple(map(Fraction, points)), winners=winners, turns=9)


def test_winning_pair_counts_as_win_not_shared() -> None:
    """TW-1b, TW-5e, TW-11i: partners win as one; only 3 1/2 to 3 1/2 is a draw; winners of different sides share."""
    half = Fraction(7, 2)
    results = [
        _game_result(1, (0, 2), 4, 0, 2, 1),
        _game_result(2, (0, 2), 4, 1, 2, 0),
        _game_result(3, (0, 1, 2, 3), half, half, 0, 0),
    ]
    total = summarise_series("tiddlywinks", {}, [parse_seat("random")] * 4, 3, 1, results)
    assert [(seat.wins, seat.shared_wins) for seat in total.seats] == [(2, 1), (0, 1), (2, 1), (0, 1)]
    assert [seat.rate for seat in total.seats] == pytest.approx([2.5 / 3, 0.5 / 3] * 2)
    assert total.draws == 1
    total = summarise_series("tinkle", {}, [parse_seat("random")] * 3, 1, 1, [_game_result(1, (0, 2), 9, 3, 9)])
    assert [(seat.wins, seat.shared_wins, seat.rate) for seat in total.seats] == [(0, 1, 0.5), (0, 0, 0.0), (0, 1, 0.5)]
    assert total.draws == 1


def test_wilson_interval_has_textbook_values_and_contains_the_share() -> None:
    # 15 of 20, 95 %: 0.5313 to 0.8881 (Newcombe, Statistics in Medicine 17, 1998, table of examples)
    assert wilson_interval(0.75, 20) == (pytest.approx(0.5313, abs=1e-4), pytest.approx(0.8881, abs=1e-4))
    assert wilson_interval(0.0, 0) == (0.0, 1.0)
    for share, shots in ((0.0, 10), (1.0, 10), (0.5, 10), (0.57, 100)):
        low, high = wilson_interval(share, shots)
        assert 0.0 <= low <= share <= high <= 1.0
        assert high - low < 0.6


def test_error_names_the_right_option_where_one_name_is_a_prefix() -> None:
    with pytest.raises(InvalidOption, match="option table_mm="):
        parse_options(load("ice"), ["table=round", "table_mm=wide"])


def last_turn() -> Match:
    """A game of tiddlywinks with one turn to come, Blue's."""
    winks = tuple(
        WinkPlacement(wink=f"{colour}-3", at=at)
        for colour, at in (("blue", (300, 100)), ("green", (100, -300)), ("red", (-300, -100)), ("yellow", (-100, 300)))
    )
    match = new_match("tiddlywinks", *["human"] * 4, position=Position(title="t", winks=winks, laps=1))
    match.play(Squidge(piece="blue-3", speed=0.5, azimuth=2.0))
    return match


def test_self_report_reopens_a_finished_game(tmp_path: Path) -> None:
    """TW-12j: the seat that acted last says so; the record holds it and replays it."""
    match = last_turn()
    assert match.is_over
    with pytest.raises(IllegalAction, match="TW-11d"):
        match.play(Squidge(piece="blue-3", speed=0.5, azimuth=2.0))
    foul = next(one for one in match.legal_actions().self_reports if one.action == CallFoul(how="stroke"))
    turn = match.play(foul.with_choices({}))
    assert turn.seat == 0
    assert (match.is_over, match.to_play, match.winners) == (False, 1, ())
    assert sum(match.scores) == 0
    match.play(Decide(replay=False))
    assert match.is_over
    assert sum(match.scores) == 7
    assert sum(sum(turn.verdict.ruling.points) for turn in match.turns) == 7
    path = tmp_path / "game.jsonl"
    with Recorder(path, match_header(match, ("human",) * 4)) as recorder:
        for turn in match.turns:
            recorder.write_turn(turn)
    again = last_turn()
    again.undo()
    replay = Replay(read_record(path), again)
    assert [turn.seat for turn in replay.run()] == [0, 0, 1]
    assert replay.divergence is None
    assert again.scores == match.scores
