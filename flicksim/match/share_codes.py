"""Share codes: a position or a game as one short text with a version and a checksum.

A game is encoded as its start and the intended action of each turn; noise and trajectories are reproduced on replay. A
code never starts a program and contains no names of people.
"""

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import nextafter
from pathlib import Path
from typing import Annotated

import msgspec

from flicksim.ai import GRADES, ExecutionNoise, PythonPlayer, RandomPlayer, SubprocessPlayer, grade_name, noise_named
from flicksim.core.counting import count_of
from flicksim.core.errors import FlicksimError, InvalidInput, InvalidOption
from flicksim.core.limits import MAX_FILE_BYTES, Name, SeedInt, Text, truncate_middle
from flicksim.core.serialization import Value, from_builtins, to_builtins
from flicksim.core.type_aliases import JsonValue, Position
from flicksim.core.type_aliases import State as GameState
from flicksim.games import load, names
from flicksim.match.asset_lookup import position_notation
from flicksim.match.match import Forfeit, Match, MatchLimits, Turn
from flicksim.match.match_factory import parse_seat
from flicksim.match.record import Record, require_untampered
from flicksim.match.record_format import (
    Header,
    TurnLine,
    UndoCount,
    match_header,
    open_header,
    state_fingerprint,
    turn_line,
)  # fmt: skip
from flicksim.referee import Game

FORMAT = 1
"""Version of the format, incremented on incompatible changes."""
_PREFIX = "flicksim"
_PATTERN = re.compile(rf"{_PREFIX}(\d{{1,4}})\.([A-Za-z0-9_=-]*)")
_CHECKSUM_BYTES = 4
"""Length of the checksum, which comes first [bytes]."""
_END_DIGITS = 10
"""Length of the prefix of the last state's fingerprint [hexadecimal digits]."""
_FORFEIT_TEXT = "its player could not go on"
"""Reason of a program's forfeit, as its own message may name files or people."""
_ROUNDING_STEPS = 3
"""Number of neighbouring floats on either side of a quotient that are tried."""

_SharedNoise = tuple[Name, Annotated[float, msgspec.Meta(ge=0.0, le=100.0)]] | str | ExecutionNoise | None
"""Execution noise of a turn: a scaled grade, a grade, any other; None: that of its seat."""


