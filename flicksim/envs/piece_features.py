"""Features of pieces on a table, a row each: own ones by name, then the others' clockwise, then unowned ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf, pi
from typing import TypeVar

from flicksim.core.type_aliases import JsonValue, View
from flicksim.envs.features import Feature, FeatureGroup, boolean_features, one_hot, relative_seat_name
from flicksim.scene import Piece, Pyramid, PyramidScene, Scene

Kind = TypeVar("Kind", Piece, Pyramid)
NameLists = Sequence[tuple[str, Callable[[View], JsonValue]]]
"""Names and getters of lists of piece names in a state, such as potted winks."""

MAX_PIECES = 32
"""Rows for pieces; further ones are not observed."""
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


def row_features(features: Sequence[Feature], path: str, rows: int) -> tuple[Feature, ...]:
    """Features repeated for each of so many rows."""
    return tuple(replace(one, name=f"{path} {k}: {one.name}") for k in range(rows) for one in features)


def _piece_columns(scene: Scene) -> tuple[Feature, ...]:
    largest = max((piece.radius for piece in scene.pieces), default=0.02)
    heaviest = max((piece.mass for piece in scene.pieces), default=0.01)
    return (
        Feature(name="there", description="1 where the row is of a piece; else all of it is 0"),
        *position_features(scene),
        Feature(name="height", unit="m", low=-inf, high=inf, half_range=0.03, description="of its middle"),
        Feature(name="radius", unit="m", high=1.0, half_range=largest),
        Feature(name="mass", unit="kg", high=100.0, half_range=heaviest),
        Feature(name="tilt", unit="rad", high=pi / 2.0 + 1e-6, half_range=pi / 2.0),
        Feature(name="face", low=-1.0, description="1 as it began, -1 turned over"),
        *boolean_features(("in the pot", "covers", "covered")),
    )


def sort_for_seat(pieces: Sequence[Kind], seat: int, seats: int) -> list[Kind]:
    """Sort the pieces of a scene in the order of the rows."""
    return sorted(pieces, key=lambda p: ((p.owner - seat) % seats if p.owner is not None else seats, p.id))


def piece_features(
    path: str, get: Callable[[View], JsonValue], opening: Scene, seats: int, lists: NameLists
) -> FeatureGroup:
    """Features of a scene: pose of each piece [m, rad], its owner, and which of the state's lists name it."""
    columns = [
        *_piece_columns(opening),
        *boolean_features(f"of {relative_seat_name(k, seats)}" for k in range(seats)),
        *boolean_features(name for name, _ in lists),
    ]
    empty = [0.0] * len(columns)

    def write(view: View, seat: int) -> list[float]:
        scene: Scene = get(view)
        named = [set(find(view) or ()) for _, find in lists]
        under = {name for piece in scene.pieces for name in piece.lies_on}
        rows = [
            [
                *_encode_piece(p),
                float(p.id in under),
                *owner_one_hot(p, seat, seats),
                *(float(p.id in names) for names in named),
            ]
            for p in sort_for_seat(scene.pieces, seat, seats)[:MAX_PIECES]
        ]
        rows += [empty] * (MAX_PIECES - len(rows))
        return [number for row in rows for number in row]

    return FeatureGroup(row_features(columns, path, MAX_PIECES), write)


def _encode_piece(p: Piece) -> list[float]:
    held, covers = float(p.support == "pot"), float(bool(p.lies_on))
    return [1.0, p.x, p.y, p.height, p.radius, p.mass, p.tilt, float(p.face), held, covers]


def owner_one_hot(piece: Piece | Pyramid, seat: int, seats: int) -> list[float]:
    """One-hot owner of a piece, the observer first; zeros for an unowned one."""
    return [0.0] * seats if piece.owner is None else one_hot((piece.owner - seat) % seats, seats)
