"""The purposes of flicks at Penny White, read off what came of them: draw, guard, promote, drive away, knock off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flicksim.base.geometry import distance
from flicksim.base.units import mm
from flicksim.games.penny_white import rules
from flicksim.games.penny_white.equipment import WHITE
from flicksim.games.penny_white.state import State
from flicksim.referee import listed, reading
from flicksim.table import Flick, Motion, Scene

WORTH: Mapping[str, float] = {
    "knock_off": 2.0, "drive_away": 1.6, "promote": 1.5, "push_white": 1.3, "draw": 1.0, "guard": 0.7,
    "near": 0.4, "leave": 0.2,
}  # fmt: skip
KINDS: Mapping[str, str] = {
    "open": "open the end", "knock_off": "knock {} off", "drive_away": "drive {} away from the white",
    "promote": "push {} up to the white", "push_white": "push the white to {}", "draw": "lie nearest the white",
    "guard": "guard {}", "near": "lie near the white", "leave": "leave all as it lies",
}  # fmt: skip
_MATTERS, _FAR = mm(150.0), mm(15.0)
"""A penny within so much of the white matters, and one that goes so far was meant to [m]."""
_NEAR, _AHEAD = mm(80.0), mm(200.0)
"""A penny lies near the white with its middle within so much, and guards what is so little farther on [m]."""


def aimed(state: State, action: Flick) -> tuple[str, tuple[str, ...]] | None:
    """The purpose of the flick that opens an end."""
    del state
    return ("open", ()) if action.piece == WHITE else None


def brought(state: State, action: Flick, account: Motion) -> Mapping[str, tuple[str, ...]]:
    """The purposes that a penny has served; none where the white is lost."""
    ruling, played = rules.judge(state, action, account).ruling, action.piece
    assert isinstance(ruling, rules.PennyRuling)
    before, after = account.before, account.after.without(*ruling.off)
    if not after.has(WHITE):
        return {}
    others = {piece.id: piece.owner for piece in before.pieces if piece.id not in (WHITE, played)}
    own = [name for name, owner in others.items() if owner == state.to_play]
    theirs = [name for name in others if name not in own]
    moved = [piece.id for piece in after.pieces if distance(before.piece(piece.id).at, piece.at) > _FAR]

    def nearer(name: str) -> float:
        return reading.gap(before, name, WHITE) - reading.gap(after, name, WHITE)

    found = {
        "knock_off": [name for name in theirs if not after.has(name)],
        "drive_away": [
            name for name in theirs
            if name in moved and nearer(name) < -_FAR and reading.gap(before, name, WHITE) < _MATTERS
        ],
        "promote": [name for name in own if name in moved and nearer(name) > _FAR],
        "push_white": [name for name in own if WHITE in moved and name not in moved and _leads(after, name)],
    }  # fmt: skip
    if all(after.has(name) and name not in moved for name in (WHITE, *others)):
        found["leave"] = [name for name in own if _leads(after, name)]
    if after.has(played):
        found["draw"] = [played] if _leads(after, played) else []
        found["guard"] = _guarded(after, played, own)
        found["near"] = [played] if reading.gap(after, played, WHITE) < _NEAR else []
    return {kind: tuple(names) for kind, names in found.items() if names}


def _guarded(after: Scene, played: str, own: Sequence[str]) -> list[str]:
    """The best own penny, or else the white, if the penny flicked lies right in front of it."""
    best = [name for name in own if after.has(name) and _leads(after, name)]
    guard, kept = after.piece(played), after.piece([WHITE, *best][-1])
    before = 3.0 * guard.radius < kept.y - guard.y < _AHEAD and abs(kept.x - guard.x) < guard.radius
    return [kept.id] if before else []


def _leads(scene: Scene, name: str) -> bool:
    """True where it lies there, and no penny nearer the white."""
    if not scene.has(name):
        return False
    gap = reading.gap(scene, name, WHITE)
    return all(gap <= reading.gap(scene, piece.id, WHITE) for piece in scene.pieces if piece.owner is not None)


def says(kind: str, of: tuple[str, ...]) -> str:
    """A purpose in words."""
    return KINDS[kind].format(listed("the white" if name == WHITE else name.replace("-", " ").title() for name in of))
