"""Tests of the dominoes view: keys, mouse, refusals, hidden hands, score sheet, layout of the line."""

from threading import Event
from typing import Any

import pygame
import pytest

from flicksim.cards import Pass, PlaceTile
from flicksim.games.dominoes.deck import HANDS
from flicksim.gui.app import App
from flicksim.gui.card_view import card_images
from flicksim.gui.card_view.card_game_view import CardReplay
from flicksim.gui.card_view.score_sheet import CardEndScreen, RoundScreen
from flicksim.gui.game_views.dominoes import line_layout
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import translation
from flicksim.match import BotWarmup

from ...card_helpers import CardDriver, card_match, open_card_screen
from ...conftest import FakeRecorder, replay_screen


@pytest.fixture
def driver(app: App) -> CardDriver:
    return CardDriver(app)


def test_a_game_can_be_played_by_keyboard(app: App, driver: CardDriver) -> None:
    recorder = FakeRecorder()
    table = open_card_screen(app, card_match("dominoes", "human", "bot:club", "bot:club", rounds=2), recorder)
    sheets = 0
    for _ in range(200):
        driver.wait()
        if isinstance(app.top, RoundScreen):
            sheets += 1
            assert "pips left" in app.top.sheet.headers
            driver.key(pygame.K_RETURN)
        elif isinstance(app.top, CardEndScreen):
            break
        else:
            driver.key(pygame.K_RETURN)
    assert isinstance(app.top, CardEndScreen)
    assert sheets == 1
    assert table.match.is_over
    assert sum(table.match.state.sheet[k].points.count(1) for k in (0, 1)) >= 2
    assert recorder.calls == [f"turn {turn.number}" for turn in table.match.turns]


def test_refusals_and_results_call_persons_by_their_names(app: App, driver: CardDriver) -> None:
    match = card_match("dominoes", "human", "human", rounds=1, seed=8)
    match.player_names |= {0: "Nora", 1: "Olaf"}
    table = open_card_screen(app, match)
    driver.key(pygame.K_RETURN)
    card_table: Any = table.card_table
    while card_table.playable_ends():
        driver.key(pygame.K_RIGHT)
    driver.key(pygame.K_RETURN)
    leader = match.player_names[match.to_play or 0]
    assert f"may not lead; {leader} must lead" in driver.screen_text()
    while not match.is_over:
        match.play(match.legal_actions().actions[0])
    title = card_table.score_columns(match.turns[-1])[0]
    assert "Nora" in title or "Olaf" in title


def test_the_replay_from_the_result_calls_players_by_their_names(app: App, driver: CardDriver) -> None:
    match = card_match("dominoes", "human", "random", rounds=1, seed=8)
    match.player_names |= {0: "Zoe 57", 1: "Blue"}
    open_card_screen(app, match)
    assert "Your hand (Zoe 57)" in driver.screen_text()
    while not isinstance(app.top, CardEndScreen):
        driver.wait()
        driver.key(pygame.K_RETURN)
    driver.key(pygame.K_a)
    app.run_frame(0.02)
    replay = driver.top(CardReplay)
    assert replay.game.seat_names[:2] == ("Zoe 57", "Blue")
    keys = [match_text.seat_key(replay.game, seat) for seat in (0, 1)]
    assert keys == [match_text.seat_key(match.game, seat) for seat in (0, 1)], "a name is no colour"
    assert keys[0] != keys[1]
    assert "Zoe 57" in driver.screen_text()
    assert any("Zoe 57" in line for line in replay.list.lines)
    assert not any("Ann" in text for text in (*replay.list.lines, driver.screen_text()))


def test_up_and_down_select_the_end(app: App, driver: CardDriver) -> None:
    table = open_card_screen(app, card_match("dominoes", "human", "human", seed=8))
    for _ in range(60):
        driver.wait()
        if table.is_hand_hidden:
            driver.key(pygame.K_RETURN)
        card_table: Any = table.card_table
        if len(card_table.playable_ends()) == 2:
            break
        driver.key(pygame.K_RETURN)
    first = card_table.open_end
    driver.key(pygame.K_UP)
    assert card_table.open_end != first
    end, tile = card_table.open_end, card_table.hand_view.current
    assert card_table.buttons()[0].label == f"Play {tile} {end}"
    driver.play(pygame.K_SPACE)
    assert table.match.turns[-1].made == PlaceTile(tile=tile, end=end)


