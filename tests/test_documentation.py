"""Tests of the documentation: examples run, commands parse, links resolve, lines are short."""

import doctest
import json
import re
import shlex
from itertools import product
from pathlib import Path

import pytest
from typer.main import get_command

from flicksim.cli import app
from flicksim.cli.commands import COMMANDS
from flicksim.core.serialization import from_json
from flicksim.engine import simulate
from flicksim.games import load, names
from flicksim.games.tiddlywinks.position import Position, to_state
from flicksim.match import position_notation
from flicksim.scene import DEFAULT_PAIRINGS, Flick, Launch, Scene, Squidge, samples
from tests.cli_runner import run
from tests.match.example_programs import seat
from tests.matches import new_match

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "flicksim").rglob("*.md")), ROOT / "benchmarks" / "README.md"]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]


def text(page: str) -> str:
    """Text of a page, by its path."""
    return (ROOT / page).read_text()


def blocks(page: str, kind: str) -> list[str]:
    """Code blocks of a language on a page."""
    return re.findall(rf"^```{kind}\n(.*?)^```", text(page), re.S | re.M)


def commands(page: str) -> list[str]:
    """Complete `flicksim` commands on a page; those with placeholders in capitals are left out."""
    written = text(page)
    lines = [line for block in re.findall(r"^```sh\n(.*?)^```", written, re.S | re.M) for line in block.splitlines()]
    prose = re.sub(r"^```.*?^```", "", written, flags=re.S | re.M)
    lines += [span.replace("\n", " ") for span in re.findall(r"`(flicksim [^`]*)`", prose)]
    return [line for line in lines if line.startswith("flicksim ") and not re.search(r"\.\.\.|\b[A-Z]{2,}\b", line)]


def test_the_first_page_is_one_page_and_its_commands_stand_each_on_one_line() -> None:
    assert len(README.read_text().splitlines()) <= 160
    two = blocks("README.md", "sh")[:2]
    assert all(command.count("\n") == 1 and command.startswith("python3 -m venv") for command in two)


@pytest.mark.parametrize("page", [page for page in NAMES if page != "flicksim/engine/README.md"])
def test_lines_of_prose_are_as_long_as_lines_of_code_at_most(page: str) -> None:
    """Rows of tables and pictures stand on one line each."""
    prose = re.sub(r"^```.*?^```", "", text(page), flags=re.S | re.M).splitlines()
    assert [line for line in prose if len(line) > 120 and not line.startswith(("|", "<img", "!["))] == []


@pytest.mark.parametrize("page", NAMES)
def test_python_sessions_run_as_printed(page: str) -> None:
    assert doctest.testfile(str(ROOT / page), module_relative=False).failed == 0


def test_there_are_sessions_on_the_main_pages_and_the_analysis_is_shown() -> None:
    for page in ("README.md", "flicksim/experiments/README.md", "flicksim/envs/README.md"):
        assert ">>> " in text(page)
    assert any("$ flicksim analyse " in block for block in blocks("flicksim/cli/README.md", "console"))


@pytest.mark.parametrize("page", NAMES)
def test_commands_are_spelt_as_the_shell_knows_them(page: str) -> None:
    shell = get_command(app)
    for line in commands(page):
        name, *words = shlex.split(line)[1:]
        if not name.startswith("-"):
            assert name in COMMANDS, line
        if not words:
            continue
        # parse the arguments without running the command
        group = shell.make_context("flicksim", [name, *words])
        shell.get_command(group, name).make_context(name, words, parent=group)


@pytest.mark.long
def test_commands_of_the_first_page_run(tmp_path: Path) -> None:
    quick = r"flicksim (rules|position|simulate|play dominoes|replay|analyse) "
    lines = [line for line in commands("README.md") if re.match(quick, line)]
    assert len(lines) == 6
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    for line in lines:
        assert run(*shlex.split(line)[1:], cwd=tmp_path).stdout


@pytest.mark.parametrize("page", [page for page in NAMES if blocks(page, "console")])
def test_sessions_at_the_shell_answer_as_printed(page: str, tmp_path: Path) -> None:
    """Each line after a $ is run in order in a temporary folder; the lines after it are its whole output."""
    for block in blocks(page, "console"):
        for session in re.split(r"^\$ ", block, flags=re.M)[1:]:
            line, _, printed = session.partition("\n")
            done = run(*shlex.split(line.removeprefix("flicksim ")), cwd=tmp_path)
            assert [line.rstrip() for line in done.stdout.splitlines()] == printed.splitlines()


