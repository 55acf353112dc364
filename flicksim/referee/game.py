"""A game's card: what it is called, who sits down, what can be set, by which rules, and how it is told apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Literal, TypeVar

import msgspec

from flicksim.base.codec import Value, from_plain
from flicksim.base.errors import BadInput, BadOption
from flicksim.base.geometry import Point
from flicksim.table.pyramid import Size

T = TypeVar("T")


class Row(Value, frozen=True, kw_only=True):
    """One rule in our own words.

    Args:
        id: ledger id. text: the rule. option: name of the option that changes it, if any.
    """

    id: str
    text: str
    option: str | None = None


class FlickRange(Value, tag="flick", tag_field="do", frozen=True, kw_only=True):
    """A piece that may be flicked now with a finger, and how. Written, it has the same `do` as what is done.

    Args:
        piece: id.
        start: corners of the convex region its centre may be put in first [m]; empty: it is flicked where it lies.
        azimuth: from, to [rad].
        speed: from, to [m/s]: what the game can use, not a limit of the rules.
    """

    piece: str
    start: tuple[Point, ...] = ()
    azimuth: tuple[float, float]
    speed: tuple[float, float]


class SquidgeRange(FlickRange, tag="squidge", tag_field="do", frozen=True, kw_only=True):
    """A wink that may be squidged now, and how.

    Args:
        elevation: from, to [rad]. tumble: from, to [rad/s].
    """

    elevation: tuple[float, float]
    tumble: tuple[float, float]


class LaunchRange(FlickRange, tag="launch", tag_field="do", frozen=True, kw_only=True):
    """A missile that may be launched now, and how; `start` is where the launcher's base may be held.

    Args:
        size: of the missile. height: from, to [m], where the nail may strike. slant: from, to [rad], how steeply.
        hold, lift: where, and how high, the launcher is held unless told otherwise [m].
    """

    size: Size
    height: tuple[float, float]
    slant: tuple[float, float]
    hold: Point
    lift: float


class Pick(Value, frozen=True, kw_only=True):
    """A field of an action that whoever takes it has still to fill in.

    Args:
        field: its name. says: what to choose, for people.
        kind: "one" of `among`, "some" of them (a tuple, not empty), a "point" of the table [m], or a "number".
        among: what may be chosen: ids of pieces, seats, words.
        none: what leaving it out means, for people; None: it may not be left out. Left out, the field stays as it is.
    """

    field: str
    says: str
    kind: Literal["one", "some", "point", "number"]
    among: tuple[Any, ...] = ()
    none: str | None = None


class OwnUp(Value, frozen=True, kw_only=True):
    """Something that only people can say: that what the rules saw is not all that happened at the table.

    Args:
        says: what is owned up to, for people.
        action: what is then done, but for the fields still to be chosen. pick: those, in the order of asking.
    """

    says: str
    action: Any
    pick: tuple[Pick, ...] = ()

    def filled(self, chosen: Mapping[str, Any]) -> Any:
        """The action with what was chosen, by field."""
        return msgspec.structs.replace(self.action, **chosen)


class Choices(Value, frozen=True, kw_only=True):
    """What is allowed now.

    Args:
        says: one line for the player.
        flicks: pieces that may be flicked.
        actions: decisions that may be taken instead, whole.
        own_up: what people may own up to, in anybody's turn and after the last; no bot, program or environment is
            offered it.
    """

    says: str
    flicks: tuple[FlickRange | SquidgeRange | LaunchRange, ...] = ()
    actions: tuple[Any, ...] = ()
    own_up: tuple[OwnUp, ...] = ()


class Progress(Value, frozen=True, kw_only=True):
    """How far a game has come, for people.

    Args:
        part: what a part of the game is called, as "End"; empty: it has none. number: of the part that is on, from 1.
        of: parts in all; None when nobody knows. tallied: whether points are told part by part.
        left: pieces not yet played, by seat; None when they are not counted.
    """

    part: str = ""
    number: int = 0
    of: int | None = None
    tallied: bool = False
    left: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """All that the rest of the house needs to know of a game.

    Args:
        name: as written on the command line.
        title: as written for people.
        blurb: one sentence about it.
        wing: "table" (flicks are settled by physics) or "cards" (moves by the dealer).
        edition: raised when the same record would be ruled otherwise.
        seats: fewest and most players.
        seat_names: how the seats are called.
        options: a Value with a default for every field; its `Annotated` descriptions are shown to people.
        action: type of everything a player may do, for reading it back.
        state: type of its states.
        rules: the pure functions (see `play.match.Rules`).
        bot: candidate actions and values for a search (see `players.search.Model`).
        rows: the rules in our own words.
        story: how a game goes, in a few sentences for somebody who has never seen it.
        partners: whether seats that face each other (0 and 2, 1 and 3) play together.
        team: schedule and tally of a match between teams, where the game has one.
        positions: how positions are written by people, where the game has a way: `Position`, `shipped`, `state_of`.
        progress: how far a state is, for people; of a game without parts, nothing.
        sources: where they come from.
    """

    name: str
    title: str
    blurb: str
    wing: str
    edition: int
    seats: tuple[int, int]
    seat_names: tuple[str, ...]
    options: type[Value]
    action: Any
    state: type[Value]
    rules: Any = field(repr=False)
    bot: Any = field(repr=False)
    rows: tuple[Row, ...] = field(repr=False)
    sources: tuple[str, ...] = ()
    story: str = ""
    partners: bool = False
    team: Any = field(default=None, repr=False)
    positions: Any = field(default=None, repr=False)
    progress: Callable[[Any], Progress] = field(default=lambda _: Progress(), repr=False)

    def sides(self, seats: int) -> tuple[tuple[int, ...], ...]:
        """Which seats of so many play together: partners, or everybody alone."""
        if self.partners:
            return tuple(tuple(range(first, seats, 2)) for first in range(2))
        return tuple((seat,) for seat in range(seats))


class Option(Value, frozen=True, kw_only=True):
    """One option of a game, for people: name, default, what it may be, what it does."""

    name: str
    default: Any
    allowed: str
    says: str


def says(text: str) -> msgspec.Meta:
    """What an option does, for people: stands in its field's `Annotated`, and `options_of` reads it."""
    return msgspec.Meta(extra_json_schema={"description": text})


