"""Candidate actions and heuristic value for bots of Penny White.

Candidates are what players call a draw (roll up to the white), a guard (stop in front of it), a promotion (push one's
own penny on) and a take-out (drive an opponent's away). The search tries them in the physics; nothing here does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import atan2, cos, exp, hypot, pi, sin, tanh

import msgspec
import numpy as np

from flicksim.ai import SearchConfig
from flicksim.core.geometry import Point
from flicksim.core.units import GRAVITY, degrees, mm
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white import rules
from flicksim.games.penny_white.equipment import WHITE
from flicksim.games.penny_white.legal_actions import default_start, find_free_start, legal_actions, next_coin, removable
from flicksim.games.penny_white.rollouts import rollout
from flicksim.games.penny_white.state import SEATS, Action, Blocked, PlaceWhite, Remove, State
from flicksim.referee import queries
from flicksim.scene import DEFAULT_PAIRINGS, MAX_SPEED, Flick, sliding_speed

__all__ = [
    "DEFAULT_SHOTS",
    "LOOKAHEAD_CONFIGS",
    "SEARCH_CONFIGS",
    "SEARCH_CONFIGS_NO_JIT",
    "candidates",
    "fraction_played",
    "is_final_shot",
    "rollout",
    "simpler_action",
    "value",
]

LOOKAHEAD_CONFIGS: Mapping[str, tuple[int, int, int]] = {"beginner": (3, 1, 1)}
"""A beginner tries three things once, as meant, and goes by how the table looks then."""
SEARCH_CONFIGS: Mapping[str, SearchConfig] = {
    "club": SearchConfig(shots=1000, candidates=12, new_candidates=2, use_learned=False),
    "expert": SearchConfig(shots=4000, candidates=24, new_candidates=4, use_learned=False),
    "world": SearchConfig(shots=16_000, candidates=40, new_candidates=8),
}
"""Search budget of the other grades: world class alone knows what ends come to, others play them out."""
SEARCH_CONFIGS_NO_JIT: Mapping[str, SearchConfig] = {
    "club": SearchConfig(shots=400, candidates=10, new_candidates=2, use_learned=False),
    "expert": SearchConfig(shots=800, candidates=16, new_candidates=2, use_learned=False),
    "world": SearchConfig(shots=1400, candidates=20, new_candidates=4),
}
"""The same where nothing is compiled: a shot takes twenty times as long."""
_WHITE_PUSH_FRACTION = 0.1
"""Share of the varied flicks that push the white."""
DEFAULT_SHOTS = 20_000
"""Shots settled for a position, where nobody says how many: half a second's."""


