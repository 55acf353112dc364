"""A player of Tiddly-Wink dominoes: rules of thumb, and what a search may imagine of the tiles it does not see.

Thumb: shed pips, doubles while something follows them, keep numbers one can answer, and open what others have shown not
to hold. Imagination: hidden tiles are dealt anew, never against what passes and the lead have shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import numpy as np

from flicksim.base.seeding import Seeds
from flicksim.cards import DOUBLES, SUIT, Lay, Tile, bits, tile_set
from flicksim.games.dominoes import deck, rules
from flicksim.games.dominoes.deck import BONEYARD, HANDS, LAYOUT
from flicksim.games.dominoes.line import PIPS, SECOND_AFTER, fitting, placings
from flicksim.games.dominoes.lines import LIGHTEST, NOBODY, SPLIT, Floats, Ints, deal_out, play_on
from flicksim.games.dominoes.quick import STOP, Quick
from flicksim.games.dominoes.rounds import of_game
from flicksim.games.dominoes.rules import Action
from flicksim.games.dominoes.state import State, hand_bits
from flicksim.players import STEADY, Depth, Hand, Means, Outcomes

DEPTHS: Mapping[str, Depth] = {
    "expert": Depth(shots=24, plans=2, least=4, by_tries=True),
    "world": Depth(shots=1200, plans=12, by_tries=True),
}
"""Depth of thought by grade: deals in which a plan is played out for a decision; after a double one takes several
lines. Below that bots go by the thumb."""
PLAIN: Mapping[str, Depth] = {"world": Depth(shots=120, plans=12, least=8, by_tries=True)}
"""The same where nothing is compiled."""
SHOTS = 2000
"""Lines played out for a position, where nobody says how many: a quarter of a second's."""
SOLVED = 10
"""With so many tiles in all hands together, at most, an ending is solved where rounds are played out."""
STRAY = 6.0
"""Pips by which whoever goes by the thumb strays from it, where rounds are played out."""
_SHARE = 0.01
"""Chance to win the game that a round counts besides: it tells second tiles apart in a game that is decided."""
COMPILED = (deal_out, play_on)
"""Functions that a thought has compiled."""
_TIES = {"split": SPLIT, "lightest_tile": LIGHTEST}


def candidates(view: State, rng: np.random.Generator, count: int) -> list[Action]:
    """Up to `count` moves, the best by rule of thumb first."""
    del rng
    found = list(rules.choices(view).actions)
    if len(found) < 2 or view.to_play is None:
        return found
    mine = hand_bits(view, view.to_play)
    shown = [view.lacks[(view.to_play + k) % view.seats] for k in (1, 2)]
    best: dict[tuple[int, int, int], tuple[float, Action]] = {}
    for action in found:
        left, right, tile = _after(view, action)
        worth = -1.0 if tile is None else _thumb(mine ^ tile.bit, left, right, tile.index)
        worth += sum(1.5 for lacks in shown for end in {left, right} if end in lacks)
        # mirror images are one plan
        key = (min(left, right), max(left, right), -1 if tile is None else tile.index)
        if key not in best or best[key][0] < worth:
            best[key] = (worth, action)
    return [action for _, action in sorted(best.values(), key=lambda pair: -pair[0])][:count]


def _after(view: State, action: object) -> tuple[int, int, Tile | None]:
    """The open ends after a move, and its tile."""
    left, right = view.left, view.right
    if not isinstance(action, Lay):
        return left, right, None
    if action.end == "left":
        return action.tile.pips - left, right, action.tile
    return left, action.tile.pips - right, action.tile


def _thumb(rest: int, left: int, right: int, tile: int) -> float:
    """Worth of a tile: pips shed, and tiles left in hand that still fit."""
    follows = fitting(rest, left, right).bit_count()
    return PIPS[tile] + 2.0 * follows + (4.0 if SECOND_AFTER[tile] and follows else 0.0)


def play_out(
    view: State, seat: int, plans: Sequence[Action], hand: Hand, tries: int, seed: int, means: Means, *,
    exact: bool = False,
) -> Outcomes:  # fmt: skip
    """Make each plan in so many deals of the hidden tiles, and play the round to its end: by thumb, then as is best."""
    del hand, exact
    options = view.options
    luck = np.random.Generator(np.random.PCG64(seed)).integers(1, 2**31 - 2, (2, tries))
    if view.phase == "turn_up":  # of what is turned up nobody knows anything
        shares, lines = np.full((len(plans), tries, view.seats), 1.0 / view.seats), len(plans) * tries
    else:
        stands = (
            seat, view.left, view.right, view.phase == "second", options.chain_doubles,
            _TIES.get(options.tie, NOBODY), 1 if deck.american(options) else 2,
        )  # fmt: skip
        first, dealt = [_move(plan) for plan in plans], deals(view, luck[0], means)
        shares, lines = _played(view, dealt, np.array(stands, np.int64), first, hand_bits(view, seat), luck[1], means)
    chance = _chance(view, shares, seat)
    ahead = shares[..., seat] - (shares.sum(axis=2) - shares[..., seat]) / (view.seats - 1)
    return Outcomes(chance=chance, points=ahead, made=np.zeros((*chance.shape, 2)), shots=lines)


