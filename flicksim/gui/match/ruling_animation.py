"""Scenes before and after a ruling, and the pieces it moves between them."""

from flicksim.gui.table_view.painter import PiecePosition, scene_of
from flicksim.match import Match, Turn
from flicksim.scene import Scene, Trajectory


def scene_before_ruling(turn: Turn) -> Scene | None:
    """Scene before the ruling on a turn was applied."""
    return turn.result.after if isinstance(turn.result, Trajectory) else scene_of(turn.before)


def final_scene(match: Match) -> Scene | None:
    """Scene at the end of a match, before it was cleared."""
    last, now = match.turns[-1:], scene_of(match.state)
    if last and isinstance(last[0].result, Trajectory) and now is not None and not now.pieces:
        return last[0].result.after
    return now


def is_cleared(turn: Turn) -> bool:
    """Return True if the ruling takes all pieces away."""
    before, after = scene_before_ruling(turn), scene_of(turn.after)
    return before is not None and after is not None and bool(before.pieces) and not after.pieces


def ruling_moves(turn: Turn) -> dict[str, PiecePosition]:
    """Positions to which the ruling moves pieces from where they came to rest."""
    before, after = scene_before_ruling(turn), scene_of(turn.after)
    if before is None or after is None:
        return {}
    pieces = [piece for piece in after.pieces if before.has(piece.id)]
    return {p.id: (p.x, p.y, p.angle) for p in pieces if before.piece(p.id).position != p.position}


def moving_scene(turn: Turn, share: float) -> tuple[Scene | None, dict[str, PiecePosition]]:
    """Scene before the ruling on a turn, and the positions of the pieces that have gone a share of their way."""
    before, moving = scene_before_ruling(turn), dict[str, PiecePosition]()
    if before is not None:
        for piece, (x, y, angle) in ruling_moves(turn).items():
            p = before.piece(piece)
            moving[piece] = (p.x + (x - p.x) * share, p.y + (y - p.y) * share, angle)
    return before, moving
