"""The flight from the side: height against way, the pot's outline, the arc foreseen or flown, winks edge on."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import cos, hypot, isnan, sin

import numpy as np
import pygame

from flicksim.base.geometry import Point
from flicksim.physics import Settings
from flicksim.table import Motion, Pot, Squidge
from flicksim.ui.faces.tiddlywinks.arc import Arc
from flicksim.ui.faces.tiddlywinks.kept import kept
from flicksim.ui.faces.tiddlywinks.pose import Pose
from flicksim.ui.kit import language, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table.profile import Plane, caption, ground, note, scales, well

_GRAVITY = Settings().gravity
Knot = tuple[float, float, float]
"""Time [s], way and height [m]."""
_BENDS = 5
"""Pieces a flight between two knots is drawn in."""
_FLYING = 0.021
"""Knots farther apart than this are not of a flight [s]."""
_BESIDE = 0.03
"""Winks and pots farther than this from the plane of the flight are drawn faint, or not at all [m]."""


def framed(canvas: Canvas, rect: pygame.Rect, plane: Plane, pot: Pot | None, words: str) -> None:
    """The frame, the mat's edge, a scale each way, the pot; kept while the flight stays the same."""
    global _kept
    caption(canvas, rect, words)
    key = (rect.topleft, rect.size, plane, pot, canvas.scale, palette.name, language.current())
    if _kept is None or _kept[0] != key:
        well(canvas, rect)
        with canvas.clipped(rect.inflate(-4, -4)):
            scales(canvas, rect, plane)
            floor = round(plane.floor)
            canvas.surface.fill(palette.FELT, (rect.x + 2, floor, rect.w - 4, max(2, canvas.px(4))))
            if pot is not None:
                _pot(canvas, plane, pot)
        seen = rect.clip(canvas.surface.get_rect())
        _kept = key, canvas.surface.subsurface(seen).copy()
    canvas.surface.blit(_kept[1], rect.clip(canvas.surface.get_rect()))


_kept: tuple[object, pygame.Surface] | None = None
"""The frame drawn last, and what it shows."""


def _pot(canvas: Canvas, plane: Plane, pot: Pot) -> None:
    """The pot: its cut walls where the flight passes through it, an outline where it passes beside."""
    way, aside = plane.split(pot.at)
    base, top = pot.base_radius, pot.top_radius
    body = [plane.to_screen(way - base, 0), plane.to_screen(way - top, pot.height),
            plane.to_screen(way + top, pot.height), plane.to_screen(way + base, 0)]  # fmt: skip
    if abs(aside) >= pot.top_radius:  # only where it stands, so that no flight past it looks like a hit
        faint = palette.mix(ground(), palette.DUST, 0.4)
        for a, b in pairwise(body):
            canvas.dashes(a, b, faint, 1.0, canvas.px(3))
        words = f"the pot, {abs(aside) * 1000:.0f} mm beside"
        note(canvas, words, (plane.to_screen(way, 0.0)[0], body[1][1] - canvas.px(3)), palette.DUST, 10.0)
        return
    canvas.polygon(body, palette.mix(ground(), palette.POT, 0.2))
    wide = max(2.0, pot.wall * plane.zoom)
    canvas.line(body[0], body[1], palette.POT, wide)
    canvas.line(body[2], body[3], palette.POT, wide)
    floor = plane.to_screen(way - base, pot.floor), plane.to_screen(way + base, pot.floor)
    canvas.line(*floor, palette.POT, max(1.0, wide / 2))


def winks(canvas: Canvas, plane: Plane, poses: Iterable[Pose], painter_key: dict[str, str | None], lit: str) -> None:
    """Winks edge on, those near the plane of the flight; the squidged one always."""
    for pose in poses:
        way, aside = plane.split(pose.at)
        if abs(aside) > _BESIDE and pose.piece.id != lit:
            continue
        key = painter_key.get(pose.piece.id)
        colour = palette.seat_colour(key)
        if pose.piece.id != lit and abs(aside) > pose.piece.radius:
            colour = palette.mix(colour, ground(), 0.45)
        slope = sin(pose.tilt) * cos(pose.lean - plane.azimuth)
        upright = cos(pose.tilt)
        size = hypot(slope, upright)
        nx, nz = (slope / size, upright / size) if size > 1e-6 else (0.0, 1.0)
        # how long a disc is seen edge on: whole when its face holds the line of sight, rounder otherwise
        half, thick = pose.piece.radius, max(pose.piece.thickness / 2.0, pose.piece.radius * (1.0 - size))
        ex, ez = nz, -nx
        corners = [(way + a * half * ex + b * thick * nx, pose.z + a * half * ez + b * thick * nz)
                   for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]  # fmt: skip
        shown = [plane.to_screen(*c) for c in corners]
        canvas.polygon(shown, colour)
        edge = palette.PALE if pose.piece.id == lit else palette.mix(colour, palette.PALE, 0.4)
        for i in range(4):
            canvas.line(shown[i - 1], shown[i], edge, 1.0)