@pytest.mark.parametrize("page", NAMES)
def test_what_is_linked_and_shown_is_there(page: str) -> None:
    found = re.findall(r"\]\(([^)#]+)\)|src=\"([^\"]+)\"", text(page))
    for target in (first or second for first, second in found):
        assert target.startswith("https://") or (ROOT / page).parent.joinpath(target).exists(), target


def test_the_first_page_leads_to_all_others() -> None:
    linked = {(ROOT / target).resolve() for target in re.findall(r"\]\(([^)]+\.md)\)", README.read_text())}
    assert linked == set(PAGES) - {README}


def test_a_scene_and_a_flick_as_printed_settle_and_a_launch_is_one() -> None:
    scene, flick = blocks("flicksim/scene/README.md", "json")[:2]
    trajectory = simulate(from_json(scene, Scene).validated(), from_json(flick, Flick))
    assert trajectory.settled
    assert from_json(blocks("flicksim/scene/README.md", "json")[4], Launch).size == "small"


def test_the_table_of_materials_holds_all_pairings_with_their_values() -> None:
    told = {}
    for row in re.findall(r"^\| (`.*) \|$", text("flicksim/engine/README.md"), re.M):
        pieces, against, friction, restitution = (re.findall(r"[\w.]+", cell) for cell in row.split(" | "))
        for (i, one), (k, other) in product(enumerate(pieces), enumerate(against)):
            at = k if len(against) > 1 else i
            values = tuple(float(cell[at % len(cell)]) for cell in (friction, restitution))  # one number for all
            told["|".join(sorted((one, other)))] = values
    assert told == {pair: (of.friction, of.restitution) for pair, of in DEFAULT_PAIRINGS.pairs.items()}
    assert {of.yield_speed for pair, of in DEFAULT_PAIRINGS.pairs.items() if of.yield_speed} == {2.0}


@pytest.mark.parametrize("name", names())
def test_the_program_of_twelve_lines_plays(name: str, tmp_path: Path) -> None:
    (program,) = blocks("flicksim/ai/README.md", "python")
    assert len(program.splitlines()) == 12
    short = {"penny-white": {"ends": 1}, "dominoes": {"rounds": 2}, "tinkle": {"max_turns": 5}}.get(name, {})
    match = new_match(name, *[seat(tmp_path, program)] * load(name).seats[0], **short)
    for turn in match.run():
        if turn.number == 60:
            break
    match.close()
    assert match.forfeit is None
    assert len(match.turns) == 60 or match.winners


def test_the_squidge_as_printed_is_the_shipped_one_and_it_pots() -> None:
    scene, squidge = blocks("flicksim/scene/README.md", "json")[2:4]
    for folder, kind, block in (("scenes", Scene, scene), ("flicks", Squidge, squidge)):
        shipped = (ROOT / "assets" / folder / "squidge.json").read_text()
        assert from_json(shipped, kind) == from_json(block, kind)
        assert shipped == json.dumps(json.loads(shipped), indent=1) + "\n"
    trajectory = simulate(from_json(scene, Scene).validated(), from_json(squidge, Squidge))
    assert trajectory.after.piece("red-3").support == "pot"


def test_a_position_as_printed_can_be_played_from() -> None:
    position = from_json(blocks("flicksim/games/README.md", "json")[0], Position)
    assert position.problems() == []
    assert to_state(position).book.potted == ("red-1",)
    for number, name in ((3, "dominoes"), (4, "tinkle")):
        notation = position_notation(load(name))
        notation.start_state(from_json(blocks("flicksim/games/README.md", "json")[number], notation.Position))


@pytest.mark.parametrize(
    "name", [path.stem for path in sorted((ROOT / "assets" / "scenes").glob("*.json")) if path.stem != "squidge"]
)
def test_shipped_scenes_are_the_samples_of_that_name(name: str) -> None:
    scene, flick = samples.launch_sample() if name == "launch" else samples.sample(name)
    for folder, kind, thing in (("scenes", type(scene), scene), ("flicks", type(flick), flick)):
        path = ROOT / "assets" / folder / f"{name}.json"
        assert from_json(path.read_bytes(), kind) == thing
        assert path.read_text() == json.dumps(json.loads(path.read_text()), indent=1) + "\n"
