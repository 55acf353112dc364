"""Candidates and determinization for bots of Tinkle.

Imagination: all cards not seen are dealt anew to the other hands and the stock, except those a seat is known to hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import numpy as np

from flicksim.ai import NO_NOISE, ExecutionNoise, RolloutContext, RolloutOutcomes, SearchConfig
from flicksim.cards import Card, Discard, Draw, KeepLastCard, LayOff, Meld, TakeBack
from flicksim.core.random_streams import RandomStreams
from flicksim.games.tinkle import action_generation, deck, fast_state, heuristic, legal_actions, rules
from flicksim.games.tinkle.actions import Action, Tinkle
from flicksim.games.tinkle.contracts import wild_capacity
from flicksim.games.tinkle.deck import DISCARD, HANDS, STARTING_TOKENS, STOCK, TOKENS, WILD
from flicksim.games.tinkle.fast_state import FastGroup, FastState, Step
from flicksim.games.tinkle.game_win_probability import game_win_probability
from flicksim.games.tinkle.melds import cards_put_this_turn, meets_opening, table_points
from flicksim.games.tinkle.rollouts import Ints, RoundArrays, rollout_rounds, sample_hidden_cards
from flicksim.games.tinkle.state import State

SEARCH_CONFIGS: Mapping[str, SearchConfig] = {"world": SearchConfig(shots=6000, candidates=12, usual_margin=3.0)}
"""Search budget by grade: lines played on for a decision. Below that bots go by heuristics."""
SEARCH_CONFIGS_NO_JIT: Mapping[str, SearchConfig] = {
    "world": SearchConfig(shots=200, candidates=12, min_tries=8, usual_margin=3.0)
}
"""The same where nothing is compiled."""
EPSILONS: Mapping[str, float] = {"beginner": 0.35, "club": 0.1}
"""Share of its turns in which a grade takes any candidate, unthinking."""
JIT_FUNCTIONS = (sample_hidden_cards, rollout_rounds)
"""Functions that a thought has compiled."""

ROLLOUT_TURNS = 8
"""Turns each that a playout looks ahead."""
STALEMATE_TURNS = 20
"""Turns each without a card put down after which a token is not saved: the cards that go round fit nowhere."""
ROUND_VALUES = (
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
rounds played out by heuristics, the others having as many as usual. They say what a token saved is worth."""


def _saved_token_values() -> tuple[tuple[int, ...], ...]:
    """Value of so many tokens after each round, spent over the rounds to come as is best."""
    worth = [(0,) * (STARTING_TOKENS + 1)]
    for here in reversed(ROUND_VALUES[1:]):
        later = worth[0]
        best = [max(here[min(k, 8)] + later[had - k] for k in range(had + 1)) for had in range(STARTING_TOKENS + 1)]
        worth.insert(0, tuple(best))
    return tuple(worth)


SAVED_TOKEN_VALUES = _saved_token_values()


def candidates(view: State, rng: np.random.Generator, count: int) -> list[Action]:
    """Up to `count_kinds` moves, the one by heuristic first; none where no heuristic helps."""
    del rng
    seat = view.to_play
    if seat is None or (view.phase == "play" and not view.zones.cards(HANDS[seat])):
        return []  # the hand is empty, and yet the turn cannot end: all that may be done is to take something back
    blind = to_fast_state(view, [_kind_counts(view, at) for at in range(view.seats)], [], Random(0))
    best = decode_step(view, heuristic.heuristic_step(blind))
    if view.phase == "draw":
        most = action_generation.most_tokens(view)
        if most and is_stalemate(view):
            return [Tinkle(count=1)]
        found = [best, Draw(), *(Tinkle(count=k) for k in (1, 2, 3) if k <= most)]
        return list(dict.fromkeys(found))[:count]
    if blind.contract_left and legal_actions.turn_end_problem(view) is not None and not isinstance(best, Meld):
        # half a contract that cannot be finished is taken up again
        group, card = cards_put_this_turn(view.groups, view.turn)[0]
        return [TakeBack(card=card, group=group.number)]
    if isinstance(best, Discard):
        mine = view.zones.cards(HANDS[seat])
        kinds = sorted({deck.kind(card) for card in mine}, key=lambda kind: -heuristic.discard_score(blind, kind))
        return list[Action](Discard(card=_card_of_kind(mine, kind)) for kind in kinds)[: min(count, 5)]
    if isinstance(best, Meld) and not view.opened[seat] and not cards_put_this_turn(view.groups, view.turn):
        hand = blind.hands[seat]
        kinds = sorted(
            (kind for kind in range(14) if hand[kind]), key=lambda kind: -heuristic.discard_score(blind, kind)
        )
        hold = Discard(card=_card_of_kind(view.zones.cards(HANDS[seat]), kinds[0]))
        return list[Action]((best, hold))[:count]
    return [best]


