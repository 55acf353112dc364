"""Painter of the pyramid table from above: start lines, stash areas, and pieces at rest and in flight."""

from collections.abc import Iterable, Sequence
from math import hypot

import msgspec
import numpy as np

from flicksim.core.geometry import clip_behind_line
from flicksim.gui.game_views.ice import pyramid_sprites
from flicksim.gui.game_views.ice.flight import LaunchSequence
from flicksim.gui.table_view import TablePainter
from flicksim.gui.toolkit import Canvas, palette
from flicksim.render import Camera, draw_pyramid_shadow
from flicksim.scene import LaunchTrajectory, Pyramid, Surface


class IcePainter(TablePainter):
    """Painter of pyramids (see `TablePainter`)."""

    unmarked_lines = False
    """True if the start lines are not marked on the table."""

    # -- the surface ----------------------------------------------------------------------------------------------

    def draw_surface(
        self, canvas: Canvas, camera: Camera, surface: Surface, *, near_edge: str = "", has_labels: bool = True
    ) -> None:
        """Draw the table, each seat's stash area in its colour, and its start line, but no scale bar."""
        del has_labels
        bare = msgspec.structs.replace(surface, lines=())
        super().draw_surface(canvas, camera, bare, near_edge=near_edge, has_labels=False)
        for seat, line in enumerate(surface.lines):
            corners = [camera.to_screen(p) for p in clip_behind_line(surface.outline, line.a, line.b)]
            if len(corners) >= 3:  # translucent, so that overlapping areas are both visible
                canvas.translucent_polygon(corners, self._seat_colour(seat), 62)
        for seat, line in enumerate(surface.lines):
            a, b = camera.to_screen(line.a), camera.to_screen(line.b)
            if self.unmarked_lines:
                canvas.dashed_line(a, b, palette.LINE, max(1.6, canvas.px(1.6)), canvas.px(5))
                continue
            canvas.line(a, b, palette.LINE, max(3.0, canvas.px(3.2)))
            canvas.line(a, b, self._seat_colour(seat), max(1.6, canvas.px(1.6)))

    def _seat_colour(self, seat: int | None) -> palette.Colour:
        return palette.seat_colour(palette.seat_key(seat, self.seats))

    # -- pieces ---------------------------------------------------------------------------------------------------

    def draw_pyramids(self, canvas: Canvas, camera: Camera, pieces: Iterable[Pyramid]) -> None:
        """Draw all pyramids: shadows first, then the pieces from the lowest to the highest."""
        ordered = sorted(pieces, key=lambda piece: piece.centre_of_mass[2])
        for piece in ordered:
            for part in draw_pyramid_shadow(piece, camera, self._seat_colour(piece.owner)):
                canvas.translucent_polygon(part.points, part.colour, part.alpha)
        for piece in ordered:
            key = palette.seat_key(piece.owner, self.seats)
            heading = piece.heading + camera.rotation
            picture = pyramid_sprites.pyramid_sprite(piece.shape, camera.zoom, key, piece.tilt, heading, piece.roll)
            x, y = camera.to_screen(piece.position)
            canvas.surface.blit(picture, picture.get_rect(center=(round(x), round(y))))
        for piece in ordered:
            self._draw_support(canvas, camera, piece, ordered)

    def _draw_support(self, canvas: Canvas, camera: Camera, piece: Pyramid, pieces: Sequence[Pyramid]) -> None:
        """Draw a dotted line from the base of a leaning piece to the piece that supports it."""
        if (piece.is_upright and not piece.stands_on) or piece.is_on_side:
            return
        for under in (other for other in pieces if other.id in piece.rests_on):
            a, b = camera.to_screen(piece.centre_of_mass[:2]), camera.to_screen(under.centre_of_mass[:2])
            distance = hypot(b[0] - a[0], b[1] - a[1])
            r = max(1.5, canvas.px(2.0))
            steps = max(1, int(distance / (r * 2.6)))
            for k in range(steps + 1):
                at = (a[0] + (b[0] - a[0]) * k / steps, a[1] + (b[1] - a[1]) * k / steps)
                canvas.disc(at, r * 0.62, palette.DARK_TEXT)
            canvas.disc(b, r + 1.0, palette.DARK_TEXT)
            canvas.disc(b, r, palette.HIGHLIGHT)

    def draw_outline(
        self, canvas: Canvas, camera: Camera, piece: Pyramid, colour: palette.Colour, gap: float = 2.5
    ) -> None:
        """Draw an outline a little outside of a piece."""
        corners = camera.points_to_screen(piece.footprint())
        mx, my = sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)
        grown = []
        for x, y in corners:
            k = 1.0 + canvas.px(gap) * 1.3 / max(hypot(x - mx, y - my), 1e-6)
            grown.append((mx + (x - mx) * k, my + (y - my) * k))
        canvas.polyline([*grown, grown[0]], colour, max(1.2, canvas.px(1.5)))

    # -- launches -------------------------------------------------------------------------------------------------

    def draw_sequence(self, canvas: Canvas, camera: Camera, sequence: LaunchSequence, t: float) -> None:
        """Draw a sequence of launches at a time [s]: the paths of the missiles, and all pieces."""
        for start, trajectory in sequence.timed_launches():
            self.draw_path(canvas, camera, trajectory, t - start)
        self.draw_pyramids(canvas, camera, sequence.pieces_at(t))

    def draw_path(self, canvas: Canvas, camera: Camera, trajectory: LaunchTrajectory, end_time: float) -> None:
        """Draw the path of a missile in plan."""
        track = trajectory.track(trajectory.launch.piece)
        if track is None:
            return
        points = track.positions[: int(np.searchsorted(track.times, end_time, side="right")), :2].tolist()
        if len(points) < 2:
            return
        (ax, ay), (bx, by) = points[0], points[-1]
        a, b = camera.to_screen((ax, ay)), camera.to_screen((bx, by))
        colour = self._seat_colour(trajectory.launch.owner)
        bright = palette.mix(colour, palette.LIGHT_TEXT, 0.45)
        if hypot(b[0] - a[0], b[1] - a[1]) > 3.0:
            canvas.dashed_line(a, b, bright, canvas.px(1.4), canvas.px(4))
