"""Random flicks over random positions: no hang, nothing that is no number, no energy from nowhere, no wall passed, no
piece lost or left in another.

`python -m benchmarks.flicks [--coins N] [--squidges N] [--launches N] [--seed S] [--jobs J] [--game NAME] [--only
NUMBER]`. A try is a random position and up to four flicks in turn, each played on from what the last one left; so
nothing that was settled may be refused. Half of the squidges are on mats as tiddlywinks has them, half with odd pots
and winks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import Any

import numpy as np

from benchmarks import boards, mats, pyramids
from benchmarks.tally import Tally, parser, shared, within
from flicksim.base.errors import FlicksimError
from flicksim.base.seeding import Seeds

IN_TURN = 4
"""Flicks over one position, each from where the last one left things."""
_LIMIT = 20.0
"""No flick takes longer to compute [s]."""


@dataclass(frozen=True, slots=True)
class Table:
    """Table that is flicked at.

    Args:
        position: a random one. flick: a random flick in it, or None when nothing can be flicked.
        after: what comes of it, with `after` to go on from, and what is wrong with that.
        warm: done once before anything is timed.
    """

    position: Callable[[np.random.Generator], Any]
    flick: Callable[[np.random.Generator, Any], Any]
    after: Callable[[Any, Any], tuple[Any, Iterator[str]]]
    warm: Callable[[], None] = lambda: None


TABLES = {
    "penny-white": Table(boards.position, boards.flick, boards.after),
    "tiddlywinks": Table(mats.position, mats.flick, mats.after, mats.warm),
    "odd-winks": Table(mats.odd_position, mats.flick, mats.after, mats.warm),
    "ice": Table(pyramids.position, pyramids.flick, pyramids.after),
}


def trial(counts: Mapping[str, int], seed: int, jobs: int = 1) -> Tally:
    """So many flicks at each of these tables."""
    whole = Tally()
    for game, count in counts.items():
        whole.add(shared(partial(tries_of, game, seed), range(-(-count // IN_TURN)), jobs))
    return whole


def tries_of(game: str, seed: int, numbers: Sequence[int]) -> Tally:
    """The tries of these numbers at one game."""
    found = Tally()
    TABLES[game].warm()
    for number in numbers:
        _one(game, seed, number, found)
    return found


def _one(game: str, seed: int, number: int, found: Tally) -> None:
    table, rng = TABLES[game], Seeds(seed=seed).child("flicks", game, number).generator()
    again = f"python -m benchmarks.flicks --game {game} --seed {seed} --only {number}"
    scene = table.position(rng)
    found.count(game, "positions")
    for turn in range(1, IN_TURN + 1):
        flick = table.flick(rng, scene)
        if flick is None:
            return
        begun, wrong = process_time(), list[str]()
        try:
            with within(_LIMIT):
                motion, problems = table.after(scene, flick)
                wrong = list(problems)
        except Exception as broken:  # whatever it is, it must not be
            kind = "" if isinstance(broken, FlicksimError) else f"{type(broken).__name__}: "
            found.find(game, f"flick {turn} of try {number}: {kind}{broken}", again)
            return
        finally:
            found.count(game, "flicks")
            found.most(game, "most ms", round(1e3 * (process_time() - begun)))
        if wrong:
            found.find(game, f"flick {turn} of try {number}: {'; '.join(wrong)}", again)
        if wrong or not motion.after.pieces:
            return
        scene = motion.after


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    arguments = parser("flicks", __doc__, coins=100_000, squidges=10_000, launches=10_000)
    arguments.add_argument("--game", choices=tuple(TABLES), help="only this table")
    given = arguments.parse_args(words)
    odd = given.squidges // 2
    counts = {
        "penny-white": given.coins, "tiddlywinks": given.squidges - odd, "odd-winks": odd, "ice": given.launches,
    }  # fmt: skip
    if given.game:
        counts = {given.game: counts[given.game]}
    if given.only is None:
        for game in counts:
            if counts[game]:
                tries_of(game, given.seed, [0])  # the first shot of all waits for the compiler
        found = trial(counts, given.seed, given.jobs)
    else:
        found = Tally()
        for game in counts:
            found.add(tries_of(game, given.seed, [given.only]))
    return found.show(f"Random flicks, seed {given.seed}")


if __name__ == "__main__":
    raise SystemExit(main())
