"""Random mats of tiddlywinks, random squidges on them, and invariants of the results."""

from collections.abc import Iterator
from math import acos, atan2, cos, hypot, pi, radians, sin
from typing import Any, Literal

import msgspec
import numpy as np

from benchmarks.random_boards import unexplained_events
from flicksim.core.arrays import Floats
from flicksim.engine import Settings, simulate
from flicksim.engine.squidge import simulate_flight
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.wink_placement import place_in_pot, scene_with_pieces, spot_touching_pot
from flicksim.scene import Piece, Pot, Scene, Squidge, Trajectory
from flicksim.scene.flick import MAX_FOLLOW_THROUGH, MAX_SPEED, MAX_TUMBLE, SQUIDGER_DIAMETER_RANGE
from flicksim.scene.resting_pose import upper_normal
from flicksim.scene.wink_stacking import overlap, place_flat, place_piece, upper_piece

_MATS: tuple[Literal["felt", "blanket", "carpet", "rug", "bare"], ...] = ("felt", "blanket", "carpet", "rug", "bare")
_GAIN = 0.02
"""Energy the solver may invent where winks lie in piles, per mass of the lightest [J/kg]."""
_MAX_SINK = 3e-5
"""Depth of one wink's edge in another that is allowed at rest [m]."""
_MAX_WALL_DEPTH = 2e-4
"""Depth of a wink in the pot's wall that is allowed at rest [m]."""
_RIM_CROSSING_TOLERANCE = 1e-3
"""Distance below the rim at which a centre may seem to pass over the wall, between two knots [m]."""
_MAX_DURATION = 3.0
"""A flight is deadened twice when it is not over in time, so it lasts no longer than so many of them."""
_MAX_TILT = 0.35
"""Largest widening or narrowing of an odd pot over its height; the height layer cuts its wall off square [-]."""
_RIM_ANGLES, _CLOSE = (np.linspace(0.0, 2.0 * pi, count, endpoint=False) for count in (72, 720))
"""Points of an edge: against another wink, and against the pot's wall, which would pass between two of the former."""


def warm_up() -> None:
    """Have what is compiled compiled, before anything is timed."""
    options = Options()
    winks = tuple(kit.wink(options, name, at) for name, at in (("blue-1", (0.1, 0.0)), ("red-1", (0.13, 0.0))))
    shot = Squidge(piece="red-1", speed=1.0, azimuth=pi, press=0.5)
    simulate(Scene(surface=kit.mat_surface(options), pieces=winks), shot)


def position(rng: np.random.Generator) -> Scene:
    """A mat with up to 24 winks: alone, in piles, potted, at the wall, on the rim, leaning, at the edge."""
    options = Options(
        pot_base_diameter_mm=float(rng.choice([38.1, 42.0, 47.625])),
        mat_material=_MATS[int(rng.integers(5))],
    )  # fmt: skip
    pot, scene = kit.pot(options), Scene(surface=kit.mat_surface(options))
    for name in rng.permutation(np.array(kit.WINKS))[: int(rng.integers(1, 25))]:
        scene = _place_wink(rng, scene, kit.wink(options, str(name), (0.5, 0.0)), pot)
    return scene


def unusual_position(rng: np.random.Generator) -> Scene:
    """The same with a pot of any shape, winks of any size and plastic, and nothing that the rules would have so."""
    options = Options(mat_material=_MATS[int(rng.integers(5))])
    height, top = float(rng.uniform(0.01, 0.08)), float(rng.uniform(0.015, 0.040))
    base = max(0.012, top + height * float(rng.uniform(-_MAX_TILT, _MAX_TILT)))
    pot = msgspec.structs.replace(
        kit.pot(options), height=height, top_radius=top, base_radius=base, wall=float(rng.uniform(0.5e-3, 3e-3))
    )
    scene = Scene(surface=msgspec.structs.replace(kit.mat_surface(options), pot=pot))
    for name in rng.permutation(np.array(kit.WINKS))[: int(rng.integers(1, 13))]:
        radius, thickness = float(rng.uniform(5e-3, 0.018)), float(rng.uniform(0.8e-3, 3.5e-3))
        mass = float(rng.uniform(900.0, 2200.0)) * pi * radius**2 * thickness
        wink = kit.wink(options, str(name), (0.5, 0.0))
        odd = msgspec.structs.replace(wink, radius=radius, thickness=thickness, mass=mass)
        scene = _place_wink(rng, scene, odd, pot)
    return scene


