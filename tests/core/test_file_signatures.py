"""Files of other types are named in errors."""

from pathlib import Path

import pytest

from flicksim.core.errors import FlicksimError, InvalidFile
from flicksim.core.file_signatures import identify_file
from flicksim.core.serialization import read_document
from flicksim.experiments import read_experiment
from flicksim.match import load_scene_by_name, load_shot, read_record
from tests.cli_runner import ROOT

OTHERS = {
    "a picture (PNG)": b"\x89PNG\r\n\x1a\n",
    "a picture (JPEG)": b"\xff\xd8\xff\xe0\x00\x10JFIF",
    "a ZIP archive": b"PK\x03\x04",
    "a compressed file (gzip)": b"\x1f\x8b\x08",
    "a database (SQLite)": b"SQLite format 3\0",
    "the record of a game, which `flicksim replay` shows (--window: the window)": b'{"line":"game","format":2}\n',
    "a game as text, of which `flicksim import` makes a record": b'\n[Notation "1"]\n',
    "a share code, which `flicksim open` opens": b"flicksim1.uLw9XHja\n",
    "empty": b" \n",
    "no text": b"\xd4\x00\x01\x02",
}


@pytest.mark.parametrize("what", OTHERS)
def test_other_file_types_are_named(what: str, tmp_path: Path) -> None:
    file = tmp_path / "given.json"
    file.write_bytes(OTHERS[what])
    for read in (
        read_document,
        lambda path: load_scene_by_name(str(path)),
        lambda path: load_shot(str(path)),
        read_experiment,
    ):
        with pytest.raises(InvalidFile) as text:
            read(file)
        assert str(text.value) == f"{file} cannot be read: it is {what}"


def test_a_picture_is_no_record_and_text_has_no_signature(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(OTHERS["a picture (PNG)"] + b"\n")
    with pytest.raises(InvalidFile, match=r"is no flicksim record: a picture \(PNG\)"):
        read_record(file)
    long = "ü" * 600  # a letter of two bytes lies across the end of what is looked at
    for text in ("{}", "a = 1", long, "x" + long):
        assert identify_file(text.encode()) == ""


def test_shipped_files_have_their_types() -> None:
    for file in sorted((ROOT / "assets" / "positions").rglob("*.json")):
        try:
            assert read_document(file)
        except FlicksimError as wrong:
            pytest.fail(str(wrong))
