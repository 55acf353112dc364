"""Trajectories of flicks, squidges and launches as text: events in time, and final poses."""

from math import hypot

import numpy as np
from rich.table import Column

from flicksim import scene
from flicksim.cli.console import out, show_table
from flicksim.core.sanitize import escape_unprintable
from flicksim.core.units import format_azimuth, to_degrees, to_mm

_MOVE_TOLERANCE = 1e-6
"""Largest displacement of a piece that counts as unmoved [m]."""


def show_trajectory(trajectory: scene.Trajectory) -> None:
    """Print the events, then the final poses of the pieces that moved; without a pot, of all."""
    events = ((format_number(event.t, 4), event.piece, event_text(event, trajectory)) for event in trajectory.events)
    show_table(("time [s]", "piece", "event"), events, title="Events")
    winks = trajectory.before.surface.pot is not None
    extra = ("rests", "tilt [deg]", "rose to [mm]") if winks else ("turned [deg]",)
    headings: list[str | Column] = ["piece", "x [mm]", "y [mm]", *(Column(name, overflow="fold") for name in extra)]
    rows, unmoved = [], 0
    for piece in trajectory.after.pieces:
        if winks and not has_moved(trajectory, piece):
            unmoved += 1
            continue
        row = [piece.id, format_number(to_mm(piece.x), 3), format_number(to_mm(piece.y), 3)]
        if winks:
            row += [
                support_text(trajectory.after, piece.id),
                format_number(to_degrees(piece.tilt), 1),
                format_number(to_mm(apex(trajectory, piece.id)), 1),
            ]
        else:
            row.append(format_number(to_degrees(piece.angle), 1))
        rows.append(row)
    title = f"At rest after {trajectory.duration:.3f} s"
    has_left = len(trajectory.after.pieces) < len(trajectory.before.pieces)
    if not has_left and not any(has_moved(trajectory, piece) for piece in trajectory.after.pieces):
        title, unmoved = f"{title}: nothing has moved by more than {to_mm(_MOVE_TOLERANCE):.3f} mm", 0
    elif not rows:
        title = f"{title}: what moved has left the {_surface_name(trajectory.after)}"
    if rows:
        show_table(headings, rows, title=title)
    else:
        out.print_line(f"{title}.")
    if unmoved:
        out.print("1 other piece did not move." if unmoved == 1 else f"{unmoved} other pieces did not move.")
    if isinstance(trajectory.flick, scene.Squidge):
        out.print_line(escape_unprintable(squidge_summary(trajectory)))


def format_number(value: float, digits: int) -> str:
    """Format a number with `digits` decimals, without a negative zero."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def event_text(event: scene.Event, trajectory: scene.Trajectory) -> str:
    """Text of an event."""
    match event:
        case scene.Struck(velocity=(vx, vy), spin=spin):
            if isinstance(trajectory.flick, scene.Squidge):
                rise, tumble = to_degrees(trajectory.flick.elevation), trajectory.flick.tumble
                backspin = f", backspin {format_number(tumble, 1)} rad/s" if tumble else ""
                launch_speed = format_number(trajectory.flick.speed, 3)
                return f"is squidged off at {launch_speed} m/s, {format_number(rise, 1)} degrees up{backspin}"
            return f"is sent off at {format_number(hypot(vx, vy), 3)} m/s, spinning at {format_number(spin, 1)} rad/s"
        case scene.Collision(other=other, speed=speed):
            verb = "meets" if speed >= 0.0 else "separates from"  # a shot from a pile begins in contact
            return f"{verb} {other} at {format_number(abs(speed), 3)} m/s"
        case scene.LineCrossed(line=line, forward=forward):
            name = line if "line" in line else f"{line} line"
            return f"crosses the {name} {'forward' if forward else 'backward'}"
        case scene.LeftSurface(point=(x, y)):
            return f"leaves the surface at ({format_number(to_mm(x), 1)}, {format_number(to_mm(y), 1)}) mm"
        case scene.Landed(on=on, speed=speed):
            support = f"the {on}" if on in ("surface", "pot") else on
            return f"comes down on {support} at {format_number(speed, 3)} m/s"
        case scene.CameToRest(point=(x, y)):
            is_final = trajectory.after.has(event.piece) and trajectory.after.piece(event.piece).position == (x, y)
            is_supported = is_final and trajectory.before.surface.pot is not None
            support = f", {support_text(trajectory.after, event.piece)}" if is_supported else ""
            return f"rests at ({format_number(to_mm(x), 1)}, {format_number(to_mm(y), 1)}) mm{support}"


def support_text(table: scene.Scene, name: str) -> str:
    """Text of the support of a piece at rest."""
    piece = table.piece(name)
    if piece.support != "surface":
        return {"pot": "in the pot", "rim": "balanced on the rim", "leaning": "leaning on the pot"}[piece.support]
    return f"on {' and '.join(piece.lies_on)}" if piece.lies_on else f"on the {_surface_name(table)}"


def _surface_name(table: scene.Scene) -> str:
    return "board" if table.surface.pot is None else "mat"


def apex(trajectory: scene.Trajectory, name: str) -> float:
    """Rise of a piece's centre above its start [m]."""
    if trajectory.tracks.heights_and_normals is None:
        return 0.0
    heights = trajectory.tracks.heights_and_normals[:, trajectory.tracks.ids.index(name), 0]
    return float(max(np.nanmax(heights) - heights[0], 0.0))


