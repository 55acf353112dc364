"""Command `flicksim play`: one game, in a window or headless, new, from a position, or resumed; and a demonstration."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from flicksim import gui
from flicksim import match as matches
from flicksim.cli import formatting
from flicksim.cli.arguments import AsJson, OptionWords, SeatWords, argument, check_suffix, option, switch
from flicksim.cli.console import err, out, show_json
from flicksim.cli.match_limits import MaxMoves, MaxTurns, match_limits
from flicksim.cli.terminal_player import TerminalPlayer
from flicksim.core.errors import CannotContinue, InvalidFile, InvalidOption, MissingExtra
from flicksim.core.serialization import Value, to_builtins
from flicksim.games import load
from flicksim.referee import Game, assign_seats, parse_options
from flicksim.render import draw
from flicksim.render.pillow_backend import save_png


def print_option_warnings(game: Game, options: Value) -> None:
    """Print what the rules recommend against."""
    for warning in game.option_warnings(options):
        err.print_line(f"flicksim: {warning}")


def resolve_seats(game: Game, options: Value, seat_words: list[str] | None, first_seat: str) -> list[matches.Seat]:
    """Resolve the seats of a game; without seats, `first_seat` against club bots."""
    fewest = 2 if getattr(options, "seats", None) == 2 else game.seats[0]
    seats = [matches.parse_seat(word) for word in seat_words or [first_seat, *["bot:club"] * (fewest - 1)]]
    assigned = list(assign_seats(game, options, seats))
    matches.check_shell_seats(assigned)
    return assigned


def play_command(
    game: Annotated[str | None, argument("GAME", "Name of the game; not needed with --resume.")] = None,
    seat: SeatWords = None,
    option: OptionWords = None,
    seed: Annotated[int | None, option("--seed", "N", "Random seed. [default: 1]", min=0, max=2**53 - 1)] = None,
    record: Annotated[Path | None, option("--record", "FILE", "Record the game, turn by turn.")] = None,
    resume: Annotated[Path | None, option("--resume", "FILE", "Continue a recorded game.")] = None,
    position: Annotated[
        str | None, option("--position", "FILE|NAME", "Start position (see `flicksim position`).")
    ] = None,
    headless: Annotated[bool, switch("--headless", "Play in the terminal, without a window.")] = False,
    max_turns: MaxTurns = None,
    max_moves: MaxMoves = None,
    as_json: AsJson = False,
) -> None:
    """Play one game in the window or, headless, in the terminal."""
    check_suffix(record, ".jsonl", "a record")
    recorder: matches.Recorder | None = None
    if resume is not None:
        if option or any(value is not None for value in (record, seed, position, max_turns, max_moves)):
            raise InvalidOption(
                f"--resume {str(resume)!r} has its own options, seed, position, limits and file; leave the others out"
            )
        match, seats, recorder = _resume(resume, game, seat or [])
    else:
        bounds = match_limits(max_turns, max_moves)
        match, seats = _open(game or "", option or [], position, seat, 1 if seed is None else seed, bounds)
    people = _check_playable(seats, headless, as_json)
    if record is not None:
        recorder = matches.Recorder(record, matches.match_header(match, tuple(map(str, seats))))
    in_window = not headless and not as_json and (people or gui.display_unavailable_reason() is None)
    play_match(match, seats, recorder, in_window=in_window, as_json=as_json)


def _open(
    name: str, option_words: list[str], position: str | None, seat_words: list[str] | None, seed: int,
    bounds: matches.MatchLimits,
) -> tuple[matches.Match, list[matches.Seat]]:  # fmt: skip
    """Open a new game; returns it and its seats."""
    game, start = load(name), None
    options = parse_options(game, option_words)
    if position is not None:
        start, options = matches.load_start(game, position, option_words)
    print_option_warnings(game, options)
    seats = resolve_seats(game, options, seat_words, "human")
    return matches.open_match(game, options, seats, seed, position=start, bounds=bounds), seats


def play_match(
    match: matches.Match, seats: list[matches.Seat], recorder: matches.Recorder | None = None, *, in_window: bool,
    as_json: bool = False,
) -> None:  # fmt: skip
    """Play a game in the window or in the terminal; where it is stopped, say how to go on with it."""
    # the window keeps a game, but cannot go on with one that starts a program
    kept = tuple(map(str, seats)) if in_window and all(seat.kind != "cmd" for seat in seats) else ()
    try:
        if in_window:
            raise typer.Exit(gui.run(match=match, recorder=recorder, seats=kept))
        _play_headless(match, seats, recorder, as_json)
    except CannotContinue as error:
        saved = f"; its record is {recorder.path}" if recorder is not None else ""
        err.print_line(f"flicksim: {error}{saved}")
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        hint = "its record is" if match.is_over else "go on with --resume"
        saved = f"; {hint} {recorder.path}" if recorder is not None else ""
        if kept and recorder is None and match.turns and not match.is_over:
            saved = "; go on in the window (`flicksim`), by Continue in its main menu"
        err.print_line(f"Stopped after turn {len(match.turns)}{saved}.")
        raise typer.Exit(1) from None
    finally:
        if recorder is not None:
            recorder.close()


def _check_playable(seats: Iterable[matches.Seat], headless: bool, as_json: bool) -> bool:
    """Return True if a seat is a person's, who can play here.

    Raises:
        InvalidOption: there is one, but neither a window nor a terminal to play in.
    """
    if not any(seat.kind == "human" for seat in seats):
        return False
    if as_json:
        raise InvalidOption("a human seat cannot answer in --json, which is for programs; leave one of the two out")
    reason = None if headless else gui.display_unavailable_reason()
    if reason is not None:
        raise InvalidOption(
            f"a human seat needs a window: {reason}; play in the shell by --headless, or seat only bot:GRADE or random"
        )
    return True


def _resume(
    path: Path, game: str | None, seat_words: list[str]
) -> tuple[matches.Match, list[matches.Seat], matches.Recorder]:
    record = matches.read_record(path)
    if game is not None and game != record.header.game:
        raise InvalidOption(f"{str(path)!r} is a game of {record.header.game}, not {game!r}")
    replay, seats = matches.open_replay(record)
    matches.check_resumed_seats(replay, [matches.parse_seat(word) for word in seat_words])
    recorder = matches.resume_record(replay, "resumed", may_be_finished=False)
    if record.is_truncated:
        err.print_line(f"The last line of {path} was cut; going on after turn {len(record.turns)}.")
    return replay.match, seats, recorder


def _play_headless(
    match: matches.Match, seats: list[matches.Seat], recorder: matches.Recorder | None, as_json: bool
) -> None:
    if not as_json and match.custom_start is not None and not match.turns:
        formatting.show_corrections(match.custom_start.corrections)
    terminal, people = TerminalPlayer(match), any(player is None for player in match.players)
    # people need not wait; a game of bots alone is reproducible, so it may not depend on what is compiled
    choose = None if as_json else matches.warm_up_match(match, matches.FALLBACK_TIME_LIMIT if people else None)

    def report_turn(turn: matches.Turn) -> None:
        if recorder is not None:
            recorder.write_turn(turn)
        if not as_json:
            name = match.game.seat_names[turn.seat]
            out.print_line(f"{turn.number:3d} {name}: {turn.verdict}")

    with matches.defer_interrupts():
        for turn in match.run(terminal.choose, choose):
            report_turn(turn)
            person = match.players[turn.seat] is None
            # before other players act; at the next decision of a person it can be reported too
            while (match.is_over or person) and (match.is_over or match.players[match.to_play or 0] is not None):
                report = terminal.self_report()
                if report is None:
                    break
                report_turn(match.play(report))
    if recorder is not None and match.forfeit is not None:
        recorder.write_forfeit(match.forfeit)
    if as_json:
        results, options = [matches.game_result(match, 1)], to_builtins(match.options)
        show_json(matches.summarise_series(match.game.name, options, seats, 1, match.streams.seed, results))
    else:
        formatting.show_score(match, seats)


def run_demo(reason: str) -> None:
    """Play a bot match in the terminal, and save a picture of its last flick."""
    err.print_line(f"No window: {reason}. Two bots play a game of Penny White instead.")
    game = load("penny-white")
    seats = (matches.parse_seat("bot:expert"), matches.parse_seat("bot:club"))
    match = matches.open_match(game, parse_options(game, []), seats, 1)
    ends, last = match.state.options.ends, None
    with formatting.progress_bar("end") as bar:
        task = bar.add_task("Penny White", total=ends)
        for turn in match.run():
            last = turn.result or last
            bar.update(task, completed=ends if match.is_over else match.state.end - 1)
    formatting.show_score(match, seats)
    picture = Path("flicksim-demo.png")
    try:
        assert last is not None
        save_png(draw(last), picture)
        out.print(f"The last flick is drawn in {picture}.")
    except (MissingExtra, InvalidFile) as error:
        err.print_line(f"No picture: {error}")
