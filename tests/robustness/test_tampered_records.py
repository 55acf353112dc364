"""Tampered, truncated and older records."""

import json
from codecs import BOM_UTF8
from pathlib import Path

import pytest

from benchmarks import tampered_records
from flicksim.core.errors import FlicksimError, InvalidFile
from flicksim.games import load
from flicksim.games.penny_white.state import PlaceWhite
from flicksim.gui.match import saved_games
from flicksim.match import Recorder, append_to, match_header, read_record, require_untampered
from flicksim.scene import Flick
from tests.matches import new_match, replay_record, resume_record
from tests.robustness.command_answers import answer, verify

CARDS = "dominoes, finished"


def write_record(path: Path, text: bytes) -> Path:
    path.write_bytes(text)
    return path


def old(text: bytes) -> bytes:
    """The same record as format 1 had it: no digests, no hands, no end."""
    lines = tampered_records.lines_of(text)
    lines[0]["format"] = 1
    for line in lines:
        line.pop("chain")
        line.pop("hand", None)
    return tampered_records.text_of([line for line in lines if line["line"] != "end"])


@pytest.mark.parametrize("number", range(len(tampered_records.ALTERATIONS)), ids=list(tampered_records.ALTERATIONS))
def test_manual_edits_are_detected(number: int) -> None:
    found = tampered_records.run_trials(1, [number, number + 4 * len(tampered_records.ALTERATIONS)])
    assert found.findings == []
    assert found.total("records") == 2


@pytest.mark.parametrize("name", tampered_records.records())
def test_unaltered_record_is_intact(name: str, tmp_path: Path) -> None:
    text = tampered_records.records()[name]
    assert tampered_records.text_of(tampered_records.lines_of(text)) == text
    said = verify(write_record(tmp_path / "game.jsonl", text))
    assert ("not finished" in said.out) == name.endswith("unfinished")


def test_any_altered_byte_is_detected(tmp_path: Path) -> None:
    text = tampered_records.records()[CARDS]
    path = tmp_path / "game.jsonl"
    for at in range(0, len(text) - 1, 97):
        write_record(path, text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :])
        try:
            record = read_record(path)
        except InvalidFile:
            continue
        assert record.tampering is not None or record.is_truncated, at


@pytest.mark.parametrize(("mark", "line_end"), [(BOM_UTF8, b"\n"), (b"", b"\r\n")], ids=["mark", "CR LF"])
def test_byte_order_mark_and_line_ends_are_no_alteration(mark: bytes, line_end: bytes, tmp_path: Path) -> None:
    text = mark + tampered_records.records()["penny-white, finished"].replace(b"\n", line_end)
    path = write_record(tmp_path / "game.jsonl", text)
    assert "every ruling and every state is the same" in verify(path).out
    assert read_record(path).digest_chain is not None
    for cut in (1, len(line_end), 20):  # the last line, of the end
        write_record(path, text[:-cut])
        resume_record(replay_record(path))
        assert path.read_bytes() == text
    mixed = text.replace(line_end, b"\r\n" if line_end == b"\n" else b"\n", 2)  # one goes on as the last line does
    verify(write_record(path, mixed))
    write_record(path, mixed[:-20])
    resume_record(replay_record(path))
    assert path.read_bytes() == mixed
    verify(write_record(path, text.replace(b"white", b"black", 1)), code=1)
    verify(write_record(path, text.replace(line_end, b"\r\r\n", 1)), code=1)


def first_changed(lines: list[bytes], *pairs: tuple[bytes, bytes]) -> list[bytes]:
    head = lines[0]
    for old_word, new_word in pairs:
        assert old_word in head
        head = head.replace(old_word, new_word, 1)
    return [head, *lines[1:]]


