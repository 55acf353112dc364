"""Commands `flicksim share` and `flicksim open`: share codes of positions and games."""

import os
from pathlib import Path
from typing import Annotated

import typer

from flicksim import gui, match
from flicksim.cli.arguments import AsJson, argument, check_new, check_suffix, option
from flicksim.cli.console import err, out, show_answer
from flicksim.cli.play import play_match
from flicksim.cli.replay import replay_command
from flicksim.core.atomic_files import write_atomic
from flicksim.core.errors import InvalidFile, InvalidInput
from flicksim.core.file_signatures import RECORD, SHARE_CODE, identify_file
from flicksim.core.serialization import read_document


def share_command(
    file: Annotated[Path, argument("FILE|NAME", "Recorded game, position file, or name of a position.")],
    into: Annotated[Path | None, option("--out", "FILE", "File for the code. [default: stdout]")] = None,
) -> None:
    """Encode a recorded game or a position as a share code, one short text."""
    check_new(into)
    if match.is_record(file):
        played = match.read_record(file)
        if cut := played.truncation_text:
            err.print_line(cut)
        text = match.encode_record(played)
    else:
        game = match.game_of_position(str(file))
        text = match.encode_position(game, match.load_start_state(game, str(file))[0])
    if into is not None:
        write_atomic(into, text.encode() + b"\n")
        out.print_line(f"The code is in {into}.")
    else:
        out.print_line(text)


def open_command(
    what: Annotated[str, argument("TEXT|FILE", "Share code, file with one, or recorded game.")],
    record: Annotated[
        Path | None, option("--record", "FILE", "Replay the game and record it, without a window.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Open a shared position or game, or a record, in the window."""
    check_suffix(record, ".jsonl", "a record")
    check_new(record)
    if problem := match.explain_missing_code(what):
        raise InvalidInput(problem)
    window = record is None and not as_json and gui.display_unavailable_reason() is None
    readable = (RECORD,) if os.path.isfile(what) else ()  # noqa: PTH113 - false of any wrong path; a pipe is read once
    is_code = match.has_share_code(what)
    try:
        data = what.encode(errors="replace") if is_code else read_document(Path(what), SHARE_CODE, *readable)
    except InvalidFile as error:
        hint = "give a share code, as `flicksim share` prints it, a file with one, or a record"
        raise InvalidFile(f"{error}; {hint}") from None
    if identify_file(data) == RECORD:
        if record is not None:
            raise InvalidInput(f"{what!r} is a record already; leave --record out")
        replay_command(Path(what), window=window, as_json=as_json)
        return
    text = data.decode(errors="replace")
    try:
        shared = match.decode_share_code(text)
    except InvalidInput as error:
        raise error if is_code else InvalidFile(f"{what}: {error}") from None
    if others := match.later_share_codes(text):
        following = "one more follows" if others == 1 else f"{others} more follow"
        err.print_line(f"Only the first shared text is opened; {following} it.")
    if not isinstance(shared, match.SharedGame):
        if record is not None:
            raise InvalidInput("--record is for a shared game; this is a position")
        game, position = shared.decode()
        state, _ = match.position_notation(game).start_state(position)
        if window:
            seats = [match.parse_seat("human")] * getattr(state, "seats", game.seats[0])
            played = match.open_match(game, position.options, seats, 1, position=position)
            play_match(played, seats, in_window=True)
            return
        answer = {"game": game.name, "title": position.title, "position": shared.position}
        show_answer(answer, f"{shared.title}.", as_json)
        return
    played = shared.open()
    turns = list(shared.replay_turns(played))
    if mismatch := shared.mismatch(played):
        err.print_line(mismatch)
    if record is not None:
        match.write_match(record, played, shared.seats)
    if window:
        raise typer.Exit(gui.run(played.game, turns=turns))
    points = ", ".join(f"{name} {score}" for name, score in zip(played.game.seat_names, played.scores, strict=False))
    answer = {"game": played.game.name, "turns": len(turns), "seats": list(shared.seats), "points": played.scores}
    show_answer(answer, f"{shared.title}: {points}.", as_json)
