"""Painter of the mat: felt, base lines, pot, and winks by height with their shadows."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import cos, dist, hypot, isnan, sin

import numpy as np
import pygame

from flicksim.core.geometry import Point
from flicksim.gui.game_views.tiddlywinks import wink_sprites
from flicksim.gui.game_views.tiddlywinks.state_cache import cached
from flicksim.gui.table_view import TablePainter, draw_impact_ring
from flicksim.gui.toolkit import Canvas, palette, piece_sprites
from flicksim.render import Camera, procedural_textures, stacking_order, table_tops, top_of, winks_at
from flicksim.scene import Collision, Landed, Piece, Pot, Surface, Trajectory

_MIN_MOVEMENT = 1e-4
_WALL_STEP = 0.04
"""Quantization of the apparent thickness of the pot's rim, as a share of its radius."""


class WinkPainter(TablePainter):
    """Painter of mats; the winks that may not be played are set by the caller, who knows the rules."""

    squopped: frozenset[str] = frozenset()
    unplayable: frozenset[str] = frozenset()
    """Squopped winks, and those of them whose owner is to play."""

    _pot: Pot | None = None

    # -- the mat --------------------------------------------------------------------------------------------------

    def draw_surface(
        self, canvas: Canvas, camera: Camera, surface: Surface, *, near_edge: str = "", has_labels: bool = True
    ) -> None:
        """Draw felt, corners in the colours of their seats, base lines with names, scale bar, inside of the pot."""
        del near_edge
        self._pot = pot = surface.pot
        self._draw_top(canvas, camera, surface, "felt", palette.FELT)
        width = max(1.6, canvas.px(1.8))
        canvas.draw_marks(table_tops.draw_mat_lines(surface, camera, palette.SEAT_COLOURS, palette.LINE, width))
        if has_labels:
            for line in surface.lines:
                self._draw_line_name(canvas, camera, line.a, line.b, line.name)
            self._draw_scale_bar(canvas, camera, surface)
        if pot is not None:
            (x, y), r = camera.to_screen(pot.position), round(pot.top_radius * camera.zoom)
            lift = 0.6 * (pot.height * camera.zoom)
            dark, (dx, dy) = piece_sprites.shadow_sprite(r, round(lift)), procedural_textures.shadow_offset(r, lift)
            canvas.surface.blit(dark, dark.get_rect(center=(round(x + dx), round(y + dy))))
            well = wink_sprites.pot_inside_sprite(r, round(pot.inner_radius(pot.height) / pot.top_radius, 2))
            canvas.surface.blit(well, well.get_rect(center=(round(x), round(y))))

    def _draw_line_name(self, canvas: Canvas, camera: Camera, a: Point, b: Point, name: str) -> None:
        """Draw the name of a base line beside the mat, at its end on the long edge; only if it fits."""
        end = max((a, b), key=lambda p: abs(p[1]))
        x, y = camera.to_screen(end)
        up = end[1] > 0.0
        right = end[0] > 0.0
        y += canvas.px(-5 if up else 5)
        low, clip = y + (0 if up else canvas.line_height(12)), canvas.surface.get_clip()
        if clip.top <= low - canvas.line_height(12) and low <= clip.bottom:
            anchor = ("bottom" if up else "top") + ("right" if right else "left")
            canvas.text(name, (x, y), 12, palette.MUTED_TEXT, anchor=anchor)

    def _draw_scale_bar(self, canvas: Canvas, camera: Camera, surface: Surface) -> None:
        """Draw a scale bar under the mat, or in the corner of the view when the edge is not visible."""
        clip, ys = canvas.surface.get_clip(), [camera.to_screen(p)[1] for p in surface.outline]
        x, y = clip.centerx, clip.bottom - canvas.px(11)
        colour = palette.TABLE_TEXT if min(ys) < y < max(ys) else palette.MUTED_TEXT
        canvas.draw_marks(table_tops.draw_scale_bar(camera, (x, y), colour, 12.0 * canvas.scale, canvas.px))

    @contextmanager
    def pot_preserved(self, canvas: Canvas, camera: Camera) -> Iterator[None]:
        """Restore the pot and its inside afterwards, so that paint in between lies on the mat around it."""
        if self._pot is None:
            yield
            return
        (x, y), r = camera.to_screen(self._pot.position), round(self._pot.top_radius * camera.zoom)
        rect = pygame.Rect(round(x) - r, round(y) - r, 2 * r, 2 * r)
        visible = rect.clip(canvas.surface.get_rect())
        inside = pygame.Surface(rect.size, pygame.SRCALPHA)
        inside.blit(canvas.surface, (0, 0), rect)
        yield
        round_ = pygame.Surface(rect.size, pygame.SRCALPHA)
        pygame.draw.circle(round_, (255, 255, 255, 255), (r, r), r)
        inside.blit(round_, (0, 0), special_flags=pygame.BLEND_RGBA_MIN)
        canvas.surface.blit(inside, visible, visible.move(-rect.x, -rect.y))

    def draw_rim(self, canvas: Canvas, camera: Camera) -> None:
        """Draw the pot's wall as seen from above."""
        if self._pot is None:
            return
        (x, y), zoom = camera.to_screen(self._pot.position), camera.zoom
        share = max(self._pot.wall, canvas.px(2.2) / zoom) / self._pot.top_radius
        apparent = round(share / _WALL_STEP) * _WALL_STEP  # in steps: while the view glides not every one is drawn
        picture = wink_sprites.pot_rim_sprite(round(self._pot.top_radius * zoom), apparent)
        canvas.surface.blit(picture, picture.get_rect(center=(round(x), round(y))))

    # -- winks ----------------------------------------------------------------------------------------------------

    def draw_piece(
        self, canvas: Canvas, camera: Camera, piece: Piece, *, is_faded: bool = False, is_moving: bool = False
    ) -> None:
        del is_moving  # cheap to draw
        x, y = camera.to_screen(piece.position)
        r = max(piece.radius * camera.zoom, 3.0)
        clip = canvas.surface.get_clip()
        if not clip.inflate(4 * r, 4 * r).collidepoint(x, y):
            return
        if not is_faded:
            self._draw_shadow(canvas, camera, piece, r)
        direction = piece.lean + camera.rotation
        picture = wink_sprites.wink_sprite(r, self.colour_key(piece), piece.face, piece.tilt, direction)
        if is_faded:
            picture = picture.copy()
            picture.set_alpha(95)
        # the thickness of a tilted wink, as a second edge towards its upper side
        if piece.tilt > 0.05:
            thick = piece.thickness * camera.zoom * sin(piece.tilt)
            upper = (round(x - thick * cos(direction) * 0.5), round(y + thick * sin(direction) * 0.5))
            canvas.surface.blit(picture, picture.get_rect(center=upper))
        canvas.surface.blit(picture, picture.get_rect(center=(round(x), round(y))))
        if piece.id in self.squopped and not is_faded:
            self._draw_squopped(canvas, (x, y), r, is_unplayable=piece.id in self.unplayable)

    def _draw_shadow(self, canvas: Canvas, camera: Camera, piece: Piece, radius: float) -> None:
        lift = max(0.0, piece.height) * camera.zoom
        dx, dy = procedural_textures.shadow_offset(radius, lift)
        radius, tint = wink_sprites.quantize_radius(radius), palette.seat_colour(self.colour_key(piece))
        dark = piece_sprites.shadow_sprite(radius, round(lift / 4.0) * 4.0, tint)
        x, y = camera.to_screen(piece.position)
        canvas.surface.blit(dark, dark.get_rect(center=(round(x + dx), round(y + dy))))

    def _draw_squopped(self, canvas: Canvas, center: Point, radius: float, *, is_unplayable: bool) -> None:
        """Draw grey over a squopped wink; a no-entry sign when its owner is to play."""
        side = 2 * round(radius) + 2
        layer = pygame.Surface((side, side), pygame.SRCALPHA)
        pygame.draw.circle(layer, (*palette.OVERLAY_SHADE, 120), (side / 2, side / 2), radius * 0.97)
        canvas.surface.blit(layer, layer.get_rect(center=(round(center[0]), round(center[1]))))
        if is_unplayable:
            s = max(canvas.px(4), min(radius * 0.5, canvas.px(9)))
            canvas.disc(center, s, palette.TABLE_BAD)
            left, right = (center[0] - s * 0.55, center[1]), (center[0] + s * 0.55, center[1])
            canvas.line(left, right, palette.DARK_TEXT, max(2.0, s * 0.4))

    def _draw_stacked(self, canvas: Canvas, camera: Camera, winks: Iterable[Piece]) -> None:
        """Draw winks in this order, with the pot's rim at its height."""
        rim = False
        height = self._pot.height if self._pot is not None else 0.0
        for wink in sorted(winks, key=lambda wink: top_of(wink) > height + 1e-4):
            if not rim and top_of(wink) > height + 1e-4:
                self.draw_rim(canvas, camera)
                rim = True
            self.draw_piece(canvas, camera, wink)
        if not rim:
            self.draw_rim(canvas, camera)

    def draw_pieces(self, canvas: Canvas, camera: Camera, pieces: Iterable[Piece], *, is_moving: bool = False) -> None:
        """Draw winks at rest, from the lowest up."""
        del is_moving
        self._draw_stacked(canvas, camera, stacking_order(pieces))

    # -- motions --------------------------------------------------------------------------------------------------

    def _draw_moving(self, canvas: Canvas, camera: Camera, trajectory: Trajectory, t: float) -> None:
        self._draw_stacked(canvas, camera, winks_at(trajectory, t))

    def _draw_impact(self, canvas: Canvas, center: Point, event: Collision | Landed, growth: float) -> None:
        draw_impact_ring(canvas, center, event.speed / 2.0, growth, (3, 6, 12), 2.5, palette.FELT)

    def draw_paths(self, canvas: Canvas, camera: Camera, trajectory: Trajectory, end_time: float | None = None) -> None:
        tracks = trajectory.tracks
        end = trajectory.duration if end_time is None else end_time
        here = dict(zip(tracks.ids, tracks.poses_at(end), strict=True))
        for name, times, path in _paths(trajectory):
            points = path[: bisect_right(times, end)]
            if not isnan(here[name][0]):
                points = [*points, (float(here[name][0]), float(here[name][1]))]
            key = self.colour_key(trajectory.before.piece(name))
            colour = palette.mix(palette.SEAT_COLOURS[key], palette.LIGHT_TEXT, 0.5) if key else palette.LIGHT_TEXT
            canvas.polyline([camera.to_screen(p) for p in points], colour, max(1.0, canvas.px(1.4)))


