"""Candidates and determinization for bots of Tinkle.

Determinization deals the unseen cards to the other hands and the stock; cards a seat is known to hold stay with it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from math import hypot, pi, sqrt

import msgspec
import numpy as np
import numpy.typing as npt

from flicksim.ai import NO_NOISE, ExecutionNoise, RolloutContext, RolloutOutcomes, SearchConfig
from flicksim.cards import Card, Discard, Draw, KeepLastCard, LayOff, Meld, TakeBack, with_cards
from flicksim.core.arrays import Floats, Ints
from flicksim.core.random_streams import RandomStreams
from flicksim.games.tinkle import action_generation, deck, legal_actions, rollouts, rules
from flicksim.games.tinkle.deck import DISCARD, HANDS, STARTING_TOKENS, STOCK, TOKENS, WILD
from flicksim.games.tinkle.melds import CONTRACTS, Group, cards_put_this_turn, table_points, wild_capacity
from flicksim.games.tinkle.rollouts import RoundArrays, Step, new_table, rollout_rounds, sample_hidden_cards
from flicksim.games.tinkle.state import Action, State, Tinkle

SEARCH_CONFIGS: Mapping[str, SearchConfig] = {"world": SearchConfig(shots=6000, candidates=12, usual_margin=3.0)}
"""Search budget by grade: number of rollouts for a decision. Grades without an entry play by the heuristic."""
SEARCH_CONFIGS_NO_JIT: Mapping[str, SearchConfig] = {
    "world": SearchConfig(shots=200, candidates=12, min_tries=8, usual_margin=3.0)
}
"""Search budget without compiled functions."""
EPSILONS: Mapping[str, float] = {"beginner": 0.35, "club": 0.1}
"""Probability that a grade plays a random candidate (epsilon-greedy)."""
JIT_FUNCTIONS = (sample_hidden_cards, rollout_rounds)
"""Functions that the search compiles."""

TOKENS_TO_SAVE = (10, 10, 10, 9, 9, 6, 4, 0)
"""Tokens to keep after each round: two groups of six are hard, and unused tokens have no value (TK-3f)."""
ROLLOUT_TURNS = 8
"""Depth of rollouts, in turns of each seat."""
STALEMATE_TURNS = 20
"""Turns of each seat without a card put down after which tokens are not saved: the cards in circulation are useless."""
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
"""Expected lead in points over three others in each round when zero to eight tokens may be spent in it: means of 150
rounds played by the heuristic, the others with their usual tokens. They determine the value of a saved token."""


def _saved_token_values() -> tuple[tuple[int, ...], ...]:
    """Value of each number of tokens after each round, spent optimally in later rounds (dynamic programming)."""
    values = [(0,) * (STARTING_TOKENS + 1)]
    for here in reversed(ROUND_VALUES[1:]):
        later = values[0]
        best = [
            max(here[min(spent, 8)] + later[tokens - spent] for spent in range(tokens + 1))
            for tokens in range(STARTING_TOKENS + 1)
        ]
        values.insert(0, tuple(best))
    return tuple(values)


SAVED_TOKEN_VALUES = _saved_token_values()


def candidates(view: State, rng: np.random.Generator, count: int) -> list[Action]:
    """Up to `count` moves, the heuristic one first; none if only taking cards back is left."""
    del rng
    seat = view.to_play
    if seat is None or (view.phase == "play" and not view.zones.cards(HANDS[seat])):
        return []  # the hand is empty but the table invalid: only taking cards back is possible
    arrays, table = heuristic_table(view)
    best = decode_step(view, rollouts.heuristic_step(arrays, table))
    if view.phase == "draw":
        token_limit = action_generation.most_tokens(view)
        if token_limit and is_stalemate(view):
            return [Tinkle(count=1)]
        actions = [best, Draw(), *(Tinkle(count=k) for k in (1, 2, 3) if k <= token_limit)]
        return list(dict.fromkeys(actions))[:count]
    is_incomplete = action_generation.contract_due(view, seat)[0] and legal_actions.turn_end_problem(view) is not None
    if is_incomplete and not isinstance(best, Meld):
        # a contract that cannot be completed is taken back
        group, card = cards_put_this_turn(view.groups, view.turn)[0]
        return [TakeBack(card=card, group=group.number)]
    if isinstance(best, Discard):
        mine = view.zones.cards(HANDS[seat])
        kinds = sorted(
            {deck.kind(card) for card in mine}, key=lambda kind: -rollouts.discard_score(arrays, table, kind)
        )
        return list[Action](Discard(card=_card_of_kind(mine, kind)) for kind in kinds)[: min(count, 5)]
    if isinstance(best, Meld) and not view.opened[seat] and not cards_put_this_turn(view.groups, view.turn):
        held_back = _card_of_kind(view.zones.cards(HANDS[seat]), rollouts.worst_card(arrays, table))
        return list[Action]((best, Discard(card=held_back)))[:count]
    return [best]


def heuristic_table(view: State) -> tuple[RoundArrays, rollouts.Table]:
    """Round of a view as rollouts have it, with the hand of the seat to play alone, for the heuristic policy."""
    assert view.to_play is not None
    arrays, hands, stock = round_arrays(view), np.zeros((1, view.seats, 14), np.int64), np.zeros((1, 0), np.int64)
    hands[0, view.to_play] = deck.count_kinds(view.zones.cards(HANDS[view.to_play]))
    table = new_table(arrays, hands, stock)
    rollouts.set_up(arrays, table, hands, stock, 0)
    return arrays, table


def is_stalemate(view: State) -> bool:
    """Return True if no card was put down for `STALEMATE_TURNS`: only a tinkle brings other cards."""
    last = max((put.turn for group in view.groups for put in group.puts), default=0)
    return view.turn - last > STALEMATE_TURNS * view.seats


def _card_of_kind(cards: tuple[Card, ...], kind: int) -> Card:
    return next(card for card in cards if deck.kind(card) == kind)


def decode_step(view: State, step: Step) -> Action:
    """Move of the game for an encoded step."""
    seat = view.to_play
    assert seat is not None
    mine = view.zones.cards(HANDS[seat])
    match step:
        case (rollouts.DRAW, _, _, _):
            return Draw()
        case (rollouts.TINKLE, tokens, _, _):
            return Tinkle(count=tokens)
        case (rollouts.MELD, rank, naturals, wilds):
            return Meld(cards=action_generation.pick_cards(mine, rank, naturals, wilds))
        case (rollouts.LAY, index, kind, _):
            return LayOff(cards=(_card_of_kind(mine, kind),), group=view.groups[index].number)
        case (rollouts.DISCARD_CARD, kind, _, _):
            return Discard(card=_card_of_kind(mine, kind))
    return KeepLastCard()


def encode_step(view: State, action: object) -> Step:
    """Encoded step for a move of the game."""
    match action:
        case Draw():
            return (rollouts.DRAW, 0, 0, 0)
        case Tinkle(count=count):
            return (rollouts.TINKLE, count, 0, 0)
        case Meld(cards=cards):
            counts = deck.count_kinds(cards)
            rank = next(kind for kind in range(13, -1, -1) if counts[kind])
            return (rollouts.MELD, rank, counts[rank], counts[WILD])
        case LayOff(cards=cards, group=number):
            index = next(k for k, group in enumerate(view.groups) if group.number == number)
            return (rollouts.LAY, index, deck.kind(cards[0]), 0)
        case Discard(card=card):
            return (rollouts.DISCARD_CARD, deck.kind(card), 0, 0)
    return (rollouts.KEEP, 0, 0, 0)


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
    """Roll out each candidate in `rollouts` deals of the hidden cards, by the heuristic.

    Margins are points of the round over the others' mean, with the value of saved tokens.
    """
    del noise, exact
    seeds = np.random.Generator(np.random.PCG64(seed)).integers(1, 2**31 - 2, (2, rollouts))
    hands, stock = sample_deals(view, seeds[0], context)
    scores, tokens = np.zeros((2, len(candidates), rollouts, view.seats), np.int64)
    moves = np.array([encode_step(view, action) for action in candidates], np.int64)
    arrays = round_arrays(view)
    table = new_table(arrays, hands, stock)
    context.compile(rollout_rounds)(arrays, table, hands, stock, moves, seeds[1], scores, tokens)
    if view.options.tokens_per == "game":
        scores += np.array(SAVED_TOKEN_VALUES[view.round - 1])[np.minimum(tokens, STARTING_TOKENS)]
    win_probability = game_win_probability((scores + np.array(view.scores)).reshape(-1, view.seats), seat, view.round)
    margin = scores[..., seat] - (scores.sum(axis=2) - scores[..., seat]) / (view.seats - 1)
    return RolloutOutcomes(
        win_probability=win_probability.reshape(len(candidates), rollouts),
        point_margin=margin,
        executed=np.zeros((len(candidates), rollouts, 2)),
        shots=len(candidates) * rollouts,
    )


def warmup(context: RolloutContext) -> None:
    """Compile the rollout functions by one rollout."""
    state = rules.initial_state(deck.Options(), 4, RandomStreams(seed=1))
    assert state.to_play is not None
    rollout(rules.view(state, state.to_play), state.to_play, [Draw()], NO_NOISE, 1, 1, context)


def round_arrays(view: State) -> RoundArrays:
    """Arrays of the visible part of a view."""
    seat, seats, options, contract = view.to_play, range(view.seats), view.options, CONTRACTS[view.round - 1]
    assert seat is not None
    missing, ranks = action_generation.contract_due(view, seat)
    scalars = (
        seat, view.phase == "play", ROLLOUT_TURNS * view.seats, options.max_tinkle or 99, contract[0], len(contract),
        len(missing), len(ranks), action_generation.rank_bits(ranks),
        sum(group.melded_turn != view.turn for group in view.groups), TOKENS_TO_SAVE[view.round - 1],
    )  # fmt: skip
    by_seat = [(view.zones.purses[TOKENS[at]], view.opened[at], table_points(view.groups, at)) for at in seats]
    scope = view.turn if options.layoff_scope == "per_turn" else None

    def seat_capacity(group: Group, at: int) -> int:
        return -1 if at == group.owner else wild_capacity(*group.naturals_and_wilds(at, scope))

    groups = [
        (group.rank or 3, wild_capacity(*group.naturals_and_wilds()), group.owner,
         *(seat_capacity(group, at) for at in seats))
        for group in view.groups
    ]  # fmt: skip
    flags = (
        options.contract_size == "exactly",
        options.same_rank_groups,
        options.later_melds,
        options.layoff_scope == "per_turn",
    )
    return RoundArrays(
        discard=np.array([deck.kind(card) for card in view.zones.cards(DISCARD)], np.int64),
        fresh=np.array([deck.kind(card) for card in deck.new_pack(options)], np.int64),
        points=np.array(deck.POINTS),
        seats=np.array(by_seat, np.int64),
        groups=np.array(groups, np.int64).reshape(len(groups), 3 + view.seats),
        scalars=np.array(scalars, np.int64),
        options=np.array(flags, np.int64),
    )


def sample_hidden(view: State, rng: np.random.Generator) -> State:
    """Draw what a view hides: the other hands, in which known cards stay, and the stock."""
    unseen = sorted(unseen_cards(view))
    drawn, zones = iter([unseen[k] for k in rng.permutation(len(unseen))]), view.zones
    for seat, known in enumerate(view.known):
        hand = zones[HANDS[seat]]
        if hand.hidden:
            cards = (*known, *islice(drawn, len(hand) - len(known)))
            zones = zones.with_zone(HANDS[seat], with_cards(hand, tuple(sorted(cards))))
    return msgspec.structs.replace(view, zones=zones.with_zone(STOCK, with_cards(zones[STOCK], tuple(drawn))))


def unseen_cards(view: State) -> list[Card]:
    """Cards that a view neither shows nor knows to be in a hand."""
    zones, options = view.zones, view.options
    base, new = deck.pack(options, view.seats), deck.new_pack(options)
    extra_packs = (sum(len(zone) for zone in zones.piles.values()) - len(base)) // len(new)
    known = [card for seat in range(view.seats) if zones[HANDS[seat]].hidden for card in view.known[seat]]
    shown = [card for name, zone in zones.piles.items() if name != STOCK for card in zone.cards]
    return list((Counter(base + new * extra_packs) - Counter(known) - Counter(shown)).elements())


def sample_deals(view: State, seeds: Ints, context: RolloutContext) -> tuple[Ints, Ints]:
    """Sample deals of the unseen cards: hands by kind, and the stock. Known cards stay; the order of the stock is
    random. [W, S, 14], [W, stock]"""
    zones, unseen = view.zones, sorted(deck.kind(card) for card in unseen_cards(view))
    known = [deck.count_kinds(zones.cards(HANDS[seat]) or view.known[seat]) for seat in range(view.seats)]
    capacity = [len(zones[HANDS[seat]]) - sum(cards) for seat, cards in enumerate(known)]
    assert len(unseen) - sum(capacity) == len(zones[STOCK])
    hands = np.zeros((len(seeds), view.seats, 14), np.int64)
    stock = np.zeros((len(seeds), len(unseen) - sum(capacity)), np.int64)
    context.compile(sample_hidden_cards)(
        np.array(known, np.int64), np.array(capacity, np.int64), np.array(unseen, np.int64), seeds, hands, stock
    )  # fmt: skip
    return hands, stock


def fraction_played(state: State) -> float:
    """Fraction of the game played, 0 to 1, by finished rounds."""
    return (state.round - 1.0) / deck.ROUNDS


def value(state: State, seat: int) -> float:
    """Points ahead of the best other seat."""
    others = [points for at, points in enumerate(state.scores) if at != seat]
    return float(state.scores[seat] - max(others))


SCORE_STD = (57, 78, 104, 155, 121, 176, 176, 229)
"""Standard deviation of a seat's score by round, as of a normal distribution: standard deviations from the mean of the
table in 40 rounds each of three, four and six seats played by the heuristic, times 0.88. Scores have heavy tails: with
that factor (0.80 to 0.94) the results of 800 games of three seats are most likely, given the scores after each round;
of 80 games of four seats with 0.96, of 60 games of six with 0.76."""
_NODES, _WEIGHTS = np.polynomial.hermite.hermgauss(20)
"""Nodes and weights of Gauss-Hermite quadrature over the seat's own normal deviate."""


