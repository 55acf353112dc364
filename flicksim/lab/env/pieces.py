"""Pieces on a table as rows of numbers: one's own first, by name, then those of the others clockwise, then nobody's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf, pi
from typing import TypeVar

from flicksim.base.kinds import Plain, View
from flicksim.lab.env.parts import Number, Part, flags, one_of, whose
from flicksim.table import Piece, Pyramid, PyramidScene, Scene

Kind = TypeVar("Kind", Piece, Pyramid)
Lists = Sequence[tuple[str, Callable[[View], Plain]]]
"""Lists of names in a state, such as winks that were potted, and how they are got."""

ROWS = 32
"""Pieces that can be told of; what lies beyond is not seen."""
_MARGIN = 0.1
"""So far beyond the edge the middle of something may be that rests on the table [m]."""


def across(scene: Scene | PyramidScene) -> tuple[Number, Number]:
    """Place of something on a table: x and y."""
    corners = list(zip(*scene.surface.outline, strict=True))
    return tuple(  # type: ignore[return-value]  # two of them
        Number(name=name, unit="m", low=min(0.0, min(at) - _MARGIN), high=max(at) + _MARGIN, most=max(map(abs, at)))
        for name, at in zip("xy", corners, strict=True)
    )


def in_row(numbers: Sequence[Number], path: str, rows: int) -> tuple[Number, ...]:
    """The numbers of so many rows of them."""
    return tuple(replace(one, name=f"{path} {k}: {one.name}") for k in range(rows) for one in numbers)


def _columns(scene: Scene) -> tuple[Number, ...]:
    largest = max((piece.radius for piece in scene.pieces), default=0.02)
    heaviest = max((piece.mass for piece in scene.pieces), default=0.01)
    return (
        Number(name="there", says="1 where the row is of a piece; else all of it is 0"),
        *across(scene),
        Number(name="height", unit="m", low=-inf, high=inf, most=0.03, says="of its middle"),
        Number(name="radius", unit="m", high=1.0, most=largest),
        Number(name="mass", unit="kg", high=100.0, most=heaviest),
        Number(name="tilt", unit="rad", high=pi / 2.0 + 1e-6, most=pi / 2.0),
        Number(name="face", low=-1.0, says="1 as it began, -1 turned over"),
        *flags(("in the pot", "covers", "covered")),
    )


def in_rows(pieces: Sequence[Kind], seat: int, seats: int) -> list[Kind]:
    """The pieces of a scene in the order of the rows."""
    return sorted(pieces, key=lambda p: ((p.owner - seat) % seats if p.owner is not None else seats, p.id))


def pieces(path: str, get: Callable[[View], Plain], opening: Scene, seats: int, lists: Lists) -> Part:
    """The rows of a scene: where each piece lies [m, rad], whose it is, and on which of the state's lists it stands."""
    columns = [
        *_columns(opening),
        *flags(f"of {whose(k, seats)}" for k in range(seats)),
        *flags(name for name, _ in lists),
    ]
    empty = [0.0] * len(columns)

    def write(view: View, seat: int) -> list[float]:
        scene: Scene = get(view)
        named = [set(find(view) or ()) for _, find in lists]
        under = {name for piece in scene.pieces for name in piece.lies_on}
        rows = [
            [*_row(p), float(p.id in under), *owned(p, seat, seats), *(float(p.id in names) for names in named)]
            for p in in_rows(scene.pieces, seat, seats)[:ROWS]
        ]
        rows += [empty] * (ROWS - len(rows))
        return [number for row in rows for number in row]

    return Part(in_row(columns, path, ROWS), write)


def _row(p: Piece) -> list[float]:
    held, covers = float(p.support == "pot"), float(bool(p.lies_on))
    return [1.0, p.x, p.y, p.height, p.radius, p.mass, p.tilt, float(p.face), held, covers]


def owned(piece: Piece | Pyramid, seat: int, seats: int) -> list[float]:
    """Owner of a piece: a one among zeros, oneself first; nobody's, zeros."""
    return [0.0] * seats if piece.owner is None else one_of((piece.owner - seat) % seats, seats)
