"""Image files from the Pillow back end, without a window."""

from collections.abc import Sequence
from pathlib import Path

from flicksim.render import DEFAULT_SEAT_NAMES, Drawable, draw
from flicksim.render.pillow_backend import save_png


def save_picture(drawable: Drawable, path: Path, seats: Sequence[str] = DEFAULT_SEAT_NAMES) -> None:
    """Write a PNG of a scene or of a trajectory.

    Args:
        seats: names of the seats, for the colours of their pieces.

    Raises:
        MissingExtra: Pillow is not installed. InvalidFile: the file cannot be written.
    """
    save_png(draw(drawable, seats=seats), path)
