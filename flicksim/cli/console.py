"""Console output: answers to stdout, all else to stderr, as text or JSON."""

from __future__ import annotations

import sys
from typing import Any

from rich.console import Console
from rich.text import Text

from flicksim.core.sanitize import escape_unprintable
from flicksim.core.serialization import to_json_floats
from flicksim.core.type_aliases import Unchecked


class _SafeConsole(Console):
    """Takes what files and programs say as text alone: nothing in it steers the terminal."""

    def render_str(self, text: str, **how: Any) -> Text:
        return super().render_str(escape_unprintable(text, multiline=True), **how)

    def on_broken_pipe(self) -> None:
        """Whoever read us has read enough: `main` handles that, not the console (rich would exit with 1)."""
        raise BrokenPipeError


# no markup: units in square brackets are to be read, not obeyed
out = _SafeConsole(markup=False, highlight=False)
err = _SafeConsole(stderr=True, markup=False, highlight=False)


def show_json(value: Unchecked) -> None:
    """One JSON value and nothing else."""
    sys.stdout.buffer.write(to_json_floats(value) + b"\n")
    sys.stdout.flush()
