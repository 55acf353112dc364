"""Study board of cards and tiles: drags and keys move cards, what cannot be is said, and the analysis follows."""

import msgspec
import pygame
import pytest

from flicksim.cards import Card, Tile
from flicksim.games import load, names
from flicksim.gui.app import App
from flicksim.gui.card_view.card_position_editor import CARD_EDITOR_KEYS, CardPositionEditorScreen
from flicksim.gui.match.edited_position import plain_message
from flicksim.gui.toolkit import Button, Choice, translation
from tests.games.dominoes import test_dominoes_position
from tests.games.tinkle import test_tinkle_position

from ..conftest import Driver, Editors

CARD_GAMES = [name for name in names() if not load(name).uses_physics]


def _drag(drive: Driver, screen: CardPositionEditorScreen, source: str, card: int, target: str) -> None:
    """Drag a card to the left end of a place."""
    box = screen.boxes[target]
    start = screen.views[source].item_rects[card].move(4, 12).topleft
    drive.press(start)
    drive.move((box.x + 12, box.centery))
    drive.move((box.x + 8, box.centery))
    drive.release((box.x + 8, box.centery))


def test_tiles_are_dragged_taken_away_and_put_back(editors: Editors, drive: Driver) -> None:
    """DO-B4, DO-B9: a tile of a hand goes to the left end of the line, to the boneyard and to the other hand."""
    screen = editors.open("dominoes")
    before = screen.edited.position
    _drag(drive, screen, "hand:0", 2, "layout")
    assert screen.edited.position.line == (Tile.parse("2-1"), *before.line)
    assert screen.edited.error == ""
    assert editors.analysed[-1] is screen.edited.state
    drive.key(pygame.K_DELETE)
    assert screen.edited.position.line == before.line
    assert [str(tile) for tile in screen.zones[-1].cards] == ["2-1"]
    _drag(drive, screen, "boneyard", 0, "hand:1")
    assert [str(tile) for tile in screen.edited.position.hands[1]] == ["2-1", "3-0", "3-1"]
    for _ in range(3):
        drive.key(pygame.K_u)
    assert screen.edited.position == before


def test_a_click_moves_no_card(editors: Editors, drive: Driver) -> None:
    """Nor does a hand that trembles over cards that lie close together, until it drags."""
    screen = editors.open("tinkle")
    position = screen.edited.position
    for card in screen.zones[-1].cards[::2]:  # of each of the two packs one
        position = screen.edited.spec.move_card(position, card, "stock", "discard", 0)
    screen.edited.replace(position)
    drive.frames()
    before, own = screen.views["discard"].item_rects[5:7]
    x, y = own.move(1, 12).topleft
    assert before.centerx > x + 2, "a card dropped here goes before that one"
    drive.press((x, y))
    drive.move((x + 2, y))
    drive.release((x + 2, y))
    assert screen.edited.position == position
    drive.press((x, y))
    drive.release((x, y))
    assert screen.edited.position == position


def test_keys_do_nothing_during_a_drag(editors: Editors, drive: Driver) -> None:
    screen = editors.open("dominoes")
    before, box = screen.edited.position, screen.boxes["layout"]
    for end in ((box.x + 8, box.centery), (screen.boxes["hand:1"].right + 300, 8)):
        start = screen.views["hand:0"].item_rects[2].move(4, 12).topleft
        drive.press(start)
        drive.move((start[0] + 20, start[1] + 20))
        for key in (pygame.K_UP, pygame.K_LEFT, pygame.K_2, pygame.K_DELETE, pygame.K_t):
            drive.key(key)
        assert screen.edited.position == before
        drive.move(end)
        drive.release(end)
        assert not any(view.dragged for view in screen.views.values())
        if end[0] < screen.panel.x:
            assert screen.edited.position.line == (Tile.parse("2-1"), *before.line)
            drive.key(pygame.K_u)
        assert screen.edited.position == before


def test_cards_are_sent_by_their_numbers(editors: Editors, drive: Driver) -> None:
    """TK-9b, TK-10a: the king goes on Ann's group as hers, and into a group of its own that is too small."""
    screen = editors.open("tinkle")
    drive.keys(pygame.K_RIGHT, pygame.K_5)
    (group, *_) = screen.edited.position.groups
    assert group.cards[-1] is Card.parse("KH")
    assert group.seats == (0, 0, 0, 0)
    drive.key(pygame.K_9)
    assert screen.edited.position.groups[-1].cards == (Card.parse("KH"),)
    assert screen.edited.error == "Group 5 (K♥) is too small; a group has at least 3 cards (TK-9b)."
    assert screen.edited.state is None
    drive.key(pygame.K_2)
    assert Card.parse("KH") in screen.edited.position.hands[1]
    assert len(screen.edited.position.groups) == 4


def test_arrows_go_through_places_and_shift_moves_within_one(editors: Editors, drive: Driver) -> None:
    """DO-B10: tiles of the line that no longer match are told."""
    screen = editors.open("dominoes")
    drive.keys(pygame.K_DOWN, pygame.K_DOWN)
    drive.key(pygame.K_RIGHT, mod=pygame.KMOD_SHIFT)
    assert [str(tile) for tile in screen.edited.position.line[:2]] == ["5-1", "5-2"]
    assert screen.edited.error.endswith("(DO-B10).")


