"""Batched rollouts of Tinkle rounds: hidden cards redealt, heuristic play.

Functions of numbers and arrays, so that they can be compiled: `Quick` and `heuristic` written out. A test plays both
side by side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from flicksim.games.tinkle.fast_state import DISCARD, DRAW, KEEP, LAY, MELD, TINKLE

Ints = npt.NDArray[np.int64]

_N_KINDS, _MIN_GROUP, _NO_LIMIT = 14, 3, 99


class RoundArrays(NamedTuple):
    """The open part of a round, and what counts.

    Args:
        discard: kinds, the top last. fresh: kinds of a new pack. points: of each kind. [14]
        seats: tokens, whether it has opened, and points on the table. [S, 3]
        groups: rank, wilds there is room for, owner, and wilds for which each seat's own lay-offs leave room. [G, 3 +
            S]
        scalars: seat to play, whether it has drawn, turns left, most tokens at once, size of a contract's groups, how
            many there are, how many are still due, groups put down this turn, ranks of those as bits, groups from
            before this turn, tokens to have left after this round. [11]
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
    """Deal the hidden cards anew, so often.

    Args:
        known_cards: cards that hands are known to hold. [S, 14] capacity: for more. [S] unseen: kinds nobody sees.
            seeds: where the chance of each deal comes from, 1 to 2**31 - 2. [W] hands: written. [W, S, 14] stock:
            written. [W, rest]
    """
    order = unseen.copy()
    for deal in range(len(seeds)):
        chance = seeds[deal]
        many = len(order)
        for seat in range(len(capacity)):
            hands[deal, seat, :] = known_cards[seat]
            for _ in range(capacity[seat]):
                chance = chance * 69621 % 2147483647
                j = chance % many
                many -= 1
                order[j], order[many] = order[many], order[j]
                hands[deal, seat, order[many]] += 1
        while many > 0:
            chance = chance * 69621 % 2147483647
            j = chance % many
            many -= 1
            order[j], order[many] = order[many], order[j]
            stock[deal, many] = order[many]


