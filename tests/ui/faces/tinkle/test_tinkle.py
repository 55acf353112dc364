"""Tinkle in the window: by keys, by mouse, provisional, refused, heard, hidden, counted."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from flicksim.cards import Card, Discard, Draw, LayOff, Meld, TakeBack
from flicksim.games.tinkle.deck import HANDS, JAR
from flicksim.games.tinkle.moves import Tinkle
from flicksim.play import Match
from flicksim.ui.cards import card_faces
from flicksim.ui.cards.screen import CardScreen
from flicksim.ui.cards.sheet import CardEndScreen, RoundScreen
from flicksim.ui.frame.app import App

from ...at_cards import Hands, cards, sit


@pytest.fixture
def hands(app: App) -> Hands:
    return Hands(app)


def _others(seed: int = 3) -> Match:
    return cards("tinkle", "human", "bot:club", "bot:club", seed=seed)


def _drawn(app: App, hands: Hands, seed: int = 3) -> CardScreen:
    """At the cloth with a card drawn, in a hand that can open at once."""
    for more in range(40):
        table = sit(app, _others(seed + more))
        hands.wait()
        hands.key(pygame.K_d)
        hands.until_settled()
        if table.cloth.offers(Meld):
            return table
    raise AssertionError("no hand can open")


def test_a_whole_round_is_played_by_keys_alone(app: App, hands: Hands) -> None:
    table = sit(app, _others())
    for _ in range(400):
        hands.wait()
        if app.top is not table:
            break
        if table.match.state.phase == "draw":
            hands.key(pygame.K_d)
        elif table.cloth.offers(Meld):
            hands.key(pygame.K_g)
            hands.key(pygame.K_RETURN)
        elif len(table.cloth.rack.items) == 1:
            hands.key(pygame.K_k)
        else:
            hands.key(pygame.K_x)
    assert isinstance(app.top, RoundScreen)
    sheet = app.top.sheet
    assert list(sheet.heads) == ["table", "in hand", "cut", "this round"]
    closed = table.match.state.sheet[0]
    assert [int(row[0]) for row in sheet.cells] == list(closed.tabled)
    assert list(sheet.rounds[0]) == list(closed.points)
    hands.key(pygame.K_RETURN)
    assert app.top is table
    assert table.match.state.round == 2


def test_a_group_put_down_is_provisional_and_can_be_taken_back(app: App, hands: Hands) -> None:
    table = _drawn(app, hands)
    cloth: Any = table.cloth
    before = sorted(cloth.rack.items)
    hands.key(pygame.K_g)
    assert len(cloth.rack.chosen) >= 3
    hands.key(pygame.K_m)
    hands.until_settled()
    number = table.match.state.groups[-1].number
    app.frame(0.01)
    fresh = cloth.table.fresh[number]
    assert fresh
    assert None not in fresh  # every card is shown as provisional
    assert any(button.label == "Take back" for button in cloth.buttons())
    hands.key(pygame.K_BACKSPACE)
    hands.until_settled()
    assert isinstance(table.match.turns[-1].made, TakeBack)
    hands.key(pygame.K_x)  # two cards lie there now: the turn may not end so
    assert "(TK-" in hands.words()
    assert "cannot end yet" in cloth.lacks()
    for _ in range(len(fresh) - 1):
        app.frame(0.01)
        rect = cloth.table.cards[number][0]
        hands.drag((rect.x + 4, rect.centery), cloth.rack.rect.center)  # back into the hand
        hands.until_settled()
    assert sorted(cloth.rack.items) == before
    hands.key(pygame.K_x)
    hands.until_settled()
    assert table.match.turns[-1].seat != 0 or isinstance(table.match.turns[-1].made, Discard)


def test_cards_are_dragged_to_the_table_and_to_the_discards(app: App, hands: Hands) -> None:
    table = _drawn(app, hands)
    cloth: Any = table.cloth
    hands.key(pygame.K_g)
    wanted = cloth.rack.picked
    hands.drag(hands.grip(wanted[0]), cloth.table.new.center)
    hands.until_settled()
    assert table.match.turns[-1].made == Meld(cards=wanted)
    card = cloth.rack.items[0]
    hands.drag(hands.grip(card), cloth.table.discard.center)
    hands.until_settled()
    mine = [turn.made for turn in table.match.turns if turn.seat == 0]
    assert mine[-1] == Discard(card=card)


def test_cards_are_chosen_and_laid_off_by_clicks(app: App, hands: Hands) -> None:
    table = _drawn(app, hands)
    cloth: Any = table.cloth
    hands.key(pygame.K_g)
    hands.key(pygame.K_RETURN)
    hands.until_settled()
    for _ in range(20):
        if cloth.offers(LayOff):
            break
        hands.key(pygame.K_x)
        hands.wait()
        hands.key(pygame.K_d)
        hands.until_settled()
    action = cloth.offers(LayOff)[0]
    hands.click(hands.grip(action.cards[0]))
    assert cloth.rack.picked == action.cards
    hands.click(cloth.table.groups[action.group].center)
    hands.until_settled()
    assert action in [turn.made for turn in table.match.turns]


def test_what_may_not_be_is_refused_with_its_rule(app: App, hands: Hands) -> None:
    table = _drawn(app, hands)
    cloth: Any = table.cloth
    naturals = [k for k, card in enumerate(cloth.rack.items) if card.rank not in (0, 2)]
    first = cloth.rack.items[naturals[0]]
    other = next(k for k in naturals if cloth.rack.items[k].rank != first.rank)
    for k in (naturals[0], other):
        while cloth.rack.cursor != k:
            hands.key(pygame.K_RIGHT)
        hands.key(pygame.K_SPACE)
    hands.key(pygame.K_m)
    assert "(TK-2a)" in hands.words()
    hands.key(pygame.K_d)
    assert "(TK-8c)" in hands.words()
    hands.key(pygame.K_k)
    assert "(TK-11a)" in hands.words()


def test_a_token_falls_into_the_jar_and_is_heard(app: App, hands: Hands) -> None:
    table = sit(app, _others())
    hands.wait()
    hands.key(pygame.K_PLUS, text="+")
    if len(table.match.state.zones["discard"]) > 1:
        assert table.cloth.tokens == 2  # type: ignore[attr-defined]
    hands.key(pygame.K_MINUS)
    hands.key(pygame.K_t)
    hands.until_settled()
    assert isinstance(table.match.turns[-1].made, Tinkle)
    assert table.match.state.zones.purses[JAR] == 1
    assert "tinkle" not in table.sounds.played  # it is still falling
    hands.frames(20, 0.05)
    assert "tinkle" in table.sounds.played
    hands.key(pygame.K_F9)
    assert app.preferences.quiet
    heard = len(table.sounds.played)
    hands.key(pygame.K_x)
    hands.until_settled()
    assert len(table.sounds.played) == heard


def test_the_hand_is_sorted_by_rank_or_suit_and_coloured(app: App, hands: Hands) -> None:
    table = sit(app, _others())
    hands.wait()
    rack = table.cloth.rack
    by_rank = list(rack.items)
    hands.key(pygame.K_s)
    assert rack.items != by_rank
    assert sorted(rack.items) == sorted(by_rank)
    hands.key(pygame.K_c)
    assert app.preferences.four
    club = Card.read("7C")
    assert _pixels(card_faces.face(club, 80, True)) != _pixels(card_faces.face(club, 80, False))


def _pixels(picture: pygame.Surface) -> bytes:
    return pygame.image.tobytes(picture, "RGBA")


def test_several_humans_see_their_own_hands_only(app: App, hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Card] = []
    face = card_faces.face

    def seen(card: Card, *rest: Any) -> pygame.Surface:
        drawn.append(card)
        return face(card, *rest)

    monkeypatch.setattr(card_faces, "face", seen)
    table = sit(app, cards("tinkle", "human", "human", "bot:club", seed=4))
    for _ in range(30):
        hands.wait()
        view = table.cloth.view
        mine = table.viewer
        assert view.seeds is None
        assert not any(view.zones[HANDS[seat]].cards for seat in range(3) if seat != mine)
        drawn.clear()
        app.frame(0.01)
        may = view.zones.every()
        for card in drawn:
            assert card in may
        if table.veiled:
            assert mine is None
            hands.key(pygame.K_d)  # no key but that of being ready does anything
            assert table.veiled
            hands.key(pygame.K_RETURN)
            assert table.viewer == table.match.to_play
        elif table.match.state.phase == "draw":
            hands.key(pygame.K_d)
        else:
            hands.key(pygame.K_x)
    assert {turn.seat for turn in table.match.turns} == {0, 1, 2}


def test_buttons_are_reached_by_tab(app: App, hands: Hands) -> None:
    table = sit(app, _others())
    hands.wait()
    hands.key(pygame.K_TAB)
    assert getattr(table.form.focused, "label", "") == "Draw"
    hands.key(pygame.K_RETURN)
    hands.until_settled()
    assert table.match.turns[-1].made == Draw()
    hands.key(pygame.K_u)
    assert table.match.state.phase == "draw"


def test_the_last_sheet_and_the_look_through(app: App, hands: Hands) -> None:
    match = cards("tinkle", "bot:club", "bot:club", "bot:club", seed=2)
    for _ in match.run():
        pass
    table = sit(app, match)
    hands.frames(3)
    end = app.top
    assert isinstance(end, CardEndScreen)
    assert len(end.sheet.rounds) == 8
    hands.key(pygame.K_DOWN)
    hands.key(pygame.K_UP)
    hands.click(next(w.rect.center for w in end.form.widgets if w.label.startswith("Look")))
    review: Any = app.top
    assert review is not end
    hands.key(pygame.K_HOME)
    hands.key(pygame.K_RIGHT)
    hidden = review.cloth.view
    assert not any(hidden.zones[HANDS[seat]].cards for seat in range(3))
    hands.key(pygame.K_v)
    assert any(review.cloth.view.zones[HANDS[seat]].cards for seat in range(3))
    hands.key(pygame.K_END)
    hands.frames()
    assert table.match is match


@pytest.mark.parametrize("key", [pygame.K_SPACE, pygame.K_RETURN, pygame.K_m, pygame.K_x, pygame.K_g, pygame.K_LEFT])
@pytest.mark.parametrize("playing", [False, True])
def test_no_key_does_harm_in_an_empty_hand(app: App, hands: Hands, key: int, playing: bool) -> None:
    sit(app, cards("tinkle", "human", "random", "random"))
    screen = hands.wait()
    if playing:
        hands.key(pygame.K_d)
        hands.wait()
    screen.cloth.rack.show(())
    hands.key(key)
    hands.frames(2)
    assert app.running
