"""The window itself: keys that are held, and the time of frames."""

from pathlib import Path

import pygame

from flicksim.gui.app import App, Screen

from ..conftest import Driver

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
