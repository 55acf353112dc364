"""Display lists of pieces: coins, winks at any tilt, pyramids in any orientation, with shadows."""

from collections.abc import Sequence
from functools import lru_cache
from math import cos, sin

from flicksim.core.geometry import Point
from flicksim.render import procedural_textures
from flicksim.render.camera import Camera
from flicksim.render.colours import INK, OWNER_MARKS, PALE, SHADE, colour_key, contrasting_text, mix, seat_colour
from flicksim.render.display_list import Bitmap, Colour, Disc, Polygon, Primitive, centred_bitmap, polygon_outline
from flicksim.scene import Piece, Pyramid, PyramidShape, convex_hull, face_normal


def draw_shadow(radius: float, height: float, centre: Point, colour: Colour | None = None) -> Bitmap:
    """Draw the shadow of a round piece at a height over the table [pixels], with a colour that it transmits."""
    dx, dy = procedural_textures.shadow_offset(radius, height)
    return centred_bitmap(procedural_textures.piece_shadow(radius, height, colour), (centre[0] + dx, centre[1] + dy))


def _radius_pixels(piece: Piece, camera: Camera) -> float:
    return round(max(piece.radius * camera.zoom, 3.0) * 2.0) / 2.0


def draw_coin(piece: Piece, camera: Camera, seats: Sequence[str], *, translucent: bool = False) -> list[Primitive]:
    """Draw a coin seen from above, optionally translucent."""
    centre, angle, r = camera.to_screen(piece.position), piece.angle, _radius_pixels(piece, camera)
    key = colour_key(piece.owner, seats, piece.id)
    face, mark = seat_colour(key), OWNER_MARKS.get(key, "")
    if piece.kind == "white":
        texture = procedural_textures.white_texture(r, PALE, INK, angle)
    else:
        texture = procedural_textures.coin_texture(r, piece.material, face, contrasting_text(face), mark, angle)
    if translucent:
        return [centred_bitmap(texture, centre, 120)]
    return [draw_shadow(r, 0.0, centre), centred_bitmap(texture, centre)]


def draw_wink(piece: Piece, camera: Camera, seats: Sequence[str], *, translucent: bool = False) -> list[Primitive]:
    """Draw a wink seen from above: an ellipse if tilted, dark if turned over, with a shadow by its height."""
    tilt, is_face_down = piece.tilt, piece.face < 0
    (x, y), r = camera.to_screen(piece.position), _radius_pixels(piece, camera)
    key, azimuth = colour_key(piece.owner, seats, piece.id), piece.lean + camera.rotation
    colour, mark = seat_colour(key), OWNER_MARKS.get(key, "")
    texture = procedural_textures.wink_texture(
        r, colour, contrasting_text(colour), mark, is_face_down=is_face_down, tilt=tilt, lean=azimuth
    )
    if translucent:
        return [centred_bitmap(texture, (x, y), 95)]
    primitives: list[Primitive] = [draw_shadow(r, max(0.0, piece.height) * camera.zoom, (x, y), colour)]
    if tilt > 0.05:  # thickness of a tilted wink: a second ellipse towards its upper side
        thickness = piece.thickness * camera.zoom * sin(tilt)
        upper = (x - thickness * cos(azimuth) * 0.5, y + thickness * sin(azimuth) * 0.5)
        primitives.append(centred_bitmap(texture, upper))
    primitives.append(centred_bitmap(texture, (x, y)))
    return primitives


# -- pyramids -------------------------------------------------------------------------------------------------------

_LIGHT_DIRECTION = (-0.42, 0.50, 0.757)
_SHADOW_OFFSET = (0.55, -0.42)
"""Horizontal offset of a shadow per height [m/m]."""
TRANSLUCENCY = (0.08, 0.17)
"""Lightening of a face in the inset triangles where light comes through, from the outside in."""
MIN_PIPS_WIDTH = 15.0
"""Smallest width of a base at which its pips are drawn [pixels]."""
Point3 = tuple[float, float, float]


