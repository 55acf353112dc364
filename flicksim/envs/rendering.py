"""Rendering of environments: a table from above as pixels, with numpy alone, and any game as text.

The window's renderers belong to a package this one may not import; an environment takes them as its `painter`.
"""

import sys
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from flicksim.cards import Zones
from flicksim.core.arrays import Floats
from flicksim.core.type_aliases import JsonValue, State
from flicksim.match import Match
from flicksim.scene import Piece, Pyramid, PyramidScene, Scene

Picture = npt.NDArray[np.uint8]
Painter = Callable[[State], Picture]
"""Renderer of a seat's view."""

MAX_SIDE = 640
"""Longer side of a picture [pixels]."""
_COLOURS = {
    "blue": (58, 110, 214), "green": (46, 150, 84), "red": (206, 58, 58), "yellow": (222, 182, 50),
    "black": (58, 58, 64), "white": (236, 236, 230),
}  # fmt: skip
_FALLBACK_COLOURS = ((140, 92, 190), (90, 180, 190))
"""Colours of owners whose seats are not named by a colour."""
_LIGHT = np.array([-0.48, 0.36, 0.8])
"""Unit vector towards the light."""
_NEUTRAL, _GROUND, _SURFACE, _LINE, _POT = (244, 244, 238), (40, 42, 46), (196, 178, 146), (120, 104, 80), (92, 62, 46)


def paint(scene: Scene | PyramidScene, seats: Sequence[str] = ("Blue", "Red")) -> Picture:
    """Paint a scene from above, x to the right and y up. [height, width, 3]

    Args:
        seats: their names; pieces have the colours of their owners' names.
    """
    corners = np.array(scene.surface.outline)
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = 0.02 * float(max(high - low))
    low, high = low - margin, high + margin
    step = float(max(high - low)) / MAX_SIDE
    width, height = (max(1, round(float(side) / step)) for side in high - low)
    xs = low[0] + (np.arange(width) + 0.5) * step
    ys = (high[1] - (np.arange(height) + 0.5) * step)[:, None]
    picture = np.full((height, width, 3), _GROUND, dtype=np.uint8)
    _fill(picture, corners, _SURFACE, xs, ys)
    for line in scene.surface.lines:
        (ax, ay), (bx, by) = line.a, line.b
        ex, ey = bx - ax, by - ay
        long2 = ex * ex + ey * ey
        across = np.abs(ex * (ys - ay) - ey * (xs - ax)) / long2**0.5
        along = (ex * (xs - ax) + ey * (ys - ay)) / long2
        picture[(across <= 0.6 * step) & (along >= 0.0) & (along <= 1.0)] = _LINE
    pot = scene.surface.pot
    if pot is not None:
        distance = np.hypot(xs - pot.x, ys - pot.y)
        picture[distance <= pot.outer_radius(pot.height)] = _POT
        picture[distance <= pot.inner_radius(pot.height)] = _GROUND
    if isinstance(scene, PyramidScene):
        for pyramid in sorted(scene.pieces, key=lambda p: p.highest):
            _paint_pyramid(picture, pyramid, _colour(pyramid.owner, seats), xs, ys)
    else:
        for piece in sorted(scene.pieces, key=lambda p: p.height):
            _paint_disc(picture, piece, _colour(piece.owner, seats), xs, ys, step)
    return picture


def _colour(owner: int | None, seats: Sequence[str]) -> Floats:
    rgb = (
        _NEUTRAL
        if owner is None
        else _COLOURS.get(seats[owner].lower(), _FALLBACK_COLOURS[owner % len(_FALLBACK_COLOURS)])
    )
    return np.array(rgb, dtype=np.float64)


def _paint_disc(picture: Picture, piece: Piece, colour: Floats, xs: Floats, ys: Floats, step: float) -> None:
    distance = np.hypot(xs - piece.x, ys - piece.y)
    picture[distance <= piece.radius] = 0.55 * colour
    picture[distance <= piece.radius - 1.2 * step] = colour if piece.face == 1 else 0.8 * colour


