"""Arguments and options shared by several commands."""

from pathlib import Path
from typing import Annotated, Any

import typer

from flicksim.core.atomic_files import free_path, is_folder, path_exists
from flicksim.core.errors import InvalidFile

STDOUT = "-"
"""Name of the file that stands for stdout, or for stdin."""
_SUFFIXES = {".csv", ".fgn", ".json", ".jsonl", ".parquet"}
"""Endings of the files of flicksim: results, games as text, positions, records."""


def option(flag: str, value: str, text: str, **limits: float) -> Any:
    """Option of a command: its flag, the placeholder of its value, its help, and the limits of a number."""
    return typer.Option(flag, metavar=value, help=text, min=limits.get("min"), max=limits.get("max"))


def switch(flag: str, text: str) -> Any:
    """Option of a command without a value: its flag and its help."""
    return typer.Option(flag, help=text)


def argument(value: str, text: str) -> Any:
    """Argument of a command: its placeholder and its help."""
    return typer.Argument(metavar=value, help=text)


def check_suffix(path: Path | None, suffix: str, content: str, *, is_only: bool = False) -> None:
    """Check that the name of a file to write does not end as those of another format.

    Args:
        suffix: of the format, empty for a folder. content: of the file, as the error says it. is_only: whether it is
            the only ending, also beside those of no format.

    Raises:
        InvalidFile: it does, or stands for stdout; proposes a name that no file has.
    """
    _refuse_stdout(path)
    if path is None or path.suffix.lower() == suffix:
        return
    if (names_folder := is_folder(path)) or is_only or path.suffix.lower() in _SUFFIXES:
        plain = path / "new" if names_folder else path.with_suffix("")
        free = free_path(plain.with_name(f"{plain.name}{suffix}"))
        wrong = f"a folder; name a file for {content}, as" if names_folder else f"no name for {content}; call it"
        raise InvalidFile(f"{str(path)!r} is {wrong} {str(free)!r}")


def check_new(*paths: Path | None) -> None:
    """Check that files to write do not exist, and their folders do.

    Raises:
        InvalidFile: one does, its folder does not, or it stands for stdout; names it.
    """
    for path in paths:
        _refuse_stdout(path)
        if path is not None and path_exists(path):
            raise InvalidFile(f"{str(path)!r} exists; choose another name")
        if path is not None and not path.absolute().parent.is_dir():
            is_file = path_exists(path.absolute().parent)
            advice = (
                f"is a file: {str(path.parent)!r}" if is_file else f"does not exist; make {str(path.parent)!r} first"
            )
            raise InvalidFile(f"the folder of {str(path)!r} {advice}")


def check_picture(path: Path | None, suffix: str = ".png") -> None:
    """Check that a picture can be written to a path.

    Raises:
        InvalidFile: it has another ending, or see `check_new`.
    """
    check_suffix(path, suffix, "a picture" if suffix == ".png" else "a moving picture", is_only=True)
    check_new(path)


def _refuse_stdout(path: Path | None) -> None:
    if str(path) == STDOUT:
        raise InvalidFile(f"{STDOUT!r} stands for stdout, where this is not written; give the name of a file")


GameName = Annotated[str, argument("GAME", "Name of a game, as `flicksim games` lists them.")]
SeatWords = Annotated[
    list[str] | None,
    option(
        "--seat",
        "SEAT",
        "human, human/GRADE, random, cmd:PROGRAM or bot:GRADE (beginner, club, expert, world); one per seat.",
    ),
]
OptionWords = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="K=V", help="Option of the game, as name=value.")
]
SeedNumber = Annotated[int, option("--seed", "N", "Random seed.", min=0, max=2**53 - 1)]
Jobs = Annotated[int, option("--jobs", "N", "Number of worker processes.", min=1, max=1024)]
AsJson = Annotated[bool, switch("--json", "Print one JSON value on stdout, for programs.")]
