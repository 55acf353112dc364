"""Predicted paths of flicks of flat pieces on a free board."""

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
    start = shot.start or piece.position
    distance = shot.speed**2 / (2.0 * friction_deceleration(piece, scene.surface))
    return start, (start[0] + distance * cos(shot.azimuth), start[1] + distance * sin(shot.azimuth))


def entering_piece(game: Game, state: State, shot: Flick) -> Piece | None:
    """Piece that a flick brings in, at its starting place; None where the rules no longer allow it."""
    try:
        setup = game.rules.simulation_setup(state, shot)
    except FlicksimError:  # it has just been simulated: the state is already the next one
        return None
    if setup is None or not isinstance(setup[0], Scene) or not setup[0].has(shot.piece):
        return None
    return setup[0].piece(shot.piece)
