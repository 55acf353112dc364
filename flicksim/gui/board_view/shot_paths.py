"""Predicted paths of flicks of flat pieces on a free board."""

from __future__ import annotations

from math import cos, sin

from flicksim.core.errors import FlicksimError
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action, State
from flicksim.gui.table_view.aim import friction_deceleration
from flicksim.gui.table_view.painter import scene_of
from flicksim.referee import Game
from flicksim.scene import Flick, Piece, Scene


def shot_path(game: Game, state: State, shot: Action) -> tuple[Point, Point] | None:
    """Start and end of the path of a flick on a free board [m]; None if the action is no flick."""
    scene = scene_of(state)
    if not isinstance(shot, Flick) or scene is None:
        return None
    piece = scene.piece(shot.piece) if scene.has(shot.piece) else entering_piece(game, state, shot)
    if piece is None:
        return None
    begin = shot.start or piece.position
    far = shot.speed**2 / (2.0 * friction_deceleration(piece, scene.surface))
    return begin, (begin[0] + far * cos(shot.azimuth), begin[1] + far * sin(shot.azimuth))


def entering_piece(game: Game, state: State, shot: Flick) -> Piece | None:
    """Piece that a flick brings in, at its starting place; None where the rules no longer allow it."""
    try:
        staged = game.rules.simulation_setup(state, shot)
    except FlicksimError:  # it has just been settled: the state is already the one after it
        return None
    if staged is None or not isinstance(staged[0], Scene) or not staged[0].has(shot.piece):
        return None
    return staged[0].piece(shot.piece)
