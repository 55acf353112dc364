"""Command `flicksim play`: one game, in a window or headless, new, from a position, or resumed."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from flicksim import gui
from flicksim.cli import formatting
from flicksim.cli.arguments import AsJson, OptionWords, SeatWords
from flicksim.cli.console import err, out, show_json
from flicksim.cli.match_limits import MaxMoves, MaxTurns, match_limits
from flicksim.cli.terminal_player import TerminalPlayer
from flicksim.core.errors import CannotContinue, InvalidFile, InvalidOption
from flicksim.core.file_lock import FileLock
from flicksim.core.serialization import Value, to_builtins
from flicksim.games import load, names
from flicksim.match import (
    FALLBACK_TIME_LIMIT,
    Match,
    Recorder,
    Seat,
    Turn,
    append_to,
    check_shell_seats,
    defer_interrupts,
    game_result,
    load_start,
    match_header,
    open_match,
    open_replay,
    parse_seat,
    read_record,
    summarise_series,
    warm_up_match,
)
from flicksim.referee import Game, assign_seats, parse_options


def resolve_seats(game: Game, options: Value, seat_words: list[str] | None, first_seat: str) -> list[Seat]:
    """Those who sit down, seat by seat; when nobody is named, this one first against club players."""
    fewest = 2 if getattr(options, "seats", None) == 2 else game.seats[0]
    seats = [parse_seat(word) for word in seat_words or [first_seat, *["bot:club"] * (fewest - 1)]]
    found = list(assign_seats(game, options, seats))
    check_shell_seats(found)
    return found


def play_command(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Which game; a resumed record knows its own.")
    ] = None,
    seat: SeatWords = None,
    option: OptionWords = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="N", help="All chance comes from it; 1 unless said.", min=0, max=2**53 - 1),
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Write the game there, turn by turn.")
    ] = None,
    resume: Annotated[Path | None, typer.Option("--resume", metavar="FILE", help="Go on with a recorded game.")] = None,
    position: Annotated[
        str | None, typer.Option("--position", metavar="FILE|NAME", help="Begin there (see `flicksim position`).")
    ] = None,
    headless: Annotated[bool, typer.Option("--headless", help="No window, even where one could be opened.")] = False,
    max_turns: MaxTurns = None,
    max_moves: MaxMoves = None,
    as_json: AsJson = False,
) -> None:
    """Play one game: in a window, or headless; people type in the shell then."""
    recorder: Recorder | None
    if resume is not None:
        if option or any(one is not None for one in (record, seed, position, max_turns, max_moves)):
            raise InvalidOption(
                f"--resume {str(resume)!r} brings its own seats, options, seed, position, bounds and file; "
                "leave the others out"
            )
        match, seats, recorder = _resume(resume, game, seat or [])
    else:
        if game is None:
            raise InvalidOption(f"say which game; there are {', '.join(names())}")
        card = load(game)
        at = None
        options = parse_options(card, option or [])
        if position is not None:
            at, options = load_start(card, position, option or [])
        seats = resolve_seats(card, options, seat, "human")
        bounds = match_limits(max_turns, max_moves)
        match = open_match(card, options, seats, 1 if seed is None else seed, position=at, bounds=bounds)
        _check_playable(seats, headless, as_json)
        recorder = None if record is None else Recorder(record, match_header(match, tuple(map(str, seats))))
    people = _check_playable(seats, headless, as_json)
    try:
        if not headless and not as_json and (people or gui.display_unavailable_reason() is None):
            raise typer.Exit(gui.run(match=match, recorder=recorder))
        _play_headless(match, seats, recorder, as_json)
    except CannotContinue as wrong:
        kept = f"; its record is {recorder.path}" if recorder is not None else ""
        err.print(f"flicksim: {wrong}{kept}", soft_wrap=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        how = "its record is" if match.is_over else "go on with --resume"
        kept = f"; {how} {recorder.path}" if recorder is not None else ""
        err.print(f"Stopped after turn {len(match.turns)}{kept}.", soft_wrap=True)
        raise typer.Exit(1) from None
    finally:
        if recorder is not None:
            recorder.close()


def _check_playable(seats: Iterable[Seat], headless: bool, as_json: bool) -> bool:
    """Make sure that people play where a person is named."""
    if not any(seat.kind == "human" for seat in seats):
        return False
    if as_json:
        raise InvalidOption("a human seat cannot answer in --json, which is for programs; leave one of the two out")
    why_not = None if headless else gui.display_unavailable_reason()
    if why_not is not None:
        raise InvalidOption(
            f"a human seat needs a window: {why_not}; play in the shell by --headless, or seat only bot:GRADE or random"
        )
    return True


def _resume(path: Path, game: str | None, seat_words: list[str]) -> tuple[Match, list[Seat], Recorder]:
    record = read_record(path)
    if game is not None and game != record.header.game:
        raise InvalidOption(f"{str(path)!r} is a game of {record.header.game}, not {game!r}")
    replay, seats = open_replay(record)
    if any(seat.kind == "cmd" for seat in seats):
        # a file from somebody else must not start programs unasked
        if [parse_seat(word) for word in seat_words] != seats:
            spelt = " ".join(f"--seat {quote(str(seat))}" for seat in seats)
            raise InvalidOption(f"{str(path)!r} starts a program; if you want that, say its seats too: {spelt}")
        check_shell_seats(seats)
    elif seat_words:
        raise InvalidOption(f"--resume {str(path)!r} brings its own seats; leave --seat out")
    with ExitStack() as held:
        lock = held.enter_context(FileLock(path))
        for _ in replay.run():
            pass
        if replay.divergence is not None:
            raise InvalidFile(f"{str(path)!r} cannot be resumed: {replay.divergence}")
        if replay.is_finished:
            raise InvalidFile(f"{str(path)!r} is finished; `flicksim replay` shows it")
        recorder = append_to(record, lock=lock)
        held.pop_all()
    if record.is_truncated:
        err.print(f"The last line of {path} was cut; going on after turn {len(record.turns)}.")
    if replay.match.is_over:
        recorder.write_end()
    return replay.match, seats, recorder


def _play_headless(match: Match, seats: list[Seat], recorder: Recorder | None, as_json: bool) -> None:
    if not as_json and match.custom_start is not None and not match.turns:
        formatting.show_corrections(match.custom_start.corrections)
    shell, people = TerminalPlayer(match), any(player is None for player in match.players)
    # who sits there need not wait; a game of bots alone is the same by its seed, whatever is compiled
    asks = None if as_json else warm_up_match(match, FALLBACK_TIME_LIMIT if people else None)
    if asks is not None:
        bots = "bots think less far meanwhile" if people else "bots take longer meanwhile, and choose the same"
        err.print(f"What is needed is compiled beside the game, once, for about a minute; {bots}.", soft_wrap=True)

    def report_turn(turn: Turn) -> None:
        if recorder is not None:
            recorder.write_turn(turn)
        if not as_json:
            name = match.game.seat_names[turn.seat]
            out.print(f"{turn.number:3d} {name}: {turn.verdict}", soft_wrap=True)

    with defer_interrupts():
        for turn in match.run(shell.choose, asks):
            report_turn(turn)
            person = match.players[turn.seat] is None
            # before others play on: at the next decision of a person it may be said as well
            while (match.is_over or person) and (match.is_over or match.players[match.to_play or 0] is not None):
                owned = shell.self_report()
                if owned is None:
                    break
                report_turn(match.play(owned))
    if recorder is not None and match.forfeit is not None:
        recorder.write_forfeit(match.forfeit)
    if as_json:
        fixed = (match.game.name, to_builtins(match.options), seats, 1, match.streams.seed)
        show_json(summarise_series(*fixed, [game_result(match, 1)]))
    else:
        formatting.show_score(match, seats)
