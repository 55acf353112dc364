"""A player of Tinkle: candidates by rule of thumb, and what a search may imagine of the cards it does not see.

Imagination: all cards not seen are dealt anew to the other hands and the stock, except those a seat is known to hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import numpy as np

from flicksim.base.seeding import Seeds
from flicksim.cards import Card, Discard, Draw, Keep, LayOff, Meld, TakeBack
from flicksim.games.tinkle import deck, heuristic, legality, offers, quick, rules
from flicksim.games.tinkle.deck import DISCARD, HANDS, PURSE, STOCK, TOKENS, WILD
from flicksim.games.tinkle.lines import Ints, Table, deal_out, play_on
from flicksim.games.tinkle.moves import Action, Tinkle
from flicksim.games.tinkle.quick import Pile, Quick, Step
from flicksim.games.tinkle.rounds import of_game
from flicksim.games.tinkle.sets import room
from flicksim.games.tinkle.state import State
from flicksim.games.tinkle.table import fresh, opens, tabled
from flicksim.players import STEADY, Depth, Hand, Means, Outcomes

DEPTHS: Mapping[str, Depth] = {"world": Depth(shots=6000, plans=12, habit=3.0)}
"""Depth of thought by grade: lines played on for a decision. Below that bots go by rules of thumb."""
PLAIN: Mapping[str, Depth] = {"world": Depth(shots=200, plans=12, least=8, habit=3.0)}
"""The same where nothing is compiled."""
SLIPS: Mapping[str, float] = {"beginner": 0.35, "club": 0.1}
"""Share of its turns in which a grade takes any candidate, unthinking."""
COMPILED = (deal_out, play_on)
"""Functions that a thought has compiled."""

HORIZON = 8
"""Turns each that a playout looks ahead."""
STALE = 20
"""Turns each without a card put down after which a token is not saved: the cards that go round fit nowhere."""
ROUND_WORTH = (
    (-36, -6, -6, -6, -5, -5, -5, -5, -5),
    (-69, -9, -1, 0, 1, 1, 1, 1, 1),
    (-69, -11, -4, 16, 20, 21, 21, 21, 21),
    (-197, -32, 11, 57, 64, 79, 79, 79, 79),
    (-110, -40, -15, 26, 22, 26, 31, 34, 34),
    (-293, -207, -80, 0, 39, 60, 60, 64, 64),
    (-271, -150, -71, -27, -12, 4, 27, 32, 32),
    (-319, -298, -192, -49, 16, 56, 107, 121, 121),
)
"""Points ahead of three others to be expected of each round when one may spend none to eight tokens in it: means of 150
rounds played out by rules of thumb, the others having as many as usual. They say what a token saved is worth."""


def _saved_worth() -> tuple[tuple[int, ...], ...]:
    """Worth of so many tokens after each round, spent over the rounds to come as is best."""
    worth = [(0,) * (PURSE + 1)]
    for here in reversed(ROUND_WORTH[1:]):
        later = worth[0]
        best = [max(here[min(k, 8)] + later[had - k] for k in range(had + 1)) for had in range(PURSE + 1)]
        worth.insert(0, tuple(best))
    return tuple(worth)


SAVED_WORTH = _saved_worth()


def candidates(view: State, rng: np.random.Generator, count: int) -> list[Action]:
    """Up to `count` moves, the one by rule of thumb first; none where no rule of thumb helps."""
    del rng
    seat = view.to_play
    if seat is None or (view.phase == "play" and not view.zones.cards(HANDS[seat])):
        return []  # the hand is empty, and yet the turn cannot end: all that may be done is to take something back
    blind = as_numbers(view, [_counts(view, at) for at in range(view.seats)], [], Random(0))
    best = action_of(view, heuristic.step(blind))
    if view.phase == "draw":
        most = offers.most_tokens(view)
        if most and stale(view):
            return [Tinkle(count=1)]
        found = [best, Draw(), *(Tinkle(count=k) for k in (1, 2, 3) if k <= most)]
        return list(dict.fromkeys(found))[:count]
    if blind.need and legality.trouble_of(view) is not None and not isinstance(best, Meld):
        # half a contract that cannot be finished is taken up again
        group, card = fresh(view.groups, view.turn)[0]
        return [TakeBack(card=card, group=group.number)]
    if isinstance(best, Discard):
        mine = view.zones.cards(HANDS[seat])
        kinds = sorted({deck.kind(card) for card in mine}, key=lambda kind: -heuristic.useless(blind, kind))
        return list[Action](Discard(card=_of(mine, kind)) for kind in kinds)[: min(count, 5)]
    if isinstance(best, Meld) and not view.opened[seat] and not fresh(view.groups, view.turn):
        hand = blind.hands[seat]
        kinds = sorted((kind for kind in range(14) if hand[kind]), key=lambda kind: -heuristic.useless(blind, kind))
        hold = Discard(card=_of(view.zones.cards(HANDS[seat]), kinds[0]))
        return list[Action]((best, hold))[:count]
    return [best]


def stale(view: State) -> bool:
    """True where nobody has put a card down for so long that only other cards can help: a tinkle brings them."""
    last = max((put.turn for group in view.groups for put in group.puts), default=0)
    return view.turn - last > STALE * view.seats


def _counts(view: State, seat: int) -> list[int]:
    return deck.count(view.zones.cards(HANDS[seat]))


def _of(cards: tuple[Card, ...], kind: int) -> Card:
    return next(card for card in cards if deck.kind(card) == kind)


def as_numbers(view: State, hands: list[list[int]], stock: list[int], rng: Random) -> Quick:
    """The round as numbers, with these hands and this stock."""
    seat, options, seats = view.to_play, view.options, range(view.seats)
    assert seat is not None
    per_turn = options.layoff_scope == "per_turn"
    piles = [
        Pile(
            place, group.rank or 3, room(*group.mix()), group.owner,
            {at: room(*group.mix(at, view.turn if per_turn else None)) for at in seats if at != group.owner},
        )
        for place, group in enumerate(view.groups)
    ]  # fmt: skip
    found = Quick(
        hands=hands, stock=stock, discard=[deck.kind(card) for card in view.zones.cards(DISCARD)],
        tokens=[view.zones.purses[TOKENS[at]] for at in seats], piles=piles, opened=list(view.opened),
        down=[tabled(view.groups, at) for at in seats], seat=seat, drawn=view.phase == "play", round_=view.round,
        turns=HORIZON * view.seats, most=options.max_tinkle or 99,
        fresh=[deck.kind(card) for card in deck.new_pack(options)],
        switches=(
            options.contract_size == "exactly", options.same_rank_groups, options.later_melds, per_turn,
            options.single_card == "must_lay",
        ),
        rng=rng,
    )  # fmt: skip
    found.first = sum(group.made != view.turn for group in view.groups)
    if not view.opened[seat] and fresh(view.groups, view.turn):
        need = offers.missing(view, seat)
        done = need is None or opens(view.groups, seat, view.turn, view.round, options)
        found.need, ranks = ((), ()) if done or need is None else need
        found.used = list(ranks) or [0]
    return found


def action_of(view: State, step: Step) -> Action:
    """A playout's move as a move of the game."""
    seat = view.to_play
    assert seat is not None
    mine = view.zones.cards(HANDS[seat])
    match step:
        case (quick.DRAW, _, _, _):
            return Draw()
        case (quick.TINKLE, tokens, _, _):
            return Tinkle(count=tokens)
        case (quick.MELD, rank, naturals, wilds):
            return Meld(cards=offers.pick(mine, rank, naturals, wilds))
        case (quick.LAY, at, kind, _):
            return LayOff(cards=(_of(mine, kind),), group=view.groups[at].number)
        case (quick.DISCARD, kind, _, _):
            return Discard(card=_of(mine, kind))
    return Keep()


