"""Table tops as marks: what a board throws on the ground, its edge, its wood, slate or felt."""

from __future__ import annotations

from math import ceil, floor

from flicksim.base.geometry import Point
from flicksim.drawing import matter
from flicksim.drawing.camera import Camera
from flicksim.drawing.colours import mix
from flicksim.drawing.marks import Colour, Mark, Patch, Sheet, Stroke
from flicksim.table import Surface

Box = tuple[float, float, float, float]
"""Left, top, width, height [pixels]."""
_SHADE: Colour = (8, 10, 14)
TINT = 62
"""Share of a seat's colour in its corner of a mat, 0 to 255."""


def top(
    surface: Surface,
    camera: Camera,
    kind: str,
    colour: Colour,
    drop: Colour,
    unit: float,
    seen: Box,
) -> list[Mark]:
    """A bare table top, as far as it is seen.

    Args:
        kind: see `matter.table`. drop: the colour it throws on the ground. unit: pixels of letters and lines.
        seen: left, top, width, height of the part that is seen [pixels].
    """
    corners = camera.all(surface.outline)
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    left, up, w, h = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
    thick = (3.0 if kind == "felt" else 9.0) * unit
    marks: list[Mark] = []
    if len(corners) != 4 or len({round(x) for x in xs}) != 2 or len({round(y) for y in ys}) != 2:
        fallen = tuple((x + 0.6 * thick, y + thick) for x, y in corners)
        return [
            Patch(fallen, drop),
            Patch(corners, colour),
            _edge((*corners, corners[0]), mix(colour, _SHADE, 0.5), unit),
        ]
    left, up, w, h = round(left), round(up), round(left + w) - round(left), round(up + h) - round(up)
    if left > seen[0] or up > seen[1] or left + w < seen[0] + seen[2] or up + h < seen[1] + seen[3]:
        soft = 4.0 * thick if kind != "felt" else 14.0 * unit
        box = (left + 0.8 * thick, up + 1.4 * thick, float(w), float(h))
        marks += _fallen(box, (left, up, w, h), seen, soft)
        front = ((left, up + h), (left + w, up + h), (left + w, up + h + thick), (left, up + h + thick))
        marks.append(Patch(front, mix(colour, _SHADE, 0.62)))
        marks.append(_edge(front[2:], mix(colour, _SHADE, 0.8), unit))
    xs, ys = [p[0] for p in surface.outline], [p[1] for p in surface.outline]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    if camera.quarters % 2:
        wide, high = high, wide
    box = (float(left), float(up), float(w), float(h))
    marks.append(Sheet(("table", kind, wide, high, colour), matter.table(kind, wide, high, colour), box))
    upright = high > wide and kind in ("polished", "wood")
    marks.append(Sheet(("fibres", kind, upright), matter.fibres(kind, upright), box, tiled=True))
    shine, dark = mix(colour, (255, 240, 214), 0.34), mix(colour, _SHADE, 0.5)
    near = [(left, up + h), (left, up), (left + w, up)]
    far = [(left + w, up), (left + w, up + h), (left, up + h)]
    return [*marks, _edge(tuple(near), shine, unit), _edge(tuple(far), dark, unit)]


def _fallen(box: Box, over: Box, seen: Box, soft: float) -> list[Mark]:
    """The shadow of a board that fills a box, where what lies over it does not hide it."""
    left, up, right, low = box[0] - soft, box[1] - soft, box[0] + box[2] + soft, box[1] + box[3] + soft
    strips = (
        (left, up, right, over[1]), (left, over[1] + over[3], right, low),
        (left, over[1], over[0], over[1] + over[3]), (over[0] + over[2], over[1], right, over[1] + over[3]),
    )  # fmt: skip
    marks: list[Mark] = []
    for x0, y0, x1, y1 in strips:
        x, y = max(floor(x0), seen[0]), max(floor(y0), seen[1])
        w, h = min(ceil(x1), seen[0] + seen[2]) - x, min(ceil(y1), seen[1] + seen[3]) - y
        if w >= 1.0 and h >= 1.0:
            there = (box[0] - x, box[1] - y, box[2], box[3])
            marks.append(Sheet(None, matter.cast(there, round(w), round(h), soft), (x, y, w, h)))
    return marks


def _edge(points: tuple[Point, ...], colour: Colour, unit: float) -> Stroke:
    return Stroke(points, colour, max(1.4, 1.6 * unit))


def burnt(
    a: tuple[float, float], b: tuple[float, float], colour: Colour, unit: float, *, dark: bool = True
) -> list[Mark]:
    """A line burnt into wood, or chalked on stone: dark, with the light on its far edge."""
    wide = max(1.6, 1.8 * unit)
    if not dark:
        return [Stroke((a, b), colour, wide)]
    return [
        Stroke(((a[0] + 1.0, a[1] + 1.0), (b[0] + 1.0, b[1] + 1.0)), mix(colour, (255, 240, 214), 0.3), wide),
        Stroke((a, b), mix(colour, (30, 14, 6), 0.78), wide),
    ]
