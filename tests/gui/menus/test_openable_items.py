"""Entries of the Open screen: what cannot be read is told in the language of the window."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from flicksim.core.errors import FlicksimError
from flicksim.games import load
from flicksim.gui.menus.openable_items import item_from_path, shared_item
from flicksim.gui.toolkit.translation import translate
from flicksim.match import Recorder, format_game, match_header, open_replay, read_record
from tests.matches import new_match, record_match

pytestmark = pytest.mark.usefixtures("untranslated")

ENGLISH = re.compile(r"\b(the|is|of|has|not|must|at|to|expected|found|line|field|missing)\b")
"""Words that no German sentence has."""


INPUT = re.compile(r"\(da steht .*\)|'[^']*'|/\S+|bei \S+|(Felder sind|möglich ist) .*")
"""Parts of a message that are quoted, not translated."""


def in_german(error: str) -> str:
    """The message in German, with no English word left in it."""
    german = translate(error)
    assert not ENGLISH.findall(INPUT.sub("", german)), german
    return german


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    record_match(path, "dominoes", "random", "random", seed=3, rounds=1)
    return path


def german_error(path: Path) -> str:
    """Messages of the Open screen in German of a file that cannot be read, or not be played again."""
    item = item_from_path(path)
    error = item.error or (item.text if item.sound_turns else "")
    if not error:
        with pytest.raises(FlicksimError) as raised:
            item.replay()
        error = str(raised.value)
    return in_german(error)


def test_a_blank_line_in_a_record_is_told_in_german(record: Path, tmp_path: Path) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    path = tmp_path / "blank line.jsonl"
    path.write_bytes(b"".join([*lines[:3], b"\n", *lines[3:]]))
    assert german_error(path) == (
        f"Zeile 4 von {str(path)!r} kann nicht gelesen werden: da steht nichts. Die Züge davor, 2 im Ganzen, lassen "
        "sich ansehen oder in einer neuen Partie weiterspielen; die Datei bleibt, wie sie ist."
    )


def test_the_list_marks_a_record_that_is_altered_or_damaged(record: Path, tmp_path: Path) -> None:
    path, lines = tmp_path / "game.jsonl", record.read_bytes().splitlines(keepends=True)
    moved = (
        lines[3].replace(b'"seat":0', b'"seat":2').replace(b'"seat":1', b'"seat":0').replace(b'"seat":2', b'"seat":1')
    )
    for line, mark in ((b"\n", "nach Zug 2 beschädigt"), (moved, "nach Zug 2 verändert")):
        path.write_bytes(b"".join([*lines[:3], line, *lines[4:]]))
        assert translate(item_from_path(path).title).split(" · ")[1].strip() == mark


def test_of_an_altered_record_with_a_program_nothing_is_offered(tmp_path: Path) -> None:
    """Gone on with, its game would start a program."""
    path, match = tmp_path / "game.jsonl", new_match("dominoes", "random", "random", seed=3, rounds=1)
    for word in ("random", "cmd:cat"):
        with Recorder(path, match_header(match, (word, "random")), durable=False) as recorder:
            for turn in match.turns or match.run():
                recorder.write_turn(turn)
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join([*lines[:3], b"\n", *lines[4:]]))
        item = item_from_path(path)
        assert (item.sound_turns, bool(item.error)) == ((2, False) if word == "random" else (0, True))
        path.unlink()


def altered(number: int, field: str, value: object) -> Callable[[list[str]], list[str]]:
    """Set a field of a line of a record; None takes it out."""

    def change(lines: list[str]) -> list[str]:
        fields = json.loads(lines[number])
        fields[field] = value
        if value is None:
            del fields[field]
        return [*lines[:number], json.dumps(fields), *lines[number + 1 :]]

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: ["", *lines],
        lambda lines: [*lines[:2], "   ", *lines[2:]],
        lambda lines: [*lines[:2], "{", *lines[2:]],
        lambda lines: [*lines[:2], lines[2] + "x", *lines[3:]],
        lambda lines: [lines[0], *lines[2:]],
        lambda lines: lines[1:],
        lambda lines: [*lines, lines[-1]],
        lambda lines: [*lines[:1], "[]"],
        altered(0, "format", 99),
        altered(0, "game", "chess"),
        altered(0, "edition", 99),
        altered(0, "seats", ["human"]),
        altered(0, "seed", "x"),
        altered(0, "new", 1),
        altered(0, "chain", "x"),
        altered(1, "line", "x"),
        altered(1, "seat", "x"),
        altered(1, "meant", None),
        altered(1, "new", 1),
        altered(1, "number", -1),
        altered(1, "points", 10**25),
    ],
)
def test_errors_of_records_are_german(record: Path, tmp_path: Path, change: Callable[[list[str]], list[str]]) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("".join(f"{line}\n" for line in change(record.read_text().splitlines())))
    assert german_error(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r'\[Game ".*', ""),
        (r'\[Game ".*', '[Game "chess"]'),
        (r'\[Game ".*', "[Game null]"),
        (r"\[Seats .*", '[Seats ["x"]]'),
        (r"\[Seed .*", "[Seed x]"),
        (r"\[Seed .*", '[Seed "x"]'),
        (r"\[Notation .*", "[Notation 99]"),
        (r"\[Result .*", '[Result "x"]'),
        (r"\[State .*", '[State "x"]'),
        (r"(?m)^1\. \S+", "1. Zed"),
        (r"(?m)^1\. ", "7. "),
        (r"(?m)^1\. ", ""),
    ],
)
def test_errors_of_games_as_text_are_german(record: Path, tmp_path: Path, old: str, new: str) -> None:
    read = read_record(record)
    replay, _ = open_replay(read)
    list(replay.run())
    path = tmp_path / "game.txt"
    text = format_game(replay.match, read.header.seats)
    path.write_text(re.sub(old, new, text, count=1))
    assert path.read_text() != text
    assert german_error(path)


@pytest.mark.parametrize(
    "text",
    [
        b"", b"{", b"[]", b"\xff\xfe", b"\x89PNG", b'{"title": 7}', b'{"zz": 1}',
        b'{"winks": [{"wink": "blue-9"}]}', b'{"winks": [{"wink": "blue-1"}]}', b'{"winks": 3}',
        b'{"winks": [{"wink": "blue-1", "at": [1e6, 0.0]}]}', b'{"hands": [["6-6"]], "to_play": 0}',
        b'{"hands": [["6-6"], ["9-9"]], "line": []}',
    ],
)  # fmt: skip
def test_errors_of_positions_are_german(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "position.json"
    path.write_bytes(text)
    assert german_error(path)


def test_errors_of_shared_texts_are_german() -> None:
    for text in ("", "hello", "flicksim9.abcdefgh", "flicksim1.abcdefgh"):
        assert in_german(shared_item(text).error)


def test_a_game_needs_its_edition() -> None:
    """Messages are found as sentences too, and sentences as messages."""
    game = load("dominoes").title
    message = f"the game was ruled by edition 9 of {game}; this flicksim has edition 1"
    assert translate(message).startswith("das Spiel folgte Ausgabe 9 von Tiddly-Wink-Domino")
    assert translate(f"{message.capitalize()[:1]}{message[1:]}.").startswith("Das Spiel folgte Ausgabe 9 von ")
