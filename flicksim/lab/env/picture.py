"""What an environment shows: a table from above as pixels, painted with numpy alone, and any game in words.

The window's painters live in a room this one does not know. Whoever wants them hands an environment a painter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from flicksim.cards import Zones
from flicksim.play import Match
from flicksim.table import Scene

Picture = npt.NDArray[np.uint8]

LONGEST = 640
"""Longer side of a picture [pixels]."""
_OWNERS = ((58, 110, 214), (46, 150, 84), (206, 58, 58), (222, 182, 50), (140, 92, 190), (90, 180, 190))
_TWO = (_OWNERS[0], _OWNERS[2])
_NOBODY, _GROUND, _SURFACE, _LINE, _POT = (244, 244, 238), (40, 42, 46), (196, 178, 146), (120, 104, 80), (92, 62, 46)


def paint(scene: Scene, seats: int = 2) -> Picture:
    """A scene from above, x to the right and y up. [height, width, 3]"""
    corners = np.array(scene.surface.outline)
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = 0.02 * float(max(high - low))
    low, high = low - margin, high + margin
    step = float(max(high - low)) / LONGEST
    wide, tall = (max(1, round(float(side) / step)) for side in high - low)
    xs = low[0] + (np.arange(wide) + 0.5) * step
    ys = (high[1] - (np.arange(tall) + 0.5) * step)[:, None]
    picture = np.full((tall, wide, 3), _GROUND, dtype=np.uint8)
    on = np.ones((tall, wide), dtype=bool)
    for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        on &= (bx - ax) * (ys - ay) - (by - ay) * (xs - ax) >= 0.0
    picture[on] = _SURFACE
    for line in scene.surface.lines:
        (ax, ay), (bx, by) = line.a, line.b
        ex, ey = bx - ax, by - ay
        long2 = ex * ex + ey * ey
        beside = np.abs(ex * (ys - ay) - ey * (xs - ax)) / long2**0.5
        along = (ex * (xs - ax) + ey * (ys - ay)) / long2
        picture[(beside <= 0.6 * step) & (along >= 0.0) & (along <= 1.0)] = _LINE
    pot = scene.surface.pot
    if pot is not None:
        far = np.hypot(xs - pot.x, ys - pot.y)
        picture[far <= pot.outer(pot.height)] = _POT
        picture[far <= pot.inner(pot.height)] = _GROUND
    colours = _TWO if seats == 2 else _OWNERS
    for piece in sorted(scene.pieces, key=lambda p: p.height):
        far = np.hypot(xs - piece.x, ys - piece.y)
        colour = np.array(_NOBODY if piece.owner is None else colours[piece.owner % len(colours)])
        picture[far <= piece.radius] = (0.55 * colour).astype(np.uint8)
        picture[far <= piece.radius - 1.2 * step] = colour if piece.face == 1 else (0.8 * colour).astype(np.uint8)
    return picture


def scene_of(state: Any) -> Scene | None:
    """The scene of a state; None where nothing is flicked."""
    scene = getattr(state, "scene", None)
    return scene if isinstance(scene, Scene) else None


def told(match: Match, seat: int | None) -> str:
    """A game in words, as a seat sees it; None: as the seat to play does."""
    looks = match.to_play if seat is None else seat
    view = match.rules.view(match.state, looks or 0)
    names = match.game.seat_names[: len(match.players)]
    points = ", ".join(f"{name} {score}" for name, score in zip(names, match.scores, strict=True))
    lines = [f"{match.game.title}, turn {len(match.turns) + 1}: {points}"]
    if match.turns:
        lines.append(f"{names[match.turns[-1].seat]}: {match.turns[-1].verdict}")
    scene, zones = scene_of(view), getattr(view, "zones", None)
    if scene is not None:
        lines += [f"  {p.id}: {p.x * 1e3:.0f}, {p.y * 1e3:.0f} mm" + _lying(p) for p in scene.pieces]
    if isinstance(zones, Zones):
        lines += [f"  {name}: {_faces(zone)}" for name, zone in zones.piles.items()]
        lines += [f"  {name}: {count}" for name, count in zones.purses.items()]
    lines.append("The game is over." if match.over else match.choices().says)
    return "\n".join(lines) + "\n"


def _lying(piece: Any) -> str:
    where = {"pot": ", in the pot", "rim": ", on the rim", "leaning": ", against the pot"}.get(piece.support, "")
    return where + (f", on {' and '.join(piece.lies_on)}" if piece.lies_on else "")


def _faces(zone: Any) -> str:
    return " ".join(map(str, zone.cards)) if zone.cards or not zone.hidden else f"{zone.hidden} hidden"
