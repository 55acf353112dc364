"""Review of a played game: the value of every turn as intended, as executed and at best."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from math import ceil, exp, hypot, sqrt
from typing import Literal

import numpy as np
from msgspec.structs import replace

from flicksim import ai
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import Action, State, View
from flicksim.match.match import Turn
from flicksim.match.rollout_model import GameRolloutModel
from flicksim.referee import Game, Purpose

_ACCURACY_SCALE = 0.1
"""Loss of win probability at which the accuracy of a flick falls to 1/e [1]."""
MAX_TURNING_POINTS = 3
"""Number of turning points reported."""
_DECIDED_CHANCE, _DECIDED_BOUND = 0.0005, 0.95
"""Win probabilities within the first of 0 or 1, with interval bounds beyond the second, are decided [1]."""
_MIN_SWING = 0.005
"""Smallest change of win probability that is reported [1]."""
_FINAL_FRACTION = 0.5
"""Share of a turn's shots for the final values of the best, the intended and the executed action."""
_MIN_TRIES, _SUFFICIENT_TRIES = 6.4 * ai.MIN_TRIES, 18 * ai.MIN_TRIES
"""Rollouts a turn below which it is not evaluated, as slightly less than half must serve three final values; and that
are enough, unless other candidates need more than twice the shots per rollout of the two of the pilot."""
_DEEPEN_FACTOR = 2
"""Smallest factor on the shots of a turn for which it is reviewed again."""
_PILOT_TRIES = 2
"""Rollouts that measure the shots per rollout."""


class PastTurn(Value, frozen=True, kw_only=True):
    """Turn without its simulation result, small enough to be sent to another process."""

    number: int
    seat: int
    before: State
    meant: Action
    made: Action
    after: State

    @classmethod
    def from_turn(cls, turn: "ReviewableTurn") -> "PastTurn":
        """Copy the fields of a turn."""
        return cls(**{name: getattr(turn, name) for name in cls.__struct_fields__})


ReviewableTurn = Turn | PastTurn
"""Turn as a review needs it."""


class ReviewedTurn(Value, frozen=True, kw_only=True):
    """Reviewed turn; all values are those of the seat that acted.

    Args:
        number: from 1. meant, made: as recorded. best: best action found; may equal `meant`.
        value_before: of the position: that of `best`. value_meant: of `meant`.
        value_after: of the executed action; see `join_turns`.
        loss_by_choice: win probability that `best` has more than `meant`, by common random numbers.
        loss_by_execution: win probability lost by execution noise; negative where the noise helped.
        is_significant: whether `meant` was worse beyond sampling error and model error.
        margin: half the 95 % interval of `loss_by_choice`. model_error: part of it that is the model's error.
        all_equal: whether all candidates had equal outcomes, rollout for rollout.
        meant_purpose, best_purpose: of `meant` and of `best`; None where no purpose of the game fits.
    """

    number: int
    seat: int
    meant: Action
    made: Action
    best: Action
    value_before: ai.ValueEstimate
    value_meant: ai.ValueEstimate
    value_after: ai.ValueEstimate
    loss_by_choice: float
    loss_by_execution: float
    is_significant: bool
    margin: float = 0.0
    all_equal: bool = False
    model_error: float = 0.0
    meant_purpose: Purpose | None = None
    best_purpose: Purpose | None = None

    @property
    def choice_mattered(self) -> bool:
        """True where the choice could change the outcome: not where all candidates are equal or the game is decided."""
        return not self.all_equal and not self.decided_result

    @property
    def swing(self) -> float:
        """Change of win probability by the turn, by choice and execution."""
        return self.value_after.win_probability - self.value_before.win_probability

    @property
    def within_noise(self) -> bool:
        """True where `loss_by_execution` is within sampling error and model error."""
        return abs(self.loss_by_execution) <= max(
            _MIN_SWING, hypot(self.value_meant.sampling_margin, self.value_after.sampling_margin, self.model_error)
        )

    @property
    def decided_result(self) -> Literal["won", "lost", ""]:
        """Result for the seat that acted where it no longer depended on the turn; empty where it did."""
        values = (self.value_before, self.value_meant, self.value_after)
        if self.all_equal and all(
            value.win_probability > 1.0 - _DECIDED_CHANCE and value.low > _DECIDED_BOUND for value in values
        ):
            return "won"
        lost = all(value.win_probability < _DECIDED_CHANCE and value.high < 1.0 - _DECIDED_BOUND for value in values)
        return "lost" if lost and not self.is_significant else ""


