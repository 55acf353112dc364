"""Positions written down and played by notation, for tests of Tiddly-Wink dominoes."""

from typing import Any

import msgspec
import pytest

from flicksim.cards import Dealer, Tile, Zone, Zones, parse_move
from flicksim.core.errors import IllegalAction
from flicksim.core.random_streams import RandomStreams
from flicksim.games.dominoes import rules
from flicksim.games.dominoes.deck import BONEYARD, HANDS, LAYOUT, Options
from flicksim.games.dominoes.state import State
from flicksim.referee import Verdict

AMERICAN = Options(version="american")
BRITISH = Options()


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(Tile.parse(word) for word in text.split())


def initial_state(seats: int, seed: int = 1, **options: Any) -> State:
    return rules.initial_state(Options(**options), seats, RandomStreams(seed=seed))


def state_from_text(
    hands: list[str], *, line: str = "", left: int = -1, right: int = -1, phase: str = "tile", seat: int = 0,
    boneyard: str = "", **options: Any,
) -> State:  # fmt: skip
    """A round under way: hands as "6-4 3-2", the open ends, whose turn it is."""
    state = initial_state(len(hands), **options)
    piles: dict[str, Zone[Tile]] = {
        HANDS[at]: Zone(owner=at, sees="owner", cards=tuple(sorted(tiles(hand)))) for at, hand in enumerate(hands)
    }
    piles[BONEYARD] = Zone(sees="nobody", cards=tiles(boneyard))
    piles[LAYOUT] = Zone(cards=tiles(line))
    return msgspec.structs.replace(
        state, zones=Zones(piles=piles, purses=state.zones.purses), left=left, right=right, phase=phase, to_play=seat
    )


def play(state: State, text: str) -> tuple[State, Verdict]:
    """One move by its notation, through the whole path."""
    action = parse_move(text, rules.Action)
    rules.check_action(state, action)
    staged = rules.simulation_setup(state, action)
    result = None if staged is None else Dealer().simulate(*staged)
    verdict = rules.judge(state, action, result)
    return rules.next_state(state, result, verdict), verdict


def refusal(state: State, text: str) -> IllegalAction:
    """The refusal of a move; the state must offer no such move."""
    action = parse_move(text, rules.Action)
    with pytest.raises(IllegalAction) as caught:
        rules.check_action(state, action)
    assert action not in rules.legal_actions(state).actions
    return caught.value


def offered_actions(state: State) -> set[str]:
    return {str(action) for action in rules.legal_actions(state).actions}


def hand(state: State, seat: int) -> str:
    return " ".join(map(str, state.zones.cards(HANDS[seat])))
