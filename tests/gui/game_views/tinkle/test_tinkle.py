"""Tests of the Tinkle view: keys, mouse, provisional groups, refusals, sounds, hidden hands, score sheet."""

from typing import Any

import pygame
import pytest

from flicksim.cards import Card, Discard, Draw, LayOff, Meld, TakeBack
from flicksim.games.tinkle.deck import HANDS, JAR, WILD, kind
from flicksim.games.tinkle.state import Tinkle
from flicksim.gui.app import App
from flicksim.gui.card_view import card_images
from flicksim.gui.card_view.card_screen import CardScreen
from flicksim.gui.card_view.score_sheet import CardEndScreen, RoundScreen
from flicksim.gui.game_views.tinkle import meld_area
from flicksim.match import Match

from ...card_helpers import CardDriver, card_match, open_card_screen
from ...conftest import replay_screen


@pytest.fixture
def driver(app: App) -> CardDriver:
    return CardDriver(app)


def _others(seed: int = 3) -> Match:
    return card_match("tinkle", "human", "bot:club", "bot:club", seed=seed)


def _drawn(app: App, driver: CardDriver, seed: int = 3) -> tuple[CardScreen, Any]:
    """At the table with a card drawn, in a hand that can open at once; and the card table."""
    for more in range(40):
        table = open_card_screen(app, _others(seed + more))
        driver.wait()
        driver.play(pygame.K_d)
        if table.card_table.offered_actions(Meld):
            return table, table.card_table
    raise AssertionError("no hand can open")


def test_a_round_can_be_played_by_keyboard(app: App, driver: CardDriver) -> None:
    table = open_card_screen(app, _others())
    for _ in range(400):
        driver.wait()
        if app.top is not table:
            break
        if table.match.state.phase == "draw":
            driver.key(pygame.K_d)
        elif table.card_table.offered_actions(Meld):
            driver.keys(pygame.K_g, pygame.K_RETURN)
        elif len(table.card_table.hand_view.items) == 1:
            driver.key(pygame.K_k)
        else:
            driver.key(pygame.K_x)
    sheet = driver.top(RoundScreen).sheet
    assert list(sheet.headers) == ["table", "in hand", "cut", "this round"]
    closed = table.match.state.sheet[0]
    assert [int(row[0]) for row in sheet.cells] == list(closed.tabled)
    assert list(sheet.rounds[0]) == list(closed.points)
    driver.key(pygame.K_RETURN)
    assert app.top is table
    assert table.match.state.round == 2


def test_a_group_put_down_is_provisional_and_can_be_taken_back(app: App, driver: CardDriver) -> None:
    table, card_table = _drawn(app, driver)
    before = sorted(card_table.hand_view.items)
    driver.key(pygame.K_g)
    assert len(card_table.hand_view.selected) >= 3
    driver.play(pygame.K_m)
    number = table.match.state.groups[-1].number
    app.run_frame(0.01)
    new_cards = card_table.meld_area.new_cards[number]
    assert new_cards
    assert None not in new_cards  # every card is shown as provisional
    assert any(button.label == "Take back" for button in card_table.buttons())
    driver.play(pygame.K_BACKSPACE)
    assert isinstance(table.match.turns[-1].made, TakeBack)
    app.run_frame(0.01)
    main_button = next(button for button in card_table.buttons() if button.is_primary)
    assert main_button.label.startswith("Discard")
    assert not main_button.enabled, "with two cards there the turn may not end"
    assert driver.screen_text().count("has only 2") == 1
    driver.key(pygame.K_x)
    assert "(TK-" in driver.screen_text()
    assert driver.screen_text().count("has only 2") == 1, "the refusal says it, the hint not again"
    assert "cannot end yet" in card_table.hint_text()
    for _ in range(len(new_cards) - 1):
        app.run_frame(0.01)
        rect = card_table.meld_area.cards[number][0]
        driver.drag((rect.x + 4, rect.centery), card_table.hand_view.rect.center)  # back into the hand
    assert sorted(card_table.hand_view.items) == before
    driver.play(pygame.K_x)
    assert table.match.turns[-1].seat != 0 or isinstance(table.match.turns[-1].made, Discard)


def test_groups_without_wilds_are_suggested_first(app: App, driver: CardDriver) -> None:
    _, card_table = _drawn(app, driver)
    number, wilds = len(card_table.offered_actions(Meld)), []
    for _ in range(number):
        driver.key(pygame.K_g)
        wilds.append(sum(kind(card) == WILD for card in card_table.hand_view.selected_items))
    assert wilds == sorted(wilds)
    offered = [sum(kind(card) == WILD for card in meld.cards) for meld in card_table.offered_actions(Meld)]
    assert offered != wilds, "the rules offer them in another order"


