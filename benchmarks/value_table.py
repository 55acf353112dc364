"""Learn the value networks of Penny White ends by backward induction, and save them in the game's folder.

`python -m benchmarks.value_table` plays batches of ends with every grade of execution noise and goes backwards: for
each position with one penny left it finds the best of many flicks and the probability of each gain, and fits a network
to them (`games.penny_white.value_table`); that network evaluates the flicks with two pennies left, and so on to the
first penny and the opening. A second iteration plays the ends by the networks of the first. It takes an hour of
processor time. `--known` starts from the saved networks; `--openings` only searches the best openings by them, in a
minute.
"""

import argparse
from collections.abc import Sequence
from math import pi
from pathlib import Path
from typing import NamedTuple, cast

import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks.neural_net import fit
from benchmarks.penny_candidates import Flicks, draw_candidates, evaluate_candidates, neighbours, select_candidates
from flicksim.ai import GRADES
from flicksim.core.atomic_files import write_atomic
from flicksim.core.serialization import fingerprint, to_json
from flicksim.engine import Settings
from flicksim.games.penny_white import value_table
from flicksim.games.penny_white.batch_ends import EndBatch, EndSimulator, scene_with_all_coins
from flicksim.games.penny_white.equipment import Options
from flicksim.games.penny_white.value_table import (
    GAINS,
    LAYER_SIZES,
    Network,
    ValueTable,
    features_of,
    log_noise_ratio,
)
from flicksim.match.rollout_model import make_disc_simulator

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
_EXPLORATION_RATE = 0.2
"""Share of random flicks in the ends played, to visit other positions too."""
_OPENINGS = tuple(np.linspace(0.5, 0.74, 13).tolist())
"""Target positions up the board of the opening flick of the white [m]."""


class SearchConfig(NamedTuple):
    """Search for the best flick: random candidates, variations of the best, repeated trials of the best.

    Args:
        candidates: number of random candidates. first_tries: trials of each. keep: candidates kept after each round.
        neighbours: variations of each of those. spread: of the variations, in units of the execution noise, by round.
        later_tries: trials of each in those rounds. repeats: further trials of those left. validation_shots: fresh
            trials of the best.
    """

    candidates: int
    first_tries: int
    keep: int
    neighbours: int
    spread: tuple[float, ...]
    later_tries: int
    repeats: int
    validation_shots: int


_IN_PLAY = SearchConfig(
    candidates=12, first_tries=4, keep=3, neighbours=0, spread=(), later_tries=4, repeats=8, validation_shots=8
)
_LAST = SearchConfig(
    candidates=64,
    first_tries=4,
    keep=8,
    neighbours=5,
    spread=(1.5, 1.0),
    later_tries=6,
    repeats=16,
    validation_shots=32,
)
_DEFAULT_SEARCH = SearchConfig(
    candidates=32, first_tries=4, keep=6, neighbours=4, spread=(1.5,), later_tries=6, repeats=16, validation_shots=24
)
_LONG_SEARCH_LIMIT = 3
"""With fewer pennies left than this the search is longer, since precision decides."""


