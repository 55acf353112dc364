"""Camera view of a pyramid table from above, with the side view below it and a close-up."""

from collections.abc import Sequence
from math import exp, hypot

import msgspec
import pygame

from flicksim.core.geometry import Point, is_inside_convex
from flicksim.games.ice.state import State
from flicksim.games.ice.table_layout import SeatArea, seat_areas
from flicksim.gui.game_views.ice import SINGLE_PLAYER_KEYS
from flicksim.gui.game_views.ice.painter import IcePainter
from flicksim.gui.table_view import Magnifier, TableView
from flicksim.gui.table_view.side_plane import draw_caption
from flicksim.gui.toolkit import Canvas
from flicksim.render import Camera, fit_camera
from flicksim.scene import Line, Pyramid, Surface

_CLOSE_UP_WIDTH = 0.15
"""Width of the table that the close-up shows [m]."""
_TABLE_MARGIN = 0.02
"""Width beyond the table that the close-up may show [m]."""
_FOLLOW_WIDTH = 0.4
"""Width shown when the main view follows the action [m]."""


def with_start_lines(surface: Surface, seats: Sequence[SeatArea], names: Sequence[str]) -> Surface:
    """Table with the start line of every seat, marked on it or not."""
    lines = tuple(Line(name=names[k], a=seat.start_line[0], b=seat.start_line[1]) for k, seat in enumerate(seats))
    return msgspec.structs.replace(surface, lines=lines)


