"""Learning curves in JSON Lines files: a line that describes the training run, then one for each point."""

from pathlib import Path
from types import TracebackType
from typing import Self

from flicksim.core.atomic_files import os_error_message
from flicksim.core.errors import InvalidFile
from flicksim.core.serialization import Value, from_json, read_bytes, to_json
from flicksim.core.type_aliases import JsonValue


class TrainingInfo(Value, frozen=True, kw_only=True):
    """Description of a training run.

    Args:
        lesson: name of the task. seed: of all random streams. steps: environment steps in all.
        environment, settings: its id and settings. method: name of the algorithm. versions: of the packages used.
        references: scores of baselines in the same evaluation, by score and baseline.
    """

    lesson: str
    seed: int
    steps: int
    environment: str
    settings: dict[str, JsonValue]
    method: str
    versions: dict[str, str]
    references: dict[str, dict[str, float]]


class CurvePoint(Value, frozen=True, kw_only=True):
    """Point of a learning curve: scores after so many steps.

    Args:
        steps: environment steps so far. seconds: processor time of the training so far, without the evaluations.
        scores: share potted or won, or mean reward, by name of the score. asked: shots or games of an evaluation.
    """

    steps: int
    seconds: float
    scores: dict[str, float]
    asked: int


class CurveWriter:
    """Writer of a learning curve, line by line, so that an interrupted run keeps its points.

    Args:
        path: of the file; its folder is made if need be.

    Raises:
        InvalidFile: it cannot be written, or is there already.
    """

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("xb")
        except FileExistsError:
            raise InvalidFile(f"{str(path)!r} is there already; choose another folder") from None
        except OSError as error:
            raise InvalidFile(f"cannot write {str(path)!r}: {os_error_message(error)}") from None
        self._path, self._lines = path, 0

    @property
    def point_count(self) -> int:
        """Number of points written so far."""
        return max(0, self._lines - 1)

    def write(self, value: TrainingInfo | CurvePoint) -> None:
        """Write a line: first the run, then its points.

        Raises:
            InvalidFile: it cannot be written.
        """
        try:
            self._file.write(to_json(value) + b"\n")
            self._file.flush()
            self._lines += 1
        except OSError as error:
            raise InvalidFile(f"cannot write {str(self._path)!r}: {os_error_message(error)}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()


def read_curve(path: Path | str) -> tuple[TrainingInfo, tuple[CurvePoint, ...]]:
    """Read a learning curve from its file or folder.

    Raises:
        InvalidFile: there is none, or the file is no learning curve.
    """
    path = Path(path)
    rows = read_bytes(path / CURVE if path.is_dir() else path).splitlines()
    if not rows:
        raise InvalidFile(f"{str(path)!r} is empty; it must hold a learning curve")
    return from_json(rows[0], TrainingInfo), tuple(from_json(line, CurvePoint) for line in rows[1:])


CURVE = "curve.jsonl"
"""File name of a learning curve."""
