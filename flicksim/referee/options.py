"""Options of a game: declared, described, and parsed from name=value words."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from math import inf
from typing import ClassVar, get_type_hints

import msgspec

from flicksim.core.errors import InvalidGameOption, InvalidInput, InvalidOption
from flicksim.core.serialization import Value, from_builtins, to_builtins
from flicksim.core.suggestions import did_you_mean
from flicksim.core.type_aliases import JsonValue
from flicksim.referee.game import Game


class GameOptions(Value, frozen=True, kw_only=True):
    """Base of a game's options: each has a default, and all are validated also when made in Python.

    `HELP` holds descriptions for people by option; `Annotated` types with `option_help` take precedence. `ADDED_LATER`
    names options added without a new rules version: records leave them out at their defaults.

    Raises:
        InvalidGameOption: an option is out of range, or options conflict; the message names the allowed values.
    """

    HELP: ClassVar[Mapping[str, str]] = {}
    ADDED_LATER: ClassVar[frozenset[str]] = frozenset()

    def __post_init__(self) -> None:
        for entry, field_type in _option_fields(type(self)):
            value = getattr(self, entry.name)
            try:
                from_builtins(to_builtins(value), field_type)
            except (InvalidInput, TypeError, NotImplementedError):
                raise InvalidGameOption(_refusal(entry.encode_name, value, _format_allowed(entry.type))) from None
        try:
            self.check_combination()
        except ValueError as error:
            raise InvalidGameOption(str(error)) from None

    def check_combination(self) -> None:
        """Check constraints between options; games that have any override it.

        Raises:
            ValueError: one is violated.
        """


class Option(Value, frozen=True, kw_only=True):
    """Description of an option for people: name, default, allowed values, help text."""

    name: str
    default: JsonValue
    allowed: str
    help: str


def option_help(text: str) -> msgspec.Meta:
    """Help text of an option, for the `Annotated` type of its field; `options_of` reads it."""
    return msgspec.Meta(extra_json_schema={"description": text})


def options_of(game: Game) -> tuple[Option, ...]:
    """Options of a game, with defaults and help texts."""
    return _options(game.options)


@cache
def _options(options: type[Value]) -> tuple[Option, ...]:
    described = []
    for entry, _ in _option_fields(options):
        field_type, help_text = entry.type, getattr(options, "HELP", {}).get(entry.name, "")
        if isinstance(field_type, msgspec.inspect.Metadata):
            help_text = (field_type.extra_json_schema or {}).get("description", help_text)
            field_type = field_type.type
        described.append(
            Option(name=entry.encode_name, default=entry.default, allowed=_format_allowed(field_type), help=help_text)
        )
    return tuple(described)


@cache
def _option_fields(options: type[Value]) -> tuple[tuple[msgspec.inspect.Field, JsonValue], ...]:
    """Fields of an options type, with the types their values are validated against; inspection takes milliseconds."""
    struct_type, hints = msgspec.inspect.type_info(options), get_type_hints(options, include_extras=True)
    assert isinstance(struct_type, msgspec.inspect.StructType)
    return tuple((entry, hints[entry.name]) for entry in struct_type.fields)


def _literal_words(field_type: msgspec.inspect.Type) -> frozenset[str]:
    """Strings that an option allows literally; they take precedence over "none" for no value."""
    match field_type:
        case msgspec.inspect.LiteralType(values=values):
            return frozenset(value for value in values if isinstance(value, str))
        case msgspec.inspect.UnionType(types=types):
            return frozenset[str]().union(*map(_literal_words, types))
        case msgspec.inspect.Metadata(type=inner):
            return _literal_words(inner)
    return frozenset()


def _format_allowed(field_type: msgspec.inspect.Type) -> str:
    match field_type:
        case msgspec.inspect.LiteralType(values=values):
            return " | ".join(str(value) for value in values)
        case msgspec.inspect.BoolType():
            return "true | false"
        case msgspec.inspect.IntType(ge=low, le=high) | msgspec.inspect.FloatType(ge=low, le=high):
            noun = "whole number" if isinstance(field_type, msgspec.inspect.IntType) else "number"
            return noun if low is None and high is None else f"{noun} {low} to {high}"
        case msgspec.inspect.NoneType():
            return "none"
        case msgspec.inspect.UnionType(types=types):
            return " | ".join(_format_allowed(member) for member in types)
        case msgspec.inspect.TupleType(item_types=items):
            return ",".join(_format_allowed(member) for member in items)
        case msgspec.inspect.Metadata(type=inner):
            return _format_allowed(inner)
    return type(field_type).__name__.removesuffix("Type").lower()


def parse_options(game: Game, words: Sequence[str] | Mapping[str, JsonValue]) -> Value:
    """Parse options from "name=value" words, or from JSON values by name.

    Raises:
        InvalidOption: one is unknown, repeated, malformed or out of range; the message names the allowed values.
    """
    known = {option.name: option for option in options_of(game)}
    literals = {entry.encode_name: _literal_words(entry.type) for entry, _ in _option_fields(game.options)}
    values: dict[str, JsonValue] = {}
    pairs = words.items() if isinstance(words, Mapping) else [_split_assignment(word) for word in words]
    for name, value in pairs:
        if name not in known:
            hint = did_you_mean(name, known) if name != "seats" else "; how many play is told by the seats themselves"
            raise InvalidOption(f"{game.name} has no option {name!r}; it has {', '.join(known)}{hint}")
        if name in values:
            raise InvalidOption(f"option {name!r} is given twice")
        values[name] = value if isinstance(words, Mapping) or value in literals[name] else _parse_value(value)
    try:
        return from_builtins(values, game.options, name="option")
    except InvalidInput as error:
        named = (name for name in values if f" at {name}" in str(error))
        culprit = max(named, key=len, default=None)  # one name may begin another
        if culprit is not None:
            raise InvalidOption(_refusal(culprit, values[culprit], known[culprit].allowed)) from None
        raise InvalidOption(str(error).partition(" (found ")[0]) from None


def _refusal(name: str, value: JsonValue, allowed: str) -> str:
    """Message on a value that is not among the allowed ones."""
    allowed = re.sub(r"(whole )?number", r"a \g<0>", allowed).replace(",", ", ")
    return f"option {name}={_format_value(value)} is not allowed; it may be {allowed}"


def _split_assignment(word: str) -> tuple[str, str]:
    name, found, value = word.partition("=")
    if not found or not name:
        raise InvalidOption(f"option {word!r} must be written name=value")
    return option_name(word), value.strip()


def option_name(word: str) -> str:
    """Name of the option that a word sets: "max-turns=5" sets "max_turns"."""
    return word.partition("=")[0].strip().replace("-", "_")


def _parse_value(text: str) -> JsonValue:
    """Parse a word as the JSON value it looks like."""
    if text.lower() in ("none", "null", "off"):
        return None
    if "," in text:
        return [_parse_value(part) for part in text.split(",")]
    try:
        value = msgspec.json.decode(text.lower() if text.lower() in ("true", "false") else text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return text
    return value if not isinstance(value, dict | list) and value not in (inf, -inf) else text


def _format_value(value: object) -> str:
    return repr(value) if not isinstance(value, list) or len(value) < 2 else ",".join(str(v) for v in value)
