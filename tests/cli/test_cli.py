"""Command line: output, exit codes and error messages."""

import json
import os
import signal
import subprocess
import sys
from codecs import BOM_UTF8
from itertools import count, islice
from pathlib import Path

import pytest

from flicksim import Squidge, gui, load_scene, play_game, simulate
from flicksim.cli.trajectory_text import squidge_summary
from flicksim.core.paths import assets_dir
from flicksim.match import Forfeit, Match, Recorder, match_header, workers
from tests.cli_runner import ROOT, assert_error, begin, invoke, run
from tests.matches import new_match
from tests.polling import TIMEOUT, wait_until
from tests.repetition import few_then_long

SCENE = {
    "surface": {"material": "polished", "outline": [[0, 0], [0.3, 0], [0.3, 0.8], [0, 0.8]], "lines": []},
    "pieces": [
        {"id": name, "kind": "penny", "x": 0.15, "y": y, "radius": 0.01015, "mass": 0.00356, "material": "bronze"}
        for name, y in (("a", 0.04), ("b", 0.4))
    ],
}
FLICK = {"piece": "a", "speed": 1.5, "azimuth": 1.5707963267948966}
LAUNCH_SCENE, LAUNCH = (assets_dir() / kind / "launch.json" for kind in ("scenes", "flicks"))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "scene.json").write_text(json.dumps(SCENE))
    (tmp_path / "flick.json").write_text(json.dumps(FLICK))
    return tmp_path


def test_games_and_rules_as_text_and_json() -> None:
    listed = run("games", "--json")
    names = [game["name"] for game in json.loads(listed.stdout)]
    assert "penny-white" in names
    rules = json.loads(run("rules", "penny-white", "--json").stdout)
    assert {"PW-1", "PW-8a", "PW-12b"} <= {row["id"] for row in rules["rules"]}
    assert {"ends", "board_mm"} <= {option["name"] for option in rules["options"]}
    words = run("rules", "penny-white")
    assert "PW-12b" in words.stdout
    assert "300,800" in words.stdout


def test_match_json_is_reproducible() -> None:
    bots = ("--seat", "bot:club", "--seat", "random")
    words = ("match", "penny-white", *bots, "--games", "2", "--seed", "1", "-o", "ends=1", "-o", "pennies=2", "--json")
    one, other = run(*words), run(*words, "--jobs", "2")
    assert one.stdout == other.stdout
    answer = json.loads(one.stdout)
    assert (answer["game"], answer["games"], answer["seed"]) == ("penny-white", 2, 1)
    assert [seat["player"] for seat in answer["seats"]] == ["bot:club", "random"]
    assert all(isinstance(seat["wins"], int) and isinstance(seat["points"], int) for seat in answer["seats"])


def test_play_record_resume_replay(tmp_path: Path) -> None:
    words = ("play", "penny-white", "--seat", "random", "--seat", "random", "-o", "ends=1", "--headless")
    run(*words, "--record", "game.jsonl", cwd=tmp_path)
    whole = (tmp_path / "game.jsonl").read_bytes()
    (tmp_path / "cut.jsonl").write_bytes(whole[:-60])
    done = run("play", "--resume", "cut.jsonl", "--headless", cwd=tmp_path)
    assert "was cut; going on after turn" in done.stderr
    assert (tmp_path / "cut.jsonl").read_bytes() == whole
    run("replay", "cut.jsonl", "--verify", cwd=tmp_path)
    (tmp_path / "bad.jsonl").write_bytes(whole.replace(b'"state":"', b'"state":"f', 1))
    bad = run("replay", "bad.jsonl", "--verify", cwd=tmp_path, code=1)
    assert "diverges at turn 1: state fingerprint" in bad.stderr
    assert "--keep" not in bad.stderr, "there is no turn before it"
    bad = run("replay", "bad.jsonl", "--keep", "kept.jsonl", cwd=tmp_path, code=1)
    assert bad.stderr.endswith("No turn is before it, so kept.jsonl is not written.\n")
    assert not (tmp_path / "kept.jsonl").exists()
    assert_error("replay", "bad.jsonl", "--turn", "2", message="so turn 2 cannot be shown; no turn is", cwd=tmp_path)
    assert_error("play", "--resume", "game.jsonl", message="is finished", cwd=tmp_path)
    assert_error(*words, "--record", "game.jsonl", message="exists", cwd=tmp_path)
    assert (tmp_path / "game.jsonl").read_bytes() == whole


KEEP = "`flicksim replay bad.jsonl --keep {}.jsonl` writes the turns before it as a record, 3 in all"
"""Advice for a record whose fourth turn is wrong, with the name of the new one."""
KEEPING = (
    ("analyse", "bad.jsonl", "--turn", "2"), ("share", "bad.jsonl"), ("export", "bad.jsonl", "-"),
    ("aim", "bad.jsonl", "distance white < 0.03", "--turn", "2"), ("play", "--resume", "bad.jsonl", "--headless"),
)  # fmt: skip
"""Commands that need a sound record."""


