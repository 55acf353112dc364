"""Command `flicksim analyse`: evaluate a position, or review a record."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from math import ceil, floor, log10, nan
from pathlib import Path
from time import monotonic
from typing import Annotated, NamedTuple

import typer
from rich.table import Table

from flicksim.ai import (
    BATCH_TRIES,
    GRADES,
    Evaluation,
    EvaluationInterrupted,
    ExecutionNoise,
    ModelError,
    TooFewShots,
    ValueEstimate,
    ValueMap,
    compute_value_map,
    evaluate,
    parse_grade,
)
from flicksim.cli import formatting
from flicksim.cli.arguments import AsJson, SeedNumber
from flicksim.cli.console import err, out, show_json
from flicksim.core.errors import InvalidFile, InvalidInput, InvalidOption, WorkersLost
from flicksim.core.limits import parse_int
from flicksim.core.paths import resolve_asset
from flicksim.core.serialization import from_json, read_bytes, to_builtins
from flicksim.core.type_aliases import Action, State, View
from flicksim.core.units import format_azimuth, to_degrees, to_mm
from flicksim.games import games_with_positions, load
from flicksim.match import (
    SEARCH_SETTINGS,
    Accuracy,
    GameRolloutModel,
    PhysicsSimulator,
    Review,
    ReviewedTurn,
    Seat,
    SkippedTurn,
    Turn,
    allocate_shots,
    evaluate_turn,
    game_of_position,
    join_turns,
    load_position,
    make_review,
    open_replay,
    position_notation,
    read_record,
    require_untampered,
    review_parallel,
    review_turns,
    shots_needed,
    turns_join,
)
from flicksim.referee import Game, Purpose
from flicksim.render import WinChanceSeries, colours, value_heatmap, win_chance_chart
from flicksim.render.pillow_backend import save_png
from flicksim.scene import Flick, Launch, Squidge

_INPUT_HINT = (
    "give a game.jsonl, as `flicksim play --record` writes it, or a position, as `flicksim position` lists them"
)
_PILOT_TRIES, _MIN_PILOT_SECONDS = (2, 64, 1024), 0.1
"""Rollouts that measure the shots per second, in steps, and the duration at which a measurement is long enough [s]."""
_FIRST_PASS_FRACTION, _PLANNED_FRACTION = 0.1, 0.75
"""Share of a review's time for the first pass over all turns, and share of the remaining time allocated to each further
pass over the least certain ones."""
_MAX_SHOTS = 10_000_000
"""Largest number of shots."""
_DEFAULT_SHOTS_TEXT = "20,000 at Penny White, 600 at tiddlywinks, 2,000 deals at dominoes, 1,000 at the others"
"""Default number of shots of each game (`default_shots`), as no game is loaded for the help."""
_SAMPLING_NOTE = "Intervals hold the sampling error alone, not plans that were not tried."
_INTERVAL_NOTE = (
    "Intervals of win chances hold the sampling error and the model's error as measured{}, those of points the "
    "sampling error alone; neither holds plans that were not tried."
)
_MODEL_ERROR_NOTE = " and the model's error"
_SEPARATE_NOTE = (
    "The value after a turn is that of usual play, the value before the next that of the best plan found, as its "
    "player sees it"
)
"""Systematic difference of the value after a turn and before the next, where turns do not join."""
_JOINED_NOTE = "The value after a turn is that of the best plan found before the next."
_NO_CHOICE_TEXT = "no choice, or all choices equal"
"""Text of turns without a choice that matters."""
_BIAS_NOTE = "a partial result favours the best plan a little"


class _PositionQuery(NamedTuple):
    """Position to be evaluated: game, state, grade of the execution noise, and the turn that was played there."""

    game: Game
    state: State
    hand: str
    turn: Turn | None = None


def analyse_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Recorded game, position file, or name of a position.")],
    turn: Annotated[
        str | None,
        typer.Option("--turn", metavar="N", help="Evaluate the position before this turn of a recorded game."),
    ] = None,
    hand: Annotated[
        str | None,
        typer.Option("--hand", metavar="GRADE", help="Grade of hand of every player. [default: as recorded, or club]"),
    ] = None,
    shots: Annotated[
        str | None,
        typer.Option(
            "--shots", metavar="N", help=f"Shots for a position or per turn. [default: {_DEFAULT_SHOTS_TEXT}]"
        ),
    ] = None,
    seconds: Annotated[
        str | None,
        typer.Option("--seconds", metavar="S", help="Time for the whole analysis, instead of --shots; at most 3600."),
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="Game of the position. [default: from the file]")
    ] = None,
    seed: SeedNumber = 1,
    png: Annotated[
        Path | None, typer.Option("--png", metavar="FILE", help="Draw a value map, or a graph of the game, to a file.")
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", metavar="N", help="Number of worker processes for the turns of a recorded game.", min=1, max=1024
        ),
    ] = 1,
    as_json: AsJson = False,
) -> None:
    """Evaluate a position and list its best actions, or review a recorded game."""
    if shots is not None and seconds is not None:
        raise InvalidOption(f"--shots {shots} and --seconds {seconds} exclude each other; give one of them")
    number, budget, time = _parse_count("turn", turn), _parse_count("shots", shots), _parse_seconds(seconds)
    if hand is not None:
        hand = parse_grade(hand)
    if png is not None and png.suffix.lower() != ".png":
        raise InvalidFile(f"the picture {str(png)!r} must have the extension .png")
    if png is not None and not png.absolute().parent.is_dir():
        raise InvalidFile(f"the folder of the picture {str(png)!r} does not exist; make {str(png.parent)!r} first")
    path = resolve_asset(Path(file))
    if _is_record(path):
        if game is not None:
            raise InvalidOption(f"--game {game} is for a position; a recorded game names its own")
        _analyse_record(path, number, hand, budget, time, seed, jobs, png, as_json)
        return
    if jobs > 1:
        raise InvalidOption(f"--jobs {jobs} is for the turns of a recorded game; {file!r} is a position")
    if turn is not None:
        raise InvalidOption(f"--turn {turn} is for a recorded game; {file!r} is a position")
    _check_position_file(path)
    loaded = load(game) if game is not None else game_of_position(file)
    state, _ = position_notation(loaded).start_state(load_position(loaded, file))
    _analyse_position(_PositionQuery(loaded, state, hand or "club"), budget, time, seed, png, as_json)


def _parse_count(name: str, text: str | None) -> int | None:
    """Parse the number of an option, if given."""
    number = None if text is None else parse_int(text)
    if text is not None and (number is None or not 1 <= number <= _MAX_SHOTS):
        raise InvalidOption(f"--{name} {text!r} must be a whole number, 1 to {_MAX_SHOTS}")
    return number


def _parse_seconds(text: str | None) -> float | None:
    """Parse the time limit, if given."""
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = nan
    if seconds > 3600.0:
        raise InvalidOption(f"--seconds {seconds:g} is longer than an hour; give 3600 or less")
    if not seconds >= 0.01:
        raise InvalidOption(f"--seconds {text!r} must be seconds, 0.01 to 3600")
    return seconds


def _check_position_file(path: Path) -> None:
    """Check that a file, if it exists, may be a position.

    Raises:
        InvalidFile: it cannot be; the message quotes nothing of its content.
    """
    try:
        if not path.is_file():
            return
    except OSError:
        return  # reading it will raise the error
    text = read_bytes(path)
    if not text.lstrip().startswith(b"{"):
        raise InvalidFile(f"{str(path)!r} is neither a recorded game of flicksim nor a position; {_INPUT_HINT}")
    try:
        fields = set(from_json(text, dict, name=str(path)))
    except InvalidInput:
        raise InvalidFile(
            f"{str(path)!r} begins like a position, but is truncated or malformed; {_INPUT_HINT}"
        ) from None
    if not any(fields & set(notation.Position.__struct_fields__) for _, notation in games_with_positions()):
        raise InvalidFile(f"{str(path)!r} has no field of a position; {_INPUT_HINT}")


def _is_record(path: Path) -> bool:
    """Return True for a record (JSON lines), False for a position."""
    if path.suffix == ".jsonl":
        return True
    try:
        with path.open("rb") as file:
            return file.read(4096).removeprefix(BOM_UTF8).lstrip().startswith(b'{"line":')
    except OSError:
        return False


def _analyse_record(
    path: Path, turn: int | None, hand: str | None, shots: int | None, seconds: float | None, seed: int, jobs: int,
    png: Path | None, as_json: bool,
) -> None:  # fmt: skip
    if turn is not None and jobs > 1:
        raise InvalidOption(f"--jobs {jobs} is for all turns of a record, not for --turn {turn} alone")
    replay, seats = open_replay(require_untampered(read_record(path)))
    turns = list(replay.run())
    if replay.divergence is not None:
        raise InvalidFile(f"{str(path)!r} diverges at {replay.divergence}, so it cannot be analysed")
    game, hand = replay.match.game, _common_grade(seats, hand)
    if turn is None:
        _review_record(game, turns, hand, shots, seconds, seed, jobs, png, as_json)
        return
    if turn > len(turns):
        raise InvalidOption(f"turn {turn} of {str(path)!r} is not there; it has {len(turns)}")
    played = turns[turn - 1]
    _analyse_position(_PositionQuery(game, played.before, hand, played), shots, seconds, seed, png, as_json)


def _rollout_model(game: Game) -> GameRolloutModel:
    return GameRolloutModel(game, PhysicsSimulator(SEARCH_SETTINGS))


def _shot_budget(
    model: GameRolloutModel, query: _PositionQuery, seat: int, shots: int | None, seconds: float | None
) -> int:
    """Number of shots for a position: given, measured for the time limit, or the game's default."""
    if shots is not None:
        return shots
    if seconds is None:
        return model.default_shots
    view = query.game.rules.view(query.state, seat)
    candidates = model.top_candidates(view, 4)
    if not candidates:
        return model.default_shots
    model.rollout(view, seat, candidates, GRADES[query.hand], 1, 0)  # compiles what is needed
    simulated, elapsed = 0, 0.0
    for tries in _PILOT_TRIES:
        start = monotonic()
        simulated = model.rollout(view, seat, candidates, GRADES[query.hand], tries, 0).shots
        elapsed = monotonic() - start
        if elapsed > _MIN_PILOT_SECONDS:
            break
    return min(_MAX_SHOTS, max(1, int(seconds * simulated / max(1e-6, elapsed))))


