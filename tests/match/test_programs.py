"""Programs as players: they receive nothing hidden, and forfeit on errors."""

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from flicksim.ai import GRADES, NO_NOISE, SubprocessPlayer
from flicksim.ai.subprocess_client import SubprocessClient
from flicksim.core.errors import FlicksimError, Forfeited, InvalidFile, InvalidOption
from flicksim.core.serialization import from_json, to_json
from flicksim.games import load, names
from flicksim.games.ice.state import Load
from flicksim.match import check_shell_seats, parse_seat, play_series, read_record, summarise_series
from flicksim.referee import FlickRange, LaunchRange, SquidgeRange
from flicksim.scene import Launch
from tests.cards.hidden_states import redeal_hidden
from tests.match.example_programs import FIRST, seat
from tests.matches import new_match, record_match, replay_record
from tests.polling import wait_until


def forfeit_reason(folder: Path, text: str, *, name: str = "penny-white", front: str = "cmd", **options: Any) -> str:
    """Reason for which the program on the first seat loses."""
    others = ["random"] * (load(name).seats[0] - 1)
    match = new_match(name, seat(folder, text, front=front), *others, **options)
    list(match.run())
    assert match.forfeit.seat == 0
    assert match.is_over
    assert 0 not in match.winners
    assert match.winners
    return match.forfeit.reason


# -- sitting down ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "hand", "limit"),
    [
        ("cmd:python3 player.py", "", 10.0),
        ("cmd/world:python3 player.py", "world", 10.0),
        ("cmd@2.5:./player --depth 3", "", 2.5),
        ("cmd/club@60:'/a place/player'", "club", 60.0),
    ],
)
def test_program_seat_round_trip(word: str, hand: str, limit: float) -> None:
    found = parse_seat(word)
    assert (found.kind, found.hand, found.time_limit) == ("cmd", hand, limit)
    assert str(found) == word
    assert parse_seat(str(found)) == found


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("cmd", "no program after"),
        ("cmd:", "no program after"),
        ("cmd:  ", "no program after"),
        ("cmd:python3 'player.py", "no closing quotation"),
        ("cmd/god:player", "no grade 'god'"),
        ("cmd/:player", "no grade ''"),
        ("cmd@:player", "time limit ''"),
        ("cmd@soon:player", "time limit 'soon'"),
        ("cmd@0:player", "time limit '0'"),
        ("cmd@nan:player", "time limit 'nan'"),
        ("cmd@1e9:player", "time limit '1e9'"),
    ],
)
def test_invalid_program_seat_is_refused(word: str, says: str) -> None:
    with pytest.raises(InvalidOption, match=says):
        parse_seat(word)


def test_missing_program_is_refused_before_the_game(tmp_path: Path) -> None:
    seats = [parse_seat("cmd:no-such-player --fast"), parse_seat("random")]
    with pytest.raises(InvalidOption, match="no program 'no-such-player' to start"):
        check_shell_seats(seats)
    with pytest.raises(InvalidOption, match="no-such-player"):
        next(play_series("penny-white", {}, seats, 1, 1, folder=tmp_path / "games"))
    assert not (tmp_path / "games").exists()


def test_program_has_the_given_grade() -> None:
    match = new_match("penny-white", "cmd/club:true", "cmd:true")
    assert match.noise == (GRADES["club"], NO_NOISE)


# -- playing --------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_program_games_do_not_depend_on_workers(tmp_path: Path) -> None:
    seats = [parse_seat(seat(tmp_path, FIRST)), parse_seat("random")]
    fixed = ("dominoes", {"rounds": 1}, seats, 3, 9)
    alone = list(play_series(*fixed))
    together = sorted(play_series(*fixed, jobs=2, folder=tmp_path / "games"), key=lambda result: result.number)
    assert alone == together
    assert not any(result.forfeit for result in alone)


def test_request_line_of_a_program(tmp_path: Path) -> None:
    """The view, what may be done, and who it is: enough to play by, in one line."""
    told = tmp_path / "told.jsonl"
    note = f"import sys\nwith open({str(told)!r}, 'w') as out:\n    out.write(sys.stdin.readline())"
    forfeit_reason(tmp_path, note)
    line = json.loads(told.read_text())
    assert (line["game"], line["seat"], line["names"], line["tries"]) == ("penny-white", 0, ["Blue", "Red"], 3)
    match = new_match("penny-white", "random", "random")
    while match.to_play != 0:
        match.play(match.ask_player())
    assert line["flicks"] == json.loads(to_json(match.legal_actions()))["flicks"]
    assert line["says"] == match.legal_actions().prompt
    assert line["view"]["options"]["pennies"] == 4


