"""Options that limit the length of a game; imports no physics."""

from __future__ import annotations

from typing import Annotated

import typer

from flicksim.match import MatchLimits

MaxTurns = Annotated[
    int | None,
    typer.Option(
        "--max-turns", metavar="N", help=f"A game ends there; {MatchLimits().turns} unless said.", min=1, max=10_000_000
    ),
]
MaxMoves = Annotated[
    int | None,
    typer.Option(
        "--max-moves",
        metavar="N",
        help=f"Of one seat in a row; {MatchLimits().moves} unless said.",
        min=1,
        max=10_000_000,
    ),
]


def match_limits(turns: int | None, moves: int | None) -> MatchLimits:
    """The longest a game may last, where it is not as usual."""
    usual = MatchLimits()
    return MatchLimits(turns=turns or usual.turns, moves=moves or usual.moves)
