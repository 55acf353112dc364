"""HTML report of experiment results: tables with intervals, and plots."""

from __future__ import annotations

from pathlib import Path

import msgspec

from flicksim.core.atomic_files import write_atomic
from flicksim.core.errors import InvalidFile
from flicksim.experiments.experiment import Experiment, ReferenceValue
from flicksim.experiments.measure import Measure
from flicksim.experiments.report.html_page import PageFigure, render_page
from flicksim.experiments.report.plots import Plotter
from flicksim.experiments.report.summary import (
    Factor,
    answer_columns,
    capitalise,
    factors,
    is_deterministic,
    place_columns,
    pooled_columns,
)
from flicksim.experiments.result_columns import Column
from flicksim.experiments.results_store import Table
from flicksim.experiments.run import Manifest, references_of
from flicksim.experiments.shot_sampler import ShotSampler

_MAX_LINES = 10
"""Most lines in one plot."""


def write_report(folder: Path, manifest: Manifest, table: Table) -> list[Path]:
    """Write `report.html` and its pictures into a folder; their paths, the page first.

    Raises:
        MissingExtra: matplotlib is not installed.
        InvalidFile: they cannot be written, or there is no shot to tell of.
    """
    if not len(table):
        raise InvalidFile(f"{str(folder)!r} holds no shot yet; go on with `flicksim experiment ... --resume`")
    painter = Plotter(folder, manifest.experiment.hand)
    found = factors(table)
    pictures: list[PageFigure] = []
    for column in answer_columns(table, ("boolean", "number")):
        pictures += _answer_plots(painter, column, found, table, references_of(manifest), manifest.experiment.hand)
    for place in place_columns(table):
        pictures.append(_scatter_plot(painter, place, found, table, manifest.experiment))
    path = folder / "report.html"
    write_atomic(path, render_page(manifest, table, found, pictures).encode())
    return [path, *(folder / picture.file for picture in pictures)]


def _answer_plots(
    painter: Plotter,
    column: Column,
    found: tuple[Factor, ...],
    table: Table,
    marks: tuple[ReferenceValue, ...],
    hand: object,
) -> list[PageFigure]:
    """Plots of one measure."""
    numbers = [factor for factor in found if factor.numeric and len(factor.levels) > 1]
    words = next((factor for factor in found if not factor.numeric), None)
    what = column.title
    made = []
    pair = numbers[:2] if len(numbers) > 1 or words is None else [*numbers, words]
    if len(pair) == 2:
        across, up = pair
        panels = words if up is not words else None
        file = painter.heatmap(f"heat-{column.name}", column, across, up, panels, table)
        used = [across, up, *([panels] if panels is not None else [])]
        says = f"Heat map of {what} over {across.column.title} and {up.column.title}.{_pooled_note(used, table)}"
        made.append(PageFigure(file=file.name, caption=says))
    if numbers:
        across = numbers[0]
        fit = tuple(m for m in marks if m.measure == column.name and across.column.name in m.parameters)
        lines = words if words is not None else next((n for n in numbers[1:] if len(n.levels) <= _MAX_LINES), None)
        file = painter.curves(f"curve-{column.name}", column, across, lines, table, fit)
        by = f", a line for every {lines.column.title}" if lines is not None else ""
        calibration = " Marks are what is known from elsewhere." if fit else ""
        bands = "" if is_deterministic(table, hand).all() else "; bands are 95 % intervals"
        used = [across, *([lines] if lines is not None else [])]
        says = f"{capitalise(what)} by {across.column.title}{by}{bands}.{calibration}{_pooled_note(used, table)}"
        made.append(PageFigure(file=file.name, caption=says))
    if not numbers:
        file = painter.bars(f"bars-{column.name}", column, words, table)
        bands = "" if is_deterministic(table, hand).all() else ", with 95 % intervals"
        used = [words] if words is not None else []
        made.append(PageFigure(file=file.name, caption=f"{capitalise(what)}{bands}.{_pooled_note(used, table)}"))
    return made


def _pooled_note(factors: list[Factor], table: Table) -> str:
    """A sentence that names what varied besides and is taken together; none where nothing is."""
    rest = pooled_columns(factors, table)
    return f" Over all {' and '.join(column.title for column in rest)}." if rest else ""


def _scatter_plot(
    painter: Plotter, position_name: str, found: tuple[Factor, ...], table: Table, experiment: Experiment
) -> PageFigure:
    # measures of one's own need not be at hand for a report
    sampler = ShotSampler(msgspec.structs.replace(experiment, measure=(Measure("duration"),), references=()))
    panels = next((factor for factor in found if not factor.numeric), None)
    file = painter.scatter(f"cloud-{position_name}", position_name, panels, table, sampler.scene, sampler.piece)
    words = table.columns[f"{position_name}_x"].title
    return PageFigure(file=file.name, caption=f"Where the shots came to lie ({words}), over the table to scale.")


__all__ = ["write_report"]
