"""Suggestions for a mistyped name."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Question that names the known names closest to a mistyped one (Ratcliff-Obershelp), to end a sentence with.

    It begins with a semicolon; empty if none is close.
    """
    close = get_close_matches(name, list(known), n=3)
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
