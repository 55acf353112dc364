"""The last games played in the window, written down turn by turn, so that each can be gone on with after any end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from flicksim.base.bounds import Name, Words
from flicksim.base.codec import Value, from_json, read_bytes, to_json
from flicksim.base.errors import BadFile, BadInput, FlicksimError, InUse
from flicksim.base.files import write_aside
from flicksim.base.lock import Lock
from flicksim.games import load, names
from flicksim.play import (
    Forfeit,
    Header,
    Match,
    Recorder,
    Turn,
    go_on,
    header_of,
    parse_seat,
    read_record,
    reopened,
)
from flicksim.referee import Game
from flicksim.table import PyramidScene, Scene
from flicksim.ui.kit.places import made, place
from flicksim.ui.table import standing

_MOST = 60
"""So many games are kept; older ones go."""
_DIGITS = 12
"""Number of digits in a name from which on the file is no game of ours."""
_ENDED = "done-"
"""Beginning of the name of a game's file that was played to its end."""


class Kept:
    """Writes a game down from its first turn on; a finished one gets another name.

    Args:
        match: which. seats: who sits down, as words. recorder: of a game gone on with; None begins a new file.
    """

    left: Callable[[], None] = staticmethod(lambda: None)
    """Called once, when the game is left, played to its end or not."""

    def __init__(self, match: Match, seats: Sequence[str], recorder: Recorder | None = None) -> None:
        self._match, self._seats, self._recorder = match, tuple(seats), recorder
        self._closed = False

    def turn(self, turn: Turn) -> None:
        """A turn was played.

        Raises:
            BadFile: it cannot be written.
        """
        if self._recorder is None:
            folder = place("data")
            if folder is None:
                return
            self._recorder = _begun(made(folder / "games"), header_of(self._match, self._seats))
            self._note()
        self._recorder.turn(turn)

    def forfeit(self, lost: Forfeit) -> None:
        """A seat could not go on, which ends the game."""
        if self._recorder is not None:
            self._recorder.forfeit(lost)

    def undo(self, turns: int) -> None:
        """Turns were taken back; so many are left."""
        if self._recorder is not None:
            self._recorder.undo(turns)

    def _note(self, path: Path | None = None) -> None:
        """Write down who plays, and how it stands, beside the record."""
        assert self._recorder is not None
        with suppress(FlicksimError):  # the game itself is kept all the same
            write_aside(_beside(path or self._recorder.path), to_json(glance(self._match)) + b"\n")

    def close(self) -> None:
        """No more turns will come."""
        if self._closed:
            return
        self._closed = True
        self.left()
        if self._recorder is None:
            return
        self._recorder.close()
        path = self._recorder.path
        if self._match.over and path.name.startswith("game-"):
            ended = path.with_name(_ENDED + path.name.removeprefix("game-"))
            with suppress(OSError):
                path.rename(ended)
                _beside(path).unlink(missing_ok=True)
                path = ended
        self._note(path)
        for old in kept()[_MOST:] if path.parent == _folder() else ():
            with suppress(OSError, BadFile), Lock(old):  # not under another window that plays it
                old.unlink()
                _beside(old).unlink(missing_ok=True)


class Card(Value, frozen=True, kw_only=True):
    """A kept game at a glance.

    Args:
        result: who won, or that it is not over. scores: by seat, each with a name. scene: as it lay at last; None with
            tiles and cards. people: names of those at the window, by seat; empty where none was said.
    """

    result: Words
    scores: tuple[tuple[Name, Name], ...] = ()
    scene: Scene | None = None
    pyramids: PyramidScene | None = None
    people: tuple[Name, ...] = ()

    @property
    def lying(self) -> Scene | PyramidScene | None:
        """The table as it lay at last."""
        return self.scene or self.pyramids

    @property
    def short(self) -> str:
        """The result for a list."""
        return self.result.removesuffix(".").lower() if self.result == _OPEN else self.result


_OPEN = "Not over yet."


def glance(match: Match) -> Card:
    """A match at a glance."""
    scene = getattr(match.state, "scene", None)
    scores = zip((match.people.get(seat) or standing.name(match, seat) for seat in range(len(match.players))),
                 map(standing.number, match.scores), strict=True)  # fmt: skip
    return Card(
        result=standing.result(match) if match.over else _OPEN, scores=tuple(scores),
        scene=scene if isinstance(scene, Scene) else None,
        pyramids=scene if isinstance(scene, PyramidScene) else None,
        people=tuple(match.people.get(seat, "") for seat in range(len(match.players))),
    )  # fmt: skip


