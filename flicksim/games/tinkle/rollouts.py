"""Batched rollouts of Tinkle rounds: hidden cards redealt, heuristic play.

The functions take numbers and arrays only, so that numba can compile them. Tests check the play against `rules`; the
heuristic policy is also that of bots which do not search.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from flicksim.core.arrays import Ints

DRAW, TINKLE, MELD, LAY, DISCARD_CARD, KEEP = range(6)
Step = tuple[int, int, int, int]
"""Encoded action: type, then its arguments (tokens; rank, naturals, wilds; group, kind; kind), padded by zeros."""

_N_KINDS, _MIN_GROUP = 14, 3


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


class Table(NamedTuple):
    """State of a rollout, changed in place.

    Args:
        turn: numbers indexed by the constants below. [11]
        hands: number of cards of each kind. [S, 14] hand_sizes, tokens, opened, tabled: by seat. [S]
        stock, discards: kinds, the top last. ranks, capacities, owners: of the groups. [G]
        seat_room: number of wilds each seat may lay off on each group. [G, S] groups_of_rank: [14]
    """

    turn: Ints
    hands: Ints
    hand_sizes: Ints
    tokens: Ints
    opened: Ints
    tabled: Ints
    stock: Ints
    discards: Ints
    ranks: Ints
    capacities: Ints
    owners: Ints
    seat_room: Ints
    groups_of_rank: Ints


_SEAT, _HAS_DRAWN, _TURNS_LEFT, _MISSING, _MELDED, _MELDED_RANKS, _OLD_GROUPS, _STOCK, _DISCARDS, _GROUPS, _RNG = range(
    11
)
"""Seat to play, whether it has drawn, turns left, groups of the contract still missing, groups melded this turn, their
ranks as bits, groups from before this turn, cards in stock and discards, groups, and the state of the generator."""


def new_table(arrays: RoundArrays, hands: Ints, stock: Ints) -> Table:
    """Table with room for all cards and groups of a round."""
    seats, pack_size = len(arrays.seats), len(arrays.fresh)
    max_drawn = arrays.scalars[2] + 4 * arrays.seats[:, 0].sum()
    cards = stock.shape[1] + len(arrays.discard) + hands[0].sum() + pack_size * (2 + max_drawn // max(1, pack_size))
    groups = len(arrays.groups) + cards // _MIN_GROUP + 1
    return Table(
        np.zeros(11, np.int64), np.zeros((seats, _N_KINDS), np.int64), np.zeros(seats, np.int64),
        np.zeros(seats, np.int64), np.zeros(seats, np.int64), np.zeros(seats, np.int64), np.zeros(cards, np.int64),
        np.zeros(cards, np.int64), np.zeros(groups, np.int64), np.zeros(groups, np.int64), np.zeros(groups, np.int64),
        np.zeros((groups, seats), np.int64), np.zeros(_N_KINDS, np.int64),
    )  # fmt: skip


def rollout_rounds(
    arrays: RoundArrays, table: Table, hands: Ints, stock: Ints, first_moves: Ints, seeds: Ints, out_scores: Ints,
    out_tokens: Ints,
) -> None:  # fmt: skip
    """Play each first move in each deal to the end of the round; write the score and the tokens left of each seat.

    Args:
        table: from `new_table`. hands, stock: from `sample_hidden_cards`. first_moves: encoded as `Step`. [P, 4]
        seeds: of the generator of each deal. [W] out_scores, out_tokens: written. [P, W, S]
    """
    for deal in range(len(seeds)):
        for first in range(len(first_moves)):
            set_up(arrays, table, hands, stock, deal)
            table.turn[_RNG] = seeds[deal]
            kind, arg1 = first_moves[first, 0], first_moves[first, 1]
            arg2, arg3 = first_moves[first, 2], first_moves[first, 3]
            while not _play(arrays, table, kind, arg1, arg2, arg3):
                kind, arg1, arg2, arg3 = heuristic_step(arrays, table)
            for at in range(len(arrays.seats)):
                out_scores[first, deal, at] = table.tabled[at]
                for k in range(_N_KINDS):
                    out_scores[first, deal, at] -= table.hands[at, k] * arrays.points[k]
                out_tokens[first, deal, at] = table.tokens[at]


def set_up(arrays: RoundArrays, table: Table, hands: Ints, stock: Ints, deal: int) -> None:
    """Set the table to the round with the hands and the stock of a deal."""
    turn, seats, groups = table.turn, arrays.seats, arrays.groups
    for at in range(len(seats)):
        table.tokens[at], table.opened[at], table.tabled[at] = seats[at, 0], seats[at, 1], seats[at, 2]
        table.hand_sizes[at] = 0
        for k in range(_N_KINDS):
            table.hands[at, k] = hands[deal, at, k]
            table.hand_sizes[at] += hands[deal, at, k]
    for k in range(stock.shape[1]):
        table.stock[k] = stock[deal, k]
    for k in range(len(arrays.discard)):
        table.discards[k] = arrays.discard[k]
    table.groups_of_rank[:] = 0
    for g in range(len(groups)):
        table.ranks[g], table.capacities[g], table.owners[g] = groups[g, 0], groups[g, 1], groups[g, 2]
        table.groups_of_rank[table.ranks[g]] += 1
        for at in range(len(seats)):
            table.seat_room[g, at] = groups[g, 3 + at]
    for k in range(3):
        turn[k] = arrays.scalars[k]
    turn[_MISSING], turn[_MELDED], turn[_MELDED_RANKS] = arrays.scalars[6], arrays.scalars[7], arrays.scalars[8]
    turn[_OLD_GROUPS], turn[_STOCK] = arrays.scalars[9], stock.shape[1]
    turn[_DISCARDS], turn[_GROUPS] = len(arrays.discard), len(groups)


def _play(arrays: RoundArrays, table: Table, kind: int, arg1: int, arg2: int, arg3: int) -> bool:
    """Play an encoded step; return True if the round is over."""
    turn, points = table.turn, arrays.points
    seat = turn[_SEAT]
    if kind == DRAW:
        _draw(arrays, table, 1)
    elif kind == TINKLE:
        table.tokens[seat] -= arg1
        for _ in range(arg1):
            turn[_DISCARDS] -= 1
            table.hands[seat, table.discards[turn[_DISCARDS]]] += 1
            table.hand_sizes[seat] += 1
        _draw(arrays, table, 3 * arg1)
    elif kind == MELD:
        group = turn[_GROUPS]
        table.hands[seat, arg1] -= arg2
        table.hands[seat, 0] -= arg3
        table.hand_sizes[seat] -= arg2 + arg3
        table.ranks[group], table.capacities[group], table.owners[group] = arg1, arg2 - arg3 - 1, seat
        table.seat_room[group, :] = -1
        table.groups_of_rank[arg1] += 1
        turn[_GROUPS] += 1
        table.tabled[seat] += arg2 * points[arg1] + arg3 * points[0]
        turn[_MISSING] = max(0, turn[_MISSING] - 1)
        turn[_MELDED] += 1
        turn[_MELDED_RANKS] |= 1 << arg1
    elif kind == LAY:
        table.hands[seat, arg2] -= 1
        table.hand_sizes[seat] -= 1
        change = -1 if arg2 == 0 else 1
        table.capacities[arg1] += change
        table.seat_room[arg1, seat] += change
        table.tabled[seat] += points[arg2]
    else:
        if kind == DISCARD_CARD:
            table.hands[seat, arg1] -= 1
            table.hand_sizes[seat] -= 1
            table.discards[turn[_DISCARDS]] = arg1
            turn[_DISCARDS] += 1
        return _end_turn(arrays, table)
    return bool(table.hand_sizes[seat] == 0 and turn[_MISSING] == 0 and kind in (MELD, LAY))


def _draw(arrays: RoundArrays, table: Table, count: int) -> None:
    """Draw cards from the stock, which is renewed from the discards or a new pack (TK-13a to TK-13d)."""
    turn = table.turn
    turn[_HAS_DRAWN] = 1
    for _ in range(count):
        if turn[_STOCK] == 0:
            if turn[_DISCARDS] > 1:
                turn[_STOCK] = turn[_DISCARDS] - 1
                for k in range(turn[_STOCK]):
                    table.stock[k] = table.discards[k]
                table.discards[0] = table.discards[turn[_DISCARDS] - 1]
                turn[_DISCARDS] = 1
            else:
                turn[_STOCK] = len(arrays.fresh)
                for k in range(len(arrays.fresh)):
                    table.stock[k] = arrays.fresh[k]
            for k in range(turn[_STOCK] - 1, 0, -1):
                turn[_RNG] = turn[_RNG] * 69621 % 2147483647
                j = turn[_RNG] % (k + 1)
                table.stock[k], table.stock[j] = table.stock[j], table.stock[k]
        turn[_STOCK] -= 1
        table.hands[turn[_SEAT], table.stock[turn[_STOCK]]] += 1
        table.hand_sizes[turn[_SEAT]] += 1


def _end_turn(arrays: RoundArrays, table: Table) -> bool:
    """Begin the next seat's turn; return True if no turn is left."""
    turn = table.turn
    if turn[_MELDED] > 0 and turn[_MISSING] == 0:
        table.opened[turn[_SEAT]] = 1
    turn[_TURNS_LEFT] -= 1
    if turn[_TURNS_LEFT] <= 0:
        return True
    seat = turn[_SEAT] + 1 if turn[_SEAT] + 1 < len(table.tokens) else 0
    turn[_SEAT], turn[_HAS_DRAWN], turn[_MELDED], turn[_MELDED_RANKS] = seat, 0, 0, 0
    turn[_OLD_GROUPS] = turn[_GROUPS]
    turn[_MISSING] = 0 if table.opened[seat] else arrays.scalars[5]
    if arrays.options[3]:  # lay-offs count by turn
        for g in range(turn[_GROUPS]):
            if table.owners[g] != seat:
                table.seat_room[g, seat] = -1
    return False


