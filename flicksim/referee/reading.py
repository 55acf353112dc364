"""Questions to a finished motion. Answers only; what they mean for a game is the game's to say."""

from __future__ import annotations

from math import hypot

from flicksim.base.geometry import clearance
from flicksim.table import Left, Motion, Scene

EPS = 1e-5
"""Difference of two lengths that still count as equal [m] (ledger X-2: 0.01 mm)."""


def left(motion: Motion) -> tuple[str, ...]:
    """Ids of what left the surface, in order."""
    return tuple(event.piece for event in motion.events if isinstance(event, Left))


def gap(scene: Scene, one: str, other: str) -> float:
    """Distance of two pieces' centres [m]."""
    a, b = scene.piece(one), scene.piece(other)
    return hypot(a.x - b.x, a.y - b.y)


def overhanging(scene: Scene) -> tuple[str, ...]:
    """Ids of pieces of which some part sticks out over the edge."""
    return tuple(p.id for p in scene.pieces if clearance(p.at, scene.surface.outline) < p.radius - EPS)
