"""Initial motion of squidged winks, and the squidger's way over others."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin, sqrt

import numpy as np

from flicksim.core.arrays import Floats
from flicksim.engine.winks import launch_motion
from flicksim.scene.flick import Squidge
from flicksim.scene.piece import Piece
from flicksim.scene.trajectory import SquidgerContact

_MIN_CONTACT_LENGTH = 1e-5
"""Shortest path over a wink that counts as contact [m]; shorter ones are rounding errors."""


def squidge_motion(piece: Piece, normal: tuple[float, float, float], squidge: Squidge) -> tuple[Floats, Floats]:
    """Velocity [m/s] and angular momentum per mass [m^2/s] of a wink as the squidger's edge leaves it.

    The felt is the spring; its effect is given by the squidge itself: speed, elevation and backspin.
    """
    return launch_motion(
        piece.radius, piece.thickness / 2.0, np.array(normal),
        squidge.speed, squidge.elevation, squidge.azimuth, squidge.tumble,
    )  # fmt: skip


def follow_through_below(
    top: Piece, below: Sequence[Piece], squidge: Squidge
) -> tuple[list[tuple[Floats, Floats]], tuple[SquidgerContact, ...]]:
    """Motion of the winks below as the squidger follows through them, and the contacts of the squidger.

    The edge moves at the speed of the squidge: first over the wink played, from its centre to its rim, then over each
    wink below in turn for an equal part of `drag`. Each takes up the fraction `press` of the impulse given to the
    first, so a light wink goes faster than a heavy one.

    Returns:
        velocity [m/s] and angular momentum per mass [m^2/s] of each wink below; contacts in order of time.
    """
    edge_speed = squidge.speed
    time = top.radius / edge_speed
    log = [SquidgerContact(piece=top.id, begin=0.0, end=time, way=top.radius)]
    pushed: list[tuple[Floats, Floats]] = []
    length = squidge.drag / len(below) if below else 0.0
    for piece in below:
        speed = squidge.press * squidge.speed * top.mass / piece.mass
        normal = np.array([sin(piece.tilt) * cos(piece.lean), sin(piece.tilt) * sin(piece.lean), cos(piece.tilt)])
        # a wink under another cannot jump: it is drawn out along the mat
        pushed.append(launch_motion(piece.radius, piece.thickness / 2.0, normal, speed, 0.0, squidge.azimuth, 0.0))
        log.append(SquidgerContact(piece=piece.id, begin=time, end=time + length / edge_speed, way=length))
        time += length / edge_speed
    return pushed, tuple(log)


def follow_through_contacts(top: Piece, others: Sequence[Piece], squidge: Squidge) -> tuple[SquidgerContact, ...]:
    """Contacts of the squidger's edge with other winks on the mat that its follow-through leads over.

    Its path is a line of length `drag` from the rim of the wink played; before, the edge is on that wink alone.
    """
    ux, uy = squidge.direction
    begin, end = top.radius, top.radius + squidge.drag
    log = []
    for piece in others:
        dx, dy = piece.x - top.x, piece.y - top.y
        along, aside = dx * ux + dy * uy, dx * uy - dy * ux
        if piece.support != "surface" or abs(aside) >= piece.radius:
            continue
        half = sqrt(piece.radius * piece.radius - aside * aside)
        enter, leave = max(begin, along - half), min(end, along + half)
        if leave - enter > _MIN_CONTACT_LENGTH:
            contact = SquidgerContact(
                piece=piece.id, begin=enter / squidge.speed, end=leave / squidge.speed, way=leave - enter
            )
            log.append(contact)
    return tuple(log)
