"""The outlook of plans in Penny White: each is made, and what that makes of the game is told.

Of a position like those learnt it is known how likely its end brings what (`prospects`); others are played out by a
rule of thumb.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf

import numpy as np
import numpy.typing as npt

from flicksim.base.kinds import Action
from flicksim.games.penny_white import prospects, rules
from flicksim.games.penny_white.allowed import default_start, removable
from flicksim.games.penny_white.ends import Ends, Play, coins, played_here
from flicksim.games.penny_white.equipment import WHITE
from flicksim.games.penny_white.state import Remove, State
from flicksim.players import Hand, Means, Outcomes
from flicksim.referee import reading
from flicksim.table import Flick

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_LEAD = 40
"""A lead beyond that is one of so many."""


def play_out(
    state: State, seat: int, plans: Sequence[Action], hand: Hand, tries: int, seed: int,
    means: Means, *, exact: bool = False,
) -> Outcomes | None:  # fmt: skip
    """Make each plan so often and tell what comes of it, try for try by the same luck; None where options ask for more.

    Args:
        means: settle flicks of the coins of a scene.
        exact: whether the plans are made just as meant, and only what follows is not.
    """
    if not played_here(state.options) or state.to_play is None:
        return None
    outlook = _Outlook(state, seat, hand, tries, seed, means)
    if exact:
        outlook.luck[:, 0] = 0.0
    chance, points = np.zeros((len(plans), tries)), np.zeros((len(plans), tries))
    made = np.zeros((len(plans), tries, 2))
    flicked = [k for k, plan in enumerate(plans) if isinstance(plan, Flick)]
    if flicked:
        flicks = [plan for plan in plans if isinstance(plan, Flick)]
        for said, whole in zip(outlook.of_flicks(flicks), (chance, points), strict=True):
            whole[flicked] = said.reshape(len(flicked), tries)
        meant = np.array([(one.speed, one.azimuth) for one in flicks])[:, None]
        made[flicked] = meant + outlook.luck[None, :, 0, 1::-1] * [hand.speed, hand.azimuth] * np.stack(
            [meant[..., 0], np.ones_like(meant[..., 0])], axis=-1
        )
    for k, plan in enumerate(plans):
        if not isinstance(plan, Flick):
            chance[k], points[k] = outlook.of_state(settled(rules.advance(state, None, rules.judge(state, plan, None))))
    return Outcomes(chance=chance, points=points, made=made, shots=outlook.shots)


def in_turn(state: State) -> bool:
    """Tell whether both have as many pennies to come as where they flick in turn."""
    return state.to_play is not None and state.left[state.to_play] - state.left[1 - state.to_play] in (0, 1)


class _Outlook:
    """All that is to come of a state, to a seat.

    Attributes:
        luck: standard normal errors of each flick to come, by try. [tries, flicks, 3]
    """

    def __init__(self, state: State, seat: int, hand: Hand, tries: int, seed: int, means: Means) -> None:
        self._play = Play(state.options, means.slide(coins(state.options)), hand)
        self._state, self._seat, self._hand = state, seat, hand
        self._known = means.learnt and prospects.known(state.options) and in_turn(state)
        flicks = 1 if self._known else 2 + 2 * state.options.pennies
        self.luck = np.random.Generator(np.random.PCG64(seed)).standard_normal((tries, flicks, 3))

    @property
    def shots(self) -> int:
        """Flicks settled so far."""
        return self._play.shots

    def of_flicks(self, flicks: Sequence[Flick]) -> tuple[Floats, Floats]:
        """Chance and points of these flicks, try by try of each in turn."""
        play, state, tries = self._play, self._state, len(self.luck)
        spot = default_start(state)
        start, speed, azimuth, offset = (
            np.repeat(np.array(column, np.float64), tries, axis=0)
            for column in zip(*((one.start or spot, one.speed, one.azimuth, one.offset) for one in flicks), strict=True)
        )
        luck = np.tile(self.luck, (len(flicks), 1, 1))
        ends = play.lay(state, len(luck))
        again = np.zeros(len(luck), np.bool_)
        if state.phase == "white":
            again = play.open(ends, start, speed, azimuth, luck[:, 0])
        else:
            play.flick(ends, start, speed, azimuth, luck[:, 0], offset)
        return self._told(ends, again, luck[:, 1:])

    def of_state(self, after: State) -> tuple[Floats, Floats]:
        """Chance and points of a state to which nothing was flicked, try by try."""
        never = np.zeros(len(self.luck), np.bool_)
        if after.phase == "penny":
            return self._told(self._play.lay(after, len(self.luck)), never, self.luck[:, 1:])
        ends = self._play.lay(self._state, len(self.luck))  # the end is over, and the game may be
        ends.gained += np.subtract(after.scores, self._state.scores)
        ends.live[:] = False
        return self._told(ends, never, self.luck[:, 1:])

    def _told(self, ends: Ends, again: Bools, luck: Floats) -> tuple[Floats, Floats]:
        """Chance and points of these ends, which begin again where the opening failed."""
        if not self._known:
            self._play.finish(ends, luck)
        state, seat = self._state, self._seat
        extra, left = state.options.game_tie == "extra_end", max(0, state.options.ends - state.end)
        ahead = (ends.gained[:, seat] - ends.gained[:, 1 - seat]) + (state.scores[seat] - state.scores[1 - seat])
        after = chances(left, 1 - state.starter == seat, extra, self._hand)
        anew = chances(left + 1, state.starter == seat, extra, self._hand)
        chance = np.where(again, anew[_row(ahead)], after[_row(ahead)])
        points = ahead.astype(np.float64)
        live = np.flatnonzero(ends.live)
        if len(live):
            other = ends.turn[live] != seat
            gains = np.where(other[:, None], -prospects.GAINS, prospects.GAINS)
            some = ends.some(live)
            likely = prospects.likely(self._hand, some.places, some.there, some.turn, some.left.sum(axis=1))
            chance[live] = (likely * after[_row(ahead[live, None] + gains)]).sum(axis=1)
            points[live] += (likely * gains).sum(axis=1)
        return chance, points


def _row(lead: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The row of a lead among chances by lead."""
    return np.clip(lead, -_LEAD, _LEAD) + _LEAD


def settled(state: State) -> State:
    """The state once all removals due are made, of what lies nearest the white."""
    while state.phase == "remove":
        near = sorted(removable(state), key=lambda name: _nearness(state, name))
        state = rules.advance(state, None, rules.judge(state, Remove(penny=near[0]), None))
    return state


def _nearness(state: State, name: str) -> float:
    return reading.gap(state.scene, name, WHITE) if state.scene.has(name) else inf


@lru_cache(maxsize=512)
def chances(left: int, starts: bool, extra: bool, hand: Hand) -> Floats:
    """The chance to win the game by lead, with so many ends to come, of whoever starts the next or does not."""
    leads = np.arange(-_LEAD, _LEAD + 1)
    starter = prospects.of_starter(hand)
    if left == 0:
        level = 0.5
        if extra:
            decided = sum(often for by, often in zip(prospects.GAINS, starter, strict=True) if by)
            level = sum(often for by, often in zip(prospects.GAINS, starter, strict=True) if by and (by > 0) == starts)
            level /= decided
        return np.where(leads > 0, 1.0, np.where(leads < 0, 0.0, level))
    after = chances(left - 1, not starts, extra, hand)
    found = np.zeros(len(leads))
    for by, often in zip(prospects.GAINS.tolist(), starter, strict=True):
        found += often * after[np.clip(leads + (by if starts else -by), -_LEAD, _LEAD) + _LEAD]
    return found
