"""The actions worth a thought in Penny White, and how good a table is. A search does the rest.

Candidates are what players call a draw (roll up to the white), a guard (stop in front of it), a promotion (push one's
own penny on) and a take-out (drive an opponent's away). The search tries them in the physics; nothing here does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import atan2, cos, exp, hypot, pi, sin, tanh

import msgspec
import numpy as np

from flicksim.base.geometry import Point
from flicksim.base.units import GRAVITY, degrees, mm
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white import rules
from flicksim.games.penny_white.allowed import choices, default_start, free_start, in_hand, removable
from flicksim.games.penny_white.equipment import WHITE
from flicksim.games.penny_white.outlook import play_out
from flicksim.games.penny_white.state import SEATS, Action, Blocked, PlaceWhite, Remove, State
from flicksim.players import Depth
from flicksim.referee import reading
from flicksim.table import MAX_SPEED, PAIRINGS, Flick, sliding

__all__ = ["DEPTHS", "PLAIN", "SHOTS", "THOUGHTS", "candidates", "gone", "last", "plainer", "play_out", "value"]

THOUGHTS: Mapping[str, tuple[int, int, int]] = {"beginner": (3, 1, 1)}
"""A beginner tries three things once, as meant, and goes by how the table looks then."""
DEPTHS: Mapping[str, Depth] = {
    "club": Depth(shots=1000, plans=12, wider=2, learnt=False),
    "expert": Depth(shots=4000, plans=24, wider=4, learnt=False),
    "world": Depth(shots=16_000, plans=40, wider=8),
}
"""Depth of thought of the other grades: world class alone knows what ends come to, others play them out."""
PLAIN: Mapping[str, Depth] = {
    "club": Depth(shots=400, plans=10, wider=2, learnt=False),
    "expert": Depth(shots=800, plans=16, wider=2, learnt=False),
    "world": Depth(shots=1400, plans=20, wider=4),
}
"""The same where nothing is compiled: a shot takes twenty times as long."""
_PUSHES = 0.1
"""Share of the varied flicks that push the white."""
SHOTS = 20_000
"""Shots settled for a position, where nobody says how many: half a second's."""


