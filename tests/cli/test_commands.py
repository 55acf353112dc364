"""The commands as a list: true to what they are, quick to tell, with help in plain words."""

from __future__ import annotations

import inspect
import os
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from flicksim.cli import app
from flicksim.cli.commands import COMMANDS, GROUPS
from flicksim.games import load
from flicksim.play import usual_shots
from tests.shell import run

ROOT = Path(__file__).resolve().parents[2]


def loaded(*words: str, **environment: str) -> tuple[str, set[str]]:
    """Output of a fresh run, and the heavy modules it has loaded."""
    code = "import sys, atexit; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
    code += f"sys.argv = ['flicksim', *{list(words)!r}]\nfrom flicksim.__main__ import run\nsys.exit(run())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False,
        env={**os.environ, **environment},
    )  # fmt: skip
    heavy = {"typer", "numpy", "numba", "pygame", "matplotlib", "flicksim.physics", "flicksim.lab", "flicksim.ui"}
    return done.stdout, heavy & set(done.stderr.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_said_of_a_command_is_what_it_says_itself(name: str) -> None:
    known = COMMANDS[name]
    function = getattr(import_module(f"flicksim.cli.{known.module}"), known.function)
    doc = inspect.getdoc(function)
    assert doc is not None
    assert " ".join(doc.split("\n\n")[0].split()) == known.says


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_that_can_be_typed_and_no_types_of_python(name: str) -> None:
    told = CliRunner().invoke(app, [name, "-h"], env={"COLUMNS": "120"}).stdout
    assert "<" not in told.replace("<=", "")
    assert f"Example: {COMMANDS[name].example}" in told
    shell = get_command(app)
    assert isinstance(shell, typer.core.TyperGroup)
    program, command, *words = shlex.split(COMMANDS[name].example)
    assert (program, command) == ("flicksim", name)
    shell.commands[name].make_context(name, words, parent=shell.make_context("flicksim", [name, *words]))


def test_version_and_help_load_nothing_heavy() -> None:
    assert loaded("--version") == ("flicksim 0.1.0\n", set())
    told, heavy = loaded("--help")
    assert heavy == {"typer"}
    assert all(name in told for name in COMMANDS)


def test_games_are_listed_without_physics() -> None:
    told, heavy = loaded("games", "--json")
    assert '"penny-white"' in told
    assert heavy == {"typer", "numpy"}


def test_a_shell_completes_commands_without_loading_them() -> None:
    told, heavy = loaded(_FLICKSIM_COMPLETE="complete_bash", COMP_WORDS="flicksim re", COMP_CWORD="1")
    assert told.split() == ["report", "replay"] or told.split() == ["replay", "report"]
    assert heavy <= {"typer"}


def test_a_command_that_is_misspelt_is_guessed() -> None:
    done = CliRunner().invoke(app, ["repaly"])
    assert done.exit_code == 2
    assert "Did you mean 'replay'" in done.output + str(done.stderr)


def test_the_usual_shots_of_an_analysis_are_those_of_the_games() -> None:
    told = " ".join(CliRunner().invoke(app, ["analyse", "--help"]).output.split())
    for name, says in (("penny-white", "{} at Penny White"), ("tiddlywinks", "{} at tiddlywinks"),
                       ("dominoes", "{} deals at dominoes"), ("ice", "{} at the others"),
                       ("tinkle", "{} at the others")):  # fmt: skip
        assert says.format(f"{usual_shots(load(name)):,}") in told


def test_help_lists_every_command_once_by_what_it_is_for() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(COMMANDS)
    said = run("--help").stdout
    places = [said.index(f"\n{title}:\n") for title in GROUPS]
    assert places == sorted(places)
