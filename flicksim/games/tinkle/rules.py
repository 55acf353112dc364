"""Rules of Tinkle as pure functions; rule ids TK- stand where they apply.

A turn: draw from the stock, or tinkle for discards; put groups down and lay cards off, to be rearranged at will while
the turn lasts; then discard, keep a last card, or have none left and so go out. The table must be valid only at the end
of the turn.
"""

from fractions import Fraction

import msgspec

from flicksim.cards import (
    AddCards,
    Card,
    Discard,
    Draw,
    LayOff,
    Meld,
    MoveWild,
    Reshuffle,
    Step,
    TakeBack,
    TransferCards,
    TransferResult,
    TransferTokens,
    Zones,
)
from flicksim.core.random_streams import RandomStreams
from flicksim.games.tinkle import action_generation, deck, melds
from flicksim.games.tinkle.deck import DISCARD, HANDS, NAMES, STOCK, TOKENS
from flicksim.games.tinkle.legal_actions import check_action as check_action
from flicksim.games.tinkle.legal_actions import contract_text, turn_end_problem
from flicksim.games.tinkle.state import Phase, Round, State, Tinkle
from flicksim.referee import LegalActions, Progress, Reason, Ruling, Verdict, common_rules, top_scorers

SEATS = NAMES


scores, to_play, view = common_rules.scores, common_rules.to_play, common_rules.view_of_zones


class TinkleRuling(Ruling, frozen=True, kw_only=True):
    """Ruling on an action.

    Args:
        phase: action due next. groups: groups on the table. known: cards the seat is known to hold.
        ended: whether the turn is over. shuffles: times the stock was renewed. closed: the round, if it is finished.
    """

    phase: Phase
    groups: melds.Groups
    known: tuple[Card, ...]
    ended: bool = False
    shuffles: int = 0
    closed: Round | None = None


def initial_state(options: deck.Options, seats: int, streams: RandomStreams) -> State:
    """State before the first action; the first dealer and every deal are seeded (TK-4b).

    Raises:
        InvalidOption: the number of seats does not fit the options.
    """
    deck.check_seats_and_options(options, seats)
    dealer = int(streams.spawn("dealer").generator().integers(seats))
    purses = {TOKENS[seat]: deck.STARTING_TOKENS for seat in range(seats)} | {deck.JAR: 0}
    blank = State(
        options=options, seats=seats, round=0, dealer=dealer, to_play=None, phase="over",
        zones=Zones(piles={}, purses=purses), scores=(0,) * seats, seeds=streams,
    )  # fmt: skip
    return _deal(blank, dealer)


def _deal(state: State, dealer: int) -> State:
    """Deal the next round; the seat at the dealer's left begins (TK-4a, TK-4c, TK-8a)."""
    assert state.seeds is not None
    number, seats, options = state.round + 1, state.seats, state.options
    seeds = state.seeds.spawn("round", number)
    purses = dict(state.zones.purses)
    if options.tokens_per == "round":
        purses = {TOKENS[seat]: deck.STARTING_TOKENS for seat in range(seats)} | {deck.JAR: 0}
    return msgspec.structs.replace(
        state, round=number, dealer=dealer, to_play=(dealer + 1) % seats, phase="draw", turn=1, groups=(),
        zones=deck.deal_round(options, seats, dealer, seeds.spawn("deal"), purses), opened=(False,) * seats,
        known=((),) * seats, cut=deck.cut_size(options, seats, seeds.spawn("cut")), shuffles=0,
    )  # fmt: skip


def leaders(state: State) -> tuple[int, ...]:
    """Seats that win or share the win at the current score (TK-5g, TK-14g)."""
    best = top_scorers(state.scores)
    if len(best) > 1 and state.options.tie == "last_round" and state.sheet:
        last = [state.sheet[-1].points[seat] for seat in best]
        return tuple(seat for seat, points in zip(best, last, strict=True) if points == max(last))
    return best


def progress(state: State) -> Progress:
    """Round being played, and its contract."""
    return Progress(part_name="Round", number=state.round, goal=f"the contract is {contract_text(state)}")


