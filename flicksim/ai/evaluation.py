"""Evaluate a position by successive elimination of candidate shots with common random numbers.

All candidates are executed and rolled out under common random numbers; those clearly behind are eliminated after each
round. New candidates are proposed near the good ones by kernel regression over the flicks executed so far (KR-UCT:
Yee, Lisý and Bowling, 2016). The search ends when one candidate is best beyond doubt, or the budget of shots is spent.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil, dist, hypot, inf, isnan, sqrt

import msgspec
import numpy as np

from flicksim.ai.cancellation import stop_if_cancelled
from flicksim.ai.execution_noise import ExecutionNoise
from flicksim.ai.kernel_regression import kernel_regression
from flicksim.ai.model_error import ModelError
from flicksim.ai.rollouts import RolloutModel, RolloutOutcomes
from flicksim.core.arrays import Floats
from flicksim.core.errors import FlicksimError, InvalidOption
from flicksim.core.geometry import wrap_angle
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import Action, View
from flicksim.scene import MAX_SPEED, Flick, Launch, Squidge

MIN_TRIES = 16
"""Least number of rollouts of a candidate before it is judged."""
_DECISIVE_Z, _DROP_Z = 3.0, 2.0
"""Standard errors by which the best candidate is decided, and by which a candidate is eliminated."""
_KEEP_FRACTION = 0.6
"""Largest share of the candidates kept after a round."""
_WIDEN_FRACTION = 0.3
"""Largest share of the remaining shots spent on new candidates."""
_INITIAL_FRACTION = 0.5
"""Largest share of the shots spent on the bot's own candidates in the first round."""
_PROPOSALS, _OPTIMISM = 96, 0.5
"""Number of proposals for new candidates, and the exploration constant of their upper estimates [standard errors]."""
_POINT_WEIGHT = 0.01
"""Win probability that a point is worth: a tie-break between candidates that win alike."""
_FINAL_BUDGET_FRACTION = 0.95
"""Share of the shots left after the search that the final estimates may use; the rest measures the cost of a try."""
_PILOT_TRIES = 2
"""Tries by which the cost of one is measured."""
_EQUAL_TOLERANCE = 0.0005
"""Win probabilities [1] no farther apart are equal."""
_START_BANDWIDTH = 0.02
"""Kernel bandwidth over start points [m]."""
_ELEVATION_BANDWIDTH = 0.07
"""Kernel bandwidth over elevation [rad]."""
_VARIED_FIELDS = ("speed", "azimuth", "start", "hold", "elevation", "slant")
"""Fields of a flick, squidge or launch that are perturbed for new candidates."""
_VALIDATION_FRACTION = 0.3
"""Share of the shots kept for the final estimates, proposals with new seeds."""
BATCH_TRIES = 4096
"""Default largest number of tries per candidate in the final estimates, and the batch size."""
_MAX_CANDIDATES, _PRIOR_TRIES = 200, 4
"""Most candidates of the bot that are evaluated, and tries that a prior value counts for."""
_NEW_CANDIDATES, _WIDENING_ROUNDS = 48, 8
"""New candidates per round, and rounds that add some, in an analysis."""
_GRID_CELLS, _GRID_HALF_WIDTH = 25, 4.0
"""Cells of a value map per axis, and its half width [standard deviations of the execution noise]."""
_NOISE_STREAMS = 7
"""Number of random streams dealt round the cells of a map; no divisor of the cells per axis, so that rows differ."""
_Z = 1.959964


class TooFewShots(InvalidOption):
    """Error: the budget of shots is too small for an estimate.

    Args:
        shots: given budget. required: budget that is enough; a smaller one may be.
    """

    def __init__(self, shots: int, required: int) -> None:
        count = "1 shot is" if shots == 1 else f"{shots} shots are"
        super().__init__(f"{count} too few for an estimate here; {required} are enough")
        self.shots, self.required = shots, required


class EvaluationInterrupted(KeyboardInterrupt):
    """Ctrl-C during an evaluation, with its partial result.

    Args:
        evaluation: partial result; None where there is none yet. It rests on the search alone, whose
            best value is biased upwards.
    """

    def __init__(self, evaluation: "Evaluation | None") -> None:
        super().__init__()
        self.evaluation = evaluation


