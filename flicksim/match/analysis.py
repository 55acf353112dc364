"""Anytime analysis of a position: a first estimate at once, refined with more and more shots."""

from collections.abc import Iterator, Mapping, Sequence
from math import hypot

from msgspec.structs import replace

from flicksim import ai
from flicksim.core.errors import FlicksimError, InvalidOption
from flicksim.core.geometry import wrap_angle
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import Action, SimulationResult, State, View
from flicksim.games import load
from flicksim.match.game_model import PhysicsSimulator
from flicksim.match.review import PastTurn, ReviewableTurn, ReviewedTurn, SkippedTurn, review_turns
from flicksim.match.rollout_model import GameRolloutModel
from flicksim.match.workers import map_unordered
from flicksim.referee import Game, Purpose
from flicksim.scene import Flick, Launch, Squidge

_FIRST_LOOK_ACTIONS, _FIRST_LOOK_FRACTION, _MIN_TRIES = 3, 0.02, 12
"""Preliminary evaluation: number of candidates, share of the game's default shots, least rollouts of each."""
_BUDGET_FRACTIONS = (0.1, 0.4, 1.0, 3.0)
"""Shots of each evaluation after that, as multiples of the game's default."""
_MAX_MAP_REFINEMENTS = 2
"""Most times that the maximum of the value map is tried as a better action."""
_MAP_CHECK_FRACTION = 0.3
"""Shots for that, as a share of the game's default."""
_FLICK_TYPES = Flick | Squidge | Launch
_MAX_SIDE_TRIES = 400
"""Most rollouts for the win probability of each other side, where there are more than two."""
_SHOWN_ACTIONS = 3
"""Number of candidates returned."""
_MAX_INTERVAL = 0.03
"""Width of the sampling interval at which an analysis stops after the default number of shots [1]."""


class Analysis(Value, frozen=True, kw_only=True):
    """Analysis of a position at one stage of refinement.

    Args:
        evaluation: so far. is_heuristic: whether rollouts end in a heuristic value instead of the end of the game.
        is_preliminary: whether it rests on a few rollouts of the first candidates alone.
        purposes: of the best candidates, in their order.
        side_values: of the best candidate to each side; empty for two sides, where one follows from the other.
    """

    evaluation: ai.Evaluation
    is_heuristic: bool
    is_preliminary: bool = False
    purposes: tuple[Purpose | None, ...] = ()
    side_values: tuple[ai.ValueEstimate, ...] = ()

    def win_chances(self, sides: Sequence[Sequence[int]]) -> tuple[tuple[float, float, float], ...]:
        """Win probability and interval of each side."""
        value = self.evaluation.value
        pair = (value, value.mirrored()) if self.evaluation.seat in sides[0] else (value.mirrored(), value)
        return tuple((one.win_probability, one.low, one.high) for one in self.side_values or pair)


def analyse_position(
    name: str, state: State, hand: str, seed: int, with_map: bool = False
) -> Iterator[Analysis | ai.ValueMap]:
    """Analyse a position with more and more shots until its value is certain enough (iterative refinement).

    Args:
        hand: grade of the execution noise of every player.
        with_map: whether to yield the value map of the best flick too, after the default number of shots; where the
            maximum of the map is better beyond sampling error, that becomes the best flick, with a map of its own.

    Raises:
        InvalidOption: nobody is to play there, or there is nothing to evaluate; says why.
    """
    game = load(name)
    model, seat = GameRolloutModel(game), game.rules.to_play(state)
    if seat is None:
        raise InvalidOption("the game is over there, and nobody is to play")
    view, noise, too_few = game.rules.view(state, seat), ai.GRADES[hand], None
    sides = game.sides(len(game.rules.scores(state)))
    value_map: ai.ValueMap | None = None

    def make_analysis(evaluation: ai.Evaluation, *, is_preliminary: bool = False) -> Analysis:
        purposes = tuple(model.purpose(view, candidate.action) for candidate in evaluation.best)
        return Analysis(
            evaluation=evaluation, is_heuristic=not model.plays_to_end, is_preliminary=is_preliminary,
            purposes=purposes, side_values=_side_values(model, sides, noise, view, evaluation, seed),
        )  # fmt: skip

    preliminary = _preliminary_evaluation(model, noise, view, seat, seed)
    if preliminary is not None:
        yield make_analysis(preliminary, is_preliminary=True)
    for k, fraction in enumerate(_BUDGET_FRACTIONS):
        part_seed = RandomStreams(seed=seed).spawn("part", k).derived_seed() % 2**62
        try:
            evaluation = ai.evaluate(model, noise, view, seat, part_seed, round(fraction * model.default_shots))
        except ai.TooFewShots as error:
            too_few = error
            continue
        too_few = None
        yield make_analysis(evaluation)
        if (
            fraction == 1.0
            and with_map
            and (value_map := _map_best(model, noise, view, seat, seed, evaluation)) is not None
        ):
            yield value_map
        if fraction >= 1.0 and 2.0 * evaluation.value.sampling_margin < _MAX_INTERVAL:
            break
    if too_few is not None:
        raise too_few
    for turn in range(_MAX_MAP_REFINEMENTS if with_map else 0):
        if value_map is None or value_map.action != evaluation.best[0].action:
            if (value_map := _map_best(model, noise, view, seat, seed, evaluation)) is None:
                return
            yield value_map
        part_seed = RandomStreams(seed=seed).spawn("brightest", turn).derived_seed() % 2**62
        if (improved := improve_with_map(model, noise, view, seat, part_seed, evaluation, value_map)) is None:
            return
        evaluation = improved
        yield make_analysis(evaluation)