def legal_actions(state: State) -> LegalActions:
    """Legal actions of the seat to play: whole groups and single cards. Finer arranging, card by card, is legal too
    (`check_action`)."""
    seat = state.to_play
    if seat is None:
        return LegalActions(prompt="The game is over.")
    if state.phase == "draw":
        limit = action_generation.most_tokens(state)
        tokens = "a token for the top discard" if limit == 1 else f"a token for each of up to {limit} discards"
        prompt = f"{NAMES[seat]}: draw, or tinkle, {tokens}." if limit else f"{NAMES[seat]}: draw."
        return LegalActions(prompt=prompt, actions=(Draw(), *(Tinkle(count=k) for k in range(1, limit + 1))))
    actions = action_generation.arrangement_actions(state, seat)
    problem = turn_end_problem(state)
    if problem is None:
        actions += action_generation.turn_endings(state, seat)
        return LegalActions(prompt=f"{NAMES[seat]}: put down, lay off, or end the turn.", actions=tuple(actions))
    return LegalActions(prompt=f"{NAMES[seat]}: the table may not stand so: {problem[1]}.", actions=tuple(actions))


def simulation_setup(state: State, action: object) -> tuple[Zones[Card], tuple[Step, ...]] | None:
    """Moves of cards and tokens to simulate for an action; None if nothing moves."""
    assert state.to_play is not None
    mine = HANDS[state.to_play]
    match action:
        case Draw():
            return state.zones, tuple(_from_stock(state, mine, 1, len(state.zones[DISCARD])))
        case Tinkle(count=count):
            steps: list[Step] = [
                TransferTokens(source=TOKENS[state.to_play], target=deck.JAR, amount=count),
                TransferCards(source=DISCARD, target=mine, top=count),
            ]
            return state.zones, (
                *steps, *_from_stock(state, mine, deck.STOCK_CARDS_PER_TOKEN * count, len(state.zones[DISCARD]) - count)
            )  # fmt: skip
        case Meld(cards=cards):
            return state.zones, (
                TransferCards(source=mine, target=melds.group_zone(_next_group_number(state)), cards=cards),
            )
        case LayOff(cards=cards, group=number):
            return state.zones, (TransferCards(source=mine, target=melds.group_zone(number), cards=cards),)
        case TakeBack(card=card, group=number):
            return state.zones, (TransferCards(source=melds.group_zone(number), target=mine, cards=(card,)),)
        case MoveWild(card=card, source=source, target=target):
            return state.zones, (
                TransferCards(source=melds.group_zone(source), target=melds.group_zone(target), cards=(card,)),
            )
        case Discard(card=card):
            return state.zones, (TransferCards(source=mine, target=DISCARD, cards=(card,)),)
    return None


def _next_group_number(state: State) -> int:
    return max((group.number for group in state.groups), default=0) + 1


def _from_stock(state: State, target: str, need: int, discards: int) -> list[Step]:
    """Draw from the stock, which is renewed when it is needed and empty (TK-13a to TK-13d)."""
    stock, shuffles, steps = len(state.zones[STOCK]), state.shuffles, list[Step]()
    assert state.seeds is not None
    while need:
        if stock:
            drawn = min(need, stock)
            steps.append(TransferCards(source=STOCK, target=target, top=drawn))
            need, stock = need - drawn, stock - drawn
            continue
        shuffles += 1
        seeds = state.seeds.spawn("round", state.round, "stock", shuffles)
        if discards > 1:
            steps.append(Reshuffle(source=DISCARD, target=STOCK, seeds=seeds))
            stock, discards = discards - 1, 1
        else:
            pack = deck.new_pack(state.options)
            steps.append(AddCards(target=STOCK, cards=pack, seeds=seeds))
            stock = len(pack)
    return steps


