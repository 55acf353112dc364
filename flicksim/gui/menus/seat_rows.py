"""Rows of a seat in a new game: the player, the execution noise and the name."""

from collections.abc import Callable

from flicksim.ai import GRADES
from flicksim.gui.toolkit import Choice, TextField
from flicksim.gui.toolkit.widgets import Field
from flicksim.match import parse_seat
from flicksim.profiles import MAX_NAME_LENGTH

SEAT_VALUES = ("human", "random", *(f"bot:{grade}" for grade in GRADES))
"""Values of the player of a seat."""
SEAT_LABELS = {"human": "somebody at this window", "random": "random moves"} | {
    f"bot:{grade}": f"a bot: {grade}" for grade in GRADES
}
DEFAULT_NOISE, NOISE_VALUES = "usual", ("usual", *GRADES)
"""Default and possible execution noise grades of a seat."""
NOISE_LABELS = {DEFAULT_NOISE: "as usual"}
_NOISE_HELP = (
    "How steady this seat's hand is, whoever sits there: a handicap, if you like. As usual is the hand of the settings "
    "for people and a bot's own grade for bots."
)
_NAME_HELP = "The name of the player of this seat, on the seat card and in the statistics. Empty: as usual."
_SEAT_HELP = (
    "Somebody at this window, random moves (any legal action), or a bot that thinks ahead with an unsteady hand, "
    "from beginner over club and expert to world class."
)


class SeatRows:
    """Rows of a seat: the player, the execution noise and the name.

    Args:
        seat_name: of the seat. on_change: called on every change.
    """

    def __init__(self, seat_name: str, on_change: Callable[[], None]) -> None:
        self.occupant = Choice(f"{seat_name} is played by", SEAT_VALUES, 0, on_change, _SEAT_HELP, SEAT_LABELS)
        self.noise = Choice(f"{seat_name}: hand", NOISE_VALUES, 0, on_change, _NOISE_HELP, NOISE_LABELS)
        self.name = TextField(f"{seat_name}: name", "", on_change, _NAME_HELP, max_length=MAX_NAME_LENGTH)

    def visible_rows(self, *, is_flicked: bool) -> list[Field]:
        """Rows visible for the current player of the seat."""
        rows: list[Field] = [self.occupant]
        if is_flicked and self.occupant.value != "random":
            rows.append(self.noise)
        return [*rows, self.name] if self.occupant.value == "human" else rows

    @property
    def seat_spec(self) -> str:
        """Seat specification as text."""
        who, hand = self.occupant.value, self.noise.value
        if hand == DEFAULT_NOISE or who == "random":
            return who
        grade = who.removeprefix("bot:")
        return f"human/{hand}" if who == "human" else who if grade == hand else f"bot:{hand}/{grade}"

    def set_occupant(self, seat_spec: str, name: str = "") -> None:
        """Set the player of the seat from a seat specification."""
        seat = parse_seat(seat_spec)
        bot = f"bot:{seat.thought}"
        self.occupant.index = SEAT_VALUES.index(
            bot if bot in SEAT_VALUES else seat.kind if seat.kind in SEAT_VALUES else "human"
        )
        own = seat.hand if seat.hand != seat.thought else DEFAULT_NOISE
        self.noise.index = NOISE_VALUES.index(own if own in NOISE_VALUES else DEFAULT_NOISE)
        self.name.text = name

    def copy_from(self, other: "SeatRows") -> None:
        """Copy the player of another seat."""
        self.occupant.index, self.noise.index, self.name.text = other.occupant.index, other.noise.index, other.name.text
