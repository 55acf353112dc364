"""Review of a played game: the value of every turn as intended, as executed and at best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from math import ceil, exp, hypot, sqrt
from typing import Literal, Protocol

import numpy as np
from msgspec.structs import replace

from flicksim.ai import (
    BATCH_TRIES,
    MIN_TRIES,
    CandidateValue,
    Evaluation,
    EvaluationInterrupted,
    ExecutionNoise,
    TooFewShots,
    ValueEstimate,
    estimate_value,
    evaluate,
    split_batches,
)
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import Action, State, View
from flicksim.match.rollout_model import GameRolloutModel
from flicksim.referee import Game, Purpose

_ACCURACY_SCALE = 0.1
"""A loss of so much chance [1] leaves a flick an accuracy of 1/e."""
MAX_TURNING_POINTS = 3
"""So many turning points are told."""
_DECIDED_CHANCE, _DECIDED_BOUND = 0.0005, 0.95
"""A chance [1] so near to none or all is told as that."""
_MIN_SWING = 0.005
"""A smaller change of chance [1] turns nothing."""
_FINAL_FRACTION = 0.5
"""Share of a turn's shots by which the worth of the best plan, of that meant, and of that made is told."""
_MIN_TRIES, _SUFFICIENT_TRIES = 6.4 * MIN_TRIES, 40 * MIN_TRIES
"""With fewer tries a turn nothing is said to be told of it: half of them, and a little less, must do for the three that
are told. So many are enough, but where other plans take more shots a try than the two that are tried beforehand."""
_DEEPEN_FACTOR = 2
"""A turn is gone through once more by so many times the shots, at least."""
_PILOT_TRIES = 2
"""Tries by which it is seen how many shots one takes."""


class ReviewableTurn(Protocol):
    """A turn as far as it is gone through; that of a match is one, and so is `PastTurn`."""

    @property
    def number(self) -> int: ...
    @property
    def seat(self) -> int: ...
    @property
    def before(self) -> State: ...
    @property
    def meant(self) -> Action: ...
    @property
    def made(self) -> Action: ...


class PastTurn(Value, frozen=True, kw_only=True):
    """A turn without what moved in it: little enough to be sent to another process."""

    number: int
    seat: int
    before: State
    meant: Action
    made: Action

    @classmethod
    def from_turn(cls, turn: ReviewableTurn) -> PastTurn:
        """A turn's."""
        return cls(number=turn.number, seat=turn.seat, before=turn.before, meant=turn.meant, made=turn.made)


class ReviewedTurn(Value, frozen=True, kw_only=True):
    """A turn gone through; all worths are those of the seat that acted.

    Args:
        number: from 1. meant, made: as recorded. best: what would have been best; it may be what was meant.
        before: what the position was worth: that of the best. value_meant: of what was meant.
        after: once it was made; see `join_turns`.
        loss_by_choice: chance to win that the best would have had more, as it was found by the same luck.
        loss_by_execution: chance that the hand lost beside what was meant; below nothing where it was lucky.
        sure: whether what was meant was worse beyond luck and the model's error. give: half the 95 % interval of
            `loss_by_choice`. own: the part of it that is the model's error.
        alike: whether all plans came to the same, try for try.
        meant_purpose, best_purpose: of what was meant, and of the best, where these are flicks.
    """

    number: int
    seat: int
    meant: Action
    made: Action
    best: Action
    value_before: ValueEstimate
    value_meant: ValueEstimate
    value_after: ValueEstimate
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
        """True where it was not all one what was chosen, as it is in a turn whose game is decided."""
        return not self.all_equal and not self.decided_result

    @property
    def swing(self) -> float:
        """The chance to win that the turn brought, by the plan and by the hand."""
        return self.value_after.win_probability - self.value_before.win_probability

    @property
    def within_noise(self) -> bool:
        """True where the hand cost or brought no more than the luck of the tries and the model's error may."""
        return abs(self.loss_by_execution) <= max(
            _MIN_SWING, hypot(self.value_meant.sampling_margin, self.value_after.sampling_margin, self.model_error)
        )

    @property
    def decided_result(self) -> Literal["won", "lost", ""]:
        """Won or lost for who acted, whatever was chosen and however it was made; empty where that still mattered."""
        worths = (self.value_before, self.value_meant, self.value_after)
        if self.all_equal and all(
            worth.win_probability > 1.0 - _DECIDED_CHANCE and worth.low > _DECIDED_BOUND for worth in worths
        ):
            return "won"
        lost = all(worth.win_probability < _DECIDED_CHANCE and worth.high < 1.0 - _DECIDED_BOUND for worth in worths)
        return "lost" if lost and not self.is_significant else ""


