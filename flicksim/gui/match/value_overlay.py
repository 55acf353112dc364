"""Value overlay on a table: evaluation bar, candidate arrows and value map."""

from collections.abc import Sequence
from math import ceil, cos, dist, sin
from typing import NamedTuple

import pygame

from flicksim.ai import ValueMap
from flicksim.core.geometry import Point, is_inside_convex
from flicksim.core.units import format_azimuth
from flicksim.gui.table_view import interpolate
from flicksim.gui.toolkit import Canvas, Colour, palette, piece_sprites
from flicksim.render import Camera

BAR_COLUMN_WIDTH = 52.0
"""Width of the column of the bar at the table's edge [units]."""
_BAR_WIDTH, _DIVIDED_BAR_WIDTH = 16.0, 10.0
"""Widths of the bar of two sides and of that of more, beside which names stand [units]."""
_LOW_COLOUR, _MID_COLOUR, HIGH_COLOUR = (34, 28, 104), (56, 140, 196), (255, 226, 112)
"""Colours of the worst, middle and best value of a map; they differ in brightness too, for colour-blind eyes."""
_MAP_ALPHA = 185
"""Opacity of a map, 0 to 255, which fades towards its edge."""
_LABEL_POSITIONS = (0.2, 0.35, 0.5, 0.65, 0.8, 0.1, 0.95)
"""Positions of a label along its arrow, as a fraction, the best first [1]."""
_LABEL_OFFSETS = (1.0, -1.0, 1.8, -1.8, 2.6, -2.6)
"""Distances of a label from its arrow, relative to the least, the best first [1]."""
_LABEL_GAP = 5.0
"""Gap between an arrow and its label [units]."""
_NOISE_THRESHOLD = 0.01
"""Difference of win probability from which on a brighter cell is commented on [1]."""
_BISECTIONS = 12
"""Steps of the bisection for the edge of a table: to a quarter of a millimetre in a metre."""
_MIN_MAP_SIZE = 70.0
"""Size of a map on the table below which an inset is drawn [units]."""
_INSET_SIZE = (230.0, 196.0)
"""Size of the inset [units]."""
_FADE_CELLS = 3
"""Cells at the edge of a map that fade out."""


class WinChance(NamedTuple):
    """Win probability of a side with its confidence interval and colour key; its first seat's name and colour.

    Name and colour are those of a bar of more than two sides.
    """

    probability: float
    low: float
    high: float
    colour_key: str | None
    name: str = ""
    colour: Colour = palette.BRASS

    @property
    def margin_text(self) -> str:
        """Larger half of the interval, in hundredths; never zero, as there are finitely many shots, but empty where the
        game is decided."""
        if self.low == self.high:
            return ""
        return f"±{max(1, ceil(100.0 * max(self.high - self.probability, self.probability - self.low)))}"


def draw_win_bar(canvas: Canvas, column: pygame.Rect, chances: Sequence[WinChance], *, is_stale: bool = False) -> None:
    """Draw a bar filled from below by the win chance of the first side, with its confidence band; of more than two
    sides, one divided by the chances of all.

    Args:
        column: for the bar and its numbers [pixels]. chances: of the sides; empty while unknown.
        is_stale: they are of the last position: drawn dimmed.
    """
    x, width, gap = column.x + canvas.px(8), canvas.px(_BAR_WIDTH), canvas.line_height(13) + canvas.px(24)
    rect = pygame.Rect(x, column.y + gap, width, column.h - 2 * gap)
    if rect.h < canvas.px(40):
        return
    if not chances:
        canvas.box(rect, palette.INSET_BACKGROUND, 3, palette.BORDER)
        canvas.text("...", (rect.right + canvas.px(6), rect.centery), 14, palette.MUTED_TEXT, anchor="midleft")
        return
    if len(chances) > 2:
        _draw_divided_bar(canvas, column, chances, is_stale=is_stale)
        return
    first, second = chances
    canvas.box(rect, palette.seat_colour(second.colour_key), 3)
    filled = round(rect.h * first.probability)
    canvas.box(pygame.Rect(rect.x, rect.bottom - filled, width, filled), palette.seat_colour(first.colour_key), 3)
    top, bottom = (rect.bottom - round(rect.h * chance) for chance in (first.high, first.low))
    canvas.translucent_rect(pygame.Rect(rect.x, top, width, max(2, bottom - top)), palette.LIGHT_TEXT, 120)
    canvas.line((rect.x, rect.centery), (rect.right, rect.centery), palette.DARK_TEXT, 1.0)
    edge = min(max(rect.bottom - filled, rect.y + canvas.px(8)), rect.bottom - canvas.px(8))
    if is_stale:
        canvas.translucent_rect(rect, palette.INSET_BACKGROUND, 170)
    margin_text = "..." if is_stale else first.margin_text
    canvas.text(margin_text, (rect.right + canvas.px(5), edge), 12, palette.MUTED_TEXT, anchor="midleft")
    pygame.draw.rect(canvas.surface, palette.BORDER, rect, 1, border_radius=canvas.px(3))
    radius = canvas.px(8)
    for chance, y, direction in ((first, rect.bottom, 1), (second, rect.y, -1)):
        y_label = y + direction * canvas.px(4)
        text, colour = f"{chance.probability:.0%}", palette.MUTED_TEXT if is_stale else palette.TEXT
        anchor = "topleft" if direction > 0 else "bottomleft"
        canvas.text(text, (rect.x, y_label), 13, colour, bold=not is_stale, anchor=anchor)
        center = (rect.centerx, y_label + direction * (canvas.line_height(13) + radius + canvas.px(1)))
        piece_sprites.draw_seat_coin(canvas.surface, center, radius, chance.colour_key)


