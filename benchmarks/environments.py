"""Steps per second of every environment: `python -m benchmarks.environments [--label NAME] [--repeats N]`.

Random legal actions, with club execution noise in flicking games; processor time of this process, the median of the
repeats after one warm-up. A step of a vector of N environments counts as N steps, each one shot. Rows go to
`results/environments.csv` under their label; rows of other labels stay and are printed beside them. To measure an older
version, copy this file into its `benchmarks`.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import gymnasium
import numpy as np
import pettingzoo

import flicksim.envs  # noqa: F401 - registers them
from benchmarks import command_line, csv_results
from flicksim.games import load, names

SHOTS = ("Pot", "Squop", "Draw")
FIELDS = ("label", "environment", "form", "steps", "us", "per_second")
Row = dict[str, Any]


def latest_id(name: str, registry: Iterable[str]) -> str:
    """Id of the newest version of an environment in a registry."""
    return max(key for key in registry if key.rpartition("-v")[0] == f"flicksim/{name}")


def time_steps(steps: Callable[[], int], repeats: int) -> tuple[int, float]:
    """Number of steps per repeat, and the median time of one step [us]."""
    steps()
    times, count = [], 0
    for _ in range(repeats):
        start = process_time()
        count = steps()
        times.append((process_time() - start) / count * 1e6)
    return count, median(times)


def single(env: Any, count: int) -> Callable[[], int]:
    """Steps of a Gymnasium environment; reset at the end of an episode."""
    env.action_space.seed(1)
    state = {"info": env.reset(seed=1)[1]}

    def steps() -> int:
        for _ in range(count):
            _, _, terminated, truncated, state["info"] = env.step(
                env.action_space.sample(state["info"].get("action_mask"))
            )
            if terminated or truncated:
                state["info"] = env.reset()[1]
        return count

    return steps


def vector(env: Any, count: int) -> Callable[[], int]:
    """Steps of a vector of environments, with actions sampled beforehand."""
    env.action_space.seed(1)
    env.reset(seed=1)
    actions = [env.action_space.sample() for _ in range(count)]

    def steps() -> int:
        for action in actions:
            env.step(action)
        return int(env.num_envs) * count

    return steps


def turns(env: Any, count: int) -> Callable[[], int]:
    """Steps of a PettingZoo environment, each with the observation of the agent to act."""
    env.reset(seed=1)
    for agent in env.possible_agents:
        env.action_space(agent).seed(1)

    def steps() -> int:
        for _ in range(count):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                observation = env.last()[0]
            mask = observation["action_mask"] if isinstance(observation, dict) else None
            env.step(env.action_space(env.agent_selection).sample(mask))
        return count

    return steps


def rows(scale: float) -> Iterator[tuple[str, str, Callable[[], int]]]:
    """Every environment in every form, with the function that steps it."""
    for name in SHOTS:
        env_id = latest_id(name, gymnasium.registry)
        yield name, "single", single(gymnasium.make(env_id, execution_noise="club"), max(2, int(100 * scale)))
        for count in (8, 1024):
            wide = max(2, int(count * min(1.0, scale * 2))) if count > 8 else count
            envs = gymnasium.make_vec(env_id, num_envs=wide, execution_noise="club", autoreset_mode="SameStep")
            yield name, f"vector of {count}", vector(envs, 20 if count == 8 or name == "Draw" else 1)
    for name in names():
        env_id = latest_id(name, pettingzoo.aec_registry)
        more: dict[str, Any] = {"execution_noise": "club"} if load(name).category == "table" else {}
        if name == "ice":
            more["seats"] = 2
        yield name, "agents in turn", turns(pettingzoo.make("aec", env_id, **more), max(2, int(200 * scale)))
    for name in names():
        env_id = latest_id(f"{name}-vs", gymnasium.registry)
        more = {"execution_noise": "club"} if load(name).category == "table" else {}
        env = gymnasium.make(env_id, opponent="random", **more)
        yield name, "against random", single(env, max(2, int(100 * scale)))


def measure(label: str, repeats: int, scale: float) -> Iterator[Row]:
    """Measure every environment; one row each."""
    for name, form, steps in rows(scale):
        count, us = time_steps(steps, repeats)
        yield dict(zip(FIELDS, (label, name, form, count, round(us, 2), round(1e6 / us, 1)), strict=True))


def merge_rows(path: Path, label: str, new: Sequence[Row]) -> list[Row]:
    """The rows of other labels in the file, and the new rows."""
    before: list[Row] = []
    if path.is_file():
        with path.open(newline="", encoding="utf-8") as lines:
            before = [row for row in csv.DictReader(lines) if row["label"] != label]
    return [*before, *new]


def main(argv: Sequence[str] | None = None) -> list[Row]:
    """Measure all environments, print the rates and write the CSV."""
    parser = command_line.parser(
        "environments", __doc__, label="now", repeats=7, scale=1.0, results=command_line.RESULTS
    )
    args = parser.parse_args(argv)
    result = list(measure(args.label, args.repeats, args.scale))
    path = args.results / "environments.csv"
    all_rows = merge_rows(path, args.label, result)
    csv_results.write_lines(path, FIELDS, ([row[name] for name in FIELDS] for row in all_rows))
    labels = list(dict.fromkeys(row["label"] for row in all_rows))
    shown = []
    rates = {(row["environment"], row["form"], row["label"]): float(row["per_second"]) for row in all_rows}
    for name, form in dict.fromkeys((row["environment"], row["form"]) for row in all_rows):
        each = (rates.get((name, form, label), np.nan) for label in labels)
        shown.append((name, form, *("-" if np.isnan(rate) else f"{rate:,.0f}" for rate in each)))
    command_line.show_table(("environment", "form", *labels), shown, "steps per second", 120)
    print(f"written to {path}")
    return result


if __name__ == "__main__":
    main()
