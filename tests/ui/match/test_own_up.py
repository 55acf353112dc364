"""Owning up in the window: found by key, menu, help and foot line; sentences, pieces and places; after the game too."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pygame
import pytest

from flicksim.games.ice.state import Disturb
from flicksim.games.penny_white.state import Disturb as Touch
from flicksim.games.tiddlywinks.state import Obstruct
from flicksim.play import Match
from flicksim.players import RandomPlayer
from flicksim.referee import OwnUp, Pick
from flicksim.ui.frame.app import App
from flicksim.ui.frame.help import HelpScreen
from flicksim.ui.kit import keys
from flicksim.ui.match.at_table import AtTable
from flicksim.ui.match.overlays import EndScreen, PauseScreen
from flicksim.ui.match.own_up import OwnUpScreen
from tests.waiting import until

from ..at_cards import cards
from ..at_ice import IceHands, ice_match
from ..at_winks import at_position, winks_match
from ..conftest import Driver, Keeper, match_of, table


def _sit(app: App, match: Match, keeper: Keeper | None = None) -> AtTable:
    app.show(table(app, match, keeper, None, own=True))
    app.frame(0.02)
    assert isinstance(app.top, AtTable)
    return app.top


def _flicked(drive: Driver) -> None:
    """The white set, and a penny flicked; the next to act is about to."""
    for _ in range(2):
        drive.until("choose")
        drive.key(pygame.K_SPACE)
        drive.until("show")
        drive.table.course.skip()


def test_a_touch_is_owned_up_to_before_the_bot_plays_on(app: App, drive: Driver) -> None:
    """PW-13d: in the bot's turn, by the one at the window; all is put back and his flick made again."""
    keeper = Keeper()
    match = match_of("human", "bot:club")
    screen = _sit(app, match, keeper)
    _flicked(drive)
    before = match.turns[1].before
    drive.until("hold", "think")
    assert "F3 own up" in screen.can()
    drive.key(pygame.K_F3)
    assert isinstance(app.top, OwnUpScreen)
    assert match.to_play == 1
    drive.frames(3)
    drive.key(pygame.K_RETURN)
    assert app.top is screen
    drive.until("choose")
    assert match.turns[2].made == Touch(how="touched")
    assert match.to_play == 0
    assert match.state.scene == before.scene
    assert keeper.told[-1] == "turn 3"


def test_esc_calls_it_off(app: App, drive: Driver) -> None:
    match = match_of("human", "human")
    screen = _sit(app, match)
    _flicked(drive)
    drive.until("choose")
    drive.key(pygame.K_F3)
    assert isinstance(app.top, OwnUpScreen)
    drive.key(pygame.K_ESCAPE)
    assert app.top is screen
    assert len(match.turns) == 2


def test_it_is_found_in_the_menu_and_the_help(app: App, drive: Driver) -> None:
    screen = _sit(app, match_of("human", "human"))
    assert any(row.shown == "F3" for row in keys.FLICKING.rows)
    drive.key(ord("?"), text="?")
    assert isinstance(app.top, HelpScreen)
    assert any(line.word == "F3" for line in app.top.pages["Keys"])
    drive.key(pygame.K_ESCAPE)
    screen.menu()
    drive.frames()
    assert isinstance(app.top, PauseScreen)
    button = next(widget for widget in app.top.form.widgets if widget.label == "Own up to something")
    drive.click(button.rect.center)
    drive.frames()
    assert isinstance(app.top, OwnUpScreen)


def test_after_the_last_flick(app: App, drive: Driver) -> None:
    """PW-13d: the game was over, and goes on."""
    match = match_of("human", "human", options=("ends=1", "pennies=1", "jack_mode=beginner"))
    _sit(app, match)
    for number in range(3):
        drive.until("choose")
        drive.key(pygame.K_RETURN if number == 0 else pygame.K_SPACE)
        drive.until("show", "hold")
        drive.table.course.skip()
        drive.until("choose", "hold")
        drive.table.course.go_on()
    drive.frames(2)
    assert isinstance(app.top, EndScreen)
    drive.key(pygame.K_F3)
    drive.frames()
    assert isinstance(app.top, OwnUpScreen)
    drive.key(pygame.K_ESCAPE)
    drive.frames(2)
    assert isinstance(app.top, EndScreen)  # nothing was said after all
    drive.key(pygame.K_F3)
    drive.frames()
    drive.key(pygame.K_RETURN)
    drive.until("hold", "choose")
    drive.key(pygame.K_SPACE)
    drive.until("choose")
    assert not match.over
    assert match.to_play == match.turns[-2].seat


