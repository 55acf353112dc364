"""Ratings against an independent optimiser, and reproducible round robins."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from flicksim.core.errors import InvalidOption
from flicksim.experiments.round_robin import ELO_SCALE, RoundRobin, Standings, ratings
from flicksim.games import load, names
from flicksim.match import parse_seat
from flicksim.referee import check_seat_count


def test_ratings_are_those_of_an_independent_optimiser() -> None:
    """Maximum likelihood by scipy, with its Hessian by finite differences for the interval."""
    taken = np.array([[0.0, 14.5, 19.0], [5.5, 0.0, 12.0], [1.0, 8.0, 0.0]])
    tied = taken + 0.5 * (1.0 - np.eye(3))

    def cost(two: np.ndarray) -> float:
        r = np.append(two, -two.sum())
        return float(sum(tied[i, j] * np.log1p(np.exp(r[j] - r[i])) for i in range(3) for j in range(3) if i != j))

    best = minimize(cost, np.zeros(2), tol=1e-12)
    want = np.append(best.x, -best.x.sum()) * ELO_SCALE
    got = ratings(taken)
    assert [one.points for one in got] == pytest.approx(want.tolist(), abs=0.05)
    h, eye = 1e-4, np.eye(2)
    hessian = np.array(
        [
            [
                (cost(best.x + h * (a + b)) - cost(best.x + h * (a - b)) - cost(best.x - h * (a - b))
                 + cost(best.x - h * (a + b))) / (4 * h * h)
                for b in eye
            ]
            for a in eye
        ]
    )  # fmt: skip
    spread = np.sqrt(np.linalg.inv(hessian)[0, 0]) * ELO_SCALE
    assert got[0].high - got[0].points == pytest.approx(1.959964 * spread, rel=1e-3)


def test_ratings_of_a_known_case_and_of_an_unbeaten_player() -> None:
    """Two players, 3 to 1 with the tie added 3.5 to 1.5: the odds are 7 to 3."""
    one, other = ratings([[0.0, 3.0], [1.0, 0.0]])
    assert one.points - other.points == pytest.approx(ELO_SCALE * np.log(7.0 / 3.0), abs=1e-5)
    assert one.low < one.points < one.high
    one, other = ratings([[0.0, 20.0], [0.0, 0.0]])
    assert 300.0 < one.points - other.points < 1000.0


def test_intervals_cover_the_true_ratings() -> None:
    """Of simulated round robins of 40 games a pair, with draws, 95 in 100 intervals hold the true rating, or more."""
    rng, strength = np.random.default_rng(4), np.array([-0.9, -0.2, 0.3, 0.8])
    odds = 1.0 / (1.0 + np.exp(strength[None, :] - strength[:, None]))
    covered = []
    for _ in range(150):
        wins = np.zeros((4, 4))
        for i in range(4):
            for j in range(i):
                drawn = rng.binomial(40, 0.2)  # the decisive games are by the odds, and a draw is as likely for all
                wins[i, j] = rng.binomial(40 - drawn, odds[i, j]) + 0.5 * drawn
                wins[j, i] = 40.0 - wins[i, j]
        chance = 0.8 * odds + 0.1  # what a draw as half a win makes of them
        found = ratings(wins)
        want = ratings(1e9 * chance * (1.0 - np.eye(4)))
        covered += [one.low <= true.points <= one.high for one, true in zip(found, want, strict=True)]
    assert np.mean(covered) > 0.94


def test_ratings_far_apart_have_the_mean_zero_and_an_unconnected_player_no_interval() -> None:
    """The first steps towards them are limited, and unlike for each player."""
    points = [one.points for one in ratings([[0.0, 3.0, 4.0], [1.0, 0.0, 4.0], [0.0, 0.0, 0.0]])]
    assert sum(points) == pytest.approx(0.0, abs=1e-4)
    assert points == sorted(points, reverse=True)
    assert [(one.points, one.low, one.high) for one in ratings(np.zeros((3, 3)))] == [(0.0, None, None)] * 3
    met = ratings([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])  # as in a ladder stopped early
    assert {(one.low, one.high) for one in met} == {(None, None)}
    linked = ratings([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    assert all(one.low is not None for one in linked)


def standings(games: int, jobs: int = 1) -> Standings:
    bots = [parse_seat(word) for word in ("bot:club", "random", "bot:beginner")]
    ladder = RoundRobin(load("penny-white"), bots, games, {"ends": 1}, 4)
    with ThreadPoolExecutor(2) as threads:
        results = list(ladder.play(jobs=jobs, executor=threads if jobs > 1 else None))
    assert sorted(result.number for result in results) == list(range(1, 3 * games + 1))
    return ladder.standings()


def test_standings_are_consistent_and_independent_of_workers() -> None:
    alone = standings(4)
    assert standings(4, jobs=2) == alone
    assert [place.games for place in alone.places] == [8, 8, 8]
    assert sum(place.wins for place in alone.places) == sum(place.losses for place in alone.places)
    assert sum(place.rating.points for place in alone.places) == pytest.approx(0.0, abs=1e-4)
    points = [place.rating.points for place in alone.places]
    assert points == sorted(points, reverse=True)
    assert alone.places[-1].player == "random"
    for i, place in enumerate(alone.places):
        for j, other in enumerate(alone.places):
            if i == j:
                assert place.score_against[j] is None
            else:
                assert place.score_against[j] + other.score_against[i] == pytest.approx(1.0)  # type: ignore[operator]


def test_seats_alternate_and_four_seats_are_two_pairs() -> None:
    bots = [parse_seat("bot:club"), parse_seat("random")]
    ladder = RoundRobin(load("tiddlywinks"), bots, 2, {}, 1)
    assert [[str(seat) for seat in ladder.lineup(number)] for number in (1, 2)] == [
        ["bot:club", "random", "bot:club", "random"],
        ["random", "bot:club", "random", "bot:club"],
    ]


@pytest.mark.parametrize("name", names())
def test_every_game_seats_a_pair(name: str) -> None:
    ladder = RoundRobin(load(name), [parse_seat("bot:club"), parse_seat("random")], 1, {}, 1)
    seats = ladder.lineup(1)
    assert {str(seat) for seat in seats} == {"bot:club", "random"}
    check_seat_count(load(name), len(seats))


def test_a_program_that_gives_up_loses_and_is_reported(tmp_path: Path) -> None:
    (tmp_path / "mute.py").write_text("")
    bots = [parse_seat(f"cmd:{sys.executable} {tmp_path / 'mute.py'}"), parse_seat("random")]
    ladder = RoundRobin(load("dominoes"), bots, 2, {}, 1)
    list(ladder.play())
    first, last = ladder.standings().places
    assert (first.player, first.wins, first.forfeits) == ("random", 2, 0)
    assert (last.losses, last.forfeits) == (2, 2)
    assert "ended" in last.forfeit_reason


@pytest.mark.parametrize(
    ("bots", "message"),
    [
        (["random"], "at least two players"),
        (["random", "random"], "'random' is there twice"),
        (["random", "human"], "a tournament is for bots"),
        (["random", "bot:club", "cmd:no-such-program"], "no-such-program"),
    ],
)
def test_invalid_tournaments_are_refused(bots: list[str], message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        RoundRobin(load("penny-white"), [parse_seat(word) for word in bots], 1, {}, 1)
