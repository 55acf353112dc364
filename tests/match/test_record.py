"""Records: writing, strict reading, exact replay, resuming after truncation."""

import json
import os
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from flicksim.core.errors import FileLocked, InvalidFile
from flicksim.games import load
from flicksim.match import (
    Match,
    Recorder,
    Replay,
    append_to,
    decode_share_code,
    encode_match,
    format_game,
    match_header,
    parse_game,
    read_record,
    turn_line,
)  # fmt: skip
from flicksim.referee import Reason
from tests.matches import new_match, record_match, replay_record, resume_record

SEATS = ("random", "bot:beginner")

begin = partial(new_match, "penny-white", *SEATS, seed=5, ends=2)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    record_match(path, "penny-white", *SEATS, seed=5, ends=2)
    return path


def test_record_replays_to_equal_states(whole: Path) -> None:
    replay = replay_record(whole)
    assert replay.divergence is None
    assert replay.match.is_over
    assert len(replay.match.turns) == len(replay.record.turns) > 10


@settings(max_examples=25, deadline=None)
@given(share=st.floats(0.0, 1.0))
def test_record_truncated_anywhere_resumes_to_equal_bytes(
    whole: Path, tmp_path_factory: pytest.TempPathFactory, share: float
) -> None:
    data = whole.read_bytes()
    first = data.index(b"\n") + 1
    at = first + int(share * (len(data) - first))
    path = tmp_path_factory.mktemp("cut") / "cut.jsonl"
    path.write_bytes(data[:at])
    replay = replay_record(path)
    assert replay.divergence is None
    after = data[:at].count(b"\n") - 1  # turns, and maybe the end
    assert len(replay.record.turns) == after - replay.record.is_complete
    resume_record(replay)
    assert path.read_bytes() == data


@pytest.mark.skipif(os.name == "nt", reason="files are locked by their path alone there")
def test_new_record_is_locked_under_any_path(tmp_path: Path) -> None:
    path, other = tmp_path / "game.jsonl", tmp_path / "other.jsonl"
    match = begin()
    with Recorder(path, match_header(match, SEATS)) as recorder:
        recorder.write_turn(match.play(match.ask_player()))
        other.hardlink_to(path)
        with pytest.raises(FileLocked, match="by another name"):
            append_to(read_record(other))
    append_to(read_record(other)).close()


def write_undone_turn(match: Match, recorder: Recorder) -> None:
    """Play and write three turns, the last of which is undone."""
    for _ in range(3):
        recorder.write_turn(match.play(match.ask_player()))
    match.undo()
    recorder.write_undo(len(match.turns))


def test_undone_turns_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "undo.jsonl"
    match = begin()
    with Recorder(path, match_header(match, SEATS)) as recorder:
        write_undone_turn(match, recorder)
        recorder.write_turn(match.play(match.ask_player()))
    replay = replay_record(path)
    assert replay.divergence is None
    assert len(replay.match.turns) == 3


def test_a_flick_that_was_undone_errs_otherwise_at_the_second_try(tmp_path: Path) -> None:
    path, match, made = tmp_path / "undo.jsonl", begin(), []
    with Recorder(path, match_header(match, SEATS)) as recorder:
        recorder.write_turn(match.play(match.ask_player()))
        action = match.ask_player()
        for _ in range(2):
            recorder.write_turn(match.play(action))
            made.append(match.turns[-1].made)
            match.undo()
            recorder.write_undo(1)
    for _ in range(2):
        again = replay_record(path)  # after the last undo
        made.append(again.match.execute(action))
        with append_to(again.record) as recorder:
            recorder.write_turn(again.match.play(action))
            recorder.write_turn(again.match.play(again.match.ask_player()))
            again.match.undo()
            again.match.undo()
            recorder.write_undo(1)
    assert len(set(made)) == 4
    again.match.play(action)
    shared = decode_share_code(encode_match(again.match))
    replayed = shared.open()
    list(shared.replay_turns(replayed))
    told, _ = parse_game(format_game(again.match, SEATS))
    for other in (replayed, told):
        assert turn_line(other.turns[-1]) == turn_line(again.match.turns[-1])
    with Recorder(tmp_path / "kept.jsonl", match_header(again.match, SEATS)) as recorder:
        for turn in again.match.turns:
            recorder.write_turn(turn)
    assert read_record(tmp_path / "kept.jsonl").undo_count == again.match.undo_count
    again.match.undo()  # which no turn tells
    replayed = decode_share_code(encode_match(again.match)).open()
    list(decode_share_code(encode_match(again.match)).replay_turns(replayed))
    told, _ = parse_game(format_game(again.match, SEATS))
    assert replayed.execute(action) == told.execute(action) == again.match.execute(action) not in made


