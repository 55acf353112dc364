"""Anytime analysis of a position: a first estimate at once, refined with more and more shots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import hypot

from msgspec.structs import replace

from flicksim.ai import (
    BATCH_TRIES,
    GRADES,
    MIN_TRIES,
    CandidateValue,
    Evaluation,
    ExecutionNoise,
    TooFewShots,
    ValueMap,
    compute_value_map,
    estimate_value,
    evaluate,
    paired_difference,
)
from flicksim.core.errors import FlicksimError, InvalidOption
from flicksim.core.geometry import wrap_angle
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import Action, SimulationResult, State, View
from flicksim.games import load
from flicksim.match.game_model import SEARCH_SETTINGS, PhysicsSimulator
from flicksim.match.review import PastTurn, ReviewableTurn, ReviewedTurn, SkippedTurn, review_turns
from flicksim.match.rollout_model import GameRolloutModel
from flicksim.match.workers import map_unordered
from flicksim.referee import Game, Purpose
from flicksim.scene import Flick, Launch, Squidge

_FIRST_LOOK_ACTIONS, _FIRST_LOOK_FRACTION, _MIN_TRIES = 3, 0.02, 12
"""The first word is about so many plans, with tries over the game's usual number of shots, and at least so many."""
_BUDGET_FRACTIONS = (0.1, 0.4, 1.0, 3.0)
"""Shots settled for each word after that, over the game's usual number."""
_MAX_MAP_REFINEMENTS = 2
"""So often at most the brightest place of the map is tried as a better plan."""
_MAP_CHECK_FRACTION = 0.3
"""Shots for that, over the game's usual number."""
_FLICK_TYPES = Flick | Squidge | Launch
_SHOWN_ACTIONS = 3
"""Plans told of."""
_MAX_INTERVAL = 0.03
"""A chance whose interval by luck is no wider is sure enough, after as many shots as usual [1]."""


class Analysis(Value, frozen=True, kw_only=True):
    """A position weighed.

    Args:
        evaluation: by as many shots as there were. is_heuristic: whether the game is not played out, only judged.
        is_preliminary: whether only the most natural plans were tried, a few times.
        purposes: of its best plans, in their order.
    """

    evaluation: Evaluation
    is_heuristic: bool
    is_preliminary: bool = False
    purposes: tuple[Purpose | None, ...] = ()

    def win_chances(self, sides: Sequence[Sequence[int]]) -> tuple[tuple[float, float, float], ...]:
        """The chance of each of two sides, with its interval; of more only that of the side to play, and the rest."""
        worth = self.evaluation.value
        own = (worth.win_probability, worth.low, worth.high)
        rest = (1.0 - worth.win_probability, 1.0 - worth.high, 1.0 - worth.low)
        return (own, rest) if len(sides) != 2 or self.evaluation.seat in sides[0] else (rest, own)


def analyse_position(
    name: str, state: State, hand: str, seed: int, with_map: bool = False
) -> Iterator[Analysis | ValueMap]:
    """Weigh a position of a game with more and more shots, until it is sure enough; the first word is a rough one.

    Args:
        with_map: whether the map of the best flick is told too, as soon as that is known by the usual number of shots;
            where its brightest place is better beyond luck, that becomes the best flick, with a map of its own.

    Raises:
        InvalidOption: nobody is to play there, or nothing can be weighed; says why.
    """
    game = load(name)
    future, seat = GameRolloutModel(game, PhysicsSimulator(SEARCH_SETTINGS)), game.rules.to_play(state)
    if seat is None:
        raise InvalidOption("the game is over there, and nobody is to play")
    view, few = game.rules.view(state, seat), None
    drawn: ValueMap | None = None

    def make_analysis(evaluation: Evaluation, *, rough: bool = False) -> Analysis:
        purposes = tuple(future.purpose(view, one.action) for one in evaluation.best)
        return Analysis(
            evaluation=evaluation, is_heuristic=not future.plays_to_end, is_preliminary=rough, purposes=purposes
        )

    rough = _preliminary_evaluation(future, GRADES[hand], view, seat, seed)
    if rough is not None:
        yield make_analysis(rough, rough=True)
    for k, part in enumerate(_BUDGET_FRACTIONS):
        luck = RandomStreams(seed=seed).spawn("part", k).derived_seed() % 2**62
        try:
            weighing = evaluate(future, GRADES[hand], view, seat, luck, round(part * future.default_shots))
        except TooFewShots as wrong:
            few = wrong
            continue
        few = None
        yield make_analysis(weighing)
        if (
            part == 1.0
            and with_map
            and (drawn := _map_best(future, GRADES[hand], view, seat, seed, weighing)) is not None
        ):
            yield drawn
        if part >= 1.0 and 2.0 * weighing.value.sampling_margin < _MAX_INTERVAL:
            break
    if few is not None:
        raise few
    for turn in range(_MAX_MAP_REFINEMENTS if with_map else 0):
        if drawn is None or drawn.action != weighing.best[0].action:
            if (drawn := _map_best(future, GRADES[hand], view, seat, seed, weighing)) is None:
                return
            yield drawn
        luck = RandomStreams(seed=seed).spawn("brightest", turn).derived_seed() % 2**62
        if (better := improve_with_map(future, GRADES[hand], view, seat, luck, weighing, drawn)) is None:
            return
        weighing = better
        yield make_analysis(weighing)


