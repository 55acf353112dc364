"""Rollouts of candidates in Penny White: simulated as a batch, valued by the value table.

Of a position like those learnt it is known how likely its end brings what (`prospects`); others are played out by a
heuristic.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf

import numpy as np
import numpy.typing as npt

from flicksim.ai import ExecutionNoise, RolloutContext, RolloutOutcomes
from flicksim.core.type_aliases import Action
from flicksim.games.penny_white import rules, value_table
from flicksim.games.penny_white.batch_ends import EndBatch, EndSimulator, is_supported, scene_with_all_coins
from flicksim.games.penny_white.equipment import WHITE
from flicksim.games.penny_white.legal_actions import default_start, removable
from flicksim.games.penny_white.state import Remove, State
from flicksim.referee import queries
from flicksim.scene import Flick

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_MAX_LEAD = 40
"""A lead beyond that is one of so many."""


def rollout(
    state: State, seat: int, candidates: Sequence[Action], noise: ExecutionNoise, rollouts: int, seed: int,
    context: RolloutContext, *, exact: bool = False,
) -> RolloutOutcomes | None:  # fmt: skip
    """Roll out each candidate `rollouts` times under common random numbers; None where options ask for more.

    Args:
        context: settle flicks of the coins of a scene.
        exact: whether the candidates themselves are executed without noise.
    """
    if not is_supported(state.options) or state.to_play is None:
        return None
    outlook = _RolloutEvaluator(state, seat, noise, rollouts, seed, context)
    if exact:
        outlook.noise_samples[:, 0] = 0.0
    chance, points = np.zeros((len(candidates), rollouts)), np.zeros((len(candidates), rollouts))
    made = np.zeros((len(candidates), rollouts, 2))
    flicked = [k for k, plan in enumerate(candidates) if isinstance(plan, Flick)]
    if flicked:
        flicks = [plan for plan in candidates if isinstance(plan, Flick)]
        for said, whole in zip(outlook.evaluate_flicks(flicks), (chance, points), strict=True):
            whole[flicked] = said.reshape(len(flicked), rollouts)
        meant = np.array([(one.speed, one.azimuth) for one in flicks])[:, None]
        made[flicked] = meant + outlook.noise_samples[None, :, 0, 1::-1] * [noise.speed, noise.azimuth] * np.stack(
            [meant[..., 0], np.ones_like(meant[..., 0])], axis=-1
        )
    for k, plan in enumerate(candidates):
        if not isinstance(plan, Flick):
            chance[k], points[k] = outlook.evaluate_state(
                resolve_removals(rules.next_state(state, None, rules.judge(state, plan, None)))
            )
    return RolloutOutcomes(win_probability=chance, point_margin=points, executed=made, shots=outlook.shots)


def alternates(state: State) -> bool:
    """Return True if the pennies to come are as in an end of strictly alternating flicks."""
    return state.to_play is not None and state.left[state.to_play] - state.left[1 - state.to_play] in (0, 1)


class _RolloutEvaluator:
    """Evaluator of the rollouts of a state for a seat.

    Attributes:
        noise_samples: standard normal errors of each flick to come, by try. [tries, flicks, 3]
    """

    def __init__(
        self, state: State, seat: int, noise: ExecutionNoise, rollouts: int, seed: int, context: RolloutContext
    ) -> None:
        self._simulator = EndSimulator(
            state.options, context.disc_simulator(scene_with_all_coins(state.options)), noise
        )
        self._state, self._seat, self._noise = state, seat, noise
        self._has_value_table = context.use_learned and value_table.is_covered(state.options) and alternates(state)
        flicks = 1 if self._has_value_table else 2 + 2 * state.options.pennies
        self.noise_samples = np.random.Generator(np.random.PCG64(seed)).standard_normal((rollouts, flicks, 3))

    @property
    def shots(self) -> int:
        """Number of flicks simulated."""
        return self._simulator.shots

    def evaluate_flicks(self, flicks: Sequence[Flick]) -> tuple[Floats, Floats]:
        """Win probability and points of each try of these flicks, flick by flick."""
        play, state, tries = self._simulator, self._state, len(self.noise_samples)
        spot = default_start(state)
        start, speed, azimuth, offset = (
            np.repeat(np.array(column, np.float64), tries, axis=0)
            for column in zip(*((one.start or spot, one.speed, one.azimuth, one.offset) for one in flicks), strict=True)
        )
        samples = np.tile(self.noise_samples, (len(flicks), 1, 1))
        ends = play.from_state(state, len(samples))
        again = np.zeros(len(samples), np.bool_)
        if state.phase == "white":
            again = play.open_end(ends, start, speed, azimuth, samples[:, 0])
        else:
            play.flick(ends, start, speed, azimuth, samples[:, 0], offset)
        return self._values_of(ends, again, samples[:, 1:])

    def evaluate_state(self, after: State) -> tuple[Floats, Floats]:
        """Win probability and points of each try from a state without a flick."""
        never = np.zeros(len(self.noise_samples), np.bool_)
        if after.phase == "penny":
            return self._values_of(
                self._simulator.from_state(after, len(self.noise_samples)), never, self.noise_samples[:, 1:]
            )
        ends = self._simulator.from_state(self._state, len(self.noise_samples))  # the end is over, and the game may be
        ends.points += np.subtract(after.scores, self._state.scores)
        ends.running[:] = False
        return self._values_of(ends, never, self.noise_samples[:, 1:])

    def _values_of(self, ends: EndBatch, restarted: Bools, noise_samples: Floats) -> tuple[Floats, Floats]:
        """Win probability and points of these ends; an end with a failed opening begins again."""
        if not self._has_value_table:
            self._simulator.play_to_end(ends, noise_samples)
        state, seat = self._state, self._seat
        extra, left = state.options.game_tie == "extra_end", max(0, state.options.ends - state.end)
        ahead = (ends.points[:, seat] - ends.points[:, 1 - seat]) + (state.scores[seat] - state.scores[1 - seat])
        after = win_probability_by_lead(left, 1 - state.starter == seat, extra, self._noise)
        anew = win_probability_by_lead(left + 1, state.starter == seat, extra, self._noise)
        chance = np.where(restarted, anew[_lead_index(ahead)], after[_lead_index(ahead)])
        points = ahead.astype(np.float64)
        live = np.flatnonzero(ends.running)
        if len(live):
            other = ends.to_play[live] != seat
            gains = np.where(other[:, None], -value_table.GAINS, value_table.GAINS)
            some = ends.select(live)
            likely = value_table.gain_probabilities(
                self._noise, some.positions, some.on_board, some.to_play, some.pennies_left.sum(axis=1)
            )
            chance[live] = (likely * after[_lead_index(ahead[live, None] + gains)]).sum(axis=1)
            points[live] += (likely * gains).sum(axis=1)
        return chance, points


def _lead_index(lead: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Index of a lead in an array of probabilities by lead."""
    return np.clip(lead, -_MAX_LEAD, _MAX_LEAD) + _MAX_LEAD


