"""Flicks that say where to instead of how hard: speed and azimuth found as a player would reckon them.

The reckoning is plain, a slide or a throw in air with nothing in the way. What comes of it is the physics' to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import atan2, cos, pi, sin

from flicksim.base.errors import BadFlick
from flicksim.base.geometry import Point, distance
from flicksim.base.kinds import Plain
from flicksim.physics import Settings
from flicksim.table import MAX_SPEED, Flick, Scene, Squidge, sliding, speed_to

WORDS = ("to", "beyond", "effort", "turn")
"""Words of an aimed flick: a piece's id, "pot" or a point; how much farther [m]; a factor on the speed it needs [-]; an
angle added to its way [rad]."""


def aimed(scene: Scene, kind: type, given: Mapping[str, Plain], settings: Settings) -> dict[str, Plain]:
    """The fields of a flick of that kind, with what `WORDS` say turned into speed and azimuth.

    Raises:
        BadFlick: there is nothing to aim at, or nobody knows how to aim that kind.
        BadScene: its piece is not there, or nothing is known of its friction.
    """
    fields = {name: value for name, value in given.items() if name not in WORDS}
    piece = scene.piece(fields["piece"])
    at: Point = fields.get("start") or piece.at
    target, height = _target(scene, given["to"])
    azimuth = atan2(target[1] - at[1], target[0] - at[0])
    way = distance(at, target) + given.get("beyond", 0.0)
    if way <= 0.0:
        raise BadFlick(f"{piece.id!r} would have to go {way:g} m to its target; it must lie off it")
    if kind is Squidge:
        speed = speed_to(piece, way, height, fields.get("elevation", pi / 4.0), fields.get("tumble", 0.0))
    elif kind is Flick:
        grip = settings.pairings.of(piece.material, scene.surface.material).friction
        speed = sliding(way, grip * settings.gravity)
    else:
        raise BadFlick(f"a {kind.__name__.lower()} cannot be aimed by 'to'; give its own fields")
    fields["speed"] = min(MAX_SPEED, speed * given.get("effort", 1.0))
    turned = azimuth + given.get("turn", 0.0)
    fields["azimuth"] = atan2(sin(turned), cos(turned))
    return fields


def _target(scene: Scene, to: Plain) -> tuple[Point, float]:
    """Target [m], and the height over which the flick should come down there [m]."""
    if not isinstance(to, str):
        return (float(to[0]), float(to[1])), 0.0
    pot = scene.surface.pot
    if to == "pot" and pot is not None:
        return pot.at, pot.height
    if scene.has(to):
        return scene.piece(to).at, scene.piece(to).highest
    there = ", ".join([*(["pot"] if pot is not None else []), *(piece.id for piece in scene.pieces)])
    raise BadFlick(f"nothing called {to!r} to aim at; there are {there}, or a point [x, y]")
