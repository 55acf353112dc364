"""A player of Tiddly-Wink dominoes: rules of thumb, and what a search may imagine of the tiles it does not see.

Thumb: shed pips, doubles while something follows them, keep numbers one can answer, and open what others have shown not
to hold. Imagination: hidden tiles are dealt anew, never against what passes and the lead have shown.
"""

from __future__ import annotations

from random import Random

import numpy as np

from flicksim.cards import DOUBLES, SUIT, Lay, Tile, bits, tile_set
from flicksim.games.dominoes import deck, rules
from flicksim.games.dominoes.deck import BONEYARD, HANDS, LAYOUT
from flicksim.games.dominoes.ending import SOLVED, Shares, left, solved
from flicksim.games.dominoes.line import PIPS, SECOND_AFTER, fitting
from flicksim.games.dominoes.quick import STOP, Quick
from flicksim.games.dominoes.rounds import of_game
from flicksim.games.dominoes.rules import Action
from flicksim.games.dominoes.state import State, hand_bits


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


def sample(view: State, rng: np.random.Generator) -> Quick:
    """A round as it may stand: hidden tiles dealt among hands and boneyard, consistent with all that was shown."""
    assert view.to_play is not None
    seats, mine = view.seats, view.to_play
    seen = bits(view.zones.cards(LAYOUT)) | hand_bits(view, mine)
    hidden = [tile for tile in tile_set(deck.top(view.options, seats)) if not tile.bit & seen]
    room = [len(view.zones[HANDS[seat]]) if seat != mine else 0 for seat in range(seats)]
    room.append(len(view.zones[BONEYARD]))
    barred = [0] * (seats + 1)
    for seat, lacks in enumerate(view.lacks):
        for number in lacks:
            barred[seat] |= SUIT[number]
    above = _unheld(view)
    for seat in range(seats):
        barred[seat] |= above
    placed = _scatter([hidden[k] for k in rng.permutation(len(hidden))], room, barred, rng)
    placed[mine] = hand_bits(view, mine)
    second = view.phase == "second"
    return Quick(placed[:seats], mine, view.left, view.right, second, view.options.chain_doubles)


def _unheld(view: State) -> int:
    """Doubles that nobody held when the round was led: those above the lead, or all of them (DO-A9, DO-A11, DO-B8)."""
    led = view.led
    if led is None:
        return 0
    dealt = view.seats * deck.each(view.options, view.seats)
    turned_up = len(view.zones[BONEYARD]) + dealt < len(tile_set(deck.top(view.options, view.seats)))
    return DOUBLES if turned_up else DOUBLES & ~(2 * led.bit - 1)


def _scatter(tiles: list[Tile], room: list[int], barred: list[int], rng: np.random.Generator) -> list[int]:
    """Tiles put where they may be; a tile without room makes another give way, so a deal is found if there is one."""
    free = list(room)
    at: list[list[Tile]] = [[] for _ in room]

    def put(tile: Tile, tried: set[int]) -> bool:
        open_ = [k for k in range(len(room)) if k not in tried and room[k] and not barred[k] & tile.bit]
        roomy = [k for k in open_ if free[k] > 0]
        if roomy:
            # a place in proportion to its room: every deal that is consistent may come about
            pick = rng.random() * sum(free[k] for k in roomy)
            for k in roomy:
                pick -= free[k]
                if pick < 0:
                    break
            free[k] -= 1
            at[k].append(tile)
            return True
        for k in open_:
            tried.add(k)
            for other in list(at[k]):
                if put(other, tried):
                    at[k].remove(other)
                    at[k].append(tile)
                    return True
        return False

    for tile in sorted(tiles, key=lambda tile: sum(1 for b in barred if not b & tile.bit)):
        put(tile, set())
    return [bits(tiles) for tiles in at]


def outcome(view: State, world: Quick, action: object, seed: int) -> float:
    """Outcome of a move in such a round, played out by rules of thumb and then solved [stakes, or rounds won]."""
    assert view.to_play is not None
    return _played(view, world, action, seed)[view.to_play]


def ended(view: State, world: Quick, action: object, seed: int) -> tuple[float, float]:
    """The chance to win the game for the seat to play once the round is over, each round to come being anybody's, and
    how far its share of this round is ahead of the others' mean share."""
    seat = view.to_play
    assert seat is not None
    share = _played(view, world, action, seed)
    return of_game(view, share, seat), share[seat] - (sum(share) - share[seat]) / (len(share) - 1)


def _played(view: State, world: Quick, action: object, seed: int) -> Shares:
    """The share of the round that each seat has after a move, played out by rules of thumb and then solved."""
    quick, rng = world.copy(), Random(seed)
    quick.play(_move(action))
    while not quick.over and left(quick) > SOLVED:
        quick.play(pick(quick, rng))
    return solved(quick, view.options.tie)


def _move(action: object) -> int:
    if not isinstance(action, Lay):
        return STOP
    return action.tile.index * 2 + (1 if action.end == "left" else 0)


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


def value(state: State, seat: int) -> float:
    """Points ahead of the best other seat."""
    others = [points for at, points in enumerate(state.scores) if at != seat]
    return float(state.scores[seat] - max(others))
