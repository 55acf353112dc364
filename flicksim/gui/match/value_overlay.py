"""Value overlay on a table: evaluation bar, candidate arrows and value map."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, cos, hypot, sin
from typing import NamedTuple

import pygame

from flicksim.ai import ValueMap
from flicksim.core.geometry import Point, is_inside_convex
from flicksim.core.units import format_azimuth
from flicksim.gui.toolkit import palette, piece_sprites
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.gui.toolkit.palette import Colour
from flicksim.render import Camera

BAR_COLUMN_WIDTH = 52.0
"""Width that the bar takes at the table's edge [units]."""
_BAR_WIDTH = 16.0
_LOW_COLOUR, _MID_COLOUR, HIGH_COLOUR = (34, 28, 104), (56, 140, 196), (255, 226, 112)
"""Colours of the worst, the middle and the best of a map: they differ in brightness too, for eyes that do not tell
hues, and from wood and cloth."""
_MAP_ALPHA = 185
"""Opacity of a map, 0 to 255; towards its edge it fades away."""
_LABEL_POSITIONS = (0.2, 0.35, 0.5, 0.65, 0.8, 0.1, 0.95)
"""Places of a label along its arrow, the best first, as a share of it [1]."""
_LABEL_OFFSETS = (1.0, -1.0, 1.8, -1.8, 2.6, -2.6)
"""Distances of a label from its arrow to either side, the best first, over the nearest."""
_LABEL_GAP = 5.0
"""Room between an arrow and its label [units]."""
_NOISE_THRESHOLD = 0.01
"""A place that is brighter by more is spoken of [chance]."""
_BISECTIONS = 12
"""Steps in which the edge of a table is found: to a quarter of a millimetre of a metre."""
_MIN_MAP_SIZE = 70.0
"""A map that is smaller on the table is drawn by itself too [units]."""
_INSET_SIZE = (230.0, 196.0)
"""Size of a map drawn by itself [units]."""
_FADE_CELLS = 3
"""Cells at the edge of a map that fade out."""


class WinChance(NamedTuple):
    """The chance of a side to win, its interval, and the key of the side's colour."""

    probability: float
    low: float
    high: float
    colour_key: str | None


def draw_win_bar(canvas: Canvas, column: pygame.Rect, chances: Sequence[WinChance], *, is_stale: bool = False) -> None:
    """Draw a bar filled from below by the win chance of the first side, with its confidence band.

    Args:
        column: room for it and its numbers [pixels]. chances: of the first side and the other; empty while unknown.
        is_stale: they are of the position before: drawn faintly, with a dotted end.
    """
    x, wide, gap = column.x + canvas.px(8), canvas.px(_BAR_WIDTH), canvas.line_height(13) + canvas.px(24)
    rect = pygame.Rect(x, column.y + gap, wide, column.h - 2 * gap)
    if rect.h < canvas.px(40):
        return
    if not chances:
        canvas.box(rect, palette.INSET_BACKGROUND, 3, palette.BORDER)
        canvas.text("...", (rect.right + canvas.px(6), rect.centery), 14, palette.MUTED_TEXT, anchor="midleft")
        return
    first, other = chances
    canvas.box(rect, palette.seat_colour(other.colour_key), 3)
    low = round(rect.h * first.probability)
    canvas.box(pygame.Rect(rect.x, rect.bottom - low, wide, low), palette.seat_colour(first.colour_key), 3)
    top, foot = (rect.bottom - round(rect.h * share) for share in (first.high, first.low))
    canvas.translucent_rect(pygame.Rect(rect.x, top, wide, max(2, foot - top)), palette.LIGHT_TEXT, 120)
    canvas.line((rect.x, rect.centery), (rect.right, rect.centery), palette.DARK_TEXT, 1.0)
    edge = min(max(rect.bottom - low, rect.y + canvas.px(8)), rect.bottom - canvas.px(8))
    give = max(first.high - first.probability, first.probability - first.low)
    if is_stale:
        canvas.translucent_rect(rect, palette.INSET_BACKGROUND, 170)
    words = (
        "..." if is_stale else f"±{max(1, ceil(100.0 * give))}"
    )  # sampling error of finitely many shots is never shown as zero
    canvas.text(words, (rect.right + canvas.px(5), edge), 12, palette.MUTED_TEXT, anchor="midleft")
    pygame.draw.rect(canvas.surface, palette.BORDER, rect, 1, border_radius=canvas.px(3))
    r = canvas.px(8)
    for share, y, way in ((first, rect.bottom, 1), (other, rect.y, -1)):
        at = y + way * canvas.px(4)
        canvas.text(
            f"{share.probability:.0%}",
            (rect.x, at),
            13,
            palette.MUTED_TEXT if is_stale else palette.TEXT,
            bold=not is_stale,
            anchor="topleft" if way > 0 else "bottomleft",
        )
        mark = piece_sprites.piece_sprite(r, share.colour_key, "penny", 0.0)
        canvas.surface.blit(
            mark, mark.get_rect(center=(rect.centerx, at + way * (canvas.line_height(13) + r + canvas.px(1))))
        )


