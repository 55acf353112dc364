"""Scenes of winks as the arrays that the compiled loop reads, and the scene after a shot from what it writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import acos, atan2, inf

import msgspec
import numpy as np

from flicksim.core.arrays import Floats
from flicksim.engine.planar_world import pot_foot_radius
from flicksim.engine.settings import Settings
from flicksim.engine.winks import (
    PLAY_PARAMS,
    ContactParams,
    Cup,
    Status,
    WinkParams,
    WinkStates,
    damping_from_restitution,
)
from flicksim.engine.winks.bodies import make_bodies
from flicksim.engine.winks.outcome import MOVE_TOLERANCE
from flicksim.engine.winks.shot_arrays import MatArrays, make_mats
from flicksim.engine.winks.sliding_plane import LEVEL_TILT
from flicksim.scene.piece import Piece, Support
from flicksim.scene.pot import Pot
from flicksim.scene.resting_pose import upper_normal
from flicksim.scene.scene import Scene
from flicksim.scene.wink_stacking import all_supports

MAX_SUPPORT_SHIFT = 1e-4
"""Largest displacement of a wink that still supports the one on it [m]."""
ROLLING_RESISTANCE_FACTORS = (1.0, 8.0, 64.0)
"""Successive factors on rolling resistance, for winks that still whirl at the time limit."""
_SUPPORT_BY_STATUS: dict[Status, Support] = {Status.POTTED: "pot", Status.ON_RIM: "rim"}


def wink_states(scene: Scene) -> WinkStates:
    """States of all winks of a scene, at rest."""
    centres = np.array([(p.x, p.y, p.height) for p in scene.pieces])
    normals = np.array([upper_normal(p) for p in scene.pieces])
    return WinkStates.at_rest(centres, [(p.radius, p.thickness / 2.0, p.mass) for p in scene.pieces], normals)


def wink_params(scene: Scene, settings: Settings) -> WinkParams:
    """Wink parameters for the materials of a scene."""
    wink = scene.pieces[0].material

    def contact(other: str) -> ContactParams:
        pairing = settings.pairings.lookup(wink, other)
        return ContactParams(
            damping_ratio=damping_from_restitution(pairing.restitution),
            friction=pairing.friction,
            rolling_resistance=settings.rolling_resistance,
        )

    pot = scene.surface.pot
    return WinkParams(
        felt=contact(scene.surface.material),
        pot=contact(pot.material if pot is not None else scene.surface.material),
        wink=contact(wink),
        drag_coefficient=settings.drag_coefficient,
        gravity=settings.gravity,
        stiffness=PLAY_PARAMS.stiffness / settings.step_factor**2,
        time_step=PLAY_PARAMS.time_step * settings.step_factor,
    )


def cup_geometry(pot: Pot | None) -> Cup | None:
    """Geometry of a pot for the wink simulation; None without a pot."""
    if pot is None:
        return None
    return Cup(
        x=pot.x,
        y=pot.y,
        height=pot.height,
        top_radius=pot.top_radius,
        base_radius=pot.base_radius,
        wall_thickness=pot.wall,
        floor_height=pot.floor,
    )


def with_rolling_factor(params: WinkParams, factor: float) -> WinkParams:
    """Copy wink parameters with every rolling resistance multiplied by a factor."""
    if factor == 1.0:
        return params

    def scaled(material: ContactParams) -> ContactParams:
        return replace(material, rolling_resistance=factor * material.rolling_resistance)

    return replace(params, felt=scaled(params.felt), pot=scaled(params.pot), wink=scaled(params.wink))


@lru_cache(maxsize=64)
def _material_tables(params: WinkParams) -> Floats:
    """Material tables for each of the rolling resistances tried in turn. [D, 2, 3, 4]"""
    return np.stack([with_rolling_factor(params, factor).material_table() for factor in ROLLING_RESISTANCE_FACTORS])


def mat_arrays(pairs: Sequence[tuple[Scene, Settings]], contact_rings: Sequence[float]) -> MatArrays:
    """Arrays of mats on one board, for these scenes and settings; the winks of each in the order of its pieces.

    Raises:
        InvalidScene: a pairing of materials is missing.
    """
    surface, count = pairs[0][0].surface, max(len(scene.pieces) for scene, _ in pairs)
    cup, pot = cup_geometry(surface.pot), surface.pot
    made = make_mats(
        len(pairs), count, len(ROLLING_RESISTANCE_FACTORS), np.zeros(0) if cup is None else cup.to_array(),
        np.array(surface.outline, dtype=np.float64),
    )  # fmt: skip
    for row, (scene, settings) in enumerate(pairs):
        if not scene.pieces:
            continue
        params, winks, present = wink_params(scene, settings), wink_states(scene), len(scene.pieces)
        drag = params.drag_rate(winks.R, winks.h, winks.mass)
        made.bodies[row, :present] = make_bodies(winks.c, winks.v, winks.n, winks.L, winks.R, winks.h, winks.mass, drag)
        index_of = {piece.id: i for i, piece in enumerate(scene.pieces)}
        foot_radius = {} if pot is None else {h: pot_foot_radius(pot, h) for h in {p.thickness for p in scene.pieces}}
        for i, piece in enumerate(scene.pieces):
            for lower in piece.lies_on:
                if lower in index_of:
                    made.stacked[row, min(i, index_of[lower]), max(i, index_of[lower])] = True
            made.contact_kind[row, i] = contact_rings.index(piece.ring)
            if pot is not None:
                made.pot_contact_distance[row, i] = piece.radius + foot_radius[piece.thickness]
        made.materials[row] = _material_tables(params)
        made.solver_params[row], made.mass_unit[row] = params.solver_array(cup), winks.mass.min()
        made.radius[row, :present], made.mass[row, :present] = winks.R, winks.mass
        if pot is not None:
            made.radius[row, count] = foot_radius[max(foot_radius)]
        _set_pairings(made, row, scene, settings)
        made.elastic_threshold[row], made.max_impacts[row] = settings.elastic_threshold, settings.max_impacts
        made.max_flight_time[row] = settings.max_flight_time
        made.keyframe_interval[row] = settings.output_interval / 4.0
    return made


def _set_pairings(mats: MatArrays, row: int, scene: Scene, settings: Settings) -> None:
    """Set friction and restitution of the winks of a mat with the felt, one another and the pot's foot."""
    surface, lookup = scene.surface, settings.pairings.lookup
    names = [piece.material for piece in scene.pieces]
    padding = [names[0]] * (mats.radius.shape[1] - 1 - len(names))
    bodies = [*names, *padding, names[0] if surface.pot is None else surface.pot.material]
    materials = list(dict.fromkeys(bodies))
    index = np.array([materials.index(name) for name in bodies])
    felt = np.array([lookup(name, surface.material).friction * settings.gravity for name in dict.fromkeys(names)])
    mats.deceleration[row, :-1] = felt[index[:-1]]
    table = np.zeros((3, len(materials), len(materials)))
    for a, one in enumerate(materials):
        for b, other in enumerate(materials):
            if a != b or names.count(one) > 1:
                pairing = lookup(one, other)
                yield_speed = inf if pairing.yield_speed is None else pairing.yield_speed
                table[:, a, b] = pairing.friction, pairing.restitution, yield_speed
    mats.friction[row], mats.restitution[row], mats.yield_speed[row] = table[:, index[:, None], index]


