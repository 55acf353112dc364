"""Plot learning curves in one figure: `python -m benchmarks.learning_curves FOLDER... [--picture FILE]`.

Each folder is an output of `flicksim train`. All points and the baseline scores are written to `results/learning.csv`
and drawn in one figure.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import command_line, csv_results
from flicksim.core.serialization import Value
from flicksim.training import TRAINING_TASKS, CurvePoint, TrainingInfo, read_curve

ASSETS = Path(__file__).resolve().parents[1] / "assets"


class LearningScore(Value, frozen=True, kw_only=True):
    """Score of a policy on one metric at one point of its learning curve.

    Args:
        metric: what is scored. sample_size: shots or games of the evaluation. random: score of random actions.
            baseline: score of the heuristic player or bot named `baseline_name`.
    """

    task: str
    seed: int
    method: str
    metric: str
    steps: int
    seconds: float
    score: float
    sample_size: int
    random: float
    baseline_name: str
    baseline: float


def rows(info: TrainingInfo, points: Sequence[CurvePoint]) -> list[LearningScore]:
    """Scores of a curve, metric by metric."""
    scores_of_curve = []
    for metric, scores in info.references.items():
        (baseline_name,) = (name for name in scores if name != "random")
        scores_of_curve += [
            LearningScore(
                task=info.lesson, seed=info.seed, method=info.method, metric=metric, steps=point.steps,
                seconds=point.seconds, score=point.scores[metric], sample_size=point.asked, random=scores["random"],
                baseline_name=baseline_name, baseline=scores[baseline_name],
            )
            for point in points
        ]  # fmt: skip
    return scores_of_curve


def draw(curves: Sequence[tuple[TrainingInfo, Sequence[CurvePoint]]], path: Path) -> None:
    """Draw all curves in one figure."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13.0, 2.9), layout="constrained")
    axes: Any = figure.subplots(1, len(curves), squeeze=False)[0]
    for ax, (info, points) in zip(axes, curves, strict=True):
        steps = [point.steps / 1000.0 for point in points]
        for k, (metric, scores) in enumerate(info.references.items()):
            colour = ("#2f6690", "#c8553d")[k % 2]
            ax.plot(steps, [point.scores[metric] for point in points], color=colour, linewidth=1.8, label=metric)
            for name, style in (("random", ":"), (next(key for key in scores if key != "random"), "--")):
                ax.axhline(scores[name], color=colour, linestyle=style, linewidth=1.0, label=name if k == 0 else None)
        ax.set_title(f"{info.lesson}, {points[-1].seconds:.0f} s", fontsize=10)
        ax.set_xlabel("thousand steps", fontsize=9)
        ax.set_ylim(bottom=0.0)
        ax.tick_params(labelsize=8)
        ax.legend(fontsize=7, frameon=False)
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110)


def main(argv: Sequence[str] | None = None) -> list[LearningScore]:
    """Read the curves, print their last points, draw them and write the CSV."""
    parser = command_line.parser(
        "learning_curves", __doc__, picture=ASSETS / "learning.png", results=command_line.RESULTS
    )
    parser.add_argument("folders", nargs="+", type=Path, help="folders that `flicksim train` wrote")
    args = parser.parse_args(argv)
    order = list(TRAINING_TASKS)
    curves = sorted((read_curve(folder) for folder in args.folders), key=lambda curve: order.index(curve[0].lesson))
    result = [row for info, points in curves for row in rows(info, points)]
    shown = [
        (row.task, row.method, row.metric, f"{row.steps:,}", f"{row.seconds:.0f}", f"{row.score:.3f}",
         f"{row.random:.3f}", f"{row.baseline:.3f}, {row.baseline_name}")
        for info, points in curves for row in rows(info, points[-1:])
    ]  # fmt: skip
    csv_results.write(args.results / "learning.csv", result)
    draw(curves, args.picture)
    headings = ("task", "method", "metric", "steps", "s", "trained", "random", "baseline")
    command_line.show_table(headings, shown, width=130)
    print(f"written to {args.results / 'learning.csv'} and {args.picture}")
    return result


if __name__ == "__main__":
    main()
