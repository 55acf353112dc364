"""HTML report of experiment results: plots of every measure, and a page of tables with intervals."""

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

import msgspec
import numpy as np

from flicksim.core.arrays import Bools
from flicksim.core.atomic_files import write_atomic
from flicksim.core.errors import InvalidFile
from flicksim.experiments.experiment import Experiment, ReferenceValue
from flicksim.experiments.measure import Measure
from flicksim.experiments.report import summary
from flicksim.experiments.report.plots import Plotter
from flicksim.experiments.result_columns import Column
from flicksim.experiments.results_store import Table
from flicksim.experiments.run import Manifest, references_of
from flicksim.experiments.shot_sampler import ShotSampler

_MAX_LINES = 10
"""Most lines in one plot."""


Figure = tuple[str, str]
"""File and caption of a figure of the page."""


def write_report(folder: Path, manifest: Manifest, table: Table) -> list[Path]:
    """Write `report.html` and its pictures into a folder; their paths, the page first.

    Raises:
        MissingExtra: matplotlib is not installed.
        InvalidFile: they cannot be written, or there are no shots.
    """
    if not len(table):
        raise InvalidFile(f"{str(folder)!r} holds no shots yet; continue with `flicksim experiment ... --resume`")
    plotter = Plotter(folder, manifest.experiment.hand)
    varied = summary.factors(table)
    figures: list[Figure] = []
    for column in summary.answer_columns(table, ("boolean", "number")):
        figures += _answer_plots(plotter, column, varied, table, references_of(manifest), manifest.experiment.hand)
    for position in summary.place_columns(table):
        figures.append(_scatter_plot(plotter, position, varied, table, manifest.experiment))
    path = folder / "report.html"
    write_atomic(path, render_page(manifest, table, varied, figures).encode())
    return [path, *(folder / file for file, _ in figures)]


def _answer_plots(
    plotter: Plotter,
    column: Column,
    varied: tuple[summary.Factor, ...],
    table: Table,
    references: tuple[ReferenceValue, ...],
    hand: object,
) -> list[Figure]:
    """Plots of one measure."""
    numbers = [factor for factor in varied if factor.numeric and len(factor.levels) > 1]
    text_factor = next((factor for factor in varied if not factor.numeric), None)
    is_certain = bool(summary.is_deterministic(table, hand).all())
    figures = []
    if len(numbers) > 1:
        figures.append(_heat_map(plotter, column, numbers[0], numbers[1], text_factor, table))
    elif numbers and text_factor is not None:
        figures.append(_heat_map(plotter, column, numbers[0], text_factor, None, table))
    if numbers:
        lines = text_factor or next((n for n in numbers[1:] if len(n.levels) <= _MAX_LINES), None)
        matching = tuple(m for m in references if m.measure == column.name and numbers[0].column.name in m.parameters)
        figures.append(_curves(plotter, column, numbers[0], lines, table, matching, is_certain))
    else:
        file = plotter.bars(f"bars-{column.name}", column, text_factor, table)
        bands = "" if is_certain else ", with 95 % intervals"
        note = _pooled_note(table, text_factor)
        figures.append((file.name, f"{summary.capitalise(column.title)}{bands}.{note}"))
    return [(file, caption + _left_out_note(table, column)) for file, caption in figures]


def _heat_map(
    plotter: Plotter, column: Column, across: summary.Factor, up: summary.Factor, panels: summary.Factor | None,
    table: Table,
) -> Figure:  # fmt: skip
    """Heat map of a measure over two factors, a panel for every level of a third."""
    file = plotter.heatmap(f"heat-{column.name}", column, across, up, panels, table)
    note = _pooled_note(table, across, up, panels)
    return file.name, f"Heat map of {column.title} over {across.column.title} and {up.column.title}.{note}"


def _curves(
    plotter: Plotter, column: Column, across: summary.Factor, lines: summary.Factor | None, table: Table,
    references: tuple[ReferenceValue, ...], is_certain: bool,
) -> Figure:  # fmt: skip
    """Curves of a measure over a factor, a line for every level of another."""
    file = plotter.curves(f"curve-{column.name}", column, across, lines, table, references)
    by = f", a line for every {lines.column.title}" if lines is not None else ""
    bands = "" if is_certain else "; bands are 95 % intervals"
    marks = " Marks are reference values." if references else ""
    note = _pooled_note(table, across, lines)
    return file.name, f"{summary.capitalise(column.title)} by {across.column.title}{by}{bands}.{marks}{note}"


