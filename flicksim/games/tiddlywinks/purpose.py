"""Purposes of shots at tiddlywinks, from their outcome: pot, squop, free, blow up a pile, bring in."""

from collections.abc import Mapping, Sequence
from math import hypot

from flicksim.core.geometry import distance
from flicksim.core.units import mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.candidate_shots import NEAR, OTHER, POT, candidate_shots
from flicksim.games.tiddlywinks.heuristic_value import DEFAULT_STYLE, STYLES_BY_NAME
from flicksim.games.tiddlywinks.shot_adjudication import judge_shot
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import Shot, State
from flicksim.referee import join_names
from flicksim.scene import Landed, Piece, Scene, Squidge, Trajectory

WEIGHTS: Mapping[str, float] = {
    "pot": 3.0, "squop": 2.5, "free": 2.0, "blow": 2.0, "send_away": 1.5, "bring_in": 1.0, "retreat": 0.6,
    "stalk": 0.6, "approach": 0.5,
}  # fmt: skip
TEMPLATES: Mapping[str, str] = {
    "pot": "pot {}", "squop": "squop {}", "free": "free {}", "blow": "blow up the pile on {}",
    "send_away": "send {} away", "lag": "lie nearest the pot", "bring_in": "bring {} in",
    "retreat": "go out of reach of {}", "stalk": "lie near {}", "approach": "bring {} to the pot",
}  # fmt: skip
_BOONDOCK_DISTANCE = mm(150.0)
"""Displacement at which a wink is sent away [m]."""
_THREAT_DISTANCE, _SAFE_DISTANCE = mm(70.0), mm(110.0)
"""Centre distance of winks within a sure squop, and out of reach of one [m]."""
_APPROACH_GAIN = 0.7
"""Largest ratio of the distances from the pot after and before a shot that counts as an approach."""


def purpose_of_aim(state: State, action: Squidge) -> tuple[str, tuple[str, ...]] | None:
    """Purpose of a shot of the squidge-off, and of a bot's shot aimed at the pot or a wink."""
    if state.phase == "squidge_off":
        return "lag", (action.piece,)
    target = next(
        (
            candidate.target
            for candidate in candidate_shots(state, STYLES_BY_NAME[DEFAULT_STYLE])
            if candidate.shot == action
        ),
        OTHER,
    )
    if target in (OTHER, NEAR):
        return None
    return ("pot", (action.piece,)) if target == POT else ("squop", (target,))


def purposes_served(state: State, action: Squidge, result: Trajectory) -> Mapping[str, tuple[str, ...]]:
    """Purposes served by a finished shot. A first landing on the pot counts as a pot, one on a free opposing wink as a
    squop."""
    shot, played = Shot.from_trajectory(state, result), action.piece
    context, _ = judge_shot(shot)
    pair = kit.pair_of(kit.seat_of(played))
    before, after = Squops(shot.before, state.book), context.squops()
    friends = [wink for wink in kit.WINKS if kit.pair_of(kit.seat_of(wink)) == pair]
    enemies = [wink for wink in kit.WINKS if wink not in friends]
    landed_on = next((event.on for event in result.events if isinstance(event, Landed) and event.piece == played), "")
    purposes = {
        "pot": [wink for wink in friends if wink in context.newly_potted() or (wink == played and landed_on == "pot")],
        "squop": [] if state.book.potted_out else _newly_squopped(before, after, friends, enemies, landed_on),
        "bring_in": [played] if played in state.book.behind and played not in context.book.behind else [],
        **_purposes_of_leaving(shot, context.scene, before, after, friends, enemies),
        **_purposes_of_move(shot, context.scene, before, enemies),
    }
    return {kind: tuple(winks) for kind, winks in purposes.items() if winks}


def _newly_squopped(
    before: Squops, after: Squops, friends: Sequence[str], enemies: Sequence[str], landed_on: str
) -> list[str]:
    """Enemy winks that a further friend covers, or that were free and landed on first."""
    return [
        wink
        for wink in enemies
        if set(after.covering(wink)) - set(before.covering(wink)) & set(friends)
        or (wink == landed_on and before.is_free(wink))
    ]


def _purposes_of_leaving(
    shot: Shot, scene: Scene, before: Squops, after: Squops, friends: Sequence[str], enemies: Sequence[str]
) -> dict[str, list[str]]:
    """Purposes of a shot by what is no longer squopped: by the played wink, or in a pile that it blew up."""
    played = shot.flick.piece
    freed = [wink for wink in friends if before.is_squopped(wink) and not after.is_squopped(wink)]
    by_leaving = [wink for wink in freed if played in before.covering(wink)]
    return {
        "free": by_leaving,
        "blow": [wink for wink in freed if wink not in by_leaving],
        "send_away": [
            wink
            for wink in enemies
            if played in before.covering(wink) and _displacement(shot, scene, wink) > _BOONDOCK_DISTANCE
        ],
    }


def _purposes_of_move(shot: Shot, scene: Scene, squops: Squops, enemies: list[str]) -> dict[str, list[str]]:
    """Purposes of a shot by the position of the played wink before and after it."""
    played = shot.flick.piece
    if not scene.has(played):
        return {}
    before, after = shot.before.piece(played), scene.piece(played)
    free = [scene.piece(wink) for wink in enemies if squops.is_free(wink) and scene.has(wink)]
    escaped = [
        piece.id
        for piece in free
        if _distance(before, shot.before.piece(piece.id)) < _THREAT_DISTANCE
        and _distance(after, piece) > _SAFE_DISTANCE
    ]
    stalked = [
        piece.id
        for piece in free
        if _distance(before, piece) > _SAFE_DISTANCE and _distance(after, piece) < _THREAT_DISTANCE
    ]
    is_nearer = hypot(*before.position) > _SAFE_DISTANCE and hypot(*after.position) < _APPROACH_GAIN * hypot(
        *before.position
    )
    return {"retreat": escaped, "stalk": stalked, "approach": [played] if is_nearer else []}


def _distance(first: Piece, second: Piece) -> float:
    return distance(first.position, second.position)


def _displacement(shot: Shot, scene: Scene, wink: str) -> float:
    return _distance(shot.before.piece(wink), scene.piece(wink)) if scene.has(wink) else 0.0


def describe(kind: str, pieces: tuple[str, ...]) -> str:
    """Describe a purpose in words."""
    return TEMPLATES[kind].format(join_names(map(kit.display_name, pieces)))
