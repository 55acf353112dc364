"""Output of the command line: answers to stdout, everything else to stderr, for people or for programs."""

from __future__ import annotations

import sys
from typing import Any

from rich.console import Console
from rich.text import Text

from flicksim.base.codec import to_json_numbers
from flicksim.base.kinds import Given
from flicksim.base.legible import legible


class _Sheet(Console):
    """Takes what files and programs say as text alone: nothing in it steers the terminal."""

    def render_str(self, text: str, **how: Any) -> Text:
        return super().render_str(legible(text, lines=True), **how)

    def on_broken_pipe(self) -> None:
        """Whoever read us has read enough: the door answers that, not the sheet (rich would say 1)."""
        raise BrokenPipeError


# no markup: units in square brackets are to be read, not obeyed
out = _Sheet(markup=False, highlight=False)
err = _Sheet(stderr=True, markup=False, highlight=False)


def show_json(thing: Given) -> None:
    """One JSON value and nothing else."""
    sys.stdout.buffer.write(to_json_numbers(thing) + b"\n")
    sys.stdout.flush()