def _draw_divided_bar(canvas: Canvas, column: pygame.Rect, chances: Sequence[WinChance], *, is_stale: bool) -> None:
    """Draw a bar divided by the win chances of all sides from the top, with their names and chances beside it."""
    rect = pygame.Rect(column.x + canvas.px(4), column.y, canvas.px(_DIVIDED_BAR_WIDTH), column.h)
    rect.inflate_ip(0, -2 * canvas.px(12))
    label_height = canvas.line_height(12) + canvas.line_height(13) + canvas.line_height(11)
    middles, y = list[float](), float(rect.y)
    total = sum(chance.probability for chance in chances) or 1.0
    for chance in chances:
        height = rect.h * chance.probability / total
        canvas.box(pygame.Rect(rect.x, round(y), rect.w, round(y + height) - round(y)), chance.colour)
        middles.append(y + height / 2.0)
        y += height
    if is_stale:
        canvas.translucent_rect(rect, palette.INSET_BACKGROUND, 170)
    pygame.draw.rect(canvas.surface, palette.BORDER, rect, 1)
    x, tint = rect.right + canvas.px(4), palette.TABLE_MUTED_TEXT if is_stale else palette.TABLE_TEXT
    width = column.right - x
    for chance, top in zip(chances, spread_labels(middles, label_height, rect.y, rect.bottom), strict=True):
        lines = (
            (chance.name, 12, True),
            (f"{chance.probability:.0%}", 13, not is_stale),
            (chance.margin_text, 11, False),
        )
        for text, size, is_bold in lines:
            colour = palette.TABLE_MUTED_TEXT if size == 11 else tint
            shown = "..." if is_stale and size == 11 else text
            canvas.text(shown, (x, top), size, colour, bold=is_bold, max_width=width)
            top += canvas.line_height(size)


def spread_labels(middles: Sequence[float], height: float, top: float, bottom: float) -> list[float]:
    """Upper ends of labels as near their middles as they can be without overlap, in order and within bounds [pixels].

    Too many for the bounds overlap evenly.
    """
    step, ends = min(height, (bottom - top) / max(1, len(middles))), list[float]()
    for middle in middles:
        ends.append(max(middle - height / 2.0, ends[-1] + step if ends else top))
    limit = bottom - height
    for k in reversed(range(len(ends))):
        ends[k] = min(ends[k], limit)
        limit = ends[k] - step
    return ends


def clip_to_table(segment: tuple[Point, Point], edge: Sequence[Point]) -> tuple[Point, Point]:
    """Clip a segment to the table's outline; whole where it begins outside."""
    begin, end = segment
    if is_inside_convex(end, edge) or not is_inside_convex(begin, edge):
        return segment
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        share = (low + high) / 2.0
        low, high = (share, high) if is_inside_convex(interpolate(segment, share), edge) else (low, share)
    return begin, interpolate(segment, low)


class PlanArrow(NamedTuple):
    """Arrow of a candidate: start and end in the window [pixels], colour, label."""

    start: Point
    end: Point
    colour: Colour
    label: str