def _insufficient_budget(error: InvalidOption, seconds: float | None, factor: float) -> InvalidOption:
    """Error for a budget that is too small, in its own unit.

    Args:
        factor: by which the budget would be enough.
    """
    if seconds is None:
        return error
    return InvalidOption(
        f"--seconds {seconds:g} is too little for an estimate; give {_round_up_seconds(factor * seconds)}"
    )


def _round_up_seconds(seconds: float) -> str:
    """Format seconds, rounded up to two digits."""
    step = 10.0 ** max(-1, floor(log10(max(seconds, 0.1))) - 1)
    return f"{max(0.1, ceil(seconds / step) * step):.1f}".removesuffix(".0")


# -- a position -------------------------------------------------------------------------------------------------------


def _analyse_position(
    query: _PositionQuery, shots: int | None, seconds: float | None, seed: int, png: Path | None, as_json: bool
) -> None:
    game, state = query.game, query.state
    seat = game.rules.to_play(state)
    if seat is None:
        raise InvalidOption("the game is over there, and nobody is to play; give a position in which a seat is to play")
    model, view, noise = _rollout_model(game), game.rules.view(state, seat), GRADES[query.hand]
    budget, stopped = 0, ""
    try:
        budget = _shot_budget(model, query, seat, shots, seconds)
        evaluation = _evaluate(
            model, query, noise, view, seat, seed, budget, BATCH_TRIES if seconds is None else _MAX_SHOTS
        )
    except TooFewShots as too_few:
        raise _insufficient_budget(too_few, seconds, too_few.required / max(1, budget)) from None
    except EvaluationInterrupted as interrupted:
        if interrupted.evaluation is None:
            raise _exit_stopped("Stopped before anything was evaluated.") from None
        evaluation, stopped = interrupted.evaluation, f"Stopped: {_BIAS_NOTE}."
    except KeyboardInterrupt:
        raise _exit_stopped("Stopped before anything was evaluated.") from None
    best = evaluation.best[0].action
    value_map, purposes = None, tuple[Purpose | None, ...]((None,) * len(evaluation.best))
    try:
        purposes = (
            purposes if stopped else tuple(model.purpose(view, candidate.action) for candidate in evaluation.best)
        )
    except KeyboardInterrupt:
        stopped = "Stopped before the purposes of the flicks were determined."
    if isinstance(best, Flick | Squidge | Launch) and (png is not None or as_json) and not stopped:
        try:
            value_map = compute_value_map(model, noise, view, seat, seed, best, budget)
        except KeyboardInterrupt:
            stopped = "Stopped before the map was drawn."
    if png is not None and not stopped:
        if value_map is None:
            raise InvalidOption(f"no map can be drawn for {str(png)!r}: the best action is no flick")
        _draw_map(value_map, query, evaluation, png)
    error = model.model_error(view)
    if as_json:
        result = to_builtins(evaluation)
        result["best"] = [
            {**candidate, "purpose": purpose} for candidate, purpose in zip(result["best"], purposes, strict=True)
        ]
        show_json(
            {
                "game": game.name,
                "played_out": model.plays_to_end,
                "hand": query.hand,
                "seed": seed,
                "stopped": bool(stopped),
                "model_error": error.win_probability_margin(evaluation.value.win_probability)
                if error is not None
                else None,
                **result,
                "map": value_map,
            }
        )
    else:
        _show_position(
            query,
            evaluation,
            purposes,
            model.plays_to_end,
            error,
            is_only_candidate=len(model.top_candidates(view, 2)) == 1,
        )
        if png is not None and not stopped:
            out.print(f"Drawn in {png}.")
    if stopped:
        raise _exit_stopped(stopped)


