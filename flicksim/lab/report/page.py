"""The page: facts, pictures, tables. Plain HTML that needs nothing but the pictures beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from flicksim.lab.column import Column
from flicksim.lab.report.summary import Bools, Factor, Figure, answers, cells, certain, counts, pooled, scale
from flicksim.lab.run import Manifest
from flicksim.lab.stores import Table

_MOST_ROWS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture beside the page, and what it shows."""

    file: str
    says: str


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


def page(manifest: Manifest, table: Table, found: Sequence[Factor], pictures: Iterable[Picture]) -> str:
    """The whole page."""
    asked = manifest.experiment
    sure = certain(table, asked.hand)
    parts = [f"<h1>{escape(asked.title)}</h1>"]
    if asked.about:
        parts.append(f"<p>{escape(asked.about)}</p>")
    parts += [_facts(manifest, table), _varied(found)]
    if sure.all() and len(table):
        parts.append("<p>Nothing was left to chance: one shot of each cell says all, and there are no intervals.</p>")
    parts.append("<h2>Pictures</h2>")
    for picture in pictures:
        says = escape(picture.says)
        parts.append(f'<figure><img src="{escape(picture.file)}" alt="{says}"><figcaption>{says}</figcaption></figure>')
    columns = answers(table, ("share", "number"))
    parts.append("<h2>Tables</h2>")
    size = int(np.prod([len(factor.levels) for factor in found])) if found else 1
    if size <= _MOST_ROWS:
        parts += [_table(list(found), column, table, sure) for column in columns]
    else:
        parts.append(f'<p class="faint">There are {size} cells; the tables go by one quantity at a time.</p>')
        parts += [_table([factor], column, table, sure) for column in columns for factor in found]
    for column in answers(table, ("text",)):
        parts.append(_words(column, table))
    parts.append(_failures(table))
    name = escape(asked.title)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{name}</title><style>{_STYLE}</style></head>\n'
        f"<body>\n{''.join(part + chr(10) for part in parts if part)}</body></html>\n"
    )


def _facts(manifest: Manifest, table: Table) -> str:
    spent = manifest.seconds
    took = f", in {spent:,.1f} s, {manifest.done / spent:,.0f} a second" if spent else ""
    whole = "" if manifest.hash else " The experiment is not finished."
    facts = (
        f"{len(table):,} of {manifest.shots:,} shots, seed {manifest.seed}{took}; "
        f"flicksim {manifest.flicksim} on {manifest.machine}, begun {manifest.begun}.{whole}"
    )
    found = f"<p class='faint'>{escape(facts)}"
    return found + (f"<br>hash <code>{escape(manifest.hash)}</code></p>" if manifest.hash else "</p>")


def _varied(found: Sequence[Factor]) -> str:
    if not found:
        return "<p>Nothing was varied but the hand's own errors.</p>"
    rows = []
    for factor in found:
        how = ", ".join(_shown(factor, k) for k in range(len(factor.levels)))
        if factor.edges is not None:
            how = f"{_number(factor.edges[0])} to {_number(factor.edges[-1])}, drawn; in {len(factor.levels)} bins here"
        rows.append(
            f'<tr><td class="word">{escape(factor.column.title)}</td>'
            f'<td class="word"><code>{escape(factor.column.name)}</code></td><td class="word">{escape(how)}</td></tr>'
        )
    head = '<tr><th class="word">what varied</th><th class="word">column</th><th class="word">how</th></tr>'
    return f'<div class="wide"><table>{head}{"".join(rows)}</table></div>'


def _table(over: list[Factor], column: Column, table: Table, sure: Bools) -> str:
    found = cells(over, column, table, sure)
    times, unit = scale(column.unit, np.array([one.middle for one in found.values()]))
    share = column.kind == "share"
    what = f"{column.title}" + (f" [{unit}]" if unit and not share else "")
    heads = [f"<th{_word(factor)}>{escape(factor.column.title)}</th>" for factor in over]
    names = ("shots", "share", "95 % interval") if share else ("shots", "mean", "95 % interval", "median", "deviation")
    heads += [f"<th>{name}</th>" for name in names]
    rows = []
    for spot, one in found.items():
        if not one.count:
            continue
        levels = [f"<td{_word(f)}>{escape(_shown(f, k))}</td>" for f, k in zip(over, spot, strict=True)]
        rows.append(f"<tr>{''.join(levels)}{_cells(one, times, share=share)}</tr>")
    caption = f"<h3>{escape(what)}</h3>"
    if rest := pooled(over, table):
        caption += f'<p class="faint">Over all {escape(" and ".join(column.title for column in rest))}.</p>'
    return f'{caption}<div class="wide"><table><tr>{"".join(heads)}</tr>{"".join(rows)}</table></div>'


def _cells(one: Figure, times: float, *, share: bool) -> str:
    if share:
        values = [f"{one.count}", f"{one.middle:.1%}", _interval(one, f"{one.low:.1%} to {one.high:.1%}")]
    else:
        numbers = (one.middle, one.low, one.high, one.median, one.deviation)
        mean, low, high, median, deviation = (_number(value * times) for value in numbers)
        values = [f"{one.count}", mean, _interval(one, f"{low} to {high}"), median, deviation]
    return "".join(f"<td>{value}</td>" for value in values)


def _interval(one: Figure, says: str) -> str:
    """An interval in words; none where nothing was left to chance, or one shot is all there is."""
    return "-" if np.isnan(one.low) else says


def _words(column: Column, table: Table) -> str:
    rows = "".join(
        f'<tr><td class="word">{escape(word) or "nothing"}</td><td>{count}</td><td>{count / len(table):.1%}</td></tr>'
        for word, count in counts(column, table)
    )
    head = '<tr><th class="word">answer</th><th>shots</th><th>share</th></tr>'
    return f'<h3>{escape(column.title)}</h3><div class="wide"><table>{head}{rows}</table></div>'


def _failures(table: Table) -> str:
    why = Counter(word for word in table["failed"].tolist() if word is not None)
    if not why:
        return ""
    rows = "".join(f"<li>{count} times: {escape(reason)}</li>" for reason, count in why.most_common(10))
    return f"<h2>Shots that could not be made</h2><p>{sum(why.values())} of {len(table)}:</p><ul>{rows}</ul>"


def _word(factor: Factor) -> str:
    return "" if factor.numeric else ' class="word"'


def _shown(factor: Factor, k: int) -> str:
    level = factor.levels[k]
    if isinstance(level, str):
        return level
    times, unit = scale(factor.column.unit, np.array(factor.levels, dtype=float))
    return f"{_number(level * times)} {unit}".rstrip()


def _number(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.4g}" if abs(value) < 1e5 else f"{value:,.0f}"
