"""Heuristics and determinization for bots of Tiddly-Wink dominoes.

The heuristic sheds pips, plays doubles that can be followed, keeps numbers it can answer, and opens numbers that others
lack. Determinization deals the hidden tiles anew, consistent with the passes and the lead.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, factorial, prod

import msgspec
import numpy as np

from flicksim.ai import NO_NOISE, ExecutionNoise, RolloutContext, RolloutOutcomes, SearchConfig
from flicksim.cards import DOUBLES_MASK, SUIT_MASKS, TILES, PlaceTile, Tile, tile_mask, tile_set, with_cards
from flicksim.core.arrays import Floats, Ints
from flicksim.core.random_streams import RandomStreams
from flicksim.games.dominoes import bitboard, deck, rules
from flicksim.games.dominoes import rollouts as rollout_kernel
from flicksim.games.dominoes.bitboard import IS_DOUBLE, PIPS, STOP, legal_moves, playable_tiles
from flicksim.games.dominoes.deck import BONEYARD, HANDS, LAYOUT
from flicksim.games.dominoes.rollouts import rollout_rounds, sample_hidden_tiles
from flicksim.games.dominoes.rules import Action
from flicksim.games.dominoes.state import State, hand_bits

SEARCH_CONFIGS: Mapping[str, SearchConfig] = {
    "expert": SearchConfig(shots=40, candidates=3, min_tries=4, count_tries=True),
    "world": SearchConfig(shots=1200, candidates=12, count_tries=True),
}
"""Search budget by grade: sampled deals in which a candidate is rolled out; a double takes several rollouts. Grades
without an entry play by the heuristic."""
SEARCH_CONFIGS_NO_JIT: Mapping[str, SearchConfig] = {
    "world": SearchConfig(shots=120, candidates=12, min_tries=8, count_tries=True)
}
"""Search budget without compiled functions."""
DEFAULT_SHOTS = 2000
"""Default number of rollouts for a position: a quarter of a second of computing."""
SOLVE_AT_TILES = 10
"""Largest number of tiles in all hands at which a rollout solves the endgame exactly."""
HEURISTIC_NOISE = 6.0
"""Range of the uniform noise added to heuristic values in rollouts [pips]."""
_ROUND_WEIGHT = 0.01
"""Weight of the round's share added to the win probability, to rank second tiles in a game that is decided."""
JIT_FUNCTIONS = (sample_hidden_tiles, rollout_rounds)
"""Functions that the search compiles."""
_MAX_DEALS = 1000
"""Deals drawn at most for one in which the seat to lead has the largest double."""
_TIE_CODES = {"split": rollout_kernel.TIE_SPLIT, "lightest_tile": rollout_kernel.TIE_LIGHTEST}


def candidates(view: State, rng: np.random.Generator, count: int) -> list[Action]:
    """Up to `count` moves, the best by heuristic first."""
    del rng
    legal = list(rules.legal_actions(view).actions)
    if len(legal) < 2 or view.to_play is None:
        return legal
    mine = hand_bits(view, view.to_play)
    lacks_of_next = [view.lacks[(view.to_play + k) % view.seats] for k in (1, 2)]
    best: dict[tuple[int, int, int], tuple[float, Action]] = {}
    for action in legal:
        left, right, tile = ends_after(view, action)
        value = -1.0 if tile is None else heuristic_value(mine ^ tile.bit, left, right, tile.index)
        value += sum(1.5 for lacks in lacks_of_next for end in {left, right} if end in lacks)
        # of mirror images only the better one is a candidate
        key = (min(left, right), max(left, right), -1 if tile is None else tile.index)
        if key not in best or best[key][0] < value:
            best[key] = (value, action)
    return [action for _, action in sorted(best.values(), key=lambda pair: -pair[0])][:count]


def ends_after(view: State, action: object) -> tuple[int, int, Tile | None]:
    """Open ends after a move, and its tile."""
    left, right = view.left, view.right
    if not isinstance(action, PlaceTile):
        return left, right, None
    if action.end == "left":
        return action.tile.pips - left, right, action.tile
    return left, action.tile.pips - right, action.tile


