"""The front door's names: there, documented, light to import, and each where the types say."""

from __future__ import annotations

import ast
import doctest
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import flicksim

ROOT = Path(__file__).resolve().parents[2]


def fresh(code: str) -> str:
    """Output of a fresh interpreter."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout


@pytest.mark.parametrize("name", flicksim.__all__)
def test_every_name_is_there_and_says_what_it_is(name: str) -> None:
    found = getattr(flicksim, name)
    assert name in dir(flicksim)
    if name != "__version__":
        assert inspect.getdoc(found)


def test_completion_shows_the_front_door_alone() -> None:
    assert {name for name in dir(flicksim) if not name.startswith("__")} == {*flicksim.__all__} - {"__version__"}


def test_names_are_as_many_as_one_can_keep_in_mind() -> None:
    assert len(flicksim.__all__) <= 24


def test_what_types_say_is_what_is_loaded() -> None:
    tree = ast.parse((ROOT / "flicksim" / "__init__.py").read_text())
    (typed,) = (node for node in tree.body if isinstance(node, ast.If))
    said = {name.name: node.module for node in typed.body if isinstance(node, ast.ImportFrom) for name in node.names}
    assert {*said, "__version__"} == set(flicksim.__all__)
    for name, room in said.items():
        assert getattr(flicksim, name) is getattr(import_module(str(room)), name)


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = "{'numpy', 'msgspec', 'numba', 'pygame', 'pymunk', 'matplotlib', 'typer'}"
    assert fresh(f"import sys, flicksim; print(sorted({heavy} & {{*sys.modules}}))").strip() == "[]"


def test_no_name_opens_a_window_and_flicks_need_no_compiler() -> None:
    code = (
        "import sys, flicksim; [getattr(flicksim, name) for name in flicksim.__all__]; print('pygame' in sys.modules)"
    )
    assert fresh(code).strip() == "False"
    assert fresh("import sys; from flicksim import Flick, Scene; print('numba' in sys.modules)").strip() == "False"


def test_a_name_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(AttributeError, match="no attribute 'settel'; it has Experiment"):
        flicksim.settel  # noqa: B018


@pytest.mark.parametrize("room", ["games", "questions", "shots"])
def test_examples_in_docstrings_come_out_as_printed(room: str) -> None:
    module = import_module(f"flicksim.door.{room}")
    found = doctest.testmod(module, extraglobs={name: getattr(flicksim, name) for name in flicksim.__all__})
    assert found.failed == 0
    assert found.attempted


def test_types_are_marked_as_shipped() -> None:
    assert (ROOT / "flicksim" / "py.typed").is_file()
