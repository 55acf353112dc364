"""Console output: answers to stdout, all else to stderr, as text or JSON."""

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from flicksim.core.sanitize import escape_unprintable
from flicksim.core.serialization import to_json_floats
from flicksim.core.type_aliases import Unchecked


class _SafeConsole(Console):
    """Console that escapes control characters, so that texts of files and programs cannot control the terminal."""

    def render_str(self, text: str, **kwargs: Any) -> Text:
        return super().render_str(escape_unprintable(text, multiline=True), **kwargs)

    def print_line(self, text: str, **style: Any) -> None:
        """Print a text without wrapping it at the width of the terminal."""
        self.print(text, soft_wrap=True, **style)


# no markup: units are in square brackets
out = _SafeConsole(markup=False, emoji=False, highlight=False)
err = _SafeConsole(stderr=True, markup=False, emoji=False, highlight=False)


def show_table(headings: Iterable[str | Column], rows: Iterable[Iterable[object]], **style: Any) -> None:
    """Print rows of values as a table, with the style of `rich.table.Table`; only a `Text` may have several lines."""
    table = Table(*headings, **style)
    for row in rows:
        table.add_row(*(value if isinstance(value, Text) else escape_unprintable(str(value)) for value in row))
    out.print(table)


def show_json(value: Unchecked) -> None:
    """Print one JSON value on stdout."""
    sys.stdout.buffer.write(to_json_floats(value) + b"\n")
    sys.stdout.flush()


def show_answer(value: Unchecked, sentence: str, as_json: bool) -> None:
    """Print the answer of a command: a JSON value for programs, or a sentence."""
    if as_json:
        show_json(value)
    else:
        out.print_line(sentence)
