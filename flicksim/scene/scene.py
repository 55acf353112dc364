"""Scene: a surface and the discs at rest on it, with validation of overlaps and supports."""

from math import atan2, hypot, pi
from typing import ClassVar

import msgspec

from flicksim.core.geometry import Point, clearance
from flicksim.core.serialization import Value
from flicksim.scene.piece import Piece
from flicksim.scene.piece_lookup import PieceScene
from flicksim.scene.pot import Pot
from flicksim.scene.surface import Surface
from flicksim.scene.wink_stacking import are_separated, overlap, overlap_centre, supporting_ids

OVERLAP_TOLERANCE = 1e-6
"""Overlap of two pieces that still counts as touching [m]: rest positions are rounded to the nanometre."""
_TILTED_TOLERANCE = 1e-4
"""The same when one is tilted [m]: its outline in plan is then only nearly an ellipse."""
_HEIGHT_TOLERANCE = 2e-4
"""Depth or gap in height that still counts as resting [m]: pressed felt gives more."""


class Scene(PieceScene[Piece], Value, frozen=True, kw_only=True):
    """A surface and the pieces on it, in one fixed order.

    Args:
        surface: surface on which they lie.
        pieces: no two with the same id.
    """

    label: ClassVar[str] = "scene"

    surface: Surface
    pieces: tuple[Piece, ...] = ()

    def without(self, *names: str) -> "Scene":
        """Copy without these pieces."""
        return msgspec.structs.replace(self, pieces=tuple(piece for piece in self.pieces if piece.id not in names))

    def with_piece_at(self, name: str, position: Point) -> "Scene":
        """Copy with one piece at another position."""
        return self.with_piece(msgspec.structs.replace(self.piece(name), x=position[0], y=position[1]))

    def problems(self) -> list[str]:
        messages = []
        earlier: list[tuple[float, float, float, Piece]] = []
        for piece in self.pieces:
            x, y, radius = piece.x, piece.y, piece.radius
            if any(other.id == piece.id for *_, other in earlier):
                messages.append(f"two pieces are called {piece.id!r}; each needs its own id")
            if clearance((x, y), self.surface.outline) < 0.0 and not piece.lies_on:  # over the edge, others hold it
                messages.append(f"{piece.id!r} at ({x:g}, {y:g}) m has its centre off the surface")
            if piece.thickness or piece.z is not None or self.surface.pot is not None:
                messages += self._support_problems(piece)
            for other_x, other_y, other_radius, other in earlier:
                if hypot(x - other_x, y - other_y) - radius - other_radius < -OVERLAP_TOLERANCE:
                    messages += self._overlap_problems(other, piece)
            earlier.append((x, y, radius, piece))
        return messages

    def _overlap_problems(self, a: Piece, b: Piece) -> list[str]:
        """Problems of two pieces that overlap at the same height."""
        if hypot(a.x - b.x, a.y - b.y) > a.radius + b.radius - OVERLAP_TOLERANCE:
            return []
        depth = overlap(a, b)
        tilted = bool(a.tilt or b.tilt)
        if depth <= (_TILTED_TOLERANCE if tilted else OVERLAP_TOLERANCE) or a.support != b.support:
            return []
        if tilted and a.support != "surface":
            return []  # pieces leaning in or against a pot may touch in ways that heights do not show
        centre = overlap_centre(a, b)
        height_difference = abs(a.height_at(centre) - b.height_at(centre))
        required = (a.thickness + b.thickness) / 2.0
        if tilted and (a.id in supporting_ids(self.pieces, b.id) or b.id in supporting_ids(self.pieces, a.id)):
            required = 0.0
        if height_difference >= (0.25 * required if tilted else max(required - _HEIGHT_TOLERANCE, OVERLAP_TOLERANCE)):
            return []
        if tilted and are_separated(a, b, _TILTED_TOLERANCE):
            return []  # rim beside rim: the upper corner of one is over the lower corner of the other
        return [
            f"{a.id!r} and {b.id!r} overlap by {depth * 1000:.3f} mm at the same height; "
            "they may only touch, or one must lie on the other"
        ]

    def _support_problems(self, piece: Piece) -> list[str]:
        """Problems with the support of a piece: missing, unknown, circular, or with the wall of the pot."""
        name, messages = piece.id, []
        for lower in piece.lies_on:
            support = next((other for other in self.pieces if other.id == lower), None)
            if support is None:
                messages.append(f"{name!r} is said to lie on {lower!r}, which is not on the table")
            elif support.id == name or overlap(piece, support) <= -OVERLAP_TOLERANCE:
                messages.append(f"{name!r} is said to lie on {lower!r}, but does not overlap it")
        if piece.lies_on and name in supporting_ids(self.pieces, name):
            messages.append(f"{name!r} lies on itself in the end, through {', '.join(map(repr, piece.lies_on))}")
        pot = self.surface.pot
        if piece.support == "surface":
            if piece.lowest < -_HEIGHT_TOLERANCE:
                messages.append(f"{name!r} is sunk {-piece.lowest * 1000:.3f} mm into the surface")
            elif piece.lowest > _HEIGHT_TOLERANCE and not piece.lies_on:
                messages.append(f"{name!r} hangs {piece.lowest * 1000:.3f} mm in the air with nothing under it")
            elif piece.lies_on and not piece.tilt:
                supports = [other for other in self.pieces if other.id in piece.lies_on]
                top = max((other.highest for other in supports), default=0.0)
                if piece.lowest > top + _HEIGHT_TOLERANCE:
                    messages.append(
                        f"{name!r} hangs {(piece.lowest - top) * 1000:.3f} mm above what it is said to lie on"
                    )
        elif pot is None:
            messages.append(f"{name!r} is said to be held by a pot ({piece.support}), but there is none")
        if pot is not None:
            messages += self._pot_problems(piece, pot)
        return messages

    def _pot_problems(self, piece: Piece, pot: Pot) -> list[str]:
        """Problems of a piece with the pot: in its wall, or not where its support says."""
        name = piece.id
        axis_distance = hypot(piece.x - pot.x, piece.y - pot.y)
        match piece.support:
            case "pot":
                if not pot.contains(piece.position, piece.height):
                    return [f"{name!r} is said to lie in the pot, but is {axis_distance * 1000:.3f} mm from its axis"]
            case "rim":
                if piece.highest < pot.height or axis_distance > pot.top_radius + piece.radius:
                    return [f"{name!r} is said to be balanced on the rim, but does not reach it"]
                return []
            case "leaning":
                outer_radius = max(pot.outer_radius(piece.lowest), pot.outer_radius(piece.highest))
                if axis_distance > outer_radius + piece.radius + _HEIGHT_TOLERANCE or not piece.tilt:
                    return [f"{name!r} is said to lean on the pot, but is not tilted against it"]
                return []
        if (piece.highest if piece.tilt else piece.lowest) >= pot.height - _HEIGHT_TOLERANCE:
            return []  # a tilted one may reach over the rim
        # the middle of the edge meets the wall: beside a taper, a face may be above or below it
        azimuth = atan2(pot.y - piece.y, pot.x - piece.x)
        (near, near_height), (far, far_height) = piece.edge_point(azimuth), piece.edge_point(azimuth + pi)
        inside = pot.inner_radius(far_height) - axis_distance - far
        outside = axis_distance - near - pot.outer_radius(near_height)
        cosine = pot.height / hypot(pot.height, pot.top_radius - pot.base_radius)  # depth is perpendicular to the wall
        if max(inside, outside) * cosine < -_HEIGHT_TOLERANCE:
            side = "in" if inside > outside else "out"
            distance_mm = -max(inside, outside) * 1000.0
            return [
                f"{name!r} goes through the pot's wall; it would be clear of it {distance_mm:.3f} mm farther {side}"
            ]
        if inside >= -_HEIGHT_TOLERANCE and piece.support == "surface":
            return [f"{name!r} is inside the pot, but not said to lie in it"]
        return []
