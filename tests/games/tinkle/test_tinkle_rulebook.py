"""Every TK- rule of the rulebook, one test each: it fails when the rule is broken."""

from collections import Counter
from typing import Any

import msgspec
import pytest
from tinkle_helpers import OTHERS, cards, hand, initial_state, offered_actions, play, refusal, state_from_text

from flicksim.cards import JOKER, Card, Draw, shuffle
from flicksim.core.errors import InvalidOption
from flicksim.core.random_streams import RandomStreams
from flicksim.games.tinkle import GAME, bot, deck, legal_actions, rules
from flicksim.games.tinkle.deck import DISCARD, HANDS, JAR, STOCK, TOKENS
from flicksim.games.tinkle.melds import CONTRACTS, min_naturals
from flicksim.games.tinkle.state import State
from flicksim.referee import Verdict, check_seat_count

KINGS = (1, "KS KH KD")
FILL = "3C 4D 5H"


def test_tk_1a_3e_8e_a_token_buys_the_discard_and_three_cards_of_the_stock() -> None:
    """TK-1a, TK-3e, TK-8e: the stock's top card is free; the discard and three cards with it cost a token."""
    state = state_from_text("KS KH 4C", phase="draw")
    drawn, _ = play(state, "draw")
    assert (hand(drawn), drawn.zones.purses[TOKENS[0]]) == ("4C 8C KH KS", 10)
    bought, _ = play(state, "tinkle 1")
    assert sorted(hand(bought).split()) == sorted(["KS", "KH", "4C", "10D", "8C", "5C", "4C"])
    assert len(bought.zones[STOCK]) == 1
    assert (bought.zones.purses[TOKENS[0]], bought.zones.purses[JAR]) == (9, 1)


def test_tk_2a_one_rank_no_runs() -> None:
    """TK-2a: suits and copies do not matter, ranks do."""
    state = state_from_text("KS KS KH 3D 4D 5D 6D")
    assert refusal(state, "meld 3D 4D 5D") == "TK-2a"
    assert "meld KH KS KS" in offered_actions(state)
    assert play(state, "meld KS KS KH", "discard 3D")[0].opened == (True, False, False)


def test_tk_2c_2d_5f_the_table_counts_for_one_and_the_hand_against() -> None:
    """TK-2c, TK-2d, TK-5f: a lay-off on another's group scores for the layer; table less hand may be below zero."""
    groups = ((1, "KS KH KD"), (0, "QS QH QD"))
    state = state_from_text("KC 4C 4D 4H", "KD AS JK", "9C 2H", groups=groups, opened=(0, 1), round_=8)
    over, _ = play(state, "layoff KC on 1", "meld 4C 4D 4H")
    assert over.sheet[0].tabled == (30 + 10 + 15, 30, 0)
    assert over.sheet[0].held == (0, 80, 55)
    assert over.sheet[0].points == over.scores == (55, 30 - 80, -55)


@pytest.mark.parametrize("seats", [1, 2, 9])
def test_tk_3a_three_to_eight_players(seats: int) -> None:
    """TK-3a: fewer than three and more than eight are refused; fewer may be agreed."""
    with pytest.raises(InvalidOption, match=f"3 to 8 players, not {seats}"):
        check_seat_count(GAME, seats)
    with pytest.raises(InvalidOption, match="max_players=4 keeps 5"):
        initial_state(5, max_players=4)
    assert initial_state(8).seats == 8


@pytest.mark.parametrize("seats", range(3, 9))
def test_tk_3b_3c_4e_4h_packs_hands_and_stock(seats: int) -> None:
    """TK-3b, TK-3c, TK-4e, TK-4h, TK-4i: two packs, three from five players, with two jokers each; thirteen cards for
    everybody, one turned up, the rest is the stock."""
    state, packs = initial_state(seats), 2 if seats < 5 else 3
    dealt = Counter(state.zones.all_cards())
    assert (dealt.total(), dealt[JOKER], dealt[Card.parse("KS")]) == (54 * packs, 2 * packs, packs)
    assert {len(state.zones[HANDS[seat]]) for seat in range(seats)} == {13}
    assert (len(state.zones[DISCARD]), len(state.zones[STOCK])) == (1, 54 * packs - 13 * seats - 1)


