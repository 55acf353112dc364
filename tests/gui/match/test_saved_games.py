"""Saved games: summaries, points by name, the final scene, and games resumed and restarted."""

import os
import re
from datetime import datetime
from math import pi
from pathlib import Path

import pygame
import pytest

from flicksim.core.errors import FileLocked
from flicksim.core.serialization import to_json
from flicksim.games import load
from flicksim.gui.app import App
from flicksim.gui.board_view.board_screen import BoardScreen
from flicksim.gui.card_view.card_screen import CardScreen
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.game_views.ice.ice_screen import IceScreen
from flicksim.gui.match import saved_games, start_match
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.match.replay import ReplayScreen
from flicksim.gui.match.saved_games import GameSaver, ResumedGame
from flicksim.gui.match.start_match import open_replay, resume_match
from flicksim.gui.menus.open_files import OpenScreen
from flicksim.gui.menus.openable_items import item_from_path, list_items, shared_item
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import Canvas, translation
from flicksim.match import Match, encode_match, format_game
from flicksim.match.record_format import DigestChain
from flicksim.scene import Flick
from tests.matches import new_match

from ..conftest import Driver, penny_white_match
from ..ice_helpers import ice_match

pytestmark = pytest.mark.usefixtures("home")


def saved_game(match: Match, seats: tuple[str, ...], turns: int) -> Path:
    """Record of a game after a number of turns, or at its end."""
    keeper = GameSaver(match, seats)
    for turn in match.run():
        keeper.write_turn(turn)
        if len(match.turns) == turns:
            break
    keeper.close()
    return saved_games.saved_records()[0]


def sealed_anew(record: bytes) -> bytes:
    """An altered record with the digests of its lines as they are now."""
    chain = DigestChain()
    return b"".join(chain.append(re.sub(rb',"chain":"\w+"}', b"}", line)) + b"\n" for line in record.splitlines())


def test_a_finished_game_has_a_result_summary(app: App, drive: Driver) -> None:
    match = penny_white_match("random", "random", ends=1)
    match.player_names = {0: "Ada"}
    path = saved_game(match, ("random", "random"), 1000)
    card = saved_games.load_summary(path)
    assert path.name == "done-0001.jsonl"
    assert card.result == match_text.result_text(match)
    assert [name for name, _ in card.scores] == ["Ada", "Red"]
    assert card.final_scene == match.state.scene
    screen = OpenScreen(app, discover_game_views())
    app.push(screen)
    drive.frames(2)
    assert screen.items[0].summary == card
    assert card.result in screen.items[0].title
    assert screen.draw_position(Canvas(app.surface), screen.picture)


def test_a_finished_record_of_any_name_is_replayed(home: Path, app: App, drive: Driver) -> None:
    match = penny_white_match("random", "random", ends=1)
    mine = home / "mine.jsonl"
    mine.write_bytes(saved_game(match, ("random", "random"), 1000).read_bytes())
    one = item_from_path(mine)
    assert one.is_finished
    assert one.text.startswith("Played to the end, kept as mine.jsonl.")
    screen = OpenScreen(app, discover_game_views(), mine)
    app.push(screen)
    assert screen.primary_button.label == "Look through"
    drive.until(lambda: screen.items[0].summary)
    assert screen.items[0].summary.result == match_text.result_text(match)
    left = saved_game(penny_white_match("random", "random"), ("random", "random"), 3)
    assert not item_from_path(left).is_finished


def test_an_altered_record_is_not_offered(home: Path, app: App, drive: Driver) -> None:
    mine = home / "mine.jsonl"
    record = saved_game(penny_white_match("random", "random", ends=1), ("random", "random"), 2).read_bytes()
    altered = record.replace(b'"offset":0.0', b'"offset":0.1', 1)
    mine.write_bytes(altered)
    reason = "'mine.jsonl' was altered after it was written: digest of line 2; no turn is before it"
    assert item_from_path(mine).error == reason
    mine.write_bytes(sealed_anew(altered))
    screen = OpenScreen(app, discover_game_views(), mine)
    app.push(screen)
    assert screen.primary_button.label == "Play on"
    drive.until(lambda: screen.selected.error)
    error = "'mine.jsonl' cannot be gone on with: turn 1: action made recorded as "
    error += "offset=0, replayed as offset=0.1"
    drive.keys(pygame.K_DOWN, pygame.K_UP, pygame.K_RETURN)
    assert screen.selected.error == error
    assert not screen.primary_button.enabled
    assert app.top is screen


