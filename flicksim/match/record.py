"""Game records as JSON lines: strict reading, exact replay, resuming.

Every line carries a digest of itself and all lines before it (a hash chain), so that any alteration is detected unless
all digests are recomputed; a byte order mark before the first line and the line ends (LF or CR LF, as editors and git
make of one another) are in none. A record cut in the middle of a line is resumed after its last complete turn; nothing
before it is changed. A record without an end line is unfinished.
"""

import logging
import os
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

import msgspec

from flicksim.ai import ExecutionNoise, noise_named
from flicksim.core.atomic_files import free_path, os_error_message
from flicksim.core.counting import count_of
from flicksim.core.errors import FlicksimError, InvalidFile, InvalidInput, InvalidOption, RecordTampered
from flicksim.core.file_lock import FileLock
from flicksim.core.file_signatures import RECORD, identify_file
from flicksim.core.limits import MAX_LINE_BYTES, MAX_RECORD_BYTES, truncate_middle
from flicksim.core.results_table import ColumnInfo, ResultsTable
from flicksim.core.rich_display import Animatable, AnimationSequence
from flicksim.core.serialization import from_builtins, from_json, read_bytes, refuse_pipe, to_json
from flicksim.core.shell import command_line
from flicksim.core.type_aliases import Action
from flicksim.core.validation import as_path
from flicksim.core.version import __version__
from flicksim.games import load, names
from flicksim.match import record_format
from flicksim.match.game_notation import format_action, format_difference
from flicksim.match.match import Forfeit, Match, Turn
from flicksim.match.match_factory import Seat, check_shell_seats, parse_seat
from flicksim.match.record_format import TurnLine, turn_line, turn_table
from flicksim.referee import assign_seats