def test_tk_3b_3c_packs_and_jokers_may_be_agreed() -> None:
    """TK-3b, TK-3c: another number of packs must go round."""
    assert Counter(initial_state(4, jokers="players_minus_1").zones.all_cards())[JOKER] == 3
    assert Counter(initial_state(4, jokers=0).zones.all_cards())[JOKER] == 0
    assert len(initial_state(4, packs=3).zones.all_cards()) == 162
    with pytest.raises(InvalidOption, match="packs=1 gives 54 cards; 5 players need 66"):
        initial_state(5, packs=1)


def test_tk_3d_ten_tokens_for_the_game() -> None:
    """TK-3d: what is spent is gone for later rounds, unless they are given by the round."""
    state = state_from_text("4C 4D KS", "9D", "9H", phase="draw", discard="4H", stock="5C 6C 7C 8C")
    spent, _ = play(state, "tinkle 1", "meld 4C 4D 4H")
    assert initial_state().zones.purses[TOKENS[2]] == 10
    for options, left in (({}, 9), ({"tokens_per": "round"}, 10)):
        last = state_from_text("4C 4D 4H", "9D", "9H", tokens=9, **options)
        after, _ = play(last, "meld 4C 4D 4H")
        assert after.round == 2
        assert after.zones.purses[TOKENS[0]] == left
    assert spent.zones.purses[JAR] == 1


def test_tk_3f_tokens_are_to_be_saved() -> None:
    """TK-3f: advice, and bots follow it: a token kept is worth more than none, and all may go in round 8."""
    assert list(bot.TOKENS_TO_SAVE) == sorted(bot.TOKENS_TO_SAVE, reverse=True)
    assert bot.TOKENS_TO_SAVE[7] == 0
    assert all(
        one < two for one, two in zip(bot.SAVED_TOKEN_VALUES[6][:6], bot.SAVED_TOKEN_VALUES[6][1:7], strict=True)
    )
    assert set(bot.SAVED_TOKEN_VALUES[7]) == {0}


def test_tk_3g_not_melding_loses_what_the_hand_counts() -> None:
    """TK-3g: 65 is what thirteen fives come to, not a fine; a switch makes it one."""
    state = state_from_text("4C 4D 4H", "3C " * 13, "AS AH", round_=1)
    assert play(state, "meld 4C 4D 4H")[0].sheet[0].held == (0, 65, 40)
    flat = state_from_text("4C 4D 4H", "3C " * 13, "AS AH", round_=1, no_meld="flat65")
    assert play(flat, "meld 4C 4D 4H")[0].sheet[0].held == (0, 65, 65)


def test_tk_4a_eight_rounds() -> None:
    """TK-4a: the eighth ends the game."""
    seventh, _ = play(state_from_text("4C 4D 4H 4S 4S 4C", round_=7), "meld 4C 4D 4H 4S 4S 4C")
    assert (seventh.round, seventh.phase) == (8, "draw")
    over, _ = play(state_from_text("4C 4D 4H", round_=8, opened=(0,)), "meld 4C 4D 4H")
    assert over.to_play is None
    assert refusal(over, "draw") == "TK-14g"


def test_tk_4b_chance_picks_the_first_dealer() -> None:
    """TK-4b: any seat, by the seed."""
    assert {initial_state(4, seed).dealer for seed in range(40)} == {0, 1, 2, 3}
    assert initial_state(4, 7).dealer == initial_state(4, 7).dealer


def test_tk_4c_4e_4i_8a_the_deal_goes_clockwise_and_the_dealers_left_begins() -> None:
    """TK-4c, TK-4e, TK-4i, TK-8a: the next seat deals the next round, thirteen each again, and a wild upcard stays;
    whoever sits at the dealer's left begins every round."""
    after, verdict = play(state_from_text("4C 4D 4H", dealer=1), "meld 4C 4D 4H")
    assert after.dealer == 2
    assert after.to_play == 0 == verdict.ruling.next
    assert "TK-4c" in verdict.rule_ids
    assert {len(after.zones[HANDS[seat]]) for seat in range(after.seats)} == {13}
    assert any(deck.kind(initial_state(3, seed).zones.cards(DISCARD)[0]) == deck.WILD for seed in range(60))
    assert play(state_from_text("4C 4D 4H", dealer=2), "meld 4C 4D 4H")[0].dealer == 0
    assert all((state := initial_state(5, seed)).to_play == (state.dealer + 1) % 5 for seed in range(8))


