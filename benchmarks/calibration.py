"""Calibration of the analysis: predicted win probabilities against the results of bots' games.

`python -m benchmarks.calibration penny-white --positions 500` plays games between bots of one grade and evaluates a few
positions of each. For each tenth of predicted probability it prints the number of positions, the mean prediction, the
share won, and the difference, with a 95 % interval that is clustered by game (positions of one game end alike); then
the Brier score and the power of the odds that fits the results best, with 95 % intervals by the bootstrap over games.
Rows are saved to `results/calibration-NAME.csv` as they are found; with `--seconds` no game starts after that time,
with `--resume` the games that were saved are continued. `--positions 0` plays none and reports the saved rows;
`--picture` draws the reliability plots of all names given.
"""

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import count
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from benchmarks import command_line, csv_results
from benchmarks.search_strength import TimedPlayer
from flicksim.ai import GRADES, RolloutPlayer, SearchConfig, TooFewShots, evaluate
from flicksim.core.arrays import Floats
from flicksim.core.errors import CannotContinue
from flicksim.core.random_streams import RandomStreams
from flicksim.games import load
from flicksim.games.tiddlywinks import rollout_evaluation
from flicksim.match import SEARCH_SETTINGS, GameRolloutModel, PhysicsSimulator, SeatLike, open_match, win_share
from flicksim.match.series import game_seed
from flicksim.referee import Game, parse_options
from flicksim.scene import Flick, Launch, Squidge

RESULTS_FILE = Path(__file__).parent / "results"
FIELDS = ("game", "turn", "predicted", "observed")
Row = tuple[int, int, float, float]
_PRIOR_ROUNDS, _ROLLOUTS_PER_SHOT = ((64, 4), (256, 1)), 48
"""Rounds of table look-ups, and rollouts after each shot, of a quick analysis of tiddlywinks."""
_RESAMPLES = 1000
"""Resamples of the games in a bootstrap interval."""
_MIN_POSITIONS = 100
"""Positions beyond which a tenth counts for the largest error, and is drawn filled."""


@contextmanager
def fewer_rollouts() -> Iterator[None]:
    """Look up and roll out tiddlywinks less often, by bots and the analysis; the same in the mean, with more sampling
    error."""
    with (
        patch.object(rollout_evaluation, "_PRIOR_ROUNDS", _PRIOR_ROUNDS),
        patch.object(rollout_evaluation, "ROLLOUTS_PER_SHOT", _ROLLOUTS_PER_SHOT),
    ):
        yield


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


def brier_score(rows: Floats) -> float:
    """Mean squared difference of predicted and observed (Brier, 1950)."""
    return float(np.square(rows[:, 2] - rows[:, 3]).mean())


def odds_power(rows: Floats) -> float:
    """Power of the predicted odds that maximises the likelihood of the results (logistic recalibration without an
    intercept), by Newton's method with bounded steps."""
    chance = np.clip(rows[:, 2], 1e-3, 1.0 - 1e-3)
    logit, power = np.log(chance / (1.0 - chance)), 1.0
    for _ in range(40):
        fitted = 1.0 / (1.0 + np.exp(-power * logit))
        step = (logit * (rows[:, 3] - fitted)).sum() / (logit**2 * fitted * (1.0 - fitted)).sum()
        power += float(np.clip(step, -0.5, 0.5))
        if abs(step) < 1e-9:
            break
    return power


def bootstrap_interval(rows: Floats, statistic: Callable[[Floats], float], seed: int = 1) -> tuple[float, float]:
    """95 % percentile interval of a statistic of the rows, by resampling whole games (cluster bootstrap)."""
    rng = np.random.Generator(np.random.PCG64(seed))
    _, number = np.unique(rows[:, 0], return_inverse=True)
    by_game = np.split(rows[np.argsort(number, kind="stable")], np.cumsum(np.bincount(number))[:-1])
    drawn = [
        statistic(np.concatenate([by_game[k] for k in rng.integers(len(by_game), size=len(by_game))]))
        for _ in range(_RESAMPLES)
    ]
    low, high = np.percentile(drawn, (2.5, 97.5)).tolist()
    return low, high


