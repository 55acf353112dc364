"""Learned value function of an end: the distribution of its points by position and player to move.

One small network for each number of pennies left, trained backwards from the last penny (`python -m
benchmarks.value_table`): the target of a position is the best of many flicks by the values of the positions after them
(fitted value iteration). Heuristic rollouts misplay the last pennies, which decide an end.
"""

from functools import lru_cache
from itertools import pairwise
from math import log
from pathlib import Path

import numpy as np
import numpy.typing as npt

from flicksim.ai import GRADES, ExecutionNoise
from flicksim.core.arrays import Bools, Floats, Ints
from flicksim.core.serialization import Value, from_json, read_bytes
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white.equipment import Options

Singles = npt.NDArray[np.float32]

FILE = Path(__file__).with_name("prospects.json")
MAX_POINTS = 4
"""Largest gain distinguished; larger ones count as this."""
GAINS: Ints = np.arange(-MAX_POINTS, MAX_POINTS + 1)
"""Possible gains of an end for the player to move: own points less the opponent's."""
MAX_PENNIES = 4
"""Pennies of each player in the features."""
FEATURES = len(GAINS) + 3 + 2 * MAX_PENNIES * 9 + 4
"""Number of features of a position."""
LAYER_SIZES = (FEATURES, 64, 32, len(GAINS))
"""Sizes of the layers of a network."""
_REFERENCE_STD = GRADES["club"].speed
_MIN_STD, _MAX_STD = GRADES["world"].speed, GRADES["beginner"].speed
_OFF_BOARD_DISTANCE = 1e4
"""Distance of a penny that is not on the board [mm]."""


class ValueTable(Value, frozen=True, kw_only=True):
    """Parameters of the learned value function.

    Args:
        seed: of the training. positions: training positions for each noise grade and number of pennies left.
        starter: probability of each gain for the starter of an end, before it begins, by grade.
        nets: network for each number of pennies left, from one: means and standard deviations of the features, then
            weights and biases layer by layer, as little-endian half floats.
    """

    seed: int
    positions: int
    starter: dict[str, tuple[float, ...]]
    nets: tuple[bytes, ...]


class Network:
    """Neural network of two hidden layers, with the weights of `ValueTable`."""

    def __init__(self, data: bytes) -> None:
        numbers = np.frombuffer(data, dtype="<f2").astype(np.float32)
        self._feature_mean, self._feature_std, numbers = np.split(numbers, (FEATURES, 2 * FEATURES))
        self._layers: list[tuple[Singles, Singles]] = []
        for rows, columns in pairwise(LAYER_SIZES):
            weights, biases, numbers = np.split(numbers, (rows * columns, (rows + 1) * columns))
            self._layers.append((weights.reshape(rows, columns), biases))

    def probabilities(self, features: Singles) -> Singles:
        """Probability of each gain from the features. [S, gains]"""
        activations: Singles = (features - self._feature_mean) / self._feature_std
        for k, (weights, biases) in enumerate(self._layers):
            activations = activations @ weights + biases
            if k < len(self._layers) - 1:
                np.maximum(activations, np.float32(0.0), out=activations)
        activations -= activations.max(axis=1, keepdims=True)
        np.exp(activations, out=activations)
        activations /= activations.sum(axis=1, keepdims=True)
        return activations


@lru_cache(maxsize=1)
def load_value_table() -> ValueTable:
    """Load the value table."""
    return from_json(read_bytes(FILE), ValueTable)


@lru_cache(maxsize=1)
def load_networks() -> tuple[Network, ...]:
    """Load the networks, by pennies to come."""
    return tuple(Network(data) for data in load_value_table().nets)


def is_covered(options: Options) -> bool:
    """Return True if the options are like those of the training: the same board and number of pennies, coins of about
    the same size."""
    trained = Options()
    return (
        options.board_mm == trained.board_mm
        and options.pennies == MAX_PENNIES
        and 0.9 <= kit.radius(options) / kit.radius(trained) <= 1.1
    )


