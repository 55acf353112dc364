"""Fast rollouts of tiddlywinks by tabled shot chances, without physics.

The state of a wink is its position and the wink that covers it; shots succeed with tabled probabilities
(`shot_chances`). Players pot, squop and approach at random, by a softmax of linear values that imitates bots: a greedy
policy repeats one mistake in all rollouts, and its win probabilities are too bold. Winks do not collide, and piles are
at most two high. The functions take numbers and arrays only, so that numba can compile them.
"""

from collections.abc import Sequence
from math import atan2, cos, hypot, sin
from typing import NamedTuple

import numpy as np

from flicksim.core.arrays import Floats, Ints
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.heuristic_value import pot_log_decay, squop_log_decay
from flicksim.games.tiddlywinks.shot_chances import DISTANCE_STEP, DISTANCES, OFF_MAT, ChanceLookup
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State

BEHIND, PLAY, POTTED = 0, 1, 2
POLICY_WEIGHTS = (0.98, -3.69, 1.83, 2.82, -0.56, 0.96, -0.88, 1.55, 4.3)
"""Weights of the values of shots (`shot_values`): of each friend freed and enemy released; of a pot by its distance, by
its chance and the share already potted, and from behind a line; of an approach, and that by the chance of the pot; of
bringing in; of a squop by its distance. Fitted by maximum likelihood (`benchmarks.rollout_policy`) to 4,027 shots of 60
games between club players (seed 9202) before squops had topspin and gentle squidges today's errors; 3,856 shots with
topspin (seed 9302) are nearly as likely by them as by weights fitted to these (mean log-likelihood -1.313, -1.304)."""
_POT_DECAY, _SQUOP_DECAY = np.exp(pot_log_decay(DISTANCES)), np.exp(squop_log_decay(DISTANCES))
"""Decay of the values of pots and squops with distance, by distance cell."""
_GUMBEL = -np.log(-np.log((np.arange(1024) + 0.5) / 1024))
"""Quantiles of the standard Gumbel distribution: the largest value plus noise is a softmax sample."""
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


class _Game(NamedTuple):
    """State of a rollout, changed in place.

    Args:
        turn: numbers indexed by the constants below. [8]
        positions: of winks [m]. [24, 2] wink_states: BEHIND, PLAY or POTTED. [24] covered_by: index or -1. [24]
        finished: seats that have potted out, in order. missing: whether each seat misses its next shot.
        potted: number of potted winks of each seat. rng: state of the generator of each seat. totals, points: [4]
    """

    turn: Ints
    positions: Floats
    wink_states: Ints
    covered_by: Ints
    finished: Ints
    missing: Ints
    potted: Ints
    rng: Ints
    totals: Floats
    points: Floats


class ShotValues(NamedTuple):
    """Shots of a seat with their values, written in place.

    Args:
        winks: index of the wink to play. targets: index of the wink to cover, -1 for the pot, -2 for an approach.
        values: by the policy. [84] enemies: indices of open enemy winks. [12] leave: value of leaving what the seat's
            winks cover. [6]
    """

    winks: Ints
    targets: Ints
    values: Floats
    enemies: Ints
    leave: Floats


_SEAT, _EXTRA, _SHOTS_LEFT, _LAPS, _OPENER, _FINISHED, _STUCK_TURNS, _IS_NEW_TURN = range(8)
"""Seat to play, extra shots to come, shots until the time limit, rounds to come, opener, number of seats that have
potted out, turns of squopped-out seats, and whether the turn is new."""


def rollout_games(
    states: RolloutStates,
    state_index: Ints,
    first_shots: Ints,
    seeds: Ints,
    chances: ChanceLookup,
    rounds: int,
    out_lead: Floats,
) -> None:
    """Play each rollout to the end of its game; write the lead of Blue and Red.

    Args:
        state_index: initial state of each rollout. [L]
        first_shots: first shot of each rollout: index of the wink, -1 for the policy's choice; index of the wink to
            cover, -1 for the pot, -2 for an approach. [L, 2]
        seeds: seeds of the linear congruential generators, 1 to 2**31 - 2. [L]
        rounds: after the time limit. out_lead: written. [L]
    """
    game = _Game(
        np.zeros(8, np.int64), np.zeros((24, 2)), np.zeros(24, np.int64), np.zeros(24, np.int64), np.zeros(4, np.int64),
        np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(4), np.zeros(4),
    )  # fmt: skip
    shots = ShotValues(
        np.zeros(84, np.int64), np.zeros(84, np.int64), np.zeros(84), np.zeros(12, np.int64), np.zeros(6)
    )
    for rollout in range(len(state_index)):
        _set_up(states, state_index[rollout], seeds[rollout], game)
        for shot in range(_MAX_SHOTS):
            if not _find_next_seat(game):
                break
            wink, target = _choose_shot(game, chances, shots)
            if shot == 0 and first_shots[rollout, 0] >= 0:
                wink, target = first_shots[rollout, 0], first_shots[rollout, 1]
            _shoot(game, chances, wink, target)
            if game.turn[_FINISHED] >= 3:
                break
            if game.turn[_SHOTS_LEFT] > 0:
                game.turn[_SHOTS_LEFT] -= 1
                if game.turn[_SHOTS_LEFT] == 0:
                    game.turn[_LAPS] = rounds + 1
        out_lead[rollout] = _lead_after_potting_out(game) if game.turn[_FINISHED] > 0 else _lead_at_time_limit(game)


