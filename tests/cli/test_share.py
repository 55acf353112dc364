"""Share codes on the command line."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from flicksim.core.errors import FlicksimError
from flicksim.core.paths import assets_dir
from flicksim.match import Match, read_record
from tests.cli_runner import invoke
from tests.matches import record_match


def said(*words: object) -> str:
    done = invoke(*words, code=None)
    if done.exception is not None:
        raise done.exception
    return done.stdout.strip()


def test_share_and_open_a_record(tmp_path: Path) -> None:
    record_match(tmp_path / "a.jsonl", "dominoes", "random", "random", seed=4, turns=5)
    text = said("share", tmp_path / "a.jsonl")
    assert text.startswith("flicksim1.")
    (tmp_path / "renamed").write_bytes((tmp_path / "a.jsonl").read_bytes())
    assert said("share", tmp_path / "renamed") == text
    (tmp_path / "renamed").write_bytes((tmp_path / "a.jsonl").read_bytes().split(b"\n", 1)[1])
    for command in ("share", "analyse"):
        with pytest.raises(FlicksimError, match=r"renamed' was altered .*: the line of its game, the first, is not th"):
            said(command, tmp_path / "renamed")
    told = said("share", tmp_path / "a.jsonl", "--out", tmp_path / "a.flicksim")
    assert told == f"The code is in {tmp_path / 'a.flicksim'}."
    assert json.loads(said("open", tmp_path / "a.flicksim", "--json"))["turns"] == 5
    for written in ("a.flicksim", "a.jsonl"):
        with pytest.raises(FlicksimError, match=rf"{written}' exists; choose another name"):
            said("share", tmp_path / "a.jsonl", "--out", tmp_path / written)
    (tmp_path / "cut.jsonl").write_bytes((tmp_path / "a.jsonl").read_bytes()[:-9])
    assert "so it counts as cut; whole turns: 4.\n" in invoke("share", tmp_path / "cut.jsonl").stderr
    said("open", text, "--record", tmp_path / "b.jsonl")
    with pytest.raises(FlicksimError, match=r"b.jsonl' exists; choose another name$"):
        said("open", text, "--record", tmp_path / "b.jsonl")
    with pytest.raises(
        FlicksimError, match=r"that is a folder.*; give a share code, as `flicksim share` prints it, a "
    ):
        said("open", tmp_path)
    assert read_record(tmp_path / "b.jsonl").turns[-1].state == read_record(tmp_path / "a.jsonl").turns[-1].state


def test_a_record_opens_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record_match(tmp_path / "a.jsonl", "dominoes", "random", "random", seed=4, turns=5)
    assert said("open", tmp_path / "a.jsonl") == said("replay", tmp_path / "a.jsonl")
    assert said("open", tmp_path / "a.jsonl", "--json") == said("replay", tmp_path / "a.jsonl", "--json")
    with pytest.raises(FlicksimError, match=r"a.jsonl' is a record already; leave --record out$"):
        said("open", tmp_path / "a.jsonl", "--record", tmp_path / "b.jsonl")
    shown = list[int]()
    monkeypatch.setattr("flicksim.gui.display_unavailable_reason", lambda: None)
    monkeypatch.setattr("flicksim.gui.run", lambda **shows: shown.append(len(shows["turns"])) or 0)
    assert said("open", tmp_path / "a.jsonl") == "", "the window shows it"
    assert shown == [5]


def test_a_position_is_played_in_the_window_and_kept_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*, match: Match, seats: tuple[str, ...], **_: object) -> int:
        assert seats == ("human",) * len(match.players)
        match.play(match.legal_actions().actions[0])
        raise KeyboardInterrupt

    text = said("share", "second_tile")
    monkeypatch.setattr("flicksim.gui.display_unavailable_reason", lambda: None)
    monkeypatch.setattr("flicksim.gui.run", stopped)
    told = invoke("open", text, code=1).stderr
    assert told == "Stopped after turn 1; go on in the window (`flicksim`), by Continue in its main menu.\n"


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="files of POSIX")
def test_record_from_a_pipe_is_read_once_and_named(tmp_path: Path) -> None:
    record_match(tmp_path / "a.jsonl", "dominoes", "random", "random", seed=4, turns=5)
    command = [sys.executable, "-m", "flicksim", "open", "/dev/stdin"]
    done = subprocess.run(command, input=(tmp_path / "a.jsonl").read_bytes(), capture_output=True, check=False)
    assert b"it is the record of a game, which `flicksim replay` shows" in done.stderr


def test_replay_prints_one_turn_in_full(tmp_path: Path) -> None:
    record_match(tmp_path / "a.jsonl", "dominoes", "random", "random", seed=4, turns=5)
    whole, third = (said("replay", tmp_path / "a.jsonl", *words) for words in (["--transcript"], ["--turn", 3]))
    head, *turns = (part.strip() for part in whole.split("\n\n"))
    assert third == f"{head}\n\n{turns[2]}"
    with pytest.raises(FlicksimError, match=r"turn 6 of '.*a.jsonl' is not there; it has 5$"):
        said("replay", tmp_path / "a.jsonl", "--turn", 6)
    lines = (tmp_path / "a.jsonl").read_bytes().splitlines(keepends=True)
    lines[4] = lines[4].replace(b'"state":"', b'"state":"f')
    (tmp_path / "altered.jsonl").write_bytes(b"".join(lines))
    done = invoke("replay", tmp_path / "altered.jsonl", "--turn", 3, code=1)
    assert done.stdout.strip() == third, "it is before the difference"
    assert "diverges at turn 4: state fingerprint" in done.stderr


def test_share_a_position(tmp_path: Path) -> None:
    text = said("share", assets_dir() / "positions" / "tiddlywinks" / "pile_of_three.json")
    assert json.loads(said("open", text, "--json"))["title"] == "A pile of three"
    assert said("share", "pile_of_three") == text
    with pytest.raises(FlicksimError, match="this is a position"):
        said("open", text, "--record", tmp_path / "c.jsonl")


def test_of_several_codes_the_first_is_opened_and_the_others_are_told(tmp_path: Path) -> None:
    codes = [said("share", name) for name in ("pile_of_three", "shut_out")]
    done = invoke("open", f"{codes[0]} and {codes[1]}, {codes[1]}", "--json")
    assert json.loads(done.stdout)["title"] == "A pile of three"
    assert done.stderr == "Only the first shared text is opened; one more follows it.\n"
    (tmp_path / "mail.txt").write_text("\n".join([*codes, codes[0] + "A"]))
    assert "2 more follow it" in invoke("open", tmp_path / "mail.txt", "--json").stderr
    assert invoke("open", f"{codes[0]} {codes[0]}", "--json").stderr == ""


def test_share_refuses_a_position_that_cannot_be_played_from(tmp_path: Path) -> None:
    """DO-B1: a tile is there once."""
    fields = json.loads((assets_dir() / "positions" / "dominoes" / "shut_out.json").read_bytes())
    fields["hands"][0].append(fields["hands"][1][0])
    (tmp_path / "twice.json").write_text(json.dumps(fields))
    with pytest.raises(FlicksimError, match=r"is in two places; each tile is there once \(DO-B1\)"):
        said("share", tmp_path / "twice.json")


@pytest.mark.parametrize("words", [("open", "flicksim1.AAA"), ("open", "/nowhere"), ("share", "/nowhere")])
def test_invalid_code_is_refused(words: tuple[str, ...]) -> None:
    with pytest.raises(FlicksimError):
        said(*words)


@pytest.mark.parametrize("word", ["garbage", "x" * 999, "flicksim1.AAA", ""])
def test_argument_that_is_no_code_is_quoted(word: str) -> None:
    with pytest.raises(FlicksimError, match=r"is neither a file nor a shared text|was cut short") as told:
        said("open", word)
    assert f"'{word[:40]}" in str(told.value)


def test_wrong_file_is_named(tmp_path: Path) -> None:
    text = tmp_path / "shared.txt"
    for content, wrong in (("hello", "'hello' is no shared position"), ("flicksim1.AAA", ".* was cut short")):
        text.write_text(content)
        with pytest.raises(FlicksimError, match=rf"^{re.escape(str(text))}: {wrong}"):
            said("open", text)
    picture = tmp_path / "shared.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\x00")
    with pytest.raises(FlicksimError, match=r"cannot be read: it is a picture \(PNG\)"):
        said("open", picture)