def _place_wink(rng: np.random.Generator, scene: Scene, piece: Piece, pot: Pot) -> Scene:
    """The scene with one wink more; the same when it cannot lie where chance would have it."""
    choice, angle, there = rng.random(), float(rng.uniform(-pi, pi)), scene.pieces
    on_mat = [other for other in there if other.support == "surface"]
    if choice < 0.15:
        potted = place_in_pot(scene, piece, pot)
        wide = wall_penetration(potted.piece(piece.id), pot) > _MAX_SINK  # hands would lay it there all the same
        return scene if wide or potted.problems() else potted
    if choice < 0.20 and not any(other.support == "rim" for other in there):
        spot = (pot.top_radius * cos(angle), pot.top_radius * sin(angle))
        placed = msgspec.structs.replace(place_flat(piece, spot, pot.height + piece.thickness / 2.0), support="rim")
    elif choice < 0.25:
        lean = 0.8
        low = piece.radius * sin(lean) + piece.thickness / 2.0 * cos(lean)
        apart = pot.outer_radius(low) + piece.radius * cos(lean) + piece.thickness / 2.0 * sin(lean)
        placed = msgspec.structs.replace(
            place_flat(piece, (apart * cos(angle), apart * sin(angle)), low),
            tilt=lean,
            lean=angle,
            support="leaning",
        )
    elif choice < 0.35:
        placed = place_piece(there, piece, spot_touching_pot(piece, pot, (cos(angle), sin(angle))))
    elif choice < 0.40:
        placed = place_piece(there, piece, (float(rng.choice([-0.9143, 0.9143])), float(rng.uniform(-0.45, 0.45))))
    elif choice < 0.75 and on_mat:
        base = on_mat[int(rng.integers(len(on_mat)))]
        distance = float(rng.uniform(0.0, 1.1)) * (base.radius + piece.radius)
        placed = place_piece(there, piece, (base.x + distance * cos(angle), base.y + distance * sin(angle)))
    else:
        placed = place_piece(there, piece, (float(rng.uniform(-0.9, 0.9)), float(rng.uniform(-0.44, 0.44))))
    more = scene_with_pieces(scene, (*there, placed))
    clear = wall_penetration(placed, pot) < _MAX_SINK and not any(
        mutual_penetration(placed, other) > _MAX_SINK for other in there
    )
    return more if clear and not more.problems() else scene


def flick(rng: np.random.Generator, scene: Scene) -> Squidge | None:
    """Any squidge of a wink that nothing covers; None when there is none."""
    out = [piece for piece in scene.pieces if piece.support in ("surface", "leaning", "rim")]
    free = [
        a for a in out if not any(overlap(a, b) > 1e-6 and upper_piece(out, a, b) is b for b in out if b is not a)
    ]  # fmt: skip
    if not free:
        return None
    piece = free[int(rng.integers(len(free)))]
    azimuth, kind = float(rng.uniform(-pi, pi)), rng.random()
    if rng.random() < 0.6:  # at the pot, or at another wink
        others = [(0.0, 0.0), *(other.position for other in scene.pieces if other is not piece)]
        x, y = others[int(rng.integers(len(others)))] if rng.random() < 0.5 else (0.0, 0.0)
        azimuth = float(np.clip(atan2(y - piece.y, x - piece.x) + rng.normal(0.0, 0.05), -pi, pi))
    if kind < 0.75:  # as the game offers them
        speed, elevation, tumble = rng.uniform(0.2, 4.0), rng.uniform(radians(15.0), radians(80.0)), rng.uniform(0, 100)
    else:  # anything a squidge may be
        speed, elevation = MAX_SPEED ** rng.uniform(-0.5, 1.0), rng.uniform(0.0, pi / 2.0)
        tumble = rng.choice([-1.0, 1.0]) * MAX_TUMBLE ** rng.uniform(0.0, 1.0)
    deep = rng.random() < 0.25
    return Squidge(
        piece=piece.id, speed=float(speed), azimuth=azimuth, elevation=float(elevation), tumble=float(tumble),
        squidger=float(rng.uniform(*SQUIDGER_DIAMETER_RANGE)), press=float(rng.uniform(0.0, 1.0)) if deep else 0.0,
        drag=float(rng.uniform(0.0, MAX_FOLLOW_THROUGH)) if deep else 0.0,
    )  # fmt: skip


def simulate_checked(scene: Scene, shot: Any) -> tuple[Trajectory, Iterator[str]]:
    """Make the shot; return the motion and what is wrong with it."""
    motion = simulate(scene, shot)
    return motion, _problems(motion, shot)


def _problems(motion: Trajectory, shot: Squidge) -> Iterator[str]:
    settings = Settings()
    flight, _ = simulate_flight(motion.before, shot, settings)
    if flight.energy_gain > _GAIN:
        yield f"energy rose by {flight.energy_gain:.3g} J/kg"
    if motion.duration > _MAX_DURATION * settings.max_flight_time + 1e-6:
        yield f"it took {motion.duration:.2f} s"
    yield from unexplained_events(motion)
    tracks = motion.tracks
    assert tracks.heights_and_normals is not None
    if not (np.isfinite(tracks.states[0]).all() and np.isfinite(tracks.heights_and_normals[0]).all()):
        yield "a track does not begin with numbers"
    if np.isinf(tracks.states).any() or np.isinf(tracks.heights_and_normals).any():
        yield "a track is not finite"
    yield from motion.after.problems()
    pot = motion.before.surface.pot
    assert pot is not None
    yield from _tunnelled(motion, pot)
    yield from _overlaps(motion)
    for piece in motion.after.pieces:
        if piece != motion.before.piece(piece.id) and (deep := wall_penetration(piece, pot)) > _MAX_WALL_DEPTH:
            yield f"{piece.id} is {deep * 1e3:.2f} mm in the pot's wall at rest"


