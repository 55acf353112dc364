"""Games as JSON lines: a header, then one line a turn, at last an end. Written a line at a time, read back strictly,
replayed exactly.

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

from flicksim.base.asked import path_of
from flicksim.base.bounds import LINE, RECORD, bounded
from flicksim.base.codec import from_json, from_plain, read_bytes, to_json, to_plain
from flicksim.base.errors import Altered, BadFile, BadInput, FlicksimError
from flicksim.base.files import reason
from flicksim.base.kinds import Action, Plain
from flicksim.base.lock import Lock
from flicksim.base.recognised import recognised
from flicksim.base.showing import Moved, Moves
from flicksim.base.tabular import Heading, Table
from flicksim.base.version import __version__
from flicksim.games import load, names
from flicksim.play.lines import (
    FORMAT,
    LATER,
    Chain,
    EndLine,
    ForfeitLine,
    Header,
    Later,
    TurnLine,
    UndoLine,
    line_of,
    position_in,
)
from flicksim.play.match import Forfeit, Match, Turn
from flicksim.play.open_match import Seat, open_match, parse_seat
from flicksim.play.recorder import Recorder
from flicksim.play.turns import table_of
from flicksim.players import HANDS, Hand
from flicksim.referee import parse_options


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Record(Moves):
    """A record as read. Drawn is what moved in it, which is played again for that.

    Args:
        turns: what stands after all undoing. forfeit: how it ended, if a seat forfeited after them.
        ended: whether it has its end line. tail: bytes of a broken last line.
        altered: where its chain first breaks; None where it holds, or there is none. chain: to go on with.
    """

    path: Path
    header: Header
    turns: tuple[TurnLine, ...]
    forfeit: Forfeit | None
    ended: bool
    tail: int
    altered: Divergence | None
    chain: Chain | None = field(compare=False)

    def __repr__(self) -> str:
        header = self.header
        end = "finished" if self.ended else "not finished"
        who = ", ".join(header.seats)
        return f"<record of {header.game}, seed {header.seed}, {len(self.turns)} turns of {who}: {end}>"

    def shown_as(self) -> object:
        """Motions of the whole game as a notebook shows them: the last one comes last."""
        replay, _ = reopened(self)
        return Moved(list(replay.run()))

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def table(self) -> Table[Heading]:
        """The turns as a table, a row each: who, what was meant and made, the ruling, what it gained."""
        return table_of(self.turns, self.header.seats)

    @property
    def cut(self) -> bool:
        """True where a broken last line follows the whole ones."""
        return self.tail > 0


class _Reading:
    """A record as far as it was read."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.turns: list[TurnLine] = []
        self.forfeit: Forfeit | None = None
        self.ended = False

    def take(self, line: Later, name: str) -> None:
        """One more line.

        Raises:
            BadFile: it cannot follow those before.
        """
        if isinstance(line, UndoLine):
            if not 0 <= line.turns <= len(self.turns):
                raise BadFile(f"{name}: it goes back to turn {line.turns}, but there are {len(self.turns)}")
            del self.turns[line.turns :]
            self.forfeit, self.ended = None, False
        elif self.forfeit is not None and (self.ended or not isinstance(line, EndLine)):
            raise BadFile(f"{name}: the game goes on after seat {self.forfeit.seat} has forfeited it")
        elif self.ended and not isinstance(line, TurnLine):
            raise BadFile(f"{name}: the game goes on after its end")
        elif isinstance(line, EndLine):
            if line.turns != len(self.turns):
                raise BadFile(f"{name}: it ends after turn {line.turns}, but there are {len(self.turns)}")
            self.ended = True
        elif isinstance(line, ForfeitLine):
            self.forfeit = Forfeit(seat=line.seat, says=line.says)
        elif line.number != len(self.turns) + 1:
            raise BadFile(f"{name}: turn {line.number} where turn {len(self.turns) + 1} should be")
        else:
            self.turns.append(line)
            self.ended = False