_HEADER_START = b'{"line":"game"'
"""First bytes of a record."""
_REWORDED = (("All 1 rounds are played: ", "The one agreed round is played: "),)
"""Parts of rulings in records of earlier versions, and how they read now."""
_MAX_LENGTH = 90
"""Longest text of an action in a divergence."""
_KEPT_LETTERS = 60
"""Letters of a record's name that the one kept of it has: a file name has at most 255 bytes, a letter up to four."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Record(Animatable):
    """Parsed record. Displaying it replays the game and draws its trajectories.

    Args:
        turns: in effect after all undos. undo_count: of the next turn. forfeit: that ended the game, if any.
        is_complete: whether it has an end line. trailing_bytes: length of an incomplete last line.
        tampering: first break of the digest chain, or the line at which reading ended (`read_record`); else None.
        digest_chain: state of the chain after the last line, for appending. line_end: of the lines.
        verifiable_turns: in effect before the first break, and that line itself if it is a turn; None where `turns`
            are.
    """

    path: Path
    header: record_format.Header
    turns: tuple[TurnLine, ...]
    forfeit: Forfeit | None
    is_complete: bool
    trailing_bytes: int
    tampering: "Divergence | None"
    digest_chain: record_format.DigestChain | None = field(compare=False)
    verifiable_turns: tuple[TurnLine, ...] | None = None
    line_end: bytes = b"\n"
    undo_count: int = 0

    def __repr__(self) -> str:
        header = self.header
        end = "finished" if self.is_complete else "not finished"
        who = ", ".join(header.seats)
        return f"<record of {header.game}, seed {header.seed}, {count_of(len(self.turns), 'turn')} of {who}: {end}>"

    def display_value(self) -> object:
        """Animations of all trajectories of the game, in order."""
        replay, _ = open_replay(self)
        return AnimationSequence(list(replay.run()))

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def table(self) -> ResultsTable[ColumnInfo]:
        """Table of the turns: player, intended and executed action, ruling, points gained."""
        return turn_table(self.turns, self.header.seats)

    @property
    def is_truncated(self) -> bool:
        """True where the last line is incomplete."""
        return self.trailing_bytes > 0

    @property
    def truncation_text(self) -> str:
        """Sentence on an incomplete last line; empty without one."""
        text = f"The last line of {self.path} has no line break, so it counts as cut; whole turns: {len(self.turns)}."
        return text if self.is_truncated and not (self.tampering is not None and self.tampering.is_damage) else ""


class _RecordParser:
    """Parser state of a record after the lines read so far: turns in effect, forfeit, end, digest chain.

    Args:
        header: decoded from `line`, the first of the file at `path`.
    """

    def __init__(self, header: record_format.Header, line: bytes, path: Path) -> None:
        self.header = header
        self.path = path
        self.turns: list[TurnLine] = []
        self.undo_count = 0
        self.forfeit: Forfeit | None = None
        self.ended = False
        self.chain = record_format.DigestChain()
        self.tampering: Divergence | None = None
        self.verifiable_turns: tuple[TurnLine, ...] | None = None
        self._check_digest(1, line, header, self.turns)

    def read(self, number: int, line: bytes) -> bool:
        """Read a line after the first; return False, with that in `tampering`, if it is malformed or out of order."""
        turns = self.turns  # before the line takes any back
        name = f"line {number} of {str(self.path)!r}"
        try:
            _check_length(line, name)
            entry: record_format.RecordLine = from_json(line, record_format.RecordLine, name=name)  # type: ignore[arg-type]
            self._add(entry, name)
        except InvalidInput as error:
            self.tampering = self.tampering or Divergence(turn=len(turns) + 1, what=str(error), is_damage=True)
            return False
        self._check_digest(number, line, entry, turns)
        return True

    def _add(self, line: record_format.RecordLine, name: str) -> None:
        """Apply the next line.

        Raises:
            InvalidFile: it cannot follow the lines before.
        """
        if isinstance(line, record_format.UndoLine):
            if not 0 <= line.turns <= len(self.turns):
                raise InvalidFile(f"{name}: it goes back to turn {line.turns}, but there are {len(self.turns)}")
            self.undo_count += len(self.turns) - line.turns
            self.turns = self.turns[: line.turns]  # another list: `read` may need the turns before
            self.forfeit, self.ended = None, False
        elif self.forfeit is not None and (self.ended or not isinstance(line, record_format.EndLine)):
            raise InvalidFile(f"{name}: the game goes on after seat {self.forfeit.seat} has forfeited it")
        elif self.ended and not isinstance(line, TurnLine):
            raise InvalidFile(f"{name}: the game goes on after its end")
        elif isinstance(line, record_format.EndLine):
            if line.turns != len(self.turns):
                raise InvalidFile(f"{name}: it ends after turn {line.turns}, but there are {len(self.turns)}")
            self.ended = True
        elif isinstance(line, record_format.ForfeitLine):
            self.forfeit = Forfeit(seat=line.seat, reason=line.reason)
        elif line.number != len(self.turns) + 1:
            raise InvalidFile(f"{name}: turn {line.number} where turn {len(self.turns) + 1} should be")
        else:
            self.turns.append(line)
            self.undo_count = max(self.undo_count, line.undo_count)  # more than in lines, where turns came alone
            self.ended = False

    def _check_digest(
        self, number: int, line: bytes, entry: record_format.Header | record_format.RecordLine, turns: list[TurnLine]
    ) -> None:
        """Note the first line that breaks the digest chain; `turns`: as they were before it, or with the turn it is."""
        if self.header.format < 2:
            if entry.chain or self.ended:
                altered = "but says format 1: it" if number == 1 else "but the first line says format 1: one of them"
                raise RecordTampered(f"line {number} of {str(self.path)!r} is of format 2, {altered} was altered")
        elif (ours := self.chain.verify(line)) and self.tampering is None:
            between_turns = "" if number == 1 or isinstance(entry, TurnLine) else str(entry.__struct_config__.tag)
            self.verifiable_turns = tuple(turns)
            self.tampering = Divergence(
                turn=len(turns) + bool(between_turns),
                between_turns=between_turns,
                what=f"digest of line {number}",
                recorded=truncate_middle(entry.chain, 40) or "none",
                replayed=ours,
            )


def _check_length(line: bytes, name: str) -> None:
    if len(line) > MAX_LINE_BYTES:
        raise InvalidFile(f"{name} is longer than {MAX_LINE_BYTES:,} bytes; no line of a record is")


def read_record(path: str | PathLike[str], *, up_to_damage: bool = False) -> Record:
    """Read a record strictly; only the last line may be incomplete.

    A digest that does not match is reported in `tampering`; see `require_untampered`.

    Args:
        up_to_damage: where a line is malformed or out of order, return the lines before it, with that in `tampering`.

    Raises:
        InvalidFile: it is no record, or is from a newer version.
        RecordTampered: a line is malformed or out of order; names the line.
    """
    path = as_path(path, "the record")
    if os.path.isdir(path):  # noqa: PTH112 - raises nothing
        first = min(path.glob("*.jsonl"), default=None)
        example = "" if first is None else f", as {str(first)!r}"
        raise InvalidFile(f"{str(path)!r} is a folder; name a record in it{example}")
    lines = read_bytes(path, MAX_RECORD_BYTES).split(b"\n")
    tail = lines.pop()
    line_end = b"\r\n" if lines and lines[-1].endswith(b"\r") else b"\n"
    numbered = enumerate((line.removesuffix(b"\r") for line in lines), 1)
    _, header_line = next(numbered, (1, b""))
    _check_length(header_line, f"line 1 of {str(path)!r}")
    parser = _RecordParser(_read_header(header_line + b"\n" if lines else tail, path), header_line, path)
    is_sound = all(parser.read(number, line) for number, line in numbered)
    if parser.tampering is not None and not (is_sound or up_to_damage):
        raise _tampered(path, parser.tampering)
    return Record(
        path=path, header=parser.header, turns=tuple(parser.turns), forfeit=parser.forfeit, is_complete=parser.ended,
        trailing_bytes=len(tail), tampering=parser.tampering, verifiable_turns=parser.verifiable_turns,
        digest_chain=parser.chain if parser.header.format >= 2 else None, line_end=line_end,
        undo_count=parser.undo_count,
    )  # fmt: skip


def require_untampered(record: Record) -> Record:
    """Return the record if its digest chain is intact.

    Raises:
        RecordTampered: it was altered after it was written.
    """
    if record.tampering is not None:
        raise _tampered(record.path, record.tampering)
    return record


def _tampered(path: Path, divergence: "Divergence") -> RecordTampered:
    """Error of a record that was altered, or has a line that cannot be read."""
    altered = f"{str(path)!r} was altered after it was written: {divergence}"
    return RecordTampered(f"{divergence.what if divergence.is_damage else altered}; {divergence.keep_hint(path)}")


def is_unbegun(path: Path) -> bool:
    """Return True for a file that is empty or a record cut in its first line: no turn of a game was recorded.

    Raises:
        InvalidFile: it cannot be read.
    """
    try:
        if not path.is_file():  # a named pipe may wait for ever
            return False
        with path.open("rb") as file:
            return _is_cut_header(file.readline(MAX_LINE_BYTES))
    except OSError as error:
        raise InvalidFile(f"cannot read {str(path)!r}: {os_error_message(error)}") from None


def _is_cut_header(line: bytes) -> bool:
    """Return True for the beginning of the first line of a record, without its line break."""
    is_whole = line.endswith(b"\n") or len(line) >= MAX_LINE_BYTES
    return not is_whole and _HEADER_START.startswith(line[: len(_HEADER_START)])


def _read_header(line: bytes, path: Path) -> record_format.Header:
    """Decode the first line of a record, with its line break, which it lacks where the file was cut in it."""
    name = f"line 1 of {str(path)!r}"
    try:
        fields = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        fields = None
    tag = fields.get("line") if isinstance(fields, dict) else None
    if _is_cut_header(line) or (tag == "game" and not line.endswith(b"\n")):
        raise InvalidFile(
            f"{str(path)!r} is no flicksim record: it ends within its first line, so it holds no turn; delete it"
        )
    line = line.removesuffix(b"\n")
    if tag in record_format.RECORD_LINE_TAGS:
        raise RecordTampered(
            f"{str(path)!r} was altered after it was written: the line of its game, the first, is not there"
        )
    if tag != "game":
        content = identify_file(line) or f"its first line is {line[:40].decode(errors='replace')!r}"
        if line.startswith(_HEADER_START):
            content = "its first line is cut"
        elif not line.strip():
            content = "its first line is blank"
        raise InvalidFile(f"{str(path)!r} is no flicksim record: {content}")
    format_number = fields.get("format")
    if isinstance(format_number, int) and not 1 <= format_number <= record_format.FORMAT:
        version = truncate_middle(str(fields.get("flicksim", "?")), 40)
        raise InvalidFile(
            f"{str(path)!r} has format {truncate_middle(str(format_number), 40)}, written by flicksim {version}; "
            f"this is {__version__}, which reads formats 1 to {record_format.FORMAT}"
        )
    try:
        return from_json(line, record_format.Header, name=name)
    except InvalidInput as error:
        if format_number == 1 or not record_format.DigestChain().verify(line):  # written so by another program
            raise InvalidFile(str(error)) from None
        raise RecordTampered(str(error)) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """First difference of a replay from its record: field, recorded and replayed value; or a line that is damaged.

    Args:
        turn: first that is not known to be as it was played; 0 of the header.
        what: field that differs; of a damaged line, what is wrong with it, and the values are empty.
        between_turns: kind of the line before that turn, where the difference is there and not in the turn: "undo",
            "end" or "forfeit".
        is_damage: whether it is a line that cannot be read, or is out of order.
    """

    turn: int
    what: str
    recorded: str = ""
    replayed: str = ""
    between_turns: str = ""
    is_damage: bool = False

    def __str__(self) -> str:
        place = "the header" if self.is_of_header else f"turn {self.turn}"
        if self.between_turns:
            place = f"the line {self.between_turns!r} after turn {self.turn - 1}"
        values = "" if self.is_damage else f" recorded as {self.recorded}, replayed as {self.replayed}"
        return f"{place}: {self.what}{values}"

    @property
    def predicate(self) -> str:
        """Predicate of a sentence on the record."""
        return f"{'is damaged' if self.is_damage else 'diverges'} at {self}"

    def keep_hint(self, path: Path) -> str:
        """Clause with the command that writes the turns before it, or why none does; `path`: of the record."""
        if self.is_of_header:
            return "its digest does not tell in which field, so no turn can be kept"
        if not self.sound_turns:
            return "no turn is before it"
        kept = free_path(path.with_name(f"{path.stem[:_KEPT_LETTERS]}-kept.jsonl"))
        words = ("flicksim", "replay", str(path), "--keep", str(kept))
        return f"`{command_line(*words)}` writes the turns before it as a record, {self.sound_turns} in all"

    @property
    def sound_turns(self) -> int:
        """Number of turns before it."""
        return max(0, self.turn - 1)

    @property
    def is_of_header(self) -> bool:
        """True where the header was altered."""
        return self.turn == 0


class Replay:
    """Replay of a record, verified turn by turn.

    Args:
        record: to be replayed. match: newly opened from its header.
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
        """Replay the turns up to the first divergence, which is then in `divergence`."""
        record = self.record
        turns = record.turns if record.verifiable_turns is None else record.verifiable_turns
        for line in turns:
            yield from self._replay_turn(line)
            if self.divergence is not None:
                return
        self.match.undo_count = record.undo_count
        self.divergence = (self._check_end() if turns == record.turns else None) or record.tampering

    def _replay_turn(self, line: TurnLine) -> Iterator[Turn]:
        """Replay a turn and set `divergence` where it differs; yields nothing where it cannot be played."""
        played = to_json(line.meant).decode()
        try:
            kind, name = self.match.game.action, f"turn {line.number} of {str(self.record.path)!r}"
            meant, made = (from_builtins(fields, kind, name=name) for fields in (line.meant, line.made))
            played = format_action(meant)
            self.match.undo_count = line.undo_count
            replayed, noise = self._execute(line, meant, made)
            if replayed != made:
                self.divergence = Divergence(
                    turn=line.number,
                    what="action made",
                    recorded=truncate_middle(format_difference(made, replayed), _MAX_LENGTH),
                    replayed=truncate_middle(format_difference(replayed, made), _MAX_LENGTH),
                )
                return
            turn = self.match.play(meant, made=made, noise=noise)
        except FlicksimError as error:
            self.divergence = Divergence(
                turn=line.number,
                what="action",
                recorded=truncate_middle(played, _MAX_LENGTH),
                replayed=f"refused: {error}",
            )
            return
        self.divergence = _compare(line, turn)
        yield turn

    def _execute(self, line: TurnLine, meant: Action, made: Action) -> tuple[Action, ExecutionNoise | None]:
        """Execute the intended action again; the noise of a person, who may change grade, is that of the line."""
        seat = self.match.to_play
        if seat is None or self.match.players[seat] is not None:
            return self.match.execute(meant), None
        if self.record.header.format < 2:  # such a line lacks the noise; `play` checks that the action is possible
            return made, None
        noise = noise_named(line.hand)
        return self.match.execute(meant, noise), noise

    def _check_end(self) -> Divergence | None:
        """Compare the end of the record with the match; apply a recorded forfeit."""
        after, forfeit, seat = len(self.record.turns), self.record.forfeit, self.match.to_play
        to_play = "the game is over" if seat is None else f"seat {seat} to play"
        if forfeit is not None and forfeit.seat != seat:
            return Divergence(turn=after + 1, what="forfeit", recorded=f"of seat {forfeit.seat}", replayed=to_play)
        if forfeit is not None:
            self.match.forfeit_by(forfeit)
        elif self.record.is_complete and seat is not None:
            return Divergence(turn=after + 1, what="end", recorded="that of the game", replayed=to_play)
        return None

    @property
    def is_finished(self) -> bool:
        """True where the game is over and the record has its end line, which format 1 lacks."""
        return self.match.is_over and (self.record.is_complete or self.record.header.format < 2)


