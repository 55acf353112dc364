"""Batched rollouts of dominoes rounds: hidden tiles redealt, heuristic play, exact endgame.

The functions take numbers and arrays only, so that numba can compile them. Tests check them against `rules`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from flicksim.games.dominoes.bitboard import STOP

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

TIE_SPLIT, TIE_NONE, TIE_LIGHTEST = 0, 1, 2
"""Tie-breaks of a blocked round: all tied seats win, none does, or those with the lightest tile."""
_MAX_DEPTH = 64
"""Largest depth of the endgame search: every tile, and a second tile declined before each."""


def sample_hidden_tiles(
    known_owner: Ints, hidden_tiles: Ints, capacity: Ints, possible: Ints, seeds: Ints, out_deals: Ints
) -> None:
    """Sample deals of the hidden tiles; every consistent deal has a positive probability.

    Tiles are placed one by one, those with the fewest possible holders first. A tile whose possible holders are full
    displaces others along a shortest augmenting path (breadth-first search, as in bipartite matching).

    Args:
        known_owner: seat that visibly holds a tile, S for the boneyard, -1 for the line or unknown. [T]
        hidden_tiles: tiles not visible, those with the fewest possible holders first.
        capacity: number of hidden tiles in each hand and, last, in the boneyard. [S + 1]
        possible: 1 where a holder may have a tile. [S + 1, T]
        seeds: seeds of the linear congruential generator (multiplier 69621), 1 to 2**31 - 2. [W]
        out_deals: holders, as `known_owner`; written. [W, T]
    """
    seats, count = len(capacity) - 1, len(hidden_tiles)
    choices, order = np.zeros(count, np.int64), np.zeros(count, np.int64)
    free, previous, moved = (
        np.zeros(seats + 1, np.int64),
        np.zeros(seats + 1, np.int64),
        np.zeros(seats + 1, np.int64),
    )
    for k in range(count):
        for holder in range(seats + 1):
            choices[k] += possible[holder, hidden_tiles[k]]
    for deal in range(len(seeds)):
        state = seeds[deal]
        out_deals[deal, :] = known_owner
        for holder in range(seats + 1):
            free[holder] = capacity[holder]
        for k in range(count):
            order[k] = hidden_tiles[k]
        for k in range(count):
            # tiles with equally many possible holders come in random order
            last = k
            while last + 1 < count and choices[last + 1] == choices[k]:
                last += 1
            state = state * 69621 % 2147483647
            j = k + state % (last - k + 1)
            order[k], order[j] = order[j], order[k]
            tile, total = order[k], 0
            for holder in range(seats + 1):
                if possible[holder, tile]:
                    total += free[holder]
            if total > 0:
                # a holder with probability in proportion to its free slots
                state = state * 69621 % 2147483647
                pick = state % total
                for holder in range(seats + 1):
                    if possible[holder, tile]:
                        pick -= free[holder]
                        if pick < 0:
                            out_deals[deal, tile] = holder
                            free[holder] -= 1
                            break
                continue
            # possible holders are full: move tiles along the shortest augmenting path to a free slot
            for holder in range(seats + 1):
                previous[holder] = -1 if possible[holder, tile] and capacity[holder] > 0 else -2
            end, is_growing = -1, True
            while end < 0 and is_growing:
                is_growing = False
                for placed in range(k):
                    holder = out_deals[deal, order[placed]]
                    if holder < 0 or previous[holder] == -2:
                        continue
                    for target in range(seats + 1):
                        if previous[target] == -2 and possible[target, order[placed]] and end < 0:
                            previous[target], moved[target], is_growing = holder, order[placed], True
                            if free[target] > 0:
                                end = target
            if end < 0:
                continue
            free[end] -= 1
            while previous[end] >= 0:
                out_deals[deal, moved[end]] = end
                end = previous[end]
            out_deals[deal, tile] = end


def rollout_rounds(
    tile_halves: Ints,
    deals: Ints,
    position: Ints,
    first_moves: Ints,
    seeds: Ints,
    solve_at_tiles: int,
    heuristic_noise: float,
    out_shares: Floats,
) -> None:
    """Play each first move in each deal to the end of the round; write the share of each seat.

    Args:
        tile_halves: halves of every tile, the higher one first. [T, 2] deals: from `sample_hidden_tiles`. [W, T]
        position: seat to play, left end, right end, whether a second tile is due, whether a second double allows a
            third, tie-break, number of arms of the line. [7]
        first_moves: encoded as in `bitboard`. [P] seeds: of the generator of each deal. [W]
        solve_at_tiles: largest number of tiles in all hands at which the endgame is solved (max^n search).
        heuristic_noise: range of the uniform noise on heuristic values [pips]. out_shares: written. [P, W, S]
    """
    tiles, seats = len(tile_halves), out_shares.shape[2]
    chain, tie = position[4], position[5]
    holder, hand_sizes = np.full(tiles, -1, np.int64), np.zeros(seats, np.int64)
    total, lightest_of = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    # search stack of the endgame: position, index of the current move, best shares so far
    stack, move_index = np.zeros((_MAX_DEPTH, 4), np.int64), np.zeros(_MAX_DEPTH, np.int64)
    best, shares = np.zeros((_MAX_DEPTH, seats)), np.zeros(seats)
    for deal in range(len(seeds)):
        for first in range(len(first_moves)):
            state = seeds[deal]
            held = 0
            for p in range(seats):
                hand_sizes[p] = 0
            for k in range(tiles):
                holder[k] = deals[deal, k] if deals[deal, k] < seats else -1
                if holder[k] >= 0:
                    held += 1
                    hand_sizes[holder[k]] += 1
            seat, left, right, second = position[0], position[1], position[2], position[3]
            move, heuristic = first_moves[first], False
            depth, over = -1, False
            while True:
                if not over:
                    if depth < 0 and heuristic:
                        if held > solve_at_tiles:
                            # the heuristic move
                            best_value, move = -1e9, STOP
                            for arm in range(2):
                                open_pips = left if arm else right
                                if open_pips < 0:
                                    continue
                                for k in range(tiles):
                                    if holder[k] != seat or (
                                        tile_halves[k, 0] != open_pips and tile_halves[k, 1] != open_pips
                                    ):
                                        continue
                                    new = tile_halves[k, 0] + tile_halves[k, 1] - open_pips
                                    new_left, new_right = (new, right) if arm else (left, new)
                                    follow_ups = 0
                                    for n in range(tiles):
                                        if holder[n] == seat and n != k:
                                            higher, lower = tile_halves[n, 0], tile_halves[n, 1]
                                            if higher in (new_left, new_right) or lower in (new_left, new_right):
                                                follow_ups += 1
                                    bonus = 4.0 if follow_ups > 0 and tile_halves[k, 0] == tile_halves[k, 1] else 0.0
                                    state = state * 69621 % 2147483647
                                    value = (
                                        tile_halves[k, 0] + tile_halves[k, 1] + 2.0 * follow_ups + bonus
                                        + heuristic_noise * state / 2147483647.0
                                    )  # fmt: skip
                                    if value > best_value:
                                        best_value, move = value, 2 * k + arm
                        else:
                            depth = 0
                            stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = seat, left, right, second
                            move_index[0] = -1
                            for p in range(seats):
                                best[0, p] = -1.0
                    if depth >= 0:
                        # the next move of this node of the endgame search
                        seat, left = stack[depth, 0], stack[depth, 1]
                        right, second = stack[depth, 2], stack[depth, 3]
                        index, has_move = move_index[depth] + 1, False
                        while index < 2 * tiles:
                            k, arm = index % tiles, index // tiles
                            open_pips = left if arm else right
                            if (
                                open_pips >= 0
                                and holder[k] == seat
                                and (tile_halves[k, 0] == open_pips or tile_halves[k, 1] == open_pips)
                            ):
                                has_move = True
                                break
                            index += 1
                        if best[depth, seat] >= 1.0 or (not has_move and (second == 0 or index > 2 * tiles)):
                            # all moves are searched, or none can be better: back to the parent node
                            if depth == 0:
                                for p in range(seats):
                                    out_shares[first, deal, p] = best[0, p]
                                break
                            for p in range(seats):
                                shares[p] = best[depth, p]
                            depth -= 1
                            over = True
                        else:
                            move_index[depth] = index
                            move = 2 * (index % tiles) + index // tiles if has_move else STOP
                if not over:
                    # apply the move
                    tile = move // 2
                    if move >= 0:
                        holder[tile] = -1
                        held -= 1
                        hand_sizes[seat] -= 1
                        if right < 0:  # it leads
                            right = tile_halves[tile, 0]
                            left = right if position[6] == 2 else -1
                        elif move % 2:
                            left = tile_halves[tile, 0] + tile_halves[tile, 1] - left
                        else:
                            right = tile_halves[tile, 0] + tile_halves[tile, 1] - right
                    is_playable = False
                    for k in range(tiles):
                        if holder[k] >= 0:
                            higher, lower = tile_halves[k, 0], tile_halves[k, 1]
                            if higher in (left, right) or lower in (left, right):
                                is_playable = True
                                break
                    if hand_sizes[seat] == 0:
                        over = True
                        for p in range(seats):
                            shares[p] = 1.0 if p == seat else 0.0
                    elif not is_playable:
                        over = True
                        for p in range(seats):
                            total[p], lightest_of[p] = 0, 999
                        for k in range(tiles):
                            if holder[k] >= 0:
                                pips = tile_halves[k, 0] + tile_halves[k, 1]
                                total[holder[k]] += pips
                                lightest_of[holder[k]] = min(lightest_of[holder[k]], pips)
                        fewest, lightest, tied = 9999, 999, 0
                        for p in range(seats):
                            fewest = min(fewest, total[p])
                        for p in range(seats):
                            if total[p] == fewest:
                                tied += 1
                                lightest = min(lightest, lightest_of[p])
                        winner_count = 0
                        for p in range(seats):
                            shares[p] = 0.0
                            if total[p] == fewest and (
                                tied == 1 or tie == TIE_SPLIT or (tie == TIE_LIGHTEST and lightest_of[p] == lightest)
                            ):
                                shares[p] = 1.0
                                winner_count += 1
                        for p in range(seats):
                            shares[p] /= max(1, winner_count)
                    else:
                        double = move >= 0 and tile_halves[tile, 0] == tile_halves[tile, 1]
                        second = 1 if double and (second == 0 or chain == 1) else 0
                    if not over and second == 0:
                        # advance to the next seat that can play
                        searching = True
                        while searching:
                            seat = seat + 1 if seat + 1 < seats else 0
                            for k in range(tiles):
                                if holder[k] == seat:
                                    higher, lower = tile_halves[k, 0], tile_halves[k, 1]
                                    if higher in (left, right) or lower in (left, right):
                                        searching = False
                                        break
                    if depth < 0:
                        if over:
                            for p in range(seats):
                                out_shares[first, deal, p] = shares[p]
                            break
                        heuristic = True
                        continue
                    if not over:
                        depth += 1
                        stack[depth, 0], stack[depth, 1] = seat, left
                        stack[depth, 2], stack[depth, 3] = right, second
                        move_index[depth] = -1
                        for p in range(seats):
                            best[depth, p] = -1.0
                        continue
                # back up the shares of the move searched at this node, and undo it
                over = False
                index = move_index[depth]
                if index < 2 * tiles:
                    holder[index % tiles] = stack[depth, 0]
                    held += 1
                    hand_sizes[stack[depth, 0]] += 1
                if shares[stack[depth, 0]] > best[depth, stack[depth, 0]]:
                    for p in range(seats):
                        best[depth, p] = shares[p]
