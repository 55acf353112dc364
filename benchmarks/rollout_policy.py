"""Fit the policy of the rollouts of tiddlywinks to the shots of bots, by maximum likelihood.

`python -m benchmarks.rollout_policy --games 60 --seed 7101` plays games between four club players, with the short
flights of the search, and prints the weights of the values of shots by which a softmax makes their shots most likely
(multinomial logit: McFadden, 1974; Newton's method with a weak ridge), of which `POLICY_WEIGHTS` is a multiple. The
mean log-likelihood is that of the other half of the games (two-fold cross-validation), beside that of the saved
weights. Then it prints the calibration of the values of the same positions by rollouts alone, without a search for the
best shot: a cheap test of the policy, as `benchmarks.calibration` simulates dozens of shots for every position.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from benchmarks import calibration, command_line
from flicksim.ai import GRADES
from flicksim.core.arrays import Floats
from flicksim.core.errors import CannotContinue
from flicksim.games import load
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.candidate_shots import NEAR, OTHER, POT, candidate_shots
from flicksim.games.tiddlywinks.heuristic_value import DEFAULT_STYLE, STYLES_BY_NAME
from flicksim.games.tiddlywinks.rollout_evaluation import has_rollouts, rollout_leads
from flicksim.games.tiddlywinks.rollouts import POLICY_WEIGHTS, shot_features
from flicksim.games.tiddlywinks.shot_chances import chance_lookup
from flicksim.games.tiddlywinks.state import State
from flicksim.match import SEARCH_SETTINGS, GameRolloutModel, PhysicsSimulator, open_match, win_share
from flicksim.match.series import game_seed
from flicksim.referee import parse_options
from flicksim.scene import Squidge

Decision = tuple[Floats, int]
"""Features of the shots of a decision, the number of the one made. [shots, 9]"""
HAND = "club"
_ROLLOUTS = 200
"""Number of rollouts of the value of a position."""
_RIDGE = 1.0
"""Weight of the squared weights in the negative log-likelihood."""


def decision(state: State, meant: Squidge) -> Decision | None:
    """Decision of a player; None for a shot that the rollouts do not know."""
    planned = {one.shot: one.target for one in candidate_shots(state, STYLES_BY_NAME[DEFAULT_STYLE])}
    target = planned.get(meant, OTHER)
    if target == OTHER:
        return None
    shots, features = shot_features(state, chance_lookup(GRADES[HAND]))
    index = {name: k for k, name in enumerate(kit.WINKS)} | {POT: -1, NEAR: -2}
    made = index[meant.piece], index[target]
    return (features, shots.index(made)) if made in shots and len(shots) > 1 else None


class PlayedGame(NamedTuple):
    """Decisions of a game, and rows of (game, turn, win probability by rollouts, share won) of the seat to play."""

    decisions: list[Decision]
    rows: list[calibration.Row]


def played(games: int, seed: int) -> Iterator[PlayedGame]:
    """Games between four club players."""
    game = load("tiddlywinks")
    model = GameRolloutModel(game)
    for number in range(1, games + 1):
        match = open_match(
            game, parse_options(game, []), [f"bot:{HAND}"] * 4, game_seed(seed, number),
            simulator=PhysicsSimulator(SEARCH_SETTINGS),
        )  # fmt: skip
        try:
            turns = [
                turn
                for turn in match.run()
                if isinstance(turn.meant, Squidge) and turn.before.phase == "shot" and has_rollouts(turn.before)
            ]
        except CannotContinue:  # a wink may never come to rest
            continue
        seeds = np.random.Generator(np.random.PCG64([seed, number])).integers(1, 2**31 - 2, (len(turns), _ROLLOUTS))
        leads = rollout_leads([turn.before for turn in turns], np.arange(len(turns)), seeds, GRADES[HAND], model)
        chances = (leads > 0.0).mean(axis=1) + 0.5 * (leads == 0.0).mean(axis=1)
        yield PlayedGame(
            [one for turn in turns if (one := decision(turn.before, turn.meant)) is not None],
            [
                (number, turn.number, chance if turn.seat % 2 == 0 else 1.0 - chance,
                 win_share(game, match.state, turn.seat))
                for turn, chance in zip(turns, chances.tolist(), strict=True)
            ],
        )  # fmt: skip


def fit(decisions: Sequence[Decision], steps: int = 30) -> Floats:
    """Weights of the largest likelihood of the decisions, by Newton's method. [9]"""
    weights = np.zeros(len(POLICY_WEIGHTS))
    for _ in range(steps):
        gradient, hessian = -_RIDGE * weights, _RIDGE * np.eye(len(weights))
        for features, made in decisions:
            chance = _softmax(features @ weights)
            mean = chance @ features
            gradient += features[made] - mean
            hessian += (features.T * chance) @ features - np.outer(mean, mean)
        weights = weights + np.linalg.solve(hessian, gradient)
    return weights


def log_likelihood(decisions: Sequence[Decision], weights: Floats) -> float:
    """Mean log-likelihood of decisions."""
    return float(np.mean([np.log(_softmax(features @ weights)[made]) for features, made in decisions]))


def _softmax(values: Floats) -> Floats:
    odds = np.exp(values - values.max())
    chances: Floats = odds / odds.sum()
    return chances


def main(argv: Sequence[str] | None = None) -> int:
    """Command line entry point."""
    args = command_line.parser("rollout_policy", __doc__, games=60, seed=7101).parse_args(argv)
    with calibration.fewer_rollouts():
        games = list(played(args.games, args.seed))
    halves = [[one for game in games[half::2] for one in game.decisions] for half in range(2)]
    other = np.mean([log_likelihood(halves[half], fit(halves[1 - half])) for half in range(2)])
    both = halves[0] + halves[1]
    print(f"{len(both)} shots of {len(games)} games, seed {args.seed}: mean log-likelihood {other:.3f}, "
          f"by the saved weights {log_likelihood(both, np.array(POLICY_WEIGHTS)):.3f}")  # fmt: skip
    print("weights:", tuple(fit(both).round(2).tolist()))
    calibration.show("Values by rollouts alone", np.array([row for game in games for row in game.rows]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