def _compare(line: TurnLine, turn: Turn) -> Divergence | None:
    replayed_line = turn_line(turn)
    for former, now in _REWORDED:
        line = msgspec.structs.replace(line, verdict=line.verdict.replace(former, now))
    for name in ("seat", "reasons", "points", "verdict", "state"):
        recorded, replayed = getattr(line, name), getattr(replayed_line, name)
        if recorded != replayed:
            label = "state fingerprint" if name == "state" else name
            return Divergence(turn=line.number, what=label, recorded=_as_text(recorded), replayed=_as_text(replayed))
    return None


def _as_text(value: object) -> str:
    return (", ".join(map(str, value)) if isinstance(value, tuple) else str(value)) or "none"


def is_record(path: Path) -> bool:
    """Return True for a file that has the name of a record, or begins like one.

    Raises:
        InvalidFile: it is a pipe, whose beginning would be lost.
    """
    if path.suffix == ".jsonl":
        return True
    refuse_pipe(path)
    try:
        with path.open("rb") as file:
            return identify_file(file.read(4096).removeprefix(BOM_UTF8)) == RECORD
    except OSError:
        return False


def open_replay(record: Record) -> tuple[Replay, list[Seat]]:
    """Open a record for replay; returns the replay and the seats.

    Raises:
        RecordTampered: it cannot be replayed because it was altered.
        InvalidFile: the game is unknown, or cannot be set up as recorded. InvalidOption: a seat is invalid.
    """
    header = record.header
    try:
        if header.game not in names():
            known = ", ".join(names())
            raise InvalidFile(f"{str(record.path)!r} is a game of {header.game!r}; this flicksim has {known}")
        match, seats = record_format.open_header(header, load(header.game))
        return Replay(record, match), seats
    except FlicksimError as error:
        if record.tampering is None or not record.tampering.is_of_header:
            raise
        path = repr(str(record.path))
        problem = str(error).replace(path, "it", 1)
        raise RecordTampered(f"{path} was altered after it was written, in its header: {problem}") from None


