"""Gaussian kernel regression of the value of flicks from those executed near them (cf. KR-UCT)."""

import numpy as np

from flicksim.core.arrays import Floats


def kernel_regression(
    query_points: Floats, sample_points: Floats, sample_values: Floats, bandwidth: Floats, prior_mean: float
) -> tuple[Floats, Floats]:
    """Kernel regression (Nadaraya-Watson) with a prior: estimates and effective sample counts. [A], [A]

    Args:
        query_points: [A, D]. sample_points: [M, D]. sample_values: value of each sample. [M]
        bandwidth: standard deviation of the kernel per dimension. [D]
        prior_mean: estimate without samples; it counts as one.
    """
    off = (query_points[:, None, :] - sample_points[None, :, :]) / bandwidth
    weights = np.exp(-0.5 * (off * off).sum(axis=2))
    count = weights.sum(axis=1)
    return (weights @ sample_values + prior_mean) / (count + 1.0), count
