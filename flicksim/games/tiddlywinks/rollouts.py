"""Fast rollouts of tiddlywinks by tabled shot chances, without physics.

A wink is where it lies and what covers it; a shot comes off or does not, as often as counted shots did (`chances`).
Players pot, squop and come nearer by a simple taste. Winks do not bump into each other there, and piles are no higher
than two. The loop is one function of numbers and arrays, so that it can be compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, cos, hypot, sin
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.shot_chances import OFF_MAT, ChanceTable
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

DISTANCE_STEP = 0.005
"""Distances are looked up so finely [m]."""
_DISTANCE_CELLS = 240
BEHIND, PLAY, POTTED = 0, 1, 2
POLICY_WEIGHTS = (0.459, 3.135, 0.915, 0.339, 0.424, 1.291, 0.077, 0.25, 0.369)
"""Worth, to the rollout policy, of a friend freed, an enemy held, a pot, being near the sixth, a squop, the danger
that the squopped wink was, a friend it held, coming nearer, and bringing in. Tuned against itself in rollouts: it won
.56 of 16,000 such games from the taste it began with."""
_MAX_SHOTS = 240
"""No line is played on for more shots."""


class RolloutStates(NamedTuple):
    """Games as they stand in rollouts.

    Args:
        positions: of winks; where they are brought in from, of those behind a line [m]. [T, 24, 2]
        wink_states: BEHIND, PLAY or POTTED. [T, 24] covered_by: which wink covers each, or -1. [T, 24]
        scalars: seat to play, extra shots to come, shots until time is up (-1: there is no limit), rounds to come (-1:
            time is left), who opened, how many have potted out; then these seats in order, -1 for nobody; then which
            seats miss their next shot. [T, 14]
    """

    positions: Floats
    wink_states: Ints
    covered_by: Ints
    scalars: Ints


class ChanceLookup(NamedTuple):
    """The chances of a hand, by distance in steps of `DISTANCE_STEP`.

    Args:
        pot, squop: chance. [2, D], [2, 2, D]
        pot_miss, squop_miss, skim: how others come to lie (see `chances`). [2, D, K, 2], [2, 2, D, K, 2], [2, D, K, 2]
    """

    pot: Floats
    squop: Floats
    pot_miss: Floats
    squop_miss: Floats
    skim: Floats


def chance_lookup(table: ChanceTable) -> ChanceLookup:
    """The table of a hand laid out to be looked up."""
    ways = (np.arange(_DISTANCE_CELLS) + 0.5) * DISTANCE_STEP

    def spread(at: Floats, chance: Floats) -> Floats:
        rows = [np.interp(ways, at, row) for row in chance.reshape(-1, len(at))]
        return np.array(rows).reshape(*chance.shape[:-1], _DISTANCE_CELLS)

    def nearest(at: Floats) -> Ints:
        found: Ints = np.abs(np.log(ways)[:, None] - np.log(at)[None]).argmin(axis=1)
        return found

    squop = spread(table.squops, table.squop)
    squop[..., ways > table.squops[-1]] = 0.0
    return ChanceLookup(
        pot=spread(table.pots, table.pot), squop=squop,
        pot_miss=np.ascontiguousarray(table.pot_miss[:, nearest(table.pots)]),
        squop_miss=np.ascontiguousarray(table.squop_miss[:, :, nearest(table.squops)]),
        skim=np.ascontiguousarray(table.skim[:, nearest(table.skims)]),
    )  # fmt: skip


def rollout_states(states: list[State]) -> RolloutStates:
    """These games as they stand in rollouts; none of them is over."""
    count = len(states)
    places, over = np.zeros((count, 24, 2)), np.full((count, 24), -1, np.int64)
    lies, books = np.full((count, 24), PLAY, np.int64), np.zeros((count, 14), np.int64)
    column = {name: k for k, name in enumerate(kit.WINKS)}
    for row, state in enumerate(states):
        book, squops = state.book, Squops(state.scene, state.book)
        for piece in state.scene.pieces:
            places[row, column[piece.id]] = piece.position
        for k, name in enumerate(kit.WINKS):
            if name in book.potted:
                lies[row, k] = POTTED
            elif name in book.behind:
                lies[row, k] = BEHIND
                places[row, k] = kit.start_spot(state.options, kit.seat_of(name), kit.kind_of(name))
            elif not book.potted_out:
                above = squops.covering(name)
                over[row, k] = column[above[0]] if above else -1
        assert book.to_play is not None
        assert book.opener is not None
        out = [seat for group in book.finished for seat in group]
        books[row] = [
            book.to_play if book.phase == "shot" else (book.turn + 1) % 4, book.extra, _shots_until_time_up(state),
            -1 if book.laps is None else book.laps, book.opener, len(out), *out, *[-1] * (4 - len(out)),
            *(seat in book.missing for seat in range(4)),
        ]  # fmt: skip
    return RolloutStates(places, lies, over, books)


def _shots_until_time_up(state: State) -> int:
    """Shots until time is up."""
    options, book = state.options, state.book
    if options.time_limit_s is None or not options.seconds_per_shot or book.potted_out or book.laps is not None:
        return -1
    return max(1, int(np.ceil((options.time_limit_s - book.clock) / options.seconds_per_shot)))


def rollout_games(
    states: RolloutStates,
    state_index: Ints,
    first_shots: Ints,
    seeds: Ints,
    chances: ChanceLookup,
    policy_weights: Floats,
    rounds: int,
    out_lead: Floats,
) -> None:
    """Play each line to the end of its game; write by how many points Blue and Red are ahead then.

    Args:
        state_index: from which of the games each line goes on. [L] seeds: where its chance comes from, 1 to 2**31 -
            2. [L]
        first_shots: the first shot of each line: column of the wink, -1 for whichever it likes; column of the wink to
            be covered, or -1 into the pot, -2 nearer to it. [L, 2]
        policy_weights: of each pair, like `POLICY_WEIGHTS`. [2, 9] rounds: after time is up. out_lead: written. [L]
    """
    at, lies, over = np.zeros((24, 2)), np.zeros(24, np.int64), np.zeros(24, np.int64)
    out, missing, potted = np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64)
    totals, points, chance = np.zeros(4), np.zeros(4), np.zeros(4, np.int64)
    kept = chances.skim.shape[2]
    last = chances.pot.shape[1] - 1
    reach = chances.squop.shape[2]
    for line in range(len(state_index)):
        row = state_index[line]
        for k in range(24):
            at[k, 0], at[k, 1] = states.positions[row, k, 0], states.positions[row, k, 1]
            lies[k], over[k] = states.wink_states[row, k], states.covered_by[row, k]
        seat, extra = states.scalars[row, 0], states.scalars[row, 1]
        ticks, laps = states.scalars[row, 2], states.scalars[row, 3]
        opener, done = states.scalars[row, 4], states.scalars[row, 5]
        for k in range(4):
            out[k], missing[k] = states.scalars[row, 6 + k], states.scalars[row, 10 + k]
            potted[k] = 0
            for w in range(6 * k, 6 * k + 6):
                potted[k] += lies[w] == 2
        # a stream of luck for each seat: whoever has a shot more leaves the others theirs
        chance[0] = seeds[line]
        for k in range(1, 4):
            chance[k] = chance[k - 1] * 69621 % 2147483647
        waits = 0
        fresh, begins = True, True
        for _ in range(_MAX_SHOTS):
            # whoever is to play next
            stuck = 0
            while True:
                can = False
                if potted[seat] < 6:
                    for w in range(6 * seat, 6 * seat + 6):
                        can = can or (lies[w] != 2 and over[w] < 0)
                misses = missing[seat] == 1
                if can and not misses and (fresh or extra > 0):
                    if not fresh:
                        extra -= 1
                    break
                if misses and (fresh or extra > 0):
                    missing[seat] = 0
                    if not fresh:
                        extra -= 1
                        continue
                if not can and potted[seat] < 6:  # a pair squopped out: in the end it is freed
                    waits += 1
                    if waits > 6:
                        waits = 0
                        for w in range(6 * seat, 6 * seat + 6):
                            if lies[w] == 1 and over[w] >= 0:
                                top = over[w]
                                at[top, 0] += 0.02
                                at[top, 1] += 0.02
                                over[w] = -1
                                break
                if laps >= 0 and seat == opener:
                    laps -= 1
                    if laps <= 0:
                        break
                seat, extra, fresh = (seat + 1) % 4, 0, True
                stuck += 1
                if stuck > 64:
                    break
            if laps == 0 or stuck > 64:
                break
            fresh = False
            # the shot that promises most
            pair = seat % 2
            best, wink, aim = -1e9, -1, -2
            brought = 0
            for w in range(6 * seat, 6 * seat + 6):
                if lies[w] == 2 or over[w] >= 0:
                    continue
                size = 0 if w % 6 < 2 else 1
                if lies[w] == 0:
                    if brought & (1 << size):
                        continue
                    brought |= 1 << size
                leaves = 0.0
                if done == 0 and lies[w] == 1:
                    for v in range(24):
                        if over[v] == w:
                            leaves += policy_weights[pair, 0] if (v // 6) % 2 == pair else -policy_weights[pair, 1]
                x, y = at[w, 0], at[w, 1]
                way = hypot(x, y)
                often = chances.pot[size, min(last, int(way / 0.005))]
                worth = often * (policy_weights[pair, 2] + policy_weights[pair, 3] * potted[seat] / 6.0) + leaves
                if worth > best:
                    best, wink, aim = worth, w, -1
                if way > 0.18:
                    worth = (
                        (policy_weights[pair, 8] if lies[w] == 0 else policy_weights[pair, 7]) + leaves - often * 0.1
                    )
                    if worth > best:
                        best, wink, aim = worth, w, -2
                if done > 0:
                    continue
                for v in range(24):
                    if (v // 6) % 2 == pair or lies[v] != 1 or over[v] >= 0:
                        continue
                    dx, dy = at[v, 0] - x, at[v, 1] - y
                    far = int(hypot(dx, dy) / 0.005)
                    if far >= reach:
                        continue
                    other = 0 if v % 6 < 2 else 1
                    q = chances.squop[size, other, far]
                    if q < 0.02:
                        continue
                    danger = chances.pot[other, min(last, int(hypot(at[v, 0], at[v, 1]) / 0.005))]
                    worth = policy_weights[pair, 4] + policy_weights[pair, 5] * danger
                    for u in range(24):
                        if over[u] == v and (u // 6) % 2 == pair:
                            worth += policy_weights[pair, 6]
                    worth = q * worth + leaves
                    if worth > best:
                        best, wink, aim = worth, w, v
            if begins and first_shots[line, 0] >= 0:
                wink, aim = first_shots[line, 0], first_shots[line, 1]
            begins = False
            # made
            for v in range(24):
                if over[v] == wink:
                    over[v] = -1
            size = 0 if wink % 6 < 2 else 1
            x, y = at[wink, 0], at[wink, 1]
            lies[wink] = 1
            chance[seat] = chance[seat] * 48271 % 2147483647
            luck = chance[seat] / 2147483647.0
            chance[seat] = chance[seat] * 48271 % 2147483647
            pick = int(chance[seat] / 2147483647.0 * kept)
            tx, ty, along, aside, missed = 0.0, 0.0, 0.0, 0.0, True
            if aim == -1:
                cell = min(last, int(hypot(x, y) / 0.005))
                if luck < chances.pot[size, cell]:
                    missed = False
                    lies[wink] = 2
                    potted[seat] += 1
                    extra += 1
                    if potted[seat] == 6:
                        out[done] = seat
                        done += 1
                        extra = 0
                        laps, ticks = -1, -1
                        for v in range(24):
                            over[v] = -1
                        if done >= 3:
                            break
                else:
                    along, aside = chances.pot_miss[size, cell, pick, 0], chances.pot_miss[size, cell, pick, 1]
            elif aim >= 0:
                other = 0 if aim % 6 < 2 else 1
                tx, ty = at[aim, 0], at[aim, 1]
                cell = min(reach - 1, int(hypot(tx - x, ty - y) / 0.005))
                if luck < chances.squop[size, other, cell]:
                    missed = False
                    over[aim] = wink
                    at[wink, 0], at[wink, 1] = tx + 0.3 * 0.008, ty
                else:
                    along = chances.squop_miss[size, other, cell, pick, 0]
                    aside = chances.squop_miss[size, other, cell, pick, 1]
            else:
                way = hypot(x, y)
                tx, ty = x / way * 0.11, y / way * 0.11
                cell = min(last, int((way - 0.11) / 0.005))
                along, aside = chances.skim[size, cell, pick, 0], chances.skim[size, cell, pick, 1]
            if missed:
                if along > 5.0:
                    way = hypot(x, y)
                    at[wink, 0], at[wink, 1] = -x / way * 0.7, -y / way * 0.4
                    missing[seat] = 1
                else:
                    turn = atan2(y - ty, x - tx)
                    at[wink, 0] = tx + along * cos(turn) - aside * sin(turn)
                    at[wink, 1] = ty + along * sin(turn) + aside * cos(turn)
            if ticks > 0:
                ticks -= 1
                if ticks == 0:
                    laps = rounds + 1
        # the count
        for k in range(4):
            points[k] = 0.0
        if done > 0:
            for place in range(min(done, 3)):
                points[out[place]] = 4.0 if place == 0 else 2.0 if place == 1 else 1.0
            if done < 3:  # broken off: those left share what is left
                share = 1.0 if done == 1 else 0.5
                for k in range(4):
                    if points[k] == 0.0:
                        points[k] = share
            lead = points[0] + points[2] - points[1] - points[3]
            if lead > 0.0:
                lead += 2.0 * min(1.0, points[1] + points[3])
            elif lead < 0.0:
                lead -= 2.0 * min(1.0, points[0] + points[2])
            out_lead[line] = lead
            continue
        for k in range(4):
            totals[k] = 3.0 * potted[k]
            for w in range(6 * k, 6 * k + 6):
                if lies[w] == 1 and over[w] < 0:
                    totals[k] += 1.0
        for k in range(4):
            above, level = 0, 0
            for v in range(4):
                above += totals[v] > totals[k]
                level += totals[v] == totals[k]
            for place in range(above, above + level):
                points[k] += (4.0 if place == 0 else 2.0 if place == 1 else 1.0 if place == 2 else 0.0) / level
        out_lead[line] = points[0] + points[2] - points[1] - points[3]


RolloutFunction = Callable[[RolloutStates, Ints, Ints, Ints, ChanceLookup, Floats, int, Floats], None]
"""`rollout_games`, compiled or as it stands."""
assert OFF_MAT > 5.0