class ValueLearner:
    """Backward induction over ends played with one grade of execution noise.

    Args:
        grade: of the execution noise. rng: random generator of flicks and noise.
    """

    def __init__(self, grade: str, rng: np.random.Generator) -> None:
        options = Options()
        self.simulator = EndSimulator(
            options, make_disc_simulator(scene_with_all_coins(options), Settings()), GRADES[grade]
        )
        self._pennies, self.rng = options.pennies, rng
        self._log_noise = log_noise_ratio(GRADES[grade])

    def new_ends(self, count: int, uniform_share: float) -> EndBatch:
        """New ends with the white near its usual place; a share of them with a uniform random place."""
        places, there = np.zeros((count, 2 * self._pennies + 1, 2)), np.zeros((count, 2 * self._pennies + 1), np.bool_)
        there[:, -1] = True
        spread = self.rng.random(count) < uniform_share
        normal = np.clip(self.rng.normal(0.575, 0.03, count), 0.461, 0.78)
        places[:, -1, 0] = self.simulator.start[0]
        places[:, -1, 1] = np.where(spread, self.rng.uniform(0.461, 0.78, count), normal)
        return EndBatch(
            positions=places, on_board=there, pennies_left=np.full((count, 2), self._pennies),
            to_play=self.rng.integers(0, 2, count), points=np.zeros((count, 2), np.int64),
            running=np.ones(count, np.bool_),
        )  # fmt: skip

    def features(self, ends: EndBatch) -> Singles:
        """Features of ends. [S, FEATURES]"""
        return features_of(ends.positions, ends.on_board, ends.to_play, self._log_noise)

    def best(self, ends: EndBatch, net: Network | None, search: SearchConfig) -> tuple[Flicks, Floats]:
        """Flick with the highest expected gain in every end, and the probability of each gain from fresh trials."""

        def value_function(batch: EndBatch) -> Singles:
            assert net is not None, "no end goes on after its last penny"
            return net.probabilities(self.features(batch))

        def points(candidates: Flicks, tries: int) -> Floats:
            return evaluate_candidates(self.simulator, ends, candidates, tries, value_function, self.rng) @ GAINS

        flicks = draw_candidates(self.simulator, ends, search.candidates, self.rng)
        values = points(flicks, search.first_tries)
        for spread in search.spread:
            top, _ = _best(flicks, values, search.keep)
            new = neighbours(self.simulator, ends, top, search.neighbours, spread, self.rng)
            flicks = cast(Flicks, tuple(np.concatenate(pair, axis=1) for pair in zip(top, new, strict=True)))
            values = points(flicks, search.later_tries)
        flicks, values = _best(flicks, values, search.keep)
        chosen, _ = _best(flicks, search.later_tries * values + search.repeats * points(flicks, search.repeats), 1)
        return chosen, evaluate_candidates(
            self.simulator, ends, chosen, search.validation_shots, value_function, self.rng
        )[:, 0]

    def visited_positions(self, count: int, known: Sequence[Network]) -> list[EndBatch]:
        """Positions met in play, by pennies left; played by the networks, or by the heuristic policy without any."""
        ends, visited = self.new_ends(count, 0.35), []
        for left in range(2 * self._pennies, 0, -1):
            rows = np.flatnonzero(ends.running)
            running = ends.select(rows)
            visited.append(ends.select(rows))
            candidates = draw_candidates(self.simulator, running, 2, self.rng)
            flicks = select_candidates(candidates, np.zeros((len(rows), 1), np.int64))
            if known:
                flicks, _ = self.best(running, known[left - 2] if left > 1 else None, _IN_PLAY)
            explores = self.rng.random(len(rows)) < _EXPLORATION_RATE * (1 if known else 2)
            for part, other in zip(flicks, candidates, strict=True):
                part[explores, 0] = other[explores, 1]
            start, speed, azimuth = (part[:, 0] for part in flicks)
            self.simulator.flick(running, start, speed, azimuth, self.rng.standard_normal((len(rows), 3)))
            ends.update(rows, running)
        return visited[::-1]

    def starter(self, net: Network, count: int = 4000) -> tuple[float, ...]:
        """Probability of each gain of the starter of an end, by the best opening.

        A failed opening gives the other a point, and the end begins again.
        """
        openings = [self._opening_value(net, target, count) for target in _OPENINGS]
        best = openings[int(np.argmax([probabilities @ GAINS for probabilities in openings]))]
        return tuple((best / best.sum()).round(5).tolist())

    def _opening_value(self, net: Network, target: float, count: int) -> Floats:
        """Probability of each gain of the player who flicks the white to a target [m]."""
        ends = self.new_ends(count, 0.0)
        ends.on_board[:] = False
        start = np.tile(self.simulator.start, (count, 1))
        speed = np.full(count, np.sqrt(2.0 * self.simulator.friction_deceleration * (target - start[0, 1])))
        normals = self.rng.standard_normal((count, 3))
        failed = self.simulator.open_end(ends, start, speed, np.full(count, pi / 2.0), normals)
        good: Floats = net.probabilities(self.features(ends.select(~failed))).mean(axis=0, dtype=np.float64)
        value, share = good.copy(), failed.mean()
        for _ in range(20):
            after = np.zeros_like(value)
            np.add.at(after, np.maximum(np.arange(len(GAINS)) - 1, 0), value)
            value = (1.0 - share) * good + share * after
        return value


