"""Compare wink shots with time steps three times as long to those with the steps of play.

`python -m benchmarks.step_size` takes positions out of bots' games, makes each of the bot's plans so often with a club
player's hand, settles all of them both ways, by the same errors, and tells for each kind of plan how many winks were
potted and covered, how many shots were foul, and how far apart the distances lie at which the winks come to rest: the
Kolmogorov-Smirnov distance, and the largest that chance allows in 95 of 100 such comparisons.
"""

from collections.abc import Iterator, Sequence
from itertools import count, islice
from math import hypot, sqrt
from time import process_time
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks import command_line
from flicksim.ai import GRADES
from flicksim.core.errors import FlicksimError
from flicksim.core.random_streams import RandomStreams
from flicksim.games import load
from flicksim.games.tiddlywinks.candidate_shots import NEAR, OTHER, POT, candidate_shots
from flicksim.games.tiddlywinks.heuristic_value import DEFAULT_STYLE, STYLES_BY_NAME
from flicksim.games.tiddlywinks.state import State
from flicksim.match import SEARCH_SETTINGS, GameModel, PhysicsSimulator, open_match
from flicksim.match.series import game_seed
from flicksim.referee import parse_options

_EVERY, _FIRST = 7, 5
"""A position out of so many turns of a game, and the first of them."""
_LONG_STEPS = 3.0
"""Factor on the steps, with which bots searched before."""
_PLANS = 10
"""Plans of a position, at most."""
_KS_LIMIT = 1.358
"""Kolmogorov-Smirnov's limit of 95 %, over the root of half the number in each sample."""
_SQUOP = "squop"


class ShotOutcome(NamedTuple):
    """A shot as it ended.

    Args:
        candidate_kind: at what it was aimed. distance: where the wink rests, from the pot [m]; NaN of a potted one.
        potted, covered: winks more than before. foul: whether it was.
    """

    candidate_kind: str
    distance: float
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


def shots(states: Sequence[State], tries: int, seed: int, coarse: float) -> list[ShotOutcome]:
    """Each plan of each position made so often, settled by steps so many times as long."""
    game, found = load("tiddlywinks"), list[ShotOutcome]()
    model = GameModel(game, PhysicsSimulator(msgspec.structs.replace(SEARCH_SETTINGS, step_factor=coarse)))
    rng = RandomStreams(seed=seed).spawn("hand", 1).generator()
    for state in states:
        tried = [
            (plan.target, GRADES["club"].execute(plan.shot, rng))
            for plan in candidate_shots(state, STYLES_BY_NAME[DEFAULT_STYLE])[:_PLANS]
            for _ in range(tries)
        ]
        for (aim, shot), after in zip(tried, model.next_states(state, [shot for _, shot in tried]), strict=True):
            if isinstance(after, FlicksimError):
                continue
            at_rest = [piece for piece in after.scene.pieces if piece.id == shot.piece]
            found.append(ShotOutcome(
                aim if aim in (NEAR, OTHER, POT) else _SQUOP, hypot(*at_rest[0].position) if at_rest else np.nan,
                len(after.book.potted) - len(state.book.potted), _covered(after) - _covered(state),
                after.phase == "foul",
            ))  # fmt: skip
    return found


def _covered(state: State) -> int:
    return sum(len(piece.lies_on) for piece in state.scene.pieces)


def ks_distance(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> float:
    """The Kolmogorov-Smirnov distance of two samples."""
    both = np.concatenate([first, second])
    below = [np.searchsorted(np.sort(one), both, "right") / len(one) for one in (first, second)]
    return float(np.abs(below[0] - below[1]).max())


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    args = command_line.parser("step_size", __doc__, positions=32, tries=12, seed=77).parse_args(argv)
    states, sides, seconds = positions(args.positions, args.seed), list[list[ShotOutcome]](), list[float]()
    for coarse in (1.0, _LONG_STEPS):
        start = process_time()
        sides.append(shots(states, args.tries, args.seed, coarse))
        seconds.append(process_time() - start)
    shown = []
    for kind in sorted({made.candidate_kind for made in sides[0]}):
        fine, long = ([made for made in side if made.candidate_kind == kind] for side in sides)
        distances = [
            np.array([made.distance for made in side if made.distance == made.distance]) for side in (fine, long)
        ]
        means = [
            ", ".join(f"{np.mean([made[column] for made in side]):.3f}" for side in (fine, long))
            for column in (2, 3, 4)
        ]
        tells = all(len(one) for one in distances)
        shown.append((
            kind, f"{len(fine)}", *means, f"{ks_distance(*distances):.3f}" if tells else "",
            f"{_KS_LIMIT * sqrt(1.0 / len(distances[0]) + 1.0 / len(distances[1])):.3f}" if tells else "",
        ))  # fmt: skip
    headings = ("aimed at", "shots", "potted", "covered", "foul", "rests: apart", "by chance")
    title = f"both ways: fine steps, then {_LONG_STEPS:g} times as long"
    command_line.show_table(headings, shown, title)
    each = [1e3 * one / len(side) for one, side in zip(seconds, sides, strict=True)]
    print(f"{len(sides[0])} shots from {len(states)} positions; {each[0]:.1f} and {each[1]:.1f} ms each")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
