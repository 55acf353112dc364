"""Tokens of a user's seats, in a private file, by which a client comes back to its seat."""

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import RLock
from typing import Annotated

import msgspec

from flicksim.core.atomic_files import write_atomic
from flicksim.core.errors import FileLocked, InvalidFile, InvalidInput
from flicksim.core.file_lock import FileLock, wait_for_lock
from flicksim.core.paths import make_private_dir, user_dir
from flicksim.core.serialization import Value, from_json, read_bytes, to_json
from flicksim.net import security

_MAX_TOKENS = 50


class SeatToken(Value, frozen=True, kw_only=True):
    """Token of seats at a table: hash of the table's code, token, and the seats, none before the host has said."""

    table: str
    token: Annotated[str, msgspec.Meta(max_length=128)]
    seats: tuple[int, ...] = ()


class TokenStore:
    """File of the user's seat tokens; the latest of a seat are kept. A token is of one connection at a time here.

    Args:
        folder: private folder of the user; None keeps nothing.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder, self._lock = folder, RLock()
        self._unsaved: dict[str, SeatToken | None] = {}
        """Changes that are not in the file; None for a token removed."""
        self._in_use: dict[str, FileLock | None] = {}

    @property
    def _path(self) -> Path | None:
        return None if self._folder is None else self._folder / "seat-tokens.json"

    def _read(self) -> dict[str, SeatToken]:
        saved: list[SeatToken] = []
        if self._path is not None and self._path.exists():
            with suppress(InvalidInput):  # as good as none
                saved = from_json(read_bytes(self._path), list[SeatToken], name="the seat tokens")
        kept = [item for item in saved if item.token not in self._unsaved]
        return {item.token: item for item in (*kept, *self._unsaved.values()) if item is not None}

    def _write(self, token: str, item: SeatToken | None) -> None:
        """Change a token, now the latest; a file that cannot be written is left."""
        self._unsaved.pop(token, None)
        self._unsaved[token] = item
        if self._folder is not None and self._path is not None:
            with suppress(OSError, InvalidFile):
                make_private_dir(self._folder, self._folder)
                with wait_for_lock(self._path, 100):
                    # those that no host has accepted, as with a wrong code, go first
                    kept = sorted(self._read().values(), key=lambda item: bool(item.seats))[-_MAX_TOKENS:]
                    write_atomic(self._path, to_json(kept), private=True)
                self._unsaved.clear()

    def _occupy(self, token: str) -> bool:
        """Mark a token as used by a connection; False if one on this machine uses it already."""
        if token in self._in_use:
            return False
        self._in_use[token] = None
        if self._folder is not None:
            try:
                make_private_dir(self._folder, self._folder)
                self._in_use[token] = FileLock(self._folder / f"seat-{_hash(token)}")
            except FileLocked:
                del self._in_use[token]
                return False
            except (OSError, InvalidFile):  # connections of other processes are not seen then
                pass
        return True

    def take(self, code: str, seat: int | None = None) -> str:
        """Take the token of a seat at a table for a connection: a kept one, or a new one. `release` it afterwards."""
        with self._lock:
            kept = [item for item in self._read().values() if item.table == _table_key(code)]
            kept = [item for item in kept if seat is None or not item.seats or seat in item.seats]
            for item in sorted(kept, key=lambda item: not item.seats):
                if self._occupy(item.token):
                    return item.token
            token = security.new_token()  # kept now, or a cut before `welcome` would lose it, and the seat
            self._occupy(token)
            self.put(code, token)
            return token

    def release(self, token: str) -> None:
        """Let other connections use a token."""
        with self._lock:
            lock = self._in_use.pop(token, None)
            if lock is not None:
                lock.release()

    def get(self, code: str) -> str:
        """Token kept of a seat at a table that no connection of this machine uses; empty if there is none."""
        with self._lock:
            for item in self._read().values():
                if item.table == _table_key(code) and self._occupy(item.token):
                    self.release(item.token)
                    return item.token
        return ""

    def put(self, code: str, token: str, seats: tuple[int, ...] = ()) -> None:
        """Keep a token."""
        with self._lock:
            self._write(token, SeatToken(table=_table_key(code), token=token, seats=seats))

    def remove(self, token: str) -> None:
        """Remove a token."""
        with self._lock:
            self._write(token, None)


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:32]


def _table_key(code: str) -> str:
    return _hash(security.normal_code(code))


def private_folder() -> Path | None:
    """Folder of what the user keeps of hosts and seats; None for a user without one."""
    folder = user_dir("config")
    return None if folder is None else folder / "net"


def user_tokens() -> TokenStore:
    """Store in the user's configuration."""
    return TokenStore(private_folder())