def test_tk_4d_dealt_one_at_a_time_from_the_left() -> None:
    """TK-4d: the seat left of the dealer gets the 1st, 4th, 7th card from the top, and so on."""
    state = initial_state(3, 5)
    seeds = RandomStreams(seed=5).spawn("round", 1).spawn("deal")
    down = list(reversed(shuffle(deck.pack(state.options, 3), seeds)))
    for place in range(3):
        seat = (state.dealer + 1 + place) % 3
        assert sorted(down[place : 3 * 13 : 3]) == list(state.zones.cards(HANDS[seat]))
    assert state.zones.cards(DISCARD) == (down[39],)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize(("short", "bonus", "row"), [(0, 100, "TK-4f"), (1, 50, "TK-4g")])
def test_tk_4f_4g_cuts_gain_a_bonus(seats: int, short: int, bonus: int, row: str) -> None:
    """TK-4f, TK-4g: thirteen each and the upcard gain 100 for the dealer, in that round's score, one card less 50."""
    others, cut = (OTHERS * 3)[: seats - 1], 13 * seats + 1 - short

    def closed(**given: Any) -> tuple[State, Verdict]:
        return play(state_from_text("4C 4D 4H", *others, dealer=1, **given), "meld 4C 4D 4H")

    (over, verdict), (without, _) = closed(cut=cut), closed(cut=13 * seats - 1)
    assert over.sheet[0].bonus == bonus
    assert over.scores[1] == without.scores[1] + bonus
    assert over.scores[0] == without.scores[0]
    assert row in verdict.rule_ids
    assert closed(cut=cut, cut_bonus=False)[0].sheet[0].bonus == 0


def test_tk_4f_cuts_are_drawn_by_the_seed_or_given() -> None:
    """TK-4f: a seeded try near the mark, now and then exact, or the caller's figure."""
    cuts = [initial_state(4, seed).cut for seed in range(300)]
    assert 5 <= cuts.count(53) <= 60
    assert all(30 < cut < 80 for cut in cuts)
    assert initial_state(4, cut=53).cut == 53


def test_tk_5a_points_and_an_empty_hand_are_the_aim() -> None:
    """TK-5a: what a bot goes for: it puts down all it can."""
    state = state_from_text("4C 4D 4H KD", groups=(KINGS,), opened=(0, 1))
    assert str(bot.candidates(rules.view(state, 0), None, 9)[0]) == "meld 4C 4D 4H"  # type: ignore[arg-type]


def test_tk_5b_10b_nothing_before_the_contract() -> None:
    """TK-5b, TK-10b: no lay-off before it, and a group that is not the contract may not stand."""
    state = state_from_text(f"KC 4C 4D 4H {FILL}", groups=(KINGS,), opened=(1,), round_=2)
    assert refusal(state, "layoff KC on 1") == "TK-10b"
    assert not any(word.startswith("layoff") for word in offered_actions(state))
    down, _ = play(state, "meld 4C 4D 4H")
    assert refusal(down, "discard 5H") == "TK-6b"


def test_tk_5c_11a_11b_12b_a_turn_ends_with_one_discard_but_not_of_the_last_card() -> None:
    """TK-5c, TK-11a, TK-11b, TK-12b: a discard that empties the hand is refused; keeping is for a last card only; the
    discard is the new top, and may be wild."""
    last = state_from_text("KC", groups=((0, "QS QH QD"),), opened=(0,))
    assert refusal(last, "discard KC") == "TK-5c"
    assert offered_actions(last) == {"keep"}
    state = state_from_text("KC 4C", groups=((0, "QS QH QD"),), opened=(0,))
    assert refusal(state, "keep") == "TK-11a"
    assert refusal(state, "discard 9D") == "TK-11a"
    after, _ = play(state, "discard KC")
    assert (hand(after), after.to_play, after.phase, after.sheet) == ("4C", 1, "draw", ())
    after, _ = play(state_from_text("KC 4C 2D"), "discard 2D")
    assert after.zones.cards(DISCARD) == cards("9C 10D 2D")


def test_tk_5d_14a_going_out_is_an_empty_hand() -> None:
    """TK-5d, TK-7b, TK-14a: the round ends there at once, without a discard, and nobody has another turn; an empty hand
    with a group of too many wilds must be repaired."""
    state = state_from_text("KC 4C 4D 4H", groups=(KINGS,), opened=(0, 1))
    nearly, _ = play(state, "meld 4C 4D 4H")
    assert not nearly.sheet
    out, verdict = play(nearly, "layoff KC on 1")
    assert out.sheet[0].out == 0
    assert "TK-5d" in verdict.rule_ids
    assert (out.round, len(out.sheet)) == (2, 1)
    assert verdict.ruling.points == out.scores
    state = state_from_text("KC 2C 2D", groups=((0, "QS QH QD"),), opened=(0,))
    stuck, _ = play(state, "meld KC 2C 2D")
    assert not stuck.sheet
    assert hand(stuck) == ""
    assert {"take KC from 2", "take 2C from 2", "take 2D from 2", "move 2C from 2 to 1"} <= offered_actions(stuck)


