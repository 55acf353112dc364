"""Hit testing: the wink at a point of the mat."""

from collections.abc import Iterable

from flicksim.core.geometry import Point
from flicksim.render import WinkPose


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
