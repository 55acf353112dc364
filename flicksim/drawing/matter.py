"""Matter made by rule: wood, slate and felt, coins, winks and the pot, as arrays of pixels. One warm lamp, upper left.

Every picture is a function of numbers: noise is drawn from a seed, nothing is photographed. The window and the light
brush both show these arrays, so that a table looks the same in both.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

import numpy as np
import numpy.typing as npt

from flicksim.drawing.marks import Colour, Pixels

Field = npt.NDArray[np.floating]
_LAMP = (-0.50, 0.58, 0.64)
"""Direction of the light: x to the right, y up, z to the eye."""
FALLS = (0.34, 0.4)
"""Offset of a shadow to the right and down for each unit of height."""
_SOFT: Field = np.array([255.0, 246.0, 228.0], dtype=np.float32)
"""The colour of the lamp."""
METALS: dict[str, Colour] = {"bronze": (186, 116, 66), "steel": (172, 176, 182), "zinc": (150, 158, 170)}
_PER_METRE = 900.0
"""Resolution of the large forms of a table [pixels a metre]; fibres are laid over them, sharp at any look."""
_MOST = 700_000
"""The most such pixels of one table."""
TILE = 256
"""Side of a piece of fibres [pixels]."""


def _noise(high: int, wide: int, down: float, across: float, seed: int, *, round_: bool = False) -> Field:
    """Smooth noise from 0 to 1 whose forms are so large [pixels]; `round_`: it goes on where it begins."""
    rows, columns = max(2, round(high / down)), max(2, round(wide / across))
    more = 0 if round_ else 2
    grid = np.random.Generator(np.random.PCG64(seed)).random((rows + more, columns + more))

    def between(values: Field, count: int, cells: int) -> Field:
        at = np.arange(count) * (cells / count)
        whole = at.astype(np.int64)
        part = at - whole
        part = (part * part * (3.0 - 2.0 * part))[:, None]
        size = len(values)
        found: Field = values[whole % size] * (1.0 - part) + values[(whole + 1) % size] * part
        return found

    return between(between(grid, high, rows).T, wide, columns).T


def _painted(value: Field, *stops: tuple[float, Colour]) -> Pixels:
    """Colours between stops."""
    at = [stop for stop, _ in stops]
    channels = [np.interp(value, at, [colour[k] for _, colour in stops]) for k in range(3)]
    return np.clip(np.stack(channels, axis=-1), 0.0, 255.0).astype(np.uint8)


def _toned(colour: Colour, share: float) -> Colour:
    """Darker below 1, lighter above it."""
    if share <= 1.0:
        return (round(colour[0] * share), round(colour[1] * share * 0.985), round(colour[2] * share * 0.96))
    k = share - 1.0
    return (round(colour[0] + (255 - colour[0]) * k), round(colour[1] + (244 - colour[1]) * k * 0.92),
            round(colour[2] + (220 - colour[2]) * k * 0.8))  # fmt: skip


# -- tables ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def table(kind: str, wide: float, high: float, colour: Colour) -> Pixels:
    """The large forms of a table top, its y upwards on the picture.

    Args:
        kind: "polished" and "wood" have grain and knots along the longer side, "felt" a brushed nap; others are stone.
        wide, high: [m]. colour: of it on the whole.
    """
    per = min(_PER_METRE, (_MOST / max(wide * high, 1e-6)) ** 0.5)
    w, h = max(8, round(wide * per)), max(8, round(high * per))
    if kind in ("polished", "wood"):
        along = _wood(max(w, h), min(w, h), colour, glossy=kind == "polished")
        made = along if w >= h else np.ascontiguousarray(np.rot90(along))
    elif kind == "felt":
        made = _felt(w, h, colour)
    else:
        made = _stone(w, h, colour, chalked=kind == "chalked")
    made.setflags(write=False)
    return made


def _wood(long: int, wide: int, colour: Colour, *, glossy: bool) -> Pixels:
    """A board with its grain from left to right."""
    u = (np.arange(long) / wide)[None, :]
    v = (np.arange(wide) / wide)[:, None]
    run = long / wide
    year = v * 15.0 + 1.5 * _noise(wide, long, wide * 0.6, wide * 1.7, 3)
    year = year + 0.3 * _noise(wide, long, wide * 0.12, wide * 0.9, 4)
    dark = np.zeros((wide, long))
    for ku, kv, size in ((0.23 * run, 0.71, 0.042), (0.66 * run, 0.22, 0.034), (0.91 * run, 0.84, 0.024)):
        off = np.hypot((u - ku) / 1.8, v - kv) / size
        year = year + np.sign(v - kv) * 1.7 * np.exp(-((off / 3.4) ** 2))  # the grain flows about a knot
        rings = 0.5 + 0.5 * np.cos(off * 6.0)
        dark += np.exp(-(off**2.0) * 0.55) * (0.5 + 0.3 * rings)
    ring = year % 1.0
    late = ring**2.2 * np.clip((1.0 - ring) / 0.16, 0.0, 1.0)  # summer is pale, and darkens towards the autumn
    late = late * (0.45 + 0.9 * _noise(wide, long, wide * 0.09, wide * 0.7, 7))
    fibre = _noise(wide, long, 1.6, wide * 0.35, 5) - 0.5
    cloud = _noise(wide, long, wide * 0.4, wide * 1.1, 6) - 0.5
    value = 0.66 - 0.3 * late + 0.17 * fibre + 0.24 * cloud - 0.6 * np.minimum(dark, 1.0)
    if glossy:
        value += 0.05 * np.sin((u - v) * 1.7 + 0.6)
    return _painted(value, (0.0, _toned(colour, 0.4)), (0.35, _toned(colour, 0.74)), (0.62, colour),
                    (1.0, _toned(colour, 1.26)))  # fmt: skip


def _felt(wide: int, high: int, colour: Colour) -> Pixels:
    """Cloth whose nap was brushed this way and that: the lamp lights what leans towards it, and strokes show how."""
    swept = _noise(high, wide, high * 0.16, wide * 0.2, 11) + 0.5 * _noise(high, wide, high * 0.05, wide * 0.11, 12)
    value = np.clip((swept - 0.45) * 1.5, 0.0, 1.0)
    value = value * value * (3.0 - 2.0 * value)
    along, across = _noise(high, wide, 2.0, 46.0, 13) - 0.5, _noise(high, wide, 46.0, 2.0, 14) - 0.5
    strokes = along * value + across * (1.0 - value)  # brushed lengthwise where it is light, crosswise where it is dark
    return _painted(value + 0.32 * strokes, (0.0, _toned(colour, 0.86)), (1.0, _toned(colour, 1.09)))


def _stone(wide: int, high: int, colour: Colour, *, chalked: bool) -> Pixels:
    """Slate, split along its layers; chalk has been wiped off the chalked."""
    value = 0.5 * _noise(high, wide, 26.0, 34.0, 21) + 0.3 * _noise(high, wide, 7.0, 11.0, 22)
    value = value + 0.2 * _noise(high, wide, 2.0, 2.0, 23)
    if chalked:
        wiped = _noise(high, wide, 60.0, 14.0, 24) * _noise(high, wide, 150.0, 120.0, 25)
        value = value + 0.9 * np.clip(wiped - 0.22, 0.0, 1.0)
    return _painted(value, (0.1, _toned(colour, 0.78)), (0.55, colour), (1.2, _toned(colour, 1.3)))


@lru_cache(maxsize=8)
def fibres(kind: str, upright: bool = False) -> Pixels:
    """Fine fibres that go on where they begin: shade and light to be laid over a table; `upright`: turned."""
    if upright:
        return np.ascontiguousarray(np.rot90(fibres(kind)))
    if kind in ("polished", "wood"):
        fine = _noise(TILE, TILE, 1.0, 22.0, 31, round_=True) + 0.6 * _noise(TILE, TILE, 1.4, 60.0, 32, round_=True)
        value = (fine - 0.8) * 1.25
        strong = 46.0
    elif kind == "felt":
        fine = 0.9 * _noise(TILE, TILE, 1.0, 1.0, 33, round_=True) + 0.5 * _noise(TILE, TILE, 1.2, 2.6, 34, round_=True)
        fine = fine + 0.3 * _noise(TILE, TILE, 3.0, 1.6, 35, round_=True)
        value = fine - 0.85
        strong = 30.0
    else:
        value = _noise(TILE, TILE, 1.0, 1.0, 36, round_=True) + _noise(TILE, TILE, 3.0, 3.0, 37, round_=True) - 1.0
        strong = 26.0
    sheet = np.zeros((TILE, TILE, 4), dtype=np.uint8)
    sheet[..., :3] = np.where(value[..., None] > 0.0, _SOFT, 0.0)
    sheet[..., 3] = np.clip(np.abs(value) * strong, 0.0, 255.0)
    return sheet


def lamp(wide: int, high: int) -> Pixels:
    """The room about a table: warmer towards the lamp, dark towards the corners; laid over all that stands still."""
    w, h = max(2, wide // 4), max(2, high // 4)
    y, x = np.linspace(0.0, 1.0, h)[:, None], np.linspace(0.0, 1.0, w)[None, :]
    far = np.hypot((x - 0.46) * 1.05, (y - 0.44) * 1.05)
    dark = np.clip((far - 0.36) * 1.7, 0.0, 1.0) ** 1.5 * 0.62
    warm = 0.11 * np.exp(-(((x - 0.24) / 0.34) ** 2) - ((y - 0.16) / 0.38) ** 2)
    sheet = np.zeros((h, w, 4))
    total = dark + warm
    sheet[..., :3] = np.array([255.0, 226.0, 170.0]) * (warm / np.maximum(total, 1e-6))[..., None]
    sheet[..., 3] = np.clip(total, 0.0, 1.0) * 255.0
    return sheet.astype(np.uint8)


def cast(box: tuple[float, float, float, float], wide: int, high: int, soft: float) -> Pixels:
    """The shadow of a board that fills a box (left, top, width, height), seen in a part so wide and high [pixels].

    Args:
        soft: how far its edges are washed out to either side [pixels].
    """

    def side(begin: float, size: float, shown: int) -> Field:
        at = np.linspace(0.0, shown, max(2, shown // 4))
        k = np.clip((np.minimum(at - begin, begin + size - at) + soft) / (2.0 * soft), 0.0, 1.0)
        found: Field = k * k * (3.0 - 2.0 * k)
        return found

    down, across = side(box[1], box[3], high), side(box[0], box[2], wide)
    sheet = np.zeros((len(down), len(across), 4), dtype=np.uint8)
    sheet[..., 3] = down[:, None] * across[None, :] * 200.0
    return sheet


# -- pieces ------------------------------------------------------------------------------------------------------------


def _grid(radius: float, fine: int) -> tuple[Field, Field]:
    """Across and up, in radii, of every small pixel of a square about a piece."""
    side = 2 * (int(radius) + 2) * fine
    at = ((np.arange(side) + 0.5 - side / 2.0) / (radius * fine)).astype(np.float32)
    x, y = np.meshgrid(at, -at)
    return x, y


def _fine(radius: float) -> int:
    """The number of small pixels to a side of one that is shown."""
    return 3 if radius < 11.0 else 2 if radius < 34.0 else 1


def _shrunk(colour: Field, cover: Field, fine: int) -> Pixels:
    """Small pixels together: colours by how much each covers. [height, width, 4]"""
    side = len(cover) // fine
    weighted = (colour * cover[..., None]).reshape(side, fine, side, fine, 3).sum(axis=(1, 3))
    covers = cover.reshape(side, fine, side, fine).sum(axis=(1, 3))
    sheet = np.empty((side, side, 4), dtype=np.uint8)
    sheet[..., :3] = np.clip(weighted / np.maximum(covers, 1e-9)[..., None], 0.0, 255.0)
    sheet[..., 3] = np.clip(covers / (fine * fine), 0.0, 1.0) * 255.0
    return sheet


def _bar(x: Field, y: Field, angle: float, near: float, far: float, half: float) -> Field:
    """Distance outside of a stroke along a ray."""
    along, across = x * cos(angle) + y * sin(angle), -x * sin(angle) + y * cos(angle)
    return np.maximum(np.abs(across) - half, np.maximum(near - along, along - far))


def _mark(mark: str, x: Field, y: Field, *, hand: bool) -> Field:
    """Distance of a point of the face outside of an owner's mark [radii]; `hand`: with the hand of a ring."""
    d = np.hypot(x, y)
    if mark == "ring":
        ring = np.abs(d - 0.43) - 0.11
        return np.minimum(ring, _bar(x, y, pi / 2.0, 0.5, 0.74, 0.075)) if hand else ring
    if mark == "cross":
        strokes = [_bar(x, y, pi / 4.0 + k * pi / 2.0, 0.0, 0.62, 0.135) for k in range(4)]
        crossed: Field = np.minimum.reduce(strokes)
        return crossed
    if mark == "bar":
        return _bar(x, y, 0.0, -0.66, 0.66, 0.17)
    if mark == "dots":
        turns = [pi / 2.0 + k * 2.0 * pi / 3.0 for k in range(3)]
        dotted: Field = np.minimum.reduce([np.hypot(x - 0.4 * cos(a), y - 0.4 * sin(a)) - 0.2 for a in turns])
        return dotted
    if mark == "core":
        return d - 0.44
    if mark == "hem":
        return np.abs(d - 0.65) - 0.09
    return d - 0.2


