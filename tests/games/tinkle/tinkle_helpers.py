"""Positions written down and played by notation, for tests of Tinkle."""

from typing import Any

import msgspec

from flicksim.cards import Card, Zone, Zones
from flicksim.games.tinkle import GAME
from flicksim.games.tinkle.deck import DISCARD, HANDS, JAR, STOCK, TOKENS
from flicksim.games.tinkle.melds import Group, PlacedCard, group_zone
from flicksim.games.tinkle.state import State
from tests.games.card_table import CardTable

OTHERS = ["6C 7D 9H", "6D 7H JC"]

_table = CardTable(GAME)
initial_state, play, refusal = _table.initial_state, _table.play, _table.refusal
offered_actions, hand = _table.offered_actions, _table.hand


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in text.split())


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