def options_of(game: Game) -> tuple[Option, ...]:
    """Every option of a game with its default."""
    found = []
    for entry in _fields(game):
        kind, told = entry.type, ""
        if isinstance(kind, msgspec.inspect.Metadata):
            told = (kind.extra_json_schema or {}).get("description", "")
            kind = kind.type
        found.append(Option(name=entry.encode_name, default=entry.default, allowed=_allowed(kind), says=told))
    return tuple(found)


def _fields(game: Game) -> tuple[msgspec.inspect.Field, ...]:
    kinds = msgspec.inspect.type_info(game.options)
    assert isinstance(kinds, msgspec.inspect.StructType)
    return kinds.fields


def _words(kind: Any) -> frozenset[str]:
    """Words that an option may be, as they stand: before "none" can mean no value, it may be one of these."""
    match kind:
        case msgspec.inspect.LiteralType(values=values):
            return frozenset(value for value in values if isinstance(value, str))
        case msgspec.inspect.UnionType(types=types):
            return frozenset[str]().union(*map(_words, types))
        case msgspec.inspect.Metadata(type=inner):
            return _words(inner)
    return frozenset()


def _allowed(kind: Any) -> str:
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


def parse_options(game: Game, words: Sequence[str] | Mapping[str, Any]) -> Value:
    """Options from "name=value" words, or from plain values by name.

    Raises:
        BadOption: unknown, twice, malformed or out of range; says what would be right.
    """
    known = {option.name: option for option in options_of(game)}
    words_of = {entry.encode_name: _words(entry.type) for entry in _fields(game)}
    given: dict[str, Any] = {}
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
    return name.strip().replace("-", "_"), value.strip()


def _read(text: str) -> Any:
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


def _shown(value: Any) -> str:
    return repr(value) if not isinstance(value, list) else ",".join(str(v) for v in value)


def seated(game: Game, options: Value, who: Sequence[T]) -> tuple[T, ...]:
    """Who holds each seat when these sit down; two people, where an option says so, hold a pair's seats each (TW-1a).

    Raises:
        BadOption: too few or too many, or partners who are not one person although the options say so.
    """
    two = game.partners and getattr(options, "seats", None) == 2
    whole = game.seats[0]
    if two and len(who) == 2:
        return tuple(who[seat % 2] for seat in range(whole))
    if two and len(who) == whole and any(who[seat] != who[seat - 2] for seat in range(2, whole)):
        raise BadOption(
            f"with option seats=2 each of two people holds both colours of a pair, not "
            f"{', '.join(map(str, who))}; name two seats (TW-1a)"
        )
    if game.partners and len(who) == 2:
        raise BadOption(
            f"{game.title} is for {whole} players, not 2; with --option seats=2 two people hold two each (TW-1a)"
        )
    check_seats(game, len(who))
    return tuple(who)


def check_seats(game: Game, count: int) -> None:
    """Raises:
    BadOption: the game is not for that many.
    """
    low, high = game.seats
    if not low <= count <= high:
        allowed = f"{low}" if low == high else f"{low} to {high}"
        raise BadOption(f"{game.title} is for {allowed} players, not {count}")
