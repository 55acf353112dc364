"""Rows of the options of a new game: a widget for each, its value as text, and what is allowed."""

import re
from collections.abc import Callable

from flicksim.core.errors import FlicksimError
from flicksim.core.type_aliases import Options
from flicksim.gui.app.help import format_default, option_title
from flicksim.gui.toolkit import Choice, TextField, Widget
from flicksim.gui.toolkit.widgets import Checkbox
from flicksim.referee import Game, Option, options_of, parse_options


class OptionRows:
    """Rows of the options of a game.

    Args:
        game: the game. on_change: called on every change.
    """

    def __init__(self, game: Game, on_change: Callable[[], None]) -> None:
        self._game, self._on_change = game, on_change
        self._specs = {option.name: option for option in options_of(game)}
        self.fields = {name: self._make_field(option) for name, option in self._specs.items()}
        """Widgets by name of the option."""

    def _make_field(self, option: Option) -> Choice | TextField:
        """Widget for the allowed values of an option."""
        label = option_title(option)
        values = [value.strip() for value in option.allowed.split("|")]
        default = format_default(option.default)
        if option.allowed == "true | false":
            return Checkbox(label, bool(option.default), self._on_change, option.help)
        if len(values) > 1 and all(" " not in value for value in values) and default in values:
            return Choice(label, values, values.index(default), self._on_change, option.help)
        return TextField(label, default, self._on_change, option.help, _integer_range(option.allowed))

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
            texts.append(f"Usually: {self._default(name)}")
        return texts


def allowed_text(allowed: str) -> str:
    """Allowed values of an option, as text."""
    numbers = allowed.partition(" | ")[0].split(",")
    if len(numbers) > 2:
        allowed = allowed.replace(",".join(numbers), f"{len(numbers)} × {numbers[0]}")
    return allowed.replace(" | ", " or ").replace(",number", ", number")


def _integer_range(allowed: str) -> tuple[int, int] | None:
    """Lowest and highest value of an option that is a whole number and nothing else."""
    limits = re.fullmatch(r"whole number (-?\d+) to (-?\d+)", allowed)
    return (int(limits[1]), int(limits[2])) if limits else None
