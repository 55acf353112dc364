"""Dominoes in the window: by keys, by mouse, refused, hidden, counted."""

from __future__ import annotations

from threading import Event
from typing import Any

import pygame
import pytest

from flicksim.cards import Lay, Pass
from flicksim.games.dominoes.deck import HANDS
from flicksim.play import Thoughts
from flicksim.ui.cards import tile_faces
from flicksim.ui.cards.review import CardReplay
from flicksim.ui.cards.sheet import CardEndScreen, RoundScreen
from flicksim.ui.faces.dominoes import snake
from flicksim.ui.frame.app import App
from flicksim.ui.frame.help import HelpScreen
from flicksim.ui.kit import language
from flicksim.ui.match.overlays import PauseScreen

from ...at_cards import Hands, cards, sit
from ...conftest import Keeper


@pytest.fixture
def hands(app: App) -> Hands:
    return Hands(app)


def test_a_whole_game_is_played_by_keys_alone(app: App, hands: Hands) -> None:
    keeper = Keeper()
    table = sit(app, cards("dominoes", "human", "bot:club", "bot:club", options=("rounds=2",)), keeper)
    sheets = 0
    for _ in range(200):
        hands.wait()
        if isinstance(app.top, RoundScreen):
            sheets += 1
            assert "pips left" in app.top.sheet.heads
            hands.key(pygame.K_RETURN)
        elif isinstance(app.top, CardEndScreen):
            break
        else:
            hands.key(pygame.K_RETURN)
    assert isinstance(app.top, CardEndScreen)
    assert sheets == 1
    assert table.match.over
    assert sum(table.match.state.sheet[k].points.count(1) for k in (0, 1)) >= 2
    assert keeper.told == [f"turn {turn.number}" for turn in table.match.turns]


def test_a_hand_bears_the_name_of_who_sits_there(app: App, hands: Hands) -> None:
    match = cards("dominoes", "human", "random", "random", "random", options=("rounds=1",))
    match.people[0] = "Ada"
    sit(app, match)
    app.frame(0.02)
    assert "Your hand (Ada)" in hands.words()


def test_the_end_is_chosen_by_up_and_down(app: App, hands: Hands) -> None:
    table = sit(app, cards("dominoes", "human", "human", seed=8))
    for _ in range(60):
        hands.wait()
        if table.veiled:
            hands.key(pygame.K_RETURN)
        cloth: Any = table.cloth
        if len(cloth.ways()) == 2:
            break
        hands.key(pygame.K_RETURN)
    first = cloth.end
    hands.key(pygame.K_UP)
    assert cloth.end != first
    end, tile = cloth.end, cloth.rack.current
    assert cloth.buttons()[0].label == f"Play {tile} {end}"
    hands.key(pygame.K_SPACE)
    hands.until_settled()
    assert table.match.turns[-1].made == Lay(tile=tile, end=end)


def test_a_tile_is_dragged_to_an_end(app: App, hands: Hands) -> None:
    table = sit(app, cards("dominoes", "human", "bot:club", "bot:club", seed=3))
    for _ in range(8):
        hands.wait()
        cloth: Any = table.cloth
        offered = cloth.offers(Lay)
        if table.match.turns and offered:
            break
        hands.key(pygame.K_RETURN)
    action = offered[-1]
    hands.drag(hands.grip(action.tile), cloth.slots()[action.end].center)
    hands.until_settled()
    mine = [turn for turn in table.match.turns if turn.seat == 0]
    assert mine[-1].made == action


def test_a_tile_dropped_on_the_hand_stays(app: App, hands: Hands) -> None:
    table = sit(app, cards("dominoes", "human", "human", seed=3))
    hands.wait()
    if table.veiled:
        hands.key(pygame.K_RETURN)
    rack = table.cloth.rack
    hands.drag(hands.grip(rack.items[0]), (rack.rect.right - 20, rack.rect.bottom - 10))
    assert not table.match.turns
    assert not rack.dragged


def test_what_does_not_fit_is_refused_with_its_rule(app: App, hands: Hands) -> None:
    table = sit(app, cards("dominoes", "human", "bot:club", "bot:club", seed=3))
    for _ in range(9):
        hands.wait()
        cloth: Any = table.cloth
        bad = [tile for tile in cloth.rack.items if tile not in {action.tile for action in cloth.offers(Lay)}]
        if table.match.turns and bad and cloth.offers(Lay):
            break
        hands.key(pygame.K_RETURN)
    before = table.match.state
    while cloth.rack.current is not bad[0]:
        hands.key(pygame.K_RIGHT)
    assert "does not fit" in cloth.lacks()
    hands.key(pygame.K_RETURN)
    assert "(DO-B10)" in hands.words()
    hands.key(pygame.K_n)
    assert "(DO-X1)" in hands.words()
    assert Pass not in {type(action) for action in cloth.choices.actions}
    assert not any(button.label == "Pass" for button in cloth.buttons())
    assert table.match.state is before