class Accuracy(Value, frozen=True, kw_only=True):
    """Marks of a seat for choosing and making its turns.

    Args:
        turns: in which it mattered what was chosen; only these count. of: all of its turns that were gone through.
        accuracy: from 0 to 100, of its plans alone.
        loss_by_choice, loss_by_execution: chance to win lost a turn in the mean.
    """

    seat: int
    turns: int
    total_turns: int
    accuracy: float
    loss_by_choice: float
    loss_by_execution: float


class SkippedTurn(Value, frozen=True, kw_only=True):
    """A turn of which nothing is told.

    Args:
        number: from 1. seat: who acted. why: there was nothing to choose, or so few shots tell nothing.
        need: shots a turn that would be enough; 0 where none would.
    """

    number: int
    seat: int
    reason: Literal["nothing to choose", "too few shots"]
    shots_needed: int = 0


class Review(Value, frozen=True, kw_only=True):
    """A game as far as it was gone through: its turns, the turning points by number, and what is to be said of all.

    Args:
        of: turns there are. untold: turns of which nothing is told. shots: settled for it.
        accuracy: of each seat for which it mattered in any turn what was chosen.
        decided: from that turn on nothing that anybody did mattered any more; None where it did to the end.
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
    game: Game,
    model: GameRolloutModel,
    turns: Sequence[ReviewableTurn],
    noise: ExecutionNoise,
    shots: int,
    seed: int,
    max_tries: int = BATCH_TRIES,
) -> Iterator[tuple[ReviewedTurn | SkippedTurn, int]]:
    """Go through the turns one by one. Beside each the shots settled for it.

    Args:
        noise: everybody's: of one hand all through, turns join. shots: settled for a turn, at most.
        max_tries: tries of each plan, at most.

    Raises:
        EvaluationInterrupted: Ctrl-C within a turn; it holds what is known of that position.
    """
    for turn in turns:
        view = game.rules.view(turn.before, turn.seat)
        if not _had_choice(game, model, turn, view):
            yield SkippedTurn(number=turn.number, seat=turn.seat, reason="nothing to choose"), 0
            continue
        try:
            yield _review_turn(model, turn, view, noise, shots, seed, max_tries)
        except TooFewShots as wrong:
            need = -(-wrong.required * shots // max(1, wrong.shots))
            yield SkippedTurn(number=turn.number, seat=turn.seat, reason="too few shots", shots_needed=need), 0


def shots_needed(
    game: Game, model: GameRolloutModel, turns: Sequence[ReviewableTurn], noise: ExecutionNoise, shots: int
) -> tuple[int, int, int]:  # fmt: skip
    """Before anything is spent: of how many turns so many shots will tell nothing, of how many there is something to
    tell, and how many shots a turn are enough for all, as far as the first plan and the one that was meant show.

    Args:
        shots: to be settled for a turn, at most.
    """
    each = []
    for turn in turns:
        view = game.rules.view(turn.before, turn.seat)
        if _had_choice(game, model, turn, view):
            tried = [*model.top_candidates(view, 1), turn.meant]
            shots_each = [
                model.rollout(view, turn.seat, [plan], noise, _PILOT_TRIES, 0).shots / _PILOT_TRIES for plan in tried
            ]
            each.append(max(1.0, *shots_each))
    return sum(shots < _MIN_TRIES * one for one in each), len(each), ceil(_SUFFICIENT_TRIES * max(each, default=1.0))


def _had_choice(game: Game, model: GameRolloutModel, turn: ReviewableTurn, view: View) -> bool:
    """Tell whether there was anything to choose: it was the seat's turn, and it had two plans or another one."""
    if game.rules.to_play(turn.before) != turn.seat:
        return False
    found = model.top_candidates(view, 2)
    return len(found) > 1 or (len(found) == 1 and turn.meant not in found)


