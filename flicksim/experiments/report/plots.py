"""Plots of results with matplotlib: heat maps, curves with intervals, bars, scatter plots over the table."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from flicksim.core.atomic_files import write_atomic
from flicksim.core.errors import MissingExtra
from flicksim.core.limits import truncate_middle
from flicksim.experiments.experiment import ReferenceValue
from flicksim.experiments.report.summary import (
    Array,
    Estimate,
    Factor,
    capitalise,
    cell_estimates,
    display_scale,
    estimate,
    is_deterministic,
    pooled_columns,
    without_interval,
)
from flicksim.experiments.result_columns import Column
from flicksim.experiments.results_store import Table
from flicksim.scene import Piece, Pyramid, PyramidScene, Scene, convex_hull

Drawing: TypeAlias = Any
"""Object that matplotlib draws on or has drawn: it says of nothing what it is."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b6b6b", "#882255")
"""Colours that colour-blind eyes tell apart (Okabe and Ito)."""
_BACKGROUND, _FOREGROUND, _GRID_COLOUR = "#ffffff", "#24292f", "#d8dde3"
_FELT_COLOUR, _BOARD_COLOUR = "#dfead9", "#f3e7d0"
_MAX_PANELS = 6
_MAX_LABELLED_CELLS = 150
"""A heat map with more cells than this has no numbers in them."""
_MAX_POINTS = 6000
_MAX_LABEL_LENGTH = 100
"""Longer words have no room in a picture."""