def test_a_record_with_the_former_words_of_a_ruling_replays(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    match = new_match("dominoes", "random", "random", seed=5, rounds=1)
    with Recorder(path, match_header(match, ("random", "random"))) as recorder:
        for turn in match.run():
            reasons = tuple(
                Reason(reason.rule, reason.text.replace("The one agreed round is", "All 1 rounds are"))
                for reason in turn.verdict.reasons
            )
            recorder.write_turn(replace(turn, verdict=structs.replace(turn.verdict, reasons=reasons)))
    assert "All 1 rounds are played: " in path.read_text()
    assert replay_record(path).divergence is None


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("state", lambda _: "0" * 16),
        ("reasons", lambda _: ["PW-7a"]),
        ("points", lambda _: [5, 0]),
        ("made", lambda line: {**line["made"], "speed": line["made"]["speed"] * 1.001}),
        ("meant", lambda line: {**line["meant"], "azimuth": line["meant"]["azimuth"] + 0.001}),
        ("seat", lambda line: 1 - line["seat"]),
        ("verdict", lambda _: "All is well."),
    ],
)
def test_altered_record_diverges_at_its_turn(whole: Path, tmp_path: Path, field: str, change) -> None:
    lines = whole.read_text().splitlines()
    line = json.loads(lines[2])
    line[field] = change(line)
    lines[2] = json.dumps(line)
    path = tmp_path / "altered.jsonl"
    path.write_text("\n".join(lines) + "\n")
    divergence = replay_record(path).divergence
    assert divergence.turn == 2


@pytest.mark.parametrize(("kind", "sound"), [("undo", 3), ("end", None)])
def test_turns_before_an_altered_line_between_turns_are_sound(tmp_path: Path, kind: str, sound: int | None) -> None:
    path = tmp_path / "altered.jsonl"
    match = begin()
    with Recorder(path, match_header(match, SEATS)) as recorder:
        write_undone_turn(match, recorder)
        recorder.write_match(match, match.run())
    lines = path.read_text().splitlines()
    altered = next(k for k, line in enumerate(lines) if json.loads(line)["line"] == kind)
    lines[altered] = json.dumps({**json.loads(lines[altered]), "chain": "0" * 32}, separators=(",", ":"))
    path.write_text("\n".join(lines) + "\n")
    divergence = replay_record(path).divergence
    assert divergence.what == f"digest of line {altered + 1}"
    assert divergence.turn == (len(match.turns) if sound is None else sound) + 1


def write_altered(path: Path, lines: list[bytes]) -> Replay:
    """Write the lines of a record, and replay it."""
    path.write_bytes(b"".join(lines))
    return replay_record(path)


def test_turns_that_an_added_undo_takes_back_are_sound(whole: Path, tmp_path: Path) -> None:
    lines = whole.read_bytes().splitlines(keepends=True)
    turns = len(lines) - 2
    for left in (2, turns):
        replay = write_altered(tmp_path / "added.jsonl", [*lines, b'{"line":"undo","turns":%d}\n' % left])
        assert len(replay.record.turns) == left
        assert (replay.divergence.turn, replay.divergence.what) == (turns + 1, f"digest of line {len(lines) + 1}")
        assert len(replay.match.turns) == turns
        assert str(replay.divergence).startswith(
            f"the line 'undo' after turn {turns}: digest of line {len(lines) + 1} "
        )


def test_turns_after_an_undo_past_an_altered_line_are_not_sound(tmp_path: Path) -> None:
    path = tmp_path / "altered.jsonl"
    match = begin()
    with Recorder(path, match_header(match, SEATS)) as recorder:
        for _ in range(4):
            recorder.write_turn(match.play(match.ask_player()))
        while len(match.turns) > 1:
            match.undo()
        recorder.write_undo(1)
        recorder.write_match(match, match.run())
    lines = path.read_bytes().splitlines(keepends=True)
    altered = [*lines[:3], lines[3].replace(b'"chain":"', b'"chain":"0'), *lines[4:]]
    assert write_altered(path, altered).divergence.turn == 3  # of the first time
    altered[3] = lines[3].replace(b'"verdict":"', b'"verdict":"Not: ')
    replay = write_altered(path, altered)
    assert (replay.divergence.turn, replay.divergence.what) == (3, "verdict")


