"""Command `flicksim bench`: speed of the simulation and its validation against references."""

import csv
from typing import Annotated

import typer

from flicksim.cli import formatting
from flicksim.cli.arguments import AsJson
from flicksim.cli.commands import warn_deprecated
from flicksim.cli.console import out, show_json
from flicksim.cli.launch_text import show_launch_outcomes, show_reference_comparison
from flicksim.core.errors import InvalidOption
from flicksim.core.paths import assets_dir
from flicksim.core.platform_info import platform_tag
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import read_bytes
from flicksim.validation import pyramids, winks
from flicksim.validation.performance import SCENES, Timing, measure_timings
from flicksim.validation.planar_discs import validation_cases


def bench_command(
    what: Annotated[
        str,
        typer.Argument(metavar="speed|validation|winks|pyramids", help="Benchmark to run."),
    ] = "speed",
    repeats: Annotated[
        int, typer.Option("--repeats", metavar="N", help="Number of shots of each kind.", min=3, max=100_000)
    ] = 60,
    as_json: AsJson = False,
) -> None:
    """Measure the simulation: its speed against bare pymunk, or its errors against references."""
    if what == "truths":
        warn_deprecated("bench truths", "bench validation")
        what = "validation"
    if what == "validation":
        rows = list(validation_cases())
        if as_json:
            show_json(rows)
        else:
            formatting.show_validation(rows)
        if not all(row.passed for row in rows):
            raise typer.Exit(1)
        return
    if what == "winks":
        wink_rows = _validate_winks(repeats)
        if as_json:
            show_json(wink_rows)
        else:
            formatting.show_wink_validation(wink_rows)
        if repeats >= formatting.MIN_WINK_SHOTS and not all(row.passed for row in wink_rows):
            raise typer.Exit(1)
        return
    if what == "pyramids":
        _validate_pyramids(repeats, as_json)
        return
    if what != "speed":
        raise InvalidOption(f"no benchmark {what!r}; there are speed, validation, winks and pyramids")
    timings: list[Timing] = []
    for scene in SCENES:
        rows_of_scene = list(measure_timings(scene, repeats=repeats))
        timings += rows_of_scene
        if not as_json:
            formatting.show_benchmark(scene, rows_of_scene)
    if as_json:
        show_json(timings)
    else:
        out.print(f"{platform_tag()}: compare only ratios within one run, and changes between runs.")


def _validate_winks(shots: int) -> list[winks.ValidationCase]:
    """Validation of winks against tables of an independent 3D engine, `shots` noisy shots for each row."""
    tables = assets_dir() / "reference"
    streams = RandomStreams(seed=1).spawn("bench", "winks").generator()

    def rows(name: str) -> list[dict[str, str]]:
        return list(csv.DictReader(read_bytes(tables / name).decode().splitlines()))

    return [
        *winks.pot_cases(rows("pot_table.csv"), shots, streams),
        *winks.carry_cases(rows("bounce_roll.csv"), shots, streams),
        *winks.squop_cases(rows("squop.csv"), shots, streams),
        *winks.roll_out_cases(shots, streams),
    ]


def _validate_pyramids(shots: int, as_json: bool) -> None:
    """Print the outcomes of launches by size and speed, and the medium pyramid against throws of a 3D engine."""
    streams = RandomStreams(seed=1).spawn("bench", "pyramids")
    reference = list(csv.DictReader(read_bytes(assets_dir() / "reference" / "pyramids.csv").decode().splitlines()))
    outcomes = [
        row
        for pieces in (0, 20)
        for row in pyramids.launch_outcomes(shots, streams.spawn(f"launches-{pieces}").generator(), pieces)
    ]
    throws = list(pyramids.compare_with_reference(reference, shots, streams.spawn("throws").generator()))
    if as_json:
        show_json({"launches": outcomes, "throws": throws})
    else:
        show_launch_outcomes(outcomes)
        show_reference_comparison(throws)
