"""A player of Tinkle: candidates by rule of thumb, and what a search may imagine of the cards it does not see.

Imagination: all cards not seen are dealt anew to the other hands and the stock, except those a seat is known to hold.
"""

from __future__ import annotations

from random import Random

import numpy as np

from flicksim.cards import Card, Discard, Draw, Keep, LayOff, Meld, TakeBack
from flicksim.games.tinkle import deck, heuristic, legality, offers, quick
from flicksim.games.tinkle.deck import DISCARD, HANDS, PURSE, STOCK, TOKENS, WILD
from flicksim.games.tinkle.moves import Action, Tinkle
from flicksim.games.tinkle.quick import Pile, Quick, Step
from flicksim.games.tinkle.rounds import of_game
from flicksim.games.tinkle.sets import room
from flicksim.games.tinkle.state import State
from flicksim.games.tinkle.table import fresh, opens, tabled

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


def sample(view: State, rng: np.random.Generator) -> Quick:
    """A round as it may stand: what is not seen dealt among the others and the stock, known cards where they are."""
    seat, zones, options = view.to_play, view.zones, view.options
    assert seat is not None
    base, new = deck.pack(options, view.seats), deck.new_pack(options)
    extra = (sum(len(zone) for zone in zones.piles.values()) - len(base)) // len(new)
    hidden = deck.count(base + new * extra)
    known = [deck.count(() if at == seat else view.known[at]) for at in range(view.seats)]
    for seen in (deck.count(tuple(zones.every())), *known):
        hidden = [have - gone for have, gone in zip(hidden, seen, strict=True)]
    loose = [kind for kind, number in enumerate(hidden) for _ in range(max(0, number))]
    loose = [loose[k] for k in rng.permutation(len(loose))]
    hands = []
    for at in range(view.seats):
        hand = _counts(view, at) if at == seat else known[at]
        for _ in range(len(zones[HANDS[at]]) - sum(hand)):
            hand[loose.pop()] += 1
        hands.append(hand)
    assert len(loose) == len(zones[STOCK])
    return as_numbers(view, hands, loose, Random(int(rng.integers(2**62))))


def outcome(view: State, world: Quick, action: object, seed: int) -> float:
    """Outcome of a move in such a round, played out by rules of thumb [points ahead of the others' mean]."""
    return ended(view, world, action, seed)[1]


def ended(view: State, world: Quick, action: object, seed: int) -> tuple[float, float]:
    """The chance to win the game for the seat to play once the round is over, and the points of the round it is ahead
    of the others' mean; tokens saved are counted for what they promise."""
    seat = view.to_play
    assert seat is not None
    round_ = world.copy(Random(seed))
    round_.play(step_of(view, action))
    heuristic.play_out(round_)
    scores = round_.scores()
    ahead = scores[seat] - (sum(scores) - scores[seat]) / (len(scores) - 1)
    saved = [0] * len(scores)
    if view.options.tokens_per == "game":
        saved = [SAVED_WORTH[view.round - 1][min(PURSE, tokens)] for tokens in round_.tokens]
    totals = [had + more + worth for had, more, worth in zip(view.scores, scores, saved, strict=True)]
    return of_game(totals, view.round)[seat], ahead + saved[seat]


def value(state: State, seat: int) -> float:
    """Points ahead of the best other seat."""
    others = [points for at, points in enumerate(state.scores) if at != seat]
    return float(state.scores[seat] - max(others))
