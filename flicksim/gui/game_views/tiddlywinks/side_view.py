"""Side view of a flight: height against distance, the pot's outline, the predicted or flown arc, winks edge on."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import cos, hypot, isnan, pi, sin, sqrt

import numpy as np
import pygame

from flicksim.core.geometry import Point
from flicksim.engine import Settings
from flicksim.gui.game_views.tiddlywinks.painter import WinkPainter
from flicksim.gui.game_views.tiddlywinks.squidge_controller import SquidgeController
from flicksim.gui.game_views.tiddlywinks.state_cache import cached
from flicksim.gui.table_view import SidePlane, draw_predicted_arc, ground_colour, side_plane
from flicksim.gui.toolkit import Canvas, palette
from flicksim.render import stacking_order, winks_at
from flicksim.scene import Piece, Pot, Squidge, Trajectory

_GRAVITY = Settings().gravity
Keyframe = tuple[float, float, float]
"""Keyframe: time [s], distance and height [m]."""
_SUBDIVISIONS = 5
"""Subdivisions of a flight between two keyframes."""
_MAX_KEYFRAME_GAP = 0.021
"""Largest interval between two keyframes of a flight [s]."""
_HALF_SIDES = 12
"""Sides of half the outline of a wink."""
_MAX_OFFSET = 0.03
"""Distances from the plane of the flight beyond which winks and pots are drawn faint, and not at all [m]."""


def draw_frame(
    canvas: Canvas, rect: pygame.Rect, plane: SidePlane, pot: Pot | None, text: str, flight: Sequence[Point] = ()
) -> None:
    """Draw the frame, the mat's edge, the scales and the pot; its note is clear of a flight [m]."""
    side_plane.draw_caption(canvas, rect, text)
    canvas.box(rect, ground_colour(), 6, palette.BORDER)
    with canvas.clipped(rect.inflate(-4, -4)):
        side_plane.draw_scales(canvas, rect, plane)
        canvas.surface.fill(palette.FELT, (rect.x + 2, round(plane.ground), rect.w - 4, max(2, canvas.px(4))))
        if pot is not None:
            _draw_pot(canvas, plane, pot, flight)


def _draw_pot(canvas: Canvas, plane: SidePlane, pot: Pot, flight: Sequence[Point]) -> None:
    """Draw the pot: its section where the flight passes through it, an outline where it passes beside."""
    distance, offset = plane.project(pot.position)
    base, top = pot.base_radius, pot.top_radius
    body = [plane.to_screen(distance - base, 0), plane.to_screen(distance - top, pot.height),
            plane.to_screen(distance + top, pot.height), plane.to_screen(distance + base, 0)]  # fmt: skip
    if abs(offset) >= pot.top_radius:  # its section alone, so that a flight past it does not look like a hit
        faint = palette.mix(ground_colour(), palette.TABLE_MUTED_TEXT, 0.4)
        for a, b in pairwise(body):
            canvas.dashed_line(a, b, faint, 1.0, canvas.px(3))
        text = f"the pot, {abs(offset) * 1000:.0f} mm beside"
        at = (plane.to_screen(distance, 0.0)[0], body[1][1] - canvas.px(3))
        curve = [plane.to_screen(*point) for point in flight]
        side_plane.draw_note(canvas, text, at, palette.TABLE_MUTED_TEXT, 10.0, curve)
        return
    canvas.polygon(body, palette.mix(ground_colour(), palette.POT, 0.2))
    wide = max(2.0, pot.wall * plane.zoom)
    canvas.line(body[0], body[1], palette.POT, wide)
    canvas.line(body[2], body[3], palette.POT, wide)
    floor = plane.to_screen(distance - base, pot.floor), plane.to_screen(distance + base, pot.floor)
    canvas.line(*floor, palette.POT, max(1.0, wide / 2))


def _draw_winks(
    canvas: Canvas, plane: SidePlane, winks: Iterable[Piece], colour_key: dict[str, str | None], highlighted: str
) -> None:
    """Draw the winks near the plane of the flight edge on; always the squidged one."""
    for wink in winks:
        distance, offset = plane.project(wink.position)
        if abs(offset) > _MAX_OFFSET and wink.id != highlighted:
            continue
        colour = palette.seat_colour(colour_key.get(wink.id))
        if wink.id != highlighted and abs(offset) > wink.radius:
            colour = palette.mix(colour, ground_colour(), 0.45)
        outline = [plane.to_screen(distance + x, wink.height + z) for x, z in silhouette(wink, plane.azimuth)]
        canvas.polygon(outline, colour)
        edge = palette.LIGHT_TEXT if wink.id == highlighted else palette.mix(colour, palette.LIGHT_TEXT, 0.4)
        for one, other in pairwise([*outline, outline[0]]):
            canvas.line(one, other, edge, 1.0)


def silhouette(wink: Piece, azimuth: float) -> list[Point]:
    """Outline of a wink seen across that direction [rad], from its centre: an ellipse, as wide as the wink is thick
    where it is seen edge on [m]."""
    slope, upright = sin(wink.tilt) * cos(wink.lean - azimuth), cos(wink.tilt)
    size = hypot(slope, upright)
    nx, nz = (slope / size, upright / size) if size > 1e-6 else (0.0, 1.0)
    radius, wide = wink.radius, wink.radius * sqrt(max(0.0, 1.0 - size * size))
    points = []
    for side in (1.0, -1.0):
        for step in range(_HALF_SIDES + 1):
            angle = pi * step / _HALF_SIDES
            along, across = side * radius * cos(angle), side * (wide * sin(angle) + size * wink.thickness / 2.0)
            points.append((along * nz + across * nx, across * nz - along * nx))
    return points