def _evaluate(
    model: GameRolloutModel,
    query: _PositionQuery,
    noise: ExecutionNoise,
    view: View,
    seat: int,
    seed: int,
    budget: int,
    max_tries: int,
) -> Evaluation:
    """Evaluate a position; that of a recorded turn like its review, with the intended action among the results."""
    if query.turn is None or query.turn.seat != seat:
        return evaluate(model, noise, view, seat, seed, budget, max_tries=max_tries)
    return evaluate_turn(model, query.turn, view, noise, budget, seed, top=3, max_tries=max_tries)


def _show_position(
    query: _PositionQuery,
    evaluation: Evaluation,
    purposes: Sequence[Purpose | None],
    plays_to_end: bool,
    error: ModelError | None,
    *,
    is_only_candidate: bool,
) -> None:
    """Print the value of a position and its best plans.

    Args:
        is_only_candidate: whether there is one candidate alone.
    """
    game, state = query.game, query.state
    part = game.progress(state).part_name.lower() or "game"
    player = game.seat_names[evaluation.seat]
    out.print(
        f"{player} to play, {query.hand} hands: {_value_text(evaluation.value)} when the {part} is over.",
        soft_wrap=True,
    )
    table = Table("", "plan", "wins", "95 %", f"points ahead after this {part}", "tries")
    for number, (candidate, purpose) in enumerate(zip(evaluation.best, purposes, strict=True), 1):
        value = candidate.value
        table.add_row(
            str(number), _candidate_text(query, candidate.action, purpose), f"{value.win_probability:.1%}",
            interval_text(value), f"{value.point_margin:+.2f} ± {_round_up(value.margin, 2):.2f}", str(value.tries),
        )  # fmt: skip
    out.print(table)
    chance = evaluation.value.win_probability
    margin = "" if error is None else f" (± {_round_up(error.win_probability_margin(chance), 3):.1%} here)"
    out.print(_SAMPLING_NOTE if error is None else _INTERVAL_NOTE.format(margin), soft_wrap=True)
    if not plays_to_end:
        err.print(
            f"{game.title} is not played out to its end here: a win chance is a bot's estimate of the position after "
            "the flick.", soft_wrap=True,
        )  # fmt: skip
    more = "" if evaluation.value.tries >= BATCH_TRIES else ": more shots would decide"
    conclusion = f"Others may be as good{more}."
    if evaluation.all_equal and len(evaluation.best) > 1:
        conclusion = "All plans had the same result in every try."
    elif evaluation.is_decisive:
        is_alone = len(evaluation.best) == 1
        note = _MODEL_ERROR_NOTE if error is not None and error.gap else ""
        conclusion = f"The first is ahead of the others beyond the sampling error{note}."
        if is_alone:
            conclusion = "There is no other plan." if is_only_candidate else "No other idea was found."
    later = "" if game.uses_physics else "; later rounds count as even"
    out.print(f"{conclusion} {_shots_text(game, evaluation.shots)}{later}.", soft_wrap=True)