def wink_at(camera: Camera, winks: Iterable[Piece], position: tuple[int, int], tolerance: float) -> Piece | None:
    """Uppermost wink at a point of the screen; else the nearest within a tolerance of its rim [pixels]."""
    point, least = camera.to_table(position), tolerance / camera.zoom
    nearest = uppermost = None
    for wink in winks:
        distance = dist(wink.position, point) - wink.radius
        if distance <= 0.0:
            uppermost = wink
        elif distance <= least and (nearest is None or distance < least):
            nearest, least = wink, distance
    return uppermost or nearest


@cached
def _paths(trajectory: Trajectory) -> list[tuple[str, list[float], list[Point]]]:
    """Paths of the moving winks: name, times [s] and positions [m], without keyframes that hardly differ [0.4 mm]."""
    tracks = trajectory.tracks
    paths = []
    for n, name in enumerate(tracks.ids):
        path = tracks.states[:, n, :2]
        is_known = ~np.isnan(path[:, 0])
        known, when = path[is_known], tracks.times[is_known]
        if len(known) < 2 or float(np.abs(known - known[0]).max()) < _MIN_MOVEMENT:
            continue
        times, points = [float(when[0])], [(float(known[0, 0]), float(known[0, 1]))]
        for t, (x, y) in zip(when.tolist(), known.tolist(), strict=True):
            if hypot(x - points[-1][0], y - points[-1][1]) > 4e-4:
                times.append(t)
                points.append((x, y))
        paths.append((name, times, points))
    return paths
