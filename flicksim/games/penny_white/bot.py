"""Candidate actions and heuristic value for bots of Penny White.

Candidates are what players call a draw (roll up to the white), a guard (stop in front of it), a promotion (push one's
own penny on) and a take-out (drive an opponent's away). Only the search simulates them.
"""

from collections.abc import Iterator, Mapping
from math import atan2, cos, exp, hypot, pi, sin, tanh

import msgspec
import numpy as np

from flicksim.ai import LookaheadConfig, SearchConfig
from flicksim.core.geometry import Point
from flicksim.core.units import deg2rad, mm
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white import rules
from flicksim.games.penny_white.equipment import WHITE
from flicksim.games.penny_white.legal_actions import default_start, find_free_start, legal_actions, next_coin, removable
from flicksim.games.penny_white.rollouts import distance_to_white
from flicksim.games.penny_white.rollouts import rollout as rollout
from flicksim.games.penny_white.state import SEATS, Action, Blocked, PlaceWhite, Remove, State
from flicksim.referee import queries
from flicksim.scene import MAX_SPEED, Flick, sliding_speed

LOOKAHEAD_CONFIGS: Mapping[str, LookaheadConfig] = {"beginner": LookaheadConfig(candidates=3, refined=1, samples=1)}
"""Lookahead of a beginner: three candidates, simulated once without noise, compared by `value`."""
SEARCH_CONFIGS: Mapping[str, SearchConfig] = {
    "club": SearchConfig(shots=1000, candidates=12, new_candidates=2, use_learned=False),
    "expert": SearchConfig(shots=1000, candidates=12, new_candidates=4),
    "world": SearchConfig(shots=16_000, candidates=40, new_candidates=8),
}
"""Search budget of the other grades; experts and world class value every position by the learned table, a club player
those after the opening and the reply to the last flick but one, and rolls other ends out."""
SEARCH_CONFIGS_NO_JIT: Mapping[str, SearchConfig] = {
    "club": SearchConfig(shots=400, candidates=10, new_candidates=2, use_learned=False),
    "expert": SearchConfig(shots=800, candidates=12, new_candidates=2),
    "world": SearchConfig(shots=1400, candidates=20, new_candidates=4),
}
"""Search budget without compiled functions: a shot takes twenty times as long."""
_OPENING_SHOTS = 1600
"""Largest number of shots simulated for the opening flick of a game: more find nothing better."""
_WHITE_PUSH_FRACTION = 0.1
"""Fraction of the random candidates that push the white."""
DEFAULT_SHOTS = 20_000
"""Default number of simulated shots for a position: half a second of computing."""


def limit_config(state: State, config: SearchConfig) -> SearchConfig:
    """Reduce a search budget at the opening flick of a game, so that it is found at once without compiled code too.

    There 1,600 shots find what 16,000 do.
    """
    if state.end > 1 or state.phase != "white":
        return config
    return msgspec.structs.replace(config, shots=min(config.shots, _OPENING_SHOTS))


