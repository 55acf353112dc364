"""Error of the evaluation model itself, measured against games played out, beside the sampling error.

It is measured for every game by `python -m benchmarks.model_error`, and stored beside the game's bot. Where games show
win probabilities to be too bold or too cautious throughout, they are recalibrated (temperature scaling: Guo et al., On
Calibration of Modern Neural Networks, 2017): their odds are raised to a power.
"""

from functools import lru_cache
from math import pow
from pathlib import Path

from flicksim.core.serialization import Value, from_json, read_bytes

_Z = 1.959964
_MIN_DIFFERENCE = 0.005
"""Difference of win probabilities below which the ratio is that about them [1]."""
FILE_NAME = "model_error.json"
"""Name of the file in a game's folder."""


class ModelError(Value, frozen=True, kw_only=True):
    """Standard deviations of the model error at win probability 1/2; they shrink as 4 p (1 - p).

    Args:
        level: of a win probability [1]. gap: of a difference of two win probabilities [1]; None: never measured.
        odds_power: power of the odds that recalibrates win probabilities, fitted to games [1].
    """

    level: float
    gap: float | None = None
    odds_power: float = 1.0

    def calibrated(self, chance: float) -> float:
        """Recalibrate a win probability [1]."""
        if self.odds_power == 1.0:
            return chance
        chance = min(1.0, max(0.0, chance))
        won, lost = pow(chance, self.odds_power), pow(1.0 - chance, self.odds_power)
        return won / (won + lost)

    def difference_scale(self, first: float, other: float) -> float:
        """Ratio of the difference of two win probabilities after recalibration to that before [1]."""
        low, high = sorted((first, other))
        if high - low < _MIN_DIFFERENCE:
            low, high = max(0.0, low - _MIN_DIFFERENCE), min(1.0, high + _MIN_DIFFERENCE)
        return (self.calibrated(high) - self.calibrated(low)) / (high - low)

    def win_probability_margin(self, chance: float) -> float:
        """Half the 95 % interval of the error of a win probability [1]."""
        return _Z * self.level * 4.0 * chance * (1.0 - chance)

    def difference_margin(self, chance: float) -> float:
        """Half the 95 % interval of the error of a difference of two win probabilities near `chance` [1].

        0 where that was never measured.
        """
        return _Z * (self.gap or 0.0) * 4.0 * chance * (1.0 - chance)


class ModelErrorTable(Value, frozen=True, kw_only=True):
    """Measured model errors of a game by stage.

    Args:
        seed, positions, games: of the measurement: numbers of positions, and of games or ends played from them.
        stages: errors by the fraction of the game played, in equal parts.
    """

    seed: int
    positions: int
    games: int
    stages: tuple[ModelError, ...]


@lru_cache(maxsize=16)
def load_model_error(folder: Path) -> ModelErrorTable | None:
    """Load the model errors of the game in that folder; None where never measured."""
    path = folder / FILE_NAME
    return from_json(read_bytes(path), ModelErrorTable, name=str(path)) if path.is_file() else None


def model_error_at(folder: Path, fraction_played: float) -> ModelError | None:
    """Model error at a fraction of the game played, 0 to 1; None where never measured."""
    table = load_model_error(folder)
    return None if table is None else table.stages[min(len(table.stages) - 1, int(fraction_played * len(table.stages)))]
