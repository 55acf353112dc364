"""Batched rollouts of dominoes rounds: hidden tiles redealt, heuristic play, exact endgame.

The functions take numbers and arrays only, so that numba can compile them. Tests check them against `rules`.
"""

from typing import NamedTuple

import numpy as np

from flicksim.core.arrays import Floats, Ints
from flicksim.games.dominoes.bitboard import STOP

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
    free, previous, moved = np.zeros_like(capacity), np.zeros_like(capacity), np.zeros_like(capacity)
    for k in range(count):
        for holder in range(seats + 1):
            choices[k] += possible[holder, hidden_tiles[k]]
    for deal in range(len(seeds)):
        state = seeds[deal]
        out_deals[deal, :] = known_owner
        free[:], order[:] = capacity, hidden_tiles
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
            _displace(out_deals[deal], order[: k + 1], capacity, possible, free, previous, moved)


def _displace(
    deal: Ints, placed: Ints, capacity: Ints, possible: Ints, free: Ints, previous: Ints, moved: Ints
) -> None:
    """Place the last tile, whose possible holders are full: move others along the shortest augmenting path.

    Args:
        deal: holders of tiles. [T] placed: tiles in the order of placing, the last without a holder. [k + 1]
        capacity, possible: see `sample_hidden_tiles`. free: slots left of each holder. [S + 1]
        previous, moved: workspace: holder and tile from which the path came to a holder. [S + 1]
    """
    tile, holders = placed[-1], len(capacity)
    for holder in range(holders):
        previous[holder] = -1 if possible[holder, tile] and capacity[holder] > 0 else -2
    end, is_growing = -1, True
    while end < 0 and is_growing:
        is_growing = False
        for other in placed[:-1]:
            holder = deal[other]
            if holder < 0 or previous[holder] == -2:
                continue
            for target in range(holders):
                if previous[target] == -2 and possible[target, other] and end < 0:
                    previous[target], moved[target], is_growing = holder, other, True
                    if free[target] > 0:
                        end = target
    if end < 0:
        return
    free[end] -= 1
    while previous[end] >= 0:
        deal[moved[end]] = end
        end = previous[end]
    deal[tile] = end


class _Round(NamedTuple):
    """Round being rolled out, changed in place.

    Args:
        tile_halves, position: see `rollout_rounds`. holder: seat that holds a tile, or -1. [T] hand_sizes: by seat. [S]
        table: seat to play, left end, right end, whether a second tile is due. [4]
        sums: workspace: pips and lightest tile of each seat. [2, S] shares: of the finished round. [S]
    """

    tile_halves: Ints
    position: Ints
    holder: Ints
    hand_sizes: Ints
    table: Ints
    sums: Ints
    shares: Floats


class _Nodes(NamedTuple):
    """Nodes of the endgame search by depth: table, index of the current move, best shares so far. [depth, ...]"""

    tables: Ints
    move_index: Ints
    best: Floats


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
    game = _Round(
        tile_halves, position, np.zeros(tiles, np.int64), np.zeros(seats, np.int64), np.zeros(4, np.int64),
        np.zeros((2, seats), np.int64), np.zeros(seats),
    )  # fmt: skip
    nodes = _Nodes(np.zeros((_MAX_DEPTH, 4), np.int64), np.zeros(_MAX_DEPTH, np.int64), np.zeros((_MAX_DEPTH, seats)))
    for deal in range(len(seeds)):
        for first in range(len(first_moves)):
            state, held = seeds[deal], 0
            game.hand_sizes[:] = 0
            for k in range(tiles):
                game.holder[k] = deals[deal, k] if deals[deal, k] < seats else -1
                if game.holder[k] >= 0:
                    held += 1
                    game.hand_sizes[game.holder[k]] += 1
            game.table[:] = position[:4]
            move = first_moves[first]
            while not _play(game, move):
                held -= move >= 0
                if held <= solve_at_tiles:
                    _solve(game, nodes)
                    break
                move, state = _heuristic_move(game, heuristic_noise, state)
            out_shares[first, deal] = game.shares


def _play(game: _Round, move: int) -> bool:
    """Play a move and pass for seats that cannot; return True with the shares if the round is over."""
    table, halves, seat, tile = game.table, game.tile_halves, game.table[0], move // 2
    if move >= 0:
        game.holder[tile] = -1
        game.hand_sizes[seat] -= 1
        if table[2] < 0:  # it leads
            table[2] = halves[tile, 0]
            table[1] = table[2] if game.position[6] == 2 else -1
        else:
            end = 1 if move % 2 else 2
            table[end] = halves[tile, 0] + halves[tile, 1] - table[end]
    if game.hand_sizes[seat] == 0:
        game.shares[:] = 0.0
        game.shares[seat] = 1.0
        return True
    following = _next_seat(game)
    if following < 0:
        _share_blocked_round(game)
        return True
    is_double = move >= 0 and halves[tile, 0] == halves[tile, 1]
    table[3] = 1 if is_double and (table[3] == 0 or game.position[4] == 1) else 0
    if table[3] == 0:
        table[0] = following
    return False


