"""Depths of thought against each other with equal hands, and what a decision costs.

`python -m benchmarks.grades penny-white --hand club --games 200` plays every depth against the one below it; with
`--against 16,4,4` the first depth plays the thought of old instead: 16 actions tried as meant, 4 of them 4 times again.
`--shots 1500` lets the first depth settle so many a decision, where it weighs, and not its own number.
Seats change over with every game. Seconds are processor time. With `--seconds` a series begins no further game after so
long, with `--clear` none once the 95 % interval is clear of one half, after 20 games at least; looked at so often, it
errs oftener than one time in twenty. The depth `seeing` is that of world class and is shown all cards, a mark
to hold others against. Every row is added to `results/grades.csv`.
"""

from __future__ import annotations

import argparse
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

from benchmarks import sheet
from flicksim.base.errors import BadInput
from flicksim.base.kinds import Action, View
from flicksim.games import load
from flicksim.play import THOUGHT, GameFuture, GameModel, Match, Player, TableStage, open_match, parse_seat, wilson
from flicksim.play.open_match import depth_of, player_of
from flicksim.play.series import game_seed
from flicksim.players import GRADES, Depth, SearchPlayer, Thought, WeighingPlayer
from flicksim.referee import Choices, Game, parse_options

_LOOKS = 20
"""Games before the interval is looked at."""
KEPT = Path(__file__).parent / "results" / "grades.csv"
FIELDS = ("game", "hand", "first", "second", "games", "won", "low", "high", "s_first", "s_second", "seed", "options")


SEEING = "seeing"
"""The depth of a player who is shown all cards."""


class Timed:
    """A player whose decisions are timed [s of processor time].

    Args:
        sees: whether it is shown all cards, as the match has them.
    """

    def __init__(self, player: Player, hand: str, *, sees: bool = False) -> None:
        self._player, self.hand, self._sees = player, hand, sees
        self.match: Match | None = None
        self.seconds: list[float] = []

    def choose(self, view: View, choices: Choices, rng: np.random.Generator) -> Action:
        """Choose as the player would."""
        shown = self.match.state if self._sees and self.match is not None else view
        begun = process_time()
        action = self._player.choose(shown, choices, rng)
        self.seconds.append(process_time() - begun)
        return action


def player(game: Game, hand: str, depth: str | Thought | Depth, seat: int, seats: int) -> Timed:
    """A bot with that hand that thinks so deep, or that thinks as the search does."""
    stage = TableStage(THOUGHT)
    if isinstance(depth, Thought):
        return Timed(SearchPlayer(GameModel(game, stage), seat, GRADES[hand], depth), hand)
    if isinstance(depth, Depth):
        return Timed(WeighingPlayer(GameFuture(game, stage, learnt=depth.learnt), seat, GRADES[hand], depth), hand)
    thought = "world" if depth == SEEING else depth
    found = player_of(game, stage, [parse_seat(f"bot:{hand}/{thought}")] * seats, seat)
    assert found is not None
    return Timed(found, hand, sees=depth == SEEING)


def share_of(match: Match, first: Sequence[int]) -> float:
    """The share of the win that these seats have."""
    sides = match.game.sides(len(match.scores))
    ahead = [side for side in sides if any(seat in match.winners for seat in side)]
    return sum(any(seat in side for seat in first) for side in ahead) / len(ahead)


