"""HTML report of experiment results: tables with intervals, and plots."""

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
    present,
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
        InvalidFile: they cannot be written, or there are no shots.
    """
    if not len(table):
        raise InvalidFile(f"{str(folder)!r} holds no shots yet; continue with `flicksim experiment ... --resume`")
    plotter = Plotter(folder, manifest.experiment.hand)
    varied = factors(table)
    figures: list[PageFigure] = []
    for column in answer_columns(table, ("boolean", "number")):
        figures += _answer_plots(plotter, column, varied, table, references_of(manifest), manifest.experiment.hand)
    for position in place_columns(table):
        figures.append(_scatter_plot(plotter, position, varied, table, manifest.experiment))
    path = folder / "report.html"
    write_atomic(path, render_page(manifest, table, varied, figures).encode())
    return [path, *(folder / picture.file for picture in figures)]


def _answer_plots(
    plotter: Plotter,
    column: Column,
    varied: tuple[Factor, ...],
    table: Table,
    references: tuple[ReferenceValue, ...],
    hand: object,
) -> list[PageFigure]:
    """Plots of one measure."""
    numbers = [factor for factor in varied if factor.numeric and len(factor.levels) > 1]
    text_factor = next((factor for factor in varied if not factor.numeric), None)
    title = column.title
    figures = []
    pair = numbers[:2] if len(numbers) > 1 or text_factor is None else [*numbers, text_factor]
    if len(pair) == 2:
        across, up = pair
        panels = text_factor if up is not text_factor else None
        file = plotter.heatmap(f"heat-{column.name}", column, across, up, panels, table)
        note = _pooled_note(table, across, up, panels)
        caption = f"Heat map of {title} over {across.column.title} and {up.column.title}.{note}"
        figures.append(PageFigure(file=file.name, caption=caption))
    if numbers:
        across = numbers[0]
        matching = tuple(m for m in references if m.measure == column.name and across.column.name in m.parameters)
        line_factor = text_factor or next((n for n in numbers[1:] if len(n.levels) <= _MAX_LINES), None)
        file = plotter.curves(f"curve-{column.name}", column, across, line_factor, table, matching)
        by = f", a line for every {line_factor.column.title}" if line_factor is not None else ""
        calibration = " Marks are reference values." if matching else ""
        bands = "" if is_deterministic(table, hand).all() else "; bands are 95 % intervals"
        note = _pooled_note(table, across, line_factor)
        caption = f"{capitalise(title)} by {across.column.title}{by}{bands}.{calibration}{note}"
        figures.append(PageFigure(file=file.name, caption=caption))
    if not numbers:
        file = plotter.bars(f"bars-{column.name}", column, text_factor, table)
        bands = "" if is_deterministic(table, hand).all() else ", with 95 % intervals"
        note = _pooled_note(table, text_factor)
        figures.append(PageFigure(file=file.name, caption=f"{capitalise(title)}{bands}.{note}"))
    return figures


def _pooled_note(table: Table, *factors: Factor | None) -> str:
    """Sentence naming the parameters that are pooled; "" if there are none."""
    pooled = pooled_columns(present(*factors), table)
    return f" Over all {' and '.join(column.title for column in pooled)}." if pooled else ""


def _scatter_plot(
    plotter: Plotter, position_name: str, varied: tuple[Factor, ...], table: Table, experiment: Experiment
) -> PageFigure:
    # user-defined measures need not be importable for a report
    sampler = ShotSampler(msgspec.structs.replace(experiment, measure=(Measure("duration"),), references=()))
    panels = next((factor for factor in varied if not factor.numeric), None)
    file = plotter.scatter(f"cloud-{position_name}", position_name, panels, table, sampler.scene, sampler.piece)
    title = table.columns[f"{position_name}_x"].title
    return PageFigure(file=file.name, caption=f"Rest positions ({title}), over the table to scale.")
