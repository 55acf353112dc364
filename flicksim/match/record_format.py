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
"""Raised when the lines themselves change. Format 1, which is still read and gone on with, has no digests, no end line
and does not say whose hand made a turn."""


class Header(Value, frozen=True, kw_only=True, tag="game", tag_field="line", omit_defaults=True):
    """The first line: everything needed to begin the same game again.

    Args:
        flicksim: version that wrote it. format: of the lines. game, edition: which rules.
        options: all of them, by name. seed: its chance. seats: who sat down, as written on the command line.
        position: where it began, when that was not the game's beginning. bounds: the longest it might last.
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
    """One turn: what was meant and made, the ruling in words and ids, points gained, fingerprint of the state after.

    `noise` is the grade of the hand that made it, where that is not just what was meant. `chain`: see `DigestChain`.
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
    """A seat could not go on and lost: why. Nothing more was played."""

    seat: int
    says: Text
    chain: str = ""


class UndoLine(Value, frozen=True, kw_only=True, tag="undo", tag_field="line", omit_defaults=True):
    """Turns were taken back: so many are left."""

    turns: int
    chain: str = ""


class EndLine(Value, frozen=True, kw_only=True, tag="end", tag_field="line", omit_defaults=True):
    """The game is over, after so many turns. An undo opens it again, and so does what is owned up to after the end."""

    turns: int
    chain: str = ""


RecordLine = TurnLine | ForfeitLine | UndoLine | EndLine
"""Lines that follow the header."""
RECORD_LINE_TAGS = {str(kind.__struct_config__.tag) for kind in get_args(RecordLine)}
"""Words by which they are told apart."""


class DigestChain:
    """A digest of lines as they follow one another."""

    _KEY, _DIGITS = b',"chain":"', 32

    def __init__(self) -> None:
        self._sum = sha256()

    def copy(self) -> DigestChain:
        """One that goes on from here by itself."""
        other = DigestChain()
        other._sum = self._sum.copy()
        return other

    def append(self, line: bytes) -> bytes:
        """A line with the digest of all before it and of itself as its last field."""
        body = line.removesuffix(b"}")
        self._sum.update(body)
        rest = self._KEY + self._sum.hexdigest()[: self._DIGITS].encode() + b'"}'
        self._sum.update(rest + b"\n")
        return body + rest

    def verify(self, line: bytes) -> str:
        """Take one more line; returns the digest it should have, or nothing where it has that."""
        sealed = self.append(line[: -len(self._KEY) - self._DIGITS - 2] + b"}")
        return "" if sealed == line else sealed[-self._DIGITS - 2 : -2].decode()


def match_header(match: Match, seats: tuple[str, ...]) -> Header:
    """The header of a match."""
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
    """The position a recorded game began at; None for the game's own beginning.

    Raises:
        InvalidFile: it cannot be read as one.
    """
    if header.position is None:
        return None
    if game.positions is None:
        raise InvalidFile(f"the record begins at a position, but {game.title} has no notation for positions")
    try:
        return from_builtins(header.position, game.positions.Position, name="the record's position")
    except InvalidInput as wrong:
        raise InvalidFile(str(wrong)) from None


def state_fingerprint(state: State) -> str:
    """The fingerprint of a state, without those later switches that are as usual (see `GameOptions`)."""
    if not isinstance(state.options, GameOptions) or not state.options.ADDED_LATER:
        return fingerprint(state)
    usual = type(state.options)()
    whole = earlier = to_json(state.options)
    for name in state.options.ADDED_LATER:
        earlier = earlier.replace(b"," + to_json({name: getattr(usual, name)})[1:-1], b"")
    return fingerprint(msgspec.Raw(to_json(state).replace(whole, earlier)))


def turn_line(turn: Turn) -> TurnLine:
    """The line of a turn."""
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