def duel(
    game: Game, hand: str, depths: tuple[str | Depth, str | Thought], games: int, seed: int, options: Sequence[str],
    *, seats: int = 0, longest: float = inf, clear: bool = False,
) -> tuple[list[float], tuple[list[float], list[float]]]:  # fmt: skip
    """Play so many games, or fewer (`--seconds`, `--clear`); the share of each that the first depth won, and the
    seconds of both."""
    shares: list[float] = []
    seconds: tuple[list[float], list[float]] = ([], [])
    seats, begun = seats or max(2, game.seats[0]), monotonic()
    for number in range(1, games + 1):
        who = [(seat + number) % 2 for seat in range(seats)]
        players = [player(game, hand, depths[which], seat, seats) for seat, which in enumerate(who)]
        match = open_match(game, parse_options(game, options), players, game_seed(seed, number))
        for one in players:
            one.match = match
        for _ in match.run():
            pass
        shares.append(share_of(match, [seat for seat, which in enumerate(who) if which == 0]))
        for which, one in zip(who, players, strict=True):
            seconds[which].extend(one.seconds)
        low, high = wilson(sum(shares) / number, number)
        if monotonic() - begun > longest or (clear and number >= _LOOKS and not low <= 0.5 <= high):
            break
    return shares, seconds


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.grades", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--hand", default="club", choices=list(GRADES))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depth", action="append", help="these depths, the deepest first; all without")
    parser.add_argument("--against", help="the thought of old: CANDIDATES,KEEP,SAMPLES")
    parser.add_argument("--shots", type=int, help="the first depth settles so many, not its own number")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--seats", type=int, default=0, help="at the table; the fewest without, two at least")
    parser.add_argument("--seconds", type=float, default=inf, help="no further game of a series after so long")
    parser.add_argument("--clear", action="store_true", help="nor once the interval is clear of one half")
    given = parser.parse_args(words)
    game = load(given.game)
    depths: list[str] = given.depth or list(GRADES)[::-1]
    pairs: list[tuple[str, str | Thought]] = list(pairwise(depths))
    if given.against:
        pairs = [(depths[0], _thought(given.against))]
    table = Table("depths", "games", "won by the first", "95 %", "s a decision, mean", "most")
    console = Console()
    for pair in pairs:
        first = pair[0] if given.shots is None else _with(game, pair[0], given.shots)
        shares, seconds = duel(game, given.hand, (first, pair[1]), given.games, given.seed, given.option,
                               seats=given.seats, longest=given.seconds, clear=given.clear)  # fmt: skip
        mean = sum(shares) / len(shares)
        low, high = wilson(mean, len(shares))
        more = "" if given.shots is None else f" with {given.shots} shots"
        names = f"{pair[0]}{more}, {pair[1] if isinstance(pair[1], str) else f'search {given.against}'}"
        row = (
            names, str(len(shares)), f"{sum(shares) / len(shares):.3f}", f"{low:.3f} to {high:.3f}",
            ", ".join(f"{np.mean(one):.3f}" for one in seconds), ", ".join(f"{max(one):.2f}" for one in seconds),
        )  # fmt: skip
        table.add_row(*row)
        console.print(*row, sep="  ", markup=False, highlight=False)
        _keep(
            given.game, given.hand, *names.split(", ", 1), len(shares), *(f"{x:.3f}" for x in (mean, low, high)),
            *(f"{np.mean(one):.3f}" for one in seconds), given.seed, " ".join(given.option),
        )  # fmt: skip
    table.title = f"{game.title}, all with {given.hand} hands, seed {given.seed}"
    console.print(table)
    return 0


def _keep(*row: object) -> None:
    """Add a row to those that are kept."""
    rows = list(csv.reader(KEPT.read_text().splitlines())) if KEPT.exists() else [list(FIELDS)]
    sheet.write_lines(KEPT, rows[0], [*rows[1:], row])


def _with(game: Game, name: str, shots: int) -> Depth:
    """A depth that settles so many shots and not its own number."""
    depth = depth_of(game, name)
    if depth is None:
        raise BadInput(f"--shots {shots} is for depths that weigh; {name!r} does not at {game.title}")
    return msgspec.structs.replace(depth, shots=shots)


def _thought(word: str) -> Thought:
    try:
        candidates, keep, samples = map(int, word.split(","))
    except ValueError:
        raise BadInput(f"--against {word!r} must be three numbers, as 16,4,4") from None
    return Thought(candidates=candidates, keep=keep, samples=samples)


if __name__ == "__main__":
    raise SystemExit(main())
