"""Evaluation of policies on training tasks, and the scores of baselines.

All policies are evaluated on the same episodes: fresh shots of a seed, or games of a seed against an opponent.
"""

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from flicksim.core.arrays import Bools
from flicksim.core.random_streams import RandomStreams
from flicksim.core.units import deg2rad
from flicksim.engine import Settings
from flicksim.envs import ShotVectorEnv, VersusEnv
from flicksim.envs.shot_tasks import COIN_RADIUS, MAT, START_LINE, TASKS, WINK_OPTIONS
from flicksim.games import load
from flicksim.games.tiddlywinks import equipment as mat_kit
from flicksim.match import Match, open_match, parse_seat
from flicksim.referee import parse_options
from flicksim.scene import launch_speed_to_reach
from flicksim.training.tasks import TrainingTask

Actions = npt.NDArray[Any]
Policy = Callable[[npt.NDArray[np.float32], Bools | None], Actions]
"""Policy: from observations, and in card games the mask of legal moves, to its actions. A row each."""
_SCORE_NAME = {"Pot": "potted", "Squop": "squopped", "Draw": "reward"}


def make_shot_env(task: TrainingTask, count: int) -> ShotVectorEnv:
    """Vector environment of `count` shots."""
    return ShotVectorEnv(task.target, num_envs=count, autoreset_mode="SameStep", **task.settings)


def make_game_env(task: TrainingTask, opponent: str | None = None) -> VersusEnv:
    """Game environment; against another opponent, if one is named."""
    return VersusEnv(task.target, **{**task.settings, **({} if opponent is None else {"opponent": opponent})})


def evaluate(task: TrainingTask, policy: Policy, seed: int) -> dict[str, float]:
    """Evaluate a policy on fresh shots or games; scores by name."""
    eval_seed = RandomStreams(seed=seed).spawn("asked").derived_seed() % 2**31
    if task.kind == "shot":
        return {_SCORE_NAME[task.target]: _evaluate_shots(task, policy, eval_seed)}
    return {f"won against {who}": _evaluate_games(task, policy, who, eval_seed) for who in task.opponents}


def _evaluate_shots(task: TrainingTask, policy: Policy, seed: int) -> float:
    env = make_shot_env(task, task.eval_episodes)
    observations, _ = env.reset(seed=seed)
    _, rewards, *_, infos = env.step(policy(observations, None))
    scores = infos["final_info"].get(_SCORE_NAME[task.target])
    return float(np.mean(rewards if scores is None else scores))


def _evaluate_games(task: TrainingTask, policy: Policy, opponent: str, seed: int) -> float:
    """Share of games won; a shared win counts in part."""
    env, total = make_game_env(task, opponent), 0.0
    for number in range(task.eval_episodes):
        observation, _ = env.reset(seed=seed + number)
        terminated = truncated = False
        while not (terminated or truncated):
            masks = env.action_masks()[None] if env.adapter.move_space is not None else None
            observation, _, terminated, truncated, _ = env.step(policy(observation[None], masks)[0])
        total += win_share(env.match, env.seat)
    env.close()
    return total / task.eval_episodes


def win_share(match: Match, seat: int) -> float:
    """Share of a seat in the win."""
    return 1.0 / len(match.winners) if seat in match.winners else 0.0


def baseline_scores(task: TrainingTask, seed: int) -> dict[str, dict[str, float]]:
    """Scores of baselines in the same evaluation: random actions, and a heuristic or a bot."""
    rng = RandomStreams(seed=seed).spawn("random").generator()

    def random_policy(observations: npt.NDArray[np.float32], masks: Bools | None) -> Actions:
        if masks is None:
            return rng.uniform(-1.0, 1.0, (len(observations), len(TASKS[task.target]().action_dimensions))).astype(
                np.float32
            )
        return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])

    scores: dict[str, dict[str, float]] = {}
    random_scores = evaluate(task, random_policy, seed)
    if task.kind == "shot":
        heuristic_scores = evaluate(task, lambda seen, _: heuristic_actions(task, seen), seed)
        return {
            name: {"random": random_scores[name], "rule of thumb": heuristic_scores[name]} for name in random_scores
        }
    for opponent in task.opponents:
        name = f"won against {opponent}"
        scores[name] = {"random": random_scores[name], "bot:club": _bot_win_share(task, opponent, seed)}
    return scores


def _bot_win_share(task: TrainingTask, opponent: str, seed: int) -> float:
    """Share of games won by a club bot, in alternating seats."""
    game, total = load(task.target), 0.0
    options = parse_options(game, task.settings.get("options", {}))
    seats = max(2, game.seats[0])
    for number in range(task.eval_episodes):
        own = number % seats
        who = [parse_seat("bot:club" if seat == own else opponent) for seat in range(seats)]
        match = open_match(game, options, who, seed + number)
        list(match.run())
        total += win_share(match, own)
    return total / task.eval_episodes


def heuristic_actions(training_task: TrainingTask, observations: npt.NDArray[np.float32]) -> Actions:
    """Heuristic shots: straight at the target, with the closed-form speed to land or stop there.

    Winks leave at 50 degrees with 60 rad/s of backspin, as in the experiment `pot-chance`.
    """
    task = TASKS[training_task.target](
        **{name: one for name, one in training_task.settings.items() if name != "execution_noise"}
    )
    middle, reach = (np.array([getattr(one, name) for one in task.features]) for name in ("centre", "scale"))
    numbers = observations * reach + middle
    rows: list[list[float]] = []
    if training_task.target == "Draw":
        settings = Settings()
        friction = settings.pairings.lookup("bronze", "polished").friction
        deceleration = 2.0 * friction * settings.gravity
        rows += [
            [0.0, 0.0, sqrt(deceleration * (white - START_LINE - 2.0 * COIN_RADIUS)), 0.0]
            for white in numbers[:, 0].tolist()
        ]
    else:
        elevation, tumble = deg2rad(50.0), 60.0
        pot = MAT.pot
        assert pot is not None
        small, large = (mat_kit.wink(WINK_OPTIONS, name) for name in ("blue-3", "blue-1"))
        height = pot.height if training_task.target == "Pot" else small.thickness
        for row in numbers:
            wink = large if training_task.target == "Pot" and row[3] > 0.5 else small
            rows.append([0.0, launch_speed_to_reach(wink, float(row[2]), height, elevation, tumble), elevation, tumble])
    low, high = (np.array([getattr(one, name) for one in task.action_dimensions]) for name in ("low", "high"))
    actions: Actions = np.clip(2.0 * (np.array(rows) - low) / (high - low) - 1.0, -1.0, 1.0).astype(np.float32)
    return actions
