"""Worth drawn over a table: a bar of chances, plans as arrows, and the map of one over the table as a soft colour."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, cos, hypot, sin
from typing import NamedTuple

import pygame

from flicksim.base.geometry import Point, inside
from flicksim.base.units import direction
from flicksim.drawing import Camera
from flicksim.players import Chart
from flicksim.ui.kit import coins, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.palette import Colour

COLUMN = 52.0
"""Width that the bar takes at the table's edge [units]."""
_WIDE = 16.0
_COLD, _MIDDLE, WARM = (34, 28, 104), (56, 140, 196), (255, 226, 112)
"""Colours of the worst, the middle and the best of a map: they differ in brightness too, for eyes that do not tell
hues, and from wood and cloth."""
_SOFT = 185
"""Opacity of a map, 0 to 255; towards its edge it fades away."""
_ALONG = (0.2, 0.35, 0.5, 0.65, 0.8, 0.1, 0.95)
"""Places of a label along its arrow, the best first, as a share of it [1]."""
_ASIDE = (1.0, -1.0, 1.8, -1.8, 2.6, -2.6)
"""Distances of a label from its arrow to either side, the best first, over the nearest."""
_GAP = 5.0
"""Room between an arrow and its label [units]."""
_LUCK = 0.01
"""A place that is brighter by more is spoken of [chance]."""
_HALVES = 12
"""Steps in which the edge of a table is found: to a quarter of a millimetre of a metre."""
_SMALL = 70.0
"""A map that is smaller on the table is drawn by itself too [units]."""
_INSET = (230.0, 196.0)
"""Size of a map drawn by itself [units]."""
_FADES = 3
"""So many cells at the edge of a map fade."""


class Share(NamedTuple):
    """The chance of a side to win, its interval, and the key of the side's colour."""

    chance: float
    low: float
    high: float
    key: str | None


def bar(canvas: Canvas, column: pygame.Rect, shares: Sequence[Share], *, old: bool = False) -> None:
    """A bar filled from below by the chance of the first side, a pale band where it may lie; bare while nobody knows.

    Args:
        column: room for it and its numbers [pixels]. shares: of the first side and the other; none yet.
        old: whether they are of the position before: they are drawn faintly, and a dotted end says that more comes.
    """
    x, wide, gap = column.x + canvas.px(8), canvas.px(_WIDE), canvas.high(13) + canvas.px(24)
    rect = pygame.Rect(x, column.y + gap, wide, column.h - 2 * gap)
    if rect.h < canvas.px(40):
        return
    if not shares:
        canvas.box(rect, palette.WELL, 3, palette.EDGE)
        canvas.text("...", (rect.right + canvas.px(6), rect.centery), 14, palette.FAINT, anchor="midleft")
        return
    first, other = shares
    canvas.box(rect, palette.seat_colour(other.key), 3)
    low = round(rect.h * first.chance)
    canvas.box(pygame.Rect(rect.x, rect.bottom - low, wide, low), palette.seat_colour(first.key), 3)
    top, foot = (rect.bottom - round(rect.h * share) for share in (first.high, first.low))
    canvas.veil(pygame.Rect(rect.x, top, wide, max(2, foot - top)), palette.PALE, 120)
    canvas.line((rect.x, rect.centery), (rect.right, rect.centery), palette.INK, 1.0)
    edge = min(max(rect.bottom - low, rect.y + canvas.px(8)), rect.bottom - canvas.px(8))
    give = max(first.high - first.chance, first.chance - first.low)
    if old:
        canvas.veil(rect, palette.WELL, 170)
    words = "..." if old else f"±{max(1, ceil(100.0 * give))}"  # the luck of finitely many shots is never told as none
    canvas.text(words, (rect.right + canvas.px(5), edge), 12, palette.FAINT, anchor="midleft")
    pygame.draw.rect(canvas.surface, palette.EDGE, rect, 1, border_radius=canvas.px(3))
    r = canvas.px(8)
    for share, y, way in ((first, rect.bottom, 1), (other, rect.y, -1)):
        at = y + way * canvas.px(4)
        canvas.text(f"{share.chance:.0%}", (rect.x, at), 13, palette.FAINT if old else palette.TEXT, bold=not old,
                    anchor="topleft" if way > 0 else "bottomleft")  # fmt: skip
        mark = coins.coin(r, share.key, "penny", 0.0)
        canvas.surface.blit(mark, mark.get_rect(center=(rect.centerx, at + way * (canvas.high(13) + r + canvas.px(1)))))


