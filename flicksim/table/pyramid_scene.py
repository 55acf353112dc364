"""A table with pyramids on it, at rest."""

from __future__ import annotations

from functools import lru_cache
from math import hypot

import msgspec
import numpy as np
import numpy.typing as npt

from flicksim.base.codec import Value
from flicksim.base.errors import BadScene
from flicksim.base.geometry import clearance
from flicksim.base.showing import Shows
from flicksim.base.units import mm, to_degrees, to_mm
from flicksim.table.laid import described, holds, laid, named
from flicksim.table.launch import Launch
from flicksim.table.pyramid import SURFACE, Pyramid, Shape, Size, shape_of
from flicksim.table.solid import depth, middle_of, span
from flicksim.table.surface import Surface

TOUCH = 5e-5
"""Pieces, and a piece and the table, that are so far apart or in one another still touch [m]."""
_UPWARD = 0.999
"""Least upward part of a push by the table's top [-]; pieces push less straight."""
_LAID = mm(10.0)
"""So far above what it is said to rest on a piece may be laid by hand [m]: it drops when anything next moves."""


class Kit(Value, frozen=True, kw_only=True):
    """The pieces played with: the three shapes, and the material they are of.

    Args:
        small, medium, large: shapes. material: name in the table of pairings.
    """

    small: Shape = shape_of("small")
    medium: Shape = shape_of("medium")
    large: Shape = shape_of("large")
    material: str = "styrene"

    def shape(self, size: Size) -> Shape:
        """The shape of that size."""
        return {"small": self.small, "medium": self.medium, "large": self.large}[size]


class PyramidScene(Shows, Value, tag="pyramids", tag_field="scene", frozen=True, kw_only=True):
    """A surface and the pyramids on it, in one fixed order.

    Args:
        surface: what they stand on. pieces: no two with the same id. kit: what missiles and launchers are like.
    """

    surface: Surface
    pieces: tuple[Pyramid, ...] = ()
    kit: Kit = Kit()

    def __repr__(self) -> str:
        return described("table with pyramids", self.surface, self.pieces)

    def piece(self, name: str) -> Pyramid:
        """The piece of that id.

        Raises:
            BadScene: there is none; lists those there are.
        """
        return named(self.pieces, name)

    def has(self, name: str) -> bool:
        """True where a piece of that id is on the table."""
        return holds(self.pieces, name)

    def with_piece(self, piece: Pyramid) -> PyramidScene:
        """The same scene with this piece added last, or put in the place of its namesake."""
        return msgspec.structs.replace(self, pieces=laid(self.pieces, piece))

    def without(self, *names: str) -> PyramidScene:
        """The same scene without these pieces; nothing is said to rest on them any more."""
        gone = frozenset(names)
        pieces = tuple(_freed(piece, gone) for piece in self.pieces if piece.id not in gone)
        return msgspec.structs.replace(self, pieces=pieces)

    def loaded(self, launch: Launch) -> tuple[Pyramid, Pyramid]:
        """The launcher as it is held, and the missile on it."""
        shape, under = self.kit.shape(launch.size), self.kit.large
        x, y = launch.hold
        launcher = Pyramid(
            id="launcher", size="large", shape=under, x=x, y=y, z=launch.lift, heading=launch.azimuth,
            owner=launch.owner,
        )  # fmt: skip
        missile = msgspec.structs.replace(
            launcher, id=launch.piece, size=launch.size, shape=shape, z=launch.lift + shape.seat(under)
        )
        return launcher, missile

    def in_the_way(self, launch: Launch) -> Pyramid | None:
        """A piece inside which the launcher, or the missile on it, would be held."""
        held, (x, y) = self.loaded(launch), launch.hold
        near = max(span(one.shape) for one in held)
        return next(
            (
                piece
                for piece in self.pieces
                if hypot(piece.x - x, piece.y - y) <= near + span(piece.shape)
                and any(depth(one, piece) > 0.0 for one in held)
            ),
            None,
        )

    def problems(self) -> list[str]:
        """Everything wrong with it, one sentence each; empty when it can stand so. Remembered for a while."""
        return list(_problems(self))

    def checked(self) -> PyramidScene:
        """Itself.

        Raises:
            BadScene: it cannot stand so; lists all problems.
        """
        if found := self.problems():
            raise BadScene(found)
        return self