def _next_seat(game: _Round) -> int:
    """Next seat that can play, the one that has just played last; -1 if nobody can."""
    seat = game.table[0]
    for _ in range(len(game.shares)):
        seat = seat + 1 if seat + 1 < len(game.shares) else 0
        for k in range(len(game.holder)):
            if game.holder[k] == seat and _fits(game, k):
                return int(seat)
    return -1


def _fits(game: _Round, tile: int) -> bool:
    """Return True if a tile fits an open end."""
    higher, lower, left, right = game.tile_halves[tile, 0], game.tile_halves[tile, 1], game.table[1], game.table[2]
    return bool(higher in (left, right) or lower in (left, right))


def _share_blocked_round(game: _Round) -> None:
    """Write the shares of a blocked round: fewest pips, ties by the tie-break (DO-A20, DO-B13, DO-X3)."""
    totals, lightest_of, shares, tie = game.sums[0], game.sums[1], game.shares, game.position[5]
    totals[:], lightest_of[:] = 0, 999
    for k in range(len(game.holder)):
        holder = game.holder[k]
        if holder >= 0:
            pips = game.tile_halves[k, 0] + game.tile_halves[k, 1]
            totals[holder] += pips
            lightest_of[holder] = min(lightest_of[holder], pips)
    fewest, lightest, tied, winner_count = 9999, 999, 0, 0
    for p in range(len(shares)):
        fewest = min(fewest, totals[p])
    for p in range(len(shares)):
        if totals[p] == fewest:
            tied += 1
            lightest = min(lightest, lightest_of[p])
    for p in range(len(shares)):
        wins_tie = tied == 1 or tie == TIE_SPLIT or (tie == TIE_LIGHTEST and lightest_of[p] == lightest)
        shares[p] = 1.0 if totals[p] == fewest and wins_tie else 0.0
        winner_count += shares[p] > 0.0
    for p in range(len(shares)):
        shares[p] /= max(1, winner_count)


def _heuristic_move(game: _Round, heuristic_noise: float, state: int) -> tuple[int, int]:
    """Move of the highest heuristic value with uniform noise, and the state of the generator."""
    halves, holder, table = game.tile_halves, game.holder, game.table
    seat, left, right = table[0], table[1], table[2]
    best_value, move = -1e9, STOP
    for arm in range(2):
        end = left if arm else right
        if end < 0:
            continue
        for k in range(len(holder)):
            if holder[k] != seat or (halves[k, 0] != end and halves[k, 1] != end):
                continue
            new = halves[k, 0] + halves[k, 1] - end
            table[1], table[2] = (new, right) if arm else (left, new)
            follow_ups = 0
            for n in range(len(holder)):
                if holder[n] == seat and n != k and _fits(game, n):
                    follow_ups += 1
            bonus = 4.0 if follow_ups > 0 and halves[k, 0] == halves[k, 1] else 0.0
            state = state * 69621 % 2147483647
            noise = heuristic_noise * state / 2147483647.0
            value = halves[k, 0] + halves[k, 1] + 2.0 * follow_ups + bonus + noise
            if value > best_value:
                best_value, move = value, 2 * k + arm
    table[1], table[2] = left, right
    return move, state


def _solve(game: _Round, nodes: _Nodes) -> None:
    """Write the shares of a round in which every seat plays best for itself (max^n search, depth first)."""
    halves, table, shares, best = game.tile_halves, game.table, game.shares, nodes.best
    tiles, depth, is_new = len(halves), 0, True
    while True:
        if is_new:
            nodes.move_index[depth] = -1
            for k in range(4):
                nodes.tables[depth, k] = table[k]
            best[depth, :] = -1.0
        for k in range(4):
            table[k] = nodes.tables[depth, k]
        seat = table[0]
        index = nodes.move_index[depth] + 1
        while index < 2 * tiles:
            end = table[1] if index // tiles else table[2]
            tile = index % tiles
            if end >= 0 and game.holder[tile] == seat and (halves[tile, 0] == end or halves[tile, 1] == end):
                break
            index += 1
        # after the placements, index `2 * tiles` is to play no second tile
        if best[depth, seat] >= 1.0 or index > 2 * tiles or (index == 2 * tiles and table[3] == 0):
            for p in range(len(shares)):
                shares[p] = best[depth, p]
            if depth == 0:
                return
            depth -= 1
        else:
            nodes.move_index[depth] = index
            move = 2 * (index % tiles) + index // tiles if index < 2 * tiles else STOP
            is_new = not _play(game, move)
            if is_new:
                depth += 1
                continue
        is_new, seat, index = False, nodes.tables[depth, 0], nodes.move_index[depth]
        if index < 2 * tiles:  # take the tile back
            game.holder[index % tiles] = seat
            game.hand_sizes[seat] += 1
        if shares[seat] > best[depth, seat]:
            for p in range(len(shares)):
                best[depth, p] = shares[p]
