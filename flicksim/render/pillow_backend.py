"""Pillow back end: paints display lists with supersampling, as PNG and GIF."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from flicksim.core.atomic_files import write_atomic
from flicksim.core.errors import InvalidFile, MissingExtra
from flicksim.core.paths import assets_dir
from flicksim.core.type_aliases import Unchecked
from flicksim.render.display_list import Bitmap, Disc, DisplayList, Polygon, Polyline

if TYPE_CHECKING:
    from PIL.Image import Image

_SUPERSAMPLING = 3
"""Scale at which an image is painted, over that of the result."""


def render_image(drawing: DisplayList, supersampling: int = _SUPERSAMPLING) -> Image:
    """Paint a display list as a Pillow image.

    Raises:
        MissingExtra: Pillow is not installed.
    """
    pillow = _pillow()
    width, height = drawing.size
    canvas = pillow.Image.new("RGB", (width * supersampling, height * supersampling), drawing.background)
    pen = pillow.ImageDraw.Draw(canvas, "RGBA")
    labels = []
    for primitive in drawing.primitives:
        if isinstance(primitive, Polygon):
            points = [(x * supersampling, y * supersampling) for x, y in primitive.points]
            pen.polygon(points, (*primitive.colour, primitive.alpha))
        elif isinstance(primitive, Disc):
            x, y, r = (supersampling * length for length in (*primitive.centre, primitive.radius))
            pen.ellipse((x - r, y - r, x + r, y + r), (*primitive.colour, primitive.alpha))
        elif isinstance(primitive, Polyline):
            points = [(x * supersampling, y * supersampling) for x, y in primitive.points]
            pen.line(points, primitive.colour, max(1, round(primitive.width * supersampling)), joint="curve")
        elif isinstance(primitive, Bitmap):
            _paste_bitmap(pillow, canvas, primitive, supersampling)
        else:
            labels.append(primitive)
    image: Image = canvas.resize((width, height), pillow.Image.Resampling.BOX) if supersampling > 1 else canvas
    pen = pillow.ImageDraw.Draw(image)
    for label in labels:
        font = _font(max(7, round(label.size)))
        # Pillow names the top "a" (ascender) and the bottom "d" (descender)
        anchor = label.anchor[0] + {"t": "a", "b": "d"}.get(label.anchor[1], "m")
        pen.text(label.position, label.text, label.colour, font, anchor=anchor)
    return image


def _paste_bitmap(pillow: Unchecked, canvas: Image, bitmap: Bitmap, fine: int) -> None:
    """Paste a bitmap into the image, clipped to it."""
    pixel_height, pixel_width = bitmap.pixels.shape[:2]
    x, y, w, h = bitmap.box
    left, top = max(x, 0.0), max(y, 0.0)
    right, bottom = min(x + w, canvas.width / fine), min(y + h, canvas.height / fine)
    size = round((right - left) * fine), round((bottom - top) * fine)
    if min(size) < 1:
        return
    if bitmap.tiled:
        across, down = round(right - left), round(bottom - top)
        shift = -(round(top - y) % pixel_height), -(round(left - x) % pixel_width)
        shifted = np.roll(bitmap.pixels, shift, axis=(0, 1))
        pixels = np.tile(shifted, (ceil(down / pixel_height), ceil(across / pixel_width), 1))[:down, :across]
        x, y, w, h, pixel_width, pixel_height = left, top, float(across), float(down), across, down
    else:
        pixels = bitmap.pixels
    image: Image = pillow.Image.fromarray(pixels, "RGBA" if pixels.shape[2] == 4 else "RGB")

    def to_source(at_x: float, at_y: float) -> tuple[float, float]:
        return (at_x - x) * pixel_width / w, (at_y - y) * pixel_height / h

    source_box = (*to_source(left, top), *to_source(right, bottom))
    is_unscaled = (w, h) == (pixel_width, pixel_height)
    resampling = pillow.Image.Resampling.NEAREST if is_unscaled else pillow.Image.Resampling.BILINEAR
    image = image.resize(size, resampling, box=source_box)
    mask = image.getchannel("A") if image.mode == "RGBA" else pillow.Image.new("L", size, 255)
    if bitmap.alpha < 255:
        mask = mask.point([round(value * bitmap.alpha / 255) for value in range(256)])
    canvas.paste(image.convert("RGB"), (round(left * fine), round(top * fine)), mask)


@cache
def _font(font_size: int) -> Unchecked:
    face = assets_dir() / "fonts" / "Inter-Medium.otf"
    try:
        return _pillow().ImageFont.truetype(str(face), font_size)
    except OSError:
        return _pillow().ImageFont.load_default(font_size)


def to_png(drawing: DisplayList) -> bytes:
    """Paint a display list as the bytes of a PNG."""
    data = BytesIO()
    render_image(drawing).save(data, "PNG")
    return data.getvalue()


def to_gif(drawings: Iterable[DisplayList], frame_interval: float, final_hold: float = 0.9) -> bytes:
    """Paint display lists as the bytes of a looping GIF.

    Args:
        drawings: frames in order. frame_interval: duration of each frame [s]. final_hold: duration of the last [s].
    """
    pillow = _pillow()
    frames = [render_image(drawing, 2).quantize(96, method=pillow.Image.Quantize.FASTOCTREE) for drawing in drawings]
    if not frames:
        raise InvalidFile("nothing moves that could be shown")
    durations = [round(frame_interval * 1000.0)] * (len(frames) - 1) + [round(final_hold * 1000.0)]
    data = BytesIO()
    frames[0].save(data, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0)
    return data.getvalue()


def save_png(drawing: DisplayList, path: Path) -> Path:
    """Write a display list to a PNG file.

    Raises:
        MissingExtra: Pillow is not installed. InvalidFile: the path does not end in .png, or cannot be written.
    """
    if path.suffix.lower() != ".png":
        raise InvalidFile(f"the picture {str(path)!r} must be called something.png")
    write_atomic(path, to_png(drawing))
    return path


def _pillow() -> Unchecked:
    try:
        import PIL.Image
        import PIL.ImageDraw
        import PIL.ImageFont
    except ImportError:
        raise MissingExtra("a picture", "pictures") from None
    return PIL
