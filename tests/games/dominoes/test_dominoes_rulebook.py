"""Every DO- rule of the rulebook, one test each: it fails when the rule is broken."""

import pytest
from domino_helpers import hand, initial_state, offered_actions, play, refusal, state_from_text, tiles

from flicksim.cards import TILES, line_halves, tile_mask
from flicksim.core.errors import InvalidOption
from flicksim.games.dominoes import GAME, rules
from flicksim.games.dominoes.deck import BONEYARD, HANDS, LAYOUT, POOL
from flicksim.games.dominoes.state import State
from flicksim.referee import check_seat_count

FIVE = ["3-1 0-0", "4-2 1-1", "5-3 2-0", "6-3 4-0", "5-0 6-2"]


@pytest.mark.parametrize(("version", "each"), [("american", 3), ("british", 5)])
def test_do_0a_a7_b5_nothing_is_ever_drawn_to_a_hand(version: str, each: int) -> None:
    """DO-0a, DO-A7, DO-B5: block game: hands only shrink, and the boneyard stays as dealt to the end."""
    rounds = (initial_state(5, seed, version=version, rounds=1) for seed in range(1, 99))
    state = next(state for state in rounds if state.phase == "lead")
    dealt = state.zones[BONEYARD]
    assert (len(state.zones[HANDS[0]]), len(dealt)) == (each, 28 - 5 * each)
    while state.to_play is not None:
        before = [len(state.zones[HANDS[seat]]) for seat in range(5)]
        state, _ = play(state, str(rules.legal_actions(state).actions[0]))
        assert all(len(state.zones[HANDS[seat]]) <= before[seat] for seat in range(5))
        assert state.to_play is None or refusal(state, "turn-up") == "DO-A7"
    assert state.zones[BONEYARD] == dealt


def test_do_x1_who_can_play_must() -> None:
    """DO-X1: passing while able is refused; the switch allows it, and passes all round block."""
    state = state_from_text(FIVE, line="3-2", left=2, right=3)
    assert refusal(state, "pass") == "DO-X1"
    free = state_from_text(FIVE, line="3-2", left=2, right=3, must_play=False, rounds=1)
    assert "pass" in offered_actions(free)
    for _ in range(4):
        free, _ = play(free, "pass")
    assert all(not lacks for lacks in free.lacks)  # such a pass shows nothing
    over, verdict = play(free, "pass")
    assert over.to_play is None
    assert "DO-X1" in verdict.rule_ids
    assert over.sheet[0].how == "block"


def test_do_x2_no_third_tile_unless_chained() -> None:
    """DO-X2: a second tile that is a double ends the turn; the switch lets it go on."""
    hands = ["5-5 2-2 2-0", "5-1 3-0", "2-1 4-0"]
    state, _ = play(state_from_text(hands, line="5-2", left=5, right=2), "5-5 left")
    plain, _ = play(state, "2-2 right")
    assert (plain.to_play, plain.phase) == (1, "tile")
    state, _ = play(state_from_text(hands, line="5-2", left=5, right=2, chain_doubles=True), "5-5 left")
    chained, _ = play(state, "2-2 right")
    assert (chained.to_play, chained.phase) == (0, "second")


def block_tie(**options: object) -> tuple[State, object]:
    """Seat 0 lays 6-4 on a 6: nobody holds a 4; seats 0 and 1 have 4 pips each, seat 0 in two tiles."""
    hands = ["6-4 1-0 2-1", "2-2", "5-3", "6-3", "5-5"]
    state = state_from_text(hands, line="6-6", right=6, **{"version": "american", "rounds": 2, **options})  # type: ignore[arg-type]
    return play(state, "6-4")


def test_do_x3_ties_split_with_the_rest_carried() -> None:
    """DO-X3: a pool of 5 splits 2 and 2; 1 waits for the next round; other options give it as they say."""
    after, verdict = block_tie()
    assert "DO-X3" in verdict.rule_ids  # type: ignore[attr-defined]
    assert after.sheet[0].won == (0, 1)
    assert after.scores == (1, 1, -1, -1, -1)
    assert after.zones.purses[POOL] == 1 + 5  # carried, and the next round's stakes
    none, _ = block_tie(tie="none")
    assert (none.sheet[0].won, none.scores, none.zones.purses[POOL]) == ((), (0, 0, 0, 0, 0), 5)
    carry, _ = block_tie(tie="carry")
    assert (carry.sheet[0].won, carry.scores, carry.zones.purses[POOL]) == ((), (-1,) * 5, 10)
    light, _ = block_tie(tie="lightest_tile")
    assert (light.sheet[0].won, light.scores[0]) == ((0,), 4)  # 1-0 is the lightest tile
    british, _ = play(state_from_text(["6-4 1-0 2-1", "2-2", "5-3"], line="6-6", left=4, right=6), "6-4 right")
    assert british.sheet[0].won == (0, 1)
    assert british.scores == (1, 1, 0)


