"""Rules of thumb for Tinkle: when to pay a token, what to put down, what to throw away. Asked by bots and playouts."""

from __future__ import annotations

from flicksim.games.tinkle.deck import POINTS, WILD
from flicksim.games.tinkle.quick import DISCARD, DRAW, KEEP, MELD, TINKLE, Quick, Step
from flicksim.games.tinkle.sets import CONTRACTS, LEAST, RANKS, naturals_for

SAVED = (10, 10, 10, 9, 9, 6, 4, 0)
"""Tokens to have left after each round: two sets of six are hard, and in the end they are worth nothing (TK-3f)."""


def step(quick: Quick) -> Step:
    """The move a sensible player makes without counting."""
    if not quick.drawn:
        tokens = worth_tokens(quick)
        return (TINKLE, tokens, 0, 0) if tokens else (DRAW, 0, 0, 0)
    put = to_put(quick)
    if put is not None:
        return put
    hand = quick.hands[quick.seat]
    if sum(hand) == 1:
        return (KEEP, 0, 0, 0)
    return (DISCARD, max((kind for kind in range(14) if hand[kind]), key=lambda kind: useless(quick, kind)), 0, 0)


def worth_tokens(quick: Quick) -> int:
    """The number of tokens to pay now; 0 draws from the stock."""
    seat, discard = quick.seat, quick.discard
    spare = quick.tokens[seat] - SAVED[CONTRACTS.index(quick.contract)]
    if spare <= 0 or not discard or not quick.most:
        return 0
    hand, top = quick.hands[seat], discard[-1]
    if not quick.opened[seat]:
        if top == WILD or hand[top] >= min(2, naturals_for(quick.contract[0]) - 1):
            return 1
        # a last hope late in the game: others are down and this hand is far from it
        return 1 if spare > 2 and any(quick.opened) and quick.plan() is None else 0
    fits = top == WILD or any(pile.rank == top for pile in quick.piles)
    return 1 if fits and sum(hand) > 1 else 0


def to_put(quick: Quick) -> Step | None:
    """The next group or card to put down; None when nothing more is.

    With one card left that fits and one that does not, the one that fits is held back: once the other is thrown away,
    any card that fits lets one go out. The dearest cards go first, so it is a cheap one that is held.
    """
    seat = quick.seat
    hand = quick.hands[seat]
    if quick.need:
        plan = quick.plan()
        return None if plan is None else (MELD, *plan[0])
    if not quick.opened[seat] or quick.switches[2]:
        group = _spare_group(hand)
        if group is not None:
            return (MELD, *group)
    steps = quick.lays()
    if not steps:
        return None
    ranks = {pile.rank for pile in quick.piles}
    stuck = sum(hand[rank] for rank in RANKS if rank not in ranks)
    if stuck == 1 and sum(hand) == 2:
        return None
    return max(steps, key=lambda step: POINTS[step[2]])


def _spare_group(hand: list[int]) -> tuple[int, int, int] | None:
    """A further group: three or more naturals, or a pair that a wild completes."""
    for rank in RANKS:
        if hand[rank] >= LEAST:
            return rank, hand[rank], 0
    if hand[WILD]:
        for rank in RANKS:
            if hand[rank] == LEAST - 1:
                return rank, LEAST - 1, 1
    return None


def useless(quick: Quick, kind: int) -> float:
    """Uselessness of a card in hand; the most useless is thrown away."""
    if kind == WILD:
        return -1000.0
    seat = quick.seat
    number = quick.hands[seat][kind]
    fed = any(pile.rank == kind for pile in quick.piles)
    if quick.opened[seat] or not quick.need:
        # in hand it only costs; a pair may still become a group
        return POINTS[kind] - 8.0 * (number - 1) - (40.0 if fed else 0.0)
    return 0.1 * POINTS[kind] - 10.0 * number * number - (3.0 if fed else 0.0)


def play_out(quick: Quick) -> None:
    """Play a round to its end by rules of heuristic."""
    while not quick.over:
        quick.play(step(quick))
