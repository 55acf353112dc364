"""What is on the table but not yet in the slice: where it is about, and how it would stand there, found out late.

Most pieces on a crowded table never matter to a launch, so nothing is asked of them but where their middles are.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, sin

from flicksim.base.geometry import Point
from flicksim.physics.slice.bodies import Standing, standing
from flicksim.table.pyramid import Pyramid
from flicksim.table.solid import middle_of

Box = tuple[float, float, float, str]
"""From where to where along the plane [m], up to what height [m], and whose."""


class Outside:
    """The pieces that are not in a slice, as seen from it.

    Args:
        pieces: on the table. origin, azimuth: the plane [m, rad].
    """

    def __init__(self, pieces: Iterable[Pyramid], origin: Point, azimuth: float) -> None:
        self._origin, self._azimuth = origin, azimuth
        c, q = cos(azimuth), sin(azimuth)
        self._pieces: dict[str, Pyramid] = {}
        self._about: list[tuple[str, float, float, float, float]] = []
        for piece in pieces:
            x, y, z = middle_of(piece)
            dx, dy = x - origin[0], y - origin[1]
            self._pieces[piece.id] = piece
            self._about.append((piece.id, dx * c + dy * q, dy * c - dx * q, z, piece.shape.reach))
        self._stands: dict[str, Standing] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._pieces

    def stand(self, name: str) -> Standing:
        """How a piece stands in the plane."""
        found = self._stands.get(name)
        if found is None:
            found = self._stands[name] = standing(self._pieces[name], self._origin, self._azimuth)
        return found

    def take(self, name: str) -> tuple[Pyramid, Standing]:
        """A piece that joins the slice; it is outside no more."""
        stand = self.stand(name)
        return self._pieces.pop(name), stand

    def abreast(self, stand: Standing, reach: float) -> list[Box]:
        """What may be on the same lines along the plane as a piece, as boxes that its middle must enter to meet it.

        They are told by where middles are; `beside` and the standing of a piece say it exactly.
        """
        lateral = stand.lateral
        return [
            (s - far - reach, s + far + reach, z + far + reach, name)
            for name, s, aside, z, far in self._about
            if abs(aside - lateral) < reach + far and name in self._pieces
        ]
