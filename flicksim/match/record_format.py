"""Record format: the JSON lines of a game record, chained by digests; their table, and their writer."""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from hashlib import sha256
from io import BufferedWriter
from pathlib import Path
from typing import Annotated, get_args

import msgspec

from flicksim.ai import ExecutionNoise, grade_name
from flicksim.core.atomic_files import os_error_message
from flicksim.core.errors import InvalidFile, InvalidInput
from flicksim.core.file_lock import FileLock
from flicksim.core.limits import SeedInt, Text
from flicksim.core.results_table import ColumnInfo, ResultsTable
from flicksim.core.serialization import Value, fingerprint, from_builtins, to_builtins, to_json
from flicksim.core.type_aliases import JsonValue, Position, State
from flicksim.core.version import __version__
from flicksim.match.match import Forfeit, Match, MatchLimits, Turn
from flicksim.match.match_factory import Seat, open_match, parse_seat
from flicksim.referee import Game, GameOptions, parse_options

FORMAT = 2
"""Version of the format, incremented when the lines change. Format 1, which is still read and appended to, has no
digests, no end line and no grade of execution noise in a turn."""
_FLICK_COLUMNS = (
    ("speed", "m/s"), ("azimuth", "rad"), ("elevation", "rad"), ("tumble", "rad/s"), ("offset", "radii"),
)  # fmt: skip
"""Fields of flicks with columns of their own, as meant and as made, where any turn has them."""


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


UndoCount = Annotated[int, msgspec.Meta(ge=0)]
"""Number of turns that were undone."""


