"""Melds of Tinkle: groups on the table, who put down which card when, and their validity."""

from collections.abc import Sequence
from functools import cache

from flicksim.cards import Card
from flicksim.core.serialization import Value
from flicksim.games.tinkle.deck import WILD, Options, kind, points

CONTRACTS = ((3,), (3, 3), (4,), (4, 4), (5,), (5, 5), (6,), (6, 6))
"""Sizes of the opening groups, by round (TK-6a to TK-6h)."""
MIN_GROUP_SIZE = 3
"""Cards in the smallest group (TK-9b)."""
RANKS = (1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
"""Ranks that groups can have: twos are wild (TK-7a)."""


def wild_capacity(naturals: int, wilds: int) -> int:
    """Number of wilds a group can still take; negative if it has too many (TK-7b, TK-7c)."""
    return naturals - wilds - 1


def has_natural_majority(naturals: int, wilds: int) -> bool:
    """Return True if there are more naturals than wilds (TK-7b, TK-7c)."""
    return wild_capacity(naturals, wilds) >= 0


def min_naturals(size: int) -> int:
    """Fewest naturals in a group of a size (TK-7b)."""
    return size // 2 + 1


@cache
def group_splits(rank: int, have: int, wilds: int, least: int, most: int) -> tuple[tuple[int, int, int], ...]:
    """All groups of `least` to `most` cards from `have` naturals of a rank and `wilds` wilds."""
    groups: list[tuple[int, int, int]] = []
    for naturals in range(max(2, least - wilds, min_naturals(least)), min(have, most) + 1):
        low, high = max(0, least - naturals), min(wilds, naturals - 1, most - naturals)
        groups += [(rank, naturals, added) for added in range(low, high + 1)]
    return tuple(groups)


def whole_groups(counts: Sequence[int], least: int, most: int = 99) -> list[tuple[int, int, int]]:
    """All groups of `least` to `most` cards in a hand: rank, naturals, wilds."""
    wilds, groups = counts[WILD], list[tuple[int, int, int]]()
    for rank in RANKS:
        have = counts[rank]
        if have > 1 and have + wilds >= least:
            groups += group_splits(rank, have, wilds, least, most)
    return groups


class PlacedCard(Value, frozen=True, kw_only=True):
    """Card on the table, with the seat that put it there and the turn of the round."""

    card: Card
    by: int
    turn: int


class Group(Value, frozen=True, kw_only=True):
    """Cards of one rank with wilds among them.

    Args:
        number: number for people. owner: seat that melded it. puts: its cards in order.
    """

    number: int
    owner: int
    puts: tuple[PlacedCard, ...]

    @property
    def rank(self) -> int | None:
        """Rank of its naturals; None while it has none."""
        return next((kind(put.card) for put in self.puts if kind(put.card) != WILD), None)

    @property
    def melded_turn(self) -> int:
        """Turn in which it was melded."""
        return self.puts[0].turn

    def naturals_and_wilds(self, by: int | None = None, turn: int | None = None) -> tuple[int, int]:
        """Numbers of naturals and wilds in it, optionally only those of one seat or turn."""
        naturals = wilds = 0
        for put in self.puts:
            if (by is None or put.by == by) and (turn is None or put.turn == turn):
                if kind(put.card) == WILD:
                    wilds += 1
                else:
                    naturals += 1
        return naturals, wilds


Groups = tuple[Group, ...]


def group_zone(number: int) -> str:
    """Name of the zone a group's cards lie in: "group:3"."""
    return f"group:{number}"


def find_group(groups: Groups, number: int) -> Group | None:
    """Group with a number."""
    return next((group for group in groups if group.number == number), None)


def add_cards(groups: Groups, number: int, cards: tuple[Card, ...], seat: int, turn: int) -> Groups:
    """Add cards to a group or to a new one."""
    puts = tuple(PlacedCard(card=card, by=seat, turn=turn) for card in cards)
    group = find_group(groups, number)
    if group is None:
        return (*groups, Group(number=number, owner=seat, puts=puts))
    extended = Group(number=number, owner=group.owner, puts=(*group.puts, *puts))
    return tuple(extended if other is group else other for other in groups)


def take_card(groups: Groups, number: int, card: Card, turn: int) -> Groups:
    """Take a card of this turn out of a group; an empty group is removed (TK-9d)."""
    remaining = []
    for group in groups:
        puts = group.puts
        if group.number == number:
            index = max(k for k, put in enumerate(puts) if put.card is card and put.turn == turn)
            puts = puts[:index] + puts[index + 1 :]
        if puts:
            remaining.append(Group(number=group.number, owner=group.owner, puts=puts))
    return tuple(remaining)


def cards_put_this_turn(groups: Groups, turn: int) -> list[tuple[Group, Card]]:
    """Cards put down this turn with their groups, once for each face in a group (TK-9d, TK-9f)."""
    placed: dict[tuple[int, Card], tuple[Group, Card]] = {}
    for group in groups:
        for put in group.puts:
            if put.turn == turn:
                placed[group.number, put.card] = (group, put.card)
    return list(placed.values())


def may_add_wild(group: Group, seat: int, turn: int, options: Options) -> bool:
    """Return True if a group is valid with one more wild of a seat (TK-7b, TK-7c)."""
    naturals, wilds = group.naturals_and_wilds()
    if not has_natural_majority(naturals, wilds + 1):
        return False
    if group.owner == seat:
        return True
    naturals, wilds = group.naturals_and_wilds(seat, turn if options.layoff_scope == "per_turn" else None)
    return has_natural_majority(naturals, wilds + 1)


def table_points(groups: Groups, seat: int) -> int:
    """Points that a seat has put on the table, on any seat's groups (TK-2c, TK-14b)."""
    return sum(points(put.card) for group in groups for put in group.puts if put.by == seat)