class SearchConfig(Value, frozen=True, kw_only=True):
    """Search budget of one decision.

    Args:
        shots: largest number simulated for a decision. candidates: initial number, from the bot.
        new_candidates: number added after a round. rounds: number of rounds that add some.
        min_tries: rollouts of a candidate before it is judged.
        prior_tries: number of rollouts that a prior value counts for, where a game has one.
        use_learned: whether the learned tables of the game are used, where it has any.
        count_tries: whether the budget counts rollouts instead of simulated shots.
        usual_margin: standard errors by which a candidate must lead the bot's default action to replace it: with much
            hidden information, small gains in sampled deals are unreliable.
    """

    shots: int
    candidates: int = 32
    new_candidates: int = 6
    rounds: int = 3
    min_tries: int = MIN_TRIES
    prior_tries: int = 0
    use_learned: bool = True
    count_tries: bool = False
    usual_margin: float = 0.0


class ValueEstimate(Value, frozen=True, kw_only=True):
    """Estimated value of a position or candidate to a seat.

    Args:
        win_probability: 0 to 1. low, high: its 95 % interval, by sampling error and, where known, model error.
        point_margin: expected points ahead of the others when the end or round is over.
        margin: half its 95 % interval, by sampling error.
        tries: number of rollouts. sampling_margin: half the 95 % interval of `win_probability` by sampling error alone.
    """

    win_probability: float
    low: float
    high: float
    point_margin: float
    margin: float
    tries: int
    sampling_margin: float = 0.0

    def mirrored(self) -> "ValueEstimate":
        """Value to the other of two sides."""
        chances = {"win_probability": 1.0 - self.win_probability, "low": 1.0 - self.high, "high": 1.0 - self.low}
        return msgspec.structs.replace(self, **chances, point_margin=-self.point_margin)


class CandidateValue(Value, frozen=True, kw_only=True):
    """Candidate with its estimated value.

    Args:
        deficit: win probability that the best candidate has more, under common random numbers.
        margin: half its 95 % interval, by sampling error and, where known, model error.
    """

    action: Action
    value: ValueEstimate
    deficit: float = 0.0
    margin: float = 0.0


class Evaluation(Value, frozen=True, kw_only=True):
    """Evaluation of a position for the seat to play.

    Args:
        best: candidates and their values, the best first.
        is_decisive: whether the first is better than the others beyond sampling error and model error; where it is
            alone, than all that were tried.
        shots: simulated for it. shots_per_try: mean cost of a rollout.
        all_equal: whether all candidates had equal outcomes, rollout for rollout.
    """

    seat: int
    best: tuple[CandidateValue, ...]
    is_decisive: bool
    shots: int
    shots_per_try: float
    all_equal: bool = False

    @property
    def value(self) -> ValueEstimate:
        """Value of the position: that of its best candidate."""
        return self.best[0].value


class ValueMap(Value, frozen=True, kw_only=True):
    """Map of win probability over speed and azimuth of a flick; its other fields are fixed.

    Args:
        action: the flick. speeds [m/s], azimuths [rad]: axes of the map; both increase, azimuths also beyond pi.
        win_probability: of the intended flick, by speed and azimuth. shots: simulated for it.
    """

    action: Action
    speeds: tuple[float, ...]
    azimuths: tuple[float, ...]
    win_probability: tuple[tuple[float, ...], ...]
    shots: int


def estimate_value(win_probability: Floats, point_margin: Floats, error: ModelError | None = None) -> ValueEstimate:
    """Estimate a value, recalibrated, and its 95 % interval from rollouts. [S], [S]

    Args:
        error: of the model, where that is known.
    """
    low, high = _chance_interval(win_probability)
    mean = float(win_probability.mean())
    if error is not None:
        mean, low, high = map(error.calibrated, (mean, low, high))
    sampling_margin = (high - low) / 2.0
    if error is not None:
        error_margin = error.win_probability_margin(min(1.0, max(0.0, mean)))
        low = max(0.0, mean - hypot(mean - low, error_margin))
        high = min(1.0, mean + hypot(high - mean, error_margin))
    spread = float(point_margin.std(ddof=1)) if len(point_margin) > 1 else inf
    return ValueEstimate(
        win_probability=mean, low=low, high=high, point_margin=float(point_margin.mean()),
        margin=_half_width(spread, len(point_margin)), tries=len(win_probability), sampling_margin=sampling_margin,
    )  # fmt: skip


