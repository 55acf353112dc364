"""Decisions as they can be shown for any game: in words, with the piece they speak of or the place they would fill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import msgspec

from flicksim.base.errors import FlicksimError
from flicksim.base.kinds import Action
from flicksim.base.units import to_mm
from flicksim.drawing import Camera
from flicksim.play import Match
from flicksim.table import Piece, Scene
from flicksim.ui.table.painter import scene_of


@dataclass(frozen=True, slots=True)
class Decision:
    """One action that may be taken.

    Args:
        action: it. says: in words. about: id of the piece on the table it names. puts: a piece it would put there.
    """

    action: Action
    says: str
    about: str | None = None
    puts: Piece | None = None

    @property
    def short(self) -> str:
        """In few words: the piece, or the place; a decision about neither says itself whole."""
        if self.about is not None:
            return self.about.replace("-", " ").capitalize()
        if self.puts is not None:
            return f"{self.puts.id.capitalize()} at {to_mm(self.puts.x):.0f}, {to_mm(self.puts.y):.0f} mm"
        return self.says


def decisions(match: Match) -> tuple[Decision, ...]:
    """The decisions that may be taken now. Words and places come from asking the rules what would follow."""
    return tuple(_seen(match, action) for action in match.choices().actions)


def _seen(match: Match, action: Action) -> Decision:
    scene = scene_of(match.state)
    about = None
    if scene is not None and isinstance(action, msgspec.Struct):
        named = [word for word in msgspec.structs.astuple(action) if isinstance(word, str)]
        about = next((word for word in named if scene.has(word)), None)
    try:
        if match.rules.stage(match.state, action) is not None:  # what follows is known when it has come to rest
            return Decision(action, str(action), about)
        verdict = match.rules.judge(match.state, action, None)
        says = verdict.reasons[0].says if verdict.reasons else str(action)
        after = scene_of(match.rules.advance(match.state, None, verdict))
    except FlicksimError:
        return Decision(action, str(action), about)
    puts = None
    if scene is not None and after is not None:
        puts = next((p for p in after.pieces if not scene.has(p.id)), None)
    return Decision(action, says, about, puts)


def under(
    seen: Sequence[Decision], scene: Scene | None, camera: Camera, at: tuple[int, int], slack: float
) -> int | None:
    """Number of the decision whose piece or place lies under a point of the screen, within `slack` [pixels]."""
    best: tuple[float, int] | None = None
    for k, decision in enumerate(seen):
        piece = decision.puts
        if decision.about is not None and scene is not None:
            piece = scene.piece(decision.about)
        if piece is not None:
            x, y = camera.to_screen(piece.at)
            far = hypot(at[0] - x, at[1] - y)
            if far <= piece.radius * camera.zoom + slack and (best is None or far < best[0]):
                best = (far, k)
    return best[1] if best else None
