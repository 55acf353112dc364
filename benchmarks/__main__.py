"""Time the planar disc simulation: `python -m benchmarks [--repeats N] [--results FOLDER]`; a CSV per machine."""

from collections.abc import Sequence

from benchmarks import command_line, csv_results
from flicksim.cli.bench import show_benchmark
from flicksim.cli.console import out
from flicksim.core.platform_info import platform_tag
from flicksim.validation.performance import SCENES, Timing, measure_timings


def main(argv: Sequence[str] | None = None) -> list[Timing]:
    """Measure every scene, print the timings and write them as CSV."""
    args = command_line.parser("", __doc__, repeats=100, results=command_line.RESULTS).parse_args(argv)
    rows: list[Timing] = []
    for name in SCENES:
        timings = list(measure_timings(name, repeats=args.repeats))
        rows += timings
        show_benchmark(name, timings)
    path = args.results / f"{platform_tag()}.csv"
    csv_results.write(path, rows)
    out.print(f"written to {path}; only ratios within a run, and changes between runs, mean anything")
    return rows


if __name__ == "__main__":
    main()
