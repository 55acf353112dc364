"""Evaluation of candidates in tiddlywinks: simulated, adjudicated, then played on by `rollouts`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from flicksim.ai import NO_NOISE, ExecutionNoise, RolloutContext, RolloutOutcomes
from flicksim.core.errors import FlicksimError
from flicksim.core.type_aliases import Action
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import scoring
from flicksim.games.tiddlywinks.candidate_shots import NEAR, OTHER, POT, candidate_shots
from flicksim.games.tiddlywinks.options import Options
from flicksim.games.tiddlywinks.playing_style import DEFAULT_STYLE, STYLES_BY_NAME
from flicksim.games.tiddlywinks.rollouts import (
    POLICY_WEIGHTS,
    ChanceLookup,
    chance_lookup,
    rollout_games,
    rollout_states,
)
from flicksim.games.tiddlywinks.shot_chances import chance_table_for
from flicksim.games.tiddlywinks.state import State
from flicksim.scene import Squidge

Floats = npt.NDArray[np.float64]

JIT_FUNCTIONS = (rollout_games,)
"""Functions that a thought has compiled."""
ROLLOUTS_PER_SHOT = 160
"""Games rolled out after every shot."""
_PRIOR_ROUNDS = ((256, 4), (2048, 1))
"""Games rolled out for every idea before it is tried; then for so many of the best more."""
_ILLEGAL_LEAD = -7.0
"""Points ahead of who did what cannot be done, or what is foul."""


@lru_cache(maxsize=16)
def _chance_lookup(hand: ExecutionNoise) -> ChanceLookup:
    return chance_lookup(chance_table_for(hand))


def has_rollouts(state: State) -> bool:
    """Return True if candidates are rolled out: after the squidge-off."""
    return state.book.opener is not None and state.to_play is not None


def rollout(
    state: State,
    seat: int,
    candidates: Sequence[Action],
    noise: ExecutionNoise,
    rollouts: int,
    seed: int,
    context: RolloutContext,
    *,
    exact: bool = False,
) -> RolloutOutcomes | None:
    """Roll out each candidate `rollouts` times under common random numbers; None during the squidge-off.

    Args:
        context: simulate shots and compile. exact: whether the candidates are made just as meant, and only what
            follows is not.
    """
    if not has_rollouts(state):
        return None
    first, turns = (NO_NOISE if exact else noise), list[tuple[State, Action]]()
    alike = [exact or not isinstance(plan, Squidge) for plan in candidates]
    for plan, same in zip(candidates, alike, strict=True):
        for k in range(1 if same else rollouts):
            turns.append((state, first.execute(plan, np.random.Generator(np.random.PCG64([seed, k])))))
    after = list(context.states_after(turns))
    # who makes a candidate just as meant always comes to the same; its tries differ in what follows
    rows, at = list[int](), 0
    for same in alike:
        rows += [at] * rollouts if same else list(range(at, at + rollouts))
        at += 1 if same else rollouts
    seeds = np.random.Generator(np.random.PCG64([seed, rollouts])).integers(1, 2**31 - 2, (rollouts, ROLLOUTS_PER_SHOT))
    ahead = rollout_leads(after, np.array(rows), np.tile(seeds, (len(candidates), 1)), noise, context)
    if kit.pair_of(seat):
        ahead = -ahead
    # the others may have a foul shot made again as often as it is foul, so whoever plans one gets nowhere; one that was
    # made once is worth what they leave it at
    broken = np.array([
        isinstance(one, FlicksimError) or (one.book.phase == "foul" and not exact) for one in after
    ])[rows]  # fmt: skip
    ahead[broken] = _ILLEGAL_LEAD
    chance = (ahead > 0.0).mean(axis=1) + 0.5 * (ahead == 0.0).mean(axis=1)
    numbers = [(getattr(turns[row][1], "speed", 0.0), getattr(turns[row][1], "azimuth", 0.0)) for row in rows]
    return RolloutOutcomes(
        win_probability=chance.reshape(len(candidates), rollouts),
        point_margin=ahead.mean(axis=1).reshape(len(candidates), rollouts),
        executed=np.array(numbers).reshape(len(candidates), rollouts, 2),
        shots=len(turns),
    )


def prior_values(
    state: State, seat: int, candidates: Sequence[Action], noise: ExecutionNoise, seed: int, context: RolloutContext
) -> tuple[Floats, Floats] | None:  # fmt: skip
    """The chance to win and the points ahead of each candidate, by tables; NaN of those no table tells of. [P],
    [P]"""
    if state.book.opener is None or state.phase != "shot":
        return None
    known_by = {plan.shot: plan for plan in candidate_shots(state, STYLES_BY_NAME[DEFAULT_STYLE])}
    column = {name: k for k, name in enumerate(kit.WINKS)}
    column |= {NEAR: -2, POT: -1}
    ideas = dict[tuple[int, int], list[int]]()
    for k, action in enumerate(candidates):
        plan = known_by.get(action) if isinstance(action, Squidge) else None
        if plan is not None and plan.target != OTHER:
            ideas.setdefault((column[plan.shot.piece], column[plan.target]), []).append(k)
    chance, points = (np.full(len(candidates), np.nan) for _ in range(2))
    first = list(ideas)
    heads, rng = rollout_states([state]), np.random.Generator(np.random.PCG64(seed))
    side = -1.0 if kit.pair_of(seat) else 1.0
    for count, best in _PRIOR_ROUNDS:
        seeds = rng.integers(1, 2**31 - 2, count)
        ahead = np.zeros(len(first) * count)
        context.compile(rollout_games)(
            heads,
            np.zeros(len(ahead), np.int64),
            np.repeat(np.array(first, np.int64).reshape(-1, 2), count, axis=0),
            np.tile(seeds, len(first)),
            _chance_lookup(noise),
            np.array([POLICY_WEIGHTS, POLICY_WEIGHTS]),
            state.options.rounds,
            ahead,
        )
        found = side * ahead.reshape(len(first), count)
        won = (found > 0.0).mean(axis=1) + 0.5 * (found == 0.0).mean(axis=1)
        for idea, share, lead in zip(first, won, found.mean(axis=1), strict=True):
            chance[ideas[idea]], points[ideas[idea]] = share, lead
        first = [first[k] for k in np.argsort(-won, kind="stable")[:best]]
    return chance, points


def warmup(context: RolloutContext) -> None:
    """Compile the rollout functions: no game at all is played on."""
    none = np.zeros(0, np.int64)
    context.compile(rollout_games)(
        rollout_states([]),
        none,
        none.reshape(0, 2),
        none,
        _chance_lookup(NO_NOISE),
        np.array([POLICY_WEIGHTS, POLICY_WEIGHTS]),
        Options().rounds,
        np.zeros(0),
    )


def rollout_leads(
    end_states: Sequence[State | FlicksimError],
    state_index: npt.NDArray[np.int64],
    seeds: npt.NDArray[np.int64],
    noise: ExecutionNoise,
    context: RolloutContext,
) -> Floats:
    """Points that Blue and Red are ahead at the end, of lines from these states. [L, K]

    Args:
        state_index: from which state each goes on. [L] seeds: of each. [L, K]
    """
    ahead, live, states = np.zeros(seeds.shape), np.full(len(end_states), -1), list[State]()
    for k, one in enumerate(end_states):
        if isinstance(one, FlicksimError):
            continue
        if one.book.to_play is None:
            ours, theirs = scoring.pair_points(one.book.points)
            ahead[state_index == k] = float(ours - theirs)
        else:
            live[k] = len(states)
            states.append(one)
    lines = np.flatnonzero(live[state_index] >= 0)
    if len(lines):
        found = np.zeros(len(lines) * seeds.shape[1])
        context.compile(rollout_games)(
            rollout_states(states),
            np.repeat(live[state_index][lines], seeds.shape[1]),
            np.full((len(found), 2), -1),
            seeds[lines].ravel(),
            _chance_lookup(noise),
            np.array([POLICY_WEIGHTS, POLICY_WEIGHTS]),
            states[0].options.rounds,
            found,
        )
        ahead[lines] = found.reshape(len(lines), -1)
    return ahead
