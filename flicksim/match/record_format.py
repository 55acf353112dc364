"""Record format: the JSON lines of a game record, chained by digests."""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256
from typing import get_args

import msgspec

from flicksim.ai import ExecutionNoise, grade_name
from flicksim.core.errors import InvalidFile, InvalidInput
from flicksim.core.limits import SeedInt, Text
from flicksim.core.serialization import Value, fingerprint, from_builtins, to_builtins, to_json
from flicksim.core.type_aliases import JsonValue, Position, State
from flicksim.core.version import __version__
from flicksim.match.match import Match, MatchLimits, Turn
from flicksim.referee import Game, GameOptions

FORMAT = 2
"""Version of the format, incremented when the lines change. Format 1, which is still read and appended to, has no
digests, no end line and no grade of execution noise in a turn."""


class Header(Value, frozen=True, kw_only=True, tag="game", tag_field="line", omit_defaults=True):
    """First line of a record: all that is needed to start the same game again.

    Args:
        flicksim: version that wrote it. format: of the lines. game, edition: rules of the game.
        options: all of them, by name. seed: of the random streams. seats: as written on the command line.
        position: start, where that was not the game's opening. bounds: limits of the match.
        chain: digest of the line.
    """

    flicksim: str
    format: int
    game: str
    edition: int
    options: dict[str, JsonValue]
    seed: SeedInt
    seats: tuple[Text, ...]
    position: dict[str, JsonValue] | None = None
    bounds: MatchLimits = msgspec.field(default_factory=MatchLimits)
    chain: str = ""


class TurnLine(Value, frozen=True, kw_only=True, tag="turn", tag_field="line", omit_defaults=True):
    """Turn of a record.

    Args:
        meant, made: intended and executed action. verdict, reasons: ruling in words, and its rule ids.
        points: gained. state: fingerprint of the state after.
        hand: grade of the execution noise, where `made` differs from `meant`. chain: see `DigestChain`.
    """

    number: int
    seat: int
    meant: dict[str, JsonValue]
    made: dict[str, JsonValue]
    verdict: str
    reasons: tuple[str, ...]
    points: tuple[Fraction, ...]
    state: str
    hand: str | ExecutionNoise = "steady"
    chain: str = ""


class ForfeitLine(Value, frozen=True, kw_only=True, tag="forfeit", tag_field="line", omit_defaults=True):
    """Forfeit of a seat that could not continue, with the reason. Ends the game."""

    seat: int
    says: Text
    chain: str = ""


class UndoLine(Value, frozen=True, kw_only=True, tag="undo", tag_field="line", omit_defaults=True):
    """Undo: turns were taken back, and `turns` are left."""

    turns: int
    chain: str = ""


class EndLine(Value, frozen=True, kw_only=True, tag="end", tag_field="line", omit_defaults=True):
    """End of the game after `turns` turns. An undo or a self-report after the end continues it."""

    turns: int
    chain: str = ""


RecordLine = TurnLine | ForfeitLine | UndoLine | EndLine
"""Lines that follow the header."""
RECORD_LINE_TAGS = {str(kind.__struct_config__.tag) for kind in get_args(RecordLine)}
"""Tags of these lines."""


class DigestChain:
    """Hash chain of the lines of a record (truncated SHA-256)."""

    _KEY, _DIGITS = b',"chain":"', 32

    def __init__(self) -> None:
        self._sum = sha256()

    def copy(self) -> DigestChain:
        """Independent copy of the state."""
        other = DigestChain()
        other._sum = self._sum.copy()
        return other

    def append(self, line: bytes) -> bytes:
        """Return the line with the digest of itself and all before it as its last field."""
        body = line.removesuffix(b"}")
        self._sum.update(body)
        rest = self._KEY + self._sum.hexdigest()[: self._DIGITS].encode() + b'"}'
        self._sum.update(rest + b"\n")
        return body + rest

    def verify(self, line: bytes) -> str:
        """Append a line and return the expected digest, or an empty string where the line has it."""
        sealed = self.append(line[: -len(self._KEY) - self._DIGITS - 2] + b"}")
        return "" if sealed == line else sealed[-self._DIGITS - 2 : -2].decode()


def match_header(match: Match, seats: tuple[str, ...]) -> Header:
    """Make the header of a match."""
    return Header(
        flicksim=__version__,
        format=FORMAT,
        game=match.game.name,
        edition=match.game.rules_version,
        options=to_builtins(match.options),
        seed=match.streams.seed,
        seats=seats,
        position=None if match.custom_start is None else to_builtins(match.custom_start.position),
        bounds=match.limits,
    )


def header_position(header: Header, game: Game) -> Position:
    """Decode the start position of a recorded game; None for the game's opening.

    Raises:
        InvalidFile: it cannot be decoded.
    """
    if header.position is None:
        return None
    if game.positions is None:
        raise InvalidFile(f"the record begins at a position, but {game.title} has no notation for positions")
    try:
        return from_builtins(header.position, game.positions.Position, name="the record's position")
    except InvalidInput as error:
        raise InvalidFile(str(error)) from None


def state_fingerprint(state: State) -> str:
    """Fingerprint of a state, without options added in later editions that have their default (see `GameOptions`)."""
    if not isinstance(state.options, GameOptions) or not state.options.ADDED_LATER:
        return fingerprint(state)
    default = type(state.options)()
    options = earlier = to_json(state.options)
    for name in state.options.ADDED_LATER:
        earlier = earlier.replace(b"," + to_json({name: getattr(default, name)})[1:-1], b"")
    return fingerprint(msgspec.Raw(to_json(state).replace(options, earlier)))


def turn_line(turn: Turn) -> TurnLine:
    """Make the record line of a turn."""
    return TurnLine(
        number=turn.number,
        seat=turn.seat,
        meant=to_builtins(turn.meant),
        made=to_builtins(turn.made),
        verdict=str(turn.verdict),
        reasons=turn.verdict.rule_ids,
        points=turn.verdict.ruling.points,
        state=state_fingerprint(turn.after),
        hand="steady" if turn.made == turn.meant else grade_name(turn.noise),
    )