def test_tk_5e_a_last_card_is_kept() -> None:
    """TK-5e: the turn ends without a discard, even when the card could be laid off; a switch forbids that."""
    fits = state_from_text("KC", groups=(KINGS,), opened=(0, 1))
    after, verdict = play(fits, "keep")
    assert (hand(after), after.to_play, after.phase) == ("KC", 1, "draw")
    assert after.zones[DISCARD] == fits.zones[DISCARD]
    assert verdict.rule_ids == ("TK-5e",)
    assert offered_actions(fits) == {"keep", "layoff KC on 1"}
    must = state_from_text("KC", groups=(KINGS,), opened=(0, 1), single_card="must_lay")
    assert refusal(must, "keep") == "TK-5e"
    assert offered_actions(must) == {"layoff KC on 1"}
    assert "keep" in offered_actions(state_from_text("9C", groups=(KINGS,), opened=(0, 1), single_card="must_lay"))


CONTRACT_HANDS = {
    1: ("TK-6a", ["4C 4D 4H"]),
    2: ("TK-6b", ["4C 4D 4H", "9C 9D 9H"]),
    3: ("TK-6c", ["4C 4D 4H 4S"]),
    4: ("TK-6d", ["4C 4D 4H 4S", "9C 9D 9H JK"]),
    5: ("TK-6e", ["4C 4D 4H JK JK"]),
    6: ("TK-6f", ["4C 4D 4H 4S 4S", "9C 9D 9H JK 2C"]),
    7: ("TK-6g", ["4C 4D 4H 4S JK JK"]),
    8: ("TK-6h", ["4C 4D 4H 4S 4S 4D", "9C 9D 9H 9S JK 2C"]),
}


@pytest.mark.parametrize("round_", range(1, 9))
def test_tk_6_contracts(round_: int) -> None:
    """TK-1b, TK-6a, TK-6b, TK-6c, TK-6d, TK-6e, TK-6f, TK-6g, TK-6h: just this opens, a card less does not."""
    assert CONTRACTS == ((3,), (3, 3), (4,), (4, 4), (5,), (5, 5), (6,), (6, 6))
    row, groups = CONTRACT_HANDS[round_]
    mine = " ".join([*groups, "AS AD", "KS"])
    state = state_from_text(mine, round_=round_)
    done, _ = play(state, *(f"meld {group}" for group in groups), "discard KS")
    assert done.opened[0]
    short = [*groups[:-1], groups[-1].rsplit(" ", 1)[0]]
    if len(short[-1].split()) > 2:
        down, _ = play(state, *(f"meld {group}" for group in short))
        assert refusal(down, "discard KS") == row
    if len(groups) == 2:
        down, _ = play(state, f"meld {groups[0]}")
        assert refusal(down, "discard KS") == row
        assert legal_actions.turn_end_problem(down) is not None


def test_tk_6a_at_least_or_exactly() -> None:
    """TK-6a: a larger group opens too, unless exactly the size is agreed."""
    mine = "4C 4D 4H 4S KS AS"
    assert play(state_from_text(mine), "meld 4C 4D 4H 4S", "discard KS")[0].opened[0]
    exact = state_from_text(mine, contract_size="exactly")
    assert refusal(play(exact, "meld 4C 4D 4H 4S")[0], "discard KS") == "TK-6a"
    assert "meld 4C 4D 4H 4S" not in offered_actions(exact)


def test_tk_6b_one_rank_twice() -> None:
    """TK-6b: both groups may be of one rank, unless agreed otherwise."""
    mine = "4C 4D 4H 4S 4C 4D KS AS"
    melds = ("meld 4C 4D 4H", "meld 4S 4C 4D")
    assert play(state_from_text(mine, round_=2), *melds, "discard KS")[0].opened[0]
    state = state_from_text(mine, round_=2, same_rank_groups=False)
    assert refusal(play(state, *melds)[0], "discard KS") == "TK-6b"


