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
"""Tries by which it is measured how many shots a second are settled: few first, more where these take no longer [s]."""
_FIRST_PASS_FRACTION, _PLANNED_FRACTION = 0.1, 0.75
"""Share of a review's time by which all turns are gone through, to see how long they take, and of what is left that is
then planned for those of which least is known, over and over."""
_MAX_SHOTS = 10_000_000
"""Nobody waits for more shots."""
_DEFAULT_SHOTS_TEXT = (
    "20,000 at Penny White, 600 at tiddlywinks, 2,000 deals at dominoes, 1,000 at the others unless said"
)
"""The usual number of shots of each game (`default_shots`), said before any game is loaded."""
_SAMPLING_NOTE = "Intervals tell of luck alone, not of plans nobody thought of."
_INTERVAL_NOTE = (
    "Intervals of chances hold luck and the model's error as measured{}, those of points luck alone; none holds plans "
    "nobody thought of."
)
_MODEL_ERROR_NOTE = " and the model's error"
_SEPARATE_NOTE = (
    "After a turn play goes on as it usually does, before the next by the best plan found, as whoever acts sees it"
)
"""Beside luck that is where the worth after a turn and that before the next differ, where turns do not join."""
_JOINED_NOTE = "After a turn a position is worth what the best plan found before the next makes of it."
_NO_CHOICE_TEXT = "nothing to choose, or all one what was chosen"
"""Words for a row of turns without a choice that counts."""
_BIAS_NOTE = "what is known so far flatters the best plan a little"


class _PositionQuery(NamedTuple):
    """A position to be weighed: the game, the state, whose hands are at the table, and the turn that was made there."""

    game: Game
    state: State
    hand: str
    turn: Turn | None = None


def analyse_command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A recorded game, a position file, or a position's name.")
    ],
    turn: Annotated[
        str | None, typer.Option("--turn", metavar="N", help="Of a record only the position before this turn.")
    ] = None,
    hand: Annotated[
        str | None, typer.Option("--hand", metavar="GRADE", help="Whose hands are at the table; as recorded, or club.")
    ] = None,
    shots: Annotated[
        str | None,
        typer.Option(
            "--shots", metavar="N", help=f"Shots for a position, or for a turn of a record; {_DEFAULT_SHOTS_TEXT}."
        ),
    ] = None,
    seconds: Annotated[
        str | None,
        typer.Option("--seconds", metavar="S", help="Or as many as take so long, all in all, about; up to an hour."),
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="Whose position it is; told by the file without.")
    ] = None,
    seed: SeedNumber = 1,
    png: Annotated[
        Path | None, typer.Option("--png", metavar="FILE", help="Draw a map of worth, or a graph of the game.")
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", help="Turns of a record gone through side by side.", min=1, max=1024)
    ] = 1,
    as_json: AsJson = False,
) -> None:
    """Say what a position is worth and which flicks are best, or review a record."""
    if shots is not None and seconds is not None:
        raise InvalidOption(f"--shots {shots} and --seconds {seconds} are two measures of one thing; give one of them")
    number, budget, time = _parse_count("turn", turn), _parse_count("shots", shots), _parse_seconds(seconds)
    if hand is not None:
        hand = parse_grade(hand)
    if png is not None and png.suffix.lower() != ".png":
        raise InvalidFile(f"the picture {str(png)!r} must be called something.png")
    if png is not None and not png.absolute().parent.is_dir():
        raise InvalidFile(f"the picture {str(png)!r} has no folder to lie in; make {str(png.parent)!r} first")
    path = resolve_asset(Path(file))
    if _is_record(path):
        if game is not None:
            raise InvalidOption(f"--game {game} is for a position; a recorded game says itself which it is")
        _analyse_record(path, number, hand, budget, time, seed, jobs, png, as_json)
        return
    if jobs > 1:
        raise InvalidOption(f"--jobs {jobs} is for the turns of a recorded game; {file!r} is a position")
    if turn is not None:
        raise InvalidOption(f"--turn {turn} is for a recorded game; {file!r} is a position")
    _check_position_file(path)
    card = load(game) if game is not None else game_of_position(file)
    state, _ = position_notation(card).start_state(load_position(card, file))
    _analyse_position(_PositionQuery(card, state, hand or "club"), budget, time, seed, png, as_json)


