"""The command that has a policy learn."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from flicksim.base.errors import BadOption
from flicksim.base.kinds import Given
from flicksim.cli.arguments import AsJson, SeedNumber
from flicksim.cli.sheet import err, out, show_json


def learn_command(
    lesson: Annotated[str | None, typer.Argument(metavar="LESSON", help="What is learned; none lists lessons.")] = None,
    folder: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where curve and policy go.")] = None,
    seed: SeedNumber = 1,
    steps: Annotated[
        int | None, typer.Option("--steps", metavar="N", help="How many, instead of the usual number.", min=1)
    ] = None,
    hand: Annotated[
        str | None, typer.Option("--hand", metavar="GRADE", help="Whose errors shots have; steady for none.")
    ] = None,
    opponent: Annotated[
        str | None, typer.Option("--opponent", metavar="SEAT", help="Who sits opposite in games, as with --seat.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Have a policy learn a shot or a game (extra 'learn')."""
    school: Given = import_module("flicksim.lab.learn")  # not before it is asked for: it brings Gymnasium
    if lesson is None:
        _lessons(school, as_json)
        return
    if folder is None:
        raise BadOption("say where curve and policy go: --out DIR")
    chosen = school.lesson_of(lesson, hand=hand, opponent=opponent, steps=steps)
    school.teacher_there()
    path = folder / school.CURVE
    with school.Keeper(path) as keeper:

        def begun(course: Given) -> None:
            keeper.line(course)
            for asked, scores in course.references.items():
                told = ", ".join(f"{who} {score:.3f}" for who, score in scores.items())
                err.print(f"{asked}: {told}", soft_wrap=True)

        def told(point: Given) -> None:
            keeper.line(point)
            scores = ", ".join(f"{asked} {score:.3f}" for asked, score in point.scores.items())
            err.print(f"{point.steps:9,} of {chosen.steps:,} steps  {point.seconds:7.1f} s  {scores}", soft_wrap=True)

        try:
            study = school.learn(chosen, seed, begun=begun, told=told)
        except KeyboardInterrupt:
            kept = "1 point" if keeper.points == 1 else f"{keeper.points} points"
            err.print(f"Stopped with {kept} of the curve kept in {path}.", soft_wrap=True)
            raise typer.Exit(1) from None
    policy = folder / "policy.zip"
    study.save(policy)
    if as_json:
        show_json({"course": study.course, "points": list(study.points), "curve": str(path), "policy": str(policy)})
        return
    out.print(f"The curve is kept in {path}, the policy in {policy}.", soft_wrap=True)


def _lessons(school: Given, as_json: bool) -> None:
    if as_json:
        show_json(
            [{"name": one.name, "says": one.says, "environment": one.environment, "steps": one.steps}
             for one in school.LESSONS.values()]
        )  # fmt: skip
        return
    table = Table("lesson", "what is learned", "environment", "steps")
    for one in school.LESSONS.values():
        table.add_row(one.name, one.says, one.environment, f"{one.steps:,}")
    out.print(table)
    out.print("`flicksim learn LESSON --out DIR` goes through one.")