def heuristic_value(remaining_hand: int, left: int, right: int, tile: int) -> float:
    """Value of a tile: pips shed, and tiles left in hand that still fit."""
    follow_ups = playable_tiles(remaining_hand, left, right).bit_count()
    return PIPS[tile] + 2.0 * follow_ups + (4.0 if IS_DOUBLE[tile] and follow_ups else 0.0)


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
    """Roll out each candidate in `rollouts` deals of the hidden tiles, to the end of the round: by the heuristic, and
    exactly once few tiles are left. `seat` need not be the seat to play."""
    del noise, exact
    options = view.options
    seeds = np.random.Generator(np.random.PCG64(seed)).integers(1, 2**31 - 2, (2, rollouts))
    if view.phase == "turn_up":  # nothing is known of the tile turned up
        shares, count = np.full((len(candidates), rollouts, view.seats), 1.0 / view.seats), len(candidates) * rollouts
    else:
        assert view.to_play is not None
        position = (
            view.to_play, view.left, view.right, view.phase == "second", options.chain_doubles,
            _TIE_CODES.get(options.tie, rollout_kernel.TIE_NONE), 1 if deck.american(options) else 2,
        )  # fmt: skip
        first_moves, deals = [encode_move(action) for action in candidates], sample_deals(view, seeds[0], context)
        shares, count = _rollout_shares(
            view, deals, np.array(position, np.int64), first_moves, hand_bits(view, view.to_play), seeds[1], context
        )
    chance = _win_probability(view, shares, seat)
    margin = shares[..., seat] - (shares.sum(axis=2) - shares[..., seat]) / (view.seats - 1)
    return RolloutOutcomes(
        win_probability=chance, point_margin=margin, executed=np.zeros((*chance.shape, 2)), shots=count
    )


