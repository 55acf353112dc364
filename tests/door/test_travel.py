"""Results go to other processes and are copied; signatures of the front door show what may be given."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
import typing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import gymnasium
import numpy as np
import pytest

import flicksim
from flicksim import Experiment, ask, load_flick, load_launch, load_pyramids, load_scene, play_game, settle, settle_many
from flicksim.base import kinds
from flicksim.base.errors import BadFile, BadPlayer
from flicksim.games import names
from flicksim.lab.env import game_env, shot_env, versus_env

SHORT: dict[str, dict[str, object]] = {
    "penny-white": {"ends": 1}, "tiddlywinks": {"time_limit_s": 30, "rounds": 0}, "dominoes": {"rounds": 1},
}  # fmt: skip
PENNIES = Experiment(
    title="a draw", scene="draw", flick={"piece": "a", "to": "white"}, hand="club", measure=("gap white",), shots=20
)
SHOTS: dict[str, Callable[[], object]] = {
    "a flick": lambda: settle(load_scene("draw"), load_flick("draw")),
    "a squidge": lambda: settle(load_scene("squidge"), load_flick("squidge")),
    "a launch": lambda: settle(load_pyramids("launch"), load_launch("launch")),
    "flicks": lambda: settle_many(load_scene("draw"), [load_flick("draw")] * 2, events=True),
    "squidges": lambda: settle_many(load_scene("squidge"), [load_flick("squidge")] * 2),
    "launches": lambda: settle_many(load_pyramids("launch"), [load_launch("launch")] * 2),
    "an experiment": lambda: ask(PENNIES),
    "a step": lambda: gymnasium.make("flicksim/Draw-v1").reset(seed=1),
}


def alike(one: object, other: object) -> bool:
    """Compare results field by field; arrays hold equal numbers."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, np.asarray(other), equal_nan=one.dtype.kind == "f")
    if isinstance(one, tuple | list):
        return isinstance(other, tuple | list) and len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(alike(one[k], other[k]) for k in one)
    if hasattr(one, "__dataclass_fields__"):
        fields = one.__dataclass_fields__
        return type(one) is type(other) and all(alike(getattr(one, name), getattr(other, name)) for name in fields)
    if hasattr(one, "to_pandas"):
        return one.columns == other.columns and one.to_pandas().equals(other.to_pandas())  # type: ignore[attr-defined]
    return one == other


COPIES = [lambda thing: pickle.loads(pickle.dumps(thing)), copy.copy, copy.deepcopy]


@pytest.mark.parametrize("made", SHOTS.values(), ids=SHOTS)
def test_results_are_pickled_and_copied(made: Callable[[], object]) -> None:
    result = made()
    for copied in COPIES:
        assert alike(copied(result), result)


@pytest.mark.parametrize("name", names())
def test_games_are_pickled_and_copied(name: str) -> None:
    """Motions of turns do not travel: each is settled again by whoever asks, and comes out the same."""
    fewest = flicksim.load_game(name).seats[0]
    played = play_game(
        name, ["random", "bot:beginner", "random", "random"][:fewest], options=SHORT.get(name), max_turns=5
    )
    for copied in COPIES:
        again = copied(played)
        assert repr(again) == repr(played)
        assert again.turns == played.turns
        assert again.transcript() == played.transcript()
        assert alike(again.turns[-1].account, played.turns[-1].account)


def mine(_view: object, choices: typing.Any, _rng: object) -> object:
    """Take the first thing on offer."""
    return choices.actions[0]


def in_a_pool(seed: int) -> flicksim.Played:
    return play_game("dominoes", [mine, lambda view, choices, rng: mine(view, choices, rng)], seed=seed, max_turns=4)


def test_a_pool_of_processes_returns_games_with_players_of_ones_own() -> None:
    """A function that cannot be pickled stays where it played; whoever asks it in a copy is told so."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        came = pool.submit(in_a_pool, 3).result()
    assert came.transcript() == in_a_pool(3).transcript()
    with pytest.raises(BadPlayer, match="the player 'Ann' is not here; play_game seats it anew"):
        came.match.players[0].choose(None, None, None)


PUBLIC = [
    *(getattr(flicksim, name) for name in flicksim.__all__ if name != "__version__"),
    game_env.GameEnv, game_env.env, game_env.parallel_env, shot_env.ShotEnv, shot_env.ShotVectorEnv,
    versus_env.VersusEnv,
]  # fmt: skip
ALIASES = {name for name, kind in vars(kinds).items() if kind is typing.Any and name != "Any"}


def test_signatures_show_what_may_be_given() -> None:
    """No alias of `Any`, and nothing as long as a table of pairings."""
    for public in PUBLIC:
        if not callable(public) or issubclass(public if isinstance(public, type) else object, Exception):
            continue
        signature = inspect.signature(public)
        told = [*(one.annotation for one in signature.parameters.values()), signature.return_annotation]
        words = {word for one in told for word in re.findall(r"\w+", str(one))}
        assert not words & ALIASES, (public, words & ALIASES)
        assert all(len(repr(one.default)) <= 400 for one in signature.parameters.values()), public
    assert "pairings" in repr(flicksim.Settings())
    assert len(repr(flicksim.Settings())) < 600


def test_a_table_that_is_not_there_is_no_wrong_option() -> None:
    for load in (load_scene, load_pyramids, load_flick, load_launch):
        with pytest.raises(BadFile, match="nope"):
            load("nope")
    with pytest.raises(BadFile, match="no sample 'nope'; there are"):
        load_scene("sample:nope")
