"""Camera view of a table: fit, zoom, pan and automatic framing."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pygame

from flicksim.core.geometry import Point
from flicksim.gui.table_view.painter import TablePainter
from flicksim.gui.table_view.playback import Playback
from flicksim.gui.toolkit import Canvas, cached_surface, palette, surface_of
from flicksim.gui.toolkit.key_bindings import FLICK_KEYS
from flicksim.render import Camera, best_quarter_turns, fit_camera, procedural_textures
from flicksim.scene import Surface

PAN_TIME = 0.4
"""Duration of a camera animation [s]."""
_ARROW_KEYS = (pygame.K_UP, pygame.K_LEFT, pygame.K_DOWN, pygame.K_RIGHT)
"""Counter-clockwise."""


@dataclass(frozen=True, slots=True)
class Magnifier:
    """Magnifier: its rectangle on the screen, camera and cache key."""

    rect: pygame.Rect
    camera: Camera
    name: str = "beside"


class TableView:
    """View of the table: centre, scale and rotation.

    Args:
        seats: names of the seats. surface: fitted into the view. near_edge: label of the lower edge.
    """

    MAX_ZOOM = 12.0
    """Greatest zoom, relative to that of the whole table [1]."""
    PAN_BUTTONS: tuple[int, ...] = (2,)
    """Mouse buttons that drag the table; presses of any but the middle one are passed on."""

    def __init__(self, seats: Sequence[str], surface: Surface, near_edge: str = "") -> None:
        self.painter = TablePainter(seats)
        self.area = pygame.Rect(0, 0, 100, 100)
        """Part of the window in which the table is drawn."""
        self.unobstructed = pygame.Rect(0, 0, 100, 100)
        """Part of the area that nothing covers."""
        self.obstructions: list[pygame.Rect] = []
        """Rectangles that cover the table."""
        self.camera = Camera((0.0, 0.0), 100.0, (50.0, 50.0))
        self.has_rulers = False
        """True if rulers and labels are drawn."""
        self._surface, self._near_edge = surface, near_edge
        self._fit_zoom = 100.0
        self._magnifier_rect: pygame.Rect | None = None
        self._surface_cache: dict[str, tuple[object, pygame.Surface | None]] = {}
        self._is_panning = False
        self._margin = 60.0
        self.ruler_margin = 0.0
        """Least margin while rulers are drawn, which stand outside the table [pixels]."""
        self._transition: tuple[Camera, Camera, float] | None = None
        self._is_user_controlled = False
        """True while the user controls the view."""

    def set_area(self, area: pygame.Rect, margin: float, unobstructed: pygame.Rect | None = None) -> None:
        """Set the area of the view; the table is fitted into its unobstructed part with a margin [pixels]."""
        self.area, self.unobstructed, self._margin = area, unobstructed or area, margin
        self.fit_table()

    def set_bare_area(self, area: pygame.Rect, margin: float) -> None:
        """Set the area of a view of the table alone."""
        self.set_area(area, margin)

    @property
    def whole_camera(self) -> Camera:
        """Camera on the whole table; a long table is rotated where that shows it larger."""
        a = self.unobstructed
        rect, margin = (a.x, a.y, a.w, a.h), max(self._margin, self.ruler_margin if self.has_rulers else 0.0)
        return fit_camera(self._surface.outline, rect, margin, best_quarter_turns(self._surface.outline, rect))

    def fit_table(self) -> None:
        """Show the whole table."""
        self.camera, self._transition, self._is_user_controlled = self.whole_camera, None, False
        self._fit_zoom = self.camera.zoom

    def to_screen(self, point: Point) -> Point:
        """Position of a point [m] on the screen now [pixels]."""
        return self.camera.to_screen(point)

    def contains(self, position: tuple[int, int]) -> bool:
        """Return True if a point of the window is on the unobstructed view."""
        return self.area.collidepoint(position) and not any(rect.collidepoint(position) for rect in self.obstructions)

    def zoom(self, steps: float, center: Point | None = None) -> None:
        """Zoom in or out, between the whole table and `MAX_ZOOM` times that."""
        target = self.camera.zoom * 1.15**steps
        target = min(max(target, self._fit_zoom * 0.8), self._fit_zoom * self.MAX_ZOOM)
        self.camera = self.camera.zoomed(target / self.camera.zoom, center or self.unobstructed.center)
        self._transition = None
        self._is_user_controlled = True

    # -- automatic framing ----------------------------------------------------------------------------------------

    def animate_to(self, camera: Camera) -> None:
        """Animate to another camera."""
        if self._transition is None or self._transition[1] != camera:
            self._transition = (self.camera, camera, 0.0) if camera != self.camera else None

    def camera_for(self, points: Sequence[Point], min_width: float) -> Camera:
        """Camera on these points [m], of a minimal width [m]; never farther than the whole table."""
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        mx, my = (min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0
        a, table_camera = self.unobstructed, self.whole_camera
        width = min_width * table_camera.zoom
        min_dx, min_dy = table_camera.vector_to_table(width, width * a.h / max(a.w, 1))
        dx, dy = max(max(xs) - min(xs), abs(min_dx)) / 2.0, max(max(ys) - min(ys), abs(min_dy)) / 2.0
        corners = [(mx - dx, my - dy), (mx + dx, my + dy)]
        camera = fit_camera(corners, (a.x, a.y, a.w, a.h), self._margin, table_camera.quarter_turns)
        return camera if camera.zoom > table_camera.zoom else table_camera

    def follow(self, points: Sequence[Point], min_width: float, *, reduced_motion: bool = False) -> None:
        """Frame these points [m], or the whole table for none; not while the user controls the view.

        Args:
            min_width: see `camera_for`. reduced_motion: stay with the whole table.
        """
        if not self._is_user_controlled and not reduced_motion:
            self.animate_to(self.camera_for(points, min_width) if points else self.whole_camera)

    def resume_following(self) -> None:
        """Let the view follow the action again."""
        self._is_user_controlled = False

    def update(self, dt: float) -> None:
        """Advance the camera animation."""
        if self._transition is None:
            return
        start, target, elapsed = self._transition
        fraction = min((elapsed + dt) / PAN_TIME, 1.0)
        self.camera = (
            start.interpolated(target, fraction * fraction * (3.0 - 2.0 * fraction)) if fraction < 1.0 else target
        )
        self._transition = (start, target, elapsed + dt) if fraction < 1.0 else None

    @property
    def is_animating(self) -> bool:
        """True while the camera moves."""
        return self._transition is not None

    def to_player_direction(self, event: pygame.event.Event) -> pygame.event.Event:
        """Translate an arrow key to the player's direction on a rotated table."""
        if event.key not in _ARROW_KEYS or not self.camera.quarter_turns:
            return event
        key = _ARROW_KEYS[(_ARROW_KEYS.index(event.key) - self.camera.quarter_turns) % 4]
        return pygame.event.Event(event.type, {**event.__dict__, "key": key})

    # -- magnifier ------------------------------------------------------------------------------------------------

    def magnifier(self) -> Magnifier | None:
        """Magnifier beside the table; None for boards, which are large enough."""
        return None

    @contextmanager
    def magnified(self, canvas: Canvas, magnifier: Magnifier) -> Iterator[None]:
        """Draw into the magnifier: surface, then the caller's drawing, then the caption."""
        rect = magnifier.rect
        canvas.box(rect.inflate(canvas.px(4), canvas.px(4)), palette.BORDER)
        with canvas.clipped(rect):
            self._draw_surface(canvas, rect, magnifier.camera, magnifier.name, has_labels=False)
            yield
        self._draw_caption(canvas, magnifier)

    def _draw_caption(self, canvas: Canvas, magnifier: Magnifier) -> None:
        """Draw the caption of the magnifier."""

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle an event: the wheel zooms at the mouse, the middle button pans, + - 0 zoom, F5 shows rulers."""
        match event.type:
            case pygame.MOUSEWHEEL:
                position = pygame.mouse.get_pos()
                if self.contains(position):
                    self.zoom(event.y, position)
                    return True
            case pygame.MOUSEBUTTONDOWN if event.button in self.PAN_BUTTONS and self.contains(event.pos):
                self._is_panning = True
                return bool(event.button == 2)
            case pygame.MOUSEBUTTONUP if event.button in self.PAN_BUTTONS:
                self._is_panning = False
            case pygame.MOUSEMOTION if self._is_panning:
                self.camera, self._transition, self._is_user_controlled = self.camera.panned(*event.rel), None, True
                return True
            case pygame.KEYDOWN:
                action, direction = FLICK_KEYS.match(event)
                match action:
                    case "zoom":
                        self.zoom(float(direction))
                    case "fit":
                        self.fit_table()
                    case "rulers":
                        self.has_rulers = not self.has_rulers
                        if self.ruler_margin and not self._is_user_controlled:
                            self.fit_table()
                    case _:
                        return False
                return True
        return False

    def draw_extra(self, canvas: Canvas, playback: Playback | None, plans: Sequence[Point] = ()) -> None:
        """Draw additional views of a trajectory, close up on plans with these ends [m]; none on a board."""

    def draw(self, canvas: Canvas) -> None:
        """Draw the surface of the table."""
        self._draw_surface(canvas, self.area, self.camera, "table", has_labels=True)

    def _draw_surface(self, canvas: Canvas, rect: pygame.Rect, camera: Camera, name: str, *, has_labels: bool) -> None:
        """Draw the surface in a part of the window; cached once the camera is unchanged for a frame."""
        key = (rect.topleft, rect.size, camera, canvas.scale, palette.palette_name, self.has_rulers)
        last_key, cached = self._surface_cache.get(name, (None, None))
        if last_key == key and cached is not None:
            canvas.surface.blit(cached, rect)
            return
        canvas.surface.fill(palette.BACKGROUND, rect)
        self.painter.draw_surface(
            canvas, camera, self._surface, near_edge=self._near_edge, has_labels=has_labels and self.has_rulers
        )
        if palette.palette_name != "high-contrast":
            canvas.surface.blit(light_overlay(rect.size), rect)
        if last_key == key:  # a copy would not be reused while the view moves
            cached = canvas.surface.subsurface(rect.clip(canvas.surface.get_rect())).copy()
        self._surface_cache[name] = (key, cached if last_key == key else None)


@cached_surface
def light_overlay(size: tuple[int, int]) -> pygame.Surface:
    """Light overlay of a part of the window of a size [pixels]."""
    return pygame.transform.smoothscale(surface_of(procedural_textures.light_overlay(*size)), size)
