"""`flicksim puzzles`: positions out of bots' games in which one flick is clearly the best, kept as files."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from flicksim.base.codec import from_plain, to_json
from flicksim.base.errors import BadFile
from flicksim.base.files import reason, write_aside
from flicksim.cli import words
from flicksim.cli.arguments import AsJson, GameName, OptionWords, SeedNumber
from flicksim.cli.sheet import err, out, show_json
from flicksim.games import load
from flicksim.play import Puzzle, mined, must_be_flicked, position_now
from flicksim.players import grade
from flicksim.referee import Game, parse_options


def puzzles_command(
    game: GameName,
    folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where they are written, a file each.")],
    number: Annotated[
        int, typer.Option("--count", metavar="N", help="How many are looked for.", min=1, max=10_000)
    ] = 10,
    games: Annotated[
        int, typer.Option("--games", metavar="N", help="After so many games nobody looks on.", min=1, max=1_000_000)
    ] = 200,
    hand: Annotated[str, typer.Option("--hand", metavar="GRADE", help="Whose hands are at the table.")] = "club",
    seed: SeedNumber = 1,
    option: OptionWords = None,
    as_json: AsJson = False,
) -> None:
    """Find positions in bots' games in which one flick is clearly the best, and keep them."""
    card = load(game)
    must_be_flicked(card)
    _prepare(folder, card.name)
    looking = mined(card, parse_options(card, option or []), grade(hand), seed)
    found: list[Puzzle] = []
    positions: list[Path | None] = []
    played, stopped = 0, False
    with words.progress("puzzle") as bar:
        task = bar.add_task(card.title, total=number)
        try:
            for puzzle in looking:
                if puzzle is None:
                    played += 1
                    if played >= games:
                        break
                    continue
                found.append(puzzle)
                positions.append(_keep(card, puzzle, folder, len(found)))
                bar.advance(task)
                if len(found) >= number:
                    break
        except KeyboardInterrupt:
            stopped = True
    if as_json:
        show_json(found)
    else:
        for k, puzzle in enumerate(found, 1):
            out.print(f"{k:3d} {puzzle.goal} It wins {puzzle.chance:.1%}, others {puzzle.rival:.1%}.", soft_wrap=True)
        many = "1 puzzle is" if len(found) == 1 else f"{len(found)} puzzles are"
        out.print(f"{many} in {folder}." if found else "No puzzle was found.")
        if (first := next(filter(None, positions), None)) is not None:
            hands = "" if grade(hand) == "club" else f" --hand {grade(hand)}"
            out.print(f"`flicksim analyse {quote(str(first))}{hands}` weighs the first again.", soft_wrap=True)
    if stopped:
        err.print(f"Stopped after {len(found)} of {number} puzzles.")
    if stopped or len(found) < number:
        raise typer.Exit(1)


def _prepare(folder: Path, game: str) -> None:
    """Make the folder, and see that it holds no puzzles of the game yet: none is written over.

    Raises:
        BadFile: it cannot be made, or it does.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        taken = next(folder.glob(f"{game}-*.json"), None)
    except OSError as wrong:
        raise BadFile(f"cannot write to {str(folder)!r}: {reason(wrong)}") from None
    if taken is not None:
        raise BadFile(f"{str(folder)!r} already holds puzzles ({taken.name}); choose an empty folder")


def _keep(game: Game, puzzle: Puzzle, folder: Path, number: int) -> Path | None:
    """Write a puzzle, and beside it its position, which every command that takes one takes: where that lies, if it can
    be written down."""
    name = f"{puzzle.game}-{number:04d}"
    write_aside(folder / f"{name}.json", to_json(puzzle))
    position = position_now(game, from_plain(puzzle.state, game.state), f"Puzzle {number}")
    if position is None:
        return None
    path = folder / f"{name}-position.json"
    write_aside(path, to_json(position) + b"\n")
    return path