class TurnLine(Value, frozen=True, kw_only=True, tag="turn", tag_field="line", omit_defaults=True):
    """Turn of a record.

    Args:
        meant, made: intended and executed action. verdict, reasons: ruling in words, and its rule ids.
        points: gained. state: fingerprint of the state after.
        hand: grade of the execution noise, where `made` differs from `meant`. undo_count: see `Turn`; told likewise.
        chain: see `DigestChain`.
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
    undo_count: UndoCount = 0
    chain: str = ""


class ForfeitLine(Value, frozen=True, kw_only=True, tag="forfeit", tag_field="line", omit_defaults=True):
    """Forfeit of a seat that could not continue, with the reason. Ends the game."""

    seat: int
    reason: Text = msgspec.field(name="says")
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
RECORD_LINE_TAGS = tuple(str(kind.__struct_config__.tag) for kind in get_args(RecordLine))
"""Tags of these lines. No set: what a file has in their place may not be hashable."""


class DigestChain:
    """Hash chain of the lines of a record (truncated SHA-256)."""

    _KEY, _DIGITS = b',"chain":"', 32

    def __init__(self) -> None:
        self._sum = sha256()

    def copy(self) -> "DigestChain":
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


def open_header(header: Header, game: Game) -> tuple[Match, list[Seat]]:
    """Open the match of a header at its start; returns its seats too.

    Raises:
        InvalidFile, InvalidOption: it cannot be set up; says why.
    """
    seats = [parse_seat(word) for word in header.seats]
    options, position = parse_options(game, header.options), header_position(header, game)
    return open_match(game, options, seats, header.seed, position=position, bounds=header.bounds), seats


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
        undo_count=0 if turn.made == turn.meant else turn.undo_count,
    )


def turn_table(lines: Sequence[TurnLine], players: Sequence[str]) -> ResultsTable[ColumnInfo]:
    """Make the table, one row per turn.

    Args:
        lines: of a record. players: by seat, in words.
    """
    flick_columns = [(name, unit) for name, unit in _FLICK_COLUMNS if any(name in line.meant for line in lines)]
    columns = [
        ColumnInfo(name="turn", title="number of the turn, from 1", is_integer=True),
        ColumnInfo(name="seat", title="seat that acted, from 0", is_integer=True),
        ColumnInfo(name="player", kind="text", title="who sits there"),
        ColumnInfo(name="do", kind="text", title="kind of action"),
    ]
    if flick_columns:
        columns.append(ColumnInfo(name="piece", kind="text", title="id of the piece"))
    for name, unit in flick_columns:
        columns.append(ColumnInfo(name=name, title=f"{name} as meant", unit=unit))
        columns.append(ColumnInfo(name=f"made_{name}", title=f"{name} as the hand made it", unit=unit))
    columns += [
        ColumnInfo(name="action", kind="text", title="the whole action as made, as JSON"),
        ColumnInfo(name="verdict", kind="text", title="the ruling in words"),
        ColumnInfo(name="rules", kind="text", title="numbers of the rules it cites"),
        *(ColumnInfo(name=f"gained_{seat}", title=f"points gained by seat {seat}") for seat in range(len(players))),
    ]
    return ResultsTable(columns, [_table_row(line, players, [name for name, _ in flick_columns]) for line in lines])


def _table_row(line: TurnLine, players: Sequence[str], flick_fields: Sequence[str]) -> list[JsonValue]:
    values: list[JsonValue] = [line.meant.get("piece")] if flick_fields else []
    for name in flick_fields:
        values += [line.meant.get(name), line.made.get(name)]
    gained = [float(points) for points in line.points] or [0.0] * len(players)
    return [
        line.number, line.seat, players[line.seat], line.made.get("do", ""), *values, to_json(line.made).decode(),
        line.verdict, " ".join(line.reasons), *gained,
    ]  # fmt: skip


class Recorder:
    """Exclusive writer of a record, one complete line at a time.

    Args:
        path: file to write. header: of a new record; None appends to an existing one (see `append_to`).
        durable: whether each line is flushed to the disk, so that a power cut loses at most the turn being played.
        turns, chain: state of an existing record: its number of turns, and its digest chain, if it has one.
        lock: on the file, when already acquired. line_end: of the lines, which is in no digest.

    Raises:
        FileLocked: another process is writing it.
        InvalidFile: it cannot be written, or a new record would overwrite a file.
    """

    def __init__(
        self, path: Path, header: Header | None, *, durable: bool = True, turns: int = 0,
        chain: DigestChain | None = None, lock: FileLock | None = None, line_end: bytes = b"\n",
    ) -> None:  # fmt: skip
        self.path, self._durable, self._turns, self._line_end = path, durable, turns, line_end
        self._chain = chain if header is None else DigestChain()
        if path.is_dir():
            raise InvalidFile(f"cannot write {str(path)!r}: that is a folder; name a file")
        self._lock = FileLock(path) if lock is None else lock
        try:
            self._file: BufferedWriter = path.open("xb" if header is not None else "ab")
        except OSError as error:
            self._lock.release()
            if isinstance(error, FileExistsError):
                resume = f", or, if its game is not over, go on with it by `flicksim play --resume {path}`"
                more = resume if path.is_file() else ""
                raise InvalidFile(f"{str(path)!r} exists; choose another name{more}") from None
            raise InvalidFile(f"cannot write {str(path)!r}: {os_error_message(error)}") from None
        if header is not None:
            self._lock.lock_handle(os.dup(self._file.fileno()))
            self._write(header)

    def write_turn(self, turn: Turn) -> None:
        """Append a turn, and the end line if it ends the game."""
        self._turns = turn.number
        self._write(turn_line(turn), *(self._end_lines() if turn.verdict.ruling.is_over else []))

    def write_match(self, match: Match, turns: Iterable[Turn]) -> None:
        """Append the turns of a match as they are played, and the forfeit by which it may have ended."""
        for turn in turns:
            self.write_turn(turn)
        if match.forfeit is not None:
            self.write_forfeit(match.forfeit)

    def write_undo(self, turns: int) -> None:
        """Append an undo; `turns` are left."""
        self._turns = turns
        self._write(UndoLine(turns=turns))

    def write_forfeit(self, forfeit: Forfeit) -> None:
        """Append the forfeit of a seat and the end line."""
        self._write(ForfeitLine(seat=forfeit.seat, reason=forfeit.reason), *self._end_lines())

    def write_end(self) -> None:
        """Append the end line that a record lacks when it was cut just before it."""
        self._write(*self._end_lines())

    def _end_lines(self) -> list[RecordLine]:
        """End line; none in format 1, whose lines have no digests."""
        return [] if self._chain is None else [EndLine(turns=self._turns)]

    def close(self) -> None:
        """Close the file and release the lock. Write errors have already been raised."""
        with suppress(OSError):
            self._file.close()
        self._lock.release()

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, *lines: Header | RecordLine) -> None:
        encoded = map(to_json, lines)
        try:
            chained = ((self._chain.append(line) if self._chain else line) + self._line_end for line in encoded)
            self._file.write(b"".join(chained))
            self._file.flush()
            if self._durable:
                os.fsync(self._file.fileno())
        except OSError as error:
            raise InvalidFile(
                f"cannot write {str(self.path)!r}: {os_error_message(error)}; the turns before are saved"
            ) from None


def write_match(path: Path, match: Match, seats: tuple[str, ...]) -> None:
    """Write a match, in its current state, as a new record.

    Args:
        seats: players, as on the command line.

    Raises:
        InvalidFile: the file exists, or cannot be written.
    """
    with Recorder(path, match_header(match, seats)) as recorder:
        recorder.write_match(match, match.turns)
