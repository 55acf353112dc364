"""Fit a small feed-forward network to probability distributions, with the Adam optimiser (Kingma and Ba, 2015)."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]

_EPOCHS, _BATCH, _LEARNING_RATE, _WEIGHT_DECAY = 25, 1024, 3e-3, 1e-5
"""Epochs, rows per step, first learning rate, and L2 penalty on the weights."""


def fit(features: Singles, targets: Floats, layer_sizes: Sequence[int], seed: int) -> bytes:
    """Fit a network; return it as half floats: mean and scale of each feature, then weights and biases by layer.

    Args:
        features: inputs. [S, layer_sizes[0]] targets: probabilities that add up to one. [S, layer_sizes[-1]]
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    mean, scale = features.mean(axis=0), features.std(axis=0) + np.float32(0.05)
    features = (features - mean) / scale
    weights = [
        (rng.standard_normal((rows, columns)) * np.sqrt(1.5 / rows)).astype(np.float32)
        for rows, columns in pairwise(layer_sizes)
    ]
    weights[-1] *= np.float32(0.1)
    parts = [*weights, *(np.zeros(columns, np.float32) for columns in layer_sizes[1:])]
    moments, squares = [np.zeros_like(part) for part in parts], [np.zeros_like(part) for part in parts]
    steps, step = _EPOCHS * -(-len(features) // _BATCH), 0
    for _ in range(_EPOCHS):
        order = rng.permutation(len(features))
        for first in range(0, len(features), _BATCH):
            rows = order[first : first + _BATCH]
            step += 1
            rate = _LEARNING_RATE * (1.0 - step / steps) + 1e-5
            gradients = _gradients(parts, features[rows], targets[rows])
            for part, gradient, moment, square in zip(parts, gradients, moments, squares, strict=True):
                moment += 0.1 * (gradient - moment)
                square += 0.001 * (gradient * gradient - square)
                part -= rate * (moment / (1.0 - 0.9**step)) / (np.sqrt(square / (1.0 - 0.999**step)) + 1e-8)
    count = len(layer_sizes) - 1
    numbers = [mean, scale]
    for k in range(count):
        numbers += [parts[k].ravel(), parts[count + k]]
    return np.concatenate(numbers).astype("<f2").tobytes()


def _gradients(parts: Sequence[Singles], features: Singles, targets: Floats) -> list[Singles]:
    """Gradient of the cross-entropy loss by weights and biases (backpropagation)."""
    count = len(parts) // 2
    layers = [features]
    for k in range(count):
        output = layers[-1] @ parts[k] + parts[count + k]
        layers.append(np.maximum(output, 0.0) if k < count - 1 else output)
    exponentials = np.exp(layers[-1] - layers[-1].max(axis=1, keepdims=True))
    probabilities = exponentials / exponentials.sum(axis=1, keepdims=True)
    error = ((probabilities - targets) / len(features)).astype(np.float32)
    by_weight, by_bias = [], []
    for k in range(count - 1, -1, -1):
        by_weight.append(layers[k].T @ error + np.float32(_WEIGHT_DECAY) * parts[k])
        by_bias.append(error.sum(axis=0))
        if k:
            error = (error @ parts[k].T) * (layers[k] > 0.0)
    return by_weight[::-1] + by_bias[::-1]
