"""The options of a game: told for people, and read from words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import inf
from typing import ClassVar, get_type_hints

import msgspec

from flicksim.base.codec import Value, from_plain, to_plain
from flicksim.base.errors import BadInput, BadOption, BadSwitch
from flicksim.base.kinds import Plain
from flicksim.referee.game import Game


class Switches(Value, frozen=True, kw_only=True):
    """The switches of a game: each with a default, and checked also when they are made in Python.

    `LATER` names switches that came without a new edition: while they are as usual, records know nothing of them.

    Raises:
        BadSwitch: one is out of range, or they do not go together; says what would be right.
    """

    LATER: ClassVar[frozenset[str]] = frozenset()

    def __post_init__(self) -> None:
        for entry, kind in _checks(type(self)):
            value = getattr(self, entry.name)
            try:
                from_plain(to_plain(value), kind)
            except (BadInput, TypeError, NotImplementedError):
                raise BadSwitch(_not_allowed(entry, value)) from None
        try:
            self.check_together()
        except ValueError as wrong:
            raise BadSwitch(str(wrong)) from None

    def check_together(self) -> None:
        """See that the switches go together; a game whose switches may not says so here.

        Raises:
            ValueError: they do not.
        """


class Option(Value, frozen=True, kw_only=True):
    """One option of a game, for people: name, default, what it may be, what it does."""

    name: str
    default: Plain
    allowed: str
    says: str


def says(text: str) -> msgspec.Meta:
    """The words of an option, for people: they stand in its field's `Annotated`, and `options_of` reads it."""
    return msgspec.Meta(extra_json_schema={"description": text})


def options_of(game: Game) -> tuple[Option, ...]:
    """Every option of a game with its default."""
    return _told(game.options)


@cache
def _told(options: type[Value]) -> tuple[Option, ...]:
    found = []
    for entry in _fields(options):
        kind, told = entry.type, ""
        if isinstance(kind, msgspec.inspect.Metadata):
            told = (kind.extra_json_schema or {}).get("description", "")
            kind = kind.type
        found.append(Option(name=entry.encode_name, default=entry.default, allowed=_allowed(kind), says=told))
    return tuple(found)


@cache
def _fields(options: type[Value]) -> tuple[msgspec.inspect.Field, ...]:
    """Every field of some options; looked up once, for it takes milliseconds."""
    kinds = msgspec.inspect.type_info(options)
    assert isinstance(kinds, msgspec.inspect.StructType)
    return kinds.fields


@cache
def _checks(options: type[Value]) -> tuple[tuple[msgspec.inspect.Field, Plain], ...]:
    """Every field of some options, with the type its values are held against."""
    hints = get_type_hints(options, include_extras=True)
    return tuple((entry, hints[entry.name]) for entry in _fields(options))


def _not_allowed(entry: msgspec.inspect.Field, value: object) -> str:
    """A sentence about a value that an option may not have."""
    return f"option {entry.encode_name}={_shown(value)} is not allowed; it may be {_allowed(entry.type)}"


def _words(kind: msgspec.inspect.Type) -> frozenset[str]:
    """Words that an option may be, as they stand: before "none" can mean no value, it may be one of these."""
    match kind:
        case msgspec.inspect.LiteralType(values=values):
            return frozenset(value for value in values if isinstance(value, str))
        case msgspec.inspect.UnionType(types=types):
            return frozenset[str]().union(*map(_words, types))
        case msgspec.inspect.Metadata(type=inner):
            return _words(inner)
    return frozenset()


def _allowed(kind: msgspec.inspect.Type) -> str:
    match kind:
        case msgspec.inspect.LiteralType(values=values):
            return " | ".join(str(value) for value in values)
        case msgspec.inspect.BoolType():
            return "true | false"
        case msgspec.inspect.IntType(ge=low, le=high) | msgspec.inspect.FloatType(ge=low, le=high):
            what = "whole number" if isinstance(kind, msgspec.inspect.IntType) else "number"
            return what if low is None and high is None else f"{what} {low} to {high}"
        case msgspec.inspect.NoneType():
            return "none"
        case msgspec.inspect.UnionType(types=types):
            return " | ".join(_allowed(one) for one in types)
        case msgspec.inspect.TupleType(item_types=items):
            return ",".join(_allowed(one) for one in items)
        case msgspec.inspect.Metadata(type=inner):
            return _allowed(inner)
    return type(kind).__name__.removesuffix("Type").lower()


def parse_options(game: Game, words: Sequence[str] | Mapping[str, Plain]) -> Value:
    """Options from "name=value" words, or from plain values by name.

    Raises:
        BadOption: unknown, twice, malformed or out of range; says what would be right.
    """
    known = {option.name: option for option in options_of(game)}
    words_of = {entry.encode_name: _words(entry.type) for entry in _fields(game.options)}
    given: dict[str, Plain] = {}
    pairs = words.items() if isinstance(words, Mapping) else [_split(word) for word in words]
    for name, value in pairs:
        if name not in known:
            raise BadOption(f"{game.name} has no option {name!r}; it has {', '.join(known)}")
        if name in given:
            raise BadOption(f"option {name!r} is given twice")
        given[name] = value if isinstance(words, Mapping) or value in words_of[name] else _read(value)
    try:
        return from_plain(given, game.options, name="option")
    except BadInput as wrong:
        named = (name for name in given if f"$.{name}" in str(wrong))
        at = max(named, key=len, default=None)  # one name may begin another
        if at is not None:
            raise BadOption(f"option {at}={_shown(given[at])} is not allowed; it may be {known[at].allowed}") from None
        raise BadOption(str(wrong).partition(" (found ")[0]) from None


def _split(word: str) -> tuple[str, str]:
    name, found, value = word.partition("=")
    if not found or not name:
        raise BadOption(f"option {word!r} must be written name=value")
    return option_name(word), value.strip()


def option_name(word: str) -> str:
    """The option that a word from the shell sets: "max-turns=5" sets "max_turns"."""
    return word.partition("=")[0].strip().replace("-", "_")


def _read(text: str) -> Plain:
    """A word from the shell as the value it looks like."""
    if text.lower() in ("none", "null", "off"):
        return None
    if "," in text:
        return [_read(part) for part in text.split(",")]
    try:
        value = msgspec.json.decode(text.lower() if text.lower() in ("true", "false") else text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return text
    return value if not isinstance(value, dict | list) and value not in (inf, -inf) else text


def _shown(value: object) -> str:
    return repr(value) if not isinstance(value, list) else ",".join(str(v) for v in value)