def test_tk_6d_9a_the_whole_contract_in_one_turn_out_of_the_hand() -> None:
    """TK-6d, TK-9a: no group is left lying for the next turn, nor made of cards one does not hold."""
    state = state_from_text("4C 4D 4H 4S 9C 9D 9H KS AS", round_=4)
    down, _ = play(state, "meld 4C 4D 4H 4S")
    assert refusal(down, "discard KS") == "TK-6d"
    assert refusal(state, "meld 9C 9D 9H 9S") == "TK-6d"
    assert refusal(state, "meld 4C 4C 4D") == "TK-6d"
    state = state_from_text("4C 4D 4H 9C 9D 9H KS AS", round_=3)
    assert refusal(play(state, "meld 4C 4D 4H", "meld 9C 9D 9H")[0], "discard KS") == "TK-6c"


def test_tk_7a_jokers_and_twos_are_wild() -> None:
    """TK-7a: they stand in any group, and make none of their own."""
    state = state_from_text("4C 4D 2H 2S 2D JK JK JK KS")
    assert play(state, "meld 4C 4D 2H", "discard KS")[0].opened[0]
    assert play(state, "meld 4C 4D JK", "discard KS")[0].opened[0]
    assert refusal(play(state, "meld 2H 2S 2D")[0], "discard KS") == "TK-7a"
    assert refusal(play(state, "meld JK JK JK")[0], "discard KS") == "TK-7a"


@pytest.mark.parametrize(("size", "wilds"), [(3, 1), (4, 1), (5, 2), (6, 2), (7, 3)])
def test_tk_7b_more_naturals_than_wilds(size: int, wilds: int) -> None:
    """TK-7b: size 3 and 4 one wild, 5 and 6 two, 7 three."""
    naturals = ["4C", "4D", "4H", "4S", "4C", "4D", "4H"]
    mine = state_from_text(" ".join([*naturals, "2C 2D 2H 2S KS AS"]))
    good = naturals[: size - wilds] + ["2C", "2D", "2H"][:wilds]
    bad = naturals[: size - wilds - 1] + ["2C", "2D", "2H", "2S"][: wilds + 1]
    assert play(mine, f"meld {' '.join(good)}", "discard KS")[0].opened[0]
    assert refusal(play(mine, f"meld {' '.join(bad)}")[0], "discard KS") == "TK-7b"


@pytest.mark.parametrize("size", range(2, 15))
def test_tk_7b_the_fewest_naturals_are_just_more_than_the_wilds(size: int) -> None:
    """TK-7b: of every size, counted out."""
    assert min_naturals(size) == min(naturals for naturals in range(size + 1) if naturals > size - naturals)


def test_tk_7b_always_also_in_later_turns() -> None:
    """TK-7b: one's own additions too."""
    state = state_from_text("2C 2D KS AS", groups=((0, "4C 4D 2H"),), opened=(0,))
    assert refusal(play(state, "layoff 2C on 1")[0], "discard KS") == "TK-7b"
    assert "layoff 2C on 1" not in offered_actions(state)


def test_tk_7c_7d_more_naturals_in_ones_own_lay_offs() -> None:
    """TK-7c, TK-7d: on another's group, cumulative over turns unless agreed by the turn: with two kings goes one wild,
    not two."""
    groups = ((1, "KS KH KD KS KH"),)
    state = state_from_text("KC KD 2C 2D 4D AS QC", groups=groups, opened=(0, 1))
    assert refusal(play(state, "layoff 2C on 1")[0], "discard AS") == "TK-7c"
    assert refusal(play(state, "layoff KC 2C on 1")[0], "discard AS") == "TK-7c"
    one, _ = play(state, "layoff KC KD on 1")
    assert "layoff 2C on 1" in offered_actions(one)
    one, _ = play(one, "layoff 2C on 1")
    assert "layoff 2D on 1" not in offered_actions(one)
    assert play(one, "discard AS")[0].to_play == 1
    assert refusal(play(one, "layoff 2D on 1")[0], "discard AS") == "TK-7c"
    later = state
    later, _ = play(later, "layoff KC KD on 1", "discard QC", "draw", "discard 6C", "draw", "discard 6D", "draw")
    assert later.to_play == 0
    assert play(later, "layoff 2C on 1", "discard AS")[0].to_play == 1
    assert refusal(play(later, "layoff 2C 2D on 1")[0], "discard AS") == "TK-7c"
    turnwise = state_from_text("KC KD 2C 4D AS QC", groups=groups, opened=(0, 1), layoff_scope="per_turn")
    turnwise, _ = play(turnwise, "layoff KC KD on 1", "discard QC", "draw", "discard 6C", "draw", "discard 6D", "draw")
    assert refusal(play(turnwise, "layoff 2C on 1")[0], "discard AS") == "TK-7c"


