"""Round-robin tournament between players, with Bradley-Terry ratings."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from fractions import Fraction
from itertools import combinations

import numpy as np

from flicksim.core.errors import InvalidOption
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import JsonValue
from flicksim.experiments.rating import Rating, ratings
from flicksim.match import GameResult, MatchLimits, Seat, check_shell_seats, play_series
from flicksim.referee import Game


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
            raise InvalidOption("a tournament needs at least two players: --seat bot:club --seat random")
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
