"""Learned value function of an end: the distribution of its points by position and player to move.

A small network for every number of pennies to come, learnt backwards from the last penny (`python -m
benchmarks.value_table`): of each position the best of many flicks is found by what is known of the positions it leads
to. A heuristic that plays on squanders the last pennies, which decide an end.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import log
from pathlib import Path

import numpy as np
import numpy.typing as npt

from flicksim.ai import GRADES, ExecutionNoise
from flicksim.core.serialization import Value, fingerprint, from_json, read_bytes
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white.equipment import Options

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

FILE = Path(__file__).with_name("prospects.json")
MAX_POINTS = 4
"""An end that brings more points counts as one that brings so many."""
GAINS: Ints = np.arange(-MAX_POINTS, MAX_POINTS + 1)
"""Points an end may still bring whose penny is next, less what it brings the other."""
MAX_PENNIES = 4
"""Pennies of either that are told of."""
FEATURES = len(GAINS) + 3 + 2 * MAX_PENNIES * 9 + 4
"""Numbers told of a position."""
LAYER_SIZES = (FEATURES, 64, 32, len(GAINS))
"""Numbers in each layer of a network."""
_REFERENCE_STD = GRADES["club"].speed
_MIN_STD, _MAX_STD = GRADES["world"].speed, GRADES["beginner"].speed
_OFF_BOARD_DISTANCE = 1e4
"""Distance of a penny that is not on the board [mm]."""


class ValueTable(Value, frozen=True, kw_only=True):
    """Parameters of the learned value function.

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


class Network:
    """Neural network of two hidden layers, with the weights of `ValueTable`."""

    def __init__(self, kept: bytes) -> None:
        numbers = np.frombuffer(kept, dtype="<f2").astype(np.float32)
        self._feature_mean, self._feature_std, numbers = (
            numbers[:FEATURES],
            numbers[FEATURES : 2 * FEATURES],
            numbers[2 * FEATURES :],
        )
        self._layers: list[tuple[Singles, Singles]] = []
        for rows, columns in pairwise(LAYER_SIZES):
            weights, numbers = numbers[: rows * columns].reshape(rows, columns), numbers[rows * columns :]
            self._layers.append((weights, numbers[:columns]))
            numbers = numbers[columns:]

    def probabilities(self, features: Singles) -> Singles:
        """Probability of each gain from the features. [S, gains]"""
        found = (features - self._feature_mean) / self._feature_std
        for k, (weights, biases) in enumerate(self._layers):
            found = found @ weights + biases
            if k < len(self._layers) - 1:
                found = np.maximum(found, np.float32(0.0))
        raised = np.exp(found - found.max(axis=1, keepdims=True))
        shares: Singles = raised / raised.sum(axis=1, keepdims=True)
        return shares


def fingerprint_of(prospects: ValueTable) -> str:
    """Fingerprint of the table: sixteen hex digits that depend on every number in it."""
    return fingerprint(prospects)


@lru_cache(maxsize=1)
def load_value_table() -> ValueTable:
    """Load the value table."""
    return from_json(read_bytes(FILE), ValueTable)


@lru_cache(maxsize=1)
def load_networks() -> tuple[Network, ...]:
    """Load the networks, by pennies to come."""
    return tuple(Network(kept) for kept in load_value_table().nets)


def is_covered(options: Options) -> bool:
    """Return True if ends by these options are like those learnt: the same board and pennies each, coins of a penny's
    size."""
    usual = Options()
    return (
        options.board_mm == usual.board_mm
        and options.pennies == MAX_PENNIES
        and 0.9 <= kit.radius(options) / kit.radius(usual) <= 1.1
    )


def log_noise_ratio(noise: ExecutionNoise) -> float:
    """Logarithm of the execution noise relative to a club player's, limited to the range of the training data."""
    return log(min(_MAX_STD, max(_MIN_STD, noise.speed)) / _REFERENCE_STD)