@pytest.mark.parametrize("name", [name for name in names() if load(name).category == "table"])
def test_offered_actions_round_trip(name: str) -> None:
    match = new_match(name, *["random"] * load(name).seats[0])
    seen = set()
    while not match.is_over and len(match.turns) < 12:
        spans = match.legal_actions().flicks
        written = to_json(spans)
        assert from_json(written, tuple[FlickRange | SquidgeRange | LaunchRange, ...]) == spans
        match.play(match.ask_player())
        made = json.loads(to_json(match.turns[-1].made))
        if "piece" in made and spans:
            assert made["do"] in {span["do"] for span in json.loads(written) if span["piece"] == made["piece"]}
            seen.add(made["do"])
    assert len(seen) == 1


class FakeChild:
    """Stand-in of a child process that records its request and returns a fixed answer, or forfeits without one."""

    def __init__(self, answer: str = "") -> None:
        self._answer, self.request_line = answer.encode(), b""

    def request(self, line: bytes, _until: float) -> bytes:
        self.request_line = line
        if not self._answer:
            raise Forfeited("no answer")
        return self._answer

    def close(self, *, force: bool = False) -> None:
        pass


@pytest.mark.parametrize(("name", "seats"), [("dominoes", 3), ("tinkle", 3), ("tinkle", 5)])
def test_request_line_reveals_nothing_hidden(name: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """States that differ only in what its seat may not see, seed and all, come as the same line, byte for byte."""
    match, rng = new_match(name, *["random"] * seats, seed=3), Random(5)
    player = new_match(name, *["cmd:true"] * seats).players[0]
    assert isinstance(player, SubprocessPlayer)
    for number in range(80):
        if match.is_over:
            break
        here = match.to_play
        assert here is not None
        lines = []
        for state in (match.state, redeal_hidden(match.state, here, rng)):
            child = FakeChild()
            monkeypatch.setattr(player, "_client", child)
            dice = match.streams.spawn("player", number).generator()
            with pytest.raises(Forfeited):
                player.choose(match.rules.view(state, here), match.rules.legal_actions(state), dice)
            lines.append(child.request_line)
        assert lines[0] == lines[1]
        assert b'"seeds":null' in lines[0]
        match.play(match.ask_player())


# -- misbehaving ----------------------------------------------------------------------------------------------------

RECEIVED = "import os, sys, time\nsys.stdin.readline()\n"


@pytest.mark.parametrize(
    "text",
    [
        "import time\ntime.sleep(60)",
        RECEIVED + "time.sleep(60)",
        RECEIVED + "sys.stdout.write('{')\nsys.stdout.flush()\ntime.sleep(60)",
        RECEIVED + "sys.stdout.write(' \\n' * 10**5)\nsys.stdout.flush()\ntime.sleep(60)",
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(60)",
        RECEIVED + "sys.stderr.write('x' * 10**7)\ntime.sleep(60)",
        "import sys, time\nfor line in sys.stdin:\n    time.sleep(0.4)\n    print('no')",
    ],
    ids=["never listens", "never answers", "half an answer", "blank lines", "will not end", "mutters", "many attempts"],
)
def test_silent_program_forfeits(text: str, tmp_path: Path) -> None:
    assert forfeit_reason(tmp_path, text, front="cmd@0.6") == "did not answer within 0.6 s"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (RECEIVED + "sys.exit(3)", "ended with exit code 3 without an answer"),
        (RECEIVED + "1 / 0", "ended with exit code 1 without an answer (ZeroDivisionError: division by zero)"),
        (RECEIVED + "os.abort()", "was ended by signal 6 without an answer"),
        (RECEIVED + "os.close(1)\ntime.sleep(60)", "closed its output without an answer"),
        ("", "ended with exit code 0 without an answer"),
    ],
)
def test_exit_before_the_answer_forfeits_with_stderr(text: str, says: str, tmp_path: Path) -> None:
    assert forfeit_reason(tmp_path, text) == says


def test_program_that_dies_forfeits(tmp_path: Path) -> None:
    text = FIRST.replace("for line in sys.stdin:", "for line, _ in zip(sys.stdin, range(3)):")
    match = new_match("dominoes", seat(tmp_path, text), "random")
    turns = list(match.run())
    assert sum(turn.seat == 0 for turn in turns) == 3
    assert match.forfeit.reason == "ended with exit code 0 without an answer"
    assert match.scores == match.rules.scores(turns[-1].after)
    with pytest.raises(FlicksimError, match="Ann has forfeited"):
        match.play(match.state)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("hello", "JSON is malformed"),
        ("[" * 100_000, "expected an object, got a list"),
        ("x" * 3_000_000, "JSON is malformed"),
        ("\x00\x01", "cannot be read"),
        ("null", "expected an object, got null"),
        ('{"do":"pray"}', "invalid value 'pray'"),
        ('{"do":"place_white"}', "missing required field 'y'"),
        ('{"do":"place_white","y":NaN}', "cannot be read"),
        ('{"do":"place_white","y":0.1}', "is not one of the actions offered"),
        ('{"do":"flick","piece":"blue-1","speed":1.0,"azimuth":1.5}', "is not one of the actions offered"),
        ('{"do":"flick","piece":"blue-1","speed":-1.0,"azimuth":1.5}', "speed -1.0 m/s must be above 0"),
        ('{"do":"disturb","how":"touched"}', "is not one of the actions offered"),
    ],
)
def test_three_invalid_answers_forfeit(answer: str, says: str, tmp_path: Path) -> None:
    bad = f"import sys\nfor line in sys.stdin:\n    print({answer!r})"
    why = forfeit_reason(tmp_path, bad, jack_mode="beginner", first="first")
    assert why.startswith("gave no valid answer in 3 tries; the last: the answer")
    assert says in why