def draw_arrows(canvas: Canvas, arrows: Sequence[PlanArrow]) -> list[pygame.Rect]:
    """Draw candidates as arrows, the last on top, each with a label clear of the others where it is within the
    window. Return the labels' rectangles."""
    area, labels = canvas.surface.get_clip(), list[pygame.Rect]()
    visible = [a for a in arrows if dist(a.end, a.start) >= 1.0 and area.clipline(a.start, a.end)]
    for arrow in visible:
        _draw_arrow(canvas, arrow)
    for arrow in reversed(visible):
        size = canvas.text_width(arrow.label, 13, bold=True) + canvas.px(8), canvas.line_height(13)
        label_rect = label_position(arrow, size, visible, labels, area, canvas.px(_LABEL_GAP))
        labels.append(label_rect)
        canvas.box(label_rect, palette.DARK_TEXT, 4)
        canvas.text(arrow.label, label_rect.center, 13, arrow.colour, bold=True, anchor="center")
    return labels


def _draw_arrow(canvas: Canvas, arrow: PlanArrow) -> None:
    (x, y), end, colour = arrow.start, arrow.end, arrow.colour
    length = dist(arrow.start, end)
    ux, uy = (end[0] - x) / length, (end[1] - y) / length
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
    """Rectangle of a label beside its arrow with the fewest crossings of arrows and labels [pixels].

    Args:
        size: of the label. arrows: all arrows. labels: rectangles of labels placed. area: that holds
        the label.
        gap: between an arrow and its label.
    """
    length = dist(arrow.start, arrow.end)
    nx, ny = (arrow.start[1] - arrow.end[1]) / length, (arrow.end[0] - arrow.start[0]) / length
    (x, y), end = area.clipline(arrow.start, arrow.end) or (arrow.start, arrow.end)  # beside what is seen of it
    (width, height), dx, dy = size, end[0] - x, end[1] - y
    clearance = (abs(nx) * width + abs(ny) * height) / 2.0 + gap

    def candidate(share: float, offset: float) -> pygame.Rect:
        rect = pygame.Rect(0, 0, width, height)
        rect.center = round(x + dx * share + nx * offset), round(y + dy * share + ny * offset)
        return rect.clamp(area)

    places = [candidate(share, offset * clearance) for offset in _LABEL_OFFSETS for share in _LABEL_POSITIONS]

    def crossings(rect: pygame.Rect) -> int:
        padded = rect.inflate(gap, gap)
        crossed = sum(bool(rect.clipline(other_arrow.start, other_arrow.end)) for other_arrow in arrows)
        return crossed + 2 * len(padded.collidelistall(list(labels)))

    return min(places, key=crossings)


