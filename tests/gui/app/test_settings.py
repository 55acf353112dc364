"""Settings, strictly read and atomically written, a broken file moved aside; keys and notices of the window itself."""

from pathlib import Path

import msgspec
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flicksim.gui.app import App, HelpScreen, Screen, SettingsScreen
from flicksim.gui.startup import create_window as opened
from flicksim.gui.toolkit import palette, preferences
from flicksim.gui.toolkit.preferences import FILE_NAME, Preferences, load_preferences, save_preferences
from flicksim.gui.toolkit.translation import translate
from flicksim.gui.toolkit.user_folders import ensure_folder, next_free_path, user_folder
from flicksim.gui.toolkit.widgets import Choice

from ..conftest import Driver


def test_headless_windows_read_and_write_no_user_files() -> None:
    assert user_folder("config") is None
    assert user_folder("data") is None
    assert user_folder("pictures") is None
    save_preferences(Preferences(palette="light"))
    assert load_preferences() == (Preferences(), "")


@pytest.mark.usefixtures("home")
def test_preferences_round_trip() -> None:
    saved = Preferences(
        palette="tritan", scale=1.3, volume=0.2, muted=True, playback_speed="slow", bot_grade="expert", card_pace=2
    )
    save_preferences(saved)
    found, wrong = load_preferences()
    assert found == saved
    assert not wrong


def test_the_file_of_an_earlier_release_is_read(home: Path) -> None:
    path = ensure_folder(home / "config") / FILE_NAME
    path.write_text(
        '{"calm": true, "full": true, "quiet": true, "four": true, "pace": 1, "motion": "slow", "grade": "world", '
        '"by_suit": true}'
    )
    assert load_preferences() == (
        Preferences(
            reduced_motion=True, fullscreen=True, muted=True, four_suit_colours=True, card_pace=1,
            playback_speed="slow", bot_grade="world", sort_by_suit=True,
        ),
        "",
    )  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"palette": "mauve"}', '{"volume": 1.5}', '{"volume": "loud"}', '{"colour": 1}', "\x00\xff"],
)
def test_an_invalid_file_is_reported_and_renamed(home: Path, text: str) -> None:
    path = ensure_folder(home / "config") / FILE_NAME
    path.write_bytes(text.encode("latin-1"))
    found, wrong = load_preferences()
    assert found == Preferences()
    assert FILE_NAME in wrong
    assert "settings-broken.json" in wrong
    assert not path.exists()
    assert (home / "config" / "settings-broken.json").read_bytes() == text.encode("latin-1")
    assert load_preferences() == (Preferences(), "")


@given(st.integers(0, 400), st.integers(0, 255))
def test_a_changed_byte_never_gives_preferences_out_of_range(at: int, byte: int) -> None:
    whole = bytearray(msgspec.json.encode(Preferences(palette="light", volume=0.3)))
    whole[at % len(whole)] = byte
    try:
        found = msgspec.json.decode(bytes(whole), type=Preferences)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return
    assert found.palette in palette.PALETTES
    assert 0.0 <= found.volume <= 1.0
    assert 0 <= found.card_pace < len(preferences.PACES)


@pytest.mark.usefixtures("home")
def test_changes_are_shown_at_once_and_saved(app: App, drive: Driver) -> None:
    screen = drive.show(SettingsScreen(app))
    before = palette.PANEL
    drive.key(pygame.K_RIGHT)
    assert app.preferences.palette == "light"
    assert before != palette.PANEL
    screen.form.focus = screen.form.widgets.index(drive.widget("Size of letters"))
    drive.key(pygame.K_RIGHT)
    assert app.preferences.scale == 1.15
    assert app.scale == pytest.approx(1.15)
    drive.key(pygame.K_F9)
    assert app.preferences.muted
    assert "off" in app.notice.text
    found, _ = load_preferences()
    assert (found.palette, found.scale, found.muted) == ("light", 1.15, True)
    for widget in screen.form.widgets:
        assert screen.rect.contains(widget.rect)


