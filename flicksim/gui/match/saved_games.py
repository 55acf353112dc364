"""Saved games: recent games of the window, recorded turn by turn and resumable."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from flicksim.core.atomic_files import write_atomic
from flicksim.core.errors import FileLocked, FlicksimError, InvalidFile, InvalidInput
from flicksim.core.file_lock import FileLock
from flicksim.core.limits import Name, Text
from flicksim.core.serialization import Value, from_json, read_bytes, to_json
from flicksim.games import load, names
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import ensure_folder, user_folder
from flicksim.match import (
    Divergence,
    Forfeit,
    Header,
    Match,
    Record,
    Recorder,
    Turn,
    append_to,
    count_text,
    match_header,
    open_replay,
    parse_seat,
    read_record,
)
from flicksim.referee import Game
from flicksim.scene import PyramidScene, Scene

OnTurn = Callable[[int, int], None]
"""Takes the number of turns replayed, and of all."""
_MAX_GAMES = 60
"""Number of saved games; older ones are deleted."""
_FINISHED_PREFIX = "done-"
"""Prefix of the file name of a finished game."""
_OWN_NAME = re.compile(rf"(?:game-|{_FINISHED_PREFIX})([0-9]{{1,11}})\.jsonl")
"""File name of a game that was kept by a window, with its number."""


class AlteredGame(InvalidFile):
    """A record does not replay as it was written, but for its first turns, `sound_turns` in all."""

    def __init__(self, message: str, sound_turns: int) -> None:
        super().__init__(message)
        self.sound_turns = sound_turns


class GameSaver:
    """Recorder of a game from its first turn; a finished game's file is renamed.

    Args:
        match: to record. seats: seat specifications. recorder: of a resumed game; None for a new file.
    """

    on_close: Callable[[], None] = staticmethod(lambda: None)
    """Called once when the recorder is closed."""

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
        """Record a forfeit."""
        if self._recorder is not None:
            self._recorder.write_forfeit(forfeit)

    def write_undo(self, turn_count: int) -> None:
        """Record an undo down to a number of turns."""
        if self._recorder is not None:
            self._recorder.write_undo(turn_count)

    def _write_summary(self, path: Path | None = None) -> None:
        assert self._recorder is not None
        with suppress(FlicksimError):  # the record itself is complete without it
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
            finished = path.with_name(_FINISHED_PREFIX + path.name.removeprefix("game-"))
            with suppress(OSError):
                path.rename(finished)
                _summary_path(path).unlink(missing_ok=True)
                path = finished
        self._write_summary(path)
        for record in saved_records()[_MAX_GAMES:] if path.parent == _folder() else ():
            with suppress(OSError, InvalidFile), FileLock(record):  # unless another window plays it
                record.unlink()
                _summary_path(record).unlink(missing_ok=True)


class GameSummary(Value, frozen=True, kw_only=True):
    """Summary of a saved game.

    Args:
        result: winner, or that it is not over. scores: name and points by seat; none before the end while no point is
            given, as some games give all of them at their end. scene: the last one; None for tiles and cards.
        people: player names by seat; empty for none. turns: their number; None in older files.
    """

    result: Text
    scores: tuple[tuple[Name, Name], ...] = ()
    scene: Scene | None = None
    pyramids: PyramidScene | None = None
    people: tuple[Name, ...] = ()
    turns: int | None = None

    @property
    def final_scene(self) -> Scene | PyramidScene | None:
        """Last scene."""
        return self.scene or self.pyramids


def summarize(match: Match) -> GameSummary:
    """Summarize a match."""
    scene = getattr(match.state, "scene", None)
    people = [match.player_names.get(seat, "") for seat in range(len(match.players))]
    names = [name or match_text.seat_text(match, seat) for seat, name in enumerate(people)]
    points = map(match_text.format_points, match.scores)
    return GameSummary(
        result=match_text.result_text(match) if match.is_over else "Not over yet.",
        scores=tuple(zip(names, points, strict=True)) if match.is_over or any(match.scores) else (),
        scene=scene if isinstance(scene, Scene) else None,
        pyramids=scene if isinstance(scene, PyramidScene) else None,
        people=tuple(people),
        turns=len(match.turns),
    )


def _summary_path(path: Path) -> Path:
    return path.with_suffix(".card.json")


def load_summary(path: Path) -> GameSummary | None:
    """Load the summary of a record; None without a valid one."""
    card = _summary_path(path)
    try:
        return from_json(read_bytes(card), GameSummary, name=card.name) if card.exists() else None
    except InvalidInput:
        return None


def current_summary(record: Record) -> GameSummary | None:
    """Load the summary of a record; None if it is of an earlier turn, as beside a game that was cut off."""
    summary = load_summary(record.path)
    return summary if summary is not None and summary.turns in (None, len(record.turns)) else None


@dataclass(frozen=True, slots=True)
class ResumedGame:
    """A resumed game: the match, its seats, and its recorder (None: only read)."""

    match: Match
    seats: tuple[str, ...]
    recorder: GameSaver | None
    people: Mapping[int, str] = field(default_factory=dict)
    """Saved player names by seat."""


def _lock(path: Path) -> FileLock:
    try:
        return FileLock(path)
    except FileLocked:
        raise FileLocked("This game is being played in another flicksim window. Leave it there first.") from None


def _folder() -> Path | None:
    folder = user_folder("data")
    return None if folder is None else folder / "games"


def _number(path: Path) -> int:
    name = _OWN_NAME.fullmatch(path.name)
    return int(name[1]) if name else -1


def _create_record(folder: Path, header: Header) -> Recorder:
    """Create a record under the next free number; other windows may do the same at once."""
    number = max((_number(path) for path in folder.glob("*.jsonl")), default=0)
    while True:
        number = max(number, 0) + 1
        path = folder / f"game-{number:04d}.jsonl"
        try:
            # the operating system keeps a line that was written; waiting for the disk would delay a frame
            return Recorder(path, header, durable=False)
        except InvalidFile:
            if not path.exists():
                raise


def is_finished(record: Record) -> bool:
    """True for the record of a finished game, in any folder."""
    return record.path.name.startswith(_FINISHED_PREFIX) or record.is_complete


def saved_records() -> list[Path]:
    """Paths of saved records, the one played last first."""
    return [path for path in _records() if _number(path) >= 0]


def copied_records() -> list[Path]:
    """Paths of files beside the saved records that somebody has put there, the last written first."""
    return [path for path in _records() if _number(path) < 0 and path.is_file() and not path.name.startswith(".")]


def _records() -> list[Path]:
    folder = _folder()
    records = folder.glob("*.jsonl") if folder is not None and folder.is_dir() else ()
    return sorted(records, key=_last_played, reverse=True)


def _last_played(path: Path) -> tuple[int, int]:
    """Sort key of a record: the time [ns] it was last written or resumed, then its number."""
    try:
        return path.stat().st_mtime_ns, _number(path)
    except OSError:  # another window deletes old ones at the same time
        return 0, _number(path)


def last_unfinished() -> Path | None:
    """Record of the unfinished game played last, a readable one if possible; None without one."""
    records = [path for path in saved_records() if path.name.startswith("game-")]
    for path in records:
        with suppress(InvalidFile):
            read_record(path)
            return path
    return next(iter(records), None)


def record_text(record: Record) -> str:
    """Text of a record: its game and number of turns."""
    game = game_of(record)
    title = record.header.game if game is None else game.title
    return f"{title}, {count_text([line.made.get('do') for line in record.turns])}"


def game_of(record: Record) -> Game | None:
    """Game of a record; None if its name is unknown."""
    name = record.header.game
    return load(name) if name in names() else None


def seats_and_seed(record: Record) -> str:
    """Seats and seed of a recorded game; with tiles and cards, seats have their occupants' names."""
    header, game, summary = record.header, game_of(record), load_summary(record.path)
    named = {} if summary is None else dict(enumerate(summary.people))
    names = (f"Seat {k + 1}" if game is None else match_text.occupant_name(game, named, k)
             for k in range(len(header.seats)))  # fmt: skip
    seats = (f"{name}: {seat}" for name, seat in zip(names, header.seats, strict=True))
    return f"{', '.join(seats)}. Seed {header.seed}."


