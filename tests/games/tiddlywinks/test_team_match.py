"""Paragraph 13: team matches."""

from fractions import Fraction as F

import pytest

from flicksim.core.errors import InvalidInput
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.team_match import schedule, team_score


def test_a_team_is_four_pairs() -> None:
    """TW-13a: normally; other sizes by option."""
    assert {fixture.home for fixture in schedule(Options())} == {0, 1, 2, 3}
    assert len(schedule(Options(match_pairs=3))) == 9


@pytest.mark.parametrize("pairs", [1, 3, 4])
def test_each_pair_meets_each_once(pairs: int) -> None:
    """TW-13b: and in each round every pair plays just once."""
    fixtures = schedule(Options(match_pairs=pairs))
    assert sorted((f.home, f.away) for f in fixtures) == [(h, a) for h in range(pairs) for a in range(pairs)]
    for number in range(1, pairs + 1):
        of_round = [f for f in fixtures if f.round == number]
        assert len({f.home for f in of_round}) == len({f.away for f in of_round}) == pairs
        assert {f.home_colours for f in of_round} == {(number - 1) % 2}  # who opens the squidge-off changes each round


def test_sixteen_games() -> None:
    """TW-13c: with 112 points at stake."""
    fixtures = schedule(Options())
    assert [f.number for f in fixtures] == list(range(1, 17))
    score = team_score(Options(), {f.number: (F(7, 2), F(7, 2)) for f in fixtures})
    assert sum(score.points) == 112
    with pytest.raises(InvalidInput, match="game 17"):
        team_score(Options(), {17: (F(7), F(0))})
    with pytest.raises(InvalidInput, match="7 together"):
        team_score(Options(), {1: (F(7), F(1))})


def results(home: list[int]) -> dict[int, tuple[F, F]]:
    """Points of the home pair, game by game, as the two sides of the table have them."""
    found = {}
    for fixture, mine in zip(schedule(Options()), home, strict=True):
        pair = (F(mine), F(7 - mine))
        found[fixture.number] = pair if fixture.home_colours == 0 else (pair[1], pair[0])
    return found


def test_more_points_win() -> None:
    """TW-13d, TW-13e: nine narrow wins lose to seven clear ones; level is a draw, unless games won decide by option."""
    assert team_score(Options(), results([4] * 16)).winner == 0
    assert team_score(Options(), results([3] * 16)).winner == 1
    level = results([4] * 12 + [2] * 4)
    assert team_score(Options(), level).points == (56, 56)
    assert team_score(Options(), level).winner is None
    assert team_score(Options(match_tie="games_won"), level).winner == 0
    narrow = results([4] * 9 + [0] * 7)
    assert team_score(Options(), narrow).won == (9, 7)
    assert team_score(Options(), narrow).winner == team_score(Options(match_tie="games_won"), narrow).winner == 1
    part = {number: pair for number, pair in results([7] * 16).items() if number < 16}
    assert team_score(Options(), part).winner is None
