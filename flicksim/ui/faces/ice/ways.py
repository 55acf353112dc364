"""Ways that launched missiles take on a free table."""

from __future__ import annotations

from math import cos, sin

from flicksim.base.geometry import Point
from flicksim.base.kinds import Action, State
from flicksim.games.ice.aim import carry_for
from flicksim.referee import Game
from flicksim.table import Launch


def way(game: Game, state: State, shot: Action) -> tuple[Point, Point] | None:
    """From where a launcher is held to where its missile comes down, about [m]; None of what is no launch."""
    del game, state
    if not isinstance(shot, Launch):
        return None
    x, y = shot.hold
    far = carry_for(shot.size, shot.slant, shot.speed)
    return shot.hold, (x + far * cos(shot.azimuth), y + far * sin(shot.azimuth))
