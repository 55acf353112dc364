"""Training tasks: environment, hyperparameters and evaluation of each."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from flicksim.ai import parse_grade
from flicksim.core.errors import InvalidOption
from flicksim.core.serialization import from_builtins, from_json, read_bytes
from flicksim.core.type_aliases import JsonValue
from flicksim.match import parse_seat


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
