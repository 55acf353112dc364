"""Kept games at a glance: how they ended, the points by name, and the table as it lay."""

from __future__ import annotations

from datetime import datetime
from math import pi
from pathlib import Path

import pytest

from flicksim.base.codec import to_json
from flicksim.base.errors import InUse
from flicksim.games import load
from flicksim.play import Match, open_match, parse_seat
from flicksim.referee import parse_options
from flicksim.table import Flick
from flicksim.ui.faces import found
from flicksim.ui.frame.app import App
from flicksim.ui.front.open_files import OpenScreen, opened
from flicksim.ui.kit import language
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.match import kept_games
from flicksim.ui.match.at_table import AtTable
from flicksim.ui.match.kept_games import Kept
from flicksim.ui.match.starting import go_on
from flicksim.ui.table import standing

from ..conftest import Driver, match_of


def kept(match: Match, seats: tuple[str, ...], turns: int) -> Path:
    """A game played and left after so many turns, or at its end."""
    keeper = Kept(match, seats)
    for turn in match.run():
        keeper.turn(turn)
        if len(match.turns) == turns:
            break
    keeper.close()
    return kept_games.kept()[0]


def test_a_finished_game_says_how_it_ended(home: Path, app: App, drive: Driver) -> None:
    del home
    match = match_of("random", "random", options=("ends=1",))
    match.people = {0: "Ada"}
    path = kept(match, ("random", "random"), 1000)
    card = kept_games.card(path)
    assert path.name == "done-0001.jsonl"
    assert card is not None
    assert card.result == standing.result(match)
    assert [name for name, _ in card.scores] == ["Ada", "Red"]
    assert card.lying == match.state.scene
    screen = OpenScreen(app, found())
    app.push(screen)
    drive.frames(2)
    assert screen.found[0].card == card
    assert card.result in screen.found[0].title
    assert screen.draw_position(Canvas(app.surface), screen.picture)


def test_a_finished_game_in_a_file_of_any_name_is_looked_through_and_tells_its_result(
    home: Path, app: App, drive: Driver
) -> None:
    match = match_of("random", "random", options=("ends=1",))
    mine = home / "mine.jsonl"
    mine.write_bytes(kept(match, ("random", "random"), 1000).read_bytes())
    one = opened(mine)
    assert one.ended
    assert one.says.startswith("Played to the end, kept as mine.jsonl.")
    screen = OpenScreen(app, found(), mine)
    app.push(screen)
    assert screen.first.label == "Look through"
    drive.frames()
    assert screen.replayed is not None
    screen.replayed.result()
    drive.frames()
    told = screen.stands(one)
    assert told is not None
    assert told.result == standing.result(match)
    left = kept(match_of("random", "random"), ("random", "random"), 3)
    assert not opened(left).ended


def test_positions_of_ones_own_are_listed_by_game_turn_and_day(home: Path) -> None:
    game = load("tiddlywinks")
    assert game.setting is not None
    path = home / "tiddlywinks-0001.json"
    path.write_bytes(to_json(game.setting.bare()))
    day = datetime.fromtimestamp(path.stat().st_mtime)
    due = game.seat_names[game.rules.to_play(opened(path).state)]
    assert opened(path).title == f"Study · Tiddlywinks · {due} to play  ·  {day:%Y-%m-%d}"
    assert language.use("de") == ""
    try:
        assert "to play" not in language.said(opened(path).title)
    finally:
        language.use("en")


def test_one_that_was_left_says_that_it_is_not_over(home: Path) -> None:
    del home
    path = kept(match_of("random", "random"), ("random", "random"), 3)
    card = kept_games.card(path)
    assert path.name == "game-0001.jsonl"
    assert card is not None
    assert (card.result, card.short) == ("Not over yet.", "not over yet")


def test_names_are_known_again_when_a_game_is_gone_on_with(home: Path, app: App) -> None:
    del home
    match = match_of("human", "human")
    match.people = {0: "Ada", 1: "Ben"}
    keeper = Kept(match, ("human", "human"))
    keeper.turn(match.play(Flick(piece="white", speed=1.0, azimuth=pi / 2)))
    path = kept_games.kept()[0]
    assert kept_games.card(path) is not None  # also where the window never came to close it
    with pytest.raises(InUse, match="played in another flicksim window"):
        kept_games.resumed(path)
    keeper.close()
    go_on(app, kept_games.resumed(path))
    assert isinstance(app.top, AtTable)
    assert app.top.match.people == {0: "Ada", 1: "Ben"}


@pytest.mark.parametrize("text", [b"", b"{", b'{"result": 3}'])
def test_a_spoiled_card_hides_no_game(home: Path, app: App, drive: Driver, text: bytes) -> None:
    path = kept(match_of("random", "random", options=("ends=1",)), ("random", "random"), 1000)
    (home / "data" / "games" / "done-0001.card.json").write_bytes(text)
    assert kept_games.card(path) is None
    app.push(OpenScreen(app, found()))
    drive.frames(2)
    assert kept_games.resumed(path, writing=False).match.over


def test_cards_of_games_with_tiles_have_points_and_no_table(home: Path) -> None:
    del home
    game = load("dominoes")
    match = open_match(game, parse_options(game, []), [parse_seat("random")] * 2, 3)
    card = kept_games.card(kept(match, ("random", "random"), 10))
    assert card is not None
    assert card.lying is None
    assert len(card.scores) == 2


def test_a_spoiled_newest_game_leaves_the_one_before_to_be_continued(home: Path) -> None:
    del home
    older = kept(match_of("random", "random"), ("random", "random"), 3)
    newer = kept(match_of("random", "random", seed=6), ("random", "random"), 3)
    assert kept_games.last() == newer
    newer.write_bytes(b"\x00 nothing of a game")
    assert kept_games.last() == older
    older.write_bytes(b"{}")
    assert kept_games.last() == newer, "where none can be read, the newest says why"