def step_of(view: State, action: object) -> Step:
    """A move of the game as a playout's."""
    match action:
        case Draw():
            return (quick.DRAW, 0, 0, 0)
        case Tinkle(count=count):
            return (quick.TINKLE, count, 0, 0)
        case Meld(cards=cards):
            counts = deck.count(cards)
            rank = next(kind for kind in range(13, -1, -1) if counts[kind])
            return (quick.MELD, rank, counts[rank], counts[WILD])
        case LayOff(cards=cards, group=number):
            at = next(k for k, group in enumerate(view.groups) if group.number == number)
            return (quick.LAY, at, deck.kind(cards[0]), 0)
        case Discard(card=card):
            return (quick.DISCARD, deck.kind(card), 0, 0)
    return (quick.KEEP, 0, 0, 0)


def play_out(
    view: State, seat: int, plans: Sequence[Action], hand: Hand, tries: int, seed: int, means: Means, *,
    exact: bool = False,
) -> Outcomes:  # fmt: skip
    """Make each plan in so many deals of the hidden cards, and play the round on by rules of thumb.

    Points are those of the round, ahead of the others' mean; tokens saved are counted for what they promise.
    """
    del hand, exact
    luck = np.random.Generator(np.random.PCG64(seed)).integers(1, 2**31 - 2, (2, tries))
    hands, stock = deals(view, luck[0], means)
    scores, tokens = np.zeros((2, len(plans), tries, view.seats), np.int64)
    moves = np.array([step_of(view, plan) for plan in plans], np.int64)
    means.quick(play_on)(table_of(view), hands, stock, moves, luck[1], scores, tokens)
    if view.options.tokens_per == "game":
        scores += np.array(SAVED_WORTH[view.round - 1])[np.minimum(tokens, PURSE)]
    chance = of_game((scores + np.array(view.scores)).reshape(-1, view.seats), seat, view.round)
    ahead = scores[..., seat] - (scores.sum(axis=2) - scores[..., seat]) / (view.seats - 1)
    return Outcomes(
        chance=chance.reshape(len(plans), tries), points=ahead, made=np.zeros((len(plans), tries, 2)),
        shots=len(plans) * tries,
    )  # fmt: skip


