"""Pyramids at the shell: a launch told in words, and tables of how launches end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.box import SIMPLE
from rich.table import Table

from flicksim.base.units import direction, to_degrees, to_mm
from flicksim.bench.pyramids import Beside, Outcomes
from flicksim.cli.drawn import draw
from flicksim.cli.sheet import out, show_json
from flicksim.games import load
from flicksim.physics import settle
from flicksim.play import wilson
from flicksim.table import Fell, Hit, Kept, Landing, LandingEvent, Launch, Launched, Lay, Pyramid, PyramidScene


def settle_launch(table: PyramidScene, launch: Launch, as_json: bool, png: Path | None) -> None:
    """Launch a missile on a table with pyramids and say what happens.

    Raises:
        BadFile: no such place for a picture. BadScene, BadFlick: it cannot stand so, or not be launched there.
    """
    landing = settle(table, launch)
    if png is not None:
        draw(landing, png, seats=load("ice").seat_names)
    if not as_json:
        show_landing(landing)
        if png is not None:
            out.print(f"Drawn in {png}.")
        return
    show_json(
        {
            "down": landing.down, "duration": landing.duration, "events": landing.events, "after": landing.after,
            "tracks": [
                {
                    "id": track.id, "gone": track.gone, "times": track.times, "middles": track.middles,
                    "turns": track.turns,
                }
                for track in landing.tracks
            ],
        }
    )  # fmt: skip


def show_landing(landing: Landing) -> None:
    """Show one launch."""
    table = Table("time [s]", "piece", "what happened", title="Events")
    for event in landing.events:
        table.add_row(f"{event.t:.4f}", event.piece, _told_landing(event))
    out.print(table)
    title = f"At rest after {landing.duration:.3f} s"
    places = Table("piece", "x [mm]", "y [mm]", "tilt [deg]", "heading [deg]", "how", title=title)
    for piece in landing.after.pieces:
        places.add_row(
            piece.id, f"{to_mm(piece.x):.3f}", f"{to_mm(piece.y):.3f}", f"{to_degrees(piece.tilt):.1f}",
            direction(piece.heading), attitude(piece),
        )  # fmt: skip
    out.print(places)


def attitude(piece: Pyramid) -> str:
    """A pyramid's attitude in words: standing, lying or leaning, and on which others."""
    how = "stands" if piece.standing else "lies on a side" if piece.on_side else "leans"
    on = " and ".join(
        [*(f"with its base on {name}" for name in piece.stands_on), *(f"against {name}" for name in piece.leans_on)]
    )
    return f"{how} {on}".strip()


def _told_landing(event: LandingEvent) -> str:
    match event:
        case Launched(velocity=(vs, vz), spin=spin):
            return f"leaves the launcher at {(vs * vs + vz * vz) ** 0.5:.3f} m/s, tumbling at {spin + 0.0:.1f} rad/s"
        case Kept():
            return "stays on the launcher: the flick was too weak"
        case Hit(on=on, speed=speed):
            return f"meets {'the table' if on == 'surface' else on} at {speed:.3f} m/s"
        case Fell(point=(x, y)):
            return f"goes off the table at ({to_mm(x):.1f}, {to_mm(y):.1f}) mm"
        case Lay(point=(x, y)):
            return f"comes to rest at ({to_mm(x):.1f}, {to_mm(y):.1f}) mm"


def show_outcomes(rows: Sequence[Outcomes]) -> None:
    """Show how pyramids come to rest."""
    table = Table(
        "there", "size", "m/s", "n", "upright (95 %)", "side", "leaning", "off", "carry [mm]", box=SIMPLE,
        title="Launches by pieces on the table, size of the missile and strength",
    )  # fmt: skip
    for row in rows:
        low, high = wilson(row.upright / row.n, row.n)
        shares = [f"{count / row.n:.3f}" for count in (row.side, row.leaning, row.off)]
        table.add_row(
            str(row.pieces), row.size, f"{row.speed:g}", str(row.n),
            f"{row.upright / row.n:.3f} ({low:.3f}-{high:.3f})",
            *shares, f"{to_mm(row.carry):.0f} ± {to_mm(row.spread):.0f}",
        )  # fmt: skip
    out.print(table)


def show_beside(rows: Sequence[Beside]) -> None:
    """Throws of the medium pyramid beside the 3D engine's."""
    table = Table(
        "thrown at [m/s]", "upright here", "in 3D", "flight here [mm]", "in 3D [mm]", "drift here [mm]", "in 3D [mm]",
        box=SIMPLE,
    )  # fmt: skip
    for row in rows:
        low, high = wilson(row.upright, row.n)
        table.add_row(
            f"{row.speed:g}", f"{row.upright:.3f} ({low:.3f} to {high:.3f})",
            f"{row.reference:.3f} ({row.low:.3f} to {row.high:.3f})", f"{to_mm(row.flight):.1f}",
            f"{to_mm(row.flight_3d):.1f}", f"{to_mm(row.drift):.1f}", f"{to_mm(row.drift_3d):.1f}",
        )  # fmt: skip
    out.print(table)
