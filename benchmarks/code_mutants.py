"""Mutants of the code: small faults set into it one by one, each of which some test should notice.

`python -m benchmarks.code_mutants [--count N] [--seed S] [--out FILE]` draws them over rules, referee, players and what
these stand on; nothing compiled is touched. For each, the tests beside the file run in a copy of the tree until one
fails. What lived is a place that no test holds, or a fault that makes no difference.
"""

from __future__ import annotations

import argparse
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

from benchmarks import sheet

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("base", "cards", "games", "players", "referee", "table")
_ALSO = {
    "games": ("games/test_every_game.py", "play/test_transcript.py"),
    "referee": ("games/test_every_game.py", "games/penny_white", "games/ice", "games/tiddlywinks"),
    "players": ("door/test_games.py", "play/test_transcript.py"),
    "cards": ("games/dominoes", "games/tinkle"),
    "table": ("play/test_transcript.py", "physics/test_plan.py"),
}
"""Tests of a room that do not lie in the folder of its name."""
_SLACK, _TIMES = 20.0, 3.0
"""Time for the tests of a mutant: so many times as long as without one, and so much more [s]."""
_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
}  # fmt: skip


class Mutant(msgspec.Struct, frozen=True):
    """A fault and what became of it.

    Args:
        file, line: where it stands. was, now: the code there. state: "killed" by a test, "late" when the tests took too
            long, "lived". seconds: how long the tests took [s].
    """

    file: str
    line: int
    was: str
    now: str
    state: str = ""
    seconds: float = 0.0


def sites(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Places of a file where a fault can be set, and which: "swap", "step", "not" or "nothing".

    Words, annotations and what errors say are left alone.
    """
    for node in _walked(tree):
        match node:
            case ast.Compare(ops=[op]) | ast.BoolOp(op=op) | ast.BinOp(op=op) | ast.AugAssign(op=op) if (
                type(op) in _SWAPPED
            ):
                yield node, "swap"
            case ast.Constant(value=int() | float()):
                yield node, "step"
        match node:
            case ast.If() | ast.While() | ast.IfExp():
                yield node.test, "not"
            case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise():
                yield node, "nothing"


def _faulty(node: ast.AST, fault: str) -> ast.AST:
    """The node with that fault."""
    match node, fault:
        case ast.Compare(left=left, ops=[op], comparators=there), "swap":
            return ast.Compare(left, [_SWAPPED[type(op)]()], there)
        case ast.BoolOp() | ast.BinOp() | ast.AugAssign(), "swap":
            return type(node)(**{**dict(ast.iter_fields(node)), "op": _SWAPPED[type(node.op)]()})
        case ast.Constant(value=bool() as value), _:
            return ast.Constant(not value)
        case ast.Constant(value=int() | float() as value), _:
            return ast.Constant(value + 1)
        case ast.expr(), _:
            return ast.UnaryOp(ast.Not(), node)
    return ast.Pass()


class _Setting(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        """The new one for the old, all others as they are."""
        return self._new if node is self._old else self.generic_visit(node)


def _walked(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what is within, without words, annotations and what errors say."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list") or isinstance(node, ast.Raise | ast.JoinedStr):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _walked(child)


def mutated(text: str, number: int) -> tuple[str, Mutant]:
    """The text of a file with one of its sites made faulty, and what was done; its file is not named yet."""
    tree = ast.parse(text)
    node, fault = list(sites(tree))[number]
    faulty = _faulty(node, fault)
    was, now = (ast.unparse(one).splitlines()[0] for one in (node, faulty))
    whole = ast.fix_missing_locations(_Setting(node, faulty).visit(tree))
    return ast.unparse(whole), Mutant("", node.lineno, was, now)  # type: ignore[attr-defined]


def tests_of(file: str) -> tuple[str, ...]:
    """The tests that mirror a file: those of its folder, those named after it first, and what else holds its room."""
    inside = Path(file).relative_to("flicksim")
    folder = ROOT / "tests" / inside.parent
    near = sorted(folder.glob("test_*.py"), key=lambda path: (inside.stem not in path.stem, path.name))
    more = [ROOT / "tests" / one for one in _ALSO.get(inside.parts[0], ())]
    return tuple(str(path.relative_to(ROOT)) for path in (*near, *more))


def drawn(count: int, seed: int) -> list[tuple[str, int]]:
    """So many sites of all there are: file and number within."""
    every = [
        (str(path.relative_to(ROOT)), k)
        for room in ROOMS
        for path in sorted((ROOT / "flicksim" / room).rglob("*.py"))
        for k, _ in enumerate(sites(ast.parse(path.read_text(encoding="utf-8"))))
    ]
    return Random(seed).sample(every, min(count, len(every)))


def run(tree: Path, tests: Sequence[str], limit: float | None) -> tuple[str, float]:
    """Run tests in a copy of the tree until one fails. Returns what became of it, and how long it took [s]."""
    begun = time.monotonic()
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
    return state, time.monotonic() - begun


def carried_out(count: int, seed: int, told: Callable[[Mutant], None] = lambda _: None) -> list[Mutant]:
    """Set faults one by one and have the tests look for each.

    Raises:
        AssertionError: the tests fail without any fault.
    """
    done: list[Mutant] = []
    usual: dict[frozenset[str], float] = {}
    with TemporaryDirectory(prefix="mutants-") as folder:
        tree = Path(folder) / "tree"
        copytree(ROOT, tree, ignore=ignore_patterns(".*", "__pycache__", "results"))
        for file, number in drawn(count, seed):
            tests = tests_of(file)
            these = frozenset(tests)
            if these not in usual:
                state, usual[these] = run(tree, tests, None)
                assert state == "lived", f"{' '.join(tests)} fail as the code stands"
            text = (tree / file).read_text(encoding="utf-8")
            faulty, mutant = mutated(text, number)
            (tree / file).write_text(faulty, encoding="utf-8")
            state, seconds = run(tree, tests, _TIMES * usual[these] + _SLACK)
            (tree / file).write_text(text, encoding="utf-8")
            done.append(msgspec.structs.replace(mutant, file=file, state=state, seconds=round(seconds, 1)))
            told(done[-1])
    return done


def _shown(one: Mutant) -> None:
    print(f"{one.state:6} {one.seconds:6.1f} s  {one.file}:{one.line}  {one.was}  ->  {one.now}", flush=True)


def main(words: Sequence[str] | None = None) -> None:
    """Say of each what became of it, and write all into a file."""
    say = argparse.ArgumentParser(prog="python -m benchmarks.code_mutants", description=__doc__)
    say.add_argument("--count", type=int, default=60)
    say.add_argument("--seed", type=int, default=1)
    say.add_argument("--out", type=Path, default=ROOT / "benchmarks" / "results" / "code-mutants.csv")
    asked = say.parse_args(words)
    found = carried_out(asked.count, asked.seed, _shown)
    sheet.write(asked.out, found)
    print(f"{sum(one.state != 'lived' for one in found)} of {len(found)} were noticed; written to {asked.out}")


if __name__ == "__main__":
    main()