@lru_cache(maxsize=16)
def starter_gain_probabilities(noise: ExecutionNoise) -> tuple[float, ...]:
    """Probability of each gain of the starter of an end, before it begins."""
    by_grade = load_value_table().starter
    grades = sorted(by_grade, key=lambda name: GRADES[name].speed)
    at, by = log(max(1e-6, noise.speed)), [log(GRADES[name].speed) for name in grades]
    return tuple(float(np.interp(at, by, [by_grade[name][k] for name in grades])) for k in range(len(GAINS)))


def features_of(positions: Floats, on_board: Bools, turn: Ints, log_noise: float) -> Singles:
    """Features of ends from the view of the player to move. [S, FEATURES]

    Args:
        positions: x, y of Blue's pennies, Red's, and the white [m]. [S, N, 2] on_board: which lie on the board. [S, N]
        turn: whose penny is next. [S] log_noise: see `log_noise_ratio`.
    """
    count, each = len(turn), (positions.shape[1] - 1) // 2
    white = positions[:, -1]
    way = ((positions[:, :-1] - white[:, None]) * 1000.0).astype(np.float32).reshape(count, 2, each, 2)
    lies = on_board[:, :-1].reshape(count, 2, each)
    sides = np.stack([turn, 1 - turn], axis=1)
    rows = np.arange(count)[:, None]
    way, lies = way[rows, sides], lies[rows, sides]
    gap = np.where(lies, np.hypot(way[..., 0], way[..., 1]), np.float32(_OFF_BOARD_DISTANCE))
    order = np.argsort(gap, axis=2, kind="stable")[..., :MAX_PENNIES]
    gap, way = np.take_along_axis(gap, order, 2), np.take_along_axis(way, order[..., None], 2)
    if each < MAX_PENNIES:
        more = ((0, 0), (0, 0), (0, MAX_PENNIES - each))
        gap, way = np.pad(gap, more, constant_values=_OFF_BOARD_DISTANCE), np.pad(way, (*more, (0, 0)))
    lies, x, y = gap < _OFF_BOARD_DISTANCE, way[..., 0], way[..., 1]
    best = gap[..., 0]
    inside = (gap < best[:, ::-1, None]).sum(axis=2)
    ahead = np.minimum(best[:, 1], 300.0) - np.minimum(best[:, 0], 300.0)
    far, bars = np.exp(-gap / 150.0), np.exp(-np.square(x / 25.0)) * (lies & (y < 0.0))
    of_each = (
        lies, np.exp((20.0 - gap) / 12.0), np.exp(-gap / 40.0), np.exp(-gap / 90.0),
        far * x / 40.0, far * np.abs(x) / 40.0, far * y / 40.0, bars, bars * np.exp(np.minimum(y, 0.0) / 80.0),
    )  # fmt: skip
    features = np.empty((count, FEATURES), np.float32)
    first = len(GAINS)
    features[:, :first] = (inside[:, 0] - inside[:, 1])[:, None] == GAINS
    for k, reach in enumerate((8.0, 25.0, 80.0)):
        features[:, first + k] = np.tanh(ahead / reach)
    features[:, first + 3 : -4] = np.stack(of_each, axis=-1).reshape(count, -1)
    features[:, -4] = (white[:, 1] - 0.6) / 0.1
    features[:, -3] = np.abs(white[:, 0] - kit.board_width(Options()) / 2.0) / 0.06
    features[:, -2] = np.maximum(0.0, (white[:, 1] - 0.7) / 0.05)
    features[:, -1] = log_noise
    return features


def gain_probabilities(
    noise: ExecutionNoise, positions: Floats, on_board: Bools, turn: Ints, pennies_left: Ints
) -> Floats:
    """Probability of each gain of the player to move, for each end. [S, gains]

    Args:
        pennies_left: pennies to come, of both together. [S] The others as `features_of` has them.
    """
    features = features_of(positions, on_board, turn, log_noise_ratio(noise))
    found = np.zeros((len(turn), len(GAINS)))
    for count in np.unique(pennies_left).tolist():
        rows = pennies_left == count
        found[rows] = load_networks()[count - 1].probabilities(features[rows])
    return found