def judge(state: State, action: object, result: TransferResult[Card] | None) -> Verdict:
    """Adjudicate an action and its simulation result."""
    seat, turn = state.to_play, state.turn
    assert seat is not None
    zones = result.after if result is not None else state.zones
    who, groups, known = NAMES[seat], state.groups, state.known[seat]
    shuffles = state.shuffles
    match action:
        case Draw() | Tinkle():
            assert result is not None
            reasons, shuffles = _drawn_cards(state, result, action)
            if isinstance(action, Tinkle):
                known = (*known, *_bought_discards(result))
            return _verdict(state, reasons, groups, tuple(sorted(known)), shuffles)
        case Meld(cards=cards):
            groups, known = (
                melds.add_cards(groups, _next_group_number(state), cards, seat, turn),
                _remove_known(known, cards),
            )
            reasons = [Reason("TK-9b" if state.opened[seat] else "TK-9a", f"{who} puts down {_cards_text(cards)}.")]
        case LayOff(cards=cards, group=number):
            groups, known = melds.add_cards(groups, number, cards, seat, turn), _remove_known(known, cards)
            reasons = [Reason("TK-10a", f"{who} lays {_cards_text(cards)} off on group {number}.")]
        case TakeBack(card=card, group=number):
            groups, known = melds.take_card(groups, number, card, turn), tuple(sorted((*known, card)))
            reasons = [Reason("TK-9d", f"{who} takes {card} up again.")]
        case MoveWild(card=card, source=source, target=target):
            groups = melds.add_cards(melds.take_card(groups, source, card, turn), target, (card,), seat, turn)
            reasons = [Reason("TK-9e", f"{who} moves {card} to group {target}.")]
        case Discard(card=card):
            reasons = [Reason("TK-11b", f"{who} discards {card}.")]
            return _end_turn(state, zones, reasons, _remove_known(known, (card,)))
        case _:
            reasons = [Reason("TK-5e", f"{who} keeps a last card and stays in.")]
            return _end_turn(state, zones, reasons, known)
    if not len(zones[HANDS[seat]]) and not turn_end_problem(msgspec.structs.replace(state, groups=groups)):
        reasons.append(Reason("TK-5d", f"{who} has put every card on the table and goes out."))
        return _close_round(state, zones, groups, reasons, seat)
    return _verdict(state, reasons, groups, known, shuffles)


def _verdict(
    state: State, reasons: list[Reason], groups: melds.Groups, known: tuple[Card, ...], shuffles: int
) -> Verdict:
    """Ruling after which the same seat continues to arrange its cards."""
    ruling = TinkleRuling(
        points=(Fraction(0),) * state.seats, next=state.to_play, phase="play", groups=groups, known=known,
        shuffles=shuffles,
    )  # fmt: skip
    return Verdict(reasons=tuple(reasons), ruling=ruling)


def _drawn_cards(state: State, result: TransferResult[Card], action: Draw | Tinkle) -> tuple[list[Reason], int]:
    """Public form of a draw, and the number of times the stock has been renewed."""
    assert state.to_play is not None
    who = NAMES[state.to_play]
    if isinstance(action, Tinkle):
        bought = _cards_text(_bought_discards(result))
        tokens = "a token" if action.count == 1 else f"{action.count} tokens"
        reasons = [
            Reason("TK-8d", f"{who} tinkles with {tokens} and takes {bought}."),
            Reason("TK-8e", f"With that come {deck.STOCK_CARDS_PER_TOKEN * action.count} cards from the stock."),
        ]
    else:
        reasons = [Reason("TK-8c", f"{who} draws from the stock.")]
    sources = {move.source for move in result.moved if move.target == STOCK}
    if DISCARD in sources:
        reasons.append(Reason("TK-13a", "The stock is out: the discards under the top one are shuffled."))
    if "box" in sources:
        reasons.append(Reason("TK-13d", "No cards are left: a new pack is brought in as stock."))
    return reasons, state.shuffles + len(sources)


def _bought_discards(result: TransferResult[Card]) -> tuple[Card, ...]:
    """Cards bought from the discard pile into a hand."""
    return tuple(move.card for move in result.moved if move.source == DISCARD and move.target != STOCK and move.card)


