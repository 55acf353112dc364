"""Ways that flicks of flat pieces take on a free board."""

from __future__ import annotations

from math import cos, sin

from flicksim.base.errors import FlicksimError
from flicksim.base.geometry import Point
from flicksim.base.kinds import Action, State
from flicksim.referee import Game
from flicksim.table import Flick, Piece, Scene
from flicksim.ui.table.aim import pull
from flicksim.ui.table.painter import scene_of


def way(game: Game, state: State, shot: Action) -> tuple[Point, Point] | None:
    """From where to where a flick is aimed on a free board [m]; None of what is no flick."""
    scene = scene_of(state)
    if not isinstance(shot, Flick) or scene is None:
        return None
    piece = scene.piece(shot.piece) if scene.has(shot.piece) else from_hand(game, state, shot)
    if piece is None:
        return None
    begin = shot.start or piece.at
    far = shot.speed**2 / (2.0 * pull(piece, scene.surface))
    return begin, (begin[0] + far * cos(shot.azimuth), begin[1] + far * sin(shot.azimuth))


def from_hand(game: Game, state: State, shot: Flick) -> Piece | None:
    """The piece that a flick brings in, as it is put first; None where the rules do not allow it any more."""
    try:
        staged = game.rules.stage(state, shot)
    except FlicksimError:  # it has just been settled: the state is already the one after it
        return None
    if staged is None or not isinstance(staged[0], Scene) or not staged[0].has(shot.piece):
        return None
    return staged[0].piece(shot.piece)