def has_moved(trajectory: scene.Trajectory, piece: scene.Piece) -> bool:
    """Return True if the pose or support of a piece has changed."""
    before = trajectory.before.piece(piece.id)
    displacement = max(hypot(piece.x - before.x, piece.y - before.y), abs(piece.height - before.height))
    return (
        displacement > _MOVE_TOLERANCE
        or piece.lies_on != before.lies_on
        or piece.support != before.support
        or apex(trajectory, piece.id) > _MOVE_TOLERANCE
    )


def squidge_summary(trajectory: scene.Trajectory) -> str:
    """Summary of a squidge in a sentence."""
    name = trajectory.flick.piece
    before = trajectory.before.piece(name)
    rise = format_number(to_mm(apex(trajectory, name)), 1)
    if not trajectory.after.has(name):
        return f"{name} rose {rise} mm and left the {_surface_name(trajectory.after)}."
    piece = trajectory.after.piece(name)
    distance = format_number(to_mm(hypot(piece.x - before.x, piece.y - before.y)), 1)
    tilt = f", tilted {format_number(to_degrees(piece.tilt), 1)} degrees" if piece.tilt else ""
    turned = ", turned over" if piece.face != before.face else ""
    support = support_text(trajectory.after, name)
    return f"{name} rose {rise} mm, went {distance} mm and rests {support}{tilt}{turned}."


def show_launch(trajectory: scene.LaunchTrajectory) -> None:
    """Print the trajectory of a launch."""
    events = ((f"{event.t:.4f}", event.piece, _launch_event_text(event)) for event in trajectory.events)
    show_table(("time [s]", "piece", "event"), events, title="Events")
    places = (
        (piece.id, f"{to_mm(piece.x):.3f}", f"{to_mm(piece.y):.3f}", f"{to_degrees(piece.tilt):.1f}",
         format_azimuth(piece.heading), orientation_text(piece))
        for piece in trajectory.after.pieces
    )  # fmt: skip
    headings = ("piece", "x [mm]", "y [mm]", "tilt [deg]", "heading [deg]", "orientation")
    show_table(headings, places, title=f"At rest after {trajectory.duration:.3f} s")


def orientation_text(piece: scene.Pyramid) -> str:
    """Orientation of a pyramid in words: standing, lying or leaning, and on which others."""
    orientation = "stands" if piece.is_upright else "lies on a side" if piece.is_on_side else "leans"
    supports = " and ".join(
        [*(f"with its base on {name}" for name in piece.stands_on), *(f"against {name}" for name in piece.leans_on)]
    )
    return f"{orientation} {supports}".strip()


def _launch_event_text(event: scene.LaunchEvent) -> str:
    match event:
        case scene.Launched(velocity=(vs, vz), spin=spin):
            return f"leaves the launcher at {(vs * vs + vz * vz) ** 0.5:.3f} m/s, tumbling at {spin + 0.0:.1f} rad/s"
        case scene.LaunchFailed():
            return "stays on the launcher: the flick was too weak"
        case scene.PyramidCollision(on=on, speed=speed):
            return f"meets {'the table' if on == 'surface' else on} at {speed:.3f} m/s"
        case scene.PyramidLeftSurface(point=(x, y)):
            return f"goes off the table at ({to_mm(x):.1f}, {to_mm(y):.1f}) mm"
        case scene.PyramidCameToRest(point=(x, y)):
            return f"comes to rest at ({to_mm(x):.1f}, {to_mm(y):.1f}) mm"
