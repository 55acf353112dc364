"""A flick being aimed, on the board: where it would go with nothing in its way, and where the nail strikes."""

from __future__ import annotations

from math import cos, sin

from flicksim.base.geometry import Point
from flicksim.table import Left, Motion, Piece
from flicksim.ui import palette
from flicksim.ui.aim import Aim
from flicksim.ui.camera import Camera
from flicksim.ui.canvas import Canvas
from flicksim.ui.table_painter import TablePainter


def aim(
    canvas: Canvas, camera: Camera, painter: TablePainter, piece: Piece, aim: Aim, free: Motion | None, wrong: bool
) -> None:
    """The piece in hand, its way on the free board, and where it would stop.

    Args:
        free: the flick settled on a board with nothing else on it; None when it cannot be. wrong: not allowed so.
    """
    here = camera.to_screen(aim.at)
    r = piece.radius * camera.zoom
    colour = palette.BAD if wrong else palette.ACCENT
    if free is not None:
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
    painter.piece(canvas, camera, piece, (aim.at[0], aim.at[1], 0.0))
    canvas.ring(here, r + canvas.px(3), colour, canvas.px(2))
    _nail(canvas, here, r, aim, colour)


def _nail(canvas: Canvas, here: Point, r: float, aim: Aim, colour: palette.Colour) -> None:
    """The finger: an arrow head behind the piece, set aside as the nail is."""
    ux, uy = cos(aim.azimuth), -sin(aim.azimuth)
    lx, ly = sin(-aim.azimuth), -cos(aim.azimuth)  # to the left of the way, on the screen
    back = r * (1.0 - aim.offset**2) ** 0.5 + canvas.px(3)
    tip = (here[0] + lx * aim.offset * r - ux * back, here[1] + ly * aim.offset * r - uy * back)
    long, half = canvas.px(13), canvas.px(5)
    tail = (tip[0] - ux * long, tip[1] - uy * long)
    canvas.polygon(
        [tip, (tail[0] + lx * half, tail[1] + ly * half), (tail[0] - lx * half, tail[1] - ly * half)], colour
    )


def stop(free: Motion) -> tuple[Point, bool]:
    """Where the flicked piece ends on a free board [m], and whether it falls off there."""
    name = free.flick.piece
    for event in free.events:
        if isinstance(event, Left) and event.piece == name:
            return event.point, True
    return free.after.piece(name).at, False


def _unit(a: Point, b: Point) -> Point:
    dx, dy = b[0] - a[0], b[1] - a[1]
    far = (dx * dx + dy * dy) ** 0.5
    return (dx / far, dy / far) if far > 1e-9 else (0.0, -1.0)