def paired_difference(first: Floats, other: Floats, error: ModelError | None = None) -> tuple[float, float]:
    """Paired difference of win probability, recalibrated, under common random numbers, and half its 95 % interval.

    [S], [S]

    Args:
        error: of the model, where that is known.
    """
    common = min(len(first), len(other))
    gain = first[:common] - other[:common]
    spread = float(gain.std(ddof=1)) if len(gain) > 1 else inf
    mean, margin = float(gain.mean()), _half_width(spread, len(gain))
    if error is None:
        return mean, margin
    ahead, behind = np.clip((first.mean(), other.mean()), 0.0, 1.0).tolist()
    scale = error.difference_scale(ahead, behind)
    return scale * mean, hypot(scale * margin, error.difference_margin(error.calibrated(ahead)))


def _half_width(spread: float, count: int) -> float:
    """Half the 95 % interval of a mean; for equal samples that of Wilson's interval for one rare point."""
    return _Z * spread / sqrt(count) if spread > 1e-9 else _Z * _Z / (count + _Z * _Z)


def wilson_interval(rate: float, count: int) -> tuple[float, float]:
    """Wilson score interval of a proportion, 95 % (Wilson, 1927)."""
    if count == 0:
        return 0.0, 1.0
    middle = (rate + _Z * _Z / (2 * count)) / (1 + _Z * _Z / count)
    half = _Z / (1 + _Z * _Z / count) * sqrt(rate * (1 - rate) / count + _Z * _Z / (4 * count * count))
    return max(0.0, round(middle - half, 12)), min(1.0, round(middle + half, 12))


def _chance_interval(chance: Floats) -> tuple[float, float]:
    """Wilson interval of mean win probability, with the effective sample size of fractional outcomes."""
    mean = float(np.clip(chance.mean(), 0.0, 1.0))
    variance, count = mean * (1.0 - mean), len(chance)
    if variance > 0.0 and len(chance) > 1:
        count = max(count, int(count * min(1e6, variance / max(float(chance.var(ddof=1)), 1e-12))))
    return wilson_interval(mean, count)


@dataclass(slots=True)
class Candidate:
    """Candidate under evaluation: outcomes of its rollouts, its executed flicks [S, 2], and a prior value."""

    action: Action
    prior_mean: float = 0.0
    prior_tries: int = 0
    win_probability: Floats = field(default_factory=lambda: np.zeros(0))
    point_margin: Floats = field(default_factory=lambda: np.zeros(0))
    executed: Floats = field(default_factory=lambda: np.zeros((0, 2)))

    @property
    def utility(self) -> Floats:
        """Utility of each rollout: win probability plus a small weight on the point margin. [S]"""
        return self.win_probability + _POINT_WEIGHT * self.point_margin

    @property
    def mean(self) -> float:
        """Mean utility, the prior included."""
        count = len(self.win_probability) + self.prior_tries
        return (float(self.utility.sum()) + self.prior_tries * self.prior_mean) / count if count else -inf

    def z_score_over(self, other: "Candidate") -> float:
        """Paired z-score of the lead over another candidate, over the rollouts both had."""
        weight = min(self.prior_tries, other.prior_tries)
        common = min(len(self.win_probability), len(other.win_probability))
        gains = self.utility[:common] - other.utility[:common]
        return z_score(gains, weight * (self.prior_mean - other.prior_mean), weight)

    def add_outcomes(self, outcomes: RolloutOutcomes, index: int) -> None:
        """Append the outcomes of more rollouts."""
        self.win_probability = np.concatenate([self.win_probability, outcomes.win_probability[index]])
        self.point_margin = np.concatenate([self.point_margin, outcomes.point_margin[index]])
        self.executed = np.concatenate([self.executed, outcomes.executed[index]])


