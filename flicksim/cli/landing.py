"""A launch in words: what happened and when, how all came to rest; and the pyramids' truths."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE
from rich.table import Table

from flicksim.base.units import to_degrees, to_mm
from flicksim.cli.words import out
from flicksim.physics.slice.truths import Beside, Outcomes
from flicksim.play.series import wilson
from flicksim.table import Fell, Hit, Kept, Landing, Launched, Lay, Pyramid
from flicksim.table.landing import LandingEvent


def show_landing(landing: Landing) -> None:
    """What one launch did."""
    table = Table("time [s]", "piece", "what happened", title="Events")
    for event in landing.events:
        table.add_row(f"{event.t:.4f}", event.piece, _told_landing(event))
    out.print(table)
    title = f"At rest after {landing.duration:.3f} s"
    places = Table("piece", "x [mm]", "y [mm]", "tilt [deg]", "heading [deg]", "how", title=title)
    for piece in landing.after.pieces:
        places.add_row(
            piece.id, f"{to_mm(piece.x):.3f}", f"{to_mm(piece.y):.3f}", f"{to_degrees(piece.tilt):.1f}",
            f"{to_degrees(piece.heading):.1f}", attitude(piece),
        )  # fmt: skip
    out.print(places)


def attitude(piece: Pyramid) -> str:
    """How a pyramid stands, lies or leans, and on what."""
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
    """How pyramids come to rest."""
    table = Table("size", "strength [m/s]", "launches", "upright", "95 % interval", "side", "carry [mm]", box=SIMPLE)
    for row in rows:
        share = row.upright / row.n
        low, high = wilson(share, row.n)
        table.add_row(
            row.size, f"{row.speed:g}", str(row.n), f"{share:.3f}", f"{low:.3f} to {high:.3f}",
            f"{row.side / row.n:.3f}", f"{to_mm(row.carry):.0f} ± {to_mm(row.spread):.0f}",
        )  # fmt: skip
    out.print(table)


def show_beside(rows: Sequence[Beside]) -> None:
    """Throws of the medium pyramid beside the 3D engine's."""
    table = Table("thrown at [m/s]", "upright here", "in 3D", "flight here [mm]", "in 3D [mm]", box=SIMPLE)
    for row in rows:
        low, high = wilson(row.upright, row.n)
        table.add_row(
            f"{row.speed:g}", f"{row.upright:.3f} ({low:.3f} to {high:.3f})",
            f"{row.reference:.3f} ({row.low:.3f} to {row.high:.3f})", f"{to_mm(row.flight):.1f}",
            f"{to_mm(row.flight_3d):.1f}",
        )  # fmt: skip
    out.print(table)
    out.print("A slice turns about one axis only: flights agree, but a piece comes to stand more often than in space.")
