"""Key bindings: actions of key presses; help and documentation pages match the tables; a gamepad presses keys."""

from pathlib import Path

import pygame
import pytest

from benchmarks.environment_pages import regenerate
from benchmarks.key_bindings import PAGES, all_key_tables, key_lists
from flicksim.gui.app import App
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.menus.main_menu import MainMenuScreen, main_menu_keys
from flicksim.gui.toolkit import BOARD_KEYS, GLOBAL_KEYS, Button, KeyBinding, KeyMap, common_action
from flicksim.gui.toolkit.gamepad import Gamepad
from flicksim.gui.toolkit.key_bindings import FLICK_KEYS, PLAY_KEYS

from ..conftest import Driver, match_screen, penny_white_match


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


def _event(kind: int, **more: object) -> pygame.event.Event:
    return pygame.event.Event(kind, instance_id=0, **more)


def _keys(found: list[pygame.event.Event]) -> list[tuple[int, int]]:
    return [(event.type, event.key) for event in found]


def test_buttons_and_the_hat_press_keys_with_fine_steps_by_the_left_shoulder() -> None:
    pad = Gamepad()
    assert _keys(pad.key_events(_event(pygame.JOYBUTTONDOWN, button=0))) == [(pygame.KEYDOWN, pygame.K_SPACE)]
    assert _keys(pad.key_events(_event(pygame.JOYBUTTONUP, button=0))) == [(pygame.KEYUP, pygame.K_SPACE)]
    assert _keys(pad.key_events(_event(pygame.JOYHATMOTION, hat=0, value=(-1, 0)))) == [(pygame.KEYDOWN, pygame.K_LEFT)]
    assert _keys(pad.key_events(_event(pygame.JOYHATMOTION, hat=0, value=(0, 1)))) == [
        (pygame.KEYUP, pygame.K_LEFT), (pygame.KEYDOWN, pygame.K_UP),
    ]  # fmt: skip
    assert pad.key_events(_event(pygame.JOYBUTTONDOWN, button=77)) == []
    pad = Gamepad()
    assert pad.key_events(_event(pygame.JOYBUTTONDOWN, button=4)) == []
    [pressed] = pad.key_events(_event(pygame.JOYHATMOTION, hat=0, value=(1, 0)))
    assert pressed.mod & pygame.KMOD_SHIFT


def test_a_stick_repeats_with_hysteresis() -> None:
    pad = Gamepad()
    assert pad.key_events(_event(pygame.JOYAXISMOTION, axis=0, value=0.3)) == []
    assert _keys(pad.key_events(_event(pygame.JOYAXISMOTION, axis=0, value=0.8))) == [(pygame.KEYDOWN, pygame.K_RIGHT)]
    assert pad.key_events(_event(pygame.JOYAXISMOTION, axis=0, value=0.5)) == []
    assert pad.repeat_events(0.1) == []
    assert _keys(pad.repeat_events(0.2)) == [(pygame.KEYDOWN, pygame.K_RIGHT)]
    assert _keys(pad.key_events(_event(pygame.JOYAXISMOTION, axis=0, value=0.1))) == [(pygame.KEYUP, pygame.K_RIGHT)]
    assert pad.repeat_events(1.0) == []


def test_a_gamepad_aims_and_flicks(app: App, drive: Driver) -> None:
    screen = drive.show(match_screen(app, penny_white_match("human", "human")), 2)
    before = screen.aim_controller.aim.shot
    pygame.event.post(_event(pygame.JOYHATMOTION, hat=0, value=(1, 0)))
    drive.frames(1)
    assert screen.aim_controller.aim.shot != before
    pygame.event.post(_event(pygame.JOYBUTTONDOWN, button=0))
    drive.frames(1)
    assert screen.controller.phase != "choose"


@pytest.mark.parametrize("gesture", ["hold", "flick"])
def test_disconnecting_in_mid_flick_cancels_the_gesture(app: App, drive: Driver, gesture: str) -> None:
    app.preferences.gesture = gesture  # type: ignore[assignment]
    screen = drive.show(match_screen(app, penny_white_match("human", "human")), 2)
    pygame.event.post(_event(pygame.JOYBUTTONDOWN, button=0))
    drive.frames(5)
    assert screen.gesture_noise.meter_time is not None or screen.gesture_noise.beat_time is not None
    pygame.event.post(_event(pygame.JOYDEVICEREMOVED))
    drive.frames(2)
    assert screen.gesture_noise.meter_time is None
    assert screen.gesture_noise.beat_time is None
    assert screen.controller.phase == "choose"
    assert screen.match.turns == []
    drive.frames(10)
    assert screen.controller.phase == "choose"
    app.preferences.gesture = "pull"
    drive.frames(1)
    drive.key(pygame.K_SPACE)
    assert screen.controller.phase != "choose"
