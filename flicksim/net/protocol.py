"""Messages between host and clients: one JSON object each, tagged by `kind`, decoded strictly and of limited size.

The host sends a client what its seat may see and nothing else. Each line of the game (a turn, a take-back, a forfeit)
comes with a hash of all lines so far, which the client computes too; see `line_hash`.
"""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec

from flicksim.core.errors import InvalidInput
from flicksim.core.limits import MAX_RECORD_BYTES
from flicksim.core.sanitize import escape_unprintable
from flicksim.core.serialization import Value, from_json, read_bytes, to_json
from flicksim.core.type_aliases import JsonValue
from flicksim.match import EndLine, Forfeit, ForfeitLine, Header, RecordLine, UndoLine

DEFAULT_PORT = 7420
VERSION = 1
"""Version of the protocol; a host refuses clients of another."""
MAX_CLIENT_BYTES = 16_384
"""Longest message of a client [bytes]: an action has 300."""
MAX_HOST_BYTES = 4_000_000
"""Longest message of a host [bytes]: a whole game of Ice has 50,000."""
WATCHER = -1
"""Seat whose view spectators see: nothing but what everybody sees."""

PHRASES: Mapping[str, str] = {
    "hello": "Hello!",
    "good_luck": "Good luck!",
    "nice_shot": "Nice shot!",
    "well_played": "Well played!",
    "thanks": "Thank you!",
    "sorry": "Sorry!",
    "oops": "Oops.",
    "one_moment": "One moment, please.",
    "your_turn": "It is your turn.",
    "good_game": "Good game!",
    "goodbye": "Goodbye!",
}
"""Phrases of the chat by id, in English; free text is not sent."""

Secret = Annotated[str, msgspec.Meta(max_length=128)]
PersonName = Annotated[str, msgspec.Meta(max_length=40)]
MAX_TURN = 10_000_000
TurnNumber = Annotated[int, msgspec.Meta(ge=-1, le=MAX_TURN)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=63)]
Agreement: TypeAlias = Literal["undo", "rematch"]
"""Actions that need the agreement of all people at the table."""


