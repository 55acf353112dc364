"""Consequences of a ruling on the table after a turn: points, and pieces that it moves or clears away."""

from msgspec.structs import replace

from flicksim.gui.table_view import scene_of
from flicksim.match import Turn
from flicksim.scene import Piece, Scene, Trajectory


def gives_points_or_clears(turn: Turn) -> bool:
    """Return True if a ruling gives points, ends the game or clears the table."""
    before, after = _scene_before_ruling(turn), scene_of(turn.after)
    is_cleared = before is not None and after is not None and bool(before.pieces) and not after.pieces
    return any(turn.verdict.ruling.points) or turn.verdict.ruling.is_over or is_cleared


def moved_pieces(turn: Turn) -> list[Piece]:
    """Pieces that the ruling moves from where they came to rest, where it puts them."""
    before, after = _scene_before_ruling(turn), scene_of(turn.after)
    if before is None or after is None:
        return []
    return [p for p in after.pieces if before.has(p.id) and before.piece(p.id).position != p.position]


def scene_while_moving(turn: Turn, progress: float) -> Scene | None:
    """Scene before the ruling, with the pieces that it moves on their way, from progress 0 to 1."""
    share = min(1.0, progress)
    share = share * share * (3.0 - 2.0 * share)
    scene = _scene_before_ruling(turn)
    for moved in moved_pieces(turn):
        assert scene is not None
        p = scene.piece(moved.id)
        x, y = p.x + (moved.x - p.x) * share, p.y + (moved.y - p.y) * share
        scene = scene.with_piece(replace(p, x=x, y=y, angle=moved.angle))
    return scene


def _scene_before_ruling(turn: Turn) -> Scene | None:
    return turn.result.after if isinstance(turn.result, Trajectory) else scene_of(turn.before)