def candidates(state: State, rng: np.random.Generator, count: int) -> list[Action]:
    """Up to `count_end` actions worth evaluating, the most natural first; later ones are varied at random."""
    if state.phase == "remove":
        seat = state.flicker
        near = sorted(removable(state), key=lambda name: _distance_to_white(state, name))
        return [
            *(Remove(penny=name) for name in near if name.startswith(SEATS[seat].lower())),
            Remove(penny=None),
        ]
    if state.phase == "white":
        offered = legal_actions(state)
        if offered.actions:
            if not isinstance(offered.actions[0], PlaceWhite):
                return list(offered.actions)
            spots = kit.white_y_choices(state.options)
            return [PlaceWhite(y=y) for y in (spots[len(spots) // 2], spots[0], spots[-1])]
        x0, _ = start = default_start(state)
        return [
            _flick_to_rest_at(state, WHITE, start, (x0, mm(y))) for y in (575, 540, 610, 510, 650, 500, 690)[:count]
        ]
    if find_free_start(state) is None:
        return [Blocked()]
    found: list[Action] = []
    for shot in _candidate_flicks(state, rng):
        if len(found) >= count:
            break
        found.append(shot)
    return found


def _distance_to_white(state: State, name: str) -> float:
    return queries.centre_distance(state.scene, name, WHITE) if state.scene.has(name) else float("inf")


def _candidate_flicks(state: State, rng: np.random.Generator) -> Iterator[Flick]:
    name = next_coin(state)
    assert name is not None
    white = state.scene.piece(WHITE)
    size = kit.radius(state.options)
    seat = state.to_play
    starts = _start_spots(state)
    middle = starts[0]
    touching = 2.0 * size + mm(1.0)
    around = [white.position]
    around += [
        (white.x + touching * cos(a), white.y + touching * sin(a)) for a in (-pi / 2, -pi, 0.0, -0.75 * pi, -0.25 * pi)
    ]
    near = sorted((p for p in state.scene.pieces if p.owner is not None), key=lambda p: _distance_to_white(state, p.id))
    yield _flick_to_rest_at(state, name, middle, around[1])
    for p in near[:2]:
        if p.owner != seat:
            yield _flick_through(state, name, middle, p.position, overshoot=mm(180.0))
    for target in around[2:4]:
        yield _flick_to_rest_at(state, name, middle, target)
    for p in near[:4]:
        for start in starts[:3]:
            past = mm(180.0) if p.owner != seat else hypot(p.x - white.x, p.y - white.y)
            yield _flick_through(state, name, start, p.position, overshoot=past)
    yield _flick_to_rest_at(state, name, middle, (white.x, white.y - mm(70.0)))
    for start in starts[1:]:
        for target in around[:4]:
            yield _flick_to_rest_at(state, name, start, target)
    while True:
        start = starts[int(rng.integers(len(starts)))]
        kind = rng.random()
        if kind < _WHITE_PUSH_FRACTION:  # the white itself, to where one's own lie
            aim = (white.x + float(rng.normal(0.0, 0.6 * size)), white.y)
            yield _flick_through(state, name, start, aim, overshoot=float(rng.uniform(mm(20.0), mm(200.0))))
        elif near and kind < 0.5:
            p = near[int(rng.integers(min(4, len(near))))]
            aim = (p.x + float(rng.normal(0.0, 0.6 * size)), p.y)
            yield _flick_through(state, name, start, aim, overshoot=float(rng.uniform(mm(20.0), mm(300.0))))
        else:
            angle, far = float(rng.uniform(-pi, 0.2)), float(abs(rng.normal(touching, mm(15.0))))
            yield _flick_to_rest_at(state, name, start, (white.x + far * cos(angle), white.y + far * sin(angle)))


def _start_spots(state: State) -> list[Point]:
    """Free spots behind the 5 cm line: the middle, then to the sides [m]."""
    across = kit.board_width(state.options)
    x0, y0 = default_start(state)
    need = 2.0 * kit.radius(state.options)
    spots = [(x0, y0)]
    for share in (0.3, 0.7, 0.15, 0.85):
        spot = (round(across * share, 6), y0)
        free = all(hypot(spot[0] - p.x, spot[1] - p.y) >= need for p in state.scene.pieces)
        if free and kit.is_legal_start(state.options, spot):
            spots.append(spot)
    return spots


def fraction_played(state: State) -> float:
    """Fraction of the game played, 0 to 1."""
    options = state.options
    return min(1.0, (state.end - sum(state.left) / (2.0 * options.pennies)) / options.ends)


def is_final_shot(state: State) -> bool:
    """Return True if the flick due ends the game, so that what it leads to is counted."""
    options = state.options
    final = state.end == options.ends and options.game_tie == "draw"
    return final and state.phase == "penny" and sum(state.left) == 1


def simpler_action(state: State, action: Action) -> Flick | None:
    """The flick to the same place from a spot wholly on the board, where this one starts over an edge; None where it
    does not, or no such spot is free."""
    if not isinstance(action, Flick) or action.start is None:
        return None
    (x, y), size, middle = action.start, kit.radius(state.options), kit.start_spot(state.options)
    start = (min(max(x, size), 2.0 * middle[0] - size), max(y, min(size, middle[1])))
    if start == action.start or any(hypot(start[0] - p.x, start[1] - p.y) < 2.0 * size for p in state.scene.pieces):
        return None
    way = action.speed**2 / (2.0 * _friction_deceleration(state))
    to = (x + way * cos(action.azimuth), y + way * sin(action.azimuth))
    return msgspec.structs.replace(_flick_to_rest_at(state, action.piece, start, to), offset=action.offset)


def _friction_deceleration(state: State) -> float:
    """Deceleration of a sliding coin on this board [m/s^2]."""
    metal = kit.COINS[state.options.coin].material
    return DEFAULT_PAIRINGS.lookup(metal, state.options.board).friction * GRAVITY


def _flick_to_rest_at(state: State, name: str, start: Point, target: Point) -> Flick:
    """Flick that comes to rest at a point if nothing is in its way."""
    return _flick_towards(state, name, start, target, hypot(target[0] - start[0], target[1] - start[1]))


def _flick_through(state: State, name: str, start: Point, target: Point, overshoot: float) -> Flick:
    """A flick at a point with way to spare [m]."""
    return _flick_towards(state, name, start, target, hypot(target[0] - start[0], target[1] - start[1]) + overshoot)


def _flick_towards(state: State, name: str, start: Point, target: Point, distance: float) -> Flick:
    azimuth = min(max(atan2(target[1] - start[1], target[0] - start[0]), degrees(5.0)), degrees(175.0))
    speed = min(sliding_speed(max(distance, 1e-3), _friction_deceleration(state)), MAX_SPEED)
    return Flick(piece=name, speed=speed, azimuth=azimuth, start=start)


def value(state: State, seat: int) -> float:
    """Lead in points over the other seat, including the expected points of the present table."""
    ahead = float(state.scores[seat] - state.scores[1 - seat])
    if state.phase not in ("penny", "remove") or not state.scene.has(WHITE):
        return ahead
    points, _ = rules.count_end(state.scene, state.options)
    gaps: list[list[float]] = [[], []]
    for piece in state.scene.pieces:
        if piece.owner is not None:
            gaps[piece.owner].append(queries.centre_distance(state.scene, piece.id, WHITE))
    mine, theirs = (min(gaps[who], default=mm(500.0)) for who in (seat, 1 - seat))
    # what lies now is worth less the more the other side may still do about it
    holds = 0.75 ** state.left[1 - seat]
    presence = sum(exp(-gap / mm(60.0)) for gap in gaps[seat]) - sum(exp(-gap / mm(60.0)) for gap in gaps[1 - seat])
    chance = tanh((theirs - mine) / mm(40.0))
    return ahead + holds * (points[seat] - points[1 - seat]) + (1.0 - holds) * (chance + 0.3 * presence)