def check_resumed_seats(replay: Replay, given: Sequence[Seat]) -> None:
    """Check the seats given for a record to go on with: its own, or none where it starts no program.

    A file from somebody else must not start programs without consent.

    Raises:
        InvalidOption: they are others; a program would start without consent; or one cannot be played from the shell.
    """
    seats = [parse_seat(word) for word in replay.record.header.seats]
    starts_program = any(seat.kind == "cmd" for seat in seats)
    with suppress(InvalidOption):  # who holds two seats may be named once
        given = assign_seats(replay.match.game, replay.match.options, given)
    if (given or starts_program) and list(given) != seats:
        why = "has other seats; leave --seat out, or give"
        if starts_program:
            why = "starts a program; if you want that, give its seats too"
        words = (word for seat in seats for word in ("--seat", str(seat)))
        raise InvalidOption(f"{str(replay.record.path)!r} {why}: {command_line(*words)}")
    if starts_program:
        check_shell_seats(seats)


def replay_whole(path: Path, consequence: str) -> tuple[Replay, list[Seat]]:
    """Replay a record to its end; returns the replay and the seats.

    Args:
        consequence: what is not done with a record that diverges, as the error says it.

    Raises:
        InvalidFile: see `open_replay`; or it was altered, or diverges.
    """
    replay, seats = open_replay(read_record(path, up_to_damage=True))
    list(replay.run())
    if (found := replay.divergence) is not None:
        raise InvalidFile(f"{str(path)!r} {found.predicate}, so {consequence}; {found.keep_hint(path)}")
    if text := replay.record.truncation_text:
        logging.getLogger("flicksim").warning(text)
    return replay, seats


