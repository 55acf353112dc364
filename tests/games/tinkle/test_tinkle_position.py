"""Positions of Tinkle: written down and read back, refused in a sentence with its rule where they cannot be."""

from typing import Any

import msgspec
import pytest

from flicksim.core.errors import InvalidOption
from flicksim.core.serialization import from_json, to_json
from flicksim.games.tinkle import GAME, rules
from flicksim.games.tinkle import position as notation
from flicksim.games.tinkle.deck import JAR, STOCK, Options
from flicksim.games.tinkle.position import CardGroup, Position
from flicksim.games.tinkle.state import State
from flicksim.match import open_match
from tests.games.positions import check_problem
from tests.games.tinkle.tinkle_helpers import cards, initial_state, play

_HANDS = ("KS 2D", "3C 4C", "6C 7D")


def _position(*hands: str, groups: tuple[CardGroup, ...] = (), **fields: Any) -> Position:
    return Position(
        title="x", hands=tuple(map(cards, hands or _HANDS)), groups=groups, discards=cards("9C 10D"), **fields
    )


def _group(owner: int, text: str, **fields: Any) -> CardGroup:
    return CardGroup(owner=owner, cards=cards(text), **fields)


def _without_hidden(state: State) -> State:
    """State without what a position does not hold: order of the stock, seed, past turns and rounds."""
    stock = state.zones[STOCK]
    zones = state.zones.with_zone(STOCK, msgspec.structs.replace(stock, cards=tuple(sorted(stock.cards))))
    groups = tuple(
        msgspec.structs.replace(group, puts=tuple(
            put if put.turn == state.turn else msgspec.structs.replace(put, turn=0) for put in group.puts
        ))
        for group in state.groups
    )  # fmt: skip
    return msgspec.structs.replace(state, zones=zones, groups=groups, shuffles=0, seeds=None, sheet=())


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (3, Options()),
        (4, Options(contract_size="exactly", layoff_scope="per_turn")),
        (5, Options(packs=2, tokens_per="round")),
    ],
)
def test_decisions_of_a_game_can_be_written_down(seats: int, options: Options) -> None:
    """TK-3d, TK-9d, TK-13d: tokens, cards of this turn and packs brought in are there too."""
    match, phases = open_match(GAME, options, ["random"] * seats, 4), set()
    for turn in match.run():
        if turn.number > 300:
            break
        phases.add((turn.before.phase, bool(turn.before.groups)))
        if turn.number % 5:
            continue
        position = notation.from_state(turn.before, "x")
        again, reasons = notation.start_state(from_json(to_json(position), Position))
        assert not reasons
        assert _without_hidden(again) == _without_hidden(turn.before)
        assert notation.from_state(again, "x") == position
    assert phases >= {("draw", False), ("play", False), ("play", True)}


def test_what_follows_from_the_cards_is_not_written() -> None:
    """TK-3b, TK-3d, TK-5b: the stock, the jar and who has melded the contract."""
    state = notation.to_state(_position(groups=(_group(1, "QC QH QD"),), tokens=(9, 10, 7)))
    assert state.zones.purses[JAR] == 4
    assert state.opened == (False, True, False)
    assert len(state.zones[STOCK]) == 108 - 11


def test_cards_of_this_turn_may_be_taken_back() -> None:
    """TK-9d, TK-9f."""
    groups = (_group(0, "KC KH KD 2H", new=1), _group(2, "QC QH QD QS", by=(2, 2, 2, 0), new=1))
    state = notation.to_state(_position(groups=groups, phase="play"))
    assert {str(action) for action in rules.legal_actions(state).actions if "take" in str(action)} == {
        "take 2H from 1", "take QS from 2"
    }  # fmt: skip


def test_the_seed_gives_the_stock() -> None:
    """TK-13a: the same draws for everybody who has the position."""
    first, again, other = (notation.to_state(_position(seed=seed)).zones.cards(STOCK) for seed in (5, 5, 6))
    assert first == again
    assert first != other
    assert sorted(first) == sorted(other)


def test_hidden_hands_are_not_written_down() -> None:
    """TK-1b."""
    with pytest.raises(InvalidOption, match="hands are hidden"):
        notation.from_state(rules.view(initial_state(3), 0), "x")


