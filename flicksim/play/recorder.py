"""The pen of a record: it appends whole lines, and nobody else can meanwhile."""

from __future__ import annotations

import os
from contextlib import suppress
from io import BufferedWriter
from pathlib import Path

from flicksim.base.codec import to_json
from flicksim.base.errors import BadFile
from flicksim.base.files import reason
from flicksim.base.lock import Lock
from flicksim.play.lines import Chain, EndLine, ForfeitLine, Header, Later, UndoLine, line_of
from flicksim.play.match import Forfeit, Turn


class Recorder:
    """Appends to a record, a whole line at a time. Nobody else can meanwhile.

    Args:
        path: file to write. header: of a new record; None goes on with an existing one (see `go_on`).
        durable: wait until each line is on the disk, so that even a power cut loses at most the turn being played.
        turns, chain: of the lines there are, when it goes on; no chain where they have none.
        lock: on the file, when taken already.

    Raises:
        InUse: another process is writing it.
        BadFile: it cannot be written, or a new record would overwrite something.
    """

    def __init__(
        self, path: Path, header: Header | None, *, durable: bool = True, turns: int = 0,
        chain: Chain | None = None, lock: Lock | None = None,
    ) -> None:  # fmt: skip
        self.path, self._durable, self._turns = path, durable, turns
        self._chain = chain if header is None else Chain()
        if path.is_dir():
            raise BadFile(f"cannot write {str(path)!r}: that is a folder; name a file")
        self._lock = Lock(path) if lock is None else lock
        try:
            self._out: BufferedWriter = path.open("xb" if header is not None else "ab")
        except OSError as wrong:
            self._lock.release()
            if isinstance(wrong, FileExistsError):
                raise BadFile(
                    f"{str(path)!r} exists; choose another name, or go on with it in the shell, by --resume"
                ) from None
            raise BadFile(f"cannot write {str(path)!r}: {reason(wrong)}") from None
        if header is not None:
            self._lock.over(os.dup(self._out.fileno()))
            self._write(header)

    def turn(self, turn: Turn) -> None:
        """Append a turn, and the end of the game if it is that."""
        self._turns = turn.number
        self._write(line_of(turn), *(self._end() if turn.verdict.ruling.over else []))

    def undo(self, turns: int) -> None:
        """Note that turns were taken back; `turns` are left."""
        self._turns = turns
        self._write(UndoLine(turns=turns))

    def forfeit(self, forfeit: Forfeit) -> None:
        """Append that a seat has lost because its player could not go on, which ends the game."""
        self._write(ForfeitLine(seat=forfeit.seat, says=forfeit.says), *self._end())

    def end(self) -> None:
        """Append the end alone: what a record lacks that was cut just before it."""
        self._write(*self._end())

    def _end(self) -> list[Later]:
        """The end line; none where lines have no digests yet."""
        return [] if self._chain is None else [EndLine(turns=self._turns)]

    def close(self) -> None:
        """Done with it. What could not be written has been told of already."""
        with suppress(OSError):
            self._out.close()
        self._lock.release()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, *lines: Header | Later) -> None:
        plain = map(to_json, lines)
        try:
            self._out.write(b"".join((self._chain.seal(line) if self._chain else line) + b"\n" for line in plain))
            self._out.flush()
            if self._durable:
                os.fsync(self._out.fileno())
        except OSError as wrong:
            raise BadFile(f"cannot write {str(self.path)!r}: {reason(wrong)}; the turns before are kept") from None
