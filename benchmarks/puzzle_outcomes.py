"""Wins of last turns of tiddlywinks, counted from batches of shots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flicksim.ai import NO_NOISE, ExecutionNoise
from flicksim.core.arrays import Floats
from flicksim.core.type_aliases import Action
from flicksim.engine import Settings, Squidges
from flicksim.engine.batch import AT_REST, OFF_TABLE, simulate_mats
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import scoring
from flicksim.games.tiddlywinks.bot import search_state
from flicksim.games.tiddlywinks.state import State
from flicksim.match import GameRolloutModel

_BATCH = 1024
_MARGIN = 0.004
"""Margin to a boundary beyond which a wink is surely in the field [m]."""
_POINTS = np.array(
    [[sum(scoring.PLACES[h : h + e]) / e if h + e <= 4 and e else 0.0 for e in range(5)] for h in range(4)]
)


def last_turn_wins(
    model: GameRolloutModel,
    state: State,
    seat: int,
    actions: Sequence[Action],
    noise: ExecutionNoise,
    tries: int,
    seed: int,
    settings: Settings,
    *,
    quick: bool = False,
) -> Floats:
    """Wins outright of each action, under common random numbers: 1 or 0, a probability where an extra shot is due.
    [P, tries]

    Shots by which a wink leaves the field or that go through a pile are ruled by the game's rules; where `quick`, they
    count as lost.
    """
    executed = [
        noise.execute(action, np.random.Generator(np.random.PCG64([seed, k])))
        for action in actions
        for k in range(tries)
    ]
    wins = np.concatenate(
        [_batch_wins(state, seat, executed[i : i + _BATCH], settings) for i in range(0, len(executed), _BATCH)]
    )
    if quick:
        wins = np.nan_to_num(wins)
    for row in np.flatnonzero(np.isnan(wins)).tolist():
        found = model.rollout(state, seat, [executed[row]], NO_NOISE, 1, seed + row, exact=True).win_probability[0, 0]
        wins[row] = 0.0 if found == 0.5 else found
    return wins.reshape(len(actions), tries)


def _batch_wins(state: State, seat: int, executed: Sequence[Action], settings: Settings) -> Floats:
    scene, book, pair = search_state(state).scene, state.book, kit.pair_of(seat)
    batch = simulate_mats([scene], Squidges.from_actions(executed), [settings], on_error="mark")
    ids = list(batch.ids)
    in_play = np.array([wink not in book.behind for wink in ids])
    inset = np.min(
        [
            (batch.positions[..., 0] - e.a[0]) * -(e.b[1] - e.a[1]) / np.hypot(e.b[0] - e.a[0], e.b[1] - e.a[1])
            + (batch.positions[..., 1] - e.a[1]) * (e.b[0] - e.a[0]) / np.hypot(e.b[0] - e.a[0], e.b[1] - e.a[1])
            for e in kit.edges(state.options)
        ],
        axis=0,
    )
    potted = (batch.outcome == AT_REST) & (batch.support >= 2)
    played = np.array([ids.index(shot.piece) for shot in executed])
    rows = np.arange(len(executed))
    active = np.broadcast_to(in_play, batch.outcome.shape).copy()
    active[rows, played] = True
    inside = (batch.outcome == AT_REST) & (inset > 0.5 * 0.022225 + _MARGIN)
    crossings = batch.crossed.sum(axis=2)
    crossings[rows, played] -= np.isin(np.array(ids, object)[played], book.behind)
    unclear = (
        (batch.error != "")
        | ((batch.outcome == OFF_TABLE) & active).any(axis=1)
        | (active & ~inside & ~potted).any(axis=1)
        | ((crossings > 0) & active).any(axis=1)
        | (~active & batch.moved).any(axis=1)
        | np.array([shot.press > 0.0 or shot.drag > 0.0 for shot in executed])
    )
    covered = (batch.lies_on & active[:, :, None] & ~potted[:, :, None]).any(axis=1)
    value = np.where(potted, 3, np.where(active & ~covered, 1, 0))
    totals = np.zeros((len(executed), 4), np.int64)
    for column, wink in enumerate(ids):
        totals[:, kit.seat_of(wink)] += value[:, column]
    for wink in book.potted:
        totals[:, kit.seat_of(wink)] += 3
    higher = (totals[:, None, :] > totals[:, :, None]).sum(axis=2)
    equal = (totals[:, None, :] == totals[:, :, None]).sum(axis=2)
    points = _POINTS[higher, equal]
    own = points[:, pair] + points[:, pair + 2]
    wins = np.where(own > 3.5, 1.0, 0.0)
    own_potted = (potted & np.array([kit.seat_of(wink) == seat for wink in ids])).any(axis=1)
    enemy_out = np.array(
        [[all(w in book.potted or potted[r, ids.index(w)] for w in kit.winks_of(s)) for s in range(4)] for r in rows]
    ).any(axis=1)
    return np.where(unclear | (own_potted & (wins == 0.0)) | enemy_out, np.nan, wins)