def launched(answer: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Result of an answer to a first launch, in a game whose stashes stand on the table, the large ones 60 mm."""
    sizes = (14.0, 25.0, 20.0, 35.0, 25.0, 60.0)
    match = new_match("ice", "cmd:true", "random", stash_bodies=True, bad_hold="refuse", sizes_mm=sizes)
    while not match.state.started:
        match.play(Load(piece=match.state.hands[match.to_play or 0][5]))
    while match.to_play != 0:
        match.play(match.ask_player())
    player = match.players[0]
    assert isinstance(player, SubprocessPlayer)
    monkeypatch.setattr(player, "_client", FakeChild(answer))
    return match.ask_player()


LAUNCH = {
    "do": "launch", "piece": "red-medium-1", "size": "medium", "hold": [0.45, 0.075], "azimuth": 1.5, "speed": 4.0,
}  # fmt: skip


@pytest.mark.parametrize("more", [{}, {"height": 0.002, "slant": 1.1, "lift": 0.12, "time": 2.5, "owner": 0}])
def test_program_launches(more: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    answer = LAUNCH | more
    assert launched(json.dumps(answer), monkeypatch) == from_json(json.dumps(answer), Launch)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"piece": "red-medium-2"}, "is not one of the actions offered"),
        ({"piece": "yellow-medium-1"}, "is not one of the actions offered"),
        ({"size": "huge"}, "invalid enum value 'huge'"),
        ({"size": "small"}, "'red-medium-1' is not small"),
        ({"hold": [0.45, 0.5]}, "is not over Red's stash area"),
        ({"hold": None}, "expected a list, got null"),
        ({"lift": 0.05, "hold": [0.462, 0.105]}, "hold it higher than 50 mm or elsewhere"),
        ({"lift": 0.01}, "lift 10 mm must lie in 50 to 300 mm over the table"),
        ({"slant": 0.1}, "must lie in 45 to 85"),
        ({"height": 0.02}, "it is the launcher's base that is flicked"),
        ({"speed": 1e9}, "speed 1000000000.0 m/s must be above 0"),
        ({"time": -1.0}, "time -1.0 s must be 0 or later"),
        ({"owner": 1}, "Yellow cannot launch now"),
        ({"do": "flick"}, "invalid value 'flick'"),
    ],
)
def test_invalid_launch_is_refused(wrong: dict[str, Any], says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Forfeited, match="gave no valid answer in 3 tries; the last: ") as lost:
        launched(json.dumps(LAUNCH | wrong), monkeypatch)
    assert says in str(lost.value)


def test_programs_are_not_offered_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """ITW-4b: a program that takes its time says so with the time of its launch."""
    with pytest.raises(Forfeited, match="is not one of the actions offered"):
        launched('{"do":"wait","until":5.0}', monkeypatch)


def test_refused_answer_may_be_corrected(tmp_path: Path) -> None:
    told = tmp_path / "told.jsonl"
    text = f"""
import json, sys
with open({str(told)!r}, "w") as out:
    for line in sys.stdin:
        ask = json.loads(line)
        out.write(line)
        bad = {{"do": "flick", "piece": "white", "speed": 1.5, "azimuth": 1.57, "start": [0.15, 0.3]}}
        print("what?" if ask["tries"] == 3 else json.dumps(bad if ask["tries"] == 2 else dict(bad, start=[0.15, 0.03])))
        out.flush()
"""
    match = new_match("penny-white", seat(tmp_path, text), "random", first="first", ends=1)
    match.play(match.ask_player())
    match.close()
    lines = [json.loads(line) for line in told.read_text().splitlines()]
    assert [line["tries"] for line in lines[:3]] == [3, 2, 1]
    assert "refused" not in lines[0]
    assert "JSON is malformed" in lines[1]["refused"]
    assert "is not on the board wholly behind the 5 cm line (PW-5a)" in lines[2]["refused"]
    assert lines[0]["view"] == lines[2]["view"]


def test_programs_are_not_offered_self_reports(tmp_path: Path) -> None:
    """TW-12h: to say that an opponent interfered would win the game at once; the line does not even tell of it."""
    told = tmp_path / "told.jsonl"
    cheat = f"""
import sys
with open({str(told)!r}, "w") as out:
    for line in sys.stdin:
        out.write(line)
        out.flush()
        print('{{"do":"interfere","seat":1}}')
"""
    why = forfeit_reason(tmp_path, cheat, name="tiddlywinks")
    assert '{"do":"interfere","seat":1} is not one of the actions offered' in why
    assert "interfere" not in told.read_text().splitlines()[0]


def test_output_flood_is_bounded_in_memory(tmp_path: Path) -> None:
    flood = "while True:\n    print('no')"
    why = forfeit_reason(tmp_path, flood)
    assert why.startswith("gave no valid answer in 3 tries")


def test_partners_lose_together_and_the_leader_of_the_others_wins(tmp_path: Path) -> None:
    match = new_match("tiddlywinks", seat(tmp_path, ""), "random", "random", "random")
    assert list(match.run()) == []
    assert match.winners == (1, 3)
    match = new_match("dominoes", seat(tmp_path, ""), "random", "random", "random")
    list(match.run())
    assert set(match.winners) <= {1, 2, 3}
    best = max(match.scores[1:])
    assert match.winners == tuple(k for k in (1, 2, 3) if match.scores[k] == best)


# -- ending ---------------------------------------------------------------------------------------------------------


def process_ended(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()


def pid_in(path: Path) -> int:
    wait_until(lambda: path.exists() and path.read_text().endswith("\n"))
    return int(path.read_text())


def test_programs_and_their_children_end_after_a_forfeit(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    text = f"""
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open({str(pid)!r}, "w").write(f"{{child.pid}}\\n")
time.sleep(60)
"""
    assert forfeit_reason(tmp_path, text, front="cmd@1") == "did not answer within 1 s"
    child = pid_in(pid)
    wait_until(lambda: process_ended(child))


@pytest.mark.parametrize("ending", ["over", "abandoned", "forgotten"])
def test_program_ends_with_its_game(ending: str, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    text = f"import os\nopen({str(pid)!r}, 'w').write(f'{{os.getpid()}}\\n')\n" + FIRST
    match = new_match("dominoes", seat(tmp_path, text), "random", rounds=1)
    run = match.run()
    while next(run).seat != 0:
        pass
    child = pid_in(pid)
    assert not process_ended(child)
    match ending:
        case "over":
            list(run)
        case "abandoned":
            run.close()
        case "forgotten":
            del match, run
    wait_until(lambda: process_ended(child))


def test_program_that_cannot_be_started_forfeits(tmp_path: Path) -> None:
    with pytest.raises(Forfeited, match="could not be started: no such file"):
        SubprocessClient([str(tmp_path / "nowhere")])


# -- what is kept ---------------------------------------------------------------------------------------------------


def test_forfeit_is_recorded_and_replayed(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    text = FIRST.replace("for line in sys.stdin:", "for line, _ in zip(sys.stdin, range(3)):")
    match = record_match(path, "dominoes", seat(tmp_path, text), "random")
    forfeit, end = map(json.loads, path.read_text().splitlines()[-2:])
    del forfeit["chain"], end["chain"]
    assert forfeit == {"line": "forfeit", "seat": 0, "says": "ended with exit code 0 without an answer"}
    assert end == {"line": "end", "turns": len(match.turns)}
    replay = replay_record(path)
    assert replay.divergence is None
    assert replay.match.forfeit == match.forfeit
    assert replay.match.winners == match.winners == (1,)


def test_forfeit_of_another_seat_diverges(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    record_match(path, "dominoes", seat(tmp_path, ""), "random")
    path.write_text(path.read_text().replace('"line":"forfeit","seat":0', '"line":"forfeit","seat":1'))
    divergence = replay_record(path).divergence
    assert divergence is not None
    assert "forfeit recorded as of seat 1" in str(divergence)


def test_no_line_may_follow_a_forfeit(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    record_match(path, "dominoes", "random", seat(tmp_path, ""))
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines, lines[-2]]))
    with pytest.raises(InvalidFile, match="goes on after seat 1 has forfeited"):
        read_record(path)


def test_series_counts_forfeits(tmp_path: Path) -> None:
    seats = [parse_seat("random"), parse_seat(seat(tmp_path, "import sys\nsys.exit(7)"))]
    results = list(play_series("dominoes", {"rounds": 1}, seats, 2, 1))
    total = summarise_series("dominoes", {}, seats, 2, 1, results)
    assert [row.forfeits for row in total.seats] == [0, 2]
    assert [row.wins for row in total.seats] == [2, 0]
    assert total.seats[1].forfeit_reason == "ended with exit code 7 without an answer"
