"""Shots of winks by the long steps that bots think by, held against those by which they are played.

`python -m benchmarks.steps` takes positions out of bots' games, makes each of the bot's plans so often with a club
player's hand, settles all of them both ways, by the same errors, and tells for each kind of plan how many winks were
potted and covered, how many shots were foul, and how far apart the distances lie at which the winks come to rest: the
Kolmogorov-Smirnov distance, and the largest that chance allows in 95 of 100 such comparisons.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import count, islice
from math import hypot, sqrt
from time import process_time
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from flicksim.base.errors import FlicksimError
from flicksim.base.seeding import Seeds
from flicksim.games import load
from flicksim.games.tiddlywinks.plans import NEAR, OTHER, POT, plans
from flicksim.games.tiddlywinks.state import State
from flicksim.games.tiddlywinks.style import STYLES_BY_NAME, USUAL
from flicksim.play import THOUGHT, GameModel, TableStage, open_match
from flicksim.play.series import game_seed
from flicksim.players import GRADES
from flicksim.referee import parse_options

_EVERY, _FIRST = 7, 5
"""A position out of so many turns of a game, and the first of them."""
_PLANS = 10
"""Plans of a position, at most."""
_CHANCE = 1.358
"""Kolmogorov-Smirnov's limit of 95 %, over the root of half the number in each sample."""
_SQUOP = "squop"


class Made(NamedTuple):
    """A shot as it ended.

    Args:
        kind: at what it was aimed. far: where the wink rests, from the pot [m]; NaN of a potted one.
        potted, covered: winks more than before. foul: whether it was.
    """

    kind: str
    far: float
    potted: int
    covered: int
    foul: bool


def positions(many: int, seed: int) -> list[State]:
    """Positions out of games of club hands that think as beginners."""
    return list(islice(_met(seed), many))


def _met(seed: int) -> Iterator[State]:
    game = load("tiddlywinks")
    for number in count(1):
        match = open_match(game, parse_options(game, []), ["bot:club/beginner"] * 4, game_seed(seed, number))
        for k, _ in enumerate(match.run()):
            if k % _EVERY == _FIRST and match.state.book.opener is not None and match.state.phase == "shot":
                yield match.state


def shots(states: Sequence[State], tries: int, seed: int, coarse: float) -> list[Made]:
    """Each plan of each position made so often, settled by steps so many times as long."""
    game, found = load("tiddlywinks"), list[Made]()
    model = GameModel(game, TableStage(msgspec.structs.replace(THOUGHT, coarse=coarse)))
    rng = Seeds(seed=seed).child("hand", 1).generator()
    for state in states:
        tried = [
            (plan.aim, GRADES["club"].make(plan.shot, rng))
            for plan in plans(state, STYLES_BY_NAME[USUAL])[:_PLANS]
            for _ in range(tries)
        ]
        for (aim, shot), after in zip(tried, model.imagine(state, [shot for _, shot in tried]), strict=True):
            if isinstance(after, FlicksimError):
                continue
            rests = [piece for piece in after.scene.pieces if piece.id == shot.piece]
            found.append(Made(
                aim if aim in (NEAR, OTHER, POT) else _SQUOP, hypot(*rests[0].at) if rests else np.nan,
                len(after.book.potted) - len(state.book.potted), _covered(after) - _covered(state),
                after.phase == "foul",
            ))  # fmt: skip
    return found


def _covered(state: State) -> int:
    return sum(len(piece.lies_on) for piece in state.scene.pieces)


def apart(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> float:
    """The Kolmogorov-Smirnov distance of two samples."""
    both = np.concatenate([first, second])
    below = [np.searchsorted(np.sort(one), both, "right") / len(one) for one in (first, second)]
    return float(np.abs(below[0] - below[1]).max())


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.steps", description=__doc__)
    parser.add_argument("--positions", type=int, default=32)
    parser.add_argument("--tries", type=int, default=12, help="of each plan")
    parser.add_argument("--seed", type=int, default=77)
    given = parser.parse_args(words)
    states, sides, seconds = positions(given.positions, given.seed), list[list[Made]](), list[float]()
    for coarse in (1.0, THOUGHT.coarse):
        begun = process_time()
        sides.append(shots(states, given.tries, given.seed, coarse))
        seconds.append(process_time() - begun)
    table = Table("aimed at", "shots", "potted", "covered", "foul", "rests: apart", "by chance")
    table.title = "both ways: fine steps, then " + f"{THOUGHT.coarse:g} times as long"
    for kind in sorted({made.kind for made in sides[0]}):
        fine, long = ([made for made in side if made.kind == kind] for side in sides)
        far = [np.array([made.far for made in side if made.far == made.far]) for side in (fine, long)]
        means = [
            ", ".join(f"{np.mean([made[column] for made in side]):.3f}" for side in (fine, long))
            for column in (2, 3, 4)
        ]
        tells = all(len(one) for one in far)
        table.add_row(
            kind, f"{len(fine)}", *means, f"{apart(*far):.3f}" if tells else "",
            f"{_CHANCE * sqrt(1.0 / len(far[0]) + 1.0 / len(far[1])):.3f}" if tells else "",
        )  # fmt: skip
    console = Console()
    console.print(table)
    each = [1e3 * one / len(side) for one, side in zip(seconds, sides, strict=True)]
    console.print(f"{len(sides[0])} shots from {len(states)} positions; {each[0]:.1f} and {each[1]:.1f} ms each")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
