"""Bounds on the length of a game, as arguments: apart from the others, for whoever needs none loads no physics."""

from __future__ import annotations

from typing import Annotated

import typer

from flicksim.play import Bounds

MaxTurns = Annotated[
    int | None,
    typer.Option(
        "--max-turns", metavar="N", help=f"A game ends there; {Bounds().turns} unless said.", min=1, max=10_000_000
    ),
]
MaxMoves = Annotated[
    int | None,
    typer.Option(
        "--max-moves", metavar="N", help=f"Of one seat in a row; {Bounds().moves} unless said.", min=1, max=10_000_000
    ),
]


def bounds_of(turns: int | None, moves: int | None) -> Bounds:
    """The longest a game may last, where it is not as usual."""
    usual = Bounds()
    return Bounds(turns=turns or usual.turns, moves=moves or usual.moves)
