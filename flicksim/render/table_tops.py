"""Display lists of table tops: outline, edge, surface and cast shadow."""

from collections.abc import Callable, Mapping
from functools import partial
from math import ceil, dist, floor

from flicksim.core.geometry import Point
from flicksim.render import procedural_textures
from flicksim.render.camera import Camera
from flicksim.render.colours import mix
from flicksim.render.display_list import Bitmap, Colour, Label, Polygon, Polyline, Primitive
from flicksim.scene import Surface

Box = tuple[float, float, float, float]
"""Left, top, width, height [pixels]."""
_SHADE: Colour = (8, 10, 14)
_CORNER_TINT_ALPHA = 62
"""Opacity of a seat's colour over its corner of a mat, 0 to 255."""


def draw_table_top(
    surface: Surface,
    camera: Camera,
    material: str,
    colour: Colour,
    shadow_colour: Colour,
    line_scale: float,
    visible_box: Box,
) -> list[Primitive]:
    """Draw the visible part of a bare table top.

    Args:
        surface: surface to draw. camera: view of it. colour: base colour.
        material: see `procedural_textures.table_texture`. shadow_colour: colour of its cast shadow.
        line_scale: scale of lines and text [pixels].
        visible_box: left, top, width, height of the visible part [pixels].
    """
    corners = camera.points_to_screen(surface.outline)
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    left, up, w, h = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
    thick = (3.0 if material == "felt" else 9.0) * line_scale
    marks: list[Primitive] = []
    if len(corners) != 4 or len({round(x) for x in xs}) != 2 or len({round(y) for y in ys}) != 2:
        fallen = tuple((x + 0.6 * thick, y + thick) for x, y in corners)
        edge = _edge_stroke((*corners, corners[0]), mix(colour, _SHADE, 0.5), line_scale)
        return [Polygon(fallen, shadow_colour), Polygon(corners, colour), edge]
    left, up, w, h = round(left), round(up), round(left + w) - round(left), round(up + h) - round(up)
    x, y, visible_width, visible_height = visible_box
    if left > x or up > y or left + w < x + visible_width or up + h < y + visible_height:
        soft = 4.0 * thick if material != "felt" else 14.0 * line_scale
        box = (left + 0.8 * thick, up + 1.4 * thick, float(w), float(h))
        marks += _draw_board_shadow(box, (left, up, w, h), visible_box, soft)
        front = ((left, up + h), (left + w, up + h), (left + w, up + h + thick), (left, up + h + thick))
        marks.append(Polygon(front, mix(colour, _SHADE, 0.62)))
        marks.append(_edge_stroke(front[2:], mix(colour, _SHADE, 0.8), line_scale))
    xs, ys = [p[0] for p in surface.outline], [p[1] for p in surface.outline]
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    if camera.quarter_turns % 2:
        width, height = height, width
    box = (float(left), float(up), float(w), float(h))
    texture = procedural_textures.table_texture(material, width, height, colour)
    marks.append(Bitmap(("table", material, width, height, colour), texture, box))
    upright = height > width and material in ("polished", "wood")
    fibres = procedural_textures.fibre_texture(material, upright)
    marks.append(Bitmap(("fibres", material, upright), fibres, box, tiled=True))
    shine, dark = mix(colour, (255, 240, 214), 0.34), mix(colour, _SHADE, 0.5)
    lit_edge = [(left, up + h), (left, up), (left + w, up)]
    dark_edge = [(left + w, up), (left + w, up + h), (left, up + h)]
    return [*marks, _edge_stroke(tuple(lit_edge), shine, line_scale), _edge_stroke(tuple(dark_edge), dark, line_scale)]


def _draw_board_shadow(box: Box, covered_box: Box, visible_box: Box, softness: float) -> list[Primitive]:
    """Draw the shadow of a board that fills a box, where `covered_box` does not hide it."""
    left, up, right, low = box[0] - softness, box[1] - softness, box[0] + box[2] + softness, box[1] + box[3] + softness
    x, y, end, foot = *covered_box[:2], covered_box[0] + covered_box[2], covered_box[1] + covered_box[3]
    strips = ((left, up, right, y), (left, foot, right, low), (left, y, x, foot), (end, y, right, foot))
    marks: list[Primitive] = []
    for x0, y0, x1, y1 in strips:
        x, y = max(floor(x0), visible_box[0]), max(floor(y0), visible_box[1])
        w, h = min(ceil(x1), visible_box[0] + visible_box[2]) - x, min(ceil(y1), visible_box[1] + visible_box[3]) - y
        if w >= 1.0 and h >= 1.0:
            relative_box = (box[0] - x, box[1] - y, box[2], box[3])
            shadow = procedural_textures.board_shadow(relative_box, round(w), round(h), softness)
            marks.append(Bitmap(None, shadow, (x, y, w, h)))
    return marks