class Accuracy(Value, frozen=True, kw_only=True):
    """Accuracy of a seat's choices and executions.

    Args:
        turns: number in which the choice mattered; only these count. total_turns: all reviewed turns of the seat.
        accuracy: of its choices, 0 to 100.
        loss_by_choice, loss_by_execution: mean win probability lost per turn.
    """

    seat: int
    turns: int
    total_turns: int
    accuracy: float
    loss_by_choice: float
    loss_by_execution: float


class SkippedTurn(Value, frozen=True, kw_only=True):
    """Turn that was not reviewed.

    Args:
        number: from 1. seat: that acted. reason: of the omission.
        shots_needed: per turn, that would be enough; 0 where no number is.
    """

    number: int
    seat: int
    reason: Literal["nothing to choose", "too few shots"]
    shots_needed: int = 0


class Review(Value, frozen=True, kw_only=True):
    """Review of a game, or of its turns reviewed so far.

    Args:
        total_turns: of the game. turning_points: their turn numbers. shots: simulated.
        accuracy: of each seat with a turn in which the choice mattered.
        skipped: turns that were not reviewed.
        decided_turn: first turn from which on no choice mattered; None where choices mattered to the end.
        winners: seats for which it was decided.
    """

    game: str
    turns: tuple[ReviewedTurn, ...]
    total_turns: int
    turning_points: tuple[int, ...]
    accuracy: tuple[Accuracy, ...]
    shots: int
    skipped: tuple[SkippedTurn, ...] = ()
    decided_turn: int | None = None
    winners: tuple[int, ...] = ()


