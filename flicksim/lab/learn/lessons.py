"""Lessons: environments with all that is settled beforehand, and the scores of others there.

Whatever chooses is asked the same questions: fresh shots of a seed, or games of a seed against an opponent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from flicksim.base.errors import BadOption
from flicksim.base.kinds import Plain
from flicksim.base.seeding import Seeds
from flicksim.base.units import degrees
from flicksim.games import load
from flicksim.games.tiddlywinks import equipment as mat_kit
from flicksim.lab.env import ShotVectorEnv, VersusEnv
from flicksim.lab.env.shots import MAT, SIZE, START, TASKS, WINKS, Doing
from flicksim.physics import Settings
from flicksim.play import Match, open_match, parse_seat
from flicksim.players import grade
from flicksim.referee import parse_options
from flicksim.table import speed_to

Actions = npt.NDArray[Any]
Chooses = Callable[[npt.NDArray[np.float32], npt.NDArray[np.bool_] | None], Actions]
"""Policy: from observations, and in games of cards what is allowed, to its actions. A row each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """An environment to learn in.

    Args:
        name: what it is called. says: what is learned, in a few words.
        kind: "shot" or "game". of: the shot, or the game. settings: of its environment.
        steps: usually made in all. every: steps between two points of the curve. asked: shots or games of each point.
        envs: how many learn side by side. rollout: steps of each between two updates.
        teach: how the method is set where it differs from the library's own ways. reward: times the environment's.
        against: opponents that are asked about.
        draws: asked, it draws from its policy, where the likeliest move again and again may lead round in a circle.
    """

    name: str
    says: str
    kind: Literal["shot", "game"]
    of: str
    steps: int
    every: int
    asked: int
    envs: int
    rollout: int
    settings: Mapping[str, Plain] = field(default_factory=dict)
    teach: Mapping[str, Plain] = field(default_factory=dict)
    reward: float = 1.0
    against: tuple[str, ...] = ()
    draws: bool = False

    @property
    def environment(self) -> str:
        """The name of its environment, without its version."""
        return f"flicksim/{self.of}" if self.kind == "shot" else f"flicksim/{self.of}-vs"

    def shots(self, count: int) -> ShotVectorEnv:
        """Its environment so many times, each step a shot."""
        return ShotVectorEnv(self.of, num_envs=count, autoreset_mode="SameStep", **self.settings)

    def game(self, opponent: str | None = None) -> VersusEnv:
        """Its environment; against another opponent, if one is named."""
        return VersusEnv(self.of, **{**self.settings, **({} if opponent is None else {"opponent": opponent})})

    def scores(self, chooses: Chooses, seed: int) -> dict[str, float]:
        """The scores of somebody, by question, on fresh shots or games."""
        fresh = Seeds(seed=seed).child("asked").number() % 2**31
        if self.kind == "shot":
            return {_MEASURE[self.of]: _shots(self, chooses, fresh)}
        return {f"won against {who}": _games(self, chooses, who, fresh) for who in self.against}


_MEASURE = {"Pot": "potted", "Squop": "squopped", "Draw": "reward"}


def _shots(lesson: Lesson, chooses: Chooses, seed: int) -> float:
    env = lesson.shots(lesson.asked)
    seen, _ = env.reset(seed=seed)
    _, rewards, *_, infos = env.step(chooses(seen, None))
    told = infos["final_info"].get(_MEASURE[lesson.of])
    return float(np.mean(rewards if told is None else told))


def _games(lesson: Lesson, chooses: Chooses, opponent: str, seed: int) -> float:
    """Share of games won; a shared win is a part of one."""
    env, total = lesson.game(opponent), 0.0
    for number in range(lesson.asked):
        seen, _ = env.reset(seed=seed + number)
        over = cut = False
        while not (over or cut):
            masks = env.action_masks()[None] if env.telling.moves is not None else None
            seen, _, over, cut, _ = env.step(chooses(seen[None], masks)[0])
        total += share(env.match, env.seat)
    env.close()
    return total / lesson.asked


def share(match: Match, seat: int) -> float:
    """A seat's share in the win."""
    return 1.0 / len(match.winners) if seat in match.winners else 0.0


def references(lesson: Lesson, seed: int) -> dict[str, dict[str, float]]:
    """The scores of others on the same questions: whoever does anything allowed, and a rule of thumb or a bot."""
    dice = Seeds(seed=seed).child("random").generator()

    def anything(seen: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_] | None) -> Actions:
        if masks is None:
            return dice.uniform(-1.0, 1.0, (len(seen), len(TASKS[lesson.of]().does))).astype(np.float32)
        return np.array([dice.choice(np.flatnonzero(mask)) for mask in masks])

    found: dict[str, dict[str, float]] = {}
    random = lesson.scores(anything, seed)
    if lesson.kind == "shot":
        thumb = lesson.scores(lambda seen, _: by_thumb(lesson, seen), seed)
        return {name: {"random": random[name], "rule of thumb": thumb[name]} for name in random}
    for who in lesson.against:
        name = f"won against {who}"
        found[name] = {"random": random[name], "bot:club": _bots(lesson, who, seed)}
    return found


