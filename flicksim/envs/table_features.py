"""Features of the pieces on a table, a row each, and of the pyramids in the air.

Rows are in an order of the observer's: own pieces by name, then the others' clockwise, then unowned ones.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import cos, inf, pi, sin

from flicksim.core.type_aliases import JsonValue, View
from flicksim.envs.features import Feature, FeatureGroup, boolean_features, one_hot, relative_seat_name
from flicksim.scene import (
    FULL_TURN,
    MAX_SPEED,
    SIZES,
    STRIKE_ELEVATION_RANGE,
    STRIKE_HEIGHT_RANGE,
    Launch,
    Piece,
    Pyramid,
    PyramidScene,
    Scene,
)

NameLists = Sequence[tuple[str, Callable[[View], JsonValue]]]
"""Names and getters of lists of piece names in a state, such as potted winks."""

MAX_PIECES = 32
"""Rows for pieces; further ones are not observed."""
MAX_PER_SEAT = 15
"""Rows for pyramids of a seat: a whole set."""
PIPS = Feature(name="pips", high=float(len(SIZES)), description="1 for a small one, 3 for a large one")
STRIKE_HEIGHT = Feature(name="height", unit="m", high=STRIKE_HEIGHT_RANGE[1], description="where the nail strikes")
SLANT_FEATURE = Feature(name="slant", unit="rad", high=STRIKE_ELEVATION_RANGE[1])
DIRECTION = Feature(name="azimuth", unit="rad", low=-FULL_TURN, high=FULL_TURN, half_range=pi)
SPEED = Feature(name="speed", unit="m/s", high=MAX_SPEED, half_range=6.0)
_THERE = Feature(name="there", description="1 where the row is of a piece; else all of it is 0")
_MARGIN = 0.1
"""Distance beyond the edge at which the middle of a resting piece may lie [m]."""


def position_features(scene: Scene | PyramidScene) -> tuple[Feature, Feature]:
    """Features of a position on a table: x and y."""
    corners = list(zip(*scene.surface.outline, strict=True))
    return tuple(  # type: ignore[return-value]  # two of them
        Feature(
            name=name, unit="m", low=min(0.0, min(at) - _MARGIN), high=max(at) + _MARGIN, half_range=max(map(abs, at))
        )
        for name, at in zip("xy", corners, strict=True)
    )


def row_features(features: Sequence[Feature], rows: Iterable[str]) -> tuple[Feature, ...]:
    """Features repeated for each row, by the names of the rows."""
    return tuple(replace(one, name=f"{row}: {one.name}") for row in rows for one in features)


def table_features(
    path: str, get: Callable[[View], JsonValue], opening: Scene | PyramidScene, seats: int, lists: NameLists
) -> FeatureGroup:
    """Features of a scene: pose of each piece [m, rad], its owner, and which of the state's lists name it."""
    of_piece, encode, rows = (
        (_piece_columns(opening), _encode_piece, MAX_PIECES)
        if isinstance(opening, Scene)
        else (_pyramid_columns(opening), _encode_pyramid, MAX_PER_SEAT * seats)
    )
    columns = [
        *of_piece,
        *boolean_features(f"of {relative_seat_name(k, seats)}" for k in range(seats)),
        *boolean_features(name for name, _ in lists),
    ]

    def write(view: View, seat: int) -> list[float]:
        pieces: tuple[Piece | Pyramid, ...] = get(view).pieces
        named = [set(find(view) or ()) for _, find in lists]
        supporting = {name for p in pieces for name in (p.lies_on if isinstance(p, Piece) else p.rests_on)}
        ordered = sorted(pieces, key=lambda p: ((p.owner - seat) % seats if p.owner is not None else seats, p.id))
        numbers: list[float] = []
        for p in ordered[:rows]:
            numbers += encode(p)
            numbers.append(float(p.id in supporting))
            numbers += [0.0] * seats if p.owner is None else one_hot((p.owner - seat) % seats, seats)
            numbers += (float(p.id in names) for names in named)
        return numbers + [0.0] * (len(columns) * rows - len(numbers))

    return FeatureGroup(row_features(columns, (f"{path} {k}" for k in range(rows))), write)


def _piece_columns(scene: Scene) -> tuple[Feature, ...]:
    largest = max((piece.radius for piece in scene.pieces), default=0.02)
    heaviest = max((piece.mass for piece in scene.pieces), default=0.01)
    return (
        _THERE,
        *position_features(scene),
        Feature(name="height", unit="m", low=-inf, high=inf, half_range=0.03, description="of its middle"),
        Feature(name="radius", unit="m", high=1.0, half_range=largest),
        Feature(name="mass", unit="kg", high=100.0, half_range=heaviest),
        Feature(name="tilt", unit="rad", high=pi / 2.0 + 1e-6, half_range=pi / 2.0),
        Feature(name="face", low=-1.0, description="1 as it began, -1 turned over"),
        *boolean_features(("in the pot", "covers", "covered")),
    )


def _encode_piece(p: JsonValue) -> list[float]:
    potted, covers = float(p.support == "pot"), float(bool(p.lies_on))
    return [1.0, p.x, p.y, p.height, p.radius, p.mass, p.tilt, float(p.face), potted, covers]


def _pyramid_columns(scene: PyramidScene) -> tuple[Feature, ...]:
    large = scene.kit.large
    return (
        _THERE,
        *position_features(scene),
        Feature(
            name="z", unit="m", low=-inf, high=inf, half_range=4.0 * large.height,
            description="height of its base's middle",
        ),
        PIPS,
        Feature(name="base", unit="m", high=inf, half_range=large.base),
        Feature(name="height", unit="m", high=inf, half_range=large.height),
        Feature(name="mass", unit="kg", high=inf, half_range=0.01),
        Feature(name="tilt", unit="rad", high=pi + 1e-6, half_range=pi),
        *(Feature(name=f"points to {axis}", low=-1.0) for axis in "xy"),
        Feature(name="roll", unit="rad", low=-inf, high=inf, half_range=pi),
        *boolean_features(("standing", "on its side", "stands on another", "leans on another", "holds another")),
    )  # fmt: skip


def _encode_pyramid(p: JsonValue) -> list[float]:
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
        flying: dict[int | None, Launch] = {launch.owner: launch for launch in get(view) or ()}
        numbers: list[float] = []
        for k in range(seats):
            m = flying.get((seat + k) % seats)
            numbers += (
                [0.0] * len(columns)
                if m is None
                else [1.0, 1.0 + SIZES.index(m.size), *m.hold, m.azimuth, m.speed, m.height, m.slant, m.time or 0.0]
            )
        return numbers

    owners = (f"{path} of {relative_seat_name(k, seats)}" for k in range(seats))
    return FeatureGroup(row_features(columns, owners), write)
