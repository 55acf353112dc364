"""Charts as display lists: a heat map over two parameters of a flick, and a line chart over the turns of a game."""

from collections.abc import Callable, Collection, Iterator, Sequence
from math import ceil
from typing import NamedTuple

from flicksim.render.colours import BACKGROUND, EDGE, HIGHLIGHT, MUTED_TEXT, PALE, PANEL, TEXT, mix, seat_colour
from flicksim.render.display_list import Colour, Disc, DisplayList, Label, Polygon, Polyline, Primitive

AxisFormats = tuple[Callable[[float], str], Callable[[float], str]]
"""Formatters of numbers on the x axis and on the y axis."""
_SIZE = (900, 640)
_LEFT, _RIGHT, _TOP, _BOTTOM = 110.0, 150.0, 70.0, 80.0
_FONT_SIZE = 15.0
_AXIS_TICKS = 4
"""Number of intervals between labelled ticks of an axis."""
_LINE_LIGHTENING = 0.35
"""Fraction of a pale colour mixed into the lines, for contrast with the dark background."""


class _Axes:
    """Axes of a chart, with tick labels on the left and at the bottom."""

    def __init__(self, x_range: tuple[float, float], y_range: tuple[float, float]) -> None:
        self._x_range, self._y_range = x_range, y_range
        self.left, self.right = _LEFT, _SIZE[0] - _RIGHT
        self.top, self.bottom = _TOP, _SIZE[1] - _BOTTOM

    def to_pixels(self, x: float, y: float) -> tuple[float, float]:
        """Convert data coordinates to pixels."""
        (x0, x1), (y0, y1) = self._x_range, self._y_range
        return (
            self.left + (self.right - self.left) * (x - x0) / (x1 - x0),
            self.bottom - (self.bottom - self.top) * (y - y0) / (y1 - y0),
        )

    def draw(self, title: str, x_label: str, y_label: str, formats: AxisFormats) -> list[Primitive]:
        """Draw frame, title, tick labels and axis labels."""
        primitives: list[Primitive] = [Label(title, (self.left, self.top - 36.0), 19.0, TEXT)]
        corners = ((self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom))
        primitives.append(Polyline((*corners, corners[0]), EDGE, 1.5))
        for k in range(_AXIS_TICKS + 1):
            x = self._x_range[0] + (self._x_range[1] - self._x_range[0]) * k / _AXIS_TICKS
            y = self._y_range[0] + (self._y_range[1] - self._y_range[0]) * k / _AXIS_TICKS
            at = (self.to_pixels(x, 0.0)[0], self.bottom + 16.0), (self.left - 10.0, self.to_pixels(0.0, y)[1])
            primitives.append(Label(formats[0](x), at[0], _FONT_SIZE, MUTED_TEXT, "mm"))
            primitives.append(Label(formats[1](y), at[1], _FONT_SIZE, MUTED_TEXT, "rm"))
        primitives.append(Label(x_label, ((self.left + self.right) / 2.0, self.bottom + 44.0), _FONT_SIZE, TEXT, "mm"))
        primitives.append(Label(y_label, (self.left, self.top - 11.0), _FONT_SIZE, TEXT, "lm"))
        return primitives


def value_heatmap(
    title: str, x_values: Sequence[float], y_values: Sequence[float], values: Sequence[Sequence[float]],
    axis_labels: tuple[str, str], marker: tuple[float, float], formats: AxisFormats,
) -> DisplayList:  # fmt: skip
    """Heat map of win probabilities, with a ring at one point.

    Args:
        title: heading. x_values, y_values: coordinates of columns and rows, increasing.
        values: probability by row and column, 0 to 1. axis_labels: of x and y. marker: x and y of the ring.
        formats: formatters of x and y.
    """
    axes = _Axes((x_values[0], x_values[-1]), (y_values[0], y_values[-1]))
    low, high = min(map(min, values)), max(map(max, values))
    primitives: list[Primitive] = []
    cell_width, cell_height = (x_values[-1] - x_values[0]) / len(x_values), (y_values[-1] - y_values[0]) / len(y_values)
    for row, chances in enumerate(values):
        for column, chance in enumerate(chances):
            x0, y0 = x_values[0] + column * cell_width, y_values[0] + row * cell_height
            a, b = axes.to_pixels(x0, y0), axes.to_pixels(x0 + cell_width, y0 + cell_height)
            primitives.append(Polygon((a, (b[0], a[1]), b, (a[0], b[1])), _heat_colour(chance, low, high)))
    primitives += axes.draw(title, axis_labels[0], axis_labels[1], formats)
    ring = axes.to_pixels(*marker)
    primitives.append(Disc(ring, 9.0, TEXT))
    primitives.append(Disc(ring, 6.0, _heat_colour(high, low, high)))
    bar_left = axes.right + 40.0
    for k in range(40):
        y0, y1 = (axes.bottom + (axes.top - axes.bottom) * (k + step) / 40.0 for step in (0, 1))
        corners = ((bar_left, y0), (bar_left + 22.0, y0), (bar_left + 22.0, y1), (bar_left, y1))
        primitives.append(Polygon(corners, _heat_colour(k / 39.0, 0.0, 1.0)))
    for fraction in (0.0, 0.5, 1.0):
        y = axes.bottom + (axes.top - axes.bottom) * fraction
        primitives.append(Label(f"{low + (high - low) * fraction:.0%}", (bar_left + 30.0, y), _FONT_SIZE, TEXT))
    primitives.append(Label("wins", (bar_left, axes.top - 16.0), _FONT_SIZE, TEXT))
    return DisplayList(_SIZE, BACKGROUND, tuple(primitives))