def resume_record(replay: Replay, purpose: str, *, may_be_finished: bool) -> record_format.Recorder:
    """Replay a record, which is locked meanwhile, and open a recorder that goes on with it.

    Args:
        purpose: what the record is opened for, as the error says it: "resumed" or "hosted". may_be_finished: whether a
            finished one is taken.

    Raises:
        FileLocked: another process is writing it.
        InvalidFile: it diverges or is finished, cannot be written, was altered, or has changed since it was read.
    """
    record, name = replay.record, repr(str(replay.record.path))
    with ExitStack() as stack:
        lock = stack.enter_context(FileLock(record.path))
        list(replay.run())
        if (found := replay.divergence) is not None:
            raise InvalidFile(f"{name} cannot be {purpose}: {found}; {found.keep_hint(record.path)}")
        if replay.is_finished and not may_be_finished:
            raise InvalidFile(f"{name} is finished; `flicksim replay` shows it")
        recorder = append_to(record, lock=lock)
        stack.pop_all()
    if replay.match.is_over and not record.is_complete:
        recorder.write_end()
    return recorder


def append_to(record: Record, *, durable: bool = True, lock: FileLock | None = None) -> record_format.Recorder:
    """Open a recorder that appends after the last complete line of a record.

    Args:
        lock: on the file, when acquired before the replay.

    Raises:
        FileLocked: another process is writing it.
        InvalidFile: it cannot be written, was altered, or has changed since it was read.
    """
    require_untampered(record)
    lock = FileLock(record.path) if lock is None else lock
    try:
        if read_record(record.path) != record:
            raise InvalidFile(f"{str(record.path)!r} was written on while it was played again; try once more")
        if record.trailing_bytes:
            os.truncate(record.path, record.path.stat().st_size - record.trailing_bytes)
    except OSError as error:
        lock.release()
        raise InvalidFile(f"cannot write {str(record.path)!r}: {os_error_message(error)}") from None
    except InvalidFile:
        lock.release()
        raise
    chain = None if record.digest_chain is None else record.digest_chain.copy()
    return record_format.Recorder(
        record.path, None, durable=durable, turns=len(record.turns), chain=chain, lock=lock, line_end=record.line_end
    )  # fmt: skip
