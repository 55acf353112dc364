"""The house stands as drawn: arrows run downwards, the window opens only when asked for."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = (
    "flicksim.base", "flicksim.table", "flicksim.physics", "flicksim.referee", "flicksim.players", "flicksim.games",
    "flicksim.play", "flicksim.drawing", "flicksim.lab", "flicksim.challenges", "flicksim.people",
)  # fmt: skip


def fresh(code: str) -> str:
    """Output of a fresh interpreter."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout


def test_arrows_run_downwards() -> None:
    lint = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", lint, "--no-cache"], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


@pytest.mark.parametrize(
    "module", ["flicksim", "flicksim.play", "flicksim.games.penny_white", "flicksim.ui", "flicksim.cli.play"]
)
def test_nothing_opens_a_window_unasked(module: str) -> None:
    assert fresh(f"import sys, {module}; print('pygame' in sys.modules)").strip() == "False"


def test_importing_the_package_is_light() -> None:
    assert fresh("import sys, flicksim; print(sorted({'pymunk', 'numba', 'scipy'} & {*sys.modules}))").strip() == "[]"


@pytest.mark.parametrize("room", ROOMS)
def test_exported_names_exist_and_every_room_says_what_it_is_for(room: str) -> None:
    module = import_module(room)
    assert module.__doc__
    for name in getattr(module, "__all__", ()):
        assert hasattr(module, name), f"{room} exports {name}, which is not there"


@pytest.mark.parametrize("room", [room for room in ROOMS if room not in ("flicksim.base", "flicksim.games")])
def test_rooms_export_in_order(room: str) -> None:
    exported = list(import_module(room).__all__)
    assert len(set(exported)) == len(exported)


DOORS = {
    "table": (), "cards": (), "referee": (), "players": (), "play": (), "challenges": (), "people": (), "ui": (),
    "cli": (),
    "drawing": ("brush",),  # paints with Pillow, which need not be there
    "lab": ("env", "learn"),  # bring Gymnasium
    "physics": ("batch", "batch.launches", "batch.tables", "flight", "flight.jit"),  # what `bench` measures is inside
}  # fmt: skip
"""Rooms that others enter by what their `__init__` says is public, and their second doors; of `base` every file is one,
of a game those that its face and its measures name."""


@cache
def imported() -> list[tuple[Path, int, str]]:
    """Modules from which names are imported: file within the package, line and module."""
    return [
        (path.relative_to(ROOT / "flicksim"), node.lineno, node.module or "")
        for path in sorted((ROOT / "flicksim").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
    ]


@pytest.mark.parametrize("room", DOORS)
def test_nothing_outside_reaches_past_a_room_s_door(room: str) -> None:
    """The physics is not asked how it imports: any change of its text is compiled anew."""
    doors = {f"flicksim.{room}.{door}" for door in DOORS[room]}
    own = {room, "physics", "bench"} if room == "physics" else {room, "physics"}
    past = [
        f"flicksim/{path}:{line} {module}"
        for path, line, module in imported()
        if path.parts[0] not in own and module.startswith(f"flicksim.{room}.") and module not in doors
    ]
    assert past == []


OTHERS = {"_replace", "_fields", "_exit", "_Hash", "_space", "_body"}
"""Members that named tuples and libraries spell with an underscore."""


def test_nobody_uses_what_another_keeps_to_itself() -> None:
    """An underscored member is named where it is made: in its own file, of oneself, or of a parent."""
    found = []
    for path in sorted((ROOT / "flicksim").rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        own = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        own |= {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}
        own |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("flicksim"):
                found += [f"{path}:{node.lineno} {one.name}" for one in node.names if re.match("_[^_]", one.name)]
            elif (
                isinstance(node, ast.Attribute)
                and re.match("_[^_]", node.attr)
                and node.attr not in own | OTHERS
                and ast.unparse(node.value) not in ("self", "cls", "super()")
            ):
                found.append(f"{path}:{node.lineno} {ast.unparse(node)}")
    assert found == []


def test_every_module_says_what_it_is_for() -> None:
    for path in sorted((ROOT / "flicksim").rglob("*.py")):
        text = path.read_text(encoding="utf-8").strip()
        assert not text or text.startswith('"""'), f"{path.name} has no docstring"


QUESTIONS = {"what", "how", "whether", "where", "why", "which", "who", "whom", "whose", "when"}


@pytest.mark.parametrize("tree", ["flicksim", "benchmarks", "tests"])
def test_docstrings_begin_with_the_thing_or_the_verb(tree: str) -> None:
    """Docstrings of files, classes and functions, public or private, and the notes below constants and fields."""
    asking = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.value.value.strip().splitlines()[0]}"
        for path in sorted((ROOT / tree).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        if re.match(r"\w*", node.value.value.strip())[0].lower() in QUESTIONS
    ]
    assert asking == []


_INSIDE = ("tests/physics/", "tests/trials/test_runs_anywhere.py")
"""Tests of compiled loops and of where they are kept: what they hold to is seen from within only."""


def test_tests_ask_public_doors() -> None:
    """No test reads an underscored member of an object of flicksim; what a notebook shows is asked by such names."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {ast.unparse(node)}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if not str(path.relative_to(ROOT)).startswith(_INSIDE)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and re.match(r"_(?!_|repr_\w+_$)", node.attr)
        if ast.unparse(node.value) not in ("self", "os")
    ]
    assert found == []
