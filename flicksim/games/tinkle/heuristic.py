"""Heuristic policy of Tinkle: when to pay a token, what to meld, what to discard."""

from __future__ import annotations

from flicksim.games.tinkle.contracts import CONTRACTS, MIN_GROUP_SIZE, RANKS, min_naturals
from flicksim.games.tinkle.deck import POINTS, WILD
from flicksim.games.tinkle.fast_state import DISCARD, DRAW, KEEP, MELD, TINKLE, FastState, Step

TOKENS_TO_SAVE = (10, 10, 10, 9, 9, 6, 4, 0)
"""Tokens to have left after each round: two sets of six are hard, and in the end they are worth nothing (TK-3f)."""


def heuristic_step(state: FastState) -> Step:
    """The move a sensible player makes without counting."""
    if not state.has_drawn:
        tokens = tokens_to_pay(state)
        return (TINKLE, tokens, 0, 0) if tokens else (DRAW, 0, 0, 0)
    put = next_meld_or_lay(state)
    if put is not None:
        return put
    hand = state.hands[state.seat]
    if sum(hand) == 1:
        return (KEEP, 0, 0, 0)
    return (DISCARD, max((kind for kind in range(14) if hand[kind]), key=lambda kind: discard_score(state, kind)), 0, 0)


def tokens_to_pay(state: FastState) -> int:
    """The number of tokens to pay now; 0 draws from the stock."""
    seat, discard = state.seat, state.discard
    spare = state.tokens[seat] - TOKENS_TO_SAVE[CONTRACTS.index(state.contract)]
    if spare <= 0 or not discard or not state.max_tinkle:
        return 0
    hand, top = state.hands[seat], discard[-1]
    if not state.opened[seat]:
        if top == WILD or hand[top] >= min(2, min_naturals(state.contract[0]) - 1):
            return 1
        # a last hope late in the game: others are down and this hand is far from it
        return 1 if spare > 2 and any(state.opened) and state.opening_groups() is None else 0
    fits = top == WILD or any(pile.rank == top for pile in state.groups)
    return 1 if fits and sum(hand) > 1 else 0


def next_meld_or_lay(state: FastState) -> Step | None:
    """The next group or card to put down; None when nothing more is.

    With one card left that fits and one that does not, the one that fits is held back: once the other is thrown away,
    any card that fits lets one go out. The dearest cards go first, so it is a cheap one that is held.
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
    ranks = {pile.rank for pile in state.groups}
    stuck = sum(hand[rank] for rank in RANKS if rank not in ranks)
    if stuck == 1 and sum(hand) == 2:
        return None
    return max(steps, key=lambda step: POINTS[step[2]])


def _spare_group(hand: list[int]) -> tuple[int, int, int] | None:
    """A further group: three or more naturals, or a pair that a wild completes."""
    for rank in RANKS:
        if hand[rank] >= MIN_GROUP_SIZE:
            return rank, hand[rank], 0
    if hand[WILD]:
        for rank in RANKS:
            if hand[rank] == MIN_GROUP_SIZE - 1:
                return rank, MIN_GROUP_SIZE - 1, 1
    return None


def discard_score(state: FastState, kind: int) -> float:
    """Uselessness of a card in hand; the most useless is thrown away."""
    if kind == WILD:
        return -1000.0
    seat = state.seat
    number = state.hands[seat][kind]
    fed = any(pile.rank == kind for pile in state.groups)
    if state.opened[seat] or not state.contract_left:
        # in hand it only costs; a pair may still become a group
        return POINTS[kind] - 8.0 * (number - 1) - (40.0 if fed else 0.0)
    return 0.1 * POINTS[kind] - 10.0 * number * number - (3.0 if fed else 0.0)


def play_heuristically(state: FastState) -> None:
    """Play a round to its end by rules of heuristic."""
    while not state.over:
        state.play(heuristic_step(state))
