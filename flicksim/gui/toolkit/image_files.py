"""Image files: PNG, and looping GIF."""

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from struct import pack

import pygame

from flicksim.ai import stop_if_cancelled
from flicksim.core.atomic_files import open_atomic, write_atomic
from flicksim.core.errors import InvalidFile, MissingExtra

Frame = tuple[pygame.Surface, int]
"""Image and its duration [ms]."""
_MAX_COLOURS = 128
_LOOP = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
"""GIF extension block that loops for ever."""


def save_png(surface: pygame.Surface, path: Path) -> Path:
    """Write a PNG file.

    Raises:
        InvalidFile: it cannot be written.
    """
    if path.suffix.lower() != ".png":
        raise InvalidFile(f"the picture {str(path)!r} must be called something.png")
    buffer = BytesIO()
    pygame.image.save(surface, buffer, path.name)
    write_atomic(path, buffer.getvalue())
    return path


def write_gif(path: Path, frames: Iterable[Frame]) -> Path:
    """Write a looping GIF, frame by frame.

    Raises:
        MissingExtra: Pillow is not installed.
        InvalidFile: there is nothing to show, or the file cannot be written.
        Cancelled: the export was cancelled; no file is left.
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

    def block(picture: Image.Image, corner: tuple[int, int], duration: int) -> bytes:
        # a median cut loses colours of small pieces
        quantized = picture.quantize(_MAX_COLOURS, Image.Quantize.FASTOCTREE)
        return b"".join(getdata(quantized, corner, duration=duration, include_color_table=True))

    before: Image.Image | None = None
    corner, duration = (0, 0), 0
    pending: Image.Image | None = None  # its duration is known when the next one differs
    for surface, interval in frames:
        current = Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))
        if before is None:
            yield b"GIF89a" + pack("<HHBBB", *current.size, 0x70, 0, 0) + _LOOP
            box: tuple[int, int, int, int] | None = (0, 0, *current.size)
        else:
            box = ImageChops.difference(before, current).getbbox()
        if box is None:
            duration += interval
            continue
        if pending is not None:
            yield block(pending, corner, duration)
        before, pending, corner, duration = current, current.crop(box), box[:2], interval
    if pending is not None:
        yield block(pending, corner, duration)
