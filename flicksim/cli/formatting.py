"""Formatting of values as tables and sentences."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from fractions import Fraction
from typing import Any, ClassVar

from rich import progress
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID
from rich.table import Column
from rich.text import Text

from flicksim.cards import Tile, Zone, Zones, line_halves
from flicksim.cli.console import err, out, show_table
from flicksim.core.counting import count_of
from flicksim.core.sanitize import escape_unprintable
from flicksim.match import GameResult, Match, Seat, SeriesResult, winning_sides
from flicksim.referee import Fixture, Game, Reason

_NARROW_WIDTH = 100
"""Width of a terminal below which progress bars are short [characters]."""
_LINE_INTERVAL, _LINE_SHARE = 5.0, 0.1
"""Without a terminal: least time [s] and least progress between two lines."""
_UNCUT = Column(no_wrap=True)
"""Column of a progress bar that is cut only where the line is too long without the description."""


def show_corrections(reasons: Iterable[Reason]) -> None:
    """Print the corrections of a start position."""
    for reason in reasons:
        out.print_line(f"Before play: {reason.text} [{reason.rule}]")


def show_zones(zones: Zones[object], seat_names: Sequence[str], indent: str = "") -> None:
    """Print zones of cards, or the numbers of those hidden, and the tokens staked; tiles of a line as they lie."""
    shown = {name: " ".join(map(str, pile.cards)) or (f"{pile.hidden} hidden" if pile.hidden else "empty")
             for name, pile in zones.piles.items()}  # fmt: skip
    if line := line_halves(tuple(tile for tile in zones.piles.get("layout", Zone()).cards if isinstance(tile, Tile))):
        shown["layout"] = " ".join(f"{left}-{right}" for left, right in line)
    if any(zones.purses.values()):  # else nothing is staked
        shown |= {name: str(count) for name, count in zones.purses.items()}
    for name, content in shown.items():
        kind, _, number = name.partition(":")
        is_owned = kind in ("hand", "tokens", "chips")
        label = f"{kind} of {seat_names[int(number)]}" if is_owned else f"{kind} {number}".strip()
        out.print_line(f"{indent}{label}: {content}")


def show_series(game: Game, series: SeriesResult) -> None:
    """Print the result of a series."""
    rows = []
    for name, row in zip(game.seat_names, series.seats, strict=False):
        per_game = f"{float(row.points) / series.games:.2f}" if series.games else "-"
        share = f"{row.rate:.1%} ({row.low:.1%} to {row.high:.1%})" if series.games else "-"
        rows.append((name, escape_unprintable(row.player), row.wins, row.shared_wins, row.points, per_game, share))
    headings = ("seat", "player", "wins", "shared", "points", "points a game", "wins, 95 % interval")
    show_table(headings, rows, title=f"{game.title}: {count_of(series.games, 'game')}, seed {series.seed}")
    for name, row in zip(game.seat_names, series.seats, strict=False):
        if row.forfeits:
            count = "a game: it" if row.forfeits == 1 else f"{row.forfeits} games; the first time it"
            out.print_line(
                f"{name} ({escape_unprintable(row.player)}) forfeited {count} {escape_unprintable(row.forfeit_reason)}."
            )
    show_failed_games(series.failed_games, series.games + len(series.failed_games))
    if series.truncated_games:
        out.print_line(truncated_text(series.truncated_games, series.games))


def truncated_text(games: int, total: int) -> str:
    """Sentence on the number of games that reached a limit."""
    which = f"{games} of {total} games" if total != 1 else "The game"
    was, counts = ("was", "counts") if games == 1 else ("were", "count")
    limit = "stopped before the end, by a limit (--max-turns, --max-moves)"
    return f"{which} {was} {limit}, and {counts} by the points made until then; whoever is level shares the win."


def show_failed_games(failed: Sequence[GameResult], total: int) -> None:
    """Print the games of a series that could not continue, on stderr."""
    for result in failed:
        err.print_line(f"Game {result.number}: {escape_unprintable(result.error)}.")
    if failed:
        verb = "is" if len(failed) == 1 else "are"
        err.print(f"{len(failed)} of {count_of(total, 'game')} could not go on and {verb} left out.")


def show_team_games(played: Iterable[tuple[Fixture, Fraction, Fraction]]) -> None:
    """Print the games of a team match: pairs, colours, points (TW-13b).

    Args:
        played: fixture, points of Blue and Red, points of Green and Yellow.
    """
    rows = []
    for fixture, *points in played:
        home, away = points[fixture.home_colours], points[1 - fixture.home_colours]
        colours = ("Blue and Red", "Green and Yellow")[fixture.home_colours]
        pairs = (fixture.home + 1, fixture.away + 1)
        rows.append((fixture.number, fixture.round, *pairs, colours, f"{home} : {away}"))
    show_table(("game", "round", "home pair", "away pair", "home plays", "home : away"), rows, title="Games")


def show_score(match: Match, seats: Iterable[Seat | str]) -> None:
    """Print the points of each seat, with the winners marked; `seats`: players, or people's names."""
    if match.forfeit is not None:
        out.print_line(
            f"{match.game.seat_names[match.forfeit.seat]} forfeits: it {escape_unprintable(match.forfeit.reason)}."
        )
    alone = winning_sides(match.game.sides(len(match.scores)), match.winners) == 1
    mark = "  wins" if alone else "  draws" if match.game.has_partners else "  shares the win"
    for number, (seat, points) in enumerate(zip(seats, match.scores, strict=True)):
        suffix = mark if number in match.winners else ""
        out.print(f"{match.game.seat_names[number]} ({escape_unprintable(str(seat))}): {points}{suffix}")
    if match.forfeit is None and (text := provisional_text(match)):
        out.print_line(f"The rules have not ended this game. {text}.")


