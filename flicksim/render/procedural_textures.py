"""Procedural textures: wood, slate, felt, coins, winks and the pot as pixel arrays.

Every texture is a pure function of its parameters; noise has fixed seeds. The window and the Pillow back end use the
same arrays, so a table looks the same in both.
"""

from functools import lru_cache
from math import cos, pi, sin

import numpy as np
import numpy.typing as npt

from flicksim.render.display_list import Colour, Pixels

FloatImage = npt.NDArray[np.floating]
_LIGHT_DIRECTION = (-0.50, 0.58, 0.64)
"""Direction to the light: x to the right, y up, z to the eye."""
SHADOW_DIRECTION = (0.34, 0.4)
"""Offset of a shadow to the right and down per unit of height."""
_LIGHT_COLOUR: FloatImage = np.array([255.0, 246.0, 228.0], dtype=np.float32)
"""Colour of the light."""
METAL_COLOURS: dict[str, Colour] = {"bronze": (186, 116, 66), "steel": (172, 176, 182), "zinc": (150, 158, 170)}
_PIXELS_PER_METRE = 900.0
"""Resolution of the coarse texture of a table [pixels per metre]; fibres are drawn over it at any zoom."""
_MAX_PIXELS = 700_000
"""Most pixels of the coarse texture of one table."""
TILE_SIZE = 256
"""Side of a tile of the fibre texture [pixels]."""


def _noise(
    height: int, width: int, cell_height: float, cell_width: float, seed: int, *, periodic: bool = False
) -> FloatImage:
    """Value noise from 0 to 1 with cells of a size [pixels], smoothly interpolated; `periodic`: it tiles."""
    rows, columns = max(2, round(height / cell_height)), max(2, round(width / cell_width))
    more = 0 if periodic else 2
    grid = np.random.Generator(np.random.PCG64(seed)).random((rows + more, columns + more))

    def interpolate(values: FloatImage, count: int, cells: int) -> FloatImage:
        at = np.arange(count) * (cells / count)
        whole = at.astype(np.int64)
        part = at - whole
        part = (part * part * (3.0 - 2.0 * part))[:, None]
        size = len(values)
        found: FloatImage = values[whole % size] * (1.0 - part) + values[(whole + 1) % size] * part
        return found

    return interpolate(interpolate(grid, height, rows).T, width, columns).T


def _colour_ramp(field: FloatImage, *stops: tuple[float, Colour]) -> Pixels:
    """Map a field to colours by linear interpolation between stops."""
    at = [stop for stop, _ in stops]
    channels = [np.interp(field, at, [colour[k] for _, colour in stops]) for k in range(3)]
    return np.clip(np.stack(channels, axis=-1), 0.0, 255.0).astype(np.uint8)


def _shade(colour: Colour, factor: float) -> Colour:
    """Scale the brightness of a colour: darker below 1, lighter above."""
    if factor <= 1.0:
        return (round(colour[0] * factor), round(colour[1] * factor * 0.985), round(colour[2] * factor * 0.96))
    k = factor - 1.0
    return (round(colour[0] + (255 - colour[0]) * k), round(colour[1] + (244 - colour[1]) * k * 0.92),
            round(colour[2] + (220 - colour[2]) * k * 0.8))  # fmt: skip


# -- tables ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def table_texture(material: str, width: float, height: float, colour: Colour) -> Pixels:
    """Coarse texture of a table top, its y axis upwards.

    Args:
        material: "polished" and "wood" have grain and knots along the longer side, "felt" a brushed nap; others are
            stone.
        width, height: size [m]. colour: mean colour.
    """
    scale = min(_PIXELS_PER_METRE, (_MAX_PIXELS / max(width * height, 1e-6)) ** 0.5)
    w, h = max(8, round(width * scale)), max(8, round(height * scale))
    if material in ("polished", "wood"):
        along = _wood_texture(max(w, h), min(w, h), colour, glossy=material == "polished")
        texture = along if w >= h else np.ascontiguousarray(np.rot90(along))
    elif material == "felt":
        texture = _felt_texture(w, h, colour)
    else:
        texture = _stone_texture(w, h, colour, chalked=material == "chalked")
    texture.setflags(write=False)
    return texture