def test_cards_are_dragged_to_the_table_and_to_the_discards(app: App, driver: CardDriver) -> None:
    table, card_table = _drawn(app, driver)
    driver.key(pygame.K_g)
    selected = card_table.hand_view.selected_items
    driver.drag(driver.item_point(selected[0]), card_table.meld_area.new_group.center)
    assert table.match.turns[-1].made == Meld(cards=selected)
    card = card_table.hand_view.items[0]
    driver.drag(driver.item_point(card), card_table.meld_area.discard.center)
    mine = [turn.made for turn in table.match.turns if turn.seat == 0]
    assert mine[-1] == Discard(card=card)


def test_cards_are_chosen_and_laid_off_by_clicks(app: App, driver: CardDriver) -> None:
    table, card_table = _drawn(app, driver)
    driver.play(pygame.K_g, pygame.K_RETURN)
    for _ in range(20):
        if card_table.offered_actions(LayOff):
            break
        driver.key(pygame.K_x)
        driver.wait()
        driver.play(pygame.K_d)
    action = card_table.offered_actions(LayOff)[0]
    driver.click(driver.item_point(action.cards[0]))
    assert card_table.hand_view.selected_items == action.cards
    driver.click(card_table.meld_area.groups[action.group].center)
    driver.until_settled()
    assert action in [turn.made for turn in table.match.turns]


