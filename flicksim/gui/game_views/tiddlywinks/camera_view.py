"""Camera view of the mat: follows the action, pans and zooms by hand, and shows a close-up of the pot."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import dist, exp

import pygame

from flicksim.core.geometry import Point
from flicksim.gui.game_views.tiddlywinks import KEY_MAP, side_view
from flicksim.gui.game_views.tiddlywinks.painter import WinkPainter
from flicksim.gui.game_views.tiddlywinks.state_cache import cached
from flicksim.gui.table_view import Magnifier, Playback, TableView
from flicksim.gui.table_view.side_plane import draw_caption
from flicksim.gui.toolkit import Canvas
from flicksim.render import Camera, pieces_at
from flicksim.scene import Piece, Surface, Trajectory

CLOSE_UP_WIDTH = 0.2
"""Width of the mat that the close-up of the pot shows [m]."""
_MIN_FOLLOW_WIDTH = 0.22
"""Least width of the mat shown while following the action [m]."""
_MARGIN = 0.02
"""Margin around what is shown [m]."""
_MIN_TRACKED_SIZE = 30.0
"""Least apparent diameter of a wink that is tracked [units]."""
_MIN_AIMED_SIZE, _MAGNIFIED_SIZE = 28.0, 44.0
"""Apparent diameter of the aimed wink below which it is magnified, and its magnified diameter [units]."""
_MAGNIFIER_WIDTH = 118.0
"""Width of the magnifier [units]."""
_COVERED_WEIGHT = 0.15
"""Distance from the path that the magnifier gives up to cover one wink less, as a share of its width."""
_TRACK_RATE = 7.0
"""Rate at which the view catches up with a wink [1/s]."""
_PAN_STEP = 60.0
"""Distance panned by a key press [units]."""
_POT_DISTANCE = 0.09
"""Distance from the pot below which a landing gets a close-up [m]."""
LOOK_AHEAD = 0.1
"""Time by which the view runs ahead of a wink in flight [s]."""
_REST_MARGIN = 0.12
"""Margin around a wink that has come to rest [m]."""
_LEAD_TIME = 0.3
"""Time by which the view starts to move ahead of the playback [s]."""
_PAN_KEYS = {pygame.K_j: (1, 0), pygame.K_l: (-1, 0), pygame.K_i: (0, 1), pygame.K_k: (0, -1)}


class WinkView(TableView):
    """Camera view of the mat, with room for a side view and a close-up of the pot below.

    Args:
        seats: names of the seats. surface: the mat. near_edge: label of the edge of the mat nearest to the player.
    """

    MAX_ZOOM = 40.0
    PAN_BUTTONS = (2, 3)

    def __init__(self, seats: Sequence[str], surface: Surface, near_edge: str = "") -> None:
        super().__init__(seats, surface, near_edge)
        self.painter: WinkPainter = WinkPainter(seats)
        self.side_rect = pygame.Rect(0, 0, 0, 0)
        self.is_following = True
        self.reserved_width = 0
        self._scale = 1.0
        self._shown_trajectory: object = None
        self._shown_plans: Sequence[Point] = ()

    def set_bare_area(self, area: pygame.Rect, margin: float) -> None:
        self._scale, self._margin = margin / 46.0, margin * 22.0 / 46.0
        self.area = self.unobstructed = area
        self.side_rect, self._magnifier_rect, self.obstructions = pygame.Rect(0, 0, 0, 0), None, []
        self.fit_table()

    def set_area(self, area: pygame.Rect, margin: float, unobstructed: pygame.Rect | None = None) -> None:
        """Set the area of the mat; side view and close-up are placed over its lower part."""
        self._scale = margin / 46.0
        pad, free_area = round(12 * self._scale), unobstructed or area
        strip = max(round(250 * self._scale), min(round(free_area.h * 0.34), free_area.h - round(free_area.w * 0.56)))
        self.area = self.unobstructed = pygame.Rect(free_area.x, free_area.y, free_area.w, free_area.h - strip)
        self._margin = 22.0 * self._scale
        left, head = free_area.x + self.reserved_width + pad, round(22 * self._scale)
        wide, high = free_area.right - pad - left, strip - pad - head
        side = min(high, round(wide * 0.4))
        top = self.unobstructed.bottom + head
        self._magnifier_rect = pygame.Rect(free_area.right - pad - side, top, side, side) if side >= 100 else None
        right = self._magnifier_rect.x - pad if self._magnifier_rect is not None else free_area.right - pad
        self.side_rect = pygame.Rect(left, top, right - left, high)
        self.obstructions = [rect for rect in (self.side_rect, self._magnifier_rect) if rect is not None]
        self.fit_table()

    # -- following the action -------------------------------------------------------------------------------------

    def follow_points(self, points: Sequence[Point], *, is_immediate: bool = False) -> None:
        """Show points [m], unless the player controls the view or wants to see the whole mat."""
        if self._is_user_controlled:
            return
        target = self._camera_around(points) if self.is_following and points else self.whole_camera
        if is_immediate:
            self.camera, self._transition = target, None
        else:
            self.animate_to(target)

    def _camera_around(self, points: Sequence[Point]) -> Camera:
        margins = ((-_MARGIN, -_MARGIN), (_MARGIN, _MARGIN))
        return self.camera_for([(x + dx, y + dy) for x, y in points for dx, dy in margins], _MIN_FOLLOW_WIDTH)

    def track_wink(self, point: Point, radius: float, path: Sequence[Point], dt: float) -> bool:
        """Track a wink in flight so that it never looks small; return False if its whole path is visible at that size.

        Args:
            point: its position in a moment [m]. radius: its radius [m]. path: corners of its path [m]. dt: elapsed
                time [s].
        """
        zoom = _MIN_TRACKED_SIZE * self._scale / (2.0 * radius)
        if self._is_user_controlled or not self.is_following or self._camera_around(path).zoom >= zoom:
            return False
        target = replace(self.whole_camera, centre=point, zoom=zoom)
        self.camera, self._transition = self.camera.interpolated(target, 1.0 - exp(-_TRACK_RATE * dt)), None
        return True

    def look_at(self, points: Sequence[Point]) -> None:
        """Show points that the player has asked for, even if the player controls the view."""
        self._is_user_controlled = False
        self.animate_to(self._camera_around(points))

    def toggle_follow(self) -> None:
        """Toggle between following the action and showing the whole mat."""
        self.is_following, self._is_user_controlled = not self.is_following, False

    def update(self, dt: float) -> None:
        if not self._is_user_controlled:
            super().update(dt)

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle an event: wheel, +, - and 0 zoom, I J K L and dragging pan; each stops following."""
        match event.type:
            case pygame.KEYDOWN if event.key in _PAN_KEYS:
                dx, dy = _PAN_KEYS[event.key]
                self._is_user_controlled = True
                self.camera = self.camera.panned(dx * _PAN_STEP * self._scale, dy * _PAN_STEP * self._scale)
                return True
            case pygame.KEYDOWN if KEY_MAP.match(event)[0] == "follow":
                self.toggle_follow()
                return True
        used = super().handle(event)
        if used and event.type != pygame.MOUSEBUTTONDOWN:
            self._is_user_controlled = True
            self._transition = None
        return used

    def draw_shelf(self, canvas: Canvas, draw_mat: Callable[[Camera], None]) -> None:
        """Draw the background of the side view, and the close-up of the pot with its background."""
        pad, head = canvas.px(6), canvas.px(20)
        for rect in (self.side_rect, self._magnifier_rect):
            if rect is not None:
                canvas.panel(pygame.Rect(rect.x - pad, rect.y - head, rect.w + 2 * pad, rect.h + head + pad))
        magnifier = self.magnifier()
        if magnifier is not None:
            with self.magnified(canvas, magnifier):
                draw_mat(magnifier.camera)

    # -- the close-up of the pot ----------------------------------------------------------------------------------

    def magnifier(self) -> Magnifier | None:
        """Close-up of the pot, where it fits."""
        pot, rect = self._surface.pot, self._magnifier_rect
        if rect is None or pot is None:
            return None
        return Magnifier(rect, Camera(pot.position, rect.w / CLOSE_UP_WIDTH, rect.center))

    def aimed_magnifier(
        self, point: Point, radius: float, end: Point, others: Sequence[Point] = ()
    ) -> Magnifier | None:
        """Close-up of the aimed wink where it looks too small, placed beside its path where it covers few other winks.

        Args:
            point, radius: its position and radius [m]. end: the aimed point [m]. others: positions of other winks [m].
        """
        if 2.0 * radius * self.camera.zoom >= _MIN_AIMED_SIZE * self._scale:
            return None
        side, (x, y) = round(_MAGNIFIER_WIDTH * self._scale), self.camera.to_screen(point)
        offset, spots = 0.5 * side + 26.0 * self._scale, []
        reach = round(2.0 * radius * self.camera.zoom)
        u, v = self.camera.to_screen(end)
        line = [(x + (u - x) * k / 8.0, y + (v - y) * k / 8.0) for k in range(9)]
        winks = [self.camera.to_screen(other) for other in others]
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)):
            rect = pygame.Rect(0, 0, side, side)
            rect.center = (round(x + offset * dx), round(y + offset * dy))
            rect.clamp_ip(self.unobstructed.inflate(-round(8 * self._scale), -round(8 * self._scale)))
            clearance = min(0.6 * side, min(dist(rect.center, p) for p in line))
            covered = sum(rect.inflate(reach, reach).collidepoint(wink) for wink in winks)
            spots.append((clearance - _COVERED_WEIGHT * side * covered, rect))
        rect = max(spots, key=lambda spot: (spot[0], spot[1].y))[1]
        zoom = _MAGNIFIED_SIZE * self._scale / (2.0 * radius)
        return Magnifier(rect, replace(self.camera, centre=point, zoom=zoom, view_centre=rect.center), "hand")

    def _draw_caption(self, canvas: Canvas, magnifier: Magnifier) -> None:
        if magnifier.name == "hand":
            return
        draw_caption(canvas, magnifier.rect, f"{CLOSE_UP_WIDTH * 1000:.0f} mm across", "AT THE POT")

    def draw_extra(self, canvas: Canvas, playback: Playback | None, plans: Sequence[Point] = ()) -> None:
        if playback is None:
            return
        if playback.trajectory is not self._shown_trajectory or plans != self._shown_plans:
            self._shown_trajectory, self._shown_plans = playback.trajectory, plans
            self.follow_points(plans or moving_corners(playback.trajectory), is_immediate=True)
        rect = self.side_rect
        canvas.panel(rect.inflate(canvas.px(12), canvas.px(12)).union(rect.move(0, -canvas.px(20))))
        if rect.w >= canvas.px(90):
            side_view.draw_flight(canvas, self.side_rect, self.painter, playback.trajectory, playback.time)


