"""Steps a second of every environment: `python -m benchmarks.environments [--label NAME] [--repeats N]`.

Any allowed actions, by a club hand where there are flicks; processor time of this process, the median of the repeats,
once beforehand to warm up. A vector's step counts as many steps as it is wide, and each is a shot. Rows go to
`results/environments.csv` under their label; those of other labels stay there, and are printed beside them. It runs on
versions that are past as well: copy this file into their `benchmarks`.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
from rich.console import Console
from rich.table import Table

import flicksim.lab.env  # noqa: F401 - makes them known
from flicksim.games import load, names

SHOTS = ("Pot", "Squop", "Draw")
FIELDS = ("label", "environment", "form", "steps", "us", "per_second")
Row = dict[str, Any]


def newest(name: str, registry: Any) -> str | None:
    """The id under which an environment is known; None where it is not."""
    found = [one for one in registry if one.startswith(f"flicksim/{name}-v") and one.rpartition("-v")[2].isdigit()]
    return max(found, default=None)


def timed(steps: Callable[[], int], repeats: int) -> tuple[int, float]:
    """Number of steps made each time, and the median of their microseconds."""
    steps()
    found, made = [], 0
    for _ in range(repeats):
        begin = process_time()
        made = steps()
        found.append((process_time() - begin) / made * 1e6)
    return made, median(found)


def single(env: Any, count: int) -> Callable[[], int]:
    """Steps of an environment of Gymnasium, begun anew wherever an episode ends."""
    env.action_space.seed(1)
    state = {"info": env.reset(seed=1)[1]}

    def steps() -> int:
        for _ in range(count):
            _, _, over, cut, state["info"] = env.step(env.action_space.sample(state["info"].get("action_mask")))
            if over or cut:
                state["info"] = env.reset()[1]
        return count

    return steps


def vector(env: Any, count: int) -> Callable[[], int]:
    """So many steps of all, by actions that were drawn before."""
    env.action_space.seed(1)
    env.reset(seed=1)
    actions = [env.action_space.sample() for _ in range(count)]

    def steps() -> int:
        for action in actions:
            env.step(action)
        return int(env.num_envs) * count

    return steps


def turns(env: Any, count: int) -> Callable[[], int]:
    """Steps of a game of PettingZoo, each with what its seat observes."""
    env.reset(seed=1)
    for agent in env.possible_agents:
        env.action_space(agent).seed(1)

    def steps() -> int:
        for _ in range(count):
            seen, _, over, cut, _ = env.last()
            if over or cut:
                env.reset()
                seen = env.last()[0]
            mask = seen["action_mask"] if isinstance(seen, dict) else None
            env.step(env.action_space(env.agent_selection).sample(mask))
        return count

    return steps


def rows(scale: float) -> Iterator[tuple[str, str, Callable[[], int]]]:
    """Every environment in every form, with what makes its steps."""
    for name in SHOTS:
        known = newest(name, gymnasium.registry)
        assert known is not None
        yield name, "single", single(gymnasium.make(known, hand="club"), max(2, int(100 * scale)))
        for count in (8, 1024):
            wide = max(2, int(count * min(1.0, scale * 2))) if count > 8 else count
            made = gymnasium.make_vec(known, num_envs=wide, hand="club", autoreset_mode="SameStep")
            yield name, f"vector of {count}", vector(made, 20 if count == 8 or name == "Draw" else 1)
    for name in names():
        known = newest(name, pettingzoo.env_registry.registration.aec_registry)
        more: dict[str, Any] = {"hand": "club"} if load(name).wing == "table" else {}
        if name == "ice":
            more["seats"] = 2
        yield name, "agents in turn", turns(pettingzoo.make("aec", known, **more), max(2, int(200 * scale)))
    for name in names():
        known = newest(f"{name}-vs", gymnasium.registry)
        if known is None:
            continue
        more = {"hand": "club"} if load(name).wing == "table" else {}
        made = gymnasium.make(known, opponent="random", **more)
        yield name, "against random", single(made, max(2, int(100 * scale)))


def measured(label: str, repeats: int, scale: float) -> Iterator[Row]:
    """A row for each."""
    for name, form, steps in rows(scale):
        made, us = timed(steps, repeats)
        yield dict(zip(FIELDS, (label, name, form, made, round(us, 2), round(1e6 / us, 1)), strict=True))


def merged(path: Path, label: str, found: Sequence[Row]) -> list[Row]:
    """Rows found now, beside those of other labels that the file holds."""
    before: list[Row] = []
    if path.is_file():
        with path.open(newline="", encoding="utf-8") as lines:
            before = [row for row in csv.DictReader(lines) if row["label"] != label]
    return [*before, *found]


def main(words: Sequence[str] | None = None) -> list[Row]:
    """Measure, print, and write the CSV."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.environments", description=__doc__)
    parser.add_argument("--label", default="now")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--scale", type=float, default=1.0, help="times as many steps a repeat")
    parser.add_argument("--results", type=Path, default=Path(__file__).parent / "results")
    given = parser.parse_args(words)
    found = list(measured(given.label, given.repeats, given.scale))
    path = given.results / "environments.csv"
    kept = merged(path, given.label, found)
    given.results.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept)
    labels = list(dict.fromkeys(row["label"] for row in kept))
    table = Table("environment", "form", *labels, title="steps a second")
    rates = {(row["environment"], row["form"], row["label"]): float(row["per_second"]) for row in kept}
    for name, form in dict.fromkeys((row["environment"], row["form"]) for row in kept):
        each = (rates.get((name, form, label), np.nan) for label in labels)
        table.add_row(name, form, *("-" if np.isnan(rate) else f"{rate:,.0f}" for rate in each))
    out = Console(width=120)
    out.print(table)
    out.print(f"written to {path}")
    return found


if __name__ == "__main__":
    main()