def test_turns_before_an_alteration_are_kept(tmp_path: Path) -> None:
    play_game("penny-white", ["random"] * 2, seed=3, options={"ends": 1}, record=tmp_path / "game.jsonl")
    whole = (tmp_path / "game.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    altered = [*lines[:4], lines[4].replace(b'"verdict":"', b'"verdict":"Not: '), *lines[5:]]
    (tmp_path / "bad.jsonl").write_bytes(b"".join(altered))
    told = run("replay", "bad.jsonl", "--keep", "kept.jsonl", cwd=tmp_path, code=1).stderr
    assert "The turns before it replay alike, 3 in all; they are written to 'kept.jsonl'" in told
    assert (tmp_path / "kept.jsonl").read_bytes() == b"".join(lines[:4])
    (tmp_path / "bad-kept.jsonl").touch()
    assert KEEP.format("bad-kept-2") in run("replay", "bad.jsonl", cwd=tmp_path, code=1).stderr
    for words in (*KEEPING, ("replay", "bad.jsonl", "--turn", "5")):
        assert_error(*words, message=f"; {KEEP.format('bad-kept-2')}", cwd=tmp_path)
    (tmp_path / "bad-kept.jsonl").unlink()
    message = "'bad.jsonl' diverges at turn 4: verdict recorded as Not: "
    assert_error("analyse", "bad.jsonl", "--turn", "7", message=message, cwd=tmp_path)
    told = json.loads(run("replay", "bad.jsonl", "--json", cwd=tmp_path, code=1).stdout)
    assert [told[key] for key in ("turns", "over", "points", "winners")] == [3, False, [3, 0], []]
    assert_error(
        "replay", "bad.jsonl", "--keep", "bad.jsonl", message="'bad.jsonl' exists; --keep writes", cwd=tmp_path
    )
    for words in ((), ("--verify",), ("--json",)):  # a sound record is no error
        done = run("replay", "game.jsonl", "--keep", "x.jsonl", *words, cwd=tmp_path, code=0)
        assert done.stderr == "All turns of game.jsonl replay as recorded, so x.jsonl is not written.\n"
        assert bool(done.stdout) == bool(words)
        assert not (tmp_path / "x.jsonl").exists()
    (tmp_path / "bad.jsonl").write_bytes(b"".join([*lines[:-1], lines[-1].replace(b'"chain":"', b'"chain":"0')]))
    run("replay", "bad.jsonl", "--keep", "all.jsonl", cwd=tmp_path, code=1)
    assert (tmp_path / "all.jsonl").read_bytes() == whole
    damaged = {
        "line 5 of 'bad.jsonl' cannot be read": [*lines[:4], lines[4][:50] + b"\n", *lines[5:]],
        "turn 5 where turn 4 should be": [*lines[:4], *lines[5:]],
    }
    for number, (problem, damage) in enumerate(damaged.items()):
        (tmp_path / "bad.jsonl").write_bytes(b"".join(damage))
        told = run("replay", "bad.jsonl", "--keep", f"kept-{number}.jsonl", cwd=tmp_path, code=1).stderr
        assert told.startswith("bad.jsonl is damaged at turn 4: line 5 of 'bad.jsonl'")
        assert problem in told
        assert json.loads(run("replay", "bad.jsonl", "--json", cwd=tmp_path, code=1).stdout)["recorded"] is None
        assert (tmp_path / f"kept-{number}.jsonl").read_bytes() == b"".join(lines[:4])
        assert (tmp_path / "bad.jsonl").read_bytes() == b"".join(damage)
        for words in KEEPING:
            assert_error(*words, message=f"; {KEEP.format('bad-kept')}", cwd=tmp_path)
    (tmp_path / "bad.jsonl").write_bytes(b"".join([lines[0], b"{\n", *lines[2:]]))
    told = run("replay", "bad.jsonl", "--png", "x.png", cwd=tmp_path, code=1).stderr
    assert told.startswith("bad.jsonl is damaged at turn 1: line 2 of"), "there is no turn to draw"
    (tmp_path / "bad.jsonl").write_bytes(whole + b"\n")
    told = run("replay", "bad.jsonl", cwd=tmp_path, code=1).stderr
    assert f"line {len(lines) + 1} of 'bad.jsonl' cannot be read: it is empty" in told
    (tmp_path / "bad.jsonl").write_bytes(lines[0] + BOM_UTF8 + b"".join(lines[1:]))
    told = run("replay", "bad.jsonl", "--keep", "none.jsonl", cwd=tmp_path, code=1).stderr
    assert told.endswith("No turn is before it, so none.jsonl is not written.\n")
    assert_error("play", "--resume", "bad.jsonl", message="; no turn is before it", cwd=tmp_path)
    (tmp_path / "bad.jsonl").write_bytes(whole[:-1])
    told = run("replay", "bad.jsonl", "--keep", "whole.jsonl", cwd=tmp_path).stderr
    assert told.endswith(f"{len(lines) - 2} in all; they are written to 'whole.jsonl'.\n")
    assert (tmp_path / "whole.jsonl").read_bytes() == whole
    told = run("replay", "bad.jsonl", cwd=tmp_path).stderr
    assert told.startswith("The last line of bad.jsonl has no line break, so it counts as cut; ")
    assert told == run("export", "bad.jsonl", "-", cwd=tmp_path).stderr, "as by all that replays the whole of it"
    (tmp_path / "records").mkdir()
    assert_error("replay", "records", message="'records' is a folder; name a record in it\n", cwd=tmp_path)
    (tmp_path / "bad.jsonl").rename(tmp_path / "records" / "game-00002.jsonl")
    message = "'records' is a folder; name a record in it, as 'records/game-00002.jsonl'"
    assert_error("replay", "records", message=message, cwd=tmp_path)


def test_an_altered_forfeit_is_not_kept(tmp_path: Path) -> None:
    match = new_match("dominoes", "random", "random")
    with Recorder(tmp_path / "game.jsonl", match_header(match, ("random", "random"))) as recorder:
        recorder.write_match(match, islice(match.run(), 3))
        recorder.write_forfeit(Forfeit(seat=match.to_play, reason="went home"))
    whole = (tmp_path / "game.jsonl").read_bytes()
    (tmp_path / "bad.jsonl").write_bytes(whole.replace(b"went home", b"was rude"))
    told = run("replay", "bad.jsonl", "--keep", "kept.jsonl", cwd=tmp_path, code=1).stderr
    assert "diverges at the line 'forfeit' after turn 3: digest of line 5" in told
    assert (tmp_path / "kept.jsonl").read_bytes() == b"".join(whole.splitlines(keepends=True)[:4])
    told = json.loads(run("replay", "bad.jsonl", "--json", cwd=tmp_path, code=1).stdout)
    assert [told[key] for key in ("turns", "over", "winners", "forfeit")] == [3, False, [], None]
    (tmp_path / "cut.jsonl").write_bytes(b"".join(whole.splitlines(keepends=True)[:5]) + b'{"line":')
    run("replay", "cut.jsonl", "--keep", "forfeited.jsonl", cwd=tmp_path)
    assert b"".join(whole.splitlines(keepends=True)[:5]) in (tmp_path / "forfeited.jsonl").read_bytes(), "it is sound"


def test_simulate_as_text_json_and_picture_with_line_breaks_escaped(files: Path) -> None:
    words = run("simulate", "scene.json", "flick.json", cwd=files)
    assert "meets b" in words.stdout
    answer = json.loads(run("simulate", "scene.json", "flick.json", "--json", cwd=files).stdout)
    assert [event["what"] for event in answer["events"]][:2] == ["struck", "touched"]
    assert {piece["id"] for piece in answer["after"]["pieces"]} == {"a", "b"}
    run("simulate", "scene.json", "flick.json", "--png", "shot.png", cwd=files)
    assert (files / "shot.png").read_bytes().startswith(b"\x89PNG")
    for name, content in (("scene.json", SCENE), ("flick.json", FLICK)):
        (files / name).write_text(json.dumps(content).replace('"a"', r'"a\nflicksim: \u001b[31mwell"'))
    told = run("simulate", "scene.json", "flick.json", cwd=files).stdout
    assert r"a\nflicksim: \x1b[31mwell" in told
    assert not [line for line in told.splitlines() if line.strip("│ ").startswith("flicksim")]


def test_what_is_squidged_rests_on_the_surface_there_is() -> None:
    squidge = Squidge(piece="a", speed=1.0, azimuth=0.0, elevation=1.0)
    assert "and rests on the board" in squidge_summary(simulate(load_scene("draw"), squidge))


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("flick.json", json.dumps({**FLICK, "speed": -3}), "speed -3.0 m/s must be above 0"),
        ("flick.json", json.dumps({**FLICK, "speed": 1e6}), "speed 1000000.0 m/s"),
        ("flick.json", '{"piece": "a", "speed": NaN, "azimuth": 0}', "NaN"),
        ("flick.json", '{"piece": "a", "speed": 1e999, "azimuth": 0}', "out of range"),
        ("flick.json", json.dumps({**FLICK, "piece": "z"}), "no piece 'z'"),
        ("flick.json", json.dumps({**FLICK, "spede": 1}), "spede"),
        ("flick.json", json.dumps({**FLICK, "speed": "fast"}), '"fast"'),
        ("flick.json", "{", "truncated"),
        ("flick.json", "\n# a flick\n{}", "'flick.json' holds no shot: it begins with '# a flick'\n"),
        ("scene.json", "root:x:0:0", "'scene.json' holds no scene: it begins with 'root:x:0:0'\n"),
        ("flick.json", "", "it is empty"),
        ("scene.json", json.dumps({**SCENE, "pieces": SCENE["pieces"][:1] * 2}), "two pieces are called 'a'"),
        ("scene.json", json.dumps(SCENE).replace("0.04", "0.399"), "'a' and 'b' overlap by"),
        ("scene.json", json.dumps(SCENE).replace("0.04", "-0.04"), "off the surface"),
        ("scene.json", json.dumps(SCENE).replace('"bronze"', '"cheese"', 1), "cheese"),
        ("scene.json", json.dumps(SCENE).replace("0.00356", "-1", 1), "mass -1.0"),
        ("scene.json", json.dumps(SCENE).replace('"a"', '""', 1), "expected a text of length >= 1 at pieces[0].id"),
        ("scene.json", json.dumps(SCENE).replace('"id"', '"owner": 1e30, "id"', 1), "pieces[0].owner"),
        ("scene.json", '{"surface": 3}', "surface"),
    ],
)
def test_simulate_errors_quote_the_value(files: Path, name: str, text: str, says: str) -> None:
    (files / name).write_text(text)
    assert_error("simulate", "scene.json", "flick.json", message=says, cwd=files)


