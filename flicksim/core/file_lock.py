"""Advisory file locks with the holder's name: one writer at a time.

The lock is the operating system's own (flock, or msvcrt on Windows) on a small hidden lock file beside the target
(inside it, for a folder). So it ends with its process, and a lock file left by a dead process is taken over; its
content only names the holder. An existing target is locked itself too, as it may have several names. On
file systems without locks the lock file alone counts: a holder on this machine must be alive, one on another machine
is assumed to be.
"""

import errno
import os
import socket
import stat
import sys
from contextlib import suppress
from pathlib import Path
from time import localtime, sleep, strftime
from weakref import WeakSet, finalize

import msgspec

from flicksim.core.atomic_files import os_error_message
from flicksim.core.errors import FileLocked, InvalidFile
from flicksim.core.sanitize import escape_unprintable

try:
    import fcntl
except ImportError:  # Windows uses msvcrt
    fcntl = None  # type: ignore[assignment]

_UNSUPPORTED_ERRNOS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL}
"""Errors of a file system that does not support locks."""
_LOCK_OFFSET = 2**30
"""Byte that is locked on Windows, far beyond the content: locked bytes cannot be read."""
_MAX_HOLDER_BYTES = 2000
"""Largest content of a lock file [bytes]."""


class LockHolder(msgspec.Struct, frozen=True, kw_only=True):
    """Process that holds a lock: process id, command, start time, host name."""

    process: int
    program: str
    since: str
    host: str

    def __str__(self) -> str:
        where = "" if self.host == socket.gethostname() else f" on {self.host}"
        return escape_unprintable(f"{self.program} (process {self.process}{where}, since {self.since})")[:300]


def _current_holder() -> LockHolder:
    script = Path(sys.argv[0] if sys.argv else "")
    program = script.parent.name if script.stem == "__main__" else script.stem
    command = " ".join([program or "python", *sys.argv[1:2]])[:80]
    return LockHolder(
        process=os.getpid(),
        program=command,
        since=strftime("%Y-%m-%d %H:%M:%S", localtime()),
        host=socket.gethostname(),
    )


class FileLock:
    """Exclusive lock for writing a file or a folder, held until `release` or the end of this process.

    Args:
        path: file or folder to lock; it may not exist yet, but its parent must.

    Raises:
        FileLocked: another process, or another lock in this one, holds it; says which.
        InvalidFile: nothing can be written there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            resolved = path.resolve()
            if resolved.is_symlink():  # from Python 3.13 on a circle is returned
                raise OSError
        except (OSError, RuntimeError):
            raise InvalidFile(f"cannot write {str(path)!r}: its links lead in a circle") from None
        self._lock_path = resolved / ".lock" if resolved.is_dir() else resolved.with_name(f".{resolved.name}.lock")
        handle = self._open_lock_file()
        while handle is None:  # the previous holder has just removed the lock file
            handle = self._open_lock_file()
        with suppress(OSError):  # on a full disk the lock holds, only without the holder's name
            os.truncate(handle, 0)
            os.write(handle, msgspec.json.encode(_current_holder()))
        self._handle, self._extra_handles = handle, list[int]()
        self._finalizer = finalize(self, _release_files, handle, self._lock_path, self._extra_handles)
        _HELD_LOCKS.add(self)
        with suppress(OSError):
            if fcntl is not None and resolved.is_file():
                self.lock_handle(os.open(resolved, os.O_RDONLY))

    def lock_handle(self, handle: int) -> None:
        """Lock an open file as well, whatever its name; `release` closes it.

        Raises:
            FileLocked: another process writes it under another name. Then this lock is released.
        """
        self._extra_handles.append(handle)
        if fcntl is None:
            return
        try:
            _lock_fd(handle)
        except OSError as error:
            if error.errno in _UNSUPPORTED_ERRNOS:
                return
            self.release()
            raise FileLocked(
                f"{str(self.path)!r} is being written by another process, by another name that it has; "
                "wait until it is done"
            ) from None

    def _open_lock_file(self) -> int | None:
        """Open and lock the lock file; None if it was removed meanwhile."""
        try:
            # do not follow a symbolic link
            handle = os.open(self._lock_path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        except OSError as error:
            raise InvalidFile(f"cannot write {str(self.path)!r}: {os_error_message(error)}") from None
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
                raise InvalidFile(
                    f"cannot write {str(self.path)!r}: {self._lock_path.name!r} beside it is no lock of flicksim"
                )
            self._acquire(handle)
            current = self._lock_path.stat()
            if (current.st_dev, current.st_ino) == (status.st_dev, status.st_ino):
                return handle
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        return None

    def _acquire(self, handle: int) -> None:
        """Lock the open lock file without waiting, or raise FileLocked."""
        try:
            _lock_fd(handle)
        except OSError as error:
            holder = _read_holder(handle)
            if error.errno in _UNSUPPORTED_ERRNOS and (holder is None or not self._is_holder_alive(holder)):
                return
            raise FileLocked(
                f"{str(self.path)!r} is being written by {holder or 'another process'}; wait until it is done"
            ) from None

    def _is_holder_alive(self, holder: LockHolder) -> bool:
        """True if the process named in the lock file may still hold it, judged without a lock of the system."""
        if fcntl is None or holder.host != socket.gethostname():
            return True
        if holder.process == os.getpid():
            return any(lock._lock_path == self._lock_path for lock in _HELD_LOCKS)
        try:
            os.kill(holder.process, 0)
        except ProcessLookupError:
            return False
        except OSError:  # of another user, but alive
            return True
        return True

    def release(self) -> None:
        """Release the lock. A second call does nothing."""
        _HELD_LOCKS.discard(self)
        self._finalizer()

    def _detach(self) -> None:
        """Close the handles in a forked child; the parent keeps the lock."""
        if self._finalizer.detach() is not None:
            for handle in (self._handle, *self._extra_handles):
                os.close(handle)

    def __enter__(self) -> "FileLock":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def wait_for_lock(path: Path, tries: int) -> FileLock:
    """Lock a file that another process may be writing just now, trying a hundred times a second."""
    for _ in range(tries):
        with suppress(FileLocked):
            return FileLock(path)
        sleep(0.01)
    return FileLock(path)


_HELD_LOCKS: WeakSet[FileLock] = WeakSet()
"""Locks held by this process."""


def _release_files(handle: int, lock_path: Path, extra_handles: list[int]) -> None:
    """Remove the lock file while it is locked, or afterwards where open files cannot be removed (Windows)."""
    while extra_handles:
        with suppress(OSError):
            os.close(extra_handles.pop())
    with suppress(OSError):
        lock_path.unlink()
    with suppress(OSError):
        os.close(handle)
    if fcntl is None:
        with suppress(OSError):
            lock_path.unlink()


def _detach_in_child() -> None:
    for lock in list(_HELD_LOCKS):
        lock._detach()
    _HELD_LOCKS.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_detach_in_child)


def _lock_fd(handle: int) -> None:
    """Lock an open file without waiting, or raise OSError."""
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    import msvcrt

    os.lseek(handle, _LOCK_OFFSET, os.SEEK_SET)
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    finally:
        os.lseek(handle, 0, os.SEEK_SET)


def _read_holder(handle: int) -> LockHolder | None:
    """Holder named in a lock file; None if it names none."""
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        return msgspec.json.decode(os.read(handle, _MAX_HOLDER_BYTES), type=LockHolder)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