class Plotter:
    """Draws and saves; all pictures in one style, without a display.

    Raises:
        MissingExtra: matplotlib is not installed.
    """

    def __init__(self, folder: Path, hand: object = None) -> None:
        log = logging.getLogger("matplotlib")
        before = log.level
        try:
            log.setLevel(logging.ERROR)  # that it has no folder of its own is nothing to whoever wants a report
            import matplotlib
            from matplotlib.figure import Figure as Sheet
        except ImportError:
            raise MissingExtra("drawing a report", "lab") from None
        finally:
            log.setLevel(before)
        self._folder, self._sheet, self._hand = folder, Sheet, hand
        self._mpl: Drawing = matplotlib
        self._style: dict[str, Drawing] = {
            "font.size": 10,
            "font.family": "DejaVu Sans",
            "axes.titlesize": 11,
            "axes.labelsize": 10,
            "axes.edgecolor": "#8b949e",
            "axes.labelcolor": _FOREGROUND,
            "text.color": _FOREGROUND,
            "xtick.color": "#57606a",
            "ytick.color": "#57606a",
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": False,
            "legend.frameon": False,
            "text.parse_math": False,
            "figure.facecolor": _BACKGROUND,
            "savefig.facecolor": _BACKGROUND,
        }

    @contextmanager
    def _styled(self) -> Iterator[None]:
        """Our style alone, whatever a `matplotlibrc` says that lies about."""
        with self._mpl.rc_context():
            self._mpl.rcdefaults()
            self._mpl.rcParams.update(self._style)
            yield

    def _save(self, sheet: Drawing, name: str) -> Path:
        path, drawn = self._folder / f"{name}.png", BytesIO()
        sheet.savefig(drawn, format="png", dpi=144)
        write_atomic(path, drawn.getvalue())
        return path

    # -- heat maps ----------------------------------------------------------------------------------------------------

    def heatmap(
        self, name: str, column: Column, across: Factor, up: Factor, panels: Factor | None, table: Table
    ) -> Path:
        """A heat map of an answer over two factors, one for every level of a third."""
        with self._styled():
            levels = range(len(panels.levels))[:_MAX_PANELS] if panels is not None else range(1)
            over = [*([panels] if panels is not None else []), up, across]
            found = cell_estimates(over, column, table, is_deterministic(table, self._hand))
            grids = []
            for level in levels:
                head = (level,) if panels is not None else ()
                rows = [[found[*head, v, u].value for u in range(len(across.levels))] for v in range(len(up.levels))]
                grids.append(np.array(rows))
            factor, unit = display_scale(column.unit, np.array(grids))
            low, high = (
                (0.0, _axis_top(np.array(grids)))
                if column.kind == "boolean"
                else _finite_range(np.array(grids) * factor)
            )
            wide = min(3, len(grids))
            tall = -(-len(grids) // wide)
            sheet = self._sheet(figsize=(1.6 + 4.4 * wide, 0.6 + 3.7 * tall), layout="constrained")
            axes = sheet.subplots(tall, wide, squeeze=False).ravel()
            image: Drawing = None
            for ax, level, grid in zip(axes, levels, grids, strict=False):
                image = self._heat_panel(ax, grid * factor, across, up, (low, high), is_share=column.kind == "boolean")
                if panels is not None:
                    ax.set_title(level_name(panels, level))
            for ax in axes[len(grids) :]:
                ax.set_visible(False)
            bar = sheet.colorbar(image, ax=[ax for ax in axes if ax.get_visible()], shrink=0.9, pad=0.02)
            bar.outline.set_visible(False)
            what = "share" if column.kind == "boolean" else f"mean [{unit}]" if unit else "mean"
            bar.set_label(f"{column.title}, {what}")
            sheet.suptitle(f"{capitalise(column.title)}\nby {across.column.title} and {up.column.title}", fontsize=11)
            return self._save(sheet, name)

    def _heat_panel(
        self, ax: Drawing, grid: Array, across: Factor, up: Factor, span: tuple[float, float], *, is_share: bool
    ) -> Drawing:
        image = ax.imshow(grid, origin="lower", aspect="auto", cmap="viridis", vmin=span[0], vmax=span[1])
        ax.spines[:].set_visible(False)
        for factor, axis in ((across, ax.xaxis), (up, ax.yaxis)):
            shown = _ticks(len(factor.levels), 9)
            axis.set_ticks(shown, [level_name(factor, k, value_only=True) for k in shown])
            axis.set_tick_params(length=0)
        ax.set_xlabel(_label(across))
        ax.set_ylabel(_label(up))
        if grid.size <= _MAX_LABELLED_CELLS and grid.shape[1] <= 14:
            middle = 0.5 * (span[0] + span[1])
            for (v, u), value in np.ndenumerate(grid):
                if np.isfinite(value):
                    ink = "white" if value < middle else "black"
                    ax.text(u, v, _short(value, is_share=is_share), ha="center", va="center", color=ink, fontsize=8)
        return image

    # -- curves -------------------------------------------------------------------------------------------------------

    def curves(
        self,
        name: str,
        column: Column,
        across: Factor,
        lines: Factor | None,
        table: Table,
        marks: Sequence[ReferenceValue],
    ) -> Path:
        """An answer over one factor with its 95 % interval, a line for every level of another."""
        with self._styled():
            sheet = self._sheet(figsize=(8.6, 4.8), layout="constrained")
            ax = sheet.subplots()
            over = [*([lines] if lines is not None else []), across]
            found = cell_estimates(over, column, table, is_deterministic(table, self._hand))
            middles = np.array([one.value for one in found.values()])
            factor, unit = display_scale(column.unit, middles)
            x_factor, _ = display_scale(across.column.unit, np.array(across.levels, dtype=float))
            x = np.array(across.levels, dtype=float) * x_factor
            for level in range(len(lines.levels) if lines is not None else 1):
                head = (level,) if lines is not None else ()
                row = [found[*head, u] for u in range(len(x))]
                ink = self._line_colour(lines, level)
                label = level_name(lines, level, value_only=True) if lines is not None else None
                ax.plot(x, [one.value * factor for one in row], "o-", color=ink, ms=4, lw=1.6, label=label)
                ax.fill_between(
                    x,
                    [one.low * factor for one in row],
                    [one.high * factor for one in row],
                    color=ink,
                    alpha=0.16,
                    lw=0,
                )
            for k, mark in enumerate(marks):
                at = float(mark.parameters[across.column.name]) * x_factor
                ink = _FOREGROUND
                if lines is not None and mark.parameters.get(lines.column.name) in lines.levels:
                    ink = self._line_colour(lines, lines.levels.index(mark.parameters[lines.column.name]))
                error = [[(mark.value - mark.low) * factor], [(mark.high - mark.value) * factor]]
                ax.errorbar(
                    [at],
                    [mark.value * factor],
                    yerr=error,
                    fmt="Ds"[k % 2],
                    color=ink,
                    ms=7,
                    mec="white",
                    capsize=4,
                    lw=1.4,
                    label=truncate_middle(mark.label, _MAX_LABEL_LENGTH),
                    zorder=5,
                )
            what = "share" if column.kind == "boolean" else "mean"
            ax.set_ylabel(f"{column.title}, {what}" + (f" [{unit}]" if unit else ""))
            ax.set_xlabel(_label(across))
            if column.kind == "boolean":
                tops = [np.nanmax((one.value, one.high)) for one in found.values() if one.count]
                top = _axis_top(np.array(tops + [mark.high for mark in marks]))
                ax.set_ylim(-0.02 * top, 1.02 * top)
            ax.grid(axis="y", color=_GRID_COLOUR, lw=0.7)
            ax.set_axisbelow(True)
            said = ", with 95 % intervals" if any(one.low == one.low for one in found.values()) else ""
            ax.set_title(f"{capitalise(column.title)} by {across.column.title}{said}", loc="left")
            if lines is not None or marks:
                ax.legend(title=_label(lines) if lines is not None else None, fontsize=9,
                          loc="center left", bbox_to_anchor=(1.0, 0.5))  # fmt: skip
            return self._save(sheet, name)

    def _overall(self, column: Column, table: Table) -> Estimate:
        """The figure of all shots together."""
        alone = not pooled_columns([], table)
        return without_interval(
            estimate(column, table[column.name]), alone and bool(is_deterministic(table, self._hand).all())
        )

    def _line_colour(self, lines: Factor | None, level: int) -> Drawing:
        """The colour of a line: from dark to light where levels are numbers."""
        if lines is None or not lines.numeric:
            return COLOURS[level % len(COLOURS)]
        return self._mpl.colormaps["viridis"](0.9 * level / max(1, len(lines.levels) - 1))

    def bars(self, name: str, column: Column, across: Factor | None, table: Table) -> Path:
        """An answer with its 95 % interval for every level of a factor, or for all shots."""
        with self._styled():
            sheet = self._sheet(figsize=(7.6, 4.2), layout="constrained")
            ax = sheet.subplots()
            if across is None:
                rows, labels = [self._overall(column, table)], ["all shots"]
            else:
                found = cell_estimates([across], column, table, is_deterministic(table, self._hand))
                rows = list(found.values())
                labels = [level_name(across, k, value_only=True) for k in range(len(across.levels))]
            factor, unit = display_scale(column.unit, np.array([row.value for row in rows]))
            for k, row in enumerate(rows):
                error = [[(row.value - row.low) * factor], [(row.high - row.value) * factor]]
                ax.errorbar(
                    [k], [row.value * factor], yerr=error, fmt="o", color=COLOURS[k % len(COLOURS)], ms=7, capsize=6
                )
            ax.set_xticks(range(len(rows)), labels)
            ax.set_xlim(-0.6, len(rows) - 0.4)
            if column.kind == "boolean":
                ax.set_ylim(-0.02, 1.02)
            what = "share" if column.kind == "boolean" else "mean"
            ax.set_ylabel(f"{column.title}, {what}" + (f" [{unit}]" if unit else ""))
            if across is not None:
                ax.set_xlabel(_label(across))
            ax.grid(axis="y", color=_GRID_COLOUR, lw=0.7)
            ax.set_title(f"{capitalise(column.title)}, with 95 % intervals", loc="left")
            return self._save(sheet, name)

    # -- clouds -------------------------------------------------------------------------------------------------------

    def scatter(
        self,
        name: str,
        position_name: str,
        panels: Factor | None,
        table: Table,
        scene: Scene | PyramidScene,
        piece: str,
    ) -> Path:
        """Draw where shots came to rest, over the table to scale: all of it above, close to the cloud below."""
        with self._styled():
            x, y = table[f"{position_name}_x"], table[f"{position_name}_y"]
            levels = range(len(panels.levels))[:_MAX_PANELS] if panels is not None else range(1)
            corners = np.array(scene.surface.outline)
            wide, high = np.ptp(corners[:, 0]), np.ptp(corners[:, 1])
            near = _zoom_window(x, y)
            each = 3.6 if len(levels) > 1 else 5.0
            whole = min(7.0, each * high / wide)
            close = each * 0.92
            sheet = self._sheet(figsize=(0.8 + each * len(levels), 1.3 + whole + close), layout="constrained")
            axes = sheet.subplots(2, len(levels), squeeze=False, height_ratios=(whole, close))
            for column, level in enumerate(levels):
                mine = panels.at == level if panels is not None else np.ones(len(x), dtype=bool)
                there = mine & np.isfinite(x)
                for ax, window in zip(axes[:, column], (None, near), strict=True):
                    self._draw_scene(ax, scene, piece)
                    dots = np.flatnonzero(there)[:_MAX_POINTS]
                    size = 5.0 if window is not None else 2.5
                    ax.scatter(
                        x[dots], y[dots], s=size, color=COLOURS[level % len(COLOURS)], alpha=0.35, lw=0, zorder=4
                    )
                    if window is not None:
                        ax.set_xlim(window[0], window[1])
                        ax.set_ylim(window[2], window[3])
                        for axis in (ax.xaxis, ax.yaxis):
                            axis.set_major_formatter(lambda metres, _: f"{1000.0 * metres:.4g}")
                    unit = "m" if window is None else "mm"
                    ax.set_xlabel(f"x [{unit}]")
                    if column == 0:
                        ax.set_ylabel(f"y [{unit}]")
                gone = int(mine.sum() - there.sum())
                head = f"{level_name(panels, level)}: " if panels is not None else ""
                lost = f", {gone} no longer there" if gone else ""
                axes[0, column].set_title(f"{head}{int(there.sum())} shots{lost}")
                axes[1, column].set_title("the same, larger")
            sheet.suptitle(capitalise(table.columns[f"{position_name}_x"].title), fontsize=12)
            return self._save(sheet, name)

    def _draw_scene(self, ax: Drawing, scene: Scene | PyramidScene, piece: str) -> None:
        from matplotlib.patches import Circle, Polygon

        surface = scene.surface
        ground = (
            _FELT_COLOUR
            if surface.pot is not None or surface.material in ("felt", "blanket", "carpet")
            else _BOARD_COLOUR
        )
        corners = np.array(surface.outline)
        ax.add_patch(Polygon(corners, facecolor=ground, edgecolor="#8b949e", lw=1.0, zorder=0))
        for line in surface.lines:
            ax.plot(*zip(line.a, line.b, strict=True), color="#8b949e", lw=0.9, zorder=1)
        if surface.pot is not None:
            pot = surface.pot
            ax.add_patch(
                Circle(pot.position, pot.top_radius, facecolor="none", edgecolor=_FOREGROUND, lw=1.2, zorder=2)
            )
            ax.add_patch(
                Circle(
                    pot.position,
                    pot.inner_radius(0.0),
                    facecolor="none",
                    edgecolor=_FOREGROUND,
                    lw=0.7,
                    ls=":",
                    zorder=2,
                )
            )
        for one in scene.pieces:
            ax.add_patch(_piece_patch(one, flicked=one.id == piece))
        margin = 0.02 * float(np.ptp(corners, axis=0).max())
        ax.set_xlim(corners[:, 0].min() - margin, corners[:, 0].max() + margin)
        ax.set_ylim(corners[:, 1].min() - margin, corners[:, 1].max() + margin)
        ax.set_aspect("equal")


def _piece_patch(piece: Piece | Pyramid, *, flicked: bool) -> Drawing:
    """A piece from above: a disc, or the square and tip of a pyramid; dashed where it is flicked from."""
    from matplotlib.patches import Circle, Polygon

    look: dict[str, Drawing] = {"facecolor": "none" if flicked else "#ffffff", "edgecolor": "#57606a", "lw": 0.9}
    look |= {"ls": "--" if flicked else "-", "zorder": 3}
    if isinstance(piece, Pyramid):
        return Polygon(convex_hull([(x, y) for x, y, _ in (*piece.base_corners(), piece.tip)]), **look)
    return Circle(piece.position, piece.radius, **look)


def _zoom_window(x: Array, y: Array) -> tuple[float, float, float, float]:
    """A square window about nearly all of a cloud."""
    there = np.isfinite(x)
    if not there.any():
        return (-1.0, 1.0, -1.0, 1.0)
    (x0, x1), (y0, y1) = (np.percentile(values[there], (1, 99)) for values in (x, y))
    half = 0.6 * max(x1 - x0, y1 - y0, 0.02)
    cx, cy = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
    return (cx - half, cx + half, cy - half, cy + half)


def _finite_range(values: Array) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)


def _ticks(count: int, maximum: int) -> list[int]:
    step = -(-count // maximum)
    return list(range(0, count, step))


def level_name(factor: Factor, k: int, *, value_only: bool = False) -> str:
    """A level in words: "hand world", "beyond 20 mm"."""
    level = factor.levels[k]
    if isinstance(level, str):
        return truncate_middle(level, _MAX_LABEL_LENGTH)
    times, unit = display_scale(factor.column.unit, np.array(factor.levels, dtype=float))
    number = f"{level * times:.3g}"
    return number if value_only else f"{factor.column.title} {number} {unit}".rstrip()


def _label(factor: Factor) -> str:
    if not factor.numeric:
        return factor.column.title
    _, unit = display_scale(factor.column.unit, np.array(factor.levels, dtype=float))
    return factor.column.title + (f" [{unit}]" if unit else "")


def _axis_top(shares: Array) -> float:
    """Upper end of the scale of shares: rare things would else all look like nothing."""
    most = float(np.nanmax(shares, initial=0.0))
    return next(top for top in (0.1, 0.25, 0.5, 1.0) if most <= top or top == 1.0)


def _short(value: float, *, is_share: bool) -> str:
    if is_share:
        return f"{value:.2f}"
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
