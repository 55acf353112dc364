"""Endings with all hands known are solved exactly: held against every line of play there is, and known by hand."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from flicksim.ai import GRADES, evaluate
from flicksim.cards import PlaceTile, Tile, tile_mask
from flicksim.cards.tile import TILES
from flicksim.games.dominoes import GAME, bot
from flicksim.games.dominoes.bitboard import block_winners
from flicksim.games.dominoes.fast_state import FastState
from flicksim.games.dominoes.rollouts import TIE_LIGHTEST, TIE_NONE, TIE_SPLIT, rollout_rounds
from flicksim.match import GameRolloutModel, PhysicsSimulator
from tests.games.dominoes.domino_helpers import state_from_text, tiles


def ending(seed: int) -> FastState:
    """A round of three or four as it may stand near its end, two or three tiles in a hand."""
    rng = Random(seed)
    seats, each = (3, 3) if seed % 2 else (4, 2)
    every = [Tile(high=a, low=b) for a in range(7) for b in range(a + 1)]
    rng.shuffle(every)
    hands = [tile_mask(every[k * each : (k + 1) * each]) for k in range(seats)]
    quick = FastState(hands, rng.randrange(seats), rng.randrange(7), rng.randrange(7), False, seed % 3 == 0)
    quick.advance_to_next_player()
    return quick


def every_line(quick: FastState) -> tuple[float, ...]:
    """Shares with best play by exhaustive search; of equal moves the first."""
    if quick.over:
        won = [quick.winner] if quick.winner is not None else list(block_winners(quick.hands, "split"))
        return tuple((seat in won) / len(won) for seat in range(len(quick.hands)))
    lines = []
    for move in quick.moves():
        after = quick.copy()
        after.play(move)
        lines.append(every_line(after))
    return max(lines, key=lambda line: line[quick.seat])


def played(quick: FastState, moves: list[int], solve: int, tie: int = TIE_SPLIT) -> list[tuple[float, ...]]:
    """Shares after each move by compiled rollouts: by the heuristic, then by endgame search."""
    seats, dealt = len(quick.hands), np.full((1, 28), -1)
    for seat, hand in enumerate(quick.hands):
        dealt[0, [k for k in range(28) if hand >> k & 1]] = seat
    stands = np.array([quick.seat, quick.left, quick.right, quick.second_tile_due, quick.chain_doubles, tie, 2])
    halves, shares = np.array([(tile.high, tile.low) for tile in TILES[:28]]), np.zeros((len(moves), 1, seats))
    quicker = GameRolloutModel(GAME, PhysicsSimulator()).compile(rollout_rounds)
    quicker(halves, dealt, stands, np.array(moves), np.array([7]), solve, 0.0, shares)
    return [tuple(share[0]) for share in shares.tolist()]


@pytest.mark.parametrize("seed", range(60))
def test_endgame_search_matches_exhaustive_search(seed: int) -> None:
    quick = ending(seed)
    if quick.over:
        return
    for move, share in zip(quick.moves(), played(quick, quick.moves(), 28), strict=True):
        after = quick.copy()
        after.play(move)
        assert share == every_line(after)


@pytest.mark.parametrize("seed", range(20))
def test_compiled_rollouts_follow_the_heuristic(seed: int) -> None:
    """Compiled rollouts without noise equal heuristic play of the fast state."""
    rng = Random(seed)
    every = list(range(28))
    rng.shuffle(every)
    seats = 2 + seed % 3
    hands = [sum(1 << k for k in every[at::seats][:7]) for at in range(seats)]
    quick = FastState(hands, 0, rng.randrange(7), rng.randrange(7), False, False)
    quick.advance_to_next_player()
    if quick.over:
        return
    for move, share in zip(quick.moves(), played(quick, quick.moves(), 0), strict=True):
        after = quick.copy()
        after.play(move)
        while not after.over:
            after.play(bot.noisy_heuristic_move(after, Steady()))
        won = [after.winner] if after.winner is not None else list(block_winners(after.hands, "split"))
        assert share == tuple((seat in won) / len(won) for seat in range(seats))


class Steady(Random):
    """Generator that returns no noise."""

    def random(self) -> float:
        """Nothing."""
        return 0.0


@pytest.mark.parametrize(("tie", "which"), [("split", TIE_SPLIT), ("lightest_tile", TIE_LIGHTEST), ("none", TIE_NONE)])
def test_tied_hands_share_a_blocked_round_by_option(tie: str, which: int) -> None:
    """The last 6-6 blocks: 5-4 and 3-2 2-2 are nine pips each, 5-5 is ten."""
    hands = [tile_mask(tiles(hand)) for hand in ("6-6 5-5", "5-4", "3-2 2-2")]
    (share,) = played(FastState(hands, 0, 6, 6, False, False), [2 * tiles("6-6")[0].index], 0, which)
    won = block_winners([tile_mask(tiles("5-5")), *hands[1:]], tie)
    assert share == tuple(1.0 / len(won) if seat in won else 0.0 for seat in range(3))


def test_who_can_go_out_wins() -> None:
    quick = FastState([tile_mask(tiles("6-4")), tile_mask(tiles("6-6 5-5"))], 0, 6, 3, False, False)
    assert played(quick, quick.moves(), 28) == [(1.0, 0.0)]


def test_a_winning_move_is_found_in_every_deal() -> None:
    """Laying 6-4 goes out; whatever the others hold, that wins the last round."""
    state = state_from_text(
        ["6-4", "6-5 2-1", "3-2 3-1"], line="6-3", left=6, right=3, seat=0, boneyard="5-4 1-0", rounds=1
    )
    rollout_model = GameRolloutModel(GAME, PhysicsSimulator())
    found = evaluate(rollout_model, GRADES["club"], GAME.rules.view(state, 0), 0, 1, 400)
    assert found.value.win_probability == 1.0
    assert found.best[0].action == PlaceTile(tile=tiles("6-4")[0], end="left")
    again = evaluate(rollout_model, GRADES["club"], GAME.rules.view(state, 0), 0, 1, 400)
    assert found == again


def test_value_does_not_use_hidden_hands() -> None:
    """Two deals with equal views have equal values."""
    rollout_model, rng = GameRolloutModel(GAME, PhysicsSimulator()), np.random.default_rng(1)
    worths = []
    for others in (["5-4 2-1", "3-2 1-0"], ["3-2 2-1", "5-4 1-0"]):
        state = state_from_text(["6-4 5-3 2-2", *others], line="6-3", left=6, right=3, seat=0, boneyard="6-6 4-4")
        view = GAME.rules.view(state, 0)
        actions = rollout_model.candidates(view, rng, 8)
        worths.append(rollout_model.rollout(view, 0, actions, GRADES["club"], 60, 5).win_probability.mean(axis=1))
    assert worths[0] == pytest.approx(worths[1])
    assert 0.0 < worths[0][0] < 1.0


def test_who_sees_every_hand_weighs_the_deal_there_is() -> None:
    """Given the state in place of a view, no tile is dealt anew."""
    state = state_from_text(["6-4 5-3 2-2", "5-4 2-1", "3-2 1-0"], line="6-3", left=6, right=3, boneyard="6-6 4-4")
    dealt = bot.sample_deals(state, np.arange(1, 9), GameRolloutModel(GAME, PhysicsSimulator()))
    assert (dealt == dealt[0]).all()
    assert dealt[0, tiles("5-4")[0].index] == 1
    assert dealt[0, tiles("4-4")[0].index] == 3


@pytest.mark.parametrize("seed", [1, 2, 3, 5, 6])
def test_a_double_is_valued_with_its_best_second_tile(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every hand known, and the ending solved from the third tile on, it is what the best second tile brings."""
    monkeypatch.setattr(bot, "SOLVE_AT_TILES", 7)
    monkeypatch.setattr(bot, "HEURISTIC_NOISE", 0.0)
    others = ["1-1", "2-2", "1-0", "2-0", "3-2", "4-3"]
    Random(seed).shuffle(others)
    hands = ["5-5 5-4 5-1", " ".join(others[:3]), " ".join(others[3:])]
    state = state_from_text(hands, line="5-3", left=5, right=3, seat=0, rounds=1)
    double = PlaceTile(tile=tiles("5-5")[0], end="left")
    found = GameRolloutModel(GAME, PhysicsSimulator()).rollout(state, 0, [double], GRADES["club"], 4, 3)
    quick = FastState([tile_mask(tiles(hand)) for hand in hands], 0, 5, 3, False, state.options.chain_doubles)
    quick.play(double.tile.index * 2 + 1)
    best = max(share[0] for share in played(quick, quick.moves(), 7))
    assert found.point_margin[0] == pytest.approx((3.0 * best - 1.0) / 2.0)
    assert found.shots == 4 * (1 + len(quick.moves())), "the lines of every second tile are told too"
