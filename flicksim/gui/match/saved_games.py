"""Saved games: recent games of the window, recorded turn by turn and resumable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from flicksim.core.atomic_files import write_atomic
from flicksim.core.errors import FileLocked, FlicksimError, InvalidFile, InvalidInput
from flicksim.core.file_lock import FileLock
from flicksim.core.limits import Name, Text
from flicksim.core.serialization import Value, from_json, read_bytes, to_json
from flicksim.games import load, names
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit.user_folders import ensure_folder, user_folder
from flicksim.match import (
    Forfeit,
    Header,
    Match,
    Recorder,
    Turn,
    append_to,
    match_header,
    open_replay,
    parse_seat,
    read_record,
)
from flicksim.referee import Game
from flicksim.scene import PyramidScene, Scene

_MAX_GAMES = 60
"""Number of saved games; older ones are deleted."""
_DIGITS = 12
"""Number of digits in a name from which on the file is no game of ours."""
_FINISHED_SUFFIX = "done-"
"""Beginning of the name of a game's file that was played to its end."""


class GameSaver:
    """Writes a game down from its first turn on; a finished one gets another name.

    Args:
        match: which. seats: who sits down, as words. recorder: of a game gone on with; None begins a new file.
    """

    on_close: Callable[[], None] = staticmethod(lambda: None)
    """Called once, when the game is left, played to its end or not."""

    def __init__(self, match: Match, seats: Sequence[str], recorder: Recorder | None = None) -> None:
        self._match, self._seats, self._recorder = match, tuple(seats), recorder
        self._closed = False

    def write_turn(self, turn: Turn) -> None:
        """Record a turn.

        Raises:
            InvalidFile: it cannot be written.
        """
        if self._recorder is None:
            folder = user_folder("data")
            if folder is None:
                return
            self._recorder = _create_record(ensure_folder(folder / "games"), match_header(self._match, self._seats))
            self._write_summary()
        self._recorder.write_turn(turn)

    def write_forfeit(self, forfeit: Forfeit) -> None:
        """A seat could not go on, which ends the game."""
        if self._recorder is not None:
            self._recorder.write_forfeit(forfeit)

    def write_undo(self, turn_count: int) -> None:
        """Record an undo down to a number of turns."""
        if self._recorder is not None:
            self._recorder.write_undo(turn_count)

    def _write_summary(self, path: Path | None = None) -> None:
        """Write down who plays, and how it stands, beside the record."""
        assert self._recorder is not None
        with suppress(FlicksimError):  # the game itself is kept all the same
            write_atomic(_summary_path(path or self._recorder.path), to_json(summarize(self._match)) + b"\n")

    def close(self) -> None:
        """Close the record."""
        if self._closed:
            return
        self._closed = True
        self.on_close()
        if self._recorder is None:
            return
        self._recorder.close()
        path = self._recorder.path
        if self._match.is_over and path.name.startswith("game-"):
            ended = path.with_name(_FINISHED_SUFFIX + path.name.removeprefix("game-"))
            with suppress(OSError):
                path.rename(ended)
                _summary_path(path).unlink(missing_ok=True)
                path = ended
        self._write_summary(path)
        for old in saved_records()[_MAX_GAMES:] if path.parent == _folder() else ():
            with suppress(OSError, InvalidFile), FileLock(old):  # not under another window that plays it
                old.unlink()
                _summary_path(old).unlink(missing_ok=True)


class GameSummary(Value, frozen=True, kw_only=True):
    """Summary of a saved game.

    Args:
        result: who won, or that it is not over. scores: by seat, each with a name. scene: as it lay at last; None with
            tiles and cards. people: names of those at the window, by seat; empty where none was said.
    """

    result: Text
    scores: tuple[tuple[Name, Name], ...] = ()
    scene: Scene | None = None
    pyramids: PyramidScene | None = None
    people: tuple[Name, ...] = ()

    @property
    def final_scene(self) -> Scene | PyramidScene | None:
        """The final scene."""
        return self.scene or self.pyramids

    @property
    def short_text(self) -> str:
        """The result for a list."""
        return self.result.removesuffix(".").lower() if self.result == _UNFINISHED_SUFFIX else self.result


_UNFINISHED_SUFFIX = "Not over yet."


def summarize(match: Match) -> GameSummary:
    """A match at a glance."""
    scene = getattr(match.state, "scene", None)
    scores = zip(
        (match.player_names.get(seat) or match_text.seat_text(match, seat) for seat in range(len(match.players))),
        map(match_text.format_points, match.scores),
        strict=True,
    )
    return GameSummary(
        result=match_text.result_text(match) if match.is_over else _UNFINISHED_SUFFIX,
        scores=tuple(scores),
        scene=scene if isinstance(scene, Scene) else None,
        pyramids=scene if isinstance(scene, PyramidScene) else None,
        people=tuple(match.player_names.get(seat, "") for seat in range(len(match.players))),
    )


