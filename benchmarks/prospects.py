"""Learns what an end of Penny White may still bring by how it lies, and keeps that in the game's folder.

`python -m benchmarks.prospects` lays ends, plays them side by side with every hand, and goes through them backwards:
of every position with one penny to come the best of many flicks is found and how likely it brings what, a net is fitted
to that (`games.penny_white.prospects`), by which in turn the flicks with two to come are told, and so on to the first
penny and the opening. A second turn plays the ends by what the first one learnt. It takes an hour of processor time.
`--known` begins with the nets that are kept; `--openings` looks for the best openings by them alone, in a minute.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import pi
from pathlib import Path
from typing import NamedTuple, cast

import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks.net import fitted
from benchmarks.pennies import Flicks, beside, drawn, taken, tried
from flicksim.base.codec import to_json
from flicksim.base.files import write_aside
from flicksim.games.penny_white import prospects
from flicksim.games.penny_white.ends import Ends, Play, coins
from flicksim.games.penny_white.equipment import Options
from flicksim.games.penny_white.prospects import GAINS, SHAPE, Net, Prospects, digest, signs, unsteadiness
from flicksim.physics import Settings
from flicksim.play.future import sliding
from flicksim.players import GRADES

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
_STRAYS = 0.2
"""Share of the flicks by which ends are played that are any of those drawn: other positions come up too."""
_OPENINGS = tuple(np.linspace(0.5, 0.74, 13).tolist())
"""Ways up the board that the white may be flicked for [m]."""


class Search(NamedTuple):
    """A search for the best flick: some are drawn, the best varied, the best of all tried again.

    Args:
        plans: drawn. first: tries of each. keep: after every look. beside: new ones about each of those.
        strays: of new ones, over how far the hand errs, look by look. then: tries of each in those looks.
        again: of those left. fresh: of the best, to be told.
    """

    plans: int
    first: int
    keep: int
    beside: int
    strays: tuple[float, ...]
    then: int
    again: int
    fresh: int


_IN_PLAY = Search(plans=12, first=4, keep=3, beside=0, strays=(), then=4, again=8, fresh=8)
_LAST = Search(plans=64, first=4, keep=8, beside=5, strays=(1.5, 1.0), then=6, again=16, fresh=32)
_USUAL = Search(plans=32, first=4, keep=6, beside=4, strays=(1.5,), then=6, again=16, fresh=24)
_FEW = 3
"""With no more pennies to come than that the best flick is looked for longer: there it is found by precision."""


class Learner:
    """All that is known so far of ends played with one hand.

    Args:
        grade: of the hand. rng: draws flicks and luck.
    """

    def __init__(self, grade: str, rng: np.random.Generator) -> None:
        options = Options()
        self.play = Play(options, sliding(coins(options), Settings()), GRADES[grade])
        self._pennies, self.rng = options.pennies, rng
        self._unsteady = unsteadiness(GRADES[grade])

    def begun(self, count: int, anywhere: float) -> Ends:
        """Ends whose white is set where it is usually flicked to; this share of them, anywhere it may lie."""
        places, there = np.zeros((count, 2 * self._pennies + 1, 2)), np.zeros((count, 2 * self._pennies + 1), np.bool_)
        there[:, -1] = True
        spread = self.rng.random(count) < anywhere
        usual = np.clip(self.rng.normal(0.575, 0.03, count), 0.461, 0.78)
        places[:, -1, 0] = self.play.start[0]
        places[:, -1, 1] = np.where(spread, self.rng.uniform(0.461, 0.78, count), usual)
        return Ends(
            places=places, there=there, left=np.full((count, 2), self._pennies), turn=self.rng.integers(0, 2, count),
            gained=np.zeros((count, 2), np.int64), live=np.ones(count, np.bool_),
        )  # fmt: skip

    def told(self, ends: Ends) -> Singles:
        """Signs of ends."""
        return signs(ends.places, ends.there, ends.turn, self._unsteady)

    def best(self, ends: Ends, net: Net | None, search: Search) -> tuple[Flicks, Floats]:
        """The flick of every end that brings most points, and the likelihood of each gain by fresh luck."""

        def known(some: Ends) -> Singles:
            assert net is not None, "no end goes on after its last penny"
            return net.likely(self.told(some))

        def points(some: Flicks, tries: int) -> Floats:
            return tried(self.play, ends, some, tries, known, self.rng) @ GAINS

        flicks = drawn(self.play, ends, search.plans, self.rng)
        told = points(flicks, search.first)
        for far in search.strays:
            top, _ = _best(flicks, told, search.keep)
            new = beside(self.play, ends, top, search.beside, far, self.rng)
            flicks = cast(Flicks, tuple(np.concatenate(both, axis=1) for both in zip(top, new, strict=True)))
            told = points(flicks, search.then)
        flicks, told = _best(flicks, told, search.keep)
        chosen, _ = _best(flicks, search.then * told + search.again * points(flicks, search.again), 1)
        return chosen, tried(self.play, ends, chosen, search.fresh, known, self.rng)[:, 0]

    def met(self, count: int, known: Sequence[Net]) -> list[Ends]:
        """Positions met in play, by pennies to come: by what is known, or by the rule of thumb."""
        ends, found = self.begun(count, 0.35), []
        for left in range(2 * self._pennies, 0, -1):
            rows = np.flatnonzero(ends.live)
            some = ends.some(rows)
            found.append(ends.some(rows))
            any_of = drawn(self.play, some, 2, self.rng)
            flicks = taken(any_of, np.zeros((len(rows), 1), np.int64))
            if known:
                flicks, _ = self.best(some, known[left - 2] if left > 1 else None, _IN_PLAY)
            strays = self.rng.random(len(rows)) < _STRAYS * (1 if known else 2)
            for part, other in zip(flicks, any_of, strict=True):
                part[strays, 0] = other[strays, 1]
            start, speed, azimuth = (part[:, 0] for part in flicks)
            self.play.flick(some, start, speed, azimuth, self.rng.standard_normal((len(rows), 3)))
            ends.put(rows, some)
        return found[::-1]

    def starter(self, net: Net, count: int = 4000) -> tuple[float, ...]:
        """The likelihood of each gain of whoever starts an end, before it begins, by the opening that brings most: a
        white that fails gives the other a point, and it begins again."""
        found = [self._opened(net, way, count) for way in _OPENINGS]
        best = found[int(np.argmax([likely @ GAINS for likely in found]))]
        return tuple((best / best.sum()).round(5).tolist())

    def _opened(self, net: Net, way: float, count: int) -> Floats:
        """The likelihood of each gain of whoever flicks the white for there [m]."""
        ends = self.begun(count, 0.0)
        ends.there[:] = False
        start = np.tile(self.play.start, (count, 1))
        speed = np.full(count, np.sqrt(2.0 * self.play.pull * (way - start[0, 1])))
        luck = self.rng.standard_normal((count, 3))
        failed = self.play.open(ends, start, speed, np.full(count, pi / 2.0), luck)
        good = net.likely(self.told(ends.some(~failed))).mean(axis=0, dtype=np.float64)
        found, share = good.copy(), failed.mean()
        for _ in range(20):
            after = np.zeros_like(found)
            np.add.at(after, np.maximum(np.arange(len(GAINS)) - 1, 0), found)
            found = (1.0 - share) * good + share * after
        return found


def _best(flicks: Flicks, told: Floats, many: int) -> tuple[Flicks, Floats]:
    """The best of every end, and what is told of them."""
    order = np.argsort(-told, axis=1, kind="stable")[:, :many]
    return taken(flicks, order), np.take_along_axis(told, order, axis=1)


def learn(positions: int, seed: int, turns: int, known: Sequence[Net] = ()) -> Prospects:
    """Learn from so many positions of each hand for every number of pennies to come.

    Args:
        known: nets to begin with.
    """
    learners = _learners(seed)
    kept: list[bytes] = []
    for turn in range(turns):
        count = positions if turn == turns - 1 else max(1, positions // 3)
        met = [learner.met(count, known) for learner in learners]
        new: list[Net] = []
        kept = []
        for number in range(2 * Options().pennies):
            before = new[-1] if new else None
            told, likely = [], []
            for learner, ends in zip(learners, met, strict=True):
                told.append(learner.told(ends[number]))
                likely.append(learner.best(ends[number], before, _LAST if number < _FEW else _USUAL)[1])
            kept.append(fitted(np.concatenate(told), np.concatenate(likely), SHAPE, seed + number))
            new.append(Net(kept[-1]))
            print(f"turn {turn + 1}, {number + 1} to come: {sum(map(len, told))} positions", flush=True)
        known = new
    return Prospects(seed=seed, positions=positions, starter=openings(learners, known[-1]), nets=tuple(kept))


def _learners(seed: int) -> list[Learner]:
    return [Learner(grade, np.random.Generator(np.random.PCG64([seed, number]))) for number, grade in enumerate(GRADES)]


def openings(learners: Sequence[Learner], net: Net) -> dict[str, tuple[float, ...]]:
    """The likelihood of each gain of who starts an end, by grade."""
    return {grade: learner.starter(net) for grade, learner in zip(GRADES, learners, strict=True)}


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prospects", description=__doc__)
    parser.add_argument("--positions", type=int, default=8000, help="of each hand, for every number to come (8000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--out", type=Path, default=prospects.FILE)
    parser.add_argument("--known", action="store_true", help="begin with the nets that are kept, in one turn")
    parser.add_argument("--openings", action="store_true", help="the openings alone, by the nets that are kept")
    given = parser.parse_args(words)
    if given.openings:
        kept = prospects.learnt()
        found = msgspec.structs.replace(kept, starter=openings(_learners(kept.seed), prospects.nets()[-1]))
    else:
        known = prospects.nets() if given.known else ()
        found = learn(given.positions, given.seed, 1 if given.known else given.turns, known)
    write_aside(given.out, to_json(found))
    print(f"{digest(found)}  {given.out.name}, {found.positions} positions of each hand, seed {found.seed}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
