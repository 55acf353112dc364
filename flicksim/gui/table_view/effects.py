"""Transient effects over a table: banners, flying points, sparks, busy indicator."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin

import pygame

from flicksim.core.geometry import Point
from flicksim.gui.table_view.gestures import ShotSpread
from flicksim.gui.table_view.shot_painter import draw_distance_beyond, draw_spread
from flicksim.gui.toolkit import Canvas, Colour, palette, piece_sprites
from flicksim.render import Camera
from flicksim.scene import Collision, Event, Landed, LaunchEvent, PyramidCollision

BANNER_TIME = 0.6
"""Time for which the turn banner is shown [s]."""
_FADE_TIME = 0.12
"""Duration of its fading in, and out [s]."""
_TITLE_SIZE = 26.0
"""Size of its letters [units]."""
FLIGHT_TIME = 0.8
"""Duration of the flight of points [s]."""
_SPARK_TIME = 0.28
"""Duration of sparks [s of the trajectory]."""
_MAX_SPARK_SPEED, _MIN_SPARK_SPEED = 1.5, 0.05
"""Collision speeds of the most sparks, and of none [m/s]."""
_WAIT_DELAY = 0.3
"""Waiting time before the busy indicator is shown [s]."""


@dataclass(slots=True)
class _FlyingScore:
    """Points flying to the score (see `Effects.fly_score`); the time since the start [s]."""

    text: str
    key: str | None
    start: Point | Callable[[], Point]
    end: Point
    t: float


class Effects:
    """Transient effects over a table, independent of the game."""

    def __init__(self) -> None:
        self.reduced_motion = False
        """True if effects are shown at their end without motion."""
        self.banner: tuple[str, str, str | None] | None = None
        """Turn banner: text, subtitle, colour key of the seat."""
        self._banner_age = BANNER_TIME
        self._flying_scores: list[_FlyingScore] = []
        self._wait_time = 0.0
        self._spinner_angle = 0.0

    @property
    def is_active(self) -> bool:
        """True while any effect is visible."""
        return self._banner_age < BANNER_TIME or bool(self._flying_scores)

    def show_turn_banner(self, text: str, subtitle: str, key: str | None) -> None:
        """Show a banner with the seat to play."""
        self.banner, self._banner_age = (text, subtitle, key), 0.0

    def fly_score(self, text: str, key: str | None, start: Point | Callable[[], Point], end: Point) -> None:
        """Start a flight of points to the score, staggered if several fly.

        Args:
            text: of the points. key: of the seat's colour and mark. start, end: on the screen [pixels]; of the start a
                function where the view may move.
        """
        self._flying_scores.append(_FlyingScore(text, key, start, end, -0.15 * len(self._flying_scores)))

    def update(self, dt: float, *, is_waiting: bool) -> None:
        """Advance time [s]; `is_waiting`: the user waits for a computation."""
        self._banner_age += dt
        self._spinner_angle += dt
        self._wait_time = self._wait_time + dt if is_waiting else 0.0
        for score in self._flying_scores:
            score.t += dt
        self._flying_scores = [score for score in self._flying_scores if score.t < FLIGHT_TIME]

    # -- drawing --------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, area: pygame.Rect, wait_text: str) -> None:
        """Draw the present effects; `wait_text` names the computation waited for."""
        if self._wait_time >= _WAIT_DELAY and wait_text:
            self._draw_wait(canvas, area, wait_text)
        for score in self._flying_scores:
            if score.t >= 0.0:
                self._draw_flying(canvas, score)
        if (rect := self.banner_rect(canvas, area)) is not None:
            self._draw_banner(canvas, rect)

    def banner_rect(self, canvas: Canvas, area: pygame.Rect) -> pygame.Rect | None:
        """Rectangle of the turn banner at the top of an area; None while there is none."""
        if self.banner is None or self._banner_age >= BANNER_TIME:
            return None
        title, subtitle, _ = self.banner
        width = max(canvas.text_width(title, _TITLE_SIZE, bold=True), canvas.text_width(subtitle, 15)) + canvas.px(84)
        rect = pygame.Rect(0, 0, min(width, area.w - canvas.px(20)), canvas.px(70 if subtitle else 52))
        rect.midtop = (area.centerx, area.y + canvas.px(26))
        return rect

    def _draw_banner(self, canvas: Canvas, rect: pygame.Rect) -> None:
        assert self.banner is not None
        title, subtitle, key = self.banner
        opacity = min(1.0, self._banner_age / _FADE_TIME, (BANNER_TIME - self._banner_age) / _FADE_TIME)
        offset = 0 if self.reduced_motion else round((1.0 - opacity) * canvas.px(14))
        surface = pygame.Surface(rect.size, pygame.SRCALPHA)
        banner = Canvas(surface, canvas.scale)
        tint = palette.seat_colour(key) if key is not None else palette.ACCENT
        banner.box(surface.get_rect(), palette.RAISED_PANEL, 12, tint)
        piece_sprites.draw_seat_coin(surface, (banner.px(34), rect.h // 2), banner.px(17), key)
        x = banner.px(60)
        at, max_width = (x, banner.px(8 if subtitle else 10)), rect.w - x - banner.px(12)
        banner.text(title, at, _TITLE_SIZE, bold=True, max_width=max_width)
        if subtitle:
            banner.text(subtitle, (x, banner.px(42)), 15, palette.MUTED_TEXT, max_width=max_width)
        surface.set_alpha(255 if self.reduced_motion else round(255 * opacity))
        canvas.surface.blit(surface, rect.move(0, -offset))

    def _draw_flying(self, canvas: Canvas, score: _FlyingScore) -> None:
        progress = 1.0 if self.reduced_motion else score.t / FLIGHT_TIME
        eased = progress * progress * (3.0 - 2.0 * progress)
        (ax, ay), (bx, by) = score.start() if callable(score.start) else score.start, score.end
        lift = 0.0 if self.reduced_motion else sin(pi * eased) * min(canvas.px(70), 0.25 * hypot(bx - ax, by - ay))
        x, y = ax + (bx - ax) * eased, ay + (by - ay) * eased - lift
        size = 20.0 + 12.0 * sin(pi * min(1.0, progress))
        width = canvas.text_width(score.text, size, bold=True) + canvas.px(20)
        rect = pygame.Rect(0, 0, width, canvas.line_height(size) + canvas.px(6))
        rect.center = (round(x), round(y))
        rect.clamp_ip(canvas.surface.get_rect())
        colour = palette.seat_colour(score.key) if score.key is not None else palette.ACCENT
        canvas.box(rect, palette.OVERLAY_SHADE, 10, colour)
        canvas.text(score.text, rect.center, size, palette.LIGHT_TEXT, bold=True, anchor="center")

    def _draw_wait(self, canvas: Canvas, area: pygame.Rect, text: str) -> None:
        """Draw the busy indicator: circling dots, and the text of the task."""
        width = min(canvas.text_width(text, 15, bold=True) + canvas.px(64), area.w - canvas.px(16))
        rect = pygame.Rect(0, 0, width, canvas.px(34))
        rect.midbottom = (area.centerx, area.bottom - canvas.px(14))
        canvas.box(rect, palette.RAISED_PANEL, 16, palette.BORDER)
        center = (rect.x + canvas.px(24), rect.centery)
        for k in range(8):
            angle = 2.0 * pi * k / 8.0
            age = 0.0 if self.reduced_motion else (k / 8.0 - self._spinner_angle) % 1.0
            colour = palette.mix(palette.ACCENT, palette.RAISED_PANEL, 0.85 * age)
            position = (center[0] + canvas.px(9) * cos(angle), center[1] + canvas.px(9) * sin(angle))
            canvas.disc(position, canvas.px(2.2), colour)
        canvas.text(text, (rect.x + canvas.px(44), rect.centery), 15, bold=True, anchor="midleft",
                    max_width=rect.w - canvas.px(56))  # fmt: skip


def draw_impacts(canvas: Canvas, camera: Camera, events: Iterable[Event | LaunchEvent], t: float) -> None:
    """Draw where pieces have collided just before a time [s]: sparks, or dust on the table; more for harder impacts."""
    impacts = (event for event in events if isinstance(event, Collision | Landed | PyramidCollision))
    for number, impact in enumerate(impacts):
        age = t - impact.t
        if 0.0 <= age < _SPARK_TIME and impact.speed > _MIN_SPARK_SPEED:
            strength = min(1.0, impact.speed / _MAX_SPARK_SPEED) ** 0.6
            colour = palette.LIGHT_TEXT if getattr(impact, "on", "") == "surface" else palette.HIGHLIGHT
            _draw_burst(canvas, camera.to_screen(impact.point), strength, age / _SPARK_TIME, number, colour)


def draw_slow_motion_label(canvas: Canvas, area: pygame.Rect) -> None:
    """Draw a label for the slow motion of a key moment."""
    at = (area.centerx, area.bottom - canvas.px(16))
    canvas.text("close: slowly   ·   F to the end", at, 15, palette.HIGHLIGHT, bold=True, anchor="midbottom")


def draw_bot_aim(
    canvas: Canvas,
    camera: Camera,
    segment: tuple[Point, Point],
    spread: ShotSpread | None,
    colour: Colour,
    progress: float,
) -> None:
    """Draw the aim of a bot as it grows, with its fan of execution noise.

    Args:
        segment: start and end of the shot aimed [m]. progress: fraction drawn by now, 0 to 1.
    """
    end = interpolate(segment, progress)
    if spread is not None:
        draw_spread(canvas, camera, segment[0], end, spread, colour)
        draw_distance_beyond(canvas, camera, segment[0], end)
    else:
        canvas.dashed_line(camera.to_screen(segment[0]), camera.to_screen(end), colour, 2.0, 6.0)


def _draw_burst(canvas: Canvas, center: Point, strength: float, age: float, count: int, colour: Colour) -> None:
    """Draw an expanding ring with short rays."""
    rays = 3 + round(7 * strength)
    radius = canvas.px(5 + 26 * strength)
    spread = 1.0 - (1.0 - age) ** 2
    ray_colour = palette.mix(colour, palette.BRASS, age)
    canvas.circle(
        center, canvas.px(3) + 0.7 * radius * spread, ray_colour, max(1.0, canvas.px(2.4 * strength * (1.0 - age)))
    )
    for k in range(rays):
        angle = 2.0 * pi * (k + 0.37 * ((count * 7 + k * 3) % 5)) / rays
        inner, outer = radius * spread * 0.8, radius * min(1.0, spread + 0.22 * (1.0 - age))
        start = (center[0] + inner * cos(angle), center[1] + inner * sin(angle))
        end = (center[0] + outer * cos(angle), center[1] + outer * sin(angle))
        canvas.line(start, end, ray_colour, max(1.0, canvas.px(1.6)))


def draw_meter(canvas: Canvas, position: Point, height: float) -> None:
    """Draw the meter of the rhythm gesture beside a piece."""
    rect = pygame.Rect(0, 0, canvas.px(16), canvas.px(110))
    rect.midleft = (round(position[0]) + canvas.px(34), round(position[1]))
    rect.clamp_ip(canvas.surface.get_clip().inflate(-canvas.px(8), -canvas.px(8)))
    canvas.box(rect, palette.INSET_BACKGROUND, 6, palette.BORDER)
    top = pygame.Rect(rect.x + 2, rect.y + 2, rect.w - 4, canvas.px(16))
    canvas.box(top, palette.GOOD, 4)
    y = rect.bottom - canvas.px(6) - round((rect.h - canvas.px(12)) * height)
    canvas.line((rect.x - canvas.px(4), y), (rect.right + canvas.px(4), y), palette.LIGHT_TEXT, canvas.px(4))


def interpolate(points: Sequence[Point], fraction: float) -> Point:
    """Interpolate between two points."""
    (ax, ay), (bx, by) = points[0], points[1]
    return (ax + (bx - ax) * fraction, ay + (by - ay) * fraction)
