"""Policies that learn, by a library that is kept well: what is learned, from what, and how far it got.

A lesson is an environment with all that is to be settled before one can learn there. `learn` goes through one, and
tells of every point of its curve as it is reached. It needs the extra `learn`.
"""

from flicksim.lab.learn.curve import CURVE, Course, Keeper, Point, read_curve
from flicksim.lab.learn.lessons import LESSONS, Lesson, lesson_of, references
from flicksim.lab.learn.study import Study, learn, teacher_there

__all__ = [
    "CURVE", "LESSONS", "Course", "Keeper", "Lesson", "Point", "Study", "learn", "lesson_of", "read_curve",
    "references", "teacher_there",
]  # fmt: skip