def heuristic_step(arrays: RoundArrays, table: Table) -> Step:
    """Next step of the heuristic policy, which uses the hand of the seat to play alone."""
    turn = table.turn
    seat = turn[_SEAT]
    rank, naturals = opening_group(
        table.hands[seat], arrays.scalars[4], turn[_MISSING], turn[_MELDED_RANKS], arrays.options[1]
    )
    if not turn[_HAS_DRAWN]:
        return (TINKLE, 1, 0, 0) if _pays_token(arrays, table, rank >= 0) else (DRAW, 0, 0, 0)
    if turn[_MISSING] > 0:
        if rank >= 0:
            return MELD, rank, naturals, arrays.scalars[4] - naturals
    else:
        kind, arg1, arg2, arg3 = _meld(arrays, table)
        if kind == KEEP:
            kind, arg1, arg2, arg3 = _lay_off(arrays, table)
        if kind != KEEP:
            return kind, arg1, arg2, arg3
    if table.hand_sizes[seat] > 1:
        return DISCARD_CARD, worst_card(arrays, table), 0, 0
    return KEEP, 0, 0, 0


def opening_group(
    hand: Ints | Sequence[int], size: int, missing: int, melded_ranks: int, one_rank: bool
) -> tuple[int, int]:
    """Rank and naturals of the first opening group, with the fewest wilds; rank -1 if the hand cannot open.

    Args:
        hand: number of cards of each kind. [14] size, missing: size and number of the groups of the contract to come.
        melded_ranks: ranks of those melded, as bits. one_rank: whether two groups may have the same rank.
    """
    least, rank, second = size // 2 + 1, -1, -1
    for k in range(1, _N_KINDS):
        have = hand[k]
        if missing > 0 and have >= least and (one_rank or not melded_ranks >> k & 1):
            if rank < 0 or have > hand[rank]:
                rank, second = k, rank
            elif second < 0 or have > hand[second]:
                second = k
    if rank < 0:
        return -1, 0
    have = hand[rank]
    naturals = min(size, have)
    needed = size - naturals
    if missing > 1:
        needed = 999 if second < 0 else 2 * size - naturals - min(size, hand[second])
        if one_rank and have >= 2 * least:
            split = min(size, have - least)
            split_needed = 2 * size - split - min(size, have - split)
            if split_needed < needed and split_needed <= hand[0]:
                needed, naturals = split_needed, split
    return (rank if needed <= hand[0] else -1), naturals


