"""Malformed files: values that are too large, too long or not numbers give an error message in CLI and window."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pygame
import pytest

from flicksim.core import limits
from flicksim.core.errors import FlicksimError, InvalidFile, InvalidInput
from flicksim.core.paths import assets_dir
from flicksim.core.serialization import read_bytes, to_builtins
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.match import saved_games
from flicksim.gui.menus.open_files import OpenScreen
from flicksim.gui.startup import create_window
from flicksim.gui.toolkit.user_folders import next_free_path
from flicksim.match import read_record
from flicksim.scene.pyramid import SIZES, standard_shape
from tests.matches import record_match
from tests.robustness.command_answers import answer

POSITION = json.loads((assets_dir() / "positions" / "tiddlywinks" / "leaning_on_the_pot.json").read_text())


def refused(*words: str | Path) -> str:
    """Answer of the shell to it: one sentence, exit code 2."""
    return answer(*words, code=2).err


def read(*words: str | Path) -> str:
    return answer(*words).out


# -- positions ---------------------------------------------------------------------------------------------------------

CORRUPTIONS = [
    ({"tilt": 100}, "tilt 100.0 degrees of 'blue-3' must lie in 0 to 90"),
    ({"tilt": -1}, "must lie in 0 to 90"),
    ({"z": 3.0, "tilt": 5.0, "lean": 1e308}, "lean 1e+308 degrees of 'blue-3' must lie in -360 to 360"),
    ({"at": [1e300, 0.0]}, "at (1e+300, 0.0) mm of 'blue-3' must be finite"),
    ({"z": 1e300}, "z 1e+300 mm of 'blue-3' must lie in"),
]


@pytest.mark.parametrize(("slip", "says"), CORRUPTIONS)
def test_position_error_in_cli_and_window(tmp_path: Path, slip: dict[str, Any], says: str) -> None:
    file = tmp_path / "slip.json"
    file.write_text(json.dumps({**POSITION, "winks": [{**POSITION["winks"][0], **slip}]}))
    assert says in refused("position", file)
    app = create_window()
    screen = OpenScreen(app, discover_game_views())
    screen.handle(pygame.event.Event(pygame.DROPFILE, file=str(file)))
    assert says in screen.selected.error
    app.close()


def test_unprintable_title_is_escaped(tmp_path: Path) -> None:
    file = tmp_path / "title.json"
    file.write_text(json.dumps({**POSITION, "title": "left\ufeffright\u202e"}))
    assert r"left\ufeffright\u202e" in read("position", file)


@pytest.mark.parametrize(("field", "most"), [("title", 300), ("look", 10_000)])
def test_text_length_is_limited(tmp_path: Path, field: str, most: int) -> None:
    file = tmp_path / "long.json"
    file.write_text(json.dumps({**POSITION, field: "x" * (most + 1)}))
    assert f"length <= {most}" in refused("position", file)


# -- scenes and experiments --------------------------------------------------------------------------------------------


KIT = {size: to_builtins(standard_shape(size)) for size in SIZES}


@pytest.mark.parametrize(
    ("name", "key", "changes", "says"),
    [
        ("pot-chance", "flick", {"elevation": {"grid": [10**308]}}, "whole number of 30"),
        ("pot-chance", "flick", {"elevation": {"grid": [10**17]}}, "from -1e+15 to 1e+15"),
        ("pot-chance", "flick", {"elevation": {"uniform": [0, 1e300]}}, "from -1e+15 to 1e+15"),
        ("pot-chance", "flick", {"drag": 10**18}, "flick.drag 1000000000000000000 must be"),
        ("pot-chance", "settings", {"frame": 1e-9}, "output_interval 1e-09 must lie in 0.0001 to 10"),
        ("pot-chance", "settings", {"drag": 1e300}, "settings.drag_coefficient 1e+300 must be finite"),
        ("pot-chance", "settings", {"drag": -1e9}, "drag_coefficient -1000000000.0 must lie in 0 to 100"),
        ("pot-chance", "settings", {"rolling": -1}, "rolling_resistance -1.0 must lie in 0 to 0.01"),
        ("pot-chance", "settings", {"max_time": 1e9}, "max_time 1000000000.0 must lie in"),
        ("pot-chance", "hands", {"mine": {"speed": 1e300, "azimuth": 0}}, "of a hand must lie"),
        ("pyramids", "pyramids", {"kit": KIT | {"large": KIT["large"] | {"wall": 5e-324}}}, "must be 0.05 mm thick"),
    ],
)
def test_experiment_numbers_are_limited(
    tmp_path: Path, name: str, key: str, changes: dict[str, Any], says: str
) -> None:
    plain = tomllib.loads((assets_dir() / "experiments" / f"{name}.toml").read_text())
    plain[key] = plain.get(key, {}) | changes
    file = tmp_path / "altered.json"
    file.write_text(json.dumps(plain))
    assert says in refused("experiment", file, "--out", tmp_path / "results", "--shots", "1")
    assert not (tmp_path / "results").exists()


def test_coordinates_are_limited(tmp_path: Path) -> None:
    plain = json.loads((assets_dir() / "scenes" / "launch.json").read_text())
    plain["pieces"][0]["y"] = 1e16
    file = tmp_path / "far.json"
    file.write_text(json.dumps(plain))
    assert "must be finite and near" in refused("simulate", file, assets_dir() / "flicks" / "launch.json")


# -- what is read ------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
@pytest.mark.parametrize("words", [["position"], ["simulate"], ["replay"], ["play", "--headless", "--resume"]])
def test_endless_file_is_refused(words: list[str]) -> None:
    more = ["/dev/zero"] if words == ["simulate"] else []
    assert "'/dev/zero' is larger than" in refused(*words, "/dev/zero", *more)


def test_oversized_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "large"
    file.write_bytes(b"x" * 1001)
    assert len(read_bytes(file, 1001)) == 1001
    with pytest.raises(InvalidFile, match="larger than 1,000 bytes"):
        read_bytes(file, 1000)


def test_record_line_length_is_limited(tmp_path: Path) -> None:
    """Of the header and of every line after it, though nothing else be wrong with it."""
    file = tmp_path / "line.jsonl"
    record_match(file, "penny-white", "random", "random", turns=2)
    whole = file.read_bytes().splitlines()
    for number in (1, 2):
        padded = [*whole]
        padded[number - 1] += b" " * limits.MAX_LINE_BYTES
        file.write_bytes(b"\n".join(padded) + b"\n")
        with pytest.raises(FlicksimError, match=rf"line {number} of .* is longer than 1,000,000 bytes"):
            read_record(file)


def test_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    mark = b"\xef\xbb\xbf"
    position, asked = tmp_path / "p.json", tmp_path / "e.toml"
    position.write_bytes(mark + json.dumps(POSITION).encode())
    assert POSITION["title"] in read("position", position)
    asked.write_bytes(mark + (assets_dir() / "experiments" / "jack-hugging.toml").read_bytes())
    read("experiment", asked, "--out", tmp_path / "results", "--shots", "2")


def test_message_length_is_limited() -> None:
    assert len(str(InvalidInput("x" * 10**6))) <= limits.MAX_MESSAGE_LENGTH
    assert str(InvalidInput("short")) == "short"
    said = refused("play", "x" * 100_000)
    assert len(said) < limits.MAX_MESSAGE_LENGTH + 20


# -- names and streams -------------------------------------------------------------------------------------------------


def test_saved_files_with_odd_numbers_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLICKSIM_HOME", str(tmp_path))
    games = tmp_path / "data" / "games"
    games.mkdir(parents=True)
    for name in ("game-²².jsonl", "game-٣.jsonl", f"game-{'9' * 30}.jsonl", "done-x.jsonl"):
        (games / name).touch()
    assert saved_games.saved_records() == []
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for name in ("flicksim-²².png", f"flicksim-{'9' * 200}.png", "flicksim-0007.png"):
        (pictures / name).touch()
    assert next_free_path(pictures, "flicksim", ".png").name == "flicksim-0008.png"
    app = create_window()
    app.push(OpenScreen(app, discover_game_views()))
    app.save_screenshot()
    assert "flicksim-0008.png" in app.notice.text
    app.close()


@pytest.mark.skipif(os.name != "posix", reason="streams are closed otherwise there")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_stream_is_no_error(closed: str) -> None:
    done = subprocess.run(
        f"'{sys.executable}' -m flicksim games --json {closed}",
        shell=True,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stdout + done.stderr
