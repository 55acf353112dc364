"""Text notation of a whole game, for people and other programs: tags, then a numbered turn a line.

    [Notation 1]
    [Game "penny-white"]
    [Seats ["human", "bot:club"]]
    [Seed 3]
    1. Blue flick white speed=1.45 azimuth=90 ; The white is wholly past the 45 cm line. [PW-3b]
    2. Blue flick blue-1 speed=1.4 azimuth=91.5 => speed=1.3872 azimuth=92.01 ; Blue has flicked a penny. [PW-5b]

The value of a tag is JSON. A turn has the seat, the action as intended, after `=>` the fields that the execution
changed, and after `;` the ruling. An action is its kind, its piece, and the fields that differ from their defaults:
speeds in m/s, angles in degrees, lengths in mm, spins in rad/s, times in s; moves of cards and tiles are as typed.
Numbers have as many digits as it takes to play the same game again. Rulings and unknown tags are not read; a tag
`Result` has to be that of the game.
"""

import datetime
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal, localcontext
from typing import cast

import msgspec

from flicksim.ai import ExecutionNoise, grade_name, noise_named
from flicksim.cards import Move, parse_move
from flicksim.core.errors import FlicksimError, InvalidInput, InvalidOption
from flicksim.core.limits import truncate_middle
from flicksim.core.serialization import from_builtins, to_builtins, to_json
from flicksim.core.type_aliases import Action, JsonValue
from flicksim.core.version import __version__
from flicksim.games import load
from flicksim.match.match import Forfeit, Match, MatchLimits, Turn
from flicksim.match.record_format import Header, UndoCount, open_header, state_fingerprint
from flicksim.referee import Game

FORMAT = 1
"""Version of the notation, incremented on incompatible changes."""
_PI = Decimal("3.14159265358979323846264338327950288419716939937510582")
_PRECISION = 50
"""Digits of intermediate results of conversions of units; those of a double are 17."""
_ANGLES = frozenset({"azimuth", "elevation", "slant", "askew", "twist"})
"""Fields that are radians in an action, and degrees in the notation."""
_LENGTHS = frozenset({"start", "hold", "height", "lift", "aside", "squidger", "drag", "y", "at"})
"""Fields that are metres in an action, and millimetres in the notation."""
_TAG = re.compile(r"\[([A-Z][A-Za-z]*) (.*)\]")
_TURN = re.compile(r"(\d+)\. (\S+) (.*)")
_FIELD = re.compile(r"([a-z_]+)=")
_BARE = re.compile(r"[A-Za-z][\w.-]*")
"""Strings that are written without quotes."""
_WORDS = frozenset({"true", "false", "null"})


# -- writing --------------------------------------------------------------------------------------------------------


def format_game(match: Match, seats: Sequence[str], *, date: str = "") -> str:
    """Write a match in its current state.

    Args:
        seats: players, as on the command line. date: of the game, as "2026-11-25"; left out where empty.

    Raises:
        InvalidOption: the date is no day.
    """
    if date:
        _check_date(date)
    return "\n".join((*_tags(match, seats, date), "", *(_turn(match, turn) for turn in match.turns), ""))


def _check_date(date: str) -> None:
    """Raise InvalidOption unless it is a date, written as 2026-11-25."""
    with suppress(ValueError):
        if datetime.date.fromisoformat(date).isoformat() == date:
            return
    raise InvalidOption(f"date {date!r} is no day; write it as 2026-11-25")


def _tags(match: Match, seats: Sequence[str], date: str) -> Iterator[str]:
    game, defaults = match.game, to_builtins(match.game.options())
    options = {name: value for name, value in to_builtins(match.options).items() if defaults[name] != value}
    values: dict[str, JsonValue] = {
        "Notation": FORMAT,
        "Game": game.name,
        "Edition": game.rules_version,
        "Program": f"flicksim {__version__}",
        "Date": date or None,
        "Seats": list(seats),
        "Seed": match.streams.seed,
        "Options": options or None,
        "Position": None if match.custom_start is None else to_builtins(match.custom_start.position),
        "Limits": None if match.limits == MatchLimits() else to_builtins(match.limits),
        "Undone": match.undo_count or None,
        "Forfeit": None if match.forfeit is None else to_builtins(match.forfeit),
        "Result": _result(match),
        "State": state_fingerprint(match.state),
    }
    yield from (f"[{name} {to_json(value).decode()}]" for name, value in values.items() if value is not None)