def _edge_stroke(points: tuple[Point, ...], colour: Colour, line_scale: float) -> Polyline:
    return Polyline(points, colour, max(1.4, 1.6 * line_scale))


def draw_burnt_line(
    a: tuple[float, float], b: tuple[float, float], colour: Colour, line_scale: float, *, dark: bool = True
) -> list[Primitive]:
    """Draw a line burnt into wood (dark, lit on its far edge), or chalked on stone."""
    wide = max(1.6, 1.8 * line_scale)
    if not dark:
        return [Polyline((a, b), colour, wide)]
    return [
        Polyline(((a[0] + 1.0, a[1] + 1.0), (b[0] + 1.0, b[1] + 1.0)), mix(colour, (255, 240, 214), 0.3), wide),
        Polyline((a, b), mix(colour, (30, 14, 6), 0.78), wide),
    ]


def draw_mat_lines(
    surface: Surface, camera: Camera, tints: Mapping[str, Colour], colour: Colour, width: float
) -> list[Primitive]:
    """Draw the base lines of a mat, so wide [pixels], over the corners behind them in the colours of their seats."""
    tinted: list[Primitive] = []
    for line in surface.lines:
        middle = (line.a[0] + line.b[0]) / 2.0, (line.a[1] + line.b[1]) / 2.0
        corner = min(surface.outline, key=partial(dist, middle))
        if (tint := tints.get(line.name.split()[0])) is not None:
            tinted.append(Polygon(camera.points_to_screen((line.a, line.b, corner)), tint, _CORNER_TINT_ALPHA))
    return [*tinted, *(Polyline(camera.points_to_screen((one.a, one.b)), colour, width) for one in surface.lines)]


def draw_scale_bar(
    camera: Camera, middle: Point, colour: Colour, text_size: float, px: Callable[[float], float]
) -> list[Primitive]:
    """Draw a scale bar of a mat around a point of the view (see `draw_ruler`)."""
    step = next((s for s in (5, 10, 20, 50, 100, 200) if s / 1000.0 * camera.zoom >= px(56)), 200)
    wide, y = step / 1000.0 * camera.zoom, middle[1]
    x = middle[0] - wide / 2.0
    bars: list[Primitive] = [Polyline(((at, y - px(4)), (at, y + px(4))), colour, 1.0) for at in (x, x + wide)]
    bars.append(Polyline(((x, y), (x + wide, y)), colour, px(2)))
    return [*bars, Label(f"{step} mm", (x + wide + px(8), y), text_size, colour, "lm")]


def draw_ruler(
    surface: Surface, camera: Camera, colour: Colour, text_size: float, px: Callable[[float], float],
    view_size: tuple[float, float],
) -> list[Primitive]:  # fmt: skip
    """Draw a millimetre scale up the left side of a table, as the players see it.

    Args:
        surface: surface measured. camera: view of it. colour: of lines and numbers. text_size: height of text [pixels].
        px: converts units to pixels. view_size: width and height of the view; what lies outside is left out [pixels].
    """
    left, low, high = min(x for x, _ in surface.outline), *(f(y for _, y in surface.outline) for f in (min, max))
    steps = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
    is_turned = camera.quarter_turns % 2
    gap = max(px(30.0), 4.0 * text_size if is_turned else 0.0)  # numbers side by side are wider than high
    step = next((s for s in steps if s / 1000.0 * camera.zoom >= gap), 10_000)
    fine = step / (5 if step in (10, 50, 500) else 4 if step == 20 else 10)
    if fine / 1000.0 * camera.zoom < 3.0:
        fine = step / 2
    dx, dy = camera.vector_to_screen(-1.0 / camera.zoom, 0.0)
    primitives: list[Primitive] = []
    for k in range(round((high - low) * 1000.0 / fine) + 1):
        x, y = camera.to_screen((left, low + k * fine / 1000.0))
        if not (0.0 <= x < view_size[0] and 0.0 <= y < view_size[1]):
            continue
        is_labelled = abs(k * fine / step - round(k * fine / step)) < 1e-9
        near, far, beside = px(5.0), px(13.0 if is_labelled else 9.0), px(16.0)
        primitives.append(Polyline(((x + dx * near, y + dy * near), (x + dx * far, y + dy * far)), colour, 1.0))
        if is_labelled:
            at = (x + dx * beside, y + dy * beside)
            primitives.append(Label(f"{k * fine:g}", at, text_size, colour, "mb" if is_turned else "rm"))
    x, y = camera.to_screen((left, high))
    at, anchor = ((x + px(18.0), y - px(16.0)), "lb") if is_turned else ((x - px(16.0), y - px(10.0)), "mb")
    return [*primitives, Label("mm", at, text_size, colour, anchor)]
