"""Poses of winks at rest and at a time of a trajectory: position, height, tilt."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import acos, atan2, isnan, sin

from flicksim.core.geometry import Point
from flicksim.scene import Piece, Trajectory, supporting_ids


@dataclass(frozen=True, slots=True)
class WinkPose:
    """Pose of a wink.

    Args:
        piece: the wink. x, y, z: its centre [m]. tilt: of its face [rad]. lean: azimuth of its down-slope [rad].
            face: 1 as it began, -1 turned over.
    """

    piece: Piece
    x: float
    y: float
    z: float
    tilt: float = 0.0
    lean: float = 0.0
    face: int = 1

    @property
    def position(self) -> Point:
        """Position of the centre in plan [m]."""
        return (self.x, self.y)

    @property
    def top(self) -> float:
        """Height of its highest point [m]."""
        return self.z + self.piece.radius * sin(self.tilt)


def resting_pose(piece: Piece, position: Point | None = None) -> WinkPose:
    """Pose of a wink at rest, where it lies or elsewhere."""
    x, y = position or piece.position
    return WinkPose(piece, x, y, piece.height, piece.tilt, piece.lean, piece.face)


def resting_poses(pieces: Iterable[Piece], overrides: Mapping[str, Point] | None = None) -> list[WinkPose]:
    """Poses of winks at rest, from the lowest up: a wink that lies on another comes after it."""
    resting, overrides = tuple(pieces), overrides or {}
    depth = {piece.id: len(supporting_ids(resting, piece.id)) for piece in resting}
    ordered = sorted(resting, key=lambda piece: (depth[piece.id], piece.highest))
    return [resting_pose(piece, overrides.get(piece.id)) for piece in ordered]


_last_query: tuple[Trajectory | None, float, list[WinkPose]] = (None, 0.0, [])
"""Cached poses of the last time: a frame needs them for the mat, the close-up and the side view."""


def poses_at(trajectory: Trajectory, t: float) -> list[WinkPose]:
    """Poses of all winks of a trajectory at a time [s], from the lowest up, without those that have left."""
    global _last_query
    known, when, poses = _last_query
    if known is not trajectory or when != t:
        poses = _compute_poses_at(trajectory, t)
        _last_query = (trajectory, t, poses)
    return poses


def _compute_poses_at(trajectory: Trajectory, t: float) -> list[WinkPose]:
    tracks, pieces, poses = trajectory.tracks, trajectory.before.pieces, list[WinkPose]()
    is_flat = tracks.heights_and_normals is None
    air = [(0.0, 0.0, 0.0, 0.0)] * len(tracks.ids) if is_flat else tracks.heights_and_normals_at(t).tolist()
    for name, (x, y, _), (z, nx, ny, nz) in zip(tracks.ids, tracks.poses_at(t).tolist(), air, strict=True):
        piece = trajectory.before.piece(name)
        if isnan(x):
            continue
        if is_flat:
            poses.append(resting_pose(piece, (x, y)))
            continue
        up = -1.0 if nz < 0.0 else 1.0
        tilt, lean = acos(min(1.0, abs(nz))), atan2(up * ny, up * nx)
        poses.append(WinkPose(piece, x, y, z, tilt, lean, piece.face * round(up)))
    depth = {piece.id: len(supporting_ids(pieces, piece.id)) for piece in pieces}
    return sorted(poses, key=lambda pose: (round(pose.top, 4), depth[pose.piece.id]))
