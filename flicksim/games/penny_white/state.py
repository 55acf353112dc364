"""State of Penny White between two actions, and the actions that are not flicks."""

from typing import Annotated, Literal

from msgspec import Meta

from flicksim.core.serialization import Value
from flicksim.games.penny_white.equipment import Options
from flicksim.scene import Flick, Scene

SEATS = ("Blue", "Red")


class PlaceWhite(Value, tag="place_white", tag_field="do", frozen=True, kw_only=True):
    """Set the white on the centre line with its centre at y [m] (PW-2a)."""

    y: float


class Remove(Value, tag="remove", tag_field="do", frozen=True, kw_only=True):
    """Take an opposing penny off until the end is over, or decline with None (PW-12b)."""

    penny: str | None


class Blocked(Value, tag="blocked", tag_field="do", frozen=True, kw_only=True):
    """Go on where no spot behind the 5 cm line is free (PW-5a is silent; option `blocked_start`)."""


class Disturb(Value, tag="disturb", tag_field="do", frozen=True, kw_only=True):
    """Self-report of an accident at a real table: a coin touched, the board turned or knocked.

    Args:
        how: kind of accident.
        aiming: whether the coin was touched before the flick now due, not in the last one (PW-13d).
    """

    how: Literal["touched", "turned", "knocked"]
    aiming: bool = False


Pennies = Annotated[int, Meta(ge=0, le=12)]
Phase = Literal["white", "penny", "remove", "over"]
Action = Flick | PlaceWhite | Remove | Blocked | Disturb


class State(Value, frozen=True, kw_only=True):
    """State of a game between two actions.

    Args:
        scene: coins on the board.
        end: number of the end being played, from 1.
        starter: seat that started it. to_play: seat that acts now; None when the game is over.
        phase: action due: the white, a penny, a removal, or none.
        left: pennies not yet flicked, by seat. removals: number of pennies the seat to play may still take off.
        flicker: seat of the last flick, whose pennies may be removed.
        failed: number of failed openings of this end. scores: by seat.
        former: the state before the last flick, for what may still be self-reported.
    """

    options: Options
    scene: Scene
    end: int
    starter: int
    to_play: int | None
    phase: Phase
    left: tuple[Pennies, Pennies]
    removals: Pennies = 0
    flicker: int = 0
    failed: int = 0
    scores: tuple[int, int] = (0, 0)
    former: "State | None" = None


def penny_id(seat: int, number: int) -> str:
    """Name of a seat's n-th penny: "blue-1"."""
    return f"{SEATS[seat].lower()}-{number}"