def _result(match: Match) -> str:
    """Points and winners, in words."""
    names = match.game.seat_names
    points = ", ".join(f"{name} {score}" for name, score in zip(names, match.scores, strict=False))
    won = " and ".join(names[seat] for seat in match.winners)
    return f"{points}; {f'won by {won}' if won else 'won by nobody' if match.is_over else 'not over'}"


def _turn(match: Match, turn: Turn) -> str:
    text = f"{turn.number}. {match.game.seat_names[turn.seat]} {format_action(turn.meant)}"
    if turn.made != turn.meant:
        text += f" => {format_difference(turn.made, turn.meant)}"
    if turn.made != turn.meant and turn.noise != match.seated_noise[turn.seat]:
        text += f" hand={_string(to_builtins(grade_name(turn.noise)))}"
    if turn.made != turn.meant and turn.undo_count:
        text += f" undo_count={turn.undo_count}"
    return f"{text} ; {turn.verdict}"


def format_action(action: Action) -> str:
    """Action in the notation."""
    if isinstance(action, Move):
        return str(action)
    fields = _fields(action)
    piece = [_string(fields.pop("piece"))] if "piece" in fields else []
    return " ".join([str(action.__struct_config__.tag), *piece, _join(fields)]).strip()


def format_difference(action: Action, other: Action) -> str:
    """Fields in which an action differs from another, in the notation; of cards and tiles the whole move."""
    if isinstance(action, Move):
        return str(action)
    fields, others = to_builtins(action), to_builtins(other)
    return _join({name: value for name, value in fields.items() if others.get(name) != value})


def _fields(action: Action) -> dict[str, JsonValue]:
    """Fields of an action that differ from their defaults, or that its JSON has in any case."""
    fields: dict[str, JsonValue] = to_builtins(action)
    del fields["do"]
    if action.__struct_config__.omit_defaults:
        return fields
    defaults = {field.encode_name: field.default for field in msgspec.structs.fields(action)}
    return {  # -0.0 is another value than 0.0
        name: value
        for name, value in fields.items()
        if value != defaults[name] or to_json(value) != to_json(defaults[name])
    }


def _join(fields: Mapping[str, JsonValue]) -> str:
    return " ".join(f"{name}={_value(name, value)}" for name, value in fields.items())


def _value(name: str, value: JsonValue) -> str:
    if isinstance(value, list | tuple):
        return f"[{','.join(_value(name, item) for item in value)}]"
    if isinstance(value, float):
        return _degrees(value) if name in _ANGLES else _decimal(value, 3 if name in _LENGTHS else 0)
    return _string(value)


def _string(value: JsonValue) -> str:
    """JSON of a value; plain words without quotes."""
    is_bare = isinstance(value, str) and _BARE.fullmatch(value) and value not in _WORDS
    return str(value) if is_bare else to_json(value).decode()


def _decimal(value: float, shift: int) -> str:
    """Shortest decimal of a number with its point shifted; read back it is the same number."""
    text = f"{Decimal(repr(value)).scaleb(shift):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _degrees(radians: float) -> str:
    """Shortest decimal number of degrees that is read back as the same number of radians."""
    with localcontext(prec=_PRECISION):
        exact = Decimal(radians) * 180 / _PI
        for digits in range(1, _PRECISION):
            with localcontext(prec=digits):
                rounded = +exact
            if _radians(rounded) == radians:
                break
        text = f"{rounded:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _radians(degrees: Decimal) -> float:
    with localcontext(prec=_PRECISION):
        return float(degrees * _PI / 180)


# -- reading --------------------------------------------------------------------------------------------------------


