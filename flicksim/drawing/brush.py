"""The light brush: drawings painted by Pillow, drawn too large and smoothed down, as PNG and as GIF."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from flicksim.base.errors import BadFile, MissingExtra
from flicksim.base.files import write_aside
from flicksim.base.kinds import Given
from flicksim.base.places import assets
from flicksim.drawing.marks import Disc, Drawing, Patch, Sheet, Stroke, Words

if TYPE_CHECKING:
    from PIL.Image import Image

_FINE = 3
"""Scale at which a picture is painted, over that at which it is shown."""


def painted(drawing: Drawing, fine: int = _FINE) -> Image:
    """A drawing as a picture of Pillow's.

    Raises:
        MissingExtra: Pillow is not installed.
    """
    pillow = _pillow()
    width, height = drawing.size
    sheet = pillow.Image.new("RGB", (width * fine, height * fine), drawing.ground)
    pen = pillow.ImageDraw.Draw(sheet, "RGBA")
    words = []
    for mark in drawing.marks:
        if isinstance(mark, Patch):
            pen.polygon([(x * fine, y * fine) for x, y in mark.points], (*mark.colour, mark.alpha))
        elif isinstance(mark, Disc):
            x, y, r = mark.at[0] * fine, mark.at[1] * fine, mark.radius * fine
            pen.ellipse((x - r, y - r, x + r, y + r), (*mark.colour, mark.alpha))
        elif isinstance(mark, Stroke):
            _stroke(pen, mark, fine)
        elif isinstance(mark, Sheet):
            _laid(pillow, sheet, mark, fine)
        else:
            words.append(mark)
    small: Image = sheet.resize((width, height), pillow.Image.Resampling.BOX) if fine > 1 else sheet
    pen = pillow.ImageDraw.Draw(small)
    for mark in words:
        pen.text(mark.at, mark.text, mark.colour, _letters(max(7, round(mark.size))), anchor=_anchor(mark))
    return small


def _stroke(pen: Given, mark: Stroke, fine: int) -> None:
    points = [(x * fine, y * fine) for x, y in mark.points]
    wide = max(1, round(mark.width * fine))
    pen.line(points, mark.colour, wide, joint="curve")


def _laid(pillow: Given, sheet: Image, mark: Sheet, fine: int) -> None:
    """Lay pixels over the picture, as far as it goes."""
    high, wide = mark.pixels.shape[:2]
    x, y, w, h = mark.box
    left, top, right, bottom = max(x, 0.0), max(y, 0.0), min(x + w, sheet.width / fine), min(y + h, sheet.height / fine)
    size = round((right - left) * fine), round((bottom - top) * fine)
    if min(size) < 1:
        return
    if mark.tiled:
        across, down = round(right - left), round(bottom - top)
        begun = np.roll(mark.pixels, (-(round(top - y) % high), -(round(left - x) % wide)), axis=(0, 1))
        pixels = np.tile(begun, (ceil(down / high), ceil(across / wide), 1))[:down, :across]
        x, y, w, h, wide, high = left, top, float(across), float(down), across, down
    else:
        pixels = mark.pixels
    image: Image = pillow.Image.fromarray(pixels, "RGBA" if pixels.shape[2] == 4 else "RGB")
    part = ((left - x) * wide / w, (top - y) * high / h, (right - x) * wide / w, (bottom - y) * high / h)
    sharp = (w, h) == (wide, high)
    how = pillow.Image.Resampling.NEAREST if sharp else pillow.Image.Resampling.BILINEAR
    image = image.resize(size, how, box=part)
    cover = image.getchannel("A") if image.mode == "RGBA" else pillow.Image.new("L", size, 255)
    if mark.alpha < 255:
        cover = cover.point([round(value * mark.alpha / 255) for value in range(256)])
    sheet.paste(image.convert("RGB"), (round(left * fine), round(top * fine)), cover)


def _anchor(mark: Words) -> str:
    """Pillow calls the top of letters "a" and their foot "d"."""
    return mark.anchor[0] + {"t": "a", "b": "d"}.get(mark.anchor[1], "m")


@cache
def _letters(size: int) -> Given:
    face = assets() / "fonts" / "Inter-Medium.otf"
    try:
        return _pillow().ImageFont.truetype(str(face), size)
    except OSError:
        return _pillow().ImageFont.load_default(size)


def png(drawing: Drawing) -> bytes:
    """A drawing as a PNG."""
    data = BytesIO()
    painted(drawing).save(data, "PNG")
    return data.getvalue()


def gif(drawings: Iterable[Drawing], every: float, rest: float = 0.9) -> bytes:
    """Drawings as a GIF that goes round and round.

    Args:
        every: how long each is seen [s]. rest: how long the last is.
    """
    pillow = _pillow()
    shown = [painted(one, 2).quantize(96, method=pillow.Image.Quantize.FASTOCTREE) for one in drawings]
    if not shown:
        raise BadFile("nothing moves that could be shown")
    stay = [round(every * 1000.0)] * (len(shown) - 1) + [round(rest * 1000.0)]
    data = BytesIO()
    shown[0].save(data, "GIF", save_all=True, append_images=shown[1:], duration=stay, loop=0)
    return data.getvalue()


def save(drawing: Drawing, path: Path) -> Path:
    """Write a PNG.

    Raises:
        MissingExtra: Pillow is not installed. BadFile: the file cannot be called so, or not be written.
    """
    if path.suffix.lower() != ".png":
        raise BadFile(f"the picture {str(path)!r} must be called something.png")
    write_aside(path, png(drawing))
    return path


def _pillow() -> Given:
    try:
        import PIL.Image
        import PIL.ImageDraw
        import PIL.ImageFont
    except ImportError:
        raise MissingExtra("a picture", "pictures") from None
    return PIL