def _pooled_note(table: Table, *factors: summary.Factor | None) -> str:
    """Sentence naming the parameters that are pooled; "" if there are none."""
    pooled = summary.pooled_columns(summary.present(*factors), table)
    return f" Over all {' and '.join(column.title for column in pooled)}." if pooled else ""


def _left_out_note(table: Table, column: Column) -> str:
    """Sentence counting the shots without a value; "" if all have one."""
    count = int(np.isnan(table[column.name]).sum())
    reason = "the shot failed, a piece it needs left the surface, or the measure gave none"
    return f" Without {count:,} of {len(table):,} shots, which have no value: {reason}." if count else ""


def _scatter_plot(
    plotter: Plotter, position_name: str, varied: tuple[summary.Factor, ...], table: Table, experiment: Experiment
) -> Figure:
    # user-defined measures need not be importable for a report
    sampler = ShotSampler(msgspec.structs.replace(experiment, measure=(Measure("duration"),), references=()))
    panels = next((factor for factor in varied if not factor.numeric), None)
    file = plotter.scatter(f"cloud-{position_name}", position_name, panels, table, sampler.scene, sampler.piece)
    title = table.columns[f"{position_name}_x"].title
    return file.name, f"Rest positions ({title}), over the table to scale."


_MAX_CELLS = 400