def _candidate_text(query: _PositionQuery, action: Action, purpose: Purpose | None) -> str:
    """Text of a candidate in the table, with its purpose on a line of its own."""
    parts = [f"{purpose.text}:"] if purpose is not None else []
    parts.append(_action_text(query.game, query.state, action))
    if query.turn is not None and query.turn.meant == action:
        parts.append("(as played)")
    return ("\n" if purpose is not None else " ").join(parts)


def _shots_text(game: Game, shots: int) -> str:
    """Text of the number of simulated shots."""
    singular, plural = (
        ("shot was simulated", "shots were simulated")
        if game.uses_physics
        else ("deal was played out", "deals were played out")
    )
    return f"{shots:,} {singular if shots == 1 else plural}"


def _value_text(value: ValueEstimate) -> str:
    return f"wins {value.win_probability:.1%} ({interval_text(value)}), {value.point_margin:+.2f} points ahead expected"


def interval_text(value: ValueEstimate) -> str:
    """Text of the interval of a win probability, rounded outwards so that it is never empty."""
    return f"{floor(value.low * 1000.0) / 1000.0:.1%} to {_round_up(value.high, 3):.1%}"


def _round_up(value: float, digits: int) -> float:
    """Round up to `digits` decimals."""
    return ceil(value * 10.0**digits) / 10.0**digits


