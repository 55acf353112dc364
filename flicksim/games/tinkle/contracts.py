"""Contracts and groups on integers: naturals and wild cards counted by rank.

These few functions are the rules' own and the playouts' own: what is legal is decided here for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from flicksim.games.tinkle.deck import WILD

CONTRACTS = ((3,), (3, 3), (4,), (4, 4), (5,), (5, 5), (6,), (6, 6))
"""Sizes of the groups one opens with, by round (TK-6a to TK-6h)."""
MIN_GROUP_SIZE = 3
"""Cards in the smallest group (TK-9b)."""
RANKS = (1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
"""Ranks that groups can have: twos are wild (TK-7a)."""

GroupPlan = tuple[tuple[int, int, int], ...]
"""Groups to put down: rank, naturals, wilds of each."""


def wild_capacity(naturals: int, wilds: int) -> int:
    """The number of wilds a group can still take; below 0 when there are too many (TK-7b, TK-7c)."""
    return naturals - wilds - 1


def has_natural_majority(naturals: int, wilds: int) -> bool:
    """More naturals than wilds (TK-7b, TK-7c)."""
    return wild_capacity(naturals, wilds) >= 0


def min_naturals(size: int) -> int:
    """Fewest naturals in a group of a size (TK-7b)."""
    return size // 2 + 1


def meets_contract(groups: Sequence[tuple[int, int]], contract: Sequence[int], exact: bool, one_rank: bool) -> bool:
    """Return True if groups, as rank and size, contain the contract (TK-6a to TK-6h).

    Args:
        exact: only groups of just the size count. one_rank: two of them may have one rank.
    """
    size = contract[0]
    fit = [rank for rank, cards in groups if cards == size or (cards > size and not exact)]
    return len(fit if one_rank else set(fit)) >= len(contract)


def opening_groups(
    counts: Sequence[int], sizes: Sequence[int], one_rank: bool, taken: Sequence[int] = ()
) -> GroupPlan | None:
    """Groups of these sizes (all alike, one or two) out of a hand, with the fewest wilds; None when there are none.

    Args:
        counts: the hand by kind. taken: ranks already used, barred when `one_rank` is false.
    """
    size, wilds = sizes[0], counts[WILD]
    least = min_naturals(size)
    if max(counts[1:]) < least:
        return None
    able = [rank for rank in RANKS if counts[rank] >= least and (one_rank or rank not in taken)]
    if not able:
        return None
    # the most naturals first: they need the fewest wilds
    if len(sizes) == 1:
        best = max(able, key=counts.__getitem__)
        short = max(0, size - counts[best])
        return ((best, size - short, short),) if short <= wilds else None
    able.sort(key=lambda rank: -counts[rank])
    pairs = [(able[0], able[1])] if len(able) > 1 else []
    if one_rank and counts[able[0]] >= 2 * least:
        pairs.append((able[0], able[0]))
    found = [plan for one, other in pairs if (plan := _fill_with_wilds(counts, wilds, ((one, size), (other, size))))]
    return min(found, key=lambda plan: sum(group[2] for group in plan)) if found else None


def _fill_with_wilds(counts: Sequence[int], wilds: int, groups: tuple[tuple[int, int], ...]) -> GroupPlan | None:
    plan, have = [], dict.fromkeys((rank for rank, _ in groups), 0)
    for rank, _ in groups:
        have[rank] = counts[rank]
    later = list(groups)
    for rank, size in groups:
        later.pop(0)
        # a second group of this rank keeps the naturals it must have
        kept = sum(min_naturals(other) for also, other in later if also == rank)
        naturals = min(size, have[rank] - kept)
        have[rank] -= naturals
        wilds -= size - naturals
        plan.append((rank, naturals, size - naturals))
    return tuple(plan) if wilds >= 0 else None


@cache
def group_splits(rank: int, have: int, wilds: int, least: int, most: int) -> tuple[tuple[int, int, int], ...]:
    """Every group of `least` to `most` cards out of so many naturals of a rank and so many wilds."""
    found: list[tuple[int, int, int]] = []
    for naturals in range(max(2, least - wilds, min_naturals(least)), min(have, most) + 1):
        low, high = max(0, least - naturals), min(wilds, naturals - 1, most - naturals)
        found += [(rank, naturals, more) for more in range(low, high + 1)]
    return tuple(found)


def whole_groups(counts: Sequence[int], least: int, most: int = 99) -> list[tuple[int, int, int]]:
    """Every group of a size that a hand can put down at once: rank, naturals, wilds."""
    wilds, found = counts[WILD], list[tuple[int, int, int]]()
    for rank in RANKS:
        have = counts[rank]
        if have > 1 and have + wilds >= least:
            found += group_splits(rank, have, wilds, least, most)
    return found
