"""Entries of what can be opened: shipped and saved positions, recorded games, share codes, and any file."""

import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from flicksim import games, match
from flicksim.ai import stop_if_cancelled
from flicksim.core.atomic_files import path_exists, write_atomic
from flicksim.core.errors import FlicksimError, InvalidInput
from flicksim.core.file_signatures import GAME_AS_TEXT, SHARE_CODE, identify_file
from flicksim.core.limits import Text
from flicksim.core.serialization import from_json, read_bytes, read_document, to_json
from flicksim.core.type_aliases import Position, State
from flicksim.gui.match import saved_games
from flicksim.gui.match.share import FILE_SUFFIX, HIDDEN_WARNING
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit.user_folders import ensure_folder, user_folder
from flicksim.referee import Game, PositionNotation

_OPENED_FILE = "opened.json"
_MAX_FILES = 20
"""Number of files remembered; older ones are forgotten."""


@dataclass(frozen=True, slots=True)
class OpenableItem:
    """Entry of the list.

    Args:
        title: in the list. text: description. game, position, state: of a position. path: of a record. summary: of
            a recorded game. error: why it cannot be opened. is_over: True if a record is of a finished game.
            shared_game: game from a share code. is_study: True if every seat is played here by default. notation: game
            written as text; its turns are played again when it is opened. file: that it is from, its links followed;
            None if it is from none. sound_turns: of a record altered after so many, which alone are replayed, and gone
            on with in a new record; 0 of any other.
    """

    title: str
    text: str = ""
    game: Game | None = None
    position: Position = None
    state: State = None
    path: Path | None = None
    summary: saved_games.GameSummary | None = None
    error: str = ""
    is_over: bool = False
    shared_game: match.SharedGame | None = None
    is_study: bool = False
    notation: str = ""
    file: Path | None = None
    sound_turns: int = 0

    @property
    def as_listed(self) -> "OpenableItem":
        """The entry without what its replay may have found."""
        return replace(self, summary=None, is_over=False)

    @property
    def seat_count(self) -> int:
        """Number of seats of a position: as in its state, else the fewest that make a game."""
        assert self.game is not None
        count = getattr(self.state, "seats", None)
        return count if isinstance(count, int) else self.game.seats[0]

    @property
    def standing(self) -> list[str]:
        """Seat to act in a position, what is left and the points, as text; empty of any other entry."""
        if self.game is None or self.state is None:
            return []
        seat, names, editor = self.game.rules.to_play(self.state), self.game.seat_names, self.game.position_editor
        counts = () if editor is None else editor.counters(self.position)
        texts = [] if seat is None else [f"{names[seat]} to play"]
        texts += [f"{count.label}: {count.words[count.value - count.low] if count.words else count.value}"
                  for count in counts]  # fmt: skip
        scores = self.game.rules.scores(self.state)
        # not where counted already, nor before any point is given: some games give all of them at their end
        if any("points" in count.label for count in counts) or not any(scores):
            return texts
        pairs = zip(names, scores, strict=False)
        return [*texts, *(f"{name} {match_text.format_points(points)}" for name, points in pairs)]

    def replay(
        self, *, is_recording: bool = False, on_turn: saved_games.OnTurn = lambda *_: stop_if_cancelled()
    ) -> saved_games.ResumedGame:
        """Replay a recorded or shared game up to where it was left; slow.

        Args:
            is_recording: record its further turns too: of a game shared or written as text, all of them.
            on_turn: called after each turn.

        Raises:
            FlicksimError: it cannot be replayed.
        """
        if self.notation:
            played, seats = match.parse_game(self.notation, on_turn)
        elif self.shared_game is not None:
            played, seats = self.shared_game.open(), self.shared_game.seats
            for turn in self.shared_game.replay_turns(played):
                on_turn(turn.number, len(self.shared_game.turns))
        elif self.path is not None and self.sound_turns:
            played, seats = saved_games.replay_sound_turns(self.path, self.sound_turns, on_turn)
        else:
            assert self.path is not None
            return saved_games.resume(self.path, is_recording=is_recording, on_turn=on_turn)
        if not is_recording or played.is_over:
            return saved_games.ResumedGame(played, seats, None)
        if any(match.parse_seat(word).kind == "cmd" for word in seats):
            raise InvalidInput("the game would start a program to be gone on with; it can only be looked through")
        saver = saved_games.GameSaver(played, seats)
        for turn in played.turns:
            saver.write_turn(turn)
        return saved_games.ResumedGame(played, seats, saver)

    @property
    def is_finished(self) -> bool:
        """True of a game to be replayed: it is finished, or was shared."""
        return self.shared_game is not None or self.is_over