TAMPERED = {
    "swapped": lambda lines: [lines[0], lines[2], lines[1], *lines[3:]],
    "left out": lambda lines: [*lines[:2], *lines[3:]],
    "twice": lambda lines: [*lines[:3], lines[2], *lines[3:]],
    "no line of a record": lambda lines: [*lines[:2], b"[]", *lines[2:]],
    "cut inside": lambda lines: [*lines[:2], lines[2][:50], *lines[3:]],
    "another record behind": lambda lines: lines + lines,
    "without its first": lambda lines: lines[1:],
    "an impossible seed": lambda lines: first_changed(lines, (b'"seed":', b'"seed":-')),
    "an impossible option": lambda lines: first_changed(lines, (b'"options":{', b'"options":{"no such":1,')),
    "no such game": lambda lines: first_changed(lines, (b'"dominoes"', b'"dominos"')),
    "no such seat": lambda lines: first_changed(lines, (b'"random"', b'"nobody"')),
    "another edition": lambda lines: first_changed(lines, (b'"edition":', b'"edition":9')),
    "an older format": lambda lines: first_changed(lines, (b'"format":2', b'"format":1')),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_altered_record_exits_with_1(how: str, tmp_path: Path) -> None:
    lines = TAMPERED[how](tampered_records.records()[CARDS].splitlines())
    path = write_record(tmp_path / "game.jsonl", b"".join(line + b"\n" for line in lines))
    verify(path, code=1)
    assert json.loads(verify(path, "--json", code=1).out)["same"] is False


@pytest.mark.parametrize("text", [b"", b"\n", b"[]\n", b'{"line":"game","format":3}\n', b'{"a":1}\n', b"\xff\n"])
def test_unreadable_record_exits_with_2(text: bytes, tmp_path: Path) -> None:
    verify(write_record(tmp_path / "game.jsonl", text), code=2)


def test_altered_header_is_named(tmp_path: Path) -> None:
    lines = tampered_records.records()[CARDS].splitlines(keepends=True)
    path = write_record(tmp_path / "game.jsonl", b"".join(first_changed(lines, (b'"seed":', b'"seed":1'))))
    said = verify(path, code=1).err
    assert "diverges at the header: digest of line 1 recorded as" in said
    assert "The header was altered: its digest does not tell in which field, so no turn can be kept.\n" in said
    write_record(path, b"".join(first_changed(lines, (b'"options":{', b'"options":{"no such":1,'))))
    said = verify(path, code=1).err
    assert f"{str(path)!r} was altered after it was written, in its header: dominoes has no option 'no such'" in said
    write_record(path, b"".join(first_changed(lines, (b'"edition":', b'"edition":9'))))
    said = verify(path, code=1).err
    assert "in its header: it was ruled by edition 9" in said
    assert said.count(str(path)) == 1


def test_altered_record_is_refused_everywhere(tmp_path: Path) -> None:
    text = tampered_records.records()["dominoes, unfinished"].replace(b'"random"', b'"human"', 1)
    path = write_record(tmp_path / "game.jsonl", text)
    with pytest.raises(InvalidFile, match="altered after it was written: the header: digest of line 1 recorded as"):
        require_untampered(read_record(path))
    with pytest.raises(InvalidFile, match="altered"):
        append_to(read_record(path))
    with pytest.raises(InvalidFile, match="cannot be gone on with"):
        saved_games.resume(path)
    answer("play", "--resume", path, "--headless", code=2)
    assert path.read_bytes() == text
    assert list(tmp_path.iterdir()) == [path]


def test_missing_end_line_is_added_on_resume(tmp_path: Path) -> None:
    game = load("dominoes")
    words = ["play", "dominoes", "-o", "rounds=1", "--seat", "random", "--seat", "random", "--headless"]
    path = tmp_path / "game.jsonl"
    answer(*words, "--record", path)
    whole = path.read_bytes()
    assert json.loads(whole.splitlines()[-1])["line"] == "end"
    write_record(path, whole[: whole.rindex(b'{"line":"end"') + 5])
    assert "not finished" in verify(path).out
    answer("play", "--resume", path, "--headless")
    assert path.read_bytes() == whole
    assert "is finished" in answer("play", "--resume", path, "--headless", code=2).err
    assert game.name == read_record(str(path)).header.game


def test_format_1_is_read_and_reported_as_unchained(tmp_path: Path) -> None:
    text = old(tampered_records.records()[CARDS])
    said = verify(write_record(tmp_path / "game.jsonl", text))
    assert "format 1, without digests" in said.out
    assert "not finished" not in said.out


def test_format_1_is_resumed_in_its_format(tmp_path: Path) -> None:
    path = write_record(tmp_path / "game.jsonl", old(tampered_records.records()["dominoes, unfinished"]))
    replay = replay_record(path)
    turns = replay.match.turns
    assert replay.divergence is None
    with append_to(replay.record, durable=False) as recorder:
        recorder.write_undo(len(turns) - 1)
        recorder.write_turn(turns[-1])
    assert b'"chain":"' not in path.read_bytes()
    assert len(read_record(path).turns) == len(turns)


def test_format_2_does_not_pass_as_format_1(tmp_path: Path) -> None:
    text = tampered_records.records()[CARDS].replace(b'"format":2', b'"format":1', 1)
    with pytest.raises(InvalidFile, match=r"line 1 of .* is of format 2, but says format 1: it was altered"):
        read_record(write_record(tmp_path / "game.jsonl", text))
    lines = old(tampered_records.records()[CARDS]).splitlines(keepends=True)
    lines[2] = tampered_records.records()[CARDS].splitlines(keepends=True)[2]
    with pytest.raises(
        InvalidFile, match=r"line 3 of .* is of format 2, but the first line says format 1: one of them"
    ):
        read_record(write_record(tmp_path / "game.jsonl", b"".join(lines)))


# -- what is made at people's seats ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "made",
    [
        {"do": "place_white", "y": 0.47},
        {"do": "flick", "piece": "red-1"},
        {"do": "flick", "start": [0.1, 0.47]},
        {"do": "blocked"},
    ],
    ids=["white placed", "piece", "start", "kind of action"],
)
def test_impossible_execution_is_detected_in_format_1(tmp_path: Path, made: dict) -> None:
    lines = tampered_records.lines_of(old(tampered_records.records()["penny-white, finished"]))
    person = next(line for line in lines if line["line"] == "turn" and line["seat"] == 0)
    person["made"] = {**person["made"], **made} if made["do"] == person["made"]["do"] else made
    path = write_record(tmp_path / "game.jsonl", tampered_records.text_of(lines))
    verify(path, code=1)
    with pytest.raises(InvalidFile, match="cannot be gone on with"):
        saved_games.resume(path)


