"""Contracts and groups on integers: naturals and wild cards counted by rank.

`rules` and action generation share these functions.
"""

from collections.abc import Sequence
from functools import cache

from flicksim.games.tinkle.deck import WILD

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


def meets_contract(groups: Sequence[tuple[int, int]], contract: Sequence[int], exact: bool, one_rank: bool) -> bool:
    """Return True if groups, as rank and size, contain the contract (TK-6a to TK-6h).

    Args:
        exact: whether only groups of exactly the size count. one_rank: whether two groups may have the same rank.
    """
    size = contract[0]
    ranks = [rank for rank, cards in groups if cards == size or (cards > size and not exact)]
    return len(ranks if one_rank else set(ranks)) >= len(contract)


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
