"""A learning curve as it is kept: a line of JSON for what is learned, then one for each point."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from flicksim.base.codec import Value, from_json, read_bytes, to_json
from flicksim.base.errors import BadFile
from flicksim.base.files import reason
from flicksim.base.kinds import Plain


class Course(Value, frozen=True, kw_only=True):
    """A course of learning.

    Args:
        lesson: its name. seed: of all chance. steps: of the environment, to be made in all.
        environment, settings: where. method: how. versions: of what it hangs on.
        references: what others score on the same questions: by question, then by who.
    """

    lesson: str
    seed: int
    steps: int
    environment: str
    settings: dict[str, Plain]
    method: str
    versions: dict[str, str]
    references: dict[str, dict[str, float]]


class Point(Value, frozen=True, kw_only=True):
    """A point of the curve: the score after so many steps.

    Args:
        steps: made so far. seconds: of processor time spent on them, without the asking.
        scores: by question: what share was potted or won, or what the mean reward was. asked: shots or games of each.
    """

    steps: int
    seconds: float
    scores: dict[str, float]
    asked: int


class Keeper:
    """Writes a curve a line at a time, so that what is cut short keeps what it had.

    Args:
        path: of the file; its folder is made if need be.

    Raises:
        BadFile: it cannot be written, or is there already.
    """

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("xb")
        except FileExistsError:
            raise BadFile(f"{str(path)!r} is there already; choose another folder") from None
        except OSError as wrong:
            raise BadFile(f"cannot write {str(path)!r}: {reason(wrong)}") from None
        self._path, self._lines = path, 0

    @property
    def points(self) -> int:
        """Points kept so far; the first line tells of the course."""
        return max(0, self._lines - 1)

    def line(self, value: Course | Point) -> None:
        """Keep one more line: first the course, then its points.

        Raises:
            BadFile: it cannot be written.
        """
        try:
            self._file.write(to_json(value) + b"\n")
            self._file.flush()
            self._lines += 1
        except OSError as wrong:
            raise BadFile(f"cannot write {str(self._path)!r}: {reason(wrong)}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, wrong: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()


def read_curve(path: Path | str) -> tuple[Course, tuple[Point, ...]]:
    """A curve that was kept, by its file or the folder it is in.

    Raises:
        BadFile: there is none, or not such a one.
    """
    path = Path(path)
    lines = read_bytes(path / CURVE if path.is_dir() else path).splitlines()
    if not lines:
        raise BadFile(f"{str(path)!r} is empty; it must hold a learning curve")
    return from_json(lines[0], Course), tuple(from_json(line, Point) for line in lines[1:])


CURVE = "curve.jsonl"
"""Name of a curve's file in its folder."""
