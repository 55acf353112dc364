"""Training tasks: environment, hyperparameters and evaluation of each, and the scores of baselines.

All policies are evaluated on the same episodes: fresh shots of a seed, or games of a seed against an opponent.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import sqrt
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from flicksim.ai import parse_grade
from flicksim.core.arrays import Bools
from flicksim.core.errors import InvalidOption
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import from_builtins, from_json, read_bytes
from flicksim.core.type_aliases import JsonValue
from flicksim.core.units import deg2rad
from flicksim.engine import Settings
from flicksim.envs import ShotVectorEnv, VersusEnv
from flicksim.envs.shot_tasks import COIN_RADIUS, MAT, START_LINE, TASKS, WINK_OPTIONS, ActionDimension
from flicksim.games import load
from flicksim.games.tiddlywinks import equipment as mat_kit
from flicksim.match import Match, open_match, parse_seat
from flicksim.referee import parse_options
from flicksim.scene import launch_speed_to_reach

Actions = npt.NDArray[Any]
Policy = Callable[[npt.NDArray[np.float32], Bools | None], Actions]
"""Policy: from observations, and in card games the mask of legal moves, to its actions. A row each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingTask:
    """A training task: environment, hyperparameters and evaluation.

    Args:
        name: its name. description: what is learned, in a few words.
        kind: "shot" or "game". target: the shot, or the game. settings: of its environment.
        steps: environment steps in all. eval_interval: steps between two evaluations. eval_episodes: shots or games of
            an evaluation. num_envs: parallel environments. rollout_steps: steps of each between two updates.
        algorithm_settings: hyperparameters that differ from the library's defaults. reward_scale: factor on rewards.
        opponents: opponents of the evaluation games.
        stochastic_eval: True to sample actions in evaluations, where greedy play may cycle.
    """

    name: str
    description: str
    kind: Literal["shot", "game"]
    target: str
    steps: int
    eval_interval: int
    eval_episodes: int
    num_envs: int
    rollout_steps: int
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
    algorithm_settings: Mapping[str, JsonValue] = field(default_factory=dict)
    reward_scale: float = 1.0
    opponents: tuple[str, ...] = ()
    stochastic_eval: bool = False

    @property
    def environment(self) -> str:
        """Id of its environment, without the version."""
        return f"flicksim/{self.target}" if self.kind == "shot" else f"flicksim/{self.target}-vs"

    def make_shot_env(self, count: int) -> ShotVectorEnv:
        """Vector environment of `count` shots."""
        return ShotVectorEnv(self.target, num_envs=count, autoreset_mode="SameStep", **self.settings)

    def make_game_env(self, opponent: str | None = None) -> VersusEnv:
        """Game environment; against another opponent, if one is named."""
        return VersusEnv(self.target, **{**self.settings, **({} if opponent is None else {"opponent": opponent})})

    def evaluate(self, policy: Policy, seed: int) -> dict[str, float]:
        """Evaluate a policy on fresh shots or games; scores by name."""
        eval_seed = RandomStreams(seed=seed).spawn("asked").derived_seed() % 2**31
        if self.kind == "shot":
            return {_SCORE_NAME[self.target]: _evaluate_shots(self, policy, eval_seed)}
        return {f"won against {who}": _evaluate_games(self, policy, who, eval_seed) for who in self.opponents}


_SCORE_NAME = {"Pot": "potted", "Squop": "squopped", "Draw": "reward"}


def _evaluate_shots(task: TrainingTask, policy: Policy, seed: int) -> float:
    env = task.make_shot_env(task.eval_episodes)
    observations, _ = env.reset(seed=seed)
    _, rewards, *_, infos = env.step(policy(observations, None))
    scores = infos["final_info"].get(_SCORE_NAME[task.target])
    return float(np.mean(rewards if scores is None else scores))


def _evaluate_games(task: TrainingTask, policy: Policy, opponent: str, seed: int) -> float:
    """Share of games won; a shared win counts in part."""
    env, total = task.make_game_env(opponent), 0.0
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
    random_scores = task.evaluate(random_policy, seed)
    if task.kind == "shot":
        heuristic_scores = task.evaluate(lambda seen, _: heuristic_actions(task, seen), seed)
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
    return np.array(
        [[_to_action(one, value) for one, value in zip(task.action_dimensions, row, strict=True)] for row in rows],
        np.float32,
    )


def _to_action(dimension: ActionDimension, value: float) -> float:
    """Normalised action for a value."""
    return min(1.0, max(-1.0, 2.0 * (value - dimension.low) / (dimension.high - dimension.low) - 1.0))


def _load_tasks() -> Mapping[str, TrainingTask]:
    """Tasks of `tasks.json`, each completed by the defaults of its kind."""
    table = from_json(read_bytes(Path(__file__).with_name("tasks.json")), dict)
    entries = {
        name: {"name": name, **table["defaults"][entry["kind"]], **entry} for name, entry in table["tasks"].items()
    }
    return from_builtins(entries, dict[str, TrainingTask])


TRAINING_TASKS = _load_tasks()
"""Tasks by name. Of Tinkle no games against random players are evaluated: they are seven times as long."""


def get_task(
    name: str, *, hand: str | None = None, opponent: str | None = None, steps: int | None = None
) -> TrainingTask:
    """Training task by name, with settings changed.

    Args:
        hand: grade of the execution noise, or "steady" for none. opponent: in its games. steps: of the environment.

    Raises:
        InvalidOption: no such task; a hand in a game without flicks, or an opponent where there is none.
    """
    if name not in TRAINING_TASKS:
        raise InvalidOption(f"no task {name!r}; there are {', '.join(TRAINING_TASKS)}")
    task = TRAINING_TASKS[name]
    changes: dict[str, JsonValue] = {}
    if hand is not None:
        if task.kind == "game":
            raise InvalidOption(f"hand {hand!r} does not apply: nothing is flicked in {task.target}")
        changes["execution_noise"] = None if hand == "steady" else parse_grade(hand)
    if opponent is not None:
        if task.kind == "shot":
            raise InvalidOption(f"opponent {opponent!r} does not apply: a {task.target.lower()} is made alone")
        parse_seat(opponent)
        changes["opponent"] = opponent
    return replace(task, settings={**task.settings, **changes}, steps=task.steps if steps is None else steps)