def read_record(path: str | PathLike[str]) -> Record:
    """Read a record strictly; only a last line that was cut is forgiven.

    Lines that do not follow from those before are told of in `altered`; see `must_be_whole`.

    Raises:
        BadFile: it is no record, or is from a newer version.
        Altered: it is one, but a line inside it is broken, or stands where it cannot; names the line.
    """
    path = path_of(path, "the record")
    lines = read_bytes(path, RECORD).split(b"\n")
    tail = lines.pop()
    found: _Reading | None = None
    chain, altered = Chain(), None
    for number, line in enumerate(lines, 1):
        name = f"line {number} of {str(path)!r}"
        if len(line) > LINE:
            kind = BadFile if found is None else Altered
            raise kind(f"{name} is longer than {LINE:,} bytes; no line of a record is")
        try:
            if found is None:
                found = _Reading(_read_header(line, path))
                recorded = found.header.chain
            else:
                entry: Later = from_json(line, Later, name=name)  # type: ignore[arg-type]
                found.take(entry, name)
                recorded = entry.chain
        except BadInput as wrong:
            if number > 1 or isinstance(wrong, Altered):
                raise Altered(str(wrong)) from None
            raise BadFile(str(wrong)) from None
        if found.header.format < 2:
            if recorded or found.ended:
                raise Altered(f"{name} is of format 2, its first line of format 1: one of them was altered")
        elif (ours := chain.follows(line)) and altered is None:
            what = f"digest of line {number}"
            altered = Divergence(
                turn=len(found.turns), what=what, recorded=bounded(recorded, 40) or "none", replayed=ours
            )
    if found is None:
        raise BadFile(f"{str(path)!r} is no flicksim record: it has no whole first line, so nothing was played yet")
    return Record(
        path=path, header=found.header, turns=tuple(found.turns), forfeit=found.forfeit, ended=found.ended,
        tail=len(tail), altered=altered, chain=chain if found.header.format >= 2 else None,
    )  # fmt: skip


def must_be_whole(record: Record) -> Record:
    """Itself.

    Raises:
        Altered: it was altered after it was written.
    """
    if record.altered is not None:
        raise Altered(f"{str(record.path)!r} was altered after it was written: {record.altered}")
    return record


def _read_header(line: bytes, path: Path) -> Header:
    name = f"line 1 of {str(path)!r}"
    try:
        plain = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        plain = None
    if isinstance(plain, dict) and plain.get("line") in LATER:
        raise Altered(f"{str(path)!r} was altered after it was written: the line of its game, the first, is not there")
    if not isinstance(plain, dict) or plain.get("line") != "game":
        what = recognised(line) or f"its first line is {line[:40].decode(errors='replace')!r}"
        if line.startswith(b'{"line":"game"'):
            what = "its first line is cut"
        raise BadFile(f"{str(path)!r} is no flicksim record: {what}")
    written = plain.get("format")
    if isinstance(written, int) and not 1 <= written <= FORMAT:
        version = bounded(str(plain.get("flicksim", "?")), 40)
        raise BadFile(
            f"{str(path)!r} has format {bounded(str(written), 40)}, written by flicksim {version}; "
            f"this is {__version__}, which reads formats 1 to {FORMAT}"
        )
    try:
        return from_json(line, Header, name=name)
    except BadInput as wrong:
        if written == 1 or not Chain().follows(line):  # from elsewhere, then, and whole
            raise
        raise Altered(str(wrong)) from None


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
        if match.game.edition != record.header.edition:
            raise BadFile(
                f"{str(record.path)!r} was ruled by edition {record.header.edition} of {match.game.title}; "
                f"this flicksim has edition {match.game.edition}"
            )

    def run(self) -> Iterator[Turn]:
        """Play the recorded turns again, up to the first divergence; afterwards `divergence` tells of it."""
        altered = self.record.altered
        for line in self.record.turns:
            if altered is not None and altered.turn < line.number:
                self.divergence = altered
                return
            yield from self._turn(line)
            if self.divergence is not None:
                return
        self.divergence = self._ended() or altered

    def _turn(self, line: TurnLine) -> Iterator[Turn]:
        """Play one again; none where it cannot be."""
        try:
            meant, made = self._actions(line)
            ours, hand = self._made(line, meant, made)
            if ours != made:
                self.divergence = Divergence(
                    turn=line.number,
                    what="action made",
                    recorded=_short(_apart(line.made, to_plain(ours))),
                    replayed=_short(_apart(to_plain(ours), line.made)),
                )
                return
            turn = self.match.play(meant, made=made, hand=hand)
        except FlicksimError as wrong:
            self.divergence = Divergence(
                turn=line.number, what="action", recorded=_short(line.meant), replayed=f"refused: {wrong}"
            )
            return
        self.divergence = _compare(line, turn)
        yield turn

    def _made(self, line: TurnLine, meant: Action, made: Action) -> tuple[Action, Hand | None]:
        """The action as a hand makes it, and that hand; a person's is lent at the window, and the line says which it
        was."""
        seat = self.match.to_play
        if seat is None or self.match.players[seat] is not None:
            return self.match.made(meant), None
        if self.record.header.format < 2:  # such a line does not say; `play` sees that it could be some hand's
            return made, None
        hand = HANDS.get(line.hand) if isinstance(line.hand, str) else line.hand
        if hand is None:
            raise FlicksimError(f"there is no hand {bounded(repr(line.hand), 40)}; there are {', '.join(HANDS)}")
        return self.match.made(meant, hand), hand

    def _ended(self) -> Divergence | None:
        """The end of the record, where that cannot be; a forfeit is taken over."""
        after, lost, seat = len(self.record.turns), self.record.forfeit, self.match.to_play
        to_play = "the game is over" if seat is None else f"seat {seat} to play"
        if lost is not None and lost.seat != seat:
            return Divergence(turn=after + 1, what="forfeit", recorded=f"of seat {lost.seat}", replayed=to_play)
        if lost is not None:
            self.match.give_up(lost)
        elif self.record.ended and seat is not None:
            return Divergence(turn=after, what="end", recorded="that of the game", replayed=to_play)
        return None

    @property
    def finished(self) -> bool:
        """True where the game is over and its record closed; older records are not."""
        return self.match.over and (self.record.ended or self.record.header.format < 2)

    def _actions(self, line: TurnLine) -> tuple[Action, Action]:
        """The action meant and the action made."""
        kind = self.match.game.action
        name = f"turn {line.number} of {str(self.record.path)!r}"
        return from_plain(line.meant, kind, name=name), from_plain(line.made, kind, name=name)


