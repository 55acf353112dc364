"""A round on whole numbers, for playouts and for speed: the same rule functions as `rules`, none of the paper.

Hands are counts by kind, for suits and copies do not matter in Tinkle. Whole groups only are put down, so nothing needs
to be taken back. It changes in place; a test plays it and `rules` side by side.
"""

from __future__ import annotations

from functools import cache
from itertools import compress
from random import Random

from flicksim.games.tinkle.deck import EXTRA, HAND, POINTS, PURSE, WILD, Options, kind, new_pack, pack
from flicksim.games.tinkle.sets import CONTRACTS, LEAST, RANKS, Plan, opening, room, splits

DRAW, TINKLE, MELD, LAY, DISCARD, KEEP = range(6)
Step = tuple[int, int, int, int]
"""Action in numbers: tokens; rank, naturals, wilds; group, kind; kind."""
_DRAW, _KEEP = (DRAW, 0, 0, 0), (KEEP, 0, 0, 0)
_TINKLES = tuple((TINKLE, tokens, 0, 0) for tokens in range(1, 99))
_EMPTY = room(0, 0)
_DISCARDS = tuple((DISCARD, held, 0, 0) for held in range(14))


@cache
def _melds(rank: int, have: int, wilds: int, least: int, most: int) -> tuple[Step, ...]:
    return tuple((MELD, *group) for group in splits(rank, have, wilds, least, most))


class Pile:
    """A group on the table.

    Args:
        at: its place among the groups. rank: of its naturals. room: wilds it has room for. owner: who melded it.
        by: wilds for which each other seat's own lay-offs on it leave room.
    """

    __slots__ = ("by", "natural", "owner", "rank", "room", "wild")

    def __init__(self, at: int, rank: int, room: int, owner: int, by: dict[int, int]) -> None:
        self.rank, self.room, self.owner, self.by = rank, room, owner, by
        self.natural: Step = (LAY, at, rank, 0)
        self.wild: Step = (LAY, at, WILD, 0)

    def copy(self) -> Pile:
        """Another such group, to be laid off on by itself."""
        return Pile(self.natural[1], self.rank, self.room, self.owner, self.by.copy())