def test_a_tile_is_dragged_to_an_end(app: App, driver: CardDriver) -> None:
    table = open_card_screen(app, card_match("dominoes", "human", "bot:club", "bot:club", seed=3))
    for _ in range(8):
        driver.wait()
        card_table: Any = table.card_table
        offered = card_table.offered_actions(PlaceTile)
        if table.match.turns and offered:
            break
        driver.key(pygame.K_RETURN)
    action = next(one for one in offered if sum(other.tile is one.tile for other in offered) == 1)
    wrong_end = {"left": "right", "right": "left"}[action.end]
    driver.drag(driver.item_point(action.tile), card_table.open_slots()[wrong_end].center)
    assert table.match.to_play == 0, "it does not fit there, and is not played at the other end"
    assert "does not fit" in driver.screen_text()
    driver.drag(driver.item_point(action.tile), card_table.open_slots()[action.end].center)
    mine = [turn for turn in table.match.turns if turn.seat == 0]
    assert mine[-1].made == action


def test_a_tile_dropped_on_the_hand_is_not_played(app: App, driver: CardDriver) -> None:
    table = open_card_screen(app, card_match("dominoes", "human", "human", seed=3))
    driver.wait()
    if table.is_hand_hidden:
        driver.key(pygame.K_RETURN)
    hand_view = table.card_table.hand_view
    driver.drag(driver.item_point(hand_view.items[0]), (hand_view.rect.right - 20, hand_view.rect.bottom - 10))
    assert not table.match.turns
    assert not hand_view.dragged


def test_a_tile_that_does_not_fit_is_refused_with_its_rule(app: App, driver: CardDriver) -> None:
    table = open_card_screen(app, card_match("dominoes", "human", "bot:club", "bot:club", seed=3))
    for _ in range(9):
        driver.wait()
        card_table: Any = table.card_table
        bad = [
            tile
            for tile in card_table.hand_view.items
            if tile not in {action.tile for action in card_table.offered_actions(PlaceTile)}
        ]
        if table.match.turns and bad and card_table.offered_actions(PlaceTile):
            break
        driver.key(pygame.K_RETURN)
    before = table.match.state
    while card_table.hand_view.current is not bad[0]:
        driver.key(pygame.K_RIGHT)
    assert "does not fit." in driver.screen_text()
    assert not any(button.enabled for button in card_table.buttons() if button.is_primary)
    driver.key(pygame.K_RETURN)
    assert "(DO-B10)" in driver.screen_text()
    assert "does not fit." not in driver.screen_text(), "the refusal says it, the hint not again"
    driver.key(pygame.K_n)
    assert "(DO-X1)" in driver.screen_text()
    assert Pass not in {type(action) for action in card_table.choices.actions}
    assert not any(button.label == "Pass" for button in card_table.buttons())
    assert table.match.state is before


def test_a_hand_stays_hidden_until_its_player_confirms(app: App, driver: CardDriver) -> None:
    table = open_card_screen(app, card_match("dominoes", "human", "human"))
    first = table.match.to_play
    assert table.is_hand_hidden
    assert table.visible_seat is None
    assert not table.card_table.hand_view.items
    assert all(not zone.cards for zone in table.card_table.view.zones.piles.values() if zone.sees != "all")
    assert f"Pass to {table.match.game.seat_names[first or 0]}" in driver.screen_text()
    driver.key(pygame.K_RETURN)
    assert table.visible_seat == first
    assert table.card_table.hand_view.items
    while table.match.to_play == first:
        driver.play(pygame.K_RETURN)
    assert table.is_hand_hidden
    assert not table.card_table.hand_view.items
    driver.click(driver.button("I am ready").rect.center)
    assert table.visible_seat == table.match.to_play != first