def test_do_x4_the_deal_moves_clockwise_and_rounds_are_a_series() -> None:
    """DO-X4: seats stay, the next seat deals, each round is led afresh, the agreed rounds are played."""
    state = initial_state(4, rounds=3)
    dealers, leads = [], 0
    while state.to_play is not None:
        if state.phase == "lead":
            dealers.append(state.dealer)
            leads += 1
        state, _ = play(state, str(rules.legal_actions(state).actions[0]))
    assert leads == 3
    assert dealers == [dealers[0], (dealers[0] + 1) % 4, (dealers[0] + 2) % 4]
    assert len(state.sheet) == 3
    assert refusal(state, "pass") == "DO-X4"
    assert len({initial_state(4, seed).dealer for seed in range(30)}) == 4


def test_do_x5_a_double_counts_both_halves() -> None:
    """DO-X5: 6-6 counts 12."""
    over, _ = play(state_from_text(["5-4 1-0", "6-6", "3-3"], line="5-2", left=2, right=5, rounds=1), "5-4 right")
    assert over.sheet[0].pips == (1, 12, 6)


@pytest.mark.parametrize("seats", [5, 6, 7, 8])
def test_do_a1_three_tiles_each_of_a_double_six_set(seats: int) -> None:
    """DO-A1, DO-A3, DO-A6, DO-A7: three tiles whatever the number; 13, 10, 7 or 4 stay out; no larger set is taken."""
    state = initial_state(seats, version="american")
    assert all(len(state.zones[HANDS[seat]]) == 3 for seat in range(seats))
    assert len(state.zones[BONEYARD]) == 28 - 3 * seats
    assert sorted(state.zones.all_cards()) == list(TILES[:28])
    with pytest.raises(InvalidOption, match="set=9"):
        initial_state(seats, version="american", set=9)


@pytest.mark.parametrize(
    ("line", "right", "move", "row"),
    [("3-2", 3, "6-3", "DO-A1"), ("6-2 2-0 3-0", 3, "3-1 left", "DO-A2"), ("6-5 5-4", 6, "3-1", "DO-A13")],
)
def test_do_a1_a2_a13_illegal_american_moves(line: str, right: int, move: str, row: str) -> None:
    """DO-A1, DO-A2, DO-A13: only tiles in hand, on the one open end, and moves name none."""
    assert refusal(state_from_text(FIVE, line=line, right=right, version="american"), move) == row


@pytest.mark.parametrize("seats", [2, 3, 4, 9, 12])
def test_do_a4_five_to_eight_players(seats: int) -> None:
    """DO-A4: others are refused."""
    with pytest.raises(InvalidOption, match=rf"5 to 8 players, not {seats} "):
        initial_state(seats, version="american")


def test_do_a8_everybody_stakes() -> None:
    """DO-A8: the pool is the players' stakes, one chip each unless agreed otherwise."""
    assert initial_state(6, version="american").zones.purses[POOL] == 6
    purses = initial_state(6, version="american", stake=4).zones.purses
    assert purses[POOL] == 24
    assert purses["chips:5"] == -4


def test_do_a9_the_largest_double_leads_and_is_led() -> None:
    """DO-A9: its holder begins, and with no other tile."""
    for seed in range(40):
        state = initial_state(6, seed, version="american")
        doubles = [tile for seat in range(6) for tile in state.zones.cards(HANDS[seat]) if tile.is_double]
        if doubles:
            assert max(doubles) in state.zones.cards(HANDS[state.to_play])
            assert offered_actions(state) == {str(max(doubles))}
    state = state_from_text(
        ["6-6 6-5 1-1", "5-5 4-3 2-1", "4-4 3-2 1-0", "6-0 5-0 4-0", "3-0 2-0 6-1"], phase="lead", version="american"
    )
    assert refusal(state, "6-5") == "DO-A9"
    assert refusal(state, "1-1") == "DO-A9"
    assert refusal(state, "pass") == "DO-A9"
    assert play(state, "6-6")[0].right == 6


def test_do_a10_then_clockwise() -> None:
    """DO-A10: the next seat follows, the first after the last."""
    hands = ["3-1 0-0", "3-2 4-4", "3-0 5-5", "6-3 6-6", "3-4 2-2"]
    assert play(state_from_text(hands, line="3-5", right=3, seat=3, version="american"), "6-3")[0].to_play == 4
    assert play(state_from_text(hands, line="3-5", right=3, seat=4, version="american"), "4-3")[0].to_play == 0


