"""Positions written down and played by notation, for tests of Tinkle."""

from typing import Any

import msgspec
import pytest

from flicksim.cards import Card, Dealer, Zone, Zones, parse_move
from flicksim.core.errors import IllegalAction
from flicksim.core.random_streams import RandomStreams
from flicksim.games.tinkle import rules
from flicksim.games.tinkle.actions import Action
from flicksim.games.tinkle.deck import DISCARD, HANDS, JAR, STOCK, TOKENS, Options
from flicksim.games.tinkle.melds import Group, PlacedCard, group_zone
from flicksim.games.tinkle.state import State
from flicksim.referee import Verdict

OTHERS = ["6C 7D 9H", "6D 7H JC"]


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in text.split())


def initial_state(seats: int = 3, seed: int = 1, **options: Any) -> State:
    return rules.initial_state(Options(**options), seats, RandomStreams(seed=seed))


def state_from_text(
    hand: str, *others: str, round_: int = 1, groups: tuple[tuple[int, str], ...] = (), opened: tuple[int, ...] = (),
    phase: str = "play", stock: str = "3C 4C 5C 8C", discard: str = "9C 10D", tokens: int = 10, seat: int = 0,
    dealer: int = 2, cut: int = 1, **options: Any,
) -> State:  # fmt: skip
    """Seat 0 (or another) to act in turn 9 of a round: its hand, others' hands, groups of earlier turns by owner."""
    hands = [hand, *(others or OTHERS)]
    seats = len(hands)
    base = initial_state(seats, **options)
    piles: dict[str, Zone[Card]] = {
        HANDS[(seat + at) % seats]: Zone(owner=(seat + at) % seats, sees="owner", cards=tuple(sorted(cards(text))))
        for at, text in enumerate(hands)
    }
    piles[STOCK] = Zone(sees="nobody", cards=cards(stock))
    piles[DISCARD] = Zone(cards=cards(discard))
    there = []
    for number, (owner, text) in enumerate(groups, 1):
        piles[group_zone(number)] = Zone(cards=cards(text))
        puts = tuple(PlacedCard(card=card, by=owner, turn=owner + 1) for card in cards(text))
        there.append(Group(number=number, owner=owner, puts=puts))
    purses = {TOKENS[at]: tokens for at in range(seats)} | {JAR: 0}
    return msgspec.structs.replace(
        base, round=round_, dealer=dealer, to_play=seat, phase=phase, turn=9, groups=tuple(there),
        zones=Zones(piles=piles, purses=purses), opened=tuple(at in opened for at in range(seats)), cut=cut,
    )  # fmt: skip


def play(state: State, *texts: str) -> tuple[State, Verdict]:
    """Moves by their notation, through the whole path; the last verdict."""
    verdict: Verdict | None = None
    for text in texts:
        action = parse_move(text, Action)
        rules.check_action(state, action)
        staged = rules.simulation_setup(state, action)
        result = None if staged is None else Dealer().simulate(*staged)
        verdict = rules.judge(state, action, result)
        state = rules.next_state(state, result, verdict)
    assert verdict is not None
    return state, verdict


def refusal(state: State, text: str) -> str:
    """The row by which a move is refused."""
    action = parse_move(text, Action)
    with pytest.raises(IllegalAction) as caught:
        rules.check_action(state, action)
    assert action not in rules.legal_actions(state).actions
    return caught.value.rule


def offered_actions(state: State) -> set[str]:
    return {str(action) for action in rules.legal_actions(state).actions}


def hand(state: State, seat: int = 0) -> str:
    return " ".join(map(str, state.zones.cards(HANDS[seat])))
