"""Scene of pyramids at rest, with validation of their positions and supports."""

from functools import lru_cache
from math import hypot
from typing import ClassVar

import msgspec
import numpy as np

from flicksim.core.arrays import Floats
from flicksim.core.geometry import clearance
from flicksim.core.serialization import Value
from flicksim.core.units import mm, to_degrees, to_mm
from flicksim.scene.launch import Launch
from flicksim.scene.piece_lookup import PieceScene
from flicksim.scene.pyramid import SURFACE_ID, Pyramid, PyramidShape, Size, standard_shape
from flicksim.scene.pyramid_penetration import cached_centre_of_mass, max_extent, penetration_depth
from flicksim.scene.surface import Surface

TOUCH_TOLERANCE = 5e-5
"""Gap or penetration of two pieces, or of a piece and the table, that still counts as touching [m]."""
_MIN_TABLE_NORMAL_Z = 0.999
"""Smallest z component of the contact normal of the table top [-]; normals of pieces are less steep."""
_MAX_PLACEMENT_GAP = mm(10.0)
"""Largest gap between a piece placed by hand and its support [m]: it drops in the next simulation."""


class PyramidSet(Value, frozen=True, kw_only=True):
    """Shapes and material of the pieces of a game.

    Args:
        small, medium, large: shapes. material: name in the table of pairings.
    """

    small: PyramidShape = standard_shape("small")
    medium: PyramidShape = standard_shape("medium")
    large: PyramidShape = standard_shape("large")
    material: str = "styrene"

    def shape(self, size: Size) -> PyramidShape:
        """The shape of that size."""
        return {"small": self.small, "medium": self.medium, "large": self.large}[size]


class PyramidScene(PieceScene[Pyramid], Value, tag="pyramids", tag_field="scene", frozen=True, kw_only=True):
    """A surface and the pyramids on it, in one fixed order.

    Args:
        surface: what they stand on. pieces: no two with the same id. kit: shapes of missiles and launchers.
    """

    label: ClassVar[str] = "table with pyramids"

    surface: Surface
    pieces: tuple[Pyramid, ...] = ()
    kit: PyramidSet = PyramidSet()

    def without(self, *names: str) -> "PyramidScene":
        """Copy without these pieces; other pieces no longer name them as supports."""
        removed = frozenset(names)
        pieces = tuple(_without_supports(piece, removed) for piece in self.pieces if piece.id not in removed)
        return msgspec.structs.replace(self, pieces=pieces)

    def launcher_and_missile(self, launch: Launch) -> tuple[Pyramid, Pyramid]:
        """Launcher as it is held, and the missile on its tip."""
        shape, under = self.kit.shape(launch.size), self.kit.large
        x, y = launch.hold
        launcher = Pyramid(
            id="launcher", size="large", shape=under, x=x, y=y, z=launch.lift, heading=launch.azimuth,
            owner=launch.owner,
        )  # fmt: skip
        missile = msgspec.structs.replace(
            launcher, id=launch.piece, size=launch.size, shape=shape, z=launch.lift + shape.stacking_height(under)
        )
        return launcher, missile

    def find_obstruction(self, launch: Launch) -> Pyramid | None:
        """Piece that the held launcher or its missile would penetrate; None if there is none."""
        (x, y), shapes = launch.hold, (self.kit.large, self.kit.shape(launch.size))
        extent = max(map(max_extent, shapes))
        near = [one for one in self.pieces if hypot(one.x - x, one.y - y) <= extent + max_extent(one.shape)]
        held = self.launcher_and_missile(launch) if near else ()
        return next((one for one in near if any(penetration_depth(part, one) > 0.0 for part in held)), None)

    def problems(self) -> list[str]:
        """List everything wrong with the scene, one sentence each; empty for a valid scene. Cached."""
        return list(_problems(self))