def is_stalemate(view: State) -> bool:
    """Return True if nobody has put a card down for so long that only other cards can help: a tinkle brings them."""
    last = max((put.turn for group in view.groups for put in group.puts), default=0)
    return view.turn - last > STALEMATE_TURNS * view.seats


def _kind_counts(view: State, seat: int) -> list[int]:
    return deck.count_kinds(view.zones.cards(HANDS[seat]))


def _card_of_kind(cards: tuple[Card, ...], kind: int) -> Card:
    return next(card for card in cards if deck.kind(card) == kind)


def to_fast_state(view: State, hands: list[list[int]], stock: list[int], rng: Random) -> FastState:
    """The round as numbers, with these hands and this stock."""
    seat, options, seats = view.to_play, view.options, range(view.seats)
    assert seat is not None
    per_turn = options.layoff_scope == "per_turn"
    piles = [
        FastGroup(
            place,
            group.rank or 3,
            wild_capacity(*group.naturals_and_wilds()),
            group.owner,
            {
                at: wild_capacity(*group.naturals_and_wilds(at, view.turn if per_turn else None))
                for at in seats
                if at != group.owner
            },
        )
        for place, group in enumerate(view.groups)
    ]
    found = FastState(
        hands=hands,
        stock=stock,
        discard=[deck.kind(card) for card in view.zones.cards(DISCARD)],
        tokens=[view.zones.purses[TOKENS[at]] for at in seats],
        groups=piles,
        opened=list(view.opened),
        table_points=[table_points(view.groups, at) for at in seats],
        seat=seat,
        has_drawn=view.phase == "play",
        round_=view.round,
        turns_left=ROLLOUT_TURNS * view.seats,
        max_tinkle=options.max_tinkle or 99,
        fresh=[deck.kind(card) for card in deck.new_pack(options)],
        options=(
            options.contract_size == "exactly",
            options.same_rank_groups,
            options.later_melds,
            per_turn,
            options.single_card == "must_lay",
        ),
        rng=rng,
    )
    found.old_groups = sum(group.melded_turn != view.turn for group in view.groups)
    if not view.opened[seat] and cards_put_this_turn(view.groups, view.turn):
        need = action_generation.missing_contract(view, seat)
        done = need is None or meets_opening(view.groups, seat, view.turn, view.round, options)
        found.contract_left, ranks = ((), ()) if done or need is None else need
        found.ranks_used = list(ranks) or [0]
    return found


def decode_step(view: State, step: Step) -> Action:
    """A playout's move as a move of the game."""
    seat = view.to_play
    assert seat is not None
    mine = view.zones.cards(HANDS[seat])
    match step:
        case (fast_state.DRAW, _, _, _):
            return Draw()
        case (fast_state.TINKLE, tokens, _, _):
            return Tinkle(count=tokens)
        case (fast_state.MELD, rank, naturals, wilds):
            return Meld(cards=action_generation.pick_cards(mine, rank, naturals, wilds))
        case (fast_state.LAY, at, kind, _):
            return LayOff(cards=(_card_of_kind(mine, kind),), group=view.groups[at].number)
        case (fast_state.DISCARD, kind, _, _):
            return Discard(card=_card_of_kind(mine, kind))
    return KeepLastCard()


def encode_step(view: State, action: object) -> Step:
    """A move of the game as a playout's."""
    match action:
        case Draw():
            return (fast_state.DRAW, 0, 0, 0)
        case Tinkle(count=count):
            return (fast_state.TINKLE, count, 0, 0)
        case Meld(cards=cards):
            counts = deck.count_kinds(cards)
            rank = next(kind for kind in range(13, -1, -1) if counts[kind])
            return (fast_state.MELD, rank, counts[rank], counts[WILD])
        case LayOff(cards=cards, group=number):
            at = next(k for k, group in enumerate(view.groups) if group.number == number)
            return (fast_state.LAY, at, deck.kind(cards[0]), 0)
        case Discard(card=card):
            return (fast_state.DISCARD, deck.kind(card), 0, 0)
    return (fast_state.KEEP, 0, 0, 0)


