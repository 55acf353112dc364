"""Pieces at a time of a trajectory; winks from the lowest up."""

from collections.abc import Iterable
from math import acos, atan2, isnan, sin

from msgspec.structs import replace

from flicksim.scene import Piece, Trajectory, supporting_ids


def pieces_at(trajectory: Trajectory, t: float) -> dict[str, Piece]:
    """Pieces on the surface, as they lie or slide at a time [s]."""
    places = zip(trajectory.tracks.ids, trajectory.tracks.poses_at(t).tolist(), strict=True)
    piece = trajectory.before.piece
    return {name: replace(piece(name), x=x, y=y, angle=angle) for name, (x, y, angle) in places if not isnan(x)}


def top_of(wink: Piece) -> float:
    """Height of the highest point of a wink's middle plane [m]."""
    return wink.height + wink.radius * sin(wink.tilt)


def stacking_order(pieces: Iterable[Piece]) -> list[Piece]:
    """Winks at rest, from the lowest up: a wink that lies on another comes after it."""
    resting = tuple(pieces)
    depth = {piece.id: len(supporting_ids(resting, piece.id)) for piece in resting}
    return sorted(resting, key=lambda piece: (depth[piece.id], piece.highest))


_last_query: tuple[Trajectory | None, float, list[Piece]] = (None, 0.0, [])
"""Cached winks of the last time: a frame needs them for the mat, the close-up and the side view."""


def winks_at(trajectory: Trajectory, t: float) -> list[Piece]:
    """All winks of a trajectory as they are at a time [s], from the lowest up, without those that have left."""
    global _last_query
    known, when, winks = _last_query
    if known is not trajectory or when != t:
        winks = _compute_winks_at(trajectory, t)
        _last_query = (trajectory, t, winks)
    return winks


def _compute_winks_at(trajectory: Trajectory, t: float) -> list[Piece]:
    tracks, pieces, winks = trajectory.tracks, trajectory.before.pieces, list[Piece]()
    is_flat = tracks.heights_and_normals is None
    air = [(0.0, 0.0, 0.0, 0.0)] * len(tracks.ids) if is_flat else tracks.heights_and_normals_at(t).tolist()
    for name, (x, y, _), (z, nx, ny, nz) in zip(tracks.ids, tracks.poses_at(t).tolist(), air, strict=True):
        piece = trajectory.before.piece(name)
        if isnan(x):
            continue
        if is_flat:
            winks.append(replace(piece, x=x, y=y))
            continue
        up = -1 if nz < 0.0 else 1
        tilt, lean = acos(min(1.0, abs(nz))), atan2(up * ny, up * nx)
        winks.append(replace(piece, x=x, y=y, z=z, tilt=tilt, lean=lean, face=piece.face * up))
    depth = {piece.id: len(supporting_ids(pieces, piece.id)) for piece in pieces}
    return sorted(winks, key=lambda wink: (round(top_of(wink), 4), depth[wink.id]))