def test_a_file_without_a_position_is_refused_as_one(tmp_path: Path) -> None:
    (tmp_path / "passwd").write_text("root:x:0:0\n")
    for command in (("share", "passwd"), ("position", "passwd"), ("aim", "passwd", "potted")):
        assert_error(*command, message="'passwd' holds no position", cwd=tmp_path)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("rules", "chess"), "no game 'chess'"),
        (("match", "penny-white", "--games", "0"), "--games"),
        (("match", "penny-white", "--games", "1e3"), "a whole number\n"),
        (("match", "penny-white", "--games", "1_0"), "it must be a whole number\n"),
        (("analyse", "pile_of_three", "--seconds", "1_0"), "it must be a number\n"),
        (("match", "penny-white", "--resume"), "name them too: --record DIR"),
        (("match", "penny-white", "--seat", "human", "--seat", "random"), "'human'"),
        (("match", "penny-white", "-o", "pennies=99"), "pennies=99"),
        (("match", "penny-white", "-o", "ends=" + "[" * 5000), "option ends='[["),
        (("match", "penny-white", "-o", "ends=\udcff"), "letters that cannot be written"),
        (("match", "penny-white", "-o", "colour=red"), "no option 'colour'"),
        (("match", "penny-white", "-o", "ends"), "'ends' must be written name=value"),
        (("match", "penny-white", "-o", "ends=1", "-o", "ends=2"), "given twice"),
        (("match", "penny-white", "--seat", "bot:club"), "is for 2 players, not 1"),
        (("simulate",), "SCENE is missing, as in: flicksim simulate sample:draw"),
        (("aim", "sample:draw"), "GOAL is missing, as in: flicksim aim sample:draw "),
        (("play", "penny-white", "--seat", "bot:wizard", "--seat", "random"), "no grade 'wizard'"),
        (("play", "penny-white", "--seat", "human", "--seat", "random"), "needs a window"),
        (("play", "penny-white", "--seat", "random", "--seat", "random", "--record", "/no/such/x"), "'/no/such/x'"),
        (("replay", "nothing.jsonl"), "'nothing.jsonl'"),
        (("play", "--resume", "nothing.jsonl"), "'nothing.jsonl'"),
        (("simulate", "nothing.json", "nothing.json"), "'nothing.json'"),
        (("play", "ice", "--headless", *["--seat", "random"] * 7), "for 1 to 6 players, not 7"),
        (("play", "ice", "--headless", "--seat", "random", "--option", "table_mm=300,300"), "leaves no middle"),
        # TK-4f: a cut by one of three seats
        (("play", "tinkle", *["--seat", "random"] * 3, "--headless", "-o", "cut=500"), "cut=500"),
        (("replay", "nothing.jsonl", "--gif", "x.png"), "'x.png' is no name for a moving picture; call it 'x.gif'"),
        (("puzzles", "ice", "--out", "empty"), "'empty' is a file; name a folder, new or empty"),
        (("report", "empty"), "'empty' is a file; name a folder of results"),
        (("experiment", "pot-chance", "--out", "empty"), "'empty' is a file; choose a new or empty folder"),
        (("fly",), "fly"),
        (("--fast",), "--fast"),
    ],
)
def test_invalid_command_lines_are_refused(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    (tmp_path / "empty").touch()
    assert_error(*words, message=says, cwd=tmp_path)


def test_demo_without_a_display(tmp_path: Path) -> None:
    done = run(cwd=tmp_path)
    assert "No window:" in done.stderr
    assert "wins" in done.stdout or "shares" in done.stdout
    assert (tmp_path / "flicksim-demo.png").read_bytes().startswith(b"\x89PNG")


def test_single_game_is_recorded_to_a_file(tmp_path: Path) -> None:
    words = ("match", "dominoes", "--seat", "random", "--seat", "random", "-o", "rounds=1", "--record", "one.jsonl")
    assert_error(
        *words, message="'one.jsonl' is the name of a file, for one game; name a folder for 10 games", cwd=tmp_path
    )
    assert not (tmp_path / "one.jsonl").exists()
    run(*words, "--games", "1", cwd=tmp_path)
    run("replay", "one.jsonl", "--verify", cwd=tmp_path)
    again = run(*words, "--games", "1", cwd=tmp_path, code=2)
    assert again.stderr.startswith("flicksim: 'one.jsonl' exists; resume it"), "before a progress bar"
    record = (tmp_path / "one.jsonl").read_bytes()
    run(*words, "--games", "1", "--resume", cwd=tmp_path)
    assert (tmp_path / "one.jsonl").read_bytes() == record
    (tmp_path / "device.jsonl").symlink_to(os.devnull)
    for resume in ((), ("--resume",)):
        no_folder = "'device.jsonl' is a file; name a folder for the records"
        assert_error(*words[:-1], "device.jsonl", "--games", "1", *resume, message=no_folder, cwd=tmp_path)
    play = ("play", "dominoes", "--seat", "random", "--seat", "random", "--headless", "--record")
    assert_error(*play, "device.jsonl", message="'device.jsonl' exists; choose another name\n", cwd=tmp_path)


def test_records_of_a_match_are_refused_before_it_is_played(tmp_path: Path) -> None:
    """Nothing is played or written, whatever is wrong with the folder, and the message says what would be right."""
    words = ("match", "dominoes", "--seat", "random", "--seat", "random", "-o", "rounds=1", "--record")
    for folder in ("empty", "thesis", "match"):
        (tmp_path / folder).mkdir()
    (tmp_path / "thesis" / "thesis.tex").touch()
    (tmp_path / "match" / "game-00002.jsonl").write_text('{"line":"turn"}')
    (tmp_path / "notes").touch()
    before = sorted(tmp_path.rglob("*"))
    for rest, message in (
        (
            ("gone", "--resume"),
            "'gone' does not exist; name the folder of the match, or begin one without --resume (in Python",
        ),
        (("gone.jsonl", "--games", "1", "--resume"), "'gone.jsonl' does not exist; name the folder of the match"),
        (("empty", "--resume"), "'empty' holds no records to resume; name the folder of the match, or begin one"),
        (("thesis", "--resume"), "'thesis' holds no records to resume"),
        (("thesis",), "'thesis' holds 'thesis.tex' and no match; choose a new or empty folder"),
        (("match", "--resume"), "game-00002.jsonl' was altered after it was written: the line of its game"),
        (("notes",), "'notes' is a file; name a folder for the records, new or empty"),
        (("gone/one.jsonl", "--games", "1"), "the folder of 'gone/one.jsonl' does not exist; make 'gone' first"),
        (("gone/all",), "the folder of 'gone/all' does not exist; make 'gone' first"),
    ):
        assert_error(*words, *rest, message=message, cwd=tmp_path)
        assert sorted(tmp_path.rglob("*")) == before
    (tmp_path / "match" / "game-00002.jsonl").unlink()
    (tmp_path / "match" / ".DS_Store").touch()
    run(*words, "match", "--games", "2", cwd=tmp_path)
    (tmp_path / "match" / "game-00001.jsonl").unlink()
    second = (tmp_path / "match" / "game-00002.jsonl").read_bytes()
    (tmp_path / "match" / "game-00002.jsonl").write_bytes(b"")
    (tmp_path / "match" / "notes.txt").touch()
    said = run(*words, "match", "--games", "2", "--resume", cwd=tmp_path).stderr
    assert said.startswith("'match/game-00002.jsonl' is empty: its game begins anew\n")
    assert (tmp_path / "match" / "game-00002.jsonl").read_bytes() == second
    assert (tmp_path / "match" / "game-00001.jsonl").exists(), "beside records of the match other files may be"
    (tmp_path / "match" / "game-00002.jsonl").unlink()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "match" / "game-00002.jsonl")
        assert_error(*words, "match", "--games", "2", "--resume", message="it is a named pipe", cwd=tmp_path)
        (tmp_path / "match" / "game-00002.jsonl").unlink()
    (tmp_path / "match" / "game-00002.jsonl").write_bytes(second[:100])
    said = run(*words, "match", "--games", "2", "--resume", cwd=tmp_path).stderr
    assert said.startswith("'match/game-00002.jsonl' is cut in its first line: its game begins anew\n")
    assert (tmp_path / "match" / "game-00002.jsonl").read_bytes() == second
    said = run(*words, "match", "--games", "1", "--resume", cwd=tmp_path).stderr
    assert "'match' holds more games than 1; these are neither continued nor counted: game-00002.jsonl\n" in said
    other = (*words, "match", "--seed", "2", "--resume")
    assert_error(*other, message="'match/game-00001.jsonl' is of another match: seed 1 there, 2 here", cwd=tmp_path)


