"""`flicksim bench`: what the physics costs, and how true it is."""

from __future__ import annotations

import csv
from typing import Annotated

import typer

from flicksim.base.codec import read_bytes
from flicksim.base.errors import BadOption
from flicksim.base.machine import machine
from flicksim.base.places import assets
from flicksim.base.seeding import Seeds
from flicksim.bench import pyramids, winks
from flicksim.bench.costs import SCENES, Cost, costs
from flicksim.bench.plane import truths
from flicksim.cli import words
from flicksim.cli.arguments import AsJson
from flicksim.cli.pyramids import show_beside, show_outcomes
from flicksim.cli.sheet import out, show_json


def bench_command(
    what: Annotated[
        str, typer.Argument(metavar="speed|truths|winks|pyramids", help="What it costs, or how true it is.")
    ] = "speed",
    repeats: Annotated[
        int, typer.Option("--repeats", metavar="N", help="Shots measured of each kind.", min=3, max=100_000)
    ] = 60,
    as_json: AsJson = False,
) -> None:
    """Measure the physics: what it costs beside bare pymunk, or how true it is."""
    if what == "truths":
        rows = list(truths())
        if as_json:
            show_json(rows)
        else:
            words.show_truths(rows)
        if not all(row.holds for row in rows):
            raise typer.Exit(1)
        return
    if what == "winks":
        found_winks = _wink_truths(repeats)
        if as_json:
            show_json(found_winks)
        else:
            words.show_wink_truths(found_winks)
        if repeats >= words.ENOUGH and not all(row.holds for row in found_winks):
            raise typer.Exit(1)
        return
    if what == "pyramids":
        _pyramids(repeats, as_json)
        return
    if what != "speed":
        raise BadOption(f"no benchmark {what!r}; there are speed, truths, winks and pyramids")
    found: list[Cost] = []
    for scene in SCENES:
        here = list(costs(scene, repeats=repeats))
        found += here
        if not as_json:
            words.show_costs(scene, here)
    if as_json:
        show_json(found)
    else:
        out.print(f"{machine()}: only ratios within a run, and changes between runs, mean anything.")


def _wink_truths(shots: int) -> list[winks.Truth]:
    """The height layer beside the tables of an independent 3D engine, so many noisy shots a row."""
    tables = assets() / "reference"
    dice = Seeds(seed=1).child("bench", "winks").generator()

    def rows(name: str) -> list[dict[str, str]]:
        return list(csv.DictReader(read_bytes(tables / name).decode().splitlines()))

    return [
        *winks.pot_truths(rows("pot_table.csv"), shots, dice),
        *winks.carry_truths(rows("bounce_roll.csv"), shots, dice),
        *winks.squop_truths(rows("squop.csv"), shots, dice),
        *winks.roll_truths(shots, dice),
    ]


def _pyramids(shots: int, as_json: bool) -> None:
    """Pyramids at rest, by size and strength, and beside a 3D engine's throws of the medium one."""
    dice = Seeds(seed=1).child("bench", "pyramids")
    rows = list(csv.DictReader(read_bytes(assets() / "reference" / "pyramids.csv").decode().splitlines()))
    found = [
        row
        for pieces in (0, 20)
        for row in pyramids.outcomes(shots, dice.child(f"launches-{pieces}").generator(), pieces)
    ]
    thrown = list(pyramids.beside(rows, shots, dice.child("throws").generator()))
    if as_json:
        show_json({"launches": found, "throws": thrown})
    else:
        show_outcomes(found)
        show_beside(thrown)