def resolve_removals(state: State) -> State:
    """State after all removals due, each of the penny nearest the white."""
    while state.phase == "remove":
        near = sorted(removable(state), key=lambda name: _distance_to_white(state, name))
        state = rules.next_state(state, None, rules.judge(state, Remove(penny=near[0]), None))
    return state


def _distance_to_white(state: State, name: str) -> float:
    return queries.centre_distance(state.scene, name, WHITE) if state.scene.has(name) else inf


@lru_cache(maxsize=512)
def win_probability_by_lead(ends_left: int, starts_next: bool, extra_end: bool, noise: ExecutionNoise) -> Floats:
    """Win probability of a seat by its lead, with a number of ends to come."""
    leads = np.arange(-_MAX_LEAD, _MAX_LEAD + 1)
    starter = value_table.starter_gain_probabilities(noise)
    if ends_left == 0:
        level = 0.5
        if extra_end:
            decided = sum(often for by, often in zip(value_table.GAINS, starter, strict=True) if by)
            level = sum(
                often for by, often in zip(value_table.GAINS, starter, strict=True) if by and (by > 0) == starts_next
            )
            level /= decided
        return np.where(leads > 0, 1.0, np.where(leads < 0, 0.0, level))
    after = win_probability_by_lead(ends_left - 1, not starts_next, extra_end, noise)
    found = np.zeros(len(leads))
    for by, often in zip(value_table.GAINS.tolist(), starter, strict=True):
        found += often * after[np.clip(leads + (by if starts_next else -by), -_MAX_LEAD, _MAX_LEAD) + _MAX_LEAD]
    return found
