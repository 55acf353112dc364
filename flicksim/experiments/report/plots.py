"""Plots of results with matplotlib: heat maps, curves with intervals, bars, scatter plots over the table."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from flicksim.core.arrays import Floats
from flicksim.core.atomic_files import write_atomic
from flicksim.core.errors import MissingExtra
from flicksim.core.limits import truncate_middle
from flicksim.experiments.experiment import ReferenceValue
from flicksim.experiments.report import summary
from flicksim.experiments.report.summary import Estimate, Factor, cell_estimates
from flicksim.experiments.result_columns import Column
from flicksim.experiments.results_store import Table
from flicksim.scene import Piece, Pyramid, PyramidScene, Scene, convex_hull

Drawing: TypeAlias = Any
"""Object of matplotlib, which has no types."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b6b6b", "#882255")
"""Colour-blind safe palette (Okabe and Ito)."""
_BACKGROUND, _FOREGROUND, _GRID_COLOUR = "#ffffff", "#24292f", "#d8dde3"
_FELT_COLOUR, _BOARD_COLOUR = "#dfead9", "#f3e7d0"
_MAX_PANELS, _MAX_TICKS = 6, 9
_MAX_LABELLED_CELLS = 150
"""A heat map with more cells than this has no numbers in them."""
_MAX_POINTS = 6000
_MAX_LABEL_LENGTH = 100
"""Longest label in a plot."""