def test_tk_8b_draw_then_put_down_then_discard() -> None:
    """TK-8b: melds and lay-offs in any order between draw and discard."""
    state = state_from_text("KC 4C 4D 4H 9C AS", groups=(KINGS,), opened=(0, 1), phase="draw")
    assert refusal(state, "meld 4C 4D 4H") == "TK-8c"
    assert refusal(state, "discard AS") == "TK-8c"
    one, _ = play(state, "draw", "layoff KC on 1", "meld 4C 4D 4H", "discard AS")
    two, _ = play(state, "draw", "meld 4C 4D 4H", "layoff KC on 1", "discard AS")
    assert hand(one) == hand(two) == "8C 9C"
    assert one.to_play == 1


def test_tk_2b_8c_one_draw_first_and_once() -> None:
    """TK-2b, TK-8c: of the top card; only the seat to play acts, and discards are bought only while it draws."""
    state = state_from_text("KS 4C", phase="draw", stock="3C 4C 5C")
    assert rules.to_play(state) == 0
    assert offered_actions(state) == {"draw", "tinkle 1", "tinkle 2"}
    drawn, _ = play(state, "draw")
    assert hand(drawn) == "4C 5C KS"
    assert refusal(drawn, "draw") == "TK-8c"
    assert refusal(drawn, "tinkle 1") == "TK-8c"


def test_tk_8d_8f_a_token_for_every_discard() -> None:
    """TK-8d, TK-8f: without tokens there is only the stock; k discards from the top and 3 k stock cards, as far as
    tokens and discards go."""
    state = state_from_text("KS 4C", phase="draw", tokens=0)
    assert offered_actions(state) == {"draw"}
    assert refusal(state, "tinkle 1") == "TK-8d"
    one = state_from_text("KS 4C", phase="draw", tokens=1)
    assert offered_actions(one) == {"draw", "tinkle 1"}
    assert play(one, "tinkle")[0].zones.purses[TOKENS[0]] == 0
    stock = "3C 4C 5C 6C 7C 8C 9C"
    state = state_from_text("KS", phase="draw", stock=stock, discard="QC QD QH")
    after, _ = play(state, "tinkle 2")
    assert hand(after) == "4C 5C 6C 7C 8C 9C QD QH KS"
    assert (after.zones.cards(DISCARD), after.zones.purses[TOKENS[0]]) == (cards("QC"), 8)
    assert refusal(state, "tinkle 4") == "TK-8f"
    assert refusal(state, "tinkle 0") == "TK-8f"
    capped = state_from_text("KS", phase="draw", discard="QC QD QH", max_tinkle=2)
    assert refusal(capped, "tinkle 3") == "TK-8f"
    assert "tinkle 2" in offered_actions(capped)


def test_tk_9b_further_groups_of_three() -> None:
    """TK-9b: after the contract, at once and in later turns, of three cards or more."""
    state = state_from_text("4C 4D 4H 4S 9C 9D 9H KS KD AS JC", round_=3)
    both, _ = play(state, "meld 4C 4D 4H 4S", "meld 9C 9D 9H")
    assert play(both, "discard AS")[0].to_play == 1
    assert refusal(play(both, "meld KS KD")[0], "discard AS") == "TK-9b"
    later = state_from_text("9C 9D 9H KS AS", groups=((0, "4C 4D 4H"),), opened=(0,))
    assert play(later, "meld 9C 9D 9H", "discard AS")[0].to_play == 1
    never = state_from_text("9C 9D 9H KS AS", groups=((0, "4C 4D 4H"),), opened=(0,), later_melds=False)
    assert refusal(never, "meld 9C 9D 9H") == "TK-9b"


def test_tk_9d_cards_of_this_turn_may_be_taken_up() -> None:
    """TK-9d: back to the hand as if never put down; what then lies must still be legal."""
    state = state_from_text("4C 4D 4H 4S AS 9C")
    down, _ = play(state, "meld 4C 4D 4H")
    back, _ = play(down, "take 4C from 1", "take 4D from 1", "take 4H from 1")
    assert (back.zones, back.groups) == (state.zones, ())
    again, _ = play(back, "meld 4C 4D 4S", "discard AS")
    assert again.opened[0]
    torn, _ = play(down, "take 4H from 1")
    assert refusal(torn, "discard AS") == "TK-9b"
    layoff = state_from_text("4C 4D 4H KC AS 9C", groups=(KINGS,), opened=(1,))
    broken, _ = play(layoff, "meld 4C 4D 4H", "layoff KC on 1", "take 4C from 2", "take 4D from 2", "take 4H from 2")
    assert refusal(broken, "discard AS") == "TK-6a"
    assert refusal(down, "take KS from 1") == "TK-9d"