class SuccessiveElimination:
    """Best-arm identification among the candidates of one decision by successive elimination.

    Args:
        model: rollout model. noise: execution noise of every player. config: its search budget. view: of the seat to
            play.

    Attributes:
        candidates: not yet eliminated, the best first after `run`. shots: simulated so far.
        is_decisive: whether the best is better than the others beyond doubt. shots_per_try: mean cost of a try.
        all_equal: whether all candidates had equal outcomes, try for try.
    """

    def __init__(
        self,
        model: RolloutModel,
        noise: ExecutionNoise,
        config: SearchConfig,
        view: View,
        seat: int,
        rng: np.random.Generator,
    ) -> None:
        self._model, self._noise, self._config = model, noise, config
        self._view, self._seat, self._rng = view, seat, rng
        self._rounds: list[tuple[int, int]] = []
        self._eliminated: list[Candidate] = []
        self.candidates = [Candidate(candidate) for candidate in model.candidates(view, rng, config.candidates)]
        self._default = self.candidates[0] if self.candidates else None
        """Candidate the bot takes without a search."""
        self.shots = self._budget_used = 0
        self.shots_per_try = 1.0
        self.all_equal = False
        self.is_decisive = len(self.candidates) == 1

    def run(self) -> None:
        """Eliminate candidates until one is decisively the best, or the budget is spent."""
        if len(self.candidates) < 2:
            return
        self._apply_priors()
        if not self._config.shots:  # no budget for simulation: prior values decide, or the default candidate
            self._evaluate_decisions()
            return
        self._run_rollouts(self.candidates[:1], [self._new_round(self._config.min_tries)])
        self.candidates = self.candidates[: max(2, self._affordable(_INITIAL_FRACTION, self._config.min_tries))]
        self._run_rollouts(self.candidates[1:], self._rounds)
        self.all_equal = _all_equal(self.candidates)
        while True:
            self._eliminate()
            if len(self._rounds) <= self._config.rounds:
                affordable = self._affordable(_WIDEN_FRACTION, self._tries_so_far)
                self._add_candidates(min(self._config.new_candidates, affordable))
            tries = min(self._tries_so_far, self._affordable(1.0, len(self.candidates)))
            if self.is_decisive or tries < 1:
                break
            self._run_rollouts(self.candidates, [self._new_round(tries)])
        self.all_equal = self.all_equal and _all_equal(self.candidates)
        self.candidates.sort(key=lambda candidate: -candidate.mean)

    @property
    def best_action(self) -> Action | None:
        """Action to play after the search; None without candidates.

        The best candidate, or the best one without a simpler equivalent where the lead over it is within sampling
        error; the default action while the lead over that is within its margin.
        """
        if not self.candidates:
            return None
        best, usual, margin = self.candidates[0], self._default, self._config.usual_margin
        if self.simpler_actions([best.action]):
            near = (candidate for candidate in self.candidates[1:] if best.z_score_over(candidate) <= _DROP_Z)
            best = next((candidate for candidate in near if not self.simpler_actions([candidate.action])), best)
        if usual is None or best is usual or not margin or best.z_score_over(usual) > margin:
            return best.action
        return usual.action

    def _evaluate_decisions(self) -> None:
        """Roll out each candidate once if none of them simulates a shot."""
        if self._config.prior_tries and not any(
            isinstance(candidate.action, Flick | Squidge | Launch) for candidate in self.candidates
        ):
            self._run_rollouts(self.candidates, [self._new_round(1)])
            self.candidates.sort(key=lambda candidate: -candidate.mean)

    def _apply_priors(self) -> None:
        """Set the prior values of the candidates, if the game has any, and sort by them.

        Unknown ones are sorted as the median, so that they are simulated; without simulation last.
        """
        if not self._config.prior_tries:
            return
        seed = int(self._rng.integers(2**62))
        priors = self._model.prior_values(
            self._view, self._seat, [candidate.action for candidate in self.candidates], self._noise, seed
        )
        if priors is None:
            return
        utility = priors[0] + _POINT_WEIGHT * priors[1]
        for candidate, prior in zip(self.candidates, utility.tolist(), strict=True):
            if not isnan(prior):
                candidate.prior_mean, candidate.prior_tries = prior, self._config.prior_tries
        is_unknown = np.isnan(utility)
        unknown = float(np.nanmedian(utility)) if self._config.shots and not is_unknown.all() else -inf
        order = np.argsort(-np.where(is_unknown, unknown, utility), kind="stable")
        self.candidates = [self.candidates[k] for k in order.tolist()]

    def _affordable(self, fraction: float, tries: int) -> int:
        """Number of times that so many rollouts fit into a fraction of the remaining budget."""
        return int(fraction * (self._config.shots - self._budget_used) / (self.shots_per_try * tries))

    @property
    def _tries_so_far(self) -> int:
        """Rollouts of every candidate so far."""
        return sum(tries for tries, _ in self._rounds)

    def _new_round(self, tries: int) -> tuple[int, int]:
        """Add a round of so many rollouts, with a seed of its own."""
        self._rounds.append((tries, int(self._rng.integers(2**62))))
        return self._rounds[-1]

    def _run_rollouts(self, candidates: Sequence[Candidate], rounds: Sequence[tuple[int, int]]) -> None:
        """Roll out these candidates in these rounds."""
        for tries, seed in rounds:
            if not candidates:
                return
            stop_if_cancelled()
            outcomes = self._model.rollout(
                self._view, self._seat, [candidate.action for candidate in candidates], self._noise, tries, seed
            )
            # a rollout without simulation counts too: it takes time, and the search must end
            made = outcomes.win_probability.size
            self.shots += max(outcomes.shots, made)
            self._budget_used += made if self._config.count_tries else max(outcomes.shots, made)
            if not self._config.count_tries:
                self.shots_per_try = max(self.shots_per_try, outcomes.shots / made)
            for row, candidate in enumerate(candidates):
                candidate.add_outcomes(outcomes, row)

    def _eliminate(self) -> None:
        """Eliminate candidates clearly behind, and the last of the others."""
        self.candidates.sort(key=lambda candidate: -candidate.mean)
        best = self.candidates[0]
        behind = sorted(best.z_score_over(candidate) for candidate in self.candidates)
        self.is_decisive = all(by > _DECISIVE_Z for by in behind[1:]) and len(self._rounds) > 1
        near = sum(by <= _DROP_Z for by in behind)
        kept = max(2, min(near, int(_KEEP_FRACTION * len(self.candidates))))
        self._eliminated += self.candidates[kept:]
        self.candidates = self.candidates[:kept]

    def _add_candidates(self, count: int) -> None:
        """Add the proposals with the highest upper estimates by kernel regression."""
        flicks = [candidate for candidate in self.candidates if isinstance(candidate.action, Flick | Squidge | Launch)]
        if count < 1 or not flicks:
            return
        proposals = [self._perturbed(flicks[k % min(3, len(flicks))].action) for k in range(_PROPOSALS)]
        proposals = [action for action in proposals if self._is_legal(action)]
        estimates = self._upper_estimates(proposals, flicks)
        first = [proposals[k] for k in np.argsort(-estimates, kind="stable")[:count]]
        # estimates are compared before directions are wrapped into half a turn
        new = [Candidate(msgspec.structs.replace(action, azimuth=wrap_angle(action.azimuth))) for action in first]
        self._run_rollouts(new, self._rounds)
        self.candidates += new
        self.is_decisive = False

    def _upper_estimates(self, proposals: Sequence[Action], candidates: Sequence[Candidate]) -> Floats:
        """Upper confidence estimates of untried flicks, by kernel regression over executed flicks of the same piece.

        The bandwidth over speed and azimuth is the execution noise.
        """
        found = np.full(len(proposals), -inf)
        for piece in dict.fromkeys(candidate.action.piece for candidate in candidates):
            rows = [k for k, action in enumerate(proposals) if action.piece == piece]
            sampled = [candidate for candidate in candidates if candidate.action.piece == piece]
            if not rows:
                continue
            points = [
                np.hstack([candidate.executed, np.tile(_start_point(candidate.action), (len(candidate.executed), 1))])
                for candidate in sampled
            ]
            queries = np.array([(proposals[k].speed, proposals[k].azimuth, *_start_point(proposals[k])) for k in rows])
            utility = np.concatenate([candidate.utility for candidate in sampled])
            speed_width = max(self._noise.speed, 1e-3) * float(queries[:, 0].mean())
            width = np.array([speed_width, max(self._noise.azimuth, 1e-3), _START_BANDWIDTH, _START_BANDWIDTH])
            mean, count = kernel_regression(queries, np.concatenate(points), utility, width, float(utility.mean()))
            found[rows] = mean + _OPTIMISM * float(utility.std()) / np.sqrt(count + 1.0)
        return found

    def _perturbed(self, action: Action) -> Action:
        """Random perturbation of a flick."""
        speed_error, azimuth_error, start_error, elevation_error = self._rng.standard_normal(4).tolist()
        noise = self._noise
        new = {
            "speed": min(MAX_SPEED, action.speed * max(0.5, 1.0 + 1.5 * max(noise.speed, 0.01) * speed_error)),
            "azimuth": action.azimuth + 1.5 * max(noise.azimuth, 0.01) * azimuth_error,
        }
        if isinstance(action, Flick) and action.start is not None:
            new["start"] = (action.start[0] + _START_BANDWIDTH * start_error, action.start[1])
        elif isinstance(action, Squidge):
            new["elevation"] = min(1.5, max(0.1, action.elevation + _ELEVATION_BANDWIDTH * elevation_error))
        return msgspec.structs.replace(action, **new)

    def _is_legal(self, action: Action) -> bool:
        try:
            self._model.check(self._view, action)
        except FlicksimError:
            return False
        return True

    # -- results ------------------------------------------------------------------------------------------------------

    def measure_cost(self, finalists: Sequence[Action], extra: Sequence[Action], seed: int) -> None:
        """Measure how many shots a try takes, the most of any extra action.

        Finalists are measured too, where that varies or no action was tried before.
        """
        for action in (*(finalists if self.shots_per_try > 1.0 or not self.shots else ()), *extra):
            self._run_rollouts([Candidate(action)], [(_PILOT_TRIES, seed)])

    def required_shots(self, top: int, others: int, validation_fraction: float) -> int:
        """Shots that are enough for the final estimates, as the cost of a try is known so far.

        Args:
            top, validation_fraction: see `evaluate`. others: number of further actions in the final estimates.
        """
        candidates = [candidate.action for candidate in (*self.candidates, *self._eliminated)]
        is_alone = len(candidates) == 1  # nothing is searched, and all shots are left
        finalists = (1 if is_alone else top) * (2 if self.simpler_actions(candidates) else 1)
        tries = (MIN_TRIES + _PILOT_TRIES) * (finalists + others)
        return ceil(tries * self.shots_per_try / (1.0 if is_alone else validation_fraction))

    def distinct_candidates(
        self, top: int, is_same: Callable[[Action, Action, ExecutionNoise], bool] | None = None
    ) -> list[Candidate]:
        """Best candidates, eliminated ones last, without any that is similar to one before it.

        Args:
            is_same: similarity of two actions; `RolloutModel.is_similar` without.
        """
        is_same, found = is_same or partial(self._model.is_similar, self._view), list[Candidate]()
        for candidate in (*self.candidates, *sorted(self._eliminated, key=lambda candidate: -candidate.mean)):
            if len(found) < top and not any(is_same(candidate.action, other.action, self._noise) for other in found):
                found.append(candidate)
        return found

    @property
    def _error(self) -> ModelError | None:
        return self._model.model_error(self._view)

    def simpler_actions(self, actions: Sequence[Action]) -> dict[Action, Action]:
        """Simpler equivalents of these actions, by action, where there are any."""
        found = ((action, self._model.simpler_action(self._view, action)) for action in actions)
        return {original: plain for original, plain in found if plain is not None}

    def evaluate_finalists(
        self,
        finalists: Sequence[Action],
        simpler: Mapping[Action, Action],
        tries: int,
        extra: Sequence[Action],
        seed: int,
    ) -> Evaluation:
        """Estimate the values of the finalists by rollouts with new seeds, without the bias of selecting the best.

        Args:
            simpler: simpler equivalents of some finalists; returned in their place unless the original is ahead beyond
                sampling error.
            extra: actions returned in any case.
        """
        candidates = {action: Candidate(action) for action in (*finalists, *simpler.values(), *extra)}
        self._run_rollouts(list(candidates.values()), split_batches(tries, seed))
        utilities, leader = {action: candidate.mean for action, candidate in candidates.items()}, finalists[0]
        for original, plain in simpler.items():
            gain, margin = paired_difference(
                candidates[original].win_probability, candidates[plain].win_probability, self._error
            )
            dropped = plain
            if gain <= margin:
                utilities[original] = min(utilities[original], utilities[plain])
                leader, dropped = plain if leader == original else leader, original
            if dropped not in extra:
                utilities.pop(dropped, None)
        ranked = sorted(utilities, key=lambda action: (-utilities[action], action in simpler))
        evaluation = self._evaluation_of([candidates[action] for action in ranked], self.is_decisive)
        # the search may have compared near copies alone and never the extra actions: the new rollouts decide
        best, *others = evaluation.best
        is_clear = all(other.deficit > other.margin for other in others) if others else self.is_decisive
        return msgspec.structs.replace(evaluation, is_decisive=is_clear and best.action == leader)

    def partial_result(self, top: int) -> Evaluation | None:
        """Evaluation from the search so far, without a shot more; None where no candidate has enough rollouts."""
        self.candidates.sort(key=lambda candidate: -candidate.mean)
        candidates = [
            candidate
            for candidate in self.distinct_candidates(top, within_execution_noise)
            if len(candidate.win_probability) >= MIN_TRIES
        ]
        return self._evaluation_of(candidates, False) if candidates else None

    def _evaluation_of(self, candidates: Sequence[Candidate], sure: bool) -> Evaluation:
        error, leader, best = self._error, candidates[0], []
        for candidate in candidates:
            deficit, margin = paired_difference(leader.win_probability, candidate.win_probability, error)
            if candidate is leader:
                deficit = margin = 0.0
            value = estimate_value(candidate.win_probability, candidate.point_margin, error)
            best.append(CandidateValue(action=candidate.action, value=value, deficit=deficit, margin=margin))
        return Evaluation(
            seat=self._seat, best=tuple(best), is_decisive=sure, shots=self.shots, shots_per_try=self.shots_per_try,
            all_equal=self.all_equal and _all_equal(candidates),
        )  # fmt: skip


