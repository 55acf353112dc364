"""The outlook of plans in Penny White: each is made, its end is played out, and what that makes of the game is told."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf

import numpy as np
import numpy.typing as npt

from flicksim.base.kinds import Action
from flicksim.games.penny_white import rules
from flicksim.games.penny_white.allowed import default_start, removable
from flicksim.games.penny_white.ends import Ends, Play, coins, played_here
from flicksim.games.penny_white.equipment import WHITE
from flicksim.games.penny_white.state import Remove, State
from flicksim.players import Hand, Means, Outcomes
from flicksim.referee import reading
from flicksim.table import Flick

Floats = npt.NDArray[np.float64]

_STARTER = {-4: 0.018, -3: 0.058, -2: 0.168, -1: 0.392, 1: 0.249, 2: 0.078, 3: 0.029, 4: 0.008}
"""Chance that an end brings its starter so many points more: 936 ends of 156 games between club bots."""
_LEAD = 40
"""A lead beyond that is one of so many."""


def play_out(
    state: State, seat: int, plans: Sequence[Action], hand: Hand, tries: int, seed: int,
    means: Means, *, exact: bool = False,
) -> Outcomes | None:  # fmt: skip
    """Make each plan so often and play its end out, try for try by the same luck; None where options ask for more.

    Args:
        means: settle flicks of the coins of a scene.
        exact: whether the plans are made just as meant, and only what follows is not.
    """
    if not played_here(state.options) or state.to_play is None:
        return None
    play = Play(state.options, means.slide(coins(state.options)), hand)
    luck = np.random.Generator(np.random.PCG64(seed)).standard_normal((tries, 2 + 2 * state.options.pennies, 3))
    if exact:
        luck[:, 0] = 0.0
    chance, points = np.zeros((len(plans), tries)), np.zeros((len(plans), tries))
    made = np.zeros((len(plans), tries, 2))
    flicked = [k for k, plan in enumerate(plans) if isinstance(plan, Flick)]
    if flicked:
        flicks = [plan for plan in plans if isinstance(plan, Flick)]
        found = _flicked(play, state, seat, flicks, luck)
        for told, whole in zip(found, (chance, points), strict=True):
            whole[flicked] = told.reshape(len(flicked), tries)
        meant = np.array([(one.speed, one.azimuth) for one in flicks])[:, None]
        made[flicked] = meant + luck[None, :, 0, 1::-1] * [hand.speed, hand.azimuth] * np.stack(
            [meant[..., 0], np.ones_like(meant[..., 0])], axis=-1
        )
    for k, plan in enumerate(plans):
        if not isinstance(plan, Flick):
            after = settled(rules.advance(state, None, rules.judge(state, plan, None)))
            chance[k], points[k] = _stands(play, after, state, seat, luck)
    return Outcomes(chance=chance, points=points, made=made, shots=play.shots)


def _flicked(play: Play, state: State, seat: int, flicks: Sequence[Flick], luck: Floats) -> tuple[Floats, Floats]:
    """Results of these flicks, try by try of each in turn."""
    tries = len(luck)
    spot = default_start(state)
    start, speed, azimuth, offset = (
        np.repeat(np.array(column, np.float64), tries, axis=0)
        for column in zip(*((one.start or spot, one.speed, one.azimuth, one.offset) for one in flicks), strict=True)
    )
    luck = np.tile(luck, (len(flicks), 1, 1))
    ends = play.lay(state, len(luck))
    again = np.zeros(len(luck), np.bool_)
    if state.phase == "white":
        again = play.open(ends, start, speed, azimuth, luck[:, 0])
    else:
        play.flick(ends, start, speed, azimuth, luck[:, 0], offset)
    play.finish(ends, luck[:, 1:])
    return _told(state, seat, ends, again)


def settled(state: State) -> State:
    """The state once all removals due are made, of what lies nearest the white."""
    while state.phase == "remove":
        near = sorted(removable(state), key=lambda name: _nearness(state, name))
        state = rules.advance(state, None, rules.judge(state, Remove(penny=near[0]), None))
    return state


def _nearness(state: State, name: str) -> float:
    return reading.gap(state.scene, name, WHITE) if state.scene.has(name) else inf


def _stands(play: Play, state: State, before: State, seat: int, luck: Floats) -> tuple[Floats, Floats]:
    """Results of a state to which nothing was flicked."""
    if state.phase == "penny":
        ends = play.lay(state, len(luck))
        play.finish(ends, luck[:, 1:])
    else:  # the end is over, and the game may be
        ends = play.lay(before, len(luck))
        ends.gained += np.subtract(state.scores, before.scores)
        ends.live[:] = False
    return _told(before, seat, ends, np.zeros(len(luck), np.bool_))


def _told(state: State, seat: int, ends: Ends, again: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """The chance to win and the points ahead of a seat after these ends."""
    ahead = (ends.gained[:, seat] - ends.gained[:, 1 - seat]) + (state.scores[seat] - state.scores[1 - seat])
    extra = state.options.game_tie == "extra_end"
    left = max(0, state.options.ends - state.end)
    lead = np.clip(ahead, -_LEAD, _LEAD) + _LEAD
    chance = chances(left, 1 - state.starter == seat, extra)[lead]
    if again.any():
        chance = np.where(again, chances(left + 1, state.starter == seat, extra)[lead], chance)
    return chance, ahead.astype(np.float64)


@lru_cache(maxsize=512)
def chances(left: int, starts: bool, extra: bool) -> Floats:
    """The chance to win the game by lead, with so many ends to come, of whoever starts the next or does not."""
    leads = np.arange(-_LEAD, _LEAD + 1)
    if left == 0:
        level = 0.5
        if extra:
            level = sum(often for by, often in _STARTER.items() if (by > 0) == starts)
        return np.where(leads > 0, 1.0, np.where(leads < 0, 0.0, level))
    after = chances(left - 1, not starts, extra)
    found = np.zeros(len(leads))
    for by, often in _STARTER.items():
        found += often * after[np.clip(leads + (by if starts else -by), -_LEAD, _LEAD) + _LEAD]
    return found
