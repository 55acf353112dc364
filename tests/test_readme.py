"""The README is held to its word."""

from __future__ import annotations

import doctest
import json
import re
import sys
from pathlib import Path

import pytest

from flicksim.base.codec import from_json
from flicksim.games import load, names
from flicksim.games.tiddlywinks.position import Position, state_of
from flicksim.physics import settle
from flicksim.play import open_match, parse_seat
from flicksim.referee import parse_options
from flicksim.table import Flick, Scene, Squidge, samples

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "README.md").read_text()


def test_its_python_sessions_run_as_printed() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0


def test_its_first_json_blocks_are_a_scene_and_a_flick_that_settle() -> None:
    scene, flick = re.findall(r"```json\n(.*?)```", TEXT, re.S)[:2]
    motion = settle(from_json(scene, Scene).checked(), from_json(flick, Flick))
    assert motion.settled


def example() -> str:
    """The program that is to sit down, as it stands there."""
    program = next(block for block in re.findall(r"```python\n(.*?)```", TEXT, re.S) if ">>>" not in block)
    assert len(program.splitlines()) == 12
    return program


@pytest.mark.parametrize("name", names())
def test_its_program_of_twelve_lines_plays(name: str, tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text(example())
    seat = parse_seat(f"cmd:{sys.executable} {tmp_path / 'player.py'}")
    game = load(name)
    short = {"penny-white": {"ends": 1}, "dominoes": {"rounds": 2}, "tinkle": {"max_turns": 5}}.get(name, {})
    match = open_match(game, parse_options(game, short), [seat] * game.seats[0], 1)
    for turn in match.run():
        if turn.number == 60:
            break
    match.close()
    assert match.forfeit is None
    assert len(match.turns) == 60 or match.winners


def test_its_next_json_blocks_are_the_shipped_squidge_and_it_pots() -> None:
    scene, squidge = re.findall(r"```json\n(.*?)```", TEXT, re.S)[2:4]
    for folder, kind, block in (("scenes", Scene, scene), ("flicks", Squidge, squidge)):
        shipped = (ROOT / "assets" / folder / "squidge.json").read_text()
        assert from_json(shipped, kind) == from_json(block, kind)
        assert shipped == json.dumps(json.loads(shipped), indent=1) + "\n"
    motion = settle(from_json(scene, Scene).checked(), from_json(squidge, Squidge))
    assert motion.after.piece("red-3").support == "pot"


def test_its_position_can_be_played_from() -> None:
    position = from_json(re.findall(r"```json\n(.*?)```", TEXT, re.S)[4], Position)
    assert position.problems() == []
    assert state_of(position).book.potted == ("red-1",)


def test_its_two_commands_stand_each_on_one_line() -> None:
    commands = re.findall(r"```sh\n(.*?)```", TEXT, re.S)
    assert len(commands) >= 2
    assert all(command.count("\n") == 1 and command.startswith("python3 -m venv") for command in commands[:2])


def test_its_pictures_are_there() -> None:
    pictures = re.findall(r"!\[[^]]*\]\(([^)]*)\)", TEXT)
    assert pictures
    assert all((ROOT / picture).is_file() for picture in pictures)


@pytest.mark.parametrize(
    "name", [path.stem for path in sorted((ROOT / "assets" / "scenes").glob("*.json")) if path.stem != "squidge"]
)
def test_shipped_scenes_are_the_samples_of_that_name(name: str) -> None:
    scene, flick = samples.launch() if name == "launch" else samples.sample(name)
    for folder, kind, thing in (("scenes", type(scene), scene), ("flicks", type(flick), flick)):
        path = ROOT / "assets" / folder / f"{name}.json"
        assert from_json(path.read_bytes(), kind) == thing
        assert path.read_text() == json.dumps(json.loads(path.read_text()), indent=1) + "\n"


def test_its_sixth_game_is_the_one_that_is_tested() -> None:
    game = re.findall(r"```python\n(.*?)```", TEXT, re.S)[-1]
    assert game == (ROOT / "tests" / "games" / "sixth" / "shove" / "__init__.py").read_text()