def _map_best(
    model: GameRolloutModel, noise: ExecutionNoise, view: View, seat: int, seed: int, evaluation: Evaluation
) -> ValueMap | None:
    """The map of the best plan; None where that is no flick."""
    best = evaluation.best[0].action
    return (
        compute_value_map(model, noise, view, seat, seed, best, model.default_shots)
        if isinstance(best, _FLICK_TYPES)
        else None
    )


def improve_with_map(
    model: GameRolloutModel,
    noise: ExecutionNoise,
    view: View,
    seat: int,
    seed: int,
    evaluation: Evaluation,
    value_map: ValueMap,
) -> Evaluation | None:
    """The weighing with the brightest place of a map as its best plan; None where that is not better beyond luck.

    The best of many places looks better than it is: it is tried by fresh luck, beside the plan that was the best.
    """
    best, plan = evaluation.best[0], best_action(value_map)
    tries = max(MIN_TRIES, round(_MAP_CHECK_FRACTION * model.default_shots / (2.0 * evaluation.shots_per_try)))
    try:
        model.check(view, plan)
    except FlicksimError:
        return None
    told = model.rollout(view, seat, [plan, best.action], noise, tries, seed)
    error = model.model_error(view)
    gain, give = paired_difference(told.win_probability[0], told.win_probability[1], error)
    worth = estimate_value(told.win_probability[0], told.point_margin[0], error)
    if gain <= give or worth.win_probability <= best.value.win_probability:
        return None
    unlike = [one for one in evaluation.best if not model.is_similar(view, one.action, plan, noise)]
    others = (
        replace(one, deficit=one.deficit + gain, margin=hypot(one.margin, give)) for one in unlike[: _SHOWN_ACTIONS - 1]
    )
    return Evaluation(  # the race was sure of another, where this was not among the plans
        seat=seat, best=(CandidateValue(action=plan, value=worth), *others), is_decisive=False,
        shots=evaluation.shots + told.shots, shots_per_try=evaluation.shots_per_try,
    )  # fmt: skip


def best_action(value_map: ValueMap) -> Action:
    """The flick at the brightest place of a map."""
    most = max(map(max, value_map.win_probability))
    row = next(k for k, chances in enumerate(value_map.win_probability) if most in chances)
    column = value_map.win_probability[row].index(most)
    return replace(value_map.action, speed=value_map.speeds[row], azimuth=wrap_angle(value_map.azimuths[column]))


def default_shots(game: Game) -> int:
    """Shots that a game's position is weighed with, and a map drawn."""
    return GameRolloutModel(game, PhysicsSimulator()).default_shots


def expected_shots(game: Game, *, with_map: bool) -> tuple[int, int]:
    """Shots that an appraisal takes until the position may be sure enough, and at most.

    Args:
        with_map: see `analyse_position`.
    """
    usual = default_shots(game)
    maps = (1.0 + _MAP_CHECK_FRACTION) * with_map
    first = sum(part for part in _BUDGET_FRACTIONS if part <= 1.0) + maps
    return round(usual * first), round(usual * (sum(_BUDGET_FRACTIONS) + _MAX_MAP_REFINEMENTS * maps))