def _played(
    view: State, dealt: Ints, stands: Ints, first: Sequence[int], hand: int, luck: Ints, means: Means
) -> tuple[Floats, int]:  # fmt: skip
    """The share that each seat wins after each of these moves in each deal [P, W, S], and the lines played for that.

    A seat that lays a double goes on by the tile that is best for it. Half of the deals tell which that is in the other
    half: so no luck is taken for skill, and no hidden tile is known.

    Args:
        dealt, stands: as `play_on` has them. hand: of the seat to play.
    """
    tiles = tile_set(deck.top(view.options, view.seats))
    halves = np.array([(tile.high, tile.low) for tile in tiles])
    shares = np.zeros((len(first), len(luck), view.seats))
    means.quick(play_on)(halves, dealt, stands, np.array(first), luck, SOLVED, STRAY, shares)
    even, played = np.arange(len(luck)) % 2 == 0, len(first) * len(luck)
    for row, move in enumerate(first):
        if move < 0 or not SECOND_AFTER[move // 2] or (stands[3] and not stands[4]):
            continue
        after, left = stands.copy(), dealt.copy()
        left[:, move // 2] = -1
        if stands[2] < 0:  # it leads
            after[2] = tiles[move // 2].high
            after[1] = after[2] if stands[6] == 2 else -1
        after[3] = 1
        rest = hand & ~(1 << move // 2)
        seconds = placings(rest, -1 if after[1] == after[2] else int(after[1]), int(after[2]))
        if not seconds:
            continue
        lines, more = _played(view, left, after, [*seconds, STOP], rest, luck, means)
        played += more
        goal = _chance(view, lines, int(stands[0])) + _SHARE * lines[..., stands[0]]
        for part in (even, ~even) if len(luck) > 1 else ():
            shares[row, part] = lines[goal[:, ~part].mean(axis=1).argmax(), part]
    return shares, played


def _chance(view: State, shares: Floats, seat: int) -> Floats:
    """The chance of a seat to win the game, the round being shared out so. [P, W]"""
    ways, which = np.unique(shares.reshape(-1, view.seats), axis=0, return_inverse=True)
    return np.array([of_game(view, tuple(way), seat) for way in ways.tolist()])[which].reshape(shares.shape[:2])


def rehearse(means: Means) -> None:
    """Have all compiled that a thought needs: one round is led and played on."""
    state = rules.start(deck.Options(), 2, Seeds(seed=1))
    assert state.to_play is not None
    view = rules.view(state, state.to_play)
    play_out(view, state.to_play, rules.choices(view).actions[:1], STEADY, 1, 1, means)


def deals(view: State, luck: Ints, means: Means) -> Ints:
    """Deals of the hidden tiles, never against what passes and the lead have shown: the seat that holds a tile,
    the number of seats for the boneyard, -1 for what lies in the line. What the view shows lies where it is. [W, T]"""
    tiles = tile_set(deck.top(view.options, view.seats))
    zones = [view.zones[name] for name in (*HANDS[: view.seats], BONEYARD)]
    lies, seen = np.full(len(tiles), -1), bits(tuple(view.zones.every()))
    for place, zone in enumerate(zones):
        lies[[tile.index for tile in zone.cards]] = place
    may, above = np.ones((len(zones), len(tiles)), np.int64), _unheld(view)
    for seat in range(view.seats):
        barred = above
        for number in view.lacks[seat] if view.lacks else ():
            barred |= SUIT[number]
        may[seat] = [not barred >> k & 1 for k in range(len(tiles))]
    hidden = sorted((tile.index for tile in tiles if not tile.bit & seen), key=lambda k: int(may[:, k].sum()))
    dealt = np.zeros((len(luck), len(tiles)), np.int64)
    means.quick(deal_out)(
        lies, np.array(hidden, np.int64), np.array([zone.hidden for zone in zones]), may, luck, dealt
    )  # fmt: skip
    return dealt


def _unheld(view: State) -> int:
    """Doubles that nobody held when the round was led: those above the lead, or all of them (DO-A9, DO-A11, DO-B8)."""
    led = view.led
    if led is None:
        return 0
    dealt = view.seats * deck.each(view.options, view.seats)
    turned_up = len(view.zones[BONEYARD]) + dealt < len(tile_set(deck.top(view.options, view.seats)))
    return DOUBLES if turned_up else DOUBLES & ~(2 * led.bit - 1)


def _move(action: object) -> int:
    if not isinstance(action, Lay):
        return STOP
    return action.tile.index * 2 + (action.end == "left")


def pick(quick: Quick, rng: Random) -> int:
    """The thumb's move, now and then another."""
    hand = quick.hands[quick.seat]
    best, chosen = -1e9, STOP
    for move in quick.moves():
        if move < 0:
            continue
        tile = move >> 1
        left, right = quick.left, quick.right
        if move & 1:
            left = PIPS[tile] - left
        else:
            right = PIPS[tile] - right
        worth = _thumb(hand ^ (1 << tile), left, right, tile) + 6.0 * rng.random()
        if worth > best:
            best, chosen = worth, move
    return chosen


def gone(state: State) -> float:
    """The share of the game that is over, 0 to 1."""
    laid, held = len(state.zones[LAYOUT]), sum(len(state.zones[hand]) for hand in HANDS[: state.seats])
    return min(1.0, (state.round - 1.0 + laid / max(1, laid + held)) / state.options.rounds)


def value(state: State, seat: int) -> float:
    """Points ahead of the best other seat."""
    others = [points for at, points in enumerate(state.scores) if at != seat]
    return float(state.scores[seat] - max(others))