def clip_to_table(segment: tuple[Point, Point], edge: Sequence[Point]) -> tuple[Point, Point]:
    """Clip a segment to the table's outline; whole where it begins outside."""
    begin, end = segment
    if is_inside_convex(end, edge) or not is_inside_convex(begin, edge):
        return segment
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        share = (low + high) / 2.0
        low, high = (share, high) if is_inside_convex(_interpolate(begin, end, share), edge) else (low, share)
    return begin, _interpolate(begin, end, low)


def _interpolate(start: Point, end: Point, fraction: float) -> Point:
    return start[0] + (end[0] - start[0]) * fraction, start[1] + (end[1] - start[1]) * fraction


class PlanArrow(NamedTuple):
    """A plan as it is drawn: from one point of the window to another [pixels], its colour, its label."""

    start: Point
    end: Point
    colour: Colour
    label: str


def draw_arrows(canvas: Canvas, arrows: Sequence[PlanArrow]) -> list[pygame.Rect]:
    """Draw candidates as arrows, the last uppermost, then the label of each beside it, clear of all others.
    Returns where that stands [pixels]."""
    seen = [one for one in arrows if hypot(one.end[0] - one.start[0], one.end[1] - one.start[1]) >= 1.0]
    for one in seen:
        _draw_arrow(canvas, one)
    area, taken = canvas.surface.get_clip(), list[pygame.Rect]()
    for one in reversed(seen):
        size = canvas.text_width(one.label, 13, bold=True) + canvas.px(8), canvas.line_height(13)
        plate = label_position(one, size, seen, taken, area, canvas.px(_LABEL_GAP))
        taken.append(plate)
        canvas.box(plate, palette.DARK_TEXT, 4)
        canvas.text(one.label, plate.center, 13, one.colour, bold=True, anchor="center")
    return taken


def _draw_arrow(canvas: Canvas, arrow: PlanArrow) -> None:
    (x, y), end, colour = arrow.start, arrow.end, arrow.colour
    far = hypot(end[0] - x, end[1] - y)
    ux, uy = (end[0] - x) / far, (end[1] - y) / far
    head, half = canvas.px(11), canvas.px(6)
    neck = (end[0] - ux * head, end[1] - uy * head)
    canvas.line(arrow.start, neck, palette.DARK_TEXT, 4.0)
    canvas.line(arrow.start, neck, colour, 2.0)
    canvas.polygon([end, (neck[0] - uy * half, neck[1] + ux * half), (neck[0] + uy * half, neck[1] - ux * half)],
                   colour)  # fmt: skip