class Quick:
    """One round under way.

    Args:
        hands: cards of each seat by kind. stock, discard: kinds, the top last. tokens: by seat.
        piles: groups on the table. opened: seats that have melded the contract. round: 1 to 8.
        turns: turns after which it is counted as it stands. fresh: kinds of a new pack.
        switches: exact contract sizes, one rank for both groups, later melds, lay-offs per turn, last card must go.
    """

    __slots__ = (
        "contract", "discard", "down", "drawn", "first", "fresh", "hands", "left", "most", "need", "opened", "out",
        "over", "piles", "rng", "seat", "stock", "switches", "tokens", "used",
    )  # fmt: skip

    def __init__(
        self, *, hands: list[list[int]], stock: list[int], discard: list[int], tokens: list[int], piles: list[Pile],
        opened: list[bool], down: list[int], seat: int, drawn: bool, round_: int, turns: int, most: int,
        fresh: list[int], switches: tuple[bool, bool, bool, bool, bool], rng: Random,
    ) -> None:  # fmt: skip
        self.hands, self.stock, self.discard, self.tokens = hands, stock, discard, tokens
        self.piles, self.opened, self.down = piles, opened, down
        self.seat, self.drawn, self.left, self.most = seat, drawn, turns, most
        self.fresh, self.switches, self.rng = fresh, switches, rng
        self.contract = CONTRACTS[round_ - 1]
        self.need: tuple[int, ...] = () if opened[seat] else self.contract
        self.used: list[int] = []
        self.first = len(piles)
        self.out: int | None = None
        self.over = False

    @classmethod
    def dealt(cls, rng: Random, *, seats: int = 4, round_: int = 1, tokens: int = PURSE, turns: int = 100) -> Quick:
        """A round freshly dealt with the default options (TK-3b, TK-3c, TK-4e, TK-4i)."""
        options = Options()
        cards = [kind(card) for card in pack(options, seats)]
        rng.shuffle(cards)
        hands = [[0] * 14 for _ in range(seats)]
        for at in range(seats * HAND):
            hands[at % seats][cards.pop()] += 1
        return cls(
            hands=hands, discard=[cards.pop()], stock=cards, tokens=[tokens] * seats, piles=[], opened=[False] * seats,
            down=[0] * seats, seat=0, drawn=False, round_=round_, turns=turns * seats, most=99,
            fresh=[kind(card) for card in new_pack(options)], switches=(False, True, True, False, False), rng=rng,
        )  # fmt: skip

    def copy(self, rng: Random) -> Quick:
        """Another such round, to be played on by itself."""
        found: Quick = object.__new__(Quick)
        found.hands = [list(hand) for hand in self.hands]
        found.stock, found.discard = list(self.stock), list(self.discard)
        found.tokens, found.opened, found.down = list(self.tokens), list(self.opened), list(self.down)
        found.piles = [pile.copy() for pile in self.piles]
        found.seat, found.drawn, found.left, found.most = self.seat, self.drawn, self.left, self.most
        found.fresh, found.switches, found.contract = self.fresh, self.switches, self.contract
        found.need, found.used, found.first, found.rng = self.need, list(self.used), self.first, rng
        found.out, found.over = self.out, self.over
        return found

    def moves(self) -> list[Step]:
        """The moves of the seat to play; never empty while the round goes on."""
        seat = self.seat
        if not self.drawn:
            most = min(self.tokens[seat], len(self.discard), self.most)
            return [_DRAW, *_TINKLES[:most]]
        hand = self.hands[seat]
        found = self.melds()
        if self.need:
            if len(self.need) < len(self.contract):
                return found  # the contract is half down: it is finished first
        else:
            found += self.lays()
            if sum(hand) == 1:
                if not (self.switches[4] and len(found)):
                    found.append(_KEEP)
                return found
        found += compress(_DISCARDS, hand)
        return found

    def plan(self) -> Plan | None:
        """Groups that would open with the fewest wilds; None when the hand cannot."""
        return opening(self.hands[self.seat], self.need, self.switches[1], self.used)

    def melds(self) -> list[Step]:
        """Groups that can be put down whole (TK-6a to TK-6h, TK-9a, TK-9b)."""
        hand, need = self.hands[self.seat], self.need
        exact, one_rank, later = self.switches[:3]
        if not need:
            if self.opened[self.seat] and not later:
                return []
            return self._groups(LEAST, 99)
        if opening(hand, need, one_rank, self.used) is None:
            return []
        steps = self._groups(need[0], need[0] if exact else 99)
        if not one_rank:
            steps = [step for step in steps if step[1] not in self.used]
        if len(need) == 1:
            return steps
        found: list[Step] = []
        for step in steps:
            _, rank, naturals, wilds = step
            hand[rank] -= naturals
            hand[WILD] -= wilds
            if opening(hand, need[1:], one_rank, (rank,)) is not None:
                found.append(step)
            hand[rank] += naturals
            hand[WILD] += wilds
        return found

    def _groups(self, least: int, most: int) -> list[Step]:
        """Every group of a size out of the hand."""
        hand, found = self.hands[self.seat], list[Step]()
        wilds = hand[WILD]
        for rank in RANKS:
            have = hand[rank]
            if have > 1 and have + wilds >= least:
                found += _melds(rank, have, wilds, least, most)
        return found

    def lays(self) -> list[Step]:
        """Single cards that fit a group (TK-7b, TK-7c, TK-10a)."""
        hand, seat, piles = self.hands[self.seat], self.seat, self.piles
        if self.switches[0] and not self.opened[seat]:
            piles = piles[: self.first]  # an exact contract is not added to in the turn it opens
        found = [pile.natural for pile in piles if hand[pile.rank]]
        if hand[WILD]:
            found += [
                pile.wild for pile in piles if pile.room > 0 and (pile.owner == seat or pile.by.get(seat, _EMPTY) > 0)
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
            self._next()
        elif what == LAY:
            pile = self.piles[one]
            hand[two] -= 1
            more = -1 if two == WILD else 1
            pile.room += more
            pile.by[seat] = pile.by.get(seat, _EMPTY) + more
            self.down[seat] += POINTS[two]
            self._gone(hand)
        elif what == DRAW:
            hand[self._stock()] += 1
            self.drawn = True
        elif what == MELD:
            hand[one] -= two
            hand[WILD] -= three
            self.piles.append(Pile(len(self.piles), one, room(two, three), seat, {}))
            self.down[seat] += two * POINTS[one] + three * POINTS[WILD]
            self.need = self.need[1:]
            self.used.append(one)
            self._gone(hand)
        elif what == TINKLE:
            self.tokens[seat] -= one
            for _ in range(one):
                hand[self.discard.pop()] += 1
            for _ in range(EXTRA * one):
                hand[self._stock()] += 1
            self.drawn = True
        else:
            self._next()

    def _stock(self) -> int:
        """The stock's top card, the stock made anew when it is empty (TK-13a to TK-13d)."""
        if not self.stock:
            if len(self.discard) > 1:
                self.stock, self.discard = self.discard[:-1], self.discard[-1:]
            else:
                self.stock = list(self.fresh)
            self.rng.shuffle(self.stock)
        return self.stock.pop()

    def _gone(self, hand: list[int]) -> None:
        if not self.need and not any(hand):
            self.out, self.over = self.seat, True

    def _next(self) -> None:
        seat = self.seat
        if self.used and not self.need:
            self.opened[seat] = True
        self.left -= 1
        if self.left <= 0:
            self.over = True
            return
        seat = seat + 1 if seat + 1 < len(self.hands) else 0
        self.seat, self.drawn, self.used, self.first = seat, False, [], len(self.piles)
        self.need = () if self.opened[seat] else self.contract
        if self.switches[3]:
            for pile in self.piles:
                pile.by.pop(seat, None)

    def scores(self) -> list[int]:
        """Table less hand, by seat (TK-14b)."""
        return [
            down - sum(number * POINTS[held] for held, number in enumerate(hand) if number)
            for down, hand in zip(self.down, self.hands, strict=True)
        ]


def run_random(quick: Quick) -> int:
    """Play a round out at random: how many moves it took."""
    made, random = 0, quick.rng.random
    while not quick.over:
        moves = quick.moves()
        quick.play(moves[int(random() * len(moves))])
        made += 1
    return made