def provisional_text(match: Match) -> str:
    """Points of each seat, and of partners together, if the game ended as it lies; empty where the score has them."""
    if match.rules.to_play(match.state) is None or not (points := match.game.provisional_points(match.state)):
        return ""
    names, text = match.game.seat_names, ""
    listed = ", ".join(f"{name} {value}" for name, value in zip(names, points, strict=False))
    if match.game.has_partners:
        pairs = (
            f"{' and '.join(names[seat] for seat in side)} {sum(points[seat] for seat in side)}"
            for side in match.game.sides(len(points))
        )
        text = f"; {', '.join(pairs)}"
    return f"If it ended as it lies, it would count: {listed}{text}"


class ProgressBar(Progress):
    """Progress bar with elapsed and remaining time; while it is active, others may add lines to it.

    Where it is disabled, as stderr is a log, it prints a line of the progress now and then.
    """

    active: ClassVar["list[ProgressBar]"] = []

    def __init__(self, unit: str, *columns: ProgressColumn, **options: Any) -> None:
        super().__init__(*columns, **options)
        self._unit, self._next_share, self._next_time = unit, 0.0, self.get_time() + _LINE_INTERVAL

    def update(self, task_id: TaskID, **changes: Any) -> None:
        """Update a task."""
        super().update(task_id, **changes)
        task, now = next(task for task in self.tasks if task.id == task_id), self.get_time()
        if not self.disable or task.finished or task.total is None or now < self._next_time:
            return
        if (share := task.completed / task.total) >= self._next_share:
            self._next_share, self._next_time = share + _LINE_SHARE, now + _LINE_INTERVAL
            done, elapsed = count_of(int(task.total), self._unit), timedelta(seconds=int(task.elapsed or 0.0))
            err.print_line(f"{task.description}: {task.completed:.0f} of {done} after {elapsed}.")

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """Advance a task."""
        self.update(task_id, advance=advance)

    def start(self) -> None:
        """Show the bar."""
        super().start()
        if self not in self.active:
            self.active.append(self)

    def stop(self) -> None:
        """Hide the bar."""
        if not self.disable:  # else it prints an empty line
            super().stop()
        if self in self.active:
            self.active.remove(self)


def progress_bar(unit: str, *, rate: bool = False, transient: bool = False) -> ProgressBar:
    """Make a progress bar, which is shown on a terminal alone; a log has lines of a long run.

    Args:
        unit: counted things, in the singular. rate: whether to show units per second.
        transient: whether it disappears when it is done.
    """
    speed = [_Rate(unit)] if rate else []
    return ProgressBar(
        unit, _Description(), BarColumn(16 if err.width < _NARROW_WIDTH else 40, table_column=_UNCUT),
        progress.MofNCompleteColumn(table_column=_UNCUT), _Unit(unit), *speed,
        progress.TimeElapsedColumn(table_column=_UNCUT), progress.TimeRemainingColumn(table_column=_UNCUT),
        console=err, transient=transient, disable=not err.is_terminal,
    )  # fmt: skip


class _Description(ProgressColumn):
    """Column of the description, which is cut where the line is too long."""

    def render(self, task: Task) -> Text:
        return Text(task.description, no_wrap=True, overflow="ellipsis")


class _Unit(ProgressColumn):
    """Column of the unit: that of the bar, or of a line with its own."""

    def __init__(self, unit: str) -> None:
        super().__init__(table_column=_UNCUT)
        self._unit = unit

    def render(self, task: Task) -> Text:
        return Text(f"{task.fields.get('unit', self._unit)}s")


class _Rate(_Unit):
    """Column of the rate."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.0f} {self._unit}s/s")