def _summary_path(path: Path) -> Path:
    """Path of the card of a recorded game."""
    return path.with_suffix(".card.json")


def load_summary(path: Path) -> GameSummary | None:
    """A recorded game at a glance; None where nothing is known but its turns."""
    beside = _summary_path(path)
    try:
        return from_json(read_bytes(beside), GameSummary, name=beside.name) if beside.exists() else None
    except InvalidInput:
        return None


@dataclass(frozen=True, slots=True)
class ResumedGame:
    """A resumed game: the match, its seats, and its recorder (None: only read)."""

    match: Match
    seats: tuple[str, ...]
    recorder: GameSaver | None
    people: Mapping[int, str] = field(default_factory=dict)
    """Names by seat that were written down with it."""


def _is_locked(path: Path) -> FileLock:
    try:
        return FileLock(path)
    except FileLocked:
        raise FileLocked("This game is being played in another flicksim window. Leave it there first.") from None


def _folder() -> Path | None:
    folder = user_folder("data")
    return None if folder is None else folder / "games"


def _number(path: Path) -> int:
    number = path.stem.rpartition("-")[2]
    return int(number) if number.isdecimal() and number.isascii() and len(number) < _DIGITS else -1


def _create_record(folder: Path, header: Header) -> Recorder:
    """A new record under the next free number; another window may be taking one too."""
    number = max((_number(path) for path in folder.glob("*.jsonl")), default=0)
    while True:
        number = max(number, 0) + 1
        path = folder / f"game-{number:04d}.jsonl"
        try:
            # a line is safe from the end of this process once it is handed over; waiting for the disk would be seen
            return Recorder(path, header, durable=False)
        except InvalidFile:
            if not path.exists():
                raise


def is_finished(path: Path) -> bool:
    """True for the record of a finished game, in any folder.

    Raises:
        InvalidFile: it cannot be read.
    """
    return path.name.startswith(_FINISHED_SUFFIX) or read_record(path).is_complete


def saved_records() -> list[Path]:
    """The records of the last games, the newest first."""
    folder = _folder()
    if folder is None or not folder.is_dir():
        return []
    found = [path for path in folder.glob("*.jsonl") if _number(path) >= 0]
    return sorted(found, key=_number, reverse=True)


def last_unfinished() -> Path | None:
    """The record of the last game left before its end, rather one that can be read; None when there is none."""
    left = [path for path in saved_records() if path.name.startswith("game-")]
    return next(filter(_is_readable, left), next(iter(left), None))


def _is_readable(path: Path) -> bool:
    try:
        read_record(path)
    except InvalidFile:
        return False
    return True


def record_text(path: Path) -> str:
    """A record in a few words: its game and how many turns it has.

    Raises:
        InvalidFile: it cannot be read.
    """
    record = read_record(path)
    title = load(record.header.game).title if record.header.game in names() else record.header.game
    many = len(record.turns)
    return f"{title}, {many} turn{'' if many == 1 else 's'}"


def game_of(path: Path) -> Game | None:
    """The game of a record; None where this flicksim has none of that name.

    Raises:
        InvalidFile: it cannot be read.
    """
    name = read_record(path).header.game
    return load(name) if name in names() else None


def seats_and_seed(path: Path) -> str:
    """Seats and seed of a recorded game.

    Raises:
        InvalidFile: it cannot be read.
    """
    header = read_record(path).header
    known = load(header.game).seat_names if header.game in names() else ()
    who = (f"{known[k] if k < len(known) else f'Seat {k + 1}'}: {word}" for k, word in enumerate(header.seats))
    return f"{', '.join(who)}. Seed {header.seed}."


def resume(path: Path, *, is_recording: bool = True) -> ResumedGame:
    """Play a recorded game again up to where it was left. May take a while: not for the window's own thread.

    Args:
        is_recording: append to the record too.

    Raises:
        InvalidFile: it cannot be read, or does not play again as it was written.
    """
    record = read_record(path)
    header = record.header
    if any(parse_seat(word).kind == "cmd" for word in header.seats):
        # a file from somebody else must not start programs unasked
        raise InvalidFile(f"{path.name!r} starts a program; go on with it from the shell, by --resume and its seats")
    replay, _ = open_replay(record)
    match = replay.match
    with ExitStack() as held:
        lock = held.enter_context(_is_locked(path)) if is_recording else None
        for _ in replay.run():
            pass
        if replay.divergence is not None:
            raise InvalidFile(f"{path.name!r} cannot be gone on with: {replay.divergence}")
        keeper = None
        if is_recording and not match.is_over:
            keeper = GameSaver(match, header.seats, append_to(record, durable=False, lock=lock))
            held.pop_all()
    known = load_summary(path)
    named = {} if known is None else {seat: name for seat, name in enumerate(known.people) if name}
    return ResumedGame(match, tuple(header.seats), keeper, named)
