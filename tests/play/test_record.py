"""Records: written a line at a time, read strictly, replayed exactly, resumed after any cut."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flicksim.base.errors import BadFile, InUse
from flicksim.games import load
from flicksim.play import Recorder, Replay, go_on, header_of, open_match, parse_seat, read_record
from flicksim.referee import parse_options

SEATS = ("random", "bot:beginner")


def opened(seed: int = 5, ends: int = 2):
    game = load("penny-white")
    return open_match(game, parse_options(game, {"ends": ends}), [parse_seat(word) for word in SEATS], seed)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    match = opened()
    with Recorder(path, header_of(match, SEATS)) as recorder:
        for turn in match.run():
            recorder.turn(turn)
    return path


def replayed(path: Path) -> Replay:
    record = read_record(path)
    game = load(record.header.game)
    seats = [parse_seat(word) for word in record.header.seats]
    match = open_match(game, parse_options(game, record.header.options), seats, record.header.seed)
    replay = Replay(record, match)
    for _ in replay.run():
        pass
    return replay


def test_a_record_replays_to_the_same_states(whole: Path) -> None:
    replay = replayed(whole)
    assert replay.divergence is None
    assert replay.match.over
    assert len(replay.match.turns) == len(replay.record.turns) > 10


@settings(max_examples=25, deadline=None)
@given(share=st.floats(0.0, 1.0))
def test_a_record_cut_anywhere_resumes_at_its_last_whole_turn_and_ends_the_same(
    whole: Path, tmp_path_factory: pytest.TempPathFactory, share: float
) -> None:
    data = whole.read_bytes()
    first = data.index(b"\n") + 1
    at = first + int(share * (len(data) - first))
    path = tmp_path_factory.mktemp("cut") / "cut.jsonl"
    path.write_bytes(data[:at])
    replay = replayed(path)
    assert replay.divergence is None
    after = data[:at].count(b"\n") - 1  # turns, and maybe the end
    assert len(replay.record.turns) == after - replay.record.ended
    with go_on(replay.record, durable=False) as recorder:
        if replay.match.over and not replay.record.ended:
            recorder.end()
        for turn in replay.match.run():
            recorder.turn(turn)
    assert path.read_bytes() == data


@pytest.mark.skipif(os.name == "nt", reason="files are locked by their path alone there")
def test_a_new_record_is_locked_by_whatever_name(tmp_path: Path) -> None:
    path, other = tmp_path / "game.jsonl", tmp_path / "other.jsonl"
    match = opened()
    with Recorder(path, header_of(match, SEATS)) as recorder:
        recorder.turn(match.play(match.ask()))
        other.hardlink_to(path)
        with pytest.raises(InUse, match="by another name"):
            go_on(read_record(other))
    go_on(read_record(other)).close()


def test_undone_turns_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "undo.jsonl"
    match = opened()
    with Recorder(path, header_of(match, SEATS)) as recorder:
        for _ in range(3):
            recorder.turn(match.play(match.ask()))
        match.undo()
        recorder.undo(len(match.turns))
        recorder.turn(match.play(match.ask()))
    replay = replayed(path)
    assert replay.divergence is None
    assert len(replay.match.turns) == 3


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
def test_a_record_altered_by_hand_is_found_at_its_turn(whole: Path, tmp_path: Path, field: str, change) -> None:
    lines = whole.read_text().splitlines()
    line = json.loads(lines[2])
    line[field] = change(line)
    lines[2] = json.dumps(line)
    path = tmp_path / "altered.jsonl"
    path.write_text("\n".join(lines) + "\n")
    divergence = replayed(path).divergence
    assert divergence is not None
    assert divergence.turn == 2


def test_what_differs_in_a_long_action_is_told(whole: Path, tmp_path: Path) -> None:
    lines = whole.read_text().split("\n")
    turn = json.loads(lines[1])
    turn["made"]["speed"] = 1.25
    lines[1] = json.dumps(turn)
    path = tmp_path / "made.jsonl"
    path.write_text("\n".join(lines))
    replay = replayed(path)
    assert replay.divergence is not None
    assert replay.divergence.recorded == '{"speed":1.25}'
    assert replay.divergence.replayed.startswith('{"speed":')


def test_another_seed_in_the_header_is_found(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "seed.jsonl"
    path.write_text(whole.read_text().replace('"seed":5', '"seed":6', 1))
    assert replayed(path).divergence is not None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no whole first line"),
        ("{}\n", "no flicksim record"),
        ("\x00\x01\n", "no flicksim record"),
        ('{"line":' + "[" * 5000 + "]" * 5000 + "}\n", "no flicksim record"),
        ('{"line":"game","format":99,"flicksim":"9.0"}\n', "format 99, written by flicksim 9.0"),
        ('{"line":"game","format":1}\n', "required field"),
    ],
)
def test_what_is_no_record_is_refused_in_a_sentence(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "no.jsonl"
    path.write_text(text)
    with pytest.raises(BadFile, match=says):
        read_record(path)


def test_a_broken_line_inside_is_refused_by_number(whole: Path, tmp_path: Path) -> None:
    lines = whole.read_text().splitlines()
    lines[3] = lines[3][:-20]
    path = tmp_path / "broken.jsonl"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(BadFile, match="line 4 of"):
        read_record(path)


def test_a_missing_turn_is_refused(whole: Path, tmp_path: Path) -> None:
    lines = whole.read_text().splitlines()
    del lines[3]
    path = tmp_path / "gap.jsonl"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(BadFile, match="turn 4 where turn 3 should be"):
        read_record(path)


def test_another_edition_is_refused(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "edition.jsonl"
    edition = load("penny-white").edition
    path.write_text(whole.read_text().replace(f'"edition":{edition}', '"edition":7', 1))
    with pytest.raises(BadFile, match="edition 7"):
        replayed(path)


def test_a_new_record_never_overwrites(whole: Path) -> None:
    before = whole.read_bytes()
    with pytest.raises(BadFile, match="exists"):
        Recorder(whole, header_of(opened(), SEATS))
    assert whole.read_bytes() == before


def test_an_unwritable_place_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="nowhere"):
        Recorder(tmp_path / "nowhere" / "game.jsonl", header_of(opened(), SEATS))
