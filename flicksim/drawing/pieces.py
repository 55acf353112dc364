"""Pieces as marks: coins, winks at any tilt, pyramids in any attitude, each with its owner's mark and its shadow."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin

from flicksim.base.geometry import Point
from flicksim.drawing import matter
from flicksim.drawing.camera import Camera
from flicksim.drawing.colours import INK, MARKS, PALE, SHADE, key_of, mix, on, seat
from flicksim.drawing.marks import Colour, Disc, Mark, Patch, centred, closed
from flicksim.table import Piece, Pyramid, Shape, hull, outward


def coin(piece: Piece, camera: Camera, where: tuple[float, float, float], seats: Sequence[str],
         *, faded: bool = False, size: float = 1.0) -> list[Mark]:  # fmt: skip
    """A coin seen from above at x, y [m] and an angle [rad]; see-through and smaller where asked."""
    (x, y), angle = camera.to_screen(where[:2]), where[2]
    r = max(2.0, round(max(piece.radius * camera.zoom * size, 3.0) * 2.0) / 2.0)
    key = key_of(piece.owner, seats, piece.id)
    if piece.kind == "white":
        made = matter.white(r, PALE, INK, angle)
    else:
        made = matter.coin(r, piece.material, seat(key), on(seat(key)), MARKS.get(key, ""), angle)
    if faded:
        return [centred(None, made, (x, y), 120)]
    dx, dy = matter.drop(r, 0.0)
    return [centred(None, matter.fallen(r, 0.0), (x + dx, y + dy)), centred(None, made, (x, y))]


def wink(piece: Piece, camera: Camera, at: Point, height: float, tilt: float, lean: float, face: int,
         seats: Sequence[str], *, faded: bool = False) -> list[Mark]:  # fmt: skip
    """A wink seen from above: an ellipse where it is tilted, dark where it is turned over, its shadow by its height."""
    x, y = camera.to_screen(at)
    r = max(2.0, round(max(piece.radius * camera.zoom, 3.0) * 2.0) / 2.0)
    key, way = key_of(piece.owner, seats, piece.id), lean + camera.turned
    colour = seat(key)
    made = matter.wink(r, colour, on(colour), MARKS.get(key, ""), over=face < 0, tilt=tilt, lean=way)
    if faded:
        return [centred(None, made, (x, y), 95)]
    lift = max(0.0, height) * camera.zoom
    dx, dy = matter.drop(r, lift)
    found: list[Mark] = [centred(None, matter.fallen(r, lift, colour), (x + dx, y + dy))]
    if tilt > 0.05:  # the thickness of a tilted one, as a second edge towards its upper side
        thick = piece.thickness * camera.zoom * sin(tilt)
        found.append(centred(None, made, (x - thick * cos(way) * 0.5, y + thick * sin(way) * 0.5)))
    found.append(centred(None, made, (x, y)))
    return found


# -- pyramids -------------------------------------------------------------------------------------------------------

_LIGHT = (-0.42, 0.50, 0.757)
_SUN = (0.55, -0.42)
"""Offset of a shadow to the side for each metre of height."""
THROUGH = (0.08, 0.17)
"""Paleness added to a face where light comes through, from the outside in."""
_PIPS_FROM = 15.0
"""A base this wide [pixels] has room for its pips."""
Point3 = tuple[float, float, float]


def within(one: Point, other: Point, tip: Point) -> list[tuple[Point, Point, Point]]:
    """Smaller triangles in a face, where light comes through the plastic."""
    x, y = (0.4 * (one[0] + other[0]) + 0.2 * tip[0], 0.4 * (one[1] + other[1]) + 0.2 * tip[1])

    def towards(corner: Point, k: float) -> Point:
        return (x + (corner[0] - x) * k, y + (corner[1] - y) * k)

    return [(towards(one, k), towards(other, k), towards(tip, k)) for k in (0.78, 0.5)]


def pyramid_shadow(piece: Pyramid, camera: Camera, seats: Sequence[str]) -> list[Mark]:
    """Its shadow on the table, the farther away the higher it is, and the colour that comes through it."""
    corners = [(x + _SUN[0] * max(z, 0.0), y + _SUN[1] * max(z, 0.0)) for x, y, z in (*piece.corners(), piece.tip)]
    outline, own = camera.all(list(hull(corners))), seat(key_of(piece.owner, seats))
    dark = round(118 / (1.0 + 6.0 * max(piece.lowest, 0.0)))
    mx, my = sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)
    core = tuple((mx + (x - mx) * 0.62, my + (y - my) * 0.62) for x, y in outline)
    return [Patch(outline, mix(SHADE, own, 0.25), dark), Patch(core, own, dark // 2)]


def pyramid(piece: Pyramid, camera: Camera, seats: Sequence[str]) -> list[Mark]:
    """A pyramid seen from above: its faces as the light falls on them, or its hollow where one looks into it."""
    key = key_of(piece.owner, seats)
    face, mark = seat(key), MARKS.get(key, "")
    ink = mix(face, SHADE, 0.72)
    rim, tip = piece.corners(), piece.tip
    width = min(0.35 + piece.shape.base * camera.zoom * 0.022, 1.6)
    found: list[Mark] = []
    if outward(rim[0], rim[3], rim[1])[2] > 0.0:
        found += _hollow(piece.shape, [camera.to_screen((x, y)) for x, y, _ in rim], face)
        found.append(closed(_flat(camera, *rim), ink, width))
    sides = []
    for k in range(4):
        a, b = rim[k - 1], rim[k]
        normal = outward(a, b, tip)
        if normal[2] > 0.02:
            sides.append((a[2] + b[2], k, a, b, max(0.0, sum(n * ray for n, ray in zip(normal, _LIGHT, strict=True)))))
    for _, k, a, b, lit in sorted(sides):
        corners = _flat(camera, a, b, tip)
        found.append(Patch(corners, _toned(face, lit)))
        for part, inner in zip(THROUGH, within(*corners), strict=True):
            found.append(Patch(inner, mix(_toned(face, lit), PALE, part)))
        if mark != "bar" or k % 2:
            found += _on_face(mark, corners, _toned(on(face), 0.6 + 0.4 * lit))
        if piece.shape.base * camera.zoom >= _PIPS_FROM:
            found += _pips(piece.shape.pips, corners)
        found.append(closed(corners, ink, width))
    return found


def _pips(pips: int, corners: Sequence[Point]) -> list[Mark]:
    """So many dots along the edge of the base."""
    one, other, tip = corners
    mx, my = (one[0] + other[0]) / 2.0, (one[1] + other[1]) / 2.0
    dx, dy = other[0] - one[0], other[1] - one[1]
    wide = (dx * dx + dy * dy) ** 0.5
    found: list[Mark] = []
    for k in range(pips):
        off = (k - (pips - 1) / 2.0) * 0.2
        at = (mx + dx * off + (tip[0] - mx) * 0.12, my + dy * off + (tip[1] - my) * 0.12)
        found += [Disc(at, max(0.75, wide * 0.07), INK), Disc(at, max(0.5, wide * 0.045), PALE)]
    return found


def _flat(camera: Camera, *corners: Point3) -> tuple[Point, ...]:
    return camera.all([(x, y) for x, y, _ in corners])


def _hollow(shape: Shape, rim: Sequence[Point], face: Colour) -> list[Mark]:
    """Its rim, and the walls one looks down on."""
    mx, my = sum(x for x, _ in rim) / 4.0, sum(y for _, y in rim) / 4.0
    inner = shape.hollow_base / shape.base
    mouth = [(mx + (x - mx) * inner, my + (y - my) * inner) for x, y in rim]
    walls: list[Mark] = [
        Patch((mouth[k - 1], mouth[k], (mx, my)), mix(face, SHADE, 0.62 + 0.12 * (k % 2))) for k in range(4)
    ]
    return [Patch(tuple(rim), mix(face, PALE, 0.28)), *walls]


def _toned(colour: Colour, lit: float) -> Colour:
    """Brighter where the light falls on it, darker where it does not."""
    return mix(colour, PALE, (lit - 0.55) * 0.95) if lit > 0.55 else mix(colour, SHADE, (0.55 - lit) * 0.95)


def _on_face(mark: str, corners: Sequence[Point], colour: Colour) -> list[Mark]:
    """The owner's mark on one face; together the four make it up."""
    one, other, tip = corners
    mx, my = (one[0] + other[0]) / 2.0, (one[1] + other[1]) / 2.0
    hx, hy = (other[0] - one[0]) / 2.0, (other[1] - one[1]) / 2.0

    def at(across: float, up: float) -> Point:
        return (mx + hx * across * (1.0 - up) + (tip[0] - mx) * up, my + hy * across * (1.0 - up) + (tip[1] - my) * up)

    def patch(*spots: tuple[float, float]) -> Mark:
        return Patch(tuple(at(*spot) for spot in spots), colour)

    match mark:
        case "ring":
            return [patch((-1, 0.34), (1, 0.34), (1, 0.62), (-1, 0.62))]
        case "cross":
            return [patch((-1, 0.0), (-0.56, 0.0), (0.0, 1.0)), patch((1, 0.0), (0.56, 0.0), (0.0, 1.0))]
        case "bar":
            return [patch((-0.3, 0.0), (0.3, 0.0), (0.3, 1.0), (-0.3, 1.0))]
        case "dots":
            return [Disc(at(0.0, 0.36), max(1.0, 2.0 * (hx * hx + hy * hy) ** 0.5 * 0.13), colour)]
        case "core":
            return [patch((-1, 0.5), (1, 0.5), (0, 1.0))]
        case "hem":
            return [patch((-1, 0.0), (1, 0.0), (1, 0.24), (-1, 0.24))]
    return []