def test_match_refuses_an_impossible_execution() -> None:
    match = new_match("penny-white", "human", "human")
    span = match.legal_actions().flicks[0]
    meant = Flick(piece=span.piece, speed=1.0, azimuth=1.6)
    for made in (PlaceWhite(y=0.5), Flick(piece=span.piece, speed=1.0, azimuth=1.6, start=(0.2, 0.3))):
        with pytest.raises(FlicksimError, match="cannot result from what was meant"):
            match.play(meant, made=made)
    assert match.turns == []
    assert match.play(meant, made=Flick(piece=span.piece, speed=1.1, azimuth=1.5)).made.speed == 1.1


def test_changed_grade_is_recorded(tmp_path: Path) -> None:
    """So what a person's hand made of an aim is held against that hand, whichever it was at that turn."""
    for name, expected in (
        ("penny-white, finished", {"club"}),
        (CARDS, {None}),
    ):  # decisions come out as they were meant
        lines = tampered_records.lines_of(tampered_records.records()[name])
        assert {line.get("hand") for line in lines if line["line"] == "turn" and line["seat"] == 0} == expected
    verify(write_record(tmp_path / "game.jsonl", tampered_records.records()["penny-white, finished"]))


def test_self_report_after_the_end_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    match = new_match("penny-white", "human", "human", seed=3, ends=1)
    with Recorder(path, match_header(match, ("human", "human")), durable=False) as recorder:
        while not match.is_over:
            recorder.write_turn(tampered_records.play_turn(match))
        recorder.write_turn(match.play(match.self_reports[0].action))
    kinds = [line["line"] for line in tampered_records.lines_of(path.read_bytes())]
    assert kinds[kinds.index("end") + 1] == "turn"
    assert ("not finished" in verify(path).out) == (not match.is_over)
