"""Pieces on a table as rows of numbers: one's own first, by name, then those of the others clockwise, then nobody's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flicksim.lab.env.parts import Part, one_of, whose
from flicksim.table import Piece, Scene

ROWS = 32
"""Pieces that can be told of; what lies beyond is not seen."""
_COLUMNS = ("there", "x", "y", "height", "radius", "mass", "tilt", "face", "in the pot", "covers", "covered")


def in_rows(scene: Scene, seat: int, seats: int) -> list[Piece]:
    """The pieces of a scene in the order of the rows."""
    return sorted(scene.pieces, key=lambda p: ((p.owner - seat) % seats if p.owner is not None else seats, p.id))[:ROWS]


def pieces(path: str, get: Callable[[Any], Any], seats: int, lists: Sequence[tuple[str, Callable[[Any], Any]]]) -> Part:
    """The rows of a scene: where each piece lies [m, rad], whose it is, and on which of the state's lists it stands.

    Args:
        lists: lists of names in the state, such as winks that were potted, and how they are got.
    """
    columns = [*_COLUMNS, *(f"of {whose(k, seats)}" for k in range(seats)), *(name for name, _ in lists)]
    empty = [0.0] * len(columns)

    def write(view: Any, seat: int) -> list[float]:
        scene: Scene = get(view)
        named = [set(find(view) or ()) for _, find in lists]
        under = {name for piece in scene.pieces for name in piece.lies_on}
        rows = [
            [*_row(p), float(p.id in under), *_owner(p, seat, seats), *(float(p.id in names) for names in named)]
            for p in in_rows(scene, seat, seats)
        ]
        rows += [empty] * (ROWS - len(rows))
        return [number for row in rows for number in row]

    return Part(tuple(f"{path} {k}: {column}" for k in range(ROWS) for column in columns), write)


def _row(p: Piece) -> list[float]:
    held, covers = float(p.support == "pot"), float(bool(p.lies_on))
    return [1.0, p.x, p.y, p.height, p.radius, p.mass, p.tilt, float(p.face), held, covers]


def _owner(piece: Piece, seat: int, seats: int) -> list[float]:
    return [0.0] * seats if piece.owner is None else one_of((piece.owner - seat) % seats, seats)
