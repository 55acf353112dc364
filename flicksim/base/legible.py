"""Texts from outside as they may be shown."""

from __future__ import annotations


def legible(text: str, *, lines: bool = False) -> str:
    """A text from outside as it may be shown: what would steer a terminal, or cannot be seen, is spelled out.

    Args:
        lines: whether it may have several.
    """
    if lines and "\n" in text:
        return "\n".join(map(legible, text.split("\n")))
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
