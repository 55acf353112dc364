"""What is worth a thought in tiddlywinks, and how good a position is: enough for a search to play legally and with aim.

Shots are aimed by the vacuum parabola with a little added for the air; the search tries them in the physics.
"""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sqrt, tan
from typing import Any

import numpy as np

from flicksim.base.geometry import Point
from flicksim.base.units import GRAVITY, degrees, mm
from flicksim.games.tiddlywinks import allowed, scoring
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State
from flicksim.table.flick import MAX_SPEED, Squidge

_AIR = 0.09
"""Speed lost to the air per metre of way, as a share: 8 to 10 % over 3 ft for a tumbling wink."""


def candidates(state: State, rng: np.random.Generator, count: int) -> list[Any]:
    """Up to `count` actions worth a thought, the most natural first; later ones are varied at random."""
    choices = allowed.choices(state)
    if not choices.flicks:
        return list(choices.actions)[:count]
    seat = state.book.to_play
    assert seat is not None
    squops = Squops(state.scene, state.book)
    winks = [span.piece for span in choices.flicks]
    targets = [
        piece.at
        for piece in state.scene.pieces
        if state.book.in_play(piece.id) and kit.pair_of(kit.seat_of(piece.id)) != kit.pair_of(seat)
        if not squops.squopped(piece.id)
    ]
    found = [shot(state, wink, (0.0, 0.0), kit.POT_HEIGHT, degrees(55.0)) for wink in winks]
    for wink in winks:
        at = state.scene.piece(wink).at
        near = sorted(targets, key=lambda to: hypot(to[0] - at[0], to[1] - at[1]))
        found += [shot(state, wink, to, 0.0, degrees(60.0)) for to in near[:2]]
    base, tried = list(found), found[:count]
    while len(tried) < count:
        meant = base[int(rng.integers(len(base)))]
        spread = rng.normal(0.0, (0.05, 0.03, 0.1))
        tried.append(
            Squidge(
                piece=meant.piece,
                speed=float(min(MAX_SPEED, meant.speed * (1.0 + spread[0]))),
                azimuth=meant.azimuth + float(spread[1]),
                elevation=float(min(pi / 2.2, max(0.1, meant.elevation + spread[2]))),
                squidger=meant.squidger,
                start=meant.start,
            )
        )
    return tried


def shot(state: State, wink: str, to: Point, height: float, elevation: float) -> Squidge:
    """A shot whose wink would come down at a place and height, by the parabola."""
    start = None
    at = state.scene.piece(wink).at
    if wink in state.book.behind:
        start = at = kit.start_spot(state.options, kit.seat_of(wink), kit.kind_of(wink))
    way = max(hypot(to[0] - at[0], to[1] - at[1]), mm(5.0))
    # steep enough to come down past the rim from above
    while way * tan(elevation) - height < 0.3 * way and elevation < degrees(85.0):
        elevation += degrees(5.0)
    fall = 2.0 * cos(elevation) ** 2 * (way * tan(elevation) - height)
    speed = sqrt(GRAVITY * way * way / fall) * (1.0 + _AIR * way)
    return Squidge(
        piece=wink,
        speed=min(speed, MAX_SPEED),
        azimuth=atan2(to[1] - at[1], to[0] - at[0]),
        elevation=elevation,
        squidger=mm(state.options.squidger_diameter_mm),
        start=start,
    )


def value(state: State, seat: int) -> float:
    """Points the pair is ahead by, the present position counted for what an adjudication would give."""
    pair = kit.pair_of(seat)
    if state.book.to_play is None:
        final = scoring.pair_points(state.book.points)
        return float(final[pair] - final[1 - pair])
    if state.book.opener is None:
        return 0.0
    now = scoring.pair_points(scoring.standing(state.options, state.scene, state.book))
    totals = scoring.time_limit_points(state.options, state.scene, state.book)
    ahead = sum(total * (1 if kit.pair_of(other) == pair else -1) for other, total in enumerate(totals))
    return 0.5 * float(now[pair] - now[1 - pair]) + 0.3 * ahead