@pytest.mark.parametrize("jobs", few_then_long(["1", "2"], 1))
def test_ctrl_c_keeps_finished_games(tmp_path: Path, jobs: str) -> None:
    words = ("match", "dominoes", "--seat", "random", "--seat", "random", "-o", "rounds=40", "--games", "5000")
    words += ("--jobs", jobs, "--record", "kept", "--json")
    with begin(*words, cwd=tmp_path) as running:
        wait_until(lambda: len(list(tmp_path.glob("kept/game-*.jsonl"))) >= 3)
        running.send_signal(signal.SIGINT)
        answer, said = running.communicate(timeout=TIMEOUT)
    assert running.returncode == 1
    assert "Stopped after" in said
    assert "Traceback" not in said
    result = json.loads(answer)
    assert 1 <= result["games"] < 5000 == result["requested_games"]
    assert said.endswith("and the same command with --resume goes on.\n")
    kept = {path.name: path.read_bytes() for path in tmp_path.glob("kept/game-*.jsonl")}
    cut = [name for name, content in kept.items() if b'{"line":"end"' not in content]
    assert all(name in said for name in cut)
    assert (" unfinished" in said) == bool(cut)
    (first := tmp_path / "kept" / "game-00001.jsonl").unlink()
    with begin(*words, "--resume", cwd=tmp_path) as running:
        wait_until(first.exists)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=TIMEOUT)
    whole = [path.name for path in tmp_path.glob("kept/game-*.jsonl") if b'{"line":"end"' in path.read_bytes()]
    assert "Stopped after" in said
    assert whole
    assert not any(name in said for name in whole), "finished by the run before"
    done = run(*words, cwd=tmp_path, code=2)
    assert done.stderr.startswith("flicksim: 'kept' already holds records"), "before a progress bar"
    run("replay", "kept/game-00001.jsonl", "--verify", cwd=tmp_path)


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_ctrl_c_in_the_last_game_does_not_stop_a_match(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    safe_points = count(1)

    def interrupted() -> None:
        if next(safe_points) == 3:  # after the second game
            raise KeyboardInterrupt

    monkeypatch.setattr(workers, "check_interrupt", interrupted)
    bots = ("--seat", "random", "--seat", "bot:beginner")
    done = invoke(command, "dominoes", *bots, "--games", "2", "-o", "rounds=1", "--json")
    assert next(safe_points) == 4
    assert json.loads(done.stdout)["games"] == 2
    assert "Stopped" not in done.stderr


def test_ctrl_c_in_a_game_names_resume(tmp_path: Path) -> None:
    bots = ("--seat", "bot:expert", "--seat", "bot:expert")
    words = ("play", "penny-white", *bots, "--headless", "--record", "game.jsonl")
    with begin(*words, cwd=tmp_path) as running:
        record = tmp_path / "game.jsonl"
        wait_until(lambda: record.exists() and record.read_bytes().count(b"\n") >= 3)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=TIMEOUT)
    assert running.returncode == 1
    # A notice of the compiler may stand above it, where nothing is compiled yet.
    last = said.splitlines()[-1]
    assert last.startswith("Stopped after turn")
    assert "--resume game.jsonl" in last
    assert "Traceback" not in said
    run("replay", "game.jsonl", "--verify", cwd=tmp_path)


