"""Tests of pickling and copying of results, and of the signatures of the public API."""

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
from flicksim.core import type_aliases
from flicksim.core.errors import InvalidFile, PlayerError
from flicksim.envs import game_env, shot_env, versus_env
from flicksim.games import names
from tests.experiments.custom_measures import make_experiment

SHORT: dict[str, dict[str, object]] = {
    "penny-white": {"ends": 1}, "tiddlywinks": {"time_limit_s": 30, "rounds": 0}, "dominoes": {"rounds": 1},
}  # fmt: skip
SHOTS: dict[str, Callable[[], object]] = {
    "a flick": lambda: flicksim.simulate(flicksim.load_scene("draw"), flicksim.load_flick("draw")),
    "a squidge": lambda: flicksim.simulate(flicksim.load_scene("squidge"), flicksim.load_flick("squidge")),
    "a launch": lambda: flicksim.simulate(flicksim.load_pyramids("launch"), flicksim.load_launch("launch")),
    "flicks": lambda: flicksim.simulate_batch(
        flicksim.load_scene("draw"), [flicksim.load_flick("draw")] * 2, events=True
    ),
    "squidges": lambda: flicksim.simulate_batch(flicksim.load_scene("squidge"), [flicksim.load_flick("squidge")] * 2),
    "launches": lambda: flicksim.simulate_batch(flicksim.load_pyramids("launch"), [flicksim.load_launch("launch")] * 2),
    "an experiment": lambda: flicksim.run_experiment(make_experiment(shots=20)),
    "a step": lambda: gymnasium.make("flicksim/Draw-v1").reset(seed=1),
}


def are_equal(one: object, other: object) -> bool:
    """Compare results field by field; arrays hold equal numbers."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, np.asarray(other), equal_nan=one.dtype.kind == "f")
    if isinstance(one, tuple | list):
        return isinstance(other, tuple | list) and len(one) == len(other) and all(map(are_equal, one, other))
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(are_equal(one[k], other[k]) for k in one)
    if hasattr(one, "__dataclass_fields__"):
        fields = one.__dataclass_fields__
        return type(one) is type(other) and all(are_equal(getattr(one, name), getattr(other, name)) for name in fields)
    if hasattr(one, "to_pandas"):
        return one.columns == other.columns and one.to_pandas().equals(other.to_pandas())  # type: ignore[attr-defined]
    return one == other


COPIES = [lambda thing: pickle.loads(pickle.dumps(thing)), copy.copy, copy.deepcopy]


@pytest.mark.parametrize("made", SHOTS.values(), ids=SHOTS)
def test_results_are_pickled_and_copied(made: Callable[[], object]) -> None:
    result = made()
    for copied in COPIES:
        assert are_equal(copied(result), result)


@pytest.mark.parametrize("name", names())
def test_games_are_pickled_and_copied(name: str) -> None:
    """Simulation results of turns are not pickled: each is simulated again on access, with the same result."""
    fewest = flicksim.load_game(name).seats[0]
    played = flicksim.play_game(
        name, ["random", "bot:beginner", "random", "random"][:fewest], options=SHORT.get(name), max_turns=5
    )
    for copied in COPIES:
        again = copied(played)
        assert again == played
        assert hash(again) == hash(played)
        assert repr(again) == repr(played)
        assert again.turns == played.turns
        assert again.transcript() == played.transcript()
        assert are_equal(again.turns[-1].result, played.turns[-1].result)
    shorter = copy.deepcopy(played)
    shorter.match.undo()
    assert shorter != played


def module_level_player(_view: object, choices: typing.Any, _rng: object) -> object:
    """Take the first legal action."""
    return choices.actions[0]


def play_in_pool(seed: int) -> flicksim.GameResult:
    return flicksim.play_game(
        "dominoes",
        [module_level_player, lambda view, choices, rng: module_level_player(view, choices, rng)],
        seed=seed,
        max_turns=4,
    )


def test_a_pool_of_processes_returns_games_with_players_of_ones_own() -> None:
    """A function that cannot be pickled is left out of the copy; calling it there raises a PlayerError."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        copied = pool.submit(play_in_pool, 3).result()
    assert copied.transcript() == play_in_pool(3).transcript()
    with pytest.raises(PlayerError, match="the player 'Ann' is not available; pass it to play_game again"):
        copied.match.players[0].choose(None, None, None)


PUBLIC = [
    *(getattr(flicksim, name) for name in flicksim.__all__ if name != "__version__"),
    game_env.GameEnv, game_env.env, game_env.parallel_env, shot_env.ShotEnv, shot_env.ShotVectorEnv,
    versus_env.VersusEnv,
]  # fmt: skip
ALIASES = {name for name, kind in vars(type_aliases).items() if kind is typing.Any and name != "Any"}


def test_signatures_are_specific() -> None:
    """No alias of `Any`, and no default as long as the table of pairings."""
    for public in PUBLIC:
        if not callable(public) or issubclass(public if isinstance(public, type) else object, Exception):
            continue
        signature = inspect.signature(public)
        annotations = [*(one.annotation for one in signature.parameters.values()), signature.return_annotation]
        text = {word for one in annotations for word in re.findall(r"\w+", str(one))}
        assert not text & ALIASES, (public, text & ALIASES)
        assert all(len(repr(one.default)) <= 400 for one in signature.parameters.values()), public
    assert "pairings" in repr(flicksim.Settings())
    assert len(repr(flicksim.Settings())) < 600


def test_a_missing_file_is_not_an_invalid_option() -> None:
    for load in (flicksim.load_scene, flicksim.load_pyramids, flicksim.load_flick, flicksim.load_launch):
        with pytest.raises(InvalidFile, match="nope"):
            load("nope")
    with pytest.raises(InvalidFile, match="no sample 'nope'; there are"):
        flicksim.load_scene("sample:nope")
