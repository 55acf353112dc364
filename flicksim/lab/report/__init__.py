"""The report of an experiment: one page with tables, intervals and pictures, made from its results alone."""

from __future__ import annotations

from pathlib import Path

import msgspec

from flicksim.base.errors import BadFile
from flicksim.base.files import write_aside
from flicksim.lab.column import Column
from flicksim.lab.experiment import Experiment, Mark
from flicksim.lab.measure import Measure
from flicksim.lab.report.page import Picture, page
from flicksim.lab.report.pictures import Painter
from flicksim.lab.report.summary import Factor, answers, certain, factors, headed, places, pooled
from flicksim.lab.run import Manifest
from flicksim.lab.shooter import Shooter
from flicksim.lab.stores import Table

_FEW = 10
"""No more lines than this in one picture."""


def write_report(folder: Path, manifest: Manifest, table: Table) -> list[Path]:
    """Write `report.html` and its pictures into a folder; their paths, the page first.

    Raises:
        MissingExtra: matplotlib is not installed.
        BadFile: they cannot be written, or there is no shot to tell of.
    """
    if not len(table):
        raise BadFile(f"{str(folder)!r} holds no shot yet; go on with `flicksim experiment ... --resume`")
    painter = Painter(folder, manifest.experiment.hand)
    found = factors(table)
    pictures: list[Picture] = []
    for column in answers(table, ("share", "number")):
        pictures += _of_answer(painter, column, found, table, manifest.experiment.marks, manifest.experiment.hand)
    for place in places(table):
        pictures.append(_of_place(painter, place, found, table, manifest.experiment))
    path = folder / "report.html"
    write_aside(path, page(manifest, table, found, pictures).encode())
    return [path, *(folder / picture.file for picture in pictures)]


def _of_answer(
    painter: Painter, column: Column, found: tuple[Factor, ...], table: Table, marks: tuple[Mark, ...], hand: object
) -> list[Picture]:
    """The pictures that tell most about one answer."""
    numbers = [factor for factor in found if factor.numeric and len(factor.levels) > 1]
    words = next((factor for factor in found if not factor.numeric), None)
    what = column.title
    made = []
    pair = numbers[:2] if len(numbers) > 1 or words is None else [*numbers, words]
    if len(pair) == 2:
        across, up = pair
        panels = words if up is not words else None
        file = painter.heat(f"heat-{column.name}", column, across, up, panels, table)
        used = [across, up, *([panels] if panels is not None else [])]
        says = f"Heat map of {what} over {across.column.title} and {up.column.title}.{_over(used, table)}"
        made.append(Picture(file=file.name, says=says))
    if numbers:
        across = numbers[0]
        fit = tuple(m for m in marks if m.measure == column.name and across.column.name in m.at)
        lines = words if words is not None else next((n for n in numbers[1:] if len(n.levels) <= _FEW), None)
        file = painter.curves(f"curve-{column.name}", column, across, lines, table, fit)
        by = f", a line for every {lines.column.title}" if lines is not None else ""
        calibration = " Marks are what is known from elsewhere." if fit else ""
        bands = "" if certain(table, hand).all() else "; bands are 95 % intervals"
        used = [across, *([lines] if lines is not None else [])]
        says = f"{headed(what)} by {across.column.title}{by}{bands}.{calibration}{_over(used, table)}"
        made.append(Picture(file=file.name, says=says))
    if not numbers:
        file = painter.bars(f"bars-{column.name}", column, words, table)
        bands = "" if certain(table, hand).all() else ", with 95 % intervals"
        used = [words] if words is not None else []
        made.append(Picture(file=file.name, says=f"{headed(what)}{bands}.{_over(used, table)}"))
    return made


def _over(used: list[Factor], table: Table) -> str:
    """A sentence that names what varied besides and is taken together; none where nothing is."""
    rest = pooled(used, table)
    return f" Over all {' and '.join(column.title for column in rest)}." if rest else ""


def _of_place(painter: Painter, place: str, found: tuple[Factor, ...], table: Table, experiment: Experiment) -> Picture:
    # measures of one's own need not be at hand for a report
    shooter = Shooter(msgspec.structs.replace(experiment, measure=(Measure("duration"),), marks=()))
    panels = next((factor for factor in found if not factor.numeric), None)
    file = painter.cloud(f"cloud-{place}", place, panels, table, shooter.scene, shooter.piece)
    words = table.columns[f"{place}_x"].title
    return Picture(file=file.name, says=f"Where the shots came to lie ({words}), over the table to scale.")


__all__ = ["write_report"]