def _pot_and_wink(x: Field, y: Field) -> Field:
    """Distance outside of a pot with a wink over it: the device of the white."""
    wall = np.abs(x) - (0.27 + 0.16 * (y + 0.46))
    pot = np.maximum(wall, np.maximum(-0.46 - y, y - 0.02))
    lip = np.maximum(np.abs(x) - 0.42, np.abs(y - 0.04) - 0.055)
    tilted = x * cos(0.42) + (y - 0.36) * sin(0.42), -x * sin(0.42) + (y - 0.36) * cos(0.42)
    wink = np.maximum(np.abs(tilted[0]) - 0.24, np.abs(tilted[1]) - 0.06)
    found: Field = np.minimum(np.minimum(pot, lip), wink)
    return found


def white(radius: float, face: Colour, ink: Colour, angle: float) -> Pixels:
    """The white: nobody's coin, pale, a pot and a wink on it. [side, side, 4]"""
    soft = (round(ink[0] * 0.7 + 60), round(ink[1] * 0.7 + 54), round(ink[2] * 0.7 + 46))
    return coin(radius, "zinc", face, soft, "pot", angle)


def coin(radius: float, material: str, face: Colour, ink: Colour, mark: str, angle: float) -> Pixels:
    """A coin seen from above: milled edge, rim, a face of enamel, on it a raised mark. [side, side, 4]

    Args:
        radius: [pixels]. material: of rim and edge. face: of the enamel. ink: of the mark.
        mark: its owner's; "pot" is the device of nobody's. angle: it is turned by [rad].
    """
    metal = METALS.get(material, METALS["bronze"])
    fine = _fine(radius)
    x, y = _grid(radius, fine)
    d, turn = np.hypot(x, y), np.arctan2(y, x)
    own = x * cos(angle) + y * sin(angle), y * cos(angle) - x * sin(angle)
    off = _pot_and_wink(*own) if mark == "pot" else _mark(mark, *own, hand=True)
    if mark == "pot":
        off = np.minimum(off, _bar(*own, pi / 2.0, 0.66, 0.8, 0.05))
    soft = max(0.05, 1.3 / radius)
    raised = np.clip(0.5 - off / soft, 0.0, 1.0)
    rim = np.clip(1.0 - np.abs(d - 0.885) / 0.075, 0.0, 1.0)
    rim = rim * rim * (3.0 - 2.0 * rim)
    height = 0.085 * raised + 0.11 * rim
    if radius >= 20.0:
        beads = np.clip(1.0 - np.abs(d - 0.755) / 0.035, 0.0, 1.0) * (0.5 + 0.5 * np.cos((turn - angle) * 36.0))
        height = height + 0.05 * beads
    per = 1.0 / (radius * fine)
    slope_y, slope_x = np.gradient(height, per)
    nx, ny = -slope_x * 0.8, slope_y * 0.8
    size = np.sqrt(nx * nx + ny * ny + 1.0)
    lit = (nx * _LAMP[0] + ny * _LAMP[1] + _LAMP[2]) / size / _LAMP[2]
    shine = np.clip((nx * -0.28 + ny * 0.32 + 0.905) / size, 0.0, 1.0) ** 26
    on_metal = np.clip((d - 0.795) / 0.02, 0.0, 1.0)
    # brushed round: one sheen stays with the lamp, one turns with the coin
    sheen = 1.0 + 0.26 * np.cos(2.0 * (turn - 2.25)) + 0.1 * np.cos(3.0 * (turn - angle) + 0.7)
    enamel = 1.0 + 0.16 * (-0.55 * x + 0.62 * y) + 0.1 * (sheen - 1.0)
    colour = np.asarray(face, dtype=np.float32) * (enamel * (0.35 + 0.65 * np.clip(lit, 0.2, 1.9)))[..., None]
    worn = np.asarray(ink, dtype=np.float32) * 0.78 + np.asarray(metal, dtype=np.float32) * 0.22
    over = worn * np.clip(0.25 + 0.75 * lit, 0.3, 1.5)[..., None]
    colour = colour + (over - colour) * raised[..., None]
    bare = np.asarray(metal, dtype=np.float32) * (sheen * np.clip(0.3 + 0.7 * lit, 0.2, 1.8))[..., None]
    colour = colour + (bare - colour) * on_metal[..., None]
    teeth = 0.62 + 0.2 * np.sign(np.sin((turn - angle) * (72.0 if radius > 24.0 else 40.0)))
    edge = np.clip((d - 0.945) / 0.02, 0.0, 1.0)[..., None]
    colour = colour + (colour * teeth[..., None] - colour) * edge
    gloss = 0.55 * shine * (0.25 + 0.75 * np.maximum(on_metal, raised))
    gloss = gloss + 0.3 * np.exp(-(((x + 0.34) / 0.3) ** 2) - ((y - 0.42) / 0.2) ** 2) * (1.0 - on_metal)
    colour = colour + (_SOFT - colour) * np.clip(gloss, 0.0, 0.8)[..., None]
    return _shrunk(colour, np.clip((1.0 - d) * radius * fine + 0.5, 0.0, 1.0), fine)


