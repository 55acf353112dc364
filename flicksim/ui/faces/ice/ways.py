"""Ways that missiles take to where they come down on a bare table."""

from __future__ import annotations

from math import cos, sin

from flicksim.base.geometry import Point
from flicksim.base.kinds import Action, State
from flicksim.referee import Game
from flicksim.table import Launch
from flicksim.ui.faces.ice import side
from flicksim.ui.faces.ice.plan import foreseen


def way(game: Game, state: State, shot: Action) -> tuple[Point, Point] | None:
    """From where to where a missile is launched [m]; None of what is no launch."""
    del game
    if not isinstance(shot, Launch):
        return None
    far = side.carry(foreseen(state.scene.surface, state.scene.kit, shot))
    return shot.hold, (shot.hold[0] + far * cos(shot.azimuth), shot.hold[1] + far * sin(shot.azimuth))