def _pays_token(arrays: RoundArrays, table: Table, can_open: bool) -> bool:
    """Return True if the heuristic pays a token for the top discard."""
    seat, spare = table.turn[_SEAT], table.tokens[table.turn[_SEAT]] - arrays.scalars[10]
    if spare <= 0 or table.turn[_DISCARDS] == 0 or arrays.scalars[3] <= 0:
        return False
    top = table.discards[table.turn[_DISCARDS] - 1]
    if table.opened[seat]:
        return bool((top == 0 or table.groups_of_rank[top] > 0) and table.hand_sizes[seat] > 1)
    if top == 0 or table.hands[seat, top] >= min(2, arrays.scalars[4] // 2):
        return True
    any_opened = False
    for at in range(len(table.tokens)):
        any_opened = any_opened or table.opened[at] == 1
    # where others have opened and this hand cannot, extra cards are the best chance
    return bool(spare > 2 and not can_open and any_opened)


def _meld(arrays: RoundArrays, table: Table) -> tuple[int, int, int, int]:
    """Further group: three or more naturals, or a pair completed by a wild; `KEEP` if there is none."""
    seat = table.turn[_SEAT]
    if table.opened[seat] and not arrays.options[2]:
        return KEEP, 0, 0, 0
    for k in range(1, _N_KINDS):
        if table.hands[seat, k] >= _MIN_GROUP:
            return MELD, k, table.hands[seat, k], 0
    if table.hands[seat, 0] > 0:
        for k in range(1, _N_KINDS):
            if table.hands[seat, k] == _MIN_GROUP - 1:
                return MELD, k, _MIN_GROUP - 1, 1
    return KEEP, 0, 0, 0


def _lay_off(arrays: RoundArrays, table: Table) -> tuple[int, int, int, int]:
    """Lay-off of the most valuable card, so that a card held back is cheap; `KEEP` if there is none.

    With one playable and one unplayable card left, the playable one is held: after the other is discarded, any playable
    card drawn lets the seat go out.
    """
    turn, points = table.turn, arrays.points
    seat = turn[_SEAT]
    n_open = turn[_OLD_GROUPS] if arrays.options[0] and table.opened[seat] == 0 else turn[_GROUPS]
    kind, group, card, best_points = KEEP, 0, 0, -1
    for g in range(n_open):
        rank = table.ranks[g]
        if table.hands[seat, rank] > 0 and points[rank] > best_points:
            kind, group, card, best_points = LAY, g, rank, points[rank]
    if table.hands[seat, 0] > 0 and best_points < points[0]:
        for g in range(n_open):
            if table.capacities[g] > 0 and (table.owners[g] == seat or table.seat_room[g, seat] > 0):
                kind, group, card = LAY, g, 0
                break
    if kind == LAY and table.hand_sizes[seat] == 2:
        unplayable = 0
        for k in range(1, _N_KINDS):
            if table.groups_of_rank[k] == 0:
                unplayable += table.hands[seat, k]
        if unplayable == 1:
            kind = KEEP
    return kind, group, card, 0


def worst_card(arrays: RoundArrays, table: Table) -> int:
    """Kind of the card in hand with the highest discard score; of equal ones the lowest kind."""
    seat, best_score, worst = table.turn[_SEAT], -1e9, 0
    for k in range(_N_KINDS):
        if table.hands[seat, k] == 0:
            continue
        score = discard_score(arrays, table, k)
        if score > best_score:
            best_score, worst = score, k
    return worst


def discard_score(arrays: RoundArrays, table: Table, kind: int) -> float:
    """Score of a card in hand for discarding; the card with the highest is discarded."""
    seat = table.turn[_SEAT]
    count, has_group = table.hands[seat, kind], table.groups_of_rank[kind] > 0
    if kind == 0:
        return -1000.0
    if table.opened[seat] or table.turn[_MISSING] == 0:
        # a card in hand counts against the seat, but a pair may still become a group
        return float(arrays.points[kind] - 8.0 * (count - 1) - (40.0 if has_group else 0.0))
    return float(0.1 * arrays.points[kind] - 10.0 * count * count - (3.0 if has_group else 0.0))