def test_refusals_name_their_rule_and_persons_by_their_names(
    app: App, driver: CardDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, card_table = _drawn(app, driver)
    naturals = [k for k, card in enumerate(card_table.hand_view.items) if card.rank not in (0, 2)]
    first = card_table.hand_view.items[naturals[0]]
    other = next(k for k in naturals if card_table.hand_view.items[k].rank != first.rank)
    for k in (naturals[0], other):
        while card_table.hand_view.cursor != k:
            driver.key(pygame.K_RIGHT)
        driver.key(pygame.K_SPACE)
    driver.key(pygame.K_m)
    assert "(TK-2a)" in driver.screen_text()
    driver.key(pygame.K_d)
    assert "(TK-8c)" in driver.screen_text()
    driver.key(pygame.K_k)
    assert "(TK-11a)" in driver.screen_text()
    table.match.player_names[0] = "Nora"
    driver.key(pygame.K_d)
    assert "is not allowed: Nora has drawn already (TK-8c)" in driver.screen_text()
    driver.play(pygame.K_g, pygame.K_RETURN)
    badges: list[str] = []
    monkeypatch.setattr(meld_area.seat_plates, "draw_badge", lambda *arguments: badges.append(arguments[-1]))
    app.run_frame(0.01)
    assert set(badges) == {"Nora", "Bob", "Cy"}


def test_a_token_falls_into_the_jar_with_a_sound(app: App, driver: CardDriver) -> None:
    table = open_card_screen(app, _others())
    driver.wait()
    driver.key(pygame.K_PLUS, text="+")
    if len(table.match.state.zones["discard"]) > 1:
        assert table.card_table.tokens == 2  # type: ignore[attr-defined]
    driver.play(pygame.K_MINUS, pygame.K_t)
    assert isinstance(table.match.turns[-1].made, Tinkle)
    assert table.match.state.zones.purses[JAR] == 1
    assert "tinkle" not in table.sounds.played  # it is still falling
    driver.frames(20, 0.05)
    assert "tinkle" in table.sounds.played
    driver.key(pygame.K_F9)
    assert app.preferences.muted
    sound_count = len(table.sounds.played)
    driver.play(pygame.K_x)
    assert len(table.sounds.played) == sound_count


def test_the_hand_is_sorted_and_coloured_and_buttons_are_reached_by_tab(app: App, driver: CardDriver) -> None:
    table = open_card_screen(app, _others())
    driver.wait()
    hand_view = table.card_table.hand_view
    by_rank = list(hand_view.items)
    driver.key(pygame.K_s)
    assert hand_view.items != by_rank
    assert sorted(hand_view.items) == sorted(by_rank)
    driver.key(pygame.K_c)
    assert app.preferences.four_suit_colours
    club = Card.parse("7C")
    assert _pixels(card_images.card_image(club, 80, True)) != _pixels(card_images.card_image(club, 80, False))
    driver.key(pygame.K_TAB)
    assert getattr(table.form.focused, "label", "") == "Draw"
    driver.play(pygame.K_RETURN)
    assert table.match.turns[-1].made == Draw()
    driver.key(pygame.K_u)
    assert table.match.state.phase == "draw"


def _pixels(picture: pygame.Surface) -> bytes:
    return pygame.image.tobytes(picture, "RGBA")


def test_several_humans_see_their_own_hands_only(app: App, driver: CardDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Card] = []
    card_image = card_images.card_image

    def record_card(card: Card, *args: Any) -> pygame.Surface:
        drawn.append(card)
        return card_image(card, *args)

    monkeypatch.setattr(card_images, "card_image", record_card)
    table = open_card_screen(app, card_match("tinkle", "human", "human", "bot:club", seed=4))
    for _ in range(30):
        driver.wait()
        view = table.card_table.view
        mine = table.visible_seat
        assert view.seeds is None
        assert not any(view.zones[HANDS[seat]].cards for seat in range(3) if seat != mine)
        drawn.clear()
        app.run_frame(0.01)
        may = view.zones.all_cards()
        for card in drawn:
            assert card in may
        if table.is_hand_hidden:
            assert mine is None
            driver.key(pygame.K_d)  # only the ready key has an effect
            assert table.is_hand_hidden
            driver.key(pygame.K_RETURN)
            assert table.visible_seat == table.match.to_play
        elif table.match.state.phase == "draw":
            driver.key(pygame.K_d)
        else:
            driver.key(pygame.K_x)
    assert {turn.seat for turn in table.match.turns} == {0, 1, 2}


def test_the_final_score_sheet_and_the_replay(app: App, driver: CardDriver) -> None:
    match = card_match("tinkle", "bot:club", "bot:club", "bot:club", seed=2)
    for _ in match.run():
        pass
    table = open_card_screen(app, match)
    driver.frames(3)
    end = driver.top(CardEndScreen)
    assert len(end.sheet.rounds) == 8
    driver.keys(pygame.K_DOWN, pygame.K_UP)
    driver.click(next(w.rect.center for w in end.form.widgets if w.label.startswith("Look")))
    review: Any = app.top
    assert review is not end
    driver.keys(pygame.K_HOME, pygame.K_RIGHT)
    hidden = review.card_table.view
    assert not any(hidden.zones[HANDS[seat]].cards for seat in range(3))
    driver.key(pygame.K_v)
    assert any(review.card_table.view.zones[HANDS[seat]].cards for seat in range(3))
    driver.key(pygame.K_END)
    driver.frames()
    assert table.match is match


@pytest.mark.parametrize("key", [pygame.K_SPACE, pygame.K_RETURN, pygame.K_m, pygame.K_x, pygame.K_g, pygame.K_LEFT])
@pytest.mark.parametrize("playing", [False, True])
def test_keys_are_ignored_with_an_empty_hand(app: App, driver: CardDriver, key: int, playing: bool) -> None:
    open_card_screen(app, card_match("tinkle", "human", "random", "random"))
    screen = driver.wait()
    if playing:
        driver.key(pygame.K_d)
        driver.wait()
    screen.card_table.hand_view.set_items(())
    driver.key(key)
    driver.frames(2)
    assert app.running


@pytest.mark.parametrize("size", [(800, 600), (1920, 1080)])
def test_a_notice_covers_neither_the_hand_nor_a_button(app: App, size: tuple[int, int]) -> None:
    pygame.display.set_mode(size)
    match = _others()
    for table in (open_card_screen(app, match), replay_screen(app, match.game, match.turns)):
        app.replace_all(table)
        app.run_frame(0.02)
        assert not table.notice_area.colliderect(table.card_table.rect)
        assert table.notice_area.bottom <= table.form.widgets[-1].rect.y


@pytest.mark.parametrize("width", [66, 80, 130])
@pytest.mark.parametrize("suit", "CDHS")
def test_pips_of_a_ten_keep_clear_of_its_index(suit: str, width: int) -> None:
    picture = card_images.card_image(Card.parse(f"10{suit}"), width)
    height = picture.get_height()
    rows = range(round(0.06 * height), round(0.22 * height))
    clear = [x for x in range(width) if all(picture.get_at((x, y))[2] > 180 for y in rows)]
    assert sum(0.3 * width < x < 0.5 * width for x in clear) >= 0.05 * width
