"""Rows of a new game: the player, execution noise and name of each seat, and a widget for each option."""

import re
from collections.abc import Callable

from flicksim.ai import GRADES
from flicksim.core.errors import FlicksimError
from flicksim.core.type_aliases import Options
from flicksim.gui.app.help import default_text, format_default, option_title
from flicksim.gui.toolkit import Checkbox, Choice, Field, TextField, Widget
from flicksim.match import parse_seat
from flicksim.profiles import MAX_NAME_LENGTH
from flicksim.referee import Game, Option, options_of, parse_options

SEAT_VALUES = ("human", "random", *(f"bot:{grade}" for grade in GRADES))
"""Values of the player of a seat."""
SEAT_LABELS = {"human": "somebody at this window", "random": "random moves"} | {
    f"bot:{grade}": f"a bot: {grade}" for grade in GRADES
}
DEFAULT_NOISE, NOISE_VALUES = "usual", ("usual", *GRADES)
"""Default and possible execution noise grades of a seat."""
NOISE_LABELS = {DEFAULT_NOISE: "as usual"}
_MAX_CHOICES = 20
"""Greatest number of numbers to choose from; of more, one is typed."""
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
    """Rows of a seat: the player, the execution noise and the name."""

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
        who = next((who for who in (f"bot:{seat.thought}", seat.kind) if who in SEAT_VALUES), "human")
        self.occupant.index = SEAT_VALUES.index(who)
        own = seat.hand if seat.hand != seat.thought else DEFAULT_NOISE
        self.noise.index = NOISE_VALUES.index(own if own in NOISE_VALUES else DEFAULT_NOISE)
        self.name.text = name

    def copy_from(self, other: "SeatRows") -> None:
        """Copy the player of another seat."""
        self.occupant.index, self.noise.index, self.name.text = other.occupant.index, other.noise.index, other.name.text


class OptionRows:
    """Rows of the options of a game."""

    def __init__(self, game: Game, on_change: Callable[[], None]) -> None:
        self._game, self._on_change = game, on_change
        self._specs = {option.name: option for option in options_of(game)}
        self.fields = {name: self._make_field(option) for name, option in self._specs.items()}
        """Widgets by name of the option."""

    def _make_field(self, option: Option) -> Choice | TextField:
        """Widget for the allowed values of an option."""
        label = option_title(option)
        values = [value.strip() for value in option.allowed.split("|")]
        if len(values) > 1:
            values = [each for value in values for each in _each_number(value)]
        default = format_default(option.default)
        if option.allowed == "true | false":
            return Checkbox(label, bool(option.default), self._on_change, option.help)
        if len(values) > 1 and all(" " not in value for value in values) and default in values:
            return Choice(label, values, values.index(default), self._on_change, option.help)
        limits = re.fullmatch(r"whole number (-?\d+) to (-?\d+)", option.allowed)
        steps = (int(limits[1]), int(limits[2])) if limits else None
        return TextField(label, default, self._on_change, option.help, steps)

    def value(self, name: str) -> str:
        """Value of an option in the form of the command line; a decimal comma is accepted. Empty: no such option."""
        if name not in self.fields:
            return ""
        value, allowed = self.fields[name].value, self._specs[name].allowed
        return value.replace(",", ".") if allowed.startswith("number") and "," not in allowed else value

    def _default(self, name: str) -> str:
        """Default of an option, as text."""
        return format_default(self._specs[name].default)

    def chosen(self) -> dict[str, str]:
        """Options that differ from their defaults, as text."""
        return {name: self.value(name) for name in self.fields if self.value(name) != self._default(name)}

    def parsed(self) -> Options:
        """Options of the game as chosen.

        Raises:
            InvalidOption: one is not allowed.
        """
        return parse_options(self._game, [f"{name}={value}" for name, value in self.chosen().items()])

    def _problem(self, name: str, value: str) -> str:
        """Reason why a value is not allowed; empty if it is."""
        try:
            parse_options(self._game, [f"{name}={value}"])
        except FlicksimError as wrong:
            return str(wrong)
        return ""

    def validate(self) -> str:
        """Set the error of every field. Return the last of them; empty without one."""
        for name, field in self.fields.items():
            field.error = self._problem(name, self.value(name)) if name in self.chosen() else ""
        return next(filter(None, (field.error for field in reversed(self.fields.values()))), "")

    def reset(self) -> None:
        """Set every option to its default."""
        for name in self.fields:
            self._set(name, self._default(name))
        self._on_change()

    def restore(self, name: str, value: str) -> bool:
        """Restore the last value of an option; return False if it is no longer allowed."""
        if self._problem(name, value):
            return False
        self._set(name, value)
        return True

    def _set(self, name: str, value: str) -> None:
        """Set the value of a field; nothing if it is not among its values."""
        field = self.fields[name]
        if isinstance(field, TextField):
            field.text = value
        elif value in field.values:
            field.index = field.values.index(value)

    def description(self, widget: Widget) -> list[str]:
        """Sentences on the value of an option: as the shell writes it, allowed and usual values; none of others."""
        name = next((name for name, field in self.fields.items() if field is widget), None)
        if name is None:
            return []
        texts, field = [f"In the shell: {name}={self.value(name)}."], self.fields[name]
        if isinstance(field, TextField):
            texts.append(f"May be: {allowed_text(self._specs[name].allowed)}.")
        if field.value != self._default(name):
            texts.append(f"Usually: {default_text(self._specs[name])}")
        return texts


def _each_number(allowed: str) -> list[str]:
    """Numbers of a short range, as text; of anything else itself."""
    limits = re.fullmatch(r"whole number (\d+) to (\d+)", allowed)
    numbers = range(int(limits[1]), int(limits[2]) + 1) if limits else ()
    return list(map(str, numbers)) if 0 < len(numbers) <= _MAX_CHOICES else [allowed]


def allowed_text(allowed: str) -> str:
    """Allowed values of an option, as text."""
    numbers = allowed.partition(" | ")[0].split(",")
    if len(numbers) > 2:
        allowed = allowed.replace(",".join(numbers), f"{len(numbers)} × {numbers[0]}")
    return allowed.replace(" | ", " or ").replace(",number", ", number")