def _beside(path: Path) -> Path:
    """Path of the card of a recorded game."""
    return path.with_suffix(".card.json")


def card(path: Path) -> Card | None:
    """A recorded game at a glance; None where nothing is known but its turns."""
    beside = _beside(path)
    try:
        return from_json(read_bytes(beside), Card, name=beside.name) if beside.exists() else None
    except BadInput:
        return None


@dataclass(frozen=True, slots=True)
class Resumed:
    """A game as it stood: the match, who sits down, and what goes on writing it down (None: it was only read)."""

    match: Match
    seats: tuple[str, ...]
    keeper: Kept | None
    people: Mapping[int, str] = field(default_factory=dict)
    """Names by seat that were written down with it."""


def _locked(path: Path) -> Lock:
    try:
        return Lock(path)
    except InUse:
        raise InUse("This game is being played in another flicksim window. Leave it there first.") from None


def _folder() -> Path | None:
    folder = place("data")
    return None if folder is None else folder / "games"


def _number(path: Path) -> int:
    number = path.stem.rpartition("-")[2]
    return int(number) if number.isdecimal() and number.isascii() and len(number) < _DIGITS else -1


def _begun(folder: Path, header: Header) -> Recorder:
    """A new record under the next free number; another window may be taking one too."""
    number = max((_number(path) for path in folder.glob("*.jsonl")), default=0)
    while True:
        number = max(number, 0) + 1
        path = folder / f"game-{number:04d}.jsonl"
        try:
            # a line is safe from the end of this process once it is handed over; waiting for the disk would be seen
            return Recorder(path, header, durable=False)
        except BadFile:
            if not path.exists():
                raise


def ended(path: Path) -> bool:
    """True of the record of a game that was played to its end, wherever it lies.

    Raises:
        BadFile: it cannot be read.
    """
    return path.name.startswith(_ENDED) or read_record(path).ended


def kept() -> list[Path]:
    """The records of the last games, the newest first."""
    folder = _folder()
    if folder is None or not folder.is_dir():
        return []
    found = [path for path in folder.glob("*.jsonl") if _number(path) >= 0]
    return sorted(found, key=_number, reverse=True)


def last() -> Path | None:
    """The record of the last game left before its end, rather one that can be read; None when there is none."""
    left = [path for path in kept() if path.name.startswith("game-")]
    return next(filter(_whole, left), next(iter(left), None))


def _whole(path: Path) -> bool:
    try:
        read_record(path)
    except BadFile:
        return False
    return True


def told(path: Path) -> str:
    """A record in a few words: its game and how many turns it has.

    Raises:
        BadFile: it cannot be read.
    """
    record = read_record(path)
    title = load(record.header.game).title if record.header.game in names() else record.header.game
    many = len(record.turns)
    return f"{title}, {many} turn{'' if many == 1 else 's'}"


def game_of(path: Path) -> Game | None:
    """The game of a record; None where this flicksim has none of that name.

    Raises:
        BadFile: it cannot be read.
    """
    name = read_record(path).header.game
    return load(name) if name in names() else None


def sat(path: Path) -> str:
    """Those who sat down to a recorded game, and the seed its chance came from.

    Raises:
        BadFile: it cannot be read.
    """
    header = read_record(path).header
    known = load(header.game).seat_names if header.game in names() else ()
    who = (f"{known[k] if k < len(known) else f'Seat {k + 1}'}: {word}" for k, word in enumerate(header.seats))
    return f"{', '.join(who)}. Seed {header.seed}."


def resumed(path: Path, *, writing: bool = True) -> Resumed:
    """Play a recorded game again up to where it was left. May take a while: not for the window's own thread.

    Args:
        writing: go on with the record too.

    Raises:
        BadFile: it cannot be read, or does not play again as it was written.
    """
    record = read_record(path)
    header = record.header
    if any(parse_seat(word).kind == "cmd" for word in header.seats):
        # a file from somebody else must not start programs unasked
        raise BadFile(f"{path.name!r} starts a program; go on with it from the shell, by --resume and its seats")
    replay, _ = reopened(record)
    match = replay.match
    with ExitStack() as held:
        lock = held.enter_context(_locked(path)) if writing else None
        for _ in replay.run():
            pass
        if replay.divergence is not None:
            raise BadFile(f"{path.name!r} cannot be gone on with: {replay.divergence}")
        keeper = None
        if writing and not match.over:
            keeper = Kept(match, header.seats, go_on(record, durable=False, lock=lock))
            held.pop_all()
    known = card(path)
    named = {} if known is None else {seat: name for seat, name in enumerate(known.people) if name}
    return Resumed(match, tuple(header.seats), keeper, named)