def label_position(
    arrow: PlanArrow,
    size: tuple[int, int],
    arrows: Sequence[PlanArrow],
    labels: Sequence[pygame.Rect],
    area: pygame.Rect,
    gap: int,
) -> pygame.Rect:
    """The place of a label beside its arrow that least crosses arrows and other labels, the nearest of these
    [pixels].

    Args:
        size: of the label. arrows: all arrows. labels: rectangles of labels placed. area: all of it must stay in
        there.
        gap: between an arrow and its label.
    """
    (x, y), (wide, high) = arrow.start, size
    dx, dy = arrow.end[0] - x, arrow.end[1] - y
    far = hypot(dx, dy)
    nx, ny = -dy / far, dx / far
    aside = (abs(nx) * wide + abs(ny) * high) / 2.0 + gap

    def beside(share: float, off: float) -> pygame.Rect:
        plate = pygame.Rect(0, 0, wide, high)
        plate.center = round(x + dx * share + nx * off), round(y + dy * share + ny * off)
        return plate.clamp(area)

    places = [beside(share, off * aside) for off in _LABEL_OFFSETS for share in _LABEL_POSITIONS]

    def crossings(plate: pygame.Rect) -> int:
        room = plate.inflate(gap, gap)
        lines = sum(bool(plate.clipline(other.start, other.end)) for other in arrows)
        return lines + 2 * len(room.collidelistall(list(labels)))

    return min(places, key=crossings)


