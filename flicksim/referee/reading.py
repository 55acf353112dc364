"""Questions to a finished motion. Answers only; what they mean for a game is the game's to say."""

from __future__ import annotations

from math import hypot

from flicksim.base.geometry import clearance
from flicksim.table.motion import Crossed, Left, Motion, Touched
from flicksim.table.scene import Scene

EPS = 1e-5
"""What two lengths may differ by and still count as equal [m] (ledger X-2: 0.01 mm)."""


def left(motion: Motion) -> tuple[str, ...]:
    """Ids of what left the surface, in order."""
    return tuple(event.piece for event in motion.events if isinstance(event, Left))


def first_touched(motion: Motion) -> str | None:
    """Id of the first piece the flicked one met."""
    for event in motion.events:
        if isinstance(event, Touched):
            if event.piece == motion.flick.piece:
                return event.other
            if event.other == motion.flick.piece:
                return event.piece
    return None


def crossed(motion: Motion, line: str) -> tuple[Crossed, ...]:
    """Every crossing of a line, in order."""
    return tuple(event for event in motion.events if isinstance(event, Crossed) and event.line == line)


def gap(scene: Scene, one: str, other: str) -> float:
    """Distance of two pieces' centres [m]."""
    a, b = scene.piece(one), scene.piece(other)
    return hypot(a.x - b.x, a.y - b.y)


def overhanging(scene: Scene) -> tuple[str, ...]:
    """Ids of pieces of which some part sticks out over the edge."""
    return tuple(p.id for p in scene.pieces if clearance(p.at, scene.surface.outline) < p.radius - EPS)
