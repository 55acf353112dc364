"""The error of the model itself: how far the chances it tells lie off games played out, beside the luck of its tries.

Of every game it was measured by `python -m benchmarks.model_error`, and is kept beside the game's bot.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from flicksim.base.codec import Value, from_json, read_bytes

_Z = 1.959964
NAME = "model_error.json"
"""Name of the file in a game's folder."""


class ModelError(Value, frozen=True, kw_only=True):
    """Standard deviations of the model's error at an even chance; at others they shrink as 4 p (1 - p) does.

    Args:
        level: of a chance to win [1]. gap: of how much oftener one plan wins than another [1]; None: never measured.
    """

    level: float
    gap: float | None = None

    def of_chance(self, chance: float) -> float:
        """Half the 95 % interval of that error of a chance [1]."""
        return _Z * self.level * 4.0 * chance * (1.0 - chance)

    def of_gap(self, chance: float) -> float:
        """The same of how much oftener one plan wins than another, where these win about so often [1]; nothing where
        that was never measured."""
        return _Z * (self.gap or 0.0) * 4.0 * chance * (1.0 - chance)


class Measured(Value, frozen=True, kw_only=True):
    """All that was measured of a game.

    Args:
        seed, positions, games: whence it comes: positions, and games or ends played out from them.
        stages: the errors by how much of the game is over, in as many equal parts.
    """

    seed: int
    positions: int
    games: int
    stages: tuple[ModelError, ...]


@lru_cache(maxsize=16)
def measured(folder: Path) -> Measured | None:
    """Return what was measured of the game in that folder, or None."""
    path = folder / NAME
    return from_json(read_bytes(path), Measured, name=str(path)) if path.is_file() else None


def measured_error(folder: Path, gone: float) -> ModelError | None:
    """The error of the model itself in a game of which that share is over, 0 to 1; None where none was measured."""
    told = measured(folder)
    return None if told is None else told.stages[min(len(told.stages) - 1, int(gone * len(told.stages)))]
