"""Queries on a finished trajectory: distances, first contacts, what left the surface."""

from math import hypot

from flicksim.core.geometry import clearance
from flicksim.scene import LeftSurface, Scene, Trajectory

LENGTH_TOLERANCE = 1e-5
"""Difference at which two lengths count as equal [m] (rule X-2: 0.01 mm)."""


def pieces_off_surface(trajectory: Trajectory) -> tuple[str, ...]:
    """Ids of pieces that left the surface, in order of time."""
    return tuple(event.piece for event in trajectory.events if isinstance(event, LeftSurface))


def centre_distance(scene: Scene, first: str, second: str) -> float:
    """Distance between the centres of two pieces [m]."""
    a, b = scene.piece(first), scene.piece(second)
    return hypot(a.x - b.x, a.y - b.y)


def overhanging_pieces(scene: Scene) -> tuple[str, ...]:
    """Ids of pieces that extend over the edge of the surface."""
    return tuple(
        piece.id
        for piece in scene.pieces
        if clearance(piece.position, scene.surface.outline) < piece.radius - LENGTH_TOLERANCE
    )
