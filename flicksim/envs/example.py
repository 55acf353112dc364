"""Example: a policy for the pot shot by the cross-entropy method (`python -m flicksim.envs.example`).

The policy is four polynomials of the distance to the pot, one for each number of an action: twelve weights in all. In
every round a population of weights is drawn from a normal distribution, each plays the same shots, and those that
potted most give the mean and the standard deviation of the next round.
"""

import argparse
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from flicksim.core.random_streams import RandomStreams

Weights = npt.NDArray[np.float64]

_DEGREE = 3
_INITIAL_STD = 0.5
_MIN_STD = 0.02
_ELITE_FRACTION = 0.2


def policy_actions(weights: Weights, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Actions of a policy. weights [4, 3], observations [N, 4] -> actions [N, 4]"""
    powers = np.stack([observations[:, 2] ** k for k in range(_DEGREE)])
    return np.clip(weights @ powers, -1.0, 1.0).T.astype(np.float32)


def pot_rate(shots: gymnasium.vector.VectorEnv[Any, Any, Any], weights: Weights, seed: int) -> float:
    """Share potted by a policy of the shots of a seed."""
    observations, _ = shots.reset(seed=seed)
    _, rewards, *_ = shots.step(policy_actions(weights, observations))
    return float(np.mean(rewards))


def cross_entropy_method(
    rounds: int, population: int, shots: int, seed: int, hand: str | None = None, eval_shots: int = 200
) -> Iterator[tuple[int, float, float]]:
    """Yield for each round the shots so far, the share of fresh shots the mean policy pots, and the mean deviation."""
    seeds = RandomStreams(seed=seed)
    rng = seeds.spawn("weights").generator()
    practice = gymnasium.make_vec("flicksim/Pot-v1", num_envs=shots, execution_noise=hand)
    test = gymnasium.make_vec("flicksim/Pot-v1", num_envs=eval_shots, execution_noise=hand)
    mean, deviation = np.zeros((4, _DEGREE)), np.full((4, _DEGREE), _INITIAL_STD)
    for number in range(rounds + 1):
        test_seed = seeds.spawn("test", number).derived_seed() % 2**31
        yield number * population * shots, pot_rate(test, mean, test_seed), float(deviation.mean())
        round_seed = seeds.spawn("round", number).derived_seed() % 2**31
        candidates = mean + deviation * rng.standard_normal((population, *mean.shape))
        rates = np.array([pot_rate(practice, weights, round_seed) for weights in candidates])
        # ties are broken at random
        best = candidates[np.lexsort((rng.random(population), -rates))[: max(2, round(_ELITE_FRACTION * population))]]
        mean = best.mean(axis=0)
        deviation = np.maximum(0.3 * deviation + 0.7 * best.std(axis=0), _MIN_STD)


def main() -> None:
    """Train the policy and print its learning curve."""
    parser = argparse.ArgumentParser(description="Train a policy for the pot shot.")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--draws", type=int, default=40, help="candidate policies of a round")
    parser.add_argument("--shots", type=int, default=40, help="shots of each candidate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hand", default=None, help="beginner, club, expert or world; default steady")
    args = parser.parse_args()
    for shots, share, deviation in cross_entropy_method(args.rounds, args.draws, args.shots, args.seed, args.hand):
        bar = "#" * round(50 * share)
        print(f"{shots:7d} shots  {share:6.1%} potted  width {deviation:.3f}  {bar}", flush=True)


if __name__ == "__main__":
    main()
