"""One writer at a time: whoever writes a file or folder holds a lock on it, and the next is told who that is.

The lock is the operating system's own, on a small hidden file beside what is written (inside, for a folder), so it
ends with the process that holds it however that ends, and what a dead one left is taken over. What stands in that file
only says who. A file that is there already is locked itself too: it may have more than one name. On file systems
without locks the small file is all there is: a process of this machine that is no more holds nothing, one of another
machine is believed.
"""

from __future__ import annotations

import errno
import os
import socket
import stat
import sys
from contextlib import suppress
from pathlib import Path
from time import localtime, strftime
from weakref import WeakSet, finalize

import msgspec

from flicksim.base.errors import BadFile, InUse
from flicksim.base.files import reason
from flicksim.base.legible import legible

try:
    import fcntl
except ImportError:  # Windows has another way
    fcntl = None  # type: ignore[assignment]

_LOCKLESS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL}
"""Answers of a file system that knows no locks."""
_FAR = 2**30
"""Byte that Windows locks: a locked one cannot be read, and nothing is written so far on."""
_NOTE = 2000
"""No note is longer [bytes]."""


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """The process that writes: process id, what it was started as, since when, on which machine."""

    process: int
    program: str
    since: str
    host: str

    def __str__(self) -> str:
        where = "" if self.host == socket.gethostname() else f" on {self.host}"
        return legible(f"{self.program} (process {self.process}{where}, since {self.since})")[:300]


def _me() -> Holder:
    name = Path(sys.argv[0] if sys.argv else "")
    program = name.parent.name if name.stem == "__main__" else name.stem
    said = " ".join([program or "python", *sys.argv[1:2]])[:80]
    return Holder(
        process=os.getpid(), program=said, since=strftime("%Y-%m-%d %H:%M:%S", localtime()), host=socket.gethostname()
    )


class Lock:
    """The right to write a file, or all that is in a folder. Held until `release`, or the end of this process.

    Args:
        path: what is to be written; it need not be there yet, but its folder must.

    Raises:
        InUse: another process, or another place in this one, holds it; says who.
        BadFile: nothing can be written there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            real = path.resolve()
        except (OSError, RuntimeError):
            raise BadFile(f"cannot write {str(path)!r}: its links lead in a circle") from None
        self._side = real / ".lock" if real.is_dir() else real.with_name(f".{real.name}.lock")
        handle = self._taken()
        while handle is None:  # the one before has just removed it
            handle = self._taken()
        with suppress(OSError):  # on a full disk it is held all the same, and only does not say by whom
            os.truncate(handle, 0)
            os.write(handle, msgspec.json.encode(_me()))
        self._handle, self._own = handle, list[int]()
        self._end = finalize(self, _let_go, handle, self._side, self._own)
        _HELD.add(self)
        with suppress(OSError):
            if fcntl is not None and real.is_file():
                self.over(os.open(real, os.O_RDONLY))

    def over(self, handle: int) -> None:
        """Hold an open file itself as well, by whatever name it is known; the lock closes it.

        Raises:
            InUse: somebody writes it by another name. Then nothing is held any more.
        """
        self._own.append(handle)
        if fcntl is None:
            return
        try:
            _lock(handle)
        except OSError as wrong:
            if wrong.errno in _LOCKLESS:
                return
            self.release()
            raise InUse(
                f"{str(self.path)!r} is being written by another process, by another name that it has; "
                "wait until it is done"
            ) from None

    def _taken(self) -> int | None:
        """The side file opened and locked; None when it was removed meanwhile."""
        try:
            # a link somebody left there must not lead elsewhere
            handle = os.open(self._side, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        except OSError as wrong:
            raise BadFile(f"cannot write {str(self.path)!r}: {reason(wrong)}") from None
        try:
            there = os.fstat(handle)
            if not stat.S_ISREG(there.st_mode) or there.st_nlink > 1:
                raise BadFile(f"cannot write {str(self.path)!r}: {self._side.name!r} beside it is no lock of flicksim")
            self._lock(handle)
            same = self._side.stat()
            if (same.st_dev, same.st_ino) == (there.st_dev, there.st_ino):
                return handle
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        return None

    def _lock(self, handle: int) -> None:
        """Lock the open side file, at once or not at all."""
        try:
            _lock(handle)
        except OSError as wrong:
            who = _holder(handle)
            if wrong.errno in _LOCKLESS and (who is None or not self._believed(who)):
                return
            raise InUse(
                f"{str(self.path)!r} is being written by {who or 'another process'}; wait until it is done"
            ) from None

    def _believed(self, who: Holder) -> bool:
        """True where the note alone is enough."""
        if fcntl is None or who.host != socket.gethostname():
            return True
        if who.process == os.getpid():
            return any(lock._side == self._side for lock in _HELD)
        try:
            os.kill(who.process, 0)
        except ProcessLookupError:
            return False
        except OSError:  # somebody else's, but there
            return True
        return True

    def release(self) -> None:
        """Let others write. A second time does nothing."""
        _HELD.discard(self)
        self._end()

    def _forget(self) -> None:
        """Leave it to the process this one was forked off."""
        if self._end.detach() is not None:
            for handle in (self._handle, *self._own):
                os.close(handle)

    def __enter__(self) -> Lock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


_HELD: WeakSet[Lock] = WeakSet()
"""The locks of this process."""


def _let_go(handle: int, side: Path, own: list[int]) -> None:
    """Remove the side file while it is locked, or, where no open file can be removed, afterwards."""
    while own:
        with suppress(OSError):
            os.close(own.pop())
    with suppress(OSError):
        side.unlink()
    with suppress(OSError):
        os.close(handle)
    if fcntl is None:
        with suppress(OSError):
            side.unlink()


def _leave_to_parent() -> None:
    for lock in list(_HELD):
        lock._forget()
    _HELD.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)


def _lock(handle: int) -> None:
    """Lock an open file or raise OSError at once."""
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    import msvcrt

    os.lseek(handle, _FAR, os.SEEK_SET)
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    finally:
        os.lseek(handle, 0, os.SEEK_SET)


def _holder(handle: int) -> Holder | None:
    """The holder that the note names; None when it names none."""
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        return msgspec.json.decode(os.read(handle, _NOTE), type=Holder)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
