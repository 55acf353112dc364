"""Scenes and settings as the arrays that the compiled loops read."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np

from flicksim.core.errors import InvalidScene
from flicksim.engine.batch.arrays import BoardArrays, SceneArrays
from flicksim.engine.batch.rows import item_at
from flicksim.engine.collision_response import ImpactSolver
from flicksim.engine.planar_discs.board import make_board
from flicksim.engine.settings import Settings
from flicksim.scene.piece import Piece
from flicksim.scene.pyramid_scene import PyramidScene
from flicksim.scene.scene import Scene


def board_arrays(scene: Scene, contact_rings: Sequence[float]) -> BoardArrays:
    """Board of a scene, with stopping tables for these contact rings."""
    lines = tuple((*line.a, *line.b) for line in scene.surface.lines)
    return make_board(tuple(scene.surface.outline), lines, tuple(contact_rings))


def contact_rings(scenes: Sequence[Scene]) -> list[float]:
    """Distinct contact rings of the pieces: the kinds of contact."""
    return sorted({piece.ring for scene in scenes for piece in scene.pieces}) or [0.0]


def scene_arrays(
    scenes: Sequence[Scene], settings: Sequence[Settings], ids: Sequence[str], contact_rings: Sequence[float]
) -> SceneArrays:
    """Pieces of these scenes with a column per id; a single scene or settings serves all rows.

    Raises:
        InvalidScene: a pairing of materials is missing.
    """
    count, rows = len(ids), max(len(scenes), len(settings))
    at = {name: column for column, name in enumerate(ids)}
    positions = np.full((len(scenes), count, 3), np.nan)
    present = np.zeros((len(scenes), count), np.bool_)
    radius, mass, deceleration = np.ones((rows, count)), np.ones((rows, count)), np.ones((rows, count))
    contact_kind = np.zeros((rows, count), np.int64)
    friction, restitution = np.zeros((rows, count, count)), np.zeros((rows, count, count))
    yield_speed = np.full((rows, count, count), inf)
    for row, scene in enumerate(scenes):
        for piece in scene.pieces:
            present[row, at[piece.id]] = True
            positions[row, at[piece.id]] = piece.x, piece.y, piece.angle
    for row in range(rows):
        scene, config = item_at(scenes, row), item_at(settings, row)
        if row and len(settings) == 1 and _has_same_pieces(scene, scenes[row - 1]):
            for array in (radius, mass, deceleration, contact_kind, friction, restitution, yield_speed):
                array[row] = array[row - 1]
            continue
        ImpactSolver(scene.pieces, config)  # raises if a pairing is missing
        for piece in scene.pieces:
            k = at[piece.id]
            radius[row, k], mass[row, k] = piece.radius, piece.mass
            contact_kind[row, k] = contact_rings.index(piece.ring)
            deceleration[row, k] = (
                config.pairings.lookup(piece.material, scene.surface.material).friction * config.gravity
            )
            for other in scene.pieces:
                if other is piece:
                    continue
                pairing = config.pairings.lookup(piece.material, other.material)
                n = at[other.id]
                friction[row, k, n], restitution[row, k, n] = pairing.friction, pairing.restitution
                yield_speed[row, k, n] = inf if pairing.yield_speed is None else pairing.yield_speed
    return SceneArrays(
        positions=positions, present=present, radius=radius, mass=mass, deceleration=deceleration,
        contact_kind=contact_kind, friction=friction, restitution=restitution, yield_speed=yield_speed,
        nail_friction=np.array([one.nail_friction for one in settings]),
        elastic_threshold=np.array([one.elastic_threshold for one in settings]),
        max_time=np.array([one.max_time for one in settings]),
        max_impacts=np.array([one.max_impacts for one in settings], dtype=np.int64),
    )  # fmt: skip


def _has_same_pieces(one: Scene, other: Scene) -> bool:
    """True if two scenes have the same pieces, regardless of positions."""
    if one is other:
        return True
    pairs = zip(one.pieces, other.pieces, strict=False)
    return len(one.pieces) == len(other.pieces) and all(_piece_properties(a) == _piece_properties(b) for a, b in pairs)


def _piece_properties(piece: Piece) -> tuple[str, float, float, float, str]:
    return piece.id, piece.radius, piece.mass, piece.ring, piece.material


def check_same_board(scenes: Sequence[Scene]) -> None:
    """Raises:
    InvalidScene: two scenes have different boards, or a pot stands there.
    """
    if scenes[0].surface.pot is not None:
        raise InvalidScene(["a pot stands there; winks are squidged on a mat, and coins flicked on a board"])
    check_same_surface(scenes)


def check_same_surface(scenes: Sequence[Scene]) -> None:
    """Raises:
    InvalidScene: two scenes have different surfaces.
    """
    first = scenes[0].surface
    for row, scene in enumerate(scenes):
        if scene.surface is not first and scene.surface != first:
            raise InvalidScene([f"scene {row} has another surface than scene 0; shots of one batch share a board"])


def piece_ids(scenes: Sequence[Scene | PyramidScene]) -> tuple[str, ...]:
    """Ids of the pieces of all scenes, in order of first occurrence."""
    found: dict[str, None] = {}
    last: Scene | PyramidScene | None = None
    for scene in scenes:
        if last is None or scene.pieces is not last.pieces:
            found.update((piece.id, None) for piece in scene.pieces)
        last = scene
    return tuple(found)
