"""An instant in which pieces hit one another, seen from above: pymunk resolves it.

Pieces are put into a Space as they touch, with the restitution and friction of their pair, and stepped for an instant;
between impacts they are parked far from one another, and nothing of one impact is carried into the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Any

import pymunk

from flicksim.base.geometry import Point
from flicksim.physics.friction import INERTIA
from flicksim.physics.settings import Settings
from flicksim.table.piece import Piece

SKIN = 1e-7
"""Half the gap at which two pieces count as touching [m], a hundredth of what rulings can see."""
INSTANT = 1e-9
"""Time that pymunk steps an impact [s]: nothing moves a nanometre meanwhile."""

SURE = 1e-15
"""Change of an impulse in a sweep over all contacts, against the largest, below which it is found [-]."""

State = tuple[float, float, float, float, float, float]
"""Place, angle, velocity and spin of a piece [m, m, rad, m/s, m/s, rad/s]."""


class Impacts:
    """The impacts of one flick.

    Args:
        pieces: all there are; below they go by their place in this.
        fixed: the one that nothing moves, if any.

    Raises:
        BadScene: two could hit whose materials the table of pairings does not know together.
    """

    def __init__(self, pieces: tuple[Piece, ...], settings: Settings, fixed: int = -1) -> None:
        self._pieces, self._settings, self._fixed = pieces, settings, fixed
        # now, and not when they hit: what is raised inside the engine is lost
        many = Counter(piece.material for piece in pieces)
        for one, other in combinations_with_replacement(many, 2):
            if one != other or many[one] > 1:
                settings.pairings.of(one, other)
        self._space: pymunk.Space | None = None
        self._bodies: dict[int, pymunk.Body] = {}
        self._closing: Mapping[tuple[int, int], float] = {}

    def resolve(
        self, states: Mapping[int, State], closing: Mapping[tuple[int, int], float]
    ) -> dict[int, tuple[float, float, float]]:
        """Velocity and spin of each piece [m/s, m/s, rad/s] once all these pairs have hit at once.

        Args:
            states: of the pieces that take part. closing: the pairs that hit, the lower number first, and how fast
                each closes [m/s]; no other pair does anything.
        """
        self._closing = closing
        space = self._space = self._space or self._new_space()
        for i, (x, y, _, vx, vy, spin) in states.items():
            body = self._bodies.get(i) or self._bodies.setdefault(i, _body(space, self._pieces[i], i, i == self._fixed))
            body.position, body.velocity, body.angular_velocity = (x, y), (vx, vy), spin
        space.iterations = sweeps(len(closing))
        space.step(INSTANT)
        after = {}
        for i in states:
            body = self._bodies[i]
            after[i] = (*body.velocity, body.angular_velocity)
            body.position, body.velocity, body.angular_velocity = _parking(i), (0.0, 0.0), 0.0
        space.step(INSTANT)  # with all apart, pymunk forgets the impact: nothing of it is carried into the next
        return after

    def _new_space(self) -> pymunk.Space:
        """A Space for instants: metres, no memory between steps, pair values from the table."""
        space = pymunk.Space()
        space.collision_slop = 10.0 * SKIN  # the default is for pixels; nothing is pushed apart in an instant
        space.collision_bias = 1.0
        space.collision_persistence = 1  # the least with which pymunk 7 still resolves a first contact
        space.on_collision(1, 1, pre_solve=self._pair_values)
        return space

    def _pair_values(self, arbiter: pymunk.Arbiter, _space: pymunk.Space, _data: Any) -> None:
        a, b = sorted(_index(shape) for shape in arbiter.shapes)
        speed = self._closing.get((a, b))
        if speed is None:
            arbiter.process_collision = False
            return
        pairing = self._settings.pairings.of(self._pieces[a].material, self._pieces[b].material)
        arbiter.friction = pairing.friction
        gentle = speed <= 2.0 * self._settings.gentle
        arbiter.restitution = 1.0 if gentle else pairing.restitution_at(speed)


def sweeps(contacts: int) -> int:
    """Sweeps after which the impulses of so many contacts that hit at once have been found, whatever their order.

    A chain of n is the slowest: a sweep leaves about cos^2(pi / (n + 1)) of what is missing.
    """
    return 2 if contacts == 1 else 10 + 5 * (contacts + 1) ** 2


def _parking(index: int) -> Point:
    """Place of a body that waits between impacts, far from every other [m]."""
    return (1000.0 + 10.0 * index, 0.0)


def _index(shape: pymunk.Shape) -> int:
    body = shape.body
    assert isinstance(body, _Body)
    return body.index


class _Body(pymunk.Body):
    """A body that knows which piece it is."""

    index: int


def _body(space: pymunk.Space, piece: Piece, index: int, fixed: bool) -> pymunk.Body:
    kind = pymunk.Body.KINEMATIC if fixed else pymunk.Body.DYNAMIC
    body = _Body(piece.mass, INERTIA * piece.mass * piece.radius * piece.radius, kind)
    body.index = index
    shape = pymunk.Circle(body, piece.radius + 2.0 * SKIN)
    shape.collision_type = 1
    space.add(body, shape)
    return body