def in_shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell, in which FLICKSIM is this one."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""}  # buffered, as for users
    words = ["bash", "-c", line.replace("FLICKSIM", f"{sys.executable} -m flicksim")]
    return subprocess.run(words, capture_output=True, text=True, env=environment, timeout=TIMEOUT, check=False)


def test_closed_pipe_is_no_error() -> None:
    done = in_shell("set -o pipefail; FLICKSIM rules tiddlywinks | head -n 1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Tiddlywinks")


@pytest.mark.parametrize("words", ["--version", "--help", "games --json"])
def test_output_that_nobody_reads_is_no_error(words: str) -> None:
    done = in_shell(f"set -o pipefail; FLICKSIM {words} | true")
    assert (done.returncode, done.stderr) == (0, "")


def test_closed_input_is_empty() -> None:
    done = in_shell("FLICKSIM play dominoes --seat human --seat random --headless <&-")
    assert (done.returncode, done.stderr) == (1, "Stopped after turn 0.\n")
    assert "stdin cannot be read: it is empty" in in_shell("FLICKSIM import - game.jsonl <&-").stderr


def test_letters_that_the_encoding_of_the_output_lacks_are_escaped() -> None:
    done = in_shell("PYTHONIOENCODING=ascii FLICKSIM challenges penny-white/draw-30 --attempts 2")
    assert r" solved, \u2605" in done.stdout, done.stderr


