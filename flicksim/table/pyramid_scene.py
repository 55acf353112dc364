"""A table with pyramids on it, at rest."""

from __future__ import annotations

import msgspec

from flicksim.base.codec import Value
from flicksim.base.errors import BadScene
from flicksim.base.geometry import clearance
from flicksim.base.units import to_degrees, to_mm
from flicksim.table.pyramid import SIZES, Pyramid, Shape, Size, shape_of
from flicksim.table.solid import depth
from flicksim.table.surface import Surface

DEEP = 2e-4
"""How deep two pieces may seem to be in one another and still only touch [m]."""
_HANGS = 2e-4
"""Height above the table that still counts as lying on it [m]."""


class Kit(Value, frozen=True, kw_only=True):
    """What is played with: the three shapes, and the material they are of.

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


class PyramidScene(Value, tag="pyramids", tag_field="scene", frozen=True, kw_only=True):
    """A surface and the pyramids on it, in one fixed order.

    Args:
        surface: what they stand on. pieces: no two with the same id. kit: what missiles and launchers are like.
    """

    surface: Surface
    pieces: tuple[Pyramid, ...] = ()
    kit: Kit = Kit()

    def piece(self, name: str) -> Pyramid:
        """The piece of that id.

        Raises:
            BadScene: there is none; lists those there are.
        """
        for piece in self.pieces:
            if piece.id == name:
                return piece
        there = ", ".join(piece.id for piece in self.pieces) or "none"
        raise BadScene([f"no piece {name!r} on the table; pieces there: {there}"])

    def has(self, name: str) -> bool:
        """Whether a piece of that id is on the table."""
        return any(piece.id == name for piece in self.pieces)

    def with_piece(self, piece: Pyramid) -> PyramidScene:
        """The same scene with this piece added last, or put in the place of its namesake."""
        if self.has(piece.id):
            pieces = tuple(piece if old.id == piece.id else old for old in self.pieces)
        else:
            pieces = (*self.pieces, piece)
        return msgspec.structs.replace(self, pieces=pieces)

    def without(self, *names: str) -> PyramidScene:
        """The same scene without these pieces; nothing is said to rest on them any more."""
        gone = frozenset(names)
        pieces = tuple(_freed(piece, gone) for piece in self.pieces if piece.id not in gone)
        return msgspec.structs.replace(self, pieces=pieces)

    def problems(self) -> list[str]:
        """Everything wrong with it, one sentence each; empty when it can stand so."""
        found = []
        names: set[str] = set()
        for i, piece in enumerate(self.pieces):
            if piece.id in names:
                found.append(f"two pieces are called {piece.id!r}; each needs its own id")
            names.add(piece.id)
            found += self._place_problems(piece)
            for other in self.pieces[:i]:
                if (deep := depth(other, piece)) > DEEP:
                    found.append(
                        f"{other.id!r} and {piece.id!r} are {to_mm(deep):.1f} mm in one another; they may only touch"
                    )
        return found

    def _place_problems(self, piece: Pyramid) -> list[str]:
        """A piece off the table, in it, above it, or in an attitude in which nothing holds it."""
        name, found = piece.id, []
        x, y, _ = piece.centre
        if clearance((x, y), self.surface.outline) < 0.0:
            found.append(f"{name!r} at ({to_mm(x):g}, {to_mm(y):g}) mm has its middle off the table")
        for under in piece.rests_on:
            if under == name or not self.has(under):
                found.append(f"{name!r} is said to rest on {under!r}, which is not another piece on the table")
        if piece.lowest < -_HANGS:
            found.append(f"{name!r} is sunk {-to_mm(piece.lowest):.2f} mm into the table")
        if not piece.rests_on:
            if piece.lowest > _HANGS:
                found.append(f"{name!r} hangs {to_mm(piece.lowest):.2f} mm in the air with nothing under it")
            if not (piece.standing or piece.on_side):
                lying = to_degrees(piece.shape.lying)
                found.append(
                    f"{name!r} cannot stay tilted by {to_degrees(piece.tilt):.2f} degrees with nothing to lean on; "
                    f"alone it stands (0) or lies on a side ({lying:.2f})"
                )
        return found

    def checked(self) -> PyramidScene:
        """Itself.

        Raises:
            BadScene: it cannot stand so; lists all problems.
        """
        if found := self.problems():
            raise BadScene(found)
        return self


def _freed(piece: Pyramid, gone: frozenset[str]) -> Pyramid:
    if not gone.intersection(piece.rests_on):
        return piece
    return msgspec.structs.replace(
        piece,
        stands_on=tuple(name for name in piece.stands_on if name not in gone),
        leans_on=tuple(name for name in piece.leans_on if name not in gone),
    )


__all__ = ["DEEP", "SIZES", "Kit", "PyramidScene"]