def log_noise_ratio(noise: ExecutionNoise) -> float:
    """Logarithm of the execution noise relative to a club player's, limited to the range of the training data."""
    return log(min(_MAX_STD, max(_MIN_STD, noise.speed)) / _REFERENCE_STD)


@lru_cache(maxsize=16)
def starter_gain_probabilities(noise: ExecutionNoise) -> tuple[float, ...]:
    """Probability of each gain of the starter of an end, before it begins."""
    by_grade = load_value_table().starter
    grades = sorted(by_grade, key=lambda name: GRADES[name].speed)
    x, xs = log(max(1e-6, noise.speed)), [log(GRADES[name].speed) for name in grades]
    return tuple(float(np.interp(x, xs, [by_grade[name][k] for name in grades])) for k in range(len(GAINS)))


def features_of(positions: Floats, on_board: Bools, turn: Ints, log_noise: float) -> Singles:
    """Features of ends from the view of the player to move. [S, FEATURES]

    Args:
        positions: x, y of Blue's pennies, Red's, and the white [m]. [S, N, 2] on_board: which lie on the board. [S, N]
        turn: seat to play. [S] log_noise: see `log_noise_ratio`.
    """
    count, pennies = len(turn), (positions.shape[1] - 1) // 2
    white = positions[:, -1]
    offset = ((positions[:, :-1] - white[:, None]) * 1000.0).astype(np.float32).reshape(count, 2, pennies, 2)
    on_table = on_board[:, :-1].reshape(count, 2, pennies)
    sides = np.stack([turn, 1 - turn], axis=1)
    rows = np.arange(count)[:, None]
    offset, on_table = offset[rows, sides], on_table[rows, sides]
    distance = np.where(on_table, np.hypot(offset[..., 0], offset[..., 1]), np.float32(_OFF_BOARD_DISTANCE))
    order = np.argsort(distance, axis=2, kind="stable")[..., :MAX_PENNIES]
    distance, offset = np.take_along_axis(distance, order, 2), np.take_along_axis(offset, order[..., None], 2)
    if pennies < MAX_PENNIES:
        padding = ((0, 0), (0, 0), (0, MAX_PENNIES - pennies))
        distance, offset = (
            np.pad(distance, padding, constant_values=_OFF_BOARD_DISTANCE),
            np.pad(offset, (*padding, (0, 0))),
        )
    on_table, x, y = distance < _OFF_BOARD_DISTANCE, offset[..., 0], offset[..., 1]
    nearest = distance[..., 0]
    inside = (distance < nearest[:, ::-1, None]).sum(axis=2)
    lead = np.minimum(nearest[:, 1], 300.0) - np.minimum(nearest[:, 0], 300.0)
    near, blocks = np.exp(-distance / 150.0), np.exp(-np.square(x / 25.0)) * (on_table & (y < 0.0))
    per_penny = (
        on_table, np.exp((20.0 - distance) / 12.0), np.exp(-distance / 40.0), np.exp(-distance / 90.0),
        near * x / 40.0, near * np.abs(x) / 40.0, near * y / 40.0, blocks, blocks * np.exp(np.minimum(y, 0.0) / 80.0),
    )  # fmt: skip
    features = np.empty((count, FEATURES), np.float32)
    first = len(GAINS)
    features[:, :first] = (inside[:, 0] - inside[:, 1])[:, None] == GAINS
    for k, reach in enumerate((8.0, 25.0, 80.0)):
        features[:, first + k] = np.tanh(lead / reach)
    features[:, first + 3 : -4] = np.stack(per_penny, axis=-1).reshape(count, -1)
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
        pennies_left: pennies not yet flicked, both seats together. [S] Others: see `features_of`.
    """
    features = features_of(positions, on_board, turn, log_noise_ratio(noise))
    probabilities = np.zeros((len(turn), len(GAINS)))
    for count in np.unique(pennies_left).tolist():
        rows = pennies_left == count
        probabilities[rows] = load_networks()[count - 1].probabilities(features[rows])
    return probabilities