@pytest.mark.parametrize("words", [("games",), ("--version",), ("--help",)])
def test_unwritable_output_is_an_error(words: tuple[str, ...], tmp_path: Path) -> None:
    with (Path("/dev/full") if Path("/dev/full").exists() else tmp_path / "closed").open("w") as full:
        if full.name != "/dev/full":
            return  # only Linux has a device that is always full
        done = subprocess.run(
            [sys.executable, "-m", "flicksim", *words],
            stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""}, timeout=TIMEOUT, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert "no space left" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_progress_that_cannot_be_written_loses_no_result(tmp_path: Path) -> None:
    done = in_shell("FLICKSIM match dominoes --games 2 --seat random --seat random 2>/dev/full")
    assert done.returncode == 0
    assert "Tiddly-Wink dominoes: 2 games, seed 1" in done.stdout
    done = in_shell(f"FLICKSIM experiment pot-chance --shots 20 --out {tmp_path}/out 2>/dev/full")
    assert done.returncode == 0
    assert "20 kept in" in done.stdout
    assert in_shell("FLICKSIM match nosuch 2>/dev/full").returncode == 2


def test_card_record_has_no_trajectory_and_resumes_by_its_seed(tmp_path: Path) -> None:
    words = ("play", "dominoes", "--seat", "random", "--seat", "random", "--headless", "--record", "tiles.jsonl")
    run(*words, cwd=tmp_path)
    assert_error("replay", "tiles.jsonl", "--png", "tiles.png", message="has no trajectory to draw", cwd=tmp_path)
    drawn = run("replay", "tiles.jsonl", "--gif", "turn.gif", "--turn", "2", cwd=tmp_path)
    assert [line for line in drawn.stdout.splitlines() if "pygame" not in line] == ["Drawn in turn.gif."]
    assert (tmp_path / "turn.gif").read_bytes().startswith(b"GIF8")
    assert_error("replay", "tiles.jsonl", "--gif", "turn.gif", message="'turn.gif' exists", cwd=tmp_path)
    assert_error("replay", "tiles.jsonl", "--gif", "x.gif", "--turn", "9999", message="turn 9999", cwd=tmp_path)
    assert_error("replay", "tiles.jsonl", "--gif", "x.png", message="call it 'x.gif'", cwd=tmp_path)
    assert_error("play", "--resume", "tiles.jsonl", "--seed", "3", message="has its own options, seed", cwd=tmp_path)


