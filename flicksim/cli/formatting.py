"""Formatting of values as tables and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import ClassVar

from rich.box import SIMPLE
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from flicksim.cli.console import err, out
from flicksim.core.sanitize import escape_unprintable
from flicksim.match import GameResult, Match, Seat, SeriesResult, winning_sides
from flicksim.referee import Fixture, Game, Reason
from flicksim.scene import sample_description
from flicksim.validation.performance import Timing
from flicksim.validation.planar_discs import ValidationCase
from flicksim.validation.winks import ValidationCase as WinkTruth

MIN_WINK_SHOTS = 150
"""Shots of each kind from which the height layer is judged: as many as the engine's smallest table has."""

_NARROW_WIDTH = 100
"""On a terminal with fewer letters in a line bars are short."""


def show_corrections(reasons: Iterable[Reason]) -> None:
    """Show what hands did to a position before it could be played from, and what it began."""
    for reason in reasons:
        out.print(f"Before play: {reason.text} [{reason.rule}]", soft_wrap=True)


def show_series(game: Game, series: SeriesResult) -> None:
    table = Table("seat", "player", "wins", "shared", "points", "points a game", "wins, 95 % interval")
    for name, row in zip(game.seat_names, series.seats, strict=False):
        each = f"{float(row.points) / series.games:.2f}" if series.games else "-"
        share = f"{row.rate:.1%} ({row.low:.1%} to {row.high:.1%})" if series.games else "-"
        table.add_row(
            name, escape_unprintable(row.player), str(row.wins), str(row.shared_wins), str(row.points), each, share
        )
    games = "1 game" if series.games == 1 else f"{series.games} games"
    table.title = f"{game.title}: {games}, seed {series.seed}"
    out.print(table)
    for name, row in zip(game.seat_names, series.seats, strict=False):
        if row.forfeits:
            often = "a game: it" if row.forfeits == 1 else f"{row.forfeits} games; the first time it"
            out.print(
                f"{name} ({escape_unprintable(row.player)}) forfeited {often} "
                f"{escape_unprintable(row.forfeit_reason)}.",
                soft_wrap=True,
            )
    show_failed_games(series.failed_games, series.games + len(series.failed_games))
    if series.truncated_games:
        out.print(truncated_text(series.truncated_games, series.games), soft_wrap=True)


def truncated_text(games: int, total: int) -> str:
    """Say how many games of a series reached a bound."""
    told = f"{games} of {total} games" if total != 1 else "The game"
    count = "counts as it stood" if games == 1 else "count as they stood"
    return f"{told} reached a bound and {count} (--max-turns, --max-moves)."


def show_failed_games(failed: Sequence[GameResult], total: int) -> None:
    """Games of a series that could not go on: which, and why; said beside the answer."""
    for result in failed:
        err.print(f"Game {result.number}: {escape_unprintable(result.error)}.", soft_wrap=True)
    if failed:
        err.print(f"{len(failed)} of {total} games could not go on and {'is' if len(failed) == 1 else 'are'} left out.")


def show_team_games(played: Iterable[tuple[Fixture, Fraction, Fraction]]) -> None:
    """Every game of a team match: which pairs, in which colours, how it ended (TW-13b).

    Args:
        played: the fixture, the points of Blue and Red, those of Green and Yellow.
    """
    table = Table("game", "round", "home pair", "away pair", "home plays", "home : away", title="Games")
    for fixture, *both in played:
        mine, theirs = both[fixture.home_colours], both[1 - fixture.home_colours]
        colours = ("Blue and Red", "Green and Yellow")[fixture.home_colours]
        pairs = (str(fixture.home + 1), str(fixture.away + 1))
        table.add_row(str(fixture.number), str(fixture.round), *pairs, colours, f"{mine} : {theirs}")
    out.print(table)