def game_win_probability(totals: npt.NDArray[np.float64 | np.int64], seat: int, round_: int) -> Floats:
    """Expected share of a seat in the win of the game from the points of all seats after a round. [N]

    Args:
        totals: [N, S]
    """
    points: Floats = totals.astype(np.float64)
    ahead: Floats = points[:, [seat]] - np.delete(points, seat, axis=1)
    spread = hypot(*SCORE_STD[round_:])
    if not spread:
        return np.where((ahead >= 0.0).all(axis=1), 1.0 / (1.0 + (ahead == 0.0).sum(axis=1)), 0.0)
    # each other seat's deviate must stay below this for the seat to win
    below = _normal_cdf(ahead[:, None] / spread + (sqrt(2.0) * _NODES)[None, :, None])
    probability: Floats = below.prod(axis=2) @ _WEIGHTS / sqrt(pi)
    return probability


def _normal_cdf(x: Floats) -> Floats:
    """Cumulative distribution function of the normal distribution, to 1e-7 (Abramowitz and Stegun, 26.2.17)."""
    t = 1.0 / (1.0 + 0.2316419 * np.abs(x))
    series = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    tail: Floats = np.exp(-0.5 * x * x) / sqrt(2.0 * pi) * series
    return np.where(x > 0.0, 1.0 - tail, tail)