def evaluate_turn(
    model: GameRolloutModel,
    turn: ReviewableTurn,
    view: View,
    noise: ExecutionNoise,
    max_shots: int,
    seed: int,
    *,
    top: int,
    reserved: int = 0,
    max_tries: int = BATCH_TRIES,
) -> Evaluation:
    """The position before a turn weighed, with what was meant beside the best plans.

    The seeds are the turn's own, wherever it is weighed; by other numbers of shots or plans other luck comes of them.

    Args:
        max_shots: settled at most. seed: of the review. top: plans told of.
        reserved: so many more will be tried as often, by whoever asks. max_tries: tries of each plan, at most.
    """
    return evaluate(
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
    """The luck by which a turn's plans are told of."""
    return RandomStreams(seed=seed).spawn("turn", turn.number).spawn("beside").derived_seed() % 2**62


def _review_turn(
    model: GameRolloutModel,
    turn: ReviewableTurn,
    view: View,
    noise: ExecutionNoise,
    shots: int,
    seed: int,
    max_tries: int,
) -> tuple[ReviewedTurn, int]:
    """A turn gone through, and the shots settled for it."""
    weighed = evaluate_turn(model, turn, view, noise, shots, seed, top=1, reserved=1, max_tries=max_tries)
    best, meant = weighed.best[0], next(one for one in weighed.best if one.action == turn.meant)
    if meant.deficit <= 0.0:
        best = meant = CandidateValue(action=meant.action, value=meant.value)
    try:
        made = [
            model.rollout(view, turn.seat, [turn.made], noise, tries, luck, exact=True)
            for tries, luck in split_batches(best.value.tries, _turn_seed(turn, seed))
        ]
        meant_purpose, best_purpose = (model.purpose(view, one.action) for one in (meant, best))
    except KeyboardInterrupt:
        raise EvaluationInterrupted(weighed) from None
    error, rows = model.model_error(view), [(part.win_probability[0], part.point_margin[0]) for part in made]
    after = estimate_value(np.hstack([chance for chance, _ in rows]), np.hstack([points for _, points in rows]), error)
    own = 0.0 if error is None else error.difference_margin(best.value.win_probability)
    return ReviewedTurn(
        number=turn.number, seat=turn.seat, meant=turn.meant, made=turn.made, best=best.action, value_before=best.value,
        value_meant=meant.value, value_after=after, loss_by_choice=meant.deficit, margin=meant.margin,
        loss_by_execution=meant.value.win_probability - after.win_probability,
        is_significant=meant.deficit > max(meant.margin, _MIN_SWING),
        all_equal=weighed.all_equal, model_error=own, meant_purpose=meant_purpose, best_purpose=best_purpose,
    ), weighed.shots + sum(part.shots for part in made)  # fmt: skip


def allocate_shots(
    turns: Sequence[ReviewedTurn | SkippedTurn], shots_used: Mapping[int, int], shots: int, parallel: int = 1
) -> dict[int, int]:  # fmt: skip
    """Shots by which turns are gone through once more, by number, so many in all: the more, the less sure it is what
    was lost there. Only turns that are given twice what they had; none where so many shots are too few for any.

    Args:
        shots_used: shots settled for each turn so far, by number.
        parallel: turns gone through side by side; none is given
            more than its share of them, or the others would be done long before.
    """
    # luck shrinks as the root of the shots, so by these shares all would end about as sure
    strays = {
        one.number: _uncertainty(one) * sqrt(shots_used[one.number]) for one in turns if isinstance(one, ReviewedTurn)
    }
    while any(strays.values()):
        whole = sum(strays.values())
        given = {number: int(shots * min(stray / whole, 1.0 / parallel)) for number, stray in strays.items()}
        least = min(given, key=lambda number: given[number] / shots_used[number])
        if given[least] >= _DEEPEN_FACTOR * shots_used[least]:
            return given
        del strays[least]
    return {}


def _uncertainty(turn: ReviewedTurn) -> float:
    """The part that luck leaves open: of a turn's chance, or of what it lost [1]; nothing where it was all one."""
    return (
        max(sqrt(max(0.0, turn.margin**2 - turn.model_error**2)), turn.value_before.sampling_margin)
        if turn.choice_mattered
        else 0.0
    )


def turns_join(game: Game, seats: int) -> bool:
    """Tell whether a turn ends where the next begins: where two sides flick a position has one worth for both. Who
    holds cards knows more than who acted before, so there each keeps its own.

    Args:
        seats: at the table.
    """
    return game.uses_physics and len(game.sides(seats)) == 2


def join_turns(game: Game, found: Sequence[ReviewedTurn | SkippedTurn], seats: int) -> list[ReviewedTurn | SkippedTurn]:
    """The turns so that each ends at the worth that was found before the next, where they join.

    Args:
        found: in order. seats: at the table.
    """
    turns = list(found)
    for k, (one, following) in enumerate(pairwise(found) if turns_join(game, seats) else ()):
        if isinstance(one, ReviewedTurn) and isinstance(following, ReviewedTurn) and following.number == one.number + 1:
            with_it = any(one.seat in side and following.seat in side for side in game.sides(seats))
            after = following.value_before if with_it else _mirror_value(following.value_before)
            turns[k] = replace(
                one, value_after=after, loss_by_execution=one.value_meant.win_probability - after.win_probability
            )
    return turns


def _mirror_value(value: ValueEstimate) -> ValueEstimate:
    """The same position's worth to the other of two sides."""
    return replace(
        value, win_probability=1.0 - value.win_probability, low=1.0 - value.high, high=1.0 - value.low,
        point_margin=-value.point_margin,
    )  # fmt: skip


def make_review(game: Game, reviewed: Sequence[ReviewedTurn | SkippedTurn], total_turns: int, shots: int) -> Review:
    """The review of these turns, of so many."""
    turns = [one for one in reviewed if isinstance(one, ReviewedTurn)]
    swung = sorted((turn for turn in turns if abs(turn.swing) >= _MIN_SWING), key=lambda turn: -abs(turn.swing))[
        :MAX_TURNING_POINTS
    ]
    seats = sorted({one.seat for one in reviewed})
    decided, winners = _find_decided(game, turns, seats)
    marks = [_accuracy(seat, [one for one in reviewed if one.seat == seat]) for seat in seats]
    return Review(
        game=game.name, turns=tuple(turns), total_turns=total_turns,
        turning_points=tuple(sorted(turn.number for turn in swung)),
        accuracy=tuple(one for one in marks if one is not None), shots=shots,
        skipped=tuple(one for one in reviewed if isinstance(one, SkippedTurn)), decided_turn=decided, winners=winners,
    )  # fmt: skip


def _find_decided(
    game: Game, turns: Sequence[ReviewedTurn], seats: Sequence[int]
) -> tuple[int | None, tuple[int, ...]]:
    """The turn from which on all was decided, and for whom: a side had won, and whoever else acted had lost."""
    tail = list(takewhile(lambda turn: turn.decided_result, reversed(turns)))
    won, lost = ({turn.seat for turn in tail if turn.decided_result == told} for told in ("won", "lost"))
    sides = game.sides(max(seats, default=0) + 1)
    winners = [side for side in sides if won & set(side)] or [side for side in sides if not lost & set(side)]
    if len(winners) != 1 or len(tail) < 2 or lost & set(winners[0]):
        return None, ()
    return tail[-1].number, tuple(sorted(winners[0]))


def _accuracy(seat: int, reviewed: Sequence[ReviewedTurn | SkippedTurn]) -> Accuracy | None:
    """The marks for the turns of a seat; none where it mattered in none of them what was chosen."""
    turns = [one for one in reviewed if isinstance(one, ReviewedTurn) and one.choice_mattered]
    count = len(turns)
    if not turns:
        return None
    return Accuracy(
        seat=seat, turns=count, total_turns=len(reviewed),
        accuracy=100.0 * sum(exp(-turn.loss_by_choice / _ACCURACY_SCALE) for turn in turns) / count,
        loss_by_choice=sum(turn.loss_by_choice for turn in turns) / count,
        loss_by_execution=sum(turn.loss_by_execution for turn in turns) / count,
    )  # fmt: skip