def _action_text(game: Game, state: State, action: Action, purpose: Purpose | None = None) -> str:
    """Short text of an action, with its purpose first."""
    if isinstance(action, Flick | Squidge | Launch):
        text = "" if purpose is None else f"{purpose.text}: "
        text += f"{action.piece} {action.speed:.2f} m/s, {format_azimuth(action.azimuth)}°"
        if isinstance(action, Squidge | Launch):
            rise = action.slant if isinstance(action, Launch) else action.elevation
            text += f", rising {to_degrees(rise):.0f}°"
        at = action.hold if isinstance(action, Launch) else action.start
        return text if at is None else f"{text}, from {to_mm(at[0]):.0f}, {to_mm(at[1]):.0f} mm"
    if not game.uses_physics:
        return str(action)
    reasons = game.rules.judge(state, action, None).reasons
    return reasons[0].text if reasons else str(action)


def _draw_map(value_map: ValueMap, query: _PositionQuery, evaluation: Evaluation, png: Path) -> None:
    player, action = query.game.seat_names[evaluation.seat], value_map.action
    drawing = value_heatmap(
        f"{player}: {action.piece}, value of the intended flick with {query.hand} hands",
        value_map.azimuths, value_map.speeds, value_map.win_probability, ("direction [degrees]", "speed [m/s]"),
        (action.azimuth, action.speed), (format_azimuth, "{:.2f}".format),
    )  # fmt: skip
    save_png(drawing, png)


# -- a review ---------------------------------------------------------------------------------------------------------


def _common_grade(seats: Sequence[Seat], requested: str | None) -> str:
    """Grade of every player in the analysis: as requested, else the common recorded one, else club."""
    recorded = {seat.hand for seat in seats}
    return requested or (len(recorded) == 1 and recorded.pop()) or "club"


