"""Legality of moves at Tinkle, with the rule that forbids an illegal one; hidden cards are not used."""

from flicksim.cards import Card, Discard, Draw, KeepLastCard, LayOff, Meld, MoveWild, TakeBack
from flicksim.core.errors import IllegalAction
from flicksim.games.tinkle import action_generation, deck
from flicksim.games.tinkle.deck import DISCARD, HANDS, NAMES, TOKENS, WILD
from flicksim.games.tinkle.melds import CONTRACTS, MIN_GROUP_SIZE, find_group, has_natural_majority
from flicksim.games.tinkle.state import State, Tinkle


def turn_end_problem(state: State) -> tuple[str, str] | None:
    """Reason why the turn may not end on this table: rule id and sentence; None if it may."""
    seat, turn, options = state.to_play, state.turn, state.options
    assert seat is not None
    touched = [group for group in state.groups if any(put.turn == turn for put in group.puts)]
    for group in touched:
        naturals, wilds = group.naturals_and_wilds()
        name = f"group {group.number} ({' '.join(str(put.card) for put in group.puts)})"
        if group.melded_turn == turn and len(group.puts) < MIN_GROUP_SIZE:
            return "TK-9b", f"{name} has only {len(group.puts)}; a group has at least {MIN_GROUP_SIZE} cards"
        if not has_natural_majority(naturals, wilds):
            rule = "TK-7a" if not naturals else "TK-7b"
            return rule, f"{name} has {naturals} natural and {wilds} wild cards; naturals must be more"
        if group.owner != seat:
            scope = turn if options.layoff_scope == "per_turn" else None
            naturals, wilds = group.naturals_and_wilds(seat, scope)
            if not has_natural_majority(naturals, wilds):
                return (
                    "TK-7c",
                    f"your own cards in {name} are {naturals} natural and {wilds} wild; naturals must be more",
                )
    if touched and not action_generation.has_melded(state, seat):
        contract = f"the contract of round {state.round}: {contract_text(state)}"
        return "TK-6" + "abcdefgh"[state.round - 1], f"what you put down does not contain {contract}"
    return None


def contract_text(state: State) -> str:
    """Contract of the round, as "two groups of 3 or more"."""
    sizes = CONTRACTS[state.round - 1]
    groups = f"one group of {sizes[0]}" if len(sizes) == 1 else f"two groups of {sizes[0]}"
    return f"{groups} {'exactly' if state.options.contract_size == 'exactly' else 'or more'}"


def check_action(state: State, action: object) -> None:
    """Check that the rules allow the action now.

    Raises:
        IllegalAction: they do not; with the rule id.
    """
    seat = state.to_play
    if seat is None:
        raise IllegalAction("TK-14g", "the game is over; nothing more is played")
    if state.phase == "draw":
        if isinstance(action, Tinkle):
            _check_tinkle(state, seat, action.count)
        elif not isinstance(action, Draw):
            raise IllegalAction("TK-8c", f"'{action}' comes too early: draw from the stock or tinkle first")
        return
    match action:
        case Draw() | Tinkle():
            raise IllegalAction("TK-8c", f"'{action}' is not allowed: {NAMES[seat]} has drawn already")
        case Meld(cards=cards):
            _check_in_hand(state, seat, cards)
            if not state.options.later_melds and state.opened[seat]:
                raise IllegalAction("TK-9b", f"'{action}' is not allowed: groups are melded in the opening turn only")
            _check_rank(None, cards, str(action))
        case LayOff(cards=cards, group=number):
            _check_in_hand(state, seat, cards)
            _check_target(state, seat, number, cards, str(action))
        case TakeBack(card=card, group=number):
            _check_put_this_turn(state, card, number)
        case MoveWild(card=card, source=source, target=target):
            _check_put_this_turn(state, card, source)
            if deck.kind(card) != WILD:
                raise IllegalAction("TK-9e", f"{card} is not wild; take it back instead")
            if source == target:
                raise IllegalAction("TK-9e", f"'{action}' moves nothing")
            _check_target(state, seat, target, (card,), str(action))
        case Discard() | KeepLastCard():
            _check_ending(state, seat, action)
        case _:
            raise IllegalAction("TK-8b", f"{action!r} is not a move of this game")


