"""Layers and imports of the packages, their public names, and docstrings."""

import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from tests.python_process import run_code

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = (
    "flicksim.core", "flicksim.scene", "flicksim.engine", "flicksim.referee", "flicksim.ai", "flicksim.games",
    "flicksim.match", "flicksim.render", "flicksim.experiments", "flicksim.challenges", "flicksim.profiles",
)  # fmt: skip


def test_imports_run_downwards() -> None:
    lint = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    assert " 0 broken" in run_code(lint, "--no-cache").stdout


def test_nothing_opens_a_window_unasked() -> None:
    modules = "flicksim, flicksim.match, flicksim.games.penny_white, flicksim.gui, flicksim.cli.play"
    assert run_code(f"import sys, {modules}; print('pygame' in sys.modules)").stdout.strip() == "False"


def test_importing_the_package_is_light() -> None:
    assert (
        run_code("import sys, flicksim; print(sorted({'pymunk', 'numba', 'scipy'} & {*sys.modules}))").stdout.strip()
        == "[]"
    )


@pytest.mark.parametrize("package", PACKAGES)
def test_exported_names_exist_and_every_package_has_a_docstring(package: str) -> None:
    module = import_module(package)
    assert module.__doc__
    for name in getattr(module, "__all__", ()):
        assert hasattr(module, name), f"{package} exports {name}, which is not there"


@pytest.mark.parametrize("package", [name for name in PACKAGES if name not in ("flicksim.core", "flicksim.games")])
def test_no_name_is_exported_twice(package: str) -> None:
    exported = list(import_module(package).__all__)
    assert len(set(exported)) == len(exported)


ENTRY_POINTS = {
    "scene": (), "cards": (), "referee": (), "ai": (), "match": (), "challenges": (), "profiles": (), "gui": (),
    "cli": (),
    "render": ("pillow_backend", "card_shapes"),  # Pillow need not be there; the window's cards have the same shapes
    "experiments": (),
    "engine": ("batch", "batch.launch_batch", "batch.arrays", "winks", "jit", "settings"),  # public beside it
}  # fmt: skip
"""Packages that others import by what their `__init__` exports, and their modules that are public too; of `core` every
module is public, of a game those that its view and its measures name."""
USES_INTERNALS = {
    "engine": {"engine", "validation"}, "experiments": {"experiments", "envs", "training", "engine"},
}  # fmt: skip
"""Packages that may import the modules of another; the imports of `engine` are not checked: any change of its text is
compiled anew."""


def nodes_of(path: Path, text: str) -> list[ast.AST]:
    """Nodes of the syntax tree of a file; none, and sooner, where a regular expression does not match its text."""
    written = path.read_text(encoding="utf-8")
    return list(ast.walk(ast.parse(written))) if re.search(text, written, re.M) else []


@cache
def imported() -> list[tuple[Path, int, str]]:
    """Modules from which names are imported: file within the package, line and module."""
    return [
        (path.relative_to(ROOT / "flicksim"), number, found[1])
        for path in sorted((ROOT / "flicksim").rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (found := re.match(r"\s*from (flicksim[\w.]*) import ", line))
    ]


@pytest.mark.parametrize("package", ENTRY_POINTS)
def test_packages_are_imported_by_their_public_modules(package: str) -> None:
    public = {f"flicksim.{package}.{module}" for module in ENTRY_POINTS[package]}
    own = USES_INTERNALS.get(package, {package, "engine"})
    internal = [
        f"flicksim/{path}:{line} {module}"
        for path, line, module in imported()
        if path.parts[0] not in own and module.startswith(f"flicksim.{package}.") and module not in public
    ]
    assert internal == []


LIBRARY_MEMBERS = {"_replace", "_fields", "_exit", "_Hash", "_space", "_body"}
"""Members that named tuples and libraries spell with an underscore."""
PRIVATE_OF_OTHERS = (
    r"(?<!\bself)(?<!\bcls)(?<!super\(\))\._[^_]"
    r"|^\s*from flicksim\S* import (?:\((?:#.*|[^)#])*?\b_[^_]|(?:\\\n|[^(\n])*\b_[^_])"
)
"""Text without which a file names no private member but its own."""


def test_private_members_are_used_where_they_are_made() -> None:
    """An underscored member is named where it is made: in its own file, of oneself, or of a parent."""
    found = []
    for path in sorted((ROOT / "flicksim").rglob("*.py")):
        nodes = nodes_of(path, PRIVATE_OF_OTHERS)
        own = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        own |= {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}
        own |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
        others = {one.asname or one.name for node in imports for one in node.names}
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("flicksim"):
                found += [f"{path}:{node.lineno} {one.name}" for one in node.names if re.match("_[^_]", one.name)]
            elif (
                isinstance(node, ast.Attribute)
                and re.match("_[^_]", node.attr)
                and node.attr not in LIBRARY_MEMBERS
                and (node.attr not in own or ast.unparse(node.value) in others)
                and ast.unparse(node.value) not in ("self", "cls", "super()")
            ):
                found.append(f"{path}:{node.lineno} {ast.unparse(node)}")
    assert found == []


def test_every_module_has_a_docstring() -> None:
    for path in sorted((ROOT / "flicksim").rglob("*.py")):
        text = path.read_text(encoding="utf-8").strip()
        assert not text or text.startswith('"""'), f"{path.name} has no docstring"


QUESTIONS = {"what", "how", "whether", "where", "why", "which", "who", "whom", "whose", "when"}


@pytest.mark.parametrize("tree", ["flicksim", "benchmarks", "tests"])
def test_docstrings_begin_with_the_thing_or_the_verb(tree: str) -> None:
    """Docstrings of files, classes and functions, public or private, and the notes below constants and fields."""
    questions = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.value.value.strip().splitlines()[0]}"
        for path in sorted((ROOT / tree).rglob("*.py"))
        for node in nodes_of(path, rf"[\"']\\?\s*(?i:{'|'.join(QUESTIONS)})\b")
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        if re.match(r"\w*", node.value.value.strip())[0].lower() in QUESTIONS
    ]
    assert questions == []


_SEES_INTERNALS = ("tests/engine/", "tests/robustness/test_restricted_environments.py")
"""Tests of compiled loops and of where they are cached; these are not public."""


def test_tests_use_public_members() -> None:
    """No test reads an underscored member of an object of flicksim, but for the `_repr_*_` methods of notebooks."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {ast.unparse(node)}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if not str(path.relative_to(ROOT)).startswith(_SEES_INTERNALS)
        for node in nodes_of(path, r"(?<!\bself)(?<!\bos)\._(?!_)")
        if isinstance(node, ast.Attribute) and re.match(r"_(?!_|repr_\w+_$)", node.attr)
        if ast.unparse(node.value) not in ("self", "os")
    ]
    assert found == []
