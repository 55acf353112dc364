"""Key bindings: actions of key presses; help and documentation pages match the tables."""

from pathlib import Path

import pygame
import pytest

from benchmarks.environment_pages import regenerate
from benchmarks.key_bindings import PAGES, all_key_tables, key_lists
from flicksim.gui.app import App
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.menus.main_menu import MainMenuScreen, main_menu_keys
from flicksim.gui.toolkit import BOARD_KEYS, GLOBAL_KEYS, Button, KeyBinding, KeyMap, common_action
from flicksim.gui.toolkit.key_bindings import FLICK_KEYS, PLAY_KEYS


def press(key: int, mod: int = 0, text: str = "") -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_documentation_lists_the_key_bindings(page: Path) -> None:
    """`python -m benchmarks.key_bindings` writes the pages."""
    text = page.read_text(encoding="utf-8")
    assert regenerate(text, key_lists()) == text
    assert text.count("| keys | |") == (1 if page.name == "README.md" else len(all_key_tables()))


def test_keys_have_directions_and_typed_characters_match_on_any_layout() -> None:
    assert BOARD_KEYS.match(press(pygame.K_LEFT)) == ("turn", -1)
    assert BOARD_KEYS.match(press(pygame.K_RIGHT)) == ("turn", 1)
    assert BOARD_KEYS.match(press(pygame.K_r)) == ("reset", 1)
    assert BOARD_KEYS.match(press(pygame.K_F7)) == ("", 0)
    assert FLICK_KEYS.match(press(pygame.K_SLASH, 0, "-")) == ("zoom", -1)
    assert FLICK_KEYS.match(press(pygame.K_KP_PLUS)) == ("zoom", 1)
    assert FLICK_KEYS.match(press(pygame.K_a, 0, "0")) == ("fit", 1)
    # Shift is ignored unless bound or matched exactly
    assert BOARD_KEYS.match(press(pygame.K_LEFT, pygame.KMOD_SHIFT)) == ("turn", -1)
    two = KeyMap("", (KeyBinding("G   Shift + G", "", ("one", "all")), KeyBinding("K", "", ("keep",))))
    assert two.match(press(pygame.K_g))[0] == "one"
    assert two.match(press(pygame.K_g, pygame.KMOD_LSHIFT))[0] == "all"
    assert two.match(press(pygame.K_k, pygame.KMOD_CTRL))[0] == "keep"
    assert two.match(press(pygame.K_k, pygame.KMOD_CTRL), is_exact=True)[0] == ""


def test_every_key_map_has_the_common_actions() -> None:
    presses = {
        "undo": (pygame.K_z, pygame.KMOD_CTRL), "redo": (pygame.K_u, pygame.KMOD_SHIFT), "help": (pygame.K_F1, 0),
        "fold": (pygame.K_F6, 0), "own up": (pygame.K_F3, 0), "step back": (pygame.K_COMMA, 0),
    }  # fmt: skip
    assert {word: common_action(press(*one)) for word, one in presses.items()} == {word: word for word in presses}
    assert common_action(press(pygame.K_SLASH, pygame.KMOD_SHIFT, "?")) == "help"
    assert common_action(press(pygame.K_h, pygame.KMOD_SHIFT)) == ""


def test_bindings_have_an_action_per_group_of_known_keys_and_no_key_has_two() -> None:
    for table in all_key_tables():
        table.match(press(pygame.K_F7))
        assert table.title
        assert all(len(row.actions) == len(row.key_groups) for row in table.bindings)
    for table in (PLAY_KEYS.extended(*FLICK_KEYS.bindings, *GLOBAL_KEYS.bindings), *all_key_tables()):
        words = {(word, key) for row in table.bindings for word, names in zip(row.actions, row.key_groups, strict=True)
                 for key in names}  # fmt: skip
        assert len({key for _, key in words}) == len(words), table.title


def test_main_menu_buttons_have_the_keys_the_help_lists(app: App) -> None:
    menu = MainMenuScreen(app, discover_game_views())
    listed = {
        row.label
        for table in (main_menu_keys(discover_game_views().practice_modes), GLOBAL_KEYS)
        for row in table.bindings
    }
    shortcuts = {one.shortcut for one in menu.form.widgets if isinstance(one, Button)}
    assert shortcuts - {"?"} <= listed
