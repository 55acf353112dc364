"""Command `flicksim puzzles`: mine puzzles from bot games."""

from pathlib import Path
from typing import Annotated

import typer

from flicksim.ai import parse_grade
from flicksim.cli import formatting
from flicksim.cli.arguments import AsJson, GameName, OptionWords, SeedNumber, option
from flicksim.cli.console import err, out, show_json
from flicksim.core.atomic_files import os_error_message, write_atomic
from flicksim.core.counting import count_of
from flicksim.core.errors import InvalidFile, InvalidOption
from flicksim.core.serialization import from_builtins, to_json
from flicksim.core.shell import command_line
from flicksim.games import load
from flicksim.match import Puzzle, check_flicking_game, current_position, mine_puzzles
from flicksim.referee import Game, parse_options


def puzzles_command(
    game: GameName,
    folder: Annotated[Path | None, option("--out", "DIR", "Folder for the puzzles, one file each; needed.")] = None,
    number: Annotated[int, option("--count", "N", "Number of puzzles.", min=1, max=10_000)] = 10,
    games: Annotated[int, option("--games", "N", "Largest number of games searched.", min=1, max=1_000_000)] = 200,
    hand: Annotated[str, option("--hand", "GRADE", "Grade of hand of every player.")] = "club",
    seed: SeedNumber = 1,
    option: OptionWords = None,
    as_json: AsJson = False,
) -> None:
    """Find positions in games of bots with one clearly best flick, and save them."""
    loaded = load(game)
    check_flicking_game(loaded)
    if folder is None:
        raise InvalidOption("no folder is named for the puzzles; --out DIR names one")
    mined = mine_puzzles(loaded, parse_options(loaded, option or []), parse_grade(hand), seed)
    _prepare_folder(folder, loaded.name)
    puzzles: list[Puzzle] = []
    positions: list[Path | None] = []
    played, stopped = 0, False
    with formatting.progress_bar("puzzle") as bar:
        task = bar.add_task(loaded.title, total=number)
        try:
            for puzzle in mined:
                if puzzle is None:
                    played += 1
                    if played >= games:
                        break
                    continue
                puzzles.append(puzzle)
                positions.append(_save_puzzle(loaded, puzzle, folder, len(puzzles)))
                bar.advance(task)
                if len(puzzles) >= number:
                    break
        except KeyboardInterrupt:
            stopped = True
    if as_json:
        show_json(puzzles)
    else:
        for k, puzzle in enumerate(puzzles, 1):
            out.print_line(f"{k:3d} {puzzle.goal} It wins {puzzle.chance:.1%}, others {puzzle.rival:.1%}.")
        count = "1 puzzle is" if len(puzzles) == 1 else f"{len(puzzles)} puzzles are"
        out.print(f"{count} in {folder}." if puzzles else "No puzzle was found.")
        if (first := next(filter(None, positions), None)) is not None:
            option_hand = () if parse_grade(hand) == "club" else ("--hand", parse_grade(hand))
            command = command_line("flicksim", "analyse", str(first), *option_hand)
            out.print_line(f"`{command}` evaluates the first again.")
    if stopped:
        err.print(f"Stopped after {len(puzzles)} of {count_of(number, 'puzzle')}.")
    if stopped or len(puzzles) < number:
        raise typer.Exit(1)


def _prepare_folder(folder: Path, game: str) -> None:
    """Make the folder, which must not contain puzzles of the game.

    Raises:
        InvalidFile: it cannot be made, or it does.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        existing = next(folder.glob(f"{game}-*.json"), None)
    except FileExistsError:
        raise InvalidFile(f"{str(folder)!r} is a file; name a folder, new or empty") from None
    except OSError as error:
        raise InvalidFile(f"cannot write to {str(folder)!r}: {os_error_message(error)}") from None
    if existing is not None:
        raise InvalidFile(f"{str(folder)!r} already holds puzzles ({existing.name}); choose an empty folder")


def _save_puzzle(game: Game, puzzle: Puzzle, folder: Path, number: int) -> Path | None:
    """Write a puzzle, and its position beside it for other commands; returns the path of that, if it has a notation."""
    name = f"{puzzle.game}-{number:04d}"
    write_atomic(folder / f"{name}.json", to_json(puzzle))
    position = current_position(game, from_builtins(puzzle.state, game.state), f"Puzzle {number}")
    if position is None:
        return None
    path = folder / f"{name}-position.json"
    write_atomic(path, to_json(position) + b"\n")
    return path
