"""Going through a lesson: proximal policy optimisation, with moves that are not allowed masked where there are such."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from flicksim.base.errors import BadOption, MissingExtra
from flicksim.base.kinds import Given
from flicksim.lab.env import shot_env, versus_env
from flicksim.lab.learn.curve import Course, Point
from flicksim.lab.learn.lessons import Lesson, references

_NEEDED = ("torch", "stable-baselines3", "sb3-contrib")


@dataclass(frozen=True, slots=True)
class Study:
    """A policy that was learned, with its curve.

    Args:
        course: of what. points: of its curve. model: the policy, as the library has it.
    """

    course: Course
    points: tuple[Point, ...]
    model: Given = field(repr=False)

    def save(self, path: Path) -> None:
        """Keep the policy in a file of the library's own kind."""
        self.model.save(path)


def teacher_there() -> Given:
    """The teacher, with its extra installed.

    Raises:
        MissingExtra: the library is not installed.
    """
    try:
        return import_module("flicksim.lab.learn.teacher")
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("torch", "stable_baselines3", "sb3_contrib"):
            raise
        raise MissingExtra("learning a policy", "learn") from None


def learn(
    lesson: Lesson, seed: int, *, begun: Callable[[Course], None] = lambda _: None,
    told: Callable[[Point], None] = lambda _: None,
) -> Study:  # fmt: skip
    """Go through a lesson. The same seed gives the same curve, on the same machine and versions.

    Args:
        begun: told once of what is learned, with what others score. told: of each point as it is reached.

    Raises:
        MissingExtra: the library is not installed. BadOption: no steps, or a seed that is none.
    """
    teacher = teacher_there()
    if lesson.steps < 1 or not 0 <= seed < 2**31:
        raise BadOption(f"steps={lesson.steps} must be 1 or more, and seed={seed} 0 to {2**31 - 1}")
    number = shot_env.VERSION if lesson.kind == "shot" else versus_env.VERSION
    course = Course(
        lesson=lesson.name, seed=seed, steps=lesson.steps, environment=f"{lesson.environment}-v{number}",
        settings=dict(lesson.settings), method=teacher.method_of(lesson),
        versions={name: _version(name) for name in ("flicksim", *_NEEDED)}, references=references(lesson, seed),
    )  # fmt: skip
    begun(course)
    points: list[Point] = []

    def reached(point: Point) -> None:
        points.append(point)
        told(point)

    model = teacher.taught(lesson, seed, reached)
    return Study(course, tuple(points), model)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