def test_the_hand_stays_hidden_until_its_seat_is_there(app: App, hands: Hands) -> None:
    table = sit(app, cards("dominoes", "human", "human"))
    first = table.match.to_play
    assert table.veiled
    assert table.viewer is None
    assert not table.cloth.rack.items
    assert all(not zone.cards for zone in table.cloth.view.zones.piles.values() if zone.sees != "all")
    assert f"Pass to {table.match.game.seat_names[first or 0]}" in hands.words()
    hands.key(pygame.K_RETURN)
    assert table.viewer == first
    assert table.cloth.rack.items
    while table.match.to_play == first:
        hands.key(pygame.K_RETURN)
        hands.until_settled()
    assert table.veiled
    assert not table.cloth.rack.items
    hands.click(hands.button("I am ready").rect.center)
    assert table.viewer == table.match.to_play != first


def test_nothing_hidden_is_drawn(app: App, hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: set[frozenset[int]] = set()
    picture = tile_faces.tile

    def seen(first: int, second: int, side: int, upright: bool) -> pygame.Surface:
        drawn.add(frozenset((first, second)))
        return picture(first, second, side, upright)

    monkeypatch.setattr(tile_faces, "tile", seen)
    table = sit(app, cards("dominoes", "human", "bot:club", "bot:club", "bot:club", seed=4))
    for _ in range(12):
        hands.wait()
        if app.top is not table:
            break
        view = table.cloth.view
        assert view.seeds is None
        assert not any(view.zones[HANDS[seat]].cards for seat in (1, 2, 3))
        drawn.clear()
        app.frame(0.01)
        may = {frozenset((t.high, t.low)) for t in view.zones.every()}
        assert drawn <= may
        hands.key(pygame.K_RETURN)


def test_undo_help_menu_and_hint(app: App, hands: Hands) -> None:
    table = sit(app, cards("dominoes", "human", "bot:club", "bot:club", seed=3))
    hands.wait()
    hands.key(pygame.K_RETURN)
    hands.until_settled()
    hands.wait()
    count = len(table.match.turns)
    hands.key(pygame.K_u)
    assert len(table.match.turns) < count
    hands.key(pygame.K_h)
    for _ in range(200):
        hands.frames()
        if "club player would" in hands.words():
            break
        pygame.time.wait(1)
    assert "club player would" in hands.words()
    hands.key(pygame.K_QUESTION, text="?")
    assert isinstance(app.top, HelpScreen)
    hands.key(pygame.K_ESCAPE)
    hands.key(pygame.K_ESCAPE)
    assert isinstance(app.top, PauseScreen)
    hands.key(pygame.K_DOWN)
    hands.key(pygame.K_RETURN)
    review = app.top
    assert isinstance(review, CardReplay)
    hands.key(pygame.K_v)  # while the game goes on no hand is shown
    assert not review.open
    assert not any(review.cloth.view.zones[HANDS[seat]].cards for seat in range(3))


@pytest.mark.parametrize("one_arm", [True, False])
@pytest.mark.parametrize("wide", [9.0, 14.0, 30.0])
def test_a_bent_line_never_lies_on_itself(one_arm: bool, wide: float) -> None:
    chain = [(6, 6), (6, 5), (5, 5), (5, 1), (1, 1), (1, 0), (0, 0), (0, 2), (2, 2), (2, 4), (4, 4), (4, 3)] * 2
    for lead in (0,) if one_arm else (0, 7, 12, 23):
        line = snake.lay(chain, lead, wide, one_arm=one_arm)
        assert len(line.tiles) == len(chain)
        boxes = []
        for laid in line.tiles:
            w, h = (1.0, 2.0) if laid.upright else (2.0, 1.0)
            boxes.append((laid.x - w / 2, laid.y - h / 2, laid.x + w / 2, laid.y + h / 2))
        for k, a in enumerate(boxes):
            assert a[0] >= -wide / 2 - 1e-9
            assert a[2] <= wide / 2 + 1e-9
            for b in boxes[:k]:
                over = min(a[2], b[2]) - max(a[0], b[0]) > 1e-9 and min(a[3], b[3]) - max(a[1], b[1]) > 1e-9
                assert not over
        # tiles that lie keep their places when the line grows
        longer = snake.lay([*chain, (3, 5)], lead, wide, one_arm=one_arm)
        assert longer.tiles[: len(chain)] == line.tiles


def test_the_table_says_that_a_bot_waits_for_the_compiler(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    says = "Getting the bots' thought ready, once: 0 of 2 parts. They wait half a minute or so."
    goes_on = Event()
    monkeypatch.setattr(Thoughts, "wait", lambda _self: goes_on.wait(60.0))
    monkeypatch.setattr(Thoughts, "begin", lambda _self: None)
    monkeypatch.setattr(Thoughts, "brief", says)
    screen = sit(app, cards("dominoes", "bot:expert", "bot:expert"))
    try:
        app.frame(0.5)
        assert screen.course.stage == "think"
        assert screen.awaited == says
        assert language.use("de") == ""
        assert language.said(screen.awaited).startswith("Einmalige Vorbereitung der Bots")
    finally:
        language.use("en")
        screen.close()
        goes_on.set()