def rehearse(means: Means) -> None:
    """Have all compiled that a thought needs: one round is begun and played on."""
    state = rules.start(deck.Options(), 4, Seeds(seed=1))
    assert state.to_play is not None
    play_out(rules.view(state, state.to_play), state.to_play, [Draw()], STEADY, 1, 1, means)


def table_of(view: State) -> Table:
    """The open part of a view, as numbers."""
    blind = as_numbers(view, [_counts(view, at) for at in range(view.seats)], [], Random(0))
    return numbers(blind, heuristic.SAVED[view.round - 1])


def numbers(round_: Quick, saved: int) -> Table:
    """A round's open part as arrays; so many tokens should be left after it."""
    seats = range(len(round_.hands))
    piles = [[pile.rank, pile.room, pile.owner, *(pile.by.get(at, -1) for at in seats)] for pile in round_.piles]
    book = (
        round_.seat, round_.drawn, round_.left, round_.most, round_.contract[0], len(round_.contract),
        len(round_.need), len(round_.used), sum({1 << rank for rank in round_.used}), round_.first, saved,
    )  # fmt: skip
    return Table(
        discard=np.array(round_.discard, np.int64), fresh=np.array(round_.fresh, np.int64),
        points=np.array(deck.POINTS),
        seats=np.array([(round_.tokens[at], round_.opened[at], round_.down[at]) for at in seats], np.int64),
        piles=np.array(piles, np.int64).reshape(len(piles), 3 + len(seats)), book=np.array(book, np.int64),
        switches=np.array(round_.switches[:4], np.int64),
    )  # fmt: skip


def deals(view: State, luck: Ints, means: Means) -> tuple[Ints, Ints]:
    """Hands by kind, and the stock, deal by deal: what is not seen is dealt among the others and the stock, known cards
    lie where they are. Nobody knows the order of the stock. [W, S, 14], [W, rest]"""
    zones, options = view.zones, view.options
    base, new = deck.pack(options, view.seats), deck.new_pack(options)
    extra = (sum(len(zone) for zone in zones.piles.values()) - len(base)) // len(new)
    hidden = deck.count(base + new * extra)
    known = [deck.count(zones.cards(HANDS[at]) or view.known[at]) for at in range(view.seats)]
    open_ = [card for name, zone in zones.piles.items() if name not in (STOCK, *HANDS) for card in zone.cards]
    for seen in (deck.count(tuple(open_)), *known):
        hidden = [have - gone for have, gone in zip(hidden, seen, strict=True)]
    loose = [kind for kind, number in enumerate(hidden) for _ in range(max(0, number))]
    room = [len(zones[HANDS[at]]) - sum(cards) for at, cards in enumerate(known)]
    assert len(loose) - sum(room) == len(zones[STOCK])
    hands = np.zeros((len(luck), view.seats, 14), np.int64)
    stock = np.zeros((len(luck), len(loose) - sum(room)), np.int64)
    means.quick(deal_out)(
        np.array(known, np.int64), np.array(room, np.int64), np.array(loose, np.int64), luck, hands, stock
    )  # fmt: skip
    return hands, stock


def gone(state: State) -> float:
    """The share of the game that is over, 0 to 1: rounds alone are counted."""
    return (state.round - 1.0) / deck.ROUNDS


def value(state: State, seat: int) -> float:
    """Points ahead of the best other seat."""
    others = [points for at, points in enumerate(state.scores) if at != seat]
    return float(state.scores[seat] - max(others))
