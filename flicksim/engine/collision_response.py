"""Impulses of simultaneous collisions between discs, solved by pymunk.

Colliding pieces are put into a Space with the restitution and friction of their pair and stepped for an instant;
between impacts they are parked far from one another, so that no state is carried from one impact into the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Any

import pymunk

from flicksim.engine.friction import INERTIA_FACTOR
from flicksim.engine.settings import Settings
from flicksim.scene.piece import Piece

CONTACT_MARGIN = 1e-7
"""Half the gap at which two pieces count as touching [m], a hundredth of what the rules distinguish."""
IMPACT_TIME_STEP = 1e-9
"""Duration of the pymunk step of an impact [s]: nothing moves a nanometre meanwhile."""

IMPULSE_TOLERANCE = 1e-15
"""Change of an impulse per iteration, relative to the largest impulse, below which it has converged [-]."""

DiscState = tuple[float, float, float, float, float, float]
"""Position, angle, velocity and spin of a piece [m, m, rad, m/s, m/s, rad/s]."""


class ImpactSolver:
    """Collision response of the pieces of one flick.

    Args:
        pieces: all pieces; other methods refer to them by index.
        fixed: index of the immovable one; -1 if there is none.

    Raises:
        InvalidScene: two pieces could collide whose materials have no known pairing.
    """

    def __init__(self, pieces: tuple[Piece, ...], settings: Settings, fixed: int = -1) -> None:
        self._pieces, self._settings, self._fixed = pieces, settings, fixed
        # now, and not at the impact: exceptions inside a pymunk callback are lost
        many = Counter(piece.material for piece in pieces)
        for one, other in combinations_with_replacement(many, 2):
            if one != other or many[one] > 1:
                settings.pairings.lookup(one, other)
        self._space: pymunk.Space | None = None
        self._bodies: dict[int, pymunk.Body] = {}
        self._closing_speeds: Mapping[tuple[int, int], float] = {}

    def resolve(
        self, states: Mapping[int, DiscState], closing: Mapping[tuple[int, int], float]
    ) -> dict[int, tuple[float, float, float]]:
        """Velocity and spin of each piece [m/s, m/s, rad/s] after all these pairs have collided at once.

        Args:
            states: of the pieces that take part.
            closing: closing speed of each colliding pair, lower index first [m/s]; other pairs do not interact.
        """
        self._closing_speeds = closing
        space = self._space = self._space or self._new_space()
        for i, (x, y, _, vx, vy, spin) in states.items():
            body = self._bodies.get(i) or self._bodies.setdefault(
                i, _make_body(space, self._pieces[i], i, i == self._fixed)
            )
            body.position, body.velocity, body.angular_velocity = (x, y), (vx, vy), spin
        space.iterations = iteration_count(len(closing))
        space.step(IMPACT_TIME_STEP)
        after = {}
        for i in states:
            body = self._bodies[i]
            after[i] = (*body.velocity, body.angular_velocity)
            # between impacts far from every other
            body.position, body.velocity, body.angular_velocity = (1000.0 + 10.0 * i, 0.0), (0.0, 0.0), 0.0
        space.step(IMPACT_TIME_STEP)  # with all apart, pymunk drops its cached contacts
        return after

    def _new_space(self) -> pymunk.Space:
        """Space for single impacts: SI units, no state between steps, friction and restitution by pair."""
        space = pymunk.Space()
        space.collision_slop = 10.0 * CONTACT_MARGIN  # the default is for pixels; nothing is pushed apart in an instant
        space.collision_bias = 1.0
        space.collision_persistence = 1  # the smallest value with which pymunk 7 still resolves a first contact
        space.on_collision(1, 1, pre_solve=self._set_pair_properties)
        return space

    def _set_pair_properties(self, arbiter: pymunk.Arbiter, _space: pymunk.Space, _data: Any) -> None:
        a, b = sorted(_piece_index(shape) for shape in arbiter.shapes)
        speed = self._closing_speeds.get((a, b))
        if speed is None:
            arbiter.process_collision = False
            return
        pairing = self._settings.pairings.lookup(self._pieces[a].material, self._pieces[b].material)
        arbiter.friction = pairing.friction
        gentle = speed <= 2.0 * self._settings.elastic_threshold
        arbiter.restitution = 1.0 if gentle else pairing.restitution_at(speed)


def iteration_count(contacts: int) -> int:
    """Iterations after which the impulses of that many simultaneous contacts have converged, whatever their order.

    A chain of n is the slowest: an iteration leaves about cos^2(pi / (n + 1)) of the error.
    """
    return 2 if contacts == 1 else 10 + 5 * (contacts + 1) ** 2


def _piece_index(shape: pymunk.Shape) -> int:
    body = shape.body
    assert isinstance(body, _IndexedBody)
    return body.index


class _IndexedBody(pymunk.Body):
    """Body with the index of its piece."""

    index: int


def _make_body(space: pymunk.Space, piece: Piece, index: int, fixed: bool) -> pymunk.Body:
    kind = pymunk.Body.KINEMATIC if fixed else pymunk.Body.DYNAMIC
    body = _IndexedBody(piece.mass, INERTIA_FACTOR * piece.mass * piece.radius * piece.radius, kind)
    body.index = index
    shape = pymunk.Circle(body, piece.radius + 2.0 * CONTACT_MARGIN)
    shape.collision_type = 1
    space.add(body, shape)
    return body
