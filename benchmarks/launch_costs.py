"""Costs of a launch of a pyramid: `python -m benchmarks.launch_costs [--repeats N] [--results FOLDER]`.

Launches by a club hand into the middle of a table with 0, 20 and 80 pieces on it, settled to rest; each also against
bare steps of a pymunk world of the same number of pyramids, so that machines can be compared. Only this process's
time counts.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from math import pi
from typing import NamedTuple

import numpy as np
import pymunk

from benchmarks import command_line, csv_results
from benchmarks.squidge_costs import BARE_STEPS, steps_of, time_once
from flicksim.ai import GRADES
from flicksim.engine import Settings, simulate
from flicksim.engine.launcher import side_profile
from flicksim.games.ice.aiming import SLANTS, speed_for_carry
from flicksim.scene import samples
from flicksim.scene.launch import Launch
from flicksim.scene.pyramid import SIZES, standard_shape

_MIDDLE = 0.45


def launches(count: int, seed: int = 1) -> Iterator[Launch]:
    """Launches of all sizes from the middle of one side to the middle of the table, by a club hand, over and over."""
    rng = np.random.default_rng(seed)
    made = []
    for k in range(count):
        size, slant = SIZES[k % 3], k // 3 % 3
        meant = Launch(
            piece="missile", size=size, hold=(_MIDDLE, 0.075), azimuth=pi / 2.0 + 0.6 * (rng.random() - 0.5),
            speed=speed_for_carry(size, slant, _MIDDLE - 0.1), height=0.008 * rng.random(), slant=SLANTS[slant],
        )  # fmt: skip
        made.append(GRADES["club"].execute(meant, rng))
    return cycle(made)


def pymunk_steps(pieces: int) -> Callable[[], object]:
    """So many steps of a world of the same pyramids standing on a table, one of them moving."""
    space = pymunk.Space()
    space.gravity = (0.0, -9.81)
    space.collision_slop = 1e-5
    space.add(pymunk.Segment(space.static_body, (-1.0, 0.0), (0.1 * pieces + 1.0, 0.0), 0.0))
    for k in range(pieces + 1):
        shape = standard_shape(SIZES[k % 3])
        body = pymunk.Body(shape.mass, shape.transverse_inertia)
        body.position = (0.1 * k, shape.centroid)
        space.add(body, pymunk.Poly(body, side_profile(shape)))
    return steps_of(space, 2e-4)


class Row(NamedTuple):
    """Costs of launches onto so many pieces: times [ms], launches a second, and times as ratios.

    Args:
        steps: median over one bare step of as many pyramids.
    """

    pieces: int
    median: float
    p95: float
    per_second: float
    steps: float


def measure(pieces: int, repeats: int) -> Row:
    """Launches onto a table with so many pieces."""
    scene, settings = samples.scattered_pyramids(pieces), Settings()
    made, spent = launches(repeats, seed=1 + pieces), []  # a launcher's part is remembered: none is given twice
    step = time_once(pymunk_steps(pieces), repeats)[0] / BARE_STEPS
    simulate(scene, next(made), settings)
    for _ in range(repeats):
        launch, begin = next(made), time.process_time_ns()
        simulate(scene, launch, settings)
        spent.append((time.process_time_ns() - begin) / 1e6)
    median, mean = float(np.median(spent)), float(np.mean(spent))
    return Row(pieces, median, float(np.percentile(spent, 95)), 1000.0 / mean, median / step)


def main(argv: Sequence[str] | None = None) -> list[Row]:
    """Measure, print, and write a CSV."""
    args = command_line.parser("launch_costs", __doc__, repeats=300, results=command_line.RESULTS).parse_args(argv)
    rows = [measure(pieces, args.repeats) for pieces in (0, 20, 80)]
    headings = ("pieces", "median ms", "p95 ms", "launches a second", "bare steps")
    shown = [(n, f"{median:.2f}", f"{p95:.2f}", f"{rate:.0f}", f"{steps:.0f}") for n, median, p95, rate, steps in rows]
    command_line.show_table(headings, shown, "Launches")
    csv_results.write_lines(args.results / "launches.csv", Row._fields, rows)
    return rows


if __name__ == "__main__":
    main()
