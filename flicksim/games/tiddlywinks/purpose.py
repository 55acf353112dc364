"""The purposes of shots at tiddlywinks, read off what came of them: pot, squop, free, blow up a pile, bring in."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot

from flicksim.base.geometry import distance
from flicksim.base.units import mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.plans import NEAR, OTHER, POT, plans
from flicksim.games.tiddlywinks.shots import judge_shot
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import Shot, State
from flicksim.games.tiddlywinks.style import STYLES_BY_NAME, USUAL
from flicksim.referee import listed
from flicksim.table import Landed, Motion, Piece, Scene, Squidge

WORTH: Mapping[str, float] = {
    "pot": 3.0, "squop": 2.5, "free": 2.0, "blow": 2.0, "send_away": 1.5, "bring_in": 1.0, "retreat": 0.6,
    "stalk": 0.6, "approach": 0.5,
}  # fmt: skip
KINDS: Mapping[str, str] = {
    "pot": "pot {}", "squop": "squop {}", "free": "free {}", "blow": "blow up the pile on {}",
    "send_away": "send {} away", "lag": "lie nearest the pot", "bring_in": "bring {} in",
    "retreat": "go out of reach of {}", "stalk": "lie near {}", "approach": "bring {} to the pot",
}  # fmt: skip
_AWAY = mm(150.0)
"""A wink sent so far is out of the way [m]."""
_REACH, _CLEAR = mm(70.0), mm(110.0)
"""Middles of winks so near to each other are within a sure squop, and so far apart out of it [m]."""
_NEARER = 0.7
"""A wink that ends within so much of its way from the pot has come nearer it [1]."""


def aimed(state: State, action: Squidge) -> tuple[str, tuple[str, ...]] | None:
    """The purpose of a shot in the squidge-off, and of one at the pot or at a wink that a bot thinks of."""
    if state.phase == "squidge_off":
        return "lag", (action.piece,)
    aim = next((plan.aim for plan in plans(state, STYLES_BY_NAME[USUAL]) if plan.shot == action), OTHER)
    if aim in (OTHER, NEAR):
        return None
    return ("pot", (action.piece,)) if aim == POT else ("squop", (aim,))


def brought(state: State, action: Squidge, account: Motion) -> Mapping[str, tuple[str, ...]]:
    """The purposes that a finished shot has served. A wink that comes down on the pot first was to go in, one that
    comes down on a free opponent to stay there."""
    shot, played = Shot.of(state, account), action.piece
    hearing, _ = judge_shot(shot)
    pair = kit.pair_of(kit.seat_of(played))
    before, after = Squops(shot.before, state.book), hearing.squops()
    friends = [wink for wink in kit.WINKS if kit.pair_of(kit.seat_of(wink)) == pair]
    enemies = [wink for wink in kit.WINKS if wink not in friends]
    met = next((event.on for event in account.events if isinstance(event, Landed) and event.piece == played), "")
    found = {
        "pot": [wink for wink in friends if wink in hearing.newly_potted() or (wink == played and met == "pot")],
        "squop": [
            wink for wink in enemies
            if set(after.over(wink)) - set(before.over(wink)) & set(friends) or (wink == met and before.free(wink))
        ],
        "bring_in": [played] if played in state.book.behind and played not in hearing.book.behind else [],
    }  # fmt: skip
    if state.book.potted_out:
        found["squop"] = []
    freed = [wink for wink in friends if before.squopped(wink) and not after.squopped(wink)]
    by_leaving = [wink for wink in freed if played in before.over(wink)]
    found["free"], found["blow"] = by_leaving, [wink for wink in freed if wink not in by_leaving]
    found["send_away"] = [
        wink for wink in enemies if played in before.over(wink) and _moved(shot, hearing.scene, wink) > _AWAY
    ]
    return {
        kind: tuple(winks) for kind, winks in (found | _went(shot, hearing.scene, before, enemies)).items() if winks
    }


def _went(shot: Shot, scene: Scene, squops: Squops, enemies: list[str]) -> dict[str, list[str]]:
    """The purposes of a shot by where the wink played lay, and where it lies now."""
    played = shot.flick.piece
    if not scene.has(played):
        return {}
    was, now = shot.before.piece(played), scene.piece(played)
    free = [scene.piece(wink) for wink in enemies if squops.free(wink) and scene.has(wink)]
    left = [
        piece.id for piece in free if _apart(was, shot.before.piece(piece.id)) < _REACH and _apart(now, piece) > _CLEAR
    ]
    near = [piece.id for piece in free if _apart(was, piece) > _CLEAR and _apart(now, piece) < _REACH]
    nearer = hypot(*was.at) > _CLEAR and hypot(*now.at) < _NEARER * hypot(*was.at)
    return {"retreat": left, "stalk": near, "approach": [played] if nearer else []}


def _apart(one: Piece, other: Piece) -> float:
    return distance(one.at, other.at)


def _moved(shot: Shot, scene: Scene, wink: str) -> float:
    return _apart(shot.before.piece(wink), scene.piece(wink)) if scene.has(wink) else 0.0


def says(kind: str, of: tuple[str, ...]) -> str:
    """A purpose in words."""
    return KINDS[kind].format(listed(map(kit.called, of)))