_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #24292f; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: .2rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
figure { margin: 1.2rem 0; }
figure img { max-width: 100%; height: auto; border: 1px solid #d8dde3; border-radius: 6px; }
figcaption { color: #57606a; font-size: .9rem; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .8rem; text-align: right; border-bottom: 1px solid #e6e9ed; }
th { color: #57606a; font-weight: 600; } th.word, td.word { text-align: left; }
.wide { overflow-x: auto; } code { font-size: .85em; word-break: break-all; } .faint { color: #57606a; }
"""


def render_page(manifest: Manifest, table: Table, varied: Sequence[summary.Factor], figures: Iterable[Figure]) -> str:
    """Render the page."""
    experiment = manifest.experiment
    deterministic = summary.is_deterministic(table, experiment.hand)
    parts = [f"<h1>{escape(experiment.title)}</h1>"]
    if experiment.description:
        parts.append(f"<p>{escape(experiment.description)}</p>")
    parts += [_facts(manifest, table), _factor_table(varied)]
    if deterministic.all() and len(table):
        parts.append("<p>Nothing is random: one shot of each cell determines it, and there are no intervals.</p>")
    parts.append("<h2>Pictures</h2>")
    for file, text in figures:
        caption = escape(text)
        parts.append(f'<figure><img src="{escape(file)}" alt="{caption}"><figcaption>{caption}</figcaption></figure>')
    columns = summary.answer_columns(table, ("boolean", "number"))
    parts.append("<h2>Tables</h2>")
    size = int(np.prod([len(factor.levels) for factor in varied])) if varied else 1
    if size <= _MAX_CELLS:
        parts += [_table(list(varied), column, table, deterministic) for column in columns]
    else:
        parts.append(f'<p class="faint">There are {size} cells; each table is by one parameter.</p>')
        parts += [_table([factor], column, table, deterministic) for column in columns for factor in varied]
    for column in summary.answer_columns(table, ("text",)):
        parts.append(_word_table(column, table))
    parts.append(_failures(table))
    name = escape(experiment.title)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{name}</title><style>{_STYLE}</style></head>\n'
        f"<body>\n{''.join(part + chr(10) for part in parts if part)}</body></html>\n"
    )


def _facts(manifest: Manifest, table: Table) -> str:
    seconds = manifest.seconds
    duration = f", in {seconds:,.1f} s, {manifest.done / seconds:,.0f} a second" if seconds else ""
    unfinished = "" if manifest.hash else " The experiment is not finished."
    facts = (
        f"{len(table):,} of {manifest.shots:,} shots, seed {manifest.seed}{duration}; "
        f"flicksim {manifest.flicksim} on {manifest.machine}, begun {manifest.begun}.{unfinished}"
    )
    paragraph = f"<p class='faint'>{escape(facts)}"
    return paragraph + (f"<br>hash <code>{escape(manifest.hash)}</code></p>" if manifest.hash else "</p>")


def _factor_table(varied: Sequence[summary.Factor]) -> str:
    if not varied:
        return "<p>Nothing varies but the execution noise.</p>"
    rows = []
    for factor in varied:
        shown = ", ".join(_level_text(factor, k) for k in range(len(factor.levels)))
        if factor.edges is not None:
            low, high = (_number(factor.edges[k]) for k in (0, -1))
            shown = f"{low} to {high}, random; in {len(factor.levels)} bins here"
        rows.append((escape(factor.column.title), f"<code>{escape(factor.column.name)}</code>", escape(shown)))
    return _html_table(("parameter", "column", "values"), rows, (True, True, True))


def _html_table(heads: Sequence[str], rows: Iterable[Sequence[str]], are_words: Sequence[bool]) -> str:
    """Table of these cells, which are escaped already; columns of words are aligned left."""
    classes = [' class="word"' if is_word else "" for is_word in are_words]

    def line(tag: str, cells: Sequence[str]) -> str:
        shown = (f"<{tag}{kind}>{cell}</{tag}>" for kind, cell in zip(classes, cells, strict=True))
        return f"<tr>{''.join(shown)}</tr>"

    lines = [line("th", heads), *(line("td", row) for row in rows)]
    return f'<div class="wide"><table>{"".join(lines)}</table></div>'


def _table(factors: list[summary.Factor], column: Column, table: Table, deterministic: Bools) -> str:
    estimates = summary.cell_estimates(factors, column, table, deterministic)
    scale, unit = summary.display_scale(column.unit, np.array([cell.value for cell in estimates.values()]))
    is_share = column.kind == "boolean"
    heading = f"{column.title}" + (f" [{unit}]" if unit and not is_share else "")
    names = ["shots", "share" if is_share else "mean", "95 % interval", *(() if is_share else ("median", "deviation"))]
    rows = [
        [escape(_level_text(factor, k)) for factor, k in zip(factors, indices, strict=True)]
        + _cells(cell, scale, is_share=is_share)
        for indices, cell in estimates.items()
        if cell.count
    ]
    caption = f"<h3>{escape(heading)}</h3>"
    if note := _pooled_note(table, *factors) + _left_out_note(table, column):
        caption += f'<p class="faint">{escape(note.strip())}</p>'
    heads = [escape(factor.column.title) for factor in factors] + names
    return caption + _html_table(heads, rows, [*(not factor.numeric for factor in factors), *(False for _ in names)])


def _cells(estimate: summary.Estimate, scale_factor: float, *, is_share: bool) -> list[str]:
    """Count, value, interval ("-" for deterministic shots and for a single one), median and deviation."""
    numbers = (estimate.value, estimate.low, estimate.high, estimate.median, estimate.deviation)
    value, low, high, *more = (f"{one:.1%}" if is_share else _number(one * scale_factor) for one in numbers)
    interval = "-" if np.isnan(estimate.low) else f"{low} to {high}"
    return [f"{estimate.count}", value, interval, *(more if not is_share else ())]


def _word_table(column: Column, table: Table) -> str:
    rows = [
        (escape(word) or "nothing", f"{count}", f"{count / len(table):.1%}")
        for word, count in summary.word_counts(column, table)
    ]
    return f"<h3>{escape(column.title)}</h3>" + _html_table(("answer", "shots", "share"), rows, (True, False, False))


def _failures(table: Table) -> str:
    reasons = Counter(word for word in table[list(table.columns)[-1]].tolist() if word is not None)
    if not reasons:
        return ""
    rows = "".join(f"<li>{count} times: {escape(reason)}</li>" for reason, count in reasons.most_common(10))
    return f"<h2>Failed shots</h2><p>{sum(reasons.values())} of {len(table)}:</p><ul>{rows}</ul>"


def _level_text(factor: summary.Factor, k: int) -> str:
    level = factor.levels[k]
    if isinstance(level, str):
        return level
    scale, unit = factor.scale
    return f"{_number(level * scale)} {unit}".rstrip()


def _number(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.4g}" if abs(value) < 1e5 else f"{value:,.0f}"
