"""Image files from the Pillow back end, without a window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from flicksim.render import DEFAULT_SEAT_NAMES, Drawable, draw
from flicksim.render.pillow_backend import save_png


def save_picture(shown: Drawable, path: Path, seats: Sequence[str] = DEFAULT_SEAT_NAMES) -> None:
    """Write a PNG of a table, or of what moved there.

    Args:
        seats: names of the seats, from which pieces take their colours.

    Raises:
        MissingExtra: Pillow is not installed. InvalidFile: the file cannot be written.
    """
    save_png(draw(shown, seats=seats), path)