def wink(
    radius: float, colour: Colour, ink: Colour, mark: str, *, over: bool = False, tilt: float = 0.0, lean: float = 0.0
) -> Pixels:
    """A wink of clear plastic seen from above. [side, side, 4]

    Args:
        radius: [pixels]. ink: of its mark, which is printed on it; hollow where the wink is turned `over`.
        tilt: of its face [rad]. lean: the way it slopes down, on the screen counter-clockwise from the right [rad].
    """
    fine = _fine(radius)
    x, y = _grid(radius, fine)
    ux, uy, short = cos(lean), sin(lean), max(abs(cos(tilt)), 0.14)
    along = (x * ux + y * uy) * (1.0 / short - 1.0)
    px, py = x + along * ux, y + along * uy
    d = np.hypot(px, py)
    base = np.asarray(_toned(colour, 0.55) if over else colour, dtype=np.float32)
    # light enters towards the lamp, and gathers on the far side
    through = 1.0 + 0.3 * (0.6 * px - 0.68 * py) * np.clip(d, 0.0, 1.0) - 0.08
    through = through * (1.0 + 0.35 * sin(tilt) * (-0.6 * ux + 0.66 * uy) * -1.0)
    rim = np.clip((d - 0.8) / 0.08, 0.0, 1.0)
    body = base * (through * (1.0 - 0.36 * rim))[..., None]
    off = _mark(mark, px, py, hand=False)
    if over:
        off = np.abs(off) - 0.05
    printed = np.clip(0.5 - off * radius * fine, 0.0, 1.0)
    body = body + (np.asarray(ink, dtype=np.float32) - body) * (printed * 0.94)[..., None]
    turn = np.arctan2(py, px)
    crescent = np.exp(-(((d - 0.885) / 0.05) ** 2)) * np.clip(np.cos(turn - 2.28), 0.0, 1.0) ** 3
    far = np.exp(-(((d - 0.76) / 0.07) ** 2)) * np.clip(np.cos(turn + 0.86), 0.0, 1.0) ** 2
    body = body + (_SOFT - body) * np.clip(0.85 * crescent + 0.3 * far, 0.0, 0.9)[..., None]
    cover = np.clip((1.0 - d) * radius * fine * short + 0.5, 0.0, 1.0) * (0.9 + 0.1 * np.maximum(rim, printed))
    return _shrunk(body, cover, fine)