def show_score(match: Match, seats: Iterable[Seat]) -> None:
    if match.forfeit is not None:
        out.print(
            f"{match.game.seat_names[match.forfeit.seat]} forfeits: it {escape_unprintable(match.forfeit.says)}.",
            soft_wrap=True,
        )
    alone = winning_sides(match.game.sides(len(match.scores)), match.winners) == 1
    crowned = "  wins" if alone else "  draws" if match.game.has_partners else "  shares the win"
    for number, (seat, points) in enumerate(zip(seats, match.scores, strict=True)):
        crown = crowned if number in match.winners else ""
        out.print(f"{match.game.seat_names[number]} ({escape_unprintable(str(seat))}): {points}{crown}")


class ProgressBar(Progress):
    """A bar with what is done, for how long, and how long still; while it is shown, others may put a line into it."""

    active: ClassVar[list[ProgressBar]] = []

    def start(self) -> None:
        """Show it."""
        super().start()
        if self not in self.active:
            self.active.append(self)

    def stop(self) -> None:
        """Show it no longer."""
        super().stop()
        if self in self.active:
            self.active.remove(self)


def progress_bar(unit: str, *, rate: bool = False, transient: bool = False) -> ProgressBar:
    """A bar of so many; with the rate for fast things. One in passing leaves nothing behind."""
    speed = [_Rate(unit)] if rate else []
    return ProgressBar(
        TextColumn("{task.description}", markup=False), BarColumn(16 if err.width < _NARROW_WIDTH else 40),
        MofNCompleteColumn(), _Unit(unit), *speed, TimeElapsedColumn(), TimeRemainingColumn(), console=err,
        transient=transient,
    )  # fmt: skip


class _Unit(ProgressColumn):
    """The things that are counted: those of the bar, or of a line that counts others."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        return Text(f"{task.fields.get('unit', self._unit)}s")


class _Rate(ProgressColumn):
    """The number done a second."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.0f} {self._unit}s/s")


def show_benchmark(scene: str, rows: Sequence[Timing]) -> None:
    """Show the cost of each sample."""
    table = Table(title=f"{scene}: {sample_description(scene)}", title_justify="left")
    for heading in ("what", "unit", "median", "p95", "ratio to bare stepping"):
        table.add_column(heading, justify="left" if heading in ("what", "unit") else "right")
    for row in rows:
        ratio = "" if row.ratio != row.ratio else f"{row.ratio:.2f}"
        table.add_row(row.what, row.unit, f"{row.median:.3f}", f"{row.p95:.3f}", ratio)
    out.print(table)


def show_validation(rows: Sequence[ValidationCase]) -> None:
    """Show the measures of the physics."""
    table = Table("claim", "oracle", "measured", "error", "allowed", box=SIMPLE)
    table.columns[0].min_width = 30
    for row in rows:
        unit = "" if row.unit in ("relative", "-") else f" {row.unit}"
        held = f"{row.tolerance:.2g}{unit}" if row.passed else f"{row.tolerance:.2g}{unit} BROKEN"
        table.add_row(row.claim, f"{row.oracle:.5g}", f"{row.measured:.5g}", f"{row.error:.1e}", held)
    out.print(table)
    out.print(f"{sum(row.passed for row in rows)} of {len(rows)} hold.")


def show_wink_validation(rows: Sequence[WinkTruth]) -> None:
    """The height layer beside the 3D engine's tables."""
    table = Table("condition", "3D engine", "ours", "difference", "allowed", box=SIMPLE)
    for row in rows:
        held = "" if row.passed else " MISSED"
        table.add_row(
            row.claim, f"{row.oracle:.3f}", f"{row.measured:.3f}", f"{row.difference:+.3f}", f"{row.tolerance:g}{held}"
        )
    out.print(table)
    out.print(f"{sum(row.passed for row in rows)} of {len(rows)} within what is allowed.")
    fewest = min(row.n for row in rows)
    if fewest < MIN_WINK_SHOTS:
        out.print(
            f"{fewest} shots of each kind are too few to judge by: "
            f"at {MIN_WINK_SHOTS} and more (--repeats) a miss counts.",
            soft_wrap=True,
        )
