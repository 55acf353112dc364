"""Detection of key moments of a trajectory: close calls, pots, squops."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot

import numpy as np
import numpy.typing as npt

from flicksim.core.geometry import Point
from flicksim.core.units import mm
from flicksim.gui.table_view.painter import scene_of
from flicksim.match import Turn
from flicksim.scene import Piece, Pot, Scene, Trajectory

_RIM_DISTANCE, _WHITE_DISTANCE = mm(10.0), mm(20.0)
"""A wink so near to the rim of the pot, and a coin at rest so near to the white, were close [m]."""
_TIME_STEP = 0.005
"""Time step at which a trajectory is sampled [s]."""
_MAX_DURATION = 0.35
"""Longest part of a motion that is close [s]."""

Times = npt.NDArray[np.float64]


def close_call_interval(trajectory: Trajectory) -> tuple[float, float] | None:
    """Interval of a close call [s]: a wink by the rim of the pot, a coin on its last way to the white."""
    pot, name = trajectory.before.surface.pot, trajectory.flick.piece
    if name not in trajectory.tracks.ids:
        return None
    times = np.arange(0.0, trajectory.duration + _TIME_STEP, _TIME_STEP)
    row = trajectory.tracks.ids.index(name)
    if pot is not None:
        return _near_rim(trajectory, pot, row, times)
    return _near_white(trajectory, row, times)


def _near_rim(trajectory: Trajectory, pot: Pot, row: int, times: Times) -> tuple[float, float] | None:
    if trajectory.tracks.heights_and_normals is None:
        return None
    places, heights = (
        trajectory.tracks.poses_at(times)[:, row, :2],
        trajectory.tracks.heights_and_normals_at(times)[:, row, 0],
    )
    aside = np.hypot(places[:, 0] - pot.x, places[:, 1] - pot.y) - pot.top_radius
    return _first_interval(np.hypot(aside, heights - pot.height) <= _RIM_DISTANCE, times)


def _near_white(trajectory: Trajectory, row: int, times: Times) -> tuple[float, float] | None:
    white = next((piece for piece in trajectory.after.pieces if piece.kind == "white"), None)
    if white is None or trajectory.flick.piece == white.id or not trajectory.after.has(trajectory.flick.piece):
        return None
    own = trajectory.after.piece(trajectory.flick.piece)
    if rim_distance(own, white) > _WHITE_DISTANCE:
        return None
    places = trajectory.tracks.poses_at(times)[:, row, :2]
    still = np.hypot(places[:, 0] - own.x, places[:, 1] - own.y) < mm(0.5)
    rests = float(times[int(np.argmax(still))]) if still.any() else trajectory.duration
    return (max(0.0, rests - _MAX_DURATION), rests) if rests > 0.0 else None


def _first_interval(mask: npt.NDArray[np.bool_], times: Times) -> tuple[float, float] | None:
    """First interval in which a condition holds [s]."""
    found = np.flatnonzero(mask)
    if not len(found):
        return None
    begin = float(times[found[0]])
    gone = np.flatnonzero(~mask[found[0] :])
    end = float(times[found[0] + gone[0]]) if len(gone) else float(times[-1])
    return (max(0.0, begin - 2 * _TIME_STEP), min(end, begin + _MAX_DURATION))


def rim_distance(piece: Piece, other: Piece) -> float:
    """Distance between the rims of two pieces [m]; negative where they overlap."""
    return hypot(piece.x - other.x, piece.y - other.y) - piece.radius - other.radius


def is_in_pot(scene: Scene, piece: str) -> bool:
    """Return True if a piece lies in the pot."""
    pot = scene.surface.pot
    if pot is None or not scene.has(piece):
        return False
    x, y = scene.piece(piece).position
    return hypot(x - pot.x, y - pot.y) < pot.top_radius


def potted_pieces(trajectory: Trajectory) -> list[str]:
    """Pieces that a trajectory has brought into the pot."""
    return [
        piece.id
        for piece in trajectory.before.pieces
        if not is_in_pot(trajectory.before, piece.id) and is_in_pot(trajectory.after, piece.id)
    ]


def newly_covering(trajectory: Trajectory) -> list[str]:
    """Pieces that newly lie on another one."""
    before = {piece.id: set(piece.lies_on) for piece in trajectory.before.pieces}
    return [piece.id for piece in trajectory.after.pieces if set(piece.lies_on) - before.get(piece.id, set())]


def newly_squopping(trajectory: Trajectory) -> list[str]:
    """Pieces that newly lie on a wink of the other pair; partners sit opposite each other."""
    found = []
    for name in newly_covering(trajectory):
        own = trajectory.after.piece(name)
        under = (trajectory.after.piece(other).owner for other in own.lies_on)
        if own.owner is not None and any(other is not None and (own.owner - other) % 2 for other in under):
            found.append(name)
    return found


ScoreGain = tuple[int, str, Point]
"""A seat, what it has won in a word or a figure, and where on the table [m]."""


def score_gains(turn: Turn, format_points: Callable[[int], str]) -> list[ScoreGain]:
    """Gains of a turn with their positions; `format_points` formats a seat's points."""
    account = turn.result
    found: list[ScoreGain] = []
    if isinstance(account, Trajectory):
        for word, names in (("potted", potted_pieces(account)), ("squop", newly_squopping(account))):
            for name in names:
                piece = account.after.piece(name)
                if piece.owner is not None:
                    found.append((piece.owner, word, piece.position))
    scene = account.after if isinstance(account, Trajectory) else scene_of(turn.before)
    if scene is None:
        return found
    for seat, points in enumerate(turn.verdict.ruling.points):
        if points:
            found.append((seat, format_points(seat), _score_position(scene, seat)))
    return found


def _score_position(scene: Scene, seat: int) -> Point:
    """Position of a seat's gain on the table: its piece nearest to the reference of the score."""
    white = next((piece for piece in scene.pieces if piece.kind == "white"), None)
    middle = (
        white.position if white is not None else scene.surface.pot.position if scene.surface.pot is not None else None
    )
    own = [piece for piece in scene.pieces if piece.owner == seat]
    if middle is None or not own:
        xs, ys = zip(*scene.surface.outline, strict=True)
        return (sum(xs) / len(xs), sum(ys) / len(ys))
    return min((piece.position for piece in own), key=lambda at: hypot(at[0] - middle[0], at[1] - middle[1]))