class Series(NamedTuple):
    """Games whose positions are evaluated.

    Args:
        bot: the bots, as HAND or HAND/THOUGHT. seats: their number. options: of the game. seed: of the games.
        shots: of an evaluation. per_game: positions of one game, at most.
        bot_shots: shots that a bot simulates per decision; 0: the search of its grade.
        is_quick: whether games have the short flights of the search.
    """

    game: Game
    bot: str
    seats: int
    options: Sequence[str]
    seed: int
    shots: int
    per_game: int = 5
    bot_shots: int = 0
    is_quick: bool = False

    def rows_of(self, model: GameRolloutModel, number: int) -> list[Row]:
        """Play a game; game number, turn, predicted win probability and final win share of the seat to play, for a few
        of its positions."""
        game, hand = self.game, self.bot.partition("/")[0]
        seats: list[SeatLike] = [f"bot:{self.bot}"] * self.seats
        if self.bot_shots:
            config = SearchConfig(shots=self.bot_shots, candidates=14, new_candidates=2)
            seats = [TimedPlayer(RolloutPlayer(model, seat, GRADES[hand], config), hand) for seat in range(self.seats)]
        simulator = PhysicsSimulator(SEARCH_SETTINGS) if self.is_quick and game.uses_physics else None
        options, seed = parse_options(game, self.options), game_seed(self.seed, number)
        match = open_match(game, options, seats, seed, simulator=simulator)
        try:
            turns = [
                turn
                for turn in match.run()
                if not game.uses_physics or isinstance(turn.meant, Flick | Squidge | Launch)
            ]
        except CannotContinue:  # a wink may never come to rest
            return []
        rng = RandomStreams(seed=self.seed).spawn("positions", number).generator()
        rows = []
        for k in sorted(rng.choice(len(turns), min(self.per_game, len(turns)), replace=False).tolist()):
            turn = turns[k]
            view = game.rules.view(turn.before, turn.seat)
            try:
                evaluation = evaluate(model, GRADES[hand], view, turn.seat, self.seed + k, self.shots, top=1)
            except TooFewShots:
                continue
            observed = win_share(game, match.state, turn.seat)
            rows.append((number, turn.number, round(evaluation.value.win_probability, 4), round(observed, 4)))
        return rows


def predicted_and_observed(
    series: Series, positions: int, path: Path, saved: Sequence[Row] = (), time_limit: float = inf
) -> list[Row]:
    """Rows of so many positions, the saved ones included; written to a file after every game.

    Args:
        time_limit: no game starts after that [s].
    """
    model = GameRolloutModel(series.game)
    rows, start = list(saved), monotonic()
    for number in count(rows[-1][0] + 1 if rows else 1):
        if len(rows) >= positions or monotonic() - start > time_limit:
            break
        rows += series.rows_of(model, number)[: positions - len(rows)]
        csv_results.write_lines(path, FIELDS, rows)
    return rows


def read_rows(path: Path) -> list[Row]:
    """Read saved rows."""
    with path.open(newline="") as file:
        return [
            (int(row["game"]), int(row["turn"]), float(row["predicted"]), float(row["observed"]))
            for row in csv.DictReader(file)
        ]