def _set_up(states: RolloutStates, row: int, seed: int, game: _Game) -> None:
    for k in range(24):
        game.positions[k, 0], game.positions[k, 1] = states.positions[row, k, 0], states.positions[row, k, 1]
        game.wink_states[k], game.covered_by[k] = states.wink_states[row, k], states.covered_by[row, k]
    for k in range(6):
        game.turn[k] = states.scalars[row, k]
    game.turn[_STUCK_TURNS], game.turn[_IS_NEW_TURN] = 0, 1
    # a generator for each seat: common random numbers stay aligned when one seat has an additional shot
    state = seed
    for k in range(4):
        game.finished[k], game.missing[k] = states.scalars[row, 6 + k], states.scalars[row, 10 + k]
        game.rng[k] = state
        state = state * 69621 % 2147483647
        game.potted[k] = 0
        for w in range(6 * k, 6 * k + 6):
            game.potted[k] += game.wink_states[w] == 2


def _find_next_seat(game: _Game) -> bool:
    """Advance to the next seat that can play; return False if the game has ended or nobody can."""
    turn, passes = game.turn, 0
    while passes <= 64:
        seat = turn[_SEAT]
        can_play = False
        if game.potted[seat] < 6:
            for w in range(6 * seat, 6 * seat + 6):
                can_play = can_play or (game.wink_states[w] != 2 and game.covered_by[w] < 0)
        has_shot, misses_shot = turn[_IS_NEW_TURN] == 1 or turn[_EXTRA] > 0, game.missing[seat] == 1
        if can_play and not misses_shot and has_shot:
            if turn[_IS_NEW_TURN] == 0:
                turn[_EXTRA] -= 1
            turn[_IS_NEW_TURN] = 0
            return True
        if misses_shot and has_shot:
            game.missing[seat] = 0
            if turn[_IS_NEW_TURN] == 0:
                turn[_EXTRA] -= 1
                continue
        if not can_play and game.potted[seat] < 6:
            _free_after_six_turns(game)
        if turn[_LAPS] >= 0 and seat == turn[_OPENER]:
            turn[_LAPS] -= 1
            if turn[_LAPS] <= 0:
                return False
        turn[_SEAT], turn[_EXTRA], turn[_IS_NEW_TURN] = (seat + 1) % 4, 0, 1
        passes += 1
    return False


def _free_after_six_turns(game: _Game) -> None:
    """Free a wink of a squopped-out seat after six turns of seats without a wink to play."""
    seat = game.turn[_SEAT]
    game.turn[_STUCK_TURNS] += 1
    if game.turn[_STUCK_TURNS] > 6:
        game.turn[_STUCK_TURNS] = 0
        for w in range(6 * seat, 6 * seat + 6):
            if game.wink_states[w] == 1 and game.covered_by[w] >= 0:
                upper = game.covered_by[w]
                game.positions[upper, 0] += 0.02
                game.positions[upper, 1] += 0.02
                game.covered_by[w] = -1
                break


def _choose_shot(game: _Game, chances: ChanceLookup, shots: ShotValues) -> tuple[int, int]:
    """Wink and target of a shot sampled from the softmax of the values of the policy.

    Args:
        shots: written.
    """
    seat = game.turn[_SEAT]
    count = shot_values(game, chances, POLICY_WEIGHTS, shots)
    game.rng[seat] = game.rng[seat] * 48271 % 2147483647
    draw, best, best_value = game.rng[seat], 0, -np.inf
    for k in range(count):
        draw = draw * 16807 % 2147483647
        value = shots.values[k] + _GUMBEL[draw % 1024]
        if value > best_value:
            best, best_value = k, value
    return shots.winks[best], shots.targets[best]


