"""Game records as JSON lines: strict reading, exact replay, resuming.

Every line carries a digest of all that stands before it and of itself, so that a record altered by hand is found out,
wherever it was; only who makes all digests anew is not. A record that was cut in the middle of a line goes on from its
last whole turn; nothing before it is touched. One that has no end line is not finished.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

import msgspec

from flicksim.ai import NOISE_LEVELS, ExecutionNoise
from flicksim.core.atomic_files import os_error_message
from flicksim.core.errors import FlicksimError, InvalidFile, InvalidInput, RecordTampered
from flicksim.core.file_lock import FileLock
from flicksim.core.file_signatures import identify_file
from flicksim.core.limits import MAX_LINE_BYTES, MAX_RECORD_BYTES, truncate_middle
from flicksim.core.results_table import ColumnInfo, ResultsTable
from flicksim.core.rich_display import Animatable, AnimationSequence
from flicksim.core.serialization import from_builtins, from_json, read_bytes, to_builtins, to_json
from flicksim.core.type_aliases import Action, JsonValue
from flicksim.core.validation import as_path
from flicksim.core.version import __version__
from flicksim.games import load, names
from flicksim.match.match import Forfeit, Match, Turn
from flicksim.match.match_factory import Seat, open_match, parse_seat
from flicksim.match.record_format import (
    FORMAT,
    RECORD_LINE_TAGS,
    DigestChain,
    EndLine,
    ForfeitLine,
    Header,
    RecordLine,
    TurnLine,
    UndoLine,
    header_position,
    turn_line,
)
from flicksim.match.recorder import Recorder
from flicksim.match.turn_table import turn_table
from flicksim.referee import parse_options


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Record(Animatable):
    """A record as read. Drawn is what moved in it, which is played again for that.

    Args:
        turns: what stands after all undoing. forfeit: how it ended, if a seat forfeited after them.
        is_complete: whether it has its end line. trailing_bytes: bytes of a broken last line.
        tampering: where its chain first breaks; None where it holds, or there is none. digest_chain: to go on with.
    """

    path: Path
    header: Header
    turns: tuple[TurnLine, ...]
    forfeit: Forfeit | None
    is_complete: bool
    trailing_bytes: int
    tampering: Divergence | None
    digest_chain: DigestChain | None = field(compare=False)

    def __repr__(self) -> str:
        header = self.header
        end = "finished" if self.is_complete else "not finished"
        who = ", ".join(header.seats)
        return f"<record of {header.game}, seed {header.seed}, {len(self.turns)} turns of {who}: {end}>"

    def display_value(self) -> object:
        """Motions of the whole game as a notebook shows them: the last one comes last."""
        replay, _ = open_replay(self)
        return AnimationSequence(list(replay.run()))

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def table(self) -> ResultsTable[ColumnInfo]:
        """The turns as a table, a row each: who, what was meant and made, the ruling, what it gained."""
        return turn_table(self.turns, self.header.seats)

    @property
    def is_truncated(self) -> bool:
        """True where a broken last line follows the whole ones."""
        return self.trailing_bytes > 0


class _RecordParser:
    """A record as far as it was read."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.turns: list[TurnLine] = []
        self.forfeit: Forfeit | None = None
        self.ended = False

    def add(self, line: RecordLine, name: str) -> None:
        """One more line.

        Raises:
            InvalidFile: it cannot follow those before.
        """
        if isinstance(line, UndoLine):
            if not 0 <= line.turns <= len(self.turns):
                raise InvalidFile(f"{name}: it goes back to turn {line.turns}, but there are {len(self.turns)}")
            del self.turns[line.turns :]
            self.forfeit, self.ended = None, False
        elif self.forfeit is not None and (self.ended or not isinstance(line, EndLine)):
            raise InvalidFile(f"{name}: the game goes on after seat {self.forfeit.seat} has forfeited it")
        elif self.ended and not isinstance(line, TurnLine):
            raise InvalidFile(f"{name}: the game goes on after its end")
        elif isinstance(line, EndLine):
            if line.turns != len(self.turns):
                raise InvalidFile(f"{name}: it ends after turn {line.turns}, but there are {len(self.turns)}")
            self.ended = True
        elif isinstance(line, ForfeitLine):
            self.forfeit = Forfeit(seat=line.seat, says=line.says)
        elif line.number != len(self.turns) + 1:
            raise InvalidFile(f"{name}: turn {line.number} where turn {len(self.turns) + 1} should be")
        else:
            self.turns.append(line)
            self.ended = False


