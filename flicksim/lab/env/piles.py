"""Cards and tiles as numbers: how many of each lie in every pile, as far as the view shows them; and tokens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from math import inf
from typing import get_args

from flicksim.base.kinds import Plain, View
from flicksim.cards import Meld, Zone, Zones
from flicksim.lab.env.parts import Number, Part, endless, faces, whose
from flicksim.referee import Game

GROUPS = 24
"""Groups on the table that can be told of."""


def piles(path: str, get: Callable[[View], Plain], opening: Zones[Plain], seats: int, game: Game) -> Part:
    """Every pile there is at the opening, the groups that come to the table later, and every purse.

    Of one's own hand and of open piles: how many cards there are, how many of each, which lies on top. Of others: how
    many there are. Piles and purses of seats begin with one's own.
    """
    known = faces(type(next(iter(opening.every()))))
    owned = sorted({name.partition(":")[0] for name, zone in opening.piles.items() if zone.owner is not None})
    common = [name for name, zone in opening.piles.items() if zone.owner is None]
    groups = GROUPS if Meld in get_args(game.action) else 0
    purses = sorted({re.sub(r":\d+$", "", name) for name in opening.purses})

    pack = Counter(card.index for card in opening.every())
    whole, most = float(pack.total()), float(max(pack.values()))
    bound = inf if groups else whole  # where groups come to the table, new packs may come too

    def how_many(name: str) -> Number:
        return Number(name=f"{path} {name}: cards", high=bound, most=whole)

    def which(name: str) -> list[Number]:
        return [Number(name=f"{path} {name}: {face}", high=most if bound < inf else inf, most=most) for face in known]

    numbers: list[Number] = []
    for name in owned:
        for k in range(seats):
            of = f"{name} of {whose(k, seats)}"
            numbers += [how_many(of), *(which(of) if not k else ())]
    for name in common:
        numbers.append(how_many(name))
        if opening[name].sees == "all":
            numbers += [*which(name), *(Number(name=f"{path} {name}, on top: {face}") for face in known)]
    numbers += [one for k in range(1, groups + 1) for one in which(f"group {k}")]
    for name in purses:
        held = [name] if name in opening.purses else [f"{name} of {whose(k, seats)}" for k in range(seats)]
        numbers += map(endless, held)

    def write(view: View, seat: int) -> list[float]:
        zones: Zones[Plain] = get(view)
        found: list[float] = []
        for name in owned:
            for k in range(seats):
                pile = zones.piles[f"{name}:{(seat + k) % seats}"]
                found.append(float(len(pile)))
                found += _counted(pile, len(known)) if not k else ()
        for name in common:
            pile = zones.piles[name]
            found.append(float(len(pile)))
            if pile.sees == "all":
                found += _counted(pile, len(known))
                found += _counted(Zone(cards=pile.cards[-1:]), len(known))
        for k in range(1, groups + 1):
            found += _counted(zones.piles.get(f"group:{k}", Zone()), len(known))
        for name in purses:
            one = name in opening.purses
            found += [
                float(zones.purses[name if one else f"{name}:{(seat + k) % seats}"]) for k in range(1 if one else seats)
            ]
        return found

    return Part(tuple(numbers), write)


def _counted(pile: Zone[Plain], kinds: int) -> list[float]:
    found = [0.0] * kinds
    for card in pile.cards:
        found[card.index] += 1.0
    return found
