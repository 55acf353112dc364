"""Trajectory as text: events in time, and final poses."""

from __future__ import annotations

from math import hypot

import numpy as np
from rich.table import Table

from flicksim.cli.console import out
from flicksim.core.units import to_degrees, to_mm
from flicksim.scene import (
    CameToRest,
    Collision,
    Event,
    Landed,
    LeftSurface,
    LineCrossed,
    Piece,
    Squidge,
    Struck,
    Trajectory,
)

_MOVE_TOLERANCE = 1e-6
"""Less is not moved [m]."""


def show_trajectory(trajectory: Trajectory) -> None:
    """Events, then where everything is that moved; on a table without a pot, everything."""
    table = Table("time [s]", "piece", "what happened", title="Events")
    for event in trajectory.events:
        table.add_row(format_number(event.t, 4), event.piece, event_text(event, trajectory))
    out.print(table)
    winks = trajectory.before.surface.pot is not None
    places = Table("piece", "x [mm]", "y [mm]", title=f"At rest after {trajectory.duration:.3f} s")
    for heading in ("rests", "tilt [deg]", "rose to [mm]") if winks else ("turned [deg]",):
        places.add_column(heading, overflow="fold")
    still = 0
    for piece in trajectory.after.pieces:
        if winks and not has_moved(trajectory, piece):
            still += 1
            continue
        row = [piece.id, format_number(to_mm(piece.x), 3), format_number(to_mm(piece.y), 3)]
        if winks:
            row += [
                support_text(piece),
                format_number(to_degrees(piece.tilt), 1),
                format_number(to_mm(apex(trajectory, piece.id)), 1),
            ]
        else:
            row.append(format_number(to_degrees(piece.angle), 1))
        places.add_row(*row)
    out.print(places)
    if still:
        out.print("1 other piece did not move." if still == 1 else f"{still} other pieces did not move.")
    if isinstance(trajectory.flick, Squidge):
        out.print(squidge_summary(trajectory), soft_wrap=True)


def format_number(value: float, digits: int) -> str:
    """A number with so many digits after the point; nothing is not less than nothing."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def event_text(event: Event, trajectory: Trajectory) -> str:
    """An event in words."""
    match event:
        case Struck(velocity=(vx, vy), spin=spin):
            if isinstance(trajectory.flick, Squidge):
                rise, tumble = to_degrees(trajectory.flick.elevation), trajectory.flick.tumble
                more = f", backspin {format_number(tumble, 1)} rad/s" if tumble else ""
                launch_speed = format_number(trajectory.flick.speed, 3)
                return f"is squidged off at {launch_speed} m/s, {format_number(rise, 1)} degrees up{more}"
            return f"is sent off at {format_number(hypot(vx, vy), 3)} m/s, spinning at {format_number(spin, 1)} rad/s"
        case Collision(other=other, speed=speed):
            meets = "meets" if speed >= 0.0 else "is parted from"  # a shot from a pile begins touching
            return f"{meets} {other} at {format_number(abs(speed), 3)} m/s"
        case LineCrossed(line=line, forward=forward):
            return f"crosses the {line} {'forward' if forward else 'backward'}"
        case LeftSurface(point=(x, y)):
            return f"leaves the surface at ({format_number(to_mm(x), 1)}, {format_number(to_mm(y), 1)}) mm"
        case Landed(on=on, speed=speed):
            named = f"the {on}" if on in ("surface", "pot") else on
            return f"comes down on {named} at {format_number(speed, 3)} m/s"
        case CameToRest(point=(x, y)):
            there = trajectory.after.has(event.piece) and trajectory.after.piece(event.piece).position == (x, y)
            held = f", {support_text(trajectory.after.piece(event.piece))}" if there and _is_wink(trajectory) else ""
            return f"rests at ({format_number(to_mm(x), 1)}, {format_number(to_mm(y), 1)}) mm{held}"


def _is_wink(trajectory: Trajectory) -> bool:
    return trajectory.before.surface.pot is not None


def support_text(piece: Piece) -> str:
    """The things that hold a piece at rest."""
    if piece.support != "surface":
        return {"pot": "in the pot", "rim": "balanced on the rim", "leaning": "leaning on the pot"}[piece.support]
    return f"on {' and '.join(piece.lies_on)}" if piece.lies_on else "on the mat"


def apex(trajectory: Trajectory, name: str) -> float:
    """Rise of a piece's centre above where it began [m]."""
    if trajectory.tracks.heights_and_normals is None:
        return 0.0
    heights = trajectory.tracks.heights_and_normals[:, trajectory.tracks.ids.index(name), 0]
    return float(max(np.nanmax(heights) - heights[0], 0.0))


def has_moved(trajectory: Trajectory, piece: Piece) -> bool:
    """True where a piece lies otherwise than before."""
    was = trajectory.before.piece(piece.id)
    gone = hypot(piece.x - was.x, piece.y - was.y) > _MOVE_TOLERANCE or abs(piece.height - was.height) > _MOVE_TOLERANCE
    return (
        gone
        or piece.lies_on != was.lies_on
        or piece.support != was.support
        or apex(trajectory, piece.id) > _MOVE_TOLERANCE
    )


def squidge_summary(trajectory: Trajectory) -> str:
    """The outcome of a squidge in a sentence."""
    name = trajectory.flick.piece
    was = trajectory.before.piece(name)
    high = format_number(to_mm(apex(trajectory, name)), 1)
    if not trajectory.after.has(name):
        return f"{name} rose {high} mm and left the mat."
    piece = trajectory.after.piece(name)
    far = format_number(to_mm(hypot(piece.x - was.x, piece.y - was.y)), 1)
    tilt = f", tilted {format_number(to_degrees(piece.tilt), 1)} degrees" if piece.tilt else ""
    turned = ", turned over" if piece.face != was.face else ""
    return f"{name} rose {high} mm, went {far} mm and rests {support_text(piece)}{tilt}{turned}."