def _tunnelled(motion: Trajectory, pot: Pot) -> Iterator[str]:
    """Centres that went in or out lower than the rim."""
    air = motion.tracks.heights_and_normals
    assert air is not None
    at = np.dstack([motion.tracks.states[:, :, :2] - (pot.x, pot.y), air[:, :, :1]])
    inside = _beyond_wall(at, pot) < 0.0
    for k, i in np.argwhere((inside[:-1] != inside[1:]) & np.isfinite(at[:-1] + at[1:]).all(axis=2)):
        # knots may be far apart, and the wall ends at the rim: where a straight path between them crosses it
        path = np.linspace(at[k, i], at[k + 1, i], 256)
        height = path[np.argmax((_beyond_wall(path, pot) < 0.0) != inside[k, i]), 2]
        if height < pot.height - _RIM_CROSSING_TOLERANCE:
            t, name = motion.tracks.times[k], motion.tracks.ids[i]
            yield f"{name} went through the pot's wall at {t:.3f} s, {1e3 * (pot.height - height):.1f} mm below the rim"


def _beyond_wall(at: Floats, pot: Pot) -> Floats:
    """Distance of points from the middle of the wall, outwards, at their height or that of the rim [m]. [..., 3]"""
    radius = pot.base_radius + (pot.top_radius - pot.base_radius) * np.clip(at[..., 2] / pot.height, 0.0, 1.0)
    beyond: Floats = np.hypot(at[..., 0], at[..., 1]) - (radius - pot.wall / 2.0)
    return beyond


def edge_points(piece: Piece, angles: Floats = _RIM_ANGLES) -> Floats:
    """Points on its rim, at both faces and between them [M, 3]."""
    n = np.array(upper_normal(piece))
    e1 = np.cross(n, [1.0, 0.0, 0.0] if abs(n[0]) < 0.9 else [0.0, 1.0, 0.0])
    e1 /= np.linalg.norm(e1)
    ring = piece.radius * (np.cos(angles)[:, None] * e1 + np.sin(angles)[:, None] * np.cross(n, e1))
    centre = np.array([piece.x, piece.y, piece.height])
    return np.concatenate([centre + ring + side * piece.thickness / 2.0 * n for side in (-1.0, 0.0, 1.0)])


def penetration(a: Piece, b: Piece, angles: Floats = _RIM_ANGLES) -> float:
    """Greatest depth of an edge point of one in the other [m]."""
    n = np.array(upper_normal(b))
    off = edge_points(a, angles) - np.array([b.x, b.y, b.height])
    axial = off @ n
    rho = np.sqrt(np.maximum(0.0, np.sum(off * off, axis=1) - axial**2))
    return float(np.minimum(b.radius - rho, b.thickness / 2.0 - np.abs(axial)).max())


def wall_penetration(piece: Piece, pot: Pot) -> float:
    """Greatest depth of an edge point in the pot's wall [m]; through a corner of it counts as the way out."""
    points = edge_points(piece, _CLOSE)
    z = points[:, 2]
    rho = np.hypot(points[:, 0] - pot.x, points[:, 1] - pot.y)
    outer = pot.base_radius + (pot.top_radius - pot.base_radius) * np.clip(z / pot.height, 0.0, 1.0)
    return float(np.minimum.reduce([outer - rho, rho - (outer - pot.wall), pot.height - z]).max())


def mutual_penetration(a: Piece, b: Piece, angles: Floats = _RIM_ANGLES) -> float:
    """Depth of one of two winks in the other [m]; 0 when they are nowhere near."""
    if hypot(a.x - b.x, a.y - b.y, a.height - b.height) >= hypot(a.radius, a.thickness) + hypot(b.radius, b.thickness):
        return 0.0
    return max(penetration(a, b, angles), penetration(b, a, angles))


def _overlaps(motion: Trajectory) -> Iterator[str]:
    """Winks of which one has moved, and that lie in one another now."""
    pieces = motion.after.pieces
    for k, a in enumerate(pieces):
        for b in pieces[:k]:
            moved = a != motion.before.piece(a.id) or b != motion.before.piece(b.id)
            if moved and (deep := mutual_penetration(a, b)) > _MAX_SINK:
                angle = acos(min(1.0, abs(float(np.dot(upper_normal(a), upper_normal(b))))))
                where = a.support if a.support == b.support else f"{a.support} and {b.support}"
                yield f"{a.id} and {b.id} ({where}) are {deep * 1e6:.0f} um in one another, {angle:.2f} rad apart"