def draw(names: Sequence[str], tables: Sequence[Floats], path: Path) -> None:
    """Draw the reliability plots of several games side by side: share won over predicted probability, by tenths."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2.3 * len(names), 2.6), layout="constrained")
    axes: Any = figure.subplots(1, len(names), squeeze=False, sharey=True)[0]
    for ax, name, rows in zip(axes, names, tables, strict=True):
        ax.plot((0.0, 1.0), (0.0, 1.0), color="#999999", linewidth=0.8)
        for one in calibration_bins(rows):
            face = "#2f6690" if one.positions > _MIN_POSITIONS else "white"
            ax.errorbar(
                one.predicted, one.observed, yerr=one.half_width, fmt="o", markersize=4.5, color="#2f6690",
                markerfacecolor=face, elinewidth=1.0,
            )  # fmt: skip
        ax.set_title(f"{name}, {len(rows):,}", fontsize=9)
        ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0), aspect="equal")
        ax.set_xlabel("predicted", fontsize=8)
        ax.tick_params(labelsize=7)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("won", fontsize=8)
    figure.savefig(path, dpi=110)


def show(title: str, values: Floats) -> None:
    """Print the table of a series."""
    bins = calibration_bins(values)
    shown = (
        (f"{one.bin / 10:.1f} to {(one.bin + 1) / 10:.1f}", one.positions, one.games, f"{one.predicted:.3f}",
         f"{one.observed:.3f}", f"{one.error:+.3f}",
         f"{one.error - one.half_width:+.3f} to {one.error + one.half_width:+.3f}")
        for one in bins
    )  # fmt: skip
    headings = ("predicted", "positions", "games", "mean predicted", "won", "error", "95 %")
    command_line.show_table(headings, shown, title)
    base = float(values[:, 3].mean())
    errors = [abs(one.error) for one in bins if one.positions > _MIN_POSITIONS]
    print(f"mean error {(values[:, 2] - values[:, 3]).mean():+.3f}; largest of the tenths with more than "
          f"{_MIN_POSITIONS} positions {max(errors, default=0.0):.3f}")  # fmt: skip
    for label, statistic in (("Brier score", brier_score), ("power of the odds", odds_power)):
        low, high = bootstrap_interval(values, statistic)
        print(f"{label} {statistic(values):.3f} ({low:.3f} to {high:.3f})")
    print(f"Brier score of the mean share won, {base:.3f}: {np.square(values[:, 3] - base).mean():.3f}")


def main(argv: Sequence[str] | None = None) -> int:
    """Command line entry point."""
    parser = command_line.parser("calibration", __doc__, positions=500, shots=4000, seed=1, option=[])
    parser.add_argument("game", nargs="+", help="game; with --positions 0 names of saved results")
    parser.add_argument("--bot", default="club", help="the bots, as HAND or HAND/THOUGHT (club)")
    parser.add_argument("--seats", type=int, default=0, help="default: the fewest, but at least two")
    parser.add_argument("--each", type=int, default=5, help="positions per game; they end alike (5)")
    parser.add_argument("--thought", type=int, default=0, help="shots that a bot simulates per decision")
    parser.add_argument("--seconds", type=float, default=inf, help="no game starts after that time")
    parser.add_argument("--name", default="", help="name of the results, default: the game")
    parser.add_argument("--resume", action="store_true", help="continue the saved games")
    parser.add_argument("--quick", action="store_true", help="short flights, and fewer rollouts at tiddlywinks")
    parser.add_argument("--picture", type=Path, help="draw the reliability plots")
    args = parser.parse_args(argv)
    if args.thought and "/" in args.bot:
        parser.error("--thought sets the search already; leave it out of --bot")
    names = [args.name or name for name in args.game]
    tables = list[Floats]()
    for name, given in zip(names, args.game, strict=True):
        path = RESULTS_FILE / f"calibration-{name}.csv"
        title, saved = name, read_rows(path) if args.resume or not args.positions else []
        if args.positions:
            game = load(given)
            series = Series(
                game, args.bot, args.seats or max(2, game.seats[0]), args.option, args.seed, args.shots, args.each,
                args.thought, args.quick,
            )  # fmt: skip
            with fewer_rollouts() if args.quick else nullcontext():
                saved = predicted_and_observed(series, args.positions, path, saved, args.seconds)
            title = f"{game.title}, {args.bot} bots, {len(saved)} positions, {args.shots} shots each"
        tables.append(np.array(saved))
        show(title, tables[-1])
    if args.picture:
        draw(names, tables, args.picture)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
