"""A policy learns the pot shot by the plain cross-entropy method: `python -m flicksim.lab.env.example`.

The policy is four polynomials of the distance to the pot, one for each number of an action: twelve weights in all. In
every round weights are drawn around what is believed best, each draw plays the same shots, and the draws that potted
most say where, and how widely, the next round looks.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from flicksim.base.seeding import Seeds

Weights = npt.NDArray[np.float64]

_POWERS = 3
_FIRST_WIDTH = 0.5
_LEAST_WIDTH = 0.02
_ELITE = 0.2


def act(weights: Weights, seen: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The actions of a policy. weights [4, 3], seen [N, 4] -> actions [N, 4]"""
    powers = np.stack([seen[:, 2] ** k for k in range(_POWERS)])
    return np.clip(weights @ powers, -1.0, 1.0).T.astype(np.float32)


def potted(shots: gymnasium.vector.VectorEnv[Any, Any, Any], weights: Weights, seed: int) -> float:
    """Share of the shots of a seed that a policy pots."""
    seen, _ = shots.reset(seed=seed)
    _, rewards, *_ = shots.step(act(weights, seen))
    return float(np.mean(rewards))


def learn(
    rounds: int, draws: int, shots: int, seed: int, hand: str | None = None, fresh_shots: int = 200
) -> Iterator[tuple[int, float, float]]:
    """Round by round: shots made so far, share potted of fresh shots by the mean policy, how widely it still looks."""
    seeds = Seeds(seed=seed)
    rng = seeds.child("weights").generator()
    practice = gymnasium.make_vec("flicksim/Pot-v1", num_envs=shots, hand=hand)
    test = gymnasium.make_vec("flicksim/Pot-v1", num_envs=fresh_shots, hand=hand)
    mean, width = np.zeros((4, _POWERS)), np.full((4, _POWERS), _FIRST_WIDTH)
    for number in range(rounds + 1):
        fresh = seeds.child("test", number).number() % 2**31
        yield number * draws * shots, potted(test, mean, fresh), float(width.mean())
        same = seeds.child("round", number).number() % 2**31
        tried = mean + width * rng.standard_normal((draws, *mean.shape))
        found = np.array([potted(practice, weights, same) for weights in tried])
        # of equal draws any may be the better one: order among them is left to chance
        best = tried[np.lexsort((rng.random(draws), -found))[: max(2, round(_ELITE * draws))]]
        mean = best.mean(axis=0)
        width = np.maximum(0.3 * width + 0.7 * best.std(axis=0), _LEAST_WIDTH)


def main() -> None:
    """Learn, and print the learning curve."""
    say = argparse.ArgumentParser(description="A policy learns the pot shot.")
    say.add_argument("--rounds", type=int, default=30)
    say.add_argument("--draws", type=int, default=40, help="policies tried in a round")
    say.add_argument("--shots", type=int, default=40, help="shots each of them plays")
    say.add_argument("--seed", type=int, default=1)
    say.add_argument("--hand", default=None, help="beginner, club, expert or world; steady, when not said")
    asked = say.parse_args()
    for made, share, width in learn(asked.rounds, asked.draws, asked.shots, asked.seed, asked.hand):
        bar = "#" * round(50 * share)
        print(f"{made:7d} shots  {share:6.1%} potted  width {width:.3f}  {bar}", flush=True)


if __name__ == "__main__":
    main()
