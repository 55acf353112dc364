"""Consequences of a ruling on the table after a turn: points, and pieces that it moves or clears away."""

from flicksim.gui.table_view import PiecePosition, scene_of
from flicksim.match import Turn
from flicksim.scene import Scene, Trajectory


def gives_points_or_clears(turn: Turn) -> bool:
    """Return True if a ruling gives points, ends the game or clears the table."""
    before, after = _scene_before_ruling(turn), scene_of(turn.after)
    is_cleared = before is not None and after is not None and bool(before.pieces) and not after.pieces
    return any(turn.verdict.ruling.points) or turn.verdict.ruling.is_over or is_cleared


def moved_pieces(turn: Turn) -> dict[str, PiecePosition]:
    """Positions to which the ruling moves pieces from where they came to rest."""
    before, after = _scene_before_ruling(turn), scene_of(turn.after)
    if before is None or after is None:
        return {}
    pieces = [piece for piece in after.pieces if before.has(piece.id)]
    return {p.id: (p.x, p.y, p.angle) for p in pieces if before.piece(p.id).position != p.position}


def scene_while_moving(turn: Turn, progress: float) -> tuple[Scene | None, dict[str, PiecePosition]]:
    """Scene before the ruling, and the positions of the pieces that it moves, from progress 0 to 1."""
    share = min(1.0, progress)
    share = share * share * (3.0 - 2.0 * share)
    before, moving = _scene_before_ruling(turn), dict[str, PiecePosition]()
    for piece, (x, y, angle) in moved_pieces(turn).items():
        assert before is not None
        p = before.piece(piece)
        moving[piece] = (p.x + (x - p.x) * share, p.y + (y - p.y) * share, angle)
    return before, moving


def _scene_before_ruling(turn: Turn) -> Scene | None:
    return turn.result.after if isinstance(turn.result, Trajectory) else scene_of(turn.before)
