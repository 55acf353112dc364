"""Table of the commands: summaries, help, lazy imports, deprecated words."""

import inspect
import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from flicksim.cli import app
from flicksim.cli.commands import COMMANDS, DEPRECATED_COMMANDS, DEPRECATED_OPTIONS, GROUPS
from flicksim.games import load
from flicksim.match import default_shots
from tests.cli_runner import assert_error, invoke, run
from tests.python_process import run_code

ROOT = Path(__file__).resolve().parents[2]


def loaded_modules(*words: str, **environment: str) -> tuple[str, set[str]]:
    """Output of a fresh run, and the heavy modules it has loaded."""
    code = "import sys, atexit; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
    code += f"sys.argv = ['flicksim', *{list(words)!r}]\nfrom flicksim.__main__ import run\nsys.exit(run())"
    done = run_code(code, status=None, **environment)
    heavy = {"typer", "numpy", "numba", "pygame", "matplotlib"}
    heavy |= {"flicksim.engine", "flicksim.experiments", "flicksim.gui"}
    return done.stdout, heavy & set(done.stderr.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_summaries_equal_docstrings(name: str) -> None:
    entry = COMMANDS[name]
    function = getattr(import_module(f"flicksim.cli.{entry.module}"), f"{name}_command")
    doc = inspect.getdoc(function)
    assert " ".join(doc.split("\n\n")[0].split()) == entry.summary


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_and_no_python_types(name: str) -> None:
    told = CliRunner().invoke(app, [name, "-h"], env={"COLUMNS": "120"}).stdout
    assert "<" not in told.replace("<=", "")
    assert f"Example: {COMMANDS[name].example}" in told
    shell = get_command(app)
    assert isinstance(shell, typer.core.TyperGroup)
    program, command, *words = shlex.split(COMMANDS[name].example)
    assert (program, command) == ("flicksim", name)
    group = shell.make_context("flicksim", [name, *words])
    shell.get_command(group, name).make_context(name, words, parent=group)


@pytest.mark.parametrize("module", ["flicksim.core.signals", "flicksim.cli", "numpy"])
def test_ctrl_c_while_a_module_is_imported_ends_a_command_with_one_line(module: str) -> None:
    """Once interrupted, compiled modules such as numpy's cannot be imported again."""
    code = "import sys\nerrors = [ImportError, KeyboardInterrupt]\n"
    code += "class Interrupt:\n    def find_spec(name, path, target=None):\n"
    code += f"        if name == {module!r}:\n            raise errors.pop()\n"
    code += "sys.meta_path.insert(0, Interrupt)\nsys.argv = ['flicksim', 'games']\n"
    done = run_code(f"{code}from flicksim.__main__ import run\nsys.exit(run())", status=1)
    assert (done.stdout, done.stderr) == ("", "flicksim: stopped\n")


def test_little_is_imported_before_ctrl_c_is_handled() -> None:
    code = "import sys\nbefore = set(sys.modules)\nimport flicksim.__main__\nprint(*set(sys.modules) - before)"
    imported = set(run_code(code).stdout.split())
    assert {name for name in imported if name.startswith("flicksim")} == {
        "flicksim", "flicksim.__main__", "flicksim.core", "flicksim.core.deprecation", "flicksim.core.rich_display",
        "flicksim.core.version",
    }  # fmt: skip
    assert not imported & {"importlib.abc", "importlib.resources", "tempfile", "numpy", "typer"}


def test_version_help_games_and_shell_completion_load_nothing_heavy() -> None:
    assert loaded_modules("--version") == ("flicksim 0.2.0\n", set())
    told, heavy = loaded_modules("--help")
    assert heavy == {"typer"}
    assert all(name in told for name in COMMANDS)
    told, heavy = loaded_modules("games", "--json")
    assert '"penny-white"' in told
    assert heavy == {"typer", "numpy"}
    told, heavy = loaded_modules(_FLICKSIM_COMPLETE="complete_bash", COMP_WORDS="flicksim re", COMP_CWORD="1")
    assert told.split() == ["report", "replay"] or told.split() == ["replay", "report"]
    assert heavy <= {"typer"}


def test_paths_are_quoted_as_they_are_and_an_empty_one_before_another_is_refused() -> None:
    assert_error("replay", ":x: [red].jsonl", message="cannot read ':x: [red].jsonl'")
    assert_error("export", "", "x.csv", message="'': give the path of a file or folder")


@pytest.mark.parametrize(
    "line",
    [
        "share", "replay", "position", "simulate", "simulate sample:draw", "report", "experiment", "analyse",
        "import x", "export x", "play tinkle --resume", "play tinkle --record", "match tinkle --record",
        "puzzles penny-white --out", "position pile_of_three --png",
    ],
)  # fmt: skip
def test_an_empty_path_is_refused(line: str) -> None:
    assert_error(*line.split(), "", message="'': give the path of a file or folder")


def test_default_shots_in_help_equal_those_of_the_games() -> None:
    told = " ".join(invoke("analyse", "--help").output.split())
    for name, says in (("penny-white", "{} at Penny White"), ("tiddlywinks", "{} at tiddlywinks"),
                       ("dominoes", "{} deals at dominoes"), ("ice", "{} at the others"),
                       ("tinkle", "{} at the others")):  # fmt: skip
        assert says.format(f"{default_shots(load(name)):,}") in told


def test_help_lists_every_command_once_by_topic() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(COMMANDS)
    said = run("--help").stdout
    places = [said.index(f"\n{title}:\n") for title in GROUPS]
    assert places == sorted(places)


TWO_GAMES = "--games 2 -o ends=1 --json"
DEPRECATED_WORDS = {
    "settle sample:draw --json": "simulate sample:draw --json",
    f"ladder penny-white --seat random --seat bot:beginner {TWO_GAMES}": (
        f"tournament penny-white --seat random --seat bot:beginner {TWO_GAMES}"
    ),
    "learn --json": "train --json",
    "bench truths --json": "bench validation --json",
    "challenges draw-10 --seat bot:club --tries 9 --json": "challenges draw-10 --seat bot:club --attempts 9 --json",
    "experiment pot-chance --out OUT --shots 40 --batch-size 20 --store=sqlite --json": (
        "experiment pot-chance --out OUT --shots 40 --batch-size 20 --format=sqlite --json"
    ),
    "experiment pot-chance --out OUT --shots 40 --chunk 20 --json": (
        "experiment pot-chance --out OUT --shots 40 --batch-size 20 --json"
    ),
    f"tournament penny-white --bots random --bots=bot:beginner {TWO_GAMES}": (
        f"tournament penny-white --seat random --seat=bot:beginner {TWO_GAMES}"
    ),
}
"""Command lines in deprecated words, and the same in the words of now."""


def deprecation_notices(text: str) -> list[str]:
    """The lines that call a word deprecated."""
    return [line for line in text.splitlines() if "deprecated" in line]


@pytest.mark.parametrize("line", DEPRECATED_WORDS)
def test_deprecated_words_work_with_a_warning(line: str, tmp_path: Path) -> None:
    before, after = line.split(), DEPRECATED_WORDS[line].split()
    found = []
    for name, words in (("old", before), ("new", after)):
        (tmp_path / name).mkdir()
        done = run(*words, cwd=tmp_path / name)
        found.append(done)
    old, new = found
    plain = [re.sub(r'"(begun|seconds)": ?("[^"]*"|[0-9.]+)', "", done.stdout) for done in found]
    assert plain[0] == plain[1]
    replaced = {tuple(word.partition("=")[0] for word in pair) for pair in zip(before, after, strict=True)}
    ((word, now),) = (pair for pair in replaced if pair[0] != pair[1])
    if before[0] == "bench":
        word, now = f"bench {word}", f"bench {now}"
    assert deprecation_notices(old.stderr) == [f"flicksim: {word!r} is deprecated; use {now!r}"]
    assert not deprecation_notices(new.stderr + old.stdout)


def test_every_deprecated_word_is_covered_and_unlisted() -> None:
    tried = {word.partition("=")[0] for line in DEPRECATED_WORDS for word in line.split()}
    assert set(DEPRECATED_COMMANDS) <= tried
    for command, options in DEPRECATED_OPTIONS.items():
        assert set(options) <= tried
        shown = run(command, "--help").stdout
        assert all(new in shown and f"{old} " not in shown for old, new in options.items())
    assert not set(DEPRECATED_COMMANDS) & set(COMMANDS)


def test_numbers_of_options_are_plain_digits() -> None:
    shell, checked = get_command(app), 0
    for name, entry in COMMANDS.items():
        group = shell.make_context("flicksim", [name])
        command, example = shell.get_command(group, name), shlex.split(entry.example)[2:]
        for param in command.params:
            if "range" not in param.type.name:
                continue
            checked += 1
            least = str(param.type.min)
            for number in (least, f" {least} "):
                command.make_context(name, [*example, param.opts[0], number], parent=group)
            for number in (f"{least}_0", "٣", "１0", "nan", "inf"):
                with pytest.raises(typer.BadParameter, match=f"{number}': it must be (a|from|at)"):
                    command.make_context(name, [*example, param.opts[0], number], parent=group)
    assert checked > 30
