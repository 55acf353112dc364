"""Purposes of moves at Tinkle: what a draw, a meld or a discard does for the hand that is seen."""

from collections.abc import Mapping

from flicksim.cards import Discard, Draw, KeepLastCard, LayOff, Meld, TakeBack
from flicksim.core.type_aliases import Action
from flicksim.games.tinkle import action_generation, deck
from flicksim.games.tinkle.deck import DISCARD, HANDS, POINTS, WILD
from flicksim.games.tinkle.state import State, Tinkle

TEMPLATES: Mapping[str, str] = {
    "save_tokens": "draw from the stock and keep the tokens", "buy_wild": "buy the wild card",
    "buy_group": "buy the card for a group in hand", "buy_lay_off": "buy the card to lay it off",
    "buy_cards": "buy more cards from the stock", "go_out": "go out", "contract": "meld the contract",
    "meld": "meld a further group", "lay_off": "lay off what counts against you in hand",
    "take_back": "take back what completes no contract", "hold_contract": "hold the contract back",
    "hold_playable": "hold back what can be laid off, for the next turn",
    "lone": "discard a card that matches no other",
    "break": "discard from the smallest group", "points": "discard the most points",
    "keep": "keep the last card until one that fits is drawn",
}  # fmt: skip


def purpose_of_aim(state: State, action: Action) -> tuple[str, tuple[str, ...]] | None:
    """Purpose of a move; None where it serves none of these."""
    kind = _kind(state, action)
    return None if kind is None else (kind, ())


def _kind(view: State, action: Action) -> str | None:
    """Kind of a move's purpose."""
    seat = view.to_play
    assert seat is not None
    missing, in_hand = action_generation.contract_due(view, seat)[0], len(view.zones[HANDS[seat]])
    match action:
        case Draw():
            return "save_tokens" if action_generation.most_tokens(view) else None
        case Tinkle(count=count):
            return _kind_of_purchase(view, seat, [deck.kind(card) for card in view.zones.cards(DISCARD)[-count:]])
        case Meld(cards=cards):
            return "contract" if missing else "go_out" if len(cards) == in_hand else "meld"
        case LayOff(cards=cards):
            return "go_out" if not missing and len(cards) == in_hand else "lay_off"
        case TakeBack():
            return "take_back" if missing else None
        case Discard(card=card):
            return _kind_of_discard(view, seat, deck.kind(card))
        case KeepLastCard():
            return "keep"
    return None


def _kind_of_purchase(view: State, seat: int, bought: list[int]) -> str:
    """Kind of the purpose of paying for these discards."""
    if WILD in bought:
        return "buy_wild"
    if not action_generation.contract_due(view, seat)[0] and any(group.rank in bought for group in view.groups):
        return "buy_lay_off"
    hand = deck.count_kinds(view.zones.cards(HANDS[seat]))
    return "buy_group" if any(hand[kind] > 1 for kind in bought) else "buy_cards"


def _kind_of_discard(view: State, seat: int, kind: int) -> str | None:
    """Kind of the purpose of a discard: what it holds back, or why this card goes."""
    hand = deck.count_kinds(view.zones.cards(HANDS[seat]))
    if action_generation.contract_due(view, seat)[0]:
        if action_generation.can_open(view, seat):
            return "hold_contract"
        fewest = min((count for kind, count in enumerate(hand) if count and kind != WILD), default=0)
        return "lone" if hand[kind] == 1 else "break" if hand[kind] == fewest else None
    if any(deck.kind(action.cards[0]) != kind for action in action_generation.lay_off_actions(view, seat)):
        return "hold_playable"
    if POINTS[kind] == max(POINTS[k] for k in range(14) if hand[k]):
        return "points"
    return "lone" if hand[kind] == 1 else None


def describe(kind: str, pieces: tuple[str, ...]) -> str:
    """Describe a purpose in words."""
    del pieces
    return TEMPLATES[kind]