def _wood_texture(length: int, width: int, colour: Colour, *, glossy: bool) -> Pixels:
    """Wooden board with its grain from left to right: annual rings, knots and fibres."""
    u = (np.arange(length) / width)[None, :]
    v = (np.arange(width) / width)[:, None]
    aspect = length / width
    ring_phase = v * 15.0 + 1.5 * _noise(width, length, width * 0.6, width * 1.7, 3)
    ring_phase = ring_phase + 0.3 * _noise(width, length, width * 0.12, width * 0.9, 4)
    dark = np.zeros((width, length))
    for ku, kv, size in ((0.23 * aspect, 0.71, 0.042), (0.66 * aspect, 0.22, 0.034), (0.91 * aspect, 0.84, 0.024)):
        knot_distance = np.hypot((u - ku) / 1.8, v - kv) / size
        bend = np.exp(-((knot_distance / 3.4) ** 2))  # the grain bends around a knot
        ring_phase = ring_phase + np.sign(v - kv) * 1.7 * bend
        rings = 0.5 + 0.5 * np.cos(knot_distance * 6.0)
        dark += np.exp(-(knot_distance**2.0) * 0.55) * (0.5 + 0.3 * rings)
    ring = ring_phase % 1.0
    late_wood = ring**2.2 * np.clip((1.0 - ring) / 0.16, 0.0, 1.0)  # early wood is pale, late wood dark
    late_wood = late_wood * (0.45 + 0.9 * _noise(width, length, width * 0.09, width * 0.7, 7))
    fibre = _noise(width, length, 1.6, width * 0.35, 5) - 0.5
    cloud = _noise(width, length, width * 0.4, width * 1.1, 6) - 0.5
    value = 0.66 - 0.3 * late_wood + 0.17 * fibre + 0.24 * cloud - 0.6 * np.minimum(dark, 1.0)
    if glossy:
        value += 0.05 * np.sin((u - v) * 1.7 + 0.6)
    return _colour_ramp(value, (0.0, _shade(colour, 0.4)), (0.35, _shade(colour, 0.74)), (0.62, colour),
                    (1.0, _shade(colour, 1.26)))  # fmt: skip


def _felt_texture(width: int, height: int, colour: Colour) -> Pixels:
    """Felt with a nap brushed in patches of different directions, lit accordingly."""
    swept = _noise(height, width, height * 0.16, width * 0.2, 11)
    swept = swept + 0.5 * _noise(height, width, height * 0.05, width * 0.11, 12)
    value = np.clip((swept - 0.45) * 1.5, 0.0, 1.0)
    value = value * value * (3.0 - 2.0 * value)
    along, across = _noise(height, width, 2.0, 46.0, 13) - 0.5, _noise(height, width, 46.0, 2.0, 14) - 0.5
    strokes = along * value + across * (1.0 - value)  # brushed lengthwise where it is light, crosswise where it is dark
    return _colour_ramp(value + 0.32 * strokes, (0.0, _shade(colour, 0.86)), (1.0, _shade(colour, 1.09)))


def _stone_texture(width: int, height: int, colour: Colour, *, chalked: bool) -> Pixels:
    """Slate in layers; with `chalked`, traces of wiped chalk."""
    value = 0.5 * _noise(height, width, 26.0, 34.0, 21) + 0.3 * _noise(height, width, 7.0, 11.0, 22)
    value = value + 0.2 * _noise(height, width, 2.0, 2.0, 23)
    if chalked:
        wiped = _noise(height, width, 60.0, 14.0, 24) * _noise(height, width, 150.0, 120.0, 25)
        value = value + 0.9 * np.clip(wiped - 0.22, 0.0, 1.0)
    return _colour_ramp(value, (0.1, _shade(colour, 0.78)), (0.55, colour), (1.2, _shade(colour, 1.3)))


