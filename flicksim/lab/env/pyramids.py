"""Pyramids as rows of numbers: those on a table, in the order of `pieces`, and those in the air."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, sin
from typing import Any

from flicksim.lab.env.parts import Part, whose
from flicksim.lab.env.pieces import Lists, in_rows, owned
from flicksim.table import SIZES, Launch, Pyramid, PyramidScene

EACH = 15
"""Pyramids of a seat that can be told of: a whole set."""
_COLUMNS = (
    "there", "x", "y", "z", "pips", "base", "height", "mass", "tilt", "points to x", "points to y", "roll", "standing",
    "on its side", "stands on another", "leans on another", "holds another",
)  # fmt: skip
_ALOFT = ("there", "pips", "from x", "from y", "azimuth", "speed", "height", "slant", "time")


def pyramids(path: str, get: Callable[[Any], Any], seats: int, lists: Lists) -> Part:
    """The rows of a scene: where each pyramid is [m, rad] and how, whose it is, on which of the state's lists."""
    columns = [*_COLUMNS, *(f"of {whose(k, seats)}" for k in range(seats)), *(name for name, _ in lists)]
    rows = EACH * seats

    def write(view: Any, seat: int) -> list[float]:
        scene: PyramidScene = get(view)
        named = [set(find(view) or ()) for _, find in lists]
        under = {name for piece in scene.pieces for name in piece.rests_on}
        found = [
            [*_row(p), float(p.id in under), *owned(p, seat, seats), *(float(p.id in names) for names in named)]
            for p in in_rows(scene.pieces, seat, seats)[:rows]
        ]
        found += [[0.0] * len(columns)] * (rows - len(found))
        return [number for row in found for number in row]

    return Part(tuple(f"{path} {k}: {column}" for k in range(rows) for column in columns), write)


def _row(p: Pyramid) -> list[float]:
    return [
        1.0, p.x, p.y, p.z, p.shape.pips, p.shape.base, p.shape.height, p.mass, p.tilt, cos(p.heading), sin(p.heading),
        p.roll, float(p.standing), float(p.on_side), float(bool(p.stands_on)), float(bool(p.leans_on)),
    ]  # fmt: skip


def aloft(path: str, get: Callable[[Any], Any], seats: int) -> Part:
    """The missile each seat has in the air, if any, as it was launched [m, rad, m/s, s]."""

    def write(view: Any, seat: int) -> list[float]:
        flying = {launch.owner: launch for launch in get(view) or ()}
        found = [_launched(flying.get((seat + k) % seats)) for k in range(seats)]
        return [number for row in found for number in row]

    return Part(tuple(f"{path} of {whose(k, seats)}: {column}" for k in range(seats) for column in _ALOFT), write)


def _launched(launch: Launch | None) -> list[float]:
    if launch is None:
        return [0.0] * len(_ALOFT)
    pips = 1.0 + SIZES.index(launch.size)
    return [1.0, pips, *launch.hold, launch.azimuth, launch.speed, launch.height, launch.slant, launch.time or 0.0]
