"""Purposes of shots at tiddlywinks, from their outcome: pot, squop, free, blow up a pile, bring in."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot

from flicksim.core.geometry import distance
from flicksim.core.units import mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.candidate_shots import NEAR, OTHER, POT, candidate_shots
from flicksim.games.tiddlywinks.playing_style import DEFAULT_STYLE, STYLES_BY_NAME
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
"""A wink sent so far is out of the way [m]."""
_THREAT_DISTANCE, _SAFE_DISTANCE = mm(70.0), mm(110.0)
"""Middles of winks so near to each other are within a sure squop, and so far apart out of it [m]."""
_APPROACH_GAIN = 0.7
"""A wink that ends within so much of its way from the pot has come nearer it [1]."""


def purpose_of_aim(state: State, action: Squidge) -> tuple[str, tuple[str, ...]] | None:
    """Purpose of a shot of the squidge-off, and of a bot's shot aimed at the pot or a wink."""
    if state.phase == "squidge_off":
        return "lag", (action.piece,)
    aim = next(
        (plan.target for plan in candidate_shots(state, STYLES_BY_NAME[DEFAULT_STYLE]) if plan.shot == action), OTHER
    )
    if aim in (OTHER, NEAR):
        return None
    return ("pot", (action.piece,)) if aim == POT else ("squop", (aim,))


def purposes_served(state: State, action: Squidge, result: Trajectory) -> Mapping[str, tuple[str, ...]]:
    """The purposes that a finished shot has served. A wink that comes down on the pot first was to go in, one that
    comes down on a free opponent to stay there."""
    shot, played = Shot.from_trajectory(state, result), action.piece
    context, _ = judge_shot(shot)
    pair = kit.pair_of(kit.seat_of(played))
    before, after = Squops(shot.before, state.book), context.squops()
    friends = [wink for wink in kit.WINKS if kit.pair_of(kit.seat_of(wink)) == pair]
    enemies = [wink for wink in kit.WINKS if wink not in friends]
    met = next((event.on for event in result.events if isinstance(event, Landed) and event.piece == played), "")
    found = {
        "pot": [wink for wink in friends if wink in context.newly_potted() or (wink == played and met == "pot")],
        "squop": [
            wink
            for wink in enemies
            if set(after.covering(wink)) - set(before.covering(wink)) & set(friends)
            or (wink == met and before.is_free(wink))
        ],
        "bring_in": [played] if played in state.book.behind and played not in context.book.behind else [],
    }
    if state.book.potted_out:
        found["squop"] = []
    freed = [wink for wink in friends if before.is_squopped(wink) and not after.is_squopped(wink)]
    by_leaving = [wink for wink in freed if played in before.covering(wink)]
    found["free"], found["blow"] = by_leaving, [wink for wink in freed if wink not in by_leaving]
    found["send_away"] = [
        wink
        for wink in enemies
        if played in before.covering(wink) and _displacement(shot, context.scene, wink) > _BOONDOCK_DISTANCE
    ]
    return {
        kind: tuple(winks)
        for kind, winks in (found | _purposes_of_move(shot, context.scene, before, enemies)).items()
        if winks
    }


def _purposes_of_move(shot: Shot, scene: Scene, squops: Squops, enemies: list[str]) -> dict[str, list[str]]:
    """Purposes of a shot by the position of the played wink before and after it."""
    played = shot.flick.piece
    if not scene.has(played):
        return {}
    was, now = shot.before.piece(played), scene.piece(played)
    free = [scene.piece(wink) for wink in enemies if squops.is_free(wink) and scene.has(wink)]
    left = [
        piece.id
        for piece in free
        if _distance(was, shot.before.piece(piece.id)) < _THREAT_DISTANCE and _distance(now, piece) > _SAFE_DISTANCE
    ]
    near = [
        piece.id
        for piece in free
        if _distance(was, piece) > _SAFE_DISTANCE and _distance(now, piece) < _THREAT_DISTANCE
    ]
    nearer = hypot(*was.position) > _SAFE_DISTANCE and hypot(*now.position) < _APPROACH_GAIN * hypot(*was.position)
    return {"retreat": left, "stalk": near, "approach": [played] if nearer else []}


def _distance(one: Piece, other: Piece) -> float:
    return distance(one.position, other.position)


def _displacement(shot: Shot, scene: Scene, wink: str) -> float:
    return _distance(shot.before.piece(wink), scene.piece(wink)) if scene.has(wink) else 0.0


def describe(kind: str, pieces: tuple[str, ...]) -> str:
    """Describe a purpose in words."""
    return TEMPLATES[kind].format(join_names(map(kit.display_name, pieces)))
