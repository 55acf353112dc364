"""Evaluation of candidates in tiddlywinks: simulated, adjudicated, then played on by `rollouts`."""

from collections.abc import Sequence

import numpy as np

from flicksim.ai import NO_NOISE, ExecutionNoise, RolloutContext, RolloutOutcomes
from flicksim.core.arrays import Floats, Ints
from flicksim.core.errors import FlicksimError
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import scoring
from flicksim.games.tiddlywinks.candidate_shots import NEAR, OTHER, POT, candidate_shots
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.heuristic_value import DEFAULT_STYLE, STYLES_BY_NAME
from flicksim.games.tiddlywinks.rollouts import rollout_games, rollout_states
from flicksim.games.tiddlywinks.shot_chances import chance_lookup
from flicksim.games.tiddlywinks.state import Action, State
from flicksim.scene import Squidge

JIT_FUNCTIONS = (rollout_games,)
"""Functions that the search compiles."""
ROLLOUTS_PER_SHOT = 160
"""Number of rollouts after each shot."""
_PRIOR_ROUNDS = ((256, 4), (2048, 1))
"""Rounds of rollouts for priors: rollouts of each candidate, and number of best candidates kept for the next round."""
_ILLEGAL_LEAD = -7.0
"""Margin assigned to an illegal or foul action [points]."""


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
        context: provides simulation and compilation. exact: whether the candidates themselves are executed without
            noise.
    """
    if not has_rollouts(state):
        return None
    first, state_actions = (NO_NOISE if exact else noise), list[tuple[State, Action]]()
    is_deterministic = [exact or not isinstance(action, Squidge) for action in candidates]
    for action, deterministic in zip(candidates, is_deterministic, strict=True):
        for k in range(1 if deterministic else rollouts):
            state_actions.append((state, first.execute(action, np.random.Generator(np.random.PCG64([seed, k])))))
    end_states = list(context.states_after(state_actions))
    # without noise all rollouts of a candidate share one state and differ in what follows
    rows, first_row = list[int](), 0
    for deterministic in is_deterministic:
        rows += [first_row] * rollouts if deterministic else list(range(first_row, first_row + rollouts))
        first_row += 1 if deterministic else rollouts
    seeds = np.random.Generator(np.random.PCG64([seed, rollouts])).integers(1, 2**31 - 2, (rollouts, ROLLOUTS_PER_SHOT))
    lead = rollout_leads(end_states, np.array(rows), np.tile(seeds, (len(candidates), 1)), noise, context)
    if kit.pair_of(seat):
        lead = -lead
    # opponents can have a foul shot replayed any number of times, so a planned foul gains nothing; one executed once
    # has the value of the state they leave
    is_illegal = [isinstance(end, FlicksimError) or (end.book.phase == "foul" and not exact) for end in end_states]
    lead[np.array(is_illegal)[rows]] = _ILLEGAL_LEAD
    win_probability = (lead > 0.0).mean(axis=1) + 0.5 * (lead == 0.0).mean(axis=1)
    executed = [
        (getattr(state_actions[row][1], "speed", 0.0), getattr(state_actions[row][1], "azimuth", 0.0)) for row in rows
    ]
    return RolloutOutcomes(
        win_probability=win_probability.reshape(len(candidates), rollouts),
        point_margin=lead.mean(axis=1).reshape(len(candidates), rollouts),
        executed=np.array(executed).reshape(len(candidates), rollouts, 2),
        shots=len(state_actions),
    )


def prior_values(
    state: State, seat: int, candidates: Sequence[Action], noise: ExecutionNoise, seed: int, context: RolloutContext
) -> tuple[Floats, Floats] | None:  # fmt: skip
    """Win probability and lead of each candidate by rollouts with tabled chances; NaN for shots without a table.
    [P], [P]"""
    if state.book.opener is None or state.phase != "shot":
        return None
    candidate_by_shot = {
        candidate.shot: candidate for candidate in candidate_shots(state, STYLES_BY_NAME[DEFAULT_STYLE])
    }
    column = {name: k for k, name in enumerate(kit.WINKS)}
    column |= {NEAR: -2, POT: -1}
    groups = dict[tuple[int, int], list[int]]()
    for k, action in enumerate(candidates):
        candidate = candidate_by_shot.get(action) if isinstance(action, Squidge) else None
        if candidate is not None and candidate.target != OTHER:
            groups.setdefault((column[candidate.shot.piece], column[candidate.target]), []).append(k)
    win_probability, points = (np.full(len(candidates), np.nan) for _ in range(2))
    keys = list(groups)
    rng, sign = np.random.Generator(np.random.PCG64(seed)), -1.0 if kit.pair_of(seat) else 1.0
    for count, kept in _PRIOR_ROUNDS:
        seeds = rng.integers(1, 2**31 - 2, count)
        first_shots = np.repeat(np.array(keys, np.int64).reshape(-1, 2), count, axis=0)
        index = np.zeros(len(first_shots), np.int64)
        leads = _final_leads([state], index, first_shots, np.tile(seeds, len(keys)), noise, context)
        leads = sign * leads.reshape(len(keys), count)
        win_shares = (leads > 0.0).mean(axis=1) + 0.5 * (leads == 0.0).mean(axis=1)
        for group, win_share, lead in zip(keys, win_shares, leads.mean(axis=1), strict=True):
            win_probability[groups[group]], points[groups[group]] = win_share, lead
        keys = [keys[k] for k in np.argsort(-win_shares, kind="stable")[:kept]]
    return win_probability, points


def warmup(context: RolloutContext) -> None:
    """Compile the rollout functions by a call without games."""
    rollout_leads([], np.zeros(0, np.int64), np.zeros((0, 1), np.int64), NO_NOISE, context)


def rollout_leads(
    end_states: Sequence[State | FlicksimError],
    state_index: Ints,
    seeds: Ints,
    noise: ExecutionNoise,
    context: RolloutContext,
) -> Floats:
    """Final lead of Blue and Red in rollouts from these states. [L, K]

    Args:
        state_index: state of each row. [L] seeds: of its rollouts. [L, K]
    """
    lead, running_index, states = np.zeros(seeds.shape), np.full(len(end_states), -1), list[State]()
    for k, state in enumerate(end_states):
        if isinstance(state, FlicksimError):
            continue
        if state.book.to_play is None:
            ours, theirs = scoring.pair_points(state.book.points)
            lead[state_index == k] = float(ours - theirs)
        else:
            running_index[k] = len(states)
            states.append(state)
    rows = np.flatnonzero(running_index[state_index] >= 0)
    index = np.repeat(running_index[state_index][rows], seeds.shape[1])
    results = _final_leads(states, index, np.full((len(index), 2), -1), seeds[rows].ravel(), noise, context)
    lead[rows] = results.reshape(len(rows), seeds.shape[1])
    return lead


def _final_leads(
    states: list[State], state_index: Ints, first_shots: Ints, seeds: Ints, noise: ExecutionNoise,
    context: RolloutContext,
) -> Floats:  # fmt: skip
    """Final lead of Blue and Red in each rollout (see `rollout_games`). [L]"""
    leads, options = np.zeros(len(state_index)), states[0].options if states else Options()
    context.compile(rollout_games)(
        rollout_states(states), state_index, first_shots, seeds, chance_lookup(noise), options.rounds, leads
    )
    return leads
