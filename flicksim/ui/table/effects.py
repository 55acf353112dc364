"""Effects that come and go over a table: the banner of a turn, points that fly, sparks, and what is waited for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin

import pygame

from flicksim.base.geometry import Point
from flicksim.drawing import Camera
from flicksim.table import Landed, Motion, Touched
from flicksim.ui.kit import coins, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.palette import Colour
from flicksim.ui.table.calm import Spread
from flicksim.ui.table.shot_painter import fan

BANNER = 0.6
"""Time that the banner of a turn is there [s]."""
_FADE = 0.12
"""Time that it takes to come, and to go [s]."""
FLIGHT = 0.8
"""Time that points fly [s]."""
_SPARK = 0.28
"""Time that sparks are seen [s of the motion]."""
_HARD, _SOFT = 1.5, 0.05
"""Pieces that meet so fast strike the most sparks, and so slowly none [m/s]."""
_PATIENCE = 0.3
"""Time that is waited without a word [s]."""


@dataclass(slots=True)
class _Flying:
    """Something won, on its way to the score.

    Args:
        words: what. key: colour and mark of whose it is. begin, end: from where to where [pixels]. t: for how long [s].
    """

    words: str
    key: str | None
    begin: Point
    end: Point
    t: float = 0.0


class Effects:
    """Effects over a table. They know no game: they are told, let time go on, and are drawn."""

    def __init__(self) -> None:
        self.calm = False
        """True if nothing is to fly or slide: all is shown where it ends."""
        self.banner: tuple[str, str, str | None] | None = None
        """The turn handed over: to whom, a few words more, colour and mark of the seat."""
        self._since = BANNER
        self._flying: list[_Flying] = []
        self._waited = 0.0
        self._turning = 0.0

    @property
    def busy(self) -> bool:
        """True while anything is to be seen."""
        return self._since < BANNER or bool(self._flying)

    def hand_over(self, words: str, more: str, key: str | None) -> None:
        """Show whose turn it is."""
        self.banner, self._since = (words, more, key), 0.0

    def fly(self, words: str, key: str | None, begin: Point, end: Point) -> None:
        """Let something that was won fly to where it counts [pixels]; later ones a little later."""
        self._flying.append(_Flying(words, key, begin, end, -0.15 * len(self._flying)))

    def forget(self) -> None:
        """Show nothing any more."""
        self._since, self._waited = BANNER, 0.0
        self._flying.clear()

    def update(self, dt: float, *, waiting: bool) -> None:
        """Let time go on [s]; waiting: whether somebody waits for something just now."""
        self._since += dt
        self._turning += dt
        self._waited = self._waited + dt if waiting else 0.0
        for one in self._flying:
            one.t += dt
        self._flying = [one for one in self._flying if one.t < FLIGHT]

    # -- drawing --------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, area: pygame.Rect, awaited: str) -> None:
        """Draw what is there just now; `awaited` says what is waited for."""
        if self._waited >= _PATIENCE and awaited:
            self._wait(canvas, area, awaited)
        for one in self._flying:
            if one.t >= 0.0:
                self._fly(canvas, one)
        if self._since < BANNER and self.banner is not None:
            self._hand_over(canvas, area)

    def _hand_over(self, canvas: Canvas, area: pygame.Rect) -> None:
        assert self.banner is not None
        words, more, key = self.banner
        shown = min(1.0, self._since / _FADE, (BANNER - self._since) / _FADE)
        size = 26.0
        wide = max(canvas.wide(words, size, bold=True), canvas.wide(more, 15)) + canvas.px(84)
        rect = pygame.Rect(0, 0, min(wide, area.w - canvas.px(20)), canvas.px(70 if more else 52))
        slide = 0 if self.calm else round((1.0 - shown) * canvas.px(14))
        rect.midtop = (area.centerx, area.y + canvas.px(26) - slide)
        sheet = pygame.Surface(rect.size, pygame.SRCALPHA)
        own = Canvas(sheet, canvas.scale)
        tint = palette.seat_colour(key) if key is not None else palette.ACCENT
        own.box(sheet.get_rect(), palette.RAISED, 12, tint)
        mark = coins.coin(own.px(17), key, "penny", 0.0)
        sheet.blit(mark, mark.get_rect(center=(own.px(34), rect.h // 2)))
        x = own.px(60)
        own.text(words, (x, own.px(8 if more else 10)), size, bold=True, within=rect.w - x - own.px(12))
        if more:
            own.text(more, (x, own.px(42)), 15, palette.FAINT, within=rect.w - x - own.px(12))
        sheet.set_alpha(255 if self.calm else round(255 * shown))
        canvas.surface.blit(sheet, rect)

    def _fly(self, canvas: Canvas, one: _Flying) -> None:
        share = 1.0 if self.calm else one.t / FLIGHT
        go = share * share * (3.0 - 2.0 * share)
        (ax, ay), (bx, by) = one.begin, one.end
        lift = 0.0 if self.calm else sin(pi * go) * min(canvas.px(70), 0.25 * hypot(bx - ax, by - ay))
        x, y = ax + (bx - ax) * go, ay + (by - ay) * go - lift
        size = 20.0 + 12.0 * sin(pi * min(1.0, share))
        wide = canvas.wide(one.words, size, bold=True) + canvas.px(20)
        rect = pygame.Rect(0, 0, wide, canvas.high(size) + canvas.px(6))
        rect.center = (round(x), round(y))
        rect.clamp_ip(canvas.surface.get_rect())
        tint = palette.seat_colour(one.key) if one.key is not None else palette.ACCENT
        canvas.box(rect, palette.SHADE, 10, tint)
        canvas.text(one.words, rect.center, size, palette.PALE, bold=True, anchor="center")

    def _wait(self, canvas: Canvas, area: pygame.Rect, words: str) -> None:
        """A chip at the foot of the table: dots that go round, and what is waited for."""
        wide = min(canvas.wide(words, 15, bold=True) + canvas.px(64), area.w - canvas.px(16))
        rect = pygame.Rect(0, 0, wide, canvas.px(34))
        rect.midbottom = (area.centerx, area.bottom - canvas.px(14))
        canvas.box(rect, palette.RAISED, 16, palette.EDGE)
        middle = (rect.x + canvas.px(24), rect.centery)
        for k in range(8):
            turn = 2.0 * pi * k / 8.0
            age = 0.0 if self.calm else (k / 8.0 - self._turning) % 1.0
            colour = palette.mix(palette.ACCENT, palette.RAISED, 0.85 * age)
            at = (middle[0] + canvas.px(9) * cos(turn), middle[1] + canvas.px(9) * sin(turn))
            canvas.disc(at, canvas.px(2.2), colour)
        canvas.text(words, (rect.x + canvas.px(44), rect.centery), 15, bold=True, anchor="midleft",
                    within=rect.w - canvas.px(56))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Met:
    """Two that have met.

    Args:
        since: how long ago [s]. at: where [m]. speed: how fast [m/s]. soft: whether dust flies, and no sparks.
    """

    since: float
    at: Point
    speed: float
    soft: bool


def sparks(canvas: Canvas, camera: Camera, met: Iterable[Met]) -> None:
    """Sparks and dust where pieces have just met, the more and the farther the harder."""
    for number, one in enumerate(met):
        if 0.0 <= one.since < _SPARK and one.speed > _SOFT:
            strong = min(1.0, one.speed / _HARD) ** 0.6
            tint = palette.PALE if one.soft else palette.GLOW
            _burst(canvas, camera.to_screen(one.at), strong, one.since / _SPARK, number, tint)


def met(motion: Motion, t: float) -> Iterator[Met]:
    """The meetings of a motion, as they are to be seen at a time of it [s]."""
    for event in motion.events:
        if isinstance(event, Touched | Landed):
            soft = isinstance(event, Landed) and event.on == "surface"
            yield Met(t - event.t, event.point, event.speed, soft)


def slowly(canvas: Canvas, area: pygame.Rect) -> None:
    """Say at the foot of a table that what is close is shown slowly."""
    at = (area.centerx, area.bottom - canvas.px(16))
    canvas.text("close: slowly   ·   F to the end", at, 15, palette.GLOW, bold=True, anchor="midbottom")


def drawn_out(
    canvas: Canvas, camera: Camera, way: tuple[Point, Point], spread: Spread | None, colour: Colour, share: float
) -> None:
    """The aim of somebody else, drawn out little by little: a fan as wide as that hand errs.

    Args:
        way: from where to where it is aimed [m]. share: how much of it is there by now, 0 to 1.
    """
    end = grown(way, share)
    if spread is not None:
        fan(canvas, camera, way[0], end, spread, colour)
    else:
        canvas.dashes(camera.to_screen(way[0]), camera.to_screen(end), colour, 2.0, 6.0)


def _burst(canvas: Canvas, at: Point, strong: float, age: float, number: int, colour: Colour) -> None:
    """A ring that opens, and short strokes that fly from it."""
    many = 3 + round(7 * strong)
    far = canvas.px(5 + 26 * strong)
    out = 1.0 - (1.0 - age) ** 2
    dim = palette.mix(colour, palette.BRASS, age)
    canvas.ring(at, canvas.px(3) + 0.7 * far * out, dim, max(1.0, canvas.px(2.4 * strong * (1.0 - age))))
    for k in range(many):
        turn = 2.0 * pi * (k + 0.37 * ((number * 7 + k * 3) % 5)) / many
        a, b = far * out * 0.8, far * min(1.0, out + 0.22 * (1.0 - age))
        p = (at[0] + a * cos(turn), at[1] + a * sin(turn))
        q = (at[0] + b * cos(turn), at[1] + b * sin(turn))
        canvas.line(p, q, dim, max(1.0, canvas.px(1.6)))


def meter(canvas: Canvas, at: Point, height: float) -> None:
    """The meter that swings beside a piece: let go near its top."""
    rect = pygame.Rect(0, 0, canvas.px(16), canvas.px(110))
    rect.midleft = (round(at[0]) + canvas.px(34), round(at[1]))
    rect.clamp_ip(canvas.surface.get_clip().inflate(-canvas.px(8), -canvas.px(8)))
    canvas.box(rect, palette.WELL, 6, palette.EDGE)
    top = pygame.Rect(rect.x + 2, rect.y + 2, rect.w - 4, canvas.px(16))
    canvas.box(top, palette.GOOD, 4)
    y = rect.bottom - canvas.px(6) - round((rect.h - canvas.px(12)) * height)
    canvas.line((rect.x - canvas.px(4), y), (rect.right + canvas.px(4), y), palette.PALE, canvas.px(4))


def grown(points: Sequence[Point], share: float) -> Point:
    """A point on the way from the first of two points to the second."""
    (ax, ay), (bx, by) = points[0], points[1]
    return (ax + (bx - ax) * share, ay + (by - ay) * share)
