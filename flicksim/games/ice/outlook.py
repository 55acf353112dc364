"""The outlook of a table in Ice Tiddly Winks: what the missiles in hand may still come to, and who wins then."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import log

import numpy as np
import numpy.typing as npt

from flicksim.games.ice import rules
from flicksim.games.ice.seats import size_of
from flicksim.games.ice.state import State
from flicksim.players import GRADES, Hand
from flicksim.table import Size

Floats = npt.NDArray[np.float64]

HOPED: Mapping[str, Mapping[Size, float]] = {
    "beginner": {"small": 0.23, "medium": 0.34, "large": 0.49},
    "club": {"small": 0.50, "medium": 0.74, "large": 0.86},
    "world": {"small": 0.58, "medium": 0.82, "large": 1.07},
}
"""Points a missile in hand counts in the end, in the mean, by hand: so the final points of 40 games each of two and
four bots that know every launch by heart rise with what they had left, whatever stood already."""
_PIPS: Mapping[Size, int] = {"small": 1, "medium": 2, "large": 3}
_DOUBLED = 0.2
"""The share of those points that comes of pieces that count double."""
_DRAWN = 300
"""Ways in which the launches to come are drawn, for each seat."""


def told(view: State, after: State, seat: int, hand: Hand) -> tuple[float, float]:
    """The chance to win and the points ahead of the others' mean that a seat may expect.

    Args:
        view: before the launch: what the others hold and have in the air, for they are not played on meanwhile.
        after: as it comes to lie. hand: everybody's.
    """
    left = [after.hands[one] if one == seat else view.hands[one] for one in range(view.seats)]
    for launch in view.aloft:
        if launch.owner is not None and launch.owner != seat:
            left[launch.owner] = (*left[launch.owner], launch.piece)
    standing = np.array(rules.standing(after), np.float64)
    worth = hoped(hand)
    due = np.array([sum(worth[size_of(name)] for name in names) for names in left])
    whole = standing + due
    points = float(whole[seat] - (whole.sum() - whole[seat]) / max(1, view.seats - 1))
    if not any(left):
        best = rules.winning(after)
        return (1.0 / len(best) if seat in best else 0.0), points
    came = standing[None] + np.stack([_drawn(hand, names, one, view.seats) for one, names in enumerate(left)], axis=1)
    best_of = came >= came.max(axis=1, keepdims=True)
    return float((best_of[:, seat] / best_of.sum(axis=1)).mean()), points


@lru_cache(maxsize=16)
def hoped(hand: Hand) -> Mapping[Size, float]:
    """Points a missile in such a hand counts in the end, between the hands that are known in proportion."""
    errors = [log(GRADES[name].speed) for name in HOPED]
    at = log(max(hand.speed, 1e-6))
    sizes: tuple[Size, ...] = ("small", "medium", "large")
    return {size: float(np.interp(at, errors[::-1], [of[size] for of in HOPED.values()][::-1])) for size in sizes}


def _drawn(hand: Hand, names: tuple[str, ...], seat: int, seats: int) -> Floats:
    """Points these missiles of a seat bring, way by way: nothing, their pips, or twice as much. [W]"""
    luck, worth = _luck(seats)[:, seat], hoped(hand)
    found = np.zeros(len(luck))
    for k, name in enumerate(names):
        size = size_of(name)
        stands = worth[size] / _PIPS[size]
        found += _PIPS[size] * (luck[:, k] < (1.0 - 0.5 * _DOUBLED) * stands)
        found += _PIPS[size] * (luck[:, k] < 0.5 * _DOUBLED * stands)
    return found


@lru_cache(maxsize=8)
def _luck(seats: int) -> Floats:
    """Luck of every missile, the same for every table; who sits where makes no difference. [W, seats, missiles]"""
    drawn = np.random.Generator(np.random.PCG64(seats)).random((_DRAWN, seats, 15))
    return np.concatenate([np.roll(drawn, turn, axis=1) for turn in range(seats)])