class Plotter:
    """Plotter of results into PNG files, in one style, without a display.

    Raises:
        MissingExtra: matplotlib is not installed.
    """

    def __init__(self, folder: Path, hand: object = None) -> None:
        log = logging.getLogger("matplotlib")
        before = log.level
        try:
            log.setLevel(logging.ERROR)  # its warning that it has no folder of its own concerns nobody here
            import matplotlib
            from matplotlib.figure import Figure
        except ImportError:
            raise MissingExtra("drawing a report", "lab") from None
        finally:
            log.setLevel(before)
        self._folder, self._new_figure, self._hand = folder, Figure, hand
        self._mpl: Drawing = matplotlib

    @contextmanager
    def _figure(self, name: str, width: float, height: float) -> Iterator[Drawing]:
        """Context manager: a figure in this style, regardless of any `matplotlibrc`; it is saved at the end."""
        with self._mpl.rc_context():
            self._mpl.rcdefaults()
            self._mpl.rcParams.update(_STYLE)
            figure = self._new_figure(figsize=(width, height), layout="constrained")
            yield figure
            image = BytesIO()
            figure.savefig(image, format="png", dpi=144)
        write_atomic(self._path(name), image.getvalue())

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.png"

    def _estimates(self, column: Column, table: Table, *factors: Factor | None) -> list[Estimate]:
        """Estimates of the cells of these factors, the last one varying fastest."""
        mask = summary.is_deterministic(table, self._hand)
        return list(cell_estimates(summary.present(*factors), column, table, mask).values())

    def heatmap(
        self, name: str, column: Column, across: Factor, up: Factor, panels: Factor | None, table: Table
    ) -> Path:
        """Heat map of a measure over two factors, one panel for every level of a third."""
        estimates = self._estimates(column, table, panels, up, across)
        grids = np.array([one.value for one in estimates]).reshape(-1, len(up.levels), len(across.levels))
        grids = grids[:_MAX_PANELS]
        factor, unit = summary.display_scale(column.unit, grids)
        is_share = column.kind == "boolean"
        span = (0.0, _axis_top(grids)) if is_share else _finite_range(grids * factor)
        columns = min(3, len(grids))
        rows = -(-len(grids) // columns)
        with self._figure(name, 1.6 + 4.4 * columns, 0.6 + 3.7 * rows) as figure:
            axes = figure.subplots(rows, columns, squeeze=False).ravel()
            image: Drawing = None
            for level, (ax, grid) in enumerate(zip(axes, grids, strict=False)):
                image = self._heat_panel(ax, grid * factor, across, up, span, is_share=is_share)
                if panels is not None:
                    ax.set_title(level_name(panels, level))
            for ax in axes[len(grids) :]:
                ax.set_visible(False)
            bar = figure.colorbar(image, ax=[ax for ax in axes if ax.get_visible()], shrink=0.9, pad=0.02)
            bar.outline.set_visible(False)
            bar.set_label(f"{column.title}, {'share' if is_share else f'mean [{unit}]' if unit else 'mean'}")
            figure.suptitle(
                f"{summary.capitalise(column.title)}\nby {across.column.title} and {up.column.title}", fontsize=11
            )
        return self._path(name)

    def _heat_panel(
        self, ax: Drawing, grid: Floats, across: Factor, up: Factor, span: tuple[float, float], *, is_share: bool
    ) -> Drawing:
        image = ax.imshow(grid, origin="lower", aspect="auto", cmap="viridis", vmin=span[0], vmax=span[1])
        ax.spines[:].set_visible(False)
        for factor, axis in ((across, ax.xaxis), (up, ax.yaxis)):
            ticks = range(0, len(factor.levels), -(-len(factor.levels) // _MAX_TICKS))
            axis.set_ticks(ticks, [level_name(factor, k, value_only=True) for k in ticks])
            axis.set_tick_params(length=0)
        ax.set_xlabel(_label(across))
        ax.set_ylabel(_label(up))
        if grid.size <= _MAX_LABELLED_CELLS and grid.shape[1] <= 14:
            middle = 0.5 * (span[0] + span[1])
            for (v, u), value in np.ndenumerate(grid):
                if np.isfinite(value):
                    colour = "white" if value < middle else "black"
                    ax.text(u, v, _short(value, is_share=is_share), ha="center", va="center", color=colour, fontsize=8)
        return image

    def curves(
        self, name: str, column: Column, across: Factor, lines: Factor | None, table: Table,
        references: Sequence[ReferenceValue],
    ) -> Path:  # fmt: skip
        """Curve of a measure over one factor with its 95 % interval, a line for every level of another."""
        cells = self._estimates(column, table, lines, across)
        factor, unit = summary.display_scale(column.unit, np.array([one.value for one in cells]))
        x_factor, _ = across.scale
        x = np.array(across.levels, dtype=float) * x_factor
        values, low, high = (
            np.array([getattr(one, name) for one in cells]).reshape(-1, len(x)) * factor
            for name in ("value", "low", "high")
        )
        with self._figure(name, 8.6, 4.8) as figure:
            ax = figure.subplots()
            for level in range(len(values)):
                colour = self._line_colour(lines, level)
                label = level_name(lines, level, value_only=True) if lines is not None else None
                ax.plot(x, values[level], "o-", color=colour, ms=4, lw=1.6, label=label)
                ax.fill_between(x, low[level], high[level], color=colour, alpha=0.16, lw=0)
            for k, reference in enumerate(references):
                position = float(reference.parameters[across.column.name]) * x_factor
                colour = _FOREGROUND
                if lines is not None and reference.parameters.get(lines.column.name) in lines.levels:
                    colour = self._line_colour(lines, lines.levels.index(reference.parameters[lines.column.name]))
                ax.errorbar(
                    [position], [reference.value * factor], yerr=_y_error(reference, factor), fmt="Ds"[k % 2],
                    color=colour, ms=7, mec="white", capsize=4, lw=1.4, zorder=5,
                    label=truncate_middle(reference.label, _MAX_LABEL_LENGTH),
                )  # fmt: skip
            ax.set_xlabel(_label(across))
            if column.kind == "boolean":
                tops = [np.nanmax((one.value, one.high)) for one in cells if one.count]
                top = _axis_top(np.array(tops + [reference.high for reference in references]))
                ax.set_ylim(-0.02 * top, 1.02 * top)
            note = ", with 95 % intervals" if np.isfinite(low).any() else ""
            _label_values(ax, column, unit, f"{summary.capitalise(column.title)} by {across.column.title}{note}")
            if lines is not None or references:
                ax.legend(title=_label(lines) if lines is not None else None, fontsize=9,
                          loc="center left", bbox_to_anchor=(1.0, 0.5))  # fmt: skip
        return self._path(name)

    def _line_colour(self, lines: Factor | None, level: int) -> Drawing:
        """Colour of a line; a sequential palette for numeric levels."""
        if lines is None or not lines.numeric:
            return COLOURS[level % len(COLOURS)]
        return self._mpl.colormaps["viridis"](0.9 * level / max(1, len(lines.levels) - 1))

    def bars(self, name: str, column: Column, across: Factor | None, table: Table) -> Path:
        """Measure with its 95 % interval for every level of a factor, or for all shots."""
        rows = self._estimates(column, table, across)
        labels = ["all shots"]
        if across is not None:
            labels = [level_name(across, k, value_only=True) for k in range(len(across.levels))]
        factor, unit = summary.display_scale(column.unit, np.array([row.value for row in rows]))
        with self._figure(name, 7.6, 4.2) as figure:
            ax = figure.subplots()
            for k, row in enumerate(rows):
                ax.errorbar(
                    [k], [row.value * factor], yerr=_y_error(row, factor), fmt="o", color=COLOURS[k % len(COLOURS)],
                    ms=7, capsize=6,
                )  # fmt: skip
            ax.set_xticks(range(len(rows)), labels)
            ax.set_xlim(-0.6, len(rows) - 0.4)
            if column.kind == "boolean":
                ax.set_ylim(-0.02, 1.02)
            if across is not None:
                ax.set_xlabel(_label(across))
            _label_values(ax, column, unit, f"{summary.capitalise(column.title)}, with 95 % intervals")
        return self._path(name)

    def scatter(
        self, name: str, position_name: str, panels: Factor | None, table: Table, scene: Scene | PyramidScene,
        piece: str,
    ) -> Path:  # fmt: skip
        """Scatter plot of rest positions over the table to scale: all of it above, a zoom below."""
        x, y = table[f"{position_name}_x"], table[f"{position_name}_y"]
        count = 1 if panels is None else min(len(panels.levels), _MAX_PANELS)
        width, height = np.ptp(np.array(scene.surface.outline), axis=0)
        panel_width = 3.6 if count > 1 else 5.0
        panel_height, zoom_height = min(7.0, panel_width * height / width), panel_width * 0.92
        with self._figure(name, 0.8 + panel_width * count, 1.3 + panel_height + zoom_height) as figure:
            axes = figure.subplots(2, count, squeeze=False, height_ratios=(panel_height, zoom_height))
            for level in range(count):
                selected = panels.at == level if panels is not None else np.ones(len(x), dtype=bool)
                at_rest = selected & np.isfinite(x)
                dots = np.flatnonzero(at_rest)[:_MAX_POINTS]
                for ax, window in zip(axes[:, level], (None, _zoom_window(x, y)), strict=True):
                    self._draw_scene(ax, scene, piece)
                    ax.scatter(
                        x[dots], y[dots], s=2.5 if window is None else 5.0, color=COLOURS[level % len(COLOURS)],
                        alpha=0.35, lw=0, zorder=4,
                    )  # fmt: skip
                    if window is not None:
                        ax.set_xlim(window[0], window[1])
                        ax.set_ylim(window[2], window[3])
                        for axis in (ax.xaxis, ax.yaxis):
                            axis.set_major_formatter(lambda metres, _: f"{1000.0 * metres:.4g}")
                    unit = "m" if window is None else "mm"
                    ax.set_xlabel(f"x [{unit}]")
                    if level == 0:
                        ax.set_ylabel(f"y [{unit}]")
                missing = int(selected.sum() - at_rest.sum())
                head = f"{level_name(panels, level)}: " if panels is not None else ""
                note = f", {missing} off the table" if missing else ""
                axes[0, level].set_title(f"{head}{int(at_rest.sum())} shots{note}")
                axes[1, level].set_title("zoom")
            figure.suptitle(summary.capitalise(table.columns[f"{position_name}_x"].title), fontsize=12)
        return self._path(name)

    def _draw_scene(self, ax: Drawing, scene: Scene | PyramidScene, piece: str) -> None:
        from matplotlib.patches import Circle, Polygon

        surface, pot = scene.surface, scene.surface.pot
        is_felt = pot is not None or surface.material in ("felt", "blanket", "carpet")
        corners = np.array(surface.outline)
        patches: list[Drawing] = [
            Polygon(
                corners, facecolor=_FELT_COLOUR if is_felt else _BOARD_COLOUR, edgecolor="#8b949e", lw=1.0, zorder=0
            )
        ]
        for line in surface.lines:
            ax.plot(*zip(line.a, line.b, strict=True), color="#8b949e", lw=0.9, zorder=1)
        if pot is not None:
            style: dict[str, Drawing] = {"facecolor": "none", "edgecolor": _FOREGROUND, "zorder": 2}
            patches += [
                Circle(pot.position, pot.top_radius, lw=1.2, **style),
                Circle(pot.position, pot.inner_radius(0.0), lw=0.7, ls=":", **style),
            ]
        for patch in (*patches, *(_piece_patch(one, flicked=one.id == piece) for one in scene.pieces)):
            ax.add_patch(patch)
        margin = 0.02 * float(np.ptp(corners, axis=0).max())
        ax.set_xlim(corners[:, 0].min() - margin, corners[:, 0].max() + margin)
        ax.set_ylim(corners[:, 1].min() - margin, corners[:, 1].max() + margin)
        ax.set_aspect("equal")


_STYLE = {
    "font.size": 10, "font.family": "DejaVu Sans", "axes.titlesize": 11, "axes.labelsize": 10,
    "axes.edgecolor": "#8b949e", "axes.labelcolor": _FOREGROUND, "text.color": _FOREGROUND, "xtick.color": "#57606a",
    "ytick.color": "#57606a", "axes.spines.top": False, "axes.spines.right": False, "axes.grid": False,
    "legend.frameon": False, "text.parse_math": False, "figure.facecolor": _BACKGROUND,
    "savefig.facecolor": _BACKGROUND,
}  # fmt: skip


def _y_error(cell: Estimate | ReferenceValue, factor: float) -> list[list[float]]:
    return [[(cell.value - cell.low) * factor], [(cell.high - cell.value) * factor]]


def _label_values(ax: Drawing, column: Column, unit: str, title: str) -> None:
    """Label the axis of a measure, with a grid, and set the title."""
    ax.set_ylabel(f"{column.title}, {'share' if column.kind == 'boolean' else 'mean'}" + (f" [{unit}]" if unit else ""))
    ax.grid(axis="y", color=_GRID_COLOUR, lw=0.7)
    ax.set_axisbelow(True)
    ax.set_title(title, loc="left")


def _piece_patch(piece: Piece | Pyramid, *, flicked: bool) -> Drawing:
    """Patch of a piece from above: disc, or outline of a pyramid; dashed for the flicked piece."""
    from matplotlib.patches import Circle, Polygon

    style: dict[str, Drawing] = {"facecolor": "none" if flicked else "#ffffff", "edgecolor": "#57606a", "lw": 0.9}
    style |= {"ls": "--" if flicked else "-", "zorder": 3}
    if isinstance(piece, Pyramid):
        return Polygon(convex_hull([(x, y) for x, y, _ in (*piece.base_corners(), piece.tip)]), **style)
    return Circle(piece.position, piece.radius, **style)


def _zoom_window(x: Floats, y: Floats) -> tuple[float, float, float, float]:
    """Square window around nearly all points."""
    at_rest = np.isfinite(x)
    if not at_rest.any():
        return (-1.0, 1.0, -1.0, 1.0)
    (x0, x1), (y0, y1) = (np.percentile(values[at_rest], (1, 99)) for values in (x, y))
    half = 0.6 * max(x1 - x0, y1 - y0, 0.02)
    cx, cy = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
    return (cx - half, cx + half, cy - half, cy + half)


def _finite_range(values: Floats) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)


def level_name(factor: Factor, k: int, *, value_only: bool = False) -> str:
    """Label of a level: "hand world", "overshoot 20 mm"."""
    level = factor.levels[k]
    if isinstance(level, str):
        return truncate_middle(level, _MAX_LABEL_LENGTH)
    scale, unit = factor.scale
    number = f"{level * scale:.3g}"
    return number if value_only else f"{factor.column.title} {number} {unit}".rstrip()


def _label(factor: Factor) -> str:
    unit = factor.scale[1] if factor.numeric else ""
    return factor.column.title + (f" [{unit}]" if unit else "")


def _axis_top(shares: Floats) -> float:
    """Upper end of the scale of shares, so that small shares remain visible."""
    maximum = float(np.nanmax(shares, initial=0.0))
    return next(top for top in (0.1, 0.25, 0.5, 1.0) if maximum <= top or top == 1.0)


def _short(value: float, *, is_share: bool) -> str:
    if is_share:
        return f"{value:.2f}"
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
