"""Prospects of an end under way: how likely it brings so many points, by how it lies and whose penny is next.

A small net for every number of pennies to come, learnt backwards from the last penny (`python -m
benchmarks.prospects`): of each position the best of many flicks is found by what is known of the positions it leads to.
A rule of thumb that plays on squanders the last pennies, which decide an end.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import log
from pathlib import Path

import numpy as np
import numpy.typing as npt

from flicksim.base.codec import Value, fingerprint, from_json, read_bytes
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white.equipment import Options
from flicksim.players import GRADES, Hand

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

FILE = Path(__file__).with_name("prospects.json")
MOST = 4
"""An end that brings more points counts as one that brings so many."""
GAINS: Ints = np.arange(-MOST, MOST + 1)
"""Points an end may still bring whose penny is next, less what it brings the other."""
PENNIES = 4
"""Pennies of either that are told of."""
SIGNS = len(GAINS) + 3 + 2 * PENNIES * 9 + 4
"""Numbers told of a position."""
SHAPE = (SIGNS, 64, 32, len(GAINS))
"""Numbers in each layer of a net."""
_USUAL = GRADES["club"].speed
_STEADIEST, _WILDEST = GRADES["world"].speed, GRADES["beginner"].speed
_GONE = 1e4
"""Distance of a penny that is not on the board [mm]."""


class Prospects(Value, frozen=True, kw_only=True):
    """All that was learnt.

    Args:
        seed, positions: whence it comes, positions of each hand for every number of pennies to come.
        starter: the likelihood that an end brings its starter each gain, before it begins, by grade.
        nets: one for every number of pennies to come, one first: what is usual of each sign and how far it strays, then
            weights and biases layer by layer, as half floats, little end first.
    """

    seed: int
    positions: int
    starter: dict[str, tuple[float, ...]]
    nets: tuple[bytes, ...]


class Net:
    """A net of two hidden layers, as `Prospects` keeps it."""

    def __init__(self, kept: bytes) -> None:
        numbers = np.frombuffer(kept, dtype="<f2").astype(np.float32)
        self._usual, self._strays, numbers = numbers[:SIGNS], numbers[SIGNS : 2 * SIGNS], numbers[2 * SIGNS :]
        self._layers: list[tuple[Singles, Singles]] = []
        for rows, columns in pairwise(SHAPE):
            weights, numbers = numbers[: rows * columns].reshape(rows, columns), numbers[rows * columns :]
            self._layers.append((weights, numbers[:columns]))
            numbers = numbers[columns:]

    def likely(self, told: Singles) -> Singles:
        """The likelihood of each gain, by the signs. [S, gains]"""
        found = (told - self._usual) / self._strays
        for k, (weights, biases) in enumerate(self._layers):
            found = found @ weights + biases
            if k < len(self._layers) - 1:
                found = np.maximum(found, np.float32(0.0))
        raised = np.exp(found - found.max(axis=1, keepdims=True))
        shares: Singles = raised / raised.sum(axis=1, keepdims=True)
        return shares


def digest(prospects: Prospects) -> str:
    """Sixteen hex digits that change with any of its numbers."""
    return fingerprint(prospects)


@lru_cache(maxsize=1)
def learnt() -> Prospects:
    """All that was learnt, as it is kept."""
    return from_json(read_bytes(FILE), Prospects)


@lru_cache(maxsize=1)
def nets() -> tuple[Net, ...]:
    """The nets, by pennies to come."""
    return tuple(Net(kept) for kept in learnt().nets)


def known(options: Options) -> bool:
    """True where ends by these options are like those learnt: the same board and pennies each, coins of a penny's
    size."""
    usual = Options()
    return (
        options.board_mm == usual.board_mm
        and options.pennies == PENNIES
        and 0.9 <= kit.radius(options) / kit.radius(usual) <= 1.1
    )


def unsteadiness(hand: Hand) -> float:
    """The logarithm of how many times as unsteady as a club player's a hand is; no more than those learnt of."""
    return log(min(_WILDEST, max(_STEADIEST, hand.speed)) / _USUAL)


