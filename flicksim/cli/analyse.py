"""Command `flicksim analyse`: evaluate a position, or review a record."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from rich.text import Text

from flicksim import ai, match
from flicksim.cli import analysis_text, review
from flicksim.cli.analysis_text import MAX_SHOTS, AnalysisOptions, exit_stopped
from flicksim.cli.arguments import AsJson, Jobs, SeedNumber, argument, check_picture, option
from flicksim.cli.console import err, out, show_json, show_table
from flicksim.core.errors import InvalidFile, InvalidInput, InvalidOption
from flicksim.core.file_signatures import identify_file
from flicksim.core.paths import resolve_asset
from flicksim.core.sanitize import escape_unprintable
from flicksim.core.serialization import from_json, read_bytes, to_builtins
from flicksim.core.type_aliases import Action, JsonValue, State
from flicksim.core.units import format_azimuth
from flicksim.games import games_with_positions, load
from flicksim.referee import Game, Purpose
from flicksim.render import value_heatmap
from flicksim.render.pillow_backend import save_png
from flicksim.scene import Flick, Launch, Squidge

_INPUT_HINT = (
    "give a game.jsonl, as `flicksim play --record` writes it, or a position, as `flicksim position` lists them"
)
_DEFAULT_SHOTS_TEXT = "20,000 at Penny White, 600 at tiddlywinks, 2,000 deals at dominoes, 1,000 at the others"
"""Default number of shots of each game (`default_shots`), as no game is loaded for the help."""


def analyse_command(
    file: Annotated[str, argument("FILE", "Recorded game, position file, or name of a position.")],
    turn: Annotated[
        int | None, option("--turn", "N", "Evaluate the position before this turn of a recorded game.", min=1)
    ] = None,
    hand: Annotated[
        str | None, option("--hand", "GRADE", "Grade of hand of every player. [default: as recorded, or club]")
    ] = None,
    shots: Annotated[
        int | None,
        option(
            "--shots", "N", f"Shots for a position or per turn. [default: {_DEFAULT_SHOTS_TEXT}]", min=1, max=MAX_SHOTS
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        option("--seconds", "S", "Time for the command, its start aside, instead of --shots.", min=0.01, max=3600.0),
    ] = None,
    game: Annotated[str | None, option("--game", "GAME", "Game of the position. [default: from the file]")] = None,
    seed: SeedNumber = 1,
    png: Annotated[Path | None, option("--png", "FILE", "Draw a value map, or a graph of the game, to a file.")] = None,
    jobs: Jobs = 1,
    as_json: AsJson = False,
) -> None:
    """Evaluate a position and list its best actions, or review a recorded game."""
    if shots is not None and seconds is not None:
        raise InvalidOption(f"--shots {shots} and --seconds {seconds:g} exclude each other; give one of them")
    check_picture(png)
    hand, path = None if hand is None else ai.parse_grade(hand), resolve_asset(Path(file))
    options = AnalysisOptions(hand=hand or "club", shots=shots, seconds=seconds, seed=seed, png=png, as_json=as_json)
    if match.is_record(path):
        if game is not None:
            raise InvalidOption(f"--game {game} is for a position; a recorded game names its own")
        _analyse_record(path, turn, options, jobs, has_hand=hand is not None)
        return
    if jobs > 1:
        raise InvalidOption(f"--jobs {jobs} is for the turns of a recorded game; {file!r} is none")
    if turn is not None:
        raise InvalidOption(f"--turn {turn} is for a recorded game; {file!r} is none")
    _check_position_file(path)
    loaded = load(game) if game is not None else match.game_of_position(file)
    _analyse_position(loaded, match.load_start_state(loaded, file)[1], options)


def _analyse_record(path: Path, turn: int | None, options: AnalysisOptions, jobs: int, *, has_hand: bool) -> None:
    """Review a recorded game, or evaluate the position before a turn; with the grade of hand that all its players have,
    unless one was given."""
    if turn is not None and jobs > 1:
        raise InvalidOption(f"--jobs {jobs} is for all turns of a record, not for --turn {turn} alone")
    replay, seats = match.replay_whole(path, "it cannot be analysed")
    game, turns, hands = replay.match.game, replay.match.turns, {seat.hand for seat in seats}
    if not has_hand and len(hands) == 1:
        options = replace(options, hand=hands.pop() or "club")
    if turn is None:
        review.review_record(game, turns, options, jobs)
    elif turn <= len(turns):
        _analyse_position(game, turns[turn - 1].before, options, turns[turn - 1])
    elif turn == len(turns) + 1 and not replay.match.is_over:
        _analyse_position(game, replay.match.state, options)
    else:
        raise InvalidOption(f"turn {turn} of {str(path)!r} is not there; it has {len(turns)}")


def _check_position_file(path: Path) -> None:
    """Check that a file, if it exists, may be a position.

    Raises:
        InvalidFile: it cannot be; the message quotes nothing of its content.
    """
    if not os.path.isfile(path):  # noqa: PTH113 - raises nothing; reading it will
        return
    text = read_bytes(path)
    if file_type := identify_file(text):
        raise InvalidFile(f"{str(path)!r} is {file_type}; {_INPUT_HINT}")
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


def _analyse_position(game: Game, state: State, options: AnalysisOptions, turn: match.Turn | None = None) -> None:
    """Evaluate a position and print the result; that of a recorded turn like its review."""
    seat = game.rules.to_play(state)
    if seat is None:
        raise InvalidOption("the game is over there, and nobody is to play; give a position in which a seat is to play")
    model, png = match.GameRolloutModel(game), options.png
    evaluation, purposes, value_map, stopped = _evaluate(model, state, seat, options, turn)
    if png is not None and not stopped:
        if value_map is None:
            raise InvalidOption(f"no map can be drawn for {str(png)!r}: the best action is no flick")
        _draw_map(value_map, f"{game.seat_names[seat]}: {value_map.action.piece}", options.hand, png)
    if options.as_json:
        error = model.model_error(game.rules.view(state, seat))
        show_json(
            {
                "game": game.name, "played_out": model.plays_to_end, "hand": options.hand, "seed": options.seed,
                "stopped": bool(stopped), **_evaluation_json(evaluation, purposes), "map": value_map,
                "model_error": error and error.win_probability_margin(evaluation.value.win_probability),
            }
        )  # fmt: skip
    else:
        plans = zip(evaluation.best, purposes, strict=True)
        texts = [_candidate_text(game, state, best.action, purpose, turn) for best, purpose in plans]
        _show_position(game, state, options.hand, evaluation, texts, model)
        if png is not None and not stopped:
            out.print(f"Drawn in {png}.")
    if stopped:
        raise exit_stopped(stopped if png is None else f"{stopped} {png} is not drawn.")


def _evaluate(
    model: match.GameRolloutModel, state: State, seat: int, options: AnalysisOptions, turn: match.Turn | None
) -> tuple[ai.Evaluation, tuple[Purpose | None, ...], ai.ValueMap | None, str]:  # fmt: skip
    """Evaluate a position: result, purposes of its plans, value map, and why it was stopped, empty where it was not."""
    game, noise, wants_map = model.game, options.noise, options.png is not None or options.as_json
    view, evaluation = game.rules.view(state, seat), None
    purposes: tuple[Purpose | None, ...] = ()
    value_map, budget, stopped, step = None, 0, "", "anything was evaluated"
    try:
        budget = options.shot_budget(model, state, seat, 1 + (game.uses_physics and wants_map))
        max_tries = ai.BATCH_TRIES if options.seconds is None else MAX_SHOTS
        if turn is None or turn.seat != seat:
            evaluation = ai.evaluate(model, noise, view, seat, options.seed, budget, max_tries=max_tries)
        else:
            evaluation = match.evaluate_turn(model, turn, view, noise, budget, options.seed, top=3, max_tries=max_tries)
        step = "the purposes of the plans were determined"
        purposes = tuple(model.purpose(view, candidate.action) for candidate in evaluation.best)
        best, step = evaluation.best[0].action, "the map was drawn"
        if isinstance(best, Flick | Squidge | Launch) and wants_map:
            value_map = ai.compute_value_map(model, noise, view, seat, options.seed, best, budget)
    except ai.TooFewShots as too_few:
        raise options.insufficient_budget(too_few, budget) from None
    except ai.EvaluationInterrupted as interrupted:
        evaluation, stopped = interrupted.evaluation, f"Stopped: {analysis_text.BIAS_NOTE}."
    except KeyboardInterrupt:
        stopped = f"Stopped before {step}."
    if evaluation is None:
        raise exit_stopped("Stopped before anything was evaluated.")
    return evaluation, purposes or (None,) * len(evaluation.best), value_map, stopped


def _evaluation_json(evaluation: ai.Evaluation, purposes: Sequence[Purpose | None]) -> dict[str, JsonValue]:
    """Fields of an evaluation, with the purposes of its best candidates."""
    result: dict[str, JsonValue] = to_builtins(evaluation)
    result["best"] = [{**best, "purpose": of} for best, of in zip(result["best"], purposes, strict=True)]
    return result


def _show_position(
    game: Game, state: State, hand: str, evaluation: ai.Evaluation, texts: Sequence[str], model: match.GameRolloutModel
) -> None:
    """Print the value of a position and its best plans."""
    value, view = evaluation.value, game.rules.view(state, evaluation.seat)
    error, part = model.model_error(view), game.progress(state).part_name.lower() or "game"
    player = game.seat_names[evaluation.seat]
    out.print_line(f"{player} to play, {hand} hands: {analysis_text.value_text(value)} when the {part} is over.")
    rows = []
    for number, (text, candidate) in enumerate(zip(texts, evaluation.best, strict=True), 1):
        found = candidate.value
        ahead = f"{found.point_margin:+.2f} ± {analysis_text.round_up(found.margin, 2):.2f}"
        interval = analysis_text.interval_text(found)
        rows.append(
            (
                number,
                Text(escape_unprintable(text, multiline=True)),
                f"{found.win_probability:.1%}",
                interval,
                ahead,
                found.tries,
            )
        )
    show_table(("", "plan", "wins", "95 %", f"points ahead after this {part}", "tries"), rows)
    if error is None:
        out.print_line(analysis_text.SAMPLING_NOTE)
    else:
        margin = analysis_text.round_up(error.win_probability_margin(value.win_probability), 3)
        weak = f" {analysis_text.WEAK_MODEL_NOTE}" if margin > analysis_text.WEAK_MODEL_MARGIN else ""
        out.print_line(f"{analysis_text.INTERVAL_NOTE.format(f' (± {margin:.1%} here)')}{weak}")
    if not model.plays_to_end:
        err.print_line(
            f"{game.title} is not played out to its end here: a win chance is a bot's estimate of the position after "
            "the flick."
        )
    if evaluation.all_equal and len(evaluation.best) > 1:
        conclusion = "All plans had the same result in every try."
    elif evaluation.is_decisive and len(evaluation.best) == 1:
        is_only = len(model.top_candidates(view, 2)) == 1
        conclusion = "There is no other plan." if is_only else "No other idea was found."
    elif evaluation.is_decisive:
        conclusion = analysis_text.decisive_text(error)
    else:
        more = "" if value.tries >= ai.BATCH_TRIES else ": more shots would decide"
        conclusion = f"Others may be as good{more}."
    later = "" if game.uses_physics else "; later rounds count as even"
    out.print_line(f"{conclusion} {analysis_text.shots_text(game, evaluation.shots)}{later}.")


def _candidate_text(game: Game, state: State, action: Action, purpose: Purpose | None, turn: match.Turn | None) -> str:
    """Text of a candidate in the table, with its purpose on a line of its own."""
    text = analysis_text.action_text(game, state, action)
    separator = " " if purpose is None else "\n"
    if turn is not None and turn.meant == action:
        text = f"{text}{separator}(as played)"
    return text if purpose is None else f"{purpose.text}:\n{text}"


def _draw_map(value_map: ai.ValueMap, label: str, hand: str, png: Path) -> None:
    drawing = value_heatmap(
        f"{label}, value of the intended flick with {hand} hands",
        value_map.azimuths, value_map.speeds, value_map.win_probability, ("direction [degrees]", "speed [m/s]"),
        (value_map.action.azimuth, value_map.action.speed), (format_azimuth, "{:.2f}".format),
    )  # fmt: skip
    save_png(drawing, png)