def _review_record(
    game: Game, turns: Sequence[Turn], hand: str, shots: int | None, seconds: float | None, seed: int, jobs: int,
    png: Path | None, as_json: bool,
) -> None:  # fmt: skip
    if not turns:
        raise InvalidOption("no turn has been played in that record; there is nothing to review")
    model = _rollout_model(game)
    first = _PositionQuery(game, turns[0].before, hand)
    by_number = dict[int, ReviewedTurn | SkippedTurn]()
    simulated, budget, partial, stopped, workers_lost = 0, 0, None, False, ""
    jobs = min(jobs, len(turns))
    first_start = start = monotonic()
    try:
        rounds = ceil(len(turns) / min(jobs, os.cpu_count() or 1))
        budget = _shot_budget(model, first, turns[0].seat, shots, None if seconds is None else seconds / rounds)
        if shots is not None or seconds is not None:
            enough = _check_budget(game, model, turns, hand, budget, seconds)
            budget = budget if seconds is None else min(budget, max(enough, int(_FIRST_PASS_FRACTION * budget)))
        with formatting.progress_bar("turn") as bar:
            task = bar.add_task(f"{game.title}, reviewed", total=len(turns))
            first_start = start = monotonic()
            deadline = None if seconds is None else start + seconds
            for turn, cost in _review_until(game, model, turns, hand, seed, budget, jobs, deadline):
                simulated += cost
                by_number[turn.number] = turn
                bar.update(task, completed=len(by_number))
                start = monotonic()
    except EvaluationInterrupted as interrupted:
        partial, stopped = interrupted.evaluation, True
    except WorkersLost as error:
        stopped, workers_lost = True, f": {error}"
    except KeyboardInterrupt:
        stopped = True
    reviewed = [by_number[number] for number in sorted(by_number)]
    elapsed, per_turn = monotonic() - start, (start - first_start) / len(reviewed) if reviewed else 0.0
    reviewed = join_turns(game, reviewed, _seat_count(game, turns))
    review = make_review(game, reviewed, len(turns), simulated)
    needed = max((turn.shots_needed for turn in review.skipped), default=0)
    if needed and not review.turns and not stopped:
        raise _insufficient_budget(TooFewShots(budget, needed), seconds, needed / budget)
    if png is not None and review.turns:
        _draw_graph(game, review, turns, png)
    if as_json:
        covers = (reviewed[0].number, reviewed[-1].number) if reviewed else None
        show_json({**to_builtins(review), "covers": covers, "hand": hand, "stopped": stopped, "so_far": partial})
    elif reviewed:
        _show_review(game, review, turns, hand)
        if png is not None and review.turns:
            out.print(f"Drawn in {png}.")
    if needed:
        too_few = sum(turn.shots_needed > 0 for turn in review.skipped)
        err.print(
            f"{too_few} of {len(reviewed)} turns are not reviewed: {TooFewShots(budget, needed)}.", soft_wrap=True
        )
    if stopped:
        unfinished = len(reviewed) < len(turns)
        if partial is not None and unfinished and not as_json:
            out.print(_partial_text(game, turns[len(reviewed)], partial), soft_wrap=True)
        note = _time_estimate_text(partial, budget, elapsed, per_turn) if jobs == 1 and unfinished else workers_lost
        raise _exit_stopped(f"Stopped after {len(reviewed)} of {_turns_text(len(turns))}{note}.")


def _review_until(
    game: Game, model: GameRolloutModel, turns: Sequence[Turn], hand: str, seed: int, budget: int, jobs: int,
    deadline: float | None,
) -> Iterator[tuple[ReviewedTurn | SkippedTurn, int]]:  # fmt: skip
    """Review all turns, and then the least certain ones again until the deadline; yields their numbers of shots too."""
    by_number, spent = dict[int, ReviewedTurn | SkippedTurn](), dict[int, int]()
    allocated, enough, simulated, start = {turn.number: budget for turn in turns}, BATCH_TRIES, 0, monotonic()
    while allocated:
        selected = [turn for turn in turns if turn.number in allocated]
        passes = (
            review_turns(game, model, [turn], GRADES[hand], allocated[turn.number], seed, enough) for turn in selected
        )
        for turn, cost in (
            chain.from_iterable(passes) if jobs == 1
            else review_parallel(game.name, selected, hand, seed, allocated, jobs=jobs, max_tries=enough)
        ):  # fmt: skip
            by_number[turn.number], spent[turn.number] = turn, cost
            simulated += cost
            yield turn, cost
            if deadline is not None and enough > BATCH_TRIES and monotonic() > deadline:
                return
        now = monotonic()
        shots_left = (
            0 if deadline is None else int(_PLANNED_FRACTION * (deadline - now) * simulated / max(1e-6, now - start))
        )
        allocated, enough = allocate_shots(list(by_number.values()), spent, shots_left, jobs), _MAX_SHOTS


