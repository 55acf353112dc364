"""A motion in words: what happened and when, and where and how all came to rest."""

from __future__ import annotations

from math import hypot

import numpy as np
from rich.table import Table

from flicksim.base.units import to_degrees, to_mm
from flicksim.cli.sheet import out
from flicksim.table import Crossed, Event, Landed, Left, Motion, Piece, Rested, Squidge, Struck, Touched

_MOVED = 1e-6
"""Less is not moved [m]."""


def show_motion(motion: Motion) -> None:
    """Events, then where everything is that moved; on a table without a pot, everything."""
    table = Table("time [s]", "piece", "what happened", title="Events")
    for event in motion.events:
        table.add_row(figure(event.t, 4), event.piece, told(event, motion))
    out.print(table)
    winks = motion.before.surface.pot is not None
    places = Table("piece", "x [mm]", "y [mm]", title=f"At rest after {motion.duration:.3f} s")
    for heading in ("rests", "tilt [deg]", "rose to [mm]") if winks else ("turned [deg]",):
        places.add_column(heading, overflow="fold")
    still = 0
    for piece in motion.after.pieces:
        if winks and not moved(motion, piece):
            still += 1
            continue
        row = [piece.id, figure(to_mm(piece.x), 3), figure(to_mm(piece.y), 3)]
        if winks:
            row += [rests(piece), figure(to_degrees(piece.tilt), 1), figure(to_mm(apex(motion, piece.id)), 1)]
        else:
            row.append(figure(to_degrees(piece.angle), 1))
        places.add_row(*row)
    out.print(places)
    if still:
        out.print("1 other piece did not move." if still == 1 else f"{still} other pieces did not move.")
    if isinstance(motion.flick, Squidge):
        out.print(outcome(motion), soft_wrap=True)


def figure(value: float, digits: int) -> str:
    """A number with so many digits after the point; nothing is not less than nothing."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def told(event: Event, motion: Motion) -> str:
    """An event in words."""
    match event:
        case Struck(velocity=(vx, vy), spin=spin):
            if isinstance(motion.flick, Squidge):
                rise, tumble = to_degrees(motion.flick.elevation), motion.flick.tumble
                more = f", backspin {figure(tumble, 1)} rad/s" if tumble else ""
                return f"is squidged off at {figure(motion.flick.speed, 3)} m/s, {figure(rise, 1)} degrees up{more}"
            return f"is sent off at {figure(hypot(vx, vy), 3)} m/s, spinning at {figure(spin, 1)} rad/s"
        case Touched(other=other, speed=speed):
            meets = "meets" if speed >= 0.0 else "is parted from"  # a shot from a pile begins touching
            return f"{meets} {other} at {figure(abs(speed), 3)} m/s"
        case Crossed(line=line, forward=forward):
            return f"crosses the {line} {'forward' if forward else 'backward'}"
        case Left(point=(x, y)):
            return f"leaves the surface at ({figure(to_mm(x), 1)}, {figure(to_mm(y), 1)}) mm"
        case Landed(on=on, speed=speed):
            named = f"the {on}" if on in ("surface", "pot") else on
            return f"comes down on {named} at {figure(speed, 3)} m/s"
        case Rested(point=(x, y)):
            there = motion.after.has(event.piece) and motion.after.piece(event.piece).at == (x, y)
            held = f", {rests(motion.after.piece(event.piece))}" if there and _is_wink(motion) else ""
            return f"rests at ({figure(to_mm(x), 1)}, {figure(to_mm(y), 1)}) mm{held}"


def _is_wink(motion: Motion) -> bool:
    return motion.before.surface.pot is not None


def rests(piece: Piece) -> str:
    """The things that hold a piece at rest."""
    if piece.support != "surface":
        return {"pot": "in the pot", "rim": "balanced on the rim", "leaning": "leaning on the pot"}[piece.support]
    return f"on {' and '.join(piece.lies_on)}" if piece.lies_on else "on the mat"


def apex(motion: Motion, name: str) -> float:
    """Rise of a piece's centre above where it began [m]."""
    if motion.tracks.air is None:
        return 0.0
    heights = motion.tracks.air[:, motion.tracks.ids.index(name), 0]
    return float(max(np.nanmax(heights) - heights[0], 0.0))


def moved(motion: Motion, piece: Piece) -> bool:
    """True where a piece lies otherwise than before."""
    was = motion.before.piece(piece.id)
    gone = hypot(piece.x - was.x, piece.y - was.y) > _MOVED or abs(piece.height - was.height) > _MOVED
    return gone or piece.lies_on != was.lies_on or piece.support != was.support or apex(motion, piece.id) > _MOVED


def outcome(motion: Motion) -> str:
    """The outcome of a squidge in a sentence."""
    name = motion.flick.piece
    was = motion.before.piece(name)
    high = figure(to_mm(apex(motion, name)), 1)
    if not motion.after.has(name):
        return f"{name} rose {high} mm and left the mat."
    piece = motion.after.piece(name)
    far = figure(to_mm(hypot(piece.x - was.x, piece.y - was.y)), 1)
    tilt = f", tilted {figure(to_degrees(piece.tilt), 1)} degrees" if piece.tilt else ""
    turned = ", turned over" if piece.face != was.face else ""
    return f"{name} rose {high} mm, went {far} mm and rests {rests(piece)}{tilt}{turned}."
