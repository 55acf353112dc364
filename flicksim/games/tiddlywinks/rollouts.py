"""Fast rollouts of tiddlywinks by tabled shot chances, without physics.

The state of a wink is its position and the wink that covers it; shots succeed with tabled probabilities
(`shot_chances`). Players pot, squop and approach by a greedy linear policy. Winks do not collide, and piles are at most
two high. The functions take numbers and arrays only, so that numba can compile them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, cos, hypot, sin
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.shot_chances import OFF_MAT, ChanceTable
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

DISTANCE_STEP = 0.005
"""Step of the lookup tables by distance [m]."""
_DISTANCE_CELLS = 240
BEHIND, PLAY, POTTED = 0, 1, 2
POLICY_WEIGHTS = (0.459, 3.135, 0.915, 0.339, 0.424, 1.291, 0.077, 0.25, 0.369)
"""Weights of the rollout policy: friend freed, enemy released, pot, share already potted, squop, pot chance of the
squopped wink, friend it covered, approach, bringing in. Tuned by self-play in rollouts: they win .56 of 16,000 games
against the initial weights."""
_MAX_SHOTS = 240
"""Largest number of shots of a rollout."""


class RolloutStates(NamedTuple):
    """Initial states of rollouts.

    Args:
        positions: of winks, for those behind a line where they are brought in from [m]. [T, 24, 2]
        wink_states: BEHIND, PLAY or POTTED. [T, 24] covered_by: index of the covering wink, or -1. [T, 24]
        scalars: seat to play, extra shots to come, shots until the time limit (-1: no limit), rounds to come (-1:
            before the time limit), opener, number of seats that have potted out; those seats in order (-1: none);
            whether each seat misses its next shot. [T, 14]
    """

    positions: Floats
    wink_states: Ints
    covered_by: Ints
    scalars: Ints


class ChanceLookup(NamedTuple):
    """Shot chances at a level of execution noise, by distance in steps of `DISTANCE_STEP`.

    Args:
        pot, squop: probability of success. [2, D], [2, 2, D]
        pot_miss, squop_miss, skim: sampled end points (see `ShotChances`). [2, D, K, 2], [2, 2, D, K, 2], [2, D, K, 2]
    """

    pot: Floats
    squop: Floats
    pot_miss: Floats
    squop_miss: Floats
    skim: Floats


def chance_lookup(table: ChanceTable) -> ChanceLookup:
    """Lookup tables of a table of chances."""
    distances = (np.arange(_DISTANCE_CELLS) + 0.5) * DISTANCE_STEP

    def interpolate(tabled: Floats, chance: Floats) -> Floats:
        rows = [np.interp(distances, tabled, row) for row in chance.reshape(-1, len(tabled))]
        return np.array(rows).reshape(*chance.shape[:-1], _DISTANCE_CELLS)

    def nearest(tabled: Floats) -> Ints:
        index: Ints = np.abs(np.log(distances)[:, None] - np.log(tabled)[None]).argmin(axis=1)
        return index

    squop = interpolate(table.squops, table.squop)
    squop[..., distances > table.squops[-1]] = 0.0
    return ChanceLookup(
        pot=interpolate(table.pots, table.pot), squop=squop,
        pot_miss=np.ascontiguousarray(table.pot_miss[:, nearest(table.pots)]),
        squop_miss=np.ascontiguousarray(table.squop_miss[:, :, nearest(table.squops)]),
        skim=np.ascontiguousarray(table.skim[:, nearest(table.skims)]),
    )  # fmt: skip


def rollout_states(states: list[State]) -> RolloutStates:
    """Initial states of rollouts from states of games in progress."""
    count = len(states)
    positions, covered_by = np.zeros((count, 24, 2)), np.full((count, 24), -1, np.int64)
    wink_states, scalars = np.full((count, 24), PLAY, np.int64), np.zeros((count, 14), np.int64)
    column = {name: k for k, name in enumerate(kit.WINKS)}
    for row, state in enumerate(states):
        book, squops = state.book, Squops(state.scene, state.book)
        for piece in state.scene.pieces:
            positions[row, column[piece.id]] = piece.position
        for k, name in enumerate(kit.WINKS):
            if name in book.potted:
                wink_states[row, k] = POTTED
            elif name in book.behind:
                wink_states[row, k] = BEHIND
                positions[row, k] = kit.start_spot(state.options, kit.seat_of(name), kit.kind_of(name))
            elif not book.potted_out:
                covering = squops.covering(name)
                covered_by[row, k] = column[covering[0]] if covering else -1
        assert book.to_play is not None
        assert book.opener is not None
        finished = [seat for group in book.finished for seat in group]
        scalars[row] = [
            book.to_play if book.phase == "shot" else (book.turn + 1) % 4, book.extra, _shots_until_time_up(state),
            -1 if book.laps is None else book.laps, book.opener, len(finished), *finished, *[-1] * (4 - len(finished)),
            *(seat in book.missing for seat in range(4)),
        ]  # fmt: skip
    return RolloutStates(positions, wink_states, covered_by, scalars)


def _shots_until_time_up(state: State) -> int:
    """Number of shots until the time limit; -1 without one."""
    options, book = state.options, state.book
    if options.time_limit_s is None or not options.seconds_per_shot or book.potted_out or book.laps is not None:
        return -1
    return max(1, int(np.ceil((options.time_limit_s - book.clock) / options.seconds_per_shot)))


def rollout_games(
    states: RolloutStates,
    state_index: Ints,
    first_shots: Ints,
    seeds: Ints,
    chances: ChanceLookup,
    policy_weights: Floats,
    rounds: int,
    out_lead: Floats,
) -> None:
    """Play each rollout to the end of its game; write the lead of Blue and Red.

    Args:
        state_index: initial state of each rollout. [L]
        first_shots: first shot of each rollout: index of the wink, -1 for the policy's choice; index of the wink to
            cover, -1 for the pot, -2 for an approach. [L, 2]
        seeds: seeds of the linear congruential generators, 1 to 2**31 - 2. [L]
        policy_weights: of each pair, as `POLICY_WEIGHTS`. [2, 9] rounds: after the time limit. out_lead: written. [L]
    """
    position, wink_state, covered_by = np.zeros((24, 2)), np.zeros(24, np.int64), np.zeros(24, np.int64)
    finished, missing, potted = np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64)
    totals, points, rng_states = np.zeros(4), np.zeros(4), np.zeros(4, np.int64)
    sample_count = chances.skim.shape[2]
    last_cell = chances.pot.shape[1] - 1
    squop_cells = chances.squop.shape[2]
    for rollout in range(len(state_index)):
        row = state_index[rollout]
        for k in range(24):
            position[k, 0], position[k, 1] = states.positions[row, k, 0], states.positions[row, k, 1]
            wink_state[k], covered_by[k] = states.wink_states[row, k], states.covered_by[row, k]
        seat, extra = states.scalars[row, 0], states.scalars[row, 1]
        shots_left, laps = states.scalars[row, 2], states.scalars[row, 3]
        opener, finished_count = states.scalars[row, 4], states.scalars[row, 5]
        for k in range(4):
            finished[k], missing[k] = states.scalars[row, 6 + k], states.scalars[row, 10 + k]
            potted[k] = 0
            for w in range(6 * k, 6 * k + 6):
                potted[k] += wink_state[w] == 2
        # a generator for each seat: common random numbers stay aligned when one seat has an additional shot
        rng_states[0] = seeds[rollout]
        for k in range(1, 4):
            rng_states[k] = rng_states[k - 1] * 69621 % 2147483647
        stuck_turns = 0
        is_new_turn, is_first_shot = True, True
        for _ in range(_MAX_SHOTS):
            # the next seat that can play
            passes = 0
            while True:
                can_play = False
                if potted[seat] < 6:
                    for w in range(6 * seat, 6 * seat + 6):
                        can_play = can_play or (wink_state[w] != 2 and covered_by[w] < 0)
                misses_shot = missing[seat] == 1
                if can_play and not misses_shot and (is_new_turn or extra > 0):
                    if not is_new_turn:
                        extra -= 1
                    break
                if misses_shot and (is_new_turn or extra > 0):
                    missing[seat] = 0
                    if not is_new_turn:
                        extra -= 1
                        continue
                if not can_play and potted[seat] < 6:  # a squopped-out pair is freed after six turns
                    stuck_turns += 1
                    if stuck_turns > 6:
                        stuck_turns = 0
                        for w in range(6 * seat, 6 * seat + 6):
                            if wink_state[w] == 1 and covered_by[w] >= 0:
                                upper = covered_by[w]
                                position[upper, 0] += 0.02
                                position[upper, 1] += 0.02
                                covered_by[w] = -1
                                break
                if laps >= 0 and seat == opener:
                    laps -= 1
                    if laps <= 0:
                        break
                seat, extra, is_new_turn = (seat + 1) % 4, 0, True
                passes += 1
                if passes > 64:
                    break
            if laps == 0 or passes > 64:
                break
            is_new_turn = False
            # the shot of the highest value by the policy
            pair = seat % 2
            best_value, wink, target = -1e9, -1, -2
            sizes_seen = 0
            for w in range(6 * seat, 6 * seat + 6):
                if wink_state[w] == 2 or covered_by[w] >= 0:
                    continue
                size = 0 if w % 6 < 2 else 1
                if wink_state[w] == 0:
                    if sizes_seen & (1 << size):
                        continue
                    sizes_seen |= 1 << size
                leave_value = 0.0
                if finished_count == 0 and wink_state[w] == 1:
                    for v in range(24):
                        if covered_by[v] == w:
                            leave_value += policy_weights[pair, 0] if (v // 6) % 2 == pair else -policy_weights[pair, 1]
                x, y = position[w, 0], position[w, 1]
                distance = hypot(x, y)
                pot_chance = chances.pot[size, min(last_cell, int(distance / 0.005))]
                value = (
                    pot_chance * (policy_weights[pair, 2] + policy_weights[pair, 3] * potted[seat] / 6.0) + leave_value
                )
                if value > best_value:
                    best_value, wink, target = value, w, -1
                if distance > 0.18:
                    value = (
                        (policy_weights[pair, 8] if wink_state[w] == 0 else policy_weights[pair, 7])
                        + leave_value
                        - pot_chance * 0.1
                    )
                    if value > best_value:
                        best_value, wink, target = value, w, -2
                if finished_count > 0:
                    continue
                for v in range(24):
                    if (v // 6) % 2 == pair or wink_state[v] != 1 or covered_by[v] >= 0:
                        continue
                    dx, dy = position[v, 0] - x, position[v, 1] - y
                    cell_distance = int(hypot(dx, dy) / 0.005)
                    if cell_distance >= squop_cells:
                        continue
                    target_size = 0 if v % 6 < 2 else 1
                    squop_chance = chances.squop[size, target_size, cell_distance]
                    if squop_chance < 0.02:
                        continue
                    enemy_pot_chance = chances.pot[
                        target_size, min(last_cell, int(hypot(position[v, 0], position[v, 1]) / 0.005))
                    ]
                    value = policy_weights[pair, 4] + policy_weights[pair, 5] * enemy_pot_chance
                    for u in range(24):
                        if covered_by[u] == v and (u // 6) % 2 == pair:
                            value += policy_weights[pair, 6]
                    value = squop_chance * value + leave_value
                    if value > best_value:
                        best_value, wink, target = value, w, v
            if is_first_shot and first_shots[rollout, 0] >= 0:
                wink, target = first_shots[rollout, 0], first_shots[rollout, 1]
            is_first_shot = False
            # simulate the shot
            for v in range(24):
                if covered_by[v] == wink:
                    covered_by[v] = -1
            size = 0 if wink % 6 < 2 else 1
            x, y = position[wink, 0], position[wink, 1]
            wink_state[wink] = 1
            rng_states[seat] = rng_states[seat] * 48271 % 2147483647
            draw = rng_states[seat] / 2147483647.0
            rng_states[seat] = rng_states[seat] * 48271 % 2147483647
            sample = int(rng_states[seat] / 2147483647.0 * sample_count)
            tx, ty, along, across, has_missed = 0.0, 0.0, 0.0, 0.0, True
            if target == -1:
                cell = min(last_cell, int(hypot(x, y) / 0.005))
                if draw < chances.pot[size, cell]:
                    has_missed = False
                    wink_state[wink] = 2
                    potted[seat] += 1
                    extra += 1
                    if potted[seat] == 6:
                        finished[finished_count] = seat
                        finished_count += 1
                        extra = 0
                        laps, shots_left = -1, -1
                        for v in range(24):
                            covered_by[v] = -1
                        if finished_count >= 3:
                            break
                else:
                    along, across = chances.pot_miss[size, cell, sample, 0], chances.pot_miss[size, cell, sample, 1]
            elif target >= 0:
                target_size = 0 if target % 6 < 2 else 1
                tx, ty = position[target, 0], position[target, 1]
                cell = min(squop_cells - 1, int(hypot(tx - x, ty - y) / 0.005))
                if draw < chances.squop[size, target_size, cell]:
                    has_missed = False
                    covered_by[target] = wink
                    position[wink, 0], position[wink, 1] = tx + 0.3 * 0.008, ty
                else:
                    along = chances.squop_miss[size, target_size, cell, sample, 0]
                    across = chances.squop_miss[size, target_size, cell, sample, 1]
            else:
                distance = hypot(x, y)
                tx, ty = x / distance * 0.11, y / distance * 0.11
                cell = min(last_cell, int((distance - 0.11) / 0.005))
                along, across = chances.skim[size, cell, sample, 0], chances.skim[size, cell, sample, 1]
            if has_missed:
                if along > 5.0:
                    distance = hypot(x, y)
                    position[wink, 0], position[wink, 1] = -x / distance * 0.7, -y / distance * 0.4
                    missing[seat] = 1
                else:
                    bearing = atan2(y - ty, x - tx)
                    position[wink, 0] = tx + along * cos(bearing) - across * sin(bearing)
                    position[wink, 1] = ty + along * sin(bearing) + across * cos(bearing)
            if shots_left > 0:
                shots_left -= 1
                if shots_left == 0:
                    laps = rounds + 1
        # score
        for k in range(4):
            points[k] = 0.0
        if finished_count > 0:
            for place in range(min(finished_count, 3)):
                points[finished[place]] = 4.0 if place == 0 else 2.0 if place == 1 else 1.0
            if finished_count < 3:  # cut off: the others share the remaining points
                points_each = 1.0 if finished_count == 1 else 0.5
                for k in range(4):
                    if points[k] == 0.0:
                        points[k] = points_each
            lead = points[0] + points[2] - points[1] - points[3]
            if lead > 0.0:
                lead += 2.0 * min(1.0, points[1] + points[3])
            elif lead < 0.0:
                lead -= 2.0 * min(1.0, points[0] + points[2])
            out_lead[rollout] = lead
            continue
        for k in range(4):
            totals[k] = 3.0 * potted[k]
            for w in range(6 * k, 6 * k + 6):
                if wink_state[w] == 1 and covered_by[w] < 0:
                    totals[k] += 1.0
        for k in range(4):
            better, equal = 0, 0
            for v in range(4):
                better += totals[v] > totals[k]
                equal += totals[v] == totals[k]
            for place in range(better, better + equal):
                points[k] += (4.0 if place == 0 else 2.0 if place == 1 else 1.0 if place == 2 else 0.0) / equal
        out_lead[rollout] = points[0] + points[2] - points[1] - points[3]


RolloutFunction = Callable[[RolloutStates, Ints, Ints, Ints, ChanceLookup, Floats, int, Floats], None]
"""`rollout_games`, compiled or not."""
assert OFF_MAT > 5.0
