"""State evaluation of Ice Tiddly Winks: expected points of the missiles in hand, and win probability."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import log

import numpy as np
import numpy.typing as npt

from flicksim.ai import GRADES, ExecutionNoise
from flicksim.games.ice import rules
from flicksim.games.ice.state import State
from flicksim.games.ice.table_layout import size_of
from flicksim.scene import Size

Floats = npt.NDArray[np.float64]

EXPECTED_POINTS: Mapping[str, Mapping[Size, float]] = {
    "beginner": {"small": 0.23, "medium": 0.34, "large": 0.49},
    "club": {"small": 0.50, "medium": 0.74, "large": 0.86},
    "world": {"small": 0.58, "medium": 0.82, "large": 1.07},
}
"""Points a missile in hand counts in the end, in the mean, by hand: so the final points of 40 games each of two and
four bots that have all known launches rise with what they had left, whatever stood already."""
_PIPS: Mapping[Size, int] = {"small": 1, "medium": 2, "large": 3}
_DOUBLE_FRACTION = 0.2
"""The share of those points that comes of pieces that count double."""
_SAMPLES = 300
"""Ways in which the launches to come are drawn, for each seat."""


def evaluate_state(view: State, after: State, seat: int, noise: ExecutionNoise) -> tuple[float, float]:
    """Expected win probability and lead in points over the others' mean.

    Args:
        view: before the launch: what the others hold and have in the air, for they are not played on meanwhile.
        after: as it comes to lie. noise: execution noise of every player.
    """
    left = [after.hands[one] if one == seat else view.hands[one] for one in range(view.seats)]
    for launch in view.aloft:
        if launch.owner is not None and launch.owner != seat:
            left[launch.owner] = (*left[launch.owner], launch.piece)
    standing = np.array(rules.provisional_points(after), np.float64)
    means = expected_missile_points(noise)
    due = np.array([sum(means[size_of(name)] for name in names) for names in left])
    whole = standing + due
    points = float(whole[seat] - (whole.sum() - whole[seat]) / max(1, view.seats - 1))
    if not any(left):
        best = rules.leaders(after)
        return (1.0 / len(best) if seat in best else 0.0), points
    totals = standing[None] + np.stack(
        [_sampled_points(noise, names, one, view.seats) for one, names in enumerate(left)], axis=1
    )
    best_of = totals >= totals.max(axis=1, keepdims=True)
    return float((best_of[:, seat] / best_of.sum(axis=1)).mean()), points


@lru_cache(maxsize=16)
def expected_missile_points(noise: ExecutionNoise) -> Mapping[Size, float]:
    """Expected points of a missile at a level of execution noise, interpolated between the measured levels."""
    errors = [log(GRADES[name].speed) for name in EXPECTED_POINTS]
    at = log(max(noise.speed, 1e-6))
    sizes: tuple[Size, ...] = ("small", "medium", "large")
    return {
        size: float(np.interp(at, errors[::-1], [of[size] for of in EXPECTED_POINTS.values()][::-1])) for size in sizes
    }


def _sampled_points(noise: ExecutionNoise, missiles: tuple[str, ...], seat: int, seats: int) -> Floats:
    """Sampled points of these missiles of a seat: nothing, their pips, or twice as much. [W]"""
    samples, means = _uniform_samples(seats)[:, seat], expected_missile_points(noise)
    found = np.zeros(len(samples))
    for k, name in enumerate(missiles):
        size = size_of(name)
        stands = means[size] / _PIPS[size]
        found += _PIPS[size] * (samples[:, k] < (1.0 - 0.5 * _DOUBLE_FRACTION) * stands)
        found += _PIPS[size] * (samples[:, k] < 0.5 * _DOUBLE_FRACTION * stands)
    return found


@lru_cache(maxsize=8)
def _uniform_samples(seats: int) -> Floats:
    """Uniform samples of every missile, common to all tables, equal for all seats' orders. [W, seats, missiles]"""
    drawn = np.random.Generator(np.random.PCG64(seats)).random((_SAMPLES, seats, 15))
    return np.concatenate([np.roll(drawn, turn, axis=1) for turn in range(seats)])