def shadow(radius: float, soft: float, dark: float, glow: Colour | None = None) -> Pixels:
    """The shadow of a round piece. [side, side, 4]

    Args:
        radius: [pixels]. soft: how wide its edge is [radii]. dark: 0 to 1. glow: the colour clear plastic lets through.
    """
    side = 2 * (int(radius * (1.0 + soft)) + 2)
    at = (np.arange(side) + 0.5 - side / 2.0) / radius
    d = np.hypot(at[None, :], at[:, None])
    k = np.clip((1.0 + soft - d) / (2.0 * soft), 0.0, 1.0)
    cover = k * k * (3.0 - 2.0 * k) * dark
    sheet = np.zeros((side, side, 4))
    if glow is not None:
        ray = np.exp(-(((at[None, :] - 0.3) / 0.5) ** 2) - ((at[:, None] - 0.34) / 0.5) ** 2)
        sheet[..., :3] = np.asarray(glow, dtype=np.float32) * (0.16 + 0.62 * ray)[..., None]
    sheet[..., 3] = cover * 255.0
    return np.clip(sheet, 0.0, 255.0).astype(np.uint8)


def fallen(radius: float, height: float, glow: Colour | None = None) -> Pixels:
    """The shadow of a round piece so high above what it falls on [pixels]: the higher, the softer and the fainter."""
    far = height / max(radius, 1.0)
    return shadow(radius, min(0.16 + 0.12 * far, 0.7), max(0.16, 0.62 / (1.0 + 0.22 * far)), glow)


