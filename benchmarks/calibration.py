"""Calibration of the analysis: predicted win probabilities against the results of bots' games.

`python -m benchmarks.calibration penny-white --positions 500` plays games between bots of one grade and evaluates a few
positions of each. For each tenth of predicted probability it prints the number of positions, the mean prediction, the
share won, and the difference, with a 95 % interval that is clustered by game (positions of one game end alike). Rows
are saved to `results/calibration-GAME.csv` as they are found; with `--seconds` no game starts after that time.
"""

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

from benchmarks import csv_results
from benchmarks.search_strength import TimedPlayer
from flicksim.ai import GRADES, RolloutPlayer, SearchConfig, evaluate
from flicksim.core.random_streams import RandomStreams
from flicksim.games import load
from flicksim.match import SEARCH_SETTINGS, GameRolloutModel, PhysicsSimulator, SeatLike, open_match, win_share
from flicksim.match.series import game_seed
from flicksim.referee import Game, parse_options

RESULTS_FILE = Path(__file__).parent / "results"
FIELDS = ("game", "turn", "predicted", "observed")
Floats = npt.NDArray[np.float64]


class CalibrationBin(NamedTuple):
    """Positions whose predicted win probability lies in one tenth.

    Args:
        bin: 0 to 9. positions, games: their number. predicted, observed: means of the predicted win probability and of
            the share won. error: predicted minus observed. half_width: of its 95 % interval, clustered by game.
    """

    bin: int
    positions: int
    games: int
    predicted: float
    observed: float
    error: float
    half_width: float


def calibration_bins(rows: Floats) -> list[CalibrationBin]:
    """Group rows of (game, turn, predicted, observed) by tenth of the predicted probability, without empty bins."""
    bins = []
    bin_of_row = np.minimum((rows[:, 2] * 10.0 + 1e-9).astype(int), 9)
    for tenth in np.unique(bin_of_row).tolist():
        inside = rows[bin_of_row == tenth]
        error = inside[:, 2] - inside[:, 3]
        games, number = np.unique(inside[:, 0], return_inverse=True)
        by_game = np.bincount(number, error - error.mean())
        half_width = 1.96 * float(np.sqrt(np.square(by_game).sum())) / len(error)
        predicted, observed = float(inside[:, 2].mean()), float(inside[:, 3].mean())
        bins.append(CalibrationBin(tenth, len(error), len(games), predicted, observed, float(error.mean()), half_width))
    return bins


def predicted_and_observed(
    game: Game, bot: str, positions: int, shots: int, seed: int, options: Sequence[str], time_limit: float = inf,
    per_game: int = 5, bot_shots: int = 0,
) -> list[tuple[int, int, float, float]]:  # fmt: skip
    """Game number, turn, predicted win probability and final win share of the seat to play, for so many positions.

    Args:
        time_limit: no game starts after that [s]. per_game: positions of one game, at most.
        bot_shots: shots that a bot simulates per decision; 0: the search of its grade.
    """
    model = GameRolloutModel(game, PhysicsSimulator(SEARCH_SETTINGS))
    rows, start = list[tuple[int, int, float, float]](), monotonic()
    noise = GRADES[bot.partition("/")[0]]
    for number in count(1):
        seat_count = max(2, game.seats[0])
        seats: list[SeatLike] = [f"bot:{bot}"] * seat_count
        if bot_shots:
            config = SearchConfig(shots=bot_shots, candidates=14, new_candidates=2)
            seats = [
                TimedPlayer(RolloutPlayer(model, seat, noise, config), bot.partition("/")[0])
                for seat in range(seat_count)
            ]
        match = open_match(game, parse_options(game, options), seats, game_seed(seed, number))
        turns = list(match.run())
        rng = RandomStreams(seed=seed).spawn("positions", number).generator()
        for k in sorted(rng.choice(len(turns), min(per_game, len(turns)), replace=False).tolist()):
            turn = turns[k]
            view = game.rules.view(turn.before, turn.seat)
            evaluation = evaluate(model, noise, view, turn.seat, seed + k, shots, top=1)
            observed = win_share(game, match.state, turn.seat)
            rows.append((number, turn.number, round(evaluation.value.win_probability, 4), observed))
            if len(rows) == positions:
                return rows
        csv_results.write_lines(RESULTS_FILE / f"calibration-{game.name}.csv", FIELDS, rows)
        if monotonic() - start > time_limit:
            break
    return rows


def main(argv: Sequence[str] | None = None) -> int:
    """Command line entry point."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--bot", default="club", help="the bots, as HAND or HAND/THOUGHT (club)")
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--each", type=int, default=5, help="positions per game; they end alike (5)")
    parser.add_argument("--thought", type=int, default=0, help="shots that a bot simulates per decision")
    parser.add_argument("--shots", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--seconds", type=float, default=inf, help="no game starts after that time")
    args = parser.parse_args(argv)
    if args.thought and "/" in args.bot:
        parser.error("--thought sets the search already; leave it out of --bot")
    game = load(args.game)
    rows = predicted_and_observed(
        game, args.bot, args.positions, args.shots, args.seed, args.option, args.seconds, args.each, args.thought
    )
    csv_results.write_lines(RESULTS_FILE / f"calibration-{game.name}.csv", FIELDS, rows)
    values = np.array(rows)
    table = Table("predicted", "positions", "games", "mean predicted", "won", "error", "95 %")
    for one in calibration_bins(values):
        table.add_row(
            f"{one.bin / 10:.1f} to {(one.bin + 1) / 10:.1f}", str(one.positions), str(one.games),
            f"{one.predicted:.3f}", f"{one.observed:.3f}", f"{one.error:+.3f}",
            f"{one.error - one.half_width:+.3f} to {one.error + one.half_width:+.3f}",
        )  # fmt: skip
    table.title = f"{game.title}, {args.bot} bots, {len(values)} positions, {args.shots} shots each"
    Console().print(table)
    error = values[:, 2] - values[:, 3]
    print(f"mean error {error.mean():+.3f}; squared error {np.square(error).mean():.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
