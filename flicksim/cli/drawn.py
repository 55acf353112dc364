"""Pictures as files, by the light brush: none of them needs a window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from flicksim.drawing import SEATS_SHOWN, Shown, picture
from flicksim.drawing.brush import save


def draw(shown: Shown, path: Path, seats: Sequence[str] = SEATS_SHOWN) -> None:
    """Write a PNG of a table, or of what moved there.

    Args:
        seats: names of the seats, from which pieces take their colours.

    Raises:
        MissingExtra: Pillow is not installed. BadFile: the file cannot be written.
    """
    save(picture(shown, seats=seats), path)
