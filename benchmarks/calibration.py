"""The chance that the analyst tells of positions of bots' games, held against how those games ended.

`python -m benchmarks.calibration penny-white --positions 500` plays games between bots of one grade, weighs a few
positions of each, and tells by tenths of the chance how many there were, the mean chance told, the share won, and how
far the one lies above the other, with an interval that knows that positions of one game end alike. Rows are kept in
`results/calibration-GAME.csv` as they are found; with `--seconds` no game is begun after so long.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import count
from math import inf
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from benchmarks import sheet
from benchmarks.grades import Timed
from flicksim.base.seeding import Seeds
from flicksim.games import load
from flicksim.play import THOUGHT, GameFuture, Seating, TableStage, open_match, share_won
from flicksim.play.series import game_seed
from flicksim.players import GRADES, Depth, WeighingPlayer, weigh
from flicksim.referee import Game, parse_options

KEPT = Path(__file__).parent / "results"
FIELDS = ("game", "turn", "told", "won")
Floats = npt.NDArray[np.float64]


class Tenth(NamedTuple):
    """Positions whose chance lies in one tenth.

    Args:
        tenth: 0 to 9. positions, games: how many. told, won: in the mean. off: told less won, and give: half its 95 %
            interval, as games differ.
    """

    tenth: int
    positions: int
    games: int
    told: float
    won: float
    off: float
    give: float


def tenths(rows: Floats) -> list[Tenth]:
    """The tenths in which there are positions; rows are game, turn, told and won."""
    found = []
    which = np.minimum((rows[:, 2] * 10.0 + 1e-9).astype(int), 9)
    for tenth in np.unique(which).tolist():
        inside = rows[which == tenth]
        off = inside[:, 2] - inside[:, 3]
        games, number = np.unique(inside[:, 0], return_inverse=True)
        strayed = np.bincount(number, off - off.mean())
        give = 1.96 * float(np.sqrt(np.square(strayed).sum())) / len(off)
        told, won = inside[:, 2].mean(), inside[:, 3].mean()
        found.append(Tenth(tenth, len(off), len(games), float(told), float(won), float(off.mean()), give))
    return found


def told_and_won(
    game: Game, bot: str, positions: int, shots: int, seed: int, options: Sequence[str], longest: float = inf,
    each: int = 5, thought: int = 0,
) -> list[tuple[int, int, float, float]]:  # fmt: skip
    """Game and turn of so many positions, the chance told of each, and the share of the win that whoever was to play
    there had at last.

    Args:
        longest: no game is begun after that [s]. each: positions of a game, at most.
        thought: shots that who plays weighs a decision by; as deep as its grade without.
    """
    future, found, begun = GameFuture(game, TableStage(THOUGHT)), list[tuple[int, int, float, float]](), monotonic()
    hand = GRADES[bot.partition("/")[0]]
    for number in count(1):
        places = max(2, game.seats[0])
        seats: list[Seating] = [f"bot:{bot}"] * places
        if thought:
            depth = Depth(shots=thought, plans=14, wider=2)
            seats = [Timed(WeighingPlayer(future, seat, hand, depth), bot.partition("/")[0]) for seat in range(places)]
        match = open_match(game, parse_options(game, options), seats, game_seed(seed, number))
        turns = list(match.run())
        rng = Seeds(seed=seed).child("positions", number).generator()
        for k in sorted(rng.choice(len(turns), min(each, len(turns)), replace=False).tolist()):
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
    parser.add_argument("--each", type=int, default=5, help="positions of a game, which end alike (5)")
    parser.add_argument("--thought", type=int, default=0, help="shots that who plays weighs a decision by")
    parser.add_argument("--shots", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--seconds", type=float, default=inf, help="no further game after so long")
    given = parser.parse_args(words)
    if given.thought and "/" in given.bot:
        parser.error("--thought is a depth already; leave out that of --bot")
    game = load(given.game)
    rows = told_and_won(
        game,
        given.bot,
        given.positions,
        given.shots,
        given.seed,
        given.option,
        given.seconds,
        given.each,
        given.thought,
    )
    sheet.write_lines(KEPT / f"calibration-{game.name}.csv", FIELDS, rows)
    told = np.array(rows)
    table = Table("chance", "positions", "of games", "told, mean", "won", "told less won", "95 %")
    for one in tenths(told):
        table.add_row(
            f"{one.tenth / 10:.1f} to {(one.tenth + 1) / 10:.1f}", str(one.positions), str(one.games),
            f"{one.told:.3f}", f"{one.won:.3f}", f"{one.off:+.3f}",
            f"{one.off - one.give:+.3f} to {one.off + one.give:+.3f}",
        )  # fmt: skip
    table.title = f"{game.title}, {given.bot} bots, {len(told)} positions, {given.shots} shots each"
    Console().print(table)
    error = told[:, 2] - told[:, 3]
    print(f"told less won, mean {error.mean():+.3f}; squared error {np.square(error).mean():.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
