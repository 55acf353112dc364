"""Round-robin tournament between players, with Bradley-Terry ratings by maximum likelihood (Newton's method).

Ratings are fitted here because it is thirty lines of numpy: the packages that fit them bring scipy and networkx and no
intervals.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from fractions import Fraction
from itertools import combinations
from math import log

import numpy as np
import numpy.typing as npt

from flicksim.core.errors import InvalidOption
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import JsonValue
from flicksim.match import GameResult, MatchLimits, Seat, check_shell_seats, play_series
from flicksim.referee import Game

ELO_SCALE = 400.0 / log(10.0)
"""Points for a factor of e in the odds: 400 points are odds of ten to one."""
_Z95 = 1.959964
_PRIOR_DRAWS = 0.5
"""Prior: one more draw of every pair that met, which keeps ratings finite."""


class Rating(Value, frozen=True, kw_only=True):
    """Strength of a player: points about a mean of 0, and their 95 % interval; null if it is unbounded."""

    points: float
    low: float | None
    high: float | None


def ratings(scores: npt.ArrayLike) -> tuple[Rating, ...]:
    """Bradley-Terry rating of each of n players.

    Args:
        scores: points of i against j, a win 1 and a draw a half to each [n, n]. If the graph of games is not connected,
            there are no intervals.

    The odds of i over j are exp((r_i - r_j) / ELO); the interval is that of the Fisher information. A draw counts as
    half a win to each, as in chess; that makes the interval a little too wide, never too narrow.
    """
    wins = np.array(scores, dtype=float)
    are_linked = (wins + wins.T) > 0.0
    is_connected = np.linalg.matrix_power(are_linked | np.eye(len(are_linked), dtype=bool), len(are_linked)).all()
    wins += _PRIOR_DRAWS * are_linked
    games = wins + wins.T
    count = len(wins)
    strength = np.zeros(count)
    for _ in range(100):
        expected = 1.0 / (1.0 + np.exp(strength[None, :] - strength[:, None]))
        gradient = (wins - games * expected).sum(axis=1)
        weight = games * expected * (1.0 - expected)
        fisher = np.diag(weight.sum(axis=1)) - weight
        step = np.linalg.lstsq(fisher, gradient, rcond=None)[0]
        strength += np.clip(step, -1.0, 1.0)
        if float(np.abs(step).max()) < 1e-12:
            break
    strength -= strength.mean()
    if not is_connected:
        return tuple(Rating(points=round(ELO_SCALE * r, 6), low=None, high=None) for r in strength.tolist())
    standard_errors = np.sqrt(np.diag(np.linalg.pinv(fisher, hermitian=True)))
    return tuple(
        Rating(
            points=round(ELO_SCALE * r, 6),
            low=round(ELO_SCALE * (r - _Z95 * s), 6),
            high=round(ELO_SCALE * (r + _Z95 * s), 6),
        )
        for r, s in zip(strength.tolist(), standard_errors.tolist(), strict=True)
    )


class PlayerStanding(Value, frozen=True, kw_only=True):
    """Standing of a player.

    Args:
        rating: strength, with its 95 % interval. games: played. wins, draws, losses: of them.
        forfeits: of the losses, those by forfeit. forfeit_reason: reason of the first.
        score: points per game, a draw counting half. score_against: the same by opponent, null if they did not meet.
    """

    player: str
    rating: Rating
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    score_against: tuple[float | None, ...]
    forfeits: int = 0
    forfeit_reason: str = ""


class Standings(Value, frozen=True, kw_only=True):
    """Standings after the games played so far, the strongest first.

    Args:
        games: finished games, which all other figures are of. failed_games: those that could not go on.
        truncated_games: number of games that reached a limit and count as they stood.
    """

    game: str
    games: int
    requested_games: int
    seed: int
    options: dict[str, JsonValue]
    places: tuple[PlayerStanding, ...]
    failed_games: tuple[GameResult, ...] = ()
    truncated_games: int = 0


class RoundRobin:
    """A round robin: every pair plays, with seats swapped from game to game.

    Args:
        seats: players, all different. games: of each pair. options: of the game. seed: of all random streams.
        bounds: limits of a game.

    Raises:
        InvalidOption: fewer than two bots, duplicates, a person, or a program that does not exist.
    """

    def __init__(
        self, game: Game, seats: Sequence[Seat], games: int, options: dict[str, JsonValue], seed: int,
        bounds: MatchLimits | None = None,
    ) -> None:  # fmt: skip
        names = [str(bot) for bot in seats]
        if len(seats) < 2:
            raise InvalidOption("a tournament needs at least two players, as bot:club and random")
        if repeated := [name for name in names if names.count(name) > 1]:
            raise InvalidOption(f"{repeated[0]!r} is there twice; the players of a tournament are all different")
        if "human" in names:
            raise InvalidOption("a tournament is for bots; seat 'human' plays by `flicksim play`")
        check_shell_seats(seats)
        self._game, self._seats, self._options, self._seed = game, list(seats), options, seed
        self._bounds = bounds
        self._pairs = list(combinations(range(len(seats)), 2))
        self.total = games * len(self._pairs)
        self.results: list[GameResult] = []

    def play(self, *, jobs: int = 1, executor: Executor | None = None) -> Iterator[GameResult]:
        """Yield the games as they finish; results do not depend on workers or order."""
        series = play_series(
            self._game.name, self._options, self.lineup(1), self.total, self._seed, jobs=jobs, executor=executor,
            lineup=self.lineup, bounds=self._bounds,
        )  # fmt: skip
        for result in series:
            self.results.append(result)
            yield result

    def _bots_of(self, number: int) -> tuple[int, ...]:
        """Bots of the n-th game by seat, from 1."""
        turn, pair = divmod(number - 1, len(self._pairs))
        order = self._pairs[pair] if turn % 2 == 0 else self._pairs[pair][::-1]
        return tuple(order[seat % 2] for seat in range(max(2, self._game.seats[0])))

    def lineup(self, number: int) -> list[Seat]:
        return [self._seats[bot] for bot in self._bots_of(number)]

    def standings(self) -> Standings:
        """Standings by the games so far."""
        count = len(self._seats)
        wins = np.zeros((count, count))
        outcomes = np.zeros((count, 3), dtype=int)
        forfeits: list[list[str]] = [[] for _ in range(count)]
        results = sorted(self.results, key=lambda result: result.number)
        failed = tuple(result for result in results if result.error)
        for result in results:
            if result.error:
                continue
            seats = self._bots_of(result.number)
            if result.forfeit is not None:
                forfeits[seats[result.forfeit.seat]].append(result.forfeit.reason)
            first, second = sorted(set(seats))
            share = Fraction(sum(seats[seat] == first for seat in result.winners), len(result.winners) or 1)
            if not result.winners:
                share = Fraction(1, 2)
            wins[first, second] += float(share)
            wins[second, first] += float(1 - share)
            outcome = 0 if share == 1 else 2 if share == 0 else 1
            outcomes[first, outcome] += 1
            outcomes[second, 2 - outcome] += 1
        player_ratings = ratings(wins)
        order = sorted(range(count), key=lambda bot: (-player_ratings[bot].points, bot))
        played = wins + wins.T

        def score_between(bot: int, opponent: int) -> float | None:
            return float(wins[bot, opponent] / played[bot, opponent]) if played[bot, opponent] else None

        places = [
            PlayerStanding(
                player=str(self._seats[bot]), rating=player_ratings[bot], games=int(outcomes[bot].sum()),
                wins=int(outcomes[bot, 0]), draws=int(outcomes[bot, 1]), losses=int(outcomes[bot, 2]),
                score=float(wins[bot].sum() / max(1.0, played[bot].sum())),
                score_against=tuple(score_between(bot, second) for second in order),
                forfeits=len(forfeits[bot]), forfeit_reason=forfeits[bot][0] if forfeits[bot] else "",
            )
            for bot in order
        ]  # fmt: skip
        return Standings(
            game=self._game.name, games=len(results) - len(failed), requested_games=self.total, seed=self._seed,
            options=self._options, places=tuple(places), failed_games=failed,
            truncated_games=sum(result.is_truncated for result in results),
        )  # fmt: skip
