"""The mat on the screen: felt, base lines, pot, and winks by height with their shadows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import cos, hypot, isnan, sin

import numpy as np
import pygame

from flicksim.base.geometry import Point
from flicksim.drawing import Camera, matter, tops
from flicksim.table import Landed, Left, Motion, Piece, Pot, Scene, Surface, Touched, beneath
from flicksim.ui.faces.tiddlywinks import pictures
from flicksim.ui.faces.tiddlywinks.kept import kept
from flicksim.ui.faces.tiddlywinks.pose import Pose, at_time, lying
from flicksim.ui.kit import coins, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table.painter import Place, TablePainter
from flicksim.ui.table.playback import FALL

_FLASH = 0.16
_MOVED = 1e-4
_WALL = 0.04
"""The steps in which the rim of the pot is drawn thicker the farther away it is seen, as a share of its radius."""


class WinkPainter(TablePainter):
    """Draws mats. What may not be played is told it by whoever knows the rules."""

    squopped: frozenset[str] = frozenset()
    barred: frozenset[str] = frozenset()
    """Winks shown as covered; of these, those whose owner would now like to play them."""

    _pot: Pot | None = None

    # -- the mat --------------------------------------------------------------------------------------------------

    def surface(self, canvas: Canvas, camera: Camera, surface: Surface, *, near: str = "", words: bool = True) -> None:
        """Felt, corners tinted by whose they are, base lines with names, a length to measure by, the pot's inside."""
        del near
        self._pot = pot = surface.pot
        self._top(canvas, camera, surface, "felt", palette.FELT)
        for line in surface.lines:
            self._corner(canvas, camera, surface, line.a, line.b, line.name.split()[0])
        for line in surface.lines:
            canvas.line(camera.to_screen(line.a), camera.to_screen(line.b), palette.LINE, max(1.6, canvas.px(1.8)))
        if words:
            for line in surface.lines:
                self._line_name(canvas, camera, line.a, line.b, line.name)
            self._length(canvas, camera, surface)
        if pot is not None:
            (x, y), r, lift = camera.to_screen(pot.at), round(pot.top_radius * camera.zoom), pot.height * camera.zoom
            dark, (dx, dy) = coins.shadow(r, round(0.6 * lift)), matter.drop(r, 0.6 * lift)
            canvas.surface.blit(dark, dark.get_rect(center=(round(x + dx), round(y + dy))))
            well = pictures.well(r, round(pot.inner(pot.height) / pot.top_radius, 2))
            canvas.surface.blit(well, well.get_rect(center=(round(x), round(y))))

    def _corner(self, canvas: Canvas, camera: Camera, surface: Surface, a: Point, b: Point, colour: str) -> None:
        """The triangle behind a base line."""
        mx, my = (a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0
        corner = min(surface.outline, key=lambda p: hypot(p[0] - mx, p[1] - my))
        if colour in palette.SEATS:
            canvas.glaze(camera.all((a, b, corner)), palette.SEATS[colour], tops.TINT)

    def _line_name(self, canvas: Canvas, camera: Camera, a: Point, b: Point, name: str) -> None:
        """Beside the mat, over or under the end of the line on the long edge; where it is seen whole."""
        end = max((a, b), key=lambda p: abs(p[1]))
        x, y = camera.to_screen(end)
        up = end[1] > 0.0
        right = end[0] > 0.0
        y += canvas.px(-5 if up else 5)
        low, clip = y + (0 if up else canvas.high(12)), canvas.surface.get_clip()
        if clip.top <= low - canvas.high(12) and low <= clip.bottom:
            anchor = ("bottom" if up else "top") + ("right" if right else "left")
            canvas.text(name, (x, y), 12, palette.FAINT, anchor=anchor)

    def _length(self, canvas: Canvas, camera: Camera, surface: Surface) -> None:
        """A bar of a round length under the mat, or in the corner of the view when the edge is out of sight."""
        step = next((s for s in (5, 10, 20, 50, 100, 200) if s / 1000.0 * camera.zoom >= canvas.px(56)), 200)
        wide = step / 1000.0 * camera.zoom
        clip = canvas.surface.get_clip()
        x, y = clip.centerx - wide / 2.0, clip.bottom - canvas.px(11)
        on_mat = (
            min(camera.to_screen(p)[1] for p in surface.outline)
            < y
            < max(camera.to_screen(p)[1] for p in surface.outline)
        )
        colour = palette.CHALK if on_mat else palette.FAINT
        canvas.line((x, y), (x + wide, y), colour, canvas.px(2))
        for end in (x, x + wide):
            canvas.line((end, y - canvas.px(4)), (end, y + canvas.px(4)), colour, 1.0)
        canvas.text(f"{step} mm", (x + wide + canvas.px(8), y), 12, colour, anchor="midleft")

    @contextmanager
    def spared(self, canvas: Canvas, camera: Camera) -> Iterator[None]:
        """Keep the pot and its inside as they are seen: what is painted meanwhile lies on the mat about it."""
        if self._pot is None:
            yield
            return
        (x, y), r = camera.to_screen(self._pot.at), round(self._pot.top_radius * camera.zoom)
        rect = pygame.Rect(round(x) - r, round(y) - r, 2 * r, 2 * r)
        seen = rect.clip(canvas.surface.get_rect())
        inside = pygame.Surface(rect.size, pygame.SRCALPHA)
        inside.blit(canvas.surface, (0, 0), rect)
        yield
        round_ = pygame.Surface(rect.size, pygame.SRCALPHA)
        pygame.draw.circle(round_, (255, 255, 255, 255), (r, r), r)
        inside.blit(round_, (0, 0), special_flags=pygame.BLEND_RGBA_MIN)
        canvas.surface.blit(inside, seen, seen.move(-rect.x, -rect.y))

    def rim(self, canvas: Canvas, camera: Camera) -> None:
        """The pot's wall as seen from above."""
        if self._pot is None:
            return
        (x, y), zoom = camera.to_screen(self._pot.at), camera.zoom
        share = max(self._pot.wall, canvas.px(2.2) / zoom) / self._pot.top_radius
        wall = round(share / _WALL) * _WALL  # in steps: while the view glides not every one is drawn
        picture = pictures.rim(round(self._pot.top_radius * zoom), wall)
        canvas.surface.blit(picture, picture.get_rect(center=(round(x), round(y))))

    # -- winks ----------------------------------------------------------------------------------------------------

    def piece(
        self, canvas: Canvas, camera: Camera, piece: Piece, place: Place | None = None, *, faded: bool = False,
        size: float = 1.0, moving: bool = False,
    ) -> None:  # fmt: skip
        """One wink, where it lies or elsewhere."""
        del moving  # they are quick to draw
        self.pose(canvas, camera, lying(piece, None if place is None else place[:2]), faded=faded, size=size)

    def pose(self, canvas: Canvas, camera: Camera, pose: Pose, *, faded: bool = False, size: float = 1.0) -> None:
        """One wink as it lies or flies."""
        piece = pose.piece
        x, y = camera.to_screen(pose.at)
        r = max(piece.radius * camera.zoom * size, 3.0)
        clip = canvas.surface.get_clip()
        if not clip.inflate(4 * r, 4 * r).collidepoint(x, y):
            return
        if not faded:
            self._shadow(canvas, camera, pose, r)
        picture = pictures.wink(r, self.key(piece), pose.face, pose.tilt, pose.lean + camera.turned)
        if faded:
            picture = picture.copy()
            picture.set_alpha(95)
        # the thickness of a tilted wink, as a second edge towards its upper side
        if pose.tilt > 0.05:
            thick, way = piece.thickness * camera.zoom * sin(pose.tilt), pose.lean + camera.turned
            upper = (round(x - thick * cos(way) * 0.5), round(y + thick * sin(way) * 0.5))
            canvas.surface.blit(picture, picture.get_rect(center=upper))
        canvas.surface.blit(picture, picture.get_rect(center=(round(x), round(y))))
        if piece.id in self.squopped and not faded:
            self._covered(canvas, (x, y), r, barred=piece.id in self.barred)

    def _shadow(self, canvas: Canvas, camera: Camera, pose: Pose, r: float) -> None:
        lift = max(0.0, pose.z) * camera.zoom
        dx, dy = matter.drop(r, lift)
        dark = coins.shadow(pictures.stepped(r), round(lift / 4.0) * 4.0, palette.seat_colour(self.key(pose.piece)))
        x, y = camera.to_screen(pose.at)
        canvas.surface.blit(dark, dark.get_rect(center=(round(x + dx), round(y + dy))))

    def _covered(self, canvas: Canvas, at: Point, r: float, *, barred: bool) -> None:
        """Grey over a squopped wink; a no-entry sign when its owner is to play."""
        side = 2 * round(r) + 2
        sheet = pygame.Surface((side, side), pygame.SRCALPHA)
        pygame.draw.circle(sheet, (*palette.SHADE, 120), (side / 2, side / 2), r * 0.97)
        canvas.surface.blit(sheet, sheet.get_rect(center=(round(at[0]), round(at[1]))))
        if barred:
            s = max(canvas.px(4), min(r * 0.5, canvas.px(9)))
            canvas.disc(at, s, palette.ALARM)
            canvas.line((at[0] - s * 0.55, at[1]), (at[0] + s * 0.55, at[1]), palette.INK, max(2.0, s * 0.4))

    def poses(self, canvas: Canvas, camera: Camera, poses: Iterable[Pose]) -> None:
        """Winks from the lowest up, the pot's rim among them at its height."""
        rim = False
        height = self._pot.height if self._pot is not None else 0.0
        for pose in sorted(poses, key=lambda pose: pose.top > height + 1e-4):
            if not rim and pose.top > height + 1e-4:
                self.rim(canvas, camera)
                rim = True
            self.pose(canvas, camera, pose)
        if not rim:
            self.rim(canvas, camera)

    def pieces(
        self, canvas: Canvas, camera: Camera, pieces: Iterable[Piece], places: Mapping[str, Place] | None = None, *,
        moving: bool = False,
    ) -> None:  # fmt: skip
        """Winks at rest, what lies on another drawn after it."""
        del moving
        there = tuple(pieces)
        depth = {piece.id: len(beneath(there, piece.id)) for piece in there}
        moved = places or {}
        self.poses(
            canvas,
            camera,
            (
                lying(piece, moved[piece.id][:2] if piece.id in moved else None)
                for piece in sorted(there, key=lambda piece: (depth[piece.id], piece.highest))
            ),
        )

    def measures(self, canvas: Canvas, camera: Camera, scene: Scene) -> None:
        """Nothing is measured here after a shot."""

    # -- motions --------------------------------------------------------------------------------------------------

    def motion(self, canvas: Canvas, camera: Camera, motion: Motion, t: float) -> None:
        """Everything as it was at a time [s]."""
        self.ways(canvas, camera, motion, t)
        self.poses(canvas, camera, at_time(motion, t))
        for event in motion.events:
            since = t - event.t
            if isinstance(event, Touched | Landed) and 0.0 <= since < _FLASH:
                strong, at = min(1.0, event.speed / 2.0), camera.to_screen(event.point)
                grown = since / _FLASH
                fade = palette.mix(palette.GLOW, palette.FELT, grown)
                canvas.ring(at, canvas.px(3 + (6 + 12 * strong) * grown), fade, max(1.0, canvas.px(2.5 * (1 - grown))))
            elif isinstance(event, Left) and 0.0 <= since < FALL:
                far = 0.5 * since
                over = (event.point[0] + event.velocity[0] * far, event.point[1] + event.velocity[1] * far)
                gone = lying(motion.before.piece(event.piece), over)
                self.pose(canvas, camera, gone, faded=True, size=1 - 0.6 * since / FALL)

    def ways(self, canvas: Canvas, camera: Camera, motion: Motion, until: float | None = None) -> None:
        """The ways of all that has moved, seen from above."""
        tracks = motion.tracks
        end = motion.duration if until is None else until
        here = dict(zip(tracks.ids, tracks.at(end), strict=True))
        for name, times, way in kept(motion, "ways", lambda: _ways(motion)):
            points = way[: bisect_right(times, end)]
            if not isnan(here[name][0]):
                points = [*points, (float(here[name][0]), float(here[name][1]))]
            key = self.key(motion.before.piece(name))
            colour = palette.mix(palette.SEATS[key], palette.PALE, 0.5) if key else palette.PALE
            canvas.path([camera.to_screen(p) for p in points], colour, max(1.0, canvas.px(1.4)))


def _ways(motion: Motion) -> list[tuple[str, list[float], list[Point]]]:
    """Of each wink that moves: its name, and when [s] it was where [m], without knots that hardly differ [0.4 mm]."""
    tracks = motion.tracks
    found = []
    for n, name in enumerate(tracks.ids):
        way = tracks.states[:, n, :2]
        there = ~np.isnan(way[:, 0])
        known, when = way[there], tracks.times[there]
        if len(known) < 2 or float(np.abs(known - known[0]).max()) < _MOVED:
            continue
        times, points = [float(when[0])], [(float(known[0, 0]), float(known[0, 1]))]
        for t, (x, y) in zip(when.tolist(), known.tolist(), strict=True):
            if hypot(x - points[-1][0], y - points[-1][1]) > 4e-4:
                times.append(t)
                points.append((x, y))
        found.append((name, times, points))
    return found