def rollout_rounds(
    arrays: RoundArrays, hands: Ints, stock: Ints, first_moves: Ints, seeds: Ints, out_scores: Ints, out_tokens: Ints
) -> None:  # fmt: skip
    """Play each first move in each deal on to the end of the round; write what each seat scores and the tokens left.

    Args:
        hands, stock: as `sample_hidden_cards` writes them. first_moves: moves as `Quick` has them. [P, 4]
        seeds: where the chance of each deal comes from. [W] out_scores, out_tokens: written. [P, W, S]
    """
    seats, packs = len(arrays.seats), len(arrays.fresh)
    drawn_at_most = arrays.scalars[2] + 4 * arrays.seats[:, 0].sum()
    cards = stock.shape[1] + len(arrays.discard) + hands[0].sum() + packs * (2 + drawn_at_most // max(1, packs))
    pack, thrown = np.zeros(cards, np.int64), np.zeros(cards, np.int64)
    hand, purse = np.zeros((seats, _N_KINDS), np.int64), np.zeros(seats, np.int64)
    opened, down = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    held = np.zeros(seats, np.int64)
    groups = len(arrays.groups) + cards // _MIN_GROUP + 1
    rank, room, owner = np.zeros(groups, np.int64), np.zeros(groups, np.int64), np.zeros(groups, np.int64)
    by, fed = np.zeros((groups, seats), np.int64), np.zeros(_N_KINDS, np.int64)
    exact, one_rank, later, per_turn = arrays.options[0], arrays.options[1], arrays.options[2], arrays.options[3]
    most, size, contract, saved = arrays.scalars[3], arrays.scalars[4], arrays.scalars[5], arrays.scalars[10]
    least = size // 2 + 1
    points = arrays.points
    for deal in range(len(seeds)):
        for plan in range(len(first_moves)):
            chance = seeds[deal]
            for s in range(seats):
                purse[s], opened[s], down[s] = arrays.seats[s, 0], arrays.seats[s, 1], arrays.seats[s, 2]
                held[s] = 0
                for k in range(_N_KINDS):
                    hand[s, k] = hands[deal, s, k]
                    held[s] += hand[s, k]
            n_pack, n_thrown, n_piles = stock.shape[1], len(arrays.discard), len(arrays.groups)
            for k in range(n_pack):
                pack[k] = stock[deal, k]
            for k in range(n_thrown):
                thrown[k] = arrays.discard[k]
            for k in range(_N_KINDS):
                fed[k] = 0
            for g in range(n_piles):
                rank[g], room[g], owner[g] = arrays.groups[g, 0], arrays.groups[g, 1], arrays.groups[g, 2]
                fed[rank[g]] += 1
                for s in range(seats):
                    by[g, s] = arrays.groups[g, 3 + s]
            seat, drawn, turns = arrays.scalars[0], arrays.scalars[1], arrays.scalars[2]
            need, used, taken, before = arrays.scalars[6], arrays.scalars[7], arrays.scalars[8], arrays.scalars[9]
            what, one, two, three = (
                first_moves[plan, 0],
                first_moves[plan, 1],
                first_moves[plan, 2],
                first_moves[plan, 3],
            )
            while True:
                # the move is made
                draws, ends = 0, False
                if what == DRAW:
                    draws, drawn = 1, 1
                elif what == TINKLE:
                    purse[seat] -= one
                    for _ in range(one):
                        n_thrown -= 1
                        hand[seat, thrown[n_thrown]] += 1
                        held[seat] += 1
                    draws, drawn = 3 * one, 1
                elif what == MELD:
                    hand[seat, one] -= two
                    hand[seat, 0] -= three
                    held[seat] -= two + three
                    rank[n_piles], room[n_piles], owner[n_piles] = one, two - three - 1, seat
                    for s in range(seats):
                        by[n_piles, s] = -1
                    fed[one] += 1
                    n_piles += 1
                    down[seat] += two * points[one] + three * points[0]
                    if need > 0:
                        need -= 1
                    used += 1
                    taken |= 1 << one
                elif what == LAY:
                    hand[seat, two] -= 1
                    held[seat] -= 1
                    more = -1 if two == 0 else 1
                    room[one] += more
                    by[one, seat] += more
                    down[seat] += points[two]
                else:
                    ends = True
                    if what == DISCARD:
                        hand[seat, one] -= 1
                        held[seat] -= 1
                        thrown[n_thrown] = one
                        n_thrown += 1
                if held[seat] == 0 and need == 0 and what in (MELD, LAY):
                    break  # out
                for _ in range(draws):
                    if n_pack == 0:
                        # the stock is made anew, of the discards or of a new pack
                        if n_thrown > 1:
                            n_pack = n_thrown - 1
                            for k in range(n_pack):
                                pack[k] = thrown[k]
                            thrown[0] = thrown[n_thrown - 1]
                            n_thrown = 1
                        else:
                            n_pack = packs
                            for k in range(packs):
                                pack[k] = arrays.fresh[k]
                        for k in range(n_pack - 1, 0, -1):
                            chance = chance * 69621 % 2147483647
                            j = chance % (k + 1)
                            pack[k], pack[j] = pack[j], pack[k]
                    n_pack -= 1
                    hand[seat, pack[n_pack]] += 1
                    held[seat] += 1
                if ends:
                    if used > 0 and need == 0:
                        opened[seat] = 1
                    turns -= 1
                    if turns <= 0:
                        break
                    seat = seat + 1 if seat + 1 < seats else 0
                    drawn, used, taken, before = 0, 0, 0, n_piles
                    need = 0 if opened[seat] else contract
                    if per_turn:
                        for g in range(n_piles):
                            if owner[g] != seat:
                                by[g, seat] = -1
                # groups that would open with the fewest wilds
                wilds = hand[seat, 0]
                able, other, best = -1, -1, 0
                if need > 0:
                    for k in range(1, _N_KINDS):
                        if hand[seat, k] >= least and (one_rank or not taken >> k & 1):
                            if able < 0 or hand[seat, k] > hand[seat, able]:
                                able, other = k, able
                            elif other < 0 or hand[seat, k] > hand[seat, other]:
                                other = k
                    if able >= 0:
                        have = hand[seat, able]
                        best = min(size, have)
                        if need == 1:
                            if size - best > wilds:
                                able = -1
                        else:
                            asked = 999
                            if other >= 0:
                                asked = 2 * size - best - min(size, hand[seat, other])
                            if one_rank and have >= 2 * least:
                                begun = min(size, have - least)
                                also = 2 * size - begun - min(size, have - begun)
                                if also < asked and also <= wilds:
                                    asked, best = also, begun
                            if asked > wilds:
                                able = -1
                # the next move, by heuristics
                if not drawn:
                    what, one = DRAW, 0
                    spare = purse[seat] - saved
                    if spare > 0 and n_thrown > 0 and most > 0:
                        top = thrown[n_thrown - 1]
                        pays = False
                        if opened[seat]:
                            pays = (top == 0 or fed[top] > 0) and held[seat] > 1
                        elif top == 0 or hand[seat, top] >= min(2, least - 1):
                            pays = True
                        elif spare > 2 and able < 0:
                            for s in range(seats):
                                pays = pays or opened[s] == 1
                        if pays:
                            what, one = TINKLE, 1
                    continue
                what = KEEP
                if need > 0:
                    if able >= 0:
                        what, one, two, three = MELD, able, best, size - best
                else:
                    if opened[seat] == 0 or later:
                        for k in range(1, _N_KINDS):
                            if hand[seat, k] >= _MIN_GROUP:
                                what, one, two, three = MELD, k, hand[seat, k], 0
                                break
                        if what == KEEP and wilds > 0:
                            for k in range(1, _N_KINDS):
                                if hand[seat, k] == _MIN_GROUP - 1:
                                    what, one, two, three = MELD, k, _MIN_GROUP - 1, 1
                                    break
                    if what == KEEP:
                        # single cards that fit a group, the dearest first
                        open_ = before if exact and opened[seat] == 0 else n_piles
                        dearest = -1
                        for g in range(open_):
                            if hand[seat, rank[g]] > 0 and points[rank[g]] > dearest:
                                dearest = points[rank[g]]
                                what, one, two = LAY, g, rank[g]
                        if wilds > 0 and dearest < points[0]:
                            for g in range(open_):
                                if room[g] > 0 and (owner[g] == seat or by[g, seat] > 0):
                                    what, one, two = LAY, g, 0
                                    break
                        if what == LAY and held[seat] == 2:
                            stuck = 0
                            for k in range(1, _N_KINDS):
                                if fed[k] == 0:
                                    stuck += hand[seat, k]
                            if stuck == 1:
                                what = KEEP
                if what == KEEP and held[seat] > 1:
                    what = DISCARD
                    worst = -1e9
                    for k in range(_N_KINDS):
                        many = hand[seat, k]
                        if many == 0:
                            continue
                        if k == 0:
                            useless = -1000.0
                        elif opened[seat] or need == 0:
                            useless = points[k] - 8.0 * (many - 1) - (40.0 if fed[k] > 0 else 0.0)
                        else:
                            useless = 0.1 * points[k] - 10.0 * many * many - (3.0 if fed[k] > 0 else 0.0)
                        if useless > worst:
                            worst, one = useless, k
            for s in range(seats):
                out_scores[plan, deal, s] = down[s]
                for k in range(_N_KINDS):
                    out_scores[plan, deal, s] -= hand[s, k] * points[k]
                out_tokens[plan, deal, s] = purse[s]
