"""Review of a recorded game for `flicksim analyse`: turns, turning points, accuracy, graph."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from math import ceil
from pathlib import Path
from time import monotonic

from flicksim import match
from flicksim.ai import BATCH_TRIES, Evaluation, EvaluationInterrupted, TooFewShots, ValueEstimate
from flicksim.cli import analysis_text, formatting
from flicksim.cli.analysis_text import MAX_SHOTS, AnalysisOptions, action_text, exit_stopped, round_up
from flicksim.cli.console import err, out, show_json
from flicksim.core.counting import count_of
from flicksim.core.errors import InvalidOption, WorkersLost
from flicksim.core.serialization import to_builtins
from flicksim.core.type_aliases import State
from flicksim.referee import Game
from flicksim.render import WinChanceSeries, colours, win_chance_chart
from flicksim.render.pillow_backend import save_png

_FIRST_PASS_FACTOR, _FIRST_PASS_FRACTION, _PLANNED_FRACTION = 2.25, 0.1, 0.75
"""The first pass over all turns takes so many times the shots that are enough, and at least this share of a review's
time; share of the remaining time allocated to each further pass over the least certain ones."""
_SEPARATE_NOTE = (
    "The value after a turn is that of usual play, the value before the next that of the best plan found, as its "
    "player sees it: the two differ by that and by the sampling error."
)
_JOINED_NOTE = "The value after a turn is that of the best plan found before the next."
_NO_CHOICE_TEXT = "no choice, or all choices equal"
"""Text of turns without a choice that matters."""


@dataclass(slots=True)
class _Run:
    """Turns reviewed so far, and why the review has ended.

    Args:
        by_number: turns by number. simulated: shots in all. budget: shots for a turn.
        partial: what is known of the turn being reviewed. stopped: whether it ended early. note: why, if known.
        elapsed: time since the last turn was finished [s]. per_turn: mean time for a turn [s].
    """

    by_number: dict[int, match.ReviewedTurn | match.SkippedTurn] = field(default_factory=dict)
    simulated: int = 0
    budget: int = 0
    partial: Evaluation | None = None
    stopped: bool = False
    note: str = ""
    elapsed: float = 0.0
    per_turn: float = 0.0


def review_record(game: Game, turns: Sequence[match.Turn], options: AnalysisOptions, jobs: int) -> None:
    """Review a recorded game and print the result."""
    if not turns:
        raise InvalidOption("no turn has been played in that record; there is nothing to review")
    jobs, png = min(jobs, len(turns)), options.png
    run = _run_review(game, turns, options, jobs)
    reviewed = match.join_turns(
        game, [run.by_number[number] for number in sorted(run.by_number)], _seat_count(game, turns)
    )
    review = match.make_review(game, reviewed, len(turns), run.simulated)
    needed = max((turn.shots_needed for turn in review.skipped), default=0)
    if needed and not review.turns and not run.stopped:
        raise options.insufficient_budget(TooFewShots(run.budget, needed), run.budget)
    if png is not None and review.turns:
        _draw_graph(game, review, turns, png)
    if options.as_json:
        covers = (reviewed[0].number, reviewed[-1].number) if reviewed else None
        status = {"covers": covers, "hand": options.hand, "stopped": run.stopped, "so_far": run.partial}
        show_json({**to_builtins(review), **status})
    elif reviewed:
        _show_review(game, review, turns, options.hand)
        if png is not None and review.turns:
            out.print(f"Drawn in {png}.")
    if needed:
        skipped = sum(turn.shots_needed > 0 for turn in review.skipped)
        which = f"{skipped} of {count_of(len(reviewed), 'turn')}"
        err.print_line(f"{which} not reviewed: {TooFewShots(run.budget, needed)}.")
    if run.stopped:
        if run.partial is not None and len(reviewed) < len(turns) and not options.as_json:
            out.print_line(_partial_text(game, turns[len(reviewed)], run.partial))
        raise exit_stopped(_stopped_text(run, len(reviewed), len(turns), jobs))


def _stopped_text(run: _Run, reviewed: int, turns: int, jobs: int) -> str:
    """Sentence on how far a review has come that was stopped."""
    if reviewed == turns:
        return f"Complete to the last turn; stopped before the least certain had more shots{run.note}."
    note = _time_estimate_text(run) if jobs == 1 else run.note
    return f"Stopped after {reviewed} of {count_of(turns, 'turn')}{note}."


def _run_review(game: Game, turns: Sequence[match.Turn], options: AnalysisOptions, jobs: int) -> _Run:
    """Review the turns, with a progress bar, to the end or until stopped."""
    model, seconds, run = match.GameRolloutModel(game), options.seconds, _Run()
    first_start = start = monotonic()
    try:
        rounds = ceil(len(turns) / min(jobs, os.cpu_count() or 1))
        run.budget = options.shot_budget(model, turns[0].before, turns[0].seat, rounds)
        if options.shots is not None or seconds is not None:
            enough = _check_budget(model, turns, options, run.budget)
            if seconds is not None:
                run.budget = min(run.budget, int(max(_FIRST_PASS_FACTOR * enough, _FIRST_PASS_FRACTION * run.budget)))
        with formatting.progress_bar("turn") as bar:
            task = bar.add_task(f"{game.title}, reviewed", total=len(turns))
            first_start = start = monotonic()
            for turn, cost in _review_until(model, turns, options, run.budget, jobs):
                run.simulated += cost
                run.by_number[turn.number] = turn
                bar.update(task, completed=len(run.by_number))
                start = monotonic()
    except EvaluationInterrupted as interrupted:
        run.partial, run.stopped = interrupted.evaluation, True
    except WorkersLost as error:
        run.stopped, run.note = True, f": {error}"
    except KeyboardInterrupt:
        run.stopped = True
    run.elapsed, run.per_turn = monotonic() - start, (start - first_start) / max(1, len(run.by_number))
    return run


def _check_budget(
    model: match.GameRolloutModel, turns: Sequence[match.Turn], options: AnalysisOptions, budget: int
) -> int:
    """Warn before a review if the budget is too small for some turns; returns the shots per turn enough for all.

    Raises:
        InvalidOption: it is too small for every turn.
    """
    too_few, count, enough = match.shots_needed(model, turns, options.noise, budget)
    if too_few:
        error = options.insufficient_budget(TooFewShots(budget, enough), budget)
        if too_few == count:
            raise error
        err.print_line(f"{too_few} of {count_of(len(turns), 'turn')} will not be reviewed: {error}.")
    return enough


def _review_until(
    model: match.GameRolloutModel, turns: Sequence[match.Turn], options: AnalysisOptions, budget: int, jobs: int
) -> Iterator[tuple[match.ReviewedTurn | match.SkippedTurn, int]]:
    """Review all turns, and then the least certain ones again until the time limit; yields numbers of shots too."""
    by_number, spent = dict[int, match.ReviewedTurn | match.SkippedTurn](), dict[int, int]()
    allocated, max_tries, simulated, start = {turn.number: budget for turn in turns}, BATCH_TRIES, 0, monotonic()
    seconds, seed = options.seconds, options.seed
    deadline = None if seconds is None else start + options.time_left(seconds)
    while allocated:
        selected = [turn for turn in turns if turn.number in allocated]
        results: Iterator[tuple[match.ReviewedTurn | match.SkippedTurn, int]]
        if jobs == 1:
            results = chain.from_iterable(
                match.review_turns(model, [turn], options.noise, allocated[turn.number], seed, max_tries)
                for turn in selected
            )
        else:
            results = match.review_parallel(
                model.game.name, selected, options.hand, seed, allocated, jobs=jobs, max_tries=max_tries
            )
        for turn, cost in results:
            by_number[turn.number], spent[turn.number] = turn, cost
            simulated += cost
            yield turn, cost
            if deadline is not None and max_tries > BATCH_TRIES and monotonic() > deadline:
                return
        now, shots_left = monotonic(), 0
        if deadline is not None:
            shots_left = int(_PLANNED_FRACTION * (deadline - now) * simulated / max(1e-6, now - start))
        allocated, max_tries = match.allocate_shots(list(by_number.values()), spent, shots_left, jobs), MAX_SHOTS


def _partial_text(game: Game, turn: match.Turn, evaluation: Evaluation) -> str:
    """Text of the partial result of the current turn."""
    best = evaluation.best[0]
    return (
        f"{turn.number:3d} {game.seat_names[turn.seat]}, so far: {analysis_text.value_text(best.value)}; best: "
        f"{action_text(game, turn.before, best.action)}. {analysis_text.BIAS_NOTE.capitalize()}."
    )


def _time_estimate_text(run: _Run) -> str:
    """Text of the estimated time per turn, from finished turns or else from the current one."""
    if run.partial is None:
        return f"; the next was not evaluated at all in {run.elapsed:.1f} s"
    seconds = run.per_turn or run.elapsed * run.budget / max(1, run.partial.shots)
    return f"; a turn takes about {analysis_text.round_up_seconds(seconds)} s, and less with fewer --shots"


def _show_review(game: Game, review: match.Review, turns: Sequence[match.Turn], hand: str) -> None:
    states = {turn.number: turn.before for turn in turns}
    reviewed = _all_turns(review)
    undecided = [turn for turn in reviewed if review.decided_turn is None or turn.number < review.decided_turn]
    lines = []
    for reason, group in groupby(undecided, _idle_reason):
        run = list(group)
        if reason and len(run) > 1:
            lines.append(f"Turns {run[0].number} to {run[-1].number}: {reason}.")
        else:
            lines += [_turn_text(game, states[turn.number], turn) for turn in run]
    if review.decided_turn is not None:
        winners, last = " and ".join(game.seat_names[seat] for seat in review.winners), reviewed[-1].number
        lines.append(f"Turns {review.decided_turn} to {last}: decided, {winners} had won whatever was played.")
    lines.append("")
    if len(reviewed) < review.total_turns:
        lines.append(f"{_coverage_text(review).capitalize()} reviewed.")
    for turn in review.turns:
        if turn.number in review.turning_points:
            plan = f"the plan lost {_loss_text(turn)}" if turn.is_significant else "no better plan was found"
            before, after = turn.value_before.win_probability, turn.value_after.win_probability
            lines.append(
                f"Turning point, turn {turn.number}: {game.seat_names[turn.seat]} went from {before:.1%} to "
                f"{after:.1%}; {plan}{_noise_text(game, turn.loss_by_execution)}."
            )
    lines += [_accuracy_text(game, row) for row in review.accuracy]
    if game.uses_physics:
        lines.append(f"All turns are evaluated with {hand} hands; --hand sets another grade.")
    has_error = match.GameRolloutModel(game).model_error(game.rules.view(turns[0].before, turns[0].seat)) is not None
    lines.append(analysis_text.INTERVAL_NOTE.format("") if has_error else analysis_text.SAMPLING_NOTE)
    lines.append(_JOINED_NOTE if match.turns_join(game, _seat_count(game, turns)) else _SEPARATE_NOTE)
    lines.append(f"{analysis_text.shots_text(game, review.shots)}.")
    for line in lines:
        out.print_line(line)


def _seat_count(game: Game, turns: Sequence[match.Turn]) -> int:
    return len(game.rules.scores(turns[0].before))


def _all_turns(review: match.Review) -> list[match.ReviewedTurn | match.SkippedTurn]:
    """Reviewed and skipped turns, in order."""
    turns: list[match.ReviewedTurn | match.SkippedTurn] = [*review.turns, *review.skipped]
    return sorted(turns, key=lambda turn: turn.number)


def _coverage_text(review: match.Review) -> str:
    """Text of the range of reviewed turns: "turns 3 to 7 of 20"."""
    turns = _all_turns(review)
    first, last = turns[0].number, turns[-1].number
    span = f"turn {first}" if first == last else f"turns {first} to {last}"
    return f"{span} of {review.total_turns}"


def _idle_reason(turn: match.ReviewedTurn | match.SkippedTurn) -> str:
    """Common text of consecutive turns without a choice; empty for other turns."""
    if isinstance(turn, match.SkippedTurn):
        return turn.reason if turn.shots_needed else _NO_CHOICE_TEXT
    return "" if turn.choice_mattered else _NO_CHOICE_TEXT


def _turn_text(game: Game, state: State, turn: match.ReviewedTurn | match.SkippedTurn) -> str:
    """Line of a turn: win probability before, as meant and as made, and a significantly better plan."""
    head = f"{turn.number:3d} {game.seat_names[turn.seat]}"
    if isinstance(turn, match.SkippedTurn):
        return f"{head}: {turn.reason}"
    values = [("", turn.value_before), ("meant ", turn.value_meant)]
    if game.uses_physics:
        values.append(("made ", turn.value_after))
    chances = ", ".join(f"{label}{_chance_text(value)}" for label, value in values)
    line = f"{head}: {chances}: {action_text(game, state, turn.meant, turn.meant_purpose)}"
    if not turn.choice_mattered:
        return f"{line}; no other choice would have mattered"
    if not turn.is_significant:
        return f"{line}; no better found"
    return f"{line}; better by {_loss_text(turn)}: {action_text(game, state, turn.best, turn.best_purpose)}"


def _loss_text(turn: match.ReviewedTurn) -> str:
    return f"{turn.loss_by_choice:.1%} ± {round_up(turn.margin, 3):.1%}"


def _chance_text(value: ValueEstimate) -> str:
    """Win probability, with the longer arm of its interval, rounded up, where it is not certain."""
    arm = max(value.high - value.win_probability, value.win_probability - value.low)
    return f"{value.win_probability:.1%}" + f" ± {round_up(arm, 3):.1%}" * (arm > 0.0)


def _accuracy_text(game: Game, row: match.Accuracy) -> str:
    return (
        f"{game.seat_names[row.seat]}: accuracy {row.accuracy:.0f} of 100, "
        f"in the {row.turns} of {count_of(row.total_turns, 'turn')} in "
        f"which it mattered; plans lost {row.loss_by_choice:.1%} a turn{_noise_text(game, row.loss_by_execution)}."
    )


def _noise_text(game: Game, loss: float) -> str:
    """Text of the loss by execution, in games of flicks."""
    if not game.uses_physics:
        return ""
    return f", the hand lost {loss:.1%}" if loss >= 0.0 else f", the hand gained {-loss:.1%}"


def win_chance_series(game: Game, review: match.Review, seats: int) -> list[WinChanceSeries]:
    """Win probability of the first side over all turns; of more than two sides, of each over its own turns."""
    sides = game.sides(seats)
    series = []
    for side in sides if len(sides) > 2 else sides[:1]:
        turns = [turn for turn in review.turns if turn.seat in side or len(sides) == 2]
        values = [(turn.seat in side, turn.value_after.win_probability) for turn in turns]
        if turns:
            label = " and ".join(game.seat_names[seat] for seat in side)
            key = colours.colour_key(side[0], game.seat_names)
            chances = [chance if is_own else 1.0 - chance for is_own, chance in values]
            series.append(WinChanceSeries(label, key, [turn.number for turn in turns], chances))
    return series


def _draw_graph(game: Game, review: match.Review, turns: Sequence[match.Turn], png: Path) -> None:
    series, reviewed = win_chance_series(game, review, _seat_count(game, turns)), _all_turns(review)
    part = "turn by turn" if len(reviewed) == review.total_turns else _coverage_text(review)
    span = (reviewed[0].number, reviewed[-1].number)
    save_png(win_chance_chart(f"{game.title}, {part}", series, review.turning_points, span), png)
