"""Mutation testing: small faults are put into the code one at a time, and the tests should notice each.

`python -m benchmarks.mutation_testing [--count N] [--seed S] [--out FILE]` draws mutants over rules, referee, players
and the packages below them, not over compiled code. For each, the tests that mirror the file run in a copy of the tree
until one fails. A mutant that survives marks code that no test covers, or makes no difference.
"""

import ast
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory

import msgspec

from benchmarks import command_line, csv_results

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("core", "cards", "games", "ai", "referee", "scene")
_EXTRA_TESTS = {
    "games": ("games/test_every_game.py", "match/test_transcript.py"),
    "referee": ("games/test_every_game.py", "games/penny_white", "games/ice", "games/tiddlywinks"),
    "ai": ("api/test_games.py", "match/test_transcript.py"),
    "cards": ("games/dominoes", "games/tinkle"),
    "scene": ("match/test_transcript.py", "engine/test_planar_world.py"),
}
"""Tests of a package outside the folder of its name."""
_TIMEOUT_MARGIN, _TIMEOUT_FACTOR = 20.0, 3.0
"""Time limit for the tests of a mutant: constant [s] plus factor times the time without a mutant."""
_OPERATOR_SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
}  # fmt: skip


class Mutant(msgspec.Struct, frozen=True):
    """A mutant and its result.

    Args:
        file, line: its place. before, after: the code there. state: "killed" by a test, "late" (time limit exceeded)
            or "lived". seconds: duration of the tests [s].
    """

    file: str
    line: int
    before: str
    after: str
    state: str = ""
    seconds: float = 0.0


def mutation_sites(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Nodes of a file that can be mutated, and the operator: "swap", "step", "not" or "nothing".

    Strings, annotations and error messages are left alone.
    """
    for node in _walk(tree):
        match node:
            case ast.Compare(ops=[op]) | ast.BoolOp(op=op) | ast.BinOp(op=op) | ast.AugAssign(op=op) if (
                type(op) in _OPERATOR_SWAPS
            ):
                yield node, "swap"
            case ast.Constant(value=int() | float()):
                yield node, "step"
        match node:
            case ast.If() | ast.While() | ast.IfExp():
                yield node.test, "not"
            case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise():
                yield node, "nothing"


def _mutated_node(node: ast.AST, operator: str) -> ast.AST:
    """The node after a mutation operator."""
    match node, operator:
        case ast.Compare(left=left, ops=[op], comparators=comparators), "swap":
            return ast.Compare(left, [_OPERATOR_SWAPS[type(op)]()], comparators)
        case ast.BoolOp() | ast.BinOp() | ast.AugAssign(), "swap":
            return type(node)(**{**dict(ast.iter_fields(node)), "op": _OPERATOR_SWAPS[type(node.op)]()})
        case ast.Constant(value=bool() as value), _:
            return ast.Constant(not value)
        case ast.Constant(value=int() | float() as value), _:
            return ast.Constant(value + 1)
        case ast.expr(), _:
            return ast.UnaryOp(ast.Not(), node)
    return ast.Pass()


class _MutationVisitor(ast.NodeTransformer):
    """Replaces one node by another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        """Return the new node for the old one; visit all others."""
        return self._new if node is self._old else self.generic_visit(node)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and its descendants, without strings, annotations and error messages."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list") or isinstance(node, ast.Raise | ast.JoinedStr):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _walk(child)


def mutate(text: str, number: int) -> tuple[str, Mutant]:
    """Mutate one site of a source text; return the new text and the mutant, its file name still empty."""
    tree = ast.parse(text)
    node, operator = list(mutation_sites(tree))[number]
    mutated = _mutated_node(node, operator)
    before, after = (ast.unparse(code).splitlines()[0] for code in (node, mutated))
    new_tree = ast.fix_missing_locations(_MutationVisitor(node, mutated).visit(tree))
    return ast.unparse(new_tree), Mutant("", node.lineno, before, after)  # type: ignore[attr-defined]


def tests_of(file: str) -> tuple[str, ...]:
    """Tests of a file: those of the mirrored folder, those named after it first, and further tests of its package."""
    inside = Path(file).relative_to("flicksim")
    folder = ROOT / "tests" / inside.parent
    mirrored = sorted(folder.glob("test_*.py"), key=lambda path: (inside.stem not in path.stem, path.name))
    extra = [ROOT / "tests" / path for path in _EXTRA_TESTS.get(inside.parts[0], ())]
    return tuple(str(path.relative_to(ROOT)) for path in (*mirrored, *extra))


def draw_mutants(count: int, seed: int) -> list[tuple[str, int]]:
    """Random sites of all packages: file, and number within the file."""
    sites = [
        (str(path.relative_to(ROOT)), k)
        for package in PACKAGES
        for path in sorted((ROOT / "flicksim" / package).rglob("*.py"))
        for k, _ in enumerate(mutation_sites(ast.parse(path.read_text(encoding="utf-8"))))
    ]
    return Random(seed).sample(sites, min(count, len(sites)))


def run(tree: Path, tests: Sequence[str], limit: float | None) -> tuple[str, float]:
    """Run tests in a copy of the tree until one fails. Returns the state of the mutant, and the duration [s]."""
    start = time.monotonic()
    words = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *tests]
    child = subprocess.Popen(
        words, cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        state = "killed" if child.wait(limit) else "lived"
    except subprocess.TimeoutExpired:
        state = "late"
        os.killpg(child.pid, 9)
        child.wait()
    return state, time.monotonic() - start


def run_all(count: int, seed: int, on_result: Callable[[Mutant], None] = lambda _: None) -> list[Mutant]:
    """Test mutants one by one; call `on_result` after each.

    Raises:
        AssertionError: the tests fail without a mutant.
    """
    results: list[Mutant] = []
    baseline: dict[frozenset[str], float] = {}
    with TemporaryDirectory(prefix="mutants-") as folder:
        tree = Path(folder) / "tree"
        copytree(ROOT, tree, ignore=ignore_patterns(".*", "__pycache__", "results"))
        for file, number in draw_mutants(count, seed):
            tests = tests_of(file)
            key = frozenset(tests)
            if key not in baseline:
                state, baseline[key] = run(tree, tests, None)
                assert state == "lived", f"{' '.join(tests)} fail without a mutant"
            text = (tree / file).read_text(encoding="utf-8")
            mutated, mutant = mutate(text, number)
            (tree / file).write_text(mutated, encoding="utf-8")
            state, seconds = run(tree, tests, _TIMEOUT_FACTOR * baseline[key] + _TIMEOUT_MARGIN)
            (tree / file).write_text(text, encoding="utf-8")
            results.append(msgspec.structs.replace(mutant, file=file, state=state, seconds=round(seconds, 1)))
            on_result(results[-1])
    return results


def _print_result(mutant: Mutant) -> None:
    place = f"{mutant.file}:{mutant.line}"
    print(f"{mutant.state:6} {mutant.seconds:6.1f} s  {place}  {mutant.before}  ->  {mutant.after}", flush=True)


def main(argv: Sequence[str] | None = None) -> None:
    """Test the mutants, print the result of each, and write them as CSV."""
    out = command_line.RESULTS / "mutation-testing.csv"
    args = command_line.parser("mutation_testing", __doc__, count=60, seed=1, out=out).parse_args(argv)
    results = run_all(args.count, args.seed, _print_result)
    csv_results.write(args.out, results)
    print(f"{sum(mutant.state != 'lived' for mutant in results)} of {len(results)} were killed; written to {args.out}")


if __name__ == "__main__":
    main()
