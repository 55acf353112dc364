"""Keys as data: what a press means, and that the pages and the help say just what the tables say."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from benchmarks.keys import PAGES, every, lists
from flicksim.lab.env.pages import renewed
from flicksim.ui.faces import found
from flicksim.ui.frame.app import App
from flicksim.ui.front.menu import MenuScreen, front_keys
from flicksim.ui.kit.keys import ALWAYS, BOARD, FLICKING, PLAYING, Key, Keys, meant
from flicksim.ui.kit.widgets import Button


def press(key: int, mod: int = 0, text: str = "") -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_list_the_keys_of_the_tables(page: Path) -> None:
    """`python -m benchmarks.keys` writes them anew."""
    text = page.read_text(encoding="utf-8")
    assert renewed(text, lists()) == text
    assert text.count("| keys | |") == (1 if page.name == "README.md" else len(every()))


def test_the_first_of_two_keys_goes_back_and_a_single_one_on() -> None:
    assert BOARD.pressed(press(pygame.K_LEFT)) == ("turn", -1)
    assert BOARD.pressed(press(pygame.K_RIGHT)) == ("turn", 1)
    assert BOARD.pressed(press(pygame.K_r)) == ("reset", 1)
    assert BOARD.pressed(press(pygame.K_F7)) == ("", 0)


def test_shift_is_for_fine_steps_unless_the_table_names_it_or_asks_exactly() -> None:
    assert BOARD.pressed(press(pygame.K_LEFT, pygame.KMOD_SHIFT)) == ("turn", -1)
    two = Keys("", (Key("G   Shift + G", "", ("one", "all")), Key("K", "", ("keep",))))
    assert two.pressed(press(pygame.K_g))[0] == "one"
    assert two.pressed(press(pygame.K_g, pygame.KMOD_LSHIFT))[0] == "all"
    assert two.pressed(press(pygame.K_k, pygame.KMOD_CTRL))[0] == "keep"
    assert two.pressed(press(pygame.K_k, pygame.KMOD_CTRL), exact=True)[0] == ""


def test_every_table_knows_what_all_games_share() -> None:
    presses = {
        "undo": (pygame.K_z, pygame.KMOD_CTRL), "redo": (pygame.K_u, pygame.KMOD_SHIFT), "help": (pygame.K_F1, 0),
        "fold": (pygame.K_F6, 0), "own up": (pygame.K_F3, 0), "step back": (pygame.K_COMMA, 0),
    }  # fmt: skip
    assert {word: meant(press(*one)) for word, one in presses.items()} == {word: word for word in presses}
    assert meant(press(pygame.K_SLASH, pygame.KMOD_SHIFT, "?")) == "help"
    assert meant(press(pygame.K_h, pygame.KMOD_SHIFT)) == ""


def test_signs_are_known_by_what_they_type_wherever_they_are() -> None:
    assert FLICKING.pressed(press(pygame.K_SLASH, 0, "-")) == ("zoom", -1)
    assert FLICKING.pressed(press(pygame.K_KP_PLUS)) == ("zoom", 1)
    assert FLICKING.pressed(press(pygame.K_a, 0, "0")) == ("fit", 1)


def test_a_row_names_as_many_meanings_as_groups_and_only_keys_there_are() -> None:
    for table in every():
        table.pressed(press(pygame.K_F7))
        assert table.where
        assert all(len(row.means) == len(row.groups) for row in table.rows)


def test_no_key_means_two_things_at_one_table() -> None:
    for table in (PLAYING.plus(*FLICKING.rows, *ALWAYS.rows), *every()):
        words = {(word, key) for row in table.rows for word, names in zip(row.means, row.groups, strict=True)
                 for key in names}  # fmt: skip
        assert len({key for _, key in words}) == len(words), table.where


def test_buttons_of_the_front_door_have_the_keys_the_help_lists(app: App) -> None:
    menu = MenuScreen(app, found())
    listed = {row.shown for table in (front_keys(found().practices), ALWAYS) for row in table.rows}
    shortcuts = {one.shortcut for one in menu.form.widgets if isinstance(one, Button)}
    assert shortcuts - {"?"} <= listed