def review_turns(
    model: GameRolloutModel,
    turns: Sequence[ReviewableTurn],
    noise: ai.ExecutionNoise,
    shots: int,
    seed: int,
    max_tries: int = ai.BATCH_TRIES,
) -> Iterator[tuple[ReviewedTurn | SkippedTurn, int]]:
    """Review turns one by one; yields each with the number of shots simulated for it.

    Args:
        noise: execution noise of every player. shots: largest number simulated per turn.
        max_tries: most rollouts of a candidate.

    Raises:
        EvaluationInterrupted: Ctrl-C within a turn; it holds the partial evaluation of that position.
    """
    for turn in turns:
        view = model.game.rules.view(turn.before, turn.seat)
        if not _had_choice(model, turn, view):
            yield SkippedTurn(number=turn.number, seat=turn.seat, reason="nothing to choose"), 0
            continue
        try:
            yield _review_turn(model, turn, view, noise, shots, seed, max_tries)
        except ai.TooFewShots as error:
            needed = -(-error.required * shots // max(1, error.shots))
            yield SkippedTurn(number=turn.number, seat=turn.seat, reason="too few shots", shots_needed=needed), 0


def shots_needed(
    model: GameRolloutModel, turns: Sequence[ReviewableTurn], noise: ai.ExecutionNoise, shots: int
) -> tuple[int, int, int]:
    """Estimate whether a budget of shots is enough for a review, by pilot rollouts of two actions per turn: the first
    candidate and the intended one.

    Args:
        shots: largest number simulated per turn.

    Returns:
        Number of turns for which it is too small, number of turns with a choice, and shots per turn enough for all.
    """
    costs = []
    for turn in turns:
        view = model.game.rules.view(turn.before, turn.seat)
        if _had_choice(model, turn, view):
            shots_per_try = [
                model.rollout(view, turn.seat, [action], noise, _PILOT_TRIES, 0).shots / _PILOT_TRIES
                for action in (*model.top_candidates(view, 1), turn.meant)
            ]
            costs.append(max(1.0, *shots_per_try))
    too_few = sum(shots < _MIN_TRIES * cost for cost in costs)
    return too_few, len(costs), ceil(_SUFFICIENT_TRIES * max(costs, default=1.0))


def _had_choice(model: GameRolloutModel, turn: ReviewableTurn, view: View) -> bool:
    """Return True if it was the seat's turn, with two candidates or one other than the intended action."""
    if model.game.rules.to_play(turn.before) != turn.seat:
        return False
    found = model.top_candidates(view, 2)
    return len(found) > 1 or (len(found) == 1 and turn.meant not in found)


def evaluate_turn(
    model: GameRolloutModel,
    turn: ReviewableTurn,
    view: View,
    noise: ai.ExecutionNoise,
    max_shots: int,
    seed: int,
    *,
    top: int,
    reserved: int = 0,
    max_tries: int = ai.BATCH_TRIES,
) -> ai.Evaluation:
    """Evaluate the position before a turn, with the intended action among the results.

    Its seeds depend on the seed of the review and the number of the turn alone.

    Args:
        max_shots: largest number simulated. seed: of the review. top: number of candidates returned.
        reserved: number of further actions the caller will roll out as often. max_tries: most rollouts of a candidate.
    """
    return ai.evaluate(
        model,
        noise,
        view,
        turn.seat,
        RandomStreams(seed=seed).spawn("turn", turn.number).derived_seed() % 2**62,
        max_shots,
        top=top,
        extra=[turn.meant],
        reserved=reserved,
        validation_fraction=_FINAL_FRACTION,
        validation_seed=_turn_seed(turn, seed),
        max_tries=max_tries,
    )


def _turn_seed(turn: ReviewableTurn, seed: int) -> int:
    """Seed of the final rollouts of a turn."""
    return RandomStreams(seed=seed).spawn("turn", turn.number).spawn("beside").derived_seed() % 2**62


def _review_turn(
    model: GameRolloutModel,
    turn: ReviewableTurn,
    view: View,
    noise: ai.ExecutionNoise,
    shots: int,
    seed: int,
    max_tries: int,
) -> tuple[ReviewedTurn, int]:
    """Review a turn; returns the number of shots too."""
    evaluation = evaluate_turn(model, turn, view, noise, shots, seed, top=1, reserved=1, max_tries=max_tries)
    best, meant = evaluation.best[0], next(found for found in evaluation.best if found.action == turn.meant)
    if meant.deficit <= 0.0:
        best = meant = ai.CandidateValue(action=meant.action, value=meant.value)
    final, made = model.final_value(turn.after, turn.seat), list[ai.RolloutOutcomes]()
    try:
        if final is None:
            made = [
                model.rollout(view, turn.seat, [turn.made], noise, tries, batch_seed, exact=True)
                for tries, batch_seed in ai.split_batches(best.value.tries, _turn_seed(turn, seed))
            ]
        meant_purpose, best_purpose = (model.purpose(view, found.action) for found in (meant, best))
    except KeyboardInterrupt:
        raise ai.EvaluationInterrupted(evaluation) from None
    error = model.model_error(view)
    after = final or ai.estimate_value(
        np.hstack([batch.win_probability[0] for batch in made]),
        np.hstack([batch.point_margin[0] for batch in made]),
        error,
    )
    error_margin = 0.0 if error is None else error.difference_margin(best.value.win_probability)
    return ReviewedTurn(
        number=turn.number, seat=turn.seat, meant=turn.meant, made=turn.made, best=best.action, value_before=best.value,
        value_meant=meant.value, value_after=after, loss_by_choice=meant.deficit, margin=meant.margin,
        loss_by_execution=meant.value.win_probability - after.win_probability,
        is_significant=meant.deficit > max(meant.margin, _MIN_SWING),
        all_equal=evaluation.all_equal, model_error=error_margin,
        meant_purpose=meant_purpose, best_purpose=best_purpose,
    ), evaluation.shots + sum(batch.shots for batch in made)  # fmt: skip


def allocate_shots(
    turns: Sequence[ReviewedTurn | SkippedTurn], shots_used: Mapping[int, int], shots: int, parallel: int = 1
) -> dict[int, int]:  # fmt: skip
    """Allocate shots to the turns to be reviewed again, in proportion to the uncertainty of their losses.

    Turns that would not get twice the shots they had are left out; empty where that is all of them.

    Args:
        shots_used: shots simulated for each turn so far, by number. shots: to be allocated.
        parallel: number of workers; no turn gets more than one worker's share, or the others would be idle.

    Returns:
        Shots by number of the turn.
    """
    # the sampling error shrinks as the root of the shots, so with these weights all end about equally certain
    weights = {
        turn.number: _uncertainty(turn) * sqrt(shots_used[turn.number])
        for turn in turns
        if isinstance(turn, ReviewedTurn)
    }
    while any(weights.values()):
        total = sum(weights.values())
        allocated = {number: int(shots * min(weight / total, 1.0 / parallel)) for number, weight in weights.items()}
        smallest = min(allocated, key=lambda number: allocated[number] / shots_used[number])
        if allocated[smallest] >= _DEEPEN_FACTOR * shots_used[smallest]:
            return allocated
        del weights[smallest]
    return {}


def _uncertainty(turn: ReviewedTurn) -> float:
    """Larger sampling error of a turn's win probability and loss by choice [1]; 0 where the choice did not matter."""
    return (
        max(sqrt(max(0.0, turn.margin**2 - turn.model_error**2)), turn.value_before.sampling_margin)
        if turn.choice_mattered
        else 0.0
    )


def turns_join(game: Game, seats: int) -> bool:
    """Return True if the value after a turn is the value before the next, as in flicking games of two sides. Holders of
    hidden cards know different things, so that their values differ.

    Args:
        seats: number of seats.
    """
    return game.uses_physics and len(game.sides(seats)) == 2


def join_turns(game: Game, turns: Sequence[ReviewedTurn | SkippedTurn], seats: int) -> list[ReviewedTurn | SkippedTurn]:
    """Replace the value after each turn by the value before the next, where they join (`turns_join`).

    Args:
        turns: in order. seats: number of seats.
    """
    joined = list(turns)
    for k, (turn, following) in enumerate(pairwise(turns) if turns_join(game, seats) else ()):
        if isinstance(turn, ReviewedTurn) and isinstance(following, ReviewedTurn):
            if following.number != turn.number + 1:
                continue
            same_side = any(turn.seat in side and following.seat in side for side in game.sides(seats))
            after = following.value_before if same_side else following.value_before.mirrored()
            loss = turn.value_meant.win_probability - after.win_probability
            joined[k] = replace(turn, value_after=after, loss_by_execution=loss)
    return joined


def make_review(game: Game, reviewed: Sequence[ReviewedTurn | SkippedTurn], total_turns: int, shots: int) -> Review:
    """Make a review of reviewed and skipped turns."""
    turns = [turn for turn in reviewed if isinstance(turn, ReviewedTurn)]
    swings = sorted((turn for turn in turns if abs(turn.swing) >= _MIN_SWING), key=lambda turn: -abs(turn.swing))
    seats = sorted({turn.seat for turn in reviewed})
    decided, winners = _find_decided(game, turns, seats)
    accuracies = [_accuracy(seat, [turn for turn in reviewed if turn.seat == seat]) for seat in seats]
    return Review(
        game=game.name, turns=tuple(turns), total_turns=total_turns,
        turning_points=tuple(sorted(turn.number for turn in swings[:MAX_TURNING_POINTS])),
        accuracy=tuple(accuracy for accuracy in accuracies if accuracy is not None), shots=shots,
        skipped=tuple(turn for turn in reviewed if isinstance(turn, SkippedTurn)),
        decided_turn=decided, winners=winners,
    )  # fmt: skip


def _find_decided(
    game: Game, turns: Sequence[ReviewedTurn], seats: Sequence[int]
) -> tuple[int | None, tuple[int, ...]]:
    """First turn from which on the game was decided, and the seats of the side that had won."""
    tail = list(takewhile(lambda turn: turn.decided_result, reversed(turns)))
    won, lost = ({turn.seat for turn in tail if turn.decided_result == result} for result in ("won", "lost"))
    sides = game.sides(max(seats, default=0) + 1)
    winners = [side for side in sides if won & set(side)] or [side for side in sides if not lost & set(side)]
    if len(winners) != 1 or len(tail) < 2 or lost & set(winners[0]):
        return None, ()
    return tail[-1].number, tuple(sorted(winners[0]))


def _accuracy(seat: int, reviewed: Sequence[ReviewedTurn | SkippedTurn]) -> Accuracy | None:
    """Accuracy of a seat; None where the choice mattered in none of its turns."""
    turns = [turn for turn in reviewed if isinstance(turn, ReviewedTurn) and turn.choice_mattered]
    count = len(turns)
    if not turns:
        return None
    return Accuracy(
        seat=seat, turns=count, total_turns=len(reviewed),
        accuracy=100.0 * sum(exp(-turn.loss_by_choice / _ACCURACY_SCALE) for turn in turns) / count,
        loss_by_choice=sum(turn.loss_by_choice for turn in turns) / count,
        loss_by_execution=sum(turn.loss_by_execution for turn in turns) / count,
    )  # fmt: skip
