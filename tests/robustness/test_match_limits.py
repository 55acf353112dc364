"""Limits on the length of games, and bounded memory of long ones."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flicksim.cards.move import TakeBack
from flicksim.cli.formatting import truncated_text
from flicksim.core.errors import FlicksimError
from flicksim.core.serialization import to_json
from flicksim.experiments.round_robin import RoundRobin
from flicksim.games import load, names
from flicksim.match import Match, MatchLimits, match, parse_seat, play_series
from flicksim.referee import LegalActions
from tests.cli_runner import invoke
from tests.matches import new_match, record_match, replay_record


def begin(name: str, **given: Any) -> Match:
    return new_match(name, *["random"] * max(2, load(name).seats[0]), **given)


def said(*words: object) -> Any:
    return invoke(*words, code=None)


@pytest.mark.parametrize("name", names())
def test_game_ends_at_its_turn_limit(name: str) -> None:
    free = begin(name)
    bound = begin(name, bounds=MatchLimits(turns=7))
    for one in bound.run():
        other = free.play(free.ask_player())
        assert to_json(one.after) == to_json(other.after)
    assert (len(bound.turns), bound.is_over, bound.is_truncated, bound.to_play) == (7, True, True, None)
    assert not free.is_over
    assert not free.is_truncated
    last = bound.turns[-1].verdict
    assert last.reasons[:-1] == free.turns[-1].verdict.reasons
    assert str(last).endswith("The bound of 7 turns is reached; the game ends and counts as it stands. [bound]")
    assert last.ruling.is_over
    assert last.ruling.points == free.turns[-1].verdict.ruling.points
    assert bound.scores == free.scores
    assert bound.winners == bound.rules.leaders(free.state) != ()
    with pytest.raises(FlicksimError, match="has ended after 7 turns"):
        bound.play(free.ask_player())
    bound.undo()
    assert not bound.is_over


def test_regular_end_is_not_truncation() -> None:
    whole = begin("dominoes")
    turns = list(whole.run())
    for many, cut in ((len(turns), False), (len(turns) - 1, True)):
        bound = begin("dominoes", bounds=MatchLimits(turns=many))
        list(bound.run())
        assert bound.is_truncated is cut


def test_game_ends_at_its_move_limit() -> None:
    bound = begin("penny-white", bounds=MatchLimits(moves=3))
    turns = list(bound.run())
    seats = [turn.seat for turn in turns]
    assert len(set(seats[-3:])) == 1
    assert all(len(set(seats[k : k + 3])) == 2 for k in range(len(seats) - 3))
    assert "The bound of 3 moves of one seat in a row is reached" in str(turns[-1].verdict)


class StallingPlayer:
    """Lays off, takes up again, and never discards, where it can."""

    def choose(self, view: Any, choices: LegalActions, rng: np.random.Generator) -> Any:
        backs = [one for one in choices.actions if isinstance(one, TakeBack)]
        going = [one for one in choices.actions if type(one).__name__ != "Discard"]
        those = backs or going or list(choices.actions)
        return those[int(rng.integers(len(those)))]


def test_stalling_player_reaches_the_move_limit() -> None:
    bound = begin("tinkle", bounds=MatchLimits(turns=4000, moves=150))
    bound.players = (StallingPlayer(),) * 3
    list(bound.run())
    assert bound.is_truncated
    assert "moves of one seat in a row" in str(bound.turns[-1].verdict)


def test_limits_are_recorded_and_resumed(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    record_match(path, "dominoes", "random", "random", bounds=MatchLimits(turns=9))
    written = path.read_bytes()
    replay = replay_record(path)
    assert len(replay.match.turns) == 9
    assert replay.divergence is None
    assert replay.match.is_truncated
    path.write_bytes(written[: written[:-1].rindex(b"\n") - 5])
    assert said("play", "--resume", path, "--headless").exit_code == 0
    assert path.read_bytes() == written


def test_limits_in_the_cli(tmp_path: Path) -> None:
    words = ("penny-white", "--seat", "random", "--seat", "random")
    once = said("play", *words, "--headless", "--max-turns", 5, "--record", tmp_path / "game.jsonl")
    assert "The bound of 5 turns is reached" in once.output
    assert json.loads((tmp_path / "game.jsonl").read_text().splitlines()[0])["bounds"]["turns"] == 5
    many = said("match", *words, "--games", 3, "--max-turns", 5)
    limit = "games were stopped before the end, by a limit (--max-turns, --max-moves), and count by the points"
    assert f"3 of 3 {limit} made until then" in many.output
    assert json.loads(said("match", *words, "--games", 3, "--max-moves", 2, "--json").stdout)["truncated_games"] == 3
    ladder = said("tournament", "dominoes", "--seat", "random", "--seat", "bot:club", "--games", 2, "--max-turns", 4)
    assert f"2 of 2 {limit}" in " ".join(ladder.output.split())
    assert said("match", *words, "--max-turns", 0).exit_code != 0
    assert "leave the others out" in str(said("play", "--resume", tmp_path / "game.jsonl", "--max-turns", 9).exception)


@pytest.mark.parametrize(
    ("games", "total", "told"),
    [
        (1, 1, r"The game was stopped .*, and counts by"),
        (1, 3, r"1 of 3 games was stopped .*, and counts by"),
        (2, 3, r"2 of 3 games were stopped .*, and count by"),
    ],
)
def test_games_stopped_by_a_limit_are_counted_in_words(games: int, total: int, told: str) -> None:
    assert re.match(told, truncated_text(games, total))


def test_limits_in_series_and_tournaments() -> None:
    seats, bounds = [parse_seat("random"), parse_seat("bot:beginner")], MatchLimits(turns=3)
    assert all(one.is_truncated and one.turns == 3 for one in play_series("dominoes", {}, seats, 2, 1, bounds=bounds))
    ladder = RoundRobin(load("dominoes"), seats, 2, {}, 1, bounds)
    assert [one.turns for one in ladder.play()] == [3, 3]
    assert ladder.standings().truncated_games == 2


def test_evicted_result_is_simulated_again_identically(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = begin("penny-white", seed=3)
    list(zip(range(30), kept.run(), strict=False))
    monkeypatch.setattr(match, "_CACHED_TURNS", 4)
    short = begin("penny-white", seed=3)
    settled: list[int] = []
    stage = short.simulator.simulate
    monkeypatch.setattr(short.simulator, "simulate", lambda *what: settled.append(1) or stage(*what))
    list(zip(range(30), short.run(), strict=False))
    moved = sum(turn.result is not None for turn in kept.turns)
    assert len(settled) == moved
    assert len(short.result_cache) == 4
    assert to_json([turn.result for turn in short.turns[-4:]]) == to_json([turn.result for turn in kept.turns[-4:]])
    assert len(settled) == moved  # these were kept
    for one, other in zip(short.turns, kept.turns, strict=True):
        assert to_json(one.result) == to_json(other.result)
        assert len(short.result_cache) == 4
    assert len(settled) > moved