class ValueMapOverlay:
    """Value map over the table: every flick is drawn where it would end on a free table.

    Args:
        value_map: the map. shot_path: start and end of its own flick [m]. edge: of the table; flicks that would leave
            it are all drawn nearer.
    """

    def __init__(self, value_map: ValueMap, shot_path: tuple[Point, Point], edge: Sequence[Point]) -> None:
        self.value_map, self._start = value_map, shot_path[0]
        far = hypot(shot_path[1][0] - shot_path[0][0], shot_path[1][1] - shot_path[0][1])
        speed = max(1e-6, value_map.action.speed)
        # a slide and a throw both go by the square of the speed
        ways = [far * (one / speed) ** 2 for one in value_map.speeds]
        last = clip_to_table((shot_path[0], _interpolate(*shot_path, max(ways) / max(far, 1e-9))), edge)
        self.is_close_up = hypot(last[1][0] - shot_path[0][0], last[1][1] - shot_path[0][1]) / max(*ways, 1e-9)
        """So far out they are drawn, as a share of their way [1]."""
        self._end_points = [one * self.is_close_up for one in ways]
        self.shot_path = shot_path[0], _interpolate(*shot_path, self.is_close_up)
        """From where to where its own flick is drawn [m]."""
        self.low, self.high = min(map(min, value_map.win_probability)), max(map(max, value_map.win_probability))
        self.best: float | None = None
        """Evaluated chance of its own flick."""
        self._cache: tuple[Camera, pygame.Rect, pygame.Surface] | None = None

    def extend_scale(self, probability: float) -> None:
        """Extend the colour scale to the evaluated chance of its own flick: the two are read together."""
        self.best = probability
        if not self.low <= probability <= self.high:
            self.low, self.high, self._cache = min(self.low, probability), max(self.high, probability), None

    def is_small(self, canvas: Canvas, camera: Camera) -> bool:
        """True if the map is too small on the table to be read."""
        spots = self._screen_points(camera)
        xs, ys = [x for row in spots for x, _ in row], [y for row in spots for _, y in row]
        return max(max(xs) - min(xs), max(ys) - min(ys)) < canvas.px(_MIN_MAP_SIZE)

    def draw_inset(self, canvas: Canvas, camera: Camera, pieces: Sequence[Point]) -> pygame.Rect:
        """Draw the map in a corner of the table, over the flick's two leading numbers, its own flick ringed.
        Returns where.

        Args:
            pieces: points that are better left uncovered [pixels].
        """
        area, pad = canvas.surface.get_clip(), canvas.px(10)
        wide, high = map(canvas.px, _INSET_SIZE)
        box = pygame.Rect(0, 0, min(wide, area.w // 2), min(high, area.h // 2))
        room, near = area.inflate(-2 * pad, -2 * pad), [*pieces, *map(camera.to_screen, self.shot_path)]
        corners = []
        for corner in ("topright", "topleft", "bottomright", "bottomleft"):
            one = box.copy()
            setattr(one, corner, getattr(room, corner))
            corners.append(one)
        box = min(corners, key=lambda one: sum(one.inflate(pad, pad).collidepoint(at) for at in near))
        canvas.box(box, palette.PANEL, 8, palette.BORDER)
        canvas.text("The map, larger", (box.x + pad, box.y + canvas.px(4)), 12, palette.TEXT, bold=True)
        left, foot = canvas.px(46), canvas.line_height(11) + canvas.px(22)
        head = canvas.line_height(12) + canvas.line_height(11) + canvas.px(12)
        plot = pygame.Rect(box.x + left, box.y + head, box.w - left - pad - canvas.px(6), box.h - head - foot)
        self._draw_grid(canvas, plot)
        turns, speeds, faint = self.value_map.azimuths, self.value_map.speeds, palette.MUTED_TEXT
        for share in (0.0, 0.5, 1.0):
            speed = speeds[0] + (speeds[-1] - speeds[0]) * share
            y, x = plot.bottom - share * plot.h, plot.x + share * plot.w
            canvas.line((plot.x - canvas.px(4), y), (plot.x, y), faint, 1.0)
            canvas.text(f"{speed:.2f}", (plot.x - canvas.px(6), y), 11, faint, anchor="midright")
            turn = turns[-1] + (turns[0] - turns[-1]) * share
            canvas.line((x, plot.bottom), (x, plot.bottom + canvas.px(4)), faint, 1.0)
            canvas.text(f"{format_azimuth(turn, 0)}°", (x, plot.bottom + canvas.px(5)), 11, faint, anchor="midtop")
        canvas.text("m/s", (plot.x - canvas.px(6), plot.y - canvas.px(8)), 11, faint, anchor="bottomright")
        canvas.text("direction", (plot.centerx, box.bottom - canvas.px(3)), 11, faint, anchor="midbottom")
        self._draw_own(canvas, plot)
        return box

    def _draw_grid(self, canvas: Canvas, plot: pygame.Rect) -> None:
        """Draw the chances as a grid: stronger flicks higher, those to the left on the left."""
        rows, columns = len(self.value_map.speeds) - 1, len(self.value_map.azimuths) - 1
        for i in range(rows):
            for j in range(columns):
                x, right = (plot.x + plot.w * (columns - k) // columns for k in (j + 1, j))
                y, low = (plot.bottom - plot.h * k // rows for k in (i + 1, i))
                canvas.surface.fill(self.colour_of(self._cell_center(i, j)), pygame.Rect(x, y, right - x, low - y))
        pygame.draw.rect(canvas.surface, palette.BORDER, plot, 1)

    def _draw_own(self, canvas: Canvas, plot: pygame.Rect) -> None:
        """Draw a ring at the map's own flick."""
        chart = self.value_map
        up = (chart.action.speed - chart.speeds[0]) / max(chart.speeds[-1] - chart.speeds[0], 1e-9)
        along = (chart.azimuths[-1] - chart.action.azimuth) / max(chart.azimuths[-1] - chart.azimuths[0], 1e-9)
        spot = plot.x + min(max(along, 0.0), 1.0) * plot.w, plot.bottom - min(max(up, 0.0), 1.0) * plot.h
        canvas.circle(spot, canvas.px(7), palette.DARK_TEXT, 4.0)
        canvas.circle(spot, canvas.px(6), palette.TABLE_TEXT, 2.0)
        if self.best is not None:
            at = (plot.right, plot.y - canvas.px(4))
            told = canvas.text(f"this flick {self.best:.0%}", at, 11, palette.TEXT, anchor="bottomright")
            canvas.circle((told.x - canvas.px(8), told.centery), canvas.px(5), palette.TEXT, 2.0)

    def draw(self, canvas: Canvas, camera: Camera) -> None:
        """Draw the map over the table; redrawn only when the camera has changed."""
        area = canvas.surface.get_clip()
        if self._cache is None or self._cache[:2] != (camera, area):
            self._cache = (camera, area, self._render(camera, area))
        canvas.surface.blit(self._cache[2], area)

    def _screen_points(self, camera: Camera) -> list[list[Point]]:
        """End of every flick of the map [pixels]."""
        x, y = self._start
        return [
            [camera.to_screen((x + far * cos(turn), y + far * sin(turn))) for turn in self.value_map.azimuths]
            for far in self._end_points
        ]

    def _render(self, camera: Camera, area: pygame.Rect) -> pygame.Surface:
        sheet = pygame.Surface(area.size, pygame.SRCALPHA)
        spots = self._screen_points(camera)
        rows, columns = len(spots) - 1, len(spots[0]) - 1
        for i in range(rows):
            for j in range(columns):
                edge = min(i, j, rows - 1 - i, columns - 1 - j)
                soft = round(_MAP_ALPHA * min(1.0, (edge + 1.0) / (_FADE_CELLS + 1.0)))
                corners = (spots[i][j], spots[i][j + 1], spots[i + 1][j + 1], spots[i + 1][j])
                points = [(px - area.x, py - area.y) for px, py in corners]
                pygame.draw.polygon(sheet, (*self.colour_of(self._cell_center(i, j)), soft), points)
        return sheet

    def _cell_center(self, i: int, j: int) -> float:
        told = self.value_map.win_probability
        return (told[i][j] + told[i + 1][j] + told[i][j + 1] + told[i + 1][j + 1]) / 4.0

    def colour_of(self, probability: float) -> Colour:
        """Colour of a chance."""
        share = 2.0 * (probability - self.low) / max(self.high - self.low, 1e-9)
        return (
            palette.mix(_LOW_COLOUR, _MID_COLOUR, share)
            if share < 1.0
            else palette.mix(_MID_COLOUR, HIGH_COLOUR, share - 1.0)
        )

    def draw_legend(self, canvas: Canvas, rect: pygame.Rect, *, tolerance: bool) -> int:
        """Draw the legend: colours and numbers. Return its lower end [pixels].

        Args:
            tolerance: the brightest cell was tried, and was no better.
        """
        high = canvas.px(12)
        strip = pygame.Rect(rect.x, rect.y + canvas.line_height(12), rect.w, high)
        canvas.text("Chance to win when it is meant so", rect.topleft, 12, palette.MUTED_TEXT, max_width=rect.w)
        for k in range(strip.w):
            chance = self.low + (self.high - self.low) * k / max(1, strip.w - 1)
            canvas.surface.fill(self.colour_of(chance), (strip.x + k, strip.y, 1, high))
        y = strip.bottom + canvas.px(1)
        low = canvas.text(f"{self.low:.0%}", (strip.x, y), 12, palette.TEXT)
        high_ = canvas.text(f"{self.high:.0%}", (strip.right, y), 12, palette.TEXT, anchor="topright")
        if self.best is not None:
            share = (self.best - self.low) / max(self.high - self.low, 1e-9)
            x = strip.x + round(share * (strip.w - 1))
            canvas.line((x, strip.y - canvas.px(3)), (x, strip.bottom + canvas.px(2)), palette.TEXT, 2.0)
            words = f"this flick {self.best:.0%}"
            half = canvas.text_width(words, 12) // 2 + canvas.px(6)
            if high_.x - low.right >= 2 * half:
                x = min(max(x, low.right + half), high_.x - half)
                canvas.text(words, (x, y), 12, palette.ACCENT, anchor="midtop")
        turns, speeds = self.value_map.azimuths, self.value_map.speeds
        y += canvas.line_height(12)
        first, last = format_azimuth(turns[0], 0), format_azimuth(turns[-1], 0)
        numbers = f"{min(speeds):.2f} to {max(speeds):.2f} m/s, {first}° to {last}°"
        canvas.text(numbers, (rect.x, y), 12, palette.MUTED_TEXT, max_width=rect.w)
        y += canvas.line_height(12)
        if tolerance and self.best is not None and self.high - self.best > _NOISE_THRESHOLD:
            room = pygame.Rect(rect.x, y, rect.w, 2 * canvas.line_height(12))
            y = canvas.paragraph(
                "Brighter places are no better than this flick beyond luck.", room, 12, palette.MUTED_TEXT
            )
        if self.is_close_up < 0.999:
            y = canvas.text("Drawn nearer: some would leave the table.", (rect.x, y), 12, palette.MUTED_TEXT,
                            max_width=rect.w).bottom  # fmt: skip
        return y