def test_turns_before_an_end_that_is_none_are_sound(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    match = begin()
    with Recorder(path, match_header(match, SEATS)) as recorder:
        recorder.write_turn(match.play(match.ask_player()))
        recorder.write_end()
    divergence = replay_record(path).divergence
    assert (divergence.what, divergence.turn) == ("end", 2)


def test_divergence_shows_differing_fields(whole: Path, tmp_path: Path) -> None:
    lines = whole.read_text().split("\n")
    turn = json.loads(lines[1])
    turn["made"]["speed"] = 1.25
    lines[1] = json.dumps(turn)
    path = tmp_path / "made.jsonl"
    path.write_text("\n".join(lines))
    replay = replay_record(path)
    assert replay.divergence.recorded == "speed=1.25"
    assert replay.divergence.replayed.startswith("speed=")


def test_altered_seed_is_detected_and_another_edition_refused(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "seed.jsonl"
    path.write_text(whole.read_text().replace('"seed":5', '"seed":6', 1))
    assert replay_record(path).divergence is not None
    path = tmp_path / "edition.jsonl"
    edition = load("penny-white").rules_version
    path.write_text(whole.read_text().replace(f'"edition":{edition}', '"edition":7', 1))
    with pytest.raises(InvalidFile, match="edition 7"):
        Replay(read_record(path), begin())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "it ends within its first line, so it holds no turn; delete it$"),
        ('{"line":"game","flicks', "it ends within its first line, so it holds no turn; delete it$"),
        ('{"line": "game", "format": 2}', "it ends within its first line"),
        ("my notes", "no flicksim record: its first line is 'my notes'$"),
        ("\x89PNG", "no flicksim record"),
        ('\n{"line":"game"}\n', "no flicksim record: its first line is blank$"),
        (" ", "no flicksim record: its first line is blank$"),
        *((f'{{"line":{tag}}}\n', "no flicksim record: its first line is ") for tag in ("[]", "{}", "7", "null")),
        ("{}\n", "no flicksim record"),
        ("\x00\x01\n", "no flicksim record"),
        ('{"line":' + "[" * 5000 + "]" * 5000 + "}\n", "no flicksim record"),
        ('{"line":"game","format":99,"flicksim":"9.0"}\n', "format 99, written by flicksim 9.0"),
        ('{"line":"game","format":1}\n', "required field"),
    ],
)
def test_non_record_is_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "no.jsonl"
    path.write_text(text)
    with pytest.raises(InvalidFile, match=says):
        read_record(path)


@pytest.mark.parametrize(
    ("kept", "problem"), [(slice(-20), "line 4 of"), (None, "turn 4 where turn 3 should be")], ids=["cut", "missing"]
)
def test_a_damaged_record_names_the_place(whole: Path, tmp_path: Path, kept: slice | None, problem: str) -> None:
    lines = whole.read_text().splitlines()
    lines[3:4] = [lines[3][kept]] if kept is not None else []
    for stem in ("broken", "b" * 248):  # with the longest, the name of the record to be kept has no room
        path = tmp_path / f"{stem}.jsonl"
        path.write_text("\n".join(lines) + "\n")
        with pytest.raises(InvalidFile, match=problem):
            read_record(path)


def test_new_record_never_overwrites_and_an_unwritable_path_is_named(whole: Path, tmp_path: Path) -> None:
    before = whole.read_bytes()
    with pytest.raises(InvalidFile, match="exists"):
        Recorder(whole, match_header(begin(), SEATS))
    assert whole.read_bytes() == before
    with pytest.raises(InvalidFile, match="nowhere"):
        Recorder(tmp_path / "nowhere" / "game.jsonl", match_header(begin(), SEATS))
    with pytest.raises(InvalidFile, match="that is a folder; name a file"):
        Recorder(tmp_path, match_header(begin(), SEATS))


def test_an_altered_tile_is_told_as_moves_are_written(tmp_path: Path) -> None:
    record_match(tmp_path / "game.jsonl", "dominoes", "random", "random", seed=3, turns=5)
    lines = (tmp_path / "game.jsonl").read_bytes().splitlines(keepends=True)
    move = b'"meant":{"do":"lay","end":"right","tile":"6-0"}'
    assert move in lines[2]
    for old, new, said in (
        (move, move.replace(b"6-0", b"6-3"), "action made recorded as 6-0 right, replayed as 6-3 right"),
        (b"6-0", b"5-4", "action recorded as 5-4 right, replayed as refused: "),
    ):
        (tmp_path / "bad.jsonl").write_bytes(b"".join([*lines[:2], lines[2].replace(old, new), *lines[3:]]))
        assert said in str(replay_record(tmp_path / "bad.jsonl").divergence)


def test_a_difference_from_nothing_says_so(whole: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in whole.read_bytes().splitlines()]
    for line in lines:
        line.pop("chain", None)
    lines[0]["format"], lines[1]["reasons"] = 1, []
    path = tmp_path / "game.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines if line["line"] != "end"))
    assert "reasons recorded as none, replayed as PW-" in str(replay_record(path).divergence)
