"""Endings with all hands known are solved exactly: held against every line of play there is, and known by hand."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from flicksim.cards import Lay, Tile, bits
from flicksim.games.dominoes import GAME, bot
from flicksim.games.dominoes.ending import left, shares, solved
from flicksim.games.dominoes.line import lowest
from flicksim.games.dominoes.quick import Quick
from flicksim.play import GameFuture, TableStage
from flicksim.players import GRADES, weigh
from tests.games.dominoes.domino_table import position, tiles


def ending(seed: int) -> Quick:
    """A round of three or four as it may stand near its end, two or three tiles in a hand."""
    rng = Random(seed)
    seats, each = (3, 3) if seed % 2 else (4, 2)
    every = [Tile(high=a, low=b) for a in range(7) for b in range(a + 1)]
    rng.shuffle(every)
    hands = [bits(every[k * each : (k + 1) * each]) for k in range(seats)]
    quick = Quick(hands, rng.randrange(seats), rng.randrange(7), rng.randrange(7), False, seed % 3 == 0)
    quick.settle()
    return quick


def every_line(quick: Quick) -> tuple[float, ...]:
    """The shares with best play, by following every line to its end; of moves that are alike the first."""
    if quick.over:
        won = [quick.out] if quick.out is not None else list(lowest(quick.hands, "split"))
        return tuple((seat in won) / len(won) for seat in range(len(quick.hands)))
    lines = []
    for move in quick.moves():
        after = quick.copy()
        after.play(move)
        lines.append(every_line(after))
    return max(lines, key=lambda line: line[quick.seat])


@pytest.mark.parametrize("seed", range(40))
def test_an_ending_is_solved_as_by_following_every_line(seed: int) -> None:
    quick = ending(seed)
    assert solved(quick.copy(), "split") == every_line(quick)
    assert sum(solved(quick, "split")) == pytest.approx(1.0)


def test_best_play_is_seldom_as_bad_as_the_rule_of_thumb() -> None:
    """Whoever plays best against others who do gains nothing by following the thumb instead."""
    gained = 0.0
    for seed in range(60):
        quick = ending(seed)
        if quick.over:
            continue
        after = quick.copy()
        after.play(bot.pick(after, Random(seed)))
        gain = solved(quick, "split")[quick.seat] - solved(after, "split")[quick.seat]
        assert gain >= 0.0
        gained += gain
    assert gained > 1.0


def test_who_can_go_out_wins() -> None:
    quick = Quick([bits(tiles("6-4")), bits(tiles("6-6 5-5"))], 0, 6, 3, False, False)
    assert solved(quick, "split") == (1.0, 0.0)
    assert left(quick) == 3
    done = quick.copy()
    done.play(quick.moves()[0])
    assert shares(done, "split") == (1.0, 0.0)


def test_a_won_round_is_worth_one_and_is_found_in_every_deal() -> None:
    """Laying 6-4 goes out; whatever the others hold, that wins the last round."""
    state = position(["6-4", "6-5 2-1", "3-2 3-1"], line="6-3", left=6, right=3, seat=0, boneyard="5-4 1-0", rounds=1)
    future = GameFuture(GAME, TableStage())
    found = weigh(future, GRADES["club"], GAME.rules.view(state, 0), 0, 1, 400)
    assert found.worth.chance == 1.0
    assert found.best[0].action == Lay(tile=tiles("6-4")[0], end="left")
    again = weigh(future, GRADES["club"], GAME.rules.view(state, 0), 0, 1, 400)
    assert found == again


def test_the_worth_of_a_hidden_hand_does_not_know_it() -> None:
    """Two deals that look alike to the seat to play are worth the same to it."""
    future, rng = GameFuture(GAME, TableStage()), np.random.default_rng(1)
    worths = []
    for others in (["5-4 2-1", "3-2 1-0"], ["3-2 2-1", "5-4 1-0"]):
        state = position(["6-4 5-3 2-2", *others], line="6-3", left=6, right=3, seat=0, boneyard="6-6 4-4")
        view = GAME.rules.view(state, 0)
        plans = future.candidates(view, rng, 8)
        worths.append(future.play_out(view, 0, plans, GRADES["club"], 60, 5).chance.mean(axis=1))
    assert worths[0] == pytest.approx(worths[1])
    assert 0.0 < worths[0][0] < 1.0