def _rollout_shares(
    view: State,
    deals: Ints,
    position: Ints,
    first_moves: Sequence[int],
    hand: int,
    seeds: Ints,
    context: RolloutContext,
) -> tuple[Floats, int]:
    """Share of the round that each seat wins after each move in each deal [P, W, S], and the number of rollouts.

    After a double the best second tile is played. It is selected for each half of the deals by the results of the other
    half (cross-validation), so that the maximum is unbiased and uses no hidden tile.

    Args:
        deals, position: as `rollout_rounds` has them. hand: of the seat to play.
    """
    tiles = tile_set(deck.highest_half(view.options, view.seats))
    halves = np.array([(tile.high, tile.low) for tile in tiles])
    shares = np.zeros((len(first_moves), len(seeds), view.seats))
    context.compile(rollout_rounds)(
        halves, deals, position, np.array(first_moves), seeds, SOLVE_AT_TILES, HEURISTIC_NOISE, shares
    )
    even, rollout_count = np.arange(len(seeds)) % 2 == 0, len(first_moves) * len(seeds)
    for index, move in enumerate(first_moves):
        if move < 0 or not IS_DOUBLE[move // 2] or (position[3] and not position[4]):
            continue
        after, left = position.copy(), deals.copy()
        left[:, move // 2] = -1
        if position[2] < 0:  # it leads
            after[2] = tiles[move // 2].high
            after[1] = after[2] if position[6] == 2 else -1
        after[3] = 1
        rest = hand & ~(1 << move // 2)
        seconds = legal_moves(rest, -1 if after[1] == after[2] else int(after[1]), int(after[2]))
        if not seconds:
            continue
        found, count = _rollout_shares(view, left, after, [*seconds, STOP], rest, seeds, context)
        rollout_count += count
        objective = _win_probability(view, found, int(position[0])) + _ROUND_WEIGHT * found[..., position[0]]
        for half in (even, ~even) if len(seeds) > 1 else ():
            shares[index, half] = found[objective[:, ~half].mean(axis=1).argmax(), half]
    return shares, rollout_count


def _win_probability(view: State, round_shares: Floats, seat: int) -> Floats:
    """Probability of a seat to win the game, given the shares of the round. [P, W]"""
    distinct, index = np.unique(round_shares.reshape(-1, view.seats), axis=0, return_inverse=True)
    return np.array([game_win_probability(view, tuple(shares), seat) for shares in distinct.tolist()])[index].reshape(
        round_shares.shape[:2]
    )


def warmup(context: RolloutContext) -> None:
    """Compile the rollout functions by one rollout."""
    state = rules.initial_state(deck.Options(), 2, RandomStreams(seed=1))
    assert state.to_play is not None
    view = rules.view(state, state.to_play)
    rollout(view, state.to_play, rules.legal_actions(view).actions[:1], NO_NOISE, 1, 1, context)


def sample_hidden(view: State, rng: np.random.Generator) -> State:
    """Draw what a view hides: the other hands, consistent with the passes and the lead, and the order of the boneyard.

    Where a double is about to be led, deals are rejected in which another seat would lead; after `_MAX_DEALS` the last
    one is taken all the same.
    """
    for _ in range(_MAX_DEALS):
        holder = sample_deals(view, rng.integers(1, 2**31 - 2, 1), None)[0]
        hands = [tuple(TILES[tile] for tile in np.flatnonzero(holder == seat)) for seat in range(view.seats)]
        if view.phase != "lead" or bitboard.first_leader([tile_mask(hand) for hand in hands]) == view.to_play:
            break
    boneyard = tuple(TILES[tile] for tile in rng.permutation(np.flatnonzero(holder == view.seats)))
    zones = view.zones
    for name, tiles in zip((*HANDS[: view.seats], BONEYARD), (*hands, boneyard), strict=True):
        if zones[name].hidden:
            zones = zones.with_zone(name, with_cards(zones[name], tiles))
    return msgspec.structs.replace(view, zones=zones)


def sample_deals(view: State, seeds: Ints, context: RolloutContext | None) -> Ints:
    """Sample deals of the hidden tiles, consistent with the passes and the lead: for each tile the seat that holds it,
    the number of seats for the boneyard, -1 for the line. [W, T]

    Args:
        context: compiles the sampler; None: it is not compiled.
    """
    tiles = tile_set(deck.highest_half(view.options, view.seats))
    zones = [view.zones[name] for name in (*HANDS[: view.seats], BONEYARD)]
    owner, visible = np.full(len(tiles), -1), tile_mask(tuple(view.zones.all_cards()))
    for place, zone in enumerate(zones):
        owner[[tile.index for tile in zone.cards]] = place
    possible, excluded_doubles = np.ones((len(zones), len(tiles)), np.int64), _excluded_doubles(view)
    for seat in range(view.seats):
        excluded = excluded_doubles
        for number in view.lacks[seat] if view.lacks else ():
            excluded |= SUIT_MASKS[number]
        possible[seat] = [not excluded >> k & 1 for k in range(len(tiles))]
    hidden = sorted((tile.index for tile in tiles if not tile.bit & visible), key=lambda k: int(possible[:, k].sum()))
    dealt = np.zeros((len(seeds), len(tiles)), np.int64)
    sample = sample_hidden_tiles if context is None else context.compile(sample_hidden_tiles)
    sample(
        owner, np.array(hidden, np.int64), np.array([zone.hidden for zone in zones]), possible, seeds, dealt
    )  # fmt: skip
    return dealt


def _excluded_doubles(view: State) -> int:
    """Doubles that no seat held at the lead: those above it, or all if it is turned up (DO-A9, DO-A11, DO-B8)."""
    led = view.led
    if led is None:
        return DOUBLES_MASK if view.phase == "turn_up" else 0
    dealt = view.seats * deck.hand_size(view.options, view.seats)
    turned_up = len(view.zones[BONEYARD]) + dealt < len(tile_set(deck.highest_half(view.options, view.seats)))
    return DOUBLES_MASK if turned_up else DOUBLES_MASK & ~(2 * led.bit - 1)


def encode_move(action: object) -> int:
    if not isinstance(action, PlaceTile):
        return STOP
    return action.tile.index * 2 + (action.end == "left")


def fraction_played(state: State) -> float:
    """Fraction of the game played, 0 to 1."""
    placed, held = len(state.zones[LAYOUT]), sum(len(state.zones[hand]) for hand in HANDS[: state.seats])
    return min(1.0, (state.round - 1.0 + placed / max(1, placed + held)) / state.options.rounds)


def value(state: State, seat: int) -> float:
    """Points ahead of the best other seat."""
    others = [points for at, points in enumerate(state.scores) if at != seat]
    return float(state.scores[seat] - max(others))


_MAX_ENUMERATED, _SAMPLES = 6000, 4000
"""Largest number of outcomes of the remaining rounds that are enumerated, and number sampled beyond it."""


def game_win_probability(view: State, round_shares: Sequence[float], seat: int) -> float:
    """Expected share of a seat in the win of the game after a round with this result."""
    staked = deck.stake(view.options)
    won = len(round_shares) * staked if staked else 1
    paid = [won * part if staked else float(part > 0.0) for part in round_shares]
    after = [before + gained for before, gained in zip(view.scores, paid, strict=True)]
    return _win_probabilities(tuple(after), won, view.options.rounds - view.round)[seat]


@lru_cache(maxsize=4096)
def _win_probabilities(totals: tuple[float, ...], won: int, rounds: int) -> tuple[float, ...]:
    """Expected share of each seat in the win, given totals and equally likely winners of the rounds to come."""
    win_counts, probabilities = _win_count_outcomes(rounds, len(totals))
    final = np.array(totals) + won * win_counts
    is_best = final >= final.max(axis=1, keepdims=True) - 1e-9
    shares = is_best / is_best.sum(axis=1, keepdims=True)
    return tuple((probabilities @ shares).tolist())


@lru_cache(maxsize=256)
def _win_count_outcomes(rounds: int, seats: int) -> tuple[Ints, Floats]:
    """Numbers of rounds won by each seat, and the probability of each combination (multinomial). [W, seats], [W]"""
    if comb(rounds + seats - 1, seats - 1) > _MAX_ENUMERATED:
        rng = np.random.Generator(np.random.PCG64(rounds))
        return rng.multinomial(rounds, np.full(seats, 1.0 / seats), _SAMPLES), np.full(_SAMPLES, 1.0 / _SAMPLES)
    # stars and bars: the gaps between bars are the numbers of rounds won
    bars = np.array(list(combinations(range(rounds + seats - 1), seats - 1)), np.int64).reshape(-1, seats - 1)
    ends = np.hstack([np.full((len(bars), 1), -1), bars, np.full((len(bars), 1), rounds + seats - 1)])
    win_counts = np.diff(ends, axis=1) - 1
    probabilities = [factorial(rounds) / prod(map(factorial, row)) / seats**rounds for row in win_counts.tolist()]
    return win_counts, np.array(probabilities)