def _parse_count(name: str, word: str | None) -> int | None:
    """The number given for an option, where one is."""
    number = None if word is None else parse_int(word)
    if word is not None and (number is None or not 1 <= number <= _MAX_SHOTS):
        raise InvalidOption(f"--{name} {word!r} must be a whole number, 1 to {_MAX_SHOTS}")
    return number


def _parse_seconds(word: str | None) -> float | None:
    """The seconds given, where they are."""
    if word is None:
        return None
    try:
        seconds = float(word)
    except ValueError:
        seconds = nan
    if seconds > 3600.0:
        raise InvalidOption(f"--seconds {seconds:g} is longer than an hour; give 3600 or less")
    if not seconds >= 0.01:
        raise InvalidOption(f"--seconds {word!r} must be seconds, 0.01 to 3600")
    return seconds


def _check_position_file(path: Path) -> None:
    """See that a file, where there is one, may be a position at all.

    Raises:
        InvalidFile: it is not, or cannot be read; nothing of what it holds is quoted.
    """
    try:
        if not path.is_file():
            return
    except OSError:
        return  # whoever reads it says why it cannot be
    text = read_bytes(path)
    if not text.lstrip().startswith(b"{"):
        raise InvalidFile(f"{str(path)!r} is neither a recorded game of flicksim nor a position; {_INPUT_HINT}")
    try:
        said = set(from_json(text, dict, name=str(path)))
    except InvalidInput:
        raise InvalidFile(
            f"{str(path)!r} begins as a position does, but is broken off or written wrong; {_INPUT_HINT}"
        ) from None
    if not any(said & set(notation.Position.__struct_fields__) for _, notation in games_with_positions()):
        raise InvalidFile(f"{str(path)!r} says nothing that a position says; {_INPUT_HINT}")


def _is_record(path: Path) -> bool:
    """Tell a record, which is lines, from a position."""
    if path.suffix == ".jsonl":
        return True
    try:
        with path.open("rb") as lines:
            return lines.read(4096).removeprefix(BOM_UTF8).lstrip().startswith(b'{"line":')
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
    made = turns[turn - 1]
    _analyse_position(_PositionQuery(game, made.before, hand, made), shots, seconds, seed, png, as_json)


def _rollout_model(game: Game) -> GameRolloutModel:
    return GameRolloutModel(game, PhysicsSimulator(SEARCH_SETTINGS))


def _shot_budget(
    model: GameRolloutModel, query: _PositionQuery, seat: int, shots: int | None, seconds: float | None
) -> int:
    """Shots for a position: as said, as many as take so long, or the game's usual number."""
    if shots is not None:
        return shots
    if seconds is None:
        return model.default_shots
    view = query.game.rules.view(query.state, seat)
    plans = model.top_candidates(view, 4)
    if not plans:
        return model.default_shots
    model.rollout(view, seat, plans, GRADES[query.hand], 1, 0)  # whatever is made ready, is made ready now
    settled, took = 0, 0.0
    for tries in _PILOT_TRIES:
        begun = monotonic()
        settled = model.rollout(view, seat, plans, GRADES[query.hand], tries, 0).shots
        took = monotonic() - begun
        if took > _MIN_PILOT_SECONDS:
            break
    return min(_MAX_SHOTS, max(1, int(seconds * settled / max(1e-6, took))))


def _insufficient_budget(error: InvalidOption, seconds: float | None, factor: float) -> InvalidOption:
    """The refusal of a budget, in the words in which it was asked for; so many times as much would be enough."""
    if seconds is None:
        return error
    return InvalidOption(
        f"--seconds {seconds:g} is too little to tell anything here; give {_round_up_seconds(factor * seconds)}"
    )


def _round_up_seconds(seconds: float) -> str:
    """Seconds that are enough, rounded up to two digits."""
    step = 10.0 ** max(-1, floor(log10(max(seconds, 0.1))) - 1)
    return f"{max(0.1, ceil(seconds / step) * step):.1f}".removesuffix(".0")


# -- a position -------------------------------------------------------------------------------------------------------


