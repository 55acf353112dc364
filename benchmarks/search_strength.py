"""Playing strength of the bots' search grades at equal execution noise, and processor time per decision.

`python -m benchmarks.search_strength penny-white --hand club --games 200` plays every grade of search against the next
lower one. With `--against 16,4,4` the first grade plays the former lookahead search instead: 16 candidates tried
without noise, 4 of them 4 times with noise. `--shots 1500` sets the number of shots that the first grade simulates per
decision. Seats alternate between games; seconds are processor time. With `--seconds` no game of a series starts after
that time, with `--clear` none once the 95 % interval excludes one half, after 20 games at least (such repeated looks
raise the error rate above 5 %). The grade `seeing` is that of `world` with all cards visible, an upper bound. Every row
is appended to `results/grades.csv`.
"""

import csv
from collections.abc import Sequence
from itertools import pairwise
from math import inf
from pathlib import Path
from time import monotonic, process_time

import msgspec
import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks import command_line, csv_results
from flicksim import match as matches
from flicksim.ai import GRADES, LookaheadConfig, LookaheadPlayer, RolloutPlayer, SearchConfig
from flicksim.core.errors import InvalidInput
from flicksim.core.type_aliases import Action, View
from flicksim.games import load
from flicksim.match.match_factory import make_player, search_config_of
from flicksim.match.series import game_seed
from flicksim.referee import Game, LegalActions, parse_options

_MIN_GAMES = 20
"""Games before the interval is checked."""
RESULTS_FILE = Path(__file__).parent / "results" / "grades.csv"
FIELDS = ("game", "hand", "first", "second", "games", "won", "low", "high", "s_first", "s_second", "seed", "options")


FULL_INFORMATION = "seeing"
"""Search grade of a player that sees all cards."""


class TimedPlayer:
    """A player whose decisions are timed (processor time) [s].

    Args:
        sees_all: True if it sees the full state of the match, hidden cards included.
    """

    def __init__(self, player: matches.Player, hand: str, *, sees_all: bool = False) -> None:
        self._player, self.hand, self._sees_all = player, hand, sees_all
        self.match: matches.Match | None = None
        self.seconds: list[float] = []

    def choose(self, view: View, choices: LegalActions, rng: np.random.Generator) -> Action:
        """Choose as the player would; add the time taken."""
        visible = self.match.state if self._sees_all and self.match is not None else view
        start = process_time()
        action = self._player.choose(visible, choices, rng)
        self.seconds.append(process_time() - start)
        return action


def player(game: Game, hand: str, depth: str | LookaheadConfig | SearchConfig, seat: int, seats: int) -> TimedPlayer:
    """A bot with the execution noise of a grade and a search, by its grade or its configuration."""
    simulator = matches.PhysicsSimulator(matches.SEARCH_SETTINGS)
    if isinstance(depth, LookaheadConfig):
        return TimedPlayer(LookaheadPlayer(matches.GameModel(game, simulator), seat, GRADES[hand], depth), hand)
    if isinstance(depth, SearchConfig):
        model = matches.GameRolloutModel(game, simulator, use_learned=depth.use_learned)
        return TimedPlayer(RolloutPlayer(model, seat, GRADES[hand], depth), hand)
    grade = "world" if depth == FULL_INFORMATION else depth
    bot = make_player(game, simulator, [matches.parse_seat(f"bot:{hand}/{grade}")] * seats, seat)
    assert bot is not None
    return TimedPlayer(bot, hand, sees_all=depth == FULL_INFORMATION)


def win_share(match: matches.Match, first: Sequence[int]) -> float:
    """Share of the win of these seats."""
    sides = match.game.sides(len(match.scores))
    ahead = [side for side in sides if any(seat in match.winners for seat in side)]
    return sum(any(seat in side for seat in first) for side in ahead) / len(ahead)


def play_match_up(
    game: Game, hand: str, depths: tuple[str | SearchConfig, str | LookaheadConfig], games: int, seed: int,
    options: Sequence[str], *, seats: int = 0, time_limit: float = inf, clear: bool = False,
) -> tuple[list[float], tuple[list[float], list[float]]]:  # fmt: skip
    """Play so many games, or fewer (`--seconds`, `--clear`).

    Returns:
        The win share of the first search in each game, and the times of the decisions of both [s].
    """
    shares: list[float] = []
    seconds: tuple[list[float], list[float]] = ([], [])
    seats, start = seats or max(2, game.seats[0]), monotonic()
    for number in range(1, games + 1):
        order = [(seat + number) % 2 for seat in range(seats)]
        players = [player(game, hand, depths[index], seat, seats) for seat, index in enumerate(order)]
        match = matches.open_match(game, parse_options(game, options), players, game_seed(seed, number))
        for bot in players:
            bot.match = match
        for _ in match.run():
            pass
        shares.append(win_share(match, [seat for seat, index in enumerate(order) if index == 0]))
        for index, bot in zip(order, players, strict=True):
            seconds[index].extend(bot.seconds)
        low, high = matches.wilson_interval(sum(shares) / number, number)
        if monotonic() - start > time_limit or (clear and number >= _MIN_GAMES and not low <= 0.5 <= high):
            break
    return shares, seconds


