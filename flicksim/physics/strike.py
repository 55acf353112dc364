"""From the hand to the first motion of a piece."""

from __future__ import annotations

from collections.abc import Sequence
from math import asin, cos, sin, sqrt

import numpy as np
import numpy.typing as npt

from flicksim.base.geometry import Point
from flicksim.physics.flight import launch
from flicksim.physics.friction import INERTIA
from flicksim.table.flick import Flick, Squidge
from flicksim.table.motion import SquidgerTouch
from flicksim.table.piece import Piece

Array = npt.NDArray[np.float64]

_GRAZE = 1e-5
"""Over less of a wink than this the edge has not passed [m]: what two lengths may differ by and still be equal."""


def finger(piece: Piece, flick: Flick, nail_friction: float) -> tuple[Point, float]:
    """Velocity [m/s] and spin [rad/s] of a flat piece flicked by a nail.

    The nail gives an impulse m*speed along its way at a point of the rim `offset` radii to the side. While that
    lies in the friction cone about the rim's normal the nail holds: the piece goes straight along and spins. Further
    out the nail slips: the rim takes the normal part whole, and of the sideways part what friction can carry.
    """
    lean = asin(flick.offset)  # angle from the inward normal to the nail's way, positive for a hit on the left
    normal = cos(lean)
    tangent = max(-nail_friction * normal, min(nail_friction * normal, sin(lean)))
    ux, uy = flick.direction
    # inward normal at the point struck: the way turned by the lean towards the centre (clockwise for a left hit)
    c, s = cos(lean), sin(lean)
    nx, ny = ux * c + uy * s, uy * c - ux * s
    vx = flick.speed * (normal * nx - tangent * ny)
    vy = flick.speed * (normal * ny + tangent * nx)
    spin = -flick.speed * tangent / (INERTIA * piece.radius)
    return (vx, vy), spin


def squidged(piece: Piece, normal: tuple[float, float, float], squidge: Squidge) -> tuple[Array, Array]:
    """Velocity [m/s] and angular momentum per mass [m^2/s] of a wink as the squidger's edge leaves it.

    The felt is the spring: what it gives back is told by the squidge itself, speed, elevation and backspin.
    """
    return launch(
        piece.radius, piece.thickness / 2.0, np.array(normal),
        squidge.speed, squidge.elevation, squidge.azimuth, squidge.tumble,
    )  # fmt: skip


def drawn_through(
    top: Piece, below: Sequence[Piece], squidge: Squidge
) -> tuple[list[tuple[Array, Array]], tuple[SquidgerTouch, ...]]:
    """Motion of the winks below as the squidger is drawn on through them, and what it touched, for how long, how far.

    The edge goes at the squidge's own pace along its way: first over the wink played, half its width from the middle
    to the rim, then through each wink below in turn for its share of `drag`. Each takes up `press` of the impulse the
    first was given, so a light wink goes faster than a heavy one.
    """
    pace = squidge.speed
    time = top.radius / pace
    log = [SquidgerTouch(piece=top.id, begin=0.0, end=time, way=top.radius)]
    pushed: list[tuple[Array, Array]] = []
    share = squidge.drag / len(below) if below else 0.0
    for piece in below:
        speed = squidge.press * squidge.speed * top.mass / piece.mass
        normal = np.array([sin(piece.tilt) * cos(piece.lean), sin(piece.tilt) * sin(piece.lean), cos(piece.tilt)])
        # what lies under another wink cannot jump: it is drawn out along the mat
        pushed.append(launch(piece.radius, piece.thickness / 2.0, normal, speed, 0.0, squidge.azimuth, 0.0))
        log.append(SquidgerTouch(piece=piece.id, begin=time, end=time + share / pace, way=share))
        time += share / pace
    return pushed, tuple(log)


def passed_over(top: Piece, others: Sequence[Piece], squidge: Squidge) -> tuple[SquidgerTouch, ...]:
    """The winks that the squidger's edge also touches as it is drawn on: each wink on the mat that its way leads over.

    The way is a line on from the rim of the wink played, `drag` long; before, the edge is on that wink alone.
    """
    ux, uy = squidge.direction
    begin, end = top.radius, top.radius + squidge.drag
    log = []
    for piece in others:
        dx, dy = piece.x - top.x, piece.y - top.y
        along, off = dx * ux + dy * uy, dx * uy - dy * ux
        if piece.support != "surface" or abs(off) >= piece.radius:
            continue
        half = sqrt(piece.radius * piece.radius - off * off)
        on, until = max(begin, along - half), min(end, along + half)
        if until - on > _GRAZE:
            touch = SquidgerTouch(piece=piece.id, begin=on / squidge.speed, end=until / squidge.speed, way=until - on)
            log.append(touch)
    return tuple(log)