def test_tk_9e_a_wild_of_this_turn_may_be_moved() -> None:
    """TK-9e: to another group; naturals are not moved, nor wilds of earlier turns."""
    state = state_from_text("4C 4D 4H 9C 9D 2C AS 3C", groups=((0, "KS KH 2D"),), opened=(0,))
    down, _ = play(state, "meld 4C 4D 4H 2C", "meld 9C 9D")
    assert refusal(down, "discard AS") == "TK-9b"
    moved, verdict = play(down, "move 2C from 2 to 3")
    assert verdict.rule_ids == ("TK-9e",)
    assert [str(card) for card in moved.zones.cards("group:3")] == ["9C", "9D", "2C"]
    assert play(moved, "discard AS")[0].to_play == 1
    assert refusal(down, "move 4C from 2 to 3") == "TK-9e"
    assert refusal(down, "move 2D from 1 to 2") == "TK-9f"


def test_tk_9f_cards_of_earlier_turns_stay() -> None:
    """TK-9f: neither taken up nor swapped."""
    state = state_from_text("KC 4C AS", groups=((0, "KS KH 2D"),), opened=(0,))
    assert refusal(state, "take 2D from 1") == "TK-9f"
    assert not any(word.startswith("take") for word in offered_actions(state))
    laid, _ = play(state, "layoff KC on 1")
    assert refusal(laid, "take KS from 1") == "TK-9f"
    assert "take KC from 1" in offered_actions(laid)


def test_tk_10a_10d_10e_laying_off_adds_to_any_group_and_is_never_compulsory() -> None:
    """TK-10a, TK-10d, TK-10e: cards of its rank or wilds, on one's own or another's, without end; a turn may end with
    all in hand."""
    state = state_from_text("KC QC 4C AS 2D", groups=(KINGS, (0, "QS QH QD")), opened=(0, 1))
    assert {"layoff KC on 1", "layoff QC on 2", "layoff 2D on 2"} <= offered_actions(state)
    assert refusal(state, "layoff QC on 1") == "TK-10a"
    assert refusal(state, "layoff QC on 7") == "TK-10a"
    assert play(state, "discard AS")[0].to_play == 1
    state = state_from_text("KC KC KD KS KH AS 3C", groups=(KINGS,), opened=(0, 1))
    after, _ = play(state, "layoff KC KC KD on 1", "layoff KS on 1", "layoff KH on 1", "discard AS")
    assert len(after.groups[0].puts) == 8


def test_tk_9c_10c_lay_offs_on_others_groups_in_the_turn_of_melding_too() -> None:
    """TK-9c, TK-10c: once the contract lies, not while half of it does."""
    state = state_from_text("4C 4D 4H 9C 9D 9H KC AS 3C", groups=(KINGS,), opened=(1,), round_=2)
    half, _ = play(state, "meld 4C 4D 4H")
    assert refusal(half, "layoff KC on 1") == "TK-10b"
    whole, _ = play(half, "meld 9C 9D 9H", "layoff KC on 1")
    assert len(whole.zones["group:1"]) == 4
    assert play(whole, "discard AS")[0].opened[0]


def test_tk_12a_clockwise_until_somebody_goes_out() -> None:
    """TK-12a: the next seat, the first after the last; a round nobody can finish is counted after the agreed turns."""
    assert play(state_from_text("KC 4C", seat=1), "discard KC")[0].to_play == 2
    assert play(state_from_text("KC 4C", seat=2), "discard KC")[0].to_play == 0
    state = msgspec.structs.replace(state_from_text("KC 4C", max_turns=5), turn=14)
    state, _ = play(state, "discard KC")
    assert state.round == 1
    state, verdict = play(state, "draw", "discard 6C")
    assert state.round == 2
    assert state.sheet[0].out is None
    assert "TK-12a" in verdict.rule_ids