class ValueMapOverlay:
    """Value map over the table: every flick is drawn where it would end on a free table.

    Args:
        value_map: the map. shot_path: start and end of its own flick [m]. edge: of the table; flicks that would leave
            it are all drawn nearer.
    """

    def __init__(self, value_map: ValueMap, shot_path: tuple[Point, Point], edge: Sequence[Point]) -> None:
        self.value_map, self._start = value_map, shot_path[0]
        distance = dist(*shot_path)
        speed = max(1e-6, value_map.action.speed)
        # the range of a slide and of a throw is proportional to the square of the speed
        distances = [distance * (column / speed) ** 2 for column in value_map.speeds]
        clipped = clip_to_table((shot_path[0], interpolate(shot_path, max(distances) / max(distance, 1e-9))), edge)
        self.reach = dist(shot_path[0], clipped[1]) / max(*distances, 1e-9)
        """Fraction of the shots' distances at which their ends are drawn [1]."""
        self._end_points = [distance * self.reach for distance in distances]
        self.shot_path = shot_path[0], interpolate(shot_path, self.reach)
        """Start and end of its own flick as drawn [m]."""
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
        points = self._screen_points(camera)
        xs, ys = [x for row in points for x, _ in row], [y for row in points for _, y in row]
        return max(max(xs) - min(xs), max(ys) - min(ys)) < canvas.px(_MIN_MAP_SIZE)

    def draw_inset(self, canvas: Canvas, camera: Camera, pieces: Sequence[Point]) -> pygame.Rect:
        """Draw the map in a corner of the table, over the flick's two leading numbers, its own flick ringed.
        Return its rectangle.

        Args:
            pieces: points that are better left uncovered [pixels].
        """
        area, pad = canvas.surface.get_clip(), canvas.px(10)
        width, height = map(canvas.px, _INSET_SIZE)
        box = pygame.Rect(0, 0, min(width, area.w // 2), min(height, area.h // 2))
        area_inside, covered = area.inflate(-2 * pad, -2 * pad), [*pieces, *map(camera.to_screen, self.shot_path)]
        corners = []
        for corner in ("topright", "topleft", "bottomright", "bottomleft"):
            rect = box.copy()
            setattr(rect, corner, getattr(area_inside, corner))
            corners.append(rect)
        box = min(corners, key=lambda rect: sum(rect.inflate(pad, pad).collidepoint(at) for at in covered))
        canvas.box(box, palette.PANEL, 8, palette.BORDER)
        canvas.text("The map, larger", (box.x + pad, box.y + canvas.px(4)), 12, palette.TEXT, bold=True)
        left_margin, bottom_margin = canvas.px(46), canvas.line_height(11) + canvas.px(22)
        top_margin = canvas.line_height(12) + canvas.line_height(11) + canvas.px(12)
        size = box.w - left_margin - pad - canvas.px(6), box.h - top_margin - bottom_margin
        plot = pygame.Rect((box.x + left_margin, box.y + top_margin), size)
        self._draw_grid(canvas, plot)
        azimuths, speeds, colour = self.value_map.azimuths, self.value_map.speeds, palette.MUTED_TEXT
        for share in (0.0, 0.5, 1.0):
            speed = speeds[0] + (speeds[-1] - speeds[0]) * share
            y, x = plot.bottom - share * plot.h, plot.x + share * plot.w
            canvas.line((plot.x - canvas.px(4), y), (plot.x, y), colour, 1.0)
            canvas.text(f"{speed:.2f}", (plot.x - canvas.px(6), y), 11, colour, anchor="midright")
            azimuth = azimuths[-1] + (azimuths[0] - azimuths[-1]) * share
            canvas.line((x, plot.bottom), (x, plot.bottom + canvas.px(4)), colour, 1.0)
            canvas.text(f"{format_azimuth(azimuth, 0)}°", (x, plot.bottom + canvas.px(5)), 11, colour, anchor="midtop")
        canvas.text("m/s", (plot.x - canvas.px(6), plot.y - canvas.px(8)), 11, colour, anchor="bottomright")
        canvas.text("direction", (plot.centerx, box.bottom - canvas.px(3)), 11, colour, anchor="midbottom")
        self._draw_own(canvas, plot)
        return box

    def _draw_grid(self, canvas: Canvas, plot: pygame.Rect) -> None:
        """Draw the chances as a grid: stronger flicks higher, those to the left on the left."""
        rows, columns = len(self.value_map.speeds) - 1, len(self.value_map.azimuths) - 1
        for i in range(rows):
            for j in range(columns):
                x, right = (plot.x + plot.w * (columns - k) // columns for k in (j + 1, j))
                y, bottom = (plot.bottom - plot.h * k // rows for k in (i + 1, i))
                canvas.surface.fill(self.colour_of(self._cell_center(i, j)), pygame.Rect(x, y, right - x, bottom - y))
        pygame.draw.rect(canvas.surface, palette.BORDER, plot, 1)

    def _draw_own(self, canvas: Canvas, plot: pygame.Rect) -> None:
        """Draw a ring at the map's own flick."""
        action, speeds, azimuths = self.value_map.action, self.value_map.speeds, self.value_map.azimuths
        y_fraction = (action.speed - speeds[0]) / max(speeds[-1] - speeds[0], 1e-9)
        x_fraction = (azimuths[-1] - action.azimuth) / max(azimuths[-1] - azimuths[0], 1e-9)
        center = plot.x + min(max(x_fraction, 0.0), 1.0) * plot.w, plot.bottom - min(max(y_fraction, 0.0), 1.0) * plot.h
        canvas.circle(center, canvas.px(7), palette.DARK_TEXT, 4.0)
        canvas.circle(center, canvas.px(6), palette.TABLE_TEXT, 2.0)
        if self.best is not None:
            position = (plot.right, plot.y - canvas.px(4))
            label = canvas.text(f"this flick {self.best:.0%}", position, 11, palette.TEXT, anchor="bottomright")
            canvas.circle((label.x - canvas.px(8), label.centery), canvas.px(5), palette.TEXT, 2.0)

    def draw(self, canvas: Canvas, camera: Camera) -> None:
        """Draw the map over the table; redrawn only when the camera has changed."""
        area = canvas.surface.get_clip()
        if self._cache is None or self._cache[:2] != (camera, area):
            self._cache = (camera, area, self._render(camera, area))
        canvas.surface.blit(self._cache[2], area)

    def _screen_points(self, camera: Camera) -> list[list[Point]]:
        """End of every flick of the map [pixels]."""
        x, y = self._start
        directions = [(cos(azimuth), sin(azimuth)) for azimuth in self.value_map.azimuths]
        return [[camera.to_screen((x + r * c, y + r * s)) for c, s in directions] for r in self._end_points]

    def _render(self, camera: Camera, area: pygame.Rect) -> pygame.Surface:
        surface = pygame.Surface(area.size, pygame.SRCALPHA)
        points = self._screen_points(camera)
        rows, columns = len(points) - 1, len(points[0]) - 1
        for i in range(rows):
            for j in range(columns):
                cells_to_edge = min(i, j, rows - 1 - i, columns - 1 - j)
                alpha = round(_MAP_ALPHA * min(1.0, (cells_to_edge + 1.0) / (_FADE_CELLS + 1.0)))
                corners = (points[i][j], points[i][j + 1], points[i + 1][j + 1], points[i + 1][j])
                local = [(px - area.x, py - area.y) for px, py in corners]
                pygame.draw.polygon(surface, (*self.colour_of(self._cell_center(i, j)), alpha), local)
        return surface

    def _cell_center(self, i: int, j: int) -> float:
        values = self.value_map.win_probability
        return (values[i][j] + values[i + 1][j] + values[i][j + 1] + values[i + 1][j + 1]) / 4.0

    def colour_of(self, probability: float) -> Colour:
        """Colour of a chance."""
        share = 2.0 * (probability - self.low) / max(self.high - self.low, 1e-9)
        if share < 1.0:
            return palette.mix(_LOW_COLOUR, _MID_COLOUR, share)
        return palette.mix(_MID_COLOUR, HIGH_COLOUR, share - 1.0)

    def draw_legend(self, canvas: Canvas, rect: pygame.Rect, *, tolerance: bool) -> int:
        """Draw the legend: colours and numbers. Return its lower end [pixels].

        Args:
            tolerance: the brightest cell was tried, and was no better.
        """
        height = canvas.px(12)
        strip = pygame.Rect(rect.x, rect.y + canvas.line_height(12), rect.w, height)
        canvas.text("Win probability, by the intended flick", rect.topleft, 12, palette.MUTED_TEXT, max_width=rect.w)
        for k in range(strip.w):
            chance = self.low + (self.high - self.low) * k / max(1, strip.w - 1)
            canvas.surface.fill(self.colour_of(chance), (strip.x + k, strip.y, 1, height))
        y = strip.bottom + canvas.px(1)
        low_rect = canvas.text(f"{self.low:.0%}", (strip.x, y), 12, palette.TEXT)
        high_rect = canvas.text(f"{self.high:.0%}", (strip.right, y), 12, palette.TEXT, anchor="topright")
        if self.best is not None:
            share = (self.best - self.low) / max(self.high - self.low, 1e-9)
            x = strip.x + round(share * (strip.w - 1))
            canvas.line((x, strip.y - canvas.px(3)), (x, strip.bottom + canvas.px(2)), palette.TEXT, 2.0)
            text = f"this flick {self.best:.0%}"
            half_width = canvas.text_width(text, 12) // 2 + canvas.px(14)
            if high_rect.x - low_rect.right >= 2 * half_width:
                x = min(max(x, low_rect.right + half_width), high_rect.x - half_width)
                canvas.text(text, (x, y), 12, palette.ACCENT, anchor="midtop")
        azimuths, speeds = self.value_map.azimuths, self.value_map.speeds
        y += canvas.line_height(12)
        first, last = format_azimuth(azimuths[0], 0), format_azimuth(azimuths[-1], 0)
        numbers = f"{min(speeds):.2f} to {max(speeds):.2f} m/s, {first}° to {last}°"
        canvas.text(numbers, (rect.x, y), 12, palette.MUTED_TEXT, max_width=rect.w)
        y += canvas.line_height(12)
        if tolerance and self.best is not None and self.high - self.best > _NOISE_THRESHOLD:
            area = pygame.Rect(rect.x, y, rect.w, 2 * canvas.line_height(12))
            text = "The brightest place was tried too: no better than this flick."
            y = canvas.paragraph(text, area, 12, palette.MUTED_TEXT)
        if self.reach < 0.999:
            y = canvas.text("Drawn nearer: some would leave the table.", (rect.x, y), 12, palette.MUTED_TEXT,
                            max_width=rect.w).bottom  # fmt: skip
        return y
