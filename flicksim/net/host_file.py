"""Files of a hosted game beside each other: the record, and the private file of its code and seats."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from flicksim.core.atomic_files import path_exists, write_atomic
from flicksim.core.errors import InvalidFile, InvalidInput
from flicksim.core.serialization import Value, from_json, read_bytes, to_json
from flicksim.match import Match, Recorder, Seat, check_resumed_seats, open_replay, read_record, resume_record
from flicksim.net import protocol


class SavedChair(Value, frozen=True, kw_only=True):
    """Owner of a chair."""

    token_digest: str
    name: str


class TlsChoice(Value, frozen=True, kw_only=True):
    """Choice of TLS: files of the certificate and its key, or whether there is none; by default by the address."""

    certificate: str = ""
    key: str = ""
    is_off: bool = False


class HostFile(Value, frozen=True, kw_only=True):
    """Private file beside a record: what a host needs beside the record to go on with it.

    Args:
        limit, pause_clock: see `Table`.
    """

    code: str
    game_number: int
    chairs: tuple[SavedChair, ...]
    listen: str = "127.0.0.1"
    port: int = 0
    limit: float | None = None
    pause_clock: bool = False
    tls: TlsChoice = TlsChoice()

    @staticmethod
    def path(record: Path) -> Path:
        """Path of the file of a record."""
        return record.with_name(f".{record.name}.host")

    @classmethod
    def read(cls, record: Path) -> "HostFile":
        """Read the file of a record.

        Raises:
            InvalidFile: it is not there, or cannot be read.
        """
        path = cls.path(record)
        if not path_exists(path):
            if not path_exists(record):
                raise InvalidFile(f"there is no file {str(record)!r}; the host printed the path of its record")
            raise InvalidFile(f"{str(record)!r} was not hosted: {path.name!r} is not beside it; see `flicksim play`")
        try:
            return from_json(read_bytes(path), cls, name=str(path))
        except InvalidFile:
            raise
        except InvalidInput as error:
            raise InvalidFile(str(error)) from None

    def write(self, record: Path) -> None:
        """Write the file of a record.

        Raises:
            InvalidFile: it cannot be written.
        """
        write_atomic(self.path(record), to_json(self), private=True)


def resume_match(path: Path, seats: Sequence[Seat] | None = None) -> tuple[Match, list[Seat], Recorder, list[str]]:
    """Replay a record to go on with it: match, seats, recorder, and the hashes by number of turns.

    Args:
        seats: as in the record; needed where that starts programs: a file from somebody else must not without consent.

    Raises:
        InvalidFile: it diverges, was altered, or is being written. InvalidOption: it starts programs, or has others.
    """
    replay, specified = open_replay(read_record(path))
    check_resumed_seats(replay, seats or ())
    recorder = resume_record(replay, "hosted", may_be_finished=True)
    return replay.match, specified, recorder, protocol.hashes_by_turn(path)


def discard_record(recorder: Recorder) -> None:
    """Close and remove a new record, and the private file beside it."""
    recorder.close()
    for path in (recorder.path, HostFile.path(recorder.path)):
        with suppress(OSError):
            path.unlink()
