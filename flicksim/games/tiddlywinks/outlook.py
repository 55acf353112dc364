"""The outlook of plans in tiddlywinks: each is settled by the physics and ruled on, and then played on in the head."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from flicksim.base.errors import FlicksimError
from flicksim.base.kinds import Action
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import scoring
from flicksim.games.tiddlywinks.chances import known
from flicksim.games.tiddlywinks.lines import TASTE, Odds, heads_of, odds_of, play_on
from flicksim.games.tiddlywinks.options import Options
from flicksim.games.tiddlywinks.plans import NEAR, OTHER, POT, plans
from flicksim.games.tiddlywinks.state import State
from flicksim.games.tiddlywinks.style import STYLES_BY_NAME, USUAL
from flicksim.players import STEADY, Hand, Means, Outcomes
from flicksim.table import Squidge

Floats = npt.NDArray[np.float64]

COMPILED = (play_on,)
"""Functions that a thought has compiled."""
LINES = 160
"""Games played on in the head after every shot."""
_ROUNDS = ((256, 4), (2048, 1))
"""Games played on in the head for every idea before it is tried; then for so many of the best more."""
_LOST = -7.0
"""Points ahead of who did what cannot be done, or what is foul."""


@lru_cache(maxsize=16)
def _odds(hand: Hand) -> Odds:
    return odds_of(known(hand))


def plays_on(state: State) -> bool:
    """True where plans are played on in the head: once somebody has opened."""
    return state.book.opener is not None and state.to_play is not None


def play_out(
    state: State, seat: int, thought_of: Sequence[Action], hand: Hand, tries: int, seed: int, means: Means, *,
    exact: bool = False,
) -> Outcomes | None:  # fmt: skip
    """Make each plan so often and play the game out, try for try by the same luck; None before anybody has opened.

    Args:
        means: settle shots and compile. exact: whether the plans are made just as meant, and only what follows is not.
    """
    if not plays_on(state):
        return None
    first, turns = (STEADY if exact else hand), list[tuple[State, Action]]()
    alike = [exact or not isinstance(plan, Squidge) for plan in thought_of]
    for plan, same in zip(thought_of, alike, strict=True):
        for k in range(1 if same else tries):
            turns.append((state, first.make(plan, np.random.Generator(np.random.PCG64([seed, k])))))
    after = list(means.after(turns))
    # who makes a plan just as meant always comes to the same; its tries differ in what follows
    rows, at = list[int](), 0
    for same in alike:
        rows += [at] * tries if same else list(range(at, at + tries))
        at += 1 if same else tries
    luck = np.random.Generator(np.random.PCG64([seed, tries])).integers(1, 2**31 - 2, (tries, LINES))
    ahead = told(after, np.array(rows), np.tile(luck, (len(thought_of), 1)), hand, means)
    if kit.pair_of(seat):
        ahead = -ahead
    # the others may have a foul shot made again as often as it is foul, so whoever plans one gets nowhere; one that was
    # made once is worth what they leave it at
    broken = np.array([
        isinstance(one, FlicksimError) or (one.book.phase == "foul" and not exact) for one in after
    ])[rows]  # fmt: skip
    ahead[broken] = _LOST
    chance = (ahead > 0.0).mean(axis=1) + 0.5 * (ahead == 0.0).mean(axis=1)
    numbers = [(getattr(turns[row][1], "speed", 0.0), getattr(turns[row][1], "azimuth", 0.0)) for row in rows]
    return Outcomes(
        chance=chance.reshape(len(thought_of), tries), points=ahead.mean(axis=1).reshape(len(thought_of), tries),
        made=np.array(numbers).reshape(len(thought_of), tries, 2), shots=len(turns),
    )  # fmt: skip


def guesses(
    state: State, seat: int, thought_of: Sequence[Action], hand: Hand, seed: int, means: Means
) -> tuple[Floats, Floats] | None:  # fmt: skip
    """The chance to win and the points ahead of each plan, all in the head; NaN of those no table tells of. [P], [P]"""
    if state.book.opener is None or state.phase != "shot":
        return None
    known_by = {plan.shot: plan for plan in plans(state, STYLES_BY_NAME[USUAL])}
    column = {name: k for k, name in enumerate(kit.WINKS)}
    column |= {NEAR: -2, POT: -1}
    ideas = dict[tuple[int, int], list[int]]()
    for k, action in enumerate(thought_of):
        plan = known_by.get(action) if isinstance(action, Squidge) else None
        if plan is not None and plan.aim != OTHER:
            ideas.setdefault((column[plan.shot.piece], column[plan.aim]), []).append(k)
    chance, points = (np.full(len(thought_of), np.nan) for _ in range(2))
    first = list(ideas)
    heads, rng = heads_of([state]), np.random.Generator(np.random.PCG64(seed))
    side = -1.0 if kit.pair_of(seat) else 1.0
    for count, best in _ROUNDS:
        luck = rng.integers(1, 2**31 - 2, count)
        ahead = np.zeros(len(first) * count)
        means.quick(play_on)(
            heads, np.zeros(len(ahead), np.int64), np.repeat(np.array(first, np.int64).reshape(-1, 2), count, axis=0),
            np.tile(luck, len(first)), _odds(hand), np.array([TASTE, TASTE]), state.options.rounds, ahead,
        )  # fmt: skip
        found = side * ahead.reshape(len(first), count)
        won = (found > 0.0).mean(axis=1) + 0.5 * (found == 0.0).mean(axis=1)
        for idea, share, lead in zip(first, won, found.mean(axis=1), strict=True):
            chance[ideas[idea]], points[ideas[idea]] = share, lead
        first = [first[k] for k in np.argsort(-won, kind="stable")[:best]]
    return chance, points


def rehearse(means: Means) -> None:
    """Have all compiled that a thought needs: no game at all is played on."""
    none = np.zeros(0, np.int64)
    means.quick(play_on)(
        heads_of([]), none, none.reshape(0, 2), none, _odds(STEADY), np.array([TASTE, TASTE]), Options().rounds,
        np.zeros(0),
    )  # fmt: skip


def told(
    after: Sequence[State | FlicksimError], rows: npt.NDArray[np.int64], luck: npt.NDArray[np.int64], hand: Hand,
    means: Means,
) -> Floats:  # fmt: skip
    """Points that Blue and Red are ahead at the end, of lines from these states. [L, K]

    Args:
        rows: from which state each goes on. [L] luck: of each. [L, K]
    """
    ahead, live, states = np.zeros(luck.shape), np.full(len(after), -1), list[State]()
    for k, one in enumerate(after):
        if isinstance(one, FlicksimError):
            continue
        if one.book.to_play is None:
            ours, theirs = scoring.pair_points(one.book.points)
            ahead[rows == k] = float(ours - theirs)
        else:
            live[k] = len(states)
            states.append(one)
    lines = np.flatnonzero(live[rows] >= 0)
    if len(lines):
        found = np.zeros(len(lines) * luck.shape[1])
        means.quick(play_on)(
            heads_of(states), np.repeat(live[rows][lines], luck.shape[1]), np.full((len(found), 2), -1),
            luck[lines].ravel(), _odds(hand), np.array([TASTE, TASTE]), states[0].options.rounds, found,
        )  # fmt: skip
        ahead[lines] = found.reshape(len(lines), -1)
    return ahead
