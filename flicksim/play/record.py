"""Games as JSON lines: a header, then one line a turn. Written a line at a time, read back strictly, replayed exactly.

A record that was cut in the middle of a line goes on from its last whole turn; nothing before it is touched.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from io import BufferedWriter
from pathlib import Path
from typing import Any

import msgspec

from flicksim import __version__
from flicksim.base.codec import Value, fingerprint, from_json, from_plain, read_bytes, to_json, to_plain
from flicksim.base.errors import BadFile, BadInput, FlicksimError
from flicksim.play.match import Bounds, Forfeit, Match, Turn
from flicksim.referee import Game

FORMAT = 1
"""Raised when the lines themselves change."""


class Header(Value, frozen=True, kw_only=True, tag="game", tag_field="line", omit_defaults=True):
    """The first line: everything needed to begin the same game again.

    Args:
        flicksim: version that wrote it. format: of the lines. game, edition: which rules.
        options: all of them, by name. seed: its chance. seats: who sat down, as written on the command line.
        position: where it began, when that was not the game's beginning. bounds: the longest it might last.
    """

    flicksim: str
    format: int
    game: str
    edition: int
    options: dict[str, Any]
    seed: int
    seats: tuple[str, ...]
    position: dict[str, Any] | None = None
    bounds: Bounds = msgspec.field(default_factory=Bounds)


class TurnLine(Value, frozen=True, kw_only=True, tag="turn", tag_field="line"):
    """One turn: what was meant and made, the ruling in words and ids, points gained, fingerprint of the state after."""

    number: int
    seat: int
    meant: dict[str, Any]
    made: dict[str, Any]
    verdict: str
    reasons: tuple[str, ...]
    points: tuple[Fraction, ...]
    state: str


class ForfeitLine(Value, frozen=True, kw_only=True, tag="forfeit", tag_field="line"):
    """A seat could not go on and lost: why. Nothing more was played."""

    seat: int
    says: str


class UndoLine(Value, frozen=True, kw_only=True, tag="undo", tag_field="line"):
    """Turns were taken back: so many are left."""

    turns: int


def header_of(match: Match, seats: tuple[str, ...]) -> Header:
    """The header of a match."""
    return Header(
        flicksim=__version__,
        format=FORMAT,
        game=match.game.name,
        edition=match.game.edition,
        options=to_plain(match.options),
        seed=match.seeds.seed,
        seats=seats,
        position=None if match.begun is None else to_plain(match.begun.position),
        bounds=match.bounds,
    )


def position_in(header: Header, game: Game) -> Any:
    """The position a recorded game began at; None for the game's own beginning.

    Raises:
        BadFile: it cannot be read as one.
    """
    if header.position is None:
        return None
    if game.positions is None:
        raise BadFile(f"the record begins at a position, but {game.title} has no notation for positions")
    try:
        return from_plain(header.position, game.positions.Position, name="the record's position")
    except BadInput as wrong:
        raise BadFile(str(wrong)) from None


def line_of(turn: Turn) -> TurnLine:
    """The line of a turn."""
    return TurnLine(
        number=turn.number,
        seat=turn.seat,
        meant=to_plain(turn.meant),
        made=to_plain(turn.made),
        verdict=str(turn.verdict),
        reasons=turn.verdict.rules,
        points=turn.verdict.ruling.points,
        state=fingerprint(turn.after),
    )


class Recorder:
    """Appends to a record, a whole line at a time.

    Args:
        path: file to write. header: for a new record; None goes on with an existing one.
        durable: wait until each line is on the disk, so that even a power cut loses at most the turn being played.

    Raises:
        BadFile: it cannot be written, or a new record would overwrite something.
    """

    def __init__(self, path: Path, header: Header | None, *, durable: bool = True) -> None:
        self.path, self._durable = path, durable
        try:
            self._out: BufferedWriter = path.open("xb" if header is not None else "ab")
        except FileExistsError:
            raise BadFile(f"{str(path)!r} exists; go on with it by --resume, or choose another name") from None
        except OSError as wrong:
            raise BadFile(f"cannot write {str(path)!r}: {(wrong.strerror or str(wrong)).lower()}") from None
        if header is not None:
            self._write(header)

    def turn(self, turn: Turn) -> None:
        """Append a turn."""
        self._write(line_of(turn))

    def undo(self, turns: int) -> None:
        """Note that turns were taken back; `turns` are left."""
        self._write(UndoLine(turns=turns))

    def forfeit(self, forfeit: Forfeit) -> None:
        """Append that a seat has lost because its player could not go on."""
        self._write(ForfeitLine(seat=forfeit.seat, says=forfeit.says))

    def close(self) -> None:
        """Done with it. What could not be written has been told of already."""
        with suppress(OSError):
            self._out.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, line: Value) -> None:
        try:
            self._out.write(to_json(line) + b"\n")
            self._out.flush()
            if self._durable:
                os.fsync(self._out.fileno())
        except OSError as wrong:
            reason = (wrong.strerror or str(wrong)).lower()
            raise BadFile(f"cannot write {str(self.path)!r}: {reason}; the turns before are kept") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A record as read.

    Args:
        turns: what stands after all undoing. forfeit: how it ended, if a seat forfeited after them.
        whole: bytes of whole lines in the file. cut: whether a broken last line follows them.
    """

    path: Path
    header: Header
    turns: tuple[TurnLine, ...]
    forfeit: Forfeit | None
    whole: int
    cut: bool