def candidates(state: State, rng: np.random.Generator, count: int) -> list[Action]:
    """Up to `count` actions to evaluate, ordered by prior; later ones are random variations."""
    if state.phase == "remove":
        seat = state.flicker
        nearest_first = sorted(removable(state), key=lambda name: distance_to_white(state, name))
        return [
            *(Remove(penny=name) for name in nearest_first if name.startswith(SEATS[seat].lower())),
            Remove(penny=None),
        ]
    if state.phase == "white":
        legal = legal_actions(state)
        if legal.actions:
            if not isinstance(legal.actions[0], PlaceWhite):
                return list(legal.actions)
            choices = kit.white_y_choices(state.options)
            return [PlaceWhite(y=y) for y in (choices[len(choices) // 2], choices[0], choices[-1])]
        x0, _ = start = default_start(state)
        return [_flick_towards(state, WHITE, start, (x0, mm(y))) for y in (575, 540, 610, 510, 650, 500, 690)[:count]]
    if find_free_start(state) is None:
        return [Blocked()]
    actions: list[Action] = []
    for shot in _candidate_flicks(state, rng):
        if len(actions) >= count:
            break
        actions.append(shot)
    return actions


def _candidate_flicks(state: State, rng: np.random.Generator) -> Iterator[Flick]:
    name = next_coin(state)
    assert name is not None
    white = state.scene.piece(WHITE)
    radius = kit.radius(state.options)
    seat = state.to_play
    starts = _start_spots(state)
    centre = starts[0]
    contact_distance = 2.0 * radius + mm(1.0)
    targets = [white.position]
    targets += [
        (white.x + contact_distance * cos(a), white.y + contact_distance * sin(a))
        for a in (-pi / 2, -pi, 0.0, -0.75 * pi, -0.25 * pi)
    ]
    nearest_pennies = sorted(
        (penny for penny in state.scene.pieces if penny.owner is not None),
        key=lambda penny: distance_to_white(state, penny.id),
    )
    yield _flick_towards(state, name, centre, targets[1])
    for penny in nearest_pennies[:2]:
        if penny.owner != seat:
            yield _flick_towards(state, name, centre, penny.position, overshoot=mm(180.0))
    for target in targets[2:4]:
        yield _flick_towards(state, name, centre, target)
    for penny in nearest_pennies[:4]:
        for start in starts[:3]:
            overshoot = mm(180.0) if penny.owner != seat else hypot(penny.x - white.x, penny.y - white.y)
            yield _flick_towards(state, name, start, penny.position, overshoot=overshoot)
    yield _flick_towards(state, name, centre, (white.x, white.y - mm(70.0)))
    for start in starts[1:]:
        for target in targets[:4]:
            yield _flick_towards(state, name, start, target)
    while True:
        start = starts[int(rng.integers(len(starts)))]
        kind = rng.random()
        if kind < _WHITE_PUSH_FRACTION:  # the white itself, towards own pennies
            target = (white.x + float(rng.normal(0.0, 0.6 * radius)), white.y)
            yield _flick_towards(state, name, start, target, overshoot=float(rng.uniform(mm(20.0), mm(200.0))))
        elif nearest_pennies and kind < 0.5:
            penny = nearest_pennies[int(rng.integers(min(4, len(nearest_pennies))))]
            target = (penny.x + float(rng.normal(0.0, 0.6 * radius)), penny.y)
            yield _flick_towards(state, name, start, target, overshoot=float(rng.uniform(mm(20.0), mm(300.0))))
        else:
            angle, distance = float(rng.uniform(-pi, 0.2)), float(abs(rng.normal(contact_distance, mm(15.0))))
            yield _flick_towards(state, name, start, (white.x + distance * cos(angle), white.y + distance * sin(angle)))


def _start_spots(state: State) -> list[Point]:
    """Free spots behind the 5 cm line: the middle, then to the sides [m]."""
    width = kit.board_width(state.options)
    x0, y0 = default_start(state)
    diameter = 2.0 * kit.radius(state.options)
    spots = [(x0, y0)]
    for fraction in (0.3, 0.7, 0.15, 0.85):
        spot = (round(width * fraction, 6), y0)
        is_free = all(hypot(spot[0] - piece.x, spot[1] - piece.y) >= diameter for piece in state.scene.pieces)
        if is_free and kit.is_legal_start(state.options, spot):
            spots.append(spot)
    return spots


def fraction_played(state: State) -> float:
    """Fraction of the game played, 0 to 1."""
    options = state.options
    return min(1.0, (state.end - sum(state.left) / (2.0 * options.pennies)) / options.ends)


def is_final_shot(state: State) -> bool:
    """Return True if the flick due ends the game, so that its result is final."""
    options = state.options
    final = state.end == options.ends and options.game_tie == "draw"
    return final and state.phase == "penny" and sum(state.left) == 1


def simpler_action(state: State, action: Action) -> Flick | None:
    """Flick to the same place from a start wholly on the board, for a start that overhangs an edge; None if it does not
    overhang, or no such start is free."""
    if not isinstance(action, Flick) or action.start is None:
        return None
    (x, y), radius, centre = action.start, kit.radius(state.options), kit.start_spot(state.options)
    start = (min(max(x, radius), 2.0 * centre[0] - radius), max(y, min(radius, centre[1])))
    if start == action.start or any(
        hypot(start[0] - piece.x, start[1] - piece.y) < 2.0 * radius for piece in state.scene.pieces
    ):
        return None
    travel = action.speed**2 / (2.0 * kit.friction_deceleration(state.options))
    target = (x + travel * cos(action.azimuth), y + travel * sin(action.azimuth))
    return msgspec.structs.replace(_flick_towards(state, action.piece, start, target), offset=action.offset)


def _flick_towards(state: State, name: str, start: Point, target: Point, overshoot: float = 0.0) -> Flick:
    """Flick that comes to rest at a point, or a distance beyond it [m], if nothing is in its way."""
    distance = hypot(target[0] - start[0], target[1] - start[1]) + overshoot
    azimuth = min(max(atan2(target[1] - start[1], target[0] - start[0]), deg2rad(5.0)), deg2rad(175.0))
    speed = min(sliding_speed(max(distance, 1e-3), kit.friction_deceleration(state.options)), MAX_SPEED)
    return Flick(piece=name, speed=speed, azimuth=azimuth, start=start)


def value(state: State, seat: int) -> float:
    """Lead in points over the other seat, including the expected points of the present table."""
    lead = float(state.scores[seat] - state.scores[1 - seat])
    if state.phase not in ("penny", "remove") or not state.scene.has(WHITE):
        return lead
    points, _ = rules.count_end(state.scene)
    distances: list[list[float]] = [[], []]
    for piece in state.scene.pieces:
        if piece.owner is not None:
            distances[piece.owner].append(queries.centre_distance(state.scene, piece.id, WHITE))
    own_best, opposing_best = (min(distances[who], default=mm(500.0)) for who in (seat, 1 - seat))
    # the present points count less the more pennies the opponent has left
    weight = 0.75 ** state.left[1 - seat]
    presence = sum(exp(-gap / mm(60.0)) for gap in distances[seat]) - sum(
        exp(-gap / mm(60.0)) for gap in distances[1 - seat]
    )
    chance = tanh((opposing_best - own_best) / mm(40.0))
    return lead + weight * (points[seat] - points[1 - seat]) + (1.0 - weight) * (chance + 0.3 * presence)