DOUBLELESS = ["6-5 2-1", "4-3 1-0", "6-4 2-0", "5-3 3-1", "6-2 5-1"]


def test_do_a11_a12_the_boneyard_leads_when_nobody_has_a_double() -> None:
    """DO-A11, DO-A12: a tile is turned up; the seat left of the dealer follows, and a double gives no second tile; 3-2
    leaves 3 open, and 2 dead."""
    seed = next(s for s in range(9000) if initial_state(5, s, version="american").phase == "turn_up")
    state = initial_state(5, seed, version="american")
    assert not any(tile.is_double for seat in range(5) for tile in state.zones.cards(HANDS[seat]))
    assert state.to_play == (state.dealer + 1) % 5
    assert initial_state(5, seed, version="american", after_draw="dealer").to_play == state.dealer
    assert offered_actions(state) == {"turn-up"}
    assert refusal(state, "pass") == "DO-A11"
    top = state.zones.cards(BONEYARD)[-1]
    after, verdict = play(state, "turn-up")
    assert after.zones.cards(LAYOUT) == (top,)
    assert verdict.rule_ids[0] == "DO-A11"
    double = state_from_text(DOUBLELESS, phase="turn_up", boneyard="0-0 1-1", seat=2, version="american")
    after, _ = play(double, "turn-up")
    assert (after.to_play, after.phase, after.right) == (2, "tile", 1)
    after, verdict = play(
        state_from_text(DOUBLELESS, phase="turn_up", boneyard="0-0 3-2", version="american"), "turn-up"
    )
    assert (after.left, after.right) == (-1, 3)
    assert "DO-A12" in verdict.rule_ids
    assert refusal(after, "2-1") == "DO-A13"


def test_do_a2_a13_one_arm_all_on_the_same_end() -> None:
    """DO-A2, DO-A13: only the open end takes tiles."""
    state = state_from_text(FIVE, line="6-5 5-4 4-3", right=3, version="american")
    assert offered_actions(state) == {"3-1"}
    after, _ = play(state, "3-1")
    assert after.right == 1
    assert after.zones.cards(LAYOUT)[-1] is tiles("3-1")[0]


def test_do_a14_unable_means_pass_and_no_draw() -> None:
    """DO-A14: the one choice is to pass, which draws nothing and shows what one lacks."""
    state = state_from_text(FIVE, line="6-5", right=6, version="american", boneyard="6-6")
    assert offered_actions(state) == {"pass"}
    after, verdict = play(state, "pass")
    assert hand(after, 0) == hand(state, 0)
    assert after.lacks[0] == (6,)
    assert after.to_play == 1
    assert verdict.rule_ids == ("DO-A14",)


@pytest.mark.parametrize("last", ["3-1", "3-3"])
def test_do_a15_a_last_tile_stops_the_hand(last: str) -> None:
    """DO-A15: at once, a double too."""
    hands = [last, "3-2 1-1", "3-0 5-5", "6-3 6-6", "4-3 2-2"]
    over, verdict = play(state_from_text(hands, line="5-3", right=3, version="american", rounds=1), last)
    assert over.to_play is None
    assert over.sheet[0].how == "domino"
    assert "DO-A15" in verdict.rule_ids


def test_do_a16_nobody_can_play() -> None:
    """DO-A16: the round stops as soon as no hand has the open number, without a round of passes."""
    after, verdict = block_tie()
    assert after.sheet[0].how == "block"
    assert "DO-A16" in verdict.rule_ids  # type: ignore[attr-defined]
    state = state_from_text(["6-4 5-1", "2-2", "5-3", "6-3", "5-4"], line="6-6", right=6, version="american")
    assert not play(state, "6-4")[0].sheet  # seat 4 still can


def test_do_a17_a_double_lies_in_line() -> None:
    """DO-A17: it opens no side arms; its number stays open, and the chain reads on through it."""
    hands = ["3-3 5-1", "3-2 1-1", "3-0 5-5", "6-3 6-6", "4-3 2-2"]
    after, _ = play(state_from_text(hands, line="5-4 4-3", right=3, version="american"), "3-3")
    assert (after.left, after.right) == (-1, 3)
    assert line_halves(after.zones.cards(LAYOUT)) == ((5, 4), (4, 3), (3, 3))


