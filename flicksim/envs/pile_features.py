"""Features of cards, tiles and tokens: counts pile by pile, as far as the view shows them."""

import re
from collections import Counter
from collections.abc import Callable
from math import inf
from typing import get_args

from flicksim.cards import Meld, Zone, Zones
from flicksim.core.type_aliases import JsonValue, View
from flicksim.envs.features import Feature, FeatureGroup, card_faces, relative_seat_name, unbounded_feature
from flicksim.referee import Game

MAX_GROUPS = 24
"""Features for groups on the table; further groups are not observed."""


def pile_features(
    path: str, get: Callable[[View], JsonValue], opening: Zones[JsonValue], seats: int, game: Game
) -> FeatureGroup:
    """Features of every pile at the opening, of the groups that come to the table later, and of every purse.

    Of the own hand and of open piles: number of cards, number of each, and the top card. Of others: number of cards.
    Piles and purses of seats begin with the observer's.
    """
    known = card_faces(type(next(iter(opening.all_cards()))))
    owned = sorted({name.partition(":")[0] for name, zone in opening.piles.items() if zone.owner is not None})
    common = [name for name, zone in opening.piles.items() if zone.owner is None]
    groups = MAX_GROUPS if Meld in get_args(game.action) else 0
    purses = sorted({re.sub(r":\d+$", "", name) for name in opening.purses})

    counts = Counter(card.index for card in opening.all_cards())
    deck_size, most_copies = float(counts.total()), float(max(counts.values()))
    bound = inf if groups else deck_size  # where groups come to the table, new packs may come too

    def how_many(name: str) -> Feature:
        return Feature(name=f"{path} {name}: cards", high=bound, half_range=deck_size)

    def which(name: str) -> list[Feature]:
        return [
            Feature(name=f"{path} {name}: {face}", high=most_copies if bound < inf else inf, half_range=most_copies)
            for face in known
        ]

    numbers: list[Feature] = []
    for name in owned:
        for k in range(seats):
            of = f"{name} of {relative_seat_name(k, seats)}"
            numbers += [how_many(of), *(which(of) if not k else ())]
    for name in common:
        numbers.append(how_many(name))
        if opening[name].sees == "all":
            numbers += [*which(name), *(Feature(name=f"{path} {name}, on top: {face}") for face in known)]
    numbers += [one for k in range(1, groups + 1) for one in which(f"group {k}")]
    for name in purses:
        held = [name] if name in opening.purses else [f"{name} of {relative_seat_name(k, seats)}" for k in range(seats)]
        numbers += map(unbounded_feature, held)

    def write(view: View, seat: int) -> list[float]:
        zones: Zones[JsonValue] = get(view)
        features: list[float] = []
        for name in owned:
            for k in range(seats):
                pile = zones.piles[f"{name}:{(seat + k) % seats}"]
                features.append(float(len(pile)))
                features += _count_cards(pile, len(known)) if not k else ()
        for name in common:
            pile = zones.piles[name]
            features.append(float(len(pile)))
            if pile.sees == "all":
                features += _count_cards(pile, len(known))
                features += _count_cards(Zone(cards=pile.cards[-1:]), len(known))
        for k in range(1, groups + 1):
            features += _count_cards(zones.piles.get(f"group:{k}", Zone()), len(known))
        for name in purses:
            is_shared = name in opening.purses
            features += [
                float(zones.purses[name if is_shared else f"{name}:{(seat + k) % seats}"])
                for k in range(1 if is_shared else seats)
            ]
        return features

    return FeatureGroup(tuple(numbers), write)


def _count_cards(pile: Zone[JsonValue], kinds: int) -> list[float]:
    counts = [0.0] * kinds
    for card in pile.cards:
        counts[card.index] += 1.0
    return counts