def _side_values(
    model: GameRolloutModel, sides: Sequence[Sequence[int]], noise: ai.ExecutionNoise, view: View,
    evaluation: ai.Evaluation, seed: int,
) -> tuple[ai.ValueEstimate, ...]:  # fmt: skip
    """Values of the best candidate to each of more than two sides; empty for two.

    The other sides share what the side to play does not win, in proportion to their win probabilities in rollouts of
    their own.
    """
    if len(sides) == 2:
        return ()
    own, action, error = evaluation.value, evaluation.best[0].action, model.model_error(view)
    tries = min(_MAX_SIDE_TRIES, own.tries)
    values = []
    for side in sides:
        if evaluation.seat in side:
            values.append(own)
            continue
        outcomes = model.rollout(view, side[0], [action], noise, tries, seed)
        values.append(ai.estimate_value(outcomes.win_probability[0], outcomes.point_margin[0], error))
    total = sum(value.win_probability for value in values if value is not own)
    scale = (1.0 - own.win_probability) / total if total else 0.0
    return tuple(value if value is own else _scaled(value, scale) for value in values)


def _scaled(value: ai.ValueEstimate, scale: float) -> ai.ValueEstimate:
    """Value with its win probability and interval multiplied by a factor."""
    chance, low, high = (min(1.0, scale * one) for one in (value.win_probability, value.low, value.high))
    return replace(value, win_probability=chance, low=low, high=high)


def _map_best(
    model: GameRolloutModel, noise: ai.ExecutionNoise, view: View, seat: int, seed: int, evaluation: ai.Evaluation
) -> ai.ValueMap | None:
    """Value map of the best candidate; None where that is no flick."""
    best = evaluation.best[0].action
    return (
        ai.compute_value_map(model, noise, view, seat, seed, best, model.default_shots)
        if isinstance(best, _FLICK_TYPES)
        else None
    )


def improve_with_map(
    model: GameRolloutModel,
    noise: ai.ExecutionNoise,
    view: View,
    seat: int,
    seed: int,
    evaluation: ai.Evaluation,
    value_map: ai.ValueMap,
) -> ai.Evaluation | None:
    """Return the evaluation with the maximum of a value map as its best action; None where that is not better beyond
    sampling error.

    The maximum of many cells is biased upwards, so it is rolled out with a new seed, beside the best candidate so far.
    """
    best, action = evaluation.best[0], best_action(value_map)
    tries = max(ai.MIN_TRIES, round(_MAP_CHECK_FRACTION * model.default_shots / (2.0 * evaluation.shots_per_try)))
    try:
        model.check(view, action)
    except FlicksimError:
        return None
    outcomes = model.rollout(view, seat, [action, best.action], noise, tries, seed)
    error = model.model_error(view)
    gain, margin = ai.paired_difference(outcomes.win_probability[0], outcomes.win_probability[1], error)
    value = ai.estimate_value(outcomes.win_probability[0], outcomes.point_margin[0], error)
    if gain <= margin or value.win_probability <= best.value.win_probability:
        return None
    distinct = [found for found in evaluation.best if not model.is_similar(view, found.action, action, noise)]
    others = (
        replace(found, deficit=found.deficit + gain, margin=hypot(found.margin, margin))
        for found in distinct[: _SHOWN_ACTIONS - 1]
    )
    return ai.Evaluation(  # the search decided among candidates without this one, so it is not decisive
        seat=seat, best=(ai.CandidateValue(action=action, value=value), *others), is_decisive=False,
        shots=evaluation.shots + outcomes.shots, shots_per_try=evaluation.shots_per_try,
    )  # fmt: skip


def best_action(value_map: ai.ValueMap) -> Action:
    """Return the flick at the maximum of a value map."""
    highest = max(map(max, value_map.win_probability))
    row = next(k for k, chances in enumerate(value_map.win_probability) if highest in chances)
    column = value_map.win_probability[row].index(highest)
    return replace(value_map.action, speed=value_map.speeds[row], azimuth=wrap_angle(value_map.azimuths[column]))


