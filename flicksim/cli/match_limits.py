"""Options that limit the length of a game; imports no physics."""

from typing import Annotated

from flicksim.cli.arguments import option
from flicksim.match import MatchLimits

MaxTurns = Annotated[
    int | None,
    option("--max-turns", "N", f"Largest number of turns. [default: {MatchLimits().turns}]", min=1, max=10_000_000),
]
MaxMoves = Annotated[
    int | None,
    option(
        "--max-moves",
        "N",
        f"Largest number of moves of one seat in a row. [default: {MatchLimits().moves}]",
        min=1,
        max=10_000_000,
    ),
]


def match_limits(turns: int | None, moves: int | None) -> MatchLimits:
    """Make the limits of a match, by default the usual ones."""
    default = MatchLimits()
    return MatchLimits(turns=turns or default.turns, moves=moves or default.moves)
