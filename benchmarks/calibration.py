"""The chance that the analyst tells of positions of bots' games, held against how those games ended.

`python -m benchmarks.calibration penny-white --positions 500` plays games between bots of one grade, weighs a few
positions of each, and tells by tenths of the chance how many there were, the mean chance told and the share won. Rows
are kept in `results/calibration-GAME.csv` as they are found; with `--seconds` no game is begun after so long.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import count
from math import inf
from pathlib import Path
from time import monotonic

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks import sheet
from flicksim.base.seeding import Seeds
from flicksim.games import load
from flicksim.play import GameFuture, TableStage, open_match, share_won, wilson
from flicksim.play.series import game_seed
from flicksim.players import GRADES, weigh
from flicksim.referee import Game, parse_options

KEPT = Path(__file__).parent / "results"
FIELDS = ("game", "turn", "told", "won")
_OF_A_GAME = 5
"""Positions weighed of a game: more would be too much alike."""


def told_and_won(
    game: Game, bot: str, positions: int, shots: int, seed: int, options: Sequence[str], longest: float = inf
) -> list[tuple[int, int, float, float]]:
    """Game and turn of so many positions, the chance told of each, and the share of the win that whoever was to play
    there had at last. No game is begun after the longest time [s]."""
    future, found, begun = GameFuture(game, TableStage()), list[tuple[int, int, float, float]](), monotonic()
    hand = GRADES[bot.partition("/")[0]]
    for number in count(1):
        match = open_match(game, parse_options(game, options), [f"bot:{bot}"] * game.seats[0], game_seed(seed, number))
        turns = list(match.run())
        rng = Seeds(seed=seed).child("positions", number).generator()
        for k in sorted(rng.choice(len(turns), min(_OF_A_GAME, len(turns)), replace=False).tolist()):
            turn = turns[k]
            view = game.rules.view(turn.before, turn.seat)
            weighed = weigh(future, hand, view, turn.seat, seed + k, shots, many=1)
            won = share_won(game, match.state, turn.seat)
            found.append((number, turn.number, round(weighed.worth.chance, 4), won))
            if len(found) == positions:
                return found
        sheet.write_lines(KEPT / f"calibration-{game.name}.csv", FIELDS, found)
        if monotonic() - begun > longest:
            break
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
    parser.add_argument("--seconds", type=float, default=inf, help="no further game after so long")
    given = parser.parse_args(words)
    game = load(given.game)
    rows = told_and_won(game, given.bot, given.positions, given.shots, given.seed, given.option, given.seconds)
    sheet.write_lines(KEPT / f"calibration-{game.name}.csv", FIELDS, rows)
    found = np.array(rows)[:, 2:]
    table = Table("chance", "positions", "told, mean", "won", "95 %")
    for tenth in range(10):
        inside = found[np.minimum((found[:, 0] * 10).astype(int), 9) == tenth]
        if len(inside):
            low, high = wilson(float(inside[:, 1].mean()), len(inside))
            table.add_row(
                f"{tenth / 10:.1f} to {(tenth + 1) / 10:.1f}", str(len(inside)), f"{inside[:, 0].mean():.3f}",
                f"{inside[:, 1].mean():.3f}", f"{low:.3f} to {high:.3f}",
            )  # fmt: skip
    table.title = f"{game.title}, {given.bot} bots, {len(found)} positions, {given.shots} shots each"
    Console().print(table)
    error = found[:, 0] - found[:, 1]
    print(f"told less won, mean {error.mean():+.3f}; squared error {np.square(error).mean():.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