@lru_cache(maxsize=64)
def _problems(scene: PyramidScene) -> tuple[str, ...]:
    messages: list[str] = []
    by_id: dict[str, Pyramid] = {}
    for piece in scene.pieces:
        if piece.id in by_id:
            messages.append(f"two pieces are called {piece.id!r}; each needs its own id")
        by_id[piece.id] = piece
        lowest, problems = _unsupported_problems(piece)
        messages += problems
        if lowest < -TOUCH_TOLERANCE:
            points = (*piece.base_corners(), piece.tip)  # those beside the table do not count
            depth = max(min(-z, clearance((x, y), scene.surface.outline)) for x, y, z in points)
            if depth > TOUCH_TOLERANCE:
                messages.append(f"{piece.id!r} is sunk {to_mm(depth):.2f} mm into the table")
    for piece in scene.pieces:
        if not (piece.bearings or piece.stands_on or piece.leans_on):
            continue
        for name in dict.fromkeys(
            (*piece.rests_on, *(contact.on for contact in piece.bearings if contact.on != SURFACE_ID))
        ):
            support = by_id.get(name)
            if support is None or name == piece.id:
                messages.append(f"{piece.id!r} is said to rest on {name!r}, which is not another piece on the table")
            elif (gap := -penetration_depth(piece, support)) > (
                TOUCH_TOLERANCE if piece.bearings else _MAX_PLACEMENT_GAP
            ):
                messages.append(f"{piece.id!r} is said to rest on {name!r}, which is {to_mm(gap):.2f} mm away")
    if not scene.pieces:
        return tuple(messages)
    centres = np.array([cached_centre_of_mass(piece) for piece in scene.pieces])
    corners = np.array(scene.surface.outline)
    sides = corners - np.roll(corners, 1, axis=0)
    outside = sides[:, 0] * (centres[:, 1, None] - corners[:, 1]) - sides[:, 1] * (centres[:, 0, None] - corners[:, 0])
    for i in np.nonzero((outside < 0.0).any(axis=1))[0]:
        # a piece that weighs down its inner side, or the side wall of the table that it is hooked over, may hold it
        if any(one.on != SURFACE_ID or one.normal[2] < _MIN_TABLE_NORMAL_Z for one in scene.pieces[i].bearings):
            continue
        x, y, _ = centres[i]
        messages.append(f"{scene.pieces[i].id!r} at ({to_mm(x):g}, {to_mm(y):g}) mm has its middle off the table")
    return (*messages, *_overlap_problems(scene.pieces, centres))


def _overlap_problems(pieces: tuple[Pyramid, ...], middles: Floats) -> list[str]:
    """Problems of pieces that penetrate one another; bounding spheres rule out most pairs."""
    radii = np.array([piece.shape.bounding_radius for piece in pieces])
    x, y, z = middles.T
    separation = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2 + (z[:, None] - z) ** 2 - (radii[:, None] + radii) ** 2
    messages = []
    for i, j in np.argwhere(np.triu(separation < 0.0, 1)):
        one, other = pieces[i], pieces[j]
        if (depth := penetration_depth(one, other)) > TOUCH_TOLERANCE:
            messages.append(
                f"{one.id!r} and {other.id!r} are {to_mm(depth):.1f} mm in one another; they may only touch"
            )
    return messages


@lru_cache(maxsize=4096)
def _unsupported_problems(piece: Pyramid) -> tuple[float, tuple[str, ...]]:
    """Height of a piece's lowest point [m], and problems of one that floats or cannot hold its orientation."""
    name, lowest = piece.id, piece.lowest
    messages = []
    if not piece.rests_on:
        if lowest > TOUCH_TOLERANCE:
            messages.append(f"{name!r} hangs {to_mm(lowest):.2f} mm in the air with nothing under it")
        if not (piece.is_upright or piece.is_on_side or piece.bearings):
            lying_tilt = to_degrees(piece.shape.lying_tilt)
            messages.append(
                f"{name!r} cannot stay tilted by {to_degrees(piece.tilt):.2f} degrees with nothing to lean on; "
                f"alone it stands (0) or lies on a side ({lying_tilt:.2f})"
            )
    return lowest, tuple(messages)


def _without_supports(piece: Pyramid, removed: frozenset[str]) -> Pyramid:
    if not removed.intersection(piece.rests_on):
        return piece
    stands, leans = (tuple(one for one in names if one not in removed) for names in (piece.stands_on, piece.leans_on))
    bearings = tuple(one for one in piece.bearings if one.on not in removed)
    return msgspec.structs.replace(piece, stands_on=stands, leans_on=leans, bearings=bearings)
