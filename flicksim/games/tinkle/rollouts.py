"""Batched rollouts of Tinkle rounds: hidden cards redealt, heuristic play.

The functions take numbers and arrays only, so that numba can compile them: the rules and `heuristic` on arrays. A test
checks them against those.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from flicksim.games.tinkle.round_view import DISCARD_CARD, DRAW, KEEP, LAY, MELD, TINKLE

Ints = npt.NDArray[np.int64]

_N_KINDS, _MIN_GROUP, _NO_LIMIT = 14, 3, 99


class RoundArrays(NamedTuple):
    """Visible part of a round, and the options that rollouts need.

    Args:
        discard: kinds, the top last. fresh: kinds of a new pack. points: of each kind. [14]
        seats: tokens, whether the seat has opened, points on the table. [S, 3]
        groups: rank, wild capacity, owner, number of wilds each seat may lay off. [G, 3 + S]
        scalars: seat to play, whether it has drawn, turns left, most tokens at once, size of the contract's groups,
            their number, number still missing, groups melded this turn, their ranks as bits, number of groups from
            before this turn, tokens to keep after this round. [11]
        options: exact contract sizes, one rank for both groups, later melds, lay-offs per turn. [4]
    """

    discard: Ints
    fresh: Ints
    points: Ints
    seats: Ints
    groups: Ints
    scalars: Ints
    options: Ints


def sample_hidden_cards(known_cards: Ints, capacity: Ints, unseen: Ints, seeds: Ints, hands: Ints, stock: Ints) -> None:
    """Sample deals of the hidden cards, uniformly (Fisher-Yates).

    Args:
        known_cards: cards that hands are known to hold. [S, 14] capacity: number of unseen cards in each hand. [S]
        unseen: kinds of the unseen cards.
        seeds: seeds of the linear congruential generator (multiplier 69621), 1 to 2**31 - 2. [W]
        hands: written. [W, S, 14] stock: written. [W, stock]
    """
    order = unseen.copy()
    for deal in range(len(seeds)):
        state = seeds[deal]
        remaining = len(order)
        for seat in range(len(capacity)):
            hands[deal, seat, :] = known_cards[seat]
            for _ in range(capacity[seat]):
                state = state * 69621 % 2147483647
                j = state % remaining
                remaining -= 1
                order[j], order[remaining] = order[remaining], order[j]
                hands[deal, seat, order[remaining]] += 1
        while remaining > 0:
            state = state * 69621 % 2147483647
            j = state % remaining
            remaining -= 1
            order[j], order[remaining] = order[remaining], order[j]
            stock[deal, remaining] = order[remaining]


def rollout_rounds(
    arrays: RoundArrays, hands: Ints, stock: Ints, first_moves: Ints, seeds: Ints, out_scores: Ints, out_tokens: Ints
) -> None:  # fmt: skip
    """Play each first move in each deal to the end of the round; write the score and the tokens left of each seat.

    Args:
        hands, stock: from `sample_hidden_cards`. first_moves: encoded as `round_view.Step`. [P, 4]
        seeds: of the generator of each deal. [W] out_scores, out_tokens: written. [P, W, S]
    """
    seats, pack_size = len(arrays.seats), len(arrays.fresh)
    max_drawn = arrays.scalars[2] + 4 * arrays.seats[:, 0].sum()
    cards = stock.shape[1] + len(arrays.discard) + hands[0].sum() + pack_size * (2 + max_drawn // max(1, pack_size))
    stock_cards, discards = np.zeros(cards, np.int64), np.zeros(cards, np.int64)
    hand_counts, tokens = np.zeros((seats, _N_KINDS), np.int64), np.zeros(seats, np.int64)
    opened, tabled = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    hand_sizes = np.zeros(seats, np.int64)
    groups = len(arrays.groups) + cards // _MIN_GROUP + 1
    rank, capacity, owner = np.zeros(groups, np.int64), np.zeros(groups, np.int64), np.zeros(groups, np.int64)
    seat_room, groups_of_rank = np.zeros((groups, seats), np.int64), np.zeros(_N_KINDS, np.int64)
    exact, one_rank, later_melds, per_turn = arrays.options[0], arrays.options[1], arrays.options[2], arrays.options[3]
    max_tokens, group_size, group_count, tokens_to_save = (
        arrays.scalars[3],
        arrays.scalars[4],
        arrays.scalars[5],
        arrays.scalars[10],
    )
    least = group_size // 2 + 1
    points = arrays.points
    for deal in range(len(seeds)):
        for first in range(len(first_moves)):
            state = seeds[deal]
            for at in range(seats):
                tokens[at], opened[at], tabled[at] = arrays.seats[at, 0], arrays.seats[at, 1], arrays.seats[at, 2]
                hand_sizes[at] = 0
                for k in range(_N_KINDS):
                    hand_counts[at, k] = hands[deal, at, k]
                    hand_sizes[at] += hand_counts[at, k]
            n_stock, n_discards, n_groups = stock.shape[1], len(arrays.discard), len(arrays.groups)
            for k in range(n_stock):
                stock_cards[k] = stock[deal, k]
            for k in range(n_discards):
                discards[k] = arrays.discard[k]
            for k in range(_N_KINDS):
                groups_of_rank[k] = 0
            for g in range(n_groups):
                rank[g], capacity[g], owner[g] = arrays.groups[g, 0], arrays.groups[g, 1], arrays.groups[g, 2]
                groups_of_rank[rank[g]] += 1
                for at in range(seats):
                    seat_room[g, at] = arrays.groups[g, 3 + at]
            seat, has_drawn, turns = arrays.scalars[0], arrays.scalars[1], arrays.scalars[2]
            missing_groups, melded_groups, melded_ranks, old_groups = (
                arrays.scalars[6],
                arrays.scalars[7],
                arrays.scalars[8],
                arrays.scalars[9],
            )
            kind, arg1, arg2, arg3 = (
                first_moves[first, 0],
                first_moves[first, 1],
                first_moves[first, 2],
                first_moves[first, 3],
            )
            while True:
                # apply the move
                draws, ends = 0, False
                if kind == DRAW:
                    draws, has_drawn = 1, 1
                elif kind == TINKLE:
                    tokens[seat] -= arg1
                    for _ in range(arg1):
                        n_discards -= 1
                        hand_counts[seat, discards[n_discards]] += 1
                        hand_sizes[seat] += 1
                    draws, has_drawn = 3 * arg1, 1
                elif kind == MELD:
                    hand_counts[seat, arg1] -= arg2
                    hand_counts[seat, 0] -= arg3
                    hand_sizes[seat] -= arg2 + arg3
                    rank[n_groups], capacity[n_groups], owner[n_groups] = arg1, arg2 - arg3 - 1, seat
                    for at in range(seats):
                        seat_room[n_groups, at] = -1
                    groups_of_rank[arg1] += 1
                    n_groups += 1
                    tabled[seat] += arg2 * points[arg1] + arg3 * points[0]
                    if missing_groups > 0:
                        missing_groups -= 1
                    melded_groups += 1
                    melded_ranks |= 1 << arg1
                elif kind == LAY:
                    hand_counts[seat, arg2] -= 1
                    hand_sizes[seat] -= 1
                    change = -1 if arg2 == 0 else 1
                    capacity[arg1] += change
                    seat_room[arg1, seat] += change
                    tabled[seat] += points[arg2]
                else:
                    ends = True
                    if kind == DISCARD_CARD:
                        hand_counts[seat, arg1] -= 1
                        hand_sizes[seat] -= 1
                        discards[n_discards] = arg1
                        n_discards += 1
                if hand_sizes[seat] == 0 and missing_groups == 0 and kind in (MELD, LAY):
                    break  # gone out
                for _ in range(draws):
                    if n_stock == 0:
                        # renew the stock from the discards or a new pack
                        if n_discards > 1:
                            n_stock = n_discards - 1
                            for k in range(n_stock):
                                stock_cards[k] = discards[k]
                            discards[0] = discards[n_discards - 1]
                            n_discards = 1
                        else:
                            n_stock = pack_size
                            for k in range(pack_size):
                                stock_cards[k] = arrays.fresh[k]
                        for k in range(n_stock - 1, 0, -1):
                            state = state * 69621 % 2147483647
                            j = state % (k + 1)
                            stock_cards[k], stock_cards[j] = stock_cards[j], stock_cards[k]
                    n_stock -= 1
                    hand_counts[seat, stock_cards[n_stock]] += 1
                    hand_sizes[seat] += 1
                if ends:
                    if melded_groups > 0 and missing_groups == 0:
                        opened[seat] = 1
                    turns -= 1
                    if turns <= 0:
                        break
                    seat = seat + 1 if seat + 1 < seats else 0
                    has_drawn, melded_groups, melded_ranks, old_groups = 0, 0, 0, n_groups
                    missing_groups = 0 if opened[seat] else group_count
                    if per_turn:
                        for g in range(n_groups):
                            if owner[g] != seat:
                                seat_room[g, seat] = -1
                # opening groups with the fewest wilds
                wilds = hand_counts[seat, 0]
                best_rank, second_rank, first_naturals = -1, -1, 0
                if missing_groups > 0:
                    for k in range(1, _N_KINDS):
                        if hand_counts[seat, k] >= least and (one_rank or not melded_ranks >> k & 1):
                            if best_rank < 0 or hand_counts[seat, k] > hand_counts[seat, best_rank]:
                                best_rank, second_rank = k, best_rank
                            elif second_rank < 0 or hand_counts[seat, k] > hand_counts[seat, second_rank]:
                                second_rank = k
                    if best_rank >= 0:
                        have = hand_counts[seat, best_rank]
                        first_naturals = min(group_size, have)
                        if missing_groups == 1:
                            if group_size - first_naturals > wilds:
                                best_rank = -1
                        else:
                            needed = 999
                            if second_rank >= 0:
                                needed = (
                                    2 * group_size - first_naturals - min(group_size, hand_counts[seat, second_rank])
                                )
                            if one_rank and have >= 2 * least:
                                split_naturals = min(group_size, have - least)
                                split_wilds = 2 * group_size - split_naturals - min(group_size, have - split_naturals)
                                if split_wilds < needed and split_wilds <= wilds:
                                    needed, first_naturals = split_wilds, split_naturals
                            if needed > wilds:
                                best_rank = -1
                # the next move, by the heuristic
                if not has_drawn:
                    kind, arg1 = DRAW, 0
                    spare = tokens[seat] - tokens_to_save
                    if spare > 0 and n_discards > 0 and max_tokens > 0:
                        top = discards[n_discards - 1]
                        pay = False
                        if opened[seat]:
                            pay = (top == 0 or groups_of_rank[top] > 0) and hand_sizes[seat] > 1
                        elif top == 0 or hand_counts[seat, top] >= min(2, least - 1):
                            pay = True
                        elif spare > 2 and best_rank < 0:
                            for at in range(seats):
                                pay = pay or opened[at] == 1
                        if pay:
                            kind, arg1 = TINKLE, 1
                    continue
                kind = KEEP
                if missing_groups > 0:
                    if best_rank >= 0:
                        kind, arg1, arg2, arg3 = MELD, best_rank, first_naturals, group_size - first_naturals
                else:
                    if opened[seat] == 0 or later_melds:
                        for k in range(1, _N_KINDS):
                            if hand_counts[seat, k] >= _MIN_GROUP:
                                kind, arg1, arg2, arg3 = MELD, k, hand_counts[seat, k], 0
                                break
                        if kind == KEEP and wilds > 0:
                            for k in range(1, _N_KINDS):
                                if hand_counts[seat, k] == _MIN_GROUP - 1:
                                    kind, arg1, arg2, arg3 = MELD, k, _MIN_GROUP - 1, 1
                                    break
                    if kind == KEEP:
                        # lay off single cards, the most valuable first
                        n_open = old_groups if exact and opened[seat] == 0 else n_groups
                        best_points = -1
                        for g in range(n_open):
                            if hand_counts[seat, rank[g]] > 0 and points[rank[g]] > best_points:
                                best_points = points[rank[g]]
                                kind, arg1, arg2 = LAY, g, rank[g]
                        if wilds > 0 and best_points < points[0]:
                            for g in range(n_open):
                                if capacity[g] > 0 and (owner[g] == seat or seat_room[g, seat] > 0):
                                    kind, arg1, arg2 = LAY, g, 0
                                    break
                        if kind == LAY and hand_sizes[seat] == 2:
                            unplayable = 0
                            for k in range(1, _N_KINDS):
                                if groups_of_rank[k] == 0:
                                    unplayable += hand_counts[seat, k]
                            if unplayable == 1:
                                kind = KEEP
                if kind == KEEP and hand_sizes[seat] > 1:
                    kind = DISCARD_CARD
                    best_score = -1e9
                    for k in range(_N_KINDS):
                        count = hand_counts[seat, k]
                        if count == 0:
                            continue
                        if k == 0:
                            score = -1000.0
                        elif opened[seat] or missing_groups == 0:
                            score = points[k] - 8.0 * (count - 1) - (40.0 if groups_of_rank[k] > 0 else 0.0)
                        else:
                            score = 0.1 * points[k] - 10.0 * count * count - (3.0 if groups_of_rank[k] > 0 else 0.0)
                        if score > best_score:
                            best_score, arg1 = score, k
            for at in range(seats):
                out_scores[first, deal, at] = tabled[at]
                for k in range(_N_KINDS):
                    out_scores[first, deal, at] -= hand_counts[at, k] * points[k]
                out_tokens[first, deal, at] = tokens[at]
