"""Aiming of launches: speeds that send a missile a given distance, and known launches after which it often stands."""

import tomllib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from pathlib import Path

from flicksim.core.serialization import Value
from flicksim.core.units import deg2rad, mm
from flicksim.scene import Size

_SPEEDS, _FIRST_AIMED = (1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0), 2
"""Speeds of the table [m/s], and the index from which on they are aimed with."""
SLANTS, _STEEPEST = (deg2rad(55.0), deg2rad(65.0), deg2rad(75.0)), deg2rad(85.0)
"""Slants of the table that are aimed with, and the steepest, which is not [rad]."""
_TABLES = tomllib.loads(Path(__file__).with_name("launches.toml").read_text(encoding="utf-8"))
_CARRY_TABLE: dict[Size, list[list[float]]] = _TABLES["carry"]
"""Distance from the launcher at which a missile comes down [m], by slant and speed."""


def speed_for_carry(size: Size, slant_index: int, carry: float) -> float:
    """Launch speed at which a missile comes down at a distance [m/s].

    Args:
        slant_index: index into `SLANTS`. carry: [m].
    """
    carries, speeds = _CARRY_TABLE[size][slant_index][_FIRST_AIMED:], _SPEEDS[_FIRST_AIMED:]
    i = min(max(bisect_right(carries, carry), 1), len(carries) - 1)
    fraction = (carry - carries[i - 1]) / (carries[i] - carries[i - 1])
    low, high = speeds[i - 1], speeds[i]
    return min(speeds[-1], max(speeds[0] / 2.0, low + fraction * (high - low)))


def carry_for(size: Size, slant: float, speed: float) -> float:
    """Approximate distance at which a missile comes down [m], interpolated; constant outside the table.

    Args:
        slant: elevation of the strike [rad]. speed: [m/s].
    """
    carries = [_interpolate(speed, _SPEEDS, row) for row in _CARRY_TABLE[size]]
    return _interpolate(slant, (*SLANTS, _STEEPEST), carries)


def _interpolate(x: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    i = min(max(bisect_right(xs, x), 1), len(xs) - 1)
    fraction = min(max((x - xs[i - 1]) / (xs[i] - xs[i - 1]), 0.0), 1.0)
    return ys[i - 1] + fraction * (ys[i] - ys[i - 1])


class KnownLaunch(Value, frozen=True, kw_only=True):
    """Known launch, independent of its direction and of its place along the start line.

    Args:
        speed: [m/s]. slant: elevation of the strike [rad]. height: height of the strike on the base [m].
        lift: height of the launcher over the table [m]. carry: distance at which a standing missile ends [m].
    """

    speed: float
    slant: float
    height: float
    lift: float
    carry: float


def _launch(speed: float, slant: float, height: float, lift: float, carry: float) -> KnownLaunch:
    return KnownLaunch(speed=speed, slant=deg2rad(slant), height=mm(height), lift=mm(lift), carry=mm(carry))


LaunchesBySize = Mapping[Size, tuple[KnownLaunch, ...]]

KNOWN_LAUNCHES: Mapping[str, LaunchesBySize] = {
    grade: {size: tuple(_launch(*row) for row in rows) for size, rows in by_size.items()}
    for grade, by_size in _TABLES["known"].items()
}
"""Known launches by grade of the bot and size of the missile; a beginner has none."""
