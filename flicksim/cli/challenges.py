"""Challenges at the shell: which there are, and tries at one with a bot's hand."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import typer
from rich.table import Table

from flicksim.base.errors import BadOption
from flicksim.base.kinds import Plain
from flicksim.challenges import Posed, daily, every, find, tried
from flicksim.cli.arguments import AsJson, SeedNumber
from flicksim.cli.sheet import out, show_json
from flicksim.play import parse_seat
from flicksim.referee import MOST_STARS

_TRIES = "bot:club"
"""Bot that tries when nobody is named."""


def challenges_command(
    which: Annotated[
        str | None, typer.Argument(metavar="NAME", help="One of those that are listed; daily: that of the day.")
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option("--seat", metavar="SEAT", help="Who tries: random, cmd:PROGRAM or bot:GRADE; bot:club without."),
    ] = None,
    tries: Annotated[
        int | None, typer.Option("--tries", metavar="N", help="So many at most; one without.", min=1, max=1000)
    ] = None,
    seed: SeedNumber = 0,
    day: Annotated[
        str | None, typer.Option("--day", metavar="YEAR-MONTH-DAY", help="Whose daily one; today's without.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the challenges; with a name, have a bot try one."""
    today = _day(day)
    if which is None:
        if tries is not None or seat is not None:
            raise BadOption("--tries and --seat are about one challenge; name it, as in challenges draw-30 --tries 5")
        _list((daily(today), *every()), as_json=as_json)
        return
    posed = daily(today) if which == "daily" else find(which)
    who = seat or _TRIES
    if parse_seat(who).kind == "human":
        raise BadOption("people try challenges in the window; here --seat is random, cmd:PROGRAM or bot:GRADE")
    outcome = tried(posed, who, seed, tries or 1)
    if as_json:
        show_json(outcome)
    else:
        out.print(f"{posed.challenge.title}: {posed.challenge.goal}", soft_wrap=True)
        count = "1 try" if outcome.tries == 1 else f"{outcome.tries} tries"
        done = f"done, {_stars(outcome.stars)}" if outcome.done else "not done"
        out.print(f"{outcome.says} {count}: {done}", soft_wrap=True)
    if not outcome.done:
        raise typer.Exit(1)


def _day(word: str | None) -> date:
    if word is None:
        return date.today()
    try:
        return date.fromisoformat(word)
    except ValueError:
        raise BadOption(f"no day {word!r}; a day is written like 2025-01-31") from None


def _stars(count: int) -> str:
    return "★" * count + "☆" * (MOST_STARS - count)


def _list(found: tuple[Posed, ...], *, as_json: bool) -> None:
    if as_json:
        show_json([_told(one) for one in found])
        return
    table = Table("challenge", "title", "goal")
    table.columns[0].no_wrap = True  # a name that is cut cannot be typed
    for one in found:
        table.add_row(one.name, one.challenge.title, one.challenge.goal)
    out.print(table)


def _told(one: Posed) -> dict[str, Plain]:
    challenge = one.challenge
    return {
        "name": one.name, "game": one.game.name, "title": challenge.title, "ladder": challenge.ladder,
        "goal": challenge.goal, "trick": challenge.trick, "unit": challenge.unit, "best": challenge.best,
        "par": None if challenge.par is None else list(challenge.par),
        "day": None if one.day is None else one.day.isoformat(),
    }  # fmt: skip
