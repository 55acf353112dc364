"""`flicksim play`: one game, in the window or headless, begun anew, at a position, or where a record stopped."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from flicksim import ui
from flicksim.base.codec import Value, to_plain
from flicksim.base.errors import BadFile, BadOption, CannotGoOn
from flicksim.base.lock import Lock
from flicksim.cli import words
from flicksim.cli.arguments import AsJson, OptionWords, SeatWords
from flicksim.cli.at_shell import AtShell
from flicksim.cli.lasting import MaxMoves, MaxTurns, bounds_of
from flicksim.cli.sheet import err, out, show_json
from flicksim.games import load, names
from flicksim.play import (
    PATIENCE,
    Match,
    Recorder,
    Seat,
    Turn,
    begun,
    beside,
    between_turns,
    go_on,
    header_of,
    open_match,
    parse_seat,
    programs_found,
    read_record,
    reopened,
    result_of,
    summary,
)
from flicksim.referee import Game, parse_options, seated


def seats_of(game: Game, options: Value, said: list[str] | None, first: str) -> list[Seat]:
    """Those who sit down, seat by seat; when nobody is named, this one first against club players."""
    fewest = 2 if getattr(options, "seats", None) == 2 else game.seats[0]
    seats = [parse_seat(word) for word in said or [first, *["bot:club"] * (fewest - 1)]]
    found = list(seated(game, options, seats))
    programs_found(found)
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
            raise BadOption(
                f"--resume {str(resume)!r} brings its own seats, options, seed, position, bounds and file; "
                "leave the others out"
            )
        match, seats, recorder = _resumed(resume, game, seat or [])
    else:
        if game is None:
            raise BadOption(f"say which game; there are {', '.join(names())}")
        card = load(game)
        at = None
        options = parse_options(card, option or [])
        if position is not None:
            at, options = begun(card, position, option or [])
        seats = seats_of(card, options, seat, "human")
        bounds = bounds_of(max_turns, max_moves)
        match = open_match(card, options, seats, 1 if seed is None else seed, position=at, bounds=bounds)
        _must_be_playable(seats, headless, as_json)
        recorder = None if record is None else Recorder(record, header_of(match, tuple(map(str, seats))))
    people = _must_be_playable(seats, headless, as_json)
    try:
        if not headless and not as_json and (people or ui.why_no_window() is None):
            raise typer.Exit(ui.run(match=match, recorder=recorder))
        _play_headless(match, seats, recorder, as_json)
    except CannotGoOn as wrong:
        kept = f"; its record is {recorder.path}" if recorder is not None else ""
        err.print(f"flicksim: {wrong}{kept}", soft_wrap=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        how = "its record is" if match.over else "go on with --resume"
        kept = f"; {how} {recorder.path}" if recorder is not None else ""
        err.print(f"Stopped after turn {len(match.turns)}{kept}.", soft_wrap=True)
        raise typer.Exit(1) from None
    finally:
        if recorder is not None:
            recorder.close()


def _must_be_playable(seats: Iterable[Seat], headless: bool, as_json: bool) -> bool:
    """Make sure that people play where a person is named."""
    if not any(seat.kind == "human" for seat in seats):
        return False
    if as_json:
        raise BadOption("a human seat cannot answer in --json, which is for programs; leave one of the two out")
    why_not = None if headless else ui.why_no_window()
    if why_not is not None:
        raise BadOption(
            f"a human seat needs a window: {why_not}; play in the shell by --headless, or seat only bot:GRADE or random"
        )
    return True


def _resumed(path: Path, game: str | None, said: list[str]) -> tuple[Match, list[Seat], Recorder]:
    record = read_record(path)
    if game is not None and game != record.header.game:
        raise BadOption(f"{str(path)!r} is a game of {record.header.game}, not {game!r}")
    replay, seats = reopened(record)
    if any(seat.kind == "cmd" for seat in seats):
        # a file from somebody else must not start programs unasked
        if [parse_seat(word) for word in said] != seats:
            spelt = " ".join(f"--seat {quote(str(seat))}" for seat in seats)
            raise BadOption(f"{str(path)!r} starts a program; if you want that, say its seats too: {spelt}")
        programs_found(seats)
    elif said:
        raise BadOption(f"--resume {str(path)!r} brings its own seats; leave --seat out")
    with ExitStack() as held:
        lock = held.enter_context(Lock(path))
        for _ in replay.run():
            pass
        if replay.divergence is not None:
            raise BadFile(f"{str(path)!r} cannot be resumed: {replay.divergence}")
        if replay.finished:
            raise BadFile(f"{str(path)!r} is finished; `flicksim replay` shows it")
        recorder = go_on(record, lock=lock)
        held.pop_all()
    if record.cut:
        err.print(f"The last line of {path} was cut; going on after turn {len(record.turns)}.")
    if replay.match.over:
        recorder.end()
    return replay.match, seats, recorder


def _play_headless(match: Match, seats: list[Seat], recorder: Recorder | None, as_json: bool) -> None:
    if not as_json and match.begun is not None and not match.turns:
        words.show_put_right(match.begun.reasons)
    shell, people = AtShell(match), any(player is None for player in match.players)
    # who sits there need not wait; a game of bots alone is the same by its seed, whatever is compiled
    asks = None if as_json else beside(match, PATIENCE if people else None)
    if asks is not None:
        bots = "bots think less far meanwhile" if people else "bots take longer meanwhile, and choose the same"
        err.print(f"What is needed is compiled beside the game, once, for about a minute; {bots}.", soft_wrap=True)

    def tell(turn: Turn) -> None:
        if recorder is not None:
            recorder.turn(turn)
        if not as_json:
            name = match.game.seat_names[turn.seat]
            out.print(f"{turn.number:3d} {name}: {turn.verdict}", soft_wrap=True)

    with between_turns():
        for turn in match.run(shell.choose, asks):
            tell(turn)
            person = match.players[turn.seat] is None
            # before others play on: at the next decision of a person it may be said as well
            while (match.over or person) and (match.over or match.players[match.to_play or 0] is not None):
                owned = shell.afterwards()
                if owned is None:
                    break
                tell(match.play(owned))
    if recorder is not None and match.forfeit is not None:
        recorder.forfeit(match.forfeit)
    if as_json:
        fixed = (match.game.name, to_plain(match.options), seats, 1, match.seeds.seed)
        show_json(summary(*fixed, [result_of(match, 1)]))
    else:
        words.show_score(match, seats)