def _best(flicks: Flicks, values: Floats, count: int) -> tuple[Flicks, Floats]:
    """The best candidates of every end, and their values."""
    order = np.argsort(-values, axis=1, kind="stable")[:, :count]
    return select_candidates(flicks, order), np.take_along_axis(values, order, axis=1)


def learn_values(positions: int, seed: int, iterations: int, known: Sequence[Network] = ()) -> ValueTable:
    """Learn from so many positions per grade for every number of pennies left.

    Args:
        known: networks to start from.
    """
    learners = _learners(seed)
    nets: list[bytes] = []
    for iteration in range(iterations):
        count = positions if iteration == iterations - 1 else max(1, positions // 3)
        visited = [learner.visited_positions(count, known) for learner in learners]
        new: list[Network] = []
        nets = []
        for number in range(2 * Options().pennies):
            before = new[-1] if new else None
            features, targets = [], []
            for learner, ends in zip(learners, visited, strict=True):
                features.append(learner.features(ends[number]))
                targets.append(
                    learner.best(ends[number], before, _LAST if number < _LONG_SEARCH_LIMIT else _DEFAULT_SEARCH)[1]
                )
            nets.append(fit(np.concatenate(features), np.concatenate(targets), LAYER_SIZES, seed + number))
            new.append(Network(nets[-1]))
            print(f"iteration {iteration + 1}, {number + 1} left: {sum(map(len, features))} positions", flush=True)
        known = new
    return ValueTable(seed=seed, positions=positions, starter=opening_values(learners, known[-1]), nets=tuple(nets))


def _learners(seed: int) -> list[ValueLearner]:
    return [
        ValueLearner(grade, np.random.Generator(np.random.PCG64([seed, number]))) for number, grade in enumerate(GRADES)
    ]


def opening_values(learners: Sequence[ValueLearner], net: Network) -> dict[str, tuple[float, ...]]:
    """Probability of each gain of the starter of an end, by grade."""
    return {grade: learner.starter(net) for grade, learner in zip(GRADES, learners, strict=True)}


def main(argv: Sequence[str] | None = None) -> int:
    """Command line entry point."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.value_table", description=__doc__)
    parser.add_argument(
        "--positions", type=int, default=8000, help="per grade, for every number of pennies left (8000)"
    )
    parser.add_argument("--seed", type=int, default=1, help="random seed (1)")
    parser.add_argument("--iterations", type=int, default=2, help="fits, each by the networks of the last (2)")
    parser.add_argument("--out", type=Path, default=value_table.FILE, help="file of the networks; default: as shipped")
    parser.add_argument("--known", action="store_true", help="start from the saved networks, in one iteration")
    parser.add_argument("--openings", action="store_true", help="only the openings, by the saved networks")
    args = parser.parse_args(argv)
    if args.openings:
        saved = value_table.load_value_table()
        result = msgspec.structs.replace(
            saved, starter=opening_values(_learners(saved.seed), value_table.load_networks()[-1])
        )
    else:
        known = value_table.load_networks() if args.known else ()
        result = learn_values(args.positions, args.seed, 1 if args.known else args.iterations, known)
    write_atomic(args.out, to_json(result))
    print(f"{fingerprint(result)}  {args.out.name}, {result.positions} positions per grade, seed {result.seed}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
