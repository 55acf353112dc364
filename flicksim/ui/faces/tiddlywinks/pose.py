"""The pose of a wink at one moment: place, height, tilt. Values only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import acos, atan2, isnan, sin

from flicksim.base.geometry import Point
from flicksim.table import Motion, Piece, Scene, beneath


@dataclass(frozen=True, slots=True)
class Pose:
    """A wink somewhere.

    Args:
        piece: which. x, y, z: its centre [m]. tilt: of its face [rad]. lean: azimuth of its down-slope [rad].
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
    def at(self) -> Point:
        """Place of its centre in plan [m]."""
        return (self.x, self.y)

    @property
    def top(self) -> float:
        """Height of its highest point [m]."""
        return self.z + self.piece.radius * sin(self.tilt)


def lying(piece: Piece, at: Point | None = None) -> Pose:
    """A wink at rest, shown where it lies or elsewhere."""
    x, y = at or piece.at
    return Pose(piece, x, y, piece.height, piece.tilt, piece.lean, piece.face)


def at_rest(scene: Scene, elsewhere: dict[str, Point] | None = None) -> list[Pose]:
    """All winks of a scene, from the lowest up: whatever lies on another comes after it."""
    elsewhere = elsewhere or {}
    depth = {piece.id: len(beneath(scene.pieces, piece.id)) for piece in scene.pieces}
    pieces = sorted(scene.pieces, key=lambda piece: (depth[piece.id], piece.highest))
    return [lying(piece, elsewhere.get(piece.id)) for piece in pieces]


_last: tuple[Motion | None, float, list[Pose]] = (None, 0.0, [])
"""The moment asked about last: one frame asks for the mat, the look at the pot, and the side view."""


def at_time(motion: Motion, t: float) -> list[Pose]:
    """All winks of a motion at a time [s], from the lowest up; those that have left are left out."""
    global _last
    known, when, poses = _last
    if known is not motion or when != t:
        poses = _at_time(motion, t)
        _last = (motion, t, poses)
    return poses


def _at_time(motion: Motion, t: float) -> list[Pose]:
    tracks = motion.tracks
    places = tracks.at(t)
    if tracks.air is None:
        there = [
            lying(motion.before.piece(name), (float(row[0]), float(row[1])))
            for name, row in zip(tracks.ids, places, strict=True)
            if not isnan(row[0])
        ]
        return sorted(there, key=lambda pose: pose.top)
    found, depth = [], {piece.id: len(beneath(motion.before.pieces, piece.id)) for piece in motion.before.pieces}
    for name, row, air in zip(tracks.ids, places, tracks.air_at(t), strict=True):
        if isnan(row[0]):
            continue
        piece = motion.before.piece(name)
        z, nx, ny, nz = (float(value) for value in air)
        up = -1.0 if nz < 0.0 else 1.0
        tilt = acos(min(1.0, abs(nz)))
        found.append(
            Pose(piece, float(row[0]), float(row[1]), z, tilt, atan2(up * ny, up * nx), piece.face * round(up))
        )
    return sorted(found, key=lambda pose: (round(pose.top, 4), depth[pose.piece.id]))


def under(poses: Iterable[Pose], at: Point, slack: float = 0.0) -> Pose | None:
    """The uppermost wink at a point of the plan [m]; else the nearest within `slack` [m] of its rim."""
    best: tuple[float, Pose] | None = None
    over = None
    for pose in poses:
        far = ((pose.x - at[0]) ** 2 + (pose.y - at[1]) ** 2) ** 0.5 - pose.piece.radius
        if far <= 0.0:
            over = pose
        elif far <= slack and (best is None or far < best[0]):
            best = (far, pose)
    return over or (best[1] if best else None)