def within_execution_noise(first: Action, second: Action, noise: ExecutionNoise) -> bool:
    """Return True if two flicks differ in start, speed, azimuth and elevation alone, by less than the noise."""
    if not (isinstance(first, Flick | Squidge | Launch) and type(first) is type(second)):
        return bool(first == second)
    by_speed, by_turn = noise.speed_and_azimuth_std(max(first, second, key=lambda flick: flick.speed))
    same = {name: getattr(first, name) for name in _VARIED_FIELDS if hasattr(first, name)}
    return (
        msgspec.structs.replace(second, **same) == first
        and dist(_start_point(first), _start_point(second)) < _START_BANDWIDTH
        and abs(first.speed - second.speed) <= by_speed * max(first.speed, second.speed)
        and abs(wrap_angle(first.azimuth - second.azimuth)) <= by_turn
        and abs(_elevation_of(first) - _elevation_of(second)) <= _ELEVATION_BANDWIDTH
    )


def _all_equal(candidates: Sequence[Candidate]) -> bool:
    """Return True if all candidates had equal outcomes, rollout for rollout, in the rollouts they share."""
    common = min(len(candidate.win_probability) for candidate in candidates)
    return all(
        np.abs(candidate.win_probability[:common] - candidates[0].win_probability[:common]).max(initial=0.0)
        < _EQUAL_TOLERANCE
        for candidate in candidates
    )


