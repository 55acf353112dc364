"""Image files: PNG, and looping GIF."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from struct import pack

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from flicksim.ai import stop_if_cancelled
from flicksim.core.atomic_files import open_atomic, write_atomic
from flicksim.core.errors import InvalidFile, MissingExtra

Frame = tuple[pygame.Surface, int]
"""A picture and how long it stays [ms]."""
_MAX_COLOURS = 96
_LOOP = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
"""Of a GIF: for ever."""


def save_png(surface: pygame.Surface, path: Path) -> Path:
    """Write a PNG file.

    Raises:
        InvalidFile: it cannot be written.
    """
    if path.suffix.lower() != ".png":
        raise InvalidFile(f"the picture {str(path)!r} must be called something.png")
    drawn = BytesIO()
    pygame.image.save(surface, drawn, path.name)
    write_atomic(path, drawn.getvalue())
    return path


def write_gif(path: Path, frames: Iterable[Frame]) -> Path:
    """Write a looping GIF, frame by frame.

    Raises:
        MissingExtra: Pillow is not installed.
        InvalidFile: there is nothing to show, or the file cannot be written.
        Cancelled: nobody waits for it any more; nothing is left of it.
    """
    if find_spec("PIL") is None:
        raise MissingExtra("a GIF", "play")
    with open_atomic(path) as out:
        blocks = 0
        for block in _gif_blocks(frames):
            stop_if_cancelled()
            out.write(block)
            blocks += 1
        if not blocks:
            raise InvalidFile(f"nothing moves that could be shown in {str(path)!r}")
        out.write(b";")
    return path


def _gif_blocks(frames: Iterable[Frame]) -> Iterator[bytes]:
    """Blocks of a GIF without its trailer, frame by frame: of each only what differs from the one before."""
    from PIL import Image, ImageChops
    from PIL.GifImagePlugin import getdata

    def block(picture: Image.Image, corner: tuple[int, int], stay: int) -> bytes:
        few = picture.quantize(_MAX_COLOURS)
        return b"".join(getdata(few, corner, duration=stay, include_color_table=True))

    before: Image.Image | None = None
    corner, stay = (0, 0), 0
    due: Image.Image | None = None  # how long it stays is known when the next one differs
    for surface, wait in frames:
        now = Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))
        if before is None:
            yield b"GIF89a" + pack("<HHBBB", *now.size, 0x70, 0, 0) + _LOOP
            box: tuple[int, int, int, int] | None = (0, 0, *now.size)
        else:
            box = ImageChops.difference(before, now).getbbox()
        if box is None:
            stay += wait
            continue
        if due is not None:
            yield block(due, corner, stay)
        before, due, corner, stay = now, now.crop(box), box[:2], wait
    if due is not None:
        yield block(due, corner, stay)
