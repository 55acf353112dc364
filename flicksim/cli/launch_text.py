"""Launches and their outcomes as text tables."""

from collections.abc import Sequence
from pathlib import Path

from rich.box import SIMPLE

from flicksim import scene
from flicksim.cli.console import out, show_json, show_table
from flicksim.cli.picture_file import save_picture
from flicksim.core.units import format_azimuth, to_degrees, to_mm
from flicksim.games import load
from flicksim.match import simulate_shot, wilson_interval
from flicksim.validation.pyramids import LaunchOutcomes, ReferenceComparison


def simulate_launch(table: scene.PyramidScene, launch: scene.Launch, as_json: bool, png: Path | None) -> None:
    """Simulate a launch on a table with pyramids and print the result.

    Raises:
        InvalidFile: the picture cannot be written.
        InvalidScene, InvalidAction: the scene or the launch is impossible.
    """
    trajectory = simulate_shot(table, launch)
    assert isinstance(trajectory, scene.LaunchTrajectory)
    if png is not None:
        save_picture(trajectory, png, seats=load("ice").seat_names)
    if not as_json:
        show_launch(trajectory)
        if png is not None:
            out.print(f"Drawn in {png}.")
        return
    show_json(
        {
            "down": trajectory.first_contact_time,
            "duration": trajectory.duration,
            "events": trajectory.events,
            "after": trajectory.after,
            "tracks": [
                {
                    "id": track.id,
                    "gone": track.has_left_table,
                    "times": track.times,
                    "middles": track.positions,
                    "turns": track.orientations,
                }
                for track in trajectory.tracks
            ],
        }
    )


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


def show_launch_outcomes(rows: Sequence[LaunchOutcomes]) -> None:
    """Print the outcomes of launches."""
    shown = []
    for row in rows:
        low, high = wilson_interval(row.upright / row.n, row.n)
        upright = f"{row.upright / row.n:.3f} ({low:.3f}-{high:.3f})"
        shares = [f"{count / row.n:.3f}" for count in (row.side, row.leaning, row.off)]
        carry = f"{to_mm(row.carry):.0f} ± {to_mm(row.spread):.0f}"
        shown.append((row.pieces, row.size, f"{row.speed:g}", row.n, upright, *shares, carry))
    headings = ("pieces", "size", "m/s", "n", "upright (95 %)", "side", "leaning", "off", "carry [mm]")
    title = "Launches by pieces on the table, size of the missile and strength"
    show_table(headings, shown, box=SIMPLE, title=title)


def show_reference_comparison(rows: Sequence[ReferenceComparison]) -> None:
    """Print throws of the medium pyramid beside those of the 3D engine."""
    shown = []
    for row in rows:
        shares = (row.upright, *wilson_interval(row.upright, row.n)), (row.reference, row.low, row.high)
        lengths = (row.flight, row.flight_3d, row.drift, row.drift_3d)
        intervals = ("{:.3f} ({:.3f} to {:.3f})".format(*share) for share in shares)
        shown.append((f"{row.speed:g}", *intervals, *(f"{to_mm(length):.1f}" for length in lengths)))
    headings = ("upright here", "in 3D", "flight here [mm]", "in 3D [mm]", "drift here [mm]", "in 3D [mm]")
    show_table(("thrown at [m/s]", *headings), shown, box=SIMPLE)