def test_hidden_tiles_are_not_drawn(app: App, driver: CardDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: set[frozenset[int]] = set()
    picture = card_images.tile_image

    def record_tile(first: int, second: int, side: int, upright: bool) -> pygame.Surface:
        drawn.add(frozenset((first, second)))
        return picture(first, second, side, upright)

    monkeypatch.setattr(card_images, "tile_image", record_tile)
    table = open_card_screen(app, card_match("dominoes", "human", "bot:club", "bot:club", "bot:club", seed=4))
    for _ in range(12):
        driver.wait()
        if app.top is not table:
            break
        view = table.card_table.view
        assert view.seeds is None
        assert not any(view.zones[HANDS[seat]].cards for seat in (1, 2, 3))
        drawn.clear()
        app.run_frame(0.01)
        may = {frozenset((t.high, t.low)) for t in view.zones.all_cards()}
        assert drawn <= may
        driver.key(pygame.K_RETURN)


def test_undo_hint_and_a_replay_before_the_end(app: App, driver: CardDriver) -> None:
    table = open_card_screen(app, card_match("dominoes", "human", "bot:club", "bot:club", seed=3))
    driver.wait()
    driver.play(pygame.K_RETURN)
    driver.wait()
    count = len(table.match.turns)
    driver.key(pygame.K_u)
    assert len(table.match.turns) < count
    driver.key(pygame.K_h)
    driver.until(lambda: "club player would" in driver.screen_text())
    review = replay_screen(app, table.match.game, list(table.match.turns))
    assert isinstance(review, CardReplay)
    app.push(review)
    driver.key(pygame.K_v)  # while the game goes on no hand is shown
    assert not review.is_hand_shown
    assert not any(review.card_table.view.zones[HANDS[seat]].cards for seat in range(3))
    driver.wait()
    assert review.card_table.table_rect.bottom == review.card_table.rect.bottom, "the table has the room of the hand"


@pytest.mark.parametrize("one_arm", [True, False])
@pytest.mark.parametrize("wide", [9.0, 14.0, 30.0])
def test_a_bent_line_does_not_overlap_itself(one_arm: bool, wide: float) -> None:
    chain = [(6, 6), (6, 5), (5, 5), (5, 1), (1, 1), (1, 0), (0, 0), (0, 2), (2, 2), (2, 4), (4, 4), (4, 3)] * 2
    for lead in (0,) if one_arm else (0, 7, 12, 23):
        line = line_layout.layout_line(chain, lead, wide, has_one_arm=one_arm)
        assert len(line.tiles) == len(chain)
        boxes = []
        for placed in line.tiles:
            w, h = (1.0, 2.0) if placed.upright else (2.0, 1.0)
            boxes.append((placed.x - w / 2, placed.y - h / 2, placed.x + w / 2, placed.y + h / 2))
        for k, a in enumerate(boxes):
            assert a[0] >= -wide / 2 - 1e-9
            assert a[2] <= wide / 2 + 1e-9
            for b in boxes[:k]:
                over = min(a[2], b[2]) - max(a[0], b[0]) > 1e-9 and min(a[3], b[3]) - max(a[1], b[1]) > 1e-9
                assert not over
        # tiles that lie keep their places when the line grows
        longer = line_layout.layout_line([*chain, (3, 5)], lead, wide, has_one_arm=one_arm)
        assert longer.tiles[: len(chain)] == line.tiles


def test_the_screen_reports_that_a_bot_waits_for_the_warmup(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    message = "Getting the bots' search ready, once: 0 of 2 parts. They wait half a minute or so."
    goes_on = Event()
    monkeypatch.setattr(BotWarmup, "wait", lambda _self: goes_on.wait(60.0))
    monkeypatch.setattr(BotWarmup, "start", lambda _self: None)
    monkeypatch.setattr(BotWarmup, "short_message", message)
    screen = open_card_screen(app, card_match("dominoes", "bot:expert", "bot:expert"))
    try:
        app.run_frame(0.5)
        assert screen.controller.phase == "think"
        assert screen.wait_text == message
        assert translation.set_language("de") == ""
        assert translation.translate(screen.wait_text).startswith("Einmalige Vorbereitung der Bots")
    finally:
        translation.set_language("en")
        screen.close()
        goes_on.set()
