"""Fast state of a Tinkle round on integers, for rollouts; the same rule functions as `rules`.

Hands are counts by kind: suits and copies do not matter in Tinkle. Only whole groups are melded, so nothing is taken
back. It is updated in place; a test checks it against `rules`.
"""

from __future__ import annotations

from functools import cache
from itertools import compress
from random import Random

from flicksim.games.tinkle.contracts import (
    CONTRACTS,
    MIN_GROUP_SIZE,
    RANKS,
    GroupPlan,
    group_splits,
    opening_groups,
    wild_capacity,
)
from flicksim.games.tinkle.deck import (
    HAND_SIZE,
    POINTS,
    STARTING_TOKENS,
    STOCK_CARDS_PER_TOKEN,
    WILD,
    Options,
    kind,
    new_pack,
    pack,
)

DRAW, TINKLE, MELD, LAY, DISCARD, KEEP = range(6)
Step = tuple[int, int, int, int]
"""Encoded action: type, then its arguments (tokens; rank, naturals, wilds; group, kind; kind), padded by zeros."""
_DRAW, _KEEP = (DRAW, 0, 0, 0), (KEEP, 0, 0, 0)
_TINKLE_STEPS = tuple((TINKLE, tokens, 0, 0) for tokens in range(1, 99))
_EMPTY_ROOM = wild_capacity(0, 0)
_DISCARD_STEPS = tuple((DISCARD, held, 0, 0) for held in range(14))


@cache
def _melds(rank: int, have: int, wilds: int, least: int, most: int) -> tuple[Step, ...]:
    return tuple((MELD, *group) for group in group_splits(rank, have, wilds, least, most))


class FastGroup:
    """Group on the table.

    Args:
        index: index among the groups. rank: of its naturals. wild_capacity: number of wilds it can take.
        owner: seat that melded it. room_by_seat: number of wilds each other seat may lay off, by its own lay-offs.
    """

    __slots__ = ("natural", "owner", "rank", "room_by_seat", "wild", "wild_capacity")

    def __init__(self, index: int, rank: int, wild_capacity: int, owner: int, room_by_seat: dict[int, int]) -> None:
        self.rank, self.wild_capacity, self.owner, self.room_by_seat = rank, wild_capacity, owner, room_by_seat
        self.natural: Step = (LAY, index, rank, 0)
        self.wild: Step = (LAY, index, WILD, 0)

    def copy(self) -> FastGroup:
        """Independent copy."""
        return FastGroup(self.natural[1], self.rank, self.wild_capacity, self.owner, self.room_by_seat.copy())


