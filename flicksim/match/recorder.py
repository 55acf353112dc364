"""Recorder: appends complete lines to a game record under a file lock."""

from __future__ import annotations

import os
from contextlib import suppress
from io import BufferedWriter
from pathlib import Path

from flicksim.core.atomic_files import os_error_message
from flicksim.core.errors import InvalidFile
from flicksim.core.file_lock import FileLock
from flicksim.core.serialization import to_json
from flicksim.match.match import Forfeit, Turn
from flicksim.match.record_format import DigestChain, EndLine, ForfeitLine, Header, RecordLine, UndoLine, turn_line


class Recorder:
    """Exclusive writer of a record, one complete line at a time.

    Args:
        path: file to write. header: of a new record; None appends to an existing one (see `append_to`).
        durable: whether each line is flushed to the disk, so that a power cut loses at most the turn being played.
        turns, chain: state of an existing record: its number of turns, and its digest chain, if it has one.
        lock: on the file, when already acquired.

    Raises:
        FileLocked: another process is writing it.
        InvalidFile: it cannot be written, or a new record would overwrite a file.
    """

    def __init__(
        self, path: Path, header: Header | None, *, durable: bool = True, turns: int = 0,
        chain: DigestChain | None = None, lock: FileLock | None = None,
    ) -> None:  # fmt: skip
        self.path, self._durable, self._turns = path, durable, turns
        self._chain = chain if header is None else DigestChain()
        if path.is_dir():
            raise InvalidFile(f"cannot write {str(path)!r}: that is a folder; name a file")
        self._lock = FileLock(path) if lock is None else lock
        try:
            self._file: BufferedWriter = path.open("xb" if header is not None else "ab")
        except OSError as error:
            self._lock.release()
            if isinstance(error, FileExistsError):
                raise InvalidFile(
                    f"{str(path)!r} exists; choose another name, or go on with it in the shell, by --resume"
                ) from None
            raise InvalidFile(f"cannot write {str(path)!r}: {os_error_message(error)}") from None
        if header is not None:
            self._lock.lock_handle(os.dup(self._file.fileno()))
            self._write(header)

    def write_turn(self, turn: Turn) -> None:
        """Append a turn, and the end line if it ends the game."""
        self._turns = turn.number
        self._write(turn_line(turn), *(self._end_lines() if turn.verdict.ruling.is_over else []))

    def write_undo(self, turns: int) -> None:
        """Append an undo; `turns` are left."""
        self._turns = turns
        self._write(UndoLine(turns=turns))

    def write_forfeit(self, forfeit: Forfeit) -> None:
        """Append the forfeit of a seat and the end line."""
        self._write(ForfeitLine(seat=forfeit.seat, says=forfeit.says), *self._end_lines())

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

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, *lines: Header | RecordLine) -> None:
        encoded = map(to_json, lines)
        try:
            self._file.write(b"".join((self._chain.append(line) if self._chain else line) + b"\n" for line in encoded))
            self._file.flush()
            if self._durable:
                os.fsync(self._file.fileno())
        except OSError as error:
            raise InvalidFile(
                f"cannot write {str(self.path)!r}: {os_error_message(error)}; the turns before are saved"
            ) from None