def test_tk_13a_13b_13c_the_discards_but_for_the_top_one_become_the_stock() -> None:
    """TK-13a, TK-13b, TK-13c: when a card is wanted and not before, in the middle of a tinkle too; play goes on."""
    state = state_from_text("KS", phase="draw", stock="3C", discard="5C 6C 7C 8C")
    empty, _ = play(state, "draw")
    assert (len(empty.zones[STOCK]), len(empty.zones[DISCARD])) == (0, 4)
    assert hand(play(state, "tinkle 1")[0]) == "3C 5C 6C 8C KS"
    state = state_from_text("KS", phase="draw", stock="", discard="5C 6C 7C 8C")
    after, verdict = play(state, "draw")
    assert "TK-13a" in verdict.rule_ids
    assert len(after.zones[STOCK]) == 2
    assert set(map(str, after.zones[STOCK].cards)) | set(hand(after).split()) == {"5C", "6C", "7C", "KS"}
    assert after.zones.cards(DISCARD) == cards("8C")
    assert play(state, "tinkle 1")[0].zones.cards(DISCARD) == cards("7C")
    assert (after.to_play, after.phase, after.turn, after.round) == (0, "play", 9, 1)


def test_tk_13a_shuffles_follow_the_seed() -> None:
    """TK-13a: the same seed makes the same new stock, and each shuffle its own."""
    state = state_from_text("KS", phase="draw", stock="", discard="3C 4C 5C 6C 7C 8C 9C 10C")
    one, two = play(state, "draw")[0], play(state, "draw")[0]
    assert one == two
    assert one.shuffles == 1
    other = play(msgspec.structs.replace(state, seeds=RandomStreams(seed=77)), "draw")[0]
    later = play(msgspec.structs.replace(state, shuffles=1), "draw")[0]
    assert len({one.zones[STOCK], other.zones[STOCK], later.zones[STOCK]}) == 3
    for before in (0, 1):  # shuffles are numbered without a gap, as every record of such a game relies on
        _, steps = rules.simulation_setup(msgspec.structs.replace(state, shuffles=before), Draw())
        assert steps[0].seeds == state.seeds.spawn("round", 1, "stock", before + 1)


@pytest.mark.parametrize(
    ("options", "size"),
    [({}, 54), ({"new_pack_jokers": False}, 52), ({"jokers": 0}, 52), ({"jokers": 1}, 54),
     ({"jokers": "players_minus_1"}, 54)],
)  # fmt: skip
def test_tk_13d_a_new_pack_is_brought_in(options: dict[str, Any], size: int) -> None:
    """TK-13d, TK-3b: when no card is left, like the others: without jokers where they have none; an empty discard pile
    stays empty."""
    state = state_from_text("KS", phase="draw", stock="", discard="8C", **options)
    after, verdict = play(state, "draw")
    assert "TK-13d" in verdict.rule_ids
    assert len(after.zones[STOCK]) == size - 1
    assert after.zones.cards(DISCARD) == cards("8C")
    bought, _ = play(state, "tinkle 1")
    assert (len(bought.zones[STOCK]), len(bought.zones[DISCARD])) == (size - 3, 0)


def test_tk_14b_wilds_count_fifty_and_going_out_nothing() -> None:
    """TK-14b: whatever they stand for; there is no bonus for being out."""
    over, _ = play(state_from_text("3C 3D 2H", "KC", "KD"), "meld 3C 3D 2H")
    assert over.sheet[0].points == (60, -10, -10)


@pytest.mark.parametrize(("ranks", "points"), [("3456789", {5}), ("TJQK", {10}), ("A", {20}), ("2", {50})])
def test_tk_14c_14d_14e_14f_points_of_cards(ranks: str, points: set[int]) -> None:
    """TK-14c, TK-14d, TK-14e, TK-14f."""
    assert {deck.points(Card.parse(f"{rank}{suit}")) for rank in ranks for suit in "CDHS"} == points
    assert deck.points(JOKER) == 50


@pytest.mark.parametrize(
    ("options", "before", "after", "won"),
    [
        ({}, (5, 700, -40), (20, 695, -45), (1,)),
        ({}, (80, 100, 3), (95, 95, -2), (0, 1)),
        ({"tie": "last_round"}, (80, 100, 3), (95, 95, -2), (0,)),
    ],
)
def test_tk_5g_14g_the_highest_total_wins_level_ones_jointly(
    options: dict[str, str], before: tuple[int, ...], after: tuple[int, ...], won: tuple[int, ...]
) -> None:
    """TK-5g, TK-14g: bonuses are in the totals; the last round may decide by option."""
    state = state_from_text("4C 4D 4H", "9C", "9D", round_=8, opened=(0,), **options)
    over, verdict = play(msgspec.structs.replace(state, scores=before), "meld 4C 4D 4H")
    assert over.scores == after
    assert rules.leaders(over) == won
    assert "TK-14g" in verdict.rule_ids
