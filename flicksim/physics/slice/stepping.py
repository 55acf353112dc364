"""Steps of unequal length that make no motion of their own."""

from __future__ import annotations

import pymunk
from pymunk._chipmunk_cffi import lib


def stepped(space: pymunk.Space, dt: float, count: int = 1) -> None:
    """So many steps of one length [s].

    The engine begins a step with the impulses of contacts in the one before, made longer or shorter as the step is, but
    when it takes back what was too much of them it counts them as they were. So a step that is longer than the last by
    a quarter gives a quarter of an impact once again; one that is shorter pulls. It is told that the last was as long,
    for which pymunk has no public word.
    """
    lib.cpSpaceSetCurrentTimeStep(space._space, dt)
    space.step(dt)
    for _ in range(count - 1):
        lib.cpSpaceStep(space._space, dt)  # what else pymunk looks after in a step has not changed since the first