def _analyse_position(
    query: _PositionQuery, shots: int | None, seconds: float | None, seed: int, png: Path | None, as_json: bool
) -> None:
    game, state = query.game, query.state
    seat = game.rules.to_play(state)
    if seat is None:
        raise InvalidOption("the game is over there, and nobody is to play; give a position in which somebody is")
    future, view, hand = _rollout_model(game), game.rules.view(state, seat), GRADES[query.hand]
    budget, stopped = 0, ""
    try:
        budget = _shot_budget(future, query, seat, shots, seconds)
        weighed = _evaluate(
            future, query, hand, view, seat, seed, budget, BATCH_TRIES if seconds is None else _MAX_SHOTS
        )
    except TooFewShots as wrong:
        raise _insufficient_budget(wrong, seconds, wrong.required / max(1, budget)) from None
    except EvaluationInterrupted as cut:
        if cut.evaluation is None:
            raise _exit_stopped("Stopped before anything was weighed.") from None
        weighed, stopped = cut.evaluation, f"Stopped: {_BIAS_NOTE}."
    except KeyboardInterrupt:
        raise _exit_stopped("Stopped before anything was weighed.") from None
    best = weighed.best[0].action
    mapped, purposes = None, tuple[Purpose | None, ...]((None,) * len(weighed.best))
    try:
        purposes = purposes if stopped else tuple(future.purpose(view, one.action) for one in weighed.best)
    except KeyboardInterrupt:
        stopped = "Stopped before it was told what the flicks are for."
    if isinstance(best, Flick | Squidge | Launch) and (png is not None or as_json) and not stopped:
        try:
            mapped = compute_value_map(future, hand, view, seat, seed, best, budget)
        except KeyboardInterrupt:
            stopped = "Stopped before the map was drawn."
    if png is not None and not stopped:
        if mapped is None:
            raise InvalidOption(f"no map can be drawn for {str(png)!r}: the best there is no flick")
        _draw_map(mapped, query, weighed, png)
    error = future.model_error(view)
    if as_json:
        plain = to_builtins(weighed)
        plain["best"] = [{**one, "purpose": purpose} for one, purpose in zip(plain["best"], purposes, strict=True)]
        show_json(
            {
                "game": game.name,
                "played_out": future.plays_to_end,
                "hand": query.hand,
                "seed": seed,
                "stopped": bool(stopped),
                "model_error": error.win_probability_margin(weighed.value.win_probability)
                if error is not None
                else None,
                **plain,
                "map": mapped,
            }
        )
    else:
        _show_position(
            query,
            weighed,
            purposes,
            future.plays_to_end,
            error,
            is_only_candidate=len(future.top_candidates(view, 2)) == 1,
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
    """The position weighed; that of a recorded turn as the review weighs it, with what was meant beside."""
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
    """Say what a position is worth, and by which plans; only: whether there is but one."""
    game, state = query.game, query.state
    part = game.progress(state).part_name.lower() or "game"
    who = game.seat_names[evaluation.seat]
    out.print(
        f"{who} to play, {query.hand} hands: {_value_text(evaluation.value)} when the {part} is over.", soft_wrap=True
    )
    table = Table("", "plan", "wins", "95 %", f"points ahead after this {part}", "tries")
    for number, (one, purpose) in enumerate(zip(evaluation.best, purposes, strict=True), 1):
        worth = one.value
        table.add_row(
            str(number), _candidate_text(query, one.action, purpose), f"{worth.win_probability:.1%}",
            interval_text(worth), f"{worth.point_margin:+.2f} ± {_round_up(worth.margin, 2):.2f}", str(worth.tries),
        )  # fmt: skip
    out.print(table)
    chance = evaluation.value.win_probability
    own = "" if error is None else f" (± {_round_up(error.win_probability_margin(chance), 3):.1%} here)"
    out.print(_SAMPLING_NOTE if error is None else _INTERVAL_NOTE.format(own), soft_wrap=True)
    if not plays_to_end:
        err.print(
            f"{game.title} is not played out to its end here: a chance is what a bot takes the table after the flick "
            "to be worth.", soft_wrap=True,
        )  # fmt: skip
    more = "" if evaluation.value.tries >= BATCH_TRIES else ": more shots would tell"
    doubt = f"Others may be as good{more}."
    if evaluation.all_equal and len(evaluation.best) > 1:
        doubt = "All plans came to the same, try for try."
    elif evaluation.is_decisive:
        alone = len(evaluation.best) == 1
        note = _MODEL_ERROR_NOTE if error is not None and error.gap else ""
        doubt = f"The first is ahead of the others told beyond luck{note}."
        if alone:
            doubt = "There is no other plan." if is_only_candidate else "No other idea was found."
    anybody = "" if game.uses_physics else "; the rounds to come are anybody's"
    out.print(f"{doubt} {_shots_text(game, evaluation.shots)}{anybody}.", soft_wrap=True)


def _candidate_text(query: _PositionQuery, action: Action, purpose: Purpose | None) -> str:
    """A plan in a field of the table: what it is for on a line of its own."""
    told = [f"{purpose.text}:"] if purpose is not None else []
    told.append(_action_text(query.game, query.state, action))
    if query.turn is not None and query.turn.meant == action:
        told.append("(as played)")
    return ("\n" if purpose is not None else " ").join(told)


def _shots_text(game: Game, shots: int) -> str:
    """Say how much was tried."""
    one, more = (
        ("shot was settled", "shots were settled")
        if game.uses_physics
        else ("deal was played out", "deals were played out")
    )
    return f"{shots:,} {one if shots == 1 else more}"


def _value_text(value: ValueEstimate) -> str:
    return f"wins {value.win_probability:.1%} ({interval_text(value)}), {value.point_margin:+.2f} points ahead expected"


def interval_text(value: ValueEstimate) -> str:
    """The interval of a chance, rounded outwards: the luck of finitely many shots is never told as none."""
    return f"{floor(value.low * 1000.0) / 1000.0:.1%} to {_round_up(value.high, 3):.1%}"


def _round_up(value: float, digits: int) -> float:
    """A size rounded up to so many digits."""
    return ceil(value * 10.0**digits) / 10.0**digits


def _action_text(game: Game, state: State, action: Action, purpose: Purpose | None = None) -> str:
    """A plan in a few words, what it is for before its numbers."""
    if isinstance(action, Flick | Squidge | Launch):
        told = "" if purpose is None else f"{purpose.text}: "
        told += f"{action.piece} {action.speed:.2f} m/s, {format_azimuth(action.azimuth)}°"
        if isinstance(action, Squidge | Launch):
            rise = action.slant if isinstance(action, Launch) else action.elevation
            told += f", rising {to_degrees(rise):.0f}°"
        at = action.hold if isinstance(action, Launch) else action.start
        return told if at is None else f"{told}, from {to_mm(at[0]):.0f}, {to_mm(at[1]):.0f} mm"
    if not game.uses_physics:
        return str(action)
    reasons = game.rules.judge(state, action, None).reasons
    return reasons[0].text if reasons else str(action)


def _draw_map(value_map: ValueMap, query: _PositionQuery, evaluation: Evaluation, png: Path) -> None:
    who, action = query.game.seat_names[evaluation.seat], value_map.action
    drawing = value_heatmap(
        f"{who}: {action.piece}, worth of a flick meant so by {query.hand} hands",
        value_map.azimuths, value_map.speeds, value_map.win_probability, ("direction [degrees]", "speed [m/s]"),
        (action.azimuth, action.speed), (format_azimuth, "{:.2f}".format),
    )  # fmt: skip
    save_png(drawing, png)


# -- a review ---------------------------------------------------------------------------------------------------------


def _common_grade(seats: Sequence[Seat], requested: str | None) -> str:
    """The hand that all are weighed with, so that turns join: as asked, the one all have as recorded, else club's."""
    known = {seat.hand for seat in seats}
    return requested or (len(known) == 1 and known.pop()) or "club"


def _review_record(
    game: Game, turns: Sequence[Turn], hand: str, shots: int | None, seconds: float | None, seed: int, jobs: int,
    png: Path | None, as_json: bool,
) -> None:  # fmt: skip
    if not turns:
        raise InvalidOption("no turn has been played in that record; there is nothing to review")
    future = _rollout_model(game)
    first = _PositionQuery(game, turns[0].before, hand)
    known = dict[int, ReviewedTurn | SkippedTurn]()
    settled, budget, so_far, stopped, lost = 0, 0, None, False, ""
    jobs = min(jobs, len(turns))
    first_begun = begun = monotonic()
    try:
        rounds = ceil(len(turns) / min(jobs, os.cpu_count() or 1))
        budget = _shot_budget(future, first, turns[0].seat, shots, None if seconds is None else seconds / rounds)
        if shots is not None or seconds is not None:
            enough = _check_budget(game, future, turns, hand, budget, seconds)
            budget = budget if seconds is None else min(budget, max(enough, int(_FIRST_PASS_FRACTION * budget)))
        with formatting.progress_bar("turn") as bar:
            task = bar.add_task(f"{game.title}, reviewed", total=len(turns))
            first_begun = begun = monotonic()
            until = None if seconds is None else begun + seconds
            for one, cost in _review_until(game, future, turns, hand, seed, budget, jobs, until):
                settled += cost
                known[one.number] = one
                bar.update(task, completed=len(known))
                begun = monotonic()
    except EvaluationInterrupted as cut:
        so_far, stopped = cut.evaluation, True
    except WorkersLost as wrong:
        stopped, lost = True, f": {wrong}"
    except KeyboardInterrupt:
        stopped = True
    found = [known[number] for number in sorted(known)]
    took, each = monotonic() - begun, (begun - first_begun) / len(found) if found else 0.0
    found = join_turns(game, found, _seat_count(game, turns))
    review = make_review(game, found, len(turns), settled)
    need = max((one.shots_needed for one in review.skipped), default=0)
    if need and not review.turns and not stopped:
        raise _insufficient_budget(TooFewShots(budget, need), seconds, need / budget)
    if png is not None and review.turns:
        _draw_graph(game, review, turns, png)
    if as_json:
        covers = (found[0].number, found[-1].number) if found else None
        show_json({**to_builtins(review), "covers": covers, "hand": hand, "stopped": stopped, "so_far": so_far})
    elif found:
        _show_review(game, review, turns, hand)
        if png is not None and review.turns:
            out.print(f"Drawn in {png}.")
    if need:
        few = sum(one.shots_needed > 0 for one in review.skipped)
        err.print(f"{few} of {len(found)} turns are not told: {TooFewShots(budget, need)}.", soft_wrap=True)
    if stopped:
        under_way = len(found) < len(turns)
        if so_far is not None and under_way and not as_json:
            out.print(_partial_text(game, turns[len(found)], so_far), soft_wrap=True)
        says = _time_estimate_text(so_far, budget, took, each) if jobs == 1 and under_way else lost
        raise _exit_stopped(f"Stopped after {len(found)} of {_turns_text(len(turns))}{says}.")


def _review_until(
    game: Game, model: GameRolloutModel, turns: Sequence[Turn], hand: str, seed: int, budget: int, jobs: int,
    deadline: float | None,
) -> Iterator[tuple[ReviewedTurn | SkippedTurn, int]]:  # fmt: skip
    """All turns gone through, and then, until that time, those of which least is known once more; beside each the
    shots settled for it."""
    known, spent = dict[int, ReviewedTurn | SkippedTurn](), dict[int, int]()
    given, enough, settled, begun = {turn.number: budget for turn in turns}, BATCH_TRIES, 0, monotonic()
    while given:
        some = [turn for turn in turns if turn.number in given]
        alone = (review_turns(game, model, [one], GRADES[hand], given[one.number], seed, enough) for one in some)
        for one, cost in (
            chain.from_iterable(alone) if jobs == 1
            else review_parallel(game.name, some, hand, seed, given, jobs=jobs, max_tries=enough)
        ):  # fmt: skip
            known[one.number], spent[one.number] = one, cost
            settled += cost
            yield one, cost
            if deadline is not None and enough > BATCH_TRIES and monotonic() > deadline:
                return
        now = monotonic()
        left = 0 if deadline is None else int(_PLANNED_FRACTION * (deadline - now) * settled / max(1e-6, now - begun))
        given, enough = allocate_shots(list(known.values()), spent, left, jobs), _MAX_SHOTS


def _partial_text(game: Game, turn: Turn, evaluation: Evaluation) -> str:
    """The turn that was being weighed, as far as it is known."""
    best = evaluation.best[0]
    return (
        f"{turn.number:3d} {game.seat_names[turn.seat]}, so far: {_value_text(best.value)}; best: "
        f"{_action_text(game, turn.before, best.action)}. {_BIAS_NOTE.capitalize()}."
    )


def _time_estimate_text(evaluation: Evaluation | None, budget: int, elapsed: float, seconds_per_turn: float) -> str:
    """Say how long a turn takes, as far as that is known: by those that were told, else by the one under way."""
    if evaluation is None:
        return f"; of the next nothing was weighed yet, in {elapsed:.1f} s"
    whole = seconds_per_turn or elapsed * budget / max(1, evaluation.shots)
    return f"; a turn takes about {_round_up_seconds(whole)} s, and less with fewer --shots"


def _exit_stopped(text: str) -> typer.Exit:
    """Say that it was stopped; the answer is then no."""
    err.print(text, soft_wrap=True)
    return typer.Exit(1)


def _turns_text(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"


def _check_budget(
    game: Game, model: GameRolloutModel, turns: Sequence[Turn], hand: str, budget: int, seconds: float | None
) -> int:  # fmt: skip
    """Say before anything is spent that so few shots tell nothing of some turns; gives how many a turn would.

    Raises:
        InvalidOption: they tell nothing of any.
    """
    few, of, enough = shots_needed(game, model, turns, GRADES[hand], budget)
    if not few:
        return enough
    wrong = _insufficient_budget(TooFewShots(budget, enough), seconds, enough / budget)
    if few == of:
        raise wrong
    err.print(f"{few} of {_turns_text(len(turns))} will not be told: {wrong}.", soft_wrap=True)
    return enough


def _show_review(game: Game, review: Review, turns: Sequence[Turn], hand: str) -> None:
    states = {turn.number: turn.before for turn in turns}
    found = _all_turns(review)
    told = [one for one in found if review.decided_turn is None or one.number < review.decided_turn]
    for why, run in groupby(told, _idle_reason):
        every = list(run)
        if why and len(every) > 1:
            out.print(f"Turns {every[0].number} to {every[-1].number}: {why}.", soft_wrap=True)
            continue
        for one in every:
            out.print(_turn_text(game, states[one.number], one), soft_wrap=True)
    if review.decided_turn is not None:
        who = " and ".join(game.seat_names[seat] for seat in review.winners)
        last = found[-1].number
        out.print(
            f"Turns {review.decided_turn} to {last}: decided, {who} had won whatever anybody did.", soft_wrap=True
        )
    out.print()
    if len(found) < review.total_turns:
        out.print(f"{_coverage_text(review).capitalize()}: nothing is told of the others.", soft_wrap=True)
    for number in review.turning_points:
        one = next(one for one in review.turns if one.number == number)
        plan = f"the plan lost {_loss_text(one)}" if one.is_significant else "no better plan was found"
        out.print(
            f"Turning point, turn {number}: {game.seat_names[one.seat]} went from "
            f"{one.value_before.win_probability:.1%} to {one.value_after.win_probability:.1%}; {plan}"
            f"{_noise_text(game, one.loss_by_execution)}.",
            soft_wrap=True,
        )
    for row in review.accuracy:
        out.print(_accuracy_text(game, row), soft_wrap=True)
    if game.uses_physics:
        out.print(f"All are weighed with {hand} hands; --hand names others.", soft_wrap=True)
    known = _rollout_model(game).model_error(game.rules.view(turns[0].before, turns[0].seat)) is not None
    out.print(_INTERVAL_NOTE.format("") if known else _SAMPLING_NOTE, soft_wrap=True)
    joint = (
        _JOINED_NOTE
        if turns_join(game, _seat_count(game, turns))
        else f"{_SEPARATE_NOTE}: the two worths differ by that and by luck."
    )
    out.print(joint, soft_wrap=True)
    out.print(f"{_shots_text(game, review.shots)}.")


def _seat_count(game: Game, turns: Sequence[Turn]) -> int:
    """Seats at the table."""
    return len(game.rules.scores(turns[0].before))


def _all_turns(review: Review) -> list[ReviewedTurn | SkippedTurn]:
    """The turns that were gone through, in order."""
    found: list[ReviewedTurn | SkippedTurn] = [*review.turns, *review.skipped]
    return sorted(found, key=lambda one: one.number)


def _coverage_text(review: Review) -> str:
    """The turns that were gone through, of all: "turns 3 to 7 of 20"."""
    found = _all_turns(review)
    first, last = found[0].number, found[-1].number
    return (
        f"turn {first} of {review.total_turns}" if first == last else f"turns {first} to {last} of {review.total_turns}"
    )


def _idle_reason(one: ReviewedTurn | SkippedTurn) -> str:
    """Words for a turn of which there is little to say, that turns in a row may share; empty where there is more."""
    if isinstance(one, SkippedTurn):
        return one.reason if one.shots_needed else _NO_CHOICE_TEXT
    return "" if one.choice_mattered else _NO_CHOICE_TEXT


def _turn_text(game: Game, state: State, one: ReviewedTurn | SkippedTurn) -> str:
    """A turn in a line: the chance of who acts before it, as meant and as made, and a better plan, beyond luck."""
    who = f"{one.number:3d} {game.seat_names[one.seat]}"
    if isinstance(one, SkippedTurn):
        return f"{who}: {one.reason}"
    worths = [("", one.value_before), ("meant ", one.value_meant)]
    if game.uses_physics:
        worths.append(("made ", one.value_after))
    chances = ", ".join(f"{called}{worth.win_probability:.1%} ± {_half_width(worth):.1%}" for called, worth in worths)
    line = f"{who}: {chances}: {_action_text(game, state, one.meant, one.meant_purpose)}"
    if not one.choice_mattered:
        return f"{line}; nothing else would have mattered"
    better = (
        f"better by {_loss_text(one)}: {_action_text(game, state, one.best, one.best_purpose)}"
        if one.is_significant
        else "no better found"
    )
    return f"{line}; {better}"


def _loss_text(one: ReviewedTurn) -> str:
    return f"{one.loss_by_choice:.1%} ± {_round_up(one.margin, 3):.1%}"


def _half_width(value: ValueEstimate) -> float:
    """The longer arm of the interval of a chance, rounded up."""
    return _round_up(max(value.high - value.win_probability, value.win_probability - value.low), 3)


def _accuracy_text(game: Game, row: Accuracy) -> str:
    return (
        f"{game.seat_names[row.seat]}: accuracy {row.accuracy:.0f} of 100, "
        f"in the {row.turns} of {_turns_text(row.total_turns)} in "
        f"which it mattered; plans lost {row.loss_by_choice:.1%} a turn{_noise_text(game, row.loss_by_execution)}."
    )


def _noise_text(game: Game, loss: float) -> str:
    """The part of the hand, where something is flicked."""
    if not game.uses_physics:
        return ""
    return f", the hand lost {loss:.1%}" if loss >= 0.0 else f", the hand gained {-loss:.1%}"


def win_chance_series(game: Game, review: Review, seats: int) -> list[WinChanceSeries]:
    """The chance of the first seat's side over the turns; of more than two sides each, over its own turns."""
    sides = game.sides(seats)
    courses = []
    for side in sides if len(sides) > 2 else sides[:1]:
        told = [one for one in review.turns if one.seat in side or len(sides) == 2]
        chance = [
            one.value_after.win_probability if one.seat in side else 1.0 - one.value_after.win_probability
            for one in told
        ]
        if told:
            who = " and ".join(game.seat_names[seat] for seat in side)
            key = colours.colour_key(side[0], game.seat_names)
            courses.append(WinChanceSeries(who, key, [one.number for one in told], chance))
    return courses


def _draw_graph(game: Game, review: Review, turns: Sequence[Turn], png: Path) -> None:
    courses = win_chance_series(game, review, _seat_count(game, turns))
    found = _all_turns(review)
    part = "turn by turn" if len(found) == review.total_turns else _coverage_text(review)
    span = (found[0].number, found[-1].number)
    save_png(win_chance_chart(f"{game.title}, {part}", courses, review.turning_points, span), png)
