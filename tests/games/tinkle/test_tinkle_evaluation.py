"""Tests of rollouts of Tinkle against known values: endings whose deals can be enumerated."""

from collections import Counter
from itertools import permutations
from random import Random

import msgspec
import numpy as np
import pytest
from tinkle_helpers import initial_state, play, state_from_text

from flicksim.ai import GRADES
from flicksim.cards import Card, Draw, LayOff, Meld, MoveWild, TakeBack, Zone
from flicksim.core.arrays import Ints
from flicksim.games.tinkle import GAME, bot, deck, rules
from flicksim.games.tinkle.bot import game_win_probability
from flicksim.games.tinkle.deck import DISCARD, HANDS, STOCK, TOKENS
from flicksim.games.tinkle.melds import table_points
from flicksim.games.tinkle.rollouts import heuristic_step, new_table, rollout_rounds
from flicksim.games.tinkle.state import Action, State
from flicksim.match import GameRolloutModel, PhysicsSimulator

GROUPS = ((0, "KS KH KD"), (1, "9S 9H 9D"), (2, "5S 5H 5D"))


def last_card(hand: str = "KC", phase: str = "play", scores: tuple[int, ...] = (0, 0, 0), **more: str) -> State:
    """The last round; everybody has opened and has little left in hand."""
    state = state_from_text(hand, "JC", "QD", round_=8, groups=GROUPS, opened=(0, 1, 2), phase=phase, tokens=0, **more)
    rest = Counter(deck.pack(state.options, 3)) - Counter(state.zones.all_cards())
    piles = {**state.zones.piles, DISCARD: Zone(cards=(*rest.elements(), *state.zones.cards(DISCARD)))}
    return msgspec.structs.replace(state, scores=scores, zones=msgspec.structs.replace(state.zones, piles=piles))


def test_the_last_round_decides_and_earlier_ones_do_not() -> None:
    def chances(totals: tuple[int, ...], round_: int) -> list[float]:
        return [float(game_win_probability(np.array([totals]), seat, round_)[0]) for seat in range(len(totals))]

    assert chances((10, 5, 5), 8) == [1.0, 0.0, 0.0]
    assert chances((10, 10, 5), 8) == [0.5, 0.5, 0.0]
    assert chances((0, 0, 0, 0), 3) == pytest.approx([0.25] * 4)
    result = [chances((100, 0, 0), round_)[0] for round_ in (1, 4, 7)]
    assert 1 / 3 < result[0] < result[1] < result[2] < 1.0, "a lead says more, the less is to come"
    assert sum(chances((100, 30, -200, 7), 5)) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize(("scores", "chance"), [((0, 0, 0), 1.0), ((0, 500, 0), 0.0), ((-10, 15, 0), 1.0)])
def test_going_out_ends_the_game_and_is_valued_by_the_final_score(scores: tuple[int, ...], chance: float) -> None:
    """The last king goes onto the kings: 40 on the table, none in hand; the others have 15 less a card of 5 or 10."""
    state = last_card(scores=scores)
    view = GAME.rules.view(state, 0)
    found = GameRolloutModel(GAME, PhysicsSimulator()).rollout(
        view, 0, [LayOff(cards=(Card.parse("KC"),), group=1)], GRADES["club"], 200, 1
    )
    assert (found.win_probability == chance).all()
    assert set(found.point_margin[0].tolist()) == {30.0, 32.5, 35.0}, "two fives, one, or none, as cards are dealt anew"


def test_value_of_an_endgame_is_the_mean_over_all_deals() -> None:
    """The mean of rollouts matches the mean over all deals of the hidden cards."""
    state = last_card("4C", phase="draw", stock="KC 9C 3C", discard="10D")
    view = GAME.rules.view(state, 0)
    hidden = [deck.kind(Card.parse(word)) for word in ["JC", "QD", "KC", "9C", "3C"]]
    deals = list(permutations(hidden))
    hands, stock = np.zeros((len(deals), 3, 14), np.int64), np.array([deal[2:] for deal in deals])
    for k, deal in enumerate(deals):
        hands[k, [0, 1, 2], [4, *deal[:2]]] = 1
    scores, _ = rolled_out(view, hands, stock, Draw(), np.arange(1, len(deals) + 1))
    total = float(game_win_probability(scores[0], 0, 8).mean())
    drawn = (
        GameRolloutModel(GAME, PhysicsSimulator()).rollout(view, 0, [Draw()], GRADES["club"], 400, 3).win_probability
    )
    assert 0.05 < total < 0.95
    assert drawn.mean() == pytest.approx(total, abs=4.0 * float(drawn.std()) / 20.0)


@pytest.mark.parametrize("seed", range(40))
def test_compiled_rollouts_follow_the_rules_and_the_heuristic(seed: int) -> None:
    """A rollout equals play by the rules with the heuristic, up to the first shuffle and over the same turns."""
    rng, seats = Random(seed), 3 + seed % 3
    state = initial_state(
        seats, seed, cut_bonus=False, contract_size=rng.choice(["at_least", "exactly"]),
        same_rank_groups=rng.random() < 0.7, later_melds=rng.random() < 0.7,
        layoff_scope=rng.choice(["cumulative", "per_turn"]),
    )  # fmt: skip
    state = msgspec.structs.replace(state, round=1 + seed % 8)
    for _ in range(rng.randrange(60)):
        state, _ = play(state, str(heuristic_action(state) if rng.random() < 0.8 else random_action(rng, state)))
        if state.round != 1 + seed % 8 or state.to_play is None:
            return
    first = random_action(rng, state)
    hands = np.array([[deck.count_kinds(state.zones.cards(HANDS[seat])) for seat in range(seats)]])
    stock = np.array([[deck.kind(card) for card in state.zones.cards(STOCK)]], np.int64)
    scores, tokens = rolled_out(state, hands, stock, first, np.array([5]))
    end, action, last_turn = state, first, state.turn + bot.ROLLOUT_TURNS * seats
    while True:
        after, _ = play(end, str(action))
        if after.shuffles or after.sheet or after.turn == last_turn:
            break
        end, action = after, heuristic_action(after)
    if after.sheet:
        found = after.sheet[0].points
    else:
        held = [sum(map(deck.points, after.zones.cards(HANDS[seat]))) for seat in range(seats)]
        found = tuple(table_points(after.groups, seat) - held[seat] for seat in range(seats))
    if not after.shuffles:
        assert tuple(scores[0, 0].tolist()) == found
        assert after.sheet or tokens[0, 0].tolist() == [after.zones.purses[TOKENS[seat]] for seat in range(seats)]


def rolled_out(view: State, hands: Ints, stock: Ints, first: Action, seeds: Ints) -> Ints:
    """Scores and tokens left after compiled rollouts of a move, each in a deal. [2, 1, W, S]"""
    arrays, moves = bot.round_arrays(view), np.array([bot.encode_step(view, first)])
    result = np.zeros((2, 1, len(seeds), view.seats), np.int64)
    model, table = GameRolloutModel(GAME, PhysicsSimulator()), new_table(arrays, hands, stock)
    model.compile(rollout_rounds)(arrays, table, hands, stock, moves, seeds, *result)
    return result


def heuristic_action(state: State) -> Action:
    return bot.decode_step(state, heuristic_step(*bot.heuristic_table(state)))


def random_action(rng: Random, state: State) -> Action:
    """Random action without melds of its own choice and rearrangements, after which the table might stay invalid."""
    simple = [one for one in rules.legal_actions(state).actions if not isinstance(one, Meld | TakeBack | MoveWild)]
    return rng.choice([*simple, heuristic_action(state)])
