"""Ways that squidged winks take to what they meet first."""

from __future__ import annotations

from math import cos, sin

from flicksim.base.geometry import Point
from flicksim.base.kinds import Action, State
from flicksim.referee import Game
from flicksim.table import Squidge
from flicksim.ui.faces.tiddlywinks import arc
from flicksim.ui.table.painter import scene_of


def way(game: Game, state: State, shot: Action) -> tuple[Point, Point] | None:
    """From where to where a squidge is aimed: to what it meets first [m]; None of what is no squidge."""
    del game
    scene = scene_of(state)
    if not isinstance(shot, Squidge) or scene is None or not scene.has(shot.piece):
        return None
    piece, pot = scene.piece(shot.piece), scene.surface.pot
    begin = shot.start or piece.at
    height = pot.height + piece.thickness / 2.0 if pot is not None else 0.0
    far = arc.fly(piece, begin, shot.speed, shot.azimuth, shot.elevation, pot, height, shot.tumble).way
    return begin, (begin[0] + far * cos(shot.azimuth), begin[1] + far * sin(shot.azimuth))
