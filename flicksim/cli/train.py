"""Command `flicksim train`: reinforcement learning of a shot or a game."""

from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from flicksim.cli.arguments import AsJson, SeedNumber, argument, option
from flicksim.cli.console import err, out, show_answer, show_json, show_table
from flicksim.core.counting import count_of
from flicksim.core.errors import InvalidOption
from flicksim.core.type_aliases import Unchecked


def train_command(
    task: Annotated[str | None, argument("TASK", "Training task. [default: list them]")] = None,
    folder: Annotated[Path | None, option("--out", "DIR", "Folder for the learning curve and the policy.")] = None,
    seed: SeedNumber = 1,
    steps: Annotated[
        int | None, option("--steps", "N", "Number of environment steps. [default: the task's]", min=1)
    ] = None,
    hand: Annotated[
        str | None, option("--hand", "GRADE", "Grade of the execution noise of shots; steady for none.")
    ] = None,
    opponent: Annotated[str | None, option("--opponent", "SEAT", "Opponent in games, as with --seat.")] = None,
    as_json: AsJson = False,
) -> None:
    """Train a policy on a shot or a game by reinforcement learning (extra 'learn')."""
    training: Unchecked = import_module("flicksim.training")  # only here: it loads Gymnasium
    if task is None:
        _list_tasks(training, as_json)
        return
    chosen = training.get_task(task, hand=hand, opponent=opponent, steps=steps)
    if folder is None:
        raise InvalidOption("name a folder for the curve and the policy: --out DIR")
    training.require_sb3()
    path, policy_file = folder / training.CURVE, folder / "policy.zip"
    with training.CurveWriter(path) as writer:

        def on_start(info: Unchecked) -> None:
            writer.write(info)
            episodes = count_of(chosen.eval_episodes, "shot" if chosen.kind == "shot" else "game")
            err.print_line(f"Each score is of {episodes}.")
            for measure, scores in info.references.items():
                baselines = ", ".join(f"{policy} {score:.3f}" for policy, score in scores.items())
                err.print_line(f"{measure}: {baselines}")

        def on_point(policy: Unchecked) -> None:
            policy.save(policy_file)
            point = policy.points[-1]
            writer.write(point)
            scores = ", ".join(f"{measure} {score:.3f}" for measure, score in point.scores.items())
            err.print_line(f"{point.steps:9,} of {chosen.steps:,} steps  {point.seconds:7.1f} s  {scores}")

        try:
            policy = training.train(chosen, seed, on_start=on_start, on_point=on_point)
        except KeyboardInterrupt:
            saved = count_of(writer.point_count, "point")
            last = f", and the policy of the last in {policy_file}" if writer.point_count else ""
            err.print_line(f"Stopped with {saved} of the learning curve saved in {path}{last}.")
            raise typer.Exit(1) from None
    answer = {"course": policy.info, "points": list(policy.points), "curve": str(path), "policy": str(policy_file)}
    show_answer(answer, f"The learning curve is saved in {path}, the policy in {policy_file}.", as_json)


def _list_tasks(training: Unchecked, as_json: bool) -> None:
    if as_json:
        show_json(
            [{"name": task.name, "says": task.description, "environment": task.environment, "steps": task.steps}
             for task in training.TRAINING_TASKS.values()]
        )  # fmt: skip
        return
    tasks = training.TRAINING_TASKS.values()
    rows = ((task.name, task.description, task.environment, f"{task.steps:,}") for task in tasks)
    show_table(("task", "goal", "environment", "steps"), rows)
    out.print("`flicksim train TASK --out DIR` trains a policy.")