def drop(radius: float, height: float) -> tuple[float, float]:
    """Offset of the shadow, to the right and down, of a piece so high [pixels]."""
    near = max(1.0, radius * 0.09)
    return (near + FALLS[0] * height, near + FALLS[1] * height)


def pot(radius: float, inner: float, glaze: Colour, inside: Colour) -> Pixels:
    """The pot seen from above, without its rim: the shaded well, its far wall in the light. [side, side, 4]

    Args:
        radius: over all [pixels]. inner: of its mouth [pixels].
    """
    fine = _fine(radius)
    x, y = _grid(radius, fine)
    d = np.hypot(x, y) * radius / inner
    floor = np.clip((0.78 - d) / 0.1, 0.0, 1.0)
    facing = (0.64 * x - 0.76 * y) * radius / inner  # the wall away from the lamp is lit
    wall = np.asarray(glaze, dtype=np.float32) * np.clip(0.3 + 0.42 * facing, 0.1, 0.85)[..., None]
    deep = np.asarray(inside, dtype=np.float32) * (1.0 + 0.6 * np.clip(facing, -0.6, 1.0))[..., None]
    colour = wall + (deep - wall) * floor[..., None]
    shade = np.clip(-facing - 0.05, 0.0, 1.0)[..., None]
    colour = colour * (1.0 - 0.5 * shade)
    gleam = np.exp(-(((d - 0.9) / 0.06) ** 2)) * np.clip(facing, 0.0, 1.0) ** 5
    colour = colour + (_SOFT - colour) * (0.5 * gleam)[..., None]
    return _shrunk(colour, np.clip((1.0 - np.hypot(x, y)) * radius * fine + 0.5, 0.0, 1.0), fine)


def rim(radius: float, wall: float, glaze: Colour) -> Pixels:
    """The glazed rim of the pot seen from above, a line of light on it. [side, side, 4]

    Args:
        radius: over all [pixels]. wall: how thick it is [pixels].
    """
    fine = _fine(radius)
    x, y = _grid(radius, fine)
    d, turn = np.hypot(x, y) * radius, np.arctan2(y, x)
    out = (d - (radius - wall / 2.0)) / (wall / 2.0)  # -1 at the mouth, 1 outside
    away = np.cos(turn - 2.28)
    lit = 0.86 + 0.16 * away * out - 0.22 * out * out
    colour = np.asarray(glaze, dtype=np.float32) * lit[..., None]
    line = np.exp(-(((out - 0.15 * away) / 0.42) ** 2)) * (0.25 + 0.75 * np.clip(away, 0.0, 1.0) ** 2)
    colour = colour + (np.array([255.0, 253.0, 246.0], dtype=np.float32) - colour) * np.clip(line, 0.0, 1.0)[..., None]
    cover = np.clip((1.0 - np.abs(out)) * wall * fine / 2.0 + 0.5, 0.0, 1.0)
    return _shrunk(colour, cover, fine)
