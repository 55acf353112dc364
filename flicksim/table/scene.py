"""A scene: a surface and everything on it, at rest."""

from __future__ import annotations

from math import atan2, hypot, pi

import msgspec

from flicksim.base.codec import Value
from flicksim.base.errors import BadScene
from flicksim.base.geometry import Point, clearance
from flicksim.base.showing import Shows
from flicksim.table.laid import described, holds, laid, named
from flicksim.table.piece import Piece
from flicksim.table.pile import beneath, lens, overlap, parted
from flicksim.table.pot import Pot
from flicksim.table.surface import Surface

OVERLAP = 1e-6
"""Overlap of two pieces that still counts as touching [m]: rest places are kept to the nanometre."""
_TILTED = 1e-4
"""The same when one is tilted [m]: its outline in plan is then only nearly an ellipse."""
_SUNK = 2e-4
"""Depth or gap in height that still counts as resting [m]: pressed felt gives more."""


class Scene(Shows, Value, frozen=True, kw_only=True):
    """A surface and the pieces on it, in one fixed order.

    Args:
        surface: what they lie on.
        pieces: no two with the same id.
    """

    surface: Surface
    pieces: tuple[Piece, ...] = ()

    def __repr__(self) -> str:
        return described("scene", self.surface, self.pieces)

    def piece(self, name: str) -> Piece:
        """The piece of that id.

        Raises:
            BadScene: there is none; lists those there are.
        """
        return named(self.pieces, name)

    def has(self, name: str) -> bool:
        """True where a piece of that id is on the table."""
        return holds(self.pieces, name)

    def with_piece(self, piece: Piece) -> Scene:
        """The same scene with this piece added last, or put in the place of its namesake."""
        return msgspec.structs.replace(self, pieces=laid(self.pieces, piece))

    def without(self, *names: str) -> Scene:
        """The same scene without these pieces."""
        return msgspec.structs.replace(self, pieces=tuple(piece for piece in self.pieces if piece.id not in names))

    def moved(self, name: str, to: Point) -> Scene:
        """The same scene with one piece lying elsewhere."""
        return self.with_piece(msgspec.structs.replace(self.piece(name), x=to[0], y=to[1]))

    def problems(self) -> list[str]:
        """Everything wrong with it, one sentence each; empty when it can lie so."""
        found = []
        earlier: list[tuple[float, float, float, Piece]] = []
        for piece in self.pieces:
            x, y, radius = piece.x, piece.y, piece.radius
            if any(other.id == piece.id for *_, other in earlier):
                found.append(f"two pieces are called {piece.id!r}; each needs its own id")
            if clearance((x, y), self.surface.outline) < 0.0:
                found.append(f"{piece.id!r} at ({x:g}, {y:g}) m has its centre off the surface")
            if piece.thickness or piece.z is not None or self.surface.pot is not None:
                found += self._support_problems(piece)
            for other_x, other_y, other_radius, other in earlier:
                if hypot(x - other_x, y - other_y) - radius - other_radius < -OVERLAP:
                    found += self._overlap_problems(other, piece)
            earlier.append((x, y, radius, piece))
        return found

    def _overlap_problems(self, a: Piece, b: Piece) -> list[str]:
        """Two pieces in one place: at the same height, though one may lie on the other."""
        if hypot(a.x - b.x, a.y - b.y) > a.radius + b.radius - OVERLAP:
            return []
        deep = overlap(a, b)
        tilted = bool(a.tilt or b.tilt)
        if deep <= (_TILTED if tilted else OVERLAP) or a.support != b.support:
            return []
        if tilted and a.support != "surface":
            return []  # what leans in or against a pot touches in more ways than heights tell
        at = lens(a, b)
        apart = abs(a.height_at(at) - b.height_at(at))
        need = (a.thickness + b.thickness) / 2.0
        if tilted and (a.id in beneath(self.pieces, b.id) or b.id in beneath(self.pieces, a.id)):
            need = 0.0
        if apart >= (0.25 * need if tilted else max(need - _SUNK, OVERLAP)):
            return []
        if tilted and parted(a, b, _TILTED):
            return []  # rim beside rim: the upper corner of one is over the lower corner of the other
        return [
            f"{a.id!r} and {b.id!r} overlap by {deep * 1000:.3f} mm at the same height; "
            "they may only touch, or one must lie on the other"
        ]

    def _support_problems(self, piece: Piece) -> list[str]:
        """Problems with what holds a piece: nothing, something unknown, itself in the end, or a wall it is inside
        of."""
        name, found = piece.id, []
        for lower in piece.lies_on:
            under = next((other for other in self.pieces if other.id == lower), None)
            if under is None:
                found.append(f"{name!r} is said to lie on {lower!r}, which is not on the table")
            elif under.id == name or overlap(piece, under) <= -OVERLAP:
                found.append(f"{name!r} is said to lie on {lower!r}, but does not overlap it")
        if name in beneath(self.pieces, name):
            found.append(f"{name!r} lies on itself in the end, through {', '.join(map(repr, piece.lies_on))}")
        pot = self.surface.pot
        if piece.support == "surface":
            if piece.lowest < -_SUNK:
                found.append(f"{name!r} is sunk {-piece.lowest * 1000:.3f} mm into the surface")
            elif piece.lowest > _SUNK and not piece.lies_on:
                found.append(f"{name!r} hangs {piece.lowest * 1000:.3f} mm in the air with nothing under it")
            elif piece.lies_on and not piece.tilt:
                under_it = [other for other in self.pieces if other.id in piece.lies_on]
                top = max((other.highest for other in under_it), default=0.0)
                if piece.lowest > top + _SUNK:
                    found.append(f"{name!r} hangs {(piece.lowest - top) * 1000:.3f} mm above what it is said to lie on")
        elif pot is None:
            found.append(f"{name!r} is said to be held by a pot ({piece.support}), but there is none")
        if pot is not None:
            found += self._pot_problems(piece, pot)
        return found

    def _pot_problems(self, piece: Piece, pot: Pot) -> list[str]:
        """A piece and the pot: inside its wall, or not where its support says."""
        name = piece.id
        apart = hypot(piece.x - pot.x, piece.y - pot.y)
        match piece.support:
            case "pot":
                if not pot.holds(piece.at, piece.height):
                    return [f"{name!r} is said to lie in the pot, but is {apart * 1000:.3f} mm from its axis"]
            case "rim":
                if piece.highest < pot.height or apart > pot.top_radius + piece.radius:
                    return [f"{name!r} is said to be balanced on the rim, but does not reach it"]
                return []
            case "leaning":
                wide = max(pot.outer(piece.lowest), pot.outer(piece.highest))
                if apart > wide + piece.radius + _SUNK or not piece.tilt:
                    return [f"{name!r} is said to lean on the pot, but is not tilted against it"]
                return []
        if (piece.highest if piece.tilt else piece.lowest) >= pot.height - _SUNK:
            return []  # a slanting one may reach over the rim
        # the middle of a wink's edge is what meets the wall: beside a slope a face may be over it, or under it
        way = atan2(pot.y - piece.y, pot.x - piece.x)
        (near, at_near), (far, at_far) = piece.edge(way), piece.edge(way + pi)
        inside = pot.inner(at_far) - apart - far
        outside = apart - near - pot.outer(at_near)
        upright = pot.height / hypot(pot.height, pot.top_radius - pot.base_radius)  # depth is square to the slope
        if max(inside, outside) * upright < -_SUNK:
            side = "in" if inside > outside else "out"
            need = -max(inside, outside) * 1000.0
            return [f"{name!r} goes through the pot's wall; it would be clear of it {need:.3f} mm farther {side}"]
        if inside >= -_SUNK and piece.support == "surface":
            return [f"{name!r} is inside the pot, but not said to lie in it"]
        return []

    def checked(self) -> Scene:
        """Itself.

        Raises:
            BadScene: it cannot lie so; lists all problems.
        """
        if found := self.problems():
            raise BadScene(found)
        return self
