"""Rollouts of candidates in Penny White: simulated as a batch, valued by the value table.

Positions covered by the value table (`value_table`) are valued by it after one flick where the learned tables are used,
and at every grade after an opening or the last flick but one; others are played out by the heuristic.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import inf

import numpy as np

from flicksim.ai import ExecutionNoise, RolloutContext, RolloutOutcomes
from flicksim.core.arrays import Bools, Floats, Ints
from flicksim.games.penny_white import rules, value_table
from flicksim.games.penny_white.batch_ends import EndBatch, EndSimulator, is_supported, scene_with_all_coins
from flicksim.games.penny_white.equipment import WHITE
from flicksim.games.penny_white.legal_actions import default_start, removable
from flicksim.games.penny_white.state import Action, Remove, State
from flicksim.referee import queries
from flicksim.scene import Flick

_MAX_LEAD = 40
"""Largest lead distinguished; larger ones count as this."""
_REPLY_DUE = 2
"""Pennies to come at the last flick but one of an end."""


def rollout(
    state: State, seat: int, candidates: Sequence[Action], noise: ExecutionNoise, rollouts: int, seed: int,
    context: RolloutContext, *, exact: bool = False,
) -> RolloutOutcomes | None:  # fmt: skip
    """Roll out each candidate `rollouts` times under common random numbers; None for unsupported options.

    Args:
        context: provides the batch simulator.
        exact: whether the candidates themselves are executed without noise.
    """
    if not is_supported(state.options) or state.to_play is None:
        return None
    evaluator = _RolloutEvaluator(state, seat, noise, rollouts, seed, context)
    if exact:
        evaluator.noise_samples[:, 0] = 0.0
    chance, points = np.zeros((len(candidates), rollouts)), np.zeros((len(candidates), rollouts))
    executed = np.zeros((len(candidates), rollouts, 2))
    flicked = [k for k, action in enumerate(candidates) if isinstance(action, Flick)]
    if flicked:
        flicks = [action for action in candidates if isinstance(action, Flick)]
        for results, column in zip(evaluator.evaluate_flicks(flicks), (chance, points), strict=True):
            column[flicked] = results.reshape(len(flicked), rollouts)
        meant = np.array([(flick.speed, flick.azimuth) for flick in flicks])[:, None]
        executed[flicked] = meant + evaluator.noise_samples[None, :, 0, 1::-1] * [
            noise.speed,
            noise.azimuth,
        ] * np.stack([meant[..., 0], np.ones_like(meant[..., 0])], axis=-1)
    for k, action in enumerate(candidates):
        if not isinstance(action, Flick):
            chance[k], points[k] = evaluator.evaluate_state(
                resolve_removals(rules.next_state(state, None, rules.judge(state, action, None)))
            )
    return RolloutOutcomes(win_probability=chance, point_margin=points, executed=executed, shots=evaluator.shots)


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
        # at every grade: the reply to the last flick but one, for a rolled out one overrates exposed pennies, and all
        # that follows the opening, for rolled out ends do not tell how far the white should lie
        is_reply_due = state.phase == "penny" and sum(state.left) == _REPLY_DUE
        uses_table = context.use_learned or state.phase == "white" or is_reply_due
        self._has_value_table = uses_table and value_table.is_covered(state.options) and alternates(state)
        flicks = 1 if self._has_value_table else 2 + 2 * state.options.pennies
        self.noise_samples = np.random.Generator(np.random.PCG64(seed)).standard_normal((rollouts, flicks, 3))

    @property
    def shots(self) -> int:
        """Number of flicks simulated."""
        return self._simulator.shots

    def evaluate_flicks(self, flicks: Sequence[Flick]) -> tuple[Floats, Floats]:
        """Win probability and points of each try of these flicks, flick by flick."""
        simulator, state, tries = self._simulator, self._state, len(self.noise_samples)
        default = default_start(state)
        start, speed, azimuth, offset = (
            np.repeat(np.array(column, np.float64), tries, axis=0)
            for column in zip(
                *((flick.start or default, flick.speed, flick.azimuth, flick.offset) for flick in flicks), strict=True
            )
        )
        samples = np.tile(self.noise_samples, (len(flicks), 1, 1))
        ends = simulator.from_state(state, len(samples))
        restarted = np.zeros(len(samples), np.bool_)
        if state.phase == "white":
            restarted = simulator.open_end(ends, start, speed, azimuth, samples[:, 0])
        else:
            simulator.flick(ends, start, speed, azimuth, samples[:, 0], offset)
        return self._values_of(ends, restarted, samples[:, 1:])

    def evaluate_state(self, after: State) -> tuple[Floats, Floats]:
        """Win probability and points of each try from a state without a flick."""
        restarted = np.zeros(len(self.noise_samples), np.bool_)
        if after.phase == "penny":
            return self._values_of(
                self._simulator.from_state(after, len(self.noise_samples)), restarted, self.noise_samples[:, 1:]
            )
        ends = self._simulator.from_state(self._state, len(self.noise_samples))  # the end is over, and perhaps the game
        ends.points += np.subtract(after.scores, self._state.scores)
        ends.running[:] = False
        return self._values_of(ends, restarted, self.noise_samples[:, 1:])

    def _values_of(self, ends: EndBatch, restarted: Bools, noise_samples: Floats) -> tuple[Floats, Floats]:
        """Win probability and points of these ends; an end with a failed opening begins again."""
        if not self._has_value_table:
            self._simulator.play_to_end(ends, noise_samples)
        state, seat = self._state, self._seat
        extra_end, ends_left = state.options.game_tie == "extra_end", max(0, state.options.ends - state.end)
        lead = (ends.points[:, seat] - ends.points[:, 1 - seat]) + (state.scores[seat] - state.scores[1 - seat])
        after = win_probability_by_lead(ends_left, 1 - state.starter == seat, extra_end, self._noise)
        again = win_probability_by_lead(ends_left + 1, state.starter == seat, extra_end, self._noise)
        win_probability = np.where(restarted, again[_lead_index(lead)], after[_lead_index(lead)])
        points = lead.astype(np.float64)
        running = np.flatnonzero(ends.running)
        if len(running):
            is_opponent = ends.to_play[running] != seat
            gains = np.where(is_opponent[:, None], -value_table.GAINS, value_table.GAINS)
            selected = ends.select(running)
            probabilities = value_table.gain_probabilities(
                self._noise, selected.positions, selected.on_board, selected.to_play, selected.pennies_left.sum(axis=1)
            )
            win_probability[running] = (probabilities * after[_lead_index(lead[running, None] + gains)]).sum(axis=1)
            points[running] += (probabilities * gains).sum(axis=1)
        return win_probability, points


def _lead_index(lead: Ints) -> Ints:
    """Index of a lead in an array of probabilities by lead."""
    return np.clip(lead, -_MAX_LEAD, _MAX_LEAD) + _MAX_LEAD


def resolve_removals(state: State) -> State:
    """State after all removals due, each of the penny nearest the white."""
    while state.phase == "remove":
        nearest_first = sorted(removable(state), key=lambda name: distance_to_white(state, name))
        state = rules.next_state(state, None, rules.judge(state, Remove(penny=nearest_first[0]), None))
    return state


def distance_to_white(state: State, name: str) -> float:
    """Distance of a coin from the white [m]; infinite if the coin is not on the board."""
    return queries.centre_distance(state.scene, name, WHITE) if state.scene.has(name) else inf


@lru_cache(maxsize=512)
def win_probability_by_lead(ends_left: int, starts_next: bool, extra_end: bool, noise: ExecutionNoise) -> Floats:
    """Win probability of a seat by its lead, with a number of ends to come."""
    leads = np.arange(-_MAX_LEAD, _MAX_LEAD + 1)
    starter_gains = value_table.starter_gain_probabilities(noise)
    if ends_left == 0:
        at_level = 0.5
        if extra_end:
            decided = sum(
                probability for gain, probability in zip(value_table.GAINS, starter_gains, strict=True) if gain
            )
            at_level = sum(
                probability
                for gain, probability in zip(value_table.GAINS, starter_gains, strict=True)
                if gain and (gain > 0) == starts_next
            )
            at_level /= decided
        return np.where(leads > 0, 1.0, np.where(leads < 0, 0.0, at_level))
    after = win_probability_by_lead(ends_left - 1, not starts_next, extra_end, noise)
    result = np.zeros(len(leads))
    for gain, probability in zip(value_table.GAINS.tolist(), starter_gains, strict=True):
        result += probability * after[_lead_index(leads + (gain if starts_next else -gain))]
    return result