def parse_game(
    text: str, on_turn: Callable[[int, int], None] = lambda _played, _count: None
) -> tuple[Match, tuple[str, ...]]:
    """Read a game and play it again; returns the match after its turns, and the players as on the command line.

    No program or function that had a seat is started: its actions are in the text.

    Args:
        on_turn: called after each turn with the number of turns played again, and of all.

    Raises:
        InvalidInput: it is no such text, or not a game that can be played so; names the line.
    """
    tags, lines = parse_tags(text)
    match, seats = _open(tags)
    for number, line in lines:
        try:
            _play(match, line)
        except (FlicksimError, ArithmeticError, RecursionError) as error:
            why = "it is nested too deeply" if isinstance(error, RecursionError) else error
            raise InvalidInput(f"line {number} of the game: {why}") from None
        on_turn(len(match.turns), len(lines))
    match.undo_count = from_builtins(tags.get("Undone", 0), UndoCount, name="tag Undone")
    if "Forfeit" in tags:
        match.forfeit_by(from_builtins(tags["Forfeit"], Forfeit, name="tag Forfeit"))
    if "State" in tags and tags["State"] != state_fingerprint(match.state):
        raise InvalidInput(
            "the game comes out otherwise here than its tag State says: it was altered, or is of another version"
        )
    if "Result" in tags and tags["Result"] != (played := _result(match)):
        says = repr(tags["Result"]) if isinstance(tags["Result"], str) else to_json(tags["Result"]).decode()
        raise InvalidInput(f"the tag Result says {says}, but the game as played out is {played!r}")
    return match, seats


