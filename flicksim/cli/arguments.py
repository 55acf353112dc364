"""Arguments and options shared by several commands."""

from typing import Annotated

import typer

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of a game, as `flicksim games` lists them.")]
SeatWords = Annotated[
    list[str] | None,
    typer.Option(
        "--seat",
        metavar="SEAT",
        help="human, human/GRADE, random, cmd:PROGRAM or bot:GRADE (beginner, club, expert, world); one per seat.",
    ),
]
OptionWords = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="K=V", help="Option of the game, as name=value.")
]
SeedNumber = Annotated[int, typer.Option("--seed", metavar="N", help="Random seed.", min=0, max=2**53 - 1)]
Jobs = Annotated[int, typer.Option("--jobs", metavar="N", help="Number of worker processes.", min=1, max=1024)]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON value on stdout, for programs.")]