def _draw_flown(
    canvas: Canvas, plane: SidePlane, trajectory: Trajectory, t: float, keys: dict[str, str | None]
) -> None:
    """Draw the flight so far: the squidged wink's path bright, those of others faint."""
    for name, times, points in _screen_paths(trajectory, plane):
        first = name == trajectory.flick.piece
        colour = palette.seat_colour(keys.get(name))
        colour = palette.mix(colour, palette.LIGHT_TEXT, 0.6) if first else palette.mix(colour, ground_colour(), 0.3)
        canvas.polyline(points[: bisect_right(times, t)], colour, max(1.0, canvas.px(1.8 if first else 1.2)))


@cached
def _screen_paths(trajectory: Trajectory, plane: SidePlane) -> list[tuple[str, list[float], list[Point]]]:
    """Screen paths of the winks that rise: name, times [s], and positions."""
    paths = []
    for name, keyframes in _flights(trajectory).items():
        bent = _interpolate_ballistic(keyframes)
        paths.append((name, [t for t, _, _ in bent], [plane.to_screen(distance, high) for _, distance, high in bent]))
    return paths


def _interpolate_ballistic(keyframes: Sequence[Keyframe]) -> list[Keyframe]:
    """Interpolate keyframes ballistically, so that a flight has no corners."""
    points = list(keyframes[:1])
    for (t0, s0, z0), (t1, s1, z1) in pairwise(keyframes):
        parts = _SUBDIVISIONS if t1 - t0 < _MAX_KEYFRAME_GAP else 1
        for k in range(1, parts + 1):
            share = k / parts
            drop = _GRAVITY / 2.0 * (t1 - t0) ** 2 * share * (1.0 - share) if parts > 1 else 0.0
            points.append((t0 + (t1 - t0) * share, s0 + (s1 - s0) * share, z0 + (z1 - z0) * share + drop))
    return points


@cached
def _flights(trajectory: Trajectory) -> dict[str, list[Keyframe]]:
    """Flights in the plane of the squidge, by name: of the squidged wink, and of all that rise."""
    tracks, squidged = trajectory.tracks, trajectory.flick.piece
    assert tracks.heights_and_normals is not None, "winks are squidged"
    plane, flights = SidePlane(trajectory.before.piece(squidged).position, trajectory.flick.azimuth), {}
    for n, name in enumerate(tracks.ids):
        heights = tracks.heights_and_normals[:, n, 0]
        if name != squidged and float(np.nanmax(np.abs(heights - heights[0]))) < 0.001:
            continue
        rows = zip(tracks.times.tolist(), tracks.states[:, n, :2].tolist(), heights.tolist(), strict=True)
        flights[name] = [(t, plane.project((x, y))[0], z) for t, (x, y), z in rows if not isnan(x)]
    return flights


def _pot_outline(plane: SidePlane, pot: Pot | None) -> list[Point]:
    """Pot's rim as distances and heights [m], when it is near the flight's plane and ahead."""
    if pot is None:
        return []
    distance, offset = plane.project(pot.position)
    if abs(offset) > 0.1 or distance < -0.1:
        return []
    return [(distance - pot.top_radius, pot.height), (distance + pot.top_radius, pot.height)]


def draw_predicted(canvas: Canvas, rect: pygame.Rect, painter: WinkPainter, aim_controller: SquidgeController) -> None:
    """Draw the predicted arc of the aim."""
    aim, pot, scene = aim_controller.aim, aim_controller.pot, aim_controller.scene
    assert aim is not None
    points = [*aim.arc.points, *_pot_outline(SidePlane(aim.contact_point, aim.azimuth), pot)]
    plane = side_plane.fit_plane(rect, aim.contact_point, aim.azimuth, points, canvas.scale)
    draw_frame(canvas, rect, plane, pot, "aimed, without bounces", aim.arc.points)
    with canvas.clipped(rect.inflate(-4, -4)):
        keys = {piece.id: painter.colour_key(piece) for piece in scene.pieces}
        others = [wink for wink in stacking_order(scene.pieces) if wink.id != aim.piece.id]
        _draw_winks(canvas, plane, [*others, aim.piece_at_start], keys, aim.piece.id)
        draw_predicted_arc(canvas, plane, aim.arc.points, is_illegal=bool(aim_controller.error), stride=3)


def draw_flight(
    canvas: Canvas, rect: pygame.Rect, painter: WinkPainter, trajectory: Trajectory, t: float, text: str = ""
) -> None:
    """Draw the flight up to a time [s]; beside the caption that time, or other text."""
    squidge = trajectory.flick
    assert isinstance(squidge, Squidge)
    origin, pot = trajectory.before.piece(squidge.piece).position, trajectory.before.surface.pot
    path = [(distance, height) for _, distance, height in _flights(trajectory)[squidge.piece]]
    points = [*path, *_pot_outline(SidePlane(origin, squidge.azimuth), pot)]
    plane = side_plane.fit_plane(rect, origin, squidge.azimuth, points, canvas.scale)
    draw_frame(canvas, rect, plane, pot, text or f"{min(t, trajectory.duration):.2f} s", path)
    keys = {piece.id: painter.colour_key(piece) for piece in trajectory.before.pieces}
    with canvas.clipped(rect.inflate(-4, -4)):
        _draw_flown(canvas, plane, trajectory, t, keys)
        _draw_winks(canvas, plane, winks_at(trajectory, t), keys, squidge.piece)
