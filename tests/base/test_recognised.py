"""Files taken for one another are told by name, with no parser's words."""

from __future__ import annotations

from pathlib import Path

import pytest

from flicksim.base.codec import read_notation
from flicksim.base.errors import BadFile, FlicksimError
from flicksim.base.recognised import recognised
from flicksim.lab import read_experiment
from flicksim.play import read_record, scene_named, shot_named
from tests.shell import ROOT

OTHERS = {
    "a picture (PNG)": b"\x89PNG\r\n\x1a\n",
    "a picture (JPEG)": b"\xff\xd8\xff\xe0\x00\x10JFIF",
    "a ZIP archive": b"PK\x03\x04",
    "a compressed file (gzip)": b"\x1f\x8b\x08",
    "a database (SQLite)": b"SQLite format 3\0",
    "the record of a game": b'{"line":"game","format":2}\n{"line":"turn"}\n',
    "empty": b" \n",
    "no text": b"\xd4\x00\x01\x02",
}


@pytest.mark.parametrize("what", OTHERS)
def test_what_is_no_notation_is_told_by_name(what: str, tmp_path: Path) -> None:
    file = tmp_path / "given.json"
    file.write_bytes(OTHERS[what])
    for read in (
        read_notation,
        lambda path: scene_named(str(path)),
        lambda path: shot_named(str(path)),
        read_experiment,
    ):
        with pytest.raises(BadFile) as said:
            read(file)
        assert str(said.value) == f"{file} cannot be read: it is {what}"


def test_a_picture_is_no_record(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(OTHERS["a picture (PNG)"] + b"\n")
    with pytest.raises(BadFile, match=r"is no flicksim record: a picture \(PNG\)"):
        read_record(file)


def test_text_is_left_to_whoever_reads_it() -> None:
    long = "ü" * 600  # a letter of two bytes lies across the end of what is looked at
    for text in ("{}", "a = 1", long, "x" + long):
        assert recognised(text.encode()) == ""


def test_shipped_files_are_what_they_are() -> None:
    for file in sorted((ROOT / "assets" / "positions").rglob("*.json")):
        try:
            assert read_notation(file)
        except FlicksimError as wrong:
            pytest.fail(str(wrong))