def candidates(state: State, rng: np.random.Generator, count: int) -> list[Action]:
    """Up to `count` actions worth a thought, the most natural first; later ones are varied at random."""
    if state.phase == "remove":
        seat = state.flicker
        near = sorted(removable(state), key=lambda name: _nearness(state, name))
        return [
            *(Remove(penny=name) for name in near if name.startswith(SEATS[seat].lower())),
            Remove(penny=None),
        ]
    if state.phase == "white":
        offered = choices(state)
        if offered.actions:
            if not isinstance(offered.actions[0], PlaceWhite):
                return list(offered.actions)
            spots = kit.white_spots(state.options)
            return [PlaceWhite(y=y) for y in (spots[len(spots) // 2], spots[0], spots[-1])]
        x0, _ = start = default_start(state)
        return [_roll(state, WHITE, start, (x0, mm(y))) for y in (575, 540, 610, 510, 650, 500, 690)[:count]]
    if free_start(state) is None:
        return [Blocked()]
    found: list[Action] = []
    for shot in _shots(state, rng):
        if len(found) >= count:
            break
        found.append(shot)
    return found


def _nearness(state: State, name: str) -> float:
    return reading.gap(state.scene, name, WHITE) if state.scene.has(name) else float("inf")


def _shots(state: State, rng: np.random.Generator) -> Iterator[Flick]:
    name = in_hand(state)
    assert name is not None
    white = state.scene.piece(WHITE)
    size = kit.radius(state.options)
    seat = state.to_play
    starts = _starts(state)
    middle = starts[0]
    touching = 2.0 * size + mm(1.0)
    around = [white.at]
    around += [
        (white.x + touching * cos(a), white.y + touching * sin(a)) for a in (-pi / 2, -pi, 0.0, -0.75 * pi, -0.25 * pi)
    ]
    near = sorted((p for p in state.scene.pieces if p.owner is not None), key=lambda p: _nearness(state, p.id))
    yield _roll(state, name, middle, around[1])
    for p in near[:2]:
        if p.owner != seat:
            yield _drive(state, name, middle, p.at, past=mm(180.0))
    for target in around[2:4]:
        yield _roll(state, name, middle, target)
    for p in near[:4]:
        for start in starts[:3]:
            past = mm(180.0) if p.owner != seat else hypot(p.x - white.x, p.y - white.y)
            yield _drive(state, name, start, p.at, past=past)
    yield _roll(state, name, middle, (white.x, white.y - mm(70.0)))
    for start in starts[1:]:
        for target in around[:4]:
            yield _roll(state, name, start, target)
    while True:
        start = starts[int(rng.integers(len(starts)))]
        kind = rng.random()
        if kind < _PUSHES:  # the white itself, to where one's own lie
            aim = (white.x + float(rng.normal(0.0, 0.6 * size)), white.y)
            yield _drive(state, name, start, aim, past=float(rng.uniform(mm(20.0), mm(200.0))))
        elif near and kind < 0.5:
            p = near[int(rng.integers(min(4, len(near))))]
            aim = (p.x + float(rng.normal(0.0, 0.6 * size)), p.y)
            yield _drive(state, name, start, aim, past=float(rng.uniform(mm(20.0), mm(300.0))))
        else:
            angle, far = float(rng.uniform(-pi, 0.2)), float(abs(rng.normal(touching, mm(15.0))))
            yield _roll(state, name, start, (white.x + far * cos(angle), white.y + far * sin(angle)))


def _starts(state: State) -> list[Point]:
    """Free spots behind the 5 cm line: the middle, then to the sides [m]."""
    across = kit.width(state.options)
    x0, y0 = default_start(state)
    need = 2.0 * kit.radius(state.options)
    spots = [(x0, y0)]
    for share in (0.3, 0.7, 0.15, 0.85):
        spot = (round(across * share, 6), y0)
        free = all(hypot(spot[0] - p.x, spot[1] - p.y) >= need for p in state.scene.pieces)
        if free and kit.may_start(state.options, spot):
            spots.append(spot)
    return spots


def gone(state: State) -> float:
    """The share of the game that is over, 0 to 1."""
    options = state.options
    return min(1.0, (state.end - sum(state.left) / (2.0 * options.pennies)) / options.ends)


def last(state: State) -> bool:
    """True where the flick due ends the game, so that what it leads to is counted."""
    options = state.options
    final = state.end == options.ends and options.game_tie == "draw"
    return final and state.phase == "penny" and sum(state.left) == 1


def plainer(state: State, action: Action) -> Flick | None:
    """The flick to the same place from a spot wholly on the board, where this one starts over an edge; None where it
    does not, or no such spot is free."""
    if not isinstance(action, Flick) or action.start is None:
        return None
    (x, y), size, middle = action.start, kit.radius(state.options), kit.start_spot(state.options)
    start = (min(max(x, size), 2.0 * middle[0] - size), max(y, min(size, middle[1])))
    if start == action.start or any(hypot(start[0] - p.x, start[1] - p.y) < 2.0 * size for p in state.scene.pieces):
        return None
    way = action.speed**2 / (2.0 * _pull(state))
    to = (x + way * cos(action.azimuth), y + way * sin(action.azimuth))
    return msgspec.structs.replace(_roll(state, action.piece, start, to), offset=action.offset)


def _pull(state: State) -> float:
    """Deceleration of a sliding coin on this board [m/s^2]."""
    metal = kit.COINS[state.options.coin].material
    return PAIRINGS.of(metal, state.options.board).friction * GRAVITY


def _roll(state: State, name: str, start: Point, to: Point) -> Flick:
    """A flick that comes to rest at a point if nothing is in its way."""
    return _aimed(state, name, start, to, hypot(to[0] - start[0], to[1] - start[1]))


def _drive(state: State, name: str, start: Point, to: Point, past: float) -> Flick:
    """A flick at a point with way to spare [m]."""
    return _aimed(state, name, start, to, hypot(to[0] - start[0], to[1] - start[1]) + past)


def _aimed(state: State, name: str, start: Point, to: Point, way: float) -> Flick:
    azimuth = min(max(atan2(to[1] - start[1], to[0] - start[0]), degrees(5.0)), degrees(175.0))
    speed = min(sliding(max(way, 1e-3), _pull(state)), MAX_SPEED)
    return Flick(piece=name, speed=speed, azimuth=azimuth, start=start)


def value(state: State, seat: int) -> float:
    """Points ahead of the other seat, the present table counted for what it promises."""
    ahead = float(state.scores[seat] - state.scores[1 - seat])
    if state.phase not in ("penny", "remove") or not state.scene.has(WHITE):
        return ahead
    points, _ = rules.count(state.scene, state.options)
    gaps: list[list[float]] = [[], []]
    for piece in state.scene.pieces:
        if piece.owner is not None:
            gaps[piece.owner].append(reading.gap(state.scene, piece.id, WHITE))
    mine, theirs = (min(gaps[who], default=mm(500.0)) for who in (seat, 1 - seat))
    # what lies now is worth less the more the other side may still do about it
    holds = 0.75 ** state.left[1 - seat]
    presence = sum(exp(-gap / mm(60.0)) for gap in gaps[seat]) - sum(exp(-gap / mm(60.0)) for gap in gaps[1 - seat])
    chance = tanh((theirs - mine) / mm(40.0))
    return ahead + holds * (points[seat] - points[1 - seat]) + (1.0 - holds) * (chance + 0.3 * presence)