@pytest.mark.parametrize(
    ("is_previewed", "is_sealed", "old", "new"),
    [
        (True, True, b'"offset":0.0', b'"offset":0.1'),
        (False, True, b'"offset":0.0', b'"offset":0.1'),
        (False, True, b'"state":"', b'"state":"0'),  # found after the turn is played
        (False, False, b'"offset":0.0', b'"offset":0.1'),  # found by its digest when it is listed
        (False, False, b"{", b""),
    ],
)
def test_the_turns_before_an_alteration_are_gone_on_with_in_a_new_game(
    app: App, drive: Driver, is_previewed: bool, is_sealed: bool, old: bytes, new: bytes
) -> None:
    match = penny_white_match("human", "human")
    keeper = GameSaver(match, ("human", "human"))
    for piece, speed in (("white", 1.45), ("blue-1", 1.2), ("red-1", 1.2)):
        flick = Flick(piece=piece, speed=speed, azimuth=pi / 2.0, start=(0.15, 0.03985))
        keeper.write_turn(match.play(flick))
    keeper.close()
    played = saved_games.saved_records()[0]
    lines = played.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(old, new, 1)
    altered = b"".join(lines)
    played.write_bytes(altered := sealed_anew(altered) if is_sealed else altered)
    with pytest.raises(saved_games.AlteredGame) as wrong:
        saved_games.resume(played)
    assert wrong.value.sound_turns == 2
    if new:
        with pytest.raises(saved_games.AlteredGame):
            saved_games.replay_sound_turns(played, 3, lambda _replayed, _count: None)
    if is_previewed:
        played.with_suffix(".card.json").unlink()
    screen = drive.show(OpenScreen(app, discover_game_views()))
    if not is_previewed:
        assert bool(screen.selected.sound_turns) is not is_sealed
    if not is_previewed and is_sealed:
        drive.key(pygame.K_RETURN)
    drive.until(lambda: screen.selected.sound_turns)
    reason, german = f"line 4 of {str(played)!r}: ", f"Zeile 4 von {str(played)!r}: "
    if is_sealed:
        reason, german = f"'{played.name}' cannot be gone on with: turn 3: ", "kann nicht weitergespielt werden: Zug 3:"
    elif new:
        reason = f"'{played.name}' was altered after it was written: digest of line 4. "
        german = f"'{played.name}' wurde nach dem Schreiben verändert: Prüfsumme der Zeile 4. "
    assert screen.selected.text.startswith(reason)
    assert translation.set_language("de") == ""
    told = translation.translate(screen.selected.text)
    translation.set_language("en")
    assert german in told
    assert told.endswith("Die Züge davor, 2 im Ganzen, lassen sich ansehen oder in einer neuen Partie weiterspielen; "
                         "die Datei bleibt, wie sie ist.")  # fmt: skip
    assert (screen.primary_button.label, screen.primary_button.enabled) == ("Play on", True)
    drive.key(pygame.K_RETURN)
    drive.until(lambda: isinstance(app.top, BoardScreen))
    assert len(drive.top_screen.match.turns) == 2
    drive.keys(pygame.K_UP, pygame.K_SPACE)
    drive.wait_for_phase("show")
    app.replace_all()
    assert played.read_bytes() == altered
    kept = next(path for path in saved_games.saved_records() if path != played)
    assert len(saved_games.resume(kept, is_recording=False).match.turns) == 3


@pytest.mark.parametrize("turns", [40, 1000])
def test_what_enter_does_stays_when_an_alteration_is_found(home: Path, app: App, drive: Driver, turns: int) -> None:
    record = saved_game(new_match("dominoes", "random", "random", seed=3), ("random", "random"), turns)
    lines = record.read_bytes().splitlines(keepends=True)
    lines[9] = lines[9].replace(b'"state":"', b'"state":"0')
    (mine := home / "mine.jsonl").write_bytes(sealed_anew(b"".join(lines)))
    screen = drive.show(OpenScreen(app, discover_game_views(), mine))
    label = screen.primary_button.label
    assert label == ("Look through" if turns == 1000 else "Play on")
    drive.until(lambda: screen.selected.sound_turns)
    assert screen.primary_button.label == label
    screen.open_selected(is_primary=label == "Play on")
    drive.until(lambda: app.top is not screen)
    assert isinstance(app.top, CardScreen), "the turns before it are gone on with"
    assert len(app.top.match.turns) == 8


