"""Positions and games as one short text at the shell: made of a file, and opened."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flicksim import ui
from flicksim.base.codec import read_notation
from flicksim.base.errors import BadInput, FlicksimError
from flicksim.base.files import write_aside
from flicksim.cli.arguments import AsJson
from flicksim.cli.sheet import err, out, show_json
from flicksim.games import with_positions
from flicksim.play import (
    Recorder,
    SharedGame,
    header_of,
    looks_shared,
    notation_of,
    open_match,
    read_record,
    read_shared,
    share_position,
    share_record,
    why_nothing_shared,
)


def share_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recorded game, or a position.")],
    into: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the text there.")] = None,
) -> None:
    """Print a recorded game or a position as one short text that another copy opens."""
    text = share_record(read_record(file)) if file.suffix == ".jsonl" else _position(file)
    if into is not None:
        write_aside(into, text.encode() + b"\n")
    else:
        out.print(text, soft_wrap=True, markup=False, highlight=False)


def _position(file: Path) -> str:
    """A position of whichever game can read it, as a text."""
    wrong: FlicksimError | None = None
    for game, notation in with_positions():
        try:
            return share_position(game, notation.read(file))
        except FlicksimError as why:
            wrong = why
    raise wrong or BadInput(f"{str(file)!r} is no position")


def open_command(
    what: Annotated[str, typer.Argument(metavar="TEXT|FILE", help="A shared text, or a file with one.")],
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Play the game again and keep it there; no window.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Open a shared position or game: in the window, or as a record of one's own."""
    if wrong := why_nothing_shared(what):
        raise BadInput(wrong)
    shared = read_shared(what if looks_shared(what) else read_notation(Path(what)).decode(errors="replace"))
    window = record is None and not as_json and ui.why_no_window() is None
    if not isinstance(shared, SharedGame):
        if record is not None:
            raise BadInput("--record is for a shared game; this is a position")
        game, position = shared.read()
        state, _ = notation_of(game).begin(position)
        if window:
            seats = ["human"] * getattr(state, "seats", game.seats[0])
            raise typer.Exit(ui.run(match=open_match(game, position.options, seats, 1, position=position)))
        _say({"game": game.name, "title": position.title, "position": shared.position}, shared.title, as_json=as_json)
        return
    match = shared.opened()
    turns = list(shared.played(match))
    if amiss := shared.amiss(match):
        err.print(amiss, soft_wrap=True)
    if record is not None:
        with Recorder(record, header_of(match, shared.seats)) as recorder:
            for turn in turns:
                recorder.turn(turn)
            if match.forfeit is not None:
                recorder.forfeit(match.forfeit)
    if window:
        raise typer.Exit(ui.run(match.game, turns=turns))
    points = ", ".join(f"{name} {score}" for name, score in zip(match.game.seat_names, match.scores, strict=False))
    _say(
        {"game": match.game.name, "turns": len(turns), "seats": list(shared.seats), "points": match.scores},
        f"{shared.title}: {points}", as_json=as_json,
    )  # fmt: skip


def _say(told: dict[str, object], words: str, *, as_json: bool) -> None:
    if as_json:
        show_json(told)
    else:
        out.print(f"{words}.", soft_wrap=True)