def main(argv: Sequence[str] | None = None) -> int:
    """Command line entry point."""
    parser = command_line.parser("search_strength", __doc__, games=200, seed=1, option=[])
    parser.add_argument("game", help="name of the game")
    parser.add_argument("--hand", default="club", choices=list(GRADES), help="grade of hand of every player (club)")
    parser.add_argument(
        "--depth", action="append", choices=[*GRADES, FULL_INFORMATION],
        help="search grade, the highest first; once for each; default: all",
    )  # fmt: skip
    parser.add_argument("--against", help="the former search: CANDIDATES,KEEP,SAMPLES")
    parser.add_argument("--shots", type=int, help="shots per decision of the first grade")
    parser.add_argument("--seats", type=int, default=0, help="number of seats; default: the fewest, but at least two")
    parser.add_argument("--seconds", type=float, default=inf, help="no game of a series starts after that time")
    parser.add_argument("--clear", action="store_true", help="stop once the interval excludes one half")
    args = parser.parse_args(argv)
    if len(args.depth or GRADES) < 2 and not args.against:
        parser.error("one --depth plays against no other; name two")
    game = load(args.game)
    depths: list[str] = args.depth or list(GRADES)[::-1]
    pairs: list[tuple[str, str | LookaheadConfig]] = list(pairwise(depths))
    if args.against:
        pairs = [(depths[0], _parse_search(args.against))]
    table = Table("search grades", "games", "won by the first", "95 %", "s per decision, mean", "max")
    console = Console()
    for pair in pairs:
        first = pair[0] if args.shots is None else _with_shots(game, pair[0], args.shots)
        shares, seconds = play_match_up(game, args.hand, (first, pair[1]), args.games, args.seed, args.option,
                               seats=args.seats, time_limit=args.seconds, clear=args.clear)  # fmt: skip
        mean = sum(shares) / len(shares)
        low, high = matches.wilson_interval(mean, len(shares))
        suffix = "" if args.shots is None else f" with {args.shots} shots"
        names = f"{pair[0]}{suffix}, {pair[1] if isinstance(pair[1], str) else f'search {args.against}'}"
        row = (
            names, str(len(shares)), f"{sum(shares) / len(shares):.3f}", f"{low:.3f} to {high:.3f}",
            ", ".join(f"{np.mean(times):.3f}" for times in seconds),
            ", ".join(f"{max(times):.2f}" for times in seconds),
        )  # fmt: skip
        table.add_row(*row)
        console.print(*row, sep="  ", markup=False, highlight=False)
        _save_row(
            args.game, args.hand, *names.split(", ", 1), len(shares), *(f"{x:.3f}" for x in (mean, low, high)),
            *(f"{np.mean(times):.3f}" for times in seconds), args.seed, " ".join(args.option),
        )  # fmt: skip
    table.title = f"{game.title}, all with {args.hand} execution noise, seed {args.seed}"
    console.print(table)
    return 0


def _save_row(*row: object) -> None:
    """Append a row to the results file."""
    rows = list(csv.reader(RESULTS_FILE.read_text().splitlines())) if RESULTS_FILE.exists() else [list(FIELDS)]
    csv_results.write_lines(RESULTS_FILE, rows[0], [*rows[1:], row])


def _with_shots(game: Game, name: str, shots: int) -> SearchConfig:
    """Search configuration of a grade with another number of shots."""
    depth = search_config_of(game, name)
    if depth is None:
        raise InvalidInput(f"--shots {shots} needs a grade with a rollout search; {name!r} has none in {game.title}")
    return msgspec.structs.replace(depth, shots=shots)


def _parse_search(text: str) -> LookaheadConfig:
    try:
        candidates, keep, samples = map(int, text.split(","))
    except ValueError:
        raise InvalidInput(f"--against {text!r} must be three numbers, as 16,4,4") from None
    return LookaheadConfig(candidates=candidates, refined=keep, samples=samples)


if __name__ == "__main__":
    raise SystemExit(main())
