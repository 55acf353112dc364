"""Matches that tests open, record, replay and resume."""

from itertools import islice
from pathlib import Path
from typing import Any

from flicksim.core.type_aliases import Position
from flicksim.games import load
from flicksim.match import (
    Match,
    MatchLimits,
    Recorder,
    Replay,
    append_to,
    match_header,
    open_match,
    open_replay,
    read_record,
)
from flicksim.referee import parse_options


def new_match(
    name: str, *seats: Any, seed: int = 1, position: Position = None, bounds: MatchLimits | None = None, **options: Any
) -> Match:
    game = load(name)
    return open_match(game, parse_options(game, options), seats, seed, position=position, bounds=bounds)


def record_match(path: Path, name: str, *seats: str, turns: int | None = None, **given: Any) -> Match:
    """Play a match, or its first turns, into a record."""
    match = new_match(name, *seats, **given)
    with Recorder(path, match_header(match, seats), durable=False) as recorder:
        recorder.write_match(match, islice(match.run(), turns))
    return match


def points_won(name: str, strong: str, weak: str, games: int, **options: Any) -> list[float]:
    """Points of two players, each on every other of four seats, in games of several seeds."""
    won = [0.0, 0.0]
    for seed in range(games):
        order = [(k + seed) % 2 for k in range(4)]
        match = new_match(name, *((strong, weak)[k] for k in order), seed=seed, **options)
        list(match.run())
        for k, points in zip(order, match.scores, strict=True):
            won[k] += float(points)
    return won


def replay_record(path: Path) -> Replay:
    """The replay of a record after its last turn."""
    replay, _ = open_replay(read_record(path))
    list(replay.run())
    return replay


def resume_record(replay: Replay) -> None:
    """Play a replayed match on into its record, to its end."""
    with append_to(replay.record, durable=False) as recorder:
        if replay.match.is_over and not replay.record.is_complete:
            recorder.write_end()
        for turn in replay.match.run():
            recorder.write_turn(turn)