def test_mistyped_names_are_answered_with_close_ones() -> None:
    assert_error("nosuch", message="no command 'nosuch'; flicksim --help lists them")
    assert_error("repaly", message="did you mean 'replay'")
    assert_error("train", "nosuch", message="no task 'nosuch'; there are pot, squop, draw, dominoes, tinkle")
    assert_error("challenges", "nosuch", message="no challenge 'nosuch'; flicksim challenges lists them")
    assert_error("challenges", "drw-30", message="did you mean 'draw-30'")


@pytest.mark.parametrize("command", ["match", "tournament", "rules", "puzzles", "play"])
def test_a_missing_game_is_answered_with_all(command: str) -> None:
    assert_error(command, message="no game is named; there are penny-white, tiddlywinks, ice, dominoes, tinkle")


def test_the_list_of_games_tells_that_two_people_may_hold_two_colours_each() -> None:
    """TW-1a."""
    assert "2 or 4" in run("games").stdout


CALLER = """
import json, sys
for line, _ in zip(sys.stdin, range({turns})):
    print(json.dumps(json.loads(line)["actions"][0]), flush=True)
sys.exit("that is all I know")
"""


def caller(folder: Path, turns: int) -> str:
    """The seat of a program that knows so many moves."""
    (folder / "caller.py").write_text(CALLER.format(turns=turns))
    return f"cmd:{sys.executable} caller.py"


def test_program_game_is_recorded_resumed_and_verified(tmp_path: Path) -> None:
    seat = caller(tmp_path, 1000)
    seats = ("--seat", seat, "--seat", "random")
    words = ("play", "dominoes", *seats, "-o", "rounds=1", "--headless", "--record", "game.jsonl")
    run(*words, cwd=tmp_path)
    whole = (tmp_path / "game.jsonl").read_bytes()
    (tmp_path / "game.jsonl").write_bytes(whole[:-150])
    resume = ("play", "--resume", "game.jsonl", "--headless")
    why = f"starts a program; if you want that, give its seats too: --seat '{seat}'"
    assert_error(*resume, message=why, cwd=tmp_path)
    assert_error(*resume, "--seat", "random", "--seat", "random", message="starts a program", cwd=tmp_path)
    run(*resume, *seats, cwd=tmp_path)
    assert (tmp_path / "game.jsonl").read_bytes() == whole
    (tmp_path / "caller.py").unlink()
    run("replay", "game.jsonl", "--verify", cwd=tmp_path)


def test_failing_program_forfeits_with_a_message(tmp_path: Path) -> None:
    seats = ("--seat", "random", "--seat", caller(tmp_path, 2))
    done = run("play", "dominoes", *seats, "--headless", "--record", "game.jsonl", cwd=tmp_path)
    why = "ended with exit code 1 without an answer (that is all I know)"
    assert f"Bob forfeits: it {why}." in done.stdout
    assert "Ann (random): 0  wins" in done.stdout
    assert "that is all I know" not in done.stderr
    run("replay", "game.jsonl", "--verify", cwd=tmp_path)
    again = json.loads(run("replay", "game.jsonl", "--json", cwd=tmp_path).stdout)
    assert (again["over"], again["winners"], again["forfeit"]["says"]) == (True, [0], why)
    assert_error("play", "--resume", "game.jsonl", *seats, message="is finished", cwd=tmp_path)
    series = run("match", "dominoes", *seats, "--games", "2", cwd=tmp_path)
    assert f"forfeited 2 games; the first time it {why}." in series.stdout
    counted = json.loads(run("match", "dominoes", *seats, "--games", "2", "--json", cwd=tmp_path).stdout)
    assert [row["forfeits"] for row in counted["seats"]] == [0, 2]


def test_missing_program_is_refused(tmp_path: Path) -> None:
    seats = ("--seat", "cmd:./no-player --fast", "--seat", "random")
    for words in (("play", "dominoes", *seats, "--headless", "--record", "g.jsonl"), ("match", "dominoes", *seats)):
        assert_error(*words, message="no program './no-player'", cwd=tmp_path)
    assert_error("match", "dominoes", "--seat", "cmd:", message="no program after 'cmd:'", cwd=tmp_path)
    assert not (tmp_path / "g.jsonl").exists()


