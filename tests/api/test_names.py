"""Tests of the public names: defined, documented, light to import, and each where the type stubs say."""

import ast
import doctest
import inspect
from importlib import import_module
from pathlib import Path

import pytest

import flicksim
from tests.python_process import run_code

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", flicksim.__all__)
def test_every_name_is_defined_and_documented(name: str) -> None:
    found = getattr(flicksim, name)
    assert name in dir(flicksim)
    if name != "__version__":
        assert inspect.getdoc(found)


def test_completion_shows_only_the_at_most_27_public_names() -> None:
    assert {name for name in dir(flicksim) if not name.startswith("__")} == {*flicksim.__all__} - {"__version__"}
    assert len(flicksim.__all__) <= 27


def test_declared_types_are_those_loaded() -> None:
    tree = ast.parse((ROOT / "flicksim" / "__init__.py").read_text())
    (typed,) = (node for node in tree.body if isinstance(node, ast.If))
    declared = {
        name.name: node.module for node in typed.body if isinstance(node, ast.ImportFrom) for name in node.names
    }
    assert {*declared, "__version__"} == set(flicksim.__all__)
    for name, module in declared.items():
        assert getattr(flicksim, name) is getattr(import_module(str(module)), name)


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = "{'numpy', 'msgspec', 'numba', 'pygame', 'pymunk', 'matplotlib', 'typer'}"
    assert run_code(f"import sys, flicksim; print(sorted({heavy} & {{*sys.modules}}))").stdout.strip() == "[]"


def test_no_name_opens_a_window_and_flicks_need_no_compiler() -> None:
    code = (
        "import sys, flicksim; [getattr(flicksim, name) for name in flicksim.__all__]; print('pygame' in sys.modules)"
    )
    assert run_code(code).stdout.strip() == "False"
    code = "import sys; from flicksim import Flick, Scene; print('numba' in sys.modules)"
    assert run_code(code).stdout.strip() == "False"


def test_an_unknown_name_is_refused_with_a_list_of_names() -> None:
    with pytest.raises(AttributeError, match="no attribute 'settel'; it has Experiment"):
        flicksim.settel  # noqa: B018


@pytest.mark.parametrize(
    "module_name", ["api.analysis", "api.games", "api.simulation", "experiments.run", "experiments.shot_search"]
)
def test_examples_in_docstrings_come_out_as_printed(module_name: str) -> None:
    module = import_module(f"flicksim.{module_name}")
    found = doctest.testmod(module, extraglobs={name: getattr(flicksim, name) for name in flicksim.__all__})
    assert found.failed == 0
    assert found.attempted


def test_types_are_marked_as_shipped() -> None:
    assert (ROOT / "flicksim" / "py.typed").is_file()