def _start_point(action: Action) -> tuple[float, float]:
    """Start point of a flick, the origin where it has none [m]."""
    at = getattr(action, "start", None) or getattr(action, "hold", None) or (0.0, 0.0)
    return (float(at[0]), float(at[1]))


def _elevation_of(action: Action) -> float:
    """Elevation of a squidge, slant of a launch, 0 of a flick [rad]."""
    return float(getattr(action, "elevation", getattr(action, "slant", 0.0)))


def z_score(gains: Floats, prior_sum: float = 0.0, prior_count: int = 0) -> float:
    """z-score of paired differences and a prior difference that counts for `prior_count` samples."""
    if len(gains) == 1:  # one difference has no spread, and proves nothing
        return 0.0
    count = len(gains) + prior_count
    mean = (float(gains.sum()) + prior_sum) / count
    spread = float(gains.std(ddof=1)) / sqrt(count) if len(gains) > 1 else 0.0
    return mean / spread if spread > 0.0 else inf if mean > 0.0 else 0.0


def split_batches(tries: int, seed: int) -> list[tuple[int, int]]:
    """Split rollouts into batches that fit into memory, each (count, seed)."""
    return [(min(BATCH_TRIES, tries - begun), seed + begun) for begun in range(0, tries, BATCH_TRIES)]