def _bots(lesson: Lesson, opponent: str, seed: int) -> float:
    """Share of games that a club bot wins in a seat that changes from game to game."""
    game, total = load(lesson.of), 0.0
    options = parse_options(game, lesson.settings.get("options", {}))
    seats = max(2, game.seats[0])
    for number in range(lesson.asked):
        own = number % seats
        who = [parse_seat("bot:club" if seat == own else opponent) for seat in range(seats)]
        match = open_match(game, options, who, seed + number)
        for _ in match.run():
            pass
        total += share(match, own)
    return total / lesson.asked


def by_thumb(lesson: Lesson, seen: npt.NDArray[np.float32]) -> Actions:
    """Shots as a player reckons them: straight at the target, and just as fast as it takes to come down or stop there.

    Winks leave at 50 degrees with 60 rad/s of backspin, as in the experiment `pot-chance`.
    """
    task = TASKS[lesson.of](**{name: one for name, one in lesson.settings.items() if name != "hand"})
    middle, reach = (np.array([getattr(one, name) for one in task.sees]) for name in ("middle", "reach"))
    numbers = seen * reach + middle
    rows: list[list[float]] = []
    if lesson.of == "Draw":
        settings = Settings()
        grip = settings.pairings.of("bronze", "polished").friction
        pull = 2.0 * grip * settings.gravity
        rows += [[0.0, 0.0, sqrt(pull * (white - START - 2.0 * SIZE)), 0.0] for white in numbers[:, 0].tolist()]
    else:
        rise, spin = degrees(50.0), 60.0
        pot = MAT.pot
        assert pot is not None
        small, large = (mat_kit.wink(WINKS, name) for name in ("blue-3", "blue-1"))
        height = pot.height if lesson.of == "Pot" else small.thickness
        for row in numbers:
            wink = large if lesson.of == "Pot" and row[3] > 0.5 else small
            rows.append([0.0, speed_to(wink, float(row[2]), height, rise, spin), rise, spin])
    return np.array(
        [[_number(one, value) for one, value in zip(task.does, row, strict=True)] for row in rows], np.float32
    )


def _number(one: Doing, value: float) -> float:
    """The number of an action that means a value."""
    return min(1.0, max(-1.0, 2.0 * (value - one.low) / (one.high - one.low) - 1.0))


_SHOT: dict[str, Plain] = {
    "kind": "shot", "steps": 300_000, "every": 16_384, "asked": 1000, "envs": 256, "rollout": 8,
    "teach": {
        "learning_rate": 1e-3, "batch_size": 256, "n_epochs": 10, "gamma": 1.0, "gae_lambda": 1.0,
        "policy_kwargs": {"net_arch": [64, 64], "log_std_init": -0.7},
    },
}  # fmt: skip
_CLUB = {"hand": "club"}
_GAME: dict[str, Plain] = {
    "kind": "game", "envs": 8,
    "teach": {
        "learning_rate": 5e-4, "batch_size": 512, "n_epochs": 5, "gamma": 1.0, "gae_lambda": 0.95,
        "policy_kwargs": {"net_arch": [128, 128]},
    },
}  # fmt: skip

LESSONS: dict[str, Lesson] = {
    lesson.name: lesson
    for lesson in (
        Lesson(name="pot", says="pot a wink 8 to 60 cm from the pot", of="Pot", settings=_CLUB, **_SHOT),
        Lesson(
            name="squop", says="come to rest on another wink", of="Squop", settings={**_CLUB, "shaping": 2.0},
            **{**_SHOT, "steps": 100_000},
        ),
        Lesson(name="draw", says="roll a penny up to the white, past guards", of="Draw", settings=_CLUB, **_SHOT),
        Lesson(
            name="dominoes", says="win a round of dominoes", of="dominoes", steps=200_000, every=16_384, asked=200,
            rollout=256, settings={"options": {"rounds": 1}, "opponent": "bot:club"},
            against=("random", "bot:club"), **_GAME,
        ),
        Lesson(
            name="tinkle", says="win at Tinkle for three", of="tinkle", steps=50_000, every=12_288, asked=20,
            draws=True, rollout=512, settings={"opponent": "bot:club", "reward": "points", "max_turns": 1500},
            reward=0.01, against=("bot:club",),  # games against random players are seven times as long
            **_GAME,
        ),
    )
}  # fmt: skip


def lesson_of(name: str, *, hand: str | None = None, opponent: str | None = None, steps: int | None = None) -> Lesson:
    """A lesson by its name, as it is asked for.

    Args:
        hand: a grade, whose errors shots have, or "steady" for none. opponent: in its games. steps: in all.

    Raises:
        BadOption: no such lesson; a hand in a game without flicks, or an opponent where there is none.
    """
    if name not in LESSONS:
        raise BadOption(f"no lesson {name!r}; there are {', '.join(LESSONS)}")
    lesson = LESSONS[name]
    more: dict[str, Plain] = {}
    if hand is not None:
        if lesson.kind == "game":
            raise BadOption(f"hand {hand!r} cannot be: nothing is flicked in {lesson.of}")
        more["hand"] = None if hand == "steady" else grade(hand)
    if opponent is not None:
        if lesson.kind == "shot":
            raise BadOption(f"opponent {opponent!r} cannot be: a {lesson.of.lower()} is made alone")
        parse_seat(opponent)
        more["opponent"] = opponent
    return replace(lesson, settings={**lesson.settings, **more}, steps=lesson.steps if steps is None else steps)