def test_do_a18_a_double_lets_one_add_a_tile() -> None:
    """DO-A18, DO-0b: optional, on the same end, it must match; after the lead double too."""
    hands = ["3-3 3-1 5-2", "3-2 1-1", "3-0 5-5", "6-3 6-6", "4-3 2-2"]
    state, verdict = play(state_from_text(hands, line="5-3", right=3, version="american"), "3-3")
    assert "DO-A18" in verdict.rule_ids
    assert (state.to_play, state.phase) == (0, "second")
    assert offered_actions(state) == {"3-1", "pass"}
    assert refusal(state, "5-2") == "DO-A13"
    assert play(state, "pass")[0].to_play == 1
    after, _ = play(state, "3-1")
    assert (after.to_play, after.right) == (1, 1)
    lead = state_from_text(hands, phase="lead", version="american")
    led, _ = play(lead, "3-3")
    assert (led.to_play, led.phase) == (0, "second")


def test_do_a19_the_domino_takes_the_pool() -> None:
    """DO-A19: all of it, what was carried over too."""
    hands = ["3-1", "3-2 1-1", "3-0 5-5", "6-3 6-6", "4-3 2-2"]
    state = state_from_text(hands, line="5-3", right=3, version="american", stake=2, rounds=1)
    state.zones.purses[POOL] += 3  # type: ignore[index]
    over, verdict = play(state, "3-1")
    assert over.scores == (13 - 2, -2, -2, -2, -2)
    assert over.zones.purses[POOL] == 0
    assert "DO-A19" in verdict.rule_ids
    assert verdict.ruling.points[0] == 11


def test_do_a20_fewest_pips_take_a_blocked_pool() -> None:
    """DO-A20: 6-4 on a 6 blocks; four pips in two tiles beat five in one."""
    hands = ["6-4 1-0 2-1", "5-0", "5-3", "6-3", "5-5"]
    over, verdict = play(state_from_text(hands, line="6-6", right=6, version="american", rounds=1), "6-4")
    assert over.sheet[0].won == (0,)
    assert over.scores == (4, -1, -1, -1, -1)
    assert "DO-A20" in verdict.rule_ids
    assert rules.leaders(over) == (0,)


def test_do_b1_larger_hands_and_two_ends() -> None:
    """DO-B1: either end takes a tile; only tiles in hand."""
    state = state_from_text(FIVE, line="3-2", left=3, right=1)
    assert offered_actions(state) == {"3-1 left", "3-1 right"}
    assert refusal(state, "6-3 left") == "DO-B1"
    assert len(initial_state(4).zones[HANDS[0]]) == 7 > 3


