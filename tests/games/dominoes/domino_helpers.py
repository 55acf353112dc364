"""Positions written down and played by notation, for tests of Tiddly-Wink dominoes."""

from typing import Any

import msgspec

from flicksim.cards import Tile, Zone, Zones
from flicksim.games.dominoes import GAME
from flicksim.games.dominoes.deck import BONEYARD, HANDS, LAYOUT, Options
from flicksim.games.dominoes.state import State
from tests.games.card_table import CardTable

AMERICAN = Options(version="american")

_table = CardTable(GAME)
initial_state, play, refusal = _table.initial_state, _table.play, _table.refusal
offered_actions, hand = _table.offered_actions, _table.hand


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(Tile.parse(word) for word in text.split())


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
