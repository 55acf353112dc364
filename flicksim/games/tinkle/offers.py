"""The offers to a seat while it plays its turn in Tinkle. All of it is legal; much that is legal is finer grained."""

from __future__ import annotations

from flicksim.cards import Card, Discard, Keep, LayOff, Meld, MoveWild, TakeBack
from flicksim.games.tinkle import deck
from flicksim.games.tinkle.deck import DISCARD, HANDS, TOKENS, WILD
from flicksim.games.tinkle.moves import Action
from flicksim.games.tinkle.sets import CONTRACTS, LEAST, opening, purer, whole_groups
from flicksim.games.tinkle.state import State
from flicksim.games.tinkle.table import fresh, may_add_wild, opens


def most_tokens(state: State) -> int:
    """Most tokens the seat to play may pay at once (TK-8d, TK-8f)."""
    assert state.to_play is not None
    most = min(state.zones.purses[TOKENS[state.to_play]], len(state.zones[DISCARD]))
    return most if state.options.max_tinkle is None else min(most, state.options.max_tinkle)


def has_melded(state: State, seat: int) -> bool:
    """True where a seat has the contract on the table, from an earlier turn or this one (TK-5b, TK-10b, TK-10c)."""
    return state.opened[seat] or opens(state.groups, seat, state.turn, state.round, state.options)


def pick(cards: tuple[Card, ...], rank: int, naturals: int, wilds: int) -> tuple[Card, ...]:
    """So many naturals of a rank and wilds out of a hand."""
    found: list[Card] = []
    for wanted, number in ((rank, naturals), (WILD, wilds)):
        found += [card for card in cards if deck.kind(card) == wanted][:number]
    return tuple(found)


def arrangements(state: State, seat: int) -> list[Action]:
    """Groups to meld, cards to lay off, and what was put down this turn to be taken back or moved."""
    down = fresh(state.groups, state.turn)
    found: list[Action] = [*melds(state, seat), *lay_offs(state, seat)]
    found += [TakeBack(card=card, group=group.number) for group, card in down]
    for group, card in down:
        if deck.kind(card) == WILD:
            found += [
                MoveWild(card=card, source=group.number, target=other.number)
                for other in state.groups
                if other is not group and _takes_wild(state, seat, other.number)
            ]
    return found


def _takes_wild(state: State, seat: int, number: int) -> bool:
    return any(
        group.number == number
        and (group.made == state.turn or has_melded(state, seat))
        and may_add_wild(group, seat, state.turn, state.options)
        for group in state.groups
    )


def melds(state: State, seat: int) -> list[Meld]:
    """Whole groups out of the hand: what the contract still needs, then any (TK-6a to TK-6h, TK-9a, TK-9b)."""
    options, cards = state.options, state.zones.cards(HANDS[seat])
    counts = deck.count(cards)
    if has_melded(state, seat):
        if state.opened[seat] and not options.later_melds:
            return []
        groups = whole_groups(counts, LEAST)
    else:
        need = missing(state, seat)
        if not need or opening(counts, need[0], options.same_rank_groups, need[1]) is None:
            return []
        size = need[0][0]
        groups = whole_groups(counts, size, size if options.contract_size == "exactly" else 99)
        if not options.same_rank_groups:
            groups = [group for group in groups if group[0] not in need[1]]
    return [Meld(cards=pick(cards, *group)) for group in groups]


def missing(state: State, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Sizes the contract still needs this turn, and ranks of the groups that count already; None when none is left."""
    contract = CONTRACTS[state.round - 1]
    exact = state.options.contract_size == "exactly"
    ranks = []
    for group in state.groups:
        size = len(group.puts)
        fits = size == contract[0] or (size > contract[0] and not exact)
        if group.owner == seat and group.made == state.turn and fits and purer(*group.mix()):
            ranks.append(group.rank or WILD)
    left = contract[len(ranks) :]
    return (left, tuple(ranks)) if left else None


def lay_offs(state: State, seat: int) -> list[LayOff]:
    """Single cards that fit a group and leave it as it must be (TK-7b, TK-7c, TK-10a to TK-10c)."""
    if not state.groups:
        return []
    melded = has_melded(state, seat)
    # an exact contract is not added to in the turn it opens
    exact = state.options.contract_size == "exactly" and not state.opened[seat]
    faces = sorted(set(state.zones.cards(HANDS[seat])))
    found = []
    for group in state.groups:
        if exact if group.made == state.turn else not melded:
            continue
        rank, wild = group.rank, None
        for card in faces:
            kind = deck.kind(card)
            if kind == WILD:
                wild = may_add_wild(group, seat, state.turn, state.options) if wild is None else wild
            if wild if kind == WILD else kind == rank:
                found.append(LayOff(cards=(card,), group=group.number))
    return found


def endings(state: State, seat: int) -> list[Action]:
    """Ways to end the turn on a table that stands (TK-5c, TK-5e, TK-11a)."""
    mine = state.zones.cards(HANDS[seat])
    if len(mine) > 1:
        return [Discard(card=card) for card in dict.fromkeys(mine)]
    if state.options.single_card == "must_lay" and lay_offs(state, seat):
        return []
    return [Keep()] if mine else []