@pytest.mark.parametrize(
    ("seats", "options", "size"),
    [*((seats, {}, 28 if seats < 7 else 55 if seats < 11 else 91) for seats in range(2, 19)), (4, {"set": 9}, 55),
     (8, {"set": 9}, 55)],
)  # fmt: skip
def test_do_b2_to_b7_as_many_as_can_be_shared(seats: int, options: dict[str, int], size: int) -> None:
    """DO-B2, DO-B3, DO-B4, DO-B5, DO-B6, DO-B7: up to six take a double-six set, up to ten double-nine, more
    double-twelve, or as agreed; equal hands, the remainder left over: of double-six five and three for five players, of
    double-nine six and seven for eight."""
    state = initial_state(seats, **options)
    assert len(state.zones.all_cards()) == size
    assert {len(state.zones[HANDS[seat]]) for seat in range(seats)} == {size // seats}
    assert len(state.zones[BONEYARD]) == size % seats


def test_do_b8_the_largest_double_in_hand_starts() -> None:
    """DO-B8: not one in the boneyard; with a set too small for that the table is refused."""
    for seed in range(30):
        state = initial_state(5, seed)
        held = tile_mask(tile for seat in range(5) for tile in state.zones.cards(HANDS[seat]) if tile.is_double)
        assert offered_actions(state) == {str(TILES[held.bit_length() - 1])}
    state = state_from_text(["6-6 6-5", "5-5 4-3", "4-4 3-2"], phase="lead")
    assert refusal(state, "6-5") == "DO-B8"
    assert refusal(state, "6-6 left") == "DO-B8"
    with pytest.raises(InvalidOption, match="set=6 leaves 8 tiles over for 10"):
        initial_state(10, set=6)


def test_do_b9_either_end_is_chosen() -> None:
    """DO-B9: both ends are open from the first tile; one that fits both must say which."""
    state = state_from_text(["6-6 6-4 2-1", "5-5 6-3", "4-4 3-2"], phase="lead")
    led, _ = play(state, "6-6")
    assert (led.left, led.right) == (6, 6)
    assert offered_actions(led) == {"6-4 left", "6-4 right", "pass"}
    assert refusal(led, "6-4") == "DO-B9"
    left, _ = play(led, "6-4 left")
    right, _ = play(led, "6-4 right")
    assert (left.left, left.right, right.left, right.right) == (4, 6, 6, 4)
    assert [str(tile) for tile in left.zones.cards(LAYOUT)] == ["6-4", "6-6"]
    assert [str(tile) for tile in right.zones.cards(LAYOUT)] == ["6-6", "6-4"]
    assert line_halves(left.zones.cards(LAYOUT)) == ((4, 6), (6, 6))


def test_do_b10_touching_halves_match() -> None:
    """DO-B10: a tile that fits nowhere, or not there, is refused; who cannot play passes."""
    state = state_from_text(FIVE, line="3-2", left=3, right=2)
    assert refusal(state, "3-1 right") == "DO-B10"
    assert refusal(state, "0-0") == "DO-B10"
    assert str(play(state, "3-1")[0].left) == "1"  # the only end it fits need not be named
    stuck = state_from_text(FIVE, line="6-5", left=6, right=5)
    assert offered_actions(stuck) == {"pass"}
    after, verdict = play(stuck, "pass")
    assert after.lacks[0] == (5, 6)
    assert verdict.rule_ids == ("DO-B10",)


def test_do_b11_a_second_tile_on_either_end() -> None:
    """DO-B11, DO-0b: after a double, the opening one too, one tile more at either end, or none; it is asked for even
    when none fits, so that nothing is given away."""
    hands = ["3-3 5-1 3-0", "5-2 4-3", "6-6 2-1"]
    state, verdict = play(state_from_text(hands, line="5-3", left=5, right=3), "3-3 right")
    assert "DO-B11" in verdict.rule_ids
    assert (state.to_play, state.phase) == (0, "second")
    assert offered_actions(state) == {"5-1 left", "3-0 right", "pass"}
    assert play(state, "pass")[0].to_play == 1
    after, _ = play(state, "5-1 left")
    assert (after.to_play, after.phase, after.left) == (1, "tile", 1)
    assert play(state_from_text(hands, phase="lead"), "3-3")[0].phase == "second"
    for other in ("5-1", "6-0"):
        state, verdict = play(
            state_from_text([f"3-3 {other}", "5-2 4-3", "6-6 2-1"], line="5-3", left=5, right=3), "3-3 right"
        )
        after, passed = play(state, "pass")
        assert (after.to_play, str(verdict), str(passed)) == (1, str(verdict), "Ann plays no second tile. [DO-B11]")


def test_do_b12_the_domino_wins() -> None:
    """DO-B12: one round won and no chips, unless a stake is agreed."""
    hands = ["3-1", "3-2 1-1", "3-0 5-5"]
    over, verdict = play(state_from_text(hands, line="5-3", left=5, right=3, rounds=1), "3-1 right")
    assert over.scores == (1, 0, 0)
    assert over.zones.purses[POOL] == 0
    assert "DO-B12" in verdict.rule_ids
    paid, _ = play(state_from_text(hands, line="5-3", left=5, right=3, rounds=1, british_stake=2), "3-1 right")
    assert paid.scores == (4, -2, -2)


@pytest.mark.parametrize(
    ("hands", "won"), [(["6-4 5-5", "3-0 2-1", "5-3"], (1,)), (["6-4 5-3", "6-5", "1-0 2-0 3-0"], (2,))]
)
def test_do_b13_c3_fewest_pips_win_when_blocked(hands: list[str], won: tuple[int, ...]) -> None:
    """DO-B13, DO-C3: both ends dead: the lowest hand wins; three light tiles beat one heavy one."""
    over, verdict = play(state_from_text(hands, line="6-4", left=4, right=6, rounds=1), "6-4 right")
    assert over.sheet[0].how == "block"
    assert over.sheet[0].won == won
    assert "DO-B13" in verdict.rule_ids


def test_do_c1_the_game_is_for_many() -> None:
    """DO-C1: up to eighteen find a seat."""
    check_seat_count(GAME, 18)
    assert initial_state(18).seats == 18
    with pytest.raises(InvalidOption, match="2 to 18 players, not 19"):
        check_seat_count(GAME, 19)


def test_do_c2_a_double_and_its_suit_mate_shed_two_tiles() -> None:
    """DO-C2: in one turn, before anybody else."""
    state = state_from_text(
        ["3-3 3-1", "3-2 1-1", "3-0 5-5", "6-3 6-6", "4-3 2-2"], line="5-3", right=3, version="american", rounds=1
    )
    state, _ = play(state, "3-3")
    over, _ = play(state, "3-1")
    assert over.sheet[0].how == "domino"
    assert over.sheet[0].won == (0,)