def evaluate(
    model: RolloutModel,
    noise: ExecutionNoise,
    view: View,
    seat: int,
    seed: int,
    shots: int,
    *,
    top: int = 3,
    extra: Sequence[Action] = (),
    reserved: int = 0,
    validation_fraction: float = _VALIDATION_FRACTION,
    validation_seed: int | None = None,
    max_tries: int = BATCH_TRIES,
) -> Evaluation:
    """Evaluate a position: search for its best candidates, then estimate their values with new seeds.

    Args:
        model: rollout model. noise: execution noise of every player. view: of the seat to play. shots: simulated at
            most.
        top: number of candidates returned. extra: actions returned in any case.
        reserved: number of further actions for which the caller needs as many shots as for a candidate.
        validation_fraction: share of the shots kept for the final estimates. validation_seed: their seed; drawn
            where None.
        max_tries: most rollouts of a candidate in the final estimates.

    Raises:
        TooFewShots: the budget is too small. InvalidOption: there is nothing to choose. EvaluationInterrupted: Ctrl-C.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    search = SuccessiveElimination(
        model, noise, _config_for(max(1, int((1.0 - validation_fraction) * shots))), view, seat, rng
    )
    try:
        search.run()
        if not search.candidates:
            raise InvalidOption("nothing can be evaluated there: no seat has a choice")
        first = [candidate.action for candidate in search.distinct_candidates(top)]
        simpler = search.simpler_actions(first)
        others = [action for action in extra if action not in first]
        if validation_seed is None:
            validation_seed = int(rng.integers(2**62))
        budget = _FINAL_BUDGET_FRACTION * (shots - search.shots)
        search.measure_cost(first, others, validation_seed)
        count, most = (len(first) + len(simpler) + len(actions) + reserved for actions in (others, extra))
        left = min(budget, shots - search.shots) / search.shots_per_try
        if int(left / most) < MIN_TRIES:  # the worst case: extra actions are not among the finalists
            required = search.required_shots(top, len(extra) + reserved, validation_fraction)
            raise TooFewShots(shots, required)
        return search.evaluate_finalists(first, simpler, min(int(left / count), max_tries), extra, validation_seed)
    except KeyboardInterrupt:
        raise EvaluationInterrupted(search.partial_result(top)) from None


def best_candidates(
    model: RolloutModel, noise: ExecutionNoise, view: View, seat: int, seed: int, shots: int, top: int
) -> list[Action]:
    """Best candidates of a position by the search of `evaluate`, distinct beyond execution noise, the best first.

    Args:
        shots: largest number simulated. top: largest number returned.
    """
    search = SuccessiveElimination(
        model, noise, _config_for(shots), view, seat, np.random.Generator(np.random.PCG64(seed))
    )
    search.run()
    return [candidate.action for candidate in search.distinct_candidates(top, within_execution_noise)]


def _config_for(shots: int) -> SearchConfig:
    """Search configuration of an evaluation outside a game."""
    return SearchConfig(
        shots=shots,
        candidates=_MAX_CANDIDATES,
        new_candidates=_NEW_CANDIDATES,
        rounds=_WIDENING_ROUNDS,
        prior_tries=_PRIOR_TRIES,
    )


def compute_value_map(
    model: RolloutModel, noise: ExecutionNoise, view: View, seat: int, seed: int, action: Action, shots: int
) -> ValueMap:
    """Map win probability over speed and azimuth around a flick.

    Both are executed exactly, the other fields with execution noise; the map is then smoothed by a Gaussian kernel as
    wide as the execution noise of the two.

    Args:
        action: flick at the centre of the map. shots: approximate number simulated.
    """
    span = np.linspace(-1.0, 1.0, _GRID_CELLS)
    speed_std, azimuth_std = (max(error, 0.005) for error in noise.speed_and_azimuth_std(action))
    speeds = np.clip(action.speed * (1.0 + _GRID_HALF_WIDTH * speed_std * span), 1e-3, MAX_SPEED)
    azimuths = action.azimuth + _GRID_HALF_WIDTH * azimuth_std * span
    candidates = [
        msgspec.structs.replace(action, speed=float(speed), azimuth=float(azimuth))
        for speed in speeds
        for azimuth in azimuths
    ]
    pilot = model.rollout(view, seat, candidates[:1], noise, MIN_TRIES, seed, exact=True)
    tries = max(1, int(shots / (len(candidates) * max(1.0, pilot.shots / MIN_TRIES))))
    values, simulated = np.zeros(len(candidates)), pilot.shots
    rng = np.random.Generator(np.random.PCG64(seed))
    for part in range(_NOISE_STREAMS * tries):
        # neighbouring cells use different streams: a common one would shift the whole map
        cells = slice(part % _NOISE_STREAMS, None, _NOISE_STREAMS)
        made = [
            msgspec.structs.replace(noise.execute(candidate, rng), speed=candidate.speed, azimuth=candidate.azimuth)
            for candidate in candidates[cells]
        ]
        outcomes = model.rollout(view, seat, made, noise, 1, seed + part, exact=True)
        values[cells] += outcomes.win_probability[:, 0] / tries
        simulated += outcomes.shots
    at = np.array([(candidate.speed, candidate.azimuth) for candidate in candidates])
    width = np.array([speed_std * action.speed, azimuth_std])
    mean, _ = kernel_regression(at, at, values, width, float(values.mean()))
    if (error := model.model_error(view)) is not None:
        mean = np.array([error.calibrated(chance) for chance in mean.tolist()])
    rows = mean.reshape(_GRID_CELLS, _GRID_CELLS).round(6).tolist()
    return ValueMap(
        action=action, speeds=tuple(speeds.tolist()), azimuths=tuple(azimuths.tolist()),
        win_probability=tuple(tuple(row) for row in rows), shots=simulated,
    )  # fmt: skip