def _apart(plain: dict[str, Plain], other: dict[str, Plain]) -> dict[str, Plain]:
    """The fields in which it differs from the other: only these are worth telling."""
    return {name: value for name, value in plain.items() if name not in other or to_json(other[name]) != to_json(value)}


def _short(plain: dict[str, Plain]) -> str:
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


def _said(thing: object) -> str:
    return ", ".join(map(str, thing)) if isinstance(thing, tuple) else str(thing)


def reopened(record: Record) -> tuple[Replay, list[Seat]]:
    """A record ready to be played again, and who sits there.

    Raises:
        Altered: it was altered so that it cannot be.
        BadFile: it is a game that is not here, or cannot be set up as it says. BadOption: nor can its seats.
    """
    try:
        return _opened(record)
    except FlicksimError:
        must_be_whole(record)
        raise


def _opened(record: Record) -> tuple[Replay, list[Seat]]:
    header = record.header
    if header.game not in names():
        raise BadFile(f"{str(record.path)!r} is a game of {header.game!r}; this flicksim has {', '.join(names())}")
    card = load(header.game)
    seats = [parse_seat(word) for word in header.seats]
    position = position_in(header, card)
    options = parse_options(card, header.options)
    match = open_match(card, options, seats, header.seed, position=position, bounds=header.bounds)
    return Replay(record, match), seats


def go_on(record: Record, *, durable: bool = True, lock: Lock | None = None) -> Recorder:
    """A recorder that appends to a record, after its last whole line.

    Args:
        lock: on it, when taken before it was played again.

    Raises:
        InUse: another process is writing it.
        BadFile: it cannot be written, was altered, or was written on since it was read.
    """
    must_be_whole(record)
    lock = Lock(record.path) if lock is None else lock
    try:
        if read_record(record.path) != record:
            raise BadFile(f"{str(record.path)!r} was written on while it was played again; try once more")
        if record.tail:
            os.truncate(record.path, record.path.stat().st_size - record.tail)
    except OSError as wrong:
        lock.release()
        raise BadFile(f"cannot write {str(record.path)!r}: {reason(wrong)}") from None
    except BadFile:
        lock.release()
        raise
    chain = None if record.chain is None else record.chain.copy()
    return Recorder(record.path, None, durable=durable, turns=len(record.turns), chain=chain, lock=lock)
