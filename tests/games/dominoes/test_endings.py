"""Tests of compiled rollouts of dominoes against the rules: exhaustive search, heuristic play, known values."""

from random import Random

import numpy as np
import pytest

from flicksim.ai import GRADES, evaluate
from flicksim.cards import TILES, Pass, PlaceTile, tile_mask
from flicksim.games.dominoes import GAME, bot, rules
from flicksim.games.dominoes.bitboard import block_winners
from flicksim.games.dominoes.rollouts import TIE_LIGHTEST, TIE_NONE, TIE_SPLIT, rollout_rounds
from flicksim.games.dominoes.rules import Action
from flicksim.games.dominoes.state import State, hand_bits
from flicksim.match import GameRolloutModel, PhysicsSimulator
from tests.games.dominoes.domino_helpers import play, state_from_text, tiles


def random_round(rng: Random, seats: int, each: int, **options: object) -> State:
    """Round in progress with random hands and open ends, at the first seat that can play."""
    dealt = rng.sample(TILES[:28], seats * each)
    hands = [" ".join(tile.name for tile in dealt[seat::seats]) for seat in range(seats)]
    left = -1 if options.get("version") == "american" else rng.randrange(7)
    state = state_from_text(hands, left=left, right=rng.randrange(7), seat=rng.randrange(seats), rounds=1, **options)
    return skip_passes(state)


def skip_passes(state: State) -> State:
    """State after the passes of seats that cannot play a first tile."""
    while state.phase == "tile" and actions_of(state) == (Pass(),):
        state, _ = play(state, "pass")
    return state


def actions_of(state: State) -> tuple[Action, ...]:
    return rules.legal_actions(state).actions


def after(state: State, action: Action) -> State:
    return skip_passes(play(state, str(action))[0])


def shares(state: State) -> tuple[float, ...]:
    """Shares of a finished round."""
    won = state.sheet[0].won
    return tuple((seat in won) / len(won) for seat in range(state.seats))


def search(state: State) -> tuple[float, ...]:
    """Shares with best play by exhaustive search; of equal moves the first."""
    if state.to_play is None:
        return shares(state)
    seat = state.to_play
    return max((search(after(state, action)) for action in actions_of(state)), key=lambda found: found[seat])


def rollouts(state: State, solve: int, tie: int = TIE_SPLIT) -> list[tuple[float, ...]]:
    """Shares after each legal action by compiled rollouts: by the heuristic, then by endgame search."""
    model, options = GameRolloutModel(GAME, PhysicsSimulator()), state.options
    moves = np.array([bot.encode_move(action) for action in actions_of(state)])
    arms = 1 if options.version == "american" else 2
    position = (state.to_play, state.left, state.right, state.phase == "second", options.chain_doubles, tie, arms)
    deals = bot.sample_deals(state, np.array([7]), model)
    halves, found = np.array([(tile.high, tile.low) for tile in TILES[:28]]), np.zeros((len(moves), 1, state.seats))
    model.compile(rollout_rounds)(halves, deals, np.array(position), moves, np.array([7]), solve, 0.0, found)
    return [tuple(share[0]) for share in found.tolist()]


@pytest.mark.parametrize("seed", range(60))
def test_endgame_search_matches_exhaustive_search(seed: int) -> None:
    seats, each = (3, 3) if seed % 2 else (4, 2)
    state = random_round(Random(seed), seats, each, chain_doubles=seed % 3 == 0)
    if state.to_play is not None:
        assert rollouts(state, 28) == [search(after(state, action)) for action in actions_of(state)]


def heuristic_action(state: State) -> Action:
    """Placement of the highest heuristic value; a pass if there is none."""
    hand = hand_bits(state, state.to_play)

    def value(action: PlaceTile) -> float:
        left, right, tile = bot.ends_after(state, action)
        return bot.heuristic_value(hand ^ tile.bit, left, right, tile.index)

    return max((action for action in actions_of(state) if isinstance(action, PlaceTile)), key=value, default=Pass())


@pytest.mark.parametrize("seed", range(30))
def test_compiled_rollouts_follow_the_rules_and_the_heuristic(seed: int) -> None:
    version, seats = ("american", 5 + seed % 4) if seed % 3 == 0 else ("british", 2 + seed % 3)
    each, chain = (3 if version == "american" else 7), seed % 2 == 0
    state = random_round(Random(seed), seats, each, version=version, chain_doubles=chain)
    if state.to_play is None:
        return
    for action, found in zip(actions_of(state), rollouts(state, 0), strict=True):
        end = after(state, action)
        while end.to_play is not None:
            end = after(end, heuristic_action(end))
        assert found == shares(end)


@pytest.mark.parametrize(("tie", "which"), [("split", TIE_SPLIT), ("lightest_tile", TIE_LIGHTEST), ("none", TIE_NONE)])
def test_tied_hands_share_a_blocked_round_by_option(tie: str, which: int) -> None:
    """The last 6-6 blocks: 5-4 and 3-2 2-2 are nine pips each, 5-5 is ten."""
    state = state_from_text(["6-6 5-5", "5-4", "3-2 2-2"], left=6, right=6)
    won = block_winners([tile_mask(tiles(hand)) for hand in ("5-5", "5-4", "3-2 2-2")], tie)
    assert rollouts(state, 0, which)[0] == tuple(1.0 / len(won) if seat in won else 0.0 for seat in range(3))


def test_a_winning_move_is_found_in_every_deal() -> None:
    """Laying 6-4 goes out; whatever the others hold, that wins the last round."""
    assert rollouts(state_from_text(["6-4", "6-6 5-5"], left=6, right=3), 28) == [(1.0, 0.0)]
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
    seconds = rollouts(play(state, str(double))[0], 7)
    assert found.point_margin[0] == pytest.approx((3.0 * max(share[0] for share in seconds) - 1.0) / 2.0)
    assert found.shots == 4 * (1 + len(seconds)), "rollouts of second tiles are counted too"
