"""A flick being aimed, on the board: where it would go with nothing in its way, and where the nail strikes."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, hypot, pi, sin, sqrt

from flicksim.base.geometry import Point
from flicksim.drawing import Camera
from flicksim.table import Left, Motion, Piece
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table.aim import Aim
from flicksim.ui.table.calm import Spread
from flicksim.ui.table.painter import TablePainter

_RIBS = 16
"""Straight pieces an arc is drawn of."""
_CALMEST = 0.8
"""Errors of a hand when it is calmest, over its usual ones."""


def aim(
    canvas: Canvas, camera: Camera, painter: TablePainter, piece: Piece, aim: Aim, free: Motion | None,
    others: Sequence[Piece], wrong: bool, spread: Spread | None,
) -> None:  # fmt: skip
    """The piece in hand, its way on the free board, and where it would stop.

    Args:
        free: the flick settled on a board with nothing else on it; None when it cannot be.
        others: what lies there; where the piece first meets one of them is marked. wrong: not allowed so.
        spread: where the hand's shots go; None: where they are aimed.
    """
    here = camera.to_screen(aim.at)
    r = piece.radius * camera.zoom
    colour = palette.ALARM if wrong else palette.GLOW
    if free is not None and spread is not None:
        end, _ = stop(free)
        fan(canvas, camera, aim.at, end, spread, colour)
    elif free is not None:
        end, falls = stop(free)
        there = camera.to_screen(end)
        ux, uy = _unit(here, there)
        side = (-uy * r, ux * r)
        faint = palette.mix(palette.board(free.before.surface.material), colour, 0.35)
        for s in (1.0, -1.0):  # the corridor the piece needs
            a, b = (here[0] + s * side[0], here[1] + s * side[1]), (there[0] + s * side[0], there[1] + s * side[1])
            canvas.line(a, b, faint, 1.0)
        canvas.dashes(here, there, colour, max(1.5, canvas.px(2)), canvas.px(5))
        if falls:
            canvas.text("off the board", (there[0], there[1] - canvas.px(8)), 12, palette.BAD, bold=True,
                        anchor="midbottom")  # fmt: skip
        else:
            canvas.ring(there, max(r, 3.0), colour, max(1.0, canvas.px(1.6)))
        met = meeting(aim.at, end, piece, others)
        if met is not None:
            canvas.ring(camera.to_screen(met), max(r, 3.0), palette.PALE, max(1.0, canvas.px(1.6)))
    painter.piece(canvas, camera, piece, (aim.at[0], aim.at[1], 0.0))
    canvas.ring(here, r + canvas.px(3), colour, canvas.px(2))
    if spread is not None:
        unrest(canvas, here, r, spread)
    _nail(canvas, here, r, aim, colour, camera.turned)


def fan(canvas: Canvas, camera: Camera, at: Point, end: Point, spread: Spread, colour: palette.Colour) -> None:
    """Draw the spread of shots aimed from one point at another: the ways, and brighter where they end."""
    far, way = hypot(end[0] - at[0], end[1] - at[1]), atan2(end[1] - at[1], end[0] - at[0])
    turn = min(spread.turn, pi)
    turns = [way + turn * (2.0 * k / _RIBS - 1.0) for k in range(_RIBS + 1)]

    def arc(share: float) -> list[Point]:
        return [camera.to_screen((at[0] + share * far * cos(a), at[1] + share * far * sin(a))) for a in turns]

    near, away = (arc(share) for share in spread.ways)
    canvas.glaze([camera.to_screen(at), *near], colour, 34)
    canvas.glaze([*near, *reversed(away)], colour, 96)
    canvas.path([*near, *reversed(away), near[0]], colour, max(1.0, canvas.px(1.2)))


def unrest(canvas: Canvas, here: Point, r: float, spread: Spread) -> None:
    """A ring that closes in on a piece as the hand grows calm."""
    wide = r + canvas.px(5) + canvas.px(34) * max(0.0, spread.unrest - _CALMEST)
    canvas.ring(here, wide, palette.PALE, max(1.0, canvas.px(1.4)))


def _nail(canvas: Canvas, here: Point, r: float, aim: Aim, colour: palette.Colour, turned: float) -> None:
    """The finger: an arrow head behind the piece, set aside as the nail is."""
    way = aim.azimuth + turned
    ux, uy = cos(way), -sin(way)
    lx, ly = -sin(way), -cos(way)  # to the left of the way, on the screen
    back = r * (1.0 - aim.offset**2) ** 0.5 + canvas.px(3)
    tip = (here[0] + lx * aim.offset * r - ux * back, here[1] + ly * aim.offset * r - uy * back)
    long, half = canvas.px(13), canvas.px(5)
    tail = (tip[0] - ux * long, tip[1] - uy * long)
    canvas.polygon(
        [tip, (tail[0] + lx * half, tail[1] + ly * half), (tail[0] - lx * half, tail[1] - ly * half)], colour
    )


def stop(free: Motion) -> tuple[Point, bool]:
    """End of the flicked piece on a free board [m], and whether it falls off there."""
    name = free.flick.piece
    for event in free.events:
        if isinstance(event, Left) and event.piece == name:
            return event.point, True
    return free.after.piece(name).at, False


def meeting(start: Point, end: Point, piece: Piece, others: Sequence[Piece]) -> Point | None:
    """Place of the piece when, going straight from start to end, it first meets another [m]; None: it meets none."""
    far = hypot(end[0] - start[0], end[1] - start[1])
    if far < 1e-9:
        return None
    ux, uy = (end[0] - start[0]) / far, (end[1] - start[1]) / far
    first = far
    for other in others:
        dx, dy = other.x - start[0], other.y - start[1]
        along, aside, reach = dx * ux + dy * uy, dx * uy - dy * ux, piece.radius + other.radius
        if other.id != piece.id and along > 0.0 and abs(aside) < reach:
            first = min(first, max(0.0, along - sqrt(reach * reach - aside * aside)))
    return (start[0] + first * ux, start[1] + first * uy) if first < far else None


def _unit(a: Point, b: Point) -> Point:
    dx, dy = b[0] - a[0], b[1] - a[1]
    far = (dx * dx + dy * dy) ** 0.5
    return (dx / far, dy / far) if far > 1e-9 else (0.0, -1.0)
