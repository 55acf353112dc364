"""Launches and their outcomes as text tables."""

from collections.abc import Sequence
from pathlib import Path

from rich.box import SIMPLE
from rich.table import Table

from flicksim import scene
from flicksim.cli.console import out, show_json
from flicksim.cli.picture_file import save_picture
from flicksim.core.units import format_azimuth, to_degrees, to_mm
from flicksim.engine import simulate
from flicksim.games import load
from flicksim.match import wilson_interval
from flicksim.validation.pyramids import LaunchOutcomes, ReferenceComparison


def simulate_launch(table: scene.PyramidScene, launch: scene.Launch, as_json: bool, png: Path | None) -> None:
    """Simulate a launch on a table with pyramids and print the result.

    Raises:
        InvalidFile: the picture cannot be written.
        InvalidScene, InvalidAction: the scene or the launch is impossible.
    """
    trajectory = simulate(table, launch)
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
    table = Table("time [s]", "piece", "event", title="Events")
    for event in trajectory.events:
        table.add_row(f"{event.t:.4f}", event.piece, _launch_event_text(event))
    out.print(table)
    title = f"At rest after {trajectory.duration:.3f} s"
    places = Table("piece", "x [mm]", "y [mm]", "tilt [deg]", "heading [deg]", "orientation", title=title)
    for piece in trajectory.after.pieces:
        places.add_row(
            piece.id, f"{to_mm(piece.x):.3f}", f"{to_mm(piece.y):.3f}", f"{to_degrees(piece.tilt):.1f}",
            format_azimuth(piece.heading), orientation_text(piece),
        )  # fmt: skip
    out.print(places)


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
    table = Table(
        "pieces", "size", "m/s", "n", "upright (95 %)", "side", "leaning", "off", "carry [mm]", box=SIMPLE,
        title="Launches by pieces on the table, size of the missile and strength",
    )  # fmt: skip
    for row in rows:
        low, high = wilson_interval(row.upright / row.n, row.n)
        shares = [f"{count / row.n:.3f}" for count in (row.side, row.leaning, row.off)]
        table.add_row(
            str(row.pieces), row.size, f"{row.speed:g}", str(row.n),
            f"{row.upright / row.n:.3f} ({low:.3f}-{high:.3f})",
            *shares, f"{to_mm(row.carry):.0f} ± {to_mm(row.spread):.0f}",
        )  # fmt: skip
    out.print(table)


def show_reference_comparison(rows: Sequence[ReferenceComparison]) -> None:
    """Print throws of the medium pyramid beside those of the 3D engine."""
    table = Table(
        "thrown at [m/s]", "upright here", "in 3D", "flight here [mm]", "in 3D [mm]", "drift here [mm]", "in 3D [mm]",
        box=SIMPLE,
    )  # fmt: skip
    for row in rows:
        low, high = wilson_interval(row.upright, row.n)
        table.add_row(
            f"{row.speed:g}", f"{row.upright:.3f} ({low:.3f} to {high:.3f})",
            f"{row.reference:.3f} ({row.low:.3f} to {row.high:.3f})", f"{to_mm(row.flight):.1f}",
            f"{to_mm(row.flight_3d):.1f}", f"{to_mm(row.drift):.1f}", f"{to_mm(row.drift_3d):.1f}",
        )  # fmt: skip
    out.print(table)
