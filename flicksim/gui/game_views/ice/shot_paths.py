"""Predicted paths of launched missiles on a free table."""

from __future__ import annotations

from math import cos, sin

from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action, State
from flicksim.games.ice.aiming import carry_for
from flicksim.referee import Game
from flicksim.scene import Launch


def shot_path(game: Game, state: State, shot: Action) -> tuple[Point, Point] | None:
    """Approximate path of a launch from the launcher to the landing [m]; None if the action is no launch."""
    del game, state
    if not isinstance(shot, Launch):
        return None
    x, y = shot.hold
    carry = carry_for(shot.size, shot.slant, shot.speed)
    return shot.hold, (x + carry * cos(shot.azimuth), y + carry * sin(shot.azimuth))