def inset_triangles(one: Point, other: Point, tip: Point) -> list[tuple[Point, Point, Point]]:
    """Inset triangles of a face, where light comes through the plastic."""
    x, y = (0.4 * (one[0] + other[0]) + 0.2 * tip[0], 0.4 * (one[1] + other[1]) + 0.2 * tip[1])

    def towards(corner: Point, k: float) -> Point:
        return (x + (corner[0] - x) * k, y + (corner[1] - y) * k)

    return [(towards(one, k), towards(other, k), towards(tip, k)) for k in (0.78, 0.5)]


@lru_cache(maxsize=1024)
def _shadow_outline(piece: Pyramid) -> tuple[Point, ...]:
    """Outline of the shadow of a pyramid on the table [m], offset by its height."""
    (dx, dy), corners = _SHADOW_OFFSET, (*piece.base_corners(), piece.tip)
    return tuple(convex_hull([(x + dx * max(z, 0.0), y + dy * max(z, 0.0)) for x, y, z in corners]))


def draw_pyramid_shadow(piece: Pyramid, camera: Camera, colour: Colour) -> list[Polygon]:
    """Draw the shadow of a pyramid on the table, with the colour that it transmits."""
    outline = camera.points_to_screen(_shadow_outline(piece))
    alpha = round(118 / (1.0 + 6.0 * max(piece.lowest, 0.0)))
    mx, my = sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)
    core = tuple((mx + (x - mx) * 0.62, my + (y - my) * 0.62) for x, y in outline)
    return [Polygon(outline, mix(SHADE, colour, 0.25), alpha), Polygon(core, colour, alpha // 2)]


def draw_pyramid(piece: Pyramid, camera: Camera, seats: Sequence[str]) -> list[Primitive]:
    """Draw a pyramid seen from above: its lit faces, or its hollow if that faces up."""
    key = colour_key(piece.owner, seats)
    face, mark = seat_colour(key), OWNER_MARKS.get(key, "")
    ink = mix(face, SHADE, 0.72)
    rim, tip = piece.base_corners(), piece.tip
    width = min(0.35 + piece.shape.base * camera.zoom * 0.022, 1.6)
    primitives: list[Primitive] = []
    if face_normal(rim[0], rim[3], rim[1])[2] > 0.0:
        primitives += _draw_hollow(piece.shape, [camera.to_screen((x, y)) for x, y, _ in rim], face)
        primitives.append(polygon_outline(_project(camera, *rim), ink, width))
    pips = piece.shape.pips if piece.shape.base * camera.zoom >= MIN_PIPS_WIDTH else 0
    sides = sorted(visible_sides(rim, tip), key=lambda side: (rim[side[0] - 1][2] + rim[side[0]][2], side))
    for k, brightness in sides:
        corners = _project(camera, rim[k - 1], rim[k], tip)
        primitives += draw_pyramid_side(corners, brightness, pips, face, mark if mark != "bar" or k % 2 else "")
        primitives.append(polygon_outline(corners, ink, width))
    return primitives


def visible_sides(rim: Sequence[Point3], tip: Point3) -> list[tuple[int, float]]:
    """Sides of a pyramid turned to the viewer (along z): index of the corner that each ends at, and brightness."""
    sides = []
    for k in range(4):
        normal = face_normal(rim[k - 1], rim[k], tip)
        if normal[2] > 0.02:
            sides.append((k, max(0.0, sum(n * ray for n, ray in zip(normal, _LIGHT_DIRECTION, strict=True)))))
    return sides


def draw_pyramid_side(
    corners: Sequence[Point], brightness: float, pips: int, colour: Colour, mark: str,
    least_radii: tuple[float, float, float] = (1.0, 0.75, 0.5),
) -> list[Polygon | Disc]:  # fmt: skip
    """Draw a side of a pyramid: lit, brighter where light comes through, with the owner's mark and pips.

    Args:
        corners: two of the base, then the tip [pixels]. brightness: 0 to 1. pips: 0 for none. colour, mark: of the
            owner; on all four sides the marks form a ring, a cross, a bar, dots, a core or a hem. least_radii: of the
            dot of a mark, the rim of a pip, and a pip [pixels].
    """
    one, other, tip = corners
    lit = _shade(colour, brightness)
    parts: list[Polygon | Disc] = [Polygon((one, other, tip), lit)]
    for fraction, inner in zip(TRANSLUCENCY, inset_triangles(one, other, tip), strict=True):
        parts.append(Polygon(inner, mix(lit, PALE, fraction)))
    ink = _shade(contrasting_text(colour), 0.6 + 0.4 * brightness)
    parts += _draw_owner_mark(mark, corners, ink, least_radii[0])
    return parts + _draw_pips(pips, corners, *least_radii[1:])


def _draw_pips(pips: int, face: Sequence[Point], least_rim: float, least_radius: float) -> list[Polygon | Disc]:
    """Draw the pips along the edge of the base, pale with a dark rim that is visible on every colour and mark."""
    one, other, tip = face
    mx, my = (one[0] + other[0]) / 2.0, (one[1] + other[1]) / 2.0
    dx, dy = other[0] - one[0], other[1] - one[1]
    width = (dx * dx + dy * dy) ** 0.5
    primitives: list[Polygon | Disc] = []
    for k in range(pips):
        offset = (k - (pips - 1) / 2.0) * 0.2
        at = (mx + dx * offset + (tip[0] - mx) * 0.12, my + dy * offset + (tip[1] - my) * 0.12)
        primitives += [Disc(at, max(least_rim, width * 0.07), INK), Disc(at, max(least_radius, width * 0.045), PALE)]
    return primitives


def _project(camera: Camera, *corners: Point3) -> tuple[Point, ...]:
    return camera.points_to_screen([(x, y) for x, y, _ in corners])


def _draw_hollow(shape: PyramidShape, rim: Sequence[Point], face_colour: Colour) -> list[Primitive]:
    """Draw the rim and the inner walls of a pyramid seen from below its base."""
    mx, my = sum(x for x, _ in rim) / 4.0, sum(y for _, y in rim) / 4.0
    inner = shape.hollow_base / shape.base
    mouth = [(mx + (x - mx) * inner, my + (y - my) * inner) for x, y in rim]
    walls: list[Primitive] = [
        Polygon((mouth[k - 1], mouth[k], (mx, my)), mix(face_colour, SHADE, 0.62 + 0.12 * (k % 2))) for k in range(4)
    ]
    return [Polygon(tuple(rim), mix(face_colour, PALE, 0.28)), *walls]


def _shade(colour: Colour, brightness: float) -> Colour:
    """Lighten or darken a colour by brightness (0 to 1)."""
    return mix(colour, PALE if brightness > 0.55 else SHADE, abs(brightness - 0.55) * 0.95)


def _draw_owner_mark(mark: str, corners: Sequence[Point], colour: Colour, least_radius: float) -> list[Polygon | Disc]:
    """Draw the owner's mark on one face."""
    one, other, tip = corners
    mx, my = (one[0] + other[0]) / 2.0, (one[1] + other[1]) / 2.0
    hx, hy = (other[0] - one[0]) / 2.0, (other[1] - one[1]) / 2.0

    def at(across: float, up: float) -> Point:
        """Point of the face: across from -1 to 1 along the base, up from the base at 0 to the tip at 1."""
        narrow = across * (1.0 - up)
        return (mx + hx * narrow + (tip[0] - mx) * up, my + hy * narrow + (tip[1] - my) * up)

    def patch(*spots: tuple[float, float]) -> Polygon:
        return Polygon(tuple(at(*spot) for spot in spots), colour)

    match mark:
        case "ring":
            return [patch((-1, 0.34), (1, 0.34), (1, 0.62), (-1, 0.62))]
        case "cross":
            return [patch((-1, 0.0), (-0.56, 0.0), (0.0, 1.0)), patch((1, 0.0), (0.56, 0.0), (0.0, 1.0))]
        case "bar":
            return [patch((-0.3, 0.0), (0.3, 0.0), (0.3, 1.0), (-0.3, 1.0))]
        case "dots":
            return [Disc(at(0.0, 0.36), max(least_radius, 2.0 * (hx * hx + hy * hy) ** 0.5 * 0.13), colour)]
        case "core":
            return [patch((-1, 0.5), (1, 0.5), (0, 1.0))]
        case "hem":
            return [patch((-1, 0.0), (1, 0.0), (1, 0.24), (-1, 0.24))]
    return []
