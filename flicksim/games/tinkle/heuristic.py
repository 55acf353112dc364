"""Heuristic policy of Tinkle: when to pay a token, what to meld, what to discard."""

from __future__ import annotations

from flicksim.games.tinkle.contracts import CONTRACTS, MIN_GROUP_SIZE, RANKS, min_naturals
from flicksim.games.tinkle.deck import POINTS, WILD
from flicksim.games.tinkle.fast_state import DISCARD, DRAW, KEEP, MELD, TINKLE, FastState, Step

TOKENS_TO_SAVE = (10, 10, 10, 9, 9, 6, 4, 0)
"""Tokens to keep after each round: two groups of six are hard, and unused tokens have no value (TK-3f)."""


def heuristic_step(state: FastState) -> Step:
    """Move of the heuristic policy."""
    if not state.has_drawn:
        tokens = tokens_to_pay(state)
        return (TINKLE, tokens, 0, 0) if tokens else (DRAW, 0, 0, 0)
    placement = next_meld_or_lay(state)
    if placement is not None:
        return placement
    hand = state.hands[state.seat]
    if sum(hand) == 1:
        return (KEEP, 0, 0, 0)
    return (DISCARD, max((kind for kind in range(14) if hand[kind]), key=lambda kind: discard_score(state, kind)), 0, 0)


def tokens_to_pay(state: FastState) -> int:
    """Number of tokens to pay now; 0 draws from the stock."""
    seat, discard = state.seat, state.discard
    spare = state.tokens[seat] - TOKENS_TO_SAVE[CONTRACTS.index(state.contract)]
    if spare <= 0 or not discard or not state.max_tinkle:
        return 0
    hand, top = state.hands[seat], discard[-1]
    if not state.opened[seat]:
        if top == WILD or hand[top] >= min(2, min_naturals(state.contract[0]) - 1):
            return 1
        # other seats have opened and this hand cannot: extra cards are the best chance
        return 1 if spare > 2 and any(state.opened) and state.opening_groups() is None else 0
    top_is_useful = top == WILD or any(group.rank == top for group in state.groups)
    return 1 if top_is_useful and sum(hand) > 1 else 0


def next_meld_or_lay(state: FastState) -> Step | None:
    """Next meld or lay-off; None to end the turn.

    With one playable and one unplayable card left, the playable one is held: after the other is discarded, any playable
    card drawn lets the seat go out. Cards of high value are laid off first, so that the held one is cheap.
    """
    seat = state.seat
    hand = state.hands[seat]
    if state.contract_left:
        plan = state.opening_groups()
        return None if plan is None else (MELD, *plan[0])
    if not state.opened[seat] or state.options[2]:
        group = _spare_group(hand)
        if group is not None:
            return (MELD, *group)
    steps = state.lay_off_steps()
    if not steps:
        return None
    ranks = {group.rank for group in state.groups}
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


def discard_score(state: FastState, kind: int) -> float:
    """Score of a card for discarding; the card with the highest is discarded."""
    if kind == WILD:
        return -1000.0
    seat = state.seat
    count = state.hands[seat][kind]
    has_group = any(group.rank == kind for group in state.groups)
    if state.opened[seat] or not state.contract_left:
        # a card in hand counts against the seat, but a pair may still become a group
        return POINTS[kind] - 8.0 * (count - 1) - (40.0 if has_group else 0.0)
    return 0.1 * POINTS[kind] - 10.0 * count * count - (3.0 if has_group else 0.0)


def play_heuristically(state: FastState) -> None:
    """Play a round to its end by the heuristic policy."""
    while not state.over:
        state.play(heuristic_step(state))