REFUSED: list[tuple[Position, str | None]] = [
    (_position("KS", "3C"), r"there are 2 hands; .* \(TK-3a\)"),
    (_position("3C", "4C", "5C", "6C", options=Options(max_players=3)), r"max_players=3 .* \(TK-3a\)"),
    (_position(to_play=3), "to_play is seat 3; with 3 hands seats are 0 to 2"),
    (_position(groups=(_group(4, "QC QH QD"),)), "the owner of group 1 is seat 4"),
    (_position(groups=(_group(1, "QC QH QD", by=(1, 1, 5)),)), "'by' of group 1 is seat 5"),
    (_position(dealer=3), "dealer is seat 3; with 3 hands seats are 0 to 2"),
    (_position(known=(cards("KS"), ())), "known are of 2 seats; there are 3 hands"),
    (_position("3C", "4C", "5C", "6C", "7C", options=Options(packs=1)), r"packs=1 gives .* \(TK-3c\)"),
    (_position(tokens=(10, 10)), "tokens are of 2 seats; there are 3 hands"),
    (_position(tokens=(10, 11, 10)), r"the tokens come to 31; .* \(TK-3d\)"),
    (_position(turn=301), r"turn 301 is after 100 turns each.* \(TK-12a\)"),
    (_position("KS KS KS", "3C", "4C"), r"KS is in 3 places; of 2 in the game \(TK-3b\)"),
    (_position("KS", "", "4C"), r"Bob has no card left: the round is over \(TK-14a\)"),
    (_position(known=(cards("KS"), cards("KS"), ())), r"Bob is known to hold KS, and does not \(TK-8d\)"),
    (_position(groups=(_group(1, "QC KH QD"),)), r"group 1 \(QC KH QD\) has more than one rank; .* \(TK-2a\)"),
    (_position(groups=(_group(1, "QC QH QD", by=(1, 1)),)), "'by' names a seat for each card"),
    (_position(groups=(_group(1, "QC QH QD", by=(0, 1, 1)),)), r"belongs to whoever .* \(TK-9b\)"),
    (_position(groups=(_group(0, "QC QH QD", new=3),)), r"put down after the draw \(TK-8b\)"),
    (_position(groups=(_group(1, "QC QH QD", new=3),), phase="play"), r"not Ann's \(TK-2b\)"),
    (_position(groups=(_group(1, "QC QH"),)), r"at least 3 cards \(TK-9b\)"),
    (_position(groups=(_group(1, "QC QH 2C 2H"),)), r"more natural cards than wild ones \(TK-7b\)"),
    (
        _position(groups=(_group(1, "QC QH QD 2C", by=(1, 1, 1, 0)), _group(0, "KC KH KD"))),
        r"Ann laid off at least as many wild cards as natural ones \(TK-7c\)",
    ),
    (_position(groups=(_group(1, "QC QH QD"),), round=3), r"contract of round 3, a group of 4 \(TK-6c\)"),
    (
        _position(groups=(_group(1, "QC QH QD QS", by=(1, 1, 1, 2)),)),
        r"Cy has laid cards off and melded no contract \(TK-10b\)",
    ),
    (_position("", "3C", "4C", groups=(_group(0, "KC KH KD", new=3),), phase="play"), r"the round is over \(TK-5d\)"),
    (_position("", "3C", "4C", groups=(_group(0, "KC KH", new=2),), phase="play"), None),
    (_position(groups=(_group(1, "QC QH QD", number=2), _group(1, "JC JH JD"))), "the same number"),
]
"""Positions and the message of their problem; None: they have none."""


@pytest.mark.parametrize(("position", "message"), REFUSED)
def test_impossible_positions_are_refused_with_the_rule(position: Position, message: str | None) -> None:
    check_problem(notation, position, message)


def test_a_game_goes_on_from_the_shipped_position() -> None:
    """TK-5c, TK-5e: the king held back goes out with the next card that fits."""
    (name,) = notation.builtin_names()
    state = notation.to_state(notation.load_builtin(name))
    after, verdict = play(state, "discard 5D")
    assert after.to_play == 1
    assert "TK-11b" in [reason.rule for reason in verdict.reasons]