class IceView(TableView):
    """Camera view of the table, with room for the side view below and a close-up beside it where it fits.

    Args:
        seats: names of the seats. surface: the table, with every start line. unmarked_lines: see `IcePainter`.
    """

    is_table_only = False
    """True if the table is shown without the side view."""

    def __init__(self, seats: Sequence[str], surface: Surface, *, unmarked_lines: bool = False) -> None:
        super().__init__(seats, surface)
        self.painter: IcePainter = IcePainter(seats)
        self.painter.unmarked_lines = unmarked_lines
        self.surface = surface
        self.side_rect = pygame.Rect(0, 0, 0, 0)
        self.close_up_center: Point = (0.0, 0.0)
        self.is_following = False
        self._scale = 1.0
        self._layout_key: tuple[pygame.Rect, float, bool] | None = None
        self._target: Camera | None = None

    @classmethod
    def of_state(cls, state: State, seats: Sequence[str]) -> "IceView":
        """View of the table of a state, with the names of the seats."""
        surface = with_start_lines(state.scene.surface, seat_areas(state.options, state.seats), seats)
        return cls(seats, surface, unmarked_lines=not state.options.markers)

    def set_area(self, area: pygame.Rect, margin: float, unobstructed: pygame.Rect | None = None) -> None:
        """Set the areas of the table and the side view; the camera is kept where they have not changed."""
        del unobstructed
        if (area, margin, self.is_table_only) == self._layout_key:
            return
        self._layout_key = (area.copy(), margin, self.is_table_only)
        self._scale = margin / 46.0
        strip = 0 if self.is_table_only else max(round(area.h * 0.33), area.h - area.w)
        pad = round(12 * self._scale)
        head = round(18 * self._scale)
        self.side_rect = pygame.Rect(area.x + pad, area.bottom - strip + head, area.w - 2 * pad, strip - head - pad)
        table = pygame.Rect(area.x, area.y, area.w, area.h - strip)
        self.area, self.unobstructed, self._margin = table, table, 14.0 * self._scale
        self.fit_table()

    def fit_table(self) -> None:
        """Show the whole table, far enough to the left to leave room for the close-up."""
        a, gap = self.area, self._margin
        self.camera = self._whole_camera = fit_camera(self.surface.outline, (a.x, a.y, a.w, a.h), gap)
        self._fit_zoom, self._target, self._magnifier_rect = self.camera.zoom, None, None
        xs = [p[0] for p in self.surface.outline]
        wide = (max(xs) - min(xs)) * self._fit_zoom
        side = min(round(a.w - wide - 3.0 * gap), round(a.h * 0.6))
        if side >= 120 * self._scale:
            free = a.w - wide - side - 3.0 * gap
            left = a.x + gap + free / 2.0
            view_centre = (left + wide / 2.0, a.centery)
            self.camera = self._whole_camera = Camera(self.camera.centre, self._fit_zoom, view_centre)
            top = a.y + round(gap + 8 * self._scale)
            self._magnifier_rect = pygame.Rect(round(left + wide + gap), top, side, round(a.bottom - gap - top))
            self.unobstructed = pygame.Rect(a.x, a.y, self._magnifier_rect.x - a.x, a.h)

    # -- following ------------------------------------------------------------------------------------------------

    def animate_to(self, camera: Camera) -> None:
        self._target = camera

    @property
    def is_animating(self) -> bool:
        return self._target is not None

    def toggle_follow(self) -> None:
        """Toggle between following the action and showing the whole table."""
        self.is_following = not self.is_following
        if not self.is_following:
            self._target = self._whole_camera

    def update(self, dt: float) -> None:
        if self.is_following:
            zoom = max(min(self.area.w, self.area.h) / _FOLLOW_WIDTH, self._fit_zoom)
            center = self._limited_center(self.close_up_center, self.area, zoom)
            self._target = Camera(center, zoom, self._whole_camera.view_centre)
        target, here = self._target, self.camera
        if target is None:
            return
        self.camera = here.interpolated(target, 1.0 - exp(-7.0 * dt))
        distance = hypot(target.centre[0] - here.centre[0], target.centre[1] - here.centre[1])
        if abs(self.camera.zoom / target.zoom - 1.0) < 0.002 and distance * self.camera.zoom < 0.5:
            self.camera, self._target = target, None

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle an event as `TableView` does; Z toggles following. Zooming or dragging stops it."""
        if event.type == pygame.KEYDOWN and SINGLE_PLAYER_KEYS.match(event)[0] == "follow":
            self.toggle_follow()
            return True
        used = super().handle(event)
        if used:
            self.is_following, self._target = False, None
        return used

    # -- the close-up ---------------------------------------------------------------------------------------------

    def magnifier(self) -> Magnifier | None:
        """Close-up around `close_up_center` where it fits; the whole table while the main view follows the action."""
        if self._magnifier_rect is None:
            return None
        rect = self._magnifier_rect.copy()
        if self.is_following:
            rect.h = min(rect.w, rect.h)
            whole = fit_camera(self.surface.outline, (rect.x, rect.y, rect.w, rect.h), 6.0 * self._scale)
            return Magnifier(rect, whole)
        zoom = rect.w / _CLOSE_UP_WIDTH
        return Magnifier(rect, Camera(self._limited_center(self.close_up_center, rect, zoom), zoom, rect.center))

    def _limited_center(self, center: Point, rect: pygame.Rect, zoom: float) -> Point:
        """Centre of a view in a rectangle, limited so that it shows little of what is beyond the table [m]."""
        limited = []
        for value, limits, side in zip(center, zip(*self.surface.outline, strict=True), rect.size, strict=True):
            low = min(limits) + side / zoom / 2.0 - _TABLE_MARGIN
            high = max(limits) - side / zoom / 2.0 + _TABLE_MARGIN
            limited.append(min(max(value, low), high) if low <= high else (low + high) / 2.0)
        return limited[0], limited[1]

    def is_on_table(self, position: tuple[int, int]) -> bool:
        """Return True if a point of the window is on the table in the main view, not in the close-up."""
        rect = self._magnifier_rect
        return self.area.collidepoint(position) and not (rect is not None and rect.collidepoint(position))

    def _draw_caption(self, canvas: Canvas, magnifier: Magnifier) -> None:
        width = f"{magnifier.rect.w / magnifier.camera.zoom * 1000:.0f} mm"
        draw_caption(canvas, magnifier.rect, width, "WHOLE" if self.is_following else "NEARER", gap=4)

    def piece_at(self, position: tuple[int, int], pieces: Sequence[Pyramid]) -> Pyramid | None:
        """Uppermost piece under a point of the screen."""
        spot = self.camera.to_table(position)
        touched = [piece for piece in pieces if is_inside_convex(spot, piece.footprint())]
        return max(touched, key=lambda piece: piece.centre_of_mass[2], default=None)