def default_shots(game: Game) -> int:
    """Default number of shots for an evaluation or a value map in a game."""
    return GameRolloutModel(game).default_shots


def expected_shots(game: Game, *, with_map: bool) -> tuple[int, int]:
    """Least and largest number of shots of an analysis.

    Args:
        with_map: see `analyse_position`.
    """
    default = default_shots(game)
    maps = (1.0 + _MAP_CHECK_FRACTION) * with_map
    first = sum(part for part in _BUDGET_FRACTIONS if part <= 1.0) + maps
    return round(default * first), round(default * (sum(_BUDGET_FRACTIONS) + _MAX_MAP_REFINEMENTS * maps))


def _preliminary_evaluation(
    model: GameRolloutModel, noise: ai.ExecutionNoise, view: View, seat: int, seed: int
) -> ai.Evaluation | None:
    """Evaluate the first candidates by a few rollouts; None where there are none."""
    actions = model.top_candidates(view, _FIRST_LOOK_ACTIONS)
    if not actions:
        return None
    tries = max(_MIN_TRIES, round(_FIRST_LOOK_FRACTION * model.default_shots / len(actions)))
    outcomes = model.rollout(view, seat, actions, noise, tries, seed)
    error = model.model_error(view)
    candidates = [
        ai.CandidateValue(action=action, value=ai.estimate_value(chance, points, error))
        for action, chance, points in zip(actions, outcomes.win_probability, outcomes.point_margin, strict=True)
    ]
    candidates.sort(key=lambda candidate: -candidate.value.win_probability)
    cost = outcomes.shots / outcomes.win_probability.size
    return ai.Evaluation(
        seat=seat, best=tuple(candidates), is_decisive=False, shots=outcomes.shots, shots_per_try=cost
    )  # fmt: skip


def iter_value_maps(name: str, state: State, hand: str, seed: int, actions: Sequence[Action]) -> Iterator[ai.ValueMap]:
    """Yield the value maps of some flicks in a position."""
    game = load(name)
    model, seat = GameRolloutModel(game), game.rules.to_play(state)
    assert seat is not None
    view = game.rules.view(state, seat)
    for action in actions:
        yield ai.compute_value_map(model, ai.GRADES[hand], view, seat, seed, action, model.default_shots)


def simulate_intended(name: str, state: State, action: Action) -> Iterator[SimulationResult]:
    """Simulate an action without execution noise; yields nothing where nothing moves."""
    setup = load(name).rules.simulation_setup(state, action)
    if setup is not None:
        yield PhysicsSimulator().simulate(*setup)


def iter_reviewed_turns(
    name: str,
    turns: Sequence[ReviewableTurn],
    hand: str,
    seed: int,
    shots: int | None = None,
    max_tries: int = ai.BATCH_TRIES,
) -> Iterator[tuple[ReviewedTurn | SkippedTurn, int]]:
    """Review turns of a game (`review_turns`), by the name of the game and the grade of the execution noise.

    Args:
        shots: largest number simulated per turn; the game's default where None.
        max_tries: most rollouts of a candidate.
    """
    model = GameRolloutModel(load(name))
    shots = model.default_shots if shots is None else shots
    return review_turns(model, turns, ai.GRADES[hand], shots, seed, max_tries)


def review_parallel(
    name: str, turns: Sequence[ReviewableTurn], hand: str, seed: int, shots: Mapping[int, int], *, jobs: int,
    max_tries: int = ai.BATCH_TRIES,
) -> Iterator[tuple[ReviewedTurn | SkippedTurn, int]]:  # fmt: skip
    """Review turns in parallel and yield them in order.

    The seeds depend on the turn alone, so the results do not depend on `jobs`.

    Args:
        shots: largest number simulated for each turn, by its number. max_tries: most rollouts of a candidate.

    Raises:
        WorkersLost: a worker died. KeyboardInterrupt: Ctrl-C; turns finished out of order are then lost.
    """
    finished = dict[int, tuple[ReviewedTurn | SkippedTurn, int]]()
    order = iter(turn.number for turn in turns)
    number = next(order, None)
    tasks = [(name, PastTurn.from_turn(turn), hand, seed, shots[turn.number], max_tries) for turn in turns]
    for turn, cost in map_unordered(_review_one, tasks, jobs=jobs):
        finished[turn.number] = turn, cost
        while number in finished:
            yield finished.pop(number)
            number = next(order, None)


def _review_one(
    name: str, turn: PastTurn, hand: str, seed: int, shots: int, max_tries: int
) -> tuple[ReviewedTurn | SkippedTurn, int]:
    """Review one turn, in a worker."""
    return next(iter_reviewed_turns(name, (turn,), hand, seed, shots, max_tries))