@lru_cache(maxsize=64)
def _problems(scene: PyramidScene) -> tuple[str, ...]:
    found: list[str] = []
    place: dict[str, Pyramid] = {}
    for piece in scene.pieces:
        if piece.id in place:
            found.append(f"two pieces are called {piece.id!r}; each needs its own id")
        place[piece.id] = piece
        lowest, wrong = _alone(piece)
        found += wrong
        if lowest < -TOUCH and (deep := _sunk(piece, scene.surface)) > TOUCH:
            found.append(f"{piece.id!r} is sunk {to_mm(deep):.2f} mm into the table")
    for piece in scene.pieces:
        if not (piece.bearings or piece.stands_on or piece.leans_on):
            continue
        for name in dict.fromkeys((*piece.rests_on, *(one.on for one in piece.bearings if one.on != SURFACE))):
            under = place.get(name)
            if under is None or name == piece.id:
                found.append(f"{piece.id!r} is said to rest on {name!r}, which is not another piece on the table")
            elif (gap := -depth(piece, under)) > (TOUCH if piece.bearings else _LAID):
                found.append(f"{piece.id!r} is said to rest on {name!r}, which is {to_mm(gap):.2f} mm away")
    if not scene.pieces:
        return tuple(found)
    middles = np.array([middle_of(piece) for piece in scene.pieces])
    edges = np.array(scene.surface.outline)
    ways = edges - np.roll(edges, 1, axis=0)
    outside = ways[:, 0] * (middles[:, 1, None] - edges[:, 1]) - ways[:, 1] * (middles[:, 0, None] - edges[:, 0])
    for i in np.nonzero((outside < 0.0).any(axis=1))[0]:
        if _held_beyond(scene.pieces[i]):
            continue
        x, y, _ = middles[i]
        found.append(f"{scene.pieces[i].id!r} at ({to_mm(x):g}, {to_mm(y):g}) mm has its middle off the table")
    return (*found, *_overlap_problems(scene.pieces, middles))


def _sunk(piece: Pyramid, surface: Surface) -> float:
    """Depth of a piece's corners in the table [m]; beside it there is nothing to be sunk into."""
    return max(min(-z, clearance((x, y), surface.outline)) for x, y, z in (*piece.corners(), piece.tip))


def _overlap_problems(pieces: tuple[Pyramid, ...], middles: npt.NDArray[np.float64]) -> list[str]:
    """Pieces that are in one another; only those near each other are looked at closely."""
    reach = np.array([piece.shape.reach for piece in pieces])
    x, y, z = middles.T
    apart = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2 + (z[:, None] - z) ** 2 - (reach[:, None] + reach) ** 2
    found = []
    for i, j in np.argwhere(np.triu(apart < 0.0, 1)):
        one, other = pieces[i], pieces[j]
        if (deep := depth(one, other)) > TOUCH:
            found.append(f"{one.id!r} and {other.id!r} are {to_mm(deep):.1f} mm in one another; they may only touch")
    return found


@lru_cache(maxsize=4096)
def _alone(piece: Pyramid) -> tuple[float, tuple[str, ...]]:
    """Height of a piece's lowest point [m]; and that it hangs, or is in an attitude in which nothing holds it."""
    name, lowest = piece.id, piece.lowest
    found = []
    if not piece.rests_on:
        if lowest > TOUCH:
            found.append(f"{name!r} hangs {to_mm(lowest):.2f} mm in the air with nothing under it")
        if not (piece.standing or piece.on_side or piece.bearings):
            lying = to_degrees(piece.shape.lying)
            found.append(
                f"{name!r} cannot stay tilted by {to_degrees(piece.tilt):.2f} degrees with nothing to lean on; "
                f"alone it stands (0) or lies on a side ({lying:.2f})"
            )
    return lowest, tuple(found)


def _held_beyond(piece: Pyramid) -> bool:
    """True where a piece was found at rest on more than the table's top: what weighs down its near side, or the side of
    the table that it is hooked over, holds it with its middle beyond the edge."""
    return any(one.on != SURFACE or one.normal[2] < _UPWARD for one in piece.bearings)


def _freed(piece: Pyramid, gone: frozenset[str]) -> Pyramid:
    if not gone.intersection(piece.rests_on):
        return piece
    return msgspec.structs.replace(
        piece,
        stands_on=tuple(name for name in piece.stands_on if name not in gone),
        leans_on=tuple(name for name in piece.leans_on if name not in gone),
        bearings=tuple(one for one in piece.bearings if one.on not in gone),
    )
