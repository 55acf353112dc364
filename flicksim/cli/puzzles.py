"""Command `flicksim puzzles`: mine puzzles from bot games."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from flicksim.ai import parse_grade
from flicksim.cli import formatting
from flicksim.cli.arguments import AsJson, GameName, OptionWords, SeedNumber
from flicksim.cli.console import err, out, show_json
from flicksim.core.atomic_files import os_error_message, write_atomic
from flicksim.core.errors import InvalidFile
from flicksim.core.serialization import from_builtins, to_json
from flicksim.games import load
from flicksim.match import Puzzle, check_flicking_game, current_position, mine_puzzles
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
    check_flicking_game(card)
    _prepare_folder(folder, card.name)
    looking = mine_puzzles(card, parse_options(card, option or []), parse_grade(hand), seed)
    found: list[Puzzle] = []
    positions: list[Path | None] = []
    played, stopped = 0, False
    with formatting.progress_bar("puzzle") as bar:
        task = bar.add_task(card.title, total=number)
        try:
            for puzzle in looking:
                if puzzle is None:
                    played += 1
                    if played >= games:
                        break
                    continue
                found.append(puzzle)
                positions.append(_save_puzzle(card, puzzle, folder, len(found)))
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
            hands = "" if parse_grade(hand) == "club" else f" --hand {parse_grade(hand)}"
            out.print(f"`flicksim analyse {quote(str(first))}{hands}` weighs the first again.", soft_wrap=True)
    if stopped:
        err.print(f"Stopped after {len(found)} of {number} puzzles.")
    if stopped or len(found) < number:
        raise typer.Exit(1)


def _prepare_folder(folder: Path, game: str) -> None:
    """Make the folder, and see that it holds no puzzles of the game yet: none is written over.

    Raises:
        InvalidFile: it cannot be made, or it does.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        taken = next(folder.glob(f"{game}-*.json"), None)
    except OSError as wrong:
        raise InvalidFile(f"cannot write to {str(folder)!r}: {os_error_message(wrong)}") from None
    if taken is not None:
        raise InvalidFile(f"{str(folder)!r} already holds puzzles ({taken.name}); choose an empty folder")


def _save_puzzle(game: Game, puzzle: Puzzle, folder: Path, number: int) -> Path | None:
    """Write a puzzle, and beside it its position, which every command that takes one takes: where that lies, if it can
    be written down."""
    name = f"{puzzle.game}-{number:04d}"
    write_atomic(folder / f"{name}.json", to_json(puzzle))
    position = current_position(game, from_builtins(puzzle.state, game.state), f"Puzzle {number}")
    if position is None:
        return None
    path = folder / f"{name}-position.json"
    write_atomic(path, to_json(position) + b"\n")
    return path
