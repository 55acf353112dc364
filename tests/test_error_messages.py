"""Errors in what was typed are told by its path, its field, its unit, and in one line."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest

from flicksim import load_scene
from flicksim.core.errors import FlicksimError, InvalidFile, InvalidInput, InvalidOption, InvalidScene
from flicksim.core.serialization import from_json, read_bytes
from flicksim.match import parse_seat
from flicksim.scene import Flick, Scene, Squidge
from tests.cli.test_cli import FLICK, SCENE
from tests.cli_runner import invoke
from tests.polling import TIMEOUT


def said(*words: object) -> str:
    """The sentence a command ends with."""
    done = invoke(*[str(word) for word in words], code=None)
    assert isinstance(done.exception, FlicksimError), done.output
    return str(done.exception)


def test_a_person_cannot_answer_in_json() -> None:
    words = ("play", "penny-white", "--seat", "human", "--seat", "random", "--headless", "--json")
    assert said(*words).startswith("a human seat cannot answer in --json")


def test_paths_are_told_as_typed(tmp_path: Path) -> None:
    (tmp_path / "flick.json").write_text(json.dumps(FLICK))
    (tmp_path / "mine").touch()
    assert said("simulate", "missing", tmp_path / "flick.json").startswith(
        "no scene file and no position 'missing'; positions"
    )
    assert said("position", "/dev/null") == "/dev/null cannot be read: it is empty"
    assert said("experiment", tmp_path, "--out", tmp_path / "out").startswith(f"{str(tmp_path)!r} is a folder; name")
    told = said("report", tmp_path)
    assert told.endswith("and no experiment; name a folder of results, as an experiment writes it")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b'{"do": "explode", "piece": "a"}', '(found "explode"); it may be flick | squidge'),
        (b'{"piece": "\xe4"}', "can't decode byte 0xe4 in position 11: invalid continuation byte"),
        (b'{"do": "flick", "speed": 1e999}', "number out of range at speed (found 1e999)"),
    ],
)
def test_a_flick_is_told_what_is_wrong_and_where(text: bytes, says: str) -> None:
    with pytest.raises(InvalidInput) as wrong:
        from_json(text, Flick | Squidge if b"explode" in text else dict)  # type: ignore[arg-type]
    assert says in str(wrong.value)


def test_bytes_that_are_no_text_are_placed_by_whichever_error_they_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(msgspec.json, "decode", Mock(side_effect=msgspec.DecodeError("Invalid UTF-8 encoded string")))
    with pytest.raises(InvalidInput, match="can't decode byte 0xe4 in position 11: invalid continuation byte"):
        from_json(b'{"piece": "\xe4"}', dict)


def test_numbers_out_of_range_are_told_by_their_place() -> None:
    text = json.dumps(SCENE).replace("0.4", "1e999")
    for kind in (Scene, dict):
        with pytest.raises(InvalidInput, match=r" at pieces\[1\]\.y \("):
            from_json(text, kind)


@pytest.mark.parametrize("word", ["bot:world/", "bot:/world", "bot:world@", "bot:@calm", "cmd/:true", "cmd@:true"])
def test_a_seat_that_breaks_off_is_none(word: str) -> None:
    with pytest.raises(InvalidOption):
        parse_seat(word)


def test_a_sentence_is_one_line() -> None:
    assert str(InvalidInput("seat 'cmd:a\nb\x1b[2J'")) == "seat 'cmd:a\\nb\\x1b[2J'"


def test_help_has_a_short_name() -> None:
    assert "Simulate a flick, squidge or launch of a scene" in invoke("simulate", "-h").stdout


def test_a_scene_that_cannot_be_is_told_by_its_file(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(SCENE).replace("0.4", "0.05"))
    with pytest.raises(InvalidScene) as wrong:
        load_scene(path)
    assert str(wrong.value) == f"{path}: {'; '.join(wrong.value.problems)}"
    assert str(pickle.loads(pickle.dumps(wrong.value))) == str(wrong.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_refused_where_it_is_read_twice() -> None:
    for command in ("share", "analyse", "position"):
        end, begin = os.pipe()
        os.write(begin, b'{"line":"game"}')
        os.close(begin)
        path = f"/dev/fd/{end}"
        assert said(command, path) == f"cannot read {path!r}: it is a pipe, which can be read only once; name a file"
        os.close(end)
        assert said(command, "x" * 300).startswith("cannot read 'xxx"), "a name too long to be asked for"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_named_pipe_is_not_waited_for_and_one_of_the_shell_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for name in ("pipe", "link"):
        with pytest.raises(InvalidFile, match="it is a named pipe, which may wait for ever; name a file"):
            read_bytes(tmp_path / name)
    (tmp_path / "scene.json").write_text(json.dumps(SCENE))
    (tmp_path / "flick.json").write_text(json.dumps(FLICK))
    line = f"{sys.executable} -m flicksim simulate <(cat scene.json) <(cat flick.json) --json"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    words = ["bash", "-c", line]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, timeout=TIMEOUT, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["settled"]