def piece_corners(piece: Piece) -> list[Point]:
    """Corners of a square around a wink, with room for its halo [m]."""
    r = 1.5 * piece.radius
    return [(piece.x - r, piece.y - r), (piece.x + r, piece.y + r)]


@cached
def moving_corners(trajectory: Trajectory) -> list[Point]:
    """Corners of everything that moves [m]."""
    states = trajectory.tracks.states
    points: list[Point] = [(0.0, 0.0)] if trajectory.before.surface.pot is not None else []
    for n in range(states.shape[1]):
        positions = states[:, n, :2]
        positions = positions[positions[:, 0] == positions[:, 0]]
        if len(positions) > 1 and float(abs(positions - positions[0]).max()) > 1e-4:
            (x0, y0), (x1, y1) = positions.min(axis=0), positions.max(axis=0)
            points += [(float(x0), float(y0)), (float(x1), float(y1))]
    return points


def pot_corners(trajectory: Trajectory, t: float) -> list[Point]:
    """Corners around the pot [m] while the squidged wink comes down or lies there; else empty."""
    pot = trajectory.before.surface.pot
    places = [squidged_at(trajectory, when) for when in (t + _LEAD_TIME, trajectory.duration)]
    if pot is None or not all(place is not None and dist(place, pot.position) < _POT_DISTANCE for place in places):
        return []
    return [(pot.x + d, pot.y + d) for d in (-_POT_DISTANCE, _POT_DISTANCE)]


def squidged_at(trajectory: Trajectory, t: float) -> Point | None:
    """Position of the squidged wink at a time [s], or at the end [m]; None if it is gone."""
    wink = pieces_at(trajectory, min(t, trajectory.duration)).get(trajectory.flick.piece)
    return wink.position if wink is not None else None


def rest_corners(trajectory: Trajectory) -> list[Point]:
    """Corners around the resting place of the squidged wink [m]; empty if it is gone."""
    end = squidged_at(trajectory, trajectory.duration)
    return [(end[0] + d, end[1] + d) for d in (-_REST_MARGIN, _REST_MARGIN)] if end is not None else []