def kept(way: tuple[Point, Point], edge: Sequence[Point]) -> tuple[Point, Point]:
    """A way no farther than to the table's edge [m]; whole where it begins beyond it."""
    begin, end = way
    if inside(end, edge) or not inside(begin, edge):
        return way
    low, high = 0.0, 1.0
    for _ in range(_HALVES):
        share = (low + high) / 2.0
        low, high = (share, high) if inside(_towards(begin, end, share), edge) else (low, share)
    return begin, _towards(begin, end, low)


def _towards(begin: Point, end: Point, share: float) -> Point:
    return begin[0] + (end[0] - begin[0]) * share, begin[1] + (end[1] - begin[1]) * share


class Arrow(NamedTuple):
    """A plan as it is drawn: from one point of the window to another [pixels], its colour, what is told of it."""

    here: Point
    end: Point
    colour: Colour
    label: str


def arrows(canvas: Canvas, plans: Sequence[Arrow]) -> list[pygame.Rect]:
    """Draw plans as arrows, the last uppermost, and then what is told of each beside it, clear of all the others.
    Returns where that stands [pixels]."""
    seen = [one for one in plans if hypot(one.end[0] - one.here[0], one.end[1] - one.here[1]) >= 1.0]
    for one in seen:
        _arrow(canvas, one)
    area, taken = canvas.surface.get_clip(), list[pygame.Rect]()
    for one in reversed(seen):
        size = canvas.wide(one.label, 13, bold=True) + canvas.px(8), canvas.high(13)
        plate = clear_place(one, size, seen, taken, area, canvas.px(_GAP))
        taken.append(plate)
        canvas.box(plate, palette.INK, 4)
        canvas.text(one.label, plate.center, 13, one.colour, bold=True, anchor="center")
    return taken


def _arrow(canvas: Canvas, one: Arrow) -> None:
    (x, y), end, colour = one.here, one.end, one.colour
    far = hypot(end[0] - x, end[1] - y)
    ux, uy = (end[0] - x) / far, (end[1] - y) / far
    head, half = canvas.px(11), canvas.px(6)
    neck = (end[0] - ux * head, end[1] - uy * head)
    canvas.line(one.here, neck, palette.INK, 4.0)
    canvas.line(one.here, neck, colour, 2.0)
    canvas.polygon([end, (neck[0] - uy * half, neck[1] + ux * half), (neck[0] + uy * half, neck[1] - ux * half)],
                   colour)  # fmt: skip


def clear_place(
    one: Arrow, size: tuple[int, int], every: Sequence[Arrow], taken: Sequence[pygame.Rect], area: pygame.Rect, gap: int
) -> pygame.Rect:
    """The place of a label beside its arrow that least crosses arrows and other labels, the nearest of these [pixels].

    Args:
        size: of the label. every: the arrows. taken: where labels stand. area: all of it must stay in there.
        gap: between an arrow and its label.
    """
    (x, y), (wide, high) = one.here, size
    dx, dy = one.end[0] - x, one.end[1] - y
    far = hypot(dx, dy)
    nx, ny = -dy / far, dx / far
    aside = (abs(nx) * wide + abs(ny) * high) / 2.0 + gap

    def beside(share: float, off: float) -> pygame.Rect:
        plate = pygame.Rect(0, 0, wide, high)
        plate.center = round(x + dx * share + nx * off), round(y + dy * share + ny * off)
        return plate.clamp(area)

    places = [beside(share, off * aside) for off in _ASIDE for share in _ALONG]

    def crossings(plate: pygame.Rect) -> int:
        room = plate.inflate(gap, gap)
        lines = sum(bool(plate.clipline(other.here, other.end)) for other in every)
        return lines + 2 * len(room.collidelistall(list(taken)))

    return min(places, key=crossings)


