"""Fits a small net to likelihoods: two hidden layers, by Adam."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]

_ROUNDS, _BATCH, _RATE, _DRAWN = 25, 1024, 3e-3, 1e-5
"""Rounds through all rows, rows a step, how far the first step goes, and how strongly weights are drawn to nothing."""


def fitted(told: Singles, likely: Floats, shape: Sequence[int], seed: int) -> bytes:
    """The net that tells these likelihoods by these signs, as half floats: what is usual of each sign, how far it
    strays, then weights and biases layer by layer.

    Args:
        told: signs. [S, shape[0]] likely: shares that add up to one. [S, shape[-1]]
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    usual, strays = told.mean(axis=0), told.std(axis=0) + np.float32(0.05)
    told = (told - usual) / strays
    weights = [
        (rng.standard_normal((rows, columns)) * np.sqrt(1.5 / rows)).astype(np.float32)
        for rows, columns in pairwise(shape)
    ]
    weights[-1] *= np.float32(0.1)
    parts = [*weights, *(np.zeros(columns, np.float32) for columns in shape[1:])]
    means, squares = [np.zeros_like(part) for part in parts], [np.zeros_like(part) for part in parts]
    steps, step = _ROUNDS * -(-len(told) // _BATCH), 0
    for _ in range(_ROUNDS):
        order = rng.permutation(len(told))
        for first in range(0, len(told), _BATCH):
            rows = order[first : first + _BATCH]
            step += 1
            rate = _RATE * (1.0 - step / steps) + 1e-5
            for part, slope, mean, square in zip(
                parts, _slopes(parts, told[rows], likely[rows]), means, squares, strict=True
            ):
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope * slope - square)
                part -= rate * (mean / (1.0 - 0.9**step)) / (np.sqrt(square / (1.0 - 0.999**step)) + 1e-8)
    count = len(shape) - 1
    numbers = [usual, strays]
    for k in range(count):
        numbers += [parts[k].ravel(), parts[count + k]]
    return np.concatenate(numbers).astype("<f2").tobytes()


def _slopes(parts: Sequence[Singles], told: Singles, likely: Floats) -> list[Singles]:
    """Growth of the misfit with every number of the net."""
    count = len(parts) // 2
    layers = [told]
    for k in range(count):
        after = layers[-1] @ parts[k] + parts[count + k]
        layers.append(np.maximum(after, 0.0) if k < count - 1 else after)
    raised = np.exp(layers[-1] - layers[-1].max(axis=1, keepdims=True))
    off = ((raised / raised.sum(axis=1, keepdims=True) - likely) / len(told)).astype(np.float32)
    by_weight, by_bias = [], []
    for k in range(count - 1, -1, -1):
        by_weight.append(layers[k].T @ off + np.float32(_DRAWN) * parts[k])
        by_bias.append(off.sum(axis=0))
        if k:
            off = (off @ parts[k].T) * (layers[k] > 0.0)
    return by_weight[::-1] + by_bias[::-1]