def read_record(path: str | PathLike[str]) -> Record:
    """Read a record strictly; only a last line that was cut is forgiven.

    Lines that do not follow from those before are told of in `tampering`; see `require_untampered`.

    Raises:
        InvalidFile: it is no record, or is from a newer version.
        Altered: it is one, but a line inside it is broken, or stands where it cannot; names the line.
    """
    path = as_path(path, "the record")
    lines = read_bytes(path, MAX_RECORD_BYTES).split(b"\n")
    tail = lines.pop()
    found: _RecordParser | None = None
    chain, altered = DigestChain(), None
    for number, line in enumerate(lines, 1):
        name = f"line {number} of {str(path)!r}"
        if len(line) > MAX_LINE_BYTES:
            kind = InvalidFile if found is None else RecordTampered
            raise kind(f"{name} is longer than {MAX_LINE_BYTES:,} bytes; no line of a record is")
        try:
            if found is None:
                found = _RecordParser(_read_header(line, path))
                recorded = found.header.chain
            else:
                entry: RecordLine = from_json(line, RecordLine, name=name)  # type: ignore[arg-type]
                found.add(entry, name)
                recorded = entry.chain
        except InvalidInput as wrong:
            if number > 1 or isinstance(wrong, RecordTampered):
                raise RecordTampered(str(wrong)) from None
            raise InvalidFile(str(wrong)) from None
        if found.header.format < 2:
            if recorded or found.ended:
                raise RecordTampered(f"{name} is of format 2, its first line of format 1: one of them was altered")
        elif (ours := chain.verify(line)) and altered is None:
            what = f"digest of line {number}"
            altered = Divergence(
                turn=len(found.turns), what=what, recorded=truncate_middle(recorded, 40) or "none", replayed=ours
            )
    if found is None:
        raise InvalidFile(f"{str(path)!r} is no flicksim record: it has no whole first line, so nothing was played yet")
    return Record(
        path=path, header=found.header, turns=tuple(found.turns), forfeit=found.forfeit, is_complete=found.ended,
        trailing_bytes=len(tail), tampering=altered, digest_chain=chain if found.header.format >= 2 else None,
    )  # fmt: skip


def require_untampered(record: Record) -> Record:
    """Itself.

    Raises:
        Altered: it was altered after it was written.
    """
    if record.tampering is not None:
        raise RecordTampered(f"{str(record.path)!r} was altered after it was written: {record.tampering}")
    return record


def _read_header(line: bytes, path: Path) -> Header:
    name = f"line 1 of {str(path)!r}"
    try:
        plain = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        plain = None
    if isinstance(plain, dict) and plain.get("line") in RECORD_LINE_TAGS:
        raise RecordTampered(
            f"{str(path)!r} was altered after it was written: the line of its game, the first, is not there"
        )
    if not isinstance(plain, dict) or plain.get("line") != "game":
        what = identify_file(line) or f"its first line is {line[:40].decode(errors='replace')!r}"
        if line.startswith(b'{"line":"game"'):
            what = "its first line is cut"
        raise InvalidFile(f"{str(path)!r} is no flicksim record: {what}")
    written = plain.get("format")
    if isinstance(written, int) and not 1 <= written <= FORMAT:
        version = truncate_middle(str(plain.get("flicksim", "?")), 40)
        raise InvalidFile(
            f"{str(path)!r} has format {truncate_middle(str(written), 40)}, written by flicksim {version}; "
            f"this is {__version__}, which reads formats 1 to {FORMAT}"
        )
    try:
        return from_json(line, Header, name=name)
    except InvalidInput as wrong:
        if written == 1 or not DigestChain().verify(line):  # from elsewhere, then, and whole
            raise
        raise RecordTampered(str(wrong)) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """First difference of a replay from its record: turn, what differs, what was recorded, what came out."""

    turn: int
    what: str
    recorded: str
    replayed: str

    def __str__(self) -> str:
        return f"turn {self.turn}: {self.what} recorded as {self.recorded}, replayed as {self.replayed}"


