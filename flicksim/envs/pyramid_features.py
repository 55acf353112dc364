"""Features of pyramids, a row each: those on a table, in the order of `piece_features`, and those in the air."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import cos, inf, pi, sin

from flicksim.core.type_aliases import JsonValue, View
from flicksim.envs.features import Feature, FeatureGroup, boolean_features, relative_seat_name
from flicksim.envs.piece_features import NameLists, owner_one_hot, position_features, row_features, sort_for_seat
from flicksim.scene import (
    FULL_TURN,
    MAX_SPEED,
    SIZES,
    STRIKE_ELEVATION_RANGE,
    STRIKE_HEIGHT_RANGE,
    Launch,
    Pyramid,
    PyramidScene,
)

MAX_PER_SEAT = 15
"""Rows for pyramids of a seat: a whole set."""
PIPS = Feature(name="pips", high=float(len(SIZES)), description="1 for a small one, 3 for a large one")
STRIKE_HEIGHT = Feature(name="height", unit="m", high=STRIKE_HEIGHT_RANGE[1], description="where the nail strikes")
SLANT_FEATURE = Feature(name="slant", unit="rad", high=STRIKE_ELEVATION_RANGE[1])
DIRECTION = Feature(name="azimuth", unit="rad", low=-FULL_TURN, high=FULL_TURN, half_range=pi)
SPEED = Feature(name="speed", unit="m/s", high=MAX_SPEED, half_range=6.0)


def _pyramid_columns(scene: PyramidScene) -> tuple[Feature, ...]:
    largest = scene.kit.large
    return (
        Feature(name="there", description="1 where the row is of a piece; else all of it is 0"),
        *position_features(scene),
        Feature(
            name="z",
            unit="m",
            low=-inf,
            high=inf,
            half_range=4.0 * largest.height,
            description="height of its base's middle",
        ),
        PIPS,
        Feature(name="base", unit="m", high=inf, half_range=largest.base),
        Feature(name="height", unit="m", high=inf, half_range=largest.height),
        Feature(name="mass", unit="kg", high=inf, half_range=0.01),
        Feature(name="tilt", unit="rad", high=pi + 1e-6, half_range=pi),
        *(Feature(name=f"points to {axis}", low=-1.0) for axis in "xy"),
        Feature(name="roll", unit="rad", low=-inf, high=inf, half_range=pi),
        *boolean_features(("standing", "on its side", "stands on another", "leans on another", "holds another")),
    )


def pyramid_features(
    path: str, get: Callable[[View], JsonValue], opening: PyramidScene, seats: int, lists: NameLists
) -> FeatureGroup:
    """Features of a scene: pose of each pyramid [m, rad], its owner, and which of the state's lists name it."""
    columns = [
        *_pyramid_columns(opening),
        *boolean_features(f"of {relative_seat_name(k, seats)}" for k in range(seats)),
        *boolean_features(name for name, _ in lists),
    ]
    rows = MAX_PER_SEAT * seats

    def write(view: View, seat: int) -> list[float]:
        scene: PyramidScene = get(view)
        named = [set(find(view) or ()) for _, find in lists]
        under = {name for piece in scene.pieces for name in piece.rests_on}
        encoded = [
            [
                *_encode_pyramid(p),
                float(p.id in under),
                *owner_one_hot(p, seat, seats),
                *(float(p.id in names) for names in named),
            ]
            for p in sort_for_seat(scene.pieces, seat, seats)[:rows]
        ]
        encoded += [[0.0] * len(columns)] * (rows - len(encoded))
        return [number for row in encoded for number in row]

    return FeatureGroup(row_features(columns, path, rows), write)


def _encode_pyramid(p: Pyramid) -> list[float]:
    return [
        1.0, p.x, p.y, p.z, p.shape.pips, p.shape.base, p.shape.height, p.mass, p.tilt, cos(p.heading), sin(p.heading),
        p.roll, float(p.is_upright), float(p.is_on_side), float(bool(p.stands_on)), float(bool(p.leans_on)),
    ]  # fmt: skip


def missile_features(path: str, get: Callable[[View], JsonValue], seats: int) -> FeatureGroup:
    """Features of the missile each seat has in the air, if any, as it was launched [m, rad, m/s, s]."""
    columns = (
        *boolean_features(("there",)), PIPS,
        *(Feature(name=f"from {axis}", unit="m", low=-inf, high=inf, half_range=1.0) for axis in "xy"),
        DIRECTION, SPEED, STRIKE_HEIGHT, SLANT_FEATURE,
        Feature(name="time", unit="s", low=-inf, high=inf, description="when it was launched"),
    )  # fmt: skip

    def write(view: View, seat: int) -> list[float]:
        flying = {launch.owner: launch for launch in get(view) or ()}
        encoded = [_encode_launch(flying.get((seat + k) % seats)) for k in range(seats)]
        return [number for row in encoded for number in row]

    numbers = (
        replace(one, name=f"{path} of {relative_seat_name(k, seats)}: {one.name}")
        for k in range(seats)
        for one in columns
    )
    return FeatureGroup(tuple(numbers), write)


def _encode_launch(launch: Launch | None) -> list[float]:
    if launch is None:
        return [0.0] * 9
    pips = 1.0 + SIZES.index(launch.size)
    return [1.0, pips, *launch.hold, launch.azimuth, launch.speed, launch.height, launch.slant, launch.time or 0.0]