def _preliminary_evaluation(
    model: GameRolloutModel, noise: ExecutionNoise, view: View, seat: int, seed: int
) -> Evaluation | None:
    """A first look at the most natural plans; None where there are none."""
    plans = model.top_candidates(view, _FIRST_LOOK_ACTIONS)
    if not plans:
        return None
    tries = max(_MIN_TRIES, round(_FIRST_LOOK_FRACTION * model.default_shots / len(plans)))
    told = model.rollout(view, seat, plans, noise, tries, seed)
    error = model.model_error(view)
    worths = [
        estimate_value(chance, points, error)
        for chance, points in zip(told.win_probability, told.point_margin, strict=True)
    ]
    found = [CandidateValue(action=plan, value=worth) for plan, worth in zip(plans, worths, strict=True)]
    found.sort(key=lambda one: -one.value.win_probability)
    each = told.shots / told.win_probability.size
    return Evaluation(seat=seat, best=tuple(found), is_decisive=False, shots=told.shots, shots_per_try=each)


def iter_value_maps(name: str, state: State, hand: str, seed: int, actions: Sequence[Action]) -> Iterator[ValueMap]:
    """The maps of some flicks in a position, one after another."""
    game = load(name)
    future, seat = GameRolloutModel(game, PhysicsSimulator(SEARCH_SETTINGS)), game.rules.to_play(state)
    assert seat is not None
    view = game.rules.view(state, seat)
    for action in actions:
        yield compute_value_map(future, GRADES[hand], view, seat, seed, action, future.default_shots)


def simulate_intended(name: str, state: State, action: Action) -> Iterator[SimulationResult]:
    """The motion of an action made just as it is meant; nothing where nothing moves."""
    staged = load(name).rules.simulation_setup(state, action)
    if staged is not None:
        yield PhysicsSimulator().simulate(*staged)


def iter_reviewed_turns(
    name: str,
    turns: Sequence[ReviewableTurn],
    hand: str,
    seed: int,
    shots: int | None = None,
    max_tries: int = BATCH_TRIES,
) -> Iterator[tuple[ReviewedTurn | SkippedTurn, int]]:
    """The turns of a game gone through, weighed with a hand of that grade; beside each the shots settled for it.

    Args:
        shots: settled for a turn at most; the game's usual number without. max_tries: tries of each plan, at most.
    """
    game = load(name)
    future = GameRolloutModel(game, PhysicsSimulator(SEARCH_SETTINGS))
    return review_turns(
        game, future, turns, GRADES[hand], future.default_shots if shots is None else shots, seed, max_tries
    )


def review_parallel(
    name: str, turns: Sequence[ReviewableTurn], hand: str, seed: int, shots: Mapping[int, int], *, jobs: int,
    max_tries: int = BATCH_TRIES,
) -> Iterator[tuple[ReviewedTurn | SkippedTurn, int]]:  # fmt: skip
    """The turns gone through by so many workers and told in order; what is done before one ahead of it waits for that.

    Every turn has seeds of its own, so one worker or many come to the same.

    Args:
        shots: settled for each turn at most, by number. max_tries: tries of each plan, at most.

    Raises:
        WorkersLost: one died. KeyboardInterrupt: Ctrl-C. What still waited then is not told.
    """
    early = dict[int, tuple[ReviewedTurn | SkippedTurn, int]]()
    due = iter(turn.number for turn in turns)
    number = next(due, None)
    tasks = [(name, PastTurn.from_turn(turn), hand, seed, shots[turn.number], max_tries) for turn in turns]
    for one, cost in map_unordered(_review_one, tasks, jobs=jobs):
        early[one.number] = one, cost
        while number in early:
            yield early.pop(number)
            number = next(due, None)


def _review_one(
    name: str, turn: PastTurn, hand: str, seed: int, shots: int, max_tries: int
) -> tuple[ReviewedTurn | SkippedTurn, int]:
    """A turn gone through, by a worker."""
    return next(iter_reviewed_turns(name, (turn,), hand, seed, shots, max_tries))