def shot_values(game: _Game, chances: ChanceLookup, weights: Sequence[float], shots: ShotValues) -> int:
    """Write the shots of the seat to play with their values by the policy, linear in the weights; return their
    number."""
    seat, last_cell, covered_by = game.turn[_SEAT], chances.pot.shape[1] - 1, game.covered_by
    pair, potted_out, sizes_seen, count, enemies = seat % 2, game.turn[_FINISHED] > 0, 0, 0, 0
    shots.leave[:] = 0.0
    if not potted_out:
        for v in range(24):
            upper = covered_by[v]
            if upper >= 0 and upper // 6 == seat:
                shots.leave[upper % 6] += weights[0] if (v // 6) % 2 == pair else weights[1]
            if upper < 0 and (v // 6) % 2 != pair and game.wink_states[v] == 1:
                shots.enemies[enemies] = v
                enemies += 1
    for w in range(6 * seat, 6 * seat + 6):
        if game.wink_states[w] == 2 or covered_by[w] >= 0:
            continue
        size, is_behind, leave_value = 0 if w % 6 < 2 else 1, game.wink_states[w] == 0, shots.leave[w % 6]
        if is_behind:
            if sizes_seen & (1 << size):
                continue
            sizes_seen |= 1 << size
        x, y = game.positions[w, 0], game.positions[w, 1]
        for k in range(enemies):
            v = shots.enemies[k]
            cell = int(hypot(game.positions[v, 0] - x, game.positions[v, 1] - y) / DISTANCE_STEP)
            if cell < chances.squop.shape[2] and chances.squop[size, 0 if v % 6 < 2 else 1, cell] >= 0.02:
                shots.winks[count], shots.targets[count] = w, v
                shots.values[count] = leave_value + weights[8] * _SQUOP_DECAY[cell]
                count += 1
        distance = hypot(x, y)
        cell = min(last_cell, int(distance / DISTANCE_STEP))
        pot_chance = chances.pot[size, cell]
        pot = weights[2] * _POT_DECAY[cell] + weights[3] * pot_chance * game.potted[seat] / 6.0
        shots.winks[count], shots.targets[count] = w, -1
        shots.values[count] = leave_value + pot + (weights[4] if is_behind else 0.0)
        count += 1
        if distance > 0.18:
            shots.winks[count], shots.targets[count] = w, -2
            shots.values[count] = leave_value + (weights[7] if is_behind else weights[5] + weights[6] * pot_chance)
            count += 1
    return count


def shot_features(state: State, chances: ChanceLookup) -> tuple[list[tuple[int, int]], Floats]:
    """Shots of the seat to play, each the index of its wink and its target, and their features that `POLICY_WEIGHTS`
    multiply. [shots, 9]"""
    game = _Game(
        np.zeros(8, np.int64), np.zeros((24, 2)), np.zeros(24, np.int64), np.zeros(24, np.int64), np.zeros(4, np.int64),
        np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(4), np.zeros(4),
    )  # fmt: skip
    _set_up(rollout_states([state]), 0, 1, game)
    _find_next_seat(game)
    shots = ShotValues(
        np.zeros(84, np.int64), np.zeros(84, np.int64), np.zeros(84), np.zeros(12, np.int64), np.zeros(6)
    )
    columns = list[Floats]()
    for weights in np.eye(len(POLICY_WEIGHTS)).tolist():
        count = shot_values(game, chances, weights, shots)
        columns.append(shots.values[:count].copy())
    return list(zip(shots.winks[:count].tolist(), shots.targets[:count].tolist(), strict=True)), np.array(columns).T


def _shoot(game: _Game, chances: ChanceLookup, wink: int, target: int) -> None:
    """Simulate a shot by its chances: a pot (-1), an approach (-2), or a squop of the target."""
    seat, size = game.turn[_SEAT], 0 if wink % 6 < 2 else 1
    last_cell, squop_cells = chances.pot.shape[1] - 1, chances.squop.shape[2]
    _uncover(game, wink)
    x, y = game.positions[wink, 0], game.positions[wink, 1]
    game.wink_states[wink] = 1
    game.rng[seat] = game.rng[seat] * 48271 % 2147483647
    draw = game.rng[seat] / 2147483647.0
    game.rng[seat] = game.rng[seat] * 48271 % 2147483647
    sample = int(game.rng[seat] / 2147483647.0 * chances.skim.shape[2])
    if target == -1:
        cell = min(last_cell, int(hypot(x, y) / DISTANCE_STEP))
        if draw < chances.pot[size, cell]:
            _pot(game, wink)
            return
        misses = chances.pot_miss[size, cell]
        _place_missed(game, wink, 0.0, 0.0, misses[sample, 0], misses[sample, 1])
    elif target >= 0:
        target_size = 0 if target % 6 < 2 else 1
        tx, ty = game.positions[target, 0], game.positions[target, 1]
        cell = min(squop_cells - 1, int(hypot(tx - x, ty - y) / DISTANCE_STEP))
        if draw < chances.squop[size, target_size, cell]:
            game.covered_by[target] = wink
            game.positions[wink, 0], game.positions[wink, 1] = tx + 0.3 * 0.008, ty
            return
        misses = chances.squop_miss[size, target_size, cell]
        _place_missed(game, wink, tx, ty, misses[sample, 0], misses[sample, 1])
    else:
        distance = hypot(x, y)
        cell = min(last_cell, int((distance - 0.11) / DISTANCE_STEP))
        tx, ty = x / distance * 0.11, y / distance * 0.11
        _place_missed(game, wink, tx, ty, chances.skim[size, cell, sample, 0], chances.skim[size, cell, sample, 1])


def _uncover(game: _Game, wink: int) -> None:
    for v in range(24):
        if game.covered_by[v] == wink:
            game.covered_by[v] = -1


def _pot(game: _Game, wink: int) -> None:
    """Pot a wink: an extra shot, or potting out, which ends squops and the time limit."""
    turn, seat = game.turn, game.turn[_SEAT]
    game.wink_states[wink] = 2
    game.potted[seat] += 1
    turn[_EXTRA] += 1
    if game.potted[seat] == 6:
        game.finished[turn[_FINISHED]] = seat
        turn[_FINISHED] += 1
        turn[_EXTRA], turn[_LAPS], turn[_SHOTS_LEFT] = 0, -1, -1
        game.covered_by[:] = -1


def _place_missed(game: _Game, wink: int, tx: float, ty: float, along: float, across: float) -> None:
    """Place a wink back along the shot and across it from its target; one off the mat costs the next shot."""
    x, y = game.positions[wink, 0], game.positions[wink, 1]
    if along > 5.0:
        distance = hypot(x, y)
        game.positions[wink, 0], game.positions[wink, 1] = -x / distance * 0.7, -y / distance * 0.4
        game.missing[game.turn[_SEAT]] = 1
    else:
        bearing = atan2(y - ty, x - tx)
        game.positions[wink, 0] = tx + along * cos(bearing) - across * sin(bearing)
        game.positions[wink, 1] = ty + along * sin(bearing) + across * cos(bearing)


def _lead_after_potting_out(game: _Game) -> float:
    """Lead of Blue and Red by places, with the transferred point (TW-5)."""
    points, count = game.points, game.turn[_FINISHED]
    points[:] = 0.0
    for place in range(min(count, 3)):
        points[game.finished[place]] = 4.0 if place == 0 else 2.0 if place == 1 else 1.0
    if count < 3:  # cut off: the others share the remaining points
        for k in range(4):
            if points[k] == 0.0:
                points[k] = 1.0 if count == 1 else 0.5
    lead = float(points[0] + points[2] - points[1] - points[3])
    if lead > 0.0:
        lead += 2.0 * min(1.0, points[1] + points[3])
    elif lead < 0.0:
        lead -= 2.0 * min(1.0, points[0] + points[2])
    return lead


def _lead_at_time_limit(game: _Game) -> float:
    """Lead of Blue and Red by time-limit points, level seats sharing their places (TW-11)."""
    totals, points = game.totals, game.points
    for k in range(4):
        totals[k] = 3.0 * game.potted[k]
        for w in range(6 * k, 6 * k + 6):
            if game.wink_states[w] == 1 and game.covered_by[w] < 0:
                totals[k] += 1.0
    for k in range(4):
        better, equal = 0, 0
        points[k] = 0.0
        for v in range(4):
            better += totals[v] > totals[k]
            equal += totals[v] == totals[k]
        for place in range(better, better + equal):
            points[k] += (4.0 if place == 0 else 2.0 if place == 1 else 1.0 if place == 2 else 0.0) / equal
    return float(points[0] + points[2] - points[1] - points[3])


assert OFF_MAT > 5.0
