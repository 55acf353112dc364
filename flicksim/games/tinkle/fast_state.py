"""Fast state of a Tinkle round on integers, for rollouts; the same rule functions as `rules`.

Hands are counts by kind, for suits and copies do not matter in Tinkle. Whole groups only are put down, so nothing needs
to be taken back. It changes in place; a test plays it and `rules` side by side.
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
"""Action in numbers: tokens; rank, naturals, wilds; group, kind; kind."""
_DRAW, _KEEP = (DRAW, 0, 0, 0), (KEEP, 0, 0, 0)
_TINKLE_STEPS = tuple((TINKLE, tokens, 0, 0) for tokens in range(1, 99))
_EMPTY_ROOM = wild_capacity(0, 0)
_DISCARD_STEPS = tuple((DISCARD, held, 0, 0) for held in range(14))


@cache
def _melds(rank: int, have: int, wilds: int, least: int, most: int) -> tuple[Step, ...]:
    return tuple((MELD, *group) for group in group_splits(rank, have, wilds, least, most))


class FastGroup:
    """A group on the table.

    Args:
        index: its place among the groups. rank: of its naturals. wild_capacity: wilds it has room for. owner: who
            melded it.
        room_by_seat: wilds for which each other seat's own lay-offs on it leave room.
    """

    __slots__ = ("natural", "owner", "rank", "room_by_seat", "wild", "wild_capacity")

    def __init__(self, index: int, rank: int, wild_capacity: int, owner: int, room_by_seat: dict[int, int]) -> None:
        self.rank, self.wild_capacity, self.owner, self.room_by_seat = rank, wild_capacity, owner, room_by_seat
        self.natural: Step = (LAY, index, rank, 0)
        self.wild: Step = (LAY, index, WILD, 0)

    def copy(self) -> FastGroup:
        """Another such group, to be laid off on by itself."""
        return FastGroup(self.natural[1], self.rank, self.wild_capacity, self.owner, self.room_by_seat.copy())


class FastState:
    """One round under way.

    Args:
        hands: cards of each seat by kind. stock, discard: kinds, the top last. tokens: by seat.
        groups: groups on the table. opened: seats that have melded the contract. round: 1 to 8.
        turns_left: turns after which it is counted as it stands. fresh: kinds of a new pack.
        options: exact contract sizes, one rank for both groups, later melds, lay-offs per turn, last card must go.
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
        """A round freshly dealt with the default options (TK-3b, TK-3c, TK-4e, TK-4i)."""
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
        """Another such round, to be played on by itself."""
        found: FastState = object.__new__(FastState)
        found.hands = [list(hand) for hand in self.hands]
        found.stock, found.discard = list(self.stock), list(self.discard)
        found.tokens, found.opened, found.table_points = list(self.tokens), list(self.opened), list(self.table_points)
        found.groups = [pile.copy() for pile in self.groups]
        found.seat, found.has_drawn, found.turns_left, found.max_tinkle = (
            self.seat,
            self.has_drawn,
            self.turns_left,
            self.max_tinkle,
        )
        found.fresh, found.options, found.contract = self.fresh, self.options, self.contract
        found.contract_left, found.ranks_used, found.old_groups, found.rng = (
            self.contract_left,
            list(self.ranks_used),
            self.old_groups,
            rng,
        )
        found.winner, found.over = self.winner, self.over
        return found

    def moves(self) -> list[Step]:
        """The moves of the seat to play; never empty while the round goes on."""
        seat = self.seat
        if not self.has_drawn:
            most = min(self.tokens[seat], len(self.discard), self.max_tinkle)
            return [_DRAW, *_TINKLE_STEPS[:most]]
        hand = self.hands[seat]
        found = self.meld_steps()
        if self.contract_left:
            if len(self.contract_left) < len(self.contract):
                return found  # the contract is half down: it is finished first
        else:
            found += self.lay_off_steps()
            if sum(hand) == 1:
                if not (self.options[4] and len(found)):
                    found.append(_KEEP)
                return found
        found += compress(_DISCARD_STEPS, hand)
        return found

    def opening_groups(self) -> GroupPlan | None:
        """Groups that would open with the fewest wilds; None when the hand cannot."""
        return opening_groups(self.hands[self.seat], self.contract_left, self.options[1], self.ranks_used)

    def meld_steps(self) -> list[Step]:
        """Groups that can be put down whole (TK-6a to TK-6h, TK-9a, TK-9b)."""
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
        found: list[Step] = []
        for step in steps:
            _, rank, naturals, wilds = step
            hand[rank] -= naturals
            hand[WILD] -= wilds
            if opening_groups(hand, need[1:], one_rank, (rank,)) is not None:
                found.append(step)
            hand[rank] += naturals
            hand[WILD] += wilds
        return found

    def _group_steps(self, least: int, most: int) -> list[Step]:
        """Every group of a size out of the hand."""
        hand, found = self.hands[self.seat], list[Step]()
        wilds = hand[WILD]
        for rank in RANKS:
            have = hand[rank]
            if have > 1 and have + wilds >= least:
                found += _melds(rank, have, wilds, least, most)
        return found

    def lay_off_steps(self) -> list[Step]:
        """Single cards that fit a group (TK-7b, TK-7c, TK-10a)."""
        hand, seat, piles = self.hands[self.seat], self.seat, self.groups
        if self.options[0] and not self.opened[seat]:
            piles = piles[: self.old_groups]  # an exact contract is not added to in the turn it opens
        found = [pile.natural for pile in piles if hand[pile.rank]]
        if hand[WILD]:
            found += [
                pile.wild
                for pile in piles
                if pile.wild_capacity > 0 and (pile.owner == seat or pile.room_by_seat.get(seat, _EMPTY_ROOM) > 0)
            ]
        return found

    def play(self, move: Step) -> None:
        """Do it."""
        what, one, two, three = move
        seat = self.seat
        hand = self.hands[seat]
        if what == DISCARD:
            hand[one] -= 1
            self.discard.append(one)
            self._next_turn()
        elif what == LAY:
            pile = self.groups[one]
            hand[two] -= 1
            more = -1 if two == WILD else 1
            pile.wild_capacity += more
            pile.room_by_seat[seat] = pile.room_by_seat.get(seat, _EMPTY_ROOM) + more
            self.table_points[seat] += POINTS[two]
            self._check_out(hand)
        elif what == DRAW:
            hand[self._draw_from_stock()] += 1
            self.has_drawn = True
        elif what == MELD:
            hand[one] -= two
            hand[WILD] -= three
            self.groups.append(FastGroup(len(self.groups), one, wild_capacity(two, three), seat, {}))
            self.table_points[seat] += two * POINTS[one] + three * POINTS[WILD]
            self.contract_left = self.contract_left[1:]
            self.ranks_used.append(one)
            self._check_out(hand)
        elif what == TINKLE:
            self.tokens[seat] -= one
            for _ in range(one):
                hand[self.discard.pop()] += 1
            for _ in range(STOCK_CARDS_PER_TOKEN * one):
                hand[self._draw_from_stock()] += 1
            self.has_drawn = True
        else:
            self._next_turn()

    def _draw_from_stock(self) -> int:
        """The stock's top card, the stock made anew when it is empty (TK-13a to TK-13d)."""
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
            for pile in self.groups:
                pile.room_by_seat.pop(seat, None)

    def scores(self) -> list[int]:
        """Table less hand, by seat (TK-14b)."""
        return [
            down - sum(number * POINTS[held] for held, number in enumerate(hand) if number)
            for down, hand in zip(self.table_points, self.hands, strict=True)
        ]


def random_playout(state: FastState) -> int:
    """Play a round out at random: how many moves it took."""
    made, random = 0, state.rng.random
    while not state.over:
        moves = state.moves()
        state.play(moves[int(random() * len(moves))])
        made += 1
    return made