def test_resume_without_programs_refuses_other_seats(tmp_path: Path) -> None:
    seats = ("--seat", "random", "--seat", "random")
    run("play", "dominoes", *seats, "--headless", "--record", "tiles.jsonl", cwd=tmp_path)
    resume = ("play", "--resume", "tiles.jsonl")
    why = "'tiles.jsonl' has other seats; leave --seat out, or give: --seat random --seat random"
    assert_error(*resume, "--seat", "random", message=why, cwd=tmp_path)
    assert_error(*resume, *seats, message="is finished", cwd=tmp_path)
    run("play", "tiddlywinks", "-o", "seats=2", *seats, "--headless", "--record", "winks.jsonl", "--max-turns", "1",
        cwd=tmp_path)  # fmt: skip
    assert_error("play", "--resume", "winks.jsonl", *seats, message="is finished", cwd=tmp_path)


def test_a_launch_as_text_json_and_picture_needs_a_pyramid_scene(tmp_path: Path) -> None:
    done = run("simulate", LAUNCH_SCENE, LAUNCH, "--png", tmp_path / "launch.png")
    assert "leaves the launcher at" in done.stdout
    assert (tmp_path / "launch.png").read_bytes().startswith(b"\x89PNG")
    told = json.loads(run("simulate", LAUNCH_SCENE, LAUNCH, "--json").stdout)
    assert [piece["id"] for piece in told["after"]["pieces"]] == ["prop", "post", "missile"]
    rested = {event["piece"]: event["point"] for event in told["events"] if event["what"] == "lay"}
    at_rest = {piece["id"]: [piece["x"], piece["y"]] for piece in told["after"]["pieces"]}
    assert rested == {name: at_rest[name] for name in ("prop", "missile")}
    assert [track["id"] for track in told["tracks"]] == ["launcher", "prop", "missile"]
    told = json.loads(LAUNCH_SCENE.read_text())
    told["pieces"].append({**told["pieces"][1], "id": "twin", "x": 0.505})
    (tmp_path / "scene.json").write_text(json.dumps(told))
    assert_error("simulate", tmp_path / "scene.json", LAUNCH, message="'post' and 'twin' are 3.5 mm in one another")
    draw = assets_dir() / "scenes" / "draw.json"
    assert_error("simulate", draw, LAUNCH, message="it needs a table with pyramids")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"speed": 500}, "speed 500.0 m/s must be above 0 and at most 20"),
        ({"piece": "prop"}, "'prop' lies on the table; a missile to launch is in the hand"),
        ({"height": 0.03}, "height 30 mm must lie in 0 to 8 mm"),
        ({"slant": 0.2}, "slant 11.4592 degrees must lie in 45 to 85"),
        ({"lift": 1.0}, "lift 1000 mm must lie in 50 to 300 mm over the table"),
        ({"hold": [5000, 0]}, "hold (5000.0, 0.0) m must be finite and near the table"),
        ({"size": "tiny"}, "it may be large | medium | small"),
        ({"do": "flick"}, "is no launch; pyramids are launched"),
        ({"piece": "x" * 151}, "expected a text of length <= 150 at piece"),
        ({"owner": 100}, "expected a whole number <= 99 at owner (found 100)"),
    ],
)
def test_impossible_launch_is_refused(tmp_path: Path, change: dict[str, object], says: str) -> None:
    (tmp_path / "launch.json").write_text(json.dumps({**json.loads(LAUNCH.read_text()), **change}))
    assert_error("simulate", LAUNCH_SCENE, tmp_path / "launch.json", message=says)


def test_bench_pyramids_prints_its_tables() -> None:
    told = json.loads(run("bench", "pyramids", "--repeats", "3", "--json").stdout)
    sizes = [(size, 3) for size in ("small", "medium", "large") for _ in range(3)]
    assert [(row["size"], row["n"]) for row in told["launches"]] == 2 * sizes
    assert all(row["upright"] + row["side"] + row["leaning"] + row["off"] == 3 for row in told["launches"])
    assert [row["reference"] for row in told["throws"]] == [0.13, 0.1733, 0.07]


@pytest.mark.parametrize(("words", "kept"), [
    (("--seat", "human", "--seat", "bot:beginner"), ("human", "bot:beginner")),
    ((), ("human", "bot:club")),
    (("--seat", "human", "--seat", "cmd:cat"), ()),
])  # fmt: skip
def test_play_hands_its_seats_to_the_window(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    given: list[tuple[str, ...]] = []
    monkeypatch.setattr(gui, "display_unavailable_reason", lambda: None)
    monkeypatch.setattr(gui, "run", lambda *, seats, **_: given.append(seats) or 0)
    invoke("play", "penny-white", *words)
    assert given == [kept]

    def stopped(*, match: Match, **_: object) -> int:
        next(match.run())
        raise KeyboardInterrupt

    monkeypatch.setattr(gui, "run", stopped)
    bots = ("--seat", "random", "--seat", "random")
    told = invoke("play", "penny-white", *bots, code=1).stderr
    assert told == "Stopped after turn 1; go on in the window (`flicksim`), by Continue in its main menu.\n"


def test_a_window_stopped_by_ctrl_c_says_how_its_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(gui, "display_unavailable_reason", lambda: None)
    monkeypatch.setattr(gui, "run", interrupt)
    said = "flicksim: stopped; a game that is not over goes on by Continue in the main menu\n"
    assert invoke(code=1).stderr == said