def _position_item(game: Game, notation: PositionNotation, read: Callable[[], Position], name: str) -> OpenableItem:
    try:
        position = read()
        state, _ = notation.start_state(position)
        return OpenableItem(position.title or name, position.look, game, position, state)
    except FlicksimError as wrong:
        return OpenableItem(name, error=str(wrong))


def _modified(path: Path) -> str:
    """Local time at which a file was last written, to the minute."""
    return f"{datetime.fromtimestamp(path.stat().st_mtime):%Y-%m-%d %H:%M}"


def _record_item(path: Path) -> OpenableItem:
    try:
        record = match.read_record(path, up_to_damage=True)
        game, over = saved_games.game_of(record), saved_games.is_finished(record)
        if record.tampering is not None:  # the turns before are offered
            wrong, count = _alteration_text(record), record.tampering.sound_turns
            if game is None or not count or any(word.startswith("cmd:") for word in record.header.seats):
                return OpenableItem(path.name, error=f"{wrong}; {record.tampering.keep_hint(path)}", path=path)
            fault = f"{'damaged' if record.tampering.is_damage else 'altered'} after turn {count}"
            title = f"{saved_games.record_text(record)} · {fault}  ·  {_modified(path)}"
            return OpenableItem(title, sound_turns_text(wrong, count), game, path=path, is_over=over, sound_turns=count)
        prefix = "Played to the end, kept" if over else "A game that can be gone on with, kept"
        text = f"{prefix} as {path.name}. {saved_games.seats_and_seed(record)}"
        text += " Its last line was cut off: what it held is lost." * record.is_truncated
        card = saved_games.current_summary(record)
        result = "not over yet" if not over else "" if card is None else card.result
        title = " · ".join(filter(None, (saved_games.record_text(record), result)))
        return OpenableItem(f"{title}  ·  {_modified(path)}", text, game, path=path, summary=card, is_over=over)
    except OSError as error:
        return OpenableItem(path.name, error=f"{path.name!r} cannot be read: {error.strerror}", path=path)
    except FlicksimError as error:
        return OpenableItem(path.name, error=str(error), path=path)


def _alteration_text(record: match.Record) -> str:
    """Text on the first line of a record that cannot be read, or whose digest is wrong."""
    assert record.tampering is not None
    what = record.tampering.what
    return what if record.tampering.is_damage else f"{record.path.name!r} was altered after it was written: {what}"


def sound_turns_text(wrong: str, count: int) -> str:
    """Text that offers the turns of a record before what is wrong with it."""
    return (
        f"{wrong}. The turns before it, {count} in all, can be looked through, or gone on with in a new game; the file "
        "stays as it is."
    )


def _notation_item(path: Path, text: str) -> OpenableItem:
    """Entry for a game written as text; its tags alone are read."""
    try:
        tags, lines = match.parse_tags(text)
        game = games.load(str(tags["Game"]))
    except FlicksimError as wrong:
        return OpenableItem(path.name, error=str(wrong), path=path)
    turns = [re.match(r"\d+\. \S+ +(\S+)", line) for _, line in lines]
    count = match.count_text([turn[1] for turn in turns if turn is not None])
    title = f"{game.title}, {count}  ·  {_modified(path)}"
    return OpenableItem(title, f"A game written as text, in {path.name}.", game, path=path, notation=text,
                        is_over="Forfeit" in tags or "; won by " in str(tags.get("Result", "")))  # fmt: skip


def shared_item(text: str) -> OpenableItem:
    """Entry for a share code of a game or position."""
    if not text.strip():
        return OpenableItem("Nothing that was shared", error="The clipboard is empty: copy a shared text first.")
    try:
        shared = match.decode_share_code(text)
        if isinstance(shared, match.SharedGame):
            game = shared.open().game
            hint = "To be looked through, or gone on with from where it stands."
            text = hint if game.uses_physics else f"{hint} {HIDDEN_WARNING}"
            return OpenableItem(f"Shared: {shared.title}", text, game, shared_game=shared)
        game, position = shared.decode()
        state, _ = match.position_notation(game).start_state(position)
        title = position.title if position.title != game.title else shared.title
        return OpenableItem(f"Shared: {title}", position.look, game, position, state, is_study=True)
    except FlicksimError as wrong:
        return OpenableItem("Nothing that was shared", error=wrong.sentence)


