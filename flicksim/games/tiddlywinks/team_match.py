"""Team match: every pair of one team against every pair of the other (TW-13)."""

from collections.abc import Mapping
from fractions import Fraction

from flicksim.core.errors import InvalidInput
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.referee import Fixture, TeamScore


def schedule(options: Options) -> tuple[Fixture, ...]:
    """Schedule of all pairs against all; the away pairs move on by one each round (TW-13b, TW-13c)."""
    pairs = options.match_pairs
    return tuple(
        Fixture(number=k * pairs + home + 1, round=k + 1, home=home, away=(home + k) % pairs, home_colours=k % 2)
        for k in range(pairs)
        for home in range(pairs)
    )


def team_score(options: Options, results: Mapping[int, tuple[Fraction, Fraction]]) -> TeamScore:
    """Score of the match from the games played (TW-13d, TW-13e).

    Args:
        results: points of Blue and Red, and of Green and Yellow, by number of the game.

    Raises:
        InvalidInput: a game that is not in the schedule, or points that are not 7 together.
    """
    fixtures = {fixture.number: fixture for fixture in schedule(options)}
    points, won = [Fraction(0), Fraction(0)], [0, 0]
    for number, pair in results.items():
        if number not in fixtures:
            raise InvalidInput(f"there is no game {number} in this match; it has games 1 to {len(fixtures)} (TW-13c)")
        if sum(pair) != 7:
            raise InvalidInput(f"game {number} has {pair[0]} and {pair[1]} points; a game gives 7 together (TW-5e)")
        colours = fixtures[number].home_colours
        mine, theirs = pair[colours], pair[1 - colours]
        points[0] += mine
        points[1] += theirs
        if mine != theirs:
            won[0 if mine > theirs else 1] += 1
    winner = None
    if len(results) == len(fixtures):
        winner = _match_winner(points)
        if winner is None and options.match_tie == "games_won":
            winner = _match_winner(won)
    return TeamScore(points=(points[0], points[1]), won=(won[0], won[1]), played=len(results), winner=winner)


def _match_winner(totals: list[Fraction] | list[int]) -> int | None:
    return None if totals[0] == totals[1] else 0 if totals[0] > totals[1] else 1
