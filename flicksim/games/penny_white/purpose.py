"""Purposes of flicks at Penny White, from their outcome: draw, guard, promote, drive away, knock off."""

from collections.abc import Collection, Mapping, Sequence

from flicksim.core.geometry import distance
from flicksim.core.units import mm
from flicksim.games.penny_white import rules
from flicksim.games.penny_white.equipment import WHITE
from flicksim.games.penny_white.state import State
from flicksim.referee import join_names, queries
from flicksim.scene import Flick, Scene, Trajectory

WEIGHTS: Mapping[str, float] = {
    "knock_off": 2.0, "drive_away": 1.6, "promote": 1.5, "push_white": 1.3, "draw": 1.0, "guard": 0.7,
    "near": 0.4, "leave": 0.2,
}  # fmt: skip
TEMPLATES: Mapping[str, str] = {
    "open": "open the end", "knock_off": "knock {} off", "drive_away": "drive {} away from the white",
    "promote": "push {} up to the white", "push_white": "push the white to {}", "draw": "lie nearest the white",
    "guard": "guard {}", "near": "lie near the white", "leave": "leave all as it lies",
}  # fmt: skip
_MAX_RELEVANT_DISTANCE, _DRIVE_AWAY_DISTANCE = mm(150.0), mm(15.0)
"""Largest distance from the white of a penny worth driving away, and smallest displacement that counts [m]."""
_GUARD_WIDTH, _GUARD_DEPTH = mm(80.0), mm(200.0)
"""Largest distance from the white that counts as near, and largest distance of a guard from what it guards [m]."""


def purpose_of_aim(state: State, action: Flick) -> tuple[str, tuple[str, ...]] | None:
    """Purpose of the flick that opens an end."""
    del state
    return ("open", ()) if action.piece == WHITE else None


def purposes_served(state: State, action: Flick, result: Trajectory) -> Mapping[str, tuple[str, ...]]:
    """Purposes served by a flicked penny; none if the white is lost."""
    ruling, played = rules.judge(state, action, result).ruling, action.piece
    assert isinstance(ruling, rules.PennyRuling)
    before, after = result.before, result.after.without(*ruling.off)
    if not after.has(WHITE):
        return {}
    others = {piece.id: piece.owner for piece in before.pieces if piece.id not in (WHITE, played)}
    own = [name for name, owner in others.items() if owner == state.to_play]
    moved = {
        piece.id
        for piece in after.pieces
        if distance(before.piece(piece.id).position, piece.position) > _DRIVE_AWAY_DISTANCE
    }
    purposes = _purposes_by_coin(before, after, moved, own, [name for name in others if name not in own])
    if all(after.has(name) and name not in moved for name in (WHITE, *others)):
        purposes["leave"] = [name for name in own if _is_nearest(after, name)]
    if after.has(played):
        purposes["draw"] = [played] if _is_nearest(after, played) else []
        purposes["guard"] = _guarded_coin(after, played, own)
        purposes["near"] = [played] if queries.centre_distance(after, played, WHITE) < _GUARD_WIDTH else []
    return {kind: tuple(names) for kind, names in purposes.items() if names}


def _purposes_by_coin(
    before: Scene, after: Scene, moved: Collection[str], own: Sequence[str], opposing: Sequence[str]
) -> dict[str, list[str]]:
    """Purposes served by what happens to the other pennies and to the white, with the pennies."""

    def approach(name: str) -> float:
        return queries.centre_distance(before, name, WHITE) - queries.centre_distance(after, name, WHITE)

    return {
        "knock_off": [name for name in opposing if not after.has(name)],
        "drive_away": [
            name
            for name in opposing
            if name in moved
            and approach(name) < -_DRIVE_AWAY_DISTANCE
            and queries.centre_distance(before, name, WHITE) < _MAX_RELEVANT_DISTANCE
        ],
        "promote": [name for name in own if name in moved and approach(name) > _DRIVE_AWAY_DISTANCE],
        "push_white": [name for name in own if WHITE in moved and name not in moved and _is_nearest(after, name)],
    }


def _guarded_coin(after: Scene, played: str, own: Sequence[str]) -> list[str]:
    """Best own penny, or else the white, if the flicked penny lies right in front of it."""
    nearest = [name for name in own if after.has(name) and _is_nearest(after, name)]
    guard, guarded = after.piece(played), after.piece([WHITE, *nearest][-1])
    is_in_front = 3.0 * guard.radius < guarded.y - guard.y < _GUARD_DEPTH and abs(guarded.x - guard.x) < guard.radius
    return [guarded.id] if is_in_front else []


def _is_nearest(scene: Scene, name: str) -> bool:
    """Return True if a penny is on the board and none is nearer the white."""
    if not scene.has(name):
        return False
    distance = queries.centre_distance(scene, name, WHITE)
    return all(
        distance <= queries.centre_distance(scene, piece.id, WHITE) for piece in scene.pieces if piece.owner is not None
    )


def describe(kind: str, pieces: tuple[str, ...]) -> str:
    """Describe a purpose in words."""
    return TEMPLATES[kind].format(join_names(map(describe_coin, pieces)))


def describe_coin(name: str) -> str:
    """Name of a coin for people: "Red 1", "the white"."""
    return "the white" if name == WHITE else name.replace("-", " ").title()
