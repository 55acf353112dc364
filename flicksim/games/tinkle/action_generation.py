"""Action generation of Tinkle: a coarse selection of the legal moves of a turn."""

from flicksim.cards import Card, Discard, KeepLastCard, LayOff, Meld, MoveWild, TakeBack
from flicksim.games.tinkle import deck, melds
from flicksim.games.tinkle.deck import DISCARD, HANDS, TOKENS, WILD
from flicksim.games.tinkle.melds import cards_put_this_turn, may_add_wild
from flicksim.games.tinkle.rollouts import opening_group
from flicksim.games.tinkle.state import Action, State


def most_tokens(state: State) -> int:
    """Most tokens the seat to play may pay at once (TK-8d, TK-8f)."""
    assert state.to_play is not None
    limit = min(state.zones.purses[TOKENS[state.to_play]], len(state.zones[DISCARD]))
    return limit if state.options.max_tinkle is None else min(limit, state.options.max_tinkle)


def has_melded(state: State, seat: int) -> bool:
    """Return True if a seat has the contract on the table, from an earlier turn or this one (TK-5b, TK-10b, TK-10c)."""
    if state.opened[seat]:
        return True
    ranks = contract_ranks(state, seat)
    return len(ranks if state.options.same_rank_groups else set(ranks)) >= len(melds.CONTRACTS[state.round - 1])


def contract_ranks(state: State, seat: int) -> tuple[int, ...]:
    """Ranks of the groups that a seat has melded this turn and that count for the contract (TK-6a to TK-6h, TK-9a)."""
    size, exact = melds.CONTRACTS[state.round - 1][0], state.options.contract_size == "exactly"
    return tuple(
        group.rank or WILD
        for group in state.groups
        if group.owner == seat
        and group.melded_turn == state.turn
        and (len(group.puts) == size or (len(group.puts) > size and not exact))
        and melds.has_natural_majority(*group.naturals_and_wilds())
    )


def pick_cards(cards: tuple[Card, ...], rank: int, naturals: int, wilds: int) -> tuple[Card, ...]:
    """Pick a number of naturals of a rank and of wilds from a hand."""
    picked: list[Card] = []
    for kind, count in ((rank, naturals), (WILD, wilds)):
        picked += [card for card in cards if deck.kind(card) == kind][:count]
    return tuple(picked)


def arrangement_actions(state: State, seat: int) -> list[Action]:
    """Arrangement actions: melds, lay-offs, and taking back or moving cards put down this turn."""
    placed = cards_put_this_turn(state.groups, state.turn)
    actions: list[Action] = [*meld_actions(state, seat), *lay_off_actions(state, seat)]
    actions += [TakeBack(card=card, group=group.number) for group, card in placed]
    for group, card in placed:
        if deck.kind(card) == WILD:
            actions += [
                MoveWild(card=card, source=group.number, target=target.number)
                for target in state.groups
                if target is not group
                and (target.melded_turn == state.turn or has_melded(state, seat))
                and may_add_wild(target, seat, state.turn, state.options)
            ]
    return actions


def meld_actions(state: State, seat: int) -> list[Meld]:
    """Meld actions of whole groups: those the contract still needs, then any (TK-6a to TK-6h, TK-9a, TK-9b)."""
    options, cards = state.options, state.zones.cards(HANDS[seat])
    counts = deck.count_kinds(cards)
    if has_melded(state, seat):
        if state.opened[seat] and not options.later_melds:
            return []
        groups = melds.whole_groups(counts, melds.MIN_GROUP_SIZE)
    else:
        sizes, ranks = contract_due(state, seat)
        if not can_open(state, seat):
            return []
        groups = melds.whole_groups(counts, sizes[0], sizes[0] if options.contract_size == "exactly" else 99)
        if not options.same_rank_groups:
            groups = [group for group in groups if group[0] not in ranks]
    return [Meld(cards=pick_cards(cards, *group)) for group in groups]


def contract_due(state: State, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Sizes of the groups of the contract that a seat still lacks, and ranks of those melded this turn: 0 alone where
    the contract is complete, or cards are put down without a group of it."""
    if state.opened[seat]:
        return (), ()
    if not cards_put_this_turn(state.groups, state.turn):
        return melds.CONTRACTS[state.round - 1], ()
    ranks = contract_ranks(state, seat)
    missing = melds.CONTRACTS[state.round - 1][len(ranks) :]
    return missing, ranks if missing and ranks else (WILD,)


def can_open(state: State, seat: int) -> bool:
    """Return True if the groups of the contract that a seat still lacks are in its hand."""
    sizes, ranks = contract_due(state, seat)
    hand, size = deck.count_kinds(state.zones.cards(HANDS[seat])), max(sizes, default=0)
    return opening_group(hand, size, len(sizes), rank_bits(ranks), state.options.same_rank_groups)[0] >= 0


def rank_bits(ranks: tuple[int, ...]) -> int:
    """Ranks as bits."""
    return sum({1 << rank for rank in ranks})


def lay_off_actions(state: State, seat: int) -> list[LayOff]:
    """Lay-off actions: single cards that leave a group valid (TK-7b, TK-7c, TK-10a to TK-10c)."""
    if not state.groups:
        return []
    melded = has_melded(state, seat)
    # no lay-off on an exact contract in the opening turn
    exact = state.options.contract_size == "exactly" and not state.opened[seat]
    faces = sorted(set(state.zones.cards(HANDS[seat])))
    actions = []
    for group in state.groups:
        if exact if group.melded_turn == state.turn else not melded:
            continue
        rank, takes_wild = group.rank, None
        for card in faces:
            kind = deck.kind(card)
            if kind == WILD:
                takes_wild = may_add_wild(group, seat, state.turn, state.options) if takes_wild is None else takes_wild
            if takes_wild if kind == WILD else kind == rank:
                actions.append(LayOff(cards=(card,), group=group.number))
    return actions


def turn_endings(state: State, seat: int) -> list[Action]:
    """Actions that end the turn while the table is valid (TK-5c, TK-5e, TK-11a)."""
    mine = state.zones.cards(HANDS[seat])
    if len(mine) > 1:
        return [Discard(card=card) for card in dict.fromkeys(mine)]
    if state.options.single_card == "must_lay" and lay_off_actions(state, seat):
        return []
    return [KeepLastCard()] if mine else []