@lru_cache(maxsize=16)
def of_starter(hand: Hand) -> tuple[float, ...]:
    """The likelihood that an end brings its starter each gain, before it begins."""
    told = learnt().starter
    grades = sorted(told, key=lambda name: GRADES[name].speed)
    at, by = log(max(1e-6, hand.speed)), [log(GRADES[name].speed) for name in grades]
    return tuple(float(np.interp(at, by, [told[name][k] for name in grades])) for k in range(len(GAINS)))


def signs(places: Floats, there: Bools, turn: Ints, unsteady: float) -> Singles:
    """Signs of ends, as told from the side of whose penny is next. [S, SIGNS]

    Args:
        places: x, y of Blue's pennies, Red's, and the white [m]. [S, N, 2] there: which lie on the board. [S, N]
        turn: whose penny is next. [S] unsteady: see `unsteadiness`.
    """
    count, each = len(turn), (places.shape[1] - 1) // 2
    white = places[:, -1]
    way = ((places[:, :-1] - white[:, None]) * 1000.0).astype(np.float32).reshape(count, 2, each, 2)
    lies = there[:, :-1].reshape(count, 2, each)
    sides = np.stack([turn, 1 - turn], axis=1)
    rows = np.arange(count)[:, None]
    way, lies = way[rows, sides], lies[rows, sides]
    gap = np.where(lies, np.hypot(way[..., 0], way[..., 1]), np.float32(_GONE))
    order = np.argsort(gap, axis=2, kind="stable")[..., :PENNIES]
    gap, way = np.take_along_axis(gap, order, 2), np.take_along_axis(way, order[..., None], 2)
    if each < PENNIES:
        more = ((0, 0), (0, 0), (0, PENNIES - each))
        gap, way = np.pad(gap, more, constant_values=_GONE), np.pad(way, (*more, (0, 0)))
    lies, x, y = gap < _GONE, way[..., 0], way[..., 1]
    best = gap[..., 0]
    inside = (gap < best[:, ::-1, None]).sum(axis=2)
    ahead = np.minimum(best[:, 1], 300.0) - np.minimum(best[:, 0], 300.0)
    far, bars = np.exp(-gap / 150.0), np.exp(-np.square(x / 25.0)) * (lies & (y < 0.0))
    of_each = (
        lies, np.exp((20.0 - gap) / 12.0), np.exp(-gap / 40.0), np.exp(-gap / 90.0),
        far * x / 40.0, far * np.abs(x) / 40.0, far * y / 40.0, bars, bars * np.exp(np.minimum(y, 0.0) / 80.0),
    )  # fmt: skip
    told = np.empty((count, SIGNS), np.float32)
    first = len(GAINS)
    told[:, :first] = (inside[:, 0] - inside[:, 1])[:, None] == GAINS
    for k, reach in enumerate((8.0, 25.0, 80.0)):
        told[:, first + k] = np.tanh(ahead / reach)
    told[:, first + 3 : -4] = np.stack(of_each, axis=-1).reshape(count, -1)
    told[:, -4] = (white[:, 1] - 0.6) / 0.1
    told[:, -3] = np.abs(white[:, 0] - kit.width(Options()) / 2.0) / 0.06
    told[:, -2] = np.maximum(0.0, (white[:, 1] - 0.7) / 0.05)
    told[:, -1] = unsteady
    return told


def likely(hand: Hand, places: Floats, there: Bools, turn: Ints, left: Ints) -> Floats:
    """The likelihood that each of these ends brings each gain to whose penny is next. [S, gains]

    Args:
        left: pennies to come, of both together. [S] The others as `signs` has them.
    """
    told = signs(places, there, turn, unsteadiness(hand))
    found = np.zeros((len(turn), len(GAINS)))
    for count in np.unique(left).tolist():
        rows = left == count
        found[rows] = nets()[count - 1].likely(told[rows])
    return found
