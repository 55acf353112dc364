"""The README's walk through a game of one's own: the game stands beside this file, and everything takes it by name."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flicksim import games
from flicksim.match import open_match, parse_seat, play_series, summarise_series

from . import test_every_game as every

PLUGIN_GAME = Path(__file__).parent / "plugin_game"
SHARED = [held for name, held in vars(every).items() if name.startswith("test_")]


@pytest.fixture(autouse=True)
def added() -> Iterator[None]:
    """As if its folder lay among the others."""
    games.__path__.append(str(PLUGIN_GAME))
    yield
    games.__path__.remove(str(PLUGIN_GAME))
    every.played.cache_clear()


@pytest.mark.parametrize("held", SHARED, ids=lambda held: held.__name__)
def test_what_every_game_keeps_it_keeps(held: Callable[..., None]) -> None:
    asked = inspect.signature(held).parameters
    if "game" in asked:
        held(games.load("shove"))
    elif "seed" in asked:
        for seed in every.SEEDS:
            held("shove", 2, seed)
    else:
        held()


def test_plugin_game_has_under_a_hundred_lines() -> None:
    assert len((PLUGIN_GAME / "shove" / "__init__.py").read_text().splitlines()) < 100


def test_plugin_bots_play_by_grade() -> None:
    seats = [parse_seat("bot:expert"), parse_seat("bot:beginner")]
    results = list(play_series("shove", {}, seats, 12, 1))
    expert, beginner = summarise_series("shove", {}, seats, 12, 1, results).seats
    assert expert.points > beginner.points


def test_a_penny_scores_the_points_of_its_bed() -> None:
    """SH-2, and SH-1: a penny that stays short is taken off."""
    game = games.load("shove")
    match = open_match(game, game.options(pennies=1), [parse_seat("human")] * 2, 1)
    first, second = (match.game.bot.candidates(match.state, match.streams.generator(), 1)[0] for _ in range(2))
    match.play(first)
    second = type(second)(piece="penny-2", speed=0.1, azimuth=1.57, start=second.start)
    turn = match.play(second)
    assert [piece.id for piece in turn.after.scene.pieces] == ["penny-1"]
    assert match.scores == (3, 0)
    assert match.winners == (0,)