def _cards_text(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def _remove_known(known: tuple[Card, ...], removed: tuple[Card, ...]) -> tuple[Card, ...]:
    """Remove cards that left a hand from those it is known to hold."""
    remaining = list(known)
    for card in removed:
        if card in remaining:
            remaining.remove(card)
    return tuple(remaining)


def _end_turn(state: State, zones: Zones[Card], reasons: list[Reason], known: tuple[Card, ...]) -> Verdict:
    """End the turn: the next seat's turn (TK-12a), unless the agreed turns have been played."""
    assert state.to_play is not None
    limit = state.options.max_turns
    if limit is not None and state.turn >= limit * state.seats:
        reasons.append(Reason("TK-12a", f"Nobody has gone out in {limit} turns each: the round is counted."))
        return _close_round(state, zones, state.groups, reasons, None)
    ruling = TinkleRuling(
        points=(Fraction(0),) * state.seats, next=(state.to_play + 1) % state.seats, phase="draw", groups=state.groups,
        known=known, ended=True, shuffles=state.shuffles,
    )  # fmt: skip
    return Verdict(reasons=tuple(reasons), ruling=ruling)


def _close_round(
    state: State, zones: Zones[Card], groups: melds.Groups, reasons: list[Reason], out: int | None
) -> Verdict:
    """Close the round, and the game if it is over (TK-5f, TK-14a, TK-14b, TK-14g)."""
    options, seats = state.options, range(state.seats)
    tabled = tuple(melds.table_points(groups, seat) for seat in seats)
    held = tuple(sum(deck.points(card) for card in zones.cards(HANDS[seat])) for seat in seats)
    if options.no_meld == "flat65":
        melded = {group.owner for group in groups}
        held = tuple(65 if seat not in melded else held[seat] for seat in seats)
    bonus = deck.cut_bonus(options, state.seats, state.cut)
    points = tuple(tabled[seat] - held[seat] + (bonus if seat == state.dealer else 0) for seat in seats)
    score_text = ", ".join(f"{NAMES[seat]} {tabled[seat]} - {held[seat]}" for seat in seats)
    reasons.append(Reason("TK-14b", f"Table less hand: {score_text}."))
    if bonus:
        rule = "TK-4f" if bonus == 100 else "TK-4g"
        reasons.append(Reason(rule, f"{NAMES[state.dealer]} cut {state.cut} cards: {bonus} points."))
    closed = Round(out=out, tabled=tabled, held=held, bonus=bonus, dealer=state.dealer, points=points)
    dealer = (state.dealer + 1) % state.seats
    over = state.round >= deck.ROUNDS
    if over:
        after = msgspec.structs.replace(state, scores=_add_points(state, closed), sheet=(*state.sheet, closed))
        best = " and ".join(NAMES[seat] for seat in leaders(after))
        reasons.append(Reason("TK-14g", f"Eight rounds are played; {best} won with {max(after.scores)}."))
    else:
        reasons.append(Reason("TK-4c", f"{NAMES[dealer]} deals round {state.round + 1}."))
    ruling = TinkleRuling(
        points=tuple(Fraction(gained) for gained in points), next=None if over else (dealer + 1) % state.seats,
        phase="over" if over else "draw", groups=groups, known=(), ended=True, closed=closed,
    )  # fmt: skip
    return Verdict(reasons=tuple(reasons), ruling=ruling)


def _add_points(state: State, closed: Round) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(state.scores, closed.points, strict=True))


def next_state(state: State, result: TransferResult[Card] | None, verdict: Verdict) -> State:
    """Apply a verdict to a state."""
    ruling, seat = verdict.ruling, state.to_play
    assert isinstance(ruling, TinkleRuling)
    assert seat is not None
    zones = _tidy_zones(result.after if result is not None else state.zones, seat)
    if ruling.closed is not None:
        after = msgspec.structs.replace(
            state, zones=zones, groups=ruling.groups, to_play=None, phase="over", sheet=(*state.sheet, ruling.closed),
            scores=_add_points(state, ruling.closed),
        )  # fmt: skip
        return after if ruling.next is None else _deal(after, (state.dealer + 1) % state.seats)
    opened = state.opened
    if ruling.ended:
        opened = (*opened[:seat], action_generation.has_melded(state, seat), *opened[seat + 1 :])
    return msgspec.structs.replace(
        state, to_play=ruling.next, phase=ruling.phase, turn=state.turn + ruling.ended, zones=zones,
        groups=ruling.groups, opened=opened, shuffles=ruling.shuffles,
        known=(*state.known[:seat], ruling.known, *state.known[seat + 1 :]),
    )  # fmt: skip


def _tidy_zones(zones: Zones[Card], seat: int) -> Zones[Card]:
    """Sort the hands and remove the zones of empty groups."""
    mine = zones[HANDS[seat]]
    piles = {name: zone for name, zone in zones.piles.items() if len(zone) or not name.startswith("group:")}
    piles[HANDS[seat]] = msgspec.structs.replace(mine, cards=tuple(sorted(mine.cards)))
    return Zones(piles=piles, purses=zones.purses)
