"""Tests of score gains and turn changes in card and tile games."""

import pygame
import pytest

from flicksim.cards import Meld
from flicksim.games.tinkle.state import Tinkle
from flicksim.gui.app import App
from flicksim.gui.card_view.card_screen import CardScreen
from flicksim.gui.table_view.effects import Effects
from flicksim.match import Turn

from ..card_helpers import card_match, open_card_screen
from ..conftest import Driver


def _played(screen: CardScreen, until: type | None = None) -> Turn:
    """Moves of random players until one of a kind is made, or a round is closed."""
    match = screen.match
    for _ in range(3000):
        turn = match.play(match.ask_player())
        if until is not None and isinstance(turn.made, until):
            return turn
        if until is None and getattr(turn.verdict.ruling, "closed", None) is not None:
            return turn
    raise AssertionError("it never came")


def test_points_of_a_round_fly_to_their_winners(app: App) -> None:
    screen = open_card_screen(app, card_match("dominoes", "random", "random", "random", rounds=2))
    card_table = screen.card_table
    turn = _played(screen)
    gained = [after - before for before, after in zip(turn.before.scores, turn.after.scores, strict=True)]
    won = card_table.score_gain(turn)
    assert [text for text, _, _ in won] == [
        f"{name}: +{more}" for name, more in zip(("Ann", "Bob", "Cy"), gained, strict=True) if more
    ]
    assert won
    places = [card_table.score_position(seat) for seat, more in enumerate(gained) if more]
    assert [end for _, _, end in won] == places
    assert all(app.surface.get_rect().collidepoint(end) for end in places)


def test_cards_put_down_fly_as_points_and_tokens_into_the_jar(app: App) -> None:
    screen = open_card_screen(app, card_match("tinkle", "random", "random", "random"))
    card_table = screen.card_table
    token = _played(screen, Tinkle)
    [(text, begin, end)] = card_table.score_gain(token)
    names = card_table.game.seat_names
    assert text == f"{names[token.seat]}: −{token.made.count}"
    assert (begin, end) == (card_table.score_position(token.seat), card_table.meld_area.jar.center)  # type: ignore[attr-defined]
    meld = _played(screen, Meld)
    [(text, _, end)] = card_table.score_gain(meld)
    points = text.removeprefix(f"{names[meld.seat]}: ").removesuffix(" points at the round's end")
    assert len(points) < len(text) - 20
    assert int(points) > 0
    assert end == card_table.score_position(meld.seat)


def test_gains_are_animated_before_the_turn_passes(app: App) -> None:
    screen = open_card_screen(app, card_match("dominoes", "random", "random", "random", rounds=2))
    app.preferences.card_pace = 0
    turn = _played(screen)
    screen.controller.turn, screen.controller.phase = turn, "hold"
    screen.controller.on_change()
    assert screen.effects.is_active
    assert "chime" in screen.sounds.played
    screen.controller.phase = "think"
    screen.effects = Effects()
    screen.turn_announcer.announced = None
    screen.announce_turn()
    assert screen.effects.banner is not None
    app.preferences.card_pace = 2
    screen.effects = Effects()
    screen.turn_announcer.announced = None
    screen.announce_turn()
    assert not screen.effects.is_active


def test_frame_rate_of_a_card_table_is_low_while_idle(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Items that fly are drawn smoothly; a person who thinks leaves the processor to others."""
    screen = open_card_screen(app, card_match("dominoes", "human", "random", seed=4))
    drive.until(lambda: screen.controller.phase == "choose", 0.1)
    drive.frames(60, 0.1)
    assert app.is_idle
    drive.key(pygame.K_LEFT)
    assert not app.is_idle
    monkeypatch.setattr(type(screen.card_table), "is_flying", True)
    assert screen.is_animating