class Message(Value, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    """Base of all messages."""


# -- from a client -----------------------------------------------------------------------------------------------------


class Hello(Message, frozen=True, kw_only=True, tag="hello"):
    """First message of a client.

    Args:
        version: of the protocol. code: of the table. name: of the person or program.
        seat: wanted; None for any free one. watch: spectator.
        token: of the seat, to come back to it; for a new seat one of 22 characters or more may be chosen, so that a
            lost connection does not lose it.
        turn, hash: number of turns known and the hash after them, to receive only what was missed.
    """

    version: int
    code: Secret
    name: PersonName = ""
    seat: SeatNumber | None = None
    watch: bool = False
    token: Secret = ""
    turn: TurnNumber = -1
    hash: Secret = ""


class Act(Message, frozen=True, kw_only=True, tag="act"):
    """Action as turn `turn`, as records hold it; also a self-report by the seat concerned, in anybody's turn."""

    turn: TurnNumber
    action: dict[str, JsonValue]


class Propose(Message, frozen=True, kw_only=True, tag="propose"):
    """Proposal to take back until `turns` are left (by default the last decision of the seat), or of another game."""

    what: Agreement
    turns: TurnNumber | None = None


class Answer(Message, frozen=True, kw_only=True, tag="answer"):
    """Answer to the proposal that is open."""

    agree: bool


class Say(Message, frozen=True, kw_only=True, tag="say"):
    """Phrase of `PHRASES` to everybody."""

    phrase: Secret


class Differs(Message, frozen=True, kw_only=True, tag="differs"):
    """Report that a turn has another result or hash at a client; the host passes it on with the client's name."""

    turn: TurnNumber
    name: PersonName = ""


class Resend(Message, frozen=True, kw_only=True, tag="resend"):
    """Request for the whole game (`GameSnapshot`)."""


class Leave(Message, frozen=True, kw_only=True, tag="leave"):
    """Give the seat up, so that somebody else can take it."""


ClientMessage = Hello | Act | Propose | Answer | Say | Differs | Resend | Leave


# -- from the host -----------------------------------------------------------------------------------------------------


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """Answer to `Hello`.

    Args:
        seats: played by this client; empty for a spectator. token: secret of the seat, to come back to it.
    """

    version: int
    seats: tuple[int, ...] = ()
    token: str = ""


class GameSnapshot(Message, frozen=True, kw_only=True, tag="game"):
    """The game as it stands: after joining, for another game, and on request.

    Args:
        game_number: of the table, from 1. header: first line of the record, without the seed, the start position
            and the commands of programs. turn: turns played. view: state as the seat sees it. state: fingerprint of the
            view. hash: of the lines so far. forfeit: that ended the game.
    """

    game_number: int
    header: Header
    turn: int
    view: JsonValue
    state: str
    hash: str
    forfeit: Forfeit | None = None


class TurnPlayed(Message, frozen=True, kw_only=True, tag="turn"):
    """Turn, which is on the host's disk.

    Args:
        state: fingerprint of the state after it as the seat sees it. hash: of the lines up to this one.
        view, ruling, moved: state after it, ruling and movements of cards as the seat sees them, in games with hidden
            cards; in other games a client computes them from the action made.
        line: line of the record, without the fingerprint of the whole state and the digest.
    """

    state: str
    hash: str
    view: JsonValue = None
    ruling: JsonValue = None
    moved: JsonValue = None
    line: msgspec.Raw


class Undone(Message, frozen=True, kw_only=True, tag="undo"):
    """Turns were taken back; `turns` are left."""

    turns: int
    hash: str


class Decide(Message, frozen=True, kw_only=True, tag="decide"):
    """Decision of this seat as turn `turn`, described as to a program at a `cmd:` seat (see `ai/README.md`).

    Args:
        limit: time left [s]; None without a limit.
    """

    turn: int
    game: str
    edition: int
    seat: int
    names: tuple[str, ...]
    says: str
    flicks: JsonValue
    actions: JsonValue
    view: JsonValue
    limit: float | None = None


class SeatPresence(Value, frozen=True, kw_only=True, omit_defaults=True):
    """Holder of a seat: kind of player, name, whether the connection is up, and its round trip [ms]."""

    seat: int
    player: str
    name: str = ""
    here: bool = True
    lag: int | None = None


class Presence(Message, frozen=True, kw_only=True, tag="presence"):
    """People at the table, and spectators.

    Args:
        to_play: seat; None when the game is over. left: time left for its decision [s]; None without a limit.
        paused: whether its clock stands still, as its connection is lost.
    """

    seats: tuple[SeatPresence, ...]
    watchers: tuple[str, ...] = ()
    to_play: int | None = None
    left: float | None = None
    paused: bool = False


class Proposal(Message, frozen=True, kw_only=True, tag="proposal"):
    """Open proposal of a seat; `waiting`: seats whose answer is due."""

    what: Agreement
    seat: int
    turns: int | None = None
    waiting: tuple[int, ...] = ()


class Settled(Message, frozen=True, kw_only=True, tag="settled"):
    """End of a proposal: all agreed, or it was refused, withdrawn by its own seat or overtaken by a turn."""

    what: Agreement
    agreed: bool
    withdrawn: bool = False


class Said(Message, frozen=True, kw_only=True, tag="said"):
    """Phrase of a person; `seat` is None for a spectator."""

    seat: int | None = None
    name: str = ""
    phrase: str


class Over(Message, frozen=True, kw_only=True, tag="over"):
    """End of the game: winners, points by seat, and the forfeit by which it may have ended."""

    winners: tuple[int, ...]
    points: tuple[JsonValue, ...]
    forfeit: Forfeit | None = None
    hash: str = ""


class Refused(Message, frozen=True, kw_only=True, tag="error"):
    """Message of the client that changed nothing, and why.

    Args:
        about: kind of the message. turn: of the action. final: the connection is closed and not to be tried again.
    """

    message: str
    about: str = ""
    turn: int | None = None
    final: bool = False


HostMessage = (
    Welcome | GameSnapshot | TurnPlayed | Undone | Decide | Presence | Proposal | Settled | Said | Over | Differs
    | Refused
)  # fmt: skip


def decode_client_message(text: str | bytes) -> ClientMessage:
    """Decode a message of a client.

    Raises:
        InvalidInput: it is none, or too long; in one line.
    """
    if len(text) > MAX_CLIENT_BYTES:
        raise InvalidInput(f"the message has {len(text):,} bytes; {MAX_CLIENT_BYTES:,} is the most")
    return from_json(text, ClientMessage, name="the message")  # type: ignore[arg-type]


def peek(text: str | bytes) -> tuple[str, int | None, int | None]:
    """Kind, version and turn in a message that may not be valid; an empty text, and None, for what it has not."""
    try:
        fields = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        return "", None, None
    kind, version, turn = (fields.get(name) for name in ("kind", "version", "turn"))
    return (
        escape_unprintable(kind)[:40] if isinstance(kind, str) else "",
        version if isinstance(version, int) else None,
        turn if type(turn) is int and abs(turn) <= MAX_TURN else None,
    )


# -- hash of the record ------------------------------------------------------------------------------------------------


def public_header(header: Header) -> Header:
    """Header without the seed, the start position, which may show all hands, and the commands of programs."""
    seats = tuple(seat.partition(":")[0] if seat.startswith(("cmd", "own")) else seat for seat in header.seats)
    return msgspec.structs.replace(header, seed=0, seats=seats, position=None, chain="")


def public_line(line: RecordLine) -> bytes:
    """JSON of a record's line without the fingerprint of the whole state, hidden cards included, and the digest."""
    hidden = {name: "" for name in ("state", "chain") if hasattr(line, name)}
    return to_json(msgspec.structs.replace(line, **hidden))


def first_hash(header: Header) -> str:
    """Hash before the first line: of the public header."""
    return sha256(to_json(public_header(header))).hexdigest()


def line_hash(previous: str, line: RecordLine | bytes) -> str:
    """Hash of the lines up to this one: SHA-256 of the previous hash, as text, and the line (see `public_line`)."""
    return sha256(previous.encode() + (line if isinstance(line, bytes) else public_line(line))).hexdigest()


def hashes_by_turn(path: Path) -> list[str]:
    """Hashes of a record by number of turns, after all take-backs; the last one is that of the record.

    Raises:
        InvalidInput: it is no record.
    """
    lines = read_bytes(path, MAX_RECORD_BYTES).split(b"\n")[:-1] or [b""]
    hashes = [first_hash(from_json(lines[0], Header, name=f"line 1 of {str(path)!r}"))]
    for number, text in enumerate(lines[1:], 2):
        line: RecordLine = from_json(text, RecordLine, name=f"line {number} of {str(path)!r}")  # type: ignore[arg-type]
        if isinstance(line, EndLine):
            continue
        hashed = line_hash(hashes[-1], line)
        if isinstance(line, UndoLine):
            del hashes[line.turns :]
        elif isinstance(line, ForfeitLine):
            del hashes[-1]
        hashes.append(hashed)
    return hashes