class Spread:
    """A map laid over the table: every flick of it is drawn where it would end on a free table.

    Args:
        chart: the map. way: from where to where its own flick goes [m]. edge: of the table; flicks that would leave
            it are all drawn nearer.
    """

    def __init__(self, chart: Chart, way: tuple[Point, Point], edge: Sequence[Point]) -> None:
        self.chart, self._begin = chart, way[0]
        far = hypot(way[1][0] - way[0][0], way[1][1] - way[0][1])
        speed = max(1e-6, chart.action.speed)
        # a slide and a throw both go by the square of the speed
        ways = [far * (one / speed) ** 2 for one in chart.speeds]
        last = kept((way[0], _towards(*way, max(ways) / max(far, 1e-9))), edge)
        self.near = hypot(last[1][0] - way[0][0], last[1][1] - way[0][1]) / max(*ways, 1e-9)
        """So far out they are drawn, as a share of their way [1]."""
        self._ways = [one * self.near for one in ways]
        self.way = way[0], _towards(*way, self.near)
        """From where to where its own flick is drawn [m]."""
        self.low, self.high = min(map(min, chart.chance)), max(map(max, chart.chance))
        self.best: float | None = None
        """The chance of its own flick, as it was weighed."""
        self._kept: tuple[Camera, pygame.Rect, pygame.Surface] | None = None

    def hold_against(self, chance: float) -> None:
        """Let the scale reach to the chance that its own flick was weighed with: the two are read together."""
        self.best = chance
        if not self.low <= chance <= self.high:
            self.low, self.high, self._kept = min(self.low, chance), max(self.high, chance), None

    def small(self, canvas: Canvas, camera: Camera) -> bool:
        """True where it is too small on the table to be read there."""
        spots = self._spots(camera)
        xs, ys = [x for row in spots for x, _ in row], [y for row in spots for _, y in row]
        return max(max(xs) - min(xs), max(ys) - min(ys)) < canvas.px(_SMALL)

    def inset(self, canvas: Canvas, camera: Camera, pieces: Sequence[Point]) -> pygame.Rect:
        """Draw it by itself in a corner of the table, over the flick's two leading numbers, its own flick ringed.
        Returns where.

        Args:
            pieces: points that are better left uncovered [pixels].
        """
        area, pad = canvas.surface.get_clip(), canvas.px(10)
        wide, high = map(canvas.px, _INSET)
        box = pygame.Rect(0, 0, min(wide, area.w // 2), min(high, area.h // 2))
        room, near = area.inflate(-2 * pad, -2 * pad), [*pieces, *map(camera.to_screen, self.way)]
        corners = []
        for corner in ("topright", "topleft", "bottomright", "bottomleft"):
            one = box.copy()
            setattr(one, corner, getattr(room, corner))
            corners.append(one)
        box = min(corners, key=lambda one: sum(one.inflate(pad, pad).collidepoint(at) for at in near))
        canvas.box(box, palette.PANEL, 8, palette.EDGE)
        canvas.text("The map, larger", (box.x + pad, box.y + canvas.px(4)), 12, palette.TEXT, bold=True)
        left, foot = canvas.px(46), canvas.high(11) + canvas.px(22)
        head = canvas.high(12) + canvas.high(11) + canvas.px(12)
        plot = pygame.Rect(box.x + left, box.y + head, box.w - left - pad - canvas.px(6), box.h - head - foot)
        self._draw_grid(canvas, plot)
        turns, speeds, faint = self.chart.azimuths, self.chart.speeds, palette.FAINT
        for share in (0.0, 0.5, 1.0):
            speed = speeds[0] + (speeds[-1] - speeds[0]) * share
            y, x = plot.bottom - share * plot.h, plot.x + share * plot.w
            canvas.line((plot.x - canvas.px(4), y), (plot.x, y), faint, 1.0)
            canvas.text(f"{speed:.2f}", (plot.x - canvas.px(6), y), 11, faint, anchor="midright")
            turn = turns[-1] + (turns[0] - turns[-1]) * share
            canvas.line((x, plot.bottom), (x, plot.bottom + canvas.px(4)), faint, 1.0)
            canvas.text(f"{direction(turn, 0)}°", (x, plot.bottom + canvas.px(5)), 11, faint, anchor="midtop")
        canvas.text("m/s", (plot.x - canvas.px(6), plot.y - canvas.px(8)), 11, faint, anchor="bottomright")
        canvas.text("direction", (plot.centerx, box.bottom - canvas.px(3)), 11, faint, anchor="midbottom")
        self._draw_own(canvas, plot)
        return box

    def _draw_grid(self, canvas: Canvas, plot: pygame.Rect) -> None:
        """The chances as a grid: stronger flicks higher, those to the left on the left."""
        rows, columns = len(self.chart.speeds) - 1, len(self.chart.azimuths) - 1
        for i in range(rows):
            for j in range(columns):
                x, right = (plot.x + plot.w * (columns - k) // columns for k in (j + 1, j))
                y, low = (plot.bottom - plot.h * k // rows for k in (i + 1, i))
                canvas.surface.fill(self.shade(self._middle(i, j)), pygame.Rect(x, y, right - x, low - y))
        pygame.draw.rect(canvas.surface, palette.EDGE, plot, 1)

    def _draw_own(self, canvas: Canvas, plot: pygame.Rect) -> None:
        """A ring at the map's own flick."""
        chart = self.chart
        up = (chart.action.speed - chart.speeds[0]) / max(chart.speeds[-1] - chart.speeds[0], 1e-9)
        along = (chart.azimuths[-1] - chart.action.azimuth) / max(chart.azimuths[-1] - chart.azimuths[0], 1e-9)
        spot = plot.x + min(max(along, 0.0), 1.0) * plot.w, plot.bottom - min(max(up, 0.0), 1.0) * plot.h
        canvas.ring(spot, canvas.px(7), palette.INK, 4.0)
        canvas.ring(spot, canvas.px(6), palette.CHALK, 2.0)
        if self.best is not None:
            at = (plot.right, plot.y - canvas.px(4))
            told = canvas.text(f"this flick {self.best:.0%}", at, 11, palette.TEXT, anchor="bottomright")
            canvas.ring((told.x - canvas.px(8), told.centery), canvas.px(5), palette.TEXT, 2.0)

    def draw(self, canvas: Canvas, camera: Camera) -> None:
        """Lay it over the table as it is seen; drawn anew only when that has changed."""
        area = canvas.surface.get_clip()
        if self._kept is None or self._kept[:2] != (camera, area):
            self._kept = (camera, area, self._drawn(camera, area))
        canvas.surface.blit(self._kept[2], area)

    def _spots(self, camera: Camera) -> list[list[Point]]:
        """The end of every flick of it [pixels]."""
        x, y = self._begin
        return [
            [camera.to_screen((x + far * cos(turn), y + far * sin(turn))) for turn in self.chart.azimuths]
            for far in self._ways
        ]

    def _drawn(self, camera: Camera, area: pygame.Rect) -> pygame.Surface:
        sheet = pygame.Surface(area.size, pygame.SRCALPHA)
        spots = self._spots(camera)
        rows, columns = len(spots) - 1, len(spots[0]) - 1
        for i in range(rows):
            for j in range(columns):
                edge = min(i, j, rows - 1 - i, columns - 1 - j)
                soft = round(_SOFT * min(1.0, (edge + 1.0) / (_FADES + 1.0)))
                corners = (spots[i][j], spots[i][j + 1], spots[i + 1][j + 1], spots[i + 1][j])
                points = [(px - area.x, py - area.y) for px, py in corners]
                pygame.draw.polygon(sheet, (*self.shade(self._middle(i, j)), soft), points)
        return sheet

    def _middle(self, i: int, j: int) -> float:
        told = self.chart.chance
        return (told[i][j] + told[i + 1][j] + told[i][j + 1] + told[i + 1][j + 1]) / 4.0

    def shade(self, chance: float) -> Colour:
        """The colour of a chance."""
        share = 2.0 * (chance - self.low) / max(self.high - self.low, 1e-9)
        return palette.mix(_COLD, _MIDDLE, share) if share < 1.0 else palette.mix(_MIDDLE, WARM, share - 1.0)

    def legend(self, canvas: Canvas, rect: pygame.Rect, *, luck: bool) -> int:
        """Say what the colours stand for and over which numbers. Returns where it ends [pixels].

        Args:
            luck: whether the brightest place was tried, and was no better.
        """
        high = canvas.px(12)
        strip = pygame.Rect(rect.x, rect.y + canvas.high(12), rect.w, high)
        canvas.text("Chance to win when it is meant so", rect.topleft, 12, palette.FAINT, within=rect.w)
        for k in range(strip.w):
            chance = self.low + (self.high - self.low) * k / max(1, strip.w - 1)
            canvas.surface.fill(self.shade(chance), (strip.x + k, strip.y, 1, high))
        y = strip.bottom + canvas.px(1)
        low = canvas.text(f"{self.low:.0%}", (strip.x, y), 12, palette.TEXT)
        high_ = canvas.text(f"{self.high:.0%}", (strip.right, y), 12, palette.TEXT, anchor="topright")
        if self.best is not None:
            share = (self.best - self.low) / max(self.high - self.low, 1e-9)
            x = strip.x + round(share * (strip.w - 1))
            canvas.line((x, strip.y - canvas.px(3)), (x, strip.bottom + canvas.px(2)), palette.TEXT, 2.0)
            words = f"this flick {self.best:.0%}"
            half = canvas.wide(words, 12) // 2 + canvas.px(6)
            if high_.x - low.right >= 2 * half:
                x = min(max(x, low.right + half), high_.x - half)
                canvas.text(words, (x, y), 12, palette.ACCENT, anchor="midtop")
        turns, speeds = self.chart.azimuths, self.chart.speeds
        y += canvas.high(12)
        numbers = f"{min(speeds):.2f} to {max(speeds):.2f} m/s, {direction(turns[0], 0)}° to {direction(turns[-1], 0)}°"
        canvas.text(numbers, (rect.x, y), 12, palette.FAINT, within=rect.w)
        y += canvas.high(12)
        if luck and self.best is not None and self.high - self.best > _LUCK:
            room = pygame.Rect(rect.x, y, rect.w, 2 * canvas.high(12))
            y = canvas.paragraph("Brighter places are no better than this flick beyond luck.", room, 12, palette.FAINT)
        if self.near < 0.999:
            y = canvas.text("Drawn nearer: some would leave the table.", (rect.x, y), 12, palette.FAINT,
                            within=rect.w).bottom  # fmt: skip
        return y
