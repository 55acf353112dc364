"""Command `flicksim challenges`: list of the challenges, and attempts of a bot at one."""

from datetime import date
from typing import Annotated

import typer
from rich.table import Column

from flicksim.challenges import DAILY_ENTRIES, ChallengeEntry, all_challenges, find_challenge, run_attempts
from flicksim.cli.arguments import AsJson, SeedNumber, argument, option
from flicksim.cli.console import out, show_json, show_table
from flicksim.core.counting import count_of
from flicksim.core.errors import InvalidOption
from flicksim.core.type_aliases import JsonValue
from flicksim.match import parse_seat
from flicksim.referee import MAX_STARS

_DEFAULT_SEAT = "bot:club"
"""Player that attempts a challenge, unless another is named."""


def challenges_command(
    which: Annotated[
        str | None, argument("NAME", "Name of a listed one; daily-challenge, daily-puzzle: of the day.")
    ] = None,
    seat: Annotated[
        str | None, option("--seat", "SEAT", "Player: random, cmd:PROGRAM or bot:GRADE. [default: bot:club]")
    ] = None,
    attempts: Annotated[
        int | None, option("--attempts", "N", "Largest number of attempts. [default: 1]", min=1, max=1000)
    ] = None,
    seed: SeedNumber = 0,
    day: Annotated[
        str | None, option("--day", "YEAR-MONTH-DAY", "Day of daily-challenge and daily-puzzle. [default: today]")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the challenges, or let a bot attempt one."""
    today = _parse_day(day)
    if which is None:
        if attempts is not None or seat is not None:
            raise InvalidOption(
                "--attempts and --seat need the name of a challenge, as in challenges draw-30 --attempts 5"
            )
        _list((*(find(today) for find in DAILY_ENTRIES.values()), *all_challenges()), as_json=as_json)
        return
    if which == "daily":
        which = "daily-challenge"  # its name in 0.1.0
    if day is not None and which not in DAILY_ENTRIES:
        raise InvalidOption(f"--day is for daily-challenge and daily-puzzle, not {which!r}; leave it out")
    entry = DAILY_ENTRIES[which](today) if which in DAILY_ENTRIES else find_challenge(which)
    player = seat or _DEFAULT_SEAT
    if parse_seat(player).kind == "human":
        raise InvalidOption("people attempt challenges in the window; here --seat is random, cmd:PROGRAM or bot:GRADE")
    outcome = run_attempts(entry, player, seed, attempts or 1)
    if as_json:
        show_json(outcome)
    else:
        out.print_line(f"{entry.challenge.title}: {entry.challenge.goal}")
        stars = "★" * outcome.stars + "☆" * (MAX_STARS - outcome.stars)
        result = f"solved, {stars}" if outcome.done else "not solved"
        out.print_line(f"{outcome.text} {count_of(outcome.tries, 'attempt')} of {player}: {result}")
    if not outcome.done:
        raise typer.Exit(1)


def _parse_day(text: str | None) -> date:
    if text is None:
        return date.today()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidOption(f"no day {text!r}; a day is written like 2025-01-31") from None


def _list(entries: tuple[ChallengeEntry, ...], *, as_json: bool) -> None:
    if as_json:
        show_json([_to_plain(entry) for entry in entries])
        return
    name = Column("challenge", no_wrap=True)  # so that names can be copied
    rows = ((entry.name, entry.title, entry.challenge.goal) for entry in entries)
    show_table((name, "title", "goal"), rows)


def _to_plain(entry: ChallengeEntry) -> dict[str, JsonValue]:
    challenge = entry.challenge
    return {
        "name": entry.name, "game": entry.game.name, "title": challenge.title, "ladder": challenge.group,
        "goal": challenge.goal, "trick": challenge.hint, "unit": challenge.unit, "best": challenge.objective,
        "par": None if challenge.star_thresholds is None else list(challenge.star_thresholds),
        "day": None if entry.day is None else entry.day.isoformat(),
    }  # fmt: skip