def _paint_pyramid(picture: Picture, pyramid: Pyramid, colour: Floats, xs: Floats, ys: Floats) -> None:
    """Paint the faces of a pyramid that look up, shaded by their angle to the light, and its hollow where visible.

    An upright one is a square of four triangles; one that lies or leans is drawn out towards its tip.
    """
    corners, tip = np.array(pyramid.base_corners()), np.array(pyramid.tip)
    for k in range(4):
        a, b = corners[k - 1], corners[k]
        faces = np.cross(b - a, tip - a)
        if faces[2] > 0.0:
            bright = 0.7 + 0.3 * float(faces @ _LIGHT) / float(np.linalg.norm(faces))
            _fill(picture, np.array([a[:2], b[:2], tip[:2]]), bright * colour, xs, ys)
    if pyramid.axis[2] < 0.0:
        # its base looks up, so its corners run the other way round
        _fill(picture, corners[::-1, :2], 0.3 * colour, xs, ys)


def _fill(picture: Picture, polygon: Floats, colour: JsonValue, xs: Floats, ys: Floats) -> None:
    """Colour the pixels in a convex counter-clockwise polygon. polygon [N, 2], xs [width], ys [height, 1]"""
    low, high = polygon.min(axis=0), polygon.max(axis=0)
    rows = slice(*np.searchsorted(-ys[:, 0], (-high[1], -low[1])))
    columns = slice(*np.searchsorted(xs, (low[0], high[0])))
    xs, ys = xs[columns], ys[rows]
    within = np.ones((len(ys), len(xs)), dtype=bool)
    for (ax, ay), (bx, by) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        within &= (bx - ax) * (ys - ay) - (by - ay) * (xs - ax) >= 0.0
    picture[rows, columns][within] = colour


def scene_of(state: State) -> Scene | PyramidScene | None:
    """The scene of a state; None where nothing is flicked."""
    scene = getattr(state, "scene", None)
    return scene if isinstance(scene, Scene | PyramidScene) else None


def game_text(match: Match, seat: int | None) -> str:
    """Text of a game as a seat sees it; None for the seat to play."""
    observer = match.to_play if seat is None else seat
    view = match.rules.view(match.state, observer or 0)
    names = match.game.seat_names[: len(match.players)]
    points = ", ".join(f"{name} {score}" for name, score in zip(names, match.scores, strict=True))
    lines = [f"{match.game.title}, turn {len(match.turns) + 1}: {points}"]
    if match.turns:
        lines.append(f"{names[match.turns[-1].seat]}: {match.turns[-1].verdict}")
    scene, zones = scene_of(view), getattr(view, "zones", None)
    if scene is not None:
        lines += [f"  {p.id}: {p.x * 1e3:.0f}, {p.y * 1e3:.0f} mm" + _support_text(p) for p in scene.pieces]
    if isinstance(zones, Zones):
        lines += [f"  {name}: {_cards_text(zone)}" for name, zone in zones.piles.items()]
        lines += [f"  {name}: {count}" for name, count in zones.purses.items()]
    lines.append("The game is over." if match.is_over else match.legal_actions().prompt)
    return "\n".join(lines) + "\n"


def _support_text(piece: Piece | Pyramid) -> str:
    if isinstance(piece, Pyramid):
        supports = ((" against ", piece.leans_on), (", its base on ", piece.stands_on))
        return f", {piece.pose_text}" + "".join(by + " and ".join(names) for by, names in supports if names)
    support = {"pot": ", in the pot", "rim": ", on the rim", "leaning": ", against the pot"}.get(piece.support, "")
    return support + (f", on {' and '.join(piece.lies_on)}" if piece.lies_on else "")


def _cards_text(zone: JsonValue) -> str:
    return " ".join(map(str, zone.cards)) if zone.cards or not zone.hidden else f"{zone.hidden} hidden"


def render_view(match: Match, seat: int | None, render_mode: str | None, painter: Painter | None) -> JsonValue:
    """Render the view of a seat, None for the seat to play: text, pixels [height, width, 3], or None when printed."""
    seat = match.to_play if seat is None else seat
    if render_mode == "rgb_array":
        view = match.rules.view(match.state, seat or 0)
        if painter is not None:
            return painter(view)
        scene = scene_of(view)
        assert scene is not None
        return paint(scene, match.game.seat_names)
    if render_mode == "ansi":
        return game_text(match, seat)
    if render_mode == "human":
        sys.stdout.write(game_text(match, seat))
    return None