def _heat_colour(chance: float, low: float, high: float) -> Colour:
    return mix(PANEL, HIGHLIGHT, (chance - low) / max(high - low, 1e-9))


class WinChanceSeries(NamedTuple):
    """Win probability of a player over the turns of a game.

    Args:
        player: name of the player. colour_key: key of their colour (see `colours.colour_key`).
        turns: numbers of turns, increasing. chance: probability after each, 0 to 1.
    """

    player: str
    colour_key: str
    turns: Sequence[int]
    chance: Sequence[float]


def win_chance_chart(
    title: str, series: Sequence[WinChanceSeries], marked_turns: Collection[int], turn_range: tuple[int, int]
) -> DisplayList:
    """Line chart of win probabilities over the turns of a game, with some turns marked by a dot and their number.

    Args:
        title: heading. series: one, or one for each side, distinguished by name and colour.
        marked_turns: numbers of the marked turns. turn_range: first and last turn.
    """
    first, last = turn_range
    axes = _Axes((first, first + _AXIS_TICKS * max(1, ceil((last - first) / _AXIS_TICKS))), (0.0, 1.0))
    is_single = len(series) == 1
    primitives = axes.draw(
        title, "turn", f"chance of {series[0].player} to win" if is_single else "chance to win",
        ("{:.0f}".format, "{:.0%}".format),
    )  # fmt: skip
    middle = (axes.to_pixels(axes.left, 0.5)[1],) * 2
    primitives.append(Polyline(((axes.left, middle[0]), (axes.right, middle[1])), EDGE, 1.0))
    dots: list[Primitive] = []
    for line in series:
        colour = HIGHLIGHT if is_single else _series_colour(line)
        points = tuple(axes.to_pixels(x, y) for x, y in zip(line.turns, line.chance, strict=True))
        primitives.append(Polyline(points, colour, 2.5))
        for turn, (x, y) in zip(line.turns, points, strict=True):
            if turn in marked_turns:
                is_above = y > axes.top + 24.0
                dots += [
                    Disc((x, y), 6.0, TEXT),
                    Label(f"{turn}", (x, y - 16.0 if is_above else y + 16.0), _FONT_SIZE, TEXT, "mm")
                ]  # fmt: skip
    if not is_single:
        primitives += _draw_series_names(axes, series)
    return DisplayList(_SIZE, BACKGROUND, (*primitives, *dots))


def _series_colour(series: WinChanceSeries) -> Colour:
    return mix(seat_colour(series.colour_key), PALE, _LINE_LIGHTENING)


def _draw_series_names(axes: _Axes, series: Sequence[WinChanceSeries]) -> Iterator[Primitive]:
    """Draw the names of series beside their ends, from the top, without overlap and within the axes."""
    step = 1.4 * _FONT_SIZE
    next_y, lowest = axes.top, axes.bottom - step * (len(series) - 1)
    for line in sorted(series, key=lambda entry: -entry.chance[-1]):
        y = min(max(next_y, axes.to_pixels(line.turns[-1], line.chance[-1])[1]), lowest)
        yield Label(line.player, (axes.right + 12.0, y), _FONT_SIZE, _series_colour(line))
        next_y, lowest = y + step, lowest + step