def item_from_path(path: Path) -> OpenableItem:
    """Entry for a file: a record, a share code, or a position of any game."""
    item = _item_of_file(path)
    try:
        return replace(item, file=Path(os.path.realpath(path)))
    except (OSError, ValueError):  # a link into a folder that may not be read
        return replace(item, file=path)


def _item_of_file(path: Path) -> OpenableItem:
    if wrong := match.explain_missing_code(str(path)):
        return OpenableItem(path.name, error=wrong)
    if path.is_dir():
        return OpenableItem(path.name, error=f"{str(path)!r} is a folder, not a file.")
    if path.suffix == ".jsonl":
        return _record_item(path)
    try:
        data = read_document(path, GAME_AS_TEXT, SHARE_CODE)
    except FlicksimError as wrong:
        return OpenableItem(path.name, error=str(wrong))
    if identify_file(data) == GAME_AS_TEXT:
        return _notation_item(path, data.decode(errors="replace"))
    if path.suffix == FILE_SUFFIX or identify_file(data) == SHARE_CODE:
        return shared_item(data.decode(errors="replace"))
    game = match.game_of_position(str(path))
    notation = match.position_notation(game)
    item = _position_item(game, notation, partial(notation.load, path), path.name)
    return item if item.error else replace(item, title=_position_title(item, game, path))


def _position_title(position: OpenableItem, game: Game, path: Path) -> str:
    """Title of a saved position in the list: its name, its game, the seat to act, and the time of the file."""
    seat = game.rules.to_play(position.state)
    turn = "" if seat is None else f"{game.seat_names[seat]} to play"
    called = " · ".join(filter(None, (position.title, game.title, turn)))
    with suppress(OSError):
        return f"{called}  ·  {_modified(path)}"
    return called


def list_lines(items: Sequence[OpenableItem]) -> list[str]:
    """Titles of entries; of files with the same title, after their names, with as many folders as tell them apart."""
    count = Counter(item.title for item in items)
    return [_line_with_file(item, items) if count[item.title] > 1 else item.title for item in items]


def _line_with_file(item: OpenableItem, items: Sequence[OpenableItem]) -> str:
    if item.file is None:
        return item.title
    own = item.file.parts
    others = [one.file.parts for one in items if one.title == item.title and one.file not in (None, item.file)]
    length = next(n for n in range(1, len(own) + 1) if all(parts[-n:] != own[-n:] for parts in others))
    name = str(Path(*own[-length:]))
    return name if item.title == item.file.name else f"{name}  ·  {item.title}"


def list_items() -> list[OpenableItem]:
    """Entries for games, the one played last first, files copied beside them, saved positions, files opened by path,
    those of them that cannot be opened, and shipped positions."""
    records = saved_games.saved_records()[:30] + saved_games.copied_records()[:30]
    items = [item_from_path(path) for path in records]
    folder = user_folder("data")
    own = sorted((folder / "positions").glob("*.json")) if folder is not None else []
    items += [item_from_path(path) for path in own]
    listed = {item.file for item in items}
    items += [item for item in map(item_from_path, opened_files()) if item.file not in listed]
    items.sort(key=lambda item: bool(item.error))
    for game, notation in games.games_with_positions():
        items += [
            _position_item(game, notation, partial(notation.load_builtin, name), name)
            for name in notation.builtin_names()
        ]
    return items


def opened_files() -> list[Path]:
    """Paths of remembered files that are still there, the last opened first."""
    folder = user_folder("data")
    with suppress(FlicksimError):  # a broken list is begun anew
        if folder is not None and path_exists(path := folder / "player" / _OPENED_FILE):
            known = from_json(read_bytes(path), tuple[Text, ...], name=_OPENED_FILE)
            return [Path(name) for name in known if os.path.isfile(name)]  # noqa: PTH113 - false of any wrong path
    return []


def remember_file(path: Path) -> None:
    """Remember a file as the last opened one."""
    folder = user_folder("data")
    if folder is not None:
        known = dict.fromkeys([path, *opened_files()])
        with suppress(FlicksimError, UnicodeError):  # it was opened all the same
            text = to_json([str(path) for path in known][:_MAX_FILES])
            write_atomic(ensure_folder(folder / "player") / _OPENED_FILE, text + b"\n")
