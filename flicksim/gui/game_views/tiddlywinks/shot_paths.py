"""Predicted paths of squidged winks up to their first contact."""

from __future__ import annotations

from math import cos, sin

from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action, State
from flicksim.gui.game_views.tiddlywinks import ballistic_arc
from flicksim.gui.table_view.painter import scene_of
from flicksim.referee import Game
from flicksim.scene import Squidge


def shot_path(game: Game, state: State, shot: Action) -> tuple[Point, Point] | None:
    """Start and end of a squidge, up to its first contact [m]; None if the action is no squidge."""
    del game
    scene = scene_of(state)
    if not isinstance(shot, Squidge) or scene is None or not scene.has(shot.piece):
        return None
    piece, pot = scene.piece(shot.piece), scene.surface.pot
    begin = shot.start or piece.position
    height = pot.height + piece.thickness / 2.0 if pot is not None else 0.0
    carry = ballistic_arc.predict_arc(
        piece, begin, shot.speed, shot.azimuth, shot.elevation, pot, height, shot.tumble
    ).distance
    return begin, (begin[0] + carry * cos(shot.azimuth), begin[1] + carry * sin(shot.azimuth))