def parse_tags(text: str) -> tuple[dict[str, JsonValue], list[tuple[int, str]]]:
    """Read the tags of a game; returns them, and the lines of its turns with their numbers in the text.

    Raises:
        InvalidInput: a line is no such tag, or a tag is missing.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    tags: dict[str, JsonValue] = {}
    while lines and lines[0][1].startswith("["):
        number, line = lines.pop(0)
        found = _TAG.fullmatch(line)
        try:
            if found is None:
                raise ValueError
            if found[1] in tags:
                raise InvalidInput(f"a second tag {found[1]}; each is written once")
            tags[found[1]] = json.loads(found[2], object_pairs_hook=_unique_fields)
        except InvalidInput as error:
            raise InvalidInput(f"line {number} of the game: {error}") from None
        except (ValueError, RecursionError):
            raise InvalidInput(f"line {number} of the game: a tag is written [Name JSON], each once") from None
    if missing := [name for name in ("Game", "Seats", "Seed") if name not in tags]:
        raise InvalidInput(f'the game has no tag {missing[0]}; it begins with lines like [Game "penny-white"]')
    tags["Game"] = from_builtins(tags["Game"], str, name="the tag Game")
    return tags, lines


def _unique_fields(pairs: Sequence[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    """Make an object of its fields, each of which it has once."""
    fields: dict[str, JsonValue] = {}
    for name, value in pairs:
        if name in fields:
            shown = truncate_middle(", ".join(other for other, _ in pairs), 60)
            raise InvalidInput(f"a second field {name!r} in the object of {shown}; each is written once")
        fields[name] = value
    return fields


def _open(tags: Mapping[str, JsonValue]) -> tuple[Match, tuple[str, ...]]:
    """Open the match of the tags, at its start."""
    if tags.get("Notation", FORMAT) != FORMAT:
        notation = to_json(tags["Notation"]).decode()
        raise InvalidInput(f"the game is in notation {notation}; this flicksim reads notation {FORMAT}")
    game = load(str(tags["Game"]))
    fields = {
        "line": "game", "flicksim": __version__, "format": 0, "game": game.name, "seed": tags["Seed"],
        "edition": tags.get("Edition", game.rules_version), "options": tags.get("Options", {}),
        "seats": tags["Seats"], "position": tags.get("Position"), "bounds": tags.get("Limits", {}),
    }  # fmt: skip
    header = from_builtins(fields, Header, name="the tags of the game")
    if header.edition != game.rules_version:
        raise InvalidInput(
            f"the game was ruled by edition {header.edition} of {game.title}; this flicksim has edition "
            f"{game.rules_version}"
        )
    return open_header(header, game)[0], header.seats


def _play(match: Match, line: str) -> None:
    found, number = _TURN.fullmatch(line), len(match.turns) + 1
    if found is None or int(found[1]) != number:
        raise InvalidInput(f"it must begin with '{number}. ' and the name of a seat")
    meant, rest = _parse_action(match.game, found[3])
    changed: dict[str, JsonValue] = {}
    if rest.startswith("=>"):
        changed, rest = _parse_fields(rest[2:], {})
    noise = None
    if "hand" in changed:
        noise = noise_named(from_builtins(changed.pop("hand"), str | ExecutionNoise, name="hand"))  # type: ignore[arg-type]
    match.undo_count = from_builtins(changed.pop("undo_count", 0), UndoCount, name="undo_count")
    made = meant
    if changed:
        made = from_builtins({**to_builtins(meant), **changed}, match.game.action, name="after '=>'")
    if rest and not rest.startswith(";"):
        raise InvalidInput(f"{rest!r} is neither a field nor a ruling after ';'")
    executed = match.execute(meant, noise)
    if executed != made:
        raise InvalidInput(
            "the seed and the hand execute the action otherwise than it says after '=>': it was altered or cut"
        )
    turn = match.play(meant, made=executed, noise=noise)
    if match.game.seat_names[turn.seat] != found[2]:
        raise InvalidInput(f"it is the turn of {match.game.seat_names[turn.seat]}, not of {found[2]!r}")


def _parse_action(game: Game, text: str) -> tuple[Action, str]:
    """Parse an action; returns it and the rest of the line."""
    if not game.uses_physics:
        move, semicolon, rest = text.partition(";")
        return parse_move(move, game.action), semicolon + rest
    kind, _, rest = text.partition(" ")
    fields: dict[str, JsonValue] = {"do": kind}
    piece = re.match(r"(?![a-z_]+=|=>|;)(\S+)\s*", rest)
    if piece is not None:
        fields["piece"], rest = _parse_string(piece[1]), rest[piece.end() :]
    fields, rest = _parse_fields(rest, fields)
    return from_builtins(fields, game.action, name="the action"), rest


def _parse_fields(text: str, fields: dict[str, JsonValue]) -> tuple[dict[str, JsonValue], str]:
    """Parse fields and add them to those before; returns all in SI units, and the rest of the line."""
    text = text.strip()
    while found := _FIELD.match(text):
        name = found[1]
        if name in fields:
            raise InvalidInput(f"a second {name}, {text.split()[0]!r}; each is written once")
        text = text[found.end() :]
        if text[:1] in ('"', "[", "{"):
            try:
                value, end = _decoder.raw_decode(text)
            except ValueError as error:
                raise InvalidInput(f"{name}: {error}") from None
        else:
            end = len(re.split(r"[\s;]", text, maxsplit=1)[0])
            value = _parse_string(text[:end])
        fields[name], text = _to_si(name, value), text[end:].strip()
    return fields, text


def _parse_string(text: str) -> JsonValue:
    """Parse JSON, or a plain word as a string."""
    try:
        return cast(JsonValue, _decoder.decode(text))
    except ValueError:
        return text


_decoder = json.JSONDecoder(parse_float=Decimal, parse_int=Decimal, object_pairs_hook=_unique_fields)
"""Decoder of the fields of actions, with their exact digits."""


def _to_si(name: str, value: JsonValue) -> JsonValue:
    if isinstance(value, list):
        return [_to_si(name, item) for item in value]
    if isinstance(value, dict):
        return {key: _to_si("", item) for key, item in value.items()}
    if not isinstance(value, Decimal):
        return value
    if name in _ANGLES:
        low, high = (0, 90) if name == "elevation" else (-360, 360)  # other errors of angles are in degrees
        if not low <= value <= high:
            raise InvalidInput(f"{name} {value} must lie in {low} to {high} degrees")
        return _radians(value)
    if name in _LENGTHS:
        return float(value.scaleb(-3))
    is_whole = str(value).removeprefix("-").isdigit() and str(value) != "-0"
    return int(value) if is_whole else float(value)
