"""Command `flicksim bench`: speed of the simulation and its validation against references."""

import csv
from collections.abc import Sequence
from math import isnan
from typing import Annotated

import typer
from rich.box import SIMPLE
from rich.table import Column

from flicksim.cli.arguments import AsJson, argument, option
from flicksim.cli.commands import warn_deprecated
from flicksim.cli.console import out, show_json, show_table
from flicksim.core.errors import InvalidOption
from flicksim.core.paths import assets_dir
from flicksim.core.platform_info import platform_tag
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import read_bytes
from flicksim.core.units import to_mm
from flicksim.match import wilson_interval
from flicksim.scene import sample_description
from flicksim.validation import pyramids, winks
from flicksim.validation.performance import SCENES, Timing, measure_timings
from flicksim.validation.planar_discs import ValidationCase, validation_cases

_MIN_WINK_SHOTS = 150
"""Least number of shots of each kind for a verdict: that of the smallest reference table."""


def bench_command(
    what: Annotated[str, argument("speed|validation|winks|pyramids", "Benchmark to run.")] = "speed",
    repeats: Annotated[int, option("--repeats", "N", "Number of shots of each kind.", min=3, max=100_000)] = 60,
    as_json: AsJson = False,
) -> None:
    """Measure the simulation: its speed against bare pymunk, or its errors against references."""
    if what == "truths":
        warn_deprecated("bench truths", "bench validation")
        what = "validation"
    if what == "validation":
        cases = list(validation_cases())
        show_json(cases) if as_json else _show_validation(cases)
        if not all(case.passed for case in cases):
            raise typer.Exit(1)
    elif what == "winks":
        wink_cases = _validate_winks(repeats)
        show_json(wink_cases) if as_json else _show_wink_validation(wink_cases)
        if repeats >= _MIN_WINK_SHOTS and not all(case.passed for case in wink_cases):
            raise typer.Exit(1)
    elif what == "pyramids":
        _validate_pyramids(repeats, as_json)
    elif what == "speed":
        _measure_speed(repeats, as_json)
    else:
        raise InvalidOption(f"no benchmark {what!r}; there are speed, validation, winks and pyramids")


def _measure_speed(repeats: int, as_json: bool) -> None:
    timings: list[Timing] = []
    for scene in SCENES:
        rows_of_scene = list(measure_timings(scene, repeats=repeats))
        timings += rows_of_scene
        if not as_json:
            show_benchmark(scene, rows_of_scene)
    if as_json:
        show_json(timings)
    else:
        out.print(f"{platform_tag()}: compare only ratios within one run, and changes between runs.")


def _validate_winks(shots: int) -> list[winks.ValidationCase]:
    """Validation of winks against tables of an independent 3D engine, `shots` noisy shots for each row."""
    streams = RandomStreams(seed=1).spawn("bench", "winks").generator()
    return [
        *winks.pot_cases(_reference_rows("pot_table.csv"), shots, streams),
        *winks.carry_cases(_reference_rows("bounce_roll.csv"), shots, streams),
        *winks.squop_cases(_reference_rows("squop.csv"), shots, streams),
        *winks.roll_out_cases(shots, streams),
    ]


def _reference_rows(name: str) -> list[dict[str, str]]:
    """Rows of a table of the independent 3D engine."""
    return list(csv.DictReader(read_bytes(assets_dir() / "reference" / name).decode().splitlines()))


def _validate_pyramids(shots: int, as_json: bool) -> None:
    """Print the outcomes of launches by size and speed, and the medium pyramid against throws of a 3D engine."""
    streams, reference = RandomStreams(seed=1).spawn("bench", "pyramids"), _reference_rows("pyramids.csv")
    outcomes = [
        row
        for pieces in (0, 20)
        for row in pyramids.launch_outcomes(shots, streams.spawn(f"launches-{pieces}").generator(), pieces)
    ]
    throws = list(pyramids.compare_with_reference(reference, shots, streams.spawn("throws").generator()))
    if as_json:
        show_json({"launches": outcomes, "throws": throws})
    else:
        _show_launch_outcomes(outcomes)
        _show_reference_comparison(throws)