class SharedTurn(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """Turn: intended action, execution noise, and the executed action where the noise does not reproduce it."""

    meant: dict[str, JsonValue]
    hand: _SharedNoise = None
    made: dict[str, JsonValue] | None = None


class SharedGame(Value, frozen=True, kw_only=True, tag="game", tag_field="is", omit_defaults=True):
    """Shared game.

    Args:
        game, edition, seed, seats, position, bounds: as in the header of a record. options: that are not the default.
        turns: in order. undo_counts: turns undone before, by number of a turn whose error depends on it, or of the
            next turn. lost: seat that forfeited, and the reason. end: prefix of the last state's fingerprint.
    """

    game: Name
    edition: int
    options: dict[str, JsonValue] = msgspec.field(default_factory=dict)
    seed: SeedInt
    seats: Annotated[tuple[Name, ...], msgspec.Meta(max_length=20)]
    position: dict[str, JsonValue] | None = None
    bounds: MatchLimits = msgspec.field(default_factory=MatchLimits)
    turns: tuple[SharedTurn, ...]
    undo_counts: dict[int, UndoCount] = msgspec.field(default_factory=dict)
    lost: tuple[int, Text] | None = None
    end: Name = ""

    @property
    def title(self) -> str:
        """Short description."""
        return f"{_game_named(self.game).title}, {count_text([turn.meant.get('do') for turn in self.turns])}"

    def open(self) -> Match:
        """Open the match at its start.

        Raises:
            FlicksimError: it cannot be set up here; says why.
        """
        game = _game_named(self.game)
        if self.edition != game.rules_version:
            raise InvalidInput(
                f"the shared game was ruled by edition {self.edition} of {game.title}; this flicksim has edition "
                f"{game.rules_version}"
            )
        header = Header(flicksim="", format=0, game=self.game, edition=self.edition, options=self.options,
                        seed=self.seed, seats=self.seats, position=self.position, bounds=self.bounds)  # fmt: skip
        if any(parse_seat(text).kind in ("cmd", "own") for text in self.seats):
            raise InvalidInput("the shared game would start a program; nobody's program is started by a text")
        return open_header(header, game)[0]

    def replay_turns(self, match: Match) -> Iterator[Turn]:
        """Replay the turns in the opened match.

        Raises:
            FlicksimError: a turn cannot be played; says which.
        """
        for number, turn in enumerate(self.turns, 1):
            match.undo_count = self.undo_counts.get(number, 0)
            try:
                yield _replay_turn(match, turn)
            except FlicksimError as error:
                raise InvalidInput(f"turn {number} of the shared game cannot be played here: {error}") from None
        match.undo_count = self.undo_counts.get(len(self.turns) + 1, 0)
        if self.lost is not None and match.to_play == self.lost[0]:
            match.forfeit_by(Forfeit(seat=self.lost[0], reason=self.lost[1]))

    def mismatch(self, match: Match) -> str:
        """Message if the replayed game differs from the shared one; empty otherwise."""
        if not self.end or state_fingerprint(match.state).startswith(self.end):
            return ""
        return "This game comes out otherwise here than where it was played: that was another version, or machine."


class SharedPosition(Value, frozen=True, kw_only=True, tag="position", tag_field="is"):
    """Shared position in the notation of its game."""

    game: Name
    position: dict[str, JsonValue]

    @property
    def title(self) -> str:
        """Short description."""
        return f"{_game_named(self.game).title}, a position"

    def decode(self) -> tuple[Game, Position]:
        """Decode the game and the position.

        Raises:
            FlicksimError: it is not a position of the game; says why.
        """
        game = _game_named(self.game)
        return game, from_builtins(self.position, position_notation(game).Position, name="the shared position")


Shared = SharedGame | SharedPosition


def count_text(actions: Sequence[JsonValue]) -> str:
    """Number of launches of a game of launches, of which there may be none yet, else of turns, in words.

    Args:
        actions: kinds, one for each turn.
    """
    has_launches = "load" in actions or "launch" in actions
    return count_of(actions.count("launch"), "launch", "launches") if has_launches else count_of(len(actions), "turn")


def _game_named(name: str) -> Game:
    if name not in names():
        raise InvalidInput(f"this is a game of {name!r}; this flicksim has {', '.join(names())}")
    return load(name)


# -- encoding -------------------------------------------------------------------------------------------------------


def encode_record(record: Record) -> str:
    """Encode a recorded game.

    Raises:
        RecordTampered: it was altered after it was written.
    """
    require_untampered(record)
    return _encode_game(record.header, record.turns, record.forfeit, record.undo_count)


def encode_match(match: Match) -> str:
    """Encode a match in its current state."""
    seats = tuple(_seat_text(match, seat) for seat in range(len(match.players)))
    return _encode_game(
        match_header(match, seats), [turn_line(turn) for turn in match.turns], match.forfeit, match.undo_count
    )


def _encode_game(header: Header, lines: Sequence[TurnLine], forfeit: Forfeit | None, undo_count: int) -> str:
    defaults = to_builtins(_game_named(header.game).options())
    # programs and Python players become people, as only their actions are shared
    seats = tuple("human" if parse_seat(text).kind in ("cmd", "own") else text for text in header.seats)
    acted = [line.seat for line in lines] + ([] if forfeit is None else [forfeit.seat])
    if invalid := [seat for seat in acted if not 0 <= seat < len(seats)]:
        raise InvalidInput(f"a turn of seat {invalid[0]} cannot be shared: there are {len(seats)} seats")
    bots = [parse_seat(text).kind == "bot" and text == header.seats[k] for k, text in enumerate(seats)]
    lost = None
    if forfeit is not None:
        lost = forfeit.seat, forfeit.reason if bots[forfeit.seat] else _FORFEIT_TEXT
    options = {name: value for name, value in header.options.items() if defaults.get(name) != value}
    undo_counts = {line.number: line.undo_count for line in lines} | {len(lines) + 1: undo_count}
    return _encode(SharedGame(
        game=header.game, edition=header.edition, seed=header.seed, seats=seats, position=header.position,
        bounds=header.bounds, options=options,
        turns=tuple(_shared_turn(line, bot=bots[line.seat]) for line in lines),
        undo_counts={number: count for number, count in undo_counts.items() if count}, lost=lost,
        end=lines[-1].state[:_END_DIGITS] if lines else "",
    ))  # fmt: skip


def _seat_text(match: Match, seat: int) -> str:
    """Text of a seat: a bot by its grade; players without a text as a person."""
    player, hand = match.players[seat], grade_name(match.noise[seat])
    if isinstance(player, RandomPlayer):
        return "random"
    if player is None or isinstance(player, SubprocessPlayer | PythonPlayer) or not match.game.uses_physics:
        return "human"
    return f"bot:{hand}" if isinstance(hand, str) and hand in GRADES else "human"


def _shared_turn(line: TurnLine, *, bot: bool) -> SharedTurn:
    """Encode a turn as briefly as possible."""
    if bot or line.made == line.meant:
        return SharedTurn(line.meant, None if bot else "steady")
    if line.hand == "steady":  # of a record of format 1, without noise
        return SharedTurn(line.meant, None, line.made)
    if isinstance(line.hand, str):
        return SharedTurn(line.meant, line.hand)
    return SharedTurn(line.meant, _noise_as_grade(line.hand) or line.hand)


def _noise_as_grade(noise: ExecutionNoise) -> tuple[str, float] | None:
    """Express noise as a scaled grade; None where it is of no grade."""
    for name, known in GRADES.items():
        quotient = noise.speed / known.speed if known.speed else 0.0
        for direction in (0.0, float("inf")):
            factor = quotient
            for _ in range(_ROUNDING_STEPS):
                if known.scaled(factor) == noise:
                    return name, factor
                factor = nextafter(factor, direction)
    return None


def encode_position(game: Game, position: Position) -> str:
    """Encode a position."""
    return _encode(SharedPosition(game=game.name, position=to_builtins(position)))


def current_position(game: Game, state: GameState, title: str) -> Position:
    """Convert a state to a position; None where the game has no notation, or none for such a state."""
    try:
        return None if game.positions is None else game.positions.from_state(state, title)
    except InvalidOption:
        return None


def _encode(shared: Shared) -> str:
    packed = zlib.compress(msgspec.msgpack.encode(shared, enc_hook=to_builtins), 9)
    payload = zlib.crc32(packed).to_bytes(_CHECKSUM_BYTES, "big") + packed
    return f"{_PREFIX}{FORMAT}." + urlsafe_b64encode(payload).decode().rstrip("=")


# -- decoding -------------------------------------------------------------------------------------------------------


def has_share_code(text: str) -> bool:
    """Return True if a text contains a share code."""
    return _PATTERN.search(text) is not None


def later_share_codes(text: str) -> int:
    """Number of other share codes that follow the first in a text, which is the one that is decoded."""
    found = [match.group() for match in _PATTERN.finditer(text)]
    return len({*found} - {*found[:1]})


def explain_missing_code(argument: str) -> str:
    """Message for an argument that is neither a share code nor a file; empty where it is one."""
    found = has_share_code(argument)
    with suppress(OSError, ValueError):  # impossible as the name of a file; "" is that of the folder
        found = found or (argument != "" and Path(argument).exists())
    if found:
        return ""
    return f"{_quoted(argument)} is neither a file nor a shared text; such a text begins with '{_PREFIX}{FORMAT}.'"


def _quoted(text: str) -> str:
    return repr(truncate_middle(text.strip(), 60))


def decode_share_code(text: str) -> Shared:
    """Decode the share code in a text; surrounding text is ignored.

    Raises:
        InvalidInput: there is none, it was cut or altered, or it comes from a newer flicksim.
    """
    joined = "".join(text.split())  # mail programs break long lines
    matches = [match for match in (_PATTERN.search(text), _PATTERN.search(joined)) if match is not None]
    if not matches:
        raise InvalidInput(
            f"{_quoted(text)} is no shared position or game; such a text begins with '{_PREFIX}{FORMAT}.'"
        )
    if int(matches[0][1]) > FORMAT:
        raise InvalidInput(
            f"this was shared by a newer flicksim (format {matches[0][1]}); this one reads format {FORMAT}"
        )
    packed = next(filter(None, (_unpack(match[2]) for match in matches)), None)
    if packed is None:
        raise InvalidInput(
            f"{_quoted(matches[0].group())} was cut short or altered on its way; ask for the shared text once more"
        )
    try:
        decoded = zlib.decompressobj().decompress(packed, MAX_FILE_BYTES)
        shared: Shared = msgspec.msgpack.decode(decoded, type=Shared)
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise InvalidInput(f"the shared text holds no position or game: {truncate_middle(str(error), 200)}") from None
    return shared


def _unpack(encoded: str) -> bytes | None:
    """Decode the compressed bytes; None where the checksum does not match."""
    try:
        payload = urlsafe_b64decode(encoded.rstrip("=") + "=" * (-len(encoded.rstrip("=")) % 4))
    except ValueError:
        return None
    packed = payload[_CHECKSUM_BYTES:]
    return (
        packed if packed and zlib.crc32(packed).to_bytes(_CHECKSUM_BYTES, "big") == payload[:_CHECKSUM_BYTES] else None
    )


def _replay_turn(match: Match, turn: SharedTurn) -> Turn:
    kind = match.game.action
    meant, seat = from_builtins(turn.meant, kind, name="what was meant"), match.to_play
    if turn.made is not None:
        return match.play(meant, made=from_builtins(turn.made, kind, name="what was made"))
    if turn.hand is None or seat is None:
        return match.play(meant)
    grade, scale = turn.hand if isinstance(turn.hand, tuple) else (turn.hand, None)
    noise = noise_named(grade)
    return match.play(meant, noise=noise if scale is None else noise.scaled(scale))
