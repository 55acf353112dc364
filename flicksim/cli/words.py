"""What the command line shows to people: values as tables and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from flicksim.base.units import to_degrees, to_mm
from flicksim.physics.bench import Cost
from flicksim.physics.flight.truths import Truth as WinkTruth
from flicksim.physics.slice.truths import Beside, Outcomes
from flicksim.physics.truths import Truth
from flicksim.play import Match, Seat, SeriesResult
from flicksim.play.series import wilson
from flicksim.referee import Game, options_of
from flicksim.table import (
    Crossed,
    Event,
    Fell,
    Hit,
    Kept,
    Landed,
    Landing,
    Launched,
    Lay,
    Left,
    Motion,
    Pyramid,
    Rested,
    Struck,
    Touched,
)
from flicksim.table.landing import LandingEvent
from flicksim.table.samples import stresses

# no markup: units in square brackets are to be read, not obeyed
out = Console(markup=False, highlight=False)
err = Console(stderr=True, markup=False, highlight=False)


def show_series(game: Game, series: SeriesResult) -> None:
    table = Table("seat", "player", "wins", "shared", "points", "points a game", "wins, 95 % interval")
    for name, row in zip(game.seat_names, series.seats, strict=False):
        each = f"{float(row.points) / series.games:.2f}" if series.games else "-"
        share = f"{row.rate:.1%} ({row.low:.1%} to {row.high:.1%})" if series.games else "-"
        table.add_row(name, row.player, str(row.wins), str(row.shared), str(row.points), each, share)
    table.title = f"{game.title}: {series.games} games, seed {series.seed}"
    out.print(table)


def show_motion(motion: Motion) -> None:
    table = Table("time [s]", "piece", "what happened", title="Events")
    for event in motion.events:
        table.add_row(f"{event.t:.4f}", event.piece, told(event))
    out.print(table)
    places = Table("piece", "x [mm]", "y [mm]", "turned [deg]", title=f"At rest after {motion.duration:.3f} s")
    for piece in motion.after.pieces:
        places.add_row(piece.id, f"{to_mm(piece.x):.3f}", f"{to_mm(piece.y):.3f}", f"{to_degrees(piece.angle):.1f}")
    out.print(places)


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


def told(event: Event) -> str:
    match event:
        case Struck(velocity=(vx, vy), spin=spin):
            return f"is sent off at {(vx * vx + vy * vy) ** 0.5:.3f} m/s, spinning at {spin + 0.0:.1f} rad/s"
        case Touched(other=other, speed=speed):
            return f"meets {other} at {speed:.3f} m/s"
        case Crossed(line=line, forward=forward):
            return f"crosses the {line} {'forward' if forward else 'backward'}"
        case Left(point=(x, y)):
            return f"leaves the surface at ({to_mm(x):.1f}, {to_mm(y):.1f}) mm"
        case Landed(on=on, speed=speed):
            return f"comes down on the {on} at {speed:.3f} m/s"
        case Rested(point=(x, y)):
            return f"rests at ({to_mm(x):.1f}, {to_mm(y):.1f}) mm"


def plain(value: Any) -> str:
    if isinstance(value, tuple | list):
        return ",".join(f"{part:g}" if isinstance(part, float) else str(part) for part in value)
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return str(value)


def span(seats: tuple[int, int]) -> str:
    return str(seats[0]) if seats[0] == seats[1] else f"{seats[0]}-{seats[1]}"


def show_score(match: Match, seats: Iterable[Seat]) -> None:
    for number, (seat, points) in enumerate(zip(seats, match.scores, strict=True)):
        crown = "  wins" if match.winners == (number,) else "  shares the win" if number in match.winners else ""
        out.print(f"{match.game.seat_names[number]} ({seat}): {points}{crown}")


def progress(unit: str) -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(unit + "s"),
        TimeElapsedColumn(), TimeRemainingColumn(), console=err, transient=False,
    )  # fmt: skip


def show_games(games: Sequence[Game]) -> None:
    """The games there are."""
    table = Table("game", "title", "players", "what it is")
    for game in games:
        table.add_row(game.name, game.title, span(game.seats), game.blurb)
    out.print(table)


def show_rules(game: Game) -> None:
    """A game's rules, options and sources."""
    out.print(f"{game.title} ({span(game.seats)} players)", style="bold")
    out.print(f"{game.story or game.blurb}\n")
    table = Table("id", "rule", "option")
    for row in game.rows:
        table.add_row(row.id, row.text, row.option or "")
    out.print(table)
    switches = Table("option", "default", "may be", "what it does", title="Options (--option name=value)")
    for option in options_of(game):
        switches.add_row(option.name, plain(option.default), option.allowed, option.says)
    out.print(switches)
    out.print("Sources: " + "; ".join(game.sources))


def show_costs(scene: str, rows: Sequence[Cost]) -> None:
    """What one sample costs."""
    table = Table(title=f"{scene}: {stresses(scene)}", title_justify="left")
    for heading in ("what", "unit", "median", "p95", "ratio to bare stepping"):
        table.add_column(heading, justify="left" if heading in ("what", "unit") else "right")
    for row in rows:
        ratio = "" if row.ratio != row.ratio else f"{row.ratio:.2f}"
        table.add_row(row.what, row.unit, f"{row.median:.3f}", f"{row.p95:.3f}", ratio)
    out.print(table)


def show_truths(rows: Sequence[Truth]) -> None:
    """What the physics is measured by."""
    table = Table("claim", "oracle", "measured", "error", "allowed", box=SIMPLE)
    table.columns[0].min_width = 30
    for row in rows:
        unit = "" if row.unit in ("relative", "-") else f" {row.unit}"
        held = f"{row.tolerance:.2g}{unit}" if row.holds else f"{row.tolerance:.2g}{unit} BROKEN"
        table.add_row(row.claim, f"{row.oracle:.5g}", f"{row.measured:.5g}", f"{row.error:.1e}", held)
    out.print(table)
    out.print(f"{sum(row.holds for row in rows)} of {len(rows)} hold.")


def show_wink_truths(rows: Sequence[WinkTruth]) -> None:
    """The height layer beside the 3D engine's tables."""
    table = Table("condition", "3D engine", "ours", "difference", "allowed", box=SIMPLE)
    for row in rows:
        held = "" if row.holds else " MISSED"
        table.add_row(
            row.claim, f"{row.oracle:.3f}", f"{row.measured:.3f}", f"{row.difference:+.3f}", f"{row.tolerance:g}{held}"
        )
    out.print(table)
    out.print(f"{sum(row.holds for row in rows)} of {len(rows)} within what is allowed.")
