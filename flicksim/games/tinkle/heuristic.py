"""Heuristic policy of Tinkle: when to pay a token, what to meld, what to discard."""

from flicksim.games.tinkle.contracts import MIN_GROUP_SIZE, RANKS, min_naturals
from flicksim.games.tinkle.deck import POINTS, WILD
from flicksim.games.tinkle.round_view import DISCARD_CARD, DRAW, KEEP, MELD, TINKLE, RoundView, Step

TOKENS_TO_SAVE = (10, 10, 10, 9, 9, 6, 4, 0)
"""Tokens to keep after each round: two groups of six are hard, and unused tokens have no value (TK-3f)."""


def heuristic_step(view: RoundView) -> Step:
    """Move of the heuristic policy."""
    if view.state.phase == "draw":
        tokens = tokens_to_pay(view)
        return (TINKLE, tokens, 0, 0) if tokens else (DRAW, 0, 0, 0)
    placement = next_meld_or_lay(view)
    if placement is not None:
        return placement
    if sum(view.hand) == 1:
        return (KEEP, 0, 0, 0)
    return (DISCARD_CARD, best_discard(view), 0, 0)


def tokens_to_pay(view: RoundView) -> int:
    """Number of tokens to pay now; 0 draws from the stock."""
    spare = view.tokens - TOKENS_TO_SAVE[view.state.round - 1]
    if spare <= 0 or not view.discard:
        return 0
    hand, top = view.hand, view.discard[-1]
    if not view.opened:
        if top == WILD or hand[top] >= min(2, min_naturals(view.contract[0]) - 1):
            return 1
        # other seats have opened and this hand cannot: extra cards are the best chance
        return 1 if spare > 2 and any(view.state.opened) and view.opening_groups() is None else 0
    top_is_useful = top == WILD or any(group.rank == top for group in view.groups)
    return 1 if top_is_useful and sum(hand) > 1 else 0


def next_meld_or_lay(view: RoundView) -> Step | None:
    """Next meld or lay-off; None to end the turn.

    With one playable and one unplayable card left, the playable one is held: after the other is discarded, any playable
    card drawn lets the seat go out. Cards of high value are laid off first, so that the held one is cheap.
    """
    hand = view.hand
    if view.missing:
        plan = view.opening_groups()
        return None if plan is None else (MELD, *plan[0])
    if not view.opened or view.state.options.later_melds:
        group = _spare_group(hand)
        if group is not None:
            return (MELD, *group)
    steps = view.lay_off_steps()
    if not steps:
        return None
    ranks = {group.rank for group in view.groups}
    unplayable = sum(hand[rank] for rank in RANKS if rank not in ranks)
    if unplayable == 1 and sum(hand) == 2:
        return None
    return max(steps, key=lambda step: POINTS[step[2]])


def _spare_group(hand: list[int]) -> tuple[int, int, int] | None:
    """Further group to meld: three or more naturals, or a pair completed by a wild."""
    for rank in RANKS:
        if hand[rank] >= MIN_GROUP_SIZE:
            return rank, hand[rank], 0
    if hand[WILD]:
        for rank in RANKS:
            if hand[rank] == MIN_GROUP_SIZE - 1:
                return rank, MIN_GROUP_SIZE - 1, 1
    return None


def best_discard(view: RoundView) -> int:
    """Kind of the card with the highest discard score; of equal ones the lowest kind."""
    return max((kind for kind in range(14) if view.hand[kind]), key=lambda kind: discard_score(view, kind))


def discard_score(view: RoundView, kind: int) -> float:
    """Score of a card for discarding; the card with the highest is discarded."""
    if kind == WILD:
        return -1000.0
    count = view.hand[kind]
    has_group = any(group.rank == kind for group in view.groups)
    if view.opened or not view.missing:
        # a card in hand counts against the seat, but a pair may still become a group
        return POINTS[kind] - 8.0 * (count - 1) - (40.0 if has_group else 0.0)
    return 0.1 * POINTS[kind] - 10.0 * count * count - (3.0 if has_group else 0.0)