def replay_sound_turns(path: Path, count: int, on_turn: OnTurn) -> tuple[Match, tuple[str, ...]]:
    """Replay the first turns of a record that was altered in later ones; slow. Return the match and its seats.

    Raises:
        AlteredGame, InvalidFile: its replay diverges among these.
    """
    record = read_record(path, up_to_damage=True)
    replay, _ = open_replay(record)
    for turn in islice(replay.run(), count):
        on_turn(turn.number, count)
    if (divergence := replay.divergence) is not None and divergence.turn <= count:
        raise _altered(path, divergence)
    return replay.match, tuple(record.header.seats)


def _altered(path: Path, divergence: Divergence) -> InvalidFile:
    """Error of a record that does not replay as it was written."""
    message = divergence.what if divergence.is_damage else f"{path.name!r} cannot be gone on with: {divergence}"
    return AlteredGame(message, divergence.sound_turns) if divergence.sound_turns else InvalidFile(message)


def resume(path: Path, *, is_recording: bool = True, on_turn: OnTurn = lambda _replayed, _count: None) -> ResumedGame:
    """Resume a recorded game by replaying its turns; slow, to be run on a background thread.

    Args:
        is_recording: append to the record too. on_turn: called after each turn.

    Raises:
        InvalidFile: it cannot be read, or its replay diverges. AlteredGame: it does so after some turns.
    """
    record = read_record(path, up_to_damage=True)
    if record.tampering is not None and record.tampering.is_damage:
        raise _altered(path, record.tampering)
    header = record.header
    if any(parse_seat(word).kind == "cmd" for word in header.seats):
        # a file from somebody else must not start programs
        raise InvalidFile(f"{path.name!r} starts a program; go on with it from the shell, by --resume and its seats")
    replay, _ = open_replay(record)
    match = replay.match
    with ExitStack() as stack:
        lock = stack.enter_context(_lock(path)) if is_recording else None
        for turn in replay.run():
            on_turn(turn.number, len(record.turns))
        if replay.divergence is not None:
            raise _altered(path, replay.divergence)
        recorder = None
        if is_recording and not match.is_over:
            recorder = GameSaver(match, header.seats, append_to(record, durable=False, lock=lock))
            with suppress(OSError):
                os.utime(path)  # played last from now on, whether or not a turn follows
            stack.pop_all()
    summary = load_summary(path)
    people = {} if summary is None else {seat: name for seat, name in enumerate(summary.people) if name}
    return ResumedGame(match, tuple(header.seats), recorder, people)
