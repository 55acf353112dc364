"""Aiming: speed and azimuth of a flick from its target, by a closed-form slide or a ballistic flight.

The solution assumes an unobstructed path and nominal friction.
"""

from collections.abc import Mapping
from math import atan2, cos, pi, sin

from flicksim.core.errors import InvalidAction
from flicksim.core.geometry import Point, distance
from flicksim.core.type_aliases import JsonValue
from flicksim.engine import Settings
from flicksim.scene import MAX_SPEED, Flick, Scene, Squidge, launch_speed_to_reach, sliding_speed

AIM_FIELDS = ("target", "overshoot", "speed_factor", "aim_offset")
"""Fields of an aimed flick: target (a piece's id, "pot" or a point), overshoot [m], factor on the speed [-], and angle
added to the azimuth [rad]."""


def resolve_aim(
    scene: Scene, kind: type, aim_fields: Mapping[str, JsonValue], settings: Settings
) -> dict[str, JsonValue]:
    """Fields of a flick of that kind, with those of `AIM_FIELDS` solved for speed and azimuth.

    Raises:
        InvalidAction: the target does not exist, or that kind of flick cannot be aimed.
        InvalidScene: its piece is not in the scene, or has no friction.
    """
    fields = {name: value for name, value in aim_fields.items() if name not in AIM_FIELDS}
    piece = scene.piece(fields["piece"])
    at: Point = fields.get("start") or piece.position
    target, height = aim_point(scene, aim_fields["target"])
    azimuth = atan2(target[1] - at[1], target[0] - at[0])
    travel = distance(at, target) + aim_fields.get("overshoot", 0.0)
    if travel <= 0.0:
        raise InvalidAction(f"{piece.id!r} would have to travel {travel:g} m to its target; it must lie off it")
    if kind is Squidge:
        speed = launch_speed_to_reach(
            piece, travel, height, fields.get("elevation", pi / 4.0), fields.get("tumble", 0.0)
        )
    elif kind is Flick:
        grip = settings.pairings.lookup(piece.material, scene.surface.material).friction
        speed = sliding_speed(travel, grip * settings.gravity)
    else:
        raise InvalidAction(f"a {kind.__name__.lower()} cannot be aimed by 'target'; give its own fields")
    fields["speed"] = min(MAX_SPEED, speed * aim_fields.get("speed_factor", 1.0))
    rotated = azimuth + aim_fields.get("aim_offset", 0.0)
    fields["azimuth"] = atan2(sin(rotated), cos(rotated))
    return fields


def aim_point(scene: Scene, target: JsonValue) -> tuple[Point, float]:
    """Target [m], and the height at which the flight ends there [m].

    Raises:
        InvalidAction: it does not exist; lists those there are.
    """
    if not isinstance(target, str):
        return (float(target[0]), float(target[1])), 0.0
    pot = scene.surface.pot
    if target == "pot" and pot is not None:
        return pot.position, pot.height
    if scene.has(target):
        return scene.piece(target).position, scene.piece(target).highest
    names = ", ".join([*(["pot"] if pot is not None else []), *(piece.id for piece in scene.pieces)])
    raise InvalidAction(f"nothing called {target!r} to aim at; there are {names}, or a point [x, y]")
