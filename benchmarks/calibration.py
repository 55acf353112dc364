"""The chance that the analyst tells of positions of bots' games, held against how those games ended.

`python -m benchmarks.calibration penny-white --positions 500` plays games between bots of one grade, weighs a few
positions of each, and tells by tenths of the chance how many there were, the mean chance told and the share won.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import count

import numpy as np
from rich.console import Console
from rich.table import Table

from flicksim.base.seeding import Seeds
from flicksim.games import load
from flicksim.play import GameFuture, TableStage, open_match, share_won, wilson
from flicksim.play.series import game_seed
from flicksim.players import GRADES, weigh
from flicksim.referee import Game, parse_options

_OF_A_GAME = 5
"""Positions weighed of a game: more would be too much alike."""


def told_and_won(
    game: Game, bot: str, positions: int, shots: int, seed: int, options: Sequence[str]
) -> list[tuple[float, float]]:
    """The chance told of so many positions, and the share of the win that whoever was to play there had at last."""
    future, found = GameFuture(game, TableStage()), list[tuple[float, float]]()
    hand = GRADES[bot.partition("/")[0]]
    for number in count(1):
        match = open_match(game, parse_options(game, options), [f"bot:{bot}"] * game.seats[0], game_seed(seed, number))
        turns = list(match.run())
        rng = Seeds(seed=seed).child("positions", number).generator()
        for k in sorted(rng.choice(len(turns), min(_OF_A_GAME, len(turns)), replace=False).tolist()):
            turn = turns[k]
            view = game.rules.view(turn.before, turn.seat)
            weighed = weigh(future, hand, view, turn.seat, seed + k, shots, many=1)
            found.append((weighed.worth.chance, share_won(game, match.state, turn.seat)))
            if len(found) == positions:
                return found
    return found


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--bot", default="club", help="who plays, as HAND or HAND/DEPTH (club)")
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--shots", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[])
    given = parser.parse_args(words)
    game = load(given.game)
    found = np.array(told_and_won(game, given.bot, given.positions, given.shots, given.seed, given.option))
    table = Table("chance", "positions", "told, mean", "won", "95 %")
    for tenth in range(10):
        rows = found[np.minimum((found[:, 0] * 10).astype(int), 9) == tenth]
        if len(rows):
            low, high = wilson(float(rows[:, 1].mean()), len(rows))
            table.add_row(
                f"{tenth / 10:.1f} to {(tenth + 1) / 10:.1f}", str(len(rows)), f"{rows[:, 0].mean():.3f}",
                f"{rows[:, 1].mean():.3f}", f"{low:.3f} to {high:.3f}",
            )  # fmt: skip
    table.title = f"{game.title}, {given.bot} bots, {len(found)} positions, {given.shots} shots each"
    Console().print(table)
    error = found[:, 0] - found[:, 1]
    print(f"told less won, mean {error.mean():+.3f}; squared error {np.square(error).mean():.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
