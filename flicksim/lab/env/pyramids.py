"""Pyramids as rows of numbers: those on a table, in the order of `pieces`, and those in the air."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import cos, inf, pi, sin

from flicksim.base.kinds import Plain, View
from flicksim.lab.env.parts import Number, Part, flags, whose
from flicksim.lab.env.pieces import Lists, across, in_row, in_rows, owned
from flicksim.table import HEIGHT, MAX_SPEED, SIZES, SLANT, TURN, Launch, Pyramid, PyramidScene

EACH = 15
"""Pyramids of a seat that can be told of: a whole set."""
PIPS = Number(name="pips", high=float(len(SIZES)), says="1 for a small one, 3 for a large one")
HOW_HIGH = Number(name="height", unit="m", high=HEIGHT[1], says="where the nail strikes")
HOW_STEEP = Number(name="slant", unit="rad", high=SLANT[1])
DIRECTION = Number(name="azimuth", unit="rad", low=-TURN, high=TURN, most=pi)
SPEED = Number(name="speed", unit="m/s", high=MAX_SPEED, most=6.0)


def _columns(scene: PyramidScene) -> tuple[Number, ...]:
    largest = scene.kit.large
    return (
        Number(name="there", says="1 where the row is of a piece; else all of it is 0"),
        *across(scene),
        Number(name="z", unit="m", low=-inf, high=inf, most=4.0 * largest.height, says="height of its base's middle"),
        PIPS,
        Number(name="base", unit="m", high=inf, most=largest.base),
        Number(name="height", unit="m", high=inf, most=largest.height),
        Number(name="mass", unit="kg", high=inf, most=0.01),
        Number(name="tilt", unit="rad", high=pi + 1e-6, most=pi),
        *(Number(name=f"points to {axis}", low=-1.0) for axis in "xy"),
        Number(name="roll", unit="rad", low=-inf, high=inf, most=pi),
        *flags(("standing", "on its side", "stands on another", "leans on another", "holds another")),
    )


def pyramids(path: str, get: Callable[[View], Plain], opening: PyramidScene, seats: int, lists: Lists) -> Part:
    """The rows of a scene: where each pyramid is [m, rad] and how, whose it is, on which of the state's lists."""
    columns = [
        *_columns(opening),
        *flags(f"of {whose(k, seats)}" for k in range(seats)),
        *flags(name for name, _ in lists),
    ]
    rows = EACH * seats

    def write(view: View, seat: int) -> list[float]:
        scene: PyramidScene = get(view)
        named = [set(find(view) or ()) for _, find in lists]
        under = {name for piece in scene.pieces for name in piece.rests_on}
        found = [
            [*_row(p), float(p.id in under), *owned(p, seat, seats), *(float(p.id in names) for names in named)]
            for p in in_rows(scene.pieces, seat, seats)[:rows]
        ]
        found += [[0.0] * len(columns)] * (rows - len(found))
        return [number for row in found for number in row]

    return Part(in_row(columns, path, rows), write)


def _row(p: Pyramid) -> list[float]:
    return [
        1.0, p.x, p.y, p.z, p.shape.pips, p.shape.base, p.shape.height, p.mass, p.tilt, cos(p.heading), sin(p.heading),
        p.roll, float(p.standing), float(p.on_side), float(bool(p.stands_on)), float(bool(p.leans_on)),
    ]  # fmt: skip


def aloft(path: str, get: Callable[[View], Plain], seats: int) -> Part:
    """The missile each seat has in the air, if any, as it was launched [m, rad, m/s, s]."""
    columns = (
        *flags(("there",)), PIPS,
        *(Number(name=f"from {axis}", unit="m", low=-inf, high=inf, most=1.0) for axis in "xy"),
        DIRECTION, SPEED, HOW_HIGH, HOW_STEEP,
        Number(name="time", unit="s", low=-inf, high=inf, says="when it was launched"),
    )  # fmt: skip

    def write(view: View, seat: int) -> list[float]:
        flying = {launch.owner: launch for launch in get(view) or ()}
        found = [_launched(flying.get((seat + k) % seats)) for k in range(seats)]
        return [number for row in found for number in row]

    numbers = (replace(one, name=f"{path} of {whose(k, seats)}: {one.name}") for k in range(seats) for one in columns)
    return Part(tuple(numbers), write)


def _launched(launch: Launch | None) -> list[float]:
    if launch is None:
        return [0.0] * 9
    pips = 1.0 + SIZES.index(launch.size)
    return [1.0, pips, *launch.hold, launch.azimuth, launch.speed, launch.height, launch.slant, launch.time or 0.0]