@lru_cache(maxsize=8)
def fibre_texture(material: str, upright: bool = False) -> Pixels:
    """Tileable RGBA overlay of fine fibres for a table top; `upright`: rotated by a quarter turn."""
    if upright:
        return np.ascontiguousarray(np.rot90(fibre_texture(material)))

    def noise(cell_height: float, cell_width: float, seed: int) -> FloatImage:
        return _noise(TILE_SIZE, TILE_SIZE, cell_height, cell_width, seed, periodic=True)

    if material in ("polished", "wood"):
        value, strength = (noise(1.0, 22.0, 31) + 0.6 * noise(1.4, 60.0, 32) - 0.8) * 1.25, 46.0
    elif material == "felt":
        value = 0.9 * noise(1.0, 1.0, 33) + 0.5 * noise(1.2, 2.6, 34) + 0.3 * noise(3.0, 1.6, 35) - 0.85
        strength = 30.0
    else:
        value, strength = noise(1.0, 1.0, 36) + noise(3.0, 3.0, 37) - 1.0, 26.0
    image = np.zeros((TILE_SIZE, TILE_SIZE, 4), dtype=np.uint8)
    image[..., :3] = np.where(value[..., None] > 0.0, _LIGHT_COLOUR, 0.0)
    image[..., 3] = np.clip(np.abs(value) * strength, 0.0, 255.0)
    return image


