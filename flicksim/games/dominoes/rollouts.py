"""Batched rollouts of dominoes rounds: hidden tiles redealt, heuristic play, exact endgame.

Functions of numbers and arrays, so that they can be compiled. Tests hold them against `Quick` and against every line of
play there is.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from flicksim.games.dominoes.fast_state import STOP

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

TIE_SPLIT, TIE_NONE, TIE_LIGHTEST = 0, 1, 2
"""Winners of those with equally few pips: all of them, nobody, or whoever has the lightest tile."""
_MAX_DEPTH = 64
"""Moves that an ending which is solved may last, at most: every tile, and a second one refused before each."""


def sample_hidden_tiles(
    known_owner: Ints, hidden_tiles: Ints, capacity: Ints, possible: Ints, seeds: Ints, out_deals: Ints
) -> None:
    """Deal the hidden tiles anew, so often: every deal that may be may come about.

    Args:
        known_owner: the seat that is seen to hold a tile, S for the boneyard, -1 for the line. [T]
        hidden_tiles: tiles that are not seen, those with the fewest places first.
        capacity: for how many of them there is room in each hand and, last, in the boneyard. [S + 1]
        possible: 1 where a tile may be there. [S + 1, T] seeds: where the chance of each deal comes from, 1 to
            2**31 - 2. [W] out_deals: written, as `known_owner`. [W, T]
    """
    seats, many = len(capacity) - 1, len(hidden_tiles)
    wide, order = np.zeros(many, np.int64), np.zeros(many, np.int64)
    free, came, given = (np.zeros(seats + 1, np.int64), np.zeros(seats + 1, np.int64), np.zeros(seats + 1, np.int64))
    for k in range(many):
        for p in range(seats + 1):
            wide[k] += possible[p, hidden_tiles[k]]
    for deal in range(len(seeds)):
        chance = seeds[deal]
        out_deals[deal, :] = known_owner
        for p in range(seats + 1):
            free[p] = capacity[p]
        for k in range(many):
            order[k] = hidden_tiles[k]
        for k in range(many):
            # of tiles with as many places any comes next
            last = k
            while last + 1 < many and wide[last + 1] == wide[k]:
                last += 1
            chance = chance * 69621 % 2147483647
            j = k + chance % (last - k + 1)
            order[k], order[j] = order[j], order[k]
            tile, whole = order[k], 0
            for p in range(seats + 1):
                if possible[p, tile]:
                    whole += free[p]
            if whole > 0:
                # a place in proportion to its room
                chance = chance * 69621 % 2147483647
                pick = chance % whole
                for p in range(seats + 1):
                    if possible[p, tile]:
                        pick -= free[p]
                        if pick < 0:
                            out_deals[deal, tile] = p
                            free[p] -= 1
                            break
                continue
            # no room where it may be: a tile is handed on from there to where there is some, by the shortest way
            for p in range(seats + 1):
                came[p] = -1 if possible[p, tile] and capacity[p] > 0 else -2
            end, grown = -1, True
            while end < 0 and grown:
                grown = False
                for n in range(k):
                    p = out_deals[deal, order[n]]
                    if p < 0 or came[p] == -2:
                        continue
                    for q in range(seats + 1):
                        if came[q] == -2 and possible[q, order[n]] and end < 0:
                            came[q], given[q], grown = p, order[n], True
                            if free[q] > 0:
                                end = q
            if end < 0:
                continue
            free[end] -= 1
            while came[end] >= 0:
                out_deals[deal, given[end]] = end
                end = came[end]
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
    """Play each first move in each deal to the end of the round; write who wins what share.

    Args:
        tile_halves: of every tile, the higher one first. [T, 2] deals: as `sample_hidden_tiles` writes it. [W, T]
        position: seat to play, left end, right end, whether a second tile is due, whether a second double allows a
            third, who wins ties, and how many arms the line has. [7]
        first_moves: moves to begin with, as `Quick` has them. [P] seeds: where the chance of each deal comes from. [W]
        solve_at_tiles: with so many tiles in all hands the rest is solved, as all play best for themselves.
        heuristic_noise: pips by which whoever goes by the heuristic strays from it. out_shares: written. [P, W, S]
    """
    tiles, seats = len(tile_halves), out_shares.shape[2]
    chain, tie = position[4], position[5]
    at, left_with = np.full(tiles, -1, np.int64), np.zeros(seats, np.int64)
    total, light = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    # an ending as it is gone through: how it stood, which move is tried, and the best that came of one
    stood, tried = np.zeros((_MAX_DEPTH, 4), np.int64), np.zeros(_MAX_DEPTH, np.int64)
    best, told = np.zeros((_MAX_DEPTH, seats)), np.zeros(seats)
    for deal in range(len(seeds)):
        for plan in range(len(first_moves)):
            chance = seeds[deal]
            held = 0
            for p in range(seats):
                left_with[p] = 0
            for k in range(tiles):
                at[k] = deals[deal, k] if deals[deal, k] < seats else -1
                if at[k] >= 0:
                    held += 1
                    left_with[at[k]] += 1
            seat, left, right, second = position[0], position[1], position[2], position[3]
            move, by_thumb = first_moves[plan], False
            depth, over = -1, False
            while True:
                if not over:
                    if depth < 0 and by_thumb:
                        if held > solve_at_tiles:
                            # The heuristic move
                            worth, move = -1e9, STOP
                            for arm in range(2):
                                open_ = left if arm else right
                                if open_ < 0:
                                    continue
                                for k in range(tiles):
                                    if at[k] != seat or (tile_halves[k, 0] != open_ and tile_halves[k, 1] != open_):
                                        continue
                                    new = tile_halves[k, 0] + tile_halves[k, 1] - open_
                                    here, there = (new, right) if arm else (left, new)
                                    follows = 0
                                    for n in range(tiles):
                                        if at[n] == seat and n != k:
                                            high, low = tile_halves[n, 0], tile_halves[n, 1]
                                            if high in (here, there) or low in (here, there):
                                                follows += 1
                                    more = 4.0 if follows > 0 and tile_halves[k, 0] == tile_halves[k, 1] else 0.0
                                    chance = chance * 69621 % 2147483647
                                    value = (
                                        tile_halves[k, 0] + tile_halves[k, 1] + 2.0 * follows + more
                                        + heuristic_noise * chance / 2147483647.0
                                    )  # fmt: skip
                                    if value > worth:
                                        worth, move = value, 2 * k + arm
                        else:
                            depth = 0
                            stood[0, 0], stood[0, 1], stood[0, 2], stood[0, 3] = seat, left, right, second
                            tried[0] = -1
                            for p in range(seats):
                                best[0, p] = -1.0
                    if depth >= 0:
                        # the next move of this place in the ending
                        seat, left = stood[depth, 0], stood[depth, 1]
                        right, second = stood[depth, 2], stood[depth, 3]
                        place, found = tried[depth] + 1, False
                        while place < 2 * tiles:
                            k, arm = place % tiles, place // tiles
                            open_ = left if arm else right
                            if (
                                open_ >= 0
                                and at[k] == seat
                                and (tile_halves[k, 0] == open_ or tile_halves[k, 1] == open_)
                            ):
                                found = True
                                break
                            place += 1
                        if best[depth, seat] >= 1.0 or (not found and (second == 0 or place > 2 * tiles)):
                            # all are tried, or none could be better: told to the place before
                            if depth == 0:
                                for p in range(seats):
                                    out_shares[plan, deal, p] = best[0, p]
                                break
                            for p in range(seats):
                                told[p] = best[depth, p]
                            depth -= 1
                            over = True
                        else:
                            tried[depth] = place
                            move = 2 * (place % tiles) + place // tiles if found else STOP
                if not over:
                    # the move is made
                    tile = move // 2
                    if move >= 0:
                        at[tile] = -1
                        held -= 1
                        left_with[seat] -= 1
                        if right < 0:  # it leads
                            right = tile_halves[tile, 0]
                            left = right if position[6] == 2 else -1
                        elif move % 2:
                            left = tile_halves[tile, 0] + tile_halves[tile, 1] - left
                        else:
                            right = tile_halves[tile, 0] + tile_halves[tile, 1] - right
                    fits = False
                    for k in range(tiles):
                        if at[k] >= 0:
                            high, low = tile_halves[k, 0], tile_halves[k, 1]
                            if high in (left, right) or low in (left, right):
                                fits = True
                                break
                    if left_with[seat] == 0:
                        over = True
                        for p in range(seats):
                            told[p] = 1.0 if p == seat else 0.0
                    elif not fits:
                        over = True
                        for p in range(seats):
                            total[p], light[p] = 0, 999
                        for k in range(tiles):
                            if at[k] >= 0:
                                pips = tile_halves[k, 0] + tile_halves[k, 1]
                                total[at[k]] += pips
                                light[at[k]] = min(light[at[k]], pips)
                        least, lightest, tied = 9999, 999, 0
                        for p in range(seats):
                            least = min(least, total[p])
                        for p in range(seats):
                            if total[p] == least:
                                tied += 1
                                lightest = min(lightest, light[p])
                        many = 0
                        for p in range(seats):
                            told[p] = 0.0
                            if total[p] == least and (
                                tied == 1 or tie == TIE_SPLIT or (tie == TIE_LIGHTEST and light[p] == lightest)
                            ):
                                told[p] = 1.0
                                many += 1
                        for p in range(seats):
                            told[p] /= max(1, many)
                    else:
                        double = move >= 0 and tile_halves[tile, 0] == tile_halves[tile, 1]
                        second = 1 if double and (second == 0 or chain == 1) else 0
                    if not over and second == 0:
                        # on to the next who can play
                        searching = True
                        while searching:
                            seat = seat + 1 if seat + 1 < seats else 0
                            for k in range(tiles):
                                if at[k] == seat:
                                    high, low = tile_halves[k, 0], tile_halves[k, 1]
                                    if high in (left, right) or low in (left, right):
                                        searching = False
                                        break
                    if depth < 0:
                        if over:
                            for p in range(seats):
                                out_shares[plan, deal, p] = told[p]
                            break
                        by_thumb = True
                        continue
                    if not over:
                        depth += 1
                        stood[depth, 0], stood[depth, 1] = seat, left
                        stood[depth, 2], stood[depth, 3] = right, second
                        tried[depth] = -1
                        for p in range(seats):
                            best[depth, p] = -1.0
                        continue
                # what came of the move tried at this place; it is taken back
                over = False
                place = tried[depth]
                if place < 2 * tiles:
                    at[place % tiles] = stood[depth, 0]
                    held += 1
                    left_with[stood[depth, 0]] += 1
                if told[stood[depth, 0]] > best[depth, stood[depth, 0]]:
                    for p in range(seats):
                        best[depth, p] = told[p]
