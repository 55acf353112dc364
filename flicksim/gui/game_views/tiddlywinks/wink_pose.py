"""Poses of winks at a time: position, height, tilt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import acos, atan2, isnan, sin

from flicksim.core.geometry import Point
from flicksim.scene import Piece, Scene, Trajectory, supporting_ids


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


def resting_poses(scene: Scene, overrides: dict[str, Point] | None = None) -> list[WinkPose]:
    """Poses of all winks of a scene, from the lowest up: a wink that lies on another comes after it."""
    overrides = overrides or {}
    depth = {piece.id: len(supporting_ids(scene.pieces, piece.id)) for piece in scene.pieces}
    pieces = sorted(scene.pieces, key=lambda piece: (depth[piece.id], piece.highest))
    return [resting_pose(piece, overrides.get(piece.id)) for piece in pieces]


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
    tracks = trajectory.tracks
    places = tracks.poses_at(t)
    if tracks.heights_and_normals is None:
        resting = [
            resting_pose(trajectory.before.piece(name), (float(row[0]), float(row[1])))
            for name, row in zip(tracks.ids, places, strict=True)
            if not isnan(row[0])
        ]
        return sorted(resting, key=lambda pose: pose.top)
    pieces, poses = trajectory.before.pieces, []
    depth = {piece.id: len(supporting_ids(pieces, piece.id)) for piece in pieces}
    for name, row, air in zip(tracks.ids, places, tracks.heights_and_normals_at(t), strict=True):
        if isnan(row[0]):
            continue
        piece = trajectory.before.piece(name)
        z, nx, ny, nz = (float(value) for value in air)
        up = -1.0 if nz < 0.0 else 1.0
        tilt, lean = acos(min(1.0, abs(nz))), atan2(up * ny, up * nx)
        poses.append(WinkPose(piece, float(row[0]), float(row[1]), z, tilt, lean, piece.face * round(up)))
    return sorted(poses, key=lambda pose: (round(pose.top, 4), depth[pose.piece.id]))


def pose_at(poses: Iterable[WinkPose], point: Point, tolerance: float = 0.0) -> WinkPose | None:
    """Uppermost wink at a point of the plan [m]; else the nearest within `tolerance` [m] of its rim."""
    best: tuple[float, WinkPose] | None = None
    over = None
    for pose in poses:
        distance = ((pose.x - point[0]) ** 2 + (pose.y - point[1]) ** 2) ** 0.5 - pose.piece.radius
        if distance <= 0.0:
            over = pose
        elif distance <= tolerance and (best is None or distance < best[0]):
            best = (distance, pose)
    return over or (best[1] if best else None)