def final_scene(scene: Scene, poses: Floats, statuses: Sequence[Status], stacked: Sequence[tuple[int, int]]) -> Scene:
    """Scene with the winks at their final poses, without those that left; unmoved ones stay bit for bit.

    Args:
        poses: centres [m] and normals. [N, 6]
        stacked: pairs (upper, lower) of winks that lie on one another, from the lowest contact up.
    """
    present = [(i, p) for i, p in enumerate(scene.pieces) if statuses[i] is not Status.LEFT]
    centres, normals = poses[:, :3].tolist(), poses[:, 3:].tolist()
    asleep = {i for i, p in present if centres[i] == [p.x, p.y, p.height]}  # was never awake
    rounded = {
        i: (centres[i] if i in asleep else [*scene.surface.round_inside(centres[i][:2]), centres[i][2]], normals[i])
        for i, _ in present
    }
    under = {p.id for i, p in present if i in asleep or _is_unmoved(p, *rounded[i], MAX_SUPPORT_SHIFT)}
    # a wink may have been laid by hand on one that the simulation sees only near it
    lies_on = {
        p.id: tuple(name for name in p.lies_on if name in under)
        for i, p in present
        if i in asleep or _is_unmoved(p, *rounded[i])
    }
    uppers = {upper for upper, _ in stacked}
    for pair in stacked:
        upper, lower = (scene.pieces[i].id for i in pair)
        held = lies_on.get(upper, ())
        # of two that lean on each other, the one that lay above stays so
        if lower not in held and upper not in all_supports(lies_on, lower):
            lies_on[upper] = (*held, lower)
    pieces = tuple(
        p
        if i in asleep and not p.lies_on and i not in uppers
        else resting_piece(p, *rounded[i], statuses[i], lies_on.get(p.id, ()))
        for i, p in present
    )
    return msgspec.structs.replace(scene, pieces=pieces)


def _is_unmoved(piece: Piece, c: list[float], n: list[float], tolerance: float = MOVE_TOLERANCE) -> bool:
    """True if a piece lies as before, within a tolerance [m]."""
    displacement = max(abs(c[0] - piece.x), abs(c[1] - piece.y), abs(c[2] - piece.height))
    return displacement < tolerance and abs(acos(min(1.0, abs(n[2]))) - piece.tilt) < 1e-4


def resting_piece(piece: Piece, c: list[float], n: list[float], status: Status, lies_on: tuple[str, ...]) -> Piece:
    """Piece at rest with centre `c`, normal `n` and this support."""
    (x, y, z), (nx, ny, nz) = c, n
    support = _SUPPORT_BY_STATUS.get(status, "surface")
    if status is Status.LEANING and not lies_on:
        support = "leaning"
    if support == "pot":
        lies_on = ()
    tilt = acos(min(1.0, abs(nz)))
    if _is_unmoved(piece, c, n):
        return piece if lies_on == piece.lies_on else msgspec.structs.replace(piece, lies_on=lies_on)
    flipped = nz < 0.0
    level = tilt < LEVEL_TILT
    up = -1.0 if flipped else 1.0
    flat = level and not lies_on and support == "surface"
    return msgspec.structs.replace(
        piece,
        x=x,
        y=y,
        z=None if flat else round(z, 9),
        tilt=0.0 if level else round(tilt, 9),
        lean=0.0 if level else round(atan2(up * ny, up * nx), 9),
        face=-piece.face if flipped else piece.face,
        lies_on=lies_on,
        support=support,
    )