def show_benchmark(scene: str, rows: Sequence[Timing]) -> None:
    """Print the timings of a scene."""
    numbers = (Column(heading, justify="right") for heading in ("median", "p95", "ratio to bare stepping"))
    shown = (
        (row.what, row.unit, f"{row.median:.3f}", f"{row.p95:.3f}", "" if isnan(row.ratio) else f"{row.ratio:.2f}")
        for row in rows
    )
    title = f"{scene}: {sample_description(scene)}"
    show_table(("what", "unit", *numbers), shown, title=title, title_justify="left")


def _show_validation(rows: Sequence[ValidationCase]) -> None:
    """Print the validation cases of the physics."""
    shown = []
    for row in rows:
        unit = "" if row.unit in ("relative", "-") else f" {row.unit}"
        verdict = f"{row.tolerance:.2g}{unit}{'' if row.passed else ' FAILED'}"
        shown.append((row.claim, f"{row.oracle:.5g}", f"{row.measured:.5g}", f"{row.error:.1e}", verdict))
    numbers = (Column(heading, no_wrap=True) for heading in ("oracle", "measured", "error", "allowed"))
    show_table(("claim", *numbers), shown, box=SIMPLE)
    out.print(f"{sum(row.passed for row in rows)} of {len(rows)} passed.")


def _show_wink_validation(rows: Sequence[winks.ValidationCase]) -> None:
    """Print the validation of winks against the tables of the 3D engine."""
    shown = []
    for row in rows:
        allowed = f"{row.tolerance:g}{'' if row.passed else ' FAILED'}"
        shown.append((row.claim, f"{row.oracle:.3f}", f"{row.measured:.3f}", f"{row.difference:+.3f}", allowed))
    show_table(("condition", "3D engine", "ours", "difference", "allowed"), shown, box=SIMPLE)
    out.print(f"{sum(row.passed for row in rows)} of {len(rows)} within the tolerance.")
    fewest = min(row.n for row in rows)
    if fewest < _MIN_WINK_SHOTS:
        out.print_line(
            f"{fewest} shots of each kind are too few for a verdict: "
            f"a failure counts from {_MIN_WINK_SHOTS} shots on (--repeats)."
        )


def _show_launch_outcomes(rows: Sequence[pyramids.LaunchOutcomes]) -> None:
    """Print the outcomes of launches."""
    shown = []
    for row in rows:
        low, high = wilson_interval(row.upright / row.n, row.n)
        upright = f"{row.upright / row.n:.3f} ({low:.3f}-{high:.3f})"
        shares = [f"{count / row.n:.3f}" for count in (row.side, row.leaning, row.off)]
        carry = f"{to_mm(row.carry):.0f} ± {to_mm(row.spread):.0f}"
        shown.append((row.pieces, row.size, f"{row.speed:g}", row.n, upright, *shares, carry))
    headings = ("pieces", "size", "m/s", "n", "upright (95 %)", "side", "leaning", "off", "carry [mm]")
    title = "Launches by pieces on the table, size of the missile and strength"
    show_table(headings, shown, box=SIMPLE, title=title)


def _show_reference_comparison(rows: Sequence[pyramids.ReferenceComparison]) -> None:
    """Print throws of the medium pyramid beside those of the 3D engine."""
    shown = []
    for row in rows:
        shares = (row.upright, *wilson_interval(row.upright, row.n)), (row.reference, row.low, row.high)
        lengths = (row.flight, row.flight_3d, row.drift, row.drift_3d)
        intervals = ("{:.3f} ({:.3f} to {:.3f})".format(*share) for share in shares)
        shown.append((f"{row.speed:g}", *intervals, *(f"{to_mm(length):.1f}" for length in lengths)))
    headings = ("upright here", "in 3D", "flight here [mm]", "in 3D [mm]", "drift here [mm]", "in 3D [mm]")
    show_table(("thrown at [m/s]", *headings), shown, box=SIMPLE)