def test_a_card_that_ends_its_group_stays_chosen(editors: Editors, drive: Driver) -> None:
    """TK-9b: the groups after it have other numbers then."""
    for target in (2, 3):
        screen = editors.open("tinkle")
        position = msgspec.structs.replace(screen.edited.position, groups=())
        for hand in (0, 1, 1):
            card = position.hands[hand][0]
            position = screen.edited.spec.move_card(position, card, f"hand:{hand}", "group:0", 0)
        screen.edited.replace(position)
        drive.frames()
        _drag(drive, screen, "group:1", 0, f"group:{target}")
        groups = screen.edited.position.groups
        assert [len(group.cards) for group in groups] == ([2, 1] if target == 2 else [1, 2])
        assert position.groups[0].cards[0] in groups[target - 2].cards
        drive.key(pygame.K_DELETE)
        left = [card for group in screen.edited.position.groups for card in group.cards]
        assert left == [position.groups[1].cards[0], position.groups[2].cards[0]]


def test_every_seat_of_a_position_set_up_again_can_be_to_play(editors: Editors, drive: Driver) -> None:
    """DO-B3: by a code of more seats, and of none."""
    screen = editors.open("dominoes")
    four = screen.edited.spec.set_counter(screen.edited.position, "seats", 4)
    four = screen.edited.spec.with_current_seat(four, 3)
    for position in (four, msgspec.structs.replace(four, hands=()), four):
        screen.edited.replace(position)
        drive.frames()
    reached = set()
    for _ in range(4):
        drive.key(pygame.K_t)
        reached.add(screen.edited.position.to_play)
    assert reached == {0, 1, 2, 3}


def test_seats_tokens_and_the_turn_are_set(editors: Editors, drive: Driver) -> None:
    """TK-3a, TK-3d."""
    screen = editors.open("tinkle")
    spec = screen.edited.spec
    drive.key(pygame.K_t)
    assert screen.edited.position.to_play == 1
    screen.edited.replace(spec.set_counter(screen.edited.position, "seats", 4))
    drive.frames()
    assert screen.edited.error == "Dot has no card left: the round is over (TK-14a)."
    assert [one.name for one in spec.counters(screen.edited.position)][-1] == "tokens-3"
    screen.edited.replace(spec.set_counter(screen.edited.position, "seats", 3))
    screen.edited.replace(spec.set_counter(screen.edited.position, "tokens-0", 11))
    assert screen.edited.error.endswith("(TK-3d).")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", CARD_GAMES)
@pytest.mark.parametrize("size", [(800, 600), (1280, 800)])
def test_words_of_the_fields_are_whole(
    size: tuple[int, int], name: str, language: str, editors: Editors, drive: Driver, request: pytest.FixtureRequest
) -> None:
    """No label is broken across lines and no word is cut, whichever is chosen."""
    if language == "de":
        request.getfixturevalue("german")
    screen = editors.open(name)
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1]))
    drive.frames()
    choices = [widget for widget in screen.form.widgets if isinstance(widget, Choice) and widget.label != "Game"]
    assert choices
    for widget in choices:
        for _ in widget.values:
            widget.cycle(1)
            drive.frames()
            drawn = {text.text for text in drive.app.tooltips.drawn_texts}
            assert translation.translate(widget.label) in drawn
            assert translation.translate(widget.value.replace("_", " ")) in drawn


@pytest.mark.parametrize("name", CARD_GAMES)
def test_a_notice_covers_neither_cards_nor_buttons(name: str, editors: Editors) -> None:
    screen = editors.open(name)
    covered = [*screen.boxes.values(), *(button.rect for button in screen.form.widgets if isinstance(button, Button))]
    assert screen.notice_area.collidelist(covered) < 0


def test_an_invalid_position_is_neither_shared_nor_saved_nor_played(editors: Editors, drive: Driver) -> None:
    """TK-9b: a group of one card."""
    screen = editors.open("tinkle")
    labels = ("Share", "Save", "Play on")
    drive.frames()
    assert all(drive.button(label).enabled for label in labels)
    drive.key(pygame.K_9)
    assert screen.edited.error
    drive.frames()
    assert not any(drive.button(label).enabled for label in labels)
    drive.key(pygame.K_u)
    drive.frames()
    assert all(drive.button(label).enabled for label in labels)


@pytest.mark.parametrize(("name", "noun"), [("dominoes", "tile"), ("tinkle", "card")])
def test_what_is_dragged_is_named(name: str, editors: Editors, noun: str, app: App, drive: Driver) -> None:
    screen = editors.open(name)
    assert screen.status_line().startswith(f"Drag {noun}s ")
    screen.choose(len(screen.zones) - (1 if name == "dominoes" else 2), 0)
    drive.key(pygame.K_1)
    assert app.notice.text.startswith(f"Choose a {noun} first")


@pytest.mark.usefixtures("german")
def test_card_position_editor_texts_are_german() -> None:
    texts = [row.text for row in CARD_EDITOR_KEYS.bindings]
    for position, _ in (*test_dominoes_position.REFUSED, *test_tinkle_position.REFUSED):
        texts += map(plain_message, position.problems())
    assert [text for text in texts if "_" in text or "=" in text] == [], "fields of the notation"
    for name in CARD_GAMES:
        editor = load(name).position_editor
        position = editor.empty_position()
        texts += [zone.label for zone in editor.zones(position) if zone.seat is None]
        texts += [text for one in editor.counters(position) for text in (one.label, *one.words)]
    assert [text for text in texts if translation.translate(text) == text] == []
