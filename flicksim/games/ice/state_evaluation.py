"""State evaluation of Ice Tiddly Winks: expected points of the missiles in hand, and win probability."""

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
"""Expected final points of a missile in hand, by execution noise: regression of final points on missiles left, in 40
games each of two and four bots with all known launches."""
_PIPS: Mapping[Size, int] = {"small": 1, "medium": 2, "large": 3}
_DOUBLE_FRACTION = 0.2
"""Fraction of those points that is from pieces that count double."""
_SAMPLES = 300
"""Number of samples of the launches to come, for each seat."""


def evaluate_state(view: State, after: State, seat: int, noise: ExecutionNoise) -> tuple[float, float]:
    """Expected win probability and lead in points over the others' mean.

    Args:
        view: state before the launch, for the other seats' missiles in hand and in flight.
        after: state after the launch. noise: execution noise of every player.
    """
    missiles = [after.hands[other] if other == seat else view.hands[other] for other in range(view.seats)]
    for launch in view.aloft:
        if launch.owner is not None and launch.owner != seat:
            missiles[launch.owner] = (*missiles[launch.owner], launch.piece)
    standing = np.array(rules.provisional_points(after), np.float64)
    means = expected_missile_points(noise)
    expected = np.array([sum(means[size_of(name)] for name in names) for names in missiles])
    totals_expected = standing + expected
    points = float(totals_expected[seat] - (totals_expected.sum() - totals_expected[seat]) / max(1, view.seats - 1))
    if not any(missiles):
        winners = rules.leaders(after)
        return (1.0 / len(winners) if seat in winners else 0.0), points
    totals = standing[None] + np.stack(
        [_sampled_points(noise, names, other, view.seats) for other, names in enumerate(missiles)], axis=1
    )
    is_best = totals >= totals.max(axis=1, keepdims=True)
    return float((is_best[:, seat] / is_best.sum(axis=1)).mean()), points


@lru_cache(maxsize=16)
def expected_missile_points(noise: ExecutionNoise) -> Mapping[Size, float]:
    """Expected points of a missile at a level of execution noise, interpolated between the measured levels."""
    errors = [log(GRADES[name].speed) for name in EXPECTED_POINTS]
    x = log(max(noise.speed, 1e-6))
    sizes: tuple[Size, ...] = ("small", "medium", "large")
    return {
        size: float(np.interp(x, errors[::-1], [by_size[size] for by_size in EXPECTED_POINTS.values()][::-1]))
        for size in sizes
    }


def _sampled_points(noise: ExecutionNoise, missiles: tuple[str, ...], seat: int, seats: int) -> Floats:
    """Sampled points of these missiles of a seat: nothing, their pips, or twice as much. [W]"""
    samples, means = _uniform_samples(seats)[:, seat], expected_missile_points(noise)
    points = np.zeros(len(samples))
    for k, name in enumerate(missiles):
        size = size_of(name)
        standing_probability = means[size] / _PIPS[size]
        points += _PIPS[size] * (samples[:, k] < (1.0 - 0.5 * _DOUBLE_FRACTION) * standing_probability)
        points += _PIPS[size] * (samples[:, k] < 0.5 * _DOUBLE_FRACTION * standing_probability)
    return points


@lru_cache(maxsize=8)
def _uniform_samples(seats: int) -> Floats:
    """Uniform samples of every missile, common to all states and symmetric in the seats. [W, seats, missiles]"""
    drawn = np.random.Generator(np.random.PCG64(seats)).random((_SAMPLES, seats, 15))
    return np.concatenate([np.roll(drawn, turn, axis=1) for turn in range(seats)])