def test_pieces_and_places_are_clicked(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    """TW-12b has both: the wink, then the place agreed upon, which may be left out."""
    among = ("red-1", "green-2", "blue-5")
    which = Pick(field="wink", says="Which wink?", kind="one", among=among)
    where = Pick(field="at", says="Where?", kind="point", none="no agreement")
    one = OwnUp(says="It was obstructed.", action=Obstruct(wink=""), pick=(which, where))
    monkeypatch.setattr(Match, "own_up", (one,))
    match = at_position(winks_match())
    screen = _sit(app, match)
    said: list[Any] = []
    monkeypatch.setattr(screen.course, "objection", lambda _action: "")
    monkeypatch.setattr(screen.course, "own_up", lambda action: said.append(action) or True)

    def begun() -> OwnUpScreen:
        drive.key(pygame.K_F3)
        drive.frames()
        asking = app.top
        assert isinstance(asking, OwnUpScreen)
        drive.key(pygame.K_RETURN)
        assert asking.pick == which
        return asking

    asking = begun()
    camera, there = screen.view.camera, match.state.scene.piece("blue-5").at
    drive.click(camera.to_screen(there))
    assert asking.pick == where
    drive.key(pygame.K_RETURN)  # no place yet
    assert app.top is asking
    drive.click(camera.to_screen((there[0] + 0.03, there[1])))
    drive.key(pygame.K_RETURN)
    assert app.top is screen
    assert said[0].wink == "blue-5"
    assert said[0].at == pytest.approx((there[0] + 0.03, there[1]), abs=6e-4)
    asking = begun()
    drive.key(pygame.K_DOWN)
    drive.key(pygame.K_RETURN)
    drive.type("12.5 -30")
    drive.key(pygame.K_RETURN)
    assert said[1] == Obstruct(wink="green-2", at=pytest.approx((0.0125, -0.03)))
    asking = begun()
    drive.key(pygame.K_RETURN)
    drive.click(drive.button("No agreement").rect.center)
    assert said[2] == Obstruct(wink="red-1", at=None)
    asking = begun()
    drive.key(pygame.K_ESCAPE)
    assert asking.one is None
    drive.key(pygame.K_ESCAPE)
    assert app.top is screen
    assert len(said) == 3


def test_what_the_rules_refuse_is_said_and_asked_again(app: App, drive: Driver) -> None:
    match = match_of("human", "human")
    screen = _sit(app, match)
    screen.course.objection = lambda _action: "not so (PW-0)"  # type: ignore[method-assign]
    drive.key(pygame.K_F3)
    drive.frames()
    drive.key(pygame.K_RETURN)
    drive.frames()
    assert isinstance(app.top, OwnUpScreen)
    assert app.top.wrong == "not so (PW-0)"
    assert not match.turns


def test_a_hand_among_pyramids(app: App) -> None:
    """ITW-3a: the pieces that a hand moved are named and lie where they lay."""
    match = ice_match("human", "human", left=2)
    draws = RandomPlayer(match.rules.check)
    rng = np.random.default_rng(1)
    while not match.state.committed:
        match.play(draws.choose(match.state, match.choices(), rng))
    state = match.state
    name = state.committed[0]
    kept = state.scene.piece(name)
    # as if something had swept it off the table as the missile came down
    swept = msgspec.structs.replace(state, scene=state.scene.without(name), former=state)
    match.turns[-1] = replace(match.turns[-1], after=swept)
    hands = IceHands(app, match)
    ice = hands.ice
    hands.key(pygame.K_F3)
    hands.wait(lambda: isinstance(app.top, OwnUpScreen))
    hands.key(pygame.K_RETURN)
    hands.key(pygame.K_SPACE)  # the only one there
    hands.key(pygame.K_RETURN)
    assert app.top is ice
    assert match.turns[-1].made == Disturb(pieces=(name,))
    assert match.state.scene.piece(name) == kept
    assert ice.course.stage == "choose"


def test_where_nobody_sits_or_nothing_can_be_said_there_is_nothing(app: App, drive: Driver) -> None:
    screen = _sit(app, cards("dominoes", "human", "random", "random"))
    until(lambda: screen.course.stage == "choose", lambda: drive.frames(1, 0.1))
    drive.key(pygame.K_F3)
    assert app.top is screen
    assert "nothing to own up" in drive.words()
    assert "F3" not in screen.can()
    bots = _sit(app, match_of("random", "random"))
    assert not bots.ownable
    assert "F3" not in bots.can()
