"""Learning curves side by side: `python -m benchmarks.learning FOLDER... [--picture FILE] [--results FOLDER]`.

Each folder holds what `flicksim learn` kept. All points go to `results/learning.csv`, with what others score on the
same questions, and are drawn in one picture.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks import sheet
from flicksim.base.codec import Value
from flicksim.lab.learn import LESSONS, Course, Point, read_curve

ASSETS = Path(__file__).resolve().parents[1] / "assets"


class Reached(Value, frozen=True, kw_only=True):
    """A point of a curve, for one of the questions it was asked.

    Args:
        asked: shots or games. random: what whoever does anything scores; other: and a rule of thumb or a bot, `who`.
    """

    lesson: str
    seed: int
    method: str
    question: str
    steps: int
    seconds: float
    score: float
    asked: int
    random: float
    who: str
    other: float


def rows(course: Course, points: Sequence[Point]) -> list[Reached]:
    """A curve, question by question."""
    found = []
    for question, scores in course.references.items():
        (who,) = (name for name in scores if name != "random")
        found += [
            Reached(
                lesson=course.lesson,
                seed=course.seed,
                method=course.method,
                question=question,
                steps=point.steps,
                seconds=point.seconds,
                score=point.scores[question],
                asked=point.asked,
                random=scores["random"],
                who=who,
                other=scores[who],
            )
            for point in points
        ]
    return found


def draw(curves: Sequence[tuple[Course, Sequence[Point]]], path: Path) -> None:
    """All of them in one picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13.0, 2.9), layout="constrained")
    axes: Any = figure.subplots(1, len(curves), squeeze=False)[0]
    for ax, (course, points) in zip(axes, curves, strict=True):
        steps = [point.steps / 1000.0 for point in points]
        for k, (question, scores) in enumerate(course.references.items()):
            colour = ("#2f6690", "#c8553d")[k % 2]
            ax.plot(steps, [point.scores[question] for point in points], color=colour, linewidth=1.8, label=question)
            for who, style in (("random", ":"), (next(name for name in scores if name != "random"), "--")):
                ax.axhline(scores[who], color=colour, linestyle=style, linewidth=1.0, label=who if k == 0 else None)
        ax.set_title(f"{course.lesson}, {points[-1].seconds:.0f} s", fontsize=10)
        ax.set_xlabel("thousand steps", fontsize=9)
        ax.set_ylim(bottom=0.0)
        ax.tick_params(labelsize=8)
        ax.legend(fontsize=7, frameon=False)
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110)


def main(words: Sequence[str] | None = None) -> list[Reached]:
    """Collect, print, draw, and write the CSV."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learning", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--picture", type=Path, default=ASSETS / "learning.png")
    parser.add_argument("--results", type=Path, default=Path(__file__).parent / "results")
    given = parser.parse_args(words)
    order = list(LESSONS)
    curves = sorted((read_curve(folder) for folder in given.folders), key=lambda one: order.index(one[0].lesson))
    found = [row for course, points in curves for row in rows(course, points)]
    table = Table("lesson", "method", "question", "steps", "s", "learned", "random", "beside it")
    for course, points in curves:
        for row in rows(course, points[-1:]):
            table.add_row(
                row.lesson, row.method, row.question, f"{row.steps:,}", f"{row.seconds:.0f}", f"{row.score:.3f}",
                f"{row.random:.3f}", f"{row.other:.3f}, {row.who}",
            )  # fmt: skip
    sheet.write(given.results / "learning.csv", found)
    draw(curves, given.picture)
    out = Console(width=130)
    out.print(table)
    out.print(f"written to {given.results / 'learning.csv'} and {given.picture}")
    return found


if __name__ == "__main__":
    main()