def rollout(
    view: State,
    seat: int,
    candidates: Sequence[Action],
    noise: ExecutionNoise,
    rollouts: int,
    seed: int,
    context: RolloutContext,
    *,
    exact: bool = False,
) -> RolloutOutcomes:
    """Roll out each candidate in `rollouts` deals of the hidden cards, and play the round on by heuristics.

    Points are those of the round, ahead of the others' mean; tokens saved are counted for what they promise.
    """
    del noise, exact
    seeds = np.random.Generator(np.random.PCG64(seed)).integers(1, 2**31 - 2, (2, rollouts))
    hands, stock = sample_deals(view, seeds[0], context)
    scores, tokens = np.zeros((2, len(candidates), rollouts, view.seats), np.int64)
    moves = np.array([encode_step(view, plan) for plan in candidates], np.int64)
    context.compile(rollout_rounds)(round_arrays_of(view), hands, stock, moves, seeds[1], scores, tokens)
    if view.options.tokens_per == "game":
        scores += np.array(SAVED_TOKEN_VALUES[view.round - 1])[np.minimum(tokens, STARTING_TOKENS)]
    chance = game_win_probability((scores + np.array(view.scores)).reshape(-1, view.seats), seat, view.round)
    ahead = scores[..., seat] - (scores.sum(axis=2) - scores[..., seat]) / (view.seats - 1)
    return RolloutOutcomes(
        win_probability=chance.reshape(len(candidates), rollouts),
        point_margin=ahead,
        executed=np.zeros((len(candidates), rollouts, 2)),
        shots=len(candidates) * rollouts,
    )


def warmup(context: RolloutContext) -> None:
    """Compile the rollout functions: one round is begun and played on."""
    state = rules.initial_state(deck.Options(), 4, RandomStreams(seed=1))
    assert state.to_play is not None
    rollout(rules.view(state, state.to_play), state.to_play, [Draw()], NO_NOISE, 1, 1, context)


def round_arrays_of(view: State) -> RoundArrays:
    """The open part of a view, as numbers."""
    blind = to_fast_state(view, [_kind_counts(view, at) for at in range(view.seats)], [], Random(0))
    return round_arrays(blind, heuristic.TOKENS_TO_SAVE[view.round - 1])


def round_arrays(round_: FastState, tokens_to_save: int) -> RoundArrays:
    """A round's open part as arrays; so many tokens should be left after it."""
    seats = range(len(round_.hands))
    piles = [
        [pile.rank, pile.wild_capacity, pile.owner, *(pile.room_by_seat.get(at, -1) for at in seats)]
        for pile in round_.groups
    ]
    book = (
        round_.seat,
        round_.has_drawn,
        round_.turns_left,
        round_.max_tinkle,
        round_.contract[0],
        len(round_.contract),
        len(round_.contract_left),
        len(round_.ranks_used),
        sum({1 << rank for rank in round_.ranks_used}),
        round_.old_groups,
        tokens_to_save,
    )
    return RoundArrays(
        discard=np.array(round_.discard, np.int64), fresh=np.array(round_.fresh, np.int64),
        points=np.array(deck.POINTS),
        seats=np.array([(round_.tokens[at], round_.opened[at], round_.table_points[at]) for at in seats], np.int64),
        groups=np.array(piles, np.int64).reshape(len(piles), 3 + len(seats)), scalars=np.array(book, np.int64),
        options=np.array(round_.options[:4], np.int64),
    )  # fmt: skip


def sample_deals(view: State, seeds: Ints, context: RolloutContext) -> tuple[Ints, Ints]:
    """Hands by kind, and the stock, deal by deal: what is not seen is dealt among the others and the stock, known cards
    lie where they are. Nobody knows the order of the stock. [W, S, 14], [W, rest]"""
    zones, options = view.zones, view.options
    base, new = deck.pack(options, view.seats), deck.new_pack(options)
    extra = (sum(len(zone) for zone in zones.piles.values()) - len(base)) // len(new)
    hidden = deck.count_kinds(base + new * extra)
    known = [deck.count_kinds(zones.cards(HANDS[at]) or view.known[at]) for at in range(view.seats)]
    open_ = [card for name, zone in zones.piles.items() if name not in (STOCK, *HANDS) for card in zone.cards]
    for seen in (deck.count_kinds(tuple(open_)), *known):
        hidden = [have - gone for have, gone in zip(hidden, seen, strict=True)]
    loose = [kind for kind, number in enumerate(hidden) for _ in range(max(0, number))]
    room = [len(zones[HANDS[at]]) - sum(cards) for at, cards in enumerate(known)]
    assert len(loose) - sum(room) == len(zones[STOCK])
    hands = np.zeros((len(seeds), view.seats, 14), np.int64)
    stock = np.zeros((len(seeds), len(loose) - sum(room)), np.int64)
    context.compile(sample_hidden_cards)(
        np.array(known, np.int64), np.array(room, np.int64), np.array(loose, np.int64), seeds, hands, stock
    )  # fmt: skip
    return hands, stock


def fraction_played(state: State) -> float:
    """Fraction of the game played, 0 to 1: rounds alone are counted."""
    return (state.round - 1.0) / deck.ROUNDS


def value(state: State, seat: int) -> float:
    """Points ahead of the best other seat."""
    others = [points for at, points in enumerate(state.scores) if at != seat]
    return float(state.scores[seat] - max(others))