def light_overlay(width: int, height: int) -> Pixels:
    """RGBA overlay of the room light: warm towards the lamp, dark towards the corners."""
    w, h = max(2, width // 4), max(2, height // 4)
    y, x = np.linspace(0.0, 1.0, h)[:, None], np.linspace(0.0, 1.0, w)[None, :]
    distance = np.hypot((x - 0.46) * 1.05, (y - 0.44) * 1.05)
    dark = np.clip((distance - 0.36) * 1.7, 0.0, 1.0) ** 1.5 * 0.62
    warm = 0.11 * np.exp(-(((x - 0.24) / 0.34) ** 2) - ((y - 0.16) / 0.38) ** 2)
    image = np.zeros((h, w, 4))
    total = dark + warm
    image[..., :3] = np.array([255.0, 226.0, 170.0]) * (warm / np.maximum(total, 1e-6))[..., None]
    image[..., 3] = np.clip(total, 0.0, 1.0) * 255.0
    return image.astype(np.uint8)


def board_shadow(box: tuple[float, float, float, float], width: int, height: int, softness: float) -> Pixels:
    """RGBA shadow of a board, as seen in a part of a width and height [pixels].

    Args:
        box: left, top, width, height of the board relative to the part [pixels].
        softness: half width of its blurred edge [pixels].
    """

    def falloff(begin: float, size: float, length: int) -> FloatImage:
        at = np.linspace(0.0, length, max(2, length // 4))
        k = np.clip((np.minimum(at - begin, begin + size - at) + softness) / (2.0 * softness), 0.0, 1.0)
        found: FloatImage = k * k * (3.0 - 2.0 * k)
        return found

    down, across = falloff(box[1], box[3], height), falloff(box[0], box[2], width)
    image = np.zeros((len(down), len(across), 4), dtype=np.uint8)
    image[..., 3] = down[:, None] * across[None, :] * 200.0
    return image


# -- pieces ------------------------------------------------------------------------------------------------------------


def _pixel_grid(radius: float, supersampling: int) -> tuple[FloatImage, FloatImage]:
    """Coordinates across and up [radii] of every supersampled pixel of a square around a piece."""
    side = 2 * (int(radius) + 2) * supersampling
    at = ((np.arange(side) + 0.5 - side / 2.0) / (radius * supersampling)).astype(np.float32)
    x, y = np.meshgrid(at, -at)
    return x, y


def _supersampling(radius: float) -> int:
    """Supersampling factor by radius [pixels]."""
    return 3 if radius < 11.0 else 2 if radius < 34.0 else 1


def _downsample(colour: FloatImage, coverage: FloatImage, supersampling: int) -> Pixels:
    """Average supersampled pixels, colours weighted by coverage. [height, width, 4]"""
    side = len(coverage) // supersampling
    weighted = (colour * coverage[..., None]).reshape(side, supersampling, side, supersampling, 3).sum(axis=(1, 3))
    total = coverage.reshape(side, supersampling, side, supersampling).sum(axis=(1, 3))
    image = np.empty((side, side, 4), dtype=np.uint8)
    image[..., :3] = np.clip(weighted / np.maximum(total, 1e-9)[..., None], 0.0, 255.0)
    image[..., 3] = np.clip(total / (supersampling * supersampling), 0.0, 1.0) * 255.0
    return image


def _bar_distance(
    x: FloatImage, y: FloatImage, angle: float, start: float, end: float, half_width: float
) -> FloatImage:
    """Signed distance to a bar along a ray [radii]."""
    along, across = x * cos(angle) + y * sin(angle), -x * sin(angle) + y * cos(angle)
    return np.maximum(np.abs(across) - half_width, np.maximum(start - along, along - end))


def _owner_mark_distance(mark: str, x: FloatImage, y: FloatImage, *, with_pointer: bool) -> FloatImage:
    """Signed distance of points of the face to an owner's mark [radii]; `with_pointer`: a ring with its pointer."""
    radial = np.hypot(x, y)
    if mark == "ring":
        ring = np.abs(radial - 0.43) - 0.11
        return np.minimum(ring, _bar_distance(x, y, pi / 2.0, 0.5, 0.74, 0.075)) if with_pointer else ring
    if mark == "cross":
        strokes = [_bar_distance(x, y, pi / 4.0 + k * pi / 2.0, 0.0, 0.62, 0.135) for k in range(4)]
        crossed: FloatImage = np.minimum.reduce(strokes)
        return crossed
    if mark == "bar":
        return _bar_distance(x, y, 0.0, -0.66, 0.66, 0.17)
    if mark == "dots":
        turns = [pi / 2.0 + k * 2.0 * pi / 3.0 for k in range(3)]
        dotted: FloatImage = np.minimum.reduce([np.hypot(x - 0.4 * cos(a), y - 0.4 * sin(a)) - 0.2 for a in turns])
        return dotted
    if mark == "core":
        return radial - 0.44
    if mark == "hem":
        return np.abs(radial - 0.65) - 0.09
    return radial - 0.2


def _pot_and_wink_distance(x: FloatImage, y: FloatImage) -> FloatImage:
    """Signed distance to the emblem of the white: a pot with a wink over it [radii]."""
    wall = np.abs(x) - (0.27 + 0.16 * (y + 0.46))
    pot = np.maximum(wall, np.maximum(-0.46 - y, y - 0.02))
    lip = np.maximum(np.abs(x) - 0.42, np.abs(y - 0.04) - 0.055)
    tilted = x * cos(0.42) + (y - 0.36) * sin(0.42), -x * sin(0.42) + (y - 0.36) * cos(0.42)
    wink = np.maximum(np.abs(tilted[0]) - 0.24, np.abs(tilted[1]) - 0.06)
    found: FloatImage = np.minimum(np.minimum(pot, lip), wink)
    return found


def white_texture(radius: float, face: Colour, ink: Colour, angle: float) -> Pixels:
    """Texture of the white, a pale coin with the emblem of a pot and a wink. [side, side, 4]"""
    soft = (round(ink[0] * 0.7 + 60), round(ink[1] * 0.7 + 54), round(ink[2] * 0.7 + 46))
    return coin_texture(radius, "zinc", face, soft, "pot", angle)


def coin_texture(radius: float, material: str, face: Colour, ink: Colour, mark: str, angle: float) -> Pixels:
    """Texture of a coin seen from above: milled edge, rim, enamel face, raised mark. [side, side, 4]

    Args:
        radius: radius [pixels]. material: metal of rim and edge. face: colour of the enamel. ink: colour of the mark.
        mark: owner's mark; "pot" is the emblem of the white. angle: rotation [rad].
    """
    metal = METAL_COLOURS.get(material, METAL_COLOURS["bronze"])
    fine = _supersampling(radius)
    x, y = _pixel_grid(radius, fine)
    d, azimuth = np.hypot(x, y), np.arctan2(y, x)
    rotated = x * cos(angle) + y * sin(angle), y * cos(angle) - x * sin(angle)
    mark_distance = (
        _pot_and_wink_distance(*rotated) if mark == "pot" else _owner_mark_distance(mark, *rotated, with_pointer=True)
    )
    if mark == "pot":
        mark_distance = np.minimum(mark_distance, _bar_distance(*rotated, pi / 2.0, 0.66, 0.8, 0.05))
    soft = max(0.05, 1.3 / radius)
    raised = np.clip(0.5 - mark_distance / soft, 0.0, 1.0)
    rim = np.clip(1.0 - np.abs(d - 0.885) / 0.075, 0.0, 1.0)
    rim = rim * rim * (3.0 - 2.0 * rim)
    height = 0.085 * raised + 0.11 * rim
    if radius >= 20.0:
        beads = np.clip(1.0 - np.abs(d - 0.755) / 0.035, 0.0, 1.0) * (0.5 + 0.5 * np.cos((azimuth - angle) * 36.0))
        height = height + 0.05 * beads
    spacing = 1.0 / (radius * fine)
    slope_y, slope_x = np.gradient(height, spacing)
    nx, ny = -slope_x * 0.8, slope_y * 0.8
    size = np.sqrt(nx * nx + ny * ny + 1.0)
    lit = (nx * _LIGHT_DIRECTION[0] + ny * _LIGHT_DIRECTION[1] + _LIGHT_DIRECTION[2]) / size / _LIGHT_DIRECTION[2]
    shine = np.clip((nx * -0.28 + ny * 0.32 + 0.905) / size, 0.0, 1.0) ** 26
    on_metal = np.clip((d - 0.795) / 0.02, 0.0, 1.0)
    # circular brushing: one highlight stays with the light, one turns with the coin
    sheen = 1.0 + 0.26 * np.cos(2.0 * (azimuth - 2.25)) + 0.1 * np.cos(3.0 * (azimuth - angle) + 0.7)
    enamel = 1.0 + 0.16 * (-0.55 * x + 0.62 * y) + 0.1 * (sheen - 1.0)
    colour = np.asarray(face, dtype=np.float32) * (enamel * (0.35 + 0.65 * np.clip(lit, 0.2, 1.9)))[..., None]
    worn = np.asarray(ink, dtype=np.float32) * 0.78 + np.asarray(metal, dtype=np.float32) * 0.22
    lit_ink = worn * np.clip(0.25 + 0.75 * lit, 0.3, 1.5)[..., None]
    colour = colour + (lit_ink - colour) * raised[..., None]
    lit_metal = np.asarray(metal, dtype=np.float32) * (sheen * np.clip(0.3 + 0.7 * lit, 0.2, 1.8))[..., None]
    colour = colour + (lit_metal - colour) * on_metal[..., None]
    teeth = 0.62 + 0.2 * np.sign(np.sin((azimuth - angle) * (72.0 if radius > 24.0 else 40.0)))
    edge = np.clip((d - 0.945) / 0.02, 0.0, 1.0)[..., None]
    colour = colour + (colour * teeth[..., None] - colour) * edge
    gloss = 0.55 * shine * (0.25 + 0.75 * np.maximum(on_metal, raised))
    gloss = gloss + 0.3 * np.exp(-(((x + 0.34) / 0.3) ** 2) - ((y - 0.42) / 0.2) ** 2) * (1.0 - on_metal)
    colour = colour + (_LIGHT_COLOUR - colour) * np.clip(gloss, 0.0, 0.8)[..., None]
    return _downsample(colour, np.clip((1.0 - d) * radius * fine + 0.5, 0.0, 1.0), fine)


def wink_texture(
    radius: float,
    colour: Colour,
    ink: Colour,
    mark: str,
    *,
    is_face_down: bool = False,
    tilt: float = 0.0,
    lean: float = 0.0,
) -> Pixels:
    """Texture of a wink of clear plastic seen from above. [side, side, 4]

    Args:
        radius: radius [pixels]. colour: colour of the plastic. ink: colour of the mark. mark: owner's mark.
        is_face_down: whether it is turned over; its mark is then hollow. tilt: tilt of its face [rad].
        lean: direction of its down-slope on the screen, counter-clockwise from the right [rad].
    """
    fine = _supersampling(radius)
    x, y = _pixel_grid(radius, fine)
    ux, uy, short = cos(lean), sin(lean), max(abs(cos(tilt)), 0.14)
    along = (x * ux + y * uy) * (1.0 / short - 1.0)
    px, py = x + along * ux, y + along * uy
    d = np.hypot(px, py)
    base = np.asarray(_shade(colour, 0.55) if is_face_down else colour, dtype=np.float32)
    # light enters on the side of the lamp and collects on the far side
    through = 1.0 + 0.3 * (0.6 * px - 0.68 * py) * np.clip(d, 0.0, 1.0) - 0.08
    through = through * (1.0 + 0.35 * sin(tilt) * (-0.6 * ux + 0.66 * uy) * -1.0)
    rim = np.clip((d - 0.8) / 0.08, 0.0, 1.0)
    body = base * (through * (1.0 - 0.36 * rim))[..., None]
    mark_distance = _owner_mark_distance(mark, px, py, with_pointer=False)
    if is_face_down:
        mark_distance = np.abs(mark_distance) - 0.05
    printed = np.clip(0.5 - mark_distance * radius * fine, 0.0, 1.0)
    body = body + (np.asarray(ink, dtype=np.float32) - body) * (printed * 0.94)[..., None]
    azimuth = np.arctan2(py, px)
    crescent = np.exp(-(((d - 0.885) / 0.05) ** 2)) * np.clip(np.cos(azimuth - 2.28), 0.0, 1.0) ** 3
    far = np.exp(-(((d - 0.76) / 0.07) ** 2)) * np.clip(np.cos(azimuth + 0.86), 0.0, 1.0) ** 2
    body = body + (_LIGHT_COLOUR - body) * np.clip(0.85 * crescent + 0.3 * far, 0.0, 0.9)[..., None]
    coverage = np.clip((1.0 - d) * radius * fine * short + 0.5, 0.0, 1.0) * (0.9 + 0.1 * np.maximum(rim, printed))
    return _downsample(body, coverage, fine)


def round_shadow(radius: float, softness: float, opacity: float, transmitted_colour: Colour | None = None) -> Pixels:
    """RGBA shadow of a round piece. [side, side, 4]

    Args:
        radius: radius [pixels]. softness: half width of its blurred edge [radii]. opacity: 0 to 1.
        transmitted_colour: colour of light through clear plastic; None for an opaque piece.
    """
    side = 2 * (int(radius * (1.0 + softness)) + 2)
    at = (np.arange(side) + 0.5 - side / 2.0) / radius
    d = np.hypot(at[None, :], at[:, None])
    k = np.clip((1.0 + softness - d) / (2.0 * softness), 0.0, 1.0)
    alpha = k * k * (3.0 - 2.0 * k) * opacity
    image = np.zeros((side, side, 4))
    if transmitted_colour is not None:
        ray = np.exp(-(((at[None, :] - 0.3) / 0.5) ** 2) - ((at[:, None] - 0.34) / 0.5) ** 2)
        image[..., :3] = np.asarray(transmitted_colour, dtype=np.float32) * (0.16 + 0.62 * ray)[..., None]
    image[..., 3] = alpha * 255.0
    return np.clip(image, 0.0, 255.0).astype(np.uint8)


def piece_shadow(radius: float, height: float, transmitted_colour: Colour | None = None) -> Pixels:
    """RGBA shadow of a round piece at a height [pixels]: softer and fainter with height. [side, side, 4]"""
    far = height / max(radius, 1.0)
    return round_shadow(radius, min(0.16 + 0.12 * far, 0.7), max(0.16, 0.62 / (1.0 + 0.22 * far)), transmitted_colour)


def shadow_offset(radius: float, height: float) -> tuple[float, float]:
    """Offset to the right and down of the shadow of a piece at a height [pixels]."""
    near = max(1.0, radius * 0.09)
    return (near + SHADOW_DIRECTION[0] * height, near + SHADOW_DIRECTION[1] * height)


def pot_texture(radius: float, inner: float, glaze: Colour, inside: Colour) -> Pixels:
    """Texture of the inside of the pot seen from above, lit on its far wall. [side, side, 4]

    Args:
        radius: outer radius [pixels]. inner: inner radius [pixels]. glaze, inside: colours of wall and floor.
    """
    fine = _supersampling(radius)
    x, y = _pixel_grid(radius, fine)
    d = np.hypot(x, y) * radius / inner
    floor = np.clip((0.78 - d) / 0.1, 0.0, 1.0)
    facing = (0.64 * x - 0.76 * y) * radius / inner  # the wall away from the lamp is lit
    wall = np.asarray(glaze, dtype=np.float32) * np.clip(0.3 + 0.42 * facing, 0.1, 0.85)[..., None]
    deep = np.asarray(inside, dtype=np.float32) * (1.0 + 0.6 * np.clip(facing, -0.6, 1.0))[..., None]
    colour = wall + (deep - wall) * floor[..., None]
    shade = np.clip(-facing - 0.05, 0.0, 1.0)[..., None]
    colour = colour * (1.0 - 0.5 * shade)
    gleam = np.exp(-(((d - 0.9) / 0.06) ** 2)) * np.clip(facing, 0.0, 1.0) ** 5
    colour = colour + (_LIGHT_COLOUR - colour) * (0.5 * gleam)[..., None]
    return _downsample(colour, np.clip((1.0 - np.hypot(x, y)) * radius * fine + 0.5, 0.0, 1.0), fine)


def pot_rim_texture(radius: float, wall: float, glaze: Colour) -> Pixels:
    """Texture of the glazed rim of the pot seen from above, with a highlight. [side, side, 4]

    Args:
        radius: outer radius [pixels]. wall: thickness of the wall [pixels]. glaze: its colour.
    """
    fine = _supersampling(radius)
    x, y = _pixel_grid(radius, fine)
    d, azimuth = np.hypot(x, y) * radius, np.arctan2(y, x)
    across = (d - (radius - wall / 2.0)) / (wall / 2.0)  # -1 at the mouth, 1 outside
    away = np.cos(azimuth - 2.28)
    lit = 0.86 + 0.16 * away * across - 0.22 * across * across
    colour = np.asarray(glaze, dtype=np.float32) * lit[..., None]
    line = np.exp(-(((across - 0.15 * away) / 0.42) ** 2)) * (0.25 + 0.75 * np.clip(away, 0.0, 1.0) ** 2)
    colour = colour + (np.array([255.0, 253.0, 246.0], dtype=np.float32) - colour) * np.clip(line, 0.0, 1.0)[..., None]
    coverage = np.clip((1.0 - np.abs(across)) * wall * fine / 2.0 + 0.5, 0.0, 1.0)
    return _downsample(colour, coverage, fine)