def read_record(path: Path) -> Record:
    """Read a record strictly; only a last line that was cut is forgiven.

    Raises:
        BadFile: it is no record, is from a newer version, or a line inside it is broken; names the line.
    """
    data = read_bytes(path)
    lines = data.split(b"\n")
    tail = lines.pop()
    turns: list[TurnLine] = []
    forfeit: Forfeit | None = None
    header: Header | None = None
    for number, line in enumerate(lines, 1):
        name = f"line {number} of {str(path)!r}"
        try:
            if header is None:
                header = _read_header(line, path)
            else:
                entry = from_json(line, TurnLine | UndoLine | ForfeitLine, name=name)  # type: ignore[arg-type]
                forfeit = _take(turns, forfeit, entry, name)
        except BadInput as wrong:
            raise BadFile(str(wrong)) from None
    if header is None:
        raise BadFile(f"{str(path)!r} is no flicksim record: it has no whole first line, so nothing was played yet")
    cut = bool(tail)
    whole = len(data) - len(tail)
    return Record(path=path, header=header, turns=tuple(turns), forfeit=forfeit, whole=whole, cut=cut)


def _read_header(line: bytes, path: Path) -> Header:
    name = f"line 1 of {str(path)!r}"
    try:
        plain = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        plain = None
    if not isinstance(plain, dict) or plain.get("line") != "game":
        raise BadFile(f"{str(path)!r} is no flicksim record: its first line is {line[:40].decode(errors='replace')!r}")
    if isinstance(plain.get("format"), int) and plain["format"] > FORMAT:
        version = plain.get("flicksim", "?")
        raise BadFile(
            f"{str(path)!r} has format {plain['format']}, written by flicksim {version}; "
            f"this is {__version__}, which reads up to format {FORMAT}"
        )
    return from_json(line, Header, name=name)


def _take(
    turns: list[TurnLine], forfeit: Forfeit | None, line: TurnLine | UndoLine | ForfeitLine, name: str
) -> Forfeit | None:
    """One more line: turns as they stand then, and the forfeit, if that is how it ended."""
    if isinstance(line, UndoLine):
        if not 0 <= line.turns <= len(turns):
            raise BadFile(f"{name}: it goes back to turn {line.turns}, but there are {len(turns)}")
        del turns[line.turns :]
        return None
    if forfeit is not None:
        raise BadFile(f"{name}: the game goes on after seat {forfeit.seat} has forfeited it")
    if isinstance(line, ForfeitLine):
        return Forfeit(seat=line.seat, says=line.says)
    if line.number != len(turns) + 1:
        raise BadFile(f"{name}: turn {line.number} where turn {len(turns) + 1} should be")
    turns.append(line)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """Where a replay first differs from its record: turn, what differs, what was recorded, what came out."""

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
        if match.game.edition != record.header.edition:
            raise BadFile(
                f"{str(record.path)!r} was ruled by edition {record.header.edition} of {match.game.title}; "
                f"this flicksim has edition {match.game.edition}"
            )

    def run(self) -> Iterator[Turn]:
        """Play the recorded turns again, up to the first divergence; afterwards `divergence` tells of it."""
        for line in self.record.turns:
            try:
                meant, made = self._actions(line)
                seat = self.match.to_play
                # what a person's hand made of it was drawn at the window; the states after it still have to agree
                person = seat is not None and self.match.players[seat] is None
                ours = made if person else self.match.made(meant)
                if ours != made:
                    self.divergence = Divergence(
                        turn=line.number,
                        what="action made",
                        recorded=_short(_apart(line.made, to_plain(ours))),
                        replayed=_short(_apart(to_plain(ours), line.made)),
                    )
                    return
                turn = self.match.play(meant, made=made)
            except FlicksimError as wrong:
                self.divergence = Divergence(
                    turn=line.number, what="action", recorded=_short(line.meant), replayed=f"refused: {wrong}"
                )
                return
            self.divergence = _compare(line, turn)
            yield turn
            if self.divergence is not None:
                return
        lost = self.record.forfeit
        if lost is not None and lost.seat != self.match.to_play:
            self.divergence = Divergence(
                turn=len(self.record.turns) + 1, what="forfeit", recorded=f"of seat {lost.seat}",
                replayed=f"seat {self.match.to_play} to play",
            )  # fmt: skip
        elif lost is not None:
            self.match.give_up(lost)

    def _actions(self, line: TurnLine) -> tuple[Any, Any]:
        """What was meant and made, as values."""
        kind = self.match.game.action
        name = f"turn {line.number} of {str(self.record.path)!r}"
        return from_plain(line.meant, kind, name=name), from_plain(line.made, kind, name=name)


def _apart(plain: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """The fields in which it differs from the other: only these are worth telling."""
    return {name: value for name, value in plain.items() if name not in other or to_json(other[name]) != to_json(value)}


def _short(plain: dict[str, Any]) -> str:
    text = to_json(plain).decode()
    return text if len(text) <= 90 else text[:87] + "..."


def _compare(line: TurnLine, turn: Turn) -> Divergence | None:
    ours = line_of(turn)
    for what in ("seat", "reasons", "points", "verdict", "state"):
        recorded, replayed = getattr(line, what), getattr(ours, what)
        if recorded != replayed:
            called = "state fingerprint" if what == "state" else what
            return Divergence(turn=line.number, what=called, recorded=_said(recorded), replayed=_said(replayed))
    return None


def _said(thing: Any) -> str:
    return ", ".join(map(str, thing)) if isinstance(thing, tuple) else str(thing)


def go_on(record: Record, *, durable: bool = True) -> Recorder:
    """A recorder that appends to a record, after its last whole line.

    Raises:
        BadFile: it cannot be written.
    """
    if record.cut:
        try:
            os.truncate(record.path, record.whole)
        except OSError as wrong:
            raise BadFile(f"cannot write {str(record.path)!r}: {(wrong.strerror or str(wrong)).lower()}") from None
    return Recorder(record.path, None, durable=durable)