def test_games_copied_beside_the_saved_ones_are_listed_and_kept(drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    own = saved_game(penny_white_match("random", "random"), ("random", "random"), 3)
    for name in ("mine.jsonl", "mine-7.jsonl", ".mine.jsonl", "mine.jsonl.part"):
        own.with_name(name).write_bytes(own.read_bytes())
    own.with_name("folder.jsonl").mkdir()
    monkeypatch.setattr(saved_games, "_MAX_GAMES", 1)
    last = saved_game(penny_white_match("random", "random", seed=6), ("random", "random"), 3)
    assert last.name == "game-0002.jsonl"
    screen = drive.show(OpenScreen(drive.app, discover_game_views()))
    records = [item.path.name for item in screen.items if item.path is not None]
    assert records == ["game-0002.jsonl", "mine-7.jsonl", "mine.jsonl"]
    assert saved_games.last_unfinished() == last


def test_saved_positions_are_listed_by_game_seat_and_time(home: Path) -> None:
    game = load("tiddlywinks")
    path = home / "tiddlywinks-0001.json"
    path.write_bytes(to_json(game.position_editor.empty_position()))
    day = datetime.fromtimestamp(path.stat().st_mtime)
    due = game.seat_names[game.rules.to_play(item_from_path(path).state)]
    assert item_from_path(path).title == f"Study · Tiddlywinks · {due} to play  ·  {day:%Y-%m-%d %H:%M}"
    assert translation.set_language("de") == ""
    try:
        assert "to play" not in translation.translate(item_from_path(path).title)
    finally:
        translation.set_language("en")


def test_an_unfinished_game_says_so() -> None:
    path = saved_game(penny_white_match("random", "random"), ("random", "random"), 3)
    card = saved_games.load_summary(path)
    assert path.name == "game-0001.jsonl"
    assert card.result == "Not over yet."
    path.with_suffix(".card.json").unlink()  # of a window that was killed
    assert "3 turns · not over yet  ·  " in item_from_path(path).title
    assert "cut off" not in item_from_path(path).text
    path.write_bytes(path.read_bytes()[:-1])
    assert item_from_path(path).text.endswith("Its last line was cut off: what it held is lost.")
    path.with_name("game-0002.jsonl").touch()
    titles = [item.title.partition(",")[0] for item in list_items()]
    assert titles[:2] == ["Penny White", "game-0002.jsonl"]  # what cannot be opened is before the shipped positions
    assert len(titles) > 2


def test_an_open_game_lists_no_points_before_any_is_given(home: Path) -> None:
    """Tiddlywinks gives its seven points at the end; the table counts what they would be if it ended now."""
    tiles = saved_game(new_match("dominoes", "random", "random", seed=3), ("random", "random"), 40)
    card = saved_games.load_summary(tiles)
    assert (card.final_scene, len(card.scores)) == (None, 2)
    match = new_match("tiddlywinks", *["random"] * 4, seed=3)
    path = saved_game(match, ("random",) * 4, 2)
    assert item_from_path(path).summary.scores == ()
    position = home / "position.json"
    position.write_bytes(to_json(match.game.positions.from_state(match.state, "Begun")))
    assert not [text for text in item_from_path(position).standing if re.fullmatch(r"\w+ 0", text)]


def test_a_game_that_was_cut_off_is_not_summed_up_by_an_earlier_turn() -> None:
    """The summary is written at the first turn and when the game is left."""
    match, seats = penny_white_match("random", "random"), ("random", "random")
    keeper = GameSaver(match, seats)
    for _, turn in zip(range(20), match.run(), strict=False):
        keeper.write_turn(turn)
    path = saved_games.saved_records()[0]
    assert any(match.scores)
    assert item_from_path(path).summary is None
    keeper.close()
    assert item_from_path(path).summary.scores == saved_games.summarize(match).scores


def test_a_resumed_game_restores_player_names(app: App) -> None:
    match = penny_white_match("human", "human")
    match.player_names = {0: "Ada", 1: "Ben"}
    keeper = GameSaver(match, ("human", "human"))
    keeper.write_turn(match.play(Flick(piece="white", speed=1.0, azimuth=pi / 2)))
    flicks = saved_games.saved_records()[0]
    assert saved_games.load_summary(flicks) is not None  # also where the window never came to close it
    with pytest.raises(FileLocked, match="played in another flicksim window"):
        saved_games.resume(flicks)
    keeper.close()
    resume_match(app, saved_games.resume(flicks))
    assert isinstance(app.top, MatchScreen)
    assert app.top.match.player_names == {0: "Ada", 1: "Ben"}
    tiles = new_match("dominoes", "human", "human")
    tiles.player_names = {0: "Ada", 1: "Ben"}
    keeper = GameSaver(tiles, ("human", "human"))
    keeper.write_turn(tiles.play(tiles.legal_actions().actions[0]))
    keeper.close()
    path = next(path for path in saved_games.saved_records() if path != flicks)
    open_replay(app, saved_games.resume(path, is_recording=False))
    assert isinstance(app.top, ReplayScreen)
    assert app.top.game.seat_names[:2] == ("Ada", "Ben")


def test_a_game_of_launches_counts_these_and_not_the_stacking(home: Path) -> None:
    match, seats = new_match("ice", "random", "random", seed=3), ("random", "random")
    stacked = saved_game(new_match("ice", *seats, seed=3), seats, 2)
    assert "Ice Tiddly Winks, 0 launches" in item_from_path(stacked).title
    path, text = saved_game(match, seats, 3), home / "game.fgn"
    text.write_text(format_game(match, seats))
    for item in (item_from_path(path), item_from_path(text), shared_item(encode_match(match))):
        assert "Ice Tiddly Winks, 1 launch" in item.title
        assert "launches" not in item.title


@pytest.mark.parametrize("text", [b"", b"{", b'{"result": 3}'])
def test_an_invalid_summary_hides_no_game(home: Path, app: App, drive: Driver, text: bytes) -> None:
    path = saved_game(penny_white_match("random", "random", ends=1), ("random", "random"), 1000)
    (home / "data" / "games" / "done-0001.card.json").write_bytes(text)
    assert saved_games.load_summary(path) is None
    app.push(OpenScreen(app, discover_game_views()))
    drive.frames(2)
    assert saved_games.resume(path, is_recording=False).match.is_over


def test_an_invalid_newest_record_is_skipped_and_listed_after_those_with_their_time() -> None:
    older = saved_game(penny_white_match("random", "random"), ("random", "random"), 3)
    newer = saved_game(penny_white_match("random", "random", seed=6), ("random", "random"), 3)
    assert saved_games.last_unfinished() == newer
    newer.write_bytes(b"\x00 nothing of a game")
    assert saved_games.last_unfinished() == older
    items = list_items()
    assert [item.path for item in items[:2]] == [older, newer], "before the shipped positions"
    assert items[0].title.endswith(f"  ·  {datetime.fromtimestamp(older.stat().st_mtime):%Y-%m-%d %H:%M}")
    assert len(items) > 2
    older.write_bytes(b"{}")
    os.utime(older, (1, 1))
    assert saved_games.last_unfinished() == newer, "where none can be read, the newest says why"


def test_the_last_game_is_the_one_resumed_last() -> None:
    older = saved_game(penny_white_match("random", "random"), ("random", "random"), 3)
    newer = saved_game(penny_white_match("random", "random", seed=6), ("random", "random"), 3)
    for seconds, path in enumerate((older, newer), start=1):
        os.utime(path, (seconds, seconds))
    assert saved_games.saved_records() == [newer, older]
    saved_games.resume(older, is_recording=False)
    assert saved_games.last_unfinished() == newer, "looking through it plays nothing"
    resumed = saved_games.resume(older)
    assert saved_games.last_unfinished() == older, "before it is closed too, as after a crash"
    assert saved_games.saved_records() == [older, newer]
    resumed.recorder.close()


def test_seats_of_a_game_of_cards_have_their_occupants_names() -> None:
    match = new_match("tinkle", "random", "random", "random", seed=1)
    match.player_names = {0: "Max", 2: "Bob"}
    item = item_from_path(saved_game(match, ("human", "random", "human"), 2))
    assert "Max: human, Cy: random, Bob: human. Seed 1." in item.text


def test_seats_of_one_person_have_distinct_names() -> None:
    assert start_match.solo_names(penny_white_match("human", "human"), "Ada") == {0: "Ada", 1: "also Ada"}
    assert start_match.solo_names(penny_white_match("human", "human"), "") == {0: "you", 1: "also you"}
    assert start_match.solo_names(penny_white_match("human", "bot:club"), "Ada") == {0: "Ada"}


@pytest.mark.parametrize(("grade", "waits"), [("beginner", True), ("club", False)])
def test_a_beginner_bot_waits_in_resumed_and_restarted_games(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch, grade: str, waits: bool
) -> None:
    seats = ("human", f"bot:{grade}")
    match = ice_match(*seats)
    resume_match(app, ResumedGame(match, seats, GameSaver(match, seats)))
    table = drive.top(IceScreen)
    assert table.controller.bots_wait is waits
    begun: list[bool] = []
    monkeypatch.setattr(start_match, "start_match", lambda *_, bots_wait, **_more: begun.append(bots_wait))
    table.session.restart()
    assert begun == [waits]
    drive.frames()