def foreseen(canvas: Canvas, plane: Plane, arc: Arc, *, wrong: bool) -> None:
    """The arc foreseen: dashed, its top and its end marked in numbers."""
    colour = palette.ALARM if wrong else palette.GLOW
    points = [plane.to_screen(*p) for p in arc.points[::3]] + [plane.to_screen(*arc.points[-1])]
    for k in range(0, len(points) - 1, 2):
        canvas.line(points[k], points[k + 1], colour, max(1.5, canvas.px(2)))
    top = max(arc.points, key=lambda p: p[1])
    x, y = plane.to_screen(*top)
    note(canvas, f"{top[1] * 1000:.0f} high", (x, y - canvas.px(3)), colour)
    x, y = points[-1]
    canvas.ring((x, y), canvas.px(4), colour, canvas.px(1.5))


def flown(canvas: Canvas, plane: Plane, motion: Motion, t: float, keys: dict[str, str | None]) -> None:
    """Draw what has flown so far: the squidged wink's way bright, those of others it has moved faint."""
    for name, times, points in kept(motion, ("flown", plane), lambda: _paths(motion, plane)):
        first = name == motion.flick.piece
        colour = palette.seat_colour(keys.get(name))
        colour = palette.mix(colour, palette.PALE, 0.6) if first else palette.mix(colour, ground(), 0.3)
        canvas.path(points[: bisect_right(times, t)], colour, max(1.0, canvas.px(1.8 if first else 1.2)))


def _paths(motion: Motion, plane: Plane) -> list[tuple[str, list[float], list[Point]]]:
    """Of each wink that rises: its name, times [s], and where it is then on the screen."""
    tracks = motion.tracks
    found: list[tuple[str, list[float], list[Point]]] = []
    if tracks.air is None:
        return found
    for n, name in enumerate(tracks.ids):
        heights = tracks.air[:, n, 0]
        if name != motion.flick.piece and float(np.nanmax(np.abs(heights - heights[0]))) < 0.001:
            continue
        rows = zip(tracks.times.tolist(), tracks.states[:, n, :2].tolist(), heights.tolist(), strict=True)
        knots = [(t, plane.split((x, y))[0], z) for t, (x, y), z in rows if not isnan(x)]
        bent = _falling(knots)
        found.append((name, [t for t, _, _ in bent], [plane.to_screen(way, high) for _, way, high in bent]))
    return found


def _falling(knots: Sequence[Knot]) -> list[Knot]:
    """More of them between knots, bent as gravity bends a flight: no corners."""
    found = list(knots[:1])
    for (t0, s0, z0), (t1, s1, z1) in pairwise(knots):
        parts = _BENDS if t1 - t0 < _FLYING else 1
        for k in range(1, parts + 1):
            share = k / parts
            drop = _GRAVITY / 2.0 * (t1 - t0) ** 2 * share * (1.0 - share) if parts > 1 else 0.0
            found.append((t0 + (t1 - t0) * share, s0 + (s1 - s0) * share, z0 + (z1 - z0) * share + drop))
    return found


def span_of(motion: Motion) -> list[Point]:
    """Way and height of all that the squidged wink passed, and of the pot [m]."""
    assert isinstance(motion.flick, Squidge)
    plane = Plane(motion.before.piece(motion.flick.piece).at, motion.flick.azimuth)
    tracks = motion.tracks
    n = tracks.ids.index(motion.flick.piece)
    heights = tracks.air[:, n, 0] if tracks.air is not None else [0.0] * len(tracks.times)
    found = [
        (plane.split((float(x), float(y)))[0], float(z))
        for (x, y), z in zip(tracks.states[:, n, :2], heights, strict=True)
        if not isnan(x)
    ]
    return [*found, *pot_points(plane, motion.before.surface.pot)]


def pot_points(plane: Plane, pot: Pot | None) -> list[Point]:
    """The pot's rim as way and height [m], when it is anywhere near the flight's plane and ahead."""
    if pot is None:
        return []
    way, aside = plane.split(pot.at)
    if abs(aside) > 0.1 or way < -0.1:
        return []
    return [(way - pot.top_radius, pot.height), (way + pot.top_radius, pot.height)]
