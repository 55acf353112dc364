"""A scene: a surface and everything on it, at rest."""

from __future__ import annotations

from math import hypot

import msgspec

from flicksim.base.codec import Value
from flicksim.base.errors import BadScene
from flicksim.base.geometry import Point, clearance
from flicksim.table.piece import Piece
from flicksim.table.surface import Surface

OVERLAP = 1e-6
"""Overlap of two pieces that still counts as touching [m]: rest places are kept to the nanometre."""


class Scene(Value, frozen=True, kw_only=True):
    """A surface and the pieces on it, in one fixed order.

    Args:
        surface: what they lie on.
        pieces: no two with the same id.
    """

    surface: Surface
    pieces: tuple[Piece, ...] = ()

    def piece(self, name: str) -> Piece:
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

    def with_piece(self, piece: Piece) -> Scene:
        """The same scene with this piece added last, or put in the place of its namesake."""
        if self.has(piece.id):
            pieces = tuple(piece if old.id == piece.id else old for old in self.pieces)
        else:
            pieces = (*self.pieces, piece)
        return msgspec.structs.replace(self, pieces=pieces)

    def without(self, *names: str) -> Scene:
        """The same scene without these pieces."""
        return msgspec.structs.replace(self, pieces=tuple(piece for piece in self.pieces if piece.id not in names))

    def moved(self, name: str, to: Point) -> Scene:
        """The same scene with one piece lying elsewhere."""
        return self.with_piece(msgspec.structs.replace(self.piece(name), x=to[0], y=to[1]))

    def problems(self) -> list[str]:
        """Everything wrong with it, one sentence each; empty when it can lie so."""
        found = []
        earlier: list[tuple[float, float, float, str]] = []
        for piece in self.pieces:
            x, y, radius = piece.x, piece.y, piece.radius
            if any(name == piece.id for *_, name in earlier):
                found.append(f"two pieces are called {piece.id!r}; each needs its own id")
            if clearance((x, y), self.surface.outline) < 0.0:
                found.append(f"{piece.id!r} at ({x:g}, {y:g}) m has its centre off the surface")
            for other_x, other_y, other_radius, name in earlier:
                gap = hypot(x - other_x, y - other_y) - radius - other_radius
                if gap < -OVERLAP:
                    found.append(f"{name!r} and {piece.id!r} overlap by {-gap * 1000:.3f} mm; they may only touch")
            earlier.append((x, y, radius, piece.id))
        return found

    def checked(self) -> Scene:
        """Itself.

        Raises:
            BadScene: it cannot lie so; lists all problems.
        """
        if found := self.problems():
            raise BadScene(found)
        return self