class FastState:
    """Round in progress.

    Args:
        hands: number of cards of each kind, by seat. stock, discard: kinds, the top last. tokens: by seat.
        groups: groups on the table. opened: whether each seat has melded the contract. round_: 1 to 8.
        turns_left: turns until the round is scored as it stands. fresh: kinds of a new pack.
        options: exact contract sizes, one rank for both groups, later melds, lay-offs per turn, last card must be laid.
    """

    __slots__ = (
        "contract",
        "contract_left",
        "discard",
        "fresh",
        "groups",
        "hands",
        "has_drawn",
        "max_tinkle",
        "old_groups",
        "opened",
        "options",
        "over",
        "ranks_used",
        "rng",
        "seat",
        "stock",
        "table_points",
        "tokens",
        "turns_left",
        "winner",
    )  # fmt: skip

    def __init__(
        self,
        *,
        hands: list[list[int]],
        stock: list[int],
        discard: list[int],
        tokens: list[int],
        groups: list[FastGroup],
        opened: list[bool],
        table_points: list[int],
        seat: int,
        has_drawn: bool,
        round_: int,
        turns_left: int,
        max_tinkle: int,
        fresh: list[int],
        options: tuple[bool, bool, bool, bool, bool],
        rng: Random,
    ) -> None:
        self.hands, self.stock, self.discard, self.tokens = hands, stock, discard, tokens
        self.groups, self.opened, self.table_points = groups, opened, table_points
        self.seat, self.has_drawn, self.turns_left, self.max_tinkle = seat, has_drawn, turns_left, max_tinkle
        self.fresh, self.options, self.rng = fresh, options, rng
        self.contract = CONTRACTS[round_ - 1]
        self.contract_left: tuple[int, ...] = () if opened[seat] else self.contract
        self.ranks_used: list[int] = []
        self.old_groups = len(groups)
        self.winner: int | None = None
        self.over = False

    @classmethod
    def random_deal(
        cls, rng: Random, *, seats: int = 4, round_: int = 1, tokens: int = STARTING_TOKENS, max_turns: int = 100
    ) -> FastState:
        """Random deal with the default options (TK-3b, TK-3c, TK-4e, TK-4i)."""
        options = Options()
        cards = [kind(card) for card in pack(options, seats)]
        rng.shuffle(cards)
        hands = [[0] * 14 for _ in range(seats)]
        for at in range(seats * HAND_SIZE):
            hands[at % seats][cards.pop()] += 1
        return cls(
            hands=hands,
            discard=[cards.pop()],
            stock=cards,
            tokens=[tokens] * seats,
            groups=[],
            opened=[False] * seats,
            table_points=[0] * seats,
            seat=0,
            has_drawn=False,
            round_=round_,
            turns_left=max_turns * seats,
            max_tinkle=99,
            fresh=[kind(card) for card in new_pack(options)],
            options=(False, True, True, False, False),
            rng=rng,
        )

    def copy(self, rng: Random) -> FastState:
        """Independent copy that draws from another generator."""
        state: FastState = object.__new__(FastState)
        state.hands = [list(hand) for hand in self.hands]
        state.stock, state.discard = list(self.stock), list(self.discard)
        state.tokens, state.opened, state.table_points = list(self.tokens), list(self.opened), list(self.table_points)
        state.groups = [group.copy() for group in self.groups]
        state.seat, state.has_drawn, state.turns_left, state.max_tinkle = (
            self.seat,
            self.has_drawn,
            self.turns_left,
            self.max_tinkle,
        )
        state.fresh, state.options, state.contract = self.fresh, self.options, self.contract
        state.contract_left, state.ranks_used, state.old_groups, state.rng = (
            self.contract_left,
            list(self.ranks_used),
            self.old_groups,
            rng,
        )
        state.winner, state.over = self.winner, self.over
        return state

    def moves(self) -> list[Step]:
        """Legal moves of the seat to play; never empty before the end of the round."""
        seat = self.seat
        if not self.has_drawn:
            limit = min(self.tokens[seat], len(self.discard), self.max_tinkle)
            return [_DRAW, *_TINKLE_STEPS[:limit]]
        hand = self.hands[seat]
        moves = self.meld_steps()
        if self.contract_left:
            if len(self.contract_left) < len(self.contract):
                return moves  # a contract melded in part must be completed first
        else:
            moves += self.lay_off_steps()
            if sum(hand) == 1:
                if not (self.options[4] and len(moves)):
                    moves.append(_KEEP)
                return moves
        moves += compress(_DISCARD_STEPS, hand)
        return moves

    def opening_groups(self) -> GroupPlan | None:
        """Opening groups with the fewest wilds; None if the hand cannot open."""
        return opening_groups(self.hands[self.seat], self.contract_left, self.options[1], self.ranks_used)

    def meld_steps(self) -> list[Step]:
        """Melds of whole groups (TK-6a to TK-6h, TK-9a, TK-9b)."""
        hand, need = self.hands[self.seat], self.contract_left
        exact, one_rank, later = self.options[:3]
        if not need:
            if self.opened[self.seat] and not later:
                return []
            return self._group_steps(MIN_GROUP_SIZE, 99)
        if opening_groups(hand, need, one_rank, self.ranks_used) is None:
            return []
        steps = self._group_steps(need[0], need[0] if exact else 99)
        if not one_rank:
            steps = [step for step in steps if step[1] not in self.ranks_used]
        if len(need) == 1:
            return steps
        allowed: list[Step] = []
        for step in steps:
            _, rank, naturals, wilds = step
            hand[rank] -= naturals
            hand[WILD] -= wilds
            if opening_groups(hand, need[1:], one_rank, (rank,)) is not None:
                allowed.append(step)
            hand[rank] += naturals
            hand[WILD] += wilds
        return allowed

    def _group_steps(self, least: int, most: int) -> list[Step]:
        """Melds of `least` to `most` cards from the hand."""
        hand, steps = self.hands[self.seat], list[Step]()
        wilds = hand[WILD]
        for rank in RANKS:
            have = hand[rank]
            if have > 1 and have + wilds >= least:
                steps += _melds(rank, have, wilds, least, most)
        return steps

    def lay_off_steps(self) -> list[Step]:
        """Lay-offs of single cards (TK-7b, TK-7c, TK-10a)."""
        hand, seat, groups = self.hands[self.seat], self.seat, self.groups
        if self.options[0] and not self.opened[seat]:
            groups = groups[: self.old_groups]  # an exact contract is not added to in the turn it opens
        steps = [group.natural for group in groups if hand[group.rank]]
        if hand[WILD]:
            steps += [
                group.wild
                for group in groups
                if group.wild_capacity > 0 and (group.owner == seat or group.room_by_seat.get(seat, _EMPTY_ROOM) > 0)
            ]
        return steps

    def play(self, move: Step) -> None:
        """Play a move."""
        kind, first, second, third = move
        seat = self.seat
        hand = self.hands[seat]
        if kind == DISCARD:
            hand[first] -= 1
            self.discard.append(first)
            self._next_turn()
        elif kind == LAY:
            group = self.groups[first]
            hand[second] -= 1
            change = -1 if second == WILD else 1
            group.wild_capacity += change
            group.room_by_seat[seat] = group.room_by_seat.get(seat, _EMPTY_ROOM) + change
            self.table_points[seat] += POINTS[second]
            self._check_out(hand)
        elif kind == DRAW:
            hand[self._draw_from_stock()] += 1
            self.has_drawn = True
        elif kind == MELD:
            hand[first] -= second
            hand[WILD] -= third
            self.groups.append(FastGroup(len(self.groups), first, wild_capacity(second, third), seat, {}))
            self.table_points[seat] += second * POINTS[first] + third * POINTS[WILD]
            self.contract_left = self.contract_left[1:]
            self.ranks_used.append(first)
            self._check_out(hand)
        elif kind == TINKLE:
            self.tokens[seat] -= first
            for _ in range(first):
                hand[self.discard.pop()] += 1
            for _ in range(STOCK_CARDS_PER_TOKEN * first):
                hand[self._draw_from_stock()] += 1
            self.has_drawn = True
        else:
            self._next_turn()

    def _draw_from_stock(self) -> int:
        """Draw the top card of the stock, which is renewed when empty (TK-13a to TK-13d)."""
        if not self.stock:
            if len(self.discard) > 1:
                self.stock, self.discard = self.discard[:-1], self.discard[-1:]
            else:
                self.stock = list(self.fresh)
            self.rng.shuffle(self.stock)
        return self.stock.pop()

    def _check_out(self, hand: list[int]) -> None:
        if not self.contract_left and not any(hand):
            self.winner, self.over = self.seat, True

    def _next_turn(self) -> None:
        seat = self.seat
        if self.ranks_used and not self.contract_left:
            self.opened[seat] = True
        self.turns_left -= 1
        if self.turns_left <= 0:
            self.over = True
            return
        seat = seat + 1 if seat + 1 < len(self.hands) else 0
        self.seat, self.has_drawn, self.ranks_used, self.old_groups = seat, False, [], len(self.groups)
        self.contract_left = () if self.opened[seat] else self.contract
        if self.options[3]:
            for group in self.groups:
                group.room_by_seat.pop(seat, None)

    def scores(self) -> list[int]:
        """Table less hand, by seat (TK-14b)."""
        return [
            tabled - sum(count * POINTS[kind] for kind, count in enumerate(hand) if count)
            for tabled, hand in zip(self.table_points, self.hands, strict=True)
        ]


def random_playout(state: FastState) -> int:
    """Play a round to its end by uniformly random moves; return the number of moves."""
    count, random = 0, state.rng.random
    while not state.over:
        moves = state.moves()
        state.play(moves[int(random() * len(moves))])
        count += 1
    return count
