"""Cards and tiles as numbers: how many of each lie in every pile, as far as the view shows them; and tokens."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, get_args

from flicksim.cards import Meld, Zone, Zones
from flicksim.lab.env.parts import Part, faces, whose
from flicksim.referee import Game

GROUPS = 24
"""Groups on the table that can be told of."""


def piles(path: str, get: Callable[[Any], Any], opening: Zones[Any], seats: int, game: Game) -> Part:
    """Every pile there is at the opening, the groups that come to the table later, and every purse.

    Of one's own hand and of open piles: how many cards there are, how many of each, which lies on top. Of others: how
    many there are. Piles and purses of seats begin with one's own.
    """
    known = faces(type(next(iter(opening.every()))))
    owned = sorted({name.partition(":")[0] for name, zone in opening.piles.items() if zone.owner is not None})
    common = [name for name, zone in opening.piles.items() if zone.owner is None]
    groups = GROUPS if Meld in get_args(game.action) else 0
    purses = sorted({re.sub(r":\d+$", "", name) for name in opening.purses})

    names: list[str] = []
    for name in owned:
        for k in range(seats):
            names.append(f"{path} {name} of {whose(k, seats)}: cards")
            names += [f"{path} {name} of {whose(k, seats)}: {face}" for face in (known if not k else ())]
    for name in common:
        names.append(f"{path} {name}: cards")
        if opening[name].sees == "all":
            names += [f"{path} {name}: {face}" for face in known] + [f"{path} {name}, on top: {face}" for face in known]
    names += [f"{path} group {k}: {face}" for k in range(1, groups + 1) for face in known]
    for name in purses:
        names += [name] if name in opening.purses else [f"{name} of {whose(k, seats)}" for k in range(seats)]

    def write(view: Any, seat: int) -> list[float]:
        zones: Zones[Any] = get(view)
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

    return Part(tuple(names), write)


def _counted(pile: Zone[Any], kinds: int) -> list[float]:
    found = [0.0] * kinds
    for card in pile.cards:
        found[card.index] += 1.0
    return found
