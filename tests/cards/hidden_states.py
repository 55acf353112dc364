"""Other deals of what a seat may not see."""

from random import Random
from typing import Any

import msgspec

from flicksim.cards import with_cards
from flicksim.core.random_streams import RandomStreams


def redeal_hidden(state: Any, seat: int, rng: Random) -> Any:
    """The same state with everything hidden from a seat dealt otherwise, and another seed."""
    shut = [name for name, zone in state.zones.piles.items() if not zone.is_visible_to(seat)]
    pool = [card for name in shut for card in state.zones.cards(name)]
    rng.shuffle(pool)
    zones = state.zones
    for name in shut:
        size = len(zones[name])
        cards = tuple(sorted(pool[:size])) if name.startswith("hand") else tuple(pool[:size])
        zones, pool = zones.with_zone(name, with_cards(zones[name], cards)), pool[size:]
    return msgspec.structs.replace(state, zones=zones, seeds=RandomStreams(seed=rng.randrange(2**30)))
