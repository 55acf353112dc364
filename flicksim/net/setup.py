"""Setting up a host: its record, its certificate, its table and address, and the invitation that the others get."""

import re
import shlex
import socket
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from secrets import token_hex
from typing import Self

from flicksim.core.atomic_files import os_error_message, write_atomic
from flicksim.core.errors import InvalidFile, InvalidInput, InvalidOption
from flicksim.core.paths import make_private_dir, user_dir
from flicksim.core.serialization import Value, from_json, read_bytes, to_json
from flicksim.match import FALLBACK_TIME_LIMIT, Match, Recorder, Seat, warm_up_match
from flicksim.net.host_file import HostFile, TlsChoice, discard_record
from flicksim.net.protocol import DEFAULT_PORT
from flicksim.net.seat_tokens import private_folder
from flicksim.net.security import certificate_fingerprint, self_signed, server_context
from flicksim.net.server import Host
from flicksim.net.table import Table

ANY_ADDRESS = "0.0.0.0"
LOCAL_ADDRESS = "127.0.0.1"
_LAST_INVITATION = "last-invitation.json"


class Invitation(Value, frozen=True, kw_only=True):
    """Invitation to join: address of the host, code of the table, fingerprint of the certificate if it has one."""

    address: str
    code: str
    fingerprint: str = ""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an invitation from the command that `str` gives.

        Raises:
            InvalidInput: it is none.
        """
        words: list[str] = []
        with suppress(ValueError):  # an open quote
            words = shlex.split(text[:500])
        if words[:1] == ["flicksim"]:
            words = words[1:]
        match words:
            case ["join", address, code, "--fingerprint", fingerprint]:
                return cls(address=address, code=code, fingerprint=fingerprint)
            case ["join", address, code]:
                return cls(address=address, code=code)
        raise InvalidInput(f"{text[:60]!r} is no invitation; one begins with 'flicksim join ADDRESS CODE'")

    def __str__(self) -> str:
        """Command that joins."""
        checked = f" --fingerprint {self.fingerprint}" if self.fingerprint else ""
        return f"flicksim join {self.address} {self.code}{checked}"

    def remember(self) -> None:
        """Keep it as the last one, in a private file beside the token of the seat; one that cannot be kept is left."""
        if (folder := private_folder()) is not None:
            with suppress(OSError, InvalidFile):
                make_private_dir(folder, folder)
                write_atomic(folder / _LAST_INVITATION, to_json(self), private=True)

    @classmethod
    def last(cls) -> Self | None:
        """The last one kept; None without one that can be read."""
        folder = private_folder()
        with suppress(InvalidInput):
            if folder is not None and (path := folder / _LAST_INVITATION).exists():
                return from_json(read_bytes(path), cls, name=str(path))
        return None


def default_record(game: str) -> Path:
    """Path of the record of a new hosted game, in the user's data.

    Raises:
        InvalidOption: this user has no such folder. InvalidFile: it cannot be made.
    """
    folder = hosted_folder()
    if folder is None:
        raise InvalidOption("there is no folder for the record of this user; name a file by --record")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidFile(f"cannot write {str(folder)!r}: {os_error_message(error)}") from None
    return folder / f"{game}-{datetime.now():%Y%m%d-%H%M%S}-{token_hex(3)}.jsonl"  # hosts may begin in the same second


def hosted_folder() -> Path | None:
    """Folder of the records of hosted games; None for a user without one."""
    folder = user_dir("data")
    return None if folder is None else folder / "hosted"


def is_any(listen: str) -> bool:
    """Return True if a host listens on all addresses of its machine."""
    return listen in (ANY_ADDRESS, "::", "")


def is_local(listen: str) -> bool:
    """Return True if a host listens to its own machine alone."""
    try:
        return ip_address(listen).is_loopback
    except ValueError:
        return listen == "localhost"


def _chosen_certificate(listen: str, choice: TlsChoice) -> tuple[Path, Path] | None:
    """Certificate and key of a host; by default self-signed ones for connections that leave this machine.

    Raises:
        InvalidOption: this user has no folder for their own. MissingExtra, InvalidFile: it cannot be made.
    """
    if choice.certificate:
        return Path(choice.certificate), Path(choice.key)
    if choice.is_off or is_local(listen):
        return None
    if (folder := private_folder()) is None:
        raise InvalidOption("there is no folder for a certificate of this user; give one by --cert and --key")
    return self_signed(folder)


def open_host(
    match: Match, seats: Sequence[Seat], recorder: Recorder, listen: str, ports: Sequence[int], *,
    tls: TlsChoice | None = None, saved: HostFile | None = None, hashes: Sequence[str] | None = None,
    limit: float | None = None, pause_clock: bool = False,
) -> tuple[Host, str]:  # fmt: skip
    """Host a match at one table; returns the host, and the fingerprint of its certificate, empty without TLS.

    Args:
        match, seats, recorder, saved, hashes, limit, pause_clock: see `Table`. listen: address to listen on.
        ports: to be tried in turn. tls: choice of TLS; that of `saved` by default.

    Raises:
        FlicksimError: it cannot be hosted; the recorder is closed, and a new record is removed.
    """
    tls = tls or (TlsChoice() if saved is None else saved.tls)
    try:
        certificate = _chosen_certificate(listen, tls)
        fingerprint = "" if certificate is None else certificate_fingerprint(certificate[0])
        context = None if certificate is None else server_context(*certificate)
        table = Table(
            match, seats, recorder, limit=limit, pause_clock=pause_clock, saved=saved, hashes=hashes, tls=tls,
            choose=warm_up_match(match, FALLBACK_TIME_LIMIT),
        )  # fmt: skip
        for port in ports[:-1]:
            try:
                return Host([table], listen=listen, port=port, tls=context).start(), fingerprint
            except InvalidOption:
                continue
        return Host([table], listen=listen, port=ports[-1], tls=context).start(), fingerprint
    except BaseException:
        if saved is None:
            discard_record(recorder)
        else:
            recorder.close()
        raise


def own_address() -> str:
    """Address of this machine in its network, as far as it is known; nothing is sent to find it."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address of documentation: only the way to it is looked up
        return str(probe.getsockname()[0])
    return LOCAL_ADDRESS


def with_port(address: str, port: int) -> str:
    """Address with the port, unless that is the default; one of IPv6 is in brackets."""
    host = f"[{address}]" if ":" in address else address
    return host if port == DEFAULT_PORT else f"{host}:{port}"


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of an address: HOST, HOST:PORT, [IPV6]:PORT, or a URL of them.

    Raises:
        InvalidOption: it is none.
    """
    bare = text.strip().removeprefix("wss://").removeprefix("ws://").rstrip("/")
    host, colon, port = bare.rpartition(":")
    if not colon or port.endswith("]") or (":" in host and not host.startswith("[")):
        host, port = bare, str(DEFAULT_PORT)
    host = host.removeprefix("[").removesuffix("]")
    if not _is_host(host) or re.fullmatch("[0-9]{1,5}", port) is None or not 0 < int(port) < 65536:
        example = f"192.168.1.5:{DEFAULT_PORT}"
        raise InvalidOption(f"address {text[:80]!r} must be HOST or HOST:PORT, as in {example}")
    return host, int(port)


def _is_host(text: str) -> bool:
    """Return True for the name or the address of a machine."""
    try:
        if ":" in text:
            return bool(IPv6Address(text))
        return bool(text.encode("idna")) and re.fullmatch(r"[\w.-]+", text) is not None
    except ValueError:  # UnicodeError of a label that is empty or too long
        return False