class Replay:
    """A record being played again.

    Args:
        record: as read. match: freshly opened from its header.
    """

    def __init__(self, record: Record, match: Match) -> None:
        self.record, self.match = record, match
        self.divergence: Divergence | None = None
        if match.game.rules_version != record.header.edition:
            raise InvalidFile(
                f"{str(record.path)!r} was ruled by edition {record.header.edition} of {match.game.title}; "
                f"this flicksim has edition {match.game.rules_version}"
            )

    def run(self) -> Iterator[Turn]:
        """Play the recorded turns again, up to the first divergence; afterwards `divergence` tells of it."""
        altered = self.record.tampering
        for line in self.record.turns:
            if altered is not None and altered.turn < line.number:
                self.divergence = altered
                return
            yield from self._turn(line)
            if self.divergence is not None:
                return
        self.divergence = self._check_end() or altered

    def _turn(self, line: TurnLine) -> Iterator[Turn]:
        """Play one again; none where it cannot be."""
        try:
            meant, made = self._actions(line)
            ours, hand = self._execute(line, meant, made)
            if ours != made:
                self.divergence = Divergence(
                    turn=line.number,
                    what="action made",
                    recorded=_abbreviate(_differing_fields(line.made, to_builtins(ours))),
                    replayed=_abbreviate(_differing_fields(to_builtins(ours), line.made)),
                )
                return
            turn = self.match.play(meant, made=made, noise=hand)
        except FlicksimError as wrong:
            self.divergence = Divergence(
                turn=line.number, what="action", recorded=_abbreviate(line.meant), replayed=f"refused: {wrong}"
            )
            return
        self.divergence = _compare(line, turn)
        yield turn

    def _execute(self, line: TurnLine, meant: Action, made: Action) -> tuple[Action, ExecutionNoise | None]:
        """The action as a hand makes it, and that hand; a person's is lent at the window, and the line says which it
        was."""
        seat = self.match.to_play
        if seat is None or self.match.players[seat] is not None:
            return self.match.execute(meant), None
        if self.record.header.format < 2:  # such a line does not say; `play` sees that it could be some hand's
            return made, None
        hand = NOISE_LEVELS.get(line.hand) if isinstance(line.hand, str) else line.hand
        if hand is None:
            raise FlicksimError(
                f"there is no hand {truncate_middle(repr(line.hand), 40)}; there are {', '.join(NOISE_LEVELS)}"
            )
        return self.match.execute(meant, hand), hand

    def _check_end(self) -> Divergence | None:
        """The end of the record, where that cannot be; a forfeit is taken over."""
        after, lost, seat = len(self.record.turns), self.record.forfeit, self.match.to_play
        to_play = "the game is over" if seat is None else f"seat {seat} to play"
        if lost is not None and lost.seat != seat:
            return Divergence(turn=after + 1, what="forfeit", recorded=f"of seat {lost.seat}", replayed=to_play)
        if lost is not None:
            self.match.forfeit_by(lost)
        elif self.record.is_complete and seat is not None:
            return Divergence(turn=after, what="end", recorded="that of the game", replayed=to_play)
        return None

    @property
    def is_finished(self) -> bool:
        """True where the game is over and its record closed; older records are not."""
        return self.match.is_over and (self.record.is_complete or self.record.header.format < 2)

    def _actions(self, line: TurnLine) -> tuple[Action, Action]:
        """The action meant and the action made."""
        kind = self.match.game.action
        name = f"turn {line.number} of {str(self.record.path)!r}"
        return from_builtins(line.meant, kind, name=name), from_builtins(line.made, kind, name=name)


def _differing_fields(fields: dict[str, JsonValue], other: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """The fields in which it differs from the other: only these are worth telling."""
    return {
        name: value for name, value in fields.items() if name not in other or to_json(other[name]) != to_json(value)
    }


def _abbreviate(fields: dict[str, JsonValue]) -> str:
    text = to_json(fields).decode()
    return text if len(text) <= 90 else text[:87] + "..."


def _compare(line: TurnLine, turn: Turn) -> Divergence | None:
    ours = turn_line(turn)
    for what in ("seat", "reasons", "points", "verdict", "state"):
        recorded, replayed = getattr(line, what), getattr(ours, what)
        if recorded != replayed:
            called = "state fingerprint" if what == "state" else what
            return Divergence(turn=line.number, what=called, recorded=_as_text(recorded), replayed=_as_text(replayed))
    return None


def _as_text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def open_replay(record: Record) -> tuple[Replay, list[Seat]]:
    """A record ready to be played again, and who sits there.

    Raises:
        Altered: it was altered so that it cannot be.
        InvalidFile: it is a game that is not here, or cannot be set up as it says. InvalidOption: nor can its seats.
    """
    try:
        return _open_replay(record)
    except FlicksimError:
        require_untampered(record)
        raise


def _open_replay(record: Record) -> tuple[Replay, list[Seat]]:
    header = record.header
    if header.game not in names():
        raise InvalidFile(f"{str(record.path)!r} is a game of {header.game!r}; this flicksim has {', '.join(names())}")
    card = load(header.game)
    seats = [parse_seat(word) for word in header.seats]
    position = header_position(header, card)
    options = parse_options(card, header.options)
    match = open_match(card, options, seats, header.seed, position=position, bounds=header.bounds)
    return Replay(record, match), seats


def append_to(record: Record, *, durable: bool = True, lock: FileLock | None = None) -> Recorder:
    """A recorder that appends to a record, after its last whole line.

    Args:
        lock: on it, when taken before it was played again.

    Raises:
        InUse: another process is writing it.
        InvalidFile: it cannot be written, was altered, or was written on since it was read.
    """
    require_untampered(record)
    lock = FileLock(record.path) if lock is None else lock
    try:
        if read_record(record.path) != record:
            raise InvalidFile(f"{str(record.path)!r} was written on while it was played again; try once more")
        if record.trailing_bytes:
            os.truncate(record.path, record.path.stat().st_size - record.trailing_bytes)
    except OSError as wrong:
        lock.release()
        raise InvalidFile(f"cannot write {str(record.path)!r}: {os_error_message(wrong)}") from None
    except InvalidFile:
        lock.release()
        raise
    chain = None if record.digest_chain is None else record.digest_chain.copy()
    return Recorder(record.path, None, durable=durable, turns=len(record.turns), chain=chain, lock=lock)
