"""Random flicks over random positions: no hang, nothing that is no number, no energy from nowhere, no wall passed, no
piece lost or left in another.

`python -m benchmarks.fuzz_flicks [--coins N] [--squidges N] [--launches N] [--seed S] [--jobs J] [--game NAME] [--only
NUMBER]`. A try is a random position and up to four flicks in turn, each played on from what the last one left; so
nothing that was settled may be refused. Half of the squidges are on mats as tiddlywinks has them, half with odd pots
and winks.
"""

from collections.abc import Callable, Mapping, Sequence
from time import process_time
from typing import Any

import numpy as np

from benchmarks import command_line, random_boards, random_mats, random_pyramids
from benchmarks.trial_report import TrialReport, time_limit
from flicksim.core.errors import FlicksimError
from flicksim.core.random_streams import RandomStreams

FLICKS_PER_POSITION = 4
"""Flicks over one position, each from where the last one left things."""
_LIMIT = 20.0
"""No flick takes longer to compute [s]."""


FLICK_GAMES: dict[str, tuple[Any, Callable[[np.random.Generator], Any]]] = {
    "penny-white": (random_boards, random_boards.position),
    "tiddlywinks": (random_mats, random_mats.position),
    "odd-winks": (random_mats, random_mats.unusual_position),
    "ice": (random_pyramids, random_pyramids.position),
}
"""Modules that flick at the tables, and the random position of each."""


def run_trial(counts: Mapping[str, int], seed: int, jobs: int = 1) -> TrialReport:
    """So many flicks at each of these tables."""
    positions = {game: -(-count // FLICKS_PER_POSITION) for game, count in counts.items()}
    return command_line.run_kinds(run_trials, positions, seed, jobs)


def run_trials(game: str, seed: int, numbers: Sequence[int]) -> TrialReport:
    """The tries of these numbers at one game."""
    found = TrialReport()
    if FLICK_GAMES[game][0] is random_mats:
        random_mats.warm_up()
    for number in numbers:
        _run_one(game, seed, number, found)
    return found


def _run_one(game: str, seed: int, number: int, found: TrialReport) -> None:
    (table, position), rng = FLICK_GAMES[game], RandomStreams(seed=seed).spawn("flicks", game, number).generator()
    again = f"python -m benchmarks.fuzz_flicks --game {game} --seed {seed} --only {number}"
    scene = position(rng)
    found.count(game, "positions")
    for turn in range(1, FLICKS_PER_POSITION + 1):
        flick = table.flick(rng, scene)
        if flick is None:
            return
        start, wrong = process_time(), list[str]()
        try:
            with time_limit(_LIMIT):
                motion, problems = table.simulate_checked(scene, flick)
                wrong = list(problems)
        except Exception as broken:  # whatever it is, it must not be
            kind = "" if isinstance(broken, FlicksimError) else f"{type(broken).__name__}: "
            found.find(game, f"flick {turn} of try {number}: {kind}{broken}", again)
            return
        finally:
            found.count(game, "flicks")
            found.most(game, "most ms", round(1e3 * (process_time() - start)))
        if wrong:
            found.find(game, f"flick {turn} of try {number}: {'; '.join(wrong)}", again)
        if wrong or not motion.after.pieces:
            return
        scene = motion.after


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    arguments = command_line.trial_parser("fuzz_flicks", __doc__, coins=100_000, squidges=10_000, launches=10_000)
    arguments.add_argument("--game", choices=tuple(FLICK_GAMES), help="only this table")
    args = arguments.parse_args(argv)
    odd = args.squidges // 2
    counts = {
        "penny-white": args.coins, "tiddlywinks": args.squidges - odd, "odd-winks": odd, "ice": args.launches,
    }  # fmt: skip
    if args.game:
        counts = {args.game: counts[args.game]}
    if args.only is None:
        for game in counts:
            if counts[game]:
                run_trials(game, args.seed, [0])  # the first shot of all waits for the compiler
        result = run_trial(counts, args.seed, args.jobs)
    else:
        result = command_line.run_kinds(run_trials, counts, args.seed, only=args.only)
    return result.show(f"Random flicks, seed {args.seed}")


if __name__ == "__main__":
    raise SystemExit(main())