@pytest.mark.usefixtures("home")
def test_reduced_motion_and_fullscreen_are_saved(app: App, drive: Driver) -> None:
    app.replace_all(screen := SettingsScreen(app))
    labels = [getattr(widget, "label", "") for widget in screen.form.widgets]
    for label in ("Motion", "Window"):
        screen.form.focus = labels.index(label)
        drive.key(pygame.K_RIGHT)
    assert app.preferences.reduced_motion
    assert app.surface.get_flags() & pygame.FULLSCREEN
    found, _ = load_preferences()
    assert (found.reduced_motion, found.fullscreen) == (True, True)
    again = opened()
    assert again.surface.get_flags() & pygame.FULLSCREEN
    drive.key(pygame.K_F11)
    assert not app.surface.get_flags() & pygame.FULLSCREEN
    assert not load_preferences()[0].fullscreen


def test_a_fullscreen_window_opens_in_fullscreen_directly(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del home
    asked: list[int] = []
    show = pygame.display.set_mode
    monkeypatch.setattr(
        pygame.display, "set_mode", lambda _size, flags=0: (asked.append(flags), show((1280, 800), pygame.RESIZABLE))[1]
    )
    whole = opened(preferences=Preferences(fullscreen=True))
    assert asked == [pygame.FULLSCREEN]
    whole.set_fullscreen(False)
    assert asked == [pygame.FULLSCREEN, pygame.RESIZABLE]
    whole.close()


@pytest.mark.parametrize("size", [(1280, 800), (800, 600), (640, 480)])
def test_settings_rows_do_not_overlap(app: App, drive: Driver, size: tuple[int, int]) -> None:
    pygame.display.set_mode(size, pygame.RESIZABLE)
    app.preferences.scale = 2.0
    screen = drive.show(SettingsScreen(app))
    for one, after in zip(screen.form.widgets[:-1], screen.form.widgets[1:], strict=True):
        assert screen.rect.contains(after.rect)
        assert one.rect.bottom <= after.rect.top


def test_an_unwritable_folder_is_reported(home: Path, app: App, drive: Driver) -> None:
    (home / "config").write_text("a file where a folder should be")
    app.toggle_mute()
    assert "could not be kept" in app.notice.text
    drive.show(SettingsScreen(app))


def test_the_size_of_letters_is_limited_by_the_window_which_says_how_much_fits(app: App, drive: Driver) -> None:
    pygame.display.set_mode((800, 600), pygame.RESIZABLE)
    screen = drive.show(SettingsScreen(app))
    screen.form.focus = screen.form.widgets.index(drive.widget("Size of letters"))
    for scale, text in ((1.15, "115 %"), (1.3, "130 %, room for 125 %"), (1.5, "150 %, room for 125 %")):
        drive.key(pygame.K_RIGHT)
        drive.frames()
        assert app.preferences.scale == scale
        assert f"Size of letters {text} Language" in drive.screen_text()
    pygame.display.set_mode((2560, 1200), pygame.RESIZABLE)
    assert "Size of letters 150 %, room for 130 % Language" in drive.screen_text()
    app.preferences.scale = 2.0
    pygame.display.set_mode((800, 600), pygame.RESIZABLE)
    assert app.scale <= 800 / 820 + 1e-9
    pygame.display.set_mode((3840, 2160), pygame.RESIZABLE)
    assert app.scale == pytest.approx(min(2160 / 615, 2.7 * 2.0))


@pytest.mark.parametrize("window", [(1280, 800), (1280, 1000), (800, 600), (640, 480)])
def test_clicks_in_one_place_go_on_changing_the_size_of_letters(drive: Driver, window: tuple[int, int]) -> None:
    pygame.display.set_mode(window)
    screen = drive.show(SettingsScreen(drive.app))
    size = drive.widget("Size of letters")
    rows = [row for row in screen.form.widgets if isinstance(row, Choice)]
    others = {row.label: row.value for row in rows if row is not size}
    at, sizes = (size.rect.right - 60, size.rect.centery), []
    drive.move(at)
    for _ in size.values:
        drive.press(at)
        drive.release(at)
        drive.frames(2)
        sizes.append(size.value)
        assert size.rect.collidepoint(at), "the row stays under the pointer"
    assert sizes == [*size.values[3:], *size.values[:3]]
    assert {row.label: row.value for row in rows if row is not size} == others
    drive.click((rows[2].rect.right - 60, rows[2].rect.centery))
    assert rows[2].value != others[rows[2].label], "a click elsewhere changes another row"


def test_a_screenshot_is_saved_and_its_path_shown(home: Path, app: App, drive: Driver) -> None:
    drive.show(SettingsScreen(app))
    drive.key(pygame.K_F12)
    path = home / "pictures" / "flicksim-0001.png"
    assert path.exists()
    assert str(path) in app.notice.text
    assert next_free_path(home / "pictures", "flicksim", ".png").name == "flicksim-0002.png"


def test_a_press_of_the_mouse_hides_a_notice_and_one_on_it_reaches_nothing_beneath(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may cover a button."""
    screen = drive.show(SettingsScreen(app))
    bare = pygame.image.tobytes(app.surface, "RGB")
    app.show_notice("Sounds are off.")
    drive.frames(1)
    assert pygame.image.tobytes(app.surface, "RGB") != bare
    drive.press((2, 2), button=4)
    assert pygame.image.tobytes(app.surface, "RGB") != bare, "the wheel"
    drive.press((2, 2))
    assert pygame.image.tobytes(app.surface, "RGB") == bare
    pressed: list[int] = []
    monkeypatch.setattr(screen, "handle", lambda event: pressed.append(event.type))
    app.show_notice("Sounds are off.")
    drive.frames(1)
    for is_hidden in (False, True):
        drive.press((app.screen_area.centerx, app.screen_area.bottom - 20))
        assert (pygame.MOUSEBUTTONDOWN in pressed) is is_hidden


def test_a_notice_is_shown_over_one_screen_alone(app: App, drive: Driver) -> None:
    """One shown by a screen that is closed at once is shown over the next."""
    drive.show(SettingsScreen(app))
    bare = pygame.image.tobytes(app.surface, "RGB")
    app.push(HelpScreen(app))
    app.show_notice("A game is analysed once it is over.")
    drive.frames(1)
    app.pop()
    drive.frames(1)
    assert pygame.image.tobytes(app.surface, "RGB") == bare
    app.push(HelpScreen(app))
    drive.frames(1)
    app.show_notice("The picture is kept.")
    app.pop()
    drive.frames(1)
    assert pygame.image.tobytes(app.surface, "RGB") != bare


@pytest.mark.usefixtures("home")
def test_the_language_says_what_it_is_for_in_german(app: App, untranslated: set[str]) -> None:
    rows = SettingsScreen(app).form.widgets
    help_text = next(row.help_text for row in rows if row.label == "Language")
    german = "Gilt für die Texte des Fensters; Namen bleiben, wie sie sind. FLICKSIM_LANGUAGE geht vor."
    assert translate(help_text) == german
    assert not untranslated


_PRESSING = "return enter space escape f7 f8 u p s f h r n v"
"""Names of keys that do not repeat on a screen."""


class KeyLog(Screen):
    """Screen that lists the keys it is given."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.keys: list[int] = []

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYDOWN:
            self.keys.append(event.key)


def test_keys_that_press_do_so_once_while_they_are_held_and_others_repeat(app: App, drive: Driver, home: Path) -> None:
    screen = drive.show(KeyLog(app))
    pressing = [pygame.key.key_code(name) for name in _PRESSING.split()]
    for key in (*pressing, pygame.K_F9, pygame.K_F11, pygame.K_F12):
        drive.down(key, key)  # an even number: what toggles would be as before
    assert screen.keys == pressing
    assert app.preferences.muted
    assert app.surface.get_flags() & pygame.FULLSCREEN
    assert len(list((home / "pictures").iterdir())) == 1
    drive.down(pygame.K_LEFT, pygame.K_LEFT)
    assert screen.keys[-2:] == [pygame.K_LEFT] * 2
    pygame.event.post(pygame.event.Event(pygame.WINDOWFOCUSLOST))
    drive.down(pressing[0])
    assert screen.keys[-1] == pressing[0], "it was let go over another window"


def test_a_notice_stays_for_its_seconds_however_many_frames_are_drawn(app: App, drive: Driver) -> None:
    drive.show(KeyLog(app))
    bare = pygame.image.tobytes(app.surface, "RGB")
    app.show_notice("Sounds are off.")
    for _ in range(50):
        app.run_frame(0.05)
    assert pygame.image.tobytes(app.surface, "RGB") != bare, "after 2.5 s"
    for _ in range(60):
        app.run_frame(0.05)
    assert pygame.image.tobytes(app.surface, "RGB") == bare, "after 5.5 s"
