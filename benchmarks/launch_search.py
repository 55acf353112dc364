"""Random search for launches in Ice that land upright: `python -m benchmarks.launch_search [--size S] [--hand GRADE]`.

Random launches are tried with execution noise on an empty table; in successive halving the best share of them is tried
again, then random variations of the best. Prints rows of `games/ice/launches.toml`, with the rates of fresh trials for
every grade.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import degrees

import numpy as np
import numpy.typing as npt

from benchmarks import command_line
from flicksim.ai import GRADES
from flicksim.core.arrays import Floats
from flicksim.core.random_streams import RandomStreams
from flicksim.core.units import to_mm
from flicksim.engine import simulate_batch
from flicksim.engine.batch.launch_batch import ON_SIDE, UPRIGHT
from flicksim.games.ice.table_layout import Options, seat_areas, surface
from flicksim.scene.launch import BASE_HEIGHT_RANGE, STRIKE_ELEVATION_RANGE, STRIKE_HEIGHT_RANGE, Launch
from flicksim.scene.pyramid import SIZES, Size
from flicksim.scene.pyramid_scene import PyramidScene

_EMPTY_TABLE, _LAUNCH_POSITION = PyramidScene(surface=surface(Options(), 1)), seat_areas(Options(), 1)[0]
_SPEED_RANGE: dict[Size, tuple[float, float]] = {"small": (1.2, 4.0), "medium": (1.6, 5.5), "large": (1.8, 6.5)}
"""Range of launch speeds drawn [m/s]."""
_MAX_LIFT = 4.0 * BASE_HEIGHT_RANGE[0]
"""Largest height over the table drawn [m]."""
_START_LINE_MARGIN = 0.015
"""Distance of its middle beyond the start line at which a piece is clear of it, about [m]."""
_ROUNDS = ((8, 6), (16, 5), (40, 1))
"""Trials added in a round, and the reciprocal of the share of candidates that goes on."""
_REFINEMENTS, _PARENTS, _CHILDREN, _SPREAD = 4, 8, 8, 0.05
"""Rounds of variation, parents per round, children per parent, and their first spread, in shares of the ranges."""
_VALIDATION_LAUNCHES = 400
"""Fresh trials of a printed launch."""


class LaunchSearch:
    """Launches of one size, tried with the execution noise of one grade.

    Args:
        stay: smallest share of launches that must stay on the table.
    """

    def __init__(self, size: Size, grade: str, stay: float, rng: np.random.Generator) -> None:
        self._size, self._grade, self._stay, self._rng = size, grade, stay, rng
        self._low = np.array(
            [_SPEED_RANGE[size][0], STRIKE_HEIGHT_RANGE[0], STRIKE_ELEVATION_RANGE[0], BASE_HEIGHT_RANGE[0]]
        )
        self._high = np.array([_SPEED_RANGE[size][1], STRIKE_HEIGHT_RANGE[1], STRIKE_ELEVATION_RANGE[1], _MAX_LIFT])
        self.parameters = np.zeros((0, 4))
        self.counts = np.zeros((0, 3))

    def best(self, drawn: int, count: int) -> list[Launch]:
        """Search from so many random launches; return those that stood most often."""
        self._draw(self._low + (self._high - self._low) * self._rng.random((drawn, 4)), _ROUNDS[0][0])
        remaining = drawn
        for (_, share), (launches, _) in pairwise(_ROUNDS):
            remaining = max(3 * _PARENTS, remaining // share)
            self._resample(remaining, launches)
        for refinement in range(_REFINEMENTS):
            spread = _SPREAD / (1.0 + 0.6 * refinement) * (self._high - self._low)
            children = [
                row + spread * self._rng.normal(size=(_CHILDREN, 4))
                for row in self.parameters[self._best_rows(_PARENTS)]
            ]
            self._draw(np.clip(np.concatenate(children), self._low, self._high), 40)
            self._resample(_PARENTS + 2, 80)
        return [intended_launch(self._size, row) for row in self.parameters[self._best_rows(count)]]

    def _best_rows(self, count: int) -> npt.NDArray[np.int64]:
        return np.argsort(-standing_share(self.counts, self._stay), kind="stable")[:count]

    def _draw(self, parameters: Floats, launches: int) -> None:
        self.parameters = np.concatenate([self.parameters, parameters])
        self.counts = np.concatenate([self.counts, np.zeros((len(parameters), 3))])
        self._evaluate(np.arange(len(self.parameters) - len(parameters), len(self.parameters)), launches)

    def _resample(self, count: int, launches: int) -> None:
        self._evaluate(self._best_rows(count), launches)

    def _evaluate(self, rows: npt.NDArray[np.int64], launches: int) -> None:
        for row in rows.tolist():
            standing, stayed, _ = evaluate_launch(
                intended_launch(self._size, self.parameters[row]), self._grade, launches, self._rng
            )
            self.counts[row] += standing, stayed, launches


def standing_share(counts: Floats, stay: float) -> Floats:
    """Smoothed share of the launches standing of those that stayed; reduced where too few stayed. [W]

    Args:
        counts: numbers that stood, stayed and were launched. [W, 3]
    """
    standing, stayed, launched = counts.T
    share: Floats = (standing + 1.0) / (stayed + 3.0) * np.minimum(1.0, stayed / (stay * launched))
    return share


def intended_launch(size: Size, parameters: Floats) -> Launch:
    """A launch from the middle of a stash area straight across the table, by speed, height, slant and lift. [4]"""
    speed, height, slant, lift = (float(x) for x in parameters)
    return Launch(
        piece=f"red-{size}-1",
        size=size,
        hold=_LAUNCH_POSITION.default_hold,
        azimuth=_LAUNCH_POSITION.facing,
        speed=speed,
        height=height,
        slant=slant,
        lift=lift,
    )


def evaluate_launch(launch: Launch, grade: str, count: int, rng: np.random.Generator) -> tuple[int, int, float]:
    """Numbers that stood and that stayed of so many, and the mean distance of those that stood [m]."""
    result = simulate_batch(_EMPTY_TABLE, [GRADES[grade].execute(launch, rng) for _ in range(count)], on_error="mark")
    x, y, _ = result.positions[:, 0].T
    outcome = result.outcome[:, 0]
    stays = (
        (result.error == "")
        & np.isin(outcome, (UPRIGHT, ON_SIDE))
        & (y > _LAUNCH_POSITION.start_line[0][1] + _START_LINE_MARGIN)
    )
    stands = stays & (outcome == UPRIGHT)
    away = np.hypot(x - launch.hold[0], y - launch.hold[1])[stands]
    return int(stands.sum()), int(stays.sum()), float(away.mean()) if len(away) else 0.0


def main(argv: Sequence[str] | None = None) -> None:
    """Search for launches of every size and print them."""
    parser = command_line.parser("launch_search", __doc__, drawn=1500, seed=1)
    parser.add_argument("--size", choices=SIZES, action="append", help="of the missile; default: all")
    parser.add_argument("--hand", choices=list(GRADES), default="club", help="grade of execution noise (club)")
    parser.add_argument("--stay", type=float, default=0.35, help="smallest share that must stay on the table")
    args = parser.parse_args(argv)
    for size in args.size or SIZES:
        rng = RandomStreams(seed=args.seed).spawn(size).generator()
        for launch in LaunchSearch(size, args.hand, args.stay, rng).best(args.drawn, 4):
            by_grade = {grade: evaluate_launch(launch, grade, _VALIDATION_LAUNCHES, rng) for grade in reversed(GRADES)}
            shares = ", ".join(
                f"{name} {standing / max(1, stayed):.2f} of {stayed}"
                for name, (standing, stayed, _) in by_grade.items()
            )
            print(
                f"{size}: [{launch.speed:.3f}, {degrees(launch.slant):.1f}, {to_mm(launch.height):.1f}, "
                f"{to_mm(launch.lift):.1f}, {to_mm(by_grade[args.hand][2]):.1f}],  # {shares}", flush=True,
            )  # fmt: skip


if __name__ == "__main__":
    main()