def _partial_text(game: Game, turn: Turn, evaluation: Evaluation) -> str:
    """Text of the partial result of the current turn."""
    best = evaluation.best[0]
    return (
        f"{turn.number:3d} {game.seat_names[turn.seat]}, so far: {_value_text(best.value)}; best: "
        f"{_action_text(game, turn.before, best.action)}. {_BIAS_NOTE.capitalize()}."
    )


def _time_estimate_text(evaluation: Evaluation | None, budget: int, elapsed: float, seconds_per_turn: float) -> str:
    """Text of the estimated time per turn, from finished turns or else from the current one."""
    if evaluation is None:
        return f"; the next was not evaluated at all in {elapsed:.1f} s"
    seconds = seconds_per_turn or elapsed * budget / max(1, evaluation.shots)
    return f"; a turn takes about {_round_up_seconds(seconds)} s, and less with fewer --shots"


def _exit_stopped(text: str) -> typer.Exit:
    """Print why the command stopped, and return its exit."""
    err.print(text, soft_wrap=True)
    return typer.Exit(1)


def _turns_text(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"


def _check_budget(
    game: Game, model: GameRolloutModel, turns: Sequence[Turn], hand: str, budget: int, seconds: float | None
) -> int:  # fmt: skip
    """Warn before a review if the budget is too small for some turns; returns the shots per turn enough for all.

    Raises:
        InvalidOption: it is too small for every turn.
    """
    too_few, count, enough = shots_needed(game, model, turns, GRADES[hand], budget)
    if not too_few:
        return enough
    error = _insufficient_budget(TooFewShots(budget, enough), seconds, enough / budget)
    if too_few == count:
        raise error
    err.print(f"{too_few} of {_turns_text(len(turns))} will not be reviewed: {error}.", soft_wrap=True)
    return enough


def _show_review(game: Game, review: Review, turns: Sequence[Turn], hand: str) -> None:
    states = {turn.number: turn.before for turn in turns}
    reviewed = _all_turns(review)
    undecided = [turn for turn in reviewed if review.decided_turn is None or turn.number < review.decided_turn]
    for reason, group in groupby(undecided, _idle_reason):
        run = list(group)
        if reason and len(run) > 1:
            out.print(f"Turns {run[0].number} to {run[-1].number}: {reason}.", soft_wrap=True)
            continue
        for turn in run:
            out.print(_turn_text(game, states[turn.number], turn), soft_wrap=True)
    if review.decided_turn is not None:
        winners = " and ".join(game.seat_names[seat] for seat in review.winners)
        last = reviewed[-1].number
        out.print(
            f"Turns {review.decided_turn} to {last}: decided, {winners} had won whatever was played.", soft_wrap=True
        )
    out.print()
    if len(reviewed) < review.total_turns:
        out.print(f"{_coverage_text(review).capitalize()} reviewed.", soft_wrap=True)
    for number in review.turning_points:
        turning = next(turn for turn in review.turns if turn.number == number)
        plan = f"the plan lost {_loss_text(turning)}" if turning.is_significant else "no better plan was found"
        out.print(
            f"Turning point, turn {number}: {game.seat_names[turning.seat]} went from "
            f"{turning.value_before.win_probability:.1%} to {turning.value_after.win_probability:.1%}; {plan}"
            f"{_noise_text(game, turning.loss_by_execution)}.",
            soft_wrap=True,
        )
    for row in review.accuracy:
        out.print(_accuracy_text(game, row), soft_wrap=True)
    if game.uses_physics:
        out.print(f"All turns are evaluated with {hand} hands; --hand sets another grade.", soft_wrap=True)
    has_error = _rollout_model(game).model_error(game.rules.view(turns[0].before, turns[0].seat)) is not None
    out.print(_INTERVAL_NOTE.format("") if has_error else _SAMPLING_NOTE, soft_wrap=True)
    joint = (
        _JOINED_NOTE
        if turns_join(game, _seat_count(game, turns))
        else f"{_SEPARATE_NOTE}: the two differ by that and by the sampling error."
    )
    out.print(joint, soft_wrap=True)
    out.print(f"{_shots_text(game, review.shots)}.")


def _seat_count(game: Game, turns: Sequence[Turn]) -> int:
    """Number of seats."""
    return len(game.rules.scores(turns[0].before))


def _all_turns(review: Review) -> list[ReviewedTurn | SkippedTurn]:
    """Reviewed and skipped turns, in order."""
    turns: list[ReviewedTurn | SkippedTurn] = [*review.turns, *review.skipped]
    return sorted(turns, key=lambda turn: turn.number)


def _coverage_text(review: Review) -> str:
    """Text of the range of reviewed turns: "turns 3 to 7 of 20"."""
    turns = _all_turns(review)
    first, last = turns[0].number, turns[-1].number
    return (
        f"turn {first} of {review.total_turns}" if first == last else f"turns {first} to {last} of {review.total_turns}"
    )


def _idle_reason(turn: ReviewedTurn | SkippedTurn) -> str:
    """Common text of consecutive turns without a choice; empty for other turns."""
    if isinstance(turn, SkippedTurn):
        return turn.reason if turn.shots_needed else _NO_CHOICE_TEXT
    return "" if turn.choice_mattered else _NO_CHOICE_TEXT


def _turn_text(game: Game, state: State, turn: ReviewedTurn | SkippedTurn) -> str:
    """Line of a turn: win probability before, as meant and as made, and a significantly better plan."""
    head = f"{turn.number:3d} {game.seat_names[turn.seat]}"
    if isinstance(turn, SkippedTurn):
        return f"{head}: {turn.reason}"
    values = [("", turn.value_before), ("meant ", turn.value_meant)]
    if game.uses_physics:
        values.append(("made ", turn.value_after))
    chances = ", ".join(f"{label}{value.win_probability:.1%} ± {_half_width(value):.1%}" for label, value in values)
    line = f"{head}: {chances}: {_action_text(game, state, turn.meant, turn.meant_purpose)}"
    if not turn.choice_mattered:
        return f"{line}; no other choice would have mattered"
    better = (
        f"better by {_loss_text(turn)}: {_action_text(game, state, turn.best, turn.best_purpose)}"
        if turn.is_significant
        else "no better found"
    )
    return f"{line}; {better}"


def _loss_text(turn: ReviewedTurn) -> str:
    return f"{turn.loss_by_choice:.1%} ± {_round_up(turn.margin, 3):.1%}"


def _half_width(value: ValueEstimate) -> float:
    """Longer arm of the interval of a win probability, rounded up."""
    return _round_up(max(value.high - value.win_probability, value.win_probability - value.low), 3)


def _accuracy_text(game: Game, row: Accuracy) -> str:
    return (
        f"{game.seat_names[row.seat]}: accuracy {row.accuracy:.0f} of 100, "
        f"in the {row.turns} of {_turns_text(row.total_turns)} in "
        f"which it mattered; plans lost {row.loss_by_choice:.1%} a turn{_noise_text(game, row.loss_by_execution)}."
    )


def _noise_text(game: Game, loss: float) -> str:
    """Text of the loss by execution, in games of flicks."""
    if not game.uses_physics:
        return ""
    return f", the hand lost {loss:.1%}" if loss >= 0.0 else f", the hand gained {-loss:.1%}"


def win_chance_series(game: Game, review: Review, seats: int) -> list[WinChanceSeries]:
    """Win probability of the first side over all turns; of more than two sides, of each over its own turns."""
    sides = game.sides(seats)
    series = []
    for side in sides if len(sides) > 2 else sides[:1]:
        turns = [turn for turn in review.turns if turn.seat in side or len(sides) == 2]
        chance = [
            turn.value_after.win_probability if turn.seat in side else 1.0 - turn.value_after.win_probability
            for turn in turns
        ]
        if turns:
            label = " and ".join(game.seat_names[seat] for seat in side)
            key = colours.colour_key(side[0], game.seat_names)
            series.append(WinChanceSeries(label, key, [turn.number for turn in turns], chance))
    return series


def _draw_graph(game: Game, review: Review, turns: Sequence[Turn], png: Path) -> None:
    series = win_chance_series(game, review, _seat_count(game, turns))
    reviewed = _all_turns(review)
    part = "turn by turn" if len(reviewed) == review.total_turns else _coverage_text(review)
    span = (reviewed[0].number, reviewed[-1].number)
    save_png(win_chance_chart(f"{game.title}, {part}", series, review.turning_points, span), png)