def _check_tinkle(state: State, seat: int, count: int) -> None:
    tokens, pile = state.zones.purses[TOKENS[seat]], len(state.zones[DISCARD])
    if count < 1:
        raise IllegalAction("TK-8f", f"tinkle {count} buys nothing; pay at least one token")
    if count > tokens:
        raise IllegalAction("TK-8d", f"tinkle {count} is too many: {NAMES[seat]} has {tokens} tokens")
    if count > pile:
        raise IllegalAction("TK-8f", f"tinkle {count} is too many: the discard pile has {pile} cards")
    limit = state.options.max_tinkle
    if limit is not None and count > limit:
        raise IllegalAction("TK-8f", f"tinkle {count} is too many: {limit} tokens at once are the most")


def _check_in_hand(state: State, seat: int, cards: tuple[Card, ...]) -> None:
    if not cards:
        raise IllegalAction("TK-9b", "no cards are named")
    mine = list(state.zones.cards(HANDS[seat]))
    for card in cards:
        if card not in mine:
            raise IllegalAction("TK-6d", f"{NAMES[seat]} does not hold {card}, or not so often")
        mine.remove(card)


def _check_rank(rank: int | None, cards: tuple[Card, ...], move_text: str) -> None:
    ranks = {deck.kind(card) for card in cards} - {WILD}
    if rank is not None and ranks - {rank}:
        raise IllegalAction("TK-10a", f"'{move_text}': only cards of its rank and wilds go on that group")
    if len(ranks) > 1:
        raise IllegalAction("TK-2a", f"'{move_text}': a group has one rank; there are no runs")


def _check_target(state: State, seat: int, number: int, cards: tuple[Card, ...], move_text: str) -> None:
    group = find_group(state.groups, number)
    if group is None:
        numbers = ", ".join(str(listed.number) for listed in state.groups) or "none"
        raise IllegalAction("TK-10a", f"'{move_text}': there is no group {number}; there are {numbers}")
    _check_rank(group.rank, cards, move_text)
    if group.melded_turn != state.turn and not action_generation.has_melded(state, seat):
        raise IllegalAction("TK-10b", f"'{move_text}' is not allowed: {NAMES[seat]} has not melded the contract yet")


def _check_put_this_turn(state: State, card: Card, number: int) -> None:
    group = find_group(state.groups, number)
    if group is None or all(put.card is not card for put in group.puts):
        raise IllegalAction("TK-9d", f"{card} does not lie in group {number}")
    if all(put.turn != state.turn for put in group.puts if put.card is card):
        raise IllegalAction("TK-9f", f"{card} in group {number} was put down in an earlier turn and stays")


def _check_ending(state: State, seat: int, action: Discard | KeepLastCard) -> None:
    mine = state.zones.cards(HANDS[seat])
    if isinstance(action, Discard):
        if action.card not in mine:
            raise IllegalAction("TK-11a", f"{NAMES[seat]} does not hold {action.card}")
        if len(mine) == 1:
            raise IllegalAction("TK-5c", f"discard {action.card} would be the last card: nobody goes out by discarding")
    elif len(mine) != 1:
        raise IllegalAction("TK-11a", f"keep is for a last card; with {len(mine)} in hand the turn ends with a discard")
    problem = turn_end_problem(state)
    if problem is not None:
        raise IllegalAction(*problem)
    if (
        isinstance(action, KeepLastCard)
        and state.options.single_card == "must_lay"
        and action_generation.lay_off_actions(state, seat)
    ):
        raise IllegalAction("TK-5e", f"{mine[0]} fits a group and must be laid off")
